//! Questions in the independent coordinates of a robot whose followers follow.

use super::{Question, State};
use crate::dynamics::InertiaError;
use crate::dynamics::coupling::{self, Coupling};
use crate::dynamics::reactions;
use crate::mechanism::Mechanism;

/// What stands between the states of a coupled robot and the methods, which take every joint as free.
pub(super) struct Coupled {
    coupling: Coupling,
    forward: Option<coupling::Workspace>, // for forward dynamics alone
    outside: reactions::Workspace,
    independent: [Vec<f64>; 4], // q, v, a, tau of the independent joints
    all: [Vec<f64>; 3],         // q, v, a of all joints
    free: Vec<f64>,             // the answer of the free robot
}

impl Coupled {
    pub(super) fn new(robot: &Mechanism, coupling: Coupling, question: Question, width: usize) -> Self {
        let (n, m) = (robot.dof(), coupling.independent().len());
        Self {
            forward: (question == Question::ForwardDynamics).then(|| coupling::Workspace::new(robot, &coupling)),
            outside: reactions::Workspace::new(robot),
            independent: core::array::from_fn(|_| vec![0.0; m]),
            all: core::array::from_fn(|_| vec![0.0; n]),
            free: vec![0.0; width],
            coupling,
        }
    }

    pub(super) fn coupling(&self) -> &Coupling {
        &self.coupling
    }

    /// Answers for a state, of which only the independent joints' numbers are read. `run` is the free robot's method.
    pub(super) fn evaluate(
        &mut self,
        robot: &Mechanism,
        question: Question,
        state: &State<'_>,
        row: &mut [f64],
        mut run: impl FnMut(&State<'_>, &mut [f64]) -> Result<(), InertiaError>,
    ) -> Result<(), InertiaError> {
        for (own, given) in self.independent.iter_mut().zip([state.q, state.v, state.a, state.tau]) {
            for (x, &joint) in own.iter_mut().zip(self.coupling.independent()) {
                *x = given.get(joint).copied().unwrap_or(0.0);
            }
        }
        let [p, rate, acceleration, tau] = &mut self.independent;
        let [q, v, a] = &mut self.all;
        self.coupling.positions(p, q);
        self.coupling.rates(rate, v);
        self.coupling.rates(acceleration, a);
        let state = &State { q, v, a, ..*state };
        match question {
            Question::ForwardDynamics => {
                let forward = self.forward.as_mut().expect("made for this question");
                let outside = reactions::external_joint_forces(robot, &mut self.outside, q, state.external);
                self.coupling.add_forces(outside, tau);
                let found = coupling::forward_dynamics(robot, &self.coupling, forward, p, rate, tau)?;
                self.coupling.rates(found, row);
            }
            Question::InertiaMatrix => {
                run(state, &mut self.free)?;
                self.coupling.inertia(&self.free, row);
            }
            _ if is_force(question) => {
                run(state, &mut self.free)?;
                self.coupling.forces(&self.free, row);
            }
            _ => run(state, row)?,
        }
        Ok(())
    }
}

/// Which of the free robot's columns a coupled one has: forces and inertia are the leaders' alone.
pub(super) fn columns(question: Question, free: Vec<String>, coupling: &Coupling, n: usize) -> Vec<String> {
    let leads = |joint: usize| coupling.independent().contains(&joint);
    let keeps = |k: usize| match question {
        Question::InertiaMatrix => leads(k / n) && leads(k % n),
        _ => !is_force(question) || leads(k),
    };
    free.into_iter().enumerate().filter(|(k, _)| keeps(*k)).map(|(_, column)| column).collect()
}

/// Whether a question has an answer for coupled joints here: one that is not differentiated joint by joint.
pub(super) fn has_answer(question: Question) -> bool {
    matches!(
        question,
        Question::InertiaMatrix
            | Question::ForwardDynamics
            | Question::Reactions
            | Question::Energy
            | Question::Momentum
            | Question::CentreOfMass
            | Question::GibbsFunction
            | Question::Frames
            | Question::Velocities
            | Question::Accelerations
    ) || is_force(question)
}

/// Whether the answer is one force per joint.
fn is_force(question: Question) -> bool {
    matches!(question, Question::InverseDynamics | Question::Bias | Question::Gravity | Question::CoriolisVector)
}
