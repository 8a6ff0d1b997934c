//! Robots with closed loops in lanes: as many states at once.
//!
//! | what | in lanes | one by one |
//! |---|---|---|
//! | assembly for a pose | legs in closed form that all take the same solution, once and exactly | searches, which end each at its own step; the other legs |
//! | assembly for drives | | Newton's method, with steps of its own and ways that it walks |
//! | rates that depend on others | [`legs_platform`](appell::closed::legs_platform), [`spherical`](appell::closed::spherical) | of drives; [`tree_closures`](appell::closed::tree_closures), which chooses pivots by value |
//! | every question | by the same formulations | `singularity`: singular values; `platform`: the quaternion by its largest component; derivatives: numbers of seven parts, too long to compile |
//!
//! A block of states of which one has no answer so is found, or answered, one by one: that one says why.

use super::one_by_one::{Alone, Chunk};
use super::open::{loaded, store};
use super::{Batch, BatchError, Motions};
use appell::closed::ClosedMechanism;
use appell::closed::assembly::InClosedForm;
use appell::closed::drives::Sharing;
use appell::closed::formulation::{self, Formulation};
use appell::question::closed::{FITS, Given, Moved, Run, by_formulation, is_of_any_number};
use appell::question::{Evaluator, Input, Question};
use appell::real::{Lanes, Measured, Real};
use appell::spatial::{Pose, Quaternion, Vec3};
use core::ops::Range;
use fearless_simd::Simd;

/// A question made ready in the lanes of some processor.
pub(super) trait InLanes {
    /// Answers the states of a chunk.
    fn answer(&mut self, chunk: &Chunk<'_>, alone: &mut Alone<'_>, parts: &mut [&mut [f64]]) -> Result<(), BatchError>;
}

/// Prepares a question, if this robot and this processor let it be computed so.
pub(super) fn prepare<'r>(
    batch: &Batch,
    robot: &'r ClosedMechanism,
    evaluator: &mut Evaluator,
) -> Option<Box<dyn InLanes + 'r>> {
    let (question, columns) = (batch.question, batch.columns);
    let closed = evaluator.closed()?;
    let (formulation, expands) = (closed.formulation()?, closed.expands());
    if !(is_of_any_number(question) && formulation.runs_in_lanes()) {
        return None;
    }
    let asked = Asked { question, columns, formulation, expands };
    let level = batch.instructions.level();
    // Not for every level there is: every question is compiled for each, and below AVX2 lanes gain little.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = level.as_avx512() {
            return Some(Box::new(Block::new(avx512, robot, &asked)));
        }
        Some(Box::new(Block::new(level.as_avx2()?, robot, &asked)))
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    fearless_simd::dispatch!(level, simd => Some(Box::new(Block::new(simd, robot, &asked)) as Box<dyn InLanes>))
}

/// What is asked, and by which formulation it is answered.
struct Asked {
    question: Question,
    columns: usize,
    formulation: Formulation,
    expands: bool,
}

/// States side by side, and memory to compute with.
struct Block<'r, S: Simd> {
    simd: S,
    robot: &'r ClosedMechanism,
    /// Whether the question reads velocities and accelerations.
    reads: [bool; 2],
    legs: Option<InClosedForm<Lanes<S>>>,
    kinematics: Option<formulation::Workspace<Lanes<S>>>, // where components depend on others, or are asked for
    moved: Moved<Lanes<S>>,
    tau: Vec<Lanes<S>>,
    sharing: Sharing,
    run: Run<Lanes<S>>,
    row: Vec<Lanes<S>>,
}

impl<S: Simd> InLanes for Block<'_, S> {
    fn answer(&mut self, chunk: &Chunk<'_>, alone: &mut Alone<'_>, parts: &mut [&mut [f64]]) -> Result<(), BatchError> {
        let size = chunk.size();
        for begin in (0..size).step_by(Lanes::<S>::LEN) {
            let states = begin..size.min(begin + Lanes::<S>::LEN);
            if !self.find(chunk, &states) {
                self.find_alone(chunk, alone, &states, parts)?;
            }
            self.tau.clear();
            for drive in 0..self.robot.driven().len() {
                let efforts = chunk.numbers(chunk.states.tau, drive, &states);
                self.tau.extend(efforts.map(|efforts| loaded(self.simd, efforts)));
            }
            let Self { robot, moved, tau, sharing, run, row, .. } = self;
            let given = Given { moved, tau, load: &[], on_bodies: &[], sharing, least_squares: None };
            if run(robot, &given, row).is_ok() {
                parts.iter_mut().zip(row).for_each(|(part, &mut lanes)| store(lanes, &mut part[states.clone()]));
            } else {
                // One of them is singular: which, and how much, each says by itself.
                alone.answer(chunk, states, parts)?;
            }
        }
        Ok(())
    }
}

impl<'r, S: Simd> Block<'r, S> {
    fn new(simd: S, robot: &'r ClosedMechanism, asked: &Asked) -> Self {
        let (zero, &Asked { question, formulation, .. }) = (Lanes::splat(simd, 0.0), asked);
        Self {
            simd,
            robot,
            reads: [Input::Velocities, Input::Accelerations].map(|input| question.reads(input)),
            legs: InClosedForm::new(robot, zero),
            kinematics: (asked.expands || robot.freedoms().len() < 6)
                .then(|| formulation::Workspace::with_scalar(robot, formulation, zero)),
            moved: Moved::new(robot, zero),
            tau: Vec::with_capacity(robot.driven().len()),
            sharing: Sharing::default(),
            run: by_formulation(robot, question, formulation, zero),
            row: vec![zero; asked.columns],
        }
    }

    /// Finds the motions of some states together, if that is possible.
    fn find(&mut self, chunk: &Chunk<'_>, states: &Range<usize>) -> bool {
        let Motions::Platform { pose, twist, acceleration } = chunk.states.motions() else { return false };
        let Some(legs) = &mut self.legs else { return false };
        let simd = self.simd;
        self.moved.at.pose = simd.vectorize(
            #[inline(always)]
            || {
                let mut numbers = [Lanes::splat(simd, 0.0); 7];
                for (k, lanes) in numbers.iter_mut().enumerate() {
                    *lanes = loaded(simd, chunk.numbers(pose, k, states).expect("every state has a pose"));
                }
                let [px, py, pz, x, y, z, w] = numbers;
                Pose { position: Vec3::new(px, py, pz), rotation: Quaternion::rotation_of([x, y, z, w]) }
            },
        );
        if !legs.reach(self.robot, &mut self.moved.at) {
            return false;
        }
        let [velocities, accelerations] = self.reads;
        let vectors = [velocities.then_some(twist), accelerations.then_some(acceleration)];
        !velocities || self.find_rates(chunk, states, vectors)
    }

    /// r, ṙ and what follows from them, from twists and their rates where they are read.
    fn find_rates(&mut self, chunk: &Chunk<'_>, states: &Range<usize>, vectors: [Option<&[f64]>; 2]) -> bool {
        let (dof, robot, simd) = (self.robot.tree().dof(), self.robot, self.simd);
        for (rates, vector) in [&mut self.moved.r, &mut self.moved.r_dot].into_iter().zip(vectors) {
            let Some(vector) = vector else { continue };
            for (rate, freedom) in rates.iter_mut().zip(robot.freedoms()) {
                let component = freedom.checked_sub(dof);
                let given = component.and_then(|component| chunk.numbers(vector, component, states));
                match given.filter(|given| given.iter().all(|x| !x.is_nan())) {
                    Some(given) => *rate = loaded(simd, given),
                    None => return false,
                }
            }
        }
        let Some(kinematics) = &mut self.kinematics else { return true };
        let Moved { at, r, r_dot, u, u_dot } = &mut self.moved;
        let Ok((found, found_rates)) = formulation::motion(robot, kinematics, at, r, r_dot) else { return false };
        u.copy_from_slice(found);
        u_dot.copy_from_slice(found_rates);
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lanes::splat(simd, 0.0);
                // At constant speed accelerations are what rounding leaves of the squares of the rates.
                let mut squares = zero;
                for &u in &*u {
                    squares = greater(squares, u * u);
                }
                for ((vector, possible), least) in
                    vectors.into_iter().zip([&u[dof..], &u_dot[dof..]]).zip([zero, squares])
                {
                    let Some(vector) = vector else { continue };
                    if !fit(simd, |k| chunk.numbers(vector, k, states), possible, least) {
                        return false;
                    }
                }
                true
            },
        )
    }

    /// Finds the motions of some states one by one. Those before one that has none are answered, for they may have no answer.
    fn find_alone(
        &mut self,
        chunk: &Chunk<'_>,
        alone: &mut Alone<'_>,
        states: &Range<usize>,
        parts: &mut [&mut [f64]],
    ) -> Result<(), BatchError> {
        for (lane, i) in states.clone().enumerate() {
            // The lanes that are left over compute the last state again.
            let lanes = if i + 1 == states.end { lane..Lanes::<S>::LEN } else { lane..lane + 1 };
            match alone.find(chunk, i) {
                Ok(moved) => lanes.for_each(|lane| set(&mut self.moved, lane, moved)),
                Err(error) => {
                    alone.answer(chunk, states.start..i, parts)?;
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// Whether the components of twists, or of their rates, that are given are those that follow from the independent ones, by
/// the largest of them. A component is given of all states or of none.
#[inline(always)]
fn fit<'c, S: Simd>(
    simd: S,
    numbers: impl Fn(usize) -> Option<&'c [f64]>,
    possible: &[Lanes<S>],
    least: Lanes<S>,
) -> bool {
    let mut given = [None; 6];
    let mut largest = least;
    for (k, (given, &possible)) in given.iter_mut().zip(possible).enumerate() {
        largest = greater(largest, greater(possible, -possible));
        let Some(numbers) = numbers(k).filter(|numbers| !numbers.iter().all(|x| x.is_nan())) else { continue };
        let lanes = loaded(simd, numbers);
        largest = greater(largest, greater(lanes, -lanes));
        *given = Some(lanes);
    }
    let slack = largest.scale(FITS);
    for (given, &possible) in given.into_iter().zip(possible) {
        let Some(given) = given else { continue };
        let off = given - possible;
        let is_near = (slack - greater(off, -off)).least() >= 0.0;
        if !is_near {
            return false;
        }
    }
    true
}

/// The greater of two numbers in every lane.
#[inline(always)]
fn greater<S: Simd>(a: Lanes<S>, b: Lanes<S>) -> Lanes<S> {
    (b - a).where_positive(b, a)
}

/// Puts a motion into a lane.
fn set<S: Simd>(moved: &mut Moved<Lanes<S>>, lane: usize, found: &Moved) {
    let Moved { at, r, r_dot, u, u_dot } = moved;
    let vectors =
        [(&mut at.q, &found.at.q), (r, &found.r), (r_dot, &found.r_dot), (u, &found.u), (u_dot, &found.u_dot)];
    for (lanes, numbers) in vectors {
        lanes.iter_mut().zip(numbers).for_each(|(lanes, &x)| lanes.set(lane, x));
    }
    let lanes = at.pose.rotation.rows.iter_mut().chain([&mut at.pose.position]);
    let vectors = found.at.pose.rotation.rows.iter().chain([&found.at.pose.position]);
    for (lanes, vector) in lanes.zip(vectors) {
        lanes.x.set(lane, vector.x);
        lanes.y.set(lane, vector.y);
        lanes.z.set(lane, vector.z);
    }
}
