//! Units that a recording cannot have by the robot's file; and recordings that are right, however rough the file is.

use crate::recording::{Recording, machine, record};
use appell::Robot;
use appell_identification::data::{EffortUnit, Layout, Measurement, PositionUnit, Smoothing, Time, TimeUnit};
use appell_identification::plausibility::{Guess, Reading, Suspicion, suspicions};
use appell_identification::signals::Clock;

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
        clock: Clock { step: 1.0 / rate, jitter: 0.0 },
        q: recorded.q,
        v: None,
        effort: recorded.tau,
        left_out: Vec::new(),
    }
}

/// A suspicion of units or signs.
#[derive(Debug)]
struct Misread {
    text: String,
    reading: Reading,
    columns: Vec<String>,
    units: Vec<&'static str>,
    is_certain: bool,
}

fn found(machine: &Robot, measurement: &Measurement) -> Vec<Misread> {
    found_by(&layout(measurement.joints.len()), machine, measurement)
}

fn found_by(layout: &Layout, machine: &Robot, measurement: &Measurement) -> Vec<Misread> {
    let misread = |suspicion: Suspicion| {
        let (text, is_certain) = (suspicion.to_string(), suspicion.is_certain);
        let Guess::Misread { reading, columns, units, .. } = suspicion.guess else { panic!("{text}") };
        Misread { text, reading, columns, units, is_certain }
    };
    suspected(layout, machine, measurement).into_iter().map(misread).collect()
}

fn suspected(layout: &Layout, machine: &Robot, measurement: &Measurement) -> Vec<Suspicion> {
    let filter = Smoothing::default().chosen(&[measurement]).unwrap();
    suspicions(machine, layout, measurement, &filter).unwrap()
}

fn scaled(signals: &[Vec<f64>], by: f64) -> Vec<Vec<f64>> {
    signals.iter().map(|signal| signal.iter().map(|x| by * x).collect()).collect()
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
                let heavier = Measurement { effort: scaled(&right.effort, by), ..right.clone() };
                let found = found(&machine, &heavier);
                let is_factor = |misread: &Misread| matches!(misread.reading, Reading::Efforts(_)) && by != 1.0;
                assert!(
                    found.iter().all(|misread| !misread.is_certain && is_factor(misread)),
                    "{name}, seed {seed}, times {by}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn wrong_units_are_certain_even_of_small_motions_and_a_rough_file() {
    let machine = machine("puma560");
    for (amplitude, by) in [(0.5, 1.0), (0.12, 1.0), (0.5, 3.0), (0.5, 1.0 / 3.0)] {
        let right = measured(&machine, amplitude, 3);
        let right = Measurement { effort: scaled(&right.effort, by), ..right };
        let slower = |by: f64| Measurement {
            time: right.time.iter().map(|t| by * t).collect(),
            clock: Clock { step: by * right.clock.step, ..right.clock },
            ..right.clone()
        };
        let cases = [
            (Reading::Degrees, Measurement { q: scaled(&right.q, 180.0 / core::f64::consts::PI), ..right.clone() }),
            (Reading::Radians, Measurement { q: scaled(&right.q, core::f64::consts::PI / 180.0), ..right.clone() }),
            (Reading::Efforts(1e-3), Measurement { effort: scaled(&right.effort, 1e3), ..right.clone() }),
            (Reading::Efforts(1e3), Measurement { effort: scaled(&right.effort, 1e-3), ..right.clone() }),
            (Reading::Reversed, Measurement { effort: scaled(&right.effort, -1.0), ..right.clone() }),
            (Reading::Milliseconds, slower(1e3)),
            (Reading::Seconds, slower(1e-3)),
        ];
        for (reading, wrong) in cases {
            // Who says degrees or milliseconds may have radians or seconds.
            let mut layout = layout(6);
            match reading {
                Reading::Radians => layout.position.units.fill(PositionUnit::Degree),
                Reading::Seconds => layout.time = Time::Column { name: "t".into(), unit: TimeUnit::Millisecond },
                _ => {}
            }
            let found = found_by(&layout, &machine, &wrong);
            let first = found.first().unwrap_or_else(|| panic!("{reading:?}, amplitude {amplitude}, times {by}"));
            // Tiny motions with large efforts may be the one or the other.
            let is_told = found.iter().any(|misread| misread.reading == reading);
            assert!(first.is_certain && is_told, "{reading:?}, amplitude {amplitude}, times {by}: {found:?}");
            assert!(by != 1.0 || first.reading == reading, "{reading:?}, amplitude {amplitude}: {found:?}");
        }
    }
}

/// Who says N m already is not told to say so, and beside what is certain nothing is told that is only likely.
#[test]
fn advice_is_what_the_layout_does_not_say_yet() {
    let machine = machine("puma560");
    let right = measured(&machine, 0.5, 3);
    for (by, said, advice) in [
        (1e3, EffortUnit::NewtonMetre, Some("say effort.unit = \"mN m\"")),
        (1e-3, EffortUnit::NewtonMetre, None),
        (1e-3, EffortUnit::MillinewtonMetre, Some("say effort.unit = \"N m\"")),
        (1e3, EffortUnit::MillinewtonMetre, None),
    ] {
        let mut layout = layout(6);
        layout.effort.units.fill(said);
        let wrong = Measurement { effort: scaled(&right.effort, by), ..right.clone() };
        let found = found_by(&layout, &machine, &wrong);
        assert!(!found.is_empty() && found.iter().all(|misread| misread.is_certain), "{found:?}");
        let text = &found[0].text;
        match advice {
            Some(advice) => assert!(text.contains(advice), "{text}"),
            None => assert!(!text.contains("unit = ") && text.contains("check effort.unit, the constants"), "{text}"),
        }
    }
}

#[test]
fn what_the_user_accepts_and_single_joints() {
    let machine = machine("puma560");
    let right = measured(&machine, 0.5, 4);
    let wrong = Measurement { effort: scaled(&right.effort, 1e3), ..right.clone() };
    let mut layout = layout(6);
    layout.accepted.unit = layout.effort.columns.clone();
    assert_eq!(suspected(&layout, &machine, &wrong), []);
    // One column in degrees, of a small motion too.
    for amplitude in [0.05, 0.5] {
        let right = measured(&machine, amplitude, 4);
        for joint in [0, 1, 2, 3] {
            let mut one = right.clone();
            one.q[joint] = scaled(&one.q[joint..=joint], 180.0 / core::f64::consts::PI).remove(0);
            let found = found(&machine, &one);
            let first = found.first().unwrap_or_else(|| panic!("joint {joint}, {amplitude}"));
            assert_eq!(
                (first.reading, &first.columns),
                (Reading::Degrees, &vec![format!("q{}", joint + 1)]),
                "{found:?}"
            );
            assert!(first.units[joint] == "deg" && first.units.iter().filter(|unit| **unit == "deg").count() == 1);
        }
    }
    let mut one = right;
    one.effort[2] = scaled(&one.effort[2..3], -1.0).remove(0);
    let found = found(&machine, &one);
    assert!(matches!(&found[..], [one] if one.reading == Reading::Reversed && one.is_certain), "{found:?}");
    let text = &found[0].text;
    assert!(
        text.contains("the torques and forces of joint `elbow` look as if they had the other sign (`tau3`)")
            && text.contains("joint.sign"),
        "{text}"
    );
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
            let layout = layout(right.joints.len());
            let found = suspected(&layout, &machine, &wrong);
            let [Suspicion { guess: Guess::Exchanged { .. }, joints, is_certain: true }] = &found[..] else {
                panic!("{name} {pair:?}: {found:?}")
            };
            assert_eq!(*joints, pair.map(|k| right.joints[k].clone()), "{name}");
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
        for &joint in joints {
            for by in [1e3, 1e-3] {
                let mut wrong = right.clone();
                wrong.effort[joint] = scaled(&wrong.effort[joint..=joint], by).remove(0);
                let layout = layout(right.joints.len());
                let found = suspected(&layout, &machine, &wrong);
                let names = |suspicion: &Suspicion| suspicion.to_string().contains(&format!("`tau{}`", joint + 1));
                let is_told = found.iter().any(|suspicion| suspicion.is_certain && names(suspicion));
                assert!(is_told, "{name}, joint {joint}, times {by}: {found:?}");
            }
        }
    }
}

/// Units that are rare: named where all joints have them in common.
#[test]
fn units_of_efforts_are_found_by_their_factors() {
    for (name, amplitude) in [("puma560", 0.5), ("seven-axis", 0.4), ("scara", 0.4)] {
        let machine = machine(name);
        let right = measured(&machine, amplitude, 7);
        let layout = layout(right.joints.len());
        for (by, unit) in [(9.80665, "kgf m"), (0.112985, "lbf in"), (0.0980665, "kgf cm"), (0.00706155, "ozf in")] {
            let wrong = Measurement { effort: scaled(&right.effort, 1.0 / by), ..right.clone() };
            let found = found_by(&layout, &machine, &wrong);
            let is_it = |misread: &&Misread| matches!(misread.reading, Reading::Efforts(factor) if (factor / by - 1.0).abs() < 0.1);
            let first = found.iter().find(is_it).unwrap_or_else(|| panic!("{name}, {by}: {found:?}"));
            // Joints of different kinds have no unit in common.
            assert_eq!(first.units.first().copied(), (name != "scara").then_some(unit), "{name}, {by}: {first:?}");
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
            let found = suspected(&layout(right.joints.len()), &machine, &wrong);
            let [found @ Suspicion { guess: Guess::Exchanged { .. }, .. }] = &found[..] else {
                panic!("{name} {i} {k}: {found:?}")
            };
            assert_eq!(found.joints, [i, k].map(|k| right.joints[k].clone()));
            assert_eq!(found.is_certain, is_certain, "{found}");
            assert!(found.to_string().contains("together with"), "{found}");
        }
    }
}

/// An encoder that counts the other way while the efforts do not.
#[test]
fn signs_of_positions_are_reported() {
    let machine = machine("puma560");
    let right = measured(&machine, 0.5, 9);
    for joint in [0, 1, 2] {
        let mut wrong = right.clone();
        wrong.q[joint].iter_mut().for_each(|q| *q = -*q);
        let found = found(&machine, &wrong);
        let first = found.first().unwrap_or_else(|| panic!("joint {joint}"));
        assert!(first.is_certain && first.reading == Reading::Backwards, "{found:?}");
        assert_eq!(first.columns, [format!("q{}", joint + 1)]);
    }
}

/// Half a second, or a second, of a slow motion: anything would explain it.
#[test]
fn short_recordings_are_not_read_otherwise() {
    let machine = machine("puma560");
    let mut short = measured(&machine, 0.5, 10);
    short.time.truncate(60);
    short.q.iter_mut().chain(&mut short.effort).for_each(|signal| signal.truncate(60));
    short.effort = scaled(&short.effort, 1e3);
    assert_eq!(suspected(&layout(6), &machine, &short), []);
}
