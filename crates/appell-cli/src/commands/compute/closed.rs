//! What `compute` takes of robots with closed loops.

use super::Args;
use crate::place::expect_drives;
use anyhow::{Context, bail, ensure};
use appell::closed::ClosedMechanism;
use appell::closed::drives::Sharing;
use appell::closed::formulation::Formulation;
use appell::description::BodyDescription;
use appell::question::{Evaluator, Question};

/// Singular values below this, over the largest, count as zero where the least squares are asked for.
const LEAST_SQUARES: f64 = 1e-8;

/// The robot without some effects, and with a payload on its platform.
pub(super) fn changed(robot: &ClosedMechanism, args: &Args) -> anyhow::Result<ClosedMechanism> {
    let name = robot.name();
    ensure!(!args.motors, "{name} has closed loops, and --motors is for open robots");
    ensure!(
        !args.coupled,
        "{name} has closed loops, where joints always follow the ones that they mimic; leave out --coupled"
    );
    if let Some(angles) = args.angles {
        let turns = robot.platform().is_some_and(|platform| platform.turns);
        ensure!(turns, "--angles {}: {} has no platform that turns", angles.name(), robot.name());
    }
    let tree = super::leave_out(robot.tree(), &args.without)?;
    let robot = robot.with_tree(|_| tree);
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

/// How redundant drives share the work, and what is answered where they do not hold the robot.
pub(super) fn prepared(evaluator: Evaluator, robot: &ClosedMechanism, args: &Args) -> anyhow::Result<Evaluator> {
    let (by, known) = (evaluator.method().name, Formulation::of(robot));
    ensure!(
        !args.least_squares || args.question == Question::InverseDynamics,
        "--least-squares is for inverse-dynamics alone, not for {}",
        args.question.name()
    );
    ensure!(
        !args.least_squares || known.iter().any(|formulation| formulation.name() == by),
        "--least-squares is not for method {by}; take {}",
        known[0].name()
    );
    for (option, numbers) in [("--strengths", &args.strengths), ("--preload", &args.preload)] {
        if !numbers.is_empty() {
            expect_drives(option, numbers, robot)?;
        }
        ensure!(numbers.iter().all(|x| x.is_finite()), "{option}: expected finite numbers");
    }
    ensure!(args.strengths.iter().all(|&x| x > 0.0), "--strengths: expected positive numbers");
    let sharing = Sharing { strengths: args.strengths.clone(), preload: args.preload.clone() };
    Ok(evaluator.sharing(sharing).least_squares(args.least_squares.then_some(LEAST_SQUARES)))
}
