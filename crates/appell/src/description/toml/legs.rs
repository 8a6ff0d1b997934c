//! The legs of parallel robots: `[chain.NAME]` describes a kind of leg, `[leg.NAME]` puts one of a kind in its place.
//!
//! A leg is written out into joints `LEG.JOINT`, and into a closing joint and a frame `LEG.end`. What is found wrong in
//! them is told where the chain or the leg says it.

use super::closed::closing_joint;
use super::reader::{Reader, Table};
use super::sections::{self, OF_A_JOINT, branch, place, position};
use super::table;
use crate::description::name::key;
use crate::description::{
    Attachment, Carrier, ClosingJoint, ClosureDescription, Convention, Description, Finding, FrameDescription,
    JointDescription, JointKind, KhalilKleinfinger,
};
use crate::spatial::Pose;

/// A kind of leg. It has a joint, even where none could be read, so that what refers to it is understood.
struct Chain {
    name: String,
    place: String,
    joints: Vec<JointDescription>,
    closing: ClosingJoint,
    end: Pose<f64>,
    is_used: bool,
}

/// Adds the legs of a file to a robot.
pub(super) fn legs(reader: &mut Reader, file: &Table, convention: Option<Convention>, robot: &mut Description) {
    let mut chains = chains(reader, file, convention);
    for (name, node) in reader.sections(file, "leg") {
        let Some(section) = reader.table(&node, &["chain", "base", "platform", "home", "branch"]) else { continue };
        let stand_in = || Chain::without_joints(String::new(), format!("{}.chain", node.place));
        let chain = choose(reader, &section, &mut chains).unwrap_or_else(stand_in);
        add_leg(reader, name, &node.place, &section, chain, robot);
    }
    for chain in chains.iter().filter(|chain| !chain.is_used) {
        reader.notes.warning(&chain.place, Finding::UnusedChain);
    }
}

impl Chain {
    fn without_joints(name: String, place: String) -> Self {
        let joints = vec![JointDescription::new("", JointKind::Revolute)];
        Self { name, place, joints, closing: ClosingJoint::Spherical, end: Pose::identity(0.0), is_used: false }
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
        if let Some(section) = reader.table(&node, &["joints", "driven", "closing", "end", "body", "joint"]) {
            read_chain(reader, &section, convention, &mut chain);
        }
        chains.push(chain);
    }
    chains
}

fn read_chain(reader: &mut Reader, section: &Table, convention: Option<Convention>, chain: &mut Chain) {
    let rows = reader.require(section, "joints", "an array of rows, one a joint");
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
    chain.closing = closing_joint(reader, section, "closing");
    chain.end = sections::place(reader, section, "end");
}

/// Tells which joints motors drive.
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
    Some(Chain { name: chain.name.clone(), place: chain.place.clone(), joints: chain.joints.clone(), ..*chain })
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
    let base = place(reader, section, "base");
    let second = Attachment { on: Carrier::Platform, pose: place(reader, section, "platform") };
    for (row, joint) in (1..).zip(&chain.joints) {
        derive_places(reader, leg, &chain, row, &joint.name, robot.joints.len() + 1);
        robot.joints.push(in_place(leg, &base, joint));
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

/// What is found wrong in a leg's joint is told where its chain says it.
fn derive_places(reader: &mut Reader, leg: &str, chain: &Chain, row: usize, joint: &str, number: usize) {
    let Chain { place, .. } = chain;
    reader.notes.derive(format!("joints[{number}]"), format!("{place}.joints[{row}]"));
    for kind in ["joints", "joint", "body"] {
        reader.notes.derive(format!("{kind}.{}", key(&called(leg, joint))), format!("{place}.{kind}.{}", key(joint)));
    }
}

/// A joint of a chain as one of a leg, whose base frame takes the place of the robot's.
fn in_place(leg: &str, base: &Pose<f64>, joint: &JointDescription) -> JointDescription {
    let mut joint = joint.clone();
    joint.name = called(leg, &joint.name);
    joint.mimic.iter_mut().for_each(|mimic| mimic.joint = called(leg, &mimic.joint));
    match &mut joint.parent {
        Some(parent) => *parent = called(leg, parent),
        None if *base != Pose::identity(0.0) => {
            joint.placement = KhalilKleinfinger::from_pose(&(*base * joint.placement.pose()));
        }
        None => {}
    }
    joint
}

/// The name of a part of a leg.
fn called(leg: &str, part: &str) -> String {
    format!("{leg}.{part}")
}
