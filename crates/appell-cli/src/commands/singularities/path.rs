//! The measures along a path, row by row.

use super::approach::{Approach, Row};
use super::reading::Reading;
use super::{Scale, closed};
use crate::output;
use crate::robot;
use crate::table::{Answers, StateTable};
use anyhow::{Context, ensure};
use appell::Robot;
use appell::closed::ClosedMechanism;
use appell::closed::singularity::{self, Workspace};
use appell::question::{Evaluator, Question, Target};
use appell_drawing::listing::counted;
use appell_drawing::{Curve, log_chart};
use std::io::{self, Write};
use std::path::PathBuf;

/// Measure the distance to singularities for every row of a table, and report the closest approach.
///
/// The table is CSV with a header, as `appell compute` reads it: the platform's pose px py pz (m) qx qy qz qw, or the
/// positions q1 q2 … of the driven joints (rad, m), and optionally t (s). Each row goes on from the one before.
///
/// One row comes out for each: t, then inverse condition numbers, from 1, the best, to 0, singular.
///
/// Then the closest approach to each kind is printed: the line, the leg, the motion that the drives control least; and
/// between which rows det J_inv changes its sign. It goes to stdout with --out, else to stderr. The exit code is 1 if
/// the path meets or crosses a singularity. A pose that cannot be reached is an error that names line, leg and gap.
#[derive(clap::Args)]
#[command(after_long_help = COLUMNS)]
#[command(after_help = EXAMPLE)]
pub(super) struct PathArgs {
    #[command(flatten)]
    robot: robot::Choice,
    #[command(flatten)]
    along: Along,
    #[command(flatten)]
    scale: Scale,
}

/// A path, and where its measures go.
#[derive(clap::Args)]
pub(super) struct Along {
    /// The table of poses, or of positions of the driven joints; - is stdin
    #[arg(long, value_name = "IN.csv", visible_alias = "states")]
    pub(super) poses: PathBuf,
    /// The table of measures; stdout if not given
    #[arg(long, value_name = "OUT.csv")]
    pub(super) out: Option<PathBuf>,
    /// Draw the measures along the path, on a logarithmic scale
    #[arg(long, value_name = "OUT.svg|png", value_parser = crate::output::drawing)]
    pub(super) plot: Option<PathBuf>,
}

/// An example, for both helps.
const EXAMPLE: &str = "Example: appell singularities path five-bar --poses path.csv --out measures.csv --plot path.svg";

/// The columns of the answers, for the long help.
const COLUMNS: &str = "Columns:

  LEG.type1              of each leg: its Jacobian; at 0 it is stretched or folded
  type1                  the least of these
  type2                  of the wrenches by which the drives hold the platform, each of norm 1
  constraints            of the closing joints' constraints
  freedoms               how many there are; more than at home at a constraint singularity
  inverse_condition      of J_inv without units; 0 where it is infinite, at Type 1
  raw_inverse_condition  the same in m and rad
  determinant            of J_inv, of as many drives as freedoms; empty where it is infinite

Example: appell singularities path five-bar --poses path.csv --out measures.csv --plot path.svg";

pub(super) fn run(args: &PathArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    measure(&args.robot.load()?, &args.along, &args.scale, json, stdout)
}

/// Measures a path.
pub(super) fn measure(
    whole: &Robot,
    args: &Along,
    scale: &Scale,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<bool> {
    let robot = closed(whole)?;
    let (metric, mut workspace) = (scale.metric(robot), Workspace::new(robot));
    let mut table = StateTable::open(&args.poses, whole, Question::Singularity, None)?;
    let mut evaluator = Evaluator::new(whole, Question::Singularity, None, Target::default())?.continuous(true);
    let walker = evaluator.closed().context("a robot with closed loops")?;
    let mut approach = Approach::new(robot, metric);
    let mut drawn = Drawn::default();
    let columns: Vec<String> = table.time.map(|_| "t".into()).into_iter().chain(Reading::columns(robot)).collect();
    let mut answers = Answers::start(args.out.as_deref(), &mut *stdout, json, &columns, table.reader.work())?;
    while table.advance()? {
        let place = || table.reader.place();
        let at = &walker.find(robot, &table.state().with_context(place)?).with_context(place)?.at;
        let reading = Reading::of(&singularity::measures(robot, &mut workspace, at, &metric));
        answers.write_known(table.time.map(Some).into_iter().chain(reading.row(robot)))?;
        answers.reach(table.reader.done());
        if args.plot.is_some() {
            drawn.push(&table, &reading);
        }
        approach.look(Row { line: table.reader.line(), time: table.time, at: at.clone(), reading });
    }
    let rows = table.reader.rows();
    ensure!(rows > 0, "{}: there is a header and no row; give one row per pose", table.reader.name());
    answers.finish(format_args!("{}, singularities of {}", counted(rows, "row"), robot.name()))?;
    if let Some(path) = &args.plot {
        output::write_drawing(path, &drawn.draw(robot, scale.threshold), stdout)?;
    }
    let threshold = scale.threshold;
    let out: &mut dyn Write = if args.out.is_some() { stdout } else { &mut io::stderr() };
    if json && args.out.is_some() {
        writeln!(out, "{:#}", approach.json(threshold))?;
    } else {
        approach.write(threshold, out)?;
    }
    Ok(approach.keeps_away(threshold))
}

/// What the diagram shows.
#[derive(Default)]
struct Drawn {
    x: Vec<f64>,
    timed: bool,
    curves: [Vec<f64>; 4],
}

impl Drawn {
    fn push(&mut self, table: &StateTable, reading: &Reading) {
        self.timed = table.time.is_some();
        self.x.push(table.time.unwrap_or(table.reader.rows() as f64));
        let values = [reading.type1, reading.type2, reading.constraints, reading.j_inv[0]];
        self.curves.iter_mut().zip(values).for_each(|(curve, value)| curve.push(value));
    }

    fn draw(&self, robot: &ClosedMechanism, threshold: f64) -> String {
        let names = ["Type 1", "Type 2", "constraints", "inverse Jacobian"];
        let curves: Vec<Curve<'_>> =
            names.into_iter().zip(&self.curves).map(|(name, values)| Curve { name, values }).collect();
        let title = format!("{}: distance to singularities along the path", robot.name());
        log_chart(&title, if self.timed { "t (s)" } else { "row" }, &self.x, &curves, threshold)
    }
}
