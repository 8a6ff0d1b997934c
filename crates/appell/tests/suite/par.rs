//! Files of SYMORO: what is written comes back, and what is wrong is reported with its line.

use crate::common::assert_close;
use appell::description::{Convention, Description, JointType, par, toml};
use appell::dynamics::{composite_body, newton_euler};
use appell::mechanism::Mechanism;
use appell::robots;
use appell::sample::{Sampler, Shape};
use appell::{Format, Robot};

/// A planar arm on a fixed foot, as people write such files by hand.
const ARM: &str = "(* Robotname = 'arm' *)
NL = 4
NJ = 4
NF = 4
Type = 0
(* Geometric parameters *)
Ant = {0,1,2,3}
Sigma = {2,0,1,2}
B = {0,0,0,0}
d = {0.1,0,0.5,0}
R = {0.2,0,r3 + 0.1,0.3}
gamma = {0,0,0,0}
Alpha = {0,-Pi/2,pi/2,0}
Mu = {0,1,1,0}
Theta = {0,th2 - pi/2,0,0}
(* Dynamic parameters *)
XX = {0,0.02,0.1,0.01}
YY = {0,0.2,0.1,0.01}
ZZ = {0,0.2,0.05,
      0.01}
MX = {0,0.4,0,0.05}
M = {50,2,1,0.5}
IA = {0,0.3,2,0}
FV = {0,0.1,0.2,0}
FS = {0,0.01,0.02,0}
G = {0,0,-9.81}
";

fn read(text: &str) -> Description {
    par::read(text, "").unwrap_or_else(|problems| panic!("{problems}\n{text}")).0
}

/// Line, place and message of every problem.
fn problems(text: &str) -> Vec<String> {
    let found = par::read(text, "").map_or_else(|problems| problems, |(_, warnings)| warnings);
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_is_the_robot_of_our_table() {
    let table = toml::read(
        "name = 'arm'\nframes = 'khalil-kleinfinger'\njoints = [\n\
         ['joint2', 'revolute', 'base', 0, 0.2, '-90 deg', 0.1, 'q - 90 deg', 0],\n\
         ['joint3', 'prismatic', 'joint2', 0, 0, '90 deg', 0.5, 0, 'q + 0.1'],\n]\n\
         [body.joint2]\nmass = 2\ncom = [0.2, 0, 0]\ninertia = { xx = 0.02, yy = 0.12, zz = 0.12 }\n\
         [body.joint3]\nmass = 1.5\ncom = [0.03333333333333333, 0, 0.1]\n\
         inertia = { xx = 0.14, yy = 0.13833333333333334, zz = 0.05833333333333333, xz = -0.01 }\n\
         [joint.joint2]\nfriction = { viscous = 0.1, coulomb = 0.01 }\nrotor = { inertia = 0.3 }\n\
         [joint.joint3]\nfriction = { viscous = 0.2, coulomb = 0.02 }\nrotor = { inertia = 2 }\n",
    )
    .unwrap_or_else(|problems| panic!("{problems}"))
    .0;
    let file = read(ARM);
    assert_eq!((file.name.as_str(), file.frames.len()), ("arm", 2));
    assert_eq!(file.joints[0].effects, table.joints[0].effects);
    assert_same(&file, &table, "arm");
}

#[track_caller]
fn assert_same(one: &Description, other: &Description, label: &str) {
    let [one, other] = [one, other].map(|robot| Mechanism::new(robot).unwrap_or_else(|problems| panic!("{problems}")));
    let mut sampler = Sampler::new(1);
    for _ in 0..3 {
        let state = sampler.state(&one);
        let answers = [&one, &other].map(|robot| {
            let mut ws = newton_euler::Workspace::new(robot);
            let tau = newton_euler::inverse_dynamics(robot, &mut ws, &state.q, &state.v, &state.a).to_vec();
            let mut ws = composite_body::Workspace::new(robot);
            (tau, composite_body::inertia_matrix(robot, &mut ws, &state.q).to_vec())
        });
        assert_close(&answers[0].0, &answers[1].0, 1e-12, label);
        assert_close(&answers[0].1, &answers[1].1, 1e-12, label);
    }
}

#[test]
fn chains_and_trees_come_back() {
    for name in ["puma560", "stanford", "scara", "seven-axis"] {
        let robot = toml::read(robots::find(name).unwrap().toml).unwrap().0;
        let (text, _) = par::write(&robot).unwrap_or_else(|problems| panic!("{problems}"));
        let back = read(&text);
        let names = |robot: &Description| robot.joints.iter().map(|joint| joint.name.clone()).collect::<Vec<_>>();
        assert_eq!((names(&back), back.gravity), (names(&robot), robot.gravity), "{name}");
        assert_same(&robot, &back, name);
    }
    for seed in 0..20 {
        for shape in [Shape::Chain, Shape::Tree] {
            let mut robot = Sampler::new(seed).description(6, shape);
            robot.joints[2].placement.e = 0.03;
            let (text, _) = par::write(&robot).unwrap();
            let back = read(&text);
            assert_same(&robot, &back, &format!("seed {seed}\n{text}"));
            assert_eq!(back.joints[1].placement, robot.joints[1].placement);
        }
    }
}

/// A parallelogram with its motor on one side, cut at a passive joint as Khalil does, and one whose cut joint is driven.
const FOUR_BAR: &str = "(* Robotname = 'four-bar' *)
(* Home = 0.3, -0.3, 0.4 *)
NL = 3
NJ = 4
NF = 5
Type = 2
ant = {0,1,0,2,3}
sigma = {0,0,0,0,2}
b = {0,0,0,0,0}
d = {0,0.3,0.5,0.5,0.3}
r = {0,0,0,0,0}
gamma = {0,0,0,0,0}
alpha = {0,0,0,0,0}
mu = {1,0,0,0,0}
theta = {t1,t2,t3,t4,0}
XX = {0.001,0.001,0.001}
YY = {0.04,0.09,0.04}
ZZ = {0.04,0.09,0.04}
MX = {0.15,0.25,0.15}
M = {1,1,1}
G = {0,-9.81,0}
";

#[test]
fn cut_joints_close_loops() {
    let robot = Robot::new(read(FOUR_BAR)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((robot.freedoms().len(), robot.drives().len(), robot.joints().len()), (1, 1, 3));
    let driven = Robot::new(read(&FOUR_BAR.replace("mu = {1,0,0,0,0}", "mu = {0,0,0,1,0}"))).unwrap();
    assert_eq!((driven.freedoms().len(), driven.drives()[0].name, driven.joints().len()), (1, "joint4", 4));
    let (text, lost) = par::write(&read(FOUR_BAR)).unwrap();
    assert!(lost.is_empty());
    assert_eq!(read(&text).closures, read(FOUR_BAR).closures);
    assert_eq!(read(&text).joints, read(FOUR_BAR).joints);
}

#[test]
fn a_floating_base_has_a_body() {
    let text = "NL = 1\nis_floating = 1\nant = {0}\nsigma = {0}\nd = {0.1}\nr = {0}\nalpha = {0}\ntheta = {th1}\n\
                M = {5,1}\nXX = {1,0.1}\nYY = {1,0.1}\nZZ = {1,0.1}\n";
    let robot = read(text);
    assert_eq!((robot.joints.len(), robot.joints[0].body.mass, robot.joints[1].body.mass), (2, 5.0, 1.0));
    assert_eq!(robot.joints[0].kind, JointType::Free);
    let (text, lost) = par::write(&robot).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(lost.is_empty());
    assert_eq!(read(&text), robot);
}

#[test]
fn each_problem_is_found_with_its_line() {
    for (from, to, line, message) in [
        ("NL = 4", "NL = four", 2, "NL: four of `NL` stands for numbers that the file does not say"),
        ("NL = 4", "", 1, "NL: is missing"),
        ("NF = 4", "NF = 5", 4, "NF: `5` is not 2 NJ − NL"),
        ("NJ = 4", "NJ = 3", 3, "NJ: is 3 for 4 links"),
        (
            "Ant = {0,1,2,3}",
            "Ant = {0,1,3,3}",
            7,
            "ant[3]: is 3; a frame hangs on frame 0 or on a link above it, here 0 to 2",
        ),
        ("Sigma = {2,0", "Sigma = {2,7", 8, "sigma[2]: `7` is not 0 (revolute)"),
        ("d = {0.1", "d = {0.1,0", 10, "d: has 5 entries; expected 4: one per frame, NF"),
        ("d = {0.1,0,0.5", "d = {L1,0,2*L2", 10, "d: L1, L2 of `d` stand for numbers"),
        ("th2 - pi/2", "-pi/2", 15, "theta[2]: a revolute joint moves here; write its variable, `th2`"),
        ("M = {50,2", "M = {50,0", 22, "M[2]: link 2 has first moments MX, MY, MZ but no mass"),
        ("M = {50,2", "M = {50,-2", 22, "M.mass: is -2 kg"),
        ("      0.01}", "      0.0.1}", 20, "ZZ[4]: `0.0.1` is not a number"),
        ("FS = {0", "FS = {0\nFS = {0", 25, "file: `{` is never closed"),
        ("FS = {0", "FS = {0,0,0,0}\nFS = {0", 26, "FS: the key `FS` stands twice"),
        ("G = {0,0,-9.81}", "what is this", 26, "file: `what is this` is not a statement"),
        ("G = {0,0,-9.81}", "G = {0,0,-9.81", 26, "file: `{` is never closed"),
        ("(* Dynamic", "(* Dynamic (", 16, ""),
        ("G =", "W0 = {0,0,1}\nG =", 26, "W0: is not about rigid bodies"),
        ("G =", "H = {0}\nG =", 26, "H: is not known here"),
    ] {
        assert!(ARM.contains(from), "{from}");
        let found = problems(&ARM.replacen(from, to, 1));
        let is_told = |problem: &String| {
            problem.starts_with(&format!("line {line}: ")) && problem.contains(message)
                || line == 1 && problem.contains(message)
        };
        assert!(message.is_empty() || found.iter().any(is_told), "{from} → {to}: {found:#?}");
    }
    assert_eq!(problems(ARM), Vec::<String>::new());
    assert!(problems(&ARM.replace("*)\nNL", "\nNL")).len() > 1);
}

#[test]
fn symbols_are_named_once_per_key() {
    let text = ARM.replace("{50,2,1,0.5}", "{M1,M2,M3,M4}").replace("{0,0.4,0,0.05}", "{MX1,MX2,MX3,MX4}");
    let found = problems(&text);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[1].contains("M1, M2, M3, M4 of `M` stand for numbers that the file does not say; appell computes with numbers, so write their values"), "{found:#?}");
}

#[test]
fn the_format_is_known_by_its_ending() {
    assert_eq!(Format::of(std::path::Path::new("a.PAR")), Some(Format::Par));
    let robot = Robot::read(ARM, Format::Par, "x").unwrap();
    let (text, _) = Format::Toml.write(robot.file().unwrap(), None).unwrap();
    assert_eq!(toml::read(&text).unwrap().0.convention, Convention::KhalilKleinfinger);
}

#[test]
fn what_has_no_place_is_reported() {
    let mut robot = read(ARM);
    robot.joints[0].limits.upper = 1.0;
    let (_, lost) = par::write(&robot).unwrap();
    assert_eq!(lost.to_string(), "warning: joint.joint2.limits: cannot be said in this format and is left out");
    let delta = toml::read(robots::find("delta").unwrap().toml).unwrap().0;
    assert!(par::write(&delta).unwrap_err().to_string().contains("a .par file has no platform"));
}

proptest::proptest! {
    #[test]
    fn a_damaged_file_is_read_without_panic(
        edits in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), 0..9usize, "[-(*){},= 0-9a-z]{0,4}"), 1..5),
    ) {
        let mut text: Vec<char> = FOUR_BAR.chars().collect();
        for (at, cut, paste) in edits {
            let at = at.index(text.len());
            let end = text.len().min(at + cut);
            text.splice(at..end, paste.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok((robot, _)) = par::read(&text, "x") {
            proptest::prop_assert_eq!(appell::description::check(&robot).errors(), 0);
            if let Ok((written, _)) = par::write(&robot) {
                proptest::prop_assert!(par::read(&written, "x").is_ok(), "{}", written);
            }
        }
    }
}

#[test]
fn one_star_does_not_close_a_comment() {
    let problems = par::read(&format!("{FOUR_BAR}\n(*)"), "x").unwrap_err().to_string();
    assert!(problems.contains("`(*` is never closed"), "{problems}");
}

#[test]
fn an_output_is_listed_as_left_out() {
    let four_bar = robots::find("four-bar").expect("a built-in robot");
    let (mut description, _) = toml::read(four_bar.toml).expect("a robot");
    description.output = Some("coupler".into());
    let (_, dropped) = par::write(&description).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(dropped.iter().any(|problem| problem.place == "output"), "{dropped}");
}
