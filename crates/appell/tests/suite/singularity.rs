//! Singular poses: what is lost, what moves in vain, and measures that do not depend on the unit of length.

use crate::common::{changed, open, scaled};
use appell::kinematics::singularity::{Metric, Workspace, lost_directions, measures, self_motions};
use appell::kinematics::velocities;
use appell::mechanism::Mechanism;
use appell::sample::{Sampler, Shape};
use appell::{kinematics, spatial::Twist};

fn last_frame(robot: &Mechanism) -> usize {
    robot.frames().len() - 1
}

/// Scalar product of two twists in a metric.
fn product(a: &Twist, b: &Twist, length: f64) -> f64 {
    a.linear.dot(b.linear) / (length * length) + a.angular.dot(b.angular)
}

#[test]
fn a_straight_wrist_turns_in_vain() {
    let robot = open("puma560");
    let (metric, mut ws) = (Metric::of(&robot, 5), Workspace::new(&robot));
    let q = [0.3, -0.7, 0.4, 0.2, 0.0, -0.6];
    let motions = self_motions(&robot, &mut ws, &q, 5, &metric);
    assert_eq!(motions.len(), 1);
    let [(one, forwards), (other, backwards)] = motions[0].joints[..] else { panic!("{motions:?}") };
    assert!(matches!((one, other), ("wrist-roll", "wrist-yaw") | ("wrist-yaw", "wrist-roll")));
    assert!((forwards - 0.5_f64.sqrt()).abs() < 1e-14 && (forwards + backwards).abs() < 1e-14);
    let found = measures(&robot, &mut ws, &q, 5, &metric);
    assert_eq!(found.rank, 5);
    assert!(found.manipulability < 1e-16 && found.inverse_condition < 1e-15, "{found:?}");
    // About the axis at a right angle to all three of the wrist's it cannot turn.
    let lost = lost_directions(&robot, &mut ws, &q, 5, &metric);
    assert_eq!(lost.len(), 1);
    let jacobian =
        kinematics::jacobian(&robot, &mut kinematics::Workspace::new(&robot), &q, 5, Default::default()).to_vec();
    for j in 3..6 {
        let axis = [3, 4, 5].map(|row| jacobian[6 * row + j]);
        assert!(lost[0].angular.dot(axis.into()).abs() < 1e-15);
    }
}

#[test]
fn a_stretched_arm_cannot_move_outwards() {
    let robot = changed("puma560", |description| description.joints[2].placement.r = 0.0); // or the waist would help
    let (metric, mut ws) = (Metric::of(&robot, 5), Workspace::new(&robot));
    let q = [0.3, -0.7, -0.433_f64.atan2(-0.02), 0.2, 0.9, -0.6];
    assert_eq!(measures(&robot, &mut ws, &q, 5, &metric).rank, 5);
    let [lost] = lost_directions(&robot, &mut ws, &q, 5, &metric)[..] else { panic!("only one") };
    let mut forward = kinematics::Workspace::new(&robot);
    let outwards = kinematics::positions(&robot, &mut forward, &q)[5].position;
    assert!(lost.linear.cross(outwards).norm() < 1e-14 && lost.angular.norm() < 1e-14, "{lost:?}");

    let robot = open("two-link");
    let (metric, mut ws) = (Metric::of(&robot, 2), Workspace::new(&robot));
    let found = measures(&robot, &mut ws, &[0.4, 0.0], 2, &metric);
    assert_eq!(found.singular_values[2..], [0.0; 4]);
    assert_eq!(found.rank, 2, "the tip still turns as it moves");
}

#[test]
fn a_redundant_arm_moves_within_itself() {
    let mut sampler = Sampler::new(1);
    for robot in [open("seven-axis"), sampler.robot(9, Shape::Chain), sampler.robot(12, Shape::Tree)] {
        let (frame, mut ws) = (last_frame(&robot), Workspace::new(&robot));
        let (metric, mut forward) = (Metric::of(&robot, frame), kinematics::Workspace::new(&robot));
        for _ in 0..20 {
            let q = sampler.state(&robot).q;
            let motions = self_motions(&robot, &mut ws, &q, frame, &metric);
            let rank = measures(&robot, &mut ws, &q, frame, &metric).rank;
            assert_eq!(motions.len(), robot.dof() - rank);
            assert!(robot.dof() != 7 || motions.len() == 1);
            for motion in motions {
                let mut v = vec![0.0; robot.dof()];
                for (name, velocity) in motion.joints {
                    v[robot.joint_names().iter().position(|joint| joint == name).unwrap()] = velocity;
                }
                let twist = velocities(&robot, &mut forward, &q, &v)[frame];
                assert!(product(&twist, &twist, metric.length).sqrt() < 1e-8, "{twist:?}");
            }
        }
    }
}

#[test]
fn lost_directions_are_at_right_angles_to_all_motions() {
    let (mut sampler, robot) = (Sampler::new(2), open("scara"));
    let (frame, mut ws) = (last_frame(&robot), Workspace::new(&robot));
    let (metric, mut forward) = (Metric::of(&robot, frame), kinematics::Workspace::new(&robot));
    for _ in 0..20 {
        let state = sampler.state(&robot);
        let lost = lost_directions(&robot, &mut ws, &state.q, frame, &metric);
        assert_eq!(lost.len(), 2, "it cannot tilt");
        let made = velocities(&robot, &mut forward, &state.q, &state.v)[frame];
        assert!(lost.iter().all(|lost| product(lost, &made, metric.length).abs() < 1e-14));
    }
}

#[test]
fn manipulability_is_the_determinant() {
    let (mut sampler, robot) = (Sampler::new(3), open("seven-axis"));
    let (frame, mut ws) = (last_frame(&robot), Workspace::new(&robot));
    for _ in 0..20 {
        let q = sampler.state(&robot).q;
        let found = measures(&robot, &mut ws, &q, frame, &Metric::of(&robot, frame));
        let mut forward = kinematics::Workspace::new(&robot);
        let j = kinematics::jacobian(&robot, &mut forward, &q, frame, Default::default());
        let j = nalgebra::DMatrix::from_row_slice(6, 7, j);
        let determinant = (&j * j.transpose()).determinant();
        assert!((found.manipulability.powi(2) / determinant - 1.0).abs() < 1e-8);
    }
}

#[test]
fn a_scaled_robot_has_the_same_condition() {
    let (small, large) = (open("stanford"), scaled("stanford", 1000.0));
    let (mut ws, mut sampler) = (Workspace::new(&small), Sampler::new(4));
    for _ in 0..20 {
        let mut q = sampler.state(&small).q;
        let one = measures(&small, &mut ws, &q, 5, &Metric { length: 0.5, tolerance: 1e-9 });
        q[2] *= 1000.0;
        let other = measures(&large, &mut ws, &q, 5, &Metric { length: 500.0, tolerance: 1e-9 });
        assert!((one.inverse_condition / other.inverse_condition - 1.0).abs() < 1e-10, "{one:?} {other:?}");
        assert_eq!(one.rank, other.rank);
        assert_eq!(large.reach(5), 1000.0 * small.reach(5));
    }
}
