//! One state at a time, compiled for the processor at hand.

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use super::fused::Room;
use super::kernel::{self, Kernel};
use crate::dynamics::InertiaError;
use crate::mechanism::Mechanism;
use crate::question::{Evaluator, Question, State, Target};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::{Level, Simd};

/// A question made ready on one robot: from a state to a row of numbers.
type Run<'r> = Box<dyn FnMut(State<'_>, &mut [f64]) -> Result<(), InertiaError> + Send + 'r>;

/// A question of one robot, evaluated one state after another by the instructions this processor has.
///
/// It does what the question's default method does, with fused multiply-add where the processor has it; `docs/benchmarks.md` says
/// what that gains. Forward dynamics of more than nine joints is by articulated bodies.
///
/// ```
/// use appell::{question::{Single, Question, State, Target}, robots};
///
/// let robot = robots::find("puma560").unwrap().mechanism();
/// let mut gravity = Single::new(&robot, Question::Gravity, Target::default()).unwrap();
/// let mut g = [0.0; 6];
/// gravity.evaluate(State { q: &[0.0; 6], ..State::default() }, &mut g)?;
/// assert!((g[1] + 68.6914089516).abs() < 1e-10);
/// # Ok::<(), crate::dynamics::InertiaError>(())
/// ```
pub struct Single<'r> {
    run: Run<'r>,
}

impl<'r> Single<'r> {
    /// Prepares a question; `None` if it has no such kernel.
    #[must_use]
    pub fn new(robot: &'r Mechanism, question: Question, target: Target) -> Option<Self> {
        kernel::visit(question, Prepare { robot, question, target }).map(|run| Self { run })
    }

    /// Answers for one state into `row`. Allocates nothing. External wrenches are not looked at.
    ///
    /// # Errors
    /// If the inertia matrix is singular, for forward dynamics.
    ///
    /// # Panics
    /// If a vector that the question reads has not one number a joint, or `row` not one a column.
    pub fn evaluate(&mut self, state: State<'_>, row: &mut [f64]) -> Result<(), InertiaError> {
        (self.run)(state, row)
    }
}

/// Prepares the kernel of a question.
struct Prepare<'r> {
    robot: &'r Mechanism,
    question: Question,
    target: Target,
}

impl<'r> kernel::Visitor for Prepare<'r> {
    type Output = Run<'r>;

    fn visit<K: Kernel>(self) -> Run<'r> {
        prepare::<K>(self.robot, self.question, self.target)
    }
}

/// Robots with more joints than this are long for one state at a time.
const LONG: usize = 9;

/// The question on fused numbers where the processor has them, else as it is answered everywhere.
fn prepare<'r, K: Kernel>(robot: &'r Mechanism, question: Question, target: Target) -> Run<'r> {
    let is_long = question == Question::ForwardDynamics && robot.dof() > LONG;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = Level::new().as_avx2().filter(|_| !is_long) {
        let mut room = Room::<K>::new(robot, question, target);
        return Box::new(move |state, row| {
            avx2.vectorize(
                #[inline(always)]
                || room.run(robot, &state, row),
            )
        });
    }
    let method = is_long.then_some(super::OF_LONG_ROBOTS);
    let mut plain = Evaluator::new(robot, question, method, target).expect("a method that there is");
    Box::new(move |state, row| plain.evaluate(State { external: &[], ..state }, row))
}
