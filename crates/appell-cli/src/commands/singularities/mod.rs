//! `appell singularities`: how near a robot with closed loops is to its singularities, at a place, along a path and
//! over its workspace; and how to cross one.

mod approach;
mod crossing;
mod here;
mod map;
mod passage;
mod path;
mod reading;

use crate::arguments::{number_that, positive};
use crate::place::PlaceArgs;
use crate::robot;
use anyhow::{Context, ensure};
use appell::Robot;
use appell::closed::ClosedMechanism;
use appell::closed::singularity::Metric;
use std::io::Write;
use std::path::PathBuf;

/// Show how near a robot with closed loops is to its singularities: at home or at a place, along a path, over a map.
///
/// Type 1: a leg is stretched or folded, and the robot moves while the platform rests. Type 2: the drives do not hold
/// the platform, which moves while they rest; forces grow without bounds. Constraint singularity: the closing joints
/// repeat each other, and the robot gains a degree of freedom. Each is measured by an inverse condition number without
/// units, from 1, the best, to 0, singular; a rotation by 1 rad counts as a translation by --length.
///
/// With ROBOT alone the measures at home are printed, or where --pose or --at says, with the motion that the drives
/// control least; the exit code is 1 where it is singular: below --threshold. With --poses it is `path`, for every row
/// of a table.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Example: appell singularities gough-stewart --pose 0,0,0.75,0,0,1.5707963
Example: appell singularities path five-bar --poses path.csv --out measures.csv --plot path.svg
Example: appell singularities map five-bar --over x,y --plot map.svg")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    robot: Option<robot::Choice>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Every row of a table, as `path` does it; - is stdin
    #[arg(long, value_name = "IN.csv", visible_alias = "states", conflicts_with_all = ["at", "pose"])]
    poses: Option<PathBuf>,
    /// Of --poses: the table of measures; stdout if not given
    #[arg(long, value_name = "OUT.csv", requires = "poses")]
    out: Option<PathBuf>,
    /// Of --poses: a drawing of the measures along the path
    #[arg(long, value_name = "OUT.svg|png", value_parser = crate::output::drawing, requires = "poses")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    scale: Scale,
}

/// What can be asked beside one place.
#[derive(clap::Subcommand)]
enum Command {
    Path(path::PathArgs),
    Map(map::MapArgs),
    Crossing(crossing::CrossingArgs),
    Passage(passage::PassageArgs),
}

/// What counts as how large, and as singular.
#[derive(clap::Args)]
struct Scale {
    /// The way that weighs as much as a turn by 1 rad, m; the robot's characteristic length if not given
    #[arg(long, value_name = "M", value_parser = length)]
    length: Option<f64>,
    /// A measure below this counts as singular
    #[arg(long, value_name = "X", default_value = "1e-3", value_parser = positive)]
    threshold: f64,
}

impl Scale {
    fn metric(&self, robot: &ClosedMechanism) -> Metric {
        let metric = Metric::of(robot);
        Metric { length: self.length.unwrap_or(metric.length), ..metric }
    }
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    match &args.command {
        None => {
            let choice = args.robot.as_ref().context("give a robot's name or file")?;
            let robot = choice.load()?;
            let Some(poses) = &args.poses else { return here::run(args, closed(&robot)?, json, out) };
            let along = path::Along { poses: poses.clone(), out: args.out.clone(), plot: args.plot.clone() };
            path::measure(&robot, &along, &args.scale, json, out)
        }
        Some(Command::Path(args)) => path::run(args, json, out),
        Some(Command::Map(args)) => map::run(args, json, out),
        Some(Command::Crossing(args)) => crossing::run(args, json, out),
        Some(Command::Passage(args)) => passage::run(args, json, out),
    }
}

/// The robot, which must have closed loops.
fn closed(robot: &Robot) -> anyhow::Result<&ClosedMechanism> {
    robot::closed(robot, "singularities", "`appell compute singularity` answers for open ones")
}

/// The same of a robot to which the criterion of a crossing applies.
fn of_platform(robot: &Robot) -> anyhow::Result<&ClosedMechanism> {
    let robot = closed(robot)?;
    ensure!(
        appell::closed::crossing::applies(robot),
        "crossings are known where the platform's twist tells the motion, and that of {} is not; name another output with --frame",
        robot.name()
    );
    Ok(robot)
}

/// A length that a robot can have.
fn length(text: &str) -> Result<f64, String> {
    number_that(text, |x| (1e-6..=1e6).contains(&x), "expected a length from 1e-6 to 1e6 m")
}
