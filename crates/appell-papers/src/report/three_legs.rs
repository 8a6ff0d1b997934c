//! Something of three legs over time.

use super::plot::{self, Axis, Curve, Panel};
use plotters::chart::SeriesLabelPosition;
use plotters::style::RGBColor;

const COLOURS: [RGBColor; 3] = [plot::BLUE, plot::VERMILION, plot::GREEN];

/// Three numbers at each of some times.
pub(super) type Series = Vec<(f64, [f64; 3])>;

/// One curve per leg, with their names at the right.
pub(super) fn panel(label: &str, names: [&str; 3], series: &Series) -> Panel {
    over(label, names, series, None)
}

/// The same, and dashed over it what ought to be the same, under one name.
pub(super) fn panel_beside(label: &str, names: [&str; 3], series: &Series, other: &Series, name: &str) -> Panel {
    over(label, names, series, Some((other, name)))
}

/// Small differences, in a unit as small.
pub(super) fn differences(label: &str, names: [&str; 3], series: &Series, unit: f64) -> Panel {
    let scaled: Series = series.iter().map(|&(t, x)| (t, x.map(|x| x / unit))).collect();
    over(label, names, &scaled, None)
}

fn over(label: &str, names: [&str; 3], series: &Series, other: Option<(&Series, &str)>) -> Panel {
    let of = |k: usize, series: &Series| series.iter().map(|&(t, x)| (t, x[k])).collect();
    let mut curves: Vec<Curve> = (0..3)
        .map(|k| Curve { name: names[k].into(), colour: COLOURS[k], dashed: false, points: of(k, series) })
        .collect();
    if let Some((other, name)) = other {
        curves.extend((0..3).map(|k| Curve {
            name: if k == 0 { name.into() } else { String::new() },
            colour: plot::INK,
            dashed: true,
            points: of(k, other),
        }));
    }
    let values: Vec<f64> = series.iter().flat_map(|(_, x)| *x).collect();
    let flat = values.iter().all(|x| *x == values[0]);
    let end = series.last().map_or(1.0, |(t, _)| *t);
    let ticks = Axis::linear("time, s", 0.0..end);
    Panel {
        // Room at the right for the names.
        x: ticks.extended_to(1.17 * end),
        y: Axis::linear(label, if flat { values[0] - 1.0..values[0] + 1.0 } else { plot::range(&values) }),
        curves,
        legend: SeriesLabelPosition::MiddleRight,
    }
}
