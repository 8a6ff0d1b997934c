//! Distances to the singularities of each type, from A without units.

use crate::closed::actuation::{Actuation, Rows, is_regular};
use crate::closed::constraints::Constraints;
use crate::closed::{ClosedMechanism, Configuration};
use crate::linear::{Householder, Jacobi, determinant as determinant_of};

/// What counts as how large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// The way that weighs as much as a turn by 1 rad, m. With 1 all is measured in m and rad.
    pub length: f64,
    /// A singular value below this, over the largest, counts as zero.
    pub tolerance: f64,
}

/// How near a matrix is to being singular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// Its least singular value, without units.
    pub least: f64,
    /// The least over the largest, in 0 to 1: the inverse of the condition number.
    pub inverse_condition: f64,
}

/// Measures of a closed mechanism at a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures<'w> {
    /// Type 1, leg by leg: the Jacobians J_i. Empty where the robot is not of legs and a platform.
    pub legs: &'w [Nearness],
    /// Type 1 of all together: how much of its motions the platform shares. None without a platform.
    pub platform: Option<Nearness>,
    /// Type 2: how independent the wrenches are with which the drives hold the platform, each of the norm 1 and on the
    /// independent velocities. Where the robot is not of legs and a platform, or the wrenches are not known,
    /// how much of its motions the drives control.
    pub drives: Nearness,
    /// Type 2 as the dynamics meets it: J_inv. None where it is infinite, at Type 1, or not known.
    pub inverse_jacobian: Option<InverseJacobian<'w>>,
    /// The constraints, of as many as are independent at home.
    pub constraints: Nearness,
    /// How many degrees of freedom the robot has here, by the tolerance: more than at home at a constraint singularity.
    pub freedoms: usize,
}

/// J_inv, which gives the rates of the drives from the independent velocities, q̇_a = J_inv r.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InverseJacobian<'w> {
    /// Row by row in m and rad: a row per drive, a column per degree of freedom.
    pub matrix: &'w [f64],
    /// Singular values without units, descending, one per degree of freedom.
    pub singular_values: &'w [f64],
    /// Least over largest of them.
    pub inverse_condition: f64,
    /// The same of the matrix in m and rad, whatever that means.
    pub raw_inverse_condition: f64,
    /// Of the matrix in m and rad, where there are as many drives as degrees of freedom. It changes its sign across
    /// Type 2, and by way of infinity across Type 1.
    pub determinant: Option<f64>,
}

/// Memory of the measures.
#[derive(Debug, Clone)]
pub struct Workspace {
    constraints: Constraints<f64>,   // where everything is
    matrix: Vec<f64>,                // A without units, row by row
    transposed: Vec<f64>,            // Aᵀ without units
    pub(super) units: Vec<f64>,      // of u: m/s or rad/s a unit
    motions: Jacobi,                 // of Aᵀ; its last left vectors are N
    part: Vec<f64>,                  // some rows of N, or of J_inv, transposed
    pub(super) actuation: Actuation, // of the legs
    legs: Vec<Nearness>,
    of_platform: Jacobi,
    pub(super) of_drives: Jacobi,
    freedoms: Householder<f64>, // N_rᵀ: the independent velocities' rows of N
    column: Vec<f64>,
    j_inv: Vec<f64>, // in m and rad
    of_j_inv: Jacobi,
    raw: Jacobi,
}

impl Metric {
    /// With the robot's own characteristic length, and 10⁻⁹ as tolerance.
    #[must_use]
    pub fn of(robot: &ClosedMechanism) -> Self {
        Self { length: robot.length(), tolerance: 1e-9 }
    }
}

impl Nearness {
    /// Of singular values that descend; of none, as far as can be.
    fn of(values: &[f64]) -> Self {
        Self::over(values, if values.len() == 1 { 1.0 } else { 0.0 })
    }

    /// Of the same, where the largest should be `whole`: one alone compares with nothing else.
    fn over(values: &[f64], whole: f64) -> Self {
        let (Some(&largest), Some(&least)) = (values.first(), values.last()) else {
            return Self { least: 1.0, inverse_condition: 1.0 };
        };
        let whole = largest.max(whole);
        if whole > 0.0 && least >= 0.0 {
            Self { least, inverse_condition: least / whole }
        } else {
            Self { least: 0.0, inverse_condition: 0.0 }
        }
    }
}

impl Measures<'_> {
    /// The leg nearest to Type 1, as an index of [`ClosedMechanism::legs`].
    #[must_use]
    pub fn nearest_leg(&self) -> Option<usize> {
        let condition = |k: &usize| self.legs[*k].inverse_condition;
        (0..self.legs.len()).min_by(|a, b| condition(a).total_cmp(&condition(b)))
    }

    /// Distance to Type 1: that of the nearest leg, of the platform where there are no legs, and 1 where there is no
    /// platform.
    #[must_use]
    pub fn type1(&self) -> f64 {
        let of_leg = self.nearest_leg().map(|k| self.legs[k]);
        of_leg.or(self.platform).map_or(1.0, |nearness| nearness.inverse_condition)
    }

    /// Distance to Type 2, which Type 1 does not disturb.
    #[must_use]
    pub fn type2(&self) -> f64 {
        self.drives.inverse_condition
    }
}

impl Workspace {
    /// A workspace for this robot.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        let (width, rows, n) = (robot.velocities(), robot.rows(), robot.freedoms().len());
        let drives = robot.driven().len().max(1);
        Self {
            constraints: Constraints::with_scalar(robot, 0.0),
            matrix: vec![0.0; rows * width],
            transposed: vec![0.0; rows * width],
            units: vec![1.0; width],
            motions: Jacobi::new(width, rows),
            part: Vec::with_capacity(width * width),
            actuation: Actuation::new(robot),
            legs: vec![Nearness::of(&[]); robot.legs().len()],
            of_platform: Jacobi::new(n, 6),
            of_drives: Jacobi::new(n, drives),
            freedoms: Householder::new(n, n, 0.0),
            column: vec![0.0; n],
            j_inv: vec![0.0; robot.driven().len() * n],
            of_j_inv: Jacobi::new(n, drives),
            raw: Jacobi::new(n, drives),
        }
    }

    /// A at a configuration, without units, row by row.
    pub(in crate::closed) fn linearise(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration,
        metric: &Metric,
    ) -> &[f64] {
        robot.expect(at, &[]);
        self.constraints.place(robot, at);
        self.constraints.matrix(robot, &mut self.matrix);
        let (rows, width) = (robot.rows(), robot.velocities());
        for (k, unit) in self.units.iter_mut().enumerate() {
            *unit = robot.gearing(k) * if robot.turns(k) { 1.0 } else { metric.length };
        }
        // Angular rows come as lengths already, in the robot's own, and so do couplings of what turns.
        let length_of = |is_linear: bool| if is_linear { metric.length } else { robot.length() };
        let closures = robot.closures().iter().flat_map(|closure| {
            let linear = closure.constraint.rows().linear.len();
            (0..closure.rows()).map(move |i| (closure.row + i, length_of(i < linear)))
        });
        let couplings = robot.couplings().iter();
        let couplings = couplings.map(|coupling| (coupling.row, length_of(!robot.turns(coupling.follower()))));
        for (row, length) in closures.chain(couplings) {
            for (k, unit) in self.units.iter().enumerate() {
                let entry = self.matrix[row * width + k] * unit / length;
                self.matrix[row * width + k] = entry;
                self.transposed[k * rows + row] = entry;
            }
        }
        &self.matrix
    }

    /// Finds the motions that the closures allow, and how many they are: at least as many as at home.
    fn decompose(&mut self, robot: &ClosedMechanism, metric: &Metric) -> usize {
        self.motions.decompose(&self.transposed);
        let (values, n) = (self.motions.values(), robot.freedoms().len());
        let moving = values.iter().filter(|&&value| value > metric.tolerance * values[0]).count();
        (values.len() - moving).max(n)
    }

    /// Entry k of motion i of `count`, without units.
    #[inline(always)]
    pub(super) fn motion(&self, i: usize, count: usize, k: usize) -> f64 {
        self.motions.left(self.units.len() - count + i)[k]
    }

    /// Fills `part` with the rows `of` of N, transposed: a row a motion. No rows at all count as one of zeros.
    fn take(&mut self, count: usize, of: impl ExactSizeIterator<Item = usize> + Clone) {
        let mut part = core::mem::take(&mut self.part);
        part.clear();
        for i in 0..count {
            part.extend(of.clone().map(|k| self.motion(i, count, k)));
            if of.len() == 0 {
                part.push(0.0);
            }
        }
        self.part = part;
    }

    /// Decomposes the rates of the drives: by the independent velocities where the rows of J_inv are known, else by all
    /// motions; how many these are.
    pub(super) fn decompose_drives(&mut self, robot: &ClosedMechanism, metric: &Metric) -> (Rows, usize) {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        let rows = match robot.legs() {
            [] => Rows::Unknown,
            _ => self.actuation.find(robot, &self.matrix, metric.tolerance),
        };
        let count = if rows == Rows::Unknown {
            let count = self.decompose(robot, metric);
            self.take(count, robot.driven().iter().copied());
            count
        } else {
            self.part.clear();
            for c in 0..n {
                let rows = self.actuation.rows().chunks_exact(n).zip(self.actuation.norms());
                self.part.extend(rows.map(|(row, &norm)| if norm > 0.0 { row[c] / norm } else { 0.0 }));
            }
            if drives == 0 {
                self.part.resize(n, 0.0);
            }
            n
        };
        // Only at a constraint singularity there are more motions than at home.
        if self.of_drives.values().len() != count {
            self.of_drives = Jacobi::new(count, drives.max(1));
        }
        self.of_drives.decompose(&self.part);
        (rows, count)
    }

    /// J_inv in m and rad; whether it exists.
    fn find_j_inv(&mut self, robot: &ClosedMechanism, rows: Rows, count: usize) -> bool {
        let n = robot.freedoms().len();
        match rows {
            Rows::Bounded => self.j_inv.copy_from_slice(self.actuation.rows()),
            Rows::Unbounded => return false,
            Rows::Unknown if !robot.legs().is_empty() || count != n => return false,
            Rows::Unknown => {
                if !self.project(robot, count) {
                    return false;
                }
            }
        }
        for (&j, row) in robot.driven().iter().zip(self.j_inv.chunks_exact_mut(n)) {
            for (entry, &freedom) in row.iter_mut().zip(robot.freedoms()) {
                *entry *= self.units[j] / self.units[freedom];
            }
        }
        true
    }

    /// J_inv = N_a N_r⁻¹ without units, of any mechanism; whether the independent velocities describe its motions.
    fn project(&mut self, robot: &ClosedMechanism, count: usize) -> bool {
        let n = robot.freedoms().len();
        self.take(count, robot.freedoms().iter().copied());
        let part = &self.part;
        self.freedoms.decompose(|i, k| part[i * n + k]);
        if !is_regular(&self.freedoms, &mut self.column) {
            return false;
        }
        for (i, &j) in robot.driven().iter().enumerate() {
            for c in 0..n {
                self.column[c] = self.motion(c, count, j);
            }
            self.freedoms.turn_into(&mut self.column);
            self.freedoms.solve_upper(&mut self.column);
            self.j_inv[i * n..(i + 1) * n].copy_from_slice(&self.column);
        }
        true
    }

    /// Singular values of J_inv, without units and with.
    fn measure_j_inv(&mut self, robot: &ClosedMechanism) {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        for raw in [true, false] {
            self.part.clear();
            for (c, &freedom) in robot.freedoms().iter().enumerate() {
                for (i, &j) in robot.driven().iter().enumerate() {
                    let unit = if raw { 1.0 } else { self.units[freedom] / self.units[j] };
                    self.part.push(self.j_inv[i * n + c] * unit);
                }
                if drives == 0 {
                    self.part.push(0.0);
                }
            }
            if raw { &mut self.raw } else { &mut self.of_j_inv }.decompose(&self.part);
        }
    }
}

/// All measures at a configuration. Allocates nothing, but at a constraint singularity.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn measures<'w>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace,
    at: &Configuration,
    metric: &Metric,
) -> Measures<'w> {
    ws.linearise(robot, at, metric);
    let n = robot.freedoms().len();
    let (rows, decomposed) = ws.decompose_drives(robot, metric);
    let drives = Nearness::over(ws.of_drives.values(), 1.0);
    for (k, nearness) in ws.legs.iter_mut().enumerate() {
        *nearness = Nearness::of(ws.actuation.of_leg(k));
    }
    // Where the rows of J_inv are not known, the motions of the closures are decomposed already.
    let count = if rows == Rows::Unknown { decomposed } else { ws.decompose(robot, metric) };
    let platform = robot.platform().map(|_| {
        ws.take(count, robot.tree().dof()..robot.velocities());
        if ws.of_platform.values().len() != count {
            ws.of_platform = Jacobi::new(count, 6);
        }
        ws.of_platform.decompose(&ws.part);
        Nearness::over(ws.of_platform.values(), 1.0)
    });
    let exists = ws.find_j_inv(robot, rows, count);
    let mut determinant = None;
    if exists {
        ws.measure_j_inv(robot);
        ws.part.clear();
        ws.part.extend_from_slice(&ws.j_inv);
        determinant = (robot.driven().len() == n).then(|| determinant_of(&mut ws.part, n));
    }
    let ws = &*ws;
    Measures {
        legs: &ws.legs,
        platform,
        drives,
        inverse_jacobian: exists.then(|| InverseJacobian {
            matrix: &ws.j_inv,
            singular_values: ws.of_j_inv.values(),
            inverse_condition: Nearness::of(ws.of_j_inv.values()).inverse_condition,
            raw_inverse_condition: Nearness::of(ws.raw.values()).inverse_condition,
            determinant,
        }),
        constraints: Nearness::of(&ws.motions.values()[..robot.mobility().rank]),
        freedoms: count,
    }
}

/// The distances to Type 1 and Type 2 of [`Measures`], and nothing else: much cheaper for robots of legs and a platform.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn distances(robot: &ClosedMechanism, ws: &mut Workspace, at: &Configuration, metric: &Metric) -> (f64, f64) {
    if robot.legs().is_empty() {
        let measures = measures(robot, ws, at, metric);
        return (measures.type1(), measures.type2());
    }
    ws.linearise(robot, at, metric);
    ws.decompose_drives(robot, metric);
    let of_leg = |k: usize| Nearness::of(ws.actuation.of_leg(k)).inverse_condition;
    let type1 = (0..robot.legs().len()).map(of_leg).fold(1.0, f64::min);
    (type1, Nearness::over(ws.of_drives.values(), 1.0).inverse_condition)
}
