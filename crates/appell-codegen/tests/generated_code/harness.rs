//! Compiles and runs generated code, one call of a compiler for all functions of a language.
#![allow(unreachable_pub, reason = "a module of a test")]

use appell_codegen::Kernel;
use appell_codegen::emit::{Language, function_name};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program, states, and what the library answers there.
pub struct Case {
    pub kernel: Kernel,
    /// All arguments of a state, state by state.
    pub inputs: Vec<f64>,
    pub expected: Vec<f64>,
}

/// Relative to the largest number of an answer.
const TOLERANCE: f64 = 1e-12;

#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], label: &str) {
    assert_close_to(TOLERANCE, found, expected, label);
}

#[track_caller]
pub fn assert_close_to(tolerance: f64, found: &[f64], expected: &[f64], label: &str) {
    assert_eq!(found.len(), expected.len(), "{label}");
    let largest = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (k, (x, y)) in found.iter().zip(expected).enumerate() {
        let off = (x - y).abs();
        assert!(
            off <= tolerance * largest.max(1e-3),
            "{label}: entry {k} is {x:e}, not {y:e}: off by {off:e} of {largest:e}"
        );
    }
}

/// Runs the programs themselves, and their C, Rust, Python and CUDA where a compiler is there.
pub fn check_everywhere(name: &str, cases: &[Case]) {
    for case in cases {
        let label = format!("{} itself", function_name(&case.kernel));
        let width = case.kernel.sample.inputs.len();
        let found: Vec<f64> = case.inputs.chunks(width).flat_map(|state| case.kernel.program.run(state)).collect();
        compare(case, &found, &label);
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("generated-{name}"));
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    for (language, run) in [
        (Language::C, run_c as fn(&Path, &[&Case])),
        (Language::Rust, run_rust),
        (Language::Python, run_python),
        (Language::Julia, run_julia),
        (Language::Cuda, run_cuda),
    ] {
        // The longest, of 35 000 operations, take gcc 1 s and rustc 3 s without optimisation: none is left out.
        let cases: Vec<&Case> = cases.iter().collect();
        let own = folder.join(language.name());
        fs::create_dir_all(&own).unwrap();
        for (k, case) in cases.iter().enumerate() {
            fs::write(own.join(format!("{k}.in")), bytes(&case.inputs)).unwrap();
        }
        for (k, case) in cases.iter().enumerate() {
            for file in language.write(&case.kernel).unwrap() {
                // Several robots may have one name.
                let renamed = function_name(&case.kernel);
                let guard = renamed.to_ascii_uppercase();
                let text = file.text.replace(&renamed, &format!("f{k}_{renamed}"));
                let text = text.replace(&guard, &format!("F{k}_{guard}"));
                fs::write(own.join(format!("f{k}_{}", file.name)), text).unwrap();
            }
        }
        run(&own, &cases);
        for (k, case) in cases.iter().enumerate().filter(|_| language != Language::Cuda) {
            let label = format!("{} in {}", function_name(&case.kernel), language.name());
            let found = numbers(&fs::read(own.join(format!("{k}.out"))).unwrap());
            compare(case, &found, &label);
        }
    }
}

fn compare(case: &Case, found: &[f64], label: &str) {
    assert_eq!(found.len(), case.expected.len(), "{label}");
    let width = case.kernel.sample.outputs.len();
    for (k, (found, expected)) in found.chunks(width).zip(case.expected.chunks(width)).enumerate() {
        assert_close(found, expected, &format!("{label}, state {k}"));
    }
}

pub fn bytes(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect()
}

fn name(k: usize, case: &Case) -> String {
    format!("f{k}_{}", function_name(&case.kernel))
}

/// Lengths of the arguments, then of the answer.
fn lengths(case: &Case) -> (Vec<usize>, usize) {
    (case.kernel.arguments.iter().map(|argument| argument.entries.len()).collect(), case.kernel.sample.outputs.len())
}

#[track_caller]
pub fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, &said[..said.len().min(4000)]);
}

/// Where each argument begins in a state.
fn starts(lengths: &[usize]) -> impl Iterator<Item = usize> {
    lengths.iter().scan(0, |next, length| {
        let start = *next;
        *next += length;
        Some(start)
    })
}

fn run_c(folder: &Path, cases: &[&Case]) {
    let mut main = String::from("#include <stdio.h>\n");
    let mut calls = String::new();
    for (k, case) in cases.iter().enumerate() {
        let (name, (inputs, width)) = (name(k, case), lengths(case));
        let total: usize = inputs.iter().sum();
        let arguments: Vec<String> = starts(&inputs).map(|start| format!("x + {start}")).collect();
        writeln!(main, "#include \"{name}.h\"").unwrap();
        writeln!(
            calls,
            "{{ double x[{total}], y[{width}]; FILE *in = fopen(\"{k}.in\", \"rb\"), *out = fopen(\"{k}.out\", \"wb\");\n\
             if (!{name}_self_test()) {{ puts(\"{name}: self-test\"); return 1; }}\n\
             while (fread(x, 8, {total}, in) == {total}) {{ {name}({}, y); fwrite(y, 8, {width}, out); }}\n\
             fclose(in); fclose(out); }}",
            arguments.join(", ")
        )
        .unwrap();
    }
    fs::write(folder.join("main.c"), format!("{main}int main(void) {{\n{calls}return 0; }}\n")).unwrap();
    let sources = cases.iter().enumerate().map(|(k, case)| format!("{}.c", name(k, case)));
    let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "main.c"];
    succeed(Command::new("gcc").current_dir(folder).args(options).args(sources).args(["-o", "main", "-lm"]));
    succeed(Command::new("./main").current_dir(folder));
}

fn run_rust(folder: &Path, cases: &[&Case]) {
    let mut main = String::from("use std::fs;\n");
    let mut calls = String::new();
    for (k, case) in cases.iter().enumerate() {
        let (name, (inputs, width)) = (name(k, case), lengths(case));
        let arguments: Vec<String> = starts(&inputs)
            .zip(&inputs)
            .map(|(start, length)| format!("x[{start}..{}].try_into().unwrap()", start + length))
            .collect();
        // The trait is each file's own: what it is for f64 is said once, by a macro.
        let exp = if case.kernel.program.has_exponentials() { "fn exp(self) -> f64 { f64::exp(self) }" } else { "" };
        writeln!(main, "#[deny(warnings)] mod {name};\nscalar!({name}, {exp});").unwrap();
        writeln!(
            calls,
            "    let (expected, found) = {name}::self_test(0.0);\n    agree(&expected, &found);\n    \
             let mut out = Vec::new();\n    for x in read(\"{k}.in\").chunks({}) {{\n        let mut y = [0.0; {width}];\n        \
             {name}::{name}({}, &mut y);\n        out.extend(y.iter().flat_map(|y| y.to_le_bytes()));\n    }}\n    \
             fs::write(\"{k}.out\", out).unwrap();",
            inputs.iter().sum::<usize>(),
            arguments.join(", ")
        )
        .unwrap();
    }
    let text = format!(
        "macro_rules! scalar {{ ($m:ident, $($exp:tt)*) => {{ impl $m::Scalar for f64 {{ $($exp)*\n\
         fn constant(self, x: f64) -> f64 {{ x }} fn sin_cos(self) -> (f64, f64) {{ f64::sin_cos(self) }}\n\
         fn sqrt(self) -> f64 {{ f64::sqrt(self) }} fn atan2(self, x: f64) -> f64 {{ f64::atan2(self, x) }}\n\
         fn where_positive(self, y: f64, n: f64) -> f64 {{ if self > 0.0 {{ y }} else {{ n }} }} }} }} }}\n\
         {main}\nfn read(path: &str) -> Vec<f64> {{\n    let bytes = fs::read(path).unwrap();\n    \
         bytes.chunks(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect()\n}}\n\
         fn agree(x: &[f64], y: &[f64]) {{\n    let largest = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));\n    \
         assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() <= 1e-11 * largest));\n}}\nfn main() {{\n{calls}}}\n"
    );
    fs::write(folder.join("main.rs"), text).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    succeed(Command::new(rustc).current_dir(folder).args(["--edition=2021", "-Copt-level=0", "main.rs"]));
    succeed(Command::new("./main").current_dir(folder));
}

/// Numbers by the functions of Python, and arrays of nine states where NumPy is there.
fn run_python(folder: &Path, cases: &[&Case]) {
    let mut main =
        String::from("from array import array\ntry:\n    import numpy\nexcept ImportError:\n    numpy = None\n");
    for (k, case) in cases.iter().enumerate() {
        let (name, (inputs, outputs)) = (name(k, case), lengths(case));
        let slices = |of: &str, begin: &str| -> String {
            let arguments = starts(&inputs).zip(&inputs);
            let slice = |(start, length): (usize, &usize)| format!("{of}[{begin}{start}:{begin}{}]", start + length);
            arguments.map(slice).collect::<Vec<_>>().join(", ")
        };
        let width = inputs.iter().sum::<usize>();
        writeln!(
            main,
            "import {name}\nassert {name}.self_test()\nx = array('d')\nx.frombytes(open('{k}.in', 'rb').read())\n\
             out = array('d')\nfor i in range(0, len(x), {width}):\n    out.extend({name}.{name}({}))\n\
             open('{k}.out', 'wb').write(out.tobytes())\n\
             if numpy is not None:\n    \
             many = [numpy.array(x[j::{width}][:9]) for j in range({width})]\n    \
             found = numpy.array({name}.{name}({}))\n    \
             expected = numpy.array(out[:9 * {outputs}]).reshape(9, {outputs}).T\n    \
             assert abs(found - expected).max() <= 1e-12 * max(1.0, abs(expected).max()), '{name} of arrays'",
            slices("x", "i + "),
            slices("many", ""),
        )
        .unwrap();
    }
    fs::write(folder.join("main.py"), main).unwrap();
    succeed(Command::new("python3").current_dir(folder).args(["-B", "main.py"]));
}

/// The Julia text without Julia: its statements are Python's too, with arrays that begin at 1.
fn run_julia(folder: &Path, cases: &[&Case]) {
    let mut main = String::from(
        "from array import array\nfrom math import atan2 as atan, cos, exp, sin, sqrt\n\
         def sincos(x):\n    return sin(x), cos(x)\n\
         def ifelse(condition, yes, no):\n    return yes if condition else no\n\
         def body(path):\n    text = open(path).read()\n    first = text.index('@inbounds begin') + 15\n    \
         lines = text[first:text.index('\\n    end\\n')].split('\\n')\n    \
         return compile('\\n'.join(line.strip() for line in lines), path, 'exec')\n",
    );
    for (k, case) in cases.iter().enumerate() {
        let (name, (inputs, width)) = (name(k, case), lengths(case));
        let answer = case.kernel.answer.name;
        let arguments: Vec<String> = starts(&inputs)
            .zip(&case.kernel.arguments)
            .map(|(start, argument)| {
                format!("{}=[None, *x[i + {start}:i + {}]]", argument.name, start + argument.entries.len())
            })
            .collect();
        writeln!(
            main,
            "code = body('{name}.jl')\nx = array('d')\nx.frombytes(open('{k}.in', 'rb').read())\nout = array('d')\n\
             for i in range(0, len(x), {}):\n    \
             names = dict(sin=sin, cos=cos, sincos=sincos, ifelse=ifelse, atan=atan, sqrt=sqrt, exp=exp, {}, {answer}=[0.0] * {})\n    \
             exec(code, names)\n    out.extend(names['{answer}'][1:])\nopen('{k}.out', 'wb').write(out.tobytes())",
            inputs.iter().sum::<usize>(),
            arguments.join(", "),
            width + 1
        )
        .unwrap();
    }
    fs::write(folder.join("main.py"), main).unwrap();
    succeed(Command::new("python3").current_dir(folder).args(["-B", "main.py"]));
}

/// The CUDA text without a device: a plain compiler takes it, and its self-test finds what was recorded. Some do: each is
/// a program of its own.
fn run_cuda(folder: &Path, cases: &[&Case]) {
    for (k, case) in cases.iter().enumerate().step_by(5) {
        let name = name(k, case);
        let options = ["-std=c++11", "-Wall", "-Wextra", "-Werror", "-O0"];
        succeed(Command::new("g++").current_dir(folder).args(options).args([
            "-DAPPELL_SELF_TEST",
            "-x",
            "c++",
            &format!("{name}.cu"),
            "-o",
            &name,
        ]));
        succeed(Command::new(format!("./{name}")).current_dir(folder));
    }
}
