//! What the subcommands of `trajectory` share.

use crate::place::{self, finite, positive};
use crate::robot;
use anyhow::{Context, bail, ensure};
use appell::kinematics;
use appell::kinematics::spherical_wrist::{Branch, Sign};
use appell::mechanism::Mechanism;
use appell::spatial::{EulerAngles, Mat3, Pose};
use appell::{Model, Robot};
use appell_drawing::listing::counted;
use appell_simulation::trajectory::{FrameRates, Rates, Shape, Start, Task, TimeLaw};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// How fast a path is gone along.
#[derive(clap::Args)]
pub(super) struct LawArgs {
    /// The time law: constant speed; a ramp (a trapezoid of speeds); an S-curve, with limited jerk; a polynomial of
    /// degree 3 or 5
    #[arg(long, value_enum, default_value = "quintic")]
    law: LawName,
    /// How long it takes, s
    #[arg(long, value_name = "S", value_parser = crate::place::time)]
    pub(super) time: Option<f64>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LawName {
    Constant,
    #[value(alias = "trapezoidal")]
    Ramp,
    SCurve,
    Cubic,
    Quintic,
}

/// Where a motion goes.
#[derive(clap::Args)]
pub(in crate::commands) struct OutputArgs {
    /// Time from row to row, s; the last row is at the end
    #[arg(long, value_name = "S", default_value_t = 0.01, value_parser = crate::place::time)]
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
    /// Check the limits of the robot's file along the motion, and report how near it comes to them, of torques and forces
    /// with --torques or where they have limits; to stdout with --out, else stderr
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
    /// The frame that moves; the last of the robot's frames if not given
    #[arg(long)]
    frame: Option<String>,
    /// Where the joints start, or near which positions the start is looked for, rad or m; zeros if not given
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = finite)]
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
    #[arg(long, value_parser = angles_parser())]
    pub(super) angles: Option<EulerAngles>,
}

/// A robot whose frame or platform moves, and how.
pub(super) struct Subject {
    pub(super) robot: Robot,
    pub(super) way: Option<Way>, // of a robot without loops
    pub(super) home: Pose,       // of the frame, or of the platform
    angles: Option<EulerAngles>,
}

/// How the joints of a robot without loops follow.
pub(super) struct Way {
    pub(super) frame: usize,
    start: Vec<f64>,
    branch: Option<Branch>,
    pub(super) held: Vec<usize>,
    pub(super) task: Task,
}

impl LawArgs {
    fn shape(&self) -> Shape {
        match self.law {
            LawName::Constant => Shape::Constant,
            LawName::Ramp => Shape::TRAPEZOIDAL,
            LawName::SCurve => Shape::S_CURVE,
            LawName::Cubic => Shape::Cubic,
            LawName::Quintic => Shape::Quintic,
        }
    }

    fn linear(&self) -> Rates {
        let or_none = |limit: Option<f64>| limit.unwrap_or(f64::INFINITY);
        Rates { speed: or_none(self.speed), acceleration: or_none(self.acceleration), jerk: or_none(self.jerk) }
    }

    /// The law of a path: of the duration asked for, or what `within` makes of the limits.
    pub(super) fn law<E: std::error::Error + Send + Sync + 'static>(
        &self,
        within: impl FnOnce(Shape, Rates, &FrameRates) -> Result<TimeLaw, E>,
    ) -> anyhow::Result<TimeLaw> {
        if let Some(time) = self.time {
            return Ok(TimeLaw::new(self.shape(), time)?);
        }
        ensure!(
            self.speed.is_some() || self.acceleration.is_some() || self.turn_speed.is_some() || self.jerk.is_some(),
            "give --time, or limits: --speed, --acceleration, --jerk"
        );
        let or_none = |limit: Option<f64>| limit.unwrap_or(f64::INFINITY);
        let angular = Rates {
            speed: or_none(self.turn_speed),
            acceleration: or_none(self.turn_acceleration),
            jerk: f64::INFINITY,
        };
        let law = within(self.shape(), self.linear(), &FrameRates { linear: self.linear(), angular });
        law.context("the limits leave no time law")
    }
}

impl FrameArgs {
    /// Loads the robot and finds where the frame starts.
    pub(super) fn subject(&self) -> anyhow::Result<Subject> {
        let robot = self.robot.load()?;
        let (way, home) = match robot.model() {
            Model::Tree(tree) => {
                let way = self.way(tree)?;
                let mut forward = kinematics::Workspace::new(tree);
                let home = kinematics::positions(tree, &mut forward, &way.start)[way.frame];
                (Some(way), home)
            }
            Model::Closed(closed) => {
                ensure!(
                    self.frame.is_none() && self.start.is_none() && self.branch.is_none() && self.hold.is_empty(),
                    "{} has closed loops, and its platform moves: --frame, --start, --branch and --hold are for open robots",
                    closed.name()
                );
                ensure!(
                    closed.platform().is_some(),
                    "{} has no platform to move; `appell trajectory joints` moves its drives",
                    closed.name()
                );
                (None, closed.home().pose)
            }
        };
        Ok(Subject { robot, way, home, angles: self.angles })
    }

    fn way(&self, robot: &Mechanism) -> anyhow::Result<Way> {
        let frame = self.frame.as_deref().map_or(Ok(robot.frames().len() - 1), |name| robot::frame(robot, name))?;
        let start = joint_numbers("--start", self.start.as_deref(), robot.joint_names())?;
        let held = self.hold.iter().map(|name| {
            let joint = robot.joint_names().iter().position(|joint| joint == name);
            joint.with_context(|| format!("--hold: no joint `{name}`; joints are {}", robot.joint_names().join(", ")))
        });
        let task = if self.position_only { Task::Position } else { Task::Pose };
        Ok(Way {
            frame,
            start: start.unwrap_or(vec![0.0; robot.dof()]),
            branch: self.branch,
            held: held.collect::<Result<_, _>>()?,
            task,
        })
    }
}

impl Subject {
    /// A pose as an option gives it; without an orientation with that of another one.
    pub(super) fn pose(&self, option: &str, numbers: &[f64], rotation: Mat3) -> anyhow::Result<Pose> {
        place::pose_near(option, numbers, rotation, self.angles)
    }
}

impl Way {
    pub(super) fn start(&self) -> Start<'_> {
        match self.branch {
            Some(branch) => Start::Branch(branch, &self.start),
            None => Start::Near(&self.start),
        }
    }
}

/// One value per joint, if there are any.
pub(super) fn joint_numbers<S: AsRef<str>>(
    option: &str,
    numbers: Option<&[f64]>,
    joints: &[S],
) -> anyhow::Result<Option<Vec<f64>>> {
    let Some(numbers) = numbers else { return Ok(None) };
    ensure!(
        numbers.len() == joints.len(),
        "{option} gives {}, but there are {}: {}",
        counted(numbers.len(), "number"),
        counted(joints.len(), "joint"),
        appell_drawing::listing::list(joints)
    );
    Ok(Some(numbers.to_vec()))
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

/// Reads Euler angles by their name.
pub(super) fn angles_parser() -> impl TypedValueParser<Value = EulerAngles> {
    PossibleValuesParser::new(EulerAngles::ALL.map(EulerAngles::name))
        .map(|name| EulerAngles::find(&name).expect("clap lets only the names of angles pass"))
}

impl OutputArgs {
    /// The limits of acceleration of all joints of the tree; none where not asked for.
    pub(super) fn accelerations(&self, robot: &Robot) -> anyhow::Result<Vec<f64>> {
        let drives = match robot.model() {
            Model::Tree(tree) => tree.dof(),
            Model::Closed(closed) => closed.driven().len(),
        };
        let each = match (self.max_acceleration.as_slice(), drives) {
            ([], _) => return Ok(Vec::new()),
            (&[one], _) => vec![one; drives],
            (all, _) if all.len() == drives => all.to_vec(),
            (all, _) => bail!(
                "--max-acceleration gives {}; expected one, or {drives}, one per drive",
                counted(all.len(), "number")
            ),
        };
        Ok(match robot.model() {
            Model::Tree(_) => each,
            Model::Closed(closed) => {
                let mut all = vec![f64::INFINITY; closed.tree().dof()];
                closed.driven().iter().zip(each).for_each(|(&j, limit)| all[j] = limit);
                all
            }
        })
    }
}
