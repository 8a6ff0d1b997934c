//! Nothing in the loop differs between a simulation in one place and two sides that talk, whatever happens on the way.

use super::support::{LOCKSTEP, both, faithful, puma, simulated};
use std::collections::VecDeque;

const HEXAPOD: &str = r#"
robot = "gough-stewart"
duration = 0.2
plant = { payload = { mass = 20.0, com = [0, 0, 0.15], inertia = { xx = 0.4, yy = 0.4, zz = 0.3 } } }
reference = { kind = "line", to = [0.02, -0.01, 0.8, "2 deg", 0, "3 deg"], time = 0.15 }
controller = { law = "platform-torque", natural_frequency = 30.0 }
[loop]
period = 1e-3
delay = 1.0
encoder = { counts = 8192, lead = 0.005 }
speed = { by = "difference", cutoff = 800.0 }
grippers = [[0.05, 0.1]]
"#;

#[test]
fn both_sides_compute_what_one_place_does() {
    for text in [puma(""), puma("[loop.joint.elbow]\nover_temperature = { at = 0.2 }"), HEXAPOD.to_owned()] {
        let (served, ended, logged) = both(&text, LOCKSTEP, faithful, faithful);
        assert_eq!(logged, simulated(&text), "{text}");
        assert!(served.stop.is_none() && served.without_outputs == 0 && ended.reason.is_none());
        assert_eq!(ended.trip.is_some(), text.contains("over_temperature"));
    }
}

/// Frames that are lost are sent again, those that come twice or late are not taken twice.
#[test]
fn lost_doubled_and_late_frames_change_nothing() {
    let text = puma("");
    let expected = simulated(&text);
    let mut k = 0;
    let drops = move |bytes: &[u8]| {
        k += 1;
        if k % 50 == 7 { Vec::new() } else { vec![bytes.to_vec()] }
    };
    let (served, _, logged) = both(&text, LOCKSTEP, drops, drops);
    assert_eq!(logged, expected, "dropped");
    assert!(served.braked.is_none());

    let doubles = |bytes: &[u8]| vec![bytes.to_vec(); 2];
    let (served, ended, logged) = both(&text, LOCKSTEP, doubles, doubles);
    assert_eq!(logged, expected, "doubled");
    assert!(served.health.stale > 100 && ended.health.stale > 100);

    // Every frame arrives, and three old ones after it.
    let mut last = VecDeque::new();
    let late = move |bytes: &[u8]| {
        last.push_front(bytes.to_vec());
        last.truncate(4);
        last.iter().cloned().collect()
    };
    let (_, _, logged) = both(&text, LOCKSTEP, late.clone(), late);
    assert_eq!(logged, expected, "late");

    let mut k = 0_usize;
    let damages = move |bytes: &[u8]| {
        k += 1;
        let mut damaged = bytes.to_vec();
        damaged[(31 * k) % bytes.len()] ^= 4;
        if k % 40 == 3 { vec![damaged, bytes.to_vec()] } else { vec![bytes.to_vec()] }
    };
    let (served, ended, logged) = both(&text, LOCKSTEP, damages, damages);
    assert_eq!(logged, expected, "damaged");
    assert!(served.health.corrupt > 5 && ended.health.corrupt > 5);
}
