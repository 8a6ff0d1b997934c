//! The sections `[transmission.NAME]` of a file.

use super::reader::{Node, Reader, Table};
use super::sections::{friction, limits};
use crate::description::quantity::Dimension;
use crate::description::{Finding, MotorDescription, Mounting, TransmissionDescription};
use crate::spatial::Vec3;

/// All transmissions, in the order of the file.
pub(super) fn transmissions(reader: &mut Reader, file: &Table) -> Vec<TransmissionDescription> {
    let sections = reader.sections(file, "transmission");
    sections.into_iter().filter_map(|(name, node)| transmission(reader, name, &node)).collect()
}

fn transmission(reader: &mut Reader, name: &str, node: &Node) -> Option<TransmissionDescription> {
    let section = reader.table(node, &["joints", "motors", "matrix", "least"])?;
    let mut list = |key, expected| {
        let node = reader.require(&section, key, expected)?;
        reader.items(&node, expected)
    };
    let joints = list("joints", "an array of names of joints");
    let motors = list("motors", "an array with a name or a table per motor");
    let rows = list("matrix", "an array with a row per motor: its turns per turn of each joint");
    let least = reader.get(&section, "least").map(|node| reader.number(&node));
    let (joints, motors, rows) = (joints?, motors?, rows?);
    let joints: Vec<Option<String>> =
        joints.iter().map(|node| reader.text(node, "the name of a joint").map(Into::into)).collect();
    let motors: Vec<Option<MotorDescription>> = motors.iter().map(|node| motor(reader, node)).collect();
    let matrix: Vec<Option<Vec<f64>>> = rows
        .iter()
        .map(|row| {
            let numbers = reader.items(row, "an array with a number per joint")?;
            Some(numbers.iter().map(|node| reader.number(node)).collect())
        })
        .collect();
    // What could not be read is noted already.
    Some(TransmissionDescription {
        name: name.into(),
        joints: joints.into_iter().collect::<Option<_>>()?,
        motors: motors.into_iter().collect::<Option<_>>()?,
        matrix: matrix.into_iter().collect::<Option<_>>()?,
        least,
    })
}

/// A motor by its name, or by a table that says more.
fn motor(reader: &mut Reader, node: &Node) -> Option<MotorDescription> {
    if let Some(name) = node.value.as_str() {
        return Some(MotorDescription::new(name));
    }
    let table = reader.table(node, &["name", "inertia", "on", "axis", "friction", "limits"])?;
    let name = reader.require(&table, "name", "the motor's name")?;
    let name = reader.text(&name, "the motor's name")?.to_owned();
    let inertia = reader.number_or(&table, "inertia", 0.0);
    let friction = friction(reader, &table);
    let limits = limits(reader, &table, Dimension::Angle);
    let axis = reader.get(&table, "axis");
    let on = reader.get(&table, "on");
    if let (Some(axis), None) = (&axis, &on) {
        reader.error(&axis.place, Finding::AxisWithoutCarrier);
    }
    let mounting = on.and_then(|on| {
        let axis = axis.map_or(Vec3::new(0.0, 0.0, 1.0), |node| reader.vector(&node, "x, y, z", Reader::number));
        let on = reader.text(&on, "the name of a joint, or \"base\"")?.into();
        Some(Mounting { on, axis })
    });
    Some(MotorDescription { name, inertia, mounting, friction, limits })
}
