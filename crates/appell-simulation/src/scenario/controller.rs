//! What makes the robot do it: the section `[controller]`.

use super::drives;
use super::each::{Number, some_word};
use super::own_law::{LawOrder, OwnLaw};
use super::start::Known;
use super::{Cause, Each, Reference, ScenarioError, at};
use crate::control::operated::Operated;
use crate::control::{
    Adaptive, ComputedTorque, DriveTorque, Gains, InAdvance, JointPd, Limited, PlatformTorque, Wanted,
};
use crate::simulation::Law;
use crate::simulation::law::Free;
use crate::trajectory::{FrameReference, JointReference};
use appell::description::notes::Notes;
use appell::description::toml::reader::{Reader, Table};
use appell::dynamics::regressor::PARAMETERS_PER_BODY;
use appell::{Model, Robot};

/// A law with its numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Controller {
    pub(super) law: LawKind,
    gains: [Option<Each>; 3], // kp, kd, ki
    frequency: Option<Each>,  // ω
    damping: Option<Each>,    // ζ, or K of an adaptive law
    root: Option<Each>,       // p of integral action
    bandwidth: Option<Each>,  // Λ
    learning: Option<Each>,   // Γ
    limit: Limit,
    pub(super) own: Option<OwnLaw>, // of a library
}

/// Where torques and forces are cut.
#[derive(Debug, Clone, PartialEq, Default)]
enum Limit {
    /// At the limits of the robot's file, where there are some.
    OfRobot,
    Given(Each),
    #[default]
    None,
}

/// The laws of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LawKind {
    #[default]
    None,
    ComputedTorque,
    ToPoint,
    Pd(InAdvance),
    Adaptive,
    PlatformTorque,
    DriveTorque,
    /// A shared library's.
    Own,
}

const LAWS: &[(&str, LawKind)] = &[
    ("none", LawKind::None),
    ("computed-torque", LawKind::ComputedTorque),
    ("point-to-point", LawKind::ToPoint),
    ("pd", LawKind::Pd(InAdvance::Nothing)),
    ("pd-gravity", LawKind::Pd(InAdvance::Gravity)),
    ("feed-forward", LawKind::Pd(InAdvance::WantedMotion)),
    ("adaptive", LawKind::Adaptive),
    ("platform-torque", LawKind::PlatformTorque),
    ("drive-torque", LawKind::DriveTorque),
];

/// What is missing where no gains are given.
const GAINS: &str = "`natural_frequency` (rad/s), or `kp` and `kd`";

impl LawKind {
    /// The keys of a law's section: those of gains by frequencies, or by numbers, as it is written.
    const fn keys(self, by_frequency: bool) -> &'static [&'static str] {
        match self {
            Self::None => &["law"],
            Self::Own => &["law", "limit"],
            Self::Pd(_) => &["law", "kp", "kd", "ki", "limit"],
            Self::Adaptive => &["law", "bandwidth", "damping", "learning", "limit"],
            _ if by_frequency => &["law", "natural_frequency", "damping", "integral_root", "limit"],
            _ => &["law", "natural_frequency", "kp", "kd", "ki", "limit"],
        }
    }
}

impl Controller {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Self {
        let Some(node) = reader.get(file, "controller") else { return Self::default() };
        let Some(any) = reader.any_table(&node) else { return Self::default() };
        let named = reader.require(&any, "law", "the name of a law, or \"none\", or { library = \"PATH\" }");
        let own = match named.filter(|node| node.value.is_table()).map(|node| OwnLaw::read(reader, &node)) {
            Some(None) => return Self::default(),
            own => own.flatten(),
        };
        let law = if own.is_some() { Some(LawKind::Own) } else { some_word(reader, &any, "law", LAWS) };
        let Some(law) = law else { return Self::default() };
        let by_frequency = reader.get(&any, "natural_frequency").is_some();
        let Some(table) = reader.table(&node, law.keys(by_frequency)) else { return Self::default() };
        let limit = match reader.get(&table, "limit") {
            None => Limit::None,
            Some(node) if node.value.as_str() == Some("robot") => Limit::OfRobot,
            Some(_) => Each::read(reader, &table, "limit").map_or(Limit::None, Limit::Given),
        };
        let mut each = |key| Each::read(reader, &table, key);
        Self {
            law,
            gains: ["kp", "kd", "ki"].map(&mut each),
            frequency: each("natural_frequency"),
            damping: each("damping"),
            root: each("integral_root"),
            bandwidth: each("bandwidth"),
            learning: each("learning"),
            limit,
            own,
        }
    }

    /// The law that follows a reference, or what an operator commands instead, with a model of the robot.
    pub(super) fn drive<'r>(
        &self,
        machine: &'r Robot,
        reference: Option<&Reference>,
        operated: Option<&Operated<'r>>,
        start: &Known,
        notes: &Notes,
    ) -> Result<Box<dyn Law + 'r>, ScenarioError> {
        let missing = Cause::Missing { expected: "the motion that the controller shall follow, or `kind = \"hold\"`" };
        let quaternion = quaternion(machine);
        match (self.law, reference) {
            (LawKind::None, None) => return Ok(Box::new(Free)),
            (_, Some(_)) if quaternion.is_some() => at(notes, "reference", Err(quaternion.unwrap_or(missing)))?,
            (LawKind::None, _) => return Ok(Box::new(Free)),
            (_, None) if operated.is_none() => at(notes, "reference", Err(missing))?,
            _ => {}
        }
        let joints = || match (operated, reference) {
            (None, Some(reference)) => at(notes, "reference", reference.joints(machine, start)),
            (Some(operated), _) => Ok(operated.reference()),
            (None, None) => unreachable!("one of them is there"),
        };
        let path = reference.filter(|reference| operated.is_none() && reference.is_of_frame());
        let refuse = |of, robot, remedy| at(notes, "controller.law", Err(Cause::NotForThis { of, robot, remedy }));
        let names = drives::names(machine);
        let law: Box<dyn Law + 'r> = match (self.law, machine.model()) {
            (LawKind::ComputedTorque, Model::Tree(tree)) => {
                Box::new(ComputedTorque::tracking(tree, joints()?, self.gains(&names, notes)?))
            }
            (LawKind::ToPoint, Model::Tree(tree)) => {
                let target = at(notes, "reference", end_of(joints()?))?;
                Box::new(ComputedTorque::to_point(tree, &target, self.gains(&names, notes)?))
            }
            (LawKind::Pd(known), Model::Tree(tree)) => {
                Box::new(JointPd::new(tree, joints()?, self.gains(&names, notes)?, known))
            }
            (LawKind::Adaptive, Model::Tree(tree)) if tree.coordinates().is_some() => {
                let remedy = "take \"computed-torque\" or \"pd-gravity\"";
                return refuse("robots without followers and screws", tree.name().into(), remedy);
            }
            (LawKind::Adaptive, Model::Tree(tree)) => {
                let numbers = |key: &str, each: &Option<Each>, expected| {
                    let each = each.as_ref().ok_or(Cause::Missing { expected });
                    at(notes, key, each.and_then(|each| each.of(&names, None)))
                };
                let bandwidths = numbers("controller.bandwidth", &self.bandwidth, "Λ, 1/s")?;
                let damping = numbers("controller.damping", &self.damping, "K, N m s/rad")?;
                let learning = numbers("controller.learning", &self.learning, "Γ, how fast the bodies are learnt")?;
                let speeds = learning.iter().flat_map(|&speed| [speed; PARAMETERS_PER_BODY]).collect();
                Box::new(Adaptive::new(tree, joints()?, bandwidths, damping, speeds))
            }
            (LawKind::PlatformTorque | LawKind::ComputedTorque, Model::Closed(closed)) if path.is_some() => {
                let one = at(notes, "controller", self.one_gain(&names))?;
                let path = path.expect("a path").platform(closed, start);
                Box::new(PlatformTorque::new(closed, at(notes, "reference", path)?, one))
            }
            (LawKind::PlatformTorque, Model::Closed(closed)) if operated.is_none() => {
                let remedy = "let the reference be a line, an arc or via points, or take \"drive-torque\"";
                return refuse("paths of the platform", format!("the reference of {}", closed.name()), remedy);
            }
            // Operators move drives, whatever moves the platform otherwise.
            (LawKind::DriveTorque | LawKind::ComputedTorque | LawKind::PlatformTorque, Model::Closed(closed)) => {
                let (drives, freedoms) = (names.len(), closed.freedoms().len());
                let fits = if drives == freedoms { Ok(()) } else { Err(Cause::Drives { drives, freedoms }) };
                at(notes, "controller.law", fits)?;
                Box::new(DriveTorque::new(closed, joints()?, self.gains(&names, notes)?))
            }
            (LawKind::Pd(known), Model::Closed(closed)) => {
                Box::new(JointPd::of_drives(closed, joints()?, self.gains(&names, notes)?, known))
            }
            (LawKind::PlatformTorque | LawKind::DriveTorque, Model::Tree(tree)) => {
                return refuse("robots with closed loops", tree.name().into(), "take \"computed-torque\"");
            }
            (LawKind::ToPoint | LawKind::Adaptive, Model::Closed(closed)) => {
                let remedy = "take \"computed-torque\", \"drive-torque\" or \"pd-gravity\"";
                return refuse("open robots", closed.name().into(), remedy);
            }
            (LawKind::Own, model) => {
                let own = self.own.as_ref().expect("read together with its law");
                let not_opened = || Cause::NotOpened { library: own.asked.library.clone() };
                let make = at(notes, "controller.law", own.make.as_ref().ok_or_else(not_opened))?;
                let (drives, platform) = match model {
                    Model::Closed(closed) => {
                        let path = path.map(|path| at(notes, "reference", path.platform(closed, start))).transpose()?;
                        (closed.driven().to_vec(), path.map(|path| path as Box<dyn FrameReference + 'r>))
                    }
                    Model::Tree(_) => ((0..names.len()).collect(), None),
                };
                let order =
                    LawOrder { model: machine, names, drives, period: own.period, reference: joints()?, platform };
                at(notes, "controller.law", make(order))?
            }
            (LawKind::None, _) => unreachable!("such a robot is not driven"),
        };
        Ok(match self.limits(machine, notes)? {
            Some(limits) => Box::new(Limited::new(law, limits)),
            None => law,
        })
    }

    /// The gains of every joint or drive.
    pub(super) fn gains(&self, names: &[String], notes: &Notes) -> Result<Vec<Gains>, ScenarioError> {
        let numbers = |key: &str, each: &Option<Each>| {
            let zeros = vec![0.0; names.len()];
            at(notes, &format!("controller.{key}"), each.as_ref().map_or(Ok(zeros), |each| each.of(names, None)))
        };
        if self.frequency.is_some() {
            let frequency = numbers("natural_frequency", &self.frequency)?;
            let damping = match &self.damping {
                Some(_) => numbers("damping", &self.damping)?,
                None => vec![1.0; names.len()],
            };
            let root = numbers("integral_root", &self.root)?;
            let gains = |j: usize| Gains::with_integral(frequency[j], damping[j], root[j]);
            return Ok((0..names.len()).map(gains).collect());
        }
        if self.gains[0].is_none() {
            return at(notes, "controller", Err(Cause::Missing { expected: GAINS }));
        }
        let [kp, kd, ki] = &self.gains;
        let (kp, kd, ki) = (numbers("kp", kp)?, numbers("kd", kd)?, numbers("ki", ki)?);
        let gains = |j: usize| Gains { proportional: kp[j], derivative: kd[j], integral: ki[j] };
        Ok((0..names.len()).map(gains).collect())
    }

    /// The gains of a platform: one set for all its degrees of freedom.
    fn one_gain(&self, names: &[String]) -> Result<Gains, Cause> {
        let number = |each: &Option<Each>, none: Option<f64>, expected: &'static str| match (each, none) {
            (Some(Each::One(number)), _) => Ok(number.value),
            (None, Some(none)) => Ok(none),
            (None, None) => Err(Cause::Missing { expected }),
            (Some(each), _) => {
                let (found, of) = (each.of(names, None)?.len(), "all degrees of freedom of the platform");
                Err(Cause::Length { found, expected: 1, of: vec![of.into()] })
            }
        };
        if self.frequency.is_some() {
            let damping = number(&self.damping, Some(1.0), "ζ")?;
            let root = number(&self.root, Some(0.0), "p")?;
            return Ok(Gains::with_integral(number(&self.frequency, None, "ω, rad/s")?, damping, root));
        }
        Ok(Gains {
            proportional: number(&self.gains[0], None, GAINS)?,
            derivative: number(&self.gains[1], None, "K_d")?,
            integral: number(&self.gains[2], Some(0.0), "K_i")?,
        })
    }

    /// Whether a gain is negative, which pushes away from what is wanted.
    pub(super) fn pushes_away(&self) -> bool {
        let all = [&self.gains[0], &self.gains[1], &self.gains[2], &self.frequency, &self.damping, &self.root];
        let negative = |number: &Number| number.value < 0.0;
        all.into_iter().chain([&self.bandwidth, &self.learning]).flatten().any(|each| match each {
            Each::One(one) => negative(one),
            Each::All(all) => all.iter().any(negative),
            Each::Named(named) => named.iter().any(|(_, number)| negative(number)),
        })
    }

    /// Whether gains are of accelerations, so that the error of an exact model obeys them alone.
    pub(super) fn is_of_model(&self) -> bool {
        matches!(self.law, LawKind::ComputedTorque | LawKind::ToPoint | LawKind::PlatformTorque | LawKind::DriveTorque)
    }

    /// What each drive gives at most; joints without a motor give nothing.
    pub(super) fn limits(&self, machine: &Robot, notes: &Notes) -> Result<Option<Vec<f64>>, ScenarioError> {
        let names = drives::names(machine);
        let mut limits = match &self.limit {
            Limit::None => vec![f64::INFINITY; names.len()],
            Limit::OfRobot => {
                let limits: Vec<f64> = machine.drives().iter().map(|joint| joint.limits.effort).collect();
                let robot = machine.tree().name().to_owned();
                let has_some = limits.iter().any(|limit| limit.is_finite());
                at(notes, "controller.limit", if has_some { Ok(limits) } else { Err(Cause::NoLimits { robot }) })?
            }
            Limit::Given(each) => at(notes, "controller.limit", each.of(&names, Some(f64::INFINITY)))?,
        };
        if let Some(&value) = limits.iter().find(|limit| limit.is_nan() || **limit < 0.0) {
            let expected = "zero or a positive number, N m or N, or \"robot\"";
            return at(notes, "controller.limit", Err(Cause::OutOfRange { value, expected }));
        }
        if let Model::Tree(tree) = machine.model() {
            let drives = machine.drives();
            debug_assert_eq!(drives.len(), tree.velocities().len());
            limits.iter_mut().zip(drives).filter(|(_, drive)| !drive.driven).for_each(|(limit, _)| *limit = 0.0);
        }
        Ok(limits.iter().any(|limit| limit.is_finite()).then_some(limits))
    }
}

/// Why laws of joints cannot drive a robot, if they cannot: a joint of it is a quaternion.
pub(super) fn quaternion(machine: &Robot) -> Option<Cause> {
    let own = machine.tree().coordinates()?;
    let joint = (0..own.velocities().len()).find(|&k| own.position_of(k).is_none())?;
    let name = own.velocities()[joint].rsplit_once('.').map_or("", |(joint, _)| joint);
    Some(Cause::Quaternion { joint: name.into() })
}

/// Where a motion ends.
fn end_of(motion: Box<dyn JointReference + '_>) -> Result<Vec<f64>, Cause> {
    let end = motion.duration();
    let mut wanted = Wanted::new(motion);
    wanted.find(end)?;
    Ok(wanted.q)
}
