//! Values between samples, as smooth as they come.

/// A cubic spline, as curved at its ends as next to them: x″ of its knots from a tridiagonal system.
///
/// h_{i−1} x″_{i−1} + 2 (h_{i−1} + h_i) x″_i + h_i x″_{i+1} = 6 (Δx_i / h_i − Δx_{i−1} / h_{i−1}),   x″_0 = x″_1,   x″_n = x″_{n−1}
pub(super) struct Spline<'t> {
    times: &'t [f64],
    values: Vec<f64>,
    curvatures: Vec<f64>,
}

impl<'t> Spline<'t> {
    pub(super) fn through(times: &'t [f64], values: Vec<f64>) -> Self {
        let n = times.len();
        let h = |i: usize| times[i + 1] - times[i];
        let rise = |i: usize| (values[i + 1] - values[i]) / h(i);
        let (mut diagonal, mut curvatures) = (vec![1.0; n], vec![0.0; n]);
        for i in 1..n.saturating_sub(1) {
            let own = 2.0 * (h(i - 1) + h(i));
            let at_ends = if i == 1 { h(0) } else { 0.0 } + if i == n - 2 { h(i) } else { 0.0 };
            let factor = if i == 1 { 0.0 } else { h(i - 1) / diagonal[i - 1] };
            diagonal[i] = own + at_ends - factor * h(i - 1);
            curvatures[i] = 6.0 * (rise(i) - rise(i - 1)) - factor * curvatures[i - 1];
        }
        for i in (1..n.saturating_sub(1)).rev() {
            let next = if i + 2 < n { h(i) * curvatures[i + 1] } else { 0.0 };
            curvatures[i] = (curvatures[i] - next) / diagonal[i];
        }
        if n > 2 {
            (curvatures[0], curvatures[n - 1]) = (curvatures[1], curvatures[n - 2]);
        }
        Self { times, values, curvatures }
    }

    /// Its values at instants that grow.
    pub(super) fn at(&self, instants: &[f64]) -> Vec<f64> {
        let mut k = 0;
        let value = |&t: &f64| {
            while k + 2 < self.times.len() && self.times[k + 1] < t {
                k += 1;
            }
            let h = self.times[k + 1] - self.times[k];
            let (a, b) = ((self.times[k + 1] - t) / h, (t - self.times[k]) / h);
            let bent = (a.powi(3) - a) * self.curvatures[k] + (b.powi(3) - b) * self.curvatures[k + 1];
            a * self.values[k] + b * self.values[k + 1] + bent * h * h / 6.0
        };
        instants.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parabolas are their own spline, up to the ends; sines are met to fourth order between them.
    #[test]
    fn splines_are_of_fourth_order() {
        let knots =
            |n: usize| -> Vec<f64> { (0..=n).map(|k| (k as f64 + 0.3 * (k % 2) as f64) * 3.0 / n as f64).collect() };
        let missed = |n: usize, of: fn(f64) -> f64, ends: usize| {
            let times = knots(n);
            let spline = Spline::through(&times, times.iter().map(|&t| of(t)).collect());
            let between: Vec<f64> = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
            let errors = spline.at(&between).into_iter().zip(&between).map(|(x, &t)| (x - of(t)).abs());
            errors.skip(ends).take(n - 2 * ends).fold(0.0, f64::max)
        };
        assert!(missed(30, |t| 1.0 - 2.0 * t + 3.0 * t * t, 0) < 1e-13);
        let order = (missed(60, f64::sin, 12) / missed(120, f64::sin, 24)).log2();
        assert!((order - 4.0).abs() < 0.2, "{order}");
    }
}
