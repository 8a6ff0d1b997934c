//! The controller on a real clock, with the robot in another process. For Linux.
//!
//! | module | what it is |
//! |---|---|
//! | [`controller`] | the controller's loop, by the clock or in lockstep with the robot |
//! | [`robot`] | the robot's loop: a simulated one, in a process of its own |
//! | [`hardware`] | the border between the two, which somebody's own boards fit as well |
//! | [`board`] | such boards in a shared library, by a border in C |
//! | [`agreement`] | how the two find each other |
//! | [`frame`], [`link`] | what crosses the border, as bytes, and the ways it takes: shared memory, UDP |
//! | [`log`] | a ring to a thread that has time to write |
//! | [`timing`] | histograms of how long things take |
//! | [`system`] | clocks, priorities, cores, memory: what the kernel has |
//! | [`operator`] | what a person wants of a running controller: commands, a socket for them, what is shown |

#![cfg(target_os = "linux")]

pub mod system;
pub mod timing;
pub mod frame;
pub mod link;
pub mod agreement;
pub mod hardware;
pub mod board;
pub mod robot;
pub mod log;
mod phase;
pub mod controller;
pub mod operator;
