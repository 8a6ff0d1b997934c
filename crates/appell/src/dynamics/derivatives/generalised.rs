//! Derivatives in a robot's own [coordinates](crate::mechanism::Coordinates): by q in the tangent space, q ⊕ δ, by v and by a third.
//!
//! A step δ leaves the place where rows are anchored, and B is not one there. With the tree's derivatives, projected by S,
//!
//! ```text
//! τ = Bᵀ Sᵀ τ_rows(rows, S B v, S (B a + Ḃ v))
//! ∂τ/∂δ = Q + V ∂(B v) + M ∂(B a + Ḃ v) + ∂(Bᵀ) Sᵀ τ_rows        Q, V, M = Sᵀ ∂τ_rows/∂(rows, rates, accelerations) S
//! ∂τ/∂v = V + M ∂(Ḃ v)/∂v                                        ∂τ/∂a = M
//! ```
//!
//! Those of the charts are taken on dual numbers: they are a few products. The referees are whole methods on dual numbers,
//! charts and all.

use super::{DIRECTIONS, Derivatives, Number, analytic};
use crate::dynamics::joint_space::Equations;
use crate::dynamics::{InertiaError, generalised, newton_euler};
use crate::linear::Cholesky;
use crate::mechanism::{Coordinates, Mechanism};
use crate::real::{Dual, Measured, Real};

/// A state whose tangent vectors are varied, charts and all.
#[derive(Debug, Clone)]
struct Varied<N> {
    rows: Vec<N>,
    v: Vec<N>,
    x: Vec<N>,
    a: Vec<N>,
    x_rate: Vec<N>,
    tau: Vec<N>,
    local: Vec<N>,
}

/// Memory for the tree's derivatives, projected.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    tree: analytic::Workspace<T>,
    inverse: newton_euler::Workspace<T>, // τ_rows
    forward: generalised::Workspace<T>,  // a, of forward dynamics
    cholesky: Cholesky<T>,               // of M
    rows: [Vec<T>; 3],                   // positions, rates, accelerations of the rows
    local: [Vec<T>; 2],                  // a + Ḃ v; Sᵀ τ_rows
    a: Vec<T>,                           // of forward dynamics, then a column of the answer
    projected: Derivatives<T>,           // Q, V, M
    varied: Varied<Dual<1, T>>,
    result: Derivatives<T>,
}

plain_workspace!(Workspace of Mechanism);

impl<N: Real> Varied<N> {
    fn new(n: usize, m: usize, like: N) -> Self {
        let [v, x, a, x_rate, tau, local] = core::array::from_fn(|_| vec![like.zero(); m]);
        Self { rows: vec![like.zero(); n], v, x, a, x_rate, tau, local }
    }
}

impl<T: Measured> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    ///
    /// # Panics
    /// If the robot has no coordinates but its rows.
    #[must_use]
    pub fn with_scalar(robot: &Mechanism, like: T) -> Self {
        let (n, m) = (robot.dof(), of(robot).velocities().len());
        Self {
            tree: analytic::Workspace::with_scalar(robot, like),
            inverse: newton_euler::Workspace::with_scalar(robot, like),
            forward: generalised::Workspace::with_scalar(robot, Equations::default(), like),
            cholesky: Cholesky::new(m, like),
            rows: core::array::from_fn(|_| vec![like.zero(); n]),
            local: core::array::from_fn(|_| vec![like.zero(); m]),
            a: vec![like.zero(); m],
            projected: Derivatives::new(m, like),
            varied: Varied::new(n, m, Dual::fixed(like)),
            result: Derivatives::new(m, like),
        }
    }
}

/// Derivatives of the forces by q, v and a.
///
/// # Panics
/// If a slice has the wrong length.
pub fn of_inverse_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
) -> &'w Derivatives<T> {
    ws.a.copy_from_slice(a);
    project(robot, ws, q, v);
    &ws.result
}

/// Derivatives of the rates of the velocities by q, v and τ, through those of inverse dynamics.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice has the wrong length.
pub fn of_forward_dynamics<'w, T: Measured>(
    robot: &Mechanism,
    ws: &'w mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
) -> Result<&'w Derivatives<T>, InertiaError> {
    ws.a.copy_from_slice(generalised::forward_dynamics(robot, &mut ws.forward, q, v, tau)?);
    project(robot, ws, q, v);
    let m = v.len();
    ws.cholesky.decompose(&ws.result.by_input);
    for k in 0..m {
        for (matrix, is_input) in ws.result.matrices().into_iter().zip([false, false, true]) {
            for i in 0..m {
                let unit = matrix[0].constant(if i == k { 1.0 } else { 0.0 });
                ws.a[i] = if is_input { unit } else { -matrix[i * m + k] };
            }
            ws.cholesky.solve(&mut ws.a);
            for i in 0..m {
                matrix[i * m + k] = ws.a[i];
            }
        }
    }
    Ok(&ws.result)
}

/// The derivatives of the forces at the accelerations `ws.a`.
fn project<T: Measured>(robot: &Mechanism, ws: &mut Workspace<T>, q: &[T], v: &[T]) {
    let coordinates = of(robot);
    let [rows, rates, accelerations] = &mut ws.rows;
    let [local_a, local_tau] = &mut ws.local;
    coordinates.anchor(q, rows);
    coordinates.spread(v, rates);
    coordinates.bias(v, v, local_a);
    for (local, &a) in local_a.iter_mut().zip(&ws.a) {
        *local = *local + a;
    }
    coordinates.spread(local_a, accelerations);
    coordinates.collect(newton_euler::inverse_dynamics(robot, &mut ws.inverse, rows, rates, accelerations), local_tau);
    let tree = analytic::of_inverse_dynamics(robot, &mut ws.tree, rows, rates, accelerations);
    let Derivatives { by_q, by_v, by_input } = &mut ws.projected;
    for (of_rows, own) in [(&tree.by_q, &mut *by_q), (&tree.by_v, &mut *by_v), (&tree.by_input, &mut *by_input)] {
        coordinates.project(of_rows, own);
    }
    for (result, own) in ws.result.matrices().into_iter().zip([&*by_q, &*by_v, &*by_input]) {
        result.copy_from_slice(own);
    }
    if coordinates.is_linear() {
        return;
    }
    let (m, varied) = (v.len(), &mut ws.varied);
    lift(&ws.a, &mut varied.a);
    lift(local_tau, &mut varied.local);
    for k in 0..m {
        lift(v, &mut varied.v);
        vary_rows(coordinates, rows, k, varied);
        coordinates.rates(&varied.rows, &varied.v, &mut varied.x);
        coordinates.accelerations(&varied.rows, &varied.v, &varied.x, &varied.a, &mut varied.x_rate);
        coordinates.forces(&varied.rows, &varied.local, &mut varied.tau);
        for i in 0..m {
            let mut entry = ws.result.by_q[i * m + k] + varied.tau[i].derivative[0];
            for j in 0..m {
                entry = by_v[i * m + j].mul_add(varied.x[j].derivative[0], entry);
                entry = by_input[i * m + j].mul_add(varied.x_rate[j].derivative[0], entry);
            }
            ws.result.by_q[i * m + k] = entry;
        }
        varied.v[k] = Dual::variable(v[k], 0);
        coordinates.bias(&varied.v, &varied.v, &mut varied.x_rate);
        for i in 0..m {
            let mut entry = ws.result.by_v[i * m + k];
            for j in 0..m {
                entry = by_input[i * m + j].mul_add(varied.x_rate[j].derivative[0], entry);
            }
            ws.result.by_v[i * m + k] = entry;
        }
    }
}

/// Memory for whole methods on dual numbers.
#[derive(Debug, Clone)]
pub struct Direct {
    inverse: newton_euler::Workspace<Number>,
    forward: generalised::Workspace<Number>,
    rows: [Vec<f64>; 1],
    rates: [Vec<Number>; 2], // rates and accelerations of the rows
    varied: Varied<Number>,
    result: Derivatives,
}

impl Direct {
    /// A workspace for this robot.
    ///
    /// # Panics
    /// If the robot has no coordinates but its rows.
    #[must_use]
    pub fn new(robot: &Mechanism) -> Self {
        const { assert!(DIRECTIONS == 1) };
        let (n, m, zero) = (robot.dof(), of(robot).velocities().len(), Dual::fixed(0.0));
        Self {
            inverse: newton_euler::Workspace::with_scalar(robot, zero),
            forward: generalised::Workspace::with_scalar(robot, Equations::CompositeBody, zero),
            rows: [vec![0.0; n]],
            rates: core::array::from_fn(|_| vec![zero; n]),
            varied: Varied::new(n, m, zero),
            result: Derivatives::new(m, 0.0),
        }
    }

    /// Puts a state there, its `direction`th of 3m numbers varied; the third vector goes to `a`.
    fn vary(&mut self, coordinates: &Coordinates, direction: usize, v: &[f64], third: &[f64]) {
        let (m, varied) = (v.len(), &mut self.varied);
        lift(&self.rows[0], &mut varied.rows);
        lift(v, &mut varied.v);
        lift(third, &mut varied.a);
        match (direction / m, direction % m) {
            (0, k) => vary_rows(coordinates, &self.rows[0], k, varied),
            (1, k) => varied.v[k] = Dual::variable(v[k], 0),
            (_, k) => varied.a[k] = Dual::variable(third[k], 0),
        }
        coordinates.rates(&varied.rows, &varied.v, &mut varied.x);
    }
}

/// Derivatives of the forces by q, v and a, by Newton-Euler on dual numbers.
///
/// # Panics
/// If a slice has the wrong length.
pub fn of_inverse_dynamics_directly<'w>(
    robot: &Mechanism,
    ws: &'w mut Direct,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> &'w Derivatives {
    let coordinates = of(robot);
    coordinates.anchor(q, &mut ws.rows[0]);
    for direction in 0..3 * v.len() {
        ws.vary(coordinates, direction, v, a);
        let (varied, [rates, accelerations]) = (&mut ws.varied, &mut ws.rates);
        coordinates.accelerations(&varied.rows, &varied.v, &varied.x, &varied.a, &mut varied.x_rate);
        coordinates.spread(&varied.x, rates);
        coordinates.spread(&varied.x_rate, accelerations);
        let tau = newton_euler::inverse_dynamics(robot, &mut ws.inverse, &varied.rows, rates, accelerations);
        coordinates.collect(tau, &mut varied.local);
        coordinates.forces(&varied.rows, &varied.local, &mut varied.tau);
        ws.result.keep(direction, &varied.tau);
    }
    &ws.result
}

/// Derivatives of the rates of the velocities by q, v and τ, by composite bodies and Newton-Euler on dual numbers.
///
/// # Errors
/// If the inertia matrix is singular.
///
/// # Panics
/// If a slice has the wrong length.
pub fn of_forward_dynamics_directly<'w>(
    robot: &Mechanism,
    ws: &'w mut Direct,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
) -> Result<&'w Derivatives, InertiaError> {
    let coordinates = of(robot);
    coordinates.anchor(q, &mut ws.rows[0]);
    for direction in 0..3 * v.len() {
        ws.vary(coordinates, direction, v, tau);
        let varied = &mut ws.varied;
        coordinates.local_forces(&varied.rows, &varied.a, &mut varied.local);
        let x_rate =
            generalised::local_forward_dynamics(robot, &mut ws.forward, &varied.rows, &varied.x, &varied.local)?;
        coordinates.velocity_rates(&varied.rows, &varied.v, &varied.x, x_rate, &mut varied.tau);
        ws.result.keep(direction, &varied.tau);
    }
    Ok(&ws.result)
}

fn lift<const N: usize, T: Real>(values: &[T], numbers: &mut [Dual<N, T>]) {
    for (number, &value) in numbers.iter_mut().zip(values) {
        *number = Dual::fixed(value);
    }
}

/// The rows with a step along the velocity `k` of them.
fn vary_rows<T: Real>(coordinates: &Coordinates, rows: &[T], k: usize, varied: &mut Varied<Dual<1, T>>) {
    lift(rows, &mut varied.rows);
    let zero = rows[0].zero();
    varied.x.fill(Dual::fixed(zero));
    varied.x[k] = Dual::variable(zero, 0);
    coordinates.step(&varied.x, &mut varied.rows);
}

/// The coordinates of a robot that has some.
fn of(robot: &Mechanism) -> &Coordinates {
    robot.coordinates().expect("a robot whose coordinates are not its rows")
}
