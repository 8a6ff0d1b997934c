//! Functions for devices: text for their compilers, and what it takes.
//!
//! A function is a template over its numbers `T`: `float` or `double` on a GPU, lanes of these on a processor. It does the
//! work of one state, or of neighbouring ones side by side, and gives 0, or NaN where something it wrote is not finite:
//!
//! ```text
//! template <typename T> T NAME(long long i, long long count, ports, one after the other)
//! ```

use super::body::statements;
use super::device_syntax::DeviceSyntax;
use super::{function_name, indented};
use crate::kernel::Kernel;

/// What every function stands on: goes before its text, once.
pub const PRELUDE: &str = include_str!("device.h");

/// The same in lanes of a processor, after that.
pub const LANES: &str = include_str!("lanes.h");

/// A function for a device's compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Its name.
    pub name: String,
    /// Its text, without what it stands on.
    pub text: String,
    /// What it takes.
    pub ports: Vec<Port>,
    /// × and + of one call, for who chooses how to compile it.
    pub operations: u64,
}

/// Something that a function takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Its name in the text.
    pub name: String,
    /// What it is.
    pub kind: PortKind,
}

/// What a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PortKind {
    /// So many entries of every state, read: entry k of state i at `[k * count + i]`.
    Read(usize),
    /// Likewise, written; never memory that is read, too.
    Written(usize),
    /// So many numbers, the same for all states.
    Shared(usize),
    /// A number.
    Real,
    /// A whole number.
    Whole,
}

impl Port {
    /// As a parameter of the function.
    #[must_use]
    pub fn declared(&self) -> String {
        let name = &self.name;
        match self.kind {
            PortKind::Read(_) | PortKind::Shared(_) => format!("const appell_scalar<T> *__restrict__ {name}"),
            PortKind::Written(_) => format!("appell_scalar<T> *__restrict__ {name}"),
            PortKind::Real => format!("double {name}"),
            PortKind::Whole => format!("long long {name}"),
        }
    }
}

impl Code {
    /// The function that answers a question for a state.
    #[must_use]
    pub fn of(kernel: &Kernel) -> Self {
        let name = function_name(kernel);
        let port = |name: &str, kind| Port { name: name.to_owned(), kind };
        let mut ports: Vec<Port> = kernel
            .arguments
            .iter()
            .map(|argument| port(argument.name, PortKind::Read(argument.entries.len())))
            .collect();
        ports.push(port(kernel.answer.name, PortKind::Written(kernel.answer.entries.len())));
        let ordered = Kernel { program: kernel.program.with_few_waiting(), ..kernel.clone() };
        let body = indented(&statements(&ordered, &DeviceSyntax), "    ");
        let unread: String = ports.iter().map(|port| format!("    (void){};\n", port.name)).collect();
        let text = format!(
            "template <typename T>\n{}\n{{\n{unread}    T bad = T(0);\n{body}\n    return bad;\n}}\n",
            signature(&name, &ports)
        );
        let cost = kernel.report.generated;
        Self { name, text, ports, operations: cost.multiplications + cost.additions }
    }
}

/// The head of a function.
#[must_use]
pub fn signature(name: &str, ports: &[Port]) -> String {
    let ports: Vec<String> = ports.iter().map(Port::declared).collect();
    format!("APPELL_DEVICE T {name}(long long i, long long count, {})", ports.join(", "))
}
