//! A robot in another convention: the same bodies and motions, other frames.

use super::convention::{behind_joint, link_frame};
use super::{BASE, BodyDescription, Convention, Description, JointDescription, KhalilKleinfinger};
use crate::spatial::{PlanarRotation, Pose, Vec3};

/// Why a robot cannot be written in a convention.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No table holds what closes loops.
    #[error("a table holds no closed loops, but this robot has some, by {}; keep .toml and its convention", closures.join(", "))]
    ClosesLoops {
        /// What closes them.
        closures: Vec<String>,
    },
    /// Only Khalil and Kleinfinger's tables hold trees.
    #[error("a Denavit-Hartenberg table is a chain, but `{joint}` hangs on `{parent}` and not on the row above")]
    Branch {
        /// The joint that does not hang on the row above.
        joint: String,
        /// What it hangs on.
        parent: String,
    },
    /// Axes that are nearly but not quite parallel have their common normal far away.
    #[error(
        "`{joint}` is nearly parallel to the axis before it (e = {e} m), where a Denavit-Hartenberg row loses its digits; \
         make the axes parallel, as by more digits of pi, or keep khalil-kleinfinger"
    )]
    NearlyParallel {
        /// The joint.
        joint: String,
        /// What takes the place of b and r, m.
        e: f64,
    },
    /// The base's frame is given, so nothing before the first joint can be moved into it.
    #[error(
        "the first joint, `{joint}`, needs gamma = {gamma} rad and b = {b} m before its alpha, \
         for which a Denavit-Hartenberg row has no place; turn or move the base's frame"
    )]
    FirstPlacement {
        /// The first joint.
        joint: String,
        /// γ that is left, rad.
        gamma: f64,
        /// b that is left, m.
        b: f64,
    },
    /// The frame of a joint of several degrees of freedom cannot turn or slide along its z to where the next joint wants it.
    #[error(
        "`{joint}` needs gamma = {gamma} rad and b = {b} m after the {kind} joint `{parent}`, \
         for which a Denavit-Hartenberg row has no place; keep khalil-kleinfinger"
    )]
    AfterSeveral {
        /// The joint.
        joint: String,
        /// What it hangs on.
        parent: String,
        /// The type of that.
        kind: &'static str,
        /// γ that is left, rad.
        gamma: f64,
        /// b that is left, m.
        b: f64,
    },
    /// A standard table starts with a joint on z of the base.
    #[error(
        "a standard table has its first joint on the base's z axis, but `{joint}` has alpha = {alpha} rad and \
         a = {a} m before it; turn or move the base's frame"
    )]
    FirstAxis {
        /// The first joint.
        joint: String,
        /// rad
        alpha: f64,
        /// m
        a: f64,
    },
}

/// A step that is smaller is none, m.
const NO_LENGTH: f64 = 1e-12;

/// The same robot, written in a convention.
///
/// # Errors
/// Why it cannot be: see [`to_modified_dh`] and [`to_standard_dh`].
pub fn to_convention(description: &Description, convention: Convention) -> Result<Description, Refusal> {
    match convention {
        _ if description.is_closed() && convention == description.convention => Ok(description.clone()),
        Convention::ModifiedDh => to_modified_dh(description),
        Convention::StandardDh => to_standard_dh(description),
        Convention::KhalilKleinfinger => Ok(Description { convention, ..description.clone() }),
    }
}

/// The same robot as a modified Denavit-Hartenberg table: γ = b = 0.
///
/// A body of a chain carries one joint, so its frame may turn and slide on its own z until x points at that joint:
/// `Rz(θ) Tz(r) · Rz(γ) Tz(b) = Rz(θ + γ) Tz(r + b)`. The user's frames stay where they are on the bodies.
///
/// # Errors
/// If the robot has closed loops, is a tree, or the first joint's γ and b do not commute with its α and d.
pub fn to_modified_dh(description: &Description) -> Result<Description, Refusal> {
    expect_open(description)?;
    if let Some(JointDescription { name, parent, .. }) = description.first_branch() {
        let parent = parent.as_deref().unwrap_or(BASE);
        return Err(Refusal::Branch { joint: name.clone(), parent: parent.into() });
    }
    if let Some(JointDescription { name, placement, .. }) =
        description.joints.iter().find(|joint| joint.placement.e.abs() > NO_LENGTH)
    {
        return Err(Refusal::NearlyParallel { joint: name.clone(), e: placement.e });
    }
    let mut robot = Description { convention: Convention::ModifiedDh, ..description.clone() };
    robot.joints.iter_mut().for_each(|joint| joint.placement.e = 0.0);
    for j in 1..robot.joints.len() {
        let KhalilKleinfinger { gamma, b, .. } = robot.joints[j].placement;
        if gamma != 0.0 || b != 0.0 {
            let JointDescription { name: parent, kind, .. } = &robot.joints[j - 1];
            if kind.of_one_value().is_none() {
                let (joint, parent) = (robot.joints[j].name.clone(), parent.clone());
                return Err(Refusal::AfterSeveral { joint, parent, kind: kind.name(), gamma, b });
            }
            robot.joints[j].placement = KhalilKleinfinger { gamma: 0.0, b: 0.0, ..robot.joints[j].placement };
            let parent = &mut robot.joints[j - 1];
            parent.placement.theta += gamma;
            parent.placement.r += b;
            let old_from_new =
                Pose { rotation: PlanarRotation::exact(gamma).matrix_z(), position: Vec3::new(0.0, 0.0, b) };
            parent.link_frame = old_from_new.inverse() * parent.link_frame;
        }
    }
    if let Some(JointDescription { name, placement, .. }) = robot.joints.first_mut() {
        commute_first(placement);
        let KhalilKleinfinger { gamma, b, .. } = *placement;
        if gamma != 0.0 || b != 0.0 {
            return Err(Refusal::FirstPlacement { joint: name.clone(), gamma, b });
        }
    }
    Ok(robot)
}

/// Refuses a robot with closed loops.
pub(super) fn expect_open(description: &Description) -> Result<(), Refusal> {
    if description.is_closed() { Err(Refusal::ClosesLoops { closures: description.closure_names() }) } else { Ok(()) }
}

/// Moves γ and b behind α and d where they commute: along an axis parallel to the base's z, and about the same one.
fn commute_first(first: &mut KhalilKleinfinger) {
    let PlanarRotation { cos, sin } = PlanarRotation::exact(first.alpha);
    if sin == 0.0 {
        first.r += cos * core::mem::take(&mut first.b);
        if first.d == 0.0 {
            first.theta += cos * core::mem::take(&mut first.gamma);
        }
    }
}

/// The same robot as a standard Denavit-Hartenberg table.
///
/// The rows of the modified table are cut at another place: α and a of the next joint end a row. The bodies' frames
/// move there, and their data and the frames on them are re-expressed. The last frame stays where it was if α and a
/// can put it there, else it goes on its joint.
///
/// # Errors
/// If there is no modified table, or it has α or a before its first joint.
pub fn to_standard_dh(description: &Description) -> Result<Description, Refusal> {
    let mut robot = Description { convention: Convention::StandardDh, ..to_modified_dh(description)? };
    if let Some(JointDescription { name, placement, .. }) = robot.joints.first() {
        let KhalilKleinfinger { alpha, d: a, .. } = *placement;
        if alpha != 0.0 || a != 0.0 {
            return Err(Refusal::FirstAxis { joint: name.clone(), alpha, a });
        }
    }
    for j in 0..robot.joints.len() {
        let (alpha, a) = match robot.joints.get(j + 1) {
            Some(next) => (next.placement.alpha, next.placement.d),
            None => behind_joint(&robot.joints[j].link_frame).unwrap_or_default(),
        };
        move_link_frame(&mut robot, j, link_frame(alpha, a));
    }
    Ok(robot)
}

/// The same robot with the frame of every body on its joint.
pub(super) fn with_frames_on_joints(mut robot: Description) -> Description {
    (0..robot.joints.len()).for_each(|j| move_link_frame(&mut robot, j, Pose::identity(0.0)));
    robot
}

/// Moves the user's frame of body `j`; what is seen from it stays where it is.
fn move_link_frame(robot: &mut Description, j: usize, joint_from_new: Pose<f64>) {
    let joint = &mut robot.joints[j];
    let joint_from_old = core::mem::replace(&mut joint.link_frame, joint_from_new);
    if joint_from_old == joint_from_new {
        return;
    }
    let new_from_old = joint_from_new.inverse() * joint_from_old;
    if joint.body != BodyDescription::default() {
        joint.body = joint.body.seen_from(&new_from_old);
    }
    for frame in robot.frames.iter_mut().filter(|frame| frame.parent.as_ref() == Some(&joint.name)) {
        frame.pose = new_from_old * frame.pose;
    }
    let motors = robot.transmissions.iter_mut().flat_map(|transmission| &mut transmission.motors);
    for mounting in motors.filter_map(|motor| motor.mounting.as_mut()).filter(|own| own.on == joint.name) {
        mounting.axis = new_from_old.rotation * mounting.axis;
    }
    let ends = robot.closures.iter_mut().flat_map(|closure| [&mut closure.first, &mut closure.second]);
    for end in ends.filter(|end| end.on.name() == joint.name) {
        end.pose = new_from_old * end.pose;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::toml::read;
    use crate::description::{Attachment, Carrier, ClosingJoint, ClosureDescription, FrameDescription, dh_table, urdf};
    use crate::dynamics::newton_euler;
    use crate::kinematics;
    use crate::mechanism::Mechanism;
    use crate::robots;
    use crate::sample::{Sampler, Shape};

    /// A chain with general γ and b, but for the first joint, and with a tool on its third body.
    fn chain(seed: u64) -> Description {
        let mut sampler = Sampler::new(seed);
        let mut robot = sampler.description(6, Shape::Chain);
        robot.convention = Convention::KhalilKleinfinger;
        for joint in &mut robot.joints[1..] {
            (joint.placement.gamma, joint.placement.b) = (sampler.within(3.0), sampler.within(0.2));
        }
        let pose = Pose { rotation: PlanarRotation::by(0.3).matrix_y(), position: Vec3::new(0.1, 0.2, 0.3) };
        robot.frames.push(FrameDescription { name: "tool".into(), parent: Some("joint3".into()), pose });
        robot
    }

    /// Torques and the pose of the tool in some states.
    fn answers(description: &Description) -> Vec<f64> {
        let robot = Mechanism::new(description).unwrap();
        let mut workspace = newton_euler::Workspace::new(&robot);
        let mut motion = kinematics::Workspace::new(&robot);
        let mut sampler = Sampler::new(7);
        let mut answers = Vec::new();
        for _ in 0..10 {
            let state = sampler.state(&robot);
            answers.extend(newton_euler::inverse_dynamics(&robot, &mut workspace, &state.q, &state.v, &state.a));
            let frames = kinematics::positions(&robot, &mut motion, &state.q);
            answers.extend(robot.frame("tool").map(|tool| frames[tool].to_array()).into_iter().flatten());
        }
        answers
    }

    #[track_caller]
    fn assert_same(one: &Description, other: &Description) {
        let (one, other) = (answers(one), answers(other));
        let size = one.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        assert_eq!(one.len(), other.len());
        assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12 * size), "{one:?}\n{other:?}");
    }

    #[test]
    fn chains_become_modified_tables() {
        for seed in 0..20 {
            let general = chain(seed);
            let modified = to_modified_dh(&general).unwrap();
            assert_eq!(modified.table().0, Convention::ModifiedDh);
            assert_same(&general, &modified);
        }
    }

    #[test]
    fn modified_tables_become_standard_ones() {
        for seed in 0..20 {
            let mut modified = chain(seed);
            let first = &mut modified.joints[0].placement;
            (first.alpha, first.d) = (0.0, 0.0);
            let standard = to_standard_dh(&modified).unwrap();
            assert_eq!(standard.table().0, Convention::StandardDh);
            assert_same(&modified, &standard);
            assert_same(&modified, &to_modified_dh(&standard).unwrap());
        }
    }

    #[test]
    fn a_robot_in_its_own_convention_is_left_alone() {
        for builtin in robots::TREES {
            let (robot, _) = read(builtin.toml).unwrap();
            assert_eq!(to_convention(&robot, robot.convention).unwrap(), robot, "{}", builtin.name);
        }
    }

    #[test]
    fn the_first_joint_commutes_where_it_can() {
        let first = |placement: KhalilKleinfinger| {
            let mut robot = chain(3);
            robot.joints[0].placement = KhalilKleinfinger { gamma: 0.4, b: 0.1, theta: 0.2, r: 0.3, ..placement };
            robot
        };
        for alpha in [0.0, core::f64::consts::PI] {
            let robot = first(KhalilKleinfinger { alpha, ..Default::default() });
            assert_same(&robot, &to_modified_dh(&robot).unwrap());
        }
        let joint = || "joint1".to_owned();
        let beside = first(KhalilKleinfinger { d: 0.5, ..Default::default() });
        assert_eq!(to_modified_dh(&beside), Err(Refusal::FirstPlacement { joint: joint(), gamma: 0.4, b: 0.0 }));
        let askew = first(KhalilKleinfinger { alpha: 1.0, ..Default::default() });
        assert_eq!(to_modified_dh(&askew), Err(Refusal::FirstPlacement { joint: joint(), gamma: 0.4, b: 0.1 }));
    }

    #[test]
    fn closed_robots_keep_their_convention() {
        let on = |on: Carrier| Attachment { on, pose: Pose::identity(0.0) };
        let mut robot = chain(1);
        robot.closures.push(ClosureDescription {
            name: "pin".into(),
            kind: ClosingJoint::Revolute,
            first: on(Carrier::Joint("joint6".into())),
            second: on(Carrier::Base),
        });
        let refusal = Refusal::ClosesLoops { closures: vec!["pin".into()] };
        assert_eq!(to_convention(&robot, Convention::ModifiedDh), Err(refusal.clone()));
        assert_eq!(to_convention(&robot, Convention::StandardDh), Err(refusal.clone()));
        assert_eq!(to_convention(&robot, Convention::KhalilKleinfinger).unwrap(), robot);
        let table = dh_table::write(&robot, Convention::KhalilKleinfinger, dh_table::Layout::Csv);
        assert_eq!(table, Err(refusal));
        let urdf = urdf::write(&robot).unwrap_err().to_string();
        assert!(urdf.contains("this robot has some, by pin; keep .toml"), "{urdf}");
        robot.convention = Convention::ModifiedDh;
        assert_eq!(to_convention(&robot, Convention::ModifiedDh).unwrap(), robot);
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let mut tree = chain(1);
        tree.joints[4].parent = Some("joint2".into());
        let refusal = Refusal::Branch { joint: "joint5".into(), parent: "joint2".into() };
        assert_eq!(to_modified_dh(&tree), Err(refusal.clone()));
        assert_eq!(to_standard_dh(&tree), Err(refusal));
        let askew = chain(1);
        let KhalilKleinfinger { alpha, d: a, .. } = askew.joints[0].placement;
        assert_eq!(to_standard_dh(&askew), Err(Refusal::FirstAxis { joint: "joint1".into(), alpha, a }));
    }
}
