//! Gains of a law from a natural frequency and a damping ratio, by what each drive moves at the start.

use super::options::{Law, Options};
use super::state::State;
use appell::Robot;
use appell::linear::Cholesky;
use appell_simulation::control::Gains;
use appell_simulation::simulation::Plant;

/// What a unit of force along each of some joints does to their accelerations: E M⁻¹ Eᵀ, row by row.
pub(super) fn responses(plant: &mut dyn Plant, joints: &[usize]) -> Result<Vec<f64>, String> {
    let many = joints.len();
    let (mut of_r, mut of_v) = (vec![0.0; many * plant.freedoms()], vec![0.0; many * many]);
    plant.responses(joints, &mut of_r, &mut of_v).map_err(|reason| reason.to_string())?;
    Ok(of_v)
}

/// The inertia that each drive moves while the others stand, the diagonal of (E M⁻¹ Eᵀ)⁻¹; where they cannot all stand, because there are
/// more drives than freedoms, while the others are free.
fn moved(plant: &mut dyn Plant) -> Result<Vec<f64>, String> {
    let drives = plant.drives();
    let n = drives.len();
    let answers = responses(plant, &drives)?;
    let mut cholesky = Cholesky::new(n, 0.0);
    cholesky.decompose(&answers);
    let stands = cholesky.pivots().iter().enumerate().all(|(j, pivot)| *pivot > 1e-9 * answers[j * n + j]);
    let diagonal = |j: usize| {
        if !stands {
            return 1.0 / answers[j * n + j];
        }
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        cholesky.solve(&mut unit);
        unit[j]
    };
    let moved: Vec<f64> = (0..n).map(diagonal).collect();
    if moved.iter().all(|inertia| inertia.is_finite() && *inertia > 0.0) {
        Ok(moved)
    } else {
        Err("the drives do not move all of the robot here, so that no gains are known; start elsewhere".into())
    }
}

/// The gains of every drive: of torques and forces for a law without a model, of accelerations for one with.
pub(super) fn gains(model: &Robot, start: &State, options: &Options) -> Result<Vec<Gains>, String> {
    let drives = model.drives().len();
    let of_acceleration = Gains::of(options.omega, options.zeta);
    match options.law {
        Law::Free | Law::GravityCompensation => Ok(vec![Gains::default(); drives]),
        Law::ComputedTorque => Ok(vec![of_acceleration; drives]),
        Law::HoldPd if drives == 0 => Err("the robot has no drives, so that no law can hold it".into()),
        Law::HoldPd => {
            let Gains { proportional, derivative, .. } = of_acceleration;
            let scaled = |inertia: f64| Gains {
                proportional: proportional * inertia,
                derivative: derivative * inertia,
                integral: 0.0,
            };
            let mut plant = start.plant(model, None)?;
            Ok(moved(&mut *plant)?.into_iter().map(scaled).collect())
        }
    }
}
