//! Outputs anywhere: every command takes `--frame` of a robot with closed loops, and robots without legs all that
//! platforms have.

use super::{Folder, appell, compute, contains, json, numbers};

#[test]
fn a_linkage_has_a_platform_where_its_output_is_named() {
    appell("assemble four-bar --pose 0.1,0,0").refused_with(&["has none", "--frame"]);
    // The rocker ends the tree: it is the platform itself. The crank is not.
    let text = appell("show four-bar --frame rocker").fine();
    contains(&text, &["rocker  revolute", "independent velocities: v.crank"]);
    contains(&appell("show four-bar --frame crank").fine(), &["output  rigid", "independent velocities: v.crank"]);
    appell("show four-bar --frame hand").refused_with(&["no frame `hand`", "frames are crank, coupler, rocker"]);
    appell("show puma560 --frame wrist").refused_with(&["no closed loops", "leave it out"]);
    let jacobian = compute("jacobian four-bar --frame rocker", "q1\n1.0471975511965976\n").fine();
    contains(&jacobian, &["J11"]);
}

#[test]
fn poses_of_robots_without_legs_are_reached() {
    let home = json(&appell("show palletizer --json").fine());
    assert_eq!(home["kind"], "closed");
    let at = json(&appell("assemble palletizer --pose 1.9,0.1,1.4 --json").fine());
    assert!((at["platform"]["position"][1].as_f64().unwrap() - 0.1).abs() < 1e-9, "{at}");
    let all = appell("assemble palletizer --pose 1.9,0.1,1.4 --all --starts 30").fine();
    contains(&all, &["at this pose", "found by 30 random starts, others may exist", "forearm"]);
    let away = appell("assemble palletizer --pose 9,0,1");
    assert_eq!(away.code, 1);
    contains(&away.stderr, &["does not reach this pose", "move the pose nearer"]);
}

#[test]
fn lines_maps_and_singularities_of_an_output() {
    let folder = Folder::new();
    let out = folder.shown("line.csv");
    appell(&format!("trajectory line palletizer --to 1.8,0.2,1.3 --time 1 --dt 0.05 --torques --out {out}"))
        .ended(0, &["21 rows"]);
    let table = folder.text("line.csv");
    assert!(table.lines().count() >= 20 && !table.contains("NaN"), "{table}");
    appell(&format!("trajectory line tricept --to 0.2,0.1,1.5 --time 1 --dt 0.05 --out {out}")).ended(0, &["21 rows"]);
    appell(&format!("trajectory line orthoglide --to 0.05,0.02,0.03 --time 1 --dt 0.05 --out {out}"))
        .ended(0, &["21 rows"]);
    // A platform of its own: what a line says nothing of follows.
    appell(&format!("trajectory line exechon --to 0.12,0.08,0.95 --time 1 --dt 0.05 --out {out}"))
        .ended(0, &["21 rows"]);
    let map = appell("singularities map palletizer --over x,z --cells 6 --json").fine();
    assert!(map.contains("type1") && map.contains("type2"), "{map}");
    contains(&appell("singularities tricept").fine(), &["Type 1", "Type 2", "constraints"]);
    contains(&appell("agreement par4 --states 2").fine(), &["inverse-dynamics"]);
}

#[test]
fn code_of_robots_without_legs_takes_an_assembled_configuration() {
    let code = appell("generate four-bar --question inverse-dynamics --frame coupler --lang c --out -").fine();
    contains(&code, &["positions of all joints of the assembled robot", "q and pose must close all loops"]);
}

#[test]
fn a_scenario_may_name_an_output() {
    let folder = Folder::new();
    folder.write("swing.toml", "robot = 'four-bar'\noutput = 'coupler'\nduration = 0.2\n[controller]\nlaw = 'none'\n");
    appell(&format!("simulate {} --out {}", folder.shown("swing.toml"), folder.shown("swing"))).ended(0, &["21 rows"]);
    contains(&folder.text("swing/record.csv"), &["px", "qw"]);
}

/// A path along which the mechanism cannot move is refused with what it can do.
#[test]
fn a_line_that_one_degree_of_freedom_cannot_follow_is_refused() {
    let run = appell("trajectory line four-bar --frame coupler --to 0.06,0.08,0 --time 1 --dt 1 --law constant");
    assert_ne!(run.code, 0);
    contains(&run.stderr, &["the robot has 1 degree of freedom", "`vx` would be 0.00737", "trajectory joints"]);
}

/// An output with fewer degrees of freedom than the robot has no map, and does not make every row singular.
#[test]
fn outputs_of_lower_rank_are_named_as_such() {
    let map = appell("singularities map gough-stewart --frame leg1.end --cells 4");
    map.refused_with(&["does not say how the robot moves", "v.leg3.slide", "map the platform"]);
    let drives =
        "q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6,a1,a2,a3,a4,a5,a6\n0.8,0.81,0.79,0.8,0.82,0.8,0,0,0,0,0,0,0,0,0,0,0,0\n";
    let own = numbers(&compute("inverse-dynamics gough-stewart", drives).fine());
    let of_leg = numbers(&compute("inverse-dynamics gough-stewart --frame leg1.end", drives).fine());
    for (one, other) in own[0].iter().zip(&of_leg[0]) {
        assert!((one - other).abs() < 1e-9 * one.abs(), "{own:?} {of_leg:?}");
    }
}

/// Attitudes that a robot cannot take are refused, of platforms and of outputs; one that is not given follows, and is written as
/// the robot takes it.
#[test]
fn attitudes_that_cannot_be_are_not_written() {
    for (pose, freedoms) in [
        ("orthoglide --to 0.1,0.1,0.1,0.3,0,0", "3 degrees of freedom"),
        ("delta --to 0,0,-0.75,0,0.3,0", "3 degrees of freedom"),
        ("delta-parallelograms --to 0.05,0,-0.75,0,0.3,0", "3 degrees of freedom"),
        ("palletizer --to 1.8,0.1,1.4,0.3,0,0", "4 degrees of freedom"),
        ("par4 --to 0.1,0.1,-0.8,0.3,0,0", "4 degrees of freedom"),
    ] {
        appell(&format!("trajectory line {pose} --time 1")).ended(1, &["cannot move as the path does", freedoms]);
    }
    appell("assemble orthoglide --pose 0.02,0.01,0,0.3,0,0").ended(1, &["does not reach this pose"]);
    compute("actuated orthoglide", "px,py,pz,qx,qy,qz,qw\n0.02,0.01,0,0.14944,0,0,0.98877\n")
        .ended(2, &["does not reach"]);
    let folder = Folder::new();
    let (out, robot) = (folder.shown("line.csv"), "five-bar --frame left.end");
    appell(&format!("trajectory line {robot} --to 0.05,0.38,0 --time 1 --dt 0.25 --out {out}")).ended(0, &["5 rows"]);
    let line = folder.text("line.csv");
    let drives = |line: &str| line.split(',').skip(20).take(2).collect::<Vec<_>>().join(",") + "\n";
    let drives: String = line.lines().map(drives).collect();
    let found = numbers(&compute(&format!("platform {robot}"), &drives).done());
    for (row, found) in numbers(&line).iter().zip(&found) {
        let off = row[1..8].iter().zip(found).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{row:?}\n{found:?}");
    }
    let turn = numbers(&line)[4][6];
    assert!((turn - numbers(&line)[0][6]).abs() > 1e-3, "the forearm turns, as it must: {line}");
}
