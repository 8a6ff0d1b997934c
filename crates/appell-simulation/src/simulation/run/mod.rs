//! A motion from one time to another: steps, samples at equal times, and events that end it.

mod changes;

use super::friction::Friction;
use super::stepper::{Cost, Method, Stepper, Tolerances};
use super::system::System;
use super::within::{COMPUTED, Within};
use super::{Law, Plant, Reason, Stop, View};
use appell::dynamics::energy::Energy;
use core::ops::ControlFlow;

/// Which limits of a robot's joints are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Watched {
    /// Those of the positions.
    pub position: bool,
    /// Those of the speeds.
    pub velocity: bool,
    /// Those of the drives' torques and forces.
    pub effort: bool,
}

/// How a motion is followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// By which steps.
    pub method: Method,
    /// The first step of an adaptive method, s; found if not given.
    pub first_step: Option<f64>,
    /// The longest step, s.
    pub longest_step: f64,
    /// Steps at most.
    pub most_steps: usize,
    /// Time between samples, s; every step is one if not given.
    pub sampling: Option<f64>,
    /// Which limits of the joints end the motion.
    pub stop_at: Watched,
    /// The velocity of a joint, rad/s or m/s, beyond which the motion runs away, and ends: laws that are not stable take
    /// ever smaller steps without end.
    pub fastest: f64,
    /// The inverse condition number below which a singularity is near, and ends the motion.
    pub least_condition: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::DormandPrince(Tolerances::default()),
            first_step: None,
            longest_step: f64::INFINITY,
            most_steps: 10_000_000,
            sampling: None,
            stop_at: Watched::default(),
            fastest: f64::INFINITY,
            least_condition: None,
        }
    }
}

/// A moment that was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'s> {
    /// Where the robot is, and how it moves.
    pub view: View<'s>,
    /// What drives it.
    pub efforts: &'s [f64],
    /// The law's own states.
    pub own: &'s [f64],
    /// Its energy, J.
    pub energy: Energy,
}

/// How a motion ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// When, s.
    pub t: f64,
    /// What it has cost.
    pub cost: Cost,
    /// Why it ended before its time.
    pub stop: Option<Stop>,
    /// Whether the one who looked at the samples wanted no more.
    pub interrupted: bool,
}

/// Hears the time after every step, and may end the motion: for those who wait, and those who do not want to any more.
pub type Pulse<'p> = Box<dyn FnMut(f64) -> ControlFlow<()> + 'p>;

/// Sees a sample, and may end the motion.
type Look<'l> = &'l mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>;

/// Whether the motion goes on.
type Flow = Result<ControlFlow<()>, Reason>;

/// A motion that goes on: a plant, and the memory of its steps.
pub struct Simulation<'p> {
    plant: &'p mut dyn Plant,
    options: Options,
    stepper: Stepper,
    begun: bool, // whether the beginning was looked at
    t: f64,
    begin: f64,
    samples: usize,
    y: Vec<f64>,
    room: Vec<f64>,
    own_rates: Vec<f64>,
    efforts: Vec<f64>,
    drives: Vec<usize>,      // their joints
    effort_limits: Vec<f64>, // of them
    friction: Option<Friction>,
    acts: bool,       // whether friction does
    before: Vec<f64>, // y before a step, where friction acts
    stalled: usize,   // changes of friction since the last progress
    within: Within,
    pulse: Option<Pulse<'p>>,
}

/// Follows a motion from `begin` to `end`; `look` sees every sample, and may end it.
pub fn run(
    plant: &mut dyn Plant,
    law: &mut dyn Law,
    begin: f64,
    end: f64,
    options: &Options,
    look: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Outcome {
    Simulation::new(plant, law.states(), begin, options).advance(law, end, look)
}

impl<'p> Simulation<'p> {
    /// A motion that begins at a time, in the plant's state. Its drives have `own` states, which begin at zero.
    pub fn new(plant: &'p mut dyn Plant, own: usize, begin: f64, options: &Options) -> Self {
        let n = plant.freedoms();
        let mut y = vec![0.0; 2 * n + own];
        let (x, rest) = y.split_at_mut(n);
        plant.state(x, &mut rest[..n]);
        let within = Within::new(plant, y.len());
        let friction = (!plant.dry_friction().is_empty()).then(|| Friction::new(plant));
        let before = y.clone();
        Self {
            stepper: Stepper::new(options.method, y.len(), options.first_step, options.longest_step),
            begun: false,
            options: options.clone(),
            t: begin,
            begin,
            samples: 0,
            room: y.clone(),
            y,
            own_rates: vec![0.0; own],
            efforts: vec![0.0; plant.efforts()],
            effort_limits: plant.drives().iter().map(|&j| plant.joints().1[j].effort).collect(),
            drives: plant.drives(),
            acts: friction.is_some(),
            friction,
            before,
            stalled: 0,
            within,
            pulse: None,
            plant,
        }
    }

    /// The same with one who hears the time after every step.
    #[must_use]
    pub fn with_pulse(mut self, pulse: Pulse<'p>) -> Self {
        self.pulse = Some(pulse);
        self
    }

    /// Engages the brakes of the drives, with a torque or force each, N m or N; zeros release them. A brake is dry friction at its drive: it
    /// slows the joint down, holds it once it is at rest, and slips when more than its torque acts on the joint.
    ///
    /// # Panics
    /// If these are not one per drive, or one is negative or NaN; or if the plant has no answer to forces along its joints
    /// ([`Plant::responses`]).
    pub fn set_brakes(&mut self, brakes: &[f64]) {
        assert_eq!(brakes.len(), self.drives.len(), "one torque or force per drive");
        assert!(brakes.iter().all(|&brake| brake >= 0.0), "torques and forces of brakes are not negative");
        if self.friction.is_none() && brakes.iter().all(|&brake| brake == 0.0) {
            return;
        }
        let friction = self.friction.get_or_insert_with(|| Friction::new(self.plant));
        friction.set_brakes(brakes);
        self.acts = friction.acts();
    }

    /// The joints that dry friction or brakes hold, as indices of [`View::v`].
    pub fn sticking(&self) -> impl Iterator<Item = usize> {
        self.friction.iter().filter(|_| self.acts).flat_map(Friction::sticking)
    }

    /// The time it has come to, s.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// The plant, in its state at this time.
    #[must_use]
    pub fn plant(&self) -> &dyn Plant {
        self.plant
    }

    /// The plant's energy at this time.
    pub fn energy(&mut self) -> Energy {
        self.plant.energy()
    }

    /// Goes on to `end`. What drives the plant may be another each time; its own states go on.
    ///
    /// # Panics
    /// If the law has not as many states as the motion was made for.
    pub fn advance(
        &mut self,
        law: &mut dyn Law,
        end: f64,
        mut look: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Outcome {
        assert_eq!(self.own_rates.len(), law.states(), "as many states of the law as the motion was made for");
        self.stepper.begin_anew(); // the torques and forces may jump
        let mut flow = if self.begun { Ok(ControlFlow::Continue(())) } else { self.look_at_beginning(law, &mut look) };
        if let (Ok(_), true) = (&flow, self.acts)
            && let Err(reason) = self.settle(law)
        {
            flow = Err(reason);
        }
        while matches!(flow, Ok(ControlFlow::Continue(()))) && self.t < end {
            flow = self.step(law, end, &mut look);
            if let (Ok(ControlFlow::Continue(())), Some(pulse)) = (&flow, &mut self.pulse) {
                flow = Ok(pulse(self.t));
            }
        }
        let interrupted = matches!(flow, Ok(ControlFlow::Break(())));
        let stop = flow.err().map(|reason| Stop { t: self.t, reason });
        Outcome { t: self.t, cost: self.stepper.cost, stop, interrupted }
    }

    fn look_at_beginning(&mut self, law: &mut dyn Law, look: Look<'_>) -> Flow {
        self.begun = true;
        self.samples = 1;
        let flow = self.show(law, self.t, look)?;
        self.passed(law, self.t).map_or(Ok(flow), Err)
    }

    /// One step, the samples in it, and where it ends before its time.
    fn step(&mut self, law: &mut dyn Law, end: f64, look: Look<'_>) -> Flow {
        let t = self.t;
        if self.stepper.cost.steps >= self.options.most_steps {
            return Err(Reason::TooManySteps { steps: self.stepper.cost.steps });
        }
        let Some((h, changes)) = self.carry_on_with_friction(law, end)? else {
            return Ok(ControlFlow::Continue(()));
        };
        self.room.copy_from_slice(&self.y);
        let ended = self.ended(law, [t, h]);
        let part = ended.as_ref().map_or(1.0, |(part, _)| *part);
        let after = if h >= end - t || t + h >= end { end } else { t + h }; // t + (end − t) may fall short of the end by rounding
        let until = if part < 1.0 { t + part * h } else { after };
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue() {
            let Some(next) = self.next_sample(until) else { break };
            let theta = ((next - t) / h).clamp(0.0, 1.0);
            self.stepper.within(theta, &mut self.room);
            flow = self.show(law, next, look)?;
            self.samples += 1;
        }
        if self.options.sampling.is_none() || ended.is_some() {
            self.stepper.within(part, &mut self.room);
            flow = self.show(law, until, look)?;
        }
        self.t = until;
        if let Some((_, reason)) = ended {
            self.y.copy_from_slice(&self.room);
            return Err(reason);
        }
        let n = self.plant.freedoms();
        self.plant.place(&self.y[..n], &self.y[n..2 * n])?;
        if changes {
            self.settle(law)?;
        } else if self.acts {
            self.rest()?;
        }
        if self.plant.anchor() {
            self.begin_anew();
        }
        Ok(flow)
    }

    /// Takes the plant's state, whose coordinates have changed.
    fn begin_anew(&mut self) {
        let n = self.plant.freedoms();
        let (x, rest) = self.y.split_at_mut(n);
        self.plant.state(x, &mut rest[..n]);
        self.stepper.begin_anew();
    }

    /// Steps from where the motion has come to, in other coordinates if these do not carry it on; how far.
    fn carry_on(&mut self, law: &mut dyn Law, end: f64) -> Result<f64, Reason> {
        loop {
            let Self { plant, efforts, stepper, y, t, friction, acts, .. } = &mut *self;
            let friction = friction.as_mut().filter(|_| *acts);
            let mut system = System { plant: &mut **plant, law, efforts, friction };
            let reason = match stepper.step(&mut system, *t, end, y) {
                Ok(h) => return Ok(h),
                Err(reason) => reason,
            };
            // The plant is left where the motion has come to, not where a step was tried.
            let n = plant.freedoms();
            plant.place(&y[..n], &y[n..2 * n])?;
            if !(reason.is_of_place() && plant.change_coordinates()) {
                return Err(reason);
            }
            stepper.cost.rejected += 1;
            self.begin_anew();
        }
    }

    /// The time of the next sample, if it is not after `until`.
    fn next_sample(&self, until: f64) -> Option<f64> {
        let dt = self.options.sampling.filter(|dt| dt.is_finite())?; // without an end: the beginning alone
        let next = self.begin + self.samples as f64 * dt;
        (next <= until + 1e-9 * dt).then(|| next.min(until))
    }

    /// Brings the plant to the state in `room` and shows it.
    fn show(&mut self, law: &mut dyn Law, t: f64, look: Look<'_>) -> Flow {
        let Self { plant, efforts, room, own_rates, .. } = self;
        let mut system = System { plant: &mut **plant, law, efforts, friction: None };
        system.place(t, room, own_rates)?;
        let energy = plant.energy();
        let own = &room[2 * plant.freedoms()..];
        Ok(look(&Sample { view: plant.view(t), efforts, own, energy }))
    }

    /// What ends the motion in the state `room`, to which the plant has been brought.
    fn passed(&mut self, law: &mut dyn Law, t: f64) -> Option<Reason> {
        let Energy { kinetic, potential } = self.plant.energy();
        if !(kinetic.is_finite() && potential.is_finite()) {
            return Some(Reason::NotFinite { what: "the energy" });
        }
        if let Some(least) = self.options.least_condition {
            let (type1, type2) = self.plant.nearness().unwrap_or((1.0, 1.0));
            for (which, value) in [("the legs (Type 1)", type1), ("the drives (Type 2)", type2)] {
                if value.is_nan() || value < least {
                    return Some(Reason::NearSingular { which, value, least });
                }
            }
        }
        let Watched { position, velocity, effort } = self.options.stop_at;
        let view = self.plant.view(t);
        if effort {
            let own = &self.room[2 * self.plant.freedoms()..];
            if let Err(reason) = law.efforts(&view, own, &mut self.own_rates, &mut self.efforts) {
                return Some(reason);
            }
        }
        let (names, limits) = self.plant.joints();
        let most = self.options.fastest;
        if let Some(j) = view.v.iter().position(|v| v.is_nan() || v.abs() > most) {
            return Some(Reason::RunsAway { joint: names[j].clone(), value: view.v[j], most });
        }
        let reached = |quantity, j: usize, value: f64, within: [f64; 2]| {
            Reason::beyond(quantity, value, within, || names[j].clone())
        };
        let both = |limit: f64| [-limit, limit];
        let of_joint = |j: usize| {
            let at = self.plant.position_of(j).filter(|_| position);
            let place = at.map(|at| reached("position", j, view.q[at], [limits[j].lower, limits[j].upper]));
            let speed = || velocity.then(|| reached("velocity", j, view.v[j], both(limits[j].velocity))).flatten();
            place.flatten().or_else(speed)
        };
        let of_drive = |(&j, &value): (&usize, &f64)| reached("effort", j, value, both(limits[j].effort));
        let drives = self.drives.iter().zip(&self.efforts).filter(|_| effort);
        let followers = || self.plant.follower_beyond(position, velocity);
        (0..names.len()).find_map(of_joint).or_else(followers).or_else(|| drives.into_iter().find_map(of_drive))
    }

    /// Where in the last step, from `t` on and `h` long, the motion must end, and why; the plant is at the step's end.
    fn ended(&mut self, law: &mut dyn Law, [t, h]: [f64; 2]) -> Option<(f64, Reason)> {
        let at_end = self.passed(law, t + h);
        let Self { within, plant, stepper, options, efforts, own_rates, effort_limits, .. } = &mut *self;
        let of_state = within.beyond(&mut **plant, stepper, h, options.stop_at);
        let limits = options.stop_at.effort.then_some(&**effort_limits);
        let mut system = System { plant: &mut **plant, law, efforts, friction: None };
        let computed = within.beyond_computed(&mut system, stepper, [t, h], limits, options.least_condition, own_rates);
        let mut parts: [Option<f64>; COMPUTED + 1] =
            core::array::from_fn(|k| if k < COMPUTED { computed[k] } else { of_state });
        parts.sort_unstable_by(|one, other| one.unwrap_or(1.0).total_cmp(&other.unwrap_or(1.0)));
        let inside = parts.into_iter().flatten().filter(|&part| part < 1.0 || at_end.is_none());
        for part in inside {
            if let Some(reason) = self.passed_within(law, [t, h], part) {
                return Some(self.first_passed(law, [t, h], part, reason));
            }
        }
        at_end.map(|reason| self.first_passed(law, [t, h], 1.0, reason))
    }

    /// What ends the motion at a part of the last step.
    fn passed_within(&mut self, law: &mut dyn Law, [t, h]: [f64; 2], part: f64) -> Option<Reason> {
        let n = self.plant.freedoms();
        self.stepper.within(part, &mut self.room);
        match self.plant.place(&self.room[..n], &self.room[n..2 * n]) {
            Ok(()) => self.passed(law, t + part * h),
            Err(failed) => Some(failed),
        }
    }

    /// The first part of the last step, from `t` on and `h` long, at which the motion must end, and why, by bisection up to a part at which it
    /// must.
    fn first_passed(&mut self, law: &mut dyn Law, [t, h]: [f64; 2], part: f64, reason: Reason) -> (f64, Reason) {
        let (mut before, mut after, mut reason) = (0.0, part, reason);
        for _ in 0..48 {
            let middle = 0.5 * (before + after);
            match self.passed_within(law, [t, h], middle) {
                Some(found) => (after, reason) = (middle, found),
                None => before = middle,
            }
        }
        (after, reason)
    }
}
