//! The output of a robot with closed loops: any frame, as a platform.
//!
//! A platform is what everything downstream knows: its pose, twist, Jacobian, wrench, payload. A file may name another
//! frame as the robot's `output`, and joints may stand on the platform; [`resolve`] writes such a robot as one with a
//! platform that carries nothing, in one of these ways:
//!
//! | output | platform |
//! |---|---|
//! | on the platform, and no joint stands there | the same, its frame at the output |
//! | on a body that ends a tree, its joint passive and plain, and every closing joint holds that body | that body; its joint becomes a closing joint of the same name |
//! | on any other body | one without mass, by a `rigid` closing joint on that body |
//!
//! In the last row a platform that was there becomes a body of the tree, on passive joints `platform.x` … `platform.yaw`
//! from the base. So it does where joints stand on it; it is the output then if no other is named.

use super::loose::on_the_base;
use super::{
    Attachment, BodyDescription, Branch, Carrier, ClosingJoint, ClosureDescription, Description, FrameDescription,
    JointDescription, JointEffects, JointKind, JointType, Limits, PLATFORM, PlatformDescription,
};
use crate::spatial::{Mat3, PlanarRotation, Pose, Vec3};
use core::f64::consts::TAU;
use std::borrow::Cow;

/// The same robot with its output as its platform. The description must be one that [`check`](super::check()) finds
/// nothing wrong with; where it names no output and nothing stands on its platform, it is given back as it is.
#[must_use]
pub fn resolve(description: &Description) -> Cow<'_, Description> {
    let stands_on_platform = |joint: &JointDescription| joint.parent.as_deref() == Some(PLATFORM);
    let carries = description.joints.iter().any(stands_on_platform);
    let on_platform = |frame: &FrameDescription| frame.parent.as_deref() == Some(PLATFORM);
    if description.output.is_none() && !carries && !description.frames.iter().any(on_platform) {
        return Cow::Borrowed(description);
    }
    let mut robot = description.clone();
    let (on, pose) = match robot.output.take() {
        Some(name) => description.frame_of(&name).expect("checked"),
        None if robot.platform.is_some() => (Carrier::Platform, Pose::identity(0.0)),
        None => return Cow::Owned(robot),
    };
    match &on {
        Carrier::Platform if !carries => shift_platform(&mut robot, &pose),
        Carrier::Joint(name) if is_like_a_platform(&robot, name) => take_for_platform(&mut robot, name, &pose),
        _ => {
            let body = settle_platform(&mut robot);
            let on = if on == Carrier::Platform { body.map_or(on, Carrier::Joint) } else { on };
            hold_output(&mut robot, Attachment { on, pose });
        }
    }
    robot.frames.retain(|frame| !on_platform(frame));
    Cow::Owned(robot)
}

impl Description {
    /// What carries the frame of a name, which may be a joint's, and where it is there; none if there is no such frame.
    pub(crate) fn frame_of(&self, name: &str) -> Option<(Carrier, Pose<f64>)> {
        if name == PLATFORM && self.platform.is_some() {
            return Some((Carrier::Platform, Pose::identity(0.0)));
        }
        if let Some(joint) = self.joints.iter().find(|joint| joint.name == name) {
            return Some((Carrier::Joint(joint.name.clone()), Pose::identity(0.0)));
        }
        let frame = self.frames.iter().find(|frame| frame.name == name)?;
        Some((frame.parent.as_deref().map_or(Carrier::Base, Carrier::from), frame.pose))
    }

    /// The names of all that can be an output.
    pub(super) fn outputs(&self) -> Vec<String> {
        let joints = self.joints.iter().map(|joint| joint.name.clone());
        let frames = self.frames.iter().filter(|frame| frame.parent.is_some()).map(|frame| frame.name.clone());
        joints.chain(frames).chain(self.platform.iter().map(|_| PLATFORM.into())).collect()
    }

    /// Where the user frame of a joint's body is when all joints are at home.
    fn body_at_home(&self, name: &str) -> Pose<f64> {
        let Some(joint) = self.joints.iter().find(|joint| joint.name == name) else { return Pose::identity(0.0) };
        let base_from_parent = joint.parent.as_deref().map_or(Pose::identity(0.0), |parent| self.joint_at_home(parent));
        base_from_parent * parent_from_joint(joint) * joint.link_frame
    }

    /// Where the frame of a joint is when all joints are at home.
    fn joint_at_home(&self, name: &str) -> Pose<f64> {
        let mut pose = Pose::identity(0.0);
        let mut next = Some(name);
        while let Some(joint) = next.and_then(|name| self.joints.iter().find(|joint| joint.name == name)) {
            pose = parent_from_joint(joint) * pose;
            next = joint.parent.as_deref();
        }
        pose
    }
}

/// Where a joint's frame is on its parent's at home: a home is that of the joint's last row, which every type but a slide turns.
fn parent_from_joint(joint: &JointDescription) -> Pose<f64> {
    let way = joint.pitch / TAU * joint.home;
    let moved = match joint.kind.last() {
        JointKind::Revolute => {
            Pose { rotation: PlanarRotation::by(joint.home).matrix_z(), position: Vec3::new(0.0, 0.0, way) }
        }
        JointKind::Prismatic => Pose { rotation: Mat3::identity(0.0), position: Vec3::new(0.0, 0.0, joint.home) },
    };
    joint.placement.pose() * moved
}

/// Puts the platform's frame elsewhere on it.
fn shift_platform(robot: &mut Description, platform_from_output: &Pose<f64>) {
    let Some(platform) = &mut robot.platform else { return };
    if *platform_from_output == Pose::identity(0.0) {
        return;
    }
    let output_from_platform = platform_from_output.inverse();
    platform.home = platform.home * *platform_from_output;
    platform.body = platform.body.seen_from(&output_from_platform);
    platform.payload = platform.payload.seen_from(&output_from_platform);
    for closure in &mut robot.closures {
        for end in [&mut closure.first, &mut closure.second].into_iter().filter(|end| end.on == Carrier::Platform) {
            end.pose = output_from_platform * end.pose;
        }
    }
}

/// Whether the body of a joint may be the platform: nothing else is, nothing stands on it, every closing joint holds it,
/// and the joint does nothing that a closing joint does not.
fn is_like_a_platform(robot: &Description, name: &str) -> bool {
    let holds = |closure: &ClosureDescription| {
        let is_it = |end: &Attachment| end.on.name() == name;
        is_it(&closure.first) || is_it(&closure.second)
    };
    let is_plain = |joint: &JointDescription| {
        joint.kind.elementary().is_some()
            && !joint.driven
            && joint.effects == JointEffects::default()
            && joint.limits == Limits::default()
            && joint.mimic.is_none()
            && joint.branch == Branch::Any
    };
    let leads =
        |joint: &JointDescription| joint.mimic.as_ref().is_some_and(|mimic| mimic.names().any(|own| own == name));
    robot.platform.is_none()
        && robot.closures.iter().all(holds)
        && robot.joints.iter().any(|joint| joint.name == name && is_plain(joint))
        && !robot.joints.iter().any(|joint| joint.parent.as_deref() == Some(name) || leads(joint))
}

/// Makes the body of a joint the platform, and the joint a closing joint; named frames of the body are the platform's.
fn take_for_platform(robot: &mut Description, name: &str, body_from_output: &Pose<f64>) {
    let home = robot.body_at_home(name) * *body_from_output;
    let Some(row) = robot.joints.iter().position(|joint| joint.name == name) else { return };
    let joint = robot.joints.remove(row);
    let output_from_body = body_from_output.inverse();
    robot.frames.retain(|frame| frame.parent.as_deref() != Some(name));
    for closure in &mut robot.closures {
        for end in [&mut closure.first, &mut closure.second].into_iter().filter(|end| end.on.name() == name) {
            *end = Attachment { on: Carrier::Platform, pose: output_from_body * end.pose };
        }
    }
    let parent_frame =
        |parent: &str| robot.joints.iter().find(|joint| joint.name == parent).map(|joint| joint.link_frame);
    let first = match &joint.parent {
        Some(parent) => {
            let joint_from_user = parent_frame(parent).unwrap_or(Pose::identity(0.0));
            Attachment { on: Carrier::Joint(parent.clone()), pose: joint_from_user.inverse() * joint.placement.pose() }
        }
        None => Attachment { on: Carrier::Base, pose: joint.placement.pose() },
    };
    let second = Attachment { on: Carrier::Platform, pose: output_from_body * joint.link_frame.inverse() };
    let kind = if joint.kind == JointType::Prismatic { ClosingJoint::Prismatic } else { ClosingJoint::Revolute };
    robot.closures.insert(0, ClosureDescription { name: joint.name, kind, first, second });
    robot.platform = Some(PlatformDescription {
        body: joint.body.seen_from(&output_from_body),
        home,
        is_output: true,
        ..PlatformDescription::default()
    });
}

/// Makes the platform a body of the tree, if there is one; the joint that carries it.
fn settle_platform(robot: &mut Description) -> Option<String> {
    let platform = robot.platform.take()?;
    let body = platform.body.with(&platform.payload);
    let mut name = String::from(PLATFORM);
    while robot.joints.iter().any(|joint| joint.name.starts_with(&format!("{name}."))) {
        name += "'";
    }
    let mut joints = on_the_base(&name, &platform.home, body, platform.turns);
    let carrier = joints.last()?.name.clone();
    for joint in robot.joints.iter_mut().filter(|joint| joint.parent.as_deref() == Some(PLATFORM)) {
        joint.parent = Some(carrier.clone());
    }
    joints.append(&mut robot.joints);
    robot.joints = joints;
    for frame in robot.frames.iter_mut().filter(|frame| frame.parent.as_deref() == Some(PLATFORM)) {
        frame.parent = Some(carrier.clone());
    }
    for closure in &mut robot.closures {
        for end in [&mut closure.first, &mut closure.second].into_iter().filter(|end| end.on == Carrier::Platform) {
            end.on = Carrier::Joint(carrier.clone());
        }
    }
    Some(carrier)
}

/// Adds a platform without mass at the output.
fn hold_output(robot: &mut Description, output: Attachment) {
    let home = match &output.on {
        Carrier::Joint(name) => robot.body_at_home(name) * output.pose,
        _ => output.pose,
    };
    let platform =
        PlatformDescription { body: BodyDescription::default(), home, is_output: true, ..Default::default() };
    robot.platform = Some(platform);
    let is_taken = |name: &str| {
        robot.joints.iter().any(|joint| joint.name == name) || robot.closures.iter().any(|closure| closure.name == name)
    };
    let mut name = String::from(OUTPUT);
    while is_taken(&name) {
        name += "'";
    }
    let second = Attachment { on: Carrier::Platform, pose: Pose::identity(0.0) };
    robot.closures.push(ClosureDescription { name, kind: ClosingJoint::Rigid, first: output, second });
}

/// The name of the closing joint that holds an output.
const OUTPUT: &str = "output";
