//! `appell operate`: what a person, or a script, wants of a running controller.
//!
//! | file | what it holds |
//! |---|---|
//! | `news` | what the controller has answered, read from JSON |
//! | `page` | what is shown, and what keys do to it |
//! | `draw` | the page as text and colours |
//! | `terminal` | the page in a terminal, from key to key |

mod news;
mod page;
mod draw;
mod terminal;
#[cfg(test)]
mod tests;

use anyhow::{Context, bail, ensure};
use appell_realtime::operator::{Client, ClientError, Command, socket_of};
use news::{Facts, Status};
use page::Page;
use std::fs;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Operate a robot under a running controller: move it, teach points, watch it.
///
/// With a command it is sent, and the answer printed: for scripts. Without one a page is shown in the terminal: joints with
/// torques and errors, the load of the period, how long its parts take, and keys to move the robot; ? lists them. Commands:
///
/// home; hold; jog DRIVE SPEED; jog-freedom FREEDOM SPEED; go POINT; go Q1 Q2 …; follow; stop; reset; teach NAME; forget NAME;
/// points; status; timings; facts; help; quit
///
/// Speeds are in rad/s or m/s, positions in rad or m. A jog ends by itself after 0.5 s unless it is renewed. The controller
/// listens to a socket of the same user only.
///
/// Exit codes: 0 fine; 1 the controller refuses, and the message says why; 2 wrong use, or no controller.
#[derive(clap::Args)]
#[command(after_help = "Example: appell operate trial.toml jog waist 0.1")]
pub(crate) struct Args {
    /// The scenario's file that the controller runs, or its socket
    #[arg(value_name = "TRIAL|SOCKET")]
    target: PathBuf,
    /// A command and its words
    #[arg(value_name = "COMMAND", allow_negative_numbers = true)]
    words: Vec<String>,
    /// Print the page once, as text
    #[arg(long, conflicts_with = "words")]
    once: bool,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let command = match args.words.as_slice() {
        [] => None,
        words => Some(words.join(" ").parse::<Command>()?),
    };
    let socket = socket(&args.target)?;
    let connect = || Client::connect(&socket).map_err(|error| missing(error, &args.target));
    if let Some(command) = command {
        return match connect()?.ask(&command.to_string()) {
            Ok(answer) if answer.is_empty() => {
                writeln!(out, "{}", if json { "{}" } else { "ok" })?;
                Ok(true)
            }
            Ok(answer) if json && !answer.starts_with('{') => {
                writeln!(out, "{}", serde_json::json!({ "answer": answer }))?;
                Ok(true)
            }
            Ok(answer) => {
                writeln!(out, "{answer}")?;
                Ok(true)
            }
            Err(ClientError::Answer(wrong)) => {
                crate::refusal::no(wrong);
                Ok(false)
            }
            Err(error) => Err(error.into()),
        };
    }
    let mut client = connect()?;
    let mut page = Page::new(Facts::read(&client.ask("facts")?)?);
    if args.once {
        page.hear(Status::read(&client.ask("status")?)?);
        page.timings = news::timings(&client.ask("timings")?)?;
        out.write_all(draw::text(&page, 80, 24)?.as_bytes())?;
        return Ok(true);
    }
    ensure!(
        std::io::stdout().is_terminal() && std::io::stdin().is_terminal(),
        "the page needs a terminal; give a command, such as status, or --once"
    );
    terminal::show(&mut page, client, &socket)?;
    Ok(true)
}

/// The socket of a trial, or the one that is given.
fn socket(target: &Path) -> anyhow::Result<PathBuf> {
    let shown = target.display();
    let file = fs::metadata(target).map_err(crate::output::unread).with_context(|| shown.to_string())?;
    if file.file_type().is_socket() {
        return Ok(target.to_owned());
    }
    if !file.is_file() {
        bail!("{shown} is neither a scenario's file nor a socket");
    }
    Ok(socket_of(target)?)
}

fn missing(error: ClientError, target: &Path) -> anyhow::Error {
    let shown = target.display();
    match error {
        ClientError::NotRunning { .. } => {
            anyhow::anyhow!("no controller runs {shown}; start one: appell run {shown} --operate")
        }
        error => error.into(),
    }
}
