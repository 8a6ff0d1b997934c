//! Instruments by simulation (IDIM-IV): the robot that was found moves in the loop that a recording was made in.

use super::error::{IdentifyError, SimulationError};
use super::recording::{Measured, Recorder, Recording};
use crate::data::{Filter, Measurement};
use crate::identified::{Source, describe};
use crate::observation::Observation;
use crate::parameters::Model;
use appell::Robot;
use appell::description::Description;
use appell_simulation::scenario::{Scenario, Watch};
use core::ops::ControlFlow;

/// Samples of an interpolation.
const NEIGHBOURS: usize = 4;

/// By this part of itself a recording may last longer than its simulation: rounding.
const ROUNDING: f64 = 1e-6;

/// The loop that a recording was made in.
#[derive(Debug, Clone)]
pub struct Loop {
    /// What the scenario is called.
    pub name: String,
    /// Reference, controller and signals. Its robot does not matter, but its changes apply to the one that was found.
    pub scenario: Scenario,
}

/// The loops of all recordings, with what was recorded in them.
pub(super) struct Loops<'l> {
    description: &'l Description,
    recorder: Recorder<'l>,
    filter: &'l Filter,
    all: Vec<(Loop, Source, Vec<Measurement>)>, // without signals
}

impl<'l> Loops<'l> {
    pub(super) fn new(
        loops: &[Loop],
        description: &'l Description,
        recorder: Recorder<'l>,
        filter: &'l Filter,
        data: &[Measured],
    ) -> Result<Self, IdentifyError> {
        if loops.len() != data.len() {
            let (found, expected) = (loops.len(), data.len());
            return Err(IdentifyError::Instruments { what: "scenario", found, expected });
        }
        let instants = |piece: &Measurement| Measurement {
            joints: piece.joints.clone(),
            time: piece.time.clone(),
            clock: piece.clock,
            q: Vec::new(),
            v: None,
            effort: Vec::new(),
            left_out: piece.left_out.clone(),
        };
        let with_step = |(given, data): (&Loop, &Measured)| {
            let mut own = given.clone();
            own.scenario.record_every(data.pieces[0].clock.step);
            (own, data.source.clone(), data.pieces.iter().map(instants).collect())
        };
        Ok(Self { description, recorder, filter, all: loops.iter().zip(data).map(with_step).collect() })
    }

    /// The equations of simulations with these parameters, for the columns of `asked`; their right sides mean nothing.
    pub(super) fn equations(&self, model: &Model, values: &[f64], asked: &Model) -> Result<Observation, IdentifyError> {
        let identified = describe(self.description, model, values)?;
        let no_robot =
            |cause| IdentifyError::Simulation { name: "the identified robot".into(), cause: Box::new(cause) };
        let machine = Robot::new(identified).map_err(|error| no_robot(error.into()))?;
        let mut all: Vec<Observation> = Vec::with_capacity(self.all.len());
        for (Loop { name, scenario }, source, recorded) in &self.all {
            let failed =
                |cause: SimulationError| IdentifyError::Simulation { name: name.clone(), cause: Box::new(cause) };
            let simulated = simulated(scenario, &machine, recorded).map_err(failed)?;
            let made = Recording::new(source.clone(), simulated, &self.recorder, self.filter, None);
            all.push(made.map_err(|cause| failed(cause.into()))?.equations);
        }
        let equations = all.into_iter().reduce(|all, next| all.followed_by(&next)).ok_or(IdentifyError::NoData)?;
        let place = |column| equations.model().columns().iter().position(|own| own == column);
        let places: Option<Vec<usize>> = asked.columns().iter().map(place).collect();
        Ok(equations.with_columns(&places.expect("columns of the same unknowns")))
    }
}

/// The motion of a robot in a scenario, at the instants of the pieces of a recording.
fn simulated(
    scenario: &Scenario,
    machine: &Robot,
    recorded: &[Measurement],
) -> Result<Vec<Measurement>, SimulationError> {
    let (mut times, mut rows) = (Vec::new(), vec![Vec::new(); machine.drives().len()]);
    let outcome = scenario.play(machine, Watch::default(), |moment| {
        if times.last().is_none_or(|&last| moment.view.t > last) {
            times.push(moment.view.t);
            rows.iter_mut().zip(moment.drives).for_each(|(row, &joint)| row.push(moment.view.q[joint]));
        }
        ControlFlow::Continue(())
    })?;
    if let Some(stop) = outcome.stop {
        return Err(SimulationError::Stopped(stop));
    }
    let of_piece = |piece: &Measurement| {
        let [begin, end] = [piece.time[0], piece.time[piece.time.len() - 1]];
        if begin < times[0] || times.last().is_none_or(|last| end > last + ROUNDING * end.abs()) {
            return Err(SimulationError::Span { scenario: [times[0], outcome.t], recording: [begin, end] });
        }
        let at_instants = |row: &Vec<f64>| piece.time.iter().map(|&t| interpolated(&times, row, t)).collect();
        let effort = vec![vec![0.0; piece.time.len()]; rows.len()];
        Ok(Measurement { q: rows.iter().map(at_instants).collect(), v: None, effort, ..piece.clone() })
    };
    recorded.iter().map(of_piece).collect()
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
