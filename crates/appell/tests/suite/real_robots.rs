//! Real robots against what Pinocchio computed: recorded by `make peers -- --record`, so that no peer is needed here.

use crate::common::{answer, assert_close, evaluators, numbers};
use appell::description::JointEffects;
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::question::{Question, State};
use serde_json::Value;
use std::path::Path;

/// The questions and the names under which the recording keeps their answers.
const QUESTIONS: [(Question, &str); 8] = [
    (Question::InverseDynamics, "τ"),
    (Question::InertiaMatrix, "M"),
    (Question::ForwardDynamics, "q̈"),
    (Question::Regressor, "Y"),
    (Question::CoriolisVector, "C v"),
    (Question::Reactions, "f"),
    (Question::InverseDynamicsDerivatives, "∂τ"),
    (Question::ForwardDynamicsDerivatives, "∂q̈"),
];

/// A recorded robot, without the friction that Pinocchio keeps but does not apply.
fn recorded(name: &str) -> (Mechanism, Value) {
    let file = |ending: &str| {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/urdf").join(format!("{name}.{ending}"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let robot = Mechanism::from_urdf(&file("urdf")).unwrap_or_else(|problems| panic!("{name}: {problems}"));
    let golden: Value = serde_json::from_str(&file("json")).unwrap();
    let joints: Vec<&str> = golden["joints"].as_array().unwrap().iter().map(|joint| joint.as_str().unwrap()).collect();
    assert_eq!(robot.joint_names(), joints, "{name}");
    (robot.with_effects(|_, _| JointEffects::default()), golden)
}

#[test]
fn answers_are_those_of_pinocchio() {
    for name in ["double_pendulum", "finger_edu", "kinova", "panda", "solo12"] {
        let (robot, golden) = recorded(name);
        for (question, key) in QUESTIONS {
            for (label, mut evaluator) in evaluators(&robot, question) {
                let expected = golden[key].as_array().unwrap_or_else(|| panic!("{name} has {key}"));
                assert_eq!(expected.len(), 3);
                for (k, expected) in expected.iter().enumerate() {
                    let vector = |key: &str| numbers(&golden[key][k]);
                    let (q, v, a, tau) = (vector("q"), vector("v"), vector("a"), vector("tau_in"));
                    let label = format!("{label}, state {k}");
                    let state = State { q: &q, v: &v, a: &a, tau: &tau, ..State::default() };
                    let row = answer(&mut evaluator, &state, &label);
                    assert_close(&row, &numbers(expected), 1e-10, &label);
                }
            }
        }
    }
}

#[test]
fn links_are_where_pinocchio_has_them() {
    for name in ["double_pendulum", "finger_edu", "kinova", "panda", "solo12"] {
        let (robot, golden) = recorded(name);
        let mut ws = kinematics::Workspace::new(&robot);
        let links = golden["links"].as_array().unwrap();
        for (k, expected) in golden["frames"].as_array().unwrap().iter().enumerate() {
            let poses = kinematics::positions(&robot, &mut ws, &numbers(&golden["q"][k]));
            for (link, expected) in links.iter().zip(expected.as_array().unwrap()) {
                let frame = robot.frame(link.as_str().unwrap()).unwrap_or_else(|| panic!("{name} has {link}"));
                assert_close(&poses[frame].to_array(), &numbers(expected), 1e-12, &format!("{name}: {link}"));
            }
        }
    }
}
