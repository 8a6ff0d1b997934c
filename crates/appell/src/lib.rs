//! Robot dynamics by the Gibbs-Appell equations: serial, tree-like and parallel robots, any scalar, no allocation in hot
//! calls.
//!
//! The data flows one way, and a module uses only those above it:
//!
//! | module | what it is |
//! |---|---|
//! | [`real`] | what a number must do: `f64`, `f32`, counting, exact derivatives |
//! | [`spatial`] | vectors, tensors, turns, poses |
//! | [`linear`] | small linear systems over any number |
//! | [`description`] | what a user writes, and what is wrong with it |
//! | [`mechanism`] | what we compute with: checked, ordered, immutable |
//! | [`sample`] | seeded random robots and states |
//! | [`kinematics`] | poses, Jacobians, velocities, accelerations |
//! | [`dynamics`] | one file a method: the table question × method × cost |
//! | [`closed`] | parallel robots and closed mechanisms: assembly, mobility, dynamics |
//! | [`robots`] | the built-in robots |
//! | [`question`] | any question by its name: what programs and bindings call |
//! | [`batch`] | many states at once: lanes times cores; one state by the processor's best instructions |
//! | [`codegen`] | recorded expressions, simplified and written as code of one robot |
//! | [`trajectory`] | motions to follow: of joints, frames and platforms, within limits |
//! | [`simulation`] | robots that move by themselves: differential equations, steps, events |
//! | [`control`] | laws that make a robot do what is wanted |
//! | [`scenario`] | a trial in a file: robot, plant, reference, law and wires |
//! | [`papers`] | what the papers print, beside what our programs do |

pub mod real;
pub mod spatial;
pub mod linear;
mod polynomial;
pub mod description;
pub mod mechanism;
pub mod sample;
pub mod kinematics;
pub mod dynamics;
pub mod closed;
pub mod robots;
pub mod question;
pub mod batch;
pub mod codegen;
pub mod trajectory;
pub mod simulation;
pub mod control;
pub mod scenario;
pub mod papers;
