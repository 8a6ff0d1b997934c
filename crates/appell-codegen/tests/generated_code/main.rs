//! Generated code compiles, runs, and answers as the library does.

mod device;
mod expressions;
mod gradients;
mod harness;
mod parallel;
mod rolling_platforms;
mod rollouts;

use appell::description::{JointType, Mimic, MotorDescription, TransmissionDescription};
use appell::question::{Evaluator, Question, State, Target};
use appell::robots;
use appell::sample::{RandomState, Sampler, Shape};
use appell::{Kind, Robot};
use appell_codegen::emit::Language;
use appell_codegen::{Kernel, Options, Parameter, answers, generate, writes};
use harness::{Case, check_everywhere};

/// States that every function is tested on.
pub(crate) const STATES: usize = 1000;

fn builtin(name: &str) -> Robot {
    Robot::builtin(name).unwrap()
}

/// A program of a tree, with random states and what the library answers there.
fn tree_case(robot: &Robot, question: Question, options: &Options) -> Case {
    kept_tree_case(robot, question, options, &[])
}

/// The same of a robot whose kept parameters have other values than when the program was made.
fn kept_tree_case(robot: &Robot, question: Question, options: &Options, values: &[f64]) -> Case {
    let kernel = generate(robot, question, options).unwrap();
    let kept = options.keep.iter().zip(values);
    let robot = &kept.fold(robot.clone(), |robot, (parameter, &value)| parameter.put(&robot, value));
    let mut sampler = Sampler::new(7);
    let states: Vec<RandomState> = (0..STATES).map(|_| sampler.state(robot.tree())).collect();
    let mut inputs = Vec::new();
    let mut expected = Vec::new();
    let mut evaluator = Evaluator::new(robot, question, None, options.target).unwrap();
    for RandomState { q, v, a, tau, .. } in &states {
        let state = State { q, v, a, tau, w: a, ..State::default() };
        question.inputs().iter().for_each(|&input| inputs.extend(state.vector(input)));
        inputs.extend(options.keep.iter().map(|parameter| parameter.of(robot).unwrap()));
        let mut row = vec![0.0; evaluator.columns().len()];
        evaluator.evaluate(&state, &mut row).unwrap();
        expected.extend(row);
    }
    Case { kernel, inputs, expected }
}

pub(crate) fn all_questions(kind: Kind) -> impl Iterator<Item = Question> {
    Question::ALL.into_iter().filter(move |&question| answers(kind, question))
}

/// Every question of a chain, of a tree with friction, rotors and springs, and more robots for inverse dynamics.
fn tree_cases() -> Vec<Case> {
    let puma = builtin("puma560");
    let mut cases: Vec<Case> =
        all_questions(Kind::Serial).map(|question| tree_case(&puma, question, &Options::default())).collect();
    let mut sampler = Sampler::new(5);
    let bare = sampler.robot(5, Shape::Tree);
    let tree = Robot::from(sampler.with_effects(&bare));
    assert_eq!(tree.kind(), Kind::Tree);
    let curves = tree.tree().effects().iter().filter(|effects| effects.friction.curve.is_some()).count();
    assert!((1..5).contains(&curves), "friction with curves and without");
    cases.extend(all_questions(Kind::Tree).map(|question| tree_case(&tree, question, &Options::default())));
    for name in ["stanford", "scara", "seven-axis"] {
        for question in [Question::InverseDynamics, Question::ForwardDynamics] {
            cases.push(tree_case(&builtin(name), question, &Options::default()));
        }
    }
    // Parameters that stay inputs move the answers as the library's do.
    let keep: Vec<Parameter> = ["m2", "cx3", "Ixy2", "Izz6"].map(|word| word.parse().unwrap()).to_vec();
    let options = Options { keep, ..Options::default() };
    for question in [Question::InverseDynamics, Question::InertiaMatrix, Question::ForwardDynamics] {
        cases.push(kept_tree_case(&puma, question, &options, &[12.0, 0.07, 0.3, 0.02]));
    }
    // Its forward dynamics is the paper's example of rounding: there is no 1e-12 to be had.
    cases.push(tree_case(&builtin("two-link"), Question::InverseDynamics, &Options::default()));
    cases
}

#[test]
fn of_trees_in_every_language_that_runs_here() {
    check_everywhere("trees", &tree_cases());
}

/// Every question of robots with quaternions, screws, coupled followers and tendons, as the recorded program computes it.
#[test]
fn of_joints_of_every_type() {
    for seed in 0..3 {
        let mut description = Sampler::new(seed).description(6, Shape::Mixed);
        let (leader, kind) = (description.joints[0].name.clone(), JointType::Revolute);
        (description.joints[0].kind, description.joints[5].kind) = (kind, kind);
        for joint in [0, 5] {
            description.joints[joint].pitch = 0.0;
        }
        description.joints[5].mimic = Some(Mimic::new(&leader, 0.5, 0.1));
        description.transmissions.push(TransmissionDescription {
            name: "tendons".into(),
            joints: vec![leader],
            motors: ["front", "back"]
                .map(|name| MotorDescription { inertia: 0.1, ..MotorDescription::new(name) })
                .to_vec(),
            matrix: vec![vec![0.1], vec![-0.2]],
            least: Some(5.0),
        });
        let robot = Robot::new(description).unwrap().coupled().unwrap();
        let states: Vec<RandomState> = (0..5).map(|k| Sampler::new(k).state(robot.tree())).collect();
        for question in all_questions(robot.kind()) {
            let kernel = generate(&robot, question, &Options::default()).unwrap();
            let mut evaluator = Evaluator::new(&robot, question, None, Target::default()).unwrap();
            for RandomState { q, v, a, tau, .. } in &states {
                let state = State { q, v, a, tau, w: a, ..State::default() };
                let inputs: Vec<f64> =
                    question.inputs().iter().flat_map(|&input| state.vector(input).to_vec()).collect();
                let mut row = vec![0.0; evaluator.columns().len()];
                evaluator.evaluate(&state, &mut row).unwrap();
                let found = kernel.program.run(&inputs);
                let size = row.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
                let worst = found.iter().zip(&row).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(found.len() == row.len() && worst < 1e-10 * size, "{}: {worst:e} of {size}", question.name());
            }
        }
    }
}

/// The published counts of the PUMA arm are met, and regrouping is worth its name.
#[test]
fn the_puma_costs_what_it_should() {
    let puma = builtin("puma560");
    let Kernel { report, .. } = generate(&puma, Question::InverseDynamics, &Options::default()).unwrap();
    let (general, least) = (report.general.unwrap(), report.generated);
    assert!(least.multiplications <= 160 && least.additions <= 125, "{report:?}");
    assert!(general.multiplications > report.specialised.multiplications, "{report:?}");
    assert!(report.specialised.multiplications > report.regrouped.unwrap().multiplications, "{report:?}");
    let whole = Options { regroup: false, ..Options::default() };
    let kernel = generate(&puma, Question::InverseDynamics, &whole).unwrap();
    assert_eq!(kernel.report.regrouped, None);
    assert_eq!(kernel.report.generated, report.specialised);
}

/// Equations are written of every question of a small arm, and of no robot with legs that comes with the library.
#[test]
fn equations_are_of_small_robots() {
    for question in all_questions(Kind::Serial) {
        let kernel = generate(&builtin("two-link"), question, &Options::default()).unwrap();
        assert!(Language::Latex.write(&kernel).is_ok(), "{}", question.name());
    }
    // Of a linkage whose independent velocity is its drive, J_inv is 1.
    for robot in robots::CLOSED.iter().filter(|known| known.name != "four-bar").map(|known| builtin(known.name)) {
        let kind = robot.kind();
        // Other questions take as many operations, but for gravity where legs are light.
        for question in [Question::InverseJacobian, Question::InertiaMatrix] {
            let Ok(kernel) = generate(&robot, question, &Options::default()) else { continue };
            assert!(Language::Latex.write(&kernel).is_err(), "{} {}", robot.name(), question.name());
        }
        assert!(!writes(kind, Language::Latex), "{}", robot.name());
    }
    assert!(Kind::ALL.iter().all(|&kind| writes(kind, Language::C)));
}

#[test]
fn what_cannot_be_generated_says_why() {
    let puma = builtin("puma560");
    let refused = |question, keep: &[&str]| {
        let keep = keep.iter().map(|word| word.parse().unwrap()).collect();
        let options = Options { keep, ..Options::default() };
        generate(&puma, question, &options).unwrap_err().to_string()
    };
    assert!(refused(Question::Singularity, &[]).contains("inverse-dynamics"));
    assert!(refused(Question::InverseDynamics, &["m7"]).contains("6 bodies"));
    assert!(refused(Question::InverseDynamics, &["mP"]).contains("6 bodies"));
    assert!(refused(Question::InverseDynamics, &["m2", "m2"]).contains("once"));
    assert!(refused(Question::Jacobian, &["m2"]).contains("m2"));
    assert!("x3".parse::<Parameter>().unwrap_err().to_string().contains("cx"));
    assert!("cxP".parse::<Parameter>().unwrap().to_string() == "cxP" && "mPP".parse::<Parameter>().is_err());
    assert!("m0".parse::<Parameter>().is_err() && "m".parse::<Parameter>().is_err());
    let target = Target { frame: Some(0), ..Target::default() };
    let of_waist = Options { target, ..Options::default() };
    let kernel = generate(&puma, Question::Jacobian, &of_waist).unwrap();
    assert!(kernel.program.run(&[0.3; 6])[..18].iter().all(|x| x.abs() < 1e-15), "the waist stays where it is");
}
