//! Answers on the bench are those of the command line: `laboratory/tests/golden/numbers.json`.

use crate::apart;
use appell_web::Bench;
use serde_json::Value;
use std::f64::consts::TAU;

const NUMBERS: &str = include_str!("../../../../laboratory/tests/golden/numbers.json");

/// Differences over the largest number of an answer: rounding of another order of the same steps.
const ROUNDING: f64 = 1e-12;

fn vector(value: &Value) -> Option<Vec<f64>> {
    value.as_array().map(|all| all.iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect())
}

/// The robot in the state of the file.
fn placed(name: &str, entry: &Value) -> Bench {
    let mut bench = Bench::builtin(name).unwrap();
    let came = match (vector(&entry["q"]), vector(&entry["drives"])) {
        (Some(q), _) => bench.set_q(&q).unwrap(),
        (None, Some(drives)) => bench.set_drives(&drives).unwrap(),
        _ => panic!("{name} is nowhere"),
    };
    assert_eq!(came, "", "{name}");
    if let (Some(v), Some(a)) = (vector(&entry["v"]), vector(&entry["a"])) {
        bench.set_motion(&v, &a).unwrap();
    }
    bench
}

/// Takes off whole turns: the command line gives angles in (−π, π].
fn unwind(found: &mut [f64], expected: &[f64]) {
    for (found, expected) in found.iter_mut().zip(expected) {
        let turns = ((*found - expected) / TAU).round();
        *found -= if (*found - expected - turns * TAU).abs() < 1e-9 { turns * TAU } else { 0.0 };
    }
}

fn robots() -> Vec<(String, Value)> {
    let numbers: Value = serde_json::from_str(NUMBERS).unwrap();
    let Value::Object(all) = numbers else { panic!("robots by name") };
    all.into_iter().collect()
}

#[test]
fn questions_have_the_answers_of_the_command_line() {
    let mut worst = 0.0_f64;
    for (name, entry) in robots() {
        let mut bench = placed(&name, &entry);
        for (question, answer) in entry["answers"].as_object().unwrap() {
            let mut found = bench.ask(question).unwrap_or_else(|error| panic!("{name} {question}: {error}"));
            let expected = vector(&answer["values"]).unwrap();
            if let "actuated" | "joints" = question.as_str() {
                unwind(&mut found, &expected);
            }
            let difference = apart(&found, &expected, least(question, &entry));
            assert!(difference < ROUNDING, "{name} {question}: {difference:e}\n{found:?}\n{expected:?}");
            let columns: Vec<String> = serde_json::from_value(answer["columns"].clone()).unwrap();
            assert_eq!(bench.columns(question).unwrap(), columns, "{name} {question}");
            worst = worst.max(difference);
        }
    }
    assert!(worst > 0.0, "some of them are rounded");
}

/// What may vanish is measured against what it is made of: torques and reactions against all torques.
fn least(question: &str, entry: &Value) -> f64 {
    let largest = |question: &str| {
        vector(&entry["answers"][question]["values"])
            .map_or(0.0, |all| all.iter().fold(0.0, |most: f64, x| most.max(x.abs())))
    };
    match question {
        "gravity" | "bias" | "coriolis-vector" | "inverse-dynamics" => largest("bias").max(largest("inverse-dynamics")),
        "actuated" | "joints" | "centre-of-mass" => 1.0,
        _ => 0.0,
    }
}

#[test]
fn live_numbers_are_the_answers_of_the_questions() {
    for (name, entry) in robots() {
        let mut bench = placed(&name, &entry);
        let live = serde_json::to_value(bench.live()).unwrap();
        let expected = |question: &str| vector(&entry["answers"][question]["values"]).unwrap();
        let close = |what: &str, found: Vec<f64>, expected: Vec<f64>| {
            let least = least("inverse-dynamics", &entry);
            let difference = apart(&found, &expected, if what == "inertia" { 0.0 } else { least });
            assert!(difference < ROUNDING, "{name} {what}: {difference:e} {found:?} {expected:?}");
        };
        close("tau", vector(&live["tau"]).unwrap(), expected("inverse-dynamics"));
        let sum = vector(&live["gravity"])
            .unwrap()
            .iter()
            .zip(vector(&live["dynamic"]).unwrap())
            .map(|(g, d)| g + d)
            .collect();
        close("tau", sum, expected("inverse-dynamics"));
        if entry["kind"] == "tree" {
            close("gravity", vector(&live["gravity"]).unwrap(), expected("gravity"));
        }
        let inertia = live["inertia"].as_array().unwrap().iter().flat_map(|row| vector(row).unwrap()).collect();
        close("inertia", inertia, expected("inertia-matrix"));
        let energy = vec![live["energy"]["kinetic"].as_f64().unwrap(), live["energy"]["potential"].as_f64().unwrap()];
        close("energy", energy, expected("energy"));
        close("com", vector(&live["com"]).unwrap(), expected("centre-of-mass"));
        let of_singularity = expected("singularity");
        if entry["kind"] == "tree" {
            close("condition", vec![live["inverse_condition"].as_f64().unwrap()], vec![of_singularity[1]]);
            close("manipulability", vec![live["manipulability"].as_f64().unwrap()], vec![of_singularity[0]]);
        } else {
            let of = |name: &str| live["singularity"][name].as_f64().unwrap();
            close("singularity", vec![of("type1"), of("type2"), of("constraints")], of_singularity[..3].to_vec());
            let joints = expected("joints");
            let count = joints.len() / 3;
            let mut q = vector(&live["q"]).unwrap();
            unwind(&mut q, &joints[..count]);
            close("q", q, joints[..count].to_vec());
            close("v", vector(&live["v"]).unwrap(), joints[count..2 * count].to_vec());
        }
    }
}

/// Forces keep their sizes when they are turned into base axes.
#[test]
fn reactions_are_turned_into_base_axes() {
    for (name, entry) in robots() {
        let mut bench = placed(&name, &entry);
        let live = serde_json::to_value(bench.live()).unwrap();
        let expected = vector(&entry["answers"]["reactions"]["values"]).unwrap();
        let size = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let reactions = live["reactions"].as_array().unwrap();
        assert!(reactions.len() * 6 <= expected.len(), "{name}");
        for (reaction, wrench) in reactions.iter().zip(expected.chunks(6)) {
            let (force, moment) = (vector(&reaction["force"]).unwrap(), vector(&reaction["moment"]).unwrap());
            assert!((norm(&force) - norm(&wrench[..3])).abs() < 1e-12 * size, "{name} {}", reaction["joint"]);
            assert!((norm(&moment) - norm(&wrench[3..])).abs() < 1e-12 * size, "{name} {}", reaction["joint"]);
        }
    }
}
