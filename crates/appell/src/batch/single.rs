//! One state at a time, compiled for the processor at hand.

use super::kernel::{Inputs, Kernel, with_kernel};
use crate::dynamics::InertiaError;
use crate::mechanism::Mechanism;
use crate::question::{Input, Question, State, Target};
use crate::real::{Fused, Measured};
use fearless_simd::{Level, Simd};

/// A question made ready on one robot: from a state to a row of numbers.
type Run<'r> = Box<dyn FnMut(State<'_>, &mut [f64]) -> Result<(), InertiaError> + Send + 'r>;

/// A question of one robot, evaluated one state after another by the instructions this processor has.
///
/// It does what the question's default method does, with fused multiply-add where the processor has it; `docs/benchmarks.md` says what that gains.
///
/// ```
/// use appell::{batch::Single, question::{Question, State, Target}, robots};
///
/// let robot = robots::find("puma560").unwrap().mechanism();
/// let mut gravity = Single::new(&robot, Question::Gravity, Target::default()).unwrap();
/// let mut g = [0.0; 6];
/// gravity.evaluate(State { q: &[0.0; 6], ..State::default() }, &mut g)?;
/// assert!((g[1] + 68.6914089516).abs() < 1e-10);
/// # Ok::<(), appell::dynamics::InertiaError>(())
/// ```
pub struct Single<'r> {
    run: Run<'r>,
}

impl<'r> Single<'r> {
    /// Prepares a question; `None` if it has no such kernel.
    #[must_use]
    pub fn new(robot: &'r Mechanism, question: Question, target: Target) -> Option<Self> {
        with_kernel!(question, K => Some(Self { run: prepare::<K>(robot, question, target) }), none => None)
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

/// The question on fused numbers where the processor has them, else on plain ones.
fn prepare<'r, K: Kernel>(robot: &'r Mechanism, question: Question, target: Target) -> Run<'r> {
    let level = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = level.as_avx2() {
        let mut room = Room::new::<K>(robot, question, target, Fused(0.0));
        return Box::new(move |state, row| {
            avx2.vectorize(
                #[inline(always)]
                || room.run::<K>(robot, &state, row, Fused, |x| x.0),
            )
        });
    }
    let _ = level;
    let mut room = Room::new::<K>(robot, question, target, 0.0);
    Box::new(move |state, row| room.run::<K>(robot, &state, row, |x| x, |x| x))
}

/// A question's memory and its state over one kind of numbers.
struct Room<T, M> {
    memory: M,
    reads: [bool; 5], // which vectors of a state
    vectors: [Vec<T>; 5],
    columns: usize,
}

impl<T: Measured + Send, M> Room<T, M> {
    fn new<K: Kernel<Memory<T> = M>>(robot: &Mechanism, question: Question, target: Target, witness: T) -> Self {
        Self {
            memory: K::memory(robot, target, witness),
            reads: Input::ALL.map(|input| question.inputs().contains(&input)),
            vectors: core::array::from_fn(|_| vec![witness; robot.dof()]),
            columns: question.columns(robot).len(),
        }
    }

    #[inline(always)]
    fn run<K: Kernel<Memory<T> = M>>(
        &mut self,
        robot: &Mechanism,
        state: &State<'_>,
        row: &mut [f64],
        into: impl Fn(f64) -> T,
        back: impl Fn(T) -> f64,
    ) -> Result<(), InertiaError> {
        assert_eq!(row.len(), self.columns, "one number a column");
        let State { q, v, a, tau, w, .. } = *state;
        for ((own, given), reads) in self.vectors.iter_mut().zip([q, v, a, tau, w]).zip(self.reads) {
            if !reads {
                continue; // it may be missing
            }
            assert_eq!(own.len(), given.len(), "one number a joint");
            for (own, &given) in own.iter_mut().zip(given) {
                *own = into(given);
            }
        }
        let [q, v, a, tau, w] = &self.vectors;
        K::run(
            robot,
            &mut self.memory,
            &Inputs { q, v, a, tau, w },
            #[inline(always)]
            |column, number| row[column] = back(number),
        )
    }
}
