//! Robots that close loops: what is shown of them, how they are checked and drawn, and who refuses them.

use super::{Folder, Run, appell, contains, json, repository};

/// The built-in ones, with their freedoms.
const CLOSED: [(&str, u64); 16] = [
    ("gough-stewart", 6),
    ("five-bar", 2),
    ("planar-3rrr", 3),
    ("delta", 3),
    ("3-rps", 3),
    ("agile-wrist", 3),
    ("sst", 3),
    ("four-bar", 1),
    ("hexapod-6rus", 6),
    ("hexaglide", 6),
    ("exechon", 3),
    ("tricept", 6),
    ("palletizer", 4),
    ("delta-parallelograms", 3),
    ("orthoglide", 3),
    ("par4", 4),
];

/// The path of a robot that something is wrong with, or that has a gear or a screw.
fn file(name: &str) -> String {
    repository(&format!("tests/data/closed/{name}.toml"))
}

fn check(name: &str, options: &str) -> Run {
    appell(&format!("check {} {options}", file(name)))
}

/// Three angles that are singular are not a singular robot.
#[test]
fn angles_that_are_singular_at_home_are_named() {
    let checked = check("right-angle", "");
    let text = format!("{}{}", checked.stdout, checked.stderr);
    assert!(text.contains("three angles of `leg1.ball` are singular") && !text.contains("Type 2"), "{text}");
}

#[test]
fn they_are_listed_with_kind_and_freedoms() {
    let robots = json(&appell("robots --json").fine());
    for (name, freedoms) in CLOSED {
        let robot = robots.as_array().unwrap().iter().find(|robot| robot["name"] == name).unwrap();
        assert_eq!(robot["freedoms"], freedoms, "{name}");
        let kind = match name {
            "four-bar" | "tricept" | "palletizer" | "delta-parallelograms" | "orthoglide" | "par4" => "closed",
            "agile-wrist" | "sst" => "spherical",
            _ => "parallel",
        };
        assert_eq!(robot["kind"], kind, "{name}");
    }
    contains(
        &appell("robots").fine(),
        &["kind", "freedoms", "serial", "gough-stewart         parallel       18         6"],
    );
    appell("show delt").refused_with(&["`delt`", "delta, 3-rps"]);
}

#[test]
fn legs_platform_and_mobility_are_shown() {
    let text = appell("show hexapod-6rus").fine();
    contains(
        &text,
        &[
            "parallel robot, 6-R\u{332}US: 6 legs and a platform\n",
            "18 joints, 6 driven; 6 closing joints\n",
            "mobility: 6 degrees of freedom = 24 velocities − 18 independent constraints of 18\n",
            "independent velocities: vx vy vz wx wy wz of the platform\n",
            "drives: 6 hold all 6 degrees of freedom\n",
            "characteristic length",
            "a\u{332}r\u{332}m\u{332} cross rod  leg1.end",
            "leg1.end  spherical            3  leg1.rod",
            "  together   108  (0, 0, 0.291667)",
            "At home, as assembled",
            "platform at (0, 0, 0.58), roll pitch yaw (0, 0, 0), quaternion (0, 0, 0, 1)",
            "leg1.cross     1.71948  +",
        ],
    );
    let width = |line: &str| line.chars().filter(|&letter| letter != '\u{332}').count();
    assert!(text.lines().all(|line| width(line) <= 110), "{text}");
    let text = appell("show four-bar").fine();
    contains(&text, &["closed mechanism of 1 loop", "velocities: v.crank\n", "pin repeats 3 of its 5 constraints"]);
    contains(&appell("show five-bar").fine(), &["2-R\u{332}RS: 2 legs and a platform that never turns"]);
    contains(&appell(&format!("show {}", file("underactuated"))).fine(), &["drives: none"]);
}

#[test]
fn machines_get_the_same() {
    let robot = json(&appell("show agile-wrist --json").fine());
    assert_eq!((&robot["kind"], &robot["notation"]), (&"parallel".into(), &"3-RRR".into()));
    let mobility = &robot["mobility"];
    assert_eq!(
        (&mobility["freedoms"], &mobility["rank"], &mobility["constraints"]),
        (&3.into(), &9.into(), &15.into())
    );
    assert_eq!(mobility["independent"], serde_json::json!(["wx", "wy", "wz"]));
    assert_eq!(mobility["redundant"][0]["name"], "leg2.end");
    assert_eq!(robot["legs"][0]["driven"][0], "leg1.theta");
    assert_eq!(robot["closures"][2]["second"]["on"], "platform");
    assert_eq!(robot["joints"][1]["mode"], "-");
    assert_eq!(robot["platform"]["together"]["mass"], 1.351);
    let four_bar = json(&appell("show four-bar --json").fine());
    assert!(four_bar["platform"].is_null() && four_bar["at"]["platform"].is_null());
}

#[test]
fn a_pose_or_drives_can_be_chosen() {
    let at = |command: &str| json(&appell(&format!("show {command} --json")).fine())["at"].clone();
    let lifted = at("gough-stewart --pose 0,0,0.8");
    assert!(lifted["q"][2].as_f64().unwrap() > 0.84);
    assert_eq!(at("gough-stewart --pose 0,0,0.8,0,0,0")["q"], lifted["q"]);
    assert_eq!(at("gough-stewart --pose 0,0,0.8,0,0,0,1")["q"], lifted["q"]);
    let turned = at("four-bar --at 1.5");
    assert_eq!((&turned["q"][0], &turned["place"]), (&1.5.into(), &"these drives".into()));
    // The drives of one pose lead back to it.
    let drives: Vec<String> = (0..6).map(|leg| lifted["q"][3 * leg + 2].to_string()).collect();
    let again = at(&format!("gough-stewart --at {}", drives.join(",")));
    assert!((again["platform"]["position"][2].as_f64().unwrap() - 0.8).abs() < 1e-9);
    contains(&appell("show four-bar --at 1.5").fine(), &["At these drives, as assembled"]);
}

#[test]
fn places_that_cannot_be_are_refused() {
    appell("show gough-stewart --pose 0,0,0.8,1").refused_with(&["4 numbers", "expected 3"]);
    appell("show gough-stewart --pose 0,0,0.8,1,1,0,0").refused_with(&["norm 1.414", "expected 1"]);
    appell("show delta --pose 0,0,-3")
        .refused_with(&["Delta robot cannot be assembled at this pose: leg `leg1`", "open by"]);
    appell("show delta --pose 0,0,-0.8,0.3,0,0").refused_with(&["leg `leg1` cannot reach the platform"]);
    appell("show delta --at 0,1").refused_with(&["2 numbers", "3 driven joints: leg1.arm, leg2.arm, leg3.arm"]);
    appell("show five-bar --at 0,0").refused_with(&["five-bar linkage cannot be assembled with these drives"]);
    appell("show four-bar --pose 0,0,0").refused_with(&["--pose is of a platform", "use --at"]);
    appell("show puma560 --pose 0,0,0").refused_with(&["--pose is of a platform", "use --at"]);
    assert_eq!(appell("show delta --pose 0,0,-0.8 --at 0,0,0").code, 2);
}

#[test]
fn every_one_is_drawn_on_the_sheet() {
    let folder = Folder::new();
    let drawn = |robot: &str| {
        appell(&format!("show {robot} --plot {}", folder.shown("robot.svg"))).fine();
        folder.text("robot.svg")
    };
    for (name, _) in CLOSED {
        let svg = drawn(name);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}:\n{svg}");
        for [x, y] in super::show::points(&svg) {
            assert!((0.0..=1000.0).contains(&x) && (0.0..=800.0).contains(&y), "{name}: ({x}, {y})");
        }
        contains(&svg, &["driven\"><title>", ", driven</text>", "at home</text>", "centre of mass"]);
        assert_eq!(svg.contains("<g class=\"platform\">"), name != "four-bar");
        assert_eq!(svg.contains("class=\"globe\""), ["agile-wrist", "sst"].contains(&name));
    }
    assert_ne!(drawn("gough-stewart"), drawn("gough-stewart --pose 0.1,0,0.8,0.1,0.2,0"));
    contains(&drawn("gough-stewart"), &[">leg6</text>", "6-UPS, at home"]);
}

#[test]
fn what_forbids_to_compute_is_named() {
    for (name, parts) in [
        ("out-of-reach", ["line 40: error: leg.right: cannot be assembled at home", "leg `right` cannot reach"]),
        ("immobile", ["error: mobility: cannot move: 11 constraints, 3 of them", "free a joint"]),
        ("locked-drive", ["line 19: error: joint.screw: joint `screw` is driven", "drive another joint"]),
    ] {
        let run = check(name, "");
        assert_eq!(run.code, 1, "{}", run.stderr);
        contains(&run.stdout, &parts);
        contains(&run.stdout, &["refused, 1 error"]);
        let message = parts[1];
        appell(&format!("show {}", file(name))).refused_with(&[message, &file(name)]);
        assert_eq!(json(&check(name, "--json").stdout)[0]["severity"], "error");
    }
}

#[test]
fn gears_and_screws_in_loops_are_shown_checked_and_assembled() {
    let text = appell(&format!("show {}", file("geared-five-bar"))).fine();
    contains(
        &text,
        &[
            "mobility: 1 degree of freedom = 4 velocities − 3 independent constraints of 6",
            "Joints that follow others, a constraint each; rad, m\n",
            "right  -1.5 q.left + 4\n",
            "4 joints, 1 driven; 1 closing joint",
        ],
    );
    let shown = json(&appell(&format!("show {} --json", file("screw-jack"))).fine());
    let nut = &shown["couplings"][0];
    assert_eq!((&nut["name"], &nut["leaders"][0]["joint"]), (&"spindle.slide".into(), &"spindle".into()));
    assert!((nut["leaders"][0]["multiplier"].as_f64().unwrap() - 0.02 / core::f64::consts::TAU).abs() < 1e-17);
    contains(&check("screw-jack", "--strict").fine(), &["1 degree of freedom, v.spindle", "can be computed, 0 errors"]);
    let at = json(&appell(&format!("assemble {} --at 40 --json", file("screw-jack"))).fine());
    assert!((at["joints"]["spindle.slide"].as_f64().unwrap() - 0.8 / core::f64::consts::TAU).abs() < 1e-12, "{at}");
    let run = appell(&format!("assemble {} --at -60", file("screw-jack")));
    assert_eq!(run.code, 1, "{}", run.stdout);
    // A gear too many.
    let folder = Folder::new();
    let four_bar = std::fs::read_to_string(repository("crates/appell/robots/four-bar.toml")).unwrap();
    folder.write(
        "locked.toml",
        four_bar.replace("rocker = { driven = false", "rocker = { mimic.joint = \"crank\", mimic.offset = 0.5879"),
    );
    let run = appell(&format!("check {}", folder.shown("locked.toml")));
    assert_eq!(run.code, 1);
    contains(&run.stdout, &["error: mobility: cannot move:", "a mobility of 1, but `rocker` follows `crank`;"]);
    appell(&format!("compute bias {} --coupled --states -", file("geared-five-bar")))
        .refused_with(&["leave out --coupled"]);
}

#[test]
fn what_is_doubtful_is_reported_by_check_alone() {
    let run = check("type-2-home", "");
    let text = run.fine();
    contains(&text, &["warning: drives: home is a singularity of Type 2: the drives hold 1 of 2 degrees of freedom"]);
    contains(&text, &["`left.shoulder` is at 1.5708 at home, beyond its limits 0 and 1.39626"]);
    assert_eq!(check("type-2-home", "--strict").code, 1);
    contains(
        &check("underactuated", "").fine(),
        &["warning: drives: 0 drives for 1 degree of freedom", "drive more joints"],
    );
    contains(
        &check("redundant-drives", "").fine(),
        &["note: drives: 2 drives for 1 degree of freedom: redundant actuation"],
    );
    appell(&format!("show {}", file("type-2-home"))).fine();
    let text = appell("check planar-3rrr").fine();
    contains(&text, &["warning: leg.leg2: the closing joint `leg2.end` repeats 3 of its 5 constraints"]);
    contains(&text, &["note: mobility: assembled at home; 3 degrees of freedom, vx vy wz: 12 velocities − 9"]);
    assert!(appell("check gough-stewart --strict").fine().contains("can be computed, 0 errors, 0 warnings"));
}

#[test]
fn who_cannot_take_them_says_so() {
    let folder = Folder::new();
    let none = "a URDF holds no closed loops, but this robot has some, by leg1.end, leg2.end, leg3.end";
    appell(&format!("convert delta {}", folder.shown("delta.urdf"))).ended(1, &["delta: refused", none]);
    assert!(!folder.has("delta.urdf"));
    assert_eq!(appell("convert delta - --to csv").code, 1);
    appell("ik delta --poses -").refused_with(&["Delta robot has closed loops", "`appell assemble ROBOT --pose"]);
    // Its own format holds all of it.
    let path = folder.shown("delta.toml");
    appell(&format!("convert delta {path}")).fine();
    let [one, other] =
        ["delta", &path].map(|robot| json(&appell(&format!("show {robot} --json")).fine())["mobility"].clone());
    assert_eq!(one, other);
}

#[test]
fn the_readme_describes_a_robot() {
    let readme = include_str!("../../../../README.md");
    let start = readme.find("name = \"My tripod\"").unwrap();
    let text = readme[start..].split("```").next().unwrap();
    let folder = Folder::new();
    let path = folder.write("tripod.toml", text);
    contains(&appell(&format!("check {path} --strict")).fine(), &["3 degrees of freedom, vz wx wy", "0 warnings"]);
    contains(&appell(&format!("show {path}")).fine(), &["3-RP\u{332}S", "together    10"]);
}
