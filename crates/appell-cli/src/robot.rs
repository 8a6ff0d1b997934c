//! The argument ROBOT: the name of a built-in robot or the path of a file.

use crate::output;
use anyhow::{Context, anyhow, bail, ensure};
use appell::closed::{ClosedError, ClosedMechanism};
use appell::description::{BASE, Description, Problems, mjcf};
use appell::mechanism::{Axes, Mechanism};
use appell::question::{Question, Target};
use appell::{Format, Joint, Robot, RobotError, RobotFile, robots};
use appell_drawing::listing::clip;
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
    /// Let the root link of a URDF or SDF file move freely, by a free joint root_joint with a quaternion
    #[arg(long)]
    pub(crate) floating_base: bool,
    /// The frame that is asked for. Of a robot with closed loops its output: a named frame, a joint's body, or platform,
    /// instead of the one its file names; of others the one of a Jacobian, of ik and trajectory; the last if not given
    #[arg(long)]
    pub(crate) frame: Option<String>,
}

impl Choice {
    /// Finds and reads the robot; warnings about it go to stderr. `--frame` is the output of one with closed loops, and
    /// says nothing about another.
    pub(crate) fn load(&self) -> anyhow::Result<Robot> {
        let robot = self.load_with_frame()?;
        ensure!(
            self.frame.is_none() || robot.closed().is_some(),
            "{} has no closed loops, and --frame is the output of robots that have; leave it out",
            robot.name()
        );
        Ok(robot)
    }

    /// The same for a command that is about one frame of an open robot: see [`frame_of_open`](Self::frame_of_open).
    pub(crate) fn load_with_frame(&self) -> anyhow::Result<Robot> {
        with_output(&self.robot, load(&self.robot, self.floating_base)?, self.frame.as_deref())
    }

    /// The frame of an open robot that is asked for: of one with closed loops it is the output already.
    pub(crate) fn frame_of_open(&self, robot: &Robot) -> Option<&str> {
        self.frame.as_deref().filter(|_| robot.closed().is_none())
    }

    /// As [`load`](Self::load), for a command that takes no robot whose positions are not one number per joint.
    pub(crate) fn load_by_joints(&self, command: &str) -> anyhow::Result<Robot> {
        by_joints(self.load()?, command)
    }

    /// The same, for a command that moves every joint by itself.
    pub(crate) fn load_without_followers(&self, command: &str) -> anyhow::Result<Robot> {
        let robot = self.load_by_joints(command)?;
        expect_no_followers(&robot, &robot, command)?;
        Ok(robot)
    }
}

/// Refuses an open robot with joints that follow others and are among those that move.
pub(crate) fn expect_no_followers(robot: &Robot, moving: &Robot, command: &str) -> anyhow::Result<()> {
    let tree = robot.tree();
    let follows = |drive: &Joint<'_>| robot.closed().is_none() && tree.followers()[drive.index].is_some();
    if let Some(joint) = moving.drives().into_iter().find(follows).map(|drive| drive.name) {
        bail!(
            "{}: joint `{joint}` follows another, and `{command}` moves every joint by itself; leave out its mimic, or the joint, in a \
             copy of the file, or see `appell simulate`, where it follows",
            robot.name()
        );
    }
    Ok(())
}

/// The text of a robot, and what the user calls it.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: Cow<'static, str>,
    pub(crate) format: Format,
}

impl Source {
    /// Refuses a floating root where a file says itself what floats.
    pub(crate) fn expect_root(&self, floating_base: bool) -> anyhow::Result<()> {
        ensure!(
            !floating_base || matches!(self.format, Format::Urdf | Format::Sdf),
            "{} is not a URDF or SDF file, and only there --floating-base sets the root link free; give it a free joint in the file",
            self.name
        );
        Ok(())
    }
}

/// The mechanism of an open robot, for a command that takes no other.
pub(crate) fn open<'r>(robot: &'r Robot, command: &str, instead: &str) -> anyhow::Result<&'r Mechanism> {
    let name = robot.name();
    ensure!(robot.closed().is_none(), "{name} has closed loops; `{command}` is for open robots; {instead}");
    Ok(robot.tree())
}

/// The mechanism of a robot with closed loops, for a command that takes no other.
pub(crate) fn closed<'r>(robot: &'r Robot, command: &str, instead: &str) -> anyhow::Result<&'r ClosedMechanism> {
    let name = robot.name();
    robot
        .closed()
        .with_context(|| format!("{name} has no closed loops; `{command}` needs a robot with them; {instead}"))
}

/// The robot, if its positions are one number per joint.
pub(crate) fn by_joints(robot: Robot, command: &str) -> anyhow::Result<Robot> {
    ensure!(
        robot.closed().is_some() || robot.tree().coordinates().is_none(),
        "{} has quaternions, screws or transmissions; `{command}` is for robots whose joints are one number each, that turn \
         or slide, and have a motor each",
        robot.name()
    );
    Ok(robot)
}

/// What its file says, with its output as its platform.
pub(crate) fn description(robot: &Robot) -> &Description {
    robot.description().expect("every robot of the command line is read from a file")
}

/// A robot with closed loops whose output is the frame of a name, if there is one; an open robot as it is.
pub(crate) fn with_output(path: &Path, robot: Robot, frame: Option<&str>) -> anyhow::Result<Robot> {
    match frame {
        Some(frame) if robot.closed().is_some() => {
            robot.with_output(frame).map_err(|error| match error {
                // Only the output is new, and can be wrong.
                RobotError::Description(problems) => {
                    let found: Vec<String> = problems.iter().map(|problem| problem.finding.to_string()).collect();
                    anyhow!("{frame} cannot be the output: {}", found.join("; "))
                }
                error => explained(&path.display().to_string(), error),
            })
        }
        _ => Ok(robot),
    }
}

/// Finds a robot. A built-in name goes before a file of the same name; `./NAME` is the file.
pub(crate) fn find(robot: &Path) -> anyhow::Result<Source> {
    let name = robot.display().to_string();
    if let Some(builtin) = robot.to_str().and_then(robots::find) {
        return Ok(Source { name, text: builtin.toml.into(), format: Format::Toml });
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
    let format = Format::of_robot(robot, &text).with_context(|| name.clone())?;
    let text = if format == Format::Mjcf {
        let folder = robot.parent().unwrap_or(Path::new(""));
        mjcf::with_includes(&text, |file| read(&folder.join(file))).with_context(|| name.clone())?
    } else {
        text
    };
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
        Err(error) if Format::of(path) == Some(Format::Urdf) => {
            output::note(format_args!("{}: warning: is not UTF-8; other letters are replaced", path.display()));
            Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(_) => bail!("it is not UTF-8; save it in that encoding"),
    }
}

/// Finds and reads a robot whose root link floats freely or is fixed, and makes it ready for computing; warnings about
/// it go to stderr.
pub(crate) fn load(robot: &Path, floating_base: bool) -> anyhow::Result<Robot> {
    made(&robot.display().to_string(), read_file(robot, floating_base)?)
}

/// What a file gives; `name` is what the user calls it.
pub(crate) fn made(name: &str, file: RobotFile) -> anyhow::Result<Robot> {
    Robot::try_from(file).map_err(|error| explained(name, error))
}

/// Why there is no robot; `name` is what the user calls it.
fn explained(name: &str, error: RobotError) -> anyhow::Error {
    match error {
        RobotError::Description(problems) => refused(name, &problems),
        RobotError::Closed(error) => anyhow!("{name} {}", sentence(&error)),
        RobotError::Unknown { .. } | RobotError::NoDescription => error.into(),
    }
}

/// Finds a robot and reads all that its file says; warnings about it go to stderr.
pub(crate) fn read_file(robot: &Path, floating_base: bool) -> anyhow::Result<RobotFile> {
    let source = find(robot)?;
    source.expect_root(floating_base)?;
    let Source { name, text, format } = source;
    let stem = robot.file_stem().unwrap_or_default().to_string_lossy();
    let file = format.read(&text, &stem, floating_base).map_err(|problems| refused(&name, &problems))?;
    warn(&name, &file.warnings);
    Ok(file)
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

/// An error of a closed robot as what follows its name: most begin with a verb, some with the part that is wrong.
fn sentence(error: &ClosedError) -> String {
    match error {
        ClosedError::Description(_)
        | ClosedError::Open
        | ClosedError::NotAssembled(_)
        | ClosedError::Coupled { .. }
        | ClosedError::Immobile { .. } => error.to_string(),
        ClosedError::SingularHome { .. }
        | ClosedError::LockedDrive { .. }
        | ClosedError::StillOutput { .. }
        | ClosedError::Freedoms { .. } => {
            format!("cannot be computed: {error}")
        }
    }
}

/// A frame by its name; the last one if none is named.
pub(crate) fn frame(robot: &Mechanism, name: Option<&str>) -> anyhow::Result<usize> {
    let Some(name) = name else { return Ok(robot.last_frame()) };
    robot.frame(name).with_context(|| format!("no frame `{name}`; frames are {}", frame_names(robot)))
}

/// What a question of an open robot is about, by the names of a frame and of one for the axes, which may be `base`.
pub(crate) fn target(
    robot: &Robot,
    question: Question,
    name: Option<&str>,
    axes: Option<&str>,
) -> anyhow::Result<Target> {
    if name.is_none() && axes.is_none() {
        return Ok(Target::default());
    }
    let tree = robot.tree();
    ensure!(
        question.is_about_one_frame() && robot.closed().is_none(),
        "{} of {} is not about one frame; leave out --frame and --axes, or ask for jacobian, jacobian-rate or \
         singularity of an open robot",
        question.name(),
        robot.name()
    );
    let of =
        |name| tree.axes(name).with_context(|| format!("no axes `{name}`; frames are {BASE}, {}", frame_names(tree)));
    let frame = name.map(|_| frame(tree, name)).transpose()?;
    Ok(Target { frame, axes: axes.map_or(Ok(Axes::Base), of)? })
}

fn frame_names(robot: &Mechanism) -> String {
    robot.shown_frames().map(|frame| frame.name.as_str()).collect::<Vec<_>>().join(", ")
}
