//! Many states of a robot on a device: its code is generated, compiled where it runs, and kept on disk.
//!
//! ```
//! use appell::{Question, Robot};
//! use appell_batch::{Batch, States};
//! use appell_device::{Device, OnDevice};
//!
//! let robot = Robot::builtin("puma560")?;
//! # if std::process::Command::new("c++").arg("--version").output().is_ok() {
//! let mut batch = Batch::new(&robot, Question::Gravity)?.on(Device::cpu())?; // or Device::cuda(0)
//! let count = 1000;
//! let q: Vec<f64> = (0..6 * count).map(|k| (k % 7) as f64 * 0.1).collect();
//! let mut answers = vec![0.0; batch.columns() * count];
//! batch.evaluate(&States { count, q: &q, ..States::default() }, &mut answers)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | [`Device`] | a processor, or one of NVIDIA's GPUs |
//! | [`DeviceBatch`] | a question of one robot for any number of states, there |
//! | [`DeviceRollout`] | robots that move there for many steps, and gradients of that |
//! | [`Compiled`] | any function of `appell_codegen::emit::device`, ready to run |
//! | [`Number`] | `f32` and `f64` |
//! | `source` | the whole text that a compiler gets |
//! | `cache` | what was compiled once: by hash, on disk |
//! | `host` | a processor: its C++ compiler, lanes, all cores |
//! | `cuda` | a GPU: NVRTC, the driver, memory that streams through it |
//! | [`DeviceError`] | what can go wrong |
//!
//! A GPU needs NVIDIA's driver and NVRTC, which are looked for when one is asked for: the crate builds and runs without. A
//! processor needs a C++ compiler: `$CXX`, `c++`, `g++` or `clang++`.

mod argument;
mod batch;
mod cache;
mod compiled;
mod cuda;
mod device;
mod error;
mod host;
mod number;
mod rollout;
mod source;

pub use argument::{Argument, Resident};
pub use batch::{Columns, DeviceBatch, OnDevice, There};
pub use compiled::Compiled;
pub use cuda::memory::{OnGpu, Pinned};
pub use device::{Description, Device};
pub use error::DeviceError;
pub use number::Number;
pub use rollout::{DeviceRollout, Rolled, Rolls};
