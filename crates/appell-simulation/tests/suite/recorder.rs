//! Recorders beside a computer: the same rows for the same seed, in time, with as much noise as they shall have.

use appell::Robot;
use appell_simulation::scenario::{Scenario, Watch, recorded_columns};
use core::ops::ControlFlow;

const TRIAL: &str = r#"
robot = "scara"
duration = 4.0
reference = { kind = "fourier", frequency = 0.5, sin = [[0.3, -0.15], [0.2, -0.1], [0.02, -0.01], [0.3, -0.15]] }
controller = { law = "computed-torque", natural_frequency = 20.0 }
[loop]
period = 1e-3
delay = 0.5
"#;

/// What a recorder keeps, row by row; and the rows of the record at the same instants: true positions, then torques and forces.
fn recorded(recorder: &str) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut scenario = Scenario::read(&format!("{TRIAL}{recorder}")).unwrap();
    scenario.record_every(1e-3);
    assert_eq!(scenario.is_recorded(), !recorder.is_empty());
    let robot = Robot::builtin(&scenario.robot).unwrap();
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    let watch = Watch { recorded: Some(Box::new(|row: &[f64]| rows.push(row.to_vec()))), ..Watch::default() };
    let outcome = scenario.play(&robot, watch, |moment| {
        all.push([&[moment.view.t], moment.view.q, moment.efforts].concat());
        ControlFlow::Continue(())
    });
    assert!(outcome.unwrap().stop.is_none());
    let at = |t: f64| all[(t * 1e3).round() as usize].clone();
    let beside = rows.iter().map(|row| at(row[0])).collect();
    (rows, beside)
}

#[test]
fn an_ideal_one_keeps_every_so_many_samples() {
    let (rows, beside) = recorded("[recorder]\nrate = 100\n");
    assert_eq!((rows.len(), rows[0].len()), (400, recorded_columns(4).len()));
    assert_eq!(recorded_columns(2), ["t", "q1", "q2", "tau1", "tau2"]);
    for (k, (row, beside)) in rows.iter().zip(&beside).enumerate() {
        assert!((row[0] - 0.01 * k as f64).abs() < 1e-9, "{k}");
        assert_eq!(row, beside, "{k}");
    }
    assert_eq!(recorded("").0.len(), 0);
}

#[test]
fn stamps_are_uneven_and_right_rows_are_lost_and_efforts_have_noise() {
    let text = "[recorder]\nrate = 200\njitter = 0.3\nlost = 0.1\nnoise = [0.5, 0.2, 3, 0.0]\nseed = 9\n";
    let (rows, beside) = recorded(text);
    assert_eq!(recorded(text).0, rows, "the same seed");
    assert!(recorded(&text.replace('9', "8")).0 != rows, "another one");
    // Of 800 rows a tenth, give or take four deviations.
    assert!((686..754).contains(&rows.len()), "{}", rows.len());
    let off: Vec<f64> = rows.iter().map(|row| 200.0 * row[0] - (200.0 * row[0]).round()).collect();
    assert!(off.iter().all(|off| off.abs() <= 0.4 + 1e-9) && off.iter().any(|off| off.abs() > 0.15), "{off:?}");
    let deviation = |column: usize| {
        let squares = rows.iter().zip(&beside).map(|(row, beside)| (row[column] - beside[column]).powi(2));
        (squares.sum::<f64>() / rows.len() as f64).sqrt()
    };
    for (column, noise) in [(1, 0.0), (4, 0.0), (5, 0.5), (6, 0.2), (7, 3.0), (8, 0.0)] {
        assert!((deviation(column) - noise).abs() <= 0.12 * noise, "column {column}: {}", deviation(column));
    }
}
