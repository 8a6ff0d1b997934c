//! Rollouts on devices: generated and compiled once, then run by the names of ports. What their numbers mean, `appell/_rolling.py` knows.

use crate::errors::{self, Kind};
use crate::robot::Robot;
use crate::traced::{Sizes, Tape, Traced};
use crate::waiting::interruptible;
use appell::Robot as Inner;
use appell::description::{Limits, PLATFORM};
use appell_codegen::emit::device::{Code, PortKind};
use appell_codegen::rollout::{self, By, Channel, Cost, Law, Options, Reference, Refused, Scheme, Varied, Whose};
use appell_codegen::{Owner, Parameter};
use appell_device::{Device, DeviceError, DeviceRollout, Number, Rolled, Rolls};
use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};

/// A law, or a cost: one of ours by its name, or what was traced.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Said {
    kind: String,
    reference: Option<String>,
    is_own: Option<bool>, // the reference's numbers, or torques that are given; none where there are neither
    traced: Option<Traced>,
    terminal: Option<Traced>, // of a cost
}

/// The same, checked.
struct Known {
    kind: String,
    reference: Reference,
    whose: Option<Whose>,
    names: [Vec<String>; 2], // shared, own
    tapes: [Option<Tape>; 2],
}

impl Known {
    fn new(said: Said, sizes: Sizes, is_cost: bool) -> PyResult<Self> {
        let reference = match said.reference.as_deref() {
            None | Some("passage") => Reference::Passage,
            Some("sinusoid") => Reference::Sinusoid,
            Some(other) => return Err(unknown("reference", other, &["passage", "sinusoid"])),
        };
        let has_torques = is_cost || said.is_own.is_some();
        let tape = |traced: &Traced, has_torques: bool| {
            let tape = traced.check(Sizes { torques: if has_torques { sizes.drives } else { 0 }, ..sizes });
            tape.map_err(|name| Kind::Question.error(format!("`{name}` of what was traced does not fit the robot")))
        };
        let tapes = [
            said.traced.as_ref().map(|traced| tape(traced, has_torques)).transpose()?,
            said.terminal.as_ref().map(|traced| tape(traced, false)).transpose()?,
        ];
        Ok(Self {
            kind: said.kind,
            reference,
            whose: said.is_own.map(|is_own| if is_own { Whose::Own } else { Whose::Shared }),
            names: said.traced.map(|traced| [traced.shared, traced.own]).unwrap_or_default(),
            tapes,
        })
    }

    fn law(&self, robot: &Inner) -> Law<'_> {
        let whose = self.whose.unwrap_or(Whose::Shared);
        match (&self.tapes[0], self.kind.as_str()) {
            (Some(tape), _) => {
                let [shared, own] = self.names.clone();
                let law = Law::of(shared, own, move |moment| tape.at(moment));
                self.whose.into_iter().fold(law, Law::with_torques)
            }
            (None, "computed-torque") => Law::computed_torque(robot, self.reference, whose),
            (None, "gravity-pd") => Law::gravity_and_pd(robot, self.reference, whose),
            (None, _) => Law::open(whose),
        }
    }

    fn cost(&self, robot: &Inner) -> Cost<'_> {
        let [Some(running), Some(terminal)] = &self.tapes else {
            return Cost::quadratic(robot, self.reference, self.whose.unwrap_or(Whose::Shared));
        };
        let [shared, own] = self.names.clone();
        Cost::of(shared, own, move |moment| running.at(moment)[0], move |moment| terminal.at(moment)[0])
    }
}

/// What is generated, without laws and costs, which do not leave the thread that records them.
struct Plan {
    law: Known,
    cost: Option<Known>,
    varied: Vec<Varied>,
    scheme: Scheme,
    steps: usize,
    limits: Vec<Limits>,
    stored: Vec<Channel>,
    stride: usize,
    by: Option<Vec<By>>,
}

/// A rollout, or the gradient of one.
enum Generated {
    Rollout(rollout::Rollout),
    Gradient(rollout::Gradient),
}

impl Rolls for Generated {
    fn code(&self) -> &Code {
        match self {
            Self::Rollout(rollout) => rollout.code(),
            Self::Gradient(gradient) => gradient.code(),
        }
    }
}

impl Plan {
    fn generate(self, robot: &Inner) -> Result<Generated, Refused> {
        let options = Options {
            cost: self.cost.as_ref().map(|cost| cost.cost(robot)),
            varied: self.varied,
            scheme: self.scheme,
            steps: self.steps,
            limits: self.limits,
            stored: self.stored,
            stride: self.stride,
            ..Options::new(self.law.law(robot))
        };
        Ok(match self.by {
            None => Generated::Rollout(rollout::generate(robot, &options)?),
            Some(by) => Generated::Gradient(rollout::gradient(robot, &options, &by)?),
        })
    }
}

/// One of some words.
fn find<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(word, _)| *word == name).map(|(_, found)| *found);
    found.ok_or_else(|| unknown(what, name, &known.iter().map(|(word, _)| *word).collect::<Vec<_>>()))
}

fn unknown(what: &str, name: &str, known: &[&str]) -> PyErr {
    Kind::Question.error(format!("no {what} `{name}`; there are {}", known.join(", ")))
}

/// What is every robot's own, by its name: `m2`, `viscous.JOINT`, `coulomb.JOINT`, `payload.FRAME`.
fn varied(robot: &Inner, name: &str) -> PyResult<Varied> {
    let tree = robot.tree();
    let joint = |name: &str| {
        let known: Vec<&str> = tree.joint_names().iter().map(String::as_str).collect();
        known.iter().position(|joint| *joint == name).ok_or_else(|| unknown("joint", name, &known))
    };
    match name.split_once('.') {
        Some(("viscous", of)) => Ok(Varied::Viscous(joint(of)?)),
        Some(("coulomb", of)) => Ok(Varied::Coulomb(joint(of)?)),
        Some(("payload", PLATFORM)) if robot.platform().is_some() => {
            Ok(Varied::Payload { owner: Owner::Platform, at: [0.0; 3].into() })
        }
        Some(("payload", of)) => {
            let frame = tree.frame(of).ok_or_else(|| unknown("frame", of, &robot.frames()))?;
            let frame = &tree.frames()[frame];
            let body = frame
                .body
                .ok_or_else(|| Kind::Question.error(format!("`{name}`: {of} is on the base, which carries no load")))?;
            // Points are in the body's own frame, the one of its joint's name.
            let body_from_frame = tree.frames()[body].body_from_frame.inverse() * frame.body_from_frame;
            Ok(Varied::Payload { owner: Owner::Body(body), at: body_from_frame.position })
        }
        _ => {
            let parameter: Result<Parameter, _> = name.parse();
            parameter.map(Varied::Body).map_err(|error| {
                Kind::Question.error(format!("varied: {error}; or viscous.JOINT, coulomb.JOINT, payload.FRAME"))
            })
        }
    }
}

/// Where and how fast drives may be.
fn limits(robot: &Inner) -> Vec<Limits> {
    let all = robot.tree().limits();
    robot.closed().map_or_else(|| all.to_vec(), |closed| closed.driven().iter().map(|&j| all[j]).collect())
}

/// Generates a rollout, or with `by` the gradient of one, and compiles it for a device; `appell/_rolling.py` says what is what.
#[pyfunction]
#[pyo3(name = "_rolling", signature = (robot, law, cost, varied, scheme, steps, limits, stored, stride, by, device, single))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn rolling(
    py: Python<'_>,
    robot: &Bound<'_, Robot>,
    law: Said,
    cost: Option<Said>,
    varied: Vec<String>,
    scheme: &str,
    steps: usize,
    limits: bool,
    stored: Vec<String>,
    stride: usize,
    by: Option<Vec<String>>,
    device: &str,
    single: bool,
) -> PyResult<Rolling> {
    let own = robot.get();
    let device: Device = device.parse().map_err(|error| errors::of_device(&error))?;
    let has_platform = own.inner.closed().is_some();
    let sizes = Sizes {
        drives: own.widths[1],
        pose: if has_platform { 7 } else { 0 },
        freedoms: if has_platform { own.inner.freedoms().len() } else { 0 },
        torques: 0,
    };
    let channels =
        [("positions", Channel::Positions), ("velocities", Channel::Velocities), ("torques", Channel::Torques)];
    let schemes = [("rk4", Scheme::RungeKutta4), ("semi-implicit", Scheme::SemiImplicit)];
    let all_by = [
        ("start", By::Start),
        ("torques", By::Torques),
        ("varied", By::Varied),
        ("own", By::Own),
        ("shared", By::Shared),
    ];
    let find_by = |names: Vec<String>| names.iter().map(|name| find("gradient by", name, &all_by)).collect();
    let plan = Plan {
        law: Known::new(law, sizes, false)?,
        cost: cost.map(|cost| Known::new(cost, sizes, true)).transpose()?,
        varied: varied.iter().map(|name| self::varied(&own.inner, name)).collect::<PyResult<_>>()?,
        scheme: find("scheme", scheme, &schemes)?,
        steps,
        limits: if limits { self::limits(&own.inner) } else { Vec::new() },
        stored: stored.iter().map(|name| find("channel", name, &channels)).collect::<PyResult<_>>()?,
        stride,
        by: by.map(find_by).transpose()?,
    };
    let inner = own.inner.clone();
    let made = interruptible(py, None, move |_| -> PyResult<Rolling> {
        let generated = plan.generate(&inner).map_err(|error| errors::of_rollout(&error))?;
        let made = if single {
            generated.on(device).map(|compiled| Precise::Single(Arc::new(Mutex::new(compiled))))
        } else {
            generated.on(device).map(|compiled| Precise::Double(Arc::new(Mutex::new(compiled))))
        };
        Ok(Rolling { compiled: made.map_err(|error| errors::of_device(&error))? })
    });
    made?
}

/// A rollout, or a gradient, in the precision that was asked for.
enum Precise {
    Single(Arc<Mutex<DeviceRollout<f32>>>),
    Double(Arc<Mutex<DeviceRollout<f64>>>),
}

/// A rollout, or the gradient of one, that is ready to run.
#[pyclass(frozen, name = "_Rolling", module = "appell._appell")]
pub(crate) struct Rolling {
    compiled: Precise,
}

#[pymethods]
impl Rolling {
    /// Lets `count` robots move: flat arrays by port, entry k of robot i at `[k * count + i]`; and the first that went astray.
    fn run<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        given: &Bound<'py, PyDict>,
        dt: f64,
        steps: usize,
    ) -> PyResult<(Bound<'py, PyDict>, Option<usize>)> {
        match &self.compiled {
            Precise::Single(compiled) => run(py, compiled, count, given, dt, steps),
            Precise::Double(compiled) => run(py, compiled, count, given, dt, steps),
        }
    }
}

fn run<'py, F: Number + Element>(
    py: Python<'py>,
    compiled: &Arc<Mutex<DeviceRollout<F>>>,
    count: usize,
    given: &Bound<'py, PyDict>,
    dt: f64,
    steps: usize,
) -> PyResult<(Bound<'py, PyDict>, Option<usize>)> {
    let mut numbers: Vec<(String, Vec<F>)> = Vec::with_capacity(given.len());
    for (name, array) in given {
        let array: PyReadonlyArray1<'_, F> = array.extract()?;
        numbers.push((name.extract()?, array.as_array().to_vec()));
    }
    let compiled = Arc::clone(compiled);
    let rolled = interruptible(py, None, move |_| {
        let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let written = compiled.ports().iter().map(|port| match port.kind {
            PortKind::Written(entries) => entries,
            _ => 0,
        });
        let entries: usize = written.sum();
        let room = entries.checked_mul(count).is_some_and(|all| Vec::<F>::new().try_reserve_exact(all).is_ok());
        if !room {
            return Err(PyMemoryError::new_err(format!(
                "{entries} numbers of each of {count} robots; store fewer, by a larger stride, or let fewer robots move at a time"
            )));
        }
        let given: Vec<(&str, &[F])> = numbers.iter().map(|(name, numbers)| (&name[..], &numbers[..])).collect();
        compiled.run(count, &given, dt, steps).map_err(|error: DeviceError| errors::of_device(&error))
    });
    let Rolled { numbers, astray } = rolled??;
    let found = PyDict::new(py);
    for (name, numbers) in numbers {
        found.set_item(name, PyArray1::from_vec(py, numbers))?;
    }
    Ok((found, astray))
}
