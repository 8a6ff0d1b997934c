//! `appell ik` from outside.

use super::{Folder, Run, appell, appell_fed, compute, json, numbers};

/// Solves for a table of poses on stdin.
fn ik(command: &str, table: &str) -> Run {
    appell_fed(&format!("ik {command} --poses -"), table)
}

/// A pose of the PUMA's wrist: the hand hangs down, in front of the arm.
const POSE: &str = "t,px,py,pz,qx,qy,qz,qw\n2.5,0.5,0.2,-0.1,1,0,0,0\n";

/// The wrist's pose, row by row: three rows of the rotation, then the position.
fn wrist_at(q: &[f64]) -> Vec<f64> {
    let cells = q.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let poses = numbers(&compute("frames puma560", &format!("q1,q2,q3,q4,q5,q6\n{cells}\n")).fine());
    poses[0][60..].to_vec()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < tolerance), "{found:?} {expected:?}");
}

const WRIST: [f64; 12] = [1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0, 0.5, 0.2, -0.1];

#[test]
fn a_pose_is_reached() {
    let text = ik("puma560", POSE).fine();
    assert!(text.starts_with("t,q1,q2,q3,q4,q5,q6,position_error,orientation_error\n2.5,"), "{text}");
    let row = &numbers(&text)[0];
    assert_near(&wrist_at(&row[1..7]), &WRIST, 1e-11);
    assert!(row[7] <= 1e-12 && row[8] <= 1e-12);
    assert_eq!(ik("puma560 --seed 1 --frame wrist-yaw", POSE).fine(), text);
}

#[test]
fn the_closed_form_lists_all_configurations() {
    let text = ik("puma560 --closed-form", POSE).fine();
    assert!(text.starts_with("t,row,shoulder,elbow,wrist,q1,q2,q3,q4,q5,q6\n2.5,1.0,1.0,1.0,1.0,"), "{text}");
    let rows = numbers(&text);
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[7][2..5], [-1.0; 3]);
    for row in rows {
        assert_near(&wrist_at(&row[5..]), &WRIST, 1e-12);
    }
    let lines = ik("puma560 --closed-form --json", POSE).fine();
    assert_eq!(json(lines.lines().next().unwrap())["shoulder"], 1.0);
    ik("stanford --closed-form", POSE).refused_with(&["`Stanford arm` is not of PUMA type", "`boom` should turn"]);
    ik("puma560 --closed-form", "px,py,pz\n0.5,0,0\n").refused_with(&["line 2", "needs the orientation"]);
}

#[test]
fn a_row_starts_where_the_last_one_ended_or_where_it_says() {
    let rows = numbers(&ik("two-link", "px,py,pz\n1.989,0.1,0\n1.989,0.1,0\n").fine());
    assert_eq!(rows[0][..2], rows[1][..2], "the second pose is reached at once");
    let near = |q2: f64| {
        let table = format!("px,py,pz,q.short,q2\n2.0,0.0,0.0,{},{q2}\n", -q2);
        numbers(&ik("two-link", &table).fine())[0].clone()
    };
    let (up, down) = (near(1.57), near(-1.57));
    assert!(up[1] > 1.5 && down[1] < -1.5, "{up:?} {down:?}");
}

#[test]
fn a_pose_out_of_reach_is_named() {
    let poses = "px,py,pz\n0.5,0,0\n5,0,0\n0.4,0,0.1\n";
    let run = ik("puma560", poses);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("error: stdin: line 3: frame `wrist-yaw` does not reach the goal"),
        "{}",
        run.stderr
    );
    assert_eq!(numbers(&run.stdout).len(), 1);
    let run = ik("puma560 --skip", poses);
    assert_eq!((run.code, numbers(&run.stdout).len()), (1, 2));
    assert!(run.stderr.starts_with("stdin: line 3: "), "{}", run.stderr);

    ik("puma560 --closed-form", "px,py,pz,qx,qy,qz,qw\n0.05,0,0,0,0,0,1\n")
        .ended(1, &["line 2: the pose is inside the shoulder's offset: 0.050000 m"]);
}

#[test]
fn a_file_appears_complete_or_not_at_all() {
    let folder = Folder::new();
    let (input, output) = (folder.write("in.csv", "px,py,pz\n0.5,0,0\n5,0,0\n"), folder.shown("out.csv"));
    let run = |options: &str| appell(&format!("ik puma560 --poses {input} --out {output} {options}"));
    assert_eq!(run("").code, 1);
    assert!(!folder.has("out.csv"));
    run("--skip").ended(1, &["2 poses of frame wrist-yaw of PUMA 560, 1 without a solution"]);
    assert_eq!(numbers(&folder.text("out.csv")).len(), 1);
}

#[test]
fn wrong_tables_are_refused() {
    let refused = |table: &str, parts: &[&str]| ik("puma560", table).refused_with(parts);
    refused("px,py\n0,0\n", &["missing column pz", "a table of poses has px, py, pz"]);
    refused("px,py,pz,qx\n0,0,0,1\n", &["missing columns qy, qz, qw"]);
    refused("px,py,pz,q7\n0,0,0,1\n", &["unknown column `q7`", "q1…q6"]);
    refused("px,py,pz,qx,qy,qz,qw\n0.5,0,0,0,0,0,1.1\n", &["line 2", "norm 1.1", "expected 1"]);
    refused("px,py,pz\n0.5,0,x\n", &["line 2", "`pz` holds `x`"]);
    refused("", &["stdin", "empty", "header"]);
    ik("puma560 --frame tool", POSE).refused_with(&["no frame `tool`", "waist, shoulder"]);
}
