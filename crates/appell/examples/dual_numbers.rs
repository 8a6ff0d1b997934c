//! Derivatives with dual numbers: the algorithm as it is, run on numbers that carry their derivatives.
//!
//! `cargo run -p appell --example dual_numbers`

use appell::Robot;
use appell::dynamics::{energy, gibbs_appell_tensor};
use appell::kinematics;
use appell::real::Dual;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("puma560")?;
    let tree = robot.tree();
    let (q, v, a) = ([0.1, -0.7, 0.4, 0.9, -0.3, 0.2], [0.5; 6], [1.0, -1.0, 0.5, 2.0, 0.0, -0.4]);

    // ∂τ/∂q exactly, all six directions in one sweep: q varies, v and a do not.
    let varying: [Dual<6>; 6] = std::array::from_fn(|k| Dual::variable(q[k], k));
    let (fixed_v, fixed_a) = (v.map(Dual::<6>::fixed), a.map(Dual::<6>::fixed));
    let mut ws = gibbs_appell_tensor::Workspace::with_scalar(tree, Dual::<6>::fixed(0.0));
    let tau = gibbs_appell_tensor::inverse_dynamics(tree, &mut ws, &varying, &fixed_v, &fixed_a);

    // The equations differentiated by hand say the same, and faster: what `Dynamics` answers with.
    let mut dynamics = robot.dynamics();
    let by_q = &dynamics.inverse_dynamics_derivatives(&q, &v, &a)?[..36];
    for (tau, row) in tau.iter().zip(by_q.chunks_exact(6)) {
        println!("{:9.4?}", tau.derivative);
        assert!(tau.derivative.iter().zip(row).all(|(dual, analytic)| (dual - analytic).abs() < 1e-10));
    }

    // Gravity is the gradient of the potential energy.
    let mut ws = kinematics::Workspace::with_scalar(tree, Dual::<6>::fixed(0.0));
    let potential = energy::energy(tree, &mut ws, &varying, &fixed_v).potential;
    let held = dynamics.gravity(&q)?;
    assert!(potential.derivative.iter().zip(held).all(|(slope, torque)| (slope - torque).abs() < 1e-10));
    Ok(())
}
