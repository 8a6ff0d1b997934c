//! Any text is read as a model of MuJoCo without panic, and what is read is a robot.
#![no_main]

use appell::description::{check, mjcf};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = mjcf::with_includes(text, |_| Ok::<_, String>(text.into()));
    if let Ok((robot, ..)) = mjcf::read(text, "model") {
        assert_eq!(check(&robot).errors(), 0);
    }
});
