//! Robots that are seldom: quaternions, followers, no masses, very many joints; and calls that make no sense.

use crate::apart;
use appell::sample::{Sampler, Shape};
use appell_web::{Bench, reading};
use std::fmt::Write;

fn read(text: &str, file: &str) -> Bench {
    Bench::read(text, file).unwrap_or_else(|remarks| panic!("{remarks:?}"))
}

/// Everything that can be asked of a robot on the bench.
fn ask_all(bench: &mut Bench) {
    let _ = serde_json::to_string(&bench.info()).unwrap();
    let _ = serde_json::to_string(&bench.sketch()).unwrap();
    let _ = serde_json::to_string(&bench.live()).unwrap();
    let info = serde_json::to_value(bench.info()).unwrap();
    assert_eq!(info["joints"].as_array().unwrap().len(), bench.q().len());
    assert_eq!(info["drives"].as_array().unwrap().len(), bench.drives().len());
    let (q, drives, pose) = (bench.q().to_vec(), bench.drives(), bench.pose());
    assert_eq!(bench.set_q(&q).unwrap(), "");
    bench.set_drives(&drives).unwrap();
    bench.set_pose(&pose).unwrap();
    for (k, q) in q.iter().enumerate().take(20) {
        bench.set_joint(k, q + 0.1).unwrap();
    }
    let _ = (bench.uncontrolled(), bench.nudged(0, 0.1), bench.map_ranges(), bench.modes(), bench.assemblies());
    for question in info["questions"].as_array().unwrap() {
        let name = question["name"].as_str().unwrap();
        let _ = (bench.ask(name), bench.columns(name));
    }
    bench.home();
}

/// A free body with an arm.
const FLOATING: &str = r#"
name = "satellite"
frames = "modified-dh"
joints = [
  ["body", "free", "0", 0.0, "0", 0.0],
  ["arm", "revolute", "0", 0.1, "q", 0.0],
]
[body.body]
mass = 2.0
com = [0.0, 0.0, 0.0]
inertia = { xx = 0.1, yy = 0.12, zz = 0.15 }
[body.arm]
mass = 1.0
com = [0.3, 0.0, 0.0]
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
[frame.tip]
parent = "arm"
xyz = [0.5, 0.0, 0.0]
"#;

#[test]
fn quaternions() {
    let mut bench = read(FLOATING, "satellite.toml");
    assert_eq!((bench.q().len(), bench.drives().len(), bench.rates()), (8, 7, 7));
    ask_all(&mut bench);
    let mut pose = bench.pose();
    pose[2] += 0.3;
    assert_eq!(bench.set_pose(&pose).unwrap(), "");
    assert!(apart(&bench.pose(), &pose, 1.0) < 1e-8, "{:?} {pose:?}", bench.pose());
    let norm = bench.q()[3..7].iter().map(|x| x * x).sum::<f64>();
    assert!((norm - 1.0).abs() < 1e-12);
    let mut zero = bench.q().to_vec();
    zero[3..7].fill(0.0);
    assert_ne!(bench.set_q(&zero).unwrap(), "", "four zeros are no attitude");
}

/// Random trees with joints of all kinds, and random robots with loops.
#[test]
fn random_robots() {
    for seed in 0..12 {
        let tree = Sampler::new(seed).robot(1 + seed as usize % 7, Shape::Mixed);
        ask_all(&mut Bench::new(tree.into(), "", ""));
    }
}

#[test]
fn followers() {
    let gripper = "<robot name='g'><link name='base'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\
        <link name='b'><visual><origin xyz='0 0 1' rpy='0 0 0'/><geometry><mesh filename='package://b.stl' scale='2 2 2'/></geometry></visual></link>\
        <joint name='left' type='prismatic'><parent link='base'/><child link='a'/><axis xyz='1 0 0'/><limit lower='0' upper='0.1' effort='5' velocity='1'/></joint>\
        <joint name='right' type='prismatic'><parent link='base'/><child link='b'/><axis xyz='-1 0 0'/><limit lower='0' upper='0.1' effort='5' velocity='1'/><mimic joint='left'/></joint></robot>";
    let mut bench = read(gripper, "gripper.urdf");
    assert_eq!(bench.q().len(), 1, "the right finger follows");
    assert_eq!(bench.set_joint(0, 0.2).unwrap(), "limit of joint left: 0.1000 m");
    let sketch = bench.sketch();
    let right = sketch.frames.iter().find(|frame| frame.name == "b").map(|frame| frame.pose[0]).unwrap();
    assert!((right + 0.1).abs() < 1e-12);
    let info = serde_json::to_value(bench.info()).unwrap();
    assert_eq!(info["meshes"][0]["file"], "package://b.stl");
    assert_eq!(info["meshes"][0]["frame"], "b");
    assert_eq!(info["meshes"][0]["scale"][1], 2.0);
    assert_eq!(info["meshes"][0]["pose"][2], 1.0);
    ask_all(&mut bench);
}

#[test]
fn no_masses_and_one_joint() {
    let mut bench = read(
        "name = \"bare\"\nframes = \"modified-dh\"\njoints = [[\"only\", \"revolute\", \"0\", 0.0, \"q\", 0.0]]\n[body.only]\nmass = 0\n",
        "bare.toml",
    );
    ask_all(&mut bench);
    assert_eq!(bench.live().tau, Some(vec![0.0]));
}

#[test]
fn no_joints_are_a_problem_of_the_file() {
    assert!(!reading::check("name = \"none\"\n", "none.toml").is_empty());
    let _ = Bench::read("name = \"none\"\n", "none.toml").map(|mut bench| ask_all(&mut bench));
    let _ = Bench::read("", "").map(|mut bench| ask_all(&mut bench));
    let _ = Bench::read("<robot name='r'><link name='l'/></robot>", "r.urdf").map(|mut bench| ask_all(&mut bench));
}

#[test]
fn many_joints() {
    let mut text = String::from("name = \"chain\"\nframes = \"modified-dh\"\njoints = [\n");
    for k in 0..3000 {
        writeln!(text, "[\"j{k}\", \"revolute\", \"0\", 0.01, \"q\", 0.0],").unwrap();
    }
    text += "]\n";
    for k in 0..3000 {
        let inertia = "inertia = { xx = 0.01, yy = 0.01, zz = 0.01 }";
        writeln!(text, "[body.j{k}]\nmass = 0.1\ncom = [0.01, 0.0, 0.0]\n{inertia}").unwrap();
    }
    let mut bench = read(&text, "chain.toml");
    let live = bench.live();
    assert!(live.tau.is_some() && live.inertia.is_none());
    assert!(bench.ask("inertia-matrix").is_err(), "9 million numbers");
    let mut pose = bench.pose();
    pose[0] += 0.01;
    bench.set_pose(&pose).unwrap();
    assert!(bench.map_ranges().is_none());
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    for name in ["puma560", "delta", "four-bar"] {
        let mut bench = Bench::builtin(name).unwrap();
        let before = bench.q().to_vec();
        assert!(bench.set_q(&[1.0]).is_err() || before.len() == 1);
        assert!(bench.set_q(&vec![f64::NAN; before.len()]).is_err());
        assert!(bench.set_pose(&[0.0; 7]).is_err() && bench.set_pose(&[f64::INFINITY; 7]).is_err());
        assert!(bench.set_pose(&[0.0; 3]).is_err());
        assert!(bench.set_joint(1000, 0.0).is_err() && bench.set_joint(0, f64::NAN).is_err());
        assert!(bench.set_drives(&[]).is_err() && bench.set_motion(&[], &[]).is_err());
        assert!(bench.ask("nothing").is_err() && bench.columns("nothing").is_err());
        assert!(bench.set_output("nowhere").is_err() && bench.write("docx").is_err());
        assert_eq!(bench.q(), before, "{name}");
    }
    assert!(Bench::builtin("none").is_err());
    assert!(Bench::read("joint = 3", "a.toml").is_err());
}

#[test]
fn outputs_are_chosen() {
    let mut bench = Bench::builtin("four-bar").unwrap();
    bench.set_drives(&[bench.drives()[0] + 0.3]).unwrap();
    let drives = bench.drives();
    bench.set_output("coupler").unwrap();
    assert_eq!(bench.output(), "coupler");
    assert!(apart(&bench.drives(), &drives, 1.0) < 1e-9, "it stays where it is");
    assert!(bench.ask("jacobian").is_ok(), "and has a Jacobian now");
    ask_all(&mut bench);
    bench.set_output("rocker").unwrap();
    assert!(bench.ask("jacobian").is_ok());
    let mut fresh = Bench::builtin("four-bar").unwrap();
    fresh.set_output("rocker").unwrap();
    assert!(fresh.ask("jacobian").is_ok(), "the frame that is held at first becomes an output when it is chosen");
    let mut arm = Bench::builtin("puma560").unwrap();
    arm.set_output("elbow").unwrap();
    assert_eq!(arm.output(), "elbow");
    assert_eq!(arm.ask("jacobian").unwrap().len(), 36);
}
