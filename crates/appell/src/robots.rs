//! The robots that come with the library: the files of `robots/`, compiled in.

use crate::closed::ClosedMechanism;
use crate::mechanism::Mechanism;

/// A robot that comes with the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// The name to ask for it, and that of its file.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its file.
    pub toml: &'static str,
}

macro_rules! builtin {
    ($name:literal, $summary:literal) => {
        Builtin { name: $name, summary: $summary, toml: include_str!(concat!("../robots/", $name, ".toml")) }
    };
}

/// Robots of the shape of a tree, the papers' first.
pub const TREES: &[Builtin] = &[
    builtin!("puma560", "six-axis arm, as printed in Valera et al."),
    builtin!("puma560-b", "the same with the signs of d3 and d4 corrected"),
    builtin!("two-link", "planar arm with a short and a long bar, hard for forward dynamics"),
    builtin!("stanford", "Stanford arm: six axes, the third slides"),
    builtin!("scara", "desktop assembly arm: two axes, a quill and a wrist"),
    builtin!("seven-axis", "redundant arm of the size of a Franka Panda"),
];

/// Robots with closed loops.
pub const CLOSED: &[Builtin] = &[
    builtin!("gough-stewart", "six sliding legs hold a platform, 6-UPS: Briot & Khalil"),
    builtin!("five-bar", "two planar arms hold a point, 2-RRS"),
    builtin!("planar-3rrr", "three planar arms hold a platform"),
    builtin!("delta", "three motor arms move a platform that never turns, 3-RUU"),
    builtin!("3-rps", "three sliding legs that lift and tilt a platform"),
    builtin!("agile-wrist", "a platform turns about a point, 3-RRR: Abedloo et al."),
    builtin!("sst", "spherical star-triangle, 3-RRP: Enferadi & Akbarzadeh"),
    builtin!("four-bar", "crank, coupler and rocker: one loop and no platform"),
    builtin!("hexapod-6rus", "six motor arms and rods hold a platform"),
    builtin!("hexaglide", "six carriages on parallel rails and rods hold a platform, 6-PUS"),
    builtin!("exechon", "two legs that turn together and a third one, 2-UPR + SPR"),
    builtin!("tricept", "three sliding legs and a tube hold a platform with a wrist of three axes"),
    builtin!("palletizer", "four motors, and linkages that keep the flange level"),
    builtin!("delta-parallelograms", "the Delta robot with forearms of two rods"),
    builtin!("orthoglide", "three carriages on rails at right angles and parallelograms, 3-PRPaR"),
    builtin!("par4", "four motor arms move a plate of two parts and two bars"),
];

/// The built-in robot of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    all().find(|robot| robot.name == name)
}

/// All of them, trees first.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    TREES.iter().chain(CLOSED)
}

impl Builtin {
    /// The robot, ready for computing.
    ///
    /// # Panics
    /// If it is one of [`CLOSED`]. The others never do: a test loads them all.
    #[must_use]
    pub fn mechanism(&self) -> Mechanism {
        Mechanism::from_toml(self.toml).unwrap_or_else(|problems| panic!("robots/{}.toml:\n{problems}", self.name))
    }

    /// The robot with closed loops, ready for computing.
    ///
    /// # Panics
    /// If it is one of [`TREES`]. The others never do: a test loads them all.
    #[must_use]
    pub fn closed(&self) -> ClosedMechanism {
        ClosedMechanism::from_toml(self.toml).unwrap_or_else(|error| panic!("robots/{}.toml: {error}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::toml;

    #[test]
    fn all_load_without_a_warning() {
        for robot in all() {
            let (_, problems) = toml::read(robot.toml).unwrap_or_else(|problems| panic!("{}:\n{problems}", robot.name));
            assert!(problems.is_empty(), "{}:\n{problems}", robot.name);
            assert_eq!(find(robot.name), Some(robot));
        }
        assert_eq!(find("puma"), None);
        assert!(TREES.iter().all(|robot| robot.mechanism().dof() > 0));
        assert!(CLOSED.iter().all(|robot| robot.closed().mobility().freedoms > 0));
    }
}
