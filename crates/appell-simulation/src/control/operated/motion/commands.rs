//! What commands do to a motion.

use super::{Moving, Next, Stage};
use crate::control::operated::bounds::{Ending, FARTHEST, Refusal};

impl Moving<'_> {
    pub(in super::super) fn hold(&mut self) {
        self.ending = Ending::Done;
        self.rest_then(Next::Nothing);
    }

    pub(in super::super) fn go_to(&mut self, positions: &[f64]) -> Result<(), Refusal> {
        self.check(positions)?;
        for (drive, (value, q)) in positions.iter().zip(&self.q).enumerate() {
            if value.abs() > FARTHEST {
                return Err(Refusal::TooFar { drive, value: *value });
            }
            let (lower, upper) = (self.bounds.lower[drive], self.bounds.upper[drive]);
            let limit = if *value < lower { lower } else { upper };
            // Whoever is beyond a limit may stay there, or come nearer.
            let beyond = |value: f64| (lower - value).max(value - upper).max(0.0);
            if beyond(*value) > beyond(*q) {
                return Err(Refusal::BeyondLimit { drive, value: *value, limit });
            }
        }
        self.ending = Ending::Done;
        self.rest_then(Next::Go);
        self.to.copy_from_slice(positions);
        self.start();
        Ok(())
    }

    pub(in super::super) fn home(&mut self) -> Result<(), Refusal> {
        let home = core::mem::take(&mut self.home);
        let answer = self.go_to(&home);
        self.home = home;
        answer
    }

    pub(in super::super) fn follow(&mut self) -> Result<(), Refusal> {
        if self.trajectory.is_none() {
            return Err(Refusal::NoTrajectory);
        }
        self.ending = Ending::Done;
        self.rest_then(Next::Follow);
        self.start();
        Ok(())
    }

    pub(in super::super) fn jog(&mut self, drive: usize, speed: f64) -> Result<(), Refusal> {
        if drive >= self.drives() {
            return Err(Refusal::UnknownDrive { number: drive + 1, drives: self.drives() });
        }
        let most = self.bounds.speed[drive];
        self.renew(speed, most)?;
        if matches!(self.stage, Stage::Path { .. } | Stage::Freedom(_)) {
            self.rest_then(Next::Jog { drive });
        } else {
            self.slew(Some(drive));
        }
        Ok(())
    }

    pub(in super::super) fn jog_freedom(&mut self, direction: usize, speed: f64) -> Result<(), Refusal> {
        let freedoms = self.freedoms().len();
        if direction >= freedoms {
            return Err(Refusal::UnknownFreedom { number: direction + 1, freedoms });
        }
        let (_, most) = self.leading.speed(direction);
        self.renew(speed, most)?;
        let is_same = matches!(self.stage, Stage::Freedom(line) if line.direction == direction);
        self.next = Next::Nothing;
        if !is_same {
            self.rest_then(Next::Freedom { direction });
            self.start();
        }
        Ok(())
    }

    pub(in super::super) fn restart(&mut self, positions: &[f64]) -> Result<(), Refusal> {
        self.check(positions)?;
        if !self.guard.track(positions) {
            return Err(Refusal::Unreachable);
        }
        self.q.copy_from_slice(positions);
        self.v.fill(0.0);
        self.a.fill(0.0);
        (self.stage, self.next, self.ending) = (Stage::Rest, Next::Nothing, Ending::Done);
        Ok(())
    }

    fn check(&self, positions: &[f64]) -> Result<(), Refusal> {
        let (found, expected) = (positions.len(), self.drives());
        if found != expected {
            return Err(Refusal::Length { found, expected });
        }
        if positions.iter().all(|q| q.is_finite()) { Ok(()) } else { Err(Refusal::NotFinite) }
    }

    fn renew(&mut self, speed: f64, most: f64) -> Result<(), Refusal> {
        if !speed.is_finite() {
            return Err(Refusal::NotFinite);
        }
        // Of a jog that ended at a limit the reason stays while it is renewed.
        if !matches!(self.stage, Stage::Rest) || self.ending == Ending::NotRenewed {
            self.ending = Ending::Done;
        }
        self.speed = speed.clamp(-most, most);
        self.deadline = self.t.unwrap_or(0.0) + self.jog_timeout;
        Ok(())
    }
}
