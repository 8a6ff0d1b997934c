//! Small models, and what is wrong with them.

use super::*;
use crate::description::{Carrier, ClosingJoint, Limits};
use proptest::prelude::*;

const ARM: &str = "<mujoco model='arm'>
  <compiler angle='radian'/>
  <default>
    <default class='stiff'><joint stiffness='2'/></default>
  </default>
  <worldbody>
    <body name='upper'>
      <inertial pos='0.1 0 0' mass='2' diaginertia='0.01 0.02 0.02'/>
      <joint name='shoulder' axis='0 0 1' range='-1 2' class='stiff'/>
      <body name='fore' pos='0.4 0 0'>
        <joint name='elbow' axis='0 1 0'/>
        <geom type='box' size='0.1 0.1 0.2'/>
        <site name='tip' pos='0.3 0 0'/>
      </body>
    </body>
    <body name='rod' pos='0 0.5 0'>
      <joint name='pivot' axis='0 0 1'/>
      <geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.02'/>
    </body>
  </worldbody>
  <equality>
    <connect body1='rod' body2='upper' anchor='0.4 -0.5 0'/>
    <joint joint1='elbow' joint2='pivot' polycoef='0.1 2 0 0 0'/>
  </equality>
  <actuator>
    <motor joint='shoulder' gear='5' ctrlrange='-2 2'/>
  </actuator>
  <sensor><jointpos joint='elbow'/></sensor>
</mujoco>
";

/// Line, place and message of every problem.
fn problems(text: &str) -> Vec<(usize, String, String)> {
    let found = read(text, "").map_or_else(|problems| problems, |(_, _, warnings)| warnings);
    found.iter().map(|p| (p.line.unwrap_or(0), p.place.clone(), p.finding.to_string())).collect()
}

#[test]
fn the_arm_is_read() {
    let (arm, extras, warnings) = read(ARM, "").unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((arm.name.as_str(), arm.joints.len(), warnings.iter().count()), ("arm", 3, 1));
    let [shoulder, elbow, pivot] = &arm.joints[..] else { panic!() };
    assert_eq!((shoulder.limits.lower, shoulder.limits.upper, shoulder.limits.effort), (-1.0, 2.0, 10.0));
    assert_eq!((shoulder.driven, elbow.driven, elbow.limits), (true, false, Limits::default()));
    assert_eq!((shoulder.effects.spring.stiffness, elbow.effects.spring.stiffness), (2.0, 0.0));
    assert_eq!(elbow.mimic.as_ref().map(|m| (m.single(), m.offset)), Some((Some(("pivot", 2.0)), 0.1)));
    assert!((pivot.body.mass - 1000.0 * core::f64::consts::PI * 4e-4 * (0.4 + 0.08 / 3.0)).abs() < 1e-12);
    let [connect] = &arm.closures[..] else { panic!() };
    assert_eq!((connect.kind, &connect.first.on), (ClosingJoint::Spherical, &Carrier::Joint("pivot".into())));
    assert_eq!(connect.second.pose.position.to_array(), [0.4, 0.0, 0.0]);
    let frames: Vec<_> = arm.frames.iter().map(|frame| (frame.name.as_str(), frame.parent.as_deref())).collect();
    let expected =
        [("upper", Some("shoulder")), ("fore", Some("elbow")), ("rod", Some("pivot")), ("tip", Some("elbow"))];
    assert_eq!(frames, expected);
    let open = Description { closures: vec![], ..arm };
    let (urdf, _) = crate::description::urdf::write_with_extras(&open, &extras).unwrap();
    assert!(
        urdf.contains("<box size=\"0.2 0.2 0.4\"/>") && urdf.contains("<capsule radius=\"0.02\" length=\"0.4\"/>"),
        "{urdf}"
    );
    assert!(urdf.contains("<link name=\"fore\">"), "{urdf}");
}

#[test]
fn each_problem_is_found_with_its_line() {
    let mut missed = Vec::new();
    for (from, to, line, message) in [
        ("</mujoco>", "", 30, "is not XML"),
        (
            "<mujoco model='arm'>",
            "<mujoco model='arm'><include file='a.xml'/>",
            1,
            "<include> of a.xml is for the simulator",
        ),
        ("angle='radian'", "angle='grad'", 2, "`grad` is not degree or radian"),
        ("angle='radian'", "coordinate='global'", 2, "`global` is not local"),
        ("angle='radian'", "eulerseq='abc'", 2, "`abc` is not three axes"),
        ("default class='stiff'", "default", 4, "is missing; expected the class of a default"),
        ("mass='2' ", "", 8, "is missing; expected a number, kg"),
        ("mass='2'", "mass='-2'", 8, "is -2 kg"),
        ("mass='2'", "mass='two'", 8, "`two` is not a number"),
        ("diaginertia='0.01 0.02 0.02'", "diaginertia='0.01 0.02'", 8, "has 2 entries; expected 3"),
        ("diaginertia='0.01 0.02 0.02'", "diaginertia='0.01 0.02 1'", 8, "the principal moments"),
        ("diaginertia='0.01 0.02 0.02'", "", 8, "is missing; expected diaginertia"),
        ("class='stiff'/>", "class='soft'/>", 9, "there is no class `soft`"),
        ("axis='0 0 1' range", "axis='0 0 0' range", 9, "the axis is zero"),
        ("axis='0 1 0'", "type='wheel'", 11, "`wheel` is not hinge, slide, ball or free"),
        ("pos='0.4 0 0'", "quat='0 0 0 0'", 10, "the axis is zero"),
        ("size='0.1 0.1 0.2'", "size='0.1'", 12, "is missing; expected half lengths: size"),
        ("size='0.1 0.1 0.2'", "size='-0.1 0.1 0.2'", 12, "is -0.1; expected a positive number"),
        ("type='box' size='0.1 0.1 0.2'", "type='mesh' mesh='m'", 12, "the mass of a mesh is in its file"),
        ("name='rod'", "name='fore'", 16, "the name `fore` is taken already"),
        ("body1='rod'", "body1='rot'", 22, "there is no link `rot`"),
        ("body1='rod' body2='upper' anchor='0.4 -0.5 0'", "site1='tip' site2='top'", 22, "there is no site `top`"),
        ("polycoef='0.1 2 0 0 0'", "polycoef='0.1 2 1 0 0'", 23, "a polynomial of higher degree than 1 is left out"),
        (
            "motor joint='shoulder'",
            "motor joint='sholder'",
            26,
            "there is no joint `sholder` to drive; joints are shoulder, elbow",
        ),
        ("axis='0 1 0'", "type='ball' range='0 1'", 11, "range of a ball joint, a cone, is left out"),
        ("<sensor>", "<tendon><spatial/></tendon><sensor>", 28, "<tendon> with 1 entries is left out"),
        ("angle='radian'/>", "angle='radian'/><option density='1.2'/>", 2, "the medium's density is left out"),
        ("name='shoulder' axis", "name='shoulder' axes", 9, "`axes` is not known here; words are name, class, type"),
        ("joint stiffness='2'", "joint stifness='2'", 4, "`stifness` is not known here"),
        ("name='fore' pos", "name='fore' position", 10, "`position` is not known here"),
        ("<site name='tip'", "<jiont/><site name='tip'", 13, "`jiont` is not known here; words are joint, freejoint"),
        ("<worldbody>", "<worldbody><joint/>", 6, "`joint` is not known here; words are body"),
        (
            "<joint name='elbow' axis='0 1 0'/>",
            "<freejoint name='elbow'/>",
            11,
            "is free, but its body is in another one",
        ),
        (
            "angle='radian'/>",
            "angle='radian'/><option><flag equality='disable'/></option>",
            22,
            "<connect>, which <flag equality=\"disable\"> switches off, is left out",
        ),
        (
            "angle='radian'/>",
            "angle='radian'/><option><flag spring='disable'/></option>",
            2,
            "<flag spring=\"disable\">: what joints say of it acts",
        ),
    ] {
        assert!(ARM.contains(from), "{from}");
        let reported = problems(&ARM.replacen(from, to, 1));
        if !reported.iter().any(|(l, _, m)| *l == line && m.starts_with(message)) {
            missed.push((to, line, message, reported));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// What a default says of one kind of actuator holds for all.
#[test]
fn actuators_share_their_defaults() {
    let text = ARM.replace("<default>\n", "<default><position gear='7'/><general forcerange='-3 3'/>\n");
    let text = text.replace("gear='5' ctrlrange='-2 2'", "");
    let (arm, ..) = read(&text, "").unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(arm.joints[0].limits.effort, 21.0);
}

/// A second outermost default adds to the first.
#[test]
fn outermost_defaults_are_one() {
    let first = "<default class='a'><joint damping='3'/></default>";
    let second = "<default class='b'><joint armature='4'/></default>";
    let text = ARM.replacen("  <default>\n", &format!("  {first}{second}<default>\n"), 1);
    let (arm, ..) = read(&text, "").unwrap_or_else(|problems| panic!("{problems}"));
    for joint in &arm.joints {
        assert_eq!((joint.effects.friction.viscous, joint.effects.rotor.inertia), (3.0, 4.0), "{}", joint.name);
    }
    let named = text
        .replace("class='stiff'/>", "class='b'/>")
        .replace("class='b'><joint arm", "class='b'><joint stiffness='9' arm");
    let (arm, ..) = read(&named, "").unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(arm.joints[0].effects.spring.stiffness, 9.0);
}

/// What moves must have its mass; a mesh on the base may have any.
#[test]
fn the_mass_of_a_mesh_is_needed_where_it_moves() {
    let mesh = "<geom type='mesh' mesh='m'/>";
    let on_base = ARM.replace("<body name='rod'", &format!("<body name='pedestal'>{mesh}</body><body name='rod'"));
    assert_eq!(read(&on_base, "").unwrap_or_else(|problems| panic!("{problems}")).2.iter().count(), 1);
    let moving = ARM.replace("<site name='tip'", &format!("{mesh}<site name='tip'"));
    assert!(read(&moving, "").is_err_and(|problems| problems.errors() == 1));
    let beside = ARM.replace("<joint name='shoulder'", &format!("{mesh}<joint name='shoulder'"));
    assert!(read(&beside, "").is_ok(), "<inertial> says the mass");
}

#[test]
fn all_problems_are_found_at_once() {
    let text = ARM
        .replace("mass='2'", "mass='two'")
        .replace("axis='0 1 0'", "type='wheel'")
        .replace("body1='rod'", "body1='rot'");
    let lines: Vec<usize> = problems(&text).iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [8, 11, 22, 28]);
}

#[test]
fn what_is_no_model_is_refused() {
    assert!(problems("<robot/>")[0].2.starts_with("the outermost element is <robot>; MJCF is one <mujoco>"));
    assert!(problems("<mujoco/>")[0].2.starts_with("is missing; expected bodies"));
    assert!(!problems("<mujoco><worldbody/></mujoco>").is_empty());
}

#[test]
fn deep_files_do_not_exhaust_the_stack() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", open.repeat(count), close.repeat(count))
    };
    let deep = nested("<body><joint axis='0 0 1'/><geom size='0.1'/>", "</body>", 2000);
    assert_eq!(read(&deep, "").unwrap_or_else(|problems| panic!("{problems}")).0.joints.len(), 2000);
    assert!(!problems(&nested("<body>", "</body>", 20_000)).is_empty());
    assert!(!problems(&nested("<frame>", "</frame>", 20_000)).is_empty());
    let classes = format!(
        "<mujoco><default>{}{}</default><worldbody/></mujoco>",
        "<default class='a'>".repeat(9000),
        "</default>".repeat(9000)
    );
    assert!(!problems(&classes).is_empty());
}

proptest! {
    #[test]
    fn a_damaged_file_is_read_without_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..9usize, "[-<>/!=.\"'# 0-9a-z:]{0,4}"), 1..5),
    ) {
        let mut text: Vec<char> = ARM.chars().collect();
        for (at, cut, paste) in edits {
            let at = at.index(text.len());
            let end = text.len().min(at + cut);
            text.splice(at..end, paste.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok((robot, ..)) = read(&text, "x") {
            prop_assert_eq!(check(&robot).errors(), 0);
        }
    }
}
