//! A recording at some instants, read as declared or in another way, and the residual of the robot's file there.

use super::fit::{JointFit, left};
use super::reading::{Part, Reading};
use crate::data::Layout;
use crate::observation::{Samples, observe};
use crate::parameters::{Effect, Model};
use crate::thresholds::{ROUGH_FILE, UNKNOWN_ROTOR};
use crate::unknowns::{Asked, Unknowns};
use appell::description::JointKind;
use appell::{Joint, Robot};
use appell_batch::Motions;
use nalgebra::DVector;

/// Instants that are looked at.
pub(super) const INSTANTS: usize = 300;

/// A rotor of as many times the bodies' inertia is as good as any.
const ANY_ROTOR: f64 = 1e12;

/// The speed over which friction changes its sign, over the root of the mean square of the speed.
const SMOOTHING: f64 = 0.05;

/// Efforts that change by no more than this part of their size show nothing.
const STILL: f64 = 1e-9;

/// A motion at some instants.
#[derive(Clone)]
pub(super) struct SampledMotion<'s> {
    robot: &'s Robot,
    drives: Vec<Joint<'s>>,
    offsets: Vec<f64>,
    most: f64, // how many times the bodies' inertia a rotor may have that the file does not know
    count: usize,
    signals: [Vec<f64>; 4], // q, v, a and efforts, joint by joint
}

impl<'s> SampledMotion<'s> {
    /// Of positions, velocities, accelerations and efforts, joint by joint.
    pub(super) fn new(robot: &'s Robot, layout: &Layout, signals: [Vec<f64>; 4]) -> Self {
        let drives = robot.drives();
        Self {
            offsets: (0..drives.len()).map(|k| layout.offset.get(k).copied().unwrap_or(0.0)).collect(),
            most: UNKNOWN_ROTOR,
            count: signals[0].len() / drives.len(),
            signals,
            drives,
            robot,
        }
    }

    /// The same with rotors of any size: what is explained otherwise, where the file forgets one behind a high gear.
    pub(super) fn with_any_rotor(&self) -> Self {
        Self { most: ANY_ROTOR, ..self.clone() }
    }

    /// The same with all joints, or one alone, read in another way.
    pub(super) fn read(&self, reading: Reading, alone: Option<usize>) -> Self {
        let mut other = self.clone();
        for (k, drive) in self.drives.iter().enumerate().filter(|(k, _)| alone.is_none_or(|own| own == *k)) {
            let (unit, second) = (reading.of_position(drive.kind), reading.time);
            let factors = [unit, unit / second, unit / (second * second), reading.effort];
            let zeros = [self.offsets[k], 0.0, 0.0, 0.0];
            for ((signal, factor), zero) in other.signals.iter_mut().zip(factors).zip(zeros) {
                let own = &mut signal[k * self.count..(k + 1) * self.count];
                own.iter_mut().for_each(|x| *x = zero + factor * (*x - zero));
            }
        }
        other
    }

    /// The same with columns of two joints exchanged.
    pub(super) fn exchanged(&self, parts: &[Part], i: usize, k: usize) -> Self {
        let mut other = self.clone();
        let [q, v, a, effort] = &mut other.signals;
        for part in parts {
            let signals: &mut [&mut Vec<f64>] = if *part == Part::Effort { &mut [effort] } else { &mut [q, v, a] };
            for signal in signals {
                (0..self.count).for_each(|at| signal.swap(i * self.count + at, k * self.count + at));
            }
        }
        other
    }

    /// Whether no measured joint of a tree is carried by a measured one.
    pub(super) fn is_last(&self, k: usize) -> bool {
        let joint = self.drives[k].index;
        let is_carried = |drive: &Joint<'_>| {
            drive.index != joint && self.robot.tree().path_to_base(drive.index).any(|below| below == joint)
        };
        self.robot.closed().is_none() && !self.drives.iter().any(is_carried)
    }

    /// Whether a joint turns.
    pub(super) fn turns(&self, k: usize) -> bool {
        self.drives[k].kind == JointKind::Revolute
    }

    /// Root of the mean square of each joint's efforts.
    pub(super) fn sizes(&self) -> Vec<f64> {
        self.signals[3].chunks_exact(self.count).map(size).collect()
    }

    /// What the motion needs by the robot's file, joint by joint; none where the robot cannot move so.
    pub(super) fn needs(&self) -> Option<Vec<Need>> {
        let asked = Asked { effects: Vec::new(), ..Asked::default() };
        let of_file = Unknowns::new(self.robot, None, &asked).ok()?.all;
        let [_, v, a, _] = &self.signals;
        let (bodies, whole) = (self.predicted(&self.bodies(), v, a)?, self.predicted(&of_file, v, a)?);
        let need = |(drive, (bodies, whole)): (&Joint<'_>, (&Vec<f64>, &Vec<f64>))| {
            let friction = self.robot.tree().effects()[drive.index].friction;
            let has_friction = friction.viscous > 0.0 || friction.coulomb > 0.0 || friction.curve.is_some();
            Need { bodies: size(bodies), whole: size(whole), has_friction }
        };
        Some(self.drives.iter().zip(bodies.iter().zip(&whole)).map(need).collect())
    }

    /// Bodies and rotors.
    fn bodies(&self) -> Model {
        Model::bodies(self.robot).with_effects(&[Effect::Rotor])
    }

    /// What the parameters of the file need, joint by joint.
    fn predicted(&self, model: &Model, v: &[f64], a: &[f64]) -> Option<Vec<Vec<f64>>> {
        let (n, joints, q) = (self.count, self.drives.len(), &self.signals[0]);
        let samples = Samples { count: n, motion: Motions::Joints { q, v, a }, effort: &vec![0.0; q.len()] };
        // From sample by sample to joint by joint.
        let efforts = observe(self.robot, model, &samples).ok()?.predicted(&model.values(self.robot).into());
        Some((0..joints).map(|k| efforts.iter().skip(k).step_by(joints).copied().collect()).collect())
    }

    /// The residual of each joint, as a part of how its torques change; none of a joint whose torques do not change, infinite where the
    /// robot cannot be so.
    pub(super) fn residuals(&self) -> Vec<Option<f64>> {
        self.fits().map_or_else(|| vec![Some(f64::INFINITY); self.drives.len()], |fits| left(&fits, 1.0, ROUGH_FILE))
    }

    /// The fits of all joints; none where the robot cannot be so.
    pub(super) fn fits(&self) -> Option<Vec<Option<JointFit>>> {
        let (n, [q, v, a, effort]) = (self.count, &self.signals);
        let (model, still) = (self.bodies(), vec![0.0; q.len()]);
        let (whole, gravity) = (self.predicted(&model, v, a)?, self.predicted(&model, &still, &still)?);
        let of_joint = |k: usize| {
            let part = |signal: &[f64]| centred(&signal[k * n..(k + 1) * n]);
            let efforts = part(effort);
            let level = effort[k * n..(k + 1) * n].iter().map(|x| x.abs()).fold(0.0, f64::max);
            if efforts.norm() <= STILL * level * (n as f64).sqrt() {
                return None;
            }
            let (g, rates, speeds) = (centred(&gravity[k]), part(a), &v[k * n..(k + 1) * n]);
            let d = centred(&whole[k]) - &g;
            let width = SMOOTHING * size(speeds);
            let signs: Vec<f64> = speeds.iter().map(|v| v / v.hypot(width).max(f64::MIN_POSITIVE)).collect();
            let rotor = self.most * d.norm() / rates.norm().max(f64::MIN_POSITIVE);
            Some(JointFit::new(&[g, d, rates, part(v), centred(&signs)], &efforts, rotor))
        };
        Some((0..self.drives.len()).map(of_joint).collect())
    }
}

/// What a joint needs by the robot's file: root of the mean square, N m or N.
#[derive(Clone, Copy)]
pub(super) struct Need {
    /// For bodies and rotor.
    pub(super) bodies: f64,
    /// With all that the file knows.
    pub(super) whole: f64,
    /// Whether that is friction, too.
    pub(super) has_friction: bool,
}

/// Root of the mean square.
fn size(signal: impl AsRef<[f64]>) -> f64 {
    let signal = signal.as_ref();
    (signal.iter().map(|x| x * x).sum::<f64>() / signal.len().max(1) as f64).sqrt()
}

/// A signal without its mean.
fn centred(signal: &[f64]) -> DVector<f64> {
    let signal = DVector::from_column_slice(signal);
    signal.add_scalar(-signal.mean())
}
