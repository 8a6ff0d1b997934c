//! `appell excite`: a motion that lets a robot's parameters be told apart.
//!
//! | file | what it holds |
//! |---|---|
//! | `options` | limits, form and unknowns, from the arguments to the library's options |
//! | `report` | what is reported of the motion: text, JSON |

mod options;
mod report;

use super::trajectory::{Moved, OutputArgs, TableArgs};
use crate::interrupt;
use crate::output;
use crate::progress::{Progress, Work};
use crate::refusal;
use crate::robot;
use crate::table::Answers;
use anyhow::anyhow;
use appell::Robot;
use appell_identification::excitation::{self, ExcitationError, Excited, Options, random, search};
use appell_simulation::trajectory::JointReference;
use options::ExciteOptions;
use report::Report;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Find a motion that excites a robot, for its identification: one that tells its parameters apart, within its limits.
///
/// The motion is a Fourier series that begins and ends at rest, or with --points a spline at rest at both ends. Its
/// coefficients make the condition number of the observation matrix small, or what else --criterion names; the matrix
/// is that of the base parameters of all bodies, and of what --effects adds, as in `appell identify`. Starts are
/// random, by --seed, and improved by exact gradients; the best are pushed and improved again, --hops times for each
/// start. The same seed gives the same motion.
///
/// Limits of position, velocity and effort are those of the robot's file; options override them, one number for all
/// drives or one each. Accelerations have only the option. A turning joint of an open robot without limits may go to
/// ±π. Torques and forces are those of the file's parameters: with a wrong payload, leave room. Of a parallel robot the
/// drives move, near its home.
///
/// Writes the table that `appell trajectory` would, t q1 … v1 … a1 …, and with --torques the torques and forces tau1 …;
/// --coefficients keeps what the motion is made of: sin1 cos1 … per harmonic, or t q1 … per point, as `appell
/// trajectory fourier` and `joints` read them.
///
/// Ctrl-C ends the search with what it has found. Exit codes: 0 fine; 1 no motion keeps the limits, and the message
/// names one; 2 wrong use or input.
#[derive(clap::Args)]
#[command(
    after_help = "Example: appell excite puma560 --velocity 1.5 --acceleration 4 --out motion.csv --plot motion.svg
Example: appell excite puma560 --velocity 1.5 --effects viscous,coulomb --criterion determinant --compare 1000 --out motion.csv
Example: appell excite gough-stewart --lower 0.7 --upper 0.9 --velocity 0.5 --frequency 0.5 --harmonics 3 --starts 2 --out legs.csv"
)]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    #[command(flatten)]
    options: ExciteOptions,
    /// Report how much better the motion is than the best of this many random ones within the same limits, in the
    /// measure of --criterion
    #[arg(long, value_name = "N")]
    compare: Option<usize>,
    /// Keep the coefficients of the series, or the points of the spline
    #[arg(long, value_name = "OUT.csv")]
    coefficients: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load_by_joints("excite")?;
    let observed = args.options.observed(&robot)?;
    robot::expect_no_followers(&robot, &observed, "excite")?;
    let robot = observed;
    let options = args.options.of(&robot)?;
    let mut outputs = vec![("--out", args.table.out.as_deref().unwrap_or(Path::new("-")))];
    outputs.extend(args.coefficients.iter().map(|path| ("--coefficients", path.as_path())));
    outputs.extend(args.table.plot.iter().map(|path| ("--plot", path.as_path())));
    output::expect_apart(&outputs, &[&args.robot.robot])?;
    interrupt::ask_first();
    interrupt::listen();
    let begin = Instant::now();
    let found = match searched(&robot, &options) {
        Ok(found) => found,
        Err(error) => return refused(&robot, error),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let compared = match args.compare.filter(|_| !found.stopped) {
        Some(count) => match random(&robot, &options, count, &go_on) {
            Err(ExcitationError::Stopped) => None,
            drawn => Some((count, drawn.map_err(|error| anyhow!("{error}"))?)),
        },
        None => None,
    };
    let written = OutputArgs { table: args.table.clone(), limits: false, max_acceleration: Vec::new() };
    let fits = output::together(|| {
        if let Some(path) = &args.coefficients {
            write_coefficients(path, &found.motion, &mut *stdout)?;
        }
        Moved::new(&robot, None)?.follow(&found.motion, &written, "exciting motion", json, stdout)
    })?;
    let report = Report { robot: &robot, options: &options, found: &found, compared: compared.as_ref(), seconds };
    // The report goes where the table does not.
    let mut stderr = io::stderr();
    report.write(json, if args.table.out.is_some() { stdout } else { &mut stderr })?;
    Ok(fits)
}

/// Searches, with progress, until Ctrl-C.
fn searched(robot: &Robot, options: &Options) -> Result<excitation::Excitation, ExcitationError> {
    let most = options.most_steps();
    let progress = Mutex::new((Progress::start(Work::Steps(most as u64), false), 0));
    search(robot, options, &|_| {
        if let Ok(mut progress) = progress.lock() {
            progress.1 += 1;
            let done = progress.1;
            progress.0.reach(done);
        }
        go_on()
    })
}

/// Until Ctrl-C.
fn go_on() -> ControlFlow<()> {
    if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// That no motion keeps the limits is an answer; wrong limits are not.
fn refused(robot: &Robot, error: ExcitationError) -> anyhow::Result<bool> {
    match error {
        ExcitationError::Heavy { .. }
        | ExcitationError::NotFound { .. }
        | ExcitationError::NotExciting { .. }
        | ExcitationError::Assembly(_)
        | ExcitationError::Singular(_) => {
            refusal::no(format_args!("{}: {error}", robot.name()));
            Ok(false)
        }
        // The error's text has its cause in it already.
        error => Err(anyhow!("{error}").context(robot.name().to_owned())),
    }
}

/// Writes coefficients, a row per harmonic, or points, a row each.
fn write_coefficients(path: &Path, motion: &Excited, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let joints = motion.joints();
    let (columns, rows, what): (Vec<String>, Vec<Vec<f64>>, _) = match motion {
        Excited::Fourier(series) => {
            let row = |k: usize| series.terms().iter().flat_map(|terms| terms[k]).collect();
            let harmonics = series.terms().first().map_or(0, Vec::len);
            let columns = (1..=joints).flat_map(|j| [format!("sin{j}"), format!("cos{j}")]);
            (columns.collect(), (0..harmonics).map(row).collect(), "harmonics")
        }
        Excited::Spline(spline) => {
            let mut spline = spline.clone();
            let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; joints]);
            let mut rows = Vec::new();
            for t in spline.times().to_vec() {
                spline.at(t, &mut q, &mut v, &mut a)?;
                rows.push([&[t], q.as_slice()].concat());
            }
            let columns = (1..=joints).map(|j| format!("q{j}"));
            (std::iter::once("t".into()).chain(columns).collect(), rows, "points")
        }
    };
    let mut answers = Answers::start(Some(path), stdout, false, &columns, Work::States(rows.len() as u64))?;
    rows.iter().try_for_each(|row| answers.write(row.iter().copied()))?;
    answers.finish(format_args!("{} {what}", rows.len()))
}
