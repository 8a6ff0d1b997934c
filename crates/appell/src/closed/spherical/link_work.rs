//! What every link demands, as a moment about O: virtual work  [Enferadi2010, eqs 63 to 73, with gravity].
//!
//! ```text
//! n = I α + ω × I ω − m ρ × g               of each body about O, in its own axes
//! w = n_platform + Σ Kᵀ τ                   τ: the links' moments along the axes that carry them
//! ```

use super::Workspace;
use super::form::{Body, LegForm};
use super::leg::LegState;
use crate::closed::{ClosedMechanism, Configuration};
use crate::dynamics::joint_effects;
use crate::real::Real;
use crate::spatial::{Vec3, each};

impl Body {
    /// n, in the body's axes.
    #[inline(always)]
    fn moment<T: Real>(&self, omega: Vec3<T>, omega_rate: Vec3<T>, gravity: Vec3<T>) -> Vec3<T> {
        let spin = omega.cross(self.inertia.times_moving(omega));
        self.inertia.times_moving(omega_rate) + spin - self.first_moment.cross_moving(gravity)
    }
}

impl<T: Real> Workspace<T> {
    /// w on ω, of a motion that is set.
    #[inline(always)]
    pub(super) fn moment_of_all(&self, robot: &ClosedMechanism, at: &Configuration<T>) -> Vec3<T> {
        let attitude = &at.pose.rotation;
        let gravity = robot.tree().gravity().lift(self.arm.x);
        let Workspace { form, legs, attitude: motion, .. } = self;
        let [omega, omega_rate, against_gravity] = each(
            [motion.omega, motion.omega_rate, gravity],
            #[inline(always)]
            |v| attitude.transpose_times(v),
        );
        let mut sum = *attitude * form.platform.moment(omega, omega_rate, against_gravity);
        for (state, form) in legs.iter().zip(&form.legs) {
            if form.joints.is_empty() {
                continue;
            }
            let mut torques = of_links(robot, form, state, gravity);
            if robot.tree().has_effects() {
                for (k, &j) in form.joints.iter().enumerate() {
                    let effects = &robot.tree().effects()[j];
                    let inertial = state.accelerations[k].scale(effects.rotor.reflected_inertia());
                    torques[k] = torques[k] + joint_effects::force(effects, at.q[j], state.rates[k]) + inertial;
                }
            }
            state.add_moment(&torques[..form.joints.len()], &mut sum);
        }
        sum
    }
}

/// What the links of a leg demand along its axes: motion outward, moments inward.
#[inline(always)]
fn of_links<T: Real>(robot: &ClosedMechanism, form: &LegForm, state: &LegState<T>, gravity: Vec3<T>) -> [T; 3] {
    let zero = gravity.x.zero();
    let mut moments = [Vec3::zero(zero); 3];
    let (mut omega, mut omega_rate, mut gravity) = (Vec3::zero(zero), Vec3::zero(zero), gravity);
    for (k, (&j, body)) in form.joints.iter().zip(&form.bodies).enumerate() {
        let (placement, turn) = (&robot.tree().links()[j].placement, state.turns[k]);
        gravity = placement.to_body(turn, gravity);
        let (rate, acceleration) = (state.rates[k], state.accelerations[k]);
        if k == 0 {
            omega = Vec3::new(zero, zero, rate);
            omega_rate = Vec3::new(zero, zero, acceleration);
        } else {
            let carried = placement.to_body(turn, omega);
            omega_rate =
                placement.to_body(turn, omega_rate) + Vec3::new(carried.y * rate, -(carried.x * rate), acceleration);
            omega = Vec3::new(carried.x, carried.y, carried.z + rate);
        }
        moments[k] = body.moment(omega, omega_rate, gravity);
    }
    let mut torques = [zero; 3];
    let mut outer = Vec3::zero(zero);
    for (k, &j) in form.joints.iter().enumerate().rev() {
        let whole = moments[k] + outer;
        torques[k] = whole.z;
        if k > 0 {
            outer = robot.tree().links()[j].placement.to_parent(state.turns[k], whole);
        }
    }
    torques
}
