//! The residual of the robot's file in a reading of measured torques.

use super::fit::{JointFit, left};
use super::reading::{Part, Reading, kinds};
use crate::data::{JointMotion, Layout};
use crate::observation::{Samples, observe};
use crate::parameters::Model;
use crate::thresholds::{ROUGH_FILE, UNKNOWN_ROTOR};
use appell::description::JointKind;
use appell::{Joint, Robot};
use appell_batch::Motions;
use nalgebra::DVector;

/// Instants that are looked at.
const INSTANTS: usize = 300;

/// A rotor of as many times the bodies' inertia is as good as any.
const ANY_ROTOR: f64 = 1e12;

/// The speed over which friction changes its sign, over the root of the mean square of the speed.
const SMOOTHING: f64 = 0.05;

/// Efforts that change by no more than this part of their size show nothing.
const STILL: f64 = 1e-9;

/// A motion at some instants.
#[derive(Clone)]
pub(super) struct CandidateFit<'s> {
    robot: &'s Robot,
    model: Model,
    prior: DVector<f64>,
    offsets: Vec<f64>,
    rotors: Vec<f64>, // of the file, seen from the joints
    most: f64,        // how many times the bodies' inertia a rotor may have
    count: usize,
    q: Vec<f64>, // joint by joint, as all that follow
    v: Vec<f64>,
    a: Vec<f64>,
    effort: Vec<f64>,
}

impl<'s> CandidateFit<'s> {
    pub(super) fn new(robot: &'s Robot, layout: &Layout, motion: &JointMotion) -> Self {
        let joints = robot.drives().len();
        let border = motion.decimation.border();
        let inside = motion.count.saturating_sub(2 * border).max(1);
        let count = inside.min(INSTANTS);
        let instant = |i: usize| border + i * inside / count;
        let chosen = |signal: &[f64]| -> Vec<f64> {
            (0..joints)
                .flat_map(|k| (0..count).map(move |i| k * motion.count + instant(i)))
                .map(|i| signal[i])
                .collect()
        };
        let model = Model::bodies(robot);
        let rotor = |drive: &Joint<'_>| {
            let rotor = robot.tree().effects()[drive.index].rotor;
            rotor.inertia * rotor.gear.powi(2)
        };
        let offset = |k: usize| layout.offset.get(k).copied().unwrap_or(0.0);
        Self {
            prior: model.values(robot).into(),
            model,
            offsets: (0..joints).map(offset).collect(),
            rotors: robot.drives().iter().map(rotor).collect(),
            most: UNKNOWN_ROTOR,
            count,
            q: chosen(&motion.q),
            v: chosen(&motion.v),
            a: chosen(&motion.a),
            effort: chosen(&motion.effort),
            robot,
        }
    }

    /// The same with rotors of any size: what is explained otherwise, where the file forgets one behind a high gear.
    pub(super) fn with_any_rotor(&self) -> Self {
        Self { most: ANY_ROTOR, ..self.clone() }
    }

    /// The same with columns of two joints exchanged.
    pub(super) fn exchanged(&self, parts: &[Part], i: usize, k: usize) -> Self {
        let mut other = self.clone();
        for part in parts {
            let signals: &mut [&mut Vec<f64>] = match part {
                Part::Effort => &mut [&mut other.effort],
                Part::Position | Part::Time => &mut [&mut other.q, &mut other.v, &mut other.a],
            };
            for signal in signals {
                (0..self.count).for_each(|at| signal.swap(i * self.count + at, k * self.count + at));
            }
        }
        other
    }

    /// Whether the robot has loops.
    pub(super) fn is_closed(&self) -> bool {
        self.robot.closed().is_some()
    }

    /// Whether no joint of a tree follows a measured one.
    pub(super) fn is_last(&self, k: usize) -> bool {
        let joint = self.robot.drives()[k].index;
        !self.is_closed() && self.robot.tree().links().iter().all(|link| link.parent != Some(joint))
    }

    /// Whether a joint turns.
    pub(super) fn turns(&self, k: usize) -> bool {
        self.robot.drives()[k].kind == JointKind::Revolute
    }

    /// Whether two joints turn both, or slide both.
    pub(super) fn are_alike(&self, i: usize, k: usize) -> bool {
        self.turns(i) == self.turns(k)
    }

    /// Root of the mean square of each joint's efforts.
    pub(super) fn sizes(&self) -> Vec<f64> {
        self.effort.chunks_exact(self.count).map(size).collect()
    }

    /// What the motion needs by the robot's file, joint by joint; none where the robot cannot move so.
    pub(super) fn needs(&self) -> Option<Vec<Need>> {
        let n = self.count;
        let bodies = self.predicted(&self.q, &self.v, &self.a)?;
        let need = |(k, drive): (usize, Joint<'_>)| {
            let friction = self.robot.tree().effects()[drive.index].friction;
            let (v, a) = (&self.v[k * n..(k + 1) * n], &self.a[k * n..(k + 1) * n]);
            let own: Vec<f64> = bodies[k].iter().zip(a).map(|(bodies, a)| bodies + self.rotors[k] * a).collect();
            let resists = |v: f64| {
                let sign = v / v.hypot(friction.smoothing).max(f64::MIN_POSITIVE);
                friction.viscous * v + friction.coulomb * sign + friction.offset
            };
            let whole: Vec<f64> = own.iter().zip(v).map(|(own, v)| own + resists(*v)).collect();
            let has_friction = friction.viscous > 0.0 || friction.coulomb > 0.0;
            Need { bodies: size(&own), whole: size(&whole), has_friction }
        };
        Some(self.robot.drives().into_iter().enumerate().map(need).collect())
    }

    /// What bodies need, joint by joint.
    fn predicted(&self, q: &[f64], v: &[f64], a: &[f64]) -> Option<Vec<Vec<f64>>> {
        let (n, joints) = (self.count, self.offsets.len());
        let samples = Samples { count: n, motion: Motions::Joints { q, v, a }, effort: &vec![0.0; q.len()] };
        let equations = observe(self.robot, &self.model, &samples).ok()?;
        // From sample by sample to joint by joint.
        let efforts = equations.predicted(&self.prior);
        Some((0..joints).map(|k| (0..n).map(|i| efforts[i * joints + k]).collect()).collect())
    }

    /// The residual of each joint, as a part of how its torques change, where all joints or one alone are read so; none of a joint
    /// whose torques do not change, infinite where the robot cannot be as read.
    pub(super) fn residuals(&self, reading: Reading, alone: Option<usize>) -> Vec<Option<f64>> {
        self.left(self.fits(reading, alone).as_deref())
    }

    /// The residuals of fits, within what a file may be wrong.
    pub(super) fn left(&self, fits: Option<&[Option<JointFit>]>) -> Vec<Option<f64>> {
        fits.map_or_else(|| vec![Some(f64::INFINITY); self.offsets.len()], |fits| left(fits, 1.0, ROUGH_FILE))
    }

    /// The fits of all joints, or of one alone, as read; none where the robot cannot be so.
    pub(super) fn fits(&self, reading: Reading, alone: Option<usize>) -> Option<Vec<Option<JointFit>>> {
        let n = self.count;
        let kinds = kinds(self.robot);
        let scaled = |signal: &[f64], by: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
            signal.iter().enumerate().map(|(i, &x)| by(i / n, x)).collect()
        };
        let is_read = |k: usize| alone.is_none_or(|joint| joint == k);
        let unit = |k: usize| if is_read(k) { reading.of_position(kinds[k]) } else { 1.0 };
        let second = reading.of_time();
        let q = scaled(&self.q, &|k, q| self.offsets[k] + unit(k) * (q - self.offsets[k]));
        let v = scaled(&self.v, &|k, v| unit(k) * v / second);
        let a = scaled(&self.a, &|k, a| unit(k) * a / (second * second));
        let still = vec![0.0; q.len()];
        let (whole, gravity) = (self.predicted(&q, &v, &a)?, self.predicted(&q, &still, &still)?);
        let of_joint = |k: usize| {
            let part = |signal: &[f64]| centred(&signal[k * n..(k + 1) * n]);
            let efforts = part(&self.effort) * if is_read(k) { reading.of_effort() } else { 1.0 };
            let level = self.effort[k * n..(k + 1) * n].iter().map(|x| x.abs()).fold(0.0, f64::max);
            if efforts.norm() <= STILL * level * (n as f64).sqrt() {
                return None;
            }
            let (g, whole) = (centred(&gravity[k]), centred(&whole[k]));
            let (rates, speeds) = (part(&a), &v[k * n..(k + 1) * n]);
            let d = whole - &g + &rates * self.rotors[k];
            let width = SMOOTHING * size(speeds);
            let signs: Vec<f64> = speeds.iter().map(|v| v / v.hypot(width).max(f64::MIN_POSITIVE)).collect();
            let rotor = self.most * d.norm() / rates.norm().max(f64::MIN_POSITIVE);
            Some(JointFit::new(&[g, d, rates, part(&v), centred(&signs)], &efforts, rotor))
        };
        Some((0..kinds.len()).map(of_joint).collect())
    }
}

/// What a joint needs by the robot's file: root of the mean square, N m or N.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    /// For bodies and rotor.
    pub(super) bodies: f64,
    /// With its friction.
    pub(super) whole: f64,
    /// Whether the file knows some.
    pub(super) has_friction: bool,
}

/// Root of the mean square.
fn size(signal: &[f64]) -> f64 {
    (signal.iter().map(|x| x * x).sum::<f64>() / signal.len().max(1) as f64).sqrt()
}

/// A signal without its mean.
fn centred(signal: &[f64]) -> DVector<f64> {
    let mean = signal.iter().sum::<f64>() / signal.len() as f64;
    DVector::from_iterator(signal.len(), signal.iter().map(|x| x - mean))
}
