//! The record of a motion: rows in Rust, flat arrays in Python.

use crate::place::pose_numbers;
use appell::spatial::Twist;
use appell_simulation::simulation::View;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Rows of a record, column by column.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) t: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    energy: Vec<f64>,
    pose: Vec<f64>,
    twist: Vec<f64>,
    joints: Vec<f64>,
    pub(crate) wanted: Vec<f64>,
    pub(crate) commanded: Vec<f64>,
}

impl Record {
    /// Adds a row; of a robot with loops the drives' motion, and that of all joints.
    pub(crate) fn add(&mut self, view: &View<'_>, drives: Option<&[usize]>, efforts: &[f64], energy: [f64; 2]) {
        self.t.push(view.t);
        match drives {
            None => {
                self.q.extend(view.q);
                self.v.extend(view.v);
            }
            Some(drives) => {
                self.q.extend(drives.iter().map(|&j| view.q[j]));
                self.v.extend(drives.iter().map(|&j| view.v[j]));
                self.joints.extend(view.q);
            }
        }
        self.tau.extend(efforts);
        self.energy.extend(energy);
        if let Some((pose, twist)) = &view.platform {
            self.pose.extend(pose_numbers(pose));
            self.twist.extend(twist_numbers(twist));
        }
    }

    /// The record as flat arrays; rows are counted by `t`.
    pub(crate) fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        for (name, numbers) in [
            ("t", self.t),
            ("q", self.q),
            ("v", self.v),
            ("tau", self.tau),
            ("energy", self.energy),
            ("pose", self.pose),
            ("twist", self.twist),
            ("joints", self.joints),
            ("wanted", self.wanted),
            ("commanded", self.commanded),
        ] {
            dict.set_item(name, PyArray1::from_vec(py, numbers))?;
        }
        Ok(dict)
    }
}

/// Its six numbers, linear first.
pub(crate) fn twist_numbers(twist: &Twist<f64>) -> [f64; 6] {
    let ([vx, vy, vz], [wx, wy, wz]) = (twist.linear.to_array(), twist.angular.to_array());
    [vx, vy, vz, wx, wy, wz]
}
