//! The pseudo-inertia of a body: linear in its ten parameters.

use appell::dynamics::regressor::PARAMETERS_PER_BODY;
use nalgebra::{Matrix3, Matrix4};

/// Second moments about the centre of mass below this, over those about the origin, are rounding.
const POINT: f64 = 1e-9;
/// kg/m³.
const ALUMINIUM: f64 = 2700.0;
/// Links are no heavier than if they were of solid lead, kg/m³.
const LEAD: f64 = 11_340.0;

/// ∫ (x, 1) (x, 1)ᵀ dm of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoInertia(pub Matrix4<f64>);

impl PseudoInertia {
    /// From m, m c, and Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin.
    #[must_use]
    pub fn of([m, x, y, z, xx, xy, yy, xz, yz, zz]: [f64; PARAMETERS_PER_BODY]) -> Self {
        let half = 0.5 * (xx + yy + zz);
        let rows = [[half - xx, -xy, -xz, x], [-xy, half - yy, -yz, y], [-xz, -yz, half - zz, z], [x, y, z, m]];
        Self(rows.into())
    }

    /// The ten parameters: the way back.
    #[must_use]
    pub fn parameters(&self) -> [f64; PARAMETERS_PER_BODY] {
        let p = &self.0;
        let (x, y, z) = (p[(0, 0)], p[(1, 1)], p[(2, 2)]);
        [p[(3, 3)], p[(0, 3)], p[(1, 3)], p[(2, 3)], y + z, -p[(0, 1)], x + z, -p[(0, 2)], -p[(1, 2)], x + y]
    }

    /// The least eigenvalue of Σ about the centre of mass, and its trace, kg m²; the mass must not be zero.
    #[must_use]
    pub fn least_second_moment(&self) -> (f64, f64) {
        let h = self.0.fixed_view::<3, 1>(0, 3);
        let about_centre: Matrix3<f64> = self.0.fixed_view::<3, 3>(0, 0) - h * h.transpose() / self.0[(3, 3)];
        (about_centre.symmetric_eigenvalues().min(), about_centre.trace().abs())
    }

    /// Whether all of the mass is in one point.
    #[must_use]
    pub fn is_point(&self) -> bool {
        let whole: f64 = (0..3).map(|k| self.0[(k, k)]).sum();
        self.least_second_moment().1 <= POINT * whole
    }

    /// A point's mass as a ball of aluminium about it: ∫x² dm = m r²/5 in all directions.
    #[must_use]
    pub fn as_ball(&self) -> Self {
        let mass = self.0[(3, 3)];
        let radius = (0.75 * mass / (core::f64::consts::PI * ALUMINIUM)).cbrt();
        let mut ball = *self;
        (0..3).for_each(|k| ball.0[(k, k)] += mass * radius * radius / 5.0);
        ball
    }

    /// Second moments about the centre of mass over the mass, m².
    fn shape(&self) -> Matrix3<f64> {
        let (mass, h) = (self.0[(3, 3)], self.0.fixed_view::<3, 1>(0, 3));
        (self.0.fixed_view::<3, 3>(0, 0) - h * h.transpose() / mass) / mass
    }

    /// Of the box with the same mass and moments, kg/m³.
    pub(super) fn density(&self) -> f64 {
        self.0[(3, 3)] / volume(&self.shape())
    }

    /// Second moments about the centre of mass over the mass, m², of the same shape in lead, as a box would have them, or half of
    /// its own where they are smaller.
    pub(super) fn smallest(&self) -> Matrix4<f64> {
        let part = (self.density() / LEAD).powf(2.0 / 3.0).min(0.5);
        let mut smallest = Matrix4::zeros();
        smallest.fixed_view_mut::<3, 3>(0, 0).copy_from(&(self.shape() * part));
        smallest
    }

    /// The same with second moments about the centre of mass that are larger by `part` of their mean, in all directions: a
    /// thin body made thick.
    #[must_use]
    pub fn thickened(&self, part: f64) -> Self {
        let mut thick = *self;
        let mean = self.least_second_moment().1 / 3.0;
        (0..3).for_each(|k| thick.0[(k, k)] += part * mean);
        thick
    }
}

/// Of the box with these second moments over its mass, m³: √(12 Σ/m) are its sides.
pub(super) fn volume(shape: &Matrix3<f64>) -> f64 {
    (shape * 12.0).determinant().max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::dynamics::regressor;
    use appell::sample::Sampler;

    fn random_body(sampler: &mut Sampler) -> [f64; PARAMETERS_PER_BODY] {
        let body = sampler.body();
        let (c, i) = (body.com, body.inertia);
        regressor::from_urdf([body.mass, c.x, c.y, c.z, i.xx, i.xy, i.xz, i.yy, i.yz, i.zz])
    }

    /// Parameters come back, and real bodies are positive definite with the second moments that their points have.
    #[test]
    fn parameters_come_back() {
        let mut sampler = Sampler::new(4);
        for _ in 0..20 {
            let parameters = random_body(&mut sampler);
            let body = PseudoInertia::of(parameters);
            for (a, b) in body.parameters().into_iter().zip(parameters) {
                assert!((a - b).abs() < 1e-14, "{a} {b}");
            }
            let (least, size) = body.least_second_moment();
            assert!(body.0.cholesky().is_some() && least > 0.0 && least < size / 3.0);
        }
    }

    /// A kilogram of aluminium is 370 cm³, a ball of radius 4.455 cm: 2/5 m r² = 7.94e-4 kg m².
    #[test]
    fn a_point_becomes_a_ball_about_itself() {
        let point = PseudoInertia::of([1.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.09, 0.0, 0.0, 0.09]);
        assert!(point.is_point() && !point.as_ball().is_point());
        let [m, x, .., xx, _, yy, _, _, _] = point.as_ball().parameters();
        assert_eq!((m, x), (1.0, 0.3));
        assert!((xx - 7.94e-4).abs() < 1e-6 && (yy - xx - 0.09).abs() < 1e-12, "{xx} {yy}");
    }

    /// A litre of water as a cube shrinks to one of lead, with (1/11.34)^⅔ of its second moments; about its own centre, wherever that is.
    #[test]
    fn bodies_shrink_until_they_are_of_metal() {
        let (side, x) = (0.1_f64, 0.4);
        let about_centre = side * side / 6.0;
        let cube = PseudoInertia::of([
            1.0,
            x,
            0.0,
            0.0,
            about_centre,
            0.0,
            about_centre + x * x,
            0.0,
            0.0,
            about_centre + x * x,
        ]);
        let expected = side * side / 12.0 * 11.34_f64.powf(-2.0 / 3.0);
        let found = cube.smallest();
        assert!((0..3).all(|k| (found[(k, k)] / expected - 1.0).abs() < 1e-9), "{found} {expected}");
        assert!(found[(3, 3)] == 0.0 && found[(0, 1)].abs() < 1e-15);
        let heavy = PseudoInertia::of([100.0, 0.0, 0.0, 0.0, 1e-2, 0.0, 1e-2, 0.0, 0.0, 1e-2]);
        assert!((heavy.smallest()[(0, 0)] - 0.25e-4).abs() < 1e-12, "half of its own");
    }

    #[test]
    fn a_rod_is_thin_until_it_is_thickened() {
        let rod = PseudoInertia::of([2.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.1]);
        assert!(rod.0.cholesky().is_none());
        assert!(rod.thickened(1e-3).0.cholesky().is_some());
    }
}
