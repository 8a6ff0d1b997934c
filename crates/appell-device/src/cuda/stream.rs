//! Batches of any size: chunks go through a few slots, so that one is copied there while another is computed and a third
//! comes back.
//!
//! Memory that is [pinned](super::memory::Pinned) the device copies by itself. Other memory is gathered into pinned memory of
//! the slot first, on all cores, and what comes back is scattered likewise.

use super::function::{Function, Parameter};
use super::memory::{Pinned, is_pinned, pointer};
use crate::argument::Argument;
use crate::{DeviceError, Number, Resident};
use appell_codegen::emit::device::Code;
use cudarc::driver::{CudaSlice, CudaStream, sys};
use rayon::prelude::*;
use std::sync::Arc;

/// How many chunks are on their way at once.
const SLOTS: usize = 3;

/// Bytes of a chunk, if that many states keep the device busy.
const CHUNK_BYTES: usize = 64 << 20;

/// Numbers that one thread gathers or scatters at a time.
const PIECE: usize = 1 << 15;

/// Memory for chunks of so many states.
pub(super) struct Slots<F: Number> {
    states: usize,
    is_staged: bool,
    slots: Vec<Slot<F>>,
}

struct Slot<F: Number> {
    stream: Arc<CudaStream>,
    arrays: Vec<Option<CudaSlice<F>>>, // of the ports that have entries of states
    staged: Vec<Option<Pinned<F>>>,
    at_work: Option<(usize, usize)>, // first and last state of the chunk that it has
}

/// A function on a GPU for batches of any size, with the memory through which they go.
pub(crate) struct Streamed<F: Number> {
    function: Function<F>,
    slots: Option<Slots<F>>,
}

impl<F: Number> Streamed<F> {
    pub(crate) fn new(ordinal: usize, code: &Code) -> Result<Self, DeviceError> {
        Ok(Self { function: Function::new(ordinal, code)?, slots: None })
    }

    /// Runs it for arrays that are on the device.
    pub(crate) fn run_there(
        &mut self,
        count: usize,
        arguments: &mut [Resident<'_, F>],
    ) -> Result<Option<usize>, DeviceError> {
        self.function.run_there(count, arguments)
    }

    /// Runs it for arrays of this process.
    pub(crate) fn stream(
        &mut self,
        count: usize,
        arguments: &mut [Argument<'_, F>],
    ) -> Result<Option<usize>, DeviceError> {
        if count == 0 {
            return Ok(None);
        }
        self.function.gpu.context.bind_to_thread().map_err(self.function.gpu.failed("to be used"))?;
        let mut slots = self.prepared(count, arguments)?;
        let found = self.through(&mut slots, count, arguments);
        if found.is_ok() {
            self.slots = Some(slots); // of a device that failed nothing is kept
        }
        found
    }

    /// Memory for chunks: that of the last run, if it fits.
    fn prepared(&mut self, count: usize, arguments: &[Argument<'_, F>]) -> Result<Slots<F>, DeviceError> {
        let numbers = |argument: &Argument<'_, F>| match argument {
            Argument::Read(numbers) => Some(numbers.len()),
            Argument::Written(numbers) => Some(numbers.len()),
            _ => None,
        };
        let entries: Vec<Option<usize>> = arguments.iter().map(|argument| Some(numbers(argument)? / count)).collect();
        let is_staged = !arguments.iter().all(|argument| match argument {
            Argument::Read(numbers) => is_pinned(numbers),
            Argument::Written(numbers) => is_pinned(numbers),
            _ => true,
        });
        let of_a_state = entries.iter().flatten().sum::<usize>().max(1) * size_of::<F>();
        let busy = self.function.gpu.processors()? as usize * 2048;
        let wanted = (CHUNK_BYTES / of_a_state).max(busy).min(count);
        if let Some(slots) = self.slots.take_if(|slots| slots.states >= wanted && slots.is_staged >= is_staged) {
            return Ok(slots);
        }
        self.slots = None; // before memory is counted
        let (free, _) = self.function.gpu.memory()?;
        let fit = free / 10 * 9 / SLOTS / of_a_state;
        let states = wanted.min(fit);
        if states < wanted.min(128) {
            let needed_mb = (wanted.min(128) * of_a_state * SLOTS).div_ceil(1_000_000);
            return Err(DeviceError::Memory {
                device: self.function.gpu.device().to_string(),
                needed_mb,
                free_mb: free / 1_000_000,
            });
        }
        let slot = |_| {
            let stream = self.function.gpu.context.new_stream().map_err(self.function.gpu.failed("a stream"))?;
            let array =
                |entries: &Option<usize>| entries.map(|n| self.function.allocated(&stream, n * states)).transpose();
            let arrays = entries.iter().map(array).collect::<Result<_, _>>()?;
            let staged = |entries: &Option<usize>| {
                entries.filter(|_| is_staged).map(|n| Pinned::of(&self.function.gpu, n * states)).transpose()
            };
            let staged = entries.iter().map(staged).collect::<Result<_, _>>()?;
            Ok(Slot { stream, arrays, staged, at_work: None })
        };
        let needed = SLOTS.min(count.div_ceil(states));
        Ok(Slots { states, is_staged, slots: (0..needed).map(slot).collect::<Result<_, DeviceError>>()? })
    }

    fn through(
        &mut self,
        Slots { states, slots, .. }: &mut Slots<F>,
        count: usize,
        arguments: &mut [Argument<'_, F>],
    ) -> Result<Option<usize>, DeviceError> {
        let home = self.function.gpu.context.default_stream();
        let mut shared: Vec<Option<CudaSlice<F>>> = Vec::with_capacity(arguments.len());
        for argument in &*arguments {
            shared.push(match argument {
                Argument::Shared(numbers) if !numbers.is_empty() => {
                    Some(home.clone_htod(*numbers).map_err(self.function.gpu.failed("memory"))?)
                }
                _ => None,
            });
        }
        home.synchronize().map_err(self.function.gpu.failed("to copy"))?;
        let many = slots.len();
        for (chunk, first) in (0..count).step_by(*states).enumerate() {
            let slot = &mut slots[chunk % many];
            self.finish(slot, count, arguments)?;
            let end = count.min(first + *states);
            self.begin(slot, &shared, count, [first, end], arguments)?;
        }
        for slot in slots {
            self.finish(slot, count, arguments)?;
        }
        self.function.first_bad(&home)
    }

    /// Sends a chunk there, computes it and sends its answers back, all behind one another on the slot's stream.
    fn begin(
        &mut self,
        slot: &mut Slot<F>,
        shared: &[Option<CudaSlice<F>>],
        count: usize,
        [first, end]: [usize; 2],
        arguments: &mut [Argument<'_, F>],
    ) -> Result<(), DeviceError> {
        let (states, stream) = (end - first, slot.stream.clone());
        let mut parameters = Vec::with_capacity(arguments.len());
        for (k, argument) in arguments.iter().enumerate() {
            let array = slot.arrays[k].as_ref().map_or(0, |array| pointer(array, &stream));
            parameters.push(match argument {
                Argument::Read(numbers) => {
                    if is_pinned(numbers) {
                        self.copy(
                            &stream,
                            Host::Read(&numbers[first.min(numbers.len())..]),
                            array,
                            [count, states, numbers.len() / count],
                        )?;
                    } else if let Some(staged) = &mut slot.staged[k] {
                        gather(numbers, &mut staged[..numbers.len() / count * states], count, first, states);
                        self.copy(&stream, Host::Read(staged), array, [states, states, numbers.len() / count])?;
                    }
                    Parameter::Pointer(array)
                }
                Argument::Written(_) => Parameter::Pointer(array),
                Argument::Shared(_) => {
                    Parameter::Pointer(shared[k].as_ref().map_or(0, |array| pointer(array, &stream)))
                }
                Argument::Real(x) => Parameter::Real(*x),
                Argument::Whole(n) => Parameter::Whole(*n),
            });
        }
        if first == 0 {
            self.function.choose(&stream, states, &parameters)?;
        }
        self.function.launch(&stream, first, states, &parameters)?;
        for (k, argument) in arguments.iter_mut().enumerate() {
            let Argument::Written(numbers) = argument else { continue };
            let array = slot.arrays[k].as_ref().map_or(0, |array| pointer(array, &stream));
            let entries = numbers.len() / count;
            if is_pinned(numbers) {
                let from = first.min(numbers.len());
                self.copy(&stream, Host::Written(&mut numbers[from..]), array, [count, states, entries])?;
            } else if let Some(staged) = &mut slot.staged[k] {
                self.copy(&stream, Host::Written(staged), array, [states, states, entries])?;
            }
        }
        slot.at_work = Some((first, end));
        Ok(())
    }

    /// Waits for a slot, and brings its answers where they belong.
    fn finish(&self, slot: &mut Slot<F>, count: usize, arguments: &mut [Argument<'_, F>]) -> Result<(), DeviceError> {
        let Some((first, end)) = slot.at_work.take() else { return Ok(()) };
        slot.stream.synchronize().map_err(self.function.gpu.failed("to compute"))?;
        for (argument, staged) in arguments.iter_mut().zip(&slot.staged) {
            if let (Argument::Written(numbers), Some(staged)) = (argument, staged)
                && !is_pinned(numbers)
            {
                scatter(staged, numbers, count, first, end - first);
            }
        }
        Ok(())
    }

    /// Columns of a chunk, one copy for all: `[between columns of the host, states, columns]`.
    fn copy(
        &self,
        stream: &CudaStream,
        host: Host<'_, F>,
        array: sys::CUdeviceptr,
        [pitch, states, columns]: [usize; 3],
    ) -> Result<(), DeviceError> {
        if columns == 0 {
            return Ok(());
        }
        let (size, at_host, on_device) =
            (size_of::<F>(), sys::CUmemorytype::CU_MEMORYTYPE_HOST, sys::CUmemorytype::CU_MEMORYTYPE_DEVICE);
        let mut copy = sys::CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: on_device,
            srcHost: core::ptr::null(),
            srcDevice: 0,
            srcArray: core::ptr::null_mut(),
            srcPitch: states * size,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: on_device,
            dstHost: core::ptr::null_mut(),
            dstDevice: 0,
            dstArray: core::ptr::null_mut(),
            dstPitch: states * size,
            WidthInBytes: states * size,
            Height: columns,
        };
        match host {
            Host::Read(numbers) => {
                (copy.srcMemoryType, copy.srcHost, copy.srcPitch) = (at_host, numbers.as_ptr().cast(), pitch * size);
                copy.dstDevice = array;
            }
            Host::Written(numbers) => {
                copy.srcDevice = array;
                (copy.dstMemoryType, copy.dstHost, copy.dstPitch) =
                    (at_host, numbers.as_mut_ptr().cast(), pitch * size);
            }
        }
        // SAFETY: sizes were checked before anything began; the memory of the host is held until the stream has ended, or is
        // given back by a driver that waits for it.
        let code = unsafe { sys::cuMemcpy2DAsync_v2(&raw const copy, stream.cu_stream()) };
        code.result().map_err(self.function.gpu.failed("to copy"))
    }
}

enum Host<'a, F> {
    Read(&'a [F]),
    Written(&'a mut [F]),
}

/// Columns of some states, one behind the other.
fn gather<F: Number>(from: &[F], to: &mut [F], count: usize, first: usize, states: usize) {
    let columns = to.par_chunks_mut(states).zip(from.par_chunks(count));
    columns.for_each(|(to, from)| {
        let pieces = to.par_chunks_mut(PIECE).zip(from[first..first + states].par_chunks(PIECE));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
    });
}

/// And back.
fn scatter<F: Number>(from: &[F], to: &mut [F], count: usize, first: usize, states: usize) {
    let columns = to.par_chunks_mut(count).zip(from.par_chunks(states));
    columns.for_each(|(to, from)| {
        let pieces = to[first..first + states].par_chunks_mut(PIECE).zip(from.par_chunks(PIECE));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
    });
}
