//! Which elements lie between a controller and each drive.

use super::SafeStop;
use crate::control::signal::{
    AnalogOutput, Counter, Differentiator, Encoder, Gripper, Noise, Potentiometer, SignalError, ThermalSwitch,
};

/// How the position of a drive is measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Position {
    /// As it is.
    #[default]
    Exact,
    /// By counts. The start is read from a potentiometer; without one it is known.
    Encoder {
        /// The encoder.
        encoder: Encoder,
        /// What says where the counts begin.
        start: Option<Potentiometer>,
    },
}

/// How the speed of a drive is measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Speed {
    /// As it is, by an ideal tachometer.
    #[default]
    Exact,
    /// By the difference of two positions; see [`Differentiator`]. The robot is thought to begin at rest.
    Difference {
        /// Angular frequency of a low-pass, rad/s.
        cutoff: Option<f64>,
    },
}

/// The elements of one drive; a default one is ideal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// How its position is measured.
    pub position: Position,
    /// How its speed is measured.
    pub speed: Speed,
    /// What its torques and forces pass; none lets them through as they are.
    pub output: Option<AnalogOutput>,
    /// What says that its motor is too hot.
    pub over_temperature: Option<ThermalSwitch>,
}

/// All elements of a robot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chain {
    /// One a drive.
    pub axes: Vec<Axis>,
    /// Digital outputs.
    pub grippers: Vec<Gripper>,
    /// What happens at a trip.
    pub safe_stop: SafeStop,
    /// Of all noise.
    pub seed: u64,
}

impl Chain {
    /// The same elements at each of some drives.
    #[must_use]
    pub fn of(axis: Axis, drives: usize) -> Self {
        Self { axes: vec![axis; drives], ..Self::default() }
    }

    /// Refuses what does not fit drives of these names.
    pub(super) fn check(&self, names: &[String], period: f64) -> Result<(), SignalError> {
        if self.axes.len() != names.len() {
            return Err(SignalError::Length { what: "axes", found: self.axes.len(), expected: names.len() });
        }
        for (axis, joint) in self.axes.iter().zip(names) {
            if let Speed::Difference { cutoff } = axis.speed {
                Differentiator::new(period, cutoff, 0.0)?;
            }
            let Position::Encoder { encoder, start: Some(start) } = &axis.position else { continue };
            let accuracy = start.accuracy();
            if let Some(turn) = encoder.index_distance().filter(|turn| 2.0 * accuracy >= *turn) {
                return Err(SignalError::Ambiguous { joint: joint.clone(), accuracy, turn });
            }
        }
        self.safe_stop.check(names.len())
    }
}

/// The chain of one drive at work.
#[derive(Debug, Clone)]
pub(super) struct Wire {
    counter: Option<Counter>,
    differentiator: Option<Differentiator>,
    output: Option<AnalogOutput>,
    pub(super) over_temperature: Option<ThermalSwitch>,
}

impl Wire {
    /// Switches a checked axis on with its joint at `position`; none if that is beyond its potentiometer's range.
    pub(super) fn switch_on(axis: &Axis, period: f64, position: f64, noise: &mut Noise) -> Option<Self> {
        let counter = match &axis.position {
            Position::Exact => None,
            Position::Encoder { encoder, start } => {
                let read = start.map(|start| start.read(position, noise));
                if read.is_some_and(|read| read.clipped) {
                    return None;
                }
                Some(Counter::switch_on(*encoder, position, read.map_or(position, |read| read.value)))
            }
        };
        let differentiator = match axis.speed {
            Speed::Exact => None,
            Speed::Difference { cutoff } => {
                let begin = if counter.is_some() { 0.0 } else { position };
                Some(Differentiator::new(period, cutoff, begin).expect("the chain was checked"))
            }
        };
        Some(Self { counter, differentiator, output: axis.output, over_temperature: axis.over_temperature.clone() })
    }

    /// Position and speed as they are measured, from what they are.
    pub(super) fn measure(&mut self, position: f64, speed: f64) -> (f64, f64) {
        let (position, way) = match &mut self.counter {
            None => (position, position),
            Some(counter) => {
                counter.read(position);
                (counter.position(), counter.travelled())
            }
        };
        (position, self.differentiator.as_mut().map_or(speed, |differentiator| differentiator.next(way)))
    }

    /// The effort that comes of a wanted one.
    pub(super) fn write(&self, wanted: f64) -> f64 {
        self.output.map_or(wanted, |output| output.write(wanted).effort)
    }
}
