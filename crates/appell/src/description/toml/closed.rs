//! What makes a robot more than a tree: `[platform]` and `[closure.NAME]`.

use super::reader::{Node, Reader, Table};
use super::sections::{body, part, place, pose};
use crate::description::loose::on_the_base;
use crate::description::name::key;
use crate::description::{
    Attachment, BodyDescription, Carrier, ClosingJoint, ClosureDescription, Freedom, JointDescription,
    PlatformDescription,
};
use crate::spatial::Pose;

/// The body that legs hold; none where the section is not a table.
pub(super) fn platform(reader: &mut Reader, node: &Node) -> Option<PlatformDescription> {
    let known = &["mass", "com", "inertia", "payload", "turns", "home", "freedoms"];
    let section = reader.table(node, known)?;
    let turns = reader.get(&section, "turns").map_or(Some(true), |node| reader.truth(&node));
    let needs_inertia = turns == Some(true);
    let payload = part(reader, &section, "payload", &["mass", "com", "inertia"]);
    Some(PlatformDescription {
        body: body(reader, &section, needs_inertia),
        payload: payload.map_or(BodyDescription::default(), |payload| body(reader, &payload, needs_inertia)),
        turns: turns.unwrap_or(true),
        home: place(reader, &section, "home"),
        freedoms: reader.get(&section, "freedoms").and_then(|node| freedoms(reader, &node)),
        is_output: false,
    })
}

/// Further bodies that closing joints alone hold, `[part.NAME]`, each on joints from the base that let it move freely, as
/// rows before those of the table. The last one has its name.
pub(super) fn parts(reader: &mut Reader, file: &Table, joints: &mut Vec<JointDescription>) {
    let mut all = Vec::new();
    for (name, node) in reader.sections(file, "part") {
        let Some(section) = reader.table(&node, &["mass", "com", "inertia", "turns", "home"]) else { continue };
        let turns = reader.get(&section, "turns").and_then(|node| reader.truth(&node)).unwrap_or(true);
        let (body, home) = (body(reader, &section, turns), place(reader, &section, "home"));
        let mut rows = on_the_base(name, &home, body, turns);
        rows.last_mut().into_iter().for_each(|last| last.name = name.into());
        for row in &rows {
            reader.notes.derive(format!("joints[{}]", all.len() + 1), node.place.clone());
            for kind in ["joints", "joint"] {
                reader.notes.derive(format!("{kind}.{}", key(&row.name)), node.place.clone());
            }
            all.push(row.clone());
        }
        reader.notes.derive(format!("body.{}", key(name)), node.place.clone());
    }
    for row in (1..=joints.len()).filter(|_| !all.is_empty()) {
        reader.notes.derive(format!("joints[{}]", all.len() + row), format!("joints[{row}]"));
    }
    all.append(joints);
    *joints = all;
}

fn freedoms(reader: &mut Reader, node: &Node) -> Option<Vec<Freedom>> {
    let items = reader.items(node, "an array of components of the twist")?;
    items.iter().map(|item| reader.word(item, Freedom::EXPECTED, Freedom::find)).collect()
}

/// The joints that close loops of the tree, in the order of the file.
pub(super) fn closures(reader: &mut Reader, file: &Table) -> Vec<ClosureDescription> {
    let sections = reader.sections(file, "closure");
    sections.into_iter().filter_map(|(name, node)| closure(reader, name, &node)).collect()
}

/// A closing joint, as far as it can be read; none where it is not known what it joins.
fn closure(reader: &mut Reader, name: &str, node: &Node) -> Option<ClosureDescription> {
    let section = reader.table(node, &["joint", "first", "second"])?;
    let kind = closing_joint(reader, &section, "joint");
    let [first, second] = ["first", "second"].map(|end| attachment(reader, &section, end));
    Some(ClosureDescription { name: name.into(), kind, first: first?, second: second? })
}

/// How a loop is closed; a guess where that cannot be read.
pub(super) fn closing_joint(reader: &mut Reader, section: &Table, key: &str) -> ClosingJoint {
    let node = reader.require(section, key, ClosingJoint::EXPECTED);
    let kind = node.and_then(|node| reader.word(&node, ClosingJoint::EXPECTED, ClosingJoint::find));
    kind.unwrap_or(ClosingJoint::Spherical)
}

fn attachment(reader: &mut Reader, section: &Table, end: &str) -> Option<Attachment> {
    const CARRIER: &str = "the name of a joint, \"base\" or \"platform\"";
    let node =
        reader.require(section, end, "a table: what carries the joint's frame, `on`, and where, `xyz` and `rpy`")?;
    let table = reader.table(&node, &["on", "xyz", "rpy"])?;
    let pose: Pose<f64> = pose(reader, &table);
    let on = reader.require(&table, "on", CARRIER)?;
    let on = Carrier::from(reader.text(&on, CARRIER)?);
    Some(Attachment { on, pose })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::toml::{read, write};
    use crate::spatial::Vec3;

    /// A crank and a rocker, and a platform that hangs on both.
    const ROBOT: &str = r#"name = "swing"
frames = "khalil-kleinfinger"
joints = [
  ["crank",  "revolute", "base", 0, 0, 0, 0,   "q", 0],
  ["rocker", "revolute", "base", 0, 0, 0, 0.5, "q", 0],
]
body.crank.mass = 0
body.rocker.mass = 0
joint.rocker = { driven = false, home = "-20 deg", branch = "-" }
[platform]
mass = 1.0
com = [0, 0, 0.1]
turns = false
payload = { mass = 2, com = [0, 0, 1], inertia = { xx = 1, yy = 1, zz = 1 } }
home = { xyz = [0.2, 0.1, 0] }
freedoms = ["vy"]
[closure.pin]
joint = "revolute"
first = { on = "crank", xyz = [0.2, 0, 0] }
second = { on = "platform", rpy = [0, 0, "90 deg"] }
[closure.rail]
joint = "cylindrical"
first = { on = "rocker" }
second = { on = "platform" }
"#;

    #[test]
    fn a_platform_and_closing_joints_are_read() {
        let (robot, warnings) = read(ROBOT).unwrap();
        assert!(warnings.is_empty(), "{warnings}");
        let platform = robot.platform.as_ref().unwrap();
        assert_eq!((platform.body.mass, platform.payload.com.z, platform.turns), (1.0, 1.0, false));
        assert_eq!((platform.home.position, &platform.freedoms), (Vec3::new(0.2, 0.1, 0.0), &Some(vec![Freedom::Vy])));
        let [pin, rail] = &robot.closures[..] else { panic!("{:?}", robot.closures) };
        assert_eq!((pin.kind, rail.kind), (ClosingJoint::Revolute, ClosingJoint::Cylindrical));
        assert_eq!((&pin.first.on, pin.first.pose.position.x), (&Carrier::Joint("crank".into()), 0.2));
        assert_eq!((&pin.second.on, pin.second.pose.rotation.rows[1].x), (&Carrier::Platform, 1.0));
        assert_eq!(read(&write(&robot)).unwrap().0, robot);
    }

    #[test]
    fn each_problem_is_found() {
        for (from, to, expected) in [
            ("freedoms = [\"vy\"]", "freedoms = [\"up\"]", "line 16: error: platform.freedoms[1]: `up` is not one of"),
            ("[\"vy\"]", "[\"vy\", \"vy\"]", "line 16: error: platform.freedoms[2]: vy stands twice"),
            ("[\"vy\"]", "[\"wz\"]", "line 16: error: platform.freedoms[1]: wz is a component of turning"),
            ("turns = false", "", "line 10: error: platform.inertia: is missing"),
            ("turns = false", "turns = 0", "line 13: error: platform.turns: is 0; expected true or false"),
            ("{ mass = 2", "{ mass = -2", "line 14: error: platform.payload.mass: is -2 kg"),
            ("joint = \"revolute\"", "joint = \"weld\"", "line 18: error: closure.pin.joint: `weld` is not"),
            (
                "on = \"crank\"",
                "on = \"x\"",
                "line 19: error: closure.pin.first.on: there is no joint `x` to close a loop on; joints are crank, rocker",
            ),
            (
                "on = \"crank\"",
                "on = \"platform\"",
                "line 17: error: closure.pin: closes a loop between a body and itself, platform; name two",
            ),
            ("on = \"crank\"", "on = 1", "line 19: error: closure.pin.first.on: is 1; expected the name of a joint"),
            ("on = \"crank\", ", "", "line 19: error: closure.pin.first.on: is missing; expected the name of a joint"),
            ("first = { on = \"rocker\" }", "", "line 21: error: closure.rail.first: is missing; expected a table"),
            ("[closure.rail]", "[closure.crank]", "line 21: error: closure.crank: the name `crank` is taken already"),
            ("closure.rail", "closure.platform", "line 21: error: closure.platform: the name `platform` is reserved"),
            ("branch = \"-\"", "branch = \"down\"", "line 9: error: joint.rocker.branch: `down` is not"),
            ("\"-20 deg\"", "\"-20 mm\"", "line 9: error: joint.rocker.home: `-20 mm` is not an angle"),
        ] {
            assert!(ROBOT.contains(from), "{from}");
            let problems = read(&ROBOT.replacen(from, to, 1)).unwrap_err();
            let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert!(told.iter().any(|problem| problem.starts_with(expected)), "{expected}\n{told:#?}");
            assert_eq!(told.len(), 1, "{told:#?}");
        }
    }
}
