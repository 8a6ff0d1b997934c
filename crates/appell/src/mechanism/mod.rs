//! What we compute with: a robot that was checked once, in order, immutable, with everything precomputed that does
//! not depend on its motion.

mod chart;
mod coordinates;
mod followers;
mod link;
mod motors;
mod placement;

pub use coordinates::{CircularCoupling, Coordinates, NotUnit};
pub use followers::Follower;
pub use link::{Composite, Link, Spin};
pub use motors::{Motors, NotSquare, Transmission};
pub(crate) use placement::Offset;
pub use placement::Placement;

use crate::description::elementary::{Charts, Compound, elementary};
use crate::description::{
    BASE, BodyDescription, Description, Finding, JointEffects, JointKind, JointType, Limits, Problems, check, toml,
    urdf, with_rotors,
};
use crate::spatial::{Pose, Vec3};
use std::collections::HashMap;

/// A robot ready for computing. One that exists is valid: every algorithm takes it as it is.
///
/// Joint, body and coordinate share one index; a parent has a smaller index than its children.
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanism {
    name: String,
    gravity: Vec3<f64>,
    links: Vec<Link>,
    children: Vec<Vec<usize>>,
    joint_names: Vec<String>,
    driven: Vec<bool>,
    effects: Vec<JointEffects>,
    has_effects: bool,
    limits: Vec<Limits>,
    plain_trunk: usize,
    turning: Vec<usize>,
    followers: Vec<Option<Follower>>,
    frames: Vec<Frame>,
    compounds: Vec<Compound>,
    transmissions: Vec<Transmission>,
    is_coupled: bool,
    coordinates: Option<Coordinates>,
}

/// A named frame: where it sits on which body.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// The body that carries it; `None` is the base.
    pub body: Option<usize>,
    /// Where it is, seen from the body's joint frame.
    pub body_from_frame: Pose<f64>,
}

/// Which frame's axes components refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axes {
    /// The frame that does not move.
    #[default]
    Base,
    /// The frame with this index in [`Mechanism::frames`].
    Frame(usize),
}

impl Mechanism {
    /// Checks a description and makes it ready for computing.
    ///
    /// # Errors
    /// Everything [`check()`] finds, warnings included, if any of it is an error. A robot with closed loops is one.
    pub fn new(description: &Description) -> Result<Self, Problems> {
        let mut problems = check(description);
        if description.is_closed() {
            let closures = description.closure_names();
            problems.error("closure", Finding::ClosesLoops { closures });
        }
        if problems.errors() > 0 {
            return Err(problems);
        }
        let whole = with_rotors(description);
        let (description, compounds) = elementary(&whole, Charts::Anchored);
        Ok(Self::open(&description, compounds))
    }

    /// The tree of a description that was found valid and has elementary joints alone, its loops left open.
    pub(crate) fn open(description: &Description, compounds: Vec<Compound>) -> Self {
        let joints = &description.joints;
        let rows: HashMap<&str, usize> = joints.iter().enumerate().map(|(j, joint)| (joint.name.as_str(), j)).collect();
        let index_of = |name: &Option<String>| name.as_ref().and_then(|n| rows.get(n.as_str()).copied());
        let parents: Vec<Option<usize>> = joints.iter().map(|joint| index_of(&joint.parent)).collect();
        let body_frames = joints.iter().enumerate().map(|(j, joint)| Frame {
            name: joint.name.clone(),
            body: Some(j),
            body_from_frame: joint.link_frame,
        });
        let further_frames = description.frames.iter().map(|frame| {
            let body = index_of(&frame.parent);
            let body_from_user = body.map_or(Pose::identity(0.0), |j| joints[j].link_frame);
            Frame { name: frame.name.clone(), body, body_from_frame: body_from_user * frame.pose }
        });
        let mut children = vec![Vec::new(); joints.len()];
        parents.iter().enumerate().for_each(|(j, parent)| parent.iter().for_each(|&p| children[p].push(j)));
        let links = link::link_up(joints, &parents);
        let joint_names: Vec<String> = joints.iter().map(|joint| joint.name.clone()).collect();
        let followers: Vec<Option<Follower>> = joints
            .iter()
            .map(|joint| {
                let mimic = joint.mimic.as_ref()?;
                let leaders = mimic.joints.iter().map(|(name, factor)| Some((*rows.get(name.as_str())?, *factor)));
                Some(Follower { leaders: leaders.collect::<Option<_>>()?, offset: mimic.offset })
            })
            .collect();
        let transmissions = Transmission::all(description, |name| rows.get(name).copied());
        let coordinates = Coordinates::new(&joint_names, &compounds, &always(&compounds, &transmissions, &followers));
        Self {
            name: description.name.clone(),
            gravity: description.gravity,
            turning: (0..links.len()).filter(|&j| links[j].joint == JointKind::Revolute).collect(),
            plain_trunk: link::plain_trunk(&links),
            links,
            children,
            joint_names,
            driven: joints.iter().map(|joint| joint.driven).collect(),
            effects: joints.iter().map(|joint| joint.effects).collect(),
            has_effects: joints.iter().any(|joint| joint.effects != JointEffects::default()),
            limits: joints.iter().map(|joint| joint.limits).collect(),
            followers,
            frames: body_frames.chain(further_frames).collect(),
            compounds,
            transmissions,
            is_coupled: false,
            coordinates: coordinates.expect("screws and rotors follow joints, which follow none"),
        }
    }

    /// Reads a robot's file, checks it and makes it ready for computing.
    ///
    /// # Errors
    /// Every problem of the text, as [`toml::read`] finds them, if any of it is an error.
    pub fn from_toml(text: &str) -> Result<Self, Problems> {
        let (description, _warnings) = toml::read(text)?;
        Self::new(&description)
    }

    /// Reads a URDF, its root link on the base, checks it and makes it ready for computing.
    ///
    /// # Errors
    /// Every problem of the text, as [`urdf::read`] finds them, if any of it is an error.
    pub fn from_urdf(text: &str) -> Result<Self, Problems> {
        let (description, _warnings) = urdf::read(text, urdf::Options::default())?;
        Self::new(&description)
    }

    /// The robot's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of joints, and so of bodies and coordinates.
    #[must_use]
    pub fn dof(&self) -> usize {
        self.links.len()
    }

    /// Acceleration of gravity in the base frame, m/s².
    #[must_use]
    pub fn gravity(&self) -> Vec3<f64> {
        self.gravity
    }

    /// The bodies with their joints, parents first.
    #[inline(always)]
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// How many links its trunk has, if that is a plain chain: three revolute joints or more in modified Denavit-Hartenberg frames, on the
    /// last of which all others hang, as a gripper's fingers do. Most arms are one, and recursions run through it without a choice.
    /// Otherwise 0.
    #[inline(always)]
    pub(crate) fn plain_trunk(&self) -> usize {
        self.plain_trunk
    }

    /// Whether it is all trunk.
    #[inline(always)]
    pub(crate) fn is_plain_chain(&self) -> bool {
        self.plain_trunk > 0 && self.plain_trunk == self.links.len()
    }

    /// The revolute joints.
    #[inline(always)]
    pub(crate) fn turning(&self) -> &[usize] {
        &self.turning
    }

    /// The bodies that hang on body `j`.
    ///
    /// # Panics
    /// If there is no body `j`.
    #[inline(always)]
    #[must_use]
    pub fn children(&self, j: usize) -> &[usize] {
        &self.children[j]
    }

    /// A body and those that carry it, from the body to the base.
    #[inline(always)]
    pub fn path_to_base(&self, j: usize) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(Some(j), |&k| self.links[k].parent)
    }

    /// The joints' names, in order.
    #[must_use]
    pub fn joint_names(&self) -> &[String] {
        &self.joint_names
    }

    /// Whether a motor drives each joint.
    #[must_use]
    pub fn driven(&self) -> &[bool] {
        &self.driven
    }

    /// Friction, rotor and spring of each joint.
    #[must_use]
    pub fn effects(&self) -> &[JointEffects] {
        &self.effects
    }

    /// Whether any joint has friction, a rotor or a spring.
    #[inline(always)]
    #[must_use]
    pub fn has_effects(&self) -> bool {
        self.has_effects
    }

    /// The same robot with other effects in its joints: `change` gets each joint's name and effects. To switch one
    /// off, return its default.
    #[must_use]
    pub fn with_effects(&self, mut change: impl FnMut(&str, JointEffects) -> JointEffects) -> Self {
        let mut robot = self.clone();
        robot.put_effects(|j, effects| change(&self.joint_names[j], effects));
        robot
    }

    /// The body `j` in its own frame, the one of its joint's name: as a user would describe it.
    ///
    /// # Panics
    /// If there is no body `j`.
    #[must_use]
    pub fn body(&self, j: usize) -> BodyDescription {
        let Link { mass, com, inertia, .. } = self.links[j];
        BodyDescription { mass, com, inertia }.seen_from(&self.frames[j].body_from_frame.inverse())
    }

    /// The same robot with other bodies: `change` gets each joint's name and the body that it carries, in the body's own
    /// frame. Nothing is checked: dynamics is linear in the masses, first moments and inertias, and what computes with
    /// that, as the identification of parameters does, needs bodies that no robot has.
    #[must_use]
    pub fn with_bodies(&self, mut change: impl FnMut(&str, BodyDescription) -> BodyDescription) -> Self {
        let mut robot = self.clone();
        robot.put_bodies(|j| change(&self.joint_names[j], self.body(j)));
        robot
    }

    /// Puts other effects into the joints of a robot that nobody else has, without allocating.
    pub(crate) fn put_effects(&mut self, mut change: impl FnMut(usize, JointEffects) -> JointEffects) {
        self.effects.iter_mut().enumerate().for_each(|(j, own)| *own = change(j, *own));
        self.has_effects = self.effects.iter().any(|effects| *effects != JointEffects::default());
    }

    /// Puts other bodies, each in its own frame, on a robot that nobody else has, without allocating.
    pub(crate) fn put_bodies(&mut self, mut body: impl FnMut(usize) -> BodyDescription) {
        let frames = &self.frames;
        link::put_bodies(&mut self.links, |j| body(j).seen_from(&frames[j].body_from_frame));
    }

    /// The same robot under another gravity, m/s² in the base frame.
    #[must_use]
    pub fn with_gravity(&self, gravity: Vec3<f64>) -> Self {
        Self { gravity, ..self.clone() }
    }

    /// The joints that each joint follows, if its description asks for it.
    ///
    /// The methods take every joint as free; [`coupled`](Self::coupled) lets them follow. In a closed mechanism they are
    /// [`Coupling`](crate::closed::Coupling)s.
    #[must_use]
    pub fn followers(&self) -> &[Option<Follower>] {
        &self.followers
    }

    /// The joints of several degrees of freedom, each a sequence of elementary ones.
    #[must_use]
    pub fn compounds(&self) -> &[Compound] {
        &self.compounds
    }

    /// The coordinates by which a user knows this robot, if they are not one number per row: of robots with quaternions, screws,
    /// or [coupled](Mechanism::coupled) followers.
    #[inline(always)]
    #[must_use]
    pub fn coordinates(&self) -> Option<&Coordinates> {
        self.coordinates.as_ref()
    }

    /// Names of the numbers of a position, in order: of the joints, unless the robot has other [coordinates](Mechanism::coordinates).
    #[must_use]
    pub fn positions(&self) -> &[String] {
        self.coordinates().map_or(&self.joint_names, Coordinates::positions)
    }

    /// Names of the numbers of velocities, accelerations and forces, in order.
    #[must_use]
    pub fn velocities(&self) -> &[String] {
        self.coordinates().map_or(&self.joint_names, Coordinates::velocities)
    }

    /// The bodies that a user knows, by their rows: not those between the elementary joints of a quaternion or screw.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let shown = self.coordinates().map(Coordinates::shown);
        (0..shown.map_or(self.dof(), <[usize]>::len)).map(move |k| shown.map_or(k, |shown| shown[k]))
    }

    /// The frames that a user knows: those of such bodies, then the further ones.
    pub fn shown_frames(&self) -> impl Iterator<Item = &Frame> {
        self.shown().chain(self.dof()..self.frames.len()).map(|frame| &self.frames[frame])
    }

    /// The same robot with all followers coupled to their leaders: these have no coordinates of their own any more.
    ///
    /// # Errors
    /// If joints follow each other in a circle.
    pub fn coupled(&self) -> Result<Self, CircularCoupling> {
        let coordinates = Coordinates::new(&self.joint_names, &self.compounds, &self.followers)?;
        Ok(Self { coordinates, is_coupled: true, ..self.clone() })
    }

    /// The last frame that is not a rotor's: the hand of most robots.
    #[must_use]
    pub fn last_frame(&self) -> usize {
        let has_further = self.frames.len() > self.dof();
        if has_further { self.frames.len() - 1 } else { self.rotors().start - 1 }
    }

    /// The same tree with every row a coordinate of its own.
    #[must_use]
    pub(crate) fn rows(&self) -> Self {
        Self { coordinates: None, ..self.clone() }
    }

    /// How far, fast and strong each joint may be.
    #[must_use]
    pub fn limits(&self) -> &[Limits] {
        &self.limits
    }

    /// The named frames: first one per body, in order, then the further ones of the description.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Where the joint of body `j` is: the point of its axis nearest to the origin of the body's own frame, as z of
    /// the joint's frame. In a URDF that is the joint's origin, in a modified DH table the frame's.
    ///
    /// The joint's frame itself may have slid along the axis when the robot was read.
    pub(crate) fn joint_point(&self, j: usize) -> f64 {
        self.frames[j].body_from_frame.position.z
    }

    /// The index of a frame by its name.
    #[must_use]
    pub fn frame(&self, name: &str) -> Option<usize> {
        self.frames.iter().position(|frame| frame.name == name)
    }

    /// The axes of a frame by its name, `base` included.
    #[must_use]
    pub fn axes(&self, name: &str) -> Option<Axes> {
        if name == BASE { Some(Axes::Base) } else { self.frame(name).map(Axes::Frame) }
    }

    /// Length of the links from the first joint to a frame, stretched out, m: the scale of the frame's motion.
    ///
    /// A slide counts with its position at q = 0 and, where it has limits, with its stroke. 1 if all axes meet in
    /// the frame's origin, so that one may divide by it.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn reach(&self, frame: usize) -> f64 {
        let Frame { body, body_from_frame, .. } = &self.frames[frame];
        let path = body.iter().flat_map(|&body| self.path_to_base(body));
        let links = path.map(|j| {
            let Limits { lower, upper, .. } = self.limits[j];
            let slides = self.links[j].joint == JointKind::Prismatic;
            let stroke = if slides && (upper - lower).is_finite() { upper.abs().max(lower.abs()) } else { 0.0 };
            let on_base = self.links[j].parent.is_none();
            stroke + if on_base { 0.0 } else { self.links[j].placement.offset_at_zero().norm() }
        });
        let reach = links.sum::<f64>() + body_from_frame.position.norm();
        if reach > 0.0 { reach } else { 1.0 }
    }

    /// Acceleration of the base that has the effect of gravity, −g (Luh1980).
    #[inline(always)]
    pub(crate) fn base_acceleration(&self) -> Vec3<f64> {
        -self.gravity
    }

    /// Mass of all bodies, kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.mass).sum()
    }

    /// Panics unless every slice has one entry per joint: the algorithms' common precondition.
    #[inline(always)]
    pub fn expect_lengths<T>(&self, slices: &[&[T]]) {
        for slice in slices {
            assert_eq!(slice.len(), self.dof(), "one value per joint");
        }
    }
}

/// Of all that follows, the slides of screws and the rotors of transmissions: they always do.
fn always(
    compounds: &[Compound],
    transmissions: &[Transmission],
    followers: &[Option<Follower>],
) -> Vec<Option<Follower>> {
    let mut always = vec![None; followers.len()];
    for screw in compounds.iter().filter(|compound| compound.kind == JointType::Screw) {
        always[screw.first].clone_from(&followers[screw.first]);
    }
    for &rotor in transmissions.iter().flat_map(|transmission| &transmission.motors) {
        always[rotor].clone_from(&followers[rotor]);
    }
    always
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;
    use crate::spatial::Sym3;

    /// Exchanged bodies make the robot that would have been described so, composite constants and all.
    #[test]
    fn bodies_are_exchanged_as_if_described() {
        let other = |k: usize| BodyDescription {
            mass: 1.0 + k as f64,
            com: Vec3::new(0.1, -0.2 * k as f64, 0.3),
            inertia: Sym3 { xx: 0.3, xy: 0.01, xz: -0.02, yy: 0.4, yz: 0.03, zz: 0.5 },
        };
        for robot in robots::TREES {
            let (mut description, _) = toml::read(robot.toml).unwrap();
            let plain = Mechanism::new(&description).unwrap();
            description.joints.iter_mut().enumerate().for_each(|(k, joint)| joint.body = other(k));
            let mut bodies = (0..plain.dof()).map(other);
            let changed = plain.with_bodies(|_, _| bodies.next().unwrap());
            assert_ne!(changed, plain, "{}", robot.name);
            assert_eq!(changed, Mechanism::new(&description).unwrap(), "{}", robot.name);
            for j in 0..plain.dof() {
                let (found, expected) = (changed.body(j), other(j));
                assert!((found.com - expected.com).norm() < 1e-15, "{}: {found:?}", robot.name);
                assert!((found.inertia - expected.inertia).trace().abs() < 1e-15, "{}: {found:?}", robot.name);
            }
        }
    }
}
