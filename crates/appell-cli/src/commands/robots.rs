//! `appell robots`: the robots that come with the program.

use crate::listing::Listing;
use appell::robots;
use serde_json::{Value, json};
use std::io::Write;

/// List the built-in robots.
///
/// Their names stand for ROBOT in all other commands. The files they come from, robots/*.toml, are good examples to
/// start from.
#[derive(clap::Args)]
#[command(after_help = "Example: appell robots")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robots = robots::TREES.iter().map(|robot| (robot.name, robot.mechanism().dof(), robot.summary));
    if json {
        let robots: Value = robots
            .map(|(name, joints, summary)| json!({ "name": name, "joints": joints, "summary": summary }))
            .collect();
        writeln!(out, "{robots:#}")?;
    } else {
        let mut listing = Listing::new(["name", ">joints", "summary"]);
        for (name, joints, summary) in robots {
            listing.push([name.to_owned(), joints.to_string(), summary.to_owned()]);
        }
        listing.write(out)?;
    }
    Ok(true)
}
