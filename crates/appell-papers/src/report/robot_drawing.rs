//! A built-in robot as a drawing that can stand on the page.

use anyhow::{Context, Result};
use appell::description::toml;
use appell::kinematics::Workspace;
use appell::robots;
use appell_drawing::notation;
use std::fmt::Write;

/// A built-in robot with closed loops, at home.
pub(super) fn of(name: &str) -> Result<String> {
    let built_in = robots::find(name).with_context(|| format!("no built-in robot {name}"))?;
    let robot = built_in.closed();
    let at = robot.home();
    let com = robot.centre_of_mass(&mut Workspace::new(robot.tree()), at);
    let kind = toml::read(built_in.toml).map(|(description, _)| notation::of_robot(&robot, &description, false));
    let svg = appell_drawing::draw_closed(&robot, at, com, &kind.unwrap_or_default())?;
    Ok(within(&svg, "robot-drawing"))
}

/// An SVG of this class, whose styles reach nothing outside it.
pub fn within(svg: &str, class: &str) -> String {
    let mut scoped = String::with_capacity(svg.len());
    for line in svg.lines() {
        match line.split_once('{') {
            Some((selectors, rules)) => {
                let selectors: Vec<String> =
                    selectors.split(',').map(|one| format!(".{class} {}", one.trim())).collect();
                let _ = writeln!(scoped, "{} {{{rules}", selectors.join(", "));
            }
            None => {
                scoped += line;
                scoped.push('\n');
            }
        }
    }
    scoped.replacen("<svg ", &format!("<svg class=\"{class}\" "), 1)
}
