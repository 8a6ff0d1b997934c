//! Whether torques are asked for beside a singularity, where they mean little.

use crate::output;
use appell::Robot;
use appell::closed::singularity::{self, Metric};
use appell::closed::{Configuration, far};
use appell::question::{Evaluator, Question, State, Target};
use appell::spatial::{Pose, Quaternion};
use appell_batch::{Batch, States};
use appell_drawing::listing::counted;

/// A condition number beyond this is beside a singularity.
const LARGEST_CONDITION: f64 = 1e6;

/// What torques suffer from, in the order in which it is measured.
const TYPES: [&str; 3] = ["Type 1", "Type 2", "constraint"];

/// Looks at every state whose torques are asked for, and keeps account of those beside a singularity: quickly, and closely
/// where that leaves a doubt.
pub(super) struct Nearness {
    robot: Robot,
    metric: Metric,
    quick: far::Workspace,
    close: singularity::Workspace,
    joints: (Evaluator, Batch),
    platform: Option<(Evaluator, Batch)>,
    found: [Vec<f64>; 2], // answers of both
    at: Configuration,
    rows: usize,
    near: usize,
    first: Option<First>,
}

/// The first row beside a singularity.
struct First {
    line: u64,
    kind: &'static str,
    inverse_condition: f64,
}

impl Nearness {
    /// Where the question is about torques.
    pub(super) fn of(robot: &Robot, question: Question) -> Option<Self> {
        let closed = robot.closed()?;
        let is_of_torques = matches!(question, Question::InverseDynamics | Question::InverseDynamicsDerivatives);
        let both = |question| {
            Some((Evaluator::new(robot, question, None, Target::default()).ok()?, Batch::new(robot, question).ok()?))
        };
        Some(Self {
            robot: robot.clone(),
            metric: Metric::of(closed),
            quick: far::Workspace::new(closed),
            close: singularity::Workspace::new(closed),
            joints: both(Question::Joints).filter(|_| is_of_torques)?,
            platform: closed.platform().and_then(|_| both(Question::Platform)),
            found: [Vec::new(), Vec::new()],
            at: closed.home().clone(),
            rows: 0,
            near: 0,
            first: None,
        })
    }

    /// Looks at one state. A state that cannot be reached has no torques, which is reported elsewhere.
    pub(super) fn look(&mut self, state: &State<'_>, line: u64) {
        let one = |both: &mut (Evaluator, Batch), found: &mut Vec<f64>| {
            found.resize(both.1.columns(), 0.0);
            both.0.evaluate(state, found).is_ok()
        };
        let [joints, platform] = &mut self.found;
        if one(&mut self.joints, joints) && self.platform.as_mut().is_none_or(|both| one(both, platform)) {
            self.count(&[line]);
        }
    }

    /// Looks at the states of many lines.
    pub(super) fn look_at(&mut self, states: &States<'_>, lines: &[u64]) {
        let all = |batch: &Batch, found: &mut Vec<f64>| {
            found.resize(batch.columns() * lines.len(), 0.0);
            batch.evaluate(states, found).is_ok()
        };
        let [joints, platform] = &mut self.found;
        if all(&self.joints.1, joints) && self.platform.as_ref().is_none_or(|both| all(&both.1, platform)) {
            self.count(lines);
        }
    }

    /// Counts rows whose joints and platform are found, column by column.
    fn count(&mut self, lines: &[u64]) {
        let Some(robot) = self.robot.closed() else { return };
        let rows = lines.len();
        self.rows += rows;
        for (row, &line) in lines.iter().enumerate() {
            let [joints, platform] = &self.found;
            self.at.q.iter_mut().enumerate().for_each(|(j, q)| *q = joints[j * rows + row]);
            if self.platform.is_some() {
                let [px, py, pz, x, y, z, w] = std::array::from_fn(|k| platform[k * rows + row]);
                let rotation = Quaternion { x, y, z, w }.rotation();
                self.at.pose = Pose { rotation, position: [px, py, pz].into() };
            }
            if far::is_far(robot, &mut self.quick, &self.at, &self.metric) {
                continue;
            }
            let found = singularity::measures(robot, &mut self.close, &self.at, &self.metric);
            let measures = [found.type1(), found.type2(), found.constraints.inverse_condition];
            let nearest = (0..TYPES.len()).min_by(|&a, &b| measures[a].total_cmp(&measures[b]));
            let Some(nearest) = nearest.filter(|&k| measures[k] * LARGEST_CONDITION < 1.0) else { continue };
            self.near += 1;
            self.first.get_or_insert(First { line, kind: TYPES[nearest], inverse_condition: measures[nearest] });
        }
    }

    /// Warns of rows beside a singularity, once, if there were some.
    pub(super) fn report(&self, table: &str) {
        let Some(First { line, kind, inverse_condition }) = &self.first else { return };
        let (near, rows) = (self.near, counted(self.rows, "row"));
        let are = if near == 1 { "is" } else { "are" };
        let condition =
            if *inverse_condition > 0.0 { format!("{:.1e}", 1.0 / inverse_condition) } else { "inf".into() };
        output::note(format_args!(
            "{table}: warning: {near} of {rows} {are} beside a singularity, with a condition number beyond {LARGEST_CONDITION:e}; \
             the first, line {line}, is nearest to a {kind} singularity, condition number {condition}: torques there are \
             not reliable; see `appell singularities`"
        ));
    }
}
