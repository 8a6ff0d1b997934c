//! The files a robot can be in, told by their ending.

use appell::description::dh_table::{self, Layout};
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

    /// Reads a robot with the warnings about it, or all problems. Some files do not say the robot's `name`, and only
    /// a URDF leaves open whether its root link floats.
    pub(crate) fn read(self, text: &str, name: &str, floating_base: bool) -> Result<(Description, Problems), Problems> {
        match self {
            Self::Toml => toml::read(text),
            Self::Urdf => urdf::read(text, urdf::Options { floating_base }),
            Self::Table(layout) => dh_table::read(text, layout, name),
        }
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
    pub(crate) fn write(
        self,
        robot: &Description,
        convention: Option<Convention>,
    ) -> Result<(String, Problems), String> {
        let refused = |refusal: Refusal| refusal.to_string();
        let convention = convention.unwrap_or(robot.convention);
        match self {
            Self::Toml => Ok((toml::write(&to_convention(robot, convention).map_err(refused)?), Problems::default())),
            Self::Urdf => urdf::write(robot).map_err(|problems| problems.to_string()),
            Self::Table(layout) => dh_table::write(robot, convention, layout).map_err(refused),
        }
    }
}
