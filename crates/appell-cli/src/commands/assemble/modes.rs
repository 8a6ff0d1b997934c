//! All working modes for a pose of the platform.

use super::{Args, Side, configuration, is_in_mode, is_on_side};
use crate::place::{self, Place, near_zero};
use appell::closed::working_modes::{LegMode, WorkingModes};
use appell::closed::{ClosedMechanism, Leg};
use appell::closed::{assembly, singularity};
use appell::spatial::Pose;
use appell_drawing::listing::{Listing, counted, short};
use serde_json::{Value, json};
use std::io::Write;

/// Whole robots that are listed one by one.
const LISTED: usize = 64;

pub(super) fn all(
    args: &Args,
    numbers: &[f64],
    robot: &ClosedMechanism,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let pose = place::pose("--pose", numbers, robot)?;
    if robot.legs().is_empty() {
        return searched(args, &pose, robot, json, out);
    }
    let modes = WorkingModes::of(robot, &pose);
    if modes.count() == 0 {
        // The same search names the leg and its gap.
        args.place.assemble(robot)?;
    }
    let mut workspace = singularity::Workspace::new(robot);
    let mut whole = |number: usize| {
        let choice = modes.choice(number);
        let at = modes.whole(robot, &choice);
        (choice, is_in_mode(robot, &at), Side::of(robot, &mut workspace, &at))
    };
    let moving = || robot.legs().iter().zip(&modes.legs).filter(|(leg, _)| !leg.joints.is_empty());
    let chosen = |leg: &Leg, q: &[f64]| leg.joints.iter().zip(q).all(|(&j, &q)| is_on_side(robot, j, q));
    if json {
        let legs = moving().map(|(leg, modes)| {
            let names: Vec<&String> = leg.joints.iter().map(|&j| &robot.tree().joint_names()[j]).collect();
            let of = |mode: &LegMode| {
                json!({
                    "q": mode.q, "in_mode": chosen(leg, &mode.q), "type1": mode.type1, "double": mode.is_double(),
                    "continuum": mode.is_of_continuum,
                })
            };
            json!({
                "leg": leg.name, "joints": names, "closed_form": modes.in_closed_form,
                "solutions": modes.solutions.iter().map(of).collect::<Vec<_>>(),
            })
        });
        let legs: Vec<Value> = legs.collect();
        let robots = (0..modes.count()).map(|number| {
            let (choice, in_mode, side) = whole(number);
            json!({ "solutions": choice, "in_mode": in_mode, "sign": side.sign.map(String::from), "type2": side.type2 })
        });
        let value = json!({ "name": robot.name(), "legs": legs, "robots": robots.collect::<Vec<_>>() });
        writeln!(out, "{value:#}")?;
        return Ok(());
    }
    writeln!(out, "{}, at {}: working modes of each leg; rad, m", robot.name(), Place::Pose.name())?;
    for (leg, modes) in moving() {
        let how = if modes.in_closed_form { "in closed form" } else { "by random starts" };
        writeln!(out, "\n{}: {}, {how}", leg.name, counted(modes.solutions.len(), "solution"))?;
        let names = leg.joints.iter().map(|&j| format!(">{}", robot.tree().joint_names()[j])).collect::<Vec<_>>();
        let rest = [">Type 1", "the file's mode", ""];
        let mut listing = Listing::new([">"].into_iter().chain(names.iter().map(String::as_str)).chain(rest));
        for (k, mode) in modes.solutions.iter().enumerate() {
            let cells = mode.q.iter().map(|&q| short(near_zero(q)));
            let double = match (mode.is_of_continuum, mode.is_double()) {
                (true, _) => "one of a continuum: the leg moves while the platform rests",
                (false, true) => "two modes are one: Type 1",
                (false, false) => "",
            };
            let rest =
                [short(near_zero(mode.type1)), if chosen(leg, &mode.q) { "yes" } else { "no" }.into(), double.into()];
            listing.push([(k + 1).to_string()].into_iter().chain(cells).chain(rest));
        }
        listing.write(out)?;
    }
    let count = modes.count();
    if count > LISTED {
        writeln!(out, "\n{}, too many to be listed here: --json has all", counted(count, "whole robot"))?;
        return Ok(());
    }
    writeln!(out, "\n{}:", counted(count, "whole robot"))?;
    let names: Vec<&str> = moving().map(|(leg, _)| leg.name.as_str()).collect();
    let mut listing = Listing::new(names.into_iter().chain(["the file's mode", "det J_inv", ">Type 2"]));
    for number in 0..count {
        let (choice, in_mode, side) = whole(number);
        let legs = robot.legs().iter().zip(choice).filter(|(leg, _)| !leg.joints.is_empty());
        let rest = [if in_mode { "yes" } else { "no" }.into(), side.sign(), short(near_zero(side.type2))];
        listing.push(legs.map(|(_, k)| (k + 1).to_string()).chain(rest));
    }
    Ok(listing.write(out)?)
}

/// All configurations that random starts find of a robot that is not of legs and a platform alone.
fn searched(args: &Args, pose: &Pose, robot: &ClosedMechanism, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut workspace = assembly::Workspace::new(robot);
    let found = assembly::all_at_pose(robot, &mut workspace, pose, args.starts as usize, args.seed);
    if found.is_empty() {
        args.place.assemble(robot)?; // says why
    }
    if json {
        let all: Vec<Value> = found.iter().map(|at| configuration(robot, at)).collect();
        writeln!(out, "{:#}", json!({ "name": robot.name(), "configurations": all }))?;
        return Ok(());
    }
    let (count, starts) = (counted(found.len(), "configuration"), counted(args.starts as usize, "random start"));
    let name = robot.name();
    writeln!(out, "{name}, at {}: {count} found by {starts}, others may exist; rad, m", Place::Pose.name())?;
    for (k, at) in found.iter().enumerate() {
        let mode = if is_in_mode(robot, at) { "in the file's working mode" } else { "in another working mode" };
        writeln!(out, "\n{}: {mode}", k + 1)?;
        place::write_platform(robot, at, out)?;
        let mut listing = Listing::new(["joint", ">q"]);
        let joints = robot.tree().joint_names().iter().zip(&at.q);
        joints.for_each(|(name, &q)| listing.push([name.clone(), short(near_zero(q))]));
        listing.write(out)?;
    }
    Ok(())
}
