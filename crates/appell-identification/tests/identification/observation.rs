//! Observation matrices against second regressors, and what is refused.

use appell::Robot;
use appell::closed::{Configuration, formulation, unit_parameters as closed_unit_parameters};
use appell::dynamics::unit_parameters;
use appell::question::{Evaluator, Question, State, Target};
use appell::sample::Sampler;
use appell_batch::Motions;
use appell_identification::data::{Filter, JointMotion, Measurement};
use appell_identification::observation::{ObservationError, Samples, observe, observe_thinned};
use appell_identification::parameters::{Coupling, Effect, Model};
use appell_identification::signals::Clock;
use nalgebra::DVector;

fn random(many: usize, limit: f64, sampler: &mut Sampler) -> Vec<f64> {
    (0..many).map(|_| sampler.within(limit)).collect()
}

/// Rows and columns are where they belong: the columns of unit parameters, Newton and Euler's, state by state.
#[test]
fn trees_agree_with_unit_parameters() {
    let robot = Robot::builtin("stanford").unwrap();
    let model = Model::bodies(&robot);
    let mut sampler = Sampler::new(31);
    let (n, count) = (6, 37);
    let [q, v, a, tau] = [1.0, 2.0, 3.0, 4.0].map(|limit| random(n * count, limit, &mut sampler));
    let motion = Motions::Joints { q: &q, v: &v, a: &a };
    let equations = observe(&robot, &model, &Samples { count, motion, effort: &tau }).unwrap();
    let mut workspace = unit_parameters::Workspace::new(robot.tree());
    for i in 0..count {
        let at = |numbers: &[f64]| -> Vec<f64> { numbers.iter().skip(i).step_by(count).copied().collect() };
        let expected = unit_parameters::regressor(&mut workspace, &at(&q), &at(&v), &at(&a));
        for (row, expected) in expected.chunks_exact(10 * n).enumerate() {
            let found = equations.matrix().row(i * n + row);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11), "sample {i}, joint {row}");
            assert_eq!(equations.right()[i * n + row], at(&tau)[row]);
        }
    }
}

/// The same for a parallel robot, whose referee projects Newton and Euler's equations of the open tree.
#[test]
fn parallel_robots_agree_with_unit_parameters() {
    for name in ["gough-stewart", "agile-wrist", "delta"] {
        let robot = Robot::builtin(name).unwrap();
        let (closed, model) = (robot.closed().unwrap(), Model::bodies(&robot));
        let mut sampler = Sampler::new(32);
        let n = closed.driven().len();
        let home = closed.driven().iter().map(|&j| closed.home().q[j]);
        let q: Vec<f64> = home.map(|home| home + sampler.within(0.05)).collect();
        let (v, a) = (random(n, 0.5, &mut sampler), random(n, 2.0, &mut sampler));
        let motion = Motions::Joints { q: &q, v: &v, a: &a };
        let equations = observe(&robot, &model, &Samples { count: 1, motion, effort: &q }).unwrap();
        let mut evaluator = Evaluator::new(&robot, Question::Joints, None, Target::default()).unwrap();
        let mut joints = vec![0.0; evaluator.columns().len()];
        evaluator.evaluate(&State::joints(&q, &v, &a), &mut joints).unwrap();
        let at: &Configuration = evaluator.configuration().unwrap();
        // Rates of the freedoms, from those of the drives: J_inv r = v, and the same for what the rates leave.
        let mut kinematics = formulation::Workspace::new(closed, formulation::Formulation::TreeClosures);
        let freedoms = closed.freedoms().len();
        let z = formulation::complement(closed, &mut kinematics, at).unwrap().to_vec();
        let rows = closed.driven().iter().flat_map(|&j| z[j * freedoms..(j + 1) * freedoms].to_vec());
        let j_inv = nalgebra::DMatrix::from_row_iterator(n, freedoms, rows).lu();
        let r = j_inv.solve(&DVector::from_column_slice(&v)).unwrap();
        let zeros = vec![0.0; freedoms];
        let (_, rest) = formulation::motion(closed, &mut kinematics, at, r.as_slice(), &zeros).unwrap();
        let left: Vec<f64> = closed.driven().iter().zip(&a).map(|(&j, a)| a - rest[j]).collect();
        let r_dot = j_inv.solve(&DVector::from_vec(left)).unwrap();
        let mut workspace = closed_unit_parameters::Workspace::new(closed);
        let expected = closed_unit_parameters::regressor(&mut workspace, at, r.as_slice(), r_dot.as_slice()).unwrap();
        let width = model.columns().len();
        let size = equations.matrix().amax();
        for (row, expected) in expected.chunks_exact(width).enumerate() {
            let found = equations.matrix().row(row);
            let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-9 * size, "{name}, drive {row}: {error:e}");
        }
    }
}

/// What effects need of the drives is the power they take: passive friction through the legs, coupled motors, springs.
#[test]
fn effects_work_as_much_as_their_joints_say() {
    let robot = Robot::builtin("delta").unwrap();
    let all: Vec<usize> = (0..robot.tree().dof()).collect();
    let coefficients: Vec<f64> = all.iter().map(|&j| 0.5 - 0.1 * j as f64).collect();
    let coupling = Coupling { name: "belt".into(), coefficients: coefficients.clone() };
    let model = Model::bodies(&robot)
        .with_columns(&[])
        .with_effects_in(&all, &[Effect::Viscous, Effect::Stiffness])
        .with_coupling(coupling, &[Effect::Viscous]);
    let at_home = &robot.closed().unwrap().home().q;
    let home = robot.drives().iter().map(|drive| at_home[drive.index] + 0.03).collect::<Vec<_>>();
    let (v, a) = ([0.3, -0.2, 0.4], [0.0; 3]);
    let motion = Motions::Joints { q: &home, v: &v, a: &a };
    let equations = observe(&robot, &model, &Samples { count: 1, motion, effort: &v }).unwrap();
    let mut evaluator = Evaluator::new(&robot, Question::Joints, None, Target::default()).unwrap();
    let mut joints = vec![0.0; evaluator.columns().len()];
    evaluator.evaluate(&State::joints(&home, &v, &a), &mut joints).unwrap();
    let n = all.len();
    let belt: f64 = coefficients.iter().zip(&joints[n..2 * n]).map(|(c, v)| c * v).sum();
    for (k, name) in model.names().iter().enumerate() {
        let power: f64 = equations.matrix().column(k).iter().zip(&v).map(|(tau, v)| tau * v).sum();
        let (q, v) = (joints[k / 2 % n], joints[n + k / 2 % n]);
        let expected = if k == 2 * n {
            belt * belt
        } else if k % 2 == 0 {
            v * v
        } else {
            q * v
        };
        assert!((power - expected).abs() < 1e-10, "{name}: {power} {expected}");
    }
}

#[test]
fn samples_that_cannot_be_are_named() {
    let robot = Robot::builtin("two-link").unwrap();
    let model = Model::bodies(&robot);
    let ask = |q: &[f64], v: &[f64], effort: &[f64]| {
        let motion = Motions::Joints { q, v, a: v };
        observe(&robot, &model, &Samples { count: 2, motion, effort }).map(|_| ()).unwrap_err()
    };
    let error = ask(&[0.0; 4], &[0.0; 4], &[0.0; 3]);
    assert_eq!(error.to_string(), "efforts: 3 numbers for 2 samples of 2; there must be 4");
    let error = ask(&[0.0; 4], &[0.0, 0.0, f64::INFINITY, 0.0], &[0.0; 4]);
    assert_eq!(error.to_string(), "velocities of sample 1, number 2, is inf; every measured value must be finite");
    let motion = Motions::Platform { pose: &[], twist: &[], acceleration: &[] };
    let error = observe(&robot, &model, &Samples { count: 0, motion, effort: &[] }).unwrap_err();
    assert_eq!(error, ObservationError::NoPlatform);
}

/// A motion with efforts that know nothing of it, faults and all.
fn motion(robot: &Robot, count: usize, factor: usize) -> JointMotion {
    let drives = robot.drives();
    let home: Vec<f64> = match robot.closed() {
        None => vec![0.3; drives.len()],
        Some(closed) => drives.iter().map(|drive| closed.home().q[drive.index]).collect(),
    };
    let wave = |joint: usize, k: usize| {
        let t = 0.004 * k as f64;
        home[joint] + 0.05 * ((0.7 + 0.1 * joint as f64) * t).sin() + 0.01 * (3.1 * t + joint as f64).cos()
    };
    let columns = |of: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        (0..drives.len()).map(|joint| (0..count).map(|k| of(joint, k)).collect()).collect()
    };
    let measurement = Measurement {
        joints: drives.iter().map(|drive| drive.name.to_owned()).collect(),
        time: (0..count).map(|k| 0.004 * k as f64).collect(),
        clock: Clock::even(0.004),
        q: columns(&wave),
        v: None,
        effort: columns(&|joint, k| (0.003 * (k * (joint + 2)) as f64).sin() + f64::from(k as u32 % 7)),
        left_out: vec![1000..1010, 990..995],
    };
    measurement.motion(&Filter { cut_off: Some(8.0), decimation: factor, ..Filter::default() }).unwrap()
}

/// Equations that are thinned while they are made, block by block, are those of all samples at once, thinned together: of a tree, of a robot with
/// closed loops, with coupled motors and gains, short and long.
#[test]
fn blocks_give_the_equations_of_all_samples() {
    let puma = Robot::builtin("puma560").unwrap();
    let effects = [Effect::Viscous, Effect::Coulomb { smoothing: 0.01 }, Effect::Offset, Effect::Rotor];
    let coupling = Coupling { name: "m6".into(), coefficients: vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.5] };
    let coupled =
        Model::bodies(&puma).with_effects(&effects).with_coupling(coupling, &[Effect::Rotor, Effect::Viscous]);
    let gains = Model::bodies(&puma).with_effects(&[Effect::DriveGain]);
    let five_bar = Robot::builtin("five-bar").unwrap();
    let loops = Model::bodies(&five_bar).with_effects(&effects);
    for (robot, model, count, factor) in [
        (&puma, &coupled, 5000, 20),
        (&puma, &gains, 2100, 7),
        (&puma, &coupled, 2300, 1),
        (&five_bar, &loops, 2500, 10),
    ] {
        let motion = motion(robot, count, factor);
        let samples = Motions::Joints { q: &motion.q, v: &motion.v, a: &motion.a };
        let samples = Samples { count, motion: samples, effort: &motion.effort };
        let whole = observe(robot, model, &samples).unwrap().decimated(&motion.decimation).unwrap();
        let kept: Vec<usize> = motion.decimation.kept(count).collect();
        let right = motion.right_samples(&motion.decimation);
        let is_fault = |at: &usize| motion.left_out.iter().any(|run| run.contains(at));
        assert!(right.len() < kept.len() && !right.iter().any(is_fault));
        let right: Vec<usize> = right.iter().map(|at| kept.binary_search(at).unwrap()).collect();
        let (whole, blocks) =
            (whole.samples_of(&right), observe_thinned(robot, model, &motion, &motion.decimation).unwrap());
        let off = [
            (whole.matrix() - blocks.matrix()).amax() / whole.matrix().amax(),
            (whole.right() - blocks.right()).amax(),
        ];
        assert!(off.iter().all(|off| *off < 1e-12), "{count} by {factor}: {off:?}");
        assert!(blocks.rows() == whole.rows() && blocks.model() == model);
    }
    // Where the robot cannot be, the sample is named by its place in the recording.
    let hexapod = Robot::builtin("gough-stewart").unwrap();
    let mut away = motion(&hexapod, 2500, 10);
    away.q[2321] += 100.0; // metres of the first leg
    match observe_thinned(&hexapod, &Model::bodies(&hexapod), &away, &away.decimation) {
        Err(ObservationError::Closed(error)) => assert_eq!(error.state, 2321, "{error}"),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("a leg of 100 m"),
    }
}
