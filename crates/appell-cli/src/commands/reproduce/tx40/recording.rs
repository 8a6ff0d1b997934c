//! The published recording of the TX40, which is not part of appell: read where a user has it, and decimated to 1 kHz.

use crate::table::{Recorded, Wanted};
use anyhow::{Context, Result, ensure};
use appell_identification::signals::{Decimation, LowPass};
use std::fs;
use std::io::Cursor;
use std::path::Path;

/// Its files, with what their columns are called in `layout.toml`.
const FILES: [(&str, &str); 2] = [("motor_positions.csv", "position"), ("motor_torques.csv", "torque")];

/// Motors.
const MOTORS: usize = 6;

/// Samples per second of the files, Hz.
const RATE: f64 = 5000.0;

/// One sample of so many is kept.
const DECIMATION: usize = 5;

/// What is kept of a number, 1 / rad or 1 / N m: below that a robot at rest seems to move, and friction that jumps with
/// it.
const RESOLUTION: f64 = 1e5;

/// What is needed, and where it is found.
pub(super) const NEEDED: &str = "The recording is not part of appell: it is published with the examples of the identification \
     toolkit FIGAROH, repository thanhndv212/figaroh-examples, folder examples/staubli_TX40 (Apache-2.0). Two files of it are \
     needed, motor_positions.csv (rad) and motor_torques.csv (N m): a header, then 45,000 rows of six motors at 5 kHz. With \
     both in a folder, appell reproduce tx40 --data FOLDER identifies the robot.";

/// Columns by name, `position1` … `torque6`, low-passed at 400 Hz without delay, at 1 kHz, to five decimals: as
/// `scripts/decimate-tx40` writes them.
pub(super) fn read(folder: &Path) -> Result<Vec<(String, Vec<f64>)>> {
    let filter = LowPass::new(8, 400.0, RATE)?.with_padding(200);
    let decimation = Decimation::with_filter(DECIMATION, filter)?.with_border(0);
    let mut columns = Vec::new();
    for (file, name) in FILES {
        let path = folder.join(file);
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}. {NEEDED}", path.display()))?;
        let size = bytes.len() as u64;
        let raw = Recorded::open(Box::new(Cursor::new(bytes)), Some(size));
        let raw = raw.and_then(|table| table.columns(None, |_| Wanted::Numbers));
        let raw = raw.with_context(|| path.display().to_string())?;
        ensure!(raw.len() == MOTORS, "{} has {} columns, expected {MOTORS}", path.display(), raw.len());
        let raw: Vec<Vec<f64>> = raw.into_iter().map(|(_, signal)| signal).collect();
        for (k, mut signal) in decimation.of_columns(&raw)?.into_iter().enumerate() {
            signal.iter_mut().for_each(|x| *x = (*x * RESOLUTION).round() / RESOLUTION);
            columns.push((format!("{name}{}", k + 1), signal));
        }
    }
    Ok(columns)
}
