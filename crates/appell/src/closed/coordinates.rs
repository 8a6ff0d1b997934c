//! Local coordinates of a closed mechanism: as many numbers as degrees of freedom, all loops closed whatever they are.
//!
//! About an assembled configuration, the anchor, a coordinate x belongs to every independent velocity: the way of a
//! joint, the way of the platform's origin along an axis of the base, or a component of the rotation vector φ that has
//! turned the platform, R = exp(φ~) R₀ (MuntheKaas1999). All else is solved from the closing joints, so that nothing can drift apart.
//!
//! ```text
//! ẋ = r      of joints and ways
//! ẋ = (D(φ)⁻¹ ω)_k     of turns, ω = D φ̇,  D = 1 + (1 − cos θ)/θ² φ~ + (θ − sin θ)/θ³ φ~²,  θ = |φ|
//! ```
//!
//! Of a platform that moves freely, or turns freely about a point, the pose is known at once, and the legs are solved in
//! their closed forms. Any other robot is solved by Newton's method, from where it was.
//!
//! The robot's own independent velocities, often those of its platform, do not describe its motion where a leg is stretched or folded
//! (Type 1), though A u = 0 is regular there. [`of_closures`](Coordinates::of_closures) are coordinates for such places: the independent
//! velocities are [chosen](Coordinates::choose) at the anchor, as those that elimination of A with the largest entry first leaves over
//! (coordinate partitioning, Wehage1982), so that no dependent velocity is much larger than they are.

use super::assembly::{self, AssemblyError, CLOSED};
use super::constraints::Constraints;
use super::{ClosedMechanism, Configuration, SingularError, spherical};
use crate::linear::Elimination;
use crate::spatial::{Vec3, omega_of_rotation_vector_rate, rotation_vector_rate, turn_between, turned};

/// Newton's steps at most: from a neighbour three or four are enough. After some of them loops that are open by more than this, over the
/// characteristic length, will not close.
const STEPS: usize = 30;
const HOPEFUL_STEPS: usize = 10;
const HOPELESS_GAP: f64 = 1e-2;

/// An entry of A without units below this is not a pivot.
const NO_PIVOT: f64 = 1e-9;

/// The smallest pivot of A without units at which coordinates are chosen: nearer to a singularity of the constraints, accelerations
/// have lost half of their digits.
const LEAST_MARGIN: f64 = 1e-5;

/// Coordinates about an anchor.
#[derive(Debug, Clone)]
pub struct Coordinates {
    anchor: Configuration,
    independent: Vec<usize>, // of u, one per coordinate
    platform: Pose,
    legs: assembly::Workspace,
    newton: Newton,
    turned_by: Vec3<f64>, // φ where the robot was brought last
}

/// How the platform's pose follows from the coordinates.
#[derive(Debug, Clone)]
enum Pose {
    /// All six are free.
    Free,
    /// It turns about a point; from there to its origin, in its own axes.
    About { centre: Vec3<f64>, arm: Vec3<f64> },
    /// By the closing joints.
    Closed,
}

/// Memory of Newton's method for the dependent coordinates.
#[derive(Debug, Clone)]
struct Newton {
    constraints: Constraints<f64>,
    gaps: Vec<f64>,
    matrix: Vec<f64>,
    elimination: Elimination<f64>,
    dependent: Vec<bool>, // of u, and the right-hand side
    units: Vec<f64>,      // what a unit of each velocity is as a length, inverse
    block: Block,
}

/// The square part of A whose determinant changes its sign where the coordinates end: rows and columns of the pivots at the anchor.
#[derive(Debug, Clone)]
struct Block {
    pivots: Vec<(usize, usize)>,
    entries: Vec<f64>,
    is_positive: bool, // the determinant, at the anchor
}

impl Coordinates {
    /// Coordinates about home.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        let (width, rows, dof) = (robot.velocities(), robot.rows(), robot.tree().dof());
        let home = robot.home();
        let turns = robot.freedoms().iter().filter(|&&k| k >= dof + 3).count();
        let platform = match spherical::recognise(robot) {
            Ok(meeting) if turns == 3 => Pose::About {
                centre: meeting.centre,
                arm: home.pose.rotation.transpose_times(home.pose.position - meeting.centre),
            },
            _ if robot.freedoms().len() == 6 && robot.freedoms()[0] == dof && !robot.legs().is_empty() => Pose::Free,
            _ => Pose::Closed,
        };
        let dependent = (0..width).map(|k| !robot.freedoms().contains(&k)).chain([false]);
        let rank = width - robot.freedoms().len();
        Self {
            anchor: home.clone(),
            independent: robot.freedoms().to_vec(),
            platform,
            legs: assembly::Workspace::new(robot),
            newton: Newton {
                constraints: Constraints::with_scalar(robot, 0.0),
                gaps: vec![0.0; rows],
                matrix: vec![0.0; rows * width],
                elimination: Elimination::new(rows, width + 1, 0.0),
                dependent: dependent.collect(),
                units: (0..width).map(|k| 1.0 / robot.length_scale(k)).collect(),
                block: Block { pivots: Vec::with_capacity(rank), entries: vec![0.0; rank * rank], is_positive: true },
            },
            turned_by: Vec3::zero(0.0),
        }
    }

    /// Coordinates that are solved from the closing joints alone, whatever the robot is: before use they are to be
    /// [chosen](Self::choose).
    #[must_use]
    pub fn of_closures(robot: &ClosedMechanism) -> Self {
        Self { platform: Pose::Closed, ..Self::new(robot) }
    }

    /// The velocities that the coordinates belong to, as indices of u.
    #[must_use]
    pub fn independent(&self) -> &[usize] {
        &self.independent
    }

    /// Anchors coordinates [of closures](Self::of_closures) at a configuration, and chooses the velocities they belong to: elimination of
    /// A without units, the largest entry of all first, solves for the others. They stay as they are if it fails.
    ///
    /// # Errors
    /// If the constraints are singular: the robot has a degree of freedom there that it has nowhere else.
    pub fn choose(&mut self, robot: &ClosedMechanism, at: &Configuration) -> Result<(), SingularError> {
        let margin = self.margin(robot, at);
        if margin.is_nan() || margin < LEAST_MARGIN {
            return Err(SingularError::Constraints { condition: 1.0 / margin });
        }
        let Newton { elimination, dependent, block, .. } = &mut self.newton;
        dependent.fill(false);
        elimination.pivots().iter().for_each(|&(_, k)| dependent[k] = true);
        let independent = (0..robot.velocities()).filter(|&k| !dependent[k]);
        self.independent.iter_mut().zip(independent).for_each(|(own, k)| *own = k);
        block.pivots.clear();
        block.pivots.extend_from_slice(elimination.pivots());
        self.anchor(at);
        self.newton.fill(robot, Vec3::zero(0.0));
        self.newton.block.is_positive = self.newton.has_positive_block(robot.velocities() + 1);
        Ok(())
    }

    /// How far the constraints are from singular at a configuration, as a length over the characteristic one, or an angle: the smallest pivot
    /// of A without units, zero where its rank is lower than elsewhere.
    pub fn margin(&mut self, robot: &ClosedMechanism, at: &Configuration) -> f64 {
        let (width, n) = (robot.velocities(), self.independent.len());
        self.newton.place(robot, at);
        self.newton.fill(robot, Vec3::zero(0.0));
        let Newton { elimination, .. } = &mut self.newton;
        elimination.eliminate_up_to(width, NO_PIVOT);
        if elimination.rest().is_nan() {
            return f64::NAN;
        }
        if elimination.pivots().len() == width - n { elimination.least() } else { 0.0 }
    }

    /// Whether a configuration, to which chosen coordinates were brought last, is on the sheet of the anchor: two sheets meet where the
    /// coordinates end, det A_d = 0 of the dependent velocities, and the determinant has another sign beyond.
    pub fn is_on_sheet(&mut self, robot: &ClosedMechanism, at: &Configuration) -> bool {
        self.newton.place(robot, at);
        self.newton.fill(robot, self.turned_by);
        self.newton.has_positive_block(robot.velocities() + 1) == self.newton.block.is_positive
    }

    /// Lets the coordinates be zero at a configuration, which must be assembled.
    pub fn anchor(&mut self, at: &Configuration) {
        self.anchor.q.copy_from_slice(&at.q);
        self.anchor.pose = at.pose;
        self.turned_by = Vec3::zero(0.0);
    }

    /// How far the loops of a configuration are open at most, m; angles count by the robot's length.
    pub fn gap(&mut self, robot: &ClosedMechanism, at: &Configuration) -> f64 {
        self.newton.place(robot, at)
    }

    /// The configuration with these coordinates; the search begins where `at` is, which must be near.
    ///
    /// # Errors
    /// If the robot cannot be there.
    ///
    /// # Panics
    /// If `x` does not have one value per degree of freedom.
    pub fn place(&mut self, robot: &ClosedMechanism, x: &[f64], at: &mut Configuration) -> Result<(), AssemblyError> {
        assert_eq!(x.len(), self.independent.len(), "one value per degree of freedom");
        if !x.iter().all(|x| x.is_finite()) {
            return Err(AssemblyError::NotFinite);
        }
        match &self.platform {
            Pose::Free => {
                let &[dx, dy, dz, a, b, c] = x else { unreachable!("six freedoms") };
                self.turned_by = Vec3::new(a, b, c);
                at.pose.position = self.anchor.pose.position + Vec3::new(dx, dy, dz);
                at.pose.rotation = turned(&self.anchor.pose.rotation, self.turned_by);
                assembly::at_pose(robot, &mut self.legs, at)
            }
            Pose::About { centre, arm } => {
                let &[a, b, c] = x else { unreachable!("three freedoms") };
                self.turned_by = Vec3::new(a, b, c);
                at.pose.rotation = turned(&self.anchor.pose.rotation, self.turned_by);
                at.pose.position = *centre + at.pose.rotation * *arm;
                assembly::at_pose(robot, &mut self.legs, at)
            }
            Pose::Closed => self.close(robot, x, at),
        }
    }

    /// ẋ of all velocities u, where the robot was placed last.
    ///
    /// # Panics
    /// If a slice has the wrong length: one value per degree of freedom, or per velocity.
    pub fn rates(&self, robot: &ClosedMechanism, u: &[f64], x_rates: &mut [f64]) {
        let dof = robot.tree().dof();
        let turn = match &u[dof..] {
            &[_, _, _, a, b, c] => rotation_vector_rate(self.turned_by, Vec3::new(a, b, c)),
            _ => Vec3::zero(0.0),
        };
        for (rate, &k) in x_rates.iter_mut().zip(&self.independent) {
            *rate = if k >= dof + 3 { turn[k - dof - 3] } else { u[k] };
        }
    }

    /// Newton's method for everything that is not independent.
    fn close(&mut self, robot: &ClosedMechanism, x: &[f64], at: &mut Configuration) -> Result<(), AssemblyError> {
        let (dof, width) = (robot.tree().dof(), robot.velocities());
        let has_platform = width > dof;
        let mut position = at.pose.position.to_array();
        let mut turn = if has_platform {
            turn_between(&self.anchor.pose.rotation, &at.pose.rotation).to_array()
        } else {
            [0.0; 3]
        };
        for (&x, &k) in x.iter().zip(&self.independent) {
            match k {
                k if k < dof => at.q[k] = self.anchor.q[k] + x,
                k if k < dof + 3 => position[k - dof] = self.anchor.pose.position[k - dof] + x,
                k => turn[k - dof - 3] = x,
            }
        }
        let mut before = f64::INFINITY;
        for step in 0..STEPS {
            if has_platform {
                at.pose.position = position.into();
                at.pose.rotation = turned(&self.anchor.pose.rotation, turn.into());
            }
            let gap = self.newton.place(robot, at);
            // Quadratic convergence has come to rounding when a step no longer halves what is left.
            let is_done = gap == 0.0 || (gap <= CLOSED * robot.length() && gap > 0.5 * before) || gap.is_nan();
            before = gap;
            if is_done || (step >= HOPEFUL_STEPS && gap > HOPELESS_GAP * robot.length()) {
                break;
            }
            self.newton.solve(robot, turn.into());
            for &(row, k) in self.newton.elimination.pivots() {
                let step = self.newton.elimination.entry(row, width) * self.newton.units[k];
                match k {
                    k if k < dof => at.q[k] += step,
                    k if k < dof + 3 => position[k - dof] += step,
                    k => turn[k - dof - 3] += step,
                }
            }
        }
        self.turned_by = turn.into();
        if before <= CLOSED * robot.length() {
            return Ok(());
        }
        let (worst, _) = self.newton.constraints.widest(robot, &self.newton.gaps);
        Err(AssemblyError::open(worst, before))
    }
}

impl Newton {
    /// Places everything; the largest gap.
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration) -> f64 {
        self.constraints.place(robot, at);
        self.constraints.gaps(robot, &mut self.gaps);
        self.gaps.iter().fold(0.0, |largest: f64, gap| if gap.is_nan() { f64::NAN } else { largest.max(gap.abs()) })
    }

    /// A step: A δ = −g for the dependent coordinates, φ among them.
    fn solve(&mut self, robot: &ClosedMechanism, turn: Vec3<f64>) {
        self.fill(robot, turn);
        self.elimination.eliminate(&self.dependent, NO_PIVOT);
    }

    /// A without units of what is placed, φ̇ in the place of ω, and −g beside it.
    fn fill(&mut self, robot: &ClosedMechanism, turn: Vec3<f64>) {
        let (dof, width) = (robot.tree().dof(), robot.velocities());
        self.constraints.matrix(robot, &mut self.matrix);
        let omega_of_rate = omega_of_rotation_vector_rate(turn);
        let entries = self.elimination.entries();
        for ((row, matrix), gap) in
            entries.chunks_exact_mut(width + 1).zip(self.matrix.chunks_exact(width)).zip(&self.gaps)
        {
            for (k, entry) in row[..width].iter_mut().enumerate() {
                let moved = match k.checked_sub(dof + 3) {
                    Some(axis) => {
                        omega_of_rate.column(axis).dot(Vec3::new(matrix[dof + 3], matrix[dof + 4], matrix[dof + 5]))
                    }
                    None => matrix[k],
                };
                *entry = moved * self.units[k];
            }
            row[width] = -gap;
        }
    }

    /// Whether the determinant of the block is positive, of the matrix of so many columns that is filled in.
    fn has_positive_block(&mut self, columns: usize) -> bool {
        let Self { elimination, block: Block { pivots, entries, .. }, .. } = self;
        let (rank, all) = (pivots.len(), elimination.entries());
        for (row, &(i, _)) in entries.chunks_exact_mut(rank.max(1)).zip(&*pivots) {
            row.iter_mut().zip(&*pivots).for_each(|(entry, &(_, k))| *entry = all[i * columns + k]);
        }
        let mut is_positive = true;
        for k in 0..rank {
            let size = |i: usize| entries[i * rank + k].abs();
            let largest = (k..rank).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            if largest != k {
                (0..rank).for_each(|c| entries.swap(k * rank + c, largest * rank + c));
                is_positive = !is_positive;
            }
            let pivot = entries[k * rank + k];
            is_positive ^= pivot < 0.0;
            for i in k + 1..rank {
                let factor = entries[i * rank + k] / pivot;
                (k..rank).for_each(|c| entries[i * rank + c] -= factor * entries[k * rank + c]);
            }
        }
        is_positive
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closed::formulation::{self, Formulation};
    use crate::sample::{Family, Sampler};

    /// Along any way in the coordinates loops stay closed, and their rates are those of the way.
    #[test]
    fn coordinates_close_all_loops_and_know_their_rates() {
        for family in Family::ALL {
            for seed in 0..4 {
                let mut sampler = Sampler::new(300 + seed);
                let robot = sampler.closed_robot(family);
                let state = sampler.closed_state(&robot);
                let n = state.r.len();
                let mut coordinates = Coordinates::new(&robot);
                coordinates.anchor(&state.at);
                let mut motion = formulation::Workspace::new(&robot, Formulation::TreeClosures);
                let mut at = state.at.clone();
                let label = format!("{family:?}, seed {seed}");
                let (u, _) = formulation::motion(&robot, &mut motion, &at, &state.r, &vec![0.0; n]).unwrap();
                let way = |(k, u): (usize, &f64)| (u * robot.length_scale(k)).abs();
                let step = 0.002 * robot.length() / u.iter().enumerate().map(way).fold(0.0, f64::max);
                let mut x: Vec<f64> = state.r.iter().map(|r| step * r).collect();
                coordinates.place(&robot, &x, &mut at).unwrap_or_else(|error| panic!("{label}: {error}"));
                let gap = coordinates.gap(&robot, &at);
                assert!(gap < 1e-12 * robot.length(), "{label}: {gap:.1e}");
                // The velocity of r, as a difference of configurations along its rates.
                let (u, _) = formulation::motion(&robot, &mut motion, &at, &state.r, &vec![0.0; n]).unwrap();
                let u = u.to_vec();
                let mut rates = vec![0.0; n];
                coordinates.rates(&robot, &u, &mut rates);
                // A difference is of third order in the step of the fastest.
                let h = 1e-6 / (1.0 + 0.1 * u.iter().fold(0.0, |most: f64, u| most.max(u.abs())));
                x.iter_mut().zip(&rates).for_each(|(x, rate)| *x += h * rate);
                let [mut after, mut before] = [at.clone(), at.clone()];
                coordinates.place(&robot, &x, &mut after).unwrap();
                x.iter_mut().zip(&rates).for_each(|(x, rate)| *x -= 2.0 * h * rate);
                coordinates.place(&robot, &x, &mut before).unwrap();
                for (j, u) in u[..robot.tree().dof()].iter().enumerate() {
                    let found = (after.q[j] - before.q[j]) / (2.0 * h);
                    assert!((found - u).abs() < 1e-6 * (1.0 + u.abs()), "{label}, joint {j}: {found} {u}");
                }
            }
        }
    }
}
