//! Assemblies of a robot with closed loops: one or all, for its drives or for a pose of its platform.

use crate::errors::Kind;
use crate::place::{self, Described, PoseNumbers, assembled, expect_drives, of_assembly};
use crate::robot::Robot;
use crate::state::warn_undecided;
use crate::waiting::{Waiting, interruptible};
use appell::closed::assembly::{self, AssemblyError};
use appell::closed::direct::{self, Multiplicity, Options};
use appell::closed::working_modes::WorkingModes;
use appell::closed::{ClosedMechanism, singularity};
use appell::spatial::Pose;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// What open robots have instead.
const REMEDY: &str = "its joints are its positions: robot.frames(q), robot.inverse_kinematics(pose)";

/// What was found, for Python.
struct Found {
    assemblies: Vec<Described>,
    count: String,
    is_proved: bool,
    total: usize,
    legs: Option<WorkingModes>,
    is_undecided: bool,
}

#[pymethods]
impl Robot {
    /// The assembly with the drives so, near home or near a pose; or all.
    #[pyo3(name = "_assemble_drives", signature = (drives, all, near, starts, seed))]
    fn assembled_at_drives<'py>(
        &self,
        py: Python<'py>,
        drives: Vec<f64>,
        all: bool,
        near: Option<PoseNumbers>,
        starts: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let closed = self.expect_closed("assemble", REMEDY)?;
        expect_drives(closed, &drives)?;
        if near.is_some() {
            self.expect_platform("near")?;
        }
        let inner = self.inner.clone();
        let found = interruptible(py, None, move |_| {
            let robot = inner.closed().expect("it was looked at before");
            at_drives(robot, &drives, all, near.map(|near| place::pose(&near)), Options { starts, seed })
        })?;
        self.shown(py, closed, &found.map_err(|error| of_assembly(&error, closed.name()))?)
    }

    /// The assembly with the platform at a pose in the file's working modes; or all working modes, the first `most` of them.
    #[pyo3(name = "_assemble_pose", signature = (pose, all, starts, seed, most, pulse))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn assembled_at_pose<'py>(
        &self,
        py: Python<'py>,
        pose: PoseNumbers,
        all: bool,
        starts: usize,
        seed: u64,
        most: usize,
        pulse: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let closed = self.expect_closed("assemble", REMEDY)?;
        self.expect_platform("assemble(pose=…)")?;
        let inner = self.inner.clone();
        let found = interruptible(py, pulse.as_ref(), move |waiting| {
            let robot = inner.closed().expect("it was looked at before");
            at_pose(robot, place::pose(&pose), all, Options { starts, seed }, most, waiting)
        })?;
        self.shown(py, closed, &found.map_err(|error| of_assembly(&error, closed.name()))?)
    }
}

impl Robot {
    fn shown<'py>(&self, py: Python<'py>, robot: &ClosedMechanism, found: &Found) -> PyResult<Bound<'py, PyDict>> {
        if found.is_undecided {
            warn_undecided(py, &[])?;
        }
        let all = found.assemblies.iter().map(|one| one.dict(py, robot)).collect::<PyResult<Vec<_>>>()?;
        let dict = PyDict::new(py);
        dict.set_item("assemblies", all)?;
        dict.set_item("count", &found.count)?;
        dict.set_item("proved", found.is_proved)?;
        dict.set_item("total", found.total)?;
        dict.set_item("joints", robot.tree().joint_names())?;
        dict.set_item("legs", found.legs.as_ref().map(|modes| legs(py, robot, modes)).transpose()?)?;
        Ok(dict)
    }
}

fn at_drives(
    robot: &ClosedMechanism,
    drives: &[f64],
    all: bool,
    near: Option<Pose>,
    options: Options,
) -> Result<Found, AssemblyError> {
    let mut present = robot.home().clone();
    let mut measured = singularity::Workspace::new(robot);
    if let Some(near) = near {
        present.pose = near;
    }
    if !all && near.is_none() {
        let (at, is_undecided) = assembled(robot, None, Some(drives))?;
        let one = Described::new(robot, &mut measured, at, &present, "single");
        let count = match is_undecided {
            false => "the one that the drives come to from home in the file's working modes",
            true => "the nearest that was found: the drives cannot come there straight from home",
        };
        let (assemblies, count) = (vec![one], count.into());
        return Ok(Found { assemblies, count, is_proved: false, total: 1, legs: None, is_undecided });
    }
    let found = direct::all_at_drives(robot, &mut assembly::Workspace::new(robot), drives, &options)?;
    let is_proved = found.are_all();
    if found.assemblies.is_empty() && !is_proved {
        // It says why there is none, or finds one that is not among those counted.
        let (at, _) = assembled(robot, None, Some(drives))?;
        let assemblies = vec![Described::new(robot, &mut measured, at, &present, "single")];
        let count = format!("{}; a search finds this one, to which no path leads", found.count);
        return Ok(Found { assemblies, count, is_proved, total: 1, legs: None, is_undecided: false });
    }
    let total = found.assemblies.len();
    let describe = |one: direct::Assembly| {
        let multiplicity = match one.multiplicity {
            Multiplicity::Single => "single",
            Multiplicity::Double => "double",
            Multiplicity::Continuum => "continuum",
        };
        Described::new(robot, &mut measured, one.at, &present, multiplicity)
    };
    let mut assemblies: Vec<Described> = found.assemblies.into_iter().map(describe).collect();
    assemblies.sort_by(|one, other| one.distance().total_cmp(&other.distance()));
    if !all {
        assemblies.truncate(1);
    }
    Ok(Found { assemblies, count: found.count.to_string(), is_proved, total, legs: None, is_undecided: false })
}

fn at_pose(
    robot: &ClosedMechanism,
    pose: Pose,
    all: bool,
    options: Options,
    most: usize,
    waiting: &Waiting,
) -> Result<Found, AssemblyError> {
    let (home, mut measured) = (robot.home(), singularity::Workspace::new(robot));
    let mut describe = |at| Described::new(robot, &mut measured, at, home, "single");
    if !all {
        let one = describe(assembled(robot, Some(pose), None)?.0);
        let count = "the one in the file's working modes".into();
        return Ok(Found { assemblies: vec![one], count, is_proved: false, total: 1, legs: None, is_undecided: false });
    }
    if robot.legs().is_empty() {
        let mut workspace = assembly::Workspace::new(robot);
        let found = assembly::all_at_pose(robot, &mut workspace, &pose, options.starts, options.seed);
        if found.is_empty() {
            assembled(robot, Some(pose), None)?; // says why there is none
        }
        let total = found.len();
        let count = format!("a search from {} random starts: others may exist", options.starts);
        let assemblies = found.into_iter().map(describe).collect();
        return Ok(Found { assemblies, count, is_proved: false, total, legs: None, is_undecided: false });
    }
    let modes = WorkingModes::of(robot, &pose);
    let total = modes.count();
    if total == 0 {
        assembled(robot, Some(pose), None)?; // names the leg and its gap
    }
    let listed = total.min(most);
    let numbers = (0..listed).take_while(|k| waiting.reach(*k, listed).is_continue());
    let assemblies = numbers.map(|k| describe(modes.whole(robot, &modes.choice(k)))).collect();
    let (is_proved, count) = (modes.are_all(), modes.words(robot, most));
    Ok(Found { assemblies, count, is_proved, total, legs: Some(modes), is_undecided: false })
}

/// The working modes of each leg: name, joints, whether in closed form, and q, distance to Type 1, whether two are one, whether
/// it is the file's.
fn legs<'py>(py: Python<'py>, robot: &ClosedMechanism, modes: &WorkingModes) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (leg, modes) in robot.legs().iter().zip(&modes.legs).filter(|(leg, _)| !leg.joints.is_empty()) {
        let joints: Vec<&String> = leg.joints.iter().map(|&j| &robot.tree().joint_names()[j]).collect();
        let solutions: Vec<_> = modes
            .solutions
            .iter()
            .map(|mode| {
                let in_mode = leg.joints.iter().zip(&mode.q).all(|(&j, &q)| place::is_on_side(robot, j, q));
                (mode.q.clone(), mode.type1, mode.is_double(), in_mode)
            })
            .collect();
        list.append((&leg.name, joints, modes.in_closed_form, solutions))?;
    }
    Ok(list)
}

/// The drives that bring the platform to each pose, one after the other; the number of a pose that is out of reach, and why.
pub(crate) fn drives_at(
    robot: &ClosedMechanism,
    poses: &[PoseNumbers],
    waiting: &Waiting,
) -> Result<Vec<f64>, (usize, AssemblyError)> {
    let mut drives = Vec::with_capacity(poses.len() * robot.driven().len());
    let mut workspace = assembly::Workspace::new(robot);
    for (k, numbers) in poses.iter().enumerate().take_while(|(k, _)| waiting.reach(*k, poses.len()).is_continue()) {
        let mut at = appell::closed::Configuration { pose: place::pose(numbers), ..robot.home().clone() };
        assembly::near_pose(robot, &mut workspace, &mut at).map_err(|error| (k, error))?;
        assembly::wrap(robot, &mut at);
        drives.extend(robot.driven().iter().map(|&j| at.q[j]));
    }
    Ok(drives)
}

/// Why a pose of several cannot be reached.
pub(crate) fn of_pose(number: Option<usize>, error: &AssemblyError) -> PyErr {
    let which = number.map_or_else(String::new, |number| format!("pose {number}: "));
    Kind::State.error(format!("{which}{error}"))
}
