//! NVIDIA's GPUs, through the driver that is found at run time.
//!
//! | file | what it holds |
//! |---|---|
//! | [`Gpu`] | a device, opened once |
//! | `compile` | text to code of this device, by NVRTC; which of some ways to compile is the fastest |
//! | [`memory`] | arrays on the device, and those of the host that it copies without help |
//! | `stream` | batches of any size, copied and computed at the same time |
//! | `function` | one function: what is launched |

mod compile;
mod function;
pub(super) mod memory;
mod stream;

pub(super) use stream::Streamed;

use super::{Description, Device, DeviceError};
use cudarc::driver::{CudaContext, DriverError, sys};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A GPU that was opened.
#[derive(Debug, Clone)]
pub(super) struct Gpu {
    pub(super) ordinal: usize,
    pub(super) context: Arc<CudaContext>,
}

impl Gpu {
    /// Opens a GPU, or gives the one that was opened before.
    pub(super) fn get(ordinal: usize) -> Result<Self, DeviceError> {
        static OPENED: Mutex<Option<HashMap<usize, Gpu>>> = Mutex::new(None);
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = opened.get_or_insert_default();
        if let Some(gpu) = opened.get(&ordinal) {
            return Ok(gpu.clone());
        }
        // SAFETY: it only looks for the library. Everything else of the driver panics where there is none.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        let count = match CudaContext::device_count() {
            Ok(count) => usize::try_from(count).unwrap_or(0),
            Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
            Err(error) => return Err(failed(ordinal, "to be asked what there is")(error)),
        };
        if ordinal >= count {
            return Err(DeviceError::NoDevice { asked: ordinal, count });
        }
        let context = CudaContext::new(ordinal).map_err(failed(ordinal, "to be opened"))?;
        // SAFETY: every array is used on streams of this crate alone, which wait for one another where they must.
        unsafe { context.disable_event_tracking() };
        let gpu = Self { ordinal, context };
        opened.insert(ordinal, gpu.clone());
        Ok(gpu)
    }

    pub(super) fn describe(&self) -> Result<Description, DeviceError> {
        let name = self.context.name().map_err(self.failed("to say its name"))?;
        let (free, total) = self.memory()?;
        Ok(Description { name, memory: Some((total, free)) })
    }

    /// Its memory: free, and in all.
    pub(super) fn memory(&self) -> Result<(usize, usize), DeviceError> {
        self.context.bind_to_thread().map_err(self.failed("to be used"))?;
        self.context.mem_get_info().map_err(self.failed("to say how much memory is free"))
    }

    /// The generation of its processors, `sm_90`.
    pub(super) fn architecture(&self) -> Result<String, DeviceError> {
        let (major, minor) = self.context.compute_capability().map_err(self.failed("to say what it is"))?;
        Ok(format!("sm_{major}{minor}"))
    }

    /// How many processors it has.
    pub(super) fn processors(&self) -> Result<u32, DeviceError> {
        let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let count = self.context.attribute(attribute).map_err(self.failed("to say what it is"))?;
        Ok(count.unsigned_abs())
    }

    pub(super) fn device(&self) -> Device {
        Device::Cuda(self.ordinal)
    }

    /// What an error of the driver is called.
    pub(super) fn failed(&self, what: &'static str) -> impl FnOnce(DriverError) -> DeviceError + Copy + use<> {
        failed(self.ordinal, what)
    }
}

fn failed(ordinal: usize, what: &'static str) -> impl FnOnce(DriverError) -> DeviceError + Copy {
    use sys::CUresult as Code;
    move |error| {
        let device = Device::Cuda(ordinal).to_string();
        let said =
            error.error_string().map_or_else(|_| format!("{:?}", error.0), |text| text.to_string_lossy().into_owned());
        match error.0 {
            Code::CUDA_ERROR_OUT_OF_MEMORY => DeviceError::Memory { device, needed_mb: 0, free_mb: 0 },
            Code::CUDA_ERROR_ILLEGAL_ADDRESS
            | Code::CUDA_ERROR_LAUNCH_FAILED
            | Code::CUDA_ERROR_LAUNCH_TIMEOUT
            | Code::CUDA_ERROR_ECC_UNCORRECTABLE
            | Code::CUDA_ERROR_HARDWARE_STACK_ERROR
            | Code::CUDA_ERROR_DEVICE_UNAVAILABLE
            | Code::CUDA_ERROR_SYSTEM_NOT_READY
            | Code::CUDA_ERROR_CONTEXT_IS_DESTROYED
            | Code::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | Code::CUDA_ERROR_ASSERT => DeviceError::Lost { device, said },
            _ => DeviceError::Driver { device, what, said },
        }
    }
}
