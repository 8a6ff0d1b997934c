//! Curves over one or several pairs of axes, as SVG.

use super::number::power_of_ten;
use anyhow::Result;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::ops::Range;

/// Colours that readers of all kinds of colour vision tell apart (Okabe and Ito).
pub(super) const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
pub(super) const VERMILION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub(super) const GREEN: RGBColor = RGBColor(0x00, 0x9e, 0x73);
pub(super) const SKY: RGBColor = RGBColor(0x56, 0xb4, 0xe9);
/// One each for up to six joints or legs.
pub(super) const EACH: [RGBColor; 6] =
    [BLUE, VERMILION, GREEN, RGBColor(0xe6, 0x9f, 0x00), SKY, RGBColor(0xcc, 0x79, 0xa7)];
pub(super) const INK: RGBColor = RGBColor(0x1c, 0x24, 0x30);

const FONT: &str = "sans-serif";

/// The backend knows whole pixels alone; curves are smooth if there are this many to a pixel of the sheet.
const FINE: u32 = 8;

/// Width of a sheet and height of a row, px.
const SHEET: [u32; 2] = [1000, 340];

/// A curve. Points outside the axes are left out.
pub(super) struct Curve {
    /// Its name in the legend; none if empty.
    name: String,
    colour: RGBColor,
    dashed: bool,
    pub(super) points: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Clone)]
pub(super) struct Axis {
    label: String,
    range: Range<f64>,
    ticks: Vec<f64>,
    log: bool,
}

/// Curves over one pair of axes.
pub(super) struct Panel {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) curves: Vec<Curve>,
    /// Where the curves leave room for their names.
    pub(super) legend: SeriesLabelPosition,
}

impl Curve {
    /// A full line.
    pub(super) fn new(name: impl Into<String>, colour: RGBColor, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), colour, dashed: false, points: points.into_iter().collect() }
    }

    /// A dashed one.
    pub(super) fn dashed(
        name: impl Into<String>,
        colour: RGBColor,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        Self { dashed: true, ..Self::new(name, colour, points) }
    }
}

impl Axis {
    /// With about seven ticks at round numbers.
    pub(super) fn linear(label: impl Into<String>, range: Range<f64>) -> Self {
        let rough = (range.end - range.start) / 7.0;
        let decade = 10.0_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|x| x * decade).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * decade);
        let ticks = (range.start / step).ceil() as i64..=(range.end / step).floor() as i64;
        Self { label: label.into(), ticks: ticks.map(|k| step * k as f64).collect(), range, log: false }
    }

    /// With these ticks.
    pub(super) fn at(label: impl Into<String>, range: Range<f64>, ticks: Vec<f64>) -> Self {
        Self { label: label.into(), range, ticks, log: false }
    }

    /// The same ticks on a longer axis.
    pub(super) fn extended_to(mut self, end: f64) -> Self {
        self.range.end = end;
        self
    }

    /// Logarithmic, with ticks at powers of ten.
    pub(super) fn logarithmic(label: impl Into<String>, range: Range<f64>) -> Self {
        let powers = (range.start.log10() - 1e-9).ceil() as i32..=(range.end.log10() + 1e-9).floor() as i32;
        Self { label: label.into(), ticks: powers.map(|k| 10.0_f64.powi(k)).collect(), range, log: true }
    }

    /// How far along the axis a value lies, from 0 to 1 on it.
    fn along(&self, value: f64) -> f64 {
        let measure = |x: f64| if self.log { x.log10() } else { x };
        let (start, end) = (measure(self.range.start), measure(self.range.end));
        (measure(value) - start) / (end - start)
    }

    fn holds(&self, value: f64) -> bool {
        (0.0..=1.0).contains(&self.along(value))
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        low + (f64::from(high - low) * self.along(*value)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    /// A tick in words.
    fn format_ext(&self, value: &f64) -> String {
        if self.log {
            return power_of_ten(value.log10().round() as i64);
        }
        let step = self.ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let decimals = if step >= 1.0 { 0 } else { (-step.log10() - 1e-9).ceil() as usize };
        // Adding zero leaves no negative one.
        format!("{:.decimals$}", value + 0.0).replace('-', "−")
    }
}

/// The least range that shows all values, with a little room, and one unit to either side if all are one.
pub(super) fn range<'v>(values: impl IntoIterator<Item = &'v f64>) -> Range<f64> {
    let empty = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.into_iter().fold(empty, |(low, high), &value| (low.min(value), high.max(value)));
    let room = if low < high { 0.06 * (high - low) } else { 1.0 };
    low - room..high + room
}

/// Draws panels in rows.
pub(super) fn panels(columns: usize, panels: &[Panel]) -> Result<String> {
    let rows = panels.len().div_ceil(columns);
    let mut svg = String::new();
    {
        let size = SHEET.map(|length| FINE * length);
        let area = SVGBackend::with_string(&mut svg, (size[0], size[1] * rows as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        for (panel, area) in panels.iter().zip(area.split_evenly((rows, columns))) {
            draw(panel, &area)?;
        }
        area.present()?;
    }
    // Shown at the size of the sheet: the view box stays fine.
    let [fine, shown] =
        [FINE, 1].map(|fine| format!("width=\"{}\" height=\"{}\"", fine * SHEET[0], fine * SHEET[1] * rows as u32));
    Ok(svg.replacen(&fine, &shown, 1))
}

/// A length of the sheet, px, in the backend's.
fn fine(length: i32) -> i32 {
    length * FINE as i32
}

fn draw(panel: &Panel, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<()> {
    let Panel { x, y, curves, legend } = panel;
    let mut chart = ChartBuilder::on(area)
        .margin(fine(10))
        .margin_right(fine(24))
        .x_label_area_size(fine(44))
        .y_label_area_size(fine(74))
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.12).stroke_width(FINE))
        .axis_style(INK.mix(0.6).stroke_width(FINE))
        .label_style((FONT, fine(14), &INK))
        .axis_desc_style((FONT, fine(15), &INK))
        .set_all_tick_mark_size(fine(5))
        .x_desc(x.label.as_str())
        .y_desc(y.label.as_str())
        .draw()?;
    for Curve { name, colour, dashed, points } in curves {
        let points = points.iter().copied().filter(|&(at, value)| x.holds(at) && y.holds(value));
        let style = colour.stroke_width(if *dashed { FINE } else { 2 * FINE });
        let key = |(x, y)| vec![(x, y), (x + fine(24), y)];
        if *dashed {
            let drawn = chart.draw_series(DashedLineSeries::new(points, fine(7), fine(5), style))?;
            if !name.is_empty() {
                drawn.label(name).legend(move |at| DashedPathElement::new(key(at), fine(7), fine(5), style));
            }
        } else {
            let drawn = chart.draw_series(LineSeries::new(points, style))?;
            if !name.is_empty() {
                drawn.label(name).legend(move |at| PathElement::new(key(at), style));
            }
        }
    }
    if curves.iter().filter(|curve| !curve.name.is_empty()).count() > 1 {
        chart
            .configure_series_labels()
            .position(legend.clone())
            .background_style(WHITE.mix(0.9))
            .border_style(INK.mix(0.2).stroke_width(FINE))
            .label_font((FONT, fine(14), &INK))
            .margin(fine(8))
            .legend_area_size(fine(30))
            .draw()?;
    }
    Ok(())
}
