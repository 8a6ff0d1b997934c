//! A few elements of SVG, written directly: plotters, which draws our curves, rounds to whole pixels, and the small
//! tilted rings and boxes of joints would be crooked.

use std::fmt::{Display, Write};

/// A point of the sheet, px; y goes down.
pub(super) type Point = [f64; 2];

/// Width and height of the sheet, px.
pub(super) const SHEET: Point = [1000.0, 800.0];

/// A drawing that grows; what is drawn later lies on top. Classes are those of `style.css`.
pub(super) struct Svg(String);

impl Svg {
    /// An empty sheet with a title.
    pub(super) fn new(title: &str) -> Self {
        Self::sized(title, SHEET)
    }

    /// An empty sheet of another size.
    pub(super) fn sized(title: &str, [width, height]: [f64; 2]) -> Self {
        let (title, style) = (escaped(title), include_str!("style.css"));
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n<title>{title}</title>\n<style>\n{style}</style>\n\
             <rect class=\"sheet\" width=\"{width}\" height=\"{height}\"/>\n"
        ))
    }

    /// Elements that belong together, with a title that viewers show under the pointer.
    pub(super) fn group(&mut self, class: &str, title: &str, draw: impl FnOnce(&mut Self)) {
        self.put(format_args!("<g class=\"{class}\"><title>{}</title>", escaped(title)));
        draw(self);
        self.put("</g>");
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: Point, [x2, y2]: Point) {
        self.put(format_args!("<line class=\"{class}\" x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"/>"));
    }

    pub(super) fn polygon(&mut self, class: &str, corners: &[Point]) {
        let corners: Vec<String> = corners.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
        self.put(format_args!("<polygon class=\"{class}\" points=\"{}\"/>", corners.join(" ")));
    }

    pub(super) fn polyline(&mut self, class: &str, points: &[Point]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
        self.put(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", points.join(" ")));
    }

    /// A rectangle from its upper left corner.
    pub(super) fn rect(&mut self, class: &str, [x, y]: Point, [width, height]: [f64; 2]) {
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/>"
        ));
    }

    /// Rectangles of one colour, each from its upper left corner with its size.
    pub(super) fn tiles(&mut self, colour: &str, tiles: &[(Point, [f64; 2])]) {
        let mut outline = String::new();
        for ([x, y], [width, height]) in tiles {
            write!(outline, "M{x:.2} {y:.2}h{width:.2}v{height:.2}h{:.2}z", -width).expect("a string takes all");
        }
        self.put(format_args!("<path class=\"tiles\" fill=\"{colour}\" d=\"{outline}\"/>"));
    }

    /// Hatching that [`Self::tiles`] can use as the colour `url(#hatch)`.
    pub(super) fn define_hatch(&mut self) {
        self.put(
            "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"6\" height=\"6\" fill=\"#f3f4f5\"/>\
             <path d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\" stroke=\"#9aa4b1\" stroke-width=\"1\"/></pattern></defs>",
        );
    }

    /// Text that runs upwards, around its middle.
    pub(super) fn upright_text(&mut self, class: &str, [x, y]: Point, text: &str) {
        self.put(format_args!(
            "<text class=\"{class}\" transform=\"translate({x:.2} {y:.2}) rotate(-90)\">{}</text>",
            escaped(text)
        ));
    }

    /// An ellipse with these half axes, turned by an angle in degrees.
    pub(super) fn ellipse(&mut self, class: &str, [x, y]: Point, [rx, ry]: [f64; 2], angle: f64) {
        self.put(format_args!(
            "<ellipse class=\"{class}\" cx=\"{x:.2}\" cy=\"{y:.2}\" rx=\"{rx:.2}\" ry=\"{ry:.2}\" \
             transform=\"rotate({angle:.2} {x:.2} {y:.2})\"/>"
        ));
    }

    pub(super) fn text(&mut self, class: &str, [x, y]: Point, text: &str) {
        self.put(format_args!("<text class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\">{}</text>", escaped(text)));
    }

    pub(super) fn finish(mut self) -> String {
        self.put("</svg>");
        self.0
    }

    fn put(&mut self, element: impl Display) {
        writeln!(self.0, "{element}").expect("a string takes all");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
