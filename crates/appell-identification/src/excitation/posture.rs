//! A posture to begin from: one that can be held.

use super::ExcitationError;
use super::observer::{Instant, Placer};
use super::problem::{Peak, Problem};
use appell::sample::Sampler;

/// Postures at random, of which one must do.
const POSTURES: usize = 400;

/// The part of its efforts up to which home is as good as any other posture.
const EASY: f64 = 0.5;

/// The posture that needs the least part of its efforts, from the middles; none where every posture will do. A closed robot
/// prefers home, where it can be.
pub(super) fn anchor(problem: &Problem<'_>) -> Result<Option<Vec<f64>>, ExcitationError> {
    let is_closed = problem.robot.closed().is_some();
    if !is_closed && problem.limits.iter().all(|limits| limits.effort.is_infinite()) {
        return Ok(None);
    }
    let mut sampler = Sampler::new(0);
    let mut placer = Placer::new(problem.robot);
    let home = match problem.robot.closed() {
        Some(closed) => {
            closed.driven().iter().zip(&problem.limits).map(|(&j, l)| closed.home().q[j] - l.middle()).collect()
        }
        None => vec![0.0; problem.limits.len()],
    };
    let inside = |q: &[f64]| q.iter().zip(&problem.limits).all(|(q, limits)| q.abs() < limits.half());
    let drawn = (0..POSTURES).map(|_| problem.limits.iter().map(|limits| sampler.within(limits.half())).collect());
    let candidates: Vec<Vec<f64>> = core::iter::once(home).filter(|home| inside(home)).chain(drawn).collect();
    let mut best: Option<(Peak, Vec<f64>)> = None;
    let mut failure = None;
    for posture in candidates {
        let q: Vec<f64> = posture.iter().zip(&problem.limits).map(|(q, limits)| limits.middle() + q).collect();
        let still = vec![0.0; q.len()];
        let at = placer.go(&q).cloned();
        let evaluated = at.and_then(|at| {
            problem.evaluate(vec![Instant { at, v: still.clone(), a: still }]).map_err(ExcitationError::from)
        });
        let evaluated = match evaluated {
            Ok(evaluated) => evaluated,
            Err(error) => {
                failure = Some(error);
                continue;
            }
        };
        let used = problem.most_used_effort(&evaluated);
        // The first is home: what can be held there with ease needs no better place.
        if best.is_none() && is_closed && used.part < EASY {
            return Ok(Some(posture));
        }
        if best.as_ref().is_none_or(|(least, _)| used.part < least.part) {
            best = Some((used, posture));
        }
    }
    match (best, failure) {
        (Some((Peak { joint, value, limit, part, .. }, _)), _) if part > 1.0 => {
            Err(ExcitationError::Heavy { joint, value, limit })
        }
        (Some((_, posture)), _) => Ok(Some(posture)),
        (None, Some(failure)) => Err(failure),
        (None, None) => Ok(None),
    }
}
