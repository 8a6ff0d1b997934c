//! Fields over a plane as colours, one panel beside the other, each with its scale below.

use super::axes::{Axis, Frame, Ticks};
use super::svg::{Point, Svg};
use crate::listing::clip;

/// What a picture shows.
pub struct HeatMap<'m> {
    /// What it is, in large letters.
    pub title: &'m str,
    /// What is to be known of it, below the title.
    pub note: &'m str,
    /// Along the lower side.
    pub x: Axis,
    /// Along the left side.
    pub y: Axis,
    /// How many tiles along x and y.
    pub tiles: [usize; 2],
    /// Whether x and y are of one unit, and drawn to one scale.
    pub same_unit: bool,
    /// The panels, from left to right.
    pub fields: Vec<Field>,
    /// A place with its name.
    pub mark: ([f64; 2], &'m str),
}

/// One panel.
pub struct Field {
    /// What it shows.
    pub title: String,
    /// Row by row, from the lowest.
    pub tiles: Vec<Tile>,
}

/// What a tile shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tile {
    /// A value of the field.
    Value(f64),
    /// Out of reach: grey.
    Grey,
    /// Within reach but out of limits: hatched.
    Hatched,
}

/// Colour of grey tiles.
const GREY: &str = "#d5d9de";

/// Tiles reach so far under their neighbours, px: else the ground shines through where a page scales the picture.
const OVERLAP: f64 = 0.4;

/// Left edge of the first panel, and room between two.
const LEFT: f64 = 84.0;
const BETWEEN: f64 = 96.0;

/// Upper edge of the panels.
const TOP: f64 = 112.0;

impl HeatMap<'_> {
    /// The picture; grey and hatched tiles are explained by these words.
    pub fn draw(&self, grey: &str, hatched: &str) -> String {
        let count = self.fields.len().max(1) as f64;
        let room =
            [if self.fields.len() > 1 { 400.0 } else { 620.0 }, if self.fields.len() > 1 { 460.0 } else { 560.0 }];
        let [width, height] = self.fitted(room);
        let sheet = [(LEFT + count * width + (count - 1.0) * BETWEEN + 36.0).max(560.0), TOP + height + 168.0];
        let mut svg = Svg::sized(&clip(self.title), sheet);
        svg.define_hatch();
        svg.text("title", [28.0, 40.0], &clip(self.title));
        svg.text("note", [28.0, 62.0], self.note);
        for (k, field) in self.fields.iter().enumerate() {
            let corner = [LEFT + k as f64 * (width + BETWEEN), TOP];
            let frame = Frame { corner, size: [width, height], x: &self.x, y: &self.y };
            self.panel(&mut svg, &frame, field);
        }
        self.legend(&mut svg, [LEFT, sheet[1] - 22.0], grey, hatched);
        svg.finish()
    }

    /// The size of a panel: one scale for both axes where they are of one unit.
    fn fitted(&self, [width, height]: [f64; 2]) -> [f64; 2] {
        let square = width.min(height);
        if !self.same_unit {
            return [square; 2];
        }
        let (x, y) = (self.x.to - self.x.from, self.y.to - self.y.from);
        let scale = (width / x).min(height / y);
        // A panel that is a thread shows nothing.
        [(scale * x).max(0.25 * square), (scale * y).max(0.25 * square)]
    }

    fn panel(&self, svg: &mut Svg, frame: &Frame<'_>, field: &Field) {
        let ([left, top], [width, height]) = (frame.corner, frame.size);
        let values = field.tiles.iter().filter_map(|tile| if let Tile::Value(x) = tile { Some(*x) } else { None });
        let most = upper_end(values.fold(0.0, f64::max));
        svg.text("panel", [left, top - 12.0], &field.title);
        self.tiles(svg, frame, field, most);
        let (place, name) = self.mark;
        let inside = |axis: &Axis, x: f64| axis.from <= x && x <= axis.to;
        if inside(&self.x, place[0]) && inside(&self.y, place[1]) {
            mark(svg, frame.point(place), name);
        }
        let ticks = |axis: &Axis, room: f64| Ticks::round(axis, room as usize);
        frame.draw(svg, &ticks(&self.x, width / 58.0), &ticks(&self.y, height / 40.0));
        scale_bar(svg, [left, top + height + 66.0], width, most);
    }

    /// The tiles, equal neighbours of a row as one, and all of one colour together.
    fn tiles(&self, svg: &mut Svg, frame: &Frame<'_>, field: &Field, most: f64) {
        let [columns, rows] = self.tiles;
        let [width, height] = [frame.size[0] / columns as f64, frame.size[1] / rows as f64];
        let mut of_colour: Vec<Vec<(Point, [f64; 2])>> = vec![Vec::new(); STEPS + 2];
        let index = |tile: Tile| match tile {
            Tile::Value(value) => step(value / most),
            Tile::Grey => STEPS,
            Tile::Hatched => STEPS + 1,
        };
        for (row, tiles) in field.tiles.chunks_exact(columns).enumerate() {
            let y = frame.corner[1] + height * (rows - 1 - row) as f64;
            let mut column = 0;
            while column < columns {
                let own = index(tiles[column]);
                let run = tiles[column..].iter().take_while(|&&tile| index(tile) == own).count();
                let x = frame.corner[0] + width * column as f64;
                of_colour[own].push(([x, y], [width * run as f64 + OVERLAP, height + OVERLAP]));
                column += run;
            }
        }
        for (k, tiles) in of_colour.iter().enumerate().filter(|(_, tiles)| !tiles.is_empty()) {
            match k {
                STEPS => svg.tiles(GREY, tiles),
                k if k > STEPS => svg.tiles("url(#hatch)", tiles),
                k => svg.tiles(&colour(k), tiles),
            }
        }
    }

    /// What grey and hatching are, where there are any.
    fn legend(&self, svg: &mut Svg, [mut x, y]: Point, grey: &str, hatched: &str) {
        let is_there = |tile: Tile| self.fields.iter().any(|field| field.tiles.contains(&tile));
        let kinds = [(Tile::Grey, GREY, grey), (Tile::Hatched, "url(#hatch)", hatched)];
        for (_, colour, words) in kinds.into_iter().filter(|(tile, ..)| is_there(*tile)) {
            svg.tiles(colour, &[([x, y - 11.0], [18.0, 12.0])]);
            svg.rect("frame-line", [x, y - 11.0], [18.0, 12.0]);
            svg.text("note", [x + 26.0, y], words);
            x += 50.0 + 6.4 * words.chars().count() as f64;
        }
    }
}

/// The end of a scale that holds a value: round, and never nothing.
fn upper_end(largest: f64) -> f64 {
    if !(largest > 0.0 && largest.is_finite()) {
        return 1.0;
    }
    let power = 10.0_f64.powf(largest.log10().floor());
    let ends = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].map(|factor| factor * power);
    ends.into_iter().find(|&end| largest <= end * (1.0 + 1e-12)).unwrap_or(largest)
}

/// A cross with its name, on any ground.
fn mark(svg: &mut Svg, [x, y]: Point, name: &str) {
    for class in ["mark-rim", "mark"] {
        svg.line(class, [x - 6.0, y], [x + 6.0, y]);
        svg.line(class, [x, y - 6.0], [x, y + 6.0]);
    }
    for class in ["rim", ""] {
        svg.text(class, [x + 8.0, y - 7.0], name);
    }
}

/// The colours from 0 to `most`, with numbers.
fn scale_bar(svg: &mut Svg, [left, top]: Point, width: f64, most: f64) {
    let tile = width / STEPS as f64;
    for k in 0..STEPS {
        svg.tiles(&colour(k), &[([left + tile * k as f64, top], [tile + 0.3, 12.0])]);
    }
    svg.rect("frame-line", [left, top], [width, 12.0]);
    let axis = Axis { label: String::new(), from: 0.0, to: most, degrees: false };
    for (value, text) in Ticks::round(&axis, 5).0 {
        let x = left + width * value / most;
        svg.line("tick-line", [x, top + 12.0], [x, top + 16.0]);
        svg.text("tick middle", [x, top + 29.0], &text);
    }
}

/// Colours at equal steps of a scale that is even to the eye, and that all kinds of colour vision read: viridis (Smith
/// and van der Walt), from dark, 0, to bright, 1.
const VIRIDIS: [[u8; 3]; 11] = [
    [68, 1, 84],
    [72, 36, 117],
    [65, 68, 135],
    [53, 95, 141],
    [42, 120, 142],
    [33, 145, 140],
    [34, 168, 132],
    [68, 191, 112],
    [122, 209, 81],
    [189, 223, 38],
    [253, 231, 37],
];

/// How many colours a picture has.
const STEPS: usize = 64;

/// The step of a value from 0 to 1.
fn step(value: f64) -> usize {
    ((value.clamp(0.0, 1.0) * STEPS as f64) as usize).min(STEPS - 1)
}

/// The colour of a step, `#rrggbb`.
fn colour(step: usize) -> String {
    let place = step as f64 / (STEPS - 1) as f64 * (VIRIDIS.len() - 1) as f64;
    let below = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - below as f64;
    let mixed = |k: usize| {
        let [one, other] = [VIRIDIS[below][k], VIRIDIS[below + 1][k]].map(f64::from);
        (one + part * (other - one)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}
