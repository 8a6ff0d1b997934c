//! Random legs of every form, and robots that stand on them.

use appell::description::{
    Attachment, BodyDescription, Branch, Carrier, ClosingJoint, ClosureDescription, Description, JointDescription,
    JointKind, KhalilKleinfinger, PlatformDescription,
};
use appell::sample::Sampler;
use appell::spatial::{Mat3, PlanarRotation, Pose, Sym3, Vec3};
use std::f64::consts::PI;

use ClosingJoint::{Revolute as ClosingRevolute, Spherical, Universal};
use JointKind::{Prismatic, Revolute};

/// Where the joints of a leg and its closing joint are, all joints at zero: kind, direction and a point of each axis.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) axes: Vec<(JointKind, Vec3, Vec3)>,
    pub(super) end: Pose,
    pub(super) closing: ClosingJoint,
}

pub(super) fn unit(v: Vec3) -> Vec3 {
    v.scale(1.0 / v.norm())
}

pub(super) fn direction(sampler: &mut Sampler) -> Vec3 {
    unit(sampler.vector(1.0))
}

/// A direction at a right angle to another.
pub(super) fn right(sampler: &mut Sampler, to: Vec3) -> Vec3 {
    unit(to.cross(direction(sampler)))
}

pub(super) fn rotation(sampler: &mut Sampler) -> Mat3 {
    let turn = |sampler: &mut Sampler| PlanarRotation::by(sampler.within(PI));
    turn(sampler).matrix_z() * turn(sampler).matrix_x() * turn(sampler).matrix_z()
}

/// A frame with its z along an axis, anywhere on it.
pub(super) fn on_axis(sampler: &mut Sampler, axis: Vec3, point: Vec3) -> Pose {
    let x = right(sampler, axis);
    let rotation = Mat3::from_rows([x, axis.cross(x), axis]).transpose();
    Pose { rotation, position: point + axis.scale(sampler.within(0.3)) }
}

/// One leg of every form.
pub(super) fn shapes(sampler: &mut Sampler) -> Vec<Shape> {
    let centre = sampler.vector(1.0);
    let [a, b, c] = [direction(sampler), direction(sampler), direction(sampler)];
    let [p, r, e] = [sampler.vector(0.8), sampler.vector(0.8), sampler.vector(0.8)].map(|x| centre + x);
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
pub(super) fn free(sampler: &mut Sampler, closing: ClosingJoint) -> Mat3 {
    let mut turn = || PlanarRotation::by(sampler.within(PI));
    match closing {
        ClosingRevolute => turn().matrix_z(),
        Universal => turn().matrix_x() * turn().matrix_y(),
        _ => rotation(sampler),
    }
}

/// A robot of one leg of a shape, at home where its joints are at `q`.
pub(super) fn robot(sampler: &mut Sampler, shape: &Shape, q: &[f64], branches: &[Branch]) -> Description {
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
    let platform_from_end = Pose { rotation: rotation(sampler), position: sampler.vector(0.3) };
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
pub(super) fn forward(shape: &Shape, q: &[f64]) -> Pose {
    let step = |(&(kind, axis, point), &q): (&(JointKind, Vec3, Vec3), &f64)| {
        if kind == Prismatic {
            return Pose { rotation: Mat3::identity(0.0), position: axis.scale(q) };
        }
        let (k, PlanarRotation { cos, sin }) = (Mat3::skew(axis), PlanarRotation::by(q));
        let rows = |m: Mat3, s: f64| Mat3::from_rows(m.rows.map(|row| row.scale(s)));
        let rotation = Mat3::identity(0.0) + rows(k, sin) + rows(k * k, 1.0 - cos);
        Pose { rotation, position: point - rotation * point }
    };
    shape.axes.iter().zip(q).map(step).fold(Pose::identity(0.0), |pose, step| pose * step) * shape.end
}

pub(super) fn random_q(sampler: &mut Sampler, shape: &Shape) -> Vec<f64> {
    shape
        .axes
        .iter()
        .map(|axis| if axis.0 == Revolute { sampler.within(PI) } else { 0.4 + sampler.within(0.2) })
        .collect()
}
