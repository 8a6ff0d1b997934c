//! Whether efforts were recorded later or earlier than positions: a drive that sends its current with the next telegram, a filter
//! on one channel only.
//!
//! ```text
//! τ(t − d) ≈ τ − d τ̇        W φ − d τ̂˙ = y,        τ̂ = W φ̂
//! ```
//!
//! d is one unknown more, beside all others, since friction and rotors take over what they can of it. Thinned equations change much
//! from one to the next, where friction turns round most of all, so that τ̂˙ is a difference of eighth order: one of second order would
//! be too small there, and d too long by as much.
//!
//! Friction with memory, which builds up over some path after a joint turns round (presliding), looks late, too; but the faster the motion
//! that is looked at, the less, and not where the joint goes fast. A delay is the same in equations that are cut off lower or higher, and
//! in those of fast motion alone: [`delay_again`].

use super::{Estimate, Observation};
use crate::thresholds::{DELAY_GAIN, DELAY_SIGMA, LEAST_DELAY, OWN_DELAYS};
use crate::triangle::triangle;
use nalgebra::{DMatrix, DVector};

/// Central difference of eighth order: the weights of x(t + k) − x(t − k), k = 1, 2, 3, 4.
const DIFFERENCE: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];

/// Singular values of columns of length 1 below this, over the largest, are rounding.
const ROUNDING: f64 = 1e-12;

/// Efforts that are late.
#[derive(Debug, Clone, PartialEq)]
pub struct Delay {
    /// The recording they are of; none if of all.
    pub recording: Option<usize>,
    /// The joint whose efforts are late, or whose positions are early; none if all are.
    pub joint: Option<String>,
    /// By how much, s, to first order; negative where they are early.
    pub seconds: f64,
    /// Its standard deviation, s, for residuals that are independent.
    pub sigma: f64,
    /// The part of the residual that is gone with it.
    pub gain: f64,
}

/// Samples that follow each other without a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// The recording they are of, counted from 0.
    pub recording: usize,
    /// How many.
    pub samples: usize,
    /// Between two, s.
    pub step: f64,
}

/// The delays of efforts after positions that are worth telling: one of all joints in all recordings, or of the joint that explains more,
/// or one per recording where they differ. `stretches` are those of the equations, one after the other.
///
/// # Panics
/// If the stretches have not as many samples as the equations.
#[must_use]
pub fn delays(equations: &Observation, found: &Estimate, stretches: &[Stretch]) -> Vec<Delay> {
    let Some(slopes) = Slopes::of(equations, found, stretches, |_| true) else { return Vec::new() };
    let of = |recording: Option<usize>, joint: Option<usize>| {
        let seen = slopes.seen(recording, joint);
        let is_told = seen.seconds.abs() > (DELAY_SIGMA * seen.sigma).max(LEAST_DELAY) && seen.gain > DELAY_GAIN;
        let joint = joint.map(|row| equations.rows()[row].clone());
        is_told.then_some((
            seen.explained,
            Delay { recording, joint, seconds: seen.seconds, sigma: seen.sigma, gain: seen.gain },
        ))
    };
    let of_joint = (0..equations.rows().len())
        .filter_map(|row| of(None, Some(row)))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let recordings = slopes.recordings.last().map_or(0, |last| last + 1);
    let of_recordings: Vec<_> =
        if recordings > 1 { (0..recordings).filter_map(|number| of(Some(number), None)).collect() } else { Vec::new() };
    let explained = |delays: &[(f64, Delay)]| delays.iter().map(|(explained, _)| explained).sum::<f64>();
    let mut best: Vec<(f64, Delay)> = of(None, None).into_iter().collect();
    if of_joint.as_ref().is_some_and(|(of_one, _)| *of_one > explained(&best)) {
        best = of_joint.into_iter().collect();
    }
    if explained(&of_recordings) > OWN_DELAYS * explained(&best) {
        best = of_recordings;
    }
    best.into_iter().map(|(_, delay)| delay).collect()
}

/// A delay as other equations of the same recordings show it, cut off lower or higher, or those alone that are `chosen`: how long it is and
/// its σ, s; none where too few samples follow each other.
///
/// # Panics
/// If the stretches have not as many samples as the equations.
#[must_use]
pub fn delay_again(
    equations: &Observation,
    found: &Estimate,
    stretches: &[Stretch],
    delay: &Delay,
    chosen: impl Fn(usize) -> bool,
) -> Option<[f64; 2]> {
    let joint = delay.joint.as_ref().map(|name| equations.rows().iter().position(|row| row == name));
    let seen = Slopes::of(equations, found, stretches, chosen)?.seen(delay.recording, joint.flatten());
    Some([seen.seconds, seen.sigma])
}

/// What equations leave of the efforts, and how these change with a delay, both without what the columns explain.
struct Slopes<'e> {
    columns: Columns<'e>,
    residual: DVector<f64>,
    slopes: Vec<f64>,       // of predicted efforts, weighed
    recordings: Vec<usize>, // sample by sample
    rows: usize,            // of a sample
    counted: usize,         // equations that count
}

/// The columns of some equations, weighed: W, and B with which W B has orthonormal columns.
struct Columns<'e> {
    matrix: &'e DMatrix<f64>,
    equations: Vec<usize>,
    weights: Vec<f64>,
    basis: DMatrix<f64>,
}

impl<'e> Columns<'e> {
    fn new(matrix: &'e DMatrix<f64>, equations: Vec<usize>, weights: Vec<f64>) -> Self {
        let mut r = triangle(equations.len(), matrix.ncols(), &|i, k| weights[i] * matrix[(equations[i], k)]);
        let lengths = DVector::from_iterator(r.ncols(), r.column_iter().map(|column| column.norm()));
        let inverse = lengths.map(|length| if length > 0.0 { length.recip() } else { 0.0 });
        r.column_iter_mut().zip(&inverse).for_each(|(mut column, by)| column *= *by);
        // R D⁻¹ = U S Vᵀ: B = D⁻¹ V S⁻¹, without what is rounding.
        let svd = r.svd(false, true);
        let (values, v_t) = (svd.singular_values, svd.v_t.expect("asked for"));
        let seen: Vec<usize> = (0..values.len()).filter(|&k| values[k] > ROUNDING * values.max()).collect();
        let basis =
            DMatrix::from_fn(inverse.len(), seen.len(), |i, k| inverse[i] * v_t[(seen[k], i)] / values[seen[k]]);
        Self { matrix, equations, weights, basis }
    }

    /// A vector without what the columns explain of it: twice, since rounding leaves some of them the first time.
    fn take_out(&self, vector: &mut DVector<f64>) {
        for _ in 0..2 {
            let column = |k: usize| {
                let column = self.matrix.column(k);
                let products = self.equations.iter().zip(&self.weights).zip(vector.iter());
                products.map(|((&row, weight), x)| weight * column[row] * x).sum::<f64>()
            };
            let projected = DVector::from_fn(self.matrix.ncols(), |k, _| column(k));
            let shares = &self.basis * self.basis.tr_mul(&projected);
            for (k, share) in shares.iter().enumerate() {
                let column = self.matrix.column(k);
                let products = self.equations.iter().zip(&self.weights).zip(vector.iter_mut());
                products.for_each(|((&row, weight), x)| *x -= share * weight * column[row]);
            }
        }
    }
}

/// A delay of some equations.
struct Seen {
    seconds: f64,
    sigma: f64,
    gain: f64,
    explained: f64,
}

impl<'e> Slopes<'e> {
    fn of(
        equations: &'e Observation,
        found: &Estimate,
        stretches: &[Stretch],
        chosen: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let weight = |row: usize| if chosen(row) { found.weights[row] } else { 0.0 };
        let samples: usize = stretches.iter().map(|stretch| stretch.samples).sum();
        assert_eq!(samples, equations.samples(), "every sample is of a stretch");
        let n = equations.rows().len();
        let left = equations.right() - equations.predicted(&found.values);
        let predicted = equations.measured(&found.values) - left;
        let (mut inside, mut recordings, mut slopes) = (Vec::new(), Vec::new(), Vec::new());
        let mut begin = 0;
        for Stretch { recording, samples, step } in stretches {
            // Samples with neighbours.
            for i in begin + DIFFERENCE.len()..(begin + samples).saturating_sub(DIFFERENCE.len()) {
                inside.push(i);
                recordings.push(*recording);
                let rate = |row: usize| {
                    let pairs = (1..).map(|k| n * k).zip(DIFFERENCE);
                    pairs.map(|(away, weight)| weight * (predicted[row + away] - predicted[row - away])).sum::<f64>()
                        / step
                };
                slopes.extend((i * n..(i + 1) * n).map(|row| -weight(row) * rate(row)));
            }
            begin += samples;
        }
        let counted = inside.iter().flat_map(|&i| i * n..(i + 1) * n).filter(|&row| chosen(row)).count();
        if counted <= equations.matrix().ncols() {
            return None; // nothing is left over to see it in
        }
        let inside: Vec<usize> = inside.iter().flat_map(|&i| i * n..(i + 1) * n).collect();
        let weights: Vec<f64> = inside.iter().map(|&row| weight(row)).collect();
        let right = inside.iter().zip(&weights).map(|(&row, weight)| weight * equations.right()[row]);
        let mut residual = DVector::from_iterator(inside.len(), right);
        let columns = Columns::new(equations.matrix(), inside, weights);
        columns.take_out(&mut residual);
        Some(Self { columns, residual, slopes, recordings, rows: n, counted })
    }

    fn seen(&self, recording: Option<usize>, joint: Option<usize>) -> Seen {
        let Self { columns, residual, slopes, recordings, rows: n, counted } = self;
        let chosen = |k: usize| {
            joint.is_none_or(|row| k % n == row) && recording.is_none_or(|number| recordings[k / n] == number)
        };
        let mut slope = DVector::from_fn(slopes.len(), |k, _| if chosen(k) { slopes[k] } else { 0.0 });
        columns.take_out(&mut slope);
        let seconds = slope.dot(residual) / slope.norm_squared();
        let after = residual - &slope * seconds;
        let freedom = counted.saturating_sub(columns.matrix.ncols() + 1).max(1) as f64;
        let squares = |vector: &DVector<f64>| -> f64 {
            vector.iter().enumerate().filter(|(k, _)| chosen(*k)).map(|(_, x)| x * x).sum()
        };
        Seen {
            seconds,
            sigma: after.norm() / (freedom.sqrt() * slope.norm()),
            gain: 1.0 - (squares(&after) / squares(residual)).sqrt(),
            explained: residual.norm_squared() - after.norm_squared(),
        }
    }
}
