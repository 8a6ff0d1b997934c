//! `appell show`: the tree, what is in the joints, and the drawing.

use super::{Folder, appell, contains, json, repository};

fn golden(name: &str) -> String {
    repository(&format!("tests/golden/urdf/{name}.urdf"))
}

#[test]
fn a_chain_is_a_table_and_a_tree_is_drawn() {
    let chain = appell("show puma560").fine();
    contains(&chain, &["6 joints, 6 driven\n", "mobility: 6 joints move independently\n", "m for q = 0"]);
    assert!(!chain.contains("└─") && !chain.contains("\nLimits"), "{chain}");
    let tree = appell(&format!("show {}", golden("solo12"))).stdout;
    contains(&tree, &["  base\n", "  ├─ FL_HAA", "  │  FL_HFE", "  └─ HR_HAA", "     HR_KFE"]);
}

#[test]
fn limits_effects_and_followers_are_shown() {
    let text = appell(&format!("show {}", golden("panda"))).stdout;
    contains(&text, &["mobility: 8 joints move independently; panda_finger_joint2 follows panda_finger_joint1"]);
    contains(&text, &["\nLimits", "2.8973", "\nFriction, rotor and spring", "viscous", "–"]);
    let robot = json(&appell(&format!("show {} --json", golden("panda"))).stdout);
    assert_eq!(robot["mobility"]["independent"], 8);
    assert_eq!(robot["mobility"]["followers"][0], "panda_finger_joint2");
    assert_eq!(robot["joints"][8]["mimic"]["joint"], "panda_finger_joint1");
    assert_eq!(robot["joints"][0]["limits"]["upper"], 2.8973);
    assert_eq!(robot["joints"][0]["effects"]["friction"]["viscous"], 0.003);
    let free = json(&appell("show two-link --json").fine());
    assert!(free["joints"][0]["limits"]["upper"].is_null());
}

#[test]
fn the_centre_of_mass_moves_with_the_coordinates() {
    let x = |at: &str| json(&appell(&format!("show two-link --json {at}")).fine())["com"][0].as_f64().unwrap();
    let straight = (0.1 * 0.01 + 10.0 * 1.02) / 10.1;
    assert!((x("") - straight).abs() < 1e-12);
    assert!((x("--at -3.141592653589793,0") + straight).abs() < 1e-12);
}

/// All numbers in the attributes of these names.
fn attributes(svg: &str, names: &[&str]) -> Vec<f64> {
    let openings: Vec<String> = names.iter().map(|name| format!(" {name}=\"")).collect();
    let values = openings.iter().flat_map(|opening| svg.split(opening.as_str()).skip(1));
    values.flat_map(|rest| rest.split('"').next().unwrap().split([',', ' '])).map(|x| x.parse().unwrap()).collect()
}

/// The points of all elements of a drawing.
pub(super) fn points(svg: &str) -> Vec<[f64; 2]> {
    let (across, down) = (attributes(svg, &["x", "x1", "x2", "cx"]), attributes(svg, &["y", "y1", "y2", "cy"]));
    let corners = attributes(svg, &["points"]);
    let corners = corners.chunks(2).map(|corner| [corner[0], corner[1]]);
    across.into_iter().zip(down).map(|(x, y)| [x, y]).chain(corners).collect()
}

#[test]
fn every_robot_is_drawn_on_the_sheet() {
    let folder = Folder::new();
    let path = folder.shown("robot.svg");
    let golden = ["solo12", "panda", "kinova", "finger_edu", "double_pendulum"].map(golden);
    let builtin = ["puma560", "two-link", "stanford", "scara", "seven-axis"];
    for robot in builtin.into_iter().chain(golden.iter().map(String::as_str)) {
        let answer = json(&appell(&format!("show {robot} --json --plot {path}")).done());
        let svg = folder.text("robot.svg");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        let joints = answer["mobility"]["joints"].as_u64().unwrap();
        assert_eq!(svg.matches("<g class=\"joint ").count() as u64, joints, "{robot}");
        for [x, y] in points(&svg) {
            assert!((0.0..=1000.0).contains(&x) && (0.0..=800.0).contains(&y), "{robot}: ({x}, {y})");
        }
    }
}

#[test]
fn the_drawing_depends_on_the_coordinates_and_escapes_names() {
    let folder = Folder::new();
    let drawn = |robot: &str, at: &str| {
        appell(&format!("show {robot} --plot {} {at}", folder.shown("out.svg"))).fine();
        folder.text("out.svg")
    };
    assert_ne!(drawn("puma560", ""), drawn("puma560", "--at 0,-1,0,0.5,0,0"));
    // A robot without size or mass: nothing to measure the drawing by.
    let robot =
        "name = 'a<b & c'\nframes = 'modified-dh'\njoints = [['j', 'revolute', 0, 0, 'q', 0]]\n[body.j]\nmass = 0.0";
    let svg = drawn(&folder.write("robot.toml", robot), "");
    assert!(svg.contains("a&lt;b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn wrong_coordinates_and_places_are_refused() {
    appell("show puma560 --at 0,1").refused_with(&["2 numbers", "6 joints"]);
    appell("show two-link --at 0,x").refused_with(&["--at", "a coordinate is a number"]);
    appell("show two-link --at 0,inf").refused_with(&["--at", "a coordinate is a number"]);
    appell("show stanford --at 0,0,1e308,0,0,0 --plot x.svg").refused_with(&["--at", "at most 1e9"]);
    appell("show puma560 --plot /nowhere/robot.svg").refused_with(&["cannot write /nowhere/robot.svg"]);
}

#[test]
fn only_questions_that_the_robot_can_answer_are_shown() {
    let questions = |robot: &str| -> Vec<(String, bool)> {
        let value = json(&appell(&format!("show {robot} --json")).fine());
        let of = |question: &serde_json::Value| {
            let has_method = !question["methods"].as_array().unwrap().is_empty();
            (
                question["name"].as_str().unwrap().to_owned(),
                has_method && !question["answers"].as_array().unwrap().is_empty(),
            )
        };
        value["questions"].as_array().unwrap().iter().map(of).collect()
    };
    for (robot, can, cannot) in [
        ("two-link", "gibbs-function", "platform"),
        ("gough-stewart", "platform", "gibbs-function"),
        ("four-bar", "actuated", "platform"),
    ] {
        let questions = questions(robot);
        let has = |name: &str| questions.iter().any(|(own, _)| own == name);
        assert!(has(can) && !has(cannot) && questions.iter().all(|(_, answered)| *answered), "{robot}: {questions:?}");
        let text = appell(&format!("show {robot}")).fine();
        assert!(text.contains(&format!("  {can} ")) && !text.contains(&format!("  {cannot} ")), "{text}");
    }
}

/// Followers have no degrees of freedom of their own.
#[test]
fn degrees_of_freedom_are_those_of_the_coupled_robot() {
    let folder = Folder::new();
    let arm = "name = \"arm\"\nframes = \"khalil-kleinfinger\"\njoints = [[\"a\", \"spherical\", \"base\", 0, 0, 0, 0, 0, 0], [\"b\", \
               \"revolute\", \"a\", 0, 0, 0, 0.3, \"q\", 0], [\"c\", \"revolute\", \"b\", 0, 0, 0, 0.3, \"q\", 0]]\njoint.c.mimic = { joint = \
               \"b\" }\nbody.a = { mass = 0 }\nbody.b = { mass = 0 }\nbody.c = { mass = 0 }\n";
    let text = appell(&format!("show {}", folder.write("arm.toml", arm))).done();
    contains(&text, &["2 joints move independently, with 4 degrees of freedom; c follows b"]);
}
