//! Crossing a singularity of Type 2 with finite torques and forces (Briot2008).
//!
//! The drives must hold J_invᵀ τ = w, w = M_rob ṙ + c_rob. Where J_inv t_s = 0, they can only if the motion that they do
//! not control needs no force:
//!
//! ```text
//! t_s · w = 0                                         the criterion, one equation for ṙ
//! ṙ' = ṙ − t_s (t_s · w) / (t_sᵀ M_rob t_s)            the nearest ṙ that satisfies it, in the metric of the inertia
//! ```
//!
//! The change is along t_s itself: the drives leave that motion alone, and the robot falls through it as its inertia
//! wants. [`passage`] makes a path with this acceleration at the crossing, and [`nearest`] finds where to cross.

pub use super::passage::{CrossingError, Passage, Path, Shape, passage};

use super::assembly::{self, AssemblyError};
use super::singularity::{self, Metric};
use super::{ClosedMechanism, Configuration, SingularError, chart, legs_platform};
use crate::spatial::Pose;

/// A defect below this, over its scale, is none.
pub const SATISFIED: f64 = 1e-9;

/// A configuration whose inverse condition of Type 2 is below this is singular.
pub const SINGULAR: f64 = 1e-6;

/// Steps of a bisection, or of a golden section, that bring an interval to rounding.
const STEPS: usize = 80;

/// Memory of the criterion.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) singularity: singularity::Workspace,
    pub(super) dynamics: legs_platform::Workspace,
    pub(super) assembly: assembly::Workspace,
}

/// Whether a motion crosses a singularity with finite torques and forces.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// t_s: the motion of the independent velocities that the drives control least, of the norm 1 in m and rad.
    pub twist: Vec<f64>,
    /// The inverse condition of Type 2. The criterion has a meaning where it is 0.
    pub inverse_condition: f64,
    /// t_s · w, W: zero where finite torques and forces suffice.
    pub defect: f64,
    /// What the defect compares with, W: the sizes of the terms it is the sum of.
    pub scale: f64,
    /// Whether the defect is rounding: below [`SATISFIED`].
    pub satisfied: bool,
}

/// Where a path comes nearest to a singularity of Type 2.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// How far along the path, from 0 to 1.
    pub along: f64,
    /// The configuration.
    pub at: Configuration,
    /// Its inverse condition of Type 2: 0 where singular.
    pub inverse_condition: f64,
    /// Whether the path goes through the singularity there, so that det J_inv changes its sign.
    pub crossed: bool,
}

impl Workspace {
    /// A workspace for this robot.
    ///
    /// # Panics
    /// If the robot is not of legs and a platform alone: [`legs_platform::applies`] says so before.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self {
            singularity: singularity::Workspace::new(robot),
            dynamics: legs_platform::Workspace::new(robot),
            assembly: assembly::Workspace::new(robot),
        }
    }

    /// t_s, and the inverse condition.
    fn least_controlled(&mut self, robot: &ClosedMechanism, at: &Configuration) -> (Vec<f64>, f64) {
        let metric = Metric::of(robot);
        let (_, inverse_condition) = singularity::distances(robot, &mut self.singularity, at, &metric);
        let mut twist = singularity::least_controlled(robot, &mut self.singularity, at, &metric).freedoms(robot);
        let norm = dot(&twist, &twist).sqrt();
        twist.iter_mut().for_each(|x| *x /= norm);
        (twist, inverse_condition)
    }
}

/// Whether a motion crosses a singularity of Type 2 with finite torques and forces. Where several motions are not controlled,
/// it is about one of them.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn criterion(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
) -> Result<Criterion, SingularError> {
    let still = vec![0.0; r.len()];
    let bias = legs_platform::generalised_forces(robot, &mut ws.dynamics, at, r, &still, &[])?.to_vec();
    let whole = legs_platform::generalised_forces(robot, &mut ws.dynamics, at, r, r_dot, &[])?.to_vec();
    let (twist, inverse_condition) = ws.least_controlled(robot, at);
    let defect = dot(&twist, &whole);
    let terms = twist.iter().zip(&bias).zip(&whole);
    let scale = terms.map(|((t, c), w)| t.abs() * (c.abs() + (w - c).abs())).sum();
    Ok(Criterion { satisfied: defect.abs() <= SATISFIED * scale, twist, inverse_condition, defect, scale })
}

/// The ṙ nearest to `r_dot` that satisfies the criterion: the change has the least kinetic energy, ½ δᵀ M_rob δ, of
/// all that do.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints; and where t_s moves no mass.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn corrected(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
) -> Result<Vec<f64>, SingularError> {
    let Criterion { twist, defect, .. } = criterion(robot, ws, at, r, r_dot)?;
    let inertia = legs_platform::inertia_matrix(robot, &mut ws.dynamics, at)?;
    let along: f64 = inertia.chunks_exact(r.len()).zip(&twist).map(|(row, t)| t * dot(row, &twist)).sum();
    if along <= 0.0 || along.is_nan() {
        let largest = (0..r.len()).max_by(|&a, &b| twist[a].abs().total_cmp(&twist[b].abs())).unwrap_or(0);
        return Err(SingularError::Massless { freedom: robot.freedom_names()[largest].clone(), pivot: along });
    }
    Ok(r_dot.iter().zip(&twist).map(|(a, t)| a - t * defect / along).collect())
}

/// Where the straight way between two poses comes nearest to Type 2: at its first crossing, if there is one.
///
/// The platform's origin goes along a line and the platform turns about one axis. `samples` intervals are looked at,
/// and the one that holds the crossing, or the least inverse condition, is divided down to rounding.
///
/// # Errors
/// If the legs do not reach a pose on the way.
///
/// # Panics
/// If a configuration belongs to another robot.
pub fn nearest(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    from: &Configuration,
    to: &Configuration,
    samples: usize,
) -> Result<Nearest, AssemblyError> {
    let mut way = Way { robot, ws, centre: from.pose, end: chart::numbers(&from.pose, &to.pose), at: from.clone() };
    let samples = samples.max(2);
    let place = |k: usize| k as f64 / samples as f64;
    let mut seen = Vec::with_capacity(samples + 1);
    for k in 0..=samples {
        seen.push(way.look(place(k))?);
        let crosses = k > 0 && changes_sign(seen[k - 1].determinant, seen[k].determinant);
        if !crosses {
            continue;
        }
        let along = way.bisect(place(k - 1), place(k), seen[k - 1])?;
        let found = way.look(along)?;
        // Across Type 1 the determinant changes its sign by way of infinity.
        if found.inverse_condition < SINGULAR {
            let Way { at, .. } = way;
            return Ok(Nearest { along, at, inverse_condition: found.inverse_condition, crossed: true });
        }
    }
    let condition = |k: &usize| seen[*k].inverse_condition;
    let least = (0..=samples).min_by(|a, b| condition(a).total_cmp(&condition(b))).unwrap_or(0);
    let along = way.descend(place(least.saturating_sub(1)), place((least + 1).min(samples)))?;
    // The end of a way may be nearer than anything inside.
    let ends = [along, place(least)];
    let mut conditions = [0.0; 2];
    for (condition, &end) in conditions.iter_mut().zip(&ends) {
        *condition = way.look(end)?.inverse_condition;
    }
    let along = if conditions[1] < conditions[0] { ends[1] } else { ends[0] };
    let inverse_condition = way.look(along)?.inverse_condition;
    Ok(Nearest { along, at: way.at, inverse_condition, crossed: false })
}

/// A straight way between two poses.
struct Way<'a> {
    robot: &'a ClosedMechanism,
    ws: &'a mut Workspace,
    centre: Pose,
    end: [f64; 6],
    at: Configuration, // where it was looked at last
}

/// What is seen of Type 2 at a place of the way.
#[derive(Clone, Copy)]
struct Sight {
    determinant: Option<f64>,
    inverse_condition: f64,
}

impl Way<'_> {
    fn look(&mut self, along: f64) -> Result<Sight, AssemblyError> {
        self.at.pose = chart::pose(&self.centre, &self.end.map(|x| along * x));
        assembly::at_pose(self.robot, &mut self.ws.assembly, &mut self.at)?;
        let metric = Metric::of(self.robot);
        let measures = singularity::measures(self.robot, &mut self.ws.singularity, &self.at, &metric);
        Ok(Sight {
            determinant: measures.inverse_jacobian.and_then(|jacobian| jacobian.determinant),
            inverse_condition: measures.type2(),
        })
    }

    /// Where the determinant's sign changes.
    fn bisect(&mut self, mut low: f64, mut high: f64, at_low: Sight) -> Result<f64, AssemblyError> {
        for _ in 0..STEPS {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let changes = changes_sign(at_low.determinant, self.look(middle)?.determinant);
            *(if changes { &mut high } else { &mut low }) = middle;
        }
        Ok(0.5 * (low + high))
    }

    /// Where the inverse condition is least, by golden section.
    fn descend(&mut self, mut low: f64, mut high: f64) -> Result<f64, AssemblyError> {
        const RATIO: f64 = 0.618_033_988_749_894_9;
        let mut places = [high - RATIO * (high - low), low + RATIO * (high - low)];
        let mut values = [self.look(places[0])?.inverse_condition, self.look(places[1])?.inverse_condition];
        for _ in 0..STEPS {
            if values[0] < values[1] {
                high = places[1];
                places = [high - RATIO * (high - low), places[0]];
                values = [self.look(places[0])?.inverse_condition, values[0]];
            } else {
                low = places[0];
                places = [places[1], low + RATIO * (high - low)];
                values = [values[1], self.look(places[1])?.inverse_condition];
            }
        }
        Ok(0.5 * (low + high))
    }
}

fn changes_sign(one: Option<f64>, other: Option<f64>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.is_sign_negative() != other.is_sign_negative())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
