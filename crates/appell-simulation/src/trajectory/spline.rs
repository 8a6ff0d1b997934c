//! Splines of degree 3 and 5 through points with times.
//!
//! Between two points h apart in time lies Hermite's polynomial of what is known at both: position and velocity x for
//! degree 3, and the acceleration too for degree 5. What is not given makes ∫ (p⁽ᵐ⁾)² dt least, m = 2 and 3 (Schoenberg1964),
//! so that p is C² and C⁴. The gradients of an interval's integral are
//!
//! ```text
//! m = 2   ∂/∂v₀ = −p̈(0) =  4 v₀ / h + 2 v₁ / h − 6 Δ / h²
//! m = 3   ∂/∂v₀ =  p⁗(0) = 192 v₀ / h³ + 36 a₀ / h² + 168 v₁ / h³ − 24 a₁ / h² − 360 Δ / h⁴
//!         ∂/∂a₀ = −p‴(0) =  36 v₀ / h² +  9 a₀ / h  +  24 v₁ / h² −  3 a₁ / h  −  60 Δ / h³
//! ```
//!
//! and likewise at its end: a symmetric positive definite system, block tridiagonal, solved by elimination in O(n). Where an
//! end is left free, nothing but leaving out its condition is needed: the natural conditions hold there by themselves.

use super::time_law::clamped;
use super::{FollowError, JointReference, PathError, expect_joints, numbers};
use appell::polynomial::{cubic, evaluate, quintic};
use nalgebra::{SMatrix, SVector};

/// How a spline begins and ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ends<'e> {
    /// With these velocities, one per joint, and for degree 5 without acceleration.
    Velocities(&'e [f64], &'e [f64]),
    /// At rest.
    Rest,
    /// Free: p̈ = 0 for degree 3, p‴ = p⁗ = 0 for degree 5.
    Natural,
}

/// A piecewise polynomial through points.
///
/// ```
/// use appell_simulation::trajectory::{Ends, JointReference, Spline};
///
/// let points = [vec![0.0, 0.0], vec![1.0, 0.5], vec![0.5, 2.0]];
/// let mut spline = Spline::quintic(&[0.0, 1.0, 2.5], &points, Ends::Rest)?;
/// let [mut q, mut v, mut a] = [[0.0; 2]; 3];
/// spline.at(1.0, &mut q, &mut v, &mut a).unwrap();
/// assert_eq!(q, [1.0, 0.5]);
/// # Ok::<(), appell_simulation::trajectory::PathError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    joints: usize,
    times: Vec<f64>,             // from the start of the path
    coefficients: Vec<[f64; 6]>, // interval by interval, joint by joint
}

impl Spline {
    /// Of degree 3 and C².
    ///
    /// # Errors
    /// If there are fewer than two points, they have not as many finite numbers each, or the times do not grow.
    pub fn cubic(times: &[f64], points: &[Vec<f64>], ends: Ends<'_>) -> Result<Self, PathError> {
        check(times, points)?;
        let ends = at_ends(ends, points[0].len())?;
        let rates = smoothest::<1>(times, points, ends.as_ref(), |h| {
            (SMatrix::<f64, 1, 1>::new(4.0 / h), [[2.0 / h]], [6.0 / (h * h)])
        });
        Ok(Self::of(times, points, |i, j, h| {
            let at = |k: usize| [points[k][j], rates[k][j][0]];
            cubic(h, at(i), at(i + 1))
        }))
    }

    /// Of degree 5 and C⁴.
    ///
    /// # Errors
    /// As [`Spline::cubic`].
    pub fn quintic(times: &[f64], points: &[Vec<f64>], ends: Ends<'_>) -> Result<Self, PathError> {
        check(times, points)?;
        if ends == Ends::Natural && points.len() < 3 {
            // Any parabola through two points has p‴ = 0.
            return Err(PathError::TooFew { what: "points of a natural quintic", found: points.len(), least: 3 });
        }
        let ends = at_ends(ends, points[0].len())?;
        let rates = smoothest::<2>(times, points, ends.as_ref(), |h| {
            let (h2, h3) = (h * h, h * h * h);
            let own = SMatrix::<f64, 2, 2>::new(192.0 / h3, 36.0 / h2, 36.0 / h2, 9.0 / h);
            (own, [[168.0 / h3, -24.0 / h2], [24.0 / h2, -3.0 / h]], [360.0 / (h3 * h), 60.0 / h3])
        });
        Ok(Self::of(times, points, |i, j, h| {
            let at = |k: usize| [points[k][j], rates[k][j][0], rates[k][j][1]];
            quintic(h, at(i), at(i + 1))
        }))
    }

    /// Of degree 3 and C¹, with a velocity given at every point.
    ///
    /// # Errors
    /// As [`Spline::cubic`], of the velocities too.
    pub fn cubic_with(times: &[f64], points: &[Vec<f64>], velocities: &[Vec<f64>]) -> Result<Self, PathError> {
        check(times, points)?;
        beside("the velocities", velocities, points)?;
        Ok(Self::of(times, points, |i, j, h| {
            let at = |k: usize| [points[k][j], velocities[k][j]];
            cubic(h, at(i), at(i + 1))
        }))
    }

    /// Of degree 5 and C², with a velocity and an acceleration given at every point.
    ///
    /// # Errors
    /// As [`Spline::cubic`], of velocities and accelerations too.
    pub fn quintic_with(
        times: &[f64],
        points: &[Vec<f64>],
        velocities: &[Vec<f64>],
        accelerations: &[Vec<f64>],
    ) -> Result<Self, PathError> {
        check(times, points)?;
        beside("the velocities", velocities, points)?;
        beside("the accelerations", accelerations, points)?;
        Ok(Self::of(times, points, |i, j, h| {
            let at = |k: usize| [points[k][j], velocities[k][j], accelerations[k][j]];
            quintic(h, at(i), at(i + 1))
        }))
    }

    /// The polynomials of all intervals and joints.
    fn of(times: &[f64], points: &[Vec<f64>], polynomial: impl Fn(usize, usize, f64) -> [f64; 6]) -> Self {
        let joints = points[0].len();
        let interval = |i: usize| times[i + 1] - times[i];
        let all = (0..times.len() - 1).flat_map(|i| (0..joints).map(move |j| (i, j)));
        Self {
            joints,
            times: times.iter().map(|t| t - times[0]).collect(),
            coefficients: all.map(|(i, j)| polynomial(i, j, interval(i))).collect(),
        }
    }

    /// Position, velocity and acceleration of joint after joint after the time `t`, at rest outside.
    pub(super) fn each(&self, t: f64, mut take: impl FnMut(usize, [f64; 3])) {
        let (t, moves) = clamped(t, self.duration());
        let last = self.times.len() - 2;
        let i = self.times.partition_point(|&start| start <= t).saturating_sub(1).min(last);
        for j in 0..self.joints {
            let [q, v, a] = evaluate(&self.coefficients[i * self.joints + j], t - self.times[i]);
            take(j, if moves { [q, v, a] } else { [q, 0.0, 0.0] });
        }
    }

    /// When it passes its points, s from the start.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }
}

impl JointReference for Spline {
    fn joints(&self) -> usize {
        self.joints
    }

    fn duration(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        expect_joints(self.joints, [q, v, a]);
        self.each(t, |j, state| [q[j], v[j], a[j]] = state);
        Ok(())
    }
}

/// Refuses times that do not grow and rows that do not fit.
pub(super) fn check_times(times: &[f64], points: usize) -> Result<(), PathError> {
    if points < 2 {
        return Err(PathError::TooFew { what: "points", found: points, least: 2 });
    }
    numbers("the list of times", times, points)?;
    match times.windows(2).position(|pair| pair[1] <= pair[0]) {
        Some(k) => Err(PathError::Times { point: k + 2, time: times[k + 1], before: times[k] }),
        None => Ok(()),
    }
}

fn check(times: &[f64], points: &[Vec<f64>]) -> Result<(), PathError> {
    check_times(times, points.len())?;
    beside("a point", points, points)
}

/// Refuses rows that are not as many and as long as those of the points.
fn beside(what: &'static str, rows: &[Vec<f64>], points: &[Vec<f64>]) -> Result<(), PathError> {
    if rows.len() != points.len() {
        return Err(PathError::Length { what, found: rows.len(), expected: points.len() });
    }
    rows.iter().try_for_each(|row| numbers(what, row, points[0].len()))
}

/// Velocities at both ends, or none.
fn at_ends(ends: Ends<'_>, joints: usize) -> Result<Option<[Vec<f64>; 2]>, PathError> {
    Ok(match ends {
        Ends::Natural => None,
        Ends::Rest => Some([vec![0.0; joints], vec![0.0; joints]]),
        Ends::Velocities(first, last) => {
            numbers("the velocity at an end", first, joints)?;
            numbers("the velocity at an end", last, joints)?;
            Some([first.to_vec(), last.to_vec()])
        }
    })
}

/// The blocks of an interval: what the unknowns at its start do to themselves, what those at its end do to them, and what
/// Δ does. At its end the first is mirrored: every second unknown changes its sign.
type Interval<const B: usize> = (SMatrix<f64, B, B>, [[f64; B]; B], [f64; B]);

/// The derivatives, point by point and joint by joint, that make the integral least.
fn smoothest<const B: usize>(
    times: &[f64],
    points: &[Vec<f64>],
    ends: Option<&[Vec<f64>; 2]>,
    interval: impl Fn(f64) -> Interval<B>,
) -> Vec<Vec<[f64; B]>> {
    let (count, joints) = (points.len(), points[0].len());
    let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mirrored = |m: SMatrix<f64, B, B>| SMatrix::<f64, B, B>::from_fn(|i, k| sign(i) * sign(k) * m[(i, k)]);
    let parts: Vec<Interval<B>> = times.windows(2).map(|pair| interval(pair[1] - pair[0])).collect();
    let upper = |i: usize| SMatrix::<f64, B, B>::from_fn(|r, c| parts[i].1[r][c]);
    let given = |i: usize| ends.filter(|_| i == 0 || i + 1 == count);
    // Elimination forwards: the inverse of each point's block, after the point before has been solved for.
    let mut inverses: Vec<SMatrix<f64, B, B>> = Vec::with_capacity(count);
    let mut rates = vec![vec![[0.0; B]; joints]; count];
    for i in 0..count {
        let mut block = SMatrix::<f64, B, B>::zeros();
        if i > 0 {
            block += mirrored(parts[i - 1].0);
        }
        if i + 1 < count {
            block += parts[i].0;
        }
        // What couples a point to the one before, none where its own derivatives are given.
        let lower = if i > 0 && given(i).is_none() { upper(i - 1).transpose() } else { SMatrix::zeros() };
        if given(i).is_some() {
            block = SMatrix::identity();
        } else if i > 0 && given(i - 1).is_none() {
            block -= lower * inverses[i - 1] * upper(i - 1);
        }
        inverses.push(block.try_inverse().unwrap_or_else(SMatrix::zeros)); // positive definite: there is one
        for j in 0..joints {
            let mut right = SVector::<f64, B>::zeros();
            if let Some(velocities) = given(i) {
                right[0] = velocities[usize::from(i > 0)][j];
            } else {
                if i > 0 {
                    let way = points[i][j] - points[i - 1][j];
                    right += SVector::<f64, B>::from_fn(|k, _| sign(k) * parts[i - 1].2[k] * way);
                    let before = SVector::<f64, B>::from(rates[i - 1][j]);
                    right -= lower * before;
                }
                if i + 1 < count {
                    let way = points[i + 1][j] - points[i][j];
                    right += SVector::<f64, B>::from(parts[i].2) * way;
                }
            }
            rates[i][j] = (inverses[i] * right).into();
        }
    }
    // And backwards: what the point after still does to each.
    for i in (0..count - 1).rev().filter(|&i| given(i).is_none()) {
        let influence = inverses[i] * upper(i);
        let (own, after) = rates.split_at_mut(i + 1);
        for (own, after) in own[i].iter_mut().zip(&after[0]) {
            *own = (SVector::<f64, B>::from(*own) - influence * SVector::<f64, B>::from(*after)).into();
        }
    }
    rates
}
