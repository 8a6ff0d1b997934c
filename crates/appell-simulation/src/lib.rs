//! Robots that move: motions to follow, differential equations and their steps, control laws, sampled loops, and whole
//! trials in a file.
//!
//! | module | what it is |
//! |---|---|
//! | [`trajectory`] | motions to follow: of joints, frames and platforms, within limits |
//! | [`simulation`] | robots that move by themselves: differential equations, steps, events |
//! | [`control`] | laws that make a robot do what is wanted |
//! | [`scenario`] | a trial in a file: robot, plant, reference, law and wires |

pub mod trajectory;
pub mod simulation;
pub mod control;
pub mod scenario;
