//! Python: plain numbers, or NumPy arrays of many states.

use super::body::{Angle, Syntax, each, statements};
use super::{LEAST_SIZE, TOLERANCE, indented, listed, preamble, sampled};
use crate::kernel::Kernel;

struct Python;

impl Syntax for Python {
    fn sqrt(&self, x: &str) -> String {
        format!("_sqrt({x})")
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        format!("_atan2({y}, {x})")
    }

    fn exp(&self, x: &str) -> String {
        format!("_exp({x})")
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!("_where({x} > 0.0, {yes}, {no})")
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!("{name} = {value}")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        each(
            angles,
            |sin, cos, angle| format!("{sin}, {cos} = _sin({angle}), _cos({angle})"),
            |name, function, angle| format!("{name} = _{function}({angle})"),
        )
    }

    fn assign(&self, answer: &str, index: usize, value: &str) -> String {
        format!("{answer}[{index}] = {value}")
    }
}

/// Python has its functions for numbers and NumPy those for arrays.
const FUNCTIONS: &str = "\
try:
    from numpy import arctan2 as _atan2, cos as _cos, exp as _exp, full_like as _full_like, sin as _sin, sqrt as _sqrt, where as _where
except ImportError:
    from math import atan2 as _atan2, cos as _cos, exp as _exp, sin as _sin, sqrt as _sqrt

    def _where(condition, yes, no):
        return yes if condition else no


def _alike(answer, *arguments):
    \"\"\"The answer with arrays for all entries, if any argument has one: some entries may be constants.\"\"\"
    arrays = [x for given in (answer, *arguments) for x in given if getattr(x, 'shape', ())]
    if not arrays:
        return answer
    return [x if getattr(x, 'shape', ()) else _full_like(arrays[0], x, dtype=float) for x in answer]
";

pub(super) fn source(kernel: &Kernel, name: &str) -> String {
    let comment = preamble(kernel, name).join("\n").replace('\\', "/").replace("\"\"\"", "'''");
    let body = indented(&statements(kernel, &Python), "    ");
    let names: Vec<&str> = kernel.arguments.iter().map(|argument| argument.name).collect();
    let (answer, many) = (kernel.answer.name, kernel.answer.entries.len());
    let inputs: Vec<String> =
        (0..names.len()).map(|k| format!("        [{}],\n", listed(sampled(kernel, k)))).collect();
    format!(
        "\"\"\"{comment}\n\nAn entry of an argument is a number, or a NumPy array with one value per state; the answer is a \
         list of as many\nentries.\n\"\"\"\n\n{FUNCTIONS}\n\ndef {name}({arguments}):\n    \
         {answer} = [0.0] * {many}\n{body}\n    return _alike({answer}, {arguments})\n\n\ndef self_test():\n    \
         \"\"\"Whether the function finds what was recorded.\"\"\"\n    expected = [{expected}]\n    found = {name}(\n{inputs}    )\n    \
         largest = max([{LEAST_SIZE:?}] + [abs(x) for x in expected])\n    \
         return all(abs(x - y) <= {TOLERANCE:?} * largest for x, y in zip(expected, found))\n\n\n\
         if __name__ == \"__main__\":\n    assert self_test(), \"the self-test fails\"\n",
        arguments = names.join(", "),
        expected = listed(&kernel.sample.outputs),
        inputs = inputs.concat(),
    )
}
