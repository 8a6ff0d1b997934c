//! `appell._appell`: what the Python package `appell` computes with.
//!
//! | file | what it holds |
//! |---|---|
//! | `robot` | the class `Robot`: from text, its parts by name, changed copies |
//! | `questions` | a method per question of the table |
//! | `ask` | one state or a batch, by the shapes of what is given |
//! | `shown` | what is asked for beside, and how answers look: arrays, poses, precision |
//! | `state` | one state as it is computed, and what is said about it |
//! | `batch` | many states: blocks, cores, threads, interruption |
//! | `given` | arguments as numbers: vectors, poses, wrenches |
//! | `array` | memory of NumPy's arrays |
//! | `device` | many states on a device, in generated code |
//! | `rollout` | robots that move on a device, and gradients |
//! | `traced` | laws and costs that functions of Python wrote down |
//! | `dlpack` | arrays on GPUs, from PyTorch, JAX and CuPy and back; with `array` the files with `unsafe` |
//! | `solver` | a prepared question with arrays of its own |
//! | `simulation` | motions, free or under a law |
//! | `law`, `record` | a law in Python; what a motion leaves |
//! | `scenario` | whole trials in a file |
//! | `identification` | from recordings to a robot |
//! | `excitation` | motions that tell the unknowns apart |
//! | `waiting` | long calls that Ctrl-C stops |
//! | `generate` | source code of a question |
//! | `place`, `assemble` | configurations of robots with loops: for drives, for a pose, one or all |
//! | `kinematics` | joints for poses of a frame |
//! | `singularities` | how near to singular: at a place, over a map |
//! | `trajectory` | motions to follow, sampled |
//! | `drawing` | pictures, and where everything is for others' pictures |
//! | `agreement` | how far methods for one question differ |
//! | `crossings` | motions through singularities of Type 2 |
//! | `coordinates` | steps along velocities where positions are quaternions |
//! | `errors` | exceptions, which `appell/_errors.py` defines |

mod agreement;
mod array;
mod ask;
mod assemble;
mod batch;
mod change;
mod coordinates;
mod crossings;
mod device;
mod dlpack;
mod drawing;
mod errors;
mod excitation;
mod generate;
mod given;
mod identification;
mod kinematics;
mod law;
mod place;
mod questions;
mod record;
mod robot;
mod rollout;
mod scenario;
mod shown;
mod simulation;
mod singularities;
mod solver;
mod state;
mod traced;
mod trajectory;
mod waiting;

use pyo3::prelude::*;

/// Computes what the package `appell` asks for. It was never run without the interpreter's lock: a free-threaded build is told so, and
/// takes the lock again with a warning of its own.
#[pymodule(gil_used = true)]
fn _appell(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<robot::Robot>()?;
    module.add_class::<solver::Solver>()?;
    module.add_class::<dlpack::DeviceArray>()?;
    module.add_class::<rollout::Rolling>()?;
    module.add_function(wrap_pyfunction!(device::describe_device, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rolling, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::scenario_needs, module)?)?;
    module.add_function(wrap_pyfunction!(scenario::play, module)?)?;
    module.add_function(wrap_pyfunction!(excitation::excite, module)?)?;
    module.add_function(wrap_pyfunction!(identification::identify, module)?)?;
    module.add_function(wrap_pyfunction!(identification::moving, module)?)?;
    module.add_function(wrap_pyfunction!(robot::recognise, module)?)?;
    module.add_function(wrap_pyfunction!(robot::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(drawing::png, module)?)?;
    module.add_function(wrap_pyfunction!(drawing::page, module)?)?;
    module.add_function(wrap_pyfunction!(robot::robots, module)?)?;
    module.add_function(wrap_pyfunction!(robot::questions, module)?)
}
