//! What is wrong with what acts in a joint or a motor, and how far it may go.

use super::check_body::check_finite;
use super::{Finding, Friction, JointEffects, Limits, Problems, Rotor, Spring};

/// Limits are ordered and may be infinite.
pub(super) fn check_limits(problems: &mut Problems, place: &str, limits: &Limits) {
    let Limits { lower, upper, velocity, effort } = *limits;
    for (name, value) in [("lower", lower), ("upper", upper), ("velocity", velocity), ("effort", effort)] {
        if value.is_nan() {
            problems.error(format!("{place}.{name}"), Finding::NotANumber);
        }
    }
    if lower > upper {
        problems.warning(place, Finding::LimitsReversed { lower, upper });
    }
    for (name, value) in [("velocity", velocity), ("effort", effort)] {
        if value < 0.0 {
            problems.warning(format!("{place}.{name}"), Finding::Negative { value });
        }
    }
}

/// A rotor and a smoothing are never negative. Friction and springs may be, where a controller imitates them, but
/// such a robot gains energy, so it is worth a word.
pub fn check_effects(problems: &mut Problems, place: &str, effects: &JointEffects) {
    let Friction { viscous, coulomb, smoothing, offset } = effects.friction;
    let Rotor { inertia, gear } = effects.rotor;
    let Spring { stiffness, rest } = effects.spring;
    let entry = |key: &str| format!("{place}.{key}");
    for (key, value) in [("friction.offset", offset), ("rotor.gear", gear), ("spring.rest", rest)] {
        check_finite(problems, &entry(key), [value]);
    }
    for (key, value) in [("friction.smoothing", smoothing), ("rotor.inertia", inertia)] {
        check_finite(problems, &entry(key), [value]);
        if value < 0.0 {
            problems.error(entry(key), Finding::Negative { value });
        }
    }
    for (key, value) in [("friction.viscous", viscous), ("friction.coulomb", coulomb), ("spring.stiffness", stiffness)]
    {
        check_finite(problems, &entry(key), [value]);
        if value < 0.0 {
            problems.warning(entry(key), Finding::Negative { value });
        }
    }
}
