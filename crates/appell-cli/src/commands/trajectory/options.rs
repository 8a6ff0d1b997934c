//! What the subcommands of `trajectory` share.

use crate::arguments::{self, choice, expect_each, finite, one_each, positive};
use crate::place;
use crate::robot;
use anyhow::{Context, ensure};
use appell::kinematics;
use appell::kinematics::spherical_wrist::{Branch, Sign};
use appell::mechanism::Mechanism;
use appell::spatial::{EulerAngles, Mat3, Pose};
use appell::{Model, Robot};
use appell_simulation::trajectory::{
    FollowError, Follower, FrameRates, FrameReference, Rates, Shape, Start, Task, TimeLaw,
};
use clap::builder::{PossibleValue, TypedValueParser};
use std::path::PathBuf;

/// How fast a path is gone along.
#[derive(clap::Args)]
pub(super) struct LawArgs {
    /// The time law: constant speed; a ramp (a trapezoid of speeds); an S-curve, with limited jerk; a polynomial of
    /// degree 3 or 5
    #[arg(long, value_parser = shapes(), default_value = "quintic")]
    law: Shape,
    /// How long it takes, s
    #[arg(long, value_name = "S", value_parser = arguments::time)]
    time: Option<f64>,
    /// Instead of --time: the largest speed, m/s; of joints rad/s or m/s
    #[arg(long, value_name = "V", value_parser = positive, conflicts_with = "time")]
    speed: Option<f64>,
    /// Instead of --time: the largest acceleration along the path, m/s²
    #[arg(long, value_name = "A", value_parser = positive, conflicts_with = "time")]
    acceleration: Option<f64>,
    /// Instead of --time: the largest jerk along the path, m/s³
    #[arg(long, value_name = "J", value_parser = positive, conflicts_with = "time")]
    jerk: Option<f64>,
    /// Of frames that turn: the largest angular speed, rad/s
    #[arg(long, value_name = "W", value_parser = positive, conflicts_with = "time")]
    turn_speed: Option<f64>,
    /// Of frames that turn: the largest angular acceleration, rad/s²
    #[arg(long, value_name = "E", value_parser = positive, conflicts_with = "time")]
    turn_acceleration: Option<f64>,
}

/// The time laws by their names.
fn shapes() -> impl TypedValueParser<Value = Shape> {
    let plain = [("s-curve", Shape::S_CURVE), ("cubic", Shape::Cubic), ("quintic", Shape::Quintic)];
    let first =
        [("constant".into(), Shape::Constant), (PossibleValue::new("ramp").alias("trapezoidal"), Shape::TRAPEZOIDAL)];
    choice(first.into_iter().chain(plain.map(|(name, shape)| (name.into(), shape))))
}

/// Where a motion goes.
#[derive(clap::Args, Clone)]
pub(in crate::commands) struct TableArgs {
    /// Time from row to row, s; the last row is at the end
    #[arg(long, value_name = "S", default_value_t = 0.01, value_parser = arguments::time)]
    pub(in crate::commands) dt: f64,
    /// The table; stdout if not given
    #[arg(long, value_name = "OUT.csv")]
    pub(in crate::commands) out: Option<PathBuf>,
    /// Draw the motion over time
    #[arg(long, value_name = "OUT.svg|png", value_parser = crate::output::drawing)]
    pub(in crate::commands) plot: Option<PathBuf>,
    /// Add the torques and forces of the drives, tau1 …, by inverse dynamics
    #[arg(long, visible_alias = "efforts")]
    pub(in crate::commands) torques: bool,
    /// Write the table however large it gets
    #[arg(long)]
    pub(in crate::commands) yes: bool,
}

/// The same, and which limits are checked.
#[derive(clap::Args)]
pub(in crate::commands) struct OutputArgs {
    #[command(flatten)]
    pub(in crate::commands) table: TableArgs,
    /// Check the limits of the robot's file along the motion, and report how near it comes to them, of torques and
    /// forces with --torques or where they have limits; to stdout with --out, else stderr
    #[arg(long)]
    pub(in crate::commands) limits: bool,
    /// Limits of acceleration to check too, one for all drives or one each, rad/s² or m/s²
    #[arg(long, value_name = "A1,A2,…", value_delimiter = ',', value_parser = positive)]
    pub(in crate::commands) max_acceleration: Vec<f64>,
}

/// Whose frame, and how its joints follow.
#[derive(clap::Args)]
pub(super) struct FrameArgs {
    #[command(flatten)]
    pub(super) robot: robot::Choice,
    /// Where the joints start, or near which positions the start is looked for, rad or m; zeros if not given
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = finite)]
    start: Option<Vec<f64>>,
    /// For arms of the PUMA's type: follow in closed form, with these signs of shoulder, elbow and wrist, as in +-+
    #[arg(long, value_name = "SIGNS", allow_hyphen_values = true, value_parser = branch)]
    branch: Option<Branch>,
    /// Joints that stay where they start: robots of seven joints need one
    #[arg(long, value_name = "JOINT,…", value_delimiter = ',')]
    hold: Vec<String>,
    /// Follow the position alone, in any orientation: for robots of three joints and fewer
    #[arg(long)]
    position_only: bool,
    /// The three angles of a pose are these Euler angles, not roll, pitch and yaw
    #[arg(long, value_parser = arguments::angles())]
    angles: Option<EulerAngles>,
}

/// A robot whose frame or platform moves, and how.
pub(super) struct Subject<'a> {
    args: &'a FrameArgs,
    pub(super) robot: Robot,
    pub(super) home: Pose, // of the frame, or of the platform
    frame: usize,          // of a robot without loops, as what follows
    start: Vec<f64>,
    held: Vec<usize>,
}

impl LawArgs {
    /// The law of a path: of the duration asked for, or what `within` makes of the limits.
    pub(super) fn law<E: std::error::Error + Send + Sync + 'static>(
        &self,
        within: impl FnOnce(Shape, &FrameRates) -> Result<TimeLaw, E>,
    ) -> anyhow::Result<TimeLaw> {
        if let Some(time) = self.time {
            return Ok(TimeLaw::new(self.law, time)?);
        }
        ensure!(
            self.speed.is_some() || self.acceleration.is_some() || self.turn_speed.is_some() || self.jerk.is_some(),
            "give --time, or limits: --speed, --acceleration, --jerk"
        );
        let rates = |limits: [Option<f64>; 3]| {
            let [speed, acceleration, jerk] = limits.map(|limit| limit.unwrap_or(f64::INFINITY));
            Rates { speed, acceleration, jerk }
        };
        let linear = rates([self.speed, self.acceleration, self.jerk]);
        let angular = rates([self.turn_speed, self.turn_acceleration, None]);
        within(self.law, &FrameRates { linear, angular }).context("the limits leave no time law")
    }
}

impl FrameArgs {
    /// Loads the robot and finds where the frame starts.
    pub(super) fn subject(&self) -> anyhow::Result<Subject<'_>> {
        let robot = robot::by_joints(self.robot.load_with_frame()?, "trajectory")?;
        let (home, frame, start, held) = match robot.model() {
            Model::Tree(tree) => {
                let frame = robot::frame(tree, self.robot.frame.as_deref())?;
                let start = joint_numbers("--start", self.start.as_deref(), tree.joint_names())?;
                let start = start.unwrap_or(vec![0.0; tree.dof()]);
                let held = self.hold.iter().map(|name| -> anyhow::Result<usize> {
                    let (joint, all) = (robot.joint(name), tree.joint_names().join(", "));
                    Ok(joint.with_context(|| format!("--hold: no joint `{name}`; joints are {all}"))?.index)
                });
                let held = held.collect::<anyhow::Result<_>>()?;
                (kinematics::positions(tree, &mut kinematics::Workspace::new(tree), &start)[frame], frame, start, held)
            }
            Model::Closed(closed) => {
                ensure!(
                    self.start.is_none() && self.branch.is_none() && self.hold.is_empty(),
                    "{} has closed loops, and its platform moves: --start, --branch and --hold are for open robots",
                    closed.name()
                );
                ensure!(
                    closed.platform().is_some(),
                    "{} has no platform to move; name its output with --frame, or move its drives: `appell trajectory joints`",
                    closed.name()
                );
                (closed.home().pose, 0, Vec::new(), Vec::new())
            }
        };
        Ok(Subject { args: self, robot, home, frame, start, held })
    }
}

impl Subject<'_> {
    /// A pose as an option gives it; without an orientation with that of another one.
    pub(super) fn pose(&self, option: &str, numbers: &[f64], rotation: Mat3) -> anyhow::Result<Pose> {
        place::pose_near(option, numbers, rotation, self.args.angles)
    }

    /// The joints of a robot without loops on a path of the frame.
    pub(super) fn follower<'r>(
        &self,
        robot: &'r Mechanism,
        path: Box<dyn FrameReference + 'r>,
    ) -> Result<Follower<'r>, FollowError> {
        let branch = self.args.branch;
        let start = branch.map_or(Start::Near(&self.start), |branch| Start::Branch(branch, &self.start));
        let task = if self.args.position_only { Task::Position } else { Task::Pose };
        Follower::new(robot, self.frame, path, task, start, &self.held)
    }
}

/// One value per joint, if there are any.
pub(super) fn joint_numbers<S: AsRef<str>>(
    option: &str,
    numbers: Option<&[f64]>,
    joints: &[S],
) -> anyhow::Result<Option<Vec<f64>>> {
    if let Some(numbers) = numbers {
        expect_each(option, numbers, "joint", joints)?;
    }
    Ok(numbers.map(<[f64]>::to_vec))
}

/// Three signs.
fn branch(text: &str) -> Result<Branch, String> {
    let sign = |letter: char| match letter {
        '+' => Some(Sign::Plus),
        '-' => Some(Sign::Minus),
        _ => None,
    };
    let signs: Option<Vec<Sign>> = text.chars().map(sign).collect();
    match signs.as_deref() {
        Some(&[shoulder, elbow, wrist]) => Ok(Branch { shoulder, elbow, wrist }),
        _ => Err("expected the signs of shoulder, elbow and wrist, as in +-+".into()),
    }
}

impl OutputArgs {
    /// The limits of acceleration of all joints of the tree; none where not asked for.
    pub(super) fn accelerations(&self, robot: &Robot) -> anyhow::Result<Vec<f64>> {
        let drives = robot.drives();
        let each = one_each("--max-acceleration", &self.max_acceleration, drives.len())?;
        let mut all = if each.is_empty() { Vec::new() } else { vec![f64::INFINITY; robot.tree().dof()] };
        drives.iter().zip(each).for_each(|(drive, limit)| all[drive.index] = limit);
        Ok(all)
    }
}
