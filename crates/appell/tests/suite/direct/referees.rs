//! The same solutions by another derivation: one polynomial in z = e^{iθ}, found from its values on the unit circle, and its roots.
//!
//! Real angles are roots on the circle. Planar platforms: θ is the platform's turn; with two of the distances p is linear in the third
//! equation, 6 roots (Gosselin1992). Spherical robots: the first angle leaves two turns, φ about the fixed direction and ψ about that of the
//! platform; the resultant of the others by ψ has 8 roots in φ (Gosselin1994). Legs in pairs: each pair lets its point of the platform run on
//! a circle, and the distances of the points tie three angles together; the resultant has 16 roots in the first (Nanua1990).

use appell::spatial::Vec3;
use core::f64::consts::TAU;

/// A complex number, for the referees alone.
type Complex = [f64; 2];

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

fn minus([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a - c, b - d]
}

fn over([a, b]: Complex, [c, d]: Complex) -> Complex {
    let square = c * c + d * d;
    [(a * c + b * d) / square, (b * c - a * d) / square]
}

/// How many zeros a trigonometric polynomial of a degree has, and its real zeros, as angles.
pub(super) fn zeros(degree: usize, value: impl Fn(f64) -> f64) -> (usize, Vec<f64>) {
    let (n, samples) = (2 * degree, 4 * degree + 3);
    // z^degree times the sum is a polynomial of twice the degree.
    let coefficient = |k: usize| {
        let frequency = k as f64 - degree as f64;
        let sum = (0..samples).fold([0.0, 0.0], |sum, i| {
            let angle = TAU * i as f64 / samples as f64;
            let (sin, cos) = (-frequency * angle).sin_cos();
            [sum[0] + value(angle) * cos, sum[1] + value(angle) * sin]
        });
        sum.map(|x| x / samples as f64)
    };
    let polynomial: Vec<Complex> = (0..=n).map(coefficient).collect();
    let size = |[a, b]: Complex| a.hypot(b);
    // Sums of values leave 1e-16 or so.
    assert!(size(polynomial[n]) > 1e-13 * polynomial.iter().copied().map(size).fold(0.0, f64::max), "of full degree");
    // All roots together (Weierstrass, Durand, Kerner).
    let mut roots: Vec<Complex> =
        (0..n).map(|k| (0.4 + TAU * k as f64 / n as f64).sin_cos()).map(|(sin, cos)| [1.1 * cos, 1.1 * sin]).collect();
    for _ in 0..500 {
        for k in 0..n {
            let z = roots[k];
            let value = polynomial.iter().rev().fold([0.0, 0.0], |sum, c| {
                let product = times(sum, z);
                [product[0] + c[0], product[1] + c[1]]
            });
            let others =
                (0..n).filter(|&j| j != k).fold(polynomial[n], |product, j| times(product, minus(z, roots[j])));
            roots[k] = minus(z, over(value, others));
        }
    }
    let real = roots.iter().filter(|&&z| (size(z) - 1.0).abs() < 1e-7).map(|z| z[1].atan2(z[0]));
    (n, real.collect())
}

/// Turns θ of a planar platform with |R a + p − b| = l, given by a, b and l.
pub(super) fn planar(legs: &[([f64; 2], [f64; 2], f64); 3]) -> (usize, Vec<f64>) {
    let value = |theta: f64| {
        let (sin, cos) = theta.sin_cos();
        // c = b − R a, the centres of circles on which p is.
        let centre =
            |&(a, b, _): &([f64; 2], [f64; 2], f64)| [b[0] - cos * a[0] + sin * a[1], b[1] - sin * a[0] - cos * a[1]];
        let c = legs.each_ref().map(centre);
        let square = |k: usize| c[k][0] * c[k][0] + c[k][1] * c[k][1] - legs[k].2 * legs[k].2;
        // 2 (c₁ − cₖ)·p = square(1) − square(k): Cramer's rule, the determinant left on the other side.
        let [d, e] = [1, 2].map(|k| [2.0 * (c[0][0] - c[k][0]), 2.0 * (c[0][1] - c[k][1])]);
        let [g, h] = [1, 2].map(|k| square(0) - square(k));
        let det = d[0] * e[1] - d[1] * e[0];
        let (x, y) = (g * e[1] - d[1] * h, d[0] * h - g * e[0]);
        let (x, y) = (x - det * c[0][0], y - det * c[0][1]);
        x * x + y * y - det * det * legs[0].2 * legs[0].2
    };
    zeros(3, value)
}

/// Turns φ about w₁ of a body with w·R v = c, given by v, w and c. At φ = 0 the first v is in the plane of w₁ and `across`.
pub(super) fn spherical(legs: &[(Vec3, Vec3, f64); 3], across: Vec3) -> (usize, Vec<f64>) {
    let (v1, w1, c1) = legs[0];
    let turned = |axis: Vec3, angle: f64, x: Vec3| {
        let (sin, cos) = angle.sin_cos();
        let along = axis.scale(axis.dot(x));
        along + (x - along).scale(cos) + axis.cross(x).scale(sin)
    };
    let value = |phi: f64| {
        // Where the first direction is, and of every other equation a + b cos ψ + d sin ψ = 0.
        let first = turned(w1, phi, w1.scale(c1) + across.scale((1.0 - c1 * c1).sqrt()));
        let normal = turned(w1, phi, w1.cross(across));
        // A frame of the body at ψ = 0: v₁ on `first`, what is across v₁ on `normal`.
        let u = v1.cross(if v1.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) });
        let u = u.scale(1.0 / u.norm());
        let t = v1.cross(u);
        let rows = [1, 2].map(|k| {
            let (v, w, c) = legs[k];
            let [x, y, z] = [v1.dot(v), u.dot(v), t.dot(v)];
            let third = first.cross(normal);
            // R v = x first + (y cos ψ − z sin ψ) normal + (y sin ψ + z cos ψ) third.
            let (n, o) = (w.dot(normal), w.dot(third));
            [x * w.dot(first) - c, y * n + z * o, y * o - z * n]
        });
        // cos ψ and sin ψ by Cramer's rule, and cos² + sin² = 1.
        let [[a, b, d], [e, f, g]] = rows;
        let det = b * g - d * f;
        let (cos, sin) = (-(a * g - d * e), -(b * e - a * f));
        cos * cos + sin * sin - det * det
    };
    zeros(4, value)
}

/// A circle on which a point of a platform is held by two legs.
pub(super) struct Circle {
    centre: Vec3,
    /// Two radii at right angles.
    radii: [Vec3; 2],
}

impl Circle {
    /// That of points at two lengths from two centres.
    pub(super) fn new([b, c]: [Vec3; 2], [l, m]: [f64; 2]) -> Self {
        let line = c - b;
        let square = line.dot(line);
        let along = 0.5 * (1.0 + (l * l - m * m) / square);
        let radius = (l * l - along * along * square).sqrt();
        let any = if line.x.abs() < 0.6 * square.sqrt() { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
        let first = line.cross(any);
        let second = line.cross(first);
        let radii = [first, second].map(|axis| axis.scale(radius / axis.norm()));
        Self { centre: b + line.scale(along), radii }
    }

    fn point(&self, angle: f64) -> Vec3 {
        let (sin, cos) = angle.sin_cos();
        self.centre + self.radii[0].scale(cos) + self.radii[1].scale(sin)
    }

    /// Where on it a point is.
    pub(super) fn angle(&self, point: Vec3) -> f64 {
        let arm = point - self.centre;
        arm.dot(self.radii[1]).atan2(arm.dot(self.radii[0]))
    }

    /// Of points p on it at a distance from another, a + b cos + c sin = 0.
    fn at_distance(&self, from: Vec3, distance: f64) -> [f64; 3] {
        let arm = self.centre - from;
        let constant = arm.dot(arm) + self.radii[0].dot(self.radii[0]) - distance * distance;
        [constant, 2.0 * arm.dot(self.radii[0]), 2.0 * arm.dot(self.radii[1])]
    }
}

/// Angles of the first point on its circle; `distances` of the first and second points, second and third, third and first.
pub(super) fn paired(circles: &[Circle; 3], distances: [f64; 3]) -> (usize, Vec<f64>) {
    let [_, second, third] = circles;
    let value = |angle: f64| {
        let first = circles[0].point(angle);
        // cos = (u ± x √D) / n, sin likewise: the two places of the second and of the third point.
        let places = |[a, b, c]: [f64; 3]| ([-a * b, -a * c], [-c, b], b * b + c * c, b * b + c * c - a * a);
        let (u, x, n, d) = places(second.at_distance(first, distances[0]));
        let (v, y, m, e) = places(third.at_distance(first, distances[2]));
        // n m (|p₂ − p₃|² − l²) = α ± β √D ± γ √E ± δ √(D E), bilinear in what stands for the second and for the third.
        let arm = second.centre - third.centre;
        let squares = second.radii[0].dot(second.radii[0]) + third.radii[0].dot(third.radii[0]);
        let constant = arm.dot(arm) + squares - distances[1] * distances[1];
        let of = |radii: &[Vec3; 2], w: [f64; 2]| radii[0].scale(w[0]) + radii[1].scale(w[1]);
        let (pu, px, pv, py) = (of(&second.radii, u), of(&second.radii, x), of(&third.radii, v), of(&third.radii, y));
        let alpha = n * m * constant + 2.0 * (m * arm.dot(pu) - n * arm.dot(pv) - pu.dot(pv));
        let beta = 2.0 * (m * arm.dot(px) - px.dot(pv));
        let gamma = -2.0 * (n * arm.dot(py) + pu.dot(py));
        let delta = -2.0 * px.dot(py);
        // The product over all signs, and what n and m brought with them.
        let (even, odd) = (
            alpha * alpha + beta * beta * d - e * (gamma * gamma + delta * delta * d),
            2.0 * (alpha * beta - e * gamma * delta),
        );
        (even * even - odd * odd * d) / (n * m * n * m)
    };
    zeros(8, value)
}
