//! What an exciting motion is made of, as tables that `appell trajectory` reads.

use crate::progress::Work;
use crate::table::Answers;
use appell_identification::excitation::Excited;
use appell_simulation::trajectory::JointReference;
use std::io::Write;
use std::path::Path;

/// Writes coefficients, a row per harmonic, or points, a row each.
pub(super) fn write(path: &Path, motion: &Excited, stdout: &mut dyn Write) -> anyhow::Result<()> {
    let joints = motion.joints();
    let (columns, rows, what): (Vec<String>, Vec<Vec<f64>>, _) = match motion {
        Excited::Fourier(series) => {
            let row = |k: usize| series.terms().iter().flat_map(|terms| terms[k]).collect();
            let harmonics = series.terms().first().map_or(0, Vec::len);
            let columns = (1..=joints).flat_map(|j| [format!("sin{j}"), format!("cos{j}")]);
            (columns.collect(), (0..harmonics).map(row).collect(), "harmonics")
        }
        Excited::Spline(spline) => {
            let mut spline = spline.clone();
            let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; joints]);
            let mut rows = Vec::new();
            for t in spline.times().to_vec() {
                spline.at(t, &mut q, &mut v, &mut a)?;
                rows.push([&[t], q.as_slice()].concat());
            }
            let columns = (1..=joints).map(|j| format!("q{j}"));
            (std::iter::once("t".into()).chain(columns).collect(), rows, "points")
        }
    };
    let mut answers = Answers::start(Some(path), stdout, false, &columns, Work::States(rows.len() as u64))?;
    rows.iter().try_for_each(|row| answers.write(row.iter().copied()))?;
    answers.finish(format_args!("{} {what}", rows.len()))
}
