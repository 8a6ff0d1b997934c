//! The page with answers that a controller could give, and keys.

use super::draw::text;
use super::news::{Facts, Status, points, timings};
use super::page::{Action, Dialog, Page};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::json;

fn page(drives: usize) -> Page {
    let drive = |k: usize| {
        json!({ "name": format!("joint{k}"), "unit": if k == 2 { "m" } else { "rad" }, "lower": -2.0, "upper": 2.0,
            "speed": 1.0, "acceleration": 2.0, "effort": if k == 1 { json!(100.0) } else { json!(null) } })
    };
    let facts = json!({ "robot": "Tester", "drives": (0..drives).map(drive).collect::<Vec<_>>(),
        "freedoms": [{ "name": "vx", "unit": "m", "speed": 0.25 }, { "name": "vy", "unit": "m", "speed": 0.25 },
            { "name": "wz", "unit": "rad", "speed": 0.5 }], "period": 1e-3, "trajectory": true });
    Page::new(Facts::read(&facts.to_string()).unwrap())
}

fn status(mode: &str, ending: &str, drives: usize) -> Status {
    let drive = |k: usize| {
        json!({ "name": format!("joint{k}"), "position": 0.25 * k as f64, "velocity": -0.5, "effort": 50.0,
            "wanted": 0.25 * k as f64 + 1e-3, "error": -1e-3 })
    };
    let status = json!({ "t": 12.5, "mode": mode, "ending": ending, "stopped": false, "fault": null, "load": 0.25,
        "periods": 12500, "misses": 3, "drives": (0..drives).map(drive).collect::<Vec<_>>() });
    Status::read(&status.to_string()).unwrap()
}

fn press(page: &mut Page, code: KeyCode) -> Action {
    page.press(KeyEvent::new(code, KeyModifiers::NONE))
}

fn type_in(page: &mut Page, text: &str) -> Action {
    text.chars().map(|c| press(page, KeyCode::Char(c))).last().unwrap_or(Action::Nothing)
}

fn send(command: &str) -> Action {
    Action::Send(command.to_owned())
}

#[test]
fn it_shows_drives_load_and_mode_in_a_small_terminal() {
    let mut page = page(6);
    page.hear(status("following", "done", 6));
    let shown = text(&page, 80, 24).unwrap();
    for expected in [
        "Tester   t = 12.50 s    FOLLOWING",
        "drive position lower upper velocity effort of most wanted error",
        "joint1       0.2500 ──────█───── -0.5000  50.0000 ███░░░   0.2510 -0.0010",
        "joint0            0 ──────█───── -0.5000  50.0000 ······   0.0010 -0.0010",
        "jog  joint0 at ± 0.1000 rad/s, 10 % of the most (+ −)",
        "load of 1 ms",
        "25.0 %, 3 missed",
        "messages",
    ] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&shown).contains(&squeezed(expected)), "{expected}\n{shown}");
    }
    assert_eq!(shown.lines().count(), 24);
    assert!(shown.lines().all(|line| line.chars().count() <= 80));
}

/// Each kind of times is a line of bars with its quantiles, where the terminal has room for them.
#[test]
fn it_shows_how_long_things_take() {
    let mut page = page(6);
    page.hear(status("holding", "done", 6));
    let times = |median: f64| {
        json!({ "count": 1001, "median": median, "p99": 2.0 * median, "p99_9": 3.0 * median, "longest": 4.0 * median,
            "histogram": [[median, 900], [1.5 * median, 100], [2.25 * median, 0], [4.0 * median, 1]] })
    };
    let answer = json!({ "wake_up": times(13e-6), "step": times(1e-6), "round_trip": times(6.02e-3), "missed": 3 });
    page.timings = timings(&answer.to_string()).unwrap();
    let shown = text(&page, 80, 24).unwrap();
    for expected in [
        "periods by time · median · 99 % · 99.9 % · longest",
        "Wake-up    █▆ ▁                  13 µs · 26 µs · 39 µs · 52 µs",
        "Step       █▆ ▁                  1 µs · 2 µs · 3 µs · 4 µs",
        "Round trip █▆ ▁                  6.02 ms · 12 ms · 18.1 ms · 24.1 ms",
        "joint5",
        "messages",
    ] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(!text(&page, 80, 22).unwrap().contains("Round trip"), "a low terminal has no room");
    page.timings = timings("{}").unwrap();
    assert!(text(&page, 80, 24).unwrap().contains("Round trip –"), "nothing is known yet");
    assert!(timings("hello").is_err());
}

#[test]
fn it_shows_what_is_wrong() {
    let mut page = page(2);
    page.hear(status("jogging", "done", 2));
    page.hear(status("holding", "joint `joint1` is at its limit", 2));
    page.hear(status("holding", "joint `joint1` is at its limit", 2));
    assert_eq!(page.messages.len(), 1);
    page.hear(Status {
        fault: Some("fault 7: emergency stop".to_owned()),
        stopped: true,
        ..status("holding", "done", 2)
    });
    page.is_connected = false;
    let shown = text(&page, 80, 24).unwrap();
    for expected in ["joint `joint1` is at its limit", "fault 7: emergency stop", "NO CONNECTION"] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    assert!(text(&page, 40, 10).unwrap().contains("too small"));
}

/// Robots of all sizes, terminals of all sizes, before anything is known and after: nothing panics.
#[test]
fn all_sizes_are_drawn() {
    for drives in [0, 1, 6, 64] {
        let mut page = page(drives);
        for dialog in [
            None,
            Some(Dialog::Help),
            Some(Dialog::Teach("x".repeat(40))),
            Some(Dialog::Go(vec!["a".to_owned(); 99], 98)),
        ] {
            page.dialog = dialog;
            for (width, height) in [(1, 1), (20, 5), (78, 20), (80, 24), (200, 60)] {
                assert!(!text(&page, width, height).unwrap().is_empty());
            }
            page.hear(Status { load: f64::NAN, ..status("holding", "done", drives) });
        }
    }
}

#[test]
fn the_chosen_drive_is_in_sight() {
    let mut page = page(64);
    page.hear(status("holding", "done", 64));
    (0..100).for_each(|_| assert_eq!(press(&mut page, KeyCode::Down), Action::Nothing));
    assert!(text(&page, 80, 24).unwrap().contains("joint63"));
}

#[test]
fn keys_are_commands() {
    let mut page = page(3);
    for (key, command) in [('h', "home"), (' ', "hold"), ('s', "stop"), ('r', "reset"), ('m', "follow")] {
        assert_eq!(press(&mut page, KeyCode::Char(key)), send(command));
    }
    assert_eq!(press(&mut page, KeyCode::Right), Action::Jog("jog joint0 0.1".to_owned()));
    press(&mut page, KeyCode::Down);
    press(&mut page, KeyCode::Char('-'));
    assert_eq!(press(&mut page, KeyCode::Left), Action::Jog("jog joint1 -0.05".to_owned()));
    assert_eq!(press(&mut page, KeyCode::Char('f')), send("hold"));
    assert_eq!(press(&mut page, KeyCode::Right), Action::Jog("jog-freedom vx 0.0125".to_owned()));
    press(&mut page, KeyCode::Down);
    press(&mut page, KeyCode::Down);
    assert_eq!(press(&mut page, KeyCode::Right), Action::Jog("jog-freedom wz 0.025".to_owned()));
    assert_eq!(press(&mut page, KeyCode::Char('q')), Action::Leave);
    assert_eq!(page.press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)), Action::Leave);
    assert_eq!(press(&mut page, KeyCode::Char('?')), Action::Nothing);
    assert!(text(&page, 80, 24).unwrap().contains("EMERGENCY STOP"));
}

#[test]
fn points_are_taught_and_chosen_and_a_stop_goes_through_every_dialog() {
    let mut page = page(3);
    press(&mut page, KeyCode::Char('t'));
    type_in(&mut page, "1 above-2!s");
    assert_eq!(page.dialog, Some(Dialog::Teach("above-2s".to_owned())));
    press(&mut page, KeyCode::Backspace);
    assert_eq!(press(&mut page, KeyCode::Enter), send("teach above-2"));
    assert_eq!(page.dialog, None);
    assert_eq!(press(&mut page, KeyCode::Char('g')), Action::AskPoints);
    page.dialog = Some(Dialog::Go(points(r#"{"here":[1],"there":[2]}"#), 0));
    press(&mut page, KeyCode::Down);
    assert_eq!(press(&mut page, KeyCode::Enter), send("go there"));
    for dialog in [Dialog::Help, Dialog::Teach("a".to_owned()), Dialog::Go(Vec::new(), 0)] {
        page.dialog = Some(dialog);
        assert_eq!((press(&mut page, KeyCode::Esc), &page.dialog), (send("stop"), &None));
    }
    page.dialog = Some(Dialog::Go(Vec::new(), 0));
    assert_eq!(press(&mut page, KeyCode::Enter), Action::Nothing);
}

#[test]
fn answers_that_are_no_json_are_refused() {
    assert!(Facts::read("hello").is_err() && Status::read("").is_err());
    assert!(points("[]").is_empty() && points("x").is_empty());
    assert!(Facts::read("{}").is_ok_and(|facts| facts.drives.is_empty()));
}
