//! The socket: lines of text, each with one line of an answer, for the same user only.
//!
//! One thread waits for all clients together. What a client can do is bounded: the length of a line, the lines dealt with
//! before others have their turn, the answers that it does not read, and how many clients there are.

use super::clerk::{Clerk, Outcome};
use super::desk::Desk;
use super::place::user;
use super::points::{Points, PointsError};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Clients at once.
const MOST_CLIENTS: usize = 8;
/// One that was silent so long makes room for another.
const IDLE: Duration = Duration::from_secs(10);
/// The longest line, bytes.
const LONGEST_LINE: usize = 4096;
/// Lines of a client before the others have their turn.
const LINES_PER_TURN: usize = 8;
/// Answers that a client has not read, bytes: it is not heard before it reads them.
const MOST_UNREAD: usize = 64 << 10;
/// How long the control thread may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the thread waits for something to happen, ms: in all, and while an order is under way.
const WAIT: u16 = 50;
const SHORT_WAIT: u16 = 2;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum ServerError {
    #[error("{}: another controller has this socket", path.display())]
    Taken { path: PathBuf },
    #[error("{} is not a socket; give another path", path.display())]
    NotASocket { path: PathBuf },
    #[error("{}: no socket can be made there: {source}", path.display())]
    Socket { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Points(#[from] PointsError),
}

/// A socket that is served until this is dropped.
#[derive(Debug)]
pub struct Server {
    path: PathBuf,
    identity: (u64, u64), // of the socket: device and inode
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _lock: File,
}

impl Server {
    /// Serves a desk at a socket, with the points of a file. A socket that a dead controller left is replaced.
    ///
    /// # Errors
    /// If another controller has this socket, none can be made, or the file of points cannot be read.
    pub fn start(desk: Desk, socket: &Path, points: &Path) -> Result<Self, ServerError> {
        let path = socket.to_owned();
        let failed = |source| ServerError::Socket { path: path.clone(), source };
        let points = Points::open(points, &desk.facts().drives)?;
        // Who holds the lock is alive; the system takes it from a process that dies.
        let lock_path = with_ending(&path, "lock");
        let lock = File::options().create(true).truncate(false).write(true).open(&lock_path).map_err(failed)?;
        if lock.try_lock().is_err() {
            return Err(ServerError::Taken { path });
        }
        match fs::symlink_metadata(&path) {
            Ok(file) if file.file_type().is_socket() => fs::remove_file(&path).map_err(failed)?,
            Ok(_) => return Err(ServerError::NotASocket { path }),
            Err(_) => {}
        }
        let listener = bind(&path).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let file = fs::symlink_metadata(&path).map_err(failed)?;
        let ends = Arc::new(AtomicBool::new(false));
        let mut serving =
            Serving { listener, clerk: Clerk::new(desk, points), clients: Vec::new(), ends: Arc::clone(&ends) };
        let thread =
            std::thread::Builder::new().name("operator".into()).spawn(move || serving.run()).map_err(failed)?;
        Ok(Self { identity: (file.dev(), file.ino()), path, ends, thread: Some(thread), _lock: lock })
    }

    /// The files that it has made, and that go with it.
    #[must_use]
    pub fn files(&self) -> [PathBuf; 2] {
        [self.path.clone(), with_ending(&self.path, "lock")]
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Release);
        let _ = UnixStream::connect(&self.path); // wakes it
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let own = |file: &fs::Metadata| (file.dev(), file.ino()) == self.identity;
        if fs::symlink_metadata(&self.path).is_ok_and(|file| own(&file)) {
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_file(with_ending(&self.path, "lock"));
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// A socket that nobody else could have connected to at any moment: it is made in a closed folder, and then renamed.
fn bind(path: &Path) -> io::Result<UnixListener> {
    let folder = with_ending(path, &std::process::id().to_string());
    let _ = fs::remove_file(folder.join("s"));
    let _ = fs::remove_dir(&folder);
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let made = folder.join("s");
    let bound = UnixListener::bind(&made).and_then(|listener| {
        fs::set_permissions(&made, Permissions::from_mode(0o600))?;
        fs::rename(&made, path)?;
        Ok(listener)
    });
    if bound.is_err() {
        let _ = fs::remove_file(&made);
    }
    let _ = fs::remove_dir(&folder);
    bound
}

/// What the thread has.
struct Serving {
    listener: UnixListener,
    clerk: Clerk,
    clients: Vec<Client>,
    ends: Arc<AtomicBool>,
}

struct Client {
    stream: UnixStream,
    heard: Vec<u8>, // lines, the last one without its end
    unread: Vec<u8>,
    waits: Option<(u64, Instant)>, // for the control thread
    last: Instant,
    is_over: bool, // after its answers are written
    is_gone: bool,
}

impl Serving {
    fn run(&mut self) {
        while !self.ends.load(Ordering::Acquire) {
            self.wait();
            self.accept();
            self.clerk.desk.status(); // so that the last one is the newest
            for client in &mut self.clients {
                client.read();
            }
            self.deliver();
            for client in &mut self.clients {
                client.turn(&mut self.clerk);
                client.write();
            }
            self.clients.retain(|client| !client.is_gone && !client.has_all());
        }
    }

    /// Waits until a client says something, or can read, or some time has passed.
    fn wait(&self) {
        let mut waiting = vec![PollFd::new(self.listener.as_fd(), PollFlags::POLLIN)];
        let mut timeout = WAIT;
        for client in &self.clients {
            if client.waits.is_some() || client.has_line() {
                timeout = SHORT_WAIT;
            }
            if client.is_over && client.unread.is_empty() {
                continue; // it has hung up, which would end every wait
            }
            let mut flags = PollFlags::empty();
            flags.set(PollFlags::POLLIN, client.hears());
            flags.set(PollFlags::POLLOUT, !client.unread.is_empty());
            waiting.push(PollFd::new(client.stream.as_fd(), flags));
        }
        if poll(&mut waiting, PollTimeout::from(timeout)).is_err() {
            std::thread::sleep(Duration::from_millis(u64::from(SHORT_WAIT))); // a signal: never a busy loop
        }
    }

    fn accept(&mut self) {
        // A few at a time: who only connects does not keep the others waiting.
        for _ in 0..MOST_CLIENTS {
            let Ok((mut stream, _)) = self.listener.accept() else { return };
            if stream.set_nonblocking(true).is_err() || !is_same_user(&stream) {
                continue;
            }
            if self.clients.len() >= MOST_CLIENTS {
                let oldest = self.clients.iter_mut().filter(|client| !client.is_gone).min_by_key(|client| client.last);
                match oldest.filter(|client| client.last.elapsed() > IDLE) {
                    Some(client) => client.is_gone = true,
                    None => {
                        let _ = stream.write(b"error: too many clients; close one\n");
                        continue;
                    }
                }
                self.clients.retain(|client| !client.is_gone);
            }
            self.clients.push(Client {
                stream,
                heard: Vec::new(),
                unread: Vec::new(),
                waits: None,
                last: Instant::now(),
                is_over: false,
                is_gone: false,
            });
        }
    }

    /// Brings the answers of the control thread to those who wait for them.
    fn deliver(&mut self) {
        while let Some((number, text)) = self.clerk.answered() {
            let waits = |client: &&mut Client| client.waits.is_some_and(|(awaited, _)| awaited == number);
            if let Some(client) = self.clients.iter_mut().find(waits) {
                client.waits = None;
                client.answer(&text);
            }
        }
        let gone = self.clerk.desk.is_abandoned();
        for client in &mut self.clients {
            if client.waits.is_some_and(|(_, since)| gone || since.elapsed() > PATIENCE) {
                client.waits = None;
                client.answer("error: the controller does not answer");
            }
        }
    }
}

impl Client {
    fn hears(&self) -> bool {
        !self.is_over && !self.is_gone && self.heard.len() <= LONGEST_LINE && self.unread.len() < MOST_UNREAD
    }

    fn has_line(&self) -> bool {
        self.waits.is_none() && self.unread.len() < MOST_UNREAD && self.heard.contains(&b'\n')
    }

    /// Whether one that says no more has all its answers.
    fn has_all(&self) -> bool {
        self.is_over && self.unread.is_empty() && self.waits.is_none() && !self.has_line()
    }

    fn read(&mut self) {
        let mut bytes = [0; LONGEST_LINE];
        if !self.hears() {
            return;
        }
        match self.stream.read(&mut bytes) {
            Ok(0) => self.is_over = true,
            Ok(n) => {
                self.heard.extend_from_slice(&bytes[..n]);
                self.last = Instant::now();
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.is_gone = true,
        }
    }

    /// Deals with some lines.
    fn turn(&mut self, clerk: &mut Clerk) {
        for _ in 0..LINES_PER_TURN {
            if self.waits.is_some() || self.unread.len() >= MOST_UNREAD {
                return;
            }
            let Some(end) = self.heard.iter().position(|byte| *byte == b'\n') else {
                if self.heard.len() > LONGEST_LINE {
                    self.heard.clear();
                    self.is_over = true;
                    self.answer(&format!("error: a line of more than {LONGEST_LINE} bytes"));
                }
                return;
            };
            let line: Vec<u8> = self.heard.drain(..=end).collect();
            match core::str::from_utf8(&line) {
                Ok(line) => match clerk.hear(line) {
                    Outcome::Answer(text) => self.answer(&text),
                    Outcome::Waits(number) => self.waits = Some((number, Instant::now())),
                },
                Err(_) => self.answer("error: the line is not UTF-8"),
            }
        }
    }

    fn answer(&mut self, text: &str) {
        self.unread.extend_from_slice(text.as_bytes());
        self.unread.push(b'\n');
    }

    fn write(&mut self) {
        while !self.unread.is_empty() && !self.is_gone {
            match self.stream.write(&self.unread) {
                Ok(0) => self.is_gone = true,
                Ok(n) => drop(self.unread.drain(..n)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.is_gone = true,
            }
        }
    }
}

/// Whether the other end belongs to the user who runs this.
#[cfg(target_os = "linux")]
fn is_same_user(stream: &UnixStream) -> bool {
    use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
    getsockopt(stream, PeerCredentials).is_ok_and(|peer| peer.uid() == user())
}

/// Elsewhere the permissions of the socket are what there is.
#[cfg(not(target_os = "linux"))]
fn is_same_user(_: &UnixStream) -> bool {
    let _ = user;
    true
}
