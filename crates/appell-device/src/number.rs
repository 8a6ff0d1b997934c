//! The numbers that devices compute with.

use super::compiled::Compiled;
use cudarc::driver::{DeviceRepr, ValidAsZeroBits};

/// `f32` or `f64`.
pub trait Number:
    DeviceRepr + ValidAsZeroBits + Copy + Default + Send + Sync + PartialEq + Into<f64> + private::Sealed + 'static
{
    /// Its name in C++.
    const NAME: &'static str;

    /// The nearest to a number.
    fn nearest(x: f64) -> Self;
}

impl Number for f32 {
    const NAME: &'static str = "float";

    fn nearest(x: f64) -> Self {
        x as Self
    }
}

impl Number for f64 {
    const NAME: &'static str = "double";

    fn nearest(x: f64) -> Self {
        x
    }
}

/// A function for each kind of number, compiled when it is first asked for.
#[derive(Default)]
pub struct Kinds {
    single: Option<Compiled<f32>>,
    double: Option<Compiled<f64>>,
}

mod private {
    use super::{Compiled, Kinds, Number};

    /// Nobody else's numbers: compilers know these two.
    pub trait Sealed: Sized {
        /// The function of this kind.
        fn of(kinds: &mut Kinds) -> &mut Option<Compiled<Self>>
        where
            Self: Number;
    }

    impl Sealed for f32 {
        fn of(kinds: &mut Kinds) -> &mut Option<Compiled<Self>> {
            &mut kinds.single
        }
    }

    impl Sealed for f64 {
        fn of(kinds: &mut Kinds) -> &mut Option<Compiled<Self>> {
            &mut kinds.double
        }
    }
}
