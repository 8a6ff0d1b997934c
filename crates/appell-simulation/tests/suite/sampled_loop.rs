//! The sampled loop: what sampling, counts, converters, delays and switches do to a law.

use crate::common::{closed, heavier, norm};
use crate::{difference, exactly, led, ramp};
use appell::mechanism::Mechanism;
use appell::robots;
use appell::spatial::Vec3;
use appell_simulation::control::sampled::{
    Axis, Chain, Instant, Outcome, Position, SafeStop, SampledLoop, Speed, Timing,
};
use appell_simulation::control::signal::{
    AnalogOutput, Encoder, Gripper, Potentiometer, SignalError, ThermalSwitch, Winding,
};
use appell_simulation::control::{ComputedTorque, DriveTorque, Gains, Law};
use appell_simulation::simulation::plant::{Closed, Tree};
use appell_simulation::simulation::{Plant, Reason, View, run};
use core::ops::ControlFlow;

const FROM: [f64; 6] = [0.1, -0.8, 0.3, 0.2, 0.6, 0.0];
const TO: [f64; 6] = [0.6, -0.4, 0.1, 0.5, 0.9, 0.7];

fn puma() -> Mechanism {
    robots::find("puma560").unwrap().mechanism()
}

fn timing(period: f64, delay: f64) -> Timing {
    Timing { period, delay }
}

/// A law that follows the ramp in a second.
fn tracking(robot: &Mechanism) -> ComputedTorque<'_> {
    ComputedTorque::tracking(robot, ramp(&FROM, &TO, 1.0), vec![Gains::of(10.0, 1.0); 6])
}

/// The PUMA under this law; everything that is seen is a number. Its last state is left in `plant`.
fn follow(chain: Chain, timing: Timing, end: f64, mut look: impl FnMut(&Instant<'_>)) -> (Outcome, Vec<f64>) {
    let robot = puma();
    let mut plant = Tree::new(&robot, &FROM, &[0.0; 6]);
    let mut sampled = SampledLoop::of_tree(&robot, chain, timing)
        .unwrap()
        .with_reference(ramp(&FROM, &TO, 1.0))
        .with_options(exactly(1e-11));
    let outcome = sampled.run(&mut plant, &mut tracking(&robot), 0.0, end, |now| {
        let numbers = [now.truth.q, now.truth.v, now.q, now.v, now.wanted.unwrap(), now.commanded, now.applied];
        assert!(numbers.iter().all(|numbers| numbers.len() == 6 && numbers.iter().all(|x| x.is_finite())));
        look(now);
        ControlFlow::Continue(())
    });
    assert!(outcome.motion.stop.is_none() && outcome.motion.t == end, "{outcome:?}");
    (outcome, plant.view(end).q.to_vec())
}

fn encoder() -> Encoder {
    Encoder::rotary(4000, 60.0).unwrap()
}

/// With ideal elements the sampled law comes to the continuous one, with errors that fall as the period does.
#[test]
fn a_short_period_comes_to_the_continuous_law() {
    let robot = puma();
    let off: Vec<f64> = FROM.iter().map(|q| q + 0.05).collect();
    let mut plant = Tree::new(&robot, &off, &[0.0; 6]);
    run(&mut plant, &mut tracking(&robot), 0.0, 0.4, &exactly(1e-11), |_| ControlFlow::Continue(()));
    let continuous = plant.view(0.4).q.to_vec();
    let errors = [8e-3, 4e-3, 2e-3, 1e-3].map(|period| {
        let mut plant = Tree::new(&robot, &off, &[0.0; 6]);
        let chain = Chain::of(Axis::default(), 6);
        let mut sampled =
            SampledLoop::of_tree(&robot, chain, timing(period, 0.0)).unwrap().with_options(exactly(1e-11));
        let outcome = sampled.run(&mut plant, &mut tracking(&robot), 0.0, 0.4, |_| ControlFlow::Continue(()));
        assert_eq!((outcome.motion.stop, outcome.statistics.samples), (None, (0.4 / period).round() as usize));
        difference(plant.view(0.4).q, &continuous)
    });
    assert!(errors[3] < 1e-3, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((1.8..2.2).contains(&(pair[0] / pair[1])), "first order: {errors:?}");
    }
}

#[test]
fn measured_positions_are_off_by_half_a_count() {
    let axis = Axis { position: Position::Encoder { encoder: encoder(), start: None }, ..Axis::default() };
    let mut most = 0.0_f64;
    follow(Chain::of(axis, 6), timing(1e-3, 0.0), 1.0, |now| {
        most = most.max(difference(now.q, now.truth.q));
        assert_eq!(now.v, now.truth.v);
    });
    let half = 0.5 * encoder().resolution();
    assert!(most <= half * 1.0001 && most > 0.9 * half, "{most:.2e} of {half:.2e}");
}

/// Speeds by differences are off by a count a period, and by the change of the speed within it.
#[test]
fn speeds_by_differences_follow() {
    let speeds = |cutoff, encoder: Option<Encoder>| {
        let position = encoder.map_or(Position::Exact, |encoder| Position::Encoder { encoder, start: None });
        let axis = Axis { position, speed: Speed::Difference { cutoff }, ..Axis::default() };
        let mut most = 0.0_f64;
        let (outcome, _) = follow(Chain::of(axis, 6), timing(1e-3, 0.0), 1.2, |now| {
            most = most.max(difference(now.v, now.truth.v));
        });
        assert!(outcome.statistics.tracking.iter().all(|joint| joint.largest < 0.02), "{:?}", outcome.statistics);
        most
    };
    let count = encoder().resolution() / 1e-3;
    let (exact, plain, smooth) =
        (speeds(None, None), speeds(None, Some(encoder())), speeds(Some(200.0), Some(encoder())));
    assert!(exact < 5e-3 && plain > 0.5 * count && plain < count + 0.03, "{exact} {plain} {smooth} {count}");
    assert!(smooth.is_finite() && smooth < 0.1);
}

/// Outputs that reach as far as the motion needs: the wrist is light, and steps of the shoulder's size would shake it.
#[test]
fn efforts_are_off_by_half_a_step_of_twelve_bits() {
    let mut peaks = [0.0_f64; 6];
    follow(Chain::of(Axis::default(), 6), timing(1e-3, 0.0), 2.0, |now| {
        peaks.iter_mut().zip(now.commanded).for_each(|(peak, effort)| *peak = peak.max(effort.abs()));
    });
    let outputs = peaks.map(|peak| AnalogOutput::new(0.13 * peak).unwrap());
    let mut chain = Chain::of(Axis::default(), 6);
    chain.axes.iter_mut().zip(outputs).for_each(|(axis, output)| axis.output = Some(output));
    let mut most = 0.0_f64; // in steps
    let (outcome, last) = follow(chain, timing(1e-3, 0.0), 2.0, |now| {
        for (j, output) in outputs.iter().enumerate() {
            most = most.max((now.commanded[j] - now.applied[j]).abs() / output.step());
        }
    });
    assert!(most <= 0.5 + 1e-9 && most > 0.45, "{most} of a step");
    for (output, peak) in outputs.iter().zip(peaks) {
        assert!((output.step() - 0.13 * peak * 20.0 / 4096.0).abs() < 1e-15, "12 bits unless told");
    }
    assert_eq!(outcome.statistics.saturated, [0; 6]);
    assert!(difference(&last, &TO) < 0.02, "{last:?}");
}

#[test]
fn saturation_is_counted() {
    let mut chain = Chain::of(Axis::default(), 6);
    chain.axes[1].output = Some(AnalogOutput::new(15.0).unwrap().with_limit(30.0).unwrap());
    let mut counted = 0;
    let (outcome, _) = follow(chain, timing(1e-3, 0.0), 0.5, |now| {
        counted += usize::from(now.saturated[1]);
        assert!(now.applied[1].abs() <= 30.0 && (now.saturated[1] || now.commanded[1].abs() <= 30.1));
    });
    assert!(counted > 10);
    assert_eq!(outcome.statistics.saturated, [0, counted, 0, 0, 0, 0]);
}

fn brakes() -> SafeStop {
    SafeStop::Brakes { stiffness: vec![5e3; 6], damping: vec![200.0; 6] }
}

#[test]
fn over_temperature_trips_a_safe_stop() {
    let robot = puma();
    let stopped = |safe_stop: SafeStop| {
        let mut chain = Chain::of(Axis::default(), 6);
        chain.axes[2].over_temperature = Some(ThermalSwitch::At(0.4005));
        chain.grippers = vec![Gripper::new(vec![0.2, 0.45]).unwrap()];
        chain.safe_stop = safe_stop;
        let mut at_trip = Vec::new();
        let (outcome, last) = follow(chain, timing(1e-3, 1.0), 0.8, |now| {
            assert_eq!(now.trip.is_some(), now.truth.t >= 0.4005);
            assert_eq!(now.grippers, [now.truth.t >= 0.2], "a safe stop does not let go");
            if now.trip.is_some() && at_trip.is_empty() {
                at_trip = now.truth.q.to_vec();
                assert!(norm(now.commanded) == 0.0);
            }
        });
        let trip = outcome.trip.unwrap();
        assert!((trip.t - 0.401).abs() < 1e-12, "at the next sample: {trip}");
        let joint = robot.joint_names()[2].clone();
        assert_eq!(trip.joint, joint);
        assert!(trip.to_string().contains(&format!("over-temperature of the motor of joint `{joint}`")));
        assert_eq!(outcome.statistics.samples, 401, "counted until the trip");
        difference(&last, &at_trip)
    };
    let (held, fell) = (stopped(brakes()), stopped(SafeStop::PowerOff));
    assert!(held < 0.03 && fell > 0.3, "{held} {fell}");
}

#[test]
fn a_motor_that_works_hard_gets_too_hot() {
    let mut chain = Chain::of(Axis::default(), 6);
    for axis in &mut chain.axes {
        axis.over_temperature = Some(ThermalSwitch::Winding(Winding::new(0.05, 5.0, 10.0).unwrap()));
    }
    chain.safe_stop = brakes();
    let (outcome, _) = follow(chain, timing(2e-3, 0.0), 3.0, |_| ());
    let trip = outcome.trip.unwrap();
    assert!(trip.t > 0.1 && trip.joint == puma().joint_names()[1]);
}

#[test]
fn a_delay_is_worse_but_stable() {
    let errors = [0.0, 0.5, 1.0, 2.5].map(|delay| {
        let (outcome, last) = follow(Chain::of(Axis::default(), 6), timing(4e-3, delay), 3.0, |_| ());
        assert!(difference(&last, &TO) < 2e-3, "it comes to its end");
        outcome.statistics.tracking.iter().map(|joint| joint.rms).fold(0.0, f64::max)
    });
    assert!(errors.windows(2).all(|pair| pair[1] > 1.1 * pair[0]) && errors[3] < 0.1, "{errors:?}");
}

/// The potentiometers say roughly where the arm is, and the first index pulses say it exactly.
#[test]
fn potentiometers_and_index_give_the_absolute_position() {
    let pot = Potentiometer::new(-3.2, 3.2, 2e-3).unwrap();
    let encoder = encoder().with_index(1234).unwrap();
    let axis = Axis { position: Position::Encoder { encoder, start: Some(pot) }, ..Axis::default() };
    let mut first = Vec::new();
    let mut last = f64::NAN;
    let record = |seed: u64, first: &mut Vec<f64>, last: &mut f64| {
        follow(Chain { seed, ..Chain::of(axis.clone(), 6) }, timing(1e-3, 0.0), 1.0, |now| {
            if first.is_empty() {
                *first = now.q.to_vec();
            }
            *last = difference(now.q, now.truth.q);
        });
    };
    record(5, &mut first, &mut last);
    let off = difference(&first, &FROM);
    assert!(off <= pot.accuracy() + encoder.resolution() && off > encoder.resolution(), "{off}");
    assert!(last <= 0.5001 * encoder.resolution(), "after a turn of each motor: {last}");
    let mut again = Vec::new();
    record(5, &mut again, &mut last);
    assert_eq!(first, again, "the same seed, the same noise");
    again.clear();
    record(6, &mut again, &mut last);
    assert_ne!(first, again);
}

#[test]
fn a_start_beyond_a_potentiometer_is_told() {
    let robot = puma();
    let start = Some(Potentiometer::new(0.0, 1.0, 0.0).unwrap());
    let axis = Axis { position: Position::Encoder { encoder: encoder(), start }, ..Axis::default() };
    let mut sampled = SampledLoop::of_tree(&robot, Chain::of(axis, 6), timing(1e-3, 0.0)).unwrap();
    let mut plant = Tree::new(&robot, &FROM, &[0.0; 6]);
    let outcome = sampled.run(&mut plant, &mut tracking(&robot), 0.0, 1.0, |_| unreachable!("nothing has begun"));
    let message = outcome.motion.stop.unwrap().to_string();
    assert!(message.contains("starts at -0.8, beyond its potentiometer's range"), "{message}");
}

/// The law's own states go on by Euler's steps: integral action works.
#[test]
fn integral_action_is_sampled_too() {
    let robot = puma();
    let model = heavier(&robot);
    let left = |gains: Gains| {
        let mut law = ComputedTorque::to_point(&model, &FROM, vec![gains; 6]);
        let mut plant = Tree::new(&robot, &FROM, &[0.0; 6]);
        let chain = Chain::of(Axis::default(), 6);
        let mut sampled = SampledLoop::of_tree(&robot, chain, timing(4e-3, 1.0)).unwrap();
        let outcome = sampled.run(&mut plant, &mut law, 0.0, 8.0, |_| ControlFlow::Continue(()));
        assert!(outcome.motion.stop.is_none() && outcome.statistics.tracking.is_empty());
        difference(plant.view(8.0).q, &FROM)
    };
    let (plain, integral) = (left(Gains::of(6.0, 1.0)), left(Gains::with_integral(6.0, 1.0, 3.0)));
    assert!(plain > 1e-3 && integral < 1e-6, "{plain:.1e} {integral:.1e}");
}

#[test]
fn step_times_come_from_the_caller_s_clock() {
    let robot = puma();
    let mut calls = 0;
    // The k-th step takes k µs.
    let clock = || {
        calls += 1;
        f64::from(calls / 2) * if calls % 2 == 0 { 1e-6 } else { 0.0 }
    };
    let chain = Chain::of(Axis::default(), 6);
    let mut sampled = SampledLoop::of_tree(&robot, chain, timing(1e-3, 0.0)).unwrap().with_clock(clock);
    let mut plant = Tree::new(&robot, &FROM, &[0.0; 6]);
    let outcome = sampled.run(&mut plant, &mut tracking(&robot), 0.0, 1.1, |_| ControlFlow::Continue(()));
    let times = outcome.statistics.step_times.unwrap();
    let expected = [550e-6, 1099e-6, 1100e-6];
    assert!(difference(&[times.median, times.most, times.longest], &expected) < 1e-12, "{times:?}");
    assert_eq!(times.late, 100);
}

/// Efforts that are no numbers, and references that are not there, end a run with what was done.
#[test]
fn a_law_that_fails_ends_the_run() {
    struct Fails(f64);
    impl Law for Fails {
        fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
            efforts.fill(if now.t >= self.0 { f64::NAN } else { 0.0 });
            Ok(())
        }
    }
    let robot = puma();
    let mut plant = Tree::new(&robot, &FROM, &[0.0; 6]);
    let chain = Chain::of(Axis::default(), 6);
    let mut sampled = SampledLoop::of_tree(&robot, chain, timing(1e-3, 0.0)).unwrap();
    let mut seen = 0;
    let outcome = sampled.run(&mut plant, &mut Fails(0.0195), 0.0, 1.0, |_| {
        seen += 1;
        ControlFlow::Continue(())
    });
    let stop = outcome.motion.stop.unwrap();
    assert!((stop.t - 0.02).abs() < 1e-12 && stop.to_string().contains("effort of the law"), "{stop}");
    assert_eq!((seen, outcome.statistics.samples), (20, 20));
    let outcome = sampled.run(&mut plant, &mut Fails(9.0), 0.0, 1.0, |now| {
        if now.truth.t > 0.0095 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(outcome.motion.interrupted && (outcome.motion.t - 0.01).abs() < 1e-12);
}

/// What a law sees of a parallel robot follows from its drives.
#[test]
fn parallel_robots_by_their_measured_drives() {
    for (name, way) in [("gough-stewart", Vec3::new(0.05, -0.04, 0.06)), ("delta", Vec3::new(0.05, 0.03, -0.04))] {
        let robot = closed(name);
        let (n, start) = (robot.driven().len(), robot.home());
        let reached = |axis: Axis, way: Option<Vec3>, seen: &mut f64| {
            let (mut law, off) = led(&robot, way, 0.5, Gains::of(20.0, 1.0));
            let mut plant = Closed::new(&robot, start, &vec![0.0; n]).unwrap();
            let mut sampled = SampledLoop::of_closed(&robot, start, Chain::of(axis, n), timing(2e-3, 0.5)).unwrap();
            let outcome = sampled.run(&mut plant, &mut *law, 0.0, 1.0, |now| {
                let truth = now.drives.iter().map(|&j| now.truth.q[j]).collect::<Vec<_>>();
                *seen = seen.max(difference(now.q, &truth));
                ControlFlow::Continue(())
            });
            assert!(outcome.motion.stop.is_none() && outcome.statistics.samples == 500, "{name}: {outcome:?}");
            off(&plant.view(1.0))
        };
        let encoder = if name == "delta" { encoder() } else { Encoder::linear(4000, 0.01).unwrap() };
        let real = Axis {
            position: Position::Encoder { encoder, start: None },
            speed: Speed::Difference { cutoff: None },
            ..Axis::default()
        };
        for way in [Some(way), None] {
            let mut seen = 0.0;
            let ideal = reached(Axis::default(), way, &mut seen);
            assert!(ideal < 1e-4 && seen == 0.0, "{name}: {ideal:.1e}");
            let counted = reached(real.clone(), way, &mut seen);
            assert!(counted < 2e-4 && seen <= 0.5001 * encoder.resolution() && seen > 0.0, "{name}: {counted:.1e}");
        }
    }
}

/// Brakes at the drives hold a platform; the run ends within a period.
#[test]
fn a_parallel_robot_is_stopped_by_its_drives() {
    let robot = closed("gough-stewart");
    let (n, start) = (robot.driven().len(), robot.home().clone());
    let here: Vec<f64> = robot.driven().iter().map(|&j| start.q[j]).collect();
    let there: Vec<f64> = here.iter().map(|q| q + 0.05).collect();
    let mut law = DriveTorque::new(&robot, ramp(&here, &there, 0.4), vec![Gains::of(20.0, 1.0); n]);
    let mut chain = Chain::of(Axis::default(), n);
    chain.axes[3].over_temperature = Some(ThermalSwitch::At(0.2));
    chain.safe_stop = SafeStop::Brakes { stiffness: vec![1e6; n], damping: vec![1e4; n] };
    let mut plant = Closed::new(&robot, &start, &vec![0.0; n]).unwrap();
    let mut sampled = SampledLoop::of_closed(&robot, &start, chain, timing(2e-3, 0.0)).unwrap();
    let mut at_trip = None;
    let outcome = sampled.run(&mut plant, &mut law, 0.0, 0.5007, |now| {
        if now.trip.is_some() {
            at_trip.get_or_insert(now.truth.platform.unwrap().0.position);
        }
        ControlFlow::Continue(())
    });
    assert!(outcome.motion.stop.is_none() && outcome.motion.t == 0.5007, "{outcome:?}");
    let joint = robot.tree().joint_names()[robot.driven()[3]].clone();
    assert_eq!(outcome.trip.unwrap().joint, joint);
    let (pose, twist) = plant.view(outcome.motion.t).platform.unwrap();
    assert!((pose.position - at_trip.unwrap()).norm() < 5e-3 && twist.linear.norm() < 1e-6);
}

#[test]
fn impossible_loops_are_refused() {
    let robot = puma();
    let refused = |chain: Chain, timing: Timing| SampledLoop::of_tree(&robot, chain, timing).err().unwrap();
    let ideal = || Chain::of(Axis::default(), 6);
    assert!(matches!(refused(ideal(), timing(0.0, 0.0)), SignalError::NotPositive { what: "sample period", .. }));
    assert!(matches!(refused(ideal(), timing(1e-3, -0.1)), SignalError::Delay { .. }));
    assert!(matches!(refused(ideal(), timing(1e-3, f64::NAN)), SignalError::Delay { .. }));
    let short = refused(Chain::of(Axis::default(), 5), timing(1e-3, 0.0));
    assert_eq!(short, SignalError::Length { what: "axes", found: 5, expected: 6 });
    let stop = SafeStop::Brakes { stiffness: vec![1.0; 6], damping: vec![-1.0; 6] };
    let negative = refused(Chain { safe_stop: stop, ..ideal() }, timing(1e-3, 0.0));
    assert!(matches!(negative, SignalError::Negative { .. }));
    let coarse = Potentiometer::new(-3.2, 3.2, 0.02).unwrap();
    let position = Position::Encoder { encoder: encoder().with_index(0).unwrap(), start: Some(coarse) };
    let ambiguous = refused(Chain::of(Axis { position, ..Axis::default() }, 6), timing(1e-3, 0.0));
    assert!(ambiguous.to_string().contains("do not say where it is"), "{ambiguous}");
}
