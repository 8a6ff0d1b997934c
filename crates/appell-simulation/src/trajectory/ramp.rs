//! A straight way in joint space: all joints start and arrive together.

use super::{Along, FollowError, JointReference, PathError, Rates, Shape, TimeLaw, expect_joints, numbers};

/// q(t) = q₀ + (q₁ − q₀) s(t).
#[derive(Debug, Clone, PartialEq)]
pub struct Ramp {
    from: Vec<f64>,
    to: Vec<f64>,
    law: TimeLaw,
}

impl Ramp {
    /// From one place to another by a time law.
    ///
    /// ```
    /// use appell_simulation::trajectory::{JointReference, Ramp, Shape, TimeLaw};
    ///
    /// let mut ramp = Ramp::new(&[0.0, 1.0], &[1.0, -1.0], TimeLaw::new(Shape::TRAPEZOIDAL, 4.0)?)?;
    /// let [mut q, mut v, mut a] = [[0.0; 2]; 3];
    /// ramp.at(2.0, &mut q, &mut v, &mut a).unwrap();
    /// assert_eq!(q, [0.5, 0.0]);
    /// assert_eq!(v, [1.0 / 3.0, -2.0 / 3.0]);
    /// # Ok::<(), appell_simulation::trajectory::PathError>(())
    /// ```
    ///
    /// # Errors
    /// If both places have not as many finite numbers, or are the same.
    pub fn new(from: &[f64], to: &[f64], law: TimeLaw) -> Result<Self, PathError> {
        check(from, to)?;
        Ok(Self { from: from.to_vec(), to: to.to_vec(), law })
    }

    /// No way at all: staying at a place, for a time, s.
    ///
    /// # Errors
    /// If a number is not finite, or the time not positive.
    pub fn staying(at: &[f64], time: f64) -> Result<Self, PathError> {
        numbers("the place", at, at.len())?;
        Ok(Self { from: at.to_vec(), to: at.to_vec(), law: TimeLaw::new(Shape::Quintic, time)? })
    }

    /// The quickest within the limits of each joint; the slowest joint sets the pace.
    ///
    /// # Errors
    /// As [`Ramp::new`] and [`TimeLaw::within`].
    pub fn within(from: &[f64], to: &[f64], shape: Shape, most: &[Rates]) -> Result<Self, PathError> {
        check(from, to)?;
        if most.len() != from.len() {
            return Err(PathError::Length { what: "the limits", found: most.len(), expected: from.len() });
        }
        let ways = from.iter().zip(to).map(|(from, to)| (to - from).abs());
        let along = ways.zip(most).fold(Rates::UNLIMITED, |least, (way, most)| least.and(most.over(way)));
        Self::new(from, to, TimeLaw::within(shape, along)?)
    }
}

fn check(from: &[f64], to: &[f64]) -> Result<(), PathError> {
    numbers("the start", from, from.len())?;
    numbers("the end", to, from.len())?;
    if from == to {
        return Err(PathError::SamePlace { one: "the start", other: "the end" });
    }
    Ok(())
}

impl JointReference for Ramp {
    fn joints(&self) -> usize {
        self.from.len()
    }

    fn duration(&self) -> f64 {
        self.law.duration()
    }

    fn at(&mut self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) -> Result<(), FollowError> {
        expect_joints(self.from.len(), [q, v, a]);
        let Along { s, rate, second } = self.law.at(t);
        for (j, (from, to)) in self.from.iter().zip(&self.to).enumerate() {
            let way = to - from;
            (q[j], v[j], a[j]) = (way.mul_add(s, *from), way * rate, way * second);
        }
        Ok(())
    }
}
