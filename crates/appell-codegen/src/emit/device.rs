//! Functions for a device's compiler: what stands between generated text and who compiles and launches it.
//!
//! `text` defines `template <typename T> APPELL_DEVICE T NAME(long long i, long long count, ports in order…)`, which does the
//! work of robot i and gives 0, or NaN where something it wrote is not finite. `T` may be a vector of lanes, of neighbouring
//! robots from i on, so that nothing branches on one: a choice is `appell_where`.

/// A function for a device's compiler, and what it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Of the function.
    pub name: String,
    /// In C++, after the device's prelude.
    pub text: String,
    /// What it takes after `i` and `count`, in order.
    pub ports: Vec<Port>,
}

/// What a function takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// In the code.
    pub name: String,
    /// What it is.
    pub kind: PortKind,
}

/// Kinds of what a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortKind {
    /// `const F *`, entry k of robot i at `[k * count + i]`; how many entries.
    Read(usize),
    /// `F *`, likewise, written; never the memory of one that is read.
    Written(usize),
    /// `const F *`, the same numbers for all robots.
    Shared(usize),
    /// A number by value, `double`.
    Real,
    /// A whole number by value, `long long`.
    Whole,
}
