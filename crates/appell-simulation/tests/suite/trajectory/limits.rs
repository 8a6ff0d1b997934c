//! The first limit that a motion passes, whatever the step.

use appell::mechanism::Mechanism;
use appell::robots;
use appell::spatial::{Pose, Vec3};
use appell_simulation::trajectory::limits::{Quantity, Report, check};
use appell_simulation::trajectory::{ClosedMotion, Line, Ramp, Shape, TimeLaw, TreeMotion};

/// Two hinges with limits.
fn arm(limits: &str) -> Mechanism {
    let text = format!(
        r#"
name = "arm"
frames = "modified-dh"
joints = [["upper", "revolute", 0.0, 0.0, "q", 0.0], ["lower", "revolute", 0.0, 1.0, "q", 0.0]]
gravity = [0, -9.81, 0]
body.upper = {{ mass = 1.0, com = [0.5, 0.0, 0.0], inertia = {{ xx = 0.01, yy = 0.01, zz = 0.01 }} }}
body.lower = {{ mass = 1.0, com = [0.5, 0.0, 0.0], inertia = {{ xx = 0.01, yy = 0.01, zz = 0.01 }} }}
joint.lower.limits = {{ {limits} }}
"#
    );
    Mechanism::from_toml(&text).unwrap()
}

fn report(robot: &Mechanism, accelerations: &[f64], step: f64) -> Report {
    let ramp = Ramp::new(&[0.0, 0.0], &[0.5, 1.0], TimeLaw::new(Shape::Cubic, 1.0).unwrap()).unwrap();
    check(&mut TreeMotion::new(robot, Box::new(ramp), true), accelerations, step).unwrap()
}

#[test]
fn each_kind_is_found_when_it_happens() {
    // q = 3 t² − 2 t³, v = 6 (t − t²), a = 6 (1 − 2 t).
    let position = report(&arm("upper = 0.5, lower = -1.0"), &[], 0.037).first.unwrap();
    assert_eq!((position.joint.as_str(), position.quantity), ("lower", Quantity::Position));
    assert!((position.time - 0.5).abs() < 1e-7 && (position.value - 0.5).abs() < 1e-7, "{position}");
    let velocity = report(&arm("velocity = 0.96"), &[], 0.1).first.unwrap();
    assert!((velocity.time - 0.2).abs() < 1e-7 && velocity.quantity == Quantity::Velocity, "{velocity}");
    let acceleration = report(&arm("velocity = 9.0"), &[9.0, 5.0], 0.1).first.unwrap();
    assert!(acceleration.time == 0.0 && acceleration.value == 6.0 && acceleration.limit == 5.0, "{acceleration}");
    let effort = report(&arm("effort = 5.0"), &[], 0.01).first.unwrap();
    assert_eq!((effort.quantity, effort.joint.as_str()), (Quantity::Effort, "lower"));
    assert!(effort.to_string().contains("the effort of joint `lower` is"), "{effort}");
    assert!(report(&arm("upper = 1.0, velocity = 1.5"), &[3.0, 6.0], 0.01).first.is_none(), "used fully, not passed");
}

/// A peak that lies between the samples of a coarse step is found as well, at the same time.
#[test]
fn the_answer_does_not_depend_on_the_step() {
    let robot = arm("velocity = 1.499");
    let fine = report(&robot, &[], 1e-4).first.unwrap();
    for step in [0.3, 0.15, 0.07, 0.03, 0.011] {
        let coarse = report(&robot, &[], step).first.unwrap_or_else(|| panic!("missed in steps of {step}"));
        assert!((coarse.time - fine.time).abs() < 1e-6, "{step}: {} and {}", coarse.time, fine.time);
    }
}

#[test]
fn peaks_are_told_with_their_limits() {
    let found = report(&arm("velocity = 2.0, effort = 100.0"), &[], 0.01);
    assert!(found.first.is_none());
    let peak = found.peaks.iter().find(|peak| peak.joint == 1 && peak.quantity == Quantity::Velocity).unwrap();
    assert!((peak.value - 1.5).abs() < 1e-12 && (peak.time - 0.5).abs() < 1e-12 && peak.limit == 2.0);
    let free = found.peaks.iter().find(|peak| peak.joint == 0 && peak.quantity == Quantity::Effort).unwrap();
    assert!(free.limit.is_infinite() && free.value.abs() > 5.0);
    assert_eq!(found.peaks.len(), 8);
}

/// The drives of a hexapod have limits of position.
#[test]
fn parallel_robots_are_checked() {
    let robot = robots::find("hexapod-6rus").unwrap().closed();
    let home = robot.home().pose;
    let to = Pose { position: home.position + Vec3::new(0.0, 0.0, 0.02), ..home };
    let law = TimeLaw::new(Shape::Quintic, 1.0).unwrap();
    let line = Line::new(&home, &to, law).unwrap();
    let report = check(&mut ClosedMotion::of_platform(&robot, Box::new(line), true), &[], 0.02).unwrap();
    assert!(report.first.is_none());
    let arms = report.peaks.iter().filter(|peak| peak.quantity == Quantity::Position && peak.limit.is_finite());
    assert_eq!(arms.count(), 6);
}
