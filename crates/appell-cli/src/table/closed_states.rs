//! Tables of states of closed robots: the platform's motion or the drives', torques or forces, and wrenches from
//! outside.

use super::header::{Vocabulary, range};
use super::poses::{POSITION, QUATERNION, unit_quaternion};
use super::reader::{Reader, Track};
use super::states::{WRENCH, part_of};
use super::{StatesTable, Table};
use appell::closed::ClosedMechanism;
use appell::description::{JointKind, PLATFORM};
use appell::dynamics::reactions::ExternalWrench;
use appell::question::{Input, Question};
use appell::question::{Motion, State};
use appell::spatial::{EulerAngles, Pose, Vec3, Wrench};
use appell_drawing::listing::{clip, list};
use std::collections::HashMap;
use std::path::Path;

/// A table of states under reading, with the row read last.
pub(crate) struct ClosedStateTable {
    reader: Reader<Quantity>,
    time: Option<f64>, // if there is a column for it
    orders: usize,     // of rates that are given or needed: velocities, then accelerations
    of_platform: bool, // whether the platform's motion is given, not the drives'
    home: Pose<f64>,
    position: [f64; 3],
    quaternion: Option<[f64; 4]>,  // if there are columns for it
    angles: Option<EulerMotion>,   // instead of quaternion and angular rates
    rates: [[Option<f64>; 6]; 2],  // twist and acceleration, of the columns that are there
    drives: [Vec<f64>; 4],         // q, v, a, tau
    external: Vec<ExternalWrench>, // one a frame that has columns for it
    on_platform: Option<Wrench>,
}

/// The platform's attitude and how it turns, in Euler angles.
struct EulerMotion {
    kind: EulerAngles,
    numbers: [[f64; 3]; 3], // angles, rates, accelerations
}

/// What a column can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Quantity {
    /// `t`: where it is, each row goes on from the one before.
    Time,
    Position(usize),
    Quaternion(usize),
    /// An Euler angle, its rate or its acceleration.
    Angle {
        order: usize,
        angle: usize,
    },
    /// A component of the platform's twist, or of its acceleration.
    OfTwist {
        order: usize,
        component: usize,
    },
    /// A number of a driven joint: positions, velocities, accelerations, torques and forces.
    OfDrive {
        input: usize,
        drive: usize,
    },
    /// A part of an external wrench at a frame of the tree.
    OnFrame {
        frame: usize,
        part: usize,
    },
    /// A part of an external wrench at the platform.
    OnPlatform {
        part: usize,
    },
}

/// The components of the platform's twist and acceleration, as columns name them.
const RATES: [[&str; 6]; 2] = [["vx", "vy", "vz", "wx", "wy", "wz"], ["ax", "ay", "az", "ex", "ey", "ez"]];

/// Euler angles, their rates and accelerations, as columns name them.
const ANGLES: [[&str; 3]; 3] =
    [["angle1", "angle2", "angle3"], ["rate1", "rate2", "rate3"], ["accel1", "accel2", "accel3"]];

/// What a drive has, as columns name it.
const DRIVES: [(Input, &str); 4] =
    [(Input::Positions, "q"), (Input::Velocities, "v"), (Input::Accelerations, "a"), (Input::Forces, "tau")];

impl ClosedStateTable {
    /// Opens a table of states of a robot for a question; `-` is stdin. With `angles` the platform's attitude and its
    /// rates are Euler angles.
    pub(crate) fn open(
        path: &Path,
        robot: &ClosedMechanism,
        question: Question,
        angles: Option<EulerAngles>,
    ) -> anyhow::Result<Self> {
        let (mut of_platform, mut orders) = (false, 2);
        let reader = Reader::open(path, |names| {
            of_platform = robot.platform().is_some() && (angles.is_some() || gives_platform(names, question));
            if is_of_motion(question) {
                orders = given_orders(names, of_platform, angles.is_some());
            }
            vocabulary(robot, question, of_platform, angles.is_some(), orders)
        })?;
        let has_wrench = |&frame: &usize| (0..6).any(|part| reader.has(Quantity::OnFrame { frame, part }));
        let takes_wrenches = question.takes_wrenches();
        let external = (0..robot.tree().frames().len())
            .filter(|frame| takes_wrenches && has_wrench(frame))
            .map(|frame| ExternalWrench { frame, wrench: Wrench::zero(0.0) })
            .collect();
        let pushed = takes_wrenches && (0..6).any(|part| reader.has(Quantity::OnPlatform { part }));
        Ok(Self {
            time: reader.has(Quantity::Time).then_some(0.0),
            orders,
            of_platform,
            home: robot.home().pose,
            position: robot.home().pose.position.to_array(),
            angles: angles.map(|kind| EulerMotion { kind, numbers: [[0.0; 3]; 3] }),
            quaternion: reader.has(Quantity::Quaternion(0)).then_some([0.0; 4]),
            rates: [1, 2].map(|order| if order > orders { [Some(0.0); 6] } else { [None; 6] }),
            drives: std::array::from_fn(|_| vec![0.0; robot.driven().len()]),
            external,
            on_platform: pushed.then_some(Wrench::zero(0.0)),
            reader,
        })
    }

    /// Whether the platform's motion is given, and not the drives'.
    pub(crate) fn gives_platform(&self) -> bool {
        self.of_platform
    }

    /// Whether there are columns of wrenches from outside.
    pub(crate) fn has_wrenches(&self) -> bool {
        !self.external.is_empty() || self.on_platform.is_some()
    }

    /// Whether driven joints go by their names.
    pub(crate) fn is_named(&self) -> bool {
        self.reader.is_named(|quantity| matches!(quantity, Quantity::OfDrive { .. }))
    }

    /// How many of a question's columns the table determines, the first of them: of motions those of the orders that
    /// are given.
    pub(crate) fn answered(&self, question: Question, columns: usize) -> usize {
        let orders = self.orders + 1;
        match question {
            Question::Platform => [7, 13, 19][self.orders],
            Question::Actuated | Question::Joints => columns / 3 * orders,
            _ => columns,
        }
    }
}

impl StatesTable for ClosedStateTable {
    fn state(&self) -> anyhow::Result<State<'_>> {
        let [q, v, a, tau] = &self.drives;
        let motion = if self.of_platform {
            let mut rotation = self.quaternion.map_or(Ok(self.home.rotation), unit_quaternion)?;
            let [mut twist, mut acceleration] = self.rates;
            if let Some(EulerMotion { kind, numbers: [q, v, a] }) = self.angles {
                let (e, e_rate) = (kind.omega_of_rates(q), kind.omega_of_rates_rate(q, v));
                let omega = e * Vec3::from(v);
                let omega_dot = e * Vec3::from(a) + e_rate * Vec3::from(v);
                rotation = kind.rotation(q);
                twist[3..].copy_from_slice(&omega.to_array().map(Some));
                acceleration[3..].copy_from_slice(&omega_dot.to_array().map(Some));
            }
            Motion::Platform { pose: Pose { position: self.position.into(), rotation }, twist, acceleration }
        } else {
            Motion::Joints
        };
        Ok(State { q, v, a, motion, tau, external: &self.external, on_platform: self.on_platform, ..State::default() })
    }
}

impl Table for ClosedStateTable {
    fn track(&self) -> &Track {
        self.reader.track()
    }

    fn time(&self) -> Option<f64> {
        self.time
    }

    fn advance(&mut self) -> anyhow::Result<bool> {
        self.reader.advance(|quantity, value| match quantity {
            Quantity::Time => self.time = Some(value),
            Quantity::Position(axis) => self.position[axis] = value,
            Quantity::Quaternion(part) => self.quaternion.get_or_insert_default()[part] = value,
            Quantity::Angle { order, angle } => {
                self.angles.iter_mut().for_each(|angles| angles.numbers[order][angle] = value);
            }
            Quantity::OfTwist { order, component } => self.rates[order][component] = Some(value),
            Quantity::OfDrive { input, drive } => self.drives[input][drive] = value,
            Quantity::OnFrame { frame, part } => {
                let there = self.external.iter_mut().filter(|there| there.frame == frame);
                there.for_each(|there| *part_of(&mut there.wrench, part) = value);
            }
            Quantity::OnPlatform { part } => {
                self.on_platform.iter_mut().for_each(|wrench| *part_of(wrench, part) = value);
            }
        })
    }
}

/// Whether a header is that of the platform's motion. Where it could be both, the pose says more: it is in no doubt
/// about the way the robot is assembled. Only the platform's own motion is asked for from the drives'.
fn gives_platform(names: &[&str], question: Question) -> bool {
    let drives = names.iter().any(|name| *name == "q1" || name.starts_with("q."));
    let platform = POSITION.iter().chain(&QUATERNION).any(|name| names.contains(name));
    if question == Question::Platform { platform && !drives } else { platform || !drives }
}

/// Whether a question is about a motion itself: positions alone have an answer, and rates where they are given.
fn is_of_motion(question: Question) -> bool {
    matches!(question, Question::Actuated | Question::Joints | Question::Platform)
}

/// How many orders of rates a header gives: none, velocities, or accelerations too.
fn given_orders(names: &[&str], of_platform: bool, in_angles: bool) -> usize {
    let is_of_platform =
        |name: &str, order: usize| RATES[order - 1].contains(&name) || (in_angles && ANGLES[order].contains(&name));
    let is_of_drives = |name: &str, order: usize| {
        let rest = name.strip_prefix(DRIVES[order].1).unwrap_or_default();
        rest.starts_with('.') || (!rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let gives = |order: &usize| {
        names.iter().any(|name| if of_platform { is_of_platform(name, *order) } else { is_of_drives(name, *order) })
    };
    [2, 1].into_iter().find(gives).unwrap_or(0)
}

/// The columns of a table for a question, with so many orders of rates.
///
/// Of the platform the pose is needed, its attitude only if it can turn, and of twist and acceleration those components
/// that are the robot's independent velocities; others are checked where they are there. With `in_angles` the attitude
/// and its rates are Euler angles; a robot that can only turn has its position then.
fn vocabulary(
    robot: &ClosedMechanism,
    question: Question,
    of_platform: bool,
    in_angles: bool,
    orders: usize,
) -> Vocabulary<Quantity> {
    let mut known = HashMap::from([("t".to_owned(), Quantity::Time)]);
    let mut needed: Vec<Vec<(String, Quantity)>> = Vec::new();
    let mut optional = vec![Quantity::Time];
    let mut reads = Vec::new();
    let wants = |input: Input| {
        let is_given = match input {
            Input::Velocities => orders >= 1,
            Input::Accelerations => orders >= 2,
            _ => true,
        };
        question.inputs().contains(&input) && is_given
    };
    let named = |names: &[&str], quantity: &dyn Fn(usize) -> Quantity| -> Vec<(String, Quantity)> {
        names.iter().enumerate().map(|(k, name)| ((*name).to_owned(), quantity(k))).collect()
    };
    if let Some(platform) = robot.platform() {
        let position = named(&POSITION, &Quantity::Position);
        let quaternion = named(&QUATERNION, &Quantity::Quaternion);
        known.extend(position.iter().cloned());
        if !in_angles {
            known.extend(quaternion.iter().cloned());
        }
        let moves = robot.freedoms().iter().any(|&k| k < robot.tree().dof() + 3);
        if in_angles {
            let groups =
                ANGLES.iter().enumerate().map(|(order, names)| named(names, &|angle| Quantity::Angle { order, angle }));
            for (group, input) in groups.zip([Input::Positions, Input::Velocities, Input::Accelerations]) {
                known.extend(group.iter().cloned());
                if wants(input) || input == Input::Positions {
                    reads.push(range(&group.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>()));
                    needed.push(group);
                }
            }
            if moves {
                reads.push("px…pz".to_owned());
                needed.push(position);
            } else {
                optional.extend(position.into_iter().map(|(_, quantity)| quantity));
            }
        } else if of_platform {
            needed.push(position);
            if platform.turns {
                needed.push(quaternion);
                reads.push("px…pz, qx…qw".to_owned());
            } else {
                optional.extend(quaternion.into_iter().map(|(_, quantity)| quantity));
                reads.push("px…pz".to_owned());
            }
        }
        for (order, input) in [Input::Velocities, Input::Accelerations].into_iter().enumerate() {
            let mut components = named(&RATES[order], &|component| Quantity::OfTwist { order, component });
            components.truncate(if in_angles { 3 } else { 6 }); // the others are rates of the angles
            known.extend(components.iter().cloned());
            if of_platform && wants(input) {
                let is_free = |component: usize| robot.freedoms().contains(&(robot.tree().dof() + component));
                let (free, bound): (Vec<_>, Vec<_>) =
                    components.into_iter().enumerate().partition(|(component, _)| is_free(*component));
                optional.extend(bound.into_iter().map(|(_, (_, quantity))| quantity));
                let free: Vec<(String, Quantity)> = free.into_iter().map(|(_, column)| column).collect();
                if !free.is_empty() {
                    reads.push(free.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" "));
                    needed.push(free);
                }
            }
        }
    }
    for (input, (vector, symbol)) in DRIVES.into_iter().enumerate() {
        let of_drive = |drive| Quantity::OfDrive { input, drive };
        let columns: Vec<(String, Quantity)> =
            (0..robot.driven().len()).map(|drive| (format!("{symbol}{}", drive + 1), of_drive(drive))).collect();
        let names = robot.driven().iter().map(|&joint| &robot.tree().joint_names()[joint]);
        known.extend(columns.iter().cloned());
        known.extend(names.enumerate().map(|(drive, name)| (format!("{symbol}.{name}"), of_drive(drive))));
        if !columns.is_empty() && wants(vector) && (!of_platform || vector == Input::Forces) {
            reads.push(range(&columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>()));
            needed.push(columns);
        }
    }
    let is_derivative = matches!(question, Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives);
    if !is_derivative {
        let frames = robot.tree().frames().iter().map(|frame| frame.name.as_str()).enumerate();
        let wrenches =
            frames.map(|(frame, name)| (name, Some(frame))).chain(robot.platform().map(|_| (PLATFORM, None)));
        for (name, frame) in wrenches {
            for (part, symbol) in WRENCH.iter().enumerate() {
                let on_platform = Quantity::OnPlatform { part };
                let quantity = frame.map_or(on_platform, |frame| Quantity::OnFrame { frame, part });
                known.insert(format!("{name}.{symbol}"), quantity);
                if question.takes_wrenches() {
                    optional.push(quantity);
                }
            }
        }
    }
    let joints: Vec<String> = robot.driven().iter().map(|&joint| robot.tree().joint_names()[joint].clone()).collect();
    let other = match (of_platform, robot.platform()) {
        _ if joints.is_empty() || in_angles => "",
        (true, _) => "; or, instead of the platform's motion, q1 … of the driven joints",
        (false, Some(_)) => "; or, instead of the driven joints' motion, px … of the platform",
        (false, None) => "",
    };
    let drives = match joints.first() {
        Some(first) => {
            format!("a driven joint may go by its name, as in q.{}; driven joints are {}", clip(first), list(&joints))
        }
        None => "no joint is driven".into(),
    };
    let hint = format!(
        "{} of {} reads {}, and accepts t and wrenches as in {}.fx … mz{other}; {drives}",
        question.name(),
        robot.name(),
        if reads.is_empty() { "nothing".into() } else { reads.join(", ") },
        if robot.platform().is_some() { PLATFORM } else { robot.tree().frames()[0].name.as_str() },
    );
    let links = robot.tree().links();
    let turning = robot.driven().iter().enumerate().filter(|(_, joint)| links[**joint].joint == JointKind::Revolute);
    let of_drives = turning.map(|(drive, _)| Quantity::OfDrive { input: 0, drive }); // input 0: positions
    let angles = of_drives.chain((0..3).map(|angle| Quantity::Angle { order: 0, angle })).collect();
    Vocabulary { known, needed, optional, angles, hint }
}
