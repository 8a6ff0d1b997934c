//! What stops the dynamics of a closed mechanism: singularities, with their condition numbers.

use super::{ClosedMechanism, Configuration};
use crate::real::Measured;

/// A condition number from which on an answer would have lost most of its digits: near 1e-6 is left of them.
pub const LARGEST_CONDITION: f64 = 1e10;

/// Why dynamics has no answer worth giving.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SingularError {
    /// A leg is stretched or folded: the platform's motion does not say how it moves.
    #[error(
        "leg `{leg}` is at a singularity of Type 1: the condition number of its Jacobian is {condition:.1e}; keep away from poses where it is stretched, folded or along its first axis"
    )]
    Leg {
        /// The leg.
        leg: String,
        /// Condition number of its Jacobian without units; infinite at the singularity.
        condition: f64,
    },
    /// The axes of a leg of a spherical robot lie in a plane.
    #[error(
        "leg `{leg}` is at a singularity of Type 1: its axes lie in a plane, their volume h is {volume:.1e}; keep away from attitudes at the border of its reach"
    )]
    Axes {
        /// The leg.
        leg: String,
        /// h = u · (v × w) of its axes u, w, v from the base to the platform; of two axes |u × v|².
        volume: f64,
    },
    /// The closing joints allow more motion here than elsewhere.
    #[error(
        "the constraints are singular: condition number {condition:.1e}; the robot has a degree of freedom here that it has nowhere else, or its independent velocities, which `appell show` names, do not describe its motion here"
    )]
    Constraints {
        /// Condition number; infinite at the singularity.
        condition: f64,
    },
    /// The drives cannot hold the robot.
    #[error(
        "the drives cannot hold the robot here, a singularity of Type 2: the condition number of the inverse Jacobian is {condition:.1e}; keep away, cross it with a motion that needs no torque there, or ask for least squares"
    )]
    Drives {
        /// Condition number of J_inv without units; infinite at the singularity.
        condition: f64,
    },
    /// Fewer drives than degrees of freedom.
    #[error(
        "{drives} drives cannot control {freedoms} degrees of freedom; drive more joints, or ask for forward dynamics"
    )]
    Underactuated {
        /// Driven joints.
        drives: usize,
        /// Degrees of freedom of the robot.
        freedoms: usize,
    },
    /// The bodies move without bounds where the independent velocities do not.
    #[error(
        "the inertia of `{freedom}` vanishes in rounding beside that of the other degrees of freedom, an entry of which grows to {entry:.1e}: a leg, or the constraints, are near a singularity of Type 1; keep away from it"
    )]
    Unbounded {
        /// The degree of freedom.
        freedom: String,
        /// Its entry of the inertia matrix, kg or kg m².
        entry: f64,
    },
    /// A degree of freedom that moves no mass.
    #[error(
        "the inertia of the degree of freedom `{freedom}` vanishes: its pivot is {pivot:.3e}; give the bodies it moves a mass"
    )]
    Massless {
        /// The degree of freedom.
        freedom: String,
        /// What is left of its inertia.
        pivot: f64,
    },
    /// The three angles of a spherical or free joint, or of a body that only closing joints hold, are singular; the robot may not be.
    #[error(
        "the three angles of `{joint}` are singular here, not the robot: the middle one is a right angle; turn the frame that it stands on, or its home, so that it is far from a right angle where the robot works"
    )]
    Angles {
        /// The joint or body.
        joint: String,
    },
    /// A number is not finite.
    #[error("the answer is not finite; the numbers of the state or of the robot are too large")]
    NotFinite,
}

impl SingularError {
    /// The same, unless coordinates of the robot are singular at this configuration: then these are the reason.
    #[must_use]
    pub fn at(self, robot: &ClosedMechanism, at: &Configuration) -> Self {
        robot.singular_angles(at).map_or(self, |joint| Self::Angles { joint: joint.to_owned() })
    }
}

/// Refuses a condition number, given by its square, that is too large.
pub(super) fn refuse_condition(square: f64, error: impl FnOnce(f64) -> SingularError) -> Result<(), SingularError> {
    if square <= LARGEST_CONDITION * LARGEST_CONDITION {
        Ok(())
    } else {
        Err(error(if square.is_nan() { f64::INFINITY } else { square.sqrt() }))
    }
}

/// The square of a bound of the condition number of a matrix without units, from the squares of its norm and of its
/// inverse's. A matrix smaller than 1 is measured against 1: else one of one row would never be singular.
#[inline(always)]
pub(super) fn condition_squared<T: Measured>((size, inverse): (T, T)) -> f64 {
    size.greatest().max(1.0) * inverse.greatest()
}

/// Whether a matrix of n columns without units is surely far from singular, by the squares of its norm and determinant.
///
/// ```text
/// σ_min ≥ |det A| ((n − 1) / |A|²)^((n − 1)/2)
/// ```
///
/// because the other singular values have at most the geometric mean that their squares' sum allows.
#[inline(always)]
pub(super) fn is_surely_regular<T: Measured>((size, determinant): (T, T), n: usize) -> bool {
    let (size, determinant, others) = (size.greatest(), determinant.least(), n as f64 - 1.0);
    if n < 2 {
        return false;
    }
    let powers = (1..n).fold(1.0, |product, _| product * (size / others));
    size.max(1.0) * n as f64 * powers <= LARGEST_CONDITION * LARGEST_CONDITION * determinant
}

/// Refuses an inertia matrix with a pivot that is no more than rounding: of its entry, or of the masses of the whole
/// robot, from which a degree of freedom that moves none of them has its entry. The matrix is that of the velocities
/// `independent`.
pub(super) fn refuse_massless<T: Measured>(
    robot: &ClosedMechanism,
    independent: &[usize],
    matrix: &[T],
    pivots: &[T],
) -> Result<(), SingularError> {
    pivots[0].within(
        #[inline(always)]
        || {
            let (n, mass) = (pivots.len(), robot.mass());
            for (k, pivot) in pivots.iter().enumerate() {
                let (pivot, entry) = (pivot.least(), matrix[k * n + k].greatest());
                if !entry.is_finite() {
                    return Err(SingularError::NotFinite);
                }
                let of_all = mass * robot.length_scale(independent[k]).powi(2);
                if !(pivot > 64.0 * T::EPSILON * entry && pivot > T::EPSILON * of_all) {
                    let freedom = robot.velocity_name(independent[k]);
                    // Bodies that weigh something turn a hundred thousand times as fast as the degree of freedom moves.
                    let is_unbounded = entry > 1e10 * of_all;
                    return Err(if is_unbounded {
                        SingularError::Unbounded { freedom, entry }
                    } else {
                        SingularError::Massless { freedom, pivot }
                    });
                }
            }
            Ok(())
        },
    )
}
