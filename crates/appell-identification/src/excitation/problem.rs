//! From the coefficients of a motion to the criterion, to what is used of the limits, and back to derivatives.

use super::ExcitationError;
use super::columns::{Source, split_weights, write_rows};
use super::criterion::{Criterion, Spectral};
use super::form::Basis;
use super::limits::DriveLimits;
use super::observer::{self, Instant, Observer, Placer};
use appell::Robot;
use appell::closed::SingularError;
use appell::description::JointEffects;
use appell::dynamics::joint_effects;
use appell::dynamics::regressor::left_out;
use appell_simulation::trajectory::limits::Quantity;
use nalgebra::DMatrix;
use rayon::prelude::*;

/// From this part of a limit on, its use costs.
const COMFORTABLE: f64 = 0.95;

/// What is asked, of which robot.
pub(super) struct Problem<'r> {
    pub(super) robot: &'r Robot,
    pub(super) drives: Vec<usize>,
    pub(super) limits: Vec<DriveLimits>,
    pub(super) sources: Vec<Source>,
    /// What a row of each drive counts.
    pub(super) weights: Vec<f64>,
    pub(super) criterion: Criterion,
    parameters: Vec<f64>,
    passive: Vec<(usize, [f64; 2])>, // joints without a drive, with limits of position: middle and half
    left_out: Vec<(usize, JointEffects)>, // joints with springs and curves of friction, which the regressor has not
}

/// A motion, seen through its observation matrix.
pub(super) struct Evaluated {
    instants: Vec<Instant>,
    /// W: a row per drive and instant.
    pub(super) rows: DMatrix<f64>,
    efforts: Vec<f64>, // a number per drive, instant by instant
}

/// A joint's share in some numbers of the drives.
fn along(by_drives: &[f64], joint: usize, of_drives: &[f64]) -> f64 {
    let n = of_drives.len();
    by_drives[joint * n..(joint + 1) * n].iter().zip(of_drives).map(|(share, x)| share * x).sum()
}

/// What a motion uses of a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Peak {
    /// The joint's name.
    pub joint: String,
    /// Of what.
    pub quantity: Quantity,
    /// The value that comes nearest to the limit.
    pub value: f64,
    /// The limit, infinite where there is none.
    pub limit: f64,
    /// The part of it that is used, at most 1; of a position the way from the middle.
    pub part: f64,
}

impl<'r> Problem<'r> {
    pub(super) fn new(
        robot: &'r Robot,
        limits: Vec<DriveLimits>,
        sources: Vec<Source>,
        criterion: Criterion,
        weights: Vec<f64>,
    ) -> Self {
        let drives: Vec<usize> = robot.drives().iter().map(|drive| drive.index).collect();
        let tree = robot.tree();
        // Joints of open robots that no drive moves stand.
        let is_passive = |joint: &usize| robot.closed().is_some() && !drives.contains(joint);
        let passive = (0..tree.dof()).filter(is_passive).filter_map(|joint| {
            let range = tree.limits()[joint];
            let (middle, half) = (0.5 * (range.lower + range.upper), 0.5 * (range.upper - range.lower));
            (half.is_finite() && half > 0.0).then_some((joint, [middle, half]))
        });
        let left_out = tree.effects().iter().map(left_out).enumerate();
        let acts = |own: &JointEffects| own.spring.stiffness != 0.0 || own.friction.curve.is_some();
        Self {
            passive: passive.collect(),
            left_out: left_out.filter(|(_, own)| acts(own)).collect(),
            parameters: observer::parameters(robot),
            robot,
            drives,
            limits,
            sources,
            weights,
            criterion,
        }
    }

    /// The instants of a motion whose states are these, a row per instant, positions from the middles.
    pub(super) fn instants(&self, [q, v, a]: &[DMatrix<f64>; 3]) -> Result<Vec<Instant>, ExcitationError> {
        let mut placer = Placer::new(self.robot);
        let mut positions = vec![0.0; self.drives.len()];
        (0..q.nrows())
            .map(|k| {
                positions.iter_mut().zip(&self.limits).zip(q.row(k).iter()).for_each(|((p, l), q)| *p = l.middle() + q);
                let row = |matrix: &DMatrix<f64>| matrix.row(k).iter().copied().collect();
                Ok(Instant { at: placer.go(&positions)?.clone(), v: row(v), a: row(a) })
            })
            .collect()
    }

    /// The observation matrix and the efforts along instants.
    pub(super) fn evaluate(&self, instants: Vec<Instant>) -> Result<Evaluated, SingularError> {
        let (n, count) = (self.drives.len(), self.sources.len());
        let parts = instants.par_iter().map_init(
            || Observer::new(self.robot),
            |observer, instant| {
                let regressor = observer.regressor(instant)?;
                let mut rows = vec![0.0; n * count];
                write_rows(&self.sources, &self.drives, instant, regressor, &mut rows);
                rows.iter_mut().enumerate().for_each(|(k, entry)| *entry *= self.weights[k / count]);
                let effort = |row: &[f64]| row.iter().zip(&self.parameters).map(|(y, phi)| y * phi).sum::<f64>();
                let mut efforts: Vec<f64> = regressor.chunks_exact(self.parameters.len()).map(effort).collect();
                self.add_left_out(observer, instant, &mut efforts)?;
                Ok((rows, efforts))
            },
        );
        let parts: Vec<(Vec<f64>, Vec<f64>)> = parts.collect::<Result<_, SingularError>>()?;
        let rows = DMatrix::from_row_iterator(
            instants.len() * n,
            count,
            parts.iter().flat_map(|(rows, _)| rows.iter().copied()),
        );
        Ok(Evaluated { rows, efforts: parts.into_iter().flat_map(|(_, efforts)| efforts).collect(), instants })
    }

    /// What springs and curves of friction add to the efforts: each joint's, by the way it makes with each drive.
    fn add_left_out(
        &self,
        observer: &mut Observer<'_>,
        instant: &Instant,
        tau: &mut [f64],
    ) -> Result<(), SingularError> {
        if self.left_out.is_empty() {
            return Ok(());
        }
        let (by_drives, n) = (observer.joints_by_drives(&instant.at)?, tau.len());
        for (joint, own) in &self.left_out {
            let force = joint_effects::force(own, instant.at.q[*joint], along(&by_drives, *joint, &instant.v));
            tau.iter_mut().enumerate().for_each(|(k, tau)| *tau += force * by_drives[joint * n + k]);
        }
        Ok(())
    }

    /// The criterion, and what the use of efforts and of passive joints costs, times `price`; +∞ where unknowns are not told
    /// apart.
    pub(super) fn value(&self, evaluated: &Evaluated, sharpness: i32, price: f64) -> (f64, Option<Spectral>) {
        let Some(spectral) = Spectral::of(&evaluated.rows, self.criterion) else { return (f64::INFINITY, None) };
        let n = self.drives.len();
        let efforts = evaluated.efforts.iter().enumerate().map(|(k, tau)| tau / self.limits[k % n].effort);
        let passive = evaluated.instants.iter().flat_map(|instant| {
            self.passive.iter().map(|(joint, [middle, half])| (instant.at.q[*joint] - middle) / half)
        });
        let cost: f64 = efforts.chain(passive).map(|part| (part.abs() - COMFORTABLE).max(0.0).powi(2)).sum();
        let value = spectral.value(self.criterion, sharpness) + price * cost / evaluated.instants.len() as f64;
        (value, Some(spectral))
    }

    /// The derivatives of that by positions, velocities and accelerations of the drives, a row per instant.
    pub(super) fn slopes(
        &self,
        evaluated: &Evaluated,
        spectral: &Spectral,
        sharpness: i32,
        price: f64,
    ) -> Result<[DMatrix<f64>; 3], SingularError> {
        let (n, count, samples) = (self.drives.len(), self.sources.len(), evaluated.instants.len());
        let by_rows = spectral.slope(self.criterion, sharpness, &evaluated.rows);
        let beyond = |part: f64| 2.0 * price / samples as f64 * (part.abs() - COMFORTABLE).max(0.0) * part.signum();
        let parts = (0..samples).into_par_iter().map_init(
            || Observer::new(self.robot),
            |observer, sample| {
                let instant = &evaluated.instants[sample];
                let entry = |i: usize| by_rows[(sample * n + i / count, i % count)] * self.weights[i / count];
                let by_entries: Vec<f64> = (0..n * count).map(entry).collect();
                let mut weights = vec![0.0; n * self.parameters.len()];
                let mut gradient = split_weights(&self.sources, &self.drives, instant, &by_entries, &mut weights);
                let by_effort = |i: usize| {
                    beyond(evaluated.efforts[sample * n + i] / self.limits[i].effort) / self.limits[i].effort
                };
                for (i, row) in weights.chunks_exact_mut(self.parameters.len()).enumerate() {
                    row.iter_mut().zip(&self.parameters).for_each(|(weight, phi)| *weight += by_effort(i) * phi);
                }
                if !(self.passive.is_empty() && self.left_out.is_empty()) {
                    let by_drives = observer.joints_by_drives(&instant.at)?;
                    let mut add = |block: usize, joint: usize, by_joint: f64| {
                        (0..n).for_each(|k| gradient[block * n + k] += by_joint * by_drives[joint * n + k]);
                    };
                    for (joint, [middle, half]) in &self.passive {
                        add(0, *joint, beyond((instant.at.q[*joint] - middle) / half) / half);
                    }
                    // That the ways of a closed robot's joints change as well is left out: it is little, and only costs.
                    let by_efforts: Vec<f64> = (0..n).map(by_effort).collect();
                    for (joint, JointEffects { friction, spring, .. }) in &self.left_out {
                        let by_force = along(&by_drives, *joint, &by_efforts);
                        add(0, *joint, spring.stiffness * by_force);
                        let v = along(&by_drives, *joint, &instant.v);
                        let slope = friction.curve.map_or(0.0, |curve| curve.slope(v, friction.smoothing));
                        add(1, *joint, slope * by_force);
                    }
                }
                let of_bodies = observer.pull_back(instant, &weights)?;
                gradient.iter_mut().zip(of_bodies).for_each(|(gradient, more)| *gradient += more);
                Ok(gradient)
            },
        );
        let parts: Vec<Vec<f64>> = parts.collect::<Result<_, SingularError>>()?;
        Ok(core::array::from_fn(|block| DMatrix::from_fn(samples, n, |sample, k| parts[sample][block * n + k])))
    }

    /// What is used of all limits along a motion: position, velocity, acceleration and effort of each drive, then the
    /// positions of passive joints that have limits. Without a limit the largest is reported all the same.
    pub(super) fn peaks(&self, states: &[DMatrix<f64>; 3], evaluated: &Evaluated) -> Vec<Peak> {
        let n = self.drives.len();
        let position = |joint: usize, middle: f64, half: f64, q: &dyn Fn(usize) -> f64| {
            let farthest = (0..evaluated.instants.len()).map(q);
            let q = farthest.max_by(|one, other| (one - middle).abs().total_cmp(&(other - middle).abs()));
            let q = q.unwrap_or(middle);
            let limit = if q > middle { middle + half } else { middle - half };
            let (quantity, part) = (Quantity::Position, (q - middle).abs() / half);
            Peak { joint: self.name(joint), quantity, value: q, limit, part }
        };
        let mut peaks = Vec::with_capacity(4 * n + self.passive.len());
        for (k, (limits, &joint)) in self.limits.iter().zip(&self.drives).enumerate() {
            let q = |sample: usize| limits.middle() + states[0][(sample, k)];
            peaks.push(position(joint, limits.middle(), limits.half(), &q));
            let mut efforts = evaluated.efforts.iter().skip(k).step_by(n);
            peaks.push(self.peak(joint, Quantity::Velocity, limits.velocity, &mut states[1].column(k).iter()));
            peaks.push(self.peak(joint, Quantity::Acceleration, limits.acceleration, &mut states[2].column(k).iter()));
            peaks.push(self.peak(joint, Quantity::Effort, limits.effort, &mut efforts));
        }
        let passive = self.passive.iter().map(|&(joint, [middle, half])| {
            position(joint, middle, half, &|sample| evaluated.instants[sample].at.q[joint])
        });
        peaks.extend(passive);
        peaks
    }

    /// The limit of effort that is used most at the first instant.
    pub(super) fn most_used_effort(&self, evaluated: &Evaluated) -> Peak {
        let of_drive = |(k, &joint): (usize, &usize)| {
            self.peak(joint, Quantity::Effort, self.limits[k].effort, &mut evaluated.efforts[k..=k].iter())
        };
        let all = self.drives.iter().enumerate().map(of_drive);
        all.max_by(|one, other| one.part.total_cmp(&other.part)).expect("a robot has a drive")
    }

    /// The largest of some rates or efforts.
    fn peak(&self, joint: usize, quantity: Quantity, limit: f64, values: &mut dyn Iterator<Item = &f64>) -> Peak {
        let value = values.copied().max_by(|one, other| one.abs().total_cmp(&other.abs())).unwrap_or(0.0);
        Peak { joint: self.name(joint), quantity, value, limit, part: value.abs() / limit }
    }

    fn name(&self, joint: usize) -> String {
        self.robot.tree().joint_names()[joint].clone()
    }

    /// The whole way from coefficients, a column per joint.
    pub(super) fn of_coefficients(
        &self,
        basis: &Basis,
        coefficients: &DMatrix<f64>,
    ) -> Result<([DMatrix<f64>; 3], Evaluated), ExcitationError> {
        let states = basis.states(coefficients);
        let evaluated = self.evaluate(self.instants(&states)?)?;
        Ok((states, evaluated))
    }
}
