//! One question of one robot as a program: its arguments, its answer, what it costs, and a state to test it with.

use super::expr::{Expr, Recorder};
use super::parameter::Parameter;
use super::program::Program;
use super::support::answers;
use super::tree;
use appell::closed::SingularError;
use appell::dynamics::InertiaError;
use appell::mechanism::{Axes, Mechanism};
use appell::question::{AnswerError, Evaluator, Input, Question, State, Target};
use appell::real::Count;
use appell::sample::Sampler;
use appell::spatial::Vec3;
use appell::{Kind, Model, Robot};

/// What may be chosen.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether bodies may be regrouped into fewer parameters: the same answers for fewer operations.
    pub regroup: bool,
    /// Parameters that stay inputs.
    pub keep: Vec<Parameter>,
    /// The frame that a Jacobian is of.
    pub target: Target,
}

impl Default for Options {
    fn default() -> Self {
        Self { regroup: true, keep: Vec::new(), target: Target::default() }
    }
}

/// A vector or matrix that a generated function reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name in the code.
    pub name: &'static str,
    /// What it is, with units.
    pub meaning: String,
    /// The names of its entries, matrices row by row.
    pub entries: Vec<String>,
}

/// Operations of one evaluation, on the way to the generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// Of the algorithm for any robot of this structure, multiplications by stored zeros included; none of derivatives of
    /// closed robots, which are those of what was recorded.
    pub general: Option<Count>,
    /// With the robot's numbers put in.
    pub specialised: Count,
    /// With its bodies regrouped, where the question allows it and it was asked for.
    pub regrouped: Option<Count>,
    /// Of the code: the least of them.
    pub generated: Count,
    /// Angles that it takes sine or cosine of.
    pub angles: usize,
}

/// Inputs, and what the library answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// All arguments, one after the other.
    pub inputs: Vec<f64>,
    /// The answer.
    pub outputs: Vec<f64>,
}

/// A program with all that its code needs to say about itself.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// The robot's name.
    pub robot: String,
    /// What kind of robot it is.
    pub kind: Kind,
    /// The question.
    pub question: Question,
    /// What it reads, in order.
    pub arguments: Vec<Argument>,
    /// What it writes.
    pub answer: Argument,
    /// The computation.
    pub program: Program,
    /// What it costs.
    pub report: Report,
    /// A state to test it with.
    pub sample: Sample,
    /// Further remarks for who uses it.
    pub notes: Vec<String>,
}

/// Why no code is generated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Refused {
    #[error("no code can be generated for {question} of a {kind} robot; {known} can be had")]
    Question { question: &'static str, kind: &'static str, known: String },
    #[error("`{parameter}` cannot stay an input of a robot with quaternions, screws or coupled followers")]
    KeptOfRows { parameter: Parameter },
    #[error(
        "{question} is of a platform, and {robot} has none; name its output: the frame that is meant, or `output` in its file"
    )]
    NoPlatform { question: &'static str, robot: String },
    #[error(
        "`{parameter}` cannot stay an input: all numbers of a robot whose legs have no closed forms are written into its code"
    )]
    KeptWithoutForms { parameter: Parameter },
    #[error("`{parameter}` is to stay an input twice; name it once")]
    Twice { parameter: Parameter },
    #[error("`{parameter}` cannot stay an input: the robot has {bodies} bodies{}", if *.platform { " and a platform, P" } else { "" })]
    NoBody { parameter: Parameter, bodies: usize, platform: bool },
    #[error("`{parameter}` cannot stay an input of {question}; parameters are kept in {known}")]
    NotKept { parameter: Parameter, question: &'static str, known: String },
    #[error(transparent)]
    Asked(#[from] appell::question::Refused),
    #[error("the state at which the code would be recorded has no answer")]
    Inertia(#[from] InertiaError),
    #[error("the state at which the code would be recorded has no answer")]
    Singular(#[from] SingularError),
    #[error("the state at which the code would be recorded has no answer")]
    Answer(#[from] AnswerError),
}

/// Generates the code of a question of a robot.
///
/// ```
/// use appell::{Question, Robot};
/// use appell_codegen::{Options, generate};
///
/// let robot = Robot::builtin("puma560")?;
/// let kernel = generate(&robot, Question::InverseDynamics, &Options::default())?;
/// assert!(kernel.report.generated.multiplications <= 160 && kernel.report.generated.additions <= 125);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the question has no code for robots of this kind, or a parameter cannot stay an input.
pub fn generate(robot: &Robot, question: Question, options: &Options) -> Result<Kernel, Refused> {
    let kind = robot.kind();
    if !answers(kind, question) {
        return Err(Refused::Question {
            question: question.name(),
            kind: kind.name(),
            known: names(|question| answers(kind, question)),
        });
    }
    match robot.model() {
        Model::Tree(tree) => of_tree(robot, tree, question, options),
        Model::Closed(closed) => super::closed::generate(robot, closed, question, options),
    }
}

/// Whether an answer is differentiated after it was recorded.
pub(super) const fn is_derivative(question: Question) -> bool {
    matches!(question, Question::InverseDynamicsDerivatives | Question::ForwardDynamicsDerivatives)
}

/// The names of some questions, in a sentence.
fn names(has: impl Fn(Question) -> bool) -> String {
    Question::ALL.into_iter().filter(|&question| has(question)).map(Question::name).collect::<Vec<_>>().join(", ")
}

/// A program with what it costs.
fn recorded(recorder: &Recorder, answer: &[Expr<'_>]) -> (Program, Count) {
    let program = recorder.program(answer);
    let count = program.count();
    (program, count)
}

fn of_tree(whole: &Robot, robot: &Mechanism, question: Question, options: &Options) -> Result<Kernel, Refused> {
    check_kept(whole, question, &options.keep)?;
    let mut evaluator = Evaluator::new(whole, question, None, options.target)?;
    let is_of_rows = robot.coordinates().is_none();
    if let Some(&parameter) = options.keep.first().filter(|_| !is_of_rows) {
        return Err(Refused::KeptOfRows { parameter });
    }
    let state = Sampler::new(1).state(robot);
    let state = State { q: &state.q, v: &state.v, a: &state.a, tau: &state.tau, w: &state.a, ..State::default() };
    let mut inputs: Vec<f64> = question.inputs().iter().flat_map(|&input| state.vector(input).to_vec()).collect();
    inputs.extend(options.keep.iter().map(|parameter| parameter.of(whole).expect("checked before")));
    let mut found: Vec<(Program, Count)> = Vec::new();
    let recorder = Recorder::default();
    let numbers = record(&recorder, &inputs);
    let expressions = tree::by_default(robot, question, options.target, tree::split(question, robot, &numbers))?;
    let general = Some(recorder.requested());
    if options.keep.is_empty() {
        found.push(recorded(&recorder, &expressions));
    }
    if is_of_rows && (tree::is_about_origins(question) || question == Question::Regressor) {
        found.push(about_origins(robot, question, options, &inputs, false)?);
    }
    let specialised = least(found.iter().map(|(_, count)| *count));
    let mut regrouped = None;
    if is_of_rows && options.regroup && tree::is_about_origins(question) {
        let program = about_origins(robot, question, options, &inputs, true)?;
        regrouped = Some(program.1);
        found.push(program);
    }
    let best = least(found.iter().map(|(_, count)| *count));
    let (program, generated) = found.into_iter().find(|(_, count)| *count == best).expect("one of them");
    let mut outputs = vec![0.0; evaluator.columns().len()];
    evaluator.evaluate(&state, &mut outputs)?;
    let Vec3 { x, y, z } = robot.gravity();
    let mut notes = vec![format!("gravity ({x:?}, {y:?}, {z:?}) m/s^2 in the base")];
    if question.is_about_one_frame() {
        let axes = match options.target.axes {
            Axes::Base => "the base",
            Axes::Frame(frame) => &robot.frames()[frame].name,
        };
        let frame = &robot.frames()[options.target.frame_of(robot)].name;
        notes.push(format!("about the frame {frame}, in the axes of {axes}"));
    }
    if is_of_rows && robot.followers().iter().any(Option::is_some) {
        notes.push("joints that follow others are taken as free".into());
    }
    Ok(Kernel {
        robot: robot.name().into(),
        kind: whole.kind(),
        question,
        arguments: arguments(robot, question, &options.keep),
        answer: answer(question, evaluator.columns().to_vec()),
        report: Report { general, specialised, regrouped, generated, angles: program.angles() },
        program,
        sample: Sample { inputs, outputs },
        notes,
    })
}

/// All inputs as expressions.
pub(super) fn record<'g>(recorder: &'g Recorder, inputs: &[f64]) -> Vec<Expr<'g>> {
    inputs.iter().enumerate().map(|(place, &value)| recorder.input(place, value)).collect()
}

/// The least of some costs.
pub(super) fn least(costs: impl Iterator<Item = Count>) -> Count {
    costs.min_by_key(|count| count.multiplications + count.additions).expect("at least one program")
}

/// The program about the links' origins.
fn about_origins(
    robot: &Mechanism,
    question: Question,
    options: &Options,
    inputs: &[f64],
    regroup: bool,
) -> Result<(Program, Count), Refused> {
    let recorder = Recorder::default();
    let numbers = record(&recorder, inputs);
    let (state, kept) = numbers.split_at(numbers.len() - options.keep.len());
    let kept: Vec<(Parameter, Expr<'_>)> = options.keep.iter().copied().zip(kept.iter().copied()).collect();
    let mut bodies = tree::bodies(robot, numbers[0], &kept);
    if regroup {
        bodies.regroup(robot);
    }
    let answer = tree::about_origins(robot, &bodies, question, tree::split(question, robot, state))?;
    Ok(recorded(&recorder, &answer))
}

/// Refuses parameters that the robot has not, or that the question does not depend on.
pub(super) fn check_kept(robot: &Robot, question: Question, keep: &[Parameter]) -> Result<(), Refused> {
    for (place, &parameter) in keep.iter().enumerate() {
        if keep[..place].contains(&parameter) {
            return Err(Refused::Twice { parameter });
        }
        if parameter.of(robot).is_none() {
            let (bodies, platform) = (robot.tree().dof(), robot.platform().is_some());
            return Err(Refused::NoBody { parameter, bodies, platform });
        }
        if !tree::is_about_origins(question) {
            let known = names(tree::is_about_origins);
            return Err(Refused::NotKept { parameter, question: question.name(), known });
        }
    }
    Ok(())
}

/// The argument of the parameters that are kept.
pub(super) fn kept(keep: &[Parameter]) -> Option<Argument> {
    (!keep.is_empty()).then(|| Argument {
        name: "p",
        meaning: "parameters of bodies in their own frames, kg, m, kg m^2 about the centre of mass".into(),
        entries: keep.iter().map(Parameter::to_string).collect(),
    })
}

fn arguments(robot: &Mechanism, question: Question, keep: &[Parameter]) -> Vec<Argument> {
    let numbered = |input: &Input| {
        let names = if *input == Input::Positions { robot.positions() } else { robot.velocities() };
        (1..=names.len()).map(|j| format!("{}{j}", input.symbol())).collect()
    };
    let mut arguments: Vec<Argument> = question
        .inputs()
        .iter()
        .map(|input| Argument { name: input.symbol(), meaning: input.meaning().into(), entries: numbered(input) })
        .collect();
    arguments.extend(kept(keep));
    arguments
}

/// What a function writes.
pub(super) fn answer(question: Question, entries: Vec<String>) -> Argument {
    let name = match question {
        Question::InverseDynamics | Question::MotorTorques => "tau",
        Question::ForwardDynamics => "a",
        Question::InertiaMatrix => "M",
        Question::Bias => "b",
        Question::Gravity => "g",
        Question::CoriolisVector => "c",
        Question::CoriolisMatrix => "C",
        Question::Regressor => "Y",
        Question::Jacobian | Question::InverseJacobian => "J",
        _ => "d",
    };
    Argument { name, meaning: question.summary().into(), entries }
}
