//! Where a straight way comes nearest to a singularity of Type 2.

use super::criterion::{SINGULAR, Workspace};
use crate::closed::assembly::{self, AssemblyError};
use crate::closed::singularity::{self, Metric};
use crate::closed::{ClosedMechanism, Configuration, chart};
use crate::spatial::Pose;

/// Steps of a bisection, or of a golden section, that bring an interval to rounding.
const STEPS: usize = 80;

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
