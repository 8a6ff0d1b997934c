//! The set of consistent parameters: a cone of positive definite pseudo-inertias, and of friction that is not negative, nor at rest.
//!
//! Its logarithmic barrier grows without limit towards the border,
//!
//! ```text
//! b = −Σ log det P − Σ log f        f: friction, and sums of Coulomb friction and Stribeck's excess        ∂b/∂φ_k = −tr(P⁻¹ E_k)        ∂²b/∂φ_k ∂φ_l = tr(P⁻¹ E_k P⁻¹ E_l)
//! ```
//!
//! with E_k the pseudo-inertia of a unit of parameter k.
//!
//! Bodies keep away from the border, where they have no volume: P − m S is to be positive definite, so that no second moment about the centre
//! of mass is below that of m S. S has the shape of the prior, so that a rod may stay one, shrunk until a box of it would be of lead; or by
//! half, where it is smaller already. That is meant for the mass of the prior: S grows for bodies that come out so heavy that no metal is as dense.

use super::pseudo_inertia::volume;
use super::{ConsistencyError, Excess, PseudoInertia, bodies, excesses, flaws};
use crate::parameters::Model;
use appell::dynamics::regressor::PARAMETERS_PER_BODY;
use nalgebra::{DMatrix, DVector, Matrix4};

/// How much a thin body of the prior is thickened: the search starts inside.
const THIN: f64 = 1e-3;
/// No body is denser than osmium, kg/m³.
const DENSEST: f64 = 22_600.0;
/// Where friction starts that neither the prior nor the guess has.
const SOME_FRICTION: f64 = 1e-3;

/// Which parameters belong to what.
pub(super) struct Cone {
    bodies: Vec<Solid>,
    positive: Vec<usize>,           // columns of friction and rotors, masses of points
    sums: Vec<[usize; 2]>,          // columns that are not negative together
    pub(super) active: Vec<usize>,  // columns that may change
    pub(super) prior: DVector<f64>, // with thin bodies thickened and points as balls
    pub(super) balls: Vec<usize>,   // masses of the latter
    points: Vec<[usize; PARAMETERS_PER_BODY]>,
}

/// What is known of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Its value stays.
    Known,
    /// The data do not depend on it.
    Hidden,
    /// They do.
    Seen,
}

/// A body that the prior says has mass.
struct Solid {
    columns: [usize; PARAMETERS_PER_BODY],
    inverse: Matrix4<f64>, // L₀⁻¹ of the prior
    margin: Matrix4<f64>,  // S, m²
    is_open: bool,         // nothing of it is known
}

impl Cone {
    /// That of a model, and a point inside: bodies at the prior, friction that is zero there at a guess. Bodies that have no
    /// mass in the prior have none. A point of which nothing but the mass shows stays a point; others become balls.
    pub(super) fn new(
        model: &Model,
        prior: &[f64],
        guess: &[f64],
        states: &[State],
    ) -> Result<(Self, DVector<f64>), ConsistencyError> {
        let (of_bodies, part) = bodies(model);
        if let Some(k) = part {
            return Err(ConsistencyError::PartOfBody { name: model.name(k) });
        }
        if let Some(flaw) = flaws(model, prior).into_iter().next() {
            return Err(ConsistencyError::Prior { flaw });
        }
        let mut cone = Self {
            bodies: Vec::new(),
            positive: Vec::new(),
            sums: Vec::new(),
            active: Vec::new(),
            prior: DVector::from_column_slice(prior),
            balls: Vec::new(),
            points: Vec::new(),
        };
        let mut inside = cone.prior.clone();
        for &columns in &of_bodies {
            let parameters = columns.map(|k| prior[k]);
            if parameters.iter().all(|&x| x == 0.0) || columns.iter().all(|&k| states[k] == State::Known) {
                continue;
            }
            let body = PseudoInertia::of(parameters);
            let is_point = body.is_point();
            if is_point && columns[1..].iter().all(|&k| states[k] == State::Hidden) {
                cone.positive.push(columns[0]);
                cone.active.push(columns[0]);
                cone.points.push(columns);
                continue;
            }
            cone.balls.extend(is_point.then_some(columns[0]));
            let thick = if is_point { body.as_ball() } else { body.thickened(THIN) };
            let is_known = columns.map(|k| states[k] == State::Known);
            let no_room = || ConsistencyError::NoRoom { name: model.name(columns[0]) };
            let solid = Solid::new(columns, &thick, &body, is_known).ok_or_else(no_room)?;
            columns.iter().zip(solid.1.parameters()).zip(is_known).for_each(|((&k, x), is_known)| {
                cone.prior[k] = if is_known { prior[k] } else { x };
                inside[k] = cone.prior[k];
            });
            cone.active.extend(columns.iter().zip(is_known).filter(|(_, is_known)| !is_known).map(|(&k, _)| k));
            cone.bodies.push(solid.0);
        }
        let of_stribeck = excesses(model);
        let is_effect = |k: &usize| !of_bodies.iter().flatten().any(|other| other == k);
        for k in (0..prior.len()).filter(|k| is_effect(k) && states[*k] != State::Known) {
            cone.active.push(k);
            let excess = of_stribeck.iter().find(|excess| excess.column == k);
            if let Some(Excess { coulomb: Some(coulomb), .. }) = excess {
                cone.sums.push([*coulomb, k]);
            }
            if model.columns()[k].lower_bound().is_none() && excess.is_none_or(|excess| excess.coulomb.is_some()) {
                inside[k] = guess[k];
                continue;
            }
            cone.positive.push(k);
            if prior[k] <= 0.0 {
                inside[k] = guess[k].abs().max(SOME_FRICTION);
            }
        }
        // An excess begins where it leaves some friction at rest.
        for &[coulomb, excess] in &cone.sums {
            if inside[coulomb] <= 0.0 {
                inside[excess] = inside[excess].max(SOME_FRICTION - inside[coulomb]);
            }
            inside[excess] = inside[excess].max(-0.5 * inside[coulomb]);
        }
        cone.active.sort_unstable();
        Ok((cone, inside))
    }

    /// The same with bodies that may come as near to the border as they like.
    pub(super) fn without_margin(mut self) -> Self {
        self.bodies.iter_mut().for_each(|body| (body.margin, body.is_open) = (Matrix4::zeros(), false));
        self
    }

    /// Widens the margins of bodies that are too dense at a point, for their masses there, and moves the point so that it stays inside;
    /// whether there were some.
    pub(super) fn widen(&mut self, at: &mut DVector<f64>) -> bool {
        let mut is_widened = false;
        for body in self.bodies.iter_mut().filter(|body| body.is_open) {
            let mut found = PseudoInertia::of(body.columns.map(|k| at[k]));
            if found.density() <= DENSEST {
                continue;
            }
            let mass = found.0[(3, 3)];
            let least = volume(&body.margin.fixed_view::<3, 3>(0, 0).into_owned());
            let wider = body.margin * (mass / (DENSEST * least)).powf(2.0 / 3.0);
            found.0 += (wider - body.margin) * mass;
            body.columns.iter().zip(found.parameters()).for_each(|(&k, x)| at[k] = x);
            (body.margin, is_widened) = (wider, true);
        }
        is_widened
    }

    /// Lets points have the moments that belong to their masses.
    pub(super) fn move_points(&self, prior: &[f64], at: &mut DVector<f64>) {
        for columns in &self.points {
            let grown = at[columns[0]] / prior[columns[0]];
            columns[1..].iter().for_each(|&k| at[k] = grown * prior[k]);
        }
    }

    /// What the barrier counts: the distance from the best point is at most this times its weight.
    pub(super) fn order(&self) -> f64 {
        (4 * self.bodies.len() + self.positive.len() + self.sums.len()) as f64
    }

    /// The barrier; `None` outside.
    pub(super) fn barrier(&self, at: &DVector<f64>) -> Option<f64> {
        let mut sum = 0.0;
        for body in &self.bodies {
            let l = body.within(at).cholesky()?.l();
            sum -= 2.0 * l.diagonal().iter().map(|x| x.ln()).sum::<f64>();
        }
        for &k in &self.positive {
            if at[k].is_nan() || at[k] <= 0.0 {
                return None;
            }
            sum -= at[k].ln();
        }
        for &[one, other] in &self.sums {
            let both = at[one] + at[other];
            if both.is_nan() || both <= 0.0 {
                return None;
            }
            sum -= both.ln();
        }
        sum.is_finite().then_some(sum)
    }

    /// Its gradient and Hessian at a point inside, added to what is there with a weight.
    pub(super) fn add_derivatives(
        &self,
        at: &DVector<f64>,
        weight: f64,
        gradient: &mut DVector<f64>,
        hessian: &mut DMatrix<f64>,
    ) {
        for body in &self.bodies {
            let inverse = body.within(at).cholesky().expect("a point inside").inverse();
            let moved: [Matrix4<f64>; PARAMETERS_PER_BODY] = core::array::from_fn(|k| inverse * body.unit(k));
            for (i, &row) in body.columns.iter().enumerate() {
                gradient[row] -= weight * moved[i].trace();
                for (k, &column) in body.columns.iter().enumerate() {
                    hessian[(row, column)] += weight * moved[i].component_mul(&moved[k].transpose()).sum();
                }
            }
        }
        for &k in &self.positive {
            gradient[k] -= weight / at[k];
            hessian[(k, k)] += weight / (at[k] * at[k]);
        }
        for &sum in &self.sums {
            let both = at[sum[0]] + at[sum[1]];
            for k in sum {
                gradient[k] -= weight / both;
                sum.into_iter().for_each(|l| hessian[(k, l)] += weight / (both * both));
            }
        }
    }

    /// The distance from the prior as a matrix: its rows times (parameters − prior) are, squared and summed up,
    /// Σ ‖L₀⁻¹ (P − P₀) L₀⁻ᵀ‖² of the bodies and the relative changes of friction and rotors. What the prior does not know,
    /// being zero or free, costs nothing.
    pub(super) fn metric(&self) -> DMatrix<f64> {
        let mut metric = DMatrix::zeros(16 * self.bodies.len() + self.positive.len(), self.prior.len());
        for (b, body) in self.bodies.iter().enumerate() {
            for (k, &column) in body.columns.iter().enumerate() {
                let change = body.inverse * unit(k) * body.inverse.transpose();
                change.iter().enumerate().for_each(|(i, x)| metric[(16 * b + i, column)] = *x);
            }
        }
        for (i, &column) in self.positive.iter().enumerate().filter(|(_, column)| self.prior[**column] > 0.0) {
            metric[(16 * self.bodies.len() + i, column)] = 1.0 / self.prior[column];
        }
        metric
    }
}

impl Solid {
    /// P less its margin.
    fn within(&self, at: &DVector<f64>) -> Matrix4<f64> {
        let parameters = self.columns.map(|k| at[k]);
        PseudoInertia::of(parameters).0 - self.margin * parameters[0]
    }

    /// The same of a unit of a parameter; the mass comes first.
    fn unit(&self, k: usize) -> Matrix4<f64> {
        if k == 0 { unit(0) - self.margin } else { unit(k) }
    }

    /// A body near a thick one whose known parameters are exactly those of `given`: of all such P that with the least
    /// ‖L⁻¹ (P − T) L⁻ᵀ‖, T = L Lᵀ being the thick one. None where that is no body.
    fn new(
        columns: [usize; PARAMETERS_PER_BODY],
        thick: &PseudoInertia,
        given: &PseudoInertia,
        is_known: [bool; PARAMETERS_PER_BODY],
    ) -> Option<(Self, PseudoInertia)> {
        let inverse = |body: &PseudoInertia| body.0.cholesky()?.l().try_inverse();
        let mut body = *thick;
        if is_known.contains(&true) {
            let of_thick = inverse(thick)?;
            let change = |k: usize| of_thick * unit(k) * of_thick.transpose();
            let open: Vec<usize> = (0..PARAMETERS_PER_BODY).filter(|&k| !is_known[k]).collect();
            let matrix = DMatrix::from_fn(16, open.len(), |i, k| change(open[k])[i]);
            let (mut at, given) = (thick.parameters(), given.parameters());
            let mut right = DVector::zeros(16);
            for k in (0..PARAMETERS_PER_BODY).filter(|&k| is_known[k]) {
                let needed = given[k] - at[k];
                change(k).iter().enumerate().for_each(|(i, x)| right[i] -= needed * x);
                at[k] = given[k];
            }
            let moved = matrix.svd(true, true).solve(&right, f64::EPSILON).ok()?;
            open.iter().zip(&moved).for_each(|(&k, x)| at[k] += x);
            body = PseudoInertia::of(at);
        }
        let (margin, is_open) = (body.smallest(), !is_known.contains(&true));
        Some((Self { columns, inverse: inverse(&body)?, margin, is_open }, body))
    }
}

/// E_k.
fn unit(k: usize) -> Matrix4<f64> {
    PseudoInertia::of(core::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Effect;
    use appell::Robot;

    /// The barrier's derivatives against central differences, at the seven-axis arm.
    #[test]
    fn derivatives_are_exact() {
        let robot = Robot::builtin("seven-axis").unwrap();
        let stribeck = Effect::Stribeck { speed: 0.1, smoothing: 0.01 };
        let model =
            Model::bodies(&robot).with_effects(&[Effect::Viscous, Effect::Coulomb { smoothing: 0.01 }, stribeck]);
        let prior = model.values(&robot);
        let states = vec![State::Seen; prior.len()];
        let (cone, at) = Cone::new(&model, &prior, &vec![0.5; prior.len()], &states).unwrap();
        let n = prior.len();
        let derivatives = |at: &DVector<f64>| {
            let (mut gradient, mut hessian) = (DVector::zeros(n), DMatrix::zeros(n, n));
            cone.add_derivatives(at, 1.0, &mut gradient, &mut hessian);
            (gradient, hessian)
        };
        let (gradient, hessian) = derivatives(&at);
        // Of every kind: bodies, viscous and Coulomb friction, and the excess.
        for k in [0, 3, 14, 29, 38, 47, 66, 70, 71, 72, 88, 90] {
            let h = 1e-6 / hessian[(k, k)].sqrt();
            let moved = |step: f64| {
                let mut moved = at.clone();
                moved[k] += step;
                moved
            };
            let (up, down) = (moved(h), moved(-h));
            let slope = (cone.barrier(&up).unwrap() - cone.barrier(&down).unwrap()) / (2.0 * h);
            assert!((slope - gradient[k]).abs() < 1e-6 * gradient.amax(), "{k}: {slope} {}", gradient[k]);
            let curve = (derivatives(&up).0 - derivatives(&down).0) / (2.0 * h);
            assert!((curve - hessian.column(k)).amax() < 1e-6 * hessian.column(k).amax(), "{k}");
        }
        assert_eq!(cone.order(), 28.0 + 7.0 + 7.0 + 7.0);
        assert!(cone.barrier(&-&at).is_none());
    }

    /// The search begins where friction holds joints at rest, whatever the guess; an excess without Coulomb friction is not negative itself.
    #[test]
    fn an_excess_begins_inside() {
        let robot = Robot::builtin("two-link").unwrap();
        let stribeck = Effect::Stribeck { speed: 0.1, smoothing: 0.0 };
        for (effects, guess, positive) in [
            (&[Effect::Coulomb { smoothing: 0.0 }, stribeck][..], [1.0, -3.0], 2),
            (&[Effect::Coulomb { smoothing: 0.0 }, stribeck], [2.0, 0.5], 2),
            (&[stribeck], [-0.4, 0.3], 2),
        ] {
            let model = Model::bodies(&robot).with_columns(&[]).with_effects(effects);
            let (n, values) = (model.columns().len(), model.values(&robot));
            let guess: Vec<f64> = (0..n).map(|k| guess[k % 2]).collect();
            let (cone, at) = Cone::new(&model, &values, &guess, &vec![State::Seen; n]).unwrap();
            assert!(cone.barrier(&at).is_some(), "{at}");
            assert_eq!(cone.positive.len(), positive);
            let outside = DVector::from_fn(n, |k, _| if k % 2 == 1 || n == 2 { -5.0 } else { 1.0 });
            assert!(cone.barrier(&outside).is_none());
            assert_eq!(flaws(&model, outside.as_slice()).len(), 2);
        }
    }

    /// A rod with one known moment is a body with exactly that; what only a thinner rod has leaves none.
    #[test]
    fn known_parameters_stay() {
        let robot = Robot::builtin("two-link").unwrap();
        let model = Model::bodies(&robot);
        let rod = [2.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.1];
        let prior = [rod, rod].concat();
        let with_known = |known: &[usize]| {
            let state = |k| if known.contains(&k) { State::Known } else { State::Seen };
            Cone::new(&model, &prior, &prior, &(0..20).map(state).collect::<Vec<_>>())
        };
        let (cone, at) = with_known(&[9, 10, 11]).unwrap();
        assert_eq!((at[9], at[10], at[11]), (0.1, 2.0, 0.4));
        assert!(cone.barrier(&at).is_some() && !cone.active.contains(&9) && cone.active.len() == 17);
        let error = with_known(&[4]).err().unwrap();
        assert_eq!(error, ConsistencyError::NoRoom { name: "M1".into() });
    }

    /// A body that is forty times as heavy in the same place is made as large as osmium would be.
    #[test]
    fn margins_grow_for_what_is_too_dense() {
        let model = Model::bodies(&Robot::builtin("seven-axis").unwrap());
        let prior = model.values(&Robot::builtin("seven-axis").unwrap());
        let states = vec![State::Seen; prior.len()];
        let (mut cone, mut at) = Cone::new(&model, &prior, &prior, &states).unwrap();
        assert!(!cone.widen(&mut at.clone()), "all are light");
        let columns = cone.bodies[2].columns;
        columns.iter().for_each(|&k| at[k] *= 40.0);
        let density = |at: &DVector<f64>| PseudoInertia::of(columns.map(|k| at[k])).density();
        assert!(density(&at) > DENSEST, "{}", density(&at));
        let mass = at[columns[0]];
        assert!(cone.widen(&mut at) && cone.barrier(&at).is_some());
        assert!(density(&at) <= DENSEST && at[columns[0]] == mass, "{}", density(&at));
        assert!(!cone.widen(&mut at), "once");
    }
}
