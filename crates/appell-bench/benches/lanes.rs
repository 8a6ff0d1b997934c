//! Plain numbers, fused ones and lanes: every question that has all three, on the PUMA and the seven-axis arm.
//!
//! Lanes are measured on one core, ns a state of a batch.

use appell::Robot;
use appell::question::{Evaluator, Question, State, Target};
use appell_batch::{Batch, States as Batched};
use appell_bench::{STATES, States, time};
use std::hint::black_box;

/// States of a batch: many times the lanes, and no power of two, whose rows would collide in the cache.
const COUNT: usize = 1000;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool was not used before");
    for name in ["puma560", "seven-axis"] {
        let robot = Robot::builtin(name).expect("built in");
        println!("\n{name}, one core, ns a state: minima");
        println!("{:<30} {:>8} {:>8} {:>8} {:>8}", "question", "plain", "fused", "lanes", "ratio");
        for question in Question::ALL {
            let batch = Batch::new(&robot, question).ok().filter(Batch::is_in_lanes);
            if let Some(batch) = batch {
                let [plain, fused, lanes] = measure(&robot, question, &batch);
                println!("{:<30} {plain:>8.1} {fused:>8.1} {lanes:>8.1} {:>7.1}x", question.name(), plain / lanes);
            }
        }
    }
}

fn measure(robot: &Robot, question: Question, batch: &Batch) -> [f64; 3] {
    let (states, dof) = (States::of(robot.tree()), robot.tree().dof());
    let ready = |method| Evaluator::new(robot, question, method, Target::default()).expect("a question of this robot");
    let mut plain = ready(Some(question.methods(robot)[0].name));
    let mut fused = ready(None);
    let mut row = vec![0.0; batch.columns()];
    let state = |k: usize| {
        let (q, v, a) = (&states.q[k % STATES], &states.v[k % STATES], &states.a[k % STATES]);
        State { q, v, a, tau: a, w: a, ..State::default() }
    };
    let plainly = time(|k| {
        plain.evaluate(black_box(&state(k)), &mut row).expect("a regular robot");
        black_box(&row);
    });
    let by_fused = time(|k| {
        fused.evaluate(black_box(&state(k)), &mut row).expect("a regular robot");
        black_box(&row);
    });
    let spread =
        |table: &[Vec<f64>]| -> Vec<f64> { (0..dof * COUNT).map(|k| table[(k % COUNT) % STATES][k / COUNT]).collect() };
    let (q, v, a) = (spread(&states.q), spread(&states.v), spread(&states.a));
    let many = Batched { count: COUNT, q: &q, v: &v, a: &a, tau: &a, w: &a, ..Batched::default() };
    let mut answers = vec![0.0; batch.columns() * COUNT];
    let lanes = time(|_| {
        batch.evaluate(black_box(&many), &mut answers).expect("a regular robot");
        black_box(&answers);
    });
    [plainly.min, by_fused.min, lanes.min / COUNT as f64]
}
