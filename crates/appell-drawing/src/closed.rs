//! A robot with closed loops on the sheet: base and platform as plates, legs as bars, joints as their signs, the driven
//! ones in colour.

use super::linkage::{Bar, Linkage, Node, SIGNS, mean};
use super::projection::{View, minus, norm, plus};
use super::sheet::Sheet;
use super::svg::{Point, SHEET, Svg};
use super::{shown, symbols};
use crate::listing::{coordinates, short};
use appell::closed::{ClosedMechanism, Configuration};
use appell::spatial::{Pose, Vec3};

/// Radius of a joint's sign, px: of a few joints, and of very many.
const SIZE: f64 = 11.0;
const SMALLEST: f64 = 4.0;

/// More joints than this have smaller signs; more names are not written.
const MANY: usize = 24;

/// Draws a robot at an assembled configuration, as SVG; `note` says what it is and where.
///
/// # Errors
/// If the robot is too large for numbers.
pub fn draw_closed(robot: &ClosedMechanism, at: &Configuration, com: Vec3, note: &str) -> anyhow::Result<String> {
    let linkage = Linkage::new(robot, at);
    let origin = [Vec3::zero(0.0), com];
    let points: Vec<Vec3> = linkage.points().into_iter().chain(origin).collect();
    let view = View::clearest(&linkage.lines(), &points, linkage.plane())?;
    let mut sheet = Sheet::new(view, robot.name(), &notes(robot, at, &linkage, note), robot.tree().gravity());
    if let Some(sphere) = &linkage.sphere {
        sheet.svg.ellipse("globe", view.point(sphere.centre), [view.scale() * sphere.radius; 2], 0.0);
    }
    base(&mut sheet, &linkage);
    bars(&mut sheet, &linkage);
    platform(&mut sheet.svg, &view, &linkage, robot);
    let size = (SIZE * (MANY as f64 / linkage.nodes.len().max(1) as f64).sqrt()).clamp(SMALLEST, SIZE);
    nodes(&mut sheet, &linkage, size);
    frames(&mut sheet, &linkage);
    let has_mass = robot.mass() > 0.0;
    if has_mass {
        sheet.centre_of_mass(com);
    }
    for (name, at) in linkage.names.iter().take(MANY) {
        sheet.name("", *at, size, &shown(name));
    }
    legend(&mut sheet.svg, &view, &linkage, has_mass);
    Ok(sheet.svg.finish())
}

/// The lines below the title.
fn notes(robot: &ClosedMechanism, at: &Configuration, linkage: &Linkage, note: &str) -> Vec<String> {
    let drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j]).collect();
    let mut notes = vec![note.to_owned()];
    if !drives.is_empty() {
        notes.push(format!("driven joints: {}", coordinates(&drives)));
    }
    if let Some(sphere) = &linkage.sphere {
        let radius = format!("{:.1e}", sphere.radius).parse().unwrap_or(sphere.radius);
        notes.push(format!("all axes meet: links are drawn on a sphere of about {} m", short(radius)));
    }
    notes
}

/// The base: a plate where it holds legs in space, pivots where the robot moves in a plane or hangs on two points.
fn base(Sheet { svg, labels, view }: &mut Sheet, linkage: &Linkage) {
    if linkage.base.len() >= 3 && linkage.plane().is_none() {
        let corners: Vec<_> = linkage.outline(&linkage.base).into_iter().map(|p| view.point(p)).collect();
        svg.group("base-plate", "base", |svg| svg.polygon("", &corners));
        return;
    }
    for &point in &linkage.base {
        let at = view.point(point);
        symbols::pivot(svg, at);
        labels.avoid(plus(at, [0.0, 18.0]), 18.0);
    }
}

/// The links, the far ones first, each with a margin that cuts those behind it.
fn bars(Sheet { svg, labels, view }: &mut Sheet, linkage: &Linkage) {
    let nearness = |bar: &Bar| view.nearness(mean(&bar.line));
    let mut bars: Vec<&Bar> = linkage.bars.iter().collect();
    bars.sort_by(|a, b| nearness(a).total_cmp(&nearness(b)));
    for bar in bars {
        let line: Vec<Point> = bar.line.iter().map(|&p| view.point(p)).collect();
        if line.windows(2).all(|ends| norm(minus(ends[1], ends[0])) < 0.5) {
            continue;
        }
        svg.polyline("halo", &line);
        // What is on the far side of a sphere is seen through it.
        let is_far = |piece: usize| {
            let middle = mean(&bar.line[piece..piece + 2]);
            linkage.sphere.as_ref().is_some_and(|sphere| view.nearness(middle - sphere.centre) < 0.0)
        };
        let pieces: Vec<usize> = (0..line.len() - 1).collect();
        for run in pieces.chunk_by(|&one, &next| is_far(one) == is_far(next)) {
            let (first, last) = (run[0], run[run.len() - 1] + 1);
            let far = if is_far(first) { " far" } else { "" };
            svg.polyline(&format!("{}{far}", bar.class), &line[first..=last]);
        }
        line.windows(2).for_each(|ends| labels.avoid_line(ends[0], ends[1]));
    }
}

/// The platform: a plate through the points that hold it, a bar between two of them, a disc about one.
fn platform(svg: &mut Svg, view: &View, linkage: &Linkage, robot: &ClosedMechanism) {
    let Some(pose) = linkage.pose else { return };
    let corners: Vec<_> = linkage.outline(&linkage.platform).into_iter().map(|p| view.point(p)).collect();
    svg.group("platform", "platform", |svg| match (linkage.platform.as_slice(), &linkage.sphere) {
        ([] | [_], _) => svg.ellipse("", view.point(pose.position), [22.0; 2], 0.0),
        (_, Some(sphere)) => {
            svg.polygon("plate", &corners);
            let com = robot.platform().map_or(sphere.centre, |platform| pose.point(platform.body().com));
            let middle = sphere.out(com);
            for &end in &linkage.platform {
                for ends in sphere.arc(middle, end).windows(2) {
                    svg.line("spoke", view.point(ends[0]), view.point(ends[1]));
                }
            }
        }
        (&[from, to], None) => svg.line("spoke", view.point(from), view.point(to)),
        (_, None) => svg.polygon("plate", &corners),
    });
    if let Some(middle) = linkage.middle_of_platform().filter(|_| linkage.sphere.is_none()) {
        svg.line("twig", view.point(middle), view.point(pose.position));
    }
}

/// The joints, the near ones over the far ones; where several are in one place, each later one inside the earlier.
fn nodes(Sheet { svg, labels, view }: &mut Sheet, linkage: &Linkage, size: f64) {
    let near = 0.5 * size / view.scale();
    let within = |k: usize, node: &Node| {
        let later = linkage.nodes[k + 1..].iter();
        later.filter(|other| (other.at - node.at).norm() < near && !other.closing).take(3).count()
    };
    let mut sized: Vec<(&Node, f64)> = (linkage.nodes.iter().enumerate())
        .map(|(k, node)| (node, size * (1.0 + 0.45 * within(k, node) as f64)))
        .collect();
    sized.sort_by(|(a, _), (b, _)| view.nearness(a.at).total_cmp(&view.nearness(b.at)));
    for (node, size) in sized {
        symbols::node(svg, view, node, size);
        labels.avoid(view.point(node.at), size);
    }
}

/// The axes of the base and of the platform.
fn frames(sheet: &mut Sheet, linkage: &Linkage) {
    let ends = sheet.triad(&Pose::identity(0.0), 44.0);
    let platform = linkage.pose.map(|pose| match &linkage.sphere {
        // In the centre it would lie on the base's: it is shown where the platform is.
        Some(sphere) => Pose { position: sphere.out(mean(&linkage.platform)), ..pose },
        None => pose,
    });
    if let Some(pose) = &platform {
        sheet.triad(pose, 30.0);
    }
    sheet.name_axes(ends);
    if let Some(pose) = platform {
        sheet.name("frame", pose.position, 14.0, "platform");
    }
}

/// The signs that the drawing uses, in its corner.
fn legend(svg: &mut Svg, view: &View, linkage: &Linkage, has_mass: bool) {
    let [x, bottom] = [SHEET[0] - 140.0, SHEET[1] - 32.0];
    let mut row = 0.0;
    let mut next = |svg: &mut Svg, text: &str| {
        let at = [x, bottom - 24.0 * row];
        svg.text("note", [x + 18.0, at[1] + 4.0], text);
        row += 1.0;
        at
    };
    if has_mass {
        let at = next(svg, "centre of mass");
        symbols::centre_of_mass(svg, at);
    }
    for sign in SIGNS.into_iter().rev() {
        let used = |driven: bool| linkage.nodes.iter().any(|node| node.sign == sign && node.driven == driven);
        for driven in [false, true].into_iter().filter(|&driven| used(driven)) {
            let at = next(svg, &format!("{}{}", sign.name(), if driven { ", driven" } else { "" }));
            symbols::sample(svg, view, sign, driven, at);
        }
    }
}
