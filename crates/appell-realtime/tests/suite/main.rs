//! The controller on a real clock.

#[cfg(unix)]
mod operator;
