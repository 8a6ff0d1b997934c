//! The rules of Khalil, Kleinfinger and Gautier for chains and trees of revolute and prismatic joints, joint by joint from the tips.
//!
//! Only body j moves with joint j. So parameters of it that a motion hides are those φ whose energy does not change with q_j and its
//! rate: the same as if they sat on the body a(j) that carries the joint, into whose parameters they go, by the pose of the joint at
//! q_j = 0. Which these are is a matter of how a(j) can move. Let ω be its angular velocity, and u a fixed direction in space:
//!
//! | joint j | the carrier a(j) | what stays of body j |
//! |---|---|---|
//! | prismatic | only slides | M |
//! | prismatic along u | turns about u alone | M |
//! | prismatic, not along u | turns about u alone | M and two first moments: u · (MX, MY, MZ) does not show |
//! | prismatic | turns about more | M, MX, MY, MZ |
//! | revolute about u | turns about u alone, or slides | ZZ, MX, MY |
//! | the same, u vertical, on an axis that only moves along itself | | ZZ |
//! | revolute | otherwise | XX − YY, XY, XZ, YZ, ZZ, MX, MY |
//!
//! Why: with z the axis of the joint, m the first moment and I the tensor of inertia of φ,
//!
//! ```text
//! prismatic   M = 0   z · (ω × m) = 0   ωᵀ (z·m 1 − z mᵀ) ω = 0       from q̇_j², q̇_j, q_j
//! revolute    z·I z = 0   ω·I z + v · (z × m) = 0                     from q̇_j², q̇_j; v of the joint's frame
//!             g·m and ωᵀ I ω the same for all q_j
//! ```
//!
//! for all ω and v that the carrier can have. Gravity shows MX and MY of all joints of the last line; without it they could hide, which
//! these rules do not tell. In a table of modified Denavit-Hartenberg parameters the last line is (Khalil1987)
//!
//! ```text
//! XX_j −= YY_j
//! XX_a += YY + 2 r MZ + r² M                       MX_a += d M
//! XY_a += d Sα MZ + d r Sα M                       MY_a −= Sα MZ + r Sα M
//! XZ_a −= d Cα MZ + d r Cα M                       MZ_a += Cα MZ + r Cα M
//! YY_a += Cα² YY + 2 r Cα² MZ + (d² + r² Cα²) M    M_a  += M
//! YZ_a += Cα Sα YY + 2 r Cα Sα MZ + r² Cα Sα M
//! ZZ_a += Sα² YY + 2 r Sα² MZ + (d² + r² Sα²) M
//! ```
//!
//! where d is often called a and r d. The cases of Gautier1990 are among these lines; the proof above is our own, and covers trees.

use crate::parameters::Inertial;
use appell::description::{Description, JointKind};
use appell::dynamics::regressor::PARAMETERS_PER_BODY;
use appell::spatial::{Pose, Vec3};
use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};

/// Axes are parallel, or one, where less than this part of a unit, or of a metre, is between them.
const PARALLEL: f64 = 1e-9;

/// Base parameters of bodies by the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// The parameters that stay, as columns of [`Model::bodies`](crate::parameters::Model::bodies).
    pub kept: Vec<usize>,
    /// What each of them becomes: a row each, a column per parameter.
    pub regrouping: DMatrix<f64>,
}

/// Parameters of one body, in the order of [`Inertial`].
type Parameters = SMatrix<f64, PARAMETERS_PER_BODY, 1>;

/// The base parameters of the bodies of a chain or a tree. `None` where loops are closed, where joints have several degrees of
/// freedom, where bodies are not given in the
/// joints' own frames, as in a modified Denavit-Hartenberg table, and without gravity where axes have more than one direction.
///
/// ```
/// use appell::description::toml;
/// use appell::robots;
/// use appell_identification::base_parameters::closed_form::regrouping;
///
/// let scara = toml::read(robots::find("scara").unwrap().toml).unwrap().0;
/// assert_eq!(regrouping(&scara).unwrap().kept.len(), 8); // ZZ1, M3, and ZZ, MX, MY of two bodies
/// ```
#[must_use]
pub fn regrouping(robot: &Description) -> Option<Rules> {
    let joints = &robot.joints;
    if robot.is_closed() || joints.iter().any(|joint| joint.link_frame != Pose::identity(0.0)) {
        return None;
    }
    let mut carriers = Vec::with_capacity(joints.len());
    for (j, joint) in joints.iter().enumerate() {
        carriers.push(match &joint.parent {
            Some(name) => Some(joints[..j].iter().position(|before| before.name == *name)?),
            None => None,
        });
    }
    let axes = axes(robot, &carriers)?;
    let size = PARAMETERS_PER_BODY * joints.len();
    let mut rows = DMatrix::identity(size, size);
    let mut kept = Vec::new();
    for j in (0..joints.len()).rev() {
        let before: Vec<&Axis> = core::iter::successors(carriers[j], |&k| carriers[k]).map(|k| &axes[k]).collect();
        let hidden = hidden(&axes[j], &before, robot.gravity)?;
        kept.extend(
            (0..PARAMETERS_PER_BODY)
                .filter(|&k| hidden.iter().all(|(own, _)| *own as usize != k))
                .map(|k| PARAMETERS_PER_BODY * j + k),
        );
        let pose = joints[j].placement.pose();
        for (parameter, hidden) in hidden {
            let amount = rows.row(PARAMETERS_PER_BODY * j + parameter as usize).into_owned();
            let mut own = rows.rows_mut(PARAMETERS_PER_BODY * j, PARAMETERS_PER_BODY);
            own -= hidden * &amount;
            if let Some(carrier) = carriers[j] {
                let mut carried = rows.rows_mut(PARAMETERS_PER_BODY * carrier, PARAMETERS_PER_BODY);
                carried += seen_from(&pose, &hidden) * &amount;
            }
        }
    }
    kept.sort_unstable();
    Some(Rules { regrouping: rows.select_rows(&kept), kept })
}

/// A joint's axis at q = 0.
struct Axis {
    kind: JointKind,
    base_from_joint: Pose<f64>,
}

impl Axis {
    fn direction(&self) -> Vec3<f64> {
        self.base_from_joint.rotation.column(2)
    }

    fn is_parallel(&self, direction: Vec3<f64>) -> bool {
        self.direction().cross(direction).norm() <= PARALLEL * direction.norm()
    }

    /// Whether a joint that carries this one, and is parallel to it, moves its axis along itself at most.
    fn stays_under(&self, carrier: &Self) -> bool {
        let between = carrier.base_from_joint.position - self.base_from_joint.position;
        carrier.is_parallel(self.direction())
            && (carrier.kind == JointKind::Prismatic || between.cross(self.direction()).norm() <= PARALLEL)
    }
}

/// The axes of elementary joints; `None` if there are others.
fn axes(robot: &Description, carriers: &[Option<usize>]) -> Option<Vec<Axis>> {
    let mut axes: Vec<Axis> = Vec::with_capacity(carriers.len());
    for (joint, carrier) in robot.joints.iter().zip(carriers) {
        let pose = joint.placement.pose();
        let base_from_joint = carrier.map_or(pose, |carrier| axes[carrier].base_from_joint * pose);
        axes.push(Axis { kind: joint.kind.elementary()?, base_from_joint });
    }
    Some(axes)
}

/// The bodies that joint `own` cannot tell from what carries it, each with the parameter that it takes away, by the table above;
/// `before` are the joints on the way to the base. That axes are parallel is seen at q = 0: turns about one direction leave it so.
fn hidden(own: &Axis, before: &[&Axis], gravity: Vec3<f64>) -> Option<Vec<(Inertial, Parameters)>> {
    use Inertial::{M, Mx, My, Mz, Xx, Xy, Xz, Yy, Yz, Zz};
    let mut turns = before.iter().filter(|axis| axis.kind == JointKind::Revolute);
    let first = turns.next();
    let all_turn_about = |direction: Vec3<f64>| {
        before.iter().filter(|axis| axis.kind == JointKind::Revolute).all(|axis| axis.is_parallel(direction))
    };
    let alone = |parameters: &[Inertial]| parameters.iter().map(|&k| (k, unit(k))).collect::<Vec<_>>();
    Some(match (own.kind, first) {
        (JointKind::Prismatic, None) => alone(&[Mx, My, Mz, Xx, Xy, Xz, Yy, Yz, Zz]),
        (JointKind::Prismatic, Some(first)) if !all_turn_about(first.direction()) => alone(&[Xx, Xy, Xz, Yy, Yz, Zz]),
        (JointKind::Prismatic, Some(first)) if own.is_parallel(first.direction()) => {
            alone(&[Mx, My, Mz, Xx, Xy, Xz, Yy, Yz, Zz])
        }
        (JointKind::Prismatic, Some(first)) => {
            // The last first moment that u has a part of is taken away by one along u.
            let u = own.base_from_joint.rotation.transpose_times(first.direction()).to_array();
            let along = [Mx, My, Mz].into_iter().zip(u).filter(|(_, part)| part.abs() > PARALLEL);
            let (last, part) = along.clone().next_back()?;
            let hidden = along.fold(Parameters::zeros(), |sum, (k, other)| sum + unit(k) * (other / part));
            let mut all = alone(&[Xx, Xy, Xz, Yy, Yz, Zz]);
            all.push((last, hidden));
            all
        }
        (JointKind::Revolute, _) if all_turn_about(own.direction()) => {
            let mut all = alone(&[Xx, Xy, Xz, Yy, Yz, Mz, M]);
            if own.is_parallel(gravity) && before.iter().all(|carrier| own.stays_under(carrier)) {
                all.extend(alone(&[Mx, My]));
            }
            all
        }
        (JointKind::Revolute, _) if gravity.norm() == 0.0 => return None,
        (JointKind::Revolute, _) => vec![(Yy, unit(Yy) + unit(Xx)), (Mz, unit(Mz)), (M, unit(M))],
    })
}

fn unit(parameter: Inertial) -> Parameters {
    let mut body = Parameters::zeros();
    body[parameter as usize] = 1.0;
    body
}

/// The same parameters about another frame's origin and axes, with p its way to theirs:
///
/// ```text
/// m' = R m + M p      I' = R I Rᵀ + 2 (p · R m) 1 − p (R m)ᵀ − R m pᵀ + M (p² 1 − p pᵀ)
/// ```
fn seen_from(new_from_old: &Pose<f64>, body: &Parameters) -> Parameters {
    let &[mass, mx, my, mz, xx, xy, yy, xz, yz, zz] = body.as_ref();
    let rotation = Matrix3::from_fn(|row, column| new_from_old.rotation.rows[row].to_array()[column]);
    let p = Vector3::from(new_from_old.position.to_array());
    let turned = rotation * Vector3::new(mx, my, mz);
    let inertia = rotation * Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) * rotation.transpose()
        + Matrix3::identity() * (2.0 * p.dot(&turned) + mass * p.norm_squared())
        - p * turned.transpose()
        - turned * p.transpose()
        - p * p.transpose() * mass;
    let moment = turned + p * mass;
    let i = |row, column| inertia[(row, column)];
    Parameters::from([[mass, moment.x, moment.y, moment.z, i(0, 0), i(0, 1), i(1, 1), i(0, 2), i(1, 2), i(2, 2)]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::description::KhalilKleinfinger;

    /// The printed rules for a revolute joint are what turning and shifting gives.
    #[test]
    fn a_body_on_its_carrier_is_that_of_khalil_and_kleinfinger() {
        let (alpha, d, r) = (0.7_f64, 0.4, -0.3);
        let (s, c) = alpha.sin_cos();
        let pose = KhalilKleinfinger { alpha, d, r, ..KhalilKleinfinger::default() }.pose();
        let (yy, mz, m) = (2.0, 3.0, 5.0);
        let body = (unit(Inertial::Xx) + unit(Inertial::Yy)) * yy + unit(Inertial::Mz) * mz + unit(Inertial::M) * m;
        let expected = Parameters::from([[
            m,
            d * m,
            -s * mz - r * s * m,
            c * mz + r * c * m,
            yy + 2.0 * r * mz + r * r * m,
            d * s * mz + d * r * s * m,
            c * c * yy + 2.0 * r * c * c * mz + (d * d + r * r * c * c) * m,
            -d * c * mz - d * r * c * m,
            c * s * yy + 2.0 * r * c * s * mz + r * r * c * s * m,
            s * s * yy + 2.0 * r * s * s * mz + (d * d + r * r * s * s) * m,
        ]]);
        let found = seen_from(&pose, &body);
        assert!((found - expected).amax() < 1e-14, "{found} {expected}");
    }
}
