//! The dynamics of a parallel robot on expressions: by the library's own bodies, or by bodies that are given.
//!
//! Bodies that are given act as a load on a robot that has none: its formulation then finds the generalised forces on
//! the independent velocities, and how the drives share it.
//!
//! ```text
//! w = Zᵀ f_u        J_invᵀ τ = w        M = Zᵀ M_u Z        M ṙ = J_invᵀ τ − w at ṙ = 0
//! ```

use super::masses::Masses;
use crate::expr::Expr;
use appell::closed::drives::Sharing;
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration, SingularError};
use appell::linear::Cholesky;
use appell::question::closed::bare;
use appell::real::Real;
use appell::spatial::Vec3;

/// A robot at a recorded configuration.
pub(crate) struct Dynamics<'r, 'g> {
    pub(crate) robot: &'r ClosedMechanism,
    pub(crate) at: Configuration<Expr<'g>>,
    pub(crate) formulation: Formulation,
    ws: formulation::Workspace<Expr<'g>>,
    masses: Option<Masses<'g>>,
}

impl<'r, 'g> Dynamics<'r, 'g> {
    /// With the robot's bodies, or others.
    pub(crate) fn new(
        robot: &'r ClosedMechanism,
        at: Configuration<Expr<'g>>,
        formulation: Formulation,
        masses: Option<Masses<'g>>,
    ) -> Self {
        // A formulation may keep masses: those that are given are no part of it.
        let own = masses.as_ref().map(|_| robot.without_masses());
        let ws = formulation::Workspace::with_scalar(own.as_ref().unwrap_or(robot), formulation, at.pose.position.x);
        Self { robot, at, formulation, ws, masses }
    }

    /// No motion.
    pub(crate) fn rest(&self) -> Vec<Expr<'g>> {
        vec![self.at.pose.position.x.zero(); self.robot.freedoms().len()]
    }

    /// A robot without masses, and what the given bodies need as a load on it.
    fn loaded(
        &mut self,
        robot: &ClosedMechanism,
        r: &[Expr<'g>],
        r_dot: &[Expr<'g>],
    ) -> Result<Option<(ClosedMechanism, Vec<Expr<'g>>)>, SingularError> {
        let Some(masses) = &self.masses else { return Ok(None) };
        let (u, u_dot) = formulation::motion(robot, &mut self.ws, &self.at, r, r_dot)?;
        let load = masses.needs(robot, &self.at, u, u_dot).into_iter().map(|need| -need).collect();
        Ok(Some((robot.without_masses(), load)))
    }

    /// τ of the drives.
    pub(crate) fn efforts(&mut self, r: &[Expr<'g>], r_dot: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, SingularError> {
        let (robot, sharing) = (self.robot, Sharing::default());
        let loaded = self.loaded(robot, r, r_dot)?;
        let (robot, load) = loaded.as_ref().map_or((robot, &[][..]), |(massless, load)| (massless, load));
        Ok(formulation::inverse_dynamics(robot, &mut self.ws, &self.at, r, r_dot, load, &sharing)?.to_vec())
    }

    /// w, the generalised forces on the independent velocities; `robot` is this one, perhaps with other effects or
    /// gravity.
    pub(crate) fn generalised_forces(
        &mut self,
        robot: &ClosedMechanism,
        r: &[Expr<'g>],
        r_dot: &[Expr<'g>],
    ) -> Result<Vec<Expr<'g>>, SingularError> {
        let loaded = self.loaded(robot, r, r_dot)?;
        let (robot, load) = loaded.as_ref().map_or((robot, &[][..]), |(massless, load)| (massless, load));
        Ok(formulation::generalised_forces(robot, &mut self.ws, &self.at, r, r_dot, load)?.to_vec())
    }

    /// M of the independent velocities, row by row.
    pub(crate) fn inertia(&mut self) -> Result<Vec<Expr<'g>>, SingularError> {
        match &self.masses {
            None => Ok(formulation::inertia_matrix(self.robot, &mut self.ws, &self.at)?.to_vec()),
            Some(masses) => {
                let (of_tree, of_platform) = masses.inertia(self.robot, &self.at);
                let ws = &mut self.ws;
                Ok(formulation::projected_inertia(self.robot, ws, &self.at, &of_tree, &of_platform)?.to_vec())
            }
        }
    }

    /// ṙ under the drives' torques and forces.
    pub(crate) fn rates(&mut self, r: &[Expr<'g>], tau: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, SingularError> {
        if self.masses.is_none() {
            return Ok(formulation::forward_dynamics(self.robot, &mut self.ws, &self.at, r, tau, &[])?.to_vec());
        }
        let rest = self.rest();
        let bias = self.generalised_forces(self.robot, r, &rest)?;
        let driven = self.on_freedoms(tau)?;
        let mut rates: Vec<Expr<'g>> = driven.into_iter().zip(bias).map(|(driven, bias)| driven - bias).collect();
        // The library has answered at the state of recording: its pivots are no matter here.
        let mut solver = Cholesky::new(rest.len(), rest[0]);
        solver.decompose(&self.inertia()?);
        solver.solve(&mut rates);
        Ok(rates)
    }

    /// u̇ of a motion.
    pub(crate) fn accelerations(&mut self, r: &[Expr<'g>], r_dot: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, SingularError> {
        Ok(formulation::motion(self.robot, &mut self.ws, &self.at, r, r_dot)?.1.to_vec())
    }

    /// Z, velocities u by row.
    pub(crate) fn complement(&mut self) -> Result<Vec<Expr<'g>>, SingularError> {
        Ok(formulation::complement(self.robot, &mut self.ws, &self.at)?.to_vec())
    }

    /// J_inv, drives × n row by row.
    pub(crate) fn inverse_jacobian(&mut self) -> Result<Vec<Expr<'g>>, SingularError> {
        Ok(formulation::inverse_jacobian(self.robot, &mut self.ws, &self.at)?.to_vec())
    }

    /// J_invᵀ τ.
    pub(crate) fn on_freedoms(&mut self, tau: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, SingularError> {
        let (n, j_inv) = (self.robot.freedoms().len(), self.inverse_jacobian()?);
        let along = |c: usize| {
            let rows = tau.iter().zip(j_inv.chunks_exact(n));
            rows.fold(tau[0].zero(), |sum, (&tau, row)| tau.mul_add(row[c], sum))
        };
        Ok((0..n).map(along).collect())
    }

    /// τ with J_invᵀ τ = w for any w: the torques and forces of a robot without bodies, at rest, that holds w on its
    /// independent velocities.
    pub(crate) fn shared(&mut self, w: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, SingularError> {
        let (empty, rest) = (bare(self.robot).with_gravity(Vec3::default()).without_masses(), self.rest());
        let mut load = vec![w[0].zero(); self.robot.velocities()];
        self.robot.freedoms().iter().zip(w).for_each(|(&freedom, &w)| load[freedom] = -w);
        Ok(formulation::inverse_dynamics(&empty, &mut self.ws, &self.at, &rest, &rest, &load, &Sharing::default())?
            .to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::super::masses::Exchange;
    use super::*;
    use crate::expr::Recorder;
    use appell::closed::{Constraint, legs_platform};
    use appell::description::ClosingJoint;
    use appell::sample::{Family, Sampler};

    /// Numbers that depend on no input.
    fn numbers(expressions: &[Expr<'_>]) -> Vec<f64> {
        expressions.iter().map(|x| x.as_constant().expect("a number")).collect()
    }

    fn assert_close(found: &[f64], expected: &[f64], label: &str) {
        let largest = expected.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
        for (x, y) in found.iter().zip(expected) {
            assert!((x - y).abs() <= 1e-7 * largest, "{label}: {x:e}, not {y:e}, of {largest:e}");
        }
    }

    /// Whatever is exchanged through closing joints of any kind, and regrouped in the legs, the generalised
    /// forces stay the same.
    #[test]
    fn regrouped_bodies_are_felt_as_the_robots_own() {
        let mut joints = Vec::new();
        for (family, seed) in Family::ALL.into_iter().flat_map(|family| (0..12).map(move |seed| (family, seed))) {
            let mut sampler = Sampler::new(seed);
            let robot = sampler.closed_robot(family);
            if !legs_platform::applies(&robot) {
                continue;
            }
            let state = sampler.closed_state(&robot);
            for &formulation in Formulation::of(&robot) {
                let mut ws = formulation::Workspace::new(&robot, formulation);
                let Ok(expected) =
                    formulation::generalised_forces(&robot, &mut ws, &state.at, &state.r, &state.r_dot, &[])
                else {
                    continue;
                };
                let expected = expected.to_vec();
                let inertia = formulation::inertia_matrix(&robot, &mut ws, &state.at).unwrap().to_vec();
                for exchange in Exchange::ALL {
                    let recorder = Recorder::default();
                    let zero = recorder.constant(0.0);
                    let lift = |x: &[f64]| x.iter().map(|&x| zero.constant(x)).collect::<Vec<_>>();
                    let mut masses = Masses::of(&robot, zero, &[]);
                    masses.regroup(&robot, exchange);
                    let mut dynamics = Dynamics::new(&robot, state.at.lift(zero), formulation, Some(masses));
                    let label = format!("{family:?} {seed} {} {exchange:?}", formulation.name());
                    let found = dynamics.generalised_forces(&robot, &lift(&state.r), &lift(&state.r_dot)).unwrap();
                    assert_close(&numbers(&found), &expected, &label);
                    assert_close(&numbers(&dynamics.inertia().unwrap()), &inertia, &label);
                }
            }
            let kinds = robot.legs().iter().filter(|leg| !leg.joints.is_empty()).map(|leg| leg.closure);
            joints.extend(kinds.map(|closure| robot.closures()[closure].constraint));
        }
        for kind in ClosingJoint::ALL {
            assert!(joints.contains(&Constraint::Joint(kind)), "no robot has a {} joint at its platform", kind.name());
        }
    }
}
