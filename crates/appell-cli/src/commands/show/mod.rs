//! `appell show`: a robot as the program understands it.

mod json;
mod text;
mod tree;

use crate::drawing;
use crate::listing::counted;
use crate::output::Output;
use crate::robot::{self, Robot};
use anyhow::{Context, ensure};
use appell::description::{BASE, JointDescription, Mimic};
use appell::dynamics::momentum::centre_of_mass;
use appell::kinematics::Workspace;
use appell::spatial::Vec3;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show a robot: its joints, bodies and frames, and what can be asked of it.
///
/// Joints are rows of a table in the convention the robot is written in. Angles are in rad, lengths in m, masses in
/// kg, inertias in kg m² about the centre of mass in axes parallel to the body's frame.
///
/// With --plot the robot is also drawn, at q = 0 or as --at says: rings turn, boxes slide, the axes of frames are x
/// red, y green, z blue.
#[derive(clap::Args)]
#[command(after_help = "Example: appell show stanford --plot stanford.svg --at 0,0.5,0.4,0,1,0")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// Draw the robot's kinematics into this file
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
    /// The coordinates of the drawing and of the centre of mass, one a joint, rad or m; zeros if not given
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = finite)]
    at: Option<Vec<f64>>,
}

/// A robot in one position.
struct Shown {
    robot: Robot,
    q: Vec<f64>,
    com: Vec3<f64>,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    let joints = robot.mechanism.dof();
    let q = args.at.clone().unwrap_or_else(|| vec![0.0; joints]);
    ensure!(
        q.len() == joints,
        "--at gives {}, but the robot has {}",
        counted(q.len(), "number"),
        counted(joints, "joint")
    );
    if let Some(path) = &args.plot {
        plot(&robot, &q, path, out)?;
    }
    let com = centre_of_mass(&robot.mechanism, &mut Workspace::new(&robot.mechanism), &q);
    let shown = Shown { robot, q, com };
    if json {
        writeln!(out, "{:#}", json::value(&shown))?;
    } else {
        text::write(&shown, out)?;
    }
    Ok(true)
}

fn plot(robot: &Robot, q: &[f64], path: &Path, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let drawing = drawing::draw(&robot.mechanism, q)?;
    let mut output = Output::create(Some(path), stdout)?;
    output.write_all(drawing.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    output.finish()
}

/// A number that a joint can have.
fn finite(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.trim().parse();
    number.ok().filter(|q| q.is_finite()).ok_or_else(|| "a coordinate is a number, in rad or m".into())
}

fn parent(joint: Option<&str>) -> &str {
    joint.unwrap_or(BASE)
}

fn driven(joints: &[JointDescription]) -> usize {
    joints.iter().filter(|joint| joint.driven).count()
}

fn followers(joints: &[JointDescription]) -> impl Iterator<Item = (&JointDescription, &Mimic)> {
    joints.iter().filter_map(|joint| joint.mimic.as_ref().map(|mimic| (joint, mimic)))
}
