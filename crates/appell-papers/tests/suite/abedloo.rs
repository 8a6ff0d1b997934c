//! The Agile Wrist in closed form beside the golden data, the general methods and the laws that must hold.

use crate::common::{assembled, assert_close, assert_close_at, closed, numbers, parallel_golden};
use crate::{
    ClosedForm, EFFORT, MOTION, assert_all_hold, assert_errata_hold, assert_same_body, entries, evidence, triple,
};
use appell::closed::Configuration;
use appell::closed::tree_closures::Solver;
use appell::sample::Sampler;
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Pose, Vec3};
use appell_papers::abedloo::dynamics::Terms;
use appell_papers::abedloo::trajectory::{motion, study};
use appell_papers::abedloo::{AgileWrist, Leg, Mode, WristError, controlled, errata, reach};
use core::f64::consts::FRAC_PI_2;

fn modes(signs: &[f64]) -> [Mode; 3] {
    [0, 1, 2].map(|k| if signs[k] > 0.0 { Mode::Plus } else { Mode::Minus })
}

/// The largest entry of the symmetric part of Ṁ − 2 C.
fn asymmetry(rate: Mat3<f64>, c: Mat3<f64>) -> f64 {
    let left = rate - (c + c);
    entries(left + left.transpose()).into_iter().fold(0.0, |most, x| most.max(0.5 * x.abs()))
}

#[test]
fn the_paper_s_robot_is_the_golden_model() {
    let model = &parallel_golden("shared_model_agile_wrist.json")["robot"];
    let wrist = AgileWrist::paper(AgileWrist::RADIUS);
    assert_same_body(&wrist.platform, &model["platform"], 1e-14);
    for (k, leg) in wrist.legs.iter().enumerate() {
        assert_same_body(&leg.links[0], &model["links"][k][0], 1e-14);
        assert_same_body(&leg.links[1], &model["links"][k][1], 1e-14);
        let of = |key: &str| numbers(&model[key])[k];
        let known = [of("alpha1"), of("alpha2"), of("eta"), of("lambda")];
        assert_close(&[leg.alpha1, leg.alpha2, leg.eta, leg.lambda], &known, 1e-15, "angles");
        let known = [model["gamma"].as_f64().unwrap(), model["beta"].as_f64().unwrap()];
        assert_close(&[leg.gamma, leg.beta], &known, 1e-15, "angles");
    }
}

#[test]
fn golden_states_and_trajectory() {
    let paper = AgileWrist::paper(AgileWrist::RADIUS);
    for file in ["shared_agile_wrist_states.json", "shared_agile_wrist_traj.json"] {
        for (k, state) in parallel_golden(file)["data"].as_array().unwrap().iter().enumerate() {
            let wrist = paper.clone().in_modes(modes(&numbers(&state["mode"])));
            let [q, v, a] = ["q", "qd", "qdd"].map(|key| triple(&state[key]));
            if let Some(t) = state.get("t") {
                for (ours, known) in motion(t.as_f64().unwrap()).iter().zip([q, v, a]) {
                    assert_close_at(ours, &known, 1e-14, 1.0, "eq. 52");
                }
            }
            let motion = wrist.motion(q, v).unwrap();
            let terms = wrist.terms(q, v).unwrap();
            let energy = wrist.energy(q, v).unwrap();
            let placed = motion.placed;
            let close = |key: &str, found: &[f64], tolerance: f64, scale: f64| {
                assert_close_at(found, &numbers(&state[key]), tolerance, scale, &format!("{file} {k}: {key}"));
            };
            close("theta", &placed.map(|leg| leg.theta), MOTION, 1.0);
            close("psi", &placed.map(|leg| leg.psi), MOTION, 1.0);
            close("h", &placed.map(|leg| leg.h), MOTION, 1.0);
            close("omega", &motion.omega.to_array(), MOTION, 1.0);
            close("omegad", &motion.omega_dot(a).to_array(), MOTION, 1.0);
            close("thetad", &motion.theta_dot(), MOTION, 1.0);
            close("psid", &motion.psi_dot(), MOTION, 1.0);
            close("thetadd", &motion.theta_ddot(a), MOTION, 1.0);
            close("psidd", &motion.psi_ddot(a), MOTION, 1.0);
            close("M", &entries(terms.inertia), MOTION, 0.0);
            // Near rest these are rounding: of their sizes along the motion.
            close("C_paper", &entries(terms.printed_coriolis), MOTION, 1e-3);
            close("C_skew", &entries(terms.coriolis), MOTION, 1e-3);
            close("Mdot", &entries(terms.inertia_rate), MOTION, 1e-3);
            close("G", &terms.gravity.to_array(), MOTION, 0.1);
            close("J_act", &entries(motion.drives()), MOTION, 0.0);
            close("J_actdot", &entries(motion.drives_rate()), MOTION, 1.0);
            close("tau", &wrist.inverse_dynamics(q, v, a).unwrap(), EFFORT, 0.1);
            close("tau_com0", &wrist.clone().balanced().inverse_dynamics(q, v, a).unwrap(), EFFORT, 0.1);
            close("KE", &[energy.kinetic], MOTION, 1e-3);
            close("PE", &[energy.potential], MOTION, 0.1);
            let applied = triple(&state["tau_fd"]);
            let found = wrist.forward_dynamics(q, v, applied).unwrap();
            close("fd_qdd", &found, EFFORT, 0.0);
            close("fd_thetadd", &motion.theta_ddot(found), EFFORT, 0.0);
            let golden = |key: &str| {
                let x = numbers(&state[key]);
                Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(x[k], x[k + 1], x[k + 2])))
            };
            assert!(asymmetry(golden("Mdot"), terms.coriolis) < 1e-15, "{file} {k}");
            assert!(asymmetry(terms.inertia_rate, terms.coriolis) < 1e-15, "{file} {k}");
        }
    }
}

#[test]
fn spot_values_of_the_digest() {
    let wrist = AgileWrist::paper(0.1);
    let [q, v, a] = motion(1.0);
    let theta = wrist.placed(q).unwrap().map(|leg| leg.theta);
    assert_close(&theta, &[1.57726074352, 0.994210561287, 0.775803394342], 1e-11, "θ");
    let tau = wrist.inverse_dynamics(q, v, a).unwrap();
    assert_close(&tau, &[-0.616409751133, -0.175708480112, 0.389975704619], 1e-11, "τ");
}

/// The general methods on the description, at one state.
fn beside_the_general_methods(wrist: &AgileWrist, [q, v, a]: [[f64; 3]; 3], tau: [f64; 3], label: &str) {
    let description = wrist.description(q).unwrap_or_else(|e| panic!("{label}: {e}"));
    let motion = wrist.motion(q, v).unwrap();
    let both = |one: [f64; 3], other: [f64; 3]| [0, 1, 2].map(|k| [one[k], other[k]]).concat();
    let form = ClosedForm {
        joints: [
            both(motion.placed.map(|leg| leg.theta), motion.placed.map(|leg| leg.psi)),
            both(motion.theta_dot(), motion.psi_dot()),
            both(motion.theta_ddot(a), motion.psi_ddot(a)),
        ],
        energy: wrist.energy(q, v).unwrap(),
        torques: wrist.inverse_dynamics(q, v, a).unwrap(),
        omega_dot: motion.omega_dot(wrist.forward_dynamics(q, v, tau).unwrap()).to_array(),
        solver: Solver::Kkt,
    };
    let moves = (motion.rotation, motion.omega, motion.omega_dot(a));
    form.assert_general(&description, moves, (tau, Vec3::default()), label);
    let terms = wrist.terms(q, v).unwrap();
    let size = terms.coriolis.rows.iter().fold(0.0, |most: f64, row| most.max(row.norm()));
    assert!(asymmetry(terms.inertia_rate, terms.coriolis) <= 1e-13 * size, "{label}: skewness");
    let (one, other) = (terms.coriolis * motion.v, terms.printed_coriolis * motion.v);
    assert_close(&one.to_array(), &other.to_array(), 1e-10, &format!("{label}: both C q̇"));
}

/// A wrist with any angles and bodies, and a state of it that is far from singular.
fn random_wrist(sampler: &mut Sampler) -> (AgileWrist, [[f64; 3]; 3]) {
    loop {
        let mode = Mode::ALL[sampler.below(8)];
        let mut leg = |k: usize| Leg {
            alpha1: 1.2 + sampler.within(0.5),
            alpha2: 1.2 + sampler.within(0.5),
            beta: 0.8 + sampler.within(0.5),
            gamma: 0.9 + sampler.within(0.5),
            lambda: 2.1 * k as f64 + sampler.within(0.6),
            eta: 2.1 * k as f64 + sampler.within(0.6),
            links: [sampler.body().into(), sampler.body().into()],
            mode: mode[k],
        };
        let legs = [leg(0), leg(1), leg(2)];
        let wrist = AgileWrist { legs, platform: sampler.body().into(), gravity: sampler.vector(10.0) };
        let [q, v, a] = [0.6, 2.0, 5.0].map(|size| sampler.vector(size).to_array());
        if let reach::Place::Reached { least_h, drives } = reach::place(&wrist, q)
            && least_h > 0.15
            && drives > 0.15
        {
            return (wrist, [q, v, a]);
        }
    }
}

#[test]
fn random_wrists_agree_with_the_general_methods() {
    for seed in 0..60 {
        let mut sampler = Sampler::new(seed);
        let (wrist, state) = random_wrist(&mut sampler);
        beside_the_general_methods(&wrist, state, sampler.vector(5.0).to_array(), &format!("seed {seed}"));
    }
}

#[test]
fn all_eight_modes_reach_and_agree() {
    let [q, v, a] = motion(0.7);
    for modes in Mode::ALL {
        let wrist = AgileWrist::paper(0.1).in_modes(modes);
        for (leg, mode) in wrist.placed(q).unwrap().iter().zip(modes) {
            assert!(leg.h * mode.sign() > 0.0 && leg.psi * mode.sign() < 0.0);
            let [first, second] = leg.base_from_link;
            let end = second * PlanarRotation::by(70.0_f64.to_radians()).matrix_x().column(2);
            assert!((end - leg.v).norm() < 1e-15);
            assert!((first.column(2) - leg.u).norm() < 1e-15 && (second.column(2) - leg.w).norm() < 1e-15);
        }
        beside_the_general_methods(&wrist, [q, v, a], [0.3, -0.2, 0.1], &format!("{modes:?}"));
    }
}

/// The built-in robot, which was written by hand, is the same as the description.
#[test]
fn the_built_in_robot_is_the_paper_s() {
    let robot = closed("agile-wrist");
    let wrist = AgileWrist::paper(AgileWrist::RADIUS);
    let [q, v, a] = motion(1.3);
    let motion = wrist.motion(q, v).unwrap();
    let at: Configuration = assembled(&robot, Pose { rotation: motion.rotation, position: Vec3::default() });
    let known = crate::common::efforts(&robot, &at, &motion.omega.to_array(), &motion.omega_dot(a).to_array());
    assert_close(&wrist.inverse_dynamics(q, v, a).unwrap(), &known, EFFORT, "torques");
}

#[test]
fn the_study_holds_in_both_modes() {
    for modes in [Mode::ALL[0], Mode::ALL[7]] {
        let wrist = AgileWrist::paper(AgileWrist::RADIUS).in_modes(modes);
        let study = study(&wrist, 100).unwrap();
        assert_all_hold(&study.checks);
    }
}

#[test]
fn errors_name_the_leg_and_the_value() {
    let wrist = AgileWrist::paper(0.1);
    let far = wrist.inverse_dynamics([0.0, 0.0, 1.5], [0.0; 3], [0.0; 3]).expect_err("out of reach");
    let WristError::OutOfReach { leg, discriminant } = far else { panic!("{far}") };
    let v = EulerAngles::Zyx.rotation([0.0, 0.0, 1.5]) * wrist.legs[leg - 1].platform_rotation().column(2);
    let [a, b, c] = wrist.legs[leg - 1].reach(v);
    assert_eq!(discriminant, a * a + b * b - c * c);
    assert!(discriminant < 0.0 && far.to_string().contains(&format!("leg {leg}")), "{far}");

    // A leg whose reach ends at home: u, w and v in one plane.
    let mut stretched = wrist.clone();
    let between = wrist.placed([0.0; 3]).unwrap()[1];
    stretched.legs[1].alpha2 = between.u.dot(between.v).acos() - stretched.legs[1].alpha1;
    let error = (0..4)
        .find_map(|k| {
            let mut near = stretched.clone();
            near.legs[1].alpha2 += f64::from(k) * f64::EPSILON;
            near.terms([0.0; 3], [0.0; 3]).err().filter(|e| matches!(e, WristError::SingularLeg { .. }))
        })
        .unwrap_or_else(|| panic!("{:?}", stretched.terms([0.0; 3], [0.0; 3]).map(|_| ())));
    assert!(error.to_string().contains("leg 2") && error.to_string().contains("h = "), "{error}");

    let mut round = wrist.clone();
    round.legs.iter_mut().for_each(|leg| (leg.alpha1, leg.alpha2) = (FRAC_PI_2, FRAC_PI_2));
    let error = round.forward_dynamics([0.2, FRAC_PI_2, 0.1], [0.0; 3], [0.0; 3]).expect_err("E is singular");
    assert!(matches!(error, WristError::Angles(_)), "{error}");
}

/// Somewhere along q₂, in one mode of the paper's wrist or another, the three v × w are in a plane: no torques of the
/// drives hold the platform there.
#[test]
fn a_type_2_singularity_is_refused() {
    let mut wrist = AgileWrist::paper(0.1);
    // Their determinant, whose zero is found by bisection.
    let value = |wrist: &AgileWrist, q2: f64| {
        let legs = wrist.placed([0.0, q2, 0.0]).ok()?;
        let [x, y, z] = legs.map(|leg| leg.v.cross(leg.w));
        Some(x.dot(y.cross(z)))
    };
    for modes in Mode::ALL {
        wrist = wrist.in_modes(modes);
        let steps: Vec<f64> = (-150..=150).map(|k| 0.01 * f64::from(k)).collect();
        let sign_change = steps
            .windows(2)
            .find(|pair| matches!((value(&wrist, pair[0]), value(&wrist, pair[1])), (Some(a), Some(b)) if a * b < 0.0));
        let Some(pair) = sign_change else { continue };
        let (mut low, mut high) = (pair[0], pair[1]);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let same = value(&wrist, middle).unwrap() * value(&wrist, low).unwrap() > 0.0;
            *(if same { &mut low } else { &mut high }) = middle;
        }
        let q = [0.0, low, 0.0];
        let error = wrist.inverse_dynamics(q, [0.0; 3], [0.0; 3]).expect_err("Type 2");
        assert!(matches!(error, WristError::SingularDrives { .. }), "{error}");
        assert!(wrist.forward_dynamics(q, [0.0; 3], [0.0; 3]).is_ok(), "M is regular");
        return;
    }
    panic!("no Type 2 on this line");
}

#[test]
fn printed_forms_fail_and_corrected_ones_hold() {
    assert_errata_hold(&errata().unwrap());
}

/// Another program measured the same at every fourth instant of ours, so that some of its largest errors are smaller.
#[test]
fn printed_forms_are_as_wrong_as_the_golden_evidence_says() {
    let known = |eq: &str, words: &str| evidence("000", eq, words)["error_as_printed"].as_f64().unwrap();
    let found = errata().unwrap();
    let ours = |place: &str| &found.iter().find(|erratum| erratum.place == place).unwrap().evidence[0];
    for (place, eq, words, most) in [
        ("eq. 21, σ", "(21)/(27)", "", 1.0),
        ("eqs 44, 45", "(44)-(45)", "", 1.0),
        ("eq. 44", "(44)", "", 1.02),
        ("eq. 47", "(47)", "literal partials", 1.1),
        ("eq. 47, halves", "(47)", "no halves", 1.2),
        ("eq. 50", "(50)", "", 1.0),
        ("eq. 51", "(51)", "", 1.01),
        ("eq. 36", "(36)", "", 1.01),
    ] {
        let ratio = ours(place).error_as_printed.unwrap() / known(eq, words);
        assert!(ratio > 1.0 - 1e-12 && ratio < most + 1e-12, "{place}: {ratio}");
    }
    // Twice the symmetric part there; the error over the right value there.
    let skewness = ours("eq. 21, C").error_as_printed.unwrap();
    assert!((2.0 * skewness / known("(21)", "symmetric part") - 1.0).abs() < 1e-9, "{skewness}");
    let partial = ours("eq. 24");
    let relative = partial.error_as_printed.unwrap() / partial.scale;
    assert!((relative / known("(24)", "literal") - 1.0).abs() < 1e-11, "{partial:?}");
    // A sum of a matrix and a vector can be read in several ways: O(1) in all.
    assert!(ours("eq. 31").error_as_printed.unwrap() > 1.0 && known("(31)", "") > 1.0);
}

/// By minors rather than eigenvalues: those of two rows are zero for a first link, the determinant alone for a second.
#[test]
fn a_link_s_part_of_m_is_of_rank_1_or_2() {
    assert_eq!(numbers(&evidence("000", "after (21)", "")["ranks"]), [1.0, 2.0]);
    let mut sampler = Sampler::new(21);
    let paper = (AgileWrist::paper(0.1), motion(0.3));
    for (wrist, [q, v, _]) in (0..20).map(|_| random_wrist(&mut sampler)).chain([paper]) {
        let motion = wrist.motion(q, v).unwrap();
        for (k, body) in motion.bodies(&wrist).iter().enumerate() {
            let [x, y, z] = body.terms(motion.v, wrist.gravity).inertia.rows;
            let size = [x, y, z].iter().fold(0.0, |most: f64, row| most.max(row.norm()));
            let minors = [x.cross(y), y.cross(z), z.cross(x)].map(Vec3::norm).into_iter().fold(0.0, f64::max);
            let (minors, determinant) = (minors / size.powi(2), (x.dot(y.cross(z)) / size.powi(3)).abs());
            match k {
                6 => assert!(determinant > 1e-6, "platform: {determinant}"),
                k if k % 2 == 0 => assert!(size > 1e-6 && minors < 1e-14, "first link: {size} {minors}"),
                _ => assert!(minors > 1e-6 && determinant < 1e-14, "second link: {minors} {determinant}"),
            }
        }
        let [x, y, z] = wrist.terms(q, v).unwrap().inertia.rows;
        assert!(x.x > 0.0 && x.x * y.y - x.y * y.x > 0.0 && x.dot(y.cross(z)) > 0.0, "M is definite");
    }
}

#[test]
fn nothing_is_allocated() {
    let wrist = AgileWrist::paper(0.1);
    let [q, v, a] = motion(0.3);
    let info = allocation_counter::measure(|| {
        let motion = wrist.motion(q, v).unwrap();
        std::hint::black_box(Terms::sum(&motion.bodies(&wrist), motion.v, wrist.gravity));
        let tau = wrist.inverse_dynamics(q, v, a).unwrap();
        std::hint::black_box(wrist.forward_dynamics(q, v, tau).unwrap());
        std::hint::black_box(wrist.energy(q, v).unwrap());
    });
    assert_eq!(info.count_total, 0);
}

/// Errors as small as the paper's figures 6 and 7, whichever way they are meant, and as the gains say: τ / K_p.
#[test]
fn a_stiff_law_follows_as_well_as_the_paper_s() {
    let wrist = AgileWrist::paper(AgileWrist::RADIUS);
    let law = controlled::Law::for_error(&wrist, controlled::PRINTED[0]).unwrap();
    let run = controlled::follow(&wrist, law, 0.5, 25).unwrap();
    assert_eq!(run.samples.len(), 26);
    assert_all_hold(&run.checks());
    // Two computations of one motion differ by rounding.
    assert!(run.largest(|sample| sample.model).into_iter().all(|difference| difference < 1e-13));
    for sample in &run.samples {
        for k in 0..3 {
            let expected = -sample.tau[k] / law.gains.proportional;
            assert!((sample.tracking[0][k] - expected).abs() < 1e-10, "at {}: {:e}", sample.t, sample.tracking[0][k]);
        }
    }
    // A law that is ten times as soft errs ten times as much.
    let soft = controlled::Law::for_error(&wrist, 1e-6).unwrap();
    let soft = controlled::follow(&wrist, soft, 0.5, 25).unwrap();
    let [stiff, soft] = [run, soft].map(|run| run.largest(|sample| sample.tracking)[0]);
    assert!((soft / stiff - 10.0).abs() < 0.01, "{stiff:e} {soft:e}");
}
