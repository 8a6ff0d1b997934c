//! `appell assemble`: one configuration or all of them.

use super::{Folder, appell, contains, json, repository};
use std::fs;

#[test]
fn a_pose_gives_all_joints() {
    let text = appell("assemble gough-stewart --pose 0,0,0.8").fine();
    contains(&text, &["Gough-Stewart platform, at this pose; rad, m", "platform at (0, 0, 0.8)", "leg1.", "driven"]);
    let value = json(&appell("assemble delta --pose 0.1,0,-0.7 --json").fine());
    let shown = json(&appell("show delta --pose 0.1,0,-0.7 --json").fine());
    let joints = value["joints"].as_object().unwrap();
    assert_eq!(joints.len(), shown["at"]["q"].as_array().unwrap().len());
    assert_eq!(value["in_mode"], true);
    for robot in
        ["five-bar --at 2,1.2", "four-bar --at 1.5", "3-rps --pose 0,0,0.8", "agile-wrist --pose 0,0,0,0.1,0,0"]
    {
        appell(&format!("assemble {robot}")).fine();
    }
}

#[test]
fn every_leg_has_its_working_modes() {
    let text = appell("assemble five-bar --pose 0,0.4,0 --all").fine();
    contains(&text, &["left: 2 solutions, in closed form", "right: 2 solutions", "left.shoulder", "yes", "no"]);
    contains(&text, &["4 whole robots:", "det J_inv", "Type 1", "Type 2"]);
    let value = json(&appell("assemble delta --pose 0.1,0,-0.7 --all --json").fine());
    let mut product = 1;
    for leg in value["legs"].as_array().unwrap() {
        let solutions = leg["solutions"].as_array().unwrap();
        assert!(solutions.len() >= 2, "{leg}");
        assert!(solutions.iter().any(|solution| solution["in_mode"] == true), "{leg}");
        assert!(solutions.iter().all(|solution| solution["double"] == false), "{leg}");
        product *= solutions.len();
    }
    let robots = value["robots"].as_array().unwrap();
    assert_eq!(robots.len(), product);
    assert!(robots.iter().any(|robot| robot["in_mode"] == true));
}

#[test]
fn modes_that_are_one_are_named() {
    // The left arm, of 0.24 m and 0.3 m, is stretched from (-0.14, 0) at 60°.
    let text = appell("assemble five-bar --pose 0.13,0.467653718043597,0 --all").fine();
    contains(&text, &["left: 1 solution", "two modes are one: Type 1", "2 whole robots:"]);
}

#[test]
fn drives_have_several_configurations() {
    let value = json(&appell("assemble five-bar --at 2,1.2 --all --json").fine());
    let found = value["configurations"].as_array().unwrap();
    assert_eq!(found.len(), 2, "two circles meet twice");
    assert_eq!((&value["count"]["proved"], &value["count"]["complex"]), (&true.into(), &2.into()));
    assert_eq!(found[0]["in_mode"], true);
    assert_ne!(found[0]["sign"], found[1]["sign"], "Type 2 is between them");
    assert!(found[0]["type2"].as_f64().unwrap() > 0.1);
    let apart = |k: usize| found[k]["platform"]["position"][1].as_f64().unwrap();
    assert!(apart(0) > apart(1), "the one nearest to home comes first");
    let near = json(&appell("assemble five-bar --at 2,1.2 --all --near 0,-0.3,0 --json").fine());
    let distance = |k: usize| near["configurations"][k]["distance"].as_f64().unwrap();
    assert!(distance(0) > distance(1));
    let text = appell("assemble four-bar --at 1.5 --all --starts 50 --seed 3").fine();
    contains(&text, &["2 configurations", "a search from 50 random starts: others may exist", "det J_inv"]);
    let again = appell("assemble four-bar --at 1.5 --all --starts 50 --seed 3").fine();
    assert_eq!(text, again, "a seed gives the same");
}

#[test]
fn assemblies_are_counted() {
    let text = appell("assemble gough-stewart --at 0.8,0.81,0.79,0.8,0.82,0.8 --all").fine();
    contains(&text, &["six legs that keep distances: 40 complex solutions", "real: these are all", "from home"]);
    let value = json(&appell("assemble planar-3rrr --at 1.6,3.5,-0.4 --all --json").fine());
    assert_eq!((&value["count"]["proved"], &value["count"]["complex"]), (&true.into(), &6.into()));
    let real = value["configurations"].as_array().unwrap().len();
    assert!(real > 0 && real.is_multiple_of(2));
    let delta = json(&appell("assemble delta --at 0.45,0.45,0.45 --all --json").fine());
    assert_eq!(delta["count"]["proved"], false);
    contains(delta["count"]["sentence"].as_str().unwrap(), &["turned as at home; turned otherwise, others may exist"]);
}

#[test]
fn what_cannot_be_assembled_is_the_answer_no() {
    for (command, parts) in [
        ("delta --pose 0,0,-3", ["Delta robot cannot be assembled at this pose: leg `leg1`", "open by"]),
        ("delta --pose 0,0,-3 --all", ["leg `leg1` cannot reach", "open by"]),
        ("five-bar --at 3.1,0", ["cannot be assembled with these drives", "open by"]),
        ("five-bar --at 3.1,0 --all", ["has no assembly with these drives", "2 complex solutions; 0 real"]),
    ] {
        let run = appell(&format!("assemble {command}"));
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{command}: {}", run.stderr);
        contains(&run.stderr, &parts);
    }
}

#[test]
fn wrong_use_is_refused() {
    appell("assemble delta").refused_with(&["--pose"]);
    appell("assemble delta --pose 0,0,-0.8 --at 0,0,0").refused_with(&["cannot be used with"]);
    appell("assemble delta --pose 0,0,-0.8,1").refused_with(&["4 numbers"]);
    appell("assemble delta --pose 0,0,-0.8,1,1,0,0").refused_with(&["norm 1.414"]);
    appell("assemble delta --at 0,0").refused_with(&["2 numbers", "3 driven joints: leg1"]);
    appell("assemble four-bar --pose 0,0,0").refused_with(&["has none; use --at"]);
    appell("assemble puma560 --at 0").refused_with(&["has no closed loops", "appell show"]);
    appell("assemble delta --pose 0,0,-0.8 --starts 3").refused_with(&["--all"]);
}

/// Where all solutions are known and none is real, that is the answer, not a search that failed.
#[test]
fn none_is_an_answer() {
    let run = appell("assemble planar-3rrr --at 0.27413101,3.82032168,0.30139369 --all");
    assert_eq!(run.code, 1, "{}", run.stderr);
    contains(&run.stderr, &["has no assembly with these drives: ", "6 complex solutions", "0 real"]);
    assert!(!run.stderr.contains("try others"), "{}", run.stderr);
}

/// Where there is no assembly, JSON says so too.
#[test]
fn none_is_an_answer_for_machines() {
    let none = appell("assemble gough-stewart --at 0.8,0.8,0.8,0.8,0.8,4 --all --json");
    none.ended(1, &["no assembly with these drives"]);
    let value = json(&none.stdout);
    assert_eq!((&value["count"]["proved"], value["configurations"].as_array().map(Vec::len)), (&true.into(), Some(0)));
    for place in ["delta --pose 9,0,0", "palletizer --pose 9,0,1", "four-bar --at=1e300"] {
        let none = appell(&format!("assemble {place} --all --json --starts 5"));
        assert_ne!(none.code, 0);
        if none.code == 1 {
            let value = json(&none.stdout);
            assert!(value["error"].is_string() && value["configurations"] == serde_json::json!([]), "{value}");
        }
    }
}

/// With its elbows crossed a five-bar linkage is assembled only beyond its modes: the message speaks of drives, too.
#[test]
fn other_modes_are_named_for_drives_too() {
    let folder = Folder::new();
    let linkage = fs::read_to_string(repository("crates/appell/robots/five-bar.toml")).unwrap();
    let path = folder.write("same.toml", linkage.replace("0.28,", "0.3,").replace("0.23,", "0.24,"));
    let run = appell(&format!("assemble {path} --at 1.0,2.1"));
    run.ended(1, &["with these drives", "only with joint `left.elbow`", "other positions of the drives"]);
}

/// An arm of two equal links that is folded onto its shoulder turns as it likes; a stretched one does not.
#[test]
fn a_folded_leg_is_one_of_a_continuum() {
    let folder = Folder::new();
    let linkage = fs::read_to_string(repository("crates/appell/robots/five-bar.toml")).unwrap();
    let equal = ["0.24,", "0.23,", "0.3,", "0.28,"].iter().fold(linkage, |text, length| text.replace(length, "0.25,"));
    let path = folder.write("equal.toml", &equal);
    let folded = json(&appell(&format!("assemble {path} --pose=-0.14,0,0 --all --json")).fine());
    let of_leg = |value: &serde_json::Value, leg: usize| {
        let one = &value["legs"][leg]["solutions"][0];
        [one["continuum"].as_bool().unwrap(), one["double"].as_bool().unwrap()]
    };
    assert_eq!([of_leg(&folded, 0), of_leg(&folded, 1)], [[true, false], [false, false]], "{folded}");
    contains(&appell(&format!("assemble {path} --pose=-0.14,0,0 --all")).fine(), &["one of a continuum"]);
    let stretched = json(&appell(&format!("assemble {path} --pose 0,0.48,0 --all --json")).fine());
    assert_eq!(of_leg(&stretched, 0), [false, true], "{stretched}");
}
