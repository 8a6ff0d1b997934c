//! `appell singularities`: at a place, along paths, over maps, and across.

use super::{Folder, Run, appell, appell_fed, compute, contains, json, numbers};

/// Runs a command of singularities with a table on stdin.
fn singularities(command: &str, table: &str) -> Run {
    appell_fed(&format!("singularities {command}"), table)
}

/// A straight way of the five-bar's tool from home downwards, across Type 2 at y = 0.18.
pub(crate) fn way_down(rows: u32, to: f64) -> String {
    let row = |k: u32| format!("{},0,{},0\n", f64::from(k), 0.4 + (to - 0.4) * f64::from(k) / f64::from(rows));
    String::from("t,px,py,pz\n") + &(0..=rows).map(row).collect::<String>()
}

/// The gough-stewart platform a quarter turn from home, which its drives do not hold.
const QUARTER_TURN: &str = "0,0,0.75,0,0,1.5707963267948966";

#[test]
fn home_is_measured() {
    let text = appell("singularities gough-stewart").fine();
    contains(
        &text,
        &["at home: inverse condition numbers", "Type 1", "Type 2", "0.318739", "6 degrees of freedom, as at home"],
    );
    contains(&text, &["determinant -0.11", "leg6", "control least", "A turn by 1 rad weighs as much as 0.351283 m."]);
    for robot in ["five-bar", "planar-3rrr", "delta", "3-rps", "agile-wrist", "sst", "four-bar", "hexapod-6rus"] {
        let value = json(&appell(&format!("singularities {robot} --json")).fine());
        assert!(value["type2"].as_f64().unwrap() > 0.01, "{robot}: {value}");
        assert_eq!(value["singular"], serde_json::json!([]), "{robot}");
    }
    assert_eq!(json(&appell("singularities five-bar --json").fine())["legs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_singular_place_is_the_answer_no() {
    let run = appell(&format!("singularities gough-stewart --pose {QUARTER_TURN}"));
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    contains(&run.stdout, &["This is a singularity of Type 2: below 1e-3.", "turn about z through (0, 0, 0.75) m"]);
    let value = json(&appell(&format!("singularities gough-stewart --pose {QUARTER_TURN} --json")).stdout);
    assert_eq!(value["singular"], serde_json::json!(["Type 2"]));
    contains(value["least_controlled"]["words"].as_str().unwrap(), &["slide along −z"]);
    appell("singularities four-bar --at 1.5").fine();
    assert_eq!(appell("singularities delta --threshold 0.9").code, 1);
}

#[test]
fn the_characteristic_length_can_be_chosen() {
    let of = |options: &str| json(&appell(&format!("singularities gough-stewart --json {options}")).fine());
    let (own, raw) = (of(""), of("--length 1"));
    assert_ne!(own["type2"], raw["type2"]);
    let difference = raw["inverse_condition"].as_f64().unwrap() - own["raw_inverse_condition"].as_f64().unwrap();
    assert!(difference.abs() < 1e-12, "with 1 m all is in m and rad");
    appell("singularities gough-stewart --length 0").refused_with(&["--length", "expected a length"]);
}

#[test]
fn a_path_is_measured_row_by_row() {
    let run = singularities("path five-bar --poses -", &way_down(10, 0.3));
    run.ended(0, &["closest to a singularity of Type 1: 0.245323 at line 2, t = 0 s, leg right"]);
    contains(&run.stderr, &["keeps away from singularities"]);
    let header = run.stdout.lines().next().unwrap();
    assert_eq!(
        header,
        "t,left.type1,right.type1,type1,type2,constraints,freedoms,inverse_condition,raw_inverse_condition,determinant"
    );
    let rows = numbers(&run.stdout);
    assert_eq!(rows.len(), 11);
    assert!(rows.iter().all(|row| row[3] == row[1].min(row[2]) && row[6] == 2.0));
    // What compute says of the same rows.
    let answers = numbers(&compute("singularity five-bar", &way_down(10, 0.3)).fine());
    for (row, answer) in rows.iter().zip(answers) {
        assert_eq!(row[3..6], answer[1..4]);
    }
    let lines = singularities("path five-bar --poses - --json", &way_down(2, 0.3)).stdout;
    assert_eq!(json(lines.lines().nth(1).unwrap())["t"], 1.0);
}

#[test]
fn a_path_may_be_of_drives() {
    let four_bar = singularities("path four-bar --poses -", "q1\n1\n1.1\n1.2\n").done();
    assert_eq!(numbers(&four_bar).len(), 3);
    let q = &json(&appell("show delta --json").fine())["at"]["q"];
    singularities("path delta --poses -", &format!("q1,q2,q3\n{},{},{}\n", q[0], q[3], q[6])).done();
}

#[test]
fn a_crossing_between_two_rows_is_seen() {
    let folder = Folder::new();
    let [out, plot] = ["out.csv", "path.svg"].map(|name| folder.shown(name));
    let command = format!("path five-bar --poses - --out {out} --plot {plot}");
    let run = singularities(&command, &way_down(7, 0.1));
    run.ended(1, &["8 rows, singularities of five-bar linkage"]);
    contains(&run.stdout, &["between lines 7 and 8, near t = 5.1", "Type 2 is crossed", "no row is below 1e-3"]);
    contains(&run.stdout, &["the drives do not control there: slide along"]);
    assert_eq!(numbers(&folder.text("out.csv")).len(), 8);
    let svg = folder.text("path.svg");
    contains(&svg, &["inverse condition", "t (s)", "threshold", "polyline class=\"curve c4\""]);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let run = singularities(&format!("{command} --json"), &way_down(7, 0.1));
    let summary = json(&run.stdout);
    assert_eq!((&summary["keeps_away"], &summary["crossings"][0]["kind"]), (&false.into(), &"Type 2".into()));
}

#[test]
fn a_path_through_a_stretched_leg_names_it() {
    // The delta's first leg is stretched at the edge of its workspace.
    let table = "px,py,pz,qx,qy,qz,qw\n0,0,-0.8,0,0,0,1\n0.6,0,-0.8,0,0,0,1\n";
    singularities("path delta --poses - --threshold 0.1", table)
        .ended(1, &["closest to a singularity of Type 1: ", "line 3, leg leg", "below 1e-1"]);
}

#[test]
fn unreachable_rows_are_refused_and_leave_no_file() {
    let folder = Folder::new();
    let command = format!("path delta --poses - --out {}", folder.write("out.csv", "old"));
    let run = singularities(&command, "px,py,pz,qx,qy,qz,qw\n0,0,-0.8,0,0,0,1\n0,0,-3,0,0,0,1\n");
    run.refused_with(&["stdin: line 3", "leg `leg1` cannot reach", "open by"]);
    assert_eq!(folder.text("out.csv"), "old");
    assert_eq!(folder.names(""), ["out.csv"], "nothing else is left behind");
    singularities("path delta --poses -", "px,py,qx,qy,qz,qw\n").refused_with(&["missing column pz"]);
    singularities("path five-bar --poses -", "px,py,pz\n").ended(2, &["error: stdin: there is a header and no row"]);
    singularities("path five-bar --poses -", "px,py,pz\n0,0,x\n").refused_with(&["line 2", "`x`"]);
    appell("singularities path delta --poses nowhere.csv").refused_with(&["nowhere.csv: file not found"]);
}

#[test]
fn wrong_use_is_refused() {
    appell("singularities puma560").refused_with(&["PUMA 560", "has no closed loops", "appell compute singularity"]);
    appell("singularities").refused_with(&["<ROBOT>"]);
    appell("singularities delta --pose 0,0,-3").refused_with(&["leg `leg1`", "open by"]);
    appell("singularities delta --pose 0,0").refused_with(&["2 numbers", "expected 3"]);
    appell("singularities delta --at 0,0").refused_with(&["2 numbers", "3 driven joints"]);
    appell("singularities map four-bar").refused_with(&["no platform or output", "--frame"]);
    appell("singularities map four-bar --frame coupler").refused_with(&["one degree of freedom"]);
    appell("singularities crossing four-bar --states -").refused_with(&["platform's twist", "--frame"]);
    appell("singularities map five-bar --over x,z")
        .refused_with(&["z is not a degree of freedom", "choose two of x, y"]);
    appell("singularities map five-bar --over x,x").refused_with(&["two different"]);
    appell("singularities map five-bar --over x,w").refused_with(&["coordinates are x, y, z, roll"]);
    for (range, part) in [
        ("x", "expected a range"),
        ("x=1:0", "lower end first"),
        ("x=0:a", "a is not a number"),
        ("x=0:1deg", "in m"),
        ("z=0:1", "not an axis of the map"),
    ] {
        appell(&format!("singularities map five-bar --range {range}")).refused_with(&[part]);
    }
}

fn map(folder: &Folder, command: &str) -> (String, Vec<Vec<String>>, String) {
    let [out, plot] = ["map.csv", "map.svg"].map(|name| folder.shown(name));
    let text = appell(&format!("singularities map {command} --out {out} --plot {plot}")).done();
    let cells = folder.text("map.csv").lines().map(|line| line.split(',').map(String::from).collect()).collect();
    (text, cells, folder.text("map.svg"))
}

#[test]
fn maps_are_tables_and_pictures() {
    let folder = Folder::new();
    let (text, cells, svg) = map(&folder, "five-bar --cells 20");
    contains(&text, &["five-bar linkage: x from -0.", "of 400 cells are reachable", "closest to Type 2: "]);
    assert_eq!(cells[0], ["x", "y", "reachable", "within_limits", "type1", "type2"]);
    assert_eq!(cells.len(), 401);
    assert!(cells[1..].iter().all(|row| (row[2] == "1.0") != row[4].is_empty()));
    contains(&svg, &["Type 1: the nearest leg", "Type 2: the drives", "x (m)", "out of reach", ">home</text>"]);
    assert!(!svg.contains("beyond the joints"), "it has no limits");
    for command in [
        "gough-stewart --over x,yaw --measure type2",
        "delta --over x,z --range x=-0.3:0.3",
        "3-rps --over roll,pitch --range roll=-60deg:60deg --range pitch=-1:1",
        "agile-wrist",
        "planar-3rrr --over x,y --pose 0.35,0.22,0,0,0,0.2",
        "hexapod-6rus",
    ] {
        let (_, cells, svg) = map(&folder, &format!("{command} --cells 8"));
        assert_eq!(cells.len(), 65, "{command}");
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.trim_end().ends_with("</svg>"), "{command}");
    }
    let summary = json(&appell("singularities map 3-rps --over roll,pitch --cells 5 --json").fine());
    assert_eq!((&summary["columns"]["coordinate"], &summary["cells"]), (&"roll".into(), &25.into()));
    let table = appell("singularities map five-bar --cells 3 --out - --json").fine();
    assert!(json(table.lines().next().unwrap())["type1"].is_null());
}

#[test]
fn a_map_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new();
    appell(&format!("singularities map five-bar --cells 3 --plot {}", folder.shown(""))).refused_with(&["is a folder"]);
    assert!(folder.names("").is_empty());
}

/// A passage of the five-bar through Type 2, and options for it.
const PASSAGE: &str = "passage five-bar --from 0,0.4,0 --to 0,0.1,0 --velocity 0,-0.6 --time 1";

#[test]
fn a_passage_crosses_with_finite_efforts() {
    let folder = Folder::new();
    singularities(&format!("{PASSAGE} --out {}", folder.shown("path.csv")), "")
        .ended(0, &["1000 rows, a crossing of five-bar linkage", "crosses Type 2 at (0, 0.180751, 0) m, t = 0.5 s"]);
    let table = folder.text("path.csv");
    let rows = numbers(&table);
    assert_eq!((rows.len(), rows[0][0], rows[999][0]), (1000, 0.0, 1.0));
    let efforts = numbers(&compute("inverse-dynamics five-bar", &table).fine());
    assert!(efforts.iter().flatten().all(|tau| tau.abs() < 12.0));
    let run = singularities("crossing five-bar --states -", &table);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    contains(
        &run.stdout,
        &["1 place at or near Type 2 in 1000 rows", "501-502  crosses", "yes", "Finite torques and forces suffice"],
    );
    assert_eq!(singularities("path five-bar --poses - --out /dev/null", &table).code, 1);
}

#[test]
fn a_motion_that_needs_infinite_efforts_is_reported() {
    // At a constant velocity nothing bears the weight at the crossing.
    let row = |k: u32| format!("{},0,{},0,0,-0.3,0,0\n", 0.01 * f64::from(k), 0.4 - 0.003 * f64::from(k));
    let table = String::from("t,px,py,pz,vx,vy,ax,ay\n") + &(0..100).map(row).collect::<String>();
    let run = singularities("crossing five-bar --states -", &table);
    assert_eq!(run.code, 1, "{}", run.stderr);
    contains(&run.stdout, &["crosses", "no  ", "Torques and forces grow without bounds", "singularities passage"]);
    let value = json(&singularities("crossing five-bar --states - --json", &table).stdout);
    assert_eq!(value["finite"], false);
    let time = value["places"][0]["t"].as_f64().unwrap();
    assert!((time - (0.4 - 0.180_751) / 0.3).abs() < 1e-3, "{value}");
    let short: String = table.lines().take(20).map(|line| format!("{line}\n")).collect();
    contains(&singularities("crossing five-bar --states -", &short).fine(), &["crosses no singularity of Type 2"]);
    let drives = "q1,q2,v1,v2,a1,a2\n2,1.2,0,0,0,0\n";
    singularities("crossing five-bar --states -", drives).refused_with(&["line 2", "give the platform's"]);
    let pushed = "px,py,pz,vx,vy,ax,ay,platform.fx\n0,0.4,0,0,0,0,0,1\n";
    singularities("crossing five-bar --states -", pushed).refused_with(&["does not include external wrenches"]);
}

#[test]
fn passages_that_cannot_be_are_refused() {
    let passage = |options: &str| singularities(&format!("passage five-bar {options}"), "");
    passage("--from 0,0.4,0 --to 0,0.3,0 --velocity 0,-0.6 --time 1")
        .refused_with(&["meets no singularity of Type 2", "(--through)"]);
    passage("--from 0,0.4,0 --to 0,0.1,0 --velocity 0 --time 1")
        .refused_with(&["1 number", "2 degrees of freedom: vx, vy"]);
    passage("--from 0,0.4,0 --to 0,0.1,0 --velocity 0,-0.6 --time 1 --cross-at 2").refused_with(&["0 < crossing"]);
    passage("--from 0,0.4,0 --to 0,0.1,0 --velocity 0,0 --time 1")
        .ended(1, &["changes its sign between", "not at the crossing after 0.5 s", "choose another velocity"]);
    passage("--from 0,0.4,0 --through 0,0.3,0 --to 0,0.1,0 --velocity 0,-0.6 --time 1")
        .refused_with(&["is not singular of Type 2 at --through", "more digits"]);
    passage("--from 0,0.4,0 --to 0,3,0 --velocity 0,-0.6 --time 1").refused_with(&["--to", "cannot reach"]);
    let folder = Folder::new();
    singularities(&format!("{PASSAGE} --shape octic --out {}", folder.shown("path.csv")), "")
        .ended(1, &["changes its sign 3 times", "swing back"]);
    assert!(!folder.has("path.csv"));
}
