//! What all commands have in common: robots and their files, agreement of methods, help.

use super::{Folder, appell, compute, contains, json, repository};
use std::fs;

/// A pendulum that carries a massless hand: its inertia matrix is singular.
const SINGULAR: &str = r#"
name = "massless hand"
frames = "modified-dh"
joints = [["arm", "revolute", 0.0, 0.0, "q", 0.0], ["hand", "revolute", 0.0, 1.0, "q", 0.0]]
body.arm = { mass = 1.0, com = [0.5, 0.0, 0.0], inertia = { xx = 0.0, yy = 0.2, zz = 0.2 } }
body.hand = { mass = 0.0 }
"#;

/// The same with an inertia that no body has.
fn doubtful() -> String {
    SINGULAR.replace("zz = 0.2", "zz = 0.9")
}

#[test]
fn robots_are_listed() {
    contains(&appell("robots").fine(), &["puma560 ", "stanford"]);
    let robots = json(&appell("robots --json").fine());
    assert_eq!(robots[0]["name"], "puma560");
    assert_eq!((&robots[0]["joints"], &robots[0]["kind"]), (&6.into(), &"serial".into()));
    appell("show pumma").refused_with(&["`pumma`", "puma560, puma560-b, two-link", "path of a robot's file"]);
}

#[test]
fn a_robot_is_shown() {
    let text = appell("show stanford").fine();
    contains(&text, &["Stanford arm", "standard Denavit-Hartenberg: Rz(θ) Tz(d) Tx(a) Rx(α)", "prismatic", "9.81"]);
    contains(&text, &["kg m²", "hand-roll", "gibbs-appell-vectorial"]);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let robot = json(&appell("--json show stanford").fine());
    assert_eq!(robot["joints"][2]["type"], "prismatic");
    assert_eq!(robot["joints"][2]["body"]["com"][2], -0.45);
    assert_eq!(robot["questions"][0]["answers"][5], "tau6");
}

#[test]
fn files_are_checked() {
    let folder = Folder::new();
    let check = |text: &str, options: &str| appell(&format!("check {} {options}", folder.write("robot.toml", text)));
    assert!(appell("check seven-axis --strict").fine().contains("can be computed, 0 errors, 0 warnings"));

    let run = check(&SINGULAR.replace("mass = 1.0", "mass = -1.0").replace("frames", "frame"), "");
    assert_eq!(run.code, 1);
    contains(&run.stdout, &["line 3: error: frame", "line 5: error: body.arm.mass: is -1 kg"]);
    let large = check(&SINGULAR.replace("mass = 1.0", "mass = -1e300"), "").stdout;
    assert!(large.contains("is -1e300 kg") && !large.contains("0000000"), "{large}");

    assert!(check(&doubtful(), "").fine().contains("warning: body.arm.inertia"));
    assert_eq!(check(&doubtful(), "--strict").code, 1);
    let problems = json(&check(&doubtful(), "--json").fine());
    assert_eq!((&problems[0]["line"], &problems[0]["severity"]), (&5.into(), &"warning".into()));
    assert_eq!(problems[0]["place"], "body.arm.inertia");

    assert_eq!(check("name = ", "").code, 1);
    let path = folder.write("robot.toml", b"name = \"\xff\"");
    appell(&format!("check {path}")).refused_with(&["robot.toml", "UTF-8"]);
    appell("check nowhere.toml").refused_with(&["nowhere.toml: file not found"]);
}

#[test]
fn missing_files_are_not_found() {
    for command in [
        "show no/robot.urdf",
        "convert no.urdf -",
        "compute gravity two-link --states no.csv",
        "ik two-link --poses no.csv",
        "simulate no.toml",
    ] {
        let file = command.split_whitespace().find(|word| word.starts_with("no")).unwrap();
        appell(command).refused_with(&[&format!("{file}: file not found")]);
    }
    // What has no ending may be meant for a built-in robot.
    appell("show no/pumma")
        .refused_with(&["there is no robot `no/pumma`: file not found", "built-in robots are puma560"]);
}

#[test]
fn files_of_other_formats_are_refused_with_what_to_do() {
    let folder = Folder::new();
    for (name, text, parts) in [
        ("a.xacro", "<robot xmlns:xacro='http://ros.org/wiki/xacro'/>", ["is xacro", "xacro FILE > robot.urdf"]),
        ("b.xml", "<page/>", ["<page>", "those are <robot>, <mujoco> and <sdf>"]),
    ] {
        appell(&format!("check {}", folder.write(name, text))).refused_with(&parts);
    }
    let urdf = fs::read(repository("tests/golden/urdf/panda.urdf")).unwrap();
    let xml = folder.write("panda.xml", urdf);
    assert!(appell(&format!("check {xml}")).fine().contains("can be computed"));
}

#[test]
fn a_time_must_be_positive() {
    for options in ["--time -1", "--time 0", "--time 1 --dt -1e-3"] {
        appell(&format!("trajectory joints two-link --to 1,1 {options}")).ended(2, &["a time must be positive"]);
    }
}

#[test]
fn a_robot_with_warnings_is_taken_and_each_is_reported_once() {
    let folder = Folder::new();
    let heavy = "mass = 1.0, com = [0.0, 0.0, 0.0], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }";
    let robot = folder.write("robot.toml", doubtful().replace("mass = 0.0", heavy));
    for command in [format!("show {robot}"), format!("agreement {robot} --states 5"), format!("convert {robot} -")] {
        let run = appell(&command);
        assert_eq!(run.stderr.matches("warning: body.arm.inertia").count(), 1, "{command}: {}", run.stderr);
    }
    let states = "q1,q2\n0.1,0.2\n";
    let run = compute(&format!("gravity {robot}"), states);
    run.ended(0, &["robot.toml: line 5: warning: body.arm.inertia"]);
    folder.write("robot.toml", "name = 3");
    compute(&format!("gravity {robot}"), states).refused_with(&["robot.toml", "line 1: error: name"]);
}

#[test]
fn doubtful_numbers_are_named_by_check_and_by_no_other() {
    contains(&appell("check puma560").fine(), &["line 40: warning: body.wrist-roll.inertia: the radius of gyration"]);
    let problems = json(&appell("check puma560 --json").fine());
    assert_eq!(problems[0]["place"], "body.waist.inertia");
    assert_eq!(appell("check puma560 --strict").code, 1);
    appell("show puma560").fine();
}

#[test]
fn singular_inertia_is_named() {
    let folder = Folder::new();
    let path = folder.write("singular.toml", SINGULAR);
    let table = "q1,q2,v1,v2,tau1,tau2\n0,0,0,0,1,0\n";
    compute(&format!("forward-dynamics {path}"), table).refused_with(&["line 2", "singular at joint `hand`"]);
    let run = appell(&format!("agreement {path} --states 10"));
    assert_eq!(run.code, 1);
    contains(&run.stdout, &["At state 1: the inertia matrix is singular at joint `hand`"]);
    let report = json(&appell(&format!("agreement {path} --states 10 --json")).stdout);
    assert_eq!(report["agree"], false);
}

#[test]
fn methods_agree() {
    let text = appell("agreement puma560 --states 50 --seed 3").fine();
    contains(&text, &["All methods agree within 1e-10."]);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let report = json(&appell("agreement puma560 --states 50 --seed 3 --json").fine());
    assert_eq!(report["agree"], true);
    assert_eq!(report["differences"][0]["method"], "gibbs-appell-vectorial");
    let strict = appell("agreement puma560 --states 50 --tolerance 0");
    assert_eq!(strict.code, 1);
    contains(&strict.stdout, &["do not all agree within 0e0"]);
}

#[test]
fn forces_that_vanish_do_not_disagree() {
    let spindle = r#"
        name = "spindle, which has no Coriolis forces but for rounding"
        frames = "modified-dh"
        gravity = [1.1, 2.3, -9.0]
        joints = [["turn", "revolute", "35 deg", 0.3, "q", 0.1], ["lift", "prismatic", 0.0, 0.0, "23 deg", "q"]]
        body.turn = { mass = 1.0, com = [0.5, 0.2, 0.3], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 } }
        body.lift = { mass = 1.3, com = [0.0, 0.0, 0.3], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 } }
    "#;
    let folder = Folder::new();
    appell(&format!("agreement {}", folder.write("spindle.toml", spindle))).fine();
}

/// Of every command and subcommand: an example, the common option, and lines that a terminal has room for.
#[test]
fn help_has_examples_and_units() {
    for command in [
        "robots",
        "show",
        "check",
        "convert",
        "compute",
        "ik",
        "assemble",
        "singularities",
        "singularities path",
        "singularities map",
        "singularities crossing",
        "singularities passage",
        "trajectory",
        "trajectory line",
        "trajectory arc",
        "trajectory via",
        "trajectory joints",
        "trajectory fourier",
        "simulate",
        #[cfg(unix)]
        "operate",
        "excite",
        "identify",
        "generate",
        "agreement",
        "reproduce",
    ] {
        let help = appell(&format!("{command} --help")).fine();
        let name = command.split(' ').next().unwrap();
        contains(&help, &[&format!("Example: appell {name}"), "--json"]);
        let long = help.lines().find(|line| line.chars().count() > 120);
        assert_eq!(long, None, "{command}");
    }
    contains(&appell("compute --help").fine(), &["jacobian-rate (q, v)", "articulated-body", "rad/s²", "N m"]);
}

/// What cannot be written names where to.
#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_named() {
    for command in ["trajectory joints scara --to 1,1,0.1,1 --time 1 --dt 0.1", "compute gravity scara --states -"] {
        let run = super::appell_fed(&format!("{command} --out /dev/full"), "q1,q2,q3,q4\n0,0,0,0\n");
        assert_eq!(run.code, 2, "{}", run.stderr);
        contains(&run.stderr, &["cannot write /dev/full", "No space left"]);
    }
}
