//! A simulation with a control law of one's own: gravity compensation, and a spring and a damper to a place, cut at limits.
//!
//! `cargo run -p appell-simulation --example own_law`

use appell::{Dynamics, Robot};
use appell_simulation::simulation::plant::Tree;
use appell_simulation::simulation::{Law, Options, Reason, View, run};
use std::ops::ControlFlow;

/// τ = g(q) + clamp(K (q_d − q), ± limit) − D q̇
struct Compliant {
    dynamics: Dynamics,
    place: Vec<f64>,
    stiffness: f64, // N m/rad
    limit: f64,     // N m: how hard it pulls at most
    damping: f64,   // N m s/rad
}

impl Law for Compliant {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        let gravity = self.dynamics.gravity(now.q).map_err(|error| Reason::Law(error.to_string()))?;
        for (j, effort) in efforts.iter_mut().enumerate() {
            let pull = self.stiffness * (self.place[j] - now.q[j]);
            *effort = gravity[j] + pull.clamp(-self.limit, self.limit) - self.damping * now.v[j];
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::builtin("puma560")?;
    let (start, place) = ([0.0; 6], vec![0.5, -0.6, 0.8, 0.3, -0.4, 0.2]);
    let mut law =
        Compliant { dynamics: robot.dynamics(), place: place.clone(), stiffness: 60.0, limit: 15.0, damping: 30.0 };
    let mut plant = Tree::new(robot.tree(), &start, &[0.0; 6]);
    let options = Options { sampling: Some(0.5), ..Options::default() };

    let (mut arrived, mut last, mut hardest) = (Vec::new(), f64::INFINITY, 0.0_f64);
    let outcome = run(&mut plant, &mut law, 0.0, 8.0, &options, |sample| {
        let off = sample.view.q.iter().zip(&place).fold(0.0, |most: f64, (q, place)| most.max((q - place).abs()));
        println!("t = {:.1} s: {off:.5} rad off, {:.3} J in motion", sample.view.t, sample.energy.kinetic);
        hardest = sample.efforts.iter().fold(hardest, |most, effort| most.max(effort.abs()));
        (arrived, last) = (sample.view.q.to_vec(), off);
        ControlFlow::Continue(())
    });
    assert!(outcome.stop.is_none(), "nothing ended it before its time");
    println!("{} steps; at most {hardest:.1} N m", outcome.cost.steps);
    assert!(last < 1e-3 && arrived.len() == 6, "it has come to its place");
    assert!(hardest < 100.0, "gravity and no more than 15 N m beside");
    Ok(())
}
