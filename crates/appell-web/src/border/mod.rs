//! The classes and functions of the WebAssembly module: numbers and texts are converted here, and nothing else is done.
#![allow(unsafe_code, reason = "what wasm-bindgen expands to")]
#![allow(missing_docs, reason = "the contract, laboratory/src/contract.ts, has it")]
#![allow(unreachable_pub, reason = "JavaScript reaches them")]

mod bench;
mod motion;

use crate::{reading, timing};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// As JSON text.
fn text(value: &impl Serialize) -> Result<String, JsError> {
    serde_json::to_string(value).map_err(|error| JsError::new(&error.to_string()))
}

/// An `Error` of a message.
fn error(message: String) -> JsError {
    JsError::new(&message)
}

#[wasm_bindgen]
pub fn builtins() -> Result<String, JsError> {
    text(&reading::builtins())
}

#[wasm_bindgen]
pub fn check(robot: &str, file: &str) -> Result<String, JsError> {
    text(&reading::check(robot, file))
}

#[wasm_bindgen]
extern "C" {
    /// Of the browser, in windows and workers, and of Node: ms.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

#[wasm_bindgen]
pub fn bench_inverse_dynamics(calls: u32) -> Result<f64, JsError> {
    let calls = calls.max(1);
    let start = now();
    let sum = timing::inverse_dynamics(calls).map_err(error)?;
    let nanoseconds = 1e6 * (now() - start) / f64::from(calls);
    if sum.is_finite() { Ok(nanoseconds) } else { Err(error("the torques are not finite".into())) }
}

/// Bytes of the module's memory, which never shrinks.
#[wasm_bindgen]
pub fn memory_bytes() -> f64 {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0_usize;
    65536.0 * pages as f64
}

#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
