//! The other side of the socket: one line asked, one answered.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest answer, bytes.
const LONGEST: u64 = 1 << 20;

/// A connection to a controller.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<UnixStream>,
}

/// Why a controller gives no answer.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum ClientError {
    #[error("no controller runs there: {} {}", socket.display(), if *is_there { "is dead" } else { "is missing" })]
    NotRunning { socket: PathBuf, is_there: bool },
    #[error("{}: {source}", socket.display())]
    Refused { socket: PathBuf, source: io::Error },
    #[error("the controller does not answer within {} s", PATIENCE.as_secs())]
    Silent,
    #[error("the controller has ended the connection")]
    Closed,
    #[error("the connection is lost: {0}")]
    Lost(#[source] io::Error),
    #[error("{0}")]
    Answer(String),
}

impl Client {
    /// Connects to a controller's socket.
    ///
    /// # Errors
    /// If no controller runs there, or it may not be asked.
    pub fn connect(socket: &Path) -> Result<Self, ClientError> {
        let stream = UnixStream::connect(socket).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ClientError::NotRunning { socket: socket.to_owned(), is_there: false },
            io::ErrorKind::ConnectionRefused => ClientError::NotRunning { socket: socket.to_owned(), is_there: true },
            _ => ClientError::Refused { socket: socket.to_owned(), source },
        })?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(ClientError::Lost)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(ClientError::Lost)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Asks a line; the answer without `ok`.
    ///
    /// # Errors
    /// If the connection is lost, or the answer is an error.
    ///
    /// # Panics
    /// If it is more than a line.
    pub fn ask(&mut self, line: &str) -> Result<String, ClientError> {
        assert!(!line.contains('\n'), "one line");
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => ClientError::Silent,
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => ClientError::Closed,
            _ => ClientError::Lost(error),
        };
        self.stream.get_mut().write_all(format!("{line}\n").as_bytes()).map_err(failed)?;
        let mut answer = String::new();
        (&mut self.stream).take(LONGEST).read_line(&mut answer).map_err(failed)?;
        let Some(answer) = answer.strip_suffix('\n') else { return Err(ClientError::Closed) };
        if let Some(wrong) = answer.strip_prefix("error: ") {
            return Err(ClientError::Answer(wrong.to_owned()));
        }
        Ok(answer.strip_prefix("ok").map_or(answer, str::trim_start).to_owned())
    }
}
