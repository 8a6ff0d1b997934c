//! How the robot vibrates on its springs where it stands, and the robot moved along a mode.

use crate::bench::Bench;
use crate::drawn::Sketch;
use crate::numbers::expect;
use crate::place::Place;
use appell::Model;
use appell::closed::coordinates::Coordinates;
use appell::question::{Motion, State};
use appell::vibration;
use serde::Serialize;

/// More degrees of freedom than this have no modes in a page: nobody reads them.
const MOST_FREEDOMS: usize = 60;

/// A mode moves a joint or the output at most by this, rad or sizes of the robot.
const SWING: f64 = 0.12;

/// Torques and squares of frequencies below this part of the largest count as none, and of these all where the largest is this, 1/s².
const ROUNDING: f64 = 1e-9;
const STILL: f64 = 1e-3;

/// `Vibration` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Vibration {
    /// The slowest first.
    pub modes: Vec<Mode>,
    /// Joints without drive that would have to be held here: it is no place of rest.
    pub unheld: Vec<String>,
}

/// A mode.
#[derive(Debug, Clone, Serialize)]
pub struct Mode {
    /// Hz; none of a motion that grows.
    pub frequency: Option<f64>,
    /// The time in which a motion that grows does so e times, s.
    pub growth: Option<f64>,
    /// Along the degrees of freedom.
    pub shape: Vec<f64>,
    /// The part of each of them.
    pub parts: Vec<f64>,
}

impl Bench {
    /// The modes here; `stiffness` of each drive that holds its position like a spring, zero of one that keeps its torque.
    ///
    /// # Errors
    /// If there are not as many as drives, or one is negative, or the drives cannot hold the robot, or some motion moves no mass.
    pub fn vibration(&self, stiffness: &[f64]) -> Result<Vibration, String> {
        let robot = self.robot();
        let (drives, freedoms) = (robot.drives(), robot.freedoms().len());
        expect("stiffness", stiffness, drives.len())?;
        if stiffness.iter().any(|&k| k < 0.0) {
            return Err("a stiffness is not negative".into());
        }
        if freedoms > MOST_FREEDOMS {
            return Err(format!("modes are left out of a robot of {freedoms} degrees of freedom"));
        }
        let rest = vec![0.0; freedoms];
        let place = match self.place() {
            Place::Tree(q) => State { q, ..State::default() },
            Place::Closed(at) => State { motion: Motion::Assembled { at, r: &rest, r_dot: &rest }, ..State::default() },
        };
        let found = vibration::Vibration::about(robot, &place, stiffness).map_err(|error| error.to_string())?;
        let tree = robot.tree();
        let weight = tree.mass() * tree.gravity().norm(); // with the robot's size as lever it is what torques compare with
        let largest = found.tau.iter().fold(weight * self.size().max(1.0), |most: f64, tau| most.max(tau.abs()));
        let is_held = |tau: f64| tau.abs() > ROUNDING * largest;
        let free = drives.iter().zip(&found.tau).filter(|(drive, tau)| !drive.driven && is_held(**tau));
        let fastest = found.modes.iter().fold(STILL, |most, mode| most.max(mode.omega_squared.abs()));
        let mode = |mut mode: vibration::Mode| {
            if mode.omega_squared.abs() < ROUNDING * fastest {
                mode.omega_squared = 0.0;
            }
            Mode {
                frequency: mode.frequency(),
                growth: (mode.omega_squared < 0.0).then(|| 1.0 / (-mode.omega_squared).sqrt()),
                shape: mode.shape,
                parts: mode.parts,
            }
        };
        let unheld = match robot.closed() {
            Some(_) => Vec::new(),
            None => free.map(|(drive, _)| drive.name.to_owned()).collect(),
        };
        Ok(Vibration { modes: found.modes.into_iter().map(mode).collect(), unheld })
    }

    /// The sketch some way along a shape: at 1 its largest part is about a tenth, rad or sizes of the robot. The state is left alone;
    /// where loops cannot follow, so is the sketch.
    ///
    /// # Errors
    /// If the shape has not as many numbers as there are degrees of freedom.
    pub fn swung(&self, shape: &[f64], amount: f64) -> Result<Sketch, String> {
        let robot = self.robot();
        expect("shape", shape, robot.freedoms().len())?;
        expect("amount", &[amount], 1)?;
        let slides = |k: usize| match robot.model() {
            Model::Closed(closed) => !closed.turns(closed.freedoms()[k]),
            Model::Tree(_) => robot.drives()[k].kind.pick(false, true),
        };
        let size = self.size();
        let units = shape.iter().enumerate().map(|(k, x)| if slides(k) { x.abs() / size } else { x.abs() });
        let largest = units.fold(f64::MIN_POSITIVE, f64::max);
        let x: Vec<f64> = shape.iter().map(|x| amount.clamp(-2.0, 2.0) * SWING / largest * x).collect();
        let mut place = self.place().clone();
        match (robot.model(), &mut place) {
            (Model::Closed(closed), Place::Closed(at)) => {
                let mut coordinates = Coordinates::new(closed);
                coordinates.anchor(at);
                let mut moved = at.clone();
                if coordinates.place(closed, &x, &mut moved).is_ok() {
                    *at = moved;
                }
            }
            (Model::Tree(tree), Place::Tree(q)) => match tree.coordinates() {
                Some(own) => own.integrate(q, &x),
                None => q.iter_mut().zip(&x).for_each(|(q, x)| *q += x),
            },
            _ => {}
        }
        Ok(Sketch::new(robot, &place))
    }
}
