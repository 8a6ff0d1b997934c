//! `appell convert`: formats, conventions, what is lost and what is refused.

use super::{Folder, appell, compute, contains, json, numbers, repository};

/// A tree of two arms on one column.
const TREE: &str = r#"
name = "two arms"
frames = "khalil-kleinfinger"
joints = [
  ["column", "revolute", "base",   0.0,      0.0, 0.0,      0.0, "q", 0.0],
  ["left",   "revolute", "column", "90 deg", 0.1, "90 deg", 0.2, "q", 0.0],
  ["right",  "revolute", "column", "-90 deg", 0.1, "90 deg", 0.2, "q", 0.0],
]
body.column = { mass = 1.0, com = [0.0, 0.0, 0.1], inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
body.left = { mass = 1.0, com = [0.0, 0.0, 0.1], inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
body.right = { mass = 1.0, com = [0.0, 0.0, 0.1], inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
"#;

const STATES: &str = "q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6,a1,a2,a3,a4,a5,a6\n\
                      0.1,0.2,0.3,0.4,0.5,0.6,1,-1,0.5,1,2,3,1,1,1,1,1,1\n";

/// The torques of a robot of six joints.
fn torques(robot: &str) -> Vec<f64> {
    numbers(&compute(&format!("inverse-dynamics {robot}"), STATES).fine()).remove(0)
}

#[test]
fn every_format_and_convention_holds_the_same_robot() {
    let folder = Folder::new();
    let expected = torques("stanford");
    for (name, to) in [
        ("a.toml", ""),
        ("b.toml", "--to modified-dh"),
        ("c.toml", "--to khalil-kleinfinger"),
        ("d.csv", "--to modified-dh"),
        ("e.csv", ""),
        ("f.md", "--to standard-dh"),
        ("g.MD", "--to modified-dh"),
        ("h.table", "--to csv,khalil-kleinfinger"),
    ] {
        let path = folder.shown(name);
        appell(&format!("convert stanford {path} {to}")).fine();
        let path = if name == "h.table" { folder.write("h.csv", folder.text(name)) } else { path };
        for (found, expected) in torques(&path).iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12 * expected.abs().max(1.0), "{name}: {found} {expected}");
        }
        assert!(appell(&format!("check {path} --strict")).fine().contains("0 warnings"), "{name}");
        let back = folder.shown("back.toml");
        appell(&format!("convert {path} {back} --to standard-dh")).fine();
    }
    let standard = folder.shown("a.toml");
    let text = appell(&format!("show {standard}")).fine();
    assert!(text.contains("standard Denavit-Hartenberg"), "{text}");
    let csv = folder.text("d.csv");
    assert!(csv.starts_with("modified-dh,type,alpha,a,theta,d,mass,com.x"), "{csv}");
}

#[test]
fn stdout_is_toml_unless_asked_otherwise() {
    assert!(appell("convert puma560 -").fine().starts_with("name = \"PUMA 560\"\nframes = \"modified-dh\"\n"));
    assert!(appell("convert puma560 - --to khalil-kleinfinger").fine().contains("frames = \"khalil-kleinfinger\""));
    assert!(appell("convert puma560 - --to md").fine().starts_with("| modified-dh | type "));
    let report = json(&appell("convert scara - --to csv --json --lossy").fine());
    assert_eq!(report["converted"], true);
    assert_eq!(report["warnings"][0]["place"], "frame.tool");
    assert!(report["text"].as_str().unwrap().starts_with("modified-dh,"));
}

#[test]
fn a_table_is_named_by_its_file() {
    let folder = Folder::new();
    let path = folder.shown("my arm.csv").replace(' ', "-");
    appell(&format!("convert stanford {path}")).fine();
    assert!(appell(&format!("show {path}")).fine().starts_with("my-arm\n"));
}

#[test]
fn what_is_lost_is_reported() {
    let folder = Folder::new();
    let path = folder.shown("scara.csv");
    appell(&format!("convert scara {path}")).ended(1, &["--lossy", "frame.tool"]);
    assert!(!folder.has("scara.csv"));
    let run = appell(&format!("convert scara {path} --lossy"));
    assert_eq!(run.code, 0);
    assert_eq!(run.stderr, "scara: warning: frame.tool: is left out: a table of joints has no place for it\n");
}

#[test]
fn what_cannot_be_expressed_is_refused_with_the_reason() {
    let folder = Folder::new();
    let tree = folder.write("tree.toml", TREE);
    for (out, to) in [("x.toml", "standard-dh"), ("x.csv", "modified-dh")] {
        appell(&format!("convert {tree} {} --to {to}", folder.shown(out)))
            .ended(1, &["refused: a Denavit-Hartenberg table is a chain, but `right` hangs on `column`"]);
        assert!(!folder.has(out));
    }
    let run = appell(&format!("convert {tree} - --to standard-dh --json"));
    assert_eq!((run.code, &json(&run.stdout)["converted"]), (1, &false.into()));
    appell(&format!("convert {tree} {}", folder.shown("tree.md"))).fine();
}

#[test]
fn wrong_use_and_input_are_refused() {
    let folder = Folder::new();
    let unknown = folder.shown("x.xyz");
    appell(&format!("convert puma560 {unknown}")).refused_with(&["x.xyz", "toml, urdf, par, csv, md", "--to"]);
    appell("convert pumma -").refused_with(&["`pumma`"]);
    let csv = folder.write("bad.csv", "modified-dh,type,alpha,a,theta,d\narm,revolute,0,0,0,0\n");
    appell(&format!("convert {csv} -")).refused_with(&["bad.csv", "line 2: error: joints.arm.theta", "write \"q\""]);
    let run = appell(&format!("check {csv}"));
    assert_eq!(run.code, 1);
    contains(&run.stdout, &["line 2: error: joints.arm.theta"]);
    assert_eq!(appell("convert puma560 - --to dh").code, 2);
}

#[test]
fn closed_robots_are_converted_to_toml_alone() {
    let folder = Folder::new();
    let robot = repository("crates/appell/robots/five-bar.toml");
    let [copy, again] = ["copy.toml", "again.toml"].map(|name| folder.shown(name));
    appell(&format!("convert {robot} {copy}")).fine();
    appell(&format!("convert {copy} {again}")).fine();
    assert_eq!(folder.text("copy.toml"), folder.text("again.toml"));
    for (file, to) in [("x.urdf", ""), ("x.csv", ""), ("x.toml", "--to modified-dh")] {
        appell(&format!("convert {robot} {} {to}", folder.shown(file)))
            .ended(1, &["by left.end, right.end; keep .toml"]);
        assert!(!folder.has(file));
    }
}

/// A URDF with all that is not about dynamics.
const DRESSED: &str = r#"<?xml version="1.0"?>
<robot name="arm" version="1.0" xmlns:drake="http://drake.mit.edu">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="floor">
    <inertial><mass value="9"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><mesh filename="package://arm/floor.dae" scale="1 1 1"/></geometry></visual>
  </link>
  <link name="upper" type="big">
    <inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.02"/></inertial>
    <visual name="skin">
      <origin xyz="0 0 0.1" rpy="0 0 0"/>
      <geometry><box size="1 2 3"/></geometry>
      <material name="grey"/>
    </visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="tool">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001"/></inertial>
    <visual><geometry><mesh filename='tool.stl'/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="floor"/><child link="upper"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="4" drake:acceleration="7"/>
    <safety_controller k_velocity="10"/>
  </joint>
  <joint name="grasp" type="fixed">
    <parent link="upper"/><child link="tool"/><origin xyz="0.2 0 0"/>
  </joint>
  <transmission name="drive"><joint name="shoulder"/><actuator name="motor"/></transmission>
  <gazebo reference="grasp"><preserveFixedJoint>true</preserveFixedJoint></gazebo>
</robot>
"#;

#[test]
fn a_urdf_keeps_all_that_is_not_about_dynamics() {
    let folder = Folder::new();
    let [arm, copy, again] = [folder.write("arm.urdf", DRESSED), folder.shown("copy.urdf"), folder.shown("again.urdf")];
    appell(&format!("convert {arm} {copy}")).fine();
    let text = folder.text("copy.urdf");
    let kept = [
        r#"version="1.0""#,
        r#"xmlns:drake="http://drake.mit.edu""#,
        r#"<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>"#,
        r#"<mass value="9"/>"#,
        r#"<mesh filename="package://arm/floor.dae" scale="1 1 1"/>"#,
        r#"<link name="upper" type="big">"#,
        "<visual name=\"skin\">\n      <origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/>",
        r#"<collision><geometry><sphere radius="0.1"/></geometry></collision>"#,
        "<mesh filename='tool.stl'/>",
        r#"drake:acceleration="7""#,
        r#"<safety_controller k_velocity="10"/>"#,
        r#"<joint name="grasp" type="fixed">"#,
        r#"<transmission name="drive"><joint name="shoulder"/>"#,
        r#"<gazebo reference="grasp">"#,
    ];
    contains(&text, &kept);
    let names = |text: &str, element: &str| {
        let opening = format!("<{element} name=\"");
        let mut names: Vec<String> =
            text.split(&opening).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    for element in ["link", "joint"] {
        assert_eq!(names(&text, element), names(DRESSED, element));
    }
    appell(&format!("convert {copy} {again}")).fine();
    assert_eq!(text, folder.text("again.urdf"));
    let gravity = |robot: &str| compute(&format!("gravity {robot}"), "q1\n0.3\n").fine();
    assert_eq!(gravity(&arm), gravity(&copy));

    let floating = folder.shown("floating.urdf");
    appell(&format!("convert {arm} {floating} --floating-base")).fine();
    contains(&folder.text("floating.urdf"), &["floor.dae", r#"<child link="floor"/>"#]);
    assert!(appell(&format!("check {floating}")).stdout.contains("can be computed"));
}

#[test]
fn formats_without_place_for_looks_refuse_to_lose_them() {
    let folder = Folder::new();
    let arm = folder.write("arm.urdf", DRESSED);
    for name in ["arm.toml", "arm.csv", "arm.md"] {
        let out = folder.shown(name);
        let lost = [
            "--lossy",
            "link.visual: cannot be said in this format and is left out, of links floor, tool, upper",
            "link.collision",
            "link.inertial: cannot be said in this format and is left out, of link floor",
            "joint.limit.drake:acceleration",
            "joint.safety_controller",
            "robot.material",
            "robot.transmission",
            "robot.gazebo",
        ];
        appell(&format!("convert {arm} {out}")).ended(1, &lost);
        assert!(!folder.has(name));
        appell(&format!("convert {arm} {out} --lossy")).ended(0, &["warning: link.visual"]);
    }
}

#[test]
fn the_input_is_replaced_on_request_alone() {
    let folder = Folder::new();
    let arm = folder.write("arm.urdf", DRESSED);
    for out in [arm.clone(), folder.shown("./arm.urdf")] {
        appell(&format!("convert {arm} {out}")).refused_with(&["arm.urdf is the file that is read", "--overwrite"]);
    }
    assert_eq!(folder.text("arm.urdf"), DRESSED);
    appell(&format!("convert {arm} {arm} --overwrite")).fine();
    assert_ne!(folder.text("arm.urdf"), DRESSED);
}

/// Frames of bodies that a format puts elsewhere are lost, and said to be; a URDF keeps their order.
#[test]
fn frames_of_bodies_are_kept_or_named() {
    let folder = Folder::new();
    let (par, back) = (folder.shown("s.par"), folder.shown("p.urdf"));
    appell(&format!("convert stanford {par}")).ended(1, &["--lossy", "body.frame", "of joints"]);
    appell(&format!("convert stanford {par} --lossy")).ended(0, &["body.frame"]);
    let off = folder.write(
        "off.toml",
        "name = \"off\"\nframes = \"modified-dh\"\njoints = [[\"a\", \"revolute\", 0, 0, \"q\", 0]]\nbody.a = { mass = 1, com = [0, 0, 0], frame = { xyz = \
         [0.1, 0, 0] }, inertia = { xx = 0.1, yy = 0.1, zz = 0.1 } }\n",
    );
    appell(&format!("convert {off} {}", folder.shown("off.md"))).ended(1, &["--lossy", "body.a.frame"]);
    let panda = repository("tests/golden/urdf/panda.urdf");
    appell(&format!("convert {panda} {back}")).done();
    let last = |robot: &str| {
        let shown = compute(&format!("frames {robot}"), &format!("{}\n{}\n", joints("q"), ["0.1"; 9].join(","))).done();
        shown.lines().next().unwrap().to_owned()
    };
    assert_eq!(last(&panda), last(&back));
}

/// Names of the columns of nine joints.
fn joints(symbol: &str) -> String {
    (1..=9).map(|k| format!("{symbol}{k}")).collect::<Vec<_>>().join(",")
}
