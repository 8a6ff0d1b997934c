//! What the page shows, and what keys do to it. It neither draws nor talks: keys become commands.

use super::news::{Facts, Status};
use appell_realtime::timing::Summary;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::collections::VecDeque;

/// Loads of the period that are kept for the curve.
const LOADS: usize = 200;
/// Messages that are kept.
const MESSAGES: usize = 50;
/// The parts of the largest speed that a jog may have, %.
const SPEEDS: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// The page.
pub(super) struct Page {
    pub(super) facts: Facts,
    pub(super) status: Option<Status>,
    pub(super) loads: VecDeque<u64>,               // of the period, in thousandths
    pub(super) timings: Vec<Summary>,              // of every kind
    pub(super) messages: VecDeque<(String, bool)>, // and whether it is about something wrong
    pub(super) by_freedom: bool,
    pub(super) drive: usize,
    pub(super) freedom: usize,
    pub(super) speed: usize, // of `SPEEDS`
    pub(super) dialog: Option<Dialog>,
    pub(super) is_connected: bool,
}

/// What lies over the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Dialog {
    Help,
    /// The name of a point, so far.
    Teach(String),
    /// The points, and which is chosen.
    Go(Vec<String>, usize),
}

/// What a key asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Nothing,
    Leave,
    /// A command.
    Send(String),
    /// One that is renewed while the key is held.
    Jog(String),
    /// The names of the points are needed.
    AskPoints,
}

fn per_second(unit: &str) -> &'static str {
    if unit == "m" { "m/s" } else { "rad/s" }
}

impl Page {
    pub(super) fn new(facts: Facts) -> Self {
        Self {
            facts,
            status: None,
            loads: VecDeque::new(),
            timings: Vec::new(),
            messages: VecDeque::new(),
            by_freedom: false,
            drive: 0,
            freedom: 0,
            speed: 3,
            dialog: None,
            is_connected: true,
        }
    }

    /// Takes what the robot does now.
    pub(super) fn hear(&mut self, status: Status) {
        self.loads.push_back(if status.load.is_finite() { (1e3 * status.load).clamp(0.0, 1e4) as u64 } else { 0 });
        while self.loads.len() > LOADS {
            self.loads.pop_front();
        }
        let before = self.status.replace(status);
        let now = self.status.as_ref().map(|status| (status.mode.clone(), status.ending.clone()));
        let (Some(before), Some((mode, ending))) = (before, now) else { return };
        if mode == "holding" && ending != "done" && (before.mode != mode || before.ending != ending) {
            self.say(ending, true);
        }
    }

    /// Says something in the list of messages.
    pub(super) fn say(&mut self, message: String, is_wrong: bool) {
        if self.messages.back().is_some_and(|(last, _)| *last == message) {
            return;
        }
        self.messages.push_back((message, is_wrong));
        while self.messages.len() > MESSAGES {
            self.messages.pop_front();
        }
    }

    /// Part of the largest speed, %.
    pub(super) fn percent(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// What is jogged, its speed and the speed's unit.
    pub(super) fn jogged(&self) -> Option<(&str, f64, &'static str)> {
        let part = 0.01 * self.percent();
        if self.by_freedom {
            let freedom = self.facts.freedoms.get(self.freedom)?;
            return Some((&freedom.name, part * freedom.speed, per_second(&freedom.unit)));
        }
        let drive = self.facts.drives.get(self.drive)?;
        Some((&drive.name, part * drive.speed, per_second(&drive.unit)))
    }

    fn jog(&self, sign: f64) -> Action {
        let Some((name, speed, _)) = self.jogged() else { return Action::Nothing };
        let command = if self.by_freedom { "jog-freedom" } else { "jog" };
        Action::Jog(format!("{command} {name} {:?}", sign * speed))
    }

    /// What a key does.
    pub(super) fn press(&mut self, key: KeyEvent) -> Action {
        let send = |command: &str| Action::Send(command.to_owned());
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Action::Leave } else { Action::Nothing };
        }
        // Whatever lies over the page, this stops the robot.
        if key.code == KeyCode::Esc {
            self.dialog = None;
            return send("stop");
        }
        match self.dialog.take() {
            None => {}
            Some(Dialog::Help) => return Action::Nothing,
            Some(Dialog::Teach(name)) => return self.write(name, key.code),
            Some(Dialog::Go(points, chosen)) => return self.choose(points, chosen, key.code),
        }
        match key.code {
            KeyCode::Char('h') => send("home"),
            KeyCode::Char(' ') => send("hold"),
            KeyCode::Char('s') => send("stop"),
            KeyCode::Char('r') => send("reset"),
            KeyCode::Char('m') => send("follow"),
            KeyCode::Char('g') => Action::AskPoints,
            KeyCode::Char('q') => Action::Leave,
            KeyCode::Char('f') => {
                self.by_freedom = !self.by_freedom && !self.facts.freedoms.is_empty();
                send("hold")
            }
            KeyCode::Char('t') => {
                self.dialog = Some(Dialog::Teach(String::new()));
                Action::Nothing
            }
            KeyCode::Char('?') => {
                self.dialog = Some(Dialog::Help);
                Action::Nothing
            }
            KeyCode::Char('+' | '=') => {
                self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
                Action::Nothing
            }
            KeyCode::Char('-') => {
                self.speed = self.speed.saturating_sub(1);
                Action::Nothing
            }
            KeyCode::Up => self.step(false),
            KeyCode::Down => self.step(true),
            KeyCode::Left => self.jog(-1.0),
            KeyCode::Right => self.jog(1.0),
            _ => Action::Nothing,
        }
    }

    fn step(&mut self, down: bool) -> Action {
        let (chosen, many) = match self.by_freedom {
            true => (&mut self.freedom, self.facts.freedoms.len()),
            false => (&mut self.drive, self.facts.drives.len()),
        };
        *chosen = if down { (*chosen + 1).min(many.saturating_sub(1)) } else { chosen.saturating_sub(1) };
        Action::Nothing
    }

    /// A letter of a point's name.
    fn write(&mut self, mut name: String, key: KeyCode) -> Action {
        match key {
            KeyCode::Enter if !name.is_empty() => return Action::Send(format!("teach {name}")),
            KeyCode::Enter => return Action::Nothing,
            KeyCode::Backspace => drop(name.pop()),
            KeyCode::Char(c)
                if c.is_ascii_alphabetic() || (!name.is_empty() && (c.is_ascii_digit() || "-_".contains(c))) =>
            {
                name.push(c);
            }
            _ => {}
        }
        name.truncate(40);
        self.dialog = Some(Dialog::Teach(name));
        Action::Nothing
    }

    fn choose(&mut self, points: Vec<String>, chosen: usize, key: KeyCode) -> Action {
        let chosen = match key {
            KeyCode::Enter => {
                return points.get(chosen).map_or(Action::Nothing, |name| Action::Send(format!("go {name}")));
            }
            KeyCode::Up => chosen.saturating_sub(1),
            KeyCode::Down => (chosen + 1).min(points.len().saturating_sub(1)),
            KeyCode::Char('q' | 'g') | KeyCode::Backspace => return Action::Nothing,
            _ => chosen,
        };
        self.dialog = Some(Dialog::Go(points, chosen));
        Action::Nothing
    }
}
