//! One table or figure of a paper, reproduced.

use serde_json::Value;

/// A paper with what we reproduce of it.
pub struct Paper {
    /// Its number in our library; of anything else what it is called.
    pub number: &'static str,
    /// Where what it compares with comes from.
    pub origin: Origin,
    /// Authors, title, place.
    pub citation: &'static str,
    /// What our copy of it lacks, and how we read it.
    pub remark: &'static str,
    /// Its tables and figures.
    pub sections: Vec<Section>,
    /// Misprints that concern these tables: where, and what is right. Where a section lists them, none.
    pub errata: &'static [(&'static str, &'static str)],
}

impl Paper {
    /// What stands above it.
    pub fn heading(&self) -> String {
        match self.origin {
            Origin::Printed => format!("Paper {}", self.number),
            Origin::Measured => format!("Measured: {}", self.number),
            Origin::Simulated => "A demonstration".into(),
        }
    }
}

/// Where what a study compares with comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A paper.
    Printed,
    /// A recording of others.
    Measured,
    /// A robot of our own, whose parameters are known.
    Simulated,
}

/// A table or figure.
pub struct Section {
    /// Its name in the paper, `table 1`.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// How ours compares.
    pub verdict: Verdict,
    /// The same in one line.
    pub headline: String,
    /// The comparison, as HTML.
    pub body: String,
    /// The plots.
    pub figures: Vec<Figure>,
    /// Why it is so, one text per paragraph.
    pub reasons: Vec<String>,
    /// The comparison, for machines.
    pub data: Value,
}

impl Section {
    /// One without anything but a verdict and what we find.
    pub(super) fn new(name: &'static str, title: &'static str, verdict: Verdict, headline: String) -> Self {
        let (body, figures, reasons, data) = Default::default();
        Self { name, title, verdict, headline, body, figures, reasons, data }
    }
}

/// Paragraphs.
pub(super) fn paragraphs<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(String::from).into()
}

/// A plot.
pub struct Figure {
    /// The file it goes to.
    pub file: &'static str,
    /// What it shows.
    pub caption: &'static str,
    /// The drawing.
    pub svg: String,
}

/// How ours compares with what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
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
    /// In a word or two, as the report prints it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::Differs => "differs",
            Self::Redrawn => "redrawn",
            Self::NeedsData => "needs data",
            Self::Fails => "FAILS",
        }
    }
}
