//! Chains and trees: one state by plain and by fused numbers, and batches in lanes on one core.

use crate::report;
use appell::Robot;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target};
use appell_batch::{Batch, States as Batched};
use appell_bench::{STATES, States, Timing, time, time_repeats};
use std::hint::black_box;
use std::path::Path;

/// States of a batch that stays in the cache; no power of two, whose rows would collide there.
const SMALL: usize = 1000;

/// States of a batch that does not.
const LARGE: usize = 1_000_000;

/// Robots with more joints are measured by default methods alone: others are referees, and slow.
const MOST_JOINTS_FOR_ALL_METHODS: usize = 7;

/// Robots that large batches are measured on.
const ARMS: [&str; 2] = ["puma560", "panda7"];

/// What is measured, with its name in the table.
const QUESTIONS: [(Question, &str); 5] = [
    (Question::InverseDynamics, "ID"),
    (Question::InertiaMatrix, "M"),
    (Question::ForwardDynamics, "FD"),
    (Question::Bias, "bias"),
    (Question::InverseDynamicsDerivatives, "dID"),
];

pub(crate) fn measure(models: &Path, flat: &Path) {
    let entries = std::fs::read_dir(models).expect("a folder of models");
    let mut files: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "urdf"));
    files.sort();
    for file in files {
        let name = file.file_stem().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a readable file");
        match Robot::from_urdf(&text) {
            Ok(robot) => {
                let flat = std::fs::read_to_string(flat.join(&name).with_extension("flat")).unwrap_or_default();
                measure_robot(&name, &robot, &order(robot.tree(), &flat));
            }
            Err(error) => eprintln!("{name} is left out: {error}"),
        }
    }
}

/// Where the harness's joints are among ours: its file has a name and a number, then 24 words a joint, its name first.
fn order(robot: &Mechanism, flat: &str) -> Vec<usize> {
    let names = flat.split_whitespace().skip(2).step_by(24);
    let place = |name| robot.joint_names().iter().position(|own| own == name);
    let found: Vec<usize> = names.filter_map(place).collect();
    if found.len() == robot.dof() { found } else { (0..robot.dof()).collect() }
}

fn measure_robot(name: &str, robot: &Robot, order: &[usize]) {
    let given = Given::of(robot, order);
    for (question, short) in QUESTIONS {
        for (k, method) in question.row().open.iter().enumerate() {
            if k > 0 && robot.tree().dof() > MOST_JOINTS_FOR_ALL_METHODS && method.name != "articulated-body" {
                continue;
            }
            let algorithm = format!("{short} {}", method.name);
            let mut plain = Evaluator::new(robot, question, Some(method.name), Target::default()).expect("listed");
            report::time(name, &algorithm, "plain", given.time(&mut plain));
            given.check(name, question, "plain", |state, row| plain.evaluate(state, row).expect("a regular robot"));
        }
        let mut fused = Evaluator::new(robot, question, None, Target::default()).expect("open robots answer it");
        let algorithm = format!("{short} {}", fused.method().name);
        report::time(name, &algorithm, "fused", given.time(&mut fused));
        given.check(name, question, "fused", |state, row| fused.evaluate(state, row).expect("a regular robot"));
        let batch = Batch::new(robot, question).expect("what one state has, many have");
        let small = given.lanes(&batch, SMALL, |call| time(call));
        report::batch(name, &format!("{short} batch {SMALL}"), "lanes", small, SMALL);
        if ARMS.contains(&name) && question == Question::InverseDynamics {
            let large = given.lanes(&batch, LARGE, |call| time_repeats(20, 1, call));
            report::batch(name, &format!("{short} batch {LARGE}"), "lanes", large, LARGE);
        }
    }
}

/// A robot with the common states and the joint forces there.
struct Given<'r> {
    robot: &'r Robot,
    order: &'r [usize],
    states: States,
    tau: Vec<Vec<f64>>,
}

impl<'r> Given<'r> {
    fn of(robot: &'r Robot, order: &'r [usize]) -> Self {
        let mut states = States::of(robot.tree());
        for vector in states.q.iter_mut().chain(&mut states.v).chain(&mut states.a) {
            let common = vector.clone();
            order.iter().zip(common).for_each(|(&place, x)| vector[place] = x);
        }
        let mut inverse = Evaluator::new(robot, Question::InverseDynamics, None, Target::default()).expect("a default");
        let mut tau = vec![vec![0.0; robot.tree().dof()]; STATES];
        for (k, tau) in tau.iter_mut().enumerate() {
            let state = State { q: &states.q[k], v: &states.v[k], a: &states.a[k], ..State::default() };
            inverse.evaluate(&state, tau).expect("inverse dynamics cannot fail");
        }
        Self { robot, order, states, tau }
    }

    fn state(&self, k: usize) -> State<'_> {
        let (k, Self { states, tau, .. }) = (k % STATES, self);
        State { q: &states.q[k], v: &states.v[k], a: &states.a[k], tau: &tau[k], ..State::default() }
    }

    fn row(&self, question: Question) -> Vec<f64> {
        vec![0.0; question.columns(self.robot).len()]
    }

    fn time(&self, evaluator: &mut Evaluator) -> Timing {
        let mut row = self.row(evaluator.question());
        time(|k| {
            evaluator.evaluate(black_box(&self.state(k)), &mut row).expect("a regular robot");
            black_box(&row);
        })
    }

    fn lanes(&self, batch: &Batch, count: usize, time: impl Fn(&mut dyn FnMut(usize)) -> Timing) -> Timing {
        let spread = |table: &[Vec<f64>]| -> Vec<f64> {
            (0..self.robot.tree().dof()).flat_map(|j| (0..count).map(move |i| table[i % STATES][j])).collect()
        };
        let (q, v, a, tau) =
            (spread(&self.states.q), spread(&self.states.v), spread(&self.states.a), spread(&self.tau));
        let many = Batched { count, q: &q, v: &v, a: &a, tau: &tau, ..Batched::default() };
        let mut answers = vec![0.0; batch.columns() * count];
        time(&mut |_| {
            batch.evaluate(black_box(&many), &mut answers).expect("a regular robot");
            black_box(&answers);
        })
    }

    /// Prints what the peers' check looks at: state 1, with forces 3 a for forward dynamics.
    fn check(&self, name: &str, question: Question, kind: &str, answer: impl FnOnce(&State<'_>, &mut [f64])) {
        let forces: Vec<f64> = self.states.a[1].iter().map(|a| 3.0 * a).collect();
        let mut row = self.row(question);
        answer(&State { tau: &forces, ..self.state(1) }, &mut row);
        report::check(name, question, kind, self.order, &row);
    }
}
