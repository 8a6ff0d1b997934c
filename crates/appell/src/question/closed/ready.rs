//! A question of a closed mechanism made ready, evaluated state by state.

use super::answers::{Given, Run};
use super::fused::OnFused;
use super::motion::{Found, Moved};
use super::prepare::prepare;
use crate::closed::assembly::Reached;
use crate::closed::drives::Sharing;
use crate::closed::formulation::Formulation;
use crate::closed::{ClosedMechanism, Load};
use crate::question::method::Way;
use crate::question::{Input, MotionError, Question, State};
use crate::spatial::Wrench;

/// A question of one closed mechanism by one method, with all memory it needs.
pub struct Closed {
    reads: [bool; 2], // velocities and accelerations
    way: Way,
    run: Run,
    fused: Option<OnFused>,
    pub(in crate::question) found: Found,
    load: Load,
    pub(in crate::question) sharing: Sharing,
    pub(in crate::question) least_squares: Option<f64>,
}

/// Whether a question is answered from the independent velocities and their rates alone.
fn is_of_freedoms(question: Question, way: Way) -> bool {
    let dynamics = [
        Question::InverseDynamics,
        Question::ForwardDynamics,
        Question::InertiaMatrix,
        Question::Bias,
        Question::Gravity,
        Question::CoriolisVector,
    ];
    matches!(way, Way::By(_)) && dynamics.contains(&question)
}

impl Closed {
    /// Prepares a question whose answers have so many columns; on fused numbers where the processor has their instructions and
    /// `plain` is not asked for.
    pub(in crate::question) fn new(
        robot: &ClosedMechanism,
        question: Question,
        way: Way,
        columns: usize,
        plain: bool,
    ) -> Self {
        let mut found = Found::new(robot, way.of_motion());
        found.expands = !is_of_freedoms(question, way);
        Self {
            reads: [Input::Velocities, Input::Accelerations].map(|input| question.reads(input)),
            way,
            run: prepare(robot, question, way),
            fused: if plain { None } else { OnFused::new(robot, question, way, columns) },
            found,
            load: Load::new(robot),
            sharing: Sharing::default(),
            least_squares: None,
        }
    }

    /// Answers for one state.
    pub(in crate::question) fn evaluate(
        &mut self,
        robot: &ClosedMechanism,
        state: &State<'_>,
        row: &mut [f64],
    ) -> Result<(), MotionError> {
        self.answer(robot, state, row).map_err(|error| match error {
            MotionError::Singular(error) => error.at(robot, &self.found.moved.at).into(),
            error => error,
        })
    }

    fn answer(&mut self, robot: &ClosedMechanism, state: &State<'_>, row: &mut [f64]) -> Result<(), MotionError> {
        let is_loaded = !state.external.is_empty() || state.on_platform.is_some();
        let Self { fused, found, sharing, reads: [v, a], .. } = self;
        if let Some(fused) = fused.as_mut().filter(|_| !is_loaded && self.least_squares.is_none()) {
            if !found.continuous && !found.follows && fused.find(robot, &state.motion) {
                fused.put_configuration(&mut found.moved.at);
                found.reached = Reached::Straight;
            } else {
                found.find(robot, state, *v, *a)?;
                fused.set(&found.moved);
            }
            return Ok(fused.run(robot, state.tau, sharing, row)?);
        }
        self.find(robot, state)?;
        let on_platform = state.on_platform.unwrap_or(Wrench::zero(0.0));
        self.load.set(robot, &self.found.moved.at, state.external, on_platform);
        let given = Given {
            moved: &self.found.moved,
            tau: state.tau,
            load: self.load.on_velocities(),
            on_bodies: self.load.on_bodies(),
            sharing: &self.sharing,
            least_squares: self.least_squares,
        };
        Ok((self.run)(robot, &given, row)?)
    }

    /// The configuration and the independent velocities of a motion, as far as the question reads them.
    ///
    /// # Errors
    /// If the motion is none of the robot's, or at a singularity.
    pub fn find(&mut self, robot: &ClosedMechanism, state: &State<'_>) -> Result<&Moved, MotionError> {
        let [velocities, accelerations] = self.reads;
        self.found.find(robot, state, velocities, accelerations)?;
        Ok(&self.found.moved)
    }

    /// The motion found last.
    #[must_use]
    pub fn moved(&self) -> &Moved {
        &self.found.moved
    }

    /// Whether the drives of the motion found last cannot come there straight from home.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.found.reached == Reached::Undecided
    }

    /// The formulation that answers, if it is one.
    #[must_use]
    pub fn formulation(&self) -> Option<Formulation> {
        self.way.formulation()
    }

    /// Whether all velocities and their rates are asked for, and not only the independent ones.
    #[must_use]
    pub fn expands(&self) -> bool {
        self.found.expands
    }
}
