//! The measures at one place.

use super::Args;
use super::approach::{self, Kind};
use super::reading::{self, Reading};
use crate::place::Place;
use appell::closed::singularity::{self, Motion, Workspace};
use appell::closed::{ClosedMechanism, Configuration};
use appell_drawing::listing::{Listing, counted, short};
use serde_json::json;
use std::io::{self, Write};

/// Prints the measures; whether none is below the threshold.
pub(super) fn run(args: &Args, robot: &ClosedMechanism, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let (place, at) = args.place.assemble(robot)?;
    let (metric, mut workspace) = (args.scale.metric(robot), Workspace::new(robot));
    let reading = Reading::of(&singularity::measures(robot, &mut workspace, &at, &metric));
    let motion = singularity::least_controlled(robot, &mut workspace, &at, &metric);
    let singular: Vec<Kind> =
        Kind::ALL.into_iter().filter(|kind| kind.distance(&reading) < args.scale.threshold).collect();
    if json {
        let leg = |k: usize| json!({ "name": robot.legs()[k].name, "type1": reading.legs[k] });
        let value = json!({
            "name": robot.name(), "at": place.name(), "length": metric.length, "threshold": args.scale.threshold,
            "type1": reading.type1, "type2": reading.type2, "constraints": reading.constraints,
            "legs": reading::legs(robot).map(leg).collect::<Vec<_>>(), "freedoms": reading.freedoms,
            "inverse_condition": reading.j_inv[0], "raw_inverse_condition": reading.j_inv[1],
            "determinant": reading.determinant,
            "least_controlled": approach::motion_json(robot, &motion),
            "singular": singular.iter().map(|kind| kind.name()).collect::<Vec<_>>(),
        });
        writeln!(out, "{value:#}")?;
    } else {
        write(robot, place, &at, &reading, &motion, metric.length, out)?;
        for kind in &singular {
            writeln!(out, "This is {}: below {:e}.", kind.article_and_name(), args.scale.threshold)?;
        }
    }
    Ok(singular.is_empty())
}

fn write(
    robot: &ClosedMechanism,
    place: Place,
    at: &Configuration,
    reading: &Reading,
    motion: &Motion,
    length: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}, at {}: inverse condition numbers, 1 is best and 0 singular", robot.name(), place.name())?;
    let mut listing = Listing::new(["measure", ">value", "of"]);
    let leg =
        reading.nearest_leg.map_or_else(|| "the platform".into(), |leg| format!("leg {}", robot.legs()[leg].name));
    let leg = if robot.platform().is_some() { leg } else { "no platform".into() };
    let regular = robot.freedoms().len();
    let freedoms = counted(reading.freedoms, "degree of freedom");
    let freedoms = if reading.freedoms == regular {
        format!("{freedoms}, as at home")
    } else {
        format!("{freedoms}, {regular} at home")
    };
    let j_inv = match reading.determinant {
        Some(determinant) => format!("determinant {} in m and rad", short(determinant)),
        None if reading::is_square(robot) => "infinite at Type 1".into(),
        None => format!("{} drives for {regular} degrees of freedom", robot.driven().len()),
    };
    listing.push(["Type 1".into(), short(reading.type1), leg]);
    listing.push(["Type 2".into(), short(reading.type2), "the drives' wrenches".into()]);
    listing.push(["constraints".into(), short(reading.constraints), freedoms]);
    listing.push(["inverse Jacobian".into(), short(reading.j_inv[0]), j_inv]);
    listing.push(["  in m and rad".into(), short(reading.j_inv[1]), String::new()]);
    listing.write(out)?;
    if robot.legs().len() > 1 {
        writeln!(out, "\nType 1, leg by leg; the positions of its joints in rad and m")?;
        let mut listing = Listing::new(["leg", ">value", "joints"]);
        for k in reading::legs(robot) {
            let (leg, value) = (&robot.legs()[k], reading.legs[k]);
            let joints: Vec<String> = leg.joints.iter().map(|&j| short(at.q[j])).collect();
            listing.push([leg.name.clone(), short(value), joints.join(" ")]);
        }
        listing.write(out)?;
    }
    writeln!(
        out,
        "\nThe motion that the drives control least, by {}: {}",
        short(motion.controlled),
        motion.words(robot)
    )?;
    writeln!(out, "A turn by 1 rad weighs as much as {} m.", short(length))
}
