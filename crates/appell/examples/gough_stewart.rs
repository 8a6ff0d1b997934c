//! A Gough-Stewart platform: leg forces of a motion of its platform, and back, through the same calls as of any robot.
//!
//! `cargo run -p appell --example gough_stewart`

use appell::spatial::{EulerAngles, Pose, Vec3};
use appell::{Question, Robot, State};

fn near(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(x, y)| (x - y).abs() < tolerance)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("gough-stewart")?;
    let names: Vec<&str> = robot.drives().iter().map(|joint| joint.name).collect();
    println!("{} drives: {}; freedoms: {}", names.len(), names.join(", "), robot.freedoms().join(", "));
    let mut dynamics = robot.dynamics();

    // At rest at home all legs bear alike.
    let home = robot.closed().expect("a robot with loops").home().pose;
    let held = dynamics.ask(Question::InverseDynamics, &State::platform(home, [0.0; 6], [0.0; 6]))?;
    println!("held at home by {held:.2?} N");
    assert!(near(held, &[held[0]; 6], 1e-9) && held[0] > 0.0);

    // Leg forces of a motion, and the acceleration that they give back.
    let position = Vec3::new(home.position.x + 0.05, home.position.y - 0.03, home.position.z + 0.04);
    let pose = Pose { rotation: EulerAngles::Zyx.rotation([0.1, -0.05, 0.15]), position };
    let (twist, acceleration) = ([0.2, 0.1, -0.3, 0.4, 0.0, 0.5], [1.0, -2.0, 0.5, 0.0, 3.0, -1.0]);
    let moving = State::platform(pose, twist, acceleration);
    let forces = dynamics.ask(Question::InverseDynamics, &moving)?.to_vec();
    let forced = State { tau: &forces, ..moving };
    let found = dynamics.ask(Question::ForwardDynamics, &forced)?;
    assert!(near(&found[..6], &acceleration, 1e-9), "the platform's six, then the drives'");

    // Lengths of the legs and their rates; and from these alone the platform again.
    let legs = dynamics.ask(Question::Actuated, &moving)?.to_vec();
    let (q, rest) = legs.split_at(6);
    let (v, a) = rest.split_at(6);
    println!("legs of {q:.4?} m");
    let platform = dynamics.ask(Question::Platform, &State::joints(q, v, a))?;
    assert!(near(&platform[..3], &position.to_array(), 1e-9), "px py pz, then a quaternion");
    assert!(near(&platform[7..13], &twist, 1e-9) && near(&platform[13..], &acceleration, 1e-8));

    // The same forces from the motion of the drives.
    assert!(near(dynamics.inverse_dynamics(q, v, a)?, &forces, 1e-6));
    Ok(())
}
