//! The coordinates by which a user knows a tree whose joints are not one number each: quaternions, followers, screws.
//!
//! Every method takes a tree with a coordinate per joint, here *rows*. Between these and the user's positions q and velocities v,
//! of which there may be other numbers of either, stand a constant matrix and the [charts](super::chart) of quaternions:
//!
//! ```text
//! q ──anchor──► rows        v ──B(q)──► ẋ ──S──► rates of rows        forces of rows ──Sᵀ──► τₓ ──Bᵀ──► τ
//! ```
//!
//! Where a position has just been anchored B is one, so that M = Sᵀ M_rows S, and accelerations of rows are S (a + Ḃ v).

use super::chart::Chart;
use super::followers::{Follower, Sum, resolve};
use crate::description::elementary::Compound;
use crate::real::Real;

/// What stands between a user's positions and velocities and the rows of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinates {
    rows: usize,
    positions: Vec<String>,
    velocities: Vec<String>,
    of_velocities: Vec<usize>, // the row whose kind, limits and motor a velocity has
    terms: Vec<Term>,          // S
    offsets: Vec<f64>,         // of the rows
    shown: Vec<usize>,         // rows whose bodies a user knows
    charts: Vec<Chart>,
}

/// An entry of S. `position` is the place of the coordinate among the positions; none of a quaternion's.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Term {
    row: usize,
    velocity: usize,
    position: Option<usize>,
    factor: f64,
}

/// A joint that follows itself, by way of others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("joint `{joint}` follows itself; let one joint of the circle move by its own")]
pub struct CircularCoupling {
    /// Its name.
    pub joint: String,
}

/// A quaternion that is not an attitude.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the quaternion of joint `{joint}` has the norm {norm}; an attitude has 1: divide it by its norm")]
pub struct NotUnit {
    /// The joint.
    pub joint: String,
    /// The norm found.
    pub norm: f64,
}

/// How far the norm of a quaternion may be from 1: files are rounded.
const UNIT_TOLERANCE: f64 = 1e-6;

impl Coordinates {
    /// The coordinates of a tree, if they are not just its rows. `followers` are the rows that follow others.
    ///
    /// # Errors
    /// If joints follow each other in a circle.
    pub(super) fn new(
        names: &[String],
        compounds: &[Compound],
        followers: &[Option<Follower>],
    ) -> Result<Option<Self>, CircularCoupling> {
        let rows = names.len();
        let compound_of = |row: usize| compounds.iter().find(|own| (own.first..own.first + own.rows).contains(&row));
        let is_quaternion = |row: usize| compound_of(row).is_some_and(|own| own.kind.is_quaternion());
        if followers.iter().all(Option::is_none) && !(0..rows).any(is_quaternion) {
            return Ok(None);
        }
        let mut all = Self {
            rows,
            positions: Vec::new(),
            velocities: Vec::new(),
            of_velocities: Vec::new(),
            terms: Vec::new(),
            offsets: vec![0.0; rows],
            shown: (0..rows)
                .filter(|&row| compound_of(row).is_none_or(|own| row + 1 == own.first + own.rows))
                .collect(),
            charts: Vec::new(),
        };
        let mut sums: Vec<Option<Sum>> = vec![None; rows];
        let mut places = Vec::new(); // of velocities among the positions
        for row in 0..rows {
            match compound_of(row) {
                Some(own) if own.kind.is_quaternion() => {
                    if row == own.first {
                        all.add_chart(own);
                        places.resize(all.velocities.len(), None);
                    }
                    sums[row] = Some(Sum::default());
                }
                _ if followers[row].is_some() => {}
                _ => {
                    sums[row] = Some((vec![(all.velocities.len(), 1.0)], 0.0));
                    places.push(Some(all.positions.len()));
                    all.positions.push(names[row].clone());
                    all.velocities.push(names[row].clone());
                    all.of_velocities.push(row);
                }
            }
        }
        resolve(followers, &mut sums).map_err(|row| CircularCoupling { joint: names[row].clone() })?;
        for row in (0..rows).filter(|&row| !is_quaternion(row)) {
            let (sum, offset) = sums[row].take().unwrap_or_default();
            all.offsets[row] = offset;
            let terms =
                sum.into_iter().map(|(velocity, factor)| Term { row, velocity, position: places[velocity], factor });
            all.terms.extend(terms);
        }
        all.terms.sort_by_key(|term| term.row);
        Ok(Some(all))
    }

    fn add_chart(&mut self, compound: &Compound) {
        let Some(chart) = Chart::of(compound, self.positions.len(), self.velocities.len()) else { return };
        let (positions, velocities) =
            (["px", "py", "pz", "qx", "qy", "qz", "qw"], ["vx", "vy", "vz", "wx", "wy", "wz"]);
        let first = 6 - chart.velocities();
        let called = |part: &&str| format!("{}.{part}", compound.name);
        self.positions.extend(positions[first..].iter().map(called));
        for k in 0..chart.velocities() {
            let (row, velocity) = (chart.row(k), chart.v + k);
            self.velocities.push(called(&velocities[first + k]));
            self.of_velocities.push(row);
            self.terms.push(Term { row, velocity, position: None, factor: 1.0 });
        }
        self.charts.push(chart);
    }

    /// The names of the positions, in order.
    #[must_use]
    pub fn positions(&self) -> &[String] {
        &self.positions
    }

    /// The names of the velocities, in order.
    #[must_use]
    pub fn velocities(&self) -> &[String] {
        &self.velocities
    }

    /// The row whose kind, limits and motor each velocity has.
    #[must_use]
    pub fn of_velocities(&self) -> &[usize] {
        &self.of_velocities
    }

    /// The rows whose bodies a user knows: not those between the elementary joints of one joint.
    #[must_use]
    pub fn shown(&self) -> &[usize] {
        &self.shown
    }

    /// Whether S is all: no position is a quaternion.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.charts.is_empty()
    }

    /// The place of a velocity's coordinate among the positions; none of a quaternion's.
    #[must_use]
    pub fn position_of(&self, velocity: usize) -> Option<usize> {
        self.terms.iter().find(|term| term.velocity == velocity)?.position
    }

    /// A quaternion that is not one of unit norm, if there is any.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self, q: &[f64]) -> Result<(), NotUnit> {
        for chart in &self.charts {
            let norm = chart.norm(q);
            if norm.is_nan() || (norm - 1.0).abs() > UNIT_TOLERANCE {
                let joint = self.positions[chart.q].rsplit_once('.').map_or("", |(joint, _)| joint);
                return Err(NotUnit { joint: joint.into(), norm });
            }
        }
        Ok(())
    }

    /// Makes all quaternions of unit norm.
    pub fn normalise(&self, q: &mut [f64]) {
        self.charts.iter().for_each(|chart| chart.normalise(q));
    }

    /// The position where all is at zero and quaternions are no turn.
    #[must_use]
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.positions.len()];
        self.charts.iter().for_each(|chart| q[chart.quaternion() + 3] = 1.0);
        q
    }

    /// Moves a position for a unit of time with the velocities `v`: q ⊕ v, on the group where it is one.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn integrate(&self, q: &mut [f64], v: &[f64]) {
        self.expect(q.len(), v.len());
        for term in &self.terms {
            if let Some(position) = term.position.filter(|_| term.row == self.of_velocities[term.velocity]) {
                q[position] += v[term.velocity];
            }
        }
        self.charts.iter().for_each(|chart| chart.integrate(q, v));
    }

    /// The velocities that lead from one position to another in a unit of time: `to` ⊖ `from`.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn difference(&self, from: &[f64], to: &[f64], v: &mut [f64]) {
        self.expect(from.len(), v.len());
        self.expect(to.len(), v.len());
        for term in &self.terms {
            if let Some(position) = term.position {
                v[term.velocity] = to[position] - from[position];
            }
        }
        self.charts.iter().for_each(|chart| chart.difference(from, to, v));
    }

    /// Positions of the rows, anchored at `q`.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn anchor<T: Real>(&self, q: &[T], rows: &mut [T]) {
        assert_eq!((q.len(), rows.len()), (self.positions.len(), self.rows), "a position, and a number per row");
        for (row, &offset) in rows.iter_mut().zip(&self.offsets) {
            *row = q[0].constant(offset);
        }
        for term in &self.terms {
            if let Some(position) = term.position {
                rows[term.row] = q[position].scale_add(term.factor, rows[term.row]);
            }
        }
        for chart in &self.charts {
            chart.anchor(q, rows);
        }
    }

    /// The position that rows are at, wherever they are anchored. Of the two quaternions of an attitude it is the one nearer to what `q` holds,
    /// so that a motion has no jumps.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn release(&self, rows: &[f64], q: &mut [f64]) {
        assert_eq!((q.len(), rows.len()), (self.positions.len(), self.rows), "a position, and a number per row");
        for term in &self.terms {
            if let Some(position) = term.position.filter(|_| term.row == self.of_velocities[term.velocity]) {
                q[position] = rows[term.row];
            }
        }
        self.charts.iter().for_each(|chart| chart.release(rows, q));
    }

    /// Moves rows along local rates: rows + S x.
    #[inline(always)]
    pub fn step<T: Real>(&self, x: &[T], rows: &mut [T]) {
        for term in &self.terms {
            rows[term.row] = x[term.velocity].scale_add(term.factor, rows[term.row]);
        }
    }

    /// S x: rates or accelerations of the rows of local ones.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn spread<T: Real>(&self, x: &[T], rows: &mut [T]) {
        assert_eq!((x.len(), rows.len()), (self.velocities.len(), self.rows), "velocities, and a number per row");
        rows.fill(x[0].zero());
        self.step(x, rows);
    }

    /// Sᵀ τ: forces along local rates of forces of the rows.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn collect<T: Real>(&self, rows: &[T], x: &mut [T]) {
        x.fill(rows[0].zero());
        self.add_collected(rows, x);
    }

    /// Adds Sᵀ τ.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn add_collected<T: Real>(&self, rows: &[T], x: &mut [T]) {
        assert_eq!((x.len(), rows.len()), (self.velocities.len(), self.rows), "velocities, and a number per row");
        for term in &self.terms {
            x[term.velocity] = rows[term.row].scale_add(term.factor, x[term.velocity]);
        }
    }

    /// Sᵀ M S, both row by row.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn project<T: Real>(&self, rows: &[T], x: &mut [T]) {
        let (n, m) = (self.rows, self.velocities.len());
        assert_eq!((x.len(), rows.len()), (m * m, n * n), "square matrices");
        x.fill(rows[0].zero());
        for left in &self.terms {
            for right in &self.terms {
                let entry = &mut x[left.velocity * m + right.velocity];
                *entry = rows[left.row * n + right.row].scale_add(left.factor * right.factor, *entry);
            }
        }
    }

    /// A S of a matrix A with a column per row of the tree, both row by row.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn columns<T: Real>(&self, rows: &[T], x: &mut [T]) {
        let (n, m) = (self.rows, self.velocities.len());
        x.fill(rows[0].zero());
        for (from, to) in rows.chunks_exact(n).zip(x.chunks_exact_mut(m)) {
            for term in &self.terms {
                to[term.velocity] = from[term.row].scale_add(term.factor, to[term.velocity]);
            }
        }
    }

    /// Ḃ(v) w where rows have just been anchored: at w = v what accelerations of local rates have beside a.
    #[inline(always)]
    pub fn bias<T: Real>(&self, v: &[T], w: &[T], x: &mut [T]) {
        x.fill(v[0].zero());
        for chart in &self.charts {
            chart.bias_at_zero(v, w, x);
        }
    }

    /// ẋ = B v: local rates of velocities, where the rows are.
    #[inline(always)]
    pub fn rates<T: Real>(&self, rows: &[T], v: &[T], x: &mut [T]) {
        x.copy_from_slice(v);
        for chart in &self.charts {
            chart.rates(&chart.frame(rows), v, x);
        }
    }

    /// v = B⁻¹ ẋ.
    #[inline(always)]
    pub fn velocities_of<T: Real>(&self, rows: &[T], x: &[T], v: &mut [T]) {
        v.copy_from_slice(x);
        for chart in &self.charts {
            chart.velocities_of(&chart.frame(rows), x, v);
        }
    }

    /// ẍ = B a + Ḃ v: local accelerations.
    #[inline(always)]
    pub fn accelerations<T: Real>(&self, rows: &[T], v: &[T], x: &[T], a: &[T], x_rate: &mut [T]) {
        x_rate.copy_from_slice(a);
        for chart in &self.charts {
            chart.accelerations(&chart.frame(rows), v, x, a, x_rate);
        }
    }

    /// a = B⁻¹ (ẍ − Ḃ v).
    #[inline(always)]
    pub fn velocity_rates<T: Real>(&self, rows: &[T], v: &[T], x: &[T], x_rate: &[T], a: &mut [T]) {
        a.copy_from_slice(x_rate);
        for chart in &self.charts {
            chart.velocity_rates(&chart.frame(rows), v, x, x_rate, a);
        }
    }

    /// τ = Bᵀ τₓ: forces along velocities of forces along local rates.
    #[inline(always)]
    pub fn forces<T: Real>(&self, rows: &[T], local: &[T], tau: &mut [T]) {
        tau.copy_from_slice(local);
        for chart in &self.charts {
            chart.forces(&chart.frame(rows), local, tau);
        }
    }

    /// τₓ = B⁻ᵀ τ.
    #[inline(always)]
    pub fn local_forces<T: Real>(&self, rows: &[T], tau: &[T], local: &mut [T]) {
        local.copy_from_slice(tau);
        for chart in &self.charts {
            chart.local_forces(&chart.frame(rows), tau, local);
        }
    }

    fn expect(&self, positions: usize, velocities: usize) {
        assert_eq!(
            (positions, velocities),
            (self.positions.len(), self.velocities.len()),
            "positions and velocities of the robot"
        );
    }
}
