//! All that moves at an instant, as a row of a table and as curves of a plot.

use crate::place::quaternion;
use crate::table::{POSITION, QUATERNION, RATES};
use appell::description::JointKind;
use appell::{Joint, Robot};
use appell_simulation::trajectory::{ClosedMotion, FollowError, FrameMotion, JointStates, RobotMotion, TreeMotion};

/// A robot on its motion.
pub(super) struct Whole<'r> {
    robot: &'r Robot,
    motion: Motion<'r>,
    joints: Vec<usize>,     // that have columns
    platform: Option<bool>, // whether it has columns, and of its attitude too
}

pub(super) enum Motion<'r> {
    Tree(TreeMotion<'r>),
    Closed(Box<ClosedMotion<'r>>),
}

/// A group of columns that a plot shows together: its title, and the columns' names with those of their curves.
pub(super) struct Group {
    pub(super) title: String,
    pub(super) columns: Vec<(String, String)>,
    /// Whether its curves begin at zero: of a place the way from the start says more.
    pub(super) from_start: bool,
}

impl<'r> Whole<'r> {
    /// A motion given by the platform's, or by that of joints or drives.
    pub(super) fn new(robot: &'r Robot, motion: Motion<'r>, of_platform: bool) -> Self {
        let joints = robot.drives().iter().map(|drive| drive.index).collect();
        let platform = robot.platform().filter(|_| of_platform).map(|platform| platform.turns);
        Self { robot, motion, joints, platform }
    }

    pub(super) fn motion(&mut self) -> &mut dyn RobotMotion {
        match &mut self.motion {
            Motion::Tree(motion) => motion,
            Motion::Closed(motion) => &mut **motion,
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
        if let Some(turns) = self.platform {
            groups.push(plain("way from start (m)", &POSITION));
            if turns {
                groups.push(plain("", &QUATERNION));
            }
            let titles = ["velocity (m/s)", "angular v (rad/s)", "acceleration (m/s²)", "angular a (rad/s²)"];
            groups.extend(titles.iter().zip(RATES.as_flattened().chunks(3)).map(|(title, names)| plain(title, names)));
        }
        let drives = self.robot.drives();
        let has = |kind: JointKind| drives.iter().any(|drive| drive.kind == kind);
        let units = match (has(JointKind::Revolute), has(JointKind::Prismatic)) {
            (true, true) => ["rad, m", "rad/s, m/s", "rad/s², m/s²", "N m, N"],
            (false, true) => ["m", "m/s", "m/s²", "N"],
            _ => ["rad", "rad/s", "rad/s²", "N m"],
        };
        let titles = [("q", "q"), ("v", "v"), ("a", "a"), ("tau", "effort")].into_iter().zip(units);
        for ((symbol, title), unit) in titles.filter(|((symbol, _), _)| efforts || *symbol != "tau") {
            let column = |(k, drive): (usize, &Joint<'_>)| (format!("{symbol}{}", k + 1), drive.name.to_owned());
            let columns = drives.iter().enumerate().map(column).collect();
            groups.push(Group { title: format!("{title} ({unit})"), columns, from_start: false });
        }
        groups
    }

    /// Writes the numbers of an instant, without the time, in the order of [`Self::groups`].
    pub(super) fn write(&mut self, t: f64, efforts: bool, row: &mut Vec<f64>) -> Result<(), FollowError> {
        row.clear();
        let moved = match &mut self.motion {
            Motion::Closed(motion) => motion.platform(t)?,
            Motion::Tree(_) => None,
        };
        if let (Some(turns), Some(FrameMotion { pose, twist, acceleration })) = (self.platform, moved) {
            row.extend(pose.position.to_array());
            row.extend(turns.then(|| quaternion(&pose)).into_iter().flatten());
            row.extend(twist.to_array());
            row.extend(acceleration.to_array());
        }
        let JointStates { q, v, a, tau } = match &mut self.motion {
            Motion::Tree(motion) => motion.at(t)?,
            Motion::Closed(motion) => motion.at(t)?,
        };
        for numbers in [q, v, a].into_iter().chain(efforts.then_some(tau)) {
            row.extend(self.joints.iter().map(|&j| numbers[j]));
        }
        Ok(())
    }
}
