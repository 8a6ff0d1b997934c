//! Runs functions for devices on this machine: compiled by a C++ compiler over plain numbers, or over lanes.
#![allow(unreachable_pub, reason = "a module of a test")]

use super::harness::{bytes, numbers, succeed};
use appell_codegen::emit::device::{Code, LANES, PRELUDE, PortKind};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Over which numbers a function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    Doubles,
    /// Two doubles side by side: whatever branches on one does not compile.
    Lanes,
}

/// What a function is given: arrays by port, and numbers by value.
pub type Given<'g> = HashMap<&'g str, Vec<f64>>;

/// What it wrote, by port; `off` is what it answered.
pub fn run(label: &str, code: &Code, count: usize, given: &Given<'_>, over: Over) -> HashMap<String, Vec<f64>> {
    let (mut declared, mut written, mut arguments) = (String::new(), String::new(), String::new());
    let (mut input, mut lengths) = (Vec::new(), Vec::new());
    for port in &code.ports {
        let name = &port.name;
        let array = |length: usize| format!("static double {name}[{}];\n", length.max(1));
        let mut read = |length: usize| {
            let numbers = given.get(name.as_str()).unwrap_or_else(|| panic!("{label}: {name} is not given"));
            assert_eq!(numbers.len(), length, "{label}: {name}");
            input.extend(numbers);
            writeln!(declared, "{}take({name}, {length});", array(length)).unwrap();
        };
        match port.kind {
            PortKind::Read(entries) => read(entries * count),
            PortKind::Shared(entries) => read(entries),
            PortKind::Written(entries) => {
                writeln!(declared, "{}", array(entries * count)).unwrap();
                writeln!(written, "give({name}, {});", entries * count).unwrap();
                lengths.push((name.clone(), entries * count));
            }
            PortKind::Real => writeln!(declared, "const double {name} = {:?};", given[name.as_str()][0]).unwrap(),
            PortKind::Whole => {
                writeln!(declared, "const long long {name} = {:?};", given[name.as_str()][0] as i64).unwrap();
            }
        }
        write!(arguments, ", {name}").unwrap();
    }
    let (number, step) = match over {
        Over::Doubles => ("double", 1),
        Over::Lanes => ("appell_lanes<double>", 2),
    };
    assert_eq!(count % step, 0, "whole lanes");
    let main = format!(
        "#include <cstdio>\n#include <cstdlib>\n{}\n{}\n{}\nstatic FILE *in, *out;\n\
         static void take(double *x, size_t n) {{ if (fread(x, 8, n, in) != n) exit(2); }}\n\
         static void give(const double *x, size_t n) {{ if (fwrite(x, 8, n, out) != n) exit(3); }}\n\
         int main()\n{{\n    in = fopen(\"in\", \"rb\");\n    out = fopen(\"out\", \"wb\");\n{declared}\
         static double off[{count}];\n\
         for (long long i = 0; i < {count}; i += {step}) appell_store<{number}>(off, i, {}<{number}>(i, {count}{arguments}));\n\
         {written}give(off, {count});\n    return fclose(out);\n}}\n",
        PRELUDE,
        if over == Over::Lanes { LANES } else { "" },
        code.text,
        code.name,
    );
    lengths.push(("off".into(), count));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("device-{label}-{over:?}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("main.cpp"), main).unwrap();
    fs::write(folder.join("in"), bytes(&input)).unwrap();
    let options = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-DAPPELL_LANES=16", "main.cpp", "-o", "main"];
    succeed(Command::new("g++").current_dir(&folder).args(options));
    succeed(Command::new("./main").current_dir(&folder));
    let mut found = &numbers(&fs::read(folder.join("out")).unwrap())[..];
    let mut taken = HashMap::new();
    for (name, length) in lengths {
        let (own, rest) = found.split_at(length);
        taken.insert(name, own.to_vec());
        found = rest;
    }
    taken
}
