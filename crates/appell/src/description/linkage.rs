//! Links and joints as the files of simulators have them, and the description that they make: joints about their own z,
//! bodies merged where nothing moves between them, every link a named frame.

use super::name::{key, tamed};
use super::notes::Notes;
use super::{
    Attachment, BASE, BodyDescription, Carrier, ClosingJoint, ClosureDescription, Finding, FrameDescription,
    JointDescription, JointEffects, JointKind, JointType, KhalilKleinfinger, Limits, Mimic, PLATFORM,
};
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use std::collections::{HashMap, HashSet};

/// Links, and how they hang on each other.
#[derive(Default)]
pub(super) struct Linkage {
    pub(super) links: Vec<Link>,
    /// One per link that is not the world, parents before children.
    pub(super) joints: Vec<Joint>,
    pub(super) loops: Vec<Loop>,
    pub(super) frames: Vec<Frame>,
}

/// A rigid body with a frame.
pub(super) struct Link {
    /// Empty if it is no frame of the user's.
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: String,
    pub(super) byte: usize,
    /// In the link's frame.
    pub(super) body: BodyDescription,
}

/// A joint of a link on its parent.
pub(super) struct Joint {
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: String,
    pub(super) byte: usize,
    /// None is fixed.
    pub(super) kind: Option<JointType>,
    /// Of a screw, m a turn.
    pub(super) pitch: f64,
    /// None is the world.
    pub(super) parent: Option<usize>,
    pub(super) child: usize,
    /// Where the child is before the joint moves it.
    pub(super) parent_from_child: Pose<f64>,
    /// A point of the axis, in the child's frame.
    pub(super) anchor: Vec3<f64>,
    /// A unit vector in the child's frame.
    pub(super) axis: Vec3<f64>,
    /// The coordinate at which the child has not moved.
    pub(super) reference: f64,
    pub(super) limits: Limits,
    pub(super) effects: JointEffects,
    pub(super) mimic: Option<Mimic>,
    pub(super) driven: bool,
}

/// A joint that closes a loop, by its frames on two links.
pub(super) struct Loop {
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: String,
    pub(super) byte: usize,
    pub(super) kind: ClosingJoint,
    pub(super) ends: [(Option<usize>, Pose<f64>); 2],
}

/// A named frame on a link.
pub(super) struct Frame {
    pub(super) name: String,
    /// Where it is written.
    pub(super) place: String,
    pub(super) byte: usize,
    pub(super) link: Option<usize>,
    pub(super) pose: Pose<f64>,
}

/// What became of links and joints.
pub(super) struct Placed {
    /// With their bodies.
    pub(super) joints: Vec<JointDescription>,
    pub(super) frames: Vec<FrameDescription>,
    pub(super) closures: Vec<ClosureDescription>,
    /// What each link's frame is called; none of one without a name.
    pub(super) names: Vec<Option<String>>,
    /// The joint whose user's frame is the link's.
    pub(super) own_joints: Vec<Option<String>>,
}

/// Where a link sits: on a joint's body or on the base, and where in the frame of that body's first link.
#[derive(Clone, Copy)]
pub(super) struct Seat {
    pub(super) joint: Option<usize>,
    pub(super) body_from_link: Pose<f64>,
}

impl Link {
    /// A link between two joints of one body: no frame of the user's.
    pub(super) fn between() -> Self {
        Self { name: String::new(), place: String::new(), byte: 0, body: BodyDescription::default() }
    }
}

impl Joint {
    /// A driven joint about z through the child's origin, without limits or effects.
    pub(super) fn new(name: String, kind: Option<JointType>, parent: Option<usize>, child: usize) -> Self {
        Self {
            place: String::new(),
            name,
            byte: 0,
            kind,
            pitch: 0.0,
            parent,
            child,
            parent_from_child: Pose::identity(0.0),
            anchor: Vec3::zero(0.0),
            axis: Vec3::new(0.0, 0.0, 1.0),
            reference: 0.0,
            limits: Limits::default(),
            effects: JointEffects::default(),
            mimic: None,
            driven: true,
        }
    }
}

impl Linkage {
    /// The description's parts. Names that are taken or unfit are changed, with a warning.
    pub(super) fn place(self, notes: &mut Notes) -> Placed {
        let mut names = Names::new(!self.loops.is_empty());
        let mut chains = Chains::default();
        let world = Seat { joint: None, body_from_link: Pose::identity(0.0) };
        let mut seats = vec![world; self.links.len()];
        let mut own_joints = vec![None; self.links.len()];
        let mut called: HashMap<String, String> = HashMap::new();
        for joint in &self.joints {
            let parent = joint.parent.map_or(world, |parent| seats[parent]);
            let seat = Seat { body_from_link: parent.body_from_link * joint.parent_from_child, ..parent };
            let Some(kind) = joint.kind else {
                seats[joint.child] = seat;
                continue;
            };
            let name = names.take("joint", &joint.name, &joint.place, notes);
            called.insert(joint.name.clone(), name.clone());
            seats[joint.child] = chains.push_joint(&name, kind, joint, seat, notes);
            own_joints[joint.child] = chains.joints.last().map(|last| last.name.clone());
        }
        let mut joints = chains.joints;
        for joint in &mut joints {
            for (leader, _) in joint.mimic.iter_mut().flat_map(|mimic| &mut mimic.joints) {
                if let Some(name) = called.get(leader) {
                    leader.clone_from(name);
                }
            }
        }
        for (link, seat) in self.links.iter().zip(&seats) {
            if let Some(joint) = seat.joint {
                let body = &mut joints[joint].body;
                *body = body.with(&link.body.seen_from(&seat.body_from_link));
            }
        }
        let carrier = |seat: &Seat| seat.joint.map(|joint| joints[joint].name.clone());
        let (mut frames, mut frame_names) = (Vec::new(), Vec::new());
        for (link, seat) in self.links.iter().zip(&seats) {
            let parent = carrier(seat);
            let is_own = link.name == parent.as_deref().unwrap_or(BASE);
            if link.name.is_empty() || (is_own && seat.body_from_link == Pose::identity(0.0)) {
                frame_names.push((!link.name.is_empty()).then(|| link.name.clone()));
                continue;
            }
            let name = names.take("link", &link.name, &link.place, notes);
            notes.mark(format!("frame.{}", key(&name)), link.byte);
            frame_names.push(Some(name.clone()));
            frames.push(FrameDescription { name, parent, pose: seat.body_from_link });
        }
        for frame in &self.frames {
            let seat = frame.link.map_or(world, |link| seats[link]);
            let name = names.take("frame", &frame.name, &frame.place, notes);
            notes.mark(format!("frame.{}", key(&name)), frame.byte);
            frames.push(FrameDescription { name, parent: carrier(&seat), pose: seat.body_from_link * frame.pose });
        }
        let mut closures = Vec::new();
        for own in self.loops {
            let [first, second] = own.ends.map(|(link, pose)| {
                let seat = link.map_or(world, |link| seats[link]);
                let on = carrier(&seat).map_or(Carrier::Base, Carrier::Joint);
                Attachment { on, pose: seat.body_from_link * pose }
            });
            if first.on == second.on {
                notes.warning(&own.place, Finding::HoldsNothing);
                continue;
            }
            let name = names.take("loop", &own.name, &own.place, notes);
            notes.mark(format!("closure.{}", key(&name)), own.byte);
            closures.push(ClosureDescription { name, kind: own.kind, first, second });
        }
        Placed { joints, frames, closures, names: frame_names, own_joints }
    }
}

/// The names that are taken.
struct Names {
    taken: HashSet<String>,
}

impl Names {
    fn new(is_closed: bool) -> Self {
        let reserved = [Some(BASE), is_closed.then_some(PLATFORM)];
        Self { taken: reserved.into_iter().flatten().map(Into::into).collect() }
    }

    /// A name that nothing else has: as it is, with the kind before it, or with a number behind.
    fn take(&mut self, kind: &str, name: &str, place: &str, notes: &mut Notes) -> String {
        let fit = tamed(name);
        let with_kind = || format!("{kind}:{fit}");
        let numbered = (2..).map(|number| format!("{kind}:{fit}_{number}"));
        let mut all = core::iter::once(fit.clone()).chain([with_kind()]).chain(numbered);
        let free = all.find(|name| !name.is_empty() && !self.taken.contains(name)).unwrap_or_default();
        if free != name {
            notes.warning(place, Finding::Renamed { name: name.into(), instead: free.clone() });
        }
        self.taken.insert(free.clone());
        free
    }
}

/// Joints that turn about or slide along their own z, as they are added, parents first.
#[derive(Default)]
pub(super) struct Chains {
    pub(super) joints: Vec<JointDescription>,
    /// Whether something hangs on each joint.
    bears: Vec<bool>,
}

impl Chains {
    /// Adds a joint with all that is said of it, and says where the link behind it sits.
    fn push_joint(&mut self, name: &str, kind: JointType, joint: &Joint, seat: Seat, notes: &mut Notes) -> Seat {
        let has_axis = !kind.is_quaternion();
        let rotation = if has_axis { axes_about(joint.axis) } else { Mat3::identity(0.0) };
        let seat = self.add(name, kind, Pose { rotation, position: joint.anchor }, seat);
        let row = self.joints.len();
        if let Some(added) = self.joints.last_mut() {
            added.driven = joint.driven;
            added.pitch = joint.pitch;
            added.limits = joint.limits;
            added.effects = joint.effects;
            added.mimic.clone_from(&joint.mimic);
            added.home = joint.reference;
            match kind.elementary() {
                Some(JointKind::Revolute) => added.placement.theta -= joint.reference,
                Some(JointKind::Prismatic) => added.placement.r -= joint.reference,
                None => {}
            }
        }
        let key = key(name);
        for place in [format!("joints.{key}"), format!("joints[{row}]"), format!("joint.{key}"), format!("body.{key}")]
        {
            notes.mark(place, joint.byte);
        }
        seat
    }

    /// Adds a joint at a seat and says where the link behind it sits.
    pub(super) fn add(&mut self, name: &str, kind: JointType, link_from_joint: Pose<f64>, seat: Seat) -> Seat {
        let parent = seat.joint.map(|parent| &self.joints[parent]);
        let parent_from_body = parent.map_or(Pose::identity(0.0), |parent| parent.link_frame);
        let parent_name = parent.map(|parent| parent.name.clone());
        let mut placement = KhalilKleinfinger::from_pose(&(parent_from_body * seat.body_from_link * link_from_joint));
        if let Some(parent) = seat.joint {
            if !self.bears[parent] && self.joints[parent].kind.elementary().is_some() {
                turn_towards(&mut self.joints[parent], &mut placement);
            }
            self.bears[parent] = true;
        }
        self.joints.push(JointDescription {
            parent: parent_name,
            placement,
            link_frame: link_from_joint.inverse(),
            ..JointDescription::new(name, kind)
        });
        self.bears.push(false);
        Seat { joint: Some(self.joints.len() - 1), body_from_link: Pose::identity(0.0) }
    }
}

/// Turns and slides a joint's frame along its z to where its first child wants it, so that γ = b = 0 there: in
/// chains every placement but the first is a row of a modified Denavit-Hartenberg table, the cheapest to compute with.
fn turn_towards(joint: &mut JointDescription, child: &mut KhalilKleinfinger) {
    let KhalilKleinfinger { gamma, b, .. } = *child;
    joint.placement.theta += gamma;
    joint.placement.r += b;
    let new_from_old = Pose { rotation: PlanarRotation::exact(-gamma).matrix_z(), position: Vec3::new(0.0, 0.0, -b) };
    joint.link_frame = new_from_old * joint.link_frame;
    *child = KhalilKleinfinger { gamma: 0.0, b: 0.0, ..*child };
}

/// Axes with the given unit vector as z: the identity where that is z, exact where it is along any axis.
pub(super) fn axes_about(z: Vec3<f64>) -> Mat3<f64> {
    let across = z.x.hypot(z.y);
    let x = if across == 0.0 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(-z.y / across, z.x / across, 0.0) };
    Mat3::from_rows([x, z.cross(x), z]).transpose()
}
