//! Where a robot with closed loops is placed: at home, with its drives at `--at`, or its platform at `--pose`.

use anyhow::{Context, bail, ensure};
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell::spatial::{EulerAngles, Mat3, Pose, Quaternion, Vec3};
use appell_drawing::listing::{counted, list};

/// How far the norm of a quaternion may be from 1: what rounding to a few digits does, and no more.
const ROUNDING: f64 = 1e-3;

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

/// The configuration that the arguments ask for, with all loops closed; home if they ask for none.
///
/// # Errors
/// If there is no such place, or the robot cannot be assembled there: [`AssemblyError`](assembly::AssemblyError).
pub(crate) fn assemble(
    at: Option<&[f64]>,
    pose: Option<&[f64]>,
    robot: &ClosedMechanism,
) -> anyhow::Result<(Place, Configuration)> {
    let mut found = robot.home().clone();
    let mut workspace = assembly::Workspace::new(robot);
    if let Some(numbers) = pose {
        found.pose = self::pose("--pose", numbers, robot)?;
        let assembled = assembly::near_pose(robot, &mut workspace, &mut found);
        assembled.with_context(|| format!("{} cannot be assembled at this pose", robot.name()))?;
        return Ok((Place::Pose, found));
    }
    let Some(positions) = at else { return Ok((Place::Home, found)) };
    expect_drives(positions, robot)?;
    let assembled = assembly::at_drives(robot, &mut workspace, positions, &mut found);
    assembled.with_context(|| format!("{} cannot be assembled with these drives", robot.name()))?;
    Ok((Place::Drives, found))
}

/// Refuses `--at` unless it gives one value per driven joint.
pub(crate) fn expect_drives(positions: &[f64], robot: &ClosedMechanism) -> anyhow::Result<()> {
    let drives: Vec<&String> = robot.driven().iter().map(|&j| &robot.tree().joint_names()[j]).collect();
    ensure!(
        positions.len() == drives.len(),
        "--at gives {}, but the robot has {}: {}",
        counted(positions.len(), "number"),
        counted(drives.len(), "driven joint"),
        list(&drives)
    );
    Ok(())
}

/// Beyond this a coordinate is given to 1e-7 rad or m at best, and sooner or later an angle to whole turns.
pub(crate) const LARGEST_COORDINATE: f64 = 1e9;

/// Reads a finite number.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "expected a finite number".into())
}

/// A number that a coordinate can have.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.trim().parse();
    let number = number.ok().filter(|q| q.is_finite()).ok_or("a coordinate is a number, in rad or m")?;
    let is_near = number.abs() <= LARGEST_COORDINATE;
    is_near.then_some(number).ok_or_else(|| format!("a coordinate is at most {LARGEST_COORDINATE:e}, in rad or m"))
}

/// A positive number.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.trim().parse();
    number.ok().filter(|x| x.is_finite() && *x > 0.0).ok_or_else(|| "expected a positive number".into())
}

/// A time, s.
pub(crate) fn time(text: &str) -> Result<f64, String> {
    positive(text).map_err(|_| "a time must be positive, in s".into())
}

/// A number that is not negative.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.trim().parse();
    number.ok().filter(|x| x.is_finite() && *x >= 0.0).ok_or_else(|| "expected zero or a positive number".into())
}

/// A pose of the platform from its position alone, turned as at home, with roll, pitch and yaw, or with a quaternion.
pub(crate) fn pose(option: &str, numbers: &[f64], robot: &ClosedMechanism) -> anyhow::Result<Pose> {
    ensure!(robot.platform().is_some(), "{option} is of a platform, and {} has none; use --at", robot.name());
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
        [px, py, pz, x, y, z, w] => {
            let quaternion = Quaternion { x, y, z, w };
            let norm = quaternion.norm();
            ensure!((norm - 1.0).abs() <= ROUNDING, "the quaternion of {option} has the norm {norm}; expected 1");
            ([px, py, pz], quaternion.normalized().rotation())
        }
        _ => bail!(
            "{option} gives {}; expected 3: px,py,pz, or 6: with roll,pitch,yaw, or 7: with qx,qy,qz,qw",
            counted(numbers.len(), "number")
        ),
    };
    Ok(Pose { rotation, position: Vec3::from(position) })
}
