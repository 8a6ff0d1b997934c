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

/// Robots of the shape of a tree, the papers' first.
pub const TREES: &[Builtin] = &[
    Builtin {
        name: "puma560",
        summary: "six-axis arm, as printed in Valera et al.",
        toml: include_str!("../robots/puma560.toml"),
    },
    Builtin {
        name: "puma560-b",
        summary: "the same with the signs of d3 and d4 corrected",
        toml: include_str!("../robots/puma560-b.toml"),
    },
    Builtin {
        name: "two-link",
        summary: "planar arm with a short and a long bar, hard for forward dynamics",
        toml: include_str!("../robots/two-link.toml"),
    },
    Builtin {
        name: "stanford",
        summary: "Stanford arm: six axes, the third slides",
        toml: include_str!("../robots/stanford.toml"),
    },
    Builtin {
        name: "scara",
        summary: "desktop assembly arm: two axes, a quill and a wrist",
        toml: include_str!("../robots/scara.toml"),
    },
    Builtin {
        name: "seven-axis",
        summary: "redundant arm of the size of a Franka Panda",
        toml: include_str!("../robots/seven-axis.toml"),
    },
];

/// Robots with closed loops.
pub const CLOSED: &[Builtin] = &[
    Builtin {
        name: "gough-stewart",
        summary: "six sliding legs hold a platform, 6-UPS: Briot & Khalil",
        toml: include_str!("../robots/gough-stewart.toml"),
    },
    Builtin {
        name: "five-bar",
        summary: "two planar arms hold a point, 2-RRS",
        toml: include_str!("../robots/five-bar.toml"),
    },
    Builtin {
        name: "planar-3rrr",
        summary: "three planar arms hold a platform",
        toml: include_str!("../robots/planar-3rrr.toml"),
    },
    Builtin {
        name: "delta",
        summary: "three motor arms move a platform that never turns, 3-RUU",
        toml: include_str!("../robots/delta.toml"),
    },
    Builtin {
        name: "3-rps",
        summary: "three sliding legs that lift and tilt a platform",
        toml: include_str!("../robots/3-rps.toml"),
    },
    Builtin {
        name: "agile-wrist",
        summary: "a platform turns about a point, 3-RRR: Abedloo et al.",
        toml: include_str!("../robots/agile-wrist.toml"),
    },
    Builtin {
        name: "sst",
        summary: "spherical star-triangle, 3-RRP: Enferadi & Akbarzadeh",
        toml: include_str!("../robots/sst.toml"),
    },
    Builtin {
        name: "four-bar",
        summary: "crank, coupler and rocker: one loop and no platform",
        toml: include_str!("../robots/four-bar.toml"),
    },
    Builtin {
        name: "hexapod-6rus",
        summary: "six motor arms and rods hold a platform",
        toml: include_str!("../robots/hexapod-6rus.toml"),
    },
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
        }
        assert!(TREES.iter().all(|robot| robot.mechanism().dof() > 0));
        assert!(CLOSED.iter().all(|robot| robot.closed().mobility().freedoms > 0));
    }

    #[test]
    fn all_are_found_by_their_names() {
        for robot in all() {
            assert_eq!(find(robot.name), Some(robot));
        }
        assert_eq!(find("puma"), None);
    }
}
