//! The counts that the papers print, made by the code that users run.

use crate::common::golden;
use appell::dynamics::{gibbs_appell_inertia, gibbs_appell_vectorial};
use appell::real::Count;
use appell_papers::counts::{CHOLESKY_STEPS, JOINTS, Work, count, measure};
use appell_papers::tables;
use serde_json::Value;

/// Every line of every table of which we claim something, n by n.
#[test]
fn tables_hold_for_two_to_thirty_joints() {
    use tables::Ours;
    for (table, line) in tables::ALL.iter().flat_map(|table| table.lines.iter().map(move |line| (table, line))) {
        let (work, step, claim) = match line.ours {
            Ours::Same(work, step) => (work, step, line.formula),
            Ours::Instead(work, step, claim) => (work, step, Some(claim)),
            Ours::Akin(_) | Ours::None => continue,
        };
        let claim = claim.expect("a claim is a formula");
        for n in JOINTS {
            let ours = count(&measure(work, n), step);
            assert_eq!(ours, claim.at(n), "{} {}, {}, n = {n}", table.paper, table.name, line.label);
        }
    }
}

/// What the report shows agrees with what the papers print, or with what we say instead.
#[test]
fn lines_measure_as_claimed() {
    for line in tables::ALL.iter().flat_map(|table| table.lines) {
        assert!(line.measure().is_none_or(|measured| measured.as_claimed), "{}", line.label);
    }
}

/// The independent program of `tests/golden` counted the same, down to a single joint.
#[test]
fn golden_counts() {
    let golden = golden("f_opcounts.json");
    let rows = golden["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 30);
    for row in rows {
        let n = row["n"].as_u64().expect("n") as usize;
        let check = |work, step, expected: &Value, what: &str| {
            assert_eq!(count(&measure(work, n), step), pair(expected), "{what}, n = {n}");
        };
        check(Work::Tensor, None, &row["id"], "inverse dynamics");
        check(Work::Bias, None, &row["bias"], "bias");
        check(Work::Inertia, None, &row["inertia"], "inertia matrix");
        check(Work::Vectorial, None, &row["vec"], "vectorial");
        check(Work::Cholesky, Some(CHOLESKY_STEPS[0]), &row["chol"], "Cholesky");
        check(Work::Cholesky, Some(CHOLESKY_STEPS[1]), &row["solve"], "substitutions");
        let steps = |names: &[&'static str], work, key: &str| {
            for name in names {
                let number = name.strip_prefix("step ").expect("a numbered step");
                let expected = row[key].get(number).map_or(Count::default(), pair);
                assert_eq!(count(&measure(work, n), Some(name)), expected, "{key} {name}, n = {n}");
            }
        };
        steps(&gibbs_appell_inertia::STEPS, Work::Inertia, "inertia_steps");
        steps(&gibbs_appell_vectorial::STEPS, Work::Vectorial, "vec_steps");
    }
}

/// The printed bias, 96n − 108 × and 83n − 105 +, cannot be met together with table 1; ours does not exceed what can.
#[test]
fn bias_costs_no_more_than_the_paper_can_mean() {
    for n in JOINTS {
        let Count { multiplications, additions } = count(&measure(Work::Bias, n), None);
        assert!(multiplications <= 96 * n as u64 - 108 && additions <= 83 * n as u64 - 104, "n = {n}");
    }
}

fn pair(value: &Value) -> Count {
    let number = |i: usize| value[i].as_u64().expect("a count");
    Count::new(number(0), number(1))
}

/// The papers' own figures for n = 6 follow from their formulas, all of them.
#[test]
fn figures_for_six_joints_follow_from_the_formulas() {
    for line in tables::ALL.iter().flat_map(|table| table.lines) {
        if let (Some(formula), Some(at_six)) = (line.formula, line.at_six) {
            assert_eq!(formula.at(6), at_six, "{}", line.label);
        }
    }
}

/// The printed total of table 3 is the sum of its parts.
#[test]
fn the_total_is_the_sum_of_the_parts() {
    let (total, parts) = tables::MATA_3.lines.split_last().expect("lines");
    for n in JOINTS {
        let mut sum = Count::default();
        parts.iter().filter_map(|line| line.formula).for_each(|formula| sum += formula.at(n));
        assert_eq!(total.formula.expect("printed").at(n), sum);
    }
}
