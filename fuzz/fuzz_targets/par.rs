//! Any text is read as a file of SYMORO without panic; what is read is a robot, and can be written and read again.
#![no_main]

use appell::description::{check, par};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok((robot, _)) = par::read(text, "robot") {
        assert_eq!(check(&robot).errors(), 0);
        if let Ok((text, _)) = par::write(&robot) {
            par::read(&text, "robot").unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        }
    }
});
