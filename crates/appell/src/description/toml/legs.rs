//! The legs of parallel robots: `[chain.NAME]` describes a kind of leg, `[leg.NAME]` puts one of a kind in its place.
//!
//! A leg is written out into joints `LEG.JOINT`, and into a closing joint and a frame `LEG.end`. What is found wrong in
//! them is reported where the chain or the leg says it. A leg may stand on a body and hold one, of a joint above it, instead of
//! the base and the platform.

use super::closed::closing_joint;
use super::parallelogram::{Parallelogram, parallelograms};
use super::reader::{Reader, Table};
use super::sections::{self, OF_A_JOINT, branch, part, pose, position};
use super::table;
use crate::description::name::key;
use crate::description::{
    Attachment, BASE, Carrier, ClosingJoint, ClosureDescription, Convention, Description, Finding, FrameDescription,
    JointDescription, JointKind, KhalilKleinfinger, PLATFORM,
};
use crate::spatial::{Pose, Vec3};

/// A kind of leg. It has a joint, even where none could be read, so that what refers to it is understood.
struct Chain {
    name: String,
    place: String,
    joints: Vec<JointDescription>,
    parallelograms: Vec<Parallelogram>,
    closing: ClosingJoint,
    end: Pose<f64>,
    is_used: bool,
}

/// Adds the legs of a file to a robot.
pub(super) fn legs(reader: &mut Reader, file: &Table, convention: Option<Convention>, robot: &mut Description) {
    let mut chains = chains(reader, file, convention);
    let mut all_known = true;
    for (name, node) in reader.sections(file, "leg") {
        let Some(section) = reader.table(&node, &["chain", "base", "platform", "home", "branch"]) else { continue };
        let stand_in = || Chain::without_joints(String::new(), format!("{}.chain", node.place));
        let chain = choose(reader, &section, &mut chains);
        all_known &= chain.is_some();
        add_leg(reader, name, &node.place, &section, chain.unwrap_or_else(stand_in), robot);
    }
    for chain in chains.iter().filter(|chain| all_known && !chain.is_used) {
        reader.notes.warning(&chain.place, Finding::UnusedChain);
    }
}

impl Chain {
    fn without_joints(name: String, place: String) -> Self {
        let joints = vec![JointDescription::new("", JointKind::Revolute)];
        let (closing, end) = (ClosingJoint::Spherical, Pose::identity(0.0));
        Self { name, place, joints, parallelograms: Vec::new(), closing, end, is_used: false }
    }

    /// The joint of a name. An unknown one is noted at `asking`, unless a name could not be read.
    fn find(&mut self, reader: &mut Reader, asking: &str, name: &str) -> Option<&mut JointDescription> {
        let known: Vec<String> = self.joints.iter().map(|joint| joint.name.clone()).collect();
        if known.iter().all(|known| !known.is_empty() && known != name) {
            reader.error(asking, Finding::UnknownLegJoint { name: name.into(), known });
        }
        self.joints.iter_mut().find(|joint| joint.name == name)
    }
}

fn chains(reader: &mut Reader, file: &Table, convention: Option<Convention>) -> Vec<Chain> {
    let mut chains = Vec::new();
    for (name, node) in reader.sections(file, "chain") {
        let mut chain = Chain::without_joints(name.into(), node.place.clone());
        if let Some(section) =
            reader.table(&node, &["joints", "driven", "closing", "end", "body", "joint", "parallelogram"])
        {
            read_chain(reader, &section, convention, &mut chain);
        }
        chains.push(chain);
    }
    chains
}

fn read_chain(reader: &mut Reader, section: &Table, convention: Option<Convention>, chain: &mut Chain) {
    let rows = reader.require(section, "joints", "an array of rows, one per joint");
    let mut joints = rows.map_or(Vec::new(), |node| table::joints(reader, &node, convention));
    sections::bodies(reader, section, &mut joints, convention);
    sections::actuation(reader, section, &mut joints, &OF_A_JOINT[1..]); // `driven` is said for all at once
    let place = section.place_of("joints");
    if !joints.is_empty() {
        chain.joints = joints;
    } else if !reader.notes.is_noted(&place) {
        reader.error(&place, Finding::EmptyChain);
    }
    read_driven(reader, section, chain);
    chain.parallelograms = parallelograms(reader, section, &chain.joints);
    chain.closing = closing_joint(reader, section, "closing");
    chain.end = sections::place(reader, section, "end");
}

/// Marks the joints that motors drive.
fn read_driven(reader: &mut Reader, section: &Table, chain: &mut Chain) {
    chain.joints.iter_mut().for_each(|joint| joint.driven = false);
    let Some(node) = reader.require(section, "driven", "the names of the joints that motors drive; [] if none") else {
        return;
    };
    for item in reader.items(&node, "an array of names of joints").unwrap_or_default() {
        let Some(name) = reader.text(&item, "the name of a joint") else { continue };
        if let Some(joint) = chain.find(reader, &item.place, name) {
            joint.driven = true;
        }
    }
}

/// A copy of the chain that a leg is made of: the one it names, or the only one.
fn choose(reader: &mut Reader, leg: &Table, chains: &mut [Chain]) -> Option<Chain> {
    let chain = match (chains.len(), reader.get(leg, "chain")) {
        (1, None) => &mut chains[0],
        (_, None) => {
            let finding = Finding::Missing { expected: "the name of a section [chain.NAME]" };
            reader.error(&leg.place_of("chain"), finding);
            return None;
        }
        (_, Some(node)) => {
            let name = reader.text(&node, "the name of a chain")?;
            let known = chains.iter().map(|chain| chain.name.clone()).collect();
            let chain = chains.iter_mut().find(|chain| chain.name == name);
            if chain.is_none() {
                reader.error(&node.place, Finding::UnknownChain { name: name.into(), known });
            }
            chain?
        }
    };
    chain.is_used = true;
    let (joints, parallelograms) = (chain.joints.clone(), chain.parallelograms.clone());
    Some(Chain { name: chain.name.clone(), place: chain.place.clone(), joints, parallelograms, ..*chain })
}

/// Writes a leg out into the robot.
fn add_leg(
    reader: &mut Reader,
    leg: &str,
    leg_place: &str,
    section: &Table,
    mut chain: Chain,
    robot: &mut Description,
) {
    for (name, node) in reader.sections(section, "home") {
        if let Some(joint) = chain.find(reader, &node.place, name) {
            joint.home = reader.constant(&node, position(joint));
            reader.notes.derive(format!("joint.{}.home", key(&called(leg, name))), node.place);
        }
    }
    for (name, node) in reader.sections(section, "branch") {
        if let Some(joint) = chain.find(reader, &node.place, name) {
            joint.branch = branch(reader, &node).unwrap_or(joint.branch);
        }
    }
    let (foot, base) = stand(reader, section, "base", BASE, robot);
    let (on, pose) = stand(reader, section, "platform", PLATFORM, robot);
    let second = Attachment { on: Carrier::from(on.as_deref().unwrap_or(BASE)), pose };
    let rows: Vec<String> = chain.joints.iter().map(|joint| joint.name.clone()).collect();
    for parallelogram in core::mem::take(&mut chain.parallelograms) {
        let Some((pin, more)) = parallelogram.write_out(&mut chain.joints) else { continue };
        let place = format!("{}.parallelogram.{}", chain.place, key(parallelogram.row()));
        reader.notes.derive(format!("closure.{}", key(&called(leg, &pin.name))), place.clone());
        for joint in more {
            for kind in ["joints", "joint", "body"] {
                reader.notes.derive(format!("{kind}.{}", key(&called(leg, &joint))), place.clone());
            }
        }
        let placed = |end: Attachment| Attachment { on: Carrier::Joint(called(leg, end.on.name())), ..end };
        let (name, first, second) = (called(leg, &pin.name), placed(pin.first), placed(pin.second));
        robot.closures.push(ClosureDescription { name, first, second, ..pin });
    }
    let carrier = robot.joints.iter().find(|joint| Some(&joint.name) == foot.as_ref());
    let base = carrier.map_or(base, |carrier| carrier.link_frame * base);
    for joint in &chain.joints {
        if let Some(row) = rows.iter().position(|row| *row == joint.name) {
            derive_places(reader, leg, &chain, row + 1, &joint.name, robot.joints.len() + 1);
        }
        robot.joints.push(in_place(leg, foot.as_deref(), &base, joint));
    }
    let end = called(leg, "end");
    for (place, origin) in [
        (format!("frame.{}", key(&end)), leg_place.into()),
        (format!("closure.{}", key(&end)), leg_place.into()),
        (format!("closure.{}.first", key(&end)), format!("{}.end", chain.place)),
        (format!("closure.{}.second", key(&end)), format!("{leg_place}.platform")),
    ] {
        reader.notes.derive(place, origin);
    }
    let Some(last) = robot.joints.last().map(|joint| joint.name.clone()) else { return };
    robot.frames.push(FrameDescription { name: end.clone(), parent: Some(last.clone()), pose: chain.end });
    let first = Attachment { on: Carrier::Joint(last), pose: chain.end };
    robot.closures.push(ClosureDescription { name: end, kind: chain.closing, first, second });
}

/// What carries an end of a leg, none for the robot's base, and where the end is on it: on the `usual` carrier if the
/// section does not say `on`.
fn stand(
    reader: &mut Reader,
    section: &Table,
    key: &str,
    usual: &str,
    robot: &Description,
) -> (Option<String>, Pose<f64>) {
    let on = |name: &str| (name != BASE).then(|| name.to_owned());
    let Some(table) = part(reader, section, key, &["on", "xyz", "rpy"]) else {
        return (on(usual), Pose::identity(0.0));
    };
    let pose = pose(reader, &table);
    let Some(node) = reader.get(&table, "on") else { return (on(usual), pose) };
    let name = reader.text(&node, "the name of a joint, \"base\" or \"platform\"").unwrap_or(usual);
    let joints = || robot.joints.iter();
    if name != BASE && name != PLATFORM && joints().all(|joint| joint.name != name) {
        let known = joints().map(|joint| joint.name.clone()).collect();
        reader.error(&node.place, Finding::UnknownCarrier { name: name.into(), known });
        return (on(usual), pose);
    }
    (on(name), pose)
}

/// What is wrong in a leg's joint is reported where its chain says it.
fn derive_places(reader: &mut Reader, leg: &str, chain: &Chain, row: usize, joint: &str, number: usize) {
    let Chain { place, .. } = chain;
    reader.notes.derive(format!("joints[{number}]"), format!("{place}.joints[{row}]"));
    for kind in ["joints", "joint", "body"] {
        reader.notes.derive(format!("{kind}.{}", key(&called(leg, joint))), format!("{place}.{kind}.{}", key(joint)));
    }
}

/// A joint of a chain as one of a leg, whose base frame takes the place of the robot's; `foot` carries it.
fn in_place(leg: &str, foot: Option<&str>, base: &Pose<f64>, joint: &JointDescription) -> JointDescription {
    let mut joint = joint.clone();
    joint.name = called(leg, &joint.name);
    let leaders = joint.mimic.iter_mut().flat_map(|mimic| &mut mimic.joints);
    leaders.for_each(|(leader, _)| *leader = called(leg, leader));
    match &mut joint.parent {
        Some(parent) => *parent = called(leg, parent),
        None => {
            joint.parent = foot.map(Into::into);
            joint.placement = on_base(base, joint.placement);
        }
    }
    joint
}

/// Where a joint sits on the robot's base that sits so on its leg's.
///
/// A turn about z and a shift along it are γ and b, so that legs around one axis keep the numbers of their table.
fn on_base(base: &Pose<f64>, placement: KhalilKleinfinger) -> KhalilKleinfinger {
    let Pose { rotation, position } = base;
    if rotation.rows[2] == Vec3::new(0.0, 0.0, 1.0) && position.x == 0.0 && position.y == 0.0 {
        let yaw = rotation.to_roll_pitch_yaw().z;
        KhalilKleinfinger { gamma: yaw + placement.gamma, b: position.z + placement.b, ..placement }
    } else {
        KhalilKleinfinger::from_pose(&(*base * placement.pose()))
    }
}

/// The name of a part of a leg.
fn called(leg: &str, part: &str) -> String {
    format!("{leg}.{part}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Branch;
    use crate::description::toml::{read, write};
    use crate::spatial::Mat3;
    use core::f64::consts::FRAC_PI_2;
    use proptest::prelude::*;

    /// A platform on two legs of one kind.
    const ROBOT: &str = r#"name = "press"
frames = "modified-dh"
[platform]
mass = 1.0
com = [0, 0, 0]
inertia = { xx = 1, yy = 1, zz = 1 }
[chain.arm]
joints = [
  ["lift", "revolute",  "90 deg", 0.5, "q", 0],
  ["rod",  "prismatic", "0",      0.1, 0,   "q + 0.2"],
]
driven = ["lift"]
closing = "revolute"
end = { xyz = [0, 0, 0.3] }
body.lift = { mass = 2, com = [0, 0, 0], inertia = { xx = 1, yy = 1, zz = 1 } }
body.rod.mass = 0
joint.rod = { home = 0.1, branch = "+", mimic = { joint = "lift" } }
[leg.A]
[leg.B]
base = { xyz = [1, 0, 0], rpy = [0, 0, "90 deg"] }
platform = { xyz = [0, 2, 0] }
home = { lift = "30 deg", rod = 0.4 }
branch = { rod = "-" }
"#;

    #[test]
    fn legs_are_written_out() {
        let (robot, warnings) = read(ROBOT).unwrap();
        assert!(warnings.is_empty(), "{warnings}");
        assert_eq!(robot.convention, Convention::KhalilKleinfinger);
        let joints: Vec<_> = robot.joints.iter().map(|j| (j.name.as_str(), j.parent.as_deref(), j.driven)).collect();
        let expected = [
            ("A.lift", None, true),
            ("A.rod", Some("A.lift"), false),
            ("B.lift", None, true),
            ("B.rod", Some("B.lift"), false),
        ];
        assert_eq!(joints, expected);
        assert_eq!(
            robot.joints.iter().map(|j| j.home).collect::<Vec<_>>(),
            [0.0, 0.1, 30.0 / 180.0 * core::f64::consts::PI, 0.4]
        );
        assert_eq!((robot.joints[1].branch, robot.joints[3].branch), (Branch::Positive, Branch::Negative));
        assert_eq!(robot.joints[3].mimic.as_ref().unwrap().single(), Some(("B.lift", 1.0)));
        let frames: Vec<_> = robot.frames.iter().map(|f| (f.name.as_str(), f.parent.as_deref())).collect();
        assert_eq!(frames, [("A.end", Some("A.rod")), ("B.end", Some("B.rod"))]);
        let end = &robot.closures[1];
        assert_eq!((end.name.as_str(), end.kind), ("B.end", ClosingJoint::Revolute));
        assert_eq!((&end.first.on, &end.second.on), (&Carrier::Joint("B.rod".into()), &Carrier::Platform));
        assert_eq!((end.first.pose.position.z, end.second.pose.position.y), (0.3, 2.0));
    }

    #[test]
    fn quarter_turns_of_a_base_stay_exact() {
        let robot = read(ROBOT).unwrap().0;
        let [table, turned] = [0, 2].map(|j| robot.joints[j].placement);
        assert_eq!((table.alpha, table.d, table.gamma), (FRAC_PI_2, 0.5, 0.0));
        // x of the chain is y of the robot, and z of the joint is x.
        let expected = Mat3::from_rows([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from));
        assert_eq!(turned.pose(), Pose { rotation: expected, position: Vec3::new(1.0, 0.5, 0.0) });
        let about_z = read(&ROBOT.replace("xyz = [1, 0, 0]", "xyz = [0, 0, 1]")).unwrap().0.joints[2].placement;
        assert_eq!(about_z, KhalilKleinfinger { gamma: FRAC_PI_2, b: 1.0, ..table });
    }

    proptest! {
        #[test]
        fn a_base_moves_the_first_joint_and_nothing_else(
            rpy in prop::array::uniform3(-3.0..3.0_f64),
            xyz in prop::array::uniform3(-1.0..1.0_f64),
            about_z: bool,
        ) {
            let [rpy, xyz] = if about_z { [rpy, xyz].map(|[_, _, z]| [0.0, 0.0, z]) } else { [rpy, xyz] };
            let base = Pose { rotation: Mat3::from_roll_pitch_yaw(rpy.into()), position: xyz.into() };
            let text = ROBOT.replace("[1, 0, 0], rpy = [0, 0, \"90 deg\"]", &format!("{xyz:?}, rpy = {rpy:?}"));
            let joints = read(&text).unwrap().0.joints;
            let (found, expected) = (joints[2].placement.pose(), base * joints[0].placement.pose());
            let pairs = found.to_array().into_iter().zip(expected.to_array());
            prop_assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 2e-14), "{:?} {:?}", found, expected);
            prop_assert_eq!(joints[3].placement, joints[1].placement);
        }
    }

    #[test]
    fn a_leg_comes_back_as_its_joints() {
        let robot = read(ROBOT).unwrap().0;
        let text = write(&robot);
        assert!(!text.contains("chain") && text.contains("\n[closure.\"B.end\"]\njoint = \"revolute\"\n"), "{text}");
        assert_eq!(read(&text).unwrap().0, robot);
    }

    /// Every problem after a change to a sound robot, as shown.
    fn problems(from: &str, to: &str) -> Vec<String> {
        assert!(ROBOT.contains(from), "{from}");
        let problems = read(&ROBOT.replacen(from, to, 1)).map_or_else(|problems| problems, |(_, warnings)| warnings);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_problem_is_told_once_where_it_is_written() {
        for (from, to, expected) in [
            ("[leg.A]", "[leg.A]\nchain = 'x'", "line 19: error: leg.A.chain: there is no chain `x`; chains are arm"),
            ("[leg.A]", "[leg.A]\nchain = 1", "line 19: error: leg.A.chain: is 1; expected the name of a chain"),
            ("[leg.A]", "[leg.A]\nknee = 1", "line 19: error: leg.A.knee: is not known here; known keys are chain,"),
            ("[leg.A]", "[leg]\nA = 7", "line 19: error: leg.A: is 7; expected a table"),
            ("[\"lift\"]", "[\"x\"]", "line 12: error: chain.arm.driven[1]: the leg has no joint `x`; its joints are"),
            ("driven = [\"lift\"]\n", "", "line 7: error: chain.arm.driven: is missing; expected the names"),
            ("closing = \"revolute\"\n", "", "line 7: error: chain.arm.closing: is missing; expected \"spherical\""),
            ("= \"revolute\"", "= \"hinge\"", "line 13: error: chain.arm.closing: `hinge` is not \"spherical\""),
            ("{ lift", "{ x", "line 22: error: leg.B.home.x: the leg has no joint `x`; its joints are lift, rod"),
            ("\"30 deg\"", "\"3 mm\"", "line 22: error: leg.B.home.lift: `3 mm` is not an angle"),
            ("rod = 0.4", "rod = 1e31", "line 22: error: leg.B.home.rod: is 1e31"),
            ("rod = \"-\"", "rod = \"left\"", "line 23: error: leg.B.branch.rod: `left` is not \"+\" or \"-\""),
            ("branch = { rod", "branch = { x", "line 23: error: leg.B.branch.x: the leg has no joint `x`"),
            ("mass = 2", "mass = -2", "line 15: error: chain.arm.body.lift.mass: is -2 kg"),
            ("body.rod.mass = 0\n", "", "line 10: error: chain.arm.body.rod: is missing; expected a section"),
            ("home = 0.1", "driven = true", "line 17: error: chain.arm.joint.rod.driven: is not known here; known"),
            ("\"0\",  ", "\"1 m\",", "line 10: error: chain.arm.joints.rod.alpha: `1 m` is not an angle"),
            ("com = [0, 0, 0]\n", "", "line 3: error: platform.com: is missing"),
            ("[platform]", "[frame.x]\nparent = 'A.knee'\n[platform]", "line 4: error: frame.x.parent: there is no"),
            ("[leg.A]", "[body.x]\nmass = 0\n[leg.A]", "line 18: error: body.x: there is no joint `x` that could"),
        ] {
            let found = problems(from, to);
            assert!(found.iter().any(|problem| problem.starts_with(expected)), "{expected}\n{found:#?}");
            assert_eq!(found.len(), 1, "{expected}\n{found:#?}");
        }
        let unfit = read(&ROBOT.replace("rod", "'a,b'").replace("\"'a,b'\"", "'a,b'")).unwrap_err();
        let unfit: Vec<String> = unfit.iter().map(|problem| format!("{:?} {}", problem.line, problem.place)).collect();
        assert_eq!(unfit, ["Some(10) chain.arm.joints[2].name"]);
    }

    #[test]
    fn a_robot_without_the_parts_it_names_is_told_what_is_missing() {
        let sections: Vec<&str> = ROBOT.split_inclusive('\n').collect();
        let (head, platform, chain, legs) =
            (sections[..2].concat(), sections[2..6].concat(), sections[6..17].concat(), sections[17..].concat());
        let told = |parts: &[&str]| {
            let problems = read(&parts.concat()).map_or_else(|problems| problems, |(_, warnings)| warnings);
            problems.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let missing = "is missing; expected the name of a section [chain.NAME]";
        assert_eq!(told(&[&head, &platform, &legs])[0], format!("line 7: error: leg.A.chain: {missing}"));
        assert_eq!(
            told(&[&head, &chain, &legs]),
            [
                "line 14: error: leg.A.platform: there is no platform to hold; describe that body in a section [platform]"
            ]
        );
        assert_eq!(
            told(&[&head, &platform, &chain, "[leg]\n"]),
            [
                "error: joints: the robot has no joint; it needs at least one that moves, or a floating base",
                "line 3: error: platform: nothing holds the platform; let legs or closing joints do",
                "line 7: warning: chain.arm: no leg is made of it; name it in a section [leg.NAME], or remove it",
            ]
        );
        let empty = "[chain.none]\njoints = []\ndriven = []\nclosing = 'point'\n[leg.A]\n";
        assert_eq!(
            told(&[&head, &platform, empty]),
            ["line 8: error: chain.none.joints: the chain has no joint; a leg needs at least one"]
        );
        let two = chain.replace("chain.arm", "chain.other");
        assert_eq!(
            told(&[&head, &platform, &chain, &two, &legs])[0],
            format!("line 29: error: leg.A.chain: {missing}")
        );
    }
}
