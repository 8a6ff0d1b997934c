//! A motion that crosses Type 2 with finite torques and forces.

use super::of_platform;
use crate::arguments::{self, choice, expect_each, finite, positive};
use crate::output;
use crate::place::{self, PlaceArgs, quaternion};
use crate::progress::Work;
use crate::refusal;
use crate::robot;
use crate::table::{Answers, POSITION, QUATERNION, RATES};
use anyhow::Context;
use appell::closed::crossing::{self, CrossingError, Passage, Path, Shape};
use appell::closed::{ClosedMechanism, Configuration};
use appell::spatial::Pose;
use appell_drawing::listing::{counted, short, short_vector};
use std::io::Write;
use std::path::PathBuf;

/// Make a motion from rest to rest that crosses a singularity of Type 2 with finite torques and forces.
///
/// It crosses at --through, or where the straight way from --from to --to meets Type 2, with the velocity of the
/// robot's independent velocities that is asked for (`appell show` names them), m/s and rad/s. There the acceleration
/// is the nearest to the one asked for that satisfies the criterion of Briot and Arakelian: the motion that the drives
/// do not control needs no force.
///
/// Poses are PX,PY,PZ in m, followed by a quaternion QX,QY,QZ,QW or by roll, pitch and yaw in rad. The table has t (s),
/// pose, twist and acceleration, as `appell compute inverse-dynamics` reads them; no row is at the crossing itself,
/// where that has no answer. The exit code is 1 if the robot cannot follow such a motion, or if it swings back and
/// crosses more than once.
#[derive(clap::Args)]
#[command(after_help = "Example: appell singularities passage five-bar --from 0,0.4,0 --to 0,0.1,0 --velocity 0,-0.6 \
--time 1 --out path.csv")]
pub(super) struct PassageArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// Where the platform starts
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite)]
    from: Vec<f64>,
    /// Where it crosses; where the straight way meets Type 2 if not given
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite)]
    through: Option<Vec<f64>>,
    /// Where it ends
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite)]
    to: Vec<f64>,
    /// Velocity at the crossing, one value per degree of freedom
    #[arg(long, value_name = "V1,V2,…", value_delimiter = ',', value_parser = finite)]
    velocity: Vec<f64>,
    /// Acceleration wished for at the crossing, one value per degree of freedom; zeros if not given
    #[arg(long, value_name = "A1,A2,…", value_delimiter = ',', value_parser = finite)]
    acceleration: Vec<f64>,
    /// How long it takes, s
    #[arg(long, value_name = "S", value_parser = arguments::time)]
    time: f64,
    /// When it crosses, s; half-way if not given
    #[arg(long, value_name = "S", value_parser = positive)]
    cross_at: Option<f64>,
    /// Two polynomials of degree 5, or one of degree 8, whose torques and forces are smooth
    #[arg(long, default_value = "quintics")]
    #[arg(value_parser = choice([("quintics", Shape::Quintics), ("octic", Shape::Octic)]))]
    shape: Shape,
    /// Rows of the table
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(4..=10_000_000))]
    rows: u32,
    /// The table; stdout if not given
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &PassageArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    let robot = of_platform(&robot)?;
    let freedoms = robot.freedom_names();
    expect_each("--velocity", &args.velocity, "degree of freedom", &freedoms)?;
    if !args.acceleration.is_empty() {
        expect_each("--acceleration", &args.acceleration, "degree of freedom", &freedoms)?;
    }
    let mut workspace = crossing::Workspace::new(robot);
    let (from, to) = (place::pose("--from", &args.from, robot)?, place::pose("--to", &args.to, robot)?);
    let wish = Passage {
        from,
        through: through(args, robot, &mut workspace, [from, to])?,
        to,
        velocity: args.velocity.clone(),
        acceleration: args.acceleration.clone(),
        crossing: args.cross_at.unwrap_or(0.5 * args.time),
        duration: args.time,
        shape: args.shape,
    };
    let made = crossing::passage(robot, &mut workspace, &wish).and_then(|path| {
        crossing::crosses_once(robot, &mut workspace, &wish.through, &path, args.rows as usize)?;
        Ok(path)
    });
    let path = match made {
        Ok(path) => path,
        Err(CrossingError::NotSingular { inverse_condition }) => anyhow::bail!(
            "{} is not singular of Type 2 at --through: its inverse condition is {inverse_condition:.1e}; give more \
             digits, or leave out --through to cross where the straight way is singular",
            robot.name()
        ),
        Err(error @ (CrossingError::Times { .. } | CrossingError::Fixed { .. })) => return Err(error.into()),
        Err(error) => {
            refusal::no(error);
            return Ok(false);
        }
    };
    write(robot, &path, args, json, stdout)?;
    output::note(format_args!(
        "crosses Type 2 at {} m, t = {} s, with the acceleration ({}) of {}",
        short_vector(wish.through.pose.position.to_array()),
        short(path.crossing()),
        rates(&path.acceleration(path.crossing())),
        freedoms.join(" ")
    ));
    Ok(true)
}

/// Numbers in a row; what rounding left of a zero is zero.
fn rates(numbers: &[f64]) -> String {
    let size = numbers.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let written = numbers.iter().map(|&x| short(if x.abs() < 1e-12 * size { 0.0 } else { x }));
    written.collect::<Vec<_>>().join(", ")
}

/// The singular configuration to cross.
fn through(
    args: &PassageArgs,
    robot: &ClosedMechanism,
    workspace: &mut crossing::Workspace,
    [from, to]: [Pose; 2],
) -> anyhow::Result<Configuration> {
    if let Some(numbers) = &args.through {
        let place = PlaceArgs { at: None, pose: Some(numbers.clone()) };
        return place.assemble(robot).map(|(_, at)| at).context("--through");
    }
    crossing::between(robot, workspace, from, to).map_err(|error| match error {
        CrossingError::Unreached { end: "start", source } => anyhow::Error::new(source).context("--from"),
        CrossingError::Unreached { source, .. } => anyhow::Error::new(source).context("--to"),
        CrossingError::NoneBetween { .. } => anyhow::anyhow!("{error} (--through)"),
        error => error.into(),
    })
}

fn write(
    robot: &ClosedMechanism,
    path: &Path,
    args: &PassageArgs,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<()> {
    let turns = robot.platform().is_some_and(|platform| platform.turns);
    let turning = if turns { &QUATERNION[..] } else { &[] };
    let columns = ["t"].iter().chain(&POSITION).chain(turning).chain(RATES.iter().flatten());
    let columns: Vec<String> = columns.map(|name| (*name).to_owned()).collect();
    let mut answers = Answers::start(args.out.as_deref(), stdout, json, &columns, Work::States(args.rows.into()))?;
    for (k, t) in path.times(args.rows as usize).enumerate() {
        let (pose, (twist, acceleration)) = (path.pose(t), path.motion(t));
        let attitude = turns.then(|| quaternion(&pose)).into_iter().flatten();
        let place = [t].into_iter().chain(pose.position.to_array()).chain(attitude);
        answers.write(place.chain(twist.to_array()).chain(acceleration.to_array()))?;
        answers.reach(k as u64 + 1);
    }
    answers.finish(format_args!("{}, a crossing of {}", counted(args.rows as usize, "row"), robot.name()))
}
