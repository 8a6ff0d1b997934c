//! The argument ROBOT: the name of a built-in robot or the path of a file.

use crate::format::{FileFormat, Whole};
use crate::output;
use anyhow::{Context, anyhow, bail, ensure};
use appell::closed::{ClosedError, ClosedMechanism};
use appell::description::{BASE, Description, Problems};
use appell::mechanism::{Axes, Mechanism};
use appell::robots;
use appell_drawing::listing::clip;
use appell_identification::parameters;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The argument ROBOT, and how the root link of a URDF stands.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// A built-in robot's name, or the path of a robot's file
    pub(crate) robot: PathBuf,
    /// Let the root link of a URDF move freely, by joints base_x base_y base_z base_yaw base_pitch base_roll
    #[arg(long)]
    pub(crate) floating_base: bool,
}

impl Choice {
    /// Finds and reads the robot; warnings about it go to stderr.
    pub(crate) fn load(&self) -> anyhow::Result<Robot> {
        load(&self.robot, self.floating_base)
    }
}

/// The text of a robot, and what the user calls it.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: Cow<'static, str>,
    pub(crate) format: FileFormat,
}

/// A robot as written, and ready for computing.
pub(crate) struct Robot {
    pub(crate) description: Description,
    pub(crate) model: Model,
}

/// What a robot is computed as.
pub(crate) enum Model {
    /// A chain or a tree.
    Tree(Box<Mechanism>),
    /// A parallel robot, or another one that closes loops.
    Closed(Box<ClosedMechanism>),
}

impl Robot {
    /// What a description gives; `name` is what the user calls it.
    pub(crate) fn new(name: &str, description: Description) -> anyhow::Result<Self> {
        let model = if description.is_closed() {
            Model::Closed(Box::new(ClosedMechanism::new(&description).map_err(|error| not_closed(name, &error))?))
        } else {
            Model::Tree(Box::new(Mechanism::new(&description).map_err(|problems| refused(name, &problems))?))
        };
        Ok(Self { description, model })
    }

    /// The mechanism of a robot that closes no loop, for a command that takes no other.
    pub(crate) fn into_tree(self, command: &str, instead: &str) -> anyhow::Result<Mechanism> {
        match self.model {
            Model::Tree(mechanism) => Ok(*mechanism),
            Model::Closed(_) => {
                bail!("{} closes loops, and `{command}` is for open robots; {instead}", self.description.name)
            }
        }
    }

    /// The mechanism of a robot that closes loops, for a command that takes no other.
    pub(crate) fn into_closed(self, command: &str, instead: &str) -> anyhow::Result<ClosedMechanism> {
        match self.model {
            Model::Closed(mechanism) => Ok(*mechanism),
            Model::Tree(_) => {
                bail!("{} closes no loop, and `{command}` is for robots that do; {instead}", self.description.name)
            }
        }
    }

    /// The robot as identification sees it.
    pub(crate) fn to_identify(&self) -> parameters::Robot<'_> {
        match &self.model {
            Model::Tree(tree) => tree.as_ref().into(),
            Model::Closed(closed) => closed.as_ref().into(),
        }
    }

    /// What kind of robot it is, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.model {
            Model::Tree(tree) if tree.links().iter().enumerate().all(|(j, link)| link.parent == j.checked_sub(1)) => {
                "serial"
            }
            Model::Tree(_) => "tree",
            Model::Closed(robot) if robot.legs().is_empty() => "closed",
            Model::Closed(_) => "parallel",
        }
    }
}

/// Finds a robot. A built-in name goes before a file of the same name; `./NAME` is the file.
pub(crate) fn find(robot: &Path) -> anyhow::Result<Source> {
    let name = robot.display().to_string();
    if let Some(builtin) = robot.to_str().and_then(robots::find) {
        return Ok(Source { name, text: builtin.toml.into(), format: FileFormat::Toml });
    }
    if !robot.exists() && robot.extension().is_none() {
        let known: Vec<&str> = robots::all().map(|robot| robot.name).collect();
        bail!(
            "there is no robot `{}`: file not found, and no built-in robot of this name; built-in robots are {}; give one of \
             these or the path of a robot's file",
            clip(&name),
            known.join(", ")
        );
    }
    let text = read(robot).with_context(|| name.clone())?;
    let format = FileFormat::of_robot(robot, &text).with_context(|| name.clone())?;
    Ok(Source { name, text: text.into(), format })
}

/// The text of a file, of at most the size that a description may have.
fn read(path: &Path) -> anyhow::Result<String> {
    const LARGEST: u64 = 64 << 20;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(output::unread)?;
    let size = file.take(LARGEST).read_to_end(&mut bytes).map_err(output::unread)?;
    ensure!((size as u64) < LARGEST, "it is larger than {} MiB, which no robot needs", LARGEST >> 20);
    // ROS reads a URDF in any encoding; only names and comments can suffer.
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if FileFormat::of(path) == Some(FileFormat::Urdf) => {
            output::note(format_args!("{}: warning: is not UTF-8; other letters are replaced", path.display()));
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(_) => bail!("it is not UTF-8; save it in that encoding"),
    }
}

/// Finds and reads a robot whose root link floats freely or is fixed, and makes it ready for computing; warnings about
/// it go to stderr.
pub(crate) fn load(robot: &Path, floating_base: bool) -> anyhow::Result<Robot> {
    Robot::new(&robot.display().to_string(), describe(robot, floating_base)?)
}

/// Finds and reads a robot, which may close loops; warnings about it go to stderr.
pub(crate) fn describe(robot: &Path, floating_base: bool) -> anyhow::Result<Description> {
    read_by(robot, floating_base, FileFormat::read).map(|(name, (description, warnings))| {
        warn(&name, &warnings);
        description
    })
}

/// The same with what a URDF says beyond the robot.
pub(crate) fn describe_whole(robot: &Path, floating_base: bool) -> anyhow::Result<Whole> {
    let (name, whole) = read_by(robot, floating_base, FileFormat::read_with_extras)?;
    warn(&name, &whole.warnings);
    Ok(whole)
}

/// Finds a robot and reads it; with what the user calls it.
fn read_by<T>(
    robot: &Path,
    floating_base: bool,
    read: fn(FileFormat, &str, &str, bool) -> Result<T, Problems>,
) -> anyhow::Result<(String, T)> {
    let Source { name, text, format } = find(robot)?;
    ensure!(
        !floating_base || format == FileFormat::Urdf,
        "{name} is no URDF, and only there --floating-base sets the root link free; give it six joints in its table"
    );
    let stem = robot.file_stem().unwrap_or_default().to_string_lossy();
    let read = read(format, &text, &stem, floating_base).map_err(|problems| refused(&name, &problems))?;
    Ok((name, read))
}

/// Reports the warnings of a file, each once a run, however often the file is read.
fn warn(name: &str, warnings: &Problems) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    for warning in warnings.iter().map(|warning| format!("{name}: {warning}")) {
        if !reported.contains(&warning) {
            output::note(&warning);
            reported.insert(warning);
        }
    }
}

fn refused(name: &str, problems: &Problems) -> anyhow::Error {
    anyhow!("{name} does not describe a robot\n{problems}")
}

/// A robot that closes loops, or rather does not.
fn not_closed(name: &str, error: &ClosedError) -> anyhow::Error {
    match error {
        ClosedError::Description(problems) => refused(name, problems),
        error => anyhow!("{name} {}", sentence(error)),
    }
}

/// An error of a closed robot as what follows its name: most begin with a verb, some with the part that is wrong.
fn sentence(error: &ClosedError) -> String {
    match error {
        ClosedError::Description(_)
        | ClosedError::Open
        | ClosedError::NotAssembled(_)
        | ClosedError::Immobile { .. } => error.to_string(),
        ClosedError::SingularHome { .. } | ClosedError::LockedDrive { .. } | ClosedError::Freedoms { .. } => {
            format!("cannot be computed: {error}")
        }
    }
}

/// The index of a frame by its name.
pub(crate) fn frame(robot: &Mechanism, name: &str) -> anyhow::Result<usize> {
    robot.frame(name).with_context(|| format!("no frame `{name}`; frames are {}", frame_names(robot)))
}

/// The axes of a frame by its name, `base` included.
pub(crate) fn axes(robot: &Mechanism, name: &str) -> anyhow::Result<Axes> {
    robot.axes(name).with_context(|| format!("no axes `{name}`; frames are {BASE}, {}", frame_names(robot)))
}

fn frame_names(robot: &Mechanism) -> String {
    robot.frames().iter().map(|frame| frame.name.as_str()).collect::<Vec<_>>().join(", ")
}
