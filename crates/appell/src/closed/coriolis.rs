//! A Coriolis matrix of a closed mechanism with Ṁ − 2 C skew-symmetric, in its independent velocities.
//!
//! ```text
//! M_r = Zᵀ M Z        C_r = Zᵀ (M Ż + C Z)        Ṁ_r − 2 C_r = Zᵀ (Ṁ − 2 C) Z + Żᵀ M Z − Zᵀ M Ż
//! ```
//!
//! M and C are those of the open robot, Ṁ − 2 C skew-symmetric there; Ż is exact, by dual numbers along the motion.

use super::scheme::{self, Scheme};
use super::variation::{still, vary};
use super::{ClosedMechanism, Configuration, SingularError};
use crate::dynamics::{christoffel, composite_body, coriolis, gibbs_appell_inertia};
use crate::real::Dual;
use crate::spatial::Vec3;

/// Room for the matrices.
#[derive(Debug, Clone)]
pub struct Workspace {
    motion: scheme::Workspace,
    moving: scheme::Workspace<Dual<1>>,
    varied: Configuration<Dual<1>>,
    tree: TreeWorkspace,
    u: Vec<f64>,
    rest: Vec<f64>,    // ṙ = 0
    inertia: Vec<f64>, // M of the open robot
    matrix: Vec<f64>,  // C of the open robot
    felt: Vec<f64>,    // M Ż + C Z
    answer: Vec<f64>,
}

/// Where M and C of the tree come from.
#[derive(Debug, Clone)]
enum TreeWorkspace {
    /// The recursion, and Gibbs-Appell inertia.
    Recursive(Box<coriolis::Workspace>, gibbs_appell_inertia::Workspace),
    /// Christoffel's symbols, and composite bodies.
    Christoffel(Box<christoffel::Workspace>, composite_body::Workspace),
}

impl Workspace {
    /// A workspace for this robot and formulation, with the open tree's matrix by the recursion for legs and a platform,
    /// and by Christoffel's symbols else.
    #[must_use]
    pub fn new(robot: &ClosedMechanism, scheme: Scheme) -> Self {
        Self::with(robot, scheme, scheme == Scheme::LegsPlatform)
    }

    /// A workspace for this robot and formulation, with the open tree's matrix by the recursion or by Christoffel's symbols.
    #[must_use]
    pub fn with(robot: &ClosedMechanism, scheme: Scheme, recursive: bool) -> Self {
        let (width, n, tree) = (robot.velocities(), robot.freedoms().len(), robot.tree());
        Self {
            motion: scheme::Workspace::new(robot, scheme),
            moving: scheme::Workspace::over(robot, scheme, Dual::fixed(0.0)),
            varied: still(robot),
            tree: if recursive {
                let matrix = Box::new(coriolis::Workspace::new(tree));
                TreeWorkspace::Recursive(matrix, gibbs_appell_inertia::Workspace::new(tree))
            } else {
                let matrix = Box::new(christoffel::Workspace::new(tree));
                TreeWorkspace::Christoffel(matrix, composite_body::Workspace::new(tree))
            },
            u: vec![0.0; width],
            rest: vec![0.0; n],
            inertia: vec![0.0; width * width],
            matrix: vec![0.0; width * width],
            felt: vec![0.0; width * n],
            answer: vec![0.0; n * n],
        }
    }
}

/// C_r at a state, n × n row by row: C_r r is what velocities alone demand, and Ṁ_r − 2 C_r is skew-symmetric.
///
/// # Errors
/// Near a singularity of a leg, or of the constraints.
///
/// # Panics
/// If `r` has not one number a freedom, or `at` belongs to another robot.
pub fn coriolis_matrix<'w>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace,
    at: &Configuration,
    r: &[f64],
) -> Result<&'w [f64], SingularError> {
    let (dof, width, n) = (robot.tree().dof(), robot.velocities(), robot.freedoms().len());
    let (u, _) = ws.motion.motion(robot, at, r, &ws.rest)?;
    ws.u.copy_from_slice(u);
    vary(robot, at, |k, _| ws.u[k], &mut ws.varied);
    let z = ws.moving.complement(robot, &ws.varied)?;
    let v = &ws.u[..dof];
    let (of_tree, coriolis) = match &mut ws.tree {
        TreeWorkspace::Recursive(coriolis, inertia) => (
            gibbs_appell_inertia::inertia_matrix(robot.tree(), inertia, &at.q),
            coriolis::coriolis_matrix(robot.tree(), coriolis, &at.q, v),
        ),
        TreeWorkspace::Christoffel(coriolis, inertia) => (
            composite_body::inertia_matrix(robot.tree(), inertia, &at.q),
            christoffel::coriolis_matrix(robot.tree(), coriolis, &at.q, v),
        ),
    };
    for (whole, part) in [(&mut ws.inertia, of_tree), (&mut ws.matrix, coriolis)] {
        whole.fill(0.0);
        whole
            .chunks_exact_mut(width)
            .zip(part.chunks_exact(dof))
            .for_each(|(row, part)| row[..dof].copy_from_slice(part));
    }
    if let (Some(platform), &[.., wx, wy, wz]) = (robot.platform(), &ws.u[dof..]) {
        let turned = platform.turned(&at.pose.rotation);
        turned.add_inertia(&mut ws.inertia[dof * width + dof..], width);
        turned.add_coriolis(Vec3::new(wx, wy, wz), &mut ws.matrix[dof * width + dof..], width);
    }
    for i in 0..width {
        for c in 0..n {
            let term = |k: usize| {
                let Dual { value, derivative: [rate] } = z[k * n + c];
                ws.inertia[i * width + k] * rate + ws.matrix[i * width + k] * value
            };
            ws.felt[i * n + c] = (0..width).map(term).sum();
        }
    }
    for i in 0..n {
        for c in 0..n {
            ws.answer[i * n + c] = (0..width).map(|k| z[k * n + i].value * ws.felt[k * n + c]).sum();
        }
    }
    Ok(&ws.answer)
}
