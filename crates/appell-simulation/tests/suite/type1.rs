//! Motions through singularities of Type 1: a leg is stretched or folded, the constraints are regular, and the robot goes on.

use crate::common::closed;
use crate::exactly;
use appell::closed::coordinates::Coordinates;
use appell::closed::tree_closures::{self, Solver};
use appell::closed::{ClosedMechanism, Configuration, SingularError, singularity};
use appell::spatial::{Vec3, rotation_vector_rate, turned};
use appell_simulation::simulation::law::Free;
use appell_simulation::simulation::plant::Closed;
use appell_simulation::simulation::{Method, Options, Plant, Reason, run};
use core::f64::consts::FRAC_PI_2;
use core::ops::ControlFlow;

/// The robots that a free fall leads through Type 1.
const FALLING: [&str; 4] = ["five-bar", "planar-3rrr", "delta", "agile-wrist"];

/// A robot that falls, and how it begins. The Delta robot, whose legs forbid the platform one turn each, falls into a singularity of the
/// constraints first: it floats.
fn falling(name: &str) -> (ClosedMechanism, Vec<f64>) {
    let robot = closed(name);
    match name {
        "agile-wrist" => (robot, vec![2.0, -3.0, 1.5]),
        "delta" => (robot.with_gravity(Vec3::zero(0.0)), vec![-0.3, 0.0, -0.4]),
        _ => (robot, vec![0.0; 2 + usize::from(name == "planar-3rrr")]),
    }
}

/// The equations of all velocities and reactions together, index 1, in no coordinates at all: u̇ and λ of M u̇ + c = Aᵀ λ, A u̇ = −b, by
/// Runge's and Kutta's steps in q, the platform's pose and u. Loops are held open by nothing but b.
struct Referee<'r> {
    robot: &'r ClosedMechanism,
    choice: Coordinates,
    workspace: tree_closures::Workspace,
    at: Configuration,
    u: Vec<f64>,
}

/// Those of where it is, and of u.
type Rates = (Vec<f64>, Vec<f64>);

impl<'r> Referee<'r> {
    fn new(robot: &'r ClosedMechanism, r: &[f64]) -> Self {
        let mut workspace = tree_closures::Workspace::new(robot);
        let u = tree_closures::motion(robot, &mut workspace, robot.home(), r, &vec![0.0; r.len()]).unwrap().0.to_vec();
        workspace.solver = Solver::Kkt;
        Self { robot, choice: Coordinates::of_closures(robot), workspace, at: robot.home().clone(), u }
    }

    /// q̇, Δṗ, φ̇ and u̇ after a part of a step.
    fn rates(&mut self, moved: &[f64], u: &[f64]) -> Rates {
        let dof = self.robot.tree().dof();
        let mut at = self.at.clone();
        at.q.iter_mut().zip(moved).for_each(|(q, moved)| *q += moved);
        let mut way = u.to_vec();
        if let &[x, y, z, a, b, c] = &moved[dof..] {
            at.pose.position = at.pose.position + Vec3::new(x, y, z);
            at.pose.rotation = turned(&at.pose.rotation, Vec3::new(a, b, c));
            let turn = rotation_vector_rate(Vec3::new(a, b, c), Vec3::new(u[dof + 3], u[dof + 4], u[dof + 5]));
            way[dof + 3..].copy_from_slice(&turn.to_array());
        }
        let r: Vec<f64> = self.choice.independent().iter().map(|&k| u[k]).collect();
        let none = vec![0.0; self.robot.driven().len()];
        let u_dot = tree_closures::accelerations(self.robot, &mut self.workspace, &at, &r, &none, &[]).unwrap();
        (way, u_dot.to_vec())
    }

    fn step(&mut self, h: f64) {
        self.choice.choose(self.robot, &self.at).unwrap();
        self.workspace.describe_by(self.choice.independent());
        let (width, u0) = (self.u.len(), self.u.clone());
        let after = |part: f64, (way, u_dot): &Rates| {
            let moved: Vec<f64> = way.iter().map(|way| part * way).collect();
            (moved, u0.iter().zip(u_dot).map(|(u, rate)| u + part * rate).collect::<Vec<f64>>())
        };
        let one = self.rates(&vec![0.0; width], &u0);
        let (moved, u) = after(0.5 * h, &one);
        let two = self.rates(&moved, &u);
        let (moved, u) = after(0.5 * h, &two);
        let three = self.rates(&moved, &u);
        let (moved, u) = after(h, &three);
        let four = self.rates(&moved, &u);
        let mean = |k: usize, of: fn(&Rates) -> &Vec<f64>| {
            h / 6.0 * (of(&one)[k] + 2.0 * (of(&two)[k] + of(&three)[k]) + of(&four)[k])
        };
        let moved: Vec<f64> = (0..width).map(|k| mean(k, |rates| &rates.0)).collect();
        self.u.iter_mut().enumerate().for_each(|(k, u)| *u += mean(k, |rates| &rates.1));
        self.at.q.iter_mut().zip(&moved).for_each(|(q, moved)| *q += moved);
        if let &[x, y, z, a, b, c] = &moved[self.robot.tree().dof()..] {
            self.at.pose.position = self.at.pose.position + Vec3::new(x, y, z);
            self.at.pose.rotation = turned(&self.at.pose.rotation, Vec3::new(a, b, c));
        }
    }
}

/// Several seconds of free fall go on through Type 1, again and again, and keep their energy.
#[test]
fn free_fall_goes_on_through_type_1() {
    for name in FALLING {
        let (robot, r) = falling(name);
        let mut plant = Closed::new(&robot, robot.home(), &r).unwrap();
        let mut loops = Coordinates::new(&robot);
        let options = Options { sampling: Some(0.01), ..exactly(1e-12) };
        let (mut energies, mut kinetic, mut gap) = (Vec::new(), 0.0_f64, 0.0_f64);
        let outcome = run(&mut plant, &mut Free, 0.0, 4.0, &options, |sample| {
            energies.push(sample.energy.kinetic + sample.energy.potential);
            kinetic = kinetic.max(sample.energy.kinetic);
            let mut at = robot.home().clone();
            at.q.copy_from_slice(sample.view.q);
            at.pose = sample.view.platform.map_or(at.pose, |(pose, _)| pose);
            gap = gap.max(loops.gap(&robot, &at));
            ControlFlow::Continue(())
        });
        let drift = energies.iter().fold(0.0_f64, |most, energy| most.max((energy - energies[0]).abs()));
        assert!(outcome.stop.is_none() && energies.len() == 401, "{name}: {outcome:?}");
        assert!(drift < 1e-9 * kinetic, "{name}: {drift:.1e} of {kinetic:.1e} J");
        assert!(gap < 1e-11 * robot.length(), "{name}: {gap:.1e}");
    }
}

/// Until after the first passage the motion is that of the index-1 equations, whatever the method's steps are.
#[test]
fn the_first_passage_is_that_of_all_equations_together() {
    for name in FALLING {
        let (robot, r) = falling(name);
        let mut referee = Referee::new(&robot, &r);
        let mut nearness = singularity::Workspace::new(&robot);
        let metric = singularity::Metric::of(&robot);
        let (step, mut history, mut passed) = (1e-4, Vec::new(), None);
        // The first smallest distance to Type 1 that is no longer far, and a tenth of a second more.
        while passed.is_none_or(|k: usize| history.len() < k + 1000) && history.len() < 20_000 {
            referee.step(step);
            history.push((referee.at.clone(), referee.u.clone(), 0.0));
            let near = singularity::distances(&robot, &mut nearness, &referee.at, &metric).0;
            let k = history.len() - 1;
            history[k].2 = near;
            if passed.is_none() && k > 1 && near > history[k - 1].2 && history[k - 1].2 < 5e-3 {
                passed = Some(k);
            }
        }
        let _ = passed.unwrap_or_else(|| panic!("{name} does not come to Type 1"));
        let dof = robot.tree().dof();
        let worst = |method: Method| {
            let mut plant = Closed::new(&robot, robot.home(), &r).unwrap();
            let options = Options { method, sampling: Some(100.0 * step), ..Options::default() };
            let (mut k, mut worst) = (0, 0.0_f64);
            let end = step * history.len() as f64;
            let outcome = run(&mut plant, &mut Free, 0.0, end, &options, |sample| {
                if k > 0 {
                    let (at, u, _) = &history[100 * k - 1];
                    let off = sample.view.q.iter().zip(&at.q).chain(sample.view.v.iter().zip(&u[..dof]));
                    worst = off.map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(worst, f64::max);
                    for (r, &j) in sample.view.r.iter().zip(robot.freedoms()) {
                        worst = worst.max((r - u[j]).abs() / (1.0 + r.abs()));
                    }
                }
                k += 1;
                ControlFlow::Continue(())
            });
            assert!(outcome.stop.is_none(), "{name}, {method:?}: {outcome:?}");
            (worst, outcome.cost)
        };
        let adaptive = worst(exactly(1e-11).method);
        let steps = [5e-3, 2.5e-3, 1.25e-3];
        let fixed = steps.map(|step| worst(Method::RungeKutta { step }).0);
        let midpoint = steps.map(|step| worst(Method::Midpoint { step }).0);
        assert!(adaptive.0 < 5e-8, "{name}: {adaptive:?}");
        // On another branch the error would not fall with the step.
        assert!(fixed[2] < 1e-3 && fixed[2] < 0.2 * fixed[1] && fixed[1] < 0.3 * fixed[0], "{name}: {fixed:?}");
        assert!(midpoint[2] < 0.4 * midpoint[1] && midpoint[1] < 0.4 * midpoint[0], "{name}: {midpoint:?}");
    }
}

/// A Delta robot that is let go falls straight down until its forearms are vertical: the turns that its legs forbid the platform are the
/// same one then, the constraints lose rank, and the motion ends with that, by every method.
#[test]
fn a_true_singularity_ends_the_motion() {
    let robot = closed("delta");
    for method in [exactly(1e-9).method, Method::RungeKutta { step: 5e-3 }, Method::Midpoint { step: 5e-3 }] {
        let mut plant = Closed::new(&robot, robot.home(), &[0.0; 3]).unwrap();
        let options = Options { method, most_steps: 10_000, ..Options::default() };
        let outcome = run(&mut plant, &mut Free, 0.0, 1.0, &options, |_| ControlFlow::Continue(()));
        let stop = outcome.stop.unwrap_or_else(|| panic!("{method:?}: it goes on"));
        assert!(matches!(stop.reason, Reason::Singular(SingularError::Constraints { .. })), "{method:?}: {stop}");
        let view = plant.view(outcome.t);
        let forearm = view.q[0] + view.q[1];
        assert!((forearm - FRAC_PI_2).abs() < 1e-3, "{method:?}: {forearm} at {}", outcome.t);
    }
}
