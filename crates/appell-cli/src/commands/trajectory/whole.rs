//! All that moves at an instant, as a row of a table and as curves of a plot.

use appell::closed::ClosedMechanism;
use appell::description::JointKind;
use appell::mechanism::Mechanism;
use appell::spatial::Quaternion;
use appell_simulation::trajectory::{ClosedMotion, FollowError, FrameMotion, JointStates, RobotMotion, TreeMotion};

/// A robot on its motion.
pub(super) enum Whole<'r> {
    Tree(TreeMotion<'r>),
    Closed { robot: &'r ClosedMechanism, motion: Box<ClosedMotion<'r>>, of_platform: bool },
}

/// A group of columns that a plot shows together: its title, and the columns' names with those of their curves.
pub(super) struct Group {
    pub(super) title: String,
    pub(super) columns: Vec<(String, String)>,
    /// Whether its curves begin at zero: of a place the way from the start says more.
    pub(super) from_start: bool,
}

const POSITION: [&str; 3] = ["px", "py", "pz"];
const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];
const RATES: [[&str; 3]; 4] = [["vx", "vy", "vz"], ["wx", "wy", "wz"], ["ax", "ay", "az"], ["ex", "ey", "ez"]];

impl<'r> Whole<'r> {
    pub(super) fn platform(robot: &'r ClosedMechanism, motion: ClosedMotion<'r>) -> Self {
        Self::Closed { robot, motion: Box::new(motion), of_platform: true }
    }

    pub(super) fn drives(robot: &'r ClosedMechanism, motion: ClosedMotion<'r>) -> Self {
        Self::Closed { robot, motion: Box::new(motion), of_platform: false }
    }

    pub(super) fn motion(&mut self) -> &mut dyn RobotMotion {
        match self {
            Self::Tree(motion) => motion,
            Self::Closed { motion, .. } => &mut **motion,
        }
    }

    /// The joints that have columns.
    fn joints(&self) -> Vec<usize> {
        match self {
            Self::Tree(motion) => (0..motion.robot().dof()).collect(),
            Self::Closed { robot, .. } => robot.driven().to_vec(),
        }
    }

    /// All joints.
    fn robot(&self) -> &Mechanism {
        match self {
            Self::Tree(motion) => motion.robot(),
            Self::Closed { robot, .. } => robot.tree(),
        }
    }

    /// Whether the platform has columns, and of its attitude too.
    fn platform_columns(&self) -> (bool, bool) {
        match self {
            Self::Tree(_) => (false, false),
            Self::Closed { robot, of_platform, .. } => {
                (*of_platform, *of_platform && robot.platform().is_some_and(|platform| platform.turns))
            }
        }
    }

    /// The columns of a row, in groups; the first group is not drawn: the time, and a quaternion.
    pub(super) fn groups(&self, efforts: bool) -> Vec<Group> {
        let plain = |title: &str, names: &[&str]| Group {
            title: title.into(),
            columns: names.iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect(),
            from_start: names == POSITION,
        };
        let mut groups = Vec::new();
        let (platform, turns) = self.platform_columns();
        if platform {
            groups.push(plain("way from start (m)", &POSITION));
            if turns {
                groups.push(plain("", &QUATERNION));
            }
            let titles = ["velocity (m/s)", "angular v (rad/s)", "acceleration (m/s²)", "angular a (rad/s²)"];
            groups.extend(titles.iter().zip(&RATES).map(|(title, names)| plain(title, names)));
        }
        let joints = self.joints();
        let kinds: Vec<JointKind> = joints.iter().map(|&j| self.robot().links()[j].joint).collect();
        let turns = kinds.contains(&JointKind::Revolute);
        let units = match (turns, kinds.contains(&JointKind::Prismatic)) {
            (true, true) => ["rad, m", "rad/s, m/s", "rad/s², m/s²", "N m, N"],
            (false, true) => ["m", "m/s", "m/s²", "N"],
            _ => ["rad", "rad/s", "rad/s²", "N m"],
        };
        let titles = [("q", "q"), ("v", "v"), ("a", "a"), ("tau", "effort")].into_iter().zip(units);
        for ((symbol, title), unit) in titles.filter(|((symbol, _), _)| efforts || *symbol != "tau") {
            let column = |(k, &joint): (usize, &usize)| {
                (format!("{symbol}{}", k + 1), self.robot().joint_names()[joint].clone())
            };
            groups.push(Group {
                title: format!("{title} ({unit})"),
                columns: joints.iter().enumerate().map(column).collect(),
                from_start: false,
            });
        }
        groups
    }

    /// Writes the numbers of an instant, without the time, in the order of [`Self::groups`].
    pub(super) fn write(&mut self, t: f64, efforts: bool, row: &mut Vec<f64>) -> Result<(), FollowError> {
        row.clear();
        let (platform, turns) = self.platform_columns();
        let joints = self.joints();
        let moved = match self {
            Self::Closed { motion, .. } if platform => motion.platform(t)?,
            _ => None,
        };
        if let Some(FrameMotion { pose, twist, acceleration }) = moved {
            row.extend(pose.position.to_array());
            let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
            row.extend(turns.then_some([x, y, z, w]).into_iter().flatten());
            row.extend(twist.to_array());
            row.extend(acceleration.to_array());
        }
        let JointStates { q, v, a, tau } = self.motion().at(t)?;
        for numbers in [q, v, a].into_iter().chain(efforts.then_some(tau)) {
            row.extend(joints.iter().map(|&j| numbers[j]));
        }
        Ok(())
    }
}
