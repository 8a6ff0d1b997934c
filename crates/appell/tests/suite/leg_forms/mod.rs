//! Legs in closed form, against Newton's method on the leg alone, written apart from ours.

mod random_legs;
mod referee;

use crate::common::closed;
use appell::closed::assembly::{self, AssemblyError};
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::{Branch, ClosingJoint, JointKind};
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Vec3};
use random_legs::*;
use referee::*;
use std::f64::consts::{FRAC_PI_2, PI};

use ClosingJoint::Spherical;
use JointKind::{Prismatic, Revolute};

/// Every solution closes the joint, and Newton's method from random starts finds no other.
fn check_solutions(
    robot: &ClosedMechanism,
    leg: usize,
    pose: &Pose,
    sampler: &mut Sampler,
    label: &str,
) -> Vec<Vec<f64>> {
    let mut workspace = assembly::Workspace::new(robot);
    let mut referee = Referee::new(robot, leg);
    let size = robot.length().max(1.0);
    let solutions = assembly::leg_solutions(robot, &mut workspace, pose, leg);
    for q in &solutions {
        let gap = referee.gap(q, pose);
        assert!(gap <= 1e-12 * size, "{label}: {q:?} is open by {gap:e}");
    }
    for _ in 0..50 {
        let start: Vec<f64> = robot.legs()[leg].joints.iter().map(|_| sampler.within(PI)).collect();
        let found = referee.newton(pose, &start);
        if referee.gap(&found, pose) < 1e-12 * size {
            let nearest = solutions.iter().map(|q| apart(robot, leg, q, &found)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-4, "{label}: misses {found:?} of {solutions:?} by {nearest:e}");
        }
    }
    solutions
}

#[test]
fn legs_of_the_built_in_robots() {
    let mut sampler = Sampler::new(11);
    for (name, modes) in [
        ("gough-stewart", 4),
        ("five-bar", 2),
        ("planar-3rrr", 2),
        ("delta", 4),
        ("3-rps", 2),
        ("agile-wrist", 2),
        ("sst", 2),
        ("hexapod-6rus", 4),
    ] {
        let robot = closed(name);
        let mut workspace = assembly::Workspace::new(&robot);
        for _ in 0..5 {
            let mut there = robot.home().clone();
            let drives: Vec<f64> = robot.driven().iter().map(|&j| there.q[j] + sampler.within(0.05)).collect();
            assembly::at_drives(&robot, &mut workspace, &drives, &mut there).unwrap();
            let mut at = Configuration { pose: there.pose, ..robot.home().clone() };
            assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
            // The attitude of a platform that may not turn is a leg without joints.
            for (leg, part) in robot.legs().iter().enumerate().filter(|(_, part)| !part.joints.is_empty()) {
                assert!(workspace.has_closed_form(leg), "{name}");
                let of_leg = |at: &Configuration| part.joints.iter().map(|&j| at.q[j]).collect::<Vec<f64>>();
                let difference = apart(&robot, leg, &of_leg(&at), &of_leg(&there));
                assert!(difference < 1e-9, "{name}: {difference:e}");
                assert!(Referee::new(&robot, leg).gap(&of_leg(&at), &at.pose) < 1e-13);
                let solutions = check_solutions(&robot, leg, &there.pose, &mut sampler, name);
                // The forearm of a Delta closes by a universal joint, which forbids what the other two would do.
                let modes = if name == "delta" { solutions.len() } else { modes };
                assert_eq!(solutions.len(), modes, "{name}");
            }
        }
    }
}

#[test]
fn random_legs_of_every_form() {
    for seed in 0..12 {
        let mut sampler = Sampler::new(seed);
        for shape in shapes(&mut sampler) {
            let label = format!("seed {seed}, {}", shape.name);
            let q = random_q(&mut sampler, &shape);
            let description = robot(&mut sampler, &shape, &q, &[]);
            let robot = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{label}: {error}"));
            let mut workspace = assembly::Workspace::new(&robot);
            assert_eq!(robot.legs().len(), 1, "{label}");
            assert!(workspace.has_closed_form(0), "{label}");
            let mut referee = Referee::new(&robot, 0);
            for _ in 0..4 {
                let end = forward(&shape, &random_q(&mut sampler, &shape));
                let turned = Pose { rotation: free(&mut sampler, shape.closing), position: Vec3::zero(0.0) };
                let pose = end * turned * robot.closures()[0].second.pose.inverse();
                let solutions = check_solutions(&robot, 0, &pose, &mut sampler, &label);
                assert!(!solutions.is_empty(), "{label}");
                for solution in &solutions {
                    // From near a solution the leg goes there, and not to another.
                    let start = solution.iter().map(|q| q + sampler.within(1e-3)).collect();
                    let mut at = Configuration { q: start, pose };
                    let start = at.q.clone();
                    assembly::at_pose(&robot, &mut workspace, &mut at)
                        .unwrap_or_else(|error| panic!("{label}: {error}"));
                    assert!(referee.gap(&at.q, &pose) < 1e-12, "{label}");
                    assert!(apart(&robot, 0, &at.q, &start) < 3e-3, "{label}: {:?} from {start:?}", at.q);
                }
            }
        }
    }
}

#[test]
fn poses_out_of_reach_are_errors_that_tell_the_gap() {
    let mut unreached = 0;
    for seed in 0..6 {
        let mut sampler = Sampler::new(seed);
        for shape in shapes(&mut sampler) {
            let label = format!("seed {seed}, {}", shape.name);
            let q = random_q(&mut sampler, &shape);
            let robot = ClosedMechanism::new(&robot(&mut sampler, &shape, &q, &[])).unwrap();
            let mut workspace = assembly::Workspace::new(&robot);
            let mut referee = Referee::new(&robot, 0);
            for size in [0.01, 1.0, 10.0] {
                let mut at = robot.home().clone();
                at.pose.position = at.pose.position + sampler.vector(size);
                at.pose.rotation = rotation(&mut sampler);
                let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
                let least = (0..25)
                    .map(|_| {
                        let start: Vec<f64> = q.iter().map(|_| sampler.within(PI)).collect();
                        let found = referee.newton(&at.pose, &start);
                        referee.gap(&found, &at.pose)
                    })
                    .fold(f64::INFINITY, f64::min);
                match answer {
                    Ok(()) => assert!(referee.gap(&at.q, &at.pose) <= assembly::CLOSED * robot.length(), "{label}"),
                    Err(AssemblyError::OutOfReach { gap, .. }) => {
                        unreached += 1;
                        assert_eq!(at.q, robot.home().q, "{label}");
                        // Where a point and angles, or a height and a distance, are missed together, the gap is that
                        // of a local minimum.
                        let by_height = ["RRR, first parallel", "RRR, last parallel", "RPR", "PRP"];
                        let is_least = shape.closing == Spherical && !by_height.contains(&shape.name);
                        let most = if is_least { 1.001 * least } else { 2.0 * least };
                        assert!((0.999 * least..=most).contains(&gap), "{label}, {size}: {gap} instead of {least}");
                        assert_eq!(assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0).len(), 0, "{label}");
                    }
                    Err(error) => panic!("{label}: {error}"),
                }
            }
        }
    }
    assert!(unreached > 50, "{unreached}");
}

/// Two links of 0.24 m and 0.3 m along x at zero.
fn two_links(sampler: &mut Sampler, branches: [Branch; 2]) -> (Shape, ClosedMechanism) {
    let (z, x) = (Vec3::new(0.0, 0.0, 1.0), |x: f64| Vec3::new(x, 0.0, 0.0));
    let shape = Shape {
        name: "two links",
        axes: vec![(Revolute, z, x(0.0)), (Revolute, z, x(0.24))],
        end: Pose { rotation: Mat3::identity(0.0), position: x(0.54) },
        closing: Spherical,
    };
    let q = [0.3, if branches[1] == Branch::Negative { -1.0 } else { 1.0 }];
    let mut description = robot(sampler, &shape, &q, &branches);
    // Branches are about the zeros of the shape.
    for (joint, q) in description.joints.iter_mut().zip(q) {
        joint.placement.theta += joint.home - q;
        joint.home = q;
    }
    (shape, ClosedMechanism::new(&description).unwrap())
}

/// The pose of the platform at an end of the leg.
fn held(robot: &ClosedMechanism, end: Pose) -> Pose {
    end * robot.closures()[0].second.pose.inverse()
}

#[test]
fn stretched_and_folded_legs() {
    let mut sampler = Sampler::new(5);
    for branch in [Branch::Any, Branch::Positive, Branch::Negative] {
        let (shape, robot) = two_links(&mut sampler, [Branch::Any, branch]);
        let mut workspace = assembly::Workspace::new(&robot);
        let mut referee = Referee::new(&robot, 0);
        for q1 in [-3.0, -1.0, 0.0, 0.7, 2.5] {
            for q2 in [0.0, PI] {
                for bend in [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3] {
                    let end = forward(&shape, &[q1, q2 + bend]);
                    let mut at = Configuration { pose: held(&robot, end), ..robot.home().clone() };
                    assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
                    assert!(referee.gap(&at.q, &at.pose) < 1e-14, "{branch:?} {q1} {q2} {bend}: {:?}", at.q);
                    let solutions = assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0);
                    let expected = if bend >= 1e-3 { 2..=2 } else { 1..=2 };
                    assert!(expected.contains(&solutions.len()), "{q1} {q2} {bend}: {solutions:?}");
                }
                // A little farther than the leg comes when it is stretched.
                let mut end = forward(&shape, &[q1, q2]);
                let out = end.position.scale(1.0 / end.position.norm());
                end.position = end.position + out.scale(1e-4);
                let mut at = Configuration { pose: held(&robot, end), ..robot.home().clone() };
                let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
                match answer {
                    Err(AssemblyError::OutOfReach { gap, .. }) if q2 == 0.0 => assert!((gap - 1e-4).abs() < 1e-12),
                    answer => assert!(q2 != 0.0 && answer.is_ok(), "{answer:?}"),
                }
            }
        }
        // Over the first axis nothing of the first angle is known, and the leg does not come there.
        let mut at = Configuration {
            pose: held(&robot, Pose { position: Vec3::zero(0.0), ..forward(&shape, &[0.0, 0.0]) }),
            ..robot.home().clone()
        };
        let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
        assert!(
            matches!(answer, Err(AssemblyError::OutOfReach { gap, .. }) if (gap - 0.06).abs() < 1e-9),
            "{answer:?}"
        );
    }
}

#[test]
fn a_pose_in_another_working_mode_alone_is_told() {
    let mut sampler = Sampler::new(5);
    let (shape, robot) = two_links(&mut sampler, [Branch::Positive; 2]);
    let mut workspace = assembly::Workspace::new(&robot);
    // The other elbow reaches the same point.
    let mut at = Configuration { pose: held(&robot, forward(&shape, &[2.0, -1.0])), ..robot.home().clone() };
    assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
    assert!((at.q[1] - 1.0).abs() < 1e-12, "{:?}", at.q);
    let mut at = Configuration { pose: held(&robot, forward(&shape, &[-2.0, 1.0])), ..robot.home().clone() };
    let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
    assert!(matches!(answer, Err(AssemblyError::OtherMode { .. })), "{answer:?}");
    assert_eq!(at.q, robot.home().q);
    assert_eq!(assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0).len(), 2);
}

/// A leg along the first axis of its universal joint, or near it.
#[test]
fn an_angle_that_the_pose_does_not_determine_stays() {
    let mut sampler = Sampler::new(8);
    let (x, y, z) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0));
    let centre = Vec3::new(0.1, 0.2, 0.3);
    let shape = Shape {
        name: "UPS",
        axes: vec![(Revolute, x, centre), (Revolute, y, centre), (Prismatic, z, centre)],
        end: Pose { rotation: Mat3::identity(0.0), position: centre },
        closing: Spherical,
    };
    let q = [0.2, 0.3, 0.9];
    let robot = ClosedMechanism::new(&robot(&mut sampler, &shape, &q, &[])).unwrap();
    let mut workspace = assembly::Workspace::new(&robot);
    let mut referee = Referee::new(&robot, 0);
    let home = robot.home().q.clone();
    for (off, length) in [(0.0, 0.9), (1e-16, 0.9), (1e-12, 0.9), (1e-8, 0.9), (1e-4, 0.9), (0.1, 0.0)] {
        let end = forward(&shape, &[-0.4, FRAC_PI_2 - off, length]);
        let mut at = Configuration { pose: held(&robot, end), q: home.clone() };
        assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
        assert!(referee.gap(&at.q, &at.pose) < 1e-14, "{off}: {:?}", at.q);
        if off == 0.0 {
            assert!((at.q[0] - home[0]).abs() < 1e-12, "{off}: {:?}", at.q);
        }
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let robot = closed("gough-stewart");
    let mut workspace = assembly::Workspace::new(&robot);
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut at = robot.home().clone();
        at.pose.position.x = bad;
        assert_eq!(assembly::at_pose(&robot, &mut workspace, &mut at), Err(AssemblyError::NotFinite));
        assert!(assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0).is_empty());
    }
}

/// Axes that miss each other by little are no universal joint: such legs keep Newton's method, and both agree.
#[test]
fn legs_that_are_nearly_of_a_form() {
    for seed in 0..5 {
        let mut sampler = Sampler::new(seed);
        for mut shape in shapes(&mut sampler).into_iter().filter(|shape| ["UPS askew", "RUS"].contains(&shape.name)) {
            let q = random_q(&mut sampler, &shape);
            let middle = shape.axes[1].1;
            let skew = right(&mut sampler, middle);
            shape.axes[1].2 = shape.axes[1].2 + skew.scale(1e-5);
            let robot = ClosedMechanism::new(&robot(&mut sampler, &shape, &q, &[])).unwrap();
            let mut workspace = assembly::Workspace::new(&robot);
            assert!(!workspace.has_closed_form(0), "{}", shape.name);
            let pose = held(&robot, forward(&shape, &random_q(&mut sampler, &shape)));
            let solutions = assembly::leg_solutions(&robot, &mut workspace, &pose, 0);
            assert!(!solutions.is_empty(), "seed {seed}, {}", shape.name);
            let mut referee = Referee::new(&robot, 0);
            assert!(solutions.iter().all(|q| referee.gap(q, &pose) < 1e-10));
        }
    }
}
