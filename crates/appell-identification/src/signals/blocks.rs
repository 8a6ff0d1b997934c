//! A low-pass without delay, and thinning, of many signals that are made block by block, so that memory does not grow with their length.
//!
//! A filter that runs forwards and then backwards needs the end before the beginning. So blocks are made twice. First in order: all signals
//! of a block pass forwards and are forgotten, but for the state in which the filter came to each block. Then the last one first: a block
//! passes forwards from that state, and backwards; samples that are kept stay. These are the sums of [`LowPass::zero_phase`] in
//! its order, to the last digit.
//!
//! Eight signals pass beside each other, since one alone would wait for itself. Those that are zero so far do not pass at all.

use super::LowPass;
use super::low_pass::Pass;
use core::ops::Range;
use rayon::prelude::*;

/// Signals beside each other.
pub(crate) const BESIDE: usize = 8;

/// Samples of a block.
const LENGTH: usize = 2048;

/// Samples of signals beside each other.
pub(crate) type Signals = [[f64; BESIDE]];

/// Some samples of a signal that is continued at both ends by its point reflections.
struct Block {
    rows: Range<usize>,
    /// The sample about which they are reflected, where they are.
    about: Option<usize>,
}

impl Block {
    /// All of a signal with so many samples, continued by `padding` samples at both ends, in order.
    fn all(samples: usize, padding: usize) -> Vec<Self> {
        let cut = |rows: Range<usize>, about: Option<usize>| -> Vec<Self> {
            let end = rows.end;
            rows.step_by(LENGTH).map(|at| Self { rows: at..end.min(at + LENGTH), about }).collect()
        };
        let last = samples - 1;
        let (before, after) = (cut(1..padding + 1, Some(0)), cut(last - padding..last, Some(last)));
        before.into_iter().rev().chain(cut(0..samples, None)).chain(after.into_iter().rev()).collect()
    }

    /// The samples that it is made of, in order.
    fn made_of(&self) -> Vec<usize> {
        match self.about {
            None => self.rows.clone().collect(),
            Some(about) => self.rows.clone().rev().chain([about]).collect(),
        }
    }

    /// Its own samples, from those that it is made of.
    fn continued<'s>(&self, signals: &'s mut Signals) -> &'s mut Signals {
        match (self.about, signals) {
            (Some(_), [samples @ .., about]) => {
                samples.iter_mut().for_each(|x| *x = core::array::from_fn(|k| 2.0 * about[k] - x[k]));
                samples
            }
            (_, signals) => signals,
        }
    }
}

/// Signals beside each other, on their way.
#[derive(Clone, Default)]
struct Group<'f> {
    now: Option<Pass<'f, BESIDE>>,        // none as long as all is zero
    begun: Vec<Option<Pass<'f, BESIDE>>>, // how it came forwards to each block
    kept: Vec<[f64; BESIDE]>,             // the last one first
}

impl<'f> Group<'f> {
    /// Passes a block of signals forwards, unless all is zero so far.
    fn forwards(&mut self, filter: &'f LowPass, signals: &mut Signals, is_any: bool, is_first: bool) {
        if self.now.is_none() && is_any {
            self.now = Some(filter.begin(if is_first { signals[0] } else { [0.0; BESIDE] }));
        }
        self.begun.push(self.now.clone());
        self.now.iter_mut().for_each(|pass| pass.pass(signals.iter_mut()));
    }

    /// Passes the block before those that were passed backwards, once more forwards, and then backwards.
    fn backwards(&mut self, filter: &'f LowPass, signals: &mut Signals, is_last: bool) {
        if let Some(mut pass) = self.begun.pop().flatten() {
            pass.pass(signals.iter_mut());
            if self.now.is_none() {
                self.now = Some(filter.begin(if is_last { signals[signals.len() - 1] } else { [0.0; BESIDE] }));
            }
        }
        self.now.iter_mut().for_each(|pass| pass.pass(signals.iter_mut().rev()));
    }
}

/// Signals of so many samples in groups, low-passed without delay, at samples `at`, which grow. `make` makes what signals are written from, at some
/// samples; `write` writes the signals of a group over zeros, and says whether it has any. Groups without any come out empty.
///
/// # Errors
/// Those of `make`.
pub(crate) fn filtered<M: Sync, E>(
    filter: &LowPass,
    samples: usize,
    at: &[usize],
    groups: usize,
    make: impl Fn(&[usize]) -> Result<M, E>,
    write: impl Fn(&M, usize, &mut Signals) -> bool + Sync,
) -> Result<Vec<Vec<[f64; BESIDE]>>, E> {
    let blocks = Block::all(samples, filter.padding_of(samples));
    let mut groups = vec![Group::default(); groups];
    for (number, block) in blocks.iter().enumerate() {
        let rows = block.made_of();
        let made = make(&rows)?;
        groups.par_iter_mut().enumerate().for_each(|(k, group)| {
            let mut signals = vec![[0.0; BESIDE]; rows.len()];
            let is_any = write(&made, k, &mut signals);
            group.forwards(filter, block.continued(&mut signals), is_any, number == 0);
        });
    }
    let has_any: Vec<bool> = groups.iter_mut().map(|group| group.now.take().is_some()).collect();
    for (number, block) in blocks.iter().enumerate().rev() {
        let rows = block.made_of();
        let made = make(&rows)?;
        let inside = if block.about.is_none() { block.rows.clone() } else { 0..0 };
        let kept = &at[at.partition_point(|k| *k < inside.start)..at.partition_point(|k| *k < inside.end)];
        groups.par_iter_mut().enumerate().filter(|(k, _)| has_any[*k]).for_each(|(k, group)| {
            let mut signals = vec![[0.0; BESIDE]; rows.len()];
            write(&made, k, &mut signals);
            let signals = block.continued(&mut signals);
            group.backwards(filter, signals, number + 1 == blocks.len());
            group.kept.extend(kept.iter().rev().map(|k| signals[k - inside.start]));
        });
    }
    groups.iter_mut().for_each(|group| group.kept.reverse());
    Ok(groups.into_iter().map(|group| group.kept).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::SignalError;

    /// Blocks give what one piece gives, to the last digit: long signals and short ones, shorter than the filter's reach, and ones that are zero at first, in
    /// the end, and everywhere.
    #[test]
    fn blocks_give_what_one_piece_gives() {
        for (samples, cut_off) in [(40, 0.05), (2047, 0.01), (2048, 0.3), (2049, 0.002), (5000, 0.004), (10_000, 0.02)]
        {
            let filter = LowPass::new(8, cut_off, 1.0).unwrap();
            let signal = |k: usize, i: usize| {
                let t = i as f64;
                match k {
                    3 if i < samples / 2 => 0.0,
                    4 if i > samples / 3 => 0.0,
                    5 | 8.. => 0.0,
                    _ => (0.01 * t * (k + 1) as f64).sin() + 1e-3 * t - 0.5 * (2.1 * t).cos(),
                }
            };
            let at: Vec<usize> = (3..samples).step_by(7).collect();
            let found = filtered(
                &filter,
                samples,
                &at,
                3,
                |rows| Ok::<_, SignalError>(rows.to_vec()),
                |rows, group, to| {
                    let of = |i: usize| core::array::from_fn(|k| signal(BESIDE * group + k, i));
                    rows.iter().zip(to.iter_mut()).for_each(|(i, to)| *to = of(*i));
                    to.iter().flatten().any(|x| *x != 0.0)
                },
            );
            let found = found.unwrap();
            assert_eq!([found[0].len(), found[1].len(), found[2].len()], [at.len(), 0, 0]);
            for k in 0..BESIDE {
                let whole = filter.zero_phase(&(0..samples).map(|i| signal(k, i)).collect::<Vec<_>>()).unwrap();
                for (i, found) in at.iter().zip(&found[0]) {
                    assert_eq!(found[k], whole[*i], "signal {k}, sample {i} of {samples} at {cut_off}");
                }
            }
        }
    }
}
