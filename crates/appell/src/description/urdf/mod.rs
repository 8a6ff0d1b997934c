//! Robots as URDF files, the format of ROS, read and written.
//!
//! | in a URDF | here |
//! |---|---|
//! | revolute, continuous, prismatic joint about any axis | a joint about z, the link's frame kept as the user's frame |
//! | fixed joint | none: the bodies of both links are merged |
//! | floating joint J | `J_x J_y J_z` slide along the parent's axes, then `J_yaw J_pitch J_roll` turn about z, y, x |
//! | planar joint J | `J_1 J_2` slide across the axis, along x and y where that is z, then `J_turn` turns about it |
//! | link | a named frame; a joint's child called like the joint is the joint's own, the root `base` is the base |
//! | missing `<inertial>` | a massless body |
//! | `<limit>`, `<dynamics>`, `<mimic>` | limits, viscous and Coulomb friction, mimicry of joints with one motion |
//!
//! Joints come depth first in the order of the file. The root link does not move, so its mass is of no consequence,
//! unless [`Options::floating_base`] sets it free. Where a link's name is taken by a joint the frame is called
//! `link:NAME`, with a warning. Everything else, such as `<visual>` or `<gazebo>`, is passed over, as ROS does.
//!
//! The crate urdf-rs is not used, because it
//! - refuses three of the 69 robots in the package example-robot-data 6.0, which ROS loads, for a mesh without a
//!   file name: icub, icub_reduced and romeo_laas_small;
//! - overflows the stack, which ends the process, on deeply nested elements;
//! - stops at the first error and knows no lines, while a user wants all problems with theirs;
//! - takes two links of one name, joints between links that are not there, and NaN.

mod parts;
mod place;
mod tree;
mod write;
mod xml;

pub use write::write;

use super::{Convention, Description, Problem, Problems, STANDARD_GRAVITY, Severity, check};
use xml::Reader;

/// How to read what a URDF leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether the root link moves freely, by the joints `base_x base_y base_z base_yaw base_pitch base_roll`, or
    /// is fixed on the base.
    pub floating_base: bool,
}

/// Reads a robot, with the warnings about it.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str, options: Options) -> Result<(Description, Problems), Problems> {
    let text = xml::forgiven(text);
    let mut reader = Reader::new(&text);
    match description(&mut reader, &text, options) {
        None => Err(reader.finish([])),
        Some(description) => {
            let sound = !reader.notes.has_errors();
            // The bodies were looked at before they were merged; errors breed errors.
            let is_news = |problem: &Problem| match problem.severity {
                Severity::Error => sound,
                Severity::Warning => !problem.place.starts_with("body."),
            };
            let problems = reader.finish(check(&description).into_iter().filter(is_news));
            if problems.errors() > 0 { Err(problems) } else { Ok((description, problems)) }
        }
    }
}

/// What could be read of a file, if that makes a tree; the reader knows what could not.
fn description(reader: &mut Reader, text: &str, options: Options) -> Option<Description> {
    let document = reader.document(text)?;
    let robot = reader.robot(&document)?;
    let name = reader.require(&robot, "name", "the robot's name");
    let links = parts::links(reader, &robot);
    let joints = parts::joints(reader, &robot);
    let tree = tree::grow(reader, &links, &joints)?;
    let (joints, frames) = place::place(reader, &links, &joints, &tree, options);
    Some(Description {
        name: name.map_or("", |(name, _)| name).into(),
        convention: Convention::KhalilKleinfinger,
        gravity: STANDARD_GRAVITY,
        joints,
        frames,
    })
}
