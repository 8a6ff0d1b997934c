//! A leg of the Gough-Stewart platform in the closed forms of BriotKhalil, §4.2, written out from the paper.
//!
//! | symbol | meaning | frame |
//! |---|---|---|
//! | B, P | centres of the universal and of the spherical joint | base |
//! | z₁, z₂, a | axes of the joints; a from B to P | base |
//! | θ₁, θ₂, q₃ | the joints' angles in table 1, the leg's length | |
//! | r | from the platform's origin to P | base |
//!
//! ```text
//! a · z₁ = −cos θ₂,  z₂ = −z₁ × a / sin θ₂,  x₁ = (a + z₁ cos θ₂) / sin θ₂       from α₂ = α₃ = π/2 in table 1
//! ³J   = [[0, q₃, 0], [−q₃ S₂, 0, 0], [0, 0, 1]]                                              (eq. 26)
//! ³J⁻¹ = [[0, −1/(q₃ S₂), 0], [1/q₃, 0, 0], [0, 0, 1]]                                        (eq. 27)
//! J_v  = [1, −r̂]                                                                              (eq. 29)
//! J_inv(i, :) = [aᵀ, −aᵀ r̂]                                                                   (eq. 32)
//! ```
//!
//! The axes of frame 3 are x₃ = z₂ × a, y₃ = z₂ and z₃ = a; ⁰J = ⁰R₃ ³J.

use super::{Check, Comparison, StudyError, assembled, robot};
use appell::closed::{ClosedMechanism, Configuration, Leg, On, assembly, legs_platform};
use appell::kinematics;
use appell::mechanism::Axes;
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Vec3};
use core::f64::consts::TAU;

/// The constants of a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ups {
    /// B, in the base.
    pub base: Vec3<f64>,
    /// z₁: the first axis of the universal joint, in the base.
    pub first_axis: Vec3<f64>,
    /// x₁ at θ₁ = 0, in the base.
    pub reference: Vec3<f64>,
    /// P, in the platform.
    pub anchor: Vec3<f64>,
}

/// A leg that reaches the platform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// θ₁, θ₂ and q₃.
    pub q: [f64; 3],
    /// z₁, z₂ and a.
    pub axes: [Vec3<f64>; 3],
    /// x₁.
    pub x1: Vec3<f64>,
    /// r.
    pub arm: Vec3<f64>,
}

impl Ups {
    /// The legs of a robot of the Gough-Stewart kind.
    ///
    /// # Panics
    /// If a leg has other than three joints.
    #[must_use]
    pub fn all(robot: &ClosedMechanism) -> Vec<Self> {
        let leg = |leg: &Leg| {
            assert_eq!(leg.joints.len(), 3, "a leg U-P");
            let closure = &robot.closures()[leg.closure];
            let platform = if closure.first.on == On::Platform { closure.first } else { closure.second };
            let first = robot.tree().links()[leg.joints[0]].placement.unturned();
            Self {
                base: first.position,
                first_axis: first.rotation.column(2),
                reference: first.rotation.column(0),
                anchor: platform.pose.position,
            }
        };
        robot.legs().iter().map(leg).collect()
    }

    /// The leg with the platform at a pose, 0 < θ₂ < π: the inverse geometric model.
    #[must_use]
    pub fn placed(&self, pose: &Pose) -> Placed {
        let (z1, way) = (self.first_axis, pose.point(self.anchor) - self.base);
        let length = way.norm();
        let a = way.scale(1.0 / length);
        let across = z1.cross(a);
        let (sin, cos) = (across.norm(), -a.dot(z1));
        let x1 = (a + z1.scale(cos)).scale(1.0 / sin);
        let theta_1 = x1.dot(z1.cross(self.reference)).atan2(x1.dot(self.reference));
        Placed {
            q: [theta_1, sin.atan2(cos), length],
            axes: [z1, across.scale(-1.0 / sin), a],
            x1,
            arm: pose.rotation * self.anchor,
        }
    }
}

impl Placed {
    /// ³J  (eq. 26).
    #[must_use]
    pub fn jacobian(&self) -> Mat3<f64> {
        let [_, theta_2, q3] = self.q;
        let row = Vec3::new;
        Mat3::from_rows([row(0.0, q3, 0.0), row(-q3 * theta_2.sin(), 0.0, 0.0), row(0.0, 0.0, 1.0)])
    }

    /// ³J⁻¹  (eq. 27).
    #[must_use]
    pub fn inverse_jacobian(&self) -> Mat3<f64> {
        let [_, theta_2, q3] = self.q;
        let row = Vec3::new;
        Mat3::from_rows([row(0.0, -1.0 / (q3 * theta_2.sin()), 0.0), row(1.0 / q3, 0.0, 0.0), row(0.0, 0.0, 1.0)])
    }

    /// ⁰R₃.
    #[must_use]
    pub fn base_from_3(&self) -> Mat3<f64> {
        let [_, z2, a] = self.axes;
        Mat3::from_rows([z2.cross(a), z2, a]).transpose()
    }

    /// J_i⁻¹ in base axes: the joints' rates of the velocity of P.
    #[must_use]
    pub fn rates_of_point(&self) -> Mat3<f64> {
        self.inverse_jacobian() * self.base_from_3().transpose()
    }

    /// J_i⁻¹ J_v, rows of six: the joints' rates of the platform's twist  (eq. 30).
    #[must_use]
    pub fn rates_of_twist(&self) -> [[f64; 6]; 3] {
        self.rates_of_point().rows.map(|row| as_wrench(row, self.arm))
    }

    /// The leg's row of J_inv  (eq. 32).
    #[must_use]
    pub fn inverse_row(&self) -> [f64; 6] {
        as_wrench(self.axes[2], self.arm)
    }
}

/// [xᵀ, −xᵀ r̂] = (x, r × x).
fn as_wrench(x: Vec3<f64>, arm: Vec3<f64>) -> [f64; 6] {
    let (moment, x) = (arm.cross(x), x.to_array());
    [x[0], x[1], x[2], moment.x, moment.y, moment.z]
}

/// How far our coordinates and Jacobians are from the closed forms, at poses drawn from the robot's workspace:
/// |x|, |y| ≤ 0.13 m, z from 0.66 m to 0.9 m, angles up to 0.23 rad.
///
/// # Errors
/// None for this robot.
pub fn compare(poses: usize, seed: u64) -> Result<[Check; 4], StudyError> {
    let robot = robot("gough-stewart");
    let mut sampler = Sampler::new(seed);
    let mut ws = assembly::Workspace::new(&robot);
    let mut comparisons = [Comparison::default(); 4];
    for _ in 0..poses {
        let position = Vec3::new(sampler.within(0.13), sampler.within(0.13), 0.78 + sampler.within(0.12));
        let angles = Vec3::new(sampler.within(0.23), sampler.within(0.23), sampler.within(0.23));
        let pose = Pose { position, rotation: Mat3::from_roll_pitch_yaw(angles) };
        let at = assembled(&robot, &mut ws, robot.home(), pose)?;
        see(&robot, &at, &mut comparisons)?;
    }
    let [position, jacobian, rates, row] = comparisons;
    Ok([
        position.check("positions q₁, q₂, q₃ of a leg, with the constants of table 1", 1e-13),
        jacobian.check("eq. 26: ⁰R₃ ³J and our leg Jacobian", 1e-13),
        rates.check("eqs 27, 29, 30: J⁻¹ J_v and our rates of the joints", 1e-13),
        row.check("eq. 32: [aᵀ, (r × a)ᵀ] and our J_inv", 1e-13),
    ])
}

/// The same at one configuration.
fn see(robot: &ClosedMechanism, at: &Configuration, comparisons: &mut [Comparison; 4]) -> Result<(), StudyError> {
    let tree = robot.tree();
    let mut sweep = kinematics::Workspace::new(tree);
    let mut ws = legs_platform::Workspace::new(robot);
    let rates = legs_platform::complement(robot, &mut ws, at)?.to_vec();
    let rows = legs_platform::inverse_jacobian(robot, &mut ws, at)?.to_vec();
    for ((leg, ups), row) in robot.legs().iter().zip(Ups::all(robot)).zip(rows.chunks_exact(6)) {
        let theirs = ups.placed(&at.pose);
        // The frame of the last joint sits at P.
        let jacobian = kinematics::jacobian(tree, &mut sweep, &at.q, leg.joints[2], Axes::Base);
        for (k, &j) in leg.joints.iter().enumerate() {
            let link = &tree.links()[j].placement;
            // Ours count from other zeros: θ = q + θ₀.
            let ours = at.q[j] + if k < 2 { link.theta() } else { 0.0 };
            let turns = if k < 2 { ((ours - theirs.q[k]) / TAU).round() } else { 0.0 };
            comparisons[0].see(&[ours - TAU * turns], &[theirs.q[k]]);
            let column = [0, 1, 2].map(|x| jacobian[x * tree.dof() + j]);
            let expected = theirs.base_from_3() * theirs.jacobian().column(k);
            comparisons[1].see(&column, &expected.to_array());
            comparisons[2].see(&rates[6 * j..6 * j + 6], &theirs.rates_of_twist()[k]);
        }
        comparisons[3].see(row, &theirs.inverse_row());
    }
    Ok(())
}
