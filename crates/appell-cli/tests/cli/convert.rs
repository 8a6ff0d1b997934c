//! `appell convert`: formats, conventions, what is lost and what is refused.

use super::{appell, json};
use std::fs;
use std::path::PathBuf;

/// A folder for the files of one test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.shown(name)
    }
}

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
    let answer = super::compute(&format!("inverse-dynamics {robot}"), STATES).fine();
    let row = answer.lines().nth(1).unwrap();
    row.split(',').map(|number| number.parse().unwrap()).collect()
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
        let path = if name == "h.table" { folder.write("h.csv", &fs::read_to_string(path).unwrap()) } else { path };
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
    let csv = fs::read_to_string(folder.path("d.csv")).unwrap();
    assert!(csv.starts_with("modified-dh,type,alpha,a,theta,d,mass,com.x"), "{csv}");
}

#[test]
fn stdout_is_toml_unless_told_otherwise() {
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
fn what_is_lost_is_told() {
    let folder = Folder::new();
    let path = folder.shown("scara.csv");
    let refused = appell(&format!("convert scara {path}"));
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("--lossy") && refused.stderr.contains("frame.tool"), "{}", refused.stderr);
    assert!(!folder.path("scara.csv").exists());
    let run = appell(&format!("convert scara {path} --lossy"));
    assert_eq!(run.code, 0);
    assert_eq!(run.stderr, "scara: warning: frame.tool: is left out: a table of joints has no place for it\n");
}

#[test]
fn what_cannot_be_expressed_is_refused_with_the_reason() {
    let folder = Folder::new();
    let tree = folder.write("tree.toml", TREE);
    for (out, to) in [("x.toml", "standard-dh"), ("x.csv", "modified-dh")] {
        let run = appell(&format!("convert {tree} {} --to {to}", folder.shown(out)));
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains("refused: a Denavit-Hartenberg table is a chain, but `right` hangs on `column`"));
        assert!(!folder.path(out).exists());
    }
    let run = appell(&format!("convert {tree} - --to standard-dh --json"));
    assert_eq!((run.code, &json(&run.stdout)["converted"]), (1, &false.into()));
    appell(&format!("convert {tree} {}", folder.shown("tree.md"))).fine();
}

#[test]
fn wrong_use_and_input_are_told() {
    let folder = Folder::new();
    let unknown = folder.shown("x.xyz");
    appell(&format!("convert puma560 {unknown}")).refused_with(&["x.xyz", "toml, urdf, csv, md", "--to"]);
    appell("convert pumma -").refused_with(&["`pumma`"]);
    let csv = folder.write("bad.csv", "modified-dh,type,alpha,a,theta,d\narm,revolute,0,0,0,0\n");
    appell(&format!("convert {csv} -")).refused_with(&["bad.csv", "line 2: error: joints.arm.theta", "write \"q\""]);
    let run = appell(&format!("check {csv}"));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("line 2: error: joints.arm.theta"), "{}", run.stdout);
    assert_eq!(appell("convert puma560 - --to dh").code, 2);
}

#[test]
fn closed_robots_are_converted_to_toml_alone() {
    let folder = Folder::new();
    let robot = concat!(env!("CARGO_MANIFEST_DIR"), "/../appell/robots/five-bar.toml");
    let [copy, again] = ["copy.toml", "again.toml"].map(|name| folder.shown(name));
    appell(&format!("convert {robot} {copy}")).fine();
    appell(&format!("convert {copy} {again}")).fine();
    assert_eq!(fs::read_to_string(copy).unwrap(), fs::read_to_string(again).unwrap());
    for (file, to) in [("x.urdf", ""), ("x.csv", ""), ("x.toml", "--to modified-dh")] {
        let refused = appell(&format!("convert {robot} {} {to}", folder.shown(file)));
        assert_eq!(refused.code, 1);
        assert!(refused.stderr.contains("by left.end, right.end; keep .toml"), "{}", refused.stderr);
        assert!(!folder.path(file).exists());
    }
}
