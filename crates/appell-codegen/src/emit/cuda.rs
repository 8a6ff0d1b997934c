//! CUDA C++: a device function over `float` or `double`, and a kernel over many states.
//!
//! A compiler that knows no CUDA takes the file too: then the kernel is a loop, which is how its text is tested where
//! there is no device.

use super::body::{Angle, Syntax, each, statements, unread};
use super::{LEAST_SIZE, TOLERANCE, comment, indented, listed};
use crate::kernel::Kernel;

struct Cuda;

impl Syntax for Cuda {
    fn number(&self, x: f64) -> String {
        format!("T({x:?})")
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!("({x} > T(0) ? {yes} : {no})")
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!("const T {name} = {value};")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        each(
            angles,
            |sin, cos, angle| format!("T {sin}, {cos}; appell_sincos({angle}, &{sin}, &{cos});"),
            |name, function, angle| format!("const T {name} = {function}({angle});"),
        )
    }
}

/// What stands in for CUDA where there is none: one thread that does the work of all.
const WITHOUT_CUDA: &str = "\
#ifndef APPELL_CUDA_SHIM
#define APPELL_CUDA_SHIM
#ifdef __CUDACC__
__device__ __forceinline__ void appell_sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__device__ __forceinline__ void appell_sincos(double x, double *s, double *c) { sincos(x, s, c); }
#define APPELL_FIRST (blockIdx.x * (long)blockDim.x + threadIdx.x)
#define APPELL_STRIDE ((long)gridDim.x * blockDim.x)
#else
#include <cmath>
#define __device__
#define __global__
#define __forceinline__ inline
using std::atan2;
using std::cos;
using std::exp;
using std::sin;
using std::sqrt;
template <typename T> void appell_sincos(T x, T *s, T *c) { *s = std::sin(x); *c = std::cos(x); }
#define APPELL_FIRST 0L
#define APPELL_STRIDE 1L
#endif
#endif
";

pub(super) fn source(kernel: &Kernel, name: &str) -> String {
    let comment = comment(kernel, name, "// ");
    let body = indented(&statements(kernel, &Cuda), "    ");
    let unread: Vec<String> = unread(kernel).iter().map(|name| format!("    (void){name};\n")).collect();
    let answer = &kernel.answer;
    let many = answer.entries.len();
    let pointers: Vec<String> = kernel.arguments.iter().map(|argument| format!("const T *{}", argument.name)).collect();
    let loads: Vec<String> = kernel
        .arguments
        .iter()
        .map(|argument| {
            let (from, n) = (argument.name, argument.entries.len());
            format!("        T own_{from}[{n}];\n        for (int k = 0; k < {n}; ++k) own_{from}[k] = {from}[k * count + i];\n")
        })
        .collect();
    let own: Vec<String> = kernel.arguments.iter().map(|argument| format!("own_{}", argument.name)).collect();
    let inputs = kernel.sample.inputs.len();
    let mut place = 0;
    let parts: Vec<String> = kernel
        .arguments
        .iter()
        .map(|argument| {
            let part = format!("inputs + {place} * COUNT");
            place += argument.entries.len();
            part
        })
        .collect();
    format!(
        "{comment}\n//\n// The kernel reads and writes entry k of state i at [k * count + i], so that neighbours in a warp are \
         neighbours in memory.\n// Compiled with -DAPPELL_SELF_TEST the file is a program that ends with 0 if both functions find \
         what was recorded.\n\n{WITHOUT_CUDA}\n\
         template <typename T>\n__device__ __forceinline__ void {name}({pointers}, T *{answer})\n{{\n{unread}{body}\n}}\n\n\
         // One state per thread, as many as there are.\ntemplate <typename T>\n\
         __global__ void {name}_batch(long count, {pointers}, T *{answer})\n{{\n    \
         for (long i = APPELL_FIRST; i < count; i += APPELL_STRIDE) {{\n{loads}        T own_answer[{many}];\n        \
         {name}<T>({own}, own_answer);\n        for (int k = 0; k < {many}; ++k) {answer}[k * count + i] = own_answer[k];\n    }}\n}}\n\n\
         #ifdef APPELL_SELF_TEST\n#include <cmath>\n#include <cstdio>\n\n\
         static const double RECORDED[] = {{{recorded}}};\nstatic const double EXPECTED[] = {{{expected}}};\n\n\
         int main()\n{{\n    const long COUNT = 1000;\n    static double in[{inputs} * 1000], out[{many} * 1000];\n    \
         for (long k = 0; k < {inputs}; ++k)\n        for (long i = 0; i < COUNT; ++i) in[k * COUNT + i] = RECORDED[k];\n\
         #ifdef __CUDACC__\n    double *inputs, *answer;\n    cudaMalloc(&inputs, sizeof in);\n    cudaMalloc(&answer, sizeof out);\n    \
         cudaMemcpy(inputs, in, sizeof in, cudaMemcpyHostToDevice);\n    \
         {name}_batch<double><<<8, 128>>>(COUNT, {parts}, answer);\n    \
         cudaMemcpy(out, answer, sizeof out, cudaMemcpyDeviceToHost);\n    \
         if (cudaGetLastError() != cudaSuccess) {{ std::puts(\"the device refuses\"); return 2; }}\n    \
         cudaFree(inputs);\n    cudaFree(answer);\n\
         #else\n    const double *inputs = in;\n    {name}_batch<double>(COUNT, {parts}, out);\n#endif\n    \
         double largest = {LEAST_SIZE:?}, off = 0.0;\n    \
         for (long k = 0; k < {many}; ++k) largest = std::fmax(largest, std::fabs(EXPECTED[k]));\n    \
         for (long k = 0; k < {many}; ++k)\n        for (long i = 0; i < COUNT; ++i) {{\n            \
         const double wrong = std::fabs(out[k * COUNT + i] - EXPECTED[k]);\n            \
         if (!(wrong <= off)) off = wrong; // also NaN\n        }}\n    \
         std::printf(\"{name}: off by %.1e\\n\", off / largest);\n    return off <= {TOLERANCE:?} * largest ? 0 : 1;\n}}\n#endif\n",
        pointers = pointers.join(", "),
        answer = answer.name,
        unread = unread.concat(),
        loads = loads.concat(),
        own = own.join(", "),
        recorded = listed(&kernel.sample.inputs),
        expected = listed(&kernel.sample.outputs),
        parts = parts.join(", "),
    )
}
