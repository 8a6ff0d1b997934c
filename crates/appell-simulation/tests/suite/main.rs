//! Motions, simulations, laws and scenarios.

#[path = "../../../appell/tests/suite/common/mod.rs"]
mod common;

mod control;
mod friction;
mod friction_curves;
mod generalised;
mod limits;
mod operated;
mod recorder;
mod safety;
mod sampled_loop;
mod scenario;
mod simulation;
mod trajectory;
mod type1;

use appell::closed::ClosedMechanism;
use appell::spatial::{EulerAngles, Pose, Vec3};
use appell_simulation::control::{DriveTorque, Gains, Law, PlatformTorque};
use appell_simulation::simulation::{Method, Options, Tolerances, View};
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

/// A law that leads a parallel robot from home in a time: its platform by a way, or else all its drives by 0.03. And how
/// far the robot is from there.
fn led<'r>(
    robot: &'r ClosedMechanism,
    way: Option<Vec3>,
    time: f64,
    gains: Gains,
) -> (Box<dyn Law + 'r>, impl Fn(&View<'_>) -> f64) {
    let home = robot.home();
    let to = Pose { position: home.pose.position + way.unwrap_or_default(), ..home.pose };
    let here: Vec<f64> = robot.driven().iter().map(|&j| home.q[j]).collect();
    let there: Vec<f64> = here.iter().map(|q| q + 0.03).collect();
    let law: Box<dyn Law + 'r> = if way.is_some() {
        let line = Line::new(&home.pose, &to, TimeLaw::new(Shape::Quintic, time).unwrap()).unwrap();
        Box::new(PlatformTorque::new(robot, Box::new(line), gains))
    } else {
        Box::new(DriveTorque::new(robot, ramp(&here, &there, time), vec![gains; here.len()]))
    };
    let off = move |view: &View<'_>| match way {
        Some(_) => (view.platform.unwrap().0.position - to.position).norm(),
        None => difference(&robot.driven().iter().map(|&j| view.q[j]).collect::<Vec<_>>(), &there),
    };
    (law, off)
}
