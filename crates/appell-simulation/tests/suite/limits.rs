//! Limits that a joint passes and keeps again within one step.

use crate::common::closed;
use crate::exactly;
use appell::description::{Limits, toml};
use appell::mechanism::Mechanism;
use appell_simulation::simulation::law::{By, Free};
use appell_simulation::simulation::plant::{Closed, Tree};
use appell_simulation::simulation::{Method, Options, Reason, Tolerances, View, Watched, run};
use core::ops::ControlFlow;

/// All three methods, with steps of half a second.
fn long_steps() -> [Options; 3] {
    let adaptive = Method::DormandPrince(Tolerances { relative: 1.0, absolute: 1.0 });
    [adaptive, Method::RungeKutta { step: 0.5 }, Method::Midpoint { step: 0.5 }].map(|method| Options {
        method,
        first_step: Some(0.5),
        longest_step: 0.5,
        ..Options::default()
    })
}

/// A body of 2 kg that slides upward.
fn lift(limits: Limits) -> Mechanism {
    let text = "name = 'lift'\nframes = 'modified-dh'\ngravity = [0.0, 0.0, -10.0]\n\
                joints = [['lift', 'prismatic', '0', 0.0, '0', 'q']]\n[body.lift]\nmass = 2.0\ncom = [0.0, 0.0, 0.0]\ninertia = { xx = 0.01, yy = 0.01, zz = 0.01 }\n";
    let mut description = toml::read(text).unwrap_or_else(|problems| panic!("{problems}")).0;
    description.joints[0].limits = limits;
    Mechanism::new(&description).unwrap()
}

/// Thrown up at 2 m/s it rises to 0.2 m and is back after 0.4 s, well within a step: at 0.15 m it is after 0.1 s, and not to be caught at
/// the step's end.
#[test]
fn a_limit_passed_and_kept_again_within_a_step_is_found() {
    let robot = lift(Limits { lower: -1.0, upper: 0.15, ..Limits::default() });
    for options in long_steps() {
        let options = Options { stop_at: Watched { position: true, ..Watched::default() }, ..options };
        let mut plant = Tree::new(&robot, &[0.0], &[2.0]);
        let outcome = run(&mut plant, &mut Free, 0.0, 0.4, &options, |_| ControlFlow::Continue(()));
        let stop = outcome.stop.unwrap_or_else(|| panic!("{:?} does not see it", options.method));
        assert!((stop.t - 0.1).abs() < 1e-12, "{:?}: {stop}", options.method);
        let Reason::Limit { quantity: "position", value, limit, .. } = stop.reason else { panic!("{stop}") };
        assert!((value - 0.15).abs() < 1e-12 && limit == 0.15, "{value}");
    }
    // A limit that is just not reached does not end it, and one that is passed by a millionth of a metre does.
    for (upper, is_passed) in [(0.2 + 1e-9, false), (0.2 - 1e-6, true)] {
        let robot = lift(Limits { lower: -1.0, upper, ..Limits::default() });
        for options in long_steps() {
            let options = Options { stop_at: Watched { position: true, ..Watched::default() }, ..options };
            let mut plant = Tree::new(&robot, &[0.0], &[2.0]);
            let outcome = run(&mut plant, &mut Free, 0.0, 0.4, &options, |_| ControlFlow::Continue(()));
            assert_eq!(outcome.stop.is_some(), is_passed, "{:?}: {outcome:?}", options.method);
        }
    }
}

/// A pendulum of half a turn's swing passes its greatest speed in the middle of a step.
#[test]
fn the_speed_of_a_pendulum_in_the_middle_of_a_step() {
    let text = "name = 'pendulum'\nframes = 'modified-dh'\ngravity = [0.0, -9.81, 0.0]\n\
                joints = [['pin', 'revolute', '0', 0.0, 'q', 0.0]]\n[body.pin]\nmass = 1.0\ncom = [1.0, 0.0, 0.0]\ninertia = { xx = 0.0, yy = 0.0, zz = 0.0 }\n";
    let mut description = toml::read(text).unwrap_or_else(|problems| panic!("{problems}")).0;
    description.joints[0].limits.velocity = 4.0;
    let robot = Mechanism::new(&description).unwrap();
    let found = |options: Options| {
        let options = Options { stop_at: Watched { velocity: true, ..Watched::default() }, ..options };
        let mut plant = Tree::new(&robot, &[0.0], &[0.0]);
        let outcome = run(&mut plant, &mut Free, 0.0, 1.2, &options, |_| ControlFlow::Continue(()));
        outcome.stop.unwrap_or_else(|| panic!("{:?} does not see it", options.method)).t
    };
    // v² = 2 g sin q: at 4 rad/s q = asin(16 / 19.62).
    let exact = found(exactly(1e-12));
    for (options, tolerance) in long_steps().into_iter().zip([0.1, 0.1, 0.1]) {
        assert!((found(options.clone()) - exact).abs() < tolerance, "{:?}", options.method);
    }
}

/// A joint of a closed robot that is no coordinate: what short steps see, long ones see as well.
#[test]
fn joints_of_closed_robots_are_looked_at_within_a_step() {
    let robot = closed("five-bar");
    let elbow = 1;
    let mut plant = Closed::new(&robot, robot.home(), &[0.3, 0.4]).unwrap();
    let (mut lowest, mut before) = (f64::INFINITY, f64::INFINITY);
    let options = Options { sampling: Some(1e-4), ..exactly(1e-11) };
    // The elbow stretches a little, and bends again: its first lowest magnitude.
    let outcome = run(&mut plant, &mut Free, 0.0, 0.4, &options, |sample| {
        let bend = -sample.view.q[elbow];
        lowest = lowest.min(bend);
        let rises = bend > before + 1e-12 && sample.view.t > 0.01;
        before = bend;
        if rises { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(outcome.interrupted, "{outcome:?}");
    let turn = outcome.t;
    for (margin, is_passed) in [(1e-4, true), (-1e-4, false)] {
        let mut limited = toml::read(appell::robots::find("five-bar").unwrap().toml).unwrap().0;
        limited.joints[elbow].limits = Limits { upper: -(lowest + margin), ..Limits::default() };
        let limited = appell::closed::ClosedMechanism::new(&limited).unwrap();
        for method in [
            Method::DormandPrince(Tolerances { relative: 1e-5, absolute: 1e-5 }),
            Method::RungeKutta { step: 0.02 },
            Method::Midpoint { step: 2e-3 },
        ] {
            let stop_at = Watched { position: true, ..Watched::default() };
            let mut plant = Closed::new(&limited, limited.home(), &[0.3, 0.4]).unwrap();
            let options = Options { method, stop_at, ..Options::default() };
            let outcome = run(&mut plant, &mut Free, 0.0, 1.5 * turn, &options, |_| ControlFlow::Continue(()));
            assert_eq!(outcome.stop.is_some(), is_passed, "{method:?}, {margin}: {outcome:?}, {turn}");
        }
    }
}

/// A force that rises and falls again within a step: m g + c t (T − t) is beyond m g + 3 N from 0.1 s to 0.3 s.
#[test]
fn a_force_beyond_its_limit_within_a_step_is_found() {
    let stopped = |limit: f64| {
        let robot = lift(Limits { effort: limit, ..Limits::default() });
        long_steps().map(|options| {
            let options = Options { stop_at: Watched { effort: true, ..Watched::default() }, ..options };
            let mut plant = Tree::new(&robot, &[0.0], &[0.0]);
            let mut law = By(|now: &View<'_>, efforts: &mut [f64]| efforts[0] = 20.0 + 100.0 * now.t * (0.4 - now.t));
            run(&mut plant, &mut law, 0.0, 0.4, &options, |_| ControlFlow::Continue(())).stop
        })
    };
    for stop in stopped(23.0) {
        let stop = stop.expect("it is beyond its limit");
        assert!((stop.t - 0.1).abs() < 1e-9, "{stop}");
        assert!(matches!(stop.reason, Reason::Limit { quantity: "effort", limit: 23.0, .. }), "{stop}");
    }
    assert_eq!(stopped(24.1), [None, None, None], "its largest is 24 N");
}

/// A five-bar passes a singularity of Type 2, which is near for less than a step.
#[test]
fn a_singularity_that_is_near_within_a_step_is_found() {
    let robot = closed("five-bar");
    let near = |least: f64, options: Options| {
        let mut plant = Closed::new(&robot, robot.home(), &[0.3, 0.4]).unwrap();
        let options = Options { least_condition: Some(least), ..options };
        let outcome = run(&mut plant, &mut Free, 0.0, 0.29, &options, |_| ControlFlow::Continue(()));
        outcome.stop.unwrap_or_else(|| panic!("{least} {:?} does not see it", options.method))
    };
    for (least, step) in [(0.1, 0.07), (0.1, 0.05), (0.02, 0.02), (0.002, 0.02), (0.002, 0.007), (0.0002, 0.007)] {
        let exact = near(least, exactly(1e-11));
        let found = near(least, Options { method: Method::RungeKutta { step }, ..Options::default() });
        assert!(matches!(found.reason, Reason::NearSingular { which: "the drives (Type 2)", .. }), "{found}");
        assert!((found.t - exact.t).abs() < 1e-3, "{least} {step}: {found}, {exact}");
    }
}
