//! Polynomials of one number: their value with two derivatives, and the one of degree 5 between given ends.

/// Value, first and second derivative at `s` of Σ c_k sᵏ, the constant first, by Horner's formulation.
#[inline]
pub fn evaluate(coefficients: &[f64], s: f64) -> [f64; 3] {
    let [mut value, mut rate, mut half] = [0.0; 3];
    for &c in coefficients.iter().rev() {
        half = s.mul_add(half, rate);
        rate = s.mul_add(rate, value);
        value = s.mul_add(value, c);
    }
    [value, rate, 2.0 * half]
}

/// The polynomial of degree 5 whose value, first and second derivative are `start` at 0 and `end` at `h`, which may be
/// negative.
///
/// In σ = s / h the coefficients are C_k = c_k hᵏ, and what C₀ to C₂ leave of the three numbers at σ = 1 gives C₃ to C₅:
///
/// ```text
/// C₃ = 10 x − 4 v + a / 2      C₄ = −15 x + 7 v − a      C₅ = 6 x − 3 v + a / 2
/// ```
pub fn quintic(h: f64, start: [f64; 3], end: [f64; 3]) -> [f64; 6] {
    let [c0, c1, c2] = [start[0], start[1] * h, 0.5 * start[2] * h * h];
    let (x, v, a) = (end[0] - c0 - c1 - c2, end[1] * h - c1 - 2.0 * c2, end[2] * h * h - 2.0 * c2);
    let scaled = [c0, c1, c2, 10.0 * x - 4.0 * v + 0.5 * a, -15.0 * x + 7.0 * v - a, 6.0 * x - 3.0 * v + 0.5 * a];
    unscaled(h, scaled)
}

/// The polynomial of degree 3 whose value and derivative are `start` at 0 and `end` at `h`; the last two of six are zero.
pub fn cubic(h: f64, start: [f64; 2], end: [f64; 2]) -> [f64; 6] {
    let (x, v0, v1) = (end[0] - start[0], start[1] * h, end[1] * h);
    unscaled(h, [start[0], v0, 3.0 * x - 2.0 * v0 - v1, v0 + v1 - 2.0 * x, 0.0, 0.0])
}

/// c_k = C_k / hᵏ.
fn unscaled(h: f64, scaled: [f64; 6]) -> [f64; 6] {
    let mut power = 1.0;
    scaled.map(|coefficient| {
        let coefficient = coefficient / power;
        power *= h;
        coefficient
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_as_given() {
        let (start, end) = ([0.3, -1.2, 2.5], [-0.7, 0.4, 1.1]);
        for h in [0.01, -0.5, 3.0] {
            let close = |found: &[f64], expected: &[f64]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8);
            let five = quintic(h, start, end);
            assert!(close(&evaluate(&five, 0.0), &start) && close(&evaluate(&five, h), &end), "{h}");
            let three = cubic(h, [start[0], start[1]], [end[0], end[1]]);
            assert!(close(&evaluate(&three, 0.0)[..2], &start) && close(&evaluate(&three, h)[..2], &end), "{h}");
        }
    }
}
