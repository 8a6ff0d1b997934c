//! Parameters that stay inputs of the generated code, by their names.

use crate::description::BodyDescription;
use crate::mechanism::Mechanism;
use crate::spatial::{Sym3, Vec3};
use core::fmt;
use core::str::FromStr;

/// A parameter of a body: `m2` is the mass of the second, `cx3` the x of the third's centre of mass, `Ixy1` an entry of
/// the first's inertia about its centre of mass; all in the body's own frame, the one of its joint's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// Which of a body's.
    pub symbol: Symbol,
    /// The body, from 0.
    pub body: usize,
}

/// What is known of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as on paper")]
pub enum Symbol {
    M,
    Cx,
    Cy,
    Cz,
    Ixx,
    Ixy,
    Ixz,
    Iyy,
    Iyz,
    Izz,
}

impl Symbol {
    /// All of them.
    pub const ALL: [Self; 10] =
        [Self::M, Self::Cx, Self::Cy, Self::Cz, Self::Ixx, Self::Ixy, Self::Ixz, Self::Iyy, Self::Iyz, Self::Izz];

    /// As it is written before the body's number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::M => "m",
            Self::Cx => "cx",
            Self::Cy => "cy",
            Self::Cz => "cz",
            Self::Ixx => "Ixx",
            Self::Ixy => "Ixy",
            Self::Ixz => "Ixz",
            Self::Iyy => "Iyy",
            Self::Iyz => "Iyz",
            Self::Izz => "Izz",
        }
    }
}

/// A word that names no parameter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{word}` names no parameter; write m, cx, cy, cz, Ixx, Ixy, Ixz, Iyy, Iyz or Izz and the number of a body, as in m2"
)]
pub struct UnknownParameter {
    /// As given.
    pub word: String,
}

impl FromStr for Parameter {
    type Err = UnknownParameter;

    fn from_str(word: &str) -> Result<Self, UnknownParameter> {
        let unknown = || UnknownParameter { word: word.into() };
        let digits = word.find(|c: char| c.is_ascii_digit()).ok_or_else(unknown)?;
        let (name, number) = word.split_at(digits);
        let symbol = Symbol::ALL.into_iter().find(|symbol| symbol.name() == name).ok_or_else(unknown)?;
        let number: usize = number.parse().map_err(|_| unknown())?;
        Ok(Self { symbol, body: number.checked_sub(1).ok_or_else(unknown)? })
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.symbol.name(), self.body + 1)
    }
}

impl Parameter {
    /// Its value in a robot.
    ///
    /// # Panics
    /// If the robot has no such body.
    #[must_use]
    pub fn of(self, robot: &Mechanism) -> f64 {
        let BodyDescription { mass, com, inertia } = robot.body(self.body);
        let place = Symbol::ALL.iter().position(|symbol| *symbol == self.symbol).expect("one of all");
        to_array(mass, com, inertia)[place]
    }

    /// The same robot with another value.
    #[must_use]
    pub fn put(self, robot: &Mechanism, value: f64) -> Mechanism {
        let joint = robot.joint_names()[self.body].clone();
        robot.with_bodies(|name, body| {
            let mut numbers = to_array(body.mass, body.com, body.inertia);
            if name == joint {
                let place = Symbol::ALL.iter().position(|symbol| *symbol == self.symbol).expect("one of all");
                numbers[place] = value;
            }
            let (mass, com, inertia) = from_array(numbers);
            BodyDescription { mass, com, inertia }
        })
    }
}

/// In the order of [`Symbol::ALL`].
pub(super) fn to_array<T>(mass: T, com: Vec3<T>, inertia: Sym3<T>) -> [T; 10] {
    let Sym3 { xx, xy, xz, yy, yz, zz } = inertia;
    [mass, com.x, com.y, com.z, xx, xy, xz, yy, yz, zz]
}

/// The inverse of [`to_array`].
pub(super) fn from_array<T>([mass, x, y, z, xx, xy, xz, yy, yz, zz]: [T; 10]) -> (T, Vec3<T>, Sym3<T>) {
    (mass, Vec3::new(x, y, z), Sym3 { xx, xy, xz, yy, yz, zz })
}
