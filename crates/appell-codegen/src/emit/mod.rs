//! Programs as text in several languages. Every file says what it computes, of which robot, in which units and order,
//! at what cost, and tests itself on a state whose answer the library has given.
//!
//! | language | file | what is in it |
//! |---|---|---|
//! | C | `c` | a function of C99 and its header |
//! | Rust | `rust` | a function over any number of a small trait: `no_std`, no allocation, for lanes as for `f64` |
//! | CUDA C++ | `cuda` | a device function, and a kernel over many states; a plain compiler takes it too |
//! | Python | `python` | a function of numbers or NumPy arrays |
//! | Julia | `julia` | a function that writes into its first argument |
//! | LaTeX | `latex` | equations, of small robots |
//!
//! [`device`] has the functions that `appell-device` compiles at run time.

pub(crate) mod body;
mod c;
mod cuda;
pub mod device;
pub(crate) mod device_syntax;
mod julia;
mod latex;
mod python;
mod rust;

use super::kernel::{Argument, Kernel};
use appell::Kind;
use appell::question::Question;

/// A language that code is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named by themselves")]
pub enum Language {
    C,
    Rust,
    Cuda,
    Python,
    Julia,
    Latex,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A computation that is too long to be read as equations.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{operations} operations are too many to be read as equations, {most} at most; choose another language")]
pub struct TooLong {
    /// × and + together.
    pub operations: u64,
    /// As many as equations may have.
    pub most: u64,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] = [Self::C, Self::Rust, Self::Cuda, Self::Python, Self::Julia, Self::Latex];

    /// Its name on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Cuda => "cuda",
            Self::Python => "python",
            Self::Julia => "julia",
            Self::Latex => "latex",
        }
    }

    /// The language of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// As many operations, × and + together, as a program in it may have; any number if none is said.
    #[must_use]
    pub const fn most_operations(self) -> Option<u64> {
        match self {
            Self::Latex => Some(latex::MOST),
            _ => None,
        }
    }

    /// The files that hold a program in this language.
    ///
    /// # Errors
    /// If it is too long for equations.
    pub fn write(self, kernel: &Kernel) -> Result<Vec<File>, TooLong> {
        let name = function_name(kernel);
        let file = |ending: &str, text: String| File { name: format!("{name}.{ending}"), text };
        Ok(match self {
            Self::C => vec![file("c", c::source(kernel, &name)), file("h", c::header(kernel, &name))],
            Self::Rust => vec![file("rs", rust::source(kernel, &name))],
            Self::Cuda => vec![file("cu", cuda::source(kernel, &name))],
            Self::Python => vec![file("py", python::source(kernel, &name))],
            Self::Julia => vec![file("jl", julia::source(kernel, &name))],
            Self::Latex => vec![file("tex", latex::source(kernel, &name)?)],
        })
    }
}

/// The name of a program's function, as every language takes it: robot and question.
#[must_use]
pub fn function_name(kernel: &Kernel) -> String {
    identifier(&format!("{} {}", kernel.robot, kernel.question.name()))
}

/// Words as a name that every language takes.
pub(crate) fn identifier(words: &str) -> String {
    let mut name = String::new();
    for c in words.chars() {
        let plain = c.to_ascii_lowercase();
        if plain.is_ascii_alphanumeric() {
            name.push(plain);
        } else if !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("robot_{name}") } else { name }
}

/// What every file says of itself, line by line.
fn preamble(kernel: &Kernel, name: &str) -> Vec<String> {
    let Kernel { report, question, .. } = kernel;
    let count = |count: appell::real::Count| format!("{} * and {} +", count.multiplications, count.additions);
    let general = report.general.map_or(String::new(), |found| format!("general algorithm {}; ", count(found)));
    let regrouped = report.regrouped.map_or(String::new(), |found| format!(", regrouped {}", count(found)));
    let mut lines = vec![
        format!("{name}: {} of {}, a {} robot.", question.name(), kernel.robot, kernel.kind.name()),
        format!("{}.", question.summary()),
        String::new(),
        format!("Generated by appell {}; do not edit.", env!("CARGO_PKG_VERSION")),
        format!("Operations: {}, sine and cosine of {} angles.", count(report.generated), report.angles),
        format!("({general}with the robot's numbers {}{regrouped})", count(report.specialised)),
        String::new(),
        "Arguments, in this order:".into(),
    ];
    lines.extend(kernel.arguments.iter().map(described));
    lines.push("Answer, matrices row by row:".into());
    lines.push(described(&kernel.answer));
    lines.extend(convention(kernel).into_iter().flatten().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines.push("SI units and radians; torques and forces are M a + C v + G + friction.".into());
    lines.extend(kernel.notes.iter().map(|note| format!("{note}.")));
    // A name may hold what would end a comment.
    lines.iter().map(|line| line.replace("*/", "* /").replace(['\n', '\r'], " ").trim_end().to_owned()).collect()
}

/// The same as a comment of lines that begin so.
fn comment(kernel: &Kernel, name: &str, begin: &str) -> String {
    indented(&preamble(kernel, name), begin)
}

/// Lines that begin alike, one below the other.
fn indented(lines: &[String], begin: &str) -> String {
    lines.iter().map(|line| format!("{begin}{line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// What the names of an answer's entries do not say.
fn convention(kernel: &Kernel) -> Option<&'static [&'static str]> {
    let is_open = matches!(kernel.kind, Kind::Serial | Kind::Tree);
    match kernel.question {
        Question::Regressor if is_open => Some(&[
            "Columns: of each body m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of its own frame,",
            "then, if there are any, of each joint viscous and Coulomb friction, offset, rotor inertia seen from the joint.",
        ]),
        Question::Regressor => Some(&[
            "Columns: of each body m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of its own frame,",
            "then, if there are any, of each joint viscous and Coulomb friction, offset, rotor inertia seen from the joint,",
            "last ten of the platform.",
        ]),
        Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives if !is_open => Some(&[
            "By x, by the independent velocities, by the third argument, one matrix after the other. x goes along the degrees",
            "of freedom: of a turning platform small rotations about the base's axes, which are not coordinates.",
        ]),
        _ => None,
    }
}

fn described(argument: &Argument) -> String {
    let entries = &argument.entries;
    let shown = match entries.as_slice() {
        [first, second, .., last] if entries.len() > 13 => format!("{first} {second} ... {last}"),
        all => all.join(" "),
    };
    format!("  {}[{}]: {}: {shown}", argument.name, entries.len(), argument.meaning)
}

/// The recorded inputs of one argument.
fn sampled(kernel: &Kernel, index: usize) -> &[f64] {
    let start: usize = kernel.arguments[..index].iter().map(|argument| argument.entries.len()).sum();
    &kernel.sample.inputs[start..start + kernel.arguments[index].entries.len()]
}

/// Numbers with all their digits, in a row.
fn listed(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

/// How far a self-test may be off, over the largest number of the answer, or over the least size that counts: of an answer that
/// is zero, rounding was recorded.
const TOLERANCE: f64 = 1e-11;
const LEAST_SIZE: f64 = 1e-3;
