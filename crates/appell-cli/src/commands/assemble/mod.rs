//! `appell assemble`: where everything is in a robot with closed loops, for a pose of its platform or for its drives.

mod drives;
mod modes;

use crate::arguments::finite;
use crate::place::{self, PlaceArgs, near_zero};
use crate::refusal;
use crate::robot;
use appell::closed::assembly::{self, AssemblyError};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::Branch;
use appell_drawing::listing::{Listing, short};
use serde_json::{Value, json};
use std::io::Write;

/// Assemble a robot with closed loops: all joints for a pose of the platform, or all for positions of the drives.
///
/// The legs stay in the working modes of the robot's file. With --all all solutions are printed.
///
/// For --pose these are the working modes: every way in which each leg reaches it, how far that is from Type 1, where two
/// of them are one, and all whole robots that they make. Legs of the common kinds are solved in closed form, which misses
/// nothing. Robots that are not of legs and a platform alone are searched for from --starts random starts.
///
/// For --at these are the assemblies, the one nearest to home first: the pose of the platform, the sides of zero on which
/// joints with a working mode are, the sign of det J_inv, the distance to Type 2 (1 is the best, 0 singular) and the
/// distance from home, or from --near (m over the characteristic length, plus rad). Platforms on six legs that keep
/// distances while the drives stand, 6-UPS, 6-RUS and 6-PUS, planar ones on three, spherical 3-RRR, Delta robots and
/// five-bar linkages have a known number of complex solutions, 40, 6, 8, 2 and 2: all are followed, and the answer says
/// what became of each, so that no real one is missed. Other robots are searched for from --starts random starts, which
/// cannot prove that it found all, and says so.
///
/// Angles are in rad, lengths in m. The exit code is 1 if the robot cannot be assembled so; the message names the leg
/// or closing joint that stays open, and by how much.
#[derive(clap::Args)]
#[command(after_help = "Example: appell assemble delta --pose 0.1,0,-0.7 --all
Example: appell assemble five-bar --at 2.1,1.1 --all")]
#[command(group = clap::ArgGroup::new("place").required(true).args(["pose", "at"]))]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    #[command(flatten)]
    place: PlaceArgs,
    /// All solutions
    #[arg(long)]
    all: bool,
    /// The pose of the platform from which distances are measured, as --pose; home if not given
    #[arg(long, value_name = "PX,PY,PZ,…", value_delimiter = ',', value_parser = finite, requires = "at", requires = "all")]
    near: Option<Vec<f64>>,
    /// Random starts of the search for all assemblies of robots whose solutions are not counted
    #[arg(long, value_name = "N", default_value_t = 500, requires = "all")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    starts: u32,
    /// Where the random numbers begin
    #[arg(long, value_name = "S", default_value_t = 1, requires = "all")]
    seed: u64,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    let robot = robot::closed(&robot, "assemble", "`appell show ROBOT --at Q1,Q2,…` shows open ones")?;
    let answered = match (&args.place.at, &args.place.pose) {
        (_, Some(pose)) if args.all => modes::all(args, pose, robot, json, out).map(|()| true),
        (Some(at), _) if args.all => drives::all(args, at, robot, json, out),
        _ => one(args, robot, json, out).map(|()| true),
    };
    match answered {
        Err(error) if error.downcast_ref::<AssemblyError>().is_some_and(|error| *error != AssemblyError::NotFinite) => {
            if json && args.all {
                let none = json!({ "name": robot.name(), "error": format!("{error:#}"), "configurations": [] });
                writeln!(out, "{none:#}")?;
            }
            refusal::no(format_args!("{error:#}"));
            Ok(false)
        }
        answered => answered,
    }
}

/// The one configuration that the arguments ask for.
fn one(args: &Args, robot: &ClosedMechanism, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let (place, mut at) = args.place.assemble(robot)?;
    assembly::wrap(robot, &mut at);
    if json {
        writeln!(out, "{:#}", configuration(robot, &at))?;
        return Ok(());
    }
    writeln!(out, "{}, at {}; rad, m", robot.name(), place.name())?;
    place::write_platform(robot, &at, out)?;
    let mut listing = Listing::new(["joint", ">q", "mode", ""]);
    for (j, name) in robot.tree().joint_names().iter().enumerate() {
        let driven = if robot.driven().contains(&j) { "driven" } else { "" };
        listing.push([name.clone(), short(near_zero(at.q[j])), mode(robot, j).into(), driven.into()]);
    }
    Ok(listing.write(out)?)
}

/// A configuration for machines.
fn configuration(robot: &ClosedMechanism, at: &Configuration) -> Value {
    let names = robot.tree().joint_names().iter();
    let joints: serde_json::Map<String, Value> = names.zip(&at.q).map(|(name, &q)| (name.clone(), q.into())).collect();
    json!({ "platform": place::platform_json(robot, at), "joints": joints, "in_mode": is_in_mode(robot, at) })
}

fn mode(robot: &ClosedMechanism, j: usize) -> &'static str {
    if robot.branches()[j] == Branch::Any { "-" } else { robot.branches()[j].name() }
}

/// Whether all joints are on the sides of zero that the robot's file asks for; angles are in (−π, π].
fn is_in_mode(robot: &ClosedMechanism, at: &Configuration) -> bool {
    at.q.iter().enumerate().all(|(j, &q)| is_on_side(robot, j, q))
}

fn is_on_side(robot: &ClosedMechanism, j: usize, q: f64) -> bool {
    match robot.branches()[j] {
        Branch::Any => true,
        Branch::Positive => near_zero(q) >= 0.0,
        Branch::Negative => near_zero(q) <= 0.0,
    }
}

/// How an assembly is near to or on which side of Type 2.
struct Side {
    /// The sign of det J_inv, where it has one.
    sign: Option<char>,
    /// Distance to Type 2.
    type2: f64,
}

impl Side {
    fn of(robot: &ClosedMechanism, ws: &mut singularity::Workspace, at: &Configuration) -> Self {
        let measures = singularity::measures(robot, ws, at, &Metric::of(robot));
        let determinant = measures.inverse_jacobian.as_ref().and_then(|j_inv| j_inv.determinant);
        let sign = determinant.filter(|det| *det != 0.0).map(|det| if det > 0.0 { '+' } else { '-' });
        Self { sign, type2: measures.type2() }
    }

    fn sign(&self) -> String {
        self.sign.map_or_else(|| "-/+".into(), String::from)
    }
}
