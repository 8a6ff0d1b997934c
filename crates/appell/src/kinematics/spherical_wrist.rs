//! Inverse kinematics in closed form of arms of the PUMA's type: a waist, two parallel axes, and a wrist whose three
//! axes meet in one point (Pieper1968). Most industrial arms of six axes are of this type.
//!
//! | symbol | meaning |
//! |---|---|
//! | a₂, b₂ | from the waist's axis to the shoulder's, across and up the waist's axis; zero for the PUMA |
//! | d₃ | from the waist's axis to the plane of the arm, along the shoulder's axis |
//! | a₃ | upper arm: from the shoulder's axis to the elbow's |
//! | a₄, d₄ | forearm: from the elbow's axis to the wrist's centre, across and along the roll axis |
//! | p, R | the wrist's centre and the orientation beyond it, seen from the waist at θ₁ = 0 |
//!
//! The arm in its plane is a two-link arm of lengths a₃ and L = √(a₄² + d₄²), bent by γ at the elbow:
//!
//! ```text
//! x₁ = shoulder √(px² + py² − d₃²)                      θ₁ = atan2(py, px) − atan2(d₃, x₁)
//! (X, Y) = (x₁ − a₂, b₂ − pz)                           cos γ = (X² + Y² − a₃² − L²) / 2 a₃ L
//! γ = elbow acos(cos γ)                                 θ₃ = γ − atan2(−d₄, a₄)
//! θ₂ = atan2(Y, X) − atan2(L sin γ, a₃ + L cos γ)
//! W = (Rz(θ₁) Ry(θ₂ + θ₃))ᵀ R = Rz(θ₄) Ry(θ₅) Rz(θ₆)    θ₄ = atan2(wrist W₂₃, wrist W₁₃)
//! V = Rz(θ₄)ᵀ W = Ry(θ₅) Rz(θ₆)                         θ₅ = atan2(V₁₃, V₃₃)      θ₆ = atan2(V₂₁, V₂₂)
//! ```
//!
//! θ₅ and θ₆ are read after θ₄ is undone, and not from W itself, so that they make up for whatever rounding leaves of
//! θ₄ where the wrist is nearly straight.

use crate::description::JointKind;
use crate::mechanism::Mechanism;
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3, wrapped};

/// The geometry of a six-axis arm of this type, for one of its frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    shoulder: [f64; 2], // a₂, b₂
    plane: f64,         // d₃
    upper_arm: f64,     // a₃
    forearm: [f64; 2],  // a₄, d₄
    senses: [f64; 6],   // 1, or −1 where a joint's axis points against the PUMA's
    zeros: [f64; 6],    // the joints' angles at q = 0
    waist_from_base: Pose,
    frame_from_wrist: Pose,
}

/// One of the eight configurations in which an arm reaches a pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branch {
    /// Plus: the wrist's centre is on the side to which the waist's x axis points.
    pub shoulder: Sign,
    /// The sign of sin γ: the bend from the upper arm to the forearm, about the shoulder's axis.
    pub elbow: Sign,
    /// The sign of sin θ₅.
    pub wrist: Sign,
}

/// One of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "signs speak for themselves")]
pub enum Sign {
    Plus,
    Minus,
}

/// Why a robot has no closed form here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum NotOfPumaType {
    #[error("`{robot}` is not of PUMA type: it is not a chain of six joints")]
    Joints { robot: String },
    #[error("`{robot}` is not of PUMA type: the axis of joint `{joint}` should {rule}")]
    Joint { robot: String, joint: String, rule: &'static str },
    #[error("frame `{frame}` is not on the last body of the robot")]
    Frame { frame: String },
}

/// Why a pose cannot be reached on a branch. Distances are those of the wrist's centre, m.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum OutOfReach {
    #[error(
        "the pose is inside the shoulder's offset: {distance:.6} m from the waist's axis, where {least:.6} m is least"
    )]
    InsideShoulderOffset { distance: f64, least: f64 },
    #[error("the pose is too near: {distance:.6} m from the shoulder, where {least:.6} m is least")]
    TooNear { distance: f64, least: f64 },
    #[error("the pose is too far: {distance:.6} m from the shoulder, where {most:.6} m is most")]
    TooFar { distance: f64, most: f64 },
}

/// What is taken for rounding, relative to the arm: in its geometry, and at the border of what it reaches.
const ROUNDING: f64 = 1e-12;
/// sin θ₅ below which a wrist is straight.
const STRAIGHT: f64 = 1e-13;

impl Arm {
    /// Recognises an arm by the placements of its joints, and will answer for the poses of `frame`.
    ///
    /// Its axes may point either way, its joints may have any zero, and it may stand anywhere on the base.
    ///
    /// # Errors
    /// If the robot is of another type, with the first joint that deviates, or if the frame is not on its last body.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn new(robot: &Mechanism, frame: usize) -> Result<Self, NotOfPumaType> {
        let links = robot.links();
        let is_chain = links.iter().enumerate().all(|(j, link)| link.parent == j.checked_sub(1));
        if links.len() != 6 || !is_chain {
            return Err(NotOfPumaType::Joints { robot: robot.name().into() });
        }
        let rounding = ROUNDING * robot.reach(frame);
        let is_zero = |x: f64, y: f64| x.hypot(y) <= rounding;
        let mut senses = [1.0; 6];
        let mut zeros = core::array::from_fn(|j| links[j].placement.theta());
        let mut offsets = [Vec3::zero(0.0); 6]; // from joint to joint, in axes that point as the PUMA's
        for (j, link) in links.iter().enumerate() {
            let deviates = |rule| {
                let joint = robot.joint_names()[j].clone();
                Err(NotOfPumaType::Joint { robot: robot.name().into(), joint, rule })
            };
            if link.joint == JointKind::Prismatic {
                return deviates("turn, not slide");
            }
            let Some(before) = j.checked_sub(1) else { continue };
            let Pose { rotation, position } = link.placement.unturned(); // Rz(γ) Rx(α)
            let gamma = PlanarRotation { cos: rotation.rows[0].x, sin: rotation.rows[1].x };
            zeros[before] += gamma.sin.atan2(gamma.cos);
            let Vec3 { x, y, z } = reversed(senses[before]) * gamma.into_z(position);
            let Vec3 { y: sin_alpha, z: cos_alpha, .. } = rotation.rows[2];
            let (alignment, fits, rule) = match j {
                1 => (-sin_alpha, true, "be at a right angle to the one before"),
                2 => (cos_alpha, !is_zero(x, 0.0), "be parallel to the one before, and apart from it"),
                3 => {
                    (sin_alpha, !is_zero(x, y), "be at a right angle to the one before, with the wrist's centre apart")
                }
                4 => (-sin_alpha, is_zero(x, y), "meet the one before at a right angle"),
                _ => (sin_alpha, is_zero(x, z), "meet the two before in one point, at a right angle to the last"),
            };
            if !fits || (alignment.abs() - 1.0).abs() > ROUNDING {
                return deviates(rule);
            }
            senses[j] = senses[before] * alignment.signum();
            offsets[j] = Vec3::new(x, y, z);
        }
        let placed = &robot.frames()[frame];
        if placed.body != Some(5) {
            return Err(NotOfPumaType::Frame { frame: placed.name.clone() });
        }
        let [_, shoulder, elbow, roll, pitch, yaw] = offsets;
        // The last joint's origin may be anywhere on its axis.
        let body_from_wrist = Pose { rotation: reversed(senses[5]), position: Vec3::new(0.0, 0.0, senses[5] * yaw.y) };
        Ok(Self {
            shoulder: [shoulder.x, shoulder.z],
            plane: shoulder.y + elbow.z + roll.z,
            upper_arm: elbow.x,
            forearm: [roll.x, pitch.z - roll.y],
            senses,
            zeros,
            waist_from_base: links[0].placement.unturned().inverse(),
            frame_from_wrist: placed.body_from_frame.inverse() * body_from_wrist,
        })
    }

    /// The joint positions that bring the frame to a pose on a branch, each in (−π, π]; limits are not looked at.
    ///
    /// Where the wrist is straight, θ₅ = 0 or π, only the sum or the difference of θ₄ and θ₆ matters. θ₄ is 0 then,
    /// and both wrist branches are one.
    ///
    /// # Errors
    /// If the wrist's centre is out of reach.
    pub fn inverse_kinematics(&self, base_from_frame: &Pose, branch: Branch) -> Result<[f64; 6], OutOfReach> {
        let Pose { rotation, position: p } = self.waist_from_base * *base_from_frame * self.frame_from_wrist;
        let (theta1, x1) = self.waist(p, branch.shoulder)?;
        let [a2, b2] = self.shoulder;
        let (theta2, theta3) = self.plane_arm(x1 - a2, b2 - p.z, branch.elbow)?;
        let waist_from_forearm = PlanarRotation::by(theta1).matrix_z() * PlanarRotation::by(theta2 + theta3).matrix_y();
        let [theta4, theta5, theta6] = wrist(&(waist_from_forearm.transpose() * rotation), branch.wrist);
        let theta = [theta1, theta2, theta3, theta4, theta5, theta6];
        Ok(core::array::from_fn(|j| wrapped(self.senses[j] * theta[j] - self.zeros[j])))
    }

    /// θ₁, and how far the wrist's centre is from the waist's axis in the plane of the arm.
    fn waist(&self, p: Vec3, sign: Sign) -> Result<(f64, f64), OutOfReach> {
        let d3 = self.plane;
        let (distance, least) = (p.x.hypot(p.y), d3.abs());
        let square = distance * distance - d3 * d3;
        if square < -ROUNDING * d3 * d3 {
            return Err(OutOfReach::InsideShoulderOffset { distance, least });
        }
        let x1 = sign.value() * square.max(0.0).sqrt();
        Ok((p.y.atan2(p.x) - d3.atan2(x1), x1))
    }

    /// θ₂ and θ₃ of the two-link arm in its plane.
    fn plane_arm(&self, x: f64, y: f64, sign: Sign) -> Result<(f64, f64), OutOfReach> {
        let (a3, [a4, d4]) = (self.upper_arm, self.forearm);
        let (distance, l) = (x.hypot(y), a4.hypot(d4));
        let cos_gamma = (distance * distance - a3 * a3 - l * l) / (2.0 * a3 * l);
        if cos_gamma.abs() > 1.0 + ROUNDING {
            let (least, most) = ((a3.abs() - l).abs(), a3.abs() + l);
            return Err(if distance > most {
                OutOfReach::TooFar { distance, most }
            } else {
                OutOfReach::TooNear { distance, least }
            });
        }
        let gamma = sign.value() * cos_gamma.clamp(-1.0, 1.0).acos();
        let theta2 = y.atan2(x) - (l * gamma.sin()).atan2(a3 + l * gamma.cos());
        Ok((theta2, gamma - (-d4).atan2(a4)))
    }
}

/// θ₄, θ₅ and θ₆ of W = Rz(θ₄) Ry(θ₅) Rz(θ₆).
fn wrist(w: &Mat3, sign: Sign) -> [f64; 3] {
    let Vec3 { x: w13, y: w23, z: w33 } = w.column(2);
    let is_straight = w13.hypot(w23) < STRAIGHT;
    let theta4 = if is_straight { 0.0 } else { (sign.value() * w23).atan2(sign.value() * w13) };
    let undo = |k: usize| PlanarRotation::by(theta4).into_z(w.column(k));
    [theta4, undo(2).x.atan2(w33), undo(0).y.atan2(undo(1).y)]
}

/// The half turn about x that reverses z, or none for 1.
fn reversed(sense: f64) -> Mat3 {
    PlanarRotation { cos: sense, sin: 0.0 }.matrix_x()
}

impl Branch {
    /// All eight; the wrist changes first, the shoulder last.
    pub const ALL: [Self; 8] = {
        use Sign::{Minus, Plus};
        [
            Self { shoulder: Plus, elbow: Plus, wrist: Plus },
            Self { shoulder: Plus, elbow: Plus, wrist: Minus },
            Self { shoulder: Plus, elbow: Minus, wrist: Plus },
            Self { shoulder: Plus, elbow: Minus, wrist: Minus },
            Self { shoulder: Minus, elbow: Plus, wrist: Plus },
            Self { shoulder: Minus, elbow: Plus, wrist: Minus },
            Self { shoulder: Minus, elbow: Minus, wrist: Plus },
            Self { shoulder: Minus, elbow: Minus, wrist: Minus },
        ]
    };
}

impl Sign {
    /// 1 or −1.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Plus => 1.0,
            Self::Minus => -1.0,
        }
    }
}
