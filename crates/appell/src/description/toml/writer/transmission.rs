//! Transmissions as sections of a file.

use super::{friction, limits, line, vector};
use crate::description::name::{key, quoted};
use crate::description::quantity::{Dimension, write_number as number};
use crate::description::{Description, MotorDescription, Mounting, TransmissionDescription};

pub(super) fn write(description: &Description) -> String {
    description.transmissions.iter().map(transmission).collect()
}

fn transmission(transmission: &TransmissionDescription) -> String {
    let TransmissionDescription { name, joints, motors, matrix, least } = transmission;
    let joints: Vec<String> = joints.iter().map(|joint| quoted(joint)).collect();
    let mut text = format!("\n[transmission.{}]\njoints = [{}]\n", key(name), joints.join(", "));
    let is_plain = |motor: &MotorDescription| *motor == MotorDescription::new(&motor.name);
    text += &if motors.iter().all(is_plain) {
        let names: Vec<String> = motors.iter().map(|motor| quoted(&motor.name)).collect();
        format!("motors = [{}]\n", names.join(", "))
    } else {
        let tables: String = motors.iter().map(|own| format!("  {{ {} }},\n", motor(own))).collect();
        format!("motors = [\n{tables}]\n")
    };
    let rows = matrix.iter().map(|row| {
        let numbers: Vec<String> = row.iter().map(|x| number(*x)).collect();
        format!("[{}]", numbers.join(", "))
    });
    text += &format!("matrix = [{}]\n", rows.collect::<Vec<_>>().join(", "));
    least.map_or(text.clone(), |least| format!("{text}least = {}\n", number(least)))
}

/// The entries of a motor's table.
fn motor(motor: &MotorDescription) -> String {
    let mut entries = vec![format!("name = {}", quoted(&motor.name))];
    if motor.inertia != 0.0 {
        entries.push(format!("inertia = {}", number(motor.inertia)));
    }
    if let Some(Mounting { on, axis }) = &motor.mounting {
        entries.push(format!("on = {}, axis = {}", quoted(on), vector(*axis, number)));
    }
    let tables = [line("friction", friction(&motor.friction)), line("limits", limits(&motor.limits, Dimension::Angle))];
    entries.extend(tables.iter().map(|table| table.trim_end().to_owned()).filter(|table| !table.is_empty()));
    entries.join(", ")
}
