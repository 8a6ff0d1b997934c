//! From identified parameters back to a robot, with where they come from.
//!
//! | what | where |
//! |---|---|
//! | the description with new bodies, friction, rotors and springs | [`describe`] |
//! | data, method, date and residuals | [`Provenance`] |
//! | a robot's file with both | [`to_toml`], [`to_urdf`] |
//!
//! A robot's file wants bodies that are real: parameters come from [`consistency::fit`](mod@crate::consistency). Base
//! parameters alone say too little, and least squares for all standard parameters gives bodies of negative mass.

mod provenance;

pub use provenance::{Beyond, Provenance, Source, to_toml, to_urdf};

use crate::consistency::flaws;
use crate::parameters::{Body, Column, Effect, Inertial, Model, coupling};
use appell::description::{BodyDescription, Description, JointEffects};
use appell::dynamics::regressor::{self, PARAMETERS_PER_BODY};
use appell::spatial::{Sym3, Vec3};

/// Why parameters make no robot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum IdentifiedError {
    /// They are not physically consistent.
    #[error("these parameters are not physically consistent: {flaw}; fit consistent ones, `consistency::fit`")]
    Inconsistent { flaw: String },
    /// Another robot.
    #[error("the description has no joint `{joint}` that the parameters belong to")]
    OtherRobot { joint: String },
}

/// A robot with the parameters of a model; what the model has no columns for stays as it was, and what a description has no numbers for
/// is left out. A platform's payload becomes
/// part of the platform, and motors that several joints turn become those of transmissions.
///
/// # Errors
/// If the parameters are not physically consistent, or of another robot.
///
/// # Panics
/// If there is not one value per column.
pub fn describe(description: &Description, model: &Model, values: &[f64]) -> Result<Description, IdentifiedError> {
    if let Some(flaw) = flaws(model, values).into_iter().next() {
        return Err(IdentifiedError::Inconsistent { flaw });
    }
    let mut robot = description.clone();
    let places = places(&robot, model)?;
    let mut motors: Vec<JointEffects> = model.couplings().iter().map(|coupling| coupling.effects(&robot)).collect();
    for (k, column) in model.columns().iter().enumerate() {
        match *column {
            // Bodies are put as a whole, when their first column is met.
            Column::Inertial { body, parameter: Inertial::M } => {
                let ten = Inertial::ALL.map(|parameter| {
                    let column = Column::Inertial { body, parameter };
                    model.columns().iter().position(|other| *other == column).map_or(0.0, |k| values[k])
                });
                match body {
                    Body::Joint(joint) => {
                        model.alike(joint).iter().for_each(|&j| robot.joints[places[j]].body = to_body(ten));
                    }
                    Body::Platform => {
                        if let Some(platform) = &mut robot.platform {
                            (platform.body, platform.payload) = (to_body(ten), BodyDescription::default());
                        }
                    }
                }
            }
            Column::Inertial { .. } => {}
            Column::Effect { joint, effect } => effect.put(&mut robot.joints[places[joint]].effects, values[k]),
            Column::Coupled { motor, effect } if model.is_described(k) => effect.put(&mut motors[motor], values[k]),
            Column::Coupled { .. } => {}
        }
    }
    coupling::put(&mut robot, model, &motors);
    // A spring's rest position is no parameter: −k rest is in the offset's column, and zero where that is left out.
    for (joint, &place) in places.iter().enumerate() {
        let value = |wanted: Effect| {
            let column = Column::Effect { joint, effect: wanted };
            model.columns().iter().position(|other| *other == column).map(|k| values[k])
        };
        let JointEffects { friction, spring, .. } = &mut robot.joints[place].effects;
        match (value(Effect::Offset), value(Effect::Stiffness)) {
            (Some(offset), _) => friction.offset = offset + spring.stiffness * spring.rest,
            (None, Some(_)) => spring.rest = 0.0,
            (None, None) => {}
        }
    }
    Ok(robot)
}

/// Where the model's joints are in a description.
fn places(robot: &Description, model: &Model) -> Result<Vec<usize>, IdentifiedError> {
    let place = |name: &String| {
        let found = robot.joints.iter().position(|joint| joint.name == *name);
        found.ok_or_else(|| IdentifiedError::OtherRobot { joint: name.clone() })
    };
    model.joint_names().iter().map(place).collect()
}

/// A body by its ten parameters.
fn to_body(parameters: [f64; PARAMETERS_PER_BODY]) -> BodyDescription {
    let [mass, x, y, z, xx, xy, xz, yy, yz, zz] = regressor::to_urdf(parameters).unwrap_or_default();
    BodyDescription { mass, com: Vec3::new(x, y, z), inertia: Sym3 { xx, xy, xz, yy, yz, zz } }
}
