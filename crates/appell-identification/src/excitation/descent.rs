//! Minimisation without constraints by limited-memory BFGS (Nocedal1980).
//!
//! Values may be +∞ where a motion is none; a step that ends there is halved. Only accepted points are differentiated,
//! which costs many times a value and goes on from its work. That, stages that change the objective on the way, and a caller who
//! may stop it, are why these are our own steps and not those of a crate such as argmin, which asks for values and gradients apart.

use core::ops::ControlFlow;
use nalgebra::DVector;
use std::collections::VecDeque;

/// Pairs of steps that the curvature is remembered by.
const MEMORY: usize = 40;

/// The part of the decrease promised by the slope that a step must keep (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// Halvings of a step before giving up.
const HALVINGS: usize = 25;

/// Steps in a row that gain too little before a descent ends: one alone may have met a corner.
const PATIENCE: usize = 3;

/// What is minimised.
pub(super) trait Objective {
    /// The value, +∞ where there is none.
    fn value(&mut self, x: &DVector<f64>) -> f64;

    /// The gradient, at the point last valued.
    fn gradient(&mut self) -> Option<DVector<f64>>;

    /// Hears that the point last valued was reached by a step; may break.
    fn stepped(&mut self) -> ControlFlow<()>;
}

/// Steps down from `x` until a few steps in a row gain less than `least`, `iterations` are over, or the objective breaks; the
/// best point and its value.
pub(super) fn descend(
    objective: &mut impl Objective,
    mut x: DVector<f64>,
    iterations: usize,
    least: f64,
) -> (DVector<f64>, f64) {
    let mut value = objective.value(&x);
    if !value.is_finite() {
        return (x, f64::INFINITY);
    }
    let Some(mut gradient) = objective.gradient() else { return (x, value) };
    let mut pairs: VecDeque<(DVector<f64>, DVector<f64>, f64)> = VecDeque::with_capacity(MEMORY);
    let mut little = 0;
    for _ in 0..iterations {
        let mut direction = -two_loops(&pairs, &gradient);
        let mut slope = direction.dot(&gradient);
        if slope.is_nan() || slope >= 0.0 {
            // Rounding has spoilt what was remembered.
            pairs.clear();
            direction = -&gradient;
            slope = -gradient.norm_squared();
        }
        if slope == 0.0 {
            break;
        }
        // The first step is of a length that moves, but does not jump.
        let mut length = if pairs.is_empty() { (0.1 * x.norm().max(1.0) / direction.norm()).min(1.0) } else { 1.0 };
        let mut found = None;
        for _ in 0..HALVINGS {
            let next = &x + &direction * length;
            let reached = objective.value(&next);
            if reached <= value + SUFFICIENT * length * slope {
                found = Some((next, reached));
                break;
            }
            length *= 0.5;
        }
        let Some((next, reached)) = found else {
            if pairs.is_empty() {
                break;
            }
            pairs.clear(); // once more, straight down
            continue;
        };
        let Some(there) = objective.gradient() else { break };
        let (step, change) = (&next - &x, &there - &gradient);
        let curvature = step.dot(&change);
        if curvature > 1e-12 * step.norm() * change.norm() {
            if pairs.len() == MEMORY {
                pairs.pop_front();
            }
            pairs.push_back((step, change, 1.0 / curvature));
        }
        little = if value - reached < least { little + 1 } else { 0 };
        (x, value, gradient) = (next, reached, there);
        if objective.stepped().is_break() || little == PATIENCE {
            break;
        }
    }
    (x, value)
}

/// The gradient times the inverse Hessian that the pairs (s, y, 1/sᵀy) suggest.
fn two_loops(pairs: &VecDeque<(DVector<f64>, DVector<f64>, f64)>, gradient: &DVector<f64>) -> DVector<f64> {
    let mut q = gradient.clone();
    let mut parts = Vec::with_capacity(pairs.len());
    for (s, y, rho) in pairs.iter().rev() {
        let part = rho * s.dot(&q);
        q.axpy(-part, y, 1.0);
        parts.push(part);
    }
    if let Some((_, y, rho)) = pairs.back() {
        q *= 1.0 / (rho * y.norm_squared());
    }
    for ((s, y, rho), part) in pairs.iter().zip(parts.into_iter().rev()) {
        let back = rho * y.dot(&q);
        q.axpy(part - back, s, 1.0);
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley in pairs of coordinates, forbidden where the first is below −1.5.
    struct Valley {
        at: DVector<f64>,
        gradients: usize,
        steps: usize, // before it breaks
    }

    impl Objective for Valley {
        fn value(&mut self, x: &DVector<f64>) -> f64 {
            self.at = x.clone();
            if x[0] < -1.5 {
                return f64::INFINITY;
            }
            x.as_slice().chunks_exact(2).map(|p| (1.0 - p[0]).powi(2) + 100.0 * (p[1] - p[0] * p[0]).powi(2)).sum()
        }

        fn gradient(&mut self) -> Option<DVector<f64>> {
            self.gradients += 1;
            let pairs = self.at.as_slice().chunks_exact(2).flat_map(|p| {
                let off = p[1] - p[0] * p[0];
                [-2.0 * (1.0 - p[0]) - 400.0 * p[0] * off, 200.0 * off]
            });
            Some(DVector::from_iterator(self.at.len(), pairs))
        }

        fn stepped(&mut self) -> ControlFlow<()> {
            self.steps -= 1;
            if self.steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn finds_the_end_of_a_curved_valley() {
        let start = DVector::from_vec(vec![-1.2, 1.0, -1.0, 2.0, 0.5, -1.0]);
        let mut valley = Valley { at: start.clone(), gradients: 0, steps: 1000 };
        let (x, value) = descend(&mut valley, start, 300, 0.0);
        assert!(value < 1e-18 && x.iter().all(|x| (x - 1.0).abs() < 1e-8), "{value} {x}");
        assert!(valley.gradients < 150, "{}", valley.gradients);
    }

    #[test]
    fn stops_when_told_and_where_there_is_nothing() {
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let mut valley = Valley { at: start.clone(), gradients: 0, steps: 4 };
        descend(&mut valley, start, 300, 0.0);
        assert_eq!(valley.gradients, 5, "at the start and after four steps");
        let outside = DVector::from_vec(vec![-2.0, 1.0]);
        let (_, value) = descend(&mut valley, outside, 300, 0.0);
        assert_eq!(value, f64::INFINITY);
    }
}
