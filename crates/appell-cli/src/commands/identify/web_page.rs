//! The page that shows an identification.

use super::report::Report;
use crate::report::{facts_on_page, plots_on_page, table_on_page};
use appell_drawing::page;
use std::fmt::Write as _;

/// What every page says below its title.
pub(super) const LEAD: &str = "identified from measurements by appell.";

impl Report<'_> {
    /// The page that shows everything, and needs no other file.
    pub(super) fn page(&self) -> String {
        let mut body = format!("<section>{}", facts_on_page(&self.facts()));
        body += "</section>\n<section><h2>Warnings</h2>\n";
        if self.found.warnings.is_empty() {
            body += "<p>None.</p>\n";
        } else {
            let items = self.found.warnings.iter().map(|warning| format!("<li>{}</li>", page::escape(warning)));
            let _ = writeln!(body, "<ul>{}</ul>", items.collect::<String>());
        }
        body += "</section>\n<section><h2>Torques and forces, per joint</h2>\n";
        let _ = write!(body, "<p>{}.</p>", page::escape(&self.about_joints()));
        body += &table_on_page(&self.joints());
        body += "<p>The root of the mean square of the residual, and the residual over the measured torques and forces: of free parameters, of those of a \
                 physically consistent robot, and of the files that are written. Held out are data that were not fitted; all samples of fitted ones are in \
                 <a href=\"efforts.csv\">efforts.csv</a>, with what the free parameters predict and, as robot1 …, what robot.toml does.</p>\n";
        body += "<h3>File by file</h3>\n";
        body += &table_on_page(&self.files());
        body += "<p>A joint moves where it is faster than a fiftieth of its largest speed in that file; the rest is standstill, in which friction \
                 holds what it likes.</p>\n";
        body += &plots_on_page(self.plots);
        body += "</section>\n<section><h2>Base parameters</h2>\n";
        body += &table_on_page(&self.parameters());
        body += "<p>σ is by the spectrum of the residual; errors of the model that look like other parameters are not in it, so that \
                 real parameters are less certain. Also in <a href=\"parameters.csv\">parameters.csv</a>, with their correlations in \
                 <a href=\"correlation.csv\">correlation.csv</a>.</p>\n\
                 <h3>What is regrouped into them</h3>\n";
        let _ = writeln!(body, "<pre>{}</pre>\n</section>", page::escape(&self.regrouped()));
        if let Some(files) = &self.found.files {
            let urdf = files.urdf.as_ref().map_or("", |_| " and <a href=\"robot.urdf\">robot.urdf</a>");
            let _ = write!(
                body,
                "<section><h2>The identified robot</h2><p>{} in <a href=\"robot.toml\">robot.toml</a>{urdf}.</p>",
                if self.found.file.is_some() {
                    "Consistent parameters, fitted once more without what a robot's file has no numbers for,"
                } else {
                    "The consistent parameters,"
                }
            );
            if let Some(beyond) = self.beyond() {
                let _ = write!(body, "<p>Beyond the file: {}.</p>", page::escape(&beyond));
            }
            if self.found.urdf.own().is_some() {
                body += "<p>The URDF is fitted for itself: bodies, viscous friction, and Coulomb friction that jumps at rest.</p>";
            }
            if !files.lost.is_empty() {
                let items = files.lost.iter().map(|lost| format!("<li>{}</li>", page::escape(lost)));
                let _ = write!(body, "<p>What a URDF cannot say:</p><ul>{}</ul>", items.collect::<String>());
            }
            let _ = writeln!(body, "<pre>{}</pre></section>", page::escape(&files.toml));
        }
        let name = self.robot.tree().name();
        let lead = page::escape(&format!("{name} {LEAD}"));
        page::document(&format!("appell: {name} identified"), &format!("{name}, identified"), &lead, &body)
    }
}
