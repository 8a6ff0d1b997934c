//! Columns become the joints of a robot, and everything wrong with them has a name.
//!
//! ```text
//! q = sign (R⁻¹ motor) + offset        τ = sign (Rᵀ τ_motor)
//! ```
//!
//! since motor = R q and no power is lost in a perfect gear, τ_motorᵀ motor˙ = τᵀ q˙.

use super::error::DataError;
use super::expected::expect_units_of_joints;
use super::layout::{Channels, Layout, Side, in_si};
use super::measurement::{Columns, Measured, Measurement};
use super::motion::merged;
use super::tracks::Tracks;
use super::unit::Unit;
use crate::number::{percent, rough};
use crate::signals::SignalError;
use appell::Robot;
use core::ops::Range;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use std::borrow::Cow;

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
    /// columns[1].1[17] = f64::INFINITY;
    /// let error = layout.measure(&arm, &columns).unwrap_err();
    /// assert!(matches!(error, DataError::NotFinite { column, row: 18, .. } if column == "q2"));
    /// # Ok::<(), DataError>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong first: columns that are missing or of another robot, too few samples, NaN, time that goes
    /// backwards, channels that never change, units that cannot be.
    pub fn measure(&self, robot: &Robot, columns: &Columns) -> Result<Measured, DataError> {
        let joints = Joints::new(self, robot, &self.sections(), columns)?;
        let (efforts, spikes) = self.without_spikes(&joints.tracks);
        let (left_out, mut doubts) = self.left_out(&joints.tracks, &efforts, spikes)?;
        doubts.extend(self.doubts(&joints.tracks, &efforts, &left_out, columns));
        doubts.extend(self.uneven_stamps(columns));
        let grid = joints.tracks.grid();
        let pieces = (0..grid.pieces()).map(|piece| -> Result<Measurement, DataError> {
            let velocity = self.velocity.as_ref().map(|velocity| joints.of("velocity", velocity, piece, &[]));
            let of_column =
                |(name, runs): (&String, &Vec<Range<usize>>)| joints.tracks.runs(piece, name, runs, self.delay);
            let runs: Vec<Range<usize>> = self.effort.columns.iter().zip(&left_out).flat_map(of_column).collect();
            Ok(Measurement {
                effort: joints.of("effort", &self.effort, piece, &efforts)?,
                left_out: merged(&runs),
                v: velocity.transpose()?,
                ..joints.motion(piece)?
            })
        });
        let pieces = pieces.collect::<Result<Vec<_>, _>>()?;
        let mut measured = Measured { pieces, time: String::new(), doubts };
        measured.time = joints.told(&efforts, &measured.pieces)?;
        self.expect_units(robot, measured.longest())?;
        measured.doubts.extend(self.beyond_limits(robot, &measured.pieces));
        Ok(measured)
    }

    /// The motion that columns hold, by time and positions alone: of a reference, wanted or simulated. Its efforts are zero.
    ///
    /// # Errors
    /// As [`Layout::measure`].
    pub fn measure_motion(&self, robot: &Robot, columns: &Columns) -> Result<Vec<Measurement>, DataError> {
        let joints = Joints::new(self, robot, &[&self.position], columns)?;
        let pieces =
            (0..joints.tracks.grid().pieces()).map(|piece| joints.motion(piece)).collect::<Result<Vec<_>, _>>()?;
        pieces.iter().try_for_each(|piece| self.expect_units(robot, piece))?;
        Ok(pieces)
    }
}

/// From channels to the joints, in SI units.
struct Joints<'c> {
    layout: &'c Layout,
    robot: &'c Robot,
    tracks: Tracks<'c>,
    positions_of: Option<DMatrix<f64>>, // R⁻¹
    efforts_of: Option<DMatrix<f64>>,   // Rᵀ
}

impl<'c> Joints<'c> {
    fn new(
        layout: &'c Layout,
        robot: &'c Robot,
        sections: &[&'c Channels],
        columns: &'c Columns,
    ) -> Result<Self, DataError> {
        layout.expect_columns(robot, sections, columns)?;
        layout.expect_rate(columns)?;
        let tracks = Tracks::of(layout, sections, columns)?;
        layout.expect_motion(robot, sections, &tracks)?;
        let inverse = |gear: &DMatrix<f64>| gear.clone().try_inverse().ok_or(DataError::Gears);
        let positions_of = layout.gear.as_ref().map(inverse).transpose()?;
        Ok(Self { layout, robot, tracks, positions_of, efforts_of: layout.gear.as_ref().map(DMatrix::transpose) })
    }

    /// What leads from the channels of a section to the joints, where they are not at them.
    fn through(&self, section: &'static str, channels: &Channels) -> Result<Option<&DMatrix<f64>>, DataError> {
        let through = if section == "effort" { &self.efforts_of } else { &self.positions_of };
        match channels.side {
            Side::Joint => Ok(None),
            Side::Motor => through.as_ref().map(Some).ok_or(DataError::NoGears { section }),
        }
    }

    /// A piece of the motion alone.
    fn motion(&self, piece: usize) -> Result<Measurement, DataError> {
        let grid = self.tracks.grid();
        let time = grid.times(piece).to_vec();
        let mut q = self.of("position", &self.layout.position, piece, &[])?;
        for (q, offset) in q.iter_mut().zip(&self.layout.offset) {
            q.iter_mut().for_each(|q| *q += offset);
        }
        Ok(Measurement {
            joints: self.robot.drives().iter().map(|drive| drive.name.to_owned()).collect(),
            effort: vec![vec![0.0; time.len()]; q.len()],
            clock: grid.clock(),
            time,
            q,
            v: None,
            left_out: Vec::new(),
        })
    }

    /// A section at the joints, at the even instants of a piece; of channels with samples of their `own`, where there are some.
    fn of(
        &self,
        section: &'static str,
        channels: &Channels,
        piece: usize,
        own: &[Cow<'_, [f64]>],
    ) -> Result<Vec<Vec<f64>>, DataError> {
        let (known, delay) = match section {
            "position" => (Unit::POSITIONS, 0.0),
            "velocity" => (Unit::VELOCITIES, 0.0),
            _ => (Unit::EFFORTS, self.layout.delay),
        };
        expect_units_of_joints(self.robot, section, channels, known)?;
        let through = self.through(section, channels)?;
        let at_instants = |(k, (name, unit)): (usize, (&String, f64))| {
            let samples = own.get(k).map_or_else(|| self.tracks.samples(name), |own| Cow::Borrowed(&**own));
            let mut values = self.tracks.values(piece, name, &samples, delay);
            values.iter_mut().for_each(|x| *x *= unit);
            values
        };
        let channels = channels.columns.iter().zip(in_si(channels, self.robot)).enumerate().collect::<Vec<_>>();
        let mut signals: Vec<Vec<f64>> = channels.into_par_iter().map(at_instants).collect();
        if let Some(through) = through {
            for k in 0..signals[0].len() {
                let motors = DVector::from_iterator(signals.len(), signals.iter().map(|signal| signal[k]));
                let joints = through * motors;
                signals.iter_mut().zip(&joints).for_each(|(signal, joint)| signal[k] = *joint);
            }
        }
        for (signal, sign) in signals.iter_mut().zip(&self.layout.sign) {
            signal.iter_mut().for_each(|x| *x *= sign);
        }
        Ok(signals)
    }

    /// What became of the stamps, in words; `efforts` are those of the channels, `pieces` what was made of all.
    fn told(&self, efforts: &[Cow<'_, [f64]>], pieces: &[Measurement]) -> Result<String, DataError> {
        let text = self.tracks.told(self.layout);
        if !self.tracks.grid().is_interpolated() {
            return Ok(text);
        }
        // The roots of mean squares, channel by channel and then joint by joint.
        let lost = |section, channels: &Channels, own: &[Cow<'_, [f64]>]| -> Result<DVector<f64>, DataError> {
            let error = |(k, (name, unit)): (usize, (&String, f64))| {
                let samples = own.get(k).map_or_else(|| self.tracks.samples(name), |own| Cow::Borrowed(&**own));
                (unit * self.tracks.error(name, &samples)).powi(2)
            };
            let units = in_si(channels, self.robot);
            let squares =
                DVector::from_iterator(units.len(), channels.columns.iter().zip(units).enumerate().map(error));
            let squares =
                self.through(section, channels)?.map_or(squares.clone(), |through| through.map(|x| x * x) * squares);
            Ok(squares.map(f64::sqrt))
        };
        let size = |joint: usize| {
            let efforts = || pieces.iter().flat_map(|piece| &piece.effort[joint]);
            (efforts().map(|x| x * x).sum::<f64>() / efforts().count() as f64).sqrt().max(f64::MIN_POSITIVE)
        };
        let of_efforts = lost("effort", &self.layout.effort, efforts)?;
        Ok(format!(
            "{text}, which costs positions at most {} rad or m, torques and forces {} (root mean square of the way back)",
            rough(lost("position", &self.layout.position, &[])?.max()),
            percent(of_efforts.iter().enumerate().map(|(joint, lost)| lost / size(joint)).fold(0.0, f64::max))
        ))
    }
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
