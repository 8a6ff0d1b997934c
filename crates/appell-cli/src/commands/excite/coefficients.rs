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
    match motion {
        Excited::Fourier(series) => {
            let columns: Vec<String> = (1..=joints).flat_map(|j| [format!("sin{j}"), format!("cos{j}")]).collect();
            let harmonics = series.terms().first().map_or(0, Vec::len);
            let mut answers = Answers::start(Some(path), stdout, false, &columns, Work::States(harmonics as u64))?;
            for k in 0..harmonics {
                answers.write(series.terms().iter().flat_map(|terms| terms[k]))?;
            }
            answers.finish(format_args!("{harmonics} harmonics"))
        }
        Excited::Spline(spline) => {
            let columns: Vec<String> =
                std::iter::once("t".into()).chain((1..=joints).map(|j| format!("q{j}"))).collect();
            let points = spline.times().len();
            let mut answers = Answers::start(Some(path), stdout, false, &columns, Work::States(points as u64))?;
            let mut spline = spline.clone();
            let [mut q, mut v, mut a] = [(); 3].map(|()| vec![0.0; joints]);
            for t in spline.times().to_vec() {
                spline.at(t, &mut q, &mut v, &mut a)?;
                answers.write(std::iter::once(t).chain(q.iter().copied()))?;
            }
            answers.finish(format_args!("{points} points"))
        }
    }
}
