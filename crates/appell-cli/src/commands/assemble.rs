//! `appell assemble`: where everything is in a robot with closed loops, for a pose of its platform or for its drives.

use crate::output;
use crate::place::{self, Place, PlaceArgs, near_zero};
use crate::robot;
use appell::closed::assembly::{self, AssemblyError};
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::Branch;
use appell_drawing::listing::{Listing, counted, short};
use serde_json::{Value, json};
use std::io::Write;

/// Assemble a robot with closed loops: all joints for a pose of the platform, or all for positions of the drives.
///
/// The legs stay in the working modes of the robot's file. With --all all solutions are printed: for --pose every way
/// in which each leg reaches it, its working modes, or, where the robot is not of legs and a platform alone, every
/// configuration that random starts find; for --at every configuration that --starts random starts find, the
/// one nearest to home first. Legs of the common kinds are solved in closed form, which misses nothing; a search cannot
/// prove that it found all.
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
    /// Random starts of the search for all configurations
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
        (_, Some(pose)) if args.all => working_modes(args, pose, robot, json, out),
        (Some(at), _) if args.all => all_configurations(args, at, robot, json, out),
        _ => one(args, robot, json, out),
    };
    match answered {
        Err(error) if error.downcast_ref::<AssemblyError>().is_some_and(|error| *error != AssemblyError::NotFinite) => {
            output::note(format_args!("error: {error:#}"));
            Ok(false)
        }
        answered => answered.map(|()| true),
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

/// All ways in which each leg reaches a pose.
fn working_modes(
    args: &Args,
    numbers: &[f64],
    robot: &ClosedMechanism,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let pose = place::pose("--pose", numbers, robot)?;
    let mut workspace = assembly::Workspace::new(robot);
    if robot.legs().is_empty() {
        let found = assembly::all_at_pose(robot, &mut workspace, &pose, args.starts as usize, args.seed);
        return configurations(args, &found, robot, json, Place::Pose, out);
    }
    let solutions: Vec<Vec<Vec<f64>>> =
        (0..robot.legs().len()).map(|leg| assembly::leg_solutions(robot, &mut workspace, &pose, leg)).collect();
    if solutions.iter().any(Vec::is_empty) {
        // The same search names the leg and its gap.
        args.place.assemble(robot)?;
    }
    let legs = robot.legs().iter().zip(&solutions);
    let chosen =
        |leg: &appell::closed::Leg, q: &[f64]| leg.joints.iter().zip(q).all(|(&j, &q)| is_on_side(robot, j, q));
    if json {
        let legs = legs.enumerate().map(|(k, (leg, solutions))| {
            let names: Vec<&String> = leg.joints.iter().map(|&j| &robot.tree().joint_names()[j]).collect();
            let of = |q: &Vec<f64>| json!({ "q": q, "in_mode": chosen(leg, q) });
            json!({
                "leg": leg.name, "joints": names, "closed_form": workspace.has_closed_form(k),
                "solutions": solutions.iter().map(of).collect::<Vec<_>>(),
            })
        });
        writeln!(out, "{:#}", json!({ "name": robot.name(), "legs": legs.collect::<Vec<_>>() }))?;
        return Ok(());
    }
    writeln!(out, "{}, at {}: working modes of each leg; rad, m", robot.name(), Place::Pose.name())?;
    for (k, (leg, solutions)) in legs.enumerate() {
        let how = if workspace.has_closed_form(k) { "in closed form" } else { "by random starts" };
        writeln!(out, "\n{}: {}, {how}", leg.name, counted(solutions.len(), "solution"))?;
        let names = leg.joints.iter().map(|&j| format!(">{}", robot.tree().joint_names()[j])).collect::<Vec<_>>();
        let mut listing = Listing::new(names.iter().map(String::as_str).chain(["the file's mode"]));
        for q in solutions {
            let cells = q.iter().map(|&q| short(near_zero(q)));
            listing.push(cells.chain([if chosen(leg, q) { "yes" } else { "no" }.into()]));
        }
        listing.write(out)?;
    }
    Ok(())
}

/// All configurations with the drives at some positions.
fn all_configurations(
    args: &Args,
    positions: &[f64],
    robot: &ClosedMechanism,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    place::expect_drives("--at", positions, robot)?;
    let mut workspace = assembly::Workspace::new(robot);
    let found = assembly::all_at_drives(robot, &mut workspace, positions, args.starts as usize, args.seed);
    configurations(args, &found, robot, json, Place::Drives, out)
}

/// What a search has found.
fn configurations(
    args: &Args,
    found: &[Configuration],
    robot: &ClosedMechanism,
    json: bool,
    place: Place,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if found.is_empty() {
        args.place.assemble(robot)?; // says why
    }
    if json {
        let all: Vec<Value> = found.iter().map(|at| configuration(robot, at)).collect();
        writeln!(out, "{:#}", json!({ "name": robot.name(), "starts": args.starts, "configurations": all }))?;
        return Ok(());
    }
    let (count, starts) = (counted(found.len(), "configuration"), counted(args.starts as usize, "start"));
    writeln!(out, "{}, at {}: {count} found by {starts}; rad, m", robot.name(), place.name())?;
    for (k, at) in found.iter().enumerate() {
        let mode = if is_in_mode(robot, at) { "in the file's working mode" } else { "in another working mode" };
        writeln!(out, "\n{}: {mode}", k + 1)?;
        place::write_platform(robot, at, out)?;
        let joints = robot.tree().joint_names().iter().enumerate();
        let shown = joints.filter(|(j, _)| place == Place::Pose || !robot.driven().contains(j));
        let mut listing = Listing::new([if place == Place::Pose { "joint" } else { "passive joint" }, ">q"]);
        shown.for_each(|(j, name)| listing.push([name.clone(), short(near_zero(at.q[j]))]));
        listing.write(out)?;
    }
    Ok(())
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
