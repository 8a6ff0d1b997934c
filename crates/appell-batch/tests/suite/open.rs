//! Batches and single states by the processor's best instructions, beside the plain evaluators.

use crate::common::assert_close_at;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target, table};
use appell::robots;
use appell::sample::{Sampler, Shape};
use appell_batch::{Batch, Instructions, States};

/// Questions of trees that are computed in lanes.
fn questions(robot: &Mechanism) -> Vec<Question> {
    Question::ALL
        .into_iter()
        .filter(|&question| Batch::new(robot, question).is_ok_and(|batch| batch.is_in_lanes()))
        .collect()
}

/// Random states in structures of arrays, and one of them.
struct Sampled {
    count: usize,
    vectors: [Vec<f64>; 5],
}

impl Sampled {
    fn new(robot: &Mechanism, count: usize, seed: u64) -> Self {
        let mut sampler = Sampler::new(seed);
        let mut vector = |size: f64| (0..robot.dof() * count).map(|_| sampler.within(size)).collect();
        Self { count, vectors: [vector(3.0), vector(2.0), vector(4.0), vector(30.0), vector(2.0)] }
    }

    fn states(&self) -> States<'_> {
        let [q, v, a, tau, w] = &self.vectors;
        States { count: self.count, q, v, a, tau, w, ..States::default() }
    }

    /// The vectors with one state after the other.
    fn rows(&self) -> [Vec<f64>; 5] {
        self.vectors.each_ref().map(|vector| turned(vector, self.count))
    }

    fn one(&self, robot: &Mechanism, i: usize) -> [Vec<f64>; 5] {
        self.vectors.each_ref().map(|vector| (0..robot.dof()).map(|j| vector[j * self.count + i]).collect())
    }
}

/// Columns of `count` numbers as rows.
fn turned(columns: &[f64], count: usize) -> Vec<f64> {
    (0..count).flat_map(|i| columns.iter().skip(i).step_by(count).copied()).collect()
}

fn robots_and_trees() -> Vec<Mechanism> {
    let mut all: Vec<Mechanism> = robots::TREES.iter().map(robots::Builtin::mechanism).collect();
    let mut sampler = Sampler::new(11);
    for n in 2..=9 {
        let robot = sampler.robot(n, if n % 2 == 0 { Shape::Chain } else { Shape::Tree });
        all.push(sampler.with_effects(&robot));
    }
    all
}

#[test]
fn batches_and_singles_agree_with_the_evaluators() {
    for robot in robots_and_trees() {
        let asked = questions(&robot);
        assert!(asked.len() >= 22, "{asked:?}");
        for question in asked {
            let batch = Batch::new(&robot, question).unwrap();
            let mut single = Evaluator::new(&robot, question, None, Target::default()).unwrap();
            let method = Some(question.row().open[0].name);
            let mut plain = Evaluator::new(&robot, question, method, Target::default()).unwrap();
            let sampled = Sampled::new(&robot, 19, 5);
            let width = batch.columns();
            assert_eq!(width, plain.columns().len());
            // What other processors compute is what this one does.
            let answers = Instructions::ALL.map(|instructions| {
                let mut answers = vec![f64::NAN; width * sampled.count];
                batch.clone().by(instructions).evaluate(&sampled.states(), &mut answers).unwrap();
                answers
            });
            for i in 0..sampled.count {
                let [q, v, a, tau, w] = &sampled.one(&robot, i);
                let state = State { q, v, a, tau, w, ..State::default() };
                let (mut expected, mut one) = (vec![0.0; width], vec![0.0; width]);
                plain.evaluate(&state, &mut expected).unwrap();
                single.evaluate(&state, &mut one).unwrap();
                let label = format!("{} {} state {i}", robot.name(), question.name());
                // Forward dynamics amplifies rounding by the condition of the inertia matrix.
                let tolerance = match question {
                    Question::ForwardDynamics | Question::ForwardDynamicsDerivatives => 1e-8,
                    _ => 1e-11,
                };
                assert_close_at(&one, &expected, tolerance, 1e-3, &label);
                for (answers, instructions) in answers.iter().zip(Instructions::ALL) {
                    let lanes: Vec<f64> = (0..width).map(|c| answers[c * sampled.count + i]).collect();
                    assert_close_at(&lanes, &expected, tolerance, 1e-3, &format!("{label} by {instructions:?}"));
                }
            }
        }
    }
}

/// Every state has the same answer to the last bit, wherever it stands and however many threads there are.
#[test]
fn answers_do_not_depend_on_neighbours_or_threads() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let batch = Batch::new(&robot, Question::InverseDynamics).unwrap();
    let mut sampled = Sampled::new(&robot, 5003, 3);
    // An angle of thousands of turns is computed in another way, and its neighbours are not.
    sampled.vectors[0][4] = 3e5;
    let compute = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut answers = vec![0.0; 6 * sampled.count];
        pool.install(|| batch.evaluate(&sampled.states(), &mut answers)).unwrap();
        answers
    };
    let one = compute(1);
    for threads in [2, 3, 7] {
        assert_eq!(one, compute(threads));
    }
    for i in [0, 1, 4, 7, 1023, 1024, 5002] {
        let [q, v, a, tau, w] = &sampled.one(&robot, i);
        let mut alone = vec![0.0; 6];
        batch.evaluate(&States { count: 1, q, v, a, tau, w, ..States::default() }, &mut alone).unwrap();
        let among: Vec<f64> = (0..6).map(|c| one[c * sampled.count + i]).collect();
        assert_eq!(alone, among, "state {i}");
    }
    batch.evaluate(&States::default(), &mut []).unwrap();
}

/// States that lie one after the other have the same answers to the last bit, of any width and count.
#[test]
fn rows_have_the_answers_of_columns() {
    let mut robots = robots_and_trees();
    robots.push(Sampler::new(3).robot(11, Shape::Tree));
    for robot in robots {
        for question in questions(&robot) {
            let batch = Batch::new(&robot, question).unwrap();
            let is_usual = question == Question::InverseDynamics;
            let counts: &[usize] = if is_usual { &[1, 8, 19, 1024, 2051] } else { &[19] };
            for &count in counts {
                let sampled = Sampled::new(&robot, count, 6);
                let rows = sampled.rows();
                let [q, v, a, tau, w] = &rows;
                let by_rows = States { count, q, v, a, tau, w, ..States::default() };
                for instructions in Instructions::ALL {
                    let batch = batch.clone().by(instructions);
                    let [mut expected, mut found] = [f64::NAN, f64::INFINITY].map(|x| vec![x; batch.columns() * count]);
                    batch.evaluate(&sampled.states(), &mut expected).unwrap();
                    batch.evaluate_rows(&by_rows, &mut found).unwrap();
                    let label = format!("{} {} {count} by {instructions:?}", robot.name(), question.name());
                    assert_eq!(found, turned(&expected, count), "{label}");
                }
            }
        }
    }
}

#[test]
fn a_singular_state_is_named() {
    let text = r#"
name = "massless hand"
frames = "modified-dh"
joints = [["arm", "revolute", 0.0, 0.0, "q", 0.0], ["hand", "revolute", 0.0, 1.0, "q", 0.0]]
body.arm = { mass = 1.0, com = [0.5, 0.0, 0.0], inertia = { xx = 0.0, yy = 0.2, zz = 0.2 } }
body.hand = { mass = 0.0 }
"#;
    let robot = Mechanism::from_toml(text).unwrap();
    let batch = Batch::new(&robot, Question::ForwardDynamics).unwrap();
    let sampled = Sampled::new(&robot, 3000, 1);
    let error = batch.evaluate(&sampled.states(), &mut vec![0.0; 6000]).unwrap_err();
    assert!(error.state == 0 && error.to_string().contains("hand"), "{error}");
    let [q, v, _, tau, _] = &sampled.rows();
    let by_rows = States { count: 3000, q, v, tau, ..States::default() };
    assert_eq!(batch.evaluate_rows(&by_rows, &mut vec![0.0; 6000]).unwrap_err(), error);
}

/// A state is as singular beside regular ones as alone, and they have their answers.
#[test]
fn a_singular_state_among_others_is_refused_as_alone() {
    let point_mass = r#"
name = "point mass on two links"
frames = "modified-dh"
joints = [["arm", "revolute", 0.0, 0.0, "q", 0.0], ["hand", "revolute", 0.0, 1.0, "q", 0.0]]
body.arm = { mass = 0.0 }
body.hand = { mass = 1.0, com = [1.0, 0.0, 0.0], inertia = { xx = 0.0, yy = 0.0, zz = 0.0 } }
"#;
    let slide = r#"
name = "turn and slide"
frames = "modified-dh"
joints = [["turn", "revolute", 0.0, 0.0, "q", 0.0], ["slide", "prismatic", "90 deg", 0.0, "0", "q"]]
body.turn = { mass = 1.0, com = [0.0, 0.0, 0.0], inertia = { xx = 1.0, yy = 1.0, zz = 1.0 } }
body.slide = { mass = 1.0, com = [0.0, 0.0, 0.0], inertia = { xx = 1.0, yy = 1.0, zz = 1.0 } }
"#;
    for (text, bad) in [(point_mass, 2e-8), (slide, 1e160)] {
        let robot = Mechanism::from_toml(text).unwrap();
        let batch = Batch::new(&robot, Question::ForwardDynamics).unwrap();
        let ask = |second: &[f64]| {
            let count = second.len();
            let q = [&vec![0.3; count][..], second].concat();
            let rest = vec![0.0; 2 * count];
            let mut answers = vec![0.0; 2 * count];
            let states = States { count, q: &q, v: &rest, tau: &rest, ..States::default() };
            let columns = batch.evaluate(&states, &mut answers).map(|()| turned(&answers, count));
            let (q, mut answers) = (turned(&q, count), vec![0.0; 2 * count]);
            let rows = batch.evaluate_rows(&States { q: &q, ..states }, &mut answers).map(|()| answers);
            assert_eq!(rows, columns);
            rows
        };
        let alone = ask(&[bad]).unwrap_err();
        let mut second: Vec<f64> = (0..20).map(|k| 0.5 + 0.1 * f64::from(k)).collect();
        assert!(ask(&second).is_ok());
        second[13] = bad;
        let among = ask(&second).unwrap_err();
        assert_eq!((among.state, among.source), (13, alone.source));
    }
}

#[test]
fn no_state_of_a_batch_allocates() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::InverseDynamicsDerivatives] {
        let batch = Batch::new(&robot, question).unwrap();
        let allocations = |count: usize| {
            let numbers = vec![0.1; 6 * count];
            let (q, v, a, tau) = (&numbers[..], &numbers[..], &numbers[..], &numbers[..]);
            let mut answers = vec![0.0; batch.columns() * count];
            let states = States { count, q, v, a, tau, ..States::default() };
            let mut evaluate = || batch.evaluate(&states, &mut answers).unwrap();
            pool.install(|| {
                evaluate();
                allocation_counter::measure(evaluate).count_total
            })
        };
        let (few, many) = (allocations(64), allocations(1024));
        assert_eq!(few, many, "{}", question.name());
    }
}

/// A tree beyond the size at which the method changes, against the default of shorter ones: what is reported is what ran.
#[test]
fn large_trees_by_articulated_bodies() {
    let mut sampler = Sampler::new(5);
    for n in [10, 36, 40] {
        let robot = sampler.robot(n, Shape::Tree);
        let sampled = Sampled::new(&robot, 3, 5);
        let batch = Batch::new(&robot, Question::ForwardDynamics).unwrap();
        assert_eq!(batch.method().name == table::OF_LONG_ROBOTS, n > 36);
        let mut found = vec![0.0; n * sampled.count];
        batch.evaluate(&sampled.states(), &mut found).unwrap();
        let default = Some(Question::ForwardDynamics.row().open[0].name);
        let mut evaluator = Evaluator::new(&robot, Question::ForwardDynamics, default, Target::default()).unwrap();
        for i in 0..sampled.count {
            let ([q, v, _, tau, _], mut row) = (&sampled.one(&robot, i), vec![0.0; n]);
            evaluator.evaluate(&State::forced(q, v, tau), &mut row).unwrap();
            let among: Vec<f64> = (0..n).map(|c| found[c * sampled.count + i]).collect();
            assert_close_at(&among, &row, 1e-6, 0.0, &format!("{n} joints, state {i}"));
        }
    }
}
