//! Tables of states, or of poses: motions of joints, of drives, of a platform or of a frame, torques and forces, and
//! wrenches from outside.

use super::quantities::{Given, Quantity, of_poses, of_states};
use super::reader::Reader;
use crate::place::unit_rotation;
use appell::Robot;
use appell::dynamics::reactions::ExternalWrench;
use appell::question::{Input, Motion, Question, State};
use appell::spatial::{EulerAngles, Mat3, Pose, Vec3, Wrench};
use std::collections::BTreeSet;
use std::path::Path;

/// A table of states under reading, with the row read last.
pub(crate) struct StateTable {
    pub(crate) reader: Reader<Quantity>,
    /// The time of the row; `None` if the table has no column `t`.
    pub(crate) time: Option<f64>,
    of_platform: bool, // whether the platform's motion is given, not the drives'
    orders: usize,     // of rates that are given or needed
    home: Pose,
    position: [f64; 3],
    quaternion: Option<[f64; 4]>,  // if there are columns for it
    angles: Option<EulerMotion>,   // instead of quaternion and angular rates
    rates: [[Option<f64>; 6]; 2],  // twist and acceleration, of the columns that are there
    vectors: [Vec<f64>; 5],        // as in Input::ALL; zeros where the question does not read
    external: Vec<ExternalWrench>, // one per frame of the tree that has columns for it
    on_platform: Option<Wrench>,
}

/// The platform's attitude and how it turns, in Euler angles.
struct EulerMotion {
    kind: EulerAngles,
    numbers: [[f64; 3]; 3], // angles, rates, accelerations
}

/// How far the norm of a quaternion may be from 1: what rounding to six digits does, and no more.
const ROUNDING: f64 = 1e-6;

impl StateTable {
    /// Opens a table of states of a robot for a question; `-` is stdin. With `angles` a platform's attitude and its
    /// rates are Euler angles.
    pub(crate) fn open(
        path: &Path,
        robot: &Robot,
        question: Question,
        angles: Option<EulerAngles>,
    ) -> anyhow::Result<Self> {
        let (mut of_platform, mut orders) = (false, 0);
        let reader = Reader::open(path, |names| {
            let given = Given::by(names, robot, question, angles.is_some());
            (of_platform, orders) = (given.of_platform, given.orders);
            of_states(robot, question, given)
        })?;
        let angles = angles.map(|kind| EulerMotion { kind, numbers: [[0.0; 3]; 3] });
        Ok(Self { of_platform, orders, angles, ..Self::new(reader, robot) })
    }

    /// Opens a table of poses of a frame of a robot, with positions of joints to start from; `-` is stdin.
    pub(crate) fn of_poses(path: &Path, robot: &Robot) -> anyhow::Result<Self> {
        Ok(Self::new(Reader::open(path, |names| of_poses(robot, names))?, robot))
    }

    fn new(reader: Reader<Quantity>, robot: &Robot) -> Self {
        let home = robot.closed().map_or(Pose::identity(0.0), |closed| closed.home().pose);
        let frame = |quantity| if let Quantity::OnFrame { frame, .. } = quantity { Some(frame) } else { None };
        let pushed: BTreeSet<usize> = reader.quantities().filter_map(frame).collect();
        let wrench = Wrench::zero(0.0);
        let of_tree = pushed.range(..robot.tree().frames().len());
        Self {
            time: reader.has(Quantity::Time).then_some(0.0),
            of_platform: false,
            orders: 0,
            position: home.position.to_array(),
            home,
            quaternion: reader.has(Quantity::Quaternion(0)).then_some([0.0; 4]),
            angles: None,
            rates: [[None; 6]; 2],
            vectors: Input::ALL.map(|input| match input {
                Input::Positions => robot.neutral(),
                _ => vec![0.0; robot.drives().len()],
            }),
            external: of_tree.map(|&frame| ExternalWrench { frame, wrench }).collect(),
            on_platform: pushed.last().filter(|frame| **frame >= robot.tree().frames().len()).map(|_| wrench),
            reader,
        }
    }

    /// Reads the next row; whether there was one.
    pub(crate) fn advance(&mut self) -> anyhow::Result<bool> {
        self.reader.advance(|quantity, value| match quantity {
            Quantity::Time => self.time = Some(value),
            Quantity::Position(axis) => self.position[axis] = value,
            Quantity::Quaternion(part) => self.quaternion.get_or_insert_default()[part] = value,
            Quantity::Angle { order, angle } => {
                self.angles.iter_mut().for_each(|angles| angles.numbers[order][angle] = value);
            }
            Quantity::OfTwist { order, component } => self.rates[order][component] = Some(value),
            Quantity::OfDrive { input, drive } => self.vectors[input as usize][drive] = value,
            Quantity::OnFrame { frame, part } => {
                let of_tree = self.external.iter_mut().find(|there| there.frame == frame);
                let wrench = of_tree.map(|there| &mut there.wrench).or(self.on_platform.as_mut());
                wrench.into_iter().for_each(|Wrench { force: f, moment: m }| {
                    *[&mut f.x, &mut f.y, &mut f.z, &mut m.x, &mut m.y, &mut m.z][part] = value;
                });
            }
        })
    }

    /// The state of the row.
    pub(crate) fn state(&self) -> anyhow::Result<State<'_>> {
        let [q, v, a, tau, w] = &self.vectors;
        let motion = if self.of_platform { self.motion()? } else { Motion::Joints };
        Ok(State { q, v, a, tau, w, motion, external: &self.external, on_platform: self.on_platform })
    }

    fn motion(&self) -> anyhow::Result<Motion<'_>> {
        let mut rotation = self.rotation()?.unwrap_or(self.home.rotation);
        // What is not given is found from the others, but zero where none of its order is.
        let of_order = |order: usize| if order < self.orders { self.rates[order] } else { [Some(0.0); 6] };
        let [mut twist, mut acceleration] = [0, 1].map(of_order);
        if let Some(EulerMotion { kind, numbers: [q, v, a] }) = self.angles {
            let (e, e_rate) = (kind.omega_of_rates(q), kind.omega_of_rates_rate(q, v));
            let omega = e * Vec3::from(v);
            let omega_dot = e * Vec3::from(a) + e_rate * Vec3::from(v);
            rotation = kind.rotation(q);
            twist[3..].copy_from_slice(&omega.to_array().map(Some));
            acceleration[3..].copy_from_slice(&omega_dot.to_array().map(Some));
        }
        Ok(Motion::Platform { pose: Pose { position: self.position(), rotation }, twist, acceleration })
    }

    /// The position of a row of poses.
    pub(crate) fn position(&self) -> Vec3 {
        self.position.into()
    }

    /// The orientation of the row; `None` if the table has no columns for it.
    pub(crate) fn rotation(&self) -> anyhow::Result<Option<Mat3>> {
        let of = |numbers| unit_rotation(numbers, "(qx, qy, qz, qw)", ROUNDING);
        self.quaternion.map(of).transpose()
    }

    /// Overwrites the joint positions that have a column with those of the row.
    pub(crate) fn write_start(&self, q: &mut [f64]) {
        for (drive, q) in q.iter_mut().enumerate() {
            if self.reader.has(Quantity::OfDrive { input: Input::Positions, drive }) {
                *q = self.vectors[0][drive];
            }
        }
    }

    /// Whether the platform's motion is given, and not the drives'.
    pub(crate) fn gives_platform(&self) -> bool {
        self.of_platform
    }

    /// Whether it has columns of external wrenches that the question takes.
    pub(crate) fn has_wrenches(&self) -> bool {
        !self.external.is_empty() || self.on_platform.is_some()
    }

    /// Whether joints go by their names.
    pub(crate) fn is_named(&self) -> bool {
        self.reader.is_named(|quantity| matches!(quantity, Quantity::OfDrive { .. }))
    }

    /// How many of a question's columns the table determines, the first of them: of motions those of the orders that
    /// are given.
    pub(crate) fn answered(&self, question: Question, columns: usize) -> usize {
        match question {
            Question::Platform => [7, 13, 19][self.orders],
            Question::Actuated | Question::Joints => columns / 3 * (self.orders + 1),
            _ => columns,
        }
    }
}
