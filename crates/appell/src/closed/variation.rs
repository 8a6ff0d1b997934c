//! Configurations that vary: a small motion of all bodies, carried by dual numbers.

use super::{ClosedMechanism, Configuration};
use crate::real::{Dual, Real};
use crate::spatial::{Mat3, Pose, Vec3};

/// Workspace for a configuration that varies in `N` directions.
#[must_use]
pub fn still<const N: usize>(robot: &ClosedMechanism) -> Configuration<Dual<N>> {
    still_with_scalar(robot, 0.0)
}

/// The same over the numbers of the kind of `like`.
#[must_use]
pub fn still_with_scalar<const N: usize, T: Real>(robot: &ClosedMechanism, like: T) -> Configuration<Dual<N, T>> {
    robot.home().lift(Dual::fixed(like))
}

/// Writes a configuration that moves with the velocities `rate(k, direction)` of u in each direction.
///
/// ```text
/// q + ε q̇      p + ε v      R + ε ω̂ R
/// ```
///
/// To first order such a configuration stays assembled if the rates satisfy A u = 0.
#[inline(always)]
pub fn vary<const N: usize, T: Real>(
    robot: &ClosedMechanism,
    at: &Configuration<T>,
    rate: impl Fn(usize, usize) -> T,
    varied: &mut Configuration<Dual<N, T>>,
) {
    for (k, (varied, &value)) in varied.q.iter_mut().zip(&at.q).enumerate() {
        varied.value = value;
        for (direction, derivative) in varied.derivative.iter_mut().enumerate() {
            *derivative = rate(k, direction);
        }
    }
    if robot.platform().is_none() {
        return;
    }
    let first = robot.tree().dof();
    let Pose { position, rotation } = at.pose;
    let still = Dual { value: position.x, derivative: [position.x; N] };
    let (mut place, mut entries) = ([still; 3], [[still; 3]; 3]);
    for (k, place) in place.iter_mut().enumerate() {
        place.value = position[k];
        for (entry, row) in entries.iter_mut().zip(rotation.rows) {
            entry[k].value = row[k];
        }
    }
    for direction in 0..N {
        let turn = Vec3::new(rate(first + 3, direction), rate(first + 4, direction), rate(first + 5, direction));
        let turned = Mat3::skew(turn) * rotation;
        for (k, place) in place.iter_mut().enumerate() {
            place.derivative[direction] = rate(first + k, direction);
            for (entry, row) in entries.iter_mut().zip(turned.rows) {
                entry[k].derivative[direction] = row[k];
            }
        }
    }
    let [x, y, z] = entries;
    let rotation = Mat3::from_rows([Vec3::from(x), Vec3::from(y), Vec3::from(z)]);
    varied.pose = Pose { position: Vec3::from(place), rotation };
}
