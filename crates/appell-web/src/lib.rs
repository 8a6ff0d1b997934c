//! appell as WebAssembly: a robot on a bench, for pages in a browser. `laboratory/src/contract.ts` says what crosses the border.
//!
//! ```text
//! page ──► border (wasm-bindgen) ──► Bench ──► moves, live, drawn, … ──► appell
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | [`reading`] | robots from texts, with the remarks of the readers |
//! | [`place`] | where a robot is, and which number of `q` belongs to which row of its tree |
//! | `moves` | ways of joints, drives and frames: as far as limits, reach and singularities permit |
//! | [`mod@bench`], `hand` | a robot with its present state, and what moves it |
//! | [`info`], [`drawn`], [`live`] | what does not change, what is seen, what is computed at the present state |
//! | [`singular`], [`assemblies`], [`map`] | uncontrolled motions, other ways to be assembled, maps |
//! | [`vibration`] | modes on the springs of joints and drives |
//! | [`written`] | generated code, and the robot's file in other formats |
//! | [`timing`] | how fast it is |
//! | [`motion`] | robots that move by themselves: laws, trajectories, scenarios |
//! | `border` | the classes and functions of the WebAssembly module: conversions alone |

mod asked;
pub mod numbers;
pub mod reading;
pub mod place;
pub mod drawn;
mod moves;
pub mod bench;
mod hand;
pub mod info;
pub mod live;
pub mod singular;
pub mod vibration;
pub mod assemblies;
pub mod map;
pub mod written;
pub mod timing;
pub mod motion;
mod border;

pub use bench::Bench;
