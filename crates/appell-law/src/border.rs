//! The structs of `include/appell_law.h`, member by member.

use core::ffi::{c_char, c_double, c_void};

/// The version of the header; libraries of all versions up to it are taken.
pub const ABI: u32 = 1;

/// `appell_law_parameter`.
#[repr(C)]
pub(crate) struct Parameter {
    pub(crate) name: *const c_char,
    pub(crate) values: *const c_double,
    pub(crate) count: u32,
}

/// `appell_law_setup`.
#[repr(C)]
pub(crate) struct Setup {
    pub(crate) drives: u32,
    pub(crate) parameters: u32,
    pub(crate) period: c_double,
    pub(crate) names: *const *const c_char,
    pub(crate) parameter: *const Parameter,
}

/// `appell_law_moment`.
#[repr(C)]
pub(crate) struct Moment {
    pub(crate) t: c_double,
    pub(crate) q: *const c_double,
    pub(crate) v: *const c_double,
    pub(crate) q_d: *const c_double,
    pub(crate) v_d: *const c_double,
    pub(crate) a_d: *const c_double,
    pub(crate) pose: *const c_double,
    pub(crate) twist: *const c_double,
    pub(crate) pose_d: *const c_double,
    pub(crate) twist_d: *const c_double,
    pub(crate) acceleration_d: *const c_double,
}

pub(crate) type Abi = unsafe extern "C" fn() -> u32;
pub(crate) type Name = unsafe extern "C" fn() -> *const c_char;
pub(crate) type Create = unsafe extern "C" fn(*const Setup, *mut *mut c_void) -> i32;
pub(crate) type Step = unsafe extern "C" fn(*mut c_void, *const Moment, *mut c_double) -> i32;
pub(crate) type Destroy = unsafe extern "C" fn(*mut c_void);
pub(crate) type Message = unsafe extern "C" fn(i32) -> *const c_char;
pub(crate) type Recorded = unsafe extern "C" fn(*const c_void, *mut c_double, *mut *const c_char) -> u32;
