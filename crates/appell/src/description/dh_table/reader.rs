//! The way from the cells of a table to a description, every problem with its line.

use super::{BODY, Layout, headings};
use crate::description::convention::move_joints_before_links;
use crate::description::name::key;
use crate::description::notes::Notes;
use crate::description::{
    BASE, Column, Convention, Description, Finding, JointDescription, JointType, Problems, quantity,
};

/// A line of the table: its number, counted from 1, and its cells.
type Row = (usize, Vec<String>);

/// A table under reading.
struct Reader {
    notes: Notes,
    convention: Convention,
    headings: Vec<String>,
    /// Whether any column is about the bodies.
    has_bodies: bool,
}

pub(super) fn read_and(
    inspect: fn(&Description) -> Problems,
    text: &str,
    layout: Layout,
    name: &str,
) -> Result<(Description, Problems), Problems> {
    let mut rows = rows(text, layout).into_iter();
    let mut reader = Reader::new(rows.next())?;
    let mut joints: Vec<JointDescription> = Vec::new();
    for (row, number) in rows.zip(1..) {
        let above = joints.last().map(|joint| joint.name.clone());
        joints.push(reader.joint(row, number, above));
    }
    if reader.convention == Convention::StandardDh {
        move_joints_before_links(&mut joints);
    }
    let description =
        Description { name: name.into(), joints, convention: reader.convention, ..Description::default() };
    reader.notes.judge(description, inspect)
}

/// The lines of the table, without the line that separates the header of a Markdown table.
fn rows(text: &str, layout: Layout) -> Vec<Row> {
    let text = text.trim_start_matches('\u{feff}'); // spreadsheets write a byte order mark
    let lines = text.lines().map(str::trim).zip(1..);
    match layout {
        Layout::Csv => {
            // A quote without its partner stays, and makes the cell unreadable.
            let unquoted = |cell: &str| Some(cell.strip_prefix('"')?.strip_suffix('"')?.to_owned());
            let cell = |cell: &str| unquoted(cell.trim()).unwrap_or_else(|| cell.trim().to_owned());
            let lines = lines.filter(|(line, _)| !line.is_empty());
            lines.map(|(line, number)| (number, line.split(',').map(cell).collect())).collect()
        }
        Layout::Markdown => {
            let lines =
                lines.skip_while(|(line, _)| !line.starts_with('|')).take_while(|(line, _)| line.starts_with('|'));
            let is_ruler = |line: &str| line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
            lines.filter(|(line, _)| !is_ruler(line)).map(|(line, number)| (number, between_bars(line))).collect()
        }
    }
}

/// The cells of a line that begins with a bar; a bar in a cell has a backslash before it, and so may any other sign.
fn between_bars(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut characters = line.trim_start_matches('|').chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {
                cells.last_mut().expect("one at least").extend(characters.next());
            }
            ('|', None) => {}
            ('|', _) => cells.push(String::new()),
            _ => cells.last_mut().expect("one at least").push(c),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

impl Reader {
    /// Reads the header. Without a convention nothing else can be understood.
    fn new(header: Option<Row>) -> Result<Self, Problems> {
        let mut notes = Notes::default();
        let (line, headings) = header.unwrap_or_default();
        let Some(first) = headings.first() else {
            notes.error("header", Finding::Missing { expected: "a line of headings" });
            return Err(notes.finish(Problems::default()));
        };
        notes.locate("header", line);
        let Some(convention) = notes.find("header", first, Convention::EXPECTED, Convention::find) else {
            return Err(notes.finish(Problems::default()));
        };
        let has_bodies = BODY.iter().any(|column| headings.iter().any(|heading| heading == column.name));
        let mut reader = Self { notes, convention, headings, has_bodies };
        reader.check_headings();
        Ok(reader)
    }

    fn check_headings(&mut self) {
        let known: Vec<&str> = headings(self.convention).collect();
        for (k, heading) in self.headings.iter().enumerate() {
            if self.headings[..k].contains(heading) {
                let finding = Finding::DuplicateName { name: heading.clone(), first: "another column".into() };
                self.notes.error("header", finding);
            } else if !known.contains(&heading.as_str()) {
                let finding = Finding::UnknownHeading { heading: heading.clone(), known: known.join(", ") };
                self.notes.error("header", finding);
            }
        }
        let may_miss = |name: &str| BODY.iter().any(|body| body.name == name && (body.optional || !self.has_bodies));
        for name in known.into_iter().filter(|name| !may_miss(name)) {
            if !self.headings.iter().any(|heading| heading == name) {
                self.notes.error(&format!("header.{name}"), Finding::Missing { expected: "a column of this heading" });
            }
        }
    }

    /// Reads a row. One that cannot be read still gives a joint, so that what refers to it is understood.
    fn joint(&mut self, (line, cells): Row, number: usize, above: Option<String>) -> JointDescription {
        let name = cells.first().cloned().unwrap_or_default();
        let place = if name.is_empty() { format!("joints[{number}]") } else { format!("joints.{}", key(&name)) };
        let body_place = format!("body.{}", key(&name));
        for place in [&place, &body_place, &format!("joints[{number}]")] {
            self.notes.locate(place, line);
        }
        let mut joint = JointDescription { parent: above, ..JointDescription::new(name, JointType::Revolute) };
        let expected = self.headings.len();
        if cells.len() != expected {
            let columns = "one cell per heading";
            self.notes.error(&place, Finding::WrongLength { found: cells.len(), expected, columns });
            return joint;
        }
        let cell = |heading: &str| self.headings.iter().position(|known| known == heading).map(|k| cells[k].as_str());
        let (kind, parent) = (cell("type"), cell("parent"));
        let columns = self.convention.columns().iter().map(|column| (column, cell(column.name)));
        let columns: Vec<(&Column, Option<&str>)> = columns.collect();
        let body: Vec<Option<&str>> = BODY.iter().map(|column| cell(column.name)).collect();

        let type_place = format!("{place}.type");
        let kind = kind.and_then(|text| self.notes.find(&type_place, text, JointType::EXPECTED, JointType::find));
        joint.kind = kind.unwrap_or(joint.kind);
        if let Some(parent) = parent {
            joint.parent = Some(parent.to_owned()).filter(|parent| parent != BASE);
        }
        for (column, text) in columns {
            if let Some(text) = text {
                let number = self.number(&format!("{place}.{}", column.name), column, text, kind);
                *(column.parameter)(&mut joint.placement) = number;
            }
        }
        for (column, text) in BODY.iter().zip(body) {
            if let Some(text) = text {
                let place = format!("{body_place}.{}", column.name);
                let number = self.notes.find(&place, text, "a number", |text| text.parse().ok());
                let number = number.map_or(f64::NAN, |number| self.notes.expect_finite(&place, number));
                *(column.parameter)(&mut joint.body) = number;
            }
        }
        joint
    }

    /// Reads a cell of the placement; NaN where it holds no number.
    fn number(&mut self, place: &str, column: &Column, text: &str, kind: Option<JointType>) -> f64 {
        let read = |text: &str| quantity::read(text, column.dimension);
        let Some(quantity) = self.notes.find(place, text, column.dimension.expected(), read) else { return f64::NAN };
        if let Some(Err(finding)) =
            kind.map(|kind| self.convention.accept(kind, column, quantity, || format!("{text:?}")))
        {
            self.notes.error(place, finding);
        }
        self.notes.expect_finite(place, quantity.constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::check;
    use crate::description::dh_table::{inspect, read};
    use core::f64::consts::FRAC_PI_2;
    use proptest::prelude::*;

    const SOUND: &str = "modified-dh,type,d,theta,a,alpha\nwaist,revolute,400 mm,q,0,0\nboom,prismatic,q,0,0,90 deg\n";

    #[track_caller]
    fn assert_one(text: &str, line: usize, place: &str, message: &str) {
        let problems = read(text, Layout::Csv, "").unwrap_err();
        match &problems.iter().collect::<Vec<_>>()[..] {
            [p] if p.line.unwrap_or(0) == line && p.place == place && p.finding.to_string().starts_with(message) => {}
            _ => panic!("expected line {line}: {place}: {message}\nfound {problems}"),
        }
    }

    #[test]
    fn a_table_of_joints_alone_is_read_in_any_order() {
        let (robot, warnings) = read(SOUND, Layout::Csv, "crane").unwrap();
        assert!(warnings.is_empty());
        assert_eq!((robot.name.as_str(), robot.joints[0].placement.r), ("crane", 0.4));
        assert_eq!(robot.joints[1].placement.alpha, FRAC_PI_2);
        assert_eq!(read(&format!("\u{feff}{SOUND}"), Layout::Csv, "crane").unwrap().0, robot);
        assert_eq!(inspect(SOUND, Layout::Csv).to_string().matches("forward dynamics is singular").count(), 1);
    }

    #[test]
    fn text_around_a_markdown_table_is_not_read() {
        let text = "# A robot\n\n| modified-dh | type | alpha | a | theta | d |\n|:--|:-:|---|---|---|---|\n\
                    | one | revolute | 0 | 0 | q | 0 |\n\nand more | about it\n";
        assert_eq!(read(text, Layout::Markdown, "").unwrap().0.joints.len(), 1);
    }

    #[test]
    fn each_problem_is_found_with_its_line() {
        assert_one("", 0, "header", "is missing; expected a line of headings");
        for (from, to, line, place, message) in [
            ("modified-dh", "name", 1, "header", "`name` is not \"modified-dh\""),
            ("revolute", "turning", 2, "joints.waist.type", "`turning` is not \"revolute\""),
            ("400 mm", "400 deg", 2, "joints.waist.d", "`400 deg` is not a length"),
            ("400 mm", "q", 2, "joints.waist.d", "\"q\" contains q, but a revolute joint"),
            ("400 mm", "1/0", 2, "joints.waist.d", "is inf"),
            ("400 mm,", "", 2, "joints.waist", "has 5 entries; expected 6: one cell"),
            ("prismatic,q", "prismatic,0", 3, "joints.boom.d", "a prismatic joint moves here"),
            ("boom", "waist", 3, "joints[2].name", "the name `waist` is taken already"),
            ("boom", "", 3, "joints[2].name", "the name is empty"),
        ] {
            assert_one(&SOUND.replacen(from, to, 1), line, place, message);
        }
        let massive = "modified-dh,type,alpha,a,theta,d,mass,com.x,com.y,com.z,xx,yy,zz\n\
                       one,revolute,0,0,q,0,1,0,0,0,1,1,1\n";
        assert!(read(massive, Layout::Csv, "").is_ok());
        assert_one(&massive.replace("q,0,1", "q,0,-1"), 2, "body.one.mass", "is -1 kg");
        assert_one(&massive.replace("q,0,1", "q,0,1 kg"), 2, "body.one.mass", "`1 kg` is not a number");
        assert_one(&massive.replace(",zz", "").replace("1,1,1", "1,1"), 1, "header.zz", "is missing");
    }

    #[test]
    fn wrong_headings_are_named() {
        for (from, to, messages) in [
            ("theta", "phi", ["header: the heading `phi` is not known", "header.theta: is missing"]),
            ("alpha", "a", ["header: the name `a` is taken already by another column", "header.alpha: is missing"]),
        ] {
            let problems = read(&SOUND.replacen(from, to, 1), Layout::Csv, "").unwrap_err().to_string();
            let lines: Vec<&str> = problems.lines().collect();
            assert_eq!(lines.len(), 2, "{problems}");
            for (line, message) in lines.iter().zip(messages) {
                assert!(line.starts_with(&format!("line 1: error: {message}")), "{problems}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC*", rows in "modified-dh,type,alpha,a,theta,d[-a-z0-9,|.\n]*") {
            for layout in [Layout::Csv, Layout::Markdown] {
                for text in [&text, &rows, &rows.replace(',', "|").replace('\n', "\n|"), &format!("|{}", rows.replace(',', "|"))] {
                    if let Ok((robot, _)) = read(text, layout, "") {
                        prop_assert_eq!(check(&robot).errors(), 0);
                    }
                }
            }
        }
    }
}
