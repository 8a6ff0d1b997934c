//! The controller on a real clock, with the robot in another process.
//!
//! | module | what it is |
//! |---|---|
//! | [`operator`] | what a person wants of a running controller: commands, a socket for them, what is shown |

pub mod operator;
