//! What a run leaves behind: record, events and MCAP, the same from `simulate` and from `run` in lockstep.

use super::simulate::scenario;
use super::{Folder, appell, contains, json, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A computer whose outputs are weak, and a motor that becomes too hot.
const WIRES: &str = "[loop]\nperiod = 1e-3\nencoder = { counts = 4000, gear = 50.0 }\noutput = { torque_per_volt = 10.0, limit = 8.0 }\n\
                     grippers = [[0.1, 0.2]]\n[loop.joint.quill]\nover_temperature = { at = 0.35 }\n";

/// The columns of a table by their names; cells that are empty are NaN.
fn columns(table: &str) -> BTreeMap<String, Vec<f64>> {
    let names: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let mut columns: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), names.len(), "{line}");
        for (name, cell) in names.iter().zip(cells) {
            columns.entry((*name).to_owned()).or_default().push(cell.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

/// Time, topic, schema and message of all messages of a file, in its order.
fn messages(bytes: &[u8]) -> Vec<(u64, String, String, Value)> {
    let read = |message: mcap::Message<'_>| {
        let schema = message.channel.schema.clone().unwrap();
        assert_eq!((schema.encoding.as_str(), message.channel.message_encoding.as_str()), ("jsonschema", "json"));
        let properties = json(std::str::from_utf8(&schema.data).unwrap())["properties"].clone();
        let value = json(std::str::from_utf8(&message.data).unwrap());
        for key in value.as_object().unwrap().keys() {
            assert!(properties.get(key).is_some(), "{key} of {} is not in its schema", message.channel.topic);
        }
        (message.log_time, message.channel.topic.clone(), schema.name.clone(), value)
    };
    mcap::MessageStream::new(bytes).unwrap().map(|message| read(message.unwrap())).collect()
}

/// Whether a number of a message is that of the table; serde_json rounds what it reads.
fn same(number: &Value, expected: f64) -> bool {
    number.as_f64().is_some_and(|number| (number - expected).abs() <= 1e-15 * expected.abs())
}

fn recorded(folder: &Folder, name: &str) -> Vec<(u64, String, String, Value)> {
    messages(&fs::read(folder.path(name)).unwrap())
}

#[test]
fn a_computer_leaves_what_it_measures_its_states_and_its_faults() {
    let folder = Folder::new();
    let text = scenario(WIRES).replace("natural_frequency = 20.0", "natural_frequency = 20.0, integral_root = 5.0");
    let trial = folder.write("trial.toml", &text);
    appell(&format!("simulate {trial} --out {}", folder.shown("out"))).ended(0, &["over-temperature"]);
    let table = columns(&folder.text("out/record.csv"));
    let t = &table["t"];
    for k in (0..t.len() - 1).filter(|&k| t[k] < 0.34) {
        assert!((table["measured_v1"][k] - table["v1"][k]).abs() < 0.2, "at {}", t[k]);
        assert!(table["fault"][k] == 0.0 && table["braked"][k] == 0.0);
    }
    assert!(table["own1"].iter().any(|own| *own != 0.0) && table.contains_key("own4"));
    assert_eq!((table["fault"].last(), table["braked"].last()), (Some(&1.0), Some(&1.0)));
    assert!(table["measured_v1"].last().unwrap().is_nan(), "at its end nothing is measured");

    let events = folder.text("out/events.csv");
    let kinds: Vec<&str> = events.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(
        (events.lines().next(), kinds[0], kinds.last()),
        (Some("t,kind,code,joint,value,limit,text"), "begin", Some(&"end"))
    );
    assert!(kinds.iter().filter(|kind| **kind == "gripper").count() == 2, "{events}");
    let of_shoulder = |kind: &str| events.lines().filter(|line| line.contains(&format!(",{kind},0,shoulder,"))).count();
    assert!(of_shoulder("saturation-begin") > 0 && of_shoulder("saturation-begin") == of_shoulder("saturation-end"));
    contains(&events, &[",fault,1,quill,", "over-temperature of the motor", ",brakes-on,0,,"]);

    let messages = recorded(&folder, "out/record.mcap");
    let of = |topic: &str| messages.iter().filter(|(_, own, ..)| own == topic).collect::<Vec<_>>();
    for (topic, schema, count) in [
        ("/joint_states", "sensor_msgs/JointState", t.len()),
        ("/wanted", "appell.Drives", t.len()),
        ("/errors", "appell.Drives", t.len()),
        ("/measured", "appell.Drives", t.len() - 1),
        ("/measured_v", "appell.Drives", t.len() - 1),
        ("/command", "appell.Drives", t.len() - 1),
        ("/own", "appell.Own", t.len()),
        ("/grippers", "appell.Grippers", t.len()),
        ("/safety", "appell.Safety", t.len()),
        ("/energy", "appell.Energy", t.len()),
        ("/events", "foxglove.Log", kinds.len()),
    ] {
        assert_eq!(of(topic).len(), count, "{topic}");
        assert!(of(topic).iter().all(|(_, _, own, _)| own == schema), "{topic}");
    }
    for (k, (time, _, _, state)) in of("/joint_states").into_iter().enumerate() {
        assert_eq!(*time, (t[k] * 1e9).round() as u64);
        assert_eq!(state["name"], serde_json::json!(["shoulder", "elbow", "quill", "wrist"]));
        let row = [("position", "q1"), ("velocity", "v1"), ("effort", "tau1")];
        assert!(row.iter().all(|(key, column)| same(&state[key][0], table[*column][k])), "{state}");
    }
    let fault = of("/events").into_iter().find(|(.., event)| event["name"] == "fault").unwrap();
    assert_eq!((fault.0, fault.3["level"].as_u64()), (350_000_000, Some(4)));
    contains(&folder.text("out/report.html"), &["href=\"events.csv\"", "href=\"record.mcap\""]);
}

/// Twist and errors of a platform, refereed by differences of its pose.
#[test]
fn a_platform_leaves_its_twist_and_its_errors() {
    let folder = Folder::new();
    let trial = repository("crates/appell-simulation/scenarios/hexapod-line.toml");
    appell(&format!("simulate {trial} --out {}", folder.shown("out"))).done();
    let table = columns(&folder.text("out/record.csv"));
    let rows = table["t"].len();
    let largest = |name: &str| table[name].iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    assert!(largest("error_pz") > 1e-6 && largest("error_rx") > 1e-7, "half the load is unknown");
    for k in 0..rows {
        for axis in ["x", "y", "z"] {
            let column = |name: &str| table[&format!("{name}{axis}")][k];
            assert!((column("p") - column("wanted_p") - column("error_p")).abs() < 1e-15);
            assert!((column("v") - column("wanted_v") - column("error_v")).abs() < 1e-15);
            assert!((column("w") - column("wanted_w") - column("error_w")).abs() < 1e-15);
            if 0 < k && k + 1 < rows {
                let moved = |name: &str| {
                    let (all, t) = (&table[&format!("{name}{axis}")], &table["t"]);
                    (all[k + 1] - all[k - 1]) / (t[k + 1] - t[k - 1])
                };
                assert!((moved("p") - column("v")).abs() < 2e-3, "v{axis} at row {k}");
                assert!((moved("error_r") - column("error_w")).abs() < 2e-3, "w{axis} at row {k}");
            }
        }
        // A small turn is twice the vector part of q q_wanted*.
        let [x, y, z, w] = ["qx", "qy", "qz", "qw"].map(|name| table[name][k]);
        let [a, b, c, d] = ["qx", "qy", "qz", "qw"].map(|name| table[&format!("wanted_{name}")][k]);
        let turn = [d * x - w * a - (y * c - z * b), d * y - w * b - (z * a - x * c), d * z - w * c - (x * b - y * a)];
        for (half, axis) in turn.into_iter().zip(["x", "y", "z"]) {
            assert!((2.0 * half - table[&format!("error_r{axis}")][k]).abs() < 1e-9, "{axis} at row {k}");
        }
    }
    let messages = recorded(&folder, "out/record.mcap");
    let of = |topic: &str| messages.iter().filter(|(_, own, ..)| own == topic).collect::<Vec<_>>();
    for topic in
        ["/platform", "/platform_twist", "/wanted_platform", "/wanted_platform_twist", "/platform_errors", "/energy"]
    {
        assert_eq!(of(topic).len(), rows, "{topic}");
    }
    for (k, (_, _, schema, pose)) in of("/platform").into_iter().enumerate() {
        assert_eq!((schema.as_str(), pose["frame_id"].as_str()), ("foxglove.PoseInFrame", Some("base")));
        assert!(same(&pose["pose"]["position"]["z"], table["pz"][k]));
        assert!(same(&pose["pose"]["orientation"]["w"], table["qw"][k]));
    }
    for (k, (.., errors)) in of("/platform_errors").into_iter().enumerate() {
        assert!(same(&errors["rotation"]["x"], table["error_rx"][k]));
        assert!(same(&errors["angular"]["y"], table["error_wy"][k]));
    }
}

/// In continuous time there are states of the law, and no computer; what drives follow has no errors of a platform.
#[test]
fn continuous_time_has_states_and_no_computer() {
    let folder = Folder::new();
    let text = scenario("").replace("natural_frequency = 20.0", "natural_frequency = 20.0, integral_root = 5.0");
    let trial = folder.write("trial.toml", text);
    appell(&format!("simulate {trial} --out {}", folder.shown("out"))).done();
    let table = columns(&folder.text("out/record.csv"));
    assert!(table.contains_key("own4") && !table.contains_key("measured_v1") && !table.contains_key("fault"));
    let wrist = repository("crates/appell-simulation/scenarios/wrist-pd.toml");
    appell(&format!("simulate {wrist} --out {}", folder.shown("wrist"))).done();
    let table = columns(&folder.text("wrist/record.csv"));
    assert!(table.contains_key("wz") && !table.contains_key("wanted_px") && !table.contains_key("error_px"));
}

/// What an earlier run has left goes.
#[test]
fn files_of_an_earlier_run_go() {
    let folder = Folder::new();
    let trial = folder.write("trial.toml", scenario(""));
    fs::create_dir(folder.path("out")).unwrap();
    for name in ["events.csv", "record.mcap", "frames.bin"] {
        folder.write(&format!("out/{name}"), "old");
    }
    appell(&format!("simulate {trial} --out {}", folder.shown("out"))).done();
    assert!(!folder.has("out/frames.bin") && folder.text("out/events.csv").ends_with("\"the end\"\n"));
    assert!(!recorded(&folder, "out/record.mcap").is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_in_lockstep_leaves_the_same_as_a_simulation() {
    let folder = Folder::new();
    folder.write("hot.toml", scenario(WIRES));
    let built_in = |name: &str| repository(&format!("crates/appell-simulation/scenarios/{name}.toml"));
    for trial in [built_in("puma-tool"), built_in("hexapod-line"), folder.shown("hot.toml")] {
        appell(&format!("simulate {trial} --out {}", folder.shown("simulated")));
        appell(&format!("run {trial} --lockstep --plant --out {}", folder.shown("run")));
        for name in ["record.csv", "events.csv"] {
            let [one, other] = ["simulated", "run"].map(|out| folder.text(&format!("{out}/{name}")));
            assert!(one == other && one.lines().count() > 2, "{name} of {trial}");
        }
        // A stream is cut into other chunks.
        let [one, other] = ["simulated", "run"].map(|out| recorded(&folder, &format!("{out}/record.mcap")));
        assert!(one == other, "record.mcap of {trial}");
    }
}
