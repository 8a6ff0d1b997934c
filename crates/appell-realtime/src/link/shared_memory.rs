//! Shared memory on one machine: two rings of frames in a file that lives in memory, for its user alone.
//!
//! | word | what |
//! |---|---|
//! | 0 | `APPLMEM1` |
//! | 1 | words of a slot |
//! | 2 | the creator's process |
//! | 3 | the signal by which the controller's law has crashed, 2³² where it has ended the process; 0 before |
//! | 8 | frames that the robot has written so far |
//! | 16 | frames that the controller has written so far |
//! | 24 … | 8 slots of the robot, 8 slots of the controller |
//!
//! Each end locks a byte of the file, the robot the first and the controller the second, so that neither is taken twice, and
//! what a process has left that was killed is known to be nobody's.
//!
//! A slot is a guard, a length in bytes, and the bytes of a frame. Frame k is in slot k mod 8; its guard is 2 k + 1 while it
//! is written and 2 k + 2 afterwards, so that a reader knows whether it has read one whole frame.

use super::Link;
use crate::frame::Frame;
use crate::system::{EXITED, SharedWords, is_byte_locked, lock_byte, now, reserve, tell_crashes, user};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::time::Duration;

const MAGIC: u64 = u64::from_le_bytes(*b"APPLMEM1");
/// The word for the signal of a crash.
const CRASHED: usize = 3;

const SLOTS: usize = 8;
const BEGIN: usize = 24;

/// Words before the bytes of a slot.
const GUARD: usize = 2;

/// Where the two counters are.
const COUNTERS: [usize; 2] = [8, 16];

/// Bytes that the two ends lock.
const ROBOT: u32 = 0;
const CONTROLLER: u32 = 1;

/// Looks before a waiting thread lets others run, and before it sleeps.
const SPINS: u32 = 2_000;
const YIELDS: u32 = 4_000;

/// One end of the memory.
#[derive(Debug)]
pub struct SharedMemory {
    memory: Arc<SharedWords>,
    _file: File,           // has the lock
    path: Option<PathBuf>, // of the one who made it
    slot: usize,           // words
    own: usize,            // 0 the robot's end, 1 the controller's
    sent: u64,
    taken: u64,
    lost: u64,
}

impl SharedMemory {
    /// Where the memory of a name is: a folder that lives in memory.
    #[must_use]
    pub fn place(name: &str) -> PathBuf {
        let folder = Path::new("/dev/shm");
        let folder = if folder.is_dir() { folder.to_owned() } else { std::env::temp_dir() };
        folder.join(format!("appell-{}-{name}", user()))
    }

    /// Makes the memory for frames of so many bytes at most: the robot's end.
    ///
    /// # Errors
    /// If another robot uses the same name, or it cannot be made.
    pub fn make(name: &str, longest: usize) -> io::Result<Self> {
        let path = Self::place(name);
        remove_stale(&path)?;
        let slot = GUARD + longest.div_ceil(8);
        let words = BEGIN + 2 * SLOTS * slot;
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path);
        let file = file.map_err(|error| named(&path, &error))?;
        if !lock_byte(&file, ROBOT)? {
            return Err(in_use(&path, "a robot of the same name begins at this moment"));
        }
        let made = reserve(&file, words * 8).and_then(|()| SharedWords::of(&file, words));
        let memory = made.inspect_err(|_| {
            let _ = fs::remove_file(&path);
        })?;
        memory.words()[1].store(slot as u64, Ordering::Relaxed);
        memory.words()[2].store(u64::from(std::process::id()), Ordering::Relaxed);
        memory.words()[0].store(MAGIC, Ordering::Release); // whoever sees it sees the rest
        let memory = Arc::new(memory);
        Ok(Self { memory, _file: file, path: Some(path), slot, own: 0, sent: 0, taken: 0, lost: 0 })
    }

    /// Opens memory that a robot has made: the controller's end.
    ///
    /// # Errors
    /// If there is none whose robot runs ([`NotFound`](io::ErrorKind::NotFound)), it is another user's, not such memory, or another controller's.
    pub fn open(name: &str) -> io::Result<Self> {
        let path = Self::place(name);
        let file = open(&path)?;
        let other = |what| io::Error::new(io::ErrorKind::InvalidData, format!("{} {what}", path.display()));
        if file.metadata()?.uid() != user() {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!("{} is another user's", path.display()),
            ));
        }
        let none = |what: &str| io::Error::new(io::ErrorKind::NotFound, format!("{}: {what}", path.display()));
        if is_under_construction(&file)? {
            return Err(none("its robot begins at this moment"));
        }
        let (slot, words) = shape(&file).ok_or_else(|| other("is not the memory of a robot"))?;
        if !is_byte_locked(&file, ROBOT)? {
            return Err(none("its robot does not run any more"));
        }
        if !lock_byte(&file, CONTROLLER)? {
            return Err(in_use(&path, "the robot has another controller"));
        }
        let memory = Arc::new(SharedWords::of(&file, words)?);
        let taken = memory.words()[COUNTERS[0]].load(Ordering::Acquire);
        let sent = memory.words()[COUNTERS[1]].load(Ordering::Acquire);
        Ok(Self { memory, _file: file, path: None, slot, own: 1, sent, taken, lost: 0 })
    }

    /// The slot of a frame, of one direction.
    fn slot(&self, end: usize, frame: u64) -> &[AtomicU64] {
        let begin = BEGIN + (end * SLOTS + (frame as usize) % SLOTS) * self.slot;
        &self.memory.words()[begin..begin + self.slot]
    }

    /// Frames that the other end has written so far.
    fn written(&self) -> u64 {
        self.memory.words()[COUNTERS[1 - self.own]].load(Ordering::Acquire)
    }

    /// Reads the frame that is next, if it was not overwritten meanwhile.
    fn read(&self, frame: &mut Frame) -> bool {
        let slot = self.slot(1 - self.own, self.taken);
        let guard = 2 * self.taken + 2;
        if slot[0].load(Ordering::Acquire) != guard {
            return false;
        }
        let length = slot[1].load(Ordering::Relaxed) as usize;
        if length > 8 * (self.slot - GUARD) {
            return false;
        }
        for (bytes, word) in frame.room(length).chunks_mut(8).zip(&slot[GUARD..]) {
            bytes.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes()[..bytes.len()]);
        }
        fence(Ordering::Acquire);
        slot[0].load(Ordering::Relaxed) == guard
    }
}

impl Link for SharedMemory {
    fn send(&mut self, frame: &Frame) -> io::Result<()> {
        let slot = self.slot(self.own, self.sent);
        let bytes = frame.bytes();
        if bytes.len() > 8 * (self.slot - GUARD) {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        slot[0].store(2 * self.sent + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        slot[1].store(bytes.len() as u64, Ordering::Relaxed);
        for (bytes, word) in bytes.chunks_exact(8).zip(&slot[GUARD..]) {
            let mut eight = [0; 8];
            eight.copy_from_slice(bytes);
            word.store(u64::from_le_bytes(eight), Ordering::Relaxed);
        }
        slot[0].store(2 * self.sent + 2, Ordering::Release);
        self.sent += 1;
        self.memory.words()[COUNTERS[self.own]].store(self.sent, Ordering::Release);
        Ok(())
    }

    fn receive(&mut self, frame: &mut Frame, until: u64) -> io::Result<bool> {
        let mut looks = 0;
        loop {
            let written = self.written();
            if written > self.taken {
                // What is older than the ring was overwritten.
                let oldest = written.saturating_sub(SLOTS as u64 - 1);
                if oldest > self.taken {
                    self.lost += oldest - self.taken;
                    self.taken = oldest;
                }
                let is_whole = self.read(frame);
                self.taken += 1;
                if is_whole {
                    return Ok(true);
                }
                self.lost += 1;
                continue;
            }
            if until == 0 {
                return Ok(false);
            }
            looks += 1;
            if looks < SPINS {
                std::hint::spin_loop();
                continue;
            }
            if now() >= until {
                return Ok(false);
            }
            if looks < YIELDS {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(50));
            }
        }
    }

    fn lost(&self) -> u64 {
        self.lost
    }

    /// It was there at once, and both ends have the same clock.
    fn arrived(&self, frame: &Frame) -> Option<u64> {
        Some(frame.stamp())
    }

    fn tell_crashes(&self) {
        tell_crashes(&self.memory, CRASHED);
    }

    fn crashed(&self) -> Option<u64> {
        match self.memory.words()[CRASHED].load(Ordering::Acquire) {
            0 => None,
            EXITED => Some(0),
            signal => Some(signal),
        }
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path); // whoever has it open keeps it
        }
    }
}

/// Whether somebody makes such memory of a file at this moment: its first word comes last.
fn is_under_construction(file: &File) -> io::Result<bool> {
    let head = SharedWords::of(file, 1);
    Ok(file.metadata()?.len() == 0 || head.is_ok_and(|head| head.words()[0].load(Ordering::Acquire) == 0))
}

/// Words of a slot, and of all, if a file is such memory.
fn shape(file: &File) -> Option<(usize, usize)> {
    let head = SharedWords::of(file, BEGIN).ok()?;
    if head.words()[0].load(Ordering::Acquire) != MAGIC {
        return None;
    }
    let slot = usize::try_from(head.words()[1].load(Ordering::Relaxed)).ok()?;
    let words = slot.checked_mul(2 * SLOTS)?.checked_add(BEGIN)?;
    let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
    (slot > GUARD && words.checked_mul(8)? <= length).then_some((slot, words))
}

/// Takes away what a robot has left that does not run any more.
fn remove_stale(path: &Path) -> io::Result<()> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !lock_byte(&file, ROBOT)? {
        let head = SharedWords::of(&file, BEGIN);
        let process = head.map_or(0, |head| head.words()[2].load(Ordering::Relaxed));
        return Err(in_use(path, &format!("a robot of the same name runs already, process {process}")));
    }
    fs::remove_file(path)
}

/// Opens such a file; a link to one is none.
fn open(path: &Path) -> io::Result<File> {
    let opened = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NOFOLLOW).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(libc::ELOOP) => {
            let what = format!("{} is a symbolic link, and not the memory of a robot; remove it", path.display());
            io::Error::new(io::ErrorKind::InvalidData, what)
        }
        _ => named(path, &error),
    })
}

/// An error with the file that it is about.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn in_use(path: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AddrInUse, format!("{what} ({})", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::SECOND;
    use appell_simulation::control::sampled::Sensors;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn frames_arrive_in_order_and_what_was_overwritten_is_counted() {
        let name = format!("test-order-{}", std::process::id());
        let mut robot = SharedMemory::make(&name, 1000).unwrap();
        let mut controller = SharedMemory::open(&name).unwrap();
        let (mut frame, mut found, mut sensors) = (Frame::default(), Frame::default(), Sensors::new(2));
        assert!(!controller.receive(&mut found, 0).unwrap());
        for sample in 0..5 {
            sensors.sample = sample;
            frame.put_sensors(1, 0, &sensors);
            robot.send(&frame).unwrap();
        }
        for sample in 0..5 {
            assert!(controller.receive(&mut found, 0).unwrap() && found.sample() == sample);
        }
        for sample in 5..25 {
            sensors.sample = sample;
            frame.put_sensors(1, 0, &sensors);
            robot.send(&frame).unwrap();
        }
        assert!(controller.receive(&mut found, now() + SECOND).unwrap());
        assert_eq!((found.sample(), controller.lost()), (18, 13), "one slot may be under the pen");
    }

    #[test]
    fn it_is_its_users_alone_and_not_made_twice() {
        let name = format!("test-mode-{}", std::process::id());
        let robot = SharedMemory::make(&name, 100).unwrap();
        let path = SharedMemory::place(&name);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(SharedMemory::make(&name, 100).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        let controller = SharedMemory::open(&name).unwrap();
        assert_eq!(SharedMemory::open(&name).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(controller);
        drop(SharedMemory::open(&name).unwrap());
        drop(robot);
        assert!(!path.exists());
        fs::write(&path, b"something else").unwrap();
        assert_eq!(SharedMemory::open(&name).unwrap_err().kind(), io::ErrorKind::InvalidData);
        drop(SharedMemory::make(&name, 100).unwrap());
        // What a robot has left that was killed is not taken for one that runs, nor what is not complete yet.
        let robot = SharedMemory::make(&name, 100).unwrap();
        let left = fs::read(&path).unwrap();
        drop(robot);
        fs::remove_file(&path).ok();
        std::os::unix::fs::symlink("/dev/null", &path).unwrap();
        for error in [SharedMemory::open(&name).unwrap_err(), SharedMemory::make(&name, 100).unwrap_err()] {
            assert!(
                error.to_string()
                    == format!("{} is a symbolic link, and not the memory of a robot; remove it", path.display())
            );
        }
        fs::remove_file(&path).unwrap();
        for bytes in [&left[..], &[], &[0; 800]] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(SharedMemory::open(&name).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
        fs::remove_file(&path).unwrap();
    }
}
