//! Figures 5 to 7: the wrist along the motion of eq. 52, in closed form beside the general methods.

use crate::Check;
use crate::abedloo::trajectory::{self, Sample, Study};
use crate::abedloo::{AgileWrist, Mode};
use crate::report::checks;
use crate::report::number::{scientific, short};
use crate::report::over_time::{self, Series};
use crate::report::plot;
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::study::largest;
use anyhow::Result;
use serde_json::json;

/// Steps of the motion.
pub(super) const STEPS: usize = 200;

pub(super) const LEGS: [&str; 3] = ["leg 1", "leg 2", "leg 3"];

/// The motion in modes +++ and −−−.
pub(super) struct Both([Study; 2]);

pub(super) fn studies() -> Result<Both> {
    let study = |mode: Mode| {
        let wrist = AgileWrist::paper(AgileWrist::RADIUS).in_modes([mode; 3]);
        trajectory::study(&wrist, STEPS)
    };
    Ok(Both([study(Mode::Plus)?, study(Mode::Minus)?]))
}

impl Both {
    /// The largest size of something in both modes.
    pub(super) fn peak(&self, of: impl Fn(&Sample) -> [f64; 3]) -> f64 {
        let samples = self.0.iter().flat_map(|study| &study.samples);
        samples.map(of).fold(0.0, |most, x| most.max(largest(&x)))
    }

    /// Every check, with the larger difference of both modes.
    fn checks(&self, which: impl Fn(usize) -> bool) -> Vec<Check> {
        let [plus, minus] = &self.0;
        let pairs = plus.checks.iter().zip(&minus.checks).enumerate().filter(|(k, _)| which(*k));
        pairs
            .map(|(_, (one, other))| if one.difference > other.difference { one.clone() } else { other.clone() })
            .collect()
    }

    fn series(&self, mode: usize, of: impl Fn(&Sample) -> [f64; 3]) -> Series<3> {
        self.0[mode].samples.iter().map(|sample| (sample.t, of(sample))).collect()
    }
}

/// How many of a study's checks are of kinematics: they come first.
const KINEMATIC: usize = 3;

/// Figure 5: the motion, and the joints.
pub(super) fn figure5(both: &Both) -> Result<Section> {
    let found = both.checks(|k| k == 0);
    let degrees = |of: fn(&Sample) -> [f64; 3]| move |sample: &Sample| of(sample).map(f64::to_degrees);
    let least = both.0.iter().flat_map(|study| &study.samples).flat_map(|sample| sample.h);
    let least = least.fold(f64::INFINITY, |least: f64, h| least.min(h.abs()));
    let finding = format!("eqs 34 and 36, corrected, close all loops to {}", scientific(checks::largest(&found)));
    let title = "The motion of eq. 52 and the driven joints";
    Ok(Section {
        figures: vec![Figure {
            file: "000-joints.svg",
            caption: "Euler angles of the platform, and the angles θ of the driven joints in mode +++ and in mode −−−.",
            svg: plot::panels(
                1,
                &[
                    over_time::panel("q, degrees", ["q₁", "q₂", "q₃"], &both.series(0, degrees(|s| s.q))),
                    over_time::panel("θ in mode +++, degrees", LEGS, &both.series(0, degrees(|s| s.theta))),
                    over_time::panel("θ in mode −−−, degrees", LEGS, &both.series(1, degrees(|s| s.theta))),
                ],
            )?,
        }],
        reasons: paragraphs([&format!(
            "q = a sin b t with a = 10°, 30°, 20° and b = π, π/2, 3π/2 rad/s: it repeats after 4 s. Which of the eight \
             working modes the paper shows cannot be read from our copy; these are the two that are symmetric. No leg comes \
             near its limit: |h| is {} or more.",
            short(least)
        )]),
        data: json!({ "least_h": least, "checks": checks::as_json(&found) }),
        ..checks::section("figure 5", title, &found, Verdict::Redrawn, finding)
    })
}

/// Figure 6: torques, and how far the general methods are from them.
pub(super) fn figure6(both: &Both) -> Result<Section> {
    let found = both.checks(|k| k >= KINEMATIC);
    let (peak, difference) = (both.peak(|sample| sample.tau), both.peak(|sample| sample.tau_difference));
    let finding = format!(
        "up to {} N m; closed form and tree-closures differ by {} N m, the paper and its simulation by 10⁻⁵",
        short(peak),
        scientific(difference)
    );
    Ok(Section {
        figures: vec![Figure {
            file: "000-torques.svg",
            caption: "Torques in mode +++ and in mode −−− in closed form; those in mode +++ with the platform's centre of \
                      mass in the point; closed form less tree-closures in mode +++.",
            svg: plot::panels(
                1,
                &[
                    over_time::panel("torque in mode +++, N m", LEGS, &both.series(0, |s| s.tau)),
                    over_time::panel("torque in mode −−−, N m", LEGS, &both.series(1, |s| s.tau)),
                    over_time::panel("balanced platform, N m", LEGS, &both.series(0, |s| s.tau_balanced)),
                    over_time::differences("difference, 10⁻¹⁵ N m", LEGS, &both.series(0, |s| s.tau_difference), 1e-15),
                ],
            )?,
        }],
        reasons: paragraphs([
            "Checks are over both modes; differences are relative to the largest entry. The paper's difference is that of a \
             simulation under a controller, which figure 4 above does again; here it is between two computations of the \
             same motion.",
            "Amplitudes cannot be compared with the figure: its numbers are not readable, and it depends on the radius and \
             the centre of mass, which are not printed.",
        ]),
        data: json!({ "peak": peak, "difference": difference, "checks": checks::as_json(&found) }),
        ..checks::section("figure 6", "Torques of the drives", &found, Verdict::Redrawn, finding)
    })
}

/// Figure 7: differences of the joints' motion.
pub(super) fn figure7(both: &Both) -> Result<Section> {
    let found = both.checks(|k| k < KINEMATIC);
    let orders = [
        both.peak(|sample| sample.theta_difference),
        both.peak(|sample| sample.rate_difference),
        both.peak(|sample| sample.acceleration_difference),
    ];
    let [position, rate, acceleration] = orders.map(scientific);
    let finding =
        format!("{position} rad, {rate} rad/s, {acceleration} rad/s²; the paper's are about 10⁻⁷, 10⁻⁶ and 10⁻⁵");
    let title = "Differences of the driven joints' angles, rates and accelerations";
    Ok(Section {
        figures: vec![Figure {
            file: "000-differences.svg",
            caption: "Closed form less the general methods in mode +++: θ, its rate and its acceleration.",
            svg: plot::panels(
                1,
                &[
                    over_time::differences("θ, 10⁻¹⁵ rad", LEGS, &both.series(0, |s| s.theta_difference), 1e-15),
                    over_time::differences("rate, 10⁻¹⁵ rad/s", LEGS, &both.series(0, |s| s.rate_difference), 1e-15),
                    over_time::differences(
                        "acceleration, 10⁻¹⁵ rad/s²",
                        LEGS,
                        &both.series(0, |s| s.acceleration_difference),
                        1e-15,
                    ),
                ],
            )?,
        }],
        reasons: paragraphs([
            "The paper takes the motion from a simulation under a controller, which figure 4 above does again; here both \
             sides compute the motion of eq. 52 itself, and what is left is rounding.",
        ]),
        data: json!({ "largest": orders, "checks": checks::as_json(&found) }),
        ..checks::section("figure 7", title, &found, Verdict::Redrawn, finding)
    })
}
