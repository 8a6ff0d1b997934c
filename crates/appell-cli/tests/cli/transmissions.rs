//! Robots whose motors drive several joints.

use super::{Folder, appell, compute, contains, json, numbers, repository};

const STATE: &str = "q1,q2,q3,q4,v1,v2,v3,v4,a1,a2,a3,a4\n0.3,-0.4,0.9,0.5,0.7,1.1,-0.6,2,2,-1,3,4\n";

fn wrist() -> String {
    repository("tests/data/geared-wrist.toml")
}

#[test]
fn a_geared_wrist_is_shown_checked_and_converted() {
    let wrist = wrist();
    appell(&format!("check {wrist}")).done();
    contains(
        &appell(&format!("show {wrist}")).done(),
        &["Transmissions: turns of motors", "m6     1 roll + 14 bend + 77 turn", "motor-torques"],
    );
    let shown = json(&appell(&format!("show {wrist} --json")).done());
    assert_eq!(shown["transmissions"][0]["matrix"][2], serde_json::json!([1.0, 14.0, 77.0]));
    contains(&appell(&format!("convert {wrist} -")).done(), &["[transmission.wrist]", "on = \"elbow\""]);
    let folder = Folder::new();
    let urdf = folder.shown("wrist.urdf");
    appell(&format!("convert {wrist} {urdf}")).ended(1, &["transmission.wrist"]);
    appell(&format!("agreement {wrist} --states 20")).done();
}

/// Torques of the motors by both methods, of a file and of a stream; and what they do in the motors' own coordinates.
#[test]
fn torques_of_motors() {
    let wrist = wrist();
    let answer = compute(&format!("motor-torques {wrist} --named"), STATE).done();
    assert_eq!(answer.lines().next(), Some("tau.elbow,tau.m4,tau.m5,tau.m6"));
    let tau = numbers(&answer).remove(0);
    let folder = Folder::new();
    let states = folder.write("states.csv", STATE);
    for method in ["", " --method motor-coordinates"] {
        let found = appell(&format!("compute motor-torques {wrist} --states {states}{method}")).done();
        for (found, expected) in numbers(&found)[0].iter().zip(&tau) {
            assert!((found - expected).abs() < 1e-12, "{method}: {found} {expected}");
        }
    }
    // θ = N q, and so for velocities and accelerations; τ accelerates the motors so.
    let of_motors = |[elbow, roll, bend, turn]: [f64; 4]| {
        [elbow, 76.0 * roll, roll + 72.0 * bend, roll + 14.0 * bend + 77.0 * turn]
    };
    let [q, v, a] = [[0.3, -0.4, 0.9, 0.5], [0.7, 1.1, -0.6, 2.0], [2.0, -1.0, 3.0, 4.0]].map(of_motors);
    let joined = |x: &[f64]| x.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let header = "q.elbow,q.m4,q.m5,q.m6,v.elbow,v.m4,v.m5,v.m6,tau.elbow,tau.m4,tau.m5,tau.m6";
    let table = format!("{header}\n{},{},{}\n", joined(&q), joined(&v), joined(&tau));
    let found = numbers(&compute(&format!("forward-dynamics {wrist} --motors"), &table).done()).remove(0);
    for (found, expected) in found.iter().zip(a) {
        assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} {expected}");
    }
    compute("inverse-dynamics gough-stewart --motors", "q1\n").refused_with(&["--motors is for open robots"]);
    compute("motor-torques gough-stewart", "q1\n")
        .refused_with(&["motor-torques has no answer for a robot with closed loops"]);
}

/// A motor that comes to its limit is not called a joint; and a joint that a motor drives is not passive.
#[test]
fn motors_are_named_as_motors() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(wrist()).unwrap();
    folder.write("wrist.toml", text.replace("limits = { effort = 0.6 }", "limits = { velocity = 0.5 }"));
    let trial =
        "robot = \"wrist.toml\"\nduration = 1\nstart = { v = [0, 0, 0, 0.01] }\nrun = { stop_at = [\"velocity\"] }\n";
    let run = appell(&format!("simulate {} --out {}", folder.write("trial.toml", trial), folder.shown("out")));
    run.ended(1, &["the velocity of motor `m6` is", "beyond its limit"]);
    let passive = folder.write("passive.toml", &(text + "[joint.bend]\ndriven = false\n"));
    appell(&format!("check {passive}")).ended(1, &[]);
    appell(&format!("show {passive}")).refused_with(&["transmission.wrist.joints[2]", "`bend` has driven = false"]);
}
