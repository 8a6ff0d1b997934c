//! Fingers that were not recorded: they stand, and are part of what carries them.

use crate::recording::{Recording, record};
use appell::description::{BodyDescription, Convention, Description, JointDescription, JointKind, Limits, Mimic, toml};
use appell::spatial::Vec3;
use appell::{Robot, robots};
use appell_identification::data::Layout;
use appell_identification::identified::Source;
use appell_identification::identify::{Identified, IdentifyError, Options, Recordings, Table, identify};
use appell_identification::unknowns::{Lock, with_locked};

/// A PUMA with two fingers on its hand, of which the second follows the first; they are of this mass.
fn gripper(mass: f64) -> Description {
    let (mut description, _) = toml::read(robots::find("puma560").unwrap().toml).unwrap();
    let hand = description.joints[5].clone();
    description.joints[5].body.mass = 1.5;
    description.joints[5].body.com = Vec3::new(0.0, 0.0, 0.05);
    let finger = |name: &str, mimic: Option<Mimic>| {
        let mut joint = JointDescription::new(name, JointKind::Prismatic);
        (joint.parent, joint.mimic) = (Some(hand.name.clone()), mimic);
        (joint.placement.alpha, joint.placement.r) = (1.2, 0.1);
        joint.limits = Limits { lower: 0.0, upper: 0.08, ..Limits::default() };
        let inertia = hand.body.inertia;
        joint.body = BodyDescription { mass, com: Vec3::new(0.01, 0.02, 0.03), inertia };
        joint
    };
    description.joints.push(finger("finger", None));
    description.joints.push(finger("thumb", Some(Mimic::new("finger", -1.0, 0.0))));
    description.convention = Convention::KhalilKleinfinger;
    description
}

fn lock(position: f64) -> Vec<Lock> {
    vec![Lock { joint: "finger".into(), position: Some(position) }]
}

/// What is found of a recording in which the fingers stood at 50 mm.
fn found(locked: Vec<Lock>) -> Result<Identified, IdentifyError> {
    let truth = with_locked(&Robot::new(gripper(0.6)).unwrap(), &lock(0.05)).unwrap();
    let robot = Robot::builtin("puma560").unwrap();
    let recording = Recording { seed: 21, rate: 250.0, duration: 20.0, amplitude: 0.8, quantised: false, noise: 0.0 };
    let recorded = record(&robot, &recording);
    let mut dynamics = truth.dynamics();
    let mut tau: Vec<Vec<f64>> = vec![Vec::new(); 6];
    for i in 0..recorded.count {
        let of = |part: &[Vec<f64>]| -> Vec<f64> { part.iter().map(|joint| joint[i]).collect() };
        let found = dynamics.inverse_dynamics(&of(&recorded.q), &of(&recorded.v), &of(&recorded.a)).unwrap();
        tau.iter_mut().zip(found).for_each(|(tau, x)| tau.push(*x));
    }
    let mut columns = vec![("t".to_owned(), (0..recorded.count).map(|k| k as f64 / 250.0).collect::<Vec<f64>>())];
    for (symbol, channels) in [("q", &recorded.q), ("tau", &tau)] {
        columns.extend(channels.iter().enumerate().map(|(k, channel)| (format!("{symbol}{}", k + 1), channel.clone())));
    }
    let source = Source { name: "run.csv".into(), hash: "1".into() };
    let recordings = Recordings { data: vec![Table { source, columns }], ..Recordings::default() };
    let given = Robot::new(gripper(0.4)).unwrap();
    let mut options = Options::usual(&with_locked(&given, &locked).unwrap(), &[]);
    options.asked.locked = locked;
    identify(&given, &recordings, &options)
}

#[test]
fn fingers_that_stand_are_part_of_the_hand() {
    let found = found(lock(0.05)).unwrap();
    let (full, names) = (&found.full, found.full.base.names());
    println!("{:.2e}; {}", full.estimate.fit.relative, full.base);
    assert!(full.estimate.fit.relative < 2e-3, "{:?}", full.estimate.fit);
    assert!(names.iter().all(|name| !name.contains(['7', '8'])), "{names:?}");
    assert!(full.base.to_string().lines().any(|line| line.starts_with("MX6R") && line.contains("MX7")));
    // The robot that is written has the fingers still, and predicts what was measured; standing elsewhere they weigh as much.
    let files = found.files.as_ref().unwrap();
    assert!(files.toml.contains("# Standing joints: finger = 0.05"), "{}", files.toml);
    let written = Robot::from_toml(&files.toml).unwrap();
    assert_eq!(written.drives().len(), 8);
    assert!(written.tree().followers()[7].is_some() && written.tree().followers()[6].is_none());
    let mass = |robot: &Robot| robot.tree().body(6).mass + robot.tree().body(7).mass;
    assert!(mass(&written) > mass(&Robot::new(gripper(0.4)).unwrap()), "{}", mass(&written));
    let truth = with_locked(&Robot::new(gripper(0.6)).unwrap(), &lock(0.05)).unwrap();
    let written = with_locked(&written, &lock(0.05)).unwrap();
    let (q, v, a) =
        ([0.3, -0.5, 0.8, 0.4, 0.9, -1.0], [1.0, -0.7, 0.6, 1.2, -0.8, 0.5], [2.0, 1.0, -3.0, 4.0, -2.0, 5.0]);
    let of = |robot: &Robot| robot.dynamics().inverse_dynamics(&q, &v, &a).unwrap().to_vec();
    for (written, truth) in of(&written).iter().zip(of(&truth)) {
        assert!((written - truth).abs() < 0.02 * truth.abs() + 0.02, "{written} {truth}");
    }
}

/// A table of all joints, some of which stand, is read by the numbers of all.
#[test]
fn columns_of_joints_that_stand_are_not_taken_for_others() {
    let arm = Robot::builtin("scara").unwrap();
    let lock = Lock { joint: arm.drives()[1].name.into(), position: None };
    let observed = with_locked(&arm, &[lock]).unwrap();
    let layout = |header: &[&str]| Layout::usual_of_moving(&arm, &observed, header);
    let all = layout(&["t", "q1", "q2", "q3", "q4", "tau1", "tau2", "tau3", "tau4"]);
    assert_eq!((all.position.columns, all.effort.columns), (names("q", [1, 3, 4]), names("tau", [1, 3, 4])));
    let moving = layout(&["t", "q1", "q2", "q3", "tau1", "tau2", "tau3"]);
    assert_eq!((moving.position.columns, moving.effort.columns), (names("q", [1, 2, 3]), names("tau", [1, 2, 3])));
}

fn names(symbol: &str, numbers: [usize; 3]) -> Vec<String> {
    numbers.iter().map(|k| format!("{symbol}{k}")).collect()
}

/// Without it the table lacks two joints, and says so.
#[test]
fn fingers_that_move_must_be_recorded() {
    let error = found(Vec::new()).unwrap_err().to_string();
    assert!(error.contains("q7"), "{error}");
}

/// A joint that stands is regrouped as a body that is fixed would be: as many base parameters as of the PUMA itself.
#[test]
fn standing_joints_add_no_base_parameters() {
    use appell_identification::base_parameters::structural;
    use appell_identification::parameters::Model;
    let standing = with_locked(&Robot::new(gripper(0.4)).unwrap(), &lock(0.02)).unwrap();
    let base = structural(&standing, &Model::bodies(&standing)).unwrap();
    assert_eq!(base.len(), 36);
    assert_eq!(Model::bodies(&standing).columns().len(), 80);
}
