//! One function on a GPU.

use super::Gpu;
use super::compile::{self, Way};
use super::memory::{allocated, pointer};
use crate::{DeviceError, Number, Resident};
use appell_codegen::emit::device::Code;
use core::ffi::c_void;
use core::marker::PhantomData;
use cudarc::driver::{CudaFunction, CudaSlice, CudaStream, result, sys};
use rayon::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// States from which on it is worth to measure which way to compile is the fastest.
const MANY: usize = 1 << 17;

/// A function on a GPU, compiled in the way that was found to be the fastest once it was asked for many states.
pub(super) struct Function<F: Number> {
    pub(super) gpu: Gpu,
    code: Code,
    way: Way,
    is_measured: bool,
    function: CudaFunction,
    bad: CudaSlice<u64>, // the first state whose answer is not finite
    of: PhantomData<F>,
}

/// A parameter of a launch.
#[derive(Clone, Copy)]
pub(super) enum Parameter {
    Pointer(sys::CUdeviceptr),
    Real(f64),
    Whole(i64),
}

impl<F: Number> Function<F> {
    pub(super) fn new(ordinal: usize, code: &Code) -> Result<Self, DeviceError> {
        let gpu = Gpu::get(ordinal)?;
        gpu.context.bind_to_thread().map_err(gpu.failed("to be used"))?;
        let kept = kept_way::<F>(&gpu, code);
        let way = kept.unwrap_or(Way::of(code)[0]);
        let function = compile::function::<F>(&gpu, code, way)?;
        let stream = gpu.context.default_stream();
        let bad = stream.clone_htod(&[u64::MAX]).map_err(gpu.failed("memory"))?;
        let is_measured = kept.is_some();
        Ok(Self { gpu, code: code.clone(), way, is_measured, function, bad, of: PhantomData })
    }

    /// Runs it for arrays that are on the device.
    pub(super) fn run_there(
        &mut self,
        count: usize,
        arguments: &mut [Resident<'_, F>],
    ) -> Result<Option<usize>, DeviceError> {
        self.gpu.context.bind_to_thread().map_err(self.gpu.failed("to be used"))?;
        let parameters: Vec<Parameter> = arguments
            .iter()
            .map(|argument| match argument {
                Resident::Read(array) => Parameter::Pointer(array.pointer()),
                Resident::Written(array) => Parameter::Pointer(array.pointer()),
                Resident::Real(x) => Parameter::Real(*x),
                Resident::Whole(n) => Parameter::Whole(*n),
            })
            .collect();
        let stream = self.gpu.context.default_stream();
        self.choose(&stream, count, &parameters)?;
        self.launch(&stream, 0, count, &parameters)?;
        self.first_bad(&stream)
    }

    /// Measures, the first time that there is enough to measure with, and keeps the answer on disk.
    pub(super) fn choose(
        &mut self,
        stream: &Arc<CudaStream>,
        count: usize,
        parameters: &[Parameter],
    ) -> Result<(), DeviceError> {
        if self.is_measured || count < MANY {
            return Ok(());
        }
        self.is_measured = true;
        let mut best: Option<(Duration, Way, CudaFunction)> = None;
        let compiled: Vec<(Way, CudaFunction)> = Way::of(&self.code)
            .par_iter()
            .filter_map(|&way| {
                self.gpu.context.bind_to_thread().ok()?;
                // What cannot be compiled so is no candidate.
                Some((way, compile::function::<F>(&self.gpu, &self.code, way).ok()?))
            })
            .collect();
        for (way, function) in compiled {
            (self.way, self.function) = (way, function.clone());
            let mut least = Duration::MAX;
            for _ in 0..3 {
                let begin = Instant::now();
                self.launch(stream, 0, count, parameters)?;
                stream.synchronize().map_err(self.gpu.failed("to compute"))?;
                least = least.min(begin.elapsed());
            }
            if best.as_ref().is_none_or(|(time, ..)| least < *time) {
                best = Some((least, way, function));
            }
        }
        if let Some((_, way, function)) = best {
            (self.way, self.function) = (way, function);
            keep_way::<F>(&self.gpu, &self.code, way);
        }
        Ok(())
    }

    /// Starts it for states of which the first has the number `first` in the whole batch.
    pub(super) fn launch(
        &self,
        stream: &CudaStream,
        first: usize,
        count: usize,
        parameters: &[Parameter],
    ) -> Result<(), DeviceError> {
        if count == 0 {
            return Ok(());
        }
        let bad = pointer(&self.bad, stream);
        let (first, count) = (first as i64, count as i64);
        let mut addresses: Vec<*mut c_void> = vec![
            (&raw const bad).cast_mut().cast(),
            (&raw const first).cast_mut().cast(),
            (&raw const count).cast_mut().cast(),
        ];
        addresses.extend(parameters.iter().map(|parameter| match parameter {
            Parameter::Pointer(x) => core::ptr::from_ref(x).cast_mut().cast::<c_void>(),
            Parameter::Real(x) => core::ptr::from_ref(x).cast_mut().cast(),
            Parameter::Whole(x) => core::ptr::from_ref(x).cast_mut().cast(),
        }));
        let [block, _] = self.way.bounds;
        // As many blocks as there are states for; a grid has no more than 2³¹.
        let blocks = (count as u64).div_ceil(u64::from(block)).min(0x7fff_ffff);
        // SAFETY: the parameters are those of `source::of_cuda`, whose arrays the caller has checked and holds until the stream
        // has ended.
        unsafe {
            result::launch_kernel(
                self.function.cu_function(),
                (blocks as u32, 1, 1),
                (block, 1, 1),
                0,
                stream.cu_stream(),
                &mut addresses,
            )
        }
        .map_err(self.gpu.failed("to compute"))
    }

    /// The first state whose answer is not finite, after all that was launched on a stream.
    pub(super) fn first_bad(&mut self, stream: &Arc<CudaStream>) -> Result<Option<usize>, DeviceError> {
        let mut found = [0_u64];
        stream.memcpy_dtoh(&self.bad, &mut found).map_err(self.gpu.failed("to compute"))?;
        stream.synchronize().map_err(self.gpu.failed("to compute"))?;
        if found[0] == u64::MAX {
            return Ok(None);
        }
        stream.memcpy_htod(&[u64::MAX], &mut self.bad).map_err(self.gpu.failed("to copy"))?;
        stream.synchronize().map_err(self.gpu.failed("to copy"))?;
        Ok(Some(found[0] as usize))
    }

    /// Memory on the device for so many numbers.
    pub(super) fn allocated(&self, stream: &Arc<CudaStream>, len: usize) -> Result<CudaSlice<F>, DeviceError> {
        allocated(&self.gpu, stream, len)
    }
}

/// The name under which is kept which way was the fastest.
fn name<F: Number>(gpu: &Gpu, code: &Code) -> Option<String> {
    let (name, architecture) = (gpu.context.name().ok()?, gpu.architecture().ok()?);
    Some(format!("{}-{}.way", code.name, crate::cache::key(&[&code.text, F::NAME, &name, &architecture])))
}

fn kept_way<F: Number>(gpu: &Gpu, code: &Code) -> Option<Way> {
    let kept = crate::cache::read(&name::<F>(gpu, code)?)?;
    Way::of(code).get(usize::from(*kept.first()?)).copied()
}

fn keep_way<F: Number>(gpu: &Gpu, code: &Code, way: Way) {
    let place = Way::of(code).iter().position(|other| *other == way).and_then(|place| u8::try_from(place).ok());
    if let (Some(place), Some(name)) = (place, name::<F>(gpu, code)) {
        crate::cache::keep(&name, &[place]);
    }
}
