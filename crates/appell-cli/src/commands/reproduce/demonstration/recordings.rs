//! The recordings of the demonstration: scenarios, and what their recorder keeps.

use anyhow::{Result, anyhow, ensure};
use appell::Robot;
use appell_identification::identified::Source;
use appell_identification::identify::Table;
use appell_simulation::scenario::{Scenario, Watch, recorded_columns};
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;

/// What all have in common.
const ARM: &str = include_str!("arm.toml");

/// Found by `appell excite puma560 --velocity 1.5,1.2,1.8,2.5,2.5,3 --acceleration 5,4,6,12,12,15 --starts 4 --hops 4`, stopped after some
/// minutes, and rounded.
const EXCITING: &str = r#"
[reference]                                # a motion that excites, twice
kind = "fourier"
frequency = 0.1                            # Hz
periods = 2
from_rest = true
offset = [0.071, 0.747, -0.255, 0.552, -0.064, 0.221]
sin = [
  [-0.408, -0.258,  0.266,  0.016,  0.012],
  [ 1.033, -0.671, -0.052,  0.105,  0.009],
  [ 0.161, -0.251,  0.045, -0.232,  0.227],
  [ 1.525,  0.025, -0.092, -0.210, -0.092],
  [ 0.074, -0.066, -0.092, -0.271,  0.283],
  [ 0.898,  1.188, -0.133, -0.332, -0.310],
]
cos = [
  [-0.077, -0.138, -0.181, -0.147,  0.185],
  [-0.038, -0.067, -0.027,  0.017,  0.011],
  [-0.200,  0.099,  0.188, -0.015, -0.066],
  [ 0.326,  0.826, -0.043, -0.369,  0.106],
  [ 0.044,  0.124, -0.471,  0.134,  0.062],
  [ 0.835, -0.259, -0.092,  0.353, -0.185],
]
"#;

const OTHER: &str = r#"
[reference]                                # another motion, from point to point
kind = "spline"
points = [
  [ 0.0,  0.0,  0.0,  0.0,  0.0,  0.0,  0.0],
  [ 1.5,  0.8, -0.6,  0.5, -0.7,  0.6,  0.9],
  [ 3.0, -0.4,  0.5, -0.6,  0.8, -0.5, -1.0],
  [ 4.5, -1.0,  0.9,  0.3, -0.3,  0.9,  0.4],
  [ 6.0,  0.3,  0.2,  0.9,  1.1, -0.8,  1.2],
  [ 7.5,  1.1, -0.5, -0.4, -1.0,  0.4, -0.6],
  [ 9.0,  0.2,  0.7, -0.8,  0.5,  0.7, -1.1],
  [10.5, -0.7, -0.3,  0.6, -0.6, -0.9,  0.8],
  [12.0,  0.0,  0.0,  0.0,  0.0,  0.0,  0.0],
]
"#;

/// What the arm carries in the last recording, weighed and measured.
pub(super) const PAYLOAD: &str = r#"
[plant.payload]                            # kg, m, kg m²
on = "wrist-yaw"
mass = 2.0
com = [0.02, -0.01, 0.08]
inertia = { xx = 4e-3, yy = 4e-3, zz = 2e-3 }
"#;

/// Its mass, kg.
pub(super) const PAYLOAD_MASS: f64 = 2.0;

/// The recordings: the first is fitted, the others are predicted.
pub(super) const NAMES: [&str; 3] = ["first", "second", "loaded"];

/// The scenario of a recording, as `appell simulate` takes it.
pub(super) fn scenario(name: &str) -> String {
    let ([first, second, _], base) = (NAMES, ARM);
    let (seed, motion) = if name == second { (2, OTHER) } else { (if name == first { 1 } else { 3 }, EXCITING) };
    let payload = if name == first || name == second { "" } else { PAYLOAD };
    let recorder = format!(
        "\n[recorder]                                 # stamps are uneven, rows are missing, and torques have noise\nrate = 200\njitter = 0.3\n\
         lost = 0.01\nnoise = [1.2, 2.4, 1.2, 0.18, 0.18, 0.12]    # N m\nseed = {seed}\n"
    );
    format!("name = {name:?}\n\n{base}{motion}{recorder}{payload}")
}

/// A recording, as its scenario's recorder makes it, and the arm as it is in truth.
pub(super) fn record(robot: &Robot, name: &str) -> Result<(Table, Robot)> {
    let wrong = |error: String| anyhow!("the demonstration's scenario {name}: {error}");
    let scenario = Scenario::read(&scenario(name)).map_err(|problems| wrong(problems.to_string()))?;
    let truth = scenario.prepare(robot).map_err(|error| wrong(error.to_string()))?.truth().clone();
    let names = recorded_columns(robot.drives().len());
    let mut columns: Vec<(String, Vec<f64>)> = names.into_iter().map(|name| (name, Vec::new())).collect();
    let take = |row: &[f64]| columns.iter_mut().zip(row).for_each(|((_, column), number)| column.push(*number));
    let watch = Watch { recorded: Some(Box::new(take)), ..Watch::default() };
    let outcome = scenario.play(robot, watch, |_| ControlFlow::Continue(()));
    let outcome = outcome.map_err(|error| wrong(error.to_string()))?;
    let stop = outcome.stop.map(|stop| stop.to_string());
    ensure!(stop.is_none(), wrong(stop.unwrap_or_default()));
    let mut hash = Sha256::new();
    columns.iter().flat_map(|(_, column)| column).for_each(|number| hash.update(number.to_le_bytes()));
    let source = Source { name: format!("{name}.csv"), hash: format!("sha256:{:x}", hash.finalize()) };
    Ok((Table { source, columns }, truth))
}
