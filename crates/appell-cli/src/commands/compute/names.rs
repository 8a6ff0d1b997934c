//! Columns of answers by the names of joints, in place of their numbers.

use appell::closed::ClosedMechanism;
use appell::dynamics::coupling::Coupling;
use appell::mechanism::Mechanism;
use appell::question::Question;

const TWIST: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];
const AXES: [&str; 3] = ["x", "y", "z"];

/// What the columns are called: `tau.elbow` for `tau2`, `M.shoulder.elbow` for `M12`, `dtau.shoulder_dq.elbow` for
/// `dtau1_dq2`, `J.vx.elbow` for `J12`. Columns that carry names already stay.
pub(super) fn of_tree(
    question: Question,
    robot: &Mechanism,
    coupling: Option<&Coupling>,
    columns: &[String],
) -> Vec<String> {
    let all = robot.joint_names();
    let joints: Vec<&str> = match coupling {
        Some(coupling) => coupling.independent().iter().map(|&j| all[j].as_str()).collect(),
        None => all.iter().map(String::as_str).collect(),
    };
    let joints = &joints[..];
    let named = match question {
        Question::InverseDynamics | Question::TwoVelocityInverseDynamics => vector("tau", joints),
        Question::ForwardDynamics => vector("a", joints),
        Question::Bias => vector("b", joints),
        Question::Gravity => vector("g", joints),
        Question::CoriolisVector => vector("c", joints),
        Question::InertiaMatrix => matrix("M", joints, joints),
        Question::CoriolisMatrix => matrix("C", joints, joints),
        Question::Jacobian => matrix("J", &TWIST, joints),
        Question::CentreOfMassJacobian => matrix("J", &AXES, joints),
        Question::Regressor => parameters(joints, columns.len()),
        Question::InverseDynamicsDerivatives => {
            derivatives(("tau", joints), [("q", joints), ("v", joints), ("a", joints)])
        }
        Question::ForwardDynamicsDerivatives => {
            derivatives(("a", joints), [("q", joints), ("v", joints), ("tau", joints)])
        }
        _ => columns.to_vec(),
    };
    fitting(named, columns)
}

/// The same of a robot with closed loops: by its drives, and by its independent velocities.
pub(super) fn of_closed(question: Question, robot: &ClosedMechanism, columns: &[String]) -> Vec<String> {
    let all = robot.tree().joint_names();
    let drives: Vec<&str> = robot.driven().iter().map(|&j| all[j].as_str()).collect();
    let freedoms = robot.freedom_names();
    let freedoms: Vec<&str> = freedoms.iter().map(AsRef::as_ref).collect();
    let (drives, freedoms) = (&drives[..], &freedoms[..]);
    let named = match question {
        Question::InverseDynamics => vector("tau", drives),
        Question::ForwardDynamics => {
            let platform = columns.len().saturating_sub(drives.len());
            [columns[..platform].to_vec(), vector("a", drives)].concat()
        }
        Question::Bias => vector("b", freedoms),
        Question::Gravity => vector("g", freedoms),
        Question::CoriolisVector => vector("c", freedoms),
        Question::InertiaMatrix => matrix("M", freedoms, freedoms),
        Question::CoriolisMatrix => matrix("C", freedoms, freedoms),
        Question::Actuated => ["q", "v", "a"].into_iter().flat_map(|symbol| vector(symbol, drives)).collect(),
        Question::InverseJacobian => matrix("J", drives, freedoms),
        Question::Jacobian => matrix("J", &TWIST, drives),
        Question::Psi => [matrix("psi", &TWIST, freedoms), matrix("psi_rate", &TWIST, freedoms)].concat(),
        Question::Regressor => parameters(drives, columns.len()),
        Question::InverseDynamicsDerivatives => {
            derivatives(("tau", drives), [("x", freedoms), ("r", freedoms), ("rdot", freedoms)])
        }
        Question::ForwardDynamicsDerivatives => {
            derivatives(("rdot", freedoms), [("x", freedoms), ("r", freedoms), ("tau", drives)])
        }
        _ => columns.to_vec(),
    };
    fitting(named, columns)
}

/// Names only where there is one a column.
fn fitting(named: Vec<String>, columns: &[String]) -> Vec<String> {
    debug_assert_eq!(named.len(), columns.len(), "one name a column");
    if named.len() == columns.len() { named } else { columns.to_vec() }
}

fn vector(symbol: &str, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{symbol}.{name}")).collect()
}

fn matrix(symbol: &str, rows: &[&str], columns: &[&str]) -> Vec<String> {
    let row = |row: &&str| vector(&format!("{symbol}.{row}"), columns);
    rows.iter().flat_map(row).collect()
}

fn derivatives((of, rows): (&str, &[&str]), by: [(&str, &[&str]); 3]) -> Vec<String> {
    let entries = |(by, columns): (&str, &[&str])| -> Vec<String> {
        let row = |row: &&str| vector(&format!("d{of}.{row}_d{by}"), columns);
        rows.iter().flat_map(row).collect()
    };
    by.into_iter().flat_map(entries).collect()
}

/// A regressor: its columns are parameters, which keep their numbers.
fn parameters(rows: &[&str], entries: usize) -> Vec<String> {
    let columns = entries / rows.len().max(1);
    rows.iter().flat_map(|row| (1..=columns).map(move |k| format!("Y.{row}.{k}"))).collect()
}
