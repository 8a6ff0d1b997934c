//! `appell robots`: the built-in robots.

use crate::robot;
use appell::robots::{self, Builtin};
use appell::{Model, Robot};
use appell_drawing::listing::Listing;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// List the built-in robots.
///
/// Their names stand for ROBOT in all other commands. A parallel robot is of legs and a platform, a closed one has
/// loops of other kinds. Freedoms are its degrees of freedom: how many independent motions there are. The files they
/// come from, robots/*.toml, are good examples to start from.
#[derive(clap::Args)]
#[command(after_help = "Example: appell robots")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let loaded = robots::all().map(|builtin| Ok((builtin, robot::load(Path::new(builtin.name), false)?)));
    let robots: Vec<(&Builtin, Robot)> = loaded.collect::<anyhow::Result<_>>()?;
    if json {
        let robots: Value = robots
            .iter()
            .map(|(Builtin { name, summary, .. }, robot)| {
                let (joints, freedoms) = (robot.joints().len(), freedoms(robot));
                json!({ "name": name, "kind": robot.kind().name(), "joints": joints, "freedoms": freedoms, "summary": summary })
            })
            .collect();
        writeln!(out, "{robots:#}")?;
    } else {
        let mut listing = Listing::new(["name", "kind", ">joints", ">freedoms", "summary"]);
        for (Builtin { name, summary, .. }, robot) in &robots {
            let numbers = [robot.joints().len(), freedoms(robot)].map(|number| number.to_string());
            let [joints, freedoms] = numbers;
            listing.push([(*name).into(), robot.kind().name().into(), joints, freedoms, (*summary).into()]);
        }
        listing.write(out)?;
    }
    Ok(true)
}

/// How many motions the robot has.
fn freedoms(robot: &Robot) -> usize {
    match robot.model() {
        Model::Tree(tree) => tree.dof(),
        Model::Closed(closed) => closed.mobility().freedoms,
    }
}
