//! A serial robot from a URDF: torques, accelerations, inertia matrix and Jacobian, without naming a method.
//!
//! `cargo run -p appell --example serial_from_urdf`

use appell::{Question, Robot, State};

/// Two bars of 1 m that hang in a vertical plane; positive angles lift them.
const URDF: &str = r#"
<robot name="two bars">
  <link name="base"/>
  <link name="upper"><inertial>
    <origin xyz="0.5 0 0"/><mass value="2"/>
    <inertia ixx="0.001" iyy="0.17" izz="0.17" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <link name="lower"><inertial>
    <origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.001" iyy="0.085" izz="0.085" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 -1 0"/>
    <limit lower="-1.5" upper="1.5" velocity="3" effort="80"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 -1 0"/>
    <limit lower="-2.5" upper="2.5" velocity="3" effort="40"/>
  </joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="1 0 0"/></joint>
</robot>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::from_urdf(URDF)?;
    for joint in robot.joints() {
        println!("{}: {}, at most {} N m", joint.name, joint.kind.name(), joint.limits.effort);
    }
    robot.warnings().for_each(|warning| println!("{warning}"));
    let mut dynamics = robot.dynamics().about("tool")?;

    // Both bars level: levers times weights.
    let held = dynamics.gravity(&[0.0, 0.0])?;
    println!("held level by {held:.3?} N m");
    assert!((held[0] - 9.81 * (2.0 * 0.5 + 1.0 * 1.5)).abs() < 1e-12);
    assert!((held[1] - 9.81 * 0.5).abs() < 1e-12);

    // Torques of a motion give its accelerations back.
    let (q, v, a) = ([0.3, -0.8], [1.0, 0.5], [2.0, -3.0]);
    let tau = dynamics.inverse_dynamics(&q, &v, &a)?.to_vec();
    let found = dynamics.forward_dynamics(&q, &v, &tau)?;
    assert!(found.iter().zip(&a).all(|(found, a)| (found - a).abs() < 1e-12));

    // Any other question by its name: here the kinetic energy is half of v M v.
    let energy = dynamics.ask(Question::Energy, &State::joints(&q, &v, &[]))?[0];
    let m = dynamics.inertia_matrix(&q)?;
    let half = 0.5 * (m[0] * v[0] * v[0] + 2.0 * m[1] * v[0] * v[1] + m[3] * v[1] * v[1]);
    assert!((energy - half).abs() < 1e-12);

    // The tool rises with both joints: row z of its Jacobian at q = 0.
    assert!(dynamics.jacobian(&[0.0, 0.0])?[4..6].iter().zip([2.0, 1.0]).all(|(j, lever)| (j - lever).abs() < 1e-12));
    Ok(())
}
