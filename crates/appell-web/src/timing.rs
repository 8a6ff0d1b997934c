//! How fast the library is in a page.

use appell::Robot;
use appell::question::{Evaluator, Question, State, Target};

/// Inverse dynamics of the PUMA by its first method on plain numbers, over and over; the sum of all torques, so that nobody leaves it out.
///
/// # Errors
/// Never: the robot comes with the library.
pub fn inverse_dynamics(calls: u32) -> Result<f64, String> {
    let robot = Robot::builtin("puma560").map_err(|error| error.to_string())?;
    // A method that is named runs on plain numbers, here and on processors that have fused ones.
    let method = Question::InverseDynamics.methods(&robot).first().map(|method| method.name);
    let evaluator = Evaluator::new(&robot, Question::InverseDynamics, method, Target::default());
    let mut evaluator = evaluator.map_err(|error| error.to_string())?;
    let (mut q, mut row, mut sum) = ([0.3, -0.9, 0.6, 0.4, 0.8, -0.2], [0.0; 6], 0.0);
    let (v, a) = ([0.2, -0.1, 0.3, 0.5, -0.4, 0.6], [-0.7, 0.4, 0.9, -0.3, 0.6, 0.2]);
    for _ in 0..calls {
        evaluator.evaluate(&State::joints(&q, &v, &a), &mut row).map_err(|error| error.to_string())?;
        q[0] += 1e-6;
        sum += row[1];
    }
    Ok(sum)
}
