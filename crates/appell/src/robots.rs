//! The robots that come with the library: the files of `robots/`, compiled in.

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

/// All of them, the papers' robots first.
pub const ALL: &[Builtin] = &[
    Builtin {
        name: "puma560",
        summary: "six-axis arm, as printed in Valera et al.",
        toml: include_str!("../../../robots/puma560.toml"),
    },
    Builtin {
        name: "puma560-b",
        summary: "the same with the signs of d3 and d4 corrected",
        toml: include_str!("../../../robots/puma560-b.toml"),
    },
    Builtin {
        name: "two-link",
        summary: "planar arm with a short and a long bar, hard for forward dynamics",
        toml: include_str!("../../../robots/two-link.toml"),
    },
    Builtin {
        name: "stanford",
        summary: "Stanford arm: six axes, the third slides",
        toml: include_str!("../../../robots/stanford.toml"),
    },
    Builtin {
        name: "scara",
        summary: "desktop assembly arm: two axes, a quill and a wrist",
        toml: include_str!("../../../robots/scara.toml"),
    },
    Builtin {
        name: "seven-axis",
        summary: "redundant arm of the size of a Franka Panda",
        toml: include_str!("../../../robots/seven-axis.toml"),
    },
];

/// The built-in robot of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|robot| robot.name == name)
}

impl Builtin {
    /// The robot, ready for computing.
    ///
    /// # Panics
    /// Never: a test loads them all.
    #[must_use]
    pub fn mechanism(&self) -> Mechanism {
        Mechanism::from_toml(self.toml).unwrap_or_else(|problems| panic!("robots/{}.toml:\n{problems}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::toml;

    #[test]
    fn all_load_without_a_warning() {
        for robot in ALL {
            let (_, problems) = toml::read(robot.toml).unwrap_or_else(|problems| panic!("{}:\n{problems}", robot.name));
            assert!(problems.is_empty(), "{}:\n{problems}", robot.name);
            assert!(robot.mechanism().dof() > 0);
        }
    }

    #[test]
    fn all_are_found_by_their_names() {
        for robot in ALL {
            assert_eq!(find(robot.name), Some(robot));
        }
        assert_eq!(find("puma"), None);
    }
}
