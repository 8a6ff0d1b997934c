//! Julia: a function that writes its answer into its first argument, and one that returns it.

use super::body::{Angle, Syntax, each, statements};
use super::{LEAST_SIZE, TOLERANCE, comment, indented, listed, sampled};
use crate::kernel::Kernel;

struct Julia;

impl Syntax for Julia {
    fn entry(&self, argument: &str, index: usize) -> String {
        format!("{argument}[{}]", index + 1)
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        format!("atan({y}, {x})")
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!("ifelse({x} > 0, {yes}, {no})")
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        each(
            angles,
            |sin, cos, angle| format!("{sin}, {cos} = sincos({angle})"),
            |name, function, angle| format!("{name} = {function}({angle})"),
        )
    }

    fn assign(&self, answer: &str, index: usize, value: &str) -> String {
        format!("{answer}[{}] = {value}", index + 1)
    }
}

pub(super) fn source(kernel: &Kernel, name: &str) -> String {
    let comment = comment(kernel, name, "# ");
    let body = indented(&statements(kernel, &Julia), "        ");
    let names: Vec<&str> = kernel.arguments.iter().map(|argument| argument.name).collect();
    let inputs: Vec<String> = (0..names.len()).map(|k| format!("[{}]", listed(sampled(kernel, k)))).collect();
    let (answer, many, arguments) = (kernel.answer.name, kernel.answer.entries.len(), names.join(", "));
    format!(
        "{comment}\n\nfunction {name}!({answer}, {arguments})\n    @inbounds begin\n{body}\n    end\n    return {answer}\nend\n\n\
         {name}({arguments}) = {name}!(zeros(eltype({first}), {many}), {arguments})\n\n\
         # Whether the function finds what was recorded.\nfunction {name}_self_test()\n    \
         expected = [{expected}]\n    found = {name}({inputs})\n    \
         return maximum(abs.(found .- expected)) <= {TOLERANCE:?} * max({LEAST_SIZE:?}, maximum(abs.(expected)))\nend\n",
        first = names[0],
        expected = listed(&kernel.sample.outputs),
        inputs = inputs.join(", "),
    )
}
