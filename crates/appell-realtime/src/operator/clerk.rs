//! What a line is answered: by what is known at the desk, or by the control thread.

use super::command::{COMMANDS, Command};
use super::desk::{Desk, Order};
use super::points::Points;
use appell::description::plain;
use appell_simulation::control::operated::{FARTHEST, Order as Move, Positions, Refusal};
use serde_json::{Map, Value, json};

/// Knows the points and the robot's names.
pub(super) struct Clerk {
    pub(super) desk: Desk,
    points: Points,
}

/// What comes of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// The answer.
    Answer(String),
    /// The control thread answers the order of this number.
    Waits(u64),
}

impl Clerk {
    pub(super) fn new(desk: Desk, points: Points) -> Self {
        Self { desk, points }
    }

    /// Deals with a line.
    pub(super) fn hear(&mut self, line: &str) -> Outcome {
        match line.parse().map_err(|error| format!("{error}")).and_then(|command| self.obey(&command)) {
            Ok(outcome) => outcome,
            Err(wrong) => Outcome::Answer(format!("error: {wrong}")),
        }
    }

    fn obey(&mut self, command: &Command) -> Result<Outcome, String> {
        let facts = self.desk.facts();
        let order = match command {
            Command::Help => {
                let all: Vec<&str> = COMMANDS.iter().map(|(how, _)| *how).collect();
                return Ok(Outcome::Answer(format!("ok {}", all.join("; "))));
            }
            Command::Facts => return Ok(Outcome::Answer(facts.to_json().to_string())),
            Command::Points => {
                let points = self.points.all().map_err(|error| error.to_string())?;
                let points = points.into_iter().map(|(name, positions)| (name, json!(positions)));
                return Ok(Outcome::Answer(Value::Object(points.collect::<Map<_, _>>()).to_string()));
            }
            Command::Status => return self.status().map(Outcome::Answer),
            Command::Timings => return Ok(Outcome::Answer(self.desk.live().timings().to_json().to_string())),
            Command::Stop => {
                self.desk.stop();
                return Ok(Outcome::Answer("ok stopping".to_owned()));
            }
            Command::Teach { name } => return self.teach(name).map(Outcome::Answer),
            Command::Forget { name } => {
                self.points.forget(name).map_err(|error| error.to_string())?;
                return Ok(Outcome::Answer(format!("ok forgot {name}")));
            }
            Command::Reset => Order::Reset,
            Command::Quit => Order::Quit,
            Command::Home => Order::Move(Move::Home),
            Command::Hold => Order::Move(Move::Hold),
            Command::Follow => Order::Move(Move::Follow),
            Command::Jog { drive, speed } => {
                Order::Move(Move::Jog { drive: find("drive", drive, &facts.drives)?, speed: *speed })
            }
            Command::JogFreedom { freedom, speed } => {
                let freedom = find("degree of freedom", freedom, &facts.freedoms)?;
                Order::Move(Move::JogFreedom { freedom, speed: *speed })
            }
            Command::GoToPoint { name } => {
                let positions = self.points.get(name).map_err(|error| error.to_string())?;
                Order::Move(Move::GoTo(Positions::of(&positions)))
            }
            Command::GoToPositions { positions } => {
                let (found, expected) = (positions.len(), facts.drives.len());
                if found != expected {
                    return Err(format!("{found} positions; expected {expected}: {}", facts.drives.join(", ")));
                }
                Order::Move(Move::GoTo(Positions::of(positions)))
            }
        };
        self.desk.order(order).map(Outcome::Waits).ok_or_else(|| "the controller is busy; try again".to_owned())
    }

    fn status(&mut self) -> Result<String, String> {
        let status = *self.desk.status().ok_or(NOT_YET)?;
        Ok(status.to_json(self.desk.facts()).to_string())
    }

    fn teach(&mut self, name: &str) -> Result<String, String> {
        let status = *self.desk.status().ok_or(NOT_YET)?;
        if status.q().iter().any(|q| !q.is_finite()) {
            return Err("the positions of the drives are not known".to_owned());
        }
        self.points.teach(name, status.q()).map_err(|error| error.to_string())?;
        Ok(format!("ok taught {name}"))
    }

    /// What the control thread has answered.
    pub(super) fn answered(&mut self) -> Option<(u64, String)> {
        let (number, answer) = self.desk.answer()?;
        let facts = self.desk.facts();
        let text = match answer {
            Ok(()) => "ok".to_owned(),
            // With names in place of numbers.
            Err(Refusal::BeyondLimit { drive, value, limit }) => {
                let name = facts.drives.get(drive).map_or("?", String::as_str);
                format!("error: `{name}` would go to {}, beyond its limit {}", plain(value), plain(limit))
            }
            Err(Refusal::TooFar { drive, value }) => {
                let name = facts.drives.get(drive).map_or("?", String::as_str);
                format!("error: `{name}` would go to {}; expected at most {} rad or m", plain(value), plain(FARTHEST))
            }
            Err(refusal) => format!("error: {refusal}"),
        };
        Some((number, text))
    }
}

const NOT_YET: &str = "the controller has not shown anything yet";

/// A thing by its name or its number from 1.
fn find(what: &str, name: &str, known: &[String]) -> Result<usize, String> {
    let by_number = || name.parse().ok().and_then(|number: usize| number.checked_sub(1)).filter(|k| *k < known.len());
    known.iter().position(|known| known == name).or_else(by_number).ok_or_else(|| {
        let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        format!("unknown {what} `{shown}`; expected {known}, or its number from 1")
    })
}
