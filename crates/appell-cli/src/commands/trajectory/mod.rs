//! `appell trajectory`: motions to follow, as tables, with plots and a check of limits.
//!
//! | file | what it does |
//! |---|---|
//! | `options` | what the subcommands share: time laws, outputs, how a frame is followed |
//! | `frames` | line, arc, via: paths of a frame or of a platform |
//! | `joints` | joints, fourier: motions of joints or of drives |
//! | `whole` | all that moves at an instant, as a row |
//! | `writing` | the table, the plot, the report on limits |

mod frames;
mod joints;
mod options;
mod whole;
mod writing;

pub(super) use joints::Moved;
pub(super) use options::{OutputArgs, TableArgs};
use std::io::Write;

/// Make a motion to follow: a table of positions, velocities and accelerations, with a plot, within limits.
///
/// A frame goes along a line, an arc or through via points, and the joints follow by inverse kinematics; or the joints
/// themselves go straight, along splines through points, or by Fourier series. Of a parallel robot it is the platform
/// that goes along lines and arcs, and its drives that go along splines and series.
///
/// The table has t (s), the joints' q1 … v1 … a1 … (rad, m, s), and with --torques the torques and forces tau1 … (N m,
/// N). Of a parallel robot's platform it has px py pz (m) qx qy qz qw, vx … wz and ax … ez, then q1 … v1 … a1 … of its
/// drives. `appell compute` reads it as it is.
///
/// With --limits the motion is checked against the limits of the robot's file, torques and forces included, and
/// --max-acceleration; the first one that is passed is named with time, joint and value. Exit codes: 0 fine; 1 a limit
/// is passed, or the robot cannot follow, and the message says when; 2 wrong use or input.
#[derive(clap::Args)]
#[command(after_help = "Example: appell trajectory line puma560 --start 0.3,-1,0.2,0.4,1,0 --to 0.5,0.2,0.3 --time 1 \
--out motion.csv --plot motion.svg
Example: appell trajectory arc gough-stewart --through 0.05,0.05,0.8 --to 0.1,0,0.78 --speed 0.2 --acceleration 1 --law ramp
Example: appell trajectory via puma560 --start 0.3,-1,0.2,0.4,1,0 --points vias.csv --time 3
Example: appell trajectory joints scara --to 0.5,1,0.1,0 --time 2 --law s-curve --limits
Example: appell trajectory fourier puma560 --harmonics 5 --amplitude 0.3 --frequency 0.1 --from-rest")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Line(frames::LineArgs),
    Arc(frames::ArcArgs),
    Via(frames::ViaArgs),
    Joints(joints::JointsArgs),
    Fourier(joints::FourierArgs),
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    match &args.command {
        Command::Line(args) => frames::line(args, json, out),
        Command::Arc(args) => frames::arc(args, json, out),
        Command::Via(args) => frames::via(args, json, out),
        Command::Joints(args) => joints::joints(args, json, out),
        Command::Fourier(args) => joints::fourier(args, json, out),
    }
}
