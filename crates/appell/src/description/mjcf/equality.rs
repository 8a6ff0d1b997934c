//! Equalities: what closes loops, and joints that follow others.

use super::super::linkage::Loop;
use super::super::xml::{Element, Reader, attribute};
use super::bodies::Model;
use super::defaults::Settled;
use crate::description::name::key;
use crate::description::{ClosingJoint, Finding, Mimic};
use crate::spatial::{Mat3, Pose, Quaternion};
use roxmltree::Node;

impl<'d> Model<'d> {
    /// All equalities of a file.
    pub(super) fn equalities(&mut self, reader: &mut Reader, root: &Element<'d>) {
        let sections = root.node.children().filter(|node| node.has_tag_name("equality"));
        let nodes: Vec<Node<'d, 'd>> =
            sections.flat_map(|section| section.children().filter(Node::is_element)).collect();
        for (node, number) in nodes.into_iter().zip(1..) {
            let tag = node.tag_name().name();
            let name = attribute(node, "name").map_or(format!("{tag}{number}"), Into::into);
            let place = format!("equality.{}", key(&name));
            let element = reader.element(node, place);
            let equality = Settled::new(reader, &self.defaults, element, "equality", None);
            let words = [("true", true), ("false", false)];
            if equality.word(reader, "active", "true or false", &words) == Some(false) {
                let what = format!("<{tag}>, which is not active,");
                reader.notes.warning(&equality.element.place, Finding::LeftOut { what });
                continue;
            }
            if let Some(flag) = self.settings.without_equalities {
                let what = format!("<{tag}>, which <flag {flag}=\"disable\"> switches off,");
                reader.notes.warning(&equality.element.place, Finding::LeftOut { what });
                continue;
            }
            match tag {
                "connect" => self.connect(reader, &equality, name),
                "weld" => self.weld(reader, &equality, name),
                "joint" => self.follow(reader, &equality),
                _ => {
                    let what = format!("an equality <{tag}>");
                    reader.notes.warning(&equality.element.place, Finding::LeftOut { what });
                }
            }
        }
    }

    /// A point of two bodies, given on the first, that coincides where the file puts them; or two sites.
    fn connect(&mut self, reader: &mut Reader, equality: &Settled, name: String) {
        if let Some(ends) = self.sites_of(reader, equality) {
            return self.hold(equality, name, ClosingJoint::Spherical, ends);
        }
        let Some([first, second]) = self.bodies_of(reader, equality) else { return };
        reader.require(&equality.element, "anchor", "a point in the frame of body1, or site1 and site2");
        let Some(anchor) = equality.array::<3>(reader, "anchor") else { return };
        let on_first = Pose { rotation: Mat3::identity(0.0), position: anchor.into() };
        let on_second = self.start(second).inverse() * self.start(first) * on_first;
        self.hold(equality, name, ClosingJoint::Spherical, [(first, on_first), (second, on_second)]);
    }

    /// Two bodies in one: where the file puts them, or as `relpose` says.
    fn weld(&mut self, reader: &mut Reader, equality: &Settled, name: String) {
        if let Some(ends) = self.sites_of(reader, equality) {
            return self.hold(equality, name, ClosingJoint::Rigid, ends);
        }
        let Some([first, second]) = self.bodies_of(reader, equality) else { return };
        let relative = equality.array::<7>(reader, "relpose").unwrap_or_default();
        let [x, y, z, a, b, c, d] = relative;
        let quaternion = Quaternion { x: b, y: c, z: d, w: a };
        let first_from_second = if quaternion.norm() < 1e-12 {
            self.start(first).inverse() * self.start(second)
        } else {
            Pose { rotation: quaternion.normalized().rotation(), position: [x, y, z].into() }
        };
        let ends = [(first, first_from_second), (second, Pose::identity(0.0))];
        self.hold(equality, name, ClosingJoint::Rigid, ends);
    }

    /// A joint whose position is a line over another's: y − y₀ = a₀ + a₁ (x − x₀).
    fn follow(&mut self, reader: &mut Reader, equality: &Settled) {
        let place = &equality.element.place;
        let Some((first, _)) = reader.require(&equality.element, "joint1", "the name of a joint") else { return };
        let polycoef = equality.numbers(reader, "polycoef", 1, 5).unwrap_or_else(|| vec![0.0, 1.0]);
        let second = attribute(equality.element.node, "joint2");
        let find = |name: &str| self.linkage.joints.iter().position(|joint| joint.name == name && joint.kind.is_some());
        let (Some(follower), leader) = (find(first), second.and_then(find)) else {
            reader.notes.warning(place, Finding::UnknownMimic { name: first.into() });
            return;
        };
        let Some(leader) = leader else {
            let what = match second {
                Some(second) => format!("an equality with `{second}`, which is not a joint,"),
                None => "an equality that holds one joint still".into(),
            };
            reader.notes.warning(place, Finding::LeftOut { what });
            return;
        };
        if polycoef.iter().skip(2).any(|coefficient| *coefficient != 0.0) {
            let what = "a polynomial of higher degree than 1".into();
            reader.notes.warning(place, Finding::LeftOut { what });
            return;
        }
        let (offset, multiplier) = (polycoef[0], polycoef.get(1).copied().unwrap_or(1.0));
        let leader = &self.linkage.joints[leader];
        let (joint, x) = (leader.name.clone(), leader.reference);
        let follower = &mut self.linkage.joints[follower];
        let offset = follower.reference + offset - multiplier * x;
        follower.mimic = Some(Mimic::new(joint, multiplier, offset));
        follower.driven = false;
    }

    fn start(&self, link: Option<usize>) -> Pose<f64> {
        link.map_or(Pose::identity(0.0), |link| self.at_start[link])
    }

    /// The bodies of an equality; the second may be the world.
    fn bodies_of(&self, reader: &mut Reader, equality: &Settled) -> Option<[Option<usize>; 2]> {
        let (first, place) = reader.require(&equality.element, "body1", "the name of a body, or site1 and site2")?;
        let first = self.body_named(reader, first, &place)?;
        let second = match reader.text(&equality.element, "body2") {
            Some((second, place)) => self.body_named(reader, second, &place)?,
            None => None,
        };
        Some([first, second])
    }

    fn body_named(&self, reader: &mut Reader, name: &str, place: &str) -> Option<Option<usize>> {
        let found = self.bodies.get(name).copied();
        if found.is_none() {
            reader.notes.error(place, Finding::UnknownLink { name: name.into() });
        }
        found
    }

    fn sites_of(&self, reader: &mut Reader, equality: &Settled) -> Option<[(Option<usize>, Pose<f64>); 2]> {
        let mut ends = Vec::new();
        for name in ["site1", "site2"] {
            let (site, place) = reader.text(&equality.element, name)?;
            let Some(found) = self.sites.get(site) else {
                reader.notes.error(&place, Finding::UnknownSite { name: site.into() });
                return None;
            };
            ends.push(*found);
        }
        ends.try_into().ok()
    }

    fn hold(&mut self, equality: &Settled, name: String, kind: ClosingJoint, ends: [(Option<usize>, Pose<f64>); 2]) {
        let Element { place, byte, .. } = &equality.element;
        self.close(Loop { name, place: place.clone(), byte: *byte, kind, ends });
    }
}
