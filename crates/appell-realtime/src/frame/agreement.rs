//! What two sides agree on before a run, as frames.

use super::{Frame, FrameError, HEAD, Kind, bits, number, word};

/// What two sides agree on before a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The run, a random number.
    pub run: u64,
    /// Digest of the trial: robot, scenario and tables.
    pub digest: [u8; 32],
    /// s.
    pub period: f64,
    /// Whether the two sides wait for each other instead of a clock.
    pub lockstep: bool,
    /// Whether the run goes on until the controller ends it, as an operator wants it: the controller says so.
    pub endless: bool,
    /// How many drives there are.
    pub drives: usize,
}

impl Frame {
    /// Writes what is asked for, or agreed on.
    pub fn put_agreement(&mut self, kind: Kind, stamp: u64, agreement: &Agreement) {
        self.begin(kind, 0, [agreement.run, 0, stamp], 0.0);
        self.counts(agreement.drives, 0, None);
        self.word(0);
        self.word(0);
        self.bytes.extend_from_slice(&agreement.digest);
        self.numbers(&[agreement.period]);
        self.word(bits(&[agreement.lockstep, agreement.endless]));
        self.finish();
    }

    /// Reads what is asked for, or agreed on.
    ///
    /// # Errors
    /// If it is no such frame.
    pub fn agreement(&self, kind: Kind) -> Result<Agreement, FrameError> {
        if self.kind()? != kind {
            return Err(FrameError::Kind);
        }
        self.expect_words(HEAD + 4 + 2 + 1)?;
        let mut digest = [0; 32];
        digest.copy_from_slice(&self.bytes[8 * HEAD..8 * HEAD + 32]);
        Ok(Agreement {
            run: self.run(),
            digest,
            period: number(&self.bytes, HEAD + 4),
            lockstep: word(&self.bytes, HEAD + 5) & 1 == 1,
            endless: word(&self.bytes, HEAD + 5) & 2 == 2,
            drives: (word(&self.bytes, 5) & 0xffff) as usize,
        })
    }
}
