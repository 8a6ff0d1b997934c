//! States of a robot with closed loops, on all cores, and [in lanes](super::closed_lanes) what can be.

use super::one_by_one::{Alone, CHUNK, Chunk};
use super::{Batch, BatchError, Motions, States, closed_lanes, parts};
use appell::closed::ClosedMechanism;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Answers for all states.
pub(super) fn evaluate(
    batch: &Batch,
    robot: &ClosedMechanism,
    states: &States<'_>,
    answers: &mut [f64],
) -> Result<(), BatchError> {
    let fits = |vector: &[f64], width: usize| vector.is_empty() || vector.len() == width * states.count;
    if let Motions::Platform { pose, twist, acceleration } = states.motions() {
        let all_fit = pose.len() == 7 * states.count && fits(twist, 6) && fits(acceleration, 6);
        assert!(all_fit, "one value per component of the platform's motion and state");
    }
    let mut parts = parts(answers, states.count, CHUNK);
    let threads = rayon::current_num_threads().min(parts.len());
    let waiting = Mutex::new(parts.iter_mut().enumerate());
    let answers = (0..threads).into_par_iter().map(|_| work(batch, robot, states, &waiting));
    // The first error, whichever thread was the first to find one.
    let earlier = |one: BatchError, other: BatchError| if other.state < one.state { other } else { one };
    answers.filter_map(Result::err).reduce_with(earlier).map_or(Ok(()), Err)
}

/// Answers chunks, one after the other, as long as there are any, or until one has no answer: all before it have been taken.
/// What it is done with is made once, for lanes need a lot of memory.
fn work<'p>(
    batch: &Batch,
    robot: &ClosedMechanism,
    states: &States<'_>,
    waiting: &Mutex<impl Iterator<Item = (usize, &'p mut Vec<&'p mut [f64]>)>>,
) -> Result<(), BatchError> {
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut taken = take();
    if taken.is_none() {
        return Ok(());
    }
    let mut alone = Alone::new(batch, robot);
    let mut lanes = closed_lanes::prepare(batch, robot, &mut alone.evaluator);
    while let Some((k, parts)) = taken {
        let chunk = Chunk { states, first: k * CHUNK };
        match &mut lanes {
            Some(lanes) => lanes.answer(&chunk, &mut alone, parts)?,
            None => alone.answer(&chunk, 0..chunk.size(), parts)?,
        }
        taken = take();
    }
    Ok(())
}
