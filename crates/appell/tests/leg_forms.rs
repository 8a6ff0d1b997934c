//! Legs in closed form, against Newton's method on the leg alone, written apart from ours.

use appell::closed::assembly::{self, AssemblyError};
use appell::closed::{ClosedMechanism, Configuration, Constraint, On, Side};
use appell::description::{
    Attachment, BodyDescription, Branch, Carrier, ClosingJoint, ClosureDescription, Description, JointDescription,
    JointKind, KhalilKleinfinger, PlatformDescription,
};
use appell::kinematics;
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Sym3, Turn, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use ClosingJoint::{Revolute as ClosingRevolute, Spherical, Universal};
use JointKind::{Prismatic, Revolute};

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Both frames of a leg's closing joint, by forward kinematics of the tree.
struct Referee<'r> {
    robot: &'r ClosedMechanism,
    leg: usize,
    forward: kinematics::Workspace,
}

impl<'r> Referee<'r> {
    fn new(robot: &'r ClosedMechanism, leg: usize) -> Self {
        Self { robot, leg, forward: kinematics::Workspace::new(robot.tree()) }
    }

    fn side(&mut self, side: &Side, q: &[f64], pose: &Pose) -> Pose {
        let carrier = match side.on {
            On::Base => Pose::identity(0.0),
            On::Platform => *pose,
            On::Body(j) => {
                let user = kinematics::positions(self.robot.tree(), &mut self.forward, q)[j];
                user * self.robot.tree().frames()[j].body_from_frame.inverse()
            }
        };
        carrier * side.pose
    }

    /// The gaps of the closing joint with the leg's joints at `x`, angles times the characteristic length; and whether
    /// axes that should be one are opposite.
    fn gaps(&mut self, x: &[f64], pose: &Pose) -> (Vec<f64>, bool) {
        let leg = &self.robot.legs()[self.leg];
        let mut q = self.robot.home().q.clone();
        leg.joints.iter().zip(x).for_each(|(&j, &x)| q[j] = x);
        let closure = self.robot.closures()[leg.closure].clone();
        let (one, two) = (self.side(&closure.first, &q, pose), self.side(&closure.second, &q, pose));
        let mut gaps = (two.position - one.position).to_array().to_vec();
        let cosine = |k: usize, l: usize| one.rotation.column(k).dot(two.rotation.column(l)) * self.robot.length();
        match closure.constraint {
            Constraint::Joint(Spherical) => (gaps, false),
            Constraint::Joint(Universal) => {
                gaps.push(cosine(0, 1));
                (gaps, false)
            }
            Constraint::Joint(ClosingRevolute) => {
                gaps.extend([cosine(0, 2), cosine(1, 2)]);
                (gaps, cosine(2, 2) < 0.0)
            }
            _ => unreachable!(),
        }
    }

    fn gap(&mut self, x: &[f64], pose: &Pose) -> f64 {
        let (gaps, opposite) = self.gaps(x, pose);
        norm(&gaps) + if opposite { self.robot.length() } else { 0.0 }
    }

    /// Levenberg's and Marquardt's method with differences for derivatives, from a start: where it ends.
    fn newton(&mut self, pose: &Pose, start: &[f64]) -> Vec<f64> {
        const STEP: f64 = 1e-6;
        let (n, mut x, mut damping) = (start.len(), start.to_vec(), 1e-3);
        let mut gap = norm(&self.gaps(&x, pose).0);
        for _ in 0..100 {
            let gaps = self.gaps(&x, pose).0;
            let columns: Vec<Vec<f64>> = (0..n)
                .map(|k| {
                    let mut at = |step: f64| {
                        let mut x = x.clone();
                        x[k] += step;
                        self.gaps(&x, pose).0
                    };
                    at(STEP).iter().zip(at(-STEP)).map(|(plus, minus)| (plus - minus) / (2.0 * STEP)).collect()
                })
                .collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let mut rows: Vec<Vec<f64>> = (0..n)
                .map(|k| {
                    let entry =
                        |l: usize| dot(&columns[k], &columns[l]) * if k == l { 1.0 + damping } else { 1.0 } + 1e-300;
                    (0..n).map(entry).chain([-dot(&columns[k], &gaps)]).collect()
                })
                .collect();
            for k in 0..n {
                for l in 0..n {
                    if l != k {
                        let factor = rows[l][k] / rows[k][k];
                        let pivot = rows[k].clone();
                        rows[l].iter_mut().zip(pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
                    }
                }
            }
            let next: Vec<f64> = (0..n).map(|k| x[k] + rows[k][n] / rows[k][k]).collect();
            let new = norm(&self.gaps(&next, pose).0);
            if new < gap {
                (x, gap, damping) = (next, new, 0.1 * damping);
            } else {
                damping = 10.0 * damping.max(1e-9);
            }
            if gap < 1e-14 || damping > 1e8 {
                break;
            }
        }
        x
    }
}

/// How far two positions of a leg are apart.
fn apart(robot: &ClosedMechanism, leg: usize, one: &[f64], other: &[f64]) -> f64 {
    let joints = &robot.legs()[leg].joints;
    let ways = joints.iter().zip(one).zip(other).map(|((&j, a), b)| match robot.tree().links()[j].joint {
        Revolute => (a - b - TAU * ((a - b) / TAU).round()).abs(),
        Prismatic => (a - b).abs(),
    });
    ways.fold(0.0, f64::max)
}

/// Every solution closes the joint, and Newton's method from random starts finds no other.
fn check_solutions(
    robot: &ClosedMechanism,
    leg: usize,
    pose: &Pose,
    sampler: &mut Sampler,
    label: &str,
) -> Vec<Vec<f64>> {
    let mut workspace = assembly::Workspace::new(robot);
    let mut referee = Referee::new(robot, leg);
    let size = robot.length().max(1.0);
    let solutions = assembly::leg_solutions(robot, &mut workspace, pose, leg);
    for q in &solutions {
        let gap = referee.gap(q, pose);
        assert!(gap <= 1e-12 * size, "{label}: {q:?} is open by {gap:e}");
    }
    for _ in 0..50 {
        let start: Vec<f64> = robot.legs()[leg].joints.iter().map(|_| sampler.within(PI)).collect();
        let found = referee.newton(pose, &start);
        if referee.gap(&found, pose) < 1e-12 * size {
            let nearest = solutions.iter().map(|q| apart(robot, leg, q, &found)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-4, "{label}: misses {found:?} of {solutions:?} by {nearest:e}");
        }
    }
    solutions
}

#[test]
fn legs_of_the_built_in_robots() {
    let mut sampler = Sampler::new(11);
    for (name, modes) in [
        ("gough-stewart", 4),
        ("five-bar", 2),
        ("planar-3rrr", 2),
        ("delta", 4),
        ("3-rps", 2),
        ("agile-wrist", 2),
        ("sst", 2),
        ("hexapod-6rus", 4),
    ] {
        let robot = robots::find(name).unwrap().closed();
        let mut workspace = assembly::Workspace::new(&robot);
        for _ in 0..5 {
            let mut there = robot.home().clone();
            let drives: Vec<f64> = robot.driven().iter().map(|&j| there.q[j] + sampler.within(0.05)).collect();
            assembly::at_drives(&robot, &mut workspace, &drives, &mut there).unwrap();
            let mut at = Configuration { pose: there.pose, ..robot.home().clone() };
            assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
            // The attitude of a platform that may not turn is a leg without joints.
            for (leg, part) in robot.legs().iter().enumerate().filter(|(_, part)| !part.joints.is_empty()) {
                assert!(workspace.has_closed_form(leg), "{name}");
                let of_leg = |at: &Configuration| part.joints.iter().map(|&j| at.q[j]).collect::<Vec<f64>>();
                let difference = apart(&robot, leg, &of_leg(&at), &of_leg(&there));
                assert!(difference < 1e-9, "{name}: {difference:e}");
                assert!(Referee::new(&robot, leg).gap(&of_leg(&at), &at.pose) < 1e-13);
                let solutions = check_solutions(&robot, leg, &there.pose, &mut sampler, name);
                // The forearm of a Delta closes by a universal joint, which forbids what the other two would do.
                let modes = if name == "delta" { solutions.len() } else { modes };
                assert_eq!(solutions.len(), modes, "{name}");
            }
        }
    }
}

/// Where the joints of a leg and its closing joint are, all joints at zero: kind, direction and a point of each axis.
struct Shape {
    name: &'static str,
    axes: Vec<(JointKind, Vec3, Vec3)>,
    end: Pose,
    closing: ClosingJoint,
}

fn vector(sampler: &mut Sampler, limit: f64) -> Vec3 {
    Vec3::new(sampler.within(limit), sampler.within(limit), sampler.within(limit))
}

fn unit(v: Vec3) -> Vec3 {
    v.scale(1.0 / v.norm())
}

fn direction(sampler: &mut Sampler) -> Vec3 {
    unit(vector(sampler, 1.0))
}

/// A direction at a right angle to another.
fn right(sampler: &mut Sampler, to: Vec3) -> Vec3 {
    unit(to.cross(direction(sampler)))
}

fn rotation(sampler: &mut Sampler) -> Mat3 {
    let turn = |sampler: &mut Sampler| Turn::by(sampler.within(PI));
    turn(sampler).matrix_z() * turn(sampler).matrix_x() * turn(sampler).matrix_z()
}

/// A frame with its z along an axis, anywhere on it.
fn on_axis(sampler: &mut Sampler, axis: Vec3, point: Vec3) -> Pose {
    let x = right(sampler, axis);
    let rotation = Mat3::from_rows([x, axis.cross(x), axis]).transpose();
    Pose { rotation, position: point + axis.scale(sampler.within(0.3)) }
}

/// One leg of every form.
fn shapes(sampler: &mut Sampler) -> Vec<Shape> {
    let centre = vector(sampler, 1.0);
    let [a, b, c] = [direction(sampler), direction(sampler), direction(sampler)];
    let [p, r, e] = [vector(sampler, 0.8), vector(sampler, 0.8), vector(sampler, 0.8)].map(|x| centre + x);
    let (across, beside) = (right(sampler, a), right(sampler, a));
    let turned = rotation(sampler);
    let end = Pose { rotation: turned, position: e };
    let at = |position: Vec3| Pose { rotation: turned, position };
    let along = on_axis(sampler, a, e);
    let shape =
        |name, axes: &[(JointKind, Vec3, Vec3)], end, closing| Shape { name, axes: axes.to_vec(), end, closing };
    vec![
        shape(
            "UPS",
            &[(Revolute, a, centre), (Revolute, across, centre), (Prismatic, right(sampler, across), centre)],
            at(centre),
            Spherical,
        ),
        shape("UPS askew", &[(Revolute, a, centre), (Revolute, b, centre), (Prismatic, c, p)], end, Spherical),
        shape(
            "UPU",
            &[(Revolute, a, centre), (Revolute, across, centre), (Prismatic, right(sampler, across), centre)],
            at(centre),
            Universal,
        ),
        shape("URS", &[(Revolute, a, centre), (Revolute, b, centre), (Revolute, c, p)], end, Spherical),
        shape("RUS", &[(Revolute, c, p), (Revolute, a, centre), (Revolute, b, centre)], end, Spherical),
        shape("PUS", &[(Prismatic, c, p), (Revolute, a, centre), (Revolute, b, centre)], end, Spherical),
        shape("RUU", &[(Revolute, a, p), (Revolute, -a, centre), (Revolute, across, centre)], end, Universal),
        shape("RR", &[(Revolute, a, p), (Revolute, a, r)], end, Spherical),
        shape("RR-R", &[(Revolute, a, p), (Revolute, -a, r)], along, ClosingRevolute),
        shape("RPS", &[(Revolute, a, p), (Prismatic, across, r)], end, Spherical),
        shape("PRS", &[(Prismatic, across, p), (Revolute, a, r)], end, Spherical),
        shape("RRR, first parallel", &[(Revolute, a, p), (Revolute, a, r), (Revolute, b, centre)], end, Spherical),
        shape("RRR, last parallel", &[(Revolute, b, centre), (Revolute, a, p), (Revolute, -a, r)], end, Spherical),
        shape("RPR", &[(Revolute, a, p), (Prismatic, beside, r), (Revolute, b, centre)], end, Spherical),
        shape("PRP", &[(Prismatic, beside, p), (Revolute, a, r), (Prismatic, b, centre)], end, Spherical),
        shape("US", &[(Revolute, a, centre), (Revolute, b, centre)], end, Spherical),
        shape("spherical RRR", &[(Revolute, a, centre), (Revolute, b, centre)], at(centre), ClosingRevolute),
    ]
}

/// What a closing joint lets free, by chance.
fn free(sampler: &mut Sampler, closing: ClosingJoint) -> Mat3 {
    let mut turn = || Turn::by(sampler.within(PI));
    match closing {
        ClosingRevolute => turn().matrix_z(),
        Universal => turn().matrix_x() * turn().matrix_y(),
        _ => rotation(sampler),
    }
}

/// A robot of one leg of a shape, at home where its joints are at `q`.
fn robot(sampler: &mut Sampler, shape: &Shape, q: &[f64], branches: &[Branch]) -> Description {
    let mut before = Pose::identity(0.0);
    let mut joints: Vec<JointDescription> = Vec::new();
    for (k, &(kind, axis, point)) in shape.axes.iter().enumerate() {
        let frame = on_axis(sampler, axis, point);
        let zero = if kind == Revolute { sampler.within(PI) } else { sampler.within(0.2) };
        let (mut placement, mut home) = (KhalilKleinfinger::from_pose(&(before.inverse() * frame)), q[k]);
        // Another zero of the joint.
        match kind {
            Revolute => placement.theta += zero,
            Prismatic => placement.r += zero,
        }
        home -= zero;
        joints.push(JointDescription {
            parent: (k > 0).then(|| format!("joint{k}")),
            placement,
            home,
            branch: branches.get(k).copied().unwrap_or(Branch::Any),
            ..JointDescription::new(format!("joint{}", k + 1), kind)
        });
        before = frame;
    }
    let platform_from_end = Pose { rotation: rotation(sampler), position: vector(sampler, 0.3) };
    let last = Carrier::Joint(format!("joint{}", joints.len()));
    let closure = ClosureDescription {
        name: "leg.end".into(),
        kind: shape.closing,
        first: Attachment { on: last, pose: before.inverse() * shape.end },
        second: Attachment { on: Carrier::Platform, pose: platform_from_end },
    };
    let end = forward(shape, q) * Pose { rotation: free(sampler, shape.closing), position: Vec3::zero(0.0) };
    let body = BodyDescription {
        mass: 1.0,
        com: Vec3::zero(0.0),
        inertia: Sym3 { xx: 1.0, yy: 1.0, zz: 1.0, ..Sym3::zero(0.0) },
    };
    let home = end * platform_from_end.inverse();
    Description {
        name: shape.name.into(),
        joints,
        platform: Some(PlatformDescription { body, home, ..PlatformDescription::default() }),
        closures: vec![closure],
        ..Description::default()
    }
}

/// The end of a leg by products of exponentials.
fn forward(shape: &Shape, q: &[f64]) -> Pose {
    let step = |(&(kind, axis, point), &q): (&(JointKind, Vec3, Vec3), &f64)| {
        if kind == Prismatic {
            return Pose { rotation: Mat3::identity(0.0), position: axis.scale(q) };
        }
        let (k, Turn { cos, sin }) = (Mat3::skew(axis), Turn::by(q));
        let rows = |m: Mat3, s: f64| Mat3::from_rows(m.rows.map(|row| row.scale(s)));
        let rotation = Mat3::identity(0.0) + rows(k, sin) + rows(k * k, 1.0 - cos);
        Pose { rotation, position: point - rotation * point }
    };
    shape.axes.iter().zip(q).map(step).fold(Pose::identity(0.0), |pose, step| pose * step) * shape.end
}

fn random_q(sampler: &mut Sampler, shape: &Shape) -> Vec<f64> {
    shape
        .axes
        .iter()
        .map(|axis| if axis.0 == Revolute { sampler.within(PI) } else { 0.4 + sampler.within(0.2) })
        .collect()
}

#[test]
fn random_legs_of_every_form() {
    for seed in 0..12 {
        let mut sampler = Sampler::new(seed);
        for shape in shapes(&mut sampler) {
            let label = format!("seed {seed}, {}", shape.name);
            let q = random_q(&mut sampler, &shape);
            let description = robot(&mut sampler, &shape, &q, &[]);
            let robot = ClosedMechanism::new(&description).unwrap_or_else(|error| panic!("{label}: {error}"));
            let mut workspace = assembly::Workspace::new(&robot);
            assert_eq!(robot.legs().len(), 1, "{label}");
            assert!(workspace.has_closed_form(0), "{label}");
            let mut referee = Referee::new(&robot, 0);
            for _ in 0..4 {
                let end = forward(&shape, &random_q(&mut sampler, &shape));
                let turned = Pose { rotation: free(&mut sampler, shape.closing), position: Vec3::zero(0.0) };
                let pose = end * turned * robot.closures()[0].second.pose.inverse();
                let solutions = check_solutions(&robot, 0, &pose, &mut sampler, &label);
                assert!(!solutions.is_empty(), "{label}");
                for solution in &solutions {
                    // From near a solution the leg goes there, and not to another.
                    let start = solution.iter().map(|q| q + sampler.within(1e-3)).collect();
                    let mut at = Configuration { q: start, pose };
                    let start = at.q.clone();
                    assembly::at_pose(&robot, &mut workspace, &mut at)
                        .unwrap_or_else(|error| panic!("{label}: {error}"));
                    assert!(referee.gap(&at.q, &pose) < 1e-12, "{label}");
                    assert!(apart(&robot, 0, &at.q, &start) < 3e-3, "{label}: {:?} from {start:?}", at.q);
                }
            }
        }
    }
}

#[test]
fn poses_out_of_reach_are_errors_that_tell_the_gap() {
    let mut unreached = 0;
    for seed in 0..6 {
        let mut sampler = Sampler::new(seed);
        for shape in shapes(&mut sampler) {
            let label = format!("seed {seed}, {}", shape.name);
            let q = random_q(&mut sampler, &shape);
            let robot = ClosedMechanism::new(&robot(&mut sampler, &shape, &q, &[])).unwrap();
            let mut workspace = assembly::Workspace::new(&robot);
            let mut referee = Referee::new(&robot, 0);
            for size in [0.01, 1.0, 10.0] {
                let mut at = robot.home().clone();
                at.pose.position = at.pose.position + vector(&mut sampler, size);
                at.pose.rotation = rotation(&mut sampler);
                let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
                let least = (0..25)
                    .map(|_| {
                        let start: Vec<f64> = q.iter().map(|_| sampler.within(PI)).collect();
                        let found = referee.newton(&at.pose, &start);
                        referee.gap(&found, &at.pose)
                    })
                    .fold(f64::INFINITY, f64::min);
                match answer {
                    Ok(()) => assert!(referee.gap(&at.q, &at.pose) <= assembly::CLOSED * robot.length(), "{label}"),
                    Err(AssemblyError::OutOfReach { gap, .. }) => {
                        unreached += 1;
                        assert_eq!(at.q, robot.home().q, "{label}");
                        // Where a point and angles, or a height and a distance, are missed together, the gap is that
                        // of a local minimum.
                        let by_height = ["RRR, first parallel", "RRR, last parallel", "RPR", "PRP"];
                        let is_least = shape.closing == Spherical && !by_height.contains(&shape.name);
                        let most = if is_least { 1.001 * least } else { 2.0 * least };
                        assert!((0.999 * least..=most).contains(&gap), "{label}, {size}: {gap} instead of {least}");
                        assert_eq!(assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0).len(), 0, "{label}");
                    }
                    Err(error) => panic!("{label}: {error}"),
                }
            }
        }
    }
    assert!(unreached > 50, "{unreached}");
}

/// Two links of 0.24 m and 0.3 m along x at zero.
fn two_links(sampler: &mut Sampler, branches: [Branch; 2]) -> (Shape, ClosedMechanism) {
    let (z, x) = (Vec3::new(0.0, 0.0, 1.0), |x: f64| Vec3::new(x, 0.0, 0.0));
    let shape = Shape {
        name: "two links",
        axes: vec![(Revolute, z, x(0.0)), (Revolute, z, x(0.24))],
        end: Pose { rotation: Mat3::identity(0.0), position: x(0.54) },
        closing: Spherical,
    };
    let q = [0.3, if branches[1] == Branch::Negative { -1.0 } else { 1.0 }];
    let mut description = robot(sampler, &shape, &q, &branches);
    // Branches are about the zeros of the shape.
    for (joint, q) in description.joints.iter_mut().zip(q) {
        joint.placement.theta += joint.home - q;
        joint.home = q;
    }
    (shape, ClosedMechanism::new(&description).unwrap())
}

/// The pose of the platform at an end of the leg.
fn held(robot: &ClosedMechanism, end: Pose) -> Pose {
    end * robot.closures()[0].second.pose.inverse()
}

#[test]
fn stretched_and_folded_legs() {
    let mut sampler = Sampler::new(5);
    for branch in [Branch::Any, Branch::Positive, Branch::Negative] {
        let (shape, robot) = two_links(&mut sampler, [Branch::Any, branch]);
        let mut workspace = assembly::Workspace::new(&robot);
        let mut referee = Referee::new(&robot, 0);
        for q1 in [-3.0, -1.0, 0.0, 0.7, 2.5] {
            for q2 in [0.0, PI] {
                for bend in [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3] {
                    let end = forward(&shape, &[q1, q2 + bend]);
                    let mut at = Configuration { pose: held(&robot, end), ..robot.home().clone() };
                    assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
                    assert!(referee.gap(&at.q, &at.pose) < 1e-14, "{branch:?} {q1} {q2} {bend}: {:?}", at.q);
                    let solutions = assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0);
                    let expected = if bend >= 1e-3 { 2..=2 } else { 1..=2 };
                    assert!(expected.contains(&solutions.len()), "{q1} {q2} {bend}: {solutions:?}");
                }
                // A little farther than the leg comes when it is stretched.
                let mut end = forward(&shape, &[q1, q2]);
                let out = end.position.scale(1.0 / end.position.norm());
                end.position = end.position + out.scale(1e-4);
                let mut at = Configuration { pose: held(&robot, end), ..robot.home().clone() };
                let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
                match answer {
                    Err(AssemblyError::OutOfReach { gap, .. }) if q2 == 0.0 => assert!((gap - 1e-4).abs() < 1e-12),
                    answer => assert!(q2 != 0.0 && answer.is_ok(), "{answer:?}"),
                }
            }
        }
        // Over the first axis nothing of the first angle is known, and the leg does not come there.
        let mut at = Configuration {
            pose: held(&robot, Pose { position: Vec3::zero(0.0), ..forward(&shape, &[0.0, 0.0]) }),
            ..robot.home().clone()
        };
        let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
        assert!(
            matches!(answer, Err(AssemblyError::OutOfReach { gap, .. }) if (gap - 0.06).abs() < 1e-9),
            "{answer:?}"
        );
    }
}

#[test]
fn a_pose_in_another_working_mode_alone_is_told() {
    let mut sampler = Sampler::new(5);
    let (shape, robot) = two_links(&mut sampler, [Branch::Positive; 2]);
    let mut workspace = assembly::Workspace::new(&robot);
    // The other elbow reaches the same point.
    let mut at = Configuration { pose: held(&robot, forward(&shape, &[2.0, -1.0])), ..robot.home().clone() };
    assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
    assert!((at.q[1] - 1.0).abs() < 1e-12, "{:?}", at.q);
    let mut at = Configuration { pose: held(&robot, forward(&shape, &[-2.0, 1.0])), ..robot.home().clone() };
    let answer = assembly::at_pose(&robot, &mut workspace, &mut at);
    assert!(matches!(answer, Err(AssemblyError::OtherMode { .. })), "{answer:?}");
    assert_eq!(at.q, robot.home().q);
    assert_eq!(assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0).len(), 2);
}

/// A leg along the first axis of its universal joint, or near it.
#[test]
fn an_angle_that_the_pose_does_not_determine_stays() {
    let mut sampler = Sampler::new(8);
    let (x, y, z) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0));
    let centre = Vec3::new(0.1, 0.2, 0.3);
    let shape = Shape {
        name: "UPS",
        axes: vec![(Revolute, x, centre), (Revolute, y, centre), (Prismatic, z, centre)],
        end: Pose { rotation: Mat3::identity(0.0), position: centre },
        closing: Spherical,
    };
    let q = [0.2, 0.3, 0.9];
    let robot = ClosedMechanism::new(&robot(&mut sampler, &shape, &q, &[])).unwrap();
    let mut workspace = assembly::Workspace::new(&robot);
    let mut referee = Referee::new(&robot, 0);
    let home = robot.home().q.clone();
    for (off, length) in [(0.0, 0.9), (1e-16, 0.9), (1e-12, 0.9), (1e-8, 0.9), (1e-4, 0.9), (0.1, 0.0)] {
        let end = forward(&shape, &[-0.4, FRAC_PI_2 - off, length]);
        let mut at = Configuration { pose: held(&robot, end), q: home.clone() };
        assembly::at_pose(&robot, &mut workspace, &mut at).unwrap();
        assert!(referee.gap(&at.q, &at.pose) < 1e-14, "{off}: {:?}", at.q);
        if off == 0.0 {
            assert!((at.q[0] - home[0]).abs() < 1e-12, "{off}: {:?}", at.q);
        }
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let robot = robots::find("gough-stewart").unwrap().closed();
    let mut workspace = assembly::Workspace::new(&robot);
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut at = robot.home().clone();
        at.pose.position.x = bad;
        assert_eq!(assembly::at_pose(&robot, &mut workspace, &mut at), Err(AssemblyError::NotFinite));
        assert!(assembly::leg_solutions(&robot, &mut workspace, &at.pose, 0).is_empty());
    }
}

/// Axes that miss each other by little are no universal joint: such legs keep Newton's method, and both agree.
#[test]
fn legs_that_are_nearly_of_a_form() {
    for seed in 0..5 {
        let mut sampler = Sampler::new(seed);
        for mut shape in shapes(&mut sampler).into_iter().filter(|shape| ["UPS askew", "RUS"].contains(&shape.name)) {
            let q = random_q(&mut sampler, &shape);
            let middle = shape.axes[1].1;
            let skew = right(&mut sampler, middle);
            shape.axes[1].2 = shape.axes[1].2 + skew.scale(1e-5);
            let robot = ClosedMechanism::new(&robot(&mut sampler, &shape, &q, &[])).unwrap();
            let mut workspace = assembly::Workspace::new(&robot);
            assert!(!workspace.has_closed_form(0), "{}", shape.name);
            let pose = held(&robot, forward(&shape, &random_q(&mut sampler, &shape)));
            let solutions = assembly::leg_solutions(&robot, &mut workspace, &pose, 0);
            assert!(!solutions.is_empty(), "seed {seed}, {}", shape.name);
            let mut referee = Referee::new(&robot, 0);
            assert!(solutions.iter().all(|q| referee.gap(q, &pose) < 1e-10));
        }
    }
}
