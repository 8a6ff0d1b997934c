//! Any text is read as a robot's table without panic, and what is read is a robot.
#![no_main]

use appell::description::toml;
use appell::mechanism::Mechanism;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok((robot, _)) = toml::read(text) {
        Mechanism::new(&robot).expect("the reader has checked it");
    }
});
