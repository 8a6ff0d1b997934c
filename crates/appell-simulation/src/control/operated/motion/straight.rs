//! Motions of the drives straight ahead: each to a speed of its own, to rest, to a point.

use super::super::bounds::Bounds;
use crate::trajectory::{Along, Rates, Shape, TimeLaw};

/// Positions, velocities and accelerations of the drives.
pub(super) type Drives = [Vec<f64>; 3];

/// A step of each drive towards a speed of its own, at its acceleration limit.
pub(super) fn slew(bounds: &Bounds, target: &[f64], [q_0, v_0]: [&[f64]; 2], dt: f64, [q, v, a]: &mut Drives) {
    for (j, target) in target.iter().enumerate() {
        let most = bounds.acceleration[j];
        let change = target - v_0[j];
        let time = change.abs() / most;
        if time > dt {
            a[j] = most.copysign(change);
            v[j] = a[j].mul_add(dt, v_0[j]);
            q[j] = q_0[j] + 0.5 * (v_0[j] + v[j]) * dt;
        } else {
            (v[j], a[j]) = (*target, 0.0);
            q[j] = q_0[j] + 0.5 * (v_0[j] + target) * time + target * (dt - time);
        }
    }
}

/// Where the drives come to rest if they brake for some time from this state.
pub(super) fn rest_of(time: f64, [q, v]: [&[f64]; 2], rest: &mut [f64]) {
    for (rest, (q, v)) in rest.iter_mut().zip(q.iter().zip(v)) {
        *rest = (0.5 * time).mul_add(*v, *q);
    }
}

/// Braking for some time from a state, so long after its beginning, and before its end.
pub(super) fn brake(time: f64, [q_0, v_0]: &[Vec<f64>; 2], since: f64, [q, v, a]: [&mut [f64]; 3]) {
    let left = 1.0 - since / time;
    for j in 0..q.len() {
        q[j] = (since * 0.5 * (1.0 + left)).mul_add(v_0[j], q_0[j]);
        (v[j], a[j]) = (v_0[j] * left, -v_0[j] / time);
    }
}

/// The quickest time law of a line from one point to another; none where it is no way.
pub(super) fn time_law(bounds: &Bounds, from: &[f64], to: &[f64]) -> Option<TimeLaw> {
    let ways = from.iter().zip(to).map(|(from, to)| (to - from).abs());
    let limits = bounds.speed.iter().zip(&bounds.acceleration);
    let most = ways.zip(limits).fold(Rates::UNLIMITED, |least, (way, (&speed, &acceleration))| {
        least.and(Rates { speed, acceleration, jerk: f64::INFINITY }.over(way))
    });
    TimeLaw::within(Shape::Quintic, most).ok()
}

/// The line, so long after its beginning; whether it has arrived.
pub(super) fn line(law: &TimeLaw, from: &[f64], to: &[f64], since: f64, [q, v, a]: &mut Drives) -> bool {
    let arrived = since >= law.duration();
    let Along { s, rate, second } = law.at(since.min(law.duration()));
    for (j, (from, to)) in from.iter().zip(to).enumerate() {
        let way = to - from;
        (q[j], v[j], a[j]) = (way.mul_add(s, *from), way * rate, way * second);
        if arrived {
            (q[j], v[j], a[j]) = (*to, 0.0, 0.0);
        }
    }
    arrived
}
