//! Commands, each a line of text.

use core::fmt;
use core::str::FromStr;

/// A command.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the table of commands is the documentation")]
pub enum Command {
    Home,
    Hold,
    Jog { drive: String, speed: f64 },
    JogFreedom { freedom: String, speed: f64 },
    GoToPoint { name: String },
    GoToPositions { positions: Vec<f64> },
    Follow,
    Stop,
    Reset,
    Teach { name: String },
    Forget { name: String },
    Points,
    Status,
    Timings,
    Facts,
    Help,
    Quit,
}

/// Every command: how it is written, and what it does.
pub const COMMANDS: &[(&str, &str)] = &[
    ("home", "go to where the trial starts"),
    ("hold", "come to rest and stay"),
    ("jog DRIVE SPEED", "move one drive at a speed, rad/s or m/s; renewed within 0.5 s or it ends"),
    (
        "jog-freedom FREEDOM SPEED",
        "move tool or platform: vx vy vz (m/s), wx wy wz (rad/s) in base axes; renewed likewise",
    ),
    ("go POINT", "go to a taught point, straight in joint space"),
    ("go Q1 Q2 …", "go to positions of all drives, rad or m"),
    ("follow", "go to the beginning of the trial's trajectory and follow it"),
    ("stop", "emergency stop"),
    ("reset", "after a stop or a fault: hold where the robot is"),
    ("teach NAME", "write the measured positions to the file of points"),
    ("forget NAME", "remove a taught point"),
    ("points", "the taught points, as JSON"),
    ("status", "what the robot does now, as JSON"),
    ("timings", "how long wake-ups, steps, round trips and misses take, with their histograms, as JSON"),
    ("facts", "names, units and limits, as JSON"),
    ("help", "these commands"),
    ("quit", "end the controller"),
];

/// Why a line is not a command.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum CommandError {
    #[error("an empty line; expected a command: {}", words())]
    Empty,
    #[error("unknown command `{word}`; expected one of {}", words())]
    Unknown { word: String },
    #[error("`{command}` has {found} word{} after it; expected `{expected}`", if *found == 1 { "" } else { "s" })]
    Words { command: &'static str, found: usize, expected: &'static str },
    #[error("`{text}` is not a finite number; expected {expected}")]
    Number { text: String, expected: &'static str },
    #[error("`{name}` cannot name a point: expected at most {LONGEST_NAME} letters, digits, - and _, a letter first")]
    Name { name: String },
}

/// The longest name of a point.
const LONGEST_NAME: usize = 40;

fn words() -> String {
    let mut words: Vec<&str> = COMMANDS.iter().filter_map(|(how, _)| how.split(' ').next()).collect();
    words.dedup();
    words.join(", ")
}

/// The shown part of something a stranger wrote: no control characters, not too long.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let plain = |c: char| if c.is_control() { '?' } else { c };
    let mut shown: String = text.chars().take(MOST).map(plain).collect();
    if text.chars().count() > MOST {
        shown.push('…');
    }
    shown
}

/// A name that a point can have.
pub(super) fn check_name(name: &str) -> Result<String, CommandError> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if begins && goes_on && name.len() <= LONGEST_NAME {
        Ok(name.to_owned())
    } else {
        Err(CommandError::Name { name: shown(name) })
    }
}

fn number(text: &str, expected: &'static str) -> Result<f64, CommandError> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| CommandError::Number { text: shown(text), expected })
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Self, CommandError> {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { return Err(CommandError::Empty) };
        let rest: Vec<&str> = words.collect();
        let how = COMMANDS.iter().find(|(how, _)| how.split(' ').next() == Some(command)).map(|(how, _)| *how);
        let Some(how) = how else { return Err(CommandError::Unknown { word: shown(command) }) };
        let name = how.split(' ').next().unwrap_or(how);
        let wrong = || CommandError::Words { command: name, found: rest.len(), expected: how };
        const SPEED: &str = "a speed, rad/s or m/s";
        Ok(match (command, rest.as_slice()) {
            ("jog", [drive, speed]) => Self::Jog { drive: (*drive).to_owned(), speed: number(speed, SPEED)? },
            ("jog-freedom", [freedom, speed]) => {
                Self::JogFreedom { freedom: (*freedom).to_owned(), speed: number(speed, SPEED)? }
            }
            ("go", [name]) if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                Self::GoToPoint { name: check_name(name)? }
            }
            ("go", [_, ..]) => {
                let expected = "positions of all drives, rad or m, or the name of a point";
                Self::GoToPositions {
                    positions: rest.iter().map(|text| number(text, expected)).collect::<Result<_, _>>()?,
                }
            }
            ("teach", [name]) => Self::Teach { name: check_name(name)? },
            ("forget", [name]) => Self::Forget { name: check_name(name)? },
            ("home", []) => Self::Home,
            ("hold", []) => Self::Hold,
            ("follow", []) => Self::Follow,
            ("stop", []) => Self::Stop,
            ("reset", []) => Self::Reset,
            ("points", []) => Self::Points,
            ("status", []) => Self::Status,
            ("timings", []) => Self::Timings,
            ("facts", []) => Self::Facts,
            ("help", []) => Self::Help,
            ("quit", []) => Self::Quit,
            _ => return Err(wrong()),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home => out.write_str("home"),
            Self::Hold => out.write_str("hold"),
            Self::Jog { drive, speed } => write!(out, "jog {drive} {speed:?}"),
            Self::JogFreedom { freedom, speed } => write!(out, "jog-freedom {freedom} {speed:?}"),
            Self::GoToPoint { name } => write!(out, "go {name}"),
            Self::GoToPositions { positions } => {
                out.write_str("go")?;
                positions.iter().try_for_each(|position| write!(out, " {position:?}"))
            }
            Self::Follow => out.write_str("follow"),
            Self::Stop => out.write_str("stop"),
            Self::Reset => out.write_str("reset"),
            Self::Teach { name } => write!(out, "teach {name}"),
            Self::Forget { name } => write!(out, "forget {name}"),
            Self::Points => out.write_str("points"),
            Self::Status => out.write_str("status"),
            Self::Timings => out.write_str("timings"),
            Self::Facts => out.write_str("facts"),
            Self::Help => out.write_str("help"),
            Self::Quit => out.write_str("quit"),
        }
    }
}
