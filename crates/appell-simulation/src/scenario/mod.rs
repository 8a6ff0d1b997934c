//! A trial in a file: which robot, how the true one differs from what the controller believes, what it shall do, the law,
//! the computer with its wires, and how it is simulated.
//!
//! ```toml
//! name = "a heavy tool"
//! robot = "puma560"              # a built-in name, or a robot's file, seen from this one
//! output = "tool"                # optional, of a robot with closed loops: the frame that moves as its platform
//! duration = 2.0                 # s; that of the reference where left out
//!
//! [start]                        # where the reference begins, and as fast, where left out
//! q = [0, "-45 deg", 0, 0, "30 deg", 0]   # of joints, or of drives; or a platform's `pose`
//! v = 0.0                        # zero where left out
//!
//! [plant]                        # how the true robot differs from its file; [model]: how the controller's idea of it does
//! payload = { on = "wrist-roll", mass = 2.0, com = [0, 0, 0.1] }   # of a parallel robot on its platform
//! scale = 1.1                    # all masses, with their inertias
//! spread = 0.1                   # each body by another factor, within ± 10 %, from `seed`
//! friction = { viscous = 1.0, coulomb = 3.0, smoothing = 0.01 }   # of all joints; without smoothing they stick; also a curve (`stribeck` …), `rotor`, `spring`
//! gravity = [0, 0, -9.81]
//! [plant.body.elbow]             # single bodies: `scale`, or `mass`, `com` and `inertia`
//! scale = 1.05
//! [plant.joint.elbow]            # single joints: `friction`, `rotor`, `spring`
//! friction = { viscous = 2.0 }
//!
//! [reference]
//! kind = "joints"                # see below
//! to = ["60 deg", "-30 deg", "20 deg", 0, "45 deg", 0]
//! time = 1.5
//!
//! [controller]
//! law = "computed-torque"        # see below
//! natural_frequency = 12.0       # rad/s; one number, one per joint, or by joint: { waist = 10, elbow = 14 }
//! damping = 1.0
//! integral_root = 3.0            # 1/s; no integral action where left out
//! limit = "robot"                # efforts are cut at the limits of the robot's file, or at given ones; not at all where left out
//!
//! [loop]                         # a computer; without it the law acts in continuous time
//! period = 1e-3                  # s
//! delay = 0.5                    # periods
//! encoder = { counts = 4000, gear = 60.0, index = 0 }   # of slides `lead`, m a turn
//! potentiometer = { lower = "-170 deg", upper = "170 deg", noise = 1e-3, bits = 12 }
//! speed = { by = "difference", cutoff = 300.0 }
//! output = { torque_per_volt = 20.0, bits = 12, limit = 150.0 }
//! over_temperature = { at = 5.0 }  # or winding = [heating K/(N m)², time constant s, largest rise K]
//! brakes = { torque = 120.0 }    # what a trip does, N m or N at each drive: dry friction; or `stiffness` and `damping`; power off where left out
//! emergency_stop = { at = 2.0 }  # somebody presses it; sensor_fault = { at = 1.0, kind = "frozen" } of a drive: or "nan", "offset" with `by`
//! grippers = [[0.5, 1.5]]        # switching times of each, s
//! [loop.joint.waist]             # single drives, likewise
//! encoder = { counts = 4000, gear = 62.6 }
//!
//! [safety]                       # what the computer watches; every fault stops the robot, and has a code
//! position = "robot"             # limits of measured positions: of the robot's file, or a margin within them, rad or m
//! velocity = "robot"             # likewise, or the largest, rad/s or m/s
//! effort = "robot"               # the most that the law may want, N m or N
//! tracking = 0.1                 # the largest distance from the reference, rad or m
//! range = 0.2                    # farther beyond `position` a sensor is wrong, rad or m
//! jump = 20.0                    # a measured position that changes faster is wrong, rad/s or m/s
//! frozen = { samples = 50, travel = 0.02 }   # so is one that stands still while the reference moves so far
//! watchdog = 10                  # periods that either side waits for the other
//! late = 3                       # control steps in a row that may take longer than a period; 10 where left out
//! braking = { time = 0.3, damping = 50.0 }   # torques against the speed, before the brakes are put on
//! rest_within = 0.5              # s from brakes to rest, which `appell plant` judges
//!
//! [operator]                     # how fast an operator moves the robot (`appell run --operate`); see [`Pace`](crate::control::operated::Pace)
//! speed = 0.5                    # largest of the drives, rad/s or m/s; half of the robot's own, or 1 rad/s and 0.25 m/s, where left out
//! acceleration = 2.0             # rad/s² or m/s²; the speed in `ramp_time`, 0.5 s, where left out
//! linear = 0.1                   # m/s of a tool or platform that is jogged; `angular`, rad/s
//!
//! [recorder]                     # keeps what the computer sees, as recorders do: `appell simulate` writes recorder.csv
//! rate = 200                     # rows a second, Hz, at most the computer's
//! jitter = 0.3                   # rows come up to this part of a step early or late; stamps are right
//! lost = 0.01                    # this part of the rows is missing
//! noise = 0.5                    # of torques and forces, N m or N, one standard deviation; one, one each, or by joint
//! seed = 1
//!
//! [run]
//! method = "dormand-prince"      # with `tolerance`; or "runge-kutta", "midpoint", with `step`
//! tolerance = 1e-8
//! stop_at = ["position"]         # limits that end the motion: "position", "velocity", "effort"
//! least_condition = 1e-3         # of a closed robot: nearer to a singularity it ends
//! fastest = 1e4                  # rad/s or m/s: a joint that moves faster runs away, and that is the end
//! most_steps = 10000000          # more are too many
//! record = 0.01                  # s from row to row of the record
//! ```
//!
//! | `reference.kind` | what moves | keys |
//! |---|---|---|
//! | `hold` | nothing | `at` |
//! | `joints` | joints or drives, straight | `from`, `to`, and a pace |
//! | `spline` | joints or drives | `points` = rows of t, q1 …; or `file`, a table of them; `degree` = `quintic`, `cubic`; `ends` = `rest`, `natural`; or a pace's `law`, at rest at each point |
//! | `fourier` | joints or drives | `offset`, `sin`, `cos` = one row per joint; `frequency` (Hz), `periods`, `from_rest` |
//! | `line` | a frame, or the platform | `frame`, `from`, `to` = x, y, z and an orientation, if it is another; and a pace |
//! | `arc` | likewise | `through` and `to`, or `centre`, `axis` and `turn`; `follow`; and a pace |
//! | `via` | likewise | `points` = rows of t and a pose, or `file`; straight lines with `blend` (s), or by a pace's `law`, at rest at each |
//!
//! A pace is `law` (`quintic`, `cubic`, `ramp`, `s-curve`, `constant`) with `time`, or with limits: `speed`,
//! `acceleration`, `jerk`, and of frames `turn_speed`, `turn_acceleration`. Frames of open robots may have
//! `position_only` and `hold`, joints that stay.
//!
//! | `controller.law` | robots | gains |
//! |---|---|---|
//! | `none` | all | |
//! | `computed-torque`, `point-to-point` | open, closed | of accelerations: `natural_frequency`, `damping`, `integral_root`; or `kp`, `kd`, `ki` |
//! | `platform-torque`, `drive-torque` | closed | likewise; of a platform one number for all degrees of freedom |
//! | `pd`, `pd-gravity`, `feed-forward` | open, closed | of torques and forces: `kp`, `kd`, `ki` |
//! | `adaptive` | open | `bandwidth` (1/s), `damping` (N m s/rad), `learning` |
//! | `{ library = "law.so", parameters = { kp = 100.0 } }` | all | its own; opened by who plays it, see [`Scenario::put_law`] |
//!
//! [`Scenario::read`] reads the text, [`Scenario::play`] runs it.
//!
//! ```
//! use appell::Robot;
//! use appell_simulation::scenario::{Scenario, Watch};
//! use core::ops::ControlFlow;
//!
//! let scenario = Scenario::read(r#"
//! robot = "scara"
//! reference = { kind = "joints", to = [1.0, 0.5, 0.1, 0.0], time = 0.5 }
//! controller = { law = "computed-torque", natural_frequency = 20.0 }
//! "#).unwrap();
//! let robot = Robot::builtin(&scenario.robot).unwrap();
//! let outcome = scenario.play(&robot, Watch::default(), |_| ControlFlow::Continue(())).unwrap();
//! assert!(outcome.stop.is_none() && outcome.tracking[0].largest < 1e-6);
//! ```

mod changes;
mod controller;
mod each;
mod error;
mod drives;
mod event;
mod moment;
mod columns;
mod events;
mod examples;
mod operator;
mod own_law;
mod path;
mod play;
mod prepared;
mod recorder;
mod reference;
mod rows;
mod run;
mod safety;
mod signals;
mod start;

pub use error::{Cause, ScenarioError};
pub use event::{Event, EventKind, Listener, Severity};
pub use examples::{EXAMPLES, EXPLAINED, Example};
pub use moment::{Doubt, LeastWork, Moment, Outcome, PlatformError, Watch};
pub use own_law::{LawLibrary, LawOrder};
pub use prepared::{Held, Prepared};
pub use recorder::{RowListener, recorded_columns};
pub use rows::Rows;

use crate::simulation::{Law, Reason};
use ::toml::de::DeTable;
use appell::description::notes::Notes;
use appell::description::toml::reader::Reader;
use appell::description::{Finding, Problems};
use changes::Changes;
use controller::Controller;
use each::{Each, at, some_positive};
use operator::OperatorPart;
use path::Points;
use recorder::RecorderPart;
use reference::Reference;
use run::Run;
use safety::SafetyPart;
use signals::Sampled;
use start::Start;
use std::sync::Arc;

/// A scenario that was read; see the [module](self) for its text.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What it is called.
    pub name: String,
    /// The robot, as the file calls it.
    pub robot: String,
    /// The frame that is the robot's output, where it is not the one its file names.
    pub output: Option<String>,
    duration: Option<f64>,
    start: Start,
    plant: Changes,
    model: Changes,
    reference: Option<Reference>,
    controller: Controller,
    sampled: Option<Sampled>,
    safety: SafetyPart,
    operator: OperatorPart,
    recorder: Option<RecorderPart>,
    run: Run,
    notes: Notes,
}

const KEYS: &[&str] = &[
    "name",
    "robot",
    "output",
    "duration",
    "start",
    "plant",
    "model",
    "reference",
    "controller",
    "loop",
    "safety",
    "operator",
    "recorder",
    "run",
];

impl Scenario {
    /// Takes as many steps as the run needs, whatever `run.most_steps` says.
    pub fn allow_all_steps(&mut self) {
        self.run.options.most_steps = usize::MAX;
    }

    /// Reads a scenario.
    ///
    /// # Errors
    /// Every problem of the text at once, each with its line where one is known.
    pub fn read(text: &str) -> Result<Self, Problems> {
        let mut reader = Reader::new(text);
        let (document, errors) = DeTable::parse_recoverable(text);
        let understood = errors.iter().take(1).all(|error| reader.syntax_error(text, error));
        if !understood {
            return Err(reader.notes.finish([]));
        }
        let file = reader.file(document.get_ref(), KEYS);
        let robot = reader.require(&file, "robot", "the name of a built-in robot, or the path of a robot's file");
        let robot = robot.and_then(|node| reader.text(&node, "a name or a path")).unwrap_or_default().to_owned();
        let output = reader.get(&file, "output").and_then(|node| reader.text(&node, "the name of a frame or a joint"));
        let output = output.map(Into::into);
        let name = reader.get(&file, "name").and_then(|node| reader.text(&node, "a name")).map(str::to_owned);
        let scenario = Self {
            name: name.unwrap_or_else(|| robot.clone()),
            robot,
            output,
            duration: some_positive(&mut reader, &file, "duration"),
            start: Start::read(&mut reader, &file),
            plant: Changes::read(&mut reader, &file, "plant"),
            model: Changes::read(&mut reader, &file, "model"),
            reference: Reference::read(&mut reader, &file),
            controller: Controller::read(&mut reader, &file),
            sampled: Sampled::read(&mut reader, &file),
            safety: SafetyPart::read(&mut reader, &file),
            operator: OperatorPart::read(&mut reader, &file),
            recorder: RecorderPart::read(&mut reader, &file),
            run: Run::read(&mut reader, &file),
            notes: Notes::default(),
        };
        if reader.notes.has_errors() {
            return Err(reader.notes.finish([]));
        }
        if scenario.reference.is_none() && scenario.duration.is_none() {
            let expected = "how long it takes, s, because there is no reference";
            reader.error("duration", Finding::Missing { expected });
            return Err(reader.notes.finish([]));
        }
        Ok(Self { notes: reader.notes, ..scenario })
    }

    /// Lets [`play`](Self::play) show a row every `step` s, in place of what the file says.
    ///
    /// # Panics
    /// If the step is not positive.
    pub fn record_every(&mut self, step: f64) {
        assert!(step > 0.0, "time from row to row");
        self.run.record = step;
    }

    /// Time from row to row of the record, s.
    #[must_use]
    pub fn record_step(&self) -> f64 {
        self.run.record
    }

    /// Whether a recorder stands beside the computer; see [`Watch::recorded`].
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// How many digital outputs the computer has.
    #[must_use]
    pub fn grippers(&self) -> usize {
        self.sampled.as_ref().map_or(0, |sampled| sampled.grippers(0.0).len())
    }

    /// The table that holds the points of the reference, if the scenario names one: a path seen from the scenario's file.
    #[must_use]
    pub fn points_file(&self) -> Option<&str> {
        match &self.reference {
            Some(
                Reference::Spline { points: Points::File(file), .. }
                | Reference::Via { points: Points::File(file), .. },
            ) => Some(file),
            _ => None,
        }
    }

    /// Whether the rows of that table are poses, not positions of joints.
    #[must_use]
    pub fn points_are_poses(&self) -> bool {
        self.reference.as_ref().is_some_and(Reference::is_of_frame)
    }

    /// Gives the points that stood in [`Self::points_file`]: times, and a row of positions or of a pose for each.
    pub fn put_points(&mut self, times: Vec<f64>, rows: Vec<Vec<f64>>) {
        if let Some(points) = self.reference.as_mut().and_then(Reference::points) {
            *points = Points::Here { times, rows };
        }
    }

    /// The shared library that holds the law, if the scenario names one: a path seen from the scenario's file.
    #[must_use]
    pub fn law_library(&self) -> Option<&LawLibrary> {
        self.controller.own.as_ref().map(|own| &own.asked)
    }

    /// Gives who makes the law of [`Self::law_library`], once for every [`play`](Self::play). It need not be a library's:
    ///
    /// ```
    /// use appell::Robot;
    /// use appell_simulation::control::{Gains, InAdvance, JointPd};
    /// use appell_simulation::scenario::{Scenario, Watch};
    /// use core::ops::ControlFlow;
    ///
    /// let mut scenario = Scenario::read(r#"
    /// robot = "scara"
    /// reference = { kind = "joints", to = [1.0, 0.5, 0.1, 0.0], time = 0.5 }
    /// controller = { law = { library = "my.so", parameters = { kp = 50.0 } } }
    /// "#).unwrap();
    /// let robot = Robot::builtin(&scenario.robot).unwrap();
    /// let kp = scenario.law_library().unwrap().parameters[0].1[0];
    /// scenario.put_law(move |order| {
    ///     let gains = Gains { proportional: kp, derivative: 5.0, integral: 0.0 };
    ///     Ok(Box::new(JointPd::new(order.model.tree(), order.reference, vec![gains; 4], InAdvance::Gravity)))
    /// });
    /// let outcome = scenario.play(&robot, Watch::default(), |_| ControlFlow::Continue(())).unwrap();
    /// assert!(outcome.stop.is_none());
    /// ```
    pub fn put_law(
        &mut self,
        make: impl for<'r> Fn(LawOrder<'r>) -> Result<Box<dyn Law + 'r>, Reason> + Send + Sync + 'static,
    ) {
        let period = self.sampled.as_ref().map(|sampled| sampled.timing.period);
        if let Some(own) = &mut self.controller.own {
            own.make = Some(Arc::new(make));
            own.period = period;
        }
    }
}
