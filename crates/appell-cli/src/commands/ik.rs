//! `appell ik`: inverse kinematics for every pose of a table.

use crate::output;
use crate::refusal;
use crate::robot;
use crate::table::{Answers, StateTable};
use anyhow::bail;
use appell::kinematics::damped_least_squares::{self, Goal, Options, Unreached, inverse_kinematics};
use appell::kinematics::spherical_wrist::{Arm, Branch, OutOfReach, Sign};
use appell::mechanism::Mechanism;
use appell::spatial::Pose;
use appell_drawing::listing::counted;
use std::io::Write;
use std::path::PathBuf;

/// Find joint positions that bring a frame to the poses of a table: one row in, one row out.
///
/// The table is CSV with a header: px py pz (m) is where the frame's origin shall be in the base, and the unit
/// quaternion qx qy qz qw how the frame shall be turned; without it any orientation will do. Columns q1 q2 … (rad,
/// m) say where to start; a joint without one starts where the row before ended, so that a path is followed, and in
/// the first row at zero. A column t (s) passes through.
///
/// The answers are q1 q2 … within the joints' limits, and what is left of the way: position_error (m) and
/// orientation_error (rad), each at most 1e-12. With --closed-form, for six-axis arms of the PUMA's type, each pose
/// gives up to eight rows with its row number and the signs shoulder, elbow and wrist; limits are not looked at.
///
/// At a pose without a solution the command stops with exit code 1, unless --skip is given.
#[derive(clap::Args)]
#[command(after_help = "Example: appell ik puma560 --poses poses.csv --out joints.csv")]
pub(crate) struct Args {
    #[command(flatten)]
    robot: robot::Choice,
    /// The table of poses; - is stdin
    #[arg(long, value_name = "IN.csv")]
    poses: PathBuf,
    /// The table of joint positions; stdout if not given
    #[arg(long, value_name = "OUT.csv")]
    out: Option<PathBuf>,
    /// Where the random numbers of new starts begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// All configurations of an arm of the PUMA's type, exactly
    #[arg(long, conflicts_with = "seed")]
    closed_form: bool,
    /// Leave out poses without a solution and go on; the exit code is still 1
    #[arg(long)]
    skip: bool,
}

pub(crate) fn run(args: &Args, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let whole = robot::by_joints(args.robot.load_with_frame()?.without_motors(), "ik")?;
    let robot = robot::open(&whole, "ik", "`appell assemble ROBOT --pose PX,PY,PZ,…` finds all its joints")?;
    let frame = robot::frame(robot, args.robot.frame.as_deref())?;
    let mut solver = if args.closed_form {
        Solver::ClosedForm(Arm::new(robot, frame)?)
    } else {
        Solver::numeric(robot, frame, args.seed)
    };
    let mut table = StateTable::of_poses(&args.poses, &whole)?;
    let columns: Vec<String> = table.time.map(|_| "t".into()).into_iter().chain(solver.columns()).collect();
    let mut answers = Answers::start(args.out.as_deref(), stdout, json, &columns, table.reader.work())?;
    let mut skipped = 0;
    while table.advance()? {
        let place = table.reader.place();
        match solver.solve(&table) {
            Ok(rows) => {
                for row in rows {
                    answers.write(table.time.into_iter().chain(row))?;
                }
            }
            Err(error) if has_no_solution(&error) && args.skip => {
                output::note(format_args!("{place}: {error}"));
                skipped += 1;
            }
            Err(error) if has_no_solution(&error) => {
                refusal::no(format_args!("{place}: {error}; use --skip to go on without this pose"));
                return Ok(false);
            }
            Err(error) => return Err(error.context(place)),
        }
        answers.reach(table.reader.done());
    }
    let (rows, frame) = (counted(table.reader.rows(), "pose"), &robot.frames()[frame].name);
    answers.finish(format_args!("{rows} of frame {frame} of {}, {skipped} without a solution", robot.name()))?;
    Ok(skipped == 0)
}

/// Whether the answer to the question is that there is none.
fn has_no_solution(error: &anyhow::Error) -> bool {
    error.is::<Unreached>() || error.is::<OutOfReach>()
}

/// How joint positions are found.
enum Solver<'r> {
    Numeric {
        robot: &'r Mechanism,
        frame: usize,
        workspace: damped_least_squares::Workspace,
        options: Options,
        q: Vec<f64>,
    },
    ClosedForm(Arm),
}

impl<'r> Solver<'r> {
    fn numeric(robot: &'r Mechanism, frame: usize, seed: u64) -> Self {
        let workspace = damped_least_squares::Workspace::new(robot);
        let options = Options { seed, ..Options::default() };
        Self::Numeric { robot, frame, workspace, options, q: vec![0.0; robot.dof()] }
    }

    fn columns(&self) -> Vec<String> {
        let joints = |n: usize| (1..=n).map(|j| format!("q{j}"));
        match self {
            Self::Numeric { q, .. } => {
                joints(q.len()).chain(["position_error", "orientation_error"].map(String::from)).collect()
            }
            Self::ClosedForm(_) => {
                ["row", "shoulder", "elbow", "wrist"].map(String::from).into_iter().chain(joints(6)).collect()
            }
        }
    }

    /// The rows that answer the row of the table.
    fn solve(&mut self, table: &StateTable) -> anyhow::Result<Vec<Vec<f64>>> {
        let position = table.position();
        let pose = table.rotation()?.map(|rotation| Pose { rotation, position });
        match self {
            Self::Numeric { robot, frame, workspace, options, q } => {
                table.write_start(q);
                let goal = pose.map_or(Goal::Position(position), Goal::Pose);
                let solution = inverse_kinematics(robot, workspace, *frame, &goal, q, options)?;
                q.copy_from_slice(solution.q);
                let errors = [solution.residual.position, solution.residual.orientation];
                Ok(vec![q.iter().copied().chain(errors).collect()])
            }
            Self::ClosedForm(arm) => {
                let Some(pose) = pose else {
                    bail!("the closed form needs the orientation, in columns qx, qy, qz, qw")
                };
                let row = |branch: Branch| -> Result<Vec<f64>, OutOfReach> {
                    let signs = [branch.shoulder, branch.elbow, branch.wrist].map(Sign::value);
                    let q = arm.inverse_kinematics(&pose, branch)?;
                    Ok([table.reader.rows() as f64].into_iter().chain(signs).chain(q).collect())
                };
                let rows: Vec<_> = Branch::ALL.into_iter().flat_map(row).collect();
                if rows.is_empty() {
                    row(Branch::ALL[0])?;
                }
                Ok(rows)
            }
        }
    }
}
