//! A plant and what drives it, as one set of differential equations: y = (x, r, the law's own states).

use super::friction::Friction;
use super::{Law, Plant, Reason};

/// The equations, with their memory.
pub(super) struct System<'s> {
    pub(super) plant: &'s mut dyn Plant,
    pub(super) law: &'s mut dyn Law,
    pub(super) efforts: &'s mut [f64],
    pub(super) friction: Option<&'s mut Friction>, // where some acts
}

impl System<'_> {
    /// What a number of the state counts at least, where relative errors are meant.
    pub(super) fn size(&self, i: usize) -> f64 {
        if i < self.plant.freedoms() { self.plant.size(i) } else { 0.0 }
    }

    /// Brings the plant to a state, and finds its torques and forces and the rates of the law's own states.
    pub(super) fn place(&mut self, t: f64, y: &[f64], own_rates: &mut [f64]) -> Result<(), Reason> {
        let n = self.plant.freedoms();
        let (x, rest) = y.split_at(n);
        let (r, own) = rest.split_at(n);
        self.plant.place(x, r)?;
        self.law.efforts(&self.plant.view(t), own, own_rates, self.efforts)
    }

    /// ẏ.
    pub(super) fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Reason> {
        let n = self.plant.freedoms();
        let (motion, own_rates) = rates.split_at_mut(2 * n);
        self.place(t, y, own_rates)?;
        let (x_rates, r_rates) = motion.split_at_mut(n);
        match &mut self.friction {
            None => self.plant.rates(self.efforts, x_rates, r_rates)?,
            Some(friction) => friction.rates(self.plant, self.efforts, x_rates, r_rates)?,
        }
        refuse_infinite(rates)
    }

    /// The state with momenta instead of velocities; with the velocities where joints stick, which is a matter of these.
    pub(super) fn with_momenta(&mut self, y: &[f64], with_momenta: &mut [f64]) -> Result<(), Reason> {
        let n = self.plant.freedoms();
        with_momenta.copy_from_slice(y);
        if self.friction.is_some() {
            return Ok(());
        }
        self.plant.place(&y[..n], &y[n..2 * n])?;
        self.plant.momenta(&y[n..2 * n], &mut with_momenta[n..2 * n])
    }

    /// The state with velocities again; the plant is brought there.
    pub(super) fn place_with_momenta(&mut self, with_momenta: &[f64], y: &mut [f64]) -> Result<(), Reason> {
        let n = self.plant.freedoms();
        y.copy_from_slice(with_momenta);
        if self.friction.is_some() {
            return self.plant.place(&y[..n], &y[n..2 * n]);
        }
        self.plant.place_with_momenta(&with_momenta[..n], &with_momenta[n..2 * n], &mut y[n..2 * n])
    }

    /// The rates of a state with momenta; `room` is for its velocities.
    pub(super) fn momenta_rates(
        &mut self,
        t: f64,
        with_momenta: &[f64],
        rates: &mut [f64],
        room: &mut [f64],
    ) -> Result<(), Reason> {
        if self.friction.is_some() {
            return self.rates(t, with_momenta, rates);
        }
        let n = self.plant.freedoms();
        self.place_with_momenta(with_momenta, room)?;
        let (motion, own_rates) = rates.split_at_mut(2 * n);
        self.law.efforts(&self.plant.view(t), &with_momenta[2 * n..], own_rates, self.efforts)?;
        let (x_rates, p_rates) = motion.split_at_mut(n);
        self.plant.momenta_rates(self.efforts, x_rates, p_rates)?;
        refuse_infinite(rates)
    }
}

fn refuse_infinite(rates: &[f64]) -> Result<(), Reason> {
    if rates.iter().all(|rate| rate.is_finite()) { Ok(()) } else { Err(Reason::NotFinite { what: "an acceleration" }) }
}
