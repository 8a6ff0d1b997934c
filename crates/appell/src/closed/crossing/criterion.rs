//! Whether a motion crosses a singularity of Type 2 with finite efforts, and the nearest one that does.

use crate::closed::formulation::{self, Formulation};
use crate::closed::singularity::{self, Metric};
use crate::closed::{ClosedMechanism, Configuration, SingularError, assembly};
use crate::linear::dot;

/// A defect below this, over its scale, is none.
pub const SATISFIED: f64 = 1e-9;

/// A configuration whose inverse condition of Type 2 is below this is singular.
pub const SINGULAR: f64 = 1e-6;

/// Whether crossings of a robot are known: it has a platform, whose twist tells its motion at Type 2 too.
#[must_use]
pub fn applies(robot: &ClosedMechanism) -> bool {
    robot.platform().is_some() && robot.freedoms()[0] >= robot.tree().dof()
}

/// Memory of the criterion.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(super) singularity: singularity::Workspace,
    pub(super) dynamics: formulation::Workspace,
    pub(super) assembly: assembly::Workspace,
}

/// Whether a motion crosses a singularity with finite efforts.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// t_s: the motion that the drives control least, of the norm 1 in m and rad.
    pub twist: Vec<f64>,
    /// The inverse condition of Type 2. The criterion has a meaning where it is 0.
    pub inverse_condition: f64,
    /// t_s · w, W: zero where finite efforts suffice.
    pub defect: f64,
    /// What the defect compares with, W: the sizes of the terms it is the sum of.
    pub scale: f64,
    /// Whether the defect is rounding: below [`SATISFIED`].
    pub satisfied: bool,
}

impl Workspace {
    /// A workspace for this robot.
    ///
    /// # Panics
    /// If the robot's motion is not that of its platform: [`applies`] says so before.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        assert!(applies(robot), "a robot whose motion is that of its platform");
        Self {
            singularity: singularity::Workspace::new(robot),
            dynamics: formulation::Workspace::new(robot, Formulation::of(robot)[0].with_reactions()),
            assembly: assembly::Workspace::new(robot),
        }
    }

    /// t_s, and the inverse condition.
    fn least_controlled(&mut self, robot: &ClosedMechanism, at: &Configuration) -> (Vec<f64>, f64) {
        let metric = Metric::of(robot);
        let (_, inverse_condition) = singularity::distances(robot, &mut self.singularity, at, &metric);
        let mut twist = singularity::least_controlled(robot, &mut self.singularity, at, &metric).freedoms(robot);
        let norm = dot(&twist, &twist).sqrt();
        twist.iter_mut().for_each(|x| *x /= norm);
        (twist, inverse_condition)
    }
}

/// Whether a motion crosses a singularity of Type 2 with finite torques. Where several motions are uncontrolled, it is
/// about one of them.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn criterion(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
) -> Result<Criterion, SingularError> {
    let still = vec![0.0; r.len()];
    let bias = formulation::generalised_forces(robot, &mut ws.dynamics, at, r, &still, &[])?.to_vec();
    let whole = formulation::generalised_forces(robot, &mut ws.dynamics, at, r, r_dot, &[])?.to_vec();
    let (twist, inverse_condition) = ws.least_controlled(robot, at);
    let defect = dot(&twist, &whole);
    let terms = twist.iter().zip(&bias).zip(&whole);
    let scale = terms.map(|((t, c), w)| t.abs() * (c.abs() + (w - c).abs())).sum();
    Ok(Criterion { satisfied: defect.abs() <= SATISFIED * scale, twist, inverse_condition, defect, scale })
}

/// The ṙ nearest to `r_dot` that satisfies the criterion: the change has the least kinetic energy, ½ δᵀ M_rob δ, of
/// all that do.
///
/// # Errors
/// Near a singularity of a leg, or of the legs' constraints; and where t_s moves no mass.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn corrected(
    robot: &ClosedMechanism,
    ws: &mut Workspace,
    at: &Configuration,
    r: &[f64],
    r_dot: &[f64],
) -> Result<Vec<f64>, SingularError> {
    let Criterion { twist, defect, .. } = criterion(robot, ws, at, r, r_dot)?;
    let inertia = formulation::inertia_matrix(robot, &mut ws.dynamics, at)?;
    let along: f64 = inertia.chunks_exact(r.len()).zip(&twist).map(|(row, t)| t * dot(row, &twist)).sum();
    if along <= 0.0 || along.is_nan() {
        let largest = (0..r.len()).max_by(|&a, &b| twist[a].abs().total_cmp(&twist[b].abs())).unwrap_or(0);
        return Err(SingularError::Massless { freedom: robot.freedom_names()[largest].clone(), pivot: along });
    }
    Ok(r_dot.iter().zip(&twist).map(|(a, t)| a - t * defect / along).collect())
}
