//! Pictures of a robot as SVG and PNG, and where everything is, for pictures by others.

use crate::errors::Kind;
use crate::place::{self, PoseNumbers, assembled, expect_drives, of_assembly, pose_numbers};
use crate::robot::Robot;
use crate::state::warn_undecided;
use appell::closed::On;
use appell::description::PLATFORM;
use appell::kinematics;
use appell::spatial::Pose;
use appell::{Kind as RobotKind, Model};
use appell_drawing::notation;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Joint: name, parent, position of its origin, direction of its axis, whether it turns, whether it is driven.
type DrawnJoint = (String, Option<usize>, [f64; 3], [f64; 3], bool, bool);
/// What is rigidly on a body (none: the base; the number of joints: the platform): name, body, position.
type DrawnPoint = (String, Option<usize>, [f64; 3]);
/// What a closing joint holds together: its name, and of both sides body, position and direction of z.
type DrawnClosure = (String, [(Option<usize>, [f64; 3], [f64; 3]); 2]);

#[pymethods]
impl Robot {
    /// The robot as SVG, at positions of its joints, at a pose of its platform, with its drives so, or at home.
    #[pyo3(name = "_draw", signature = (q, pose))]
    fn drawn(&self, py: Python<'_>, q: Option<Vec<f64>>, pose: Option<PoseNumbers>) -> PyResult<String> {
        let failed = |error: &dyn std::fmt::Display| Kind::Number.error(error.to_string());
        match self.inner.model() {
            Model::Tree(tree) => {
                let rows = self.rows(q, pose)?;
                py.detach(|| appell_drawing::draw(tree, &rows)).map_err(|error| failed(&error))
            }
            Model::Closed(closed) => {
                let (at, place) = self.configuration(py, q, pose)?;
                let com = closed.centre_of_mass(&mut kinematics::Workspace::new(closed.tree()), &at);
                let kind = match self.inner.description() {
                    Some(description) if !closed.legs().is_empty() => notation::of_robot(closed, description, false),
                    _ => "closed mechanism".into(),
                };
                let note = format!("{kind}, at {place}");
                py.detach(|| appell_drawing::draw_closed(closed, &at, com, &note)).map_err(|error| failed(&error))
            }
        }
    }

    /// Joints and points of the robot in the base, and the pairs of points that closing joints hold together.
    #[pyo3(name = "_skeleton", signature = (q, pose))]
    fn skeleton<'py>(
        &self,
        py: Python<'py>,
        q: Option<Vec<f64>>,
        pose: Option<PoseNumbers>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let tree = self.inner.tree();
        let (rows, platform) = match self.inner.model() {
            Model::Tree(_) => (self.rows(q, pose)?, None),
            Model::Closed(closed) => {
                let (at, _) = self.configuration(py, q, pose)?;
                (at.q, closed.platform().map(|_| at.pose))
            }
        };
        let mut workspace = kinematics::Workspace::new(tree);
        let frames = kinematics::positions(tree, &mut workspace, &rows);
        // A joint's own frame; the one of its name is the user's, which may be at the other end of the link.
        let own = |j: usize| frames[j] * tree.frames()[j].body_from_frame.inverse();
        let drives: Vec<usize> = self.inner.drives().iter().map(|drive| drive.index).collect();
        let joint = |joint: appell::Joint<'_>| -> DrawnJoint {
            let frame = own(joint.index);
            let axis = frame.rotation.rows.map(|row| row.to_array()[2]);
            let turns = joint.kind == appell::description::JointKind::Revolute;
            let parent = tree.links()[joint.index].parent;
            (joint.name.to_owned(), parent, frame.position.to_array(), axis, turns, drives.contains(&joint.index))
        };
        let joints: Vec<DrawnJoint> = self.inner.joints().map(joint).collect();
        let is_apart = |k: &usize| *k >= tree.dof() || tree.frames()[*k].body_from_frame.position.norm() > 0.0;
        let mut points: Vec<DrawnPoint> = (0..tree.frames().len())
            .filter(is_apart)
            .map(|k| (tree.frames()[k].name.clone(), tree.frames()[k].body, frames[k].position.to_array()))
            .collect();
        points.extend(platform.map(|pose| (PLATFORM.to_owned(), Some(tree.dof()), pose.position.to_array())));
        let mut closures: Vec<DrawnClosure> = Vec::new();
        if let Some(closed) = self.inner.closed() {
            let side = |side: &appell::closed::Side| {
                let (body, base_from_body) = match side.on {
                    On::Base => (None, Pose::identity(0.0)),
                    On::Body(body) => (Some(body), own(body)),
                    On::Platform => (Some(tree.dof()), platform.unwrap_or(Pose::identity(0.0))),
                };
                let pose = base_from_body * side.pose;
                (body, pose.position.to_array(), pose.rotation.rows.map(|row| row.to_array()[2]))
            };
            closures
                .extend(closed.closures().iter().map(|one| (one.name.clone(), [side(&one.first), side(&one.second)])));
        }
        let dict = PyDict::new(py);
        dict.set_item("joints", joints)?;
        dict.set_item("points", points)?;
        dict.set_item("closures", closures)?;
        dict.set_item("platform", platform.map(|pose| pose_numbers(&pose)))?;
        dict.set_item("is_closed", !matches!(self.inner.kind(), RobotKind::Serial | RobotKind::Tree))?;
        Ok(dict)
    }
}

impl Robot {
    /// The rows of an open robot's tree at positions of its joints.
    fn rows(&self, q: Option<Vec<f64>>, pose: Option<PoseNumbers>) -> PyResult<Vec<f64>> {
        let tree = self.inner.tree();
        if pose.is_some() {
            return Err(Kind::Question.error(format!(
                "a pose is of a platform, and {} has none; give positions of its joints",
                self.inner.name()
            )));
        }
        let q = q.unwrap_or_else(|| self.inner.neutral());
        if q.len() != self.widths[0] {
            return Err(Kind::Shape.error(format!("`q` has {} numbers; expected {}", q.len(), self.widths[0])));
        }
        if let Some(k) = q.iter().position(|x| !x.is_finite()) {
            return Err(Kind::Number.error(format!("`q[{k}]` is {}", q[k])));
        }
        let Some(own) = tree.coordinates() else { return Ok(q) };
        own.check(&q).map_err(|error| Kind::State.error(error.to_string()))?;
        let mut rows = vec![0.0; tree.dof()];
        own.anchor(&q, &mut rows);
        Ok(rows)
    }

    /// The configuration of a robot with loops, and what its place is called.
    fn configuration(
        &self,
        py: Python<'_>,
        q: Option<Vec<f64>>,
        pose: Option<PoseNumbers>,
    ) -> PyResult<(appell::closed::Configuration, &'static str)> {
        let closed = self.expect_closed("draw", "give positions of its joints")?;
        if pose.is_some() {
            self.expect_platform("pose")?;
        }
        if let Some(drives) = &q {
            expect_drives(closed, drives)?;
        }
        let place = match (&pose, &q) {
            (Some(_), _) => "this pose",
            (None, Some(_)) => "these drives",
            (None, None) => "home",
        };
        let at = assembled(closed, pose.map(|pose| place::pose(&pose)), q.as_deref());
        let (at, is_undecided) = at.map_err(|error| of_assembly(&error, closed.name()))?;
        if is_undecided {
            warn_undecided(py, &[])?;
        }
        Ok((at, place))
    }
}

/// A drawing of ours as the pixels of a PNG file.
#[pyfunction]
#[pyo3(name = "_png")]
pub(crate) fn png<'py>(py: Python<'py>, svg: &str) -> PyResult<Bound<'py, PyBytes>> {
    let pixels = py.detach(|| appell_drawing::png(svg)).map_err(|error| Kind::Number.error(format!("{error:#}")))?;
    Ok(PyBytes::new(py, &pixels))
}

/// An HTML page that needs no other file, as those of the command line: its title, a sentence below that, and what follows, as HTML.
#[pyfunction]
#[pyo3(name = "_page")]
pub(crate) fn page(title: &str, lead: &str, body: &str) -> String {
    appell_drawing::page::document(title, title, lead, body)
}
