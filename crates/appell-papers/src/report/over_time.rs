//! Something of several legs or joints over time.

use super::plot::{self, Axis, Curve, Panel};
use plotters::chart::SeriesLabelPosition;

/// Some numbers at each of some times.
pub(super) type Series<const N: usize> = Vec<(f64, [f64; N])>;

/// One curve per leg, with their names at the right.
pub(super) fn panel(label: &str, names: [&str; 3], series: &Series<3>) -> Panel {
    with_names(label, names, series, 1.17)
}

/// The same, and dashed over it what ought to be the same, under one name.
pub(super) fn panel_beside(label: &str, names: [&str; 3], series: &Series<3>, other: &Series<3>, name: &str) -> Panel {
    let mut panel = panel(label, names, series);
    let names = [name, "", ""].into_iter().enumerate();
    panel.curves.extend(names.map(|(k, name)| Curve::dashed(name, plot::INK, other.iter().map(|(t, x)| (*t, x[k])))));
    panel
}

/// Small differences, in a unit as small.
pub(super) fn differences(label: &str, names: [&str; 3], series: &Series<3>, unit: f64) -> Panel {
    panel(label, names, &series.iter().map(|&(t, x)| (t, x.map(|x| x / unit))).collect())
}

/// The same of any number, with room for the names: the axis is so much longer than the time.
pub(super) fn with_names<const N: usize>(label: &str, names: [&str; N], series: &Series<N>, room: f64) -> Panel {
    let curve = |(k, name): (usize, &str)| Curve::new(name, plot::EACH[k], series.iter().map(|(t, x)| (*t, x[k])));
    let end = series.last().map_or(1.0, |(t, _)| *t);
    Panel {
        x: Axis::linear("time, s", 0.0..end).extended_to(room * end),
        y: Axis::linear(label, plot::range(series.iter().flat_map(|(_, x)| x))),
        curves: names.into_iter().enumerate().map(curve).collect(),
        legend: SeriesLabelPosition::MiddleRight,
    }
}
