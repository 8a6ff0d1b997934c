//! Estimators where they differ: badly posed data, outliers, noise in the matrix, closed loops.

use crate::recording::{Recording, case, exciting, normal, record};
use appell::Robot;
use appell::sample::Sampler;
use appell_identification::estimate::ridge::{self, Parameter};
use appell_identification::estimate::{
    Doubt, Estimate, EstimateError, doubts, huber, instruments, normal_equations, reflections, total, truncated,
    weighted,
};
use appell_identification::observation::Observation;
use appell_identification::parameters::{Effect, Model};
use appell_identification::validation::{cross_validate, essential};
use nalgebra::{DMatrix, DVector};

fn matrix(rows: usize, columns: usize, sampler: &mut Sampler) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| sampler.within(1.0))
}

/// Equations of three unknowns and two joints.
fn equations(matrix: DMatrix<f64>, right: DVector<f64>) -> Observation {
    let robot = Robot::builtin("two-link").unwrap();
    let model = Model::bodies(&robot).with_columns(&[0, 1, 2]);
    Observation::new(matrix, right, model, vec!["one".into(), "two".into()])
}

fn truth() -> DVector<f64> {
    DVector::from_column_slice(&[2.0, -0.5, 0.25])
}

/// What σ says is what repeated trials do; and joints of unlike noise are worth weighing.
#[test]
fn standard_deviations_are_those_of_repeated_trials() {
    let mut sampler = Sampler::new(11);
    let w = matrix(200, 3, &mut sampler);
    let trials = 400;
    let (mut plain, mut weighed) = (DVector::zeros(3), DVector::zeros(3));
    let mut last: Option<(Estimate, Estimate)> = None;
    for _ in 0..trials {
        let noise = DVector::from_fn(200, |k, _| if k % 2 == 0 { 1.0 } else { 0.05 } * normal(&mut sampler));
        let equations = equations(w.clone(), &w * truth() + noise);
        let (a, b) = (reflections::estimate(&equations).unwrap(), weighted::estimate(&equations).unwrap());
        plain += (&a.values - truth()).map(|e| e * e) / f64::from(trials);
        weighed += (&b.values - truth()).map(|e| e * e) / f64::from(trials);
        last = Some((a, b));
    }
    let (_, b) = last.unwrap();
    for k in 0..3 {
        let (seen, said) = (weighed[k].sqrt(), b.sigma()[k]);
        assert!((seen / said - 1.0).abs() < 0.25, "σ {said} against {seen}");
        assert!(weighed[k] < 0.02 * plain[k], "{} {}", weighed[k], plain[k]);
    }
    assert!((b.correlation()[(1, 1)] - 1.0).abs() < 1e-12);
}

/// Ill-posed: a PUMA that only trembles, ±0.05 rad about one pose, with 2 % of noise in the currents. Inertial parameters are
/// hardly seen (condition number about 10⁴), and least squares takes them from the noise. Ridge and truncated SVD are nearer
/// to the truth, and predict a large motion better, which is what a model is for: in the mean of ten recordings.
#[test]
fn ridge_and_svd_beat_least_squares_on_a_motion_that_hardly_excites() {
    let (machine, model, base) = case("puma560");
    let expected = base.values(&model.values(&machine));
    let large = exciting(&machine, 6, 0.0);
    let rich = base.reduce(&record(&machine, &large).exact(&machine, &model));
    let mut squares = [[0.0; 2]; 4];
    for seed in 0..10 {
        let recording = Recording { seed, amplitude: 0.05, noise: 0.02, ..large };
        let poor = base.reduce(&record(&machine, &recording).exact(&machine, &model));
        let found = [
            reflections::estimate(&poor).unwrap(),
            truncated::estimate(&poor, 1e-2).unwrap(),
            ridge::estimate(&poor, Parameter::LCurve).unwrap(),
            ridge::estimate(&poor, Parameter::CrossValidated).unwrap(),
        ];
        for (sum, estimate) in squares.iter_mut().zip(&found) {
            sum[0] += (&estimate.values - &expected).norm_squared() / expected.norm_squared() / 10.0;
            let wrong = (rich.right() - rich.predicted(&estimate.values)).norm_squared();
            sum[1] += wrong / rich.right().norm_squared() / 10.0;
        }
    }
    let [plain, better @ ..] = squares.map(|sums| sums.map(f64::sqrt));
    println!("least squares {plain:.2?}; SVD, ridge by L-curve and by cross-validation {better:.2?}");
    for better in better {
        assert!(better[0] < plain[0] && better[1] < plain[1], "{better:?} {plain:?}");
    }
}

#[test]
fn outliers_hardly_move_huber() {
    let mut sampler = Sampler::new(12);
    let w = matrix(400, 3, &mut sampler);
    let noise = DVector::from_fn(400, |k, _| 0.01 * normal(&mut sampler) + if k % 20 == 0 { 5.0 } else { 0.0 });
    let equations = equations(w.clone(), &w * truth() + noise);
    let off = |estimate: Estimate| (estimate.values - truth()).norm();
    let (plain, robust) = (
        off(reflections::estimate(&equations).unwrap()),
        off(huber::estimate(&equations, huber::USUAL_THRESHOLD).unwrap()),
    );
    assert!(robust < 0.05 * plain && robust < 5e-3, "{robust} {plain}");
}

/// What σ says with outliers is what repeated trials do, however far off outliers are.
#[test]
fn standard_deviations_of_huber_are_those_of_repeated_trials() {
    let mut sampler = Sampler::new(19);
    let w = matrix(400, 3, &mut sampler);
    for outlier in [0.0, 5.0, 500.0] {
        let (trials, mut squares, mut said) = (300, DVector::zeros(3), DVector::zeros(3));
        for _ in 0..trials {
            let hit = |k: usize| if k % 40 < 2 { outlier * if k % 80 < 40 { 1.0 } else { -1.0 } } else { 0.0 };
            let noise = DVector::from_fn(400, |k, _| 0.1 * normal(&mut sampler) + hit(k));
            let found = huber::estimate(&equations(w.clone(), &w * truth() + noise), huber::USUAL_THRESHOLD).unwrap();
            squares += (&found.values - truth()).map(|e| e * e) / f64::from(trials);
            said += found.sigma() / f64::from(trials);
        }
        let seen: DVector<f64> = squares.map(f64::sqrt);
        println!("outliers of {outlier}: σ {said:.4?}, seen {seen:.4?}");
        assert!(seen.iter().zip(&said).all(|(seen, said)| seen / said < 1.25 && said / seen < 1.25), "{seen} {said}");
    }
}

/// Noise of like size in columns and right side shrinks least squares, and leaves total least squares right in the mean.
#[test]
fn noise_in_the_matrix_biases_least_squares_and_not_total_least_squares() {
    let mut sampler = Sampler::new(13);
    let exact = matrix(20_000, 3, &mut sampler);
    let size = 0.1;
    let y = &exact * truth();
    // Total least squares scales columns and right side to length 1: the noise is a like part of each.
    let part = size / (exact.column(0).norm() / 20_000_f64.sqrt());
    let noisy = DMatrix::from_fn(20_000, 3, |i, k| exact[(i, k)] + size * normal(&mut sampler));
    let right = DVector::from_fn(20_000, |i, _| y[i] + part * y.norm() / 20_000_f64.sqrt() * normal(&mut sampler));
    let equations = equations(noisy, right);
    let off = |estimate: &Estimate| (&estimate.values - truth()).norm();
    let (plain, whole) = (reflections::estimate(&equations).unwrap(), total::estimate(&equations).unwrap());
    assert!(off(&plain) > 0.03 && off(&whole) < 0.02, "{} {}", off(&plain), off(&whole));
}

/// In a closed loop the noise of y is in W too: instruments that do not know it are right, least squares is not.
#[test]
fn instruments_remove_the_bias_of_a_closed_loop() {
    let mut sampler = Sampler::new(14);
    let reference = matrix(20_000, 3, &mut sampler);
    let noise = DVector::from_fn(20_000, |_, _| 0.3 * normal(&mut sampler));
    let fed_back = DVector::from_column_slice(&[-0.8, 0.5, 0.0]);
    let moved = &reference + &noise * fed_back.transpose();
    let right = &moved * truth() + &noise;
    let (loop_closed, known) = (equations(moved, right.clone()), equations(reference, right));
    let off = |estimate: Estimate| (estimate.values - truth()).norm();
    let plain = off(reflections::estimate(&loop_closed).unwrap());
    let with = off(instruments::estimate(&loop_closed, &known).unwrap());
    assert!(plain > 0.1 && with < 0.02, "{plain} {with}");
}

#[test]
fn what_cannot_be_estimated_is_named() {
    let mut sampler = Sampler::new(15);
    let good = matrix(20, 3, &mut sampler);
    let right = DVector::from_element(20, 1.0);
    let few = equations(good.rows(0, 2).into_owned(), right.rows(0, 2).into_owned());
    assert_eq!(reflections::estimate(&few), Err(EstimateError::TooFew { rows: 2, columns: 3 }));
    let mut nothing = good.clone();
    nothing.column_mut(1).fill(0.0);
    let error = reflections::estimate(&equations(nothing, right.clone())).unwrap_err();
    assert_eq!(error, EstimateError::NotExcited { name: "MX1".into() });
    let mut twice = good.clone();
    let same = twice.column(0) * 2.0;
    twice.set_column(2, &same);
    let error = normal_equations::estimate(&equations(twice, right.clone())).unwrap_err();
    assert!(matches!(&error, EstimateError::Dependent { name, .. } if name == "MY1"), "{error}");
    let mut holed = good;
    holed[(3, 2)] = f64::NAN;
    let error = reflections::estimate(&equations(holed, right)).unwrap_err();
    assert_eq!(error, EstimateError::NotFinite { name: "MY1".into() });
}

/// Known columns move to the right side; held-out data are predicted as well as the noise lets; what is zero is left out.
#[test]
fn known_columns_held_out_data_and_essential_parameters() {
    let mut sampler = Sampler::new(16);
    let w = matrix(600, 3, &mut sampler);
    let mut without_one = truth();
    without_one[1] = 0.0;
    let noise = DVector::from_fn(600, |_, _| 0.05 * normal(&mut sampler));
    let equations = equations(w.clone(), &w * &without_one + &noise);
    let known = equations.with_known(&[("M1", 2.0)]).unwrap();
    let found = reflections::estimate(&known).unwrap();
    assert_eq!(found.names, ["MX1", "MY1"]);
    assert!((found.values[1] - 0.25).abs() < 0.02, "{found:?}");
    let fit = |part: &Observation| weighted::estimate(part).map(|found| found.values);
    let validated = cross_validate(&equations, 5, fit).unwrap();
    let noise_part = noise.norm() / equations.right().norm();
    assert!((validated.relative / noise_part - 1.0).abs() < 0.05, "{} {noise_part}", validated.relative);
    let matter = essential(&equations, 0.01).unwrap();
    assert_eq!(matter.kept, [0, 2]);
    assert!(matter.estimate.fit.relative < 1.02 * noise_part);
}

/// All of it on a robot with a parameter too many: friction that is not there.
#[test]
fn essential_parameters_of_a_robot_predict_as_well_as_all() {
    let (machine, model, base) = case("puma560");
    let recording = Recording { seed: 9, rate: 60.0, duration: 10.0, amplitude: 1.0, quantised: false, noise: 0.05 };
    let equations = base.reduce(&record(&machine, &recording).exact(&machine, &model));
    let matter = essential(&equations, 0.02).unwrap();
    assert!(matter.kept.len() < 50 && matter.kept.len() > 15, "{} of {}", matter.kept.len(), base.len());
    let other = record(&machine, &Recording { seed: 10, noise: 0.0, ..recording });
    let other = base.reduce(&other.exact(&machine, &model)).with_columns(&matter.kept);
    let wrong = (other.right() - other.predicted(&matter.estimate.values)).norm() / other.right().norm();
    assert!(wrong < 0.03, "{wrong}");
}

/// Two columns that are nearly the same, and friction that drives.
#[test]
fn doubts_are_named() {
    let mut sampler = Sampler::new(17);
    let mut w = matrix(100, 3, &mut sampler);
    let alike = DVector::from_fn(100, |i, _| w[(i, 0)] + 1e-3 * sampler.within(1.0));
    w.set_column(1, &alike);
    let right =
        &w * DVector::from_column_slice(&[1.0, 1.0, -3.0]) + DVector::from_fn(100, |_, _| 0.1 * normal(&mut sampler));
    let robot = Robot::builtin("two-link").unwrap();
    let model = Model::bodies(&robot).with_columns(&[1, 2]).with_effects_in(&[0], &[Effect::Viscous]);
    let equations = Observation::new(w, right, model, vec!["one".into(), "two".into()]);
    let found = doubts(&reflections::estimate(&equations).unwrap(), &equations, &DVector::zeros(3));
    assert!(
        matches!(&found[..], [.., Doubt::Collinear { first, second, .. }, Doubt::WrongSign { name, .. }]
        if first == "MX1" && second == "MY1" && name == "Fv1"),
        "{found:?}"
    );
    assert!(found.iter().any(|doubt| matches!(doubt, Doubt::NotExcited { .. })), "{found:?}");
}

/// A parameter that is truly near zero is no reason for doubt, as long as σ is small beside what it may be; one that the
/// motion hardly moves is.
#[test]
fn small_parameters_are_not_doubted_but_unexcited_ones_are() {
    let (machine, model, base) = case("puma560");
    let sizes = base.sizes(&model.sizes(&machine));
    let of = |amplitude: f64| {
        let recording = Recording { seed: 18, rate: 40.0, duration: 10.0, amplitude, quantised: false, noise: 0.02 };
        let reduced = base.reduce(&record(&machine, &recording).exact(&machine, &model));
        let found = weighted::estimate(&reduced).unwrap();
        let hardly = doubts(&found, &reduced, &sizes);
        let hardly = hardly.iter().filter(|doubt| matches!(doubt, Doubt::NotExcited { .. })).count();
        (hardly, found.relative_sigma().iter().filter(|relative| **relative > 50.0).count())
    };
    let ((rich, small), (poor, _)) = (of(1.0), of(0.05));
    println!("doubted: {rich} of a rich motion, of which {small} have σ beyond half of them; {poor} of a poor one");
    assert!(rich < small / 4 && poor > 4 * rich + 4, "{rich} {small} {poor}");
}
