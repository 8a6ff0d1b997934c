//! How signals are smoothed and thinned: as asked, or as their motion needs it.
//!
//! Without a low-pass the second derivative of an encoder's steps hides the motion: at 1 kHz one count of 17 bits is 48 rad/s². So
//! where nothing is said equations are thinned to two per period of ten times the [`bandwidth`] of the motion. A spectrum
//! of a few waves is wide by itself: there it is twenty times the frequency that accelerations have to velocities, at most. What moves faster
//! than that has less than a thousandth of the velocity's power.
//!
//! Positions are cut off there, too, at which Butterworth's filter of fourth order, forwards and backwards, takes 10⁻⁸ of such a motion;
//! but starts and stops are faster than the motion between them. So the cut-off rises by halves as long as that changes accelerations by
//! more than a hundredth and by more than noise would: noise is white, as that of an encoder is, with the density that positions have above
//! half of the highest frequency, or that of its steps. It rises, too, as long as the low-pass would cost more at the ends than a quarter of a second, and more
//! than a twentieth of the recording: equations are cut off lower, and lose the noise that this lets pass.
//!
//! The equations' low-pass takes the same from both sides, at the ends of a recording too, so that they hold there as well. What it makes of the
//! ends counts more than once, and is cut off until a tenth of it is left, or a twentieth of the recording is gone; what the positions' low-pass makes of
//! them is cut off until a hundredth is left.

use super::measurement::Measurement;
use super::span;
use crate::signals::{LowPass, SignalError, Spectrum, bandwidth, quantum, second_derivative};
use crate::thresholds::MOST_OF_ENDS;
use core::f64::consts::TAU;
use rayon::prelude::*;

/// The cut-off over the motion's bandwidth.
const ABOVE_MOTION: f64 = 10.0;

/// A recording of fewer waves has a spectrum that is wider than its motion.
const FEW_WAVES: f64 = 12.0;

/// A cut-off beyond this part of the sample rate is none.
const USELESS: f64 = 0.4;

/// Equations a period of the cut-off.
const A_PERIOD: f64 = 2.0;

/// As many samples are left at least, where there are as many.
const LEAST_LEFT: usize = 100;

/// A part of a recording that the positions' low-pass may take at its two ends.
const BORDERS: f64 = 0.5;

/// By how much a cut-off rises at a time,
const RISE: f64 = 1.5;

/// the part of accelerations that it must not take,
const TAKEN: f64 = 0.01;

/// and how many times the power of noise is more than noise.
const ABOVE_NOISE: f64 = 10.0;

/// What the low-pass may take at an end, s, where a twentieth of the recording is less.
const AT_AN_END: f64 = 0.25;

/// Samples of a piece of a spectrum of noise.
const NOISE_PIECE: usize = 1024;

/// Where the low-pass on the positions cuts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CutOff {
    /// At ten times the frequency of the motion, or above that where it takes of starts and stops.
    #[default]
    Automatic,
    /// Nowhere: positions are taken as they are.
    Off,
    /// Hz.
    At(f64),
}

/// How signals are to be smoothed and thinned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoothing {
    /// Of the low-pass on the positions.
    pub order: usize,
    /// Where it cuts.
    pub cut_off: CutOff,
    /// Every how many-th equation is kept; as the cut-off allows if not given.
    pub decimation: Option<usize>,
    /// What is cut off at both ends, s; the settling of the filters if not given.
    pub border: Option<f64>,
}

/// How signals are smoothed and thinned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Filter {
    /// Of the low-pass on the positions.
    pub order: usize,
    /// Where it cuts, Hz; positions are taken as they are if not given.
    pub cut_off: Option<f64>,
    /// Every how many-th equation is kept.
    pub decimation: usize,
    /// What is cut off at both ends, s; the settling of the filters if not given.
    pub border: Option<f64>,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { order: 4, cut_off: CutOff::default(), decimation: None, border: None }
    }
}

impl Default for Filter {
    /// Nothing is smoothed or thinned.
    fn default() -> Self {
        Self { order: 4, cut_off: None, decimation: 1, border: None }
    }
}

impl Smoothing {
    /// One filter for all these recordings: what was asked for, and the rest as the fastest motion of them needs it.
    ///
    /// # Errors
    /// If a sample is no number, or there is no filter of this order.
    pub fn chosen(&self, recordings: &[&Measurement]) -> Result<Filter, SignalError> {
        let rate = recordings.iter().map(|recording| recording.clock.rate()).fold(f64::INFINITY, f64::min);
        let samples = recordings.iter().map(|recording| recording.time.len()).max().unwrap_or(0);
        // An order that is none is an error, and not a filter that is of no use.
        LowPass::new(self.order, 0.25 * rate, rate)?;
        let above_motion = match self.cut_off {
            CutOff::At(cut_off) => Some(cut_off),
            CutOff::Off => None,
            CutOff::Automatic => {
                let mut fastest = 0.0_f64;
                for recording in recordings {
                    let of_joint = |q: &Vec<f64>| -> Result<f64, SignalError> {
                        let of_motion = bandwidth(q, recording.clock.rate())?.unwrap_or(0.0);
                        let by_rates = span::bandwidth(q, recording.clock.step);
                        let waves = by_rates * recording.clock.step * q.len() as f64;
                        let is_short = by_rates > 0.0 && waves < FEW_WAVES;
                        Ok(if is_short { of_motion.min(2.0 * by_rates) } else { of_motion })
                    };
                    let joints = recording.q.par_iter().map(of_joint).collect::<Result<Vec<_>, _>>()?;
                    fastest = joints.into_iter().fold(fastest, f64::max);
                }
                Some(ABOVE_MOTION * fastest).filter(|cut_off| (f64::MIN_POSITIVE..USELESS * rate).contains(cut_off))
            }
        };
        let cut_off = match (self.cut_off, above_motion) {
            (CutOff::Automatic, Some(least)) => {
                let cut_off = self.above_starts(recordings, least, rate, samples)?;
                Some(cut_off).filter(|&cut_off| self.leaves_most(cut_off, rate, samples))
            }
            (_, asked) => asked,
        };
        let above_motion = cut_off.and(above_motion);
        // No more equations than there are samples of what was recorded most slowly.
        let slowest = recordings.iter().map(|own| own.clock.slowest / own.clock.step).fold(1.0, f64::max);
        let allowed = || {
            let thinned = above_motion.map_or(1, |cut_off| (rate / (A_PERIOD * cut_off)) as usize);
            thinned.min(samples / LEAST_LEFT).max(slowest.round() as usize)
        };
        Ok(Filter {
            order: self.order,
            cut_off,
            decimation: self.decimation.unwrap_or_else(allowed),
            border: self.border,
        })
    }

    /// The least cut-off, from one on, above which there is nothing but noise in the accelerations, and which costs little at the ends of the
    /// longest recording.
    fn above_starts(
        &self,
        recordings: &[&Measurement],
        least: f64,
        rate: f64,
        longest: usize,
    ) -> Result<f64, SignalError> {
        let most = (MOST_OF_ENDS * longest as f64).max(AT_AN_END * rate);
        let channels = recordings.iter().flat_map(|own| own.q.iter().map(|q| (q, own.clock.rate())));
        let channels: Vec<(&Vec<f64>, f64)> = channels.collect();
        let mut cut_off = least;
        while RISE * cut_off < USELESS * rate {
            let takes = |(q, rate): &(&Vec<f64>, f64)| self.takes_motion(q, *rate, [cut_off, RISE * cut_off]);
            let is_costly = LowPass::new(self.order, cut_off, rate)?.settling() as f64 > most;
            if !is_costly
                && !channels.par_iter().map(takes).find_any(|takes| *takes != Ok(false)).unwrap_or(Ok(false))?
            {
                break;
            }
            cut_off *= RISE;
        }
        Ok(cut_off)
    }

    /// Whether of two cut-offs the lower one takes more than noise from the accelerations.
    fn takes_motion(&self, q: &[f64], rate: f64, cut_offs: [f64; 2]) -> Result<bool, SignalError> {
        let border = LowPass::new(self.order, cut_offs[0], rate)?.settling();
        if q.len() <= 2 * border + 3 {
            return Ok(false);
        }
        let acceleration = |cut_off: f64| -> Result<Vec<f64>, SignalError> {
            let q = LowPass::new(self.order, cut_off, rate)?.zero_phase(q)?;
            Ok(second_derivative(&q, rate.recip())?[border..q.len() - border].to_vec())
        };
        let [lower, higher] = cut_offs.map(acceleration);
        let (lower, higher) = (lower?, higher?);
        let taken: f64 = lower.iter().zip(&higher).map(|(one, other)| (one - other).powi(2)).sum();
        let whole: f64 = higher.iter().map(|a| a * a).sum();
        // ∫ (2πf)⁴ N df between the two.
        let band = TAU.powi(4) * (cut_offs[1].powi(5) - cut_offs[0].powi(5)) / 5.0;
        let noise = higher.len() as f64 * noise_density(q, rate)? * band;
        Ok(taken > TAKEN * TAKEN * whole && taken > ABOVE_NOISE * noise)
    }

    /// Whether a cut-off leaves most of a recording between its borders.
    fn leaves_most(&self, cut_off: f64, rate: f64, samples: usize) -> bool {
        let settling = LowPass::new(self.order, cut_off, rate).map_or(usize::MAX, |filter| filter.settling());
        settling.saturating_mul(2) as f64 <= BORDERS * samples as f64
    }
}

/// The density of white noise in positions, rad²/Hz or m²/Hz: that above half of the highest frequency, and no less than that of their steps.
fn noise_density(q: &[f64], rate: f64) -> Result<f64, SignalError> {
    let Spectrum { densities, .. } = Spectrum::of(q, rate, NOISE_PIECE)?;
    let fast = &densities[densities.len() / 2..];
    let of_steps = quantum(q).powi(2) / 12.0 / (0.5 * rate);
    Ok((fast.iter().sum::<f64>() / fast.len() as f64).max(of_steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Clock;

    /// Ten seconds of 1 Hz, at so many samples per second, as an encoder of 17 bits sees it.
    fn recording(rate: u32) -> Measurement {
        let time: Vec<f64> = (0..10 * rate).map(|k| f64::from(k) / f64::from(rate)).collect();
        let step = TAU / 131_072.0;
        let q: Vec<f64> = time.iter().map(|t| ((TAU * t).sin() / step).round() * step).collect();
        let (joints, clock) = (vec!["arm".into()], Clock::even(f64::from(rate).recip()));
        Measurement { joints, time, clock, effort: vec![q.clone()], q: vec![q], v: None, left_out: Vec::new() }
    }

    #[test]
    fn the_motion_sets_the_cut_off_and_the_cut_off_the_thinning() {
        let fast = recording(1000);
        let Filter { cut_off, decimation, .. } = Smoothing::default().chosen(&[&fast]).unwrap();
        let cut_off = cut_off.unwrap();
        assert!((10.0..30.0).contains(&cut_off), "{cut_off}");
        assert!((500.0 / cut_off - 1.0..=500.0 / cut_off).contains(&(decimation as f64)), "{decimation}");
        // The acceleration is that of the motion, which it is not without.
        let worst = |filter: &Filter| {
            let motion = fast.motion(filter).unwrap();
            let off = |k: usize| (motion.a[k] + TAU * TAU * (TAU * fast.time[k]).sin()).abs();
            (500..9500).map(off).fold(0.0, f64::max)
        };
        assert!(worst(&Smoothing::default().chosen(&[&fast]).unwrap()) < 0.2);
        assert!(worst(&Filter::default()) > 20.0);
        // One filter for several recordings: the slower sampled one decides about the thinning.
        let both = Smoothing::default().chosen(&[&fast, &recording(500)]).unwrap();
        assert!(both.decimation <= decimation.div_ceil(2));
    }

    /// Forty seconds of a slow wave that starts within a third of a second, at the beginning, where no spectrum with a window sees it.
    #[test]
    fn starts_are_kept() {
        let mut slow = recording(200);
        let started = |t: f64| ((t - 0.4) / 0.3).clamp(0.0, 1.0);
        let angle = |t: f64| {
            (0.3 * t).sin()
                + 0.2 * started(t).powi(4) * (35.0 - started(t) * (84.0 - started(t) * (70.0 - 20.0 * started(t))))
        };
        let mut sampler = appell::sample::Sampler::new(1);
        slow.time = (0..8000).map(|k| f64::from(k) / 200.0).collect();
        slow.q[0] = slow.time.iter().map(|t| angle(*t) + sampler.within(1e-6)).collect();
        slow.effort[0] = slow.q[0].clone();
        let exact = |t: f64| (angle(t + 1e-4) - 2.0 * angle(t) + angle(t - 1e-4)) / 1e-8;
        let off = |filter: &Filter| {
            let motion = slow.motion(filter).unwrap();
            let (mut missed, mut whole) = (0.0, 0.0);
            for k in 60..7940 {
                missed += (motion.a[k] - exact(slow.time[k])).powi(2);
                whole += exact(slow.time[k]).powi(2);
            }
            f64::sqrt(missed / whole)
        };
        let filter = Smoothing::default().chosen(&[&slow]).unwrap();
        let plain = ABOVE_MOTION * bandwidth(&slow.q[0], 200.0).unwrap().unwrap();
        let before = off(&Filter { cut_off: Some(plain), ..filter });
        assert!(off(&filter) < 0.05 && before > 0.5, "{filter:?} {}, and {before} at {plain} Hz", off(&filter));
    }

    /// Eight seconds of a wave of ten: ten times its frequency would take two seconds at each end.
    #[test]
    fn short_recordings_lose_little_at_their_ends() {
        let mut slow = recording(500);
        slow.time.truncate(4000);
        let step = TAU / 131_072.0;
        slow.q[0] = slow.time.iter().map(|t| ((TAU * 0.1 * t).sin() / step).round() * step).collect();
        slow.effort[0] = slow.q[0].clone();
        let filter = Smoothing::default().chosen(&[&slow]).unwrap();
        let border = |filter: &Filter| slow.motion(filter).map_or(4000, |motion| motion.decimation.border());
        assert!(border(&filter) <= 200, "{filter:?} takes {} of 4000 at an end", border(&filter));
        let plain = Filter { cut_off: Some(1.5), ..filter };
        assert!(border(&plain) > 600, "{}", border(&plain));
    }

    /// A quarter of a wave, or half of one, is no faster than the whole.
    #[test]
    fn pieces_of_a_wave_are_cut_off_near_it() {
        for (begin, end) in [(0, 250), (200, 500), (0, 700)] {
            let mut piece = recording(1000);
            piece.time = piece.time[begin..end].to_vec();
            piece.q[0] = piece.q[0][begin..end].to_vec();
            piece.effort[0] = piece.q[0].clone();
            let cut_off = Smoothing::default().chosen(&[&piece]).unwrap().cut_off;
            assert!(cut_off.is_none_or(|cut_off| (8.0..50.0).contains(&cut_off)), "{begin} to {end}: {cut_off:?}");
        }
    }

    #[test]
    fn what_is_asked_for_stays() {
        let measured = recording(1000);
        let chosen = |cut_off, decimation| {
            Smoothing { cut_off, decimation, ..Smoothing::default() }.chosen(&[&measured]).unwrap()
        };
        assert_eq!(chosen(CutOff::Off, None), Filter::default());
        assert_eq!(chosen(CutOff::Off, Some(7)), Filter { decimation: 7, ..Filter::default() });
        assert_eq!(chosen(CutOff::At(25.0), None), Filter { cut_off: Some(25.0), decimation: 20, ..Filter::default() });
        let steep = Smoothing { order: 1000, ..Smoothing::default() };
        assert!(matches!(steep.chosen(&[&measured]), Err(SignalError::Order { order: 1000, .. })));
        // Sampled too slowly for a filter.
        assert_eq!(Smoothing::default().chosen(&[&recording(20)]).unwrap(), Filter::default());
    }
}
