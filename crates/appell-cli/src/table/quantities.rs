//! What the columns of states and of poses give, and which of them a question needs.

use super::header::{Vocabulary, range};
use appell::closed::ClosedMechanism;
use appell::description::JointKind;
use appell::question::{Input, Question};
use appell::{Joint, Robot};
use appell_drawing::listing::{clip, list};
use std::collections::HashMap;

/// What a column can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Quantity {
    /// `t`: of closed robots each row goes on from the one before where it is there.
    Time,
    /// Of a platform, or of a frame.
    Position(usize),
    Quaternion(usize),
    /// An Euler angle of the platform, its rate or its acceleration.
    Angle {
        order: usize,
        angle: usize,
    },
    /// A component of the platform's twist, or of its acceleration.
    OfTwist {
        order: usize,
        component: usize,
    },
    /// A number of a joint, or of a driven one where loops are closed.
    OfDrive {
        input: Input,
        drive: usize,
    },
    /// A part of an external wrench, at a frame of the tree, or the one beyond: the platform's.
    OnFrame {
        frame: usize,
        part: usize,
    },
}

/// Position and quaternion of a pose, as columns name them.
pub(crate) const POSITION: [&str; 3] = ["px", "py", "pz"];
pub(crate) const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];

/// The components of the platform's twist and acceleration.
pub(crate) const RATES: [[&str; 6]; 2] = [["vx", "vy", "vz", "wx", "wy", "wz"], ["ax", "ay", "az", "ex", "ey", "ez"]];

/// Euler angles, their rates and accelerations.
const ANGLES: [[&str; 3]; 3] =
    [["angle1", "angle2", "angle3"], ["rate1", "rate2", "rate3"], ["accel1", "accel2", "accel3"]];

/// The parts of a wrench.
const WRENCH: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// A motion, order by order.
const MOTION: [Input; 3] = [Input::Positions, Input::Velocities, Input::Accelerations];

/// How a table gives states.
#[derive(Clone, Copy)]
pub(super) struct Given {
    /// By the platform's motion, not by the drives'.
    pub(super) of_platform: bool,
    /// With the platform's attitude and its rates in Euler angles.
    pub(super) in_angles: bool,
    /// Orders of rates that are given or needed: velocities, then accelerations.
    pub(super) orders: usize,
}

impl Given {
    /// What a header gives for a question.
    pub(super) fn by(names: &[&str], robot: &Robot, question: Question, in_angles: bool) -> Self {
        let of_platform = robot.platform().is_some() && (in_angles || gives_platform(names, question));
        // Of a motion itself positions alone have an answer, and rates where they are given.
        let is_of_motion = matches!(question, Question::Actuated | Question::Joints | Question::Platform);
        let orders = if is_of_motion { given_orders(names, of_platform, in_angles) } else { 2 };
        Self { of_platform, in_angles, orders }
    }

    /// Whether a question reads this of such a table.
    fn wants(&self, question: Question, input: Input) -> bool {
        let order = MOTION.iter().position(|of_order| *of_order == input).unwrap_or(0);
        question.reads(input) && order <= self.orders
    }
}

/// Whether a header is that of the platform's motion. Where it could be both, the pose says more: it is in no doubt
/// about the way the robot is assembled. Only the platform's own motion is asked for from the drives'.
fn gives_platform(names: &[&str], question: Question) -> bool {
    let drives = names.iter().any(|name| *name == "q1" || name.starts_with("q."));
    let platform = POSITION.iter().chain(&QUATERNION).any(|name| names.contains(name));
    if question == Question::Platform { platform && !drives } else { platform || !drives }
}

/// How many orders of rates a header gives: none, velocities, or accelerations too.
fn given_orders(names: &[&str], of_platform: bool, in_angles: bool) -> usize {
    let is_of_platform =
        |name: &str, order: usize| RATES[order - 1].contains(&name) || (in_angles && ANGLES[order].contains(&name));
    let is_of_drives = |name: &str, order: usize| {
        let rest = name.strip_prefix(MOTION[order].symbol()).unwrap_or_default();
        rest.starts_with('.') || (!rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let gives = |order: &usize| {
        names.iter().any(|name| if of_platform { is_of_platform(name, *order) } else { is_of_drives(name, *order) })
    };
    [2, 1].into_iter().find(gives).unwrap_or(0)
}

/// Columns that go together.
type Group = Vec<(String, Quantity)>;

fn group(names: &[&str], quantity: impl Fn(usize) -> Quantity) -> Group {
    names.iter().enumerate().map(|(k, name)| ((*name).to_owned(), quantity(k))).collect()
}

/// A vocabulary that grows.
struct Words<'r> {
    drives: Vec<Joint<'r>>,
    positions: Vec<&'r str>,
    turning: Vec<usize>, // positions that are angles
    known: HashMap<String, Quantity>,
    needed: Vec<Group>,
    optional: Vec<Quantity>,
    reads: Vec<String>, // what is needed, in a few words
}

impl<'r> Words<'r> {
    fn new(robot: &'r Robot) -> Self {
        let known = HashMap::from([("t".to_owned(), Quantity::Time)]);
        let optional = vec![Quantity::Time];
        let (drives, positions) = (robot.drives(), robot.positions());
        let is_angle = |name: &&str| drives.iter().any(|j| j.name == *name && j.kind == JointKind::Revolute);
        let turning = (0..positions.len()).filter(|&k| is_angle(&positions[k])).collect();
        Self { drives, positions, turning, known, needed: Vec::new(), optional, reads: Vec::new() }
    }

    fn know(&mut self, group: Group) -> Group {
        self.known.extend(group.iter().cloned());
        group
    }

    fn need(&mut self, group: Group) {
        self.reads.push(range(&group));
        self.needed.push(group);
    }

    fn allow(&mut self, group: Group) {
        self.optional.extend(group.into_iter().map(|(_, quantity)| quantity));
    }

    /// A quantity of every drive, which goes by its number, `q3`, or its name, `q.elbow`; a quaternion has four positions.
    fn of_drives(&mut self, input: Input) -> Group {
        let (symbol, of_drive) = (input.symbol(), |drive| Quantity::OfDrive { input, drive });
        let names: Vec<&str> = match input {
            Input::Positions => self.positions.clone(),
            _ => self.drives.iter().map(|joint| joint.name).collect(),
        };
        let numbered = names.iter().enumerate();
        self.known.extend(numbered.map(|(drive, name)| (format!("{symbol}.{name}"), of_drive(drive))));
        self.know((0..names.len()).map(|drive| (format!("{symbol}{}", drive + 1), of_drive(drive))).collect())
    }

    /// Of the platform the pose is needed, its attitude only if it can turn, and of twist and acceleration those
    /// components that are the robot's independent velocities; others are checked where they are there. A robot that
    /// can only turn has its position where its attitude is given in angles.
    fn add_platform(&mut self, robot: &ClosedMechanism, turns: bool, question: Question, given: Given) {
        let is_free = |component: usize| robot.freedoms().contains(&(robot.tree().dof() + component));
        let position = self.know(group(&POSITION, Quantity::Position));
        if given.in_angles {
            for (order, input) in MOTION.into_iter().enumerate() {
                let angles = self.know(group(&ANGLES[order], |angle| Quantity::Angle { order, angle }));
                if order == 0 || given.wants(question, input) {
                    self.need(angles);
                }
            }
            let moves = robot.freedoms().iter().any(|&k| k < robot.tree().dof() + 3);
            if moves { self.need(position) } else { self.allow(position) }
        } else {
            let quaternion = self.know(group(&QUATERNION, Quantity::Quaternion));
            if given.of_platform {
                self.need(position);
                if turns { self.need(quaternion) } else { self.allow(quaternion) }
            }
        }
        for (order, names) in RATES.iter().enumerate() {
            let names = &names[..if given.in_angles { 3 } else { 6 }]; // the others are rates of the angles
            let components = self.know(group(names, |component| Quantity::OfTwist { order, component }));
            if given.of_platform && given.wants(question, MOTION[order + 1]) {
                let part = |free: bool| -> Group {
                    let part = components.iter().enumerate().filter(|(component, _)| is_free(*component) == free);
                    part.map(|(_, column)| column.clone()).collect()
                };
                let free = part(true);
                self.allow(part(false));
                if !free.is_empty() {
                    self.reads.push(free.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" "));
                    self.needed.push(free);
                }
            }
        }
    }

    fn finish(self, hint: String) -> Vocabulary<Quantity> {
        let of_drives = self.turning.iter().map(|&drive| Quantity::OfDrive { input: Input::Positions, drive });
        let angles = of_drives.chain((0..3).map(|angle| Quantity::Angle { order: 0, angle })).collect();
        Vocabulary { known: self.known, needed: self.needed, optional: self.optional, angles, hint }
    }
}

/// The columns of a table of states for a question.
pub(super) fn of_states(robot: &Robot, question: Question, given: Given) -> Vocabulary<Quantity> {
    let mut words = Words::new(robot);
    if let (Some(closed), Some(platform)) = (robot.closed(), robot.platform()) {
        words.add_platform(closed, platform.turns, question, given);
    }
    let is_open = robot.closed().is_none();
    let mut accepts = String::new();
    for input in Input::ALL.into_iter().filter(|input| is_open || *input != Input::SecondVelocities) {
        let columns = words.of_drives(input);
        let is_read = given.wants(question, input) && (!given.of_platform || input == Input::Forces);
        if is_read && !columns.is_empty() {
            words.need(columns);
        } else if is_open {
            accepts += &(range(&columns) + ", ");
        }
    }
    // The derivatives of forces would change with wrenches, and do not know how: such columns are refused there.
    let is_derivative = matches!(question, Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives);
    let frames = robot.frames();
    for name in frames.iter().filter(|_| !is_derivative) {
        let tree = robot.tree();
        let frame = tree.frame(name).unwrap_or(tree.frames().len()); // the platform's is beyond

        let parts = WRENCH.map(|part| format!("{name}.{part}"));
        let parts = words.know(group(&parts.each_ref().map(String::as_str), |part| Quantity::OnFrame { frame, part }));
        if question.takes_wrenches() {
            words.allow(parts);
        }
    }
    let joints: Vec<&str> = words.drives.iter().map(|joint| joint.name).collect();
    let other = match robot.platform() {
        Some(_) if joints.is_empty() || given.in_angles => "",
        Some(_) if given.of_platform => "; or, instead of the platform's motion, q1 … of the driven joints",
        Some(_) => "; or, instead of the driven joints' motion, px … of the platform",
        None => "",
    };
    let driven = if is_open { "" } else { "driven " };
    let drives = match joints.first() {
        Some(first) => {
            let (first, all) = (clip(first), list(&joints));
            format!("a {driven}joint may go by its name, as in q.{first}; {driven}joints are {all}")
        }
        None => "no joint is driven".into(),
    };
    let hint = format!(
        "{} of {} reads {}, and accepts {accepts}t and wrenches as in {}.fx … mz{other}; {drives}",
        question.name(),
        robot.name(),
        if words.reads.is_empty() { "nothing".into() } else { words.reads.join(", ") },
        clip(frames.last().copied().unwrap_or_default()),
    );
    words.finish(hint)
}

/// The columns of a table of poses. The four of an orientation are needed as soon as there is one of them.
pub(super) fn of_poses(robot: &Robot, header: &[&str]) -> Vocabulary<Quantity> {
    let mut words = Words::new(robot);
    let position = words.know(group(&POSITION, Quantity::Position));
    words.need(position);
    let quaternion = words.know(group(&QUATERNION, Quantity::Quaternion));
    if QUATERNION.iter().any(|name| header.contains(name)) {
        words.need(quaternion);
    }
    let start = words.of_drives(Input::Positions);
    let hint = format!(
        "a table of poses has px, py, pz, and qx, qy, qz, qw for orientations, and accepts {} to start from, and t",
        range(&start)
    );
    words.allow(start);
    words.finish(hint)
}
