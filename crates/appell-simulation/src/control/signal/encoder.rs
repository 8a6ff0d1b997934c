//! Incremental encoders: whole counts since they were switched on, and an index pulse that makes them absolute.

use super::{SignalError, not_zero, positive};
use core::f64::consts::TAU;

/// An encoder on a motor's shaft, as its data sheet has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encoder {
    counts_per_turn: u32,
    travel: f64, // of the joint a turn of the motor, rad or m
    index: Option<u32>,
}

impl Encoder {
    /// An encoder of a joint that turns. `counts_per_turn` are counts of the motor's shaft after all edges were used
    /// (four times the lines), `gear` are turns of the motor a turn of the joint, negative where it turns the other way.
    ///
    /// # Errors
    /// If there are no counts, or the gear is zero.
    pub fn rotary(counts_per_turn: u32, gear: f64) -> Result<Self, SignalError> {
        Self::new(counts_per_turn, TAU / not_zero("gear", gear)?)
    }

    /// An encoder of a joint that slides by `lead`, m, a turn of the motor.
    ///
    /// # Errors
    /// If there are no counts, or the lead is zero.
    pub fn linear(counts_per_turn: u32, lead: f64) -> Result<Self, SignalError> {
        Self::new(counts_per_turn, not_zero("lead", lead)?)
    }

    fn new(counts_per_turn: u32, travel: f64) -> Result<Self, SignalError> {
        positive("number of counts a turn", counts_per_turn.into())?;
        Ok(Self { counts_per_turn, travel: not_zero("travel of a turn", travel)?, index: None })
    }

    /// The same with an index pulse once a turn of the motor, `index` counts after a joint's zero.
    ///
    /// # Errors
    /// If a turn has not so many counts.
    pub fn with_index(mut self, index: u32) -> Result<Self, SignalError> {
        if index >= self.counts_per_turn {
            return Err(SignalError::Index { index, counts: self.counts_per_turn });
        }
        self.index = Some(index);
        Ok(self)
    }

    /// What the joint moves in one count, rad or m, without its sign.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.count().abs()
    }

    /// What the joint moves from an index pulse to the next, rad or m; none without index.
    #[must_use]
    pub fn index_distance(&self) -> Option<f64> {
        self.index.map(|_| self.travel.abs())
    }

    fn count(&self) -> f64 {
        self.travel / f64::from(self.counts_per_turn)
    }

    /// Counts from the joint's zero, which no counter knows.
    fn absolute(&self, position: f64) -> i64 {
        (position / self.count()).round() as i64
    }
}

/// The counter of an encoder: zero when it is switched on, exact in differences. Where that was, it is given, and it
/// knows better after the first index pulse.
#[derive(Debug, Clone, PartialEq)]
pub struct Counter {
    encoder: Encoder,
    begin: i64,  // absolute counts where it was switched on: what is to be found
    before: i64, // absolute counts at the last reading
    start: i64,  // what it takes for `begin`
    is_absolute: bool,
}

impl Counter {
    /// Switched on with the joint at `position`, where it is thought to be at `start`, both rad or m.
    #[must_use]
    pub fn switch_on(encoder: Encoder, position: f64, start: f64) -> Self {
        let begin = encoder.absolute(position);
        Self { encoder, begin, before: begin, start: encoder.absolute(start), is_absolute: false }
    }

    /// Reads the joint at `position`; whether the first index pulse has come since the last reading.
    ///
    /// The pulse latches the counter. Which of the pulses it was is known from the start, if that was off by less than
    /// half of the way between two; then the position is exact to half a count from now on. If not, it is off by whole
    /// turns of the motor.
    pub fn read(&mut self, position: f64) -> bool {
        let now = self.encoder.absolute(position);
        let before = core::mem::replace(&mut self.before, now);
        let Some(index) = self.encoder.index.filter(|_| !self.is_absolute) else { return false };
        let (index, turn) = (i64::from(index), i64::from(self.encoder.counts_per_turn));
        let turns = |counts: i64| (counts - index).div_euclid(turn);
        if turns(now) == turns(before) {
            return false;
        }
        let latched = turns(now.max(before)) * turn + index - self.begin;
        let thought = latched + self.start - index;
        let nearest = (thought + turn / 2).div_euclid(turn);
        self.start = nearest * turn + index - latched;
        self.is_absolute = true;
        true
    }

    /// Counts since it was switched on.
    #[must_use]
    pub fn counts(&self) -> i64 {
        self.before - self.begin
    }

    /// The way of the joint since it was switched on, rad or m: what speeds are made from, because no index pulse
    /// changes it.
    #[must_use]
    pub fn travelled(&self) -> f64 {
        self.counts() as f64 * self.encoder.count()
    }

    /// Where the joint is thought to be, rad or m.
    #[must_use]
    pub fn position(&self) -> f64 {
        (self.start + self.counts()) as f64 * self.encoder.count()
    }

    /// Whether an index pulse has come.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.is_absolute
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoder(gear: f64) -> Encoder {
        Encoder::rotary(1000, gear).unwrap().with_index(137).unwrap()
    }

    #[test]
    fn is_off_by_half_a_count() {
        for encoder in [encoder(62.6), encoder(-62.6), Encoder::linear(2000, 0.005).unwrap()] {
            let mut counter = Counter::switch_on(encoder, 0.3, 0.3);
            for k in -500..500 {
                let position = 0.3 + 1e-3 * f64::from(k);
                counter.read(position);
                assert!(
                    (counter.position() - position).abs() <= 0.5001 * encoder.resolution(),
                    "{encoder:?} {position}"
                );
            }
        }
        assert!((encoder(62.6).resolution() - TAU / 62_600.0).abs() < 1e-18);
    }

    #[test]
    fn the_index_makes_it_exact_from_either_side() {
        for gear in [60.0, -60.0] {
            let encoder = encoder(gear);
            let turn = encoder.index_distance().unwrap();
            for (direction, off) in [(1.0, 0.3), (-1.0, 0.3), (1.0, -0.45), (-1.0, -0.45)] {
                let mut counter = Counter::switch_on(encoder, 0.7, 0.7 + off * turn);
                assert!((counter.position() - 0.7).abs() > 0.2 * turn && !counter.is_absolute());
                let pulses = (1..=300).filter(|&k| counter.read(0.7 + direction * 0.005 * turn * f64::from(k))).count();
                let position = 0.7 + direction * 1.5 * turn;
                assert_eq!(pulses, 1, "one first pulse");
                assert!((counter.position() - position).abs() <= 0.5001 * encoder.resolution());
            }
        }
    }

    #[test]
    fn a_start_off_by_more_than_half_a_turn_leaves_a_whole_one() {
        let encoder = encoder(60.0);
        let turn = encoder.index_distance().unwrap();
        let mut counter = Counter::switch_on(encoder, 0.0, 0.8 * turn);
        assert!(counter.read(2.0 * turn));
        assert!((counter.position() - 3.0 * turn).abs() < encoder.resolution());
        let way = counter.travelled();
        assert!((way - 2.0 * turn).abs() < encoder.resolution(), "the way is exact all the same");
    }
}
