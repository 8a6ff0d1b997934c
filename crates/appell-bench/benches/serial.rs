//! Serial robots: every method on the PUMA and the seven-axis arm beside Pinocchio, and cost a joint over n.
//!
//! `make bench` runs Pinocchio's programs where `scripts/bench-peers build` has built them, then this. Times are minima; a
//! ratio compares two numbers of one run on one machine.

use appell::mechanism::Mechanism;
use appell::question::{Evaluator, Question, State, Target};
use appell::robots;
use appell::sample::{Sampler, Shape};
use appell_bench::{Peers, STATES, States, Timing, time};
use std::hint::black_box;

/// What Pinocchio calls the answer to a question.
fn peer_names(question: Question) -> &'static [&'static str] {
    match question {
        Question::InverseDynamics => &["ID rnea"],
        Question::ForwardDynamics => &["FD aba (LOCAL)", "FD aba (WORLD)", "FD crba+nle+cholesky"],
        Question::InertiaMatrix => &["M crba (LOCAL)", "M crba (WORLD)"],
        Question::Bias => &["nonlinear effects"],
        Question::Jacobian => &["J joint jacobians"],
        Question::Frames => &["FK forwardKinematics(q)"],
        Question::Accelerations => &["FK forwardKinematics(q v a)"],
        _ => &[],
    }
}

/// Time of one method on the common states.
fn measure(robot: &Mechanism, question: Question, method: &str) -> Timing {
    let states = States::of(robot);
    let mut inverse = Evaluator::new(robot, Question::InverseDynamics, None, Target::default()).expect("a default");
    let mut tau = vec![vec![0.0; robot.dof()]; STATES];
    for (k, tau) in tau.iter_mut().enumerate() {
        let state = State { q: &states.q[k], v: &states.v[k], a: &states.a[k], ..State::default() };
        inverse.evaluate(&state, tau).expect("inverse dynamics cannot fail");
    }
    let mut evaluator = Evaluator::new(robot, question, Some(method), Target::default()).expect("a listed method");
    let mut row = vec![0.0; evaluator.columns().len()];
    time(|k| {
        let k = k % STATES;
        let state = State {
            q: &states.q[k],
            v: &states.v[k],
            a: &states.a[k],
            tau: &tau[k],
            w: &states.a[k],
            ..State::default()
        };
        evaluator.evaluate(black_box(&state), &mut row).expect("a regular robot");
        black_box(&row);
    })
}

fn main() {
    let peers = Peers::from_environment();
    for (name, model) in [("puma560", "puma560"), ("seven-axis", "panda7")] {
        let robot = robots::find(name).expect("built in").mechanism();
        println!("\n{name}, one state, one thread, ns a call");
        println!("{:<18} {:<26} {:>8} {:>8} {:>8} {:>7}  peer", "question", "method", "min", "median", "peer", "ratio");
        for question in Question::ALL {
            for method in question.row().open {
                let Timing { min, median } = measure(&robot, question, method.name);
                print!("{:<18} {:<26} {min:>8.0} {median:>8.0}", question.name(), method.name);
                match peers.fastest(model, peer_names(question)) {
                    Some((ns, peer)) => println!(" {ns:>8.0} {:>6.2}x  {peer}", ns / min),
                    None => println!(" {:>8} {:>7}", "-", "-"),
                }
            }
        }
    }
    if peers.is_empty() {
        println!("\n(no peer was measured: APPELL_PEERS names no result file; see `make bench`)");
    }
    println!("\nrandom chains, ns a joint");
    println!("{:>5} {:>18} {:>18}", "n", "inverse dynamics", "forward (ABA)");
    for n in [6, 12, 25, 50, 100] {
        let robot = Sampler::new(1).robot(n, Shape::Chain);
        let inverse = measure(&robot, Question::InverseDynamics, "gibbs-appell").min / n as f64;
        let forward = measure(&robot, Question::ForwardDynamics, "articulated-body").min / n as f64;
        println!("{n:>5} {inverse:>18.1} {forward:>18.1}");
    }
}
