//! What to doubt about recordings, parameters and robot, in words, the most important first.

use super::acceptance::is_within;
use super::fitted::{Fitted, Masses, price};
use super::recording::{Made, Recording};
use super::{Identified, IdentifyError, Options, Urdf};
use crate::consistency::Consistent;
use crate::estimate::{Delay, Doubt, Stretch, delay_again, delays, doubts, gains, weighted};
use crate::number::{percent, rough};
use crate::observation::Observation;
use crate::parameters::{Column, Effect, Inertial, Model};
use crate::signals::Decimation;
use crate::thresholds::{
    BODY_RATIO, GAIN_MOVED, ILL_CONDITIONED, LARGE_RESIDUAL, MAX_RESIDUAL, MOST_DELAY, MUCH_MORE_HELD_OUT,
    MUCH_MORE_IN_URDF, NOTABLE_RESIDUAL, OTHER_MASS, PRICE, SAME_DELAY, WORTH_REPORTING,
};
use crate::unknowns::may_share_legs;
use crate::validation::{Outlier, outliers};
use appell::Robot;
use core::f64::consts::TAU;

/// Parameters that are hardly excited, and pairs of collinear ones, that are named.
const MOST_NAMES: usize = 8;
const MOST_PAIRS: usize = 6;

/// How much more or less equations are thinned to see a delay at other cut-offs.
const OTHER_CUT_OFFS: [f64; 3] = [2.0, 0.4, 0.16];

/// Delays are seen to first order: of a wave of ω as sin(ωd)/ω, which is right by 15 % up to this ωd.
const FIRST_ORDER: f64 = 1.0;

/// Joints are fast that have this part of their largest speed: friction that builds up has done so.
const FAST: f64 = 0.3;

/// All of them: what became of the robot, what is odd about the recordings, how good the robot is, and then doubts about parameters.
pub(super) fn all(
    robot: &Robot,
    options: &Options,
    made: &Made<'_>,
    found: &Identified,
    reduced: &Observation,
    hidden: &[String],
    of_urdf: Option<String>,
) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    warnings.extend(found.refusal.as_ref().map(|why| format!("no robot is written: {why}")));
    for recording in made.fitted.iter().chain(made.held_out).chain(made.of_reference) {
        warnings.extend(recording.doubts.iter().map(|doubt| format!("{}: {doubt}", recording.source.name)));
    }
    if found.is_chosen && found.filter.cut_off.is_none() {
        warnings.push(
            "no low-pass is used: some recording is too short, or sampled too slowly, for one at ten times the frequency of the motion; \
             what is noise in the positions goes into the accelerations (--cut-off)"
                .into(),
        );
    }
    warnings.extend(of_robot(found));
    warnings.extend(of_urdf);
    warnings.extend(of_bodies(robot, options, found));
    if !hidden.is_empty() {
        warnings.push(format!(
            "the motion does not excite {} of {} base parameters, which stay with others: {}",
            hidden.len(),
            found.structural,
            hidden.join(", ")
        ));
    }
    warnings.extend(of_estimate(robot, made, found, reduced));
    warnings
}

/// What a URDF of the robot that was found holds, fitted by `fit`, and what to say of it.
pub(super) fn of_urdf(
    found: &Identified,
    fit: impl Fn() -> Result<Fitted, IdentifyError>,
    robot: &Robot,
) -> (Urdf, Option<String>) {
    let (None, Some(toml)) = (robot.closed(), found.robot()) else { return (Urdf::None, None) };
    if found.unknowns.all.in_urdf() == found.unknowns.all {
        return (Urdf::AsToml, None);
    }
    let fitted = fit().and_then(|fitted| match &fitted.consistent {
        Ok(own) => Ok((own.fit.relative, fitted)),
        Err(error) => Err(error.clone().into()),
    });
    let without = "a URDF has no rotors, offsets, springs, and no friction but viscous and Coulomb friction";
    match fitted {
        Err(error) => (Urdf::None, Some(format!("no robot.urdf is written: {without}; without them: {error}"))),
        Ok((residual, _)) if residual > MAX_RESIDUAL => {
            let part = percent(residual);
            let text = format!("no robot.urdf is written: {without}; its residual would be {part} of the torques");
            (Urdf::None, Some(text))
        }
        Ok((residual, fitted)) => {
            let of_toml = toml.fit.relative;
            let is_reported = residual > WORTH_REPORTING.max(MUCH_MORE_IN_URDF * of_toml);
            let mut text = is_reported.then(|| {
                let [urdf, toml] = [residual, of_toml].map(percent);
                format!("the residual of robot.urdf is {urdf} of the torques, of robot.toml {toml}: {without}")
            });
            let masses = Masses::of(robot, found.of_file(), &fitted);
            if (masses.urdf - masses.toml).abs() > OTHER_MASS * masses.toml {
                text = Some(text.map_or_else(|| format!("{masses}; {without}"), |text| format!("{text}; {masses}")));
            }
            (Urdf::Own(Box::new(fitted)), text)
        }
    }
}

/// What to doubt about the robot that was found.
fn of_robot(found: &Identified) -> Vec<String> {
    let mut warnings = Vec::new();
    for fitted in [Some(&found.full), found.file.as_ref()].into_iter().flatten() {
        let failed = fitted.not_validated.as_ref();
        warnings
            .extend(failed.map(|error| format!("no cross-validation, parts of the data are too poor alone: {error}")));
    }
    let price = found.full.consistent.as_ref().ok().and_then(price);
    warnings.extend(price.filter(|price| *price > PRICE).map(|price| {
        format!(
            "consistent parameters fit {:.0} % worse than free ones: the model misses something, or noise decides on free ones",
            100.0 * price
        )
    }));
    warnings.extend(of_gains(&found.full));
    let Some(robot) = found.robot() else { return warnings };
    let residual = robot.fit.relative;
    if residual > NOTABLE_RESIDUAL {
        warnings.push(format!(
            "the residual of the robot that is written is {} of the torques: the model, or what a robot's file can hold, misses something, \
             or torques are noisy; ask for more --effects, or fix fewer parameters",
            percent(residual)
        ));
    }
    let limit = WORTH_REPORTING.max(MUCH_MORE_HELD_OUT * residual);
    if let Some(fit) = found.of_file().held_out().filter(|fit| fit.relative > limit) {
        warnings.push(format!(
            "its residual is {} of torques that were not fitted, and {} of fitted ones: do not trust it beyond the fitted motions",
            percent(fit.relative),
            percent(residual)
        ));
    }
    let poor = robot.fit.rows.iter().filter(|row| row.relative > LARGE_RESIDUAL);
    let poor: Vec<String> = poor.map(|row| format!("{} of {}", percent(row.relative), row.name)).collect();
    if !poor.is_empty() {
        warnings.push(format!(
            "the residual of the robot that is written is large in some joints, {}: the model, or what a robot's file can hold, misses \
             something there, or they move too little beside their noise",
            poor.join(", ")
        ));
    }
    warnings.extend(robot.balls.iter().map(|name| {
        format!(
            "the body of {name} is a point in the robot's file, and motion shows more of it: it was taken as a ball of \
             aluminium to begin with"
        )
    }));
    if jumps(found.of_file().equations.model(), robot) {
        warnings.push(
            "friction jumps at rest, since its smoothing is 0: simulations let such joints stick, but refuse motors that several joints \
             turn, and laws that compensate it jump"
                .into(),
        );
    }
    warnings
}

/// Gains that the robot's file moves by more than what the data leave open.
fn of_gains(full: &Fitted) -> Option<String> {
    let (found, sigma) = (full.consistent.as_ref().ok()?, full.estimate.sigma());
    let model = full.equations.model();
    let moved =
        full.base.kept().iter().enumerate().filter(|&(_, &k)| model.columns()[k].is_gain()).filter_map(|(row, &k)| {
            let (free, sigma, consistent) = (full.free[row], sigma[row], found.values[k]);
            let is_moved = (consistent - free).abs() > GAIN_MOVED * sigma;
            is_moved
                .then(|| format!("{} from {} ± {} to {}", model.name(k), rough(free), rough(sigma), rough(consistent)))
        });
    let moved: Vec<String> = moved.collect();
    (!moved.is_empty()).then(|| {
        format!(
            "the robot's file, or what bodies can be, moves drive gains beyond what the data leave open: {}; trust the data's, let the file count less \
             (--trust), or look for what is wrong with the payload",
            moved.join(", ")
        )
    })
}

/// Whether a robot has Coulomb friction, or Stribeck's excess, without smoothing.
fn jumps(model: &Model, found: &Consistent) -> bool {
    let jumps = |column: &Column| {
        let (Column::Effect { effect, .. } | Column::Coupled { effect, .. }) = column else { return false };
        matches!(effect, Effect::Coulomb { smoothing: 0.0 } | Effect::Stribeck { smoothing: 0.0, .. })
    };
    model.columns().iter().zip(&found.values).any(|(column, value)| jumps(column) && *value != 0.0)
}

/// What to doubt about bodies beside those of the given robot.
fn of_bodies(robot: &Robot, options: &Options, found: &Identified) -> Vec<String> {
    let mut warnings = Vec::new();
    let model = found.of_file().equations.model();
    let before = model.values(robot);
    let trust = found.robot().map(|found| found.trust);
    let trust = trust.filter(|trust| options.estimator.trust.is_none() && *trust < 1.0);
    warnings.extend(trust.map(|trust| {
        let is_doubtful = found.robot().is_none_or(|robot| robot.fit.relative > NOTABLE_RESIDUAL);
        format!(
            "the data are far from the bodies of the given robot, as with a payload that it lacks{}: to fit them its file counts {} times \
             less than usual (--trust {trust})",
            if is_doubtful { ", or a sign or unit that is wrong" } else { "" },
            rough(1.0 / trust)
        )
    }));
    if let Some(ratio) = found.body_ratio.filter(|ratio| !is_within(*ratio, BODY_RATIO)) {
        warnings.push(format!(
            "the bodies that were found do {} times what those of the given robot do: check the unit of the efforts, and the \
             robot's file",
            rough(ratio)
        ));
    }
    let massless: Vec<String> = (0..before.len())
        .filter(|&k| matches!(model.columns()[k], Column::Inertial { parameter: Inertial::M, .. }))
        .filter(|&k| before[k..].iter().take(Inertial::ALL.len()).all(|&x| x == 0.0))
        .map(|k| model.name(k))
        .collect();
    if !massless.is_empty() {
        let names = massless.join(", ");
        warnings
            .push(format!("bodies without mass in the given robot stay without ({names}); give them a first guess"));
    }
    warnings
}

/// What to doubt about the estimate.
fn of_estimate(robot: &Robot, made: &Made<'_>, found: &Identified, reduced: &Observation) -> Vec<String> {
    let (full, mut warnings) = (&found.full, Vec::new());
    if full.estimate.condition > ILL_CONDITIONED {
        let legs = if may_share_legs(robot, &found.unknowns.model) {
            ", or let equal legs share their bodies (equal legs)"
        } else {
            ""
        };
        warnings.push(format!(
            "the condition number is {}: noise decides much; excite better (`appell excite`), ask for less{legs}",
            rough(full.estimate.condition)
        ));
    }
    let name = |k: usize| &made.fitted[k].source.name;
    let samples: Vec<usize> = made.fitted.iter().map(|own| own.equations.samples()).collect();
    for Outlier { recording, predicted, others, together } in outliers(reduced, &full.estimate, &samples) {
        let [others, predicted, together] = [others, predicted, together].map(|part| format!("{:.1} %", 100.0 * part));
        warnings.push(format!(
            "{} does not fit the other recordings, whose parameters have a residual of {others} on their own torques and of {predicted} on \
             its; all together {together}: look for another load, robot or layout",
            name(recording)
        ));
    }
    let stretches = made.stretches();
    // Beside greater faults a delay is no more than another way to explain some of them.
    let is_near = full.estimate.fit.relative < LARGE_RESIDUAL;
    let delays = if is_near { delays(reduced, &full.estimate, &stretches) } else { Vec::new() };
    for delay in delays {
        let again = other_looks(robot, made, found, &delay, (reduced, &stretches));
        let own = made.fitted.first().and_then(Recording::cut_off);
        warnings.extend(of_delay(&delay, &again, own, delay.recording.map(name)));
    }
    let sizes = full.base.sizes(&full.equations.model().sizes(robot));
    warnings.extend(in_words(&doubts(&full.estimate, reduced, &sizes)));
    warnings
}

/// What other equations show of a delay: where, in words, how long it is and its σ, s.
type Look = (String, [f64; 2]);

/// A delay in equations that are cut off at other frequencies, and in those alone whose joint moves fast.
fn other_looks(
    robot: &Robot,
    made: &Made<'_>,
    found: &Identified,
    delay: &Delay,
    (reduced, stretches): (&Observation, &[Stretch]),
) -> Vec<Look> {
    let own = found.filter.decimation;
    let at = |factor: usize| -> Option<Look> {
        let cut_off = Decimation::new(factor.max(2), made.fitted.first()?.rate).ok()?.cut_off()?;
        if factor < own && TAU * cut_off * delay.seconds.abs() > FIRST_ORDER {
            return None; // a delay would look shorter there, too
        }
        let (mut equations, mut stretches) = (None::<Observation>, Vec::new());
        for (k, recording) in made.fitted.iter().enumerate() {
            let (own, of_own) = recording.thinned_by(factor, k, robot, &found.unknowns)?;
            stretches.extend(of_own);
            equations = Some(equations.map_or_else(|| own.clone(), |all| all.followed_by(&own)));
        }
        let reduced = gains::linear(&found.full.base.reduce(&equations?), &found.full.estimate.values);
        let estimate = weighted::estimate(&reduced).ok()?;
        let seen = delay_again(&reduced, &estimate, &stretches, delay, |_| true)?;
        Some((format!("at {} Hz", rough(cut_off)), seen))
    };
    let factors = OTHER_CUT_OFFS.map(|part| (own as f64 * part).round() as usize);
    let mut looks: Vec<Look> =
        factors.into_iter().filter(|&factor| factor != own && factor > 0).filter_map(at).collect();
    let speeds: Vec<f64> = made.fitted.iter().flat_map(|recording| &recording.speeds).copied().collect();
    let fast = delay_again(reduced, &found.full.estimate, stretches, delay, |row| speeds[row] > FAST);
    looks.extend(fast.map(|seen| ("where joints move fast".into(), seen)));
    looks
}

/// What to say of efforts that look late: a delay where it is one, the same wherever one looks; friction with memory where some look shows that it is
/// another for sure; and nothing where σ is too large to tell.
fn of_delay(delay: &Delay, looks: &[Look], cut_off: Option<f64>, recording: Option<&String>) -> Option<String> {
    let Delay { joint, seconds, sigma, gain, .. } = delay;
    let whose = recording.map_or(String::new(), |name| format!("{name}: "));
    let of = joint.as_ref().map_or(String::new(), |joint| format!(" of {joint}"));
    let later =
        |seconds: f64| format!("{:.1} ms {}", 1e3 * seconds.abs(), if seconds > 0.0 { "later" } else { "earlier" });
    let is_other = |(_, [other, of_other]): &Look| {
        (other - seconds).abs() >= SAME_DELAY[0] * seconds.abs() + SAME_DELAY[1] * sigma.hypot(*of_other)
    };
    let is_shown = |(_, [other, of_other]): &Look| other.abs() > SAME_DELAY[1] * of_other;
    if seconds.abs() < MOST_DELAY && looks.iter().all(|look| is_shown(look) && !is_other(look)) {
        return Some(format!(
            "{whose}the torques and forces{of} look about {} than the positions, which is {:.0} % of the residual: look for a delay in the \
             recorder, or a filter on some columns, and give it as effort.delay of the layout",
            later(*seconds),
            100.0 * gain
        ));
    }
    let telling: Vec<&Look> = looks.iter().filter(|look| is_shown(look) || is_other(look)).collect();
    if !telling.iter().any(|look| is_other(look)) {
        return None;
    }
    let own = cut_off.map_or("as they are".into(), |own| format!("cut off at {} Hz", rough(own)));
    let others: Vec<String> = telling
        .iter()
        .map(|(place, [other, sigma])| format!("{:.1} ± {:.1} ms {place}", 1e3 * other, 1e3 * sigma))
        .collect();
    Some(format!(
        "{whose}the torques and forces{of} look {} than the positions in equations {own}, but {}: no delay, which would be the same everywhere; friction with memory \
         (presliding) looks so, and other forces that the model lacks",
        later(*seconds),
        others.join(", ")
    ))
}

/// Doubts about parameters: wrong signs each, what is hardly excited or collinear together.
fn in_words(doubts: &[Doubt]) -> Vec<String> {
    let (mut words, mut hardly, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for doubt in doubts {
        match doubt {
            Doubt::WrongSign { name, value, sigma } => words.push(format!(
                "{name} = {} ± {} has the wrong sign: the model misses something",
                rough(*value),
                rough(*sigma)
            )),
            Doubt::NotExcited { name, sigma, size } => {
                hardly.push(format!("{name} (σ {}, size {})", rough(*sigma), rough(*size)));
            }
            Doubt::Collinear { first, second, correlation } => pairs.push((first, second, *correlation)),
        }
    }
    pairs.sort_by(|one, other| other.2.abs().total_cmp(&one.2.abs()));
    let pairs = pairs.iter().map(|(first, second, correlation)| format!("{first} and {second} ({correlation:.3})"));
    let pairs: Vec<String> = pairs.collect();
    let listed = |all: &[String], most: usize, rest: &str| {
        let more = all.len().saturating_sub(most);
        let more = if more > 0 { format!(", and {more} more {rest}") } else { String::new() };
        all[..all.len() - all.len().saturating_sub(most)].join(", ") + &more
    };
    if !hardly.is_empty() {
        let names = listed(&hardly, MOST_NAMES, "in parameters.csv");
        words.push(format!("hardly excited, with σ beyond half of their size: {names}"));
    }
    if !pairs.is_empty() {
        let names = listed(&pairs, MOST_PAIRS, "pairs in correlation.csv");
        words.push(format!("collinear, so that only a combination of two shows: {names}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A delay is the same at all cut-offs; what falls is friction with memory; of what σ hides nothing is said.
    #[test]
    fn delays_are_told_where_they_are_sure() {
        let told = |milliseconds: f64, looks: &[(f64, f64)]| {
            let seconds = 1e-3 * milliseconds;
            let delay = Delay { recording: None, joint: Some("arm".into()), seconds, sigma: 0.05 * seconds, gain: 0.3 };
            let look = |&(other, sigma): &(f64, f64)| (String::from("elsewhere"), [1e-3 * other, 1e-3 * sigma]);
            of_delay(&delay, &looks.iter().map(look).collect::<Vec<_>>(), Some(10.0), None)
        };
        assert!(told(20.0, &[(21.0, 2.0), (19.0, 0.5)]).unwrap().contains("look for a delay"));
        let falls = told(45.0, &[(33.0, 1.0), (21.0, 1.0), (-3.0, 40.0)]).unwrap();
        assert!(falls.contains("memory") && falls.contains("33.0 ± 1.0 ms"), "{falls}");
        assert!(!falls.contains("40.0"), "σ larger than its value tells nothing: {falls}");
        assert_eq!(told(20.0, &[(19.0, 2.0), (-25.0, 31.0)]), None);
        // As of joint 4 of the LWR4+.
        assert_eq!(told(114.3, &[(127.6, 26.3), (-142.7, 176.7)]), None);
    }
}
