//! Memory of NumPy's arrays. The one file of the package with `unsafe`: everywhere else arrays are read and written through it, or
//! through the checked borrows of the crate `numpy`, which cost more than one state of an arm.
#![expect(unsafe_code, reason = "memory that Python owns is read and written here")]

use numpy::ndarray::{ArrayViewMutD, IxDyn};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The numbers of an argument, if it is an array of one dimension, of `f64` side by side.
#[inline]
pub(crate) fn numbers<'a>(argument: &'a Bound<'_, PyAny>) -> Option<&'a [f64]> {
    let array = argument.cast::<PyArray1<f64>>().ok()?;
    // SAFETY: the numbers lie side by side and aligned, which `as_slice` and `is_aligned` check, and live as long as the array,
    // which the argument keeps. The interpreter is held until the call that they are given to ends, and that writes to no array
    // before it has read them. Python code in another thread of a build without the interpreter's lock may write
    // at the same time, as with any function of NumPy: it gets one number or the other.
    if array.is_aligned() { unsafe { array.as_slice() }.ok() } else { None }
}

/// Writes an answer into an array of the user's, if that has one dimension of `f64` side by side, of this length, and may be written to.
pub(crate) fn written(out: &Bound<'_, PyAny>, numbers: &[f64]) -> bool {
    let Ok(array) = out.cast::<PyArray1<f64>>() else { return false };
    if !array.is_aligned() || array.len() != numbers.len() || !is_writeable(array.as_any()) {
        return false;
    }
    // SAFETY: as above, and it is writeable; `numbers` are memory of ours.
    unsafe { array.as_slice_mut() }.is_ok_and(|own| {
        own.copy_from_slice(numbers);
        true
    })
}

/// Whether NumPy allows to write to an array.
fn is_writeable(array: &Bound<'_, PyAny>) -> bool {
    let flags = array.getattr("flags").and_then(|flags| flags.getattr("writeable"));
    flags.is_ok_and(|flag| flag.is_truthy().unwrap_or(false))
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
