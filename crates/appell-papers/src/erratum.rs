//! A misprint of a paper with numbers: how wrong the printed form is, and how right the corrected one.

use super::study::Comparison;

/// Something in a paper that is not right as printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Erratum {
    /// Where, such as `eq. 44`.
    pub place: &'static str,
    /// What is printed there.
    pub printed: &'static str,
    /// What is right.
    pub right: &'static str,
    /// What both do, where that can be measured.
    pub evidence: Vec<Evidence>,
}

/// Printed and corrected form beside a reference that uses neither.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// What is measured, and the reference.
    pub what: &'static str,
    /// The largest error of the printed form; none where it is incomplete rather than wrong.
    pub error_as_printed: Option<f64>,
    /// The largest error of the corrected form.
    pub residual: f64,
    /// The largest entry of the reference.
    pub scale: f64,
    /// Of all three; empty for a pure number.
    pub unit: &'static str,
}

/// The largest residual of a corrected form over the scale.
const HOLDS: f64 = 1e-11;

/// The least error of a printed form over the scale that we speak of.
const SHOWS: f64 = 1e-4;

impl Erratum {
    /// One with numbers, or without where it is a slip in words or signs.
    pub(super) fn new<const N: usize>(
        place: &'static str,
        printed: &'static str,
        right: &'static str,
        evidence: [Evidence; N],
    ) -> Self {
        Self { place, printed, right, evidence: evidence.into() }
    }
}

impl Evidence {
    /// A form that is incomplete as printed rather than wrong: completed, beside the reference.
    pub(super) fn of_completed(what: &'static str, unit: &'static str, completed: Comparison) -> Self {
        let Comparison { difference, scale } = completed;
        Self { what, error_as_printed: None, residual: difference, scale, unit }
    }

    /// Whether the corrected form is right, and the printed one is clearly not: its error must be a number.
    #[must_use]
    pub fn holds(&self) -> bool {
        let shows = |error: f64| error.is_finite() && error >= SHOWS * self.scale;
        self.residual <= HOLDS * self.scale && self.error_as_printed.is_none_or(shows)
    }
}

/// A printed form and the corrected one, gathered beside the same reference.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pair {
    pub(super) printed: Comparison,
    pub(super) corrected: Comparison,
}

impl Pair {
    /// Both at one state.
    pub(super) fn see(&mut self, printed: &[f64], corrected: &[f64], reference: &[f64]) {
        self.printed.see(printed, reference);
        self.corrected.see(corrected, reference);
    }

    pub(super) fn evidence(self, what: &'static str, unit: &'static str) -> Evidence {
        let Comparison { difference, scale } = self.corrected;
        Evidence { what, error_as_printed: Some(self.printed.difference), residual: difference, scale, unit }
    }
}
