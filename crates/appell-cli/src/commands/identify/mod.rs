//! `appell identify`: from what a controller recorded to a robot's parameters, with a report that says how far to trust them.
//!
//! | file | what it holds |
//! |---|---|
//! | `arguments`, `unknowns` | what is to be identified, and what is known |
//! | `recording` | from a recorder's files to equations |
//! | `method`, `simulation` | estimators by name; instruments by simulating what was found |
//! | `fitted` | one model: base parameters, estimate, consistent fit, validation |
//! | `study`, `doubts`, `acceptance` | the model that was asked for, that of a robot's file, warnings; whether a robot is written |
//! | `settings` | what was chosen, in words |
//! | `urdf` | what a URDF can hold of it, fitted for itself |
//! | `robot_file` | the identified robot with its provenance |
//! | `plots`, `report`, `web_page`, `answer` | what is told of it: pictures; text and tables; a page; JSON |
//! | `folder` | where all this is written, and what is not replaced there |

mod acceptance;
mod answer;
pub(crate) mod arguments;
mod doubts;
mod fitted;
mod folder;
mod method;
mod plots;
mod recording;
mod report;
mod robot_file;
mod settings;
mod simulation;
mod study;
mod unknowns;
mod urdf;
mod web_page;

pub(crate) use recording::Measured;
pub(crate) use unknowns::{Asked, EffectName, Speeds, Unknowns, may_share_legs};

use crate::place::{not_negative, positive};
use crate::robot;
use anyhow::{bail, ensure};
use appell_identification::data::{CutOff, Measurement};
use arguments::UnknownArgs;
use method::{Estimator, Method};
use plots::Album;
use recording::{Recorder, Table};
use report::Report;
use robot_file::Origin;
use simulation::Loops;
use std::io::Write;
use std::path::PathBuf;
use study::Question;

/// Identify a robot's parameters from recorded motions and torques or currents, and report how far to trust them.
///
/// ROBOT gives the geometry, and a first idea of masses, inertias and friction: what the data do not decide stays near it. Its
/// loops may be closed; then the driven joints are measured. Files of --data are tables with a header. Without --layout their
/// columns are t, q1 …, tau1 … in s, rad or m, N m or N, as `appell simulate` and `appell trajectory --torques` write them; v1 … is
/// compared with the positions. A layout says what other columns are: names, units, motors behind gears, currents.
///
/// Positions are low-passed without delay, at ten times the frequency of the motion where --cut-off says nothing, and
/// differentiated; equations are low-passed and thinned; base parameters, which are all that motion can show, are estimated with
/// their uncertainty; then a robot is found that could be real, of bodies with positive density and friction that brakes, and
/// written as a robot's file.
///
/// Writes into DIR: report.html, a page that needs no other file; robot.toml, and robot.urdf of an open robot, with data, hashes,
/// settings, method, date and residuals in their heads; parameters.csv; correlation.csv; efforts.csv, measured and predicted by the estimate and by robot.toml; plots as
/// SVG and PNG. What a robot's file has no numbers for, as friction of other shapes, is fitted and reported; the robot in the file is
/// fitted once more without it, and that of the URDF without rotors and offsets. Bad data are named, and then nothing is written.
///
/// Exit codes: 0 fine; 1 there are parameters but no robot: none that could be real, or one that would mislead, as by leaving more
/// than half of the efforts or by rotors heavier than itself, and the first warning says why; 2 wrong use or input, or no robot where the
/// folder holds one of an earlier run, which stays.
#[derive(clap::Args)]
#[command(after_help = "Example: appell identify puma560 --data run1.csv run2.csv --validate run3.csv
Example: appell identify arm.toml --data log.csv --layout log.toml --effects viscous,coulomb,square-root,offset,rotor --smoothing 0.01

A layout, of which only [time], [position] and [effort] must be there:
  time = { column = \"ms\", unit = \"ms\" }         # or rate = 1000, in Hz
  position = { columns = [\"m1\", \"m2\"], unit = \"rad\", side = \"motor\" }     # rad, deg, turn, m, mm; one for all or one each; or counts = 4096 (a turn, or a metre)
  velocity = { columns = [\"w1\", \"w2\"], unit = \"rpm\", side = \"motor\" }     # only looked at
  effort = { columns = [\"i1\", \"i2\"], unit = \"A\", constant = [0.2, 0.1], side = \"motor\", limit = 30 }   # or N m, mN m, N, kN; kgf m, kgf cm, lbf ft, lbf in, ozf in; kgf, lbf
  gear = { matrix = [[32, 0], [32, 45]] }       # motor = R q; or ratio = [32, 45]
  joint = { sign = [1, -1], offset = [0, \"-90 deg\"] }
  filter = { cut_off = 100, order = 4, decimation = 20, border = 0.1 }        # or cut_off = \"none\"
  accept = { constant = [\"m2\"], unit = [\"m1\"] }     # columns you know better about")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// Recordings, each a table
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
    /// What the columns of the recordings are
    #[arg(long, value_name = "FILE.toml")]
    layout: Option<PathBuf>,
    /// Recordings that are not fitted but predicted
    #[arg(long, value_name = "FILE", num_args = 1..)]
    validate: Vec<PathBuf>,
    /// Without --validate: cut the data into this many parts, at least 2, each predicted by the others; 0 for none
    #[arg(long, value_name = "N", default_value_t = 5, allow_hyphen_values = true, value_parser = folds, conflicts_with = "validate")]
    folds: u32,
    /// How parameters are estimated
    #[arg(long, value_enum, default_value = "weighted")]
    method: Method,
    /// Let equations count by their joints' noise in all methods
    #[arg(long)]
    weigh: bool,
    /// Of --method svd: which singular values are left out, over the largest; below 1; 0.001 if not given
    #[arg(long, value_name = "PART", allow_hyphen_values = true, value_parser = part)]
    tolerance: Option<f64>,
    /// Of --method instruments: one table a recording, with the motion that was wanted or simulated, at the same instants; efforts are
    /// not needed
    #[arg(long, value_name = "FILE", num_args = 1..)]
    instruments: Vec<PathBuf>,
    /// Of --method instruments, in place of --instruments: one scenario a recording, as `appell simulate` takes it, of the loop
    /// that it was made in. The robot that was found moves in it, its motion is the next instrument, and so on until the parameters
    /// stay (IDIM-IV). The robot that the scenario names does not matter, but [plant] and [model] change the one that was found
    #[arg(long, value_name = "FILE.toml", num_args = 1.., conflicts_with = "instruments")]
    scenario: Vec<PathBuf>,
    #[command(flatten)]
    unknowns: UnknownArgs,
    /// Cut-off of the low-pass on the positions, Hz, or none; if neither this nor the layout says it, ten times the frequency of the
    /// motion
    #[arg(long, value_name = "HZ|none", allow_hyphen_values = true, value_parser = cut_off)]
    cut_off: Option<CutOff>,
    /// Keep one equation of so many; if neither this nor the layout says it, two a period of the cut-off
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(1..))]
    decimate: Option<u32>,
    /// Cut off at both ends of a recording, s; what the filters need to settle if not given
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = not_negative)]
    border: Option<f64>,
    /// How much the robot's file counts where the data do not decide: 1, as known to its own size; more for a better one; from
    /// 1e-6 to 1e6. If not given 1, and less where the data are far from it
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = trust)]
    trust: Option<f64>,
    /// Leave out parameters as long as the weighted residual grows by no more than this part, and tell which matter
    #[arg(long, value_name = "PART", allow_hyphen_values = true, value_parser = not_negative)]
    essential: Option<f64>,
    /// The folder for report and robot
    #[arg(long, value_name = "DIR", default_value = "identified")]
    out: PathBuf,
}

/// Singular values below this part of the largest are left out.
const TOLERANCE: f64 = 1e-3;

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    ensure!(!args.out.exists() || args.out.is_dir(), "{} is no folder; give another --out", args.out.display());
    ensure!(
        (args.method == Method::Instruments) != (args.instruments.is_empty() && args.scenario.is_empty()),
        "--method instruments goes together with --instruments, or --scenario"
    );
    ensure!(
        args.tolerance.is_none() || args.method == Method::Svd,
        "--tolerance is that of --method svd, and this is another"
    );
    ensure!(
        args.method != Method::Instruments || !args.unknowns.effects()?.contains(&EffectName::Gain),
        "instruments have no efforts that could show a gain: --effects gain goes with the other methods"
    );
    ensure!(
        !args.weigh || !matches!(args.method, Method::Weighted | Method::Consistent),
        "--weigh is for the other methods: this one lets joints count by their noise already"
    );
    let loaded = args.robot.load()?;
    let robot = loaded.to_identify();
    let tables = |paths: &[PathBuf]| paths.iter().map(|path| Table::read(path)).collect::<anyhow::Result<Vec<Table>>>();
    let (data, validate) = (tables(&args.data)?, tables(&args.validate)?);
    let mut layout = match &args.layout {
        Some(path) => recording::layout(path)?,
        None => recording::usual_layout(robot, &data[0])?,
    };
    let asked_filter = &mut layout.filter;
    asked_filter.cut_off = args.cut_off.unwrap_or(asked_filter.cut_off);
    asked_filter.decimation = args.decimate.map(|decimate| decimate as usize).or(asked_filter.decimation);
    asked_filter.border = args.border.or(asked_filter.border);
    let unknowns = args.unknowns.of(robot, Some(&layout))?;
    expect_different(&data, &validate)?;
    let recorder = Recorder { robot, layout: &layout, unknowns: &unknowns };
    let [data, validate] = [data, validate].map(|tables| recorder.measure(tables));
    let (data, validate) = (data?, validate?);
    recording::expect_own_rows(&data, &validate)?;
    let references = recorder.references(tables(&args.instruments)?, &data)?;
    let measurements: Vec<&Measurement> = data.iter().map(|taken| &taken.measurement).collect();
    let filter = layout.filter.chosen(&measurements)?;
    let is_chosen = layout.filter.cut_off == CutOff::Automatic;
    let loops = match args.scenario.is_empty() {
        true => None,
        false => Some(Loops::read(&args.scenario, &loaded, &recorder, &filter, &data)?),
    };
    let [recordings, held_out, of_reference] =
        [data, validate, references].map(|taken| recorder.equations(taken, &filter));
    let (mut recordings, held_out, of_reference) = (recordings?, held_out?, of_reference?);
    if is_chosen && filter.cut_off.is_none() {
        let told = "no low-pass is used: some recording is too short, or sampled too slowly, for one at ten times the frequency of the motion; \
                    what is noise in the positions goes into the accelerations (--cut-off)";
        recordings[0].measured.doubts.push(told.into());
    }
    let question = Question {
        robot,
        unknowns: &unknowns,
        recordings: &recordings,
        held_out: &held_out,
        of_reference: &of_reference,
        estimator: Estimator {
            method: args.method,
            weighs: args.weigh,
            tolerance: args.tolerance.unwrap_or(TOLERANCE),
            trust: args.trust,
        },
        loops: loops.as_ref(),
        folds: args.folds as usize,
        loss: args.essential,
    };
    let study = question.study()?;
    let origin = Origin {
        layout: args.layout.as_deref().map(recording::source).transpose()?,
        settings: settings::lines(args, &settings::of_filter(&filter, is_chosen), &unknowns, study.trust()),
    };
    let files = robot_file::write(&loaded.description, origin, &recordings, &study)?;
    let album =
        Album { recorder: &recorder, filter: &filter, recordings: &recordings, held_out: &held_out, study: &study };
    let plots = album.plots()?;
    let read =
        args.data.iter().chain(&args.validate).chain(&args.instruments).chain(&args.scenario).chain(&args.layout);
    let report = Report {
        inputs: read.chain([&args.robot.robot]).map(PathBuf::as_path).collect(),
        robot,
        unknowns: &unknowns,
        recordings: &recordings,
        filter: &filter,
        is_chosen,
        study: &study,
        files: files.as_ref(),
        plots: &plots,
        out: &args.out,
    };
    report.write(json, stdout)?;
    Ok(files.is_some())
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

/// Refuses a recording that is given twice, by what is in it: its equations would count twice, or be predicted by themselves.
fn expect_different(data: &[Table], validate: &[Table]) -> anyhow::Result<()> {
    for (k, table) in data.iter().chain(validate).enumerate() {
        let mut before = data.iter().chain(validate).take(k);
        if let Some(other) = before.find(|other| other.hash == table.hash) {
            let what = if k < data.len() {
                "its equations would count twice"
            } else {
                "held-out data must not be those that are fitted, nor count twice"
            };
            bail!("{} and {} hold the same; {what}", other.name, table.name);
        }
    }
    Ok(())
}

/// Parts of the data, or none.
fn folds(text: &str) -> Result<u32, String> {
    let number: Option<u32> = text.trim().parse().ok();
    number.filter(|folds| *folds != 1 && *folds <= 100).ok_or_else(|| "expected 2 to 100 parts, or 0 for none".into())
}

/// A part of a whole.
fn part(text: &str) -> Result<f64, String> {
    within(text, f64::MIN_POSITIVE, 1.0 - f64::EPSILON, "expected a number above 0 and below 1")
}

/// How much a prior counts.
fn trust(text: &str) -> Result<f64, String> {
    within(text, 1e-6, 1e6, "expected a number from 1e-6, nothing but the data, to 1e6, nothing but the robot's file")
}

fn within(text: &str, least: f64, most: f64, expected: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.trim().parse();
    number.ok().filter(|x| (least..=most).contains(x)).ok_or_else(|| expected.into())
}
