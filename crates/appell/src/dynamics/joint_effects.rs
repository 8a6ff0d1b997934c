//! Friction, rotors and springs of the joints, added to what the bodies need.
//!
//! ```text
//! τ = τ_bodies + I_rotor q̈ + f_v q̇ + f_c sign(q̇) + f_0 + curve(q̇) + k (q − q₀)
//! ```
//!
//! Every method of inverse dynamics, bias, inertia and forward dynamics calls these, so that a robot with effects is
//! the same robot to all of them. A robot without any pays nothing. What friction does is said at
//! [`Friction`](crate::description::Friction).

use crate::description::JointEffects;
use crate::mechanism::Mechanism;
use crate::real::Real;

/// The force of friction and spring at a joint's state, N m or N; of what the joint has, which is mostly damping alone.
#[inline(always)]
pub fn force<T: Real>(effects: &JointEffects, q: T, v: T) -> T {
    let (friction, spring) = (&effects.friction, &effects.spring);
    let mut force = friction.resistance(v);
    if spring.stiffness != 0.0 {
        force = force + (q - q.constant(spring.rest)).scale(spring.stiffness);
    }
    if friction.offset != 0.0 {
        force = force + v.constant(friction.offset);
    }
    force
}

/// Adds the effects to joint forces; `a` is absent for the bias.
#[inline(always)]
pub(super) fn add_to_forces<T: Real>(robot: &Mechanism, q: &[T], v: &[T], a: Option<&[T]>, tau: &mut [T]) {
    if !robot.has_effects() {
        return;
    }
    for (j, effects) in robot.effects().iter().enumerate() {
        tau[j] = tau[j] + force(effects, q[j], v[j]);
        let rotor = effects.rotor.reflected_inertia();
        if let Some(a) = a
            && rotor != 0.0
        {
            tau[j] = a[j].scale_add(rotor, tau[j]);
        }
    }
}

/// Adds the rotors to the diagonal of an inertia matrix, given row by row.
#[inline(always)]
pub(super) fn add_to_inertia<T: Real>(robot: &Mechanism, matrix: &mut [T]) {
    if !robot.has_effects() {
        return;
    }
    let diagonal = matrix.iter_mut().step_by(robot.dof() + 1);
    for (effects, entry) in robot.effects().iter().zip(diagonal) {
        *entry = *entry + entry.constant(effects.rotor.reflected_inertia());
    }
}

/// Adds the slopes of the effects to the diagonals of ∂τ/∂q and ∂τ/∂q̇, given row by row.
///
/// ```text
/// ∂/∂q = k        ∂/∂q̇ = f_v + f_c ε² / (q̇² + ε²)^3/2 + curve'        ε: smoothing; a sharp sign is flat on both sides
/// ```
#[inline(always)]
pub(super) fn add_to_slopes<T: Real>(robot: &Mechanism, v: &[T], by_q: &mut [T], by_v: &mut [T]) {
    if !robot.has_effects() {
        return;
    }
    let n = robot.dof();
    for (j, JointEffects { friction, spring, .. }) in robot.effects().iter().enumerate() {
        let entry = j * (n + 1);
        by_q[entry] = by_q[entry] + v[j].constant(spring.stiffness);
        by_v[entry] = by_v[entry] + v[j].constant(friction.viscous);
        if friction.smoothing != 0.0 {
            let square = friction.smoothing * friction.smoothing;
            let length = v[j].mul_add(v[j], v[j].constant(square));
            by_v[entry] = by_v[entry] + v[j].constant(friction.coulomb * square) / (length * length.sqrt());
        }
        if let Some(curve) = &friction.curve {
            by_v[entry] = by_v[entry] + curve.slope(v[j], friction.smoothing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Friction, FrictionCurve, Rotor, Spring};

    #[test]
    fn force_by_its_parts() {
        let effects = JointEffects {
            friction: Friction { viscous: 2.0, coulomb: 3.0, offset: 0.25, ..Friction::default() },
            rotor: Rotor { inertia: 1e-4, gear: 50.0 },
            spring: Spring { stiffness: 10.0, rest: 0.1 },
        };
        assert_eq!(force(&effects, 0.3, 0.5), 1.0 + 3.0 + 2.0 + 0.25);
        assert_eq!(force(&effects, 0.1, -0.5), -1.0 - 3.0 + 0.25);
        assert_eq!(force(&effects, 0.1, 0.0), 0.25);
        assert!((effects.rotor.reflected_inertia() - 0.25).abs() < 1e-15);
        let curve = FrictionCurve { cubic: 2.0, ..FrictionCurve::default() };
        let bent = JointEffects { friction: Friction { curve: Some(curve), ..effects.friction }, ..effects };
        assert_eq!(force(&bent, 0.3, 0.5), force(&effects, 0.3, 0.5) + 0.25);
    }
}
