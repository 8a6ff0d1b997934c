//! The closest approach of a path to each kind of singularity.

use super::reading::Reading;
use appell::closed::singularity::{self, Metric, Motion, Workspace};
use appell::closed::{ClosedMechanism, Configuration, crossing};
use appell_drawing::listing::short;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A kind of singularity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Type1,
    Type2,
    Constraint,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Type1, Self::Type2, Self::Constraint];

    pub(super) const fn name(self) -> &'static str {
        ["Type 1", "Type 2", "constraint"][self as usize]
    }

    pub(super) const fn article_and_name(self) -> &'static str {
        ["a singularity of Type 1", "a singularity of Type 2", "a constraint singularity"][self as usize]
    }

    /// Its distance.
    pub(super) const fn distance(self, reading: &Reading) -> f64 {
        [reading.type1, reading.type2, reading.constraints][self as usize]
    }
}

/// A row of the path.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) time: Option<f64>,
    pub(super) at: Configuration,
    pub(super) reading: Reading,
}

impl Row {
    /// `line 7, t = 0.3 s`.
    pub(super) fn place(&self) -> String {
        let time = self.time.map_or(String::new(), |time| format!(", t = {} s", short(time)));
        format!("line {}{time}", self.line)
    }
}

/// Where det J_inv changes its sign between two rows.
#[derive(Debug, Clone)]
struct Crossing {
    lines: [u64; 2],
    time: Option<f64>,
    /// Not known where the straight way between the rows leaves the workspace.
    kind: Option<Kind>,
    at: Configuration,
}

/// As many crossings are printed; more are counted.
const MOST_PRINTED: usize = 8;

/// What is known of a path so far.
pub(super) struct Approach<'r> {
    robot: &'r ClosedMechanism,
    metric: Metric,
    nearest: [Option<Row>; 3],
    before: Option<Row>,
    crossings: Vec<Crossing>,
    uncounted: usize,
    workspace: Option<crossing::Workspace>,
}

impl<'r> Approach<'r> {
    pub(super) fn new(robot: &'r ClosedMechanism, metric: Metric) -> Self {
        let workspace = crossing::applies(robot).then(|| crossing::Workspace::new(robot));
        let nearest = [None, None, None];
        Self { robot, metric, nearest, before: None, crossings: Vec::new(), uncounted: 0, workspace }
    }

    /// Looks at the next row.
    pub(super) fn look(&mut self, row: Row) {
        for (kind, nearest) in Kind::ALL.into_iter().zip(&mut self.nearest) {
            let distance = |row: &Row| kind.distance(&row.reading);
            if nearest.as_ref().is_none_or(|nearest| distance(&row) < distance(nearest)) {
                *nearest = Some(row.clone());
            }
        }
        if let Some(before) = self.before.take() {
            self.look_between(&before, &row);
        }
        self.before = Some(row);
    }

    /// Whether a singularity lies between two rows, and of which type.
    fn look_between(&mut self, before: &Row, row: &Row) {
        let (Some(one), Some(other)) = (before.reading.determinant, row.reading.determinant) else { return };
        let Some(workspace) = self.workspace.as_mut().filter(|_| one.is_sign_negative() != other.is_sign_negative())
        else {
            return;
        };
        if self.crossings.len() == MOST_PRINTED {
            self.uncounted += 1;
            return;
        }
        let found = crossing::nearest(self.robot, workspace, &before.at, &row.at, 4);
        let (along, kind, at) = match found {
            Ok(found) if found.crossed => (found.along, Some(Kind::Type2), found.at),
            Ok(_) => (0.5, Some(Kind::Type1), row.at.clone()),
            Err(_) => (0.5, None, row.at.clone()),
        };
        let time = before.time.zip(row.time).map(|(from, to)| from + along * (to - from));
        self.crossings.push(Crossing { lines: [before.line, row.line], time, kind, at });
    }

    /// Whether the path keeps away from all singularities.
    pub(super) fn keeps_away(&self, threshold: f64) -> bool {
        self.crossings.is_empty() && self.met(threshold).is_empty()
    }

    /// The kinds whose distance falls below the threshold.
    fn met(&self, threshold: f64) -> Vec<Kind> {
        let below = |(kind, nearest): (Kind, &Option<Row>)| {
            nearest.as_ref().filter(|row| kind.distance(&row.reading) < threshold).map(|_| kind)
        };
        Kind::ALL.into_iter().zip(&self.nearest).filter_map(below).collect()
    }

    fn least_controlled(&self, at: &Configuration) -> Motion {
        singularity::least_controlled(self.robot, &mut Workspace::new(self.robot), at, &self.metric)
    }

    /// The summary in words.
    pub(super) fn write(&self, threshold: f64, out: &mut dyn Write) -> io::Result<()> {
        for (kind, nearest) in Kind::ALL.into_iter().zip(&self.nearest) {
            let Some(row) = nearest else { continue };
            let distance = short(kind.distance(&row.reading));
            let leg = row.reading.nearest_leg.filter(|_| kind == Kind::Type1);
            let leg = leg.map_or(String::new(), |leg| format!(", leg {}", self.robot.legs()[leg].name));
            writeln!(out, "closest to {}: {distance} at {}{leg}", kind.article_and_name(), row.place())?;
            if kind == Kind::Type2 {
                let motion = self.least_controlled(&row.at);
                let controlled = short(motion.controlled);
                writeln!(out, "  the drives control least there, by {controlled}: {}", motion.words(self.robot))?;
            }
        }
        for crossing in &self.crossings {
            let Crossing { lines: [from, to], kind, .. } = crossing;
            let time = crossing.time.map_or(String::new(), |time| format!(", near t = {} s", short(time)));
            let kind_name = kind.map_or("a singularity", Kind::name);
            writeln!(out, "between lines {from} and {to}{time}, det J_inv changes its sign: {kind_name} is crossed")?;
            if *kind == Some(Kind::Type2) {
                writeln!(
                    out,
                    "  the drives do not control there: {}",
                    self.least_controlled(&crossing.at).words(self.robot)
                )?;
            }
        }
        if self.uncounted > 0 {
            writeln!(out, "and {} crossings more", self.uncounted)?;
        }
        let met: Vec<&str> = self.met(threshold).into_iter().map(Kind::article_and_name).collect();
        match (met.as_slice(), self.crossings.is_empty()) {
            ([], true) => writeln!(out, "The path keeps away from singularities: nothing is below {threshold:e}."),
            ([], false) => {
                writeln!(out, "The path crosses singularities between its rows; no row is below {threshold:e}.")
            }
            (met, _) => writeln!(out, "The path meets {}: below {threshold:e}.", met.join(" and ")),
        }
    }

    /// The summary for machines.
    pub(super) fn json(&self, threshold: f64) -> Value {
        let nearest = Kind::ALL.into_iter().zip(&self.nearest).filter_map(|(kind, nearest)| {
            let row = nearest.as_ref()?;
            let leg = row.reading.nearest_leg.filter(|_| kind == Kind::Type1).map(|leg| &self.robot.legs()[leg].name);
            Some(json!({
                "kind": kind.name(), "distance": kind.distance(&row.reading), "line": row.line, "t": row.time,
                "leg": leg, "least_controlled": motion_json(self.robot, &self.least_controlled(&row.at)),
            }))
        });
        let crossing = |crossing: &Crossing| {
            json!({
                "kind": crossing.kind.map(Kind::name), "lines": crossing.lines, "t": crossing.time,
                "least_controlled": motion_json(self.robot, &self.least_controlled(&crossing.at)),
            })
        };
        json!({
            "robot": self.robot.name(),
            "threshold": threshold,
            "keeps_away": self.keeps_away(threshold),
            "nearest": nearest.collect::<Vec<_>>(),
            "crossings": self.crossings.iter().map(crossing).collect::<Vec<_>>(),
            "further_crossings": self.uncounted,
        })
    }
}

/// A motion for machines: how much the drives control of it; the key is still `felt`, what it is, and the velocities.
pub(super) fn motion_json(robot: &ClosedMechanism, motion: &Motion) -> Value {
    let twist = motion.twist(robot).map(appell::spatial::Twist::to_array);
    json!({ "felt": motion.controlled, "words": motion.words(robot), "twist": twist, "freedoms": motion.freedoms(robot) })
}
