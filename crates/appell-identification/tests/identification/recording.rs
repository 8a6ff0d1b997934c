//! Recordings that a known robot would make: random Fourier motions, quantised encoders, noisy currents.

use appell::description::{Friction, JointEffects, JointKind, Rotor};
use appell::mechanism::Mechanism;
use appell::sample::Sampler;
use appell::{Joint, Robot};
use appell_batch::Motions;
use appell_identification::base_parameters::{BaseParameters, structural};
use appell_identification::observation::{Observation, Samples, observe};
use appell_identification::parameters::{Effect, Model};
use appell_identification::signals::{Decimation, LowPass, first_derivative, second_derivative};
use appell_simulation::trajectory::{ClosedMotion, Fourier, RobotMotion, TreeMotion};
use core::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Velocity over which Coulomb friction changes its sign, rad/s or m/s.
pub(crate) const SMOOTHING: f64 = 0.02;
const HARMONICS: usize = 5;
const COUNTS_A_TURN: f64 = 131_072.0;
const COUNTS_A_METRE: f64 = 1e6;

/// A folder of `shared/data` beside the repository, or above the folder of its worktrees; none, and said so, where there is none.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found =
        repository.ancestors().map(|folder| folder.join("shared/data").join(name)).find(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: there is no ../shared/data/{name}");
    }
    found
}

/// A built-in robot with friction and rotors in its driven joints.
pub(crate) fn machine(name: &str) -> Robot {
    with_drives(&Robot::builtin(name).unwrap())
}

/// A robot with friction and rotors in its driven joints.
pub(crate) fn with_drives(robot: &Robot) -> Robot {
    let drives: Vec<&str> = robot.drives().iter().map(|drive| drive.name).collect();
    let with = |tree: &Mechanism| {
        // Of the size of what the bodies need.
        let size = if tree.mass() > 5.0 { 1.0 } else { 0.02 };
        tree.with_effects(|joint, _| match drives.iter().position(|name| *name == joint) {
            None => JointEffects::default(),
            Some(k) => JointEffects {
                friction: Friction {
                    viscous: size * (1.0 + 0.3 * k as f64),
                    coulomb: size * (2.0 - 0.2 * k as f64),
                    smoothing: SMOOTHING,
                    offset: size * (0.3 - 0.1 * k as f64),
                    curve: None,
                },
                rotor: Rotor { inertia: size * 2e-5 * (1.0 + k as f64), gear: 100.0 },
                ..JointEffects::default()
            },
        })
    };
    match robot.closed() {
        None => with(robot.tree()).into(),
        Some(closed) => closed.with_tree(with).into(),
    }
}

/// All parameters of the bodies, friction and rotors.
pub(crate) fn whole_model(robot: &Robot) -> Model {
    let effects = [Effect::Viscous, Effect::Coulomb { smoothing: SMOOTHING }, Effect::Offset, Effect::Rotor];
    Model::bodies(robot).with_effects(&effects)
}

/// A robot with all of its parameters, and those that can be identified.
pub(crate) fn case(name: &str) -> (Robot, Model, BaseParameters) {
    let machine = machine(name);
    let model = whole_model(&machine);
    let base = structural(&machine, &model).unwrap();
    (machine, model, base)
}

/// What is recorded, and how.
#[derive(Clone, Copy)]
pub(crate) struct Recording {
    pub(crate) seed: u64,
    /// Hz.
    pub(crate) rate: f64,
    /// s.
    pub(crate) duration: f64,
    /// Of the motion, rad; slides move by the robot's length times it.
    pub(crate) amplitude: f64,
    /// Whether encoders quantise: 17 bits a turn, a micrometre.
    pub(crate) quantised: bool,
    /// Standard deviation of the efforts' noise, over the root of their mean square, joint by joint.
    pub(crate) noise: f64,
}

/// Ten seconds of a motion that excites, without encoders.
pub(crate) fn exciting(robot: &Robot, seed: u64, noise: f64) -> Recording {
    let amplitude = if robot.closed().is_none() { 1.0 } else { 0.12 };
    Recording { seed, rate: 40.0, duration: 10.0, amplitude, quantised: false, noise }
}

/// Positions, velocities, accelerations and efforts in structures of arrays.
pub(crate) struct Recorded {
    pub(crate) count: usize,
    pub(crate) q: Vec<Vec<f64>>,
    pub(crate) v: Vec<Vec<f64>>,
    pub(crate) a: Vec<Vec<f64>>,
    pub(crate) tau: Vec<Vec<f64>>,
}

/// A random motion of the drives about home.
fn motion(robot: &Robot, recording: &Recording, sampler: &mut Sampler) -> Fourier {
    let drives = robot.drives();
    let (home, length): (Vec<f64>, f64) = match robot.closed() {
        None => (drives.iter().map(|_| sampler.within(1.0)).collect(), 1.0),
        Some(closed) => (drives.iter().map(|drive| closed.home().q[drive.index]).collect(), closed.length()),
    };
    let term = |drive: &Joint<'_>| {
        let size = recording.amplitude * if drive.kind == JointKind::Prismatic { length } else { 1.0 };
        (0..HARMONICS).map(|k| [0, 1].map(|_| sampler.within(size / (1.0 + k as f64)))).collect()
    };
    let terms: Vec<Vec<[f64; 2]>> = drives.iter().map(term).collect();
    let frequency = 2.0 / recording.duration;
    Fourier::new(&home, &terms, frequency, 2.0).unwrap()
}

/// What an ideal recorder would write, with encoders and noise as asked for; velocities and accelerations are exact.
pub(crate) fn record(robot: &Robot, recording: &Recording) -> Recorded {
    record_at(robot, recording, |i| (i as f64 + 0.5) / recording.rate)
}

/// The same at instants of one's own, s.
pub(crate) fn record_at(robot: &Robot, recording: &Recording, time: impl Fn(usize) -> f64) -> Recorded {
    let mut sampler = Sampler::new(recording.seed);
    let path = Box::new(motion(robot, recording, &mut sampler));
    let drives = robot.drives();
    let count = (recording.duration * recording.rate) as usize;
    let mut parts: [Vec<Vec<f64>>; 4] = core::array::from_fn(|_| vec![Vec::with_capacity(count); drives.len()]);
    let mut follow = |motion: &mut dyn RobotMotion| {
        for i in 0..count {
            let state = motion.at(time(i)).unwrap();
            for (k, &Joint { index: joint, .. }) in drives.iter().enumerate() {
                let numbers = [state.q[joint], state.v[joint], state.a[joint], state.tau[joint]];
                parts.iter_mut().zip(numbers).for_each(|(part, x)| part[k].push(x));
            }
        }
    };
    match robot.closed() {
        None => follow(&mut TreeMotion::new(robot.tree(), path, true)),
        Some(closed) => follow(&mut ClosedMotion::of_drives(closed, path, true)),
    }
    let [mut q, v, a, mut tau] = parts;
    if recording.quantised {
        for (q, drive) in q.iter_mut().zip(&drives) {
            let counts = match drive.kind {
                JointKind::Revolute => COUNTS_A_TURN / TAU,
                JointKind::Prismatic => COUNTS_A_METRE,
            };
            q.iter_mut().for_each(|q| *q = (*q * counts).round() / counts);
        }
    }
    for joint in &mut tau {
        let size = (joint.iter().map(|x| x * x).sum::<f64>() / count as f64).sqrt();
        joint.iter_mut().for_each(|x| *x += recording.noise * size * normal(&mut sampler));
    }
    Recorded { count, q, v, a, tau }
}

/// Exact equations of a motion that excites.
pub(crate) fn excited(robot: &Robot, model: &Model, seed: u64, noise: f64) -> Observation {
    record(robot, &exciting(robot, seed, noise)).exact(robot, model)
}

/// A number of the normal distribution (Box and Muller).
pub(crate) fn normal(sampler: &mut Sampler) -> f64 {
    let mut unit = || 0.5 * (1.0 + sampler.within(1.0));
    let (radius, angle) = (unit().max(f64::MIN_POSITIVE), unit());
    (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
}

impl Recorded {
    /// Equations with the exact motion.
    pub(crate) fn exact(&self, robot: &Robot, model: &Model) -> Observation {
        let [q, v, a] = [&self.q, &self.v, &self.a].map(|part| part.concat());
        let motion = Motions::Joints { q: &q, v: &v, a: &a };
        observe(robot, model, &Samples { count: self.count, motion, effort: &self.tau.concat() }).unwrap()
    }

    /// Equations as from a real recorder: positions low-passed and differentiated, all columns and efforts low-passed and
    /// thinned together.
    pub(crate) fn processed(
        &self,
        robot: &Robot,
        model: &Model,
        rate: f64,
        cut_off: f64,
        factor: usize,
    ) -> Observation {
        let low_pass = LowPass::new(4, cut_off, rate).unwrap();
        let q: Vec<Vec<f64>> = self.q.iter().map(|q| low_pass.zero_phase(q).unwrap()).collect();
        let v: Vec<f64> = q.iter().flat_map(|q| first_derivative(q, 1.0 / rate).unwrap()).collect();
        let a: Vec<f64> = q.iter().flat_map(|q| second_derivative(q, 1.0 / rate).unwrap()).collect();
        let q = q.concat();
        let motion = Motions::Joints { q: &q, v: &v, a: &a };
        let samples = Samples { count: self.count, motion, effort: &self.tau.concat() };
        let decimation = Decimation::new(factor, rate).unwrap();
        let border = decimation.border().max(low_pass.settling());
        let equations = observe(robot, model, &samples).unwrap();
        equations.decimated(&decimation.with_border(border)).unwrap()
    }
}
