//! Many states at once: a thousand torques of an arm in the lanes and on the cores of the processor.
//!
//! `cargo run --release -p appell-batch --example batch`

use appell::{Question, Robot};
use appell_batch::{Batch, States};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("puma560")?;
    let batch = Batch::new(&robot, Question::InverseDynamics)?;
    println!("by {}, in lanes: {}", batch.method().name, batch.is_in_lanes());

    // Structures of arrays: joint j of state i is q[j * count + i].
    let (count, n) = (1000, robot.drives().len());
    let wave = |size: f64, pace: f64| -> Vec<f64> {
        (0..n * count).map(|k| size * (pace * (k % count) as f64 + (k / count) as f64).sin()).collect()
    };
    let (q, v, a) = (wave(1.2, 0.01), wave(0.9, 0.02), wave(1.5, 0.03));
    let mut tau = vec![0.0; batch.columns() * count];
    batch.evaluate(&States { count, q: &q, v: &v, a: &a, ..States::default() }, &mut tau)?;
    let peak = |j: usize| tau[j * count..(j + 1) * count].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let peaks: Vec<f64> = (0..n).map(peak).collect();
    println!("peak torques {peaks:.2?} N m");

    // One state by itself says the same.
    let mut dynamics = robot.dynamics();
    for i in [0, 1, 499, 999] {
        let state = |vector: &[f64]| -> Vec<f64> { (0..n).map(|j| vector[j * count + i]).collect() };
        let alone = dynamics.inverse_dynamics(&state(&q), &state(&v), &state(&a))?;
        assert!(alone.iter().zip(state(&tau)).all(|(alone, tau)| (alone - tau).abs() < 1e-10));
    }

    // A robot with closed loops by the poses of its platform: seven numbers each, here ten heights at rest.
    let hexapod = Robot::builtin("gough-stewart")?;
    let batch = Batch::new(&hexapod, Question::InverseDynamics)?;
    let home = hexapod.closed().expect("a robot with loops").home().pose.position;
    let mut pose = vec![0.0; 70];
    pose[20..30].iter_mut().enumerate().for_each(|(i, z)| *z = home.z + 0.01 * i as f64);
    pose[60..].fill(1.0); // qw: not turned
    let mut forces = vec![0.0; 60];
    let states = States { count: 10, pose: &pose, twist: &[0.0; 60], acceleration: &[0.0; 60], ..States::default() };
    batch.evaluate(&states, &mut forces)?;
    println!("forces of the first leg from low to high {:.2?} N", &forces[..10]);
    assert!(forces[..10].windows(2).all(|pair| pair[1] < pair[0]), "steeper legs bear with less");
    Ok(())
}
