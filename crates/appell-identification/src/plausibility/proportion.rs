//! Efforts of one joint that are out of all proportion: friction and rotors may have any size, so that they explain efforts in any
//! unit, but not efforts that are stronger than all other drives of the robot, nor ones that are far from what its file knows.

use super::reading::times;
use super::sampled_motion::SampledMotion;
use super::{Recorded, Suspicion};
use crate::thresholds::{BEYOND_ALONE, BEYOND_BODIES, BEYOND_OTHERS, OTHER_UNIT};

/// What may be a thousand times, of a rough file.
const THOUSAND: core::ops::Range<f64> = 30.0..30_000.0;

impl Recorded<'_> {
    /// The joints whose efforts are out of proportion.
    pub(super) fn disproportions(&self, sampled: &SampledMotion<'_>) -> Vec<Suspicion> {
        let Some(needs) = sampled.needs() else { return Vec::new() };
        let sizes = sampled.sizes();
        let judged = |k: usize| {
            let (size, need) = (sizes[k], needs[k]);
            let others = (0..sizes.len()).filter(|&j| j != k && sampled.turns(j) == sampled.turns(k));
            let strongest = others.map(|j| sizes[j].max(needs[j].whole)).fold(0.0, f64::max);
            let is_far = match need.has_friction {
                true => size > OTHER_UNIT * need.whole || need.whole > OTHER_UNIT * size,
                false if strongest == 0.0 => size > BEYOND_ALONE * need.bodies && need.bodies > 0.0,
                false => size > BEYOND_BODIES * need.bodies && size > BEYOND_OTHERS * strongest,
            };
            let is_weak = !need.has_friction && need.bodies > OTHER_UNIT * size;
            let columns = self.layout.effort.columns[k..=k].to_vec();
            if size == 0.0 || !(is_far || is_weak) || self.are_accepted(&columns) {
                return None;
            }
            let unit = if sampled.turns(k) { "N m" } else { "N" };
            let (joint, ratio) = (&self.measurement.joints[k], size / need.whole);
            let compared = match ratio {
                _ if need.whole == 0.0 => "not nothing, as by the robot's file".into(),
                1.0.. => format!("{} times what the robot's file needs there", times(ratio)),
                _ => format!("{} times less than what the robot's file needs there", times(1.0 / ratio)),
            };
            let is_strongest = is_far && !need.has_friction && strongest > 0.0;
            let beside = if is_strongest {
                format!(", and {} times those of any other joint", times(size / strongest))
            } else {
                String::new()
            };
            // Friction that the file lacks is no unit.
            let question = match THOUSAND.contains(&ratio.max(1.0 / ratio)) {
                true if ratio > 1.0 => format!(" are they in m{unit}?"),
                true => format!(" are they in k{unit}, or {unit} called m{unit}?"),
                false => String::new(),
            };
            let text = format!(
                "the torques or forces of joint `{joint}` (`{}`), {} {unit} on the average, are {compared}{beside}:{question} Check \
                 effort.unit, which may be one per column, constants and gears; or name the column in accept.unit if it is right, or say in \
                 the robot's file what friction and rotor the joint has",
                columns[0],
                times(size)
            );
            let joints = vec![joint.clone()];
            Some((ratio, Suspicion { joints, columns, is_certain: true, text }))
        };
        let found: Vec<(f64, Suspicion)> = (0..sizes.len()).filter_map(judged).collect();
        let are_alike = found.len() == sizes.len() && (1..sizes.len()).all(|k| sampled.turns(k) == sampled.turns(0));
        let of_all = are_alike.then(|| self.all_out_of_proportion(&found, if sampled.turns(0) { "N m" } else { "N" }));
        of_all.flatten().map_or_else(|| found.into_iter().map(|(_, own)| own).collect(), |all| vec![all])
    }

    /// The same of all joints at once, of several that are all a thousand times too strong or too weak.
    fn all_out_of_proportion(&self, found: &[(f64, Suspicion)], unit: &str) -> Option<Suspicion> {
        let ratios = || found.iter().map(|(ratio, _)| *ratio);
        let (least, most) = (ratios().fold(f64::INFINITY, f64::min), ratios().fold(0.0, f64::max));
        let (range, question) = match found.len() {
            0 | 1 => return None,
            _ if ratios().all(|ratio| THOUSAND.contains(&ratio)) => {
                (format!("{} to {} times", times(least), times(most)), format!("are they in m{unit}?"))
            }
            _ if ratios().all(|ratio| THOUSAND.contains(&ratio.recip())) => {
                let range = format!("{} to {} times less than", times(most.recip()), times(least.recip()));
                (range, format!("are they in k{unit}, or {unit} called m{unit}?"))
            }
            _ => return None,
        };
        let text = format!(
            "the torques or forces of all joints are {range} what the robot's file needs there: {question} Check effort.unit, constants and \
             gears; or name the columns in accept.unit if they are right, or say in the robot's file what friction and rotors the joints have"
        );
        Some(Suspicion { joints: Vec::new(), columns: self.layout.effort.columns.clone(), is_certain: true, text })
    }
}
