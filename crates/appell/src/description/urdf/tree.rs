//! Which link hangs on which: one root, no loops, both ends of every joint known.

use super::parts::{Joint, Link};
use crate::description::Finding;
use crate::description::xml::Reader;
use std::collections::HashMap;

/// A joint and the links at its ends, by their indices.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    pub(super) joint: usize,
    pub(super) parent: usize,
    pub(super) child: usize,
}

/// The tree as its branches, depth first in the order of the file, so that parents come before children; or notes
/// on why there is none.
pub(super) fn grow(reader: &mut Reader, links: &[Link], joints: &[Joint]) -> Option<Vec<Branch>> {
    let joint_names = joints.iter().map(|joint| (joint.name.as_str(), joint.place.as_str()));
    index(reader, "joint", joint_names);
    let by_name = index(reader, "link", links.iter().map(|link| (link.name.as_str(), link.place.as_str())));
    let branches: Vec<Branch> = joints
        .iter()
        .enumerate()
        .filter_map(|(joint, ends)| {
            let parent = find(reader, &by_name, ends.parent.as_deref(), &format!("{}.parent", ends.place));
            let child = find(reader, &by_name, ends.child.as_deref(), &format!("{}.child", ends.place));
            Some(Branch { joint, parent: parent?, child: child? })
        })
        .collect();
    let mut above: Vec<Option<Branch>> = vec![None; links.len()];
    let mut below: Vec<Vec<Branch>> = links.iter().map(|_| Vec::new()).collect();
    for &branch in &branches {
        if let Some(first) = above[branch.child] {
            let (link, first) = (links[branch.child].name.clone(), joints[first.joint].name.clone());
            reader.notes.error(&format!("{}.child", joints[branch.joint].place), Finding::SecondParent { link, first });
        } else {
            above[branch.child] = Some(branch);
            below[branch.parent].push(branch);
        }
    }
    report_loops(reader, links, &above);
    let mut roots = (0..links.len()).filter(|&link| above[link].is_none());
    let root = roots.next();
    // Where a joint could not be read, its child only looks like a root.
    if let Some(root) = root
        && branches.len() == joints.len()
    {
        for second in roots {
            reader.notes.error(&links[second].place, Finding::SecondRoot { root: links[root].name.clone() });
        }
    }
    if links.is_empty() {
        reader.notes.error("robot", Finding::Missing { expected: "links: <link name=\"…\"/>" });
    }
    let tree = depth_first(root?, &below);
    (tree.len() == joints.len() && links.len() == tree.len() + 1).then_some(tree)
}

/// Indices by name; names must be there once.
fn index<'a>(
    reader: &mut Reader,
    kind: &str,
    parts: impl Iterator<Item = (&'a str, &'a str)>,
) -> HashMap<&'a str, usize> {
    let mut index = HashMap::new();
    for (number, (name, place)) in parts.enumerate() {
        // A part without a name was noted when it was read.
        if !name.is_empty() && *index.entry(name).or_insert(number) != number {
            let first = format!("{kind} {}", index[name] + 1);
            reader.notes.error(place, Finding::DuplicateName { name: name.into(), first });
        }
    }
    index
}

/// The link at one end of a joint, by its name.
fn find(reader: &mut Reader, links: &HashMap<&str, usize>, name: Option<&str>, place: &str) -> Option<usize> {
    let name = name?;
    let link = links.get(name).copied();
    if link.is_none() {
        reader.notes.error(place, Finding::UnknownLink { name: name.into() });
    }
    link
}

/// Reports each loop once. What hangs on a loop needs no word of its own.
fn report_loops(reader: &mut Reader, links: &[Link], above: &[Option<Branch>]) {
    let parent = |&link: &usize| above[link].map(|branch| branch.parent);
    // The walk towards the root that met a link first.
    let mut met_by: Vec<Option<usize>> = vec![None; links.len()];
    for start in 0..links.len() {
        let mut link = start;
        while met_by[link].is_none() {
            met_by[link] = Some(start);
            let Some(next) = parent(&link) else { break };
            link = next;
        }
        if met_by[link] == Some(start) && parent(&link).is_some() {
            let rest = core::iter::successors(parent(&link), parent).take_while(|&next| next != link);
            let names = core::iter::once(link).chain(rest).map(|link| links[link].name.clone()).collect();
            reader.notes.error(&links[link].place, Finding::Loop { links: names });
        }
    }
}

/// All branches that hang on the root. Without recursion, for the sake of the stack: chains may be long.
fn depth_first(root: usize, below: &[Vec<Branch>]) -> Vec<Branch> {
    let mut order = Vec::new();
    let mut stack: Vec<Branch> = below[root].iter().rev().copied().collect();
    while let Some(branch) = stack.pop() {
        order.push(branch);
        stack.extend(below[branch.child].iter().rev());
    }
    order
}
