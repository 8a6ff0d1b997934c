//! What is wrong with one channel of a measurement: nothing on it, dead for a while, spikes, or cut off at a limit.

use crate::thresholds::{
    AS_FAR, AT_LEVEL, CONSTANT, DEAD, DEAD_OF_RANGE, DEAD_STEP, FEW_STEPS, JUMP, JUMP_OF_RANGE, SPIKE, SPIKE_OF_RANGE,
    SPIKE_SIDES,
};
use core::ops::Range;

/// Whether a channel never changes: a sensor that is dead, or not connected.
#[must_use]
pub fn is_constant(signal: &[f64]) -> bool {
    let [least, most] = extremes(signal);
    most - least <= CONSTANT * least.abs().max(most.abs())
}

/// Where a channel is cut off: at least `least` samples in a row at ±`limit` or beyond, if a limit is known, otherwise at
/// its own highest or lowest value, if that is as far from zero as the other, or farther. A smooth peak does not stay at its top; a
/// coarsely quantised one does for some samples, so ask for more than that; of one with few steps nothing can be said.
///
/// ```
/// use appell_identification::signals::saturated;
///
/// let torque = [0.0, 3.0, 5.0, 5.0, 5.0, 2.0, -4.0, -4.4, -4.0];
/// assert_eq!(saturated(&torque, None, 3), [2..5]);
/// assert_eq!(saturated(&torque, Some(4.0), 3), [2..5, 6..9]);
/// ```
#[must_use]
pub fn saturated(signal: &[f64], limit: Option<f64>, least: usize) -> Vec<Range<usize>> {
    if is_constant(signal) {
        return Vec::new();
    }
    let (lower, upper) = match limit {
        Some(limit) => (-limit.abs(), limit.abs()),
        None => extremes(signal).into(),
    };
    let near = AT_LEVEL * (upper - lower);
    let is_far = |level: f64, other: f64| limit.is_some() || level.abs() > AS_FAR * other.abs();
    if limit.is_none() && upper - lower < FEW_STEPS * quantum(signal) {
        return Vec::new();
    }
    let side = |x: f64| {
        let above = is_far(upper, lower) && x >= upper - near;
        i8::from(above) - i8::from(!above && is_far(lower, upper) && x <= lower + near)
    };
    runs(signal, |one, other| side(one) == side(other))
        .filter(|run| run.len() >= least && side(signal[run.start]) != 0)
        .collect()
}

/// The row, counted from 1, at which a position first jumps, and how far: by a good part of its range between two samples, and by
/// much more than before and after. An angle that was wrapped, or samples that were lost, do so; no robot does.
///
/// ```
/// use appell_identification::signals::jump;
///
/// let mut angle: Vec<f64> = (0..100).map(|k| 0.05 * f64::from(k)).collect();
/// assert_eq!(jump(&angle), None);
/// angle[60..].iter_mut().for_each(|x| *x -= 6.0);
/// let (row, step) = jump(&angle).unwrap();
/// assert!(row == 61 && (step + 5.95).abs() < 1e-12);
/// ```
#[must_use]
pub fn jump(signal: &[f64]) -> Option<(usize, f64)> {
    let [least, most] = extremes(signal);
    let step = |k: usize| signal[k] - signal[k - 1];
    (2..signal.len().saturating_sub(1)).find_map(|k| {
        let beside = step(k - 1).abs().max(step(k + 1).abs());
        let jumps = step(k).abs() > JUMP_OF_RANGE * (most - least) && step(k).abs() > JUMP * beside;
        jumps.then(|| (k + 1, step(k)))
    })
}

/// Where a channel keeps one value for some samples and comes there, or goes on, by a step that it does not make otherwise: samples
/// that were lost and filled with zeros or with the last one.
///
/// ```
/// use appell_identification::signals::dead;
///
/// let mut torque: Vec<f64> = (0..200).map(|k| 20.0 + (0.05 * f64::from(k)).sin()).collect();
/// assert!(dead(&torque).is_empty());
/// torque[50..60].fill(0.0);
/// assert_eq!(dead(&torque), [50..60]);
/// ```
#[must_use]
pub fn dead(signal: &[f64]) -> Vec<Range<usize>> {
    let [least, most] = extremes(signal);
    let usual = median(steps(signal));
    let is_jump = |k: usize| {
        let step = (signal[k] - signal[k - 1]).abs();
        step > DEAD_OF_RANGE * (most - least) && step > DEAD_STEP * usual
    };
    let is_dead =
        |run: &Range<usize>| (run.start > 0 && is_jump(run.start)) || (run.end < signal.len() && is_jump(run.end));
    runs(signal, |one, other| one == other).filter(|run| run.len() >= DEAD && is_dead(run)).collect()
}

/// Samples far from both neighbours, which agree: what a disturbed line does, and no drive.
///
/// ```
/// use appell_identification::signals::spikes;
///
/// let mut torque: Vec<f64> = (0..200).map(|k| (0.05 * f64::from(k)).sin()).collect();
/// torque[70] += 30.0;
/// assert_eq!(spikes(&torque), [70]);
/// ```
#[must_use]
pub fn spikes(signal: &[f64]) -> Vec<usize> {
    let rise = |k: usize| signal[k] - 0.5 * (signal[k - 1] + signal[k + 1]);
    let inner = || 1..signal.len().saturating_sub(1);
    let usual = median(inner().map(|k| rise(k).abs()));
    let is_alone = |k: usize| (signal[k + 1] - signal[k - 1]).abs() < SPIKE_SIDES * rise(k).abs();
    let candidates: Vec<usize> = inner().filter(|&k| rise(k).abs() > SPIKE * usual && is_alone(k)).collect();
    let rest: Vec<f64> =
        (0..signal.len()).filter(|k| candidates.binary_search(k).is_err()).map(|k| signal[k]).collect();
    let [least, most] = extremes(&rest);
    candidates.into_iter().filter(|&k| rise(k).abs() > SPIKE_OF_RANGE * (most - least)).collect()
}

/// The least step between two samples that is one: a count of an encoder, or the last digit of a file.
pub(crate) fn quantum(signal: &[f64]) -> f64 {
    steps(signal).reduce(f64::min).unwrap_or(0.0)
}

/// How far it is from one sample to the next, where it changes.
fn steps(signal: &[f64]) -> impl Iterator<Item = f64> {
    signal.windows(2).map(|pair| (pair[1] - pair[0]).abs()).filter(|step| *step > 0.0)
}

/// The number in the middle; zero of no numbers.
pub(super) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    if numbers.is_empty() {
        return 0.0;
    }
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The least and the largest value.
pub(crate) fn extremes(signal: &[f64]) -> [f64; 2] {
    let fold = |with: fn(f64, f64) -> f64| signal.iter().copied().reduce(with).unwrap_or(0.0);
    [fold(f64::min), fold(f64::max)]
}

/// The samples in runs, each of which continues the one before.
fn runs(signal: &[f64], continues: impl Fn(f64, f64) -> bool) -> impl Iterator<Item = Range<usize>> {
    let lengths = signal.chunk_by(move |one, other| continues(*one, *other)).map(<[f64]>::len);
    lengths.scan(0, |end, length| {
        *end += length;
        Some(*end - length..*end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_wave_is_found_and_a_whole_one_is_not() {
        let wave: Vec<f64> = (0..400).map(|k| (0.05 * f64::from(k)).sin()).collect();
        assert!(saturated(&wave, None, 3).is_empty());
        let cut: Vec<f64> = wave.iter().map(|x| x.clamp(-0.9, 0.8)).collect();
        let found = saturated(&cut, None, 3);
        let expected = wave.iter().filter(|x| **x >= 0.8 || **x <= -0.9).count();
        assert_eq!(found.iter().map(ExactSizeIterator::len).sum::<usize>(), expected);
        assert_eq!(found.len(), 7, "three whole waves, above and below, and the beginning of a fourth: {found:?}");
        assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    /// Friction that turns round, coarse converters, and a rest are neither dead nor spikes.
    #[test]
    fn what_drives_do_is_neither_dead_nor_a_spike() {
        let time = || (0..2000).map(|k| 0.005 * f64::from(k));
        let friction: Vec<f64> = time().map(|t| 10.0 * t.sin() + 8.0 * (3.0 * t).cos().signum()).collect();
        let coarse: Vec<f64> = time().map(|t| (20.0 * (0.7 * t).sin()).round()).collect();
        let rest: Vec<f64> = time().map(|t| if t < 3.0 { 5.0 } else { 5.0 + (t - 3.0).sin() }).collect();
        for (name, signal) in [("friction", friction), ("coarse", coarse), ("rest", rest)] {
            assert!(
                dead(&signal).is_empty() && spikes(&signal).is_empty(),
                "{name}: {:?} {:?}",
                dead(&signal),
                spikes(&signal)
            );
        }
    }

    #[test]
    fn nothing_on_a_channel_is_constant_and_not_saturated() {
        assert!(is_constant(&[3.3; 10]) && is_constant(&[]) && is_constant(&[0.0; 4]));
        assert!(!is_constant(&[0.0, 1e-9]));
        assert!(saturated(&[3.3; 10], None, 3).is_empty());
        assert!(dead(&[3.3; 10]).is_empty() && dead(&[]).is_empty());
    }
}
