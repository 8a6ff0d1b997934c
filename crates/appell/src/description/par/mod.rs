//! Robots as `.par` files of SYMORO, Khalil's symbolic modelling of robots, read and written.
//!
//! | in a `.par` file | here |
//! |---|---|
//! | `gamma b alpha d theta r` of a frame on `ant` | its placement as it is: both are Khalil and Kleinfinger's |
//! | `sigma` 0, 1 | a revolute, a prismatic joint; `theta` or `r` holds its variable: `th1`, `th1 + pi/2` |
//! | `sigma` 2 | a fixed frame: its body is merged with the one it hangs on, and the frame has its name |
//! | `mu` | whether a motor drives the joint |
//! | `M`, `MX MY MZ`, `XX` … `ZZ` | mass, first moments and inertia about the *origin* of the link's frame |
//! | `IA`, `FV`, `FS` | rotor behind a gear of 1, viscous and Coulomb friction |
//! | `G` | gravity in frame 0 |
//! | frames `NL + 1` … `NJ`, and `NJ + 1` … `NF` | joints that are cut, and where they sit on the second body: closing joints |
//! | `is_floating` | a free base, with body 0 |
//! | comments `Robotname`, `Jointnames`, `Home` | the names, and where loops are assembled; the last two are appell's |
//!
//! SYMORO computes with symbols, appell with numbers: a symbol that is not the variable of its joint is refused. `QP`,
//! `QDP`, `GAM` and external forces are inputs of a state and have no place in a robot.

mod expression;
mod reader;
mod statements;
mod writer;

pub use writer::write;

use super::{Description, Problems, check, lint};

/// How many entries a list has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// One.
    Single,
    /// One per frame.
    Frames,
    /// One per link; with body 0 if the base moves.
    Links,
    /// One per joint.
    Joints,
    /// Three.
    Vector,
    /// Sixteen.
    Matrix,
}

/// A key of the file.
struct Key {
    name: &'static str,
    length: Length,
    /// Whether it must be there.
    needed: bool,
}

const fn key(name: &'static str, length: Length) -> Key {
    Key { name, length, needed: false }
}

const fn needed(name: &'static str, length: Length) -> Key {
    Key { name, length, needed: true }
}

/// All keys, in the order in which they are written.
static KEYS: [Key; 42] = [
    needed("NL", Length::Single),
    key("NJ", Length::Single),
    key("NF", Length::Single),
    key("Type", Length::Single),
    key("is_floating", Length::Single),
    key("is_mobile", Length::Single),
    needed("ant", Length::Frames),
    needed("sigma", Length::Frames),
    key("b", Length::Frames),
    needed("d", Length::Frames),
    needed("r", Length::Frames),
    key("gamma", Length::Frames),
    needed("alpha", Length::Frames),
    key("mu", Length::Frames),
    needed("theta", Length::Frames),
    key("XX", Length::Links),
    key("XY", Length::Links),
    key("XZ", Length::Links),
    key("YY", Length::Links),
    key("YZ", Length::Links),
    key("ZZ", Length::Links),
    key("MX", Length::Links),
    key("MY", Length::Links),
    key("MZ", Length::Links),
    key("M", Length::Links),
    key("IA", Length::Links),
    key("FV", Length::Links),
    key("FS", Length::Links),
    key("FX", Length::Links),
    key("FY", Length::Links),
    key("FZ", Length::Links),
    key("CX", Length::Links),
    key("CY", Length::Links),
    key("CZ", Length::Links),
    key("QP", Length::Joints),
    key("QDP", Length::Joints),
    key("GAM", Length::Joints),
    key("W0", Length::Vector),
    key("WP0", Length::Vector),
    key("V0", Length::Vector),
    key("VP0", Length::Vector),
    key("G", Length::Vector),
];

/// Keys of the file that say nothing about rigid bodies: where frame 0 stands, and flexible joints.
static OTHERS: [Key; 3] = [key("Z", Length::Matrix), key("eta", Length::Joints), key("k", Length::Joints)];

/// Reads a robot, with the warnings about it; `name` is for a file that says none.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str, name: &str) -> Result<(Description, Problems), Problems> {
    reader::read_and(check, text, name)
}

/// Everything wrong or doubtful in a file, with its line where one is known: what [`read`] finds, and what
/// [`lint()`] does.
#[must_use]
pub fn inspect(text: &str) -> Problems {
    reader::read_and(lint, text, "").map_or_else(|problems| problems, |(_, warnings)| warnings)
}
