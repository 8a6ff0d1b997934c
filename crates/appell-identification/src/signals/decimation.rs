//! Fewer samples of many columns, all by the same filter.
//!
//! A model that is linear in its parameters, τ = Y φ, stays true when the columns of Y and τ pass one and the same linear
//! filter: W τ = (W Y) φ. The low-pass takes away what neither knows about, and every q-th sample keeps what is left
//! (the parallel decimation of Gautier1997). It cuts at 0.8 of the new Nyquist frequency, as is usual.

use super::{LowPass, SignalError};
use nalgebra::DMatrix;
use rayon::prelude::*;

/// Order of the low-pass: 8 leaves less than 10⁻³ of the power above the new Nyquist frequency unfolded.
const ORDER: usize = 8;

/// Where it cuts, as a part of the new Nyquist frequency.
const PART: f64 = 0.8;

/// A low-pass, a border that is cut off, and a step.
///
/// ```
/// use appell_identification::signals::Decimation;
///
/// let decimation = Decimation::new(10, 1000.0)?;
/// let (slope, wave) = ((0..600).map(f64::from).collect(), (0..600).map(|k| f64::from(k % 2)).collect());
/// let columns = decimation.of_columns(&[slope, wave])?;
/// assert_eq!(columns[0].len(), decimation.samples(600));
/// let kept: Vec<usize> = decimation.kept(600).collect();
/// assert!((columns[0][20] - kept[20] as f64).abs() < 1e-4, "slow signals stay");
/// assert!((columns[1][20] - 0.5).abs() < 1e-4, "fast ones leave their mean");
/// # Ok::<(), appell_identification::signals::SignalError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Decimation {
    filter: Option<LowPass>, // none where every sample is kept
    factor: usize,
    border: usize,
    most: usize,
}

impl Decimation {
    /// Every `factor`-th sample of signals of `rate` Hz, low-passed at 0.8 of the new Nyquist frequency; a factor of 1 keeps
    /// signals as they are. The border is that filter's settling.
    ///
    /// # Errors
    /// If the factor is zero or the rate not positive.
    pub fn new(factor: usize, rate: f64) -> Result<Self, SignalError> {
        if factor == 1 {
            return Ok(Self { filter: None, factor, border: 0, most: usize::MAX });
        }
        Self::with_filter(factor, LowPass::new(ORDER, PART * 0.5 * rate / factor.max(1) as f64, rate)?)
    }

    /// Every `factor`-th sample of signals that pass this filter.
    ///
    /// # Errors
    /// If the factor is zero.
    pub fn with_filter(factor: usize, filter: LowPass) -> Result<Self, SignalError> {
        if factor == 0 {
            return Err(SignalError::Decimation { factor });
        }
        let border = filter.settling();
        Ok(Self { filter: Some(filter), factor, border, most: usize::MAX })
    }

    /// The same with this many samples of the original cut off at both ends.
    #[must_use]
    pub fn with_border(self, border: usize) -> Self {
        Self { border, ..self }
    }

    /// The same with this many samples at most: those in the middle.
    #[must_use]
    pub fn with_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// How many samples of the original are cut off at each end.
    #[must_use]
    pub fn border(&self) -> usize {
        self.border
    }

    /// Its filter; `None` where every sample is kept as it is.
    pub(crate) fn filter(&self) -> Option<&LowPass> {
        self.filter.as_ref()
    }

    /// Where its filter cuts, Hz; `None` where every sample is kept as it is.
    #[must_use]
    pub fn cut_off(&self) -> Option<f64> {
        self.filter.as_ref().map(LowPass::cut_off)
    }

    /// How far, in samples of the original, its filter carries a disturbance.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.filter.as_ref().map_or(0, LowPass::settling)
    }

    /// Which samples of an original with `samples` are kept.
    pub fn kept(&self, samples: usize) -> impl Iterator<Item = usize> + use<> {
        let all = (self.border..samples.saturating_sub(self.border)).step_by(self.factor);
        let left_out = all.len().saturating_sub(self.most);
        all.skip(left_out / 2).take(self.most)
    }

    /// How many samples are left of an original with `samples`.
    #[must_use]
    pub fn samples(&self, samples: usize) -> usize {
        samples.saturating_sub(self.border.saturating_mul(2)).div_ceil(self.factor).min(self.most)
    }

    /// One signal, filtered, trimmed and thinned.
    ///
    /// # Errors
    /// If it is not longer than both borders, or has NaN.
    pub fn of(&self, signal: &[f64]) -> Result<Vec<f64>, SignalError> {
        super::error::long_enough(signal.len(), self.border.saturating_mul(2).saturating_add(1))?;
        let filtered = match &self.filter {
            Some(filter) => &filter.zero_phase(signal)?,
            None => {
                super::error::finite(signal)?;
                signal
            }
        };
        Ok(self.kept(signal.len()).map(|k| filtered[k]).collect())
    }

    /// Many signals alike, on all cores.
    ///
    /// # Errors
    /// As [`Decimation::of`].
    pub fn of_columns(&self, columns: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, SignalError> {
        columns.par_iter().map(|column| self.of(column)).collect()
    }

    /// A matrix whose rows are `rows_a_sample` for the first sample, as many for the second and so on, as an observation
    /// matrix is stacked: column by column, and each of the rows of a sample as a signal of its own.
    ///
    /// # Errors
    /// As [`Decimation::of`].
    ///
    /// # Panics
    /// If the rows are not a multiple of `rows_a_sample`.
    pub fn of_stacked(&self, matrix: &DMatrix<f64>, rows_a_sample: usize) -> Result<DMatrix<f64>, SignalError> {
        assert!(rows_a_sample > 0 && matrix.nrows().is_multiple_of(rows_a_sample), "whole samples");
        let samples = self.samples(matrix.nrows() / rows_a_sample);
        let thinned = |column: usize| {
            let mut stacked = vec![0.0; samples * rows_a_sample];
            for row in 0..rows_a_sample {
                let signal: Vec<f64> = matrix.column(column).iter().skip(row).step_by(rows_a_sample).copied().collect();
                let to = stacked[row..].iter_mut().step_by(rows_a_sample);
                to.zip(self.of(&signal)?).for_each(|(to, x)| *to = x);
            }
            Ok(stacked)
        };
        let columns = (0..matrix.ncols()).into_par_iter().map(thinned).collect::<Result<Vec<_>, SignalError>>()?;
        Ok(DMatrix::from_iterator(samples * rows_a_sample, matrix.ncols(), columns.into_iter().flatten()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::TAU;

    fn wave(frequency: f64, rate: f64, samples: usize) -> Vec<f64> {
        (0..samples).map(|k| (TAU * frequency * k as f64 / rate).sin()).collect()
    }

    #[test]
    fn a_linear_relation_between_columns_survives() {
        let (x, y) = (wave(3.0, 1000.0, 2000), wave(70.0, 1000.0, 2000));
        let sum = x.iter().zip(&y).map(|(x, y)| 2.0 * x - 0.5 * y).collect();
        let columns = Decimation::new(20, 1000.0).unwrap().of_columns(&[x, y, sum]).unwrap();
        for ((x, y), sum) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
            assert!((sum - (2.0 * x - 0.5 * y)).abs() < 1e-13);
        }
        let third = columns[1].len() / 3;
        let middle = &columns[1][third..2 * third];
        assert!(middle.iter().all(|y| y.abs() < 1e-6), "70 Hz would fold to 20 Hz and is gone: {middle:?}");
    }

    #[test]
    fn slow_waves_are_only_thinned() {
        let decimation = Decimation::new(10, 1000.0).unwrap();
        let (all, thin) = (wave(2.0, 1000.0, 1500), decimation.of(&wave(2.0, 1000.0, 1500)).unwrap());
        for (k, x) in decimation.kept(1500).zip(thin) {
            assert!((x - all[k]).abs() < 3e-3, "sample {k}");
        }
    }

    #[test]
    fn of_too_many_the_middle_is_kept() {
        let decimation = Decimation::new(10, 1000.0).unwrap().with_border(100);
        let all: Vec<usize> = decimation.kept(1500).collect();
        let few = decimation.clone().with_most(31);
        assert_eq!((all.len(), few.samples(1500)), (130, 31));
        assert_eq!(few.kept(1500).collect::<Vec<_>>(), all[49..80]);
        assert_eq!(decimation.with_most(131).kept(1500).collect::<Vec<_>>(), all);
    }

    #[test]
    fn stacked_rows_are_signals_of_their_own() {
        let decimation = Decimation::new(5, 200.0).unwrap();
        let signals = [wave(1.0, 200.0, 300), wave(2.0, 200.0, 300), wave(3.0, 200.0, 300), wave(4.0, 200.0, 300)];
        let stacked = DMatrix::from_fn(600, 2, |row, column| signals[2 * column + row % 2][row / 2]);
        let thinned = decimation.of_stacked(&stacked, 2).unwrap();
        for (i, signal) in signals.iter().enumerate() {
            for (k, x) in decimation.of(signal).unwrap().into_iter().enumerate() {
                assert_eq!(thinned[(2 * k + i % 2, i / 2)], x);
            }
        }
    }

    #[test]
    fn one_keeps_everything_and_borders_are_cut() {
        let signal = wave(1.0, 10.0, 7);
        assert_eq!(Decimation::new(1, 10.0).unwrap().of(&signal).unwrap(), signal);
        assert_eq!(Decimation::new(1, 10.0).unwrap().with_border(2).of(&signal).unwrap(), signal[2..5]);
        let short = Decimation::new(1, 10.0).unwrap().with_border(4).of(&signal);
        assert_eq!(short, Err(SignalError::TooShort { found: 7, least: 9 }));
        assert_eq!(Decimation::new(0, 10.0), Err(SignalError::Decimation { factor: 0 }));
    }
}
