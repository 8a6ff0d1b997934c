//! Parameters that stay inputs of the generated code, by their names.

use appell::description::BodyDescription;
use appell::mechanism::Mechanism;
use appell::real::Real;
use appell::spatial::{Sym3, Vec3};
use appell::{Model, Robot};
use core::fmt;
use core::str::FromStr;

/// A parameter of a body: `m2` is the mass of the second, `cx3` the x of the third's centre of mass, `Ixy1` an entry of
/// the first's inertia about its centre of mass; all in the body's own frame, the one of its joint's name. Bodies of legs
/// are numbered as their joints are; `mP` is the mass of a platform with what it carries, in the platform's frame.
///
/// ```
/// use appell_codegen::{Options, Parameter, generate};
/// use appell::{Question, Robot};
///
/// let robot = Robot::builtin("gough-stewart")?;
/// let mass: Parameter = "mP".parse()?;
/// let options = Options { keep: vec![mass], ..Options::default() };
/// let kernel = generate(&robot, Question::Gravity, &options)?;
/// assert_eq!(kernel.sample.inputs.last().copied(), mass.of(&robot));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// Which of a body's.
    pub symbol: Symbol,
    /// Whose it is.
    pub owner: Owner,
}

/// A body that has parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The body that a joint moves, from 0.
    Body(usize),
    /// The platform of a parallel robot, and what it carries.
    Platform,
}

impl Owner {
    const PLATFORM: &'static str = "P";
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

    fn place(self) -> usize {
        Self::ALL.iter().position(|symbol| *symbol == self).expect("one of all")
    }

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
    "`{word}` is not a parameter; write m, cx, cy, cz, Ixx, Ixy, Ixz, Iyy, Iyz or Izz and the number of a body, as in m2, or P for the platform, as in mP"
)]
pub struct UnknownParameter {
    /// As given.
    pub word: String,
}

impl FromStr for Parameter {
    type Err = UnknownParameter;

    fn from_str(word: &str) -> Result<Self, UnknownParameter> {
        let unknown = || UnknownParameter { word: word.into() };
        let is_named = |symbol: &Symbol| word.starts_with(symbol.name());
        let symbol = Symbol::ALL.into_iter().find(is_named).ok_or_else(unknown)?;
        let owner = match &word[symbol.name().len()..] {
            Owner::PLATFORM => Owner::Platform,
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {
                let number: usize = number.parse().map_err(|_| unknown())?;
                Owner::Body(number.checked_sub(1).ok_or_else(unknown)?)
            }
            _ => return Err(unknown()),
        };
        Ok(Self { symbol, owner })
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Owner::Body(body) => write!(f, "{}{}", self.symbol.name(), body + 1),
            Owner::Platform => write!(f, "{}{}", self.symbol.name(), Owner::PLATFORM),
        }
    }
}

impl Parameter {
    /// Its value in a robot, if the robot has such a body.
    #[must_use]
    pub fn of(self, robot: &Robot) -> Option<f64> {
        let tree = robot.tree();
        let BodyDescription { mass, com, inertia } = match self.owner {
            Owner::Body(body) => (body < tree.dof()).then(|| tree.body(body))?,
            Owner::Platform => robot.platform()?.body(),
        };
        Some(to_array(mass, com, inertia)[self.symbol.place()])
    }

    /// The same robot with another value. A body or platform that it has not changes nothing.
    #[must_use]
    pub fn put(self, robot: &Robot, value: f64) -> Robot {
        match (robot.model(), robot.platform(), self.owner) {
            (Model::Tree(tree), ..) => self.put_into_tree(tree, value).into(),
            (Model::Closed(closed), Some(platform), Owner::Platform) => {
                closed.with_platform(&self.put_into(platform.body(), value)).into()
            }
            (Model::Closed(closed), ..) => closed.with_tree(|tree| self.put_into_tree(tree, value)).into(),
        }
    }

    fn put_into_tree(self, robot: &Mechanism, value: f64) -> Mechanism {
        let names = robot.joint_names();
        robot.with_bodies(|name, body| match self.owner {
            Owner::Body(own) if names.get(own).is_some_and(|joint| joint == name) => self.put_into(body, value),
            _ => body,
        })
    }

    fn put_into(self, BodyDescription { mass, com, inertia }: BodyDescription, value: f64) -> BodyDescription {
        let mut numbers = to_array(mass, com, inertia);
        numbers[self.symbol.place()] = value;
        let (mass, com, inertia) = from_array(numbers);
        BodyDescription { mass, com, inertia }
    }
}

/// Mass, centre of mass and inertia of a body as constants, but for those of its parameters that are kept.
pub(super) fn with_kept<T: Real>(
    mass: f64,
    com: Vec3<f64>,
    inertia: Sym3<f64>,
    like: T,
    owner: Owner,
    kept: &[(Parameter, T)],
) -> (T, Vec3<T>, Sym3<T>) {
    let mut numbers = to_array(mass, com, inertia).map(|x| like.constant(x));
    for (parameter, number) in kept.iter().filter(|(parameter, _)| parameter.owner == owner) {
        numbers[parameter.symbol.place()] = *number;
    }
    from_array(numbers)
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
