//! `appell agreement`: how far the methods for one question differ.

use crate::listing::Listing;
use crate::progress::{Progress, Work};
use crate::robot;
use appell::dynamics::InertiaError;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target, methods};
use appell::sample::Sampler;
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
/// three turns are two.
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
    let robot = args.robot.load()?.into_tree("agreement", "`show` and `check` know it")?;
    let contests = compare(&robot, args);
    let rivals: Vec<(&Contest<'_>, &Rival<'_>)> =
        contests.iter().flat_map(|contest| contest.rivals.iter().map(move |rival| (contest, rival))).collect();
    let agree = rivals.iter().all(|(_, rival)| rival.agrees(args.tolerance));
    if json {
        let differences: Value = rivals.iter().map(|(contest, rival)| as_json(contest, rival)).collect();
        let report = json!({
            "robot": robot.name(), "states": args.states, "seed": args.seed, "tolerance": args.tolerance,
            "agree": agree, "differences": differences,
        });
        writeln!(out, "{report:#}")?;
    } else {
        writeln!(out, "{}: {} random states, seed {}\n", robot.name(), args.states, args.seed)?;
        write(&rivals, out)?;
        let verdict = if agree { "All methods agree" } else { "The methods do not all agree" };
        writeln!(out, "\n{verdict} within {:e}.", args.tolerance)?;
    }
    Ok(agree)
}

/// A question with its default method, and the others that are measured against it.
struct Contest<'r> {
    evaluator: Evaluator<'r>,
    answer: Vec<f64>,
    rivals: Vec<Rival<'r>>,
}

/// Another method, with the largest difference and the first singular inertia matrix, and the states they are of.
struct Rival<'r> {
    evaluator: Evaluator<'r>,
    answer: Vec<f64>,
    worst: Option<(f64, u64)>,
    singular: Option<(InertiaError, u64)>,
}

/// The fifth joint of a floating base.
const BASE_PITCH: usize = 4;

/// Puts every question with several methods to the same random states.
fn compare<'r>(robot: &'r Mechanism, args: &Args) -> Vec<Contest<'r>> {
    let several = |question: &Question| methods(*question).nth(1).is_some();
    let mut contests: Vec<Contest<'r>> =
        Question::ALL.into_iter().filter(several).map(|question| Contest::new(robot, question)).collect();
    let mut forces = evaluator(robot, Question::InverseDynamics, None);
    let mut tau = vec![0.0; robot.dof()];
    let mut sampler = Sampler::new(args.seed);
    let mut progress = Progress::start(Work::States(args.states), false);
    for number in 1..=args.states {
        let mut sample = sampler.state(robot);
        if args.robot.floating_base {
            sample.q[BASE_PITCH] *= 0.4; // its three turns are two at a right angle
        }
        let state =
            State { q: &sample.q, v: &sample.v, a: &sample.a, tau: &sample.tau, w: &sample.a, ..State::default() };
        forces.evaluate(state, &mut tau).expect("inverse dynamics solves no equations");
        let force = largest(tau.iter().copied());
        contests.iter_mut().for_each(|contest| contest.judge(number, state, force));
        progress.reach(number);
    }
    contests
}

fn evaluator<'r>(robot: &'r Mechanism, question: Question, method: Option<&str>) -> Evaluator<'r> {
    Evaluator::new(robot, question, method, Target::default()).expect("the method comes from the question's list")
}

impl<'r> Contest<'r> {
    fn new(robot: &'r Mechanism, question: Question) -> Self {
        let answer = vec![0.0; question.columns(robot).len()];
        let rival = |method: &'static appell::question::Method| Rival {
            evaluator: evaluator(robot, question, Some(method.name)),
            answer: answer.clone(),
            worst: None,
            singular: None,
        };
        let rivals = methods(question).skip(1).map(rival).collect();
        Self { evaluator: evaluator(robot, question, None), answer, rivals }
    }

    /// Lets all methods answer for a state, whose largest joint force is `force`.
    fn judge(&mut self, number: u64, state: State<'_>, force: f64) {
        let outcome = self.evaluator.evaluate(state, &mut self.answer);
        let size = largest(self.answer.iter().copied());
        let size = match self.evaluator.question() {
            Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::CoriolisMatrix
            | Question::Reactions => size.max(force),
            _ => size,
        };
        for rival in &mut self.rivals {
            match outcome.clone().and_then(|()| rival.evaluator.evaluate(state, &mut rival.answer)) {
                Ok(()) => {
                    let gaps = self.answer.iter().zip(&rival.answer).map(|(ours, theirs)| ours - theirs);
                    let difference = relative(largest(gaps), size);
                    if rival.worst.is_none_or(|(worst, _)| difference > worst) {
                        rival.worst = Some((difference, number));
                    }
                }
                Err(singular) => {
                    rival.singular.get_or_insert((singular, number));
                }
            }
        }
    }
}

impl Rival<'_> {
    fn agrees(&self, tolerance: f64) -> bool {
        self.singular.is_none() && self.worst.is_some_and(|(difference, _)| difference <= tolerance)
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

fn write(rivals: &[(&Contest<'_>, &Rival<'_>)], out: &mut dyn Write) -> io::Result<()> {
    let mut listing = Listing::new(["question", "method", "against", ">difference", ">at state"]);
    for (contest, rival) in rivals {
        let (difference, at) = match (&rival.singular, rival.worst) {
            (Some((_, at)), _) => ("singular".into(), at.to_string()),
            (None, Some((difference, at))) => (scientific(difference), at.to_string()),
            (None, None) => (String::new(), String::new()),
        };
        let [question, method, against] =
            [contest.evaluator.question().name(), rival.evaluator.method().name, contest.evaluator.method().name];
        listing.push([question.into(), method.into(), against.into(), difference, at]);
    }
    listing.write(out)?;
    if let Some((singular, at)) = rivals.iter().find_map(|(_, rival)| rival.singular.as_ref()) {
        writeln!(out, "\nAt state {at} {singular}.")?;
    }
    Ok(())
}

/// A difference to two digits.
fn scientific(difference: f64) -> String {
    if difference == 0.0 { "0".into() } else { format!("{difference:.1e}") }
}

fn as_json(contest: &Contest<'_>, rival: &Rival<'_>) -> Value {
    json!({
        "question": contest.evaluator.question().name(),
        "method": rival.evaluator.method().name,
        "against": contest.evaluator.method().name,
        "difference": rival.worst.map(|(difference, _)| difference),
        "state": rival.worst.map(|(_, at)| at),
        "singular": rival.singular.as_ref().map(|(error, at)| json!({ "state": at, "message": error.to_string() })),
    })
}

/// Reads a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("expected a number that is zero or positive, such as 1e-10".into()),
    }
}
