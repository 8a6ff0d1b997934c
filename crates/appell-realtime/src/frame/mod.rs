//! Frames: what crosses between a controller and its robot, as bytes.
//!
//! All numbers are little-endian; a frame is a whole number of words of 8 bytes. Its length follows from the robot and does
//! not change in a run.
//!
//! | word | bytes | what |
//! |---|---|---|
//! | 0 | 0–3 | `APPL` |
//! | | 4–5 | version, 1 |
//! | | 6 | kind: 1 sensors, 2 outputs, 3 hello, 4 welcome, 5 an operator's order |
//! | | 7 | of sensors: bit 0 the brakes are on, bit 1 truth follows, bit 2 with a platform, bit 3 the robot has ended the trial, bit 4 the circuit of the emergency stop is open; of outputs: 0 run, 1 brake, 2 end |
//! | 1 | | the run, a random number that both sides agree on |
//! | 2 | | sequence number: the number of the sample, of outputs that of the sample they answer |
//! | 3 | | time stamp: the sender's monotonic clock, ns |
//! | 4 | | time of the sample since the beginning of the run, s (f64) |
//! | 5 | 0–1 | number of drives, n |
//! | | 2–3 | number of digital outputs |
//! | | 4–5 | code of a fault, 0 where there is none |
//! | | 6–7 | its drive, 65535 where it is of no drive |
//! | 6, 7 | | what was found and what was allowed (f64) |
//! | 8 | | of sensors: bit i, over-temperature of drive i; of outputs: bit i, digital output i |
//! | 9 | 0–3 | joints and independent velocities of the truth, 2 bytes each; zero without |
//! | | 4–7 | of sensors: outputs that were taken so far (of sample k the last where it is k + 1), modulo 2³² |
//! | 10 … | | sensors: n measured positions, n speeds, n torques and forces that came of the last outputs; outputs: n wanted torques and forces (f64) |
//! | … | | truth: positions and velocities of all joints, independent velocities, kinetic and potential energy; of a platform rotation by rows, position, twist |
//! | last | 0–3 | CRC-32 (IEEE) of all bytes before this word |
//!
//! A file of frames, `frames.bin`, may have one more between a sample and what was made of it, of the kind 5: what an operator has ordered
//! of the reference. Byte 7 is 0 to hold, 1 to go home, 2 to jog a drive, 3 to jog tool or platform, 4 to go to positions, 5 to follow the
//! trajectory, 6 to be at rest at positions; word 8 is the number of the drive or direction, counted from 0, and from word 10 on stand
//! the speed or the positions.
//!
//! Hello and welcome have the digest of the trial in words 10 to 13, the period in word 14, and in word 15 bit 0
//! where the two sides go in lockstep, bit 1 where the run has no end of its own.

mod agreement;
mod border;
mod order;

pub use agreement::Agreement;
pub use border::longest;

use appell_simulation::control::sampled::Fault;

/// The first bytes.
const MAGIC: [u8; 4] = *b"APPL";

/// The version of the layout.
pub const VERSION: u16 = 1;

/// Drives and digital outputs that a frame has room for.
pub const MOST: usize = 64;

/// Words before the numbers.
const HEAD: usize = 10;

/// No drive.
const NO_DRIVE: u16 = u16::MAX;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Of the robot.
    Sensors = 1,
    /// Of the controller.
    Outputs = 2,
    /// A controller asks for a run.
    Hello = 3,
    /// The robot agrees.
    Welcome = 4,
    /// Of an operator, in files alone.
    Order = 5,
}

/// Why bytes are not a frame of this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum FrameError {
    #[error("{found} bytes are not a frame of this robot, which has {expected}")]
    Length { found: usize, expected: usize },
    #[error("these bytes are not a frame")]
    Magic,
    #[error("the frame has version {found}; expected {VERSION}")]
    Version { found: u16 },
    #[error("the frame is damaged: its checksum is another")]
    Checksum,
    #[error("the frame is of another kind")]
    Kind,
    #[error("the frame is of another run")]
    Run,
    #[error("the frame is of a robot with other drives")]
    Drives,
}

/// A frame under construction, or one that was received.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    bytes: Vec<u8>,
}

impl Frame {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Room for the bytes of a frame that is received.
    pub fn room(&mut self, length: usize) -> &mut [u8] {
        self.bytes.resize(length, 0);
        &mut self.bytes
    }

    /// What kind of frame it is, if it is one, and is whole.
    ///
    /// # Errors
    /// If it is not.
    pub fn kind(&self) -> Result<Kind, FrameError> {
        kind(&self.bytes)
    }

    /// The run that it is of.
    #[must_use]
    pub fn run(&self) -> u64 {
        word(&self.bytes, 1)
    }

    /// Its sequence number.
    #[must_use]
    pub fn sample(&self) -> u64 {
        word(&self.bytes, 2)
    }

    /// Its time stamp, ns of the sender's clock.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        word(&self.bytes, 3)
    }

    fn expect(&self, kind: Kind, run: u64, drives: usize) -> Result<u8, FrameError> {
        if self.kind()? != kind {
            return Err(FrameError::Kind);
        }
        if self.run() != run {
            return Err(FrameError::Run);
        }
        if (word(&self.bytes, 5) & 0xffff) as usize != drives {
            return Err(FrameError::Drives);
        }
        Ok(self.bytes[7])
    }

    fn expect_words(&self, words: usize) -> Result<(), FrameError> {
        let (found, expected) = (self.bytes.len(), 8 * words);
        if found == expected { Ok(()) } else { Err(FrameError::Length { found, expected }) }
    }

    fn read(&self, at: usize, numbers: &mut [f64]) -> usize {
        for (k, value) in numbers.iter_mut().enumerate() {
            *value = number(&self.bytes, at + k);
        }
        at + numbers.len()
    }

    fn begin(&mut self, kind: Kind, flags: u8, words: [u64; 3], t: f64) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&MAGIC);
        self.bytes.extend_from_slice(&VERSION.to_le_bytes());
        self.bytes.extend_from_slice(&[kind as u8, flags]);
        words.into_iter().for_each(|word| self.word(word));
        self.numbers(&[t]);
    }

    fn counts(&mut self, drives: usize, grippers: usize, fault: Option<Fault>) {
        let code = fault.map_or(0, |fault| fault.kind.code());
        let drive = fault.and_then(|fault| fault.drive).and_then(|drive| u16::try_from(drive).ok());
        let drive = drive.unwrap_or(NO_DRIVE);
        self.word(drives as u64 | (grippers as u64) << 16 | u64::from(code) << 32 | u64::from(drive) << 48);
        let [value, limit] = fault.map_or([0.0; 2], |fault| [fault.value, fault.limit]);
        self.numbers(&[value, limit]);
    }

    fn word(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[f64]) {
        for number in numbers {
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn finish(&mut self) {
        let sum = crc32fast::hash(&self.bytes);
        self.word(u64::from(sum));
    }
}

fn kind(bytes: &[u8]) -> Result<Kind, FrameError> {
    if bytes.len() < 8 * (HEAD + 1) || !bytes.len().is_multiple_of(8) {
        return Err(FrameError::Length { found: bytes.len(), expected: 8 * (HEAD + 1) });
    }
    if bytes[..4] != MAGIC {
        return Err(FrameError::Magic);
    }
    let (body, sum) = bytes.split_at(bytes.len() - 8);
    if u64::from(crc32fast::hash(body)) != word(sum, 0) {
        return Err(FrameError::Checksum);
    }
    let found = u16::from_le_bytes([bytes[4], bytes[5]]);
    if found != VERSION {
        return Err(FrameError::Version { found });
    }
    [Kind::Sensors, Kind::Outputs, Kind::Hello, Kind::Welcome, Kind::Order]
        .into_iter()
        .find(|kind| *kind as u8 == bytes[6])
        .ok_or(FrameError::Kind)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[8 * at..8 * at + 8]);
    u64::from_le_bytes(word)
}

fn number(bytes: &[u8], at: usize) -> f64 {
    f64::from_bits(word(bytes, at))
}

fn bits(all: &[bool]) -> u64 {
    all.iter().enumerate().map(|(k, &on)| u64::from(on) << k).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::dynamics::energy::Energy;
    use appell::spatial::{Mat3, Pose, Twist, Vec3};
    use appell_simulation::control::operated::{Order, Positions};
    use appell_simulation::control::sampled::{FaultKind, Mode, Outputs, Sensors, Truth};

    fn sensors() -> Sensors {
        let mut sensors = Sensors::new(3);
        (sensors.sample, sensors.t, sensors.braked) = (7, 0.007, true);
        (sensors.ended, sensors.taken) = (true, 7);
        sensors.q = vec![0.1, -0.0, f64::NAN];
        sensors.v = vec![1.0, f64::INFINITY, -3.5];
        sensors.applied = vec![1e-300, 2.0, 3.0];
        sensors.hot = vec![false, true, false];
        sensors.fault = Some(Fault::of_drive(FaultKind::SensorJump, 2, 0.5, 0.1));
        let twist = Twist { linear: Vec3::new(1.0, 2.0, 3.0), angular: Vec3::new(4.0, 5.0, 6.0) };
        let rotation = Mat3::skew(Vec3::new(0.1, 0.2, 0.3));
        let platform = Some((Pose { position: Vec3::new(7.0, 8.0, 9.0), rotation }, twist));
        let energy = Energy { kinetic: 1.5, potential: -2.5 };
        sensors.truth = Some(Truth { q: vec![1.0; 5], v: vec![2.0; 5], r: vec![3.0; 2], platform, energy });
        sensors
    }

    fn bits_of(sensors: &Sensors) -> Vec<u64> {
        sensors.q.iter().chain(&sensors.v).chain(&sensors.applied).map(|x| x.to_bits()).collect()
    }

    #[test]
    fn frames_come_back_with_the_same_bits() {
        let (mut frame, sent) = (Frame::default(), sensors());
        frame.put_sensors(42, 1000, &sent);
        assert!(frame.bytes().len() <= longest(3, 5, 2));
        let mut found = Sensors::new(3);
        frame.sensors(42, &mut found).unwrap();
        assert_eq!(bits_of(&found), bits_of(&sent));
        assert_eq!((found.sample, found.t, found.braked, found.fault), (7, 0.007, true, sent.fault));
        assert!(found.ended && found.taken == 7);
        assert_eq!((&found.hot, &found.truth), (&sent.hot, &sent.truth));
        assert_eq!((frame.run(), frame.stamp(), frame.kind()), (42, 1000, Ok(Kind::Sensors)));

        let mut outputs = Outputs::new(3, 2);
        (outputs.sample, outputs.mode) = (9, Mode::Brake);
        outputs.efforts = vec![-1.0, 0.25, 3e9];
        outputs.grippers = vec![true, false];
        outputs.fault = Some(Fault::of_all(FaultKind::EmergencyStop, 1.0, 0.0));
        frame.put_outputs(42, 5, 0.009, &outputs);
        let mut found = Outputs::new(3, 2);
        frame.outputs(42, &mut found).unwrap();
        assert_eq!(found, outputs);
        let agreement = Agreement { run: 3, digest: [9; 32], period: 1e-3, lockstep: true, endless: false, drives: 6 };
        frame.put_agreement(Kind::Hello, 0, &agreement);
        assert_eq!(frame.agreement(Kind::Hello), Ok(agreement));
        assert_eq!(frame.agreement(Kind::Welcome), Err(FrameError::Kind));
    }

    #[test]
    fn so_do_orders() {
        let positions = Positions::of(&[0.25, -1e-300, 3.0]);
        for order in [
            Order::Hold,
            Order::Home,
            Order::Jog { drive: 2, speed: -0.5 },
            Order::JogFreedom { freedom: 5, speed: 1e-9 },
            Order::GoTo(positions),
            Order::Follow,
            Order::Restart(positions),
        ] {
            let mut frame = Frame::default();
            frame.put_order(7, 0.007, &order);
            assert_eq!((frame.order(), frame.sample(), frame.kind()), (Ok(order), 7, Ok(Kind::Order)));
            assert_eq!(Frame::length_at(frame.bytes()), Some(frame.bytes().len()));
            let mut damaged = frame.clone();
            damaged.room(frame.bytes().len()).copy_from_slice(frame.bytes());
            damaged.bytes[7] = 9;
            assert_eq!(damaged.order(), Err(FrameError::Checksum));
        }
        let mut frame = Frame::default();
        frame.put_outputs(0, 0, 0.0, &Outputs::new(3, 1));
        assert_eq!((frame.order(), Frame::length_at(frame.bytes())), (Err(FrameError::Kind), None));
    }

    #[test]
    fn damaged_and_foreign_frames_are_refused() {
        let mut frame = Frame::default();
        frame.put_sensors(42, 1000, &sensors());
        let (whole, mut found) = (frame.bytes().to_vec(), Sensors::new(3));
        assert_eq!(frame.sensors(43, &mut found), Err(FrameError::Run));
        assert_eq!(frame.sensors(42, &mut Sensors::new(2)), Err(FrameError::Drives));
        assert_eq!(frame.outputs(42, &mut Outputs::new(3, 0)), Err(FrameError::Kind));
        for k in 0..whole.len() - 4 {
            let bytes = frame.room(whole.len());
            bytes.copy_from_slice(&whole);
            bytes[k] ^= 1 << (k % 8);
            assert!(frame.sensors(42, &mut found).is_err(), "byte {k}");
        }
        for length in 0..whole.len() {
            frame.room(length).copy_from_slice(&whole[..length]);
            assert!(frame.sensors(42, &mut found).is_err(), "{length} bytes");
        }
        assert_eq!(found, Sensors::new(3), "nothing is taken over");
    }
}
