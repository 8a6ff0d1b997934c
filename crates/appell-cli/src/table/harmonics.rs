//! Tables of Fourier coefficients: one row per harmonic, a sine and a cosine per joint.

use super::header::Vocabulary;
use super::reader::Reader;
use anyhow::ensure;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What a column gives: the sine or the cosine of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Coefficient {
    joint: usize,
    part: usize,
}

/// Reads `[sine, cosine]`, harmonic by harmonic for each joint; `-` is stdin.
pub(crate) fn harmonics(path: &Path, joints: usize) -> anyhow::Result<Vec<Vec<[f64; 2]>>> {
    let mut reader = Reader::open(path, |_| vocabulary(joints))?;
    let mut terms = vec![Vec::new(); joints];
    let mut row = vec![[0.0; 2]; joints];
    while reader.next_row(|Coefficient { joint, part }, value| row[joint][part] = value)? {
        terms.iter_mut().zip(&row).for_each(|(terms, term)| terms.push(*term));
    }
    ensure!(reader.rows() > 0, "{}: there is a header and no row; give one row per harmonic", reader.name());
    Ok(terms)
}

fn vocabulary(joints: usize) -> Vocabulary<Coefficient> {
    let parts = ["sin", "cos"].into_iter().enumerate();
    let all = parts.flat_map(|(part, name)| (0..joints).map(move |joint| (name, Coefficient { joint, part })));
    let known: HashMap<String, Coefficient> =
        all.map(|(name, quantity)| (format!("{name}{}", quantity.joint + 1), quantity)).collect();
    let optional = known.values().copied().collect();
    let hint =
        format!("a table of Fourier coefficients has sin1…sin{joints} and cos1…cos{joints}; those left out are zero");
    Vocabulary { known, needed: Vec::new(), optional, angles: HashSet::new(), hint }
}
