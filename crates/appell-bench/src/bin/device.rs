//! Generated code on a device, through the public interface: `cargo run --release -p appell-bench --bin device -- cuda`.
//!
//! States a second in both precisions, the best of some runs; beside them what a copy of the same columns moves in the same run.
//! Data are on a GPU already, but in the last rows, which come from the host and go back.

use anyhow::{Result, bail};
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::sample::Sampler;
use appell::{Model, Robot};
use appell_batch::Batch;
use appell_codegen::Parameter;
use appell_codegen::emit::device::{Code, Port, PortKind};
use appell_codegen::rollout::{self, Law, Options, Reference, Varied, Whose};
use appell_device::{Argument, Columns, Device, Number, OnDevice, OnGpu, Pinned, Resident, Rolls, There};
use rayon::prelude::*;
use std::time::Instant;

const WORK: [(&str, Question); 9] = [
    ("puma560", Question::InverseDynamics),
    ("puma560", Question::ForwardDynamics),
    ("puma560", Question::InverseDynamicsDerivatives),
    ("seven-axis", Question::InverseDynamics),
    ("seven-axis", Question::InverseDynamicsDerivatives),
    ("gough-stewart", Question::InverseDynamics),
    ("gough-stewart", Question::ForwardDynamics),
    ("gough-stewart", Question::InverseDynamicsDerivatives),
    ("delta", Question::InverseDynamicsDerivatives),
];

/// Different states, which come again and again.
const DIFFERENT: usize = 512;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let device: Device = arguments.next().unwrap_or_else(|| "cpu".into()).parse()?;
    let only = arguments.next();
    let described = device.describe()?;
    println!("{device}: {}", described.name);
    if let Some((total, free)) = described.memory {
        println!("{} GB of memory, {} free", total / 1_000_000_000, free / 1_000_000_000);
    }
    println!();
    println!("| work | f64, 10⁹ states/s | TB/s | of the copy | f32, 10⁹ states/s | TB/s | of the copy |");
    println!("|---|---|---|---|---|---|---|");
    for (name, question) in WORK {
        if only.as_ref().is_some_and(|only| !format!("{name} {}", question.name()).contains(only.as_str())) {
            continue;
        }
        let robot = Robot::builtin(name)?;
        let (double, single) = (measured::<f64>(device, &robot, question)?, measured::<f32>(device, &robot, question)?);
        println!("| {name}, {} | {} | {} |", question.name(), double.row(), single.row());
    }
    println!();
    println!("| rollouts of PUMAs, computed torque, Runge-Kutta, masses of their own | f64, 10⁹ steps/s | f32 |");
    println!("|---|---|---|");
    println!(
        "| {} robots, {STEPS} steps | {:.3} | {:.3} |",
        robots(device),
        rolled::<f64>(device)?,
        rolled::<f32>(device)?
    );
    if let (Device::Cuda(_), None) = (device, &only) {
        println!();
        println!(
            "| from the host and back | f64, 10⁹ states/s | GB/s there / back | of a copy | f32 | GB/s | of a copy |"
        );
        println!("|---|---|---|---|---|---|---|");
        for (name, question) in [WORK[0], WORK[5]] {
            let robot = Robot::builtin(name)?;
            for pinned in [true, false] {
                let label = if pinned { "pinned memory" } else { "any memory" };
                let double = streamed::<f64>(device, &robot, question, pinned)?;
                let single = streamed::<f32>(device, &robot, question, pinned)?;
                println!("| {name}, {}, {label} | {double} | {single} |", question.name());
            }
        }
    }
    Ok(())
}

/// What was measured in one precision.
struct Measured {
    states: f64, // a second
    bytes: f64,  // a state
    copied: f64, // bytes a second of the copy
}

impl Measured {
    fn row(&self) -> String {
        let moved = self.states * self.bytes;
        format!("{:.3} | {:.2} | {:.0} %", self.states / 1e9, moved / 1e12, 100.0 * moved / self.copied)
    }
}

/// The least time of some runs.
fn least(mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    run()?; // compiles, measures how to compile, allocates
    let mut least = f64::INFINITY;
    let all = Instant::now();
    while all.elapsed().as_secs_f64() < 0.3 || least.is_infinite() {
        let begin = Instant::now();
        run()?;
        least = least.min(begin.elapsed().as_secs_f64());
    }
    Ok(least)
}

fn measured<F: Number>(device: Device, robot: &Robot, question: Question) -> Result<Measured> {
    let batch = Batch::new(robot, question)?;
    let mut there = batch.on(device)?;
    let columns: Vec<Vec<f64>> = sampled(robot, there.arguments())?;
    let (read, written) = (columns.iter().map(|c| c.len() / DIFFERENT).sum::<usize>(), there.columns());
    let bytes = (read + written) * size_of::<F>();
    let count = match device {
        Device::Cpu => 1_000_000,
        Device::Cuda(_) => (6_000_000_000 / bytes).clamp(10_000_000, 50_000_000),
    };
    let inputs: Vec<Vec<F>> = columns.iter().map(|columns| repeated(columns, count)).collect();
    let copy = copy(read, written);
    let mut copy = device.compile::<F>(&copy)?;
    let (time, copied) = if device == Device::Cpu {
        let arguments: Vec<&[F]> = inputs.iter().map(Vec::as_slice).collect();
        let mut answers = vec![F::default(); written * count];
        let time = least(|| Ok(there.evaluate_columns(&Columns { count, arguments: &arguments }, &mut answers)?))?;
        let from = inputs.concat();
        let copied = least(|| {
            copy.run(count, &mut [Argument::Read(&from), Argument::Written(&mut answers)])?;
            Ok(())
        })?;
        (time, copied)
    } else {
        let arrays = inputs.iter().map(|numbers| OnGpu::copy(device, numbers)).collect::<Result<Vec<_>, _>>()?;
        let arrays: Vec<&OnGpu<F>> = arrays.iter().collect();
        let mut answers = OnGpu::zeros(device, written * count)?;
        let time = least(|| Ok(there.evaluate_there(&There { count, arguments: &arrays }, &mut answers)?))?;
        let from = OnGpu::zeros(device, read * count)?;
        let copied = least(|| {
            copy.run_there(count, &mut [Resident::Read(&from), Resident::Written(&mut answers)])?;
            Ok(())
        })?;
        (time, copied)
    };
    Ok(Measured { states: count as f64 / time, bytes: bytes as f64, copied: (bytes * count) as f64 / copied })
}

/// A batch through the device, beside a copy of as many columns through it.
fn streamed<F: Number>(device: Device, robot: &Robot, question: Question, pinned: bool) -> Result<String> {
    let mut there = Batch::new(robot, question)?.on(device)?;
    let columns = sampled(robot, there.arguments())?;
    let (read, written) = (columns.iter().map(|c| c.len() / DIFFERENT).sum::<usize>(), there.columns());
    let count = 10_000_000;
    let inputs: Vec<Vec<F>> = columns.iter().map(|columns| repeated(columns, count)).collect();
    let mut copy = device.compile::<F>(&copy(read, written))?;
    // The copy is from pinned memory always: it is what the bus gives.
    let mut from = Pinned::<F>::zeros(device, read * count)?;
    from.copy_from_slice(&inputs.concat());
    let mut to = Pinned::<F>::zeros(device, written * count)?;
    let copied = least(|| {
        copy.run(count, &mut [Argument::Read(&from), Argument::Written(&mut to)])?;
        Ok(())
    })?;
    let mut begin = 0;
    let of_pinned: Vec<&[F]> = inputs
        .iter()
        .map(|numbers| {
            begin += numbers.len();
            &from[begin - numbers.len()..begin]
        })
        .collect();
    let of_any: Vec<&[F]> = inputs.iter().map(Vec::as_slice).collect();
    let mut answers = vec![F::default(); written * count];
    let time = least(|| {
        let arguments = if pinned { &of_pinned } else { &of_any };
        let answers = if pinned { &mut to[..] } else { &mut answers[..] };
        Ok(there.evaluate_columns(&Columns { count, arguments }, answers)?)
    })?;
    let rate = |columns: usize| (columns * count * size_of::<F>()) as f64 / time / 1e9;
    let share = 100.0 * copied / time;
    Ok(format!("{:.3} | {:.1} / {:.1} | {share:.0} %", count as f64 / time / 1e9, rate(read), rate(written)))
}

/// Steps of a rollout.
const STEPS: usize = 1000;

fn robots(device: Device) -> usize {
    if device == Device::Cpu { 10_000 } else { 1_000_000 }
}

/// Steps a second of all robots, 10⁹, from the host and back.
fn rolled<F: Number>(device: Device) -> Result<f64> {
    let robot = Robot::builtin("puma560")?;
    let options = Options {
        varied: (1..=6).map(|k| Ok(Varied::Body(format!("m{k}").parse()?))).collect::<Result<_>>()?,
        steps: STEPS,
        ..Options::new(Law::computed_torque(&robot, Reference::Passage, Whose::Shared))
    };
    let rollout = rollout::generate(&robot, &options)?;
    let mut function = rollout.on::<F>(device)?;
    let count = robots(device);
    let mut sampler = Sampler::new(1);
    let mut numbers = |many: usize, size: f64| -> Vec<F> {
        let some: Vec<f64> = (0..DIFFERENT).map(|_| sampler.within(size)).collect();
        (0..many * count).map(|k| F::nearest(some[k % DIFFERENT])).collect()
    };
    let (q0, v0) = (numbers(6, 0.5), numbers(6, 0.1));
    let masses: Vec<f64> = (1..=6)
        .map(|k| format!("m{k}").parse::<Parameter>().map(|m| m.of(&robot).unwrap_or(1.0)))
        .collect::<Result<_, _>>()?;
    let off = numbers(6, 0.1);
    let p: Vec<F> =
        off.iter().enumerate().map(|(k, &off)| F::nearest(masses[k / count] * (1.0 + off.into()))).collect();
    let mut shared = vec![F::nearest(100.0); 6];
    shared.extend([F::nearest(20.0); 6]);
    shared.extend([F::nearest(0.0); 6]);
    shared.extend([F::nearest(0.8); 6]);
    shared.push(F::nearest(0.5));
    let given: [(&str, &[F]); 4] = [("q0", &q0), ("v0", &v0), ("p", &p), ("shared", &shared)];
    let time = least(|| {
        let found = function.run(count, &given, 1e-3, STEPS)?;
        if let Some(robot) = found.astray {
            bail!("robot {robot} went astray");
        }
        Ok(())
    })?;
    Ok((count * STEPS) as f64 / time / 1e9)
}

/// Some states, column by column, for each argument of generated code.
fn sampled(robot: &Robot, arguments: &[appell_codegen::Argument]) -> Result<Vec<Vec<f64>>> {
    let mut sampler = Sampler::new(3);
    let closed = match robot.model() {
        Model::Tree(_) => None,
        Model::Closed(closed) => {
            let mut platform = Evaluator::new(robot, Question::Platform, None, Target::default())?;
            let mut rows = Vec::with_capacity(DIFFERENT);
            for _ in 0..DIFFERENT {
                let state = sampler.closed_state(closed);
                let motion = Motion::Assembled { at: &state.at, r: &state.r, r_dot: &state.r_dot };
                let mut row = vec![0.0; platform.columns().len()];
                platform.evaluate(&State { motion, ..State::default() }, &mut row)?;
                rows.push(row);
            }
            Some(rows)
        }
    };
    let mut all = Vec::new();
    for argument in arguments {
        let width = argument.entries.len();
        let first = match argument.name {
            "pose" => 0,
            "twist" => 7,
            _ => 13,
        };
        all.push(match &closed {
            Some(rows) if argument.name != "tau" => {
                (0..width * DIFFERENT).map(|n| rows[n % DIFFERENT][first + n / DIFFERENT]).collect()
            }
            _ => (0..width * DIFFERENT).map(|_| sampler.within(2.0)).collect(),
        });
    }
    if all.iter().any(Vec::is_empty) {
        bail!("an argument without entries");
    }
    Ok(all)
}

/// The columns of some states, so often that there are `count`.
fn repeated<F: Number>(columns: &[f64], count: usize) -> Vec<F> {
    let mut all = vec![F::default(); columns.len() / DIFFERENT * count];
    all.par_chunks_mut(count).zip(columns.par_chunks(DIFFERENT)).for_each(|(all, column)| {
        all.iter_mut().zip(column.iter().cycle()).for_each(|(to, &from)| *to = F::nearest(from));
    });
    all
}

/// What moves as many columns and computes next to nothing.
fn copy(read: usize, written: usize) -> Code {
    let port = |name: &str, kind| Port { name: name.into(), kind };
    let body: String = (0..written)
        .map(|k| {
            // Every column that is read counts.
            let terms: Vec<String> = (0..read)
                .filter(|j| j % written == k)
                .map(|j| format!("appell_load<T>(from + {j} * count, i)"))
                .chain((k >= read).then(|| format!("appell_load<T>(from + {} * count, i)", k % read)))
                .collect();
            format!("    appell_store<T>(to + {k} * count, i, {});\n", terms.join(" + "))
        })
        .collect();
    let text = format!(
        "template <typename T>\nAPPELL_DEVICE T copy_of_columns(long long i, long long count, \
         const appell_scalar<T> *__restrict__ from, appell_scalar<T> *__restrict__ to)\n{{\n{body}    return T(0);\n}}\n"
    );
    let ports = vec![port("from", PortKind::Read(read)), port("to", PortKind::Written(written))];
    Code { name: "copy_of_columns".into(), text, ports, operations: read as u64 }
}
