//! `appell compute --device` and `appell generate --run` from outside, on the processor.

use super::{Folder, appell, contains, json, numbers};

/// A table of states of the PUMA.
fn table(rows: usize) -> String {
    let header: Vec<String> = ["q", "v", "a"].iter().flat_map(|s| (1..=6).map(move |j| format!("{s}{j}"))).collect();
    let row = |i: usize| {
        (0..18).map(|k| format!("{}", ((7 * i + 3 * k) % 23) as f64 * 0.1 - 1.0)).collect::<Vec<_>>().join(",")
    };
    header.join(",") + "\n" + &(0..rows).map(row).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn a_device_answers_as_the_library() {
    let folder = Folder::new();
    let states = folder.write("states.csv", table(50));
    let library = numbers(&appell(&format!("compute inverse-dynamics puma560 --states {states}")).fine());
    let device = appell(&format!("compute inverse-dynamics puma560 --states {states} --device cpu")).fine();
    for (ours, theirs) in numbers(&device).iter().flatten().zip(library.iter().flatten()) {
        assert!((ours - theirs).abs() <= 1e-11 * theirs.abs().max(10.0), "{ours} against {theirs}");
    }
    let out = folder.shown("torques.csv");
    appell(&format!("compute inverse-dynamics puma560 --states {states} --device cpu --out {out}"))
        .ended(0, &["50 rows", "generated code on cpu"]);
}

#[test]
fn the_line_without_an_answer_is_named() {
    let folder = Folder::new();
    let poses = "px,py,pz,vx,vy,ax,ay\n0,0.2,0,0,0,0,0\n0,9,0,0,0,0,0\n";
    let states = folder.write("poses.csv", poses);
    appell(&format!("compute inverse-dynamics five-bar --states {states} --device cpu")).ended(2, &["line 3"]);
}

#[test]
fn what_a_device_is_not_asked_is_refused() {
    let folder = Folder::new();
    let states = folder.write("states.csv", table(2));
    let compute = format!("compute inverse-dynamics puma560 --states {states}");
    appell(&format!("{compute} --device cuda:99")).ended(2, &["cpu"]);
    appell(&format!("{compute} --device gpu")).ended(2, &["no device is called `gpu`"]);
    appell(&format!("{compute} --device cpu --method newton-euler")).ended(2, &["--device", "default method"]);
}

#[test]
fn generated_code_runs_where_it_is_sent() {
    let said = appell("generate two-link --question inverse-dynamics --run cpu").fine();
    contains(&said, &["on cpu", "double precision", "single precision", "states a second, off by"]);
    let answer = json(&appell("generate two-link --question inverse-dynamics --run cpu --json").fine());
    let found = answer["run"]["found"].as_array().unwrap();
    assert!(found.len() == 2 && found[0]["off"].as_f64().unwrap() < 1e-12);
    assert_eq!(answer["files"].as_array().unwrap().len(), 0);
}
