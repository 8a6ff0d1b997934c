//! From space to the sheet: an axonometric view, z up, fitted to the robot.

use super::svg::{Point, SHEET};
use anyhow::{Context, Result};
use appell::spatial::Vec3;

/// What stays free around the robot for symbols, labels, title and scale, px: left and right, above and below.
const MARGIN: Point = [130.0, 120.0];

/// The same where a legend stands beside the robot.
const MARGIN_BESIDE_LEGEND: Point = [190.0, 120.0];

/// Where the eye may stand, degrees from x about z; the first unless another one shows more. Opposite directions show
/// the same lengths.
const AZIMUTHS: [f64; 4] = [35.0, -35.0, 55.0, -55.0];

/// How high the eye stands, degrees: low enough for arms that stand, high enough for arms that lie.
const ELEVATION: f64 = 24.0;

/// A parallel projection.
#[derive(Clone, Copy)]
pub(super) struct View {
    right: Vec3<f64>,
    up: Vec3<f64>,
    towards: Vec3<f64>, // the eye
    scale: f64,         // px/m
    middle: Point,      // of the robot, m in the plane of projection
}

impl View {
    /// The view in which the robot's links look longest, as large as the sheet allows; `lines` are the links, `points`
    /// what must be on the sheet.
    ///
    /// # Errors
    /// If the robot is so large that its size is NaN.
    pub(super) fn of(lines: &[[Vec3<f64>; 2]], points: &[Vec3<f64>]) -> Result<Self> {
        let length = |view: &Self| lines.iter().map(|&[a, b]| norm(view.vector(b - a, 1.0))).sum::<f64>();
        let [first, others @ ..] = AZIMUTHS.map(Self::from);
        // Another view must show clearly more: what is equal but for rounding stays as one is used to see it.
        let view =
            others.into_iter().fold(first, |best, view| if length(&view) > 1.02 * length(&best) { view } else { best });
        view.fitted(points, MARGIN)
    }

    /// The view in which legs hide each other least, beside a legend. A robot in a plane is seen `along` the axis of
    /// the base across it.
    ///
    /// # Errors
    /// If the robot is so large that its size is NaN.
    pub(super) fn clearest(lines: &[[Vec3<f64>; 2]], points: &[Vec3<f64>], along: Option<usize>) -> Result<Self> {
        // More lines than these are a thicket from everywhere.
        const MOST: usize = 100;
        let lines = &lines[..lines.len().min(MOST)];
        let size = lines.iter().map(|&[a, b]| (b - a).norm()).fold(0.0, f64::max);
        let on_line = |&[a, b]: &[Vec3<f64>; 2]| [0.2, 0.5, 0.8].map(|s| a + (b - a).scale(s));
        let hidden = |view: &Self| {
            let seen: Vec<[Point; 3]> = lines.iter().map(|line| on_line(line).map(|p| view.vector(p, 1.0))).collect();
            let pairs =
                seen.iter().enumerate().flat_map(|(k, one)| seen[k + 1..].iter().map(move |other| (one, other)));
            // Far enough is far enough: only what is near another line counts.
            let near = |(one, other): (&[Point; 3], &[Point; 3])| {
                let distances = one.iter().flat_map(|&a| other.iter().map(move |&b| norm(minus(a, b))));
                distances.map(|distance| (1.0 - distance / (0.08 * size)).max(0.0).powi(2)).sum::<f64>()
            };
            pairs.map(near).sum::<f64>()
        };
        let clearest = || {
            let azimuths = AZIMUTHS.into_iter().chain((-8..=8).map(|step| 10.0 * f64::from(step)));
            let mut views = azimuths.map(Self::from).map(|view| (hidden(&view), view));
            let first = views.next().expect("there are several");
            views.fold(first, |best, other| if other.0 < 0.9 * best.0 { other } else { best }).1
        };
        along.map_or_else(clearest, Self::along).fitted(points, MARGIN_BESIDE_LEGEND)
    }

    /// From afar on an axis of the base: x to the right if it can be, then z or y up.
    fn along(axis: usize) -> Self {
        let [x, y, z] = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];
        let [right, up, towards] = match axis {
            0 => [y, z, x],
            1 => [x, z, -y],
            _ => [x, y, z],
        };
        Self { right, up, towards, scale: 1.0, middle: [0.0; 2] }
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

    fn fitted(self, points: &[Vec3<f64>], margin: Point) -> Result<Self> {
        let points: Vec<Point> = points.iter().map(|&p| [self.right.dot(p), self.up.dot(p)]).collect();
        let least = |k: usize| points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        let axes = [0, 1];
        // A robot all of whose axes meet in the base has no size: it is drawn as if it had a metre.
        let scales = axes.map(|k| (SHEET[k] - 2.0 * margin[k]) / (most(k) - least(k)));
        let scale = Some(scales[0].min(scales[1])).filter(|scale| *scale < 1e12).unwrap_or(500.0);
        let middle = axes.map(|k| 0.5 * (least(k) + most(k)));
        let drawable = scale > 0.0 && points.iter().flatten().all(|x| x.is_finite());
        drawable.then_some(Self { scale, middle, ..self }).context("the robot is too large to be drawn here")
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

    /// To the right and up on the sheet, in space.
    pub(super) fn across(&self) -> [Vec3<f64>; 2] {
        [self.right, self.up]
    }

    /// Towards the eye, in space.
    pub(super) fn towards(&self) -> Vec3<f64> {
        self.towards
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
