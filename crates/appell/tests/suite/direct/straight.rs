//! Drives that come straight: the assembly is the one that a robot keeps in fine steps, and where Type 2 is on the way, that is said.

use super::{all, home_drives};
use appell::closed::assembly::{self, Reached};
use appell::closed::direct;
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::mjcf;
use appell::sample::Sampler;
use appell::{Robot, kinematics, robots};

const FIVE_BAR: &str = r#"
<mujoco model="five">
  <compiler angle="radian"/>
  <worldbody>
    <body name="a1" pos="-0.2 0 0"><joint name="m1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".02"/>
      <body name="a2" pos="0 0 .4"><joint name="p1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 .3" size=".015"/></body></body>
    <body name="b1" pos="0.2 0 0"><joint name="m2" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".02"/>
      <body name="b2" pos="0 0 .4"><joint name="p2" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 -.2 0 .3" size=".015"/>
        <site name="tip" pos="-.2 0 .3"/></body></body>
  </worldbody>
  <equality><connect body1="a2" body2="b2" anchor=".2 0 .3"/></equality>
  <actuator><motor joint="m1"/><motor joint="m2"/></actuator>
</mujoco>"#;

/// The elbows of that linkage, whose cranks turn about y from z.
fn elbows(q: [f64; 2]) -> [[f64; 2]; 2] {
    [(-0.2, q[0]), (0.2, q[1])].map(|(x, q)| [x + 0.4 * q.sin(), 0.4 * q.cos()])
}

/// Its couplers are equally long: the tip stays on one side of the line through the elbows as long as these are apart by more than nothing
/// and less than both couplers. No other way leads to another assembly.
#[test]
fn a_five_bar_comes_straight_to_the_assembly_of_its_closed_form() {
    let (mut description, ..) = mjcf::read(FIVE_BAR, "").unwrap();
    description.output = Some("tip".into());
    let robot = ClosedMechanism::new(&description).unwrap();
    let (mut ws, mut sampler) = (assembly::Workspace::new(&robot), Sampler::new(1));
    let reach = 2.0 * f64::hypot(0.2, 0.3);
    let (mut right, mut undecided) = (0, 0);
    let reader: [f64; 2] = [1.773_557_93, -1.135_020_58];
    for number in 0..400 {
        let q = if number == 0 { reader } else { [sampler.within(3.5), sampler.within(3.5)] };
        let apart = |s: f64| {
            let [one, two] = elbows(q.map(|q| s * q));
            f64::hypot(two[0] - one[0], two[1] - one[1])
        };
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for k in 0..=4000 {
            let d = apart(f64::from(k) / 4000.0);
            (least, most) = (least.min(d), most.max(d));
        }
        let mut at = robot.home().clone();
        let reached = assembly::at_drives(&robot, &mut ws, &q, &mut at);
        if most > reach + 1e-6 {
            assert_ne!(reached, Ok(Reached::Straight), "{q:?}: {most} of {reach}");
        } else if most < reach - 1e-3 && least > 1e-3 {
            let [one, two] = elbows(q);
            let tip = [at.pose.position.x, at.pose.position.z];
            let cross = (two[0] - one[0]) * (tip[1] - one[1]) - (two[1] - one[1]) * (tip[0] - one[0]);
            match reached.unwrap_or_else(|error| panic!("{q:?}: {error}")) {
                Reached::Straight => assert!(cross > 0.0, "{q:?}: {tip:?}, {least} to {most} of {reach}"),
                Reached::Undecided => undecided += 1,
            }
            right += 1;
        }
    }
    assert!(right > 100 && undecided <= right / 50, "{undecided} of {right}");
}

/// Follows drives by so many steps, if each is found.
fn in_steps(robot: &ClosedMechanism, to: &[f64], steps: u32) -> Option<Configuration> {
    let (mut ws, mut at) = (assembly::Workspace::new(robot), robot.home().clone());
    let from = home_drives(robot);
    for k in 1..=steps {
        let part = f64::from(k) / f64::from(steps);
        let drives: Vec<f64> = from.iter().zip(to).map(|(from, to)| from + part * (to - from)).collect();
        assembly::follow(robot, &mut ws, &drives, &mut at).ok()?;
    }
    Some(at)
}

#[test]
fn drives_that_come_straight_come_where_fine_steps_do() {
    let mut compared = 0;
    for (name, spread) in
        [("planar-3rrr", 2.0), ("gough-stewart", 0.35), ("agile-wrist", 1.5), ("3-rps", 0.4), ("delta", 1.2)]
    {
        let robot = robots::find(name).unwrap().closed();
        let mut sampler = Sampler::new(8);
        for _ in 0..12 {
            let drives: Vec<f64> = home_drives(&robot).iter().map(|q| q + sampler.within(spread)).collect();
            let (mut ws, mut at) = (assembly::Workspace::new(&robot), robot.home().clone());
            let reached = direct::at_drives(&robot, &mut ws, &drives, &mut at);
            if reached != Ok(Reached::Straight) {
                continue;
            }
            let fine = in_steps(&robot, &drives, 400).unwrap_or_else(|| panic!("{name} {drives:?}"));
            assert!(assembly::distance(&robot, &fine, &at) < 1e-6, "{name} {drives:?}");
            compared += 1;
        }
    }
    assert!(compared > 25, "{compared}");
}

/// Half way to zero its platform is free: no straight way tells what it does there.
#[test]
fn an_orthoglide_beyond_type_2_is_undecided() {
    let robot = robots::find("orthoglide").unwrap().closed();
    let mut at = robot.home().clone();
    let reached = direct::at_drives(&robot, &mut assembly::Workspace::new(&robot), &[0.0; 3], &mut at);
    assert_ne!(reached, Ok(Reached::Straight));
}

/// A robot can be assembled in as many ways wherever one looks, and the same.
#[test]
fn assemblies_do_not_depend_on_the_output() {
    for (name, outputs) in [
        ("four-bar", &["crank", "coupler", "rocker"][..]),
        ("five-bar", &["left.shoulder", "right.elbow"]),
        ("gough-stewart", &["leg1.slide", "leg4.u2"]),
        ("planar-3rrr", &["leg1.shoulder"]),
    ] {
        let plain = Robot::builtin(name).unwrap();
        let plain = plain.closed().unwrap();
        let drives: Vec<f64> = home_drives(plain).iter().map(|q| q + 0.05).collect();
        let expected = all(plain, &drives, 1);
        for output in outputs {
            let robot = Robot::builtin(name).unwrap().with_output(output).unwrap_or_else(|e| panic!("{name}: {e}"));
            let robot = robot.closed().unwrap();
            let found = all(robot, &drives, 1);
            assert_eq!(found.count, expected.count, "{name} --frame {output}");
            assert_eq!(found.assemblies.len(), expected.assemblies.len(), "{name} --frame {output}");
            for (one, other) in found.assemblies.iter().zip(&expected.assemblies) {
                // Every body is where it is without an output.
                let poses = |robot: &ClosedMechanism, at: &Configuration, joint: &str| {
                    let body = robot.tree().joint_names().iter().position(|name| name == joint)?;
                    let mut ws = kinematics::Workspace::new(robot.tree());
                    Some(kinematics::positions(robot.tree(), &mut ws, &at.q)[body])
                };
                for joint in plain.tree().joint_names() {
                    let Some(found) = poses(robot, &one.at, joint) else { continue };
                    let expected = poses(plain, &other.at, joint).unwrap();
                    assert!(super::apart(&found, &expected) < 1e-9, "{name} --frame {output}: {joint}");
                }
            }
        }
    }
}
