//! LaTeX: the equations of small robots, to be read.

use super::body::{Angle, Syntax, each, statements};
use super::{TooLong, comment, indented};
use crate::kernel::Kernel;

/// As many operations as one reads.
pub(super) const MOST: u64 = 150;

struct Latex;

impl Syntax for Latex {
    fn number(&self, x: f64) -> String {
        match format!("{x:?}").split_once('e') {
            Some((digits, power)) => format!(r"{} \cdot 10^{{{power}}}", digits.trim_end_matches(".0")),
            None => format!("{x}"),
        }
    }

    fn entry(&self, argument: &str, index: usize) -> String {
        let symbol = match argument {
            "v" => r"\dot q",
            "a" => r"\ddot q",
            "tau" => r"\tau",
            other => other,
        };
        format!("{symbol}_{{{}}}", index + 1)
    }

    fn name(&self, letter: char, number: usize) -> String {
        format!("{letter}_{{{number}}}")
    }

    fn nests(&self) -> bool {
        true
    }

    fn operation(&self, operator: char, x: &str, y: &str) -> String {
        match operator {
            // Two numbers side by side would be one.
            '*' if y.starts_with(|c: char| c.is_ascii_digit()) => format!(r"{y} \, {x}"),
            '*' => format!(r"{x} \, {y}"),
            '/' => format!(r"\frac{{{x}}}{{{y}}}"),
            _ => format!("{x} {operator} {y}"),
        }
    }

    fn grouped(&self, x: &str) -> String {
        format!(r"\left({x}\right)")
    }

    fn sqrt(&self, x: &str) -> String {
        format!(r"\sqrt{{{x}}}")
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        format!(r"\operatorname{{atan2}}\left({y}, {x}\right)")
    }

    fn exp(&self, x: &str) -> String {
        format!(r"\exp\left({x}\right)")
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!(r"\begin{{cases}} {yes} & {x} > 0 \\ {no} & \text{{else}} \end{{cases}}")
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!(r"{name} &= {value} \\")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        each(
            angles,
            |sin, cos, angle| format!(r"{sin} &= \sin\left({angle}\right), \quad {cos} = \cos\left({angle}\right) \\"),
            |name, function, angle| format!(r"{name} &= \{function}\left({angle}\right) \\"),
        )
    }

    fn assign(&self, answer: &str, index: usize, value: &str) -> String {
        let symbol = match answer {
            "tau" => r"\tau",
            "a" => r"\ddot q",
            other => other,
        };
        format!(r"{symbol}_{{{}}} &= {value} \\", index + 1)
    }
}

pub(super) fn source(kernel: &Kernel, name: &str) -> Result<String, TooLong> {
    let count = kernel.report.generated;
    let operations = count.multiplications + count.additions;
    if operations > MOST {
        return Err(TooLong { operations, most: MOST });
    }
    let comment = comment(kernel, name, "% ");
    let shown = |numbers: &[f64], begin| numbers.iter().map(|x| format!("{begin}{x:?}")).collect::<Vec<_>>().join("\n");
    let equations = indented(&statements(kernel, &Latex), "  ");
    Ok(format!(
        "{}\n%\n% A state to test it with, arguments one after the other, then the answer:\n{}\n{}\n\n\
         \\begin{{align*}}\n{}\n\\end{{align*}}\n",
        comment,
        shown(&kernel.sample.inputs, "% in  "),
        shown(&kernel.sample.outputs, "% out "),
        equations.strip_suffix(r" \\").unwrap_or(&equations),
    ))
}
