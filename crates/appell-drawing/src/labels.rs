//! Where names go: beside what they name, and over as little else as can be.

use super::projection::{minus, norm, plus};
use super::svg::{Point, SHEET, Svg};

/// Height of a label and width of a character of it, px; a sans-serif's average, with a little room.
const HEIGHT: f64 = 16.0;
const CHARACTER: f64 = 7.0;

/// What is on the sheet already.
#[derive(Default)]
pub(super) struct Labels {
    taken: Vec<Area>,
}

/// A rectangle by its middle and half its edges, px.
#[derive(Clone, Copy)]
struct Area {
    middle: Point,
    half: Point,
}

impl Area {
    fn overlap(&self, other: &Self) -> f64 {
        let along = |k: usize| {
            let (half, far) = ([self.half[k], other.half[k]], (self.middle[k] - other.middle[k]).abs());
            (half[0] + half[1] - far).clamp(0.0, 2.0 * half[0].min(half[1]))
        };
        along(0) * along(1)
    }

    /// The same, moved so that the sheet holds it.
    fn on_sheet(self) -> Self {
        let inside = |k: usize| {
            self.middle[k].clamp(self.half[k] + 4.0, (SHEET[k] - self.half[k] - 4.0).max(self.half[k] + 4.0))
        };
        Self { middle: [inside(0), inside(1)], ..self }
    }
}

impl Labels {
    /// Keeps names off a square of this half edge.
    pub(super) fn avoid(&mut self, middle: Point, half: f64) {
        self.taken.push(Area { middle, half: [half; 2] });
    }

    /// Keeps names off a line.
    pub(super) fn avoid_line(&mut self, from: Point, to: Point) {
        const HALF: f64 = 4.0;
        let [x, y] = minus(to, from);
        let steps = (norm([x, y]) / (2.0 * HALF)).ceil().max(1.0) as u32;
        for step in 0..=steps {
            let s = f64::from(step) / f64::from(steps);
            self.avoid(plus(from, [s * x, s * y]), HALF);
        }
    }

    /// Writes a name near a point, at least `radius` from it, with a leader if it had to go far.
    pub(super) fn write(&mut self, svg: &mut Svg, class: &str, at: Point, radius: f64, name: &str) {
        let half = [0.5 * CHARACTER * name.chars().count() as f64, 0.5 * HEIGHT];
        let near = radius + 4.0;
        let places = [near, near + 18.0, near + 40.0, near + 70.0].into_iter().flat_map(|far| {
            // From the right, where one looks first, up and down around.
            [0, 30, -30, 60, -60, 180, 150, -150, 120, -120, 90, -90].map(|angle| (far, f64::from(angle).to_radians()))
        });
        let areas = places.map(|(far, angle)| {
            let (sin, cos) = angle.sin_cos();
            let area = Area { middle: plus(at, [cos * (far + half[0]), -sin * (far + half[1])]), half }.on_sheet();
            let covered: f64 = self.taken.iter().map(|taken| area.overlap(taken)).sum();
            let along = |far: f64| plus(at, [cos * far, -sin * far]);
            (covered + 1.5 * far, far, [along(radius), along(far)], area)
        });
        let Some((_, far, [start, end], area)) = areas.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        if far > near {
            svg.line("leader", start, end);
            self.avoid_line(start, end);
        }
        self.taken.push(area);
        // Twice, because not every viewer can paint the rim of a letter below it.
        let at = plus(area.middle, [0.0, 4.5]);
        svg.text(&format!("label rim {class}"), at, name);
        svg.text(&format!("label {class}"), at, name);
    }
}
