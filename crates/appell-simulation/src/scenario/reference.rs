//! What the robot shall do: the section `[reference]`.

use super::drives;
use super::each::{exclude, pose_numbers, some, some_positive, some_truth, some_word};
use super::path::{Circle, PlatformPath, Points, SHAPES, TimeScale, angle, pace_keys, pose, series};
use super::start::Known;
use super::{Cause, Each};
use crate::trajectory::{
    Arc, Attitude, Blends, ClosedMotion, Ends, Follower, Fourier, FrameReference, JointReference, Line, Ramp, Shape,
    Spline, Start, Stops, Task, TimeLaw, ViaSpline,
};
use appell::closed::ClosedMechanism;
use appell::description::JointKind;
use appell::description::toml::reader::{Reader, Table};
use appell::kinematics;
use appell::mechanism::Mechanism;
use appell::spatial::{Mat3, Pose};
use appell::{Model, Robot};

/// A motion to follow.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reference {
    /// Staying where the robot starts, or at given positions of joints or drives.
    Hold {
        at: Option<Each>,
    },
    /// Straight from joints to joints, or from drives to drives.
    Joints {
        from: Option<Each>,
        to: Each,
        pace: TimeScale,
    },
    Spline {
        points: Points,
        cubic: bool,
        natural: bool,
        stops: Option<Shape>, // from point to point, at rest at each
    },
    Fourier {
        offset: Option<Each>,
        sin: Vec<Vec<f64>>,
        cos: Vec<Vec<f64>>,
        frequency: f64,
        periods: f64,
        from_rest: bool,
    },
    /// Of a frame, or of the platform.
    Line {
        frame: Frame,
        from: Option<Vec<f64>>,
        to: Vec<f64>,
        pace: TimeScale,
    },
    Arc {
        frame: Frame,
        from: Option<Vec<f64>>,
        circle: Circle,
        pace: TimeScale,
    },
    Via {
        frame: Frame,
        points: Points,
        blend: Option<f64>,
        stops: Option<Shape>,
    },
}

/// Which frame moves, and how the joints follow.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Frame {
    name: Option<String>,
    position_only: bool,
    hold: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hold,
    Joints,
    Spline,
    Fourier,
    Line,
    Arc,
    Via,
}

/// The kinds and their keys; those of a pace, [`TimeScale`], come to them.
const KINDS: &[(&str, (Kind, &[&str]))] = &[
    ("hold", (Kind::Hold, &["kind", "at"])),
    ("joints", (Kind::Joints, pace_keys!("kind", "from", "to"))),
    ("spline", (Kind::Spline, &["kind", "points", "file", "degree", "ends", "law"])),
    ("fourier", (Kind::Fourier, &["kind", "offset", "sin", "cos", "frequency", "periods", "from_rest"])),
    ("line", (Kind::Line, pace_keys!("kind", "frame", "position_only", "hold", "from", "to"))),
    (
        "arc",
        (
            Kind::Arc,
            pace_keys!(
                "kind",
                "frame",
                "position_only",
                "hold",
                "from",
                "to",
                "through",
                "centre",
                "axis",
                "turn",
                "follow"
            ),
        ),
    ),
    ("via", (Kind::Via, &["kind", "frame", "position_only", "hold", "points", "file", "blend", "law"])),
];

impl Reference {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Option<Self> {
        let node = reader.get(file, "reference")?;
        let any = reader.any_table(&node)?;
        reader.require(&any, "kind", "one of hold, joints, spline, fourier, line, arc, via")?;
        let (kind, keys) = some_word(reader, &any, "kind", KINDS)?;
        let table = reader.table(&node, keys)?;
        Some(match kind {
            Kind::Hold => Self::Hold { at: Each::read_positions(reader, &table, "at") },
            Kind::Joints => {
                reader.require(&table, "to", "where the joints go")?;
                Self::Joints {
                    to: Each::read_positions(reader, &table, "to")?,
                    from: Each::read_positions(reader, &table, "from"),
                    pace: TimeScale::read(reader, &table),
                }
            }
            Kind::Spline => {
                exclude(reader, &table, "law", &["degree", "ends"]);
                Self::Spline {
                    points: Points::read(reader, &table, false),
                    cubic: some_word(reader, &table, "degree", &[("cubic", true), ("quintic", false)]).unwrap_or(false),
                    natural: some_word(reader, &table, "ends", &[("rest", false), ("natural", true)]).unwrap_or(false),
                    stops: some_word(reader, &table, "law", SHAPES),
                }
            }
            Kind::Fourier => {
                let mut rows = |key| reader.get(&table, key).map_or(Vec::new(), |node| series(reader, &node));
                let (sin, cos) = (rows("sin"), rows("cos"));
                reader.require(&table, "frequency", "the fundamental frequency, Hz")?;
                Self::Fourier {
                    offset: Each::read_positions(reader, &table, "offset"),
                    sin,
                    cos,
                    frequency: some_positive(reader, &table, "frequency")?,
                    periods: some_positive(reader, &table, "periods").unwrap_or(1.0),
                    from_rest: some_truth(reader, &table, "from_rest"),
                }
            }
            Kind::Line => {
                reader.require(&table, "to", "where the line ends: x, y, z and perhaps an orientation")?;
                Self::Line {
                    frame: Frame::read(reader, &table),
                    from: some(reader, &table, "from", pose_numbers),
                    to: some(reader, &table, "to", pose_numbers)?,
                    pace: TimeScale::read(reader, &table),
                }
            }
            Kind::Arc => Self::Arc {
                frame: Frame::read(reader, &table),
                from: some(reader, &table, "from", pose_numbers),
                circle: Circle::read(reader, &table),
                pace: TimeScale::read(reader, &table),
            },
            Kind::Via => {
                exclude(reader, &table, "law", &["blend"]);
                Self::Via {
                    frame: Frame::read(reader, &table),
                    points: Points::read(reader, &table, true),
                    blend: some_positive(reader, &table, "blend"),
                    stops: some_word(reader, &table, "law", SHAPES),
                }
            }
        })
    }

    /// The table that holds its points, if it is not here.
    pub(super) fn points(&mut self) -> Option<&mut Points> {
        match self {
            Self::Spline { points, .. } | Self::Via { points, .. } => Some(points),
            _ => None,
        }
    }

    /// Whether it is a path of a frame, or of a platform.
    pub(super) fn is_of_frame(&self) -> bool {
        matches!(self, Self::Line { .. } | Self::Arc { .. } | Self::Via { .. })
    }

    /// The motion of all joints of a tree, or of the drives of a closed robot; `start` is what is said of where they begin.
    pub(super) fn joints<'r>(&self, machine: &'r Robot, start: &Known) -> Result<Box<dyn JointReference + 'r>, Cause> {
        match (self, machine.model()) {
            (Self::Line { frame, .. } | Self::Arc { frame, .. } | Self::Via { frame, .. }, Model::Tree(tree)) => {
                frame.follow(tree, start.drives.as_deref(), |home| Ok(self.path(home)?))
            }
            (Self::Line { .. } | Self::Arc { .. } | Self::Via { .. }, Model::Closed(closed)) => {
                Ok(Box::new(ClosedMotion::of_platform(closed, self.platform(closed, start)?, false)))
            }
            _ => self.of_joints(&drives::names_and_kinds(machine), &drives::start(machine, start.drives.as_deref())),
        }
    }

    /// The path of a platform, which may begin where that is.
    pub(super) fn platform(&self, robot: &ClosedMechanism, start: &Known) -> Result<PlatformPath, Cause> {
        if robot.platform().is_none() {
            return Err(Cause::NotForThis {
                of: "robots with a platform",
                robot: robot.name().to_owned(),
                remedy: "move its drives by `kind = \"joints\"`",
            });
        }
        if let Self::Line { frame, .. } | Self::Arc { frame, .. } | Self::Via { frame, .. } = self
            && *frame != Frame::default()
        {
            return Err(Cause::NotForThis {
                of: "frames of open robots",
                robot: robot.name().to_owned(),
                remedy: "its platform moves; leave out `frame`, `hold` and `position_only`",
            });
        }
        self.path(start.pose.unwrap_or(robot.home().pose))
    }

    fn of_joints<'r>(
        &self,
        drives: &[(String, JointKind)],
        start: &[f64],
    ) -> Result<Box<dyn JointReference + 'r>, Cause> {
        let names: Vec<String> = drives.iter().map(|(name, _)| name.clone()).collect();
        let each = |each: &Option<Each>| each.as_ref().map_or(Ok(start.to_vec()), |each| each.positions(drives));
        Ok(match self {
            Self::Hold { at } => Box::new(Ramp::staying(&each(at)?, 1.0)?),
            Self::Joints { from, to, pace } => Box::new(pace.ramp(&each(from)?, &to.positions(drives)?, &names)?),
            Self::Spline { points, cubic, natural, stops } => {
                let (times, rows) = points.get()?;
                if let Some(row) = rows.iter().find(|row| row.len() != names.len()) {
                    return Err(Cause::Length { found: row.len(), expected: names.len(), of: names.to_vec() });
                }
                let ends = if *natural { Ends::Natural } else { Ends::Rest };
                match stops {
                    Some(shape) => Box::new(Stops::of_joints(times, rows, *shape)?),
                    None if *cubic => Box::new(Spline::cubic(times, rows, ends)?),
                    None => Box::new(Spline::quintic(times, rows, ends)?),
                }
            }
            Self::Fourier { offset, sin, cos, frequency, periods, from_rest } => {
                for rows in [sin, cos] {
                    if !rows.is_empty() && rows.len() != names.len() {
                        return Err(Cause::Length { found: rows.len(), expected: names.len(), of: names.to_vec() });
                    }
                }
                let term = |rows: &[Vec<f64>], j: usize, k: usize| {
                    rows.get(j).and_then(|row| row.get(k)).copied().unwrap_or(0.0)
                };
                let harmonics = |j: usize| [sin, cos].map(|rows| rows.get(j).map_or(0, Vec::len)).into_iter().max();
                let terms =
                    |j: usize| (0..harmonics(j).unwrap_or(0)).map(|k| [term(sin, j, k), term(cos, j, k)]).collect();
                let terms: Vec<Vec<[f64; 2]>> = (0..names.len()).map(terms).collect();
                let series = Fourier::new(&each(offset)?, &terms, *frequency, *periods)?;
                Box::new(if *from_rest { series.from_rest()? } else { series })
            }
            Self::Line { .. } | Self::Arc { .. } | Self::Via { .. } => unreachable!("paths of frames are followed"),
        })
    }

    fn path(&self, home: Pose) -> Result<PlatformPath, Cause> {
        let begin = |from: &Option<Vec<f64>>| from.as_ref().map_or(Ok(home), |from| pose(from, home.rotation));
        let unit = TimeLaw::new(Shape::Quintic, 1.0)?;
        Ok(match self {
            Self::Line { from, to, pace, .. } => {
                let from = begin(from)?;
                let to = pose(to, from.rotation)?;
                let line = Line::new(&from, &to, unit)?;
                Box::new(Line::new(&from, &to, pace.along(line.length(), angle(&from.rotation, &to.rotation))?)?)
            }
            Self::Arc { from, circle, pace, .. } => {
                let from = begin(from)?;
                let (arc, turn) = arc(&from, circle, unit)?;
                Box::new(self::arc(&from, circle, pace.along(arc.length(), turn)?)?.0)
            }
            Self::Via { points, blend, stops, .. } => {
                let (times, rows) = points.get()?;
                let poses: Result<Vec<Pose>, Cause> = rows.iter().map(|row| pose(row, home.rotation)).collect();
                match (blend, stops) {
                    (Some(blend), _) => Box::new(Blends::new(times, &poses?, *blend)?),
                    (None, Some(shape)) => Box::new(Stops::of_poses(times, &poses?, *shape)?),
                    (None, None) => Box::new(ViaSpline::new(times, &poses?)?),
                }
            }
            _ => unreachable!("the others are motions of joints"),
        })
    }
}

/// An arc, and the angle that its frame turns by.
fn arc(from: &Pose, circle: &Circle, law: TimeLaw) -> Result<(Arc, f64), Cause> {
    let following = if circle.follow { Attitude::Following } else { Attitude::Constant };
    let turned = |to: &Mat3| angle(&from.rotation, to);
    match circle {
        Circle { through: Some(through), to: Some(to), .. } => {
            let end = pose(to, from.rotation)?;
            let attitude = if to.len() > 3 { Attitude::Slerp(end.rotation) } else { following };
            let arc = Arc::through(from, *through, end.position, attitude, law)?;
            let turn = if circle.follow { arc.angle().abs() } else { turned(&end.rotation) };
            Ok((arc, turn))
        }
        Circle { centre: Some(centre), axis: Some(axis), turn: Some(turn), .. } => {
            let arc = Arc::about(from, *centre, *axis, *turn, following, law)?;
            Ok((arc, if circle.follow { turn.abs() } else { 0.0 }))
        }
        _ => Err(Cause::Missing { expected: "`through` and `to`, or `centre`, `axis` and `turn`" }),
    }
}

impl Frame {
    fn read(reader: &mut Reader, section: &Table<'_>) -> Self {
        let hold = reader.get(section, "hold").and_then(|node| reader.items(&node, "names of joints"));
        let names = hold.unwrap_or_default();
        Self {
            name: reader.get(section, "frame").and_then(|node| reader.text(&node, "a frame's name").map(Into::into)),
            position_only: some_truth(reader, section, "position_only"),
            hold: names.iter().filter_map(|node| reader.text(node, "a joint's name").map(Into::into)).collect(),
        }
    }

    /// The joints that let the frame follow a path, which may begin where the frame is.
    fn follow<'r>(
        &self,
        robot: &'r Mechanism,
        start: Option<&[f64]>,
        path: impl FnOnce(Pose) -> Result<Box<dyn FrameReference>, Cause>,
    ) -> Result<Box<dyn JointReference + 'r>, Cause> {
        let index = match &self.name {
            None => robot.last_frame(),
            Some(name) => robot.frame(name).ok_or_else(|| Cause::UnknownFrame {
                name: name.clone(),
                known: robot.frames().iter().map(|frame| frame.name.clone()).collect(),
            })?,
        };
        let joint = |name: &String| {
            robot
                .joint_names()
                .iter()
                .position(|joint| joint == name)
                .ok_or_else(|| Cause::UnknownJoint { name: name.clone(), known: robot.joint_names().to_vec() })
        };
        let held: Vec<usize> = self.hold.iter().map(joint).collect::<Result<_, _>>()?;
        let near = start.map_or(vec![0.0; robot.dof()], <[f64]>::to_vec);
        let mut forward = kinematics::Workspace::new(robot);
        let home = kinematics::positions(robot, &mut forward, &near)[index];
        let task = if self.position_only { Task::Position } else { Task::Pose };
        Ok(Box::new(Follower::new(robot, index, path(home)?, task, Start::Near(&near), &held)?))
    }
}
