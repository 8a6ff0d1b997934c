//! Arrays on a GPU, and those of the host that it copies without help.

use super::Gpu;
use crate::{Compiled, Device, DeviceError, Number, Resident, source};
use core::any::Any;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, result, sys};
use std::sync::Arc;

/// Numbers in the memory of a GPU.
pub struct OnGpu<F> {
    gpu: Gpu,
    pointer: sys::CUdeviceptr,
    len: usize,
    _owner: Box<dyn Any + Send + Sync>,
    of: PhantomData<F>,
}

impl<F> core::fmt::Debug for OnGpu<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} numbers on {}", self.len, self.gpu.device())
    }
}

impl<F: Number> OnGpu<F> {
    /// Copies numbers there.
    ///
    /// # Errors
    /// If there is no such GPU, or its memory is too small.
    pub fn copy(device: Device, numbers: &[F]) -> Result<Self, DeviceError> {
        let mut array = Self::zeros(device, numbers.len())?;
        array.set(numbers)?;
        Ok(array)
    }

    /// So many zeros.
    ///
    /// # Errors
    /// As above.
    pub fn zeros(device: Device, len: usize) -> Result<Self, DeviceError> {
        let Device::Cuda(ordinal) = device else {
            return Err(DeviceError::Elsewhere { found: device.to_string(), expected: "a GPU".into() });
        };
        let gpu = Gpu::get(ordinal)?;
        let stream = gpu.context.default_stream();
        let mut array = allocated::<F>(&gpu, &stream, len)?;
        stream.memset_zeros(&mut array).map_err(gpu.failed("to set memory"))?;
        let pointer = pointer(&array, &stream);
        Ok(Self { gpu, pointer, len, _owner: Box::new(array), of: PhantomData })
    }

    /// Numbers that somebody else has put there, as long as `owner` lives: how arrays of PyTorch, JAX and `CuPy` are taken.
    ///
    /// # Errors
    /// If there is no such GPU, or the memory is not its.
    ///
    /// # Safety
    /// `pointer` must be that of `len` numbers that nobody writes until `owner` is dropped.
    pub unsafe fn borrowed(
        device: Device,
        pointer: u64,
        len: usize,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Result<Self, DeviceError> {
        let Device::Cuda(ordinal) = device else {
            return Err(DeviceError::Elsewhere { found: device.to_string(), expected: "a GPU".into() });
        };
        let gpu = Gpu::get(ordinal)?;
        gpu.context.bind_to_thread().map_err(gpu.failed("to be used"))?;
        let mut owner_of_memory = -1_i32;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        // SAFETY: it writes one number, and reads nothing from the address.
        let code = unsafe { sys::cuPointerGetAttribute((&raw mut owner_of_memory).cast(), attribute, pointer) };
        if len > 0 && (code != sys::CUresult::CUDA_SUCCESS || usize::try_from(owner_of_memory) != Ok(ordinal)) {
            let found =
                if owner_of_memory < 0 { "no GPU".into() } else { Device::Cuda(owner_of_memory as usize).to_string() };
            return Err(DeviceError::Elsewhere { found, expected: device.to_string() });
        }
        // Whoever fills them may still be at work on a stream of its own.
        gpu.context.synchronize().map_err(gpu.failed("to compute"))?;
        Ok(Self { gpu, pointer, len, _owner: owner, of: PhantomData })
    }

    /// The same numbers in columns, where they are rows of so many.
    ///
    /// # Errors
    /// If the device fails.
    ///
    /// # Panics
    /// If they are not whole rows.
    pub fn columns_of_rows(&self, width: usize) -> Result<Self, DeviceError> {
        let device = self.device();
        let mut columns = Self::zeros(device, self.len)?;
        if width < 2 || self.len == 0 {
            return self.copied();
        }
        assert_eq!(self.len % width, 0, "whole rows");
        let mut turn: Compiled<F> = device.compile(&source::turning(width))?;
        turn.run_there(self.len / width, &mut [Resident::Read(self), Resident::Written(&mut columns)])?;
        Ok(columns)
    }

    /// The same numbers in memory of their own.
    ///
    /// # Errors
    /// If the device fails.
    pub fn copied(&self) -> Result<Self, DeviceError> {
        let columns = Self::zeros(self.device(), self.len)?;
        // SAFETY: both have as many numbers.
        unsafe { result::memcpy_dtod_sync(columns.pointer, self.pointer, self.len * size_of::<F>()) }
            .map_err(self.gpu.failed("to copy"))?;
        Ok(columns)
    }

    /// Where it is.
    #[must_use]
    pub fn device(&self) -> Device {
        self.gpu.device()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where they begin.
    #[must_use]
    pub fn pointer(&self) -> u64 {
        self.pointer
    }

    /// Copies other numbers there.
    ///
    /// # Errors
    /// If the device fails.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn set(&mut self, numbers: &[F]) -> Result<(), DeviceError> {
        assert_eq!(numbers.len(), self.len, "as many numbers as there are");
        self.gpu.context.bind_to_thread().map_err(self.gpu.failed("to be used"))?;
        // SAFETY: as many numbers as the array has; the copy has ended when the call returns.
        unsafe { result::memcpy_htod_sync(self.pointer, numbers) }.map_err(self.gpu.failed("to copy"))
    }

    /// Copies them back.
    ///
    /// # Errors
    /// If the device fails.
    pub fn to_vec(&self) -> Result<Vec<F>, DeviceError> {
        let mut numbers = vec![F::default(); self.len];
        self.gpu.context.bind_to_thread().map_err(self.gpu.failed("to be used"))?;
        // SAFETY: as above.
        unsafe { result::memcpy_dtoh_sync(&mut numbers, self.pointer) }.map_err(self.gpu.failed("to copy"))?;
        Ok(numbers)
    }
}

/// Where an array begins.
pub(super) fn pointer<F>(array: &CudaSlice<F>, stream: &CudaStream) -> sys::CUdeviceptr {
    array.device_ptr(stream).0
}

/// Memory for so many numbers, with nothing of use in it.
pub(super) fn allocated<F: Number>(
    gpu: &Gpu,
    stream: &Arc<CudaStream>,
    len: usize,
) -> Result<CudaSlice<F>, DeviceError> {
    // SAFETY: all is written before it is read.
    let array = unsafe { stream.alloc::<F>(len.max(1)) };
    array.map_err(|error| match gpu.failed("memory")(error) {
        DeviceError::Memory { device, .. } => {
            let free = gpu.memory().map_or(0, |(free, _)| free);
            DeviceError::Memory { device, needed_mb: len * size_of::<F>() / 1_000_000, free_mb: free / 1_000_000 }
        }
        other => other,
    })
}

/// Numbers of the host that stay where they are: a GPU copies them by itself, while the processor does other things.
pub struct Pinned<F> {
    pointer: *mut F,
    len: usize,
    gpu: Gpu,
}

// SAFETY: it owns its memory as a vector does.
unsafe impl<F: Send> Send for Pinned<F> {}
// SAFETY: as above.
unsafe impl<F: Sync> Sync for Pinned<F> {}

impl<F: Number> Pinned<F> {
    /// So many zeros, for a GPU.
    ///
    /// # Errors
    /// If there is no such GPU, or the host gives no such memory.
    pub fn zeros(device: Device, len: usize) -> Result<Self, DeviceError> {
        let Device::Cuda(ordinal) = device else {
            return Err(DeviceError::Elsewhere { found: device.to_string(), expected: "a GPU".into() });
        };
        Self::of(&Gpu::get(ordinal)?, len)
    }

    pub(super) fn of(gpu: &Gpu, len: usize) -> Result<Self, DeviceError> {
        gpu.context.bind_to_thread().map_err(gpu.failed("to be used"))?;
        let bytes = len.max(1) * size_of::<F>();
        // SAFETY: the memory is set to zeros, which are numbers, before anybody sees it.
        let pointer = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_PORTABLE) }
            .map_err(gpu.failed("memory of the host"))?
            .cast::<F>();
        // SAFETY: as long as it was asked for.
        unsafe { pointer.write_bytes(0, len.max(1)) };
        Ok(Self { pointer, len, gpu: gpu.clone() })
    }
}

impl<F> Drop for Pinned<F> {
    fn drop(&mut self) {
        self.gpu.context.bind_to_thread().ok();
        // SAFETY: it was given by `malloc_host`, and nobody has it any more.
        unsafe { result::free_host(self.pointer.cast()) }.ok();
    }
}

impl<F> Deref for Pinned<F> {
    type Target = [F];

    fn deref(&self) -> &[F] {
        // SAFETY: so many numbers were written there.
        unsafe { core::slice::from_raw_parts(self.pointer, self.len) }
    }
}

impl<F> DerefMut for Pinned<F> {
    fn deref_mut(&mut self) -> &mut [F] {
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(self.pointer, self.len) }
    }
}

/// Whether a GPU copies all of these by itself.
pub(super) fn is_pinned<F>(numbers: &[F]) -> bool {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return true };
    [first, last].into_iter().all(|number| {
        let mut kind = 0_u32;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        let at = core::ptr::from_ref(number) as sys::CUdeviceptr;
        // SAFETY: it writes one number, and reads nothing from the address.
        let code = unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), attribute, at) };
        code == sys::CUresult::CUDA_SUCCESS && kind == sys::CUmemorytype::CU_MEMORYTYPE_HOST as u32
    })
}
