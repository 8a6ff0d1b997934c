//! C99: a source and its header.

use super::body::{Angle, Syntax, each, statements, unread};
use super::{LEAST_SIZE, TOLERANCE, indented, listed, sampled};
use crate::kernel::Kernel;

struct C;

impl Syntax for C {
    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!("({x} > 0.0 ? {yes} : {no})")
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!("const double {name} = {value};")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        each(
            angles,
            |sin, cos, angle| format!("const double {sin} = sin({angle}), {cos} = cos({angle});"),
            |name, function, angle| format!("const double {name} = {function}({angle});"),
        )
    }
}

fn comment(kernel: &Kernel, name: &str) -> String {
    format!("/*\n{}\n */\n", super::comment(kernel, name, " * "))
}

fn prototypes(kernel: &Kernel, name: &str) -> [String; 2] {
    let mut arguments: Vec<String> = kernel
        .arguments
        .iter()
        .map(|argument| format!("const double {}[{}]", argument.name, argument.entries.len()))
        .collect();
    arguments.push(format!("double {}[{}]", kernel.answer.name, kernel.answer.entries.len()));
    [format!("void {name}({})", arguments.join(", ")), format!("int {name}_self_test(void)")]
}

pub(super) fn header(kernel: &Kernel, name: &str) -> String {
    let [function, self_test] = prototypes(kernel, name);
    let guard = name.to_ascii_uppercase();
    format!(
        "{}#ifndef {guard}_H\n#define {guard}_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{function};\n\n\
         /* 1 if the function finds what was recorded, else 0. */\n{self_test};\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        comment(kernel, name)
    )
}

pub(super) fn source(kernel: &Kernel, name: &str) -> String {
    let [function, self_test] = prototypes(kernel, name);
    let body = indented(&statements(kernel, &C), "    ");
    let many = kernel.answer.entries.len();
    let unread: Vec<String> = unread(kernel).iter().map(|name| format!("    (void){name};\n")).collect();
    let inputs: Vec<String> = kernel
        .arguments
        .iter()
        .enumerate()
        .map(|(k, argument)| format!("    const double {}[] = {{{}}};\n", argument.name, listed(sampled(kernel, k))))
        .collect();
    let names: Vec<&str> = kernel.arguments.iter().map(|argument| argument.name).chain(["found"]).collect();
    format!(
        "{comment}#include \"{name}.h\"\n\n#include <math.h>\n\n{function}\n{{\n{unread}{body}\n}}\n\n{self_test}\n{{\n\
         {inputs}    const double expected[] = {{{expected}}};\n    double found[{many}], largest = {LEAST_SIZE:?};\n\
         \x20   int k;\n    {name}({names});\n    for (k = 0; k < {many}; ++k) largest = fmax(largest, fabs(expected[k]));\n\
         \x20   for (k = 0; k < {many}; ++k)\n        if (!(fabs(found[k] - expected[k]) <= {TOLERANCE:?} * largest)) return 0;\n\
         \x20   return 1;\n}}\n",
        comment = comment(kernel, name),
        unread = unread.concat(),
        inputs = inputs.concat(),
        expected = listed(&kernel.sample.outputs),
        names = names.join(", "),
    )
}
