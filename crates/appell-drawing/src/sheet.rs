//! A robot's drawing under way: the sheet, the view of the robot on it, and what names keep off.

use super::labels::Labels;
use super::projection::View;
use super::svg::{Point, SHEET, Svg};
use super::symbols;
use crate::listing::{clip, short};
use appell::spatial::{Pose, Vec3};

/// A drawing that grows.
pub(super) struct Sheet {
    pub(super) svg: Svg,
    pub(super) labels: Labels,
    pub(super) view: View,
}

impl Sheet {
    /// An empty one with title, notes, gravity and scale in its corners.
    pub(super) fn new(view: View, name: &str, notes: &[String], gravity: Vec3) -> Self {
        let mut sheet = Self { svg: Svg::new(&clip(name)), labels: Labels::default(), view };
        let ([width, height], Self { svg, labels, .. }) = (SHEET, &mut sheet);
        svg.text("title", [28.0, 40.0], &clip(name));
        for (line, note) in notes.iter().enumerate() {
            svg.text("note", [28.0, 60.0 + 17.0 * line as f64], note);
        }
        symbols::scale_bar(svg, &view, [28.0, height - 28.0]);
        if gravity.norm() > 0.0 {
            let at = [width - 90.0, 84.0];
            symbols::gravity(svg, &view, at, gravity);
            svg.text("note", [width - 130.0, 40.0], &format!("g = {} m/s²", short(gravity.norm())));
            labels.avoid(at, 50.0);
        }
        sheet
    }

    /// A line between two points of space, which names keep off.
    pub(super) fn line(&mut self, class: &str, from: Vec3, to: Vec3) {
        let (from, to) = (self.view.point(from), self.view.point(to));
        self.svg.line(class, from, to);
        self.labels.avoid_line(from, to);
    }

    /// The axes of a frame, which names keep off; where they end.
    pub(super) fn triad(&mut self, pose: &Pose, size: f64) -> [Point; 3] {
        let ends = symbols::triad(&mut self.svg, &self.view, pose, size);
        let origin = self.view.point(pose.position);
        ends.iter().for_each(|&end| self.labels.avoid_line(origin, end));
        ends
    }

    /// Names the axes of a frame at their ends.
    pub(super) fn name_axes(&mut self, ends: [Point; 3]) {
        for (name, end) in symbols::AXES.into_iter().zip(ends) {
            self.labels.write(&mut self.svg, "", end, 1.0, name);
        }
    }

    /// The mark of a centre of mass.
    pub(super) fn centre_of_mass(&mut self, com: Vec3) {
        let at = self.view.point(com);
        symbols::centre_of_mass(&mut self.svg, at);
        self.labels.avoid(at, 10.0);
    }

    /// A name near a point of space, at least `radius` from it, px.
    pub(super) fn name(&mut self, class: &str, at: Vec3, radius: f64, name: &str) {
        self.labels.write(&mut self.svg, class, self.view.point(at), radius, name);
    }
}
