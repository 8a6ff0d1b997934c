//! The classes of defaults: what an attribute is where an element does not say it.

use super::super::xml::{Element, Reader, attribute};
use crate::description::Finding;
use roxmltree::Node;
use std::collections::HashMap;

/// The class that all others inherit from.
const MAIN: &str = "main";

/// Kinds of actuators, which share their defaults: what is said of one holds for all.
const ACTUATORS: [&str; 9] =
    ["general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"];

/// The tag under which defaults of an element are kept.
fn shared(tag: &str) -> &str {
    if ACTUATORS.contains(&tag) { ACTUATORS[0] } else { tag }
}

/// All classes by their names.
#[derive(Default)]
pub(super) struct Defaults<'d> {
    classes: HashMap<String, Class<'d>>,
}

#[derive(Default)]
struct Class<'d> {
    parent: Option<String>,
    elements: HashMap<&'d str, Vec<Node<'d, 'd>>>,
}

impl<'d> Defaults<'d> {
    /// Of all sections of a file.
    pub(super) fn read(reader: &mut Reader, root: &Element<'d>) -> Self {
        let mut defaults = Self::default();
        let sections = root.node.children().filter(|node| node.has_tag_name("default"));
        // Without recursion, for the sake of the stack.
        let mut stack: Vec<(Node<'d, 'd>, Option<String>)> = sections.map(|node| (node, None)).collect();
        stack.reverse();
        while let Some((node, parent)) = stack.pop() {
            let name = match (attribute(node, "class"), &parent) {
                (Some(name), _) if !name.is_empty() => name,
                (_, None) => MAIN,
                (_, Some(_)) => {
                    let element = reader.element(node, "default".into());
                    reader
                        .notes
                        .error(&element.place, Finding::Missing { expected: "the class of a default: class=\"NAME\"" });
                    continue;
                }
            };
            // The outermost defaults are the main one, all together and whatever they are called.
            let own = if parent.is_none() { MAIN } else { name };
            if own != name {
                defaults.classes.entry(name.into()).or_default().parent = Some(MAIN.into());
            }
            let class = defaults.classes.entry(own.into()).or_default();
            class.parent.clone_from(&parent);
            for child in node.children().filter(Node::is_element) {
                if child.tag_name().name() == "default" {
                    stack.push((child, Some(own.into())));
                } else {
                    class.elements.entry(shared(child.tag_name().name())).or_default().push(child);
                }
            }
        }
        defaults
    }

    /// Whether there is a class of this name.
    pub(super) fn knows(&self, class: &str) -> bool {
        class == MAIN || self.classes.contains_key(class)
    }

    /// The elements that give defaults of a tag in a class, the nearest first.
    pub(super) fn of(&self, tag: &str, class: Option<&str>) -> Vec<Node<'d, 'd>> {
        let mut found = Vec::new();
        let mut name = Some(class.filter(|class| self.classes.contains_key(*class)).unwrap_or(MAIN).to_owned());
        // No chain of parents is longer than there are classes.
        for _ in 0..=self.classes.len() {
            let Some(class) = name.as_ref().and_then(|name| self.classes.get(name)) else { break };
            found.extend(class.elements.get(shared(tag)).into_iter().flatten().rev());
            name.clone_from(&class.parent);
        }
        found
    }
}

/// An element with what its class adds to it.
pub(super) struct Settled<'d> {
    pub(super) element: Element<'d>,
    defaults: Vec<Node<'d, 'd>>,
}

impl<'d> Settled<'d> {
    pub(super) fn new(
        reader: &mut Reader,
        defaults: &Defaults<'d>,
        element: Element<'d>,
        tag: &str,
        childclass: Option<&str>,
    ) -> Self {
        let own = attribute(element.node, "class");
        if let Some(class) = own
            && !defaults.knows(class)
        {
            reader.notes.error(&element.place, Finding::UnknownClass { class: class.into() });
        }
        let defaults = defaults.of(tag, own.or(childclass));
        Self { element, defaults }
    }

    /// The text of an attribute, its own or that of its class, and its path.
    pub(super) fn text(&self, reader: &mut Reader, name: &str) -> Option<(&'d str, String)> {
        if let Some(own) = reader.text(&self.element, name) {
            return Some(own);
        }
        let node = self.defaults.iter().find(|node| node.has_attribute(name))?;
        let element = reader.element(*node, format!("default.{}", node.tag_name().name()));
        reader.text(&element, name)
    }

    /// Whether the attribute is said at all.
    pub(super) fn has(&self, name: &str) -> bool {
        self.element.node.has_attribute(name) || self.defaults.iter().any(|node| node.has_attribute(name))
    }

    /// The number of an attribute, the first where there are several.
    pub(super) fn number(&self, reader: &mut Reader, name: &str) -> Option<f64> {
        let (text, place) = self.text(reader, name)?;
        let first = text.split_whitespace().next().unwrap_or(text);
        reader.finite(&place, first)
    }

    /// The numbers of an attribute, between `least` and `most` of them.
    pub(super) fn numbers(&self, reader: &mut Reader, name: &str, least: usize, most: usize) -> Option<Vec<f64>> {
        let (text, place) = self.text(reader, name)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < least || words.len() > most {
            let columns = "numbers between spaces";
            reader.notes.error(&place, Finding::WrongLength { found: words.len(), expected: most, columns });
            return None;
        }
        words.into_iter().map(|word| reader.finite(&place, word)).collect()
    }

    /// Just so many numbers.
    pub(super) fn array<const N: usize>(&self, reader: &mut Reader, name: &str) -> Option<[f64; N]> {
        self.numbers(reader, name, N, N)?.try_into().ok()
    }

    /// A word of a list.
    pub(super) fn word<T: Copy>(
        &self,
        reader: &mut Reader,
        name: &str,
        expected: &'static str,
        words: &[(&str, T)],
    ) -> Option<T> {
        let (text, place) = self.text(reader, name)?;
        let find = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        reader.notes.find(&place, text, expected, find)
    }
}
