//! Motions, simulations, laws and scenarios.

#[path = "../../../appell/tests/suite/common/mod.rs"]
mod common;

mod control;
mod sampled_loop;
mod scenario;
mod simulation;
mod trajectory;

use appell::spatial::{EulerAngles, Pose, Vec3};
use appell_simulation::simulation::{Method, Options, Tolerances};
use appell_simulation::trajectory::{JointReference, Line, Ramp, Shape, TimeLaw};
use common::numbers;
use serde_json::Value;

/// A motion of all joints that begins and ends at rest.
fn ramp(from: &[f64], to: &[f64], time: f64) -> Box<dyn JointReference> {
    Box::new(Ramp::new(from, to, TimeLaw::new(Shape::Quintic, time).unwrap()).unwrap())
}

/// A joint reference at an instant: q, v, a.
fn joints(path: &mut dyn JointReference, t: f64) -> [Vec<f64>; 3] {
    let mut state = [0, 1, 2].map(|_| vec![0.0; path.joints()]);
    let [q, v, a] = &mut state;
    path.at(t, q, v, a).unwrap();
    state
}

/// The straight line of a golden file.
fn golden_line(file: &Value) -> Line {
    let angles = <[f64; 3]>::try_from(numbers(&file["euler_zyz_deg"])).unwrap().map(f64::to_radians);
    let rotation = EulerAngles::Zyz.rotation(angles);
    let [from, to] = ["p0", "p1"].map(|key| {
        let p = numbers(&file[key]);
        Pose { rotation, position: Vec3::new(p[0], p[1], p[2]) }
    });
    Line::new(&from, &to, TimeLaw::new(Shape::Constant, file["T"].as_f64().unwrap()).unwrap()).unwrap()
}

fn exactly(tolerance: f64) -> Options {
    let tolerances = Tolerances { relative: tolerance, absolute: tolerance };
    Options { method: Method::DormandPrince(tolerances), ..Options::default() }
}

/// Largest difference between two lists.
fn difference(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
