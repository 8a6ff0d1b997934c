//! The motion of a leg with the platform, by vector products: what every axis must turn.
//!
//! ```text
//! ω = q̇₁ u + q̇₂ w + q̇₃ v = J q̇          u stands still, the first body carries w, the platform v
//! q̇ = K ω                              K = J⁻¹: (v × w, u × v, w × u) / h,  h = u · (v × w)
//! q̈ = K (ω̇ − J̇ q̇)                      ẇ = q̇₁ u × w,  v̇ = ω × v
//! K̇ = −K J̇ K
//! ```
//!
//! Of two axes K is the left inverse, by n = u × v: what is left, n · ω = 0, the leg forbids.

use super::form::LegForm;
use crate::mechanism::Mechanism;
use crate::real::{Measured, Real};
use crate::spatial::{Mat3, PlanarRotation, Vec3, each};

/// Where a leg is and how it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct LegState<T> {
    /// Turns of its joints.
    pub(super) turns: [PlanarRotation<T>; 3],
    /// u, w, v, or u, v, or u, in base axes; the rest is zero.
    axes: [Vec3<T>; 3],
    /// Their rates.
    axis_rates: [Vec3<T>; 3],
    /// K; the rest is zero.
    pub(super) rows: [Vec3<T>; 3],
    /// h of three axes, |u × v|² of two, 1 of one.
    pub(super) volume: T,
    /// q̇.
    pub(super) rates: [T; 3],
    /// q̈.
    pub(super) accelerations: [T; 3],
}

impl<T: Real> LegState<T> {
    pub(super) fn with_scalar(like: T) -> Self {
        let zero = like.zero();
        Self {
            turns: [PlanarRotation::NONE.lift(like); 3],
            axes: [Vec3::zero(zero); 3],
            axis_rates: [Vec3::zero(zero); 3],
            rows: [Vec3::zero(zero); 3],
            volume: zero,
            rates: [zero; 3],
            accelerations: [zero; 3],
        }
    }

    /// Axes and K.
    #[inline(always)]
    pub(super) fn place(&mut self, tree: &Mechanism, form: &LegForm, q: &[T], attitude: &Mat3<T>) {
        let one = attitude.rows[0].x.constant(1.0);
        for (turn, &j) in self.turns.iter_mut().zip(&form.joints) {
            *turn = tree.links()[j].placement.turn(q[j]);
        }
        let u = form.first.lift(one);
        let Some(last) = form.last else {
            (self.axes[0], self.rows[0], self.volume) = (u, u, one);
            return;
        };
        let v = attitude.times_fixed(last);
        let Some(second) = form.second else {
            let normal = u.cross(v);
            self.volume = normal.dot(normal);
            let scale = one / self.volume;
            [self.axes[0], self.axes[1]] = [u, v];
            [self.rows[0], self.rows[1]] = [v.cross(normal).times(scale), normal.cross(u).times(scale)];
            return;
        };
        let first = &tree.links()[form.joints[0]].placement;
        let w = first.rotation(self.turns[0]).times_fixed(second);
        let normal = v.cross(w);
        self.volume = u.dot(normal);
        let scale = one / self.volume;
        self.axes = [u, w, v];
        self.rows = [normal.times(scale), u.cross(v).times(scale), w.cross(u).times(scale)];
    }

    /// q̇ and J̇.
    #[inline(always)]
    pub(super) fn set_in_motion(&mut self, form: &LegForm, omega: Vec3<T>) {
        self.rates = (Mat3::from_rows(self.rows) * omega).to_array();
        let [u, w, v] = self.axes;
        match form.axes() {
            3 => {
                self.axis_rates[1] = u.cross(w).times(self.rates[0]);
                self.axis_rates[2] = omega.cross(v);
            }
            2 => self.axis_rates[1] = omega.cross(w),
            _ => {}
        }
    }

    /// q̈.
    #[inline(always)]
    pub(super) fn accelerate(&mut self, omega_rate: Vec3<T>) {
        let carried = self.axis_rates[1].times(self.rates[1]) + self.axis_rates[2].times(self.rates[2]);
        self.accelerations = (Mat3::from_rows(self.rows) * (omega_rate - carried)).to_array();
    }

    /// K̇, for motions that the leg allows.
    #[inline(always)]
    pub(super) fn row_rates(&self) -> [Vec3<T>; 3] {
        let [_, second, third] = self.axis_rates;
        each(
            self.rows,
            #[inline(always)]
            |row| -(self.rows[1].times(row.dot(second)) + self.rows[2].times(row.dot(third))),
        )
    }

    /// u × v, what a leg of two axes forbids, and its rate.
    #[inline(always)]
    pub(super) fn forbidden(&self) -> (Vec3<T>, Vec3<T>) {
        let [u, v, _] = self.axes;
        (u.cross(v), u.cross(self.axis_rates[1]))
    }

    /// Adds Kᵀ τ of the joints' torques.
    #[inline(always)]
    pub(super) fn add_moment(&self, torques: &[T], sum: &mut Vec3<T>) {
        for (row, &torque) in self.rows.iter().zip(torques) {
            *sum = *sum + row.times(torque);
        }
    }
}

impl<T: Measured> LegState<T> {
    /// The square of a bound of the condition number of J, whose axes are unit vectors.
    #[inline(always)]
    pub(super) fn condition_squared(&self, form: &LegForm) -> f64 {
        let [a, b, c] = self.rows;
        form.axes() as f64 * (a.dot(a) + b.dot(b) + c.dot(c)).least()
    }
}
