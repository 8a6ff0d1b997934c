//! What crosses the border between a robot and its computer, once a period and in both directions.

use super::Fault;
use crate::simulation::View;
use appell::dynamics::energy::Energy;
use appell::spatial::{Pose, Twist};

/// What a robot's side says at a sample. Slices have one value per drive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sensors {
    /// The number of the sample, counted from zero.
    pub sample: u64,
    /// Its time since the beginning, s.
    pub t: f64,
    /// Measured positions, rad or m.
    pub q: Vec<f64>,
    /// Measured speeds, rad/s or m/s.
    pub v: Vec<f64>,
    /// How many outputs were taken so far: those of sample k are the last where it is k + 1.
    pub taken: u64,
    /// Torques and forces that came of the last outputs, N m or N; zero before the first.
    pub applied: Vec<f64>,
    /// Over-temperature switches that are closed.
    pub hot: Vec<bool>,
    /// Whether the circuit of the emergency stop is open.
    pub emergency_stop: bool,
    /// Whether the brakes are on.
    pub braked: bool,
    /// Why they are, if the robot's side put them on by itself.
    pub fault: Option<Fault>,
    /// Whether the robot has ended the trial: it takes no more outputs.
    pub ended: bool,
    /// What only a simulated robot knows.
    pub truth: Option<Truth>,
}

/// Where a simulated robot is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth {
    /// Positions of all joints of the tree, rad or m.
    pub q: Vec<f64>,
    /// Their velocities.
    pub v: Vec<f64>,
    /// The independent velocities.
    pub r: Vec<f64>,
    /// Pose and twist of the platform, if there is one.
    pub platform: Option<(Pose, Twist)>,
    /// J.
    pub energy: Energy,
}

/// What a computer makes of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outputs {
    /// The sample that it answers.
    pub sample: u64,
    /// What the robot's side shall do.
    pub mode: Mode,
    /// Torques and forces that are wanted, N m or N, one per drive.
    pub efforts: Vec<f64>,
    /// Digital outputs.
    pub grippers: Vec<bool>,
    /// Why there is a safe stop, if there is.
    pub fault: Option<Fault>,
}

/// What a robot's side shall do with a computer's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Give the torques and forces to the drives.
    #[default]
    Run,
    /// Switch the drives off and put the brakes on.
    Brake,
    /// The same, and no more outputs will come: the trial has ended.
    End,
}

impl Sensors {
    /// Room for a robot of so many drives.
    #[must_use]
    pub fn new(drives: usize) -> Self {
        let zeros = || vec![0.0; drives];
        Self { q: zeros(), v: zeros(), applied: zeros(), hot: vec![false; drives], ..Self::default() }
    }
}

impl Outputs {
    /// Room for a robot of so many drives and grippers.
    #[must_use]
    pub fn new(drives: usize, grippers: usize) -> Self {
        Self { efforts: vec![0.0; drives], grippers: vec![false; grippers], ..Self::default() }
    }
}

impl Truth {
    /// Takes over what a plant shows; nothing is allocated after the first time.
    pub fn copy_from(&mut self, view: &View<'_>, energy: Energy) {
        let copy = |to: &mut Vec<f64>, from: &[f64]| {
            to.clear();
            to.extend_from_slice(from);
        };
        copy(&mut self.q, view.q);
        copy(&mut self.v, view.v);
        copy(&mut self.r, view.r);
        self.platform = view.platform;
        self.energy = energy;
    }

    /// The same as a drive would see it.
    #[must_use]
    pub fn view(&self, t: f64) -> View<'_> {
        View { t, q: &self.q, v: &self.v, r: &self.r, platform: self.platform }
    }
}
