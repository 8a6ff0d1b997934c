//! From a description to a closed mechanism: checked, assembled, its degrees of freedom found.

use super::assembly::{self, AssemblyError};
use super::closure::{Closure, Constraint, On, Side};
use super::mobility;
use super::output::OfOutput;
use super::{ClosedMechanism, Configuration, Coupling, Mobility, Platform};
use crate::description::elementary::{Charts, elementary};
use crate::description::{Attachment, Carrier, Description, Freedom, Problems, check, loose_angles, resolve, toml};
use crate::mechanism::Mechanism;
use crate::sample::Sampler;
use crate::spatial::{Pose, Vec3};
use std::sync::Arc;

/// Why a description gives no closed mechanism.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClosedError {
    /// It is wrong by itself.
    #[error("{0}")]
    Description(Problems),
    /// It has neither a platform nor closing joints.
    #[error("has no closed loops: it has neither a platform nor closing joints, so read it as a `Mechanism`")]
    Open,
    /// No configuration closes all loops near home.
    #[error("cannot be assembled at home: {0}")]
    NotAssembled(#[from] AssemblyError),
    /// It cannot move.
    #[error(
        "cannot move: {constraints} constraints, {rank} of them independent, take all {velocities} degrees of freedom of its bodies; free a joint, or take a closing joint that forbids less"
    )]
    Immobile {
        /// Constraints of all closures.
        constraints: usize,
        /// Independent ones.
        rank: usize,
        /// Velocities of the open robot.
        velocities: usize,
    },
    /// It could move if no joint followed another.
    #[error(
        "cannot move: the closing joints alone would leave a mobility of {freedoms}, but {}; let fewer joints follow others, or check whom they follow", couplings.join(", ")
    )]
    Coupled {
        /// Degrees of freedom that the closing joints leave.
        freedoms: usize,
        /// Which joints follow which.
        couplings: Vec<String>,
    },
    /// At home it has degrees of freedom that it has nowhere else.
    #[error("home is singular: {here} degrees of freedom there, {nearby} nearby; describe another home")]
    SingularHome {
        /// Degrees of freedom at home.
        here: usize,
        /// Degrees of freedom in its neighbourhood.
        nearby: usize,
    },
    /// A motor on a joint that the loops lock.
    #[error("joint `{joint}` is driven, but the loops lock it: it cannot move the robot; drive another joint")]
    LockedDrive {
        /// The joint.
        joint: String,
    },
    /// The output cannot move.
    #[error(
        "the output does not move, though the robot has {mobility} degrees of freedom; name a frame of another body"
    )]
    StillOutput {
        /// Degrees of freedom.
        mobility: usize,
    },
    /// The user's choice of independent velocities does not describe the motion.
    #[error("the platform's freedoms {} do not describe its motion, which has {mobility}; choose {mobility} independent ones, such as {}", chosen.join(" "), possible.join(" "))]
    Freedoms {
        /// What was chosen.
        chosen: Vec<String>,
        /// How many there are.
        mobility: usize,
        /// What would do.
        possible: Vec<String>,
    },
}

impl ClosedMechanism {
    /// Checks a description, assembles the robot at home, and finds its independent velocities.
    ///
    /// # Errors
    /// If the description is wrong, or the robot cannot be assembled or cannot move.
    pub fn new(description: &Description) -> Result<Self, ClosedError> {
        let problems = check(description);
        if problems.errors() > 0 {
            return Err(ClosedError::Description(problems));
        }
        if description.closures.is_empty() && description.platform.is_none() {
            return Err(ClosedError::Open);
        }
        let resolved = resolve(description);
        let is_output = resolved.platform.as_ref().is_some_and(|platform| platform.is_output);
        let of_output = if is_output { OfOutput::of(description) } else { None };
        let (description, compounds) = elementary(&resolved, Charts::AtZero);
        let mut robot = Self::unassembled(&description);
        robot.of_output = of_output.map(Arc::new);
        let of_joints = compounds.iter().filter(|compound| compound.kind.is_quaternion());
        // The last three rows turn.
        let of_joints = of_joints.map(|compound| (compound.name.clone(), compound.first + compound.rows - 2));
        robot.angles = of_joints.chain(loose_angles(&description)).collect();
        robot.legs = mobility::legs(&robot);
        let mut workspace = assembly::Workspace::new(&robot);
        robot.home = assemble_home(&robot, &mut workspace)?;
        robot.settle(&description, &mut workspace)?;
        Ok(robot)
    }

    /// Reads a robot's file and makes it ready for computing.
    ///
    /// # Errors
    /// If the text is wrong, or the robot cannot be assembled or cannot move.
    pub fn from_toml(text: &str) -> Result<Self, ClosedError> {
        let (description, _warnings) = toml::read(text).map_err(ClosedError::Description)?;
        Self::new(&description)
    }

    /// The robot as described, before its loops are closed. Every row of its tree is a joint with a coordinate of its own.
    fn unassembled(description: &Description) -> Self {
        let tree = Mechanism::open(description, Vec::new());
        let platform = description.platform.as_ref().map(Platform::new);
        let side = |attachment: &Attachment| match &attachment.on {
            Carrier::Base => Side { on: On::Base, pose: attachment.pose },
            Carrier::Platform => Side { on: On::Platform, pose: attachment.pose },
            Carrier::Joint(name) => {
                let body = tree.joint_names().iter().position(|joint| joint == name).expect("checked");
                Side { on: On::Body(body), pose: tree.frames()[body].body_from_frame * attachment.pose }
            }
        };
        let mut closures: Vec<Closure> = description
            .closures
            .iter()
            .map(|closure| Closure {
                name: closure.name.clone(),
                constraint: Constraint::Joint(closure.kind),
                first: side(&closure.first),
                second: side(&closure.second),
                row: 0,
            })
            .collect();
        if let Some(held) = description.platform.as_ref().filter(|platform| !platform.turns) {
            let still = Pose { rotation: held.home.rotation, position: Vec3::zero(0.0) };
            closures.push(Closure {
                name: "platform.attitude".into(),
                constraint: Constraint::Attitude,
                first: Side { on: On::Base, pose: still },
                second: Side { on: On::Platform, pose: Pose::identity(0.0) },
                row: 0,
            });
        }
        let mut rows = 0;
        for closure in &mut closures {
            closure.row = rows;
            rows += closure.rows();
        }
        let length = characteristic_length(&tree, &closures);
        let couplings = Coupling::all(&tree, rows, |j| tree.links()[j].joint.pick(length, 1.0));
        rows += couplings.len();
        let mut starts: Vec<f64> = description.joints.iter().map(|joint| joint.home).collect();
        follow(&couplings, &mut starts);
        let pose = description.platform.as_ref().map_or(Pose::identity(0.0), |platform| platform.home);
        let driven = description.joints.iter().enumerate().filter(|(_, joint)| joint.driven).map(|(j, _)| j).collect();
        Self {
            length,
            platform,
            closures,
            couplings,
            rows,
            legs: Vec::new(),
            driven,
            branches: description.joints.iter().map(|joint| joint.branch).collect(),
            home: Configuration { q: starts, pose },
            freedoms: Vec::new(),
            mobility: Mobility::default(),
            of_output: None,
            angles: Vec::new(),
            tree,
        }
    }

    /// Finds the independent velocities of the assembled robot.
    fn settle(&mut self, description: &Description, workspace: &mut assembly::Workspace) -> Result<(), ClosedError> {
        let (mobility, null_space, locked) = mobility::analyse(self, &self.home);
        if mobility.freedoms == 0 {
            let (constraints, rank) = (mobility.constraints, mobility.rank);
            let freedoms = mobility::uncoupled_freedoms(self, &self.home);
            if freedoms > 0 {
                let couplings = self.couplings.iter().map(|coupling| coupling.sentence(self)).collect();
                return Err(ClosedError::Coupled { freedoms, couplings });
            }
            return Err(ClosedError::Immobile { constraints, rank, velocities: self.velocities() });
        }
        if let Some(nearby) = self.mobility_nearby(&null_space, workspace).filter(|&n| n < mobility.freedoms) {
            return Err(ClosedError::SingularHome { here: mobility.freedoms, nearby });
        }
        if let Some(&joint) = locked.first() {
            return Err(ClosedError::LockedDrive { joint: self.tree.joint_names()[joint].clone() });
        }
        let (dof, is_output) = (self.tree.dof(), self.platform.as_ref().is_some_and(|platform| platform.is_output));
        if is_output && null_space.iter().all(|motion| motion[dof..].iter().all(|rate| rate.abs() < 1e-8)) {
            return Err(ClosedError::StillOutput { mobility: mobility.freedoms });
        }
        let of_platform = |freedom: &Freedom| self.tree.dof() + *freedom as usize;
        let chosen = description.platform.as_ref().and_then(|platform| platform.freedoms.as_ref());
        let wanted: Vec<usize> = chosen.into_iter().flatten().map(of_platform).collect();
        self.freedoms = mobility::independent(self, &null_space, &wanted);
        let of_the_platform = self.freedoms.iter().filter(|&&k| k >= self.tree.dof());
        if chosen.is_some()
            && (wanted.len() < of_the_platform.count() || wanted.iter().any(|k| !self.freedoms.contains(k)))
        {
            self.freedoms = mobility::independent(self, &null_space, &[]);
            return Err(ClosedError::Freedoms {
                chosen: chosen.into_iter().flatten().map(|freedom| freedom.name().to_owned()).collect(),
                mobility: mobility.freedoms,
                possible: self.freedom_names(),
            });
        }
        self.mobility = mobility;
        // Where independent velocities are not the platform's alone, the platform does not say where the legs are.
        if self.freedoms.iter().any(|&k| k < self.tree.dof()) {
            self.legs.clear();
        }
        Ok(())
    }

    /// The mobility at a configuration a little away from home, if one is found.
    fn mobility_nearby(&self, null_space: &[Vec<f64>], workspace: &mut assembly::Workspace) -> Option<usize> {
        const STEP: f64 = 0.03;
        let mut sampler = Sampler::new(7);
        let mut at = self.home.clone();
        let mut ways = vec![0.0; self.velocities()];
        for motion in null_space {
            let step = sampler.within(STEP);
            ways.iter_mut().zip(motion).for_each(|(way, rate)| *way += step * rate);
        }
        ways.iter_mut().skip(self.tree.dof()).take(3).for_each(|way| *way *= self.length);
        at.advance(ways.into_iter().enumerate());
        assembly::at_home(self, workspace, &mut at).ok()?;
        Some(mobility::freedoms(self, &at))
    }
}

/// Starts joints that follow others, and have no home of their own, where these put them.
fn follow(couplings: &[Coupling], starts: &mut [f64]) {
    let without: Vec<&Coupling> = couplings.iter().filter(|coupling| starts[coupling.follower()] == 0.0).collect();
    // Who follows a follower is right after as many rounds as there are between.
    for _ in 0..without.len() {
        without.iter().for_each(|coupling| starts[coupling.follower()] = coupling.position(starts));
    }
}

/// The configuration at home: with the platform where the description puts it, if the legs reach it there. Where an
/// output is at home, the joints say.
fn assemble_home(robot: &ClosedMechanism, ws: &mut assembly::Workspace) -> Result<Configuration, AssemblyError> {
    let mut at = robot.home.clone();
    if robot.legs.is_empty() || robot.platform.as_ref().is_some_and(|platform| platform.is_output) {
        assembly::search_home(robot, ws, &mut at)?;
        return Ok(at);
    }
    let Err(at_pose) = assembly::at_pose(robot, ws, &mut at) else { return Ok(at) };
    // The pose may be given to a few digits, and the robot unable to move in the rest: from where the legs come
    // nearest to it, the platform has the least way to go.
    assembly::come_near(robot, ws, &mut at);
    let moved = assembly::at_home(robot, ws, &mut at).is_ok();
    let near = (at.pose.position - robot.home.pose.position).norm() < NEAR * robot.length;
    if moved && near { assembly::at_pose(robot, ws, &mut at).map(|()| at) } else { Err(at_pose) }
}

/// How far the platform may be from where the description puts it, over the characteristic length: millimetres of a
/// robot of some decimetres.
const NEAR: f64 = 0.02;

/// Root of the mean square of the distances of the closing joints from the platform's origin; of the closing joints
/// and bodies from the joints that carry them where there is no platform; of the bodies' centres where all axes meet.
fn characteristic_length(tree: &Mechanism, closures: &[Closure]) -> f64 {
    let sides = || closures.iter().flat_map(|closure| [&closure.first, &closure.second]);
    let on_platform = sides().filter(|side| side.on == On::Platform).map(|side| side.pose.position.norm());
    let on_bodies = sides().filter(|side| matches!(side.on, On::Body(_))).map(|side| side.pose.position.norm());
    let links =
        tree.links().iter().filter(|link| link.parent.is_some()).map(|link| link.placement.offset_at_zero().norm());
    let centres = tree.links().iter().map(|link| link.com.norm());
    let candidates: [Vec<f64>; 3] = [on_platform.collect(), on_bodies.chain(links).collect(), centres.collect()];
    let root_mean_square = |lengths: &Vec<f64>| {
        let positive = lengths.iter().filter(|&&length| length > 1e-9);
        let (sum, count) = positive.fold((0.0, 0.0), |(sum, count), length| (sum + length * length, count + 1.0));
        if count > 0.0 { Some((sum / count).sqrt()) } else { None }
    };
    candidates.iter().find_map(root_mean_square).unwrap_or(1.0)
}
