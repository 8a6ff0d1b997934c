//! `appell run` and `appell plant`: two processes that do what `appell simulate` does in one, by the clock or in lockstep.
#![cfg(target_os = "linux")]

use super::{Folder, Run, appell, contains, json, numbers, repository, started};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::time::{Duration, Instant};

/// Whatever happens ends within this time, however busy the machine is.
pub(crate) const AT_MOST: Duration = Duration::from_secs(120);

/// A SCARA that goes somewhere under computed torque through wires, and brakes; with more lines.
pub(crate) fn wired(more: &str) -> String {
    format!(
        "name = \"trial\"\nrobot = \"scara\"\nduration = 0.4\nplant.scale = 1.2\n\
         reference = {{ kind = \"joints\", to = [1.0, 0.5, 0.1, 0.2], time = 0.3 }}\n\
         controller = {{ law = \"computed-torque\", natural_frequency = 20.0, integral_root = 4.0 }}\n\
         [loop]\nperiod = 1e-3\ndelay = 0.5\nencoder = {{ counts = 4000, gear = 50.0 }}\n\
         speed = {{ by = \"difference\", cutoff = 500.0 }}\n\
         brakes = {{ stiffness = [5e4, 5e4, 5e4, 50.0], damping = [1200.0, 1200.0, 1200.0, 0.25] }}\n{more}"
    )
}

/// A program that runs beside the test, which ends it if it does not end by itself.
pub(crate) struct Beside(pub(crate) Option<Child>);

impl Beside {
    pub(crate) fn new(command: &str) -> Self {
        Self(Some(started(&command.split_whitespace().collect::<Vec<_>>())))
    }

    pub(crate) fn child(&self) -> &Child {
        self.0.as_ref().unwrap()
    }

    /// Waits until it has ended by itself.
    #[track_caller]
    pub(crate) fn ended(mut self) -> Run {
        let mut child = self.0.take().unwrap();
        let begin = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begin.elapsed() > AT_MOST {
                child.kill().unwrap();
                panic!("it hangs: {:?}", child.wait_with_output());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A trial in a folder of its own, whose file has a name that no other test's has: shared memory is named like it.
pub(crate) struct Trial {
    pub(crate) folder: Folder,
    pub(crate) name: String,
}

impl Trial {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let (folder, name) = (Folder::new(), format!("{name}-{}", std::process::id()));
        folder.write(&format!("{name}.toml"), text);
        Self { folder, name }
    }

    /// The words of a command on its file, with a folder for what it leaves.
    pub(crate) fn words(&self, command: &str, out: &str, more: &str) -> String {
        let file = self.folder.shown(&format!("{}.toml", self.name));
        let out = if out.is_empty() { String::new() } else { format!("--out {}", self.folder.shown(out)) };
        format!("{command} {file} {out} {more}")
    }

    pub(crate) fn run(&self, command: &str, out: &str, more: &str) -> Run {
        Beside::new(&self.words(command, out, more)).ended()
    }

    /// What `simulate` records.
    #[track_caller]
    pub(crate) fn simulated(&self) -> String {
        let run = self.run("simulate", "simulated", "");
        assert!(run.code < 2, "{}", run.stderr);
        self.folder.text("simulated/record.csv")
    }

    /// How many outputs of the frames that a run has left differ when they are played back, and how many there are.
    #[track_caller]
    pub(crate) fn replayed(&self, out: &str) -> (u64, u64) {
        let frames = self.folder.shown(&format!("{out}/frames.bin"));
        let run = self.run("run", "", &format!("--json --replay {frames}"));
        assert!(run.code < 2, "{}", run.stderr);
        let answer = json(&run.stdout);
        assert_eq!(run.code == 0, answer["different"] == 0, "{answer}");
        (answer["different"].as_u64().unwrap(), answer["periods"].as_u64().unwrap())
    }

    /// What is left of it in shared memory.
    pub(crate) fn memory(&self) -> Vec<String> {
        let names = fs::read_dir("/dev/shm").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("appell-") && name.contains(&self.name)).collect()
    }
}

/// Reads what a program says until it has said something; the line.
pub(crate) fn said(child: &mut Beside, part: &str) -> String {
    let mut reader = BufReader::new(child.0.as_mut().unwrap().stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0, "it has not said `{part}`");
    }
    // The rest is taken, so that it can go on speaking.
    std::thread::spawn(move || reader.read_to_end(&mut Vec::new()));
    line
}

/// Starts a robot by UDP at a port that the system chooses; where it listens.
pub(crate) fn plant_by_udp(trial: &Trial, more: &str) -> (Beside, String) {
    let mut plant = Beside::new(&trial.words("plant", "", &format!("--udp 127.0.0.1:0 --json --wait 60 {more}")));
    let line = said(&mut plant, "waits for its controller");
    let (_, address) = line.split_once("--udp ").unwrap();
    (plant, address.trim_end().trim_end_matches('`').to_owned())
}

/// A SCARA with limits, beside the trial.
fn limited(folder: &Folder) {
    appell(&format!("convert scara {}", folder.shown("arm.toml"))).done();
    let text = folder.text("arm.toml") + "\n[joint.shoulder]\nlimits = { lower = -2, upper = 0.6, velocity = 20 }\n";
    folder.write("arm.toml", text);
}

#[test]
fn lockstep_gives_the_bits_of_a_simulation() {
    let file = |name: &str| {
        fs::read_to_string(repository(&format!("crates/appell-simulation/scenarios/{name}.toml"))).unwrap()
    };
    let parts = wired("[run]\nrecord = 7e-4\n").replace("duration = 0.4", "duration = 0.40037");
    let late = wired("grippers = [[0.1, 0.2]]\n").replace("delay = 0.5", "delay = 3.25");
    let safe = "[safety]\nvelocity = 3.0\nbraking = { time = 0.05, damping = [4.0, 2.0, 40.0, 0.02] }\n";
    for (name, text, trip) in [
        ("puma-tool", file("puma-tool"), None),
        ("hexapod-line", file("hexapod-line"), None),
        ("parts", parts, None),
        ("late", late, None),
        ("fixed", wired("[run]\nmethod = \"runge-kutta\"\nstep = 3e-4\n"), None),
        ("hot", wired("[loop.joint.elbow]\nover_temperature = { at = 0.2 }\n"), Some(1)),
        ("hot-coasts", wired("[loop.joint.elbow]\nover_temperature = { at = 0.2 }\n").replace("brakes", "# "), Some(1)),
        ("pressed", wired("emergency_stop = { at = 0.15 }\n"), Some(2)),
        ("fast", wired(safe), Some(11)),
        ("broken", wired("[loop.joint.elbow]\nsensor_fault = { at = 0.1, kind = \"nan\" }\n"), Some(20)),
    ] {
        let trial = Trial::new(name, &text);
        let expected = trial.simulated();
        let run = trial.run("run", "out", "--lockstep --plant --json");
        let answer = json(&run.stdout);
        let code = answer["run"]["fault_code"].as_u64();
        assert_eq!(answer["stop"].as_str(), None, "{name}");
        assert_eq!((run.code, code), (i32::from(trip.is_some()), trip), "{name}: {}", run.stderr);
        assert!(trial.folder.text("out/record.csv") == expected, "{name}: the records differ");
        let (different, periods) = trial.replayed("out");
        assert!(different == 0 && periods >= 200, "{name}: {different} of {periods}");
        assert_eq!(trial.memory(), [""; 0], "{name}");
    }
}

/// A robot that ends the trial at one of its limits says why, and both records end there.
#[test]
fn a_limit_ends_both_sides_alike() {
    let text = wired("[run]\nstop_at = [\"position\"]\n").replace("\"scara\"", "\"arm.toml\"");
    let trial = Trial::new("limit", &text);
    limited(&trial.folder);
    let expected = trial.run("simulate", "simulated", "--json");
    let expected_stop = json(&expected.stdout)["stop"].as_str().unwrap().to_owned();
    let run = trial.run("run", "out", "--lockstep --plant --json");
    run.ended(1, &["position of joint `shoulder`", "beyond its limit 0.6"]);
    assert_eq!((expected.code, json(&run.stdout)["stop"].as_str()), (1, Some(expected_stop.as_str())));
    assert_eq!(trial.folder.text("out/record.csv"), trial.folder.text("simulated/record.csv"));
    assert_eq!(trial.replayed("out").0, 0);
    // A robot that somebody else has started keeps its reasons to itself; the controller says that it has ended.
    let plant = Beside::new(&trial.words("plant", "plant", "--lockstep --json --wait 60"));
    let run = trial.run("run", "again", "--lockstep");
    run.ended(1, &["the robot has ended the trial"]);
    let plant = plant.ended();
    plant.ended(1, &["beyond its limit 0.6"]);
    assert!(json(&plant.stdout)["stop"].as_str().unwrap().contains("shoulder"));
    assert_eq!(trial.folder.text("again/record.csv"), trial.folder.text("simulated/record.csv"));
}

#[test]
fn udp_gives_the_same_bits() {
    let trial = Trial::new("udp", &wired("grippers = [[0.1, 0.2]]\n"));
    let expected = trial.simulated();
    let (plant, address) = plant_by_udp(&trial, "--lockstep");
    let run = trial.run("run", "out", &format!("--lockstep --udp {address} --json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(trial.folder.text("out/record.csv") == expected);
    let plant = plant.ended();
    let answer = json(&plant.stdout);
    assert_eq!((plant.code, answer["samples"].as_u64()), (0, Some(400)), "{answer}");
    assert_eq!(trial.replayed("out"), (0, 400));
    trial.run("plant", "", "--udp 0.0.0.0:0 --wait 1").refused_with(&["other machines", "controller's machine"]);
}

/// What a killed run leaves ends in the middle of a frame; what is of another trial is not taken for this one's.
#[test]
fn frames_are_played_back_and_compared() {
    let trial = Trial::new("replay", &wired(""));
    assert_eq!(trial.run("run", "out", "--lockstep --plant").code, 0);
    let frames = fs::read(trial.folder.path("out/frames.bin")).unwrap();
    let text = trial.run("run", "", &format!("--replay {}", trial.folder.shown("out/frames.bin"))).fine();
    contains(&text, &["400 periods, 0 with other outputs"]);
    fs::create_dir(trial.folder.path("cut")).unwrap();
    let period = frames.len() / 400;
    for (bytes, whole) in [(frames.len() - 1, 399), (period * 100 + 37, 100), (period * 7 + period - 3, 7)] {
        trial.folder.write("cut/frames.bin", &frames[..bytes]);
        assert_eq!(trial.replayed("cut"), (0, whole), "{bytes}");
    }
    let replay = |other: &Trial, bytes: &[u8]| {
        let file = other.folder.write("frames.bin", bytes);
        other.run("run", "", &format!("--replay {file}"))
    };
    let softer = Trial::new("softer", &wired("").replace("natural_frequency = 20.0", "natural_frequency = 19.0"));
    replay(&softer, &frames).ended(1, &["the outputs differ from t =", "another trial"]);
    let puma = fs::read_to_string(repository("crates/appell-simulation/scenarios/puma-tool.toml")).unwrap();
    replay(&Trial::new("puma", &puma), &frames).refused_with(&["period 0", "not the frames of a run of this trial"]);
    let mut damaged = frames.clone();
    damaged[period * 50 + 90] ^= 1;
    replay(&trial, &damaged).refused_with(&["period 50", "checksum"]);
    replay(&trial, &frames[..40]).refused_with(&["has no frames of this robot"]);
    replay(&trial, b"").refused_with(&["has no frames"]);
    trial.run("run", "", "--replay nothing.bin").refused_with(&["nothing.bin"]);
}

/// By the clock a busy machine may miss periods; they are counted, and nothing else is wrong.
#[test]
fn by_the_clock_periods_are_dealt_with_or_counted() {
    let trial =
        Trial::new("clock", &wired("[safety]\nwatchdog = 200\n[run]\nrecord = 1e-3\n").replace("= 0.4", "= 0.3"));
    let run = trial.run("run", "out", "--plant --json --priority 0");
    let answer = json(&run.stdout);
    let of_run = &answer["run"];
    let count = |key: &str| of_run[key].as_u64().unwrap();
    let rows = trial.folder.text("out/record.csv").lines().count() as u64 - 1;
    // On a machine that stands still for 200 periods the run ends earlier, with a fault that says so.
    if run.code == 0 {
        let dealt = count("samples") + count("missed") + count("without_sensors");
        assert!(dealt >= 290, "300 periods: {of_run}");
        assert_eq!(answer["t"].as_f64(), Some(0.3), "{answer}");
    } else {
        assert!([30, 31, 50].contains(&count("fault_code")), "{of_run}: {}", run.stderr);
    }
    assert!(count("samples") <= 301 && rows <= count("samples") + 1, "{rows} rows: {of_run}");
    let steps = of_run["wake_up"]["histogram"].as_array().unwrap().iter();
    assert_eq!(of_run["wake_up"]["count"], steps.map(|step| step[1].as_u64().unwrap()).sum::<u64>());
    assert_eq!(trial.replayed("out"), (0, count("samples") - count("not_logged")));
    assert_eq!(trial.memory(), [""; 0]);
}

/// An operator's run, by the clock: its timings are seen while it goes on, and its frames, which have the orders, can be given again.
#[test]
fn an_operated_run_is_watched_and_given_again() {
    let more = "[safety]\nwatchdog = 400\nbraking = { time = 0.05, damping = [4.0, 2.0, 40.0, 0.02] }\n[operator]\nspeed = 0.4\n";
    let trial = Trial::new("operated", &wired(more));
    let run = Beside::new(&trial.words("run", "out", "--operate --plant --priority 0 --live"));
    let file = trial.folder.shown(&format!("{}.toml", trial.name));
    let ask = |words: &str| appell(&format!("operate {file} {words}"));
    let begin = Instant::now();
    let until = |words: &str, is: &dyn Fn(&Value) -> bool| {
        while !serde_json::from_str(&ask(words).stdout).is_ok_and(|answer| is(&answer)) {
            assert!(begin.elapsed() < AT_MOST, "{words}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let holds = |status: &Value| status["mode"] == "holding";
    until("status", &holds);
    assert_eq!(serde_json::from_str::<Value>(&ask("facts").fine()).unwrap()["drives"][1]["speed"], 0.4);
    assert_eq!(ask("jog 1 0.3").fine(), "ok\n");
    assert_eq!(ask("go 0.2 -0.1 0.02 0.1").fine(), "ok\n");
    until("status", &|status| holds(status) && (status["drives"][0]["wanted"].as_f64().unwrap() - 0.2).abs() < 1e-9);
    assert_eq!(ask("jog-freedom vx -0.05").code, 0);
    assert_eq!(ask("stop").fine(), "stopping\n");
    until("status", &|status| status["stopped"] == true);
    assert_eq!(ask("reset").code, 0);
    until("status", &|status| status["stopped"] == false);
    assert_eq!(ask("follow").code, 0);
    until("status", &|status| status["mode"] == "following");
    until("timings", &|timings| {
        timings["wake_up"]["count"].as_u64().unwrap() > 500 && timings["round_trip"]["longest"].as_f64().unwrap() > 0.0
    });
    contains(&ask("--once").fine(), &["Wake-up    ", " µs · "]);
    while begin.elapsed() < Duration::from_millis(1500) {
        std::thread::sleep(Duration::from_millis(50)); // the first block of `--live` comes after a second
    }
    assert_eq!(ask("quit").code, 0);
    let run = run.ended();
    assert_eq!(run.code, 0, "{}", run.stderr);
    contains(&run.stderr, &["listens to", "periods, ", "Wake-up    ", "median "]);
    let (different, periods) = trial.replayed("out");
    assert!(different == 0 && periods > 500, "{different} of {periods}");
    trial.folder.has_plot("out/timings", &trial.folder.text("out/report.html"));
    // Without its orders it is another run.
    let frames = fs::read(trial.folder.path("out/frames.bin")).unwrap();
    let (sensors, outputs, hold) = (8 * (11 + 12), 8 * (11 + 4), 8 * 11);
    let first = [&frames[..sensors], &frames[sensors + hold..sensors + hold + outputs]].concat();
    fs::create_dir(trial.folder.path("none")).unwrap();
    trial.folder.write("none/frames.bin", first);
    assert_eq!(trial.replayed("none").1, 1, "the first order is one to hold, with nothing in it");
}

#[test]
fn help_and_reports_say_what_there_is() {
    contains(&appell("run --help").fine(), &["--lockstep", "--plant", "--replay", "--udp", "frames.bin", "Exit codes"]);
    contains(&appell("plant --help").fine(), &["--lockstep", "--controller", "watchdog", "Exit codes"]);
    let trial = Trial::new("words", &wired(""));
    let text = trial.run("run", "out", "--lockstep --plant").done();
    contains(&text, &["Lockstep: 400 periods", "Step: median", "Round trip", "largest error", "report.html"]);
    let files = trial.folder.names("out");
    assert!(
        ["record.csv", "frames.bin", "report.html"].iter().all(|name| files.iter().any(|file| file == name)),
        "{files:?}"
    );
    let answer: Value = json(&trial.run("run", "", "--no-record --lockstep --plant --json").stdout);
    assert_eq!((answer["run"]["samples"].as_u64(), answer["report"].as_str()), (Some(400), None), "{answer}");
    assert!(answer["run"]["step"]["median"].as_f64().unwrap() > 0.0);
    assert_eq!(trial.folder.names(""), ["out", &format!("{}.toml", trial.name)], "and writes nothing");
}

#[test]
fn a_loop_is_needed_and_a_robot() {
    let ideal = Trial::new("ideal", &super::simulate::scenario(""));
    for command in ["run", "plant"] {
        ideal.run(command, "", "--wait 5").refused_with(&["loop", "missing", "period"]);
    }
    let trial = Trial::new("alone", &wired(""));
    trial.run("run", "out", "--wait 0.2").refused_with(&["no robot came within 0.2 s", "appell plant", "--plant"]);
    trial.run("run", "out", "--wait 0.2 --udp 127.0.0.1:9").refused_with(&["no answer within 0.2 s"]);
    assert!(!trial.folder.has("out"), "what does not begin leaves nothing");
    trial.run("plant", "", "--wait 0.2").ended(1, &["waits for its controller, `appell run", "no controller came"]);
    assert_eq!(trial.memory(), [""; 0]);
    for wait in ["-1", "nan", "1e300"] {
        trial.run("run", "", &format!("--wait={wait}")).ended(2, &["--wait", "expected 0.01 to 1e6 s"]);
    }
    trial.run("run", "", "--plant --patience 1").ended(2, &["--lockstep"]);
    trial.run("run", "", "--shm a/b").refused_with(&["`a/b` is not a name for shared memory"]);
    trial.run("run", "", "--plant --udp 127.0.0.1:9").ended(2, &["--plant", "--udp"]);
}

/// A robot is not taken twice, nor by a controller that wants something else; the one that fits still finds it.
#[test]
fn only_the_two_that_fit_begin() {
    let trial = Trial::new("fits", &wired(""));
    let expected = trial.simulated();
    let mut plant = Beside::new(&trial.words("plant", "", "--lockstep --json --wait 60"));
    let line = said(&mut plant, "waits for its controller");
    assert!(line.contains("--lockstep`"), "{line}");
    trial.run("plant", "", "--lockstep --wait 5").refused_with(&["a robot of the same name runs already"]);
    trial.run("run", "out", "").refused_with(&["the robot goes in lockstep and the controller by the clock"]);
    let other = Trial::new("other", &wired("# another\n"));
    let shared = format!("--lockstep --shm {}", trial.name);
    other.run("run", "out", &shared).refused_with(&["the robot runs another trial", "same"]);
    assert!(!trial.folder.has("out"));
    assert_eq!(trial.run("run", "out", "--lockstep").code, 0);
    assert_eq!(plant.ended().code, 0);
    assert!(trial.folder.text("out/record.csv") == expected);
    assert!(numbers(&expected.replace(",,", ",0,").replace(",,", ",0,")).len() > 10);
}
