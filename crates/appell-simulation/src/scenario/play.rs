//! Runs a scenario.

use super::controller::quaternion;
use super::drives;
use super::signals::Sampled;
use super::start::State;
use super::{Cause, Reference, Scenario, ScenarioError, at};
use crate::control::sampled::{self, Collected, Instant, SampledLoop, StepTimes, Timing, Tracking, Trip};
use crate::control::{Gains, Wanted};
use crate::simulation::{self, Cost, Method, Options, Plant, Pulse, Sample, Simulation, Stop, View};
use crate::trajectory::JointReference;
use appell::dynamics::energy::Energy;
use appell::{Model, Robot};
use core::ops::ControlFlow;

/// A reference is looked at in so many places at most before the robot follows it.
const MOST_ROWS: f64 = 1e5;

/// A moment of a scenario. Slices have one value per drive where nothing else is said.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'s> {
    /// Where the robot is in truth; all joints.
    pub view: View<'s>,
    /// The joints of the drives, in `view`.
    pub drives: &'s [usize],
    /// Positions of the reference, if there is one.
    pub wanted: Option<&'s [f64]>,
    /// Torques and forces that act, N m or N; of a computer those that it gives out now.
    pub efforts: &'s [f64],
    /// J.
    pub energy: Energy,
    /// What the computer sees and wants, if there is one.
    pub sampling: Option<Instant<'s>>,
}

/// What watches a scenario while it runs.
#[derive(Default)]
pub struct Watch<'w> {
    /// Gives the time, s, for the times of control steps.
    pub clock: Option<Box<dyn FnMut() -> f64 + 'w>>,
    /// Hears the simulated time after every step, and may end it.
    pub pulse: Option<Pulse<'w>>,
}

/// How a scenario has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// When, s.
    pub t: f64,
    /// When it should have, s.
    pub duration: f64,
    /// What the integration has cost.
    pub cost: Cost,
    /// Why it ended before its time.
    pub stop: Option<Stop>,
    /// Whether the one who looked wanted no more.
    pub interrupted: bool,
    /// Why there was a safe stop, if there was.
    pub trip: Option<Trip>,
    /// Errors of the drives, at the samples of a computer or else at the rows of the record; empty without a reference.
    pub tracking: Vec<Tracking>,
    /// At how many of these instants each drive was at its limit; `None` where nothing limits torques and forces.
    pub saturated: Option<Vec<usize>>,
    /// How many there were.
    pub instants: usize,
    /// Times of control steps, if there is a computer and a clock.
    pub step_times: Option<StepTimes>,
    /// When the computer samples, if there is one.
    pub timing: Option<Timing>,
    /// What is doubtful about the gains.
    pub doubts: Vec<Doubt>,
}

/// What is doubtful about the gains of a law.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Doubt {
    #[error("the gains of {} are not stable, even with an exact model: K_p = {}, K_d = {}, K_i = {}",
        of.join(", "), gains.proportional, gains.derivative, gains.integral)]
    Unstable { of: Vec<String>, gains: Gains },
    #[error("a gain is negative, and pushes away from what is wanted")]
    PushesAway,
    #[error(
        "the gains of {} are too high for a period of {period} s and a delay of {delay} periods: even with an exact model the error grows by {growth:.3} from sample to sample",
        of.join(", ")
    )]
    TooSlow { of: Vec<String>, growth: f64, period: f64, delay: f64 },
}

/// What a scenario takes at least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastWork {
    /// Steps of the integration.
    pub steps: f64,
    /// Rows of the record.
    pub rows: f64,
}

/// Counts at every instant.
struct Counts {
    limits: Option<Vec<f64>>,
    collected: Collected,
    reached: Vec<bool>,
}

impl Counts {
    fn new(limits: Option<Vec<f64>>, drives: usize, tracks: bool) -> Self {
        Self { limits, collected: Collected::new(drives, tracks), reached: vec![false; drives] }
    }

    fn count(&mut self, moment: &Moment<'_>) {
        for (i, reached) in self.reached.iter_mut().enumerate() {
            let limit = self.limits.as_ref().map_or(f64::INFINITY, |limits| limits[i]);
            let cut = moment.sampling.map_or(moment.efforts[i], |sampling| sampling.commanded[i]);
            let saturated = moment.sampling.is_some_and(|sampling| sampling.saturated[i]);
            *reached = saturated || (limit > 0.0 && cut.abs() >= limit);
        }
        self.collected.count(&self.reached, None);
        if let Some(wanted) = moment.wanted {
            self.collected.track(moment.drives.iter().zip(wanted).map(|(&j, wanted)| moment.view.q[j] - wanted));
        }
    }
}

impl<'s> From<&Instant<'s>> for Moment<'s> {
    fn from(instant: &Instant<'s>) -> Self {
        let &Instant { truth, drives, wanted, applied, energy, .. } = instant;
        Self { view: truth, drives, wanted, efforts: applied, energy, sampling: Some(*instant) }
    }
}

impl Scenario {
    /// How long it takes, s.
    ///
    /// # Errors
    /// If there is no such reference.
    pub fn duration(&self, robot: &Robot) -> Result<f64, ScenarioError> {
        if let Some(duration) = self.duration {
            return Ok(duration);
        }
        let model = self.model.of(robot, &self.notes)?;
        match &self.reference {
            Some(Reference::Hold { .. }) | None => {
                at(&self.notes, "duration", Err(Cause::Missing { expected: "how long it takes, s" }))
            }
            Some(reference) => Ok(self.joints(reference, &model)?.duration()),
        }
    }

    /// How many steps of the integration and rows of the record it takes at least.
    ///
    /// # Errors
    /// Those of [`Scenario::duration`].
    pub fn least_work(&self, robot: &Robot) -> Result<LeastWork, ScenarioError> {
        let duration = self.duration(robot)?;
        let rows = duration / self.run.record;
        let fixed = match self.run.options.method {
            Method::RungeKutta { step } | Method::Midpoint { step } => duration / step,
            Method::DormandPrince(_) => 0.0,
        };
        // A step ends at every sample of the loop, and at every row.
        let samples = self.sampled.as_ref().map_or(0.0, |sampled| duration / sampled.timing.period);
        Ok(LeastWork { steps: fixed.max(samples).max(rows), rows })
    }

    /// Runs it with the robot that it names. `look` sees the rows of the record, and may end it.
    ///
    /// # Errors
    /// If something in it does not fit the robot, with its line. What goes wrong later is in the outcome.
    pub fn play(
        &self,
        robot: &Robot,
        watch: Watch<'_>,
        mut look: impl FnMut(&Moment<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, ScenarioError> {
        let duration = self.duration(robot)?;
        let (model, truth) = (self.model.of(robot, &self.notes)?, self.plant.of(robot, &self.notes)?);
        let state = self.start.state(&model, self.reference.as_ref(), &self.notes)?;
        at(&self.notes, "start", state.check(&truth, self.run.options.stop_at))?;
        let known = self.start.known(&model, &self.notes)?;
        let mut law = self.controller.drive(&model, self.reference.as_ref(), &known, &self.notes)?;
        let mut plant = at(&self.notes, "start", state.plant(&truth))?;
        let wanted = match &self.reference {
            Some(reference) => {
                self.walk(reference, &model, duration)?;
                Some(self.joints(reference, &model)?)
            }
            None => None,
        };
        let options = Options { sampling: Some(self.run.record), ..self.run.options.clone() };
        let limits = self.controller.limits(&model, &self.notes)?;
        let mut counts = Counts::new(limits, plant.efforts(), wanted.is_some());
        let ended = match &self.sampled {
            None => {
                let mut wanted = wanted.map(Wanted::new);
                let drives = plant.drives();
                let mut simulation = Simulation::new(&mut *plant, law.states(), 0.0, &options);
                if let Some(pulse) = watch.pulse {
                    simulation = simulation.with_pulse(pulse);
                }
                let motion = simulation.advance(&mut *law, duration, |&Sample { view, efforts, energy, .. }| {
                    // Where there is no reference, the law has reported it already.
                    let wanted = wanted.as_mut().and_then(|wanted| wanted.find(view.t).ok().map(|()| &wanted.q[..]));
                    let moment = Moment { view, drives: &drives, wanted, efforts, energy, sampling: None };
                    counts.count(&moment);
                    look(&moment)
                });
                sampled::Outcome { motion, ..Default::default() }
            }
            Some(sampled) => {
                at(&self.notes, "loop", quaternion(&model).map_or(Ok(()), Err))?;
                let chain = sampled.chain(&drives::names_and_kinds(&truth), &self.notes)?;
                let around = match (&state, model.model()) {
                    (State::Closed { at, .. }, Model::Closed(closed)) => {
                        SampledLoop::of_closed(closed, at, chain, sampled.timing)
                    }
                    _ => SampledLoop::of_tree(model.tree(), chain, sampled.timing),
                };
                let mut around = at(&self.notes, "loop", around)?.with_options(options.clone());
                if let Some(wanted) = wanted {
                    around = around.with_reference(wanted);
                }
                if let Some(clock) = watch.clock {
                    around = around.with_clock(clock);
                }
                if let Some(pulse) = watch.pulse {
                    around = around.with_pulse(pulse);
                }
                let (record, half, mut next) = (self.run.record, 0.5 * sampled.timing.period, 0.0);
                let mut applied = vec![0.0; plant.efforts()];
                let outcome = around.run(&mut *plant, &mut *law, 0.0, duration, |instant| {
                    let moment = Moment::from(instant);
                    if instant.trip.is_none() {
                        counts.count(&moment);
                    }
                    applied.copy_from_slice(instant.applied);
                    // The sample nearest to the row's time.
                    if moment.view.t + half < next {
                        return ControlFlow::Continue(());
                    }
                    next = ((moment.view.t + half) / record).floor().mul_add(record, record);
                    look(&moment)
                });
                let t = outcome.motion.t;
                let last = self.reference.as_ref().and_then(|reference| self.wanted_at(reference, &model, t));
                last_row(&mut *plant, t, &applied, last.as_deref(), &sampled.grippers(t), &mut look);
                outcome
            }
        };
        let is_limited = counts.limits.is_some() || self.sampled.as_ref().is_some_and(Sampled::has_outputs);
        let statistics = counts.collected.finish(f64::INFINITY);
        let sampled::Outcome { motion, trip, statistics: of_loop } = ended;
        let simulation::Outcome { t, cost, stop, interrupted } = motion;
        Ok(Outcome {
            t,
            duration,
            cost,
            stop,
            interrupted,
            trip,
            tracking: statistics.tracking,
            saturated: is_limited.then_some(statistics.saturated),
            instants: statistics.samples,
            step_times: of_loop.step_times,
            timing: self.sampled.as_ref().map(|sampled| sampled.timing),
            doubts: self.doubts(&model)?,
        })
    }

    /// The motion of the drives that is wanted.
    fn joints<'r>(
        &self,
        reference: &Reference,
        model: &'r Robot,
    ) -> Result<Box<dyn JointReference + 'r>, ScenarioError> {
        let known = self.start.known(model, &self.notes)?;
        at(&self.notes, "reference", reference.joints(model, &known))
    }

    /// Where the drives shall be at a time, not numbers where the reference is lost; nothing where there is none.
    fn wanted_at(&self, reference: &Reference, model: &Robot, t: f64) -> Option<Vec<f64>> {
        let mut wanted = Wanted::new(self.joints(reference, model).ok()?);
        // Following goes from instant to instant.
        let steps = (t / self.run.record).ceil().clamp(1.0, MOST_ROWS) as usize;
        if (0..=steps).any(|k| wanted.find(t * k as f64 / steps as f64).is_err()) {
            wanted.q.fill(f64::NAN);
        }
        Some(wanted.q)
    }

    /// Follows the reference once without the robot, so that what it cannot reach is reported before it moves.
    fn walk(&self, reference: &Reference, model: &Robot, duration: f64) -> Result<(), ScenarioError> {
        let motion = self.joints(reference, model)?;
        let end = duration.min(motion.duration());
        let mut wanted = Wanted::new(motion);
        let steps = (end / self.run.record).ceil().clamp(1.0, MOST_ROWS);
        at(&self.notes, "reference", (0..=steps as usize).try_for_each(|k| wanted.find(end * k as f64 / steps)))
    }

    /// Gains that do not keep even an exact model on its way.
    fn doubts(&self, model: &Robot) -> Result<Vec<Doubt>, ScenarioError> {
        if !self.controller.is_of_model() {
            return Ok(if self.controller.pushes_away() { vec![Doubt::PushesAway] } else { Vec::new() });
        }
        let names = drives::names(model);
        let mut doubts: Vec<Doubt> = Vec::new();
        let mut groups: Vec<(Gains, Vec<String>)> = Vec::new();
        for (name, gains) in names.iter().zip(self.controller.gains(&names, &self.notes)?) {
            match groups.iter_mut().find(|(known, _)| *known == gains) {
                Some((_, of)) => of.push(name.clone()),
                None => groups.push((gains, vec![name.clone()])),
            }
        }
        for (gains, of) in groups {
            if !gains.is_stable() {
                doubts.push(Doubt::Unstable { of, gains });
            } else if let Some(Timing { period, delay }) = self.sampled.as_ref().map(|sampled| sampled.timing)
                && let Some(growth) = gains.growth_per_sample(period, delay).filter(|growth| *growth >= 1.0)
            {
                doubts.push(Doubt::TooSlow { of, growth, period, delay });
            }
        }
        Ok(doubts)
    }
}

/// The end of a sampled run, which is not a sample: nothing is measured, and the torques and forces are those held.
fn last_row(
    plant: &mut dyn Plant,
    t: f64,
    applied: &[f64],
    wanted: Option<&[f64]>,
    grippers: &[bool],
    look: &mut impl FnMut(&Moment<'_>) -> ControlFlow<()>,
) {
    let (n, drives, energy) = (plant.efforts(), &plant.drives()[..], plant.energy());
    let (unknown, saturated) = (&vec![f64::NAN; n][..], &vec![false; n][..]);
    let (truth, trip, step_time) = (plant.view(t), None, None);
    let (q, v, commanded) = (unknown, unknown, unknown);
    let instant =
        Instant { truth, energy, drives, q, v, wanted, commanded, applied, saturated, grippers, trip, step_time };
    let _ = look(&Moment::from(&instant));
}
