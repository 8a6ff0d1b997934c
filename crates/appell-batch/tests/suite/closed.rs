//! Batches of robots with closed loops, in lanes and one by one, beside the evaluators.

use crate::common::{closed, norm, relative_difference, vector};
use appell::Robot;
use appell::closed::ClosedMechanism;
use appell::question::table::{Row, Trait};
use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::robots;
use appell::sample::{Family, Sampler};
use appell::spatial::{Pose, Quaternion};
use appell_batch::{Batch, BatchError, Instructions, Motions, States};

/// How the motions of a batch are given.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// The freedoms of the platform; what depends on them is left open.
    Freedoms,
    /// All of its velocities and their rates.
    Platform,
    Drives,
}

/// Random motions in structures of arrays: poses, twists and their rates, or the same of the drives.
struct Sampled {
    count: usize,
    kind: Kind,
    vectors: [Vec<f64>; 3],
    tau: Vec<f64>,
}

impl Sampled {
    fn new(robot: &ClosedMechanism, kind: Kind, count: usize, seed: u64) -> Self {
        let mut sampler = Sampler::new(seed);
        let states: Vec<_> = (0..count).map(|_| sampler.closed_state(robot)).collect();
        let mut describe = {
            let question = if kind == Kind::Drives { Question::Actuated } else { Question::Platform };
            let mut evaluator = Evaluator::new(robot, question, None, Target::default()).unwrap();
            move |at, r, r_dot| {
                let mut row = vec![0.0; evaluator.columns().len()];
                let motion = Motion::Assembled { at, r, r_dot };
                evaluator.evaluate(&State { motion, ..State::default() }, &mut row).unwrap();
                row
            }
        };
        let rows: Vec<Vec<f64>> = states.iter().map(|state| describe(&state.at, &state.r, &state.r_dot)).collect();
        let drives = robot.driven().len();
        let widths = if kind == Kind::Drives { [drives; 3] } else { [7, 6, 6] };
        let is_open = |part: usize, k: usize| {
            kind == Kind::Freedoms && part > 0 && !robot.freedoms().contains(&(robot.tree().dof() + k))
        };
        let vectors = [0, 1, 2].map(|part| {
            let first: usize = widths[..part].iter().sum();
            let number = |k: usize, i: usize| if is_open(part, k) { f64::NAN } else { rows[i][first + k] };
            (0..widths[part] * count).map(|n| number(n / count, n % count)).collect()
        });
        let tau = (0..drives * count).map(|n| states[n % count].tau[n / count]).collect();
        Self { count, kind, vectors, tau }
    }

    fn states(&self) -> States<'_> {
        let [one, two, three] = &self.vectors;
        let motions = match self.kind {
            Kind::Drives => Motions::Joints { q: one, v: two, a: three },
            _ => Motions::Platform { pose: one, twist: two, acceleration: three },
        };
        States { tau: &self.tau, ..States::moving(self.count, motions) }
    }

    /// What the batch answers, row by row.
    fn batch(&self, robot: &ClosedMechanism, question: Question) -> Result<Vec<Vec<f64>>, BatchError> {
        self.batch_by(Instructions::default(), robot, question)
    }

    fn batch_by(
        &self,
        instructions: Instructions,
        robot: &ClosedMechanism,
        question: Question,
    ) -> Result<Vec<Vec<f64>>, BatchError> {
        let batch = Batch::new(robot, question).unwrap().by(instructions);
        let mut answers = vec![f64::NAN; batch.columns() * self.count];
        batch.evaluate(&self.states(), &mut answers)?;
        Ok((0..self.count).map(|i| (0..batch.columns()).map(|c| answers[c * self.count + i]).collect()).collect())
    }

    /// What one evaluator answers, state after state; or the first that has no answer.
    fn one_by_one(&self, robot: &ClosedMechanism, question: Question) -> Result<Vec<Vec<f64>>, BatchError> {
        let method = question.methods(&Robot::from(robot))[0].name;
        self.each(Evaluator::new(robot, question, Some(method), Target::default()).unwrap())
    }

    /// The same by fused instructions.
    fn fused(&self, robot: &ClosedMechanism, question: Question) -> Result<Vec<Vec<f64>>, BatchError> {
        self.each(Evaluator::new(robot, question, None, Target::default()).unwrap())
    }

    fn each(&self, mut evaluator: Evaluator) -> Result<Vec<Vec<f64>>, BatchError> {
        let mut rows = Vec::new();
        for i in 0..self.count {
            let of = |all: &[f64]| all.iter().skip(i).step_by(self.count).copied().collect::<Vec<f64>>();
            let [one, two, three] = &self.vectors.each_ref().map(|vector| of(vector));
            let given = |numbers: &[f64]| std::array::from_fn(|k| Some(numbers[k]).filter(|x| !x.is_nan()));
            let mut state = State::default();
            if self.kind == Kind::Drives {
                (state.q, state.v, state.a) = (one, two, three);
            } else {
                state.motion = Motion::Platform {
                    pose: Pose {
                        position: vector(one),
                        rotation: Quaternion { x: one[3], y: one[4], z: one[5], w: one[6] }.rotation(),
                    },
                    twist: given(two),
                    acceleration: given(three),
                };
            }
            let mut row = vec![f64::NAN; evaluator.columns().len()];
            let tau = of(&self.tau);
            let answered = evaluator.evaluate(&State { tau: &tau, ..state }, &mut row);
            answered.map_err(|source| BatchError { state: i, source })?;
            rows.push(row);
        }
        Ok(rows)
    }
}

/// Whether a robot is asked for the motions of a kind.
fn has(robot: &ClosedMechanism, kind: Kind) -> bool {
    if kind == Kind::Drives { robot.driven().len() >= robot.freedoms().len() } else { robot.platform().is_some() }
}

/// Fails unless a batch and evaluators say the same of all states.
#[track_caller]
fn compare(robot: &ClosedMechanism, sampled: &Sampled, question: Question) {
    let expected = sampled.one_by_one(robot, question);
    for instructions in [Instructions::Widest, Instructions::Avx2] {
        let label = format!("{} {} by {:?}, {instructions:?}", robot.name(), question.name(), sampled.kind);
        compare_with(&expected, sampled.batch_by(instructions, robot, question), question, &label);
    }
    let label = format!("{} {} by {:?}, alone", robot.name(), question.name(), sampled.kind);
    compare_with(&expected, sampled.fused(robot, question), question, &label);
}

/// The answers of a batch beside those of evaluators.
#[track_caller]
fn compare_with(
    expected: &Result<Vec<Vec<f64>>, BatchError>,
    found: Result<Vec<Vec<f64>>, BatchError>,
    question: Question,
    label: &str,
) {
    match (found, expected) {
        (Ok(found), Ok(expected)) => {
            // Lanes add with fused instructions, which derivatives and forward dynamics amplify by conditions of up to 1e4.
            let tolerance = match question {
                Question::ForwardDynamicsDerivatives | Question::InverseDynamicsDerivatives => 1e-10,
                _ => 1e-11,
            };
            // What is small by cancellation is small beside what it was in other states.
            let size = expected.iter().map(|row| norm(row)).fold(0.0, f64::max) * 1e-3;
            for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                let off = relative_difference(found, expected) * norm(expected) / norm(expected).max(size);
                assert!(off <= tolerance, "{label}, state {i}: {off:e}\n{found:?}\n{expected:?}");
            }
        }
        (found, expected) => {
            let (found, expected) = (found.map(|_| ()), expected.as_ref().map(|_| ()).map_err(Clone::clone));
            assert_eq!(found, expected, "{label}");
        }
    }
}

/// Every question of every robot, by motions of all kinds, as one state after the other; 19 states leave lanes over.
#[test]
fn batches_agree_with_the_evaluators() {
    for builtin in robots::CLOSED {
        let robot = builtin.closed();
        for kind in [Kind::Freedoms, Kind::Platform, Kind::Drives] {
            if !has(&robot, kind) {
                continue;
            }
            let sampled = Sampled::new(&robot, kind, 19, 5);
            let mut asked = 0;
            for question in Question::ALL.into_iter().filter(|&question| Batch::new(&robot, question).is_ok()) {
                compare(&robot, &sampled, question);
                asked += usize::from(sampled.batch(&robot, question).is_ok());
            }
            // Without a platform there are less: its motion, Ψ, the Jacobian and its rate.
            let is_answered = |row: &Row| robot.platform().is_some() || !row.traits.contains(&Trait::Platform);
            let rows = Question::ALL.into_iter().map(Question::row);
            let all = rows.filter(|row| !row.closed.is_empty() && is_answered(row)).count();
            assert!(asked >= all - 3, "{} by {kind:?}: {asked} of {all}", robot.name());
        }
    }
}

/// Robots of all families: with legs in closed form and without, with redundant drives, spherical, and none of them.
#[test]
fn random_robots_agree_with_the_evaluators() {
    for (k, family) in Family::ALL.into_iter().enumerate() {
        let robot = Sampler::new(k as u64).closed_robot(family);
        let kind = if robot.platform().is_some() { Kind::Freedoms } else { Kind::Drives };
        let sampled = Sampled::new(&robot, kind, 11, 7);
        for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::Joints, Question::Reactions] {
            compare(&robot, &sampled, question);
        }
    }
}

/// Friction with curves, rotors and springs in all joints, passive ones too: with legs in closed form, spherical, and neither.
#[test]
fn rubbing_robots_agree_with_the_evaluators() {
    let mut sampler = Sampler::new(21);
    for (name, kind) in [("gough-stewart", Kind::Platform), ("agile-wrist", Kind::Freedoms), ("four-bar", Kind::Drives)]
    {
        let robot = closed(name).with_tree(|tree| sampler.with_effects(tree));
        assert!(robot.tree().effects().iter().any(|effects| effects.friction.curve.is_some()), "{name}");
        let sampled = Sampled::new(&robot, kind, 11, 7);
        for question in [
            Question::InverseDynamics,
            Question::ForwardDynamics,
            Question::Bias,
            Question::InverseDynamicsDerivatives,
            Question::ForwardDynamicsDerivatives,
        ] {
            compare(&robot, &sampled, question);
        }
    }
}

/// Poses to six digits, which a robot with fewer than six freedoms reaches only nearly, beside exact ones.
#[test]
fn rounded_poses_beside_exact_ones() {
    for name in ["delta", "3-rps", "agile-wrist", "planar-3rrr"] {
        let robot = closed(name);
        let mut sampled = Sampled::new(&robot, Kind::Freedoms, 40, 9);
        for k in 0..7 {
            for i in [3, 17, 18, 39] {
                let number = &mut sampled.vectors[0][k * 40 + i];
                *number = (*number * 1e6).round() * 1e-6;
            }
        }
        for question in [Question::InverseDynamics, Question::Joints, Question::Accelerations] {
            compare(&robot, &sampled, question);
        }
    }
}

/// Legs that change their solution, are stretched, or do not reach, among others that do: the platform goes far.
#[test]
fn wide_poses_agree_or_fail_alike() {
    for name in ["gough-stewart", "hexapod-6rus", "five-bar", "planar-3rrr"] {
        let robot = closed(name);
        let mut sampled = Sampled::new(&robot, Kind::Freedoms, 24, 11);
        let (mut answered, mut refused) = (0, 0);
        for scale in 1..30 {
            // Away from home in steps, one state further than its neighbour.
            let home = robot.home().pose.position;
            for (k, home) in [home.x, home.y, home.z].into_iter().enumerate() {
                let is_free = robot.freedoms().contains(&(robot.tree().dof() + k));
                for i in (0..24).filter(|_| is_free) {
                    let way = 0.005 * robot.length() * f64::from(scale) * (1.0 + i as f64);
                    let sign = if (i + k) % 3 == 0 { -1.0 } else { 1.0 };
                    sampled.vectors[0][k * 24 + i] = home + sign * way;
                }
            }
            compare(&robot, &sampled, Question::Joints);
            *(if sampled.batch(&robot, Question::Joints).is_ok() { &mut answered } else { &mut refused }) += 1;
        }
        // Slides have no end: the legs of a Gough-Stewart platform reach everything.
        assert!(answered > 0 && (refused > 0 || name == "gough-stewart"), "{name}: {answered} {refused}");
    }
}

/// Every number is the same to the last bit, however many threads there are.
#[test]
fn answers_do_not_depend_on_threads() {
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for name in ["gough-stewart", "agile-wrist", "delta", "four-bar"] {
        let robot = closed(name);
        let kind = if robot.platform().is_some() { Kind::Platform } else { Kind::Drives };
        let sampled = Sampled::new(&robot, kind, 1003, 3);
        for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::Energy] {
            let one = pool(1).install(|| sampled.batch(&robot, question));
            assert_eq!(one, pool(3).install(|| sampled.batch(&robot, question)), "{name} {}", question.name());
            assert!(one.is_ok(), "{name}");
        }
        let batch = Batch::new(&robot, Question::Energy).unwrap();
        let motions = Motions::Joints { q: &[], v: &[], a: &[] };
        batch.evaluate(&States::moving(0, motions), &mut []).unwrap();
    }
}

/// Forty poses on a line, but for some that are given, at the same rates.
fn on_a_line(robot: &ClosedMechanism, question: Question, bad: &[(usize, [f64; 7])]) -> Result<Vec<f64>, BatchError> {
    let (count, home) = (40, robot.home().pose);
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&home.rotation);
    let pose = |i: usize| match bad.iter().find(|(place, _)| *place == i) {
        Some((_, pose)) => *pose,
        None => [home.position.x + 1e-3 * i as f64, home.position.y, home.position.z, x, y, z, w],
    };
    let poses: Vec<f64> = (0..7 * count).map(|k| pose(k % count)[k / count]).collect();
    let rates = vec![0.1; 6 * count];
    let motions = Motions::Platform { pose: &poses, twist: &rates, acceleration: &rates };
    let batch = Batch::new(robot, question).unwrap();
    let mut answers = vec![0.0; batch.columns() * count];
    batch.evaluate(&States::moving(count, motions), &mut answers).map(|()| answers)
}

/// Lanes beside each other fail each by itself: the first that is nowhere, or singular, is named as one alone would be.
#[test]
fn lanes_fail_one_by_one() {
    let questions = [Question::InverseDynamics, Question::Regressor, Question::InverseDynamicsDerivatives];
    let hexapod = closed("hexapod-6rus");
    let gough_stewart = closed("gough-stewart");
    for question in questions {
        // No leg of turns reaches so far.
        let far = [0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 1.0];
        let evaluate = |bad: &[(usize, [f64; 7])]| on_a_line(&hexapod, question, bad);
        assert!(evaluate(&[]).is_ok());
        for place in [0, 12, 39] {
            let (among, alone) = (evaluate(&[(place, far)]).unwrap_err(), evaluate(&[(0, far)]).unwrap_err());
            assert_eq!((among.state, among.source), (place, alone.source));
        }
        let nowhere = evaluate(&[(13, [f64::NAN, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0]), (14, far)]).unwrap_err();
        assert_eq!(nowhere.state, 13, "{nowhere}");
        // A quarter turn about the vertical: the legs lie on a screw that they cannot hold.
        let (half, home) = (core::f64::consts::FRAC_PI_4, gough_stewart.home().pose.position);
        let screw = [home.x, home.y, home.z, 0.0, 0.0, half.sin(), half.cos()];
        let evaluate = |bad: &[(usize, [f64; 7])]| on_a_line(&gough_stewart, question, bad);
        assert!(evaluate(&[]).is_ok());
        let (among, alone) = (evaluate(&[(29, screw)]).unwrap_err(), evaluate(&[(0, screw)]).unwrap_err());
        assert_eq!((among.state, among.source), (29, alone.source));
        // A singular state before one that is nowhere, in the same lanes, is the first.
        let nowhere = [f64::NAN, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(evaluate(&[(25, screw), (26, nowhere)]).unwrap_err().state, 25);
    }
}

/// A component that depends on others and does not fit them is refused as one alone would be.
#[test]
fn impossible_motions_are_refused() {
    let robot = closed("five-bar");
    let mut sampled = Sampled::new(&robot, Kind::Platform, 30, 2);
    compare(&robot, &sampled, Question::InverseDynamics);
    let dependent = (0..6).find(|k| !robot.freedoms().contains(&(robot.tree().dof() + k))).unwrap();
    sampled.vectors[1][dependent * 30 + 21] += 0.5;
    compare(&robot, &sampled, Question::InverseDynamics);
    assert_eq!(sampled.batch(&robot, Question::Energy).unwrap_err().state, 21);
    // A freedom that is missing in one state.
    let mut sampled = Sampled::new(&robot, Kind::Platform, 30, 2);
    let freedom = robot.freedoms()[0] - robot.tree().dof();
    sampled.vectors[1][freedom * 30 + 8] = f64::NAN;
    compare(&robot, &sampled, Question::InverseDynamics);
    assert_eq!(sampled.batch(&robot, Question::Energy).unwrap_err().state, 8);
}

/// No state allocates, in lanes or one by one: what is allocated is one list a chunk of 256.
#[test]
fn states_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for name in ["gough-stewart", "agile-wrist", "delta", "five-bar"] {
        let robot = closed(name);
        let pose = robot.home().pose;
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
        let numbers = [pose.position.x, pose.position.y, pose.position.z, x, y, z, w];
        for question in Question::ALL.into_iter().filter(|&question| question != Question::Singularity) {
            let Ok(batch) = Batch::new(&robot, question) else { continue };
            let allocations = |count: usize| {
                let poses: Vec<f64> = (0..7 * count).map(|k| numbers[k / count]).collect();
                let is_free = |k: usize| robot.freedoms().contains(&(robot.tree().dof() + k));
                let rates: Vec<f64> = (0..6 * count).map(|k| if is_free(k / count) { 0.1 } else { f64::NAN }).collect();
                let tau = vec![0.1; robot.driven().len() * count];
                let motions = Motions::Platform { pose: &poses, twist: &rates, acceleration: &rates };
                let states = States { tau: &tau, ..States::moving(count, motions) };
                let mut answers = vec![0.0; batch.columns() * count];
                let mut evaluate = || batch.evaluate(&states, &mut answers).unwrap();
                pool.install(|| {
                    evaluate();
                    allocation_counter::measure(evaluate).count_total
                })
            };
            let (few, many) = (allocations(1000), allocations(3000));
            assert_eq!(many - few, 12 - 4, "{name} {}: {few} {many}", question.name());
        }
    }
}

/// Nor does one state on fused numbers.
#[test]
fn single_states_allocate_nothing() {
    for name in ["gough-stewart", "agile-wrist", "delta", "five-bar"] {
        let robot = closed(name);
        let state = Sampler::new(2).closed_state(&robot);
        for question in [Question::InverseDynamics, Question::ForwardDynamics, Question::Regressor, Question::Joints] {
            let mut single = Evaluator::new(&robot, question, None, Target::default()).unwrap();
            let mut row = vec![0.0; single.columns().len()];
            let motion = Motion::Assembled { at: &state.at, r: &state.r, r_dot: &state.r_dot };
            let mut evaluate = || {
                single.evaluate(&State { motion, tau: &state.tau, ..State::default() }, &mut row).unwrap();
            };
            evaluate();
            assert_eq!(allocation_counter::measure(evaluate).count_total, 0, "{name} {}", question.name());
        }
    }
}

/// States that lie one after the other have the same answers to the last bit.
#[test]
fn rows_have_the_answers_of_columns() {
    let turned = |columns: &[f64], count: usize| -> Vec<f64> {
        (0..count).flat_map(|i| columns.iter().skip(i).step_by(count).copied()).collect()
    };
    for name in ["gough-stewart", "five-bar", "four-bar"] {
        let robot = closed(name);
        for kind in [Kind::Freedoms, Kind::Drives].into_iter().filter(|&kind| has(&robot, kind)) {
            let sampled = Sampled::new(&robot, kind, 21, 4);
            let batch = Batch::new(&robot, Question::ForwardDynamics).unwrap();
            let [mut expected, mut found] = [f64::NAN, f64::INFINITY].map(|x| vec![x; batch.columns() * 21]);
            batch.evaluate(&sampled.states(), &mut expected).unwrap();
            let [one, two, three] = &sampled.vectors.each_ref().map(|vector| turned(vector, 21));
            let motions = match kind {
                Kind::Drives => Motions::Joints { q: one, v: two, a: three },
                _ => Motions::Platform { pose: one, twist: two, acceleration: three },
            };
            let tau = &turned(&sampled.tau, 21);
            batch.evaluate_rows(&States { tau, ..States::moving(21, motions) }, &mut found).unwrap();
            assert_eq!(found, turned(&expected, 21), "{name}, {kind:?}");
        }
    }
}
