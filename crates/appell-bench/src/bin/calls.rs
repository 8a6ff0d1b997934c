//! Makes one call a number of times, for tools that count instructions: `calls KIND QUESTION ROBOT TIMES`.
//!
//! KIND is `plain`, `fused` or `lanes`, and not `lanes` of a robot with closed loops, which is given assembled states; a call of
//! `lanes` is a batch of 1000 states on one core.

use appell::closed::sample::ClosedState;
use appell::question::Single;
use appell::question::closed::ClosedSingle;
use appell::question::closed::{self, Motion, MotionError, columns};
use appell::question::{Evaluator, Question, State, Target};
use appell::robots::{self, Builtin};
use appell::sample::Sampler;
use appell_batch::{Batch, States as Batched};
use appell_bench::{STATES, States};
use std::hint::black_box;

const USAGE: &str = "calls plain|fused|lanes QUESTION ROBOT TIMES";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, question, robot, times] = &words[..] else { panic!("{USAGE}") };
    let question = Question::find(question).expect(USAGE);
    let builtin = robots::find(robot).expect(USAGE);
    let times: usize = times.parse().expect(USAGE);
    if robots::CLOSED.iter().any(|closed| closed.name == builtin.name) {
        call_closed(builtin, kind, question, times);
    } else {
        call(builtin, kind, question, times);
    }
}

/// A question of a robot with closed loops, ready.
type Answer<'r> = Box<dyn FnMut(&closed::State<'_>, &mut [f64]) -> Result<(), MotionError> + 'r>;

fn call_closed(builtin: &Builtin, kind: &str, question: Question, times: usize) {
    let robot = builtin.closed();
    let mut sampler = Sampler::new(1);
    let states: Vec<ClosedState> = (0..STATES).map(|_| sampler.closed_state(&robot)).collect();
    let mut row = vec![0.0; columns(question, &robot).len()];
    let mut answer: Answer<'_> = match kind {
        "plain" => {
            let mut evaluator = closed::Evaluator::new(&robot, question, None).expect("a question of this robot");
            Box::new(move |state, row| evaluator.evaluate(state, row))
        }
        "fused" => {
            let mut single = ClosedSingle::new(&robot, question).expect("a question of this robot");
            Box::new(move |state, row| single.evaluate(state, row))
        }
        _ => panic!("{USAGE}"),
    };
    for k in 0..times {
        let s = black_box(&states[k % STATES]);
        let motion = Motion::Assembled { at: &s.at, r: &s.r, r_dot: &s.r_dot };
        answer(&closed::State { motion, tau: &s.tau, ..closed::State::default() }, &mut row).expect("a regular state");
    }
    black_box(&row);
}

fn call(builtin: &Builtin, kind: &str, question: Question, times: usize) {
    let robot = builtin.mechanism();
    let states = States::of(&robot);
    let state = |k: usize| {
        let (q, v, a) = (&states.q[k % STATES], &states.v[k % STATES], &states.a[k % STATES]);
        State { q, v, a, tau: a, w: a, ..State::default() }
    };
    let width = question.columns(&robot).len();
    let mut row = vec![0.0; width];
    match kind {
        "plain" => {
            let mut plain = Evaluator::new(&robot, question, None, Target::default()).expect("a default");
            for k in 0..times {
                plain.evaluate(black_box(state(k)), &mut row).expect("a regular robot");
            }
        }
        "fused" => {
            let mut single = Single::new(&robot, question, Target::default()).expect("a question with a kernel");
            for k in 0..times {
                single.evaluate(black_box(state(k)), &mut row).expect("a regular robot");
            }
        }
        "lanes" => {
            rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool was not used before");
            let batch = Batch::new(&robot, question, Target::default()).expect("a question with a kernel");
            let count = 1000;
            let spread = |table: &[Vec<f64>]| -> Vec<f64> {
                (0..robot.dof() * count).map(|k| table[(k % count) % STATES][k / count]).collect()
            };
            let (q, v, a) = (spread(&states.q), spread(&states.v), spread(&states.a));
            let mut answers = vec![0.0; width * count];
            for _ in 0..times {
                let many = Batched { count, q: &q, v: &v, a: &a, tau: &a, w: &a };
                batch.evaluate(black_box(&many), &mut answers).expect("a regular robot");
            }
        }
        _ => panic!("{USAGE}"),
    }
    black_box(&row);
}
