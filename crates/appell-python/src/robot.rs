//! The class `Robot`: from text, its parts by name, changed copies.

use crate::errors::{self, Kind};
use appell::description::{Convention, PLATFORM, Severity, mjcf};
use appell::dynamics::regressor::{self, OF_A_JOINT, PARAMETERS_PER_BODY};
use appell::mechanism::Axes;
use appell::question::table::Trait;
use appell::question::{Array, Evaluator, Question, Target};
use appell::spatial::Quaternion;
use appell::{Format, Robot as Inner, RobotFile, robots as builtin};
use appell_batch::Batch;
use appell_device::{Device, DeviceBatch, OnDevice};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A question made ready, and room for its answer.
pub(crate) struct Prepared {
    pub(crate) evaluator: Evaluator,
    pub(crate) row: Vec<f64>,
    pub(crate) arrays: Vec<Array>,
}

/// Questions made ready that nobody uses now. In boxes, because they are handed out and back.
type Free = Vec<Box<Prepared>>;

/// How a question is asked, if not by its first method about the last frame.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct How {
    pub(crate) method: Option<String>,
    pub(crate) frame: Option<usize>,
    pub(crate) axes: Option<usize>,
}

impl How {
    pub(crate) fn target(&self) -> Target {
        Target { frame: self.frame, axes: self.axes.map_or(Axes::Base, Axes::Frame) }
    }
}

/// A question on a device, which one thread asks at a time.
type OnDevices = Arc<Mutex<DeviceBatch>>;

/// A robot: checked once, immutable, shared by threads.
#[pyclass(frozen, subclass, module = "appell._appell")]
pub(crate) struct Robot {
    pub(crate) inner: Inner,
    /// How many numbers a position has, and a velocity.
    pub(crate) widths: [usize; 2],
    /// Which components of a platform's twist are independent.
    pub(crate) twist_places: Vec<usize>,
    ready: Vec<Mutex<Free>>, // by question, asked plainly; one per thread that asks at a time
    others: Mutex<HashMap<(Question, How), Free>>,
    batches: Mutex<HashMap<(Question, How), Batch>>,
    on_devices: Mutex<HashMap<(Question, How, Device), OnDevices>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const TWIST: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

impl Robot {
    pub(crate) fn of(inner: Inner) -> Self {
        let positions = inner.positions().len();
        let others = inner.drives().len();
        let place = |name: &String| TWIST.iter().position(|part| part == name);
        let twist_places = inner.freedoms().iter().filter_map(place).collect();
        Self {
            widths: [positions, others],
            twist_places,
            ready: Question::ALL.iter().map(|_| Mutex::default()).collect(),
            others: Mutex::default(),
            batches: Mutex::default(),
            on_devices: Mutex::default(),
            inner,
        }
    }

    fn prepared(&self, question: Question, how: &How) -> PyResult<Prepared> {
        let evaluator = Evaluator::new(&self.inner, question, how.method.as_deref(), how.target())
            .map_err(|error| errors::of_question(&error))?;
        let row = vec![0.0; evaluator.columns().len()];
        Ok(Prepared { evaluator, row, arrays: question.arrays(&self.inner) })
    }

    /// A question made ready that nobody else uses; give it back by [`Robot::give`].
    #[inline]
    pub(crate) fn take(&self, question: Question, how: Option<&How>) -> PyResult<Box<Prepared>> {
        let free = match how {
            None => lock(&self.ready[question as usize]).pop(),
            Some(how) => lock(&self.others).get_mut(&(question, how.clone())).and_then(Vec::pop),
        };
        match free {
            Some(prepared) => Ok(prepared),
            None => self.prepared(question, how.unwrap_or(&How::default())).map(Box::new),
        }
    }

    /// Keeps what was made ready for the next one who asks.
    #[inline]
    pub(crate) fn give(&self, question: Question, how: Option<&How>, prepared: Box<Prepared>) {
        match how {
            None => lock(&self.ready[question as usize]).push(prepared),
            Some(how) => lock(&self.others).entry((question, how.clone())).or_default().push(prepared),
        }
    }

    /// A question made ready for many states.
    pub(crate) fn batch(&self, question: Question, how: &How) -> PyResult<Batch> {
        let mut batches = lock(&self.batches);
        if let Some(batch) = batches.get(&(question, how.clone())) {
            return Ok(batch.clone());
        }
        let batch = Batch::about(&self.inner, question, how.target()).map_err(|error| errors::of_question(&error))?;
        batches.insert((question, how.clone()), batch.clone());
        Ok(batch)
    }

    /// The same on a device.
    pub(crate) fn on_device(&self, question: Question, how: &How, device: Device) -> PyResult<OnDevices> {
        let key = (question, how.clone(), device);
        if let Some(batch) = lock(&self.on_devices).get(&key) {
            return Ok(Arc::clone(batch));
        }
        let batch = self.batch(question, how)?.on(device).map_err(|error| errors::of_device(&error))?;
        let batch = Arc::new(Mutex::new(batch));
        lock(&self.on_devices).insert(key, Arc::clone(&batch));
        Ok(batch)
    }

    /// How a question is asked, from the names of a method, a frame and of the one whose axes count.
    pub(crate) fn how(
        &self,
        question: Question,
        method: Option<&str>,
        frame: Option<&str>,
        axes: Option<&str>,
    ) -> PyResult<Option<How>> {
        if method.is_none() && frame.is_none() && axes.is_none() {
            return Ok(None);
        }
        let tree = self.inner.tree();
        let unknown = |name: &str| {
            Kind::Question.error(format!("no frame `{name}`; frames are {}", self.inner.frames().join(", ")))
        };
        if (frame.is_some() || axes.is_some()) && !question.is_about_one_frame() {
            return Err(Kind::Question.error(format!(
                "{} is not about one frame; leave out frame and axes, or ask for jacobian, jacobian-rate or singularity",
                question.name()
            )));
        }
        let is_of_output = self.inner.closed().is_some() && (frame.is_some() || axes.is_some());
        if is_of_output {
            return Err(Kind::Question.error(format!(
                "{} of a robot with closed loops is about its output; choose another one: robot.with_output(\"{}\")",
                question.name(),
                frame.unwrap_or("FRAME")
            )));
        }
        let frame = frame.map(|name| tree.frame(name).ok_or_else(|| unknown(name))).transpose()?;
        let axes = match axes {
            None => None,
            Some(name) => match tree.axes(name).ok_or_else(|| unknown(name))? {
                Axes::Base => None,
                Axes::Frame(index) => Some(index),
            },
        };
        Ok(Some(How { method: method.map(str::to_owned), frame, axes }))
    }

    /// The frame of the tree that a wrench acts at; none is the platform.
    pub(crate) fn frame_of_wrench(&self, question: Question, name: &str) -> PyResult<Option<usize>> {
        if !question.row().traits.contains(&Trait::Wrenches) {
            return Err(Kind::Question.error(format!("{} does not depend on external wrenches", question.name())));
        }
        if name == PLATFORM && self.inner.platform().is_some() {
            return Ok(None);
        }
        self.inner.tree().frame(name).map(Some).ok_or_else(|| {
            let known = self.inner.frames().join(", ");
            Kind::Question.error(format!("external: no frame `{name}`; frames are {known}"))
        })
    }

    /// The pose that an argument is, as px py pz qx qy qz qw, of a robot with loops, and whether it came in single precision; none if it
    /// is positions of drives.
    pub(crate) fn pose_numbers<'py>(
        &self,
        py: Python<'py>,
        argument: &Bound<'py, PyAny>,
        of: Option<&str>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, bool)>> {
        let Some(closed) = self.inner.closed() else {
            return match of {
                None | Some("drives") => Ok(None),
                Some(_) => Err(Kind::Question.error(format!(
                    "of=\"platform\" is for robots with closed loops, and {} has none",
                    self.inner.name()
                ))),
            };
        };
        if closed.platform().is_none() || of == Some("drives") {
            return Ok(None);
        }
        let home = closed.home().pose.position.to_array();
        let numbers =
            py.import("appell._poses")?.call_method1("with_precision", (argument, home, self.widths[0], of))?;
        if numbers.is_none() { Ok(None) } else { numbers.extract().map(Some) }
    }

    /// The regressor's parameters in the order of its columns: names and values.
    fn named_parameters(&self) -> Vec<(String, f64)> {
        const OF_BODY: [&str; PARAMETERS_PER_BODY] = ["m", "mx", "my", "mz", "xx", "xy", "yy", "xz", "yz", "zz"];
        const OF_JOINT: [&str; OF_A_JOINT] = ["viscous", "coulomb", "offset", "rotor"];
        let tree = self.inner.tree();
        let values = regressor::parameters(tree);
        let (bodies, joints) = values.split_at(PARAMETERS_PER_BODY * tree.dof());
        let named = |values: &[f64], parts: &[&str]| -> Vec<(String, f64)> {
            let shown = tree.shown().filter(|j| (j + 1) * parts.len() <= values.len());
            shown
                .flat_map(|j| parts.iter().enumerate().map(move |(k, part)| (j, k, *part)))
                .map(|(j, k, part)| (format!("{}.{part}", tree.joint_names()[j]), values[j * parts.len() + k]))
                .collect()
        };
        let mut all = named(bodies, &OF_BODY);
        all.extend(named(joints, &OF_JOINT));
        let platform = self.inner.platform().map(appell::closed::Platform::parameters);
        let of_platform = |values: [f64; PARAMETERS_PER_BODY]| OF_BODY.iter().zip(values).collect::<Vec<_>>();
        let platform = platform.into_iter().flat_map(of_platform);
        all.extend(platform.map(|(part, value)| (format!("{PLATFORM}.{part}"), value)));
        all
    }
}

#[pymethods]
impl Robot {
    /// Reads a robot from the text of a file; see `appell.load` for files and built-in robots.
    #[new]
    #[pyo3(signature = (text, format = None, name = "robot", floating_base = false, changes = None))]
    fn new(
        py: Python<'_>,
        text: &str,
        format: Option<&str>,
        name: &str,
        floating_base: bool,
        changes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let format = match format {
            None => {
                Format::of_robot(Path::new(""), text).map_err(|error| Kind::Robot.error(format!("{name} {error}")))?
            }
            Some(format) => find_format(format)?,
        };
        if floating_base && !matches!(format, Format::Urdf | Format::Sdf) {
            return Err(Kind::Robot.error(
                "only of a URDF or an SDF file floating_base sets the root link free; give it a free joint in the file",
            ));
        }
        let read = || -> Result<Inner, String> {
            let file: RobotFile = format
                .read(text, name, floating_base)
                .map_err(|problems| format!("{name} does not describe a robot\n{problems}"))?;
            Inner::try_from(file).map_err(|error| error.to_string())
        };
        let inner = py.detach(read).map_err(|message| Kind::Robot.error(message))?;
        let inner = match changes {
            None => inner,
            Some(changes) => crate::change::changed(inner, changes)?,
        };
        Ok(Self::of(inner))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// What it is: "serial", "tree", "parallel", "spherical" or "closed".
    #[getter]
    fn kind(&self) -> &'static str {
        self.inner.kind().name()
    }

    /// How many numbers a position has: one per joint of an open robot (a quaternion has four), one per drive of one with loops.
    #[getter]
    fn nq(&self) -> usize {
        self.widths[0]
    }

    /// How many numbers a velocity, an acceleration and a torque has.
    #[getter]
    fn nv(&self) -> usize {
        self.widths[1]
    }

    /// Names of the numbers of a position, in their order.
    #[getter]
    fn positions(&self) -> Vec<String> {
        self.inner.positions().into_iter().map(String::from).collect()
    }

    /// Names of the joints that torques and forces act on, in the order of `tau`.
    #[getter]
    fn drives(&self) -> Vec<String> {
        self.inner.drives().iter().map(|joint| joint.name.to_owned()).collect()
    }

    /// Names of the independent velocities: of the joints of an open robot; of one with loops components of its platform's twist, or
    /// joints. Rows and columns of its inertia matrix are theirs.
    #[getter]
    fn freedoms(&self) -> Vec<String> {
        self.inner.freedoms()
    }

    /// Names of the frames whose motion can be asked for, the platform's last.
    #[getter]
    fn frame_names(&self) -> Vec<String> {
        self.inner.frames().into_iter().map(String::from).collect()
    }

    /// Names of the motors behind gears, belts and tendons, in the order of `motor_torques`.
    #[getter]
    fn motors(&self) -> Vec<String> {
        self.inner.motors().names().iter().map(ToString::to_string).collect()
    }

    /// Its joints in order, loops open: dictionaries of name, kind ("revolute" or "prismatic"), limits and whether it is driven.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let one = |joint: appell::Joint<'_>| {
            let dict = PyDict::new(py);
            dict.set_item("name", joint.name)?;
            dict.set_item("kind", joint.kind.name())?;
            dict.set_item("lower", joint.limits.lower)?;
            dict.set_item("upper", joint.limits.upper)?;
            dict.set_item("velocity", joint.limits.velocity)?;
            dict.set_item("effort", joint.limits.effort)?;
            dict.set_item("driven", joint.driven)?;
            Ok(dict)
        };
        self.inner.joints().map(one).collect()
    }

    /// Acceleration of gravity in the base, m/s².
    #[getter]
    fn gravity_vector(&self) -> [f64; 3] {
        self.inner.tree().gravity().to_array()
    }

    /// Mass of all bodies, kg; of a parallel robot with its platform.
    #[getter]
    fn mass(&self) -> f64 {
        self.inner.tree().mass() + self.inner.platform().map_or(0.0, |platform| platform.mass)
    }

    /// The position at which all numbers are zero and quaternions are no turn.
    #[getter]
    fn neutral<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.inner.neutral())
    }

    /// Names of the regressor's parameters, in the order of its columns: `elbow.m`, `elbow.mx`, … kg, kg m, kg m².
    #[getter]
    fn parameters(&self) -> Vec<String> {
        self.named_parameters().into_iter().map(|(name, _)| name).collect()
    }

    /// Values of the regressor's parameters, φ of τ = Y φ.
    #[getter]
    fn parameter_values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.named_parameters().into_iter().map(|(_, value)| value).collect())
    }

    /// Where the platform of a robot with loops is at home, px py pz qx qy qz qw; none of a robot without one.
    #[getter]
    fn home_numbers<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.inner.platform()?;
        let pose = self.inner.closed()?.home().pose;
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
        Some(PyArray1::from_vec(py, [&pose.position.to_array()[..], &[x, y, z, w]].concat()))
    }

    /// Where the drives of a robot with loops are at home; of another the neutral position.
    #[getter]
    fn home_positions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let closed = self.inner.closed();
        let drives = closed.map(|closed| closed.driven().iter().map(|&j| closed.home().q[j]).collect());
        PyArray1::from_vec(py, drives.unwrap_or_else(|| self.inner.neutral()))
    }

    /// The robot's file in a format and, if that has several, a convention; and what was left out of it, a line each.
    ///
    /// >>> text, lost = appell.load("two-link").write("toml")
    /// >>> lost
    /// []
    #[pyo3(signature = (format = "toml", convention = None))]
    fn write(&self, format: &str, convention: Option<&str>) -> PyResult<(String, Vec<String>)> {
        let format = find_format(format)?;
        let convention = convention
            .map(|name| Convention::find(name).ok_or_else(|| PyValueError::new_err(format!("no convention `{name}`"))));
        let file = self.inner.file().ok_or_else(|| Kind::Robot.error("the robot has no description"))?;
        let (text, lost) = format.write(file, convention.transpose()?).map_err(|error| Kind::Robot.error(error))?;
        Ok((text, lost.iter().map(ToString::to_string).collect()))
    }

    /// What the reader found unlikely or left out of the file, a line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings().map(ToString::to_string).collect()
    }

    /// The questions that this robot answers, each with its methods, the default first.
    #[getter]
    fn methods(&self) -> HashMap<&'static str, Vec<&'static str>> {
        let answered = Question::ALL.into_iter().filter(|&question| self.prepared(question, &How::default()).is_ok());
        let row = |question: Question| {
            (question.name(), question.methods(&self.inner).iter().map(|method| method.name).collect())
        };
        answered.map(row).collect()
    }

    /// The names of the numbers of an answer, by joint: `tau.elbow`, `M.shoulder.elbow`.
    ///
    /// >>> appell.load("two-link").columns("gravity")
    /// ['g.short', 'g.long']
    fn columns(&self, question: &str) -> PyResult<Vec<String>> {
        Ok(find(question)?.named_columns(&self.inner))
    }

    /// The same robot, compared number by number.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.inner.name(), &self.widths, self.inner.tree().joint_names()).hash(&mut hasher);
        hasher.finish()
    }
}

fn find_format(name: &str) -> PyResult<Format> {
    Format::find(name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.into_iter().map(Format::name).collect();
        PyValueError::new_err(format!("no format `{name}`; formats are {}", known.join(", ")))
    })
}

/// The format of a robot's file by its ending or its text, and that text with the files that it includes, which `read` reads.
#[pyfunction]
pub(crate) fn recognise(path: &str, text: String, read: &Bound<'_, PyAny>) -> PyResult<(&'static str, String)> {
    let format =
        Format::of_robot(Path::new(path), &text).map_err(|error| Kind::Robot.error(format!("{path} {error}")))?;
    let text = match format {
        Format::Mjcf => mjcf::with_includes(&text, |file| read.call1((file,))?.extract::<String>())
            .map_err(|error| Kind::Robot.error(format!("{path}: {error}")))?,
        _ => text,
    };
    Ok((format.name(), text))
}

/// Everything wrong or doubtful in the text of a robot's file: whether it is an error, and what it says.
#[pyfunction]
pub(crate) fn inspect(text: &str, format: &str, floating_base: bool) -> PyResult<Vec<(bool, String)>> {
    let problems = find_format(format)?.inspect(text, floating_base);
    Ok(problems.iter().map(|problem| (problem.severity == Severity::Error, problem.to_string())).collect())
}

/// The question of a name, in the words of the command line or of Python: `inverse-dynamics`, `inverse_dynamics`.
pub(crate) fn find(name: &str) -> PyResult<Question> {
    let name = if name == "joint_motion" { "joints" } else { name }; // `Robot.joints` is what they are
    Question::find(&name.replace('_', "-")).ok_or_else(|| {
        let known: Vec<&str> = Question::ALL.into_iter().map(Question::name).collect();
        Kind::Question.error(format!("no question `{name}`; questions are {}", known.join(", ")))
    })
}

/// The names of the built-in robots, each with what it is.
#[pyfunction]
pub(crate) fn robots() -> Vec<(&'static str, &'static str, &'static str)> {
    builtin::all().map(|robot| (robot.name, robot.summary, robot.toml)).collect()
}

/// The table of questions: name, what it answers, the vectors it reads.
#[pyfunction]
pub(crate) fn questions() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let row = |question: Question| {
        (question.name(), question.summary(), question.inputs().iter().map(|input| input.symbol()).collect())
    };
    Question::ALL.into_iter().map(row).collect()
}
