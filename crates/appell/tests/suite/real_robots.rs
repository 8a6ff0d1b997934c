//! Real robots against what Pinocchio computed: recorded by `make peers -- --record`, so that no peer is needed here.

use crate::common::{answer, assert_close, evaluators, numbers};
use appell::Robot;
use appell::description::{JointEffects, urdf};
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target};
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

/// Those that are recorded of floating bases beside.
const OF_FLOATING: [(Question, &str); 8] = [
    (Question::Gravity, "g"),
    (Question::Bias, "nle"),
    (Question::Energy, "E"),
    (Question::Momentum, "h"),
    (Question::CentreOfMass, "com"),
    (Question::CentreOfMassJacobian, "J_com"),
    (Question::Jacobian, "J"),
    (Question::Frames, "frames"),
];

/// The text of a golden file.
fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/urdf").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A recorded robot, without the friction that Pinocchio keeps but does not apply.
fn recorded(name: &str) -> (Mechanism, Value) {
    let file = |ending: &str| text(&format!("{name}.{ending}"));
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

/// A root link that moves by a quaternion, at any attitude and at a pitch of 90°: every question by every method.
#[test]
fn floating_bases_are_those_of_pinocchio() {
    for name in ["double_pendulum", "solo12"] {
        let floating = urdf::Options { floating_base: true };
        let (description, _) = urdf::read(&text(&format!("{name}.urdf")), floating).unwrap();
        let robot = Mechanism::new(&description).unwrap().with_effects(|_, _| JointEffects::default());
        let golden: Value = serde_json::from_str(&text(&format!("{name}_floating.json"))).unwrap();
        let names = |key: &str| -> Vec<String> {
            golden[key].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(robot.positions(), names("positions"));
        assert_eq!(robot.velocities(), names("velocities"));
        let links = names("links");
        for (question, key) in QUESTIONS.into_iter().chain(OF_FLOATING) {
            let frame = links.last().and_then(|link| robot.frame(link));
            for method in question.methods(&Robot::from(&robot)) {
                let target = Target { frame, ..Target::default() };
                let mut evaluator = Evaluator::new(&robot, question, Some(method.name), target).unwrap();
                for (k, expected) in golden[key].as_array().unwrap().iter().enumerate() {
                    let vector = |key: &str| numbers(&golden[key][k]);
                    let (q, v, a, tau) = (vector("q"), vector("v"), vector("a"), vector("tau_in"));
                    let label = format!("{name}: {} by {}, state {k}", question.name(), method.name);
                    let state = State { q: &q, v: &v, a: &a, tau: &tau, ..State::default() };
                    let mut row = answer(&mut evaluator, &state, &label);
                    if question == Question::Frames {
                        row = of_links(evaluator.columns(), &row, &links);
                    }
                    assert_close(&row, &numbers(expected), 1e-10, &label);
                }
            }
        }
    }
}

/// The poses of some links of an answer about all frames.
fn of_links(columns: &[String], row: &[f64], links: &[String]) -> Vec<f64> {
    let first = |link: &String| columns.iter().position(|column| *column == format!("{link}.r11")).unwrap();
    links.iter().flat_map(|link| row[first(link)..][..12].to_vec()).collect()
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
