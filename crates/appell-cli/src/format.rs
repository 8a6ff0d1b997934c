//! The files a robot can be in, told by their ending.

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
