//! docs/real-time.md says what the code says.

use appell_realtime::board::{ABI, HEADER};
use appell_simulation::control::sampled::FaultKind;

const PAGE: &str = include_str!("../../../../docs/real-time.md");

/// The rows of the table below a heading, cell by cell.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, rest) = PAGE.split_once(heading).unwrap_or_else(|| panic!("no table {heading}"));
    let rows = rest.lines().skip(1).take_while(|line| line.starts_with('|')).skip(1);
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn the_table_of_faults_is_that_of_the_code() {
    let rows = table("| code | fault |");
    let shown: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], row[1].trim_matches('`'))).collect();
    let codes: Vec<String> = FaultKind::ALL.iter().map(|kind| kind.code().to_string()).collect();
    let known: Vec<_> = codes.iter().map(String::as_str).zip(FaultKind::ALL.map(FaultKind::name)).collect();
    assert_eq!(shown, known);
    for (row, kind) in rows.iter().zip(FaultKind::ALL) {
        assert_eq!(row[3] == "torques, then brakes", kind.can_brake_by_torque(), "{row:?}");
    }
}

#[test]
fn the_functions_of_the_header_are_all_explained() {
    assert!(HEADER.contains(&format!("#define APPELL_HARDWARE_ABI {ABI}\n")));
    let declared = HEADER.lines().filter(|line| line.starts_with("APPELL_HARDWARE_EXPORT "));
    let mut functions = 0;
    for line in declared {
        let name = line.split('(').next().and_then(|before| before.rsplit([' ', '*']).next()).unwrap();
        assert!(PAGE.contains(&format!("`{name}`")), "{name}");
        functions += 1;
    }
    assert_eq!(functions, 8);
}
