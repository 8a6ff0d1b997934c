//! Pictures of what was measured and what the parameters say.

use super::recording::Recording;
use super::study::Study;
use crate::drawing::{Curve, Strip, strips};
use appell::description::JointKind;
use appell_identification::observation::Observation;
use appell_identification::parameters::Robot;
use appell_identification::signals::Spectrum;

/// Files of plots, without their endings; not all are always written.
pub(super) const PLOTS: [&str; 3] = ["efforts", "spectra", "validation"];

/// As many joints have a strip each.
const MOST_STRIPS: usize = 12;

/// Samples of a piece of a spectrum.
const PIECE: usize = 256;

/// What is drawn of a density of nothing, over the largest.
const FLOOR: f64 = 1e-12;

/// A plot: the name of its files, what it shows, and its drawing.
pub(super) struct Plot {
    pub(super) name: &'static str,
    pub(super) caption: String,
    pub(super) svg: String,
}

/// A curve of every joint.
type Series = Vec<Vec<f64>>;

/// All plots of a study.
pub(super) fn plots(robot: Robot<'_>, recordings: &[Recording], held_out: &[Recording], study: &Study) -> Vec<Plot> {
    let predict = |equations: &Observation| study.full.efforts(equations).map(|efforts| of_joints(&efforts, equations));
    let [efforts, spectra, validation] = PLOTS;
    let title = |what: &str| format!("{}: {what}", robot.tree().name());
    let mut plots = vec![Plot {
        name: efforts,
        caption: "Measured efforts, those the identified parameters predict, and what is left.".into(),
        svg: over_time(&title("efforts"), robot, recordings, &predict),
    }];
    let longest = recordings.iter().max_by_key(|recording| recording.measured.times.len());
    let drawn = longest.and_then(|longest| of_residuals(&title("spectra"), robot, longest, &predict));
    plots.extend(drawn.map(|svg| Plot {
        name: spectra,
        caption: "Power of the measured efforts and of what is left of them over frequency, in decibels. White noise is flat; \
                  peaks are what the model does not know."
            .into(),
        svg,
    }));
    if !held_out.is_empty() {
        plots.push(Plot {
            name: validation,
            caption: "The same on data that were not fitted.".into(),
            svg: over_time(&title("validation"), robot, held_out, &predict),
        });
    }
    plots
}

/// Numbers of stacked samples, joint by joint.
fn of_joints(stacked: &[f64], equations: &Observation) -> Series {
    let n = equations.rows().len();
    (0..n).map(|row| stacked.iter().skip(row).step_by(n).copied().collect()).collect()
}

fn over_time(
    title: &str,
    robot: Robot<'_>,
    recordings: &[Recording],
    predict: &dyn Fn(&Observation) -> [Series; 2],
) -> String {
    // Files follow each other in time.
    let (mut times, mut offset) = (Vec::new(), 0.0);
    let mut joints: Vec<[Vec<f64>; 3]> = vec![Default::default(); robot.measured().len()];
    for recording in recordings {
        let begin = recording.measured.times.first().copied().unwrap_or(0.0);
        let begin = if times.is_empty() { 0.0 } else { begin };
        times.extend(recording.measured.times.iter().map(|t| offset + t - begin));
        offset = times.last().copied().unwrap_or(0.0) + 1.0 / recording.measured.thinned_rate;
        let [measured, predicted] = predict(&recording.measured.equations);
        for ((joint, measured), predicted) in joints.iter_mut().zip(measured).zip(predicted) {
            joint[2].extend(measured.iter().zip(&predicted).map(|(measured, predicted)| measured - predicted));
            joint[0].extend(measured);
            joint[1].extend(predicted);
        }
    }
    let panels: Vec<(String, [Vec<f64>; 3])> =
        labels(robot, "N m", "N").into_iter().zip(joints).take(MOST_STRIPS).collect();
    draw(title, "t (s)", &times, &panels, &["measured", "predicted", "left over"])
}

fn of_residuals(
    title: &str,
    robot: Robot<'_>,
    recording: &Recording,
    predict: &dyn Fn(&Observation) -> [Series; 2],
) -> Option<String> {
    let [measured, predicted] = predict(&recording.measured.equations);
    let labels = labels(robot, "dB (N m)²/Hz", "dB N²/Hz");
    let (mut frequencies, mut panels) = (Vec::new(), Vec::new());
    for ((label, measured), predicted) in labels.into_iter().zip(&measured).zip(&predicted).take(MOST_STRIPS) {
        let left: Vec<f64> = measured.iter().zip(predicted).map(|(measured, predicted)| measured - predicted).collect();
        let density = |signal: &[f64]| Spectrum::of(signal, recording.measured.thinned_rate, PIECE).ok();
        let (measured, left) = (density(measured)?, density(&left)?);
        let floor = FLOOR * measured.densities.iter().copied().fold(0.0, f64::max);
        let decibels = |spectrum: &Spectrum| -> Vec<f64> {
            spectrum.densities.iter().skip(1).map(|x| 10.0 * x.max(floor).max(f64::MIN_POSITIVE).log10()).collect()
        };
        panels.push((label, [decibels(&measured), decibels(&left)]));
        frequencies = measured.frequencies[1..].to_vec(); // pieces are without their mean
    }
    Some(draw(title, "frequency (Hz)", &frequencies, &panels, &["measured", "left over"]))
}

fn draw<const N: usize>(
    title: &str,
    x_label: &str,
    x: &[f64],
    panels: &[(String, [Vec<f64>; N])],
    names: &[&str; N],
) -> String {
    let panels: Vec<Strip<'_>> = panels
        .iter()
        .map(|(label, values)| Strip {
            label,
            curves: names.iter().zip(values).map(|(name, values)| Curve { name, values }).collect(),
        })
        .collect();
    strips(title, x_label, x, &panels)
}

/// The joints with a unit.
fn labels(robot: Robot<'_>, turning: &str, sliding: &str) -> Vec<String> {
    let unit = |joint: usize| match robot.tree().links()[joint].joint {
        JointKind::Revolute => turning,
        JointKind::Prismatic => sliding,
    };
    let joints = robot.measured().into_iter().zip(robot.measured_names());
    joints.map(|(joint, name)| format!("{name} ({})", unit(joint))).collect()
}
