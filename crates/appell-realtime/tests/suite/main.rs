//! Controllers and robots that talk: in lockstep, by the clock, with an operator, and with everything that can go wrong in
//! between.

mod allocations;
mod board;
mod clocks;
mod docs;
mod faults;
mod lockstep;
mod operator;
mod support;
