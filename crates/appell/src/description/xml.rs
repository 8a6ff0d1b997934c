//! Elements and attributes of XML: typed access, every problem with its line.

use crate::description::notes::Notes;
use crate::description::{Description, Finding, Problem, Problems, Severity};
use roxmltree::{Document, Error, Node, ParsingOptions};

/// A file under reading and what was found wrong in it so far.
pub(super) struct Reader {
    pub(super) notes: Notes,
}

/// An element of the file, its path and the byte where it begins.
pub(super) struct Element<'d> {
    pub(super) place: String,
    pub(super) byte: usize,
    pub(super) node: Node<'d, 'd>,
}

impl Reader {
    pub(super) fn new(text: &str) -> Self {
        Self { notes: Notes::new(text) }
    }

    /// What was read, with all problems, those that `inspect` finds too; the problems alone where one is an error.
    pub(super) fn finish<E>(
        self,
        read: Option<(Description, E)>,
        inspect: fn(&Description) -> Problems,
    ) -> Result<(Description, E, Problems), Problems> {
        let Some((description, extras)) = read else { return Err(self.notes.finish([])) };
        let sound = !self.notes.has_errors();
        // Bodies were looked at before they were merged; errors breed errors.
        let is_news = |problem: &Problem| match problem.severity {
            Severity::Error => sound,
            Severity::Warning => !problem.finding.is_about_inertia(),
        };
        let problems = self.notes.finish(inspect(&description).into_iter().filter(is_news));
        if problems.errors() > 0 { Err(problems) } else { Ok((description, extras, problems)) }
    }

    /// The document of a text.
    pub(super) fn document<'d>(&mut self, text: &'d str) -> Option<Document<'d>> {
        let noted = |error: Error| {
            let line = match error {
                Error::UnclosedRootNode => usize::MAX,
                _ => error.pos().row as usize,
            };
            let byte = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            self.notes.syntax_error(Some(byte), Finding::NotXml(error.to_string()));
        };
        if text.trim().is_empty() {
            self.notes.syntax_error(Some(0), Finding::Empty);
            return None;
        }
        // No robot needs entities, and a small file of them can expand to fill the memory.
        if let Some(byte) = text.find("<!ENTITY") {
            self.notes.syntax_error(Some(byte), Finding::NotXml("it declares entities; write them out".into()));
            return None;
        }
        parse(text).map_err(noted).ok()
    }

    /// The outermost element, which must have this name; a file of this format is one.
    pub(super) fn outermost<'d>(
        &mut self,
        document: &'d Document,
        expected: &'static str,
        format: &'static str,
    ) -> Option<Element<'d>> {
        let node = document.root_element();
        let outermost = self.element(node, expected.into());
        let name = node.tag_name().name();
        if name != expected {
            self.notes.error(&outermost.place, Finding::NotRobot { found: name.into(), format, expected });
            return None;
        }
        Some(outermost)
    }

    /// The outermost element of a URDF, if it is one.
    pub(super) fn robot<'d>(&mut self, document: &'d Document) -> Option<Element<'d>> {
        let robot = self.outermost(document, "robot", "URDF")?;
        let node = robot.node;
        let ours = node.tag_name().namespace();
        let is_xacro = |node: &Node| {
            let foreign = node.tag_name().namespace().filter(|&uri| Some(uri) != ours);
            foreign.is_some_and(|uri| uri.contains("xacro"))
        };
        // One is enough to say what to do with the file.
        if let Some(leftover) = node.descendants().find(is_xacro) {
            let text = format!("<xacro:{}>", leftover.tag_name().name());
            self.notes.mark("xacro".into(), leftover.range().start);
            self.notes.warning("xacro", Finding::Xacro { text });
        }
        Some(robot)
    }

    /// An element under its path; from now on the line of that path is known.
    pub(super) fn element<'d>(&mut self, node: Node<'d, 'd>, place: String) -> Element<'d> {
        let byte = node.range().start;
        self.notes.mark(place.clone(), byte);
        Element { place, byte, node }
    }

    /// The elements of a name within another one, at paths that `place` makes of their numbers, counted from 1, and
    /// their own names.
    pub(super) fn children<'d>(
        &mut self,
        parent: &Element<'d>,
        name: &str,
        place: impl Fn(usize, Option<&str>) -> String,
    ) -> Vec<Element<'d>> {
        let nodes = parent.children(name).zip(1..);
        nodes.map(|(node, number)| self.element(node, place(number, attribute(node, "name")))).collect()
    }

    /// The first element of a name within another one, as ROS reads it.
    pub(super) fn child<'d>(&mut self, parent: &Element<'d>, name: &str) -> Option<Element<'d>> {
        let node = parent.children(name).next()?;
        Some(self.element(node, format!("{}.{name}", parent.place)))
    }

    /// The first element of a name, which must be there.
    pub(super) fn require_child<'d>(
        &mut self,
        parent: &Element<'d>,
        name: &str,
        expected: &'static str,
    ) -> Option<Element<'d>> {
        let child = self.child(parent, name);
        if child.is_none() {
            self.notes.error(&format!("{}.{name}", parent.place), Finding::Missing { expected });
        }
        child
    }

    /// The text of an attribute, without spaces around it, and its path.
    pub(super) fn text<'d>(&mut self, element: &Element<'d>, name: &str) -> Option<(&'d str, String)> {
        let text = attribute(element.node, name)?;
        let place = format!("{}.{name}", element.place);
        if let Some(attribute) = element.node.attribute_node(name) {
            self.notes.mark(place.clone(), attribute.range().start);
        }
        Some((text, place))
    }

    /// The text of an attribute that must be there, and its path.
    pub(super) fn require<'d>(
        &mut self,
        element: &Element<'d>,
        name: &str,
        expected: &'static str,
    ) -> Option<(&'d str, String)> {
        let text = self.text(element, name);
        if text.is_none() {
            self.notes.error(&format!("{}.{name}", element.place), Finding::Missing { expected });
        }
        text
    }

    /// The number of an attribute; none where it is absent or, which is noted, unreadable.
    pub(super) fn number(&mut self, element: &Element, name: &str) -> Option<f64> {
        let (text, place) = self.text(element, name)?;
        self.finite(&place, text)
    }

    /// The number of an attribute that must be there.
    pub(super) fn require_number(&mut self, element: &Element, name: &str, expected: &'static str) -> Option<f64> {
        let (text, place) = self.require(element, name, expected)?;
        self.finite(&place, text)
    }

    /// A limit: a number that may be infinite. The largest number stands for that where ROS wants one.
    pub(super) fn limit(&mut self, element: &Element, name: &str) -> Option<f64> {
        let (text, place) = self.text(element, name)?;
        let limit = self.float(&place, text)?;
        Some(if limit.abs() == f64::MAX { limit * 2.0 } else { limit })
    }

    /// The three numbers of an attribute; none where it is absent or, which is noted, unreadable.
    pub(super) fn vector(&mut self, element: &Element, name: &str, columns: &'static str) -> Option<[f64; 3]> {
        let (text, place) = self.text(element, name)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let [x, y, z] = words[..] else {
            self.notes.error(&place, Finding::WrongLength { found: words.len(), expected: 3, columns });
            return None;
        };
        let [x, y, z] = [x, y, z].map(|word| self.finite(&place, word));
        Some([x?, y?, z?])
    }

    /// A finite number of a text.
    pub(super) fn finite(&mut self, place: &str, text: &str) -> Option<f64> {
        let value = self.float(place, text)?;
        if value.is_infinite() {
            self.notes.error(place, Finding::NotFinite { value });
            return None;
        }
        Some(value)
    }

    /// A number that may be infinite.
    fn float(&mut self, place: &str, text: &str) -> Option<f64> {
        let finding = match text.parse::<f64>() {
            Ok(value) if value.is_nan() => Finding::NotFinite { value },
            Ok(value) => return Some(value),
            Err(_) if text.contains("${") => Finding::Xacro { text: text.into() },
            Err(_) => Finding::Unreadable { text: text.into(), expected: "a number" },
        };
        self.notes.error(place, finding);
        None
    }
}

impl<'d> Element<'d> {
    /// Elements of a name; what another vocabulary calls by that name is none of ours.
    fn children(&self, name: &str) -> impl Iterator<Item = Node<'d, 'd>> {
        let robot = self.node.document().root_element().tag_name().namespace();
        let is_ours = move |node: &Node| node.tag_name().name() == name && node.tag_name().namespace() == robot;
        self.node.children().filter(is_ours)
    }
}

/// The text of an attribute, without spaces around it.
pub(super) fn attribute<'d>(node: Node<'d, 'd>, name: &str) -> Option<&'d str> {
    node.attribute(name).map(str::trim)
}

fn parse(text: &str) -> Result<Document<'_>, Error> {
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

/// The text without what ROS's parser forgives and XML does not: dashes within comments, and prefixes that nobody
/// declared. The lines stay.
pub(super) fn forgiven(text: &str) -> String {
    /// More undeclared vocabularies than any file needs; each costs one more reading.
    const PREFIXES: usize = 16;
    let mut text = without_comments(text);
    for _ in 0..PREFIXES {
        let Err(Error::UnknownNamespace(prefix, _)) = parse(&text) else { break };
        let Some(at) = root_attributes(&text) else { break };
        text.insert_str(at, &format!(" xmlns:{prefix}=\"{prefix}\""));
    }
    text
}

/// Every comment cut down to its line breaks.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let Some((comment, after)) = comment.split_once("-->") else { break };
        kept.push_str(before);
        kept.extend(comment.chars().filter(|&c| c == '\n'));
        rest = after;
    }
    kept + rest
}

/// Where the attributes of the outermost element begin.
fn root_attributes(text: &str) -> Option<usize> {
    let name = text.match_indices('<').map(|(at, _)| at + 1).find(|&at| text[at..].starts_with(char::is_alphabetic))?;
    text[name..].find(|c: char| c.is_whitespace() || c == '>' || c == '/').map(|end| name + end)
}
