//! Gaussian noise from a seed.

use appell::sample::Sampler;

/// Numbers of mean 0 and deviation 1, the same on every machine for the same seed.
#[derive(Debug, Clone)]
pub struct Noise {
    sampler: Sampler,
}

impl Noise {
    /// No number is larger: what a Gaussian has beyond is drawn again, so that errors have bounds.
    pub const LARGEST: f64 = 4.0;

    /// Noise that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { sampler: Sampler::new(seed) }
    }

    /// The next number, by the polar method of Marsaglia.
    pub fn sample(&mut self) -> f64 {
        loop {
            let (x, y) = (self.sampler.within(1.0), self.sampler.within(1.0));
            let square = x * x + y * y;
            if square >= 1.0 || square == 0.0 {
                continue;
            }
            let number = x * (-2.0 * libm::log(square) / square).sqrt();
            if number.abs() <= Self::LARGEST {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_moments_of_a_gaussian_and_repeats() {
        let count = 200_000;
        let mut noise = Noise::new(7);
        let numbers: Vec<f64> = (0..count).map(|_| noise.sample()).collect();
        let moment = |power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(count);
        assert!(moment(1).abs() < 0.01 && (moment(2) - 1.0).abs() < 0.02 && (moment(4) - 3.0).abs() < 0.1);
        assert!(numbers.iter().all(|x| x.abs() <= Noise::LARGEST));
        let mut again = Noise::new(7);
        assert!(numbers.iter().take(100).all(|&x| x == again.sample()));
    }
}
