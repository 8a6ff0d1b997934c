//! The direct problem: all assemblies of a robot for positions of its drives, counted.
//!
//! With the drives held, the closures of the common parallel robots are polynomial equations of the platform's pose, and how many complex
//! solutions these have is known. All are found by following those of one member of the family to those of the robot at hand, path by path
//! (parameter homotopy, Morgan1989, SommeseWampler2005). Where every path ends in a solution of its own or at infinity, the real solutions are
//! all there are; where some end in singular ones, which may be double or of a continuum, the number is uncertain, and the answer says so.
//!
//! | robots | kept while the drives stand | complex solutions |
//! |---|---|---|
//! | 6-UPS, 6-RUS, 6-PUS | six distances of points | 40 (Raghavan1993, Husty1996; all real: Dietmaier1998) |
//! | the same, two legs at each of three points of platform or base | six distances of points | 16 (Nanua1990) |
//! | planar 3-RRR, 3-RPR, 3-PRR | three in a plane | 6 |
//! | spherical 3-RRR, 3-RRP | three angles of directions | 8 |
//! | Delta, linear Delta; five-bar linkages with a point | three distances, two in a plane, the platform not turning | 2, in closed form |
//! | others | | unknown: a search from random starts, which says so |
//!
//! ```
//! use appell::{closed::{assembly, direct}, robots};
//!
//! let robot = robots::find("five-bar").unwrap().closed();
//! let drives: Vec<f64> = robot.driven().iter().map(|&j| robot.home().q[j]).collect();
//! let all = direct::all_at_drives(&robot, &mut assembly::Workspace::new(&robot), &drives, &direct::Options::default())?;
//! assert!(all.are_all() && all.assemblies.len() == 2);
//! # Ok::<(), appell::closed::assembly::AssemblyError>(())
//! ```

mod complex;
mod equations;
mod families;
#[cfg(test)]
mod monodromy;
mod nearest;
mod pairs;
mod poses;
mod solve;
mod spheres;
mod starts;
mod tracker;

use super::assembly::{self, AssemblyError, EXACT, Workspace};
use super::held::Held;
use super::output::OfOutput;
use super::{ClosedMechanism, Configuration};
use crate::sample::Sampler;
use crate::spatial::turned;
use core::fmt;
pub use nearest::at_drives;
use pairs::Pairs;
use poses::Poses;
pub use solve::Ends;

/// A closure that is open by less than this, over the characteristic length, is closed.
const CLOSED: f64 = 1e-12;

/// Singular solutions nearer than this to each other are one, over the characteristic length, or rad.
const SAME: f64 = 1e-4;

/// How far a singular assembly is pushed to see whether it moves, over the characteristic length and rad, and how often.
const ASIDE: f64 = 0.02;
const PUSHES: usize = 4;

/// What the search for all assemblies may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Random starts of robots whose solutions are not counted.
    pub starts: usize,
    /// Where random numbers begin: of these starts, or of the paths that solutions are followed on.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { starts: 500, seed: 1 }
    }
}

/// All assemblies that were found, and how many there can be.
#[derive(Debug, Clone, PartialEq)]
pub struct Assemblies {
    /// The one nearest to home first, of a robot with a named output in the order of the robot without.
    pub assemblies: Vec<Assembly>,
    /// How it is known that they are all.
    pub count: Count,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// Where everything is, revolute joints in (−π, π].
    pub at: Configuration,
    /// How many solutions are one here.
    pub multiplicity: Multiplicity,
}

/// How a solution lies among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplicity {
    /// By itself.
    Single,
    /// Two solutions or more are one here: the robot is at a singularity of Type 2.
    Double,
    /// One of a continuum: the robot moves while its drives stand.
    Continuum,
}

/// How the number of assemblies is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Count {
    /// All solutions of a family of equations were followed.
    Followed {
        /// The family.
        family: Family,
        /// Where the paths ended.
        ends: Ends,
        /// Real poses of the platform, double ones counted once.
        real: usize,
        /// Real poses that a leg reaches in no position of its joints, although the distance is right.
        unreachable: usize,
        /// Whether the platform might be turned otherwise than at home, and then be assembled in ways that are not counted.
        turned: bool,
        /// Whether the robot moves in one of these assemblies while its drives stand.
        continuum: bool,
    },
    /// So many random starts were tried: others may exist.
    Searched {
        /// The random starts.
        starts: usize,
    },
    /// There are fewer drives than degrees of freedom: a continuum of assemblies, of which random starts found some.
    Continuum {
        /// Drives.
        drives: usize,
        /// Degrees of freedom.
        freedoms: usize,
        /// The random starts.
        starts: usize,
    },
}

/// What the legs keep of the platform while the drives stand still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Six distances of points.
    Spatial,
    /// Six distances of points, of which three are those of two legs each.
    Paired,
    /// Three distances in a plane.
    Planar,
    /// Three angles of directions about a point.
    Spherical,
    /// Three distances, and the platform does not turn.
    Spheres,
    /// Two distances in a plane, and the platform does not turn.
    Circles,
}

impl Family {
    /// How many complex solutions almost all members have.
    #[must_use]
    pub const fn solutions(self) -> usize {
        match self {
            Self::Spatial => 40,
            Self::Paired => 16,
            Self::Planar => 6,
            Self::Spherical => 8,
            Self::Spheres | Self::Circles => 2,
        }
    }

    /// What it is.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spatial => "six legs that keep distances",
            Self::Paired => "six legs that keep distances, two at each of three points",
            Self::Planar => "three legs that keep distances in a plane",
            Self::Spherical => "three legs that keep angles about a point",
            Self::Spheres => "three legs that keep distances from a platform that does not turn",
            Self::Circles => "two legs that keep distances in a plane from a platform that does not turn",
        }
    }

    fn of(held: &Held) -> Self {
        match held {
            Held::Spatial(legs) if Pairs::of(legs).is_some() => Self::Paired,
            Held::Spatial(_) => Self::Spatial,
            Held::Planar { .. } => Self::Planar,
            Held::Spherical { .. } => Self::Spherical,
            Held::Spheres(_) => Self::Spheres,
            Held::Circles { .. } => Self::Circles,
        }
    }
}

impl Assemblies {
    /// Whether it is proved that there are no others.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.count.is_proved()
    }
}

impl Count {
    /// Whether every solution is accounted for: each path has an end of its own or is at infinity, and the family is the whole robot.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Followed { ends: Ends { lost: 0, singular: 0, .. }, turned: false, continuum: false, .. })
    }
}

/// A sentence.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Followed {
                family,
                ends: Ends { regular, far, singular, infinite, lost, runs },
                real,
                unreachable,
                turned,
                continuum,
            } => {
                write!(f, "{}: {} complex solutions", family.name(), family.solutions())?;
                let parts = [(singular, "singular"), (infinite, "at infinity")];
                if regular + far < family.solutions() {
                    write!(f, ", {} regular", regular + far)?;
                }
                for (count, what) in parts.iter().filter(|(count, _)| *count > 0) {
                    write!(f, ", {count} {what}")?;
                }
                write!(f, "; {real} real")?;
                if unreachable > 0 {
                    write!(f, ", {unreachable} of which the joints of a leg do not reach")?;
                }
                if lost > 0 {
                    let were = if lost == 1 { "path was" } else { "paths were" };
                    let runs = if runs == 1 { "1 run".into() } else { format!("{runs} runs") };
                    return write!(f, "; {lost} {were} lost in {runs}: others may exist");
                }
                if continuum {
                    return f.write_str(
                        "; the robot moves while its drives stand, a continuum of assemblies: these are some of them",
                    );
                }
                if singular > 0 {
                    return f.write_str(
                        "; singular solutions are double, at Type 2, or of a continuum: how many they stand for is uncertain",
                    );
                }
                f.write_str(match (turned, real) {
                    (true, _) => {
                        ": these are all with the platform turned as at home; turned otherwise, others may exist"
                    }
                    (false, 0) => ": there is none",
                    (false, _) => ": these are all",
                })
            }
            Self::Searched { starts } => write!(f, "a search from {starts} random starts: others may exist"),
            Self::Continuum { drives, freedoms, starts } => write!(
                f,
                "a continuum: {drives} drives do not determine {freedoms} degrees of freedom; some that {starts} random starts found"
            ),
        }
    }
}

/// All assemblies with the driven joints at `positions`, those in other working modes included, the one nearest to home first.
///
/// # Errors
/// If a position is not finite.
///
/// # Panics
/// If `positions` does not have one value per driven joint.
pub fn all_at_drives(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    options: &Options,
) -> Result<Assemblies, AssemblyError> {
    assert_eq!(positions.len(), robot.driven.len(), "one position per driven joint");
    let mut start = robot.home.clone();
    assembly::set_drives(robot, positions, &mut start);
    if !assembly::is_finite(&start) {
        return Err(AssemblyError::NotFinite);
    }
    let counted = counted(robot, ws, positions, start, options.seed);
    Ok(counted.unwrap_or_else(|| searched(robot, ws, positions, options)))
}

/// Assemblies of the robot without its output as those of the robot with it: they are as many, wherever one looks.
fn looked_at(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    output: &OfOutput,
    mut all: Assemblies,
) -> Option<Assemblies> {
    for one in &mut all.assemblies {
        one.at = output.look_at(robot, &one.at);
        if !close(robot, ws, &mut one.at) {
            return None;
        }
        assembly::wrap(robot, &mut one.at);
    }
    Some(all)
}

/// All assemblies of a robot of a known family, whose drives and home are at `start`.
fn counted(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    positions: &[f64],
    mut start: Configuration,
    seed: u64,
) -> Option<Assemblies> {
    if let Some(output) = &robot.of_output {
        let (plain, mut start) = (&output.plain, output.plain.home.clone());
        assembly::set_drives(plain, positions, &mut start);
        let all = counted(plain, &mut Workspace::new(plain), positions, start, seed)?;
        return looked_at(robot, ws, output, all);
    }
    let held = Held::of(robot, positions).filter(|_| (0..robot.legs.len()).all(|leg| ws.can_solve(robot, leg)))?;
    let poses = Poses::of(&held, &robot.home.pose, seed);
    let mut assemblies: Vec<Assembly> = Vec::new();
    let mut unreachable = 0;
    let candidates =
        poses.real.iter().map(|pose| (pose, false)).chain(poses.nearly_real.iter().map(|pose| (pose, true)));
    for (pose, is_double) in candidates {
        start.pose = *pose;
        let reached = assembly::with_drives(robot, ws, positions, &mut start).is_ok();
        let mut at = start.clone();
        if (reached || is_double) && close(robot, ws, &mut at) {
            assembly::wrap(robot, &mut at);
            assembly::set_drives(robot, positions, &mut at);
            let is_known = is_double && assemblies.iter().any(|other| assembly::distance(robot, &other.at, &at) < SAME);
            if !is_known {
                let multiplicity = match is_double {
                    false => Multiplicity::Single,
                    true if moves(robot, ws, &at) => Multiplicity::Continuum,
                    true => Multiplicity::Double,
                };
                assemblies.push(Assembly { at, multiplicity });
            }
        } else if !is_double {
            unreachable += 1;
        }
    }
    let far = |one: &Assembly| assembly::distance(robot, &one.at, &robot.home);
    assemblies.sort_by(|one, other| far(one).total_cmp(&far(other)));
    let real = assemblies.len() + unreachable;
    let is_turned = matches!(held, Held::Spheres(_) | Held::Circles { .. })
        && robot.platform.as_ref().is_some_and(|platform| platform.turns);
    let continuum = assemblies.iter().any(|one| one.multiplicity == Multiplicity::Continuum);
    let count = Count::Followed {
        family: Family::of(&held),
        ends: poses.ends,
        real,
        unreachable,
        turned: is_turned,
        continuum,
    };
    Some(Assemblies { assemblies, count })
}

/// Whether a singular assembly is one of a continuum: pushed a little aside, a robot with these drives closes its loops at another place near
/// by. From a double solution it comes back.
fn moves(robot: &ClosedMechanism, ws: &mut Workspace, at: &Configuration) -> bool {
    let mut sampler = Sampler::new(1);
    let mut comes_elsewhere = || {
        let mut aside = at.clone();
        let [by, turn] = [ASIDE * robot.length, ASIDE].map(|by| sampler.vector(by));
        aside.pose.position = aside.pose.position + by;
        if robot.platform.as_ref().is_some_and(|platform| platform.turns) {
            aside.pose.rotation = turned(&aside.pose.rotation, turn);
        }
        let far = |aside: &Configuration| assembly::distance(robot, aside, at);
        close(robot, ws, &mut aside) && (0.1 * ASIDE..10.0 * ASIDE).contains(&far(&aside))
    };
    (0..PUSHES).any(|_| comes_elsewhere())
}

/// Closes what rounding left open; whether all loops are closed.
fn close(robot: &ClosedMechanism, ws: &mut Workspace, at: &mut Configuration) -> bool {
    if ws.widest_gap(robot, at) > EXACT * robot.length && ws.close_passive(robot, at).is_err() {
        return false;
    }
    ws.widest_gap(robot, at) <= CLOSED * robot.length
}

/// What random starts find.
fn searched(robot: &ClosedMechanism, ws: &mut Workspace, positions: &[f64], options: &Options) -> Assemblies {
    if let Some(output) = &robot.of_output {
        let all = searched(&output.plain, &mut Workspace::new(&output.plain), positions, options);
        if let Some(all) = looked_at(robot, ws, output, all) {
            return all;
        }
    }
    let Options { starts, seed } = *options;
    let found = assembly::search_at_drives(robot, ws, positions, starts, seed);
    let (drives, freedoms) = (robot.driven.len(), robot.freedoms.len());
    let count =
        if drives < freedoms { Count::Continuum { drives, freedoms, starts } } else { Count::Searched { starts } };
    Assemblies {
        assemblies: found.into_iter().map(|at| Assembly { at, multiplicity: Multiplicity::Single }).collect(),
        count,
    }
}
