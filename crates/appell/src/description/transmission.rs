//! Gears, belts and tendons: several motors that drive several joints through a matrix, and their rotors as bodies.
//!
//! ```text
//! θ = N q        τ = Nᵀ τ_motor        N: a row per motor, its turns per turn (or metre) of each joint
//! ```
//!
//! A rotor is a row of the tree whose position follows the joints, θ = N q. One without a carrier turns against the base and has
//! the energy ½ J θ̇²: the joints get the inertia Nᵀ J N and nothing else. One on a body turns with it as well, about `axis` there;
//! since data sheets and CAD count a rotor in the body that carries its motor, this body loses J a aᵀ, and both have the energy
//! ½ ω·I ω + J θ̇ a·ω + ½ J θ̇² (Siciliano2009 §7.1), whose second term makes the gyroscopic torques.

use super::ratios::Ratios;
use super::{
    BASE, Description, Friction, JointDescription, JointEffects, JointKind, KhalilKleinfinger, Limits, Mimic, Rotor,
};
use crate::spatial::{Mat3, Pose, Sym3, Vec3};
use std::borrow::Cow;

/// Motors that drive joints together.
#[derive(Debug, Clone, PartialEq)]
pub struct TransmissionDescription {
    /// Its name.
    pub name: String,
    /// The joints, which turn, slide or are screws.
    pub joints: Vec<String>,
    /// The motors, or tendons.
    pub motors: Vec<MotorDescription>,
    /// N, a row per motor: its turns per turn of each joint, rad/rad or rad/m; of a tendon its length per turn, m/rad or m/m.
    pub matrix: Vec<Vec<f64>>,
    /// The least tension of tendons, which cannot push, N; none of motors, which can do both.
    pub least: Option<f64>,
}

/// A motor of a transmission.
#[derive(Debug, Clone, PartialEq)]
pub struct MotorDescription {
    /// Its name, and that of its rotor.
    pub name: String,
    /// Of the rotor about its axis, kg m².
    pub inertia: f64,
    /// Where the motor is, if its rotor is to have gyroscopic torques.
    pub mounting: Option<Mounting>,
    /// Of the motor, along its own position.
    pub friction: Friction,
    /// Of the motor: its own position, speed and torque.
    pub limits: Limits,
}

/// Which body carries a motor, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Mounting {
    /// The joint whose body carries it, or the base.
    pub on: String,
    /// The direction of the rotor's axis, in the body's (user) frame.
    pub axis: Vec3<f64>,
}

impl MotorDescription {
    /// A motor without inertia, friction and limits.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            inertia: 0.0,
            mounting: None,
            friction: Friction::default(),
            limits: Limits::default(),
        }
    }
}

impl TransmissionDescription {
    /// N, if it has a row per motor and a column per joint.
    #[must_use]
    pub fn ratios(&self) -> Option<Ratios> {
        Ratios::new(self.motors.len(), self.joints.len(), &self.matrix)
    }
}

/// The same tree with the rotors of all transmissions as its last rows, each following the joints.
///
/// # Panics
/// If the description was not found valid.
pub(crate) fn with_rotors(description: &Description) -> Cow<'_, Description> {
    if description.transmissions.is_empty() {
        return Cow::Borrowed(description);
    }
    let mut robot = description.clone();
    for transmission in &description.transmissions {
        for (motor, ratios) in transmission.motors.iter().zip(&transmission.matrix) {
            let joints = transmission.joints.iter().cloned().zip(ratios.iter().copied()).collect();
            let row = JointDescription {
                limits: motor.limits,
                mimic: Some(Mimic { joints, offset: 0.0 }),
                ..JointDescription::new(&motor.name, JointKind::Revolute)
            };
            let rotor = rotor(&mut robot, motor, row);
            robot.joints.push(rotor);
        }
    }
    Cow::Owned(robot)
}

/// The rotor of a motor on its carrier, which loses what is counted in it.
fn rotor(robot: &mut Description, motor: &MotorDescription, row: JointDescription) -> JointDescription {
    let friction = motor.friction;
    let Some(Mounting { on, axis }) = &motor.mounting else {
        let rotor = Rotor { inertia: motor.inertia, gear: 1.0 };
        return JointDescription { effects: JointEffects { friction, rotor, ..JointEffects::default() }, ..row };
    };
    let axis = axis.scale(1.0 / axis.norm());
    let carrier = robot.joints.iter_mut().find(|joint| joint.name == *on);
    let joint_from_body = carrier.as_ref().map_or(Pose::identity(0.0), |carrier| carrier.link_frame);
    if let Some(carrier) = carrier {
        carrier.body.inertia = carrier.body.inertia - about(axis, motor.inertia);
    }
    let turned = Pose { rotation: axes_about(axis), position: Vec3::zero(0.0) };
    let mut row = JointDescription {
        parent: Some(on.clone()).filter(|on| on != BASE),
        placement: KhalilKleinfinger::from_pose(&(joint_from_body * turned)),
        effects: JointEffects { friction, ..JointEffects::default() },
        ..row
    };
    row.body.inertia.zz = motor.inertia;
    row
}

/// J a aᵀ.
pub(super) fn about(a: Vec3<f64>, j: f64) -> Sym3<f64> {
    let [x, y, z] = a.to_array();
    Sym3 { xx: j * x * x, xy: j * x * y, xz: j * x * z, yy: j * y * y, yz: j * y * z, zz: j * z * z }
}

/// Axes of which z is this unit vector.
fn axes_about(z: Vec3<f64>) -> Mat3<f64> {
    let across = if z.x.abs() < 0.8 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
    let y = z.cross(across);
    let y = y.scale(1.0 / y.norm());
    Mat3::from_rows([y.cross(z), y, z]).transpose()
}
