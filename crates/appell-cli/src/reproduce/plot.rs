//! Curves over the angle of a joint, as SVG.

use anyhow::Result;
use plotters::coord::combinators::BindKeyPoints;
use plotters::prelude::*;
use std::ops::Range;

/// Colours that readers of all kinds of colour vision tell apart (Okabe and Ito).
pub(super) const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
pub(super) const VERMILION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub(super) const GREEN: RGBColor = RGBColor(0x00, 0x9e, 0x73);
pub(super) const INK: RGBColor = RGBColor(0x1c, 0x24, 0x30);

const SIZE: (u32, u32) = (960, 380);
const FONT: &str = "sans-serif";

/// A curve: one value an angle.
pub(super) struct Curve {
    pub(super) name: &'static str,
    pub(super) colour: RGBColor,
    pub(super) dashed: bool,
    pub(super) values: Vec<f64>,
}

/// Draws curves over a full circle, of which each has values at equal steps from 0°.
pub(super) fn over_circle(x_label: &str, y_label: &str, y: Range<f64>, curves: &[Curve]) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let x = (0..360).with_key_points((0..=360).step_by(45).collect());
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .margin_right(24)
            .x_label_area_size(46)
            .y_label_area_size(72)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(INK.mix(0.12))
            .axis_style(INK.mix(0.6))
            .label_style((FONT, 14, &INK))
            .axis_desc_style((FONT, 15, &INK))
            .y_labels(7)
            .x_desc(x_label)
            .y_desc(y_label)
            .draw()?;
        for Curve { name, colour, dashed, values } in curves {
            let step = 360 / values.len();
            let closed = values.iter().chain(values.first()).enumerate();
            let points: Vec<(i32, f64)> = closed.map(|(k, &value)| ((step * k) as i32, value)).collect();
            let style = colour.stroke_width(if *dashed { 1 } else { 2 });
            let key = move |(x, y)| PathElement::new(vec![(x, y), (x + 22, y)], style);
            let drawn = if *dashed {
                chart.draw_series(DashedLineSeries::new(points, 7, 5, style))?
            } else {
                chart.draw_series(LineSeries::new(points, style))?
            };
            drawn.label(*name).legend(key);
        }
        if curves.len() > 1 {
            chart
                .configure_series_labels()
                .background_style(WHITE.mix(0.9))
                .border_style(INK.mix(0.2))
                .label_font((FONT, 14, &INK))
                .margin(10)
                .draw()?;
        }
        area.present()?;
    }
    Ok(svg)
}
