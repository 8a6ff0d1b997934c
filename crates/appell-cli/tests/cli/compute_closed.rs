//! `appell compute` and `agreement` of robots with closed loops, from outside.

use super::{Folder, appell, compute, flat, json, numbers, repository};
use appell::spatial::{Mat3, Quaternion, Vec3};
use serde_json::Value;
use std::fs;

/// Robots with the states of their golden files.
fn golden() -> impl Iterator<Item = (&'static str, Vec<Value>)> {
    let files = [
        ("gough-stewart", "shared_gough_stewart.json", "states"),
        ("five-bar", "shared_five_bar.json", "data"),
        ("planar-3rrr", "shared_planar_3rrr.json", "data"),
        ("delta", "shared_delta.json", "data"),
        ("3-rps", "shared_rps3.json", "data"),
    ];
    files.into_iter().map(|(robot, file, key)| (robot, golden_file(file)[key].as_array().unwrap().clone()))
}

fn golden_file(name: &str) -> Value {
    json(&fs::read_to_string(repository(&format!("tests/golden/parallel/{name}"))).unwrap())
}

const POSE: &str = "px,py,pz,qx,qy,qz,qw";
const MOTION: &str = "vx,vy,vz,wx,wy,wz,ax,ay,az,ex,ey,ez";

/// Position and quaternion of a golden state.
fn pose(state: &Value) -> Vec<f64> {
    let r = flat(&state["R"]);
    let rotation = Mat3::from_rows([0, 3, 6].map(|k| Vec3::new(r[k], r[k + 1], r[k + 2])));
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&rotation);
    [flat(&state["p"]), vec![x, y, z, w]].concat()
}

fn table(header: &str, rows: impl Iterator<Item = Vec<f64>>) -> String {
    let row = |row: Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n";
    format!("{header}\n{}", rows.map(row).collect::<String>())
}

/// The platform's motion, and forces where asked for, of golden states.
fn platform_table(states: &[Value]) -> String {
    let drives = flat(&states[0]["tau"]).len();
    let forces: Vec<String> = (1..=drives).map(|k| format!("tau{k}")).collect();
    let header = format!("{POSE},{MOTION},{}", forces.join(","));
    let row = |s: &Value| [pose(s), flat(&s["V"]), flat(&s["Vd"]), flat(&s["tau_fd"])].concat();
    table(&header, states.iter().map(row))
}

#[track_caller]
fn assert_rows(found: &[Vec<f64>], expected: impl Iterator<Item = Vec<f64>>, tolerance: f64, label: &str) {
    let expected: Vec<Vec<f64>> = expected.collect();
    assert_eq!(found.len(), expected.len(), "{label}");
    for (found, expected) in found.iter().zip(&expected) {
        let size = expected.iter().fold(1e-3_f64, |size, x| size.max(x.abs()));
        assert_eq!(found.len(), expected.len(), "{label}");
        for (ours, theirs) in found.iter().zip(expected) {
            assert!((ours - theirs).abs() <= tolerance * size, "{label}: {ours} against {theirs}");
        }
    }
}

/// Files are computed in blocks, in lanes and on all cores; stdin is answered row by row.
#[test]
fn files_in_blocks_are_answered_as_rows_are() {
    let folder = Folder::new();
    let path = folder.shown("states.csv");
    for (robot, states) in golden() {
        let free: Vec<usize> = match robot {
            "delta" => vec![0, 1, 2],
            _ => (0..6).collect(),
        };
        // More rows than lanes; of the Delta's rates only its freedoms, from which the others are found.
        let names: Vec<&str> = MOTION.split(',').collect();
        let header: Vec<&str> = free.iter().map(|&k| names[k]).chain(free.iter().map(|&k| names[6 + k])).collect();
        let chosen = |numbers: Vec<f64>| free.iter().map(|&k| numbers[k]).collect::<Vec<f64>>();
        let row = |s: &Value| [pose(s), chosen(flat(&s["V"])), chosen(flat(&s["Vd"])), flat(&s["tau_fd"])].concat();
        let forces = (1..=flat(&states[0]["tau"]).len()).map(|k| format!("tau{k}")).collect::<Vec<_>>().join(",");
        let text = table(&format!("{POSE},{},{forces}", header.join(",")), states.iter().cycle().take(40).map(row));
        folder.write("states.csv", &text);
        for question in ["inverse-dynamics", "forward-dynamics", "inertia-matrix", "bias", "joints", "energy"] {
            let label = format!("{question} {robot}");
            let in_blocks = numbers(&appell(&format!("compute {label} --states {path}")).fine());
            let by_rows = numbers(&compute(&label, &text).fine());
            assert_rows(&in_blocks, by_rows.into_iter(), 1e-12, &label);
        }
    }
    // A row that has no answer is named.
    folder.write("states.csv", "q1,v1,a1\n1.0,0,0\n1.1,0,0\n");
    appell(&format!("compute inverse-dynamics four-bar --states {path}")).fine();
    let row = |height: f64| format!("0,0,{height},0,0,0,1,0,0,0,0,0,0\n");
    folder.write("states.csv", format!("{POSE},vx,vy,vz,ax,ay,az\n{}{}", row(-0.8).repeat(20), row(-3.0)));
    appell(&format!("compute inverse-dynamics delta --states {path}"))
        .refused_with(&["states.csv: line 22", "leg `leg1` cannot reach the platform"]);
}

#[test]
fn golden_numbers_from_the_platforms_motion() {
    for (robot, states) in golden() {
        let motion = platform_table(&states);
        let direct = |s: &Value| {
            let platform = if robot == "gough-stewart" { flat(&s["fd_Vd"]) } else { Vec::new() };
            [platform, flat(&s["fd_qdda"])].concat()
        };
        for method in ["legs-platform", "tree-closures", "kkt"] {
            let label = format!("{robot} by {method}");
            let rows =
                |question: &str| numbers(&compute(&format!("{question} {robot} --method {method}"), &motion).fine());
            assert_rows(&rows("inverse-dynamics"), states.iter().map(|s| flat(&s["tau"])), 1e-11, &label);
            // The platform's six accelerations come first; golden robots of fewer freedoms have only those.
            let skip = if robot == "gough-stewart" { 0 } else { 6 };
            let found: Vec<Vec<f64>> = rows("forward-dynamics").into_iter().map(|row| row[skip..].to_vec()).collect();
            assert_rows(&found, states.iter().map(direct), 1e-11, &label);
        }
        let rows = |question: &str| numbers(&compute(&format!("{question} {robot}"), &motion).fine());
        assert_rows(&rows("inertia-matrix"), states.iter().map(|s| flat(&s["M_rob"])), 1e-12, robot);
        assert_rows(&rows("bias"), states.iter().map(|s| flat(&s["c_rob"])), 1e-12, robot);
        assert_rows(&rows("inverse-jacobian"), states.iter().map(|s| flat(&s["J_inv"])), 1e-12, robot);
        if let Some(psi) = states[0].get("Psi") {
            assert_eq!(flat(psi).len(), 18, "{robot}");
            let both = |s: &Value| [flat(&s["Psi"]), flat(&s["Psid"])].concat();
            assert_rows(&rows("psi"), states.iter().map(both), 1e-12, robot);
        }
        let joints = |s: &Value| [flat(&s["q"]), flat(&s["qd"]), flat(&s["qdd"])].concat();
        assert_rows(&rows("joints"), states.iter().map(joints), 1e-12, robot);
        let energy = |s: &Value| vec![s["KE"].as_f64().unwrap(), s["PE"].as_f64().unwrap()];
        assert_rows(&rows("energy"), states.iter().map(energy), 1e-12, robot);
    }
}

#[test]
fn the_drives_motion_gives_the_same() {
    let (robot, states) = golden().next().unwrap();
    let slides = |values: &Value| flat(values).into_iter().skip(2).step_by(3).collect::<Vec<f64>>();
    let header: Vec<String> = ["q", "v", "a"].iter().flat_map(|s| (1..=6).map(move |k| format!("{s}{k}"))).collect();
    let row = |s: &Value| [slides(&s["q"]), slides(&s["qd"]), slides(&s["qdd"])].concat();
    let drives = table(&header.join(","), states.iter().map(row));
    let found = numbers(&compute(&format!("inverse-dynamics {robot}"), &drives).fine());
    assert_rows(&found, states.iter().map(|s| flat(&s["tau"])), 1e-10, "efforts");
    let found = numbers(&compute(&format!("platform {robot}"), &drives).fine());
    let expected = |s: &Value| {
        let mut pose = pose(s);
        // A quaternion and its opposite are one attitude: ours has w ≥ 0.
        if pose[6] < 0.0 {
            pose[3..].iter_mut().for_each(|x| *x = -*x);
        }
        [pose, flat(&s["V"]), flat(&s["Vd"])].concat()
    };
    assert_rows(&found, states.iter().map(expected), 1e-9, "platform");
    let found = numbers(&compute(&format!("actuated {robot}"), &drives).fine());
    assert_rows(&found, states.iter().map(row), 1e-10, "actuated");
    // By their names, and a robot without a platform.
    let named = "q.crank,v.crank,a.crank\n0.3,1,0\n";
    let numbered = "q1,v1,a1\n0.3,1,0\n";
    let [named, numbered] = [named, numbered].map(|states| compute("inverse-dynamics four-bar", states).fine());
    assert_eq!(named, numbered.replace("tau1", "tau.crank"));
}

#[test]
fn dependent_components_may_be_left_out_but_not_be_wrong() {
    let pose = "0,0,0.6,0,0,0,1";
    let header = format!("{POSE},vz,wx,wy,ax,ay,az,ex,ey,ez");
    let complete = "px,py,pz,qx,qy,qz,qw,vz,wx,wy,az,ex,ey";
    let tau = compute("inverse-dynamics 3-rps", &format!("{complete}\n{pose},0.1,0.2,0,0,0,0\n")).fine();
    assert_eq!(tau.lines().next(), Some("tau1,tau2,tau3"));
    let wrong = compute("inverse-dynamics 3-rps", &format!("{header}\n{pose},0.1,0.2,0,5,0,0,0,0,0\n"));
    wrong.refused_with(&["line 2", "`ax` = 5", "is not possible", "leave it out"]);
    let missing = compute("inverse-dynamics 3-rps", &format!("{POSE},vz,wx,az,ex,ey\n{pose},0,0,0,0,0\n"));
    missing.refused_with(&["missing column wy", "reads px…pz, qx…qw, vz wx wy", "az ex ey"]);
    let far = compute("inertia-matrix 3-rps", &format!("{POSE}\n0.05,0,0.6,0,0,0,1\n"));
    far.refused_with(&["line 2", "leg `leg", "cannot reach", "m;"]);
    compute("inertia-matrix 3-rps", &format!("{POSE}\n0,0,0.6,0,0,0,2\n")).refused_with(&["norm"]);
    compute("inertia-matrix 3-rps", "px,py\n0,0\n").refused_with(&["missing columns pz, qx…qw"]);
}

#[test]
fn singular_poses_are_refused_or_answered_by_least_squares() {
    let half = core::f64::consts::FRAC_1_SQRT_2;
    let states = format!("{POSE},{MOTION}\n0,0,0.75,0,0,{half},{half},0,0,0,0,0,0,0,0,0,0,0,0\n");
    for method in ["legs-platform", "tree-closures"] {
        let run = compute(&format!("inverse-dynamics gough-stewart --method {method}"), &states);
        run.refused_with(&["line 2", "singularity of Type 2", "condition number", "least squares"]);
    }
    let run = compute("inverse-dynamics gough-stewart --least-squares", &states);
    assert!(run.code == 0 && run.stderr.contains("warning: 1 of 1 row is beside a singularity"), "{}", run.stderr);
    let tau = numbers(&run.stdout);
    assert!(tau[0].iter().all(|tau| tau.abs() < 1e3), "{tau:?}");
    compute("jacobian gough-stewart --least-squares", &states).refused_with(&["inverse-dynamics alone", "jacobian"]);
    // Forward dynamics does not mind.
    let forces = format!(
        "{POSE},vx,vy,vz,wx,wy,wz,tau1,tau2,tau3,tau4,tau5,tau6\n0,0,0.75,0,0,{half},{half},0,0,0,0,0,0,1,1,1,1,1,1\n"
    );
    compute("forward-dynamics gough-stewart", &forces).fine();
}

#[test]
fn a_payload_and_a_wrench_change_the_efforts_as_they_must() {
    let header = format!("{POSE},{MOTION}");
    let rest = "0,0,0.75,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0";
    let plain = numbers(&compute("inverse-dynamics gough-stewart", &format!("{header}\n{rest}\n")).fine());
    let loaded = numbers(
        &compute("inverse-dynamics gough-stewart --payload 10,0.1,0,0.2", &format!("{header}\n{rest}\n")).fine(),
    );
    // At rest a payload is its weight, at its place.
    let (weight, moment) = (-98.1, 9.81);
    let pushed = format!("{header},platform.fz,platform.my\n{rest},{weight},{moment}\n");
    let pushed = numbers(&compute("inverse-dynamics gough-stewart", &pushed).fine());
    for k in 0..6 {
        assert!((loaded[0][k] - pushed[0][k]).abs() < 1e-10);
        assert!((loaded[0][k] - plain[0][k]).abs() > 1.0);
    }
    compute("gravity four-bar --payload 1", "q1\n0\n").refused_with(&["--payload", "no platform"]);
    compute("gravity delta --payload -1", &format!("{POSE}\n0,0,-0.8,0,0,0,1\n")).refused_with(&["--payload"]);
    compute("gravity puma560 --payload 1", "q1\n0\n").refused_with(&["--payload", "closed loops"]);
}

#[test]
fn what_only_other_robots_answer_is_refused() {
    compute("gibbs-function delta", &format!("{POSE}\n0,0,-0.8,0,0,0,1\n"))
        .refused_with(&["gibbs-function", "inverse-jacobian"]);
    compute("jacobian-rate four-bar", "q1,v1\n0,0\n").refused_with(&["jacobian-rate", "--frame", "`output`"]);
    compute("actuated puma560", "q1\n0\n").refused_with(&["actuated", "closed loops"]);
    compute("platform four-bar", "q1,v1,a1\n0,0,0\n").refused_with(&["platform"]);
    compute("inverse-dynamics delta --frame hand", "q1\n0\n").refused_with(&["hand cannot be the output", "leg1.end"]);
    compute("inverse-dynamics delta --method newton-euler", "q1\n0\n")
        .refused_with(&["newton-euler", "legs-platform, tree-closures, kkt"]);
    let strengths = compute("inverse-dynamics delta --strengths 1,2", "q1\n0\n");
    strengths.refused_with(&["--strengths", "2 numbers", "3 driven joints: leg1.arm"]);
}

#[test]
fn all_methods_agree_on_all_closed_robots() {
    for robot in appell::robots::CLOSED {
        let report = json(&appell(&format!("agreement {} --states 20 --json", robot.name)).fine());
        assert_eq!(report["agree"], true, "{report:#}");
        let differences = report["differences"].as_array().unwrap();
        let refereed = [
            "inverse-dynamics",
            "forward-dynamics",
            "inertia-matrix",
            "bias",
            "gravity",
            "coriolis-vector",
            "coriolis-matrix",
            "reactions",
            "regressor",
            "inverse-dynamics-derivatives",
            "forward-dynamics-derivatives",
            "energy",
        ];
        for question in refereed {
            assert!(differences.iter().any(|row| row["question"] == question), "{}: {question}", robot.name);
        }
    }
}

#[test]
fn a_platform_that_may_not_turn_says_so() {
    let turned = format!("{POSE}\n0,0.4,0,0,0,0.6,0.8\n");
    compute("gravity five-bar", &turned).refused_with(&["platform.attitude", "turns = false", "attitude at home"]);
    // Its attitude may be left out.
    let bare = compute("gravity five-bar", "px,py,pz\n0,0.4,0\n").fine();
    assert_eq!(bare, compute("gravity five-bar", &format!("{POSE}\n0,0.4,0,0,0,0,1\n")).fine());
}

/// Nothing drives it: it falls, and inverse dynamics has no answer.
#[test]
fn a_robot_without_drives_falls() {
    let folder = Folder::new();
    let delta = appell::robots::find("delta").unwrap().toml;
    let path = folder.write("slack.toml", delta.replace("driven = [\"arm\"]", "driven = []"));
    let state = format!("{POSE},vx,vy,vz\n0,0,-0.8,0,0,0,1,0,0,0\n");
    let fall = numbers(&compute(&format!("forward-dynamics {path}"), &state).fine());
    assert!(fall[0][2] < -5.0, "{fall:?}");
    compute(&format!("forward-dynamics {path}"), "t\n0\n").refused_with(&["vx…vz; ", "no joint is driven"]);
    let agreement = appell(&format!("agreement {path} --states 2"));
    assert_eq!((agreement.code, agreement.stderr.as_str()), (1, ""));
}

/// Poses rounded to six digits are what users have, also of robots whose poses lie on a curved surface.
#[test]
fn rounded_poses_of_robots_with_side_motions_are_taken() {
    let exact = compute("platform 3-rps", "q1,q2,q3,v1,v2,v3,a1,a2,a3\n0.75,0.78,0.8,0,0,0,0,0,0\n").fine();
    let pose: Vec<String> = numbers(&exact)[0][..7].iter().map(|x| format!("{x:.6}")).collect();
    let drives = numbers(
        &compute("joints 3-rps", &format!("{POSE},vz,wx,wy,az,ex,ey\n{},0,0,0,0,0,0\n", pose.join(","))).fine(),
    );
    let slides = [drives[0][1], drives[0][3], drives[0][5]];
    for (found, given) in slides.iter().zip([0.75, 0.78, 0.8]) {
        assert!((found - given).abs() < 2e-6, "{slides:?}");
    }
    compute("inertia-matrix five-bar", &format!("{POSE}\n0,0.4,1e-9,0,0,0,1\n")).fine();
    compute("inertia-matrix five-bar", &format!("{POSE}\n0,0.4,1e-3,0,0,0,1\n")).refused_with(&["cannot reach"]);
}

/// What the platform's drives reach only in another working mode is refused, not found somewhere else.
#[test]
fn drives_that_leave_the_working_mode_are_refused() {
    compute("platform delta", "q1,q2,q3,v1,v2,v3,a1,a2,a3\n3,-3,0,0,0,0,0,0,0\n").refused_with(&["line 2", "knee"]);
}

/// The Agile Wrist along the golden trajectory, its attitude in the paper's own angles.
#[test]
fn attitudes_in_euler_angles() {
    let golden = golden_file("shared_agile_wrist_traj.json");
    let states: Vec<&Value> = golden["data"].as_array().unwrap().iter().filter(|s| flat(&s["mode"])[0] > 0.0).collect();
    let motion = table(
        "angle1,angle2,angle3,rate1,rate2,rate3,accel1,accel2,accel3",
        states.iter().map(|s| [flat(&s["q"]), flat(&s["qd"]), flat(&s["qdd"])].concat()),
    );
    for method in ["spherical", "equations", "legs-platform", "tree-closures", "kkt"] {
        let question = format!("inverse-dynamics agile-wrist --angles 321 --method {method}");
        let found = numbers(&compute(&question, &motion).fine());
        assert_rows(&found, states.iter().map(|s| flat(&s["tau"])), 1e-11, method);
    }
    let found = numbers(&compute("actuated agile-wrist --angles 321", &motion).fine());
    let drives = |s: &&Value| [flat(&s["theta"]), flat(&s["thetad"]), flat(&s["thetadd"])].concat();
    assert_rows(&found, states.iter().map(drives), 1e-11, "drives");
    let rest = compute("inverse-dynamics agile-wrist --angles zyz", "angle1,angle2\n0,0\n");
    rest.refused_with(&["angle3", "rate1…rate3"]);
    compute("inverse-dynamics five-bar --angles 321", "px\n0\n").refused_with(&["no platform that turns"]);
    let twice = compute("gravity agile-wrist --angles 321", "angle1,angle2,angle3,qx,qy,qz,qw\n0,0,0,0,0,0,1\n");
    twice.refused_with(&["unknown columns `qx`"]);
    // The leg that does not reach is named, not the one that a rounded position misses.
    let far = compute("gravity agile-wrist --angles 321", "px,py,pz,angle1,angle2,angle3\n1e-9,0,0,0,1.6,0\n");
    far.refused_with(&["leg3", "1.189e-3 m"]);
}

/// Methods for robots that this is not say why, and least squares where they are not answered.
#[test]
fn methods_that_do_not_serve_say_why() {
    let state = format!("{POSE}\n0,0,-0.8,0,0,0,1\n");
    compute("gravity delta --method spherical", &state).refused_with(&["spherical robots", "leg"]);
    let state = "angle1,angle2,angle3,rate1,rate2,rate3,accel1,accel2,accel3\n0,0,0,0,0,0,0,0,0\n";
    let question = "inverse-dynamics agile-wrist --angles 321 --least-squares --method";
    compute(&format!("{question} equations"), state).refused_with(&["--least-squares", "equations", "take spherical"]);
    compute(&format!("{question} spherical"), state).fine();
}

#[test]
fn torques_beside_a_singularity_are_warned_of_once() {
    let row = |off: f64| {
        let half = (core::f64::consts::FRAC_PI_2 - off) / 2.0;
        format!("0,0,0.75,0,0,{:?},{:?}{}\n", half.sin(), half.cos(), ",0".repeat(12))
    };
    let states = format!("{POSE},{MOTION}\n{}", [0.5, 1e-3, 1e-7, 1e-8].map(row).concat());
    let expected = [
        "warning: 2 of 4 rows are beside a singularity",
        "the first, line 4, is nearest to a Type 2 singularity, condition number 3.3e7",
    ];
    let folder = Folder::new();
    let file = folder.write("states.csv", &states);
    let in_blocks = appell(&format!("compute inverse-dynamics gough-stewart --states {file}"));
    for run in [compute("inverse-dynamics gough-stewart", &states), in_blocks] {
        run.ended(0, &expected);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    // What is no torque is not concerned.
    compute("inertia-matrix gough-stewart", &states).fine();
}

#[test]
fn positions_are_enough_for_a_motion_and_rates_are_answered_where_given() {
    let pose = "0.02,0.01,0.8,0,0,0,1";
    let columns = |table: &str| table.lines().next().unwrap().split(',').count();
    let table = compute("joints gough-stewart", &format!("{POSE}\n{pose}\n")).fine();
    assert_eq!(columns(&table), 18);
    assert!(table.starts_with("q.leg1."), "{table}");
    let moving = compute("joints gough-stewart", &format!("{POSE},vx,vy,vz,wx,wy,wz\n{pose},1,0,0,0,0,0\n")).fine();
    assert_eq!(columns(&moving), 36);
    assert_eq!(numbers(&moving)[0][..18], numbers(&table)[0][..]);
    assert_eq!(
        columns(&compute("joints gough-stewart", &format!("{POSE},{MOTION}\n{pose}{}\n", ",0".repeat(12))).fine()),
        54
    );
    let legs = compute("actuated gough-stewart --named", &format!("{POSE}\n{pose}\n")).fine();
    assert!(legs.starts_with("q.leg1.slide,q.leg2.slide"), "{legs}");
    assert_eq!(columns(&legs), 6);
    let back = compute("platform gough-stewart", &legs).fine();
    assert!(back.starts_with("px,py,pz,qx,qy,qz,qw\n"), "{back}");
    for (found, expected) in numbers(&back)[0].iter().zip([0.02, 0.01, 0.8]) {
        assert!((found - expected).abs() < 1e-9, "{back}");
    }
    compute("joints gough-stewart", &format!("{POSE},vx\n{pose},1\n")).refused_with(&["missing columns vy, vz"]);
    let held =
        compute("inverse-dynamics gough-stewart --named", &format!("{POSE},{MOTION}\n{pose}{}\n", ",0".repeat(12)));
    assert!(held.fine().starts_with("tau.leg1.slide,tau.leg2.slide"));
}

#[test]
fn rows_say_which_assembly_they_are() {
    let text = compute("platform five-bar --modes", "q1,q2\n2.0,1.2\n1.9,1.3\n").fine();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().ends_with("assembly,assemblies,side,next"), "{text}");
    for line in lines {
        let cells: Vec<f64> = line.split(',').rev().take(4).map(|cell| cell.parse().unwrap()).collect();
        let [next, side, assemblies, assembly] = cells[..] else { panic!("{line}") };
        assert_eq!((assembly, assemblies, side.abs()), (1.0, 2.0, 1.0), "{line}");
        assert!(next > 0.5, "{line}");
    }
    compute("gravity puma560 --modes", "q1\n0\n").refused_with(&["--modes are for robots with closed loops"]);
}

/// On the way from home the forearms are stretched.
#[test]
fn drives_that_cannot_come_straight_from_home_are_warned_of() {
    let table = "q1,q2\n2.0,1.2\n1.46,-0.71\n";
    let file = Folder::new();
    let path = file.write("drives.csv", table);
    for run in [compute("platform five-bar", table), appell(&format!("compute platform five-bar --states {path}"))] {
        assert_eq!(run.code, 0, "{}", run.stderr);
        for part in ["1 row, first of line 3, cannot come there straight from home", "Type 2", "appell assemble"] {
            assert!(run.stderr.contains(part), "{}", run.stderr);
        }
    }
}
