use super::*;
use crate::signals::Grid;
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

/// The grid of one channel.
fn grid(times: &[f64], x: &[f64], rate: Option<f64>) -> Grid {
    Grid::of(vec![Instants::of(times, &[x], &[]).unwrap()], rate).unwrap()
}

/// The largest error on all pieces of a grid.
fn worst(grid: &Grid, channel: &[f64]) -> f64 {
    let of_piece = |piece: usize| {
        let pairs = grid.values(piece, 0, channel, 0.0).into_iter().zip(grid.times(piece));
        pairs.map(|(x, &t)| (x - wave(t)).abs()).fold(0.0, f64::max)
    };
    (0..grid.pieces()).map(of_piece).fold(0.0, f64::max)
}

/// Samples that were taken when their stamps say so: the spline finds the wave, and says how well.
#[test]
fn true_stamps_are_taken_and_the_error_is_that_of_the_wave() {
    let times = uneven(2000);
    let x = sampled(&times);
    let grid = grid(&times, &x, None);
    let instants = grid.recorded(0);
    assert!(grid.is_interpolated() && !instants.found.is_counted, "{instants}");
    assert!((grid.clock().step / STEP - 1.0).abs() < 1e-4);
    let rms = {
        let pairs = grid.values(0, 0, &x, 0.0).into_iter().zip(grid.times(0));
        let squares: Vec<f64> = pairs.map(|(x, &t)| (x - wave(t)).powi(2)).collect();
        mean(&squares).sqrt()
    };
    let told = grid.error(0, &x);
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
    let grid = grid(&stamps, &x, None);
    let instants = grid.recorded(0);
    assert!(instants.found.is_counted && !grid.is_interpolated(), "{instants}");
    assert_eq!(grid.values(0, 0, &x, 0.0), x);
    // A straight line through 2000 stamps is known to a hundredth of what they are off: 20 µs at 6 rad/s.
    assert!(worst(&grid, &x) < 3e-4, "{}", worst(&grid, &x));
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
        let grid = grid(&stamps, &x, None);
        let instants = grid.recorded(0);
        assert_eq!((grid.pieces(), grid.values(0, 0, &x, 0.0) == x), (1, true), "{what}: {instants}");
        assert!((grid.clock().step / STEP - 1.0).abs() < 1e-3, "{what}: {:?}", grid.clock());
    }
}

/// Rows of a burst a moment after each other, and rows that wait for those before them, of positions with noise: rows are counted, and none is missing. True stamps
/// of such positions are taken.
#[test]
fn noise_hides_neither_bursts_nor_late_rows() {
    let mut sampler = Sampler::new(7);
    let even: Vec<f64> = (0..2000).map(|k| STEP * f64::from(k)).collect();
    let bursts: Vec<f64> = (0..2000).map(|k| STEP * f64::from(k / 20 * 20) + 1e-5 * f64::from(k % 20)).collect();
    let mut last = 0.0_f64;
    let mut late = |t: &f64| {
        let unit = 0.5 * (1.0 + sampler.within(1.0));
        last = last.max(t - 0.8 * STEP * unit.max(1e-9).ln());
        last
    };
    let late: Vec<f64> = even.iter().map(&mut late).collect();
    let mut noisy = |times: &[f64]| sampled(times).iter().map(|x| x + sampler.within(2e-3)).collect::<Vec<f64>>();
    for (stamps, what) in [(bursts, "bursts"), (late, "late")] {
        let x = noisy(&even);
        let grid = grid(&stamps, &x, None);
        let instants = grid.recorded(0);
        assert_eq!((grid.pieces(), grid.values(0, 0, &x, 0.0) == x), (1, true), "{what}: {instants}");
        assert!((grid.clock().step / STEP - 1.0).abs() < 1e-3, "{what}: {:?}", grid.clock());
    }
    let times = uneven(2000);
    let grid = grid(&times, &noisy(&times), None);
    assert!(!grid.recorded(0).found.is_counted, "{}", grid.recorded(0));
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
    let grid = Grid::of(vec![Instants::of(&times, &[&x], &[&x]).unwrap()], None).unwrap();
    let instants = grid.recorded(0);
    let Found { doubled, bridged, short, longest, .. } = instants.found;
    assert_eq!((doubled, bridged, short, grid.pieces()), (1, [2, 4], 10, 2), "{instants}");
    assert!((longest - 101.0 * STEP).abs() < 1e-9, "{longest}");
    assert_eq!([0, 1].map(|piece| grid.times(piece).len()), [600, 210]);
    assert!(worst(&grid, &x) < 1e-4, "{}", worst(&grid, &x));
    // Rows 550 to 552 of the table are at 553 to 555 of the first grid; 600 is in the second piece.
    let runs = |piece: usize| grid.runs(piece, 0, &[550..553, 610..612], 0.0);
    assert_eq!((runs(0).len(), runs(0)[0].clone()), (1, 551..558));
    assert_eq!((runs(1).len(), runs(1)[0].clone()), (1, 11..17));
    assert!(instants.to_string().contains("4 samples missing in 2 gaps bridged"), "{instants}");
}

/// A grid that is asked for, and even stamps, of which nothing is said.
#[test]
fn a_rate_may_be_given_and_even_stamps_stay() {
    let times: Vec<f64> = (0..500).map(|k| STEP * f64::from(k)).collect();
    let x = sampled(&times);
    let faster = grid(&times, &x, Some(400.0));
    assert_eq!((faster.times(0).len(), faster.clock().step, faster.clock().slowest), (999, 0.0025, STEP));
    assert!(worst(&faster, &x) < 1e-4);
    let rounded: Vec<f64> = (0..100).map(|k| (f64::from(k) / 3.0 * 1000.0).round() / 1000.0).collect();
    let x = sampled(&rounded);
    let even = grid(&rounded, &x, None);
    assert_eq!((even.values(0, 0, &x, 0.0), even.times(0)), (x, &rounded[..]));
    assert_eq!(even.recorded(0).to_string(), "");
    assert!((even.clock().rate() - 3.0).abs() < 1e-3 && even.clock().jitter < 0.003);
}

#[test]
fn what_cannot_be_mended_is_named_with_its_row() {
    let even: Vec<f64> = (0..20).map(|k| 0.1 * f64::from(k)).collect();
    let with = |row: usize, time: f64| {
        let mut times = even.clone();
        times[row - 1] = time;
        Instants::of(&times, &[&even], &[]).unwrap_err()
    };
    assert!(matches!(with(4, f64::NAN), SignalError::NotFinite { row: 4, .. }));
    assert!(matches!(with(4, 0.05), SignalError::Backwards { row: 4, .. }));
    let still = Instants::of(&[2.0; 30], &[&[0.0; 30]], &[]);
    assert_eq!(still, Err(SignalError::StandsStill { time: 2.0 }));
    assert_eq!(Instants::of(&even[..2], &[&even[..2]], &[]), Err(SignalError::TooShort { found: 2, least: 3 }));
    let apart: Vec<f64> = (0..200).map(|k| f64::from(k / 8 * 10) + STEP * f64::from(k % 8)).collect();
    assert_eq!(Instants::of(&apart, &[&sampled(&apart)], &[]), Err(SignalError::Scattered { longest: 8 }));
    let too_fine = Grid::of(vec![Instants::of(&even, &[&even], &[]).unwrap()], Some(1e9)).unwrap_err();
    assert!(too_fine.to_string().contains("beyond 100 times that of the rows, 10 Hz"), "{too_fine}");
}

/// Three devices: the second one is slower and begins later, the third one has a gap that both others have samples in.
#[test]
fn what_was_recorded_out_of_step_comes_onto_one_grid() {
    let times: [Vec<f64>; 3] = [
        (0..2000).map(|k| STEP * f64::from(k)).collect(),
        (0..180).map(|k| 0.5003 + 0.05 * f64::from(k)).collect(),
        (0..1990).filter(|k| !(1000..1100).contains(k)).map(|k| STEP * (f64::from(k) + 0.4)).collect(),
    ];
    let x = times.each_ref().map(|times| sampled(times));
    let recorded = times.iter().zip(&x).map(|(times, x)| Instants::of(times, &[x], &[]).unwrap()).collect();
    let grid = Grid::of(recorded, None).unwrap();
    assert_eq!((grid.pieces(), grid.clock().slowest), (2, grid.recorded(1).step));
    assert!((grid.clock().step / STEP - 1.0).abs() < 1e-9 && (grid.clock().slowest / 0.05 - 1.0).abs() < 1e-9);
    let span = |piece: usize| [grid.times(piece)[0], grid.times(piece)[grid.times(piece).len() - 1]];
    assert!((span(0)[0] - 0.5003).abs() < 1e-9 && (span(0)[1] - 999.4 * STEP).abs() < STEP, "{:?}", span(0));
    assert!((span(1)[0] - 1100.4 * STEP).abs() < 1e-9 && (span(1)[1] - 9.4503).abs() < STEP, "{:?}", span(1));
    for piece in 0..2 {
        for (number, (x, most)) in x.iter().zip([1e-4, 5e-3, 1e-4]).enumerate() {
            let pairs = grid.values(piece, number, x, 0.0).into_iter().zip(grid.times(piece));
            let inner = pairs.skip(40).take(grid.times(piece).len() - 80);
            let off = inner.map(|(x, &t)| (x - wave(t)).abs()).fold(0.0, f64::max);
            assert!(off < most, "piece {piece} of {number}: {off}");
            assert!(grid.error(number, x) < most, "{number}: {}", grid.error(number, x));
        }
    }
    // A sample of the slow one that is wrong is wrong where its spline goes.
    let [run] = &grid.runs(0, 1, core::slice::from_ref(&(20..21)), 0.0)[..] else { panic!() };
    let middle = ((times[1][20] - grid.times(0)[0]) / STEP).round() as usize;
    assert_eq!(*run, middle - 20..middle + 21);
    let apart = [0.0, 100.0].map(|begin| {
        let times: Vec<f64> = times[0].iter().map(|t| t + begin).collect();
        Instants::of(&times, &[&x[0]], &[]).unwrap()
    });
    let error = Grid::of(apart.to_vec(), None).unwrap_err().to_string();
    assert!(error.contains("s and from 100 to 109.995 s have nothing in common"), "{error}");
}

/// Of stamps that are late, rows are counted; a channel that has a sample in every tenth row has the instants of these.
#[test]
fn a_channel_with_samples_in_some_rows_has_the_instants_of_these() {
    let mut sampler = Sampler::new(5);
    let even: Vec<f64> = (0..2000).map(|k| STEP * f64::from(k)).collect();
    let stamps: Vec<f64> = even.iter().map(|t| t + STEP * sampler.within(0.3)).collect();
    let whole = Instants::of(&stamps, &[&sampled(&even)], &[]).unwrap();
    let tenth: Vec<usize> = (3..2000).step_by(10).collect();
    let part = whole.part(&tenth).unwrap();
    assert_eq!(part.taken, tenth.iter().map(|&row| whole.taken[row]).collect::<Vec<_>>());
    assert!(part.is_even && (part.step / (10.0 * STEP) - 1.0).abs() < 1e-3 && part.to_string().is_empty(), "{part}");
    let missing: Vec<usize> = (0..2000).filter(|row| ![500, 501].contains(row)).collect();
    let told = whole.part(&missing).unwrap().to_string();
    assert_eq!(told, "2 samples missing in 1 gap bridged");
}
