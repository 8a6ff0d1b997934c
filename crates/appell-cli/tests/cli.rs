//! The program from outside: what it answers, what it says, and how it exits.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a run of the program ended.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Runs the program with words as arguments and `input` as stdin.
fn appell_with(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_appell"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes()); // refused arguments leave it unread
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program with the words of a command line as arguments.
fn appell(command: &str) -> Run {
    appell_with(&command.split_whitespace().collect::<Vec<_>>(), "")
}

/// Computes a question from a table on stdin.
fn compute(command: &str, table: &str) -> Run {
    let words: Vec<&str> = ["compute"].into_iter().chain(command.split_whitespace()).chain(["--states", "-"]).collect();
    appell_with(&words, table)
}

impl Run {
    /// What a fine run printed, which must have been silent otherwise.
    #[track_caller]
    fn fine(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }

    /// Asserts the exit code 2 and one message with all these parts.
    #[track_caller]
    fn refused_with(&self, parts: &[&str]) {
        assert_eq!(self.code, 2, "{}", self.stderr);
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in: {}", self.stderr);
        }
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

/// The numbers of a CSV table below its header.
fn numbers(table: &str) -> Vec<Vec<f64>> {
    table.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

/// Numbers of a reference, whether they stand in rows or not.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(entries) => entries.iter().flat_map(flat).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// The states of the PUMA with the answers of independent programs.
fn golden_states() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/serial/a_puma560.json");
    json(&fs::read_to_string(path).unwrap())["states"].as_array().unwrap().clone()
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

const ROW_OF_TWO_LINK: &str = "q1,q2\n0.1,0.2\n";

/// A pendulum that carries a massless hand: its inertia matrix is singular.
const SINGULAR: &str = r#"
name = "massless hand"
frames = "modified-dh"
joints = [["arm", "revolute", 0.0, 0.0, "q", 0.0], ["hand", "revolute", 0.0, 1.0, "q", 0.0]]
body.arm = { mass = 1.0, com = [0.5, 0.0, 0.0], inertia = { xx = 0.0, yy = 0.2, zz = 0.2 } }
body.hand = { mass = 0.0 }
"#;

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
fn robots_are_listed() {
    let text = appell("robots").fine();
    assert!(text.contains("puma560 ") && text.contains("stanford"), "{text}");
    let robots = json(&appell("robots --json").fine());
    assert_eq!(robots[0]["name"], "puma560");
    assert_eq!(robots[0]["joints"], 6);
}

#[test]
fn a_robot_is_shown() {
    let text = appell("show stanford").fine();
    for part in ["Stanford arm", "prismatic", "9.81", "kg m²", "hand-roll", "gibbs-appell-vectorial"] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let robot = json(&appell("--json show stanford").fine());
    assert_eq!(robot["joints"][2]["type"], "prismatic");
    assert_eq!(robot["joints"][2]["body"]["com"][2], -0.45);
    assert_eq!(robot["questions"][0]["answers"][5], "tau6");
}

#[test]
fn files_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robot.toml");
    let check = |text: &str, options: &str| {
        fs::write(&path, text).unwrap();
        appell(&format!("check {} {options}", path.display()))
    };
    assert!(appell("check puma560 --strict").fine().contains("can be computed, 0 errors, 0 warnings"));

    let bad = SINGULAR.replace("mass = 1.0", "mass = -1.0").replace("frames", "frame");
    let run = check(&bad, "");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("line 3: error: frame"), "{}", run.stdout);
    assert!(run.stdout.contains("line 5: error: body.arm.mass: is -1 kg"), "{}", run.stdout);

    let doubtful = SINGULAR.replace("zz = 0.2", "zz = 0.9");
    assert!(check(&doubtful, "").fine().contains("warning: body.arm.inertia"));
    assert_eq!(check(&doubtful, "--strict").code, 1);
    let problems = json(&check(&doubtful, "--json").fine());
    assert_eq!((&problems[0]["line"], &problems[0]["severity"]), (&5.into(), &"warning".into()));
    assert_eq!(problems[0]["place"], "body.arm.inertia");

    assert_eq!(check("name = ", "").code, 1);
    fs::write(&path, b"name = \"\xff\"").unwrap();
    appell(&format!("check {}", path.display())).refused_with(&["robot.toml", "UTF-8"]);
    appell("check nowhere.toml").refused_with(&["nowhere.toml", "No such file"]);
}

#[test]
fn unknown_robots_get_the_list() {
    appell("show pumma").refused_with(&["`pumma`", "puma560, puma560-b, two-link", "path of a .toml file"]);
}

#[test]
fn a_robot_with_errors_is_refused_and_one_with_warnings_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robot.toml");
    fs::write(&path, SINGULAR.replace("zz = 0.2", "zz = 0.9")).unwrap();
    let run = compute(&format!("gravity {}", path.display()), ROW_OF_TWO_LINK);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("robot.toml: line 5: warning: body.arm.inertia"), "{}", run.stderr);
    fs::write(&path, "name = 3").unwrap();
    compute(&format!("gravity {}", path.display()), ROW_OF_TWO_LINK)
        .refused_with(&["robot.toml", "line 1: error: name"]);
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
    assert_eq!(by_name, by_number);
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
fn a_header_alone_gives_a_header() {
    assert_eq!(compute("gravity two-link", "q1,q2\n").fine(), "g1,g2\n");
    assert_eq!(compute("gravity two-link --json", "q1,q2\n").fine(), "");
    compute("gravity two-link", "").refused_with(&["stdin", "empty", "header"]);
}

#[test]
fn wrong_headers_are_refused() {
    let refused = |header: &str, parts: &[&str]| compute("bias two-link", &format!("{header}\n")).refused_with(parts);
    refused("q1,q2,v1", &["missing columns v2", "reads q1…q2, v1…v2"]);
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
    refused("gravity two-link --frame tool", &["gravity is not about one frame", "--frame"]);
    refused("jacobian puma560 --frame tool", &["no frame `tool`", "waist, shoulder"]);
    refused("jacobian puma560 --axes tool", &["no axes `tool`", "base, waist"]);
    appell("compute gravity two-link --states nowhere.csv")
        .refused_with(&["nowhere.csv: cannot be read: No such file"]);
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
    compute("forward-dynamics stanford", &format!("{header}\n{row}\n")).refused_with(&["line 2", "overflows"]);
}

#[test]
fn singular_inertia_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("singular.toml");
    fs::write(&path, SINGULAR).unwrap();
    let path = path.display();
    let table = "q1,q2,v1,v2,tau1,tau2\n0,0,0,0,1,0\n";
    compute(&format!("forward-dynamics {path}"), table).refused_with(&["line 2", "singular at joint `hand`"]);
    let run = appell(&format!("agreement {path} --states 10"));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("At state 1 the inertia matrix is singular at joint `hand`"), "{}", run.stdout);
    let report = json(&appell(&format!("agreement {path} --states 10 --json")).stdout);
    assert_eq!(report["agree"], false);
}

#[test]
fn a_file_is_replaced_only_by_a_complete_one() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    let run =
        |out: &Path| appell(&format!("compute gravity two-link --states {} --out {}", input.display(), out.display()));
    fs::write(&output, "old").unwrap();
    fs::write(&input, "q1,q2\n0,0\n0,x\n").unwrap();
    run(&output).refused_with(&["in.csv: line 3"]);
    assert_eq!(fs::read_to_string(&output).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left behind");

    fs::write(&input, ROW_OF_TWO_LINK).unwrap();
    run(folder.path()).refused_with(&["folder"]);
    run(&folder.path().join("nowhere/out.csv")).refused_with(&["cannot write", "nowhere"]);
    let expected = compute("gravity two-link", ROW_OF_TWO_LINK).fine();
    for out in [&output, &input] {
        let run = run(out);
        assert_eq!((run.code, run.stdout.as_str()), (0, ""));
        assert!(run.stderr.contains("1 row, gravity of two-link arm by statics"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(out).unwrap(), expected);
    }
}

#[cfg(unix)]
#[test]
fn devices_are_written_and_not_replaced() {
    let run =
        appell_with(&["compute", "gravity", "two-link", "--states", "-", "--out", "/dev/stdout"], ROW_OF_TWO_LINK);
    assert!(run.stdout.starts_with("g1,g2\n"), "{}", run.stdout);
    appell_with(&["compute", "gravity", "two-link", "--states", "-", "--out", "/dev/null"], ROW_OF_TWO_LINK);
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.csv");
    fs::write(&path, long_table()).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_appell"))
        .args(["compute", "gravity", "two-link", "--states"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn methods_agree() {
    let text = appell("agreement puma560 --states 50 --seed 3").fine();
    assert!(text.contains("All methods agree within 1e-10."), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let report = json(&appell("agreement puma560 --states 50 --seed 3 --json").fine());
    assert_eq!(report["agree"], true);
    assert_eq!(report["differences"][0]["method"], "gibbs-appell-vectorial");
    let strict = appell("agreement puma560 --states 50 --tolerance 0");
    assert_eq!(strict.code, 1);
    assert!(strict.stdout.contains("do not all agree within 0e0"), "{}", strict.stdout);
}

#[test]
fn forces_that_vanish_do_not_disagree() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pendulum.toml");
    let pendulum = r#"
        name = "pendulum"
        frames = "modified-dh"
        joints = [["arm", "revolute", "90 deg", 0.3, "q", 0.1]]
        body.arm = { mass = 1.0, com = [0.5, 0.2, 0.3], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 } }
    "#;
    fs::write(&path, pendulum).unwrap();
    appell(&format!("agreement {}", path.display())).fine();
}

#[test]
fn help_has_examples_and_units() {
    for command in ["robots", "show", "check", "compute", "agreement"] {
        let help = appell(&format!("{command} --help")).fine();
        assert!(help.contains("Example: appell ") && help.contains("--json"), "{help}");
    }
    let help = appell("compute --help").fine();
    for part in ["jacobian-rate (q, v)", "articulated-body", "rad/s²", "N m"] {
        assert!(help.contains(part), "no `{part}` in:\n{help}");
    }
}
