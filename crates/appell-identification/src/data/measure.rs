//! Columns become the joints of a robot, and everything wrong with them has a name.
//!
//! ```text
//! q = sign (R⁻¹ motor) + offset        τ = sign (Rᵀ τ_motor)
//! ```
//!
//! since motor = R q and no power is lost in a perfect gear, τ_motorᵀ motor˙ = τᵀ q˙.

use super::error::{DataError, Doubt};
use super::layout::{Channels, Layout, Side, Time, in_si};
use super::unit::Unit;
use crate::number::{percent, rough};
use crate::signals::{self, Clock, Instants, SignalError};
use crate::thresholds::{ENCODER_COUNTS, JITTER, LEAST_SAMPLES, MOST_EFFORT, MOST_LEFT_OUT, SAME_RATE};
use appell::Robot;
use appell::description::JointKind;
use core::f64::consts::TAU;
use core::ops::Range;
use nalgebra::{DMatrix, DVector};

/// Columns with their names.
pub type Columns = [(String, Vec<f64>)];

/// A column of time beside a rate may be in any of these units, s.
const UNITS_OF_TIME: [f64; 4] = [1.0, 1e-3, 1e-6, 1e-9];

/// A table whose columns were understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What was measured, one piece after the other: one, or as many as larger gaps of time leave.
    pub pieces: Vec<Measurement>,
    /// What was found about its stamps and done about them, in words; empty where they are even.
    pub time: String,
    /// What is odd about it.
    pub doubts: Vec<Doubt>,
}

impl Measured {
    /// The longest piece.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn longest(&self) -> &Measurement {
        self.pieces.iter().max_by_key(|piece| piece.time.len()).expect("a table has a piece")
    }
}

/// What was measured at the joints of a robot, in SI units, at even instants; of the driven joints where loops are closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The joints' names.
    pub joints: Vec<String>,
    /// When, s.
    pub time: Vec<f64>,
    /// How evenly.
    pub clock: Clock,
    /// Positions, rad or m, joint by joint.
    pub q: Vec<Vec<f64>>,
    /// Velocities, rad/s or m/s, where they were measured.
    pub v: Option<Vec<Vec<f64>>>,
    /// Efforts, N m or N.
    pub effort: Vec<Vec<f64>>,
    /// Samples whose efforts are not what they were: cut off or dead.
    pub left_out: Vec<Range<usize>>,
}

impl Layout {
    /// The measurement that columns hold, names with samples, and what is odd about it.
    ///
    /// ```
    /// use appell::Robot;
    /// use appell_identification::data::{DataError, Layout};
    ///
    /// let arm = Robot::builtin("two-link").unwrap();
    /// let layout = Layout::read("time.rate = 100\nposition.columns = ['q1', 'q2']\neffort.columns = ['u1', 'u2']").unwrap();
    /// let wave = |size: f64| (0..200).map(|k| size * (0.05 * f64::from(k)).sin()).collect::<Vec<_>>();
    /// let mut columns = ["q1", "q2", "u1", "u2"].map(|name| (name.to_owned(), wave(1.0)));
    /// let measured = layout.measure(&arm, &columns)?;
    /// assert!(measured.doubts.is_empty() && measured.longest().clock.rate() == 100.0);
    /// columns[1].1[17] = f64::NAN;
    /// let error = layout.measure(&arm, &columns).unwrap_err();
    /// assert!(matches!(error, DataError::NotFinite { column, row: 18, .. } if column == "q2"));
    /// # Ok::<(), DataError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong first: columns that are missing or of another robot, too few samples, NaN, time that goes
    /// backwards, channels that never change, units that cannot be.
    pub fn measure(&self, robot: &Robot, columns: &Columns) -> Result<Measured, DataError> {
        let (repaired, spikes) = self.without_spikes(columns);
        let rows = self.rows(robot, &repaired, false)?;
        let (left_out, mut doubts) = self.left_out(&repaired);
        doubts.extend(spikes);
        let is_bad = |k: &usize| left_out.iter().any(|run| run.contains(k));
        let (samples, bad) = (rows.q[0].len(), (0..rows.q[0].len()).filter(is_bad).count());
        if bad as f64 > MOST_LEFT_OUT * samples as f64 {
            let reasons = doubts.iter().map(ToString::to_string).collect();
            return Err(DataError::LeftOut { bad, samples, reasons });
        }
        doubts.extend(self.doubts(rows.instants.clock().rate(), &rows.joints, &left_out, &repaired));
        doubts.extend(self.uneven_stamps(&repaired));
        let time = rows.told();
        let measured = Measured { pieces: rows.pieces(&left_out, self.delay), time, doubts: Vec::new() };
        self.expect_units(robot, measured.longest())?;
        doubts.extend(self.beyond_limits(robot, &rows.joints, &rows.effort));
        Ok(Measured { doubts, ..measured })
    }

    /// The motion that columns hold, by time and positions alone: of a reference, wanted or simulated. Its efforts are zero.
    ///
    /// # Errors
    /// As [`Layout::measure`].
    pub fn measure_motion(&self, robot: &Robot, columns: &Columns) -> Result<Vec<Measurement>, DataError> {
        let pieces = self.rows(robot, columns, true)?.pieces(&[], 0.0);
        pieces.iter().try_for_each(|piece| self.expect_units(robot, piece))?;
        Ok(pieces)
    }

    /// The rows of the table at the joints.
    fn rows(&self, robot: &Robot, columns: &Columns, is_reference: bool) -> Result<Rows, DataError> {
        let joints: Vec<String> = robot.drives().iter().map(|drive| drive.name.to_owned()).collect();
        self.expect_counts(&joints)?;
        self.expect_accepted()?;
        let (velocity, efforts) = match is_reference {
            true => (None, None),
            false => (self.velocity.as_ref(), Some(&self.effort)),
        };
        let further = velocity.into_iter().flat_map(|channels| &channels.columns);
        let further: Vec<&String> = further.chain(efforts.into_iter().flat_map(|channels| &channels.columns)).collect();
        let read: Vec<&str> = self.columns_of_motion().chain(further.iter().map(|name| name.as_str())).collect();
        expect_columns(&read, columns)?;
        let column = |name: &String| samples(columns, name);
        let instants = self.instants(columns, &further)?;
        let mut channels = self.position.columns.iter().chain(further);
        let is_dead = |name: &&String| !self.accepted.constant.contains(name) && signals::is_constant(column(name));
        if let Some(name) = channels.find(is_dead) {
            let (column, value, rows) = (name.clone(), column(name)[0], column(name).len());
            return Err(DataError::Constant { column, value, rows });
        }
        for (name, unit) in self.position.columns.iter().zip(in_si(&self.position, robot)) {
            // A joint at rest may drift by some counts of its encoder.
            let jump = |piece: usize| {
                let rows = instants.rows(piece);
                let found =
                    signals::jump(&column(name)[rows.clone()]).filter(|(_, step)| (unit * step).abs() > ENCODER_COUNTS);
                found.map(|(row, step)| (rows.start + row, step))
            };
            if let Some((row, step)) = (0..instants.pieces()).find_map(jump) {
                let turn = TAU / unit;
                let is_turn = (step.abs() / turn.abs() - 1.0).abs() < 0.1;
                return Err(DataError::Jump { column: name.clone(), row, step, is_turn });
            }
        }
        self.expect_use_of_gears()?;
        let inverse = match &self.gear {
            Some(gear) => Some(gear.clone().try_inverse().ok_or(DataError::Gears)?),
            None => None,
        };
        let of_joints = |section, channels: &Channels, known: &[Unit], through: Option<&DMatrix<f64>>| {
            expect_units_of_joints(robot, section, channels, known)?;
            self.of_joints(robot, columns, section, channels, through)
        };
        let mut q = of_joints("position", &self.position, Unit::POSITIONS, inverse.as_ref())?;
        for (q, offset) in q.iter_mut().zip(&self.offset) {
            q.iter_mut().for_each(|q| *q += offset);
        }
        let v = velocity.map(|channels| of_joints("velocity", channels, Unit::VELOCITIES, inverse.as_ref()));
        let transposed = self.gear.as_ref().map(DMatrix::transpose);
        let effort = match efforts {
            Some(channels) => of_joints("effort", channels, Unit::EFFORTS, transposed.as_ref())?,
            None => vec![vec![0.0; q[0].len()]; joints.len()],
        };
        Ok(Rows { joints, instants, q, v: v.transpose()?, effort })
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

    /// When the rows were taken; `further` are the columns beside positions.
    fn instants(&self, columns: &Columns, further: &[&String]) -> Result<Instants, DataError> {
        let positions: Vec<&[f64]> = self.position.columns.iter().map(|name| samples(columns, name)).collect();
        match &self.time {
            Time::Column { name, unit, rate } => {
                let stamps: Vec<f64> = samples(columns, name).iter().map(|t| t * unit.in_si).collect();
                let others: Vec<&[f64]> = further.iter().map(|name| samples(columns, name)).collect();
                Instants::of(&stamps, &positions, &others, *rate)
                    .map_err(|source| DataError::Time { column: name.clone(), source })
            }
            Time::Rate(rate) => {
                if let Some((column, of_column, None)) = self.stamps_beside_rate(columns, *rate) {
                    return Err(DataError::Rate { rate: *rate, column: column.to_owned(), of_column });
                }
                Ok(Instants::even(positions[0].len(), rate.recip()))
            }
        }
    }

    /// A column of time beside a rate, with its rows per unit and the unit in which the two agree, s, if there is one.
    fn stamps_beside_rate<'c>(&self, columns: &'c Columns, rate: f64) -> Option<(&'c str, f64, Option<f64>)> {
        let goes_on = |time: &[f64]| time.len() > 1 && time[time.len() - 1] > time[0];
        let (column, time) = columns.iter().find(|(name, time)| self.tells_time(name) && goes_on(time))?;
        let of_column = (time.len() - 1) as f64 / (time[time.len() - 1] - time[0]);
        let agrees = |in_si: &f64| (of_column / (in_si * rate) - 1.0).abs() < SAME_RATE;
        Some((column, of_column, UNITS_OF_TIME.into_iter().find(agrees)))
    }

    /// By how much a rate that is given misses the stamps beside it.
    fn uneven_stamps(&self, columns: &Columns) -> Option<Doubt> {
        let Time::Rate(rate) = self.time else { return None };
        let (column, _, Some(in_si)) = self.stamps_beside_rate(columns, rate)? else { return None };
        let stamps = samples(columns, column);
        let worst = |distances: &mut dyn Iterator<Item = f64>| distances.map(f64::abs).fold(0.0, f64::max);
        let jitter = worst(&mut stamps.windows(2).map(|pair| (pair[1] - pair[0]) * in_si * rate - 1.0));
        let away = worst(&mut stamps.iter().enumerate().map(|(k, t)| (t - stamps[0]) * in_si - k as f64 / rate));
        let is_uneven = jitter > JITTER || away * rate > 1.0;
        is_uneven.then(|| Doubt::UnevenStamps { rate, column: column.to_owned(), jitter, away })
    }

    /// Columns in SI units, at the joints; `through` leads there from the motors.
    fn of_joints(
        &self,
        robot: &Robot,
        columns: &Columns,
        section: &'static str,
        channels: &Channels,
        through: Option<&DMatrix<f64>>,
    ) -> Result<Vec<Vec<f64>>, DataError> {
        let scaled = |(name, unit): (&String, f64)| samples(columns, name).iter().map(|x| unit * x).collect::<Vec<_>>();
        let mut signals: Vec<Vec<f64>> = channels.columns.iter().zip(in_si(channels, robot)).map(scaled).collect();
        if channels.side == Side::Motor {
            let through = through.ok_or(DataError::NoGears { section })?;
            for k in 0..signals[0].len() {
                let motors = DVector::from_iterator(signals.len(), signals.iter().map(|signal| signal[k]));
                let joints = through * motors;
                signals.iter_mut().zip(&joints).for_each(|(signal, joint)| signal[k] = *joint);
            }
        }
        for (signal, sign) in signals.iter_mut().zip(&self.sign) {
            signal.iter_mut().for_each(|x| *x *= sign);
        }
        Ok(signals)
    }

    /// Refuses gears that nothing passes.
    fn expect_use_of_gears(&self) -> Result<(), DataError> {
        let velocity = self.velocity.iter().map(|channels| channels.side);
        let is_used = velocity.chain([self.position.side, self.effort.side]).any(|side| side == Side::Motor);
        if self.gear.is_none() || is_used { Ok(()) } else { Err(DataError::UnusedGears) }
    }

    /// Refuses units that cannot be.
    fn expect_units(&self, robot: &Robot, measured: &Measurement) -> Result<(), DataError> {
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

/// The rows of a table at the joints, in SI units.
struct Rows {
    joints: Vec<String>,
    instants: Instants,
    q: Vec<Vec<f64>>,
    v: Option<Vec<Vec<f64>>>,
    effort: Vec<Vec<f64>>,
}

impl Rows {
    /// The pieces, at even instants, without what `left_out` says of the rows' efforts, which are `delay` s late.
    fn pieces(&self, left_out: &[Range<usize>], delay: f64) -> Vec<Measurement> {
        let piece = |piece: usize| {
            let on_grid = |channels: &Vec<Vec<f64>>, delay: f64| {
                channels.iter().map(|channel| self.instants.on_grid(piece, channel, delay)).collect::<Vec<_>>()
            };
            Measurement {
                joints: self.joints.clone(),
                time: self.instants.times(piece),
                clock: self.instants.clock(),
                q: on_grid(&self.q, 0.0),
                v: self.v.as_ref().map(|v| on_grid(v, 0.0)),
                effort: on_grid(&self.effort, delay),
                left_out: self.instants.runs(piece, left_out, delay),
            }
        };
        (0..self.instants.pieces()).map(piece).collect()
    }

    /// What became of the stamps, in words.
    fn told(&self) -> String {
        let mut text = self.instants.to_string();
        if self.instants.is_interpolated() {
            let most =
                |of: &dyn Fn(&Vec<f64>) -> f64, channels: &Vec<Vec<f64>>| channels.iter().map(of).fold(0.0, f64::max);
            let error = |channel: &Vec<f64>| self.instants.error(channel);
            let size = |channel: &Vec<f64>| (channel.iter().map(|x| x * x).sum::<f64>() / channel.len() as f64).sqrt();
            let relative = |channel: &Vec<f64>| error(channel) / size(channel).max(f64::MIN_POSITIVE);
            text += &format!(
                ", which costs positions at most {} rad or m, torques and forces {} (root mean square of the way back)",
                rough(most(&error, &self.q)),
                percent(most(&relative, &self.effort))
            );
        }
        text
    }
}

impl Measurement {
    /// Refuses a reference that is not of the same instants, within half a step, as `data`.
    ///
    /// # Errors
    /// The first row that is at another instant, or how many there are.
    pub fn expect_instants_of(&self, data: &Self) -> Result<(), DataError> {
        let (found, expected) = (self.time.len(), data.time.len());
        if found != expected {
            return Err(DataError::Rows { found, expected });
        }
        let mut pairs = self.time.iter().zip(&data.time).enumerate();
        match pairs.find(|(_, (found, expected))| (*found - *expected).abs() > 0.5 * data.clock.step) {
            Some((k, (&found, &expected))) => Err(DataError::Instant { row: k + 1, found, expected }),
            None => Ok(()),
        }
    }
}

/// The samples of a column; none where it is not there.
pub(super) fn samples<'c>(columns: &'c Columns, name: &str) -> &'c [f64] {
    columns.iter().find(|(found, _)| found == name).map_or(&[], |(_, samples)| samples)
}

/// Refuses units that are none of the joints: millimetres of one that turns.
fn expect_units_of_joints(
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

/// Refuses columns that are missing, twice, of different lengths, short, or hold what is no number.
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
        if let Some(k) = samples.iter().position(|x| !x.is_finite() || x.abs() > MOST_EFFORT) {
            return Err(DataError::NotFinite { column: column.clone(), row: k + 1, value: samples[k] });
        }
    }
    Ok(())
}

impl From<SignalError> for DataError {
    /// Of what happens while signals are treated.
    fn from(error: SignalError) -> Self {
        match error {
            SignalError::TooShort { found, least } => Self::TooFew { found, least },
            error => Self::Filter(error),
        }
    }
}

#[cfg(test)]
mod tests;
