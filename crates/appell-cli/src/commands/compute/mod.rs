//! `appell compute`: a question answered for every state of a table.

mod blocks;
mod closed;
mod modes;
mod nearness;

use crate::arguments;
use crate::robot;
use crate::table::{self, Answers, StateTable};
use anyhow::{Context, bail, ensure};
use appell::description::JointEffects;
use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Input, Method, Question};
use appell::spatial::{EulerAngles, Sym3};
use appell::{Model, Robot};
use appell_batch::Batch;
use appell_device::{Device, OnDevice};
use appell_drawing::listing::{counted, list};
use blocks::Worker;
use modes::{Modes, Undecided};
use nearness::Nearness;
use std::io::Write;
use std::path::PathBuf;

/// Answer a question for every state of a table: one row in, one row out.
///
/// The table is CSV with a header, or arrays of NumPy: .npz with an array per quantity, q, v, a, tau, t; .npy with named
/// fields, or plain with the columns that the question reads, in its order. Answers are written so where the name ends in
/// .npy, with named fields, or .npz. The columns are the joints' positions q1 q2 … (rad, m), velocities v1 … (rad/s,
/// m/s), accelerations a1 … (rad/s², m/s²) and forces tau1 … (N m, N), and w1 … (rad/s, m/s) where a second velocity is
/// asked for, in any order; a joint may go by its name, as in q.elbow. A column t (s) passes through. Of these, what
/// the question does not read is ignored.
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
/// velocities. In a table with t each row goes on from the one before; without t every row begins at home, and drives take
/// the robot straight from there. Where they cannot, because a singularity of Type 2 or the end of reach is on the way, or it is too long, it
/// cannot be decided which assembly the robot is in: the nearest that is found is taken, and a warning says so.
///
/// With --modes further columns say which assembly was taken: `assembly`, its number in the list of `appell assemble ROBOT
/// --at DRIVES --all`, and `assemblies`, how many there are; `side`, the sign of det J_inv, and `next`, how far the nearest
/// other one is (m over the characteristic length, plus rad). Unknown ones are empty.
///
/// Tables of any length stream through; files in blocks of rows, in SIMD lanes and on all cores (RAYON_NUM_THREADS sets
/// how many); row by row are answered stdin, rows with wrenches, other methods than the first, coupled joints, least
/// squares and preloads, singularities, and of closed robots tables with t. Both may differ in the last digits, as do
/// states of closed robots beside one that must be searched for; the number of cores changes none. With --device files of
/// many rows are answered by generated code, several times as fast; of closed robots it reads the platform's motion, keeps the
/// working modes of home, and does not look whether a pose is one of the robot's. Positions of drives
/// take a search of some 0.1 ms a row, a pose of legs in closed form a hundredth of it. The output file appears when
/// all rows are done, and may replace the input. With --json the output is one JSON object per row. Where the table
/// names joints, as in q.elbow, or with --named, so do the answers: tau.elbow, M.shoulder.elbow,
/// dtau.shoulder_dq.elbow.
///
/// Torques of a robot with closed loops beside a singularity, where a condition number is beyond 1e6, are warned of
/// once: how many rows, the first of them, and whether it is nearest to Type 1, Type 2 or a constraint singularity.
#[derive(clap::Args)]
#[command(after_long_help = questions_and_methods())]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// What to compute, by its name in the list of `appell compute --help`
    #[arg(value_parser = arguments::question(), hide_possible_values = true)]
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
    #[arg(long, value_name = "TAU1,TAU2,…", value_delimiter = ',')]
    preload: Vec<f64>,
    /// Closed robots: a point mass on the platform, kg, and where it is in the platform's frame, m
    #[arg(long, value_name = "MASS[,X,Y,Z]", value_delimiter = ',')]
    payload: Option<Vec<f64>>,
    /// Closed robots: the table gives the platform's attitude in these Euler angles
    #[arg(long, value_parser = arguments::angles())]
    angles: Option<EulerAngles>,
    /// Closed robots: which assembly each row is, of how many, and how near the next one is
    #[arg(long)]
    modes: bool,
    /// Let joints that mimic others follow them: their columns are not read, and forces are those of the leaders
    #[arg(long)]
    coupled: bool,
    /// Compute in generated code on a device: cpu, in code that the C++ compiler of this machine makes of it, or a GPU of
    /// NVIDIA's, cuda or cuda:1; code that was compiled once is kept
    #[arg(long, value_name = "DEVICE")]
    device: Option<Device>,
    /// Take positions, velocities and torques of motors in place of those of the joints that they drive through transmissions
    #[arg(long)]
    motors: bool,
}

const EXAMPLE: &str = "Example: appell compute inverse-dynamics puma560 --states motion.csv --out torques.csv";

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load_with_frame()?;
    let robot: Robot = match robot.model() {
        Model::Tree(tree) => {
            expect_open(args, robot.name())?;
            let robot = leave_out(tree, &args.without)?;
            let robot = if args.coupled { robot.coupled()? } else { robot };
            let has_motors = !args.motors || !robot.transmissions().is_empty();
            ensure!(has_motors, "--motors: {} has no transmissions; its joints are its motors", robot.name());
            if args.motors { robot.by_motors()?.into() } else { robot.into() }
        }
        Model::Closed(closed) => closed::changed(closed, args)?.into(),
    };
    let target = robot::target(&robot, args.question, args.robot.frame_of_open(&robot), args.axes.as_deref())?;
    let mut evaluator = Evaluator::new(&robot, args.question, args.method.as_deref(), target)?;
    if let Some(closed) = robot.closed() {
        evaluator = closed::prepared(evaluator, closed, args)?;
    }
    let mut table = StateTable::open(&args.states, &robot, args.question, args.angles)?;
    // Of a closed robot, rows with times are a motion, and joints turn on from one to the next.
    let is_motion = robot.closed().is_some() && table.time.is_some();
    evaluator = evaluator.continuous(is_motion);
    let is_shared = !args.strengths.is_empty() || !args.preload.is_empty();
    let one_by_one = is_motion || is_shared || args.least_squares || args.modes;
    let mut answers = Rows::start(args, json, stdout, &evaluator, &table)?;
    let mut nearness = Nearness::of(&robot, args.question);
    let mut modes = if args.modes { Modes::of(&robot) } else { None };
    let mut undecided = Undecided::default();
    let is_default = args.question.methods(&robot)[0].name == evaluator.method().name;
    // A stream is answered row by row, because someone may wait for every answer.
    let in_blocks = is_default && !one_by_one && !table.has_wrenches() && !table::is_stream(&args.states);
    let method = if in_blocks {
        let batch = Batch::about(&robot, args.question, target)?;
        let mut on_device = args.device.map(|device| batch.on(device)).transpose()?;
        let worker = on_device.as_mut().map_or(Worker::Library(&batch), Worker::Device);
        blocks::answer(worker, &mut table, nearness.as_mut(), &mut undecided, &mut answers)?;
        batch.method().name
    } else {
        ensure!(
            args.device.is_none(),
            "--device: generated code answers files of states in blocks, by the default method; it takes no stdin, no wrenches, \
             no --least-squares, --strengths, --preload or --modes, and of robots with closed loops no column t"
        );
        let mut answer = vec![0.0; answers.columns.len()];
        while table.advance()? {
            let mut one = || -> anyhow::Result<()> {
                evaluator.evaluate(&table.state()?, &mut answer)?;
                if let (Some(nearness), Some(at)) = (&mut nearness, evaluator.configuration()) {
                    nearness.look(at, table.reader.line());
                }
                undecided.look(evaluator.is_undecided(), table.reader.line());
                let of_modes = match (&mut modes, evaluator.configuration()) {
                    (Some(modes), Some(at)) => modes.columns(at)?.to_vec(),
                    _ => Vec::new(),
                };
                answers.write(table.time, &answer, &of_modes)
            };
            one().with_context(|| table.reader.place())?;
            answers.answers.reach(table.reader.done());
        }
        evaluator.method().name
    };
    nearness.iter().for_each(|nearness| nearness.report(table.reader.name()));
    undecided.report(table.reader.name());
    modes.iter().for_each(|modes| modes.report(table.reader.name()));
    let (rows, question, robot) = (counted(table.reader.rows(), "row"), args.question.name(), robot.name());
    let by = args.device.map_or(method.to_owned(), |device| format!("generated code on {device}"));
    answers.answers.finish(format_args!("{rows}, {question} of {robot} by {by}"))?;
    Ok(true)
}

/// Refuses what only robots with closed loops answer and take.
fn expect_open(args: &Args, robot: &str) -> anyhow::Result<()> {
    ensure!(
        !args.question.is_of_closed_robots(),
        "{} is asked of robots with closed loops, and {robot} has none",
        args.question.name()
    );
    ensure!(
        !args.least_squares
            && args.strengths.is_empty()
            && args.preload.is_empty()
            && args.payload.is_none()
            && args.angles.is_none()
            && !args.modes,
        "--least-squares, --strengths, --preload, --payload, --angles and --modes are for robots with closed loops"
    );
    Ok(())
}

/// The table of answers: all columns of the question, of which the first are written.
struct Rows<'o> {
    answers: Answers<'o>,
    columns: Vec<String>,
    written: usize,
}

impl<'o> Rows<'o> {
    fn start(
        args: &'o Args,
        json: bool,
        stdout: &'o mut dyn Write,
        evaluator: &Evaluator,
        table: &StateTable,
    ) -> anyhow::Result<Self> {
        let columns = evaluator.columns().to_vec();
        let names = if args.named || table.is_named() { evaluator.named_columns() } else { columns.clone() };
        let written = table.answered(args.question, columns.len());
        let time = table.time.map(|_| "t".to_owned());
        let modes = modes::COLUMNS.iter().filter(|_| args.modes).map(|&name| name.to_owned());
        let header: Vec<String> = time.into_iter().chain(names.into_iter().take(written)).chain(modes).collect();
        let answers = Answers::start(args.out.as_deref(), stdout, json, &header, table.reader.work())?;
        Ok(Self { answers, columns, written })
    }

    /// Writes a row, with what is known of its assembly. Huge numbers overflow, and no table shall hold a NaN.
    fn write(&mut self, time: Option<f64>, answer: &[f64], modes: &[Option<f64>]) -> anyhow::Result<()> {
        if let Some(column) = answer.iter().position(|number| !number.is_finite()) {
            bail!("`{}` overflows; the numbers of the state or of the robot are too large", self.columns[column]);
        }
        let numbers = time.into_iter().chain(answer[..self.written].iter().copied());
        self.answers.write_known(numbers.map(Some).chain(modes.iter().copied()))
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
        let is_mounted = |&row: &usize| robot.links()[row].inertia != Sym3::zero(0.0);
        let names = |row: &usize| joint.is_none_or(|joint| joint == robot.joint_names()[*row]);
        if let Some(row) = robot.rotors().filter(names).find(is_mounted).filter(|_| effect == "rotor") {
            let motor = &robot.joint_names()[row];
            bail!(
                "--without {text}: the rotor of motor `{motor}` is a body of its own; leave its `on` or `inertia` out of the file"
            );
        }
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
