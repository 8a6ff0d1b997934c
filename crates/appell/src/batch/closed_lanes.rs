//! Dynamics of legs and platform in lanes: as many states at once, each assembled before by itself.

use super::closed::{Chunk, ClosedBatchError};
use super::many::WIDEST;
use crate::closed::drives::Sharing;
use crate::closed::legs_platform::{self, inlined};
use crate::closed::scheme::Scheme;
use crate::closed::{ClosedMechanism, Configuration, SingularError};
use crate::question::Question;
use crate::question::closed::{Evaluator, Found};
use crate::real::Lanes;
use crate::spatial::Pose;
use fearless_simd::{Level, Simd};

/// A question that is computed in lanes.
#[derive(Clone, Copy)]
pub(super) enum Lanewise {
    InverseDynamics,
    ForwardDynamics,
    InertiaMatrix,
    Bias,
}

impl Lanewise {
    /// The question, if this robot and this processor let it be computed so.
    pub(super) fn of(robot: &ClosedMechanism, question: Question) -> Option<Self> {
        let lanewise = match question {
            Question::InverseDynamics => Self::InverseDynamics,
            Question::ForwardDynamics => Self::ForwardDynamics,
            Question::InertiaMatrix => Self::InertiaMatrix,
            Question::Bias => Self::Bias,
            _ => return None,
        };
        let by_legs = Scheme::of(robot)[0] == Scheme::LegsPlatform;
        (by_legs && has_wide_lanes(Level::new())).then_some(lanewise)
    }

    /// Answers the states of a chunk.
    pub(super) fn answer(
        self,
        robot: &ClosedMechanism,
        evaluator: &mut Evaluator<'_>,
        chunk: &mut Chunk<'_>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), ClosedBatchError> {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            let level = Level::new();
            #[cfg(target_arch = "x86_64")]
            if let Some(avx512) = level.as_avx512() {
                return self.answer_with(avx512, robot, evaluator, chunk, parts);
            }
            if let Some(avx2) = level.as_avx2() {
                return self.answer_with(avx2, robot, evaluator, chunk, parts);
            }
        }
        chunk.answer(evaluator, 0..chunk.size(), parts)
    }

    /// The same where the processor has these instructions.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    fn answer_with<S: Simd>(
        self,
        simd: S,
        robot: &ClosedMechanism,
        evaluator: &mut Evaluator<'_>,
        chunk: &mut Chunk<'_>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), ClosedBatchError> {
        let mut block = Block::new(simd, robot);
        let size = chunk.size();
        for begin in (0..size).step_by(Lanes::<S>::LEN) {
            let used = (size - begin).min(Lanes::<S>::LEN);
            for lane in 0..used {
                let state = chunk.state(begin + lane);
                // The lanes that are left over compute the last state again.
                let lanes = if lane + 1 == used { lane..Lanes::<S>::LEN } else { lane..lane + 1 };
                match evaluator.find(&state.motion) {
                    Ok(found) => lanes.for_each(|lane| block.set(lane, found, state.tau)),
                    Err(source) => {
                        // Those before it in the block may have no answer either.
                        chunk.answer(evaluator, begin..begin + lane, parts)?;
                        return Err(chunk.error(begin + lane, source));
                    }
                }
            }
            let put = |column: usize, lanes: Lanes<S>| {
                let mut all = [0.0; WIDEST];
                lanes.store(&mut all);
                parts[column][begin..begin + used].copy_from_slice(&all[..used]);
            };
            let answered = simd.vectorize(
                #[inline(always)]
                || block.answer(self, robot, put),
            );
            if answered.is_err() {
                // One of them is singular: which, and how much, each says by itself.
                chunk.answer(evaluator, begin..begin + used, parts)?;
            }
        }
        Ok(())
    }
}

/// Whether a processor has lanes that are worth it.
fn has_wide_lanes(level: Level) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_avx2().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    {
        let _ = level;
        false
    }
}

/// States side by side, and memory to compute with.
struct Block<S: Simd> {
    at: Configuration<Lanes<S>>,
    r: Vec<Lanes<S>>,
    r_dot: Vec<Lanes<S>>,
    tau: Vec<Lanes<S>>,
    rest: Vec<Lanes<S>>, // zeros
    ws: legs_platform::Workspace<Lanes<S>>,
}

impl<S: Simd> Block<S> {
    fn new(simd: S, robot: &ClosedMechanism) -> Self {
        let zero = Lanes::splat(simd, 0.0);
        let freedoms = vec![zero; robot.freedoms().len()];
        Self {
            at: robot.home().lift(zero),
            r: freedoms.clone(),
            r_dot: freedoms.clone(),
            tau: vec![zero; robot.driven().len()],
            rest: freedoms,
            ws: legs_platform::Workspace::over(robot, zero),
        }
    }

    /// Puts a motion, and efforts, into a lane.
    fn set(&mut self, lane: usize, found: &Found, tau: &[f64]) {
        let put = |lanes: &mut [Lanes<S>], numbers: &[f64]| {
            lanes.iter_mut().zip(numbers).for_each(|(lanes, &x)| lanes.set(lane, x));
        };
        put(&mut self.at.q, &found.at.q);
        put(&mut self.r, &found.r);
        put(&mut self.r_dot, &found.r_dot);
        put(&mut self.tau, tau);
        let Pose { rotation, position } = &mut self.at.pose;
        let vectors = rotation.rows.iter_mut().chain([position]);
        let numbers = found.at.pose.rotation.rows.iter().chain([&found.at.pose.position]);
        for (lanes, vector) in vectors.zip(numbers) {
            lanes.x.set(lane, vector.x);
            lanes.y.set(lane, vector.y);
            lanes.z.set(lane, vector.z);
        }
    }

    /// Answers for all lanes; every number is handed to `put` with its column.
    #[inline(always)]
    fn answer(
        &mut self,
        question: Lanewise,
        robot: &ClosedMechanism,
        mut put: impl FnMut(usize, Lanes<S>),
    ) -> Result<(), SingularError> {
        let Self { at, r, r_dot, tau, rest, ws } = self;
        let mut lay_out = |numbers: &[Lanes<S>]| numbers.iter().enumerate().for_each(|(column, &x)| put(column, x));
        match question {
            Lanewise::InverseDynamics => {
                lay_out(inlined::inverse_dynamics(robot, ws, at, r, r_dot, &[], &Sharing::default())?);
            }
            Lanewise::InertiaMatrix => lay_out(inlined::inertia_matrix(robot, ws, at)?),
            Lanewise::Bias => lay_out(inlined::generalised_forces(robot, ws, at, r, rest, &[])?),
            Lanewise::ForwardDynamics => {
                let u_dot = inlined::accelerations(robot, ws, at, r, tau)?;
                let (joints, platform) = u_dot.split_at(robot.tree().dof());
                lay_out(platform);
                robot.driven().iter().enumerate().for_each(|(k, &j)| put(platform.len() + k, joints[j]));
            }
        }
        Ok(())
    }
}
