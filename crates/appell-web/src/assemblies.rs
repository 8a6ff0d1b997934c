//! Other ways to be assembled: with the drives where they are, or with the platform where it is.

use crate::bench::Bench;
use crate::drawn::Sketch;
use crate::numbers::{PoseNumbers, of_pose};
use crate::place::{Held, Place};
use appell::closed::singularity::{self, Metric};
use appell::closed::working_modes::WorkingModes;
use appell::closed::{ClosedMechanism, Configuration, assembly, direct};
use appell::description::Branch;
use appell::kinematics::spherical_wrist::{Arm, Branch as OfArm, Sign};
use appell::mechanism::Mechanism;
use appell::{Model, Robot};
use serde::Serialize;

/// As many are shown.
const MOST: usize = 64;

/// Configurations nearer to each other than this, rad or characteristic lengths, are one.
const SAME: f64 = 1e-5;

/// `Assemblies` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Assemblies {
    /// The nearest first.
    pub assemblies: Vec<Assembly>,
    total: usize,
    /// Whether it is known that there are no others.
    pub proved: bool,
    count: String,
}

/// One of them.
#[derive(Debug, Clone, Serialize)]
pub struct Assembly {
    /// All positions.
    pub q: Vec<f64>,
    pose: PoseNumbers,
    mode: String,
    type1: f64,
    type2: f64,
    distance: f64,
    /// Whether the robot is in it.
    pub present: bool,
    sketch: Sketch,
}

impl Bench {
    /// All assemblies for the present drives; for a tree the one it is in.
    ///
    /// # Errors
    /// If the search fails.
    pub fn assemblies(&self) -> Result<Assemblies, String> {
        let (Model::Closed(robot), Place::Closed(present)) = (self.robot.model(), &self.place) else {
            return Ok(self.alone("a tree is where its joints are"));
        };
        let drives: Vec<f64> = robot.driven().iter().map(|&j| present.q[j]).collect();
        let options = direct::Options::default();
        let found = direct::all_at_drives(robot, &mut assembly::Workspace::new(robot), &drives, &options);
        let found = found.map_err(|error| error.to_string())?;
        let all = found.assemblies.iter().map(|one| one.at.clone()).collect();
        Ok(self.listed(robot, present, all, None, found.are_all(), found.count.to_string()))
    }

    /// All working modes for the present pose of the platform; of an arm with a spherical wrist all its configurations.
    ///
    /// # Errors
    /// If there is no platform whose pose would be held.
    pub fn modes(&self) -> Result<Assemblies, String> {
        match (self.robot.model(), &self.place) {
            (Model::Tree(tree), Place::Tree(q)) => Ok(self.of_arm(tree, q)),
            (Model::Closed(robot), Place::Closed(present)) => self.working_modes(robot, present),
            _ => Err("the robot and its place do not fit".into()),
        }
    }

    fn working_modes(&self, robot: &ClosedMechanism, present: &Configuration) -> Result<Assemblies, String> {
        if robot.platform().is_none() {
            return Err("the robot has no platform; choose an output".into());
        }
        if robot.legs().is_empty() {
            let options = direct::Options::default();
            let mut workspace = assembly::Workspace::new(robot);
            let found = assembly::all_at_pose(robot, &mut workspace, &present.pose, options.starts, options.seed);
            let count = format!("a search from {} random starts: others may exist", options.starts);
            return Ok(self.listed(robot, present, found, None, false, count));
        }
        let modes = WorkingModes::of(robot, &present.pose);
        let total = modes.count();
        let all = (0..total.min(MOST)).map(|k| modes.whole(robot, &modes.choice(k))).collect();
        Ok(self.listed(robot, present, all, Some(total), modes.are_all(), modes.words(robot, MOST)))
    }

    /// Configurations with what is said of each, the nearest first; the present one is among them, whatever was found.
    fn listed(
        &self,
        robot: &ClosedMechanism,
        present: &Configuration,
        found: Vec<Configuration>,
        total: Option<usize>,
        proved: bool,
        count: String,
    ) -> Assemblies {
        let (mut workspace, metric) = (singularity::Workspace::new(robot), Metric::of(robot));
        let mut describe = |at: Configuration| {
            let measures = singularity::measures(robot, &mut workspace, &at, &metric);
            let (type1, type2) = (measures.type1(), measures.type2());
            let distance = assembly::apart(robot, &at, present);
            Assembly {
                pose: self.pose_at(&at),
                mode: sides(robot, &at),
                type1,
                type2,
                distance,
                present: distance < SAME,
                q: at.q.clone(),
                sketch: Sketch::new(&self.robot, &Place::Closed(at)),
            }
        };
        let mut assemblies: Vec<Assembly> = found.into_iter().map(&mut describe).collect();
        if !assemblies.iter().any(|one| one.present) {
            assemblies.push(describe(present.clone()));
        }
        assemblies.sort_by(|one, other| one.distance.total_cmp(&other.distance));
        let total = total.unwrap_or(assemblies.len()).max(assemblies.len());
        assemblies.truncate(MOST);
        Assemblies { assemblies, total, proved, count }
    }

    fn pose_at(&self, at: &Configuration) -> PoseNumbers {
        match self.held {
            Held::Platform => of_pose(&at.pose),
            held => of_pose(&Place::Closed(at.clone()).pose(&self.robot, held)),
        }
    }

    /// The present configuration of a tree, for which no others are known.
    fn alone(&self, count: &str) -> Assemblies {
        let assembly = of_tree(&self.robot, self.held, self.q(), self.q(), "");
        Assemblies { assemblies: vec![assembly], total: 1, proved: false, count: count.to_owned() }
    }

    /// All configurations of an arm of the PUMA's type in which its frame is where it is now.
    fn of_arm(&self, tree: &Mechanism, q: &[f64]) -> Assemblies {
        let arm = match self.held {
            Held::Frame(frame) if tree.coordinates().is_none() => {
                Arm::new(tree, frame).map_err(|error| error.to_string())
            }
            _ => Err("it has joints of several numbers".into()),
        };
        let arm = match arm {
            Ok(arm) => arm,
            Err(why) => {
                return self
                    .alone(&format!("all configurations are known of six-axis arms in closed form alone: {why}"));
            }
        };
        let pose = self.place.pose(&self.robot, self.held);
        let one = |branch: OfArm| {
            let found = arm.inverse_kinematics(&pose, branch).ok()?;
            let side = |sign: Sign, names: [&'static str; 2]| names[usize::from(sign.value() < 0.0)];
            let mode = [
                side(branch.shoulder, ["shoulder +", "shoulder −"]),
                side(branch.elbow, ["elbow +", "elbow −"]),
                side(branch.wrist, ["wrist +", "wrist −"]),
            ];
            Some(of_tree(&self.robot, self.held, &found, q, &mode.join(", ")))
        };
        let mut assemblies: Vec<Assembly> = Vec::new();
        for found in OfArm::ALL.into_iter().filter_map(one) {
            // At singularities several branches are one.
            let is_new = |other: &Assembly| way(tree, &other.q, &found.q) > SAME;
            if assemblies.iter().all(is_new) {
                assemblies.push(found);
            }
        }
        if !assemblies.iter().any(|one| one.present) {
            assemblies.push(of_tree(&self.robot, self.held, q, q, "present"));
        }
        assemblies.sort_by(|one, other| one.distance.total_cmp(&other.distance));
        let total = assemblies.len();
        let count = "shoulder, elbow and wrist, each on one of two sides, in closed form: these are all".to_owned();
        Assemblies { assemblies, total, proved: true, count }
    }
}

/// The largest way of a joint between two configurations, whole turns taken off.
fn way(tree: &Mechanism, one: &[f64], other: &[f64]) -> f64 {
    let of = |(j, (one, other)): (usize, (&f64, &f64))| {
        let way = one - other;
        tree.links()[j].joint.pick(appell::spatial::wrapped(way), way).abs()
    };
    one.iter().zip(other).enumerate().map(of).fold(0.0, f64::max)
}

fn of_tree(robot: &Robot, held: Held, q: &[f64], present: &[f64], mode: &str) -> Assembly {
    let place = Place::Tree(q.to_vec());
    let distance = if robot.tree().coordinates().is_none() { way(robot.tree(), q, present) } else { 0.0 };
    Assembly {
        pose: of_pose(&place.pose(robot, held)),
        mode: mode.to_owned(),
        type1: 1.0,
        type2: 1.0,
        distance,
        present: distance < SAME,
        q: q.to_vec(),
        sketch: Sketch::new(robot, &place),
    }
}

/// The sides on which joints with working modes are.
fn sides(robot: &ClosedMechanism, at: &Configuration) -> String {
    let side = |(j, _): (usize, &Branch)| match appell::spatial::wrapped(at.q[j]) {
        q if q.abs() < 1e-9 => '0',
        q if q > 0.0 => '+',
        _ => '−',
    };
    robot.branches().iter().enumerate().filter(|(_, branch)| **branch != Branch::Any).map(side).collect()
}
