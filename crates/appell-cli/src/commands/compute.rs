//! `appell compute`: a question answered for every state of a table.

use crate::interrupt;
use crate::listing::counted;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::robot;
use crate::table::{Format, RowWriter, StateTable};
use anyhow::{Context, bail, ensure};
use appell::description::BASE;
use appell::mechanism::{Axes, Mechanism};
use appell::question::{Evaluator, Input, Question, Target, methods};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Answer a question for every state of a table: one row in, one row out.
///
/// The table is CSV with a header. Its columns are the joints' positions q1 q2 … (rad, m), velocities v1 … (rad/s,
/// m/s), accelerations a1 … (rad/s², m/s²) and forces tau1 … (N m, N), in any order; a joint may go by its name, as
/// in q.elbow. A column t (s) passes through. Columns that the question does not read are ignored.
///
/// Tables of any length stream through. The output file appears when all rows are done, and may replace the input.
/// With --json the output is one JSON object a row.
#[derive(clap::Args)]
#[command(after_long_help = questions_and_methods())]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// What to compute, by its name in the list of `appell compute --help`
    #[arg(value_parser = question_parser(), hide_possible_values = true)]
    question: Question,
    /// A built-in robot's name, or the path of a robot's file
    robot: PathBuf,
    /// The table of states; - is stdin
    #[arg(long, value_name = "IN.csv")]
    states: PathBuf,
    /// The table of answers; stdout if not given
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
    /// The method; the question's first if not given
    #[arg(long)]
    method: Option<String>,
    /// The frame that jacobian and jacobian-rate are about; the last of the robot's frames if not given
    #[arg(long)]
    frame: Option<String>,
    /// The frame whose axes their components refer to; base if not given
    #[arg(long, value_name = "FRAME")]
    axes: Option<String>,
}

const EXAMPLE: &str = "Example: appell compute inverse-dynamics puma560 --states motion.csv --out torques.csv";

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = robot::load(&args.robot)?.mechanism;
    let target = target(args, &robot)?;
    let mut evaluator = Evaluator::new(&robot, args.question, args.method.as_deref(), target)?;
    let name = if args.states == Path::new("-") { "stdin".into() } else { args.states.display().to_string() };
    let mut table = StateTable::open(&args.states, &robot, args.question).with_context(|| name.clone())?;

    let path = args.out.as_deref().filter(|path| *path != Path::new("-"));
    let format = if json { Format::JsonLines } else { Format::Csv };
    let mut columns = evaluator.columns().to_vec();
    if table.time().is_some() {
        columns.insert(0, "t".into());
    }
    let mut writer = RowWriter::new(Output::create(path, stdout)?, format, &columns)?;
    let mut progress = Progress::start(table.work(), path.is_none() && io::stdout().is_terminal());
    let mut answer = vec![0.0; evaluator.columns().len()];
    if path.is_some() {
        interrupt::listen();
    }
    while table.advance().with_context(|| name.clone())? {
        interrupt::check()?;
        answer_row(&mut evaluator, &table, &mut answer).with_context(|| format!("{name}: line {}", table.line()))?;
        let numbers = table.time().into_iter().chain(answer.iter().copied());
        writer.write(numbers).context("cannot write the answers")?;
        progress.reach(table.done());
    }
    writer.into_inner().finish()?;
    drop(progress);
    if let Some(path) = path {
        let rows = counted(table.rows(), "row");
        let (question, method) = (args.question.name(), evaluator.method().name);
        output::note(format_args!("{}: {rows}, {question} of {} by {method}", path.display(), robot.name()));
    }
    Ok(true)
}

/// Evaluates the row of the table. Huge numbers overflow, and no table shall hold a NaN.
fn answer_row(evaluator: &mut Evaluator<'_>, table: &StateTable, answer: &mut [f64]) -> anyhow::Result<()> {
    evaluator.evaluate(table.state(), answer)?;
    if let Some(column) = answer.iter().position(|number| !number.is_finite()) {
        bail!("`{}` overflows; the numbers of this state are too large", evaluator.columns()[column]);
    }
    Ok(())
}

/// The frame a question is about, and the axes, from their names.
fn target(args: &Args, robot: &Mechanism) -> anyhow::Result<Target> {
    let known = || robot.frames().iter().map(|frame| frame.name.as_str()).collect::<Vec<_>>().join(", ");
    let name = args.question.name();
    ensure!(
        args.question.is_about_one_frame() || (args.frame.is_none() && args.axes.is_none()),
        "{name} is not about one frame; leave out --frame and --axes, or ask for jacobian or jacobian-rate"
    );
    let frame = match &args.frame {
        None => None,
        Some(name) => Some(robot.frame(name).with_context(|| format!("no frame `{name}`; frames are {}", known()))?),
    };
    let axes = match &args.axes {
        None => Axes::Base,
        Some(name) => robot.axes(name).with_context(|| format!("no axes `{name}`; frames are {BASE}, {}", known()))?,
    };
    Ok(Target { frame, axes })
}

/// Reads a question by its name; clap lists the names if it is none.
fn question_parser() -> impl TypedValueParser<Value = Question> {
    PossibleValuesParser::new(Question::ALL.map(Question::name))
        .map(|name| Question::find(&name).expect("clap lets only the names of questions pass"))
}

/// All questions with what they read and their methods, for the long help.
fn questions_and_methods() -> String {
    let mut text = String::from("Questions, the vectors they read, and their methods, the default first:\n");
    for question in Question::ALL {
        let inputs = question.inputs().iter().copied().map(Input::symbol).collect::<Vec<_>>().join(", ");
        text += &format!("\n  {} ({inputs}): {}\n", question.name(), question.summary());
        for method in methods(question) {
            text += &format!("    {:<25}  {}\n", method.name, method.summary);
        }
    }
    text + "\n" + EXAMPLE
}
