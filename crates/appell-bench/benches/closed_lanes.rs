//! Robots with closed loops, state by state and in batches: every question, from the motion of the platform or of the drives.
//!
//! Measured on one core, ns a state. Arguments name robots or questions; all of them if there are none.

use appell::Robot;
use appell::closed::ClosedMechanism;
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Pose, Quaternion};
use appell_batch::{Batch, States};
use appell_bench::time;
use std::hint::black_box;

/// States of a batch: many times the lanes, and no power of two, whose rows would collide in the cache.
const COUNT: usize = 1000;

fn main() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool was not used before");
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_asked = |name: &str, all: &[&str]| {
        let mut named = asked.iter().filter(|asked| all.contains(&asked.as_str())).peekable();
        named.peek().is_none() || named.any(|asked| asked == name)
    };
    let names: Vec<&str> = robots::CLOSED.iter().map(|robot| robot.name).collect();
    let questions: Vec<&str> = Question::ALL.iter().map(|question| question.name()).collect();
    for builtin in robots::CLOSED.iter().filter(|robot| is_asked(robot.name, &names)) {
        let robot = Robot::builtin(builtin.name).expect("built in");
        let Some(sampled) = Sampled::of(&robot) else { continue };
        println!("\n{}, one core, ns a state: minima", builtin.name);
        println!("{:<30} {:>9} {:>9} {:>8}", "question", "one by one", "batch", "ratio");
        for question in Question::ALL.into_iter().filter(|question| is_asked(question.name(), &questions)) {
            if let Some([alone, batch]) = sampled.measure(&robot, question) {
                println!("{:<30} {alone:>10.1} {batch:>9.1} {:>7.2}x", question.name(), alone / batch);
            }
        }
    }
}

/// Regular states of a robot, by the motions of its platform.
struct Sampled {
    poses: Vec<Pose>,
    pose: Vec<f64>,
    rates: Vec<f64>, // of the freedoms; the others are left open
    tau: Vec<f64>,
}

impl Sampled {
    /// `None` of a robot without a platform.
    fn of(robot: &Robot) -> Option<Self> {
        let (mut evaluator, robot) = (plain(robot, Question::InverseDynamics)?, robot.closed()?);
        robot.platform()?;
        let mut sampler = Sampler::new(3);
        let mut row = vec![0.0; robot.driven().len()];
        let mut is_regular = |pose: &Pose| {
            let motion =
                Motion::Platform { pose: *pose, twist: freedoms(robot, 0.3), acceleration: freedoms(robot, 0.3) };
            evaluator.evaluate(&State { motion, ..State::default() }, &mut row).is_ok()
        };
        let mut poses = Vec::new();
        for _ in 0..100 * COUNT {
            let state = sampler.closed_state(robot);
            if is_regular(&state.at.pose) {
                poses.push(state.at.pose);
            }
            if poses.len() == COUNT {
                break;
            }
        }
        if poses.len() < COUNT {
            println!("\n{}: too few regular states", robot.name());
            return None;
        }
        let numbers = |pose: &Pose| {
            let (p, Quaternion { x, y, z, w }) = (pose.position, Quaternion::of_rotation(&pose.rotation));
            [p.x, p.y, p.z, x, y, z, w]
        };
        let pose = (0..7 * COUNT).map(|k| numbers(&poses[k % COUNT])[k / COUNT]).collect();
        let rates = (0..6 * COUNT).map(|k| freedoms(robot, 0.3)[k / COUNT].unwrap_or(f64::NAN)).collect();
        Some(Self { poses, pose, rates, tau: vec![1.0; robot.driven().len() * COUNT] })
    }

    fn measure(&self, robot: &Robot, question: Question) -> Option<[f64; 2]> {
        let batch = Batch::new(robot, question).ok()?;
        let (mut evaluator, robot) = (plain(robot, question)?, robot.closed()?);
        let mut row = vec![0.0; batch.columns()];
        let rates = freedoms(robot, 0.3);
        let tau = &self.tau[..robot.driven().len()];
        let mut state = |k: usize| {
            let motion = Motion::Platform { pose: self.poses[k % COUNT], twist: rates, acceleration: rates };
            evaluator.evaluate(black_box(&State { motion, tau, ..State::default() }), &mut row)
        };
        if (0..COUNT).any(|k| state(k).is_err()) {
            return None;
        }
        let alone = time(|k| drop(black_box(state(k))));
        let Self { pose, rates, tau, .. } = self;
        let states = States { count: COUNT, pose, twist: rates, acceleration: rates, tau, ..States::default() };
        let mut answers = vec![0.0; batch.columns() * COUNT];
        let lanes = time(|_| batch.evaluate(black_box(&states), &mut answers).expect("regular states"));
        Some([alone.min, lanes.min / COUNT as f64])
    }
}

/// A question of a robot on plain numbers; `None` if it does not answer it.
fn plain(robot: &Robot, question: Question) -> Option<Evaluator> {
    let method = question.methods(robot).first()?.name;
    Evaluator::new(robot, question, Some(method), Target::default()).ok()
}

/// The same rate of all freedoms, and nothing said of the platform's other components.
fn freedoms(robot: &ClosedMechanism, rate: f64) -> [Option<f64>; 6] {
    let dof = robot.tree().dof();
    std::array::from_fn(|k| robot.freedoms().contains(&(dof + k)).then_some(rate))
}
