//! References that an operator makes: continuous whatever is commanded when, within limits, without allocation.

use appell::Robot;
use appell::kinematics;
use appell::sample::Sampler;
use appell_simulation::control::operated::{Ending, Mode, Operated, OperatedError, Order, Pace, Positions, Refusal};
use appell_simulation::control::{ComputedTorque, Gains};
use appell_simulation::simulation::{Options, plant::Tree, run};
use appell_simulation::trajectory::{Fourier, JointReference, Ramp, Shape, TimeLaw};
use core::ops::ControlFlow;

const PERIOD: f64 = 1e-3;

/// A reference that is asked for every period.
struct Ticking {
    operated: Operated<'static>,
    reference: Box<dyn JointReference>,
    k: u32,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl Ticking {
    fn new(operated: Operated<'static>) -> Self {
        let (reference, n) = (operated.reference(), operated.bounds().speed.len());
        let mut ticking = Self { operated, reference, k: 0, q: vec![0.0; n], v: vec![0.0; n], a: vec![0.0; n] };
        ticking.ask();
        ticking
    }

    fn ask(&mut self) {
        self.reference.at(f64::from(self.k) * PERIOD, &mut self.q, &mut self.v, &mut self.a).unwrap();
    }

    fn tick(&mut self) {
        self.k += 1;
        self.ask();
    }

    fn run(&mut self, time: f64) {
        (0..(time / PERIOD).round() as usize).for_each(|_| self.tick());
    }

    /// A jog that is renewed.
    fn jog(&mut self, time: f64, command: impl Fn(&Operated<'_>)) {
        for k in 0..(time / PERIOD).round() as usize {
            if k % 100 == 0 {
                command(&self.operated);
            }
            self.tick();
        }
    }

    fn settle(&mut self) {
        let mut ticks = 0;
        while self.operated.mode() != Mode::Holding {
            self.tick();
            ticks += 1;
            assert!(ticks < 200_000, "it comes to rest: {:?}", self.operated.mode());
        }
    }
}

const START: [f64; 6] = [0.1, -0.8, 0.3, 0.2, 0.6, 0.0];

/// The PUMA with limits of position and velocity.
fn puma() -> Robot {
    let urdf_like = Robot::builtin("puma560").unwrap();
    let mut description = urdf_like.description().unwrap().clone();
    for joint in &mut description.joints {
        let limits = &mut joint.limits;
        (limits.lower, limits.upper, limits.velocity) = (-1.6, 1.4, 1.5);
    }
    Robot::new(description).unwrap()
}

fn operated(robot: &Robot, start: &[f64]) -> Operated<'static> {
    Operated::new(robot, start, &Pace::default()).unwrap()
}

fn drives_at_home(robot: &Robot) -> Vec<f64> {
    let closed = robot.closed().unwrap();
    closed.driven().iter().map(|&j| closed.home().q[j]).collect()
}

fn quick(from: &[f64], to: &[f64]) -> Box<dyn JointReference> {
    Box::new(Ramp::new(from, to, TimeLaw::new(Shape::Quintic, 1.5).unwrap()).unwrap())
}

/// One random command.
fn command(operated: &Operated<'_>, sampler: &mut Sampler, start: &[f64]) {
    let n = start.len();
    match sampler.below(8) {
        0 => operated.hold(),
        1 => {
            let point: Vec<f64> = start.iter().map(|q| q + sampler.within(0.5)).collect();
            let _ = operated.go_to(&point);
        }
        2 => operated.home().unwrap(),
        3 => operated.follow().unwrap(),
        4 | 5 => operated.jog(sampler.below(n), sampler.within(2.0)).unwrap(),
        _ => operated.jog_freedom(sampler.below(operated.freedoms().len()), sampler.within(0.4)).unwrap(),
    }
}

/// Random commands at random times; what comes out is looked at every period.
fn roam(robot: &Robot, start: &[f64], trajectory: Box<dyn JointReference>, seed: u64, commands: usize) {
    let mut ticking = Ticking::new(operated(robot, start).with_trajectory(trajectory).unwrap());
    let bounds = ticking.operated.bounds();
    let mut sampler = Sampler::new(seed);
    let mut modes = std::collections::HashSet::new();
    for _ in 0..commands {
        command(&ticking.operated, &mut sampler, start);
        for _ in 0..1 + sampler.below(400) {
            let (q, v) = (ticking.q.clone(), ticking.v.clone());
            let before = ticking.operated.mode();
            ticking.tick();
            let mode = ticking.operated.mode();
            modes.insert(mode.name());
            let at = format!("{} seed {seed} at {} {before:?} {mode:?}", robot.name(), f64::from(ticking.k) * PERIOD);
            // A trajectory has accelerations of its own: five times those of an operator's motions here.
            let of_path = matches!(before, Mode::Following | Mode::Stopping) || mode == Mode::Following;
            let most = if of_path { 6.0 } else { 1.0 + 1e-5 };
            for j in 0..q.len() {
                let bound = bounds.acceleration[j];
                let change = ticking.v[j] - v[j];
                assert!(change.abs() <= most * bound * PERIOD + 1e-12, "{at}: velocity of {j} jumps by {change}");
                let step = ticking.q[j] - q[j] - 0.5 * (ticking.v[j] + v[j]) * PERIOD;
                assert!(step.abs() <= most * bound * PERIOD * PERIOD, "{at}: position of {j} jumps by {step}");
                let beyond = (bounds.lower[j] - ticking.q[j]).max(ticking.q[j] - bounds.upper[j]);
                assert!(beyond <= 1e-8, "{at}: joint {j} is {beyond} beyond its limit");
                if mode != Mode::Following && before != Mode::Following && mode != Mode::Stopping {
                    assert!(ticking.v[j].abs() <= bounds.speed[j] * (1.0 + 1e-9), "{at}: speed of {j}");
                }
            }
        }
    }
    assert!(modes.len() >= 5, "{}: only {modes:?}", robot.name());
    ticking.operated.hold();
    ticking.settle();
    assert!(ticking.v.iter().all(|v| *v == 0.0));
}

#[test]
fn positions_and_velocities_are_continuous_whatever_is_commanded() {
    let robot = puma();
    for seed in 1..=6 {
        roam(&robot, &START, quick(&START, &[0.5, -0.5, 0.0, 0.5, 0.9, -0.3]), seed, 120);
    }
}

#[test]
fn so_they_are_of_robots_with_loops() {
    for (name, step) in
        [("gough-stewart", 0.03), ("five-bar", 0.2), ("delta", 0.15), ("3-rps", 0.02), ("agile-wrist", 0.2)]
    {
        let Ok(robot) = Robot::builtin(name) else { panic!("{name}") };
        let start = drives_at_home(&robot);
        let there: Vec<f64> = start.iter().enumerate().map(|(k, q)| q + step * (k as f64 - 0.5).signum()).collect();
        for seed in 1..=2 {
            roam(&robot, &start, quick(&start, &there), seed, 60);
        }
    }
}

#[test]
fn it_goes_straight_to_points_and_home() {
    let robot = puma();
    let mut ticking = Ticking::new(operated(&robot, &START));
    let point = [0.5, -0.2, 0.0, -0.4, 0.9, 1.0];
    ticking.operated.go_to(&point).unwrap();
    assert_eq!(ticking.operated.mode(), Mode::Going);
    ticking.run(0.4);
    let part = (ticking.q[0] - START[0]) / (point[0] - START[0]);
    for j in 0..6 {
        assert!((ticking.q[j] - START[j] - part * (point[j] - START[j])).abs() < 1e-12, "straight");
    }
    ticking.settle();
    assert_eq!(ticking.q, point);
    ticking.operated.home().unwrap();
    ticking.settle();
    assert_eq!((ticking.q.as_slice(), ticking.operated.ending()), (&START[..], Ending::Done));
}

#[test]
fn a_jog_ends_by_itself_at_limits_and_without_renewal() {
    let robot = puma();
    let mut ticking = Ticking::new(operated(&robot, &START));
    ticking.operated.jog(1, 0.3).unwrap();
    ticking.run(0.45);
    assert_eq!((ticking.v[1], ticking.operated.mode()), (0.3, Mode::Jogging));
    ticking.settle();
    assert_eq!(ticking.operated.ending(), Ending::NotRenewed);
    assert!(ticking.q[1] < START[1] + 0.3);
    ticking.jog(8.0, |operated| operated.jog(1, 100.0).unwrap());
    ticking.settle();
    assert_eq!(ticking.operated.ending(), Ending::Limit(1));
    assert!(ticking.q[1] <= 1.4 && ticking.q[1] > 1.4 - 2e-3, "near its limit: {}", ticking.q[1]);
    ticking.jog(0.2, |operated| operated.jog(1, -0.3).unwrap());
    assert_eq!(ticking.operated.ending(), Ending::Done, "it leads away");
    assert!(ticking.v[1] < -0.29);
}

/// The tool goes along a line, the rest of its pose stays, and a singularity stops it.
#[test]
fn a_tool_is_jogged_along_axes() {
    let robot = Robot::builtin("puma560").unwrap();
    let start = [0.3, -1.0, 0.2, 0.4, 1.0, 0.0];
    let tree = robot.tree();
    let (frame, mut ws) = (tree.last_frame(), kinematics::Workspace::new(tree));
    for direction in 0..6 {
        let mut ticking = Ticking::new(operated(&robot, &start));
        let from = kinematics::positions(tree, &mut ws, &start)[frame];
        ticking.jog(1.0, |operated| operated.jog_freedom(direction, 0.05).unwrap());
        ticking.operated.hold();
        ticking.settle();
        let to = kinematics::positions(tree, &mut ws, &ticking.q)[frame];
        let way = (to.position - from.position).to_array();
        let turn = appell::spatial::turn_between(&from.rotation, &to.rotation).to_array();
        for k in 0..6 {
            let moved = if k < 3 { way[k] } else { turn[k - 3] };
            if k == direction {
                assert!(moved > 0.03 && moved < 0.06, "{direction}: {moved}");
            } else {
                assert!(moved.abs() < 1e-8, "{direction}: {k} moves by {moved}");
            }
        }
    }
    let mut ticking = Ticking::new(operated(&robot, &start));
    ticking.jog(20.0, |operated| operated.jog_freedom(0, 0.2).unwrap());
    ticking.settle();
    assert!(
        matches!(ticking.operated.ending(), Ending::Singular | Ending::TooSharp),
        "{:?}",
        ticking.operated.ending()
    );
}

/// Robots that cannot keep an attitude move their tool's position; some cannot move so at all.
#[test]
fn tools_of_few_joints_are_jogged_as_far_as_they_can() {
    let scara = Robot::builtin("scara").unwrap();
    let mut ticking = Ticking::new(operated(&scara, &[0.3, 0.8, 0.1, 0.0]));
    ticking.jog(0.5, |operated| operated.jog_freedom(1, 0.05).unwrap());
    assert_eq!(ticking.operated.mode(), Mode::Jogging, "{:?}", ticking.operated.ending());
    ticking.operated.hold();
    ticking.settle();
    ticking.jog(0.5, |operated| operated.jog_freedom(3, 0.05).unwrap());
    assert_eq!((ticking.operated.mode(), ticking.operated.ending()), (Mode::Holding, Ending::CannotMove));
}

#[test]
fn a_platform_is_jogged_and_stops_before_its_legs_end() {
    let robot = Robot::builtin("gough-stewart").unwrap();
    let closed = robot.closed().unwrap();
    let start = drives_at_home(&robot);
    let mut ticking = Ticking::new(operated(&robot, &start));
    ticking.jog(1.0, |operated| operated.jog_freedom(2, 0.05).unwrap());
    ticking.operated.hold();
    ticking.settle();
    let mut at = closed.home().clone();
    let mut ws = appell::closed::assembly::Workspace::new(closed);
    appell::closed::assembly::follow(closed, &mut ws, &ticking.q, &mut at).unwrap();
    let moved = at.pose.position - closed.home().pose.position;
    assert!(moved.z > 0.03 && moved.x.abs() < 1e-9 && moved.y.abs() < 1e-9, "{moved:?}");
    ticking.jog(60.0, |operated| operated.jog_freedom(5, 0.5).unwrap());
    ticking.settle();
    assert!(ticking.operated.ending() != Ending::Done && ticking.operated.ending() != Ending::NotRenewed);
}

/// A five-bar driven towards the place where it cannot hold its output stops before it.
#[test]
fn drives_stop_before_singularities() {
    let robot = Robot::builtin("five-bar").unwrap();
    let start = drives_at_home(&robot);
    let mut ended = Vec::new();
    for speed in [0.8, -0.8] {
        let mut ticking = Ticking::new(operated(&robot, &start));
        ticking.jog(20.0, |operated| operated.jog(0, speed).unwrap());
        ticking.settle();
        ended.push(ticking.operated.ending());
    }
    assert!(ended.iter().any(|ending| matches!(ending, Ending::Singular | Ending::Unreachable)), "{ended:?}");
}

#[test]
fn a_trajectory_is_followed_as_it_is_and_stopped_on_its_path() {
    let robot = puma();
    let there = [0.5, -0.5, 0.0, 0.5, 0.9, -0.3];
    let elsewhere = [0.0, -0.7, 0.2, 0.1, 0.5, 0.1];
    let mut ticking = Ticking::new(operated(&robot, &elsewhere).with_trajectory(quick(&START, &there)).unwrap());
    ticking.operated.follow().unwrap();
    assert_eq!(ticking.operated.mode(), Mode::Approaching);
    while ticking.operated.mode() != Mode::Following {
        ticking.tick();
    }
    let mut same = quick(&START, &there);
    let begin = ticking.k;
    let [mut q, mut v, mut a] = [[0.0; 6]; 3];
    for _ in 0..700 {
        ticking.tick();
        same.at(f64::from(ticking.k - begin) * PERIOD, &mut q, &mut v, &mut a).unwrap();
        for j in 0..6 {
            assert!((ticking.q[j] - q[j]).abs() < 1e-12 && (ticking.v[j] - v[j]).abs() < 1e-11);
            assert!((ticking.a[j] - a[j]).abs() < 1e-9);
        }
    }
    ticking.operated.hold();
    ticking.settle();
    let part = (ticking.q[0] - START[0]) / (there[0] - START[0]);
    for j in 0..6 {
        assert!((ticking.q[j] - START[j] - part * (there[j] - START[j])).abs() < 1e-12, "on its path");
    }
    ticking.operated.follow().unwrap();
    ticking.settle();
    assert_eq!(ticking.operated.ending(), Ending::Done);
    assert!(ticking.q.iter().zip(there).all(|(q, there)| (q - there).abs() < 1e-12), "to its end");
}

/// One that begins and ends in motion is entered and left without a jump.
#[test]
fn a_periodic_trajectory_is_entered_and_left_gently() {
    let robot = puma();
    let terms = vec![vec![[0.1, 0.05], [0.03, -0.02]]; 6];
    let series = Fourier::new(&START, &terms, 0.5, 2.0).unwrap();
    let mut ticking = Ticking::new(operated(&robot, &START).with_trajectory(Box::new(series)).unwrap());
    let bounds = ticking.operated.bounds();
    ticking.operated.follow().unwrap();
    let mut fastest: f64 = 0.0;
    while ticking.operated.mode() != Mode::Holding {
        let v = ticking.v.clone();
        ticking.tick();
        for (j, v) in v.iter().enumerate() {
            let change = (ticking.v[j] - v).abs();
            assert!(change <= 3.0 * bounds.acceleration[j] * PERIOD, "{change} at {}", ticking.k);
        }
        fastest = fastest.max(ticking.v[0].abs());
    }
    assert!(fastest > 0.2 && ticking.k > 4000);
}

#[test]
fn nothing_is_allocated_while_it_moves() {
    let arm = puma();
    let hexapod = Robot::builtin("gough-stewart").unwrap();
    let home = drives_at_home(&hexapod);
    let there: Vec<f64> = home.iter().map(|q| q + 0.02).collect();
    let mut all = [
        Ticking::new(operated(&arm, &START).with_trajectory(quick(&START, &[0.2; 6])).unwrap()),
        Ticking::new(operated(&hexapod, &home).with_trajectory(quick(&home, &there)).unwrap()),
    ];
    for ticking in &mut all {
        let start = ticking.q.clone();
        let mut sampler = Sampler::new(3);
        let mut point = start.clone();
        let info = allocation_counter::measure(|| {
            for k in 0..60 {
                let operated = &ticking.operated;
                match k % 6 {
                    0 => operated.hold(),
                    1 => {
                        point.iter_mut().zip(&start).for_each(|(point, q)| *point = q + sampler.within(0.02));
                        operated.go_to(&point).unwrap();
                    }
                    2 => operated.follow().unwrap(),
                    3 => operated.jog(k % start.len(), 0.1).unwrap(),
                    4 => operated.home().unwrap(),
                    _ => operated.jog_freedom(sampler.below(6), 0.05).unwrap(),
                }
                ticking.run(0.3);
            }
        });
        assert_eq!(info.count_total, 0);
    }
}

/// Orders are the commands, as data: the same orders at the same instants make the same motion, bit by bit.
#[test]
fn orders_give_a_motion_again() {
    let robot = puma();
    let there = Positions::of(&[0.3, -0.6, 0.1, 0.0, 0.8, 0.2]);
    let orders = [
        (3, Order::Jog { drive: 1, speed: 0.3 }),
        (120, Order::GoTo(there)),
        (900, Order::Hold),
        (1000, Order::JogFreedom { freedom: 2, speed: 0.05 }),
        (1300, Order::Follow),
        (2500, Order::Home),
        (3100, Order::Restart(Positions::of(&START))),
        (3101, Order::GoTo(Positions::of(&[2.0; 6]))), // refused
    ];
    let motion = |by_order: bool| {
        let mut ticking = Ticking::new(operated(&robot, &START).with_trajectory(quick(&START, &[0.2; 6])).unwrap());
        let mut bits = Vec::new();
        for k in 0..3500 {
            for (_, order) in orders.iter().filter(|(at, _)| *at == k) {
                let it = &ticking.operated;
                let answer = match order {
                    _ if by_order => it.obey(order),
                    Order::Hold => {
                        it.hold();
                        Ok(())
                    }
                    Order::Home => it.home(),
                    Order::Jog { drive, speed } => it.jog(*drive, *speed),
                    Order::JogFreedom { freedom, speed } => it.jog_freedom(*freedom, *speed),
                    Order::GoTo(positions) => it.go_to(positions.values()),
                    Order::Follow => it.follow(),
                    Order::Restart(positions) => it.restart(positions.values()),
                };
                assert_eq!(answer.is_ok(), k != 3101, "{order:?}: {answer:?}");
            }
            ticking.tick();
            bits.extend([&ticking.q, &ticking.v, &ticking.a].into_iter().flatten().map(|x| x.to_bits()));
        }
        bits
    };
    assert_eq!(motion(true), motion(false));
}

/// A law follows it like any other reference.
#[test]
fn a_law_follows_an_operator() {
    let robot = puma();
    let operated = operated(&robot, &START);
    let point = [0.3, -0.6, 0.1, 0.0, 0.8, 0.2];
    operated.go_to(&point).unwrap();
    let mut law = ComputedTorque::tracking(robot.tree(), operated.reference(), vec![Gains::of(20.0, 1.0); 6]);
    let mut plant = Tree::new(robot.tree(), &START, &[0.0; 6]);
    let options = Options { sampling: Some(PERIOD), ..Options::default() };
    let mut last = Vec::new();
    let outcome = run(&mut plant, &mut law, 0.0, 3.0, &options, |sample| {
        last = sample.view.q.to_vec();
        ControlFlow::Continue(())
    });
    assert!(outcome.stop.is_none());
    assert!(super::difference(&last, &point) < 1e-3, "{last:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let robot = puma();
    let it = operated(&robot, &START);
    assert_eq!(it.go_to(&[0.0; 5]), Err(Refusal::Length { found: 5, expected: 6 }));
    assert_eq!(it.go_to(&[f64::NAN; 6]), Err(Refusal::NotFinite));
    assert_eq!(it.go_to(&[2.0; 6]), Err(Refusal::BeyondLimit { drive: 0, value: 2.0, limit: 1.4 }));
    assert_eq!(it.go_to(&[0.0, 0.0, 0.0, 0.0, 0.0, 1e300]), Err(Refusal::TooFar { drive: 5, value: 1e300 }));
    let unlimited = operated(&Robot::builtin("puma560").unwrap(), &START);
    assert_eq!(unlimited.go_to(&[-1e300; 6]), Err(Refusal::TooFar { drive: 0, value: -1e300 }));
    let refusals =
        [Refusal::TooFar { drive: 0, value: -1e300 }, Refusal::BeyondLimit { drive: 0, value: 1e300, limit: -1e-300 }];
    assert!(refusals.iter().all(|refusal| refusal.to_string().len() < 80), "{refusals:?}");
    assert_eq!(it.jog(6, 0.1), Err(Refusal::UnknownDrive { number: 7, drives: 6 }));
    assert_eq!(it.jog(0, f64::INFINITY), Err(Refusal::NotFinite));
    assert_eq!(it.jog_freedom(6, 0.1), Err(Refusal::UnknownFreedom { number: 7, freedoms: 6 }));
    assert_eq!(it.follow(), Err(Refusal::NoTrajectory));
    let far = operated(&robot, &START).with_trajectory(quick(&START, &[2.0; 6]));
    assert!(matches!(far, Err(OperatedError::MotionBeyondLimit { .. })));
    let pace = Pace { ramp_time: 0.0, ..Pace::default() };
    assert!(matches!(Operated::new(&robot, &START, &pace), Err(OperatedError::NotPositive { .. })));
    assert!(matches!(operated(&robot, &START).with_tool("nothing"), Err(OperatedError::UnknownFrame { .. })));
}
