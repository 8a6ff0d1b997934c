//! What is recorded of parallel robots: their legs in closed form for a pose of the platform, then the library's own
//! methods, all on expressions. Working modes are those of home.
//!
//! Where legs have no closed forms, or there are none, the function takes an assembled configuration: the positions of all
//! joints beside the pose, and the independent velocities. Tree + closures chooses its pivots at the state of recording, near
//! home, as the library does at every state; far from there they may become small.
//!
//! | file | what it is |
//! |---|---|
//! | `masses` | bodies of any parameters: kept, or regrouped among the legs and with the platform |
//! | `dynamics` | dynamics by the library's bodies, or by those |
//! | `derivatives` | of what was recorded, or of the equation that it solves |

mod derivatives;
pub(crate) mod dynamics;
pub(crate) mod masses;

use super::expr::{Expr, Recorder};
use super::kernel::{
    Argument, Kernel, Options, Refused, Report, Sample, answer, check_kept, is_derivative, kept, least, record,
};
use super::parameter::Parameter;
use super::program::Program;
use super::tree;
use appell::Robot;
use appell::closed::assembly::{InClosedForm, joints_in_closed_form};
use appell::closed::formulation::{self, Formulation};
use appell::closed::sample::ClosedState;
use appell::closed::{ClosedMechanism, Configuration, platform_jacobian, regressor};
use appell::question::closed::{accelerations, bare};
use appell::question::{Evaluator, Input, Question, State, Target};
use appell::real::{Count, Real};
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Quaternion, Vec3};
use dynamics::Dynamics;
use masses::{Exchange, Masses};

/// By which bodies an answer is recorded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The robot's, by the library's method.
    Library,
    /// The same; derivatives by the equation that the answer solves.
    LibraryByEquation,
    /// Given by their parameters, of which some may be inputs.
    Bodies,
    /// Those, regrouped.
    Regrouped(Exchange),
}

/// A program, what it costs, and what the algorithm asked for.
struct Recording {
    program: Program,
    count: Count,
    requested: Count,
}

/// Whether code can be generated that answers a question.
pub(super) const fn answers(question: Question) -> bool {
    tree::is_about_origins(question)
        || matches!(question, Question::InverseJacobian | Question::Jacobian | Question::Regressor)
}

/// What a generated function takes for a motion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// The platform's: the legs follow in closed form.
    Platform,
    /// An assembled configuration and the independent velocities.
    Assembled,
}

impl Motion {
    fn of(robot: &ClosedMechanism) -> Self {
        if InClosedForm::new(robot, 0.0).is_some() { Self::Platform } else { Self::Assembled }
    }
}

pub(super) fn generate(
    whole: &Robot,
    robot: &ClosedMechanism,
    question: Question,
    options: &Options,
) -> Result<Kernel, Refused> {
    check_kept(whole, question, &options.keep)?;
    if question == Question::Jacobian && robot.platform().is_none() {
        return Err(Refused::NoPlatform { question: question.name(), robot: robot.name().into() });
    }
    let motion = Motion::of(robot);
    if let (Motion::Assembled, Some(&parameter)) = (motion, options.keep.first()) {
        return Err(Refused::KeptWithoutForms { parameter });
    }
    let mut sample = sampled(whole, robot, question, motion)?;
    let values = options.keep.iter().map(|parameter| parameter.of(whole).expect("checked before"));
    sample.inputs.extend(values);
    let formulations = formulations(robot);
    let record = |ways: &[Way]| -> Result<Vec<Recording>, Refused> {
        let all = formulations.iter().flat_map(|&formulation| ways.iter().map(move |&way| (formulation, way)));
        let given = Inputs { question, options, motion, values: &sample.inputs };
        all.map(|(formulation, way)| recording(robot, &given, formulation, way)).collect()
    };
    let by_library = record(&[Way::Library])?;
    let general = (!is_derivative(question)).then_some(by_library[0].requested);
    let mut found = if options.keep.is_empty() { by_library } else { Vec::new() };
    let masses_matter = motion == Motion::Platform && tree::is_about_origins(question);
    if masses_matter {
        found.extend(record(&[Way::Bodies])?);
    }
    if is_derivative(question) && options.keep.is_empty() {
        found.extend(record(&[Way::LibraryByEquation])?);
    }
    let specialised = least(found.iter().map(|recording| recording.count));
    let mut regrouped = None;
    if options.regroup && masses_matter {
        let others = record(&Exchange::ALL.map(Way::Regrouped))?;
        regrouped = Some(least(others.iter().map(|recording| recording.count)));
        found.extend(others);
    }
    let generated = least(found.iter().map(|recording| recording.count));
    let program = found.into_iter().find(|recording| recording.count == generated).expect("one of them").program;
    Ok(Kernel {
        robot: robot.name().into(),
        kind: whole.kind(),
        question,
        arguments: arguments(robot, question, motion, &options.keep),
        answer: answer(question, question.columns(whole)),
        report: Report { general, specialised, regrouped, generated, angles: program.angles() },
        program,
        sample,
        notes: notes(robot, motion),
    })
}

/// The formulations that are recorded: tree + closures for robots without legs alone.
pub(crate) fn formulations(robot: &ClosedMechanism) -> Vec<Formulation> {
    let is_short = |formulation: &Formulation| *formulation != Formulation::TreeClosures || robot.legs().is_empty();
    Formulation::of(robot).iter().copied().filter(is_short).collect()
}

fn notes(robot: &ClosedMechanism, motion: Motion) -> Vec<String> {
    let freedoms = robot.freedom_names().join(" ");
    let Vec3 { x, y, z } = robot.tree().gravity();
    let mut notes = vec![format!("gravity ({x:?}, {y:?}, {z:?}) m/s^2 in the base")];
    if robot.platform().is_some() {
        notes.push(
            "base axes; the twist is that of the platform's origin; the quaternion need not have length 1".into(),
        );
    }
    notes.push(format!("independent velocities, which M, C, G and derivatives refer to: {freedoms}"));
    if motion == Motion::Assembled {
        notes.push("q and pose must close all loops: assemble them first; nothing is checked".into());
        notes.push("pivots are those of the robot's home: far from there answers may lose digits".into());
        return notes;
    }
    notes.insert(2, "every leg stays in its working mode at home".into());
    if robot.freedoms().len() < 6 {
        notes.push(
            "of twist and acceleration only the independent velocities are read; the pose must be one of the robot's"
                .into(),
        );
        notes.push("nothing is checked: out of reach the answers are NaN, near a singularity huge".into());
    }
    notes
}

fn arguments(robot: &ClosedMechanism, question: Question, motion: Motion, keep: &[Parameter]) -> Vec<Argument> {
    let argument = |name, meaning: &str, entries: &[&str]| Argument {
        name,
        meaning: meaning.into(),
        entries: entries.iter().map(|&entry| entry.to_owned()).collect(),
    };
    let pose = || {
        argument(
            "pose",
            "position of the platform's origin, m, and its attitude as a quaternion",
            &["px", "py", "pz", "qx", "qy", "qz", "qw"],
        )
    };
    let joints = Argument {
        name: "q",
        meaning: "positions of all joints of the assembled robot, rad or m".into(),
        entries: robot.tree().joint_names().iter().map(|name| format!("q.{name}")).collect(),
    };
    let freedoms = |name, meaning: &str, symbol: &str| Argument {
        name,
        meaning: meaning.into(),
        entries: (1..=robot.freedoms().len()).map(|k| format!("{symbol}{k}")).collect(),
    };
    let of = |input: &Input| match input {
        Input::Positions => pose(),
        Input::Velocities if motion == Motion::Assembled => freedoms("r", "independent velocities, m/s or rad/s", "r"),
        Input::Accelerations if motion == Motion::Assembled => {
            freedoms("rdot", "rates of the independent velocities, m/s^2 or rad/s^2", "rdot")
        }
        Input::Velocities => {
            argument("twist", "velocities of the platform, m/s and rad/s", &["vx", "vy", "vz", "wx", "wy", "wz"])
        }
        Input::Accelerations => {
            argument("acceleration", "rates of the twist, m/s^2 and rad/s^2", &["ax", "ay", "az", "ex", "ey", "ez"])
        }
        Input::Forces | Input::SecondVelocities => Argument {
            name: "tau",
            meaning: Input::Forces.meaning().replace("joint", "drives'"),
            entries: (1..=robot.driven().len()).map(|k| format!("tau{k}")).collect(),
        },
    };
    let has_pose = robot.platform().is_some();
    let inputs = question.inputs().iter().filter(|input| has_pose || **input != Input::Positions).map(of);
    (motion == Motion::Assembled).then_some(joints).into_iter().chain(inputs).chain(kept(keep)).collect()
}

/// A state near home, and what the library answers there.
fn sampled(whole: &Robot, robot: &ClosedMechanism, question: Question, motion: Motion) -> Result<Sample, Refused> {
    let state = Sampler::new(1).closed_state(robot);
    let mut evaluator = Evaluator::new(whole, question, None, Target::default()).expect("closed robots answer it");
    let mut outputs = vec![0.0; evaluator.columns().len()];
    if motion == Motion::Assembled {
        let ClosedState { at, r, r_dot, tau, .. } = &state;
        let motion = appell::question::Motion::Assembled { at, r, r_dot };
        evaluator.evaluate(&State { tau, motion, ..State::default() }, &mut outputs)?;
        return Ok(Sample { inputs: assembled(robot, question, &state), outputs });
    }
    let mut ws = formulation::Workspace::new(robot, Formulation::of(robot)[0]);
    let (u, u_dot) = formulation::motion(robot, &mut ws, &state.at, &state.r, &state.r_dot)?;
    let platform = |u: &[f64]| -> [f64; 6] { core::array::from_fn(|k| u[robot.tree().dof() + k]) };
    let (twist, acceleration, pose) = (platform(u), platform(u_dot), state.at.pose);
    let mut inputs = Vec::new();
    for input in question.inputs() {
        match input {
            Input::Positions => inputs.extend(seven(&pose)),
            Input::Velocities => inputs.extend(twist),
            Input::Accelerations => inputs.extend(acceleration),
            Input::Forces | Input::SecondVelocities => inputs.extend(&state.tau),
        }
    }
    evaluator.evaluate(&State { tau: &state.tau, ..State::platform(pose, twist, acceleration) }, &mut outputs)?;
    Ok(Sample { inputs, outputs })
}

/// A pose as generated functions take it.
pub(crate) fn seven(pose: &Pose<f64>) -> [f64; 7] {
    let ([px, py, pz], Quaternion { x, y, z, w }) = (pose.position.to_array(), Quaternion::of_rotation(&pose.rotation));
    [px, py, pz, x, y, z, w]
}

/// The inputs of a function that takes an assembled configuration.
fn assembled(robot: &ClosedMechanism, question: Question, state: &ClosedState) -> Vec<f64> {
    let mut inputs = state.at.q.clone();
    for input in question.inputs() {
        match input {
            Input::Positions if robot.platform().is_some() => inputs.extend(seven(&state.at.pose)),
            Input::Positions => {}
            Input::Velocities => inputs.extend(&state.r),
            Input::Accelerations => inputs.extend(&state.r_dot),
            Input::Forces | Input::SecondVelocities => inputs.extend(&state.tau),
        }
    }
    inputs
}

/// What a recording begins with.
struct Inputs<'a> {
    question: Question,
    options: &'a Options,
    motion: Motion,
    values: &'a [f64],
}

fn recording(
    robot: &ClosedMechanism,
    given: &Inputs<'_>,
    formulation: Formulation,
    way: Way,
) -> Result<Recording, Refused> {
    let recorder = Recorder::default();
    let numbers = record(&recorder, given.values);
    let (state, kept) = numbers.split_at(numbers.len() - given.options.keep.len());
    let masses = || {
        let kept: Vec<(Parameter, Expr<'_>)> = given.options.keep.iter().copied().zip(kept.iter().copied()).collect();
        let mut masses = Masses::of(robot, numbers[0], &kept);
        if let Way::Regrouped(exchange) = way {
            masses.regroup(robot, exchange);
        }
        masses
    };
    let is_library = matches!(way, Way::Library | Way::LibraryByEquation);
    let (joints, state) = match given.motion {
        Motion::Platform => (None, state),
        Motion::Assembled => {
            let (joints, state) = state.split_at(robot.tree().dof());
            (Some(joints), state)
        }
    };
    let pose = match state {
        &[px, py, pz, x, y, z, w, ..] if robot.platform().is_some() => {
            Pose { position: Vec3::new(px, py, pz), rotation: rotation([x, y, z, w]) }
        }
        _ => Pose::identity(numbers[0]),
    };
    let in_closed_form = || {
        let found = joints_in_closed_form(robot, &pose);
        found.unwrap_or_else(|leg| unreachable!("leg {} has a closed form, and home is in reach", leg.name))
    };
    let q = joints.map_or_else(in_closed_form, <[_]>::to_vec);
    let masses = (!is_library).then(masses);
    let mut dynamics = Dynamics::new(robot, Configuration { q, pose }, formulation, masses);
    let answer = computed(&mut dynamics, given, joints.unwrap_or_default(), state, way != Way::Library)?;
    let program = recorder.program(&answer);
    Ok(Recording { count: program.count(), program, requested: recorder.requested() })
}

/// Answers a question from its arguments, one after the other.
fn computed<'g>(
    dynamics: &mut Dynamics<'_, 'g>,
    given: &Inputs<'_>,
    joints: &[Expr<'g>],
    inputs: &[Expr<'g>],
    by_equation: bool,
) -> Result<Vec<Expr<'g>>, Refused> {
    let question = given.question;
    let (robot, rest, zero) = (dynamics.robot, dynamics.rest(), dynamics.at.pose.position.x.zero());
    let (mut pose, mut r, mut r_dot, mut tau): (&[Expr<'g>], _, _, &[Expr<'g>]) =
        (&[], rest.clone(), rest.clone(), &[]);
    let independent = |rates: &[Expr<'g>]| match given.motion {
        Motion::Platform => robot.freedoms().iter().map(|&k| rates[k - robot.tree().dof()]).collect(),
        Motion::Assembled => rates.to_vec(),
    };
    let of_motion = if given.motion == Motion::Platform { 6 } else { robot.freedoms().len() };
    let mut left = inputs;
    let mut take = |many: usize| {
        let (taken, others) = left.split_at(many);
        left = others;
        taken
    };
    for input in question.inputs() {
        match input {
            Input::Positions => pose = take(if robot.platform().is_some() { 7 } else { 0 }),
            Input::Velocities => r = independent(take(of_motion)),
            Input::Accelerations => r_dot = independent(take(of_motion)),
            Input::Forces | Input::SecondVelocities => tau = take(robot.driven().len()),
        }
    }
    let at = [joints, pose];
    Ok(match question {
        Question::InverseDynamics => dynamics.efforts(&r, &r_dot)?,
        Question::ForwardDynamics => {
            let r_dot = dynamics.rates(&r, tau)?;
            let of_platform = if robot.platform().is_some() { 6 } else { 0 };
            let mut row = vec![zero; of_platform + robot.driven().len()];
            accelerations(robot, &dynamics.accelerations(&r, &r_dot)?, &mut row);
            row
        }
        Question::InertiaMatrix => dynamics.inertia()?,
        Question::Bias => dynamics.generalised_forces(robot, &r, &rest)?,
        Question::Gravity => dynamics.generalised_forces(&bare(robot), &rest, &rest)?,
        Question::CoriolisVector => {
            dynamics.generalised_forces(&bare(robot).with_gravity(Vec3::default()), &r, &rest)?
        }
        Question::InverseJacobian => dynamics.inverse_jacobian()?,
        Question::Jacobian => {
            let mut ws = platform_jacobian::Workspace::with_scalar(robot, dynamics.formulation, zero);
            platform_jacobian::jacobian(robot, &mut ws, &dynamics.at)?.to_vec()
        }
        Question::Regressor => {
            let mut ws = regressor::Workspace::with_scalar(robot, dynamics.formulation, zero);
            regressor::regressor(robot, &mut ws, &dynamics.at, &r, &r_dot)?.to_vec()
        }
        // Redundant drives share by more than the equation tells.
        Question::InverseDynamicsDerivatives if by_equation && robot.driven().len() == r.len() => {
            derivatives::of_efforts(dynamics, [&r, &r_dot], at)?
        }
        Question::InverseDynamicsDerivatives => {
            let efforts = dynamics.efforts(&r, &r_dot)?;
            derivatives::of_answer(dynamics, &efforts, at, [&r, &r_dot])?
        }
        Question::ForwardDynamicsDerivatives if by_equation => derivatives::of_rates(dynamics, [&r, tau], at)?,
        Question::ForwardDynamicsDerivatives => {
            let rates = dynamics.rates(&r, tau)?;
            derivatives::of_answer(dynamics, &rates, at, [&r, tau])?
        }
        other => unreachable!("`answers` refuses {}", other.name()),
    })
}

/// The rotation of a quaternion of any length.
pub(crate) fn rotation<T: Real>([x, y, z, w]: [T; 4]) -> Mat3<T> {
    let (one, two) = (w.constant(1.0), w.constant(2.0));
    let s = two / (x * x + y * y + (z * z + w * w));
    let off = |p: T, q: T| s * (p + q);
    Mat3::from_rows([
        Vec3::new(one - off(y * y, z * z), off(x * y, -(z * w)), off(x * z, y * w)),
        Vec3::new(off(x * y, z * w), one - off(x * x, z * z), off(y * z, -(x * w))),
        Vec3::new(off(x * z, -(y * w)), off(y * z, x * w), one - off(x * x, y * y)),
    ])
}
