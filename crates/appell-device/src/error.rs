//! What can go wrong on a device.

use appell::question::AnswerError;
use appell_batch::BatchError;

/// Why a device gives no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum DeviceError {
    #[error("no device is called `{given}`: cpu, cuda, or cuda:1 for the second GPU")]
    Name { given: String },
    #[error("there is no driver of NVIDIA's here (libcuda): install it, or compute on the device `cpu`")]
    NoDriver,
    #[error(
        "NVRTC, CUDA's compiler, is not found: install CUDA and say where by CUDA_HOME, or `pip install nvidia-cuda-nvrtc` and put its folder into LD_LIBRARY_PATH"
    )]
    NoCompiler,
    #[error("there is no device cuda:{asked}: this machine has {}", match count { 0 => "none".to_owned(), 1 => "cuda:0 alone".to_owned(), n => format!("cuda:0 to cuda:{}", n - 1) })]
    NoDevice { asked: usize, count: usize },
    #[error(
        "no C++ compiler runs here (tried {tried}): install g++ or clang, or name one by CXX; without one, `Batch` computes"
    )]
    NoHostCompiler { tried: String },
    #[error("{compiler} refuses generated code, which should not be; it says: {said}")]
    Compiler { compiler: String, said: String },
    #[error("what {compiler} made cannot be loaded: {said}")]
    Load { compiler: String, said: String },
    #[error("{device} has too little memory: {needed_mb} MB are needed at least, {free_mb} MB are free")]
    Memory { device: String, needed_mb: usize, free_mb: usize },
    #[error("{device} is lost ({said}): nothing of this batch is to be used; begin anew with another batch")]
    Lost { device: String, said: String },
    #[error("{device} refuses {what}: {said}")]
    Driver { device: String, what: &'static str, said: String },
    #[error(transparent)]
    Code(#[from] appell_codegen::Refused),
    #[error(transparent)]
    State(#[from] BatchError),
    #[error("state {state}: the answer of generated code is not finite, although {library}")]
    NotFinite { state: usize, library: &'static str },
    #[error("`{port}` has {found} numbers; {expected} are needed, {entries} of each of {count} states")]
    Size { port: String, found: usize, expected: usize, entries: usize, count: usize },
    #[error("argument {place} does not fit `{port}`, which is {expected}")]
    Argument { place: usize, port: String, expected: &'static str },
    #[error("{given} arguments for {expected} ports: {ports}")]
    Arguments { given: usize, expected: usize, ports: String },
    #[error("`{name}` {problem} {ports}")]
    Port { name: String, problem: &'static str, ports: String },
    #[error(
        "generated code of this robot reads the position of every joint: give `Columns` with {ports}, or assemble by `Batch`"
    )]
    Assembled { ports: String },
    #[error(
        "generated code of {question} takes the platform's motion of {robot}, not that of its drives: give `pose`{rest}"
    )]
    Platform { question: &'static str, robot: String, rest: &'static str },
    #[error("folder {folder} of compiled code cannot be written: {said}; name another by APPELL_CACHE")]
    Cache { folder: String, said: String },
    #[error("arrays are on {found}, the batch is on {expected}: copy them there, or ask there")]
    Elsewhere { found: String, expected: String },
}

impl DeviceError {
    /// The state without an answer, and why, if that is what it is.
    #[must_use]
    pub fn of_state(&self) -> Option<(usize, Option<&AnswerError>)> {
        match self {
            Self::State(error) => Some((error.state, Some(&error.source))),
            Self::NotFinite { state, .. } => Some((*state, None)),
            _ => None,
        }
    }
}
