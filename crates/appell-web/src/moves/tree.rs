//! Moves of trees: joint by joint, or of a frame by inverse kinematics.

use super::pull::{self, Pulled};
use super::{Ended, within};
use crate::place::{Held, positions_of_rows};
use appell::kinematics;
use appell::kinematics::damped_least_squares::{self, Goal, Options, Residual, inverse_kinematics};
use appell::mechanism::{Axes, Coordinates, Mechanism};
use appell::spatial::{Pose, turn_between};

/// What counts as there: a thousandth of what a hand could see.
const REACHED: Residual = Residual { position: 1e-9, orientation: 1e-9 };

/// Steps of one move, and of a robot of so many joints that each takes milliseconds.
const STEPS: usize = 60;
const STEPS_OF_MANY: usize = 6;
const MANY: usize = 1000;

/// How far joints are bent to leave a stretched posture, rad or m.
const BENT: f64 = 0.05;

/// Memory of the moves.
pub(crate) struct Tools {
    inverse: damped_least_squares::Workspace,
}

impl Tools {
    pub(super) fn new(tree: &Mechanism) -> Self {
        Self { inverse: damped_least_squares::Workspace::new(tree) }
    }
}

/// The row of each position; none of a quaternion's.
fn rows_of_positions(tree: &Mechanism) -> Vec<Option<usize>> {
    let mut rows = vec![None; tree.positions().len()];
    for (row, position) in positions_of_rows(tree).into_iter().enumerate() {
        position.into_iter().for_each(|position| rows[position] = Some(row));
    }
    rows
}

pub(super) fn set_joint(tree: &Mechanism, q: &mut [f64], index: usize, value: f64) -> Ended {
    let row = if tree.coordinates().is_none() { Some(index) } else { rows_of_positions(tree)[index] };
    let (value, why) = row.map_or((value, None), |row| within(tree, row, value));
    let before = core::mem::replace(&mut q[index], value);
    if let Some(own) = tree.coordinates().filter(|_| row.is_none()) {
        own.normalise(q);
        if own.check(q).is_err() {
            q[index] = before;
            return Some("a quaternion of zeros is no attitude".into());
        }
    }
    why
}

pub(super) fn set_drives(tree: &Mechanism, q: &mut [f64], drives: &[f64]) -> Ended {
    let position = |k: usize| tree.coordinates().map_or(Some(k), |own| own.position_of(k));
    let row = |k: usize| tree.coordinates().map_or(k, |own| own.of_velocities()[k]);
    let mut stopped = None;
    for (k, &drive) in drives.iter().enumerate() {
        let Some(place) = position(k) else { continue };
        let (value, why) = within(tree, row(k), drive);
        q[place] = value;
        stopped = stopped.or(why);
    }
    stopped
}

pub(super) fn put(tree: &Mechanism, own: &mut Vec<f64>, q: &[f64]) -> Ended {
    let before = own.clone();
    own.copy_from_slice(q);
    if let Some(coordinates) = tree.coordinates() {
        coordinates.normalise(own);
        if coordinates.check(own).is_err() {
            *own = before;
            return Some("a quaternion of zeros is no attitude".into());
        }
    }
    None
}

pub(super) fn set_pose(tree: &Mechanism, tools: &mut Tools, q: &mut [f64], held: Held, goal: &Pose) -> Ended {
    let Held::Frame(frame) = held else { return Some("a tree has no platform".into()) };
    if tree.frames()[frame].body.is_none() {
        return Some("this frame is on the base and does not move".into());
    }
    let iterations = if tree.dof() > MANY { STEPS_OF_MANY } else { STEPS };
    if let Some(own) = tree.coordinates() {
        let mut pulled = Rows::new(tree, own, q, frame, goal);
        let reached = pull::pull(&mut pulled, iterations);
        q.copy_from_slice(&pulled.q);
        return if reached { None } else { Some(left(tree, q, pulled.residual())) };
    }
    let options = Options { tolerance: REACHED, iterations, restarts: 0, seed: 1 };
    let solve = |tools: &mut Tools, q: &mut [f64], goal: Goal| {
        let (found, residual) = match inverse_kinematics(tree, &mut tools.inverse, frame, &goal, q, &options) {
            Ok(solution) => (solution.q.to_vec(), None),
            Err(unreached) => (unreached.q, Some(unreached.residual)),
        };
        if found.iter().all(|x| x.is_finite()) {
            q.copy_from_slice(&found);
        }
        residual
    };
    let start = q.to_vec();
    let residual = solve(tools, q, Goal::Pose(*goal))?;
    // Where joints are stretched no step leads inwards: a start beside it does.
    let (came, near) = (q.to_vec(), residual);
    for (k, q) in q.iter_mut().enumerate() {
        let (bent, _) = within(tree, k, start[k] + if k % 2 == 0 { BENT } else { -BENT });
        *q = bent;
    }
    let residual = solve(tools, q, Goal::Pose(*goal))?;
    let distance = |of: Residual| of.position / tree.reach(frame).max(f64::MIN_POSITIVE) + of.orientation;
    let is_better = distance(residual) < 0.9 * distance(near);
    let mut residual = if is_better { residual } else { near };
    if !is_better {
        q.copy_from_slice(&came);
    }
    // Fewer than six joints cannot choose an attitude as well: the place goes before it.
    if tree.path_to_base(tree.frames()[frame].body.unwrap_or_default()).count() < 6 {
        let before = pose_of(tree, frame, &start);
        let missed = solve(tools, q, Goal::Position(goal.position));
        let is_moved = (goal.position - before.position).norm() > REACHED.position;
        if missed.is_none() && is_moved {
            return None;
        }
        let now = pose_of(tree, frame, q);
        residual = Residual {
            position: (goal.position - now.position).norm(),
            orientation: turn_between(&now.rotation, &goal.rotation).norm(),
        };
    }
    Some(left(tree, q, [residual.position, residual.orientation]))
}

/// The pose of a frame.
fn pose_of(tree: &Mechanism, frame: usize, q: &[f64]) -> Pose {
    let mut workspace = kinematics::Workspace::new(tree);
    workspace.sweep_at_rest(tree, q);
    workspace.base_from_frame(tree, frame, 0.0)
}

/// Why a frame did not come to its goal.
fn left(tree: &Mechanism, q: &[f64], [way, turn]: [f64; 2]) -> String {
    let is_at_limit = |row: &usize| {
        let limits = tree.limits()[*row];
        let position = positions_of_rows(tree)[*row].map(|k| q[k]);
        position.is_some_and(|q| q <= limits.lower || q >= limits.upper)
    };
    let held: Vec<&str> =
        (0..tree.dof().min(MANY)).filter(is_at_limit).map(|row| tree.joint_names()[row].as_str()).collect();
    let limits = match held.as_slice() {
        [] => String::new(),
        [one] => format!("; joint {one} is at its limit"),
        several => format!("; joints {} are at their limits", several.join(", ")),
    };
    format!("out of reach: {:.1} mm and {:.1}° are left{limits}", 1e3 * way, turn.to_degrees())
}

/// A frame of a tree whose coordinates are not its rows.
struct Rows<'t> {
    tree: &'t Mechanism,
    own: &'t Coordinates,
    frame: usize,
    goal: &'t Pose,
    length: f64,
    q: Vec<f64>,
    before: Vec<f64>,
    rows: Vec<f64>,
    kinematics: kinematics::Workspace,
}

impl<'t> Rows<'t> {
    fn new(tree: &'t Mechanism, own: &'t Coordinates, q: &[f64], frame: usize, goal: &'t Pose) -> Self {
        Self {
            tree,
            own,
            frame,
            goal,
            length: tree.reach(frame).max(f64::MIN_POSITIVE),
            q: q.to_vec(),
            before: q.to_vec(),
            rows: vec![0.0; tree.dof()],
            kinematics: kinematics::Workspace::new(tree),
        }
    }

    fn residual(&mut self) -> [f64; 2] {
        let [x, y, z, a, b, c] = self.error();
        [self.length * (x * x + y * y + z * z).sqrt(), (a * a + b * b + c * c).sqrt()]
    }
}

impl Pulled for Rows<'_> {
    fn freedoms(&self) -> usize {
        self.own.velocities().len()
    }

    fn error(&mut self) -> [f64; 6] {
        self.own.anchor(&self.q, &mut self.rows);
        self.kinematics.sweep_at_rest(self.tree, &self.rows);
        let pose = self.kinematics.base_from_frame(self.tree, self.frame, 0.0);
        pull::between(&pose, self.goal, self.length)
    }

    fn jacobian(&mut self, jacobian: &mut [f64]) -> bool {
        self.own.anchor(&self.q, &mut self.rows);
        let of_rows = kinematics::jacobian(self.tree, &mut self.kinematics, &self.rows, self.frame, Axes::Base);
        self.own.columns(of_rows, jacobian);
        let width = self.own.velocities().len();
        for row in jacobian.chunks_exact_mut(width).take(3) {
            row.iter_mut().for_each(|entry| *entry /= self.length);
        }
        true
    }

    fn advance(&mut self, step: &[f64]) -> bool {
        self.before.copy_from_slice(&self.q);
        self.own.integrate(&mut self.q, step);
        for (row, position) in positions_of_rows(self.tree).into_iter().enumerate() {
            if let Some(position) = position {
                self.q[position] = within(self.tree, row, self.q[position]).0;
            }
        }
        true
    }

    fn back(&mut self) {
        self.q.copy_from_slice(&self.before);
    }
}
