//! `appell run`: the controller of a trial, in wall-clock time.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | a run: agreement with the robot, priorities, the loop, what is reported |
//! | `attending` | who attends to a run: a signal on the terminal, an operator |
//! | `hardware` | somebody's own boards instead |
//! | `link` | by which way the two talk |
//! | `manners` | what is asked of the system: a core, a priority, locked memory |
//! | `logging` | what the logging thread writes: rows of the record, and every frame |
//! | `replay` | a run's frames, given to the controller again |

mod attending;
mod hardware;
pub(crate) mod link;
mod logging;
pub(crate) mod manners;
mod replay;

use crate::interrupt;
use crate::output;
use crate::refusal;
use crate::report::Facts;
use crate::trial::{self, NewFolder, Report, Trial};
use anyhow::{Context, anyhow, bail};
use appell_drawing::listing::short;
use appell_realtime::agreement;
use appell_realtime::controller::{self, Attendant, Plan};
use appell_realtime::frame::Agreement;
use appell_realtime::hardware::{Hardware, Health, Remote};
use appell_realtime::link::{Link, SharedMemory};
use appell_realtime::log::{Ended, Entry, ring};
use appell_realtime::operator::{Facts as DeskFacts, Server, desk, socket_of};
use appell_realtime::system;
use appell_realtime::timing::Times;
use appell_simulation::control::operated::Pace;
use appell_simulation::control::sampled::{self, FaultKind, Outputs, Sensors};
use appell_simulation::scenario::{Event, EventKind, Outcome};
use appell_simulation::simulation::{self, Reason, Stop};
use attending::{Operator, Terminal};
use link::LinkArgs;
use logging::{Last, Logged, Logging};
use manners::Manners;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How long the robot waits for its controller in lockstep, s; the controller waits twice as long, and hears of it.
pub(crate) const PATIENCE: f64 = 2.0;

/// An operator sees the robot so often, s.
const SHOWN_EVERY: f64 = 0.02;

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
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    wait: f64,
    #[command(flatten)]
    manners: Manners,
    /// Let an operator move the robot, by `appell operate`, instead of following the trial's reference; taught points are
    /// in a file beside the trial's, TRIAL.points.toml
    #[arg(long, conflicts_with = "replay")]
    operate: bool,
    /// Give the frames of an earlier run to the controller, and compare what it makes of them
    #[arg(long, value_name = "FRAMES")]
    replay: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let path = &args.trial;
    let shown = path.display();
    let trial = Trial::load(path)?;
    let refused = |error| anyhow!("{shown}: {error}");
    let prepared = trial.scenario.prepare(&trial.machine).map_err(refused)?;
    let prepared = if args.operate { prepared.for_operator() } else { prepared };
    let operated = args.operate.then(|| prepared.operated(&Pace::default())).transpose().map_err(refused)?;
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
    if let Some(frames) = &args.replay {
        return replay::replay(frames, &mut computer, &mut *law, json, stdout);
    }
    let out = if args.no_record { None } else { Some(trial::folder(path, args.out.as_deref())?) };
    interrupt::ask_first();
    interrupt::listen();
    let mut link = args.link.clone();
    let mut started = None;
    if args.plant {
        link.shm = Some(format!("{}-{}", args.link.name(path)?, std::process::id()));
        started = Some(Started::plant(path, &link)?);
    }
    let mut hardware: Box<dyn Hardware> = if let Some(asked) = &args.hardware {
        Box::new(hardware::open(asked, &computer, link.lockstep).context("--hardware")?)
    } else {
        let agreement = Agreement { endless: args.operate, ..link.agreement(&trial, computer.timing().period)? };
        let mut way = find(&link, path, args.wait, started.as_mut())?;
        let run = agreement::ask(&mut *way, &agreement, args.wait).with_context(|| format!("{shown}: the robot"))?;
        way.tell_crashes();
        Box::new(Remote::new(way, run))
    };

    let folder = out.as_deref().map(NewFolder::make).transpose()?;
    let drives: Vec<usize> = prepared.plant().map_err(refused)?.drives();
    let n = drives.len();
    let room = Entry::room(&computer, &Sensors::new(n), &Outputs::new(n, computer.grippers()));
    let (mut log, reader) = ring(&room, link.lockstep);
    let names = computer.names().to_vec();
    let rows = prepared.rows().map_err(refused)?;
    let logging = Logging::new(&trial.machine, &prepared, rows, (&drives, &names), out.as_deref())?;
    let plan =
        Plan { duration: prepared.duration(), lockstep: link.lockstep, patience: 2.0 * PATIENCE, stays: args.operate };
    let (mut attendant, server): (Box<dyn Attendant + '_>, _) = match operated {
        None => (Box::new(Terminal), None),
        Some(operated) => {
            let period = computer.timing().period;
            let every = (SHOWN_EVERY / period).ceil().max(1.0) as u32;
            let (console, desk) = desk(DeskFacts::of(prepared.model(), &operated, period), every);
            let server = Server::start(desk, &socket_of(path)?, &path.with_extension("points.toml"))?;
            output::note(format_args!("listens to `appell operate {shown}`"));
            (Box::new(Operator { console, operated, resets: false, zeros: vec![0.0; n] }), Some(server))
        }
    };
    let begin = Instant::now();
    let (ended, logged, manners) = thread::scope(|scope| {
        let (last, ends) = mpsc::channel();
        let writer = scope.spawn(move || logging.write(reader, &ends));
        let manners = if link.lockstep { Vec::new() } else { args.manners.behave() };
        let ended = controller::run(&mut *hardware, &mut computer, &mut *law, &plan, &mut log, &mut *attendant);
        system::run_as_ever();
        drop(log);
        let motion = simulation::Outcome { t: ended.t, interrupted: ended.interrupted, ..Default::default() };
        let of_loop = sampled::Outcome { motion, trip: ended.trip.clone(), ..Default::default() };
        // Where the thread has failed it says so itself.
        let _ = last.send(Last { of_loop, sensors: ended.last.clone(), events: counted(&ended, link.lockstep) });
        (ended, writer.join(), manners)
    });
    let wall = begin.elapsed().as_secs_f64();
    drop((hardware, server));
    let of_plant = started.and_then(Started::wait);
    let logged = logged.map_err(|_| anyhow!("the logging thread has failed"))?;
    let Logged { outcome, kept, problem } = logged;
    // The robot knows why it has ended before its time.
    let is_early = |last: &&Sensors| last.ended && last.t < prepared.duration() - 0.5 * computer.timing().period;
    let stop = ended.last.as_ref().filter(is_early).and_then(|last| {
        let known = of_plant.and_then(|of_plant| Some(of_plant["reason"].as_str()?.to_owned()));
        let unknown = || ended.trip.is_none().then(|| "the robot has ended the trial; `appell plant` says why".into());
        Some(Stop { t: last.t, reason: Reason::Law(known.or_else(unknown)?) })
    });
    let outcome = Outcome { stop, ..outcome.map_err(refused)? };
    let place = out.clone().unwrap_or_default();
    let mut more = manners;
    more.extend(facts(&ended, link.lockstep, wall));
    let report = Report {
        scenario: &trial.scenario,
        machine: &trial.machine,
        outcome: &outcome,
        rows: kept,
        out: &place,
        wall,
        text: &trial.text,
        more,
        json: Some(("run", as_json(&ended))),
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
            let _ = logging::end_with_a_line(&place.join("record.csv")); // what is there can be read anyhow
        }
    }
    report.print(json, stdout)?;
    for warning in outcome.doubts.iter().map(ToString::to_string) {
        output::note(format_args!("warning: {warning}"));
    }
    if let Some(problem) = &problem {
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
    Ok(failed.is_none() && ended.reason.is_none() && problem.is_none() && outcome.stop.is_none())
}

/// The way to the robot, as soon as that is there.
fn find(link: &LinkArgs, path: &Path, wait: f64, mut started: Option<&mut Started>) -> anyhow::Result<Box<dyn Link>> {
    let begin = Instant::now();
    let mut said = false;
    loop {
        if let Some(way) = link.controller(path)? {
            return Ok(way);
        }
        let shown = path.display();
        if begin.elapsed().as_secs_f64() >= wait || wait.is_nan() {
            bail!("{shown}: no robot came within {wait} s; start `appell plant {shown}`, or give --plant");
        }
        if interrupt::is_asked() {
            bail!("interrupted");
        }
        if let Some(started) = &mut started {
            started.expect_alive()?;
        } else if !said && begin.elapsed() > Duration::from_millis(500) {
            output::note(format_args!("waits for the robot, `appell plant {shown}`"));
            said = true;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// A robot that was started here, and where its memory is.
struct Started {
    child: Child,
    memory: PathBuf,
}

impl Started {
    fn plant(path: &Path, link: &LinkArgs) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program is not found again")?;
        let mut command = Command::new(program);
        command.arg("plant").arg(path).args(["--wait", "30", "--json"]);
        command.args(link.shm.iter().flat_map(|name| ["--shm", name]));
        command.args(link.lockstep.then_some("--lockstep"));
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let memory = SharedMemory::place(&link.name(path)?);
        Ok(Self { child: child.context("the robot cannot be started")?, memory })
    }

    fn expect_alive(&mut self) -> anyhow::Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => bail!("the robot has ended already ({status}); start `appell plant` by hand to see why"),
        }
    }

    /// Waits until it has come to rest; its report, if it has made one.
    fn wait(mut self) -> Option<Value> {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(10) && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        self.child.try_wait().ok()??;
        serde_json::from_reader(self.child.stdout.take()?).ok()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.memory); // a robot that was killed has left it
    }
}

/// What was counted in all, where it is not nothing. In lockstep nobody is late, and what is given again may come twice.
fn counted(ended: &Ended, lockstep: bool) -> Vec<Event> {
    let Ended { t, timings, health, dropped, .. } = ended;
    let mut events = Vec::new();
    if !lockstep && [timings.missed, timings.without_sensors, *dropped].iter().any(|count| *count > 0) {
        let text = format!(
            "periods in all: {} missed, {} without sensors, {dropped} not logged",
            timings.missed, timings.without_sensors
        );
        events.push(Event::new(*t, EventKind::Missed, text).with_value(timings.missed as f64));
    }
    let repeated = if lockstep { 0 } else { health.stale + health.lost };
    let frames = health.corrupt + health.strangers + repeated;
    if frames > 0 {
        let text = format!("frames in all: {}", not_taken(health));
        events.push(Event::new(*t, EventKind::Frames, text).with_value(frames as f64));
    }
    events
}

/// Frames that came and were not taken, or that were overwritten.
fn not_taken(health: &Health) -> String {
    let Health { corrupt, strangers, stale, lost, .. } = health;
    format!("{corrupt} damaged, {strangers} of strangers, {stale} stale, {lost} lost")
}

fn facts(ended: &Ended, lockstep: bool, wall: f64) -> Facts {
    let us = |time: u64| format!("{} µs", short((time as f64 / 10.0).round() / 100.0));
    let line = |times: &Times| {
        format!(
            "median {}, 99 % within {}, 99.9 % within {}, longest {}",
            us(times.quantile(0.5)),
            us(times.quantile(0.99)),
            us(times.quantile(0.999)),
            us(times.longest())
        )
    };
    let timings = &ended.timings;
    let mut facts = Vec::new();
    if lockstep {
        let rate = ended.samples as f64 / wall;
        facts.push(("Lockstep", format!("{} periods, {} a second", ended.samples, short(rate.round()))));
    } else {
        facts.push(("Wake-up", line(&timings.wake_up)));
    }
    facts.push(("Step", line(&timings.step)));
    if timings.round_trip.count() > 0 {
        facts.push(("Round trip", line(&timings.round_trip)));
    }
    if !lockstep {
        facts.push((
            "Periods",
            format!(
                "{}; {} missed, {} without sensors, {} not logged",
                ended.samples, timings.missed, timings.without_sensors, ended.dropped
            ),
        ));
    }
    if ended.health != Health::default() {
        facts.push(("Frames", not_taken(&ended.health)));
    }
    facts
}

fn as_json(ended: &Ended) -> Value {
    let times = |times: &Times| {
        json!({
            "count": times.count(),
            "median": times.quantile(0.5) as f64 * 1e-9,
            "p99": times.quantile(0.99) as f64 * 1e-9,
            "p99_9": times.quantile(0.999) as f64 * 1e-9,
            "longest": times.longest() as f64 * 1e-9,
            "histogram": times.steps().into_iter().map(|(to, count)| json!([to as f64 * 1e-9, count])).collect::<Vec<_>>(),
        })
    };
    json!({
        "samples": ended.samples,
        "fault_code": ended.trip.as_ref().map(|trip| trip.fault.kind.code()),
        "fault": ended.trip.as_ref().map(|trip| trip.fault.kind.name()),
        "reason": ended.reason,
        "wake_up": times(&ended.timings.wake_up),
        "step": times(&ended.timings.step),
        "round_trip": times(&ended.timings.round_trip),
        "missed": ended.timings.missed,
        "without_sensors": ended.timings.without_sensors,
        "not_logged": ended.dropped,
        "corrupt": ended.health.corrupt,
        "strangers": ended.health.strangers,
        "stale": ended.health.stale,
    })
}

/// Goes on.
const ON: ControlFlow<()> = ControlFlow::Continue(());
