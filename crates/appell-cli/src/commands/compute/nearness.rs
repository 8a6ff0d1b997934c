//! Whether torques are asked for beside a singularity, where they mean little.

use crate::output;
use appell::Robot;
use appell::closed::singularity::{self, Metric};
use appell::closed::{Configuration, FromTwist, far};
use appell::question::Question;
use appell::spatial::{Pose, Quaternion};
use appell_batch::{Batch, States};
use appell_drawing::listing::counted;

/// A condition number beyond this is beside a singularity.
const LARGEST_CONDITION: f64 = 1e6;

/// What torques suffer from, in the order in which it is measured.
const TYPES: [&str; 3] = ["Type 1", "Type 2", "constraint"];

/// Looks at every state whose torques are asked for, and keeps account of those beside a singularity: quickly, and
/// closely where that leaves a doubt.
pub(super) struct Nearness {
    robot: Robot,
    metric: Metric,
    quick: far::Workspace,
    close: singularity::Workspace,
    joints: Batch,
    platform: Option<Batch>,
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
        let batch = |question| Batch::new(robot, question).ok();
        Some(Self {
            robot: robot.clone(),
            metric: Metric::of(closed),
            quick: far::Workspace::new(closed),
            close: singularity::Workspace::new(closed),
            joints: batch(Question::Joints).filter(|_| is_of_torques)?,
            platform: closed.platform().and_then(|_| batch(Question::Platform)),
            rows: 0,
            near: 0,
            first: None,
        })
    }

    /// Looks at the states of many lines. States that cannot be reached have no torques, which is reported elsewhere.
    pub(super) fn look_at(&mut self, states: &States<'_>, lines: &[u64]) {
        let rows = lines.len();
        let all = |batch: &Batch| {
            let mut found = vec![0.0; batch.columns() * rows];
            batch.evaluate(states, &mut found).ok().map(|()| found)
        };
        let Some(joints) = all(&self.joints) else { return };
        let platform = self.platform.as_ref().map(all);
        let Some(mut at) = self.robot.closed().map(|closed| closed.home().clone()) else { return };
        for (row, &line) in lines.iter().enumerate() {
            at.q.iter_mut().enumerate().for_each(|(j, q)| *q = joints[j * rows + row]);
            if let Some(platform) = &platform {
                let Some(platform) = platform else { return };
                let [px, py, pz, x, y, z, w] = std::array::from_fn(|k| platform[k * rows + row]);
                let rotation = Quaternion { x, y, z, w }.rotation();
                at.pose = Pose { rotation, position: [px, py, pz].into() };
            }
            self.look(&at, line);
        }
    }

    /// Looks at the configuration of a line.
    pub(super) fn look(&mut self, at: &Configuration, line: u64) {
        let Some(robot) = self.robot.closed() else { return };
        self.rows += 1;
        if far::is_far(robot, &mut self.quick, at, &self.metric) {
            return;
        }
        let found = singularity::measures(robot, &mut self.close, at, &self.metric);
        // An output that moves with fewer degrees of freedom than the robot is at Type 1 everywhere, which torques do not mind.
        let is_lower = robot.freedoms().len() > 1 && FromTwist::is_needed(robot);
        let type1 = if is_lower { 1.0 } else { found.type1() };
        let measures = [type1, found.type2(), found.constraints.inverse_condition];
        let nearest = (0..TYPES.len()).min_by(|&a, &b| measures[a].total_cmp(&measures[b]));
        let Some(nearest) = nearest.filter(|&k| measures[k] * LARGEST_CONDITION < 1.0) else { return };
        self.near += 1;
        self.first.get_or_insert(First { line, kind: TYPES[nearest], inverse_condition: measures[nearest] });
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
