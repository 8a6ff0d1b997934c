//! `appell law`: a control law of one's own to begin with.

use crate::arguments::choice;
use crate::output;
use crate::robot;
use anyhow::{Context, bail, ensure};
use appell::closed::{ClosedMechanism, FromTwist, assembly};
use appell::description::JointKind;
use appell::question::Question;
use appell::robots;
use appell::spatial::{Quaternion, Vec3, turned};
use appell::{Model, Robot};
use appell_codegen::emit::{self, function_name};
use appell_codegen::{Options, generate};
use appell_law::template::{self, Language, Space};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a control law of your own to begin with: source, build line, and a scenario that runs it.
///
/// A law is a shared library that a scenario names: law = { library = "law.so", parameters = { kp = 400.0 } }. In C it
/// includes appell_law.h; in Rust it implements a trait of a file that comes with it; neither needs anything of appell to
/// be built. The law holds each drive by a spring and a damper; with --robot it is computed torque with generated inverse
/// dynamics of that robot, of its platform where it has one, and needs the C library's mathematics alone, so that it also
/// runs on a microcontroller.
///
/// A law that crashes, returns a status, or writes an effort that is not finite is stopped and named. docs/laws.md has
/// the border function by function.
#[derive(clap::Args)]
#[command(
    after_help = "Example: appell law --template c --robot puma560 --out law && cd law && make && appell simulate trial.toml"
)]
pub(crate) struct Args {
    /// The language
    #[arg(long, value_name = "L", value_parser = choice(Language::ALL.map(|language| (language.name(), language))))]
    template: Language,
    /// A built-in robot's name, or the path of a robot's file: the law is computed torque with its model
    #[arg(long)]
    robot: Option<PathBuf>,
    /// The folder to write to, made where it is missing; a law that is there already stays
    #[arg(long, value_name = "DIR", default_value = "law")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let language = args.template;
    let own = args.out.join(template::own_file(language));
    ensure!(!own.exists(), "{} is there already; give another --out, or remove it", own.display());
    let (model, mut files, trial) = match &args.robot {
        None => (None, Vec::new(), trial(language, "scara", PLAIN_MOTION, PLAIN_GAINS)),
        Some(path) => {
            let robot = robot::load(path, false)?.coupled()?;
            let (model, files) = modelled(&robot, language)?;
            let motion = motion(&robot)?;
            (Some(model), files, trial(language, &seen_from(path)?, &motion, MODEL_GAINS))
        }
    };
    let texts = language.files(model.as_ref()).into_iter().map(|file| (file.name.into(), file.text));
    files.extend(texts);
    files.push(("trial.toml".into(), trial));
    let mut written = Vec::new();
    for (name, text) in &files {
        let path = args.out.join(name);
        let folder = path.parent().unwrap_or(&args.out);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        output::write_file(&path, text, out)?;
        written.push(path.display().to_string());
    }
    let lines = [language.build(), "appell simulate trial.toml"];
    if json {
        let (law, [build, run]) = (own.display().to_string(), lines);
        writeln!(out, "{:#}", json!({ "law": law, "files": written, "build": build, "run": run }))?;
        return Ok(true);
    }
    written.iter().try_for_each(|path| writeln!(out, "{path}"))?;
    writeln!(out, "build and run it:\n  cd {}\n  {}\n  {}", args.out.display(), lines[0], lines[1])?;
    Ok(true)
}

/// Generated inverse dynamics, as the law needs it, and its files.
fn modelled(robot: &Robot, language: Language) -> anyhow::Result<(template::Model, Vec<(PathBuf, String)>)> {
    let space = match robot.model() {
        Model::Tree(_) => Space::Joints,
        Model::Closed(closed) if closed.platform().is_none() => {
            bail!("{} has no platform; leave out --robot, and write a law of its drives", robot.name())
        }
        Model::Closed(closed) if FromTwist::is_needed(closed) => bail!(
            "the independent velocities of {} are not its platform's; leave out --robot, and write a law of its drives",
            robot.name()
        ),
        Model::Closed(_) => Space::Platform,
    };
    let kernel = generate(robot, Question::InverseDynamics, &Options::default())?;
    let drives = robot.drives().len();
    let lengths: Vec<usize> = kernel.arguments.iter().map(|argument| argument.entries.len()).collect();
    ensure!(
        space == Space::Joints || lengths == [7, 6, 6],
        "legs of {} have no closed forms, so that its model also reads all joints; leave out --robot, and write a law of its \
         drives",
        robot.name()
    );
    ensure!(
        kernel.answer.entries.len() == drives && (space == Space::Platform || lengths[0] == drives),
        "{} has joints that are quaternions, which laws of joints cannot drive; leave out --robot",
        robot.name()
    );
    let code = match language {
        Language::C => emit::Language::C,
        Language::Rust => emit::Language::Rust,
    };
    let files = code.write(&kernel)?.into_iter();
    let files = files.map(|file| (Path::new(language.sources()).join(file.name), file.text)).collect();
    let (function, has_exponentials) = (function_name(&kernel), kernel.program.has_exponentials());
    let model = template::Model { robot: robot.name().into(), function, drives, space, has_exponentials };
    Ok((model, files))
}

/// How the scenario calls a robot: its built-in name, or its file from wherever the scenario lies.
fn seen_from(path: &Path) -> anyhow::Result<String> {
    let is_builtin = path.to_str().is_some_and(|name| robots::find(name).is_some());
    let path = if is_builtin { path.to_owned() } else { fs::canonicalize(path)? };
    Ok(path.display().to_string())
}

const PLAIN_MOTION: &str = "kind = \"joints\"\nto = [1.0, 0.5, 0.1, 0.2]\ntime = 0.8\n";
const PLAIN_GAINS: &str = "kp = [400.0, 200.0, 5000.0, 0.2], kd = [40.0, 20.0, 200.0, 0.01]";
const MODEL_GAINS: &str = "kp = 225.0, kd = 30.0";

fn trial(language: Language, robot: &str, motion: &str, gains: &str) -> String {
    format!(
        "# Runs the law of this folder: appell simulate trial.toml; `appell simulate --example` explains the keys.\n\n\
         name = \"a law of one's own\"\nrobot = {robot:?}\nduration = 1.0\n\n[reference]\n{motion}\n[controller]\n\
         law = {{ library = {library:?}, parameters = {{ {gains} }} }}\n\n\
         [loop] # without it the law acts in continuous time, and must not remember\nperiod = 1e-3\n\n\
         [run]\nrecord = 0.01\n",
        library = language.library(),
    )
}

/// A short motion from where the robot is at first.
fn motion(robot: &Robot) -> anyhow::Result<String> {
    let Model::Closed(closed) = robot.model() else { return Ok(joint_motion(robot)) };
    for size in [1.0, -1.0, 0.3, -0.3, 0.1, -0.1, 0.02, -0.02] {
        if let Some(motion) = platform_motion(closed, size) {
            return Ok(motion);
        }
    }
    bail!(
        "no short line from home was found that the platform of {} can follow; leave out --robot, and write a law of its drives",
        robot.name()
    )
}

/// A third of a radian or 5 cm, from zero or the nearest limit.
fn joint_motion(robot: &Robot) -> String {
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for joint in robot.drives() {
        let (lower, upper) = (joint.limits.lower, joint.limits.upper);
        let way = match joint.kind {
            JointKind::Revolute => 0.3,
            JointKind::Prismatic => 0.05,
        };
        let way = if upper - lower < 4.0 * way { 0.25 * (upper - lower) } else { way };
        let start = 0.0_f64.clamp(lower + 0.1 * way, (upper - 0.1 * way).max(lower + 0.1 * way));
        from.push(start);
        to.push(if start + way <= upper { start + way } else { start - way });
    }
    format!("kind = \"joints\"\nfrom = {from:?}\nto = {to:?}\ntime = 0.8\n")
}

/// A line of the platform along all its degrees of freedom, if it can be there.
fn platform_motion(robot: &ClosedMechanism, size: f64) -> Option<String> {
    let home = robot.home().pose;
    let far = home.position.norm();
    let (step, dof) = (if far > 0.0 { 0.05 * far } else { 0.02 }, robot.tree().dof());
    let component = |k: usize, by: f64| if robot.freedoms().contains(&(dof + k)) { size * by } else { 0.0 };
    let way = Vec3::new(component(0, step), component(1, step), component(2, step));
    let turn = Vec3::new(component(3, 0.1), component(4, 0.1), component(5, 0.1));
    let mut there = robot.home().clone();
    (there.pose.position, there.pose.rotation) = (home.position + way, turned(&home.rotation, turn));
    assembly::near_pose(robot, &mut assembly::Workspace::new(robot), &mut there).ok()?;
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&there.pose.rotation);
    let mut text = String::from("kind = \"line\"\n");
    let [px, py, pz] = there.pose.position.to_array();
    writeln!(text, "to = {:?}\ntime = 0.8", [px, py, pz, x, y, z, w]).ok()?;
    Some(text)
}
