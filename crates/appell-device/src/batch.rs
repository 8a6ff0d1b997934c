//! A question of one robot for any number of states, on a device.

use super::number::Kinds;
use super::{Argument, Compiled, Device, DeviceError, Number, OnGpu, Resident};
use appell::Robot;
use appell::question::Question;
use appell_batch::{Batch, Motions, States};
use appell_codegen::emit::device::Code;
use appell_codegen::{Kernel, Options, generate};

/// What can be brought onto a device.
pub trait OnDevice {
    /// The same there: its code is generated; it is compiled, or taken from the cache, when the first states come.
    ///
    /// # Errors
    /// If the device is not there, or no code can be generated.
    fn on(&self, device: Device) -> Result<DeviceBatch, DeviceError>;
}

impl OnDevice for Batch {
    fn on(&self, device: Device) -> Result<DeviceBatch, DeviceError> {
        device.describe()?;
        let options = Options { target: self.target(), ..Options::default() };
        let kernel = generate(self.robot(), self.question(), &options)?;
        Ok(DeviceBatch { batch: self.clone(), device, code: Code::of(&kernel), kernel, kinds: Kinds::default() })
    }
}

/// A question of one robot on a device.
pub struct DeviceBatch {
    batch: Batch,
    device: Device,
    kernel: Kernel,
    code: Code,
    kinds: Kinds,
}

/// States by the arguments of the generated function, which [`DeviceBatch::arguments`] names: entry k of state i at
/// `[k * count + i]`.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a, F> {
    /// How many states.
    pub count: usize,
    /// An array an argument.
    pub arguments: &'a [&'a [F]],
}

/// The same in the memory of the GPU.
#[derive(Debug, Clone, Copy)]
pub struct There<'a, F> {
    /// How many states.
    pub count: usize,
    /// An array an argument.
    pub arguments: &'a [&'a OnGpu<F>],
}

impl DeviceBatch {
    /// Where it is.
    #[must_use]
    pub fn device(&self) -> Device {
        self.device
    }

    /// The robot.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        self.batch.robot()
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> Question {
        self.batch.question()
    }

    /// How many numbers the answer for a state has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.kernel.answer.entries.len()
    }

    /// What the generated function reads, in order: names, meanings and entries.
    #[must_use]
    pub fn arguments(&self) -> &[appell_codegen::Argument] {
        &self.kernel.arguments
    }

    /// Answers for all states, in double precision.
    ///
    /// # Errors
    /// If a state has no answer, vectors have not one value per joint and state, the robot's code takes other arguments than
    /// these states have, or the device fails. Some answers are written then.
    pub fn evaluate(&mut self, states: &States<'_>, answers: &mut [f64]) -> Result<(), DeviceError> {
        if states.count == 0 && answers.is_empty() {
            return Ok(());
        }
        let vectors = self.vectors(states)?;
        self.evaluate_columns(&Columns { count: states.count, arguments: &vectors }, answers)
    }

    /// Answers for all states, in the precision of the numbers.
    ///
    /// # Errors
    /// As above.
    pub fn evaluate_columns<F: Number>(
        &mut self,
        states: &Columns<'_, F>,
        answers: &mut [F],
    ) -> Result<(), DeviceError> {
        let mut arguments: Vec<Argument<'_, F>> =
            states.arguments.iter().map(|numbers| Argument::Read(numbers)).collect();
        arguments.push(Argument::Written(answers));
        match self.compiled::<F>()?.run(states.count, &mut arguments)? {
            None => Ok(()),
            Some(state) => {
                let of_state =
                    |numbers: &&[F]| numbers.iter().skip(state).step_by(states.count).map(|&x| x.into()).collect();
                Err(self.why(state, &states.arguments.iter().map(of_state).collect::<Vec<_>>()))
            }
        }
    }

    /// Answers for states that are on the GPU; they stay there.
    ///
    /// # Errors
    /// As above.
    pub fn evaluate_there<F: Number>(
        &mut self,
        states: &There<'_, F>,
        answers: &mut OnGpu<F>,
    ) -> Result<(), DeviceError> {
        let mut arguments: Vec<Resident<'_, F>> = states.arguments.iter().map(|array| Resident::Read(array)).collect();
        arguments.push(Resident::Written(answers));
        let Some(state) = self.compiled::<F>()?.run_there(states.count, &mut arguments)? else { return Ok(()) };
        let mut vectors = Vec::new();
        for array in states.arguments {
            let numbers = array.to_vec()?; // all of them: it is the last thing that is done with these
            vectors.push(numbers.iter().skip(state).step_by(states.count).map(|&x| x.into()).collect());
        }
        Err(self.why(state, &vectors))
    }

    fn compiled<F: Number>(&mut self) -> Result<&mut Compiled<F>, DeviceError> {
        let Self { device, code, kinds, .. } = self;
        let compiled = F::of(kinds);
        if compiled.is_none() {
            *compiled = Some(device.compile(code)?);
        }
        Ok(compiled.as_mut().expect("compiled above"))
    }

    /// The vectors of states that the function reads, in its order.
    fn vectors<'s>(&self, states: &States<'s>) -> Result<Vec<&'s [f64]>, DeviceError> {
        let robot = self.robot();
        let names = || self.kernel.arguments.iter().map(|argument| argument.name).collect::<Vec<_>>().join(", ");
        let is_read = |name: &str| self.kernel.arguments.iter().any(|argument| argument.name == name);
        if robot.closed().is_some() {
            if ["q", "r", "rdot"].into_iter().any(is_read) || !is_read("pose") {
                return Err(DeviceError::Assembled { ports: names() });
            }
            if matches!(states.motions(), Motions::Joints { .. }) {
                let rest = match (is_read("twist"), is_read("acceleration")) {
                    (false, _) => "",
                    (true, false) => " and `twist`",
                    (true, true) => ", `twist` and `acceleration`",
                };
                let question = self.question().name();
                return Err(DeviceError::Platform { question, robot: robot.name().into(), rest });
            }
        }
        Ok(self.kernel.arguments.iter().map(|argument| vector(states, argument.name)).collect())
    }

    /// Why a state has no answer: the library says.
    fn why(&self, state: usize, vectors: &[Vec<f64>]) -> DeviceError {
        let mut states = States { count: 1, ..States::default() };
        for (argument, numbers) in self.kernel.arguments.iter().zip(vectors) {
            *place(&mut states, argument.name) = numbers;
        }
        let is_library_asked = self.vectors(&states).is_ok();
        let mut row = vec![0.0; self.columns()];
        match is_library_asked.then(|| self.batch.evaluate(&states, &mut row)) {
            Some(Err(error)) => DeviceError::State(appell_batch::BatchError { state, source: error.source }),
            Some(Ok(())) if row.iter().all(|x| x.is_finite()) => {
                DeviceError::NotFinite { state, library: "the library has one: look at the range of the numbers" }
    place(&mut states, name)
            Some(Ok(())) => {
                DeviceError::NotFinite { state, library: "the library refuses nothing; are all inputs finite?" }
            }
            None => DeviceError::NotFinite { state, library: "nothing is checked of an assembled state" },
        }
    }
}

/// The vector of states that an argument of generated code is.
fn vector<'s>(states: &States<'s>, name: &str) -> &'s [f64] {
    let mut states = *states;
    *place(&mut states, name)
}

fn place<'p, 's>(states: &'p mut States<'s>, name: &str) -> &'p mut &'s [f64] {
    match name {
        "v" => &mut states.v,
        "a" => &mut states.a,
        "tau" => &mut states.tau,
        "w" => &mut states.w,
        "pose" => &mut states.pose,
        "twist" => &mut states.twist,
        "acceleration" => &mut states.acceleration,
        _ => &mut states.q,
    }
}
