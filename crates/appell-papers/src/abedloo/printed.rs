//! The wrong forms of Abedloo as they are printed, and what they do.
//!
//! The references are tree + closures on the same wrist, the loops themselves, and exact derivatives by dual numbers:
//! none of them uses the equations that are compared.

use super::dynamics::{MovingBody, Terms, Z};
use super::kinematics::{Motion, MovingLeg, PlacedLeg};
use super::trajectory::{Angles, PERIOD, entries, motion};
use super::{AgileWrist, Leg, Mode};
use crate::erratum::Pair;
use crate::general::General;
use crate::pivoted::{outer, solve};
use crate::study::{Comparison, StudyError};
use appell::closed::{Configuration, tree_closures};
use appell::kinematics;
use appell::real::Dual;
use appell::spatial::{EulerAngles, Mat3, PlanarRotation, Vec3};

/// Instants of the motion.
const STEPS: usize = 100;

/// Below this part of the largest, an eigenvalue counts as zero.
const NOUGHT: f64 = 1e-10;

/// Everything along the motion.
#[derive(Default)]
pub(super) struct Measured {
    /// Torques with one printed form each, in the order of [`FORMS`].
    pub(super) torques: [Pair; FORMS.len()],
    pub(super) skewness: Pair,
    /// Eigenvalues above 0 of M_ij, counted: of first and of second links.
    pub(super) ranks: [Pair; 2],
    /// The same of their sum with the platform's.
    pub(super) definite: Comparison,
    /// Eq. 24 times q̇, as a matrix, and half of it times q̇.
    pub(super) partial: Pair,
    pub(super) partial_matrix: Pair,
    pub(super) half: Comparison,
    pub(super) sum: Pair,
    pub(super) closing: Comparison,
    pub(super) discriminant: Comparison,
    /// Eq. 36 with n₁ · n₂, and with n₁ · n₁.
    pub(super) cosine: Pair,
    pub(super) one: Pair,
    pub(super) platform: Pair,
}

/// M q̈ + C q̇ + G and J_act with one printed form in them.
type Form = fn(&AgileWrist, &Motion, Angles) -> Option<[f64; 3]>;

const FORMS: [Form; 7] =
    [relative_attitude, first_frame, inverse_axis, literal_partials, without_halves, first_h, inverse_transposed];

impl Measured {
    pub(super) fn gather() -> Result<Self, StudyError> {
        let mut seen = Self::default();
        let wrist = AgileWrist::paper(AgileWrist::RADIUS);
        let mut general = General::new(&wrist.description(motion(0.0)[0])?)?;
        for k in 0..=STEPS {
            let state @ [q, v, a] = motion(PERIOD * k as f64 / STEPS as f64);
            let motion = wrist.motion(q, v)?;
            let at = general.at(motion.rotation)?;
            let known = general.torques(&at, motion.omega, motion.omega_dot(a))?;
            let right = wrist.inverse_dynamics(q, v, a)?;
            for (pair, form) in seen.torques.iter_mut().zip(FORMS) {
                pair.see(&form(&wrist, &motion, state).unwrap_or([f64::NAN; 3]), &right, &known);
            }
            seen.see_matrices(&wrist, &motion, state)?;
            seen.see_partials(&wrist, &mut general, &at, state)?;
            let other = wrist.clone().in_modes([Mode::Minus; 3]);
            for wrist in [&wrist, &other] {
                let placed = wrist.placed(q)?;
                wrist.legs.iter().zip(&placed).for_each(|(leg, placed)| seen.see_leg(leg, placed));
            }
            seen.see_axes(&motion, &general, &at);
        }
        Ok(seen)
    }

    /// C of eq. 21, ranks of M_ij, J̇ of eq. 48.
    fn see_matrices(&mut self, wrist: &AgileWrist, motion: &Motion, [q, v, _]: Angles) -> Result<(), StudyError> {
        let bodies = motion.bodies(wrist);
        let terms = Terms::sum(&bodies, motion.v, wrist.gravity);
        let both = |c: Mat3<f64>| entries(c + c.transpose());
        self.skewness.see(&both(terms.printed_coriolis), &both(terms.coriolis), &inertia_rate(wrist, q, v)?);
        for (k, body) in bodies[..6].iter().enumerate() {
            let found = positive_eigenvalues(body.terms(motion.v, wrist.gravity).inertia);
            self.ranks[k % 2].see(&[3.0], &[[1.0, 2.0][k % 2]], &[found]);
        }
        self.definite.see(&[3.0], &[positive_eigenvalues(terms.inertia)]);
        let moving: [Dual<1>; 3] = core::array::from_fn(|k| Dual { value: q[k], derivative: [v[k]] });
        let kind = EulerAngles::Zyx;
        let exact = kind.rotation(moving).transpose() * kind.omega_of_rates(moving);
        let exact = exact.rows.map(|row| row.to_array().map(|x| x.derivative[0])).concat();
        self.platform.see(&entries(bodies[6].printed_rate), &entries(bodies[6].jacobian_rate), &exact);
        Ok(())
    }

    /// Eq. 24 taken at its word: ∂α/∂q̇ of the links.
    fn see_partials(
        &mut self,
        wrist: &AgileWrist,
        general: &mut General,
        at: &Configuration,
        [q, v, _]: Angles,
    ) -> Result<(), StudyError> {
        let known = angular_accelerations(general, at, q, v)?;
        let partials = gradients(|v| angular_accelerations(general, at, q, v), v)?;
        let exact = rate_along(|q| jacobians(wrist, q), q, v)?;
        let motion = wrist.motion(q, v)?;
        for (k, body) in motion.bodies(wrist)[..6].iter().enumerate() {
            let partial = Mat3::from_rows([0, 1, 2].map(|row| partials[3 * k + row]));
            let (literal, known) = (partial * motion.v, &known[3 * k..3 * k + 3]);
            self.partial.see(&literal.to_array(), &(body.jacobian_rate * motion.v).to_array(), known);
            self.half.see(&literal.scale(0.5).to_array(), known);
            self.partial_matrix.see(&entries(partial), &entries(body.jacobian_rate), &exact[9 * k..9 * k + 9]);
        }
        Ok(())
    }

    /// Eqs 30 to 36 of one leg.
    fn see_leg(&mut self, leg: &Leg, placed: &PlacedLeg) {
        let &PlacedLeg { u, v, w, .. } = placed;
        let end = |psi: f64| {
            let second = PlanarRotation::exact(leg.alpha1).matrix_x() * PlanarRotation::by(psi).matrix_z();
            (placed.base_from_link[0] * second * PlanarRotation::exact(leg.alpha2).matrix_x()).column(2)
        };
        let n1 = u.cross(w).scale(1.0 / leg.alpha1.sin().abs());
        let n2 = w.cross(v).scale(1.0 / leg.alpha2.sin().abs());
        let cosine = n1.dot(n2).clamp(-1.0, 1.0).acos();
        let one = n1.dot(n1).clamp(-1.0, 1.0).acos();
        let both = w.dot(n1.cross(n2)).atan2(n1.dot(n2));
        self.cosine.see(&end(cosine).to_array(), &end(both).to_array(), &v.to_array());
        self.one.see(&end(one).to_array(), &end(both).to_array(), &v.to_array());
        self.closing.see(&[v.dot(w)], &[leg.alpha2.cos()]);
        let [a, b, c] = leg.reach(v);
        self.discriminant.see(&[a * a + b * b - c * c], &[placed.h * placed.h]);
    }

    /// Eq. 31.
    fn see_axes(&mut self, motion: &Motion, general: &General, at: &Configuration) {
        let robot = &general.robot;
        let mut sweep = kinematics::Workspace::new(robot.tree());
        let frames = kinematics::positions(robot.tree(), &mut sweep, &at.q);
        for (k, placed) in motion.placed.iter().enumerate() {
            let axis = frames[2 * k + 1].rotation.column(2);
            // B, and the first link's α₁ from u · w.
            let base = placed.base_from_link[0] * PlanarRotation::by(-placed.theta).matrix_z();
            let (cos, (st, ct)) = (placed.u.dot(placed.w), placed.theta.sin_cos());
            let sin = placed.u.cross(placed.w).norm();
            let sum = base * Vec3::new(sin + st, -sin + ct, cos + 1.0);
            let product = base * Vec3::new(sin * st, -sin * ct, cos);
            self.sum.see(&sum.to_array(), &product.to_array(), &axis.to_array());
        }
    }
}

/// How many eigenvalues are above 0.
fn positive_eigenvalues(m: Mat3<f64>) -> f64 {
    let values @ [.., most] = m.upper().eigenvalues();
    values.into_iter().filter(|&x| x > NOUGHT * most).count() as f64
}

/// Ṁ without any J̇.
fn inertia_rate(wrist: &AgileWrist, q: [f64; 3], v: [f64; 3]) -> Result<[f64; 9], StudyError> {
    rate_along(|q| Ok(entries(wrist.terms(q, [0.0; 3])?.inertia)), q, v)
}

/// J of the six links, one after the other.
fn jacobians(wrist: &AgileWrist, q: [f64; 3]) -> Result<[f64; 54], StudyError> {
    let bodies = wrist.motion(q, [0.0; 3])?.bodies(wrist);
    Ok(core::array::from_fn(|k| entries(bodies[k / 9].jacobian)[k % 9]))
}

/// The rate of a function of q along q̇, by differences of order 8.
fn rate_along<const N: usize>(
    of: impl Fn([f64; 3]) -> Result<[f64; N], StudyError>,
    q: [f64; 3],
    v: [f64; 3],
) -> Result<[f64; N], StudyError> {
    const STEP: f64 = 4e-3;
    let mut rate = [0.0; N];
    for (k, weight) in [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0].into_iter().enumerate() {
        let way = STEP * (k + 1) as f64;
        let at = |way: f64| of(core::array::from_fn(|i| q[i] + way * v[i]));
        let (ahead, behind) = (at(way)?, at(-way)?);
        rate.iter_mut().zip(ahead.iter().zip(behind)).for_each(|(rate, (a, b))| *rate += weight * (a - b) / STEP);
    }
    Ok(rate)
}

/// Gradients in q̇ of functions that are quadratic in it: central differences are exact, however long the step.
fn gradients<const N: usize, E>(
    mut of: impl FnMut([f64; 3]) -> Result<[f64; N], E>,
    v: [f64; 3],
) -> Result<[Vec3<f64>; N], E> {
    let mut partial = |k: usize| {
        let mut shifted = |by: f64| of(core::array::from_fn(|i| if i == k { v[i] + by } else { v[i] }));
        let (more, less) = (shifted(1.0)?, shifted(-1.0)?);
        Ok(core::array::from_fn::<f64, N, _>(|i| 0.5 * (more[i] - less[i])))
    };
    let partials = [partial(0)?, partial(1)?, partial(2)?];
    Ok(core::array::from_fn(|i| partials.map(|partial| partial[i]).into()))
}

/// α of the six links in their own axes at q̈ = 0, a function of q̇: by the sweep over the tree.
fn angular_accelerations(
    general: &mut General,
    at: &Configuration,
    q: [f64; 3],
    v: [f64; 3],
) -> Result<[f64; 18], StudyError> {
    let (kind, rates) = (EulerAngles::Zyx, Vec3::from(v));
    let omega = (kind.omega_of_rates(q) * rates).to_array();
    let omega_dot = (kind.omega_of_rates_rate(q, v) * rates).to_array();
    let robot = &general.robot;
    let (u, u_dot) = tree_closures::motion(robot, &mut general.tree, at, &omega, &omega_dot)?;
    let mut sweep = kinematics::Workspace::new(robot.tree());
    let frames = kinematics::positions(robot.tree(), &mut sweep, &at.q).to_vec();
    let found = kinematics::accelerations(robot.tree(), &mut sweep, &at.q, &u[..6], &u_dot[..6]);
    Ok(core::array::from_fn(|k| frames[k / 3].rotation.transpose_times(found[k / 3].angular)[k % 3]))
}

/// Torques of bodies that may be wrong, with C as the paper has it.
fn torques(bodies: &[MovingBody], wrist: &AgileWrist, motion: &Motion, a: [f64; 3]) -> Option<[f64; 3]> {
    solve(&motion.drives().transpose(), needed(bodies, wrist, motion, a)).ok().map(Vec3::to_array)
}

/// M q̈ + C q̇ + G.
fn needed(bodies: &[MovingBody], wrist: &AgileWrist, motion: &Motion, a: [f64; 3]) -> Vec3<f64> {
    let terms = Terms::sum(bodies, motion.v, wrist.gravity);
    terms.inertia * Vec3::from(a) + terms.printed_coriolis * motion.v + terms.gravity
}

/// The bodies, with something else done to each leg's two links.
fn changed(
    wrist: &AgileWrist,
    motion: &Motion,
    change: impl Fn(&PlacedLeg, &MovingLeg, &mut [MovingBody]),
) -> [MovingBody; 7] {
    let mut bodies = motion.bodies(wrist);
    for (links, (placed, moving)) in bodies.chunks_exact_mut(2).zip(motion.placed.iter().zip(&motion.moving)) {
        change(placed, moving, links);
    }
    bodies
}

/// Eq. 21 with R_i2 of eq. 27.
fn relative_attitude(wrist: &AgileWrist, motion: &Motion, [_, _, a]: Angles) -> Option<[f64; 3]> {
    let bodies = changed(wrist, motion, |placed, _, links| links[1].base_from_body = placed.first_from_second);
    torques(&bodies, wrist, motion, a)
}

/// Eqs 44 and 45 with R_i1ᵀ.
fn first_frame(wrist: &AgileWrist, motion: &Motion, [_, _, a]: Angles) -> Option<[f64; 3]> {
    let bodies = changed(wrist, motion, |placed, moving, links| {
        let &MovingLeg { r1, r2, b1, b2, theta_dot, psi_dot } = moving;
        let w = placed.base_from_link[0].transpose_times(placed.w);
        links[1].jacobian = outer(Z, r1) + outer(w, r2);
        let half = (r1.scale(psi_dot) + r2.scale(theta_dot)).scale(0.5);
        links[1].printed_rate = outer(Z, b1) + outer(w, b2) + outer(Z.cross(w), half);
    });
    torques(&bodies, wrist, motion, a)
}

/// Eq. 44 with i1R_i2 z.
fn inverse_axis(wrist: &AgileWrist, motion: &Motion, [_, _, a]: Angles) -> Option<[f64; 3]> {
    let bodies = changed(wrist, motion, |placed, moving, links| {
        links[1].jacobian = outer(placed.first_from_second.column(2), moving.r1) + outer(Z, moving.r2);
    });
    torques(&bodies, wrist, motion, a)
}

/// Eq. 47 with the partial derivatives ∂θ̈/∂q̇ and ∂ψ̈/∂q̇ of θ̈(q, q̇, q̈) and ψ̈(q, q̇, q̈).
fn literal_partials(wrist: &AgileWrist, motion: &Motion, [q, v, a]: Angles) -> Option<[f64; 3]> {
    let of = |v: [f64; 3]| wrist.motion(q, v).map(|motion| [motion.theta_ddot(a), motion.psi_ddot(a)]);
    let theta = gradients(|v| of(v).map(|[theta, _]| theta), v).ok()?;
    let psi = gradients(|v| of(v).map(|[_, psi]| psi), v).ok()?;
    let mut bodies = motion.bodies(wrist);
    for (k, (placed, moving)) in motion.placed.iter().zip(&motion.moving).enumerate() {
        let axis = placed.first_axis_in_second();
        let half = (moving.r1.scale(moving.psi_dot) + moving.r2.scale(moving.theta_dot)).scale(0.5);
        bodies[2 * k].printed_rate = outer(Z, theta[k]);
        bodies[2 * k + 1].printed_rate = outer(axis, theta[k]) + outer(Z, psi[k]) + outer(axis.cross(Z), half);
    }
    torques(&bodies, wrist, motion, a)
}

/// Eq. 47 without the halves.
fn without_halves(wrist: &AgileWrist, motion: &Motion, [_, _, a]: Angles) -> Option<[f64; 3]> {
    let bodies = changed(wrist, motion, |placed, moving, links| {
        let &MovingLeg { r1, r2, theta_dot, psi_dot, .. } = moving;
        let half = (r1.scale(psi_dot) + r2.scale(theta_dot)).scale(0.5);
        let across = placed.first_axis_in_second().cross(Z);
        links[1].printed_rate = links[1].printed_rate + outer(across, half);
    });
    torques(&bodies, wrist, motion, a)
}

/// Eq. 50 with h₁ in every row.
fn first_h(wrist: &AgileWrist, motion: &Motion, [_, _, a]: Angles) -> Option<[f64; 3]> {
    let placed = &motion.placed;
    let rows = [0, 1, 2].map(|k| motion.moving[k].r1.scale(placed[k].h / placed[0].h));
    let generalised = needed(&motion.bodies(wrist), wrist, motion, a);
    solve(&Mat3::from_rows(rows).transpose(), generalised).ok().map(Vec3::to_array)
}

/// Eq. 51: Q = J_act⁻ᵀ τ.
fn inverse_transposed(wrist: &AgileWrist, motion: &Motion, [_, _, a]: Angles) -> Option<[f64; 3]> {
    let generalised = needed(&motion.bodies(wrist), wrist, motion, a);
    Some(motion.drives().transpose_times(generalised).to_array())
}
