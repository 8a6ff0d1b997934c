//! How signals are smoothed and thinned: as asked, or as their motion needs it.
//!
//! Without a low-pass the second derivative of an encoder's steps hides the motion: at 1 kHz one count of 17 bits is 48 rad/s². So
//! where nothing is said the positions are cut off at ten times the [`bandwidth`] of their motion, at which Butterworth's filter of
//! fourth order, forwards and backwards, takes 10⁻⁸ of the motion, and equations are thinned to two per period of the cut-off. A spectrum
//! of a few waves is wide by itself: there it is twenty times the frequency that accelerations have to velocities, at most. What moves faster
//! than that has less than a thousandth of the velocity's power.

use super::measure::Measurement;
use super::span;
use crate::signals::{LowPass, SignalError, bandwidth};

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

/// A part of a recording that its two borders may take.
const BORDERS: f64 = 0.5;

/// Where the low-pass on the positions cuts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CutOff {
    /// At ten times the frequency of the motion.
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
        let samples = recordings.iter().map(|recording| recording.time.len()).min().unwrap_or(0);
        // An order that is none is an error, and not a filter that is of no use.
        LowPass::new(self.order, 0.25 * rate, rate)?;
        let cut_off = match self.cut_off {
            CutOff::At(cut_off) => Some(cut_off),
            CutOff::Off => None,
            CutOff::Automatic => {
                let mut fastest = 0.0_f64;
                for recording in recordings {
                    for q in &recording.q {
                        let of_motion = bandwidth(q, recording.clock.rate())?.unwrap_or(0.0);
                        let by_rates = span::bandwidth(q, recording.clock.step);
                        let waves = by_rates * recording.clock.step * q.len() as f64;
                        let is_short = by_rates > 0.0 && waves < FEW_WAVES;
                        fastest = fastest.max(if is_short { of_motion.min(2.0 * by_rates) } else { of_motion });
                    }
                }
                Some(ABOVE_MOTION * fastest).filter(|&cut_off| self.is_useful(cut_off, rate, samples))
            }
        };
        let allowed = || {
            let thinned = cut_off.map_or(1, |cut_off| (rate / (A_PERIOD * cut_off)) as usize);
            thinned.min(samples / LEAST_LEFT).max(1)
        };
        Ok(Filter {
            order: self.order,
            cut_off,
            decimation: self.decimation.unwrap_or_else(allowed),
            border: self.border,
        })
    }

    /// Whether a cut-off is below what is sampled, and leaves most of a recording between its borders.
    fn is_useful(&self, cut_off: f64, rate: f64, samples: usize) -> bool {
        let settling = LowPass::new(self.order, cut_off, rate).map_or(usize::MAX, |filter| filter.settling());
        cut_off < USELESS * rate && settling.saturating_mul(2) as f64 <= BORDERS * samples as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Clock;
    use core::f64::consts::TAU;

    /// Ten seconds of 1 Hz, at so many samples per second, as an encoder of 17 bits sees it.
    fn recording(rate: u32) -> Measurement {
        let time: Vec<f64> = (0..10 * rate).map(|k| f64::from(k) / f64::from(rate)).collect();
        let step = TAU / 131_072.0;
        let q: Vec<f64> = time.iter().map(|t| ((TAU * t).sin() / step).round() * step).collect();
        let (joints, clock) = (vec!["arm".into()], Clock::of(&time).unwrap());
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
