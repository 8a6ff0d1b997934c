//! How the platform turns: ω from the independent velocities.
//!
//! ```text
//! B ω = (r, 0)            components of ω or of the origin's velocity that are free; what legs of fewer axes forbid
//! ω = Ψ r                 Ψ: the columns of B⁻¹, of the free rows
//! ω̇ = Ψ ṙ − B⁻¹ Ḃ ω        Ψ̇ = −B⁻¹ Ḃ Ψ
//! ```
//!
//! Where r is ω, as in a wrist, nothing of this is computed.

use super::form::{Form, Row};
use super::leg::LegState;
use crate::real::{Measured, Real};
use crate::spatial::{Mat3, Vec3};

/// B⁻¹ and Ḃ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attitude<T> {
    /// B, row by row.
    rows: [Vec3<T>; 3],
    /// B⁻¹, column by column.
    columns: [Vec3<T>; 3],
    /// Ḃ, row by row.
    row_rates: [Vec3<T>; 3],
    pub(super) omega: Vec3<T>,
    pub(super) omega_rate: Vec3<T>,
}

impl<T: Real> Attitude<T> {
    pub(super) fn with_scalar(like: T) -> Self {
        let (zero, identity) = (Vec3::zero(like), Mat3::identity(like).rows);
        Self { rows: identity, columns: identity, row_rates: [zero; 3], omega: zero, omega_rate: zero }
    }

    /// B and B⁻¹; `arm` is O → the platform's origin.
    #[inline(always)]
    pub(super) fn place(&mut self, form: &Form, legs: &[LegState<T>], arm: Vec3<T>) {
        if form.plain {
            return;
        }
        for (own, row) in self.rows.iter_mut().zip(form.rows) {
            *own = match row {
                Row::Along(axis) => axis.lift(arm.x),
                Row::Moves(axis) => arm.cross(axis.lift(arm.x)),
                Row::Across(leg) => legs[leg].forbidden().0,
            };
        }
        let [a, b, c] = self.rows;
        let normal = b.cross(c);
        let scale = arm.x.constant(1.0) / a.dot(normal);
        self.columns = [normal.times(scale), c.cross(a).times(scale), a.cross(b).times(scale)];
    }

    /// ω of r.
    #[inline(always)]
    pub(super) fn set_in_motion(&mut self, form: &Form, r: &[T]) {
        self.omega = self.combined(form, r);
    }

    /// Ḃ, when the legs move; ω̇ of ṙ = 0.
    #[inline(always)]
    pub(super) fn set_rates(&mut self, form: &Form, legs: &[LegState<T>], arm: Vec3<T>) {
        self.omega_rate = Vec3::zero(arm.x);
        if form.plain {
            return;
        }
        let moving = self.omega.cross(arm);
        for (rate, row) in self.row_rates.iter_mut().zip(form.rows) {
            *rate = match row {
                Row::Along(_) => Vec3::zero(arm.x),
                Row::Moves(axis) => moving.cross(axis.lift(arm.x)),
                Row::Across(leg) => legs[leg].forbidden().1,
            };
        }
        self.omega_rate = -self.carried(self.omega);
    }

    /// ω̇ of ṙ, after its rates.
    #[inline(always)]
    pub(super) fn accelerate(&mut self, form: &Form, r_dot: &[T]) {
        self.omega_rate = self.omega_rate + self.combined(form, r_dot);
    }

    /// Ψ r.
    #[inline(always)]
    fn combined(&self, form: &Form, r: &[T]) -> Vec3<T> {
        if let (true, &[x, y, z]) = (form.plain, r) {
            return Vec3::new(x, y, z);
        }
        let mut sum = Vec3::zero(r[0]);
        for (&r, column) in r.iter().zip(&self.columns) {
            sum = sum + column.times(r);
        }
        sum
    }

    /// B⁻¹ Ḃ x.
    #[inline(always)]
    fn carried(&self, x: Vec3<T>) -> Vec3<T> {
        let [a, b, c] = (Mat3::from_rows(self.row_rates) * x).to_array();
        self.columns[0].times(a) + self.columns[1].times(b) + self.columns[2].times(c)
    }

    /// Ψᵀ of the moment on ω: its generalised forces.
    #[inline(always)]
    pub(super) fn project(&self, form: &Form, moment: Vec3<T>, generalised: &mut [T]) {
        if form.plain {
            generalised.copy_from_slice(&moment.to_array());
        } else {
            for (generalised, column) in generalised.iter_mut().zip(&self.columns) {
                *generalised = column.dot(moment);
            }
        }
    }

    /// Ψᵀ M Ψ of a matrix that acts on ω, row by row.
    #[inline(always)]
    pub(super) fn reduced(&self, form: &Form, matrix: &Mat3<T>, reduced: &mut [T]) {
        self.projected(
            form,
            #[inline(always)]
            |column, _| *matrix * column,
            reduced,
        );
    }

    /// Ψᵀ (C Ψ + M Ψ̇).
    #[inline(always)]
    pub(super) fn reduced_coriolis(&self, form: &Form, coriolis: &Mat3<T>, inertia: &Mat3<T>, reduced: &mut [T]) {
        if form.plain {
            self.reduced(form, coriolis, reduced);
        } else {
            self.projected(
                form,
                #[inline(always)]
                |column, carried| *coriolis * column - *inertia * carried,
                reduced,
            );
        }
    }

    #[inline(always)]
    fn projected(&self, form: &Form, times: impl Fn(Vec3<T>, Vec3<T>) -> Vec3<T>, reduced: &mut [T]) {
        let n = form.freedoms;
        for (c, &column) in self.columns[..n].iter().enumerate() {
            let carried = if form.plain { Vec3::zero(column.x) } else { self.carried(column) };
            let product = times(column, carried);
            for (i, row) in self.columns[..n].iter().enumerate() {
                reduced[i * n + c] = if form.plain { product[i] } else { row.dot(product) };
            }
        }
    }
}

impl<T: Measured> Attitude<T> {
    /// The square of a bound of the condition number of B, whose rows are of size 1 or less.
    #[inline(always)]
    pub(super) fn condition_squared(&self) -> f64 {
        let [a, b, c] = self.columns;
        3.0 * (a.dot(a) + b.dot(b) + c.dot(c)).least()
    }
}
