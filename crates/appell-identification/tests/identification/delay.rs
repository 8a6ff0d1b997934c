//! Efforts that were recorded late.

use crate::recording::{Recording, machine, record};
use appell_identification::base_parameters::structural;
use appell_identification::estimate::{delay, weighted};
use appell_identification::observation::Observation;

/// Two samples late, or early, or none, with a hundredth of noise; two recordings, one after the other.
#[test]
fn late_efforts_are_told_with_their_delay() {
    let machine = machine("puma560");
    let (model, rate) = (machine.model(), 200.0);
    let base = structural(machine.robot(), &model).unwrap();
    for late in [0_i32, 2, -2] {
        let equations = [5, 6].map(|seed| {
            let recording = Recording { seed, rate, duration: 5.0, amplitude: 0.6, quantised: false, noise: 0.01 };
            let mut recorded = record(&machine, &recording);
            for tau in &mut recorded.tau {
                let before = tau.clone();
                let at = |k: usize| (k as i32 - late).clamp(0, before.len() as i32 - 1) as usize;
                tau.iter_mut().enumerate().for_each(|(k, tau)| *tau = before[at(k)]);
            }
            base.reduce(&recorded.exact(&machine, &model).part(4..recorded.count - 4))
        });
        let samples = equations.each_ref().map(Observation::samples);
        let all = equations[0].followed_by(&equations[1]);
        let (found, _) = weighted::estimate(&all).unwrap();
        match delay(&all, &found, &samples, 1.0 / rate) {
            None => assert_eq!(late, 0),
            Some(found) => {
                let (expected, off) = (f64::from(late) / rate, found.seconds - f64::from(late) / rate);
                assert!(late != 0 && off.abs() < 0.1 * expected.abs() && found.gain > 0.2, "{late}: {found:?}");
                assert_eq!(found.joint, None);
            }
        }
    }
}

/// The shoulder's efforts alone.
#[test]
fn one_late_joint_is_named() {
    let machine = machine("puma560");
    let (model, rate) = (machine.model(), 200.0);
    let base = structural(machine.robot(), &model).unwrap();
    let recording = Recording { seed: 5, rate, duration: 5.0, amplitude: 0.6, quantised: false, noise: 0.01 };
    let mut recorded = record(&machine, &recording);
    recorded.tau[1].rotate_right(4);
    let equations = base.reduce(&recorded.exact(&machine, &model).part(8..recorded.count - 8));
    let (found, _) = weighted::estimate(&equations).unwrap();
    let late = delay(&equations, &found, &[equations.samples()], 1.0 / rate).unwrap();
    assert_eq!(late.joint.as_deref(), Some("shoulder"));
    assert!((late.seconds - 0.02).abs() < 0.006, "{late:?}");
}
