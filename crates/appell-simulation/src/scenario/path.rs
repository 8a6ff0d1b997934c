//! Paths as a scenario writes them: how fast, and which poses.

use super::each::{
    exclude, pose_numbers, pose_of, positions, positions_of, some, some_positive, some_truth, some_word,
};
use super::{Cause, Each};
use crate::trajectory::{FrameRates, FrameReference, PathError, Ramp, Rates, Shape, TimeLaw};
use appell::description::Finding;
use appell::description::quantity::Dimension;
use appell::description::toml::reader::{Node, Reader, Table};
use appell::spatial::{Mat3, Pose, Quaternion, Vec3};

/// How far the norm of a quaternion may be from 1: what rounding to a few digits does, and no more.
const ROUNDING: f64 = 1e-3;

/// The path that a frame or a platform should follow.
pub(super) type PlatformPath = Box<dyn FrameReference + Send>;

/// How fast a path is gone along: in a given time, or as fast as limits allow.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeScale {
    shape: Shape,
    time: Option<f64>,
    limits: [Option<Each>; 3], // speed, acceleration, jerk
    turn: [Option<f64>; 2],    // speed, acceleration
}

/// The keys of a pace.
macro_rules! pace_keys {
    ($($key:literal),*) => { &[$($key,)* "law", "time", "speed", "acceleration", "jerk", "turn_speed", "turn_acceleration"] };
}
pub(super) use pace_keys;

/// Time laws.
pub(super) const SHAPES: &[(&str, Shape)] = &[
    ("constant", Shape::Constant),
    ("ramp", Shape::TRAPEZOIDAL),
    ("trapezoidal", Shape::TRAPEZOIDAL),
    ("s-curve", Shape::S_CURVE),
    ("cubic", Shape::Cubic),
    ("quintic", Shape::Quintic),
];

impl TimeScale {
    pub(super) fn read(reader: &mut Reader, section: &Table<'_>) -> Self {
        exclude(reader, section, "time", &["speed", "acceleration", "jerk", "turn_speed", "turn_acceleration"]);
        Self {
            shape: some_word(reader, section, "law", SHAPES).unwrap_or(Shape::Quintic),
            time: some_positive(reader, section, "time"),
            limits: ["speed", "acceleration", "jerk"].map(|key| Each::read(reader, section, key)),
            turn: ["turn_speed", "turn_acceleration"].map(|key| some_positive(reader, section, key)),
        }
    }

    fn has_limits(&self) -> bool {
        self.limits.iter().any(Option::is_some) || self.turn.iter().any(Option::is_some)
    }

    /// Straight from joints to joints.
    pub(super) fn ramp(&self, from: &[f64], to: &[f64], names: &[String]) -> Result<Ramp, Cause> {
        if let Some(time) = self.time {
            let stays = from == to;
            return Ok(if stays {
                Ramp::staying(to, time)?
            } else {
                Ramp::new(from, to, TimeLaw::new(self.shape, time)?)?
            });
        }
        if !self.has_limits() {
            return Err(Cause::Missing { expected: "`time`, or limits: `speed`, `acceleration`, `jerk`" });
        }
        let mut limits = Vec::new();
        for each in &self.limits {
            limits.push(match each {
                Some(each) => each.of(names, Some(f64::INFINITY))?,
                None => vec![f64::INFINITY; names.len()],
            });
        }
        let rates = |j: usize| Rates { speed: limits[0][j], acceleration: limits[1][j], jerk: limits[2][j] };
        Ok(Ramp::within(from, to, self.shape, &(0..names.len()).map(rates).collect::<Vec<_>>())?)
    }

    /// Along a path of a frame, of a length and a turn.
    pub(super) fn along(&self, length: f64, angle: f64) -> Result<TimeLaw, Cause> {
        if let Some(time) = self.time {
            return Ok(TimeLaw::new(self.shape, time)?);
        }
        if !self.has_limits() {
            return Err(Cause::Missing { expected: "`time`, or limits: `speed`, `acceleration`, `jerk`" });
        }
        let one = |each: &Option<Each>| match each {
            None => Ok(f64::INFINITY),
            Some(Each::One(limit)) => Ok(limit.value),
            Some(Each::All(all)) => Err(PathError::Length { what: "a limit of a path", found: all.len(), expected: 1 }),
            Some(Each::Named(all)) => {
                Err(PathError::Length { what: "a limit of a path", found: all.len(), expected: 1 })
            }
        };
        let [speed, acceleration, jerk] = &self.limits;
        let linear = Rates { speed: one(speed)?, acceleration: one(acceleration)?, jerk: one(jerk)? };
        let [speed, acceleration] = self.turn.map(|limit| limit.unwrap_or(f64::INFINITY));
        let most = FrameRates { linear, angular: Rates { speed, acceleration, jerk: f64::INFINITY } };
        Ok(TimeLaw::within(self.shape, most.over(length, angle))?)
    }
}

/// A pose from its position alone, with a given orientation, or with roll, pitch and yaw, or with a quaternion.
pub(super) fn pose(numbers: &[f64], rotation: Mat3) -> Result<Pose, Cause> {
    let (position, rotation) = match *numbers {
        [x, y, z] => ([x, y, z], rotation),
        [x, y, z, roll, pitch, yaw] => ([x, y, z], Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw))),
        [px, py, pz, x, y, z, w] => {
            let quaternion = Quaternion { x, y, z, w };
            let norm = quaternion.norm();
            if norm.is_nan() || (norm - 1.0).abs() > ROUNDING {
                return Err(Cause::Norm { norm });
            }
            ([px, py, pz], quaternion.normalized().rotation())
        }
        _ => return Err(Cause::Pose { found: numbers.len() }),
    };
    Ok(Pose { rotation, position: Vec3::from(position) })
}

/// The angle between two orientations.
pub(super) fn angle(from: &Mat3, to: &Mat3) -> f64 {
    Quaternion::of_rotation(&(*to * from.transpose())).rotation_vector().norm()
}

/// Points with their times, each a row of the time and numbers; or a file that holds them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Points {
    Here { times: Vec<f64>, rows: Vec<Vec<f64>> },
    File(String),
    None,
}

impl Points {
    /// Reads rows of a time and positions, or poses.
    pub(super) fn read(reader: &mut Reader, section: &Table<'_>, poses: bool) -> Self {
        exclude(reader, section, "file", &["points"]);
        if let Some(node) = reader.get(section, "file") {
            return reader.text(&node, "the path of a table, CSV").map_or(Self::None, |path| Self::File(path.into()));
        }
        let Some(node) = reader.require(section, "points", "rows of a time and positions, or `file`, a table of them")
        else {
            return Self::None;
        };
        let items = reader.items(&node, "an array of rows").unwrap_or_default();
        let (mut times, mut rows) = (Vec::new(), Vec::new());
        for item in &items {
            let cells = reader.items(item, "a row: a time and numbers").unwrap_or_default();
            let Some((time, cells)) = cells.split_first() else {
                reader.error(&item.place, Finding::WrongLength { found: 0, expected: 2, columns: "t, and numbers" });
                continue;
            };
            times.push(reader.number(time));
            rows.push(if poses { pose_of(reader, cells) } else { positions_of(reader, cells) });
        }
        Self::Here { times, rows }
    }

    /// Times and rows; the file has been read by now.
    pub(super) fn get(&self) -> Result<(&[f64], &[Vec<f64>]), Cause> {
        match self {
            Self::Here { times, rows } => Ok((times, rows)),
            Self::File(_) | Self::None => Err(Cause::Missing { expected: "the points of the table" }),
        }
    }
}

/// The coefficients of Fourier series: one row of harmonics a joint.
pub(super) fn series(reader: &mut Reader, node: &Node<'_>) -> Vec<Vec<f64>> {
    let items = reader.items(node, "rows of numbers, one row per joint, one value per harmonic").unwrap_or_default();
    items.iter().map(|item| positions(reader, item)).collect()
}

/// An arc's keys.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Circle {
    pub(super) through: Option<Vec3<f64>>,
    pub(super) to: Option<Vec<f64>>,
    pub(super) centre: Option<Vec3<f64>>,
    pub(super) axis: Option<Vec3<f64>>,
    pub(super) turn: Option<f64>,
    pub(super) follow: bool,
}

impl Circle {
    pub(super) fn read(reader: &mut Reader, section: &Table<'_>) -> Self {
        let length = |reader: &mut Reader, node: &Node<'_>| reader.constant(node, Dimension::Length);
        let vector = |reader: &mut Reader, node: &Node<'_>| reader.vector(node, "x, y, z", length);
        Self {
            through: some(reader, section, "through", vector),
            to: some(reader, section, "to", pose_numbers),
            centre: some(reader, section, "centre", vector),
            axis: some(reader, section, "axis", vector),
            turn: some(reader, section, "turn", |reader, node| reader.constant(node, Dimension::Angle)),
            follow: some_truth(reader, section, "follow"),
        }
    }
}
