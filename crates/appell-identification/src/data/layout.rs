//! What the columns of a recording are.

use super::smoothing::Smoothing;
use super::unit::Unit;
use appell::Robot;
use appell::description::JointKind;
use nalgebra::DMatrix;

/// The columns of a recording, their units, and how motors move joints.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// When samples were taken.
    pub time: Time,
    /// Positions.
    pub position: Channels,
    /// Velocities, where they were measured too.
    pub velocity: Option<Channels>,
    /// Torques, forces or currents.
    pub effort: Channels,
    /// Where the amplifiers cut off, in the unit of the efforts; one per column, none if empty.
    pub effort_limit: Vec<f64>,
    /// R: motor = R q.
    pub gear: Option<DMatrix<f64>>,
    /// ±1, one per joint; empty where all are +1.
    pub sign: Vec<f64>,
    /// What is added to the positions, rad or m, one per joint; empty where it is nothing.
    pub offset: Vec<f64>,
    /// How signals are smoothed and thinned.
    pub filter: Smoothing,
    /// What is not to be doubted.
    pub accepted: Accepted,
    /// By how much torques and forces were recorded later than positions, s.
    pub delay: f64,
    /// The names of a table's columns, in order, where it has no header.
    pub header: Option<Vec<String>>,
}

/// Names that columns of time have, perhaps with a unit: `time_s`, `t [ms]`.
const TIMES: [&str; 3] = ["t", "time", "timestamp"];

/// When samples were taken.
#[derive(Debug, Clone, PartialEq)]
pub enum Time {
    /// As a column says.
    Column {
        /// Its name.
        name: String,
        /// Its unit.
        unit: Unit,
        /// Of the even instants that samples are put on, Hz; that of the rows if not given.
        rate: Option<f64>,
    },
    /// So many per second, Hz.
    Rate(f64),
}

/// Columns of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Channels {
    /// Their names, one per joint or motor, in order.
    pub columns: Vec<String>,
    /// Their units, one per column.
    pub units: Vec<Unit>,
    /// What a unit is worth beside, one per column, all 1 if empty: turns or metres per count, N m per ampere.
    pub factor: Vec<f64>,
    /// Where they were measured.
    pub side: Side,
    /// The column that says when, where it is another than that of all.
    pub time: Option<String>,
}

impl Channels {
    /// Columns at the joints, in the usual one of some units.
    ///
    /// # Panics
    /// If there are no units.
    #[must_use]
    pub fn usual(columns: Vec<String>, units: &[Unit]) -> Self {
        Self { units: vec![units[0]; columns.len()], columns, factor: Vec::new(), side: Side::Joint, time: None }
    }
}

/// What 1 is in SI units, column by column. Motors turn, whatever their joints do.
pub(super) fn in_si(channels: &Channels, robot: &Robot) -> Vec<f64> {
    let kinds = robot.drives().into_iter().map(|drive| match channels.side {
        Side::Joint => drive.kind,
        Side::Motor => JointKind::Revolute,
    });
    let units = channels.units.iter().zip(kinds).map(|(unit, kind)| unit.at(kind));
    units.enumerate().map(|(k, unit)| unit * channels.factor.get(k).unwrap_or(&1.0)).collect()
}

/// Where something was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Behind the gears.
    #[default]
    Joint,
    /// Before the gears.
    Motor,
}

/// Columns that are not to be doubted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accepted {
    /// Those that may keep one value.
    pub constant: Vec<String>,
    /// Those whose unit is as said, however it looks.
    pub unit: Vec<String>,
}

impl Layout {
    /// That of our own tables: t, q1 …, tau1 … in SI units, and v1 … if the header has them. Where a computer has
    /// recorded what it measured, measured1 … stand for q1 …, which only a simulation knows.
    #[must_use]
    pub fn usual(robot: &Robot, header: &[&str]) -> Self {
        Self::numbered(&(1..=robot.drives().len()).collect::<Vec<_>>(), header)
    }

    /// The same of a robot some of whose joints stand: those of `observed` move. They are counted by themselves, but where the header has
    /// columns of all joints each keeps its number.
    #[must_use]
    pub fn usual_of_moving(robot: &Robot, observed: &Robot, header: &[&str]) -> Self {
        let all = robot.drives();
        let has_all = |symbol: &str| (1..=all.len()).all(|k| header.contains(&format!("{symbol}{k}").as_str()));
        if !(has_all("q") || has_all("measured")) || !has_all("tau") {
            return Self::usual(observed, header);
        }
        let moving = observed.drives();
        let moves = |k: &usize| moving.iter().any(|drive| drive.name == all[k - 1].name);
        Self::numbered(&(1..=all.len()).filter(moves).collect::<Vec<_>>(), header)
    }

    /// That of joints with these numbers.
    fn numbered(numbers: &[usize], header: &[&str]) -> Self {
        let names = |symbol: &str| numbers.iter().map(|k| format!("{symbol}{k}")).collect::<Vec<_>>();
        let has_all = |names: &Vec<String>| names.iter().all(|name| header.contains(&name.as_str()));
        let measured = Some(names("measured")).filter(has_all);
        let is_true = measured.is_none(); // so that true speeds go with true positions alone
        Self {
            time: Time::Column { name: "t".into(), unit: Unit::TIMES[0], rate: None },
            position: Channels::usual(measured.unwrap_or_else(|| names("q")), Unit::POSITIONS),
            velocity: Some(names("v"))
                .filter(|names| is_true && has_all(names))
                .map(|names| Channels::usual(names, Unit::VELOCITIES)),
            effort: Channels::usual(names("tau"), Unit::EFFORTS),
            effort_limit: Vec::new(),
            gear: None,
            sign: Vec::new(),
            offset: Vec::new(),
            filter: Smoothing::default(),
            accepted: Accepted::default(),
            delay: 0.0,
            header: None,
        }
    }

    /// The column that says when channels were recorded; none where rows are counted.
    #[must_use]
    pub fn stamps<'l>(&'l self, channels: &'l Channels) -> Option<&'l str> {
        match &self.time {
            Time::Column { name, .. } => Some(channels.time.as_ref().unwrap_or(name)),
            Time::Rate(_) => None,
        }
    }

    /// The names of all columns that are read of some sections: those of time, each once, and then theirs.
    pub(super) fn columns_of<'l>(&'l self, sections: &[&'l Channels]) -> Vec<&'l str> {
        let mut columns: Vec<&str> = Vec::new();
        for stamps in sections.iter().filter_map(|section| self.stamps(section)) {
            if !columns.contains(&stamps) {
                columns.push(stamps);
            }
        }
        columns.extend(sections.iter().flat_map(|section| &section.columns).map(String::as_str));
        columns
    }

    /// Positions, velocities where there are some, and efforts.
    pub(super) fn sections(&self) -> Vec<&Channels> {
        [&self.position].into_iter().chain(&self.velocity).chain([&self.effort]).collect()
    }

    /// The names of all columns that are read, in order.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns_of(&self.sections()).into_iter()
    }

    /// Whether a column is none of these, but tells time where the layout says a rate: the two are compared.
    #[must_use]
    pub fn tells_time(&self, column: &str) -> bool {
        let word = column.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_time = |name: &&str| name.eq_ignore_ascii_case(word);
        matches!(self.time, Time::Rate(_)) && TIMES.iter().any(is_time) && self.columns().all(|read| read != column)
    }

    /// Time and positions: what a reference motion needs.
    pub fn columns_of_motion(&self) -> impl Iterator<Item = &str> {
        self.columns_of(&[&self.position]).into_iter()
    }
}
