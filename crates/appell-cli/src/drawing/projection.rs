//! From space to the sheet: an axonometric view, z up, fitted to the robot.

use super::skeleton::Skeleton;
use super::svg::{Point, SHEET};
use anyhow::{Context, Result};
use appell::spatial::Vec3;

/// What stays free around the robot for symbols, labels, title and scale, px: left and right, above and below.
const MARGIN: Point = [130.0, 120.0];

/// Where the eye may stand, degrees from x about z; the first unless another one shows more. Opposite directions show
/// the same lengths.
const AZIMUTHS: [f64; 4] = [35.0, -35.0, 55.0, -55.0];

/// How high the eye stands, degrees: low enough for arms that stand, high enough for arms that lie.
const ELEVATION: f64 = 24.0;

/// A parallel projection.
pub(super) struct View {
    right: Vec3<f64>,
    up: Vec3<f64>,
    towards: Vec3<f64>, // the eye
    scale: f64,         // px/m
    middle: Point,      // of the robot, m in the plane of projection
}

impl View {
    /// The view in which the robot's links look longest, as large as the sheet allows.
    ///
    /// # Errors
    /// If the robot is so large that its size is no number.
    pub(super) fn of(skeleton: &Skeleton) -> Result<Self> {
        let length = |view: &Self| skeleton.lines().map(|&[a, b]| norm(view.vector(b - a, 1.0))).sum::<f64>();
        let [first, others @ ..] = AZIMUTHS.map(Self::from);
        // Another view must show clearly more: what is equal but for rounding stays as one is used to see it.
        let view =
            others.into_iter().fold(first, |best, view| if length(&view) > 1.02 * length(&best) { view } else { best });
        view.fitted(skeleton).context("the robot is too large to be drawn here")
    }

    fn from(azimuth: f64) -> Self {
        let ((sa, ca), (se, ce)) = (azimuth.to_radians().sin_cos(), ELEVATION.to_radians().sin_cos());
        Self {
            right: Vec3::new(-sa, ca, 0.0),
            up: Vec3::new(-se * ca, -se * sa, ce),
            towards: Vec3::new(ce * ca, ce * sa, se),
            scale: 1.0,
            middle: [0.0; 2],
        }
    }

    fn fitted(self, skeleton: &Skeleton) -> Option<Self> {
        let points: Vec<Point> = skeleton.points().map(|p| [self.right.dot(p), self.up.dot(p)]).collect();
        let least = |k: usize| points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        let axes = [0, 1];
        // A robot all of whose axes meet in the base has no size: it is drawn as if it had a metre.
        let scales = axes.map(|k| (SHEET[k] - 2.0 * MARGIN[k]) / (most(k) - least(k)));
        let scale = Some(scales[0].min(scales[1])).filter(|scale| *scale < 1e12).unwrap_or(500.0);
        let middle = axes.map(|k| 0.5 * (least(k) + most(k)));
        let drawable = scale > 0.0 && points.iter().flatten().all(|x| x.is_finite());
        drawable.then_some(Self { scale, middle, ..self })
    }

    /// Where a point is on the sheet.
    pub(super) fn point(&self, p: Vec3<f64>) -> Point {
        let [x, y] = [self.right.dot(p) - self.middle[0], self.up.dot(p) - self.middle[1]];
        [0.5 * SHEET[0] + self.scale * x, 0.5 * SHEET[1] - self.scale * y]
    }

    /// How a vector looks on the sheet, at so many pixels a unit.
    pub(super) fn vector(&self, v: Vec3<f64>, pixels: f64) -> Point {
        [pixels * self.right.dot(v), -pixels * self.up.dot(v)]
    }

    /// How far a point or vector is towards the eye.
    pub(super) fn nearness(&self, p: Vec3<f64>) -> f64 {
        self.towards.dot(p)
    }

    /// px/m
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }
}

pub(super) fn norm([x, y]: Point) -> f64 {
    x.hypot(y)
}

pub(super) fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}
