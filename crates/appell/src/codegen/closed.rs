//! What is recorded of parallel robots: their legs in closed form for a pose of the platform, then the library's own
//! methods, all on expressions. Working modes are those of home.

use super::expr::{Expr, Recorder};
use super::kernel::{
    Argument, Kernel, Options, Refused, Report, Sample, answer, is_derivative, least, meaning, names, record, recorded,
};
use super::support::Kind;
use super::tree;
use crate::closed::assembly::joints_in_closed_form;
use crate::closed::drives::{self, Sharing};
use crate::closed::scheme::{self, Scheme};
use crate::closed::{ClosedMechanism, Configuration, regressor};
use crate::question::closed::{Evaluator, Motion, State, accelerations, bare};
use crate::question::{Input, Question};
use crate::real::Real;
use crate::sample::Sampler;
use crate::spatial::{Mat3, Pose, Quaternion, Vec3};

/// Whether code can be generated that answers a question.
pub(super) const fn answers(question: Question) -> bool {
    matches!(
        question,
        Question::InverseDynamics
            | Question::ForwardDynamics
            | Question::InertiaMatrix
            | Question::Bias
            | Question::Gravity
            | Question::CoriolisVector
            | Question::InverseJacobian
            | Question::Regressor
            | Question::InverseDynamicsDerivatives
            | Question::ForwardDynamicsDerivatives
    )
}

pub(super) fn generate(
    robot: &ClosedMechanism,
    kind: Kind,
    question: Question,
    options: &Options,
) -> Result<Kernel, Refused> {
    if let Some(&parameter) = options.keep.first() {
        let known = names(tree::is_about_origins);
        return Err(Refused::NotKept { parameter, question: question.name(), known });
    }
    let sample = sampled(robot, question)?;
    let schemes = Scheme::of(robot).iter().filter(|scheme| **scheme != Scheme::TreeClosures);
    let (mut general, mut found) = (None, Vec::new());
    for &scheme in schemes {
        let recorder = Recorder::default();
        let numbers = record(&recorder, &sample.inputs);
        let answer = computed(robot, scheme, question, &numbers)?;
        general = general.or((!is_derivative(question)).then_some(recorder.requested()));
        found.push(recorded(&recorder, &answer));
    }
    let generated = least(&found);
    let (program, _) = found.into_iter().find(|(_, count)| *count == generated).expect("one of them");
    let freedoms = robot.freedom_names().join(" ");
    let Vec3 { x, y, z } = robot.tree().gravity();
    let mut notes = vec![
        format!("gravity ({x:?}, {y:?}, {z:?}) m/s^2 in the base"),
        "base axes; the twist is that of the platform's origin; the quaternion need not have length 1".into(),
        "every leg stays in its working mode at home".into(),
        format!("freedoms, which M, C, G and derivatives refer to: {freedoms}"),
    ];
    if robot.freedoms().len() < 6 {
        notes.push("of twist and acceleration only the freedoms are read; the pose must be one of the robot's".into());
        notes.push("nothing is checked: out of reach there are no numbers, near a singularity huge ones".into());
    }
    Ok(Kernel {
        robot: robot.name().into(),
        kind,
        question,
        arguments: arguments(robot, question),
        answer: answer(question, crate::question::closed::columns(question, robot)),
        report: Report { general, specialised: generated, regrouped: None, generated, angles: program.angles() },
        program,
        sample,
        notes,
    })
}

fn arguments(robot: &ClosedMechanism, question: Question) -> Vec<Argument> {
    let argument = |name, meaning: &str, entries: &[&str]| Argument {
        name,
        meaning: meaning.into(),
        entries: entries.iter().map(|&entry| entry.to_owned()).collect(),
    };
    let of = |input: &Input| match input {
        Input::Positions => argument(
            "pose",
            "position of the platform's origin, m, and its attitude as a quaternion",
            &["px", "py", "pz", "qx", "qy", "qz", "qw"],
        ),
        Input::Velocities => {
            argument("twist", "velocities of the platform, m/s and rad/s", &["vx", "vy", "vz", "wx", "wy", "wz"])
        }
        Input::Accelerations => {
            argument("acceleration", "rates of the twist, m/s^2 and rad/s^2", &["ax", "ay", "az", "ex", "ey", "ez"])
        }
        Input::Forces | Input::SecondVelocities => Argument {
            name: "tau",
            meaning: meaning(Input::Forces).replace("joint", "drives'"),
            entries: (1..=robot.driven().len()).map(|k| format!("tau{k}")).collect(),
        },
    };
    question.inputs().iter().map(of).collect()
}

/// A state near home, and what the library answers there.
fn sampled(robot: &ClosedMechanism, question: Question) -> Result<Sample, Refused> {
    let state = Sampler::new(1).closed_state(robot);
    let mut ws = scheme::Workspace::new(robot, Scheme::of(robot)[0]);
    let (u, u_dot) = ws.motion(robot, &state.at, &state.r, &state.r_dot)?;
    let platform = |u: &[f64]| -> [f64; 6] { core::array::from_fn(|k| u[robot.tree().dof() + k]) };
    let (twist, acceleration, pose) = (platform(u), platform(u_dot), state.at.pose);
    let Quaternion { x, y, z, w } = Quaternion::of_rotation(&pose.rotation);
    let mut inputs = Vec::new();
    for input in question.inputs() {
        match input {
            Input::Positions => inputs.extend(pose.position.to_array().into_iter().chain([x, y, z, w])),
            Input::Velocities => inputs.extend(twist),
            Input::Accelerations => inputs.extend(acceleration),
            Input::Forces | Input::SecondVelocities => inputs.extend(&state.tau),
        }
    }
    let mut evaluator = Evaluator::new(robot, question, None).expect("closed robots answer it");
    let mut outputs = vec![0.0; evaluator.columns().len()];
    let motion = Motion::Platform { pose, twist: twist.map(Some), acceleration: acceleration.map(Some) };
    evaluator.evaluate(&State { motion, tau: &state.tau, ..State::default() }, &mut outputs)?;
    Ok(Sample { inputs, outputs })
}

/// Answers a question from its arguments, one after the other.
fn computed<'g>(
    robot: &ClosedMechanism,
    scheme: Scheme,
    question: Question,
    inputs: &[Expr<'g>],
) -> Result<Vec<Expr<'g>>, Refused> {
    let rest: Vec<Expr<'g>> = vec![inputs[0].zero(); robot.freedoms().len()];
    let (mut pose, mut r, mut r_dot, mut tau): (&[Expr<'g>], _, _, &[Expr<'g>]) =
        (&[], rest.clone(), rest.clone(), &[]);
    let independent = |six: &[Expr<'g>]| robot.freedoms().iter().map(|&k| six[k - robot.tree().dof()]).collect();
    let mut left = inputs;
    let mut take = |many: usize| {
        let (taken, others) = left.split_at(many);
        left = others;
        taken
    };
    for input in question.inputs() {
        match input {
            Input::Positions => pose = take(7),
            Input::Velocities => r = independent(take(6)),
            Input::Accelerations => r_dot = independent(take(6)),
            Input::Forces | Input::SecondVelocities => tau = take(robot.driven().len()),
        }
    }
    let &[px, py, pz, x, y, z, w] = pose else { unreachable!("every question reads the pose") };
    let pose = Pose { position: Vec3::new(px, py, pz), rotation: rotation([x, y, z, w]) };
    let q = joints_in_closed_form(robot, &pose).map_err(|leg| Refused::NoForm { leg: leg.name.clone() })?;
    let at = Configuration { q, pose };
    let mut ws = scheme::Workspace::over(robot, scheme, px);
    Ok(match question {
        Question::InverseDynamics => ws.inverse_dynamics(robot, &at, &r, &r_dot, &[], &Sharing::default())?.to_vec(),
        Question::ForwardDynamics => {
            let r_dot = ws.forward_dynamics(robot, &at, &r, tau, &[])?.to_vec();
            let (_, u_dot) = ws.motion(robot, &at, &r, &r_dot)?;
            let mut row = vec![px.zero(); 6 + robot.driven().len()];
            accelerations(robot, u_dot, &mut row);
            row
        }
        Question::InertiaMatrix => ws.inertia_matrix(robot, &at)?.to_vec(),
        Question::Bias => ws.generalised_forces(robot, &at, &r, &rest, &[])?.to_vec(),
        Question::Gravity => ws.generalised_forces(&bare(robot), &at, &rest, &rest, &[])?.to_vec(),
        Question::CoriolisVector => {
            let weightless = bare(robot).with_gravity(Vec3::default());
            ws.generalised_forces(&weightless, &at, &r, &rest, &[])?.to_vec()
        }
        Question::InverseJacobian => {
            let mut rows = vec![px.zero(); robot.driven().len() * rest.len()];
            drives::rows_of_drives(robot, ws.complement(robot, &at)?, &mut rows);
            rows
        }
        Question::Regressor => {
            let mut ws = regressor::Workspace::over(robot, scheme, px);
            regressor::regressor(robot, &mut ws, &at, &r, &r_dot)?.to_vec()
        }
        Question::InverseDynamicsDerivatives => {
            let efforts = ws.inverse_dynamics(robot, &at, &r, &r_dot, &[], &Sharing::default())?.to_vec();
            let motions = motions(inputs, &ws.complement(robot, &at)?[robot.tree().dof() * rest.len()..], rest.len());
            slopes(&efforts, &motions, &[&r, &r_dot])
        }
        Question::ForwardDynamicsDerivatives => {
            let r_dot = ws.forward_dynamics(robot, &at, &r, tau, &[])?.to_vec();
            let motions = motions(inputs, &ws.complement(robot, &at)?[robot.tree().dof() * rest.len()..], rest.len());
            slopes(&r_dot, &motions, &[&r, tau])
        }
        other => unreachable!("`answers` refuses {}", other.name()),
    })
}

/// How the pose changes in each motion of one freedom: its entries with their rates, by Ψ, the twists of the freedoms.
///
/// ```text
/// ṗ = v        (qx, qy, qz, qw)˙ = ½ (ω, 0) (qx, qy, qz, qw)
/// ```
fn motions<'g>(inputs: &[Expr<'g>], psi: &[Expr<'g>], n: usize) -> Vec<Vec<(Expr<'g>, Expr<'g>)>> {
    let &[px, py, pz, x, y, z, w, ..] = inputs else { unreachable!("every question reads the pose") };
    let motion = |k: usize| {
        let vector = |first: usize| Vec3::new(psi[first * n + k], psi[(first + 1) * n + k], psi[(first + 2) * n + k]);
        let (velocity, half, axis) = (vector(0), vector(3).scale(0.5), Vec3::new(x, y, z));
        let turning = half.times(w) + half.cross(axis);
        let entries = [px, py, pz, x, y, z, w].into_iter();
        let rates = velocity.to_array().into_iter().chain(turning.to_array()).chain([-half.dot(axis)]);
        entries.zip(rates).collect()
    };
    (0..n).map(motion).collect()
}

/// Derivatives along motions of the pose, then by the entries of two further vectors; each a matrix row by row.
fn slopes<'g>(of: &[Expr<'g>], motions: &[Vec<(Expr<'g>, Expr<'g>)>], further: &[&[Expr<'g>]; 2]) -> Vec<Expr<'g>> {
    let one = of[0].constant(1.0);
    let units = further.map(|vector| vector.iter().map(|&entry| vec![(entry, one)]).collect::<Vec<_>>());
    let mut answer = Vec::new();
    for block in [motions].into_iter().chain(units.iter().map(Vec::as_slice)) {
        let columns: Vec<Vec<Expr<'g>>> = block.iter().map(|along| Expr::derivatives(of, along)).collect();
        (0..of.len()).for_each(|row| answer.extend(columns.iter().map(|column| column[row])));
    }
    answer
}

/// The rotation of a quaternion of any length.
fn rotation<T: Real>([x, y, z, w]: [T; 4]) -> Mat3<T> {
    let (one, two) = (w.constant(1.0), w.constant(2.0));
    let s = two / (x * x + y * y + (z * z + w * w));
    let off = |p: T, q: T| s * (p + q);
    Mat3::from_rows([
        Vec3::new(one - off(y * y, z * z), off(x * y, -(z * w)), off(x * z, y * w)),
        Vec3::new(off(x * y, z * w), one - off(x * x, z * z), off(y * z, -(x * w))),
        Vec3::new(off(x * z, -(y * w)), off(y * z, x * w), one - off(x * x, y * y)),
    ])
}
