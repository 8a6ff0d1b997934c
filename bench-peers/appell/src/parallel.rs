//! The Gough-Stewart platform, on the peers' states: `given` takes an assembled configuration, as the peers' trees do,
//! `pose` finds the legs' joints from the platform's pose first, as generated code and the peer that is written for this
//! robot by hand do.

use crate::generated::{gough_fd, gough_id};
use crate::report;
use appell::Robot;
use appell::closed::drives::Sharing;
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform, tree_closures};
use appell::question::{self, Evaluator, Motion, Question, Target};
use appell::spatial::{EulerAngles, Pose, Quaternion, Vec3};
use appell_batch::{Batch, States};
use appell_bench::{STATES, time};
use fearless_simd::Level;
use std::hint::black_box;

const MODEL: &str = "gough_stewart";

/// A motion of the platform, and the legs' forces there.
struct State {
    at: Configuration,
    twist: [f64; 6],
    rates: [f64; 6],
    forces: [f64; 6],
}

impl State {
    /// The peers' state k.
    fn of(robot: &ClosedMechanism, k: usize) -> Self {
        let wave = |j: usize, size: f64| size * (0.37 * k as f64 + 1.3 * j as f64 + 0.4).sin();
        let mut at = robot.home().clone();
        let home = at.pose.position;
        at.pose = Pose {
            rotation: EulerAngles::Zyx.rotation([wave(5, 0.25), wave(4, 0.2), wave(3, 0.2)]),
            position: Vec3::new(home.x + wave(0, 0.08), home.y + wave(1, 0.08), home.z + wave(2, 0.06)),
        };
        assembly::at_pose(robot, &mut assembly::Workspace::new(robot), &mut at).expect("within reach");
        let six = |first: usize, sizes: [f64; 6]| core::array::from_fn(|j| wave(first + j, sizes[j]));
        let (twist, rates) = (six(6, [0.5, 0.4, 0.3, 0.8, 0.7, 0.9]), six(12, [3.0, 2.0, 4.0, 5.0, 6.0, 4.0]));
        let mut ws = legs_platform::Workspace::new(robot);
        let found = legs_platform::inverse_dynamics(robot, &mut ws, &at, &twist, &rates, &[], &Sharing::default());
        let forces = found.expect("a regular state").try_into().expect("six legs");
        Self { at, twist, rates, forces }
    }

    /// What generated code reads, with the third argument.
    fn inputs(&self, third: &[f64; 6]) -> [f64; gough_id::INPUTS] {
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&self.at.pose.rotation);
        let mut given =
            self.at.pose.position.to_array().into_iter().chain([x, y, z, w]).chain(self.twist).chain(*third);
        core::array::from_fn(|_| given.next().expect("19 numbers"))
    }
}

pub(crate) fn measure() {
    let hexapod = Robot::builtin("gough-stewart").expect("built in");
    let robot = hexapod.closed().expect("a robot with loops");
    let states: Vec<State> = (0..STATES).map(|k| State::of(robot, k)).collect();
    let sharing = Sharing::default();
    let mut search = assembly::Workspace::new(robot);
    let mut at = robot.home().clone();

    macro_rules! general {
        ($module:ident, $kind:literal) => {{
            let mut ws = $module::Workspace::new(robot);
            let timing = time(|k| {
                let s = black_box(&states[k % STATES]);
                let found = $module::inverse_dynamics(robot, &mut ws, &s.at, &s.twist, &s.rates, &[], &sharing);
                black_box(found.expect("a regular state"));
            });
            report::time(MODEL, concat!("IDM given by ", $kind), "plain", timing);
            let timing = time(|k| {
                let s = black_box(&states[k % STATES]);
                at.pose = s.at.pose;
                assembly::at_pose(robot, &mut search, &mut at).expect("within reach");
                let found = $module::inverse_dynamics(robot, &mut ws, &at, &s.twist, &s.rates, &[], &sharing);
                black_box(found.expect("a regular state"));
            });
            report::time(MODEL, concat!("IDM pose by ", $kind), "plain", timing);
            let timing = time(|k| {
                let s = black_box(&states[k % STATES]);
                let found = $module::forward_dynamics(robot, &mut ws, &s.at, &s.twist, &s.forces, &[]);
                black_box(found.expect("a regular state"));
            });
            report::time(MODEL, concat!("FDM given by ", $kind), "plain", timing);
            let timing = time(|k| {
                let s = black_box(&states[k % STATES]);
                at.pose = s.at.pose;
                assembly::at_pose(robot, &mut search, &mut at).expect("within reach");
                let found = $module::forward_dynamics(robot, &mut ws, &at, &s.twist, &s.forces, &[]);
                black_box(found.expect("a regular state"));
            });
            report::time(MODEL, concat!("FDM pose by ", $kind), "plain", timing);
            let s = &states[1];
            let found = $module::forward_dynamics(robot, &mut ws, &s.at, &s.twist, &[60.0; 6], &[]);
            report::answer(MODEL, "fdm60", "plain", found.expect("a regular state").iter().copied());
        }};
    }
    general!(legs_platform, "legs and platform");
    general!(tree_closures, "tree and closures");
    report::answer(MODEL, "idm", "plain", states[1].forces);

    fused(&hexapod, &states);
    in_lanes(&hexapod, &states);

    let level = Level::new();
    macro_rules! generated {
        ($module:ident, $third:ident, $name:literal, $check:literal, $at_check:expr) => {{
            let mut answer = [0.0; $module::WIDTH];
            let given: Vec<_> = states.iter().map(|s| s.inputs(&s.$third)).collect();
            let timing = time(|k| {
                $module::one(level, black_box(&given[k % STATES]), &mut answer);
                black_box(&answer);
            });
            report::time(MODEL, $name, "generated Rust", timing);
            $module::one(level, &states[1].inputs(&$at_check), &mut answer);
            report::answer(MODEL, $check, "generated Rust", answer[..6].iter().copied());
        }};
    }
    generated!(gough_id, rates, "IDM pose by generated code", "idm", states[1].rates);
    generated!(gough_fd, forces, "FDM pose by generated code", "fdm60", [60.0; 6]);
}

/// One state by fused numbers, assembled or by its pose.
fn fused(robot: &Robot, states: &[State]) {
    for (question, short, check) in
        [(Question::InverseDynamics, "IDM", "idm"), (Question::ForwardDynamics, "FDM", "fdm60")]
    {
        let mut fused = Evaluator::new(robot, question, None, Target::default()).expect("closed robots answer it");
        let mut row = vec![0.0; fused.columns().len()];
        let name = |given: &str| format!("{short} {given} by legs and platform");
        let timing = time(|k| {
            let s = black_box(&states[k % STATES]);
            let motion = Motion::Assembled { at: &s.at, r: &s.twist, r_dot: &s.rates };
            let state = question::State { motion, tau: &s.forces, ..question::State::default() };
            fused.evaluate(&state, &mut row).expect("a regular state");
            black_box(&row);
        });
        report::time(MODEL, &name("given"), "fused", timing);
        let timing = time(|k| {
            let s = black_box(&states[k % STATES]);
            let (twist, acceleration) = (s.twist.map(Some), s.rates.map(Some));
            let motion = Motion::Platform { pose: s.at.pose, twist, acceleration };
            let state = question::State { motion, tau: &s.forces, ..question::State::default() };
            fused.evaluate(&state, &mut row).expect("a regular state");
            black_box(&row);
        });
        report::time(MODEL, &name("pose"), "fused", timing);
        let s = &states[1];
        let motion = Motion::Assembled { at: &s.at, r: &s.twist, r_dot: &s.rates };
        let state = question::State { motion, tau: &[60.0; 6], ..question::State::default() };
        fused.evaluate(&state, &mut row).expect("a regular state");
        report::answer(MODEL, check, "fused", row[..6].iter().copied());
    }
}

/// A state of a batch on one core: assembled one by one, their dynamics in lanes.
fn in_lanes(robot: &Robot, states: &[State]) {
    let count = states.len();
    let spread = |number: &dyn Fn(&State, usize) -> f64, width: usize| -> Vec<f64> {
        (0..width * count).map(|k| number(&states[k % count], k / count)).collect()
    };
    let pose = spread(&|s, k| s.inputs(&s.rates)[k], 7);
    let (twist, acceleration) = (spread(&|s, k| s.twist[k], 6), spread(&|s, k| s.rates[k], 6));
    let tau = spread(&|s, k| s.forces[k], 6);
    let moving =
        States { count, pose: &pose, twist: &twist, acceleration: &acceleration, tau: &tau, ..States::default() };
    let names = [(Question::InverseDynamics, "IDM pose in lanes"), (Question::ForwardDynamics, "FDM pose in lanes")];
    for (question, name) in names {
        let batch = Batch::new(robot, question).expect("closed robots answer it");
        let mut answers = vec![0.0; batch.columns() * count];
        let timing = time(|_| {
            batch.evaluate(black_box(&moving), &mut answers).expect("regular states");
        });
        report::batch(MODEL, name, "lanes", timing, count);
    }
}
