//! Questions of robots with closed loops.

use super::{Args, Asked, header};
use crate::table::{self, ClosedStateTable, Table};
use anyhow::{Context, bail, ensure};
use appell::Robot;
use appell::closed::ClosedMechanism;
use appell::closed::drives::Sharing;
use appell::closed::formulation::Formulation;
use appell::description::BodyDescription;
use appell::question::{Evaluator, Target};
use appell_drawing::listing::counted;
use std::io::Write;

/// Singular values below this, over the largest, count as zero where the least squares are asked for.
const LEAST_SQUARES: f64 = 1e-8;

pub(super) fn run(args: &Args, robot: &ClosedMechanism, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    ensure!(
        args.frame.is_none() && args.axes.is_none() && !args.coupled,
        "{} has closed loops: --frame, --axes and --coupled are for open robots; inverse-jacobian and frames answer for its motion",
        robot.name()
    );
    let robot = super::leave_out(robot.tree(), &args.without).map(|tree| robot.with_tree(|_| tree))?;
    let robot = load(robot, args)?;
    if let Some(angles) = args.angles {
        let turns = robot.platform().is_some_and(|platform| platform.turns);
        ensure!(turns, "--angles {}: {} has no platform that turns", angles.name(), robot.name());
    }
    let whole = Robot::from(&robot);
    let evaluator = Evaluator::new(&whole, args.question, args.method.as_deref(), Target::default())?;
    let by = evaluator.method().name;
    ensure!(
        !args.least_squares || Formulation::of(&robot).iter().any(|formulation| formulation.name() == by),
        "--least-squares is not for method {by}; take {}",
        Formulation::of(&robot)[0].name()
    );
    let sharing = sharing(&robot, args)?;
    let name = table::shown(&args.states);
    let mut table =
        ClosedStateTable::open(&args.states, &robot, args.question, args.angles).with_context(|| name.clone())?;
    let header = header(&evaluator, args.named || table.is_named(), |columns| table.answered(args.question, columns));
    let is_one_by_one = table.time().is_some() // rows are a motion, and joints turn on from one to the next
        || !args.strengths.is_empty()
        || !args.preload.is_empty()
        || args.least_squares
        || table.has_wrenches();
    let evaluator = evaluator
        .sharing(sharing)
        .continuous(table.time().is_some())
        .least_squares(args.least_squares.then_some(LEAST_SQUARES));
    let of_platform = table.gives_platform();
    super::answer(args, json, stdout, &mut table, Asked { evaluator, header, is_one_by_one, of_platform })
}

/// The robot with a payload on its platform.
fn load(robot: ClosedMechanism, args: &Args) -> anyhow::Result<ClosedMechanism> {
    let Some(numbers) = &args.payload else { return Ok(robot) };
    ensure!(robot.platform().is_some(), "--payload: {} has no platform to carry it", robot.name());
    let (&mass, at) = numbers.split_first().context("--payload: expected MASS, or MASS,X,Y,Z")?;
    let com = match at {
        [] => [0.0; 3],
        &[x, y, z] => [x, y, z],
        _ => bail!("--payload: expected MASS, or MASS,X,Y,Z of its centre of mass in the platform's frame"),
    };
    ensure!(
        mass.is_finite() && mass >= 0.0 && com.iter().all(|x| x.is_finite()),
        "--payload: expected finite numbers, and no negative mass"
    );
    Ok(robot.with_payload(&BodyDescription { mass, com: com.into(), ..BodyDescription::default() }))
}

/// How redundant drives share the work.
fn sharing(robot: &ClosedMechanism, args: &Args) -> anyhow::Result<Sharing> {
    let drives = robot.driven().len();
    for (option, numbers) in [("--strengths", &args.strengths), ("--preload", &args.preload)] {
        ensure!(
            numbers.is_empty() || numbers.len() == drives,
            "{option} has {}, and {} has {}",
            counted(numbers.len(), "number"),
            robot.name(),
            counted(drives, "drive")
        );
        ensure!(numbers.iter().all(|x| x.is_finite()), "{option}: expected finite numbers");
    }
    ensure!(args.strengths.iter().all(|&x| x > 0.0), "--strengths: expected positive numbers");
    Ok(Sharing { strengths: args.strengths.clone(), preload: args.preload.clone() })
}
