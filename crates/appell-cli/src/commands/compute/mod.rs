//! `appell compute`: a question answered for every state of a table.

mod blocks;
mod closed;
mod nearness;

use crate::robot;
use crate::table::{self, Answers, StateTable, StatesTable, Table};
use anyhow::{Context, bail, ensure};
use appell::Model;
use appell::description::JointEffects;
use appell::dynamics::coupling::Coupling;
use appell::mechanism::{Axes, Mechanism};
use appell::question::{Evaluator, Input, Method, Question, Target};
use appell::spatial::EulerAngles;
use appell_batch::Batch;
use appell_drawing::listing::{counted, list};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nearness::Nearness;
use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;

/// Answer a question for every state of a table: one row in, one row out.
///
/// The table is CSV with a header. Its columns are the joints' positions q1 q2 … (rad, m), velocities v1 … (rad/s,
/// m/s), accelerations a1 … (rad/s², m/s²) and forces tau1 … (N m, N), and w1 … (rad/s, m/s) where a second velocity is asked for, in any order; a joint may go by its name, as
/// in q.elbow. A column t (s) passes through. Of these, what the question does not read is ignored.
///
/// Inverse and forward dynamics, bias and reactions also read external wrenches: tool.fx tool.fy tool.fz (N) and
/// tool.mx … (N m) act at the origin of the frame `tool`, with components in base axes. What is not given is zero.
///
/// Of a robot with closed loops the table gives the platform's motion: its pose px py pz (m) qx qy qz qw, its twist
/// vx vy vz (m/s, of its origin) wx wy wz (rad/s), and their rates ax ay az ex ey ez, all in base axes; of twist and
/// acceleration the robot's independent velocities are needed (`appell show` names them), others must fit where they
/// are there; of actuated, joints and platform the positions are enough, and velocities and accelerations are answered
/// where they are given. Or it gives the driven joints' motion: q1 q2 … v1 … a1 … of these alone, which are not read
/// where the pose is given, too; tau1 … are their torques and forces. With --angles the attitude is given as Euler
/// angles angle1 angle2 angle3 (rad), turns about z, y and x of a 321 or z, y and z of a zyz sequence, each axis
/// carried by the turns before, and instead of wx … and ex … as rate1 … and accel1 …; position columns may be left out
/// of a robot that can only turn. Answers stay in angular velocities; M, C, b, g, c are projected onto the independent
/// velocities. In a table with t each row goes on from the one before; without t every row begins at home.
///
/// Tables of any length stream through; files in blocks of rows, in SIMD lanes and on all cores (RAYON_NUM_THREADS sets how many);
/// row by row are answered stdin, rows with wrenches, other methods than the first, coupled joints, least squares and preloads, singularities, and of closed robots
/// tables with t. Both may differ in the last digits, as do states of closed robots beside one that must be searched for; the number of cores changes none.
/// Positions of drives take a search of some 0.1 ms a row, a pose of legs in closed form a hundredth of it.
/// The output file appears when all rows are done, and may replace the input.
/// With --json the output is one JSON object per row. Where the table names joints, as in q.elbow, or with --named, so
/// do the answers: tau.elbow, M.shoulder.elbow, dtau.shoulder_dq.elbow.
///
/// Torques of a robot with closed loops beside a singularity, where a condition number is beyond 1e6, are warned of once: how many
/// rows, the first of them, and whether it is nearest to Type 1, Type 2 or a constraint singularity.
#[derive(clap::Args)]
#[command(after_long_help = questions_and_methods())]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// What to compute, by its name in the list of `appell compute --help`
    #[arg(value_parser = question_parser(), hide_possible_values = true)]
    question: Question,
    #[command(flatten)]
    robot: robot::Choice,
    /// The table of states; - is stdin
    #[arg(long, value_name = "IN.csv")]
    states: PathBuf,
    /// The table of answers; stdout if not given
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
    /// Name the columns of the answers by joints, tau.elbow, not by numbers, tau2
    #[arg(long)]
    named: bool,
    /// The method; the question's first if not given
    #[arg(long)]
    method: Option<String>,
    /// The frame that jacobian, jacobian-rate and singularity are about; the last of the robot's frames if not given
    #[arg(long)]
    frame: Option<String>,
    /// The frame whose axes the components of a Jacobian refer to; base if not given
    #[arg(long, value_name = "FRAME")]
    axes: Option<String>,
    /// Leave out friction, rotor or spring of all joints, or of one: friction.elbow; several with commas
    #[arg(long, value_name = "EFFECT[.JOINT]", value_delimiter = ',')]
    without: Vec<String>,
    /// Closed robots: where the drives cannot hold the robot, answer with the least-squares torques and forces
    /// instead of an error
    #[arg(long)]
    least_squares: bool,
    /// Closed robots: relative strength of each drive, where there are more drives than degrees of freedom
    #[arg(long, value_name = "S1,S2,…", value_delimiter = ',')]
    strengths: Vec<f64>,
    /// Closed robots: preload of redundant drives, their torques and forces without any load, N m or N
    #[arg(long, value_name = "TAU1,TAU2,…", value_delimiter = ',', allow_hyphen_values = true)]
    preload: Vec<f64>,
    /// Closed robots: a point mass on the platform, kg, and where it is in the platform's frame, m
    #[arg(long, value_name = "MASS[,X,Y,Z]", value_delimiter = ',', allow_hyphen_values = true)]
    payload: Option<Vec<f64>>,
    /// Closed robots: the table gives the platform's attitude in these Euler angles
    #[arg(long, value_parser = angles_parser())]
    angles: Option<EulerAngles>,
    /// Let joints that mimic others follow them: their columns are not read, and forces are those of the leaders
    #[arg(long)]
    coupled: bool,
}

const EXAMPLE: &str = "Example: appell compute inverse-dynamics puma560 --states motion.csv --out torques.csv";

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load()?;
    match robot.model() {
        Model::Tree(tree) => open(args, tree, json, stdout),
        Model::Closed(closed) => closed::run(args, closed, json, stdout),
    }
}

fn open(args: &Args, robot: &Mechanism, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    ensure!(
        !args.question.is_of_closed_robots(),
        "{} is asked of robots with closed loops, and {} has none",
        args.question.name(),
        robot.name()
    );
    ensure!(
        !args.least_squares
            && args.strengths.is_empty()
            && args.preload.is_empty()
            && args.payload.is_none()
            && args.angles.is_none(),
        "--least-squares, --strengths, --preload, --payload and --angles are for robots with closed loops"
    );
    let robot = leave_out(robot, &args.without)?;
    let target = target(args, &robot)?;
    let coupling = if args.coupled { Some(Coupling::of(&robot)?) } else { None };
    let evaluator = Evaluator::new(&robot, args.question, args.method.as_deref(), target)?;
    let evaluator = match &coupling {
        Some(coupling) => evaluator.coupled(coupling)?,
        None => evaluator,
    };
    let mut table = StateTable::open(&args.states, &robot, args.question, coupling.as_ref())
        .with_context(|| table::shown(&args.states))?;
    let header = header(&evaluator, args.named || table.is_named(), |columns| columns);
    let is_one_by_one = coupling.is_some() || table.has_wrenches();
    answer(args, json, stdout, &mut table, Asked { evaluator, header, is_one_by_one, of_platform: false })
}

/// A question that is ready for the rows of a table.
struct Asked {
    evaluator: Evaluator,
    /// Names of the first columns of its answers, those that are written.
    header: Vec<String>,
    /// Whether a row is more than a state that begins at home.
    is_one_by_one: bool,
    /// Whether the table gives the platform's motion.
    of_platform: bool,
}

/// Names of the columns that are written.
fn header(evaluator: &Evaluator, named: bool, answered: impl Fn(usize) -> usize) -> Vec<String> {
    let mut header = if named { evaluator.named_columns() } else { evaluator.columns().to_vec() };
    header.truncate(answered(header.len()));
    header
}

/// Answers every row of a table: in blocks where each is a state by itself and the method the default. A stream is answered
/// row by row, because someone may wait for every answer.
fn answer<T: StatesTable>(
    args: &Args,
    json: bool,
    stdout: &mut dyn Write,
    table: &mut T,
    Asked { mut evaluator, header, is_one_by_one, of_platform }: Asked,
) -> anyhow::Result<bool> {
    let (columns, robot) = (evaluator.columns().to_vec(), evaluator.robot().clone());
    let mut nearness = Nearness::of(&robot, args.question);
    let name = table::shown(&args.states);
    let is_default = args.question.methods(&robot)[0].name == evaluator.method().name;
    if is_default && !is_one_by_one && !table::is_stream(&args.states) {
        let target = if robot.closed().is_some() { Target::default() } else { target(args, robot.tree())? };
        let batch = Batch::about(&robot, args.question, target)?;
        let rows = blocks::Rows { batch: &batch, of_platform, nearness: RefCell::new(nearness) };
        let answered = blocks::stream(args, json, stdout, table, (&columns, &header), &rows)?;
        rows.nearness.borrow().iter().for_each(|nearness| nearness.report(&name));
        return answered.finish(args, robot.name(), batch.method().name);
    }
    let answered = stream(args, json, stdout, table, (&columns, &header), |table, answer| {
        let state = table.state()?;
        if let Some(nearness) = &mut nearness {
            nearness.look(&state, table.line());
        }
        Ok(evaluator.evaluate(&state, answer)?)
    })?;
    nearness.iter().for_each(|nearness| nearness.report(&name));
    answered.finish(args, robot.name(), evaluator.method().name)
}

/// Answers every row of a table with one row of these columns, under names for the first of them. Huge numbers overflow,
/// and no table shall hold a NaN.
fn stream<'o, T: Table>(
    args: &'o Args,
    json: bool,
    stdout: &'o mut dyn Write,
    table: &mut T,
    (columns, names): (&[String], &[String]),
    mut evaluate: impl FnMut(&T, &mut [f64]) -> anyhow::Result<()>,
) -> anyhow::Result<Answered<'o>> {
    let name = table::shown(&args.states);
    let time = table.time().map(|_| "t".into());
    let header: Vec<String> = time.into_iter().chain(names.iter().cloned()).collect();
    let mut answers = Answers::start(args.out.as_deref(), stdout, json, &header, table.work())?;
    let mut answer = vec![0.0; columns.len()];
    while table.advance().with_context(|| name.clone())? {
        evaluate(table, &mut answer)
            .and_then(|()| refuse_overflow(columns, &answer))
            .with_context(|| format!("{name}: line {}", table.line()))?;
        answers.write(table.time().into_iter().chain(answer[..names.len()].iter().copied()))?;
        answers.reach(table.done());
    }
    Ok(Answered { answers, rows: table.rows() })
}

/// A table of answers that is complete but for its name.
struct Answered<'o> {
    answers: Answers<'o>,
    rows: usize,
}

impl Answered<'_> {
    /// Gives the file its name, and says what it is.
    fn finish(self, args: &Args, robot: &str, method: &str) -> anyhow::Result<bool> {
        let (rows, question) = (counted(self.rows, "row"), args.question.name());
        self.answers.finish(format_args!("{rows}, {question} of {robot} by {method}"))?;
        Ok(true)
    }
}

fn refuse_overflow(columns: &[String], answer: &[f64]) -> anyhow::Result<()> {
    match answer.iter().position(|number| !number.is_finite()) {
        Some(column) => {
            bail!("`{}` overflows; the numbers of the state or of the robot are too large", columns[column])
        }
        None => Ok(()),
    }
}

/// The robot without some effects in some of its joints.
fn leave_out(robot: &Mechanism, effects: &[String]) -> anyhow::Result<Mechanism> {
    let mut robot = robot.clone();
    for text in effects {
        let (effect, joint) =
            text.split_once('.').map_or((text.as_str(), None), |(effect, joint)| (effect, Some(joint)));
        ensure!(
            joint.is_none_or(|joint| robot.joint_names().iter().any(|name| name == joint)),
            "--without {text}: there is no such joint; joints are {}",
            list(robot.joint_names())
        );
        let none = JointEffects::default();
        let change: fn(&mut JointEffects, JointEffects) = match effect {
            "friction" => |effects, none| effects.friction = none.friction,
            "rotor" => |effects, none| effects.rotor = none.rotor,
            "spring" => |effects, none| effects.spring = none.spring,
            _ => bail!("--without {text}: effects are friction, rotor and spring, of a joint as in friction.elbow"),
        };
        robot = robot.with_effects(|name, mut effects| {
            if joint.is_none_or(|joint| joint == name) {
                change(&mut effects, none);
            }
            effects
        });
    }
    Ok(robot)
}

/// The frame a question is about, and the axes, from their names.
fn target(args: &Args, robot: &Mechanism) -> anyhow::Result<Target> {
    let name = args.question.name();
    ensure!(
        args.question.is_about_one_frame() || (args.frame.is_none() && args.axes.is_none()),
        "{name} is not about one frame; leave out --frame and --axes, or ask for jacobian, jacobian-rate or singularity"
    );
    let frame = args.frame.as_deref().map(|name| robot::frame(robot, name)).transpose()?;
    let axes = args.axes.as_deref().map_or(Ok(Axes::Base), |name| robot::axes(robot, name))?;
    Ok(Target { frame, axes })
}

/// Reads a question by its name; clap lists the names if it is none.
pub(crate) fn question_parser() -> impl TypedValueParser<Value = Question> {
    PossibleValuesParser::new(Question::ALL.map(Question::name))
        .map(|name| Question::find(&name).expect("clap lets only the names of questions pass"))
}

fn angles_parser() -> impl TypedValueParser<Value = EulerAngles> {
    PossibleValuesParser::new(EulerAngles::ALL.map(EulerAngles::name))
        .map(|name| EulerAngles::find(&name).expect("clap lets only the names of angles pass"))
}

/// All questions with what they read and their methods, for the long help.
fn questions_and_methods() -> String {
    let mut text = String::from(
        "Questions, the vectors they read, and their methods, the default first; of robots with closed loops after a colon:\n",
    );
    let mut of_closed: Vec<&Method> = Vec::new();
    for question in Question::ALL {
        let inputs = question.inputs().iter().copied().map(Input::symbol).collect::<Vec<_>>().join(", ");
        text += &format!("\n  {} ({inputs}): {}\n", question.name(), question.summary());
        for method in question.row().open {
            text += &format!("    {:<25}  {}\n", method.name, method.summary);
        }
        let closed = question.row().closed;
        for method in closed {
            if of_closed.iter().all(|known| known.name != method.name) {
                of_closed.push(method);
            }
        }
        if !closed.is_empty() {
            text += &format!("    : {}\n", closed.iter().map(|method| method.name).collect::<Vec<_>>().join(", "));
        }
    }
    text += "\nThe methods for robots with closed loops, the first for those of legs and a platform alone:\n\n";
    for method in of_closed {
        text += &format!("    {:<25}  {}\n", method.name, method.summary);
    }
    text + "\n" + EXAMPLE
}
