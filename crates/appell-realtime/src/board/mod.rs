//! Somebody's boards in a shared library, by the border of `include/appell_hardware.h` ([`HEADER`]).
//!
//! What a library says is not believed: a status, a number where there is none, values behind the last, samples and times that
//! go back are errors, faults, or samples that are not taken. A crash of it is ours: it is [named](appell_law::crash), and the drives'
//! own watchdog brakes.
//!
//! | file | what it holds |
//! |---|---|
//! | `border` | the structs of the header |
//! | `error` | [`BoardError`]: why boards cannot be used, or do not go on |
#![allow(unsafe_code, reason = "functions of another's library are called")]

mod border;
mod error;

pub use error::{BoardError, Call};

use crate::frame::MOST;
use crate::hardware::{Hardware, Health};
use crate::system::{self, SECOND};
use appell_law::crash::{Guard, inside};
use appell_law::guarded::{Guarded, Marked};
use appell_simulation::control::sampled::{Fault, FaultKind, Mode, Outputs, Sensors};
use core::ffi::{CStr, c_char, c_void};
use core::ptr;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::CString;
use std::io;
use std::path::Path;

/// The version of the header; libraries of all versions up to it are taken.
pub const ABI: u32 = 1;

/// The header, for C and C++.
pub const HEADER: &str = include_str!("../../include/appell_hardware.h");

/// Times of samples that are farther apart are not believed: s, and periods.
const JUMP: f64 = 1.0;
const JUMP_PERIODS: f64 = 100.0;

/// What boards shall drive.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'s> {
    /// Names of the drives.
    pub names: &'s [String],
    /// How many digital outputs there are.
    pub digital_outputs: usize,
    /// s from sample to sample.
    pub period: f64,
    /// For the library alone.
    pub arguments: &'s str,
    /// Whether samples follow each other as fast as they can.
    pub lockstep: bool,
}

/// Boards of a library that are open. Dropped, they brake.
pub struct Board {
    state: *mut c_void,
    read: border::Read,
    write: border::Write,
    close: border::Close,
    message: Option<border::Message>,
    clock: Option<(border::Now, border::SleepUntil)>,
    drives: usize,
    period: f64,
    lockstep: bool,
    q: Guarded<f64>,       // written by read
    v: Guarded<f64>,       // likewise
    applied: Guarded<f64>, // likewise
    hot: Guarded<u8>,      // likewise
    efforts: Vec<f64>,     // of the last outputs
    digital: Vec<u8>,      // likewise
    mode: Mode,            // likewise
    refused: bool,         // since the outputs wanted what no drive gives
    taken: u64,
    next: u64,          // sample
    begin: Option<u64>, // time of the clock at the first sample, ns
    t: Option<f64>,     // of the last sample
    health: Health,
    failed: Option<(i32, BoardError)>, // what ended it, with its status
    library: String,
    called: String,          // in the line of a crash
    opened: Option<Library>, // last but one, so that it is there as long as its functions
    _guard: Guard,
}

impl core::fmt::Debug for Board {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Board").field("library", &self.library).field("health", &self.health).finish_non_exhaustive()
    }
}

impl Board {
    /// Opens a library and the boards that it drives.
    ///
    /// # Errors
    /// If there is no such library, it is not of boards, or these cannot be opened.
    pub fn open(path: &Path, setup: &Setup<'_>) -> Result<Self, BoardError> {
        let library = path.display().to_string();
        let drives = setup.names.len();
        if drives > MOST {
            return Err(BoardError::Drives { library, found: drives });
        }
        let unreadable = |error: io::Error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "file not found".to_owned(),
                _ => error.to_string(),
            };
            BoardError::File { library: library.clone(), why }
        };
        // A name without a folder would be looked for among the libraries of the system.
        let path = path.canonicalize().map_err(unreadable)?;
        let (guard, called) = (Guard::new(), format!("the boards of {library}"));
        // SAFETY: what a library does when it is opened is its own. All that it needs is found now, not at the first call.
        let opened = inside(&called, || unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) });
        let opened = opened.map_err(|error| {
            let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            BoardError::NotALibrary { library: library.clone(), why }
        })?;
        let missing = |symbol| BoardError::Symbol { library: library.clone(), symbol };
        // SAFETY: the types are those of the header, and the library stays open as long as what is found.
        let (abi, open, read, write, close, message, now, sleep_until) = unsafe {
            (
                find::<border::Abi>(&opened, "appell_hardware_abi").ok_or_else(|| missing("appell_hardware_abi"))?,
                find::<border::Open>(&opened, "appell_hardware_open").ok_or_else(|| missing("appell_hardware_open"))?,
                find::<border::Read>(&opened, "appell_hardware_read").ok_or_else(|| missing("appell_hardware_read"))?,
                find::<border::Write>(&opened, "appell_hardware_write")
                    .ok_or_else(|| missing("appell_hardware_write"))?,
                find::<border::Close>(&opened, "appell_hardware_close")
                    .ok_or_else(|| missing("appell_hardware_close"))?,
                find::<border::Message>(&opened, "appell_hardware_message"),
                find::<border::Now>(&opened, "appell_hardware_now"),
                find::<border::SleepUntil>(&opened, "appell_hardware_sleep_until"),
            )
        };
        // SAFETY: it takes nothing.
        let found = inside(&called, || unsafe { abi() });
        if !(1..=ABI).contains(&found) {
            return Err(BoardError::Version { library, found });
        }
        if now.is_some() != sleep_until.is_some() {
            return Err(BoardError::Clock { library });
        }
        let c_text = |text: &str| {
            CString::new(text).map_err(|_| BoardError::Text { library: library.clone(), text: text.to_owned() })
        };
        let names = setup.names.iter().map(|name| c_text(name)).collect::<Result<Vec<_>, _>>()?;
        let name_pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let arguments = c_text(setup.arguments)?;
        let order = border::Setup {
            drives: drives as u32,
            digital_outputs: setup.digital_outputs as u32,
            period: setup.period,
            names: name_pointers.as_ptr(),
            arguments: arguments.as_ptr(),
            lockstep: u32::from(setup.lockstep),
        };
        let mut state = ptr::null_mut();
        // SAFETY: all that `order` points to lasts until the call has returned.
        let status = inside(&called, || unsafe { open(&raw const order, &raw mut state) });
        if status != 0 {
            let why = inside(&called, || why(message, status));
            return Err(BoardError::Refused { library, why });
        }
        Ok(Self {
            state,
            read,
            write,
            close,
            message,
            clock: now.zip(sleep_until),
            drives,
            period: setup.period,
            lockstep: setup.lockstep,
            q: Guarded::new(drives),
            v: Guarded::new(drives),
            applied: Guarded::new(drives),
            hot: Guarded::new(drives),
            efforts: vec![0.0; drives],
            digital: vec![0; setup.digital_outputs],
            mode: Mode::Run,
            refused: false,
            taken: 0,
            next: 0,
            begin: None,
            t: None,
            health: Health::default(),
            failed: None,
            library,
            called,
            opened: Some(opened),
            _guard: guard,
        })
    }

    /// Remembers the first failure.
    fn fail(&mut self, status: i32, error: BoardError) {
        self.failed.get_or_insert((status, error));
    }

    /// Why they do not go on, for who reads, with the fault that it is.
    fn end(&self, sensors: &mut Sensors) -> io::Result<bool> {
        let Some((status, error)) = &self.failed else { return Ok(false) };
        sensors.fault = Some(Fault::of_all(FaultKind::HardwareFailed, f64::from(*status), 0.0));
        Err(io::Error::other(error.clone()))
    }

    /// The time of a sample, if it can be: it goes on, and does not jump.
    fn time(&mut self, written: f64, sample: u64) -> Option<f64> {
        let now = self.now();
        let begin = *self.begin.get_or_insert(now);
        let t = if !written.is_mark() {
            written
        } else if self.lockstep {
            sample as f64 * self.period
        } else {
            now.saturating_sub(begin) as f64 / SECOND as f64
        };
        let most = JUMP.max(JUMP_PERIODS * self.period);
        let is_next = match self.t {
            Some(before) => t > before && t - before <= most,
            None => t.abs() <= most,
        };
        is_next.then_some(t)
    }
}

impl Hardware for Board {
    fn read(&mut self, sensors: &mut Sensors, until: u64) -> io::Result<bool> {
        let n = self.drives;
        assert_eq!(sensors.q.len(), n, "one value per drive");
        self.end(sensors)?;
        for values in [&mut self.q, &mut self.v, &mut self.applied] {
            values.clear();
        }
        self.hot.clear();
        self.applied.values_mut().copy_from_slice(&self.efforts);
        self.hot.values_mut().fill(0);
        let mut given = border::Sensors {
            sample: self.next,
            t: f64::MARK,
            q: self.q.values_mut().as_mut_ptr(),
            v: self.v.values_mut().as_mut_ptr(),
            applied: self.applied.values_mut().as_mut_ptr(),
            hot: self.hot.values_mut().as_mut_ptr(),
            taken: self.taken,
            emergency_stop: 0,
            braked: u32::from(self.mode != Mode::Run),
            fault: 0,
            fault_drive: u32::MAX,
            fault_value: 0.0,
            fault_limit: 0.0,
        };
        // SAFETY: the state is what `open` made, and all pointers last until the call has returned.
        let (read, state) = (self.read, self.state);
        let answer = inside(&self.called, || unsafe { read(state, &raw mut given, until) });
        let of_numbers = [&self.q, &self.v, &self.applied].into_iter().find_map(Guarded::broken);
        let library = || self.library.clone();
        let wrong = if let Some(side) = of_numbers.or(self.hot.broken()) {
            Some(BoardError::Beyond { library: library(), call: Call::Read, side, drives: n })
        } else if answer < 0 {
            let why = inside(&self.called, || why(self.message, answer));
            Some(BoardError::Status { library: library(), call: Call::Read, why })
        } else if answer > 1 {
            Some(BoardError::Answer { library: library(), call: Call::Read, found: answer })
        } else {
            None
        };
        if let Some(wrong) = wrong {
            self.fail(answer, wrong);
            return self.end(sensors);
        }
        if answer == 0 {
            return Ok(false);
        }
        if given.sample < self.next {
            self.health.stale += 1;
            return Ok(false);
        }
        let Some(t) = self.time(given.t, given.sample) else {
            self.health.corrupt += 1;
            self.health.corrupt_in_a_row += 1;
            return Ok(false);
        };
        self.health.corrupt_in_a_row = 0;
        (self.next, self.t) = (given.sample.saturating_add(1), Some(t));
        (sensors.sample, sensors.t, sensors.taken) = (given.sample, t, given.taken);
        sensors.q.copy_from_slice(self.q.values());
        sensors.v.copy_from_slice(self.v.values());
        sensors.applied.copy_from_slice(self.applied.values());
        sensors.hot.iter_mut().zip(self.hot.values()).for_each(|(hot, flag)| *hot = *flag != 0);
        (sensors.emergency_stop, sensors.braked) = (given.emergency_stop != 0, given.braked != 0);
        sensors.fault = fault(&given, n);
        Ok(true)
    }

    fn write(&mut self, outputs: &Outputs) -> io::Result<()> {
        assert_eq!(outputs.efforts.len(), self.drives, "one value per drive");
        assert_eq!(outputs.grippers.len(), self.digital.len(), "one value per digital output");
        // Torques that are not finite do not come through, whoever wants them, and nothing else after them.
        self.refused |= outputs.mode == Mode::Run && !outputs.efforts.iter().all(|effort| effort.is_finite());
        self.mode = match outputs.mode {
            Mode::Run if self.refused => Mode::Brake,
            mode => mode,
        };
        if self.mode == Mode::Run {
            self.efforts.copy_from_slice(&outputs.efforts);
        } else {
            self.efforts.fill(0.0);
        }
        self.digital.iter_mut().zip(&outputs.grippers).for_each(|(digital, on)| *digital = u8::from(*on));
        let given = border::Outputs {
            sample: outputs.sample,
            efforts: self.efforts.as_ptr(),
            digital: self.digital.as_ptr(),
            mode: match self.mode {
                Mode::Run => 0,
                Mode::Brake => 1,
                Mode::End => 2,
            },
            fault: outputs.fault.map_or(0, |fault| u32::from(fault.kind.code())),
        };
        // SAFETY: as for `read`.
        let (write, state) = (self.write, self.state);
        let answer = inside(&self.called, || unsafe { write(state, &raw const given) });
        self.taken = outputs.sample.saturating_add(1);
        if answer == 0 {
            return Ok(());
        }
        let (library, call) = (self.library.clone(), Call::Write);
        let wrong = if answer < 0 {
            let why = inside(&self.called, || why(self.message, answer));
            BoardError::Status { library, call, why }
        } else {
            BoardError::Answer { library, call, found: answer }
        };
        self.fail(answer, wrong.clone());
        Err(io::Error::other(wrong))
    }

    fn now(&mut self) -> u64 {
        // SAFETY: the state is what `open` made.
        self.clock.map_or_else(system::now, |(now, _)| inside(&self.called, || unsafe { now(self.state) }))
    }

    fn sleep_until(&mut self, time: u64) {
        match self.clock {
            // SAFETY: the state is what `open` made.
            Some((_, sleep_until)) => inside(&self.called, || unsafe { sleep_until(self.state, time) }),
            None => system::sleep_until(time),
        }
    }

    fn health(&self) -> Health {
        self.health
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        if self.mode != Mode::End {
            let mut last = Outputs::new(self.drives, self.digital.len());
            (last.sample, last.mode) = (self.taken, Mode::End);
            let _ = self.write(&last); // there is nobody left to hear of it
        }
        // SAFETY: the state is what `open` made, and nobody has it now; then the library has no boards left.
        let (close, state, opened) = (self.close, self.state, &mut self.opened);
        inside(&self.called, || unsafe {
            close(state);
            drop(opened.take());
        });
    }
}

/// A fault that boards report: one of ours, or a number of their own.
fn fault(given: &border::Sensors, drives: usize) -> Option<Fault> {
    if given.fault == 0 {
        return None;
    }
    let known = u16::try_from(given.fault).ok().and_then(FaultKind::of_code);
    let drive = usize::try_from(given.fault_drive).ok().filter(|drive| *drive < drives);
    Some(match known {
        Some(kind) => Fault { kind, drive, value: given.fault_value, limit: given.fault_limit },
        None => Fault { kind: FaultKind::HardwareFailed, drive, value: f64::from(given.fault), limit: 0.0 },
    })
}

/// A function of a library.
///
/// # Safety
/// `T` is its type, and the library stays open while it is called.
unsafe fn find<T: Copy>(opened: &Library, symbol: &str) -> Option<T> {
    // SAFETY: the caller's.
    unsafe { opened.get::<T>(symbol).ok().map(|symbol| *symbol) }
}

/// What a status means, in the words of the library.
fn why(message: Option<border::Message>, status: i32) -> String {
    // SAFETY: it takes any number, and gives text that ends with a zero byte, or nothing.
    let said = message.and_then(|message| unsafe {
        let text = message(status);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    });
    said.map_or_else(|| format!("status {status}"), |said| format!("{said} (status {status})"))
}
