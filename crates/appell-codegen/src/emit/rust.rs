//! Rust: `no_std`, without allocation, over any number of a small trait that the file brings along.

use super::body::{Angle, Syntax, statements, unread};
use super::{LEAST_SIZE, TOLERANCE, comment, listed, sampled};
use crate::kernel::Kernel;

struct Rust;

impl Syntax for Rust {
    fn number(&self, x: f64) -> String {
        format!("k({x:?})")
    }

    fn fused_after(&self, c: &str, negative: bool, [a, b]: [&str; 2]) -> String {
        // c may be a product: then it needs no further parentheses as an argument.
        if negative { format!("{a}.neg_mul_add({b}, {c})") } else { format!("{a}.mul_add({b}, {c})") }
    }

    fn fused_before(&self, [a, b]: [&str; 2], negative: bool, c: &str) -> String {
        if negative { format!("{a}.mul_sub({b}, {c})") } else { format!("{a}.mul_add({b}, {c})") }
    }

    fn sqrt(&self, x: &str) -> String {
        format!("({x}).sqrt()")
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        format!("({y}).atan2({x})")
    }

    fn exp(&self, x: &str) -> String {
        format!("({x}).exp()")
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        format!("({x}).where_positive({yes}, {no})")
    }

    fn bind(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        let name = |name: &Option<String>| name.clone().unwrap_or("_".into());
        let names: Vec<String> =
            angles.iter().map(|Angle { sin, cos, .. }| format!("({}, {})", name(sin), name(cos))).collect();
        let angles: Vec<&str> = angles.iter().map(|Angle { angle, .. }| angle.as_str()).collect();
        vec![format!("let [{}] = T::sin_cos_of([{}]);", names.join(", "), angles.join(", "))]
    }

    fn assign(&self, answer: &str, index: usize, value: &str) -> String {
        format!("{}[{index}] = {value};", lower(answer))
    }
}

/// Matrices have capital letters, which Rust keeps for types.
fn lower(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The trait: what [`Real`](appell::real::Real) asks for, and two products more; exponentials where [`EXP`] stands for them.
const TRAIT: &str = "\
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or several in lanes. Implement it for `f64` with the sine and cosine of your platform.
#[allow(dead_code)]
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The number `x`, of the same kind as `self`.
    fn constant(self, x: f64) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Sines and cosines of several angles; do better where several can be computed abreast.
    #[inline(always)]
    fn sin_cos_of<const N: usize>(angles: [Self; N]) -> [(Self, Self); N] {
        let mut pairs = [(angles[0], angles[0]); N];
        for k in 0..N {
            pairs[k] = angles[k].sin_cos();
        }
        pairs
    }
    /// Square root.
    fn sqrt(self) -> Self;
    /// The angle of the vector (`x`, `self`).
    fn atan2(self, x: Self) -> Self;
EXP    /// `yes` where `self` > 0, else `no`.
    fn where_positive(self, yes: Self, no: Self) -> Self;
    /// `self * a + b`; fuse it where that is one instruction.
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }
    /// `self * a - b`.
    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        self * a - b
    }
    /// `b - self * a`.
    #[inline(always)]
    fn neg_mul_add(self, a: Self, b: Self) -> Self {
        b - self * a
    }
}
";

/// What only robots with Stribeck's friction ask for.
const EXP: &str = "\
    /// e to the power of `self`.
    fn exp(self) -> Self;
";

pub(super) fn source(kernel: &Kernel, name: &str) -> String {
    let comment = comment(kernel, name, "// ");
    let mut body: Vec<String> = statements(kernel, &Rust).iter().map(|line| format!("    {line}")).collect();
    if body.iter().any(|line| line.contains("k(")) {
        let constants =
            format!("    let like = {}[0];\n    let k = |x: f64| like.constant(x);", kernel.arguments[0].name);
        body.insert(0, constants);
    }
    let scalar = TRAIT.replace("EXP", if kernel.program.has_exponentials() { EXP } else { "" });
    let answer = &kernel.answer;
    // Numbers are made of the first argument.
    let has_numbers = body[0].contains("let like");
    let unread: Vec<&str> =
        unread(kernel).into_iter().filter(|&name| !has_numbers || name != kernel.arguments[0].name).collect();
    let mut arguments: Vec<String> = kernel
        .arguments
        .iter()
        .map(|argument| {
            let unread = if unread.contains(&argument.name) { "_" } else { "" };
            format!("{unread}{}: &[T; {}]", argument.name, argument.entries.len())
        })
        .collect();
    arguments.push(format!("{}: &mut [T; {}]", lower(answer.name), answer.entries.len()));
    let inputs: Vec<String> =
        (0..kernel.arguments.len()).map(|k| format!("&[{}].map(number)", listed(sampled(kernel, k)))).collect();
    format!(
        "{comment}\n\n{scalar}\n/// {summary}; see the head of this file. Inlined, so that it has the instructions of who calls it.\n\
         #[allow(clippy::all, clippy::pedantic)]\n\
         #[inline(always)]\npub fn {name}<T: Scalar>({arguments}) {{\n{body}\n}}\n\n\
         /// What the function must find on recorded inputs, and what it finds; both agree to {TOLERANCE:?} of the largest, or of {LEAST_SIZE:?}.\n\
         #[allow(clippy::all, clippy::pedantic)]\n\
         pub fn self_test<T: Scalar>(like: T) -> ([T; {many}], [T; {many}]) {{\n    \
         let number = |x: f64| like.constant(x);\n    let mut found = [number(0.0); {many}];\n    \
         {name}({inputs}, &mut found);\n    ([{expected}].map(number), found)\n}}\n",
        summary = kernel.question.name(),
        arguments = arguments.join(", "),
        body = body.join("\n"),
        many = answer.entries.len(),
        inputs = inputs.join(", "),
        expected = listed(&kernel.sample.outputs),
    )
}
