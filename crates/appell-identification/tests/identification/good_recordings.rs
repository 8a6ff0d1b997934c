//! Good recordings of ten arms and three parallel robots: no fault is diagnosed in any, and how often base parameters are within 1, 2, 3 σ.

use crate::recording::{Recording, record_at, with_drives};
use appell::Robot;
use appell::description::JointKind;
use appell::sample::{Sampler, Shape};
use appell_identification::identified::Source;
use appell_identification::identify::{Identified, IdentifyError, Options, Recordings, Table, identify};

const BUILT_IN_ARMS: [&str; 6] = ["two-link", "scara", "stanford", "puma560", "puma560-b", "seven-axis"];
const RANDOM_ARMS: u64 = 4;
const PARALLEL: [&str; 3] = ["five-bar", "delta", "gough-stewart"];
const RATES: [f64; 4] = [100.0, 200.0, 250.0, 500.0];

/// Words of diagnoses of faults that were not made. That the condition number is high, or a parameter hardly excited, is so of random
/// motions and no diagnosis of a fault.
const FAULTS: [&str; 15] = [
    "unit",
    "sign",
    "exchanged",
    "delay",
    "memory",
    "dead",
    "spike",
    "cut off in",
    "half the sample rate",
    "not read",
    "does not fit the other",
    "no robot is written",
    "misses something",
    "do not trust",
    "times the limit",
];

/// The robots, each as its file has it: bodies and no friction.
fn robots() -> Vec<Robot> {
    let built_in = |name: &&str| Robot::builtin(name).unwrap();
    // Arms that turn: a random slide may have nothing but its own mass to move.
    let random = |seed: u64| {
        let mut description = Sampler::new(seed).description(4 + seed as usize % 3, Shape::Chain);
        description.joints.iter_mut().for_each(|joint| joint.kind = JointKind::Revolute.into());
        Robot::new(description).unwrap()
    };
    let arms = BUILT_IN_ARMS.iter().map(built_in).chain((0..RANDOM_ARMS).map(random));
    arms.chain(PARALLEL.iter().map(built_in)).collect()
}

/// What a good recorder of the robot writes, by a seed: encoders, 1 % of noise, and in every second recording stamps that are uneven by up to
/// a fifth of a step, at which the samples were taken.
fn identified(robot: &Robot, seed: u64) -> Result<Identified, IdentifyError> {
    let mut sampler = Sampler::new(seed);
    let rate = sampler.one_of(&RATES);
    let amplitude = if robot.closed().is_none() { 0.6 } else { 0.12 };
    let recording = Recording { seed, rate, duration: 10.0, amplitude, quantised: true, noise: 0.01 };
    let uneven = if seed.is_multiple_of(2) { 0.0 } else { 0.2 };
    let count = (recording.duration * rate) as usize;
    let times: Vec<f64> = (0..count).map(|k| (k as f64 + 0.5 + sampler.within(uneven)) / rate).collect();
    let recorded = record_at(&with_drives(robot), &recording, |k| times[k]);
    let mut columns = vec![("t".to_owned(), times)];
    for (symbol, channels) in [("q", recorded.q), ("tau", recorded.tau)] {
        columns.extend(channels.into_iter().enumerate().map(|(k, channel)| (format!("{symbol}{}", k + 1), channel)));
    }
    let source = Source { name: "run.csv".into(), hash: seed.to_string() };
    let recordings = Recordings { data: vec![Table { source, columns }], ..Recordings::default() };
    let mut options = Options::usual(robot, &[]);
    options.asked.smoothing = Some(crate::recording::SMOOTHING);
    options.folds = 0;
    identify(robot, &recordings, &options)
}

/// What was diagnosed in some recordings of every robot, and base parameters: all, and those within 1, 2 and 3 σ.
fn diagnosed(seeds: impl Iterator<Item = u64> + Clone) -> (Vec<String>, [usize; 4]) {
    let (mut wrong, mut all, mut many) = (Vec::new(), [0; 4], 0);
    for robot in robots() {
        let (name, mut own) = (robot.description().unwrap().name.clone(), [0; 4]);
        for seed in seeds.clone() {
            many += 1;
            let found = match identified(&robot, seed) {
                Ok(found) => found,
                Err(error) => {
                    wrong.push(format!("{name}, seed {seed}: refused: {error}"));
                    continue;
                }
            };
            let is_fault = |text: &&String| FAULTS.iter().any(|word| text.contains(word));
            wrong.extend(found.warnings.iter().filter(is_fault).map(|text| format!("{name}, seed {seed}: {text}")));
            let base = &found.full.base;
            let expected = base.values(&found.full.equations.model().values(&with_drives(&robot)));
            let sigma = found.full.estimate.sigma();
            for k in 0..base.len() {
                let off = (found.full.estimate.values[k] - expected[k]).abs() / sigma[k];
                own[0] += 1;
                (1..4).for_each(|limit| own[limit] += usize::from(off <= limit as f64));
            }
        }
        println!("{}", covered(&name, own));
        all.iter_mut().zip(own).for_each(|(all, own)| *all += own);
    }
    println!("{}", covered("all", all));
    wrong.iter().for_each(|text| println!("{text}"));
    println!("{} wrong diagnoses in {many} recordings", wrong.len());
    (wrong, all)
}

/// A row of the table of coverage.
fn covered(name: &str, [all, within @ ..]: [usize; 4]) -> String {
    let [one, two, three] = within.map(|within| 100.0 * within as f64 / all.max(1) as f64);
    format!("{name:16} {all:6} base parameters: {one:5.1} {two:5.1} {three:5.1} % within 1, 2, 3 σ")
}

/// `make test-identification`: minutes.
#[test]
#[ignore = "208 recordings take minutes; make test-identification runs them"]
fn nothing_is_diagnosed_in_208_good_recordings() {
    let (wrong, _) = diagnosed(0..16);
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn nothing_is_diagnosed_in_a_good_recording_of_each_robot() {
    let (wrong, _) = diagnosed(3..4);
    assert_eq!(wrong, Vec::<String>::new());
}
