//! Whether a motion crosses Type 2 with finite torques and forces.

use super::{Scale, of_legs};
use crate::arguments::positive;
use crate::progress::Progress;
use crate::robot;
use crate::table::StateTable;
use anyhow::{Context, bail, ensure};
use appell::closed::crossing::{self, Criterion, SINGULAR};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, SingularError};
use appell::question::{AnswerError, Evaluator, Motion, MotionError, Question, Target};
use appell_drawing::listing::{Listing, counted, short};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Check whether a motion crosses singularities of Type 2 with finite torques and forces.
///
/// There the drives do not hold one motion of the platform, t_s. Torques and forces stay finite if that motion needs no
/// force (Briot and Arakelian): its power with all forces of inertia, velocity and gravity, the defect, is zero.
///
/// The table is CSV with a header, as `appell compute inverse-dynamics` reads it: the platform's pose px py pz (m)
/// qx qy qz qw, twist vx … wz and acceleration ax … ez, and optionally t (s). The motion crosses between two rows where
/// det J_inv changes its sign, or comes near where type2 has a minimum below --threshold. In between, velocity and
/// acceleration are interpolated, so that shorter steps are more accurate.
///
/// It prints the time, the defect (W), what it compares with, and the largest effort in the five rows on each side. The
/// exit code is 1 if a defect is above --tolerance of that.
#[derive(clap::Args)]
#[command(after_help = "Example: appell singularities crossing five-bar --states motion.csv")]
pub(super) struct CrossingArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// The table of poses, twists and accelerations; - is stdin
    #[arg(long, value_name = "IN.csv")]
    states: PathBuf,
    /// A defect below this, over what it compares with, counts as zero
    #[arg(long, value_name = "X", default_value = "1e-3", value_parser = positive)]
    tolerance: f64,
    #[command(flatten)]
    scale: Scale,
}

/// How many rows before and after a crossing are near it.
const NEAR: usize = 5;

/// A row of the motion.
#[derive(Clone)]
struct Row {
    index: usize, // counted from 0
    line: u64,
    time: Option<f64>,
    at: Configuration,
    r: Vec<f64>,
    r_dot: Vec<f64>,
    type2: f64,
    determinant: Option<f64>,
}

/// A place where the motion crosses, or comes near.
struct Event {
    row: usize, // the row at it or before it, counted from 0
    lines: [u64; 2],
    time: Option<f64>,
    crosses: bool,
    criterion: Criterion,
    words: String,
}

/// Reads rows and finds places.
struct Watch<'r> {
    robot: &'r ClosedMechanism,
    metric: Metric,
    threshold: f64,
    workspace: crossing::Workspace,
    singularity: singularity::Workspace,
    window: [Option<Row>; 4],  // the last rows, the newest last
    efforts: Vec<Option<f64>>, // the largest of each row; none where the drives cannot hold it
    events: Vec<Event>,
}

pub(super) fn run(args: &CrossingArgs, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let whole = args.robot.load()?;
    let robot = of_legs(&whole)?;
    let mut table = StateTable::open(&args.states, &whole, Question::InverseDynamics, None)?;
    let mut evaluator = Evaluator::new(&whole, Question::InverseDynamics, None, Target::default())?.continuous(true);
    let mut watch = Watch {
        robot,
        metric: args.scale.metric(robot),
        threshold: args.scale.threshold,
        workspace: crossing::Workspace::new(robot),
        singularity: singularity::Workspace::new(robot),
        window: [const { None }; 4],
        efforts: Vec::new(),
        events: Vec::new(),
    };
    let mut progress = Progress::start(table.reader.work(), false);
    while table.advance()? {
        watch.read(&mut evaluator, &table).with_context(|| table.reader.place())?;
        progress.reach(table.reader.done());
    }
    drop(progress);
    watch.look(None).with_context(|| table.reader.name().to_owned())?;
    watch.leave_out_doubles();
    let is_finite = |event: &Event| relative(&event.criterion) <= args.tolerance;
    let all = watch.events.iter().all(is_finite);
    if json {
        let places: Vec<Value> = watch.events.iter().map(|event| watch.json(event, is_finite(event))).collect();
        let value = json!({ "robot": robot.name(), "rows": table.reader.rows(), "tolerance": args.tolerance, "finite": all, "places": places });
        writeln!(out, "{value:#}")?;
        return Ok(all);
    }
    let (rows, places) = (counted(table.reader.rows(), "row"), counted(watch.events.len(), "place"));
    writeln!(out, "{}: {places} at or near Type 2 in {rows}", robot.name())?;
    if watch.events.is_empty() {
        writeln!(out, "The motion crosses no singularity of Type 2.")?;
        return Ok(true);
    }
    let mut listing =
        Listing::new([">t", "lines", "where", ">type2", ">defect, W", ">of, W", "finite", ">largest effort near"]);
    for event in &watch.events {
        let Event { lines: [from, to], criterion, .. } = event;
        let lines = if from == to { from.to_string() } else { format!("{from}-{to}") };
        listing.push([
            event.time.map_or_else(|| "-".into(), short),
            lines,
            if event.crosses { "crosses" } else { "near" }.into(),
            format!("{:.1e}", criterion.inverse_condition),
            format!("{:.3e}", criterion.defect),
            short(criterion.scale),
            if is_finite(event) { "yes" } else { "no" }.into(),
            watch.effort_near(event.row).map_or_else(|| "none".into(), short),
        ]);
    }
    listing.write(out)?;
    for event in &watch.events {
        let place =
            event.time.map_or_else(|| format!("at line {}", event.lines[0]), |t| format!("at t = {} s", short(t)));
        writeln!(out, "{place} the drives do not control: {}", event.words)?;
    }
    writeln!(
        out,
        "{}",
        if all {
            "Finite torques and forces suffice: the motion that the drives do not control needs no force."
        } else {
            "Torques and forces grow without bounds: that motion needs a force. `appell singularities passage` makes one that needs none."
        }
    )?;
    Ok(all)
}

impl Watch<'_> {
    /// Looks at the row of the table.
    fn read(&mut self, evaluator: &mut Evaluator, table: &StateTable) -> anyhow::Result<()> {
        let (state, dof) = (table.state()?, self.robot.tree().dof());
        let Motion::Platform { twist, acceleration, .. } = state.motion else {
            bail!("the drives' motion does not say how the robot crosses; give the platform's: px … vx … ax …")
        };
        ensure!(
            state.external.is_empty() && state.on_platform.is_none(),
            "the criterion does not include external wrenches; leave out their columns"
        );
        let mut tau = vec![0.0; self.robot.driven().len()];
        let effort = match evaluator.evaluate(&state, &mut tau) {
            Ok(()) => Some(tau.iter().fold(0.0, |most: f64, tau| most.max(tau.abs()))),
            Err(AnswerError::Motion(MotionError::Singular(SingularError::Drives { .. }))) => None,
            Err(error) => return Err(error.into()),
        };
        let of_freedoms = |given: [Option<f64>; 6]| -> Vec<f64> {
            self.robot.freedoms().iter().map(|&k| given[k - dof].unwrap_or(0.0)).collect()
        };
        let at = evaluator.configuration().expect("a robot with closed loops").clone();
        let measures = singularity::measures(self.robot, &mut self.singularity, &at, &self.metric);
        let row = Row {
            index: self.efforts.len(),
            line: table.reader.line(),
            time: table.time,
            r: of_freedoms(twist),
            r_dot: of_freedoms(acceleration),
            type2: measures.type2(),
            determinant: measures.inverse_jacobian.and_then(|j_inv| j_inv.determinant),
            at,
        };
        self.efforts.push(effort);
        self.look(Some(row))
    }

    /// Takes the next row, or the end, and looks at the rows in the middle of the window.
    fn look(&mut self, row: Option<Row>) -> anyhow::Result<()> {
        self.window.rotate_left(1);
        self.window[3] = row;
        let window = std::mem::take(&mut self.window);
        self.look_at(&window)?;
        self.window = window;
        Ok(())
    }

    fn look_at(&mut self, [before, last, row, after]: &[Option<Row>; 4]) -> anyhow::Result<()> {
        let Some(row) = row else { return Ok(()) };
        let is_regular = |row: &Row| row.type2 >= SINGULAR;
        if !is_regular(row) {
            self.judge(row, row, None, true, &row.at, &row.r, &[&row.r_dot])?;
        }
        let Some(last) = last.as_ref().filter(|last| is_regular(last) && is_regular(row)) else { return Ok(()) };
        let is_negative = |row: &Row| row.determinant.map(f64::is_sign_negative);
        if is_negative(last).zip(is_negative(row)).is_some_and(|(one, other)| one != other) {
            self.look_between([before.as_ref(), after.as_ref()], last, row)?;
        }
        let is_least = before.as_ref().is_some_and(|before| last.type2 < before.type2) && last.type2 <= row.type2;
        if is_least && last.type2 < self.threshold {
            self.judge(last, last, None, false, &last.at, &last.r, &[&last.r_dot])?;
        }
        Ok(())
    }

    /// A place between two rows, if the motion crosses Type 2 there: else it was Type 1.
    ///
    /// The velocity is between those of the rows. The acceleration may bend there, as that of two polynomials does: it
    /// is found from each side by two rows.
    fn look_between(&mut self, [before, after]: [Option<&Row>; 2], last: &Row, row: &Row) -> anyhow::Result<()> {
        let found = crossing::nearest(self.robot, &mut self.workspace, &last.at, &row.at, 4)?;
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
        self.judge(last, row, Some(found.along), true, &found.at, &mixed(&last.r, &row.r, found.along), &r_dot)
    }

    /// Notes a place, with the largest defect of several accelerations.
    #[expect(clippy::too_many_arguments, reason = "two rows, a place between them, and a motion")]
    fn judge(
        &mut self,
        last: &Row,
        row: &Row,
        along: Option<f64>,
        crosses: bool,
        at: &Configuration,
        r: &[f64],
        r_dot: &[&[f64]],
    ) -> anyhow::Result<()> {
        let mut criteria = Vec::with_capacity(r_dot.len());
        for r_dot in r_dot {
            criteria.push(crossing::criterion(self.robot, &mut self.workspace, at, r, r_dot)?);
        }
        let largest = criteria.into_iter().max_by(|one, other| relative(one).total_cmp(&relative(other)));
        let Some(criterion) = largest else { return Ok(()) };
        let time = last.time.zip(row.time).map(|(from, to)| from + along.unwrap_or(0.0) * (to - from));
        let words =
            singularity::least_controlled(self.robot, &mut self.singularity, at, &self.metric).words(self.robot);
        self.events.push(Event { row: last.index, lines: [last.line, row.line], time, crosses, criterion, words });
        Ok(())
    }

    /// A row near a crossing is not a place of its own.
    fn leave_out_doubles(&mut self) {
        let crossings: Vec<usize> = self.events.iter().filter(|event| event.crosses).map(|event| event.row).collect();
        self.events.retain(|event| event.crosses || crossings.iter().all(|row| row.abs_diff(event.row) > 2));
        self.events.sort_by_key(|event| event.row);
    }

    /// The largest effort of the rows around one.
    fn effort_near(&self, row: usize) -> Option<f64> {
        let rows = row.saturating_sub(NEAR)..(row + NEAR + 1).min(self.efforts.len());
        self.efforts[rows].iter().flatten().copied().reduce(f64::max)
    }

    fn json(&self, event: &Event, finite: bool) -> Value {
        let Criterion { twist, inverse_condition, defect, scale, .. } = &event.criterion;
        json!({
            "t": event.time, "lines": event.lines, "crosses": event.crosses, "type2": inverse_condition,
            "twist": twist, "defect": defect, "scale": scale, "finite": finite,
            "largest_effort_near": self.effort_near(event.row), "uncontrolled": event.words,
        })
    }
}

/// A defect over what it compares with; no forces at all are no defect.
fn relative(criterion: &Criterion) -> f64 {
    if criterion.defect == 0.0 { 0.0 } else { criterion.defect.abs() / criterion.scale }
}
