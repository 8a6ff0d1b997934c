//! The program from outside: what it answers, what it says, and how it exits.

mod assemble;
mod closed;
mod compute;
mod compute_closed;
mod convert;
mod excite;
mod generate;
mod identify;
mod identify_data;
mod identify_files;
mod identify_loop;
mod identify_wrong;
mod ik;
mod show;
mod simulate;
mod singularities;
mod trajectory;
mod urdf;

use serde_json::Value;
use std::fs;
use std::io::Write;
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
    let stderr = String::from_utf8(output.stderr).unwrap();
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: stderr.split_inclusive('\n').filter(|line| !is_progress(line)).collect(),
    }
}

/// Whether a line tells of progress, which a slow machine shows: `12 s: 50 of 200 states, …`.
fn is_progress(line: &str) -> bool {
    let seconds = line.split_once(" s: ").map_or("", |(seconds, _)| seconds);
    !seconds.is_empty() && seconds.bytes().all(|digit| digit.is_ascii_digit())
}

/// Runs the program with the words of a command line as arguments.
fn appell(command: &str) -> Run {
    appell_with(&command.split_whitespace().collect::<Vec<_>>(), "")
}

/// Waits until a program catches a signal, by its number.
#[cfg(target_os = "linux")]
fn wait_until_heard(child: &std::process::Child, signal: u32) {
    let status = format!("/proc/{}/status", child.id());
    let mask =
        |line: &str, key: &str| line.strip_prefix(key).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_heard = |line: &str| {
        let masks = [mask(line, "SigCgt:"), mask(line, "SigBlk:")]; // held back for a thread that waits for it
        masks.into_iter().flatten().any(|mask| mask & (1 << (signal - 1)) != 0)
    };
    // Before it is the program, the new process has all signals blocked.
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_appell")).unwrap();
    let is_program = || fs::read_link(format!("/proc/{}/exe", child.id())).is_ok_and(|own| own == program);
    while !(is_program() && fs::read_to_string(&status).unwrap().lines().any(is_heard)) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
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

/// The numbers of a CSV table below its header.
fn numbers(table: &str) -> Vec<Vec<f64>> {
    table.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
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
fn robots_are_listed() {
    let text = appell("robots").fine();
    assert!(text.contains("puma560 ") && text.contains("stanford"), "{text}");
    let robots = json(&appell("robots --json").fine());
    assert_eq!(robots[0]["name"], "puma560");
    assert_eq!((&robots[0]["joints"], &robots[0]["kind"]), (&6.into(), &"serial".into()));
}

#[test]
fn a_robot_is_shown() {
    let text = appell("show stanford").fine();
    for part in [
        "Stanford arm",
        "standard Denavit-Hartenberg: Rz(θ) Tz(d) Tx(a) Rx(α)",
        "prismatic",
        "9.81",
        "kg m²",
        "hand-roll",
        "gibbs-appell-vectorial",
    ] {
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
    assert!(appell("check seven-axis --strict").fine().contains("can be computed, 0 errors, 0 warnings"));

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
fn files_of_other_formats_are_told_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, parts) in [
        ("a.sdf", "<sdf version='1.7'/>", ["is SDF", "URDF"]),
        ("a.xacro", "<robot xmlns:xacro='http://ros.org/wiki/xacro'/>", ["is xacro", "xacro FILE > robot.urdf"]),
        ("a.xml", "<?xml version='1.0'?>\n<mujoco/>", ["is MJCF", "URDF"]),
        ("b.xml", "<page/>", ["<page>", "a URDF is one <robot>"]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        appell(&format!("check {}", path.display())).refused_with(&parts);
    }
    let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/urdf/panda.urdf");
    let xml = folder.path().join("panda.xml");
    fs::copy(urdf, &xml).unwrap();
    assert!(appell(&format!("check {}", xml.display())).fine().contains("can be computed"));
}

#[test]
fn a_negative_time_is_told_that_it_must_be_positive() {
    for command in [
        "trajectory joints two-link --to 1,1 --time -1",
        "trajectory joints two-link --to 1,1 --time 0",
        "trajectory joints two-link --to 1,1 --time 1 --dt -1e-3",
    ] {
        let run = appell(command);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("a time must be positive"), "{}", run.stderr);
    }
}

#[test]
fn large_numbers_are_short_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robot.toml");
    fs::write(&path, SINGULAR.replace("mass = 1.0", "mass = -1e300")).unwrap();
    let text = appell(&format!("check {}", path.display())).stdout;
    assert!(text.contains("is -1e300 kg") && !text.contains("0000000"), "{text}");
}

#[test]
fn a_warning_of_a_file_is_told_once_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let robot = folder.path().join("robot.toml");
    fs::write(
        &robot,
        SINGULAR
            .replace("zz = 0.2", "zz = 0.9")
            .replace("mass = 0.0", "mass = 1.0, com = [0.0, 0.0, 0.0], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }"),
    )
    .unwrap();
    let states = folder.path().join("states.csv");
    fs::write(&states, "t,q1,q2,v1,v2,a1,a2,tau1,tau2\n0,0,0,0,0,0,0,0,0\n").unwrap();
    let robot = robot.display();
    let commands = [format!("show {robot}"), format!("agreement {robot} --states 5"), format!("convert {robot} -")];
    for command in commands {
        let run = appell(&command);
        assert_eq!(run.stderr.matches("warning: body.arm.inertia").count(), 1, "{command}: {}", run.stderr);
    }
}

#[test]
fn doubtful_numbers_are_named_by_check_and_by_no_other() {
    let text = appell("check puma560").fine();
    assert!(text.contains("line 40: warning: body.wrist-roll.inertia: the radius of gyration"), "{text}");
    let problems = json(&appell("check puma560 --json").fine());
    assert_eq!(problems[0]["place"], "body.waist.inertia");
    assert_eq!(appell("check puma560 --strict").code, 1);
    appell("show puma560").fine();
}

#[test]
fn unknown_robots_get_the_list() {
    appell("show pumma").refused_with(&["`pumma`", "puma560, puma560-b, two-link", "path of a robot's file"]);
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
fn singular_inertia_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("singular.toml");
    fs::write(&path, SINGULAR).unwrap();
    let path = path.display();
    let table = "q1,q2,v1,v2,tau1,tau2\n0,0,0,0,1,0\n";
    compute(&format!("forward-dynamics {path}"), table).refused_with(&["line 2", "singular at joint `hand`"]);
    let run = appell(&format!("agreement {path} --states 10"));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("At state 1: the inertia matrix is singular at joint `hand`"), "{}", run.stdout);
    let report = json(&appell(&format!("agreement {path} --states 10 --json")).stdout);
    assert_eq!(report["agree"], false);
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
    let path = folder.path().join("spindle.toml");
    let spindle = r#"
        name = "spindle, which has no Coriolis forces but for rounding"
        frames = "modified-dh"
        gravity = [1.1, 2.3, -9.0]
        joints = [["turn", "revolute", "35 deg", 0.3, "q", 0.1], ["lift", "prismatic", 0.0, 0.0, "23 deg", "q"]]
        body.turn = { mass = 1.0, com = [0.5, 0.2, 0.3], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 } }
        body.lift = { mass = 1.3, com = [0.0, 0.0, 0.3], inertia = { xx = 0.1, yy = 0.1, zz = 0.1 } }
    "#;
    fs::write(&path, spindle).unwrap();
    appell(&format!("agreement {}", path.display())).fine();
}

#[test]
fn help_has_examples_and_units() {
    for command in
        ["robots", "show", "check", "convert", "compute", "ik", "assemble", "singularities", "agreement", "reproduce"]
    {
        let help = appell(&format!("{command} --help")).fine();
        assert!(help.contains("Example: appell ") && help.contains("--json"), "{help}");
    }
    let help = appell("compute --help").fine();
    for part in ["jacobian-rate (q, v)", "articulated-body", "rad/s²", "N m"] {
        assert!(help.contains(part), "no `{part}` in:\n{help}");
    }
}

#[test]
fn papers_are_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let summary = appell_with(&["reproduce", "--out", out.to_str().unwrap()], "").fine();
    let lines: Vec<String> =
        summary.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = ["001 table 1 matches", "001 table 2 matches", "002 table 2 matches", "003 eqs 26 to 32 matches"];
    for start in expected {
        assert!(lines.iter().any(|line| line.starts_with(start)), "no `{start}` in:\n{summary}");
    }
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("96n − 101") && page.contains("<svg") && page.trim_end().ends_with("</html>"));
    appell("reproduce 007").refused_with(&["007"]);
}

/// The page of one paper: nothing fails, every plot is there as a file too, and every row that is checked holds.
#[track_caller]
fn page_of(paper: &str, headings: &[&str], plots: &[&str], checked: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let summary = appell_with(&["reproduce", paper, "--out", out.to_str().unwrap()], "").fine();
    assert!(!summary.contains("FAILS") && !summary.contains("not as we claim"), "{summary}");
    let of_another = |line: &&str| line.starts_with("00") && !line.starts_with(paper);
    assert_eq!(summary.lines().find(of_another), None);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    for heading in headings {
        assert!(page.contains(&format!("\">{heading} <span class=\"title\">")), "no `{heading}`");
    }
    for plot in plots {
        let svg = fs::read_to_string(out.join(format!("{paper}-{plot}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && page.contains(&svg), "no `{plot}`");
    }
    assert_eq!(page.matches("<svg").count(), plots.len());
    for wrong in ["✗", "NaN", ">inf", "∞", "FAILS"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert_eq!(page.matches("<td>✓</td>").count(), checked, "rows that are checked");
    page
}

#[test]
fn a_paper_about_parallel_robots_is_reproduced() {
    let headings = ["Table 1", "Eq. 33", "Eqs 21 and 22"];
    page_of("003", &headings, &["gough-stewart", "forces", "type-2", "type-1", "crossing"], 4 + 7 + 2 + 3 + 2 + 4);
}

#[test]
fn the_paper_about_the_agile_wrist_is_reproduced() {
    let headings = ["§IV, parameters", "Figure 4", "Figure 5", "Figure 6", "Figure 7", "Eqs 33, 39", "Errata"];
    let plots = ["wrist", "tracking", "verification", "joints", "torques", "differences", "reach"];
    // Checks of figures 4, 5, 6 and 7, and evidence.
    let page = page_of("000", &headings, &plots, 8 + 1 + 6 + 3 + 20);
    for part in [
        "the robot follows eq. 52: θ, rad",
        "torque of the law, and that of the closed form for this motion, N m",
        "N m s/rad",
        "largest torque along eq. 52, N m",
        "torques: closed form and tree-closures",
        "1.378 kg/m",
    ] {
        assert!(page.contains(part), "no `{part}`");
    }
    for place in ["eq. 21, C", "after eq. 21", "eq. 24", "eqs 32 to 34", "eq. 36", "eq. 47", "eq. 51", "eq. 52"] {
        assert!(page.contains(&format!(">{place}</th>")), "no `{place}`");
    }
}

#[test]
fn the_simulation_of_the_puma_is_reproduced() {
    let headings = ["Table 5", "Figure 2", "Figure 3", "Table 6", "Table 7"];
    let page = page_of("001", &headings, &["figure-2", "figure-2-differences", "line", "errors"], 6);
    for part in
        ["mean |Δq̈|, rad/s²", "ours, torques straight between instants", "evaluations, printed", "<td>1092</td>"]
    {
        assert!(page.contains(part), "no `{part}`");
    }
}

#[test]
fn the_control_of_the_puma_is_reproduced() {
    let headings = ["Table 2", "Table 3", "Figure 3", "Figure 4", "Figure 5", "§4, times"];
    let page = page_of("002", &headings, &["line", "torques", "ramp", "splines", "errors"], 0);
    for part in ["splines: with integral action", "Pentium II, 350 MHz", "99.9 %", "largest and rms error, mrad"] {
        assert!(page.contains(part), "no `{part}`");
    }
}

#[test]
fn the_paper_about_the_star_triangle_robot_is_reproduced() {
    let headings = ["§7.1, parameters", "Figures 8, 9", "Figure 11", "§8, reactions", "Errata"];
    // Checks of figures 8 and 9, 11 and the reactions, and evidence.
    let page = page_of("004", &headings, &["star", "swing", "circle"], 8 + 7 + 4 + 19);
    for part in ["torques: virtual work and tree-closures", "leg3.end", "kg m²</th>", "torques on the swing"] {
        assert!(page.contains(part), "no `{part}`");
    }
    for place in ["eq. 13", "eq. 24", "eqs 32, 33, 36, 37", "eq. 40", "eqs 54, 55, 62, 68", "§7.1"] {
        assert!(page.contains(&format!(">{place}</th>")), "no `{place}`");
    }
}
