//! Sensors and outputs as frames.

use super::{Frame, FrameError, HEAD, Kind, NO_DRIVE, bits, number, word};
use appell::dynamics::energy::Energy;
use appell::spatial::{Mat3, Pose, Twist, Vec3};
use appell_simulation::control::sampled::{Fault, FaultKind, Mode, Outputs, Sensors, Truth};

impl Frame {
    /// Writes what a robot says.
    pub fn put_sensors(&mut self, run: u64, stamp: u64, sensors: &Sensors) {
        let platform = sensors.truth.as_ref().and_then(|truth| truth.platform);
        let flags =
            [sensors.braked, sensors.truth.is_some(), platform.is_some(), sensors.ended, sensors.emergency_stop];
        let flags = bits(&flags) as u8;
        self.begin(Kind::Sensors, flags, [run, sensors.sample, stamp], sensors.t);
        self.counts(sensors.q.len(), 0, sensors.fault);
        self.word(bits(&sensors.hot));
        let joints = sensors.truth.as_ref().map_or((0, 0), |truth| (truth.q.len(), truth.r.len()));
        self.word(joints.0 as u64 | (joints.1 as u64) << 16 | sensors.taken << 32);
        for numbers in [&sensors.q, &sensors.v, &sensors.applied] {
            self.numbers(numbers);
        }
        if let Some(truth) = &sensors.truth {
            for numbers in [&truth.q, &truth.v, &truth.r] {
                self.numbers(numbers);
            }
            self.numbers(&[truth.energy.kinetic, truth.energy.potential]);
            if let Some((pose, twist)) = truth.platform {
                self.numbers(&pose.to_array());
                self.numbers(&twist.to_array());
            }
        }
        self.finish();
    }

    /// Writes what a controller wants at the time of a sample, s.
    pub fn put_outputs(&mut self, run: u64, stamp: u64, t: f64, outputs: &Outputs) {
        let mode = match outputs.mode {
            Mode::Run => 0,
            Mode::Brake => 1,
            Mode::End => 2,
        };
        self.begin(Kind::Outputs, mode, [run, outputs.sample, stamp], t);
        self.counts(outputs.efforts.len(), outputs.grippers.len(), outputs.fault);
        self.word(bits(&outputs.grippers));
        self.word(0);
        self.numbers(&outputs.efforts);
        self.finish();
    }

    /// Reads what a robot says; nothing is allocated after the first time.
    ///
    /// # Errors
    /// If it is no such frame, or of a robot with other drives than `sensors` has room for.
    pub fn sensors(&self, run: u64, sensors: &mut Sensors) -> Result<(), FrameError> {
        let flags = self.expect(Kind::Sensors, run, sensors.q.len())?;
        let n = sensors.q.len();
        let counts = word(&self.bytes, 9);
        let (joints, velocities) = ((counts & 0xffff) as usize, (counts >> 16 & 0xffff) as usize);
        let has_truth = flags & 2 != 0;
        let more = if has_truth { 2 * joints + velocities + 2 + if flags & 4 != 0 { 18 } else { 0 } } else { 0 };
        self.expect_words(HEAD + 3 * n + more + 1)?;
        (sensors.sample, sensors.t) = (self.sample(), number(&self.bytes, 4));
        (sensors.braked, sensors.ended, sensors.taken) = (flags & 1 != 0, flags & 8 != 0, counts >> 32);
        sensors.emergency_stop = flags & 16 != 0;
        sensors.fault = self.fault();
        unpack(word(&self.bytes, 8), &mut sensors.hot);
        let mut at = HEAD;
        for numbers in [&mut sensors.q, &mut sensors.v, &mut sensors.applied] {
            at = self.read(at, numbers);
        }
        if !has_truth {
            sensors.truth = None;
            return Ok(());
        }
        let truth = sensors.truth.get_or_insert_with(Truth::default);
        for (numbers, length) in [(&mut truth.q, joints), (&mut truth.v, joints), (&mut truth.r, velocities)] {
            numbers.resize(length, 0.0);
            at = self.read(at, numbers);
        }
        let mut energy = [0.0; 2];
        at = self.read(at, &mut energy);
        truth.energy = Energy { kinetic: energy[0], potential: energy[1] };
        truth.platform = (flags & 4 != 0).then(|| {
            let mut numbers = [0.0; 18];
            self.read(at, &mut numbers);
            let vector = |k: usize| Vec3::new(numbers[k], numbers[k + 1], numbers[k + 2]);
            let rotation = Mat3::from_rows([vector(0), vector(3), vector(6)]);
            let pose = Pose { position: vector(9), rotation };
            (pose, Twist { linear: vector(12), angular: vector(15) })
        });
        Ok(())
    }

    /// Reads what a controller wants.
    ///
    /// # Errors
    /// If it is no such frame, or of a robot with other drives than `outputs` has room for.
    pub fn outputs(&self, run: u64, outputs: &mut Outputs) -> Result<(), FrameError> {
        let mode = self.expect(Kind::Outputs, run, outputs.efforts.len())?;
        self.expect_words(HEAD + outputs.efforts.len() + 1)?;
        if (word(&self.bytes, 5) >> 16 & 0xffff) as usize != outputs.grippers.len() {
            return Err(FrameError::Drives);
        }
        outputs.mode = match mode {
            0 => Mode::Run,
            2 => Mode::End,
            _ => Mode::Brake,
        };
        outputs.sample = self.sample();
        outputs.fault = self.fault();
        unpack(word(&self.bytes, 8), &mut outputs.grippers);
        self.read(HEAD, &mut outputs.efforts);
        Ok(())
    }

    fn fault(&self) -> Option<Fault> {
        let counts = word(&self.bytes, 5);
        let kind = FaultKind::of_code((counts >> 32) as u16)?;
        let drive = (counts >> 48) as u16;
        let drive = (drive != NO_DRIVE).then_some(usize::from(drive));
        Some(Fault { kind, drive, value: number(&self.bytes, 6), limit: number(&self.bytes, 7) })
    }
}

/// Bytes that the frames of a robot take at most: of both directions, with all that a simulated robot knows.
#[must_use]
pub fn longest(drives: usize, joints: usize, velocities: usize) -> usize {
    8 * (HEAD + (3 * drives + 2 * joints + velocities + 2 + 18).max(6) + 1)
}

fn unpack(bits: u64, all: &mut [bool]) {
    all.iter_mut().enumerate().for_each(|(k, on)| *on = bits >> k & 1 == 1);
}
