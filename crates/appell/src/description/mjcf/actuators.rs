//! Which joints are driven, and how strongly.

use super::super::xml::{Element, Reader, attribute};
use super::bodies::Model;
use super::defaults::Settled;
use crate::description::Finding;
use crate::description::name::key;
use roxmltree::Node;
use std::collections::HashSet;

impl<'d> Model<'d> {
    /// Where there are actuators, a joint without one is passive.
    pub(super) fn actuators(&mut self, reader: &mut Reader, root: &Element<'d>) {
        let sections = root.node.children().filter(|node| node.has_tag_name("actuator"));
        let nodes: Vec<Node<'d, 'd>> =
            sections.flat_map(|section| section.children().filter(Node::is_element)).collect();
        let (mut driven, mut others) = (HashSet::new(), 0);
        let mut first_other = None;
        for (node, number) in nodes.iter().zip(1..) {
            let place = attribute(*node, "name")
                .map_or(format!("actuator[{number}]"), |name| format!("actuator.{}", key(name)));
            let element = reader.element(*node, place.clone());
            let tag = node.tag_name().name();
            let actuator = Settled::new(reader, &self.defaults, element, tag, None);
            let Some((joint, _)) = actuator.text(reader, "joint").or_else(|| actuator.text(reader, "jointinparent"))
            else {
                others += 1;
                first_other.get_or_insert(place);
                continue;
            };
            let Some(found) = self.linkage.joints.iter_mut().position(|own| own.name == joint && own.kind.is_some())
            else {
                reader.notes.error(&place, Finding::UnknownDriven { name: joint.into(), known: self.joint_names() });
                continue;
            };
            driven.insert(found);
            if let Some(effort) = self.effort(reader, &actuator, tag) {
                let limits = &mut self.linkage.joints[found].limits;
                limits.effort = limits.effort.min(effort);
            }
        }
        if let Some(place) = first_other {
            let what = format!("{others} of {} actuators, which act on no single joint,", nodes.len());
            reader.notes.warning(&place, Finding::LeftOut { what });
        }
        if !driven.is_empty() {
            for (k, joint) in self.linkage.joints.iter_mut().enumerate() {
                joint.driven = driven.contains(&k);
            }
        }
    }

    fn joint_names(&self) -> Vec<String> {
        let moving = self.linkage.joints.iter().filter(|joint| joint.kind.is_some());
        moving.map(|joint| joint.name.clone()).collect()
    }

    /// The largest effort on the joint: of its force, or of a motor's control, through the gear.
    fn effort(&self, reader: &mut Reader, actuator: &Settled, tag: &str) -> Option<f64> {
        let gear = actuator.number(reader, "gear").unwrap_or(1.0).abs();
        let largest = |range: [f64; 2]| gear * range.into_iter().map(f64::abs).fold(0.0, f64::max);
        let mut efforts = Vec::new();
        if self.is_limited(reader, actuator, "forcelimited", "forcerange") {
            efforts.extend(actuator.array::<2>(reader, "forcerange").map(largest));
        }
        if tag == "motor" && self.is_limited(reader, actuator, "ctrllimited", "ctrlrange") {
            efforts.extend(actuator.array::<2>(reader, "ctrlrange").map(largest));
        }
        efforts.into_iter().reduce(f64::min).filter(|effort| *effort > 0.0)
    }
}
