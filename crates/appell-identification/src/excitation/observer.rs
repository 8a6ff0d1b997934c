//! The regressor of a robot whose drives move so, and what its entries' derivatives add up to.
//!
//! A robot without loops moves by its joints. One with closed loops moves by its drives, as many as it has degrees of freedom; with
//! Z of u = Z r and J_inv its rows of the drives,
//!
//! ```text
//! J_inv r = q̇_d      J_inv ṙ = q̈_d − (u̇ at ṙ = 0)_d
//! ```
//!
//! This text runs on dual numbers as well. A configuration whose drive k moves by ε moves with u = Z J_inv⁻¹ e_k ε.

use super::ExcitationError;
use appell::Robot;
use appell::closed::assembly;
use appell::closed::formulation::{self, Formulation};
use appell::closed::regressor as closed_regressor;
use appell::closed::variation::vary;
use appell::closed::{ClosedMechanism, Configuration, SingularError};
use appell::dynamics::regressor as tree_regressor;
use appell::linear::Householder;
use appell::mechanism::Mechanism;
use appell::real::{Dual, Measured};
use appell::spatial::Pose;
use core::array::from_fn;

/// Directions that one run on dual numbers carries.
const DIRECTIONS: usize = 6;

type Number = Dual<DIRECTIONS>;

/// An instant of a motion: positions of all joints, rates of the drives.
#[derive(Debug, Clone)]
pub(super) struct Instant {
    pub(super) at: Configuration,
    pub(super) v: Vec<f64>,
    pub(super) a: Vec<f64>,
}

/// What a thread computes with.
pub(super) struct Observer<'r> {
    robot: &'r Robot,
    values: Workspace<'r, f64>,
    duals: Workspace<'r, Number>,
    varied: Configuration<Number>,
    rates: [Vec<Number>; 2],
    drives: Vec<usize>,
}

/// The robot's own parameters, in the order of the columns.
pub(super) fn parameters(robot: &Robot) -> Vec<f64> {
    robot.closed().map_or_else(|| tree_regressor::parameters(robot.tree()), closed_regressor::parameters)
}

/// Brings the robot to positions of its drives, one row after the other.
pub(super) struct Placer<'r> {
    robot: &'r Robot,
    at: Configuration,
    assembly: Option<assembly::Workspace>,
}

impl<'r> Placer<'r> {
    /// A robot at home.
    pub(super) fn new(robot: &'r Robot) -> Self {
        let (at, assembly) = match robot.closed() {
            None => (Configuration { q: vec![0.0; robot.tree().dof()], pose: Pose::identity(0.0) }, None),
            Some(closed) => (closed.home().clone(), Some(assembly::Workspace::new(closed))),
        };
        Self { robot, at, assembly }
    }

    /// Moves on to these positions of the drives.
    pub(super) fn go(&mut self, positions: &[f64]) -> Result<&Configuration, ExcitationError> {
        match (self.robot.closed(), &mut self.assembly) {
            (Some(closed), Some(workspace)) => assembly::follow(closed, workspace, positions, &mut self.at)?,
            _ => match self.robot.tree().coordinates() {
                None => self.at.q.copy_from_slice(positions),
                Some(coordinates) => coordinates.anchor(positions, &mut self.at.q),
            },
        }
        Ok(&self.at)
    }
}

impl<'r> Observer<'r> {
    pub(super) fn new(robot: &'r Robot) -> Self {
        let rows: Vec<usize> = robot.drives().iter().map(|drive| drive.index).collect();
        let (drives, joints) = (rows.len(), robot.tree().dof());
        let zero = Number::fixed(0.0);
        let still = match robot.closed() {
            None => Configuration { q: vec![zero; joints], pose: Pose::identity(zero) },
            Some(closed) => closed.home().lift(zero),
        };
        Self {
            robot,
            values: Workspace::with_scalar(robot, 0.0),
            duals: Workspace::with_scalar(robot, zero),
            varied: still,
            rates: [vec![zero; drives], vec![zero; drives]],
            drives: rows,
        }
    }

    /// The regressor at an instant, a row per drive, row by row.
    pub(super) fn regressor(&mut self, instant: &Instant) -> Result<&[f64], SingularError> {
        self.values.regressor(&instant.at, &instant.v, &instant.a)
    }

    /// How the positions of all joints change with those of the drives: joints × drives, row by row.
    pub(super) fn joints_by_drives(&mut self, at: &Configuration) -> Result<Vec<f64>, SingularError> {
        let drives = self.rates[0].len();
        match &mut self.values {
            Workspace::Tree(..) => {
                let moves = |joint: usize, drive: usize| f64::from(u8::from(self.drives[drive] == joint));
                Ok((0..at.q.len() * drives).map(|k| moves(k / drives, k % drives)).collect())
            }
            Workspace::Closed(workspace) => workspace.velocities_by_drives(at),
        }
    }

    /// Σ g ∂Y of the regressor Y by positions, velocities and accelerations of the drives, one after the other, for weights g
    /// of all entries.
    pub(super) fn pull_back(&mut self, instant: &Instant, weights: &[f64]) -> Result<Vec<f64>, SingularError> {
        let n = self.rates[0].len();
        let joints_by_drives = match self.robot.closed() {
            None => Vec::new(),
            Some(_) => self.joints_by_drives(&instant.at)?,
        };
        let mut gradient = vec![0.0; 3 * n];
        for first in (0..3 * n).step_by(DIRECTIONS) {
            let seed = |index: usize, value: f64| match index.checked_sub(first) {
                Some(direction) if direction < DIRECTIONS => Number::variable(value, direction),
                _ => Number::fixed(value),
            };
            match self.robot.closed() {
                None => {
                    self.varied.q.iter_mut().zip(&instant.at.q).for_each(|(to, q)| *to = Number::fixed(*q));
                    let moved = self.drives.iter().enumerate();
                    moved.for_each(|(k, &joint)| self.varied.q[joint] = seed(k, instant.at.q[joint]));
                }
                Some(closed) => {
                    let rate = |k: usize, direction: usize| match first + direction {
                        drive if drive < n => joints_by_drives[k * n + drive],
                        _ => 0.0,
                    };
                    vary(closed, &instant.at, rate, &mut self.varied);
                }
            }
            for ((rates, values), block) in self.rates.iter_mut().zip([&instant.v, &instant.a]).zip(1..) {
                rates.iter_mut().enumerate().for_each(|(k, rate)| *rate = seed(block * n + k, values[k]));
            }
            let entries = self.duals.regressor(&self.varied, &self.rates[0], &self.rates[1])?;
            let mut sums = [0.0; DIRECTIONS];
            for (entry, &weight) in entries.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                sums = from_fn(|direction| sums[direction] + weight * entry.derivative[direction]);
            }
            gradient[first..].iter_mut().zip(sums).for_each(|(gradient, sum)| *gradient = sum);
        }
        Ok(gradient)
    }
}

/// Memory for regressors over one kind of number.
enum Workspace<'r, T> {
    Tree(Box<TreeWorkspace<'r, T>>),
    Closed(Box<ClosedWorkspace<'r, T>>),
}

/// Of a tree, of which some joints may stand.
struct TreeWorkspace<'r, T> {
    tree: &'r Mechanism,
    regressor: tree_regressor::Workspace<T>,
    drives: Vec<usize>,
    rates: [Vec<T>; 2], // of all joints
    rows: Vec<T>,       // of the drives
}

struct ClosedWorkspace<'r, T> {
    robot: &'r ClosedMechanism,
    kinematics: formulation::Workspace<T>,
    regressor: closed_regressor::Workspace<T>,
    drives: Householder<T>,
    z: Vec<T>,
    r: [Vec<T>; 2], // r and ṙ
    none: Vec<T>,
}

impl<'r, T: Measured> Workspace<'r, T> {
    fn with_scalar(robot: &'r Robot, like: T) -> Self {
        match robot.closed() {
            None => {
                let zeros = || vec![like.zero(); robot.tree().dof()];
                Self::Tree(Box::new(TreeWorkspace {
                    tree: robot.tree(),
                    regressor: tree_regressor::Workspace::with_scalar(robot.tree(), like),
                    drives: robot.drives().iter().map(|drive| drive.index).collect(),
                    rates: [zeros(), zeros()],
                    rows: Vec::new(),
                }))
            }
            Some(closed) => {
                let (n, formulation) = (closed.freedoms().len(), Formulation::of(closed)[0]);
                let zeros = |count: usize| vec![like.zero(); count];
                Self::Closed(Box::new(ClosedWorkspace {
                    robot: closed,
                    kinematics: formulation::Workspace::with_scalar(closed, formulation, like),
                    regressor: closed_regressor::Workspace::with_scalar(closed, formulation, like),
                    drives: Householder::new(n, n, like),
                    z: zeros(closed.velocities() * n),
                    r: [zeros(n), zeros(n)],
                    none: zeros(n),
                }))
            }
        }
    }

    fn regressor(&mut self, at: &Configuration<T>, v: &[T], a: &[T]) -> Result<&[T], SingularError> {
        match self {
            Self::Tree(workspace) => Ok(workspace.regressor(&at.q, v, a)),
            Self::Closed(workspace) => workspace.regressor(at, v, a),
        }
    }
}

impl<T: Measured> TreeWorkspace<'_, T> {
    fn regressor(&mut self, q: &[T], v: &[T], a: &[T]) -> &[T] {
        let Self { tree, regressor, drives, rates, rows } = self;
        for (rates, own) in rates.iter_mut().zip([v, a]) {
            drives.iter().zip(own).for_each(|(&joint, &rate)| rates[joint] = rate);
        }
        let whole = tree_regressor::regressor(tree, regressor, q, &rates[0], &rates[1]);
        let width = whole.len() / tree.dof();
        rows.clear();
        drives.iter().for_each(|joint| rows.extend_from_slice(&whole[joint * width..(joint + 1) * width]));
        rows
    }
}

impl<T: Measured> ClosedWorkspace<'_, T> {
    /// Z here, and J_inv ready for solving.
    fn decompose(&mut self, at: &Configuration<T>) -> Result<(), SingularError> {
        let n = self.none.len();
        self.z.copy_from_slice(formulation::complement(self.robot, &mut self.kinematics, at)?);
        let (z, driven) = (&self.z, self.robot.driven());
        self.drives.decompose(|drive, freedom| z[driven[drive] * n + freedom]);
        Ok(())
    }

    fn regressor(&mut self, at: &Configuration<T>, v: &[T], a: &[T]) -> Result<&[T], SingularError> {
        self.decompose(at)?;
        let [r, r_dot] = &mut self.r;
        r.copy_from_slice(v);
        self.drives.turn_into(r);
        self.drives.solve_upper(r);
        let (_, u_dot) = formulation::motion(self.robot, &mut self.kinematics, at, r, &self.none)?;
        for ((r_dot, &a), &joint) in r_dot.iter_mut().zip(a).zip(self.robot.driven()) {
            *r_dot = a - u_dot[joint];
        }
        self.drives.turn_into(r_dot);
        self.drives.solve_upper(r_dot);
        closed_regressor::regressor(self.robot, &mut self.regressor, at, r, r_dot)
    }

    /// Z J_inv⁻¹, row by row.
    fn velocities_by_drives(&mut self, at: &Configuration<T>) -> Result<Vec<T>, SingularError> {
        self.decompose(at)?;
        let n = self.none.len();
        let mut matrix = self.z.clone();
        for drive in 0..n {
            let mut unit = self.none.clone();
            unit[drive] = unit[drive].constant(1.0);
            self.drives.turn_into(&mut unit);
            self.drives.solve_upper(&mut unit);
            for (row, z) in matrix.chunks_exact_mut(n).zip(self.z.chunks_exact(n)) {
                row[drive] = z.iter().zip(&unit).fold(unit[0].zero(), |sum, (&z, &r)| sum + z * r);
            }
        }
        Ok(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::Robot;
    use appell::sample::Sampler;

    /// Weighted sums of the regressor, differentiated by differences along the drives.
    fn compare(robot: &Robot, near: &[f64], range: f64) {
        let n = near.len();
        let mut sampler = Sampler::new(9);
        let mut observer = Observer::new(robot);
        let mut placer = Placer::new(robot);
        let state: Vec<f64> =
            (0..3 * n).map(|k| sampler.within(if k < n { range } else { 1.0 }) + near.get(k).unwrap_or(&0.0)).collect();
        let weights: Vec<f64> = (0..n * parameters(robot).len()).map(|_| sampler.within(1.0)).collect();
        let mut instant = |state: &[f64]| Instant {
            at: placer.go(&state[..n]).unwrap().clone(),
            v: state[n..2 * n].to_vec(),
            a: state[2 * n..].to_vec(),
        };
        let gradient = observer.pull_back(&instant(&state), &weights).unwrap();
        let largest = gradient.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for k in 0..3 * n {
            let mut value = |step: f64| {
                let mut moved = state.clone();
                moved[k] += step;
                let entries = observer.regressor(&instant(&moved)).unwrap();
                entries.iter().zip(&weights).map(|(y, g)| y * g).sum::<f64>()
            };
            let difference = (value(1e-5) - value(-1e-5)) / 2e-5;
            assert!((gradient[k] - difference).abs() < 1e-6 * largest, "{k}: {} {difference}", gradient[k]);
        }
    }

    #[test]
    fn derivatives_of_trees_match_differences() {
        for name in ["puma560", "scara", "seven-axis"] {
            let robot = Robot::builtin(name).unwrap();
            compare(&robot, &vec![0.0; robot.tree().dof()], 1.0);
        }
    }

    #[test]
    fn derivatives_of_closed_robots_match_differences() {
        for name in ["gough-stewart", "agile-wrist", "five-bar"] {
            let robot = Robot::builtin(name).unwrap();
            let home = &robot.closed().unwrap().home().q;
            let near: Vec<f64> = robot.drives().iter().map(|drive| home[drive.index]).collect();
            compare(&robot, &near, 0.03);
        }
    }

    #[test]
    fn efforts_are_those_of_inverse_dynamics() {
        use appell::question::{Evaluator, State, Target};
        let robot = Robot::builtin("gough-stewart").unwrap();
        let mut sampler = Sampler::new(10);
        let home = &robot.closed().unwrap().home().q;
        let q: Vec<f64> = robot.drives().iter().map(|drive| home[drive.index] + sampler.within(0.03)).collect();
        let [v, a] = [(); 2].map(|()| (0..6).map(|_| sampler.within(1.0)).collect::<Vec<f64>>());
        let at = Placer::new(&robot).go(&q).unwrap().clone();
        let mut observer = Observer::new(&robot);
        let instant = Instant { at, v: v.clone(), a: a.clone() };
        let rows = observer.regressor(&instant).unwrap();
        let phi = parameters(&robot);
        let ours: Vec<f64> =
            rows.chunks_exact(phi.len()).map(|row| row.iter().zip(&phi).map(|(y, x)| y * x).sum()).collect();
        let mut evaluator =
            Evaluator::new(&robot, appell::question::Question::InverseDynamics, None, Target::default()).unwrap();
        let mut tau = [0.0; 6];
        evaluator.evaluate(&State::joints(&q, &v, &a), &mut tau).unwrap();
        for (ours, tau) in ours.iter().zip(tau) {
            assert!((ours - tau).abs() < 1e-9 * tau.abs(), "{ours} {tau}");
        }
    }
}
