//! What a layout and columns must be to be a measurement: refused, with the name of what is wrong, where they are not.

use super::error::DataError;
use super::layout::{Channels, Layout, Side};
use super::measurement::{Columns, Measurement};
use super::tracks::Tracks;
use super::unit::Unit;
use crate::signals;
use crate::thresholds::{ENCODER_COUNTS, LEAST_SAMPLES, MOST_EFFORT};
use appell::Robot;
use appell::description::JointKind;
use core::f64::consts::TAU;
use nalgebra::DMatrix;

impl Layout {
    /// Refuses columns that are missing or of another number of joints, and gears that are of no use.
    pub(super) fn expect_columns(
        &self,
        robot: &Robot,
        sections: &[&Channels],
        columns: &Columns,
    ) -> Result<(), DataError> {
        let joints: Vec<String> = robot.drives().iter().map(|drive| drive.name.to_owned()).collect();
        self.expect_counts(&joints)?;
        self.expect_accepted()?;
        expect_columns(&self.columns_of(sections), columns)?;
        self.expect_use_of_gears()
    }

    /// Refuses channels that never change, and positions that no robot goes through.
    pub(super) fn expect_motion(
        &self,
        robot: &Robot,
        sections: &[&Channels],
        tracks: &Tracks<'_>,
    ) -> Result<(), DataError> {
        for name in sections.iter().flat_map(|section| &section.columns) {
            let channel = tracks.samples(name);
            if !self.accepted.constant.contains(name) && signals::is_constant(&channel) {
                return Err(DataError::Constant { column: name.clone(), value: channel[0], rows: channel.len() });
            }
        }
        for (name, unit) in self.position.columns.iter().zip(super::layout::in_si(&self.position, robot)) {
            let channel = tracks.samples(name);
            // A joint at rest may drift by some counts of its encoder.
            let jump = |rows: core::ops::Range<usize>| {
                let found =
                    signals::jump(&channel[rows.clone()]).filter(|(_, step)| (unit * step).abs() > ENCODER_COUNTS);
                found.map(|(row, step)| (tracks.row(name, rows.start + row - 1) + 1, step))
            };
            if let Some((row, step)) = tracks.instants(name).pieces().find_map(jump) {
                let turn = TAU / unit;
                let is_turn = (step.abs() / turn.abs() - 1.0).abs() < 0.1;
                return Err(DataError::Jump { column: name.clone(), row, step, is_turn });
            }
        }
        Ok(())
    }

    fn expect_counts(&self, joints: &[String]) -> Result<(), DataError> {
        let optional = |found: usize| if found == 0 { joints.len() } else { found };
        let counts = [
            ("position.columns", self.position.columns.len()),
            ("velocity.columns", self.velocity.as_ref().map_or(joints.len(), |channels| channels.columns.len())),
            ("effort.columns", self.effort.columns.len()),
            ("gear", self.gear.as_ref().map_or(joints.len(), DMatrix::nrows)),
            ("joint.sign", optional(self.sign.len())),
            ("joint.offset", optional(self.offset.len())),
        ];
        match counts.into_iter().find(|(_, found)| *found != joints.len()) {
            Some((section, found)) => {
                Err(DataError::Count { section, found, expected: joints.len(), joints: joints.to_vec() })
            }
            None => Ok(()),
        }
    }

    /// Refuses gears that nothing passes.
    fn expect_use_of_gears(&self) -> Result<(), DataError> {
        let velocity = self.velocity.iter().map(|channels| channels.side);
        let is_used = velocity.chain([self.position.side, self.effort.side]).any(|side| side == Side::Motor);
        if self.gear.is_none() || is_used { Ok(()) } else { Err(DataError::UnusedGears) }
    }

    /// Refuses units that cannot be.
    pub(super) fn expect_units(&self, robot: &Robot, measured: &Measurement) -> Result<(), DataError> {
        for (k, drive) in robot.drives().iter().enumerate() {
            let (q, limits) = (&measured.q[k], drive.limits);
            let of_position =
                signals::position_doubt(q, drive.kind == JointKind::Revolute, [limits.lower, limits.upper]);
            let mut doubts: Vec<_> = of_position.map(|doubt| (&self.position.columns[k], doubt)).into_iter().collect();
            if let (Some(channels), Some(v)) = (&self.velocity, &measured.v) {
                let doubt = signals::velocity_doubt(q, &v[k], measured.clock.step).map_err(DataError::Filter)?;
                doubts.extend(doubt.map(|doubt| (&channels.columns[k], doubt)));
            }
            let is_accepted = |column: &String| self.accepted.unit.contains(column);
            if let Some((column, doubt)) = doubts.into_iter().find(|(column, _)| !is_accepted(column)) {
                return Err(DataError::Unit { joint: drive.name.to_owned(), column: column.clone(), doubt });
            }
        }
        Ok(())
    }

    /// Refuses names in `accept` that are none of the columns.
    fn expect_accepted(&self) -> Result<(), DataError> {
        let all = [("accept.constant", &self.accepted.constant), ("accept.unit", &self.accepted.unit)];
        for (section, names) in all {
            if let Some(column) = names.iter().find(|name| self.columns().all(|known| known != *name)) {
                let known = self.columns().map(ToOwned::to_owned).collect();
                return Err(DataError::NotAColumn { section, column: column.clone(), known });
            }
        }
        Ok(())
    }
}

/// Refuses units that are none of the joints: millimetres of one that turns.
pub(super) fn expect_units_of_joints(
    robot: &Robot,
    section: &'static str,
    channels: &Channels,
    known: &[Unit],
) -> Result<(), DataError> {
    if channels.side == Side::Motor {
        return Ok(()); // gears may make slides of turns
    }
    let mut drives = robot.drives().into_iter().enumerate();
    let Some((k, drive)) = drives.find(|(k, drive)| !channels.units[*k].fits(drive.kind)) else { return Ok(()) };
    let fitting = known.iter().filter(|unit| unit.fits(drive.kind)).map(|unit| unit.word).collect();
    Err(DataError::UnitOfJoint {
        section,
        column: channels.columns[k].clone(),
        unit: channels.units[k].word,
        joint: drive.name.to_owned(),
        turns: drive.kind == JointKind::Revolute,
        fitting,
    })
}

/// Refuses columns that are missing, twice, of different lengths, short, or hold what is beyond all measure.
fn expect_columns(names: &[&str], columns: &Columns) -> Result<(), DataError> {
    let many = |name: &str| columns.iter().filter(|(found, _)| found == name).count();
    let missing: Vec<String> = names.iter().filter(|name| many(name) == 0).map(|&name| name.to_owned()).collect();
    if !missing.is_empty() {
        return Err(DataError::Missing { missing, found: columns.iter().map(|(name, _)| name.clone()).collect() });
    }
    if let Some((k, _)) = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
        return Err(DataError::NamedTwice { column: names[k].to_owned() });
    }
    if let Some(column) = names.iter().find(|name| many(name) > 1) {
        return Err(DataError::Twice { column: (*column).to_owned() });
    }
    let read = || columns.iter().filter(|(name, _)| names.contains(&name.as_str()));
    let expected = read().next().map_or(0, |(_, samples)| samples.len());
    if let Some((column, samples)) = read().find(|(_, samples)| samples.len() != expected) {
        return Err(DataError::Length { column: column.clone(), found: samples.len(), expected });
    }
    if expected < LEAST_SAMPLES {
        return Err(DataError::TooFew { found: expected, least: LEAST_SAMPLES });
    }
    for (column, samples) in read() {
        if let Some(k) = samples.iter().position(|x| x.abs() > MOST_EFFORT) {
            return Err(DataError::NotFinite { column: column.clone(), row: k + 1, value: samples[k] });
        }
    }
    Ok(())
}
