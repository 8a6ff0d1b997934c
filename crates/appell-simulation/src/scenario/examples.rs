//! The scenarios that come with the library: the files of `scenarios/`, compiled in.

/// A scenario that comes with the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The name of its file.
    pub name: &'static str,
    /// Its text.
    pub toml: &'static str,
}

macro_rules! example {
    ($name:literal) => {
        Example { name: $name, toml: include_str!(concat!("../../scenarios/", $name, ".toml")) }
    };
}

/// The one that explains the keys.
pub const EXPLAINED: Example = example!("puma-tool");

/// All of them.
pub const EXAMPLES: &[Example] = &[EXPLAINED, example!("hexapod-line"), example!("wrist-pd")];
