//! Robots that move on the bench.

use appell::{Model, Robot};
use appell_web::motion::{Motion, Options};
use appell_web::place::{Held, Place};

const FRAME: f64 = 1.0 / 120.0;

fn options(more: &str) -> Options {
    let defaults = r#"{"law": "free", "omega": 10, "zeta": 1, "viscous": 0, "coulomb": 0, "payload": 0,
        "law_knows_payload": true, "spring": 0, "reference": null}"#;
    let mut all: serde_json::Value = serde_json::from_str(defaults).unwrap();
    let more: serde_json::Value = serde_json::from_str(more).unwrap();
    for (key, value) in more.as_object().unwrap() {
        all[key] = value.clone();
    }
    Options::read(&all.to_string()).unwrap()
}

/// A robot and where it starts: a tree bent, so that everything moves.
fn placed(name: &str) -> (Robot, Place) {
    let robot = Robot::builtin(name).unwrap();
    let place = match robot.model() {
        Model::Closed(closed) => Place::Closed(closed.home().clone()),
        Model::Tree(tree) => {
            let bent = [0.3, -0.6, 0.2, 0.4, 0.7, -0.2, 0.5];
            let within = |(q, limits): (&f64, &appell::description::Limits)| q.clamp(limits.lower, limits.upper);
            Place::Tree(bent.iter().zip(tree.limits()).map(within).collect())
        }
    };
    (robot, place)
}

fn motion(name: &str, more: &str) -> Motion {
    let (robot, place) = placed(name);
    let held = Held::of(&robot);
    Motion::new(&robot, &place, held, &options(more)).unwrap()
}

#[test]
fn free_robots_keep_their_energy() {
    for name in ["gough-stewart", "puma560", "five-bar", "delta", "agile-wrist", "seven-axis", "hexaglide"] {
        let mut motion = motion(name, "{}");
        let begin = motion.step(0.0).unwrap();
        let total = |status: &appell_web::motion::run::Status| status.energy.kinetic + status.energy.potential;
        let (first, mut most, mut largest) = (total(&begin), 0.0_f64, 0.0_f64);
        let clock = std::time::Instant::now();
        for k in 0..240 {
            let status = motion.step(FRAME).unwrap();
            if let Some(why) = status.ended {
                println!("{name}: ended at {} s, step {k}: {why}", status.t);
                break;
            }
            most = most.max((total(&status) - first).abs());
            largest = largest.max(status.energy.kinetic);
        }
        println!(
            "{name}: energy off by {most:.2e} J of {largest:.3} J, {:.3} ms a step",
            clock.elapsed().as_secs_f64() * 1e3 / 240.0
        );
        assert!(most <= 1e-6 * largest, "{name}: {most} of {largest}");
    }
}
