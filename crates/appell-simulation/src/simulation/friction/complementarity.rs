//! Which of several coupled joints at rest stick, and which break away: a complementarity problem of accelerations (Pfeiffer1996, §8).
//!
//! ```text
//! a = a₀ + G λ,    |λ_i| ≤ b_i,    a_i = 0 where |λ_i| < b_i,    a_i λ_i ≤ 0 where |λ_i| = b_i
//! ```
//!
//! G = E M⁻¹ Eᵀ is symmetric and not negative, so that these are the conditions of the least ½ λᵀ G λ + λᵀ a₀ within the bounds: the
//! accelerations are unique, and λ too where G is regular. Where more joints stick than the robot has degrees of freedom, λ is one of many.
//!
//! Joints are stuck or held at a bound; the first that violates its condition changes sides (Murty's rule of the least index, which ends
//! where G is regular), and if that does not end, bounds are approached one by one.

/// A joint at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Stuck,
    Lower, // λ = −b: the joint is pushed forward
    Upper,
}

/// What is left of a diagonal entry below which a joint is held by others already.
const HELD: f64 = 1e-9;

/// Changes of sides before bounds are approached one by one, and rounds of that.
const CHANGES: usize = 64;
const ROUNDS: usize = 2000;

/// Memory for so many joints.
#[derive(Debug, Clone)]
pub(super) struct Complementarity {
    sides: Vec<Side>,
    rest: Vec<f64>,    // what elimination leaves of G
    right: Vec<f64>,   // and of the right-hand side
    order: Vec<usize>, // of the pivots
    open: Vec<bool>,
}

impl Complementarity {
    pub(super) fn new(most: usize) -> Self {
        Self {
            sides: vec![Side::Stuck; most],
            rest: vec![0.0; most * most],
            right: vec![0.0; most],
            order: Vec::with_capacity(most),
            open: vec![true; most],
        }
    }

    /// λ within the bounds, of which `accelerations` come in as a₀ and go out as a. G is row by row.
    pub(super) fn solve(&mut self, g: &[f64], bounds: &[f64], accelerations: &mut [f64], lambda: &mut [f64]) {
        let n = bounds.len();
        self.sides[..n].fill(Side::Stuck);
        let of = |lambda: &[f64], i: usize| -> f64 { (0..n).map(|k| g[i * n + k] * lambda[k]).sum() };
        let mut is_solved = false;
        for _ in 0..CHANGES {
            for (i, side) in self.sides[..n].iter().enumerate() {
                self.open[i] = *side == Side::Stuck;
                lambda[i] = match side {
                    Side::Stuck => 0.0,
                    Side::Lower => -bounds[i],
                    Side::Upper => bounds[i],
                };
            }
            for (i, (right, a)) in self.right.iter_mut().zip(&*accelerations).enumerate() {
                *right = -a - of(lambda, i);
            }
            self.hold(g, n, lambda);
            let wrong = (0..n).find_map(|i| {
                let (a, scale) = (accelerations[i] + of(lambda, i), g[i * n + i] * bounds[i]);
                match self.sides[i] {
                    Side::Stuck if lambda[i] > bounds[i] => Some((i, Side::Upper)),
                    Side::Stuck if lambda[i] < -bounds[i] => Some((i, Side::Lower)),
                    Side::Lower if a < -1e-13 * scale => Some((i, Side::Stuck)),
                    Side::Upper if a > 1e-13 * scale => Some((i, Side::Stuck)),
                    _ => None,
                }
            });
            match wrong {
                Some((i, side)) => self.sides[i] = side,
                None => {
                    is_solved = true;
                    break;
                }
            }
        }
        if !is_solved {
            lambda.fill(0.0);
            for _ in 0..ROUNDS {
                for i in (0..n).filter(|&i| g[i * n + i] > 0.0) {
                    let a = accelerations[i] + of(lambda, i);
                    lambda[i] = (lambda[i] - a / g[i * n + i]).clamp(-bounds[i], bounds[i]);
                }
            }
        }
        for (i, a) in accelerations.iter_mut().enumerate() {
            *a += of(lambda, i);
        }
    }

    /// λ of joints that are all stuck, whatever their bounds.
    pub(super) fn hold_all(&mut self, g: &[f64], accelerations: &[f64], lambda: &mut [f64]) {
        let n = lambda.len();
        self.open[..n].fill(true);
        self.right.iter_mut().zip(accelerations).for_each(|(right, a)| *right = -a);
        self.hold(g, n, lambda);
    }

    /// G λ = right for the joints that are open, the largest diagonal entry first; one that the others hold already gets none.
    fn hold(&mut self, g: &[f64], n: usize, lambda: &mut [f64]) {
        let Self { rest, right, order, open, .. } = self;
        rest[..n * n].copy_from_slice(g);
        order.clear();
        loop {
            let share = |i: usize| rest[i * n + i] / g[i * n + i];
            let next = (0..n).filter(|&i| open[i] && share(i) > HELD);
            let Some(p) = next.reduce(|best, i| if share(i) > share(best) { i } else { best }) else { break };
            open[p] = false;
            order.push(p);
            for i in (0..n).filter(|&i| open[i]) {
                let factor = rest[i * n + p] / rest[p * n + p];
                for k in (0..n).filter(|&k| open[k]) {
                    rest[i * n + k] -= factor * rest[p * n + k];
                }
                right[i] -= factor * right[p];
            }
        }
        // Row p still has the entries of those that were eliminated after it.
        for (at, &p) in order.iter().enumerate().rev() {
            let later: f64 = order[at + 1..].iter().map(|&k| rest[p * n + k] * lambda[k]).sum();
            lambda[p] = (right[p] - later) / rest[p * n + p];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    /// The conditions hold for random joints, more of them than degrees of freedom too.
    #[test]
    fn the_conditions_hold() {
        let mut sampler = Sampler::new(8);
        for case in 0..300 {
            let (n, freedoms) = (1 + case % 6, 1 + case % 4);
            let z: Vec<f64> = (0..n * freedoms).map(|_| sampler.within(1.0)).collect();
            let g: Vec<f64> = (0..n * n)
                .map(|k| (0..freedoms).map(|c| z[k / n * freedoms + c] * z[k % n * freedoms + c]).sum())
                .collect();
            // What moves them is a motion, too.
            let force: Vec<f64> = (0..freedoms).map(|_| sampler.within(3.0)).collect();
            let start: Vec<f64> = (0..n).map(|i| (0..freedoms).map(|c| z[i * freedoms + c] * force[c]).sum()).collect();
            let bounds: Vec<f64> = (0..n).map(|_| 0.1 + sampler.within(1.0).abs()).collect();
            let (mut a, mut lambda) = (start.clone(), vec![0.0; n]);
            Complementarity::new(n).solve(&g, &bounds, &mut a, &mut lambda);
            for i in 0..n {
                let found = start[i] + (0..n).map(|k| g[i * n + k] * lambda[k]).sum::<f64>();
                assert!((found - a[i]).abs() < 1e-12);
                assert!(lambda[i].abs() <= bounds[i] * (1.0 + 1e-9), "case {case}: {lambda:?} {bounds:?}");
                let is_stuck = a[i].abs() < 1e-7;
                let is_at_bound = bounds[i] - lambda[i].abs() < 1e-9 && a[i] * lambda[i] <= 0.0;
                assert!(is_stuck || is_at_bound, "case {case}, joint {i}: {a:?} {lambda:?} {bounds:?}");
            }
        }
    }
}
