//! By which way a controller and its robot talk.

use crate::trial::Trial;
use anyhow::{Context, ensure};
use appell_realtime::frame::{Agreement, MOST, longest};
use appell_realtime::link::{Link, SharedMemory, Udp};
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

/// How long a robot in lockstep waits for its controller if nothing is said, s.
const PATIENCE: f64 = 2.0;

/// The shortest period, s.
const SHORTEST: f64 = 1e-6;

/// Options of both ends.
#[derive(clap::Args, Clone)]
pub(crate) struct LinkArgs {
    /// Exchange frames as fast as both sides can, instead of by the clock
    #[arg(long)]
    pub(crate) lockstep: bool,
    /// The name of the shared memory between the two; named like the trial's file if not given
    #[arg(long, value_name = "NAME", conflicts_with = "udp")]
    pub(crate) shm: Option<String>,
    /// Talk by UDP: the address where the robot listens, such as 127.0.0.1:7400
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) udp: Option<SocketAddr>,
    /// In lockstep, how long the robot waits for its controller, s; the controller waits twice as long
    #[arg(long, value_name = "SECONDS", default_value_t = PATIENCE, value_parser = seconds, requires = "lockstep")]
    pub(crate) patience: f64,
}

/// A time that can be waited for.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds.filter(|seconds| (0.01..=1e6).contains(seconds)).ok_or_else(|| "expected 0.01 to 1e6 s".to_owned())
}

/// The words of a command line, each with a space before it.
impl fmt::Display for LinkArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lockstep {
            write!(f, " --lockstep")?;
        }
        if let Some(name) = &self.shm {
            write!(f, " --shm {name}")?;
        }
        if self.patience != PATIENCE {
            write!(f, " --patience {}", self.patience)?;
        }
        self.udp.map_or(Ok(()), |address| write!(f, " --udp {address}"))
    }
}

impl LinkArgs {
    /// The name of the shared memory.
    pub(crate) fn name(&self, path: &Path) -> anyhow::Result<String> {
        let name = match &self.shm {
            Some(name) => name.clone(),
            None => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        ensure!(
            !name.is_empty() && name.len() < 200 && name.chars().all(is_plain),
            "--shm: `{name}` is not a name for shared memory; take letters, digits, - and _"
        );
        Ok(name)
    }

    /// The file of the shared memory, if the two talk through one.
    pub(crate) fn file(&self, path: &Path) -> anyhow::Result<Option<PathBuf>> {
        if self.udp.is_some() { Ok(None) } else { Ok(Some(SharedMemory::place(&self.name(path)?))) }
    }

    /// The robot's end, and how its controller finds it: the system may choose a port.
    pub(crate) fn robot(
        &self,
        trial: &Trial,
        path: &Path,
        allowed: Option<IpAddr>,
    ) -> anyhow::Result<(Box<dyn Link>, Self)> {
        if let Some(address) = self.udp {
            let udp = Udp::listen(address, allowed).with_context(|| format!("--udp {address}"))?;
            let found = Self { udp: Some(udp.address()?), ..self.clone() };
            return Ok((Box::new(udp), found));
        }
        let tree = trial.machine.tree();
        let bytes = longest(trial.machine.drives().len(), tree.dof(), tree.dof());
        let memory = SharedMemory::make(&self.name(path)?, bytes).context("the shared memory cannot be made")?;
        Ok((Box::new(memory), self.clone()))
    }

    /// The controller's end, if the robot's is there.
    pub(crate) fn controller(&self, path: &Path) -> anyhow::Result<Option<Box<dyn Link>>> {
        if let Some(address) = self.udp {
            return Ok(Some(Box::new(Udp::connect(address).with_context(|| format!("--udp {address}"))?)));
        }
        match SharedMemory::open(&self.name(path)?) {
            Ok(memory) => Ok(Some(Box::new(memory))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What both sides must agree on.
    pub(crate) fn agreement(&self, trial: &Trial, period: f64) -> anyhow::Result<Agreement> {
        ensure!(
            period >= SHORTEST,
            "a period of {period} s is too short for frames and clocks; take at least {SHORTEST} s (loop.period)"
        );
        let drives = trial.machine.drives().len();
        ensure!(drives <= MOST, "{} has {drives} drives; a frame has room for {MOST}", trial.machine.name());
        Ok(Agreement { run: 0, digest: trial.digest, period, lockstep: self.lockstep, endless: false, drives })
    }
}
