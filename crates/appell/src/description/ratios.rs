//! The matrix of a transmission: what motors turn when joints do, and what joints get when motors pull.

use crate::linear::Elimination;

/// N of θ = N q, a row per motor and a column per joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratios {
    motors: usize,
    joints: usize,
    entries: Vec<f64>, // row by row
}

/// Entries that are smaller, over the largest of their row and column, count as none: they are rounding of what was printed.
const NO_RATIO: f64 = 1e-10;

impl Ratios {
    /// From its rows; none if it has not a row per motor and a number per joint.
    #[must_use]
    pub fn new(motors: usize, joints: usize, rows: &[Vec<f64>]) -> Option<Self> {
        let fits = rows.len() == motors && rows.iter().all(|row| row.len() == joints);
        fits.then(|| Self { motors, joints, entries: rows.concat() })
    }

    /// One motor that is the joint.
    #[must_use]
    pub fn direct() -> Self {
        Self { motors: 1, joints: 1, entries: vec![1.0] }
    }

    /// How many motors there are.
    #[must_use]
    pub fn motors(&self) -> usize {
        self.motors
    }

    /// How many joints there are.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// Whether there are as many motors as joints.
    #[must_use]
    pub fn is_square(&self) -> bool {
        self.motors == self.joints
    }

    /// Turns of a motor per turn of a joint.
    #[inline(always)]
    #[must_use]
    pub fn entry(&self, motor: usize, joint: usize) -> f64 {
        self.entries[motor * self.joints + joint]
    }

    /// The motors whose rows, or the joints whose columns, are combinations of the others, if there are any: of the kind that
    /// there are no more of than of the other.
    #[must_use]
    pub fn dependent(&self) -> (Vec<usize>, Vec<usize>) {
        let (m, n) = (self.motors, self.joints);
        let mut scaled = self.entries.clone();
        for row in scaled.chunks_exact_mut(n.max(1)) {
            let largest = row.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
            row.iter_mut().for_each(|x| *x /= if largest > 0.0 { largest } else { 1.0 });
        }
        for joint in 0..n {
            let largest = (0..m).fold(0.0, |largest: f64, k| largest.max(scaled[k * n + joint].abs()));
            (0..m).for_each(|k| scaled[k * n + joint] /= if largest > 0.0 { largest } else { 1.0 });
        }
        let mut elimination = Elimination::new(m, n, 0.0);
        elimination.entries().copy_from_slice(&scaled);
        elimination.eliminate_up_to(n, NO_RATIO);
        let pivots = elimination.pivots();
        let motors = (0..m).filter(|motor| m <= n && !pivots.iter().any(|(row, _)| row == motor)).collect();
        let joints = (0..n).filter(|joint| n < m && !pivots.iter().any(|(_, column)| column == joint)).collect();
        (motors, joints)
    }

    /// The torques of the motors of least squares that give torques of the joints, as a matrix of N's shape: N⁻ᵀ of a square N. None
    /// if there are fewer motors than joints.
    ///
    /// Of all f with Nᵀ f = τ the shortest is f = N λ: one elimination of both gives it.
    #[must_use]
    pub fn torques(&self) -> Option<Self> {
        let (m, n) = (self.motors, self.joints);
        if m < n {
            return None;
        }
        let columns = m + 2 * n;
        let mut equations = Elimination::new(m + n, columns, 0.0);
        let entries = equations.entries();
        for motor in 0..m {
            entries[motor * columns + motor] = 1.0;
            for joint in 0..n {
                entries[motor * columns + m + joint] = -self.entry(motor, joint);
                entries[(m + joint) * columns + motor] = self.entry(motor, joint);
            }
        }
        for joint in 0..n {
            entries[(m + joint) * columns + m + n + joint] = 1.0;
        }
        equations.eliminate_up_to(m + n, 0.0);
        let mut torques = vec![0.0; m * n];
        for &(row, motor) in equations.pivots().iter().filter(|(_, unknown)| *unknown < m) {
            for joint in 0..n {
                torques[motor * n + joint] = equations.entry(row, m + n + joint);
            }
        }
        Some(Self { entries: torques, ..*self })
    }

    /// Tensions of all tendons that move no joint, the largest 1, if there is one tendon more than joints and all pull.
    #[must_use]
    pub fn pretension(&self) -> Option<Vec<f64>> {
        let (m, n) = (self.motors, self.joints);
        if m != n + 1 {
            return None;
        }
        let mut equations = Elimination::new(n, m, 0.0);
        (0..n * m).for_each(|k| equations.entries()[k] = self.entry(k % m, k / m));
        equations.eliminate_up_to(m, 0.0);
        let free = (0..m).find(|tendon| !equations.pivots().iter().any(|(_, unknown)| unknown == tendon))?;
        let mut pull = vec![1.0; m];
        equations.pivots().iter().for_each(|&(row, tendon)| pull[tendon] = -equations.entry(row, free));
        let largest = pull.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        pull.iter_mut().for_each(|x| *x /= largest);
        pull.iter().all(|x| *x > NO_RATIO).then_some(pull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(rows: &[&[f64]]) -> Ratios {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        Ratios::new(rows.len(), rows[0].len(), &rows).unwrap()
    }

    #[test]
    fn a_differential_is_inverted() {
        let wrist = ratios(&[&[50.0, 50.0], &[50.0, -50.0]]);
        assert_eq!(wrist.dependent(), (vec![], vec![]));
        assert_eq!(wrist.torques().unwrap().entries, [0.01, 0.01, 0.01, -0.01]);
        assert_eq!(wrist.pretension(), None);
    }

    #[test]
    fn dependent_rows_and_columns_are_found() {
        assert_eq!(ratios(&[&[50.0, 50.0], &[100.0, 100.0]]).dependent().0.len(), 1);
        assert_eq!(ratios(&[&[1.0, 2.0], &[0.0, 0.0]]).dependent(), (vec![1], vec![]));
        assert_eq!(ratios(&[&[1.0, 2.0], &[2.0, 4.0], &[3.0, 6.0]]).dependent().1.len(), 1);
        assert_eq!(ratios(&[&[1.0, 2.0, 3.0]]).dependent(), (vec![], vec![]));
        // Units do not matter: a slide's ratios are large.
        assert_eq!(ratios(&[&[1e-3, 2e9], &[1e-3, -1e9]]).dependent(), (vec![], vec![]));
    }

    #[test]
    fn tendons_pull_against_each_other() {
        let tendons = ratios(&[&[0.01, 0.0], &[-0.01, 0.01], &[0.0, -0.01]]);
        assert_eq!(tendons.pretension().unwrap(), [1.0, 1.0, 1.0]);
        let shares = tendons.torques().unwrap();
        for joint in 0..2 {
            for other in 0..2 {
                let sum: f64 = (0..3).map(|k| tendons.entry(k, other) * shares.entry(k, joint)).sum();
                assert!((sum - if joint == other { 1.0 } else { 0.0 }).abs() < 1e-12, "Nᵀ f = τ");
            }
            let sum: f64 = (0..3).map(|k| shares.entry(k, joint)).sum();
            assert!(sum.abs() < 1e-10, "nothing is pulled in vain: {sum}");
        }
        assert_eq!(ratios(&[&[0.01], &[0.01]]).pretension(), None, "both pull the same way");
    }
}
