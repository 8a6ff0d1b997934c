//! `appell plant`: the robot of a trial, in a process of its own.

use super::run::link::{LinkArgs, seconds};
use super::run::manners::Manners;
use crate::interrupt;
use crate::output;
use crate::refusal;
use crate::report::{Facts, write_facts};
use crate::trial::{NewFolder, Record, Trial};
use anyhow::{Context, anyhow};
use appell_drawing::listing::short;
use appell_realtime::agreement;
use appell_realtime::robot::{Plan, Served, WATCHDOG, serve};
use appell_realtime::system;
use appell_simulation::control::sampled::Fault;
use appell_simulation::scenario::Moment;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Instant;

/// The robot of a trial, simulated in a process of its own.
///
/// It is the plant and the signals that `appell simulate` has: masses, friction, encoders, converters, brakes. It waits
/// for a controller of the same trial, `appell run`, tells it once a period what its sensors measure, and moves by the
/// outputs that come back. Without outputs for `safety.watchdog` periods, 10 if not given, it puts its brakes on, comes to
/// rest and ends.
///
/// The two talk through shared memory on this machine, or by UDP (--udp, on both sides). UDP binds to loopback unless told
/// otherwise; an address that other machines reach needs --controller.
///
/// Exit codes: 0 the trial ended as it should; 1 it ended early, or by a fault of its own; 2 wrong use or input.
#[derive(clap::Args)]
#[command(after_help = "Example: appell plant tool.toml & appell run tool.toml")]
pub(crate) struct Args {
    /// The trial: a scenario with a section [loop]
    trial: PathBuf,
    #[command(flatten)]
    link: LinkArgs,
    /// The machine of the controller, for UDP; others are not heard
    #[arg(long, value_name = "IP", requires = "udp")]
    controller: Option<IpAddr>,
    #[command(flatten)]
    manners: Manners,
    /// A folder for record.csv, which has the robot's true motion
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How long to wait for a controller, s; without end if not given
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    wait: Option<f64>,
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let path = &args.trial;
    let shown = path.display();
    let mut trial = Trial::load(path)?;
    if !args.link.lockstep {
        trial.scenario.allow_all_steps(); // a robot by the clock does not end after ten million of them
    }
    let refused = |error| anyhow!("{shown}: {error}");
    let prepared = trial.scenario.prepare(&trial.machine).map_err(refused)?;
    let around = prepared.sampled_loop().map_err(refused)?;
    let mut plant = prepared.plant().map_err(refused)?;
    let timing = prepared.timing().context("a trial with a loop")?;
    let (mut link, found) = args.link.robot(&trial, path, args.controller)?;
    let _passing = interrupt::Passing::new(args.link.file(path)?);
    interrupt::ask_first();
    interrupt::listen();
    let begin = Instant::now();
    let waits = || {
        let waited = args.wait.is_some_and(|wait| begin.elapsed().as_secs_f64() >= wait);
        !interrupt::is_asked() && !waited
    };
    let agreement = args.link.agreement(&trial, timing.period)?;
    output::note(format_args!("{}: waits for its controller, `appell run {shown}{found}`", trial.machine.name()));
    let Some(agreed) = agreement::answer(&mut *link, &agreement, waits)? else {
        refusal::no(format_args!("{shown}: no controller came"));
        return Ok(false);
    };
    let mut device = around.device(&mut *plant, 0.0).map_err(|reason| anyhow!("{shown}: {reason}"))?;
    let safety = around.into_computer().safety().clone();
    let (watchdog, rest_within) = (safety.watchdog.unwrap_or(WATCHDOG), safety.rest_within);
    let plan = Plan {
        run: agreed.run,
        duration: if agreed.endless { f64::INFINITY } else { prepared.duration() },
        period: timing.period,
        lockstep: args.link.lockstep,
        watchdog,
        patience: args.link.patience,
    };
    let folder = args.out.as_ref().map(|out| NewFolder::make(out)).transpose()?;
    let table = args.out.as_ref().map(|out| out.join("record.csv"));
    let mut sink = io::sink();
    let mut record = table.as_ref().map(|table| Record::new(&trial.machine, table, &mut sink));
    let grippers = trial.scenario.grippers();
    let (mut failed, mut next) = (None, 0.0);
    let mut facts = if args.link.lockstep { Vec::new() } else { args.manners.behave() };
    let served = serve(&mut *link, &mut device, grippers, &plan, |device, sensors| {
        if let Some(record) = record.as_mut().filter(|_| sensors.t + 0.5 * timing.period >= next) {
            next = sensors.t + trial.scenario.record_step();
            let energy = device.energy();
            let (view, drives, efforts) = (device.view(sensors.t), device.drives(), device.applied());
            let (wanted, wanted_platform, sampling) = (None, None, None); // of these a robot knows nothing
            let (own, own_names) = (&[][..], &[][..]);
            let moment = Moment { view, drives, wanted, wanted_platform, own, own_names, efforts, energy, sampling };
            failed = failed.take().or_else(|| record.write(&moment).err());
        }
        !interrupt::is_asked()
    });
    system::run_as_ever();
    let served = served.with_context(|| format!("{shown}: the way to the controller"))?;
    if let Some(error) = failed {
        return Err(error);
    }
    if let (Some(record), Some(folder)) = (record, folder) {
        record.finish()?;
        folder.keep();
    }
    let names: Vec<String> = trial.machine.drives().iter().map(|joint| joint.name.to_owned()).collect();
    facts.extend(report(&served, &names));
    if json {
        writeln!(stdout, "{:#}", as_json(&served, &names))?;
    } else {
        write_facts(&facts, stdout)?;
    }
    if let Some(stop) = &served.stop {
        refusal::no(format_args!("{shown}: {stop}"));
    }
    let own = served.braked.and_then(|(_, fault)| fault);
    let too_long = rest_within.filter(|most| {
        served.braked.is_some_and(|(at, _)| served.at_rest.map_or(served.t - at, |rest| rest - at) > *most)
    });
    if let Some(most) = too_long {
        refusal::no(format_args!(
            "{shown}: the robot was not at rest {most} s after its brakes were put on (safety.rest_within)"
        ));
    }
    Ok(served.stop.is_none() && own.is_none() && too_long.is_none())
}

/// Why the robot braked by itself, if it did.
fn fault(served: &Served, names: &[String]) -> Option<String> {
    let (t, fault) = served.braked?;
    fault.map(|fault: Fault| fault.at(t, names).to_string())
}

fn as_json(served: &Served, names: &[String]) -> Value {
    let Served { t, samples, stop, braked, at_rest, interrupted, health, without_outputs } = served;
    json!({
        "t": t,
        "samples": samples,
        "stop": stop.as_ref().map(ToString::to_string),
        "reason": stop.as_ref().map(|stop| stop.reason.to_string()),
        "braked_at": braked.map(|(t, _)| t),
        "fault": fault(served, names),
        "fault_code": braked.and_then(|(_, fault)| fault).map(|fault| fault.kind.code()),
        "at_rest": at_rest,
        "interrupted": interrupted,
        "without_outputs": without_outputs,
        "corrupt": health.corrupt,
        "strangers": health.strangers,
        "stale": health.stale,
    })
}

fn report(served: &Served, names: &[String]) -> Facts {
    let Served { t, samples, braked, at_rest, health, without_outputs, .. } = served;
    let mut facts = vec![("Robot", format!("{samples} samples, t = {} s", short(*t)))];
    if let Some((at, _)) = braked {
        let rest = at_rest.map_or("not at rest".into(), |rest| format!("at rest {} s later", short(rest - at)));
        facts.push(("Brakes", format!("on at t = {} s, {rest}", short(*at))));
    }
    facts.extend(fault(served, names).map(|fault| ("Fault", fault)));
    facts.push((
        "Frames",
        format!(
            "{without_outputs} periods without outputs; {} damaged, {} of strangers, {} stale",
            health.corrupt, health.strangers, health.stale
        ),
    ));
    facts
}
