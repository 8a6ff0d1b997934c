//! Models of simulators against the simulators' own numbers: see scripts/simulators.py.
//!
//! Our own small models are always compared. Those of others are in packages of PyPI; where `APPELL_MODELS` names the folder
//! in which these are unpacked, all of them are compared, else their numbers are passed over, which the test says.

use crate::common::{assert_close, numbers};
use appell::description::{Description, mjcf, sdf, urdf};
use appell::dynamics::{composite_body, newton_euler};
use appell::mechanism::Mechanism;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const TOLERANCE: f64 = 1e-10;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

/// The model of a file, with what it includes.
fn read_mjcf(path: &Path) -> Description {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let text = read(path).unwrap_or_else(|error| panic!("{error}"));
    let folder = path.parent().unwrap();
    let whole = mjcf::with_includes(&text, |file| read(&folder.join(file)))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    mjcf::read(&whole, "").unwrap_or_else(|problems| panic!("{}\n{problems}", path.display())).0
}

/// Asserts that τ and M w are those of the simulator; joint k of it is `order[k]` of ours.
fn compare(mut description: Description, golden: &Value, label: &str) {
    // Coulomb friction is a constraint of the simulators', which their inverse dynamics was asked without.
    description.joints.iter_mut().for_each(|joint| joint.effects.friction.coulomb = 0.0);
    description.closures.clear();
    let robot = Mechanism::new(&description).unwrap_or_else(|problems| panic!("{label}: {problems}"));
    let place = |name: &Value| robot.joint_names().iter().position(|own| own == name.as_str().unwrap()).unwrap();
    let names = golden["names"].as_array();
    let order = names.map_or_else(|| Vec::from_iter(0..robot.dof()), |names| names.iter().map(place).collect());
    let ours = |theirs: Vec<f64>| -> Vec<f64> {
        let mut ours = vec![f64::NAN; robot.dof()];
        assert_eq!(theirs.len(), ours.len(), "{label}");
        order.iter().zip(theirs).for_each(|(&k, x)| ours[k] = x);
        ours
    };
    for state in golden["states"].as_array().unwrap() {
        let get = |key: &str| ours(numbers(&state[key]));
        let (q, v, a, w) = (get("q"), get("v"), get("a"), get("w"));
        let mut ws = newton_euler::Workspace::new(&robot);
        let tau = newton_euler::inverse_dynamics(&robot, &mut ws, &q, &v, &a).to_vec();
        assert_close(&tau, &get("tau"), TOLERANCE, &format!("{label}: tau"));
        let mut ws = composite_body::Workspace::new(&robot);
        let inertia = composite_body::inertia_matrix(&robot, &mut ws, &q);
        let row_times = |row: &[f64]| row.iter().zip(&w).map(|(m, w)| m * w).sum();
        let product: Vec<f64> = inertia.chunks(robot.dof()).map(row_times).collect();
        assert_close(&product, &get("Mw"), TOLERANCE, &format!("{label}: M"));
    }
}

/// All models of a format whose numbers are known, and where they are; those that are not there are named.
fn models(format: &str) -> Vec<(PathBuf, Value)> {
    let public = std::env::var_os("APPELL_MODELS").map(PathBuf::from);
    let (mut found, mut passed_over) = (Vec::new(), Vec::new());
    let golden = fs::read_dir(folder("golden").join(format)).unwrap();
    let mut golden: Vec<PathBuf> = golden.map(|file| file.unwrap().path()).collect();
    golden.sort();
    for file in golden {
        let golden: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let model = golden["model"].as_str().unwrap();
        match &public {
            _ if !model.contains('/') => found.push((folder("data").join(format).join(model), golden)),
            Some(public) => found.push((public.join(model), golden)),
            None => passed_over.push(model.to_owned()),
        }
    }
    if !passed_over.is_empty() {
        println!("passed over, for want of APPELL_MODELS: {}", passed_over.join(", "));
    }
    assert!(!found.is_empty());
    found
}

#[test]
fn mjcf_models_agree_with_mujoco() {
    for (path, golden) in models("mjcf") {
        let is_quaternion = |kind: &Value| kind == "free" || kind == "ball";
        if golden["joints"].as_array().unwrap().iter().any(is_quaternion) {
            continue;
        }
        compare(read_mjcf(&path), &golden, &path.display().to_string());
    }
}

#[test]
fn sdf_models_agree_with_drake() {
    for (path, golden) in models("sdf") {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let read = sdf::read(&text, urdf::Options::default());
        let (mut robot, ..) = read.unwrap_or_else(|problems| panic!("{}\n{problems}", path.display()));
        robot.gravity = [0, 1, 2].map(|k| golden["gravity"][k].as_f64().unwrap()).into();
        compare(robot, &golden, &path.display().to_string());
    }
}
