//! The pseudo-inertia of a body, and coordinates in which it stays positive definite.
//!
//! P = L Lᵀ with L lower triangular and exponentials on its diagonal: ten free numbers for ten parameters, a smooth
//! one-to-one map onto all positive definite P (log-Cholesky, as Rucker2022 proposes for inertia). P is linear in the
//! parameters and dP = dL Lᵀ + L dLᵀ.

use appell::dynamics::regressor::OF_A_BODY;
use nalgebra::{Matrix3, Matrix4, SMatrix};

/// ∫ (x, 1) (x, 1)ᵀ dm of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoInertia(pub Matrix4<f64>);

/// Row and column of the ten numbers of L.
const ENTRIES: [(usize, usize); OF_A_BODY] =
    [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];

impl PseudoInertia {
    /// From m, m c, and Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin.
    #[must_use]
    pub fn of([m, x, y, z, xx, xy, yy, xz, yz, zz]: [f64; OF_A_BODY]) -> Self {
        let half = 0.5 * (xx + yy + zz);
        Self(Matrix4::new(
            half - xx,
            -xy,
            -xz,
            x, //
            -xy,
            half - yy,
            -yz,
            y, //
            -xz,
            -yz,
            half - zz,
            z, //
            x,
            y,
            z,
            m,
        ))
    }

    /// The ten parameters: the way back.
    #[must_use]
    pub fn parameters(&self) -> [f64; OF_A_BODY] {
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

    /// The same with second moments about the centre of mass that are larger by `part` of their mean, in all directions: a
    /// thin body made thick.
    #[must_use]
    pub fn thickened(&self, part: f64) -> Self {
        let mut thick = *self;
        let mean = self.least_second_moment().1 / 3.0;
        (0..3).for_each(|k| thick.0[(k, k)] += part * mean);
        thick
    }

    /// L; `None` unless P is positive definite.
    #[must_use]
    pub fn factor(&self) -> Option<Matrix4<f64>> {
        self.0.cholesky().map(|cholesky| cholesky.l())
    }

    /// The ten coordinates; `None` unless P is positive definite.
    #[must_use]
    pub fn coordinates(&self) -> Option<[f64; OF_A_BODY]> {
        let l = self.factor()?;
        Some(ENTRIES.map(|(i, k)| if i == k { l[(i, i)].ln() } else { l[(i, k)] }))
    }

    /// From the ten coordinates, with the derivatives of the parameters: a column a coordinate.
    #[must_use]
    pub fn at(coordinates: [f64; OF_A_BODY]) -> (Self, SMatrix<f64, OF_A_BODY, OF_A_BODY>) {
        let mut l = Matrix4::zeros();
        for ((i, k), x) in ENTRIES.into_iter().zip(coordinates) {
            l[(i, k)] = if i == k { x.exp() } else { x };
        }
        let mut derivatives = SMatrix::<f64, OF_A_BODY, OF_A_BODY>::zeros();
        for (column, (i, k)) in ENTRIES.into_iter().enumerate() {
            let mut change = Matrix4::zeros();
            change[(i, k)] = if i == k { l[(i, i)] } else { 1.0 };
            let half = change * l.transpose();
            derivatives.set_column(column, &Self(half + half.transpose()).parameters().into());
        }
        (Self(l * l.transpose()), derivatives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::dynamics::regressor;
    use appell::sample::Sampler;

    fn random_body(sampler: &mut Sampler) -> [f64; OF_A_BODY] {
        let body = sampler.body();
        let (c, i) = (body.com, body.inertia);
        regressor::from_urdf([body.mass, c.x, c.y, c.z, i.xx, i.xy, i.xz, i.yy, i.yz, i.zz])
    }

    #[test]
    fn parameters_and_coordinates_come_back() {
        let mut sampler = Sampler::new(4);
        for _ in 0..20 {
            let parameters = random_body(&mut sampler);
            let body = PseudoInertia::of(parameters);
            let (back, _) = PseudoInertia::at(body.coordinates().unwrap());
            for (a, b) in back.parameters().into_iter().zip(parameters) {
                assert!((a - b).abs() < 1e-13, "{a} {b}");
            }
        }
    }

    /// The derivatives against central differences.
    #[test]
    fn derivatives_are_exact() {
        let mut sampler = Sampler::new(5);
        let at = PseudoInertia::of(random_body(&mut sampler)).coordinates().unwrap();
        let (_, derivatives) = PseudoInertia::at(at);
        for k in 0..OF_A_BODY {
            let moved = |step: f64| {
                let mut moved = at;
                moved[k] += step;
                PseudoInertia::at(moved).0.parameters()
            };
            let (up, down) = (moved(1e-6), moved(-1e-6));
            for i in 0..OF_A_BODY {
                let difference = (up[i] - down[i]) / 2e-6;
                assert!((difference - derivatives[(i, k)]).abs() < 1e-8, "({i}, {k})");
            }
        }
    }

    #[test]
    fn a_rod_is_thin_until_it_is_thickened() {
        let rod = PseudoInertia::of([2.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.1]);
        assert!(rod.coordinates().is_none());
        assert!(rod.thickened(1e-3).coordinates().is_some());
    }
}
