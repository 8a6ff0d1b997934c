//! Makes one call a number of times, for tools that count instructions: `calls KIND QUESTION ROBOT TIMES`.
//!
//! KIND is `plain`, `fused` or `lanes`, and not `lanes` of a robot with closed loops, which is given assembled states; a call of
//! `lanes` is a batch of 1000 states on one core.

use appell::closed::ClosedMechanism;
use appell::closed::sample::ClosedState;
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::sample::Sampler;
use appell::{Model, Robot};
use appell_batch::{Batch, States as Batched};
use appell_bench::{STATES, States};
use std::hint::black_box;

const USAGE: &str = "calls plain|fused|lanes QUESTION ROBOT TIMES";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, question, robot, times] = &words[..] else { panic!("{USAGE}") };
    let question = Question::find(question).expect(USAGE);
    let robot = Robot::builtin(robot).expect(USAGE);
    let times: usize = times.parse().expect(USAGE);
    let method = match kind.as_str() {
        "plain" => Some(question.methods(&robot)[0].name),
        "fused" => None,
        "lanes" if robot.closed().is_none() => return call_lanes(&robot, question, times),
        _ => panic!("{USAGE}"),
    };
    let evaluator = Evaluator::new(&robot, question, method, Target::default()).expect("a question of this robot");
    match robot.model() {
        Model::Tree(tree) => call(evaluator, &States::of(tree), times),
        Model::Closed(closed) => call_closed(evaluator, closed, times),
    }
}

fn call(mut evaluator: Evaluator, states: &States, times: usize) {
    let mut row = vec![0.0; evaluator.columns().len()];
    for k in 0..times {
        let (q, v, a) = (&states.q[k % STATES], &states.v[k % STATES], &states.a[k % STATES]);
        let state = State { q, v, a, tau: a, w: a, ..State::default() };
        evaluator.evaluate(black_box(&state), &mut row).expect("a regular robot");
    }
    black_box(&row);
}

fn call_closed(mut evaluator: Evaluator, robot: &ClosedMechanism, times: usize) {
    let mut sampler = Sampler::new(1);
    let states: Vec<ClosedState> = (0..STATES).map(|_| sampler.closed_state(robot)).collect();
    let mut row = vec![0.0; evaluator.columns().len()];
    for k in 0..times {
        let s = black_box(&states[k % STATES]);
        let motion = Motion::Assembled { at: &s.at, r: &s.r, r_dot: &s.r_dot };
        evaluator.evaluate(&State { motion, tau: &s.tau, ..State::default() }, &mut row).expect("a regular state");
    }
    black_box(&row);
}

fn call_lanes(robot: &Robot, question: Question, times: usize) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool was not used before");
    let batch = Batch::new(robot, question).expect("a question of this robot");
    assert!(batch.is_in_lanes(), "a question with a kernel");
    let (count, dof) = (1000, robot.tree().dof());
    let states = States::of(robot.tree());
    let spread =
        |table: &[Vec<f64>]| -> Vec<f64> { (0..dof * count).map(|k| table[(k % count) % STATES][k / count]).collect() };
    let (q, v, a) = (spread(&states.q), spread(&states.v), spread(&states.a));
    let mut answers = vec![0.0; batch.columns() * count];
    for _ in 0..times {
        let many = Batched { count, q: &q, v: &v, a: &a, tau: &a, w: &a, ..Batched::default() };
        batch.evaluate(black_box(&many), &mut answers).expect("a regular robot");
    }
    black_box(&answers);
}
