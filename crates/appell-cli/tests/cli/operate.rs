//! Commands to a controller that runs: here one without a robot, in this process.

use super::*;
use appell::Robot;
use appell_realtime::operator::{Facts, Request, Server, desk};
use appell_simulation::control::operated::{Operated, Pace};
use serde_json::Value;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

/// A controller whose drives are where they shall be; it ends by `quit`.
fn controller(folder: &Path) -> (Server, JoinHandle<()>) {
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || {
        let robot = Robot::builtin("scara").unwrap();
        let operated = Operated::new(&robot, &[0.1, 0.8, 0.1, 0.0], &Pace::default()).unwrap();
        let (mut console, desk) = desk(Facts::of(&robot, &operated, 1e-3), 5);
        sender.send(desk).unwrap();
        let mut reference = operated.reference();
        let [mut q, mut v, mut a] = [[0.0; 4]; 3];
        for k in 0.. {
            let request = console.obey(&operated);
            reference.at(f64::from(k) * 1e-3, &mut q, &mut v, &mut a).unwrap();
            if let Some(status) = console.status() {
                (status.t, status.load) = (f64::from(k) * 1e-3, 0.125);
                status.set_drives(&q, &v, &[0.0; 4], &q);
                console.show(&operated);
            }
            if request == Some(Request::Quit) {
                return;
            }
            std::thread::sleep(Duration::from_micros(300));
        }
    });
    let desk = receiver.recv().unwrap();
    (Server::start(desk, &folder.join("socket"), &folder.join("points.toml")).unwrap(), thread)
}

#[test]
fn scripts_operate_a_robot() {
    let folder = tempfile::tempdir().unwrap();
    let (server, thread) = controller(folder.path());
    let socket = server.path().to_str().unwrap().to_owned();
    let ask = |words: &str| appell(&format!("operate {socket} {words}"));
    let status = || serde_json::from_str::<Value>(&ask("status").fine()).unwrap();
    while ask("status").code != 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(ask("jog 1 -0.2").fine(), "ok\n");
    while status()["mode"] != "holding" {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(status()["drives"][0]["position"].as_f64().unwrap() < 0.1);
    assert_eq!(ask("teach low").fine(), "taught low\n");
    assert!(folder.path().join("points.toml").is_file());
    assert_eq!(ask("home").fine(), "ok\n");
    assert_eq!(ask("go low --json").fine(), "{}\n");
    let page = appell(&format!("operate {socket} --once")).fine();
    contains(&page, &["drive", "load of 1 ms", "12.5 %", "periods by time", "Round trip", "messages"]);
    let timings: Value = serde_json::from_str(&ask("timings").fine()).unwrap();
    assert_eq!(timings["wake_up"]["count"], 0, "nobody takes them down here: {timings}");
    let far = ask("go 1e300 0 0 0");
    assert_eq!(
        (far.code, far.stderr.as_str()),
        (1, "error: `shoulder` would go to 1e300; expected at most 1000000 rad or m\n")
    );
    let refused = ask("follow");
    assert_eq!((refused.code, refused.stderr.as_str()), (1, "error: there is no trajectory to follow\n"));
    let wrong = ask("dance");
    assert_eq!(wrong.code, 2);
    contains(&wrong.stderr, &["unknown command `dance`; expected one of home, hold"]);
    let page = appell(&format!("operate {socket}"));
    assert_eq!(page.code, 2);
    contains(&page.stderr, &["the page needs a terminal"]);
    assert_eq!(ask("quit").fine(), "ok\n");
    thread.join().unwrap();
    drop(server);
    let gone = ask("status");
    assert_eq!(gone.code, 2);
    contains(&gone.stderr, &["file not found"]);
}

#[test]
fn a_trial_that_nobody_runs_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let trial = folder.path().join("trial.toml");
    std::fs::write(&trial, "").unwrap();
    let run = appell(&format!("operate {} status", trial.display()));
    assert_eq!(run.code, 2);
    contains(&run.stderr, &["no controller runs", "appell run"]);
}
