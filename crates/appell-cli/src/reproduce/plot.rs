//! Curves over the angle of a joint, as SVG.

use anyhow::Result;
use plotters::coord::combinators::BindKeyPoints;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::ops::Range;

/// Colours that readers of all kinds of colour vision tell apart (Okabe and Ito).
pub(super) const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
pub(super) const VERMILION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub(super) const GREEN: RGBColor = RGBColor(0x00, 0x9e, 0x73);
pub(super) const INK: RGBColor = RGBColor(0x1c, 0x24, 0x30);

const FONT: &str = "sans-serif";

/// A curve: one value an angle.
pub(super) struct Curve {
    pub(super) name: &'static str,
    pub(super) colour: RGBColor,
    pub(super) dashed: bool,
    pub(super) values: Vec<f64>,
}

/// Curves over one pair of axes.
pub(super) struct Panel {
    pub(super) label: String,
    pub(super) range: Range<f64>,
    pub(super) curves: Vec<Curve>,
    /// Where the curves leave room for their names.
    pub(super) legend: SeriesLabelPosition,
}

/// The least range that shows all values, with a little room.
pub(super) fn range<'v>(values: impl IntoIterator<Item = &'v f64>) -> Range<f64> {
    let empty = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.into_iter().fold(empty, |(low, high), &value| (low.min(value), high.max(value)));
    let room = 0.06 * (high - low);
    low - room..high + room
}

/// Draws panels in rows over a full circle of one angle; the values of a curve are at equal steps from 0°.
pub(super) fn over_circle(x_label: &str, columns: usize, panels: &[Panel]) -> Result<String> {
    let rows = panels.len().div_ceil(columns);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (1000, 340 * rows as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        for (panel, area) in panels.iter().zip(area.split_evenly((rows, columns))) {
            draw(x_label, panel, &area)?;
        }
        area.present()?;
    }
    Ok(svg)
}

fn draw(x_label: &str, panel: &Panel, area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Result<()> {
    let Panel { label, range, curves, legend } = panel;
    let decimals = if range.end - range.start < 20.0 { 1 } else { 0 };
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(74)
        .build_cartesian_2d((0..360).with_key_points((0..=360).step_by(45).collect()), range.clone())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.12))
        .axis_style(INK.mix(0.6))
        .label_style((FONT, 14, &INK))
        .axis_desc_style((FONT, 15, &INK))
        .y_labels(7)
        .y_label_formatter(&|value| format!("{value:.decimals$}").replace('-', "−"))
        .x_desc(x_label)
        .y_desc(label)
        .draw()?;
    for Curve { name, colour, dashed, values } in curves {
        let step = 360 / values.len();
        let closed = values.iter().chain(values.first()).enumerate();
        let points: Vec<(i32, f64)> = closed.map(|(k, &value)| ((step * k) as i32, value)).collect();
        let style = colour.stroke_width(if *dashed { 1 } else { 2 });
        let key = |(x, y)| vec![(x, y), (x + 24, y)];
        if *dashed {
            chart
                .draw_series(DashedLineSeries::new(points, 7, 5, style))?
                .label(*name)
                .legend(move |at| DashedPathElement::new(key(at), 7, 5, style));
        } else {
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(*name)
                .legend(move |at| PathElement::new(key(at), style));
        }
    }
    if curves.len() > 1 {
        chart
            .configure_series_labels()
            .position(legend.clone())
            .background_style(WHITE.mix(0.9))
            .border_style(INK.mix(0.2))
            .label_font((FONT, 14, &INK))
            .margin(8)
            .draw()?;
    }
    Ok(())
}
