//! What is wrong with what acts in a joint or a motor, and how far it may go.

use super::check_body::check_finite;
use super::{Finding, Friction, FrictionCurve, JointEffects, Limits, Problems, Rotor, Spring};

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

/// A rotor, a smoothing and the speed of Stribeck's excess are never negative. Friction and springs may be, where a controller
/// imitates them, but such a robot gains energy, so it is worth a word.
pub fn check_effects(problems: &mut Problems, place: &str, effects: &JointEffects) {
    let Friction { viscous, coulomb, smoothing, offset, curve } = effects.friction;
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
    let Some(FrictionCurve { square_root, cubic, asymmetric, stribeck, stribeck_speed }) = curve else { return };
    for (key, value) in [
        ("friction.square_root", square_root),
        ("friction.cubic", cubic),
        ("friction.asymmetric", asymmetric),
        ("friction.stribeck", stribeck),
        ("friction.stribeck_speed", stribeck_speed),
    ] {
        check_finite(problems, &entry(key), [value]);
    }
    if stribeck_speed < 0.0 || stribeck != 0.0 && stribeck_speed == 0.0 {
        problems.error(entry("friction.stribeck_speed"), Finding::NotPositive { value: stribeck_speed });
    }
    let at_rest = effects.friction.at_rest();
    if at_rest < 0.0 && coulomb >= 0.0 {
        problems.warning(entry("friction.stribeck"), Finding::NegativeAtRest { value: at_rest });
    }
}

/// Where a file says no limit: joints of robots are slower, rad/s or m/s.
const FASTEST: f64 = 100.0;

/// Speeds, each larger than the one before by the same factor, from the largest down to a millionth of it.
const SPEEDS: usize = 600;

/// Friction with a curve brakes at all speeds that the joint may have. One that [`check_effects`] has a word for already is passed by.
pub(super) fn lint_friction(problems: &mut Problems, place: &str, friction: &Friction, limits: &Limits) {
    if friction.curve.is_none() || friction.viscous < 0.0 || friction.coulomb < 0.0 || friction.at_rest() < 0.0 {
        return;
    }
    let largest = if limits.velocity > 0.0 && limits.velocity.is_finite() { limits.velocity } else { FASTEST };
    let speeds = (0..=SPEEDS).map(|k| largest * 1e-6_f64.powf(1.0 - k as f64 / SPEEDS as f64));
    let drives = |v: f64| friction.resistance(v) * v.signum() < 0.0;
    if let Some(velocity) = speeds.flat_map(|speed| [speed, -speed]).find(|&v| drives(v)) {
        problems.warning(format!("{place}.friction"), Finding::FrictionDrives { velocity, largest });
    }
}
