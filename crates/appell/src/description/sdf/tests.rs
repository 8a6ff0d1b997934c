//! Small models, and what is wrong with them.

use super::*;
use crate::description::{Carrier, ClosingJoint, JointType};
use proptest::prelude::*;

/// A parallelogram: the last joint has a child that hangs on another one already.
const FOUR_BAR: &str = "<sdf version='1.7'>
  <world name='w'>
    <gravity>0 -9.8 0</gravity>
    <model name='ground'><static>true</static><link name='plane'/></model>
    <model name='four-bar'>
      <link name='crank'>
        <inertial><pose>0.1 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.001</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
      </link>
      <link name='rocker'><pose>0.5 0 0 0 0 0</pose>
        <inertial><pose>0.1 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.001</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
      </link>
      <link name='coupler'><pose>0 0.3 0 0 0 0</pose>
        <inertial><pose>0.2 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.001</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
      </link>
      <joint name='a' type='revolute'><parent>world</parent><child>crank</child><axis><xyz>0 0 1</xyz></axis></joint>
      <joint name='b' type='revolute'><parent>world</parent><child>rocker</child><axis><xyz>0 0 1</xyz><limit><effort>0</effort></limit></axis></joint>
      <joint name='c' type='revolute'><parent>crank</parent><child>coupler</child><axis><xyz>0 0 1</xyz><limit><effort>0</effort></limit></axis></joint>
      <joint name='d' type='revolute'>
        <pose>0.5 0 0 0 0 0</pose>
        <parent>rocker</parent><child>coupler</child><axis><xyz>0 0 1</xyz></axis>
      </joint>
      <frame name='middle' attached_to='coupler'><pose>0.25 0 0 0 0 0</pose></frame>
    </model>
  </world>
</sdf>
";

/// Line, place and message of every problem.
fn problems(text: &str) -> Vec<(usize, String, String)> {
    let found = read(text, Options::default()).map_or_else(|problems| problems, |(_, _, warnings)| warnings);
    found.iter().map(|p| (p.line.unwrap_or(0), p.place.clone(), p.finding.to_string())).collect()
}

#[test]
fn a_second_parent_closes_a_loop() {
    let (robot, _, warnings) = read(FOUR_BAR, Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(
        warnings.to_string(),
        "line 4: warning: model.ground: the model `ground`, which has no joints, is left out"
    );
    assert_eq!((robot.name.as_str(), robot.gravity.to_array()), ("four-bar", [0.0, -9.8, 0.0]));
    let driven: Vec<bool> = robot.joints.iter().map(|joint| joint.driven).collect();
    assert_eq!(driven, [true, false, false]);
    let [closure] = &robot.closures[..] else { panic!() };
    assert_eq!((closure.kind, &closure.first.on), (ClosingJoint::Revolute, &Carrier::Joint("b".into())));
    assert_eq!(closure.first.pose.position.to_array(), [0.0, 0.3, 0.0]);
    let robot = crate::Robot::new(robot).unwrap();
    assert_eq!((robot.freedoms().len(), robot.drives().len()), (1, 1));
    assert!(robot.frames().contains(&"middle"));
}

#[test]
fn degrees_are_said_by_either_word() {
    for word in ["true", "1", "True"] {
        let text = FOUR_BAR.replace(
            "attached_to='coupler'><pose>0.25 0 0 0 0 0",
            &format!("attached_to='coupler'><pose degrees='{word}'>0.25 0 0 90 0 0"),
        );
        let (robot, ..) = read(&text, Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
        let frame = robot.frames.iter().find(|frame| frame.name == "middle").unwrap();
        let angles = frame.pose.rotation.to_roll_pitch_yaw().to_array();
        assert!(angles.iter().any(|angle| (angle.abs() - core::f64::consts::FRAC_PI_2).abs() < 1e-12), "{angles:?}");
    }
}

#[test]
fn each_problem_is_found_with_its_line() {
    let mut missed = Vec::new();
    for (from, to, line, message) in [
        ("</sdf>", "", 26, "is not XML"),
        (" version='1.7'", "", 1, "is missing; expected the version"),
        ("version='1.7'", "version='2.0'", 1, "`2.0` is not a version"),
        ("<static>true</static>", "<joint/>", 4, "moves, and so do others: ground, four-bar"),
        ("<mass>1</mass>", "<mass>-1</mass>", 7, "is -1 kg"),
        ("<mass>1</mass>", "<mass>one</mass>", 7, "`one` is not a number"),
        ("<ixx>0.001</ixx>", "<ixx>1</ixx>", 7, "the principal moments"),
        ("<pose>0.1 0 0 0 0 0</pose>", "<pose>0.1 0 0</pose>", 7, "has 3 entries; expected 6"),
        (
            "<pose>0.5 0 0 0 0 0</pose>\n        <inertial>",
            "<pose relative_to='x'>0 0 0 0 0 0</pose>\n        <inertial>",
            9,
            "there is no link, joint, frame or model `x`",
        ),
        ("name='rocker'", "name='crank'", 9, "the name `crank` is taken already"),
        ("name='rocker'", "name=''", 9, "the name is empty"),
        (
            "type='revolute'><parent>world</parent><child>crank",
            "type='hinge'><parent>world</parent><child>crank",
            15,
            "`hinge` is not revolute",
        ),
        ("<child>crank</child>", "<child>krank</child>", 15, "there is no link `krank`"),
        ("<child>crank</child>", "", 15, "is missing; expected the name of a link"),
        ("<axis><xyz>0 0 1</xyz></axis></joint>", "</joint>", 15, "is missing; expected an axis"),
        ("<axis><xyz>0 0 1</xyz></axis></joint>", "<axis><xyz>0 0 0</xyz></axis></joint>", 15, "the axis is zero"),
        (
            "<xyz>0 0 1</xyz></axis></joint>",
            "<xyz expressed_in='z'>0 0 1</xyz></axis></joint>",
            15,
            "there is no link, joint, frame or model `z`",
        ),
        ("type='revolute'>\n", "type='screw'>\n", 18, "a screw cannot close a loop"),
        (
            "<frame name='middle'",
            "<include><uri>model://x</uri></include><frame name='middle'",
            22,
            "the model model://x is in another file",
        ),
        (
            "<frame name='middle' attached_to='coupler'><pose>",
            "<frame name='middle'><pose relative_to='middle'>",
            22,
            "is placed by frames that are placed by it",
        ),
        ("<frame name='middle'", "<plugin/><frame name='middle'", 22, "<plugin> is left out"),
        (
            "<model name='four-bar'>",
            "<frame name='table'/><model name='four-bar'><pose relative_to='table'>1 0 0 0 0 0</pose>",
            5,
            "the frame `table` is outside of the model",
        ),
        ("  </world>", "<joint name='e' type='fixed'/></world>", 24, "a joint of the world is outside of the model"),
        ("<pose>0.5 0 0 0 0 0</pose>\n", "<pose degrees='yes'>0.5 0 0 0 0 0</pose>\n", 9, "`yes` is not true or false"),
        (
            "<pose>0.5 0 0 0 0 0</pose>\n",
            "<pose rotation_format='quat'>0.5 0 0 0 0 0</pose>\n",
            9,
            "`quat` is not known here; words are euler_rpy, quat_xyzw",
        ),
        (
            "<pose>0.5 0 0 0 0 0</pose>\n",
            "<pose rotation_format='quat_xyzw'>0.5 0 0 0 0 0 0</pose>\n",
            9,
            "`0 0 0 0` is not a quaternion",
        ),
        ("<inertial><pose>0.1", "<inertial auto='1'><pose>0.1", 7, "lets the simulator find the mass"),
    ] {
        assert!(FOUR_BAR.contains(from), "{from}");
        let reported = problems(&FOUR_BAR.replacen(from, to, 1));
        if !reported.iter().any(|(l, _, m)| *l == line && m.starts_with(message)) {
            missed.push((to, line, message, reported));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(problems("<robot/>")[0].2.starts_with("the outermost element is <robot>; SDF is one <sdf>"));
    assert!(problems("<sdf version='1.6'/>")[0].2.starts_with("is missing; expected a robot"));
}

#[test]
fn a_root_is_fixed_with_a_warning_or_floats() {
    let text = "<sdf version='1.6'><model name='m'><link name='root'/><link name='arm'/>\
                <joint name='j' type='revolute'><parent>root</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis></joint>\
                </model></sdf>";
    let reported = problems(text);
    assert!(
        reported.iter().any(|(_, _, message)| message.starts_with("nothing holds the root link `root`")),
        "{reported:#?}"
    );
    assert!(reported.iter().any(|(_, _, message)| message.starts_with("has no <inertial>")), "{reported:#?}");
    let (fixed, ..) = read(text, Options::default()).unwrap();
    let (floating, ..) = read(text, Options { floating_base: true }).unwrap();
    assert_eq!((fixed.joints.len(), floating.joints.len()), (1, 2));
    assert_eq!((floating.joints[0].kind, floating.joints[0].body.mass), (JointType::Free, 1.0));
}

#[test]
fn screws_turn_and_slide() {
    let text = "<sdf version='1.10'><model name='m'><link name='root'/><link name='nut'/>\
                <joint name='anchor' type='fixed'><parent>world</parent><child>root</child></joint>\
                <joint name='j' type='screw'><parent>root</parent><child>nut</child><screw_thread_pitch>0.5</screw_thread_pitch>\
                <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>";
    let (robot, ..) = read(text, Options::default()).unwrap();
    assert_eq!((robot.joints[0].kind, robot.joints[0].pitch), (JointType::Screw, 0.5));
    let old = text
        .replace("<screw_thread_pitch>0.5</screw_thread_pitch>", "<thread_pitch>-12.566370614359172</thread_pitch>");
    assert_eq!(read(&old, Options::default()).unwrap().0, robot);
}

#[test]
fn what_joints_must_say_is_asked_for() {
    let joint = |kind: &str, inside: &str| {
        let text = format!(
            "<sdf version='1.10'><model name='m'><link name='root'/><link name='nut'/>\
             <joint name='anchor' type='fixed'><parent>world</parent><child>root</child></joint>\
             <joint name='j' type='{kind}'><parent>root</parent><child>nut</child>{inside}</joint></model></sdf>"
        );
        problems(&text).into_iter().map(|(_, _, message)| message).collect::<Vec<_>>().join("\n")
    };
    let axes = |second: &str| format!("<axis><xyz>0 0 1</xyz></axis><axis2><xyz>{second}</xyz></axis2>");
    assert!(joint("universal", &axes("0 0 -2")).contains("the axes of a universal joint are parallel"));
    assert!(!joint("universal", &axes("0 1 0")).contains("parallel"));
    assert!(joint("screw", "<axis><xyz>0 0 1</xyz></axis>").contains("is missing; expected m per turn"));
    let zero = "<screw_thread_pitch>0</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis>";
    assert!(joint("screw", zero).contains("a screw slides by its pitch"));
}

#[test]
fn models_within_models_have_longer_names() {
    let text = "<sdf version='1.8'><model name='m'><link name='root'/>\
                <joint name='anchor' type='fixed'><parent>world</parent><child>root</child></joint>\
                <model name='inner'><pose>1 0 0 0 0 0</pose><link name='arm'><pose>0 1 0 0 0 0</pose></link></model>\
                <joint name='j' type='revolute'><parent>root</parent><child>inner::arm</child><axis><xyz>0 0 1</xyz></axis></joint>\
                </model></sdf>";
    let (robot, ..) = read(text, Options::default()).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(robot.frames.iter().any(|frame| frame.name == "inner::arm"));
    let position = robot.joints[0].placement.pose().position;
    assert!((position.x - 1.0).abs() < 1e-15 && (position.y - 1.0).abs() < 1e-15);
}

#[test]
fn deep_files_do_not_exhaust_the_stack() {
    let text = format!("<sdf version='1.8'>{}{}</sdf>", "<model name='m'>".repeat(3000), "</model>".repeat(3000));
    assert!(!problems(&text).is_empty());
}

proptest! {
    #[test]
    fn a_damaged_file_is_read_without_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..9usize, "[-<>/!=.\"'# 0-9a-z:]{0,4}"), 1..5),
        floating_base: bool,
    ) {
        let mut text: Vec<char> = FOUR_BAR.chars().collect();
        for (at, cut, paste) in edits {
            let at = at.index(text.len());
            let end = text.len().min(at + cut);
            text.splice(at..end, paste.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok((robot, ..)) = read(&text, Options { floating_base }) {
            prop_assert_eq!(check(&robot).errors(), 0);
        }
    }
}
