//! Arrays on GPUs: those of PyTorch, JAX and `CuPy` are taken as they are, and what appell answers they take likewise, by DLPack or
//! `__cuda_array_interface__`.
#![expect(unsafe_code, reason = "capsules of DLPack are C structures, and their memory is somebody else's")]

use crate::errors::{self, Kind};
use appell_device::{Device, Number, OnGpu};
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use std::sync::Arc;

const ON_CUDA: i32 = 2;
const FLOAT: u8 = 2;
const FRESH: &CStr = c"dltensor";
const USED: &CStr = c"used_dltensor";

/// `DLTensor` and `DLManagedTensor` of DLPack, version 0.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2], // kind, ordinal
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// Somebody's tensor, held until nobody needs it.
struct Held(NonNull<Managed>);

// SAFETY: DLPack lets any thread call the deleter.
unsafe impl Send for Held {}
// SAFETY: nothing of it is written.
unsafe impl Sync for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it was taken out of its capsule, which calls no deleter any more.
        unsafe {
            if let Some(deleter) = self.0.as_ref().deleter {
                // Those of Python's libraries touch objects of Python.
                Python::attach(|_| deleter(self.0.as_ptr()));
            }
        }
    }
}

/// The numbers that arrays on GPUs have.
pub(crate) trait OnGpuOf: Number {
    /// Bits, and the name in NumPy.
    const KIND: (u8, &'static str);

    /// An array of either kind.
    fn wrap(array: Arc<OnGpu<Self>>) -> Array;
}

impl OnGpuOf for f32 {
    const KIND: (u8, &'static str) = (32, "<f4");

    fn wrap(array: Arc<OnGpu<Self>>) -> Array {
        Array::Single(array)
    }
}

impl OnGpuOf for f64 {
    const KIND: (u8, &'static str) = (64, "<f8");

    fn wrap(array: Arc<OnGpu<Self>>) -> Array {
        Array::Double(array)
    }
}

/// Numbers on a GPU, in either precision.
#[derive(Clone)]
pub(crate) enum Array {
    Single(Arc<OnGpu<f32>>),
    Double(Arc<OnGpu<f64>>),
}

/// Whether an argument is an array on a GPU.
pub(crate) fn is_on_gpu(argument: &Bound<'_, PyAny>) -> bool {
    if argument.is_exact_instance_of::<numpy::PyUntypedArray>() || argument.is_instance_of::<pyo3::types::PyList>() {
        return false;
    }
    device_of(argument).is_ok()
}

/// The GPU that an array is on.
pub(crate) fn device_of(argument: &Bound<'_, PyAny>) -> PyResult<Device> {
    let (kind, ordinal): (i32, i32) = argument.call_method0("__dlpack_device__")?.extract()?;
    match usize::try_from(ordinal) {
        Ok(ordinal) if kind == ON_CUDA => Ok(Device::cuda(ordinal)),
        _ => Err(PyTypeError::new_err("an array that is not on a GPU of NVIDIA's")),
    }
}

/// Whether an array is in single precision.
pub(crate) fn is_single(argument: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(argument.getattr("dtype")?.str()?.to_string_lossy().ends_with("float32"))
}

/// The columns of an array of shape (N, width), and N: as they are where they lie one after the other, else turned over on the GPU.
pub(crate) fn columns<F: OnGpuOf>(
    argument: &Bound<'_, PyAny>,
    name: &str,
    width: usize,
    device: Device,
) -> PyResult<(OnGpu<F>, usize)> {
    let shape = || argument.getattr("shape").map_or_else(|_| "?".into(), |shape| shape.to_string());
    let misfit = || Kind::Shape.error(format!("`{name}` on {device} has shape {}; expected (N, {width})", shape()));
    let keywords = PyDict::new(argument.py());
    keywords.set_item("stream", 1)?; // the default one, which the array is ready on then
    let capsule = argument.call_method("__dlpack__", (), Some(&keywords))?.cast_into::<PyCapsule>()?;
    // SAFETY: a capsule of this name holds such a structure; renamed, it is ours to delete.
    let held = unsafe {
        let pointer = ffi::PyCapsule_GetPointer(capsule.as_ptr(), FRESH.as_ptr()).cast::<Managed>();
        let pointer = NonNull::new(pointer).ok_or_else(|| PyErr::fetch(argument.py()))?;
        ffi::PyCapsule_SetName(capsule.as_ptr(), USED.as_ptr());
        Held(pointer)
    };
    // SAFETY: as above.
    let tensor = unsafe { &held.0.as_ref().tensor };
    if (tensor.code, tensor.bits, tensor.lanes) != (FLOAT, F::KIND.0, 1) {
        return Err(PyTypeError::new_err(format!(
            "`{name}` on {device} is of another type than the others, which are {}; expected float64 or float32 of all",
            F::KIND.1
        )));
    }
    if tensor.ndim != 2 {
        return Err(misfit());
    }
    // SAFETY: as many numbers as there are dimensions.
    let shape_of = unsafe { [*tensor.shape, *tensor.shape.add(1)] };
    let (rows, found) = (shape_of[0] as usize, shape_of[1] as usize);
    if found != width {
        return Err(misfit());
    }
    let strides = if tensor.strides.is_null() {
        [width as i64, 1]
    } else {
        // SAFETY: as above.
        unsafe { [*tensor.strides, *tensor.strides.add(1)] }
    };
    let pointer = tensor.data as u64 + tensor.byte_offset;
    let is_columns = rows < 2 || strides[0] == 1 && (width < 2 || strides[1] == rows as i64);
    let is_rows = (width < 2 || strides[1] == 1) && strides[0] == width as i64;
    if !is_columns && !is_rows {
        return Err(PyBufferError::new_err(format!(
            "`{name}` on {device} has gaps (strides {strides:?}): make it contiguous first"
        )));
    }
    // SAFETY: so many numbers lie there without gaps; nobody writes them during the call, as of every function of arrays.
    let array = unsafe { OnGpu::<F>::borrowed(device, pointer, rows * width, Box::new(held)) };
    let array = array.map_err(|error| errors::of_device(&error))?;
    if is_columns && (rows != 1 || width < 2 || strides[1] == 1) {
        return Ok((array, rows));
    }
    let turned = argument.py().detach(|| array.columns_of_rows(width)).map_err(|error| errors::of_device(&error))?;
    Ok((turned, rows))
}

/// Numbers on a GPU, one row a state: what a question asked of arrays there answers. `numpy()` brings it back; PyTorch, JAX and
/// CuPy take it without a copy: `torch.from_dlpack(x)`, `jax.dlpack.from_dlpack(x)`, `cupy.asarray(x)`.
///
/// >>> q = torch.zeros(1000, 6, device="cuda")  # doctest: +SKIP
/// >>> appell.load("puma560").gravity(q)  # doctest: +SKIP
/// <[1000 × 6] numbers of float32 on cuda:0>
#[pyclass(frozen, module = "appell._appell")]
pub(crate) struct DeviceArray {
    array: Array,
    first: usize,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl DeviceArray {
    /// Some columns of answers for `count` states, in this shape a state.
    pub(crate) fn new<F: OnGpuOf>(answers: &Arc<OnGpu<F>>, column: usize, count: usize, of_state: &[usize]) -> Self {
        let mut strides = vec![1; of_state.len() + 1];
        let mut next = count;
        for (stride, size) in strides[1..].iter_mut().zip(of_state).rev() {
            *stride = next;
            next *= size;
        }
        let shape = core::iter::once(count).chain(of_state.iter().copied()).collect();
        Self { array: F::wrap(Arc::clone(answers)), first: column * count, shape, strides }
    }

    fn kind(&self) -> (u8, &'static str) {
        match self.array {
            Array::Single(_) => f32::KIND,
            Array::Double(_) => f64::KIND,
        }
    }

    fn on(&self) -> Device {
        match &self.array {
            Array::Single(array) => array.device(),
            Array::Double(array) => array.device(),
        }
    }

    fn pointer(&self) -> u64 {
        let (begin, size) = match &self.array {
            Array::Single(array) => (array.pointer(), 4),
            Array::Double(array) => (array.pointer(), 8),
        };
        begin + (self.first * size) as u64
    }

    fn ordinal(&self) -> i32 {
        match self.on() {
            Device::Cuda(ordinal) => ordinal as i32,
            Device::Cpu => -1,
        }
    }
}

#[pymethods]
impl DeviceArray {
    /// Its shape: states first.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The name of its numbers' type, as NumPy has it.
    #[getter]
    fn dtype(&self) -> &'static str {
        if self.kind().0 == 32 { "float32" } else { "float64" }
    }

    /// Where it is.
    #[getter]
    fn device(&self) -> String {
        self.on().to_string()
    }

    fn __len__(&self) -> usize {
        self.shape[0]
    }

    fn __repr__(&self) -> String {
        format!("<{} numbers of {} on {}>", format!("{:?}", self.shape).replace(", ", " × "), self.dtype(), self.on())
    }

    /// A copy in NumPy.
    ///
    /// >>> appell.load("puma560").gravity(q).numpy().shape  # doctest: +SKIP
    /// (1000, 6)
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size: usize = self.shape.iter().product();
        let numbers = match &self.array {
            Array::Single(array) => py.detach(|| array.to_vec()).map(|all| all.into_iter().map(f64::from).collect()),
            Array::Double(array) => py.detach(|| array.to_vec()),
        };
        let numbers: Vec<f64> = numbers.map_err(|error| errors::of_device(&error))?;
        let part = numbers[self.first..self.first + size].to_vec();
        let turned: Vec<usize> = self.shape[1..].iter().chain(&self.shape[..1]).copied().collect();
        let columns = numpy::PyArray1::from_vec(py, part).call_method1("reshape", (PyTuple::new(py, turned)?,))?;
        let rows = py.import("numpy")?.call_method1("moveaxis", (columns, -1, 0))?;
        if self.kind().0 == 32 { rows.call_method1("astype", ("float32",)) } else { Ok(rows) }
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let size = usize::from(self.kind().0 / 8);
        let interface = PyDict::new(py);
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind().1)?;
        interface.set_item("data", (self.pointer(), false))?;
        interface.set_item("strides", PyTuple::new(py, self.strides.iter().map(|stride| stride * size))?)?;
        interface.set_item("version", 3)?;
        interface.set_item("stream", py.None())?; // all is computed
        Ok(interface)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        (ON_CUDA, self.ordinal())
    }

    /// A capsule of DLPack. All is computed already, whatever stream it is for.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<&Bound<'py, PyAny>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = (stream, max_version);
        let (py, own) = (slf.py(), slf.get());
        if dl_device.is_some_and(|device| device != own.__dlpack_device__()) || copy == Some(true) {
            return Err(PyBufferError::new_err(
                "no copy is made, and none to another device; `numpy()` brings it back",
            ));
        }
        let numbers = |of: &[usize]| of.iter().map(|&x| x as i64).collect::<Vec<i64>>();
        let mut kept = Box::new(Kept {
            managed: Managed {
                tensor: Tensor {
                    data: own.pointer() as *mut c_void,
                    device: [ON_CUDA, own.ordinal()],
                    ndim: own.shape.len() as i32,
                    code: FLOAT,
                    bits: own.kind().0,
                    lanes: 1,
                    shape: core::ptr::null_mut(),
                    strides: core::ptr::null_mut(),
                    byte_offset: 0,
                },
                context: core::ptr::null_mut(),
                deleter: Some(delete),
            },
            shape: numbers(&own.shape),
            strides: numbers(&own.strides),
            _array: own.array.clone(),
        });
        kept.managed.tensor.shape = kept.shape.as_mut_ptr();
        kept.managed.tensor.strides = kept.strides.as_mut_ptr();
        let pointer = Box::into_raw(kept);
        // SAFETY: a structure that lives until its deleter is called: by who takes it, or by the capsule's destructor.
        unsafe {
            let capsule = ffi::PyCapsule_New(pointer.cast(), FRESH.as_ptr(), Some(drop_capsule));
            Bound::from_owned_ptr_or_err(py, capsule).inspect_err(|_| delete(pointer.cast()))
        }
    }
}

/// What a capsule of ours holds: the structure first, so that both begin at one address.
#[repr(C)]
struct Kept {
    managed: Managed,
    shape: Vec<i64>,
    strides: Vec<i64>,
    _array: Array,
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: made by `__dlpack__` of a box, and called once.
    drop(unsafe { Box::from_raw(managed.cast::<Kept>()) });
}

unsafe extern "C" fn drop_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls it with a capsule of ours; who took the tensor has renamed it.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, FRESH.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, FRESH.as_ptr()).cast());
        }
    }
}
