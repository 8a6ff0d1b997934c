//! What only the kernel has: clocks, sleeping to an instant, priorities, cores, locked and shared memory.
//!
//! One of two files with `unsafe`: each call is a system call with arguments of its own, or a view of memory that was mapped
//! for as long as the view lives.
#![allow(unsafe_code, reason = "system calls, and words of shared memory")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Nanoseconds of a second.
pub const SECOND: u64 = 1_000_000_000;

fn checked(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn read_clock(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes one timespec, which is ours.
    let result = unsafe { libc::clock_gettime(clock, &raw mut time) };
    debug_assert_eq!(result, 0, "every Linux has this clock");
    time.tv_sec as u64 * SECOND + time.tv_nsec as u64
}

/// The monotonic clock, ns. Nobody can set it.
#[must_use]
pub fn now() -> u64 {
    read_clock(libc::CLOCK_MONOTONIC)
}

/// How long the machine was suspended since it was started, ns: [`now`] has stood still meanwhile.
#[must_use]
pub fn suspended() -> u64 {
    read_clock(libc::CLOCK_BOOTTIME).saturating_sub(now())
}

/// When the datagram came that was read last from a socket, as an instant of [`now`], where the kernel knows it: it does from
/// the second question on.
#[must_use]
pub fn arrival(socket: &impl AsRawFd) -> Option<u64> {
    /// Of `linux/sockios.h`, for 64 bits.
    const SIOCGSTAMPNS: libc::Ioctl = 0x8907;
    if cfg!(not(target_pointer_width = "64")) {
        return None;
    }
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes one timespec, which is ours.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), SIOCGSTAMPNS, &raw mut time) };
    let came = time.tv_sec as u64 * SECOND + time.tv_nsec as u64;
    let since = read_clock(libc::CLOCK_REALTIME).checked_sub(came).filter(|_| result == 0)?;
    now().checked_sub(since)
}

/// Sleeps until an instant of [`now`]; signals do not wake it for good.
pub fn sleep_until(time: u64) {
    let time = libc::timespec { tv_sec: (time / SECOND) as libc::time_t, tv_nsec: (time % SECOND) as libc::c_long };
    loop {
        // SAFETY: the kernel reads one timespec; an absolute sleep leaves no rest to be written.
        let result = unsafe {
            libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &raw const time, ptr::null_mut())
        };
        if result != libc::EINTR {
            return;
        }
    }
}

/// Lets this thread run before all others of normal priority, at a priority from 1 to 99.
///
/// # Errors
/// Where the user may not (`ulimit -r`, `CAP_SYS_NICE`).
pub fn run_first(priority: i32) -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority: priority };
    // SAFETY: the kernel reads one sched_param; 0 is this thread.
    checked(unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const parameters) })
}

/// Keeps this thread on one core.
///
/// # Errors
/// If there is no such core, or it is not allowed here.
pub fn stay_on_core(core: usize) -> io::Result<()> {
    if core >= libc::CPU_SETSIZE as usize {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    // SAFETY: a cpu_set_t is plain bits, for which zeros are none; CPU_SET stays within it, as was checked.
    checked(unsafe {
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut cores);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const cores)
    })
}

/// Keeps all memory of this process where it is, also what it will ask for.
///
/// # Errors
/// Where the user may not (`ulimit -l`, `CAP_IPC_LOCK`).
pub fn lock_memory() -> io::Result<()> {
    // SAFETY: no memory of ours is touched.
    checked(unsafe { libc::mlockall(libc::MCL_CURRENT | libc::MCL_FUTURE) })
}

/// Takes back what [`run_first`] and [`lock_memory`] did.
pub fn run_as_ever() {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the kernel reads one sched_param; what was not changed stays.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const parameters);
        libc::munlockall();
    }
}

/// Makes a file so many bytes long, all of which are there: where memory is full it is said now, and not by a signal later.
///
/// # Errors
/// If there is no room.
pub fn reserve(file: &File, bytes: usize) -> io::Result<()> {
    let length = libc::off_t::try_from(bytes).map_err(io::Error::other)?;
    // SAFETY: it changes a file that is open, and no memory.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, length) } {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}

/// A random number.
///
/// # Errors
/// Where the kernel has none.
pub fn random() -> io::Result<u64> {
    let mut bytes = [0_u8; 8];
    // SAFETY: the kernel writes at most these eight bytes.
    let written = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if written == 8 { Ok(u64::from_le_bytes(bytes)) } else { Err(io::Error::last_os_error()) }
}

/// The user who runs this program.
#[must_use]
pub fn user() -> u32 {
    // SAFETY: it cannot fail, and touches nothing.
    unsafe { libc::getuid() }
}

/// Waits until something can be read, at most until an instant of [`now`]; whether it can.
///
/// # Errors
/// If it is not something that can be waited for.
pub fn wait_readable(socket: &impl AsRawFd, until: u64) -> io::Result<bool> {
    loop {
        let left = until.saturating_sub(now());
        let time = libc::timespec { tv_sec: (left / SECOND) as libc::time_t, tv_nsec: (left % SECOND) as libc::c_long };
        let mut poll = libc::pollfd { fd: socket.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: the kernel reads one timespec and writes one pollfd, both ours; no signal mask is given.
        let ready = unsafe { libc::ppoll(&raw mut poll, 1, &raw const time, ptr::null()) };
        match ready {
            0 => return Ok(false),
            1.. => return Ok(true),
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}

/// What stands in place of a signal where a law has ended the process by `exit`.
pub const EXITED: u64 = 1 << 32;

/// Where the signal goes by which a law has crashed.
static LAST_WORD: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());

/// From now on a law that crashes leaves the number of its signal, or [`EXITED`], in a word of shared memory, which stays mapped.
///
/// # Panics
/// If there is no such word.
pub fn tell_crashes(memory: &Arc<SharedWords>, word: usize) {
    extern "C" fn tell(signal: i32) {
        let word = LAST_WORD.load(Ordering::Acquire);
        if !word.is_null() {
            let signal = if signal == 0 { EXITED } else { signal.unsigned_abs().into() };
            // SAFETY: the word was mapped, and the memory is never given back.
            unsafe { &*word }.store(signal, Ordering::Release);
        }
    }
    std::mem::forget(Arc::clone(memory));
    let word: *const AtomicU64 = &raw const memory.words()[word];
    LAST_WORD.store(word.cast_mut(), Ordering::Release);
    // SAFETY: it loads and stores atomics alone.
    unsafe { appell_law::crash::set_hook(Some(tell)) };
}

/// Locks one byte of a file for as long as it stays open; whether nobody else has. The lock of a process that has ended,
/// however it ended, is gone.
///
/// # Errors
/// If it is not a file that can be locked.
pub fn lock_byte(file: &File, byte: u32) -> io::Result<bool> {
    let range = range_of(byte);
    // SAFETY: the kernel reads one flock, which is ours.
    match checked(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const range) }) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.raw_os_error(), Some(libc::EAGAIN | libc::EACCES)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether somebody else has locked a byte of a file.
///
/// # Errors
/// If it is not a file that can be locked.
pub fn is_byte_locked(file: &File, byte: u32) -> io::Result<bool> {
    let mut range = range_of(byte);
    // SAFETY: the kernel reads and writes one flock, which is ours.
    checked(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_GETLK, &raw mut range) })?;
    Ok(range.l_type != libc::F_UNLCK as libc::c_short)
}

/// One byte of a file, as a lock of it wants it.
fn range_of(byte: u32) -> libc::flock {
    // SAFETY: a flock is plain numbers, for which zeros are fine; such a lock wants the process to be 0.
    let mut range: libc::flock = unsafe { std::mem::zeroed() };
    range.l_type = libc::F_WRLCK as libc::c_short;
    range.l_whence = libc::SEEK_SET as libc::c_short;
    (range.l_start, range.l_len) = (libc::off_t::from(byte), 1);
    range
}

/// Memory that processes share, as words.
#[derive(Debug)]
pub struct SharedWords {
    start: ptr::NonNull<AtomicU64>,
    words: usize,
}

// SAFETY: it is memory that no thread owns, and words in it are atomic.
unsafe impl Send for SharedWords {}
// SAFETY: likewise.
unsafe impl Sync for SharedWords {}

impl SharedWords {
    /// The words of a file, which must be at least as long.
    ///
    /// # Errors
    /// If it cannot be mapped.
    pub fn of(file: &File, words: usize) -> io::Result<Self> {
        let bytes = words * size_of::<u64>();
        if words == 0 || file.metadata()?.len() < bytes as u64 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        // SAFETY: a new mapping at a place that the kernel chooses; the length was checked against the file's.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = ptr::NonNull::new(start.cast()).ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(Self { start, words })
    }

    /// The words.
    #[must_use]
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping lives as long as this, is aligned to a page, and every pattern of bits is a word.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.words) }
    }
}

impl Drop for SharedWords {
    fn drop(&mut self) {
        // SAFETY: the mapping was made with this length, and nobody has a view of it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.words * size_of::<u64>()) };
    }
}
