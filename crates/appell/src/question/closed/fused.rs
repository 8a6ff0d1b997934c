//! One state of a robot with closed loops at a time, compiled for the processor at hand.
//!
//! Legs in closed form that hold a platform with six degrees of freedom are found, and what the independent velocities
//! alone tell is answered, with fused multiply-add where the processor has it. Other motions are found, and other
//! questions, robots that are computed by tree and closures, and states with external loads are answered, on plain
//! numbers: fused ones would gain little there, and compile it all once more.

use super::answers::{Given, Run, of_freedoms};
use super::motion::{Motion, Moved};
use crate::closed::assembly::InClosedForm;
use crate::closed::drives::Sharing;
use crate::closed::{ClosedMechanism, Configuration, SingularError};
use crate::question::method::Way;
use crate::question::{Input, Question};
use crate::real::Fused;
use crate::spatial::{Mat3, Pose, Vec3};
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use fearless_simd::Level;

/// A question on fused numbers, and the motion that it is asked of.
pub(super) struct OnFused {
    /// Of robots whose platform has all degrees of freedom: none of its rates follows from others.
    legs: Option<InClosedForm<Fused>>,
    /// Whether the question reads velocities and accelerations.
    reads: [bool; 2],
    run: Run<Fused>,
    moved: Moved<Fused>,
    tau: Vec<Fused>,
    row: Vec<Fused>,
}

impl OnFused {
    /// A question, if this robot and this processor let it be computed so.
    pub(super) fn new(robot: &ClosedMechanism, question: Question, way: Way, columns: usize) -> Option<Self> {
        let (formulation, zero) = (way.formulation()?, Fused(0.0));
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::new().as_avx2()?;
        let run =
            if formulation.runs_in_lanes() { of_freedoms(robot, question, formulation, zero)? } else { return None };
        Some(Self {
            legs: if robot.freedoms().len() == 6 { InClosedForm::new(robot, zero) } else { None },
            reads: [Input::Velocities, Input::Accelerations].map(|input| question.reads(input)),
            run,
            moved: Moved::new(robot, zero),
            tau: Vec::with_capacity(robot.driven().len()),
            row: vec![zero; columns],
        })
    }

    /// Answers for the motion that was found or set.
    pub(super) fn run(
        &mut self,
        robot: &ClosedMechanism,
        tau: &[f64],
        sharing: &Sharing,
        row: &mut [f64],
    ) -> Result<(), SingularError> {
        self.tau.clear();
        self.tau.extend(tau.iter().map(|&tau| Fused(tau)));
        let Self { moved, tau, row: answer, .. } = self;
        let given = Given { moved, tau, load: &[], on_bodies: &[], sharing, least_squares: None };
        (self.run)(robot, &given, answer)?;
        row.iter_mut().zip(answer).for_each(|(number, answer)| *number = answer.0);
        Ok(())
    }

    /// Where everything is, on plain numbers.
    pub(super) fn put_configuration(&self, at: &mut Configuration) {
        let found = &self.moved.at;
        at.q.iter_mut().zip(&found.q).for_each(|(number, found)| *number = found.0);
        let plain = |vector: Vec3<Fused>| Vec3::from(vector.to_array().map(|number| number.0));
        let Pose { rotation, position } = &found.pose;
        at.pose = Pose { rotation: Mat3 { rows: rotation.rows.map(plain) }, position: plain(*position) };
    }

    /// Finds a motion by the legs' closed forms, if that is possible.
    pub(super) fn find(&mut self, robot: &ClosedMechanism, motion: &Motion<'_>) -> bool {
        let (Some(legs), Motion::Platform { pose, twist, acceleration }) = (&mut self.legs, motion) else {
            return false;
        };
        let Moved { at, r, r_dot, .. } = &mut self.moved;
        at.pose = pose.lift(Fused(0.0));
        let rates = [(r, twist), (r_dot, acceleration)];
        for ((rates, given), is_read) in rates.into_iter().zip(self.reads) {
            for (rate, given) in rates.iter_mut().zip(given) {
                match given.filter(|_| is_read) {
                    Some(given) => *rate = Fused(given),
                    None if is_read => return false,
                    None => *rate = Fused(0.0),
                }
            }
        }
        legs.reach(robot, at)
    }

    /// Takes a motion that was found.
    pub(super) fn set(&mut self, found: &Moved) {
        let Moved { at, r, r_dot, .. } = &mut self.moved;
        at.pose = found.at.pose.lift(Fused(0.0));
        for (fused, numbers) in [(&mut at.q, &found.at.q), (r, &found.r), (r_dot, &found.r_dot)] {
            fused.iter_mut().zip(numbers).for_each(|(fused, &number)| *fused = Fused(number));
        }
    }
}
