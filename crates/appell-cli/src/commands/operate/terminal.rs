//! The page in a terminal, from key to key.

use super::draw::draw;
use super::news::{self, Status, timings};
use super::page::{Action, Dialog, Page};
use anyhow::Context;
use appell_realtime::operator::{Client, ClientError};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::path::Path;
use std::time::{Duration, Instant};

/// From look to look at the robot.
const LOOK: Duration = Duration::from_millis(50);
/// From look to look at how long things take.
const LOOK_AT_TIMINGS: Duration = Duration::from_millis(500);
/// A jog goes on so long after the last sign of its key: a terminal says nothing when a key is let go.
const HELD: Duration = Duration::from_millis(150);
/// From try to try to connect again.
const RETRY: Duration = Duration::from_secs(1);

/// Shows the page until it is left. The robot holds then if it was jogged from here.
pub(super) fn show(page: &mut Page, client: Client, socket: &Path) -> anyhow::Result<()> {
    let mut terminal = ratatui::try_init().context("the terminal cannot show a page")?;
    let mut desk = Desk { client: Some(client), socket, tried: Instant::now(), jogs: None };
    let left = desk.run(page, &mut terminal);
    ratatui::restore();
    if desk.jogs.is_some() {
        desk.ask(page, "hold");
    }
    left
}

struct Desk<'s> {
    client: Option<Client>,
    socket: &'s Path,
    tried: Instant,
    jogs: Option<Instant>, // since the last sign of its key
}

impl Desk<'_> {
    fn run(&mut self, page: &mut Page, terminal: &mut DefaultTerminal) -> anyhow::Result<()> {
        let mut looked = Instant::now().checked_sub(LOOK).unwrap_or_else(Instant::now);
        let mut timed = None::<Instant>;
        loop {
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                self.look(page);
                if timed.is_none_or(|timed| timed.elapsed() >= LOOK_AT_TIMINGS) {
                    timed = Some(looked);
                    let heard = self.ask(page, "timings").and_then(|line| timings(&line).ok());
                    page.timings = heard.unwrap_or_default();
                }
            }
            terminal.draw(|frame| draw(page, frame))?;
            if self.jogs.is_some_and(|since| since.elapsed() > HELD) {
                self.jogs = None;
                self.ask(page, "hold");
            }
            // All keys that wait, so that a stop is not behind a queue of repeats.
            let mut wait = LOOK.saturating_sub(looked.elapsed());
            let mut jog = None;
            while event::poll(wait)? {
                wait = Duration::ZERO;
                let Event::Key(key) = event::read()? else { continue };
                if key.kind == KeyEventKind::Release {
                    continue;
                }
                match page.press(key) {
                    Action::Nothing => {}
                    Action::Leave => return Ok(()),
                    Action::Jog(command) => jog = Some(command),
                    Action::Send(command) => {
                        (self.jogs, jog) = (None, None);
                        self.say(page, &command);
                    }
                    Action::AskPoints => {
                        if let Some(points) = self.ask(page, "points") {
                            page.dialog = Some(Dialog::Go(news::points(&points), 0));
                        }
                    }
                }
            }
            if let Some(command) = jog
                && self.ask(page, &command).is_some()
            {
                self.jogs = Some(Instant::now());
            }
        }
    }

    /// Takes the status, or tries to connect again.
    fn look(&mut self, page: &mut Page) {
        if self.client.is_none() && self.tried.elapsed() > RETRY {
            self.tried = Instant::now();
            self.client = Client::connect(self.socket).ok();
            if self.client.is_some() {
                page.say("connected again".to_owned(), false);
            }
        }
        page.is_connected = self.client.is_some();
        if let Some(status) = self.ask(page, "status") {
            match Status::read(&status) {
                Ok(status) => page.hear(status),
                Err(error) => page.say(format!("{error:#}"), true),
            }
        }
    }

    /// Sends a command and shows what is answered.
    fn say(&mut self, page: &mut Page, command: &str) {
        if let Some(answer) = self.ask(page, command) {
            let answer = if answer.is_empty() { "ok" } else { &answer };
            page.say(format!("{command}: {answer}"), false);
        }
    }

    /// Asks; what is wrong is shown.
    fn ask(&mut self, page: &mut Page, line: &str) -> Option<String> {
        match self.client.as_mut()?.ask(line) {
            Ok(answer) => Some(answer),
            Err(ClientError::Answer(wrong)) => {
                page.say(format!("{line}: {wrong}"), true);
                None
            }
            Err(error) => {
                page.say(error.to_string(), true);
                (self.client, self.tried) = (None, Instant::now());
                None
            }
        }
    }
}
