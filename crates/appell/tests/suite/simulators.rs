//! Models of simulators against the simulators' own numbers: see scripts/simulators.py.
//!
//! Our own small models are always compared. Those of others are in packages of PyPI; where `APPELL_MODELS` names the folder
//! in which these are unpacked, all of them are compared, else their numbers are passed over, which the test says.

use crate::common::{assert_close, numbers};
use appell::description::{Description, mjcf};
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

/// The largest differences of τ and M w from those of the simulator.
fn compare(mut description: Description, golden: &Value, label: &str) {
    // Coulomb friction is a constraint of MuJoCo's, which its inverse dynamics was asked without.
    description.joints.iter_mut().for_each(|joint| joint.effects.friction.coulomb = 0.0);
    description.closures.clear();
    let robot = Mechanism::new(&description).unwrap_or_else(|problems| panic!("{label}: {problems}"));
    for state in golden["states"].as_array().unwrap() {
        let get = |key: &str| numbers(&state[key]);
        let (q, v, a, w) = (get("q"), get("v"), get("a"), get("w"));
        let mut ws = newton_euler::Workspace::new(&robot);
        let tau = newton_euler::inverse_dynamics(&robot, &mut ws, &q, &v, &a).to_vec();
        assert_close(&tau, &get("tau"), TOLERANCE, &format!("{label}: tau"));
        let mut ws = composite_body::Workspace::new(&robot);
        let inertia = composite_body::inertia_matrix(&robot, &mut ws, &q);
        let product: Vec<f64> =
            inertia.chunks(robot.dof()).map(|row| row.iter().zip(&w).map(|(m, w)| m * w).sum()).collect();
        assert_close(&product, &get("Mw"), TOLERANCE, &format!("{label}: M"));
    }
}

#[test]
fn mjcf_models_agree_with_mujoco() {
    let models = std::env::var_os("APPELL_MODELS").map(PathBuf::from);
    let (mut compared, mut passed_over) = (0, Vec::new());
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder("golden/mjcf")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files {
        let golden: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let model = golden["model"].as_str().unwrap();
        let has_quaternions = golden["joints"].as_array().unwrap().iter().any(|kind| kind == "free" || kind == "ball");
        let path = match &models {
            _ if !model.contains('/') => folder("data/mjcf").join(model),
            Some(models) if !has_quaternions => models.join(model),
            _ => {
                passed_over.push(model.to_owned());
                continue;
            }
        };
        compare(read_mjcf(&path), &golden, model);
        compared += 1;
    }
    println!("{compared} models compared; passed over, for want of APPELL_MODELS: {}", passed_over.join(", "));
    assert!(compared > 0);
}
