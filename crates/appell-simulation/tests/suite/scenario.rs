//! Scenarios: what a file says happens, and what is wrong with one is said with its line.

use appell::Robot;
use appell_simulation::scenario::{Cause, Doubt, Event, EventKind, Moment, Outcome, Scenario, ScenarioError, Watch};
use appell_simulation::simulation::Reason;
use appell_simulation::simulation::law::Constant;
use core::ops::ControlFlow;

fn machine(name: &str) -> Robot {
    Robot::builtin(name).expect("a built-in robot")
}

/// Plays a scenario; `look` sees its rows.
fn watch(text: &str, watch: Watch<'_>, mut look: impl FnMut(&Moment<'_>)) -> Result<Outcome, ScenarioError> {
    let scenario = Scenario::read(text).unwrap_or_else(|problems| panic!("{problems}"));
    scenario.play(&machine(&scenario.robot), watch, |moment| {
        look(moment);
        ControlFlow::Continue(())
    })
}

fn play(text: &str) -> Result<Outcome, ScenarioError> {
    watch(text, Watch::default(), |_| ())
}

/// The largest error of all drives.
fn largest(outcome: &Outcome) -> f64 {
    outcome.tracking.iter().fold(0.0, |most, error| most.max(error.largest))
}

fn refused(text: &str) -> ScenarioError {
    play(text).expect_err("a scenario that cannot be")
}

const TRACKING: &str = r#"
robot = "puma560"
duration = 1.5
start = { q = [0, -0.8, 0.3, 0.2, 0.6, 0] }
reference = { kind = "joints", to = ["60 deg", -0.5, 0.1, 0, 0.8, 0.3], time = 1.0 }
controller = { law = "computed-torque", natural_frequency = 12.0 }
"#;

#[test]
fn an_exact_model_follows_and_a_wrong_one_does_not() {
    let exact = play(TRACKING).unwrap();
    assert!(exact.stop.is_none() && exact.t == 1.5 && exact.instants == 151);
    assert!(exact.tracking.iter().all(|error| error.largest < 1e-6), "{:?}", exact.tracking);
    let largest = |more: &str| {
        let outcome = play(&format!("{TRACKING}{more}")).unwrap();
        assert!(outcome.stop.is_none(), "{outcome:?}");
        largest(&outcome)
    };
    for plant in [
        "plant.scale = 1.1",
        "plant.spread = 0.1",
        "plant.payload = { on = \"elbow\", mass = 2.0, com = [0, 0.1, 0.3] }",
        "plant.friction = { viscous = 2.0, coulomb = 1.0, smoothing = 0.01 }",
        "plant.gravity = [0, 0, -9.0]",
        "plant.body.elbow.scale = 1.2",
        "model.joint.shoulder.friction = { viscous = 3.0 }",
    ] {
        let error = largest(plant);
        assert!((1e-4..0.5).contains(&error), "{plant}: {error}");
    }
    assert!(largest("model.scale = 1.1\nplant.scale = 1.1") < 1e-6, "the same change on both sides is none");
    assert_ne!(largest("plant = { spread = 0.1, seed = 1 }"), largest("plant = { spread = 0.1, seed = 2 }"));
}

/// A load is what a described body with it would be, on trees and on platforms.
#[test]
fn payloads_are_known_to_a_model_that_has_them() {
    for (robot, on, reference) in [
        ("puma560", "on = \"elbow\", ", "kind = \"joints\", to = 0.4, time = 0.5"),
        ("gough-stewart", "", "kind = \"line\", to = [0.05, 0.02, 0.8], time = 0.5"),
        ("agile-wrist", "", "kind = \"joints\", to = { A1.driven = 0.1 }, time = 0.5"),
    ] {
        let payload = format!(
            "payload = {{ {on}mass = 3.0, com = [0.01, 0.02, 0.1], inertia = {{ xx = 0.1, yy = 0.1, zz = 0.1 }} }}"
        );
        let whole = machine(robot);
        let drives: Vec<&str> = whole.drives().iter().map(|joint| joint.name).collect();
        let reference = match robot {
            "agile-wrist" => {
                let closed = whole.closed().unwrap();
                let to: Vec<f64> = closed.driven().iter().map(|&j| closed.home().q[j] + 0.1).collect();
                format!("kind = \"joints\", to = {to:?}, time = 0.5")
            }
            _ => reference.to_owned(),
        };
        let text = format!(
            "robot = \"{robot}\"\nreference = {{ {reference} }}\n\
             controller = {{ law = \"computed-torque\", natural_frequency = 10.0 }}\nplant.{payload}\n"
        );
        let largest = |text: &str| {
            let outcome = play(text).unwrap_or_else(|error| panic!("{robot}: {error}"));
            assert!(outcome.stop.is_none() && outcome.tracking.len() == drives.len(), "{robot}: {outcome:?}");
            largest(&outcome)
        };
        let (unknown, known) = (largest(&text), largest(&format!("{text}model.{payload}")));
        assert!(unknown > 1e-4 && known < 1e-6, "{robot}: {unknown:e} {known:e}");
    }
}

#[test]
fn every_law_and_reference_can_be_asked_for() {
    let robots = [
        (
            "puma560",
            6,
            &["computed-torque", "point-to-point", "pd", "pd-gravity", "feed-forward", "adaptive", "none"][..],
        ),
        (
            "gough-stewart",
            6,
            &["computed-torque", "platform-torque", "drive-torque", "pd", "pd-gravity", "feed-forward"][..],
        ),
        ("four-bar", 1, &["drive-torque", "pd-gravity", "feed-forward"][..]),
    ];
    for (robot, drives, laws) in robots {
        for law in laws {
            let gains = match *law {
                "adaptive" => "bandwidth = 5.0, damping = 40.0, learning = 0.01",
                "pd" | "pd-gravity" | "feed-forward" => "kp = 900.0, kd = 90.0",
                _ => "natural_frequency = 10.0, damping = 0.9",
            };
            let references: &[&str] = match robot {
                "puma560" => &[
                    "kind = \"hold\", at = 0.1",
                    "kind = \"joints\", from = 0.1, to = 0.2, speed = 0.5, acceleration = 5.0, law = \"ramp\"",
                    "kind = \"spline\", points = [[0, 0, 0, 0, 0, 0, 0], [0.2, 0.1, 0, 0, 0, 0, 0], [0.4, 0, 0, 0.1, 0, 0, 0]]",
                    "kind = \"fourier\", frequency = 1.0, sin = [[0.1, 0.05], [0.1], [0], [0], [0], [0]]",
                ],
                "gough-stewart" => &[
                    "kind = \"line\", to = [0.02, 0, 0.78], time = 0.3",
                    "kind = \"arc\", centre = [0.05, 0, 0.75], axis = [0, 0, 1], turn = \"90 deg\", time = 0.5",
                    "kind = \"via\", points = [[0, 0, 0, 0.75], [0.3, 0.03, 0, 0.77], [0.6, 0, 0.02, 0.75]]",
                ],
                _ => &["kind = \"hold\""],
            };
            for reference in references {
                let text = format!(
                    "robot = \"{robot}\"\nduration = 0.3\nreference = {{ {reference} }}\ncontroller = {{ law = \"{law}\", {gains} }}\n"
                );
                let text =
                    if *law == "none" { text.replace(", natural_frequency = 10.0, damping = 0.9", "") } else { text };
                let outcome = play(&text).unwrap_or_else(|error| panic!("{text}{error}"));
                assert!(outcome.stop.is_none() && outcome.t == 0.3, "{text}{outcome:?}");
                assert_eq!(outcome.tracking.len(), drives, "{text}");
                let off = largest(&outcome);
                let exact = ["computed-torque", "platform-torque", "drive-torque", "feed-forward"].contains(law);
                assert!(!exact || off < 1e-5, "{text}{off}");
            }
        }
    }
}

#[test]
fn a_computer_is_wired_as_the_file_says() {
    let wires = r#"
[loop]
period = 1e-3
delay = 0.5
encoder = { counts = 4000, gear = 60.0, index = 0 }
potentiometer = { lower = "-170 deg", upper = "170 deg", noise = 1e-4 }
speed = { by = "difference", cutoff = 400.0 }
output = { torque_per_volt = 20.0, limit = 150.0 }
brakes = { stiffness = 1e4, damping = 300.0 }
grippers = [[0.1, 0.4]]
[loop.joint.waist]
over_temperature = { at = 1.2 }
"#;
    let mut clock = 0.0;
    let tick = Box::new(move || {
        clock += 1e-4;
        clock
    });
    let (mut rows, mut times) = (0, Vec::new());
    let outcome = watch(&format!("{TRACKING}{wires}"), Watch { clock: Some(tick), ..Watch::default() }, |moment| {
        let sampling = moment.sampling.expect("a computer");
        rows += 1;
        times.push(moment.view.t);
        assert_eq!(sampling.grippers, [(0.1..0.4).contains(&moment.view.t)], "{}", moment.view.t);
        assert!(moment.view.t < 1.5 || sampling.q[0].is_nan(), "the end is no sample");
    });
    let outcome = outcome.unwrap();
    assert_eq!(rows, 151, "a row every 0.01 s, and the end");
    assert!(times.iter().enumerate().all(|(k, t)| (t - 0.01 * k as f64).abs() < 1e-9), "{times:?}");
    assert!((outcome.trip.as_ref().unwrap().t - 1.2).abs() < 1e-9 && outcome.instants == 1200, "{outcome:?}");
    let steps = outcome.step_times.unwrap();
    assert!((steps.median - 1e-4).abs() < 1e-12 && steps.late == 0);
    assert!(outcome.tracking.iter().all(|error| error.largest < 0.02), "{:?}", outcome.tracking);
    assert!(outcome.tracking[0].largest > 1e-6, "counts are whole");
    assert!(outcome.saturated.unwrap().iter().all(|&count| count < 1200));
    assert!(outcome.doubts.is_empty());
}

#[test]
fn limits_cut_efforts_and_are_counted() {
    let text = TRACKING.replace("natural_frequency = 12.0", "natural_frequency = 12.0, limit = { shoulder = 40.0 }");
    let outcome = watch(&text, Watch::default(), |moment| assert!(moment.efforts[1].abs() <= 40.0));
    let saturated = outcome.unwrap().saturated.unwrap();
    assert!(saturated[1] > 10 && saturated[0] == 0, "{saturated:?}");
}

/// What happens is reported at its sample, and how it ended is in the outcome.
#[test]
fn events_are_heard_in_their_order() {
    let wires = "loop = { period = 1e-3, grippers = [[0.1, 0.4]], joint.waist.over_temperature = { at = 1.2 } }\n";
    let limited = "natural_frequency = 12.0, limit = { shoulder = 40.0 }";
    let text = format!("{TRACKING}{wires}").replace("natural_frequency = 12.0", limited);
    let mut heard: Vec<Event> = Vec::new();
    let listener = Box::new(|event: &Event| heard.push(event.clone()));
    let outcome = watch(&text, Watch { events: Some(listener), ..Watch::default() }, |_| ()).unwrap();
    assert!(heard.windows(2).all(|pair| pair[0].t <= pair[1].t), "{heard:?}");
    let times = |kind| heard.iter().filter(|event| event.kind == kind).map(|event| event.t).collect::<Vec<_>>();
    assert_eq!((heard[0].kind, times(EventKind::Begin)), (EventKind::Begin, vec![0.0]));
    let near = |times: &[f64], expected: &[f64]| {
        times.len() == expected.len() && times.iter().zip(expected).all(|(t, wanted)| (t - wanted).abs() < 1.5e-3)
    };
    assert!(near(&times(EventKind::Gripper), &[0.1, 0.4]) && near(&times(EventKind::Brakes), &[1.2]), "{heard:?}");
    let fault = heard.iter().find(|event| event.kind == EventKind::Fault).unwrap();
    assert_eq!((fault.code, fault.joint.as_str(), fault.t), (1, "waist", outcome.trip.as_ref().unwrap().t));
    let saturated = |kind| heard.iter().filter(|event| event.kind == kind).collect::<Vec<_>>();
    let begins = saturated(EventKind::SaturationBegin);
    assert!(!begins.is_empty() && begins.len() == saturated(EventKind::SaturationEnd).len());
    assert!(begins.iter().all(|event| event.joint == "shoulder" && event.limit == Some(40.0)), "{begins:?}");
    let last: Vec<EventKind> = outcome.last_events.iter().map(|event| event.kind).collect();
    assert_eq!((last, outcome.last_events[0].t), (vec![EventKind::End], 1.5));
}

/// A platform that follows its path exactly has no errors, in continuous time and under a computer alike.
#[test]
fn errors_of_a_platform_are_those_of_its_path() {
    let text = "robot = \"gough-stewart\"\nreference = { kind = \"line\", to = [0.03, 0, 0.78], time = 0.5 }\n\
                controller = { law = \"platform-torque\", natural_frequency = 15.0, integral_root = 4.0 }\n";
    for (more, most) in [("", 1e-6), ("loop = { period = 1e-3 }\n", 2e-2)] {
        let mut farthest = 0.0_f64;
        let outcome = watch(&format!("{text}{more}"), Watch::default(), |moment| {
            let error = moment.platform_error().expect("a path of the platform");
            let parts = [error.position, error.rotation, error.twist.linear, error.twist.angular];
            farthest = parts.iter().flat_map(|part| part.to_array()).fold(farthest, |most, x| most.max(x.abs()));
            assert_eq!(moment.own.len(), 6);
        });
        assert!(outcome.unwrap().stop.is_none() && farthest < most, "{more}: {farthest}");
    }
    let of_drives = text.replace("kind = \"line\", to = [0.03, 0, 0.78], time = 0.5", "kind = \"hold\"");
    let of_drives = format!("duration = 0.01\n{}", of_drives.replace("platform-torque", "drive-torque"));
    watch(&of_drives, Watch::default(), |moment| assert!(moment.platform_error().is_none())).unwrap();
}

/// Outputs that give less than the law wants do not wind it up, whoever knows of their limit.
#[test]
fn integral_action_does_not_wind_up_against_outputs() {
    let text = |limit: &str| {
        format!(
            "robot = \"puma560\"\nduration = 6.0\nstart.q = [0, -0.8, 0.3, 0.2, 0.6, 0]\n\
             reference = {{ kind = \"hold\", at = [1.5, -0.8, 0.3, 0.2, 0.6, 0] }}\n\
             controller = {{ law = \"computed-torque\", natural_frequency = 6.0, integral_root = 4.0 }}\n\
             loop = {{ period = 2e-3, {limit} }}\n"
        )
    };
    let furthest = |limit: &str| {
        let (mut most, mut last) = (0.0_f64, 0.0);
        let outcome = watch(&text(limit), Watch::default(), |moment| {
            (most, last) = (most.max(moment.view.q[0]), moment.view.q[0]);
        });
        assert!(outcome.unwrap().stop.is_none());
        assert!((last - 1.5).abs() < 0.02, "{limit}: {last}");
        most
    };
    let (free, cut) =
        (furthest(""), furthest("joint.waist.output = { torque_per_volt = 20.0, bits = 16, limit = 40.0 }"));
    assert!(cut < free + 0.5, "{cut} beside {free}");
}

/// Integral action removes what an unknown load leaves, on parallel robots too.
#[test]
fn integral_action_of_parallel_robots() {
    for law in ["platform-torque", "drive-torque"] {
        let off = |more: &str| {
            let text = format!(
                "robot = \"gough-stewart\"\nduration = 3.0\nreference = {{ kind = \"line\", to = [0.03, 0, 0.78], time = 0.5 }}\n\
                 controller = {{ law = \"{law}\", natural_frequency = 15.0{more} }}\nplant.payload = {{ mass = 10.0, com = [0, 0, 0.1] }}\n"
            );
            let mut off = 0.0_f64;
            let outcome = watch(&text, Watch::default(), |moment| {
                let drives: Vec<f64> = moment.drives.iter().map(|&j| moment.view.q[j]).collect();
                off = crate::difference(&drives, moment.wanted.unwrap());
            });
            assert!(outcome.unwrap().stop.is_none());
            off
        };
        let (plain, integral) = (off(""), off(", integral_root = 8.0"));
        assert!(plain > 1e-3 && integral < 1e-6, "{law}: {plain:e} {integral:e}");
    }
}

#[test]
fn gains_that_cannot_hold_are_named() {
    let unstable = TRACKING.replace("natural_frequency = 12.0", "kp = -4000.0, kd = 2.0");
    let mut rows = 0;
    let outcome = watch(&unstable, Watch::default(), |_| rows += 1).unwrap();
    assert!(rows > 50 && outcome.t < 1.5, "it ends with what it has come to");
    assert!(matches!(outcome.stop.unwrap().reason, Reason::RunsAway { .. }));
    let doubts = outcome.doubts;
    assert!(matches!(&doubts[..], [Doubt::Unstable { of, .. }, ..] if of.len() == 6 && of[0] == "waist"), "{doubts:?}");
    let slow = format!("{TRACKING}loop.period = 0.2\nrun.stop_at = []\n");
    let outcome = play(&slow).unwrap();
    assert!(matches!(outcome.doubts[0], Doubt::TooSlow { growth, .. } if growth > 1.0), "{:?}", outcome.doubts);
}

#[test]
fn what_does_not_fit_the_robot_is_told_with_its_line() {
    let wrong = |from: &str, to: &str| {
        let text = TRACKING.replace(from, to);
        assert_ne!(text, TRACKING, "{from}");
        refused(&text)
    };
    let error = wrong("q = [0, -0.8, 0.3, 0.2, 0.6, 0]", "q = [0, -0.8, 0.3]");
    assert!(matches!(error.cause, Cause::Length { found: 3, expected: 6, .. }), "{error}");
    assert_eq!((error.place.as_str(), error.line), ("start.q", Some(4)));
    let error = wrong("natural_frequency = 12.0", "natural_frequency = { elbo = 12.0 }");
    assert!(matches!(&error.cause, Cause::UnknownJoint { name, .. } if name == "elbo"), "{error}");
    let error = wrong("natural_frequency = 12.0", "kd = 1.0");
    assert!(matches!(error.cause, Cause::Missing { .. }), "{error}");
    let error = wrong("law = \"computed-torque\"", "law = \"platform-torque\"");
    assert!(matches!(error.cause, Cause::NotForThis { .. }) && error.line == Some(6), "{error}");
    let error =
        wrong("kind = \"joints\", to = [\"60 deg\", -0.5, 0.1, 0, 0.8, 0.3]", "kind = \"line\", to = [9, 9, 9]");
    assert!(matches!(error.cause, Cause::Follow(_)) && error.place == "reference", "{error}");
    let error = refused(&format!("{TRACKING}plant.joint.elbo.friction = {{ viscous = 1.0 }}\n"));
    assert_eq!(error.place, "plant.joint.elbo");
    let error = refused(&format!("{TRACKING}plant.payload = {{ mass = 1.0, com = [0, 0, 0] }}\n"));
    assert_eq!(error.place, "plant.payload.on");
    let error = refused("robot = \"delta\"\nduration = 1.0\nstart.pose = [5, 0, -0.7]\n");
    assert_eq!(error.place, "start.pose");
    let error = refused(
        "robot = \"gough-stewart\"\nreference = { kind = \"line\", to = [0, 0, 9], time = 1.0 }\ncontroller = { law = \"platform-torque\", natural_frequency = 10.0, damping = [1, 1] }\n",
    );
    assert_eq!(error.place, "controller");
}

/// What would be ignored is refused.
#[test]
fn keys_without_meaning_are_refused() {
    let refuses = |text: &str, place: &str| {
        let problems = Scenario::read(text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(problems.iter().any(|problem| problem.place == place), "{place} in\n{problems}");
    };
    let with = |from: &str, to: &str| TRACKING.replace(from, to);
    refuses(&with("natural_frequency = 12.0", "natural_frequency = 12.0, kp = 3.0"), "controller.kp");
    refuses(&with("law = \"computed-torque\"", "law = \"pd\""), "controller.natural_frequency");
    refuses(&with("time = 1.0", "time = 1.0, speed = 2.0"), "reference.speed");
    refuses(&with("natural_frequency = 12.0", "natural_frequency = \"12 deg\""), "controller.natural_frequency");
    refuses(&with("duration = 1.5", "duration = \"90 deg\""), "duration");
    refuses(&format!("{TRACKING}plant.body.elbow = {{ scale = 1.1, mass = 2.0 }}\n"), "plant.body.elbow.mass");
    refuses(&format!("{TRACKING}loop = {{ period = 1e-3, speed = {{ cutoff = 100.0 }} }}\n"), "loop.speed.by");
    refuses(
        &format!("{TRACKING}loop = {{ period = 1e-3, over_temperature = {{ at = 1.0, winding = [1, 1, 1] }} }}\n"),
        "loop.over_temperature.winding",
    );
    let error = refused(&with("q = [0, -0.8", "q = [\"1 m\", -0.8"));
    assert!(matches!(error.cause, Cause::Unit { .. }), "{error}");
    let error =
        refused(&format!("{TRACKING}loop = {{ period = 1e-3, potentiometer = {{ lower = -1, upper = 1 }} }}\n"));
    assert_eq!(error.place, "loop.encoder");
    let error = refused(&with("natural_frequency = 12.0", "natural_frequency = 12.0, limit = \"robot\""));
    assert!(matches!(error.cause, Cause::NoLimits { .. }), "{error}");
}

/// So is what says nothing, where something was meant.
#[test]
fn empty_tables_and_brakes_that_do_nothing_are_refused() {
    let read = |more: &str| Scenario::read(&format!("{TRACKING}{more}")).map(drop).expect_err(more).to_string();
    for (more, place) in [
        ("[safety]\n", "safety"),
        ("[safety]\ntracking = {}\n", "safety.tracking"),
        ("[safety]\nposition = {}\n", "safety.position"),
        ("[safety]\nvelocity = []\n", "safety.velocity"),
        ("[loop]\nperiod = 1e-3\nbrakes = {}\n", "loop.brakes"),
        ("[loop]\nperiod = 1e-3\nbrakes = { torque = {} }\n", "loop.brakes.torque"),
    ] {
        let problems = read(more);
        assert!(problems.contains(&format!("{place}: is an empty ")) && problems.contains("expected"), "{problems}");
    }
    for brakes in
        ["torque = 0", "torque = [0, 0, 0, 0, 0, 0]", "torque = { waist = 0 }", "stiffness = 0, damping = 0.0"]
    {
        let error = refused(&format!("{TRACKING}[loop]\nperiod = 1e-3\nbrakes = {{ {brakes} }}\n"));
        assert_eq!(error.place, "loop.brakes", "{brakes}");
        assert!(error.to_string().contains("without `brakes` the power goes off"), "{error}");
    }
    play(&format!("{TRACKING}[loop]\nperiod = 1e-3\nbrakes = {{ torque = {{ waist = 50 }} }}\n")).unwrap();
}

#[test]
fn an_operators_pace_is_the_scenarios() {
    let bounds = |more: &str| {
        let scenario = Scenario::read(&format!("{TRACKING}{more}")).unwrap_or_else(|problems| panic!("{problems}"));
        let robot = machine("puma560");
        let prepared = scenario.prepare(&robot).unwrap();
        let operated = prepared.operated().map_err(|error| error.to_string())?;
        Ok::<_, String>((operated.bounds(), operated.freedom_speeds()))
    };
    let (by_default, _) = bounds("").unwrap();
    assert_eq!((by_default.speed[0], by_default.acceleration[0]), (1.0, 2.0));
    let (given, freedoms) =
        bounds("[operator]\nspeed = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]\nramp_time = 0.25\nlinear = 0.05\nangular = 0.2\n")
            .unwrap();
    assert_eq!((given.speed[3], given.acceleration[3]), (0.4, 1.6));
    assert_eq!((freedoms[0], freedoms[5]), ((false, 0.05), (true, 0.2)));
    let (given, _) = bounds("[operator]\nturning = 0.5\nacceleration = 4.0\n").unwrap();
    assert_eq!((given.speed[0], given.acceleration[0]), (0.5, 4.0));
    let error = bounds("[operator]\nspeed = { waist = 0.1 }\n").unwrap_err();
    assert!(error.starts_with("line 8: operator.speed: does not mention joint `shoulder`"), "{error}");
    let error = bounds("[operator]\nspeed = -1\n").unwrap_err();
    assert!(error.contains("operator.speed: is -1; expected a positive number"), "{error}");
    for wrong in ["part_of_limit = 0", "jog_timeout = -1.0", "pace = 1", "speed = {}", "linear = inf"] {
        let problems = Scenario::read(&format!("{TRACKING}[operator]\n{wrong}\n")).map(drop).expect_err(wrong);
        assert!(problems.iter().all(|problem| problem.place.starts_with("operator.")), "{problems}");
    }
}

/// Coulomb friction without smoothing is dry: joints stick and slip, with a computer and without.
#[test]
fn friction_without_smoothing_sticks() {
    for wires in ["", "loop.period = 1e-3\n"] {
        let text = format!("{TRACKING}plant.friction = {{ viscous = 0.5, coulomb = 1.0 }}\n{wires}");
        let outcome = play(&text).unwrap();
        assert!(outcome.stop.is_none(), "{wires}: {outcome:?}");
    }
}

/// One who hears the time after every step can end it between two rows.
#[test]
fn a_pulse_ends_it_between_rows() {
    for wires in ["", "loop.period = 1e-3\n"] {
        let scenario = Scenario::read(&format!("{TRACKING}run.record = 10.0\n{wires}")).unwrap();
        let pulse = |t: f64| if t > 0.2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let watch = Watch { pulse: Some(Box::new(pulse)), ..Watch::default() };
        let outcome = scenario.play(&machine("puma560"), watch, |_| ControlFlow::Continue(())).unwrap();
        assert!(outcome.interrupted && (0.2..0.6).contains(&outcome.t), "{outcome:?}");
    }
}

#[test]
fn all_that_cannot_be_read_is_told_at_once() {
    let text = r#"
robot = 3
durations = 1.0
[reference]
kind = "joint"
[controller]
law = "fuzzy"
kp = "many"
[loop]
period = -1.0
encoder = { counts = 1.5 }
[plant]
scale = nan
spread = 2.0
payload = { on = "elbow", mass = -1.0, com = [0, 0, 0] }
[run]
method = "euler"
stop_at = ["time"]
"#;
    let problems = Scenario::read(text).expect_err("wrong in many ways");
    let places: Vec<&str> = problems.iter().map(|problem| problem.place.as_str()).collect();
    for place in [
        "robot",
        "durations",
        "reference.kind",
        "controller.law",
        "loop.period",
        "loop.encoder.counts",
        "plant.scale",
        "plant.spread",
        "run.method",
        "run.stop_at[1]",
    ] {
        assert!(places.contains(&place), "{place} in\n{problems}");
    }
    assert!(places.iter().any(|place| place.starts_with("plant.payload")), "{problems}");
    assert!(problems.iter().all(|problem| problem.line.is_some()), "{problems}");
    assert!(Scenario::read("robot = [").is_err());
    assert!(Scenario::read("robot = \"puma560\"").is_err(), "neither a reference nor a duration");
}

/// A law of one's own is made by who opens files, for the drives, the period and the reference of the scenario.
#[test]
fn a_law_of_a_library_is_made_by_another() {
    let text = |robot: &str, reference: &str, more: &str| {
        format!(
            "robot = {robot:?}\nreference = {reference}\ncontroller = {{ law = {{ library = \"own.so\", parameters = {{ b = [1, 2], a = 3 }} }}, \
             limit = 2.0 }}\n{more}"
        )
    };
    let joints = "{ kind = \"hold\", at = [0.1, 0.2, 0.05, 0.0] }";
    let refused = refused(&text("scara", joints, "duration = 0.1\n"));
    assert!(matches!(refused.cause, Cause::NotOpened { .. }) && refused.line == Some(3), "{refused}");
    let line = "{ kind = \"line\", to = [0.0, 0.0, 0.8], time = 0.1 }";
    for (robot, reference, more, drives) in [
        ("scara", joints, "duration = 0.1\nloop.period = 1e-3\n", 4),
        ("scara", joints, "duration = 0.1\n", 4),
        ("gough-stewart", line, "", 6),
    ] {
        let mut scenario = Scenario::read(&text(robot, reference, more)).unwrap();
        let asked = scenario.law_library().unwrap();
        let parameters = [("b".to_owned(), vec![1.0, 2.0]), ("a".to_owned(), vec![3.0])];
        assert_eq!((asked.library.as_str(), &asked.parameters[..]), ("own.so", &parameters[..]));
        let machine = machine(robot);
        let period = more.contains("loop").then_some(1e-3);
        scenario.put_law(move |order| {
            assert_eq!((order.names.len(), order.drives.len(), order.period), (drives, drives, period));
            assert_eq!((order.reference.joints(), order.platform.is_some()), (drives, drives == 6));
            Ok(Box::new(Constant(vec![3.0; drives])))
        });
        let outcome = scenario.play(&machine, Watch::default(), |moment| {
            assert!(moment.view.t == 0.0 || moment.efforts.iter().all(|effort| *effort == 2.0), "cut at its limit");
            ControlFlow::Continue(())
        });
        assert!(outcome.unwrap().stop.is_none());
        // Who cannot make one says why, at its line.
        scenario.put_law(|_| Err(Reason::Law("no such file".into())));
        let refused = scenario.play(&machine, Watch::default(), |_| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(refused.to_string(), "line 3: controller.law: no such file");
    }
}

#[test]
fn a_reference_may_rest_at_every_point() {
    let text = |more: &str| {
        format!(
            "robot = \"scara\"\ncontroller = {{ law = \"computed-torque\", natural_frequency = 20.0 }}\n[reference]\nkind = \"spline\"\n\
             points = [[0, 0, 0, 0, 0], [0.5, 1, 0.5, 0.1, 0], [1.5, 0, 0, 0, 1]]\n{more}"
        )
    };
    let mut fastest_at_point = f64::NAN;
    for law in ["cubic", "quintic", "ramp"] {
        let seen = watch(&text(&format!("law = \"{law}\"")), Watch::default(), |moment| {
            if (moment.view.t - 0.5).abs() < 1e-9 {
                fastest_at_point = moment.view.v.iter().fold(0.0, |most, v| most.max(v.abs()));
            }
        });
        assert!(largest(&seen.unwrap()) < 1e-3, "{law}");
        assert!(fastest_at_point < 1e-2, "{law}: {fastest_at_point}");
    }
    let problems = Scenario::read(&text("law = \"cubic\"\ndegree = \"cubic\"")).unwrap_err().to_string();
    assert!(problems.contains("degree"), "{problems}");
}
