//! `appell simulate`: runs a scenario and reports the result.

use crate::interrupt;
use crate::output;
use crate::progress::{Progress, Work};
use crate::refusal;
use crate::table;
use crate::trial::{self, Files, NewFolder, Paths, Report, Trial};
use anyhow::{anyhow, ensure};
use appell::Robot;
use appell_drawing::listing::short;
use appell_simulation::scenario::{EXPLAINED, Event, LeastWork, Scenario, Watch};
use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

/// Steps of the integration from one look at the progress to the next.
const STEPS_PER_PULSE: u64 = 64;

/// Run a scenario: simulate a robot under a controller, and report tracking errors, torques and timing.
///
/// The file names the robot, how the true one differs from the controller's idea of it (payload, masses, friction), the
/// motion to follow, the law, the computer with its wires (period, delay, encoders, converters, limits) and how it is
/// simulated. `appell simulate --example` prints one to begin with.
///
/// A run that takes more than 10⁸ steps, or a record of more than 1 GB, says so and asks for --yes.
///
/// Writes into DIR: record.csv, one row every `run.record` seconds; events.csv, what happened; record.mcap, both for
/// Foxglove and PlotJuggler; with a section [recorder], recorder.csv, what a recorder beside the computer keeps, for
/// `appell identify`; plots of positions, speeds, torques and forces, errors and energy as SVG and PNG;
/// report.html, a page that needs no other file. All appear together when the run has ended, in place of those of a run
/// before, or none does. A run that stops early keeps its record so far, also at Ctrl-C.
///
/// Columns of the record: t; q1 v1 tau1 … of the joints, or of the drives of a robot with closed loops, and px py pz qx
/// qy qz qw vx vy vz wx wy wz of its platform; wanted1 error1 … against the reference, and where that is a path of the
/// platform wanted_px … wanted_wz, error_px error_py error_pz, error_rx error_ry error_rz (the turn from the wanted attitude
/// as a rotation vector) and error_vx … error_wz, all in base axes; kinetic, potential energy; own1 …, the law's own
/// states; with a computer measured1 measured_v1 command1 …, gripper1 …, fault (its code, 0 without) and braked. Its last
/// row is the end, at which nothing is measured.
///
/// Columns of the events: t, kind, code of a fault, joint, value, limit, text. The kinds are begin, fault, brakes-on,
/// saturation-begin, saturation-end, gripper, stop, interrupted, end; of `appell run` also missed-periods and lost-frames.
///
/// Exit codes: 0 it ran to its end; 1 it stopped early, and the message says why; 2 wrong use or input.
#[derive(clap::Args)]
#[command(after_help = "Example: appell simulate --example > tool.toml && appell simulate tool.toml --out tool")]
pub(crate) struct Args {
    /// The scenario's file
    #[arg(required_unless_present = "example")]
    scenario: Option<PathBuf>,
    /// The folder for record, events, plots and report; named like the scenario's file if not given, in the folder where you
    /// are
    #[arg(long, value_name = "DIR", conflicts_with = "example")]
    out: Option<PathBuf>,
    /// Run it however long it takes and however large its record gets
    #[arg(long)]
    yes: bool,
    /// Print a scenario that explains itself
    #[arg(long, conflicts_with = "scenario")]
    example: bool,
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let Some(path) = args.scenario.as_ref().filter(|_| !args.example) else {
        stdout.write_all(EXPLAINED.toml.as_bytes())?;
        return Ok(true);
    };
    let shown = path.display();
    let Trial { mut scenario, machine, text, .. } = Trial::load(path)?;
    let refused = |error| anyhow!("{shown}: {error}");
    let duration = scenario.duration(&machine).map_err(refused)?;
    let out = trial::folder(path, args.out.as_deref())?;
    if args.yes {
        scenario.allow_all_steps();
    } else {
        refuse_long(&scenario, &machine).map_err(|error| error.context(shown.to_string()))?;
    }

    interrupt::ask_first();
    let new = NewFolder::make(&out)?;
    let mut paths = Paths::of(&out);
    let files = RefCell::new(Files::new(&machine, &mut paths));
    let begin = Instant::now();
    let clock = Box::new(move || begin.elapsed().as_secs_f64());
    let mut progress = Progress::start(Work::Milliseconds((duration * 1e3) as u64), false);
    let mut steps = 0_u64;
    let pulse = Box::new(move |t: f64| {
        steps += 1;
        if steps.is_multiple_of(STEPS_PER_PULSE) {
            progress.reach((t * 1e3) as u64);
        }
        if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let events = Box::new(|event: &Event| files.borrow_mut().event(event));
    let recorded = Box::new(|row: &[f64]| files.borrow_mut().recorded(row));
    let watch = Watch { clock: Some(clock), pulse: Some(pulse), events: Some(events), recorded: Some(recorded) };
    let outcome = scenario.play(&machine, watch, |moment| {
        let mut files = files.borrow_mut();
        files.write(moment);
        if files.problem.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let outcome = outcome.map_err(refused)?;
    let wall = begin.elapsed().as_secs_f64();
    let mut files = files.into_inner();
    outcome.last_events.iter().for_each(|event| files.event(event));
    if let Some(error) = files.problem {
        return Err(error);
    }
    let (scenario, machine, outcome) = (&scenario, &machine, &outcome);
    let report = output::together(|| {
        let rows = files.finish()?;
        let report = Report {
            scenario,
            machine,
            outcome,
            rows,
            out: &out,
            wall,
            text: &text,
            more: Vec::new(),
            more_plots: Vec::new(),
            json: None,
        };
        report.write_files()?;
        // Nothing of a run before stays beside this one, and it goes when all of this one is there.
        trial::clear(&out)?;
        Ok(report)
    })?;
    if report.rows.is_some() {
        new.keep();
    }
    report.print(json, stdout)?;
    let trip = outcome.trip.iter().map(ToString::to_string);
    for warning in outcome.doubts.iter().map(ToString::to_string).chain(trip) {
        output::note(format_args!("warning: {warning}"));
    }
    if let Some(stop) = &outcome.stop {
        refusal::no(format_args!("{shown}: {stop}"));
    }
    Ok(outcome.stop.is_none())
}

/// More steps than this are asked for twice.
const MANY_STEPS: f64 = 1e8;

/// How much larger the recording is than the table, about.
const RECORDING_PER_TABLE: f64 = 2.0;

/// Refuses a run that takes very long, or fills a disk.
fn refuse_long(scenario: &Scenario, machine: &Robot) -> anyhow::Result<()> {
    let LeastWork { steps, rows } = scenario.least_work(machine)?;
    // Time, energies, fault and brakes; pose and twist of a platform, wanted ones and errors; of each drive position, speed,
    // effort, and what is wanted, measured and commanded.
    let numbers = 5.0 + if machine.platform().is_some() { 38.0 } else { 0.0 } + 9.0 * machine.drives().len() as f64;
    let numbers = numbers * (1.0 + RECORDING_PER_TABLE);
    let mut large = Vec::new();
    if steps > MANY_STEPS {
        large.push(format!("at least {} steps", short(steps)));
    }
    large.extend(table::large(rows, numbers).map(|size| format!("a record of {size}")));
    ensure!(
        large.is_empty(),
        "this run takes {}; take a shorter duration, longer steps or a longer time from row to row (run.record), or give \
         --yes to run it as it is",
        large.join(" and ")
    );
    Ok(())
}
