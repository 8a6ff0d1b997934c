//! Curves on a logarithmic scale.

use super::axes::{Axis, Frame, Ticks};
use super::svg::{Point, Svg};
use crate::listing::clip;

/// A curve: one value per place.
#[derive(Clone, Copy)]
pub struct Curve<'c> {
    /// What the legend calls it.
    pub name: &'c str,
    /// Its values, one per place.
    pub values: &'c [f64],
}

/// The sheet, and the frame on it.
const SHEET: [f64; 2] = [1000.0, 560.0];
const CORNER: Point = [88.0, 76.0];
const SIZE: [f64; 2] = [872.0, 390.0];

/// The least value that is distinguished from zero.
const LEAST: f64 = 1e-12;

/// Draws curves over the places `x`, whose values are from 0 to 1, with a line at a limit below which they are too
/// small.
pub fn log_chart(title: &str, x_label: &str, x: &[f64], curves: &[Curve<'_>], limit: f64) -> String {
    let exponent = |value: f64| value.max(LEAST).log10();
    let all = || x.iter().copied();
    let (mut from, mut to) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    if from >= to {
        (from, to) = (from - 0.5, to + 0.5);
    }
    let least = curves.iter().flat_map(|curve| curve.values).copied().fold(limit, f64::min);
    let lowest = (exponent(least) - 0.1).floor().max(LEAST.log10());
    let x_axis = Axis { label: x_label.into(), from, to, degrees: false };
    let y_axis = Axis { label: "inverse condition".into(), from: lowest, to: 0.0, degrees: false };
    let frame = Frame { corner: CORNER, size: SIZE, x: &x_axis, y: &y_axis };
    let mut svg = Svg::sized(&clip(title), SHEET);
    svg.text("title", [28.0, 36.0], &clip(title));
    let y_ticks = Ticks::decades(&y_axis);
    for (value, _) in &y_ticks.0 {
        svg.line("grid", frame.point([from, *value]), frame.point([to, *value]));
    }
    svg.line("limit", frame.point([from, exponent(limit)]), frame.point([to, exponent(limit)]));
    for (k, curve) in curves.iter().enumerate() {
        let points: Vec<Point> = x.iter().zip(curve.values).map(|(&x, &y)| frame.point([x, exponent(y)])).collect();
        svg.polyline(&format!("curve c{}", k + 1), &thinned(&points));
    }
    frame.draw(&mut svg, &Ticks::round(&x_axis, 10), &y_ticks);
    let mut left = CORNER[0];
    let names = curves.iter().enumerate().map(|(k, curve)| (format!("curve c{}", k + 1), curve.name));
    for (class, name) in names.chain([("limit".to_owned(), "threshold")]) {
        svg.line(&class, [left, 58.0], [left + 30.0, 58.0]);
        svg.text("note", [left + 38.0, 62.0], name);
        left += 66.0 + 6.4 * name.chars().count() as f64;
    }
    svg.finish()
}

/// The same curve in no more points than a sheet can show: of those in one column of pixels the first, the lowest, the
/// highest and the last.
pub(super) fn thinned(points: &[Point]) -> Vec<Point> {
    if points.len() < 4 * SIZE[0] as usize {
        return points.to_vec();
    }
    let column = |point: &Point| point[0].floor();
    let mut thin = Vec::new();
    for run in points.chunk_by(|one, other| column(one) == column(other)) {
        let by_height = |one: &&Point, other: &&Point| one[1].total_cmp(&other[1]);
        let extremes = [run.first(), run.iter().min_by(by_height), run.iter().max_by(by_height), run.last()];
        thin.extend(extremes.into_iter().flatten());
    }
    thin
}
