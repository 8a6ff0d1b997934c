//! Robots without loops: all methods on random states of all joints.

use super::{Args, Contest, Contestant, Outcome, largest};
use crate::progress::{Progress, Work};
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target, methods};
use appell::sample::Sampler;

/// The fifth joint of a floating base.
const BASE_PITCH: usize = 4;

/// Puts every question with several methods to the same random states.
pub(super) fn compare(robot: &Mechanism, args: &Args) -> Vec<Outcome> {
    let mut contests: Vec<Contest<Evaluator<'_>>> = Question::ALL
        .into_iter()
        .filter_map(|question| {
            let all = methods(question).map(|method| evaluator(robot, question, Some(method.name)));
            Contest::new(all, question.columns(robot).len())
        })
        .collect();
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
        contests.iter_mut().for_each(|contest| contest.judge(number, &state, force));
        progress.reach(number);
    }
    contests.into_iter().flat_map(Contest::outcomes).collect()
}

fn evaluator<'r>(robot: &'r Mechanism, question: Question, method: Option<&str>) -> Evaluator<'r> {
    Evaluator::new(robot, question, method, Target::default()).expect("the method comes from the question's list")
}

impl Contestant<State<'_>> for Evaluator<'_> {
    fn question(&self) -> Question {
        self.question()
    }

    fn method(&self) -> &'static str {
        self.method().name
    }

    fn answer(&mut self, state: &State<'_>, row: &mut [f64]) -> Result<(), String> {
        self.evaluate(*state, row).map_err(|error| error.to_string())
    }
}
