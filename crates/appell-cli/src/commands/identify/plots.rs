//! Pictures of what was measured and what the parameters say.

use super::names::Names;
use crate::report::{MOST_STRIPS, Plot, compared, residual};
use anyhow::anyhow;
use appell::description::JointKind;
use appell::{Joint, Robot};
use appell_drawing::listing::short;
use appell_drawing::{Across, Curve, Look, Strip, strips};
use appell_identification::identify::{Identified, Recording};
use appell_identification::signals::Spectrum;

/// Files of plots, without their endings; not all are always written.
pub(super) const PLOTS: [&str; 4] = ["efforts", "efforts-detail", "spectra", "validation"];

/// Of more samples, some are drawn once more, larger; and how many.
const CROWDED: usize = 1200;
const DETAIL: usize = 400;

/// Pieces of a spectrum, and the fewest and most samples of one.
const PIECES: usize = 8;
const PIECE: (usize, usize) = (256, 8192);

/// What is drawn of a density of nothing, over the largest.
const FLOOR: f64 = 1e-12;

/// Measured and predicted efforts of every joint over time, with no numbers where samples do not follow each other.
#[derive(Default)]
struct Efforts {
    times: Vec<f64>,
    /// Where files begin, with their names.
    files: Vec<(f64, String)>,
    joints: Vec<[Vec<f64>; 2]>,
}

/// What plots are made of.
pub(super) struct Album<'p> {
    pub(super) robot: &'p Robot,
    pub(super) found: &'p Identified,
}

impl Album<'_> {
    /// All plots of a study.
    ///
    /// # Errors
    /// If the longest recording cannot be observed at its own rate.
    pub(super) fn plots(&self) -> anyhow::Result<Vec<Plot>> {
        let [efforts, detail, spectra, validation] = PLOTS;
        let fitted = self.efforts(&self.found.recordings);
        let mut plots = vec![Plot {
            name: efforts,
            caption: "Measured torques and forces, pale, with those on top that the free parameters predict, those of the estimate and not of robot.toml; below \
                      them the residual, on a scale of its own."
                .into(),
            svg: self.over_time("efforts", &fitted),
        }];
        if fitted.times.len() > CROWDED {
            plots.push(Plot {
                name: detail,
                caption: "The same where the residual is largest.".into(),
                svg: self.over_time("efforts in detail", &fitted.worst(DETAIL)),
            });
        }
        plots.extend(self.of_residuals()?.map(|svg| Plot {
            name: spectra,
            caption: "Power of the torques and forces as they were recorded, and of their residual, over frequency, in decibels. White noise is \
                      flat; peaks are what the model does not know. Beyond the marks the motion and the equations that were fitted have no \
                      part any more."
                .into(),
            svg,
        }));
        if !self.found.held_out.is_empty() {
            plots.push(Plot {
                name: validation,
                caption: "The same on data that were not fitted, file by file.".into(),
                svg: self.over_time("validation", &self.efforts(&self.found.held_out)),
            });
        }
        Ok(plots)
    }

    fn title(&self, what: &str) -> String {
        let robot = self.robot;
        let joints = robot.drives().len();
        let drawn = if joints > MOST_STRIPS { format!(" of {MOST_STRIPS} of {joints} joints") } else { String::new() };
        format!("{}: {what}{drawn}", robot.tree().name())
    }

    /// Efforts of files, which follow each other in time.
    fn efforts(&self, recordings: &[Recording]) -> Efforts {
        let mut all = Efforts { joints: vec![Default::default(); self.robot.drives().len()], ..Efforts::default() };
        let names = Names::of(self.found);
        let mut offset = 0.0;
        for (k, recording) in recordings.iter().enumerate() {
            let begin = recording.times.first().copied().unwrap_or(0.0);
            let shift = if all.times.is_empty() { 0.0 } else { offset - begin };
            all.files.push((begin + shift, names.name(recording).to_owned()));
            let of_joints = self.found.efforts_per_joint(&recording.equations);
            let mut done = 0;
            for stretch in recording.stretches(k) {
                let samples = done..done + stretch.samples;
                all.break_off();
                all.times.extend(recording.times[samples.clone()].iter().map(|t| t + shift));
                for (joint, efforts) in all.joints.iter_mut().zip(&of_joints) {
                    joint.iter_mut().zip(efforts).for_each(|(to, from)| to.extend(&from[samples.clone()]));
                }
                done = samples.end;
            }
            offset = all.times.last().copied().unwrap_or(0.0) + 1.0 / recording.thinned_rate;
        }
        all
    }

    fn over_time(&self, what: &str, efforts: &Efforts) -> String {
        let even = Across::even("t (s)", &efforts.times);
        let across = match &efforts.files[..] {
            [] | [_] => even,
            parts => Across { label: "t (s), files one after the other", parts, ..even },
        };
        compared(&self.title(what), &across, &efforts.joints, &labels(self.robot, "N m", "N"))
    }

    /// Spectra of the longest recording, up to half the recorder's rate; none where it is too short.
    fn of_residuals(&self) -> anyhow::Result<Option<String>> {
        let Some(longest) = self.found.recordings.iter().max_by_key(|recording| recording.times.len()) else {
            return Ok(None);
        };
        let joints = self.found.efforts_at_full_rate(self.robot, longest).map_err(|error| anyhow!("{error}"))?;
        let (mut frequencies, mut panels) = (Vec::new(), Vec::new());
        for (label, joint) in labels(self.robot, "dB (N m)²/Hz", "dB N²/Hz").iter().zip(&joints).take(MOST_STRIPS) {
            let piece = (joint[0].len() / PIECES).clamp(PIECE.0, PIECE.1);
            let density = |signal: &[f64]| Spectrum::of(signal, longest.rate, piece).ok();
            let (Some(whole), Some(left)) = (density(&joint[0]), density(&residual(joint))) else { return Ok(None) };
            let floor = FLOOR * whole.densities.iter().copied().fold(0.0, f64::max);
            let decibels = |spectrum: &Spectrum| -> Vec<f64> {
                spectrum.densities.iter().skip(1).map(|x| 10.0 * x.max(floor).max(f64::MIN_POSITIVE).log10()).collect()
            };
            panels.push((label.clone(), [decibels(&whole), decibels(&left)]));
            frequencies = whole.frequencies[1..].to_vec(); // pieces are without their mean
        }
        let panels: Vec<Strip<'_>> = panels
            .iter()
            .map(|(label, [whole, left])| Strip {
                label,
                curves: vec![Curve { name: "measured", values: whole }, Curve { name: "residual", values: left }],
                look: Look::WithLeftOver,
            })
            .collect();
        let marks = self.marks(longest, frequencies.last().copied().unwrap_or(0.0));
        let across = Across { is_logarithmic: true, marks: &marks, ..Across::even("frequency (Hz)", &frequencies) };
        Ok(Some(strips(&self.title("spectra"), &across, &panels)))
    }

    /// Where positions and equations are cut off.
    fn marks(&self, recording: &Recording, most: f64) -> Vec<(f64, String)> {
        let equations = recording.cut_off().map(|cut_off| (cut_off, "equations"));
        let positions = self.found.filter.cut_off.map(|cut_off| (cut_off, "positions"));
        let marks: Vec<(f64, &str)> = [equations, positions].into_iter().flatten().filter(|(f, _)| *f < most).collect();
        match marks[..] {
            // Texts of marks that are near each other would lie on each other.
            [(one, _), (other, _)] if (one / other).max(other / one) < 4.0 => {
                let text = |f: f64, what: &str| format!("{what} cut at {} Hz", short(rounded(f)));
                vec![
                    (one.min(other), String::new()),
                    (one.max(other), text(one, "equations") + ", " + &text(other, "positions")),
                ]
            }
            _ => marks.iter().map(|(f, what)| (*f, format!("{what} cut at {} Hz", short(rounded(*f))))).collect(),
        }
    }
}

impl Efforts {
    /// Ends all curves here, if they have begun.
    fn break_off(&mut self) {
        if let Some(&last) = self.times.last() {
            self.times.push(last);
            self.joints.iter_mut().flatten().for_each(|curve| curve.push(f64::NAN));
        }
    }

    /// So many samples one after the other of which most is left, each joint over the root of its mean square.
    fn worst(&self, count: usize) -> Self {
        let of_joint = |joint: &[Vec<f64>; 2]| -> Vec<f64> {
            let squares: Vec<f64> = residual(joint).iter().map(|x| if x.is_nan() { 0.0 } else { x * x }).collect();
            let mean = squares.iter().sum::<f64>() / squares.len() as f64;
            squares.iter().map(|x| x / mean.max(f64::MIN_POSITIVE)).collect()
        };
        let joints: Vec<Vec<f64>> = self.joints.iter().map(of_joint).collect();
        let at = |sample: usize| joints.iter().map(|joint| joint[sample]).sum::<f64>();
        let (mut sum, mut most, mut begin) = (0.0, f64::NEG_INFINITY, 0);
        for end in 0..self.times.len() {
            sum += at(end);
            if end + 1 >= count {
                if sum > most {
                    (most, begin) = (sum, end + 1 - count);
                }
                sum -= at(end + 1 - count);
            }
        }
        let part = begin..(begin + count).min(self.times.len());
        let of_part = |joint: &[Vec<f64>; 2]| joint.each_ref().map(|curve| curve[part.clone()].to_vec());
        let times = self.times[part.clone()].to_vec();
        let [from, to] = [times.first(), times.last()].map(|time| time.copied().unwrap_or(0.0));
        // The file in which the part begins, and those that begin in it.
        let before = self.files.iter().rfind(|(begin, _)| *begin <= from).map(|(_, name)| (from, name.clone()));
        let within = self.files.iter().filter(|(begin, _)| *begin > from && *begin < to).cloned();
        let files = before.into_iter().chain(within).collect();
        Self { times, files, joints: self.joints.iter().map(of_part).collect() }
    }
}

/// Three digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The joints with a unit.
fn labels(robot: &Robot, turning: &str, sliding: &str) -> Vec<String> {
    let label = |drive: &Joint<'_>| {
        let unit = if drive.kind == JointKind::Revolute { turning } else { sliding };
        format!("{} ({unit})", drive.name)
    };
    robot.drives().iter().map(label).collect()
}
