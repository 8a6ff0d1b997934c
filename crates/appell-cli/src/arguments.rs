//! Values of options: numbers, names of a list, one value per joint.

use anyhow::{bail, ensure};
use appell::question::Question;
use appell::spatial::EulerAngles;
use appell_drawing::listing::{counted, list};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Beyond this a coordinate is given to 1e-7 rad or m at best, and sooner or later an angle to whole turns.
pub(crate) const LARGEST_COORDINATE: f64 = 1e9;

/// Reads a finite number of some kind; else `expected` is the message.
pub(crate) fn number_that(text: &str, holds: impl Fn(f64) -> bool, expected: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|&x: &f64| x.is_finite() && holds(x));
    number.ok_or_else(|| expected.into())
}

pub(crate) fn number(text: &str) -> Result<f64, String> {
    number_that(text, |_| true, "expected a finite number")
}

/// A number that a coordinate can have.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    let number = number_that(text, |_| true, "a coordinate is a number, in rad or m")?;
    let is_near = number.abs() <= LARGEST_COORDINATE;
    is_near.then_some(number).ok_or_else(|| format!("a coordinate is at most {LARGEST_COORDINATE:e}, in rad or m"))
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number_that(text, |x| x > 0.0, "expected a positive number")
}

/// A time, s.
pub(crate) fn time(text: &str) -> Result<f64, String> {
    number_that(text, |x| x > 0.0, "a time must be positive, in s")
}

pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    number_that(text, |x| x >= 0.0, "expected zero or a positive number")
}

/// Reads one of several things by its name; clap lists the names where it is another.
pub(crate) fn choice<N: Into<PossibleValue>, T: Clone + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (N, T)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<(PossibleValue, T)> = choices.into_iter().map(|(name, thing)| (name.into(), thing)).collect();
    let names: Vec<PossibleValue> = choices.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).map(move |name| {
        let chosen = choices.iter().find(|(known, _)| known.matches(&name, false));
        chosen.expect("clap lets only these names pass").1.clone()
    })
}

pub(crate) fn question() -> impl TypedValueParser<Value = Question> {
    choice(Question::ALL.map(|question| (question.name(), question)))
}

pub(crate) fn angles() -> impl TypedValueParser<Value = EulerAngles> {
    choice(EulerAngles::ALL.map(|angles| (angles.name(), angles)))
}

/// Refuses an option that does not give one value per thing, which have these names.
pub(crate) fn expect_each(option: &str, numbers: &[f64], thing: &str, names: &[impl AsRef<str>]) -> anyhow::Result<()> {
    ensure!(
        numbers.len() == names.len(),
        "{option} gives {}, but the robot has {}: {}",
        counted(numbers.len(), "number"),
        counted(names.len(), thing),
        list(names)
    );
    Ok(())
}

/// One value per drive, from one for all or one each; none if there are none.
pub(crate) fn one_each(option: &str, numbers: &[f64], drives: usize) -> anyhow::Result<Vec<f64>> {
    Ok(match *numbers {
        [] => Vec::new(),
        [one] => vec![one; drives],
        _ if numbers.len() == drives => numbers.to_vec(),
        _ => bail!("{option} gives {} numbers; expected one, or {drives}, one per drive", numbers.len()),
    })
}
