//! What a controller drives: a robot in another process, which may be started here, or somebody's boards.

use super::link::LinkArgs;
use super::{Args, hardware};
use crate::interrupt::{self, Passing};
use crate::output;
use crate::trial::Trial;
use anyhow::{Context, bail};
use appell_realtime::agreement;
use appell_realtime::frame::Agreement;
use appell_realtime::hardware::{Hardware, Remote};
use appell_realtime::link::{Link, SharedMemory};
use appell_simulation::control::sampled::Computer;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A robot that has agreed to a run.
pub(super) struct Robot {
    pub(super) hardware: Box<dyn Hardware>,
    pub(super) started: Option<Started>,
}

impl Robot {
    /// Opens boards, or finds the robot's process, and agrees on a run with it.
    pub(super) fn agreed(args: &Args, trial: &Trial, computer: &Computer<'_>) -> anyhow::Result<Self> {
        let path = &args.trial;
        if let Some(asked) = &args.hardware {
            let board = hardware::open(asked, computer, args.link.lockstep).context("--hardware")?;
            return Ok(Self { hardware: Box::new(board), started: None });
        }
        let mut link = args.link.clone();
        let mut started = None;
        if args.plant {
            link.shm = Some(format!("{}-{}", args.link.name(path)?, std::process::id()));
            started = Some(Started::plant(path, &link)?);
        }
        let agreement = Agreement { endless: args.operate, ..link.agreement(trial, computer.timing().period)? };
        let mut way = find(&link, path, args.wait, started.as_mut())?;
        let run = agreement::ask(&mut *way, &agreement, args.wait);
        let run = run.with_context(|| format!("{}: the robot", path.display()))?;
        way.tell_crashes();
        Ok(Self { hardware: Box::new(Remote::new(way, run)), started })
    }
}

/// The way to the robot, as soon as that is there.
fn find(link: &LinkArgs, path: &Path, wait: f64, mut started: Option<&mut Started>) -> anyhow::Result<Box<dyn Link>> {
    let begin = Instant::now();
    let mut said = false;
    loop {
        if let Some(way) = link.controller(path)? {
            return Ok(way);
        }
        let shown = path.display();
        if begin.elapsed().as_secs_f64() >= wait {
            bail!("{shown}: no robot came within {wait} s; start `appell plant {shown}`, or give --plant");
        }
        if interrupt::is_asked() {
            bail!("interrupted");
        }
        if let Some(started) = &mut started {
            started.expect_alive()?;
        } else if !said && begin.elapsed() > Duration::from_millis(500) {
            output::note(format_args!("waits for the robot, `appell plant {shown}`"));
            said = true;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// A robot that was started here, and where its memory is.
pub(super) struct Started {
    child: Child,
    memory: PathBuf,
    _passing: Passing,
}

impl Started {
    fn plant(path: &Path, link: &LinkArgs) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program is not found again")?;
        let mut command = Command::new(program);
        command.arg("plant").arg(path).args(["--wait", "30", "--json"]);
        command.args(link.shm.iter().flat_map(|name| ["--shm", name]));
        if link.lockstep {
            command.args(["--lockstep", "--patience", &link.patience.to_string()]);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let memory = SharedMemory::place(&link.name(path)?);
        let passing = Passing::new([memory.clone()]);
        Ok(Self { child: child.context("the robot cannot be started")?, memory, _passing: passing })
    }

    fn expect_alive(&mut self) -> anyhow::Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => bail!("the robot has ended already ({status}); start `appell plant` by hand to see why"),
        }
    }

    /// Waits until it has come to rest; its report, if it has made one.
    pub(super) fn wait(mut self) -> Option<Value> {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(10) && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        self.child.try_wait().ok()??;
        serde_json::from_reader(self.child.stdout.take()?).ok()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.memory); // a robot that was killed has left it
    }
}
