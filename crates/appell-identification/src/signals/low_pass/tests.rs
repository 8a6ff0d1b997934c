use super::*;
use core::f64::consts::TAU;

fn wave(frequency: f64, rate: f64, samples: usize) -> Vec<f64> {
    (0..samples).map(|k| (TAU * frequency * k as f64 / rate).sin()).collect()
}

#[test]
fn agrees_with_scipy() {
    // scipy 1.17.1: sosfiltfilt(butter(N, f, output='sos', fs=1), x, padtype='odd', padlen=15)
    const SCIPY: [(usize, f64, [f64; 6]); 3] = [
        (
            4,
            0.1,
            [
                0.48526979107910206,
                0.573286451475845,
                1.3265138950585407,
                3.7206894252050695,
                10.368137022767097,
                14.76651286884696,
            ],
        ),
        (
            5,
            0.25,
            [
                0.49090893028276184,
                0.36430684875075914,
                1.3389295322623314,
                3.23510078739069,
                10.61705997446848,
                14.767421502459555,
            ],
        ),
        (
            2,
            0.05,
            [
                0.4728746826760674,
                0.5745477182478967,
                1.002391560771333,
                3.834307781366401,
                10.780549817890474,
                14.84785288937846,
            ],
        ),
    ];
    let signal: Vec<f64> =
        (0..40).map(f64::from).map(|k| (0.3 * k).sin() + 0.5 * (1.1 * k + 0.2).cos() + 0.01 * k * k).collect();
    for (order, cut_off, expected) in SCIPY {
        let filtered = LowPass::new(order, cut_off, 1.0).unwrap().with_padding(15).zero_phase(&signal).unwrap();
        for (k, expected) in [0, 1, 7, 20, 33, 39].into_iter().zip(expected) {
            assert!((filtered[k] / expected - 1.0).abs() < 1e-11, "order {order}, sample {k}: {}", filtered[k]);
        }
    }
}

#[test]
fn the_cut_off_lets_half_the_amplitude_pass_and_nothing_is_late() {
    for order in 1..=HIGHEST_ORDER {
        let filter = LowPass::new(order, 8.0, 200.0).unwrap();
        let (wave, filtered) = (wave(8.0, 200.0, 4000), filter.zero_phase(&wave(8.0, 200.0, 4000)).unwrap());
        // In the middle, in phase with the wave: half of it; a quarter of a period later, 6.25 samples: nothing.
        let middle = 1500..2500; // forty whole periods
        let along: f64 = middle.clone().map(|k| wave[k] * filtered[k]).sum::<f64>() / 500.0;
        let across: f64 = middle.map(|k| (TAU * 8.0 * k as f64 / 200.0).cos() * filtered[k]).sum::<f64>() / 500.0;
        assert!((along - 0.5).abs() < 1e-9 && across.abs() < 1e-9, "order {order}: {along}, {across}");
    }
}

#[test]
fn the_gain_is_that_of_butterworth() {
    for (order, frequency) in [(1, 30.0), (2, 3.0), (3, 20.0), (8, 14.0)] {
        let filter = LowPass::new(order, 12.0, 200.0).unwrap();
        let filtered = filter.zero_phase(&wave(frequency, 200.0, 4000)).unwrap();
        let ratio: f64 = (PI * frequency / 200.0).tan() / (PI * 12.0_f64 / 200.0).tan();
        let expected = 1.0 / (1.0 + ratio.powi(2 * order as i32));
        let along: f64 =
            (1500..2500).map(|k| (TAU * frequency * k as f64 / 200.0).sin() * filtered[k]).sum::<f64>() / 500.0;
        assert!((along - expected).abs() < 1e-9, "order {order} at {frequency} Hz: {along}, {expected}");
    }
}

#[test]
fn polynomials_below_twice_the_order_pass_far_from_the_ends() {
    for order in [1, 2, 3] {
        let polynomial = |k: usize| ((k as f64 - 1000.0) / 500.0).powi(2 * order as i32 - 1);
        let signal: Vec<f64> = (0..2000).map(polynomial).collect();
        let filtered = LowPass::new(order, 4.0, 200.0).unwrap().zero_phase(&signal).unwrap();
        for (k, x) in filtered.iter().enumerate().skip(700).take(600) {
            assert!((x - polynomial(k)).abs() < 1e-10, "order {order}, sample {k}");
        }
        // One degree more does not.
        let signal: Vec<f64> = (0..2000).map(|k| ((f64::from(k) - 1000.0) / 500.0).powi(2 * order as i32)).collect();
        let filtered = LowPass::new(order, 4.0, 200.0).unwrap().zero_phase(&signal).unwrap();
        assert!((filtered[1000] - signal[1000]).abs() > 1e-9, "order {order}");
    }
}

#[test]
fn straight_lines_pass_up_to_the_ends() {
    let line: Vec<f64> = (0..300).map(|k| 5.0 - 0.1 * f64::from(k)).collect();
    let filtered = LowPass::new(4, 4.0, 100.0).unwrap().with_padding(250).zero_phase(&line).unwrap();
    let worst = line.iter().zip(&filtered).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn settling_is_when_a_hundredth_is_left() {
    let filter = LowPass::new(4, 5.0, 500.0).unwrap();
    let mut pulse = vec![0.0; 1001];
    pulse[500] = 1.0;
    let answer = filter.zero_phase(&pulse).unwrap();
    let settled = filter.settling();
    let after = answer[500 + settled..].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert!(after < 0.05 * answer[500], "{after} of {}", answer[500]);
    assert!(answer[500 + settled / 4].abs() > 0.01 * answer[500]);
}

#[test]
fn what_cannot_be_filtered_is_refused() {
    assert_eq!(LowPass::new(4, 60.0, 100.0), Err(SignalError::CutOff { cut_off: 60.0, nyquist: 50.0 }));
    assert!(matches!(LowPass::new(4, f64::NAN, 100.0), Err(SignalError::CutOff { .. })));
    assert_eq!(LowPass::new(0, 10.0, 100.0), Err(SignalError::Order { order: 0, most: HIGHEST_ORDER }));
    assert_eq!(LowPass::new(4, 10.0, -1.0), Err(SignalError::Rate { rate: -1.0 }));
    let filter = LowPass::new(4, 10.0, 100.0).unwrap();
    assert_eq!(filter.zero_phase(&[1.0; 3]), Err(SignalError::TooShort { found: 3, least: 4 }));
    assert!(matches!(filter.zero_phase(&[1.0, f64::NAN, 1.0, 1.0]), Err(SignalError::NotFinite { row: 2, .. })));
    assert_eq!(filter.zero_phase(&[2.5; 9]).unwrap().len(), 9, "shorter than the padding");
}
