//! Where joints begin to stick and to slip along a motion: the step ends there, and the next one begins with other modes.

use super::super::friction::Friction;
use super::super::system::System;
use super::{Law, Reason, Simulation};

/// Changes between sticking and slipping without progress, after which a step is taken without them.
const MOST_CHANGES: usize = 20;

impl Simulation<'_> {
    /// A step that ends where joints begin to stick or to slip, if they do within it; how far, and whether they do there. None where they do
    /// before any time has passed.
    pub(super) fn carry_on_with_friction(
        &mut self,
        law: &mut dyn Law,
        end: f64,
    ) -> Result<Option<(f64, bool)>, Reason> {
        if !self.acts {
            return Ok(Some((self.carry_on(law, end)?, false)));
        }
        self.before.copy_from_slice(&self.y);
        let (t, h) = (self.t, self.carry_on(law, end)?);
        // Changes that come back and forth are left alone for a step.
        let change = if self.stalled > MOST_CHANGES { None } else { self.first_change(law, [t, h])? };
        let Some(part) = change else {
            self.stalled = 0;
            return Ok(Some((h, false)));
        };
        let n = self.plant.freedoms();
        self.y.copy_from_slice(&self.before);
        self.plant.place(&self.y[..n], &self.y[n..2 * n])?;
        self.stepper.begin_anew();
        let until = t + part * h;
        if until - t <= 1e-14 * t.abs().max(1e-2) {
            self.stalled += 1;
            self.settle(law)?;
            return Ok(None);
        }
        self.stalled = 0;
        // What is within a step is a little less exact than its end: the change is stepped to.
        let h = self.carry_on(law, until)?;
        Ok(Some((h, t + h >= until)))
    }

    /// The part of the last step after which a joint begins to stick or to slip, by bisection.
    fn first_change(&mut self, law: &mut dyn Law, [t, h]: [f64; 2]) -> Result<Option<f64>, Reason> {
        let Self { friction: Some(friction), plant, stepper, .. } = &mut *self else { return Ok(None) };
        let n = plant.freedoms();
        let crossing = |(joint, sign): (usize, f64)| {
            let side = if sign > 0.0 { [0.0, f64::INFINITY] } else { [f64::NEG_INFINITY, 0.0] };
            stepper.along(n + plant.coordinate_of(joint)?).beyond(side)
        };
        let crossed = friction.slipping().filter_map(crossing).reduce(f64::min);
        if !friction.take_doubt() && crossed.is_none() {
            return Ok(None);
        }
        let mut before = 0.0;
        let crossed = crossed.unwrap_or(1.0);
        let places = [0.25, 0.5, 0.75, 1.0];
        for part in places.into_iter().filter(|&part| part < crossed).chain([crossed]).chain(places) {
            if part < before {
                continue;
            }
            if !self.changes_at(law, [t, h], part)? {
                before = part;
                continue;
            }
            let mut after = part;
            while after - before > 1e-14 {
                let middle = 0.5 * (before + after);
                let changes = self.changes_at(law, [t, h], middle)?;
                *(if changes { &mut after } else { &mut before }) = middle;
            }
            self.changes_at(law, [t, h], after)?;
            self.friction.iter_mut().for_each(Friction::note_stops);
            return Ok(Some(after));
        }
        Ok(None)
    }

    /// Whether joints do not stick and slip any more as they did, at a part of the last step.
    fn changes_at(&mut self, law: &mut dyn Law, [t, h]: [f64; 2], part: f64) -> Result<bool, Reason> {
        self.stepper.within(part, &mut self.room);
        let Self { friction: Some(friction), plant, efforts, room, own_rates, .. } = self else { return Ok(false) };
        System { plant: &mut **plant, law, efforts, friction: None }.place(t + part * h, room, own_rates)?;
        friction.ends(&mut **plant, efforts)
    }

    /// Finds which joints stick, and how the others slip, where the motion has come to.
    pub(super) fn settle(&mut self, law: &mut dyn Law) -> Result<(), Reason> {
        let Self { friction: Some(friction), plant, efforts, y, own_rates, t, .. } = &mut *self else { return Ok(()) };
        System { plant: &mut **plant, law, efforts, friction: None }.place(*t, y, own_rates)?;
        friction.settle(&mut **plant, efforts)?;
        self.stepper.begin_anew();
        self.rest()
    }

    /// Lets joints that stick be at rest to the last bit that r has.
    pub(super) fn rest(&mut self) -> Result<(), Reason> {
        let Self { friction: Some(friction), plant, y, .. } = &mut *self else { return Ok(()) };
        let n = plant.freedoms();
        let (x, rest) = y.split_at_mut(n);
        if friction.rest(&mut **plant, &mut rest[..n])? {
            plant.place(x, &rest[..n])?;
        }
        Ok(())
    }
}
