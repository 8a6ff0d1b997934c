//! Any text is read as a robot's table without panic, and what is read is a robot.
#![no_main]

use appell::closed::ClosedMechanism;
use appell::description::toml;
use appell::mechanism::Mechanism;

/// Larger robots with closed loops take long to assemble.
const MOST_JOINTS: usize = 24;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok((robot, _)) = toml::read(text) {
        if !robot.is_closed() {
            Mechanism::new(&robot).expect("the reader has checked it");
        } else if robot.joints.len() <= MOST_JOINTS {
            // It may be impossible to assemble, or to move.
            let _ = ClosedMechanism::new(&robot);
        }
    }
});
