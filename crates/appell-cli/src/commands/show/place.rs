//! Where a robot that closes loops shall be: at home, with its drives at `--at`, or its platform at `--pose`.

use super::Args;
use crate::listing::{counted, list};
use anyhow::{Context, bail, ensure};
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell::spatial::{Mat3, Pose, Quaternion, Vec3};

/// How far the norm of a quaternion may be from 1: what rounding to a few digits does, and no more.
const ROUNDING: f64 = 1e-3;

/// Which place was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Home,
    Drives,
    Pose,
}

impl Place {
    /// What it is called behind "at".
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Drives => "these drives",
            Self::Pose => "this pose",
        }
    }
}

/// The configuration that the arguments ask for, with all loops closed.
pub(super) fn assemble(args: &Args, robot: &ClosedMechanism) -> anyhow::Result<(Place, Configuration)> {
    let mut at = robot.home().clone();
    let mut workspace = assembly::Workspace::new(robot);
    if let Some(numbers) = &args.pose {
        ensure!(robot.platform().is_some(), "--pose is of a platform, and {} has none; use --at", robot.name());
        at.pose = pose(numbers, &at.pose)?;
        let assembled = assembly::at_pose(robot, &mut workspace, &mut at);
        assembled.with_context(|| format!("{} cannot be assembled at this pose", robot.name()))?;
        return Ok((Place::Pose, at));
    }
    let Some(positions) = &args.at else { return Ok((Place::Home, at)) };
    let drives: Vec<&String> = robot.driven().iter().map(|&j| &robot.tree().joint_names()[j]).collect();
    ensure!(
        positions.len() == drives.len(),
        "--at gives {}, but the robot has {}: {}",
        counted(positions.len(), "number"),
        counted(drives.len(), "driven joint"),
        list(&drives)
    );
    let assembled = assembly::at_drives(robot, &mut workspace, positions, &mut at);
    assembled.with_context(|| format!("{} cannot be assembled with these drives", robot.name()))?;
    Ok((Place::Drives, at))
}

/// A pose from its position alone, with roll, pitch and yaw, or with a quaternion.
fn pose(numbers: &[f64], home: &Pose) -> anyhow::Result<Pose> {
    let (position, rotation): (_, Mat3) = match *numbers {
        [x, y, z] => ([x, y, z], home.rotation),
        [x, y, z, roll, pitch, yaw] => ([x, y, z], Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw))),
        [px, py, pz, x, y, z, w] => {
            let quaternion = Quaternion { x, y, z, w };
            let norm = quaternion.norm();
            ensure!((norm - 1.0).abs() <= ROUNDING, "the quaternion of --pose has the norm {norm}; expected 1");
            ([px, py, pz], quaternion.normalized().rotation())
        }
        _ => bail!(
            "--pose gives {}; expected 3: px,py,pz, or 6: with roll,pitch,yaw, or 7: with qx,qy,qz,qw",
            counted(numbers.len(), "number")
        ),
    };
    Ok(Pose { rotation, position: Vec3::from(position) })
}
