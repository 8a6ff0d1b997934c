//! Motors that several joints turn: columns of equations, and transmissions of a robot's file.
//!
//! A motor turns by x = Σ c q, and what acts in it acts on every joint with its share, τ = c f(ẋ) + c J ẍ: that is what a motor of a
//! [transmission](TransmissionDescription) without a carrier does, c being its row of the matrix.

use super::{Column, Model};
use appell::description::{Description, JointEffects, MotorDescription, Rotor, TransmissionDescription};

/// A motor that several joints turn: its angle is Σ coefficient × q.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    /// Its name, `m6`.
    pub name: String,
    /// The joint whose motor it is.
    pub joint: usize,
    /// What it turns per unit of each joint: one value per joint, 1 of its own where it is counted in the joint's units.
    pub coefficients: Vec<f64>,
}

/// What a transmission is called that is made for coupled motors.
const NAME: &str = "gear";

impl Coupling {
    /// What a robot's file says acts in it: nothing where no transmission has such a motor.
    pub(crate) fn effects(&self, robot: &Description) -> JointEffects {
        let mut motors = robot.transmissions.iter().flat_map(|own| &own.motors);
        motors.find(|motor| motor.name == self.name).map_or(JointEffects::default(), |motor| {
            let rotor = Rotor { inertia: motor.inertia, gear: 1.0 };
            JointEffects { friction: motor.friction, rotor, ..JointEffects::default() }
        })
    }

    /// The joints that turn it.
    pub(crate) fn joints(&self) -> impl Iterator<Item = usize> {
        self.coefficients.iter().enumerate().filter(|(_, c)| **c != 0.0).map(|(joint, _)| joint)
    }
}

/// The motors of a file's transmissions.
pub(crate) fn of_file(robot: &Description) -> Vec<Coupling> {
    let place = |name: &String| robot.joints.iter().position(|joint| joint.name == *name);
    let mut found = Vec::new();
    for transmission in &robot.transmissions {
        let places: Vec<Option<usize>> = transmission.joints.iter().map(place).collect();
        for (k, (motor, ratios)) in transmission.motors.iter().zip(&transmission.matrix).enumerate() {
            let mut coefficients = vec![0.0; robot.joints.len()];
            for (place, ratio) in places.iter().zip(ratios) {
                place.iter().for_each(|&place| coefficients[place] = *ratio);
            }
            let joint = places.get(k).copied().flatten().unwrap_or(0);
            found.push(Coupling { name: motor.name.clone(), joint, coefficients });
        }
    }
    found
}

/// Puts what acts in a model's coupled motors into a description, one entry per motor: into the transmissions that it has, or new ones.
pub(crate) fn put(robot: &mut Description, model: &Model, motors: &[JointEffects]) {
    let has_columns = |motor: usize| {
        let own = |column: &Column| matches!(column, Column::Coupled { motor: other, .. } if *other == motor);
        (0..model.columns().len()).any(|k| own(&model.columns()[k]) && model.is_described(k))
    };
    let mut new: Vec<(Vec<usize>, Vec<usize>)> = Vec::new(); // joints that hang together, and their motors
    for (motor, coupling) in model.couplings().iter().enumerate().filter(|(motor, _)| has_columns(*motor)) {
        let known =
            robot.transmissions.iter_mut().flat_map(|own| &mut own.motors).find(|own| own.name == coupling.name);
        if let Some(known) = known {
            (known.friction, known.inertia) = (motors[motor].friction, motors[motor].rotor.reflected_inertia());
            continue;
        }
        let (mut joints, mut together) = (coupling.joints().collect::<Vec<_>>(), vec![motor]);
        new.retain(|(others, own)| {
            let is_apart = others.iter().all(|joint| !joints.contains(joint));
            if !is_apart {
                joints.extend(others);
                together.extend(own);
            }
            is_apart
        });
        joints.sort_unstable();
        joints.dedup();
        together.sort_unstable();
        new.push((joints, together));
    }
    for (joints, together) in new {
        let added = transmission(robot, model, motors, &joints, &together);
        robot.transmissions.push(added);
    }
}

/// A transmission with a motor per joint: those of some couplings, and motors without effects for the other joints.
fn transmission(
    robot: &Description,
    model: &Model,
    effects: &[JointEffects],
    joints: &[usize],
    together: &[usize],
) -> TransmissionDescription {
    let count = robot.transmissions.len();
    let name = if count == 0 { NAME.into() } else { format!("{NAME}{}", count + 1) };
    let (mut motors, mut matrix): (Vec<MotorDescription>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for &joint in joints {
        let coupling = together.iter().find(|&&motor| model.couplings()[motor].joint == joint);
        let (name, coefficients) = match coupling {
            Some(&motor) => (model.couplings()[motor].name.clone(), model.couplings()[motor].coefficients.clone()),
            None => {
                let unit = |other: usize| if other == joint { 1.0 } else { 0.0 };
                let number = model.drive_of(joint).unwrap_or(joint) + 1;
                (format!("m{number}"), (0..model.joint_names().len()).map(unit).collect())
            }
        };
        let own = coupling.map_or(JointEffects::default(), |&motor| effects[motor]);
        motors.push(MotorDescription {
            inertia: own.rotor.reflected_inertia(),
            friction: own.friction,
            ..MotorDescription::new(free(robot, name))
        });
        matrix.push(joints.iter().map(|&joint| coefficients[joint]).collect());
    }
    let joints = joints.iter().map(|&joint| model.joint_names()[joint].clone()).collect();
    TransmissionDescription { name, joints, motors, matrix, least: None }
}

/// A name that no joint, frame or motor has.
fn free(robot: &Description, mut name: String) -> String {
    let is_taken = |name: &str| {
        let mut motors = robot.transmissions.iter().flat_map(|own| &own.motors);
        robot.joints.iter().any(|joint| joint.name == name)
            || robot.frames.iter().any(|frame| frame.name == name)
            || motors.any(|motor| motor.name == name)
    };
    while is_taken(&name) {
        name += "-motor";
    }
    name
}
