//! Joints that follow others, as URDF's `mimic` has them: a robot in its independent coordinates.
//!
//! A follower's coordinate is `multiplier · leader + offset`. All other methods treat every joint as free; with
//! q = G p + c, where p are the independent coordinates, the coupled robot is the projection of the free one:
//!
//! ```text
//! q̇ = G ṗ,  q̈ = G p̈        τ_p = Gᵀ τ        M_p = Gᵀ M G        M_p p̈ = τ_p − Gᵀ bias(q, q̇)
//! ```
//!
//! τ_p is what the leaders' drives must give, with the followers' drives taken as part of the transmission.

use super::{InertiaError, gibbs_appell_inertia, gibbs_appell_tensor, refuse_small_pivot};
use crate::linear::Cholesky;
use crate::mechanism::Mechanism;
use crate::real::{Measured, Real};

/// Which joints follow which. Every robot has one; without followers it changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    independent: Vec<usize>, // joints that follow none
    rows: Vec<Row>,          // one per joint
}

/// A row of G and c: the joint's leader, by its place among the independent ones.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    leader: usize,
    multiplier: f64,
    offset: f64,
}

/// A joint that follows itself, by way of others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("joint `{joint}` follows itself; let one joint of the circle move by its own")]
pub struct CircularCoupling {
    /// Its name.
    pub joint: String,
}

impl Coupling {
    /// The coupling that a robot's description asks for.
    ///
    /// # Errors
    /// If joints follow each other in a circle.
    pub fn of(robot: &Mechanism) -> Result<Self, CircularCoupling> {
        Self::new(robot, robot.leaders())
    }

    /// The coupling of a robot by the leaders of its joints: `(leader, multiplier, offset)`, `None` for a free joint.
    ///
    /// # Errors
    /// If joints follow each other in a circle.
    ///
    /// # Panics
    /// If there is not one entry per joint, or a leader does not exist.
    pub fn new(robot: &Mechanism, leaders: &[Option<(usize, f64, f64)>]) -> Result<Self, CircularCoupling> {
        let n = robot.dof();
        assert_eq!(leaders.len(), n, "one entry per joint");
        let independent: Vec<usize> = (0..n).filter(|&j| leaders[j].is_none()).collect();
        let rows = (0..n).map(|j| {
            let (mut joint, mut multiplier, mut offset) = (j, 1.0, 0.0);
            for _ in 0..=n {
                let Some((leader, factor, shift)) = leaders[joint] else {
                    let leader = independent.partition_point(|&free| free < joint);
                    return Ok(Row { leader, multiplier, offset });
                };
                offset += multiplier * shift;
                multiplier *= factor;
                joint = leader;
            }
            Err(CircularCoupling { joint: robot.joint_names()[j].clone() })
        });
        Ok(Self { rows: rows.collect::<Result<_, _>>()?, independent })
    }

    /// The joints that follow none, in order: their coordinates are the independent ones.
    #[must_use]
    pub fn independent(&self) -> &[usize] {
        &self.independent
    }

    /// Positions of all joints, q = G p + c.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn positions<T: Real>(&self, independent: &[T], all: &mut [T]) {
        self.rates(independent, all);
        for (row, x) in self.rows.iter().zip(all) {
            *x = *x + x.constant(row.offset);
        }
    }

    /// Velocities or accelerations of all joints, q̇ = G ṗ.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn rates<T: Real>(&self, independent: &[T], all: &mut [T]) {
        assert_eq!((independent.len(), all.len()), (self.independent.len(), self.rows.len()), "one value per joint");
        for (row, x) in self.rows.iter().zip(all) {
            *x = independent[row.leader].scale(row.multiplier);
        }
    }

    /// Forces of the independent coordinates, Gᵀ τ.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn forces<T: Real>(&self, all: &[T], independent: &mut [T]) {
        independent.fill(all[0].zero());
        self.add_forces(all, independent);
    }

    /// Adds Gᵀ τ to forces of the independent coordinates.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn add_forces<T: Real>(&self, all: &[T], independent: &mut [T]) {
        assert_eq!((independent.len(), all.len()), (self.independent.len(), self.rows.len()), "one value per joint");
        for (row, &tau) in self.rows.iter().zip(all) {
            independent[row.leader] = tau.scale_add(row.multiplier, independent[row.leader]);
        }
    }

    /// Inertia matrix of the independent coordinates, Gᵀ M G; both row by row.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn inertia<T: Real>(&self, all: &[T], independent: &mut [T]) {
        let (n, m) = (self.rows.len(), self.independent.len());
        assert_eq!((independent.len(), all.len()), (m * m, n * n), "square matrices");
        independent.fill(all[0].zero());
        for (i, row) in self.rows.iter().enumerate() {
            for (j, column) in self.rows.iter().enumerate() {
                let entry = &mut independent[row.leader * m + column.leader];
                *entry = all[i * n + j].scale_add(row.multiplier * column.multiplier, *entry);
            }
        }
    }
}

/// Workspace for forward dynamics in independent coordinates.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    inertia: gibbs_appell_inertia::Workspace<T>,
    bias: gibbs_appell_tensor::Workspace<T>,
    cholesky: Cholesky<T>,
    q: Vec<T>,
    v: Vec<T>,
    matrix: Vec<T>, // M_p
    a: Vec<T>,      // Gᵀ bias, then p̈
}

impl Workspace<f64> {
    /// A workspace for this robot and coupling.
    #[must_use]
    pub fn new(robot: &Mechanism, coupling: &Coupling) -> Self {
        Self::with_scalar(robot, coupling, 0.0)
    }
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot and coupling over the numbers of the kind of `like`.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, coupling: &Coupling, like: T) -> Self {
        let (n, m, zero) = (robot.dof(), coupling.independent.len(), like.zero());
        Self {
            inertia: gibbs_appell_inertia::Workspace::with_scalar(robot, like),
            bias: gibbs_appell_tensor::Workspace::with_scalar(robot, like),
            cholesky: Cholesky::new(m, like),
            q: vec![zero; n],
            v: vec![zero; n],
            matrix: vec![zero; m * m],
            a: vec![zero; m],
        }
    }
}

/// Accelerations p̈ of the independent coordinates that the forces `tau` give at `p` and its rate.
///
/// # Errors
/// If the inertia matrix is singular; the joint is the independent one.
///
/// # Panics
/// If a slice does not have one value per independent coordinate.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    coupling: &Coupling,
    ws: &'w mut Workspace<T>,
    p: &[T],
    rate: &[T],
    tau: &[T],
) -> Result<&'w [T], InertiaError> {
    coupling.positions(p, &mut ws.q);
    coupling.rates(rate, &mut ws.v);
    coupling.inertia(gibbs_appell_inertia::inertia_matrix(robot, &mut ws.inertia, &ws.q), &mut ws.matrix);
    coupling.forces(gibbs_appell_tensor::bias(robot, &mut ws.bias, &ws.q, &ws.v), &mut ws.a);
    assert_eq!(tau.len(), ws.a.len(), "one value per independent coordinate");
    for (a, &tau) in ws.a.iter_mut().zip(tau) {
        *a = tau - *a;
    }
    ws.cholesky.decompose(&ws.matrix);
    ws.cholesky.solve(&mut ws.a);
    let m = ws.a.len();
    for (k, (&pivot, &joint)) in ws.cholesky.pivots().iter().zip(&coupling.independent).enumerate() {
        refuse_small_pivot(robot, joint, pivot, ws.matrix[k * m + k].greatest())?;
    }
    Ok(&ws.a)
}
