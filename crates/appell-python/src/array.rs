//! Memory of NumPy's arrays. Beside `dlpack` the one file of the package with `unsafe`: everywhere else arrays are read and written through it, or
//! through the checked borrows of the crate `numpy`, which cost more than one state of an arm.
#![expect(unsafe_code, reason = "memory that Python owns is read and written here")]

use numpy::ndarray::{ArrayViewMutD, IxDyn};
use numpy::npyffi::NPY_TYPES;
use numpy::npyffi::flags::NPY_ARRAY_WRITEABLE;
use numpy::{PyArrayDescrMethods, PyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The numbers of an argument, if it is an array of one dimension, of `f64` side by side.
///
/// It looks at the array's own fields: asking NumPy whether its type is equivalent to `f64` costs more than an arm's dynamics.
#[inline]
pub(crate) fn numbers<'a>(argument: &'a Bound<'_, PyAny>) -> Option<&'a [f64]> {
    let (start, count) = doubles(argument)?;
    // SAFETY: as many numbers lie there, aligned, and live as long as the array, which the argument keeps. The interpreter is held
    // until the call that they are given to ends, and that writes to no array before it has read them. Python code in
    // another thread of a build without the interpreter's lock may write at the same time, as with any function of NumPy:
    // it gets one number or the other.
    Some(unsafe { core::slice::from_raw_parts(start, count) })
}

/// Where the numbers of an array of one dimension begin, and how many they are, if they are `f64` side by side.
#[inline]
fn doubles(argument: &Bound<'_, PyAny>) -> Option<(*mut f64, usize)> {
    let array = argument.cast_exact::<PyUntypedArray>().ok()?; // not one that hides some of its numbers
    let dtype = array.dtype();
    let is_double = dtype.num() == NPY_TYPES::NPY_DOUBLE as i32 && matches!(dtype.byteorder(), b'=' | b'|' | NATIVE);
    if !is_double || array.ndim() != 1 || !array.is_c_contiguous() || !array.is_aligned() {
        return None;
    }
    // SAFETY: the pointer is that of a living array.
    let start = unsafe { (*array.as_array_ptr()).fields.data };
    let start = if array.is_empty() { core::ptr::NonNull::dangling().as_ptr() } else { start.cast::<f64>() };
    Some((start, array.len()))
}

const NATIVE: u8 = if cfg!(target_endian = "little") { b'<' } else { b'>' };

/// Writes an answer into an array of the user's, if that has one dimension of `f64` side by side, of this length, and may be written to.
pub(crate) fn written(out: &Bound<'_, PyAny>, numbers: &[f64]) -> bool {
    let Some((start, _)) = doubles(out).filter(|(_, count)| *count == numbers.len()) else { return false };
    if !is_writeable(out) {
        return false;
    }
    // SAFETY: as many numbers lie there, and may be written; `numbers` are memory of ours.
    unsafe { core::ptr::copy_nonoverlapping(numbers.as_ptr(), start, numbers.len()) };
    true
}

/// Whether NumPy allows to write to an array.
fn is_writeable(array: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the pointer is that of a living array.
    array
        .cast::<PyUntypedArray>()
        .is_ok_and(|array| unsafe { (*array.as_array_ptr()).fields.flags } & NPY_ARRAY_WRITEABLE != 0)
}

/// Numbers that arrays of Python show, and that are read and written without asking Python.
///
/// NumPy cannot move them: arrays that do not own their memory refuse to be resized.
#[pyclass(frozen)]
pub(crate) struct Memory {
    start: *mut f64, // of a box that is taken apart, so that arrays and this share one pointer
    count: usize,
}

// SAFETY: references to the numbers live within one call of ours, which calls no Python meanwhile; a thread of Python without the
// interpreter's lock can write through an array at the same time, as to any array of NumPy.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw` of as many numbers; arrays that show them keep this alive.
        drop(unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(self.start, self.count)) });
    }
}

impl Memory {
    /// So many zeros.
    pub(crate) fn zeros(count: usize) -> Self {
        Self { start: Box::into_raw(vec![0.0; count].into_boxed_slice()).cast(), count }
    }

    /// The numbers as they are now.
    #[inline]
    pub(crate) fn numbers(&self) -> &[f64] {
        // SAFETY: the box had as many; see `Sync`.
        unsafe { core::slice::from_raw_parts(self.start, self.count) }
    }

    /// Takes other numbers, of the same count.
    #[inline]
    pub(crate) fn set(&self, numbers: &[f64]) {
        // SAFETY: as above, and `numbers` are none of these.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.count) }.copy_from_slice(numbers);
    }

    /// An array of this shape that shows the numbers from `start` on.
    pub(crate) fn array<'py>(this: &Bound<'py, Self>, start: usize, shape: &[usize]) -> Bound<'py, PyArrayDyn<f64>> {
        let own = this.get();
        assert!(start + shape.iter().product::<usize>() <= own.count, "within the memory");
        // SAFETY: within the memory, which never moves, and which the array keeps.
        unsafe {
            let view = ArrayViewMutD::from_shape_ptr(IxDyn(shape), own.start.add(start));
            PyArrayDyn::borrow_from_array(&view, this.clone().into_any())
        }
    }
}
