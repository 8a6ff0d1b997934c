//! Every question of dynamics has two methods or more on every closed mechanism, and they agree on seeded random ones of
//! all families, linkages without a platform among them.

use crate::common::{
    answer, assert_close, assert_close_at, assert_nothing_is_kept, closed_cases, closed_state, evaluators, norm,
    sharings, with_effects,
};
use appell::closed::drives::Sharing;
use appell::closed::sample::ClosedState;
use appell::closed::tree_closures;
use appell::closed::tree_closures::Solver;
use appell::closed::{ClosedMechanism, regressor, unit_parameters};
use appell::description::{BodyDescription, JointEffects};
use appell::dynamics::reactions::ExternalWrench;
use appell::question::{Question, State};
use appell::sample::{Family, Sampler};
use appell::spatial::{Vec3, Wrench};

/// Conditions of random robots are bounded, so that this holds for all of them; most agree to 1e-13.
const TOLERANCE: f64 = 1e-10;

/// Robots of each family.
const SEEDS: u64 = 6;

/// What two methods at least must answer.
const DYNAMICS: [Question; 12] = [
    Question::InverseDynamics,
    Question::ForwardDynamics,
    Question::InertiaMatrix,
    Question::Bias,
    Question::Gravity,
    Question::CoriolisVector,
    Question::CoriolisMatrix,
    Question::Reactions,
    Question::Regressor,
    Question::InverseDynamicsDerivatives,
    Question::ForwardDynamicsDerivatives,
    Question::Energy,
];

/// Calls `test` for seeded robots of all families, with a state of each.
fn everywhere(mut test: impl FnMut(&ClosedMechanism, &ClosedState, &str)) {
    closed_cases(|_| true, 300..300 + SEEDS).for_each(|(robot, state, label)| test(&robot, &state, &label));
}

/// Every method of every question, and the default on the processor's best instructions, against the default on one state.
fn all_methods_agree(robot: &ClosedMechanism, state: &State<'_>, label: &str) {
    let mut by_projection = evaluators(robot, Question::InverseDynamics).into_iter();
    let (_, mut by_projection) = by_projection.find(|(_, by)| by.method().name == "tree-closures").unwrap();
    let efforts = answer(&mut by_projection, state, label);
    for question in Question::ALL {
        let evaluators = evaluators(robot, question);
        if DYNAMICS.contains(&question) {
            assert!(evaluators.len() > 2, "{label}: {} has one method alone", question.name());
        }
        // What may vanish is measured against the efforts.
        let scale = match question {
            Question::Bias | Question::Gravity | Question::CoriolisVector | Question::CoriolisMatrix => norm(&efforts),
            _ => 0.0,
        };
        let mut default = None;
        for (name, mut evaluator) in evaluators {
            let label = format!("{label}: {name}");
            let found = answer(&mut evaluator, state, &label);
            let default = default.get_or_insert_with(|| found.clone());
            assert_close_at(&found, default, TOLERANCE, scale, &label);
        }
    }
}

#[test]
fn every_question_has_methods_that_agree() {
    everywhere(|robot, state, label| {
        let push = Wrench { force: Vec3::new(3.0, -2.0, 5.0), moment: Vec3::new(0.7, 0.4, -0.3) };
        let external = [ExternalWrench { frame: robot.tree().dof() - 1, wrench: push }];
        let on_platform = robot.platform().map(|_| Wrench { force: push.moment, moment: push.force });
        let loaded = State { external: &external, on_platform, ..closed_state(state) };
        for robot in [robot, &with_effects(robot)] {
            all_methods_agree(robot, &loaded, &format!("{label}, under a load"));
        }
        all_methods_agree(robot, &closed_state(state), label);
    });
}

#[test]
fn whatever_was_computed_before() {
    use Family::{Branched, General, Loop, Planar, PlanarLinkage, Spherical, Translational};
    for family in
        [General(6), General(3), Branched(2), Planar(2), Spherical(3), Translational, PlanarLinkage(2), Loop(1)]
    {
        let mut sampler = Sampler::new(7);
        let robot = sampler.closed_robot(family);
        let states: Vec<ClosedState> = (0..3).map(|_| sampler.closed_state(&robot)).collect();
        assert_nothing_is_kept(&robot.into(), &states.iter().map(closed_state).collect::<Vec<_>>());
    }
}

/// With the reactions as further unknowns, drives that are redundant or not share as by projection.
#[test]
fn efforts_with_reactions_are_those_of_projection() {
    let mut redundant = 0;
    everywhere(|robot, ClosedState { at, r, r_dot, load, .. }, label| {
        redundant += usize::from(robot.driven().len() > robot.freedoms().len());
        let mut ws = tree_closures::Workspace::new(robot);
        for sharing in sharings(robot) {
            ws.solver = Solver::NullSpace;
            let expected =
                tree_closures::inverse_dynamics(robot, &mut ws, at, r, r_dot, load, &sharing).unwrap().to_vec();
            ws.solver = Solver::Kkt;
            let found = tree_closures::inverse_dynamics(robot, &mut ws, at, r, r_dot, load, &sharing).unwrap();
            assert_close(found, &expected, TOLERANCE, &format!("{label}: {sharing:?}"));
        }
    });
    assert!(redundant > 20, "{redundant} robots have more drives than degrees of freedom");
}

/// Efforts are Y φ for other bodies too, which no column was found with: those of the tree twice as heavy, and moved.
#[test]
fn the_regressor_of_unit_parameters_foretells_other_bodies() {
    everywhere(|robot, ClosedState { at, r, r_dot, .. }, label| {
        let bare = robot.with_tree(|tree| tree.with_effects(|_, _| JointEffects::default()));
        let mut ws = unit_parameters::Workspace::new(&bare);
        let matrix = unit_parameters::regressor(&mut ws, at, r, r_dot).unwrap();
        let heavier = bare.with_tree(|tree| {
            tree.with_bodies(|_, BodyDescription { mass, com, inertia }| BodyDescription {
                mass: 2.0 * mass,
                com: com + Vec3::new(0.1, -0.2, 0.05),
                inertia: inertia + inertia,
            })
        });
        let parameters = regressor::parameters(&heavier);
        assert_ne!(parameters, regressor::parameters(&bare), "{label}");
        let rows = matrix.chunks_exact(parameters.len());
        let found: Vec<f64> = rows.map(|row| row.iter().zip(&parameters).map(|(y, p)| y * p).sum()).collect();
        let mut ws = tree_closures::Workspace::new(robot);
        let sharing = Sharing::default();
        let expected = tree_closures::inverse_dynamics(&heavier, &mut ws, at, r, r_dot, &[], &sharing).unwrap();
        assert_close(&found, expected, TOLERANCE, label);
    });
}
