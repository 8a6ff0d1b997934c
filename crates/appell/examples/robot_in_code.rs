//! A robot built in code, without a file: a cart on a rail that carries a pendulum, beside its equations from a textbook.
//!
//! `cargo run -p appell --example robot_in_code`

use appell::Robot;
use appell::description::{BodyDescription, Description, JointDescription, JointKind, KhalilKleinfinger};
use appell::spatial::{Sym3, Vec3};
use std::f64::consts::FRAC_PI_2;

const CART: f64 = 3.0; // kg
const BOB: f64 = 0.5; // kg
const LENGTH: f64 = 0.8; // m
const INERTIA: f64 = 0.01; // kg m², about the bob's centre

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Joints move about or along z of their frames. Rz(90°) Rx(90°) takes z to x: the rail is the base's x, and the pendulum
    // turns about its y; x of the pendulum's frame then points up.
    let placement = KhalilKleinfinger { gamma: FRAC_PI_2, alpha: FRAC_PI_2, ..KhalilKleinfinger::default() };
    let body = |mass: f64, com: Vec3| BodyDescription {
        mass,
        com,
        inertia: Sym3 { xx: INERTIA, yy: INERTIA, zz: INERTIA, ..Sym3::default() },
    };
    let cart = JointDescription {
        placement,
        body: body(CART, Vec3::new(0.0, 0.0, 0.0)),
        ..JointDescription::new("cart", JointKind::Prismatic)
    };
    let pendulum = JointDescription {
        parent: Some("cart".into()),
        placement,
        driven: false,
        body: body(BOB, Vec3::new(-LENGTH, 0.0, 0.0)),
        ..JointDescription::new("pendulum", JointKind::Revolute)
    };
    let robot = Robot::new(Description {
        name: "cart and pendulum".into(),
        joints: vec![cart, pendulum],
        ..Description::default()
    })?;
    println!("{robot:?}");

    // M = [m + M, −m l cos q; −m l cos q, I + m l²],  g = m g l sin q,  C v = m l sin q q̇² on the cart.
    let (q, v) = (0.6_f64, 1.5);
    let mut dynamics = robot.dynamics();
    let coupling = -BOB * LENGTH * q.cos();
    let expected = [CART + BOB, coupling, coupling, INERTIA + BOB * LENGTH * LENGTH];
    let m = dynamics.inertia_matrix(&[0.2, q])?;
    println!("inertia matrix {m:.4?}");
    assert!(m.iter().zip(expected).all(|(m, expected)| (m - expected).abs() < 1e-14));
    let bias = dynamics.bias(&[0.2, q], &[0.0, v])?;
    assert!((bias[0] - BOB * LENGTH * q.sin() * v * v).abs() < 1e-14);
    assert!((bias[1] - BOB * 9.81 * LENGTH * q.sin()).abs() < 1e-14);
    Ok(())
}
