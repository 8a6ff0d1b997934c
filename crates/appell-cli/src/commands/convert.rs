//! `appell convert`: a robot's file in another format or convention.

use crate::arguments::choice;
use crate::output::{self, write_file};
use crate::robot;
use anyhow::{Context, ensure};
use appell::Format;
use appell::description::Convention;
use clap::builder::TypedValueParser;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Convert a robot's file to another format or convention.
///
/// The formats are .toml, our own, .urdf, .par of SYMORO, and plain tables, .csv and .md, whose first heading names the
/// convention. The endings of the files give the format, and --to where they do not. --to also gives the convention of the
/// table: modified-dh, standard-dh or khalil-kleinfinger; without it the robot keeps its own.
///
/// The bodies and their motions stay the same. A robot that cannot be written in the format or convention, or of
/// which something would be lost, is refused with the reason, and nothing is written; with --lossy what has no place
/// is left out with a warning.
///
/// From URDF to URDF nothing is lost but comments: visuals, collisions, materials, transmissions, plugins and all else
/// that is not about dynamics stay as they are written, and links and joints keep their names. Bodies that fixed joints
/// hold together become one, on the link that a joint moves; the links stay. Other formats have no place for such
/// things.
///
/// The file that is read is not replaced unless --overwrite says so.
///
/// Exit codes: 0 converted; 1 refused; 2 wrong use, or the input does not describe a robot.
#[derive(clap::Args)]
#[command(after_help = "Example: appell convert stanford stanford.md --to modified-dh")]
pub(crate) struct Args {
    /// A built-in robot's name, or the path of a robot's file
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; - is stdout, in .toml if --to does not say otherwise
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format, the convention, or both with a comma between them
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = target_parser())]
    to: Vec<Target>,
    /// Let the root link of a URDF move freely, by joints base_x base_y base_z base_yaw base_pitch base_roll
    #[arg(long)]
    floating_base: bool,
    /// Leave out what the format has no place for, and list it
    #[arg(long)]
    lossy: bool,
    /// Let OUT replace the file that is read
    #[arg(long)]
    overwrite: bool,
}

/// What `--to` names.
#[derive(Clone, Copy)]
enum Target {
    Format(Format),
    Convention(Convention),
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let path = Some(args.output.as_path()).filter(|path| *path != Path::new("-"));
    let (format, convention) = (format(args, path)?, convention(args));
    let replaces = path.is_some_and(|path| args.input.is_file() && output::is_same(&args.input, path));
    ensure!(
        args.overwrite || !replaces,
        "{} is the file that is read; give another name, or --overwrite to replace it",
        args.output.display()
    );
    let robot = robot::read_file(&args.input, args.floating_base)?;
    ensure!(
        !matches!(format, Format::Urdf | Format::Par) || convention.is_none(),
        "a .{} file has no choice of convention; leave it out of --to, or write .toml, .csv or .md",
        format.name()
    );
    let written = format.write(&robot, convention).and_then(|(text, lost)| match args.lossy || lost.is_empty() {
        true => Ok((text, lost)),
        false => Err(format!("the format has no place for all of it; --lossy leaves it out\n{lost}")),
    });
    let (text, lost) = match written {
        Ok(written) => written,
        Err(refusal) => {
            if json {
                writeln!(stdout, "{:#}", json!({ "converted": false, "reason": refusal }))?;
            } else {
                output::note(format_args!("{}: refused: {refusal}", args.input.display()));
            }
            return Ok(false);
        }
    };
    for warning in lost.iter().filter(|_| !json) {
        output::note(format_args!("{}: {warning}", args.input.display()));
    }
    // For machines the text is in the report where it has no file.
    let reported = (json && path.is_none()).then_some(&text);
    if reported.is_none() {
        write_file(&args.output, &text, stdout)?;
    }
    if json {
        let report = json!({ "converted": true, "warnings": super::check::as_json(&lost), "text": reported });
        writeln!(stdout, "{report:#}")?;
    }
    Ok(true)
}

/// The format: the one asked for, else that of the file's ending.
fn format(args: &Args, path: Option<&Path>) -> anyhow::Result<Format> {
    let asked = args.to.iter().rev().find_map(|target| match target {
        Target::Format(format) => Some(*format),
        Target::Convention(_) => None,
    });
    match (asked, path) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(Format::Toml),
        (None, Some(path)) => Format::of(path).filter(|format| Format::WRITTEN.contains(format)).with_context(|| {
            let known = Format::WRITTEN.map(Format::name).join(", ");
            format!(
                "the ending of {} is not a known format; end it in one of {known}, or name one by --to",
                path.display()
            )
        }),
    }
}

fn convention(args: &Args) -> Option<Convention> {
    args.to.iter().rev().find_map(|target| match target {
        Target::Convention(convention) => Some(*convention),
        Target::Format(_) => None,
    })
}

/// Reads a format or a convention by its name.
fn target_parser() -> impl TypedValueParser<Value = Target> {
    let formats = Format::WRITTEN.map(|format| (format.name(), Target::Format(format)));
    let conventions = Convention::ALL.map(|convention| (convention.name(), Target::Convention(convention)));
    choice(formats.into_iter().chain(conventions))
}
