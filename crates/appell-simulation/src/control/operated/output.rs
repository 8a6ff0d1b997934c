//! From a direction in which a tool or a platform shall move to the rates of the drives.
//!
//! ```text
//! open:    q' = J⁺ e          least norm, by the eigenvectors of J Jᵀ; linear rows over the reach, slides in reaches
//! closed:  q' = Z_drives e    e a unit of one independent velocity, u = Z r
//! ```

use super::bounds::{Ending, MOST_DRIVES};
use appell::Robot;
use appell::closed::Configuration;
use appell::closed::formulation::{self, Formulation};
use appell::description::{Freedom, JointKind};
use appell::kinematics::{self, jacobian};
use appell::mechanism::{Axes, Mechanism};
use appell::question::closed::Found;
use appell::question::{Motion, State};
use appell::sample::Sampler;
use appell::spatial::{Pose, Vec3, turn_between, turned};
use nalgebra::{Matrix6, SymmetricEigen, Vector6};

/// The tool of an open robot, or the independent velocities of one with loops.
pub(super) struct Output {
    robot: Robot,
    kind: Kind,
    names: Vec<String>,
    pose: Pose, // where it is
}

enum Kind {
    /// Nothing that could be jogged.
    None,
    Tool(Box<Tool>),
    Loops(Box<Loops>),
}

struct Tool {
    frame: usize,
    kinematics: kinematics::Workspace,
    reach: f64,
    units: Vec<f64>,                 // of the joints: 1 rad, or the reach
    jacobian: Vec<f64>,              // dimensionless, six rows
    ranks: [usize; 2],               // of the position alone, and of all six rows
    rows: usize,                     // 3 or 6
    modes: [(f64, Vector6<f64>); 6], // eigenvalues of J Jᵀ, largest first
}

struct Loops {
    found: Found,
    dynamics: formulation::Workspace,
    drives: Vec<f64>, // rows of Z, one per drive
    rest: Vec<f64>,
}

/// A direction whose remainder is larger cannot be moved in.
pub(super) const FITS: f64 = 1e-6;
/// Singular values below this part of the largest belong to directions that the robot does not have at all.
const NO_RANK: f64 = 1e-6;

impl Output {
    /// The tool of an open robot, a frame of it, or what a robot with loops has as independent velocities.
    pub(super) fn new(robot: &Robot, frame: Option<usize>, start: &[f64]) -> Self {
        let names = Freedom::ALL.iter().map(|freedom| freedom.name().to_owned()).collect();
        let nothing = |robot: &Robot| Self {
            robot: robot.clone(),
            kind: Kind::None,
            names: Vec::new(),
            pose: Pose::identity(0.0),
        };
        if let Some(closed) = robot.closed() {
            let mut found = Found::new(closed, Formulation::of(closed)[0]);
            found.continuous = true;
            let rest = vec![0.0; closed.freedoms().len()];
            let drives = vec![0.0; closed.driven().len() * rest.len()];
            let dynamics = formulation::Workspace::new(closed, Formulation::of(closed)[0]);
            let kind = Kind::Loops(Box::new(Loops { found, dynamics, drives, rest }));
            return Self { kind, names: closed.freedom_names(), ..nothing(robot) };
        }
        let tree = robot.tree();
        if tree.coordinates().is_some() {
            return nothing(robot); // rates of followers are not coordinates
        }
        let frame = frame.unwrap_or_else(|| tree.last_frame());
        if tree.frames()[frame].body.is_none() {
            return nothing(robot);
        }
        let reach = tree.reach(frame);
        let slides = |j: usize| tree.links()[j].joint == JointKind::Prismatic;
        let mut tool = Tool {
            frame,
            kinematics: kinematics::Workspace::new(tree),
            reach,
            units: (0..tree.dof()).map(|j| if slides(j) { reach } else { 1.0 }).collect(),
            jacobian: vec![0.0; 6 * tree.dof()],
            ranks: [0, 0],
            rows: 6,
            modes: [(0.0, Vector6::zeros()); 6],
        };
        // The rank is that of almost all configurations: a few that are not special in any way.
        let mut sampler = Sampler::new(1);
        for _ in 0..5 {
            let q: Vec<f64> = start.iter().map(|q| q + sampler.within(1.0)).collect();
            for (k, rows) in [3, 6].into_iter().enumerate() {
                tool.rows = rows;
                tool.place(tree, &q);
                let most = tool.modes[0].0;
                let rank = tool.modes.iter().filter(|(value, _)| *value > NO_RANK * NO_RANK * most).count();
                tool.ranks[k] = tool.ranks[k].max(rank);
            }
        }
        Self { kind: Kind::Tool(Box::new(tool)), names, ..nothing(robot) }
    }

    /// Names of the directions: `vx` … `wz`, or independent velocities.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a direction turns.
    pub(super) fn turns(&self, direction: usize) -> bool {
        match (&self.kind, self.robot.closed()) {
            (Kind::Loops(_), Some(closed)) => closed.length_scale(closed.freedoms()[direction]) != 1.0,
            _ => direction >= 3,
        }
    }

    /// Takes the drives there; `Ok` is the inverse condition number of an open robot's Jacobian, 1 of others.
    pub(super) fn place(&mut self, q: &[f64]) -> Result<f64, Ending> {
        match &mut self.kind {
            Kind::None => Err(Ending::CannotMove),
            Kind::Tool(tool) => {
                tool.place(self.robot.tree(), q);
                self.pose = tool.kinematics.base_from_frame(self.robot.tree(), tool.frame, 0.0);
                let rank = tool.ranks[usize::from(tool.rows == 6)];
                let (most, least) = (tool.modes[0].0, tool.modes[rank.max(1) - 1].0);
                Ok(if most > 0.0 && least > 0.0 { (least / most).sqrt() } else { 0.0 })
            }
            Kind::Loops(loops) => {
                let closed = self.robot.closed().expect("a robot with loops");
                let Loops { found, dynamics, drives, rest } = &mut **loops;
                found.find(closed, &State::joints(q, rest, &[]), false, false).map_err(|_| Ending::Unreachable)?;
                let z = formulation::complement(closed, dynamics, &found.moved.at).map_err(|_| Ending::Singular)?;
                let n = rest.len();
                for (i, &j) in closed.driven().iter().enumerate() {
                    drives[i * n..(i + 1) * n].copy_from_slice(&z[j * n..(j + 1) * n]);
                }
                self.pose = found.moved.at.pose;
                Ok(1.0)
            }
        }
    }

    /// Begins anew at a place, of a robot with loops in this configuration, and chooses what of the tool shall stay: all
    /// that the direction does not move, or, where the robot cannot do that, its position alone.
    pub(super) fn begin(&mut self, q: &[f64], at: Option<&Configuration>, direction: usize) -> Result<f64, Ending> {
        if let (Kind::Loops(loops), Some(closed), Some(at)) = (&mut self.kind, self.robot.closed(), at) {
            let motion = Motion::Assembled { at, r: &loops.rest, r_dot: &loops.rest };
            let state = State { motion, ..State::default() };
            loops.found.find(closed, &state, false, false).map_err(|_| Ending::Unreachable)?;
        }
        let mut rates = [0.0; MOST_DRIVES];
        for rows in [6, 3] {
            if let Kind::Tool(tool) = &mut self.kind {
                tool.rows = rows;
            }
            let condition = self.place(q)?;
            if self.rates(&unit(direction), &mut rates[..q.len()]) <= FITS {
                return Ok(condition);
            }
            if direction >= 3 {
                break;
            }
        }
        Err(Ending::CannotMove)
    }

    /// Rates of the drives for a direction, where they are; the part of it that they leave out.
    pub(super) fn rates(&self, direction: &[f64; MOST_DRIVES], rates: &mut [f64]) -> f64 {
        match &self.kind {
            Kind::None => 1.0,
            Kind::Tool(tool) => tool.rates(direction, rates),
            Kind::Loops(loops) => {
                let n = loops.rest.len();
                for (i, rate) in rates.iter_mut().enumerate() {
                    *rate = loops.drives[i * n..(i + 1) * n].iter().zip(direction).map(|(z, e)| z * e).sum();
                }
                0.0
            }
        }
    }

    /// Where it is.
    pub(super) fn pose(&self) -> Pose {
        self.pose
    }

    /// What is missing to the line from `from` in a direction, a way along it.
    pub(super) fn missing(&self, from: &Pose, direction: usize, way: f64) -> [f64; MOST_DRIVES] {
        let mut missing = [0.0; MOST_DRIVES];
        let component = match (&self.kind, self.robot.closed()) {
            (Kind::None, _) => return missing,
            (Kind::Loops(_), Some(closed)) => match closed.freedoms()[direction].checked_sub(closed.tree().dof()) {
                Some(component) if closed.platform().is_some() => component,
                _ => return missing, // joints are integrated alone
            },
            _ => direction,
        };
        let mut along = [0.0; 6];
        along[component] = way;
        let [x, y, z, a, b, c] = along;
        let position = from.position + Vec3::new(x, y, z) - self.pose.position;
        let goal = turned(&from.rotation, Vec3::new(a, b, c));
        let turn = turn_between(&self.pose.rotation, &goal);
        let all: [f64; 6] =
            core::array::from_fn(|k| if k < 3 { position.to_array()[k] } else { turn.to_array()[k - 3] });
        match self.robot.closed() {
            None => missing[..6].copy_from_slice(&all),
            Some(closed) => {
                let components = || closed.freedoms().iter().map(|k| k.checked_sub(closed.tree().dof()));
                // Turns about some axes only bring others with them, which the line does not know.
                let all_turn = components().filter(|k| k.is_some_and(|k| k >= 3)).count() == 3;
                for (missing, k) in missing.iter_mut().zip(components()) {
                    *missing = k.filter(|k| *k < 3 || all_turn).map_or(0.0, |k| all[k]);
                }
            }
        }
        missing
    }
}

/// The unit of one direction.
pub(super) fn unit(direction: usize) -> [f64; MOST_DRIVES] {
    let mut unit = [0.0; MOST_DRIVES];
    unit[direction] = 1.0;
    unit
}

impl Tool {
    fn place(&mut self, robot: &Mechanism, q: &[f64]) {
        let n = robot.dof();
        let found = jacobian(robot, &mut self.kinematics, q, self.frame, Axes::Base);
        for row in 0..6 {
            let unit = if row < 3 { 1.0 / self.reach } else { f64::from(u8::from(self.rows == 6)) };
            for j in 0..n {
                self.jacobian[row * n + j] = found[row * n + j] * self.units[j] * unit;
            }
        }
        let row = |i: usize| &self.jacobian[i * n..(i + 1) * n];
        let product = Matrix6::from_fn(|i, k| row(i).iter().zip(row(k)).map(|(a, b)| a * b).sum::<f64>());
        let eigen = SymmetricEigen::new(product);
        for (k, mode) in self.modes.iter_mut().enumerate() {
            *mode = (eigen.eigenvalues[k], eigen.eigenvectors.column(k).into_owned());
        }
        self.modes.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
    }

    fn rates(&self, direction: &[f64; MOST_DRIVES], rates: &mut [f64]) -> f64 {
        let n = rates.len();
        let wanted = Vector6::from_fn(|i, _| match i {
            0..3 => direction[i] / self.reach,
            _ if self.rows == 6 => direction[i],
            _ => 0.0,
        });
        let rank = self.ranks[usize::from(self.rows == 6)];
        let (mut left, mut weights) = (wanted, Vector6::zeros());
        for (value, mode) in &self.modes[..rank] {
            let part = mode.dot(&wanted);
            left -= mode * part;
            weights += mode * (part / value.max(f64::MIN_POSITIVE));
        }
        for (j, rate) in rates.iter_mut().enumerate() {
            *rate = (0..6).map(|i| self.jacobian[i * n + j] * weights[i]).sum::<f64>() * self.units[j];
        }
        let all = wanted.norm();
        if all > 0.0 { left.norm() / all } else { 0.0 }
    }
}
