//! Instrumental variables: Zᵀ W φ = Zᵀ y.
//!
//! In a closed loop the noise of the efforts moves the robot, and measured motion has noise of its own: W depends on the noise
//! of y, and least squares is biased however much is measured. Z is the observation matrix of a motion that knows nothing of
//! that noise, such as a simulation of the model under the same reference (IDIM-IV, Janot2014): φ is right in the mean as long
//! as Z and the noise have nothing in common.

use super::scaled::{Scaled, divided};
use super::{Estimate, EstimateError, Observation, weighted as by_noise};

/// Rounds of simulations at most; the change of parameters, in σ, that ends them.
const ROUNDS: usize = 20;
const SETTLED: f64 = 0.01;

/// The estimate with `instruments` Z, a matrix of the same columns, with C = s² (Zᵀ W)⁻¹ Zᵀ Z (Wᵀ Z)⁻¹ = s² (Qᵀ W)⁻¹ (Wᵀ Q)⁻¹
/// where Z = Q R.
///
/// # Errors
/// If there are too few equations, or columns that depend on each other, or instruments that do not see a parameter.
///
/// # Panics
/// If the instruments have another shape or other columns.
pub fn estimate(equations: &Observation, instruments: &Observation) -> Result<Estimate, EstimateError> {
    assert_eq!(equations.model(), instruments.model(), "instruments for these columns");
    assert_eq!(equations.matrix().shape(), instruments.matrix().shape(), "an instrument an equation");
    let scaled = Scaled::new(equations)?;
    let condition = scaled.regular(equations)?;
    let of_instruments = Scaled::new(instruments)?;
    of_instruments.regular(instruments)?;
    // With Z = Q R: Qᵀ W φ = Qᵀ y. Zᵀ W itself has the square of the condition number, and loses twice the digits.
    let (w, q) = (divided(equations, &scaled.lengths), divided(instruments, &of_instruments.lengths).qr().q());
    let seen = q.tr_mul(&w).lu();
    let refused = || EstimateError::Dependent { name: equations.model().name(0), condition };
    let solution = seen.solve(&q.tr_mul(equations.right())).ok_or_else(refused)?;
    let inverse = seen.try_inverse().ok_or_else(refused)?;
    let covariance = &inverse * inverse.transpose() * scaled.variance(&solution);
    Ok(scaled.estimate("instrumental variables", equations, &solution, &covariance, condition))
}

/// The same with the equations, and their instruments, divided by the joints' noise, as it is left by the estimate without.
///
/// # Errors
/// As [`estimate`](fn@estimate).
///
/// # Panics
/// As [`estimate`](fn@estimate).
pub fn weighted(equations: &Observation, instruments: &Observation) -> Result<Estimate, EstimateError> {
    let weights = by_noise::weights(equations, &estimate(equations, instruments)?.values);
    let found = estimate(&equations.weighed(&weights), &instruments.weighed(&weights))?;
    Ok(by_noise::undo(equations, &weights, found))
}

/// IDIM-IV whole: the model that was found is simulated under the same reference and control, its motion makes the next
/// instruments, and so on until the parameters stay. `start` is what another method found, and `simulate` gives the observation
/// matrix of a simulation with some parameters, at the instants of the equations.
///
/// # Errors
/// If a simulation fails, or there is no estimate; or the parameters did not converge.
pub fn by_simulation<E: From<EstimateError>>(
    equations: &Observation,
    start: Estimate,
    mut simulate: impl FnMut(&Estimate) -> Result<Observation, E>,
) -> Result<Estimate, E> {
    let mut found = start;
    for round in 1..=ROUNDS {
        let next = weighted(equations, &simulate(&found)?)?;
        let change = (&next.values - &found.values).component_div(&next.sigma()).amax();
        found = next;
        if change < SETTLED {
            return Ok(Estimate { note: Some(format!("{round} rounds of simulation")), ..found });
        }
    }
    let remedy = "simulate without the encoders' counts and other noise, check that the loop is that of the recording, or excite better";
    Err(EstimateError::NotConverged { what: "instruments by simulation", rounds: ROUNDS, remedy }.into())
}
