//! Counts as polynomials of the number of joints.

use appell_papers::Polynomial;

#[test]
fn prints_as_the_papers_do() {
    for (numerators, denominator, text) in [
        ([0, 0, 96, -101], 1, "96n − 101"),
        ([0, 17, 63, -138], 2, "8.5n² + 31.5n − 69"),
        ([1, 3, 2, 0], 6, "n³/6 + n²/2 + n/3"),
        ([1, 78, 695, -942], 6, "n³/6 + 13n² + 695n/6 − 157"),
        ([0, 1, -1, 0], 1, "n² − n"),
        ([0, 0, -1, 1], 1, "−n + 1"),
        ([0, 0, 0, 0], 4, "0"),
    ] {
        assert_eq!(Polynomial::new(numerators, denominator).to_string(), text);
    }
}

#[test]
fn differences_are_polynomials() {
    let (ours, printed) = (Polynomial::new([1, 78, 701, -954], 6), Polynomial::new([1, 78, 695, -942], 6));
    assert_eq!(ours.minus(&printed).to_string(), "n − 2");
    assert_eq!(ours.minus(&ours).to_string(), "0");
}

#[test]
fn goes_through_its_own_values() {
    for polynomial in [Polynomial::linear(96, -101), Polynomial::new([1, 78, 695, -942], 6)] {
        assert_eq!(Polynomial::through([2, 3, 4, 5].map(|n| polynomial.at(n))), polynomial);
    }
}
