//! A frame with ticks, for diagrams.

use super::svg::{Point, Svg};

/// What stands along a side of a frame.
#[derive(Debug, Clone)]
pub struct Axis {
    /// What is written along it.
    pub label: String,
    /// The value where it begins.
    pub from: f64,
    /// The value where it ends.
    pub to: f64,
    /// Whether it is an angle in degrees, which has other round values.
    pub degrees: bool,
}

/// A frame on the sheet.
pub(super) struct Frame<'a> {
    pub(super) corner: Point, // upper left, px
    pub(super) size: [f64; 2],
    pub(super) x: &'a Axis,
    pub(super) y: &'a Axis,
}

impl Frame<'_> {
    /// Where a point of the diagram lies on the sheet.
    pub(super) fn point(&self, [x, y]: [f64; 2]) -> Point {
        let ([left, top], [width, height]) = (self.corner, self.size);
        let along = |axis: &Axis, value: f64| (value - axis.from) / (axis.to - axis.from);
        [left + width * along(self.x, x), top + height * (1.0 - along(self.y, y))]
    }

    /// Draws the frame, with ticks and labels below and at the left.
    pub(super) fn draw(&self, svg: &mut Svg, x_ticks: &Ticks, y_ticks: &Ticks) {
        let ([left, top], [width, height]) = (self.corner, self.size);
        let (bottom, centre) = (top + height, [left + 0.5 * width, top + 0.5 * height]);
        svg.rect("frame-line", self.corner, self.size);
        for (value, text) in &x_ticks.0 {
            let [x, _] = self.point([*value, self.y.from]);
            svg.line("tick-line", [x, bottom], [x, bottom + 5.0]);
            svg.text("tick middle", [x, bottom + 19.0], text);
        }
        for (value, text) in &y_ticks.0 {
            let [_, y] = self.point([self.x.from, *value]);
            svg.line("tick-line", [left - 5.0, y], [left, y]);
            svg.text("tick end", [left - 9.0, y + 4.0], text);
        }
        svg.text("middle", [centre[0], bottom + 40.0], &self.x.label);
        let longest = y_ticks.0.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        svg.upright_text("middle", [left - 20.0 - 7.2 * longest as f64, centre[1]], &self.y.label);
    }
}

/// Values of an axis with what is written there.
pub(super) struct Ticks(pub(super) Vec<(f64, String)>);

impl Ticks {
    /// At round values, at most so many.
    pub(super) fn round(axis: &Axis, most: usize) -> Self {
        let span = axis.to - axis.from;
        let rough = span / most.max(1) as f64;
        let power = 10.0_f64.powf(rough.log10().floor());
        let is_enough = |step: &f64| span / step <= most.max(1) as f64;
        let of_circle =
            [15.0, 30.0, 45.0, 60.0, 90.0].into_iter().find(|step| axis.degrees && rough > 10.0 && is_enough(step));
        let decimal = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(is_enough);
        let step = of_circle.or(decimal).unwrap_or(10.0 * power);
        if !(step > 0.0 && step.is_finite()) {
            return Self(Vec::new());
        }
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (axis.from / step - 1e-9).ceil();
        let count = (axis.to / step + 1e-9).floor() - first;
        // Numbers of many digits do not fit beside the axis.
        let is_long = axis.from.abs().max(axis.to.abs()) >= 1e6 || decimals > 5;
        let tick = |k: u32| {
            let value = (first + f64::from(k)) * step;
            let text = if is_long && value != 0.0 {
                format!("{value:.2e}").replace('-', "−")
            } else {
                written(value, decimals)
            };
            (value, text)
        };
        Self((0..=count.clamp(0.0, 100.0) as u32).map(tick).collect())
    }

    /// At powers of ten of an axis of their exponents.
    pub(super) fn decades(axis: &Axis) -> Self {
        let every = ((axis.to - axis.from) / 8.0).ceil().max(1.0) as i32;
        let exponents = (axis.from.ceil() as i32..=axis.to.floor() as i32).filter(|exponent| exponent % every == 0);
        let text = |exponent: i32| match exponent {
            0 => "1".into(),
            -3..=-1 => written(10.0_f64.powi(exponent), exponent.unsigned_abs() as usize),
            1..=4 => written(10.0_f64.powi(exponent), 0),
            _ => format!("1e{exponent}").replace('-', "−"),
        };
        Self(exponents.map(|exponent| (f64::from(exponent), text(exponent))).collect())
    }

    /// At powers of ten and, without numbers, between them; of less than two decades at twice and five times these as
    /// well.
    pub(super) fn logarithmic(axis: &Axis) -> Self {
        let mut ticks = Self::decades(axis).0;
        let is_short = axis.to - axis.from < 2.0;
        for exponent in axis.from.floor() as i32..=axis.to.floor() as i32 {
            for factor in 2..=9 {
                let value = f64::from(factor) * 10.0_f64.powi(exponent);
                let is_named = is_short && (factor == 2 || factor == 5);
                let text = if is_named { written(value, (-exponent).clamp(0, 12) as usize) } else { String::new() };
                ticks.push((value.log10(), text));
            }
        }
        ticks.retain(|(place, _)| (axis.from..=axis.to).contains(place));
        Self(ticks)
    }
}

/// A number with a true minus, and no zero below zero.
fn written(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|digit| digit == '0' || digit == '.') {
        return text.trim_start_matches('-').to_owned();
    }
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let ticks = |from: f64, to: f64, most| {
            let axis = Axis { label: String::new(), from, to, degrees: to > 10.0 };
            Ticks::round(&axis, most).0.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(ticks(-0.31, 0.3, 4), ["−0.2", "0.0", "0.2"]);
        assert_eq!(ticks(-90.0, 90.0, 5), ["−90", "−45", "0", "45", "90"]);
        assert_eq!(ticks(0.0, 0.0, 5), [""; 0]);
        let axis = Axis { label: String::new(), from: -4.5, to: 0.0, degrees: false };
        assert_eq!(Ticks::decades(&axis).0.len(), 5);
        let written = |from: f64, to: f64| {
            let axis = Axis { label: String::new(), from, to, degrees: false };
            let named = Ticks::logarithmic(&axis).0.into_iter().filter(|(_, text)| !text.is_empty());
            named.map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(written(-0.8, 2.5), ["1", "10", "100"]);
        assert_eq!(written(-0.8, 0.8), ["1", "0.2", "0.5", "2", "5"]);
    }
}
