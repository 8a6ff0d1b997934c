//! Motions to follow, sampled: of a frame, of a platform, of joints or drives; with a check of limits.

use crate::errors::Kind;
use crate::place::{self, PoseNumbers, pose_numbers};
use crate::robot::Robot;
use crate::waiting::interruptible;
use appell::kinematics::spherical_wrist::{Branch, Sign};
use appell::spatial::{EulerAngles, Mat3, Pose, Quaternion};
use appell::{Model, Robot as Inner};
use appell_simulation::trajectory::limits::{self, Report};
use appell_simulation::trajectory::{
    Arc, Attitude, Blends, ClosedMotion, Coordinates, Ends, FollowError, Follower, Fourier, FrameRates, FrameReference,
    JointReference, JointStates, Line, PathError, Ramp, Rates, RobotMotion, Shape, Spline, Start, Task, TimeLaw,
    TreeMotion, ViaSpline,
};
use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A table of more rows is a mistake.
const MOST_ROWS: f64 = 1e7;

/// A path of a frame or of joints, made and checked.
#[derive(Clone)]
enum Path {
    Line(Line),
    Arc(Arc),
    Via(ViaSpline),
    Blends(Blends),
    Ramp(Ramp),
    Spline(Spline),
    Fourier(Fourier),
}

/// Keywords of a path, as `appell/trajectory.py` gives them.
struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> Keywords<'py> {
    fn get<T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(&self, name: &str) -> PyResult<Option<T>> {
        match self.0.get_item(name)? {
            Some(value) if !value.is_none() => value.extract().map(Some).map_err(Into::into),
            _ => Ok(None),
        }
    }

    fn need<T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(&self, name: &str) -> PyResult<T> {
        self.get(name)?.ok_or_else(|| pyo3::exceptions::PyTypeError::new_err(format!("give `{name}`")))
    }

    fn pose(&self, name: &str) -> PyResult<Pose> {
        Ok(place::pose(&self.need::<PoseNumbers>(name)?))
    }

    /// How fast: after a time, or within limits of a way of `length` m and a turn by `angle` rad.
    fn law(&self, length: f64, angle: f64) -> PyResult<TimeLaw> {
        let shape = shape(&self.need::<String>("law")?)?;
        if let Some(time) = self.get::<f64>("time")? {
            return TimeLaw::new(shape, time).map_err(|error| of_path(&error));
        }
        let names = ["speed", "acceleration", "jerk", "turn_speed", "turn_acceleration"];
        let mut limits = [f64::INFINITY; 5];
        for (limit, name) in limits.iter_mut().zip(names) {
            *limit = self.get(name)?.unwrap_or(f64::INFINITY);
        }
        if limits.iter().all(|limit| limit.is_infinite()) {
            return Err(Kind::Question.error("give `time`, or limits: `speed`, `acceleration`, `jerk`"));
        }
        let [speed, acceleration, jerk, turn_speed, turn_acceleration] = limits;
        let linear = Rates { speed, acceleration, jerk };
        let angular = Rates { speed: turn_speed, acceleration: turn_acceleration, jerk: f64::INFINITY };
        let law = TimeLaw::within(shape, FrameRates { linear, angular }.over(length, angle));
        law.map_err(|error| Kind::Question.error(format!("the limits leave no time law: {error}")))
    }

    /// The path of a kind.
    fn path(&self, kind: &str) -> PyResult<Path> {
        let made = |error: PathError| of_path(&error);
        let unit = TimeLaw::new(Shape::Quintic, 1.0).map_err(made)?;
        Ok(match kind {
            "line" => {
                let (from, to) = (self.pose("from")?, self.pose("to")?);
                let length = Line::new(&from, &to, unit).map_err(made)?.length();
                let law = self.law(length, angle_between(&from.rotation, &to.rotation))?;
                Path::Line(Line::new(&from, &to, law).map_err(made)?)
            }
            "arc" => {
                let from = self.pose("from")?;
                let follows = self.get("follow")?.unwrap_or(false);
                let make = |law: TimeLaw| -> PyResult<Arc> {
                    let following = if follows { Attitude::Following } else { Attitude::Constant };
                    if let Some(through) = self.get::<[f64; 3]>("through")? {
                        let to = self.pose("to")?;
                        let attitude = if follows { following } else { Attitude::Slerp(to.rotation) };
                        return Arc::through(&from, through.into(), to.position, attitude, law).map_err(made);
                    }
                    let (centre, axis): ([f64; 3], [f64; 3]) = (self.need("centre")?, self.need("axis")?);
                    Arc::about(&from, centre.into(), axis.into(), self.need("turn")?, following, law).map_err(made)
                };
                let arc = make(unit)?;
                let turned = angle_between(&from.rotation, &arc.motion(1.0).pose.rotation);
                let angle = if follows { arc.angle().abs() } else { turned };
                Path::Arc(make(self.law(arc.length(), angle)?)?)
            }
            "via" => {
                let poses: Vec<PoseNumbers> = self.need("poses")?;
                let poses: Vec<Pose> = poses.iter().map(place::pose).collect();
                let times: Vec<f64> = match self.get("times")? {
                    Some(times) => times,
                    None => shared(&poses, self.need("time")?),
                };
                match self.get::<f64>("blend")? {
                    None => Path::Via(ViaSpline::new(&times, &poses).map_err(made)?),
                    Some(blend) => Path::Blends(Blends::new(&times, &poses, blend).map_err(made)?),
                }
            }
            "ramp" => {
                let (from, to): (Vec<f64>, Vec<f64>) = (self.need("from")?, self.need("to")?);
                let longest = from.iter().zip(&to).map(|(from, to)| (to - from).abs()).fold(0.0, f64::max);
                Path::Ramp(Ramp::new(&from, &to, self.law(longest, 0.0)?).map_err(made)?)
            }
            "spline" => {
                let (times, q): (Vec<f64>, Vec<Vec<f64>>) = (self.need("times")?, self.need("points")?);
                let rates = (self.get::<Vec<Vec<f64>>>("velocities")?, self.get::<Vec<Vec<f64>>>("accelerations")?);
                let ends = if self.need::<String>("ends")? == "natural" { Ends::Natural } else { Ends::Rest };
                let spline = match rates {
                    (Some(v), Some(a)) => Spline::quintic_with(&times, &q, &v, &a),
                    (Some(v), None) => Spline::cubic_with(&times, &q, &v),
                    _ if self.need::<String>("degree")? == "cubic" => Spline::cubic(&times, &q, ends),
                    _ => Spline::quintic(&times, &q, ends),
                };
                Path::Spline(spline.map_err(made)?)
            }
            _ => {
                let terms: Vec<Vec<[f64; 2]>> = self.need("terms")?;
                let about: Vec<f64> = self.need("about")?;
                let series = Fourier::new(&about, &terms, self.need("frequency")?, self.need("periods")?);
                let series = series.map_err(made)?;
                let is_from_rest = self.get("from_rest")?.unwrap_or(false);
                Path::Fourier(if is_from_rest { series.from_rest().map_err(made)? } else { series })
            }
        })
    }
}

impl Path {
    /// As a motion of a frame, or of joints.
    fn boxed(self) -> Result<Box<dyn FrameReference>, Box<dyn JointReference>> {
        match self {
            Self::Line(path) => Ok(Box::new(path)),
            Self::Arc(path) => Ok(Box::new(path)),
            Self::Via(path) => Ok(Box::new(path)),
            Self::Blends(path) => Ok(Box::new(path)),
            Self::Ramp(path) => Err(Box::new(path)),
            Self::Spline(path) => Err(Box::new(path)),
            Self::Fourier(path) => Err(Box::new(path)),
        }
    }
}

/// How the joints of an open robot follow a frame.
#[derive(Clone)]
struct Following {
    frame: usize,
    start: Vec<f64>,
    branch: Option<Branch>,
    held: Vec<usize>,
    task: Task,
    platform: Option<EulerAngles>, // of a path of joints that are a platform's coordinates
}

/// What is sampled of a motion.
struct Sampled {
    rows: usize,
    t: Vec<f64>,
    joints: [Vec<f64>; 4],   // q, v, a, tau
    platform: [Vec<f64>; 3], // pose, twist, acceleration
    report: Option<Report>,
}

#[pymethods]
impl Robot {
    /// Lets the robot follow a path of a kind, in steps of `dt` s.
    #[pyo3(name = "_trajectory", signature = (kind, keywords, dt, torques, limits))]
    fn followed<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        keywords: Bound<'py, PyDict>,
        dt: f64,
        torques: bool,
        limits: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(Kind::Number.error(format!("`dt` is {dt}; expected a positive time, s")));
        }
        if self.inner.closed().is_none() && self.inner.tree().coordinates().is_some() {
            return Err(Kind::Question.error(format!(
                "{} has quaternions, screws or transmissions; trajectories are for robots whose joints are one number each, that \
                 turn or slide, and have a motor each",
                self.inner.name()
            )));
        }
        let keywords = Keywords(keywords);
        let path = keywords.path(kind)?;
        let following = self.following(&keywords)?;
        let most = keywords.get::<Vec<f64>>("max_acceleration")?;
        let accelerations = most.map(|most| self.each_drive(&most)).transpose()?.unwrap_or_default();
        let inner = self.inner.clone();
        let sampled = interruptible(py, None, move |waiting| {
            sample(&inner, path, &following, dt, torques, limits.then_some(&accelerations), || waiting.is_over())
        })?;
        let sampled = sampled.map_err(|error| of_following(&error, self.inner.name()))?;
        self.shown_motion(py, sampled, torques)
    }
}

#[pymethods]
impl Robot {
    /// Where a platform is at home in x, y, z and three Euler angles.
    #[pyo3(name = "_home_coordinates")]
    fn home_coordinates(&self, angles: &str) -> PyResult<Vec<f64>> {
        let angles = find_angles(angles)?;
        self.expect_platform("platform=…")?;
        let home = self.expect_closed("platform=…", "give positions of its joints")?.home().pose;
        // Where the angles are singular, as zyz of a platform that is not turned, zeros do if they fit.
        let turn = match angles.angles(&home.rotation) {
            Err(_) if angles.rotation([0.0; 3]) == home.rotation => [0.0; 3],
            found => found.map_err(|error| Kind::State.error(format!("platform: at home: {error}")))?,
        };
        Ok(home.position.to_array().into_iter().chain(turn).collect())
    }
}

impl Robot {
    fn following(&self, keywords: &Keywords<'_>) -> PyResult<Following> {
        let tree = self.inner.tree();
        let frame = match keywords.get::<String>("frame")? {
            None => tree.last_frame(),
            Some(name) => tree.frame(&name).ok_or_else(|| {
                Kind::Question.error(format!("no frame `{name}`; frames are {}", self.inner.frames().join(", ")))
            })?,
        };
        let index = |name: String| {
            self.inner.joint(&name).map(|joint| joint.index).ok_or_else(|| {
                Kind::Question.error(format!("hold: no joint `{name}`; joints are {}", tree.joint_names().join(", ")))
            })
        };
        let held = keywords.get::<Vec<String>>("hold")?.unwrap_or_default();
        let held = held.into_iter().map(index).collect::<PyResult<_>>()?;
        let start = keywords.get("start")?.unwrap_or_else(|| vec![0.0; tree.dof()]);
        let branch = keywords.get::<String>("branch")?.map(|signs| branch(&signs)).transpose()?;
        let task = if keywords.get("position_only")?.unwrap_or(false) { Task::Position } else { Task::Pose };
        let platform = keywords.get::<String>("platform")?.map(|name| find_angles(&name)).transpose()?;
        if platform.is_some() {
            self.expect_platform("platform=…")?;
        }
        Ok(Following { frame, start, branch, held, task, platform })
    }

    /// Limits of acceleration of all joints of the tree, from one for all drives or one each.
    fn each_drive(&self, most: &[f64]) -> PyResult<Vec<f64>> {
        let drives = self.inner.drives();
        if most.len() != 1 && most.len() != drives.len() {
            return Err(Kind::Shape.error(format!(
                "`max_acceleration` has {} numbers; expected 1 or {}",
                most.len(),
                drives.len()
            )));
        }
        let mut all = vec![f64::INFINITY; self.inner.tree().dof()];
        for (k, drive) in drives.iter().enumerate() {
            all[drive.index] = most[if most.len() == 1 { 0 } else { k }];
        }
        Ok(all)
    }

    fn shown_motion<'py>(&self, py: Python<'py>, sampled: Sampled, torques: bool) -> PyResult<Bound<'py, PyDict>> {
        let Sampled { rows, t, joints, platform, report } = sampled;
        let table = |numbers: Vec<f64>| -> Option<Bound<'py, PyArray2<f64>>> {
            let width = numbers.len() / rows;
            let array = Array2::from_shape_vec((rows, width), numbers).expect("as many a row");
            (width > 0).then(|| PyArray2::from_owned_array(py, array))
        };
        let dict = PyDict::new(py);
        dict.set_item("t", numpy::PyArray1::from_vec(py, t))?;
        let names = ["q", "v", "a", "tau"].into_iter().zip(joints);
        for (name, numbers) in names.filter(|(name, _)| torques || *name != "tau") {
            dict.set_item(name, table(numbers))?;
        }
        for (name, numbers) in ["pose", "twist", "acceleration"].into_iter().zip(platform) {
            dict.set_item(name, table(numbers))?;
        }
        if let Some(Report { first, peaks }) = report {
            dict.set_item("first", first.map(|first| first.to_string()))?;
            let names = self.inner.tree().joint_names();
            let shown =
                peaks.iter().map(|peak| (&names[peak.joint], peak.quantity.name(), peak.time, peak.value, peak.limit));
            dict.set_item("peaks", shown.collect::<Vec<_>>())?;
        }
        Ok(dict)
    }
}

/// A robot on a motion, made anew with torques or without.
enum Motion<'r> {
    Tree(TreeMotion<'r>),
    Closed(Box<ClosedMotion<'r>>),
}

impl<'r> Motion<'r> {
    fn new(robot: &'r Inner, path: Path, following: &Following, efforts: bool) -> Result<Self, Failed> {
        Ok(match (robot.model(), path.boxed()) {
            (Model::Tree(tree), Ok(path)) => {
                let Following { frame, start, branch, held, task, .. } = following;
                let start = branch.map_or(Start::Near(start), |branch| Start::Branch(branch, start));
                let follower = Follower::new(tree, *frame, path, *task, start, held)?;
                Self::Tree(TreeMotion::new(tree, Box::new(follower), efforts))
            }
            (Model::Tree(tree), Err(path)) => Self::Tree(TreeMotion::new(tree, path, efforts)),
            (Model::Closed(closed), Ok(path)) => {
                Self::Closed(Box::new(ClosedMotion::of_platform(closed, path, efforts)))
            }
            (Model::Closed(closed), Err(path)) => Self::Closed(Box::new(match following.platform {
                None => ClosedMotion::of_drives(closed, path, efforts),
                Some(angles) => {
                    let path = Box::new(Coordinates::new(path, angles)?);
                    ClosedMotion::of_platform(closed, path, efforts)
                }
            })),
        })
    }

    fn whole(&mut self) -> &mut dyn RobotMotion {
        match self {
            Self::Tree(motion) => motion,
            Self::Closed(motion) => &mut **motion,
        }
    }
}

/// Why nothing was sampled.
enum Failed {
    Rows { duration: f64, dt: f64 },
    Follow(FollowError),
    Path(PathError),
}

impl From<PathError> for Failed {
    fn from(error: PathError) -> Self {
        Self::Path(error)
    }
}

impl From<FollowError> for Failed {
    fn from(error: FollowError) -> Self {
        Self::Follow(error)
    }
}

fn sample(
    robot: &Inner,
    path: Path,
    following: &Following,
    dt: f64,
    torques: bool,
    checked: Option<&Vec<f64>>,
    mut is_abandoned: impl FnMut() -> bool,
) -> Result<Sampled, Failed> {
    let mut motion = Motion::new(robot, path.clone(), following, torques)?;
    let duration = motion.whole().duration();
    let steps = (duration / dt - 1e-9).ceil().max(1.0);
    if steps >= MOST_ROWS {
        return Err(Failed::Rows { duration, dt });
    }
    let steps = steps as usize;
    let drives: Vec<usize> = robot.drives().iter().map(|drive| drive.index).collect();
    let mut sampled = Sampled {
        rows: steps + 1,
        t: Vec::with_capacity(steps + 1),
        joints: Default::default(),
        platform: Default::default(),
        report: None,
    };
    for k in 0..=steps {
        if is_abandoned() {
            sampled.rows = k.max(1);
            return Ok(sampled); // nobody looks at it
        }
        let t = if k == steps { duration } else { dt * k as f64 };
        if let Motion::Closed(motion) = &mut motion
            && let Some(moved) = motion.platform(t)?
            && robot.platform().is_some()
        {
            sampled.platform[0].extend(pose_numbers(&moved.pose));
            sampled.platform[1].extend(moved.twist.to_array());
            sampled.platform[2].extend(moved.acceleration.to_array());
        }
        let JointStates { q, v, a, tau } = motion.whole().at(t)?;
        sampled.t.push(t);
        for (numbers, all) in [q, v, a, tau].into_iter().zip(&mut sampled.joints) {
            all.extend(drives.iter().map(|&j| numbers[j] + 0.0)); // no negative zero
        }
    }
    if let Some(accelerations) = checked {
        let limited = robot.joints().any(|joint| joint.limits.effort.is_finite());
        let mut motion = Motion::new(robot, path, following, torques || limited)?;
        sampled.report = Some(limits::check(motion.whole(), accelerations, dt)?);
    }
    Ok(sampled)
}

/// Times shared out by way and turn, a metre counting as a radian.
fn shared(poses: &[Pose], time: f64) -> Vec<f64> {
    let way = |pair: &[Pose]| {
        let turn = angle_between(&pair[0].rotation, &pair[1].rotation);
        (pair[1].position - pair[0].position).norm().hypot(turn)
    };
    let ways: Vec<f64> = std::iter::once(0.0).chain(poses.windows(2).map(way)).collect();
    let (whole, mut passed) = (ways.iter().sum::<f64>(), 0.0);
    let time_at = |way: f64| {
        passed += way;
        time * passed / whole
    };
    ways.into_iter().map(time_at).collect()
}

fn angle_between(one: &Mat3, other: &Mat3) -> f64 {
    Quaternion::of_rotation(&(*other * one.transpose())).rotation_vector().norm()
}

fn shape(name: &str) -> PyResult<Shape> {
    Ok(match name {
        "constant" => Shape::Constant,
        "ramp" | "trapezoidal" => Shape::TRAPEZOIDAL,
        "s-curve" => Shape::S_CURVE,
        "cubic" => Shape::Cubic,
        "quintic" => Shape::Quintic,
        other => {
            return Err(Kind::Question
                .error(format!("no time law `{other}`; laws are constant, ramp, s-curve, cubic, quintic")));
        }
    })
}

/// Euler angles by their name, such as 321 or zyz.
fn find_angles(name: &str) -> PyResult<EulerAngles> {
    EulerAngles::ALL.into_iter().find(|angles| angles.name() == name).ok_or_else(|| {
        let known: Vec<&str> = EulerAngles::ALL.into_iter().map(EulerAngles::name).collect();
        Kind::Question.error(format!("platform: no Euler angles `{name}`; angles are {}", known.join(", ")))
    })
}

/// Signs of shoulder, elbow and wrist, as in +-+.
fn branch(signs: &str) -> PyResult<Branch> {
    let sign = |letter: char| match letter {
        '+' => Some(Sign::Plus),
        '-' => Some(Sign::Minus),
        _ => None,
    };
    match signs.chars().map(sign).collect::<Option<Vec<Sign>>>().as_deref() {
        Some(&[shoulder, elbow, wrist]) => Ok(Branch { shoulder, elbow, wrist }),
        _ => Err(Kind::Question
            .error(format!("branch is `{signs}`; expected the signs of shoulder, elbow and wrist, as in +-+"))),
    }
}

fn of_path(error: &PathError) -> PyErr {
    let kind = match error {
        PathError::Length { .. } | PathError::TooFew { .. } => Kind::Shape,
        PathError::NotFinite { .. } => Kind::Number,
        _ => Kind::Question,
    };
    kind.error(error.to_string())
}

fn of_following(error: &Failed, name: &str) -> PyErr {
    match error {
        Failed::Rows { duration, dt } => {
            Kind::Question.error(format!("{duration} s in steps of {dt} s are too many rows; choose a longer `dt`"))
        }
        Failed::Follow(error @ (FollowError::Redundant { .. } | FollowError::Type(_) | FollowError::Fixed { .. })) => {
            Kind::Question.error(format!("{name}: {error}"))
        }
        Failed::Path(error) => of_path(error),
        Failed::Follow(error) => Kind::State.error(format!("{name}: {error}")),
    }
}
