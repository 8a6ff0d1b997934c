//! What the computer watches, and how it stops the robot: the section `[safety]`.

use super::each::{expect_entries, not_negative, positive, some_count, some_positive};
use super::{Cause, Each, ScenarioError, at, drives};
use crate::control::sampled::{Frozen, Safety, Timing};
use crate::control::{Gains, InAdvance, JointPd};
use crate::simulation::Law;
use crate::trajectory::Ramp;
use appell::description::notes::Notes;
use appell::description::toml::reader::{Reader, Table};
use appell::description::toml::sections::part;
use appell::{Model, Robot};

/// The section, as it is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SafetyPart {
    given: bool,
    position: Watching,
    velocity: Watching,
    effort: Watching,
    tracking: Option<Each>,
    range: Option<Each>,
    jump: Option<Each>, // speed, rad/s or m/s
    frozen: Option<Frozen>,
    watchdog: Option<u32>,
    late: Option<u32>,
    braking: Option<(f64, Option<Each>)>, // time, damping
    rest_within: Option<f64>,
}

/// Which limits are watched.
#[derive(Debug, Clone, PartialEq, Default)]
enum Watching {
    #[default]
    Nothing,
    OfRobot,
    Given(Each),
}

const KEYS: &[&str] = &[
    "position",
    "velocity",
    "effort",
    "tracking",
    "range",
    "jump",
    "frozen",
    "watchdog",
    "late",
    "braking",
    "rest_within",
];

impl Watching {
    fn read(reader: &mut Reader, table: &Table<'_>, key: &str) -> Self {
        match reader.get(table, key) {
            None => Self::Nothing,
            Some(node) if node.value.as_str() == Some("robot") => Self::OfRobot,
            Some(_) => Each::read(reader, table, key).map_or(Self::Nothing, Self::Given),
        }
    }

    /// One value per drive; infinite where the robot's file has none.
    fn of(&self, names: &[String], own: Vec<f64>) -> Result<Option<Vec<f64>>, Cause> {
        match self {
            Self::Nothing => Ok(None),
            Self::OfRobot => Ok(Some(own)),
            Self::Given(each) => each.of(names, Some(f64::INFINITY)).and_then(positive).map(Some),
        }
    }
}

impl SafetyPart {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Self {
        let Some(node) = reader.get(file, "safety") else { return Self::default() };
        expect_entries(reader, &node, "what shall be watched, such as tracking = 0.1, or no such section");
        let Some(table) = reader.table(&node, KEYS) else { return Self::default() };
        let frozen = part(reader, &table, "frozen", &["samples", "travel"]).and_then(|part| {
            reader.require(&part, "samples", "samples without a change")?;
            reader.require(&part, "travel", "how far the reference moves meanwhile, rad or m")?;
            let samples = some_count(reader, &part, "samples")?;
            Some(Frozen { samples, travel: some_positive(reader, &part, "travel")? })
        });
        let braking = part(reader, &table, "braking", &["time", "damping"]).and_then(|part| {
            reader.require(&part, "time", "how long the drives brake before the brakes are put on, s")?;
            Some((some_positive(reader, &part, "time")?, Each::read(reader, &part, "damping")))
        });
        Self {
            given: true,
            position: Watching::read(reader, &table, "position"),
            velocity: Watching::read(reader, &table, "velocity"),
            effort: Watching::read(reader, &table, "effort"),
            tracking: Each::read(reader, &table, "tracking"),
            range: Each::read(reader, &table, "range"),
            jump: Each::read(reader, &table, "jump"),
            frozen,
            watchdog: some_count(reader, &table, "watchdog"),
            late: some_count(reader, &table, "late"),
            braking,
            rest_within: some_positive(reader, &table, "rest_within"),
        }
    }

    /// What is watched at the drives of a robot, and the law that slows it down.
    pub(super) fn of<'r>(
        &self,
        robot: &'r Robot,
        timing: Timing,
        notes: &Notes,
    ) -> Result<(Safety, Option<Box<dyn Law + 'r>>), ScenarioError> {
        if !self.given {
            return Ok((Safety::default(), None));
        }
        let names = drives::names(robot);
        let of_robot = |limit: fn(&appell::description::Limits) -> f64| -> Vec<f64> {
            robot.drives().iter().map(|joint| limit(&joint.limits)).collect()
        };
        let place = |key: &str| format!("safety.{key}");
        let limits = |key: &str, watching: &Watching, own| at(notes, &place(key), watching.of(&names, own));
        let each = |key: &str, each: &Option<Each>| {
            let values = each.as_ref().map(|each| each.of(&names, Some(f64::INFINITY)).and_then(positive));
            at(notes, &place(key), values.transpose())
        };
        let lower = of_robot(|limits| limits.lower);
        let upper = of_robot(|limits| limits.upper);
        let own = || lower.iter().zip(&upper).map(|(&lower, &upper)| [lower, upper]).collect();
        let position: Option<Vec<[f64; 2]>> = match &self.position {
            Watching::Nothing => None,
            Watching::OfRobot => Some(own()),
            // Margins within the limits of the robot's file.
            Watching::Given(margin) => {
                let margins = at(notes, &place("position"), margin.of(&names, Some(0.0)).and_then(not_negative))?;
                let within = |([lower, upper], margin): ([f64; 2], f64)| [lower + margin, upper - margin];
                let limits: Vec<[f64; 2]> = own();
                Some(limits.into_iter().zip(margins).map(within).collect())
            }
        };
        let jump = each("jump", &self.jump)?.map(|speeds| speeds.iter().map(|v| v * timing.period).collect());
        let (braking, law) = match &self.braking {
            None => (0.0, None),
            Some((time, damping)) => {
                let damping = match damping {
                    Some(damping) => at(notes, "safety.braking.damping", damping.of(&names, None).and_then(positive))?,
                    None => {
                        let expected = "the torque a unit of speed that slows the drives down, N m s/rad or N s/m";
                        return at(notes, "safety.braking.damping", Err(Cause::Missing { expected }));
                    }
                };
                (*time, Some(slow_down(robot, &damping)))
            }
        };
        let safety = Safety {
            range: each("range", &self.range)?,
            position,
            velocity: limits("velocity", &self.velocity, of_robot(|limits| limits.velocity))?,
            effort: limits("effort", &self.effort, of_robot(|limits| limits.effort))?,
            tracking: each("tracking", &self.tracking)?,
            jump,
            frozen: self.frozen,
            watchdog: self.watchdog,
            late: self.late,
            braking,
            rest_within: self.rest_within,
        };
        Ok((safety, law))
    }
}

/// Gravity of the model, and torques against the speed.
fn slow_down<'r>(robot: &'r Robot, damping: &[f64]) -> Box<dyn Law + 'r> {
    let gains = damping.iter().map(|&d| Gains { proportional: 0.0, derivative: d, integral: 0.0 }).collect();
    match robot.model() {
        Model::Tree(tree) => {
            let anywhere = Ramp::staying(&vec![0.0; damping.len()], 1.0).expect("finite positions");
            Box::new(JointPd::new(tree, Box::new(anywhere), gains, InAdvance::Gravity))
        }
        Model::Closed(closed) => {
            let home: Vec<f64> = closed.driven().iter().map(|&j| closed.home().q[j]).collect();
            let anywhere = Ramp::staying(&home, 1.0).expect("finite positions");
            Box::new(JointPd::of_drives(closed, Box::new(anywhere), gains, InAdvance::Gravity))
        }
    }
}
