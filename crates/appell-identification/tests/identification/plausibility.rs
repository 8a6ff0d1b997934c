//! Units that a recording cannot have by the robot's file; and recordings that are right, however rough the file is.

use crate::recording::{Recording, machine, record};
use appell::Robot;
use appell_identification::data::{Layout, Measurement, Smoothing, Time, Unit};
use appell_identification::plausibility::{Suspicion, suspicions};
use appell_identification::signals::Clock;
use core::f64::consts::PI;

fn layout(joints: usize) -> Layout {
    let names = |symbol: &str| (1..=joints).map(|k| format!("'{symbol}{k}'")).collect::<Vec<_>>().join(", ");
    let text = format!("time.column = 't'\nposition.columns = [{}]\neffort.columns = [{}]", names("q"), names("tau"));
    Layout::read(&text).unwrap()
}

/// What an encoder of 17 bits and a noisy current say of a random motion.
fn measured(machine: &Robot, amplitude: f64, seed: u64) -> Measurement {
    let rate = 500.0;
    let recording = Recording { seed, rate, duration: 8.0, amplitude, quantised: true, noise: 0.02 };
    let recorded = record(machine, &recording);
    Measurement {
        joints: machine.drives().iter().map(|drive| drive.name.to_owned()).collect(),
        time: (0..recorded.count).map(|k| k as f64 / rate).collect(),
        clock: Clock::even(1.0 / rate),
        q: recorded.q,
        v: None,
        effort: recorded.tau,
        left_out: Vec::new(),
    }
}

fn found(machine: &Robot, measurement: &Measurement) -> Vec<Suspicion> {
    suspected(&layout(measurement.joints.len()), machine, measurement)
}

fn suspected(layout: &Layout, machine: &Robot, measurement: &Measurement) -> Vec<Suspicion> {
    let filter = Smoothing::default().chosen(&[measurement]).unwrap();
    suspicions(machine, layout, measurement, &filter).unwrap()
}

/// A recording with signals multiplied: positions, or efforts, of all joints or of one.
fn with(right: &Measurement, symbol: char, joint: Option<usize>, by: f64) -> Measurement {
    let mut wrong = right.clone();
    let signals = if symbol == 'q' { &mut wrong.q } else { &mut wrong.effort };
    let read = signals.iter_mut().enumerate().filter(|(k, _)| joint.is_none_or(|joint| joint == *k));
    read.for_each(|(_, signal)| signal.iter_mut().for_each(|x| *x *= by));
    wrong
}

fn says(suspicion: &Suspicion, words: &str) -> bool {
    suspicion.to_string().contains(words)
}

/// Efforts of a robot a third or three times as heavy as the file says are reported as in another unit at most, and never refused.
#[test]
fn recordings_that_are_right_are_not_doubted() {
    for (name, amplitude) in
        [("puma560", 0.5), ("puma560", 0.1), ("seven-axis", 0.4), ("gough-stewart", 0.05), ("agile-wrist", 0.15)]
    {
        let machine = machine(name);
        for seed in [1, 2] {
            let right = measured(&machine, amplitude, seed);
            for by in [1.0, 3.0, 1.0 / 3.0] {
                let found = found(&machine, &with(&right, 'u', None, by));
                let is_factor = |one: &Suspicion| says(one, "the torques and forces look ") && says(one, "times too");
                let is_allowed = |one: &Suspicion| by != 1.0 && !one.is_certain && is_factor(one);
                assert!(found.iter().all(is_allowed), "{name}, seed {seed}, times {by}: {found:?}");
            }
        }
    }
}

#[test]
fn wrong_units_are_certain_even_of_small_motions_and_a_rough_file() {
    let machine = machine("puma560");
    for (amplitude, by) in [(0.5, 1.0), (0.12, 1.0), (0.5, 3.0), (0.5, 1.0 / 3.0)] {
        let right = with(&measured(&machine, amplitude, 3), 'u', None, by);
        let slower = |by: f64| Measurement {
            time: right.time.iter().map(|t| by * t).collect(),
            clock: Clock::even(by * right.clock.step),
            ..right.clone()
        };
        let cases = [
            ("the positions look like degrees", with(&right, 'q', None, 180.0 / PI)),
            ("the positions look like radians", with(&right, 'q', None, PI / 180.0)),
            ("the torques and forces look 1000 times too large", with(&right, 'u', None, 1e3)),
            ("the torques and forces look 1000 times too small", with(&right, 'u', None, 1e-3)),
            ("the torques and forces look as if they had the other sign", with(&right, 'u', None, -1.0)),
            ("the time looks like milliseconds", slower(1e3)),
            ("the time looks 1000 times too fast", slower(1e-3)),
        ];
        for (words, wrong) in cases {
            // Who says degrees or milliseconds may have radians or seconds.
            let mut layout = layout(6);
            if words.contains("radians") {
                layout.position.units.fill(Unit::POSITIONS[1]);
            } else if words.contains("too fast") {
                layout.time = Time::Column { name: "t".into(), unit: Unit::TIMES[1], rate: None };
            }
            let found = suspected(&layout, &machine, &wrong);
            let first = found.first().unwrap_or_else(|| panic!("{words}, amplitude {amplitude}, times {by}"));
            // Tiny motions with large efforts may be the one or the other.
            let is_told = found.iter().any(|one| says(one, words));
            assert!(first.is_certain && is_told, "{words}, {amplitude}, times {by}: {found:?}");
            assert!(by != 1.0 || says(first, words), "{words}, {amplitude}: {found:?}");
        }
    }
}

/// Who says N m already is not told to say so, and beside what is certain nothing is told that is only likely.
#[test]
fn advice_is_what_the_layout_does_not_say_yet() {
    let machine = machine("puma560");
    let right = measured(&machine, 0.5, 3);
    for (by, said, advice) in [
        (1e3, Unit::EFFORTS[0], Some("say effort.unit = \"mN m\"")),
        (1e-3, Unit::EFFORTS[0], None),
        (1e-3, Unit::EFFORTS[1], Some("say effort.unit = \"N m\"")),
        (1e3, Unit::EFFORTS[1], None),
    ] {
        let mut layout = layout(6);
        layout.effort.units.fill(said);
        let found = suspected(&layout, &machine, &with(&right, 'u', None, by));
        assert!(!found.is_empty() && found.iter().all(|one| one.is_certain), "{found:?}");
        let (text, check) = (found[0].to_string(), "check effort.unit, the constants");
        assert!(text.contains(advice.unwrap_or(check)), "{text}");
        assert!(advice.is_some() || !text.contains("unit = "), "{text}");
    }
}

#[test]
fn what_the_user_accepts_and_single_joints() {
    let machine = machine("puma560");
    let right = measured(&machine, 0.5, 4);
    let mut layout = layout(6);
    layout.accepted.unit = layout.effort.columns.clone();
    assert_eq!(suspected(&layout, &machine, &with(&right, 'u', None, 1e3)), []);
    // One column in degrees, of a small motion too.
    for amplitude in [0.05, 0.5] {
        let right = measured(&machine, amplitude, 4);
        for joint in [0, 1, 2, 3] {
            let found = found(&machine, &with(&right, 'q', Some(joint), 180.0 / PI));
            let first = found.first().unwrap_or_else(|| panic!("joint {joint}, {amplitude}"));
            assert_eq!(first.columns, [format!("q{}", joint + 1)], "{found:?}");
            let mut units = ["rad"; 6];
            units[joint] = "deg";
            let advice = format!("say position.unit = {units:?}");
            assert!(says(first, "look like degrees") && says(first, &advice), "{first}");
        }
    }
    let found = found(&machine, &with(&right, 'u', Some(2), -1.0));
    assert!(found.len() == 1 && found[0].is_certain && says(&found[0], "joint.sign"), "{found:?}");
    let words = "the torques and forces of joint `elbow` look as if they had the other sign (`tau3`)";
    assert!(says(&found[0], words), "{found:?}");
}

/// Efforts, or positions, of two joints that are each other's.
#[test]
fn exchanged_joints_are_named() {
    for (name, amplitude, pair) in [("puma560", 0.5, [4, 5]), ("puma560", 0.5, [0, 2]), ("gough-stewart", 0.05, [1, 4])]
    {
        let machine = machine(name);
        let right = measured(&machine, amplitude, 5);
        let (mut efforts, mut positions) = (right.clone(), right.clone());
        efforts.effort.swap(pair[0], pair[1]);
        positions.q.swap(pair[0], pair[1]);
        let cases = if name == "puma560" { vec![efforts, positions] } else { vec![efforts] };
        for wrong in cases {
            let found = found(&machine, &wrong);
            let [one] = &found[..] else { panic!("{name} {pair:?}: {found:?}") };
            assert!(one.is_certain && says(one, "look exchanged"), "{name} {pair:?}: {one}");
            assert_eq!(one.joints, pair.map(|k| right.joints[k].clone()), "{name}");
        }
    }
}

/// A thousand times what it is, of any one joint: certain, whether friction explains it or not.
#[test]
fn efforts_of_one_joint_in_another_unit_are_certain() {
    let cases: [(&str, f64, &[usize]); 3] =
        [("puma560", 0.5, &[0, 1, 2, 3, 4, 5]), ("seven-axis", 0.4, &[0, 6]), ("scara", 0.4, &[0, 1, 3])];
    for (name, amplitude, joints) in cases {
        let machine = machine(name);
        let right = measured(&machine, amplitude, 6);
        for (&joint, by) in joints.iter().flat_map(|joint| [(joint, 1e3), (joint, 1e-3)]) {
            let found = found(&machine, &with(&right, 'u', Some(joint), by));
            let column = format!("`tau{}`", joint + 1);
            let is_told = found.iter().any(|one| one.is_certain && says(one, &column));
            assert!(is_told, "{name}, joint {joint}, times {by}: {found:?}");
        }
    }
}

/// Units that are rare: named where all joints have them in common.
#[test]
fn units_of_efforts_are_found_by_their_factors() {
    let units = [
        (9.80665, "9.81", "kgf m"),
        (0.112985, "8.85", "lbf in"),
        (0.0980665, "10.2", "kgf cm"),
        (0.00706155, "142", "ozf in"),
    ];
    for (name, amplitude) in [("puma560", 0.5), ("seven-axis", 0.4), ("scara", 0.4)] {
        let machine = machine(name);
        let right = measured(&machine, amplitude, 7);
        for (by, times, unit) in units {
            let found = found(&machine, &with(&right, 'u', None, 1.0 / by));
            let is_it = |one: &&Suspicion| says(one, &format!("the torques and forces look {times} times too"));
            let first = found.iter().find(is_it).unwrap_or_else(|| panic!("{name}, {by}: {found:?}"));
            // Joints of different kinds have no unit in common.
            let is_named = says(first, &format!("say effort.unit = \"{unit}\""));
            assert_eq!(is_named, name != "scara", "{name}, {by}: {first:?}");
            assert!(first.is_certain || name == "scara" && by < 20.0, "{name}, {by}: {found:?}");
        }
    }
}

/// Positions and efforts of two joints that are each other's: friction is explained then, and only bodies tell.
#[test]
fn joints_exchanged_with_their_efforts_are_named() {
    // Of wrists little is left either way, and nothing certain.
    for (name, amplitude, certain, likely) in [
        ("puma560", 0.5, vec![[0, 1], [1, 4], [0, 5]], vec![[4, 5]]),
        ("seven-axis", 0.4, vec![[1, 3]], vec![[4, 6]]),
        ("gough-stewart", 0.05, vec![[2, 3]], vec![]),
    ] {
        let machine = machine(name);
        let right = measured(&machine, amplitude, 8);
        let pairs = certain.into_iter().map(|pair| (pair, true)).chain(likely.into_iter().map(|pair| (pair, false)));
        for ([i, k], is_certain) in pairs {
            let mut wrong = right.clone();
            wrong.q.swap(i, k);
            wrong.effort.swap(i, k);
            let found = found(&machine, &wrong);
            let [found] = &found[..] else { panic!("{name} {i} {k}: {found:?}") };
            assert_eq!(found.joints, [i, k].map(|k| right.joints[k].clone()));
            assert_eq!(found.is_certain, is_certain, "{found}");
            assert!(says(found, "look exchanged") && says(found, "together with"), "{found}");
        }
    }
}

/// An encoder that counts the other way while the efforts do not.
#[test]
fn signs_of_positions_are_reported() {
    let machine = machine("puma560");
    let right = measured(&machine, 0.5, 9);
    for joint in [0, 1, 2] {
        let found = found(&machine, &with(&right, 'q', Some(joint), -1.0));
        let first = found.first().unwrap_or_else(|| panic!("joint {joint}"));
        assert!(first.is_certain && says(first, "other sign, and the torques and forces not"), "{found:?}");
        assert_eq!(first.columns, [format!("q{}", joint + 1)]);
    }
}

/// Half a second, or a second, of a slow motion: anything would explain it.
#[test]
fn short_recordings_are_not_read_otherwise() {
    let machine = machine("puma560");
    let mut short = with(&measured(&machine, 0.5, 10), 'u', None, 1e3);
    short.time.truncate(60);
    short.q.iter_mut().chain(&mut short.effort).for_each(|signal| signal.truncate(60));
    assert_eq!(found(&machine, &short), []);
}
