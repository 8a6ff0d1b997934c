//! One table or figure of a paper, reproduced.

use serde_json::Value;

/// A paper with what we reproduce of it.
pub(super) struct Paper {
    /// Its number in our library; of a measurement, the robot.
    pub(super) number: &'static str,
    /// Authors, title, place.
    pub(super) citation: &'static str,
    /// What our copy of it lacks, and how we read it.
    pub(super) remark: &'static str,
    /// Its tables and figures.
    pub(super) sections: Vec<Section>,
    /// Misprints that concern these tables: where, and what is right. Where a section lists them, none.
    pub(super) errata: &'static [(&'static str, &'static str)],
}

impl Paper {
    /// Whether it is a paper; else it is a measurement.
    pub(super) fn is_printed(&self) -> bool {
        self.number.chars().all(|letter| letter.is_ascii_digit())
    }

    /// What stands above it.
    pub(super) fn heading(&self) -> String {
        if self.is_printed() { format!("Paper {}", self.number) } else { format!("Measured: {}", self.number) }
    }
}

/// A table or figure.
pub(super) struct Section {
    /// Its name in the paper, `table 1`.
    pub(super) name: &'static str,
    /// What it is about.
    pub(super) title: &'static str,
    /// How ours compares.
    pub(super) verdict: Verdict,
    /// The same in one line.
    pub(super) headline: String,
    /// The comparison, as HTML.
    pub(super) body: String,
    /// The plots.
    pub(super) figures: Vec<Figure>,
    /// Why it is so, one text a paragraph.
    pub(super) reasons: Vec<String>,
    /// The comparison, for machines.
    pub(super) data: Value,
}

/// A plot.
pub(super) struct Figure {
    /// The file it goes to.
    pub(super) file: &'static str,
    /// What it shows.
    pub(super) caption: &'static str,
    pub(super) svg: String,
}

/// How ours compares with what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// What the paper says of its own method holds to the last digit.
    Matches,
    /// It does not, and we know why.
    Differs,
    /// There is nothing printed to compare with.
    Redrawn,
    /// It was not computed: data are needed that are not part of appell.
    NeedsData,
    /// Something is not as we claim.
    Fails,
}

impl Verdict {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::Differs => "differs",
            Self::Redrawn => "redrawn",
            Self::NeedsData => "needs data",
            Self::Fails => "FAILS",
        }
    }
}
