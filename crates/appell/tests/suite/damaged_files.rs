//! Files of every format with random bytes changed are read, checked and refused without panic.

use appell::Format;
use appell::description::Description;
use appell::mechanism::Mechanism;
use appell::sample::Sampler;
use std::path::{Path, PathBuf};

/// All files of the tests' data that a reader takes, and the built-in robots.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "robots",
        "../../tests/data",
        "../../tests/data/closed",
        "../../tests/data/mjcf",
        "../../tests/data/sdf",
        "../../tests/data/urdf",
    ];
    let entries =
        folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder of the repository"));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// A copy with some bytes replaced, doubled or cut out.
fn damaged(text: &str, sampler: &mut Sampler) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=sampler.below(6) {
        let at = sampler.below(bytes.len());
        let end = (at + 1 + sampler.below(12)).min(bytes.len());
        match sampler.below(4) {
            0 => bytes[at] = sampler.one_of(b"<>/\"'={}[],.-+e0159 \nqz"),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copied = bytes[at..end].to_vec();
                let to = sampler.below(bytes.len());
                bytes.splice(to..to, copied);
            }
            _ => bytes[at] = (sampler.bits() & 0xff) as u8,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a reader gives is a robot.
fn look_at(description: &Description) {
    if !description.is_closed() {
        Mechanism::new(description).unwrap_or_else(|problems| panic!("the reader has checked it: {problems}"));
    }
}

fn run(copies: usize, seed: u64) {
    let mut sampler = Sampler::new(seed);
    let mut read = 0;
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a text");
        for number in 0..copies {
            let copy = damaged(&text, &mut sampler);
            let Ok(format) = Format::of_robot(&path, &copy) else { continue };
            let done = std::panic::catch_unwind(|| {
                let _ = format.inspect(&copy, number % 2 == 0);
                format.read(&copy, "robot", number % 2 == 0).map(|file| look_at(&file.description)).is_ok()
            });
            match done {
                Ok(is_read) => read += usize::from(is_read),
                Err(_) => panic!("{} as damaged:\n{copy}", path.display()),
            }
        }
    }
    assert!(read > 0, "some damage leaves a robot");
}

#[test]
fn damaged_files_are_read_without_panic() {
    run(12, 1);
}

#[test]
#[ignore = "a minute: many more copies"]
fn many_damaged_files_are_read_without_panic() {
    run(2000, 2);
}
