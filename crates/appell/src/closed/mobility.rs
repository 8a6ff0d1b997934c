//! How many degrees of freedom a closed mechanism has, which velocities can stand for them, and which constraints
//! repeat others: the rank of A at an assembled configuration.

use super::constraints::Constraints;
use super::{ClosedMechanism, Configuration, On};
use crate::linear::{Jacobi, dot, norm};

/// A singular value of the dimensionless A below this, over the largest, counts as zero.
const ZERO: f64 = 1e-8;

/// What the mobility of a closed mechanism is, at its home.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mobility {
    /// Number of degrees of freedom: velocities less the rank of the constraints.
    pub freedoms: usize,
    /// Number of constraints of all closures and couplings.
    pub constraints: usize,
    /// How many of them are independent.
    pub rank: usize,
    /// The closures and couplings whose constraints repeat what those before them demand already.
    pub redundant: Vec<Redundancy>,
    /// How many degrees of freedom the drives hold. Less than all: the robot lacks drives, or home is a singularity of
    /// Type 2.
    pub driven: usize,
}

/// Constraints of a closure or coupling that repeat others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redundancy {
    /// The closing joint, or the joint that follows others.
    pub name: String,
    /// How many of its constraints are redundant.
    pub redundant: usize,
    /// How many constraints it has.
    pub constraints: usize,
}

/// A at a configuration without units: lengths count in the characteristic length.
pub(super) struct Dimensionless {
    pub(super) rows: usize,
    pub(super) width: usize,
    pub(super) matrix: Vec<f64>,
}

impl Dimensionless {
    pub(super) fn at(robot: &ClosedMechanism, at: &Configuration) -> Self {
        let mut constraints = Constraints::with_scalar(robot, 0.0);
        constraints.place(robot, at);
        let (rows, width) = (robot.rows, robot.velocities());
        let mut matrix = vec![0.0; rows * width];
        constraints.matrix(robot, &mut matrix);
        for (k, entry) in matrix.iter_mut().enumerate() {
            *entry /= robot.length_scale(k % width);
        }
        Self { rows, width, matrix }
    }

    /// The rank of the first `rows` rows.
    fn rank(&self, rows: usize) -> usize {
        if rows == 0 {
            return 0;
        }
        let mut jacobi = Jacobi::new(rows, self.width);
        jacobi.decompose(&self.matrix[..rows * self.width]);
        rank(jacobi.values())
    }

    /// A basis of the velocities that A forbids nothing, each without units.
    pub(super) fn null_space(&self) -> Vec<Vec<f64>> {
        let transposed: Vec<f64> =
            (0..self.width).flat_map(|k| self.matrix.iter().skip(k).step_by(self.width).copied()).collect();
        let mut jacobi = Jacobi::new(self.width, self.rows);
        jacobi.decompose(&transposed);
        (rank(jacobi.values())..self.width).map(|k| jacobi.left(k).to_vec()).collect()
    }
}

fn rank(values: &[f64]) -> usize {
    let largest = values.first().copied().unwrap_or(0.0);
    values.iter().filter(|&&value| value > ZERO * largest).count()
}

/// Mobility at a configuration, and the drives that cannot move.
pub(super) fn analyse(robot: &ClosedMechanism, at: &Configuration) -> (Mobility, Vec<Vec<f64>>, Vec<usize>) {
    let jacobian = Dimensionless::at(robot, at);
    let null_space = jacobian.null_space();
    let mut redundant = Vec::new();
    let mut before = 0;
    let independent = robot.rows + null_space.len() == jacobian.width;
    let closures = robot.closures.iter().map(|closure| (&closure.name, closure.row, closure.rows()));
    let couplings = robot.couplings.iter().map(|coupling| (&coupling.name, coupling.row, 1));
    for (name, row, constraints) in closures.chain(couplings).filter(|_| !independent) {
        let rank = jacobian.rank(row + constraints);
        let repeated = constraints - (rank - before).min(constraints);
        if repeated > 0 {
            redundant.push(Redundancy { name: name.clone(), redundant: repeated, constraints });
        }
        before = rank;
    }
    let still = |&&j: &&usize| null_space.iter().all(|motion| motion[j].abs() < ZERO);
    let still = robot.driven.iter().filter(still).copied().collect();
    let drives: Vec<f64> = null_space.iter().flat_map(|motion| robot.driven.iter().map(|&j| motion[j])).collect();
    let driven = if robot.driven.is_empty() || null_space.is_empty() {
        0
    } else {
        let mut jacobi = Jacobi::new(null_space.len(), robot.driven.len());
        jacobi.decompose(&drives);
        let most = null_space.len().min(robot.driven.len());
        jacobi.values()[..most].iter().filter(|&&value| value > ZERO).count()
    };
    let mobility = Mobility {
        freedoms: null_space.len(),
        constraints: robot.rows,
        rank: jacobian.width - null_space.len(),
        redundant,
        driven,
    };
    (mobility, null_space, still)
}

/// How many degrees of freedom the closures alone would leave at a configuration.
pub(super) fn uncoupled_freedoms(robot: &ClosedMechanism, at: &Configuration) -> usize {
    let jacobian = Dimensionless::at(robot, at);
    jacobian.width - jacobian.rank(robot.rows - robot.couplings.len())
}

/// The number of degrees of freedom at a configuration.
pub(super) fn freedoms(robot: &ClosedMechanism, at: &Configuration) -> usize {
    Dimensionless::at(robot, at).null_space().len()
}

/// Velocities that can serve as independent ones: components of the platform's twist where there is a
/// platform, driven joints where there is none, others only where these do not suffice. `chosen` are the user's.
/// Of an output ways go before turns. A mechanism of one degree of freedom is measured by its drive: whatever an output
/// does, it comes to rest in some places of the way, and a crank turns on.
///
/// The one that moves most is taken first, then the one that moves most when the first does not, and so on.
pub(super) fn independent(robot: &ClosedMechanism, null_space: &[Vec<f64>], chosen: &[usize]) -> Vec<usize> {
    let dof = robot.tree.dof();
    let turns = turns_tell_all(robot, null_space);
    let is_output = robot.platform.as_ref().is_some_and(|platform| platform.is_output);
    let of_platform = robot.platform.as_ref().filter(|_| !(is_output && null_space.len() == 1));
    let preference = |k: usize| match of_platform {
        _ if chosen.contains(&k) => 1e6,
        Some(_) if turns && k >= dof + 3 => 1e2,
        Some(_) if is_output && k >= dof + 3 => 0.1,
        Some(_) if k >= dof => 1.0,
        None if robot.driven.contains(&k) => 1.0,
        _ => 1e-4,
    };
    let mut rest: Vec<Vec<f64>> =
        (0..robot.velocities()).map(|k| null_space.iter().map(|motion| motion[k]).collect()).collect();
    let mut found = Vec::new();
    for _ in 0..null_space.len() {
        // The first of equals: a later one must be larger by more than rounding.
        let best = (0..rest.len()).fold(0, |best, k| {
            let (one, other) = (preference(k) * norm(&rest[k]), preference(best) * norm(&rest[best]));
            if one > other * (1.0 + 1e-6) { k } else { best }
        });
        let unit: Vec<f64> = rest[best].iter().map(|x| x / norm(&rest[best])).collect();
        for row in &mut rest {
            let along = dot(row, &unit);
            row.iter_mut().zip(&unit).for_each(|(x, y)| *x -= along * y);
        }
        found.push(best);
    }
    found.sort_unstable();
    found
}

/// Whether the platform's angular velocity alone determines its motion, clearly: then it is a better measure than the velocity
/// of an origin that may come to lie anywhere about the point that does not move.
fn turns_tell_all(robot: &ClosedMechanism, null_space: &[Vec<f64>]) -> bool {
    let (n, first) = (null_space.len(), robot.tree.dof() + 3);
    if robot.platform.is_none() || n == 0 || n > 3 {
        return false;
    }
    let turns: Vec<f64> = null_space.iter().flat_map(|motion| motion[first..first + 3].to_vec()).collect();
    let mut jacobi = Jacobi::new(n, 3);
    jacobi.decompose(&turns);
    jacobi.values()[n - 1] > 0.1 * jacobi.values()[0]
}

/// The legs of a robot that is of legs and a platform alone: every joint on the way from the base to one closing
/// joint, whose other side is the platform. Empty where it is anything else, or joints follow others: then a leg is not alone.
pub(super) fn legs(robot: &ClosedMechanism) -> Vec<super::Leg> {
    if robot.platform.is_none() || !robot.couplings.is_empty() {
        return Vec::new();
    }
    let mut taken = vec![false; robot.tree.dof()];
    let mut legs = Vec::new();
    for (k, closure) in robot.closures.iter().enumerate() {
        let ((On::Platform, end) | (end, On::Platform)) = (closure.first.on, closure.second.on) else {
            return Vec::new();
        };
        let mut joints: Vec<usize> = match end {
            On::Body(body) => robot.tree.path_to_base(body).collect(),
            _ => Vec::new(),
        };
        joints.reverse();
        // A leg of more joints than constraints moves by itself: the platform does not say where it is.
        if joints.iter().any(|&j| taken[j]) || joints.len() > closure.rows() {
            return Vec::new();
        }
        joints.iter().for_each(|&j| taken[j] = true);
        let name = closure.name.rsplit_once('.').map_or(closure.name.as_str(), |(leg, _)| leg).to_owned();
        legs.push(super::Leg { name, joints, closure: k });
    }
    if taken.iter().all(|&taken| taken) { legs } else { Vec::new() }
}
