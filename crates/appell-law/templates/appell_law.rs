//! The border of `appell_law.h` for laws in Rust: implement [`Law`], then `appell_law::export!(MyLaw);`.
//!
//! It needs nothing but the standard library. A law that panics is stopped, and named.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::from_raw_parts;

pub const ABI: u32 = 1;

/// The status of a law that panicked.
pub const PANICKED: i32 = i32::MIN;

/// Why a law cannot be made, or cannot go on: a number other than 0, which [`Law::message`] explains.
pub type Status = i32;

/// A control law.
pub trait Law: Sized {
    /// How messages call it.
    const NAME: &'static CStr;

    /// Makes it for the drives and parameters of a scenario.
    fn new(setup: &Setup<'_>) -> Result<Self, Status>;

    /// Writes the effort of every drive, N m or N.
    fn step(&mut self, now: &Moment<'_>, effort: &mut [f64]) -> Result<(), Status>;

    /// What a status means.
    fn message(_: Status) -> Option<&'static CStr> {
        None
    }

    /// Names of numbers of its own that a record shows, as `own_NAME`.
    const RECORDED: &'static [&'static CStr] = &[];

    /// These numbers after a step, in the order of their names.
    fn recorded(&self, _values: &mut [f64]) {}
}

/// What a law shall drive.
#[allow(dead_code)]
pub struct Setup<'s> {
    /// Names of the drives.
    pub names: Vec<&'s str>,
    /// s from step to step; 0 in continuous time, where a law must not remember: its step is called for trial moments.
    pub period: f64,
    /// Names of the scenario's parameters, and their values.
    pub parameters: Vec<(&'s str, &'s [f64])>,
}

impl Setup<'_> {
    /// One value per drive of a parameter, which is given once for all drives or for each.
    pub fn get(&self, name: &str) -> Option<Vec<f64>> {
        let (_, values) = self.parameters.iter().find(|(known, _)| *known == name)?;
        match values.len() {
            1 => Some(vec![values[0]; self.names.len()]),
            n if n == self.names.len() => Some(values.to_vec()),
            _ => None,
        }
    }
}

/// A moment, as it is measured, and what is wanted then: one value per drive.
#[allow(dead_code)]
pub struct Moment<'m> {
    /// s.
    pub t: f64,
    pub q: &'m [f64],
    pub v: &'m [f64],
    pub q_d: &'m [f64],
    pub v_d: &'m [f64],
    pub a_d: &'m [f64],
    /// Of a platform px py pz qx qy qz qw in base axes, and vx vy vz wx wy wz.
    pub pose: Option<&'m [f64; 7]>,
    pub twist: Option<&'m [f64; 6]>,
    /// Wanted, where the reference is a path of the platform.
    pub pose_d: Option<&'m [f64; 7]>,
    pub twist_d: Option<&'m [f64; 6]>,
    pub acceleration_d: Option<&'m [f64; 6]>,
}

#[repr(C)]
pub struct CParameter {
    name: *const c_char,
    values: *const f64,
    count: u32,
}

#[repr(C)]
pub struct CSetup {
    drives: u32,
    parameters: u32,
    period: f64,
    names: *const *const c_char,
    parameter: *const CParameter,
}

#[repr(C)]
pub struct CMoment {
    t: f64,
    q: *const f64,
    v: *const f64,
    q_d: *const f64,
    v_d: *const f64,
    a_d: *const f64,
    pose: *const f64,
    twist: *const f64,
    pose_d: *const f64,
    twist_d: *const f64,
    acceleration_d: *const f64,
}

/// A law with what a step needs to know of its arguments.
pub struct State<L> {
    law: L,
    drives: usize,
}

unsafe fn slice<'s, T>(start: *const T, count: u32) -> &'s [T] {
    if count == 0 { &[] } else { unsafe { from_raw_parts(start, count as usize) } }
}

unsafe fn text<'s>(text: *const c_char) -> &'s str {
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// # Safety
/// The host's arguments.
pub unsafe fn create<L: Law>(setup: *const CSetup, state: *mut *mut c_void) -> i32 {
    let made = catch_unwind(AssertUnwindSafe(|| unsafe {
        let c = &*setup;
        let parameters = slice(c.parameter, c.parameters);
        let setup = Setup {
            names: slice(c.names, c.drives).iter().map(|&name| text(name)).collect(),
            period: c.period,
            parameters: parameters.iter().map(|p| (text(p.name), slice(p.values, p.count))).collect(),
        };
        let made = State { law: L::new(&setup)?, drives: c.drives as usize };
        *state = Box::into_raw(Box::new(made)).cast();
        Ok(())
    }));
    made.map_or(PANICKED, |made: Result<(), Status>| made.err().unwrap_or(0))
}

/// # Safety
/// The host's arguments.
pub unsafe fn step<L: Law>(state: *mut c_void, now: *const CMoment, effort: *mut f64) -> i32 {
    let done = catch_unwind(AssertUnwindSafe(|| unsafe {
        let State { law, drives } = &mut *state.cast::<State<L>>();
        let (n, c) = (*drives, &*now);
        let now = Moment {
            t: c.t,
            q: from_raw_parts(c.q, n),
            v: from_raw_parts(c.v, n),
            q_d: from_raw_parts(c.q_d, n),
            v_d: from_raw_parts(c.v_d, n),
            a_d: from_raw_parts(c.a_d, n),
            pose: c.pose.cast::<[f64; 7]>().as_ref(),
            twist: c.twist.cast::<[f64; 6]>().as_ref(),
            pose_d: c.pose_d.cast::<[f64; 7]>().as_ref(),
            twist_d: c.twist_d.cast::<[f64; 6]>().as_ref(),
            acceleration_d: c.acceleration_d.cast::<[f64; 6]>().as_ref(),
        };
        law.step(&now, std::slice::from_raw_parts_mut(effort, n))
    }));
    done.map_or(PANICKED, |done| done.err().unwrap_or(0))
}

/// # Safety
/// The host's argument.
pub unsafe fn destroy<L: Law>(state: *mut c_void) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(state.cast::<State<L>>()) })));
}

pub fn message<L: Law>(status: i32) -> *const c_char {
    if status == PANICKED {
        return c"it panicked".as_ptr();
    }
    L::message(status).map_or(std::ptr::null(), CStr::as_ptr)
}

/// # Safety
/// The host's arguments.
pub unsafe fn recorded<L: Law>(state: *const c_void, values: *mut f64, names: *mut *const c_char) -> u32 {
    let n = L::RECORDED.len();
    if !names.is_null() {
        let names = unsafe { std::slice::from_raw_parts_mut(names, n) };
        names.iter_mut().zip(L::RECORDED).for_each(|(name, own)| *name = own.as_ptr());
    }
    if !values.is_null() {
        let _ = catch_unwind(AssertUnwindSafe(|| unsafe {
            let State { law, .. } = &*state.cast::<State<L>>();
            law.recorded(std::slice::from_raw_parts_mut(values, n));
        }));
    }
    n as u32
}

/// Exports a law from the library.
macro_rules! export {
    ($law:ty) => {
        #[unsafe(no_mangle)]
        extern "C" fn appell_law_abi() -> u32 {
            $crate::appell_law::ABI
        }
        #[unsafe(no_mangle)]
        extern "C" fn appell_law_name() -> *const std::ffi::c_char {
            <$law as $crate::appell_law::Law>::NAME.as_ptr()
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn appell_law_create(
            setup: *const $crate::appell_law::CSetup,
            state: *mut *mut std::ffi::c_void,
        ) -> i32 {
            unsafe { $crate::appell_law::create::<$law>(setup, state) }
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn appell_law_step(
            state: *mut std::ffi::c_void,
            now: *const $crate::appell_law::CMoment,
            effort: *mut f64,
        ) -> i32 {
            unsafe { $crate::appell_law::step::<$law>(state, now, effort) }
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn appell_law_destroy(state: *mut std::ffi::c_void) {
            unsafe { $crate::appell_law::destroy::<$law>(state) }
        }
        #[unsafe(no_mangle)]
        extern "C" fn appell_law_message(status: i32) -> *const std::ffi::c_char {
            $crate::appell_law::message::<$law>(status)
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn appell_law_recorded(
            state: *const std::ffi::c_void,
            values: *mut f64,
            names: *mut *const std::ffi::c_char,
        ) -> u32 {
            unsafe { $crate::appell_law::recorded::<$law>(state, values, names) }
        }
    };
}
pub(crate) use export;
