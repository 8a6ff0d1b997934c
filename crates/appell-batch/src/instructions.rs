//! Which instructions a batch computes with.

use fearless_simd::Level;

/// The widest instructions that a batch may use, of those that the processor has.
///
/// Answers differ by rounding from one to the other: who wants them equal to the last bit on machines with AVX-512 and without
/// takes [`Instructions::Avx2`] on all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Instructions {
    /// Whatever there is.
    #[default]
    Widest,
    /// AVX2 with fused multiply-add.
    Avx2,
    /// Those that every processor of its kind has: on x86, one state after the other.
    Baseline,
}

impl Instructions {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Widest, Self::Avx2, Self::Baseline];

    /// What they are on this processor.
    pub(super) fn level(self) -> Level {
        let widest = Level::new();
        match self {
            Self::Widest => widest,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => widest.as_avx2().map_or(widest, Level::Avx2),
            #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
            Self::Avx2 => widest,
            Self::Baseline => Level::baseline(),
        }
    }
}
