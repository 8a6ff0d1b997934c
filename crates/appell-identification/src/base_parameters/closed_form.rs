//! The rules of Khalil and Kleinfinger for chains of revolute joints, joint by joint from the tip.
//!
//! Of body j the mass, MZ and YY cannot be told from what its parent a(j) has; with the parameters α, d, r of the joint:
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
//! (Khalil1987, in the notation of modified Denavit-Hartenberg tables, where d is called a and r is called d.)

use crate::parameters::Inertial;
use appell::description::{Description, JointKind};
use appell::dynamics::regressor::OF_A_BODY;
use appell::spatial::Pose;
use nalgebra::DMatrix;

/// What each of the ten parameters of every body becomes, as rows over all parameters; those that are moved away have
/// rows of zeros. `None` unless the robot is a chain of revolute joints whose bodies are given in the joints' own frames,
/// in a modified Denavit-Hartenberg table.
#[must_use]
pub fn regrouping(robot: &Description) -> Option<DMatrix<f64>> {
    let joints = &robot.joints;
    let plain = joints.iter().enumerate().all(|(j, joint)| {
        let k = &joint.placement;
        let parent = j.checked_sub(1).map(|p| joints[p].name.as_str());
        joint.kind == JointKind::Revolute
            && joint.parent.as_deref() == parent
            && (k.gamma, k.b, k.e) == (0.0, 0.0, 0.0)
            && joint.link_frame == Pose::identity(0.0)
    });
    if !plain || robot.is_closed() {
        return None;
    }
    let size = OF_A_BODY * joints.len();
    let mut rows = DMatrix::identity(size, size);
    for (j, joint) in joints.iter().enumerate().rev() {
        let row = |body: usize, parameter: Inertial| OF_A_BODY * body + parameter as usize;
        let taken = |rows: &mut DMatrix<f64>, parameter| {
            let taken = rows.row(row(j, parameter)).into_owned();
            rows.row_mut(row(j, parameter)).fill(0.0);
            taken
        };
        let (yy, mz, m) =
            (taken(&mut rows, Inertial::Yy), taken(&mut rows, Inertial::Mz), taken(&mut rows, Inertial::M));
        let mut xx = rows.row_mut(row(j, Inertial::Xx));
        xx -= &yy;
        let Some(parent) = j.checked_sub(1) else { break };
        let k = &joint.placement;
        let (d, r, (s, c)) = (k.d, k.r, k.alpha.sin_cos());
        let mut add = |parameter, of_yy: f64, of_mz: f64, of_m: f64| {
            let mut row = rows.row_mut(row(parent, parameter));
            row += &yy * of_yy + &mz * of_mz + &m * of_m;
        };
        add(Inertial::Xx, 1.0, 2.0 * r, r * r);
        add(Inertial::Xy, 0.0, d * s, d * r * s);
        add(Inertial::Xz, 0.0, -d * c, -d * r * c);
        add(Inertial::Yy, c * c, 2.0 * r * c * c, d * d + r * r * c * c);
        add(Inertial::Yz, c * s, 2.0 * r * c * s, r * r * c * s);
        add(Inertial::Zz, s * s, 2.0 * r * s * s, d * d + r * r * s * s);
        add(Inertial::Mx, 0.0, 0.0, d);
        add(Inertial::My, 0.0, -s, -r * s);
        add(Inertial::Mz, 0.0, c, r * c);
        add(Inertial::M, 0.0, 0.0, 1.0);
    }
    Some(rows)
}
