//! Trees and chains in their joints' coordinates.

use super::super::Reason;
use super::{DryFriction, Plant, View, dry};
use appell::description::Limits;
use appell::dynamics::energy::{self, Energy};
use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{articulated_body, coriolis, gibbs_appell_inertia, joint_effects, statics};
use appell::kinematics;
use appell::linear::Cholesky;
use appell::mechanism::Mechanism;
use std::borrow::Cow;

/// By which method a tree's accelerations are found.
#[derive(Debug, Clone)]
enum Accelerations {
    JointSpace(Box<joint_space::Workspace>),
    ArticulatedBody(Box<articulated_body::Workspace>),
}

/// How forward dynamics of a tree is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForwardMethod {
    /// Gibbs-Appell and Cholesky.
    #[default]
    GibbsAppell,
    /// Composite bodies and Cholesky.
    CompositeBody,
    /// Articulated bodies.
    ArticulatedBody,
}

/// A tree or chain in its joints' coordinates.
#[derive(Debug, Clone)]
pub struct Tree<'r> {
    robot: Cow<'r, Mechanism>,  // without dry friction
    friction: Vec<DryFriction>, // dry, of the joints that have some
    q: Vec<f64>,
    v: Vec<f64>,
    forward: Accelerations,
    energy: kinematics::Workspace,
    inertia: gibbs_appell_inertia::Workspace,
    coriolis: coriolis::Workspace,
    gravity: statics::Workspace,
    cholesky: Cholesky<f64>,
}

impl<'r> Tree<'r> {
    /// A robot in a state.
    ///
    /// # Panics
    /// If a slice does not have one value per joint.
    #[must_use]
    pub fn new(robot: &'r Mechanism, q: &[f64], v: &[f64]) -> Self {
        Self::with(robot, q, v, ForwardMethod::default())
    }

    /// A robot in a state, with its accelerations by a method.
    ///
    /// # Panics
    /// If a slice does not have one value per joint.
    #[must_use]
    pub fn with(robot: &'r Mechanism, q: &[f64], v: &[f64], method: ForwardMethod) -> Self {
        robot.expect_lengths(&[q, v]);
        let friction = dry::of_rows(robot);
        let by = |equations| {
            Accelerations::JointSpace(Box::new(joint_space::Workspace::with_scalar(
                robot,
                equations,
                Solver::Cholesky,
                0.0,
            )))
        };
        Self {
            robot: if friction.is_empty() { Cow::Borrowed(robot) } else { Cow::Owned(dry::without(robot, &[])) },
            friction,
            q: q.to_vec(),
            v: v.to_vec(),
            forward: match method {
                ForwardMethod::GibbsAppell => by(Equations::GibbsAppell),
                ForwardMethod::CompositeBody => by(Equations::CompositeBody),
                ForwardMethod::ArticulatedBody => {
                    Accelerations::ArticulatedBody(Box::new(articulated_body::Workspace::new(robot)))
                }
            },
            energy: kinematics::Workspace::new(robot),
            inertia: gibbs_appell_inertia::Workspace::new(robot),
            coriolis: coriolis::Workspace::new(robot),
            gravity: statics::Workspace::new(robot),
            cholesky: Cholesky::new(robot.dof(), 0.0),
        }
    }
}

impl Plant for Tree<'_> {
    fn freedoms(&self) -> usize {
        self.robot.dof()
    }

    fn efforts(&self) -> usize {
        self.robot.dof()
    }

    fn state(&self, x: &mut [f64], r: &mut [f64]) {
        x.copy_from_slice(&self.q);
        r.copy_from_slice(&self.v);
    }

    fn place(&mut self, x: &[f64], r: &[f64]) -> Result<(), Reason> {
        self.q.copy_from_slice(x);
        self.v.copy_from_slice(r);
        Ok(())
    }

    fn view(&self, t: f64) -> View<'_> {
        View { t, q: &self.q, v: &self.v, r: &self.v, platform: None }
    }

    fn rates(&mut self, efforts: &[f64], x_rates: &mut [f64], r_rates: &mut [f64]) -> Result<(), Reason> {
        let Self { robot, q, v, forward, .. } = self;
        let a = match forward {
            Accelerations::JointSpace(ws) => joint_space::forward_dynamics(robot, ws, q, v, efforts)?,
            Accelerations::ArticulatedBody(ws) => articulated_body::forward_dynamics(robot, ws, q, v, efforts)?,
        };
        x_rates.copy_from_slice(v);
        r_rates.copy_from_slice(a);
        Ok(())
    }

    fn anchor(&mut self) -> bool {
        false
    }

    fn energy(&mut self) -> Energy {
        energy::energy(&self.robot, &mut self.energy, &self.q, &self.v)
    }

    fn joints(&self) -> (&[String], &[Limits]) {
        (self.robot.joint_names(), self.robot.limits())
    }

    fn coordinate_of(&self, joint: usize) -> Option<usize> {
        Some(joint)
    }

    fn dry_friction(&self) -> &[DryFriction] {
        &self.friction
    }

    /// M⁻¹ E.
    fn responses(&mut self, joints: &[usize], of_r: &mut [f64], of_v: &mut [f64]) -> Result<(), Reason> {
        let (n, many) = (self.v.len(), joints.len());
        self.cholesky.decompose(gibbs_appell_inertia::inertia_matrix(&self.robot, &mut self.inertia, &self.q));
        for ((row, of_v), &joint) in of_r.chunks_exact_mut(n).zip(of_v.chunks_exact_mut(many)).zip(joints) {
            row.fill(0.0);
            row[joint] = 1.0;
            self.cholesky.solve(row);
            of_v.iter_mut().zip(joints).for_each(|(of_v, &j)| *of_v = row[j]);
        }
        Ok(())
    }

    /// p = M(q) v.
    fn momenta(&mut self, r: &[f64], p: &mut [f64]) -> Result<(), Reason> {
        let matrix = gibbs_appell_inertia::inertia_matrix(&self.robot, &mut self.inertia, &self.q);
        for (p, row) in p.iter_mut().zip(matrix.chunks_exact(r.len())) {
            *p = row.iter().zip(r).map(|(m, r)| m * r).sum();
        }
        Ok(())
    }

    fn place_with_momenta(&mut self, x: &[f64], p: &[f64], r: &mut [f64]) -> Result<(), Reason> {
        self.q.copy_from_slice(x);
        let matrix = gibbs_appell_inertia::inertia_matrix(&self.robot, &mut self.inertia, &self.q);
        self.cholesky.decompose(matrix);
        r.copy_from_slice(p);
        self.cholesky.solve(r);
        self.v.copy_from_slice(r);
        Ok(())
    }

    /// ṗ = τ − ∂H/∂q = τ − G + Cᵀ v, C by the rates of the bodies' Jacobians (Echeandia2021); friction and springs of
    /// the joints as forces.
    fn momenta_rates(&mut self, efforts: &[f64], x_rates: &mut [f64], p_rates: &mut [f64]) -> Result<(), Reason> {
        let n = self.v.len();
        x_rates.copy_from_slice(&self.v);
        let gravity = statics::gravity(&self.robot, &mut self.gravity, &self.q);
        for ((rate, effort), gravity) in p_rates.iter_mut().zip(efforts).zip(gravity) {
            *rate = effort - gravity;
        }
        let matrix = coriolis::coriolis_matrix(&self.robot, &mut self.coriolis, &self.q, &self.v);
        for (row, v) in matrix.chunks_exact(n).zip(&self.v) {
            p_rates.iter_mut().zip(row).for_each(|(rate, c)| *rate += c * v);
        }
        for (j, effects) in self.robot.effects().iter().enumerate().filter(|_| self.robot.has_effects()) {
            p_rates[j] -= joint_effects::force(effects, self.q[j], self.v[j]);
        }
        Ok(())
    }
}
