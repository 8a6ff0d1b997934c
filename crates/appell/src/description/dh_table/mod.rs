//! A robot as a plain table, for spreadsheets and papers: CSV and Markdown.
//!
//! ```text
//! | modified-dh | type     | alpha   | a     | theta | d     | mass  | com.x | … | xx    | … |
//! |-------------|----------|---------|-------|-------|-------|-------|-------|---|-------|---|
//! | elbow       | revolute | 0.0     | 0.432 | q     | -0.15 | 8.767 | …     |   |       |   |
//! ```
//!
//! The first heading names the convention, because its columns do not determine it: printed tables come in any order.
//! The others are `type`, with Khalil and Kleinfinger's convention `parent`, the columns of numbers, and the body's
//! `mass`, `com.x` … and `xx` … in SI units, in any order; the cells are those of a [file](super::toml). A table
//! without bodies is one of massless bodies, and products of inertia may be left out. Centre of mass and inertia are
//! seen from the frame of the row: modified tables have it on the joint, standard ones on the next.

mod reader;

use super::conversion::{expect_open, with_frames_on_joints};
use super::name::key;
use super::{
    BodyDescription, Branch, Convention, Description, Finding, JointEffects, Limits, Problems, Refusal,
    STANDARD_GRAVITY, check, lint, quantity, to_convention,
};
use crate::spatial::Pose;

/// How a plain table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Cells between commas, a header first.
    Csv,
    /// Cells between bars; text before and behind the table is not read.
    Markdown,
}

/// A column of the body's numbers; those of the products of inertia may be left out.
struct BodyColumn {
    name: &'static str,
    optional: bool,
    parameter: fn(&mut BodyDescription) -> &mut f64,
}

const fn needed(name: &'static str, parameter: fn(&mut BodyDescription) -> &mut f64) -> BodyColumn {
    BodyColumn { name, optional: false, parameter }
}

const fn optional(name: &'static str, parameter: fn(&mut BodyDescription) -> &mut f64) -> BodyColumn {
    BodyColumn { name, optional: true, parameter }
}

static BODY: [BodyColumn; 10] = [
    needed("mass", |body| &mut body.mass),
    needed("com.x", |body| &mut body.com.x),
    needed("com.y", |body| &mut body.com.y),
    needed("com.z", |body| &mut body.com.z),
    needed("xx", |body| &mut body.inertia.xx),
    needed("yy", |body| &mut body.inertia.yy),
    needed("zz", |body| &mut body.inertia.zz),
    optional("xy", |body| &mut body.inertia.xy),
    optional("xz", |body| &mut body.inertia.xz),
    optional("yz", |body| &mut body.inertia.yz),
];

/// Reads a robot, with the warnings about it. A table has no place for the robot's `name`.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str, layout: Layout, name: &str) -> Result<(Description, Problems), Problems> {
    reader::read_and(check, text, layout, name)
}

/// Everything wrong or doubtful in a table, with its line where one is known: what [`read`] finds, and what
/// [`lint()`] does.
#[must_use]
pub fn inspect(text: &str, layout: Layout) -> Problems {
    reader::read_and(lint, text, layout, "").map_or_else(|problems| problems, |(_, warnings)| warnings)
}

/// Writes a robot in a convention, with a warning for all that the table has no place for.
///
/// # Errors
/// Why the robot cannot be written in this convention.
pub fn write(description: &Description, convention: Convention, layout: Layout) -> Result<(String, Problems), Refusal> {
    expect_open(description)?;
    let robot = to_convention(description, convention)?;
    let robot = if convention == Convention::StandardDh { robot } else { with_frames_on_joints(robot) };
    let (convention, rows) = robot.table();
    let rows = robot.joints.iter().zip(rows).map(|(joint, row)| {
        let leading = convention.leading_cells(joint).map(str::to_owned);
        let mut body = joint.body;
        let body = BODY.iter().map(|column| quantity::write_number(*(column.parameter)(&mut body))).collect::<Vec<_>>();
        leading.chain(convention.written_cells(joint.kind, row)).chain(body).collect()
    });
    let headings = headings(convention).map(str::to_owned).collect();
    let table: Vec<Vec<String>> = core::iter::once(headings).chain(rows).collect();
    let text = match layout {
        Layout::Csv => table.iter().map(|row| row.join(",") + "\n").collect(),
        Layout::Markdown => markdown(&table),
    };
    Ok((text, left_out(description)))
}

/// All headings of a convention; the first names it.
fn headings(convention: Convention) -> impl Iterator<Item = &'static str> {
    let leading = core::iter::once(convention.name()).chain(convention.leading()[1..].iter().copied());
    leading.chain(convention.columns().iter().map(|column| column.name)).chain(BODY.iter().map(|column| column.name))
}

/// What would begin something else than text in a page made of a Markdown table: a cell, a link, a picture, a tag, code.
const ACTIVE: &str = "\\|<>[]`*&";

fn markdown(table: &[Vec<String>]) -> String {
    let escaped =
        |cell: &String| cell.chars().flat_map(|c| ACTIVE.contains(c).then_some('\\').into_iter().chain([c])).collect();
    let mut table: Vec<Vec<String>> = table.iter().map(|row| row.iter().map(escaped).collect()).collect();
    let width = |k: usize| table.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
    table.insert(1, widths.iter().map(|&width| "-".repeat(width)).collect());
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!(" {cell:<width$} |"));
        format!("|{}\n", cells.collect::<String>())
    };
    table.iter().map(line).collect()
}

/// What a table has no place for.
fn left_out(description: &Description) -> Problems {
    let mut problems = Problems::default();
    let mut leave_out = |place: String, is_there: bool| {
        if is_there {
            problems.warning(place, Finding::NotInTable);
        }
    };
    leave_out("gravity".into(), description.gravity != STANDARD_GRAVITY);
    for joint in &description.joints {
        let JointEffects { friction, rotor, spring } = joint.effects;
        let none = JointEffects::default();
        let place = |entry: &str| format!("joint.{}.{entry}", key(&joint.name));
        leave_out(place("driven"), !joint.driven);
        leave_out(place("home"), joint.home != 0.0);
        leave_out(place("branch"), joint.branch != Branch::Any);
        leave_out(place("limits"), joint.limits != Limits::default());
        leave_out(place("friction"), friction != none.friction);
        leave_out(place("rotor"), rotor != none.rotor);
        leave_out(place("spring"), spring != none.spring);
        leave_out(place("mimic"), joint.mimic.is_some());
        leave_out(place("pitch"), joint.pitch != 0.0);
        // Where a standard table's frames are, its convention says; in a table of another one they are where that puts them.
        let is_own = description.convention != Convention::StandardDh && joint.link_frame != Pose::identity(0.0);
        leave_out(format!("body.{}.frame", key(&joint.name)), is_own);
    }
    for frame in &description.frames {
        leave_out(format!("frame.{}", key(&frame.name)), true);
    }
    for transmission in &description.transmissions {
        leave_out(format!("transmission.{}", key(&transmission.name)), true);
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{FrameDescription, toml};
    use crate::robots;
    use crate::sample::{Sampler, Shape};

    const LAYOUTS: [Layout; 2] = [Layout::Csv, Layout::Markdown];

    fn builtin(name: &str) -> Description {
        toml::read(robots::find(name).unwrap().toml).unwrap().0
    }

    #[track_caller]
    fn written_and_read(robot: &Description, convention: Convention, layout: Layout) -> Description {
        let (text, _) = write(robot, convention, layout).unwrap();
        read(&text, layout, &robot.name).unwrap_or_else(|problems| panic!("{problems}\n{text}")).0
    }

    #[test]
    fn tables_come_back() {
        for layout in LAYOUTS {
            for name in ["puma560", "stanford", "scara", "seven-axis"] {
                let robot = Description { frames: vec![], ..builtin(name) };
                assert_eq!(written_and_read(&robot, robot.convention, layout), robot, "{name}");
            }
            for seed in 0..20 {
                for shape in [Shape::Chain, Shape::Tree] {
                    let robot = Sampler::new(seed).description(5, shape);
                    assert_eq!(written_and_read(&robot, robot.convention, layout), robot, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn standard_and_modified_tables_hold_the_same_robot() {
        let stanford = builtin("stanford");
        for layout in LAYOUTS {
            let modified = written_and_read(&stanford, Convention::ModifiedDh, layout);
            assert_eq!(modified.joints[0].link_frame, Pose::identity(0.0));
            let back = to_convention(&modified, Convention::StandardDh).unwrap();
            assert_eq!(back.joints, stanford.joints);
        }
    }

    #[test]
    fn the_first_heading_names_the_convention() {
        let (csv, _) = write(&builtin("stanford"), Convention::StandardDh, Layout::Csv).unwrap();
        let expected = "standard-dh,type,theta,d,a,alpha,mass,com.x,com.y,com.z,xx,yy,zz,xy,xz,yz\n\
                        waist,revolute,q,0.412,0.0,-90 deg,9.29,0.0,0.1,0.0,0.085,0.03,0.085,0.0,0.0,0.0\n";
        assert!(csv.starts_with(expected), "{csv}");
        let (markdown, _) = write(&builtin("two-link"), Convention::ModifiedDh, Layout::Markdown).unwrap();
        let expected = "| modified-dh | type     | alpha | a    | theta | d   | mass |";
        assert!(markdown.starts_with(expected), "{markdown}");
        let bars: Vec<usize> = markdown.lines().map(|line| line.matches('|').count()).collect();
        assert_eq!(bars, [17; 4]);
    }

    #[test]
    fn names_may_hold_bars() {
        let mut robot = builtin("two-link");
        robot.gravity = STANDARD_GRAVITY;
        robot.frames.clear();
        robot.joints[0].name = "a|b".into();
        robot.joints[1].parent = Some("a|b".into());
        assert_eq!(written_and_read(&robot, Convention::ModifiedDh, Layout::Markdown), robot);
    }

    /// A table is shown in pages: what a name holds is text there.
    #[test]
    fn names_are_no_links_and_no_tags() {
        let mut robot = builtin("two-link");
        robot.gravity = STANDARD_GRAVITY;
        robot.frames.clear();
        let name = r"[a](javascript:b)<img src=x>`*&lt;\_";
        robot.joints[0].name = name.into();
        robot.joints[1].parent = Some(name.into());
        let (text, _) = write(&robot, Convention::ModifiedDh, Layout::Markdown).unwrap();
        assert!(text.contains(r"| \[a\](javascript:b)\<img src=x\>\`\*\&lt;\\_ |"), "{text}");
        assert_eq!(written_and_read(&robot, Convention::ModifiedDh, Layout::Markdown), robot);
    }

    #[test]
    fn what_is_left_out_is_told() {
        let mut robot = builtin("two-link");
        robot.frames.push(FrameDescription { name: "eye".into(), parent: None, pose: Pose::identity(0.0) });
        robot.joints[0].driven = false;
        robot.joints[0].limits.effort = 3.0;
        robot.joints[1].effects.friction.viscous = 0.1;
        robot.joints[1].effects.rotor.inertia = 0.1;
        robot.joints[1].effects.spring.stiffness = 0.1;
        robot.joints[1].pitch = 0.1;
        let (_, left_out) = write(&robot, Convention::ModifiedDh, Layout::Csv).unwrap();
        let places: Vec<&str> = left_out.iter().map(|problem| problem.place.as_str()).collect();
        let joints = ["short.driven", "short.limits", "long.friction", "long.rotor", "long.spring", "long.pitch"];
        let joints = joints.map(|place| format!("joint.{place}"));
        let expected =
            ["gravity"].into_iter().chain(joints.iter().map(String::as_str)).chain(["frame.tip", "frame.eye"]);
        assert_eq!(places, expected.collect::<Vec<_>>());
        assert_eq!(left_out.errors(), 0);
    }

    #[test]
    fn a_tree_is_refused() {
        let tree = Sampler::new(3).description(6, Shape::Tree);
        assert!(matches!(write(&tree, Convention::ModifiedDh, Layout::Csv), Err(Refusal::Branch { .. })));
    }
}
