//! What of a robot with closed loops is drawn, in space: bars, joints, the base and the platform.
//!
//! Where all axes meet in one point nothing would be seen of it: there links are arcs of great circles between the
//! points in which the axes leave a sphere ([`Sphere`]).

use super::placed::Placed;
use super::sphere::Sphere;
use crate::notation;
use appell::closed::{ClosedMechanism, Configuration, Constraint, On};
use appell::description::{ClosingJoint, JointKind};
use appell::spatial::{Pose, Vec3};

/// Points nearer than this, over the characteristic length, are one.
const SAME: f64 = 1e-6;

/// A robot with closed loops in one configuration, in the base frame.
pub(super) struct Linkage {
    pub(super) bars: Vec<Bar>,
    pub(super) nodes: Vec<Node>,
    /// Where the base carries joints, around it.
    pub(super) base: Vec<Vec3>,
    /// Where legs hold the platform, around it.
    pub(super) platform: Vec<Vec3>,
    /// Where the platform is, if there is one.
    pub(super) pose: Option<Pose>,
    /// Names, and what they are beside.
    pub(super) names: Vec<(String, Vec3)>,
    /// The sphere on which arcs stand for links.
    pub(super) sphere: Option<Sphere>,
}

/// A line of a link.
pub(super) struct Bar {
    pub(super) line: Vec<Vec3>,
    pub(super) class: &'static str,
}

/// One joint, or several that are drawn as one.
pub(super) struct Node {
    pub(super) sign: ClosingJoint,
    pub(super) name: String,
    pub(super) at: Vec3,
    /// Its axes: about or along the first.
    pub(super) axes: [Vec3; 2],
    pub(super) driven: bool,
    pub(super) closing: bool,
    /// The first joint of the tree that it stands for; none of closing joints.
    pub(super) joint: Option<usize>,
}

/// How joints are drawn, in the order of a legend.
pub(super) const SIGNS: [ClosingJoint; 6] = [
    ClosingJoint::Revolute,
    ClosingJoint::Prismatic,
    ClosingJoint::Universal,
    ClosingJoint::Spherical,
    ClosingJoint::Cylindrical,
    ClosingJoint::Rigid,
];

impl Linkage {
    /// The robot at an assembled configuration.
    pub(super) fn new(robot: &ClosedMechanism, at: &Configuration) -> Self {
        let placed = Placed::new(robot, at);
        let mut linkage = Self {
            bars: Vec::new(),
            nodes: Vec::new(),
            base: Vec::new(),
            platform: Vec::new(),
            pose: robot.platform().map(|_| at.pose),
            names: Vec::new(),
            sphere: Sphere::of(&placed),
        };
        linkage.add_joints(&placed);
        linkage.add_closures(&placed);
        linkage.add_names(&placed);
        linkage.base = around(distinct(&linkage.base, SAME * robot.length()));
        linkage.platform = around(distinct(&linkage.platform, SAME * robot.length()));
        if let &[from, to] = linkage.platform.as_slice() {
            linkage.bars.push(Bar { line: linkage.between(from, to), class: "bone" });
        }
        linkage
    }

    /// The joints of the tree, with the links that lead to them.
    fn add_joints(&mut self, placed: &Placed<'_>) {
        let tree = placed.robot.tree();
        let mut node_of: Vec<usize> = Vec::new();
        let loose = loose_rows(placed.robot);
        for (j, link) in tree.links().iter().enumerate() {
            if loose[j].is_some() {
                node_of.push(usize::MAX);
                continue;
            }
            let (at, axis) = (self.point(placed, j), placed.poses[j].rotation.column(2));
            let from = link.parent.map(|parent| self.point(placed, parent));
            let mut sign_at = at;
            match link.joint {
                JointKind::Revolute => self.lead(from, at),
                JointKind::Prismatic => sign_at = self.add_slide(placed, j, from, at, axis),
            }
            let driven = placed.robot.driven().contains(&j);
            let carrier = link
                .parent
                .filter(|&parent| tree.children(parent).len() == 1)
                .map(|parent| node_of[parent])
                .filter(|&node| node < self.nodes.len());
            let meets = |node: &Node| {
                let free = !driven && !node.driven && link.joint == JointKind::Revolute;
                let turns = matches!(node.sign, ClosingJoint::Revolute | ClosingJoint::Universal);
                free && turns && (node.at - at).norm() < SAME * placed.robot.length()
            };
            if let Some(k) = carrier.filter(|&k| meets(&self.nodes[k])) {
                let node = &mut self.nodes[k];
                node.sign =
                    if node.sign == ClosingJoint::Revolute { ClosingJoint::Universal } else { ClosingJoint::Spherical };
                node.axes[1] = axis;
                node.name = format!("{}, {}", node.name, tree.joint_names()[j]);
                node_of.push(k);
                continue;
            }
            let sign = if link.joint == JointKind::Revolute { ClosingJoint::Revolute } else { ClosingJoint::Prismatic };
            let axes = [axis, placed.poses[j].rotation.column(0)];
            node_of.push(self.nodes.len());
            let name = tree.joint_names()[j].clone();
            self.nodes.push(Node { sign, name, at: sign_at, axes, driven, closing: false, joint: Some(j) });
        }
    }

    /// A slide: a sleeve on the body before it, a rod on its own, and where its sign is: between both. On the base, a
    /// rail with the sign on it.
    fn add_slide(&mut self, placed: &Placed<'_>, j: usize, from: Option<Vec3>, at: Vec3, axis: Vec3) -> Vec3 {
        let Some(from) = from else {
            let (limits, q) = (placed.robot.tree().limits()[j], placed.at.q[j]);
            let known = (limits.upper - limits.lower).is_finite();
            let ends = if known { [limits.lower - q, limits.upper - q] } else { [-q, 0.0] };
            self.bars.push(Bar { line: ends.map(|s| at + axis.scale(s)).to_vec(), class: "rail" });
            self.base.push(at + axis.scale(ends[0]));
            return at;
        };
        let foot = at - axis.scale(axis.dot(at - from));
        let middle = (foot + at).scale(0.5);
        self.lead(Some(from), foot);
        self.bars.push(Bar { line: vec![foot, middle], class: "sleeve" });
        self.bars.push(Bar { line: vec![middle, at], class: "rod" });
        middle
    }

    /// The closing joints, with the links that lead to them from both sides.
    fn add_closures(&mut self, placed: &Placed<'_>) {
        // A body that closing joints alone hold looks like a platform, if there is no other.
        let plate = loose_rows(placed.robot).into_iter().flatten().next().filter(|_| placed.robot.legs().is_empty());
        for closure in placed.robot.closures() {
            let Constraint::Joint(kind) = closure.constraint else { continue };
            let [first, second] = [&closure.first, &closure.second].map(|side| placed.frame(side));
            let slider = self.sphere.as_ref().and_then(|sphere| sphere.slider(placed, closure));
            let ends = match (&self.sphere, slider) {
                (_, Some((at, _))) => [at; 2],
                (Some(sphere), None) => [sphere.at_closure(placed, closure); 2],
                (None, None) => [first.position, second.position],
            };
            for (side, end) in [closure.first, closure.second].into_iter().zip(ends) {
                match side.on {
                    On::Base => self.base.push(end),
                    On::Platform => self.platform.push(end),
                    On::Body(body) if Some(body) == plate => self.platform.push(end),
                    On::Body(body) => self.lead(Some(self.point(placed, body)), end),
                }
            }
            if (ends[0] - ends[1]).norm() > SAME * placed.robot.length() {
                self.bars.push(Bar { line: ends.to_vec(), class: "rod" });
            }
            let (sign, axes) = match (kind, slider) {
                (_, Some((at, along))) => (ClosingJoint::Prismatic, [along, at]),
                (ClosingJoint::Universal, None) => {
                    (ClosingJoint::Universal, [first.rotation.column(0), second.rotation.column(1)])
                }
                _ => (kind, [first.rotation.column(2), first.rotation.column(0)]),
            };
            let (name, at) = (closure.name.clone(), ends[1]);
            self.nodes.push(Node { sign, name, at, axes, driven: false, closing: true, joint: None });
        }
    }

    /// The names of legs beside their feet; of all joints where there are no legs.
    fn add_names(&mut self, placed: &Placed<'_>) {
        let robot = placed.robot;
        let foot = |joints: &[usize], closure: usize| match joints.first() {
            Some(&j) => self.point(placed, j),
            None => placed.frame(&robot.closures()[closure].second).position,
        };
        let legs = notation::legs(robot).map(|leg| (leg.name.clone(), foot(&leg.joints, leg.closure)));
        self.names = legs.collect();
        if self.names.is_empty() {
            self.names = self.nodes.iter().map(|node| (node.name.clone(), node.at)).collect();
        }
    }

    /// A link to a point, from another or from the base.
    fn lead(&mut self, from: Option<Vec3>, to: Vec3) {
        let Some(from) = from else {
            self.base.push(to);
            return;
        };
        self.bars.push(Bar { line: self.between(from, to), class: "bone" });
    }

    /// The line of a link between two points.
    pub(super) fn between(&self, from: Vec3, to: Vec3) -> Vec<Vec3> {
        self.sphere.as_ref().map_or_else(|| vec![from, to], |sphere| sphere.arc(from, to))
    }

    /// The outline through points around a body.
    pub(super) fn outline(&self, corners: &[Vec3]) -> Vec<Vec3> {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).flat_map(|(&from, &to)| self.between(from, to)).collect()
    }

    /// Where joint j is drawn.
    fn point(&self, placed: &Placed<'_>, j: usize) -> Vec3 {
        self.sphere.as_ref().map_or(placed.poses[j].position, |sphere| sphere.at_joint(placed, j))
    }

    /// The middle of the points at which the platform is held; its origin where there is but one.
    pub(super) fn middle_of_platform(&self) -> Option<Vec3> {
        let pose = self.pose?;
        Some(if self.platform.len() < 2 { pose.position } else { mean(&self.platform) })
    }

    /// All lines, in pieces.
    pub(super) fn lines(&self) -> Vec<[Vec3; 2]> {
        let bars = self.bars.iter().flat_map(|bar| bar.line.windows(2).map(|ends| [ends[0], ends[1]]));
        let plates = [&self.base, &self.platform].into_iter().flat_map(|corners| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(&a, &b)| [a, b])
        });
        bars.chain(plates).collect()
    }

    /// All points of the robot.
    pub(super) fn points(&self) -> Vec<Vec3> {
        let sphere = self.sphere.iter().flat_map(Sphere::points);
        let lines = self.lines().into_iter().flatten();
        lines.chain(sphere).chain(self.nodes.iter().map(|node| node.at)).chain(self.pose.map(|p| p.position)).collect()
    }

    /// The axis of the base along which one looks at a robot that moves in the plane of the other two.
    pub(super) fn plane(&self) -> Option<usize> {
        let points = self.points();
        let extent = |k: usize| {
            let along = points.iter().map(|p| p[k]);
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        let size = (0..3).map(extent).fold(0.0, f64::max);
        let turns_about = |k: usize| {
            let mut turning = self.nodes.iter().filter(|node| node.sign == ClosingJoint::Revolute);
            turning.all(|node| node.axes[0][k].abs() > 1.0 - 1e-9)
        };
        [2, 1, 0].into_iter().find(|&k| size > 0.0 && extent(k) <= SAME * size && turns_about(k))
    }
}

/// The rows of the tree that stand for no joint: on the base, three slides, and mostly three turns, without bodies or drives let a body
/// move that closing joints alone hold. The last one carries it. The last such row for each row, if it is one.
fn loose_rows(robot: &ClosedMechanism) -> Vec<Option<usize>> {
    use JointKind::{Prismatic, Revolute};
    const KINDS: [JointKind; 6] = [Prismatic, Prismatic, Prismatic, Revolute, Revolute, Revolute];
    let links = robot.tree().links();
    let mut loose = vec![None; links.len()];
    for first in (0..links.len()).filter(|&j| links[j].parent.is_none()) {
        let are_free = |many: usize| {
            links.len() >= first + many
                && KINDS[..many].iter().enumerate().all(|(k, kind)| {
                    let (j, link) = (first + k, &links[first + k]);
                    link.joint == *kind
                        && (k == 0 || link.parent == Some(j - 1))
                        && (k + 1 == many || link.mass == 0.0)
                        && !robot.driven().contains(&j)
                })
        };
        let many = [6, 3].into_iter().find(|&many| are_free(many)).unwrap_or(0);
        loose[first..first + many].fill((first + many).checked_sub(1));
    }
    loose
}

/// Points that are not the same, each once.
fn distinct(points: &[Vec3], near: f64) -> Vec<Vec3> {
    let mut found: Vec<Vec3> = Vec::new();
    for &point in points {
        if found.iter().all(|other| (*other - point).norm() > near) {
            found.push(point);
        }
    }
    found
}

pub(super) fn mean(points: &[Vec3]) -> Vec3 {
    points.iter().fold(Vec3::zero(0.0), |sum, &point| sum + point).scale(1.0 / points.len() as f64)
}

/// Points in their order around their middle.
fn around(mut points: Vec<Vec3>) -> Vec<Vec3> {
    if points.len() < 3 {
        return points;
    }
    let middle = mean(&points);
    let arms: Vec<Vec3> = points.iter().map(|&point| point - middle).collect();
    let pairs = arms.iter().flat_map(|&a| arms.iter().map(move |&b| a.cross(b)));
    let normal = pairs.fold(Vec3::zero(0.0), |best, n| if n.norm() > best.norm() { n } else { best });
    let (x, y) = (arms[0], normal.cross(arms[0]).scale(1.0 / normal.norm().max(f64::MIN_POSITIVE)));
    let angle = |point: &Vec3| y.dot(*point - middle).atan2(x.dot(*point - middle));
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}
