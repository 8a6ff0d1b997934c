//! Curves over time, in strips below each other, on linear scales.

use super::axes::{Axis, Frame, Ticks};
use super::chart::{Curve, thinned};
use super::svg::{Point, Svg};
use crate::listing::clip;

/// Curves of one quantity.
pub(crate) struct Strip<'s> {
    pub(crate) label: &'s str,
    pub(crate) curves: Vec<Curve<'s>>,
}

/// Where the strips begin, how large each is, and how far it is to the next.
const CORNER: Point = [100.0, 62.0];
const SIZE: [f64; 2] = [712.0, 150.0];
const STEP: f64 = 176.0;
const WIDTH: f64 = 1000.0;

/// Colours there are, after which they come again, dashed.
const COLOURS: usize = 8;

/// As many curves are named in a strip.
const MOST_NAMED: usize = 9;

/// Draws strips over the places `x`; names stand at the right where they differ from those of the strip above.
pub(crate) fn strips(title: &str, x_label: &str, x: &[f64], panels: &[Strip<'_>]) -> String {
    let (from, to) = (x.first().copied().unwrap_or(0.0), x.last().copied().unwrap_or(1.0));
    let x_axis = Axis { label: String::new(), from, to: if to > from { to } else { from + 1.0 }, degrees: false };
    let last_axis = Axis { label: x_label.into(), ..x_axis.clone() };
    let height = CORNER[1] + STEP * panels.len() as f64 + 32.0;
    let mut svg = Svg::sized(&clip(title), [WIDTH, height]);
    svg.text("title", [28.0, 36.0], &clip(title));
    let mut named: Vec<&str> = Vec::new();
    for (row, panel) in panels.iter().enumerate() {
        let y_axis = y_axis(panel);
        let is_last = row + 1 == panels.len();
        let corner = [CORNER[0], CORNER[1] + STEP * row as f64];
        let frame = Frame { corner, size: SIZE, x: if is_last { &last_axis } else { &x_axis }, y: &y_axis };
        let (x_ticks, y_ticks) = (Ticks::round(&x_axis, 10), Ticks::round(&y_axis, 5));
        for (value, _) in &y_ticks.0 {
            svg.line("grid", frame.point([x_axis.from, *value]), frame.point([x_axis.to, *value]));
        }
        for (value, _) in &x_ticks.0 {
            svg.line("grid", frame.point([*value, y_axis.from]), frame.point([*value, y_axis.to]));
        }
        for (k, curve) in panel.curves.iter().enumerate() {
            let points: Vec<Point> = x.iter().zip(curve.values).map(|(&x, &y)| frame.point([x, y])).collect();
            svg.polyline(&class(k), &thinned(&points));
        }
        let marks =
            Ticks(x_ticks.0.into_iter().map(|(x, text)| (x, if is_last { text } else { String::new() })).collect());
        frame.draw(&mut svg, &marks, &y_ticks);
        let names: Vec<&str> = panel.curves.iter().map(|curve| curve.name).collect();
        if names != named {
            legend(&mut svg, [corner[0] + SIZE[0] + 16.0, corner[1] + 12.0], &names);
        }
        named = names;
    }
    svg.finish()
}

/// The range of all curves with a little room, and something around a constant.
fn y_axis(panel: &Strip<'_>) -> Axis {
    let all = || panel.curves.iter().flat_map(|curve| curve.values).copied();
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let (least, most) = if least <= most { (least, most) } else { (0.0, 0.0) };
    // What rounding leaves of a constant is none.
    let flat = most - least <= 1e-9 * least.abs().max(most.abs()).max(1e-6);
    let room = if flat { 0.5 * most.abs().max(1e-3) } else { 0.06 * (most - least) };
    Axis { label: panel.label.to_owned(), from: least - room, to: most + room, degrees: false }
}

fn class(k: usize) -> String {
    let dashed = if (k / COLOURS) % 2 == 1 { " dashed" } else { "" };
    format!("curve s{}{dashed}", k % COLOURS + 1)
}

/// Names in a column, as many as there is room for.
fn legend(svg: &mut Svg, [x, y]: Point, names: &[&str]) {
    let shown = if names.len() > MOST_NAMED { MOST_NAMED - 1 } else { names.len() };
    for (k, name) in names.iter().take(shown).enumerate() {
        let line = y + 16.0 * k as f64;
        svg.line(&class(k), [x, line - 4.0], [x + 24.0, line - 4.0]);
        let name: String = name.chars().take(18).collect();
        svg.text("note", [x + 32.0, line], &clip(&name));
    }
    if shown < names.len() {
        svg.text("note", [x + 32.0, y + 16.0 * shown as f64], &format!("and {} more", names.len() - shown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_nothing_have_axes_too() {
        let axis = |values: &[f64]| {
            let axis = y_axis(&Strip { label: "q", curves: vec![Curve { name: "a", values }] });
            (axis.from, axis.to)
        };
        assert_eq!(axis(&[0.0, 0.0]), (-5e-4, 5e-4));
        assert_eq!(axis(&[2.0]), (1.0, 3.0));
        assert_eq!(axis(&[]), (-5e-4, 5e-4));
        let (from, to) = axis(&[0.0, 1.0]);
        assert!(from < 0.0 && to > 1.0);
    }
}
