//! Dry friction and brakes: joints stick and slip, refereed by closed forms, by the balance of energy and by smooth friction that is steep.

use crate::common::closed;
use crate::exactly;
use appell::closed::ClosedMechanism;
use appell::description::{Friction, JointEffects, Spring};
use appell::mechanism::Mechanism;
use appell::robots;
use appell_simulation::simulation::law::{By, Constant, Free};
use appell_simulation::simulation::plant::{Closed, ForwardMethod, Generalised, Tree};
use appell_simulation::simulation::{Law, Method, Options, Outcome, Plant, Sample, Simulation, View, Watched, run};
use core::f64::consts::PI;
use core::ops::ControlFlow;

/// A block of 2 kg on a slide along x, with friction of 3 N, and a spring; gravity along the slide.
fn block(stiffness: f64, gravity: f64) -> Mechanism {
    let text = format!(
        "name = 'block'\nframes = 'modified-dh'\ngravity = [0.0, 0.0, {gravity:?}]\n\
         joints = [['slide', 'prismatic', '0', 0.0, '0', 'q']]\n\
         [body.slide]\nmass = 2.0\ncom = [0.0, 0.0, 0.0]\ninertia = {{ xx = 0.01, yy = 0.01, zz = 0.01 }}\n"
    );
    Mechanism::from_toml(&text).unwrap_or_else(|problems| panic!("{problems}")).with_effects(|_, _| JointEffects {
        friction: Friction { coulomb: 3.0, ..Friction::default() },
        spring: Spring { stiffness, rest: 0.0 },
        ..JointEffects::default()
    })
}

/// All three methods.
fn methods() -> [Options; 3] {
    let fixed = |method| Options { method, ..Options::default() };
    [exactly(1e-11), fixed(Method::RungeKutta { step: 0.01 }), fixed(Method::Midpoint { step: 0.01 })]
}

fn keep<X>(
    plant: &mut dyn Plant,
    law: &mut dyn Law,
    end: f64,
    options: &Options,
    mut keep: impl FnMut(&Sample<'_>) -> X,
) -> (Vec<X>, Outcome) {
    let mut kept = Vec::new();
    let outcome = run(plant, law, 0.0, end, options, |sample| {
        kept.push(keep(sample));
        ControlFlow::Continue(())
    });
    (kept, outcome)
}

/// Below its breakaway force a block does not move by a bit; above, it moves by what is left of the force.
#[test]
fn a_block_sticks_below_its_breakaway_force() {
    let robot = block(0.0, 0.0);
    for options in methods() {
        for force in [1.5, -2.999_999] {
            let mut plant = Tree::new(&robot, &[0.1], &[0.0]);
            let (found, outcome) = keep(&mut plant, &mut Constant(vec![force]), 10.0, &options, |s| s.view.q[0]);
            assert!(outcome.stop.is_none(), "{outcome:?}");
            assert!(found.iter().all(|&q| q == 0.1), "{force} N: {found:?}");
        }
        for force in [5.0, -4.0_f64] {
            let mut plant = Tree::new(&robot, &[0.1], &[0.0]);
            let outcome =
                run(&mut plant, &mut Constant(vec![force]), 0.0, 2.0, &options, |_| ControlFlow::Continue(()));
            let view = plant.view(outcome.t);
            let a = (force - 3.0 * force.signum()) / 2.0;
            assert!((view.q[0] - 0.1 - 2.0 * a).abs() < 1e-9 && (view.v[0] - 2.0 * a).abs() < 1e-9, "{view:?}");
        }
    }
}

/// Thrown up an incline a block comes to rest, and stays there or slides down again.
#[test]
fn a_block_on_an_incline_stays_or_slides_back() {
    for (gravity, slides) in [(-1.0, false), (-2.5, true)] {
        let robot = block(0.0, gravity);
        for options in methods() {
            let mut plant = Tree::new(&robot, &[0.0], &[2.0]);
            let outcome = run(&mut plant, &mut Free, 0.0, 3.0, &options, |_| ControlFlow::Continue(()));
            let view = plant.view(outcome.t);
            // Up with a = g − f/m until v = 0, then at rest, or down with g + f/m.
            let (up, down) = (gravity - 1.5, gravity + 1.5);
            let (t, top) = (-2.0 / up, -2.0 / up);
            let (q, v) = if slides { (top + 0.5 * down * (3.0 - t) * (3.0 - t), down * (3.0 - t)) } else { (top, 0.0) };
            assert!((view.q[0] - q).abs() < 1e-9 && (view.v[0] - v).abs() < 1e-9, "{:?}: {view:?}", options.method);
            assert!(slides || view.v[0] == 0.0);
        }
    }
}

/// A force that grows breaks the block away when it is 3 N, and one that falls again lets it come to rest.
#[test]
fn a_growing_force_breaks_away_in_its_time() {
    let robot = block(0.0, 0.0);
    for options in methods() {
        let mut plant = Tree::new(&robot, &[0.0], &[0.0]);
        let mut grows = By(|now: &View<'_>, efforts: &mut [f64]| efforts[0] = 2.0 * now.t);
        let outcome = run(&mut plant, &mut grows, 0.0, 2.0, &options, |_| ControlFlow::Continue(()));
        assert!(outcome.stop.is_none(), "{outcome:?}");
        // From 1.5 s on a = t' with the time t' since then.
        let view = plant.view(2.0);
        assert!((view.q[0] - 0.125 / 6.0).abs() < 1e-5 && (view.v[0] - 0.125).abs() < 1e-9, "{view:?}");
    }
}

/// An oscillation with Coulomb friction loses 4 f/k of its amplitude in each period, and ends at rest where |k x| ≤ f.
#[test]
fn an_oscillation_decays_by_equal_parts_and_ends() {
    let (k, f, m) = (50.0, 3.0, 2.0_f64);
    let robot = block(k, 0.0);
    let (omega, x0) = ((k / m).sqrt(), 0.5);
    for (options, [tolerance, rest]) in methods().into_iter().zip([[1e-9, 1e-7], [1e-5, 1e-3], [1e-2, 1e-2]]) {
        let mut plant = Tree::new(&robot, &[x0], &[0.0]);
        let mut path = 0.0;
        let mut before = x0;
        let mut turns = Vec::new();
        let (_, outcome) = keep(&mut plant, &mut Free, 6.0, &options, |sample| {
            path += (sample.view.q[0] - before).abs();
            before = sample.view.q[0];
            if sample.view.v[0].abs() < rest && turns.last().is_none_or(|&(t, _)| sample.view.t - t > 0.1) {
                turns.push((sample.view.t, sample.view.q[0]));
            }
        });
        assert!(outcome.stop.is_none(), "{outcome:?}");
        // Turning points x_n = (−1)ⁿ (x₀ − 2 n f/k) every half period, until one is within f/k of zero.
        let (mut n, mut expected) = (0, x0);
        while expected.abs() > f / k {
            let (t, x) = turns[n];
            assert!((x - expected).abs() < tolerance && (t - n as f64 * PI / omega).abs() < tolerance, "{turns:?}");
            n += 1;
            expected = if n % 2 == 0 { 1.0 } else { -1.0 } * (x0 - 2.0 * n as f64 * f / k);
        }
        let view = plant.view(6.0);
        assert!((view.q[0] - expected).abs() < tolerance && view.v[0] == 0.0, "{:?}: {view:?}", options.method);
        let lost = 0.5 * k * (x0 * x0 - view.q[0] * view.q[0]);
        assert!((lost - f * path).abs() < 2.0 * k * tolerance, "{lost} {}", f * path);
        assert_eq!(n, 4, "half periods");
    }
}

/// Friction of some joints of a tree: dry, or smooth over a velocity.
fn with_friction(tree: &Mechanism, coulomb: f64, smoothing: f64) -> Mechanism {
    tree.with_effects(|_, effects| JointEffects {
        friction: Friction { coulomb, smoothing, viscous: 0.01 * coulomb, ..Friction::default() },
        ..effects
    })
}

/// An arm of two joints, one of which may stick while the other moves: as with steep smooth friction, whatever the coupling does.
#[test]
fn two_joints_are_those_of_steep_smooth_friction() {
    // A torque that swings makes the joints change between sticking and slipping.
    let arm = robots::find("two-link").unwrap().mechanism().with_gravity(appell::spatial::Vec3::zero(0.0));
    let mut inertia = appell::dynamics::composite_body::Workspace::new(&arm);
    let m = appell::dynamics::composite_body::inertia_matrix(&arm, &mut inertia, &[0.3, 0.5]).to_vec();
    let scale = m[3]; // of the second joint
    let motion = |robot: &Mechanism, options: &Options| {
        let mut plant = Tree::new(robot, &[0.3, 0.5], &[0.0; 2]);
        let mut swings = By(|now: &View<'_>, efforts: &mut [f64]| {
            efforts[0] = 60.0 * scale * (3.0 * now.t).sin();
            efforts[1] = 8.0 * scale * (5.0 * now.t + 0.3).cos();
        });
        let options = Options { sampling: Some(0.05), most_steps: 3_000_000, ..options.clone() };
        keep(&mut plant, &mut swings, 2.0, &options, |s| (s.view.q.to_vec(), s.view.v.to_vec()))
    };
    let coulomb = 6.0 * scale;
    let (dry, outcome) = motion(&with_friction(&arm, coulomb, 0.0), &exactly(1e-10));
    assert!(outcome.stop.is_none(), "{outcome:?}");
    let stuck = dry.iter().filter(|(_, v)| (v[0] == 0.0) != (v[1] == 0.0)).count();
    assert!(stuck > 3, "one sticks while the other moves: {stuck}");
    let worst = |smoothing: f64| {
        let (smooth, outcome) = motion(&with_friction(&arm, coulomb, smoothing), &exactly(1e-9));
        assert!(outcome.stop.is_none(), "{outcome:?}");
        let off =
            dry.iter().zip(&smooth).flat_map(|((q, _), (other, _))| q.iter().zip(other).map(|(a, b)| (a - b).abs()));
        off.fold(0.0, f64::max)
    };
    let [coarse, fine] = [1e-2, 1e-3].map(worst);
    assert!(fine < 0.3 * coarse && fine < 5e-3, "{coarse:.1e} {fine:.1e}");
}

/// What is lost is what friction did, over every joint's way; five joints of a PUMA fall with dry friction.
#[test]
fn energy_is_lost_to_friction_alone() {
    let puma = with_friction(&robots::find("puma560").unwrap().mechanism(), 2.0, 0.0);
    let puma = puma.with_effects(|_, mut effects| {
        effects.friction.viscous = 0.0;
        effects
    });
    let mut plant = Tree::new(&puma, &[0.3, -0.7, 0.4, 0.2, 0.9, -0.5], &[0.4, 0.1, -0.3, 0.5, 0.2, 0.6]);
    let (mut ways, mut before) = ([0.0; 6], plant.view(0.0).q.to_vec());
    let (energies, outcome) = keep(&mut plant, &mut Free, 1.5, &exactly(1e-12), |sample| {
        for (way, (q, before)) in ways.iter_mut().zip(sample.view.q.iter().zip(&before)) {
            *way += (q - before).abs();
        }
        before.copy_from_slice(sample.view.q);
        sample.energy.kinetic + sample.energy.potential
    });
    assert!(outcome.stop.is_none(), "{outcome:?}");
    let balance = energies[0] - energies.last().unwrap() - 2.0 * ways.iter().sum::<f64>();
    assert!(balance.abs() < 1e-9 && ways[3] > 0.01, "{balance:.1e} J, {ways:?}");
}

/// A closed robot's joints, driven and passive, with dry friction, or smooth.
fn rubbed(name: &str, coulomb: f64, smoothing: f64) -> ClosedMechanism {
    closed(name).with_tree(|tree| {
        tree.with_effects(|_, effects| JointEffects {
            friction: Friction { coulomb, smoothing, ..Friction::default() },
            ..effects
        })
    })
}

/// The five-bar with friction in all its joints: held below breakaway though more joints stick than it has degrees of freedom, and
/// falling as with steep smooth friction; what it loses is friction's work.
#[test]
fn joints_of_closed_robots_stick_and_slip() {
    let robot = rubbed("five-bar", 5.0, 0.0);
    let mut plant = Closed::new(&robot, robot.home(), &[0.0; 2]).unwrap();
    let (found, outcome) = keep(&mut plant, &mut Free, 2.0, &exactly(1e-9), |s| s.view.q.to_vec());
    assert!(outcome.stop.is_none(), "{outcome:?}");
    let off = found.iter().flatten().zip(robot.home().q.iter().cycle()).map(|(q, home)| (q - home).abs());
    assert!(off.fold(0.0, f64::max) < 1e-14, "held");
    let motion = |robot: &ClosedMechanism, options: &Options| {
        let mut plant = Closed::new(robot, robot.home(), &[0.5, -0.2]).unwrap();
        let (mut ways, mut before) = (0.0, robot.home().q.clone());
        let (found, outcome) = keep(&mut plant, &mut Free, 0.6, options, |sample| {
            ways += sample.view.q.iter().zip(&before).map(|(q, before)| (q - before).abs()).sum::<f64>();
            before.copy_from_slice(sample.view.q);
            sample.energy.kinetic + sample.energy.potential
        });
        assert!(outcome.stop.is_none(), "{outcome:?}");
        (found[0] - found.last().unwrap(), ways, before)
    };
    let coulomb = 0.4;
    let dry = rubbed("five-bar", coulomb, 0.0);
    let (lost, ways, end) = motion(&dry, &exactly(1e-11));
    assert!((lost - coulomb * ways).abs() < 1e-9, "{lost} {}", coulomb * ways);
    let off = |smoothing: f64| {
        let (_, _, other) = motion(&rubbed("five-bar", coulomb, smoothing), &exactly(1e-9));
        crate::difference(&end, &other)
    };
    let [coarse, fine] = [1e-2, 1e-3].map(off);
    assert!(fine < 0.5 * coarse && fine < 0.02, "{coarse:.1e} {fine:.1e}");
}

/// Brakes stop a falling arm, hold it, slip if they are too weak, and let it fall when they are released.
#[test]
fn brakes_hold_slip_and_release() {
    let puma = robots::find("puma560").unwrap().mechanism();
    let q0 = [0.1, -0.5, 0.3, 0.2, 0.4, 0.1];
    for options in [exactly(1e-9), Options { method: Method::Midpoint { step: 1e-3 }, ..Options::default() }] {
        let mut plant = Tree::new(&puma, &q0, &[0.0; 6]);
        let mut simulation = Simulation::new(&mut plant, 0, 0.0, &options);
        let go = |simulation: &mut Simulation<'_>, end: f64| {
            // In periods, as a controller goes.
            while simulation.t() < end - 1e-9 {
                let next = (simulation.t() + 1e-3).min(end);
                let outcome = simulation.advance(&mut Free, next, |_| ControlFlow::Continue(()));
                assert!(outcome.stop.is_none(), "{outcome:?}");
            }
            (simulation.plant().view(end).q.to_vec(), simulation.plant().view(end).v.to_vec())
        };
        let (_, v) = go(&mut simulation, 0.1);
        assert!(v[1].abs() > 0.1, "{v:?}");
        simulation.set_brakes(&[100.0, 200.0, 150.0, 20.0, 20.0, 20.0]);
        let (stopped, v) = go(&mut simulation, 0.4);
        assert!(v.iter().all(|&v| v == 0.0) && simulation.sticking().count() == 6, "{v:?}");
        let (held, _) = go(&mut simulation, 0.8);
        assert_eq!(held, stopped, "not by a bit");
        simulation.set_brakes(&[100.0, 1.0, 150.0, 20.0, 20.0, 20.0]);
        let (slipped, v) = go(&mut simulation, 0.9);
        assert!((slipped[1] - held[1]).abs() > 1e-3 && v[1] != 0.0 && v[2] == 0.0, "{v:?}");
        simulation.set_brakes(&[0.0; 6]);
        assert_eq!(simulation.sticking().count(), 0);
        let (_, v) = go(&mut simulation, 1.0);
        assert!(v.iter().filter(|v| v.abs() > 1e-3).count() > 3, "{v:?}");
    }
}

/// Brakes at the drives of a parallel robot.
#[test]
fn brakes_hold_a_parallel_robot() {
    let robot = closed("gough-stewart");
    let mut plant = Closed::new(&robot, robot.home(), &[0.1, 0.0, 0.2, 0.3, 0.0, 0.1]).unwrap();
    let mut simulation = Simulation::new(&mut plant, 0, 0.0, &Options::default());
    simulation.set_brakes(&[1e4; 6]);
    let outcome = simulation.advance(&mut Free, 0.5, |_| ControlFlow::Continue(()));
    assert!(outcome.stop.is_none(), "{outcome:?}");
    let (here, v) = (simulation.plant().view(0.5).q.to_vec(), simulation.plant().view(0.5).v.to_vec());
    assert!(v.iter().all(|v| v.abs() < 1e-12) && simulation.sticking().count() == 6, "{v:?}");
    let outcome = simulation.advance(&mut Free, 1.5, |_| ControlFlow::Continue(()));
    assert!(outcome.stop.is_none(), "{outcome:?}");
    assert!(crate::difference(&here, simulation.plant().view(1.5).q) < 1e-13);
}

/// A gripper whose finger follows another: its friction is felt at the leader, which sticks below the sum of both.
#[test]
fn followers_add_to_their_leaders_friction() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/urdf/panda.urdf");
    let text = std::fs::read_to_string(path).unwrap();
    let robot = Mechanism::from_urdf(&text).unwrap().with_effects(|joint, _| JointEffects {
        friction: Friction { coulomb: if joint.contains("finger") { 0.5 } else { 0.0 }, ..Friction::default() },
        ..JointEffects::default()
    });
    let robot = robot.with_gravity(appell::spatial::Vec3::zero(0.0)).coupled().unwrap();
    for (force, moves) in [(0.9, false), (1.1, true)] {
        let mut plant = Generalised::new(&robot, &[0.02; 8], &[0.0; 8], ForwardMethod::GibbsAppell);
        let mut push = Constant(vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, force]);
        let outcome = run(&mut plant, &mut push, 0.0, 0.2, &exactly(1e-9), |_| ControlFlow::Continue(()));
        assert!(outcome.stop.is_none(), "{outcome:?}");
        let way = plant.view(0.2).q[7] - 0.02;
        assert!(if moves { way > 1e-3 } else { way == 0.0 }, "{force} N: {way}");
    }
}

/// Whatever sticks, slips, brakes or passes Type 1: once made, a simulation allocates nothing.
#[test]
fn steps_allocate_nothing() {
    let puma = with_friction(&robots::find("puma560").unwrap().mechanism(), 2.0, 0.0);
    let mut plant = Tree::new(&puma, &[0.3, -0.7, 0.4, 0.2, 0.9, -0.5], &[0.4, 0.1, -0.3, 0.5, 0.2, 0.6]);
    let five_bar = rubbed("five-bar", 0.02, 0.0);
    let mut loops = Closed::new(&five_bar, five_bar.home(), &[0.0; 2]).unwrap();
    let stop_at = Watched { position: true, velocity: true, effort: true };
    let options = Options { stop_at, ..Options::default() };
    for plant in [&mut plant as &mut dyn Plant, &mut loops] {
        let mut simulation = Simulation::new(plant, 0, 0.0, &options);
        let drives = simulation.plant().efforts();
        let (engaged, released) = (vec![3.0; drives], vec![0.0; drives]);
        let info = allocation_counter::measure(|| {
            for k in 1..700 {
                simulation.set_brakes(if k % 100 < 20 { &engaged } else { &released });
                let outcome = simulation.advance(&mut Free, 1e-3 * f64::from(k), |_| ControlFlow::Continue(()));
                assert!(outcome.stop.is_none(), "{outcome:?}");
            }
        });
        assert_eq!(info.count_total, 0);
    }
}
