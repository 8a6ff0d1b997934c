use super::*;
use appell::sample::Sampler;

const STEP: f64 = 0.005;

/// Two waves, of 0.7 and 3 Hz.
fn wave(t: f64) -> f64 {
    (4.4 * t).sin() + 0.1 * (18.8 * t + 0.3).cos()
}

/// Instants that are off from an even grid by up to a third of a step.
fn uneven(count: u32) -> Vec<f64> {
    let mut sampler = Sampler::new(11);
    (0..count).map(|k| STEP * (f64::from(k) + sampler.within(1.0 / 3.0))).collect()
}

fn sampled(times: &[f64]) -> Vec<f64> {
    times.iter().map(|&t| wave(t)).collect()
}

/// The largest error on the grids of all pieces.
fn worst(instants: &Instants, channel: &[f64]) -> f64 {
    let of_piece = |piece: usize| {
        let pairs = instants.on_grid(piece, channel, 0.0).into_iter().zip(instants.times(piece));
        pairs.map(|(x, t)| (x - wave(t)).abs()).fold(0.0, f64::max)
    };
    (0..instants.pieces()).map(of_piece).fold(0.0, f64::max)
}

/// Samples that were taken when their stamps say so: the spline finds the wave, and says how well.
#[test]
fn true_stamps_are_taken_and_the_error_is_that_of_the_wave() {
    let times = uneven(2000);
    let x = sampled(&times);
    let instants = Instants::of(&times, &[&x], &[], None).unwrap();
    assert!(instants.is_interpolated() && !instants.found.is_counted, "{instants}");
    assert!((instants.clock().step / STEP - 1.0).abs() < 1e-4);
    let rms = {
        let pairs = instants.on_grid(0, &x, 0.0).into_iter().zip(instants.times(0));
        let squares: Vec<f64> = pairs.map(|(x, t)| (x - wave(t)).powi(2)).collect();
        mean(&squares).sqrt()
    };
    let told = instants.error(&x);
    assert!(rms < 2e-6 && told > 0.3 * rms && told < 5.0 * rms, "{rms} {told}");
    assert!(instants.to_string().contains("taken as they are"), "{instants}");
}

/// Samples that were taken evenly and stamped late: counting them is right, to the last digit.
#[test]
fn late_stamps_of_even_samples_are_not_taken() {
    let mut sampler = Sampler::new(5);
    let even: Vec<f64> = (0..2000).map(|k| STEP * f64::from(k)).collect();
    let stamps: Vec<f64> = even.iter().map(|t| t + STEP * sampler.within(0.3)).collect();
    let x = sampled(&even);
    let instants = Instants::of(&stamps, &[&x], &[], None).unwrap();
    assert!(instants.found.is_counted && !instants.is_interpolated(), "{instants}");
    assert_eq!(instants.on_grid(0, &x, 0.0), x);
    // A straight line through 2000 stamps is known to a hundredth of what they are off: 20 µs at 6 rad/s.
    assert!(worst(&instants, &x) < 3e-4, "{}", worst(&instants, &x));
    assert!(instants.to_string().contains("rows are counted instead"), "{instants}");
}

/// A recorder that writes in bursts, and one whose clock has three digits.
#[test]
fn bursts_and_rounded_stamps_are_counted() {
    let even: Vec<f64> = (0..1000).map(|k| STEP * f64::from(k)).collect();
    let x = sampled(&even);
    let bursts: Vec<f64> = (0..1000).map(|k| STEP * f64::from(k / 4 * 4 + 3)).collect();
    let rounded: Vec<f64> = even.iter().map(|t| (t / 0.012).floor() * 0.012).collect();
    let mut once = even.clone();
    once[500..505].fill(even[505]);
    for (stamps, what) in [(bursts, "bursts"), (rounded, "rounded"), (once, "one burst")] {
        let instants = Instants::of(&stamps, &[&x], &[], None).unwrap();
        assert_eq!((instants.pieces(), instants.on_grid(0, &x, 0.0) == x), (1, true), "{what}: {instants}");
        assert!((instants.clock().step / STEP - 1.0).abs() < 1e-3, "{what}: {:?}", instants.clock());
    }
}

/// Rows that stand twice are one; small gaps are bridged, large ones end a piece; short pieces are left out.
#[test]
fn doubled_and_missing_rows() {
    let mut times: Vec<f64> = (0..1000).map(|k| STEP * f64::from(k)).collect();
    times.drain(910..990); // leaves ten after it
    times.drain(600..700);
    times.drain(400..403);
    times.remove(200);
    times.insert(100, times[100]);
    let x = sampled(&times);
    let instants = Instants::of(&times, &[&x], &[&x], None).unwrap();
    let Found { doubled, bridged, short, longest, .. } = instants.found;
    assert_eq!((doubled, bridged, short, instants.pieces()), (1, [2, 4], 10, 2), "{instants}");
    assert!((longest - 101.0 * STEP).abs() < 1e-9, "{longest}");
    assert_eq!([0, 1].map(|piece| instants.times(piece).len()), [600, 210]);
    assert!(worst(&instants, &x) < 1e-4, "{}", worst(&instants, &x));
    // Rows 550 to 552 of the table are at 553 to 555 of the first grid; 600 is in the second piece.
    let runs = |piece: usize| instants.runs(piece, &[550..553, 610..612], 0.0);
    assert_eq!((runs(0).len(), runs(0)[0].clone()), (1, 551..558));
    assert_eq!((runs(1).len(), runs(1)[0].clone()), (1, 11..17));
    assert!(instants.to_string().contains("4 samples missing in 2 gaps bridged"), "{instants}");
}

/// A grid that is asked for, and even stamps, of which nothing is said.
#[test]
fn a_rate_may_be_given_and_even_stamps_stay() {
    let times: Vec<f64> = (0..500).map(|k| STEP * f64::from(k)).collect();
    let x = sampled(&times);
    let instants = Instants::of(&times, &[&x], &[], Some(400.0)).unwrap();
    assert_eq!((instants.times(0).len(), instants.clock().step), (999, 0.0025));
    assert!(worst(&instants, &x) < 1e-4);
    let rounded: Vec<f64> = (0..100).map(|k| (f64::from(k) / 3.0 * 1000.0).round() / 1000.0).collect();
    let x = sampled(&rounded);
    let instants = Instants::of(&rounded, &[&x], &[], None).unwrap();
    assert_eq!((instants.on_grid(0, &x, 0.0), instants.times(0), instants.to_string()), (x, rounded, String::new()));
    assert!((instants.clock().rate() - 3.0).abs() < 1e-3 && instants.clock().jitter < 0.003);
}

#[test]
fn what_cannot_be_mended_is_named_with_its_row() {
    let even: Vec<f64> = (0..20).map(|k| 0.1 * f64::from(k)).collect();
    let with = |row: usize, time: f64| {
        let mut times = even.clone();
        times[row - 1] = time;
        Instants::of(&times, &[&even], &[], None).unwrap_err()
    };
    assert!(matches!(with(4, f64::NAN), SignalError::NotFinite { row: 4, .. }));
    assert!(matches!(with(4, 0.05), SignalError::Backwards { row: 4, .. }));
    let still = Instants::of(&[2.0; 30], &[&[0.0; 30]], &[], None);
    assert_eq!(still, Err(SignalError::StandsStill { time: 2.0 }));
    assert_eq!(Instants::of(&even[..2], &[&even[..2]], &[], None), Err(SignalError::TooShort { found: 2, least: 3 }));
}

/// Parabolas are their own spline, up to the ends; sines are met to fourth order between them.
#[test]
fn splines_are_of_fourth_order() {
    let knots =
        |n: usize| -> Vec<f64> { (0..=n).map(|k| (k as f64 + 0.3 * (k % 2) as f64) * 3.0 / n as f64).collect() };
    let missed = |n: usize, of: fn(f64) -> f64, ends: usize| {
        let times = knots(n);
        let spline = Spline::through(&times, times.iter().map(|&t| of(t)).collect());
        let between: Vec<f64> = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        let errors = spline.at(&between).into_iter().zip(&between).map(|(x, &t)| (x - of(t)).abs());
        errors.skip(ends).take(n - 2 * ends).fold(0.0, f64::max)
    };
    assert!(missed(30, |t| 1.0 - 2.0 * t + 3.0 * t * t, 0) < 1e-13);
    let order = (missed(60, f64::sin, 12) / missed(120, f64::sin, 24)).log2();
    assert!((order - 4.0).abs() < 0.2, "{order}");
}
