//! All assemblies with the drives at some positions.

use super::{Args, Side, configuration, is_in_mode};
use crate::place::{self, Place, near_zero};
use crate::refusal;
use anyhow::bail;
use appell::closed::direct::{self, Assembly, Count, Ends, Multiplicity, Options};
use appell::closed::singularity;
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell::description::Branch;
use appell_drawing::listing::{Listing, counted, short};
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn all(
    args: &Args,
    positions: &[f64],
    robot: &ClosedMechanism,
    json: bool,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    place::expect_drives("--at", positions, robot)?;
    let mut present = robot.home().clone();
    if let Some(numbers) = &args.near {
        present.pose = place::pose("--near", numbers, robot)?;
    }
    let options = Options { starts: args.starts as usize, seed: args.seed };
    let found = direct::all_at_drives(robot, &mut assembly::Workspace::new(robot), positions, &options)?;
    if found.assemblies.is_empty() {
        let (name, count) = (robot.name(), &found.count);
        if count.is_proved() {
            if json {
                writeln!(out, "{:#}", value(robot, count, Vec::new()))?;
            }
            refusal::no(format_args!("{name} has no assembly with these drives: {count}"));
            return Ok(false);
        }
        args.place.assemble(robot)?; // says why
        bail!(
            "{name}: no path leads to an assembly with these drives, but a search finds one: ask without --all; {count}"
        );
    }
    let mut workspace = singularity::Workspace::new(robot);
    let sides: Vec<Side> = found.assemblies.iter().map(|one| Side::of(robot, &mut workspace, &one.at)).collect();
    let far = |one: &Assembly| assembly::distance(robot, &one.at, &present);
    if json {
        let one = |(one, side): (&Assembly, &Side)| {
            let mut value = configuration(robot, &one.at);
            value["modes"] = modes(robot, &one.at).map(|(name, mode)| (name.to_owned(), Value::from(mode))).collect();
            value["sign"] = side.sign.map(String::from).into();
            value["type2"] = side.type2.into();
            value["distance"] = far(one).into();
            value["double"] = (one.multiplicity == Multiplicity::Double).into();
            value["continuum"] = (one.multiplicity == Multiplicity::Continuum).into();
            value
        };
        let all: Vec<Value> = found.assemblies.iter().zip(&sides).map(one).collect();
        writeln!(out, "{:#}", value(robot, &found.count, all))?;
        return Ok(true);
    }
    let number = counted(found.assemblies.len(), "configuration");
    writeln!(out, "{}, at {}: {number}; rad, m", robot.name(), Place::Drives.name())?;
    writeln!(out, "{}\n", found.count)?;
    let (is_platform, from) =
        (robot.platform().is_some(), if args.near.is_some() { ">from near" } else { ">from home" });
    let passive: Vec<usize> = (0..robot.tree().dof()).filter(|j| !robot.driven().contains(j)).collect();
    let names: Vec<String> = passive.iter().map(|&j| format!(">{}", robot.tree().joint_names()[j])).collect();
    let place: Vec<&str> = if is_platform {
        vec![">px", ">py", ">pz", ">roll", ">pitch", ">yaw"]
    } else {
        names.iter().map(String::as_str).collect()
    };
    let rest = ["modes", "the file's mode", "det J_inv", ">Type 2", from, ""];
    let mut listing = Listing::new([">"].into_iter().chain(place).chain(rest));
    for (k, (one, side)) in found.assemblies.iter().zip(&sides).enumerate() {
        let pose = &one.at.pose;
        let place: Vec<f64> = if is_platform {
            pose.position.to_array().into_iter().chain(pose.rotation.to_roll_pitch_yaw().to_array()).collect()
        } else {
            passive.iter().map(|&j| one.at.q[j]).collect()
        };
        let place = place.into_iter().map(|x| short(near_zero(x)));
        let signs: String = modes(robot, &one.at).map(|(_, mode)| mode).collect();
        let double = match one.multiplicity {
            Multiplicity::Single => "",
            Multiplicity::Double => "double: Type 2",
            Multiplicity::Continuum => "one of a continuum",
        };
        let rest = [
            if signs.is_empty() { "none".into() } else { signs },
            if is_in_mode(robot, &one.at) { "yes" } else { "no" }.into(),
            side.sign(),
            short(near_zero(side.type2)),
            short(near_zero(far(one))),
            double.into(),
        ];
        listing.push([(k + 1).to_string()].into_iter().chain(place).chain(rest));
    }
    listing.write(out)?;
    Ok(true)
}

/// All configurations for machines.
fn value(robot: &ClosedMechanism, number: &Count, all: Vec<Value>) -> Value {
    json!({ "name": robot.name(), "count": count(number), "configurations": all })
}

/// On which side of zero the joints with a working mode are.
fn modes<'r>(robot: &'r ClosedMechanism, at: &'r Configuration) -> impl Iterator<Item = (&'r str, &'static str)> {
    let side = |q: f64| match near_zero(q) {
        0.0 => "0",
        q if q > 0.0 => "+",
        _ => "-",
    };
    let joints = (0..robot.tree().dof()).filter(|&j| robot.branches()[j] != Branch::Any);
    joints.map(move |j| (robot.tree().joint_names()[j].as_str(), side(at.q[j])))
}

/// How the number of assemblies is known, for machines.
fn count(count: &Count) -> Value {
    let mut value = json!({ "proved": count.is_proved(), "sentence": count.to_string() });
    let numbers = match *count {
        Count::Followed {
            family,
            ends: Ends { regular, far, singular, infinite, lost, runs },
            real,
            unreachable,
            ..
        } => {
            json!({
                "family": family.name(), "complex": family.solutions(), "regular": regular + far, "singular": singular,
                "infinite": infinite, "lost": lost, "runs": runs, "real": real, "unreachable": unreachable,
            })
        }
        Count::Searched { starts } => json!({ "starts": starts }),
        Count::Continuum { drives, freedoms, starts } => {
            json!({ "starts": starts, "drives": drives, "freedoms": freedoms })
        }
    };
    if let (Some(value), Value::Object(numbers)) = (value.as_object_mut(), numbers) {
        value.extend(numbers);
    }
    value
}
