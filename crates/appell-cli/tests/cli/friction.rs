//! Friction with a curve: computed, shown, doubted, listed as lost in other formats, and what a simulated joint sticks by.

use super::{Folder, appell, compute, contains, json, numbers};

/// A block of 2 kg on a level slide.
fn block(friction: &str) -> String {
    format!(
        "name = 'block'\nframes = 'modified-dh'\ngravity = [0, 0, 0]\njoints = [['slide', 'prismatic', '0', 0, '0', 'q']]\n\
         [body.slide]\nmass = 2\ncom = [0, 0, 0]\ninertia = {{ xx = 0.01, yy = 0.01, zz = 0.01 }}\n\
         [joint.slide]\nlimits = {{ velocity = 2 }}\nfriction = {{ {friction} }}\n"
    )
}

const CURVE: &str =
    "viscous = 1, coulomb = 3, square_root = 2, cubic = 0.5, asymmetric = 0.25, stribeck = 1.5, stribeck_speed = 0.2";

#[test]
fn a_curve_is_computed_shown_and_lost_elsewhere() {
    let folder = Folder::new();
    let file = folder.write("block.toml", block(CURVE));
    appell(&format!("check {file}")).done();
    let tau = numbers(&compute(&format!("inverse-dynamics {file}"), "q1,v1,a1\n0,0.2,0\n0,-0.2,1\n").done());
    let resists = 0.2 + 3.0 + 2.0 * 0.2_f64.sqrt() + 0.5 * 0.008 + 1.5 * (-1.0_f64).exp();
    assert!((tau[0][0] - resists - 0.05).abs() < 1e-12 && (tau[1][0] + resists - 0.05 - 2.0).abs() < 1e-12, "{tau:?}");
    contains(&appell(&format!("show {file}")).done(), &["Curves of friction, with s the sign of v"]);
    let shown = json(&appell(&format!("show {file} --json")).done());
    assert_eq!(shown["joints"][0]["effects"]["friction"]["stribeck_speed"], 0.2, "{shown}");
    contains(&appell(&format!("convert {file} -")).done(), &["square_root = 2.0", "stribeck_speed = 0.2"]);
    for format in ["block.urdf", "block.par"] {
        appell(&format!("convert {file} {}", folder.shown(format))).ended(1, &["slide.friction.curve"]);
    }
    let wrong = folder.write("wrong.toml", block("coulomb = 1, cubic = -2"));
    let doubted = appell(&format!("check {wrong}")).fine();
    contains(&doubted, &["joint.slide.friction", "drives the joint at 0.796 rad/s or m/s, and it may reach 2"]);
    let without = folder.write("without.toml", block("stribeck = 1"));
    appell(&format!("show {without}"))
        .refused_with(&["joint.slide.friction.stribeck_speed", "expected a positive number"]);
}

/// Below 4.5 N the block stays, and above it does not.
#[test]
fn a_simulated_joint_sticks_by_coulomb_and_stribeck_together() {
    let folder = Folder::new();
    folder.write("block.toml", block(CURVE));
    for (force, moves) in [(4.4, false), (4.6, true)] {
        let spring = format!("spring = {{ stiffness = 100, rest = {} }}", force / 100.0);
        let trial = format!("robot = \"block.toml\"\nduration = 0.2\n[plant]\n{spring}\n");
        appell(&format!("simulate {} --out {}", folder.write("trial.toml", trial), folder.shown("out"))).done();
        let moved = numbers(&folder.text("out/record.csv")).last().unwrap()[1];
        assert!(if moves { moved > 1e-4 } else { moved == 0.0 }, "{force} N: {moved}");
    }
}
