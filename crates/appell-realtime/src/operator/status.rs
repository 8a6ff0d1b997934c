//! What a robot does at an instant, of a fixed size, so that it passes from the control thread without allocation.

use super::facts::Facts;
use appell_simulation::control::operated::{Ending, MOST_DRIVES, Mode};
use serde_json::{Value, json};

/// The longest text of a fault, bytes.
const LONGEST_TEXT: usize = 120;

/// A fault: a code and a text, of a fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Its code; 0 is none.
    pub code: u16,
    text: [u8; LONGEST_TEXT],
    length: u8,
}

impl Default for Fault {
    fn default() -> Self {
        Self { code: 0, text: [0; LONGEST_TEXT], length: 0 }
    }
}

impl Fault {
    /// A fault; a text that is too long is cut.
    #[must_use]
    pub fn new(code: u16, text: &str) -> Self {
        let mut length = text.len().min(LONGEST_TEXT);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        let mut fault = Self { code, length: length as u8, ..Self::default() };
        fault.text[..length].copy_from_slice(&text.as_bytes()[..length]);
        fault
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        core::str::from_utf8(&self.text[..usize::from(self.length)]).unwrap_or_default()
    }
}

/// What a robot does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Status {
    /// Time of the controller, s.
    pub t: f64,
    /// How many periods there were.
    pub periods: u64,
    /// How many of them were late.
    pub misses: u64,
    /// Time of the control step over the period: the largest since the status before is best shown.
    pub load: f64,
    /// Whether the drives are stopped: by an emergency stop, or a fault.
    pub stopped: bool,
    /// The fault, if there is one.
    pub fault: Fault,
    /// What the operator's motion does.
    pub mode: Mode,
    /// How the last one ended.
    pub ending: Ending,
    drives: usize,
    q: [f64; MOST_DRIVES],
    v: [f64; MOST_DRIVES],
    effort: [f64; MOST_DRIVES],
    wanted: [f64; MOST_DRIVES],
}

impl Status {
    /// At rest, nothing known.
    #[must_use]
    pub fn new(drives: usize) -> Self {
        assert!(drives <= MOST_DRIVES, "{drives} drives; {MOST_DRIVES} at most");
        let unknown = [f64::NAN; MOST_DRIVES];
        Self {
            t: 0.0,
            periods: 0,
            misses: 0,
            load: 0.0,
            stopped: false,
            fault: Fault::default(),
            mode: Mode::Holding,
            ending: Ending::Done,
            drives,
            q: unknown,
            v: unknown,
            effort: unknown,
            wanted: unknown,
        }
    }

    /// Writes measured positions and speeds, torques and forces, and wanted positions of the drives.
    ///
    /// # Panics
    /// If a slice does not have one value per drive.
    pub fn set_drives(&mut self, q: &[f64], v: &[f64], effort: &[f64], wanted: &[f64]) {
        let n = self.drives;
        self.q[..n].copy_from_slice(q);
        self.v[..n].copy_from_slice(v);
        self.effort[..n].copy_from_slice(effort);
        self.wanted[..n].copy_from_slice(wanted);
    }

    /// Measured positions, rad or m.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        &self.q[..self.drives]
    }

    /// Measured speeds.
    #[must_use]
    pub fn v(&self) -> &[f64] {
        &self.v[..self.drives]
    }

    /// Torques and forces, N m or N.
    #[must_use]
    pub fn effort(&self) -> &[f64] {
        &self.effort[..self.drives]
    }

    /// Wanted positions.
    #[must_use]
    pub fn wanted(&self) -> &[f64] {
        &self.wanted[..self.drives]
    }

    /// As JSON; numbers that are not finite are null.
    #[must_use]
    pub fn to_json(&self, facts: &Facts) -> Value {
        let ending = match self.ending {
            Ending::Limit(joint) => {
                format!("joint `{}` is at its limit", facts.joints.get(joint).map_or("?", String::as_str))
            }
            ending => ending.text().to_owned(),
        };
        let drive = |i: usize| {
            json!({
                "name": facts.drives[i],
                "position": self.q[i],
                "velocity": self.v[i],
                "effort": self.effort[i],
                "wanted": self.wanted[i],
                "error": self.q[i] - self.wanted[i],
            })
        };
        json!({
            "t": self.t,
            "mode": self.mode.name(),
            "ending": ending,
            "stopped": self.stopped,
            "fault": (self.fault.code != 0).then(|| json!({ "code": self.fault.code, "text": self.fault.text() })),
            "load": self.load,
            "periods": self.periods,
            "misses": self.misses,
            "drives": (0..self.drives.min(facts.drives.len())).map(drive).collect::<Vec<_>>(),
        })
    }
}
