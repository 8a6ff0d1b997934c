//! The files a robot can be in, told by their ending.

use crate::description::dh_table::{self, Layout};
use crate::description::{Convention, Description, Problems, Refusal, to_convention, toml, urdf};
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
}

impl Format {
    /// A table in CSV.
    pub const CSV: Self = Self::Table(Layout::Csv);
    /// A table in Markdown.
    pub const MARKDOWN: Self = Self::Table(Layout::Markdown);
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Toml, Self::Urdf, Self::Table(Layout::Csv), Self::Table(Layout::Markdown)];

    /// Its name, which is the ending of its files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Toml => "toml",
            Self::Urdf => "urdf",
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

    /// Reads a robot with the warnings about it, or all problems. Some files do not say the robot's `name`, and only
    /// a URDF leaves open whether its root link floats.
    ///
    /// # Errors
    /// All problems, if any of them is an error.
    pub fn read(self, text: &str, name: &str, floating_base: bool) -> Result<(Description, Problems), Problems> {
        match self {
            Self::Toml => toml::read(text),
            Self::Urdf => urdf::read(text, urdf::Options { floating_base }),
            Self::Table(layout) => dh_table::read(text, layout, name),
        }
    }

    /// Everything wrong or doubtful in a file.
    #[must_use]
    pub fn inspect(self, text: &str) -> Problems {
        match self {
            Self::Toml => toml::inspect(text),
            Self::Urdf => urdf::inspect(text),
            Self::Table(layout) => dh_table::inspect(text, layout),
        }
    }

    /// Writes a robot in a convention, or in its own, with warnings about what is lost.
    ///
    /// # Errors
    /// Why the robot cannot be written so.
    pub fn write(self, robot: &Description, convention: Option<Convention>) -> Result<(String, Problems), String> {
        let refused = |refusal: Refusal| refusal.to_string();
        let convention = convention.unwrap_or(robot.convention);
        match self {
            Self::Toml => Ok((toml::write(&to_convention(robot, convention).map_err(refused)?), Problems::default())),
            Self::Urdf => urdf::write(robot).map_err(|problems| problems.to_string()),
            Self::Table(layout) => dh_table::write(robot, convention, layout).map_err(refused),
        }
    }
}
