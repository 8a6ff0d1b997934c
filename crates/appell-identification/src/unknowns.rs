//! What is unknown of a robot: from the effects that are asked for to the columns of its equations.

mod locked;

pub use locked::{Lock, LockError, with_locked};

use crate::data::Layout;
use crate::parameters::{Coupling, Effect, Model, UnknownName};
use appell::Robot;

/// The speed over which Coulomb friction changes its sign where neither the user nor the robot's file gives one, rad/s or m/s.
const SMOOTHING: f64 = 0.01;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What acts in the driven joints beside the bodies; what the robot's file says of other effects is taken as known.
    pub effects: Vec<Effect>,
    /// The speed over which Coulomb friction changes its sign, rad/s or m/s, in place of what [`Effect::Coulomb`] says; that of
    /// the robot's file if not given, or 0.01 where it has none.
    pub smoothing: Option<f64>,
    /// Names of parameters that keep the value of the robot's file: `Ia*`, `*.elbow`, `ZZ3`.
    pub known: Vec<String>,
    /// Whether the bodies of all legs of a parallel robot are alike.
    pub equal_legs: bool,
    /// Joints that stand, and were not recorded.
    pub locked: Vec<Lock>,
}

impl Default for Asked {
    /// All bodies; viscous and Coulomb friction, offset and rotor.
    fn default() -> Self {
        Self {
            effects: Effect::USUAL.to_vec(),
            smoothing: None,
            known: Vec::new(),
            equal_legs: false,
            locked: Vec::new(),
        }
    }
}

/// All columns of a robot, and which of them are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknowns {
    /// All columns, known ones too.
    pub all: Model,
    /// The names of those that keep the value of the robot's file, with it.
    pub known: Vec<(String, f64)>,
    /// The others.
    pub model: Model,
}

/// Why something cannot be unknown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum UnknownsError {
    /// Legs of a robot without any.
    #[error("--equal-legs is for parallel robots")]
    NotParallel,
    /// Legs that differ.
    #[error("--equal-legs: no two legs have as many joints of the same kinds")]
    NoEqualLegs,
    /// A gain of a motor that several joints turn.
    #[error("gains belong to motors, and the gear couples them: no --effects gain")]
    CoupledGain,
    /// A name that is none.
    #[error("--known: {0}")]
    Known(#[from] UnknownName),
    /// A joint that cannot stand.
    #[error("--lock: {0}")]
    Lock(#[from] LockError),
}

impl Unknowns {
    /// For a robot whose [locked](Asked::locked) joints stand ([`with_locked`]): the ten parameters of every body, one body for all legs where these are equal, and the effects in the driven joints and in
    /// the coupled motors of a layout.
    ///
    /// # Errors
    /// If the robot has no such parameters.
    pub fn new(
        robot: &Robot,
        layout: Option<&Layout>,
        Asked { effects, smoothing, known, equal_legs, .. }: &Asked,
    ) -> Result<Self, UnknownsError> {
        let (tree, drives) = (robot.tree(), robot.drives());
        let mut all = Model::bodies(robot);
        if *equal_legs {
            if robot.closed().is_none() {
                return Err(UnknownsError::NotParallel);
            }
            let before = all.columns().len();
            all = all.with_equal_legs(robot);
            if all.columns().len() == before {
                return Err(UnknownsError::NoEqualLegs);
            }
        }
        let of_file = |joint: usize| tree.effects()[joint].friction.smoothing;
        let smoothed = |effect: &Effect, joint: usize| match effect {
            Effect::Coulomb { .. } => {
                let usual = if of_file(joint) > 0.0 { of_file(joint) } else { SMOOTHING };
                Effect::Coulomb { smoothing: smoothing.unwrap_or(usual) }
            }
            other => *other,
        };
        let mut fixed = Vec::new(); // the columns that keep the value of the file
        for joint in 0..tree.dof() {
            let asked: &[Effect] = if drives.iter().any(|drive| drive.index == joint) { effects } else { &[] };
            let wanted: Vec<Effect> = asked.iter().map(|effect| smoothed(effect, joint)).collect();
            all = all.with_effects_in(&[joint], &wanted);
            let is_other =
                |own: &Effect| own.is_described() && asked.iter().all(|other| other.symbol() != own.symbol());
            for effect in Effect::ALL.into_iter().filter(is_other) {
                let effect = match effect {
                    Effect::Coulomb { .. } => Effect::Coulomb { smoothing: of_file(joint) },
                    other => other,
                };
                let with = all.clone().with_effects_in(&[joint], &[effect]);
                let column = with.columns().len() - 1;
                if with.values(robot)[column] != 0.0 {
                    fixed.push(column);
                    all = with;
                }
            }
        }
        for (joint, coupling) in layout.map_or(Vec::new(), |layout| couplings(robot, layout)) {
            if effects.contains(&Effect::DriveGain) {
                return Err(UnknownsError::CoupledGain);
            }
            let of_motor = effects.iter().filter(|effect| !matches!(effect, Effect::Offset | Effect::Stiffness));
            let of_motor: Vec<Effect> = of_motor.map(|effect| smoothed(effect, joint)).collect();
            all = all.with_coupling(coupling, &of_motor);
        }
        for name in known {
            fixed.extend(all.find(name)?);
        }
        let values = all.values(robot);
        let known = fixed.iter().map(|&k| (all.name(k), values[k])).collect();
        let kept: Vec<usize> = (0..all.columns().len()).filter(|k| !fixed.contains(k)).collect();
        Ok(Self { model: all.with_columns(&kept), all, known })
    }
}

/// Whether a parallel robot has legs that could share their bodies, and do not.
#[must_use]
pub fn may_share_legs(robot: &Robot, model: &Model) -> bool {
    let each = Model::bodies(robot);
    let are_shared = (0..model.joint_names().len()).any(|joint| model.alike(joint).len() > 1);
    !are_shared && each.clone().with_equal_legs(robot).columns().len() < each.columns().len()
}

/// The motors that several joints turn, by the gear matrix: each with the joint it is named after.
fn couplings(robot: &Robot, layout: &Layout) -> Vec<(usize, Coupling)> {
    let (Some(gear), drives) = (&layout.gear, robot.drives()) else { return Vec::new() };
    if gear.nrows() != drives.len() {
        return Vec::new(); // the layout is refused with the first recording
    }
    // motor = R sign (q − offset): in units of the joint with the same number.
    let turn = |motor: usize, k: usize| gear[(motor, k)] * layout.sign.get(k).unwrap_or(&1.0);
    let is_coupled = |motor: &usize| {
        let others = (0..drives.len()).filter(|k| k != motor).any(|k| gear[(*motor, k)] != 0.0);
        others && gear[(*motor, *motor)] != 0.0
    };
    let coupling = |motor: usize| {
        let mut coefficients = vec![0.0; robot.tree().dof()];
        drives
            .iter()
            .enumerate()
            .for_each(|(k, drive)| coefficients[drive.index] = turn(motor, k) / turn(motor, motor));
        (drives[motor].index, Coupling { name: format!("m{}", motor + 1), coefficients })
    };
    (0..drives.len()).filter(is_coupled).map(coupling).collect()
}
