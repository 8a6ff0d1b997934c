//! Robots that move on the bench.

use appell_web::Bench;
use appell_web::motion::{Motion, Options};

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
fn bench(name: &str) -> Bench {
    let mut bench = Bench::builtin(name).unwrap();
    if bench.robot().closed().is_none() {
        let bent = [0.3_f64, -0.6, 0.2, 0.4, 0.7, -0.2, 0.5];
        let limits = bench.robot().tree().limits();
        let q: Vec<f64> = bent.iter().zip(limits).map(|(q, limits)| q.clamp(limits.lower, limits.upper)).collect();
        bench.set_q(&q).unwrap();
    }
    bench
}

fn motion(name: &str, more: &str) -> Motion {
    Motion::new(&bench(name), &options(more)).unwrap()
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
    }
}
