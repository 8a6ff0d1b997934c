//! What moves of a parallel robot: its platform. The legs follow it in closed form, so that loops cannot drift apart.
//!
//! The state is the pose of the platform, position and quaternion, and the independent velocities r, components of its twist.
//!
//! ```text
//! ṙ = M⁻¹ (J_invᵀ τ − w)        ṗ = v        Q̇ = ½ (ω, 0) Q, Q brought to length 1 after every step
//! q̇_drives = J_inv r           q̈_drives = J_inv ṙ + (J_inv)˙ r
//! ```
//!
//! Components of the twist that are not among r are zero where platforms are planar, translate or turn about a point: the pose
//! then stays one of the robot's, whatever the steps. Where they are not, as of a 3-RPS, they follow by u = Z r, and after every step
//! one step of Newton's brings the pose back to the robot's by what depends on r: it is off by the scheme's error of one
//! step, and then by that squared.

use super::Refused;
use super::plant::{self, Varied};
use crate::closed::dynamics::Dynamics;
use crate::closed::masses::{Exchange, Masses};
use crate::closed::{formulations, rotation};
use crate::expr::{Expr, Recorder};
use crate::kernel::record;
use crate::parameter::Parameter;
use appell::closed::assembly::{InClosedForm, gaps, joints_in_closed_form};
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::JointKind;
use appell::linear::Cholesky;
use appell::question::closed::bare;
use appell::real::Real;
use appell::sample::Sampler;
use appell::spatial::{Pose, Vec3};

/// How large a component of the twist may be that counts as zero, over the velocities that it comes of.
const ROUNDING: f64 = 1e-9;

/// How far a pose is moved to see whether it comes back, over the robot's length.
const OFF: f64 = 1e-4;

/// A robot of legs with closed forms and a platform, and how its dynamics is recorded.
pub(super) struct Platform<'r> {
    robot: &'r ClosedMechanism,
    own: ClosedMechanism, // without the friction of `varied`
    varied: &'r [Varied],
    formulation: Formulation,
    exchange: Exchange,
    dependent: Vec<usize>, // components of the twist that the independent velocities move along, from 0
}

/// A recorded state: all joints, and the drives by themselves.
pub(super) struct Legs<'g> {
    at: Configuration<Expr<'g>>,
    r: Vec<Expr<'g>>,
    pub(super) q: Vec<Expr<'g>>,
    pub(super) v: Vec<Expr<'g>>,
}

impl<'r> Platform<'r> {
    /// By the formulation and regrouping that take the fewest operations.
    pub(super) fn new(robot: &'r ClosedMechanism, varied: &'r [Varied]) -> Result<Self, Refused> {
        let dependent = dependent(robot)?;
        let own = robot.with_tree(|tree| plant::without_varied(tree, varied));
        let mut best: Option<(u64, Self)> = None;
        for formulation in formulations(robot) {
            for exchange in Exchange::ALL {
                let dependent = dependent.clone();
                let one = Self { robot, own: own.clone(), varied, formulation, exchange, dependent };
                let cost = one.cost()?;
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, one));
                }
            }
        }
        let (_, best) = best.expect("a robot with legs has a formulation");
        if best.comes_back()? {
            return Ok(best);
        }
        refused(robot, "its pose does not follow from its independent velocities by Newton's steps; simulate it")
    }

    /// Operations of ṙ from pose, r and torques.
    fn cost(&self) -> Result<u64, Refused> {
        let recorder = Recorder::default();
        let (pose, r) = self.sample();
        let (many, drives) = (pose.len() + r.len(), self.robot.driven().len());
        let numbers = record(&recorder, &[pose, r, vec![1.0; drives + self.varied.len()]].concat());
        let (state, rest) = numbers.split_at(many);
        let (tau, own) = rest.split_at(drives);
        let legs = self.legs(&state[..7], &state[7..])?;
        let count = recorder.program(&self.accelerations(&legs, tau, own)?).count();
        Ok(count.multiplications + count.additions)
    }

    /// A state near home: pose and r.
    pub(super) fn sample(&self) -> (Vec<f64>, Vec<f64>) {
        let state = Sampler::new(1).closed_state(self.robot);
        (crate::closed::seven(&state.at.pose).to_vec(), state.r)
    }

    fn dynamics<'g>(&self, robot: &'r ClosedMechanism, legs: &Legs<'g>, masses: Masses<'g>) -> Dynamics<'r, 'g> {
        Dynamics::new(robot, legs.at.clone(), self.formulation, Some(masses))
    }

    fn masses<'g>(&self, like: Expr<'g>, own: &[Expr<'g>]) -> Masses<'g> {
        let kept: Vec<(Parameter, Expr<'g>)> = plant::kept(self.varied, own);
        let mut masses = Masses::of(self.robot, like, &kept);
        for (one, &mass) in self.varied.iter().zip(own) {
            if let Varied::Payload { owner, at } = *one {
                masses.load(self.robot, owner, mass, at);
            }
        }
        masses.regroup(self.robot, self.exchange);
        masses
    }

    /// The robot as its file describes it.
    fn nominal<'g>(&self, legs: &Legs<'g>) -> Dynamics<'r, 'g> {
        self.dynamics(self.robot, legs, self.masses(legs.r[0], &[]))
    }

    /// All joints at a pose, and the drives' motion.
    pub(super) fn legs<'g>(&self, pose: &[Expr<'g>], r: &[Expr<'g>]) -> Result<Legs<'g>, Refused> {
        let &[px, py, pz, x, y, z, w] = pose else { unreachable!("a pose has seven numbers") };
        let pose = Pose { position: Vec3::new(px, py, pz), rotation: rotation([x, y, z, w]) };
        let q = joints_in_closed_form(self.robot, &pose);
        let q = q.unwrap_or_else(|leg| unreachable!("leg {} has a closed form, and home is in reach", leg.name));
        let drives = self.robot.driven().iter().map(|&j| self.near_home(j, q[j])).collect();
        let mut legs = Legs { at: Configuration { q, pose }, r: r.to_vec(), q: drives, v: Vec::new() };
        legs.v = along(&self.nominal(&legs).inverse_jacobian()?, r);
        Ok(legs)
    }

    /// The position of a joint; of one that turns within half a turn of home, where closed forms know it up to whole turns.
    fn near_home<'g>(&self, j: usize, q: Expr<'g>) -> Expr<'g> {
        if self.robot.tree().links()[j].joint == JointKind::Prismatic {
            return q;
        }
        let home = self.robot.home().q[j];
        let ((sin, cos), (s, c)) = (q.sin_cos(), home.sin_cos());
        (sin.scale(c) - cos.scale(s)).atan2(cos.scale(c) + sin.scale(s)) + q.constant(home)
    }

    /// ṙ under the torques and forces of the drives.
    pub(super) fn accelerations<'g>(
        &self,
        legs: &Legs<'g>,
        tau: &[Expr<'g>],
        own: &[Expr<'g>],
    ) -> Result<Vec<Expr<'g>>, Refused> {
        let driven = self.robot.driven().iter().enumerate();
        let left =
            |(k, &j): (usize, &usize)| tau[k] - plant::resistance(self.robot.tree(), self.varied, own, j, legs.v[k]);
        let left: Vec<Expr<'g>> = driven.map(left).collect();
        let masses = self.masses(legs.r[0], own);
        let mut dynamics = Dynamics::new(&self.own, legs.at.clone(), self.formulation, Some(masses));
        Ok(dynamics.rates(&legs.r, &left)?)
    }

    /// Rates of the pose.
    pub(super) fn way<'g>(&self, pose: &[Expr<'g>], r: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, Refused> {
        let dof = self.robot.tree().dof();
        let mut twist = [r[0].zero(); 6];
        self.robot.freedoms().iter().zip(r).for_each(|(&k, &r)| twist[k - dof] = r);
        if !self.dependent.is_empty() {
            let z = self.nominal(&self.legs(pose, r)?).complement()?;
            let z: Vec<&[Expr<'g>]> = z.chunks_exact(r.len()).skip(dof).collect();
            self.dependent.iter().for_each(|&k| twist[k] = along(z[k], r)[0]);
        }
        Ok(rates(pose, twist))
    }

    /// A pose with a quaternion of length 1; where velocities depend on the pose, after a step of Newton's that closes the loops
    /// by what depends on the independent ones.
    pub(super) fn closed<'g>(&self, pose: &[Expr<'g>], r: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, Refused> {
        let mut near = pose.to_vec();
        if !self.dependent.is_empty() {
            let open = gaps(self.robot, &self.legs(pose, r)?.at);
            let (zero, one) = (pose[0].zero(), pose[0].constant(1.0));
            let ways: Vec<Vec<Expr<'g>>> = self
                .dependent
                .iter()
                .map(|&k| rates(pose, core::array::from_fn(|other| if other == k { one } else { zero })))
                .collect();
            let slope = |way: &Vec<Expr<'g>>| {
                let along: Vec<_> = pose.iter().copied().zip(way.iter().copied()).collect();
                Expr::derivatives(&open, &along)
            };
            let columns: Vec<Vec<Expr<'g>>> = ways.iter().map(slope).collect();
            let back = least_squares(&columns, &open);
            for (way, back) in ways.iter().zip(back) {
                near.iter_mut().zip(way).for_each(|(x, &way)| *x = *x - back * way);
            }
        }
        let (position, quaternion) = near.split_at(3);
        let squares = dot(quaternion, quaternion);
        let inverse = pose[0].constant(1.0) / squares.sqrt();
        Ok(position.iter().copied().chain(quaternion.iter().map(|&x| x * inverse)).collect())
    }

    /// Whether a pose near the robot's comes back to them.
    fn comes_back(&self) -> Result<bool, Refused> {
        let (mut pose, r) = self.sample();
        let recorder = Recorder::default();
        let numbers = record(&recorder, &[&pose[..], &r].concat());
        let (q, v) = numbers.split_at(pose.len());
        let closed = recorder.program(&self.closed(q, v)?);
        let gap = recorder.program(&[self.gap(&self.legs(q, v)?)]);
        let length = self.robot.length();
        for &k in self.dependent.iter().filter(|&&k| k < 3) {
            pose[k] += OFF * length;
        }
        for _ in 0..3 {
            pose = closed.run(&[&pose[..], &r].concat());
        }
        Ok(gap.run(&[&pose[..], &r].concat())[0] <= ROUNDING * length)
    }

    /// How far the loops are open in all, m; angles count by the robot's length.
    pub(super) fn gap<'g>(&self, legs: &Legs<'g>) -> Expr<'g> {
        let squares = gaps(self.robot, &legs.at).into_iter().map(|gap| gap * gap);
        squares.reduce(|sum, square| sum + square).expect("a parallel robot has loops").sqrt()
    }

    /// τ of the robot as its file describes it, for accelerations of its drives; of more drives than degrees of freedom those
    /// nearest to what is asked for.
    pub(super) fn efforts<'g>(&self, legs: &Legs<'g>, a: &[Expr<'g>]) -> Result<Vec<Expr<'g>>, Refused> {
        let mut dynamics = self.nominal(legs);
        let (j_inv, rest) = (dynamics.inverse_jacobian()?, dynamics.rest());
        let by_motion = dynamics.accelerations(&legs.r, &rest)?;
        let demand: Vec<Expr<'g>> = self.robot.driven().iter().zip(a).map(|(&j, &a)| a - by_motion[j]).collect();
        let n = rest.len();
        let columns: Vec<Vec<Expr<'g>>> = (0..n).map(|k| j_inv.iter().skip(k).step_by(n).copied().collect()).collect();
        let r_dot = least_squares(&columns, &demand);
        Ok(dynamics.efforts(&legs.r, &r_dot)?)
    }

    /// τ that holds the robot as its file describes it.
    pub(super) fn gravity<'g>(&self, legs: &Legs<'g>) -> Result<Vec<Expr<'g>>, Refused> {
        let mut dynamics = self.nominal(legs);
        let rest = dynamics.rest();
        let w = dynamics.generalised_forces(&bare(self.robot), &rest, &rest)?;
        Ok(dynamics.shared(&w)?)
    }
}

/// Rates of a pose that moves with a twist, in the base's axes.
fn rates<'g>(pose: &[Expr<'g>], [vx, vy, vz, a, b, c]: [Expr<'g>; 6]) -> Vec<Expr<'g>> {
    let &[.., x, y, z, w] = pose else { unreachable!("a pose has seven numbers") };
    let half = |x: Expr<'g>| x.scale(0.5);
    vec![
        vx,
        vy,
        vz,
        half(a * w + b * z - c * y),
        half(b * w + c * x - a * z),
        half(c * w + a * y - b * x),
        half(-(a * x + b * y + c * z)),
    ]
}

/// x · y.
fn dot<'g>(x: &[Expr<'g>], y: &[Expr<'g>]) -> Expr<'g> {
    let products = x.iter().zip(y).map(|(&x, &y)| x * y);
    products.reduce(|sum, product| sum + product).expect("vectors of some length")
}

/// x of least |A x − b|, of the columns of A: AᵀA is positive definite away from singularities, so that no pivot is chosen by
/// value.
fn least_squares<'g>(columns: &[Vec<Expr<'g>>], b: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let normal: Vec<Expr<'g>> = columns.iter().flat_map(|x| columns.iter().map(move |y| dot(x, y))).collect();
    let mut x: Vec<Expr<'g>> = columns.iter().map(|column| dot(column, b)).collect();
    let mut solver = Cholesky::new(columns.len(), b[0]);
    solver.decompose(&normal);
    solver.solve(&mut x);
    x
}

/// A matrix, row by row, times a vector.
fn along<'g>(matrix: &[Expr<'g>], x: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let row = |row: &[Expr<'g>]| row.iter().zip(x).fold(x[0].zero(), |sum, (&entry, &x)| sum + entry * x);
    matrix.chunks_exact(x.len()).map(row).collect()
}

/// The components of the twist that are neither independent nor zero; robots whose legs have no closed form are refused, and
/// those whose joints are independent.
fn dependent(robot: &ClosedMechanism) -> Result<Vec<usize>, Refused> {
    if robot.platform().is_none() || InClosedForm::new(robot, 0.0).is_none() {
        let reason = "its legs have no closed forms; name one platform that legs of common kinds carry, or simulate it";
        return refused(robot, reason);
    }
    let (dof, n) = (robot.tree().dof(), robot.freedoms().len());
    if robot.freedoms().iter().any(|&k| k < dof) {
        let reason = "its independent velocities are not all those of its platform; name `freedoms` of the platform";
        return refused(robot, reason);
    }
    let mut moves = [false; 6];
    for seed in 0..3 {
        let state = Sampler::new(seed).closed_state(robot);
        let mut ws = formulation::Workspace::new(robot, formulations(robot)[0]);
        let z = formulation::complement(robot, &mut ws, &state.at)?;
        for (moves, row) in moves.iter_mut().zip(z.chunks_exact(n).skip(dof)) {
            *moves |= row.iter().any(|x| x.abs() > ROUNDING);
        }
    }
    Ok((0..6).filter(|&k| moves[k] && !robot.freedoms().contains(&(dof + k))).collect())
}

fn refused<R>(robot: &ClosedMechanism, reason: &'static str) -> Result<R, Refused> {
    Err(Refused::Robot { robot: robot.name().into(), reason })
}
