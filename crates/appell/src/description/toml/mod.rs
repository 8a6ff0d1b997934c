//! Robots as TOML files: a table of joints as printed in papers, a section a body.
//!
//! ```toml
//! name = "PUMA 560"
//! frames = "modified-dh"      # or "standard-dh", "khalil-kleinfinger"
//! joints = [                  # one row a joint
//!   # name        type       alpha      a       theta  d
//!   ["waist",    "revolute", "0",       0.0,    "q",   0.0   ],
//!   ["shoulder", "revolute", "-90 deg", 0.0,    "q",   0.0   ],
//! ]
//! [body.waist]
//! mass = 10.521
//! com = [0.0, -0.054, 0.0]
//! inertia = { xx = 1.612, yy = 1.612, zz = 0.5091 }   # about the centre of mass
//! [body.shoulder]
//! mass = 0                    # a massless body needs no more
//! [joint.shoulder]
//! driven = false              # no motor
//! [frame.tool]
//! parent = "shoulder"
//! xyz = [0.0, 0.0, "56 mm"]
//! rpy = ["90 deg", 0.0, 0.0]
//! ```
//!
//! | `frames` | columns of a row | transform |
//! |---|---|---|
//! | `modified-dh` | name, type, alpha, a, theta, d | Rx(α) Tx(a) Rz(θ) Tz(d) |
//! | `standard-dh` | name, type, theta, d, a, alpha | Rz(θ) Tz(d) Tx(a) Rx(α) |
//! | `khalil-kleinfinger` | name, type, parent, gamma, b, alpha, d, theta, r | Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r) |
//!
//! The column in which a joint moves holds `q`, with an offset if there is one: `"q + 90 deg"`. Numbers are SI and
//! rad; angles and lengths may be text with a unit instead. Products of inertia are entries of the tensor,
//! xy = −∫ x y dm, and zero where left out. `gravity` is (0, 0, −9.81) m/s² where left out.

mod reader;
mod sections;
mod table;

use self::reader::Reader;
use super::{Description, Problems, STANDARD_GRAVITY, check};
use ::toml::de::DeTable;

/// Reads a robot, with the warnings about it.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str) -> Result<(Description, Problems), Problems> {
    let mut reader = Reader::new(text);
    let file = match DeTable::parse(text) {
        Ok(file) => file,
        Err(error) => {
            reader.syntax_error(&error);
            return Err(reader.finish(Problems::default()));
        }
    };
    let description = description(&mut reader, file.get_ref());
    let problems = reader.finish(check(&description));
    if problems.errors() > 0 { Err(problems) } else { Ok((description, problems)) }
}

/// What could be read of a file; the reader knows what could not.
fn description(reader: &mut Reader, file: &DeTable) -> Description {
    let file = reader.file(file, &["name", "frames", "gravity", "joints", "body", "joint", "frame"]);
    let name = reader.require(&file, "name", "the robot's name").and_then(|node| reader.text(&node, "a name"));
    let convention = reader.require(&file, "frames", table::EXPECTED_CONVENTION);
    let convention = convention.and_then(|node| table::convention(reader, &node));
    let gravity = reader.get(&file, "gravity").map(|node| sections::gravity(reader, &node));
    let rows = reader.require(&file, "joints", "an array of rows, one a joint");
    let mut joints = rows.map_or(Vec::new(), |node| table::joints(reader, &node, convention));
    sections::bodies(reader, &file, &mut joints);
    sections::actuation(reader, &file, &mut joints);
    let frames = sections::frames(reader, &file);
    Description { name: name.unwrap_or_default().into(), gravity: gravity.unwrap_or(STANDARD_GRAVITY), joints, frames }
}
