//! Device functions of programs, and lines of the kernels around them.
//!
//! Nothing here branches on a number of the robot: it may be a vector of lanes. What is the same for all robots, steps and
//! stages, may.

use crate::emit::body::{Angle, Syntax, statements_of};
use crate::emit::device::{Port, PortKind, signature};
use crate::emit::device_syntax::DeviceSyntax;
use crate::program::Program;

/// The argument that is the same memory for all robots; all others are arrays of the robot's own.
pub(super) const SHARED: &str = "shared";

/// The words of devices, for arrays of the robot's own.
struct OfArrays;

impl Syntax for OfArrays {
    fn entry(&self, argument: &str, index: usize) -> String {
        if argument == SHARED { format!("T({SHARED}[{index}])") } else { format!("{argument}[{index}]") }
    }

    fn number(&self, x: f64) -> String {
        DeviceSyntax.number(x)
    }

    fn sqrt(&self, x: &str) -> String {
        DeviceSyntax.sqrt(x)
    }

    fn atan2(&self, y: &str, x: &str) -> String {
        DeviceSyntax.atan2(y, x)
    }

    fn exp(&self, x: &str) -> String {
        DeviceSyntax.exp(x)
    }

    fn choice(&self, x: &str, yes: &str, no: &str) -> String {
        DeviceSyntax.choice(x, yes, no)
    }

    fn writes_early(&self) -> bool {
        DeviceSyntax.writes_early()
    }

    fn bind(&self, name: &str, value: &str) -> String {
        DeviceSyntax.bind(name, value)
    }

    fn bind_sin_cos(&self, angles: &[Angle]) -> Vec<String> {
        DeviceSyntax.bind_sin_cos(angles)
    }
}

/// A program as a device function, with its arguments by name and length; those of length 0 are none.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) arguments: Vec<(&'static str, usize)>,
    pub(super) program: Program,
}

impl Function {
    fn given(&self) -> impl Iterator<Item = &'static str> {
        self.arguments.iter().filter(|(_, length)| *length > 0).map(|(name, _)| *name)
    }

    /// Whether it has an argument of this name.
    pub(super) fn takes(&self, argument: &str) -> bool {
        self.given().any(|name| name == argument)
    }

    /// How many numbers it answers.
    pub(super) fn answers(&self) -> usize {
        self.program.outputs.len()
    }

    pub(super) fn text(&self) -> String {
        let pointer = |name| match name {
            SHARED => format!("const appell_scalar<T> *{SHARED}"),
            name => format!("const T *{name}"),
        };
        let pointers: Vec<String> = self.given().map(pointer).collect();
        let read: Vec<String> = self.given().map(|name| format!("(void){name};")).collect();
        let lines = statements_of(&self.program.with_few_waiting(), self.arguments.clone(), "y", &OfArrays);
        format!(
            "template <typename T>\nAPPELL_DEVICE void {}({}, T *y)\n{{\n    {}\n{}}}\n\n",
            self.name,
            pointers.join(", "),
            read.join(" "),
            lines.iter().map(|line| format!("    {line}\n")).collect::<String>(),
        )
    }

    /// × and + of one call.
    pub(super) fn operations(&self) -> u64 {
        let count = self.program.count();
        count.multiplications + count.additions
    }

    /// A call of it; `other` may say what is given in the place of an argument.
    pub(super) fn call(&self, other: &[(&str, &str)], answer: &str) -> String {
        let given =
            |name: &'static str| other.iter().find(|(argument, _)| *argument == name).map_or(name, |&(_, given)| given);
        let arguments: Vec<&str> = self.given().map(given).collect();
        format!("{}<T>({}, {answer});", self.name, arguments.join(", "))
    }
}

/// What stands before loops over stages, that they stay loops: a robot's dynamics is long.
pub(super) const HEAD: &str = "\
#ifndef APPELL_ROLLED
#if defined(__CUDACC__) || defined(__clang__)
#define APPELL_ROLLED _Pragma(\"unroll 1\")
#else
#define APPELL_ROLLED
#endif
#endif

";

/// Lines of a kernel, indented as they are nested.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub(super) fn put(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.depth -= usize::from(line.starts_with('}'));
        self.text.push_str(&format!("{}{line}\n", "    ".repeat(self.depth)));
        self.depth += usize::from(line.ends_with('{'));
    }

    /// A line for every number below `many`.
    pub(super) fn each(&mut self, many: usize, line: impl Fn(usize) -> String) {
        (0..many).for_each(|k| self.put(line(k)));
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

/// The ports of a kernel, and what it declares for them.
#[derive(Default)]
pub(super) struct Ports(pub(super) Vec<Port>);

impl Ports {
    /// A port, where it has entries.
    pub(super) fn add(&mut self, name: &str, kind: PortKind) {
        if !matches!(kind, PortKind::Read(0) | PortKind::Written(0) | PortKind::Shared(0)) {
            self.0.push(Port { name: name.into(), kind });
        }
    }

    /// The head of the kernel's function.
    pub(super) fn declare(&self, name: &str) -> String {
        format!("template <typename T>\n{}", signature(name, &self.0))
    }
}

/// Loads the entries of a port into an array; none if there are none.
pub(super) fn load(lines: &mut Lines, array: &str, port: &str, many: usize) {
    if many > 0 {
        lines.put(format!("T {array}[{many}];"));
        lines.each(many, |k| format!("{array}[{k}] = appell_load<T>({port} + {k} * count, i);"));
    }
}

/// Stores an array into the entries of a port, and adds to `off` what tells whether all are finite.
pub(super) fn store(lines: &mut Lines, array: &str, port: &str, many: usize) {
    lines.each(many, |k| format!("appell_store<T>({port} + {k} * count, i, {array}[{k}]);"));
    lines.each(many, |k| format!("off = off + appell_zero_if_finite({array}[{k}]);"));
}
