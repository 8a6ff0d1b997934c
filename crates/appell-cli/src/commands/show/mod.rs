//! `appell show`: a robot as appell reads it.

mod closed;
mod json;
mod text;
mod tree;

use crate::arguments::expect_each;
use crate::laboratory;
use crate::output;
use crate::place::PlaceArgs;
use crate::robot;
use anyhow::ensure;
use appell::description::{BASE, Description, JointDescription, Mimic};
use appell::dynamics::momentum::centre_of_mass;
use appell::kinematics::Workspace;
use appell::mechanism::Mechanism;
use appell::spatial::Vec3;
use appell::{Model, Robot};
use std::io::Write;
use std::path::PathBuf;

/// Show a robot: its joints, bodies and frames, and what can be asked of it.
///
/// Joints are rows of a table in the convention the robot is written in. Angles are in rad, lengths in m, masses in
/// kg, inertias in kg m² about the centre of mass in axes parallel to the body's frame.
///
/// Of a robot with closed loops it also shows the legs in the usual letters, the driven
/// joints underlined; the closing joints and the platform; how many degrees of freedom there are and why, which
/// constraints repeat others, and whether the drives hold all degrees of freedom; and where everything is when all
/// loops are closed.
///
/// With --plot the robot is also drawn, at q = 0 or as --at says: rings turn, boxes slide, the axes of frames are x
/// red, y green, z blue. A robot with closed loops is drawn at home, or as --at or --pose says.
///
/// With --page the laboratory is written with the robot inside, in the same place: one file that opens in any browser,
/// where the robot can be taken by the hand. `appell lab` serves the same page.
#[derive(clap::Args)]
#[command(after_help = "Example: appell show stanford --plot stanford.svg --at 0,0.5,0.4,0,1,0
Example: appell show gough-stewart --plot gough-stewart.svg --pose 0.05,0,0.8,0.1,0,0")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// Draw the robot's kinematics into this file
    #[arg(long, value_name = "OUT.svg|png", value_parser = crate::output::drawing)]
    plot: Option<PathBuf>,
    /// Write the laboratory's page with this robot inside into this file
    #[arg(long, value_name = "OUT.html")]
    page: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
}

/// An open robot in one position.
struct Shown<'r> {
    robot: &'r Robot,
    description: &'r Description,
    mechanism: &'r Mechanism,
    q: Vec<f64>,
    com: Vec3<f64>,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    if let (Some(page), Some(plot)) = (&args.page, &args.plot) {
        output::expect_apart(&[("--page", page), ("--plot", plot)], &[])?;
    }
    let robot = args.robot.load()?;
    match robot.model() {
        Model::Tree(mechanism) => run_open(args, &robot, mechanism, json, out)?,
        Model::Closed(mechanism) => {
            let shown = closed::Shown::new(args, &robot, mechanism)?;
            if let Some(path) = &args.plot {
                output::write_drawing(path, &shown.drawing()?, out)?;
            }
            write_page(args, shown.positions(), out)?;
            if json {
                writeln!(out, "{:#}", closed::json::value(&shown))?;
            } else {
                closed::text::write(&shown, out)?;
            }
        }
    }
    Ok(true)
}

fn run_open(args: &Args, robot: &Robot, mechanism: &Mechanism, json: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let description = robot::description(robot);
    ensure!(args.place.pose.is_none(), "--pose is of a platform, and {} has none; use --at", description.name);
    let mut q = args.place.at.clone().unwrap_or_else(|| robot.neutral());
    expect_each("--at", &q, "joint", mechanism.positions())?;
    let positions = q.clone();
    if let Some(own) = mechanism.coordinates() {
        own.check(&q)?;
        let mut rows = vec![0.0; mechanism.dof()];
        own.anchor(&q, &mut rows);
        q = rows;
    }
    if let Some(path) = &args.plot {
        output::write_drawing(path, &appell_drawing::draw(mechanism, &q)?, out)?;
    }
    write_page(args, &positions, out)?;
    let com = centre_of_mass(mechanism, &mut Workspace::new(mechanism), &q);
    let shown = Shown { robot, description, mechanism, q, com };
    if json {
        writeln!(out, "{:#}", json::value(&shown))?;
    } else {
        text::write(&shown, out)?;
    }
    Ok(())
}

/// Writes the laboratory with the robot at these positions, where it is asked for.
fn write_page(args: &Args, q: &[f64], out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(path) = &args.page else { return Ok(()) };
    let robot = &args.robot;
    ensure!(
        !robot.floating_base && robot.frame.is_none(),
        "the page holds the robot's file as it is; `appell convert` writes one whose base floats, and an output is chosen in the page: \
         leave out --floating-base and --frame"
    );
    output::expect_apart(&[("--page", path)], &[&robot.robot])?;
    let given = laboratory::given(&robot.robot, Some(q))?;
    output::write_file(path, &laboratory::with_robot(&laboratory::page()?, &given), out)
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
