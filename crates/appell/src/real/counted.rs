//! A number that counts the operations made on it, by the conventions of the papers' tables.

use super::{Measured, Real};
use core::cell::RefCell;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Multiplications and additions, as the papers' tables count them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// × ÷ √
    pub multiplications: u64,
    /// + −
    pub additions: u64,
}

impl Count {
    /// A count of so many multiplications and additions.
    #[must_use]
    pub const fn new(multiplications: u64, additions: u64) -> Self {
        Self { multiplications, additions }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.multiplications += other.multiplications;
        self.additions += other.additions;
    }
}

/// What a run cost, section by section in the order of their first mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    sections: Vec<(&'static str, Count)>,
}

impl Tally {
    /// The sections that were marked, with their counts; `""` is what ran before the first mark.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, Count)> + '_ {
        self.sections.iter().copied()
    }

    /// The count of one section; zero if it was never marked.
    #[must_use]
    pub fn section(&self, name: &str) -> Count {
        self.sections().find(|(known, _)| *known == name).map_or(Count::default(), |(_, count)| count)
    }

    /// The sum over all sections whose name `keep` accepts.
    #[must_use]
    pub fn total(&self, keep: impl Fn(&str) -> bool) -> Count {
        let mut total = Count::default();
        self.sections().filter(|(name, _)| keep(name)).for_each(|(_, count)| total += count);
        total
    }
}

thread_local! {
    static RUNNING: RefCell<(Tally, usize)> = const { RefCell::new((Tally { sections: Vec::new() }, 0)) };
}

/// An `f64` that counts: × ÷ √ are multiplications, + and binary − are additions, the rest is free.
///
/// These are rules R1 and R3 of the papers' tables: signs, copies, sines, cosines and exponentials cost nothing, and a
/// multiplication by a stored zero counts like any other.
///
/// ```
/// use appell::real::{Count, Counted, Real};
/// let (_, tally) = Counted::count(|| Counted(2.0).scale(3.0) + Counted(1.0));
/// assert_eq!(tally.total(|_| true), Count::new(1, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted(pub f64);

impl Counted {
    /// Runs `work` and returns its result with what this thread's `Counted` numbers cost in it.
    pub fn count<R>(work: impl FnOnce() -> R) -> (R, Tally) {
        let outer = RUNNING.with(|running| running.replace((Tally { sections: vec![("", Count::default())] }, 0)));
        let result = work();
        let (tally, _) = RUNNING.with(|running| running.replace(outer));
        (result, tally)
    }

    fn spend(cost: Count) {
        RUNNING.with_borrow_mut(|(tally, current)| {
            if let Some((_, count)) = tally.sections.get_mut(*current) {
                *count += cost;
            }
        });
    }
}

// Nothing is inlined: algorithms inline all of their own, and one operation there must stay one call here.
macro_rules! operator {
    ($trait:ident, $method:ident, $symbol:tt, $cost:expr) => {
        impl $trait for Counted {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                Self::spend($cost);
                Self(self.0 $symbol other.0)
            }
        }
    };
}

operator!(Add, add, +, Count::new(0, 1));
operator!(Sub, sub, -, Count::new(0, 1));
operator!(Mul, mul, *, Count::new(1, 0));
operator!(Div, div, /, Count::new(1, 0));

impl Neg for Counted {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for Counted {
    #[inline(never)]
    fn constant(self, x: f64) -> Self {
        Self(x)
    }

    #[inline(never)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = Real::sin_cos(self.0);
        (Self(sin), Self(cos))
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        Self::spend(Count::new(1, 0));
        Self(self.0.sqrt())
    }

    #[inline(never)]
    fn atan2(self, x: Self) -> Self {
        Self(Real::atan2(self.0, x.0))
    }

    #[inline(never)]
    fn exp(self) -> Self {
        Self(Real::exp(self.0))
    }

    #[inline(never)]
    fn where_positive(self, yes: Self, no: Self) -> Self {
        if self.0 > 0.0 { yes } else { no }
    }

    #[inline(never)]
    fn section(name: &'static str) {
        RUNNING.with_borrow_mut(|(tally, current)| {
            if tally.sections.is_empty() {
                return; // nobody counts
            }
            *current = tally.sections.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                tally.sections.push((name, Count::default()));
                tally.sections.len() - 1
            });
        });
    }
}

impl Measured for Counted {
    const EPSILON: f64 = f64::EPSILON;

    type Plain = f64;

    fn plain(self) -> f64 {
        self.0
    }

    fn least(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_collect_what_runs_in_them() {
        let (_, tally) = Counted::count(|| {
            Counted::section("a");
            let x = Counted(2.0) * Counted(3.0) - Counted(1.0);
            Counted::section("b");
            let y = x.sqrt() / x;
            Counted::section("a");
            -(x + y)
        });
        assert_eq!(tally.section("a"), Count::new(1, 2));
        assert_eq!(tally.section("b"), Count::new(2, 0));
        assert_eq!(tally.total(|_| true), Count::new(3, 2));
    }

    #[test]
    fn nothing_is_counted_outside() {
        let _ = Counted(1.0) + Counted(2.0);
        let ((), tally) = Counted::count(|| ());
        assert_eq!(tally.total(|_| true), Count::default());
    }
}
