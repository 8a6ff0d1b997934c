//! Efforts that were recorded late.

use crate::recording::{Recorded, Recording, case, machine, record, whole_model};
use appell_identification::base_parameters::structural;
use appell_identification::estimate::{Stretch, delays, weighted};
use appell_identification::observation::Observation;

/// Efforts that come so many samples later.
fn shift(recorded: &mut Recorded, late: i32) {
    for tau in &mut recorded.tau {
        let before = tau.clone();
        let at = |k: usize| (k as i32 - late).clamp(0, before.len() as i32 - 1) as usize;
        tau.iter_mut().enumerate().for_each(|(k, tau)| *tau = before[at(k)]);
    }
}

/// The equations of recordings of 5 s, each by its seed and with efforts that come so many samples later.
fn delayed(rate: f64, recordings: [(u64, i32); 2]) -> [Observation; 2] {
    let (machine, model, base) = case("puma560");
    recordings.map(|(seed, late)| {
        let recording = Recording { seed, rate, duration: 5.0, amplitude: 0.6, quantised: false, noise: 0.01 };
        let mut recorded = record(&machine, &recording);
        shift(&mut recorded, late);
        base.reduce(&recorded.exact(&machine, &model).part(4..recorded.count - 4))
    })
}

/// One recording after the other, without gaps.
fn stretches(equations: &[Observation], step: f64) -> Vec<Stretch> {
    let stretch = |(recording, part): (usize, &Observation)| Stretch { recording, samples: part.samples(), step };
    equations.iter().enumerate().map(stretch).collect()
}

/// Two samples late, or early, or none, with a hundredth of noise; two recordings, one after the other.
#[test]
fn late_efforts_are_told_with_their_delay() {
    let rate = 200.0;
    for late in [0_i32, 2, -2] {
        let equations = delayed(rate, [(5, late), (6, late)]);
        let all = equations[0].followed_by(&equations[1]);
        let (found, _) = weighted::estimate(&all).unwrap();
        match &delays(&all, &found, &stretches(&equations, 1.0 / rate))[..] {
            [] => assert_eq!(late, 0),
            all => {
                let [found] = all else { panic!("{late}: {all:?}") };
                let (expected, off) = (f64::from(late) / rate, found.seconds - f64::from(late) / rate);
                assert!(late != 0 && off.abs() < 0.1 * expected.abs() && found.gain > 0.2, "{late}: {found:?}");
                assert_eq!((&found.joint, found.recording), (&None, None));
            }
        }
    }
}

/// The shoulder's efforts alone.
#[test]
fn one_late_joint_is_named() {
    let machine = machine("puma560");
    let (model, rate) = (whole_model(&machine), 200.0);
    let base = structural(&machine, &model).unwrap();
    let recording = Recording { seed: 5, rate, duration: 5.0, amplitude: 0.6, quantised: false, noise: 0.01 };
    let mut recorded = record(&machine, &recording);
    recorded.tau[1].rotate_right(4);
    let equations = base.reduce(&recorded.exact(&machine, &model).part(8..recorded.count - 8));
    let (found, _) = weighted::estimate(&equations).unwrap();
    let all = delays(&equations, &found, &stretches(core::slice::from_ref(&equations), 1.0 / rate));
    let [late] = &all[..] else { panic!("{all:?}") };
    assert_eq!(late.joint.as_deref(), Some("shoulder"));
    assert!((late.seconds - 0.02).abs() < 0.006, "{late:?}");
}

/// Encoders, filters and thinning, which leave two equations per period of the cut-off, do not make delays longer.
#[test]
fn delays_of_thinned_equations_are_not_too_long() {
    let machine = machine("puma560");
    let (model, rate, factor) = (whole_model(&machine), 1000.0, 20);
    let base = structural(&machine, &model).unwrap();
    for late in [2_i32, 5, -4, 10] {
        let recording = Recording { seed: 7, rate, duration: 8.0, amplitude: 0.6, quantised: true, noise: 0.01 };
        let mut recorded = record(&machine, &recording);
        shift(&mut recorded, late);
        let equations = [base.reduce(&recorded.processed(&machine, &model, rate, 25.0, factor))];
        let (found, _) = weighted::estimate(&equations[0]).unwrap();
        let all = delays(&equations[0], &found, &stretches(&equations, factor as f64 / rate));
        let [told] = &all[..] else { panic!("{late}: {all:?}") };
        let off = told.seconds / (f64::from(late) / rate) - 1.0;
        assert!(off.abs() < 0.08, "{late}: {off:.3} {told:?}");
    }
}

/// A recorder that was late in one of two recordings.
#[test]
fn a_recording_with_a_delay_of_its_own_is_named() {
    let rate = 200.0;
    let equations = delayed(rate, [(5, 0), (6, 3)]);
    let all = equations[0].followed_by(&equations[1]);
    let (found, _) = weighted::estimate(&all).unwrap();
    let told = delays(&all, &found, &stretches(&equations, 1.0 / rate));
    let second = told.iter().find(|delay| delay.recording == Some(1)).unwrap_or_else(|| panic!("{told:?}"));
    assert!((second.seconds - 0.015).abs() < 0.003, "{told:?}");
}
