//! `appell agreement`: how far the methods for one question differ.

use crate::arguments::number_that;
use crate::progress::{Progress, Work};
use crate::robot;
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::sample::{RandomState, Sampler};
use appell::{Model, Robot};
use appell_drawing::listing::Listing;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Compare all methods for each question on random states.
///
/// The difference between a question's default method and another is the largest entry of the difference of their
/// answers over the largest entry of the default's answer; bias, gravity, Coriolis forces and reactions, which may
/// vanish, are measured against all joint forces of the state. Shown is the worst of all states.
///
/// States are random in ±π rad or ±0.5 m, ±2 rad/s or ±1 m/s, ±4 rad/s² or ±2 m/s², ±20 N m or N; the same seed
/// gives the same states on every machine. States of a robot with closed loops lie around its home, where its legs reach and its drives
/// hold it.
///
/// Exit codes: 0 all agree; 1 a difference exceeds the tolerance, or an inertia matrix is singular.
#[derive(clap::Args)]
#[command(after_help = "Example: appell agreement puma560 --states 10000 --seed 7")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// How many random states
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Seed of the random states
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The largest relative difference that counts as agreement
    #[arg(long, default_value_t = 1e-10, value_parser = tolerance)]
    tolerance: f64,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    let (name, outcomes) = (robot.name(), compare(&robot, args));
    let agree = outcomes.iter().all(|outcome| outcome.agrees(args.tolerance));
    if json {
        let differences: Value = outcomes.iter().map(as_json).collect();
        let report = json!({
            "robot": name, "states": args.states, "seed": args.seed, "tolerance": args.tolerance,
            "agree": agree, "differences": differences,
        });
        writeln!(out, "{report:#}")?;
    } else {
        writeln!(out, "{name}: {} random states, seed {}\n", args.states, args.seed)?;
        write(&outcomes, out)?;
        let far = outcomes.iter().any(|outcome| outcome.worst.is_some_and(|(worst, _)| worst > args.tolerance));
        let verdict = match (agree, far) {
            (true, _) => "All methods agree",
            (false, true) => "The methods do not all agree",
            (false, false) => "Not all states have an answer; where methods answer they agree",
        };
        writeln!(out, "\n{verdict} within {:e}.", args.tolerance)?;
    }
    Ok(agree)
}

/// Puts every question with several methods to the same random states: of all joints, or around home where loops are
/// closed.
fn compare(robot: &Robot, args: &Args) -> Vec<Outcome> {
    let ready = |question, method| {
        Evaluator::new(robot, question, method, Target::default()).expect("a method of the question's list")
    };
    // What formulations of closed robots can differ in: the rest is kinematics of an assembled robot.
    let is_compared = |question: &Question| {
        robot.closed().is_none()
            || !matches!(question, Question::Frames | Question::CentreOfMass | Question::Singularity)
    };
    let contest = |question: Question| {
        Contest::new(question.methods(robot).into_iter().map(|method| ready(question, Some(method.name))))
    };
    let mut contests: Vec<Contest> = Question::ALL.into_iter().filter(is_compared).filter_map(contest).collect();
    let mut forces = ready(Question::InverseDynamics, None);
    let mut tau = vec![0.0; forces.columns().len()];
    let mut sampler = Sampler::new(args.seed);
    let mut progress = Progress::start(Work::States(args.states), false);
    for number in 1..=args.states {
        let mut judge = |state: &State<'_>| {
            let force = forces.evaluate(state, &mut tau).map_or(0.0, |()| largest(tau.iter().copied()));
            contests.iter_mut().for_each(|contest| contest.judge(number, state, force));
        };
        match robot.model() {
            Model::Tree(tree) => {
                let RandomState { q, v, a, tau, .. } = &sampler.state(tree);
                judge(&State { q, v, a, tau, w: a, ..State::default() });
            }
            Model::Closed(closed) => {
                let sample = sampler.closed_state(closed);
                let motion = Motion::Assembled { at: &sample.at, r: &sample.r, r_dot: &sample.r_dot };
                judge(&State { motion, tau: &sample.tau, ..State::default() });
            }
        }
        progress.reach(number);
    }
    contests.into_iter().flat_map(|contest| contest.rivals).map(|(_, outcome)| outcome).collect()
}

/// A question with its default method, and the others that are measured against it.
struct Contest {
    first: Evaluator,
    answers: [Vec<f64>; 2], // of the first and of a rival
    rivals: Vec<(Evaluator, Outcome)>,
}

/// The largest difference of a method and the first failure, and the states they are of.
struct Outcome {
    question: Question,
    method: &'static str,
    against: &'static str,
    worst: Option<(f64, u64)>,
    failed: Option<(String, u64)>,
}

impl Contest {
    /// The first of `evaluators` against the others.
    fn new(mut evaluators: impl Iterator<Item = Evaluator>) -> Option<Self> {
        let first = evaluators.next()?;
        let (question, against) = (first.question(), first.method().name);
        let rival = |evaluator: Evaluator| {
            let method = evaluator.method().name;
            (evaluator, Outcome { question, method, against, worst: None, failed: None })
        };
        let rivals: Vec<_> = evaluators.map(rival).collect();
        let answers = [(); 2].map(|()| vec![0.0; first.columns().len()]);
        (!rivals.is_empty()).then_some(Self { first, answers, rivals })
    }

    /// Lets all methods answer for a state, whose largest joint force is `force`.
    fn judge(&mut self, number: u64, state: &State<'_>, force: f64) {
        let [ours, theirs] = &mut self.answers;
        let answered = self.first.evaluate(state, ours);
        let size = largest(ours.iter().copied());
        let size = match self.first.question() {
            Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::CoriolisMatrix
            | Question::Reactions => size.max(force),
            _ => size,
        };
        for (evaluator, outcome) in &mut self.rivals {
            match answered.clone().and_then(|()| evaluator.evaluate(state, theirs)) {
                Ok(()) => {
                    let difference =
                        relative(largest(ours.iter().zip(&*theirs).map(|(ours, theirs)| ours - theirs)), size);
                    if outcome.worst.is_none_or(|(worst, _)| difference > worst) {
                        outcome.worst = Some((difference, number));
                    }
                }
                Err(error) => {
                    outcome.failed.get_or_insert_with(|| (error.to_string(), number));
                }
            }
        }
    }
}

impl Outcome {
    fn agrees(&self, tolerance: f64) -> bool {
        self.failed.is_none() && self.worst.is_some_and(|(difference, _)| difference <= tolerance)
    }
}

/// The largest magnitude; NaN if there is one.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(f64::abs).fold(0.0, |most, number| if number > most || number.is_nan() { number } else { most })
}

/// A difference over the size of what differs; infinite if either is NaN.
fn relative(difference: f64, size: f64) -> f64 {
    match difference / size {
        _ if difference == 0.0 => 0.0,
        ratio if ratio.is_nan() => f64::INFINITY,
        ratio => ratio,
    }
}

fn write(outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let mut listing = Listing::new(["question", "method", "against", ">difference", ">at state"]);
    for outcome in outcomes {
        let (difference, at) = match (&outcome.failed, outcome.worst) {
            (Some((_, at)), _) => ("singular".into(), at.to_string()),
            (None, Some((difference, at))) => (scientific(difference), at.to_string()),
            (None, None) => (String::new(), String::new()),
        };
        let [question, method, against] = [outcome.question.name(), outcome.method, outcome.against];
        listing.push([question.into(), method.into(), against.into(), difference, at]);
    }
    listing.write(out)?;
    if let Some((message, at)) = outcomes.iter().find_map(|outcome| outcome.failed.as_ref()) {
        writeln!(out, "\nAt state {at}: {message}.")?;
    }
    Ok(())
}

/// A difference to two digits.
fn scientific(difference: f64) -> String {
    if difference == 0.0 { "0".into() } else { format!("{difference:.1e}") }
}

fn as_json(outcome: &Outcome) -> Value {
    json!({
        "question": outcome.question.name(),
        "method": outcome.method,
        "against": outcome.against,
        "difference": outcome.worst.map(|(difference, _)| difference),
        "state": outcome.worst.map(|(_, at)| at),
        "singular": outcome.failed.as_ref().map(|(message, at)| json!({ "state": at, "message": message })),
    })
}

/// Reads a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    number_that(text, |x| x >= 0.0, "expected zero or a positive number, such as 1e-10")
}
