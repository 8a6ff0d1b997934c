//! Time laws: derivatives, joins, mirror images, limits that are used fully and never passed.

use appell::sample::Sampler;
use appell_simulation::trajectory::{Along, Rates, Shape, TimeLaw};

const SHAPES: [Shape; 6] = [
    Shape::Constant,
    Shape::TRAPEZOIDAL,
    Shape::Trapezoidal { ramp: 0.5 },
    Shape::S_CURVE,
    Shape::Cubic,
    Shape::Quintic,
];

/// Laws from durations and from limits, long and short.
fn laws() -> Vec<(String, TimeLaw)> {
    let mut laws: Vec<(String, TimeLaw)> =
        SHAPES.iter().map(|&shape| (format!("{shape:?}"), TimeLaw::new(shape, 1.7).unwrap())).collect();
    laws.push(("rounded".into(), TimeLaw::new(Shape::SCurve { ramp: 0.5, rounding: 0.5 }, 0.4).unwrap()));
    let mut sampler = Sampler::new(3);
    for _ in 0..40 {
        let mut some = || 10.0_f64.powf(sampler.within(1.5));
        let most = Rates { speed: some(), acceleration: some(), jerk: some() };
        laws.extend(SHAPES.map(|shape| (format!("{shape:?} {most:?}"), TimeLaw::within(shape, most).unwrap())));
    }
    laws
}

#[test]
fn rates_are_derivatives() {
    for (label, law) in laws() {
        let duration = law.duration();
        let h = 1e-6 * duration;
        for k in 0..200 {
            let t = duration * (f64::from(k) + 0.4137) / 200.0;
            let [before, here, after] = [t - h, t, t + h].map(|t| law.at(t));
            let slope = |f: fn(&Along) -> f64| (f(&after) - f(&before)) / (2.0 * h);
            let off = (slope(|at| at.s) - here.rate).abs() * duration;
            assert!(off < 1e-6, "{label}: rate at {t}: {off:.1e}");
            // Where a corner lies within the step, the acceleration is between those of both sides.
            let least = before.second.min(after.second).min(here.second);
            let most = before.second.max(after.second).max(here.second);
            let second = slope(|at| at.rate);
            let slack = 1e-5 / (duration * duration);
            assert!(least - slack < second && second < most + slack, "{label}: acceleration at {t}");
        }
    }
}

#[test]
fn they_go_from_0_to_1_and_back_alike() {
    for (label, law) in laws() {
        let duration = law.duration();
        assert!(law.at(0.0).s.abs() < 1e-15 && (law.at(duration).s - 1.0).abs() < 1e-14, "{label}");
        assert_eq!(law.at(-1.0), Along { s: 0.0, rate: 0.0, second: 0.0 }, "{label}");
        let after = law.at(duration + 1.0);
        assert!((after.s - 1.0).abs() < 1e-14 && after.rate == 0.0 && after.second == 0.0, "{label}");
        for k in 0..=100 {
            let t = duration * f64::from(k) / 100.0;
            let (one, other) = (law.at(t), law.at(duration - t));
            assert!((one.s + other.s - 1.0).abs() < 1e-14, "{label}");
            assert!((one.rate - other.rate).abs() * duration < 1e-9, "{label}");
        }
    }
}

/// A law that needed less time would pass a limit: one is reached, none is passed.
#[test]
fn the_quickest_law_uses_a_limit_fully() {
    let mut sampler = Sampler::new(8);
    for case in 0..200 {
        let mut some = || 10.0_f64.powf(sampler.within(2.0));
        let most = Rates { speed: some(), acceleration: some(), jerk: some() };
        for shape in SHAPES {
            let law = TimeLaw::within(shape, most).unwrap();
            let duration = law.duration();
            let steps = 4000;
            let (mut speed, mut acceleration, mut jerk) = (0.0_f64, 0.0_f64, 0.0_f64);
            let mut before = law.at(0.0).second;
            for k in 0..=steps {
                let Along { rate, second, .. } = law.at(duration * f64::from(k) / f64::from(steps));
                (speed, acceleration) = (speed.max(rate), acceleration.max(second.abs()));
                jerk = jerk.max((second - before).abs() * f64::from(steps) / duration);
                before = second;
            }
            let used = [
                speed / most.speed,
                if shape == Shape::Constant { 0.0 } else { acceleration / most.acceleration },
                if matches!(shape, Shape::SCurve { .. } | Shape::Quintic) { jerk / most.jerk } else { 0.0 },
            ];
            let fullest = used.into_iter().fold(0.0, f64::max);
            assert!(fullest <= 1.0 + 1e-9 && fullest > 0.99, "case {case}, {shape:?}: {used:?}");
        }
    }
}

#[test]
fn seven_segments_where_there_is_room() {
    let law = TimeLaw::within(Shape::S_CURVE, Rates { speed: 0.5, acceleration: 1.0, jerk: 4.0 }).unwrap();
    // T_j = 1/4, T_a = 1/4 + 1/2, cruise 2 − 3/4.
    assert!((law.duration() - (2.0 * 0.75 + 1.25)).abs() < 1e-14);
    assert_eq!(law.at(0.25).second, 1.0);
    assert!((law.at(1.2).rate - 0.5).abs() < 1e-15);
    let triangle = TimeLaw::within(Shape::TRAPEZOIDAL, Rates { jerk: 1.0, speed: 9.0, acceleration: 4.0 }).unwrap();
    assert!((triangle.duration() - 1.0).abs() < 1e-15, "short ways have no stretch of constant speed");
    let free = Rates { jerk: 4.0, ..Rates::UNLIMITED };
    assert!((TimeLaw::within(Shape::S_CURVE, free).unwrap().duration() - 4.0 * 0.5).abs() < 1e-15, "jerk alone");
}
