//! Devices: a processor, or one of NVIDIA's GPUs.

use super::compiled::Compiled;
use super::cuda::Gpu;
use super::{DeviceError, Number, host};
use appell_codegen::emit::device::Code;
use core::fmt;
use core::str::FromStr;

/// Where states are computed. It parses from `cpu`, `cuda`, `cuda:1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Device {
    /// All cores of this machine, in lanes.
    Cpu,
    /// A GPU, counted from 0.
    Cuda(usize),
}

/// What a device says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// Its memory, bytes: in all, and free; `None` of a processor.
    pub memory: Option<(usize, usize)>,
}

impl Device {
    /// All cores of this machine.
    #[must_use]
    pub const fn cpu() -> Self {
        Self::Cpu
    }

    /// A GPU, counted from 0.
    #[must_use]
    pub const fn cuda(ordinal: usize) -> Self {
        Self::Cuda(ordinal)
    }

    /// What it is.
    ///
    /// # Errors
    /// If it is not there.
    pub fn describe(self) -> Result<Description, DeviceError> {
        match self {
            Self::Cpu => Ok(Description { name: host::name()?, memory: None }),
            Self::Cuda(ordinal) => Gpu::get(ordinal)?.describe(),
        }
    }

    /// Compiles a function, or takes it from the cache.
    ///
    /// # Errors
    /// If the device or its compiler is not there.
    pub fn compile<F: Number>(self, code: &Code) -> Result<Compiled<F>, DeviceError> {
        Compiled::new(self, code)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let ordinal = match text {
            "cpu" => return Ok(Self::Cpu),
            "cuda" => Some(0),
            other => other.strip_prefix("cuda:").and_then(|number| number.parse().ok()),
        };
        ordinal.map(Self::Cuda).ok_or_else(|| DeviceError::Name { given: text.into() })
    }
}
