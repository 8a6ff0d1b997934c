//! A hand that pulls at a frame: damped least squares in any coordinates, by steps that a robot can refuse.
//!
//! ```text
//! Δx = Jᵀ (J Jᵀ + λ² 1)⁻¹ e        (Nakamura1986, λ² as Sugihara2011)
//! ```

use appell::linear::Cholesky;
use appell::spatial::{Pose, turn_between};

/// What is pulled. Errors and rows of the Jacobian have no units: lengths are over a characteristic one.
pub(super) trait Pulled {
    /// How many velocities it has.
    fn freedoms(&self) -> usize;
    /// What is missing to the goal; zeros where it asks for nothing.
    fn error(&mut self) -> [f64; 6];
    /// The derivative of what is pulled by the velocities, 6 × n row by row; whether it exists.
    fn jacobian(&mut self, jacobian: &mut [f64]) -> bool;
    /// Goes a step; whether it can. Otherwise it is to be taken back.
    fn advance(&mut self, step: &[f64]) -> bool;
    /// Takes the last step back.
    fn back(&mut self);
}

/// The error that counts as none.
const REACHED: f64 = 1e-9;

/// The longest step, rad or characteristic lengths.
const LONGEST_STEP: f64 = 0.3;

/// Damping over the squared error: at the start, by what it falls and grows, the least, and where it ends.
const DAMPING: f64 = 1e-2;
const RELIEF: f64 = 0.1;
const CAUTION: f64 = 6.0;
const LEAST_DAMPING: f64 = 1e-6;
const HOPELESS_DAMPING: f64 = 1e8;

/// Pulls towards the goal until it is reached or no step helps; whether it is reached.
pub(super) fn pull(pulled: &mut impl Pulled, steps: usize) -> bool {
    let n = pulled.freedoms();
    let (mut jacobian, mut normal, mut step) = (vec![0.0; 6 * n], vec![0.0; 36], vec![0.0; n]);
    let mut cholesky = Cholesky::new(6, 0.0);
    let cost = |e: &[f64; 6]| e.iter().map(|x| x * x).sum::<f64>();
    let (mut error, mut damping) = (pulled.error(), DAMPING);
    let mut is_known = false; // the Jacobian here
    for _ in 0..steps {
        if cost(&error) < REACHED * REACHED {
            return true;
        }
        if damping > HOPELESS_DAMPING {
            return false;
        }
        if !is_known && !pulled.jacobian(&mut jacobian) {
            return false;
        }
        is_known = true;
        let mut trace = 0.0;
        for i in 0..6 {
            for k in 0..=i {
                let rows = jacobian[i * n..(i + 1) * n].iter().zip(&jacobian[k * n..]);
                normal[6 * i + k] = rows.map(|(x, y)| x * y).sum();
            }
            trace += normal[7 * i];
        }
        let lambda_squared = damping * cost(&error) + 16.0 * f64::EPSILON * trace + f64::MIN_POSITIVE;
        (0..6).for_each(|i| normal[7 * i] += lambda_squared);
        cholesky.decompose(&normal);
        let mut e = error;
        cholesky.solve(&mut e);
        for (k, step) in step.iter_mut().enumerate() {
            *step = (0..6).map(|i| jacobian[i * n + k] * e[i]).sum();
        }
        let longest = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if !longest.is_finite() || longest == 0.0 {
            return false;
        }
        if longest > LONGEST_STEP {
            step.iter_mut().for_each(|x| *x *= LONGEST_STEP / longest);
        }
        let went = pulled.advance(&step);
        let there = if went { pulled.error() } else { error };
        if went && cost(&there) < cost(&error) {
            let is_slow = cost(&there) > (1.0 - 1e-6) * cost(&error);
            (error, is_known) = (there, false);
            damping = (damping * RELIEF).max(LEAST_DAMPING);
            if is_slow {
                return false;
            }
        } else {
            pulled.back();
            damping *= CAUTION;
        }
    }
    cost(&error) < REACHED * REACHED
}

/// The way from one pose to another, over a length, and the turn.
pub(super) fn between(from: &Pose, to: &Pose, length: f64) -> [f64; 6] {
    let ([x, y, z], [a, b, c]) =
        ((to.position - from.position).to_array(), turn_between(&from.rotation, &to.rotation).to_array());
    [x / length, y / length, z / length, a, b, c]
}
