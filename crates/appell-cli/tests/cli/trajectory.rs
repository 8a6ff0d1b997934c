//! `appell trajectory`: motions as tables, plots and reports.

use super::{Folder, appell, appell_fed, compute, contains, flat, json, numbers, repository};

const START: &str = "--start 0.3,-1,0.2,0.4,1,0";

/// The line of paper 002, whose joints, rates and torques are known to 60 digits.
#[test]
fn the_line_of_paper_002() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/golden/serial/b_trajectory_002.json")).unwrap();
    let line = "trajectory line puma560 --from 0.6,0.175,0.25,0.7853981633974483,1.0471975511965976,1.5707963267948966 \
                --angles zyz --to 0.018,0.757,0 --law constant --time 8.6 --dt 0.1 --torques";
    for how in ["--branch +++", "--start 0.5,-1.1,-0.2,0.3,2.3,1.9"] {
        let table = appell(&format!("{line} {how}")).fine();
        assert!(table.starts_with("t,q1,q2,q3,q4,q5,q6,v1,"), "{table}");
        let rows = numbers(&table);
        assert_eq!(rows.len(), 87);
        for (k, row) in rows.iter().enumerate() {
            for (column, (key, tolerance)) in
                [("q", 1e-11), ("qd", 1e-10), ("qdd", 1e-10), ("tau", 1e-10)].into_iter().enumerate()
            {
                let expected = flat(&golden[key][k]);
                let size = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                for (found, expected) in row[1 + 6 * column..].iter().zip(&expected) {
                    assert!((found - expected).abs() <= tolerance * size, "row {k}, {key}, {how}: {found} {expected}");
                }
            }
        }
    }
}

/// What `trajectory` writes, `compute` reads: the efforts are the same.
#[test]
fn tables_go_on_to_compute() {
    for (robot, command) in [
        ("puma560", format!("line puma560 {START} --to 0.5,0.2,0.3 --time 1 --dt 0.05")),
        ("delta", "line delta --to 0.1,0.05,-0.7 --speed 0.5 --acceleration 4 --law ramp".into()),
        ("five-bar", "arc five-bar --through 0.05,0.35,0 --to 0.1,0.4,0 --time 1 --dt 0.02".into()),
        ("gough-stewart", "line gough-stewart --to 0.05,0.02,0.8,0.1,0.05,0.2 --time 0.5 --law s-curve".into()),
        ("agile-wrist", "joints agile-wrist --to 0.1,0.2,0.15 --time 1 --dt 0.05".into()),
    ] {
        let table = appell(&format!("trajectory {command} --torques")).fine();
        let answered = compute(&format!("inverse-dynamics {robot}"), &table).fine();
        let (rows, answers) = (numbers(&table), numbers(&answered));
        assert_eq!(rows.len(), answers.len());
        for (row, answer) in rows.iter().zip(&answers) {
            let size = answer[1..].iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let own = &row[row.len() - (answer.len() - 1)..];
            assert!(
                own.iter().zip(&answer[1..]).all(|(a, b)| (a - b).abs() < 1e-9 * size),
                "{robot}: {own:?} {answer:?}"
            );
        }
    }
}

#[test]
fn times_and_ends() {
    let rows = numbers(&appell("trajectory joints scara --to 0.5,1,0.1,0 --time 1 --dt 0.3").fine());
    let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 0.3, 0.6, 0.8999999999999999, 1.0], "the last row is at the end");
    assert_eq!(rows[4][1..5], [0.5, 1.0, 0.1, 0.0]);
    assert!(rows[4][5..].iter().all(|x| x.abs() < 1e-12), "at rest");
    // 1 rad at 1 rad/s and 5 rad/s²: 1 + 1/5 s.
    let rows =
        numbers(&appell("trajectory joints scara --to 0.5,1,0.1,0 --speed 1 --acceleration 5 --law ramp").fine());
    assert!((rows.last().unwrap()[0] - 1.2).abs() < 1e-12);
}

#[test]
fn splines_through_a_table() {
    let points = "t,q1,q2\n0,0,0\n1,0.5,-0.2\n2.5,0.3,0.4\n";
    for options in ["", "--spline cubic", "--ends natural", "--spline cubic --ends natural"] {
        let command = format!("trajectory joints two-link --points - --dt 0.5 {options}");
        let rows = numbers(&appell_fed(&command, points).fine());
        assert_eq!(rows.len(), 6);
        assert!((rows[2][1] - 0.5).abs() < 1e-12 && (rows[5][2] - 0.4).abs() < 1e-12, "{options}");
        assert_eq!(rows[0][3].abs() < 1e-12, !options.contains("natural"), "{options}");
    }
    let given = "t,q1,q2,v1,v2\n0,0,0,1,2\n1,0.5,-0.2,-1,0.5\n";
    let through = "trajectory joints two-link --points -";
    let rows = numbers(&appell_fed(&format!("{through} --given velocities"), given).fine());
    assert_eq!(rows[0][3..5], [1.0, 2.0]);
    appell_fed(through, "q1,q2\n0,0\n1,1\n").refused_with(&["times", "column t"]);
    appell_fed(through, "t,q1,q2\n0,0,0\n0,1,1\n").refused_with(&["point 2", "not after 0 s"]);
    appell_fed(through, "t,q1,q2\n0,0,0\n").refused_with(&["2 points at least"]);
}

#[test]
fn fourier_series_begin_at_rest() {
    let random = "trajectory fourier puma560 --harmonics 4 --amplitude 0.2 --frequency 0.5 --from-rest --dt 0.1";
    let rows = numbers(&appell(random).fine());
    assert_eq!(rows.len(), 21);
    assert!(rows[0][7..].iter().all(|x| x.abs() < 1e-12), "{:?}", rows[0]);
    assert_eq!(appell(random).stdout, appell(random).stdout, "the same seed, the same motion");
    let of_table = "trajectory fourier two-link --coefficients - --frequency 1 --dt 0.25";
    let rows = numbers(&appell_fed(of_table, "sin1,cos2\n0.5,0.1\n").fine());
    assert!((rows[1][1] - 0.5).abs() < 1e-12 && (rows[0][2] - 0.1).abs() < 1e-12);
    appell_fed(of_table, "sin3\n0.5\n").refused_with(&["sin3", "sin1…sin2"]);
    appell_fed(of_table, "sin1\n").refused_with(&["no row"]);
}

#[test]
fn via_points_with_and_without_times() {
    let poses = "px,py,pz,qx,qy,qz,qw\n0.0,0.0,0.78,0,0,0,1\n0.05,0.02,0.8,0,0,0.0998334166,0.9950041653\n0.0,0.05,0.82,0,0,0,1\n";
    for options in ["--time 2", "--time 2 --shape blends", "--time 2 --shape blends --blend 0.05"] {
        let command = format!("trajectory via gough-stewart --points - --dt 0.02 {options}");
        let rows = numbers(&appell_fed(&command, poses).fine());
        assert_eq!(rows.len(), 101, "{options}");
        assert!((rows[100][2] - 0.05).abs() < 1e-12 && (rows[100][3] - 0.82).abs() < 1e-12);
        assert!(rows[100][8..14].iter().all(|x| x.abs() < 1e-10), "at rest");
    }
    let via = "trajectory via gough-stewart --points -";
    appell_fed(via, poses).refused_with(&["no column t", "--time"]);
    let timed = "t,px,py,pz\n0,0,0,0.78\n1,0.01,0,0.8\n";
    assert_eq!(appell_fed(via, timed).fine().lines().count(), 102);
    appell_fed(&format!("{via} --time 1"), timed).refused_with(&["leave out --time"]);
}

const LIMITED: &str = r#"
name = "pendulum"
frames = "modified-dh"
joints = [["arm", "revolute", 0.0, 0.0, "q", 0.0]]
body.arm = { mass = 1.0, com = [0.5, 0.0, 0.0], inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
joint.arm.limits = { velocity = 0.96 }
"#;

#[test]
fn the_first_limit_is_named() {
    let folder = Folder::new();
    let (robot, [out, svg]) =
        (folder.write("robot.toml", LIMITED), ["motion.csv", "motion.svg"].map(|name| folder.shown(name)));
    let command = format!("trajectory joints {robot} --to 1 --law cubic --limits --out {out} --plot {svg}");
    let run = appell(&format!("{command} --time 1"));
    assert_eq!(run.code, 1, "{}", run.stderr);
    contains(&run.stdout, &["after 0.200000 s the velocity of joint `arm` is 0.960000", "156 %"]);
    assert_eq!(folder.text("motion.csv").lines().count(), 102, "the table is written all the same");
    let drawing = folder.text("motion.svg");
    contains(&drawing, &["v (rad/s)", "pendulum: straight joint motion"]);
    assert!(drawing.ends_with("</svg>\n"));
    contains(&appell(&format!("{command} --time 2")).done(), &["all limits are kept"]);
    let run = appell(&format!("--json {command} --time 2 --max-acceleration 1"));
    let report = json(&run.stdout);
    assert_eq!((run.code, &report["within_limits"]), (1, &false.into()));
    assert_eq!((&report["first"]["quantity"], &report["first"]["time"]), (&"acceleration".into(), &0.0.into()));
    let run = appell(&format!("trajectory joints {robot} --to 1 --time 1 --law cubic --limits"));
    assert!(run.stdout.starts_with("t,q1") && run.stderr.contains("the velocity of joint `arm`"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_followed_is_an_answer() {
    let line = |options: &str, parts: &[&str]| appell(&format!("trajectory line {options} --time 1")).ended(1, parts);
    line(&format!("puma560 {START} --to 3,0,0"), &["after 0.", "cannot follow the path"]);
    line("puma560 --from 5,0,0 --to 3,0,0", &["the start of the path"]);
    line("puma560 --start 0.3,-1,0.2,0.4,0,0 --to 0.5,0.2,0.3", &["meets a singularity"]);
    line("five-bar --to 0,2,0 --torques", &["after 0.", "cannot reach"]);
}

#[test]
fn wrong_use_is_refused() {
    appell(&format!("trajectory line puma560 {START} --to 0.5,0.2,0.3")).refused_with(&["--time", "--speed"]);
    appell(&format!("trajectory line puma560 {START} --to 0.5,0.2 --time 1")).refused_with(&["--to gives 2 numbers"]);
    appell("trajectory joints scara --to 0,0,0,0 --time 1").refused_with(&["same place"]);
    appell("trajectory joints scara --to 0,0,1 --time 1").refused_with(&["--to gives 3 numbers", "4 joints"]);
    appell("trajectory line seven-axis --start 0.1,0.5,-0.2,-1.5,0.3,1.8,0.4 --to 0.4,0.1,0.6 --time 1")
        .refused_with(&["7 joints", "hold 1"]);
    appell("trajectory line stanford --to 0.4,0.1,0.6 --time 1 --branch +++").refused_with(&["not of PUMA type"]);
    appell("trajectory line four-bar --to 0,0,0 --time 1").refused_with(&["no platform", "joints"]);
    appell("trajectory joints scara --platform 321 --to 0,0,1,0,0,0 --time 1").refused_with(&["no platform"]);
    appell("trajectory line delta --to 0,0,-0.7 --time 1 --frame tool")
        .refused_with(&["tool cannot be the output", "no frame `tool`"]);
    appell(&format!("trajectory arc puma560 {START} --through 0.3,0.3,0.3 --to 0.3,0.3,0.3 --time 1"))
        .refused_with(&["same place"]);
    appell("trajectory arc gough-stewart --from 0,0,0.78 --through 0.01,0,0.78 --to 0.02,0,0.78 --time 1")
        .refused_with(&["lie on a line"]);
    appell("trajectory joints scara --to 0.5,1,0.1,0 --time 1 --dt 1e-12").refused_with(&["too many rows"]);
    let large = "trajectory joints scara --to 0.5,1,0.1,0 --time 1 --dt 1e-7";
    appell(large).refused_with(&["about 2.5 GB", "1e7 rows", "--dt", "--yes"]);
    appell("trajectory joints scara --to 0.5,1,0.1,0 --speed 1 --law ramp")
        .refused_with(&["limit of its acceleration"]);
    for wrong in ["--time 0", "--time nan", "--time 1 --speed 1", "--time 1 --law fast"] {
        assert_eq!(appell(&format!("trajectory joints scara --to 0.5,1,0.1,0 {wrong}")).code, 2, "{wrong}");
    }
}

#[test]
fn the_examples_of_the_help_are_complete() {
    for example in [
        "trajectory arc gough-stewart --centre 0.05,0,0.78 --axis 0,0,1 --turn 6.283185 --time 3 --law constant",
        "trajectory arc gough-stewart --through 0.05,0.05,0.8 --to 0.1,0,0.78 --speed 0.2 --acceleration 1 --law ramp",
        "trajectory joints gough-stewart --platform 321 --to 0,0.05,0.8,0.3,0,0 --time 1",
        "trajectory fourier gough-stewart --platform 321 --harmonics 3 --amplitude 0.05 --frequency 0.5 --from-rest",
        "trajectory fourier five-bar --platform 321 --harmonics 3 --amplitude 0.02 --frequency 0.5 --torques",
        "trajectory arc puma560 --start 0.3,-1,0.2,0.4,1,0 --through 0.4,0.3,0.5 --to 0.3,0.4,0.4 --time 2",
    ] {
        appell(example).done();
    }
}

/// A screw in a loop has two rows in the tree, and one name.
#[test]
fn peaks_of_screws_have_their_joints_names() {
    let folder = Folder::new();
    let jack = repository("tests/data/closed/screw-jack.toml");
    let limited =
        std::fs::read_to_string(&jack).unwrap().replace("pitch = 0.02,", "pitch = 0.02, limits = { velocity = 50 },");
    let robot = folder.write("jack.toml", &limited);
    let table = folder.shown("way.csv");
    let said =
        json(&appell(&format!("trajectory joints {robot} --to 10 --time 1 --limits --json --out {table}")).done());
    let joints: Vec<&str> =
        said["peaks"].as_array().unwrap().iter().map(|peak| peak["joint"].as_str().unwrap()).collect();
    assert!(!joints.is_empty() && joints.iter().all(|joint| *joint == "spindle"), "{said}");
}
