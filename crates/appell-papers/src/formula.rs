//! Operation counts as the papers print them: polynomials in the number of joints.

use appell::real::Count;
use core::fmt;

/// A polynomial in n of degree three at most, with rational coefficients.
///
/// ```
/// use appell_papers::Polynomial;
/// let inertia_matrix = Polynomial::new([0, 23, 39, -98], 2);
/// assert_eq!(inertia_matrix.to_string(), "11.5n² + 19.5n − 49");
/// assert_eq!(inertia_matrix.at(6), 482);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Polynomial {
    numerators: [i64; 4], // of n³, n², n, 1
    denominator: i64,     // positive, in lowest terms with the numerators
}

impl Polynomial {
    /// The polynomial whose coefficients of n³, n², n and 1 are `numerators` over one `denominator`.
    ///
    /// # Panics
    /// If `denominator` is not positive.
    #[must_use]
    pub const fn new(numerators: [i64; 4], denominator: i64) -> Self {
        assert!(denominator > 0, "a positive denominator");
        let [a, b, c, d] = numerators;
        let common = gcd(gcd(gcd(gcd(denominator, a), b), c), d);
        Self { numerators: [a / common, b / common, c / common, d / common], denominator: denominator / common }
    }

    /// `slope` n + `constant`.
    #[must_use]
    pub const fn linear(slope: i64, constant: i64) -> Self {
        Self::new([0, 0, slope, constant], 1)
    }

    /// The polynomial through the values at n = 2, 3, 4 and 5, by Newton's differences.
    #[must_use]
    pub const fn through([at_2, at_3, at_4, at_5]: [i64; 4]) -> Self {
        let first = at_3 - at_2;
        let second = at_4 - 2 * at_3 + at_2;
        let third = at_5 - 3 * at_4 + 3 * at_3 - at_2;
        // at_2 + first (n−2) + second (n−2)(n−3)/2 + third (n−2)(n−3)(n−4)/6, multiplied out
        let numerators = [
            third,
            3 * second - 9 * third,
            6 * first - 15 * second + 26 * third,
            6 * at_2 - 12 * first + 18 * second - 24 * third,
        ];
        Self::new(numerators, 6)
    }

    /// Its value at `n`.
    ///
    /// # Panics
    /// If the value is not whole, as every count is.
    #[must_use]
    pub const fn at(&self, n: i64) -> i64 {
        let [a, b, c, d] = self.numerators;
        let value = ((a * n + b) * n + c) * n + d;
        assert!(value % self.denominator == 0, "a count is whole");
        value / self.denominator
    }

    /// The difference to another polynomial.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let over_both = |i: usize| self.numerators[i] * other.denominator - other.numerators[i] * self.denominator;
        Self::new([0, 1, 2, 3].map(over_both), self.denominator * other.denominator)
    }
}

const fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Halves as decimals, `11.5n²`, other fractions as such, `n³/6`.
impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut begun = false;
        for (&numerator, power) in self.numerators.iter().zip(["n³", "n²", "n", ""]) {
            if numerator == 0 {
                continue;
            }
            let common = gcd(numerator, self.denominator);
            let (size, denominator) = (numerator.abs() / common, self.denominator / common);
            f.write_str(match (begun, numerator > 0) {
                (false, true) => "",
                (false, false) => "−",
                (true, true) => " + ",
                (true, false) => " − ",
            })?;
            begun = true;
            match (size, denominator) {
                (1, 1) if !power.is_empty() => f.write_str(power)?,
                (_, 1) => write!(f, "{size}{power}")?,
                (_, 2) if self.denominator == 2 => write!(f, "{}.5{power}", size / 2)?,
                (1, _) if !power.is_empty() => write!(f, "{power}/{denominator}")?,
                _ => write!(f, "{size}{power}/{denominator}")?,
            }
        }
        if begun { Ok(()) } else { f.write_str("0") }
    }
}

/// What an algorithm costs on a robot of n joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula {
    /// × ÷ √
    pub multiplications: Polynomial,
    /// + −
    pub additions: Polynomial,
}

impl Formula {
    /// A formula from its two polynomials.
    #[must_use]
    pub const fn new(multiplications: Polynomial, additions: Polynomial) -> Self {
        Self { multiplications, additions }
    }

    /// `[slope, constant]` of the multiplications, then of the additions.
    #[must_use]
    pub const fn linear(multiplications: [i64; 2], additions: [i64; 2]) -> Self {
        let [[a, b], [c, d]] = [multiplications, additions];
        Self::new(Polynomial::linear(a, b), Polynomial::linear(c, d))
    }

    /// The count for `n` joints.
    ///
    /// # Panics
    /// If the formula gives no count there, because it is negative or not whole.
    #[must_use]
    pub fn at(&self, n: usize) -> Count {
        let [multiplications, additions] = [self.multiplications, self.additions]
            .map(|polynomial| u64::try_from(polynomial.at(n as i64)).expect("a count is not negative"));
        Count { multiplications, additions }
    }
}
