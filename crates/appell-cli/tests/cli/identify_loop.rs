//! IDIM-IV through the program: a recording of a robot in a closed loop, and the loop itself.

use super::{Folder, appell, json};

const ARM: &str = include_str!("../../../../tests/data/planar-arm.toml");

const LOOP: &str = r#"
robot = "arm.toml"
[reference]
kind = "fourier"
offset = [-1.2, 0.4]
sin = [[0.5, 0.1, -0.15], [-0.4, 0.3, 0.1]]
cos = [[-0.2, 0.3, 0.1], [0.3, -0.2, 0.2]]
frequency = 0.5
periods = 4
[controller]
law = "pd"
kp = [1500, 400]
kd = [60, 15]
[loop]
period = 1e-3
encoder = { counts = 20000, gear = 1.0 }
speed = { by = "difference", cutoff = 400.0 }
[run]
record = 1e-3
"#;

const LAYOUT: &str = r#"
time.column = "t"
position.columns = ["measured1", "measured2"]
effort.columns = ["command1", "command2"]
filter.cut_off = 60
"#;

/// Base parameters of the lower body and its friction: m x, m y, Izz + m (x² + y²), Fv.
const TRUTH: [(&str, f64); 4] = [("MX2", 0.3), ("MY2", -0.02), ("ZZ2", 0.0652), ("Fv2", 0.3)];

#[test]
fn a_scenario_of_the_loop_removes_the_bias_of_its_encoders() {
    let folder = Folder::new();
    let guess = ARM.replace("mass = 4.0", "mass = 5.0").replace("mass = 2.0", "mass = 2.6");
    let ideal = LOOP.replace("encoder = { counts = 20000, gear = 1.0 }", "");
    let short = ideal.replace("periods = 4", "periods = 3");
    for (name, text) in [
        ("arm.toml", ARM),
        ("guess.toml", &guess),
        ("loop.toml", LOOP),
        ("ideal.toml", &ideal),
        ("short.toml", &short),
        ("layout.toml", LAYOUT),
    ] {
        folder.write(name, text);
    }
    appell(&format!("simulate {} --out {}", folder.shown("loop.toml"), folder.shown("record"))).done();
    let command =
        "guess.toml --data record/record.csv --layout layout.toml --effects viscous --border 0.4 --json --method";
    // How many σ each parameter is off.
    let off = |method: &str| -> Vec<f64> {
        let answer = json(&folder.identify(&format!("{command} {method}")).done());
        let parameters = answer["parameters"].as_array().unwrap();
        let of = |(name, truth): (&str, f64)| {
            let found = parameters.iter().find(|found| found["name"] == name).unwrap();
            (found["value"].as_f64().unwrap() - truth) / found["sigma"].as_f64().unwrap()
        };
        TRUTH.into_iter().map(of).collect()
    };
    let (plain, simulated) = (off("weighted"), off("instruments --scenario ideal.toml"));
    assert!(plain.iter().any(|off| off.abs() > 4.0), "{plain:?}");
    assert!(simulated.iter().all(|off| off.abs() < 2.5), "{simulated:?}");
    let command = command.replace(" --json", "");
    let refused = |scenario: &str, parts: &[&str]| {
        folder.refuses(&format!("{command} instruments --scenario {scenario}"), parts);
    };
    refused("short.toml", &["short.toml: it lasts from 0 to 6 s", "the whole recording"]);
    refused("layout.toml", &["layout.toml is not a scenario"]);
    refused("ideal.toml ideal.toml", &["2 scenarios for 1 recording"]);
    refused("loop.toml", &["did not converge", "without the encoders' counts"]);
}
