//! All methods for one question, and its default on the processor's best instructions, agree with each other on seeded random
//! robots.

use crate::common::{answer, assert_close_at, assert_nothing_is_kept, evaluators, norm, open_state};
use appell::description::{Description, Mimic};
use appell::mechanism::Mechanism;
use appell::question::Question;
use appell::sample::{RandomState, Sampler, Shape};

/// Every method of every question, and the default on the processor's best instructions, against the default on one state.
pub(crate) fn all_methods_agree(robot: &Mechanism, random: &RandomState, tolerance: f64, label: &str) {
    let state = open_state(random);
    for question in Question::ALL {
        let mut default = None;
        for (name, mut evaluator) in evaluators(robot, question) {
            let label = format!("{label}: {name}");
            let row = answer(&mut evaluator, &state, &label);
            let default = default.get_or_insert_with(|| row.clone());
            // One body on one axis has no Coriolis force but rounding.
            if robot.dof() == 1 && matches!(question, Question::CoriolisVector | Question::CoriolisMatrix) {
                assert!(norm(&row) < 1e-13, "{label} finds {row:?}");
                continue;
            }
            // A frame on the axis of its joint does not accelerate.
            let scale = if question == Question::JacobianRate { norm(&random.v).powi(2) } else { 0.0 };
            assert_close_at(&row, default, tolerance, scale, &label);
        }
    }
}

#[test]
fn on_chains_of_1_to_60_and_trees_of_1_to_40_joints() {
    for (shape, most, first_seed) in [(Shape::Chain, 60, 0), (Shape::Tree, 40, 1000)] {
        for n in 1..=most {
            let mut sampler = Sampler::new(first_seed + n);
            let robot = sampler.robot(n as usize, shape);
            for k in 0..3 {
                let label = format!("{shape:?}, seed {first_seed} + {n}, state {k}");
                all_methods_agree(&robot, &sampler.state(&robot), 1e-11, &label);
            }
        }
    }
}

/// The pitch of a floating base stays away from the right angle at which its three turns are two.
#[test]
fn on_floating_bases() {
    for seed in 0..40 {
        let mut sampler = Sampler::new(2000 + seed);
        let robot = sampler.robot(6 + seed as usize, Shape::Floating);
        let mut state = sampler.state(&robot);
        state.q[4] *= 0.4;
        all_methods_agree(&robot, &state, 1e-11, &format!("floating, seed 2000 + {seed}"));
    }
}

/// Joints of every type: quaternions at any attitude, and with some joints that follow others.
#[test]
fn on_trees_of_joints_of_every_type() {
    for seed in 0..40 {
        let mut sampler = Sampler::new(3000 + seed);
        let mut description = sampler.description(2 + seed as usize % 12, Shape::Mixed);
        let followers: Vec<usize> = (0..description.joints.len()).filter(|&j| is_single(&description, j)).collect();
        if let [leader, follower, ..] = followers[..] {
            let joint = description.joints[leader].name.clone();
            description.joints[follower].mimic = Some(Mimic::new(joint, -0.7, 0.2));
        }
        let robot = Mechanism::new(&description).unwrap();
        for robot in [&robot, &robot.coupled().unwrap()] {
            let label = format!("joints of every type, seed 3000 + {seed}, {:?}", robot.velocities());
            all_methods_agree(robot, &sampler.state(robot), 1e-10, &label);
        }
    }
}

fn is_single(description: &Description, joint: usize) -> bool {
    description.joints[joint].kind.elementary().is_some()
}

/// Friction, rotors and springs are the same robot to every method.
#[test]
fn with_effects_in_the_joints() {
    for seed in 0..20 {
        let mut sampler = Sampler::new(seed);
        let bare = sampler.robot(8, Shape::Tree);
        let robot = sampler.with_effects(&bare);
        all_methods_agree(&robot, &sampler.state(&robot), 1e-11, &format!("effects, seed {seed}"));
    }
}

/// Gravity in any direction takes another path through the first step of the sweeps.
#[test]
fn with_gravity_in_any_direction() {
    for seed in 0..20 {
        let mut sampler = Sampler::new(seed);
        let mut description = sampler.description(7, Shape::Chain);
        description.gravity = [sampler.within(9.0), sampler.within(9.0), sampler.within(9.0)].into();
        let robot = Mechanism::new(&description).unwrap();
        all_methods_agree(&robot, &sampler.state(&robot), 1e-11, &format!("tilted gravity, seed {seed}"));
    }
}

/// Every order of revolute and prismatic joints at the base: the sweeps treat the first bodies apart.
#[test]
fn for_every_order_of_the_first_five_joints() {
    use appell::description::JointKind::{Prismatic, Revolute};
    for order in 0..32_u64 {
        let mut sampler = Sampler::new(order);
        let mut description = sampler.description(5, Shape::Chain);
        for (j, joint) in description.joints.iter_mut().enumerate() {
            joint.kind = if order >> j & 1 == 0 { Revolute.into() } else { Prismatic.into() };
        }
        let robot = Mechanism::new(&description).unwrap();
        all_methods_agree(&robot, &sampler.state(&robot), 1e-11, &format!("joint order {order:05b}"));
    }
}

/// Arms with grippers: recursions run through the trunk by paths of their own, up to the body on which all others hang; or through none
/// of it, where a branch hangs on one of its first bodies.
#[test]
fn on_trunks_with_branches() {
    use appell::description::JointKind::Revolute;
    for seed in 0..40 {
        let mut sampler = Sampler::new(4000 + seed);
        let mut description = sampler.description(9, Shape::Tree);
        let (trunk, lowest) = (3 + seed as usize % 5, seed as usize / 5);
        for j in 0..9 {
            let joint = &mut description.joints[j];
            let parent = match j {
                j if j < trunk => j.checked_sub(1),
                j if j == trunk => Some(lowest.min(trunk - 1)),
                j => Some(trunk - j % 2),
            };
            joint.parent = parent.map(|p| format!("joint{}", p + 1));
            if j < trunk {
                joint.kind = Revolute.into();
                (joint.placement.gamma, joint.placement.b) = (0.0, 0.0);
            }
        }
        let robot = sampler.with_effects(&Mechanism::new(&description).unwrap());
        let parents: Vec<_> = robot.links().iter().map(|link| link.parent).collect();
        let label = format!("trunk of {trunk}, seed 4000 + {seed}, parents {parents:?}");
        all_methods_agree(&robot, &sampler.state(&robot), 1e-11, &label);
    }
}

#[test]
fn whatever_was_computed_before() {
    let mut sampler = Sampler::new(7);
    let robot = sampler.robot(9, Shape::Tree);
    let states: Vec<RandomState> = (0..3).map(|_| sampler.state(&robot)).collect();
    assert_nothing_is_kept(&robot.into(), &states.iter().map(open_state).collect::<Vec<_>>());
}
