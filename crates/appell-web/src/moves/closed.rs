//! Moves of robots with loops: of the drives, of a joint, of the platform or another frame; loops stay closed on the whole way.

use super::pull::{self, Pulled};
use super::{Ended, at_limit, within};
use crate::place::Held;
use appell::closed::assembly::{self, AssemblyError};
use appell::closed::coordinates::Coordinates;
use appell::closed::formulation::{self, Formulation};
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration};
use appell::kinematics;
use appell::mechanism::Axes;
use appell::spatial::{Pose, turn_between, turned};

/// The longest step on the way, over the characteristic length, or rad.
const STEP: f64 = 0.25;

/// Steps of one move at most: a goal that is farther away than they reach is come nearer by so much.
const MOST_STEPS: f64 = 60.0;

/// What is said then.
const FAR: &str = "too far for one move: it went a part of the way";

/// How often a step that fails is shortened, and by which factor: a thousandth of the characteristic length is what a hand can see.
/// Of a robot of many velocities that is solved as a whole each trial takes a part of a millisecond.
const TRIALS: (usize, f64) = (8, 0.5);
const TRIALS_OF_MANY: (usize, f64) = (4, 0.25);
const MANY: usize = 16;

/// A joint that turns by more than this, rad or characteristic lengths, in one step has jumped.
const JUMP: f64 = 1.5;

/// Steps of a pull.
const PULLS: usize = 60;

/// What is left of a way, over the characteristic length, or rad, counts as nothing below this.
const ROUNDING: f64 = 1e-7;

/// A distance to a singularity below this is the reason why a move ended.
const SINGULAR: f64 = 1e-2;

/// Memory of the moves.
pub(crate) struct Tools {
    assembly: assembly::Workspace,
    coordinates: Coordinates,
    formulation: formulation::Workspace,
    kinematics: kinematics::Workspace,
    singularity: singularity::Workspace,
}

impl Tools {
    pub(super) fn new(robot: &ClosedMechanism) -> Self {
        Self {
            assembly: assembly::Workspace::new(robot),
            coordinates: Coordinates::new(robot),
            formulation: formulation::Workspace::new(robot, Formulation::of(robot)[0]),
            kinematics: kinematics::Workspace::new(robot.tree()),
            singularity: singularity::Workspace::new(robot),
        }
    }

    /// How near singularities are.
    pub(crate) fn singularity(&mut self) -> &mut singularity::Workspace {
        &mut self.singularity
    }

    /// What motions are computed with.
    pub(crate) fn formulation(&mut self) -> &mut formulation::Workspace {
        &mut self.formulation
    }

    /// Why a move ends here: a singularity that is near, else what the solver said.
    fn reason(&mut self, robot: &ClosedMechanism, at: &Configuration, error: &AssemblyError) -> String {
        let measures = singularity::measures(robot, &mut self.singularity, at, &Metric::of(robot));
        let (type1, type2) = (measures.type1(), measures.type2());
        let nearest = measures.nearest_leg().map(|leg| robot.legs()[leg].name.clone());
        match error {
            AssemblyError::NotFinite => "not a finite number".into(),
            AssemblyError::Lost if type2 < SINGULAR => "Type 2 met: the drives would not hold the platform".into(),
            AssemblyError::OutOfReach { leg, .. } => format!("out of reach of leg {leg}"),
            AssemblyError::OtherMode { leg, joint, .. } => {
                format!("Type 1 met: leg {leg} is stretched or folded at joint {joint}")
            }
            _ if type1 < SINGULAR => match nearest {
                Some(leg) => format!("Type 1 met: leg {leg} is stretched or folded"),
                None => "Type 1 met: the robot is stretched or folded".into(),
            },
            AssemblyError::Lost => "Type 2 or the end of reach met on the way".into(),
            AssemblyError::Held { closure, .. } => format!("{closure} holds the platform"),
            AssemblyError::Open { closure, .. } | AssemblyError::Unreached { closure, .. } => {
                format!("out of reach: {closure} would open")
            }
            AssemblyError::Uncoupled { joint, .. } => format!("out of reach: joint {joint} cannot follow"),
        }
    }
}

/// Goes a way in equal steps; a step that fails is halved until hardly anything of it is left. `step` brings a configuration to a
/// part of the way.
fn walk(
    robot: &ClosedMechanism,
    tools: &mut Tools,
    at: &mut Configuration,
    length: f64,
    mut step: impl FnMut(&mut Tools, f64, &mut Configuration) -> Result<(), AssemblyError>,
) -> Ended {
    let steps = (length / STEP).ceil().clamp(1.0, MOST_STEPS);
    let is_slow = robot.velocities() > MANY && robot.legs().is_empty();
    let (trials, shorter) = if is_slow { TRIALS_OF_MANY } else { TRIALS };
    let mut next = at.clone();
    let mut gone = 0.0;
    for k in 1..=steps as usize {
        let mut goal = k as f64 / steps;
        let mut refused = None;
        for _ in 0..=trials {
            next.clone_from(at);
            let came = step(tools, goal, &mut next).and_then(|()| match jumps(robot, at, &next) {
                true => Err(AssemblyError::Lost),
                false => Ok(()),
            });
            let stopped = came.as_ref().ok().and_then(|()| beyond(robot, at, &next));
            match (came, stopped) {
                (Ok(()), None) => {
                    core::mem::swap(at, &mut next);
                    gone = goal;
                    // Once refused, the rest of the step is tried in parts.
                    let Some((_, end)) = &refused else { break };
                    goal = 0.5 * (gone + end);
                }
                (Err(error), _) => {
                    refused = Some((Refusal::Assembly(error), goal));
                    goal = gone + shorter * (goal - gone);
                }
                (Ok(()), Some(limit)) => {
                    refused = Some((Refusal::Limit(limit), goal));
                    goal = gone + shorter * (goal - gone);
                }
            }
        }
        if let Some((refusal, _)) = refused {
            return Some(match refusal {
                Refusal::Limit(limit) => limit,
                Refusal::Assembly(error) => tools.reason(robot, at, &error),
            });
        }
    }
    None
}

/// Why a step was not taken.
enum Refusal {
    Limit(String),
    Assembly(AssemblyError),
}

/// How far a joint goes, rad or characteristic lengths; of a motor behind a gear what that moves.
fn way(robot: &ClosedMechanism, joint: usize, by: f64) -> f64 {
    by.abs() * robot.length_scale(joint) / (robot.length() * robot.gearing(joint))
}

/// Whether a joint is far from where it was: in another assembly, to which no way leads.
fn jumps(robot: &ClosedMechanism, before: &Configuration, after: &Configuration) -> bool {
    (0..before.q.len()).any(|j| way(robot, j, after.q[j] - before.q[j]) > JUMP)
}

/// The first joint that is farther beyond its limits than it was.
fn beyond(robot: &ClosedMechanism, before: &Configuration, after: &Configuration) -> Option<String> {
    let tree = robot.tree();
    let excess = |j: usize, q: f64| (tree.limits()[j].lower - q).max(q - tree.limits()[j].upper);
    let worse = |j: &usize| excess(*j, after.q[*j]) > excess(*j, before.q[*j]).max(0.0);
    let joint = (0..tree.dof()).find(worse)?;
    let limits = tree.limits()[joint];
    Some(at_limit(tree, joint, if after.q[joint] > limits.upper { limits.upper } else { limits.lower }))
}

pub(super) fn set_drives(robot: &ClosedMechanism, tools: &mut Tools, at: &mut Configuration, drives: &[f64]) -> Ended {
    let mut limited = None;
    let goals: Vec<f64> = robot
        .driven()
        .iter()
        .zip(drives)
        .map(|(&j, &drive)| {
            let (goal, why) = within(robot.tree(), j, drive);
            limited = limited.take().or(why);
            goal
        })
        .collect();
    let starts: Vec<f64> = robot.driven().iter().map(|&j| at.q[j]).collect();
    let ways = goals.iter().zip(&starts).zip(robot.driven()).map(|((goal, start), &j)| way(robot, j, goal - start));
    let length = ways.fold(0.0, f64::max);
    let near = (MOST_STEPS * STEP / length).min(1.0); // 1 of a goal that is not there yet, too
    let mut between = starts.clone();
    let stopped = walk(robot, tools, at, near * length, |tools, part, next| {
        for (k, between) in between.iter_mut().enumerate() {
            *between = if near * part == 1.0 { goals[k] } else { starts[k] + near * part * (goals[k] - starts[k]) };
        }
        assembly::follow(robot, &mut tools.assembly, &between, next)
    });
    stopped.or(limited).or_else(|| (near < 1.0).then(|| FAR.into()))
}

pub(super) fn set_joint(
    robot: &ClosedMechanism,
    tools: &mut Tools,
    at: &mut Configuration,
    joint: usize,
    value: f64,
) -> Ended {
    if let Some(drive) = robot.driven().iter().position(|&j| j == joint)
        && robot.driven().len() == robot.freedoms().len()
    {
        let mut drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j]).collect();
        drives[drive] = value;
        return set_drives(robot, tools, at, &drives);
    }
    let (goal, limited) = within(robot.tree(), joint, value);
    let by = goal - at.q[joint];
    let near = (JUMP / way(robot, joint, by)).min(1.0);
    let goal = if near == 1.0 { goal } else { at.q[joint] + near * by };
    let stopped = pulled(robot, tools, at, Goal::Joint(joint, goal)).or(limited);
    stopped.or_else(|| (near < 1.0).then(|| FAR.into()))
}

pub(super) fn set_pose(
    robot: &ClosedMechanism,
    tools: &mut Tools,
    at: &mut Configuration,
    held: Held,
    goal: &Pose,
) -> Ended {
    let dof = robot.tree().dof();
    let is_of_platform = robot.freedoms().iter().all(|&k| k >= dof);
    if held != Held::Platform || !is_of_platform {
        return pulled(robot, tools, at, Goal::Pose(held, *goal));
    }
    let start = at.pose;
    let (way, turn) = (goal.position - start.position, turn_between(&start.rotation, &goal.rotation));
    let (linear, angular) = (way.to_array(), turn.to_array());
    let free = |k: usize| robot.freedoms().contains(&(dof + k));
    let longest =
        |parts: &[f64; 3], from: usize| (0..3).filter(|k| free(from + k)).map(|k| parts[k].abs()).fold(0.0, f64::max);
    let length = (longest(&linear, 0) / robot.length()).max(longest(&angular, 3));
    let near = (MOST_STEPS * STEP / length).min(1.0);
    let mut x = vec![0.0; robot.freedoms().len()];
    let stopped = walk(robot, tools, at, near * length, |tools, part, next| {
        let goal = match near * part {
            1.0 => *goal,
            part => {
                Pose { position: start.position + way.scale(part), rotation: turned(&start.rotation, turn.scale(part)) }
            }
        };
        let ahead = (goal.position - next.pose.position).to_array();
        let turn = turn_between(&next.pose.rotation, &goal.rotation).to_array();
        for (x, &k) in x.iter_mut().zip(robot.freedoms()) {
            *x = if k < dof + 3 { ahead[k - dof] } else { turn[k - dof - 3] };
        }
        tools.coordinates.anchor(next);
        tools.coordinates.place(robot, &x, next)
    });
    if near < 1.0 {
        return stopped.or_else(|| Some(FAR.into()));
    }
    stopped.or_else(|| {
        let (left, turn) =
            ((goal.position - at.pose.position).to_array(), turn_between(&at.pose.rotation, &goal.rotation).to_array());
        let asked = |k: usize| if k < 3 { linear[k] / robot.length() } else { angular[k - 3] };
        let left = |k: usize| if k < 3 { left[k] / robot.length() } else { turn[k - 3] };
        let refused: Vec<&str> = (0..6)
            .filter(|&k| !free(k) && asked(k).abs() > ROUNDING && left(k).abs() > ROUNDING)
            .map(|k| ["x", "y", "z", "turn about x", "turn about y", "turn about z"][k])
            .collect();
        (!refused.is_empty()).then(|| format!("{} cannot be chosen: the others decide", refused.join(", ")))
    })
}

/// Brings all joints to positions that close the loops, or nearly.
pub(super) fn put(robot: &ClosedMechanism, tools: &mut Tools, at: &mut Configuration, q: &[f64]) -> Ended {
    let before = at.pose;
    for pose in [before, robot.home().pose] {
        at.q.copy_from_slice(q);
        at.pose = pose;
        if assembly::with_joints(robot, &mut tools.assembly, at).is_ok() {
            return None;
        }
    }
    Some("the loops do not close with these positions of the joints".into())
}

/// What is pulled at.
#[derive(Clone, Copy)]
enum Goal {
    Pose(Held, Pose),
    Joint(usize, f64),
}

/// Pulls at a frame or a joint; all else follows.
fn pulled(robot: &ClosedMechanism, tools: &mut Tools, at: &mut Configuration, goal: Goal) -> Ended {
    let mut hand = Hand { robot, tools, before: at.clone(), at, goal, stopped: None };
    if pull::pull(&mut hand, PULLS) {
        return None;
    }
    let [x, y, z, a, b, c] = hand.error();
    let why = match hand.stopped.take() {
        Some(Refusal::Limit(limit)) => format!("; {limit}"),
        Some(Refusal::Assembly(error)) => format!("; {}", hand.tools.reason(robot, hand.at, &error)),
        None => String::new(),
    };
    let (way, turn) = (robot.length() * (x * x + y * y + z * z).sqrt(), (a * a + b * b + c * c).sqrt());
    match goal {
        // A robot of few degrees of freedom comes as near as it can.
        Goal::Pose(..) => {
            Some(format!("as near as it comes: {:.1} mm and {:.1}° are left{why}", 1e3 * way, turn.to_degrees()))
        }
        Goal::Joint(..) => Some(format!("it does not come there{why}")),
    }
}

/// A frame, the platform or a joint in a hand.
struct Hand<'h> {
    robot: &'h ClosedMechanism,
    tools: &'h mut Tools,
    at: &'h mut Configuration,
    before: Configuration,
    goal: Goal,
    stopped: Option<Refusal>,
}

impl Pulled for Hand<'_> {
    fn freedoms(&self) -> usize {
        self.robot.freedoms().len()
    }

    fn error(&mut self) -> [f64; 6] {
        let Self { robot, tools, at, goal, .. } = self;
        match goal {
            Goal::Joint(joint, value) => {
                let scale = robot.length_scale(*joint) / robot.length();
                [(*value - at.q[*joint]) * scale, 0.0, 0.0, 0.0, 0.0, 0.0]
            }
            Goal::Pose(Held::Platform, goal) => pull::between(&at.pose, goal, robot.length()),
            Goal::Pose(Held::Frame(frame), goal) => {
                tools.kinematics.sweep_at_rest(robot.tree(), &at.q);
                let pose = tools.kinematics.base_from_frame(robot.tree(), *frame, 0.0);
                pull::between(&pose, goal, robot.length())
            }
        }
    }

    fn jacobian(&mut self, jacobian: &mut [f64]) -> bool {
        let Self { robot, tools, at, goal, .. } = self;
        let (n, dof, length) = (robot.freedoms().len(), robot.tree().dof(), robot.length());
        let Ok(z) = formulation::complement(robot, &mut tools.formulation, at) else { return false };
        match goal {
            Goal::Joint(joint, _) => {
                jacobian.fill(0.0);
                let scale = robot.length_scale(*joint) / length;
                jacobian[..n].iter_mut().zip(&z[*joint * n..]).for_each(|(entry, z)| *entry = scale * z);
            }
            Goal::Pose(Held::Platform, _) => {
                jacobian.copy_from_slice(&z[dof * n..]);
                jacobian[..3 * n].iter_mut().for_each(|entry| *entry /= length);
            }
            Goal::Pose(Held::Frame(frame), _) => {
                let of_tree = kinematics::jacobian(robot.tree(), &mut tools.kinematics, &at.q, *frame, Axes::Base);
                for (i, row) in jacobian.chunks_exact_mut(n).enumerate() {
                    for (k, entry) in row.iter_mut().enumerate() {
                        let sum: f64 = (0..dof).map(|j| of_tree[i * dof + j] * z[j * n + k]).sum();
                        *entry = if i < 3 { sum / length } else { sum };
                    }
                }
            }
        }
        true
    }

    fn advance(&mut self, step: &[f64]) -> bool {
        let Self { robot, tools, at, before, stopped, .. } = self;
        before.clone_from(at);
        tools.coordinates.anchor(at);
        if let Err(error) = tools.coordinates.place(robot, step, at) {
            *stopped = Some(Refusal::Assembly(error));
            return false;
        }
        if jumps(robot, before, at) {
            *stopped = Some(Refusal::Assembly(AssemblyError::Lost));
            return false;
        }
        if let Some(limit) = beyond(robot, before, at) {
            *stopped = Some(Refusal::Limit(limit));
            return false;
        }
        true
    }

    fn back(&mut self) {
        self.at.clone_from(&self.before);
    }
}
