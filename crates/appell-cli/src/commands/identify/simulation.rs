//! Instruments by simulation (IDIM-IV): the robot that was found moves in the loop that a recording was made in.

use super::recording::{Measured, Recorder, Taken};
use crate::commands::simulate;
use crate::robot::Robot;
use anyhow::{Context, anyhow, ensure};
use appell::description::Description;
use appell_drawing::listing::short;
use appell_identification::data::{Filter, Measurement};
use appell_identification::identified::describe;
use appell_identification::observation::Observation;
use appell_identification::parameters::Model;
use appell_simulation::scenario::{Scenario, Watch};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Samples of an interpolation.
const NEIGHBOURS: usize = 4;

/// By this part of itself a recording may last longer than its simulation: rounding.
const ROUNDING: f64 = 1e-6;

/// Loops in which recordings were made, one each.
pub(super) struct Loops<'l> {
    description: &'l Description,
    recorder: &'l Recorder<'l>,
    filter: &'l Filter,
    all: Vec<Loop>,
}

/// A loop, and what was recorded in it.
struct Loop {
    name: String,
    scenario: Scenario,
    recorded: Measurement,
}

impl<'l> Loops<'l> {
    /// Reads the scenarios of recordings, in their order.
    pub(super) fn read(
        paths: &[PathBuf],
        robot: &'l Robot,
        recorder: &'l Recorder<'l>,
        filter: &'l Filter,
        data: &[Taken],
    ) -> anyhow::Result<Self> {
        ensure!(
            paths.len() == data.len(),
            "--scenario gives {} for {} recordings; give one each, in the same order",
            paths.len(),
            data.len()
        );
        let read = |(path, data): (&PathBuf, &Taken)| {
            let (mut scenario, _) = simulate::read(path)?;
            simulate::put_points(&mut scenario, robot, path.parent().unwrap_or(Path::new("")))?;
            scenario.record_every(data.measurement.clock.step);
            Ok(Loop { name: path.display().to_string(), scenario, recorded: data.measurement.clone() })
        };
        let all = paths.iter().zip(data).map(read).collect::<anyhow::Result<_>>()?;
        Ok(Self { description: &robot.description, recorder, filter, all })
    }

    /// The equations of simulations with these parameters, for the columns of `asked`; their right sides mean nothing.
    pub(super) fn equations(&self, model: &Model, values: &[f64], asked: &Model) -> anyhow::Result<Observation> {
        let identified = describe(self.description, model, values)?;
        let machine = simulate::machine(Robot::new("the identified robot", identified.description)?.model);
        let mut all = Vec::with_capacity(self.all.len());
        for Loop { name, scenario, recorded } in &self.all {
            let (mut times, mut rows) = (Vec::new(), vec![Vec::new(); recorded.q.len()]);
            let played = scenario.play(&machine, Watch::default(), |moment| {
                if times.last().is_none_or(|&last| moment.view.t > last) {
                    times.push(moment.view.t);
                    rows.iter_mut().zip(moment.drives).for_each(|(row, &joint)| row.push(moment.view.q[joint]));
                }
                ControlFlow::Continue(())
            });
            let outcome = played.map_err(|error| anyhow!("{name}: {error}"))?;
            if let Some(stop) = outcome.stop {
                return Err(
                    anyhow!("{stop}").context(format!("{name}: the robot that was found does not move as recorded"))
                );
            }
            let end = recorded.time.last().copied().unwrap_or(0.0);
            ensure!(
                recorded.time[0] >= times[0] && times.last().is_some_and(|last| end <= last + ROUNDING * end.abs()),
                "{name} lasts from {} to {} s, and the recording from {} to {} s: the scenario must be that of the whole recording, \
                 with the same time",
                short(times[0]),
                short(outcome.t),
                short(recorded.time[0]),
                short(end)
            );
            let q =
                rows.iter().map(|row| recorded.time.iter().map(|&t| interpolated(&times, row, t)).collect()).collect();
            let simulated = Measurement {
                q,
                v: None,
                effort: vec![vec![0.0; recorded.time.len()]; rows.len()],
                ..recorded.clone()
            };
            all.push(Measured::new(&simulated, self.recorder, self.filter).with_context(|| name.clone())?.equations);
        }
        let joined = all.into_iter().reduce(|all, next| all.followed_by(&next));
        let equations = joined.context("--scenario names no file")?;
        let place = |column| equations.model().columns().iter().position(|own| own == column);
        let places: Option<Vec<usize>> = asked.columns().iter().map(place).collect();
        Ok(equations.with_columns(&places.expect("columns of the same unknowns")))
    }
}

/// The value at an instant, by the polynomial through the four samples about it (Lagrange).
fn interpolated(times: &[f64], values: &[f64], t: f64) -> f64 {
    let after = times.partition_point(|&time| time < t);
    let many = NEIGHBOURS.min(times.len());
    let first = after.saturating_sub(NEIGHBOURS / 2).min(times.len() - many);
    (first..first + many)
        .map(|i| {
            let others = (first..first + many).filter(|&k| k != i);
            values[i] * others.map(|k| (t - times[k]) / (times[i] - times[k])).product::<f64>()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_interpolated_exactly() {
        let times: Vec<f64> = (0..9).map(|k| 0.1 * f64::from(k)).collect();
        let cubic = |t: f64| 1.0 - t + 2.0 * t * t - 3.0 * t * t * t;
        let values: Vec<f64> = times.iter().map(|&t| cubic(t)).collect();
        for t in [0.0, 0.03, 0.31, 0.4, 0.77, 0.8] {
            assert!((interpolated(&times, &values, t) - cubic(t)).abs() < 1e-12, "{t}");
        }
    }
}
