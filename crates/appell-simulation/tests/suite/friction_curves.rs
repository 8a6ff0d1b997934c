//! Friction that depends on the speed in other ways, dry and smooth: refereed by closed forms, by quadrature and by the balance of energy.

use crate::common::closed;
use crate::{difference, exactly};
use appell::description::{Friction, FrictionCurve, JointEffects};
use appell::mechanism::Mechanism;
use appell::robots;
use appell_simulation::simulation::law::{By, Constant, Free};
use appell_simulation::simulation::plant::{Closed, Tree};
use appell_simulation::simulation::{Law, Options, Plant, Reason, Simulation, View, run};
use core::ops::ControlFlow;

const MASS: f64 = 2.0;

/// A block on a level slide.
fn block(friction: Friction) -> Mechanism {
    let text = "name = 'block'\nframes = 'modified-dh'\ngravity = [0.0, 0.0, 0.0]\n\
         joints = [['slide', 'prismatic', '0', 0.0, '0', 'q']]\n\
         [body.slide]\nmass = 2.0\ncom = [0.0, 0.0, 0.0]\ninertia = { xx = 0.01, yy = 0.01, zz = 0.01 }\n";
    Mechanism::from_toml(text)
        .unwrap_or_else(|problems| panic!("{problems}"))
        .with_effects(|_, _| JointEffects { friction, ..JointEffects::default() })
}

/// Coulomb friction of 3 N with an excess of 1.5 N near rest.
fn stribeck() -> Friction {
    let curve = FrictionCurve { stribeck: 1.5, stribeck_speed: 0.2, ..FrictionCurve::default() };
    Friction { coulomb: 3.0, curve: Some(curve), ..Friction::default() }
}

/// Where a motion has come to: q and v of the first joint.
fn moved(robot: &Mechanism, v: f64, law: &mut dyn Law, end: f64, options: &Options) -> [f64; 2] {
    let mut plant = Tree::new(robot, &[0.0], &[v]);
    let outcome = run(&mut plant, law, 0.0, end, options, |_| ControlFlow::Continue(()));
    assert!(outcome.stop.is_none(), "{outcome:?}");
    let view = plant.view(end);
    [view.q[0], view.v[0]]
}

/// Stribeck's excess holds a block at rest, and lets it go faster once it moves.
#[test]
fn a_block_breaks_away_at_the_sum_of_coulomb_and_stribeck() {
    let robot = block(stribeck());
    for force in [4.4999, -4.4999] {
        assert_eq!(moved(&robot, 0.0, &mut Constant(vec![force]), 5.0, &exactly(1e-10)), [0.0, 0.0]);
    }
    let [q, v] = moved(&robot, 0.0, &mut Constant(vec![-4.6]), 5.0, &exactly(1e-10));
    // Far from rest 1.6 N are left of the force, and never less than 0.1 N.
    assert!((0.1 * 5.0..1.6 * 5.0).contains(&(-v * MASS)) && q < -0.1 / MASS, "{q} {v}");
    // A force that grows by 2 N/s does it at 2.25 s, 1e-3 m behind the wall of a wrong bound.
    let mut grows = By(|now: &View<'_>, efforts: &mut [f64]| efforts[0] = 2.0 * now.t);
    assert_eq!(moved(&robot, 0.0, &mut grows, 2.249, &exactly(1e-10)), [0.0, 0.0]);
    assert!(moved(&robot, 0.0, &mut grows, 2.35, &exactly(1e-10))[1] > 0.0);
}

/// Under friction of greased gears alone v = (√v₀ − s t/2m)², sharp and smoothed over little.
#[test]
fn a_block_slows_down_by_the_root_of_its_speed() {
    let (s, v0) = (0.8, 1.2_f64);
    for (smoothing, tolerance) in [(0.0, 1e-9), (1e-6, 1e-6)] {
        let curve = FrictionCurve { square_root: s, ..FrictionCurve::default() };
        let robot = block(Friction { smoothing, curve: Some(curve), ..Friction::default() });
        let stop = 2.0 * MASS / s * v0.sqrt();
        let t = 0.9 * stop;
        let root = v0.sqrt() - s * t / (2.0 * MASS);
        let way = 2.0 * MASS / (3.0 * s) * (v0.powf(1.5) - root.powi(3));
        let [q, v] = moved(&robot, v0, &mut Free, t, &exactly(1e-11));
        assert!((q - way).abs() < tolerance && (v - root * root).abs() < tolerance, "{smoothing}: {q} {way} {v}");
        // And it stays where it has come to rest.
        let [end, v] = moved(&robot, v0, &mut Free, 1.5 * stop, &exactly(1e-9));
        assert!((end - 2.0 * MASS / (3.0 * s) * v0.powf(1.5)).abs() < 1e-4 && v.abs() < 1e-6, "{end} {v}");
    }
}

/// A block comes to rest where the integrals t = ∫ m dv / f(v) and q = ∫ m v dv / f(v) say, and stays there to the last bit.
#[test]
fn a_block_comes_to_rest_by_quadrature() {
    let curve = FrictionCurve { square_root: 0.7, cubic: 0.3, asymmetric: 0.4, stribeck: 1.5, stribeck_speed: 0.2 };
    let friction = Friction { viscous: 0.5, coulomb: 3.0, curve: Some(curve), ..Friction::default() };
    for sign in [1.0, -1.0] {
        let v0 = 1.4_f64;
        let resists = |v: f64| {
            let near = 1.5 * (-(v / 0.2) * (v / 0.2)).exp();
            0.5 * v + 3.0 + 0.7 * v.sqrt() + 0.3 * v * v * v + sign * 0.4 * v + near
        };
        // The root is no obstacle to Simpson's rule in w = √v: dv = 2 w dw.
        let steps = 200_000;
        let h = v0.sqrt() / f64::from(steps);
        let integral = |of: &dyn Fn(f64) -> f64| -> f64 {
            let at = |k: u32| of(f64::from(k) * h);
            let inner = (1..steps).map(|k| at(k) * if k % 2 == 1 { 4.0 } else { 2.0 }).sum::<f64>();
            h / 3.0 * (at(0) + inner + at(steps))
        };
        let time = integral(&|w| MASS * 2.0 * w / resists(w * w));
        let way = integral(&|w| MASS * 2.0 * w * w * w / resists(w * w));
        let robot = block(friction);
        let [q, v] = moved(&robot, sign * v0, &mut Free, 0.999 * time, &exactly(1e-11));
        assert!(v * sign > 0.0 && v.abs() < 0.01 && (way - q * sign) < 1e-5, "{q} {v}");
        let [q, v] = moved(&robot, sign * v0, &mut Free, 1.001 * time, &exactly(1e-11));
        assert!(v == 0.0 && (q * sign - way).abs() < 1e-8, "{q} {way} {v}");
        assert_eq!(moved(&robot, sign * v0, &mut Free, 3.0 * time, &exactly(1e-11))[1], 0.0);
    }
}

/// A block that a spring pulls, whose other end moves at constant speed, sticks and slips: it begins to slip when the spring has the
/// force of breakaway, and sticks again; and it does what steep smooth friction does.
#[test]
fn a_pulled_block_sticks_and_slips() {
    let (k, speed) = (40.0, 0.05);
    let pull = || By(move |now: &View<'_>, efforts: &mut [f64]| efforts[0] = k * (speed * now.t - now.q[0]));
    let robot = block(stribeck());
    let mut plant = Tree::new(&robot, &[0.0], &[0.0]);
    let mut simulation = Simulation::new(&mut plant, 0, 0.0, &exactly(1e-10));
    let (mut changes, mut sticks, mut slipped) = (Vec::new(), true, Vec::new());
    for period in 1..=12_000_u32 {
        let outcome = simulation.advance(&mut pull(), 1e-3 * f64::from(period), |_| ControlFlow::Continue(()));
        assert!(outcome.stop.is_none(), "{outcome:?}");
        let now = simulation.sticking().count() == 1;
        if now != sticks {
            changes.push(simulation.t());
            slipped.push(simulation.plant().view(0.0).q[0]);
            sticks = now;
        }
    }
    let begins = 4.5 / (k * speed);
    assert!((changes[0] - begins).abs() < 2e-3 && changes.len() >= 4, "{changes:?}");
    // How it slips, by Runge's and Kutta's steps of a hundredth of a millisecond.
    let rates = |t: f64, [q, v]: [f64; 2]| {
        let resists = 3.0 + 1.5 * (-(v / 0.2) * (v / 0.2)).exp();
        [v, (k * (speed * t - q) - resists) / MASS]
    };
    let (mut t, mut y, h) = (begins, [0.0; 2], 1e-5);
    while y[1] > 0.0 || t < begins + 0.1 {
        let moved = |part: f64, rate: [f64; 2]| [y[0] + part * h * rate[0], y[1] + part * h * rate[1]];
        let k1 = rates(t, y);
        let k2 = rates(t + 0.5 * h, moved(0.5, k1));
        let k3 = rates(t + 0.5 * h, moved(0.5, k2));
        let k4 = rates(t + h, moved(1.0, k3));
        y = moved(1.0, [0, 1].map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0));
        t += h;
    }
    assert!(
        (changes[1] - t).abs() < 2e-3 && (slipped[1] - y[0]).abs() < 1e-7,
        "sticks again at {t}, {y:?}: {changes:?} {slipped:?}"
    );
    // Every later slip begins when the spring has the same force.
    let again = k * (speed * changes[2] - slipped[2]);
    assert!((again - 4.5).abs() < 5e-3, "{again}");
    let smooth = block(Friction { smoothing: 2e-5, ..stribeck() }); // which creeps, by so much the less
    let end = changes[1] + 0.1;
    let [[q, _], [expected, _]] = [&robot, &smooth].map(|robot| moved(robot, 0.0, &mut pull(), end, &exactly(1e-8)));
    assert!((q - expected).abs() < 5e-3 * expected.abs() && expected > 0.01, "{q} {expected}");
}

/// No torques, and what friction takes from the joints, ∫ f(v) v dt, J.
struct Taken(Vec<Friction>);

impl Law for Taken {
    fn states(&self) -> usize {
        1
    }

    fn efforts(&mut self, now: &View<'_>, _: &[f64], rates: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        efforts.fill(0.0);
        rates[0] = self.0.iter().zip(now.v).map(|(friction, &v)| friction.resistance(v) * v).sum();
        Ok(())
    }
}

fn rubbing(smoothing: f64) -> impl Fn(&str, JointEffects) -> JointEffects {
    move |_, effects| {
        let curve =
            FrictionCurve { square_root: 0.3, cubic: 0.05, asymmetric: -0.1, stribeck: 0.5, stribeck_speed: 0.3 };
        let friction = Friction { viscous: 0.2, coulomb: 0.8, smoothing, offset: 0.0, curve: Some(curve) };
        JointEffects { friction, ..effects }
    }
}

/// What is lost is what friction took, of arms and closed robots, whether joints stick or not.
#[test]
fn energy_is_lost_to_friction_alone() {
    for smoothing in [0.0, 0.05] {
        let puma = robots::find("puma560").unwrap().mechanism().with_effects(rubbing(smoothing));
        let five_bar = closed("five-bar").with_tree(|tree| {
            tree.with_effects(rubbing(smoothing)).with_effects(|_, mut effects| {
                effects.friction.curve.as_mut().unwrap().stribeck = 0.05;
                effects.friction.coulomb = 0.1;
                effects
            })
        });
        let mut arm = Tree::new(&puma, &[0.3, -0.7, 0.4, 0.2, 0.9, -0.5], &[0.4, 0.1, -0.3, 0.5, 0.2, 0.6]);
        let mut loops = Closed::new(&five_bar, five_bar.home(), &[0.5, -0.2]).unwrap();
        let plants: [(&mut dyn Plant, &Mechanism, f64); 2] =
            [(&mut arm, &puma, 1.0), (&mut loops, five_bar.tree(), 0.5)];
        for (plant, tree, end) in plants {
            let mut taken = Taken(tree.effects().iter().map(|effects| effects.friction).collect());
            let mut balance = Vec::new();
            let outcome = run(plant, &mut taken, 0.0, end, &exactly(1e-12), |sample| {
                balance.push(sample.energy.kinetic + sample.energy.potential + sample.own[0]);
                ControlFlow::Continue(())
            });
            assert!(outcome.stop.is_none(), "{outcome:?}");
            let off = balance.iter().map(|now| (now - balance[0]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "smoothing {smoothing}: {off:.1e} J");
        }
    }
}

/// Dry friction with an excess is the limit of steep smooth one, in closed robots with passive joints too.
#[test]
fn joints_of_closed_robots_slip_as_with_steep_smooth_friction() {
    let end = |smoothing: f64, tolerance: f64| {
        let robot = closed("five-bar").with_tree(|tree| {
            tree.with_effects(|_, effects| {
                let curve = FrictionCurve { stribeck: 0.2, stribeck_speed: 0.3, ..FrictionCurve::default() };
                let friction = Friction { coulomb: 0.3, smoothing, curve: Some(curve), ..Friction::default() };
                JointEffects { friction, ..effects }
            })
        });
        let mut plant = Closed::new(&robot, robot.home(), &[0.5, -0.2]).unwrap();
        let outcome = run(&mut plant, &mut Free, 0.0, 0.6, &exactly(tolerance), |_| ControlFlow::Continue(()));
        assert!(outcome.stop.is_none(), "{outcome:?}");
        plant.view(0.6).q.to_vec()
    };
    let dry = end(0.0, 1e-10);
    let [coarse, fine] = [1e-2, 1e-3].map(|smoothing| difference(&dry, &end(smoothing, 1e-9)));
    assert!(fine < 0.5 * coarse && fine < 0.02, "{coarse:.1e} {fine:.1e}");
}
