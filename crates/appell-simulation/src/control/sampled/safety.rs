//! What a computer watches: limits, tracking errors, and whether its sensors can be believed.

use super::{Fault, FaultKind, Sensors};

/// What is watched. A default one watches over-temperature and NaN alone; vectors have one value per drive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Safety {
    /// Least and largest measured positions, rad or m.
    pub position: Option<Vec<[f64; 2]>>,
    /// Largest measured speeds, rad/s or m/s.
    pub velocity: Option<Vec<f64>>,
    /// The most that the law may want, N m or N.
    pub effort: Option<Vec<f64>>,
    /// Largest distances between measured and wanted positions, rad or m.
    pub tracking: Option<Vec<f64>>,
    /// How far beyond `position` a measured position can be; farther, the sensor is wrong, not the joint. rad or m.
    pub range: Option<Vec<f64>>,
    /// Most that a measured position can change from sample to sample, rad or m.
    pub jump: Option<Vec<f64>>,
    /// A sensor that says the same while its reference moves is broken.
    pub frozen: Option<Frozen>,
    /// Periods that either side waits for the other before it puts the brakes on.
    pub watchdog: Option<u32>,
    /// Control steps in a row that may take longer than a period.
    pub late: Option<u32>,
    /// How long drives brake by torques before the brakes are put on, s.
    pub braking: f64,
    /// Within which time of a fault the robot is to be at rest, s; judged by trials.
    pub rest_within: Option<f64>,
}

/// When a sensor is frozen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frozen {
    /// Samples without any change.
    pub samples: u32,
    /// How far the reference has moved meanwhile, rad or m.
    pub travel: f64,
}

/// What watches, and what it remembers.
#[derive(Debug, Clone)]
pub(super) struct Monitor {
    safety: Safety,
    sample: u64,       // the last one
    before: Vec<f64>,  // measured at it
    changed: Vec<f64>, // where the reference was at the last change
    still: Vec<u32>,   // samples since then
    begun: bool,
}

impl Monitor {
    pub(super) fn new(safety: Safety, drives: usize) -> Self {
        Self {
            safety,
            sample: 0,
            before: vec![0.0; drives],
            changed: vec![0.0; drives],
            still: vec![0; drives],
            begun: false,
        }
    }

    pub(super) fn begin(&mut self) {
        self.begun = false;
        self.still.fill(0);
    }

    pub(super) fn safety(&self) -> &Safety {
        &self.safety
    }

    /// What is wrong with a sample, if something is; the sensors come first.
    pub(super) fn look(&mut self, sensors: &Sensors, wanted: Option<&[f64]>) -> Option<Fault> {
        let found = self.implausible(sensors, wanted).or_else(|| {
            let hot = sensors.hot.iter().position(|&hot| hot);
            hot.map(|drive| Fault::of_drive(FaultKind::OverTemperature, drive, 1.0, 0.0))
        });
        let pressed = sensors.emergency_stop.then(|| Fault::of_all(FaultKind::EmergencyStop, 1.0, 0.0));
        let found = found.or(pressed);
        let found = found.or_else(|| self.beyond(sensors, wanted));
        self.before.copy_from_slice(&sensors.q);
        (self.sample, self.begun) = (sensors.sample, true);
        found
    }

    /// What the law may not want.
    pub(super) fn too_much(&self, efforts: &[f64]) -> Option<Fault> {
        let most = self.safety.effort.as_ref()?;
        let drive = efforts.iter().zip(most).position(|(effort, most)| effort.abs() > *most)?;
        Some(Fault::of_drive(FaultKind::Effort, drive, efforts[drive], most[drive]))
    }

    fn implausible(&mut self, sensors: &Sensors, wanted: Option<&[f64]>) -> Option<Fault> {
        let passed_samples = sensors.sample.saturating_sub(self.sample).max(1); // some may have been missed
        for (drive, (&q, &v)) in sensors.q.iter().zip(&sensors.v).enumerate() {
            let of = |kind, value, limit| Some(Fault::of_drive(kind, drive, value, limit));
            if !(q.is_finite() && v.is_finite()) {
                return of(FaultKind::SensorNotFinite, if q.is_finite() { v } else { q }, 0.0);
            }
            if let (Some(range), Some(limits)) = (&self.safety.range, &self.safety.position)
                && let Some(limit) = passed(q, limits[drive], range[drive])
            {
                return of(FaultKind::SensorRange, q, limit);
            }
            if let Some(jump) = self.safety.jump.as_ref().filter(|_| self.begun)
                && (q - self.before[drive]).abs() > jump[drive] * passed_samples as f64
            {
                return of(FaultKind::SensorJump, q - self.before[drive], jump[drive]);
            }
        }
        let (frozen, wanted) = (self.safety.frozen?, wanted?);
        for (drive, &q) in sensors.q.iter().enumerate() {
            if !self.begun || q.to_bits() != self.before[drive].to_bits() {
                (self.still[drive], self.changed[drive]) = (0, wanted[drive]);
                continue;
            }
            self.still[drive] += 1;
            let travel = (wanted[drive] - self.changed[drive]).abs();
            if self.still[drive] >= frozen.samples && travel > frozen.travel {
                return Some(Fault::of_drive(FaultKind::SensorFrozen, drive, travel, frozen.travel));
            }
        }
        None
    }

    fn beyond(&self, sensors: &Sensors, wanted: Option<&[f64]>) -> Option<Fault> {
        let Safety { position, velocity, tracking, .. } = &self.safety;
        (0..sensors.q.len()).find_map(|drive| {
            let of = |kind, value, limit| Some(Fault::of_drive(kind, drive, value, limit));
            let (q, v) = (sensors.q[drive], sensors.v[drive]);
            if let Some(limit) = position.as_ref().and_then(|limits| passed(q, limits[drive], 0.0)) {
                return of(FaultKind::Position, q, limit);
            }
            if let Some(most) = velocity.as_ref().map(|most| most[drive]).filter(|most| v.abs() > *most) {
                return of(FaultKind::Velocity, v, most);
            }
            let error = q - wanted?[drive];
            let most = tracking.as_ref()?[drive];
            if error.abs() > most { of(FaultKind::Tracking, error, most) } else { None }
        })
    }
}

/// The limit that a value has passed by more than a margin.
fn passed(value: f64, [lower, upper]: [f64; 2], margin: f64) -> Option<f64> {
    if value < lower - margin {
        Some(lower)
    } else if value > upper + margin {
        Some(upper)
    } else {
        None
    }
}
