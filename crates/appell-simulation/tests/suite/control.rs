//! Laws of control on simulated robots: golden tracking, what an exact model does to the error, and what a wrong one does.

use crate::common::{assert_close_at, closed, golden, heavier, numbers, robot};
use crate::{golden_line, joints, led, ramp};
use appell::closed::ClosedMechanism;
use appell::dynamics::{gibbs_appell_inertia, regressor};
use appell::kinematics::spherical_wrist::{Branch, Sign};
use appell::mechanism::Mechanism;
use appell::spatial::{Acceleration, Pose, Twist, Vec3};
use appell::{Robot, robots};
use appell_simulation::control::{
    Adaptive, ComputedTorque, DriveTorque, Gains, InAdvance, JointPd, Law, Limited, PlatformTorque,
};
use appell_simulation::simulation::plant::{Closed, Tree};
use appell_simulation::simulation::{Options, Plant, run};
use appell_simulation::trajectory::{
    FollowError, Follower, Fourier, FrameMotion, FrameReference, JointReference, Start, Task,
};
use core::ops::ControlFlow;

fn exactly(tolerance: f64, sampling: f64) -> Options {
    Options { sampling: Some(sampling), ..crate::exactly(tolerance) }
}

/// Positions at every sample.
fn follow(plant: &mut dyn Plant, drive: &mut dyn Law, end: f64, options: &Options) -> Vec<(f64, Vec<f64>, Vec<f64>)> {
    let mut kept = Vec::new();
    let outcome = run(plant, drive, 0.0, end, options, |sample| {
        kept.push((sample.view.t, sample.view.q.to_vec(), sample.view.v.to_vec()));
        ControlFlow::Continue(())
    });
    assert!(outcome.stop.is_none(), "{outcome:?}");
    kept
}

#[test]
fn exact_model_tracking_of_the_puma() {
    let (file, path) = (golden("e_simulation.json"), golden("b_trajectory_002.json"));
    let tracking = &file["tracking"][0];
    assert_eq!(tracking["controller_model_scale"], 1.0);
    let robot = robot(&file["robot"]);
    let near = numbers(&path["q"][0]);
    let branch = Branch { shoulder: Sign::Plus, elbow: Sign::Plus, wrist: Sign::Plus };
    let start = Start::Branch(branch, &near);
    let follower = Follower::new(&robot, 5, Box::new(golden_line(&path)), Task::Pose, start, &[]).unwrap();
    let [kp, kd, ki] = ["Kp", "Kd", "Ki"].map(|key| tracking[key].as_f64().unwrap());
    let gains = vec![Gains { proportional: kp, derivative: kd, integral: ki }; 6];
    let mut law = ComputedTorque::tracking(&robot, Box::new(follower), gains);
    let mut plant = Tree::new(&robot, &numbers(&tracking["q0"]), &numbers(&tracking["qd0"]));
    let times = numbers(&tracking["t"]);
    let found = follow(&mut plant, &mut law, 8.6, &exactly(1e-11, 0.86));
    assert_eq!(found.len(), times.len() + 1);
    for (k, (t, q, v)) in found[1..].iter().enumerate() {
        assert!((t - times[k]).abs() < 1e-12);
        assert_close_at(q, &numbers(&tracking["q"][k]), 1e-8, 1.0, &format!("q at {t}"));
        assert_close_at(v, &numbers(&tracking["qd"][k]), 1e-8, 1.0, &format!("v at {t}"));
    }
}

/// ë + K_d ė + K_p e = 0: with damping 1 the error is e₀ (1 + ω t) exp(−ω t), of joints and of the drives of a parallel
/// robot.
#[test]
fn the_error_of_an_exact_model_dies_as_the_gains_say() {
    let check = |plant: &mut dyn Plant, law: &mut dyn Law, wanted: &mut dyn JointReference, off: &[f64], omega: f64| {
        let drives = plant.drives();
        for (t, q, _) in follow(plant, law, 1.5, &exactly(1e-11, 0.1)) {
            let left = (1.0 + omega * t) * (-omega * t).exp();
            for ((&j, q_d), off) in drives.iter().zip(&joints(wanted, t)[0]).zip(off) {
                assert!((q[j] - q_d - off * left).abs() < 1e-9, "joint {j} at {t}: {} {left}", q[j] - q_d);
            }
        }
    };
    let robot = robots::find("puma560").unwrap().mechanism();
    let (from, to) = ([0.1, -0.8, 0.3, 0.2, 0.6, 0.0], [0.6, -0.4, 0.1, 0.5, 0.9, 0.7]);
    let off = [0.05, -0.03, 0.04, 0.02, -0.05, 0.03];
    let start: Vec<f64> = from.iter().zip(off).map(|(q, off)| q + off).collect();
    let wanted = || ramp(&from, &to, 1.0);
    let mut law = ComputedTorque::tracking(&robot, wanted(), vec![Gains::of(6.0, 1.0); 6]);
    check(&mut Tree::new(&robot, &start, &[0.0; 6]), &mut law, &mut *wanted(), &off, 6.0);

    let robot = closed("gough-stewart");
    let home: Vec<f64> = robot.driven().iter().map(|&j| robot.home().q[j]).collect();
    let there: Vec<f64> = home.iter().enumerate().map(|(k, q)| q + 0.01 * k as f64 - 0.02).collect();
    let begin: Vec<f64> = home.iter().map(|q| q + 0.01).collect();
    let wanted = || ramp(&begin, &there, 1.0);
    let mut law = DriveTorque::new(&robot, wanted(), vec![Gains::of(8.0, 1.0); 6]);
    let mut plant = Closed::new(&robot, robot.home(), &[0.0; 6]).unwrap();
    check(&mut plant, &mut law, &mut *wanted(), &[-0.01; 6], 8.0);
}

#[test]
fn integral_action_removes_what_a_wrong_model_leaves() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let model = heavier(&robot);
    let (from, to) = ([0.1, -0.8, 0.3, 0.2, 0.6, 0.0], [0.3, -0.6, 0.2, 0.3, 0.7, 0.2]);
    let left = |gains: Gains| {
        assert!(gains.is_stable());
        let mut law = ComputedTorque::tracking(&model, ramp(&from, &to, 1.0), vec![gains; 6]);
        let mut plant = Tree::new(&robot, &from, &[0.0; 6]);
        let last = follow(&mut plant, &mut law, 12.0, &exactly(1e-9, 12.0)).pop().unwrap();
        last.1.iter().zip(to).fold(0.0_f64, |most, (q, to)| most.max((q - to).abs()))
    };
    let (plain, integral) = (left(Gains::of(5.0, 1.0)), left(Gains::with_integral(5.0, 1.0, 2.0)));
    assert!(plain > 1e-3, "tracking alone stays off by {plain:.1e} rad");
    assert!(integral < 1e-6, "with integral action {integral:.1e} rad are left");
}

#[test]
fn gravity_in_advance_holds_and_pd_alone_sags() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let at = [0.1, -0.8, 0.3, 0.2, 0.6, 0.0];
    let gains = vec![Gains { proportional: 400.0, derivative: 80.0, integral: 0.0 }; 6];
    let off = |in_advance: InAdvance| {
        let mut law = JointPd::new(&robot, ramp(&at, &[0.1, -0.8, 0.3, 0.2, 0.6, 0.1], 1.0), gains.clone(), in_advance);
        let mut plant = Tree::new(&robot, &at, &[0.0; 6]);
        let last = follow(&mut plant, &mut law, 8.0, &exactly(1e-8, 8.0)).pop().unwrap();
        (last.1[1] - at[1]).abs()
    };
    assert!(off(InAdvance::Nothing) > 0.01, "the arm sags");
    assert!(off(InAdvance::Gravity) < 1e-6 && off(InAdvance::WantedMotion) < 1e-4, "{}", off(InAdvance::WantedMotion));
}

/// Efforts that are cut do not wind the integral up.
#[test]
fn a_limited_law_does_not_wind_up() {
    let robot = robots::find("puma560").unwrap().mechanism();
    let (from, to) = ([0.0, -0.8, 0.3, 0.2, 0.6, 0.0], [1.5, -0.8, 0.3, 0.2, 0.6, 0.0]);
    let overshoot = |limit: Option<f64>| {
        let law = ComputedTorque::to_point(&robot, &to, vec![Gains::with_integral(6.0, 1.0, 4.0); 6]);
        let mut law: Box<dyn Law> = match limit {
            Some(limit) => Box::new(Limited::new(Box::new(law), vec![limit, 200.0, 200.0, 50.0, 50.0, 50.0])),
            None => Box::new(law),
        };
        let mut plant = Tree::new(&robot, &from, &[0.0; 6]);
        let found = follow(&mut plant, &mut *law, 6.0, &exactly(1e-7, 0.02));
        let last = found.last().unwrap().1[0];
        assert!((last - 1.5).abs() < 0.02, "{limit:?}: {last}");
        found.iter().fold(0.0_f64, |most, (_, q, _)| most.max(q[0] - 1.5))
    };
    assert!(overshoot(Some(40.0)) < overshoot(None) + 0.3, "{} {}", overshoot(Some(40.0)), overshoot(None));
}

/// Leads a parallel robot that moves at first; how far it was from there at most, and at last.
fn platform_run(robot: &ClosedMechanism, way: Option<Vec3<f64>>) -> (f64, f64) {
    let (mut law, off) = led(robot, way, 1.0, Gains::of(8.0, 1.0));
    let mut plant = Closed::new(robot, robot.home(), &vec![0.02; robot.freedoms().len()]).unwrap();
    let mut seen = (0.0_f64, 0.0_f64);
    let outcome = run(&mut plant, &mut *law, 0.0, 3.0, &exactly(1e-9, 0.05), |sample| {
        let error = off(&sample.view);
        seen = (seen.0.max(error), error);
        ControlFlow::Continue(())
    });
    assert!(outcome.stop.is_none(), "{outcome:?}");
    seen
}

#[test]
fn parallel_robots_follow_in_both_spaces() {
    for (name, way) in [
        ("gough-stewart", Vec3::new(0.05, -0.04, 0.06)),
        ("delta", Vec3::new(0.05, 0.03, -0.04)),
        ("3-rps", Vec3::new(0.0, 0.0, 0.05)),
        ("orthoglide", Vec3::new(0.03, -0.02, 0.04)),
        ("palletizer", Vec3::new(-0.05, 0.04, -0.06)),
        ("tricept", Vec3::new(0.03, -0.04, 0.05)),
    ] {
        let robot = closed(name);
        for way in [Some(way), None] {
            let (most, last) = platform_run(&robot, way);
            assert!(most > 1e-3 && last < 1e-7, "{name}, {way:?}: {most:.1e}, {last:.1e}");
        }
    }
}

/// A pose to stay at.
struct Rest(Pose);

impl FrameReference for Rest {
    fn duration(&self) -> f64 {
        1.0
    }

    fn at(&mut self, _: f64) -> Result<FrameMotion, FollowError> {
        let zero = Vec3::default();
        let (twist, acceleration) =
            (Twist { linear: zero, angular: zero }, Acceleration { linear: zero, angular: zero });
        Ok(FrameMotion { pose: self.0, twist, acceleration })
    }
}

/// Where the drive is the independent velocity, the output's error is that of a twist which leaves it one way.
#[test]
fn a_coupler_comes_back_to_its_pose() {
    let robot = Robot::builtin("four-bar").unwrap().with_output("coupler").unwrap();
    let robot = robot.closed().unwrap();
    let mut law = PlatformTorque::new(robot, Box::new(Rest(robot.home().pose)), Gains::of(8.0, 1.0));
    let mut plant = Closed::new(robot, robot.home(), &[0.5]).unwrap();
    let (mut most, mut last) = (0.0_f64, 0.0);
    let outcome = run(&mut plant, &mut law, 0.0, 3.0, &exactly(1e-9, 0.05), |sample| {
        last = (sample.view.platform.unwrap().0.position - robot.home().pose.position).norm();
        most = most.max(last);
        ControlFlow::Continue(())
    });
    assert!(outcome.stop.is_none() && most > 1e-3 && last < 1e-6, "{outcome:?}: {most:.1e}, {last:.1e}");
}

/// Slotine's and Li's function falls along the motion, and the error becomes small though the model is wrong.
#[test]
fn what_is_learnt_makes_the_error_small() {
    let robot = robots::find("scara").unwrap().mechanism();
    let model = heavier(&heavier(&robot));
    let n = robot.dof();
    let fourier = || -> Box<dyn JointReference> {
        let terms = [(0.2, 0.1), (-0.15, 0.2), (0.02, 0.01), (0.3, -0.1)];
        let terms: Vec<Vec<[f64; 2]>> = terms.map(|(one, two)| vec![[one, two], [0.5 * two, -one]]).to_vec();
        Box::new(Fourier::new(&[0.2, 0.4, 0.05, 0.1], &terms, 0.25, 5.0).unwrap())
    };
    let (bandwidth, speed) = (4.0, 2.0);
    // A damper that is strong for its joint makes the motion stiff, and its simulation slow.
    let mut inertia = gibbs_appell_inertia::Workspace::new(&robot);
    let matrix = gibbs_appell_inertia::inertia_matrix(&robot, &mut inertia, &[0.2, 0.4, 0.05, 0.1]);
    let damping: Vec<f64> = (0..n).map(|j| 6.0 * matrix[j * n + j]).collect();
    let parameters = |robot: &Mechanism| regressor::parameters(robot)[..regressor::PARAMETERS_PER_BODY * n].to_vec();
    let truth: Vec<f64> = parameters(&robot).iter().zip(parameters(&model)).map(|(real, model)| real - model).collect();
    let speeds = |speed: f64| vec![speed; truth.len()];
    let run_with = |speed: f64| {
        let [mut q, v, _] = joints(&mut *fourier(), 0.0);
        q[0] += 0.05;
        let mut law = Adaptive::new(&model, fourier(), vec![bandwidth; n], damping.clone(), speeds(speed));
        let mut plant = Tree::new(&robot, &q, &v);
        let mut inertia = gibbs_appell_inertia::Workspace::new(&robot);
        let mut wanted = fourier();
        let (mut functions, mut late) = (Vec::new(), 0.0_f64);
        let options = exactly(1e-7, 0.05);
        let outcome = run(&mut plant, &mut law, 0.0, 16.0, &options, |sample| {
            let [q, v, _] = joints(&mut *wanted, sample.view.t);
            let s: Vec<f64> = (0..n).map(|j| sample.view.v[j] - v[j] + bandwidth * (sample.view.q[j] - q[j])).collect();
            let m = gibbs_appell_inertia::inertia_matrix(&robot, &mut inertia, sample.view.q);
            let kinetic: f64 = (0..n * n).map(|k| 0.5 * s[k / n] * m[k] * s[k % n]).sum();
            let wrong: f64 =
                sample.own.iter().zip(&truth).map(|(own, truth)| 0.5 * (own - truth).powi(2) / speed).sum();
            functions.push(kinetic + if speed > 0.0 { wrong } else { 0.0 });
            if sample.view.t > 12.0 {
                late = (0..n).map(|j| (sample.view.q[j] - q[j]).abs()).fold(late, f64::max);
            }
            ControlFlow::Continue(())
        });
        assert!(outcome.stop.is_none(), "{outcome:?}");
        (functions, late)
    };
    let (functions, learning) = run_with(speed);
    for pair in functions.windows(2) {
        assert!(pair[1] <= pair[0] + 1e-7 * functions[0], "{pair:?}");
    }
    let (_, fixed) = run_with(0.0);
    assert!(learning < 0.3 * fixed, "{learning:.1e} rad against {fixed:.1e}");
}
