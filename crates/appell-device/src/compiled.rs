//! A function that is ready to run on a device, for any number of states.

use super::argument::{Argument, Resident};
use super::{Device, DeviceError, Number, cuda, host, source};
use appell_codegen::emit::device::{Code, Port, PortKind};

/// A function on a device.
pub struct Compiled<F: Number> {
    device: Device,
    ports: Vec<Port>,
    function: Function<F>,
}

enum Function<F: Number> {
    Host(host::Function<F>),
    Cuda(Box<cuda::Streamed<F>>),
}

impl<F: Number> Compiled<F> {
    /// Compiles a function for a device, or takes it from the cache.
    pub(super) fn new(device: Device, code: &Code) -> Result<Self, DeviceError> {
        let function = match device {
            Device::Cpu => Function::Host(host::Function::new(code)?),
            Device::Cuda(ordinal) => Function::Cuda(Box::new(cuda::Streamed::new(ordinal, code)?)),
        };
        Ok(Self { device, ports: code.ports.clone(), function })
    }

    /// Where it runs.
    #[must_use]
    pub fn device(&self) -> Device {
        self.device
    }

    /// What it takes.
    #[must_use]
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Runs it for `count` states, and gives the first of them that wrote what is not finite. A batch larger than a GPU's
    /// memory streams through it.
    ///
    /// # Errors
    /// If arguments do not fit the ports, or the device fails: then nothing that was written is to be used.
    pub fn run(&mut self, count: usize, arguments: &mut [Argument<'_, F>]) -> Result<Option<usize>, DeviceError> {
        self.check(arguments.len())?;
        for (place, (port, argument)) in self.ports.iter().zip(&*arguments).enumerate() {
            let found = match (port.kind, argument) {
                (PortKind::Read(_), Argument::Read(numbers)) | (PortKind::Shared(_), Argument::Shared(numbers)) => {
                    numbers.len()
                }
                (PortKind::Written(_), Argument::Written(numbers)) => numbers.len(),
                (PortKind::Real, Argument::Real(_)) | (PortKind::Whole, Argument::Whole(_)) => continue,
                _ => return Err(misfit(place, port)),
            };
            check_size(port, count, found)?;
        }
        match &mut self.function {
            Function::Host(function) => Ok(function.run(count, arguments)),
            Function::Cuda(function) => function.stream(count, arguments),
        }
    }

    /// The same of arrays that are on its GPU already.
    ///
    /// # Errors
    /// As above, or if it does not run on a GPU, or arrays are on another.
    pub fn run_there(&mut self, count: usize, arguments: &mut [Resident<'_, F>]) -> Result<Option<usize>, DeviceError> {
        self.check(arguments.len())?;
        for (place, (port, argument)) in self.ports.iter().zip(&*arguments).enumerate() {
            let array = match (port.kind, argument) {
                (PortKind::Read(_) | PortKind::Shared(_), Resident::Read(array)) => array,
                (PortKind::Written(_), Resident::Written(array)) => &**array,
                (PortKind::Real, Resident::Real(_)) | (PortKind::Whole, Resident::Whole(_)) => continue,
                _ => return Err(misfit(place, port)),
            };
            check_size(port, count, array.len())?;
            if array.device() != self.device {
                let (found, expected) = (array.device().to_string(), self.device.to_string());
                return Err(DeviceError::Elsewhere { found, expected });
            }
        }
        match &mut self.function {
            Function::Host(_) => {
                Err(DeviceError::Elsewhere { found: "a GPU".into(), expected: self.device.to_string() })
            }
            Function::Cuda(function) => function.run_there(count, arguments),
        }
    }

    fn check(&self, given: usize) -> Result<(), DeviceError> {
        if given == self.ports.len() {
            return Ok(());
        }
        let ports = self.ports.iter().map(|port| port.name.as_str()).collect::<Vec<_>>().join(", ");
        Err(DeviceError::Arguments { given, expected: self.ports.len(), ports })
    }
}

fn misfit(place: usize, port: &Port) -> DeviceError {
    DeviceError::Argument { place, port: port.name.clone(), expected: source::said(port.kind) }
}

fn check_size(port: &Port, count: usize, found: usize) -> Result<(), DeviceError> {
    let (entries, count) = match port.kind {
        PortKind::Read(entries) | PortKind::Written(entries) => (entries, count),
        PortKind::Shared(entries) => (entries, 1),
        PortKind::Real | PortKind::Whole => return Ok(()),
    };
    let expected = entries * count;
    if found == expected {
        return Ok(());
    }
    Err(DeviceError::Size { port: port.name.clone(), found, expected, entries, count })
}
