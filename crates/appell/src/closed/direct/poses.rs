//! All poses of a platform that is held in one of the known ways.

use super::super::held::{Angle, Distance, Held};
use super::complex::Complex;
use super::equations::Equations;
use super::families::{Planar, SixLegs, Spherical};
use super::pairs::{self, Pairs};
use super::solve::{self, Ends, Solutions};
use super::spheres;
use super::starts::{self, Start};
use crate::sample::Sampler;
use crate::spatial::{Mat3, Pose, Quaternion, Vec3};

/// Points of base or platform that are nearer to each other than this, over the legs' lengths, hardly hold a platform: paths go as
/// far away as those to infinity, and come back.
const SMALL: f64 = 1e-2;

/// All poses, and how they are counted.
#[derive(Debug, Clone)]
pub(super) struct Poses {
    /// Regular ones.
    pub(super) real: Vec<Pose>,
    /// Singular ones, to a few digits.
    pub(super) nearly_real: Vec<Pose>,
    pub(super) ends: Ends,
}

impl Poses {
    /// All poses of a platform; `home` says what does not move. The seed chooses the paths.
    pub(super) fn of(held: &Held, home: &Pose, seed: u64) -> Self {
        match held {
            Held::Spatial(legs) => of_six(legs, Pairs::of(legs), seed),
            Held::Planar { normal, legs } => in_plane(*normal, legs, home, seed),
            Held::Spherical { centre, legs } => about_point(*centre, legs, home, seed),
            Held::Spheres(legs) => {
                let sphere = |leg: &Distance| (leg.centre - home.rotation * leg.point, leg.length);
                Self::of_points(spheres::on_three(legs.each_ref().map(sphere)), home)
            }
            Held::Circles { normal, legs } => {
                // The plane is that of the platform's origin.
                let in_plane = |x: Vec3| x + normal.scale(normal.dot(home.position - x));
                let circle = |leg: &Distance| (in_plane(leg.centre - home.rotation * leg.point), leg.length);
                Self::of_points(spheres::on_two(legs.each_ref().map(circle), *normal), home)
            }
        }
    }

    fn of_points((points, ends): (Vec<Vec3>, Ends), home: &Pose) -> Self {
        let poses = points.into_iter().map(|position| Pose { position, ..*home }).collect();
        if ends.singular > 0 {
            Self { real: Vec::new(), nearly_real: poses, ends }
        } else {
            Self { real: poses, nearly_real: Vec::new(), ends }
        }
    }

    /// Takes paths to infinity for lost ones where base or platform are too small to tell them from others.
    fn doubted(mut self, is_small: bool) -> Self {
        if is_small {
            self.ends.lost += self.ends.infinite;
            self.ends.infinite = 0;
        }
        self
    }

    fn new<const M: usize>(found: Solutions<M>, pose: impl Fn([f64; M]) -> Pose) -> Self {
        let all = |solutions: Vec<[f64; M]>| solutions.into_iter().map(&pose).collect();
        Self { real: all(found.real), nearly_real: all(found.nearly_real), ends: found.ends }
    }
}

fn solved<E, const N: usize, const M: usize>(to: &E, seed: u64) -> Solutions<M>
where
    E: Equations<N, M> + Start<M>,
{
    let (from, _) = starts::member::<E, M>();
    solve::solutions(&from, &starts::solutions::<E, N, M>(&from), to, seed)
}

/// The legs in an order that the seed chooses, and a length to measure with. Each order has paths of its own.
fn shuffled<const N: usize>(legs: &[Distance; N], seed: u64) -> ([Distance; N], f64) {
    let mut sampler = Sampler::new(seed);
    let mut legs = *legs;
    for k in (1..N).rev() {
        legs.swap(k, sampler.below(k + 1));
    }
    let square = |v: Vec3| v.dot(v);
    let sizes = legs.iter().map(|leg| square(leg.point - legs[0].point) + square(leg.centre - legs[0].centre));
    let mean = (sizes.sum::<f64>() / N as f64 + legs[0].length * legs[0].length) / 3.0;
    (legs, if mean > 0.0 { mean.sqrt() } else { 1.0 })
}

/// Whether all points of the platform, or of the base, are very near to each other.
fn are_small<const N: usize>(points: [[Vec3; N]; 2], unit: f64) -> bool {
    points.iter().any(|points| points.iter().all(|point| point.norm() < SMALL * unit))
}

/// c = a·a + b·b − l² + l₁².
fn constant(a: f64, b: f64, length: f64, first: f64) -> Complex {
    Complex::real(a + b - length * length + first * first)
}

fn of_six(legs: &[Distance; 6], pairs: Option<Pairs>, seed: u64) -> Poses {
    let (legs, unit) = shuffled(legs, seed);
    match pairs {
        None => on_six_legs::<false>(&legs, unit, seed),
        Some(Pairs::OnPlatform) => on_six_legs::<true>(&pairs::in_pairs(legs, |leg| leg.point), unit, seed),
        Some(Pairs::OnBase) => {
            // As the platform sees the base, which it holds.
            let seen = |leg: Distance| Distance { point: leg.centre, centre: leg.point, ..leg };
            let mut poses = on_six_legs::<true>(&pairs::in_pairs(legs, |leg| leg.centre).map(seen), unit, seed);
            for pose in poses.real.iter_mut().chain(&mut poses.nearly_real) {
                *pose = pose.inverse();
            }
            poses
        }
    }
}

fn on_six_legs<const PAIRED: bool>(legs: &[Distance; 6], unit: f64, seed: u64) -> Poses {
    let first = legs[0];
    let scaled = |v: Vec3| v.scale(1.0 / unit);
    let complex = |v: Vec3| scaled(v).to_array().map(Complex::real);
    let [a, b]: [[Vec3; 5]; 2] = [
        core::array::from_fn(|i| legs[i + 1].point - first.point),
        core::array::from_fn(|i| legs[i + 1].centre - first.centre),
    ];
    let square = |v: Vec3| scaled(v).dot(scaled(v));
    let member = SixLegs::<PAIRED> {
        a: a.map(complex),
        b: b.map(complex),
        c: core::array::from_fn(|i| {
            constant(square(a[i]), square(b[i]), legs[i + 1].length / unit, first.length / unit)
        }),
        square: Complex::real((first.length / unit).powi(2)),
    };
    let poses = Poses::new(solved::<SixLegs<PAIRED>, 6, 7>(&member, seed), |[w, x, y, z, px, py, pz]| {
        let rotation = Quaternion { x, y, z, w }.normalized().rotation();
        let position = first.centre + Vec3::new(px, py, pz).scale(unit) - rotation * first.point;
        Pose { rotation, position }
    });
    poses.doubted(are_small([a, b], unit))
}

fn in_plane(normal: Vec3, legs: &[Distance; 3], home: &Pose, seed: u64) -> Poses {
    // Axes in the plane: any two at right angles will do.
    let across = [0, 1, 2].map(|k| home.rotation.column(k).cross(normal));
    let longest = across.into_iter().max_by(|a, b| a.norm().total_cmp(&b.norm())).expect("there are three");
    let u = longest.scale(1.0 / longest.norm());
    let v = normal.cross(u);
    let flat = |x: Vec3| [u.dot(x), v.dot(x)];
    // On the platform seen at home, and without what is across the plane.
    let flattened = legs.map(|leg| {
        let (a, b) = (flat(home.rotation * leg.point), flat(leg.centre));
        Distance { point: Vec3::new(a[0], a[1], 0.0), centre: Vec3::new(b[0], b[1], 0.0), length: leg.length }
    });
    let (legs, unit) = shuffled(&flattened, seed);
    let first = legs[0];
    let [a, b]: [[Vec3; 2]; 2] = [
        core::array::from_fn(|i| (legs[i + 1].point - first.point).scale(1.0 / unit)),
        core::array::from_fn(|i| (legs[i + 1].centre - first.centre).scale(1.0 / unit)),
    ];
    let complex = |v: Vec3| [Complex::real(v.x), Complex::real(v.y)];
    let member = Planar {
        a: a.map(complex),
        b: b.map(complex),
        c: core::array::from_fn(|i| {
            constant(a[i].dot(a[i]), b[i].dot(b[i]), legs[i + 1].length / unit, first.length / unit)
        }),
        square: Complex::real((first.length / unit).powi(2)),
    };
    let height = normal.dot(home.position);
    let poses = Poses::new(solved::<Planar, 3, 4>(&member, seed), |[cos, sin, px, py]| {
        let turn = |x: Vec3| {
            let [s, t] = flat(x);
            u.scale(cos * s - sin * t) + v.scale(sin * s + cos * t) + normal.scale(normal.dot(x))
        };
        let columns = [0, 1, 2].map(|k| turn(home.rotation.column(k)));
        let rotation = Mat3::from_rows(columns).transpose();
        let [x, y] = [px * unit + first.centre.x, py * unit + first.centre.y];
        let of_first = turn(u.scale(first.point.x) + v.scale(first.point.y));
        let position = u.scale(x) + v.scale(y) - of_first + normal.scale(height);
        Pose { rotation, position }
    });
    poses.doubted(are_small([a, b], 1.0))
}

fn about_point(centre: Vec3, legs: &[Angle; 3], home: &Pose, seed: u64) -> Poses {
    let complex = |v: Vec3| v.to_array().map(Complex::real);
    let member = Spherical {
        v: legs.each_ref().map(|leg| complex(leg.direction)),
        w: legs.each_ref().map(|leg| complex(leg.fixed)),
        c: legs.each_ref().map(|leg| Complex::real(leg.cosine)),
    };
    let arm = home.rotation.transpose_times(home.position - centre);
    Poses::new(solved::<Spherical, 3, 4>(&member, seed), |[w, x, y, z]| {
        let rotation = Quaternion { x, y, z, w }.normalized().rotation();
        Pose { rotation, position: centre + rotation * arm }
    })
}
