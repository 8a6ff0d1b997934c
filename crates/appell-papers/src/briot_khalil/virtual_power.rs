//! Inverse dynamics of the Gough-Stewart platform by virtual powers, all in base axes  [BriotKhalil, eqs 9 to 13, 33].
//!
//! A third way beside legs-platform and tree-closures, with neither a recursion nor an elimination of constraints in
//! it: the bodies of a leg move by the closed forms of [`leg`](super::leg), and each gives its inertial force and
//! moment to the virtual rates of the joints.
//!
//! ```text
//! q̈ = J⁻¹ (v̇_P − J̇ q̇)          J̇ q̇ = q̇₁ q̇₂ (z₁ × z₂) × q₃ a + ω × (ω × q₃ a) + 2 q̇₃ ω × a
//! τ_k = Σ m (ċ − g) · ∂ċ/∂q̇_k + (I ω̇ + ω × I ω) · ∂ω/∂q̇_k      over the bodies of a leg
//! J_invᵀ τ = w_P + Σ (J⁻¹ J_v)ᵀ τ_i
//! ```

use super::leg::{Placed, Ups};
use appell::closed::ClosedMechanism;
use appell::mechanism::Link;
use appell::spatial::{Acceleration, Mat3, Pose, Twist, Vec3};
use nalgebra::{Matrix6, Vector6};

/// Forces of the legs for a motion of the platform; none where J_inv is singular.
///
/// # Panics
/// If the robot is not of the Gough-Stewart kind.
#[must_use]
pub fn inverse_dynamics(robot: &ClosedMechanism, pose: &Pose, v: &Twist, a: &Acceleration) -> Option<[f64; 6]> {
    let gravity = robot.tree().gravity();
    let mut w = Vector6::from(of_platform(robot, pose, v, a, gravity));
    let mut j_inv = Matrix6::zeros();
    for (i, (leg, ups)) in robot.legs().iter().zip(Ups::all(robot)).enumerate() {
        let placed = ups.placed(pose);
        let links = [0, 1, 2].map(|k| &robot.tree().links()[leg.joints[k]]);
        let tau = of_leg(&placed, links, v, a, gravity);
        for (row, tau) in placed.rates_of_twist().into_iter().zip(tau) {
            w += Vector6::from(row) * tau;
        }
        j_inv.set_row(i, &Vector6::from(placed.inverse_row()).transpose());
    }
    j_inv.transpose().lu().solve(&w).map(Into::into)
}

/// w_P  (eqs 10, 11).
fn of_platform(robot: &ClosedMechanism, pose: &Pose, v: &Twist, a: &Acceleration, gravity: Vec3<f64>) -> [f64; 6] {
    let platform = robot.platform().expect("a platform");
    let s = pose.rotation * platform.first_moment;
    let inertia = platform.inertia.turned_by(&pose.rotation);
    let against_gravity = a.linear - gravity;
    let force = against_gravity.scale(platform.mass) + a.angular.cross(s) + v.angular.cross(v.angular.cross(s));
    let moment = s.cross(against_gravity) + inertia * a.angular + v.angular.cross(inertia * v.angular);
    [force.x, force.y, force.z, moment.x, moment.y, moment.z]
}

/// τ_i: what the three joints of a leg would need, were all driven.
fn of_leg(placed: &Placed, links: [&Link; 3], v: &Twist, a: &Acceleration, gravity: Vec3<f64>) -> [f64; 3] {
    let ([z1, z2, axis], arm, way) = (placed.axes, placed.arm, placed.axes[2].scale(placed.q[2]));
    let of_point = placed.rates_of_point();
    let [rate_1, rate_2, rate_3] = (of_point * (v.linear + v.angular.cross(arm))).to_array();
    let omega = z1.scale(rate_1) + z2.scale(rate_2);
    let bias = z1.cross(z2).scale(rate_1 * rate_2);
    let slip = axis.scale(rate_3);
    let carried = |x: Vec3<f64>, omega_dot: Vec3<f64>| omega_dot.cross(x) + omega.cross(omega.cross(x));
    let coriolis = omega.cross(slip).scale(2.0);
    let of_platform = a.linear + a.angular.cross(arm) + v.angular.cross(v.angular.cross(arm));
    let [acceleration_1, acceleration_2, acceleration_3] =
        (of_point * (of_platform - carried(way, bias) - coriolis)).to_array();
    let omega_dot = z1.scale(acceleration_1) + z2.scale(acceleration_2) + bias;

    let (x1, x2) = (placed.x1, placed.base_from_3().column(0));
    let axes = [[x1, z1.cross(x1), z1], [x2, -axis, z2], [x2, z2, axis]].map(|axes| Mat3::from_rows(axes).transpose());
    let mut tau = [0.0; 3];
    for (k, (link, axes)) in links.into_iter().zip(axes).enumerate() {
        let inertia = link.inertia.turned_by(&axes);
        let centre = axes * link.com;
        // The cross of the universal joint turns about z₁ alone; the last body slides.
        let (omega, omega_dot, centre, slides) = match k {
            0 => (z1.scale(rate_1), z1.scale(acceleration_1), centre, Vec3::zero(0.0)),
            1 => (omega, omega_dot, centre, Vec3::zero(0.0)),
            _ => (omega, omega_dot, way + centre, axis.scale(acceleration_3) + coriolis),
        };
        let acceleration = omega_dot.cross(centre) + omega.cross(omega.cross(centre)) + slides;
        let force = (acceleration - gravity).scale(link.mass);
        let moment = inertia * omega_dot + omega.cross(inertia * omega);
        tau[0] += z1.cross(centre).dot(force) + z1.dot(moment);
        if k > 0 {
            tau[1] += z2.cross(centre).dot(force) + z2.dot(moment);
        }
        if k > 1 {
            tau[2] += axis.dot(force);
        }
    }
    tau
}
