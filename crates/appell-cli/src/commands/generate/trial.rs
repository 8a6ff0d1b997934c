//! A generated function on a device: whether it finds what was recorded, and how fast it is there.

use anyhow::Context;
use appell_codegen::Kernel;
use appell_codegen::emit::device::Code;
use appell_device::{Argument, Device, Number, OnGpu, Resident};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Instant;

/// States of a run, all of them the recorded one.
const COUNT: usize = 1 << 20;

/// Runs that are timed, the first of all aside.
const RUNS: usize = 5;

/// What came out in one precision.
pub(super) struct Found {
    precision: &'static str,
    /// Largest difference over the largest number of the answer.
    off: f64,
    states_per_second: f64,
    tolerance: f64,
}

/// Runs a function in both precisions; arrays lie in the device's memory.
pub(super) fn run(device: Device, kernel: &Kernel) -> anyhow::Result<[Found; 2]> {
    let single = found::<f32>(device, kernel, "single", 1e-3).with_context(|| format!("on {device}"))?;
    let double = found::<f64>(device, kernel, "double", 1e-9).with_context(|| format!("on {device}"))?;
    Ok([double, single])
}

fn found<F: Number>(device: Device, kernel: &Kernel, precision: &'static str, tolerance: f64) -> anyhow::Result<Found> {
    let mut function = device.compile::<F>(&Code::of(kernel))?;
    let mut rest = kernel.sample.inputs.as_slice();
    let inputs: Vec<Vec<F>> = kernel
        .arguments
        .iter()
        .map(|argument| {
            let (own, others) = rest.split_at(argument.entries.len());
            rest = others;
            own.iter().flat_map(|&x| std::iter::repeat_n(F::nearest(x), COUNT)).collect()
        })
        .collect();
    let mut answers = vec![F::default(); kernel.answer.entries.len() * COUNT];
    let mut seconds = f64::INFINITY;
    let mut timed = |run: &mut dyn FnMut() -> anyhow::Result<()>| {
        run()?; // it compiles and allocates
        for _ in 0..RUNS {
            let begin = Instant::now();
            run()?;
            seconds = seconds.min(begin.elapsed().as_secs_f64());
        }
        anyhow::Ok(())
    };
    if device == Device::Cpu {
        timed(&mut || {
            let mut arguments: Vec<Argument<'_, F>> = inputs.iter().map(|numbers| Argument::Read(numbers)).collect();
            arguments.push(Argument::Written(&mut answers));
            function.run(COUNT, &mut arguments)?;
            Ok(())
        })?;
    } else {
        let there = inputs.iter().map(|numbers| OnGpu::copy(device, numbers)).collect::<Result<Vec<_>, _>>()?;
        let mut written = OnGpu::zeros(device, answers.len())?;
        timed(&mut || {
            let mut arguments: Vec<Resident<'_, F>> = there.iter().map(Resident::Read).collect();
            arguments.push(Resident::Written(&mut written));
            function.run_there(COUNT, &mut arguments)?;
            Ok(())
        })?;
        answers = written.to_vec()?;
    }
    let largest = kernel.sample.outputs.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
    let off = answers.chunks(COUNT).zip(&kernel.sample.outputs).flat_map(|(column, &expected)| {
        // Also NaN is off.
        column
            .iter()
            .map(move |&x| Some((x.into() - expected).abs()).filter(|off| off.is_finite()).unwrap_or(f64::INFINITY))
    });
    let off = off.fold(0.0, f64::max) / largest;
    Ok(Found { precision, off, states_per_second: COUNT as f64 / seconds, tolerance })
}

/// Says what came out; whether it is what was recorded.
pub(super) fn print(device: Device, found: &[Found], out: &mut dyn Write) -> anyhow::Result<bool> {
    let name = device.describe()?.name;
    writeln!(out, "on {device}: {name}")?;
    for Found { precision, off, states_per_second, .. } in found {
        writeln!(
            out,
            "  {precision} precision: {:.3} million states a second, off by {off:.1e}",
            1e-6 * states_per_second
        )?;
    }
    Ok(found.iter().all(Found::is_right))
}

impl Found {
    /// Whether the difference is that of rounding.
    pub(super) fn is_right(&self) -> bool {
        self.off <= self.tolerance
    }

    pub(super) fn as_json(&self) -> Value {
        json!({ "precision": self.precision, "off": self.off, "states_per_second": self.states_per_second })
    }
}
