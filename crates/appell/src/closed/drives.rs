//! How the drives share what the independent velocities demand: J_invᵀ τ = w, by least norm where there are more drives
//! than degrees of freedom.

use super::refusal::{condition_squared, is_surely_regular, refuse_condition};
use super::{ClosedMechanism, LARGEST_CONDITION, SingularError};
use crate::linear::{Householder, Jacobi, dot};
use crate::real::{Measured, Real};

/// How redundant drives share the work: the torques and forces nearest to a preload, each measured by what it may bear.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sharing {
    /// How strong each drive is against the others; all alike if empty. A drive of twice the strength takes twice the
    /// share, and torques compare with forces at the characteristic length.
    pub strengths: Vec<f64>,
    /// Torques and forces that the drives would have, were there nothing to hold, N m or N; none if empty. Only what
    /// moves nothing is left of it.
    pub preload: Vec<f64>,
}

/// Torques and forces of the least squares, where the drives cannot hold the robot.
#[derive(Debug, Clone, PartialEq)]
pub struct LeastSquares {
    /// One a driven joint, N m or N.
    pub tau: Vec<f64>,
    /// What the drives leave of the demand on each degree of freedom, N or N m.
    pub rest: Vec<f64>,
    /// Condition number of J_inv without units.
    pub condition: f64,
}

impl Sharing {
    /// Panics unless there is one value per drive, or none.
    pub(super) fn expect(&self, drives: usize) {
        for numbers in [&self.strengths, &self.preload] {
            assert!(numbers.is_empty() || numbers.len() == drives, "one value per drive, or none");
        }
    }

    pub(super) fn strength(&self, drive: usize) -> f64 {
        self.strengths.get(drive).copied().unwrap_or(1.0)
    }

    pub(super) fn preload(&self, drive: usize) -> f64 {
        self.preload.get(drive).copied().unwrap_or(0.0)
    }
}

/// What a unit of a drive's rate counts, over that of a length: J_inv has no units then.
pub(crate) fn drive_unit(robot: &ClosedMechanism, drive: usize) -> f64 {
    robot.length_scale(robot.driven()[drive])
}

/// Length scale of a degree of freedom: m per unit of it.
pub(crate) fn freedom_unit(robot: &ClosedMechanism, freedom: usize) -> f64 {
    1.0 / robot.length_scale(robot.freedoms()[freedom])
}

/// J_inv without units, an entry: rates of the drives, by rates of the independent velocities, both as lengths.
pub(crate) fn dimensionless<T: Real>(robot: &ClosedMechanism, j_inv: &[T], drive: usize, freedom: usize) -> T {
    let unit = drive_unit(robot, drive) * freedom_unit(robot, freedom);
    j_inv[drive * robot.freedoms().len() + freedom].scale(unit)
}

/// Workspace for the sharing of a robot's drives.
#[derive(Debug, Clone)]
pub(super) struct Share<T> {
    reflections: Householder<T>,
    drive_units: Vec<f64>,
    freedom_units: Vec<f64>,
    strengths: Vec<f64>, // with the drives' units
    scratch: Vec<T>,
    tau: Vec<T>,
}

impl<T: Measured> Share<T> {
    pub(super) fn efforts(
        &mut self,
        robot: &ClosedMechanism,
        j_inv: &[T],
        w: &[T],
        sharing: &Sharing,
    ) -> Result<&[T], SingularError> {
        let drives = self.drive_units.len();
        sharing.expect(drives);
        if drives < w.len() {
            return Err(SingularError::Underactuated { drives, freedoms: w.len() });
        }
        let doubtful = w[0].within(
            #[inline(always)]
            || {
                let is_regular = self.solve(j_inv, w, sharing);
                if is_regular { None } else { Some(self.reflections.norms_squared(&mut self.scratch)) }
            },
        );
        if let Some(norms) = doubtful {
            refuse_uncontrolled(robot, j_inv, norms)?;
        }
        Ok(&self.tau[..drives])
    }

    /// The torques and forces; whether the drives surely hold the robot.
    #[inline(always)]
    fn solve(&mut self, j_inv: &[T], w: &[T], sharing: &Sharing) -> bool {
        let (n, drives) = (w.len(), self.drive_units.len());
        for (i, (strength, unit)) in self.strengths.iter_mut().zip(&self.drive_units).enumerate() {
            *strength = unit * sharing.strength(i);
        }
        let (tau, rows, columns) = (&mut self.tau, &self.strengths, &self.freedom_units);
        for (k, &demand) in w.iter().enumerate() {
            let mut demand = demand;
            if !sharing.preload.is_empty() {
                for i in 0..drives {
                    demand = demand - j_inv[i * n + k].scale(sharing.preload(i));
                }
            }
            tau[k] = demand.scale(columns[k]);
        }
        let entry = {
            #[inline(always)]
            |i: usize, k: usize| j_inv[i * n + k].scale(rows[i] * columns[k])
        };
        if drives == n {
            // Nothing is to be shared: the equations are solved as they stand.
            self.reflections.decompose_beside(
                #[inline(always)]
                |k, i| entry(i, k),
                tau,
            );
            self.reflections.solve_upper(tau);
        } else {
            self.reflections.decompose(entry);
            self.reflections.solve_upper_transposed(tau);
            tau[n..].fill(w[0].zero());
            self.reflections.turn_out(tau);
        }
        for (i, tau) in tau.iter_mut().enumerate() {
            *tau = tau.scale_add(rows[i], tau.constant(sharing.preload(i)));
        }
        is_surely_regular(self.reflections.size_and_determinant_squared(), n)
    }
}

impl<T: Real> Share<T> {
    pub(super) fn with_scalar(robot: &ClosedMechanism, like: T) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        Self {
            reflections: Householder::new(drives.max(n), n, like),
            drive_units: (0..drives).map(|drive| drive_unit(robot, drive)).collect(),
            freedom_units: (0..n).map(|freedom| freedom_unit(robot, freedom)).collect(),
            strengths: vec![0.0; drives],
            scratch: vec![like.zero(); n],
            tau: vec![like.zero(); drives.max(n)],
        }
    }
}

/// Refuses drives that cannot hold the robot, by the squares of the norms of J_inv and its inverse.
#[inline(always)]
pub(crate) fn refuse_uncontrolled<T: Measured>(
    robot: &ClosedMechanism,
    j_inv: &[T],
    norms: (T, T),
) -> Result<(), SingularError> {
    // Strengths of very different size make it as bad as a singularity does: then the bound is the answer.
    refuse_condition(condition_squared(norms), |bound| {
        let condition = SingularValues::new(robot).condition(robot, j_inv);
        SingularError::Drives { condition: if condition > LARGEST_CONDITION { condition } else { bound } }
    })
}

/// The singular values of J_inv without units, descending, one per degree of freedom, with the independent
/// velocities of each.
pub(crate) fn singular_values<T: Measured>(robot: &ClosedMechanism, j_inv: &[T]) -> (Vec<f64>, Jacobi) {
    let mut values = SingularValues::new(robot);
    values.find(robot, j_inv);
    (values.jacobi.values().to_vec(), values.jacobi)
}

/// Memory for the singular values of J_inv.
#[derive(Debug, Clone)]
pub(super) struct SingularValues {
    transposed: Vec<f64>, // J_inv without units, independent velocities × drives
    jacobi: Jacobi,
}

impl SingularValues {
    pub(super) fn new(robot: &ClosedMechanism) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        Self { transposed: vec![0.0; n * drives], jacobi: Jacobi::new(n, drives) }
    }

    /// The condition number, infinite where J_inv is singular; its size counts as 1 where it is less.
    pub(super) fn condition<T: Measured>(&mut self, robot: &ClosedMechanism, j_inv: &[T]) -> f64 {
        self.find(robot, j_inv);
        let values = self.jacobi.values();
        values[0].max(1.0) / values[values.len() - 1]
    }

    fn find<T: Measured>(&mut self, robot: &ClosedMechanism, j_inv: &[T]) {
        let drives = robot.driven().len();
        for (entry, place) in self.transposed.iter_mut().zip(0..) {
            *entry = dimensionless(robot, j_inv, place % drives, place / drives).least();
        }
        self.jacobi.decompose(&self.transposed);
    }
}

/// The torques and forces that come nearest to a demand w of the independent velocities where J_inv is singular or
/// nearly so: singular values below `tolerance`, over the largest, count as zero.
#[must_use]
pub fn least_squares(robot: &ClosedMechanism, j_inv: &[f64], w: &[f64], tolerance: f64) -> LeastSquares {
    let (n, drives) = (robot.freedoms().len(), robot.driven().len());
    let (values, jacobi) = singular_values(robot, j_inv);
    let demand: Vec<f64> = w.iter().enumerate().map(|(k, w)| w * freedom_unit(robot, k)).collect();
    let mut tau = vec![0.0; drives];
    // J' = V Σ Uᵀ with the motions U: τ' = V Σ⁻¹ Uᵀ w', and V Σ = J' U.
    for (m, &value) in values.iter().enumerate().filter(|(_, value)| **value > tolerance * values[0].max(1.0)) {
        let motion = jacobi.left(m);
        let along = dot(motion, &demand);
        for (i, tau) in tau.iter_mut().enumerate() {
            let rate: f64 = (0..n).map(|k| dimensionless(robot, j_inv, i, k) * motion[k]).sum();
            *tau += rate * along / (value * value);
        }
    }
    tau.iter_mut().enumerate().for_each(|(i, tau)| *tau *= drive_unit(robot, i));
    let held = |k: usize| -> f64 { (0..drives).map(|i| j_inv[i * n + k] * tau[i]).sum() };
    let rest = w.iter().enumerate().map(|(k, w)| w - held(k)).collect();
    let condition = values[0].max(1.0) / values.last().copied().unwrap_or(0.0);
    LeastSquares { tau, rest, condition }
}
