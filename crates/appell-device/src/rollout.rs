//! Rollouts, and their gradients, on a device: what is given and what comes back goes by the names of ports.

use super::argument::Argument;
use super::{Compiled, Device, DeviceError, Number};
use appell_codegen::emit::device::{Code, Port, PortKind};
use appell_codegen::rollout::{Gradient, Rollout};
use std::collections::HashMap;

/// What can be run on a device: a generated rollout, or the gradient of one.
pub trait Rolls {
    /// Its function.
    fn code(&self) -> &Code;

    /// Compiles it for a device, or takes it from the cache.
    ///
    /// # Errors
    /// If the device or its compiler is not there.
    fn on<F: Number>(&self, device: Device) -> Result<DeviceRollout<F>, DeviceError> {
        Ok(DeviceRollout { compiled: device.compile(self.code())? })
    }
}

impl Rolls for Rollout {
    fn code(&self) -> &Code {
        &self.code
    }
}

impl Rolls for Gradient {
    fn code(&self) -> &Code {
        &self.code
    }
}

/// A rollout, or a gradient, that is ready to run.
///
/// ```
/// use appell::Robot;
/// use appell_codegen::rollout::{self, Law, Options, Reference, Whose};
/// use appell_device::{Device, Rolls};
///
/// # if std::process::Command::new("c++").arg("--version").output().is_err() { return Ok(()) }
/// let robot = Robot::builtin("two-link")?;
/// let law = Law::computed_torque(&robot, Reference::Passage, Whose::Shared);
/// let rollout = rollout::generate(&robot, &Options::new(law))?;
/// // A thousand robots that begin elsewhere and all go to (1, -0.5) within half a second.
/// let shared = [100.0, 100.0, 20.0, 20.0, 0.0, 0.0, 1.0, -0.5, 0.5]; // kp, kd, start, goal, time
/// let count = 1000;
/// let q0: Vec<f64> = (0..2 * count).map(|k| 1e-4 * k as f64).collect();
/// let given = [("q0", &q0[..]), ("v0", &vec![0.0; 2 * count]), ("shared", &shared)];
/// let found = rollout.on::<f64>(Device::cpu())?.run(count, &given, 1e-3, 1000)?;
/// let q = &found.numbers["q"]; // joint j of robot i at [j * count + i]
/// assert!(q[..count].iter().all(|q| (q - 1.0).abs() < 1e-2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeviceRollout<F: Number> {
    compiled: Compiled<F>,
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Rolled<F> {
    /// By port: entry k of robot i at `[k * count + i]`.
    pub numbers: HashMap<String, Vec<F>>,
    /// The first robot of which something is not finite: it went astray.
    pub astray: Option<usize>,
}

/// Where gradients keep the steps: nobody reads it afterwards.
const MEMORY: &str = "states";

impl<F: Number> DeviceRollout<F> {
    /// Where it runs.
    #[must_use]
    pub fn device(&self) -> Device {
        self.compiled.device()
    }

    /// What it takes and gives: those that are read or shared are to be given.
    #[must_use]
    pub fn ports(&self) -> &[Port] {
        self.compiled.ports()
    }

    /// Lets `count` robots move for some steps of `dt` seconds.
    ///
    /// # Errors
    /// If a port is missing, unknown or of another size, or the device fails.
    pub fn run(
        &mut self,
        count: usize,
        given: &[(&str, &[F])],
        dt: f64,
        steps: usize,
    ) -> Result<Rolled<F>, DeviceError> {
        let ports = self.compiled.ports().to_vec();
        let is_given = |port: &&Port| matches!(port.kind, PortKind::Read(_) | PortKind::Shared(_));
        let names = || ports.iter().filter(is_given).map(|port| port.name.as_str()).collect::<Vec<_>>().join(", ");
        if let Some((name, _)) =
            given.iter().find(|(name, _)| !ports.iter().filter(is_given).any(|port| port.name == *name))
        {
            return Err(DeviceError::Port { name: (*name).into(), problem: "is none of", ports: names() });
        }
        let mut written: Vec<(String, Vec<F>)> = Vec::new();
        for port in &ports {
            if let PortKind::Written(entries) = port.kind {
                written.push((port.name.clone(), vec![F::default(); entries * count]));
            }
        }
        let mut left = written.iter_mut();
        let mut arguments = Vec::with_capacity(ports.len());
        for port in &ports {
            let find = || {
                let found = given.iter().find(|(name, _)| *name == port.name).map(|(_, numbers)| *numbers);
                found.ok_or_else(|| DeviceError::Port {
                    name: port.name.clone(),
                    problem: "is not given; there are",
                    ports: names(),
                })
            };
            arguments.push(match port.kind {
                PortKind::Read(_) => Argument::Read(find()?),
                PortKind::Shared(_) => Argument::Shared(find()?),
                PortKind::Written(_) => Argument::Written(&mut left.next().expect("one each").1),
                PortKind::Real => Argument::Real(dt),
                PortKind::Whole => Argument::Whole(steps as i64),
            });
        }
        let astray = self.compiled.run(count, &mut arguments)?;
        drop(arguments);
        Ok(Rolled { numbers: written.into_iter().filter(|(name, _)| name != MEMORY).collect(), astray })
    }
}
