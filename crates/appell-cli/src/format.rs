//! The files a robot can be in, told by their ending.

use anyhow::{bail, ensure};
use appell::description::dh_table::{self, Layout};
use appell::description::urdf::Extras;
use appell::description::{Convention, Description, Problems, Refusal, to_convention, toml, urdf};
use std::path::Path;

/// A kind of file that describes a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileFormat {
    Toml,
    Urdf,
    Table(Layout),
}

impl FileFormat {
    pub(crate) const ALL: [Self; 4] = [Self::Toml, Self::Urdf, Self::Table(Layout::Csv), Self::Table(Layout::Markdown)];

    /// Its name, which is the ending of its files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Urdf => "urdf",
            Self::Table(Layout::Csv) => "csv",
            Self::Table(Layout::Markdown) => "md",
        }
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format of a file, by its ending.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str().and_then(Self::find)
    }

    /// The format of a robot's file, by its ending or, where that says nothing, by its text: XML is URDF, all else TOML.
    ///
    /// # Errors
    /// What to do with a file of another format.
    pub(crate) fn of_robot(path: &Path, text: &str) -> anyhow::Result<Self> {
        if let Some(format) = Self::of(path) {
            return Ok(format);
        }
        let ends_in = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            ensure!(
                !["xml", "xacro", "sdf"].iter().any(|ending| ends_in(ending)),
                "is not the XML that its ending promises"
            );
            return Ok(Self::Toml);
        }
        let element = outermost(text).unwrap_or_default();
        let is_xacro = ends_in("xacro") || text.contains("<xacro:");
        match element {
            "robot" if is_xacro => bail!("is xacro; expand it to a URDF first: xacro FILE > robot.urdf"),
            "sdf" => bail!(
                "is SDF, which appell does not read; take the URDF that it was made from, or convert it to URDF, as sdf2urdf \
                 of the package pysdf does"
            ),
            "mujoco" => bail!(
                "is MJCF, the format of MuJoCo, which appell does not read; take the URDF that it was made from, or convert \
                 it to URDF"
            ),
            "robot" => Ok(Self::Urdf),
            other => bail!("is no robot that appell reads: its outermost element is <{other}>; a URDF is one <robot>"),
        }
    }

    /// Reads a robot with the warnings about it, or all problems. Some files do not say the robot's `name`, and only
    /// a URDF leaves open whether its root link floats.
    pub(crate) fn read(self, text: &str, name: &str, floating_base: bool) -> Result<(Description, Problems), Problems> {
        match self {
            Self::Toml => toml::read(text),
            Self::Urdf => urdf::read(text, urdf::Options { floating_base }),
            Self::Table(layout) => dh_table::read(text, layout, name),
        }
    }

    /// The same with what a URDF says beyond the robot, which is nothing of other files.
    pub(crate) fn read_with_extras(self, text: &str, name: &str, floating_base: bool) -> Result<Whole, Problems> {
        let (description, extras, warnings) = match self {
            Self::Urdf => urdf::read_with_extras(text, urdf::Options { floating_base })?,
            _ => {
                let (description, warnings) = self.read(text, name, floating_base)?;
                (description, Extras::default(), warnings)
            }
        };
        Ok(Whole { description, extras, warnings })
    }

    /// Everything wrong or doubtful in a file.
    pub(crate) fn inspect(self, text: &str) -> Problems {
        match self {
            Self::Toml => toml::inspect(text),
            Self::Urdf => urdf::inspect(text),
            Self::Table(layout) => dh_table::inspect(text, layout),
        }
    }

    /// Writes a robot in a convention, or in its own, with warnings about what is lost.
    pub(crate) fn write(self, robot: &Whole, convention: Option<Convention>) -> Result<(String, Problems), String> {
        let refused = |refusal: Refusal| refusal.to_string();
        let Whole { description, extras, .. } = robot;
        let convention = convention.unwrap_or(description.convention);
        let (text, mut lost) = match self {
            Self::Toml => (toml::write(&to_convention(description, convention).map_err(refused)?), Problems::default()),
            Self::Urdf => urdf::write_with_extras(description, extras).map_err(|problems| problems.to_string())?,
            Self::Table(layout) => dh_table::write(description, convention, layout).map_err(refused)?,
        };
        if self != Self::Urdf {
            lost.extend(extras.dropped());
        }
        Ok((text, lost))
    }
}

/// All that a file says.
pub(crate) struct Whole {
    pub(crate) description: Description,
    /// What is not about dynamics.
    pub(crate) extras: Extras,
    pub(crate) warnings: Problems,
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
        let of =
            |name: &str, text: &str| FileFormat::of_robot(Path::new(name), text).map_err(|error| error.to_string());
        assert_eq!(of("a.xml", "\u{feff}<?xml version='1.0'?><!-- <sdf> -->\n<robot name='a'/>"), Ok(FileFormat::Urdf));
        assert_eq!(of("robot", "<robot>"), Ok(FileFormat::Urdf));
        assert_eq!(of("robot", "name = 'a'"), Ok(FileFormat::Toml));
        assert_eq!(of("a.urdf", "<sdf/>"), Ok(FileFormat::Urdf));
        for (name, text, told) in [
            ("a.sdf", "<sdf version='1.6'>", "is SDF"),
            ("a.xml", "<mujoco>", "is MJCF"),
            ("a.xacro", "<robot>", "xacro FILE > robot.urdf"),
            ("a.xml", "<robot><xacro:macro/></robot>", "xacro FILE > robot.urdf"),
            ("a.xml", "<html>", "<html>"),
            ("a.xml", "<!-- ", "<>"),
            ("a.sdf", "name", "not the XML"),
        ] {
            assert!(of(name, text).is_err_and(|error| error.contains(told)), "{name} {text}");
        }
    }
}
