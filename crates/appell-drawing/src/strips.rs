//! Curves over time or frequency, in strips below each other.

use super::axes::{Axis, Frame, Ticks};
use super::chart::{Curve, thinned};
use super::svg::{Point, Svg};
use crate::listing::{clip, shortened};

/// What all strips are drawn over.
#[derive(Clone, Copy)]
pub struct Across<'s> {
    /// What is written below.
    pub label: &'s str,
    /// The places that curves have values at, in order.
    pub places: &'s [f64],
    /// Whether places are positive, and equal ratios equally far apart.
    pub is_logarithmic: bool,
    /// Places with something to say about them.
    pub marks: &'s [(f64, String)],
    /// Where parts of the curves begin, in order, and what they are called, as files that follow each other are.
    pub parts: &'s [(f64, String)],
}

/// Curves of one quantity. Where a value is NaN a curve is broken.
pub struct Strip<'s> {
    /// The quantity and its unit, written above, where names of any length have room.
    pub label: &'s str,
    /// Its curves, each with one value per place.
    pub curves: Vec<Curve<'s>>,
    /// How they are drawn.
    pub look: Look,
}

/// How the curves of a strip are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// Each in its colour.
    #[default]
    Alike,
    /// The first broad and pale, the second thin and on top: both are seen where they agree.
    Compared,
    /// What is left of such two, in a low strip with a scale of its own.
    LeftOver,
    /// The first broad and pale as of two that are compared, what is left of it on top.
    WithLeftOver,
}

impl Look {
    /// The class of a curve.
    fn class(self, k: usize) -> String {
        match (self, k) {
            (Self::Compared | Self::WithLeftOver, 0) => "beneath".into(),
            (Self::Compared, 1) => "on-top".into(),
            (Self::LeftOver, 0) | (Self::WithLeftOver, 1) => "left-over".into(),
            _ => {
                let dashed = if (k / COLOURS) % 2 == 1 { " dashed" } else { "" };
                format!("curve s{}{dashed}", k % COLOURS + 1)
            }
        }
    }

    /// Height of a strip, px.
    fn height(self) -> f64 {
        if self == Self::LeftOver { 74.0 } else { 150.0 }
    }
}

/// Where the strips begin, how wide they are, and how far it is from one to the next: room for numbers below it and the label of the next.
const CORNER: Point = [88.0, 90.0];
const STRIP_WIDTH: f64 = 724.0;
const BETWEEN: f64 = 52.0;
const BETWEEN_PAIR: f64 = 10.0;
const WIDTH: f64 = 1000.0;

/// As many ticks at most. With five there are two in every range, since steps grow by two and a half at most.
const MOST_TICKS: usize = 5;

/// Width of a letter of a note, px, with a little room, and of as many a name has room beside the strips.
const LETTER: f64 = 6.4;
const ROOM: usize = 21;

/// Colours there are, after which they come again, dashed.
const COLOURS: usize = 8;

/// As many curves are named in a strip.
const MOST_NAMED: usize = 9;

impl<'s> Across<'s> {
    /// Places on an even scale.
    pub fn even(label: &'s str, places: &'s [f64]) -> Self {
        Self { label, places, is_logarithmic: false, marks: &[], parts: &[] }
    }

    fn along(&self, place: f64) -> f64 {
        if self.is_logarithmic { place.max(f64::MIN_POSITIVE).log10() } else { place }
    }

    fn axis(&self) -> Axis {
        let end = |place: Option<&f64>, none: f64| self.along(place.copied().unwrap_or(none));
        let (from, to) = (end(self.places.first(), 1.0), end(self.places.last(), 10.0));
        Axis { label: String::new(), from, to: if to > from { to } else { from + 1.0 }, degrees: false }
    }

    fn ticks(&self, axis: &Axis) -> Ticks {
        if self.is_logarithmic { Ticks::logarithmic(axis) } else { Ticks::round(axis, 10) }
    }
}

/// Draws strips; names stand at the right where they differ from those of the strips above.
pub fn strips(title: &str, across: &Across<'_>, panels: &[Strip<'_>]) -> String {
    let x_axis = across.axis();
    let is_pair = |row: usize| panels.get(row + 1).is_some_and(|next| next.look == Look::LeftOver);
    let mut tops = vec![CORNER[1]];
    for (row, panel) in panels.iter().enumerate() {
        tops.push(tops[row] + panel.look.height() + if is_pair(row) { BETWEEN_PAIR } else { BETWEEN });
    }
    let mut svg = Svg::sized(&clip(title), [WIDTH, tops[panels.len()] + 6.0]);
    svg.text("title", [28.0, 36.0], &clip(title));
    let place_of =
        |place: f64| CORNER[0] + STRIP_WIDTH * (across.along(place) - x_axis.from) / (x_axis.to - x_axis.from);
    let line = CORNER[1] - 26.0;
    for (place, text) in across.marks {
        svg.text("note middle", [place_of(*place), line], text);
    }
    for (k, (from, name)) in across.parts.iter().enumerate() {
        let end = across.parts.get(k + 1).map_or(CORNER[0] + STRIP_WIDTH, |(next, _)| place_of(*next));
        let room = ((end - place_of(*from)) / LETTER) as usize;
        svg.text("note", [place_of(*from) + 2.0, line], &shortened(name, room));
    }
    let mut named: Vec<(Look, Vec<&str>)> = Vec::new();
    for (row, panel) in panels.iter().enumerate() {
        let y_axis = y_axis(panel);
        let (corner, size) = ([CORNER[0], tops[row]], [STRIP_WIDTH, panel.look.height()]);
        let frame = Frame { corner, size, x: &x_axis, y: &y_axis };
        let (mut x_ticks, y_ticks) = (across.ticks(&x_axis), Ticks::round(&y_axis, MOST_TICKS));
        svg.text("", [corner[0], corner[1] - 8.0], &clip(panel.label));
        for (value, _) in &y_ticks.0 {
            svg.line("grid", frame.point([x_axis.from, *value]), frame.point([x_axis.to, *value]));
        }
        for (value, _) in x_ticks.0.iter().filter(|(_, text)| !text.is_empty()) {
            svg.line("grid", frame.point([*value, y_axis.from]), frame.point([*value, y_axis.to]));
        }
        for (k, curve) in panel.curves.iter().enumerate() {
            let point = |(&x, &y): (&f64, &f64)| frame.point([across.along(x), y]);
            let points: Vec<Point> = across.places.iter().zip(curve.values).map(point).collect();
            for run in points.split(|point| point[1].is_nan()).filter(|run| !run.is_empty()) {
                svg.polyline(&panel.look.class(k), &thinned(run));
            }
        }
        for (place, _) in across.marks {
            let x = across.along(*place);
            svg.line("limit", frame.point([x, y_axis.from]), frame.point([x, y_axis.to]));
        }
        for (place, _) in across.parts.iter().skip(1) {
            let x = across.along(*place);
            svg.line("tick-line", frame.point([x, y_axis.from]), frame.point([x, y_axis.to]));
        }
        // What both of a pair are drawn over stands below the lower one.
        x_ticks.0.iter_mut().filter(|_| is_pair(row)).for_each(|(_, text)| text.clear());
        frame.draw(&mut svg, &x_ticks, &y_ticks);
        let names = (panel.look, panel.curves.iter().map(|curve| curve.name).collect::<Vec<_>>());
        if !named.contains(&names) {
            legend(&mut svg, [corner[0] + STRIP_WIDTH + 16.0, corner[1] + 12.0], panel.look, &names.1);
            // Of strips in turns each is named once; others again where they differ from the one above.
            named.retain(|(look, _)| *look != names.0);
            named.push(names);
        }
    }
    svg.text("middle", [CORNER[0] + 0.5 * STRIP_WIDTH, tops[panels.len()] - 12.0], across.label);
    svg.finish()
}

/// The range of all curves with a little room, and something around a constant.
fn y_axis(panel: &Strip<'_>) -> Axis {
    let all = || panel.curves.iter().flat_map(|curve| curve.values).copied();
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let (least, most) = if least <= most { (least, most) } else { (0.0, 0.0) };
    // What rounding leaves of a constant is flat.
    let flat = most - least <= 1e-9 * least.abs().max(most.abs()).max(1e-6);
    let room = if flat { 0.5 * most.abs().max(1e-3) } else { 0.06 * (most - least) };
    Axis { label: String::new(), from: least - room, to: most + room, degrees: false }
}

/// Names in a column, as many as there is room for.
fn legend(svg: &mut Svg, [x, y]: Point, look: Look, names: &[&str]) {
    let shown = if names.len() > MOST_NAMED { MOST_NAMED - 1 } else { names.len() };
    for (k, name) in names.iter().take(shown).enumerate() {
        let line = y + 16.0 * k as f64;
        svg.line(&look.class(k), [x, line - 4.0], [x + 24.0, line - 4.0]);
        svg.text("note", [x + 32.0, line], &shortened(&clip(name), ROOM));
    }
    if shown < names.len() {
        svg.text("note", [x + 32.0, y + 16.0 * shown as f64], &format!("and {} more", names.len() - shown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip<'s>(values: &'s [f64], look: Look) -> Strip<'s> {
        Strip { label: "q", curves: vec![Curve { name: "a", values }], look }
    }

    #[test]
    fn constants_and_nothing_have_axes_too() {
        let axis = |values: &[f64]| {
            let axis = y_axis(&strip(values, Look::Alike));
            (axis.from, axis.to)
        };
        assert_eq!(axis(&[0.0, 0.0]), (-5e-4, 5e-4));
        assert_eq!(axis(&[2.0]), (1.0, 3.0));
        assert_eq!(axis(&[]), (-5e-4, 5e-4));
        let (from, to) = axis(&[0.0, 1.0]);
        assert!(from < 0.0 && to > 1.0);
    }

    #[test]
    fn curves_break_where_there_is_no_number_and_are_named_once() {
        let (x, values) = ([0.1, 1.0, 10.0, 100.0, 1000.0], [1.0, 2.0, f64::NAN, 2.0, 1.0]);
        let marks = [(10.0, "cut-off".to_owned())];
        let parts = [(0.1, "first.csv".to_owned()), (100.0, "a-long-name-of-a-second-file-at-the-end.csv".to_owned())];
        let across = Across { label: "Hz", places: &x, is_logarithmic: true, marks: &marks, parts: &parts };
        let panels = [Look::Compared, Look::LeftOver, Look::Compared, Look::LeftOver].map(|look| strip(&values, look));
        let svg = strips("title", &across, &panels);
        assert_eq!(svg.matches("<polyline").count(), 8, "two pieces a strip");
        assert_eq!(svg.matches(">a</text>").count(), 2, "once a look");
        assert_eq!((svg.matches("cut-off").count(), svg.matches("class=\"limit\"").count()), (1, 4));
        assert!(svg.contains(">100</text>") && !svg.contains("NaN"), "{svg}");
        assert_eq!(svg.matches(">100</text>").count(), 2, "below each pair");
        assert!(svg.contains(">first.csv</text>") && svg.contains(">a-long-name-o…at-the-end.csv</text>"), "{svg}");
    }

    #[test]
    fn every_range_has_a_scale() {
        for k in 0..400 {
            let span = 10.0_f64.powf(0.01 * f64::from(k) - 2.0);
            let values = [-0.37 * span, 0.63 * span];
            let ticks = Ticks::round(&y_axis(&strip(&values, Look::LeftOver)), MOST_TICKS).0.len();
            assert!((2..=6).contains(&ticks), "{ticks} from {} to {}", values[0], values[1]);
        }
    }
}
