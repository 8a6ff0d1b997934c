//! Robots as URDF files, the format of ROS, read and written.
//!
//! | in a URDF | here |
//! |---|---|
//! | revolute, continuous, prismatic joint about any axis | a joint about z, the link's frame kept as the user's frame |
//! | fixed joint | none: the bodies of both links are merged |
//! | floating joint | a free joint, its attitude a quaternion |
//! | planar joint | a planar joint, whose z is the axis |
//! | link | a named frame; a joint's child called like the joint is the joint's own, the root `base` is the base |
//! | missing `<inertial>` | a massless body |
//! | `<loop_joint>`, `<drake:ball_constraint>`, `<gazebo><joint>` | closing joints: simulators' ways to say loops |
//! | `<limit>`, `<dynamics>`, `<mimic>` | limits, viscous and Coulomb friction, mimicry of joints with one motion |
//!
//! Joints come depth first in the order of the file. The root link does not move, so its mass is of no consequence,
//! unless [`Options::floating_base`] sets it free. Where a link's name is taken by a joint the frame is called
//! `link:NAME`, with a warning. Everything else, such as `<visual>` or `<gazebo>`, is passed over, as ROS does;
//! [`read_with_extras`] keeps it for [`write_with_extras`].
//!
//! The crate urdf-rs is not used, because it
//! - refuses three of the 69 robots in the package example-robot-data 6.0, which ROS loads, for a mesh without a
//!   file name: icub, icub_reduced and romeo_laas_small;
//! - overflows the stack, which ends the process, on deeply nested elements;
//! - stops at the first error and knows no lines, while a user wants all problems with theirs;
//! - takes two links of one name, joints between links that are not there, and NaN.

mod extras;
mod loops;
mod parts;
mod place;
mod tree;
mod visuals;
mod write;

pub use extras::Extras;
pub(super) use extras::ShapeOfLink;
pub use visuals::Mesh;
pub use write::{write, write_with_extras};

use super::xml::{self, Reader};
use super::{Convention, Description, Finding, Problem, Problems, Severity, check, lint};

/// How to read what a URDF leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether the root link moves freely, by a free joint `root_joint`, or is fixed on the base.
    pub floating_base: bool,
}

/// Reads a robot, with the warnings about it.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str, options: Options) -> Result<(Description, Problems), Problems> {
    read_and(check, text, options, false).map(|(description, _, warnings)| (description, warnings))
}

/// Reads a robot, with all that the file says beyond it, and the warnings about it.
///
/// # Errors
/// Those of [`read`].
pub fn read_with_extras(text: &str, options: Options) -> Result<(Description, Extras, Problems), Problems> {
    read_and(check, text, options, true)
}

/// Everything wrong or doubtful in a robot's file, with its line where one is known: what [`read`] finds, and what
/// [`lint()`] does.
#[must_use]
pub fn inspect(text: &str, options: Options) -> Problems {
    let found = read_and(lint, text, options, false);
    let found = found.map_or_else(|problems| problems, |(_, _, warnings)| warnings);
    // ROS loads a robot of which nothing moves, and with a floating base it can be computed.
    let doubted = found.into_iter().map(|problem| match problem.finding {
        Finding::NoJoints => Problem { severity: Severity::Warning, finding: Finding::NothingMoves, ..problem },
        _ => problem,
    });
    doubted.collect()
}

fn read_and(
    inspect: fn(&Description) -> Problems,
    text: &str,
    options: Options,
    keeps_extras: bool,
) -> Result<(Description, Extras, Problems), Problems> {
    let text = xml::forgiven(text);
    let mut reader = Reader::new(&text);
    let read = description(&mut reader, &text, options, keeps_extras);
    reader.finish(read, inspect)
}

/// What could be read of a file, if that makes a tree; the reader knows what could not. Without extras unless they are
/// to be kept.
fn description(reader: &mut Reader, text: &str, options: Options, keeps_extras: bool) -> Option<(Description, Extras)> {
    let document = reader.document(text)?;
    let robot = reader.robot(&document)?;
    let name = reader.require(&robot, "name", "the robot's name");
    let links = parts::links(reader, &robot);
    let joints = parts::joints(reader, &robot);
    let tree = tree::grow(reader, &links, &joints)?;
    let place::Placed { joints: mut placed, frames, names, root_joint } =
        place::place(reader, &links, &joints, &tree, options);
    let closures = loops::read(reader, &robot, &loops::Places::new(&links, &names, (&placed, &frames), &joints, &tree));
    let driven = loops::driven(&robot);
    if !closures.is_empty() && !driven.is_empty() {
        placed.iter_mut().for_each(|joint| joint.driven = driven.contains(&joint.name));
    }
    let extras = if keeps_extras {
        Extras::of(text, &robot, &joints, &tree, &names, root_joint.as_deref())
    } else {
        Extras::default()
    };
    let description = Description {
        name: name.map_or("", |(name, _)| name).into(),
        convention: Convention::KhalilKleinfinger,
        joints: placed,
        frames,
        closures,
        ..Description::default()
    };
    Some((description, extras))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Limits, STANDARD_GRAVITY};
    use proptest::prelude::*;

    /// A sound arm: two moving joints and a tool fixed on the second.
    const ARM: &str = "<?xml version='1.0'?>
<robot name='arm'>
  <link name='floor'/>
  <link name='upper'>
    <inertial>
      <origin xyz='0.1 0 0' rpy='0 0 0'/>
      <mass value='2.0'/>
      <inertia ixx='0.01' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.02'/>
    </inertial>
  </link>
  <link name='fore'/>
  <link name='tool'/>
  <joint name='shoulder' type='revolute'>
    <parent link='floor'/>
    <child link='upper'/>
    <origin xyz='0 0 0.5' rpy='0 0 0'/>
    <axis xyz='0 0 1'/>
    <limit lower='-1' upper='2' effort='30' velocity='4'/>
    <dynamics damping='0.1' friction='0.2'/>
  </joint>
  <joint name='elbow' type='prismatic'>
    <parent link='upper'/>
    <child link='fore'/>
    <axis xyz='1 0 0'/>
  </joint>
  <joint name='grasp' type='fixed'>
    <parent link='fore'/>
    <child link='tool'/>
    <origin xyz='0.2 0 0'/>
  </joint>
</robot>
";

    /// Line, place and message of every problem.
    fn problems(text: &str) -> Vec<(usize, String, String)> {
        let problems = read(text, Options::default()).map_or_else(|problems| problems, |(_, warnings)| warnings);
        let told = problems.iter().map(|p| (p.line.unwrap_or(0), p.place.clone(), p.finding.to_string()));
        told.collect()
    }

    /// Asserts that there is one problem, with this line, place and beginning of the message.
    #[track_caller]
    fn assert_one(text: &str, line: usize, place: &str, message: &str) {
        match &problems(text)[..] {
            [(l, p, m)] if *l == line && p == place && m.starts_with(message) => {}
            found => panic!("expected line {line}: {place}: {message}\nfound {found:#?}\nin {text}"),
        }
    }

    fn read_arm(from: &str, to: &str) -> Description {
        assert!(ARM.contains(from), "{from}");
        read(&ARM.replacen(from, to, 1), Options::default()).unwrap_or_else(|problems| panic!("{problems}")).0
    }

    #[test]
    fn the_arm_is_read() {
        let arm = read_arm("", "");
        assert_eq!(problems(ARM), []);
        let [shoulder, elbow] = &arm.joints[..] else { panic!("{:?}", arm.joints) };
        assert_eq!((arm.name.as_str(), arm.gravity), ("arm", STANDARD_GRAVITY));
        assert_eq!(shoulder.limits, Limits { lower: -1.0, upper: 2.0, velocity: 4.0, effort: 30.0 });
        assert_eq!((shoulder.effects.friction.viscous, shoulder.effects.friction.coulomb), (0.1, 0.2));
        assert_eq!((elbow.limits, elbow.parent.as_deref()), (Limits::default(), Some("shoulder")));
        let frames: Vec<_> = arm.frames.iter().map(|frame| (frame.name.as_str(), frame.parent.as_deref())).collect();
        let expected = [("floor", None), ("upper", Some("shoulder")), ("fore", Some("elbow")), ("tool", Some("elbow"))];
        assert_eq!(frames, expected);
    }

    #[test]
    fn each_problem_is_found() {
        const JOINT: &str = "</joint>\n</robot>";
        for (from, to, line, place, message) in [
            ("</robot>", "", 32, "file", "is not XML"),
            ("<robot", "<sdf", 31, "file", "is not XML"),
            (" name='arm'", "", 2, "robot.name", "is missing"),
            ("<link name='tool'/>", "<link name='tool'/><link name=''/>", 12, "links[5].name", "the name is empty"),
            ("value='2.0'", "value='two'", 7, "links.upper.inertial.mass.value", "`two` is not a number"),
            ("value='2.0'", "value='nan'", 7, "links.upper.inertial.mass.value", "is NaN"),
            ("value='2.0'", "value='1e999'", 7, "links.upper.inertial.mass.value", "is inf"),
            ("value='2.0'", "value='${m}'", 7, "links.upper.inertial.mass.value", "`${m}` is xacro; expand"),
            ("value='2.0'", "", 7, "links.upper.inertial.mass.value", "is missing"),
            ("value='2.0'", "value='-2'", 7, "links.upper.inertial.mass", "is -2 kg"),
            ("value='2.0'", "value='0'", 8, "links.upper.inertial.inertia", "the body has inertia but no mass"),
            ("<mass value='2.0'/>", "", 5, "links.upper.inertial.mass", "is missing"),
            ("izz='0.02'", "", 8, "links.upper.inertial.inertia.izz", "is missing"),
            ("izz='0.02'", "izz='9'", 8, "links.upper.inertial.inertia", "the principal moments"),
            ("xyz='0.1 0 0'", "xyz='0.1 0'", 6, "links.upper.inertial.origin.xyz", "has 2 entries; expected 3"),
            ("'tool'", "'fore'/>\n<link name='tool'", 12, "links.fore", "the name `fore` is taken already by link 3"),
            ("name='grasp'", "name='elbow'", 26, "joint.elbow", "the name `elbow` is taken already by joint 2"),
            ("'revolute'", "'hinge'", 13, "joint.shoulder.type", "`hinge` is not revolute, continuous"),
            ("type='revolute'", "", 13, "joint.shoulder.type", "is missing"),
            ("<parent link='floor'/>", "", 13, "joint.shoulder.parent", "is missing"),
            ("parent link='floor'", "parent", 14, "joint.shoulder.parent.link", "is missing"),
            ("parent link='floor'", "parent link='flor'", 14, "joint.shoulder.parent", "there is no link `flor`"),
            ("child link='upper'", "child link='up'", 15, "joint.shoulder.child", "there is no link `up`"),
            ("xyz='0 0 1'", "xyz='0 0 0'", 17, "joint.shoulder.axis", "the axis is zero"),
            ("xyz='0 0 1'", "xyz='0 3 4'", 17, "joint.shoulder.axis", "the axis has the length 5"),
            ("lower='-1'", "lower='3'", 18, "joint.shoulder.limits", "lower, 3, is above upper, 2"),
            ("lower='-1'", "lower='NaN'", 18, "joint.shoulder.limit.lower", "is NaN"),
            ("damping='0.1'", "damping='x'", 19, "joint.shoulder.dynamics.damping", "`x` is not a number"),
            ("<dynamics", "<mimic/><dynamics", 19, "joint.shoulder.mimic.joint", "is missing"),
            ("<dynamics", "<mimic joint='grasp'/><dynamics", 19, "joint.shoulder.mimic", "mimics `grasp`"),
            ("name='tool'/>", "name='tool'/><link name='nut'/>", 12, "links.nut", "is not the child of a joint"),
            ("child link='tool'", "child link='upper'", 28, "joint.grasp.child", "the link `upper` is the child of"),
            ("parent link='floor'", "parent link='tool'", 4, "links.upper", "the links upper, tool, fore form a loop"),
            ("child link='tool'", "child link='fore'", 28, "joint.grasp.child", "the link `fore` is the child of"),
            ("name='tool'", "name='elbow'", 28, "joint.grasp.child", "there is no link `tool`"),
            ("'elbow'", "'a,b'", 21, "joint.\"a,b\"", "the name `a,b` is taken or unfit; this is called `a_b`"),
            ("'elbow'", "'floor'", 3, "links.floor", "the name `floor` is taken or unfit; this is called `link:floor`"),
            ("'elbow'", "'base'", 21, "joint.base", "the name `base` is taken or unfit; this is called `joint:base`"),
            (JOINT, "</joint>\n<xacro:if/></robot>", 31, "xacro", "`<xacro:if>` is xacro"),
        ] {
            assert!(ARM.contains(from), "{from}");
            let told = problems(&ARM.replacen(from, to, 1));
            // What cannot be a child any more is a root.
            let told: Vec<_> =
                told.iter().filter(|(_, _, m)| told.len() == 1 || !m.starts_with("is not the child")).collect();
            match told[..] {
                [(l, p, m)] if *l == line && p == place && m.starts_with(message) => {}
                _ => panic!("expected line {line}: {place}: {message}\nfound {told:#?}"),
            }
        }
    }

    #[test]
    fn what_is_no_robot_is_told() {
        assert_one("", 1, "file", "is empty");
        assert_one("robot", 1, "file", "is not XML");
        assert_one("\n<sdf/>", 2, "robot", "the outermost element is <sdf>");
        assert_one("<robot name='x'/>", 1, "robot", "is missing; expected links");
        assert_one("<robot name='x'><link name='a'/></robot>", 0, "joints", "the robot has no joint");
    }

    #[test]
    fn loops_are_told_once() {
        let joint = |parent: &str, child: &str| {
            format!(
                "<joint name='{parent}{child}' type='fixed'><parent link='{parent}'/><child link='{child}'/></joint>\n"
            )
        };
        let links: String = ["a", "b", "c", "d"].map(|name| format!("<link name='{name}'/>\n")).concat();
        let text = |joints: &str| format!("<robot name='x'>\n{links}{joints}</robot>");
        let ring = joint("a", "b") + &joint("b", "c") + &joint("c", "a") + &joint("c", "d");
        assert_one(&text(&ring), 2, "links.a", "the links a, c, b form a loop");
        let own = joint("a", "a") + &joint("b", "b") + &joint("c", "d");
        let found = problems(&text(&own));
        assert_eq!(found.iter().map(|(line, ..)| *line).collect::<Vec<_>>(), [2, 3], "{found:#?}");
    }

    #[test]
    fn all_problems_are_told_at_once_in_the_order_of_lines() {
        let text = ARM
            .replace("value='2.0'", "value='two'")
            .replace("xyz='0 0 1'", "xyz='0 0'")
            .replace("'prismatic'", "'sliding'")
            .replace("child link='tool'", "child link='tol'");
        let found = problems(&text);
        let lines: Vec<usize> = found.iter().map(|(line, ..)| *line).collect();
        assert_eq!(lines, [7, 17, 21, 28], "{found:#?}");
    }

    #[test]
    fn what_ros_accepts_is_accepted() {
        let bare = read_arm("", "");
        for (from, to) in [
            ("<?xml", "\u{feff}<?xml"),
            ("<?xml version='1.0'?>\n", ""),
            ("?>\n", "?><!DOCTYPE robot>\n"),
            ("<robot", "<robot xmlns='http://drake.mit.edu'"),
            ("<robot", "<robot xmlns='http://ros.org/wiki/xacro'"),
            ("<link name='floor'/>", "<!-- -- \n --- --><link name='floor'/>"),
            ("</robot>", "<gazebo><sensor:ray/><link name='x'/></gazebo><material/><transmission x:y=''/></robot>"),
            ("xyz='0.1 0 0' rpy='0 0 0'", "xyz='  1e-1\n +0. .0 '"),
            ("<axis xyz='1 0 0'/>", ""),
            ("<axis xyz='1 0 0'/>", "<axis xyz='1 0 0'/><axis xyz='0 0 0'/>"),
            ("ixy='0'", ""),
            ("name='arm'", "version='1.0' name=' arm '"),
        ] {
            assert_eq!(read_arm(from, to), bare, "{to}");
        }
        assert_eq!(
            read_arm("'-1' upper='2'", "'-inf' upper='1.7976931348623157e308'").joints[0].limits,
            Limits { velocity: 4.0, effort: 30.0, ..Limits::default() }
        );
        let continuous = read_arm("'revolute'", "'continuous'");
        assert_eq!(continuous.joints[0].limits.lower, f64::NEG_INFINITY);
    }

    #[test]
    fn what_is_beyond_the_robot_is_written_back() {
        let text = ARM
            .replace(
                "<link name='tool'/>",
                "<link name='tool'><visual a:b='&quot;'>&lt;</visual></link><u:nit x='\"'/>",
            )
            .replace("<dynamics", "<dynamics spin='3'");
        let (arm, extras, _) = read_with_extras(&text, Options::default()).unwrap();
        let (written, dropped) = write_with_extras(&arm, &extras).unwrap();
        assert!(dropped.is_empty(), "{dropped}");
        assert!(written.contains("<visual a:b='&quot;'>&lt;</visual>") && written.contains(" spin=\"3\""), "{written}");
        let (again, kept, warnings) = read_with_extras(&written, Options::default()).unwrap();
        assert_eq!((warnings.iter().count(), &kept.links, &kept.joints), (0, &extras.links, &extras.joints));
        assert_eq!((kept.root, kept.children), (extras.root, extras.children));
        assert_eq!(again.joints.len(), arm.joints.len());
        assert_eq!(read_with_extras(&text, Options::default()).unwrap().0, read(&text, Options::default()).unwrap().0);
    }

    /// A rod from the floor to the arm's end closes a loop, in each simulator's way.
    #[test]
    fn loops_of_simulators_are_read() {
        let ways = [
            "<loop_joint name='pin' type='continuous'><link1 link='tool' xyz='0 0 0'/><link2 link='rod' xyz='0.2 0 0.5'/><axis xyz='0 0 1'/></loop_joint>",
            "<drake:ball_constraint name='pin'><drake:ball_constraint_body_A name='tool'/><drake:ball_constraint_body_B name='rod'/>\
             <drake:ball_constraint_p_AP value='0 0 0'/><drake:ball_constraint_p_BQ value='0.2 0 0.5'/></drake:ball_constraint>",
            "<gazebo><joint name='pin' type='revolute'><pose>0.2 0 0.5 0 0 0</pose><parent>tool</parent><child>rod</child>\
             <axis><xyz>0 0 1</xyz></axis></joint></gazebo>",
        ];
        for way in ways {
            let text = ARM.replace("</robot>", &format!("<link name='rod'/><joint name='pivot' type='revolute'><parent link='floor'/><child link='rod'/></joint><transmission><joint name='pivot'/></transmission>{way}</robot>"));
            let (robot, extras, warnings) =
                read_with_extras(&text, Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
            let [pin] = &robot.closures[..] else { panic!("{way}: {:?}", robot.closures) };
            assert_eq!(
                (pin.name.as_str(), pin.first.on.name(), pin.second.on.name()),
                ("pin", "elbow", "pivot"),
                "{way}"
            );
            assert_eq!(pin.first.pose.position.to_array(), [0.2, 0.0, 0.0], "{way}");
            assert_eq!(pin.second.pose.position.to_array(), [0.2, 0.0, 0.5], "{way}");
            assert_eq!(robot.joints.iter().map(|joint| joint.driven).collect::<Vec<_>>(), [false, false, true]);
            assert!(warnings.is_empty() && write_with_extras(&robot, &extras).is_err());
            let wrong = text.replace(way, &way.replace("tool", "tol"));
            let is_told = |(_, _, message): &(usize, String, String)| message.starts_with("there is no link `tol`");
            assert!(problems(&wrong).iter().any(is_told), "{way}");
        }
    }

    #[test]
    fn what_is_wrong_with_loops_of_simulators_is_told() {
        let reported = |way: &str| {
            let rod = "<link name='rod'/><joint name='pivot' type='revolute'><parent link='floor'/><child link='rod'/></joint>";
            let messages = problems(&ARM.replace("</robot>", &format!("{rod}{way}</robot>")));
            messages.into_iter().map(|(_, place, message)| format!("{place}: {message}")).collect::<Vec<_>>().join("\n")
        };
        let gazebo = |inside: &str| {
            reported(&format!(
                "<gazebo><joint name='pin' type='revolute'><parent>tool</parent><child>rod</child>{inside}</joint></gazebo>"
            ))
        };
        let axis = "<axis><xyz>0 0 1</xyz></axis>";
        for (found, expected) in [
            (gazebo(&format!("<pose>0.2 0 0.5</pose>{axis}")), "pose: has 3 entries; expected 6"),
            (gazebo("<axis><xyz>0 1</xyz></axis>"), "xyz: has 2 entries; expected 3"),
            (gazebo("<pose>0.2 0 0.5 0 0 0</pose>"), "axis: is missing; expected an axis"),
            (gazebo(&format!("<pose relative_to='tool'>0 0 0 0 0 0</pose>{axis}")), "relative_to of its pose"),
            (gazebo("<axis><xyz expressed_in='tool'>0 0 1</xyz></axis>"), "expressed_in of its axis"),
            (
                reported("<drake:ball_constraint><drake:ball_constraint_body_A name='tool'/></drake:ball_constraint>"),
                "expected the second link: <drake:ball_constraint_body_B",
            ),
        ] {
            assert!(found.contains(expected), "{expected}\n{found}");
        }
    }

    #[test]
    fn deep_and_long_files_do_not_exhaust_the_stack() {
        let deep = format!("<robot name='x'>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(problems(&deep).len(), 1);
        let links: String = (0..20_000).map(|k| format!("<link name='l{k}'/>")).collect();
        let joint = |k: usize, kind: &str| {
            let child = k + 1;
            format!("<joint name='j{k}' type='{kind}'><parent link='l{k}'/><child link='l{child}'/></joint>")
        };
        let joints: String = (0..19_998).map(|k| joint(k, "fixed")).collect();
        let last = joint(19_998, "revolute");
        let (robot, _) = read(&format!("<robot name='x'>{links}{joints}{last}</robot>"), Options::default()).unwrap();
        assert_eq!((robot.joints.len(), robot.frames.len()), (1, 20_000));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC*", bytes in any::<Vec<u8>>()) {
            let _ = read(&text, Options::default());
            let _ = read(&String::from_utf8_lossy(&bytes), Options::default());
        }

        #[test]
        fn a_damaged_file_is_read_without_panic(
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..9usize, "[-<>/!=.\"'# 0-9a-z:]{0,4}"), 1..5),
            floating_base: bool,
        ) {
            let mut text: Vec<char> = ARM.chars().collect();
            for (at, cut, paste) in edits {
                let at = at.index(text.len());
                let end = text.len().min(at + cut);
                text.splice(at..end, paste.chars());
            }
            let text: String = text.into_iter().collect();
            if let Ok((robot, _)) = read(&text, Options { floating_base }) {
                prop_assert_eq!(check(&robot).errors(), 0);
                prop_assert!(write(&robot).is_ok());
                let (_, extras, _) = read_with_extras(&text, Options { floating_base }).unwrap();
                let (written, _) = write_with_extras(&robot, &extras).unwrap();
                prop_assert!(read(&written, Options::default()).is_ok(), "{}", written);
            }
        }
    }
}
