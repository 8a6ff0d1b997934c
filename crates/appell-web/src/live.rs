//! Everything that is shown live at the present state: forces, energies, Jacobian, singularities, reactions.

use crate::asked::MOST_OF_JACOBIAN;
use crate::bench::{Bench, Rates};
use crate::drawn::{Node, Point, Sketch};
use crate::moves::Tools;
use crate::numbers::PoseNumbers;
use crate::place::{Held, Place, positions_of_rows};
use appell::closed::formulation;
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, On};
use appell::kinematics;
use appell::linear::Jacobi;
use appell::question::Question;
use appell::spatial::{Pose, Vec3};
use appell::{Model, Robot};
use serde::Serialize;

/// Robots of more degrees of freedom than this have no inertia matrix and no reactions live: nobody reads them, and a page would
/// stand still.
const MOST_LIVE: usize = 60;

/// A singular value below this, over the largest, is none.
const NOTHING: f64 = 1e-9;

/// Joints within this of one point, over the characteristic length, may be drawn on a sphere around it.
const MEET: f64 = 1e-6;

/// `Live` of the contract.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Live {
    q: Vec<f64>,
    v: Vec<f64>,
    pose: PoseNumbers,
    twist: Vec<f64>,
    drives: Vec<f64>,
    /// Torques and forces of the drives.
    pub tau: Option<Vec<f64>>,
    /// Their part at rest.
    pub gravity: Option<Vec<f64>>,
    /// What the motion adds.
    pub dynamic: Option<Vec<f64>>,
    /// Of the degrees of freedom, by rows.
    pub inertia: Option<Vec<Vec<f64>>>,
    /// Of the motion and of gravity.
    pub energy: Option<Energy>,
    /// Centre of mass.
    pub com: Option<Point>,
    /// The characteristic length that takes the units from a Jacobian, m.
    pub length: Option<f64>,
    /// Of the Jacobian of the output, without units.
    pub singular_values: Option<Vec<f64>>,
    /// Of the Jacobian of the output, in m and rad.
    pub manipulability: Option<f64>,
    /// Of the Jacobian of the output, without units.
    pub inverse_condition: Option<f64>,
    ellipsoids: Option<Ellipsoids>,
    /// Of robots with loops.
    pub singularity: Option<Singularity>,
    /// What each joint transmits, in base axes.
    pub reactions: Option<Vec<Reaction>>,
    beyond: Vec<usize>,
    notes: Vec<String>,
}

/// J.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Energy {
    /// Of the motion.
    pub kinetic: f64,
    /// Of gravity and springs.
    pub potential: f64,
}

#[derive(Debug, Clone, Serialize)]
struct Ellipsoids {
    velocity: Vec<Point>,
    force: Vec<Point>,
}

/// Distances to singularities, from 1 to 0.
#[derive(Debug, Clone, Serialize)]
pub struct Singularity {
    /// Of the nearest leg.
    pub type1: f64,
    /// Of the drives.
    pub type2: f64,
    /// Of the constraints.
    pub constraints: f64,
    legs: Vec<LegNearness>,
    freedoms: usize,
    side: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
struct LegNearness {
    name: String,
    type1: f64,
}

/// What a joint transmits.
#[derive(Debug, Clone, Serialize)]
pub struct Reaction {
    joint: String,
    at: Point,
    /// N, in base axes.
    pub force: Point,
    /// N m about the joint, in base axes.
    pub moment: Point,
}

impl Bench {
    /// Everything at the present state.
    pub fn live(&mut self) -> Live {
        let mut live = Live {
            q: self.q().to_vec(),
            pose: self.pose(),
            drives: self.drives(),
            beyond: beyond(&self.robot, &self.place),
            ..Live::default()
        };
        let freedoms = self.robot.freedoms().len();
        let rest = Rates { v: vec![0.0; freedoms], a: vec![0.0; freedoms] };
        let rates = self.in_motion().unwrap_or_else(|error| {
            live.notes.push(error);
            rest.clone()
        });
        live.fill_motion(self, &rates);
        live.fill_forces(self, &rates, &rest);
        live.energy = live.asked(self, Question::Energy, &rates).map(|of| Energy { kinetic: of[0], potential: of[1] });
        live.com = live.asked(self, Question::CentreOfMass, &rest).map(|of| [of[0], of[1], of[2]]);
        live.fill_jacobian(self, &rest);
        live.notes.dedup();
        live
    }
}

impl Live {
    /// An answer, or a note why there is none.
    fn asked(&mut self, bench: &mut Bench, question: Question, rates: &Rates) -> Option<Vec<f64>> {
        match bench.answer(question, rates) {
            Ok(row) => Some(row.to_vec()),
            Err(error) => {
                let note = format!("{}: {error}", question.name());
                if !self.notes.iter().any(|own| own.ends_with(&error)) {
                    self.notes.push(note);
                }
                None
            }
        }
    }

    /// Velocities of the joints and the twist of the output.
    fn fill_motion(&mut self, bench: &mut Bench, rates: &Rates) {
        let Bench { robot, place, tools, held, .. } = bench;
        let is_at_rest = rates.v.iter().all(|&v| v == 0.0);
        match (robot.model(), &*place, tools) {
            (Model::Closed(closed), Place::Closed(at), Tools::Closed(tools)) => {
                self.v = vec![0.0; closed.tree().dof()];
                self.twist = vec![0.0; 6];
                if is_at_rest {
                    return;
                }
                match formulation::motion(closed, tools.formulation(), at, &rates.v, &rates.a) {
                    Ok((u, _)) => {
                        let (joints, platform) = u.split_at(closed.tree().dof());
                        self.v.copy_from_slice(joints);
                        self.twist = match *held {
                            Held::Platform => platform.to_vec(),
                            Held::Frame(frame) => twist_of(robot, &at.q, joints, frame),
                        };
                    }
                    Err(error) => self.notes.push(error.to_string()),
                }
            }
            _ => {
                self.v.clone_from(&rates.v);
                self.twist = match (*held, is_at_rest) {
                    (Held::Frame(frame), false) => {
                        let rows = place.rows(robot);
                        let mut of_rows = rates.v.clone();
                        if let Some(own) = robot.tree().coordinates() {
                            of_rows = vec![0.0; robot.tree().dof()];
                            own.spread(&rates.v, &mut of_rows);
                        }
                        twist_of(robot, &rows, &of_rows, frame)
                    }
                    _ => vec![0.0; 6],
                };
            }
        }
    }

    /// Torques and forces of the drives and their parts, the inertia matrix, reactions.
    fn fill_forces(&mut self, bench: &mut Bench, rates: &Rates, rest: &Rates) {
        self.tau = self.asked(bench, Question::InverseDynamics, rates);
        let is_at_rest = rates.v.iter().chain(&rates.a).all(|&x| x == 0.0);
        self.gravity = match is_at_rest {
            true => self.tau.clone(),
            false => self.tau.is_some().then(|| self.asked(bench, Question::InverseDynamics, rest)).flatten(),
        };
        if let (Some(tau), Some(gravity)) = (&self.tau, &self.gravity) {
            self.dynamic = Some(tau.iter().zip(gravity).map(|(tau, gravity)| tau - gravity).collect());
        }
        let freedoms = rest.v.len();
        if bench.robot.tree().dof() > MOST_LIVE {
            self.notes.push(format!("inertia matrix and reactions are left out: {freedoms} degrees of freedom"));
            return;
        }
        let inertia = self.asked(bench, Question::InertiaMatrix, rest);
        self.inertia = inertia.map(|all| all.chunks(freedoms.max(1)).map(<[f64]>::to_vec).collect());
        let reactions = self.asked(bench, Question::Reactions, rates);
        self.reactions = reactions.map(|row| in_base_axes(&bench.robot, &bench.place, &row));
    }

    /// The Jacobian of the output, and the singularities of a robot with loops.
    fn fill_jacobian(&mut self, bench: &mut Bench, rest: &Rates) {
        let mut length = 1.0;
        if let (Model::Closed(closed), Place::Closed(at), Tools::Closed(tools)) =
            (bench.robot.model(), &bench.place, &mut bench.tools)
        {
            length = closed.length();
            self.length = Some(length);
            self.fill_singularity(closed, tools.singularity(), at);
            if closed.platform().is_none() {
                return self.notes.push("without a platform or output there is no Jacobian; choose an output".into());
            }
        } else if bench.robot.tree().velocities().len() > MOST_OF_JACOBIAN {
            return self.notes.push("the Jacobian is left out of a robot of so many joints".into());
        } else if let (Held::Frame(frame), Place::Tree(_)) = (bench.held, &bench.place) {
            let tree = bench.robot.tree();
            let metric = kinematics::singularity::Metric::of(tree, frame);
            if metric.length > 0.0 && !tree.velocities().is_empty() {
                let mut workspace = kinematics::singularity::Workspace::new(tree);
                let rows = bench.place.rows(&bench.robot);
                let measures = kinematics::singularity::measures(tree, &mut workspace, &rows, frame, &metric);
                let most = tree.velocities().len().min(6);
                self.length = Some(metric.length);
                self.singular_values = Some(measures.singular_values[..most].to_vec());
                self.manipulability = Some(measures.manipulability);
                self.inverse_condition = Some(measures.inverse_condition);
            }
        }
        let Some(jacobian) = self.asked(bench, Question::Jacobian, rest) else { return };
        let drives = jacobian.len() / 6;
        if drives == 0 || !jacobian.iter().all(|x| x.is_finite()) {
            return;
        }
        if bench.robot.closed().is_some() {
            let units: Vec<f64> = bench.robot.drives().iter().map(|drive| drive.kind.pick(1.0, length)).collect();
            let entry = |k: usize| {
                let (i, j) = (k / drives, k % drives);
                jacobian[k] * units[j] / if i < 3 { length } else { 1.0 }
            };
            self.measure(
                &jacobian,
                &(0..jacobian.len()).map(entry).collect::<Vec<f64>>(),
                bench.robot.freedoms().len(),
            );
        }
        self.ellipsoids = ellipsoids(&jacobian[..3 * drives], drives);
    }

    /// Singular values of the Jacobian of a platform, of which as many count as there are degrees of freedom.
    fn measure(&mut self, plain: &[f64], dimensionless: &[f64], freedoms: usize) {
        let drives = plain.len() / 6;
        let most = freedoms.min(drives).min(6);
        let mut jacobi = Jacobi::new(6, drives);
        jacobi.decompose(plain);
        self.manipulability = Some(jacobi.values()[..most].iter().product());
        jacobi.decompose(dimensionless);
        let values = &jacobi.values()[..most];
        self.singular_values = Some(values.to_vec());
        self.inverse_condition = match (values.first(), values.last()) {
            (Some(&largest), Some(&least)) if largest > 0.0 => Some(least / largest),
            _ => None,
        };
    }

    fn fill_singularity(&mut self, robot: &ClosedMechanism, ws: &mut singularity::Workspace, at: &Configuration) {
        let measures = singularity::measures(robot, ws, at, &Metric::of(robot));
        let legs = robot.legs().iter().zip(measures.legs).filter(|(leg, _)| !leg.joints.is_empty());
        let determinant = measures.inverse_jacobian.and_then(|j_inv| j_inv.determinant);
        self.singularity = Some(Singularity {
            type1: measures.type1(),
            type2: measures.type2(),
            constraints: measures.constraints.inverse_condition,
            legs: legs
                .map(|(leg, nearness)| LegNearness { name: leg.name.clone(), type1: nearness.inverse_condition })
                .collect(),
            freedoms: measures.freedoms,
            side: determinant.filter(|det| det.is_finite() && *det != 0.0).map(f64::signum),
        });
        if let Some(joint) = robot.singular_angles(at) {
            self.notes.push(format!("the three angles of {joint} are singular here, not the robot"));
        }
    }
}

/// The twist of a frame of the tree.
fn twist_of(robot: &Robot, rows: &[f64], rates: &[f64], frame: usize) -> Vec<f64> {
    let mut workspace = kinematics::Workspace::new(robot.tree());
    kinematics::velocities(robot.tree(), &mut workspace, rows, rates)[frame].to_array().to_vec()
}

/// The joints beyond their limits, as numbers of `q`.
fn beyond(robot: &Robot, place: &Place) -> Vec<usize> {
    let tree = robot.tree();
    let is_beyond = |row: usize, q: f64| q < tree.limits()[row].lower || q > tree.limits()[row].upper;
    match place {
        Place::Closed(at) => (0..tree.dof()).filter(|&j| is_beyond(j, at.q[j])).collect(),
        Place::Tree(q) => {
            let rows = positions_of_rows(tree).into_iter().enumerate();
            rows.filter_map(|(row, k)| k.filter(|&k| is_beyond(row, q[k]))).collect()
        }
    }
}

/// Principal axes of velocities and forces of the linear part of a Jacobian, 3 × n row by row, per unit in the drives. A direction in
/// which nothing moves has no length in either: there the structure bears any force.
fn ellipsoids(linear: &[f64], drives: usize) -> Option<Ellipsoids> {
    let mut jacobi = Jacobi::new(3, drives);
    jacobi.decompose(linear);
    let values = jacobi.values();
    let largest = values.first().copied().filter(|&largest| largest > NOTHING)?;
    let axis = |k: usize, size: f64| -> Point { core::array::from_fn(|i| size * jacobi.left(k)[i]) };
    let value = |k: usize| values.get(k).copied().filter(|&value| value > NOTHING * largest);
    Some(Ellipsoids {
        velocity: (0..3).map(|k| value(k).map_or([0.0; 3], |value| axis(k, value))).collect(),
        force: (0..3).map(|k| value(k).map_or([0.0; 3], |value| axis(k, 1.0 / value))).collect(),
    })
}

/// Reactions as the question answers them, in the axes of each joint's frame, turned into base axes.
fn in_base_axes(robot: &Robot, place: &Place, row: &[f64]) -> Vec<Reaction> {
    let (tree, frames) = (robot.tree(), place.frames(robot));
    let own = |j: usize| frames[j] * tree.frames()[j].body_from_frame.inverse();
    let mut all: Vec<(String, Point, Pose)> =
        tree.shown().map(|j| (tree.joint_names()[j].clone(), own(j).position.to_array(), frames[j])).collect();
    if let (Some(closed), Some(at)) = (robot.closed(), place.configuration()) {
        for closure in closed.closures() {
            let carrier = match closure.second.on {
                On::Base => Pose::identity(0.0),
                On::Body(body) => own(body),
                On::Platform => at.pose,
            };
            let pose = carrier * closure.second.pose;
            all.push((closure.name.clone(), pose.position.to_array(), pose));
        }
    }
    // Where all axes meet, joints are drawn on a sphere around the point in which their frames are: so are their forces.
    let meet = |closed: &&ClosedMechanism| {
        let near = |one: &Point, other: &Point| (0..3).all(|k| (one[k] - other[k]).abs() < MEET * closed.length());
        all.windows(2).all(|pair| near(&pair[0].1, &pair[1].1))
    };
    let drawn = robot.closed().filter(meet).map(|_| Sketch::new(robot, place));
    if let Some(drawn) = drawn.filter(Sketch::is_on_sphere) {
        for (joint, at, _) in &mut all {
            let is_sign = |node: &&Node| node.name.split(", ").any(|name| name == joint);
            *at = drawn.nodes.iter().find(is_sign).map_or(*at, |node| node.at);
        }
    }
    let reaction = |((joint, at, pose), wrench): ((String, Point, Pose), &[f64])| {
        let vector = |k: usize| (pose.rotation * Vec3::new(wrench[k], wrench[k + 1], wrench[k + 2])).to_array();
        Reaction { joint, at, force: vector(0), moment: vector(3) }
    };
    all.into_iter().zip(row.chunks_exact(6)).map(reaction).collect()
}
