//! CUDA C++: a device function over `float` or `double`, and a kernel over many states.
//!
//! A compiler that knows no CUDA takes the file too: then the kernel is a loop, which is how its text is tested where
//! there is no device.

use super::device::{Code, PRELUDE, Port};
use super::{LEAST_SIZE, TOLERANCE, comment, listed};
use crate::kernel::Kernel;

/// What stands in for CUDA where there is none: one thread that does the work of all.
const WITHOUT_CUDA: &str = "\
#ifndef APPELL_CUDA_SHIM
#define APPELL_CUDA_SHIM
#ifdef __CUDACC__
#define APPELL_FIRST (blockIdx.x * (long long)blockDim.x + threadIdx.x)
#define APPELL_STRIDE ((long long)gridDim.x * blockDim.x)
#else
#define __global__
#define APPELL_FIRST 0LL
#define APPELL_STRIDE 1LL
#endif
#endif
";

pub(super) fn source(kernel: &Kernel, name: &str) -> String {
    let comment = comment(kernel, name, "// ");
    let Code { text, ports, .. } = Code::of(kernel);
    let many = kernel.answer.entries.len();
    let declared: Vec<String> = ports.iter().map(Port::declared).collect();
    let passed: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
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
         neighbours in memory.\n// Compiled with -DAPPELL_SELF_TEST the file is a program that ends with 0 if it finds \
         what was recorded.\n\n{PRELUDE}{WITHOUT_CUDA}\n\
         // Of state i; gives 0, or NaN if an entry of the answer is not finite.\n{text}\n\
         // One state per thread, as many as there are.\ntemplate <typename T>\n\
         __global__ void {name}_batch(long long count, {declared})\n{{\n    \
         for (long long i = APPELL_FIRST; i < count; i += APPELL_STRIDE) {name}<T>(i, count, {passed});\n}}\n\n\
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
        declared = declared.join(", "),
        passed = passed.join(", "),
        recorded = listed(&kernel.sample.inputs),
        expected = listed(&kernel.sample.outputs),
        parts = parts.join(", "),
    )
}
