//! `appell compute` from outside.

use super::{Folder, appell, compute, flat, json, numbers, repository, started};
use serde_json::Value;
use std::fs;

const ROW_OF_TWO_LINK: &str = "q1,q2\n0.1,0.2\n";

/// The states of the PUMA with the answers of independent programs.
fn golden_states() -> Vec<Value> {
    json(&fs::read_to_string(repository("tests/golden/serial/a_puma560.json")).unwrap())["states"]
        .as_array()
        .unwrap()
        .clone()
}

/// A table of golden states with columns as DESIGN names them.
fn golden_table(columns: &[(&str, &str)]) -> String {
    let name = |&(symbol, _): &(&str, &str)| (1..=6).map(move |j| format!("{symbol}{j}")).collect::<Vec<_>>().join(",");
    let mut table = columns.iter().map(name).collect::<Vec<_>>().join(",") + "\n";
    for state in golden_states() {
        let cells: Vec<f64> = columns.iter().flat_map(|(_, key)| flat(&state[key])).collect();
        table += &(cells.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n");
    }
    table
}

#[test]
fn golden_numbers() {
    let motion = golden_table(&[("q", "q"), ("v", "qd"), ("a", "qdd"), ("tau", "tau_fd")]);
    let cases = [
        ("inverse-dynamics", "tau", 1e-12),
        ("inverse-dynamics --method newton-euler", "tau", 1e-12),
        ("forward-dynamics", "qdd_fd", 1e-11),
        ("inertia-matrix", "M", 1e-12),
        ("bias", "bias", 1e-12),
        ("gravity", "gravity", 1e-12),
        ("jacobian", "jacobian_world", 1e-12),
        ("jacobian --frame wrist-yaw --axes wrist-yaw", "jacobian_local", 1e-12),
        ("jacobian-rate", "jdot_qd", 1e-12),
    ];
    for (question, key, tolerance) in cases {
        let (name, options) = question.split_once(' ').unwrap_or((question, ""));
        let rows = numbers(&compute(&format!("{name} puma560 {options}"), &motion).fine());
        let states = golden_states();
        assert_eq!(rows.len(), states.len());
        for (row, state) in rows.iter().zip(&states) {
            let expected = flat(&state[key]);
            let size = expected.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            assert_eq!(row.len(), expected.len(), "{question}");
            for (ours, theirs) in row.iter().zip(&expected) {
                assert!((ours - theirs).abs() <= tolerance * size, "{question}: {ours} against {theirs}");
            }
        }
    }
}

#[test]
fn columns_by_name_in_any_order_give_the_same() {
    let by_number = compute("inverse-dynamics two-link", "q1,q2,v1,v2,a1,a2\n1,2,3,4,5,6\n").fine();
    let joints: Vec<String> = {
        let robot = json(&appell("show two-link --json").fine());
        (0..2).map(|j| robot["joints"][j]["name"].as_str().unwrap().to_owned()).collect()
    };
    let header = format!("a.{1}, tau1 ,\"q.{1}\",v.{0},v2,a1,q1", joints[0], joints[1]);
    let by_name = compute("inverse-dynamics two-link", &format!("\u{feff}{header}\r\n6,,2,3,4,5,1\r\n\r\n")).fine();
    // Named joints are answered by their names.
    let named = by_number.replace("tau1,tau2", &format!("tau.{},tau.{}", joints[0], joints[1]));
    assert_eq!(by_name, named);
    assert_eq!(compute("inverse-dynamics two-link --named", "q1,q2,v1,v2,a1,a2\n1,2,3,4,5,6\n").fine(), named);
}

#[test]
fn every_question_can_be_answered_by_names() {
    let header = |options: &str, row: &str| {
        let table = compute(options, row).fine();
        table.lines().next().unwrap().to_owned()
    };
    let state = "q1,q2,v1,v2,a1,a2,tau1,tau2\n1,2,3,4,5,6,7,8\n";
    for (question, expected) in [
        ("forward-dynamics", "a.short,a.long"),
        ("bias", "b.short,b.long"),
        ("gravity", "g.short,g.long"),
        ("coriolis-vector", "c.short,c.long"),
        ("inertia-matrix", "M.short.short,M.short.long,M.long.short,M.long.long"),
        ("energy", "kinetic,potential"),
    ] {
        assert_eq!(header(&format!("{question} two-link --named"), state), expected);
    }
    let derivatives = header("inverse-dynamics-derivatives two-link --named", state);
    assert!(derivatives.starts_with("dtau.short_dq.short,dtau.short_dq.long,"), "{derivatives}");
    assert!(header("jacobian two-link --named", state).starts_with("J.vx.short,J.vx.long,J.vy.short"));
    assert!(header("regressor two-link --named", state).starts_with("Y.short.1,Y.short.2"));
    let row = json(&compute("gravity two-link --named --json", "q1,q2\n0.1,0.2\n").fine());
    assert_eq!(row.as_object().unwrap().keys().collect::<Vec<_>>(), ["g.short", "g.long"]);
}

#[test]
fn angles_too_large_to_mean_one_are_refused() {
    compute("gravity two-link", "q1,q2\n0,1\n1e20,0\n").refused_with(&["line 3", "`q1` holds 1e20 rad", "whole turns"]);
    compute("gravity two-link", "q1,q2\n1e8,0\n").fine();
    // A slide is no angle.
    let far = "q1,q2,q3,q4,q5,q6\n0,0,1e10,0,0,0\n";
    compute("gravity stanford", far).fine();
    assert!(appell("show two-link --at 1e20,0").stderr.contains("at most 1e9"));
}

#[test]
fn time_passes_through() {
    let table = compute("energy two-link", "q1,t,q2,v1,v2\n0,0.5,0,0,0\n").fine();
    assert!(table.starts_with("t,kinetic,potential\n0.5,0.0,"), "{table}");
}

#[test]
fn json_lines_have_the_columns_in_order() {
    let lines = compute("energy two-link --json", "q1,t,q2,v1,v2\n0,0.5,0,0,0\n1,1.5,0,0,0\n").fine();
    let rows: Vec<Value> = lines.lines().map(json).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].as_object().unwrap().keys().collect::<Vec<_>>(), ["t", "kinetic", "potential"]);
    assert_eq!(rows[1]["t"], 1.5);
}

#[test]
fn a_header_alone_gives_a_header_and_a_warning() {
    for (options, answer) in [("", "g1,g2\n"), ("--json", "")] {
        let run = compute(&format!("gravity two-link {options}"), "q1,q2\n");
        assert_eq!((run.code, run.stdout.as_str()), (0, answer));
        assert_eq!(run.stderr, "stdin: warning: the table has a header and no rows\n");
    }
    compute("gravity two-link", "").refused_with(&["stdin", "empty", "header"]);
}

#[test]
fn wrong_headers_are_refused() {
    let refused = |header: &str, parts: &[&str]| compute("bias two-link", &format!("{header}\n")).refused_with(parts);
    refused("q1,q2,v1", &["missing column v2", "reads q1…q2, v1…v2"]);
    refused("t", &["missing columns q1…q2, v1…v2"]);
    refused(
        "q1,q2,q3,v1,v2,speed,",
        &["unknown columns `q3`, `speed`, 7 (without a name)", "accepts a1…a2, tau1…tau2"],
    );
    refused("q1,q1,q2,v1,v2", &["`q1` and `q1`", "same quantity"]);
}

#[test]
fn wrong_rows_are_refused_with_their_line() {
    let refused = |rows: &str, parts: &[&str]| {
        compute("gravity two-link", &format!("q1,q2\n{rows}")).refused_with(parts);
    };
    refused("1,2\n\n3,4,5\n", &["stdin: line 4 has 3 cells", "2 columns"]);
    refused("1,2\r\n3,four\r\n", &["line 3: column `q2` holds `four`; expected a number"]);
    refused("1,\n", &["line 2: column `q2` is empty"]);
    refused("nan,0\n", &["line 2: column `q1` holds `nan`; expected a finite number"]);
    refused("0,1e999\n", &["`1e999`"]);
}

#[test]
fn wrong_options_are_refused() {
    let refused = |command: &str, parts: &[&str]| compute(command, ROW_OF_TWO_LINK).refused_with(parts);
    refused("weight two-link", &["weight", "inverse-dynamics, forward-dynamics"]);
    refused("gravity two-link --method magic", &["`magic`", "statics, newton-euler"]);
    refused("gravity two-link --frame tool", &["gravity of two-link arm is not about one frame", "--frame"]);
    refused("jacobian puma560 --frame tool", &["no frame `tool`", "waist, shoulder"]);
    refused("jacobian puma560 --axes tool", &["no axes `tool`", "base, waist"]);
    appell("compute gravity two-link --states nowhere.csv").refused_with(&["nowhere.csv: file not found"]);
    appell("compute gravity two-link").refused_with(&["--states"]);
    appell("agreement two-link --states 0").refused_with(&["--states"]);
    appell("agreement two-link --tolerance nan").refused_with(&["nan", "1e-10"]);
}

#[test]
fn overflow_is_an_error_and_not_a_nan() {
    let run = compute("bias two-link", "q1,q2,v1,v2\n0,1,2,3\n0,1,1e200,0\n");
    run.refused_with(&["line 3", "overflows"]);
    assert!(!run.stdout.contains("inf") && !run.stdout.contains("NaN"), "{}", run.stdout);
    let header = "q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6,tau1,tau2,tau3,tau4,tau5,tau6";
    let row = "0,0,1e200,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    compute("forward-dynamics stanford", &format!("{header}\n{row}\n")).refused_with(&["line 2", "too large"]);
}

#[test]
fn a_file_is_replaced_only_by_a_complete_one() {
    let folder = Folder::new();
    let input = folder.write("in.csv", "q1,q2\n0,0\n0,x\n");
    let run = |out: &str| appell(&format!("compute gravity two-link --states {input} --out {}", folder.shown(out)));
    folder.write("out.csv", "old");
    run("out.csv").refused_with(&["in.csv: line 3"]);
    assert_eq!(folder.text("out.csv"), "old");
    assert_eq!(folder.names("").len(), 2, "nothing else is left behind");

    folder.write("in.csv", ROW_OF_TWO_LINK);
    run("").refused_with(&["folder"]);
    run("nowhere/out.csv").refused_with(&["cannot write", "nowhere"]);
    let expected = compute("gravity two-link", ROW_OF_TWO_LINK).fine();
    for out in ["out.csv", "in.csv"] {
        let run = run(out);
        run.ended(0, &["1 row, gravity of two-link arm by statics"]);
        assert_eq!((run.stdout.as_str(), folder.text(out)), ("", expected.clone()));
    }
}

#[cfg(unix)]
#[test]
fn devices_are_written_and_not_replaced() {
    let run = compute("gravity two-link --out /dev/stdout", ROW_OF_TWO_LINK);
    assert!(run.stdout.starts_with("g1,g2\n"), "{}", run.stdout);
    compute("gravity two-link --out /dev/null", ROW_OF_TWO_LINK);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

/// 20 000 rows, more than any buffer between two programs holds.
fn long_table() -> String {
    let rows = (0..20_000).map(|k| format!("{k},{},{}\n", f64::from(k) * 1e-3, f64::from(k) * -2e-3));
    String::from("t,q1,q2\n") + &rows.collect::<String>()
}

#[test]
fn long_tables_stream() {
    let rows = numbers(&compute("inertia-matrix two-link", &long_table()).fine());
    assert_eq!(rows.len(), 20_000);
    assert!(rows.iter().enumerate().all(|(k, row)| row.len() == 5 && row[0] == k as f64 && row[1] > 0.0));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::new();
    let mut child = started(&["compute", "gravity", "two-link", "--states", &folder.write("long.csv", long_table())]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

/// A file is computed in blocks, a stream row by row: the answers are the same but for rounding, and so are the errors.
#[test]
fn files_in_blocks_answer_as_streams_do() {
    let mut table = String::from("t,q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6,a1,a2,a3,a4,a5,a6\n");
    for k in 0..5000 {
        let numbers: Vec<String> = (0..18).map(|i| format!("{:.6}", (f64::from(k * 18 + i) * 0.7).sin())).collect();
        table += &format!("{},{}\n", f64::from(k) * 0.01, numbers.join(","));
    }
    let folder = Folder::new();
    let file = folder.write("states.csv", &table);
    for question in ["inverse-dynamics", "inertia-matrix", "frames"] {
        let of_file = appell(&format!("compute {question} puma560 --states {file}")).fine();
        let of_stream = compute(&format!("{question} puma560"), &table).fine();
        assert_eq!(of_file.lines().next(), of_stream.lines().next());
        let (of_file, of_stream) = (numbers(&of_file), numbers(&of_stream));
        assert_eq!(of_file.len(), 5000);
        for (one, other) in of_file.iter().zip(&of_stream) {
            assert!(one.iter().zip(other).all(|(x, y)| (x - y).abs() <= 1e-11 * (1.0 + y.abs())), "{one:?} {other:?}");
        }
    }
    folder.write("states.csv", table.replace("49.9,", "49.9,1e400,"));
    appell(&format!("compute inverse-dynamics puma560 --states {file}")).refused_with(&["line 4992"]);
}
