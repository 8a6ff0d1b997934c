//! Any text is read as a URDF without panic; what is read is a robot, and can be written and read again.
#![no_main]

use appell::description::urdf::{self, Options};
use appell::mechanism::Mechanism;

libfuzzer_sys::fuzz_target!(|text: &str| {
    for floating_base in [false, true] {
        if let Ok((robot, _)) = urdf::read(text, Options { floating_base }) {
            if robot.is_closed() {
                continue;
            }
            Mechanism::new(&robot).expect("the reader has checked it");
            let (text, _) = urdf::write(&robot).expect("a robot can be written");
            let (again, _) =
                urdf::read(&text, Options::default()).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
            assert_eq!(again.joints.len(), robot.joints.len());
        }
    }
});
