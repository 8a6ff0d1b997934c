//! Which body carries which, drawn with box characters.

use appell::description::BASE;
use appell::mechanism::Mechanism;
use appell_drawing::listing::{Listing, clip, short};

/// The joints as a tree, with their types and the masses of their bodies; `None` for a chain, which a table shows.
///
/// ```text
/// base
/// ├─ left hip
/// │  left knee
/// └─ right hip
///    right knee
/// ```
///
/// Only a branch indents: a chain within the tree goes straight down, so that a long one stays readable.
pub(super) fn of(robot: &Mechanism) -> Option<Listing> {
    let joints = robot.rotors().start; // their own table shows rotors
    let on_base: Vec<usize> = (0..joints).filter(|&j| robot.links()[j].parent.is_none()).collect();
    let carried = |j: usize| -> Vec<usize> { robot.children(j).iter().copied().filter(|&j| j < joints).collect() };
    let branches = on_base.len() > 1 || (0..joints).any(|j| carried(j).len() > 1);
    branches.then(|| {
        let mut listing = Listing::new(["joint", "type", ">mass"]);
        listing.push([BASE.into(), String::new(), String::new()]);
        // A stack rather than a recursion: a robot may be deeper than the call stack allows.
        let mut to_come = twigs(&on_base, "");
        while let Some(Twig { joint, lead, stem }) = to_come.pop() {
            let (link, name) = (&robot.links()[joint], clip(&robot.joint_names()[joint]));
            listing.push([lead + &name, link.joint.name().into(), short(link.mass)]);
            to_come.extend(twigs(&carried(joint), &stem));
        }
        listing
    })
}

/// A joint to be drawn: what stands before its name, and before those of the joints it carries.
struct Twig {
    joint: usize,
    lead: String,
    stem: String,
}

/// The joints that one body carries, the last one first, as a stack wants them.
fn twigs(children: &[usize], stem: &str) -> Vec<Twig> {
    let twig = |(k, &joint): (usize, &usize)| {
        let (lead, below) = match (children.len(), k + 1 == children.len()) {
            (1, _) => ("", ""),
            (_, false) => ("├─ ", "│  "),
            (_, true) => ("└─ ", "   "),
        };
        Twig { joint, lead: format!("{stem}{lead}"), stem: format!("{stem}{below}") }
    };
    children.iter().enumerate().rev().map(twig).collect()
}
