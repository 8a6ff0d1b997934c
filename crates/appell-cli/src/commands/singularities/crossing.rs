//! Whether a motion crosses Type 2 with finite efforts.

use super::{Scale, expect_legs, load, positive};
use crate::listing::{Listing, counted, short};
use crate::progress::Progress;
use crate::robot;
use crate::table::{self, ClosedStateTable};
use anyhow::{Context, bail, ensure};
use appell::closed::crossing::{self, Criterion, SINGULAR};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, SingularError};
use appell::question::Question;
use appell::question::closed::{Evaluator, Motion, MotionError};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Tell whether a motion crosses singularities of Type 2 with finite efforts.
///
/// There the drives do not hold one motion of the platform, t_s. Efforts stay finite if that motion needs no force
/// (Briot and Arakelian): its power with all forces of inertia, velocity and gravity, the defect, is zero.
///
/// The table is CSV with a header, as `appell compute inverse-dynamics` reads it: the platform's pose px py pz (m)
/// qx qy qz qw, twist vx … wz and acceleration ax … ez, and perhaps t (s). The motion crosses between two rows where
/// det J_inv changes its sign, or comes near where type2 has a minimum below --threshold. In between, velocity and
/// acceleration are interpolated, so that short steps tell more.
///
/// Told are the time, the defect (W), what it compares with, and the largest effort in the five rows on each side. The
/// exit code is 1 if a defect is above --tolerance of that.
#[derive(clap::Args)]
#[command(after_help = "Example: appell singularities crossing five-bar --states motion.csv")]
pub(super) struct CrossingArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// The table of poses, twists and accelerations; - is stdin
    #[arg(long, value_name = "IN.csv")]
    states: PathBuf,
    /// A defect below this, over what it compares with, is none
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
    before: [Option<Row>; 2],  // the last row first
    efforts: Vec<Option<f64>>, // the largest of each row; none where the drives cannot hold it
    events: Vec<Event>,
}

pub(super) fn run(args: &CrossingArgs, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = load(&args.robot)?;
    expect_legs(&robot)?;
    let name = table::shown(&args.states);
    let mut table =
        ClosedStateTable::open(&args.states, &robot, Question::InverseDynamics).with_context(|| name.clone())?;
    let mut evaluator = Evaluator::new(&robot, Question::InverseDynamics, None)?.continuous(true);
    let mut watch = Watch {
        robot: &robot,
        metric: args.scale.metric(&robot),
        threshold: args.scale.threshold,
        workspace: crossing::Workspace::new(&robot),
        singularity: singularity::Workspace::new(&robot),
        before: [None, None],
        efforts: Vec::new(),
        events: Vec::new(),
    };
    let mut progress = Progress::start(table.work(), false);
    while table.advance().with_context(|| name.clone())? {
        let place = || format!("{name}: line {}", table.line());
        watch.read(&mut evaluator, &table).with_context(place)?;
        progress.reach(table.done());
    }
    drop(progress);
    watch.leave_out_doubles();
    let is_finite = |event: &Event| event.criterion.defect.abs() <= args.tolerance * event.criterion.scale;
    let all = watch.events.iter().all(is_finite);
    if json {
        let places: Vec<Value> = watch.events.iter().map(|event| watch.json(event, is_finite(event))).collect();
        let value = json!({ "robot": robot.name(), "rows": table.rows(), "tolerance": args.tolerance, "finite": all, "places": places });
        writeln!(out, "{value:#}")?;
        return Ok(all);
    }
    let (rows, places) = (counted(table.rows(), "row"), counted(watch.events.len(), "place"));
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
        writeln!(out, "{place} the drives do not feel: {}", event.words)?;
    }
    writeln!(
        out,
        "{}",
        if all {
            "Finite efforts suffice: the motion that the drives do not feel needs no force."
        } else {
            "Efforts grow without bounds: that motion needs a force. `appell singularities passage` makes one that needs none."
        }
    )?;
    Ok(all)
}

impl Watch<'_> {
    /// Looks at the row of the table.
    fn read(&mut self, evaluator: &mut Evaluator<'_>, table: &ClosedStateTable) -> anyhow::Result<()> {
        let (state, dof) = (table.state()?, self.robot.tree().dof());
        let Motion::Platform { twist, acceleration, .. } = state.motion else {
            bail!("the drives' motion does not say how the robot crosses; give the platform's: px … vx … ax …")
        };
        ensure!(
            state.external.is_empty() && state.on_platform.is_none(),
            "the criterion knows no wrenches from outside; leave out their columns"
        );
        let mut tau = vec![0.0; self.robot.driven().len()];
        let effort = match evaluator.evaluate(&state, &mut tau) {
            Ok(()) => Some(tau.iter().fold(0.0, |most: f64, tau| most.max(tau.abs()))),
            Err(MotionError::Singular(SingularError::Drives { .. })) => None,
            Err(error) => return Err(error.into()),
        };
        let of_freedoms = |given: [Option<f64>; 6]| -> Vec<f64> {
            self.robot.freedoms().iter().map(|&k| given[k - dof].unwrap_or(0.0)).collect()
        };
        let at = evaluator.configuration().clone();
        let measures = singularity::measures(self.robot, &mut self.singularity, &at, &self.metric);
        let row = Row {
            line: table.line(),
            time: table.time(),
            r: of_freedoms(twist),
            r_dot: of_freedoms(acceleration),
            type2: measures.type2(),
            determinant: measures.inverse_jacobian.and_then(|j_inv| j_inv.determinant),
            at,
        };
        self.efforts.push(effort);
        self.look(row)
    }

    fn look(&mut self, row: Row) -> anyhow::Result<()> {
        let index = self.efforts.len() - 1;
        let [last, one_before] = std::mem::take(&mut self.before);
        if let Some(last) = &last {
            let is_regular = |row: &Row| row.type2 >= SINGULAR;
            let changes = matches!((last.determinant, row.determinant), (Some(one), Some(other)) if one.is_sign_negative() != other.is_sign_negative());
            if changes && is_regular(last) && is_regular(&row) {
                self.look_between(index - 1, last, &row)?;
            }
            let is_least =
                one_before.as_ref().is_some_and(|before| last.type2 < before.type2) && last.type2 <= row.type2;
            if is_least && is_regular(last) && last.type2 < self.threshold {
                self.note(index - 1, last, false)?;
            }
        }
        if row.type2 < SINGULAR {
            self.note(index, &row, true)?;
        }
        self.before = [Some(row), last];
        Ok(())
    }

    /// A place at a row.
    fn note(&mut self, index: usize, row: &Row, crosses: bool) -> anyhow::Result<()> {
        let Row { line, time, at, r, r_dot, .. } = row;
        self.judge(index, [*line; 2], *time, crosses, at, r, r_dot)
    }

    /// A place between two rows, if the motion crosses Type 2 there: else it was Type 1.
    fn look_between(&mut self, index: usize, last: &Row, row: &Row) -> anyhow::Result<()> {
        let found = crossing::nearest(self.robot, &mut self.workspace, &last.at, &row.at, 4)?;
        if !found.crossed {
            return Ok(());
        }
        let between = |one: f64, other: f64| one + found.along * (other - one);
        let mixed =
            |one: &[f64], other: &[f64]| -> Vec<f64> { one.iter().zip(other).map(|(x, y)| between(*x, *y)).collect() };
        let time = last.time.zip(row.time).map(|(one, other)| between(one, other));
        let (r, r_dot) = (mixed(&last.r, &row.r), mixed(&last.r_dot, &row.r_dot));
        self.judge(index, [last.line, row.line], time, true, &found.at, &r, &r_dot)
    }

    #[expect(clippy::too_many_arguments, reason = "a place and a motion")]
    fn judge(
        &mut self,
        row: usize,
        lines: [u64; 2],
        time: Option<f64>,
        crosses: bool,
        at: &Configuration,
        r: &[f64],
        r_dot: &[f64],
    ) -> anyhow::Result<()> {
        let criterion = crossing::criterion(self.robot, &mut self.workspace, at, r, r_dot)?;
        let motion = singularity::least_felt(self.robot, &mut self.singularity, at, &self.metric);
        self.events.push(Event { row, lines, time, crosses, criterion, words: motion.words(self.robot) });
        Ok(())
    }

    /// A row near a crossing is no place of its own.
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
