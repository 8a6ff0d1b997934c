//! Efforts that were recorded late.

use crate::recording::{Recorded, Recording, case, record};
use appell_identification::estimate::{Delay, Stretch, delays, weighted};
use appell_identification::observation::Observation;

const RATE: f64 = 200.0;

/// Efforts that come so many samples later.
fn shift(recorded: &mut Recorded, late: i32) {
    for tau in &mut recorded.tau {
        let before = tau.clone();
        let at = |k: usize| (k as i32 - late).clamp(0, before.len() as i32 - 1) as usize;
        tau.iter_mut().enumerate().for_each(|(k, tau)| *tau = before[at(k)]);
    }
}

/// The equations of 5 s of a PUMA, with efforts that are changed.
fn equations(seed: u64, change: impl FnOnce(&mut Recorded)) -> Observation {
    let (machine, model, base) = case("puma560");
    let recording = Recording { seed, rate: RATE, duration: 5.0, amplitude: 0.6, quantised: false, noise: 0.01 };
    let mut recorded = record(&machine, &recording);
    change(&mut recorded);
    base.reduce(&recorded.exact(&machine, &model).part(8..recorded.count - 8))
}

/// The delays of recordings that follow each other, each without gaps.
fn reported(parts: &[Observation], step: f64) -> Vec<Delay> {
    let stretch = |(recording, part): (usize, &Observation)| Stretch { recording, samples: part.samples(), step };
    let stretches: Vec<Stretch> = parts.iter().enumerate().map(stretch).collect();
    let all = parts.iter().cloned().reduce(|all, next| all.followed_by(&next)).unwrap();
    let found = weighted::estimate(&all).unwrap();
    delays(&all, &found, &stretches)
}

/// Two samples late, or early, or none, with a hundredth of noise; two recordings, one after the other.
#[test]
fn late_efforts_are_told_with_their_delay() {
    for late in [0_i32, 2, -2] {
        match &reported(&[5, 6].map(|seed| equations(seed, |recorded| shift(recorded, late))), 1.0 / RATE)[..] {
            [] => assert_eq!(late, 0),
            all => {
                let [found] = all else { panic!("{late}: {all:?}") };
                let expected = f64::from(late) / RATE;
                let off = found.seconds - expected;
                assert!(late != 0 && off.abs() < 0.1 * expected.abs() && found.gain > 0.2, "{late}: {found:?}");
                assert_eq!((&found.joint, found.recording), (&None, None));
            }
        }
    }
}

/// The shoulder's efforts alone.
#[test]
fn one_late_joint_is_named() {
    let all = reported(&[equations(5, |recorded| recorded.tau[1].rotate_right(4))], 1.0 / RATE);
    let [late] = &all[..] else { panic!("{all:?}") };
    assert_eq!(late.joint.as_deref(), Some("shoulder"));
    assert!((late.seconds - 0.02).abs() < 0.006, "{late:?}");
}

/// Encoders, filters and thinning, which leave two equations per period of the cut-off, do not make delays longer.
#[test]
fn delays_of_thinned_equations_are_not_too_long() {
    let (machine, model, base) = case("puma560");
    let (rate, factor) = (1000.0, 20);
    for late in [2_i32, 5, -4, 10] {
        let recording = Recording { seed: 7, rate, duration: 8.0, amplitude: 0.6, quantised: true, noise: 0.01 };
        let mut recorded = record(&machine, &recording);
        shift(&mut recorded, late);
        let equations = base.reduce(&recorded.processed(&machine, &model, rate, 25.0, factor));
        let all = reported(&[equations], factor as f64 / rate);
        let [reported] = &all[..] else { panic!("{late}: {all:?}") };
        let off = reported.seconds / (f64::from(late) / rate) - 1.0;
        assert!(off.abs() < 0.08, "{late}: {off:.3} {reported:?}");
    }
}

/// A recorder that was late in one of two recordings.
#[test]
fn a_recording_with_a_delay_of_its_own_is_named() {
    let reported =
        reported(&[(5, 0), (6, 3)].map(|(seed, late)| equations(seed, |recorded| shift(recorded, late))), 1.0 / RATE);
    let second = reported.iter().find(|delay| delay.recording == Some(1)).unwrap_or_else(|| panic!("{reported:?}"));
    assert!((second.seconds - 0.015).abs() < 0.003, "{reported:?}");
}
