//! Arrays that another's library writes, between guards, so that it is known what it has written and where it should not.

use core::fmt;

/// Values before the first and behind the last that a library must not write.
const GUARDS: usize = 8;

/// A kind of value with one that stands where nothing was written.
pub trait Marked: Copy {
    /// What stands there.
    const MARK: Self;

    /// Whether it still does.
    fn is_mark(self) -> bool;
}

impl Marked for f64 {
    /// A NaN that no computation gives.
    const MARK: Self = f64::from_bits(0x7ff4_6170_7065_6c6c);

    fn is_mark(self) -> bool {
        self.to_bits() == Self::MARK.to_bits()
    }
}

impl Marked for u8 {
    /// A flag that is none.
    const MARK: Self = 0xa5;

    fn is_mark(self) -> bool {
        self == Self::MARK
    }
}

/// On which side of an array something was written that is not of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before its first value.
    Before,
    /// Behind its last one.
    Behind,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::Behind => "behind",
        })
    }
}

/// Such an array.
#[derive(Debug, Clone)]
pub struct Guarded<T> {
    all: Vec<T>,
}

impl<T: Marked> Guarded<T> {
    /// Room for so many values.
    #[must_use]
    pub fn new(values: usize) -> Self {
        Self { all: vec![T::MARK; values + 2 * GUARDS] }
    }

    /// Nothing is written any more.
    pub fn clear(&mut self) {
        self.all.fill(T::MARK);
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.all[GUARDS..self.all.len() - GUARDS]
    }

    /// The same, to be written.
    pub fn values_mut(&mut self) -> &mut [T] {
        let end = self.all.len() - GUARDS;
        &mut self.all[GUARDS..end]
    }

    /// On which side guards were written, if some were.
    #[must_use]
    pub fn broken(&self) -> Option<Side> {
        let is_written = |guards: &[T]| !guards.iter().all(|guard| guard.is_mark());
        let (before, behind) = (&self.all[..GUARDS], &self.all[self.all.len() - GUARDS..]);
        if is_written(before) { Some(Side::Before) } else { is_written(behind).then_some(Side::Behind) }
    }
}
