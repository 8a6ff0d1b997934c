//! `appell law`: its laws build, run, and do what the built-in ones do; others are stopped and named.

use super::{Folder, appell, contains, json, numbers};
use std::path::Path;
use std::process::Command;

/// Writes a law and builds it; its folder.
#[track_caller]
fn built(folder: &Folder, options: &str) {
    let answer = json(&appell(&format!("law {options} --out {} --json", folder.shown("law"))).done());
    let build = answer["build"].as_str().unwrap();
    let mut words = build.split(' ');
    let mut command = Command::new(words.next().unwrap());
    command.current_dir(folder.path("law")).args(words).env_remove("CARGO_TARGET_DIR").env("MAKEFLAGS", "");
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !stderr.contains("warning"), "{build}: {stderr}");
}

/// The record of a scenario.
#[track_caller]
fn record(folder: &Folder, name: &str) -> Vec<Vec<f64>> {
    appell(&format!("simulate {} --out {}", folder.shown(&format!("law/{name}.toml")), folder.shown(name))).done();
    numbers(
        &folder.text(&format!("{name}/record.csv")).replace(",,", ",0,").replace(",,", ",0,").replace(",\n", ",0\n"),
    )
}

/// Runs the trial of a folder with its own law and with a built-in one, `[loop]` or not.
#[track_caller]
fn agrees(folder: &Folder, builtin: &str, sampled: bool) {
    let trial = folder.text("law/trial.toml");
    let trial = if sampled { trial } else { trial.replace("[loop]", "#").replace("period = ", "# ") };
    let line = trial.lines().find(|line| line.starts_with("law = ")).unwrap();
    let (_, gains) = line.split_once("parameters = { ").unwrap();
    let gains = gains.trim_end_matches([' ', '}']).replace(", kd", "\nkd");
    folder.write("law/own.toml", &trial);
    folder.write("law/builtin.toml", trial.replace(line, &format!("law = \"{builtin}\"\n{gains}")));
    let (own, built) = (record(folder, "own"), record(folder, "builtin"));
    assert_eq!((own.len(), own[0].len()), (built.len(), built[0].len()));
    for (own, built) in own.iter().zip(&built) {
        for (own, built) in own.iter().zip(built) {
            assert!((own - built).abs() <= 1e-9 * built.abs().max(1.0), "{own} is not {built}");
        }
    }
}

#[test]
fn a_law_in_c_is_a_spring_and_a_damper() {
    let folder = Folder::new();
    built(&folder, "--template c");
    agrees(&folder, "pd", true);
    agrees(&folder, "pd", false);
    let again = appell(&format!("law --template c --out {}", folder.shown("law")));
    again.refused_with(&["law.c", "there already"]);
}

#[test]
fn a_law_in_c_with_a_generated_model_is_computed_torque() {
    for robot in ["puma560", "gough-stewart"] {
        let folder = Folder::new();
        built(&folder, &format!("--template c --robot {robot}"));
        agrees(&folder, "computed-torque", true);
        agrees(&folder, "computed-torque", false);
    }
}

#[test]
fn a_law_in_rust_is_so_too() {
    for (options, builtin) in
        [("", "pd"), ("--robot stanford", "computed-torque"), ("--robot delta", "computed-torque")]
    {
        let folder = Folder::new();
        built(&folder, &format!("--template rust {options}"));
        agrees(&folder, builtin, true);
    }
}

#[test]
fn robots_whose_model_a_law_cannot_call_are_refused() {
    let folder = Folder::new();
    let law = |robot: &str| appell(&format!("law --template c --robot {robot} --out {}", folder.shown("law")));
    law("four-bar").refused_with(&["no platform"]);
    law("tricept").refused_with(&["no closed forms"]);
    law("nothing").refused_with(&["nothing"]);
    assert!(!folder.has("law"));
}

/// What a law in C shows of itself.
const RECORDED: &str = r#"
uint32_t appell_law_recorded(const void *state, double *values, const char **names)
{
    if (values != NULL) values[0] = ((const struct law *)state)->error;
    if (names != NULL) names[0] = "error";
    return 1;
}
"#;

/// Builds a law in C by its Makefile.
#[track_caller]
fn made(folder: &Folder) {
    let made = Command::new("make").current_dir(folder.path("law")).env("MAKEFLAGS", "").output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// A law in C with a line more in its step, and how the run of it ended.
fn with_step(folder: &Folder, line: &str) -> super::Run {
    appell(&format!("law --template c --out {}", folder.shown("law"))).done();
    let text = folder.text("law/law.c");
    folder.write(
        "law/law.c",
        text.replacen("    uint32_t i;\n    for", &format!("    uint32_t i;\n    {line}\n    for"), 1),
    );
    made(folder);
    appell(&format!("simulate {} --out {}", folder.shown("law/trial.toml"), folder.shown("out")))
}

#[test]
fn a_law_that_gives_up_ends_the_run_with_its_record() {
    let folder = Folder::new();
    let run = with_step(&folder, "if (now->t > 0.3) return 5;");
    run.ended(1, &["law `spring and damper` of", "law.so stopped at t = 0.301", "status 5"]);
    assert_eq!(folder.text("out/record.csv").lines().count(), 32 + 1, "up to there, and the end");
}

#[test]
fn an_effort_that_is_not_a_number_is_named_with_its_joint() {
    let folder = Folder::new();
    let run =
        with_step(&folder, "if (now->t > 0.3) { for (i = 0; i < 4; ++i) effort[i] = 0.0 / (i - 2.0); return 0; }");
    run.ended(1, &["`spring and damper`", "joint `quill`", "NaN"]);
}

#[test]
#[cfg(unix)]
fn a_law_that_crashes_is_named() {
    let folder = Folder::new();
    let run = with_step(&folder, "if (now->t > 0.3) effort = NULL;");
    run.ended(1, &["error: law `spring and damper` of", "law.so crashed: SIGSEGV"]);
    assert!(!folder.has("out/record.csv"));
}

/// The controller runs them, too: in lockstep with the bits of a simulation; a crash of one ends both processes.
#[test]
#[cfg(target_os = "linux")]
fn the_controller_runs_laws_of_libraries() {
    let folder = Folder::new();
    appell(&format!("law --template c --robot puma560 --out {}", folder.shown("law"))).done();
    let law = folder.text("law/law.c") + RECORDED;
    folder.write(
        "law/law.c",
        law.replacen(
            "const struct law *law = state;",
            "struct law *law = state; law->error = now->q_d[0] - now->q[0];",
            1,
        )
        .replacen("struct law {", "struct law { double error;", 1),
    );
    made(&folder);
    let trial = folder.shown("law/trial.toml");
    appell(&format!("run {trial} --plant --lockstep --out {}", folder.shown("run"))).done();
    appell(&format!("simulate {trial} --out {}", folder.shown("simulated"))).done();
    let record = folder.text("run/record.csv");
    assert_eq!(record, folder.text("simulated/record.csv"));
    // Its own numbers are recorded, too: what it saw of the error.
    let rows: Vec<Vec<&str>> = record.lines().map(|line| line.split(',').collect()).collect();
    let column =
        |name: &str| rows[0].iter().position(|found| *found == name).unwrap_or_else(|| panic!("{:?}", rows[0]));
    let [own, wanted, measured] = ["own_error", "wanted1", "measured1"].map(column);
    for row in &rows[1..rows.len() - 1] {
        let [own, wanted, measured] = [own, wanted, measured].map(|k| row[k].parse::<f64>().unwrap());
        assert!((own - (wanted - measured)).abs() < 1e-12, "{row:?}");
    }
    let folder = Folder::new();
    with_step(&folder, "if (now->t > 0.3) abort();");
    let run = appell(&format!("run {} --plant --lockstep --no-record", folder.shown("law/trial.toml")));
    run.ended(1, &["error: law `spring and damper` of", "law.so crashed: SIGABRT"]);
}

#[test]
fn a_rust_law_that_panics_is_stopped() {
    let folder = Folder::new();
    appell(&format!("law --template rust --out {}", folder.shown("law"))).done();
    let text = folder.text("law/src/lib.rs");
    let step = "effort: &mut [f64]) -> Result<(), Status> {\n";
    folder.write(
        "law/src/lib.rs",
        text.replacen(step, &format!("{step}        assert!(now.t < 0.3, \"too late\");\n"), 1),
    );
    let output = Command::new("cargo")
        .current_dir(folder.path("law"))
        .args(["build", "--release", "--quiet", "--offline"])
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run = appell(&format!("simulate {} --out {}", folder.shown("law/trial.toml"), folder.shown("out")));
    run.ended(1, &["too late", "law `spring and damper` of", "it panicked"]);
}

#[test]
fn what_is_wrong_with_a_law_is_said_with_its_line() {
    let folder = Folder::new();
    let simulate = |law: &str| {
        let text = format!(
            "robot = \"scara\"\nreference = {{ kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = 0.3 }}\n[controller]\nlaw = {law}\n"
        );
        appell(&format!("simulate {} --out {}", folder.write("trial.toml", text), folder.shown("out")))
    };
    simulate("{ library = \"law.so\" }").refused_with(&["line 4: controller.law", "law.so: file not found"]);
    simulate("{ parameters = [1, 2] }").refused_with(&["line 4: error: controller.law.library: is missing"]);
    simulate("{ library = 3 }").refused_with(&["path of a shared library"]);
    simulate("{ library = \"law.so\", parameters = 3 }").refused_with(&["a table of numbers"]);
    simulate("{ library = \"law.so\", gains = 3 }").refused_with(&["gains"]);
    simulate("{ library = \"law.so\" }\nkp = 3").refused_with(&["kp"]);
    folder.write("law.so", "no library");
    simulate("{ library = \"law.so\" }").refused_with(&["law.so is not a shared library"]);
    assert!(!Path::new(&folder.shown("out")).exists());
}

#[test]
fn help_shows_the_way() {
    contains(&appell("law --help").fine(), &["appell_law.h", "make && appell simulate"]);
}
