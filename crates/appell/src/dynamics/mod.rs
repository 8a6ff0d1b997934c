//! The questions of dynamics and the methods that answer them. One file per method; each has a `Workspace` of its own,
//! allocates nothing after it is made, and relies on no earlier call.
//!
//! | question | method | cost | source |
//! |---|---|---|---|
//! | inverse dynamics τ(q, q̇, q̈) | [`gibbs_appell_tensor`] | O(n) | Mata2002 §4.1 |
//! | | [`gibbs_appell_vectorial`] | O(n) | Valera §2 |
//! | | [`newton_euler`] | O(n) | Luh1980 |
//! | | [`link_origins`]: also bias, gravity, Coriolis vector, inertia matrix, forward dynamics; any parameters | O(n) … | Khalil1987 |
//! | bias τ(q, q̇, 0) | [`gibbs_appell_tensor`], [`newton_euler`] | O(n) | Mata2002 §3, Luh1980 |
//! | gravity τ(q, 0, 0) | [`statics`], [`newton_euler`] | O(n) | |
//! | Coriolis vector, bias − gravity | [`gibbs_appell_tensor`], [`newton_euler`] | O(n) | |
//! | inertia matrix | [`gibbs_appell_inertia`] | O(n²) | Mata2002 §4.2 |
//! | | [`composite_body`] | O(n²) | Walker1982 |
//! | | [`orthogonal_complement`] | O(n³) | Angeles1988 |
//! | forward dynamics q̈(q, q̇, τ) | [`gibbs_appell_forward`] | O(n³), the quickest for arms | Mata2002 §3 |
//! | the same, by the papers' equations and solvers | [`joint_space`] | O(n³) | Mata2002 §3 |
//! | | [`articulated_body`] | O(n) | Featherstone1983 |
//! | Coriolis matrix | [`coriolis`] | O(n²) | Echeandia2021 |
//! | | [`christoffel`] | O(n⁴) | |
//! | M a + C(q, v) w + G | [`coriolis`] | O(n) | Niemeyer1991 |
//! | reactions at the joints | [`reactions`], [`newton_euler`] | O(n) | |
//! | external wrenches | [`reactions`] | O(n) | |
//! | regressor, τ = Y φ | [`regressor`], [`unit_parameters`] | O(n²) | |
//! | derivatives of inverse and forward dynamics | [`derivatives`] | O(n²), O(n³) | Carpentier2018, Singh2022 |
//! | forward dynamics with quaternions, followers, screws | [`generalised`] | O(n³) | |
//! | kinetic and potential energy | [`energy`] | O(n) | |
//! | momentum, centre of mass and its Jacobian | [`momentum`] | O(n) | |
//! | Gibbs' function | [`gibbs_function`] | O(n) | Mata2002 eq. 3 |
//!
//! Friction, rotors and springs of the joints ([`joint_effects`]) are part of all of these, unless a method says
//! otherwise. The keys are in `docs/references.md`. τ = D(q) q̈ + C(q, q̇) + G(q): gravity is what holds the arm.

pub mod articulated_body;
mod base_axes;
pub mod christoffel;
pub mod composite_body;
pub mod coriolis;
pub mod derivatives;
pub mod energy;
pub mod generalised;
pub mod gibbs_appell_forward;
pub mod gibbs_appell_inertia;
pub mod gibbs_appell_tensor;
pub mod gibbs_appell_vectorial;
pub mod gibbs_function;
pub mod joint_effects;
pub mod joint_space;
pub mod link_origins;
pub mod momentum;
pub mod newton_euler;
pub mod orthogonal_complement;
pub mod reactions;
pub mod regressor;
pub mod statics;
pub mod unit_parameters;

pub(crate) use base_axes::along_joint;

use crate::kinematics::turn_joints;
use crate::mechanism::Mechanism;
use crate::real::Measured;
use crate::spatial::Vec3;

/// Why no acceleration answers a force.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum InertiaError {
    #[error(
        "the inertia matrix is singular at joint `{joint}`: elimination leaves {pivot:.3e} of {scale:.3e}; this joint, or \
         one that carries it on a parallel axis, moves no inertia of its own: give its body mass and inertia"
    )]
    Singular { joint: String, index: usize, pivot: f64, scale: f64 },
    #[error(
        "the inertia matrix is not positive definite at joint `{joint}`: elimination leaves {pivot:.3e}; \
         a body's inertia is negative, see `appell check`"
    )]
    Indefinite { joint: String, index: usize, pivot: f64 },
    #[error(
        "the inertia at joint `{joint}` is NaN; the state holds a NaN, or a value of it or of the robot is too large"
    )]
    NotFinite { joint: String, index: usize },
}

/// The z component of a vector along z: turning such a base acceleration into the first body costs half.
#[inline(always)]
fn along_z(up: Vec3<f64>) -> Option<f64> {
    (up.x == 0.0 && up.y == 0.0).then_some(up.z)
}

/// An error if elimination left nothing but rounding of a joint's inertia, or no number.
#[inline(always)]
fn refuse_small_pivot<T: Measured>(robot: &Mechanism, index: usize, pivot: T, scale: f64) -> Result<(), InertiaError> {
    // Of several lanes the worst pivot beside the largest scale: what is refused then may be looked at one by one.
    let (pivot, most) = (pivot.least(), pivot.greatest());
    let rounding = robot.dof() as f64 * T::EPSILON * scale.abs();
    if pivot > rounding && most.is_finite() {
        return Ok(());
    }
    let pivot = if most.is_finite() { pivot } else { most };
    let joint = robot.joint_names()[index].clone();
    Err(if !pivot.is_finite() {
        InertiaError::NotFinite { joint, index }
    } else if pivot < -rounding {
        InertiaError::Indefinite { joint, index, pivot }
    } else {
        InertiaError::Singular { joint, index, pivot, scale }
    })
}
