//! A Coriolis matrix of a closed mechanism with Ṁ − 2 C skew-symmetric, in its independent velocities.
//!
//! ```text
//! M_r = Zᵀ M Z        C_r = Zᵀ (M Ż + C Z)        Ṁ_r − 2 C_r = Zᵀ (Ṁ − 2 C) Z + Żᵀ M Z − Zᵀ M Ż
//! ```
//!
//! M and C are those of the open robot, Ṁ − 2 C skew-symmetric there; Ż is exact, by dual numbers along the motion.

use super::formulation::{self, Formulation};
use super::variation::{still_with_scalar, vary};
use super::{ClosedMechanism, Configuration, SingularError};
use crate::dynamics::{christoffel, composite_body, coriolis, gibbs_appell_inertia};
use crate::real::{Dual, Measured};
use crate::spatial::Vec3;

/// Workspace for the matrices.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    motion: formulation::Workspace<T>,
    moving: formulation::Workspace<Dual<1, T>>,
    varied: Configuration<Dual<1, T>>,
    tree: TreeWorkspace<T>,
    rest: Vec<T>,       // ṙ = 0
    inertia: Vec<T>,    // M of the open robot
    matrix: Vec<T>,     // C of the open robot
    m_zdot_c_z: Vec<T>, // M Ż + C Z
    answer: Vec<T>,
}

/// Where M and C of the tree come from.
#[derive(Debug, Clone)]
enum TreeWorkspace<T> {
    /// The recursion, and Gibbs-Appell inertia.
    Recursive(Box<coriolis::Workspace<T>>, gibbs_appell_inertia::Workspace<T>),
    /// Christoffel's symbols, and composite bodies.
    Christoffel(Box<christoffel::Workspace<T>>, composite_body::Workspace<T>),
}

impl Workspace {
    /// A workspace for this robot and formulation, with the open tree's matrix by the recursion for legs and a platform,
    /// and by Christoffel's symbols else.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        Self::with_scalar(robot, formulation, 0.0)
    }
}

impl<T: Measured> Workspace<T> {
    /// As [`new`](Self::new), over the numbers of the kind of `like`; lanes always by the recursion, which is faster.
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, formulation: Formulation, like: T) -> Self {
        Self::with(robot, formulation, formulation == Formulation::LegsPlatform || T::OF_PROCESSOR, like)
    }

    /// The same with the open tree's matrix by the recursion or by Christoffel's symbols.
    #[must_use]
    pub fn with(robot: &ClosedMechanism, formulation: Formulation, recursive: bool, like: T) -> Self {
        let (width, n, tree) = (robot.velocities(), robot.freedoms().len(), robot.tree());
        let zeros = |many: usize| vec![like.zero(); many];
        Self {
            motion: formulation::Workspace::with_scalar(robot, formulation, like),
            moving: formulation::Workspace::with_scalar(robot, formulation, Dual::fixed(like)),
            varied: still_with_scalar(robot, like),
            tree: if recursive {
                let matrix = Box::new(coriolis::Workspace::with_scalar(tree, like));
                TreeWorkspace::Recursive(matrix, gibbs_appell_inertia::Workspace::with_scalar(tree, like))
            } else {
                let matrix = Box::new(christoffel::Workspace::with_scalar(tree, like));
                TreeWorkspace::Christoffel(matrix, composite_body::Workspace::with_scalar(tree, like))
            },
            rest: zeros(n),
            inertia: zeros(width * width),
            matrix: zeros(width * width),
            m_zdot_c_z: zeros(width * n),
            answer: zeros(n * n),
        }
    }
}

/// C_r at a state, n × n row by row: C_r r is what velocities alone demand, and Ṁ_r − 2 C_r is skew-symmetric.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If `r` does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn coriolis_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
) -> Result<&'w [T], SingularError> {
    let (u, _) = formulation::motion(robot, &mut ws.motion, at, r, &ws.rest)?;
    let like = at.pose.position.x;
    like.within(
        #[inline(always)]
        || vary(robot, at, |k, _| u[k], &mut ws.varied),
    );
    let z = formulation::complement(robot, &mut ws.moving, &ws.varied)?;
    like.within(
        #[inline(always)]
        || {
            let (dof, width, n) = (robot.tree().dof(), robot.velocities(), robot.freedoms().len());
            let v = &u[..dof];
            let (of_tree, coriolis) = match &mut ws.tree {
                TreeWorkspace::Recursive(coriolis, inertia) => (
                    gibbs_appell_inertia::inertia_matrix(robot.tree(), inertia, &at.q),
                    coriolis::coriolis_matrix(robot.tree(), coriolis, &at.q, v),
                ),
                // Known when it is compiled: lanes and fused numbers do not compile what they never run.
                TreeWorkspace::Christoffel(..) if T::OF_PROCESSOR => unreachable!("they go by the recursion"),
                TreeWorkspace::Christoffel(coriolis, inertia) => (
                    composite_body::inertia_matrix(robot.tree(), inertia, &at.q),
                    christoffel::coriolis_matrix(robot.tree(), coriolis, &at.q, v),
                ),
            };
            for (whole, part) in [(&mut ws.inertia, of_tree), (&mut ws.matrix, coriolis)] {
                whole.fill(like.zero());
                whole
                    .chunks_exact_mut(width)
                    .zip(part.chunks_exact(dof))
                    .for_each(|(row, part)| row[..dof].copy_from_slice(part));
            }
            if let (Some(platform), &[.., wx, wy, wz]) = (robot.platform(), &u[dof..]) {
                let turned = platform.turned(&at.pose.rotation);
                turned.add_inertia(&mut ws.inertia[dof * width + dof..], width);
                turned.add_coriolis(Vec3::new(wx, wy, wz), &mut ws.matrix[dof * width + dof..], width);
            }
            for i in 0..width {
                for c in 0..n {
                    let mut sum = like.zero();
                    for k in 0..width {
                        let Dual { value, derivative: [rate] } = z[k * n + c];
                        sum = ws.inertia[i * width + k].mul_add(rate, ws.matrix[i * width + k].mul_add(value, sum));
                    }
                    ws.m_zdot_c_z[i * n + c] = sum;
                }
            }
            for i in 0..n {
                for c in 0..n {
                    let mut sum = like.zero();
                    for k in 0..width {
                        sum = z[k * n + i].value.mul_add(ws.m_zdot_c_z[k * n + c], sum);
                    }
                    ws.answer[i * n + c] = sum;
                }
            }
        },
    );
    Ok(&ws.answer)
}
