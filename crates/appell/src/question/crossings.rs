//! Where a motion meets singularities of Type 2, and whether finite torques and forces suffice there.
//!
//! The motion comes row by row, as tables and arrays have it. It crosses between two rows where det J_inv changes its sign, and comes
//! near where the measure of Type 2 has a minimum below a threshold. Between rows velocity and acceleration are interpolated, so that shorter
//! steps are more accurate. The criterion is that of [`crossing`].

use super::{AnswerError, Evaluator, Motion, MotionError, Question, State, Target};
use crate::closed::assembly::AssemblyError;
use crate::closed::crossing::{self, Criterion, SINGULAR};
use crate::closed::singularity::{self, Metric};
use crate::closed::{ClosedMechanism, Configuration, SingularError};
use crate::robot::Robot;

/// How many rows before and after a place are near it.
const NEAR: usize = 5;

/// Intervals of the way between two rows that are searched for Type 2.
const SAMPLES: usize = 4;

/// A crossing is found between two rows, and rows up to so many before or after are part of it.
const SAME: usize = 2;

/// A place where a motion crosses Type 2, or comes near.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The rows before and after it, counted from 0: the same one if it is at a row.
    pub rows: [usize; 2],
    /// When, s, if the rows have times.
    pub time: Option<f64>,
    /// Whether the motion goes through it.
    pub crosses: bool,
    /// Whether the motion that is not controlled needs a force there; the larger defect where the acceleration has a corner.
    pub criterion: Criterion,
    /// The motion that the drives do not control.
    pub uncontrolled: singularity::Motion,
    /// The largest torque or force of a drive in the five rows on each side; none where none of them can be held.
    pub largest_effort: Option<f64>,
}

impl Place {
    /// The defect over what it compares with: zero where finite torques and forces suffice.
    #[must_use]
    pub fn relative_defect(&self) -> f64 {
        relative(&self.criterion)
    }
}

/// Why a row cannot be judged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WatchError {
    /// It is a motion of the drives.
    #[error("the drives' motion does not say how the robot crosses; give the platform's: pose, twist and acceleration")]
    Drives,
    /// The criterion is about inertia and gravity alone.
    #[error("the criterion does not include external wrenches; leave them out")]
    Wrenches,
    /// The robot cannot move so.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// It does not reach the way between two rows.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// It is singular in another way, too.
    #[error(transparent)]
    Singular(#[from] SingularError),
}

/// A row of the motion.
#[derive(Debug, Clone)]
struct Row {
    index: usize, // counted from 0
    time: Option<f64>,
    at: Configuration,
    r: Vec<f64>,
    r_dot: Vec<f64>,
    type2: f64,
    determinant: Option<f64>,
}

/// Reads a motion row by row, and finds where it meets Type 2.
pub struct Watch {
    robot: Robot,
    evaluator: Evaluator,
    metric: Metric,
    threshold: f64,
    workspace: crossing::Workspace,
    singularity: singularity::Workspace,
    window: [Option<Row>; 4],  // the last rows, the newest last
    efforts: Vec<Option<f64>>, // the largest of each row; none where the drives cannot hold it
    places: Vec<Place>,
    tau: Vec<f64>,
}

impl Watch {
    /// Watches a motion of this robot, to which a measure of Type 2 below `threshold` is near; a minimum of it is a place.
    ///
    /// # Panics
    /// If the robot's motion is not that of its platform: [`crossing::applies`] says so before.
    #[must_use]
    pub fn new(robot: &Robot, metric: Metric, threshold: f64) -> Self {
        let closed = robot.closed().expect("a robot with closed loops");
        let evaluator = Evaluator::new(robot, Question::InverseDynamics, None, Target::default());
        Self {
            evaluator: evaluator.expect("every robot answers inverse dynamics").continuous(true),
            metric,
            threshold,
            workspace: crossing::Workspace::new(closed),
            singularity: singularity::Workspace::new(closed),
            window: [const { None }; 4],
            efforts: Vec::new(),
            places: Vec::new(),
            tau: vec![0.0; closed.driven().len()],
            robot: robot.clone(),
        }
    }

    /// Takes the next row of the motion: pose, twist and acceleration of the platform.
    ///
    /// # Errors
    /// If it is a motion of the drives, has wrenches, or the robot cannot move so.
    pub fn take(&mut self, time: Option<f64>, state: &State<'_>) -> Result<(), WatchError> {
        let Motion::Platform { twist, acceleration, .. } = state.motion else { return Err(WatchError::Drives) };
        if !state.external.is_empty() || state.on_platform.is_some() {
            return Err(WatchError::Wrenches);
        }
        let effort = match self.evaluator.evaluate(state, &mut self.tau) {
            Ok(()) => Some(self.tau.iter().fold(0.0, |most: f64, tau| most.max(tau.abs()))),
            Err(AnswerError::Motion(MotionError::Singular(SingularError::Drives { .. }))) => None,
            Err(error) => return Err(error.into()),
        };
        let robot = closed(&self.robot);
        let dof = robot.tree().dof();
        let of_freedoms =
            |given: [Option<f64>; 6]| robot.freedoms().iter().map(|&k| given[k - dof].unwrap_or(0.0)).collect();
        let at = self.evaluator.configuration().expect("a robot with closed loops").clone();
        let measures = singularity::measures(robot, &mut self.singularity, &at, &self.metric);
        let row = Row {
            index: self.efforts.len(),
            time,
            r: of_freedoms(twist),
            r_dot: of_freedoms(acceleration),
            type2: measures.type2(),
            determinant: measures.inverse_jacobian.and_then(|j_inv| j_inv.determinant),
            at,
        };
        self.efforts.push(effort);
        self.look(Some(row))
    }

    /// All places, in the order of the motion.
    ///
    /// # Errors
    /// If the last rows cannot be judged.
    pub fn finish(mut self) -> Result<Vec<Place>, WatchError> {
        self.look(None)?;
        let Self { mut places, efforts, .. } = self;
        // A row near a crossing is not a place of its own.
        let crossings: Vec<usize> = places.iter().filter(|place| place.crosses).map(|place| place.rows[0]).collect();
        places.retain(|place| place.crosses || crossings.iter().all(|row| row.abs_diff(place.rows[0]) > SAME));
        places.sort_by_key(|place| place.rows[0]);
        for place in &mut places {
            let row = place.rows[0];
            let near = row.saturating_sub(NEAR)..(row + NEAR + 1).min(efforts.len());
            place.largest_effort = efforts[near].iter().flatten().copied().reduce(f64::max);
        }
        Ok(places)
    }

    /// Takes the next row, or the end, and looks at the rows in the middle of the window.
    fn look(&mut self, row: Option<Row>) -> Result<(), WatchError> {
        self.window.rotate_left(1);
        self.window[3] = row;
        let window = std::mem::take(&mut self.window);
        let looked = self.look_at(&window);
        self.window = window;
        looked
    }

    fn look_at(&mut self, [before, last, row, after]: &[Option<Row>; 4]) -> Result<(), WatchError> {
        let Some(row) = row else { return Ok(()) };
        let is_regular = |row: &Row| row.type2 >= SINGULAR;
        if !is_regular(row) {
            self.judge([row, row], 0.0, true, &row.at, &row.r, &[&row.r_dot])?;
        }
        let Some(last) = last.as_ref().filter(|last| is_regular(last) && is_regular(row)) else { return Ok(()) };
        let is_negative = |row: &Row| row.determinant.map(f64::is_sign_negative);
        if is_negative(last).zip(is_negative(row)).is_some_and(|(one, other)| one != other) {
            self.look_between([before.as_ref(), after.as_ref()], last, row)?;
        }
        let is_least = before.as_ref().is_some_and(|before| last.type2 < before.type2) && last.type2 <= row.type2;
        if is_least && last.type2 < self.threshold {
            self.judge([last, last], 0.0, false, &last.at, &last.r, &[&last.r_dot])?;
        }
        Ok(())
    }

    /// A place between two rows, if the motion crosses Type 2 there: else it was Type 1.
    ///
    /// The velocity is between those of the rows. The acceleration may have a corner there, as that of two polynomials does: it
    /// is found from each side by two rows.
    fn look_between(&mut self, [before, after]: [Option<&Row>; 2], last: &Row, row: &Row) -> Result<(), WatchError> {
        let found = crossing::nearest(closed(&self.robot), &mut self.workspace, &last.at, &row.at, SAMPLES)?;
        if !found.crossed {
            return Ok(());
        }
        let mixed = |one: &[f64], other: &[f64], along: f64| -> Vec<f64> {
            one.iter().zip(other).map(|(x, y)| x + along * (y - x)).collect()
        };
        let step = |one: &Row, other: &Row| one.time.zip(other.time).map_or(1.0, |(one, other)| (other - one).abs());
        let beyond = |from: Option<&Row>, by: &Row, way: f64| {
            let from = from.filter(|from| step(from, by) > 0.0)?;
            Some(mixed(&from.r_dot, &by.r_dot, 1.0 + way * step(last, row) / step(from, by)))
        };
        let sides = [beyond(before, last, found.along), beyond(after, row, 1.0 - found.along)];
        let between = mixed(&last.r_dot, &row.r_dot, found.along);
        let mut r_dot: Vec<&[f64]> = sides.iter().flatten().map(Vec::as_slice).collect();
        if r_dot.is_empty() {
            r_dot.push(&between);
        }
        self.judge([last, row], found.along, true, &found.at, &mixed(&last.r, &row.r, found.along), &r_dot)
    }

    /// Notes a place so far along from one row to the next, with the largest defect of several accelerations.
    fn judge(
        &mut self,
        [last, row]: [&Row; 2],
        along: f64,
        crosses: bool,
        at: &Configuration,
        r: &[f64],
        r_dot: &[&[f64]],
    ) -> Result<(), WatchError> {
        let robot = closed(&self.robot);
        let mut criteria = Vec::with_capacity(r_dot.len());
        for r_dot in r_dot {
            criteria.push(crossing::criterion(robot, &mut self.workspace, at, r, r_dot)?);
        }
        let largest = criteria.into_iter().max_by(|one, other| relative(one).total_cmp(&relative(other)));
        let Some(criterion) = largest else { return Ok(()) };
        self.places.push(Place {
            rows: [last.index, row.index],
            time: last.time.zip(row.time).map(|(from, to)| from + along * (to - from)),
            crosses,
            criterion,
            uncontrolled: singularity::least_controlled(robot, &mut self.singularity, at, &self.metric),
            largest_effort: None,
        });
        Ok(())
    }
}

/// The robot's loops, which [`Watch::new`] has looked for.
fn closed(robot: &Robot) -> &ClosedMechanism {
    robot.closed().expect("a robot with closed loops")
}

/// A defect over what it compares with; no forces at all are no defect.
fn relative(criterion: &Criterion) -> f64 {
    if criterion.defect == 0.0 { 0.0 } else { criterion.defect.abs() / criterion.scale }
}
