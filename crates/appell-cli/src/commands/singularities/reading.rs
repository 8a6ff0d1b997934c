//! The measures of one configuration, as a row of a table and as text.

use appell::closed::ClosedMechanism;
use appell::closed::singularity::Measures;

/// The measures, kept beyond the workspace that found them.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) legs: Vec<f64>,
    pub(super) nearest_leg: Option<usize>,
    pub(super) type1: f64,
    pub(super) type2: f64,
    pub(super) constraints: f64,
    pub(super) freedoms: usize,
    /// Inverse condition of J_inv without units, and in m and rad; 0 at Type 1, where it is infinite.
    pub(super) j_inv: [f64; 2],
    /// Of J_inv, where it is square and exists.
    pub(super) determinant: Option<f64>,
}

impl Reading {
    pub(super) fn of(measures: &Measures<'_>) -> Self {
        let j_inv = measures.inverse_jacobian;
        Self {
            legs: measures.legs.iter().map(|leg| leg.inverse_condition).collect(),
            nearest_leg: measures.nearest_leg(),
            type1: measures.type1(),
            type2: measures.type2(),
            constraints: measures.constraints.inverse_condition,
            freedoms: measures.freedoms,
            j_inv: j_inv.map_or([0.0; 2], |j_inv| [j_inv.inverse_condition, j_inv.raw_inverse_condition]),
            determinant: j_inv.and_then(|j_inv| j_inv.determinant).filter(|determinant| determinant.is_finite()),
        }
    }

    /// The names of the numbers of a row.
    pub(super) fn columns(robot: &ClosedMechanism) -> Vec<String> {
        let legs = legs(robot).map(|k| format!("{}.type1", robot.legs()[k].name));
        let common = ["type1", "type2", "constraints", "freedoms", "inverse_condition", "raw_inverse_condition"];
        let determinant = is_square(robot).then_some("determinant");
        legs.chain(common.into_iter().chain(determinant).map(String::from)).collect()
    }

    /// The numbers; the determinant is not known at Type 1.
    pub(super) fn row(&self, robot: &ClosedMechanism) -> impl Iterator<Item = Option<f64>> {
        let common = [self.type1, self.type2, self.constraints, self.freedoms as f64, self.j_inv[0], self.j_inv[1]];
        let determinant = is_square(robot).then_some(self.determinant);
        legs(robot).map(|k| self.legs[k]).chain(common).map(Some).chain(determinant)
    }
}

/// The legs that have joints, as indices: others are never stretched.
pub(super) fn legs(robot: &ClosedMechanism) -> impl Iterator<Item = usize> {
    (0..robot.legs().len()).filter(|&k| !robot.legs()[k].joints.is_empty())
}

/// Whether there are as many drives as degrees of freedom.
pub(super) fn is_square(robot: &ClosedMechanism) -> bool {
    robot.driven().len() == robot.freedoms().len()
}
