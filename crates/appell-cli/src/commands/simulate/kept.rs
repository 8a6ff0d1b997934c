//! The rows of a motion that its plots show: all of a short one, ever fewer of a long one.

/// As many rows at most.
const MOST: usize = 8000;

/// Some of the rows of a table, at equal distances.
pub(super) struct Kept {
    pub(super) times: Vec<f64>,
    pub(super) columns: Vec<Vec<f64>>,
    /// The largest number of each column over all rows, without its sign.
    pub(super) peaks: Vec<f64>,
    every: usize,
    seen: usize,
}

impl Kept {
    pub(super) fn new(columns: usize) -> Self {
        Self { times: Vec::new(), columns: vec![Vec::new(); columns], peaks: vec![0.0; columns], every: 1, seen: 0 }
    }

    /// Takes a row, or not.
    pub(super) fn push(&mut self, t: f64, row: &[f64]) {
        self.peaks.iter_mut().zip(row).for_each(|(peak, number)| *peak = peak.max(number.abs()));
        if self.seen.is_multiple_of(self.every) {
            self.times.push(t);
            self.columns.iter_mut().zip(row).for_each(|(column, number)| column.push(*number));
        }
        self.seen += 1;
        if self.times.len() >= MOST {
            self.every *= 2;
            halve(&mut self.times);
            self.columns.iter_mut().for_each(halve);
        }
    }

    /// How many rows there were.
    pub(super) fn rows(&self) -> usize {
        self.seen
    }
}

/// Keeps the first of every two.
fn halve(numbers: &mut Vec<f64>) {
    let mut k = 0;
    numbers.retain(|_| {
        k += 1;
        k % 2 == 1
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tables_are_thinned_evenly() {
        let mut kept = Kept::new(1);
        (0..=50_000).for_each(|k| kept.push(f64::from(k), &[2.0 * f64::from(k)]));
        kept.push(50_001.0, &[-1e9]); // between the rows that are kept
        assert_eq!((kept.rows(), kept.peaks[0]), (50_002, 1e9));
        assert!((MOST / 2..MOST).contains(&kept.times.len()));
        assert!(kept.times.windows(2).all(|pair| pair[1] - pair[0] == 8.0), "{:?}", &kept.times[..5]);
        assert!(kept.times.iter().zip(&kept.columns[0]).all(|(t, x)| *x == 2.0 * t));
    }
}
