//! Whether a robot passes Type 2 between two configurations that are near to each other.
//!
//! With the drives held, what is left moves where A_p, the columns of A of all that is not driven, loses rank: at Type 2. Several
//! assemblies meet there.
//!
//! ```text
//! det(A_pᵀ(x) A_p(y))                          the sign that it has of x = y unless Type 2 is between
//! det(A_pᵀ A_p)(y) / det(A_pᵀ A_p)(x)          near zero, or far above one, where one of them is near it
//! ```
//!
//! Where A_p is square, the first is the product of its determinants. Rows that repeat others do no harm.

use super::super::ClosedMechanism;
use super::super::constraints::Constraints;
use crate::linear::determinant;

/// By how much the measure of A_p may change between neighbours. Over two steps in line that each change it by less, no simple zero is
/// hidden: on one side or the other of it a step as long would change it by more.
const CHANGE: f64 = 2.0;

/// A_p in places on the way, and memory.
#[derive(Debug, Clone)]
pub(super) struct Type2 {
    columns: Vec<(usize, f64)>, // what is not driven, and its scale; empty where the drives do not determine the robot
    places: [Place; 3],
    matrix: Vec<f64>,  // A
    product: Vec<f64>, // A_pᵀ A_p of two places
}

#[derive(Debug, Clone)]
struct Place {
    passive: Vec<f64>, // A_p without units, row by row
    square: f64,       // det A_pᵀ A_p
}

impl Type2 {
    pub(super) fn new(robot: &ClosedMechanism) -> Self {
        let is_determined = robot.driven.len() >= robot.freedoms.len();
        let passive = (0..robot.velocities()).filter(|k| is_determined && !robot.driven.contains(k));
        let columns: Vec<(usize, f64)> = passive.map(|k| (k, 1.0 / robot.length_scale(k))).collect();
        let n = columns.len();
        let place = Place { passive: vec![0.0; robot.rows * n], square: 0.0 };
        Self {
            columns,
            places: [place.clone(), place.clone(), place],
            matrix: vec![0.0; robot.rows * robot.velocities()],
            product: vec![0.0; n * n],
        }
    }

    /// Keeps a place by a number: 0, 1 or 2.
    pub(super) fn keep(&mut self, robot: &ClosedMechanism, placed: &Constraints<f64>, number: usize) {
        placed.matrix(robot, &mut self.matrix);
        let n = self.columns.len();
        let rows = self.matrix.chunks_exact(robot.velocities());
        for (row, passive) in rows.zip(self.places[number].passive.chunks_exact_mut(n.max(1))) {
            for (entry, &(k, scale)) in passive.iter_mut().zip(&self.columns) {
                *entry = row[k] * scale;
            }
        }
        self.places[number].square = self.between(number, number);
    }

    /// Puts one place for another.
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.places.swap(one, other);
    }

    /// Whether no singularity of Type 2 is seen between two places.
    pub(super) fn is_clear(&mut self, one: usize, other: usize) -> bool {
        let change = (self.places[other].square / self.places[one].square).sqrt();
        (CHANGE.recip()..CHANGE).contains(&change) && self.between(one, other) > 0.0
    }

    /// det A_pᵀ(one) A_p(other).
    fn between(&mut self, one: usize, other: usize) -> f64 {
        let n = self.columns.len();
        self.product.fill(0.0);
        let rows = |place: usize| self.places[place].passive.chunks_exact(n.max(1));
        for (one, other) in rows(one).zip(rows(other)) {
            for (row, &factor) in self.product.chunks_exact_mut(n.max(1)).zip(one).filter(|(_, factor)| **factor != 0.0)
            {
                row.iter_mut().zip(other).for_each(|(entry, x)| *entry += factor * x);
            }
        }
        determinant(&mut self.product, n)
    }
}
