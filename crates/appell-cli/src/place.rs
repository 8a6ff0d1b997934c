//! Where a robot with closed loops is placed: at home, with its drives at `--at`, or its platform at `--pose`.

use crate::arguments::{expect_each, finite};
use anyhow::{Context, bail, ensure};
use appell::closed::{ClosedMechanism, Configuration, assembly, direct};
use appell::spatial::{EulerAngles, Mat3, Pose, Quaternion, Vec3};
use appell_drawing::listing::{counted, short, short_vector};
use serde_json::{Value, json};
use std::io::{self, Write};

/// How far the norm of a quaternion may be from 1: what rounding to a few digits does, and no more.
const ROUNDING: f64 = 1e-3;

/// A place, as options give it.
#[derive(clap::Args)]
pub(crate) struct PlaceArgs {
    /// Positions of the joints, rad or m, one value per joint, or per driven joint where loops are closed; zeros or home if
    /// not given
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = finite)]
    pub(crate) at: Option<Vec<f64>>,
    /// Where the platform is: PX,PY,PZ in m, followed by a quaternion QX,QY,QZ,QW or by roll, pitch and yaw in rad
    #[arg(long, value_name = "PX,PY,PZ,…", value_delimiter = ',', value_parser = finite, conflicts_with = "at")]
    pub(crate) pose: Option<Vec<f64>>,
}

/// Which place was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Home,
    Drives,
    Pose,
}

impl Place {
    /// What it is called behind "at".
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Drives => "these drives",
            Self::Pose => "this pose",
        }
    }
}

impl PlaceArgs {
    /// The configuration that is asked for, with all loops closed; home if none is.
    ///
    /// # Errors
    /// If there is no such place, or the robot cannot be assembled there: [`AssemblyError`](assembly::AssemblyError).
    pub(crate) fn assemble(&self, robot: &ClosedMechanism) -> anyhow::Result<(Place, Configuration)> {
        match (&self.pose, &self.at) {
            (Some(numbers), _) => Ok((Place::Pose, at_pose(numbers, robot)?)),
            (None, Some(positions)) => Ok((Place::Drives, at_drives(positions, robot)?)),
            (None, None) => Ok((Place::Home, robot.home().clone())),
        }
    }
}

fn at_pose(numbers: &[f64], robot: &ClosedMechanism) -> anyhow::Result<Configuration> {
    let mut found = Configuration { pose: pose("--pose", numbers, robot)?, ..robot.home().clone() };
    let assembled = assembly::near_pose(robot, &mut assembly::Workspace::new(robot), &mut found);
    assembled.with_context(|| format!("{} cannot be assembled at this pose", robot.name()))?;
    Ok(found)
}

fn at_drives(positions: &[f64], robot: &ClosedMechanism) -> anyhow::Result<Configuration> {
    expect_drives("--at", positions, robot)?;
    let mut found = robot.home().clone();
    let assembled = direct::at_drives(robot, &mut assembly::Workspace::new(robot), positions, &mut found);
    assembled.with_context(|| format!("{} cannot be assembled with these drives", robot.name()))?;
    Ok(found)
}

/// Refuses an option unless it gives one value per driven joint.
pub(crate) fn expect_drives(option: &str, numbers: &[f64], robot: &ClosedMechanism) -> anyhow::Result<()> {
    let drives: Vec<&String> = robot.driven().iter().map(|&j| &robot.tree().joint_names()[j]).collect();
    expect_each(option, numbers, "driven joint", &drives)
}

/// A pose of the platform from its position alone, turned as at home, with roll, pitch and yaw, or with a quaternion.
pub(crate) fn pose(option: &str, numbers: &[f64], robot: &ClosedMechanism) -> anyhow::Result<Pose> {
    ensure!(
        robot.platform().is_some(),
        "{option} is of a platform, and {} has none; use --at, or name its output with --frame",
        robot.name()
    );
    pose_near(option, numbers, robot.home().pose.rotation, None)
}

/// A pose from its position alone, with a given orientation, or with three angles, or with a quaternion. The angles are
/// roll, pitch and yaw unless others are asked for.
pub(crate) fn pose_near(
    option: &str,
    numbers: &[f64],
    rotation: Mat3,
    angles: Option<EulerAngles>,
) -> anyhow::Result<Pose> {
    let (position, rotation): (_, Mat3) = match *numbers {
        [x, y, z] => ([x, y, z], rotation),
        [x, y, z, a, b, c] => {
            let of_roll = || Mat3::from_roll_pitch_yaw(Vec3::new(a, b, c));
            ([x, y, z], angles.map_or_else(of_roll, |angles| angles.rotation([a, b, c])))
        }
        [px, py, pz, x, y, z, w] => ([px, py, pz], unit_rotation([x, y, z, w], &format!("of {option}"), ROUNDING)?),
        _ => bail!(
            "{option} gives {}; expected 3: px,py,pz, or 6: with roll,pitch,yaw, or 7: with qx,qy,qz,qw",
            counted(numbers.len(), "number")
        ),
    };
    Ok(Pose { rotation, position: Vec3::from(position) })
}

/// The rotation of a quaternion (x, y, z, w), whose norm may be so far from 1; `which` it is, for the message.
pub(crate) fn unit_rotation([x, y, z, w]: [f64; 4], which: &str, rounding: f64) -> anyhow::Result<Mat3> {
    let quaternion = Quaternion { x, y, z, w };
    let norm = quaternion.norm();
    ensure!((norm - 1.0).abs() <= rounding, "the quaternion {which} has the norm {norm}; expected 1");
    Ok(quaternion.normalized().rotation())
}

/// The quaternion x, y, z, w of a pose, as tables have it.
pub(crate) fn quaternion(pose: &Pose) -> [f64; 4] {
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
    [x, y, z, w]
}

/// Where the platform is, in a line; nothing of a robot without one.
pub(crate) fn write_platform(robot: &ClosedMechanism, at: &Configuration, out: &mut dyn Write) -> io::Result<()> {
    if robot.platform().is_none() {
        return Ok(());
    }
    let position = short_vector(at.pose.position.to_array().map(near_zero));
    let rpy = short_vector(at.pose.rotation.to_roll_pitch_yaw().to_array().map(near_zero));
    let quaternion = quaternion(&at.pose).map(|x| short(near_zero(x))).join(", ");
    writeln!(out, "  platform at {position}, roll pitch yaw {rpy}, quaternion ({quaternion})")
}

/// Where the platform is, for machines.
pub(crate) fn platform_json(robot: &ClosedMechanism, at: &Configuration) -> Option<Value> {
    let json = || json!({ "position": at.pose.position.to_array(), "quaternion": quaternion(&at.pose) });
    robot.platform().map(|_| json())
}

/// What the search for a configuration left of a zero is zero.
pub(crate) fn near_zero(x: f64) -> f64 {
    if x.abs() < 1e-9 { 0.0 } else { x }
}
