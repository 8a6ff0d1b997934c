//! The smoothed motion of a measurement, with its derivatives, ready to be observed.

use super::error::DataError;
use super::measurement::Measurement;
use super::smoothing::Filter;
use crate::signals::{Decimation, LowPass, first_derivative, second_derivative};
use crate::thresholds::MOST_OF_ENDS;
use core::ops::Range;
use rayon::prelude::*;

/// Samples of all joints in structures of arrays: number k of sample i is `[k * count + i]`.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMotion {
    /// How many samples there are.
    pub count: usize,
    /// Positions, rad or m.
    pub q: Vec<f64>,
    /// Velocities, rad/s or m/s.
    pub v: Vec<f64>,
    /// Accelerations, rad/s² or m/s².
    pub a: Vec<f64>,
    /// Efforts, N m or N, as they were measured.
    pub effort: Vec<f64>,
    /// What the equations are to pass: low-pass, border and step.
    pub decimation: Decimation,
    /// Samples that no equation shall have.
    pub left_out: Vec<Range<usize>>,
}

impl JointMotion {
    /// The samples that a decimation keeps and that nothing of [`left_out`](Self::left_out) reaches through its filter.
    #[must_use]
    pub fn right_samples(&self, decimation: &Decimation) -> Vec<usize> {
        let reach = decimation.reach() / 2; // where a tenth of it is left
        let runs = merged(&self.left_out);
        let is_reached = |at: usize| {
            let next = runs.partition_point(|run| run.end + reach <= at);
            runs.get(next).is_some_and(|run| run.start <= at + reach)
        };
        decimation.kept(self.count).filter(|at| !is_reached(*at)).collect()
    }

    /// Positions, velocities, accelerations and efforts at some samples, in structures of arrays.
    pub(crate) fn at(&self, samples: &[usize]) -> [Vec<f64>; 4] {
        [&self.q, &self.v, &self.a, &self.effort].map(|all| {
            let joints = all.chunks_exact(self.count);
            joints.flat_map(|joint| samples.iter().map(|&k| joint[k])).collect()
        })
    }

    /// Runs of samples between the borders that are not left out.
    pub(crate) fn right_stretches(&self) -> Vec<Range<usize>> {
        let border = self.decimation.border();
        let (mut begin, end) = (border, self.count.saturating_sub(border));
        let mut stretches = Vec::new();
        for fault in merged(&self.left_out) {
            stretches.push(begin..end.min(fault.start));
            begin = begin.max(fault.end);
        }
        stretches.push(begin..end);
        stretches.retain(|stretch| !stretch.is_empty());
        stretches
    }
}

/// Runs in order, none of which overlap.
pub(super) fn merged(runs: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut sorted = runs.to_vec();
    sorted.sort_by_key(|run| run.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for run in sorted {
        match merged.last_mut().filter(|last| run.start <= last.end) {
            Some(last) => last.end = last.end.max(run.end),
            None => merged.push(run),
        }
    }
    merged
}

impl Measurement {
    /// Positions low-passed without delay and differentiated twice by central differences; efforts as they are, since they
    /// pass the decimation's filter together with the equations.
    ///
    /// # Errors
    /// If the cut-off does not fit the sample rate, or too few samples are left between the borders.
    pub fn motion(&self, filter: &Filter) -> Result<JointMotion, DataError> {
        let (low_pass, decimation, count) = (self.low_pass(filter)?, self.decimation(filter)?, self.time.len());
        let [mut q, mut v, mut a] = [0; 3].map(|_| vec![0.0; self.q.len() * count]);
        let to = q.par_chunks_exact_mut(count).zip(v.par_chunks_exact_mut(count)).zip(a.par_chunks_exact_mut(count));
        to.zip(&self.q).try_for_each(|(((q, v), a), measured)| -> Result<(), DataError> {
            let [smooth, first, second] = self.differentiated(low_pass.as_ref(), measured)?;
            q.copy_from_slice(&smooth);
            v.copy_from_slice(&first);
            a.copy_from_slice(&second);
            Ok(())
        })?;
        Ok(JointMotion { count, q, v, a, effort: self.effort.concat(), decimation, left_out: self.left_out.clone() })
    }

    /// Positions, velocities, accelerations and efforts, all as smooth, at so many instants between the borders or fewer, joint by joint.
    pub(crate) fn smooth(&self, filter: &Filter, instants: usize) -> Result<[Vec<f64>; 4], DataError> {
        let (low_pass, border) = (self.low_pass(filter)?, self.decimation(filter)?.border());
        let inside = self.time.len().saturating_sub(2 * border).max(1);
        let count = inside.min(instants);
        let chosen = |signal: &[f64]| (0..count).map(|i| signal[border + i * inside / count]).collect::<Vec<f64>>();
        let of_joint = |(q, effort): (&Vec<f64>, &Vec<f64>)| -> Result<[Vec<f64>; 4], DataError> {
            let [q, v, a] = self.differentiated(low_pass.as_ref(), q)?;
            let effort = low_pass
                .as_ref()
                .map(|filter| filter.zero_phase(effort))
                .transpose()?
                .unwrap_or_else(|| effort.clone());
            Ok([q, v, a, effort].map(|signal| chosen(&signal)))
        };
        let joints: Vec<[Vec<f64>; 4]> = self.q.par_iter().zip(&self.effort).map(of_joint).collect::<Result<_, _>>()?;
        Ok(core::array::from_fn(|k| joints.iter().flat_map(|signals| signals[k].iter().copied()).collect()))
    }

    /// What positions pass.
    fn low_pass(&self, &Filter { order, cut_off, .. }: &Filter) -> Result<Option<LowPass>, DataError> {
        Ok(cut_off.map(|cut_off| LowPass::new(order, cut_off, self.clock.rate())).transpose()?)
    }

    /// What equations pass, with the borders of all filters.
    fn decimation(&self, filter: &Filter) -> Result<Decimation, DataError> {
        let (rate, count) = (self.clock.rate(), self.time.len());
        let decimation = Decimation::new(filter.decimation, rate)?;
        // Equations hold at the ends, too, but count more than once there.
        let of_equations = (decimation.reach() / 2).min((MOST_OF_ENDS * count as f64) as usize);
        let settling = self.low_pass(filter)?.map_or(0, |low_pass| low_pass.settling()).max(of_equations);
        let border = filter.border.map_or(settling, |border| (border * rate).round() as usize);
        let decimation = decimation.with_border(border);
        if decimation.samples(count) == 0 {
            let least = border.saturating_mul(2).saturating_add(1);
            return Err(DataError::Borders { found: count, least, border: border as f64 / rate });
        }
        Ok(decimation)
    }

    /// Positions as smooth as the filter makes them, with their first and second derivatives.
    fn differentiated(&self, low_pass: Option<&LowPass>, measured: &[f64]) -> Result<[Vec<f64>; 3], DataError> {
        let q = low_pass.map_or_else(|| Ok(measured.to_vec()), |filter| filter.zero_phase(measured))?;
        let (v, a) = (first_derivative(&q, self.clock.step)?, second_derivative(&q, self.clock.step)?);
        Ok([q, v, a])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Clock;

    /// A wave of 2 Hz with noise of 300 Hz on it, at 2 kHz.
    fn measurement() -> Measurement {
        let time: Vec<f64> = (0..4000).map(|k| f64::from(k) / 2000.0).collect();
        let q = time.iter().map(|t| (12.0 * t).sin() + 1e-3 * (1885.0 * t).sin()).collect();
        let effort = time.iter().map(|t| 3.0 * t).collect();
        let (joints, clock) = (vec!["arm".into()], Clock::even(1.0 / 2000.0));
        Measurement { joints, time, clock, q: vec![q], v: None, effort: vec![effort], left_out: Vec::new() }
    }

    #[test]
    fn derivatives_are_those_of_the_smooth_motion() {
        let measured = measurement();
        let filter = Filter { cut_off: Some(60.0), decimation: 20, ..Filter::default() };
        let motion = measured.motion(&filter).unwrap();
        assert!(motion.decimation.border() >= LowPass::new(4, 60.0, 2000.0).unwrap().settling());
        for k in motion.decimation.kept(motion.count) {
            let t = measured.time[k];
            let off = [
                motion.q[k] - (12.0 * t).sin(),
                (motion.v[k] - 12.0 * (12.0 * t).cos()) / 12.0,
                (motion.a[k] + 144.0 * (12.0 * t).sin()) / 144.0,
            ];
            assert!(off.iter().all(|off| off.abs() < 3e-3), "sample {k}: {off:?}");
        }
        let raw = measured.motion(&Filter::default()).unwrap();
        let worst = raw.a.iter().zip(&measured.time).map(|(a, t)| (a + 144.0 * (12.0 * t).sin()).abs());
        assert!(worst.fold(0.0, f64::max) > 1000.0, "without a filter the noise rules");
        assert_eq!((raw.decimation.border(), raw.effort.len()), (0, 4000));
    }

    #[test]
    fn filters_that_do_not_fit_are_named() {
        let failed = |filter: Filter| measurement().motion(&filter).unwrap_err().to_string();
        assert!(failed(Filter { cut_off: Some(2000.0), ..Filter::default() }).contains("between 0 and 1000"));
        assert!(
            failed(Filter { border: Some(5.0), ..Filter::default() }).contains("4000 samples are fewer than the 20001")
        );
        assert!(failed(Filter { decimation: 0, ..Filter::default() }).contains("decimation by 0"));
    }
}
