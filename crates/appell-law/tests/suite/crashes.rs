//! A law that crashes ends the process, after the hook and with a line that names it. Each runs in a process of its own:
//! this test's binary, asked for one test with a variable set.

use super::{HOLD, setup, source, step};
use appell_law::crash::set_hook;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

const ASKED: &str = "APPELL_LAW_CRASH";

/// Runs a test of this file again, in a process of its own.
fn again(test: &str, value: &str) -> Output {
    let own = std::env::current_exe().unwrap();
    Command::new(own).args(["--exact", &format!("crashes::{test}"), "--nocapture"]).env(ASKED, value).output().unwrap()
}

extern "C" fn brake(signal: i32) {
    // What a handler may do: no allocation, no lock.
    let text = if signal > 0 { &b"braked\n"[..] } else { b"" };
    let _ = write_plainly(text);
}

/// To stderr, without Rust's lock of it.
#[allow(unsafe_code, reason = "the hook of a handler")]
fn write_plainly(text: &[u8]) -> isize {
    unsafe extern "C" {
        fn write(file: i32, text: *const u8, count: usize) -> isize;
    }
    // SAFETY: the text is as long as it says.
    unsafe { write(2, text.as_ptr(), text.len()) }
}

const KINDS: [(&str, &str, &str); 6] = [
    ("SIGSEGV", "", "effort[0] = *(volatile double *)8;"),
    ("SIGFPE", "", "{ volatile int zero = 0; effort[0] = 7 / zero; }"),
    ("SIGILL", "", "__builtin_trap();"),
    ("SIGABRT", "", "abort();"),
    ("SIGBUS", "#include <signal.h>\nint raise(int);", "raise(SIGBUS);"),
    (
        "SIGSEGV",
        "static double deep(volatile double *x) { volatile double y[512]; y[0] = *x + 1.0; return deep(y) + y[1]; }",
        "{ volatile double x = 0.0; effort[0] = deep(&x); }",
    ),
];

#[test]
fn every_kind_is_named_after_the_brakes() {
    if let Ok(kind) = std::env::var(ASKED) {
        let (_, more, text) = KINDS[kind.parse::<usize>().unwrap()];
        let folder = tempfile::tempdir().unwrap();
        let text = source(&format!("#pragma GCC diagnostic ignored \"-Winfinite-recursion\"\n{more}"), text);
        let mut law = setup(&folder, &text, &[1.0]).unwrap();
        drop(folder);
        // SAFETY: `brake` writes, and does nothing else.
        #[allow(unsafe_code, reason = "the hook of a handler")]
        unsafe {
            set_hook(Some(brake));
        }
        let _ = step(&mut law, &mut [0.0; 2]);
        unreachable!("it has crashed");
    }
    for (k, (signal, ..)) in KINDS.iter().enumerate() {
        let output = again("every_kind_is_named_after_the_brakes", &k.to_string());
        let stderr = String::from_utf8_lossy(&output.stderr);
        let line =
            stderr.lines().find(|line| line.contains("crashed")).unwrap_or_else(|| panic!("{k} {signal}: {stderr}"));
        assert!(
            line.starts_with("error: law `trial` of ") && line.contains(&format!("law.so crashed: {signal}")),
            "{line}"
        );
        assert!(stderr.find("braked").is_some_and(|braked| braked < stderr.find("crashed").unwrap()), "{stderr}");
        assert_eq!(output.status.code(), Some(1), "{signal}");
    }
}

/// A law that ends the process has crashed, whatever code it gives.
#[test]
fn an_exit_is_a_crash() {
    if let Ok(code) = std::env::var(ASKED) {
        let folder = tempfile::tempdir().unwrap();
        let mut law = setup(&folder, &source("", &format!("exit({code});")), &[1.0]).unwrap();
        drop(folder);
        // SAFETY: `brake` writes, and does nothing else.
        #[allow(unsafe_code, reason = "the hook of a handler")]
        unsafe {
            set_hook(Some(exited));
        }
        let _ = step(&mut law, &mut [0.0; 2]);
        unreachable!("it has ended the process");
    }
    for code in ["0", "3"] {
        let output = again("an_exit_is_a_crash", code);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{code}: {stderr}");
        let line = stderr.lines().find(|line| line.contains("law.so")).unwrap_or_else(|| panic!("{stderr}"));
        assert!(
            line.starts_with("error: law `trial` of ") && line.ends_with("ended the process (exit); the run ends here")
        );
        assert!(stderr.contains("exited with 0\n"), "the hook hears of it: {stderr}");
    }
}

extern "C" fn exited(signal: i32) {
    let _ = write_plainly(if signal == 0 { b"exited with 0\n" } else { b"" });
}

/// A crash that is not a law's has its own end, also while a library is open and after it was closed.
#[test]
fn other_crashes_are_not_a_laws() {
    if let Ok(when) = std::env::var(ASKED) {
        let folder = tempfile::tempdir().unwrap();
        let mut law = setup(&folder, &source("", HOLD), &[1.0]).unwrap();
        step(&mut law, &mut [0.0; 2]).unwrap();
        drop(folder);
        if when == "after" {
            drop(law);
        } else {
            std::mem::forget(law);
        }
        std::process::abort();
    }
    for when in ["open", "after"] {
        let output = again("other_crashes_are_not_a_laws", when);
        assert_eq!(output.status.signal(), Some(6), "{output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("crashed"), "{output:?}");
    }
}
