//! A shared library that is open, and one law of it.
#![allow(unsafe_code, reason = "functions of another's library are called")]

use crate::border::{self, ABI};
use crate::crash::{Guard, inside};
use crate::error::{LawError, MOST_OWN};
use crate::guarded::{Guarded, Marked};
use core::ffi::{CStr, c_char, c_void};
use core::ptr;
use std::ffi::CString;
use std::path::Path;

#[cfg(not(unix))]
use libloading::Library as Opened;
#[cfg(unix)]
use libloading::os::unix::Library as Opened;

/// What a law shall drive.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'s> {
    /// Names of the drives.
    pub names: &'s [String],
    /// s from step to step; none in continuous time.
    pub period: Option<f64>,
    /// Names, and one value or several.
    pub parameters: &'s [(String, Vec<f64>)],
}

/// A moment as it is measured, and what is wanted then: one value per drive.
#[derive(Debug, Clone, Copy)]
pub struct Now<'n> {
    /// s.
    pub t: f64,
    /// Positions, rad or m.
    pub q: &'n [f64],
    /// Velocities, rad/s or m/s.
    pub v: &'n [f64],
    /// Wanted positions.
    pub q_d: &'n [f64],
    /// Wanted velocities.
    pub v_d: &'n [f64],
    /// Wanted accelerations.
    pub a_d: &'n [f64],
    /// Pose px py pz qx qy qz qw and twist of the platform, if there is one.
    pub platform: Option<(&'n [f64; 7], &'n [f64; 6])>,
    /// Those that are wanted, and the rate of the twist, if there are.
    pub platform_d: Option<(&'n [f64; 7], &'n [f64; 6], &'n [f64; 6])>,
}

/// A law of a library. It may be moved to another thread between steps.
pub struct Instance {
    state: *mut c_void,
    step: border::Step,
    destroy: border::Destroy,
    message: Option<border::Message>,
    recorded: Option<border::Recorded>,
    efforts: Guarded<f64>,
    own: Guarded<f64>,
    own_names: Vec<String>,
    t: f64, // of the last step, s
    names: Vec<String>,
    law: String,
    library: String,
    called: String, // in the line of a crash
    opened: Option<Opened>,
    _guard: Guard,
}

// SAFETY: the header promises laws that one thread calls at a time, not that it is always the same one.
unsafe impl Send for Instance {}

impl Instance {
    /// Opens a library and makes a law of it.
    ///
    /// # Errors
    /// If there is no such library, it is not a law, or the law refuses.
    pub fn open(path: &Path, setup: &Setup<'_>) -> Result<Self, LawError> {
        let library = path.display().to_string();
        let unreadable = |error: std::io::Error| {
            let why = match error.kind() {
                std::io::ErrorKind::NotFound => "file not found; build the law first".to_owned(),
                _ => error.to_string(),
            };
            LawError::File { library: library.clone(), why }
        };
        // A name without a folder would be looked for among the libraries of the system.
        let path = path.canonicalize().map_err(unreadable)?;
        let guard = Guard::new();
        let mut called = format!("library {library}");
        let opened = inside(&called, || open(&path)).map_err(|error| {
            let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            LawError::NotALibrary { library: library.clone(), why }
        })?;
        let missing = |symbol| LawError::Symbol { library: library.clone(), symbol };
        // SAFETY: the types are those of the header.
        let (abi, name, create, step, destroy, message, recorded) = unsafe {
            (
                find::<border::Abi>(&opened, "appell_law_abi").ok_or_else(|| missing("appell_law_abi"))?,
                find::<border::Name>(&opened, "appell_law_name").ok_or_else(|| missing("appell_law_name"))?,
                find::<border::Create>(&opened, "appell_law_create").ok_or_else(|| missing("appell_law_create"))?,
                find::<border::Step>(&opened, "appell_law_step").ok_or_else(|| missing("appell_law_step"))?,
                find::<border::Destroy>(&opened, "appell_law_destroy").ok_or_else(|| missing("appell_law_destroy"))?,
                find::<border::Message>(&opened, "appell_law_message"),
                find::<border::Recorded>(&opened, "appell_law_recorded"),
            )
        };
        // SAFETY: it takes nothing.
        let found = inside(&called, || unsafe { abi() });
        if !(1..=ABI).contains(&found) {
            return Err(LawError::Version { library, found });
        }
        // SAFETY: it takes nothing, and gives text.
        let law = inside(&called, || unsafe { text(name()) }).unwrap_or_else(|| "without a name".into());
        called = format!("law `{law}` of {library}");

        let c_text = |name: &String| {
            let refused = |_| LawError::Name { library: library.clone(), name: name.clone() };
            CString::new(name.as_str()).map_err(refused)
        };
        let names = setup.names.iter().map(c_text).collect::<Result<Vec<_>, _>>()?;
        let parameter_names = setup.parameters.iter().map(|(name, _)| c_text(name)).collect::<Result<Vec<_>, _>>()?;
        let name_pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let parameters: Vec<border::Parameter> = parameter_names
            .iter()
            .zip(setup.parameters)
            .map(|(name, (_, values))| border::Parameter {
                name: name.as_ptr(),
                values: values.as_ptr(),
                count: values.len() as u32,
            })
            .collect();
        let order = border::Setup {
            drives: names.len() as u32,
            parameters: parameters.len() as u32,
            period: setup.period.unwrap_or(0.0),
            names: name_pointers.as_ptr(),
            parameter: parameters.as_ptr(),
        };
        let mut state = ptr::null_mut();
        // SAFETY: all that `order` points to lasts until the call has returned.
        let status = inside(&called, || unsafe { create(&raw const order, &raw mut state) });
        if status != 0 {
            let why = inside(&called, || why(message, status));
            return Err(LawError::Refused { library, law, why });
        }
        let efforts = Guarded::new(setup.names.len());
        let (names, opened) = (setup.names.to_vec(), Some(opened));
        let mut made = Self {
            state,
            step,
            destroy,
            message,
            recorded,
            efforts,
            own: Guarded::new(0),
            own_names: Vec::new(),
            t: 0.0,
            names,
            law,
            library,
            called,
            opened,
            _guard: guard,
        };
        made.ask_own_names()?;
        Ok(made)
    }

    /// Asks how many own numbers there are, and how they are called.
    fn ask_own_names(&mut self) -> Result<(), LawError> {
        let (Some(recorded), state) = (self.recorded, self.state) else { return Ok(()) };
        // SAFETY: with null pointers it counts.
        let found = inside(&self.called, || unsafe { recorded(state, ptr::null_mut(), ptr::null_mut()) });
        if found > MOST_OWN {
            let (library, law) = (self.library.clone(), self.law.clone());
            return Err(LawError::TooMany { library, law, found });
        }
        let mut names = vec![ptr::null(); found as usize];
        // SAFETY: there is room for as many as it said, and names last as the library does.
        let names: Vec<Option<String>> = inside(&self.called, || unsafe {
            recorded(state, ptr::null_mut(), names.as_mut_ptr());
            names.into_iter().map(|name| text(name)).collect()
        });
        for (name, k) in names.into_iter().zip(1..) {
            let name = name.map(|name| column(&name)).filter(|name| !name.is_empty() && !self.own_names.contains(name));
            self.own_names.push(name.unwrap_or_else(|| k.to_string()));
        }
        self.own = Guarded::new(self.own_names.len());
        Ok(())
    }

    /// How the law calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.law
    }

    /// Its file, as it was given.
    #[must_use]
    pub fn library(&self) -> &str {
        &self.library
    }

    /// The efforts at a moment, N m or N. Allocates nothing.
    ///
    /// # Errors
    /// If the law says that it cannot go on, or its efforts are not all finite. Nothing of them comes through then: zeros,
    /// but for the one that is not finite, so that who stands around it sees which.
    ///
    /// # Panics
    /// If a slice does not have one value per drive.
    pub fn step(&mut self, now: &Now<'_>, efforts: &mut [f64]) -> Result<(), LawError> {
        let n = self.names.len();
        let slices = [now.q, now.v, now.q_d, now.v_d, now.a_d, efforts];
        assert!(slices.iter().all(|slice| slice.len() == n), "one value per drive");
        let none = ptr::null();
        let (pose, twist) = now.platform.map_or((none, none), |(pose, twist)| (pose.as_ptr(), twist.as_ptr()));
        let wanted =
            |(pose, twist, rate): (&[f64; 7], &[f64; 6], &[f64; 6])| (pose.as_ptr(), twist.as_ptr(), rate.as_ptr());
        let (pose_d, twist_d, acceleration_d) = now.platform_d.map_or((none, none, none), wanted);
        let moment = border::Moment {
            t: now.t,
            q: now.q.as_ptr(),
            v: now.v.as_ptr(),
            q_d: now.q_d.as_ptr(),
            v_d: now.v_d.as_ptr(),
            a_d: now.a_d.as_ptr(),
            pose,
            twist,
            pose_d,
            twist_d,
            acceleration_d,
        };
        self.t = now.t;
        efforts.fill(0.0);
        self.efforts.clear();
        let (step, state, written) = (self.step, self.state, self.efforts.values_mut().as_mut_ptr());
        // SAFETY: the state is what `create` made, and all pointers last until the call has returned.
        let status = inside(&self.called, || unsafe { step(state, &raw const moment, written) });
        if let Some(side) = self.efforts.broken() {
            let (library, law) = (self.library.clone(), self.law.clone());
            return Err(LawError::Beyond { library, law, side, what: "efforts", count: n, t: now.t });
        }
        if status != 0 {
            let why = inside(&self.called, || why(self.message, status));
            return Err(LawError::Stopped { library: self.library.clone(), law: self.law.clone(), t: now.t, why });
        }
        let found = self.efforts.values();
        if let Some(k) = found.iter().position(|effort| !effort.is_finite()) {
            let (library, law, joint) = (self.library.clone(), self.law.clone(), self.names[k].clone());
            efforts[k] = found[k];
            return Err(if found[k].is_mark() {
                LawError::Unwritten { library, law, joint, t: now.t }
            } else {
                LawError::NotFinite { library, law, joint, value: found[k], t: now.t }
            });
        }
        efforts.copy_from_slice(found);
        Ok(())
    }

    /// Names of the law's own numbers, which [`recorded`](Self::recorded) gives.
    #[must_use]
    pub fn recorded_names(&self) -> &[String] {
        &self.own_names
    }

    /// Writes the law's own numbers as they are after the last step. Allocates nothing.
    ///
    /// # Errors
    /// If there are not as many as at first, or it writes beside them.
    ///
    /// # Panics
    /// If there are not as many as [`recorded_names`](Self::recorded_names).
    pub fn recorded(&mut self, values: &mut [f64]) -> Result<(), LawError> {
        let expected = self.own_names.len();
        assert_eq!(values.len(), expected, "one value per own number");
        let Some(recorded) = self.recorded.filter(|_| expected > 0) else { return Ok(()) };
        self.own.clear();
        let (state, written) = (self.state, self.own.values_mut().as_mut_ptr());
        // SAFETY: the state is what `create` made, and there is room for as many as it said.
        let found = inside(&self.called, || unsafe { recorded(state, written, ptr::null_mut()) });
        let (library, law, t) = (&self.library, &self.law, self.t);
        if let Some(side) = self.own.broken() {
            let (library, law, what) = (library.clone(), law.clone(), "own numbers");
            return Err(LawError::Beyond { library, law, side, what, count: expected, t });
        }
        if found as usize != expected {
            return Err(LawError::Changed { library: library.clone(), law: law.clone(), found, expected, t });
        }
        values.copy_from_slice(self.own.values());
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let (destroy, state, opened) = (self.destroy, self.state, &mut self.opened);
        // SAFETY: the state is what `create` made, and nobody has it now; then the library has no law left.
        inside(&self.called, || unsafe {
            destroy(state);
            drop(opened.take());
        });
    }
}

/// Opens a library with all that it needs: what is missing is found now and not at the first call.
#[cfg(unix)]
fn open(path: &Path) -> Result<Opened, libloading::Error> {
    // SAFETY: what a library does when it is opened is its own, as its laws are.
    unsafe { Opened::open(Some(path), libloading::os::unix::RTLD_NOW | libloading::os::unix::RTLD_LOCAL) }
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<Opened, libloading::Error> {
    // SAFETY: as above.
    unsafe { Opened::new(path) }
}

/// A function of a library.
///
/// # Safety
/// `T` is its type, and the library stays open while it is called.
unsafe fn find<T: Copy>(opened: &Opened, symbol: &str) -> Option<T> {
    // SAFETY: the caller's.
    unsafe { opened.get::<T>(symbol).ok().map(|symbol| *symbol) }
}

/// A copy of C's text, if there is any.
///
/// # Safety
/// It is null, or ends with a zero byte.
unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: the caller's.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A name as the heading of a column: letters, digits, `_`, `-` and `.`, not many.
fn column(name: &str) -> String {
    const LONGEST: usize = 40;
    let plain = |c: char| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    name.chars().take(LONGEST).map(plain).collect()
}

/// What a status means, in the words of the law.
fn why(message: Option<border::Message>, status: i32) -> String {
    // SAFETY: it takes any number, and gives text or nothing.
    let said = message.and_then(|message| unsafe { text(message(status)) });
    said.map_or_else(|| format!("status {status}"), |said| format!("{said} (status {status})"))
}
