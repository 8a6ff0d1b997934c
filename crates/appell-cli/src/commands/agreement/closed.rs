//! Robots with closed loops: all methods on random states around home.

use super::{Args, Contest, Contestant, Outcome, largest};
use crate::progress::{Progress, Work};
use appell::closed::ClosedMechanism;
use appell::question::Question;
use appell::question::closed::{Evaluator, Motion, State, columns, methods};
use appell::sample::Sampler;

/// Puts every question with several methods to the same random states.
pub(super) fn compare(robot: &ClosedMechanism, args: &Args) -> Vec<Outcome> {
    let mut contests: Vec<Contest<Evaluator<'_>>> = Question::ALL
        .into_iter()
        .filter(|&question| is_dynamic(question))
        .filter_map(|question| {
            let all = methods(robot, question).map(|method| {
                Evaluator::new(robot, question, Some(method.name)).expect("the method comes from the question's list")
            });
            Contest::new(all, columns(question, robot).len())
        })
        .collect();
    let mut forces = Evaluator::new(robot, Question::InverseDynamics, None).expect("every robot has this question");
    let mut tau = vec![0.0; robot.driven().len()];
    let mut sampler = Sampler::new(args.seed);
    let mut progress = Progress::start(Work::States(args.states), false);
    for number in 1..=args.states {
        let sample = sampler.closed_state(robot);
        let motion = Motion::Assembled { at: &sample.at, r: &sample.r, r_dot: &sample.r_dot };
        let state = State { motion, tau: &sample.tau, ..State::default() };
        let force = forces.evaluate(&state, &mut tau).map_or(0.0, |()| largest(tau.iter().copied()));
        contests.iter_mut().for_each(|contest| contest.judge(number, &state, force));
        progress.reach(number);
    }
    contests.into_iter().flat_map(Contest::outcomes).collect()
}

/// What the formulations can differ in: the rest is kinematics of an assembled robot.
fn is_dynamic(question: Question) -> bool {
    !matches!(question, Question::Frames | Question::CentreOfMass | Question::Singularity)
}

impl Contestant<State<'_>> for Evaluator<'_> {
    fn question(&self) -> Question {
        self.question()
    }

    fn method(&self) -> &'static str {
        self.method().name
    }

    fn answer(&mut self, state: &State<'_>, row: &mut [f64]) -> Result<(), String> {
        self.evaluate(state, row).map_err(|error| error.to_string())
    }
}
