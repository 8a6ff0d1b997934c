//! Parallel robots: both formulations on every built-in one, and the closed form of the spherical ones, beside one
//! inverse dynamics of a six-joint arm.
//!
//! Times are minima of one run; allocations are counted after the workspaces are made. `given` takes an assembled
//! configuration as it is, `pose` finds it from the platform's pose first, from where the robot was before.

use appell::closed::drives::Sharing;
use appell::closed::formulation::Formulation;
use appell::closed::sample::ClosedState;
use appell::closed::{ClosedMechanism, assembly, legs_platform, spherical, tree_closures};
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

/// What is measured of a robot by the functions of a formulation's module.
macro_rules! calls {
    ($module:ident, $robot:expr, $states:expr) => {{
        let (robot, states): (&ClosedMechanism, &[ClosedState]) = ($robot, $states);
        let dynamics = || $module::Workspace::new(robot);
        let (mut inverse, mut forward, mut inertia) = (dynamics(), dynamics(), dynamics());
        let sharing = Sharing::default();
        let mut found: Vec<Call<'_>> = vec![
            (
                "inverse dynamics, given",
                Box::new(move |k| {
                    let s = &states[k % STATES];
                    let at = black_box(&s.at);
                    let tau = $module::inverse_dynamics(robot, &mut inverse, at, &s.r, &s.r_dot, &[], &sharing);
                    black_box(tau.expect("a regular state"));
                }),
            ),
            (
                "forward dynamics, given",
                Box::new(move |k| {
                    let s = &states[k % STATES];
                    let at = black_box(&s.at);
                    let rates = $module::forward_dynamics(robot, &mut forward, at, &s.r, &s.tau, &[]);
                    black_box(rates.expect("a regular state"));
                }),
            ),
            (
                "inertia matrix, given",
                Box::new(move |k| {
                    let at = black_box(&states[k % STATES].at);
                    black_box($module::inertia_matrix(robot, &mut inertia, at).expect("a regular state"));
                }),
            ),
        ];
        if robot.platform().is_some() {
            let (mut inverse, mut forward, sharing) = (dynamics(), dynamics(), Sharing::default());
            let [mut here, mut there] = [(); 2].map(|()| (assembly::Workspace::new(robot), robot.home().clone()));
            found.push((
                "inverse dynamics, pose",
                Box::new(move |k| {
                    let (s, (search, at)) = (&states[k % STATES], &mut here);
                    at.pose = s.at.pose;
                    assembly::at_pose(robot, search, at).expect("within reach");
                    let tau = $module::inverse_dynamics(robot, &mut inverse, at, &s.r, &s.r_dot, &[], &sharing);
                    black_box(tau.expect("a regular state"));
                }),
            ));
            found.push((
                "forward dynamics, pose",
                Box::new(move |k| {
                    let (s, (search, at)) = (&states[k % STATES], &mut there);
                    at.pose = s.at.pose;
                    assembly::at_pose(robot, search, at).expect("within reach");
                    let rates = $module::forward_dynamics(robot, &mut forward, at, &s.r, &s.tau, &[]);
                    black_box(rates.expect("a regular state"));
                }),
            ));
        }
        found
    }};
}

/// All methods that apply to a robot, with what is measured of each.
fn methods<'c>(robot: &'c ClosedMechanism, states: &'c [ClosedState]) -> Vec<(&'static str, Vec<Call<'c>>)> {
    let of_scheme = |&formulation: &Formulation| {
        let calls = match formulation {
            Formulation::Spherical => calls!(spherical, robot, states),
            Formulation::LegsPlatform => calls!(legs_platform, robot, states),
            Formulation::TreeClosures => calls!(tree_closures, robot, states),
        };
        (formulation.name(), calls)
    };
    let mut methods: Vec<_> = Formulation::of(robot).iter().map(of_scheme).collect();
    if spherical::applies(robot) {
        let (mut ws, sharing) = (spherical::Workspace::new(robot), Sharing::default());
        let explicit: Call<'_> = (
            "inverse dynamics, given",
            Box::new(move |k| {
                let s = &states[k % STATES];
                let at = black_box(&s.at);
                let tau = spherical::by_equations(robot, &mut ws, at, &s.r, &s.r_dot, &[], &sharing);
                black_box(tau.expect("a regular state"));
            }),
        );
        methods.push(("equations", vec![explicit]));
    }
    methods
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
        for (method, calls) in methods(&robot, &states) {
            for (name, mut call) in calls {
                (0..STATES).for_each(&mut call);
                let allocations = allocation_counter::measure(|| (0..STATES).for_each(&mut call)).count_total;
                let Timing { min, median } = time(call);
                let units = min / unit;
                print!("{name:<26} {method:<16} {min:>8.0} {median:>8.0} {units:>7.1} {allocations:>12}");
                match peers.fastest(&builtin.name.replace('-', "_"), peer_names(name)) {
                    Some((ns, peer)) => println!(" {ns:>8.0} {:>6.2}x  {peer}", ns / min),
                    None => println!(" {:>8} {:>7}", "-", "-"),
                }
            }
        }
    }
}
