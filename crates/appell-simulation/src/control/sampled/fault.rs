//! What can be wrong with a controlled robot: every fault has a code, which frames and records carry.

use appell::description::plain;
use core::fmt;

/// What is wrong. The numbers are the codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum FaultKind {
    /// A motor is too hot.
    OverTemperature = 1,
    /// Somebody has asked for it.
    EmergencyStop = 2,
    /// A joint is beyond its limits.
    Position = 10,
    /// A joint is too fast.
    Velocity = 11,
    /// The law wants more than a drive may give.
    Effort = 12,
    /// A drive is too far from where it should be.
    Tracking = 13,
    /// A sensor gives NaN or an infinite number.
    SensorNotFinite = 20,
    /// A sensor says what cannot be: a position far beyond the limits.
    SensorRange = 21,
    /// A sensor jumps faster than its joint can move.
    SensorJump = 22,
    /// A sensor stands still while its drive should move.
    SensorFrozen = 23,
    /// The computer hears nothing of the robot any more.
    SensorsLost = 30,
    /// The robot hears nothing of the computer any more.
    OutputsLost = 31,
    /// Frames come that are damaged.
    Corrupt = 32,
    /// The robot's own boards have failed.
    HardwareFailed = 33,
    /// The law has given up.
    LawFailed = 40,
    /// The law wants NaN or an infinite torque.
    LawNotFinite = 41,
    /// The law takes longer than a period.
    LawLate = 42,
    /// The law has crashed.
    LawCrashed = 43,
    /// The clock has jumped.
    ClockJump = 50,
    /// The machine has slept.
    Suspended = 51,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::OverTemperature,
        Self::EmergencyStop,
        Self::Position,
        Self::Velocity,
        Self::Effort,
        Self::Tracking,
        Self::SensorNotFinite,
        Self::SensorRange,
        Self::SensorJump,
        Self::SensorFrozen,
        Self::SensorsLost,
        Self::OutputsLost,
        Self::Corrupt,
        Self::HardwareFailed,
        Self::LawFailed,
        Self::LawNotFinite,
        Self::LawLate,
        Self::LawCrashed,
        Self::ClockJump,
        Self::Suspended,
    ];

    /// Its code.
    #[must_use]
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// The fault of a code.
    #[must_use]
    pub fn of_code(code: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// What it is called in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OverTemperature => "over-temperature",
            Self::EmergencyStop => "emergency-stop",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Effort => "effort",
            Self::Tracking => "tracking",
            Self::SensorNotFinite => "sensor-not-finite",
            Self::SensorRange => "sensor-range",
            Self::SensorJump => "sensor-jump",
            Self::SensorFrozen => "sensor-frozen",
            Self::SensorsLost => "sensors-lost",
            Self::OutputsLost => "outputs-lost",
            Self::Corrupt => "corrupt-frames",
            Self::HardwareFailed => "hardware-failed",
            Self::LawFailed => "law-failed",
            Self::LawNotFinite => "law-not-finite",
            Self::LawLate => "law-late",
            Self::LawCrashed => "law-crashed",
            Self::ClockJump => "clock-jump",
            Self::Suspended => "suspended",
        }
    }

    /// Whether what is measured can still be believed, so that drives may brake before the brakes do.
    #[must_use]
    pub const fn can_brake_by_torque(self) -> bool {
        matches!(
            self,
            Self::OverTemperature
                | Self::EmergencyStop
                | Self::Position
                | Self::Velocity
                | Self::Effort
                | Self::Tracking
                | Self::LawFailed
                | Self::LawNotFinite
                | Self::LawLate
        )
    }
}

/// A fault, where it is, and by how much. It is a few plain numbers, so that it costs nothing to report one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The drive, if it is one.
    pub drive: Option<usize>,
    /// What was found, in the unit of its kind.
    pub value: f64,
    /// What was allowed.
    pub limit: f64,
}

impl Fault {
    /// A fault of a drive.
    #[must_use]
    pub const fn of_drive(kind: FaultKind, drive: usize, value: f64, limit: f64) -> Self {
        Self { kind, drive: Some(drive), value, limit }
    }

    /// A fault of no drive alone.
    #[must_use]
    pub const fn of_all(kind: FaultKind, value: f64, limit: f64) -> Self {
        Self { kind, drive: None, value, limit }
    }

    /// When it was, with the name of its joint.
    #[must_use]
    pub fn at(self, t: f64, names: &[String]) -> Trip {
        let joint = self.drive.and_then(|drive| names.get(drive)).cloned().unwrap_or_default();
        Trip { t, fault: self, joint }
    }
}

/// Why and when a robot was stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Trip {
    /// The sample at which it was seen, s.
    pub t: f64,
    /// What was wrong.
    pub fault: Fault,
    /// The joint of the drive, if it is one.
    pub joint: String,
}

impl core::error::Error for Trip {}

impl fmt::Display for Trip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { t, fault: Fault { kind, value, limit, .. }, joint } = self;
        let [t, value, limit] = [*t, *value, *limit].map(plain);
        write!(f, "at t = {t} s a safe stop: ")?;
        match kind {
            FaultKind::OverTemperature => write!(f, "over-temperature of the motor of joint `{joint}`"),
            FaultKind::EmergencyStop => write!(f, "emergency stop"),
            FaultKind::Position => write!(f, "joint `{joint}` is at {value}, beyond its limit {limit}"),
            FaultKind::Velocity => write!(f, "joint `{joint}` moves at {value}, beyond its limit {limit}"),
            FaultKind::Effort => write!(f, "the law wants {value} of joint `{joint}`, beyond its limit {limit}"),
            FaultKind::Tracking => write!(f, "joint `{joint}` is off its reference by {value}, more than {limit}"),
            FaultKind::SensorNotFinite => write!(f, "the sensor of joint `{joint}` gives {value}"),
            FaultKind::SensorRange => {
                write!(f, "the sensor of joint `{joint}` says {value}, where it cannot be: its limit is {limit}")
            }
            FaultKind::SensorJump => {
                write!(f, "the sensor of joint `{joint}` jumps by {value} in a period, more than {limit}")
            }
            FaultKind::SensorFrozen => {
                write!(f, "the sensor of joint `{joint}` has not changed while its reference moved by {value}")
            }
            FaultKind::SensorsLost => write!(f, "no sensors for {value} periods, more than {limit}"),
            FaultKind::OutputsLost => write!(f, "the robot had no outputs for {value} periods, more than {limit}"),
            FaultKind::Corrupt => write!(f, "{value} damaged frames in a row, more than {limit}"),
            FaultKind::HardwareFailed if joint.is_empty() => write!(f, "the hardware has failed, status {value}"),
            FaultKind::HardwareFailed => write!(f, "the hardware of joint `{joint}` has failed, status {value}"),
            FaultKind::LawFailed => write!(f, "the law cannot go on"),
            FaultKind::LawNotFinite if joint.is_empty() => write!(f, "the law has a state that is not finite"),
            FaultKind::LawNotFinite => write!(f, "the law wants {value} of joint `{joint}`"),
            FaultKind::LawLate => write!(f, "the law took {value} s, the period is {limit} s"),
            FaultKind::LawCrashed if value == "0" => write!(f, "the law has ended the controller's process"),
            FaultKind::LawCrashed => write!(f, "the law has crashed with signal {value}"),
            FaultKind::ClockJump => write!(f, "the clock jumped by {value} s, more than {limit} s"),
            FaultKind::Suspended => write!(f, "the machine was suspended for {value} s, more than {limit} s"),
        }?;
        write!(f, " (fault {})", kind.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back_to_their_faults() {
        for kind in FaultKind::ALL {
            assert_eq!(FaultKind::of_code(kind.code()), Some(kind));
            let trip = Fault::of_drive(kind, 1, 2.0, 1.0).at(0.5, &["a".into(), "b".into()]);
            assert!(trip.to_string().contains(&format!("(fault {})", kind.code())) && trip.joint == "b");
        }
        let mut names: Vec<_> = FaultKind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FaultKind::ALL.len());
        assert_eq!(FaultKind::of_code(0), None);
    }
}
