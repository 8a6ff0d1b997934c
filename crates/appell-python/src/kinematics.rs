//! Inverse kinematics: joints for poses of a frame, drives for poses of a platform.

use crate::assemble::{drives_at, of_pose};
use crate::errors::Kind;
use crate::place::{PoseNumbers, pose};
use crate::robot::Robot;
use crate::waiting::interruptible;
use appell::Robot as Inner;
use appell::kinematics::damped_least_squares::{self, Goal, Options, Unreached, inverse_kinematics};
use appell::kinematics::spherical_wrist::{Arm, Branch, OutOfReach, Sign};
use appell::spatial::{Pose, Vec3};
use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::prelude::*;

/// One configuration in closed form: shoulder, elbow and wrist by sign, and the joints.
type InClosedForm = ([f64; 3], [f64; 6]);

#[pymethods]
impl Robot {
    /// Joints that bring a frame to poses (px py pz qx qy qz qw) or positions (px py pz), each from its start, or from where the one
    /// before ended; the names of poses without a solution are numbers where there are several.
    #[pyo3(name = "_inverse_kinematics", signature = (goals, frame, starts, seed, restarts, is_one, pulse))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn joints_at<'py>(
        &self,
        py: Python<'py>,
        goals: Vec<Vec<f64>>,
        frame: Option<&str>,
        starts: Vec<Vec<f64>>,
        seed: u64,
        restarts: usize,
        is_one: bool,
        pulse: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (inner, frame) = self.by_joints(frame)?;
        let width = inner.tree().dof();
        let count = goals.len();
        let found = interruptible(py, pulse.as_ref(), move |waiting| -> Result<Vec<f64>, (usize, Unreached)> {
            let tree = inner.tree();
            let mut workspace = damped_least_squares::Workspace::new(tree);
            let options = Options { seed, restarts, ..Options::default() };
            let (mut q, mut all) = (vec![0.0; width], Vec::with_capacity(width * count));
            for (k, goal) in goals.iter().enumerate().take_while(|(k, _)| waiting.reach(*k, count).is_continue()) {
                if let Some(start) = starts.get(k) {
                    q.copy_from_slice(start);
                }
                let goal = match *goal.as_slice() {
                    [x, y, z] => Goal::Position(Vec3::new(x, y, z)),
                    ref numbers => Goal::Pose(pose(numbers.try_into().expect("seven numbers"))),
                };
                let solution = inverse_kinematics(tree, &mut workspace, frame, &goal, &q, &options);
                q.copy_from_slice(solution.map_err(|error| (k, error))?.q);
                all.extend(&q);
            }
            Ok(all)
        })?;
        let found = found.map_err(|(k, error)| {
            let which = if is_one { String::new() } else { format!("pose {k}: ") };
            Kind::State.error(format!("{which}{error}"))
        })?;
        Ok(PyArray2::from_owned_array(py, Array2::from_shape_vec((count, width), found).expect("a row per pose")))
    }

    /// All configurations of an arm of the PUMA's type for each pose: signs of shoulder, elbow and wrist, and joints.
    #[pyo3(name = "_closed_form", signature = (poses, frame, is_one))]
    fn all_joints_at(
        &self,
        poses: Vec<PoseNumbers>,
        frame: Option<&str>,
        is_one: bool,
    ) -> PyResult<Vec<Vec<InClosedForm>>> {
        let (inner, frame) = self.by_joints(frame)?;
        let arm = Arm::new(inner.tree(), frame).map_err(|error| {
            Kind::Question.error(format!(
                "all=True is for six-axis arms in closed form: {error}; leave it out, and one solution is searched for"
            ))
        })?;
        let of_pose = |(k, numbers): (usize, &PoseNumbers)| {
            all_of(&arm, &pose(numbers)).map_err(|error| {
                let which = if is_one { String::new() } else { format!("pose {k}: ") };
                Kind::State.error(format!("{which}{error}"))
            })
        };
        poses.iter().enumerate().map(of_pose).collect()
    }

    /// Positions of the drives of a robot with loops for poses of its platform, in the working modes of its file.
    #[pyo3(name = "_drives_at", signature = (poses, is_one, pulse))]
    fn drives_of<'py>(
        &self,
        py: Python<'py>,
        poses: Vec<PoseNumbers>,
        is_one: bool,
        pulse: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let closed = self.expect_closed("inverse_kinematics", "")?;
        self.expect_platform("inverse_kinematics")?;
        let (inner, shape) = (self.inner.clone(), (poses.len(), closed.driven().len()));
        let found = interruptible(py, pulse.as_ref(), move |waiting| {
            let robot = inner.closed().expect("it was looked at before");
            drives_at(robot, &poses, waiting)
        })?;
        let found = found.map_err(|(k, error)| of_pose((!is_one).then_some(k), &error))?;
        Ok(PyArray2::from_owned_array(py, Array2::from_shape_vec(shape, found).expect("a row per pose")))
    }
}

impl Robot {
    /// The robot without transmissions, which positions know nothing of, and the index of a frame.
    fn by_joints(&self, frame: Option<&str>) -> PyResult<(Inner, usize)> {
        let inner = self.inner.without_motors();
        if inner.tree().coordinates().is_some() {
            return Err(Kind::Question.error(format!(
                "inverse_kinematics: {} has quaternions, screws or coupled followers; it is for robots whose joints are one number \
                 each, that turn or slide",
                inner.name()
            )));
        }
        let tree = inner.tree();
        let frame = match frame {
            None => tree.last_frame(),
            Some(name) => tree.frame(name).ok_or_else(|| {
                Kind::Question.error(format!("no frame `{name}`; frames are {}", self.inner.frames().join(", ")))
            })?,
        };
        Ok((inner, frame))
    }
}

/// All branches that reach a pose.
fn all_of(arm: &Arm, pose: &Pose) -> Result<Vec<InClosedForm>, OutOfReach> {
    let one = |branch: Branch| -> Result<InClosedForm, OutOfReach> {
        let signs = [branch.shoulder, branch.elbow, branch.wrist].map(Sign::value);
        Ok((signs, arm.inverse_kinematics(pose, branch)?))
    };
    let found: Vec<InClosedForm> = Branch::ALL.into_iter().flat_map(one).collect();
    if found.is_empty() {
        one(Branch::ALL[0])?; // says why
    }
    Ok(found)
}
