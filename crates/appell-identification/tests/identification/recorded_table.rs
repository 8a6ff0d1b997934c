//! Recordings of known robots as tables, through the whole pipeline: friction with memory, true delays, standstill, uneven stamps.

use crate::recording::{Recorded, Recording, machine, record};
use appell::Robot;
use appell::description::{Description, lint};
use appell_identification::identified::Source;
use appell_identification::identify::{Identified, Options, Recordings, Table, identify};

const RATE: f64 = 400.0;

/// A PUMA that moves for ten seconds, with encoders and a little noise.
fn recorded(seed: u64) -> Recorded {
    let recording = Recording { seed, rate: RATE, duration: 10.0, amplitude: 0.6, quantised: true, noise: 0.003 };
    record(&machine("puma560"), &recording)
}

fn description() -> Description {
    Robot::builtin("puma560").unwrap().description().unwrap().clone()
}

fn identified(recorded: &Recorded, times: impl Fn(usize) -> f64) -> Identified {
    let robot = Robot::new(description()).unwrap();
    let mut columns = vec![("t".to_owned(), (0..recorded.count).map(times).collect::<Vec<f64>>())];
    columns.extend(recorded.q.iter().enumerate().map(|(k, q)| (format!("q{}", k + 1), q.clone())));
    columns.extend(recorded.tau.iter().enumerate().map(|(k, tau)| (format!("tau{}", k + 1), tau.clone())));
    let source = Source { name: "run.csv".into(), hash: "1".into() };
    let recordings = Recordings { data: vec![Table { source, columns }], ..Recordings::default() };
    identify(&robot, &recordings, &Options::usual(&robot, &[])).unwrap()
}

/// Friction after Dahl, dF/dt = σ₀ (1 − F sign(v) / Fc) v: it builds up over Fc / σ₀ after every turn.
fn add_dahl(recorded: &mut Recorded, joint: usize, coulomb: f64, path: f64) {
    const FINE: usize = 20;
    let mut force = 0.0;
    for k in 0..recorded.count {
        let v = recorded.v[joint][k];
        for _ in 0..FINE {
            force += (1.0 - force / coulomb * v.signum()) * v * coulomb / path / (RATE * FINE as f64);
        }
        recorded.tau[joint][k] += force;
    }
}

/// Friction with memory is no delay, whether it looks late the less the faster one looks, or the same at all cut-offs, as in a motion that is no
/// longer than what friction takes to build up; and a delay is one.
#[test]
fn friction_with_memory_is_not_taken_for_a_delay() {
    let about_time = |found: &Identified| -> Vec<String> {
        println!("{:.2} %, {}", 100.0 * found.full.estimate.fit.relative, found.signals());
        found.warnings.iter().filter(|warning| warning.contains("than the positions")).cloned().collect()
    };
    let slow = |amplitude: f64| {
        let recording = Recording { seed: 3, rate: RATE, duration: 30.0, amplitude, quantised: false, noise: 0.003 };
        record(&machine("puma560"), &recording)
    };
    let mut looked_late = 0;
    for (amplitude, joint, coulomb, path) in
        [(0.6, 0, 10.0, 0.02), (0.1, 0, 10.0, 0.02), (0.6, 5, 3.0, 0.02), (0.1, 4, 3.0, 0.1)]
    {
        let mut sticky = slow(amplitude);
        add_dahl(&mut sticky, joint, coulomb, path);
        let told = about_time(&identified(&sticky, |k| k as f64 / RATE));
        println!("{amplitude} {joint} {coulomb} {path}: {told:?}");
        assert!(told.iter().all(|text| text.contains("no delay") && text.contains("memory")), "{told:?}");
        looked_late += told.len();
    }
    assert!(looked_late > 0, "it looks late somewhere");
    for amplitude in [0.6, 0.1] {
        let mut late = slow(amplitude);
        for tau in &mut late.tau {
            let before = tau.clone();
            (20..tau.len()).for_each(|k| tau[k] = before[k - 20]);
        }
        let told = about_time(&identified(&late, |k| k as f64 / RATE));
        println!("{amplitude} late: {told:?}");
        assert!(matches!(&told[..], [one] if one.contains("look for a delay")), "{told:?}");
    }
}

/// Uneven stamps of samples that were taken evenly, and of samples that were taken when they say: the parameters are those of even ones.
#[test]
fn uneven_stamps_cost_nothing() {
    let even = recorded(5);
    let jitter = |k: usize| 0.3 * (((k * 7919) % 101) as f64 / 50.0 - 1.0);
    let found = identified(&even, |k| k as f64 / RATE);
    let late = identified(&even, |k| (k as f64 + jitter(k)) / RATE);
    assert!(late.recordings[0].time.contains("rows are counted instead"), "{}", late.recordings[0].time);
    let off = late.full.estimate.fit.relative / found.full.estimate.fit.relative - 1.0;
    assert!(off.abs() < 0.1, "{off}");
}

/// Two seconds of rest, in which friction holds what it likes: it is found, and residuals of moving joints do not know of it.
#[test]
fn standstill_is_found() {
    let mut rests = recorded(7);
    let (from, to) = (2000, 2800);
    for channel in 0..rests.q.len() {
        let (q, tau) = (rests.q[channel][from], rests.tau[channel][from]);
        rests.q[channel].splice(from..from, vec![q; to - from]);
        let held = (0..to - from).map(|k| tau + 5.0 + 0.1 * (0.3 * k as f64).sin());
        rests.tau[channel].splice(from..from, held.collect::<Vec<_>>());
    }
    rests.count += to - from;
    let found = identified(&rests, |k| k as f64 / RATE);
    let recording = &found.recordings[0];
    let part = 800.0 / rests.count as f64;
    assert!((recording.standstill() - part).abs() < 0.03, "{} {part}", recording.standstill());
    let errors = found.errors(recording);
    assert!(errors.free_moving.relative < errors.free.relative, "{errors:?}");
}

/// What is written keeps away from bodies without volume: `check` has nothing to say about it, whatever noise there was.
#[test]
fn written_bodies_have_volume() {
    for seed in [11, 12] {
        let mut noisy = recorded(seed);
        let mut sampler = appell::sample::Sampler::new(seed);
        noisy.tau.iter_mut().flatten().for_each(|tau| *tau += sampler.within(4.0));
        let found = identified(&noisy, |k| k as f64 / RATE);
        let files = found.files.as_ref().unwrap();
        let (written, problems) = appell::description::toml::read(&files.toml).unwrap();
        // That radii of gyration are too large is so of the PUMA as printed.
        let is_about_volume =
            |text: &String| ["kg/m³", "thickness", "triangle", "negative"].iter().any(|word| text.contains(word));
        let told = problems
            .iter()
            .chain(lint(&written).iter())
            .map(ToString::to_string)
            .filter(is_about_volume)
            .collect::<Vec<_>>();
        assert_eq!(told, Vec::<String>::new());
        let cost = found.full.consistent.as_ref().unwrap().margin_cost;
        assert!(cost.abs() < 1e-3, "{cost}");
    }
}
