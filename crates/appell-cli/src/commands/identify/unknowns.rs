//! What is to be identified: from arguments to the columns of the library's equations.

use anyhow::{Context, bail, ensure};
use appell::description::JointKind;
use appell_identification::data::Layout;
use appell_identification::parameters::{Column, Coupling, Effect, Inertial, Model, Robot};
use clap::ValueEnum;

/// What acts in a joint beside the bodies, as users call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffectName {
    /// Fv: friction v
    Viscous,
    /// Fc: friction sign v, smoothed over --smoothing
    Coulomb,
    /// off: a constant effort, as of a wrong current zero
    Offset,
    /// Ia: inertia of the rotor, seen from the joint
    Rotor,
    /// k: a spring
    Stiffness,
    /// Fs: friction √|v| sign v, as of greased gears
    SquareRoot,
    /// F3: friction v³
    Cubic,
    /// Fa: viscous friction that differs by direction, |v|
    Asymmetric,
    /// Fb: Stribeck's excess near rest, exp(−(v/w)²) sign v, with w of --stribeck-speed
    Stribeck,
    /// g: what a unit of the measured effort is in N m or N; something that gives the scale must be --known, as a payload
    Gain,
}

/// The speed over which Coulomb friction changes its sign where nobody says one, rad/s or m/s.
const SMOOTHING: f64 = 0.01;

/// Speeds at which friction changes, rad/s or m/s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speeds {
    /// Over which Coulomb friction changes its sign; that of the robot's file if not given, or 0.01 where that jumps.
    pub(crate) smoothing: Option<f64>,
    pub(crate) stribeck: f64,
}

/// What users ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) effects: &'a [EffectName],
    pub(crate) speeds: Speeds,
    /// Names of parameters that the robot's file knows.
    pub(crate) known: &'a [String],
    /// Whether the bodies of all legs are alike.
    pub(crate) equal_legs: bool,
}

/// All columns of a robot, and those of them that are known.
pub(crate) struct Unknowns {
    /// All columns, known ones too.
    pub(crate) all: Model,
    /// The names of those that keep the value of the robot's file, with it.
    pub(crate) known: Vec<(String, f64)>,
    /// The others.
    pub(crate) model: Model,
}

impl EffectName {
    /// As the library calls it; Coulomb friction is smoothed as the robot's file says, where nothing else is asked for.
    fn effect(self, speeds: Speeds, of_file: f64) -> Effect {
        match self {
            Self::Viscous => Effect::Viscous,
            Self::Coulomb => Effect::Coulomb { smoothing: speeds.smoothing.unwrap_or(of_file) },
            Self::Offset => Effect::Offset,
            Self::Rotor => Effect::Rotor,
            Self::Stiffness => Effect::Stiffness,
            Self::SquareRoot => Effect::SquareRoot,
            Self::Cubic => Effect::Cubic,
            Self::Asymmetric => Effect::Asymmetric,
            Self::Stribeck => Effect::Stribeck { speed: speeds.stribeck },
            Self::Gain => Effect::DriveGain,
        }
    }
}

/// The smoothing of a robot's file, or some.
fn smooth(of_file: f64) -> f64 {
    if of_file > 0.0 { of_file } else { SMOOTHING }
}

/// What a robot's file can say of a joint.
const DESCRIBED: [EffectName; 5] =
    [EffectName::Viscous, EffectName::Coulomb, EffectName::Offset, EffectName::Rotor, EffectName::Stiffness];

impl Unknowns {
    /// Names and values of what is known.
    pub(super) fn known(&self) -> Vec<(&str, f64)> {
        self.known.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// The ten parameters of every body, one body for all legs alike where these are equal, `effects` in the driven joints and in coupled motors. What the file says of other
    /// effects, and the columns that `known` names, stay as they are there.
    pub(crate) fn new(
        robot: Robot<'_>,
        layout: Option<&Layout>,
        Asked { effects, speeds, known, equal_legs }: Asked<'_>,
    ) -> anyhow::Result<Self> {
        let tree = robot.tree();
        let measured = robot.measured();
        let mut all = Model::bodies(robot);
        if equal_legs {
            let Robot::Closed(closed) = robot else { bail!("--equal-legs is for parallel robots") };
            let before = all.columns().len();
            all = all.with_equal_legs(closed);
            ensure!(all.columns().len() < before, "--equal-legs: no two legs have as many joints of the same kinds");
        }
        let mut of_file = Vec::new(); // the columns of effects that are not asked for
        for joint in 0..tree.dof() {
            let smoothing = tree.effects()[joint].friction.smoothing;
            let asked: &[EffectName] = if measured.contains(&joint) { effects } else { &[] };
            let wanted: Vec<Effect> = asked.iter().map(|name| name.effect(speeds, smooth(smoothing))).collect();
            all = all.with_effects_in(&[joint], &wanted);
            let file = Speeds { smoothing: None, ..speeds };
            for name in DESCRIBED.into_iter().filter(|name| !asked.contains(name)) {
                let with = all.clone().with_effects_in(&[joint], &[name.effect(file, smoothing)]);
                let column = with.columns().len() - 1;
                if with.values(robot)[column] != 0.0 {
                    of_file.push(column);
                    all = with;
                }
            }
        }
        for (joint, coupling) in layout.map_or(Vec::new(), |layout| couplings(robot, layout)) {
            let smoothing = tree.effects()[joint].friction.smoothing;
            ensure!(
                !effects.contains(&EffectName::Gain),
                "gains belong to motors, and the gear couples them: no --effects gain"
            );
            let of_motor = effects.iter().filter(|name| !matches!(name, EffectName::Offset | EffectName::Stiffness));
            let of_motor: Vec<Effect> = of_motor.map(|name| name.effect(speeds, smooth(smoothing))).collect();
            all = all.with_coupling(coupling, &of_motor);
        }
        for name in known {
            of_file.extend(all.find(name).context("--known")?);
        }
        let values = all.values(robot);
        let known = of_file.iter().map(|&k| (all.name(k), values[k])).collect();
        let kept: Vec<usize> = (0..all.columns().len()).filter(|k| !of_file.contains(k)).collect();
        Ok(Self { model: all.with_columns(&kept), all, known })
    }
}

/// Whether a parallel robot has legs that could share their bodies, and do not.
pub(crate) fn may_share_legs(robot: Robot<'_>, model: &Model) -> bool {
    let Robot::Closed(closed) = robot else { return false };
    let each = Model::bodies(closed);
    let are_shared = (0..model.joint_names().len()).any(|joint| model.alike(joint).len() > 1);
    !are_shared && each.clone().with_equal_legs(closed).columns().len() < each.columns().len()
}

/// The motors that several joints turn, by the gear matrix: each with the joint it is named after.
fn couplings(robot: Robot<'_>, layout: &Layout) -> Vec<(usize, Coupling)> {
    let (Some(gear), measured) = (&layout.gear, robot.measured()) else { return Vec::new() };
    if gear.nrows() != measured.len() {
        return Vec::new(); // the layout is refused with the first recording
    }
    // motor = R sign (q − offset): in units of the joint with the same number.
    let turn = |motor: usize, k: usize| gear[(motor, k)] * layout.sign.get(k).unwrap_or(&1.0);
    let is_coupled = |motor: &usize| {
        let others = (0..measured.len()).filter(|k| k != motor).any(|k| gear[(*motor, k)] != 0.0);
        others && gear[(*motor, *motor)] != 0.0
    };
    let coupling = |motor: usize| {
        let mut coefficients = vec![0.0; robot.tree().dof()];
        measured.iter().enumerate().for_each(|(k, &joint)| coefficients[joint] = turn(motor, k) / turn(motor, motor));
        (measured[motor], Coupling { name: format!("m{}", motor + 1), coefficients })
    };
    (0..measured.len()).filter(is_coupled).map(coupling).collect()
}

/// The unit of a column.
pub(super) fn unit(model: &Model, robot: Robot<'_>, k: usize) -> &'static str {
    let (joint, effect) = match model.columns()[k] {
        Column::Inertial { parameter, .. } => return Inertial::unit(parameter),
        Column::Effect { joint, effect } => (joint, effect),
        Column::Coupled { motor, effect } => {
            let own = model.couplings()[motor].coefficients.iter().position(|&c| c == 1.0);
            (own.unwrap_or(0), effect)
        }
    };
    let turns = robot.tree().links()[joint].joint == JointKind::Revolute;
    match (effect, turns) {
        (Effect::Viscous | Effect::Asymmetric, true) => "N m s/rad",
        (Effect::Viscous | Effect::Asymmetric, false) => "N s/m",
        (Effect::Coulomb { .. } | Effect::Offset | Effect::Stribeck { .. }, true) => "N m",
        (Effect::Coulomb { .. } | Effect::Offset | Effect::Stribeck { .. }, false) => "N",
        (Effect::Rotor, true) => "kg m²",
        (Effect::Rotor, false) => "kg",
        (Effect::Stiffness, true) => "N m/rad",
        (Effect::Stiffness, false) => "N/m",
        (Effect::SquareRoot, true) => "N m √(s/rad)",
        (Effect::SquareRoot, false) => "N √(s/m)",
        (Effect::Cubic, true) => "N m (s/rad)³",
        (Effect::Cubic, false) => "N (s/m)³",
        (Effect::DriveGain, _) => "1",
    }
}
