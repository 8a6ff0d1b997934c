//! Identification: from noisy torques of a motion to the base parameters of an arm, each within its own uncertainty.
//!
//! `cargo run -p appell-identification --example identification`

use appell::Robot;
use appell::sample::Sampler;
use appell_batch::Motions;
use appell_identification::observation::{Samples, observe};
use appell_identification::parameters::{Effect, Model};
use appell_identification::{base_parameters, estimate};

const COUNT: usize = 400;
const NOISE: f64 = 0.05; // N m, at most

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("two-link")?;
    let arm = &robot;
    let model = Model::bodies(arm).with_effects(&[Effect::Viscous]);
    let mut sampler = Sampler::new(7);

    // A motion, and what the arm needs for it as a sensor would read it. `recorded` is joint after joint, as the motion is.
    let [q, v, a] = [1.0, 2.0, 5.0].map(|limit| (0..2 * COUNT).map(|_| sampler.within(limit)).collect::<Vec<_>>());
    let mut dynamics = robot.dynamics();
    let mut recorded = vec![0.0; 2 * COUNT];
    for i in 0..COUNT {
        let of = |vector: &[f64]| [vector[i], vector[COUNT + i]];
        let tau = dynamics.inverse_dynamics(&of(&q), &of(&v), &of(&a))?;
        for (j, tau) in tau.iter().enumerate() {
            recorded[j * COUNT + i] = tau + sampler.within(NOISE);
        }
    }

    // Which combinations of parameters the motion can tell, and what they are.
    let motion = Motions::Joints { q: &q, v: &v, a: &a };
    let measured = observe(arm, &model, &Samples { count: COUNT, motion, effort: &recorded })?;
    let base = base_parameters::structural(arm, &model)?;
    let found = estimate::weighted::estimate(&base.reduce(&measured))?;
    let truth = base.values(&model.values(arm));
    println!("{:<6} {:>12} {:>12} {:>10}", "", "true", "found", "σ");
    for (k, name) in base.names().iter().enumerate() {
        let sigma = found.covariance[(k, k)].sqrt();
        println!("{name:<6} {:>12.6} {:>12.6} {sigma:>10.6}", truth[k], found.values[k]);
        assert!((found.values[k] - truth[k]).abs() < 4.0 * sigma, "{name} is within its uncertainty");
    }
    println!("residual {:.3} % of the torques", 100.0 * found.fit.relative);
    assert_eq!(base.len(), 8);
    assert!(found.fit.relative < 0.01);
    Ok(())
}
