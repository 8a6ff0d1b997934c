//! What is unknown of a robot: from the effects that are asked for to the columns of its equations.

mod locked;

pub use locked::{Lock, LockError, with_locked};

use crate::data::Layout;
use crate::parameters::{Coupling, Effect, Model, UnknownName, coupling};
use appell::Robot;
use appell::description::JointEffects;

/// The speed over which friction changes its sign where neither the user nor the robot's file gives one, rad/s or m/s.
const SMOOTHING: f64 = 0.01;

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What acts in the driven joints beside the bodies; what the robot's file says of other effects is taken as known.
    pub effects: Vec<Effect>,
    /// The speed over which friction changes its sign, rad/s or m/s, in place of what its effects say; that of
    /// the robot's file if not given, or 0.01 where it has none.
    pub smoothing: Option<f64>,
    /// The speed of Stribeck's excess, rad/s or m/s, in place of what [`Effect::Stribeck`] says; that of the robot's file if not given, or
    /// 0.1 where it has none.
    pub stribeck_speed: Option<f64>,
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
            stribeck_speed: None,
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
    #[error("equal legs are for parallel robots")]
    NotParallel,
    /// Legs that differ.
    #[error("equal legs: no two legs have as many joints of the same kinds")]
    NoEqualLegs,
    /// A gain of a motor that several joints turn.
    #[error("gains belong to motors, and the gear couples them: no effect gain")]
    CoupledGain,
    /// A motor on a body.
    #[error(
        "the motor `{motor}` is mounted on a body, and parameters of its gyroscopic torques are not identified; leave out `on` in a copy of \
         the file"
    )]
    Mounted {
        /// Its name.
        motor: String,
    },
    /// A name that is none.
    #[error("known: {0}")]
    Known(#[from] UnknownName),
    /// A joint that cannot stand.
    #[error("lock: {0}")]
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
        Asked { effects, smoothing, stribeck_speed, known, equal_legs, .. }: &Asked,
    ) -> Result<Self, UnknownsError> {
        let motors = robot
            .description()
            .map_or(Vec::new(), |file| file.transmissions.iter().flat_map(|own| &own.motors).collect());
        if let Some(motor) = motors.into_iter().find(|motor| motor.mounting.is_some()) {
            return Err(UnknownsError::Mounted { motor: motor.name.clone() });
        }
        let robot = &robot.without_motors();
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
        // Asked for, with the speeds that were given, or those of what the file says of a joint or motor.
        let wanted = |effects: &[Effect], own: &JointEffects| -> Vec<Effect> {
            let of_file = own.friction.smoothing;
            let over = smoothing.unwrap_or(if of_file > 0.0 { of_file } else { SMOOTHING });
            effects.iter().map(|effect| with_speed(*effect, *stribeck_speed, own).smoothed(over)).collect()
        };
        let mut fixed = Vec::new(); // the columns that keep the value of the file
        for joint in 0..tree.dof() {
            let own = &tree.effects()[joint];
            let asked: &[Effect] = if drives.iter().any(|drive| drive.index == joint) { effects } else { &[] };
            let wanted = wanted(asked, own);
            all = all.with_effects_in(&[joint], &wanted);
            for effect in others(&wanted, own) {
                fixed.push(all.columns().len());
                all = all.with_effects_in(&[joint], &[effect]);
            }
        }
        for coupling in couplings(robot, layout) {
            let own = robot.description().map_or(JointEffects::default(), |file| coupling.effects(file));
            let is_alone = coupling.joints().count() == 1;
            if !is_alone && effects.contains(&Effect::DriveGain) {
                return Err(UnknownsError::CoupledGain);
            }
            // What acts in the motor of one joint cannot be told from what acts in the joint.
            let of_motor = |effect: &&Effect| !is_alone && !matches!(effect, Effect::Offset | Effect::Stiffness);
            let wanted = wanted(&effects.iter().filter(of_motor).copied().collect::<Vec<_>>(), &own);
            let (many, known) = (wanted.len(), others(&wanted, &own));
            let first = all.columns().len() + many;
            fixed.extend(first..first + known.len());
            if many + known.len() > 0 {
                all = all.with_coupling(coupling, &[wanted, known].concat());
            }
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

/// Stribeck's excess with the speed that is asked for, or the file's.
fn with_speed(effect: Effect, asked: Option<f64>, own: &JointEffects) -> Effect {
    let of_file = own.friction.curve.map(|curve| curve.stribeck_speed).filter(|speed| *speed > 0.0);
    match effect {
        Effect::Stribeck { speed, smoothing } => {
            Effect::Stribeck { speed: asked.or(of_file).unwrap_or(speed), smoothing }
        }
        other => other,
    }
}

/// What a file says of a joint or motor beside what is wanted of it; with the same smoothing, of which a joint has one.
fn others(wanted: &[Effect], own: &JointEffects) -> Vec<Effect> {
    let smoothing = wanted.iter().find_map(Effect::smoothing).unwrap_or(own.friction.smoothing);
    let is_other = |effect: &Effect| {
        effect.is_described() && wanted.iter().all(|other| other.symbol() != effect.symbol()) && effect.of(own) != 0.0
    };
    let effects = Effect::ALL.into_iter().map(|effect| with_speed(effect, None, own).smoothed(smoothing));
    effects.filter(is_other).collect()
}

/// The motors of the file's transmissions, and those that several other joints turn, by the gear matrix.
fn couplings(robot: &Robot, layout: Option<&Layout>) -> Vec<Coupling> {
    let of_file = robot.description().map_or(Vec::new(), coupling::of_file);
    let is_known =
        |own: &Coupling| own.joints().any(|joint| of_file.iter().any(|other| other.coefficients[joint] != 0.0));
    let mut of_gear = layout.map_or(Vec::new(), |layout| of_gear(robot, layout));
    of_gear.retain(|own| !is_known(own));
    [of_file, of_gear].concat()
}

/// The motors that several joints turn, by the gear matrix.
fn of_gear(robot: &Robot, layout: &Layout) -> Vec<Coupling> {
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
        Coupling { name: format!("m{}", motor + 1), joint: drives[motor].index, coefficients }
    };
    (0..drives.len()).filter(is_coupled).map(coupling).collect()
}
