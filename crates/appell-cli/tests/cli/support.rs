//! How tests run the program, what they look for in its answers, and the folders of their files.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// How a run of the program ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Starts the program, with all its streams open.
pub(crate) fn started(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_appell"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs the program with words as arguments and `input` as stdin.
pub(crate) fn appell_with(args: &[&str], input: &str) -> Run {
    let mut child = started(args);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes()); // refused arguments leave it unread
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: stderr.split_inclusive('\n').filter(|line| !is_progress(line)).collect(),
    }
}

/// Whether a line reports progress, which a slow machine shows: `12 s: 50 of 200 states, …`.
fn is_progress(line: &str) -> bool {
    let seconds = line.split_once(" s: ").map_or("", |(seconds, _)| seconds);
    !seconds.is_empty() && seconds.bytes().all(|digit| digit.is_ascii_digit())
}

/// Runs the program with the words of a command line as arguments, and `input` as stdin.
pub(crate) fn appell_fed(command: &str, input: &str) -> Run {
    appell_with(&command.split_whitespace().collect::<Vec<_>>(), input)
}

/// The same with nothing on stdin.
pub(crate) fn appell(command: &str) -> Run {
    appell_fed(command, "")
}

/// Computes a question from a table on stdin.
pub(crate) fn compute(command: &str, table: &str) -> Run {
    appell_fed(&format!("compute {command} --states -"), table)
}

impl Run {
    /// What a fine run printed, which must have been silent otherwise.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""));
        self.stdout
    }

    /// What a fine run printed, whatever it noted on stderr.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }

    /// Asserts the exit code, and all these parts on stderr.
    #[track_caller]
    pub(crate) fn ended(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.stderr);
        contains(&self.stderr, parts);
    }

    /// Asserts the exit code 2 and one message with all these parts.
    #[track_caller]
    pub(crate) fn refused_with(&self, parts: &[&str]) {
        self.ended(2, parts);
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
    }
}

/// Asserts that a text has all these parts.
#[track_caller]
pub(crate) fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Asserts that a page shows a drawing without any other file.
#[track_caller]
pub(crate) fn stands_alone(page: &str) {
    for outside in ["<script", "<link", "<img", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// The numbers of a CSV table below its header.
pub(crate) fn numbers(table: &str) -> Vec<Vec<f64>> {
    table.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

/// Numbers of a reference, whether they stand in rows or not.
pub(crate) fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(entries) => entries.iter().flat_map(flat).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder of `shared/data` beside the repository, or above the folder of its worktrees; none, and said so, where there is none.
pub(crate) fn shared(name: &str) -> Option<String> {
    let above = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = above.map(|folder| folder.join("shared/data").join(name)).find(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: there is no ../shared/data/{name}");
    }
    found.map(|folder| folder.display().to_string())
}

/// A folder for the files of one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file, as a word of a command.
    pub(crate) fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes a file; its path.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).unwrap();
        self.shown(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// What is in it, or in a folder of it, in order.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Asserts that a plot is there as SVG, on a page, and as PNG.
    #[track_caller]
    pub(crate) fn has_plot(&self, plot: &str, page: &str) {
        let svg = self.text(&format!("{plot}.svg"));
        assert!(svg.starts_with("<svg") && page.contains(&svg), "{plot}");
        let png = fs::read(self.path(&format!("{plot}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n") && png.len() > 5000, "{plot}");
    }
}

/// Sends a signal to a program.
#[cfg(target_os = "linux")]
pub(crate) fn kill(child: &Child, signal: &str) {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

/// Waits until a program catches a signal, by its number.
#[cfg(target_os = "linux")]
pub(crate) fn wait_until_heard(child: &Child, signal: u32) {
    let status = format!("/proc/{}/status", child.id());
    let mask =
        |line: &str, key: &str| line.strip_prefix(key).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_heard = |line: &str| {
        let masks = [mask(line, "SigCgt:"), mask(line, "SigBlk:")]; // held back for a thread that waits for it
        masks.into_iter().flatten().any(|mask| mask & (1 << (signal - 1)) != 0)
    };
    // Before it is the program, the new process has all signals blocked.
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_appell")).unwrap();
    let is_program = || fs::read_link(format!("/proc/{}/exe", child.id())).is_ok_and(|own| own == program);
    while !(is_program() && fs::read_to_string(&status).unwrap().lines().any(is_heard)) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
