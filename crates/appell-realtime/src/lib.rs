//! The controller on a real clock, with the robot in another process.
//!
//! | module | what it is |
//! |---|---|
//! | [`frame`] | what crosses between the two, as bytes |
//! | [`link`] | the ways: shared memory, UDP |
//! | [`system`] | clocks, priorities, cores, memory: what the kernel has |
//! | [`operator`] | what a person wants of a running controller: commands, a socket for them, what is shown |

pub mod system;
pub mod frame;
pub mod link;
pub mod operator;
