//! A step of each stage: what the drives do until the next instant, and whether the robot could still come to rest after it.

use super::freedom::Line;
use super::{Moving, Next, Stage, straight};
use crate::control::operated::bounds::Ending;
use crate::trajectory::TimeLaw;

impl Moving<'_> {
    pub(super) fn advance(&mut self, until: f64) {
        let now = self.t.unwrap_or(until);
        let dt = until - now;
        let jogs = matches!(self.stage, Stage::Slew | Stage::Freedom(_)) && self.speed != 0.0;
        if jogs && now >= self.deadline {
            (self.speed, self.ending) = (0.0, Ending::NotRenewed);
            self.target.fill(0.0);
            self.next = Next::Nothing;
        }
        match self.stage {
            Stage::Rest => {}
            Stage::Slew => self.step_slew(dt),
            Stage::Brake { begin, time } => self.step_brake(until - begin, time),
            Stage::Line { begin, law, follows } => self.step_line(until - begin, &law, follows),
            Stage::Rewind => self.step_rewind(dt),
            Stage::Path { rate, stopping } => self.step_path(dt, rate, stopping),
            Stage::Freedom(line) => self.step_freedom(dt, line),
        }
        self.t = Some(until);
        // A step that was refused: braking has begun where it would have.
        if let Stage::Brake { begin, time } = self.stage
            && begin == now
        {
            self.step_brake(until - begin, time);
        }
        self.start();
    }

    /// Whether the robot can come to rest after the trial step.
    fn admitted(&mut self) -> Result<(), Ending> {
        let [q, v, _] = &self.trial;
        straight::rest_of(self.bounds.braking_time(v), [q, v], &mut self.stop);
        self.guard.admits(&self.bounds, &self.stop)
    }

    /// Takes the trial step.
    fn take(&mut self) {
        let [q, v, a] = &mut self.trial;
        core::mem::swap(&mut self.q, q);
        core::mem::swap(&mut self.v, v);
        core::mem::swap(&mut self.a, a);
    }

    /// Takes the trial step if the robot can come to rest after it, else brakes; whether it was taken.
    fn take_if_admitted(&mut self) -> bool {
        let admitted = self.admitted();
        match admitted {
            Ok(()) => self.take(),
            Err(ending) => self.refuse(ending),
        }
        if admitted.is_ok() && self.speed != 0.0 {
            self.ending = Ending::Done; // of a jog that was stopped before, and leads away now
        }
        admitted.is_ok()
    }

    fn refuse(&mut self, ending: Ending) {
        (self.ending, self.next) = (ending, Next::Nothing);
        self.brake();
    }

    fn step_slew(&mut self, dt: f64) {
        straight::slew(&self.bounds, &self.target, [&self.q, &self.v], dt, &mut self.trial);
        if self.take_if_admitted() && self.v.iter().all(|v| *v == 0.0) && self.target.iter().all(|v| *v == 0.0) {
            self.rest();
        }
    }

    fn step_brake(&mut self, since: f64, time: f64) {
        let Self { from, q, v, a, .. } = self;
        if since < time {
            straight::brake(time, from, since, [q, v, a]);
        } else {
            straight::rest_of(time, [&from[0], &from[1]], q);
            self.rest();
        }
    }

    fn step_line(&mut self, since: f64, law: &TimeLaw, follows: bool) {
        let arrived = straight::line(law, &self.from[0], &self.to, since, &mut self.trial);
        if self.take_if_admitted() && arrived {
            self.rest();
            if follows {
                self.stage = Stage::Rewind;
            }
        }
    }

    /// Brings the trajectory back to its beginning while the robot waits there: it may go from instant to instant.
    fn step_rewind(&mut self, dt: f64) {
        let Some(trajectory) = &mut self.trajectory else { return self.rest() };
        match trajectory.rewind(dt, &mut self.trial) {
            Ok(None) => {}
            Ok(Some(rate)) => self.stage = Stage::Path { rate, stopping: false },
            Err(ending) => {
                self.ending = ending;
                self.rest();
            }
        }
    }

    fn step_path(&mut self, dt: f64, before: f64, stopping: bool) {
        let Some(trajectory) = &mut self.trajectory else { return self.brake() };
        match trajectory.step(&self.bounds, dt, (before, stopping), &self.v, &mut self.trial) {
            Ok((rate, ended)) => {
                self.take();
                self.guard.go_along(&self.q);
                self.stage = Stage::Path { rate, stopping };
                if ended {
                    self.guard.track(&self.q);
                    self.rest();
                }
            }
            Err(ending) => self.refuse(ending),
        }
    }

    fn step_freedom(&mut self, dt: f64, line: Line) {
        let waits = self.next != Next::Nothing;
        let wanted = if waits { 0.0 } else { self.speed };
        let next = self.leading.step(&self.bounds, dt, line, wanted, [&self.q, &self.v], &mut self.trial);
        match next.and_then(|next| next.map_or(Ok(None), |next| self.admitted().map(|()| Some(next)))) {
            Ok(Some(next)) => {
                self.leading.take(&next);
                self.take();
                self.stage = Stage::Freedom(next);
            }
            Ok(None) if waits || self.speed == 0.0 => self.rest(),
            Ok(None) => {}
            Err(ending) => self.refuse(ending),
        }
    }
}
