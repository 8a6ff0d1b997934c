//! Any text is read as a model of Gazebo without panic, and what is read is a robot.
#![no_main]

use appell::description::urdf::Options;
use appell::description::{check, sdf};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for floating_base in [false, true] {
        if let Ok((robot, ..)) = sdf::read(text, Options { floating_base }) {
            assert_eq!(check(&robot).errors(), 0);
        }
    }
});
