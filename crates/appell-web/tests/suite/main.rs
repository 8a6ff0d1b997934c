//! What the page asks of the library, on this machine.

mod dragged;
mod golden;
mod motion;
mod odd;
mod springs;
mod taken;

/// Random numbers of a seed, for ways of the hand.
pub(crate) struct Seeded(u64);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// In −1 to 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Largest difference of two vectors over the largest number of the second, or over `least`.
pub(crate) fn apart(found: &[f64], expected: &[f64], least: f64) -> f64 {
    assert_eq!(found.len(), expected.len(), "as many numbers");
    let size = expected.iter().fold(least, |most, x| most.max(x.abs()));
    found
        .iter()
        .zip(expected)
        .map(|(a, b)| (a - b).abs() / size)
        .fold(0.0, |most, x| if x.is_nan() { f64::INFINITY } else { most.max(x) })
}
