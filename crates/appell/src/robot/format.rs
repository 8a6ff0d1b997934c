//! The files a robot can be in, recognised by their ending or their text.

use crate::description::dh_table::{self, Layout};
use crate::description::urdf::Extras;
use crate::description::{Convention, Description, Problems, Refusal, mjcf, par, sdf, to_convention, toml, urdf};
use std::path::Path;

/// A kind of file that describes a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Ours: `.toml`.
    #[default]
    Toml,
    /// `.urdf`.
    Urdf,
    /// Rows of joints: `.csv`, `.md`.
    Table(Layout),
    /// Of SYMORO: `.par`.
    Par,
    /// Of MuJoCo, only read: `.xml`, `.mjcf`.
    Mjcf,
    /// Of Gazebo, only read: `.sdf`.
    Sdf,
}

/// All that a robot's file says.
#[derive(Debug, Clone, Default)]
pub struct RobotFile {
    /// The robot.
    pub description: Description,
    /// What a URDF says beyond dynamics: visuals, collisions, transmissions.
    pub extras: Extras,
    /// What the reader found unlikely or left out.
    pub warnings: Problems,
}

/// A file in a format that is not read, with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum UnreadFormat {
    #[error("is empty; write the robot into it, or give another file")]
    Empty,
    #[error("is not the XML that its ending promises; rename it, as .toml perhaps, or give another file")]
    NotXml,
    #[error("is xacro; expand it to a URDF first: xacro FILE > robot.urdf")]
    Xacro,
    #[error(
        "is not a robot that appell reads: its outermost element is <{element}>; those are <robot>, <mujoco> and <sdf>"
    )]
    Element { element: String },
}

impl Format {
    /// A table in CSV.
    pub const CSV: Self = Self::Table(Layout::Csv);
    /// A table in Markdown.
    pub const MARKDOWN: Self = Self::Table(Layout::Markdown);
    /// All of them.
    pub const ALL: [Self; 7] = [Self::Toml, Self::Urdf, Self::Par, Self::CSV, Self::MARKDOWN, Self::Mjcf, Self::Sdf];
    /// Those that can be written.
    pub const WRITTEN: [Self; 5] = [Self::Toml, Self::Urdf, Self::Par, Self::CSV, Self::MARKDOWN];

    /// Its name, which is the ending of its files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Urdf => "urdf",
            Self::Par => "par",
            Self::Mjcf => "mjcf",
            Self::Sdf => "sdf",
            Self::Table(Layout::Csv) => "csv",
            Self::Table(Layout::Markdown) => "md",
        }
    }

    /// The format of this name, whatever its case.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format of a file, by its ending.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str().and_then(Self::find)
    }

    /// The format of a robot's file, by its ending or, where that says nothing, by its text: XML is what its outermost element
    /// says, all else TOML.
    ///
    /// # Errors
    /// What to do with a file of another format.
    pub fn of_robot(path: &Path, text: &str) -> Result<Self, UnreadFormat> {
        if let Some(format) = Self::of(path) {
            return Ok(format);
        }
        let ends_in = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            let is_xml = ["xml", "xacro", "sdf"].iter().any(|ending| ends_in(ending));
            return match is_xml {
                true if text.trim().is_empty() => Err(UnreadFormat::Empty),
                true => Err(UnreadFormat::NotXml),
                false => Ok(Self::Toml),
            };
        }
        let is_xacro = ends_in("xacro") || text.contains("<xacro:");
        match outermost(text).unwrap_or_default() {
            "robot" if is_xacro => Err(UnreadFormat::Xacro),
            "sdf" => Ok(Self::Sdf),
            "mujoco" => Ok(Self::Mjcf),
            "robot" => Ok(Self::Urdf),
            other => Err(UnreadFormat::Element { element: other.into() }),
        }
    }

    /// Reads a robot with the warnings about it, or all problems. Some files do not say the robot's `name`, and only
    /// a URDF and an SDF file leave open whether the root link floats.
    ///
    /// # Errors
    /// All problems, if any of them is an error.
    pub fn read(self, text: &str, name: &str, floating_base: bool) -> Result<RobotFile, Problems> {
        let (description, extras, warnings) = match self {
            Self::Urdf => urdf::read_with_extras(text, urdf::Options { floating_base })?,
            Self::Toml => toml::read(text).map(|(description, warnings)| (description, Extras::default(), warnings))?,
            Self::Mjcf => mjcf::read(text, name)?,
            Self::Sdf => sdf::read(text, urdf::Options { floating_base })?,
            Self::Par => {
                let (description, warnings) = par::read(text, name)?;
                (description, Extras::default(), warnings)
            }
            Self::Table(layout) => {
                let (description, warnings) = dh_table::read(text, layout, name)?;
                (description, Extras::default(), warnings)
            }
        };
        Ok(RobotFile { description, extras, warnings })
    }

    /// Everything wrong or doubtful in a file, whose root link may float if it is a URDF or an SDF file.
    #[must_use]
    pub fn inspect(self, text: &str, floating_base: bool) -> Problems {
        match self {
            Self::Toml => toml::inspect(text),
            Self::Urdf => urdf::inspect(text, urdf::Options { floating_base }),
            Self::Par => par::inspect(text),
            Self::Mjcf => mjcf::inspect(text),
            Self::Sdf => sdf::inspect(text, urdf::Options { floating_base }),
            Self::Table(layout) => dh_table::inspect(text, layout),
        }
    }

    /// Writes a robot in a convention, or in its own, with warnings about what is lost.
    ///
    /// # Errors
    /// Why the robot cannot be written so.
    pub fn write(self, robot: &RobotFile, convention: Option<Convention>) -> Result<(String, Problems), String> {
        let refused = |refusal: Refusal| refusal.to_string();
        let RobotFile { description, extras, .. } = robot;
        let convention = convention.unwrap_or(description.convention);
        let (text, mut lost) = match self {
            Self::Toml => (toml::write(&to_convention(description, convention).map_err(refused)?), Problems::default()),
            Self::Urdf => urdf::write_with_extras(description, extras).map_err(|problems| problems.to_string())?,
            Self::Par => par::write(description).map_err(|problems| problems.to_string())?,
            Self::Mjcf | Self::Sdf => return Err("MJCF and SDF are only read; write .toml, .urdf or .par".into()),
            Self::Table(layout) => dh_table::write(description, convention, layout).map_err(refused)?,
        };
        if self != Self::Urdf {
            lost.extend(extras.dropped());
        }
        Ok((text, lost))
    }
}

/// The name of the outermost element of an XML file, past its declaration, comments and document type.
fn outermost(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')? + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->")?..];
        } else if rest.starts_with(char::is_alphabetic) {
            return rest.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_says_what_an_ending_leaves_open() {
        let of = |name: &str, text: &str| Format::of_robot(Path::new(name), text).map_err(|error| error.to_string());
        assert_eq!(of("a.xml", "\u{feff}<?xml version='1.0'?><!-- <sdf> -->\n<robot name='a'/>"), Ok(Format::Urdf));
        assert_eq!(of("robot", "<robot>"), Ok(Format::Urdf));
        assert_eq!(of("a.xml", "<mujoco>"), Ok(Format::Mjcf));
        assert_eq!(of("a.xml", "<sdf version='1.6'>"), Ok(Format::Sdf));
        assert_eq!(of("robot", "name = 'a'"), Ok(Format::Toml));
        assert_eq!(of("a.urdf", "<sdf/>"), Ok(Format::Urdf));
        for (name, text, told) in [
            ("a.xacro", "<robot>", "xacro FILE > robot.urdf"),
            ("a.xml", "<robot><xacro:macro/></robot>", "xacro FILE > robot.urdf"),
            ("a.xml", "<html>", "<html>"),
            ("a.xml", "<!-- ", "<>"),
            ("a.xml", "name", "not the XML"),
            ("a.xml", " \n", "is empty"),
        ] {
            assert!(of(name, text).is_err_and(|error| error.contains(told)), "{name} {text}");
        }
    }
}
