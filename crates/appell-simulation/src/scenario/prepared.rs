//! A scenario that is ready to run: what both sides of a loop are made of, wherever they are.

use super::controller::quaternion;
use super::drives;
use super::events::Events;
use super::moment::{Doubt, Moment, Outcome};
use super::path::PlatformPath;
use super::rows::{Rows, wanted_on};
use super::signals::Sampled;
use super::start::State;
use super::{Cause, Reference, Scenario, ScenarioError, at};
use crate::control::operated::Operated;
use crate::control::sampled::{self, Instant, SampledLoop, Timing, Trip};
use crate::control::{Gains, Wanted};
use crate::simulation::{self, Law, Options, Plant, View};
use crate::trajectory::JointReference;
use appell::dynamics::energy::Energy;
use appell::{Model, Robot};
use core::ops::ControlFlow;

/// A reference is looked at in so many places at most before the robot follows it.
const MOST_ROWS: f64 = 1e5;

/// A scenario with its robots, before anything moves.
pub struct Prepared<'s> {
    pub(super) scenario: &'s Scenario,
    pub(super) model: Robot, // as the controller believes it
    pub(super) truth: Robot, // as it is
    pub(super) state: State,
    pub(super) duration: f64,
    pub(super) is_operated: bool, // follows an operator, not the reference
}

/// What stays from the last sample of a loop to its end.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// Torques and forces of the drives.
    pub applied: Vec<f64>,
    /// The law's own states, and then what else it shows.
    pub own: Vec<f64>,
    /// Names of what it shows.
    pub own_names: Vec<String>,
    /// Whether the brakes are on.
    pub braked: bool,
    /// Why there is a safe stop, if there is.
    pub trip: Option<Trip>,
}

impl Held {
    /// Takes over what a sample leaves.
    pub fn copy_from(&mut self, instant: &Instant<'_>) {
        for (to, from) in [(&mut self.applied, instant.applied), (&mut self.own, instant.own)] {
            to.clear();
            to.extend_from_slice(from);
        }
        if self.own_names.len() != instant.own_names.len() {
            self.own_names = instant.own_names.to_vec(); // they do not change in a run
        }
        self.braked = instant.braked;
        if self.trip.as_ref() != instant.trip {
            self.trip = instant.trip.cloned();
        }
    }
}

impl Prepared<'_> {
    /// How long it takes, s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The robot as the controller believes it to be.
    #[must_use]
    pub fn model(&self) -> &Robot {
        &self.model
    }

    /// The robot as it is.
    #[must_use]
    pub fn truth(&self) -> &Robot {
        &self.truth
    }

    /// The law.
    ///
    /// # Errors
    /// If it does not fit the robot or the reference.
    pub fn law(&self) -> Result<Box<dyn Law + '_>, ScenarioError> {
        self.law_of(None)
    }

    /// The law, following what an operator commands. Laws of platforms act on the drives then.
    ///
    /// # Errors
    /// If it does not fit the robot.
    pub fn operated_law<'p>(&'p self, operated: &Operated<'p>) -> Result<Box<dyn Law + 'p>, ScenarioError> {
        self.law_of(Some(operated))
    }

    fn law_of<'p>(&'p self, operated: Option<&Operated<'p>>) -> Result<Box<dyn Law + 'p>, ScenarioError> {
        let Scenario { controller, reference, start, notes, .. } = self.scenario;
        let known = start.known(&self.model, notes)?;
        controller.drive(&self.model, reference.as_ref(), operated, &known, notes)
    }

    /// The same for a run that follows an operator: it has no end, and no row is compared with the reference.
    #[must_use]
    pub fn for_operator(self) -> Self {
        Self { duration: f64::INFINITY, is_operated: true, ..self }
    }

    /// What an operator may command, at the pace of the section `[operator]`: from the start of the trial, which is also home, with
    /// its reference as the trajectory.
    ///
    /// # Errors
    /// If the robot cannot be operated.
    pub fn operated(&self) -> Result<Operated<'_>, ScenarioError> {
        let Scenario { operator, notes, .. } = self.scenario;
        let pace = operator.pace(&drives::names(&self.model), notes)?;
        let start: Vec<f64> = match (&self.state, self.model.model()) {
            (State::Closed { at, .. }, Model::Closed(closed)) => closed.driven().iter().map(|&j| at.q[j]).collect(),
            (State::Tree { q, .. }, _) => q.clone(),
            _ => unreachable!("a state of this robot"),
        };
        let operated = at(notes, "start", Operated::new(&self.model, &start, &pace))?;
        match self.wanted()? {
            Some(wanted) if wanted.duration().is_finite() => at(notes, "reference", operated.with_trajectory(wanted)),
            _ => Ok(operated),
        }
    }

    /// The robot at its start.
    ///
    /// # Errors
    /// If it cannot be there.
    pub fn plant(&self) -> Result<Box<dyn Plant + '_>, ScenarioError> {
        at(&self.scenario.notes, "start", self.state.plant(&self.truth))
    }

    /// The motion of the drives that is wanted, if there is one.
    ///
    /// # Errors
    /// If it does not fit the robot.
    pub fn wanted(&self) -> Result<Option<Box<dyn JointReference + '_>>, ScenarioError> {
        self.scenario.reference.as_ref().map(|reference| self.scenario.joints(reference, &self.model)).transpose()
    }

    /// The path that the platform should follow, if the reference is one.
    fn platform_path(&self) -> Result<Option<PlatformPath>, ScenarioError> {
        let Scenario { reference, start, notes, .. } = self.scenario;
        let path = reference.as_ref().filter(|reference| reference.is_of_frame() && !self.is_operated);
        match (path, self.model.model()) {
            (Some(reference), Model::Closed(closed)) => {
                let known = start.known(&self.model, notes)?;
                at(notes, "reference", reference.platform(closed, &known)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// When the computer samples, if there is one.
    #[must_use]
    pub fn timing(&self) -> Option<Timing> {
        self.scenario.sampled.as_ref().map(|sampled| sampled.timing)
    }

    /// The computer with its wires, without a clock.
    ///
    /// # Errors
    /// If there is no section `[loop]`, or it does not fit the robot.
    pub fn sampled_loop(&self) -> Result<SampledLoop<'_>, ScenarioError> {
        let Scenario { sampled, notes, .. } = self.scenario;
        let expected = "the computer: its period, s";
        let sampled = at(notes, "loop", sampled.as_ref().ok_or(Cause::Missing { expected }))?;
        at(notes, "loop", quaternion(&self.model).map_or(Ok(()), Err))?;
        let chain = sampled.chain(&drives::names_and_kinds(&self.truth), notes)?;
        let around = match (&self.state, self.model.model()) {
            (State::Closed { at, .. }, Model::Closed(closed)) => {
                SampledLoop::of_closed(closed, at, chain, sampled.timing)
            }
            _ => SampledLoop::of_tree(self.model.tree(), chain, sampled.timing),
        };
        let around = at(notes, "loop", around)?.with_options(self.options());
        let (safety, braking) = self.scenario.safety.of(&self.model, sampled.timing, notes)?;
        let around = around.with_safety(safety, braking);
        Ok(match self.wanted()? {
            Some(wanted) => around.with_reference(wanted),
            None => around,
        })
    }

    /// How it is simulated.
    #[must_use]
    pub fn options(&self) -> Options {
        Options { sampling: Some(self.scenario.run.record), ..self.scenario.run.options.clone() }
    }

    /// What chooses the rows of the record from the samples, and counts.
    ///
    /// # Errors
    /// If the law's limits do not fit the robot.
    pub fn rows(&self) -> Result<Rows, ScenarioError> {
        let limits = self.scenario.controller.limits(&self.model, &self.scenario.notes)?;
        let names = drives::names(&self.model);
        let drives = names.len();
        let period = self.timing().map(|timing| timing.period);
        let recorder = self.scenario.recorder.as_ref();
        let recorder = recorder.map(|recorder| recorder.of(&names, period, &self.scenario.notes)).transpose()?;
        let tracks = self.scenario.reference.is_some() || self.is_operated;
        let begin = format!("{}, of {}", self.scenario.name, self.model.tree().name());
        let events = Events::new(names, begin);
        let path = self.platform_path()?;
        let steps = [self.scenario.run.record, period.unwrap_or(0.0)];
        Ok(Rows::new(limits, (drives, tracks), steps, events, path).with_recorder(recorder))
    }

    /// The end of a sampled run, which is not a sample: nothing is measured, and what the law and its outputs had at the last
    /// one is held.
    pub fn last_row(
        &self,
        truth: View<'_>,
        energy: Energy,
        drives: &[usize],
        held: &Held,
        look: &mut impl FnMut(&Moment<'_>) -> ControlFlow<()>,
    ) {
        let n = held.applied.len();
        let reference = self.scenario.reference.as_ref().filter(|_| !self.is_operated);
        let wanted = reference.and_then(|wanted| self.scenario.wanted_at(wanted, &self.model, truth.t));
        let grippers = self.scenario.sampled.as_ref().map(|sampled| sampled.grippers(truth.t)).unwrap_or_default();
        let unknown = &vec![f64::NAN; n][..];
        let instant = Instant {
            truth,
            energy,
            drives,
            q: unknown,
            v: unknown,
            wanted: wanted.as_deref(),
            commanded: unknown,
            applied: &held.applied,
            saturated: &vec![false; n],
            grippers: &grippers,
            own: &held.own,
            own_names: &held.own_names,
            braked: held.braked,
            trip: held.trip.as_ref(),
            step_time: None,
        };
        let path = self.platform_path().ok().flatten();
        let wanted_platform = path.map(|mut path| wanted_on(&mut *path, truth.t));
        let _ = look(&Moment { wanted_platform, ..Moment::from(&instant) });
    }

    /// How it has ended, of what was counted.
    ///
    /// # Errors
    /// If the gains do not fit the robot.
    pub fn outcome(&self, ended: sampled::Outcome, rows: Rows) -> Result<Outcome, ScenarioError> {
        let is_limited = rows.limits.is_some() || self.scenario.sampled.as_ref().is_some_and(Sampled::has_outputs);
        let last_events = rows.events.end(&ended.motion, ended.trip.as_ref());
        let statistics = rows.collected.finish(f64::INFINITY);
        let sampled::Outcome { motion, trip, statistics: of_loop } = ended;
        let simulation::Outcome { t, cost, stop, interrupted } = motion;
        Ok(Outcome {
            t,
            duration: self.duration,
            cost,
            stop,
            interrupted,
            trip,
            tracking: statistics.tracking,
            saturated: is_limited.then_some(statistics.saturated),
            instants: statistics.samples,
            step_times: of_loop.step_times,
            timing: self.timing(),
            doubts: self.scenario.doubts(&self.model)?,
            last_events,
        })
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

    /// Makes everything ready that does not move: both robots, the start, the law's numbers. The reference is followed once
    /// without the robot, so that what it cannot reach is reported before it moves.
    ///
    /// # Errors
    /// If something in it does not fit the robot, with its line.
    pub fn prepare(&self, robot: &Robot) -> Result<Prepared<'_>, ScenarioError> {
        let duration = self.duration(robot)?;
        let (model, truth) = (self.model.of(robot, &self.notes)?, self.plant.of(robot, &self.notes)?);
        let state = self.start.state(&model, self.reference.as_ref(), &self.notes)?;
        at(&self.notes, "start", state.check(&truth, self.run.options.stop_at))?;
        if let Some(reference) = &self.reference {
            self.walk(reference, &model, duration)?;
        }
        Ok(Prepared { scenario: self, model, truth, state, duration, is_operated: false })
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
