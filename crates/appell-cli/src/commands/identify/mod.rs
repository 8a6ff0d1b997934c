//! `appell identify`: from what a controller recorded to a robot's parameters, with a report that says how far to trust
//! them.
//!
//! The mathematics is [`appell_identification::identify`]; here are words, files and pictures.
//!
//! | file | what it holds |
//! |---|---|
//! | `arguments` | what is to be identified, and what is known |
//! | `tables` | a recorder's files |
//! | `names`, `numbers` | what recordings are called; how numbers are written |
//! | `plots`, `report`, `web_page`, `answer` | what is reported: pictures; text and tables; a page; JSON |
//! | `folder` | where all this is written, and what is not replaced there |
//! | `today` | the date |

mod answer;
pub(crate) mod arguments;
mod folder;
mod names;
mod numbers;
mod plots;
mod report;
mod tables;
mod today;
mod web_page;

use crate::arguments::{not_negative, number_that, positive};
use crate::hints;
use crate::robot;
use crate::trial;
use anyhow::ensure;
use appell::Robot;
use appell_identification::data::{CutOff, Layout, Payload};
use appell_identification::estimate::Method;
use appell_identification::identify::{Estimator, Instruments, Loaded, Loop, Options, Recordings, Table, identify};
use appell_identification::parameters::Effect;
use arguments::{UnknownArgs, methods};
use plots::Album;
use report::Report;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Identify a robot's parameters from recorded motions and torques or currents, and report how far to trust them.
///
/// ROBOT gives the geometry, and a first idea of masses, inertias and friction: what the data do not decide stays near
/// it. Its loops may be closed; then the driven joints are measured. Files of --data are tables with a header. Without
/// --layout their columns are t, q1 …, tau1 … in s, rad or m, N m or N, as `appell simulate`, `appell run` and `appell
/// trajectory --torques` write them; v1 … is compared with the positions. In a record with measured1 …, of a computer
/// with its encoders, those are the positions. A layout says what other columns are: names, units,
/// motors behind gears, currents.
///
/// Time stamps may be uneven, doubled or missing, and channels out of step, with empty cells where they have no sample:
/// samples are put on an even grid, and the report says how. Positions
/// are low-passed without delay, at ten times the frequency of the motion where --cut-off says nothing, or above that
/// where starts and stops are faster, and differentiated; equations are low-passed and thinned; base parameters, which are all that motion can show, are
/// estimated with their uncertainty; then a physically consistent robot is found, of bodies with positive density and
/// friction that brakes, and written as a robot's file.
///
/// Writes into DIR: report.html, a page that needs no other file; robot.toml, and robot.urdf of an open robot, with
/// data, hashes, settings, method, date and residuals in their heads; parameters.csv; correlation.csv; efforts.csv,
/// measured and predicted by the estimate and by robot.toml; plots as SVG and PNG. robot.toml has friction of all shapes,
/// and motors that several joints turn as a transmission. The robot in the URDF is fitted once more, without rotors,
/// offsets, transmissions and other friction than viscous and Coulomb. Bad data are named, and then nothing is written.
///
/// Exit codes: 0 fine; 1 there are parameters but no robot: none that is physically consistent, or one that would
/// mislead, as with a residual of more than half of the torques, and the first warning says why; 2 wrong use or input,
/// or no robot where the folder holds one of an earlier run, which stays.
#[derive(clap::Args)]
#[command(after_help = "Example: appell identify puma560 --data run1.csv run2.csv --validate run3.csv
Example: appell identify arm.toml --data log.csv --layout log.toml --effects viscous,coulomb,rotor
Example: appell identify arm.urdf --data log.csv --lock finger=0.02
Example: appell identify arm.toml --data unloaded.csv --loaded loaded.csv --payload payload.toml --effects viscous,coulomb,gain

A layout, of which only [time], [position] and [effort] must be there:
  columns = [\"ms\", \"m1\", \"m2\", \"w1\", \"w2\", \"i1\", \"i2\"]     # of a table without a header
  time = { column = \"ms\", unit = \"ms\" }         # or rate = 1000, in Hz; both: rows are put on that rate
  # rad, deg, turn, m, mm; one for all or one each; or counts = 4096 (a turn, or a metre)
  position = { columns = [\"m1\", \"m2\"], unit = \"rad\", side = \"motor\" }
  velocity = { columns = [\"w1\", \"w2\"], unit = \"rpm\", side = \"motor\" }     # only looked at
  # or N m, mN m, N, kN; kgf m, kgf cm, lbf ft, lbf in, ozf in; kgf, lbf
  effort = { columns = [\"i1\", \"i2\"], unit = \"A\", constant = [0.2, 0.1], side = \"motor\", limit = 30 }
  # and time = \"ms2\", their own column of time (of any section); delay = 0.002, s, by which they were recorded later than positions
  gear = { matrix = [[32, 0], [32, 45]] }       # motor = R q; or ratio = [32, 45]
  joint = { sign = [1, -1], offset = [0, \"-90 deg\"] }
  filter = { cut_off = 100, order = 4, decimation = 20, border = 0.1 }        # or cut_off = \"none\"
  accept = { constant = [\"m2\"], unit = [\"m1\"] }     # columns you know better about")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// Recordings, each a table
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "loaded")]
    data: Vec<PathBuf>,
    /// Recordings with the payload of --payload, fitted together with those of --data
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "payload")]
    loaded: Vec<PathBuf>,
    /// What the robot carried in --loaded beside its own bodies: on = "tool", mass, com, inertia. It gives the scale to
    /// --effects gain
    #[arg(long, value_name = "FILE.toml", requires = "loaded")]
    payload: Option<PathBuf>,
    /// What the columns of the recordings are
    #[arg(long, value_name = "FILE.toml")]
    layout: Option<PathBuf>,
    /// Recordings that are not fitted but predicted
    #[arg(long, value_name = "FILE", num_args = 1..)]
    validate: Vec<PathBuf>,
    /// Without --validate: cut the data into this many parts, at least 2, each predicted by the others; 0 for none
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = folds, conflicts_with = "validate")]
    folds: u32,
    /// How parameters are estimated
    #[arg(long, value_parser = methods(), default_value = "weighted")]
    method: Method,
    /// Let equations count by their joints' noise in all methods
    #[arg(long)]
    weigh: bool,
    /// Of --method svd: which singular values are left out, over the largest; below 1; 0.001 if not given
    #[arg(long, value_name = "PART", value_parser = part)]
    tolerance: Option<f64>,
    /// Of --method instruments: one table per recording, with the motion that was wanted or simulated, at the same
    /// instants; torques and forces are not needed
    #[arg(long, value_name = "FILE", num_args = 1..)]
    instruments: Vec<PathBuf>,
    /// Of --method instruments, in place of --instruments: one scenario per recording, as `appell simulate` takes it,
    /// of the loop that it was made in. The robot that was found moves in it, its motion is the next instrument, and so
    /// on until the parameters stay (IDIM-IV). The robot that the scenario names does not matter, but [plant] and
    /// [model] change the one that was found
    #[arg(long, value_name = "FILE.toml", num_args = 1.., conflicts_with = "instruments")]
    scenario: Vec<PathBuf>,
    #[command(flatten)]
    unknowns: UnknownArgs,
    /// Cut-off of the low-pass on the positions, Hz, or none; if neither this nor the layout says it, ten times the
    /// frequency of the motion, or above that where starts and stops are faster
    #[arg(long, value_name = "HZ|none", allow_hyphen_values = true, value_parser = cut_off)]
    cut_off: Option<CutOff>,
    /// Keep one equation of so many; if neither this nor the layout says it, two per period of the cut-off
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    decimate: Option<u32>,
    /// Cut off at both ends of a recording, s; what the filters need to settle if not given
    #[arg(long, value_name = "S", value_parser = not_negative)]
    border: Option<f64>,
    /// How much the robot's file counts where the data do not decide: 1, as known to its own size; more for a better
    /// one; from 1e-6 to 1e6. If not given 1, and less where the data are far from it
    #[arg(long, value_name = "X", value_parser = trust)]
    trust: Option<f64>,
    /// Leave out parameters as long as the weighted residual grows by no more than this part, and report which matter
    #[arg(long, value_name = "PART", value_parser = not_negative)]
    essential: Option<f64>,
    /// The folder for report and robot
    #[arg(long, value_name = "DIR", default_value = "identified")]
    out: PathBuf,
}

/// Singular values below this part of the largest are left out.
const TOLERANCE: f64 = 1e-3;

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    ensure!(!args.out.exists() || args.out.is_dir(), "{} is not a folder; give another --out", args.out.display());
    ensure!(
        (args.method == Method::Instruments) != (args.instruments.is_empty() && args.scenario.is_empty()),
        "--method instruments goes together with --instruments, or --scenario"
    );
    let is_svd = matches!(args.method, Method::Svd { .. });
    ensure!(args.tolerance.is_none() || is_svd, "--tolerance is that of --method svd, and this is another");
    let asked = args.unknowns.asked()?;
    ensure!(
        args.method != Method::Instruments || !asked.effects.contains(&Effect::DriveGain),
        "instruments have no torques or forces that could show a gain: --effects gain goes with the other methods"
    );
    ensure!(
        !args.weigh || !matches!(args.method, Method::Weighted | Method::Consistent),
        "--weigh is for the other methods: this one lets joints count by their noise already"
    );
    let robot = robot::by_joints(args.robot.load()?.without_motors(), "identify")?;
    let observed = args.unknowns.observed(&robot)?;
    let (data, validate) = (tables::open(&args.data)?, tables::open(&args.validate)?);
    let (loaded, payload) = (tables::open(&args.loaded)?, args.payload.as_deref().map(tables::payload).transpose()?);
    let mut options = match &args.layout {
        Some(path) => Options::new(tables::layout(path)?),
        None => {
            let header = data.iter().chain(&loaded).next().map_or(Ok(Vec::new()), tables::File::header)?;
            let header: Vec<&str> = header.iter().map(String::as_str).collect();
            Options::new(Layout::usual_of_moving(&robot, &observed, &header))
        }
    };
    let filter = &mut options.layout.filter;
    filter.cut_off = args.cut_off.unwrap_or(filter.cut_off);
    filter.decimation = args.decimate.map(|decimate| decimate as usize).or(filter.decimation);
    filter.border = args.border.or(filter.border);
    let tolerance = args.tolerance.unwrap_or(TOLERANCE);
    options.layout_source = args.layout.as_deref().map(tables::source).transpose()?;
    options.asked = asked;
    options.estimator = Estimator {
        method: if is_svd { Method::Svd { tolerance } } else { args.method },
        weighs: args.weigh,
        trust: args.trust,
    };
    (options.folds, options.essential, options.date) = (args.folds as usize, args.essential, today::today());
    let layout = &options.layout;
    let tables = |files: Vec<tables::File>| {
        files.into_iter().map(|file| file.table(layout)).collect::<anyhow::Result<Vec<Table>>>()
    };
    let with_payload = |(table, payload): (Table, Payload)| Loaded { table, payload };
    let recordings = Recordings {
        data: tables(data)?,
        loaded: tables(loaded)?.into_iter().zip(payload.into_iter().cycle()).map(with_payload).collect(),
        validate: tables(validate)?,
        instruments: instruments(args, &robot, layout)?,
    };
    let found = identify(&robot, &recordings, &options).map_err(hints::told)?;
    let robot = &found.observed;
    let plots = Album { robot, found: &found }.plots()?;
    let read = args
        .data
        .iter()
        .chain(&args.loaded)
        .chain(&args.payload)
        .chain(&args.validate)
        .chain(&args.instruments)
        .chain(&args.scenario)
        .chain(&args.layout);
    let report = Report {
        inputs: read.chain([&args.robot.robot]).map(PathBuf::as_path).collect(),
        robot,
        found: &found,
        plots: &plots,
        out: &args.out,
    };
    report.write(json, stdout)?;
    Ok(found.files.is_some())
}

/// Motions that know nothing of the noise: tables, or loops that are simulated.
fn instruments(args: &Args, robot: &Robot, layout: &Layout) -> anyhow::Result<Instruments> {
    if !args.instruments.is_empty() {
        let files = tables::open(&args.instruments)?;
        let motions = files.into_iter().map(|file| file.motion(layout)).collect::<anyhow::Result<Vec<Table>>>()?;
        return Ok(Instruments::Motions(motions));
    }
    let read = |path: &PathBuf| {
        let (mut scenario, _) = trial::read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        trial::put_points(&mut scenario, robot, folder)?;
        trial::put_law(&mut scenario, folder);
        Ok(Loop { name: path.display().to_string(), scenario })
    };
    let loops = args.scenario.iter().map(read).collect::<anyhow::Result<Vec<Loop>>>()?;
    Ok(if loops.is_empty() { Instruments::None } else { Instruments::Loops(loops) })
}

/// A frequency, or none.
fn cut_off(text: &str) -> Result<CutOff, String> {
    match text.trim() {
        "none" => Ok(CutOff::Off),
        frequency => {
            positive(frequency).map(CutOff::At).map_err(|_| "expected a positive number, in Hz, or none".into())
        }
    }
}

/// Parts of the data, or none.
fn folds(text: &str) -> Result<u32, String> {
    let number: Option<u32> = text.trim().parse().ok();
    number.filter(|folds| *folds != 1 && *folds <= 100).ok_or_else(|| "expected 2 to 100 parts, or 0 for none".into())
}

/// A part of a whole.
fn part(text: &str) -> Result<f64, String> {
    number_that(text, |x| x > 0.0 && x < 1.0, "expected a number above 0 and below 1")
}

/// How much a prior counts.
fn trust(text: &str) -> Result<f64, String> {
    let expected = "expected a number from 1e-6, nothing but the data, to 1e6, nothing but the robot's file";
    number_that(text, |x| (1e-6..=1e6).contains(&x), expected)
}
