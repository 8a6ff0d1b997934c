//! The two-link arm of Mata et al., §5.1, in single and double precision.

use crate::common::golden;
use appell::robots;
use appell_papers::stability::{ANGLES, STEP, Study};

const FILE: &str = "c_ascher_two_link.json";

fn study() -> Study {
    let robot = robots::find("two-link").expect("built in").mechanism();
    Study::of(&robot).expect("regular")
}

#[test]
fn double_precision_equals_the_reference() {
    let (study, golden) = (study(), golden(FILE));
    for k in 0..ANGLES {
        let row: Vec<f64> = (0..4).map(|i| golden["reference"][k][i].as_f64().expect("a number")).collect();
        assert_eq!(row[0], (STEP * k) as f64);
        assert!((study.condition[k] - row[3]).abs() <= 1e-9 * row[3], "condition at {} deg", row[0]);
        for curves in &study.curves {
            for joint in 0..2 {
                let (ours, exact) = (curves.double[k][joint], row[joint + 1]);
                let close = (ours - exact).abs() <= 1e-9 * exact.abs().max(1.0);
                assert!(close, "{:?}, joint {} at {} deg: {ours} against {exact}", curves.method, joint + 1, row[0]);
            }
        }
    }
}

#[test]
fn what_is_sure_of_single_precision_holds() {
    for claim in study().claims() {
        assert!(claim.holds, "{}", claim.statement);
    }
}

/// What keeping the matrix in single precision costs at best, against the independent program of `tests/golden`.
#[test]
fn rounding_the_matrix_alone_costs_what_the_reference_says() {
    let floor = study().floor;
    let golden =
        &golden(FILE)["float32"]["m2=10 (recommended)"]["floor (exact D,bias rounded to float32, exact solve)"];
    for (ours, name) in [(floor.max, "max_abs"), (floor.mean, "mean_abs"), (floor.signed_mean, "mean_signed")] {
        let expected = golden[name][0].as_f64().expect("a number");
        assert!((ours - expected).abs() < 1e-6, "{name}: {ours} against {expected}");
    }
}
