//! One state of a robot with closed loops at a time, compiled for the processor at hand.

use crate::closed::ClosedMechanism;
use crate::closed::assembly::InClosedForm;
use crate::closed::drives::Sharing;
use crate::question::closed::{
    Evaluator, Given, Motion, MotionError, Moved, Refused, Run, State, by_formulation, is_of_any_number,
};
use crate::question::{Input, Question};
use crate::real::Fused;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Level;

/// A question of a robot with closed loops, by its default method, one state after another by the instructions this
/// processor has.
///
/// Legs in closed form that hold a platform with six freedoms are found, and every state is answered, with fused multiply-add
/// where the processor has it. Other motions are found, and questions that look at values, robots that are computed by tree and
/// closures, and states with external loads are answered, by the [`Evaluator`].
///
/// ```
/// use appell::{batch::ClosedSingle, question::{Question, closed::{Motion, State}}, robots};
///
/// let robot = robots::find("gough-stewart").unwrap().closed();
/// let mut efforts = ClosedSingle::new(&robot, Question::InverseDynamics)?;
/// let mut tau = [0.0; 6];
/// let motion = Motion::at_rest(robot.home().pose);
/// efforts.evaluate(&State { motion, ..State::default() }, &mut tau)?;
/// assert!(tau.iter().all(|effort| *effort > 0.0), "all legs bear the platform");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ClosedSingle<'r> {
    evaluator: Evaluator<'r>,
    fused: Option<OnFused<'r>>,
}

/// A question on fused numbers, and the motion that it is asked of.
struct OnFused<'r> {
    robot: &'r ClosedMechanism,
    /// Of robots whose platform has all freedoms: none of its rates follows from others.
    legs: Option<InClosedForm<Fused>>,
    /// Whether the question reads velocities and accelerations.
    reads: [bool; 2],
    run: Run<'r, Fused>,
    moved: Moved<Fused>,
    tau: Vec<Fused>,
    row: Vec<Fused>,
    sharing: Sharing,
}

impl<'r> ClosedSingle<'r> {
    /// Prepares a question.
    ///
    /// # Errors
    /// If closed mechanisms, or this one, do not answer it.
    pub fn new(robot: &'r ClosedMechanism, question: Question) -> Result<Self, Refused> {
        let evaluator = Evaluator::new(robot, question, None)?;
        let fused = OnFused::new(robot, &evaluator);
        Ok(Self { evaluator, fused })
    }

    /// The names of the numbers it answers.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        self.evaluator.columns()
    }

    /// Answers for one state into `row`, one number a column. Allocates nothing.
    ///
    /// # Errors
    /// If the motion is none of the robot's, or at a singularity.
    ///
    /// # Panics
    /// If a vector that the question reads has not one number a drive, or `row` not one a column.
    pub fn evaluate(&mut self, state: &State<'_>, row: &mut [f64]) -> Result<(), MotionError> {
        let is_loaded = !state.external.is_empty() || state.on_platform.is_some();
        let Some(fused) = self.fused.as_mut().filter(|_| !is_loaded) else {
            return self.evaluator.evaluate(state, row);
        };
        if !fused.find(&state.motion) {
            let expands = self.evaluator.expands();
            fused.set(self.evaluator.find(&state.motion)?, expands);
        }
        let OnFused { run, moved, tau, row: answer, sharing, .. } = fused;
        assert_eq!(row.len(), answer.len(), "one number a column");
        tau.clear();
        tau.extend(state.tau.iter().map(|&tau| Fused(tau)));
        let given = Given { moved, tau, load: &[], on_bodies: &[], sharing, least_squares: None };
        run(&given, answer)?;
        row.iter_mut().zip(answer).for_each(|(number, answer)| *number = answer.0);
        Ok(())
    }
}

impl<'r> OnFused<'r> {
    /// The question of an evaluator, if this robot and this processor let it be computed so.
    fn new(robot: &'r ClosedMechanism, evaluator: &Evaluator<'r>) -> Option<Self> {
        let (question, scheme, zero) = (evaluator.question(), evaluator.scheme()?, Fused(0.0));
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::new().as_avx2()?;
        let is_free = !evaluator.expands() && robot.freedoms().len() == 6;
        (is_of_any_number(question) && scheme.runs_in_lanes()).then(|| Self {
            robot,
            legs: is_free.then(|| InClosedForm::new(robot, zero)).flatten(),
            reads: [Input::Velocities, Input::Accelerations].map(|input| question.inputs().contains(&input)),
            run: by_formulation(robot, question, scheme, zero),
            moved: Moved::new(robot, zero),
            tau: Vec::with_capacity(robot.driven().len()),
            row: vec![zero; evaluator.columns().len()],
            sharing: Sharing::default(),
        })
    }

    /// Finds a motion by the legs' closed forms, if that is possible.
    fn find(&mut self, motion: &Motion<'_>) -> bool {
        let (Some(legs), Motion::Platform { pose, twist, acceleration }) = (&mut self.legs, motion) else {
            return false;
        };
        let Moved { at, r, r_dot, .. } = &mut self.moved;
        at.pose = pose.lift(Fused(0.0));
        let rates = [(r, twist), (r_dot, acceleration)];
        for ((rates, given), is_read) in rates.into_iter().zip(self.reads) {
            for (rate, given) in rates.iter_mut().zip(given) {
                match given.filter(|_| is_read) {
                    Some(given) => *rate = Fused(given),
                    None if is_read => return false,
                    None => *rate = Fused(0.0),
                }
            }
        }
        legs.reach(self.robot, at)
    }

    /// Takes a motion that was found; all velocities only if they are asked for.
    fn set(&mut self, found: &Moved, all: bool) {
        let Moved { at, r, r_dot, u, u_dot } = &mut self.moved;
        at.pose = found.at.pose.lift(Fused(0.0));
        let some = [(&mut at.q, &found.at.q), (r, &found.r), (r_dot, &found.r_dot)];
        let rest = [(u, &found.u), (u_dot, &found.u_dot)];
        for (fused, numbers) in some.into_iter().chain(rest.into_iter().filter(|_| all)) {
            fused.iter_mut().zip(numbers).for_each(|(fused, &number)| *fused = Fused(number));
        }
    }
}
