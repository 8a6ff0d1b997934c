//! `appell agreement`: how far the methods for one question differ.

mod closed;
mod tree;

use crate::robot::{self, Model};
use appell::question::Question;
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
/// gives the same states on every machine. The pitch of a floating base keeps away from right angles, where its
/// three turns are two. States of a robot with closed loops lie around its home, where its legs reach and its drives
/// hold it.
///
/// Exit codes: 0 all agree; 1 a difference exceeds the tolerance, or an inertia matrix is singular.
#[derive(clap::Args)]
#[command(after_help = "Example: appell agreement puma560 --states 10000 --seed 7")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// How many random states
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Seed of the random states
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// The largest relative difference that counts as agreement
    #[arg(long, default_value_t = 1e-10, allow_negative_numbers = true, value_parser = tolerance)]
    tolerance: f64,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let (name, outcomes) = match args.robot.load()?.model {
        Model::Tree(robot) => (robot.name().to_owned(), tree::compare(&robot, args)),
        Model::Closed(robot) => (robot.name().to_owned(), closed::compare(&robot, args)),
    };
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

/// A method that answers a question for states of the kind `S`.
trait Contestant<S> {
    fn question(&self) -> Question;
    fn method(&self) -> &'static str;
    fn answer(&mut self, state: &S, row: &mut [f64]) -> Result<(), String>;
}

/// A question with its default method, and the others that are measured against it.
struct Contest<E> {
    first: E,
    answer: Vec<f64>,
    rivals: Vec<Rival<E>>,
}

/// Another method and how it fares.
struct Rival<E> {
    evaluator: E,
    answer: Vec<f64>,
    outcome: Outcome,
}

/// The largest difference of a method and the first failure, and the states they are of.
#[derive(Clone)]
struct Outcome {
    question: Question,
    method: &'static str,
    against: &'static str,
    worst: Option<(f64, u64)>,
    failed: Option<(String, u64)>,
}

impl<E> Contest<E> {
    /// The first of `evaluators` against the others, each with an answer of `width` numbers.
    fn new<S>(mut evaluators: impl Iterator<Item = E>, width: usize) -> Option<Self>
    where
        E: Contestant<S>,
    {
        let first = evaluators.next()?;
        let rival = |evaluator: E| {
            let (question, method, against) = (first.question(), evaluator.method(), first.method());
            let outcome = Outcome { question, method, against, worst: None, failed: None };
            Rival { evaluator, answer: vec![0.0; width], outcome }
        };
        let rivals: Vec<Rival<E>> = evaluators.map(rival).collect();
        (!rivals.is_empty()).then(|| Self { first, answer: vec![0.0; width], rivals })
    }

    /// Lets all methods answer for a state, whose largest joint force is `force`.
    fn judge<S>(&mut self, number: u64, state: &S, force: f64)
    where
        E: Contestant<S>,
    {
        let outcome = self.first.answer(state, &mut self.answer);
        let size = largest(self.answer.iter().copied());
        let size = match self.first.question() {
            Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::CoriolisMatrix
            | Question::Reactions => size.max(force),
            _ => size,
        };
        for Rival { evaluator, answer, outcome: kept } in &mut self.rivals {
            match outcome.clone().and_then(|()| evaluator.answer(state, answer)) {
                Ok(()) => {
                    let gaps = self.answer.iter().zip(&*answer).map(|(ours, theirs)| ours - theirs);
                    let difference = relative(largest(gaps), size);
                    if kept.worst.is_none_or(|(worst, _)| difference > worst) {
                        kept.worst = Some((difference, number));
                    }
                }
                Err(message) => {
                    kept.failed.get_or_insert((message, number));
                }
            }
        }
    }

    fn outcomes(self) -> impl Iterator<Item = Outcome> {
        self.rivals.into_iter().map(|rival| rival.outcome)
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

/// A difference over the size of what differs; infinite if either is no number.
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
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("expected a number that is zero or positive, such as 1e-10".into()),
    }
}
