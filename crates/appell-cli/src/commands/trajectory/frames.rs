//! Paths of a frame, or of a platform.

use super::options::{FrameArgs, LawArgs, OutputArgs, Subject};
use super::whole::{Motion, Whole};
use super::writing::write;
use crate::arguments::{self, finite, positive};
use crate::table::{self, PosePoints, pose_points};
use anyhow::{Context, ensure};
use appell::Model;
use appell::spatial::{Pose, Quaternion, Vec3};
use appell_simulation::trajectory::{
    Arc, Attitude, Blends, ClosedMotion, FrameReference, Line, Shape, TimeLaw, TreeMotion, ViaSpline,
};
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

/// Move a frame, or a platform, along a straight line.
///
/// Poses are PX,PY,PZ in m, in the base, followed by roll, pitch and yaw in rad, or with --angles by Euler angles, or
/// by a quaternion QX,QY,QZ,QW. Without an orientation the one at the start is kept; with one at the end the frame
/// turns there by the shortest way. The line begins where the frame is with the joints at --start, or at home, unless
/// --from says otherwise.
///
/// The time is --time, or the shortest within --speed, --acceleration and --jerk.
#[derive(clap::Args)]
#[command(after_help = "Example: appell trajectory line puma560 --from 0.6,0.175,0.25,0.785398,1.047198,1.570796 \
--angles zyz --to 0.018,0.757,0 --branch +++ --law constant --time 8.6 --dt 0.1 --torques --out line.csv
Example: appell trajectory line delta --to 0.1,0.05,-0.7 --speed 0.5 --acceleration 4 --law ramp --plot line.svg")]
pub(super) struct LineArgs {
    #[command(flatten)]
    frame: FrameArgs,
    /// Where it begins; where the frame is if not given
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite)]
    from: Option<Vec<f64>>,
    /// Where it ends
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite, required = true)]
    to: Vec<f64>,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Move a frame, or a platform, along an arc of a circle.
///
/// The circle goes through --from, --through and --to; or it has its --centre, --axis and --turn, an angle in rad.
/// Without an orientation in --to the one at the start is kept, unless --follow turns the frame with the arc. Poses are
/// as for `line`.
#[derive(clap::Args)]
#[command(after_help = "Example: appell trajectory arc puma560 --start 0.3,-1,0.2,0.4,1,0 --through 0.4,0.3,0.5 \
--to 0.3,0.4,0.4 --time 2 --out arc.csv
Example: appell trajectory arc gough-stewart --centre 0.05,0,0.78 --axis 0,0,1 --turn 6.283185 --time 3 --law constant")]
pub(super) struct ArcArgs {
    #[command(flatten)]
    frame: FrameArgs,
    /// Where it begins; where the frame is if not given
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite)]
    from: Option<Vec<f64>>,
    /// A point on the way
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', value_parser = finite)]
    #[arg(requires = "to", required_unless_present = "centre")]
    through: Option<Vec<f64>>,
    /// Where it ends
    #[arg(long, value_name = "POSE", value_delimiter = ',', value_parser = finite, requires = "through")]
    to: Option<Vec<f64>>,
    /// The middle of the circle, or another point on its axis
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', value_parser = finite)]
    #[arg(requires_all = ["axis", "turn"], conflicts_with = "through")]
    centre: Option<Vec<f64>>,
    /// The direction of its axis
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', value_parser = finite, requires = "centre")]
    axis: Option<Vec<f64>>,
    /// The angle of the arc, rad; more than a turn if you like
    #[arg(long, value_name = "RAD", value_parser = finite, requires = "centre")]
    turn: Option<f64>,
    /// Turn the frame with the arc
    #[arg(long)]
    follow: bool,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Move a frame, or a platform, through the poses of a table.
///
/// The table is CSV with a header: px py pz (m), and qx qy qz qw for orientations, as `appell ik` reads it; without
/// them the orientation at the start is kept. A column t (s) says when each is passed; without one --time is shared out
/// by way and turn. The frame rests at the first and the last.
///
/// A spline of degree 5 goes through all poses; blends go along straight lines at constant speeds and cut the corners,
/// by less the shorter --blend is. Velocities and accelerations are continuous in both.
#[derive(clap::Args)]
#[command(after_help = "Example: appell trajectory via puma560 --start 0.3,-1,0.2,0.4,1,0 --points vias.csv --time 3 \
--shape blends --blend 0.1 --plot via.svg")]
pub(super) struct ViaArgs {
    #[command(flatten)]
    frame: FrameArgs,
    /// The table of poses; - is stdin
    #[arg(long, value_name = "IN.csv")]
    points: PathBuf,
    /// How long it takes, s, where the table has no times
    #[arg(long, value_name = "S", value_parser = arguments::time)]
    time: Option<f64>,
    /// How the poses are joined
    #[arg(long, value_enum, default_value = "spline")]
    shape: ViaShape,
    /// How long half a blend takes, s; a fifth of the shortest stretch if not given
    #[arg(long, value_name = "S", value_parser = positive)]
    blend: Option<f64>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ViaShape {
    Spline,
    Blends,
}

pub(super) fn line(args: &LineArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let subject = args.frame.subject()?;
    let from = start(&subject, args.from.as_deref())?;
    let to = subject.pose("--to", &args.to, from.rotation)?;
    let unit = Line::new(&from, &to, TimeLaw::new(Shape::Quintic, 1.0)?)?;
    let angle = Quaternion::of_rotation(&(to.rotation * from.rotation.transpose())).rotation_vector().norm();
    let law = args.law.law(|shape, most| TimeLaw::within(shape, most.over(unit.length(), angle)))?;
    let line = Line::new(&from, &to, law)?;
    follow(&subject, &line, &args.output, "line", json, stdout)
}

pub(super) fn arc(args: &ArcArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let subject = args.frame.subject()?;
    let from = start(&subject, args.from.as_deref())?;
    let unit = TimeLaw::new(Shape::Quintic, 1.0)?;
    let following = if args.follow { Attitude::Following } else { Attitude::Constant };
    let point = |option: &str, numbers: &Option<Vec<f64>>| -> anyhow::Result<Vec3> {
        let numbers: Option<[f64; 3]> = numbers.as_ref().and_then(|numbers| numbers.as_slice().try_into().ok());
        Ok(numbers.with_context(|| format!("{option}: expected three numbers, X,Y,Z"))?.into())
    };
    let make = |law: TimeLaw| -> anyhow::Result<Arc> {
        if let (Some(to), Some(_)) = (&args.to, &args.through) {
            let end = subject.pose("--to", to, from.rotation)?;
            let turns = to.len() > 3;
            ensure!(
                !(turns && args.follow),
                "--follow turns the frame with the arc; leave out the orientation of --to"
            );
            let attitude = if turns { Attitude::Slerp(end.rotation) } else { following };
            return Ok(Arc::through(&from, point("--through", &args.through)?, end.position, attitude, law)?);
        }
        let (centre, axis) = (point("--centre", &args.centre)?, point("--axis", &args.axis)?);
        Ok(Arc::about(&from, centre, axis, args.turn.context("give --turn")?, following, law)?)
    };
    let arc = make(unit)?;
    let end = arc.motion(1.0).pose.rotation;
    let angle = Quaternion::of_rotation(&(end * from.rotation.transpose())).rotation_vector().norm();
    let angle = if args.follow { arc.angle().abs() } else { angle };
    let law = args.law.law(|shape, most| TimeLaw::within(shape, most.over(arc.length(), angle)))?;
    follow(&subject, &make(law)?, &args.output, "arc", json, stdout)
}

pub(super) fn via(args: &ViaArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let subject = args.frame.subject()?;
    let name = table::shown(&args.points);
    let PosePoints { mut times, poses } = pose_points(&subject.robot, &args.points)?;
    let pose =
        |(position, rotation): (_, Option<_>)| Pose { position, rotation: rotation.unwrap_or(subject.home.rotation) };
    let poses: Vec<Pose> = poses.into_iter().map(pose).collect();
    match (args.time, times.len() == poses.len() && !poses.is_empty()) {
        (Some(_), true) => anyhow::bail!("{name} has times, in its column t; leave out --time"),
        (Some(time), false) => times = shared(&poses, time),
        (None, true) => {}
        (None, false) => anyhow::bail!("{name} has no column t; add one, or give --time"),
    }
    let shortest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    match args.shape {
        ViaShape::Spline => {
            ensure!(args.blend.is_none(), "--blend is for --shape blends");
            follow(&subject, &ViaSpline::new(&times, &poses)?, &args.output, "spline", json, stdout)
        }
        ViaShape::Blends => {
            let blend = args.blend.unwrap_or(0.2 * shortest);
            follow(&subject, &Blends::new(&times, &poses, blend)?, &args.output, "line with blends", json, stdout)
        }
    }
}

/// Times shared out by way and turn, a metre counting as a radian.
fn shared(poses: &[Pose], time: f64) -> Vec<f64> {
    let way = |pair: &[Pose]| {
        let turn = Quaternion::of_rotation(&(pair[1].rotation * pair[0].rotation.transpose())).rotation_vector();
        (pair[1].position - pair[0].position).norm().hypot(turn.norm())
    };
    let mut passed = 0.0;
    let ways: Vec<f64> = std::iter::once(0.0).chain(poses.windows(2).map(way)).collect();
    let whole: f64 = ways.iter().sum();
    let time_at = |way: f64| {
        passed += way;
        time * passed / whole
    };
    ways.into_iter().map(time_at).collect()
}

/// Where a path begins.
fn start(subject: &Subject<'_>, from: Option<&[f64]>) -> anyhow::Result<Pose> {
    from.map_or(Ok(subject.home), |numbers| subject.pose("--from", numbers, subject.home.rotation))
}

/// Lets the robot follow a path, and writes that down.
fn follow<P: FrameReference + Clone>(
    subject: &Subject<'_>,
    path: &P,
    output: &OutputArgs,
    what: &str,
    json: bool,
    stdout: &mut dyn Write,
) -> anyhow::Result<bool> {
    let make = |efforts: bool| -> anyhow::Result<Whole<'_>> {
        let path = Box::new(path.clone());
        let motion = match subject.robot.model() {
            Model::Tree(tree) => Motion::Tree(TreeMotion::new(tree, Box::new(subject.follower(tree, path)?), efforts)),
            Model::Closed(closed) => Motion::Closed(Box::new(ClosedMotion::of_platform(closed, path, efforts))),
        };
        Ok(Whole::new(&subject.robot, motion, true))
    };
    write(&subject.robot, make, output, what, json, stdout)
}
