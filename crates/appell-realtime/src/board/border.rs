//! The structs and functions of the header, member by member.

use core::ffi::{c_char, c_double, c_void};

#[repr(C)]
pub(super) struct Setup {
    pub(super) drives: u32,
    pub(super) digital_outputs: u32,
    pub(super) period: c_double,
    pub(super) names: *const *const c_char,
    pub(super) arguments: *const c_char,
    pub(super) lockstep: u32,
}

#[repr(C)]
pub(super) struct Sensors {
    pub(super) sample: u64,
    pub(super) t: c_double,
    pub(super) q: *mut c_double,
    pub(super) v: *mut c_double,
    pub(super) applied: *mut c_double,
    pub(super) hot: *mut u8,
    pub(super) taken: u64,
    pub(super) emergency_stop: u32,
    pub(super) braked: u32,
    pub(super) fault: u32,
    pub(super) fault_drive: u32,
    pub(super) fault_value: c_double,
    pub(super) fault_limit: c_double,
}

#[repr(C)]
pub(super) struct Outputs {
    pub(super) sample: u64,
    pub(super) efforts: *const c_double,
    pub(super) digital: *const u8,
    pub(super) mode: u32,
    pub(super) fault: u32,
}

pub(super) type Abi = unsafe extern "C" fn() -> u32;
pub(super) type Open = unsafe extern "C" fn(*const Setup, *mut *mut c_void) -> i32;
pub(super) type Read = unsafe extern "C" fn(*mut c_void, *mut Sensors, u64) -> i32;
pub(super) type Write = unsafe extern "C" fn(*mut c_void, *const Outputs) -> i32;
pub(super) type Close = unsafe extern "C" fn(*mut c_void);
pub(super) type Message = unsafe extern "C" fn(i32) -> *const c_char;
pub(super) type Now = unsafe extern "C" fn(*mut c_void) -> u64;
pub(super) type SleepUntil = unsafe extern "C" fn(*mut c_void, u64);
