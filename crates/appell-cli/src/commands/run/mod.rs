//! `appell run`: the controller of a trial, in wall-clock time.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | a run: its parts, the loop beside the logging thread, its end |
//! | `robot` | what is driven: a robot in another process, boards |
//! | `hardware` | somebody's own boards |
//! | `link` | by which way controller and robot talk |
//! | `manners` | what is asked of the system: a core, a priority, locked memory |
//! | `attending` | who attends to a run: a signal on the terminal, an operator |
//! | `logging` | what the logging thread writes: rows of the record, and every frame; a law that hangs |
//! | `closing` | the end of a law and of boards, which may hang as well |
//! | `timings`, `live` | how long things take, in words and bars; in the terminal while it runs |
//! | `report` | what is reported beyond a simulation's |
//! | `replay` | a run's frames, given to the controller again |

mod hardware;
pub(crate) mod link;
pub(crate) mod manners;
pub(crate) mod timings;
mod live;
mod robot;
mod attending;
mod logging;
mod closing;
mod report;
mod replay;

use crate::interrupt;
use crate::output;
use crate::refusal;
use crate::report::Facts;
use crate::trial::{self, NewFolder, Report, Trial};
use anyhow::anyhow;
use appell_realtime::controller::{self, Plan};
use appell_realtime::hardware::Hardware;
use appell_realtime::log::{Busy, Ended, Entry, ring};
use appell_realtime::robot::WATCHDOG;
use appell_realtime::system;
use appell_simulation::control::sampled::{self, Computer, FaultKind, Outputs, Sensors};
use appell_simulation::scenario::Outcome;
use appell_simulation::simulation::{self, Law, Reason, Stop};
use attending::Attending;
use link::LinkArgs;
use live::Show;
use logging::{Last, Logged, Logging};
use manners::Manners;
use robot::Robot;
use serde_json::Value;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

/// Run the controller of a trial in wall-clock time, with the robot in another process.
///
/// The trial is a scenario as for `appell simulate`, with a section [loop]. The robot is `appell plant` of the same file,
/// on this machine through shared memory or on another by UDP; --plant starts it. Every period the controller sleeps until
/// its time, reads the sensors, asks the law, watches what [safety] says, and writes its outputs. It asks the system for
/// a real-time priority and for locked memory, and says where it does not get them.
///
/// With --operate it holds the robot at its start and does what an operator wants, `appell operate`, until told to quit; the
/// trial's reference is the trajectory that `follow` follows.
///
/// --hardware drives somebody's own boards instead: a shared library with the few functions of appell_hardware.h, which
/// docs/real-time.md explains, with an example.
///
/// --lockstep exchanges frames as fast as both sides can: the record then has the same bits as that of `appell simulate`.
///
/// Writes into DIR what `appell simulate` does, with the same columns, and frames.bin, which holds every frame; record.csv,
/// events.csv and record.mcap are written while it runs. --replay plays such frames into the controller again, and compares its outputs bit by bit.
///
/// Exit codes: 0 it ran to its end; 1 a fault or the law ended it, and the message says which; 2 wrong use or input.
#[derive(clap::Args)]
#[command(after_help = "Example: appell simulate --example > tool.toml && appell run tool.toml --plant")]
pub(crate) struct Args {
    /// The trial: a scenario with a section [loop]
    trial: PathBuf,
    #[command(flatten)]
    link: LinkArgs,
    /// Start the robot, `appell plant`, as well
    #[arg(long, conflicts_with_all = ["replay", "udp"])]
    plant: bool,
    /// Drive the boards of a shared library, with ARGUMENTS for it, in place of a robot in another process
    #[arg(long, value_name = "LIBRARY[:ARGUMENTS]", conflicts_with_all = ["plant", "shm", "udp", "replay"])]
    hardware: Option<String>,
    /// The folder for record, events, frames, plots and report; named like the trial's file if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write no files
    #[arg(long, conflicts_with_all = ["out", "replay"])]
    no_record: bool,
    /// How long to wait for the robot, s
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = link::seconds)]
    wait: f64,
    #[command(flatten)]
    manners: Manners,
    /// Let an operator move the robot, by `appell operate`, instead of following the trial's reference; taught points are
    /// in a file beside the trial's, TRIAL.points.toml
    #[arg(long, conflicts_with = "replay")]
    operate: bool,
    /// Show how long wake-ups, steps, round trips and misses take, while it runs: on a terminal in place, in a log every ten seconds
    #[arg(long, conflicts_with = "replay")]
    live: bool,
    /// Give the frames of an earlier run to the controller, with the orders of its operator if it had one, and compare what it
    /// makes of them
    #[arg(long, value_name = "FRAMES")]
    replay: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let path = &args.trial;
    let shown = path.display();
    let frames = args.replay.as_deref().map(replay::Frames::read).transpose()?;
    let operates = frames.as_ref().map_or(args.operate, replay::Frames::is_operated);
    let trial = Trial::load(path)?;
    let refused = |error| anyhow!("{shown}: {error}");
    let prepared = trial.scenario.prepare(&trial.machine).map_err(refused)?;
    let prepared = if operates { prepared.for_operator() } else { prepared };
    let operated = operates.then(|| prepared.operated()).transpose().map_err(refused)?;
    let mut around = prepared.sampled_loop().map_err(refused)?;
    let law = match &operated {
        None => prepared.law(),
        Some(operated) => {
            around = around.with_reference(operated.reference());
            prepared.operated_law(operated)
        }
    };
    let (mut computer, mut law) = (around.into_computer(), law.map_err(refused)?);
    computer.begin(&*law).map_err(|reason| anyhow!("{shown}: {reason}"))?;
    if let Some(frames) = frames {
        return frames.play(&mut computer, &mut *law, operated.as_ref(), json, stdout);
    }
    let out = if args.no_record { None } else { Some(trial::folder(path, args.out.as_deref())?) };
    interrupt::ask_first();
    interrupt::listen();
    let Robot { mut hardware, started } = Robot::agreed(args, &trial, &computer)?;
    let folder = out.as_deref().map(NewFolder::make).transpose()?;
    let drives: Vec<usize> = prepared.plant().map_err(refused)?.drives();
    let (names, own_names) = (computer.names().to_vec(), computer.own_names().to_vec());
    let mut attending = Attending::new(path, operated, &computer, &prepared)?;
    let rows = prepared.rows().map_err(refused)?;
    let mut logging = Logging::new(&trial.machine, &prepared, rows, (&drives, &names, &own_names), out.as_deref())?;
    logging.show = args.live.then(|| Show::new(attending.live.clone()));
    logging.live = (args.live || args.operate).then(|| attending.live.clone());
    let hangs = hangs(&computer, &args.link);
    logging.hangs = hangs;
    let plan = Plan {
        duration: prepared.duration(),
        lockstep: args.link.lockstep,
        patience: 2.0 * args.link.patience, // so that it hears of it
        stays: args.operate,
    };
    let begin = Instant::now();
    let Ran { ended, logged, manners } =
        go(args, &mut *hardware, (&mut computer, &mut *law), &plan, &mut attending, logging);
    let wall = begin.elapsed().as_secs_f64();
    closing::within(hangs, Busy::Hardware, || drop(hardware));
    closing::within(hangs, Busy::Law, || drop(law));
    drop(attending);
    let of_plant = started.and_then(robot::Started::wait);
    let Logged { outcome, kept, problem } = logged.ok_or_else(|| anyhow!("the logging thread has failed"))?;
    let stop = early_end(&ended, prepared.duration() - 0.5 * computer.timing().period, of_plant);
    let outcome = Outcome { stop, ..outcome.map_err(refused)? };
    let place = out.clone().unwrap_or_default();
    let mut more = manners;
    more.extend(report::facts(&ended, plan.lockstep, wall));
    let report = Report {
        scenario: &trial.scenario,
        machine: &trial.machine,
        outcome: &outcome,
        rows: kept,
        out: &place,
        wall,
        text: &trial.text,
        more,
        more_plots: vec![report::plot(&ended, &trial.scenario.name)],
        json: Some(("run", report::as_json(&ended))),
    };
    if out.is_some() {
        let drawn = output::together(|| {
            trial::clear_plots(&place)?;
            report.write_files()
        });
        folder.into_iter().for_each(NewFolder::keep);
        // Where the record found no room plots find none; the run has ended all the same.
        if problem.is_none() {
            drawn?;
        } else {
            let _ = logging::end_with_a_line(&place.join(trial::RECORD)); // what is there can be read anyhow
        }
    }
    report.print(json, stdout)?;
    Ok(is_fine(path, &ended, &outcome, problem.as_ref()))
}

/// How a run went.
struct Ran {
    ended: Ended,
    logged: Option<Logged>, // none where the thread has failed
    manners: Facts,
}

/// Runs the loop, beside the thread that logs.
fn go<'a>(
    args: &Args,
    hardware: &mut dyn Hardware,
    (computer, law): (&mut Computer<'a>, &mut dyn Law),
    plan: &Plan,
    attending: &mut Attending<'a>,
    logging: Logging<'_>,
) -> Ran {
    let n = computer.names().len();
    let room = Entry::room(computer, &Sensors::new(n), &Outputs::new(n, computer.grippers()));
    let (mut log, reader) = ring(&room, plan.lockstep);
    thread::scope(|scope| {
        let (last, ends) = mpsc::channel();
        let writer = scope.spawn(move || logging.write(reader, &ends));
        let manners = if plan.lockstep { Vec::new() } else { args.manners.behave() };
        let ended = controller::run(hardware, computer, law, plan, &mut log, &mut *attending.attendant);
        system::run_as_ever();
        drop(log);
        let motion = simulation::Outcome { t: ended.t, interrupted: ended.interrupted, ..Default::default() };
        let of_loop = sampled::Outcome { motion, trip: ended.trip.clone(), ..Default::default() };
        // Where the thread has failed it says so itself.
        let _ =
            last.send(Last { of_loop, sensors: ended.last.clone(), events: report::counted(&ended, plan.lockstep) });
        Ran { ended, logged: writer.join().ok(), manners }
    })
}

/// A call of a law or of boards that lasts longer does not come back, s: ten times what the robot waits for, in lockstep twice.
fn hangs(computer: &Computer<'_>, link: &LinkArgs) -> f64 {
    const TIMES: f64 = 10.0;
    const LEAST: f64 = 0.5; // a busy machine takes the core away for a while
    let watchdog = f64::from(computer.safety().watchdog.unwrap_or(WATCHDOG));
    if link.lockstep { 2.0 * link.patience } else { (TIMES * watchdog * computer.timing().period).max(LEAST) }
}

/// Why the robot has ended the trial before its time, which it knows itself, if it has.
fn early_end(ended: &Ended, last_sample: f64, of_plant: Option<Value>) -> Option<Stop> {
    let last = ended.last.as_ref().filter(|last| last.ended && last.t < last_sample)?;
    let known = of_plant.and_then(|of_plant| Some(of_plant["reason"].as_str()?.to_owned()));
    let unknown = || ended.trip.is_none().then(|| "the robot has ended the trial; `appell plant` says why".into());
    Some(Stop { t: last.t, reason: Reason::Law(known.or_else(unknown)?) })
}

/// Says what was wrong with a run; whether nothing was.
fn is_fine(path: &Path, ended: &Ended, outcome: &Outcome, problem: Option<&anyhow::Error>) -> bool {
    let shown = path.display();
    for warning in outcome.doubts.iter().map(ToString::to_string) {
        output::note(format_args!("warning: {warning}"));
    }
    if let Some(problem) = problem {
        refusal::no(format_args!("the record is cut: {problem:#}"));
    }
    let reason = ended.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    // Whoever asks for the end gets a stop, which is no failure.
    let failed = ended.trip.as_ref().filter(|trip| !ended.interrupted || trip.fault.kind != FaultKind::EmergencyStop);
    if let Some(trip) = failed {
        refusal::no(format_args!("{shown}: {trip}{reason}"));
    } else if ended.reason.is_some() {
        refusal::no(format_args!("{shown}: at the end of the run{reason}"));
    }
    if let Some(stop) = &outcome.stop {
        refusal::no(format_args!("{shown}: {stop}"));
    }
    failed.is_none() && ended.reason.is_none() && problem.is_none() && outcome.stop.is_none()
}

/// Goes on.
const ON: ControlFlow<()> = ControlFlow::Continue(());
