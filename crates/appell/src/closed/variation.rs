//! Configurations that vary: a small motion of all bodies, carried by dual numbers.

use super::{ClosedMechanism, Configuration};
use crate::real::Dual;
use crate::spatial::{Mat3, Pose, Vec3};
use core::array::from_fn;

/// Room for a configuration that varies in `N` directions.
#[must_use]
pub fn still<const N: usize>(robot: &ClosedMechanism) -> Configuration<Dual<N>> {
    robot.home().lift(Dual::fixed(0.0))
}

/// Writes a configuration that moves with the velocities `rate(k, direction)` of u in each direction.
///
/// ```text
/// q + ε q̇      p + ε v      R + ε ω̂ R
/// ```
///
/// To first order such a configuration stays assembled if the rates satisfy A u = 0.
pub fn vary<const N: usize>(
    robot: &ClosedMechanism,
    at: &Configuration,
    rate: impl Fn(usize, usize) -> f64,
    varied: &mut Configuration<Dual<N>>,
) {
    for (k, (varied, &value)) in varied.q.iter_mut().zip(&at.q).enumerate() {
        *varied = Dual { value, derivative: from_fn(|direction| rate(k, direction)) };
    }
    if robot.platform().is_none() {
        return;
    }
    let first = robot.tree().dof();
    let vector = |from: usize, direction: usize| {
        Vec3::new(rate(from, direction), rate(from + 1, direction), rate(from + 2, direction))
    };
    let Pose { position, rotation } = &at.pose;
    let turns: [Mat3<f64>; N] = from_fn(|direction| Mat3::skew(vector(first + 3, direction)) * *rotation);
    let dual = |value: f64, derivative: [f64; N]| Dual { value, derivative };
    let component = |k: usize| dual(position[k], from_fn(|direction| rate(first + k, direction)));
    let entry = |i: usize, k: usize| dual(rotation.rows[i][k], from_fn(|direction| turns[direction].rows[i][k]));
    varied.pose = Pose {
        position: Vec3::from(from_fn(component)),
        rotation: Mat3::from_rows(from_fn(|i| Vec3::from(from_fn(|k| entry(i, k))))),
    };
}
