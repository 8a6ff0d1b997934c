//! Real robots from their URDF files.

use super::{Folder, appell, compute, json, numbers, repository};

/// A recorded robot of the golden data.
fn file(name: &str) -> String {
    repository(&format!("tests/golden/urdf/{name}"))
}

/// The columns of a question's answer for a header alone.
fn columns(command: &str, header: &str) -> Vec<String> {
    let answer = compute(command, &format!("{header}\n")).done();
    answer.trim().split(',').map(String::from).collect()
}

#[test]
fn urdf_files_are_shown_checked_and_converted() {
    let panda = file("panda.urdf");
    let shown = json(&appell(&format!("show {panda} --json")).stdout);
    assert_eq!(shown["joints"].as_array().unwrap().len(), 9);
    assert_eq!(appell(&format!("check {panda}")).code, 0);
    appell(&format!("convert {panda} -")).ended(1, &["joint.dynamics.mu_coulomb"]);
    let toml = appell(&format!("convert {panda} - --lossy")).stdout;
    assert!(toml.contains("mimic = { joint = \"panda_finger_joint1\" }"), "{toml}");
    let folder = Folder::new();
    let copy = folder.shown("copy.urdf");
    appell(&format!("convert {panda} {copy}")).done();
    let q = "q1,q2,q3,q4,q5,q6,q7,q8,q9\n0.1,0.2,0.3,-0.4,0.5,0.6,0.7,0.01,0.02\n";
    let gravity = |robot: &str| numbers(&compute(&format!("gravity {robot}"), q).done()).remove(0);
    for (a, b) in gravity(&panda).iter().zip(gravity(&copy)) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

/// What moves every joint by itself would tear a gripper's fingers apart.
#[test]
fn followers_are_not_moved_by_themselves() {
    let panda = file("panda.urdf");
    let refusal = ["panda_finger_joint2", "follows", "simulate"];
    appell(&format!("trajectory joints {panda} --to 0,0,0,-1,0,1,0,0.01,0.02 --time 1")).refused_with(&refusal);
    appell(&format!("trajectory fourier {panda} --harmonics 2 --amplitude 0.1 --frequency 0.1")).refused_with(&refusal);
    appell(&format!("excite {panda} --velocity 1")).refused_with(&refusal);
}

#[test]
fn followers_follow_on_request() {
    let panda = file("panda.urdf");
    let all = "q1,q2,q3,q4,q5,q6,q7,q8,q9";
    assert_eq!(columns(&format!("inertia-matrix {panda}"), all).len(), 81);
    let leaders = "q1,q2,q3,q4,q5,q6,q7,q8";
    let coupled = columns(&format!("gravity {panda} --coupled"), leaders);
    assert_eq!(coupled, ["g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"]);
    assert_eq!(columns(&format!("inertia-matrix {panda} --coupled"), leaders).len(), 64);
}

#[test]
fn a_root_link_floats_on_request() {
    let solo = file("solo12.urdf");
    let toml = appell(&format!("convert {solo} - --floating-base")).stdout;
    assert!(toml.contains("[\"root_joint\", \"free\","), "{toml}");
    appell(&format!("agreement {solo} --floating-base --states 20")).done();
    let shown = json(&appell(&format!("show {solo} --floating-base --json")).stdout);
    assert_eq!(shown["joints"].as_array().unwrap().len(), 13);
    appell("convert puma560 - --floating-base").refused_with(&["puma560 is not a URDF or SDF file"]);
    appell("check puma560 --floating-base").refused_with(&["puma560 is not a URDF or SDF file"]);
    assert!(appell(&format!("check {solo} --floating-base")).stdout.contains("can be computed"));
    let folder = Folder::new();
    let lone = folder.write(
        "lone.sdf",
        "<sdf version='1.7'><model name='m'><link name='a'><inertial><mass>1</mass></inertial></link><link name='b'/>\
         <joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>",
    );
    assert!(appell(&format!("check {lone}")).stdout.contains("--floating-base sets it free"));
    assert!(!appell(&format!("check {lone} --floating-base")).stdout.contains("--floating-base sets it free"));
}

/// A file is answered in blocks, a stream row by row; q has more numbers than v.
#[test]
fn tables_of_quaternions_are_files_and_streams() {
    let folder = Folder::new();
    let header = "q.trunk.px,q.trunk.py,q.trunk.pz,q.trunk.qx,q.trunk.qy,q.trunk.qz,q.trunk.qw,\
                  v.trunk.vx,v.trunk.vy,v.trunk.vz,v.trunk.wx,v.trunk.wy,v.trunk.wz";
    let states = format!("{header}\n1,2,3,0,0.6,0,0.8,0.1,0.2,0.3,1,2,3\n0,0,0,0,0,0,1,0,0,0,3,1,2\n");
    let joints = "[[\"trunk\", \"free\", 0, 0, 0, 0]]";
    let body = "mass = 2\ncom = [0.1, 0, 0.2]\ninertia = { xx = 0.1, yy = 0.2, zz = 0.25 }";
    let text = format!("name = \"brick\"\nframes = \"modified-dh\"\njoints = {joints}\n[body.trunk]\n{body}\n");
    let (robot, table) = (folder.write("brick.toml", text), folder.write("states.csv", &states));
    for question in ["bias", "gravity", "inertia-matrix"] {
        let by_block = appell(&format!("compute {question} {robot} --states {table}")).done();
        let by_row = compute(&format!("{question} {robot}"), &states).done();
        let [by_block, by_row] = [by_block, by_row].map(|text| numbers(&text).concat());
        assert!(by_block.len() == by_row.len() && by_block.len() >= 12, "{question}");
        for (one, other) in by_block.iter().zip(&by_row) {
            assert!((one - other).abs() < 1e-12 * (1.0 + one.abs()), "{question}: {one} and {other}");
        }
    }
    let shown = appell(&format!("show {robot}")).done();
    assert!(shown.contains("1 joint moves independently, with 6 degrees of freedom"), "{shown}");
    assert!(!shown.contains("trunk.a1"), "rows between are nobody's frames: {shown}");
}

#[test]
fn a_chain_of_ten_thousand_joints_is_checked_and_computed() {
    const JOINTS: usize = 10_000;
    let mut text = String::from("<robot name='chain'><link name='l0'/>\n");
    for k in 1..=JOINTS {
        let parent = k - 1;
        text += &format!(
            "<link name='l{k}'><inertial><origin xyz='0.05 0 0'/><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01'/>\
             </inertial></link><joint name='j{k}' type='revolute'><parent link='l{parent}'/><child link='l{k}'/>\
             <origin xyz='0.1 0 0'/><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>\n"
        );
    }
    let folder = Folder::new();
    let robot = folder.write("chain.urdf", text + "</robot>\n");
    assert!(appell(&format!("check {robot}")).fine().contains("can be computed"));
    let symbol = |symbol: &str| (1..=JOINTS).map(|k| format!("{symbol}.j{k}")).collect::<Vec<_>>().join(",");
    let header = [symbol("q"), symbol("v"), symbol("a")].join(",");
    let states = folder.write("states.csv", format!("{header}\n0{}\n", ",0".repeat(3 * JOINTS - 1)));
    let tau = appell(&format!("compute inverse-dynamics {robot} --states {states}")).fine();
    assert!(tau.starts_with("tau.j1,tau.j2,"), "{}", &tau[..100]);
    assert_eq!(tau.lines().nth(1).unwrap().split(',').count(), JOINTS);
}
