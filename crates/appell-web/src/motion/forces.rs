//! What makes a robot move: the true robot, the law with the robot that it knows, and somebody who pushes.

use super::course::Course;
use super::gains::gains;
use super::options::{Law as Choice, Options};
use super::pace;
use super::refuse_large;
use super::shared::Shared;
use super::state::State;
use super::truth;
use crate::place::{Held, Place, positions_of_drives};
use appell::closed::coordinates::Coordinates;
use appell::dynamics::reactions::{self, ExternalWrench};
use appell::mechanism::Mechanism;
use appell::spatial::{Vec3, Wrench};
use appell::{Model, Robot};
use appell_simulation::control::{ComputedTorque, DriveTorque, Gains, InAdvance, JointPd, Limited};
use appell_simulation::simulation::law::Free;
use appell_simulation::simulation::{Law, Plant, Reason, View};
use appell_simulation::trajectory::Ramp;

/// What drives a robot, ready for every step.
#[derive(Clone)]
pub(super) struct Forces {
    truth: Robot,
    model: Robot,
    choice: Choice,
    gains: Vec<Gains>,
    reference: Shared,
    /// A wrench at what the hand holds, in base axes.
    push: Option<Wrench>,
    held: Held,
    /// The length of a step, s.
    pub(super) step: f64,
}

impl Forces {
    /// What drives a robot from its start on; `robot` is coupled.
    pub(super) fn new(robot: &Robot, held: Held, start: &Place, options: &Options) -> Result<Self, String> {
        refuse_large(robot)?;
        refuse(robot, options.law)?;
        let [truth, model] = truth::robots(robot, held, start, options)?;
        let state = State::at_rest(robot, start);
        let gains = gains(&model, &state, options)?;
        let step = pace::step(&truth, &state, options, &gains)?;
        let reference = reference(robot, start, options)?;
        Ok(Self { truth, model, choice: options.law, gains, reference, push: None, held, step })
    }

    /// The same with a wrench at what the hand holds; zero is none.
    pub(super) fn push(&mut self, wrench: [f64; 6]) -> Result<(), String> {
        let [fx, fy, fz, mx, my, mz] = wrench;
        let wrench =
            (wrench != [0.0; 6]).then(|| Wrench { force: Vec3::new(fx, fy, fz), moment: Vec3::new(mx, my, mz) });
        if wrench.is_some() && self.truth.closed().is_some() && self.held != Held::Platform {
            return Err("a push acts at a platform; choose an output of this robot".into());
        }
        self.push = wrench;
        Ok(())
    }

    /// The wrench that pushes.
    pub(super) fn pushed(&self) -> [f64; 6] {
        self.push.map_or([0.0; 6], Wrench::to_array)
    }

    /// The true robot in a state.
    pub(super) fn plant(&self, state: &State) -> Result<Box<dyn Plant + '_>, String> {
        state.plant(&self.truth, self.push.as_ref())
    }

    /// The law, and on a tree the push.
    pub(super) fn law(&self) -> Result<Box<dyn Law + '_>, String> {
        let law = self.bare_law()?;
        Ok(match (self.truth.model(), self.held, self.push) {
            (Model::Tree(tree), Held::Frame(frame), Some(wrench)) => {
                Box::new(Pushed::new(tree, law, ExternalWrench { frame, wrench }))
            }
            _ => law,
        })
    }

    fn bare_law(&self) -> Result<Box<dyn Law + '_>, String> {
        let Self { model, gains, .. } = self;
        let (gains, reference) = (gains.clone(), Box::new(self.reference.clone()));
        let in_advance =
            if self.choice == Choice::GravityCompensation { InAdvance::Gravity } else { InAdvance::Nothing };
        let law: Box<dyn Law + '_> = match (self.choice, model.model()) {
            (Choice::Free, _) => return Ok(Box::new(Free)),
            (Choice::ComputedTorque, Model::Tree(tree)) => Box::new(ComputedTorque::tracking(tree, reference, gains)),
            (Choice::ComputedTorque, Model::Closed(closed)) => Box::new(DriveTorque::new(closed, reference, gains)),
            (_, Model::Tree(tree)) => Box::new(JointPd::new(tree, reference, gains, in_advance)),
            (_, Model::Closed(closed)) => Box::new(JointPd::of_drives(closed, reference, gains, in_advance)),
        };
        // Joints of a tree without a motor give nothing.
        let is_passive = model.closed().is_none() && model.drives().iter().any(|drive| !drive.driven);
        if !is_passive {
            return Ok(law);
        }
        let limits = model.drives().iter().map(|drive| if drive.driven { f64::INFINITY } else { 0.0 }).collect();
        Ok(Box::new(Limited::new(law, limits)))
    }

    /// What acts along the velocities of a tree, the push with it.
    pub(super) fn with_push(&self, q: &[f64], tau: &[f64]) -> Vec<f64> {
        self.beside_push(q, tau, 1.0)
    }

    /// What the drives give, of all that acts along the velocities.
    pub(super) fn without_push(&self, q: &[f64], efforts: &[f64]) -> Vec<f64> {
        self.beside_push(q, efforts, -1.0)
    }

    fn beside_push(&self, q: &[f64], efforts: &[f64], sign: f64) -> Vec<f64> {
        let mut sum = efforts.to_vec();
        if let (Model::Tree(tree), Held::Frame(frame), Some(wrench)) = (self.truth.model(), self.held, self.push) {
            let wrench = Wrench { force: wrench.force.scale(sign), moment: wrench.moment.scale(sign) };
            Outside::new(tree, ExternalWrench { frame, wrench }).add(q, &mut sum);
        }
        sum
    }

    /// The push along all velocities of a robot with loops; empty is none.
    pub(super) fn load(&self) -> Vec<f64> {
        let (Some(closed), Some(wrench)) = (self.truth.closed(), self.push) else { return Vec::new() };
        let mut load = vec![0.0; closed.tree().dof()];
        load.extend(wrench.to_array());
        load
    }

    /// Whether a joint's way has an end: without one nothing is to be watched.
    pub(super) fn has_limits(&self) -> bool {
        self.truth.tree().limits().iter().any(|limits| limits.lower.is_finite() || limits.upper.is_finite())
    }

    /// How far loops are open at most.
    pub(super) fn opening(&self, state: &State) -> f64 {
        match (state, self.truth.closed()) {
            (State::Closed { at, .. }, Some(closed)) => Coordinates::new(closed).gap(closed, at),
            _ => 0.0,
        }
    }

    /// Of every drive.
    pub(super) fn gains(&self) -> &[Gains] {
        &self.gains
    }

    /// The robot as it is.
    pub(super) fn truth(&self) -> &Robot {
        &self.truth
    }

    /// How far the drives are from the reference at a time, if the law follows one.
    pub(super) fn error(&self, t: f64, q: &[f64]) -> Option<Vec<f64>> {
        let wanted = self.reference.positions(t).ok().filter(|_| self.choice.follows())?;
        Some(positions_of_drives(&self.truth).iter().zip(wanted).map(|(&j, wanted)| q[j] - wanted).collect())
    }
}

/// Refuses laws that cannot drive a robot.
fn refuse(robot: &Robot, choice: Choice) -> Result<(), String> {
    if choice == Choice::Free {
        return Ok(());
    }
    let quaternion = robot.tree().coordinates().and_then(|own| {
        let velocity = (0..own.velocities().len()).find(|&k| own.position_of(k).is_none())?;
        own.velocities()[velocity].rsplit_once('.').map(|(joint, _)| joint)
    });
    if let (Some(joint), None) = (quaternion, robot.closed()) {
        return Err(format!("joint {joint} is a quaternion, which laws of joints do not drive; take none"));
    }
    let (drives, freedoms) = (robot.drives().len(), robot.freedoms().len());
    if choice == Choice::ComputedTorque && robot.closed().is_some() && drives != freedoms {
        return Err(format!(
            "computed torque needs as many drives as freedoms; {} has {drives} and {freedoms}; take PD",
            robot.name()
        ));
    }
    Ok(())
}

/// What the drives shall do: staying at the start where nothing is said.
fn reference(robot: &Robot, start: &Place, options: &Options) -> Result<Shared, String> {
    if let Some(followed) = options.reference.as_ref().filter(|_| options.law.follows()) {
        let course = Course::new(robot, &followed.request)?;
        let times = course.times(robot, followed.duration())?;
        return Ok(Shared::new(course.drives(robot, &times)?));
    }
    let q = start.q();
    let drives: Vec<f64> = positions_of_drives(robot).iter().map(|&j| q[j]).collect();
    let staying = Ramp::staying(&drives, 1.0).map_err(|error| error.to_string())?;
    Ok(Shared::new(Box::new(staying)))
}

/// What a wrench at a frame of a tree does along its velocities.
struct Outside<'r> {
    tree: &'r Mechanism,
    wrench: [ExternalWrench; 1],
    rows: Vec<f64>,
    workspace: reactions::Workspace,
}

impl<'r> Outside<'r> {
    fn new(tree: &'r Mechanism, wrench: ExternalWrench) -> Self {
        Self { tree, wrench: [wrench], rows: vec![0.0; tree.dof()], workspace: reactions::Workspace::new(tree) }
    }

    fn add(&mut self, q: &[f64], efforts: &mut [f64]) {
        let Self { tree, wrench, rows, workspace } = self;
        match tree.coordinates() {
            None => {
                let forces = reactions::external_joint_forces(tree, workspace, q, wrench);
                efforts.iter_mut().zip(forces).for_each(|(effort, force)| *effort += force);
            }
            Some(own) => {
                own.anchor(q, rows);
                own.add_collected(reactions::external_joint_forces(tree, workspace, rows, wrench), efforts);
            }
        }
    }
}

/// A law, and somebody who pushes the robot.
struct Pushed<'r> {
    law: Box<dyn Law + 'r>,
    outside: Outside<'r>,
}

impl<'r> Pushed<'r> {
    fn new(tree: &'r Mechanism, law: Box<dyn Law + 'r>, wrench: ExternalWrench) -> Self {
        Self { law, outside: Outside::new(tree, wrench) }
    }
}

impl Law for Pushed<'_> {
    fn states(&self) -> usize {
        self.law.states()
    }

    fn efforts(&mut self, now: &View<'_>, own: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        self.law.efforts(now, own, rates, efforts)?;
        self.outside.add(now.q, efforts);
        Ok(())
    }
}
