//! Paths through a singularity of Type 2: from rest to rest, with an acceleration at the crossing that satisfies the
//! criterion.
//!
//! The platform's coordinates around the crossing pose are polynomials of s, the time since the crossing. Position,
//! velocity and acceleration are given at the start, the crossing and the end: a quintic on each side, or one polynomial
//! of degree 8 for both.

use super::criterion::{SINGULAR, Workspace, corrected};
use super::nearest::nearest;
use crate::closed::assembly::{self, AssemblyError};
use crate::closed::singularity::{self, Metric};
use crate::closed::{ClosedMechanism, Configuration, SingularError, chart};
use crate::description::Freedom;
use crate::linear::Householder;
use crate::polynomial;
use crate::spatial::{Acceleration, Pose, Twist};

/// Coefficients of a polynomial of s, the constant first.
type Polynomial = [f64; 9];

/// How many places of a path are assembled to prove that the robot reaches it.
const PROOFS: usize = 64;

/// Intervals of the straight way that are searched for Type 2.
const SAMPLES: usize = 200;

/// A wish to cross a singularity.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Where the platform starts, at rest.
    pub from: Pose,
    /// The singular configuration, as [`nearest`](super::nearest()) finds it.
    pub through: Configuration,
    /// Where it ends, at rest.
    pub to: Pose,
    /// r at the crossing.
    pub velocity: Vec<f64>,
    /// ṙ at the crossing, before it is [corrected]; empty for none.
    pub acceleration: Vec<f64>,
    /// When it crosses, s.
    pub crossing: f64,
    /// When it ends, s.
    pub duration: f64,
    /// What the path is made of.
    pub shape: Shape,
}

/// What a path is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// Two quintics. The jerk changes at the crossing, and with it the torques and forces, from one finite value to
    /// another.
    #[default]
    Quintics,
    /// One polynomial of degree 8, whose torques and forces are smooth; it swings more between the three places.
    Octic,
}

/// Why there is no path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CrossingError {
    /// The times are in no order.
    #[error("a path of {duration} s cannot cross after {crossing} s; give times with 0 < crossing < duration")]
    Times {
        /// When it should cross, s.
        crossing: f64,
        /// When it should end, s.
        duration: f64,
    },
    /// There is nothing to cross.
    #[error(
        "the configuration to cross is not singular of Type 2: its inverse condition is {inverse_condition:.1e}; find one with `nearest`"
    )]
    NotSingular {
        /// Of Type 2.
        inverse_condition: f64,
    },
    /// A pose differs from the crossing in a way the robot cannot go.
    #[error(
        "the {end} differs from the crossing in {component}, which is not one of the robot's degrees of freedom; give poses that differ in {} alone", freedoms.join(" ")
    )]
    Fixed {
        /// "start" or "end".
        end: &'static str,
        /// The component.
        component: &'static str,
        /// What may differ.
        freedoms: Vec<String>,
    },
    /// The legs do not reach the path.
    #[error("after {time:.4} s the robot cannot follow the path: {source}; choose another velocity, or poses nearer")]
    OutOfReach {
        /// When, s.
        time: f64,
        /// Why.
        source: AssemblyError,
    },
    /// The legs do not reach an end of the straight way.
    #[error("the robot cannot be at the {end}: {source}; choose another pose")]
    Unreached {
        /// "start" or "end".
        end: &'static str,
        /// Why.
        source: AssemblyError,
    },
    /// The legs do not reach a pose on the straight way.
    #[error("on the straight way: {0}")]
    Way(AssemblyError),
    /// The straight way meets no singularity.
    #[error("the straight way from start to end meets no singularity of Type 2: it comes as near as {inverse_condition:.4}, at ({:.4}, {:.4}, {:.4}) m; choose other ends, or give the pose to go through", position[0], position[1], position[2])]
    NoneBetween {
        /// The least on the way.
        inverse_condition: f64,
        /// Where that is, m.
        position: [f64; 3],
    },
    /// The path crosses again.
    #[error(
        "det J_inv changes its sign {count} times on this path, and only one crossing needs finite torques; choose another \
         velocity or time, so that it does not swing back"
    )]
    Again {
        /// How often.
        count: usize,
    },
    /// The path crosses at another place.
    #[error(
        "det J_inv changes its sign between {from:.4} and {to:.4} s, and not at the crossing after {crossing} s, where alone the \
         torques stay finite; choose another velocity, which crosses there"
    )]
    Elsewhere {
        /// Before it, s.
        from: f64,
        /// After it, s.
        to: f64,
        /// Where it should be, s.
        crossing: f64,
    },
    /// The crossing is singular in another way too.
    #[error("{0}")]
    Singular(#[from] SingularError),
}

/// The path of a platform through a singularity.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    centre: Pose,
    before: [Polynomial; 6],
    after: [Polynomial; 6],
    crossing: f64,
    duration: f64,
    freedoms: Vec<usize>, // as components of the twist
}

/// A path from rest through a singularity to rest, whose acceleration at the crossing is the nearest to the one wished
/// that satisfies Briot2008's criterion.
///
/// The robot's platform moves in its degrees of freedom alone; robots whose platform also makes side motions, such
/// as a 3-RPS, cannot follow it, and it is refused.
///
/// # Errors
/// If the times or poses do not fit, the configuration is not singular, or the robot does not reach the path.
///
/// # Panics
/// If velocity or acceleration do not have one value per degree of freedom, or the configuration belongs to another
/// robot.
pub fn passage(robot: &ClosedMechanism, ws: &mut Workspace, wish: &Passage) -> Result<Path, CrossingError> {
    let Passage { crossing, duration, ref through, .. } = *wish;
    if !(0.0 < crossing && crossing < duration && duration.is_finite()) {
        return Err(CrossingError::Times { crossing, duration });
    }
    let (_, inverse_condition) = singularity::distances(robot, &mut ws.singularity, through, &Metric::of(robot));
    if inverse_condition >= SINGULAR {
        return Err(CrossingError::NotSingular { inverse_condition });
    }
    let ends = [fitting(robot, through, &wish.from, "start")?, fitting(robot, through, &wish.to, "end")?];
    let mut r_dot = wish.acceleration.clone();
    r_dot.resize(if r_dot.is_empty() { wish.velocity.len() } else { r_dot.len() }, 0.0);
    let r_dot = corrected(robot, ws, through, &wish.velocity, &r_dot)?;
    let freedoms: Vec<usize> = robot.freedoms().iter().map(|k| k - robot.tree().dof()).collect();
    let mut path = Path {
        centre: through.pose,
        before: [[0.0; 9]; 6],
        after: [[0.0; 9]; 6],
        crossing,
        duration,
        freedoms: freedoms.clone(),
    };
    let times = [-crossing, duration - crossing];
    for ((component, v), a) in freedoms.into_iter().zip(&wish.velocity).zip(r_dot) {
        let (first, last) = (ends[0][component], ends[1][component]);
        [path.before[component], path.after[component]] = match wish.shape {
            Shape::Quintics => [quintic(*v, a, times[0], first), quintic(*v, a, times[1], last)],
            Shape::Octic => [octic(*v, a, times, [first, last]); 2],
        };
    }
    prove(robot, ws, through, &path)?;
    Ok(path)
}

/// The singular configuration of the straight way between two poses: its first crossing, or where it touches Type 2.
///
/// # Errors
/// If the robot does not reach the way, or the way meets no singularity.
pub fn between(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    from: Pose,
    to: Pose,
) -> Result<Configuration, CrossingError> {
    let mut assembled = |end: &'static str, pose: Pose| -> Result<Configuration, CrossingError> {
        let mut at = Configuration { pose, ..robot.home().clone() };
        assembly::at_pose(robot, &mut ws.assembly, &mut at)
            .map_err(|source| CrossingError::Unreached { end, source })?;
        Ok(at)
    };
    let (from, to) = (assembled("start", from)?, assembled("end", to)?);
    let found = nearest(robot, ws, &from, &to, SAMPLES).map_err(CrossingError::Way)?;
    if found.inverse_condition >= SINGULAR {
        let position = found.at.pose.position.to_array();
        return Err(CrossingError::NoneBetween { inverse_condition: found.inverse_condition, position });
    }
    Ok(found.at)
}

/// Makes sure that a path crosses Type 2 where it was planned, and nowhere else, by looking at so many instants of it.
///
/// # Errors
/// If it does not, or the robot does not reach it.
pub fn crosses_once(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    through: &Configuration,
    path: &Path,
    rows: usize,
) -> Result<(), CrossingError> {
    let (metric, mut at) = (Metric::of(robot), through.clone());
    let (mut before, mut changes) = (None, Vec::new());
    for time in path.times(rows) {
        at.pose = path.pose(time);
        assembly::at_pose(robot, &mut ws.assembly, &mut at)
            .map_err(|source| CrossingError::OutOfReach { time, source })?;
        let measures = singularity::measures(robot, &mut ws.singularity, &at, &metric);
        let determinant = measures.inverse_jacobian.and_then(|j_inv| j_inv.determinant);
        let Some(sign) = determinant.map(f64::is_sign_negative) else { continue };
        changes.extend(before.filter(|&(_, old)| old != sign).map(|(since, _)| [since, time]));
        before = Some((time, sign));
    }
    if changes.len() > 1 {
        return Err(CrossingError::Again { count: changes.len() });
    }
    match changes.into_iter().find(|[from, to]| !(*from..=*to).contains(&path.crossing)) {
        Some([from, to]) => Err(CrossingError::Elsewhere { from, to, crossing: path.crossing }),
        None => Ok(()),
    }
}

/// The chart's numbers of an end, if it differs from the crossing in the robot's degrees of freedom alone.
fn fitting(
    robot: &ClosedMechanism,
    through: &Configuration,
    pose: &Pose,
    end: &'static str,
) -> Result<[f64; 6], CrossingError> {
    let numbers = chart::numbers(&through.pose, pose);
    for (k, freedom) in Freedom::ALL.iter().enumerate() {
        let size = if k < 3 { robot.length() } else { 1.0 };
        let free = robot.freedoms().contains(&(robot.tree().dof() + k));
        if !free && (numbers[k].abs() > 1e-9 * size || numbers[k].is_nan()) {
            return Err(CrossingError::Fixed { end, component: freedom.name(), freedoms: robot.freedom_names() });
        }
    }
    Ok(numbers)
}

/// Assembles the robot along a path, from the crossing to both ends.
fn prove(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    through: &Configuration,
    path: &Path,
) -> Result<(), CrossingError> {
    for end in [0.0, path.duration] {
        let mut at = through.clone();
        for k in 1..=PROOFS {
            let time = path.crossing + (end - path.crossing) * k as f64 / PROOFS as f64;
            at.pose = path.pose(time);
            assembly::at_pose(robot, &mut ws.assembly, &mut at)
                .map_err(|source| CrossingError::OutOfReach { time, source })?;
        }
    }
    Ok(())
}

/// From rest at x after the time s back to the crossing at 0, where velocity and acceleration are v and a.
fn quintic(v: f64, a: f64, s: f64, x: f64) -> Polynomial {
    let coefficients = polynomial::quintic(s, [0.0, v, a], [x, 0.0, 0.0]);
    core::array::from_fn(|k| coefficients.get(k).copied().unwrap_or(0.0))
}

/// One polynomial for both sides: C₃ to C₈ from position, velocity and acceleration at both ends.
fn octic(v: f64, a: f64, times: [f64; 2], ends: [f64; 2]) -> Polynomial {
    let unit = times[1].max(-times[0]);
    let (c1, c2) = (v * unit, 0.5 * a * unit * unit);
    // Row i: the i % 3-th derivative of σᵏ at the end i / 3.
    let term = |i: usize, k: i32| {
        let sigma = times[i / 3] / unit;
        match i % 3 {
            0 => sigma.powi(k),
            1 => f64::from(k) * sigma.powi(k - 1),
            _ => f64::from(k * (k - 1)) * sigma.powi(k - 2),
        }
    };
    let mut rest: [f64; 6] = core::array::from_fn(|i| {
        let end = if i % 3 == 0 { ends[i / 3] } else { 0.0 };
        end - c1 * term(i, 1) - c2 * term(i, 2)
    });
    let mut equations = Householder::new(6, 6, 0.0);
    equations.decompose(|i, k| term(i, k as i32 + 3));
    equations.turn_into(&mut rest);
    equations.solve_upper(&mut rest);
    let [c3, c4, c5, c6, c7, c8] = rest;
    let mut power = 1.0;
    [0.0, c1, c2, c3, c4, c5, c6, c7, c8].map(|coefficient| {
        let coefficient = coefficient / power;
        power *= unit;
        coefficient
    })
}

impl Path {
    /// When it crosses the singularity, s.
    #[must_use]
    pub fn crossing(&self) -> f64 {
        self.crossing
    }

    /// When it ends, s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// So many instants, four at least: equal steps on each side of the crossing, half a step from it, where torques have no answer.
    pub fn times(&self, rows: usize) -> impl Iterator<Item = f64> + use<> {
        let (crossing, duration, rows) = (self.crossing, self.duration, rows.max(4));
        let before = ((rows as f64 * crossing / duration).round() as usize).clamp(2, rows - 2);
        let after = rows - before;
        let steps = [crossing / (before as f64 - 0.5), (duration - crossing) / (after as f64 - 0.5)];
        let first = (0..before).map(move |k| k as f64 * steps[0]);
        first.chain((0..after).rev().map(move |k| duration - k as f64 * steps[1]))
    }

    /// The platform's pose after the time `t`; at rest before the start and after the end.
    #[must_use]
    pub fn pose(&self, t: f64) -> Pose {
        chart::pose(&self.centre, &self.numbers(t)[0])
    }

    /// The platform's twist and its rate after the time `t`.
    #[must_use]
    pub fn motion(&self, t: f64) -> (Twist, Acceleration) {
        let [x, rate, second] = self.numbers(t);
        chart::motion(&x, &rate, &second)
    }

    /// r: the independent velocities after the time `t`.
    #[must_use]
    pub fn velocity(&self, t: f64) -> Vec<f64> {
        let twist = self.motion(t).0.to_array();
        self.freedoms.iter().map(|&k| twist[k]).collect()
    }

    /// ṙ: their rates.
    #[must_use]
    pub fn acceleration(&self, t: f64) -> Vec<f64> {
        let rate = self.motion(t).1.to_array();
        self.freedoms.iter().map(|&k| rate[k]).collect()
    }

    /// Coordinates around the crossing, and their first and second rates.
    fn numbers(&self, t: f64) -> [[f64; 6]; 3] {
        let s = t.clamp(0.0, self.duration) - self.crossing;
        let inside = (0.0..=self.duration).contains(&t);
        let polynomials = if s < 0.0 { &self.before } else { &self.after };
        let mut numbers = [[0.0; 6]; 3];
        for (k, c) in polynomials.iter().enumerate() {
            let [x, rate, second] = polynomial::evaluate(c, s);
            numbers[0][k] = x;
            if inside {
                (numbers[1][k], numbers[2][k]) = (rate, second);
            }
        }
        numbers
    }
}
