//! Parallel robots: both formulations on every built-in one, beside one inverse dynamics of a six-joint arm.
//!
//! Times are minima of one run; allocations are counted after the workspaces are made. `given` takes an assembled
//! configuration as it is, `pose` finds it from the platform's pose first, from where the robot was before.

use appell::closed::drives::Sharing;
use appell::closed::sample::ClosedState;
use appell::closed::scheme::{self, Scheme};
use appell::closed::{ClosedMechanism, assembly};
use appell::dynamics::gibbs_appell_tensor;
use appell::robots;
use appell::sample::Sampler;
use appell_bench::{Peers, STATES, States, Timing, time};
use std::hint::black_box;

/// What the peers call the same task on the Gough-Stewart platform; those from a pose include the legs' kinematics.
fn peer_names(call: &str) -> &'static [&'static str] {
    match call {
        "inverse dynamics, given" => &["IDM tree state -> leg forces (rnea + constraint Jacobian + 18x18 LU)"],
        "inverse dynamics, pose" => &["IDM platform state -> leg forces (rnea + 3x3 blocks)"],
        "forward dynamics, given" => {
            &["FDM constraintDynamics nv=24 nc=18", "FDM constraintDynamics nv=21 nc=15", "FDM lcaba nv=24 nc=18"]
        }
        "forward dynamics, pose" => &["FDM platform state + forces (rnea+crba+projection 6x6)"],
        _ => &[],
    }
}

/// A name, and the call it stands for.
type Call<'c> = (&'static str, Box<dyn FnMut(usize) + 'c>);

/// ns of one inverse dynamics of the PUMA: the unit of the target.
fn unit() -> f64 {
    let robot = robots::find("puma560").expect("built in").mechanism();
    let (states, mut ws) = (States::of(&robot), gibbs_appell_tensor::Workspace::new(&robot));
    let timing = time(|k| {
        let k = k % STATES;
        let tau = gibbs_appell_tensor::inverse_dynamics(&robot, &mut ws, &states.q[k], &states.v[k], &states.a[k]);
        black_box(tau);
    });
    timing.min
}

/// What is measured of a robot by a formulation.
fn calls<'c>(robot: &'c ClosedMechanism, scheme: Scheme, states: &'c [ClosedState]) -> Vec<Call<'c>> {
    let dynamics = || scheme::Workspace::new(robot, scheme);
    let sharing = Sharing::default();
    let (mut inverse, mut forward, mut inertia, mut whole) = (dynamics(), dynamics(), dynamics(), dynamics());
    let (mut search, mut at) = (assembly::Workspace::new(robot), robot.home().clone());
    let (mut other_search, mut other_at) = (assembly::Workspace::new(robot), robot.home().clone());
    let mut whole_forward = dynamics();
    let (own, other) = (sharing.clone(), sharing);
    let mut found: Vec<Call<'c>> = vec![
        (
            "inverse dynamics, given",
            Box::new(move |k| {
                let s = &states[k % STATES];
                let tau = inverse.inverse_dynamics(robot, black_box(&s.at), &s.r, &s.r_dot, &[], &own);
                black_box(tau.expect("a regular state"));
            }),
        ),
        (
            "forward dynamics, given",
            Box::new(move |k| {
                let s = &states[k % STATES];
                black_box(forward.forward_dynamics(robot, black_box(&s.at), &s.r, &s.tau, &[]).expect("regular"));
            }),
        ),
        (
            "inertia matrix, given",
            Box::new(move |k| {
                black_box(inertia.inertia_matrix(robot, black_box(&states[k % STATES].at)).expect("regular"));
            }),
        ),
    ];
    if robot.platform().is_some() {
        found.push((
            "inverse dynamics, pose",
            Box::new(move |k| {
                let s = &states[k % STATES];
                at.pose = s.at.pose;
                assembly::at_pose(robot, &mut search, &mut at).expect("within reach");
                let tau = whole.inverse_dynamics(robot, black_box(&at), &s.r, &s.r_dot, &[], &other);
                black_box(tau.expect("a regular state"));
            }),
        ));
        found.push((
            "forward dynamics, pose",
            Box::new(move |k| {
                let s = &states[k % STATES];
                other_at.pose = s.at.pose;
                assembly::at_pose(robot, &mut other_search, &mut other_at).expect("within reach");
                let rates = whole_forward.forward_dynamics(robot, black_box(&other_at), &s.r, &s.tau, &[]);
                black_box(rates.expect("a regular state"));
            }),
        ));
    }
    found
}

fn main() {
    let peers = Peers::from_environment();
    let unit = unit();
    println!("one inverse dynamics of the PUMA 560, the unit below: {unit:.0} ns");
    for builtin in robots::CLOSED {
        let robot = builtin.closed();
        let mut sampler = Sampler::new(1);
        let states: Vec<ClosedState> = (0..STATES).map(|_| sampler.closed_state(&robot)).collect();
        println!("\n{}, one state, one thread", builtin.name);
        println!(
            "{:<26} {:<16} {:>8} {:>8} {:>7} {:>12} {:>8} {:>7}  peer",
            "", "method", "min ns", "median", "units", "allocations", "peer", "ratio"
        );
        for &scheme in Scheme::of(&robot) {
            for (name, mut call) in calls(&robot, scheme, &states) {
                (0..STATES).for_each(&mut call);
                let allocations = allocation_counter::measure(|| (0..STATES).for_each(&mut call)).count_total;
                let Timing { min, median } = time(call);
                let units = min / unit;
                print!("{name:<26} {:<16} {min:>8.0} {median:>8.0} {units:>7.1} {allocations:>12}", scheme.name());
                match peers.fastest(&builtin.name.replace('-', "_"), peer_names(name)) {
                    Some((ns, peer)) => println!(" {ns:>8.0} {:>6.2}x  {peer}", ns / min),
                    None => println!(" {:>8} {:>7}", "-", "-"),
                }
            }
        }
    }
}
