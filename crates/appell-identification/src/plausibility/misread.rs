//! Recordings that fit the robot's file in other units, or with another sign: of all columns, or of one joint.

use super::fit::left;
use super::reading::{Evidence, PREFIXES, Part, Reading, factors, kinds, readings};
use super::{Declared, Found, Recorded, Suspicion, together};
use crate::data::Time;
use crate::thresholds::{
    CERTAIN, CERTAIN_SIGN, CLOSE_FILE, LIKELY, LIKELY_OF_CLOSE_FILE, LIKELY_OF_ONE, MATTERS, ROUGH_FILE, UNEXPLAINED,
};

impl Recorded<'_> {
    /// Readings that fit the robot's file much better than the declared one; `free` are the same fits with rotors of any size, for what a
    /// rotor that the file forgets, behind a high gear, looks like.
    pub(super) fn misread(&self, bounded: &Declared<'_>, free: &Declared<'_>) -> Vec<Found> {
        let mut found = self.of_all(bounded, free);
        for (reading, single) in self.of_positions(bounded) {
            // Of all columns read alike, one that is enough by itself is the likelier.
            let is_same = |(other, _): &(Reading, Found)| *other == reading;
            found.retain(|other| !is_same(other) || other.1.0 < single.0);
            if !found.iter().any(is_same) {
                found.push((reading, single));
            }
        }
        found.extend(self.of_efforts(bounded));
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// What is said of a reading of all columns, or those of one joint; nothing where they are accepted. `left` is the residual of all
    /// joints with it.
    fn suspect(
        &self,
        reading: Reading,
        alone: Option<usize>,
        evidence: Evidence,
        is_certain: bool,
        left: f64,
    ) -> Option<(Reading, Found)> {
        let columns = match (reading.part(), &self.layout.time) {
            (Part::Time, Time::Column { name, .. }) => core::slice::from_ref(name),
            (Part::Time, Time::Rate(_)) => &[],
            (Part::Position, _) => &self.layout.position.columns,
            (Part::Effort, _) => &self.layout.effort.columns,
        };
        let columns = alone.map_or(columns, |k| &columns[k..=k]).to_vec();
        if !columns.is_empty() && self.are_accepted(&columns) {
            return None;
        }
        let joints: Vec<String> = alone.map(|k| self.measurement.joints[k].clone()).into_iter().collect();
        let of_joint = joints.first().map_or(String::new(), |joint| format!(" of joint `{joint}`"));
        let named = if columns.is_empty() { String::new() } else { format!(" (`{}`)", columns.join("`, `")) };
        let ([what, looks], remedy) = (reading.words(), reading.remedy(self.robot, self.layout, alone));
        let text = format!(
            "{what}{of_joint} {looks}{named}: {evidence}; {remedy}, or name the columns in accept.unit if they are right"
        );
        Some((reading, (left, Suspicion { joints, columns, is_certain, text })))
    }

    /// Readings of all columns of positions, of time or of efforts, and what is left with them.
    fn of_all(&self, bounded: &Declared<'_>, free: &Declared<'_>) -> Vec<(Reading, Found)> {
        let mut found = Vec::new();
        let mut tell = |reading: Reading, evidence: Evidence, is_certain: bool| {
            found.extend(self.suspect(reading, None, evidence, is_certain, evidence.otherwise));
        };
        for reading in readings(self.robot, self.layout) {
            let residuals = bounded.sampled.read(reading, None).residuals();
            let evidence = Evidence { as_declared: bounded.whole, otherwise: together(&residuals) };
            let concerned = concerned(&bounded.residuals, &residuals)
                .filter(|_| reading.part() != Part::Effort && evidence.otherwise < evidence.as_declared);
            let is =
                |limits| evidence.is_below(limits) || concerned.is_some_and(|concerned| concerned.is_below(limits));
            if is(LIKELY) {
                tell(reading, evidence, is(CERTAIN));
            }
        }
        // The unit of the smallest residual if bodies are in proportion as in the file, if that is close; else a prefix, which a rough file tells, too.
        let fits = free.sampled.fits().unwrap_or_default();
        let evidence = |factor: f64, wrong: f64| {
            let left = |factor: f64| together(&left(&fits, 1.0 / factor, wrong));
            Evidence { as_declared: left(1.0), otherwise: left(factor) }
        };
        let best = |factors: &[f64], wrong: f64| {
            let tried = factors.iter().map(|&factor| (factor, evidence(factor, wrong)));
            tried.min_by(|one, other| one.1.otherwise.total_cmp(&other.1.otherwise))
        };
        let of_unit = best(&factors(self.robot, self.layout), 1.0);
        // Half the way to a unit is none: where that fits better, the masses of the file are wrong.
        let of_unit = of_unit.filter(|(factor, all)| evidence(factor.sqrt(), 1.0).otherwise > all.otherwise);
        let of_unit = of_unit.map(|(factor, _)| (factor, evidence(factor, CLOSE_FILE)));
        if let Some((factor, evidence)) = of_unit.filter(|(_, evidence)| evidence.is_below(LIKELY_OF_CLOSE_FILE)) {
            // Within what the masses of a file may be wrong by, they may be as well.
            tell(Reading::efforts(factor), evidence, factor.max(1.0 / factor) > ROUGH_FILE);
        } else if let Some((factor, evidence)) = best(&PREFIXES, ROUGH_FILE).filter(|best| best.1.is_below(LIKELY)) {
            tell(Reading::efforts(factor), evidence, evidence.is_below(CERTAIN));
        }
        found
    }

    /// Positions of one joint in another unit than those of the others, or with the other sign, alone or with its efforts; of each
    /// reading the best.
    fn of_positions(&self, bounded: &Declared<'_>) -> Vec<(Reading, Found)> {
        let units = readings(self.robot, self.layout).into_iter().filter(|reading| reading.part() == Part::Position);
        let of_best = |reading: Reading| {
            let read = kinds(self.robot).into_iter().enumerate().filter(|(k, kind)| {
                reading.of_position(*kind) != 1.0 && !self.are_accepted(&self.layout.position.columns[*k..=*k])
            });
            let of_joint = |(k, _)| (k, together(&bounded.sampled.read(reading, Some(k)).residuals()));
            let (k, otherwise) = read.map(of_joint).min_by(|one, other| one.1.total_cmp(&other.1))?;
            let evidence = Evidence { as_declared: bounded.whole, otherwise };
            // A last body that is turned round in the file looks the same.
            let is_seen = reading != Reading::TURNED || !bounded.sampled.is_last(k);
            let is_certain = is_seen && evidence.is_below(CERTAIN);
            let is_likely = evidence.is_below(LIKELY_OF_ONE);
            is_likely.then(|| self.suspect(reading, Some(k), evidence, is_certain, otherwise))?
        };
        units.chain([Reading::TURNED, Reading::BACKWARDS]).filter_map(of_best).collect()
    }

    /// Efforts of single joints with the other sign.
    fn of_efforts(&self, bounded: &Declared<'_>) -> Vec<(Reading, Found)> {
        let otherwise = bounded.sampled.read(Reading::REVERSED, None).residuals();
        let of_joint = |k: usize| {
            let evidence = Evidence { as_declared: bounded.residuals[k]?, otherwise: otherwise[k]? };
            let mut all = bounded.residuals.clone();
            all[k] = otherwise[k];
            let is_certain = evidence.otherwise < CERTAIN_SIGN[0] && evidence.as_declared > CERTAIN_SIGN[1];
            let tell = || self.suspect(Reading::REVERSED, Some(k), evidence, is_certain, together(&all));
            evidence.is_below(CERTAIN).then(tell)?
        };
        (0..otherwise.len()).filter_map(of_joint).collect()
    }
}

/// The evidence of those joints alone that a reading matters to, if these are most, and not explained as declared: others, where something
/// else is missing, would hide them.
fn concerned(declared: &[Option<f64>], otherwise: &[Option<f64>]) -> Option<Evidence> {
    let matters = |(declared, other): &(&Option<f64>, &Option<f64>)| match (declared, other) {
        (Some(declared), Some(other)) => (other / declared - 1.0).abs() > MATTERS,
        _ => false,
    };
    let (before, after): (Vec<_>, Vec<_>) = declared.iter().zip(otherwise).filter(matters).unzip();
    let evidence = Evidence { as_declared: together(&before), otherwise: together(&after) };
    (2 * before.len() >= declared.len() && evidence.as_declared > UNEXPLAINED).then_some(evidence)
}
