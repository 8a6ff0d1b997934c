//! The tree of bodies with their joints, geoms and sites.

use super::super::linkage::{Frame, Joint, Link, Linkage, Loop};
use super::super::urdf::ShapeOfLink;
use super::super::xml::{Element, Reader, attribute};
use super::defaults::{Defaults, Settled};
use super::geoms::{Geom, Mass, Mesh};
use super::settings::{FromGeoms, Settings, unit};
use crate::description::name::key;
use crate::description::{
    BodyDescription, Finding, Friction, JointEffects, JointType, Limits, Problems, Rotor, Spring, check_body,
};
use crate::spatial::{Mat3, PlanarRotation, Pose, Sym3, Vec3};
use roxmltree::Node;
use std::collections::HashMap;

/// A file under reading.
pub(super) struct Model<'d> {
    pub(super) settings: Settings,
    pub(super) defaults: Defaults<'d>,
    pub(super) linkage: Linkage,
    meshes: HashMap<&'d str, Mesh>,
    /// Bodies by their names, the world too.
    pub(super) bodies: HashMap<&'d str, Option<usize>>,
    pub(super) sites: HashMap<&'d str, (Option<usize>, Pose<f64>)>,
    /// Where each link is before anything moves, in the world.
    pub(super) at_start: Vec<Pose<f64>>,
    /// Whether a link is a body of the file, and not between two of its joints.
    is_body: Vec<bool>,
    shapes: Vec<ShapeOfLink>,
    /// Joints that were given no name.
    unnamed: usize,
}

/// Something in a body, with the frames around it.
struct Part<'d> {
    node: Node<'d, 'd>,
    body_from_frame: Pose<f64>,
    childclass: Option<&'d str>,
}

/// A body whose turn comes later.
struct Waiting<'d> {
    part: Part<'d>,
    parent: Option<usize>,
}

impl<'d> Model<'d> {
    pub(super) fn new(settings: Settings, defaults: Defaults<'d>, meshes: HashMap<&'d str, Mesh>) -> Self {
        Self {
            settings,
            defaults,
            linkage: Linkage::default(),
            meshes,
            bodies: HashMap::from([("world", None)]),
            sites: HashMap::new(),
            at_start: Vec::new(),
            is_body: Vec::new(),
            shapes: Vec::new(),
            unnamed: 0,
        }
    }

    /// All bodies, depth first. Without recursion, for the sake of the stack: files may be nested deeply.
    pub(super) fn worlds(&mut self, reader: &mut Reader, root: &Element<'d>) {
        let worlds: Vec<Node<'d, 'd>> = root.node.children().filter(|node| node.has_tag_name("worldbody")).collect();
        if worlds.is_empty() {
            reader.notes.error(&root.place, Finding::Missing { expected: "bodies: <worldbody><body …>" });
        }
        for world in worlds {
            let part =
                Part { node: world, body_from_frame: Pose::identity(0.0), childclass: attribute(world, "childclass") };
            let mut stack = self.contents(reader, None, &part);
            while let Some(Waiting { part, parent }) = stack.pop() {
                let link = self.body(reader, &part, parent);
                let childclass = attribute(part.node, "childclass").or(part.childclass);
                let inner = Part { node: part.node, body_from_frame: Pose::identity(0.0), childclass };
                stack.extend(self.contents(reader, Some(link), &inner));
            }
        }
    }

    fn settled(&self, reader: &mut Reader, node: Node<'d, 'd>, place: String, class: Option<&str>) -> Settled<'d> {
        let element = reader.element(node, place);
        Settled::new(reader, &self.defaults, element, node.tag_name().name(), class)
    }

    /// Everything in a body, past the frames within it, in the order of the file.
    fn parts(&self, reader: &mut Reader, body: &Part<'d>) -> Vec<Part<'d>> {
        let of = |part: &Part<'d>| -> Vec<Part<'d>> {
            let nodes = part.node.children().filter(Node::is_element);
            let own = |node| Part { node, body_from_frame: part.body_from_frame, childclass: part.childclass };
            nodes.rev().map(own).collect()
        };
        let (mut found, mut stack) = (Vec::new(), of(body));
        while let Some(part) = stack.pop() {
            if part.node.tag_name().name() != "frame" {
                found.push(part);
                continue;
            }
            let frame = self.settled(reader, part.node, "frame".into(), None);
            let pose = part.body_from_frame * self.settings.pose(reader, &frame);
            let childclass = attribute(part.node, "childclass").or(part.childclass);
            stack.extend(of(&Part { node: part.node, body_from_frame: pose, childclass }));
        }
        found
    }

    /// Takes sites of a body, and says which bodies hang on it, the last first.
    fn contents(&mut self, reader: &mut Reader, link: Option<usize>, body: &Part<'d>) -> Vec<Waiting<'d>> {
        let mut waiting = Vec::new();
        for part in self.parts(reader, body) {
            match part.node.tag_name().name() {
                "body" => waiting.push(Waiting { part, parent: link }),
                "site" => self.site(reader, link, &part),
                _ => {}
            }
        }
        waiting.reverse();
        waiting
    }

    fn site(&mut self, reader: &mut Reader, link: Option<usize>, part: &Part<'d>) {
        let Some(name) = attribute(part.node, "name").filter(|name| !name.is_empty()) else { return };
        let place = format!("site.{}", key(name));
        let site = self.settled(reader, part.node, place.clone(), part.childclass);
        let mut pose = self.settings.pose(reader, &site);
        if let Some([a, b, c, d, e, f]) = site.array::<6>(reader, "fromto") {
            let [from, to] = [Vec3::new(a, b, c), Vec3::new(d, e, f)];
            let along = unit(from - to).unwrap_or(Vec3::new(0.0, 0.0, 1.0));
            pose = Pose { rotation: super::settings::shortest_to(along), position: (from + to).scale(0.5) };
        }
        let pose = part.body_from_frame * pose;
        self.sites.insert(name, (link, pose));
        self.linkage.frames.push(Frame { name: name.into(), place, byte: site.element.byte, link, pose });
    }

    /// Adds a body with its joints, and says which link it is.
    fn body(&mut self, reader: &mut Reader, part: &Part<'d>, parent: Option<usize>) -> usize {
        let name = attribute(part.node, "name").unwrap_or_default();
        let number = self.linkage.links.len() + 1;
        let place = if name.is_empty() { format!("body[{number}]") } else { format!("body.{}", key(name)) };
        let body = self.settled(reader, part.node, place.clone(), None);
        let childclass = attribute(part.node, "childclass").or(part.childclass);
        if let Some(class) = attribute(part.node, "childclass")
            && !self.defaults.knows(class)
        {
            reader.notes.error(&place, Finding::UnknownClass { class: class.into() });
        }
        if body.number(reader, "gravcomp").is_some_and(|part| part != 0.0) {
            reader.notes.warning(&place, Finding::LeftOut { what: "gravcomp, a force against gravity,".into() });
        }
        let parent_from_body = part.body_from_frame * self.settings.pose(reader, &body);
        let inner = Part { node: part.node, body_from_frame: Pose::identity(0.0), childclass };
        let parts = self.parts(reader, &inner);
        let at_start = parent.map_or(Pose::identity(0.0), |parent| self.at_start[parent]) * parent_from_body;
        let joints: Vec<&Part<'d>> = parts.iter().filter(|part| is_joint(part.node)).collect();
        let (mut above, mut pose) = (parent, parent_from_body);
        for (k, joint) in joints.iter().enumerate() {
            let last = k + 1 == joints.len();
            let link = if last { named(name, &place, body.element.byte) } else { Link::between() };
            let child = self.add_link(link, at_start, last);
            let read = self.joint(reader, joint, name, above, child);
            let pose = core::mem::replace(&mut pose, Pose::identity(0.0));
            self.linkage.joints.push(Joint { parent_from_child: pose, ..read });
            above = Some(child);
        }
        let link = if joints.is_empty() {
            let child = self.add_link(named(name, &place, body.element.byte), at_start, true);
            let fixed = Joint::new(String::new(), None, parent, child);
            self.linkage.joints.push(Joint { parent_from_child: parent_from_body, ..fixed });
            child
        } else {
            self.linkage.links.len() - 1
        };
        if !name.is_empty() && self.bodies.insert(name, Some(link)).is_some() {
            reader.notes.error(&place, Finding::DuplicateName { name: name.into(), first: "another body".into() });
        }
        self.linkage.links[link].body = self.mass(reader, &place, &parts, link);
        link
    }

    fn add_link(&mut self, link: Link, at_start: Pose<f64>, is_body: bool) -> usize {
        self.linkage.links.push(link);
        self.at_start.push(at_start);
        self.is_body.push(is_body);
        self.linkage.links.len() - 1
    }

    /// The mass of a body: by `<inertial>` or by its geoms.
    fn mass(&mut self, reader: &mut Reader, place: &str, parts: &[Part<'d>], link: usize) -> BodyDescription {
        let inertial = parts.iter().find(|part| part.node.has_tag_name("inertial"));
        let said = inertial.and_then(|inertial| self.inertial(reader, place, inertial));
        let by_geoms = match self.settings.inertia_from_geom {
            FromGeoms::Always => true,
            FromGeoms::Auto => inertial.is_none(),
            FromGeoms::Never => false,
        };
        let moves = self.moves(link);
        let mut of_geoms = BodyDescription::default();
        for part in parts.iter().filter(|part| part.node.has_tag_name("geom")) {
            let geom = self.settled(reader, part.node, format!("{place}.geom"), part.childclass);
            let mass = match (by_geoms, moves) {
                (false, _) => Mass::Elsewhere,
                (true, false) => Mass::OnTheBase,
                (true, true) => Mass::Moving,
            };
            let Some(geom) = Geom::read(reader, &self.settings, &self.meshes, &geom, part.body_from_frame, mass) else {
                continue;
            };
            if by_geoms {
                of_geoms = of_geoms.with(&geom.body);
            }
            let elements = geom.elements();
            self.shapes.extend(elements.into_iter().map(|(tag, text)| ShapeOfLink { link, tag, text }));
        }
        if by_geoms { of_geoms } else { said.unwrap_or_default() }
    }

    /// Whether a joint moves a link.
    fn moves(&self, mut link: usize) -> bool {
        // Links come after those that carry them.
        for joint in self.linkage.joints.iter().rev() {
            match joint.parent {
                _ if joint.child != link => {}
                _ if joint.kind.is_some() => return true,
                Some(parent) => link = parent,
                None => return false,
            }
        }
        false
    }

    fn inertial(&mut self, reader: &mut Reader, place: &str, part: &Part<'d>) -> Option<BodyDescription> {
        let inertial = self.settled(reader, part.node, format!("{place}.inertial"), None);
        let pose = part.body_from_frame * self.settings.pose(reader, &inertial);
        let mass = reader.require_number(&inertial.element, "mass", "a number, kg")?;
        let tensor = if let Some([xx, yy, zz, xy, xz, yz]) = inertial.array(reader, "fullinertia") {
            Sym3 { xx, yy, zz, xy, xz, yz }
        } else if inertial.has("fullinertia") {
            return None;
        } else {
            let expected = "diaginertia=\"xx yy zz\" or fullinertia=\"xx yy zz xy xz yz\", kg m²";
            reader.require(&inertial.element, "diaginertia", expected)?;
            let [xx, yy, zz] = inertial.array(reader, "diaginertia")?;
            Sym3 { xx, yy, zz, ..Sym3::default() }
        };
        let body = BodyDescription { mass, com: pose.position, inertia: tensor.turned_by(&pose.rotation) };
        let mut problems = Problems::default();
        check_body(&mut problems, &inertial.element.place, &body);
        reader.notes.add(problems);
        Some(body)
    }

    fn joint(
        &mut self,
        reader: &mut Reader,
        part: &Part<'d>,
        body: &str,
        parent: Option<usize>,
        child: usize,
    ) -> Joint {
        let own_name = attribute(part.node, "name").filter(|name| !name.is_empty());
        self.unnamed += usize::from(own_name.is_none());
        let name = match own_name {
            Some(name) => name.to_owned(),
            None if body.is_empty() => format!("joint{}", self.unnamed),
            None => format!("{body}_joint{}", self.unnamed),
        };
        let place = format!("joint.{}", key(&name));
        let is_free = part.node.has_tag_name("freejoint");
        let element = self.settled(reader, part.node, place.clone(), part.childclass);
        const KINDS: &[(&str, JointType)] = &[
            ("hinge", JointType::Revolute),
            ("slide", JointType::Prismatic),
            ("ball", JointType::Spherical),
            ("free", JointType::Free),
        ];
        let kind = element.word(reader, "type", "hinge, slide, ball or free", KINDS).unwrap_or(JointType::Revolute);
        let kind = if is_free { JointType::Free } else { kind };
        if kind == JointType::Free && parent.is_some() {
            reader.notes.error(&place, Finding::NestedFree);
        }
        let byte = element.element.byte;
        let mut joint = Joint { place: place.clone(), byte, ..Joint::new(name, Some(kind), parent, child) };
        if is_free {
            return joint;
        }
        if kind != JointType::Free {
            let anchor = element.array::<3>(reader, "pos").unwrap_or_default();
            joint.anchor = part.body_from_frame.point(anchor.into());
        }
        let unit_of = if kind == JointType::Revolute { self.settings.angle } else { 1.0 };
        let armature = element.number(reader, "armature").unwrap_or(0.0);
        let damping = element.number(reader, "damping").unwrap_or(0.0);
        let coulomb = element.number(reader, "frictionloss").unwrap_or(0.0);
        let stiffness = element.number(reader, "stiffness").unwrap_or(0.0);
        if kind.elementary().is_some() {
            let axis = element.array::<3>(reader, "axis").unwrap_or([0.0, 0.0, 1.0]);
            match unit(axis.into()) {
                Some(axis) => joint.axis = part.body_from_frame.rotation * axis,
                None => reader.notes.error(&place, Finding::ZeroAxis),
            }
            joint.reference = element.number(reader, "ref").unwrap_or(0.0) * unit_of;
            joint.limits = self.limits(reader, &element, unit_of);
            let rest = element.number(reader, "springref").unwrap_or(0.0) * unit_of;
            joint.effects = JointEffects {
                friction: Friction { viscous: damping, coulomb, ..Friction::default() },
                rotor: Rotor { inertia: armature, ..Rotor::default() },
                spring: if stiffness == 0.0 { Spring::default() } else { Spring { stiffness, rest } },
            };
        } else if [armature, damping, coulomb, stiffness].iter().any(|effect| *effect != 0.0) {
            let what = "armature, damping, frictionloss and stiffness of a ball or free joint".into();
            reader.notes.warning(&place, Finding::LeftOut { what });
        }
        if kind == JointType::Spherical && self.is_limited(reader, &element, "limited", "range") {
            reader.notes.warning(&place, Finding::LeftOut { what: "range of a ball joint, a cone,".into() });
        }
        if element.numbers(reader, "springdamper", 2, 2).is_some_and(|both| both.iter().all(|x| *x > 0.0)) {
            reader
                .notes
                .warning(&place, Finding::LeftOut { what: "springdamper; stiffness and damping say it".into() });
        }
        for name in ["stiffness", "damping"] {
            let further = element.numbers(reader, name, 1, 16).unwrap_or_default();
            if further.iter().skip(1).any(|x| *x != 0.0) {
                let what = format!("what {name} says beyond its first number");
                reader.notes.warning(&place, Finding::LeftOut { what });
            }
        }
        joint
    }

    /// Limits where they hold: as `limited` says, or if there is a range and limits are automatic.
    fn limits(&self, reader: &mut Reader, joint: &Settled, unit: f64) -> Limits {
        let mut limits = Limits::default();
        if self.is_limited(reader, joint, "limited", "range")
            && let Some([lower, upper]) = joint.array::<2>(reader, "range")
        {
            (limits.lower, limits.upper) = (lower * unit, upper * unit);
            reader.notes.mark(format!("{}.limits", joint.element.place), joint.element.byte);
        }
        if self.is_limited(reader, joint, "actuatorfrclimited", "actuatorfrcrange")
            && let Some(range) = joint.array::<2>(reader, "actuatorfrcrange")
        {
            limits.effort = range.into_iter().map(f64::abs).fold(0.0, f64::max);
        }
        limits
    }

    /// Whether a range holds.
    pub(super) fn is_limited(&self, reader: &mut Reader, element: &Settled, limited: &str, range: &str) -> bool {
        let words = [("true", Some(true)), ("false", Some(false)), ("auto", None)];
        let said = element.word(reader, limited, "true, false or auto", &words).flatten();
        said.unwrap_or_else(|| self.settings.autolimits && element.has(range))
    }

    /// Adds a closing joint.
    pub(super) fn close(&mut self, own: Loop) {
        self.linkage.loops.push(own);
    }

    /// All that was read: links with what the compiler changes of their masses.
    pub(super) fn finish(mut self, reader: &mut Reader) -> (Linkage, Vec3<f64>, Vec<ShapeOfLink>) {
        let Settings { bound_mass, bound_inertia, balance_inertia, total_mass, .. } = self.settings;
        for (link, _) in self.linkage.links.iter_mut().zip(&self.is_body).filter(|(_, is_body)| **is_body) {
            if bound_mass > 0.0 || bound_inertia > 0.0 || balance_inertia {
                settle(&mut link.body, bound_mass, bound_inertia, balance_inertia);
            }
        }
        let sum: f64 = self.linkage.links.iter().map(|link| link.body.mass).sum();
        if total_mass > 0.0 && sum > 0.0 {
            self.linkage.links.iter_mut().for_each(|link| link.body = link.body.scaled(total_mass / sum));
        }
        // A free joint is seen from the world, but loops are assembled from where all coordinates are zero.
        if self.linkage.loops.is_empty() {
            for joint in self.linkage.joints.iter_mut().filter(|joint| joint.kind == Some(JointType::Free)) {
                joint.parent_from_child = Pose::identity(0.0);
            }
        }
        if self.linkage.links.is_empty() && !reader.notes.has_errors() {
            reader.notes.error("mujoco", Finding::Missing { expected: "bodies: <worldbody><body …>" });
        }
        (self.linkage, self.settings.gravity, self.shapes)
    }
}

fn named(name: &str, place: &str, byte: usize) -> Link {
    Link { name: name.into(), place: place.into(), byte, body: BodyDescription::default() }
}

fn is_joint(node: Node) -> bool {
    node.has_tag_name("joint") || node.has_tag_name("freejoint")
}

/// What the compiler makes of a mass and principal moments that are too small, or that no body has.
fn settle(body: &mut BodyDescription, bound_mass: f64, bound_inertia: f64, balance: bool) {
    body.mass = body.mass.max(bound_mass);
    let (axes, mut moments) = principal(body.inertia);
    moments = moments.map(|moment| moment.max(bound_inertia));
    let [a, b, c] = moments;
    if balance && (a + b < c || a + c < b || b + c < a) {
        moments = [(a + b + c) / 3.0; 3];
    }
    let [xx, yy, zz] = moments;
    body.inertia = Sym3 { xx, yy, zz, ..Sym3::default() }.turned_by(&axes);
}

/// Axes and moments of a tensor, by Jacobi's turns.
fn principal(inertia: Sym3<f64>) -> (Mat3<f64>, [f64; 3]) {
    let mut axes = Mat3::identity(0.0);
    let mut tensor = inertia;
    for _ in 0..32 {
        let products = [tensor.yz, tensor.xz, tensor.xy];
        let (k, product) = products.into_iter().enumerate().fold((0, 0.0), |largest: (usize, f64), (k, product)| {
            if product.abs() > largest.1.abs() { (k, product) } else { largest }
        });
        if product.abs() <= 1e-17 * tensor.trace().abs() {
            break;
        }
        let [p, q] = [[tensor.yy, tensor.zz], [tensor.zz, tensor.xx], [tensor.xx, tensor.yy]][k];
        let angle = PlanarRotation::exact(0.5 * (2.0 * product).atan2(p - q));
        axes = axes * [angle.matrix_x(), angle.matrix_y(), angle.matrix_z()][k];
        tensor = inertia.turned_by(&axes.transpose());
    }
    (axes, [tensor.xx, tensor.yy, tensor.zz])
}
