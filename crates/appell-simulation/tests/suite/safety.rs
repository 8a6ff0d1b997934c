//! What a scenario watches: for every fault one that provokes it and no other, which ends at rest in the time that it
//! states, and runs through without the provocation.

use appell::Robot;
use appell_simulation::control::sampled::{FaultKind, Trip};
use appell_simulation::scenario::Scenario;
use core::ops::ControlFlow;

/// From a fault to rest, s.
const REST_WITHIN: f64 = 0.25;

/// A SCARA that is watched in every way.
const SCARA: &str = r#"
robot = "scara"
duration = 0.8
plant.scale = 1.1
reference = { kind = "joints", to = [1.0, 0.5, 0.1, 0.2], time = 0.3 }
controller = { law = "computed-torque", natural_frequency = 20.0 }
[loop]
period = 1e-3
delay = 0.5
encoder = { counts = 4000, gear = 50.0 }
speed = { by = "difference", cutoff = 500.0 }
brakes = { stiffness = [5e4, 5e4, 5e4, 50.0], damping = [1200.0, 1200.0, 1200.0, 0.25] }
# of the robot
[loop.joint.elbow]
# of the elbow
[safety]
position = "robot"
velocity = 8.0
effort = [300.0, 200.0, 300.0, 50.0]
tracking = 0.05
range = 0.2
jump = 20.0
frozen = { samples = 10, travel = 0.02 }
braking = { time = 0.1, damping = [4.0, 2.0, 40.0, 0.02] }
rest_within = 0.25
[run]
stop_at = []
"#;

/// A platform on six legs.
const HEXAPOD: &str = r#"
robot = "gough-stewart"
duration = 0.5
plant = { payload = { mass = 20.0, com = [0, 0, 0.15], inertia = { xx = 0.4, yy = 0.4, zz = 0.3 } } }
reference = { kind = "line", to = [0.05, -0.03, 0.8, "4 deg", 0, "6 deg"], time = 0.3 }
controller = { law = "platform-torque", natural_frequency = 30.0 }
[loop]
period = 1e-3
encoder = { counts = 8192, lead = 0.005 }
speed = { by = "difference", cutoff = 800.0 }
brakes = { stiffness = 1e7, damping = 5e4 }
# of the robot
[loop.joint."leg2.slide"]
# of the leg
[safety]
velocity = 1.0
effort = 3000.0
tracking = 0.02
jump = 2.0
frozen = { samples = 20, travel = 0.002 }
braking = { time = 0.1, damping = 2000.0 }
rest_within = 0.25
"#;

fn robot(name: &str) -> Robot {
    let text = include_str!("../../../appell/robots/scara.toml");
    let limits = "\nlimits = { lower = -2.0, upper = 2.0 }\n";
    let joints = ["shoulder", "elbow", "quill", "wrist"].map(|joint| format!("[joint.{joint}]{limits}"));
    if name == "scara" {
        Robot::from_toml(&(text.to_owned() + &joints.concat())).unwrap()
    } else {
        Robot::builtin(name).unwrap()
    }
}

/// How a run went.
struct Watched {
    trip: Option<Trip>,
    /// Samples under torques of the stop, and those under the brakes.
    braking: [usize; 2],
    /// When it moved for the last time, s.
    moved: f64,
}

fn run(text: &str) -> Watched {
    let scenario = Scenario::read(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let robot = robot(&scenario.robot);
    let prepared = scenario.prepare(&robot).unwrap();
    let (mut plant, mut law) = (prepared.plant().unwrap(), prepared.law().unwrap());
    let (mut braking, mut moved) = ([0; 2], 0.0);
    let outcome = prepared.sampled_loop().unwrap().run(&mut *plant, &mut *law, 0.0, prepared.duration(), |now| {
        let by_torque = now.commanded.iter().any(|effort| *effort != 0.0);
        if now.trip.is_some() {
            braking[usize::from(!by_torque)] += 1;
            assert!(!by_torque || braking[1] == 0, "torques come before the brakes");
        }
        if now.truth.v.iter().any(|v| v.abs() > 1e-3) {
            moved = now.truth.t;
        }
        ControlFlow::Continue(())
    });
    assert_eq!(outcome.motion.stop, None);
    Watched { trip: outcome.trip, braking, moved }
}

/// Asserts what a provocation does: a line of the scenario in place of another.
#[track_caller]
fn provoked(text: &str, kind: FaultKind, joint: &str, [from, to]: [&str; 2]) {
    assert!(text.contains(from), "{from}");
    let Watched { trip, braking: [by_torque, by_brake], moved } = run(&text.replacen(from, to, 1));
    let trip = trip.unwrap_or_else(|| panic!("nothing was found: {kind:?}"));
    assert_eq!((trip.fault.kind, trip.joint.as_str()), (kind, joint), "{trip}");
    assert!(trip.to_string().contains(&format!("(fault {})", kind.code())));
    assert!(moved - trip.t < REST_WITHIN, "{kind:?}: it moves until {moved} s; {trip}");
    // Where the sensors cannot be believed the brakes come at once.
    assert_eq!(by_torque > 1, kind.can_brake_by_torque(), "{kind:?}: {by_torque} periods");
    assert!(by_torque <= 101 && by_brake > 100, "{kind:?}: {by_torque} and {by_brake}");
}

#[test]
fn every_fault_of_a_scenario_stops_the_robot() {
    let of_elbow = |line| ["# of the elbow", line];
    for (kind, joint, provocation) in [
        (FaultKind::OverTemperature, "elbow", of_elbow("over_temperature = { at = 0.2 }")),
        (FaultKind::EmergencyStop, "", ["# of the robot", "emergency_stop = { at = 0.15 }"]),
        (
            FaultKind::Position,
            "shoulder",
            ["to = [1.0, 0.5, 0.1, 0.2], time = 0.3", "to = [2.1, 0.5, 0.1, 0.2], time = 0.6"],
        ),
        (FaultKind::Velocity, "shoulder", ["time = 0.3", "time = 0.2"]),
        (FaultKind::Effort, "shoulder", ["effort = [300.0", "effort = [20.0"]),
        (FaultKind::Tracking, "shoulder", ["plant.scale = 1.1", "plant.scale = 5.0"]),
        (FaultKind::SensorNotFinite, "elbow", of_elbow("sensor_fault = { at = 0.1, kind = \"nan\" }")),
        (FaultKind::SensorRange, "elbow", of_elbow("sensor_fault = { at = 0.1, kind = \"offset\", by = 3.5 }")),
        (FaultKind::SensorJump, "elbow", of_elbow("sensor_fault = { at = 0.1, kind = \"offset\", by = 0.05 }")),
        (FaultKind::SensorFrozen, "elbow", of_elbow("sensor_fault = { at = 0.1, kind = \"frozen\" }")),
    ] {
        provoked(SCARA, kind, joint, provocation);
    }
    let through = run(SCARA);
    assert_eq!((through.trip, through.braking), (None, [0; 2]));
}

#[test]
fn parallel_robots_are_watched_by_their_drives() {
    let of_leg = |line| ["# of the leg", line];
    for (kind, joint, provocation) in [
        (FaultKind::EmergencyStop, "", ["# of the robot", "emergency_stop = { at = 0.15 }"]),
        (FaultKind::OverTemperature, "leg2.slide", of_leg("over_temperature = { at = 0.1 }")),
        (FaultKind::Velocity, "leg3.slide", ["velocity = 1.0", "velocity = { \"leg3.slide\" = 0.02 }"]),
        (FaultKind::SensorNotFinite, "leg2.slide", of_leg("sensor_fault = { at = 0.1, kind = \"nan\" }")),
        (FaultKind::SensorJump, "leg2.slide", of_leg("sensor_fault = { at = 0.1, kind = \"offset\", by = 0.005 }")),
        (FaultKind::SensorFrozen, "leg2.slide", of_leg("sensor_fault = { at = 0.1, kind = \"frozen\" }")),
    ] {
        provoked(HEXAPOD, kind, joint, provocation);
    }
    assert_eq!(run(HEXAPOD).trip, None);
}

/// Without brakes a stop is torques alone, and then the robot is without power.
#[test]
fn what_is_not_watched_is_not_found() {
    for line in ["tracking = 0.05\n", "jump = 20.0\n", "frozen = { samples = 10, travel = 0.02 }\n"] {
        assert!(SCARA.contains(line));
    }
    let blind: String = SCARA.split("[safety]").next().unwrap().to_owned() + "[run]\nstop_at = []\n";
    let off = blind.replace("# of the elbow", "sensor_fault = { at = 0.2, kind = \"offset\", by = 0.05 }");
    assert_eq!(run(&off).trip, None);
    // What is not a number is found by everybody.
    let broken = blind.replace("# of the elbow", "sensor_fault = { at = 0.2, kind = \"nan\" }");
    assert_eq!(run(&broken).trip.unwrap().fault.kind, FaultKind::SensorNotFinite);
}
