//! What `<compiler>` and `<option>` say about all parts of a file.

use super::super::xml::{Element, Reader};
use super::defaults::{Defaults, Settled};
use crate::description::{Finding, STANDARD_GRAVITY};
use crate::spatial::{Mat3, PlanarRotation, Pose, Quaternion, Vec3};
use core::f64::consts::PI;

/// Of a whole file.
pub(super) struct Settings {
    /// What one unit of an angle is in rad.
    pub(super) angle: f64,
    /// Axes of Euler angles in order, capitals for fixed ones.
    eulerseq: [char; 3],
    pub(super) autolimits: bool,
    pub(super) inertia_from_geom: FromGeoms,
    /// Which groups of geoms have mass.
    pub(super) groups: [f64; 2],
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    pub(super) balance_inertia: bool,
    /// Kg; negative is as it is.
    pub(super) total_mass: f64,
    /// Before the names of mesh files.
    pub(super) mesh_folder: String,
    pub(super) gravity: Vec3<f64>,
    /// The flag by which no equality holds.
    pub(super) without_equalities: Option<&'static str>,
}

/// Whether geoms give a body its mass.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FromGeoms {
    Never,
    /// Where no `<inertial>` does.
    Auto,
    Always,
}

const YES: &[(&str, bool)] = &[("true", true), ("false", false)];

impl Settings {
    pub(super) fn read(reader: &mut Reader, root: &Element) -> Self {
        let mut settings = Self {
            angle: PI / 180.0,
            eulerseq: ['x', 'y', 'z'],
            autolimits: true,
            inertia_from_geom: FromGeoms::Auto,
            groups: [0.0, 5.0],
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance_inertia: false,
            total_mass: -1.0,
            mesh_folder: String::new(),
            gravity: STANDARD_GRAVITY,
            without_equalities: None,
        };
        for section in all(reader, root, "compiler") {
            settings.take_compiler(reader, &section);
        }
        for section in all(reader, root, "option") {
            settings.take_option(reader, &section);
        }
        settings
    }

    fn take_compiler(&mut self, reader: &mut Reader, section: &Settled) {
        let angles = [("degree", PI / 180.0), ("radian", 1.0)];
        self.angle = section.word(reader, "angle", "degree or radian", &angles).unwrap_or(self.angle);
        if let Some((text, place)) = section.text(reader, "eulerseq") {
            let axes: Vec<char> = text.chars().collect();
            match axes[..] {
                [a, b, c] if axes.iter().all(|axis| "xyzXYZ".contains(*axis)) => self.eulerseq = [a, b, c],
                _ => reader.notes.error(
                    &place,
                    Finding::Unreadable { text: text.into(), expected: "three axes, such as xyz or XYZ" },
                ),
            }
        }
        section.word(reader, "coordinate", "local; MuJoCo 2.3.4 and later read no other", &[("local", ())]);
        self.autolimits = section.word(reader, "autolimits", "true or false", YES).unwrap_or(self.autolimits);
        let from = [("false", FromGeoms::Never), ("auto", FromGeoms::Auto), ("true", FromGeoms::Always)];
        let from = section.word(reader, "inertiafromgeom", "false, true or auto", &from);
        self.inertia_from_geom = from.unwrap_or(self.inertia_from_geom);
        self.groups = section.array(reader, "inertiagrouprange").unwrap_or(self.groups);
        self.bound_mass = section.number(reader, "boundmass").unwrap_or(self.bound_mass);
        self.bound_inertia = section.number(reader, "boundinertia").unwrap_or(self.bound_inertia);
        self.balance_inertia =
            section.word(reader, "balanceinertia", "true or false", YES).unwrap_or(self.balance_inertia);
        self.total_mass = section.number(reader, "settotalmass").unwrap_or(self.total_mass);
        for name in ["assetdir", "meshdir"] {
            if let Some((folder, _)) = section.text(reader, name) {
                self.mesh_folder = folder.trim_end_matches('/').into();
            }
        }
        if section.word(reader, "alignfree", "true or false", YES) == Some(true) {
            let what = "alignfree, which turns free bodies' frames,".into();
            reader.notes.warning(&section.element.place, Finding::LeftOut { what });
        }
    }

    fn take_option(&mut self, reader: &mut Reader, section: &Settled) {
        if let Some(gravity) = section.array::<3>(reader, "gravity") {
            self.gravity = gravity.into();
        }
        for name in ["density", "viscosity", "wind"] {
            let is_there = |numbers: Vec<f64>| numbers.iter().any(|number| *number != 0.0);
            if section.numbers(reader, name, 1, 3).is_some_and(is_there) {
                let what = format!("the medium's {name}");
                reader.notes.warning(&section.element.place, Finding::LeftOut { what });
            }
        }
        let flags = || section.element.node.children().filter(|node| node.has_tag_name("flag"));
        let is_off = |name: &str| flags().filter_map(|flag| flag.attribute(name)).next_back() == Some("disable");
        if is_off("gravity") {
            self.gravity = Vec3::zero(0.0);
        }
        self.without_equalities =
            ["equality", "constraint"].into_iter().find(|name| is_off(name)).or(self.without_equalities);
        for name in ["spring", "damper", "passive", "frictionloss"].into_iter().filter(|name| is_off(name)) {
            let what = format!("<flag {name}=\"disable\">: what joints say of it acts, and the flag");
            reader.notes.warning(&section.element.place, Finding::LeftOut { what });
        }
    }

    /// Where an element says that it is: position and one of the five forms of orientation.
    pub(super) fn pose(&self, reader: &mut Reader, element: &Settled) -> Pose<f64> {
        let position = element.array::<3>(reader, "pos").unwrap_or_default().into();
        Pose { rotation: self.rotation(reader, element), position }
    }

    fn rotation(&self, reader: &mut Reader, element: &Settled) -> Mat3<f64> {
        let identity = Mat3::identity(0.0);
        if let Some([x, y, z, angle]) = element.array::<4>(reader, "axisangle") {
            let Some(axis) = unit(Vec3::new(x, y, z)) else { return zero(reader, element, "axisangle") };
            return crate::spatial::turned(&identity, axis.scale(angle * self.angle));
        }
        if let Some([a, b, c, d, e, f]) = element.array::<6>(reader, "xyaxes") {
            let Some(x) = unit(Vec3::new(a, b, c)) else { return zero(reader, element, "xyaxes") };
            let y = Vec3::new(d, e, f);
            let Some(y) = unit(y - x.scale(x.dot(y))) else { return zero(reader, element, "xyaxes") };
            return Mat3::from_rows([x, y, x.cross(y)]).transpose();
        }
        if let Some(z) = element.array::<3>(reader, "zaxis") {
            let Some(z) = unit(z.into()) else { return zero(reader, element, "zaxis") };
            return shortest_to(z);
        }
        if let Some(angles) = element.array::<3>(reader, "euler") {
            return self.euler(angles);
        }
        if let Some([w, x, y, z]) = element.array::<4>(reader, "quat") {
            let quaternion = Quaternion { x, y, z, w };
            if quaternion.norm() < 1e-12 {
                return zero(reader, element, "quat");
            }
            return quaternion.normalized().rotation();
        }
        identity
    }

    /// Turns about moving axes in order, or, by capitals, about those that stay.
    fn euler(&self, angles: [f64; 3]) -> Mat3<f64> {
        let mut rotation = Mat3::identity(0.0);
        for (axis, angle) in self.eulerseq.into_iter().zip(angles) {
            let turn = PlanarRotation::exact(angle * self.angle);
            let turn = match axis.to_ascii_lowercase() {
                'x' => turn.matrix_x(),
                'y' => turn.matrix_y(),
                _ => turn.matrix_z(),
            };
            rotation = if axis.is_ascii_uppercase() { turn * rotation } else { rotation * turn };
        }
        rotation
    }
}

/// All sections of a name: a file and what was put into it may have several.
fn all<'d>(reader: &mut Reader, root: &Element<'d>, tag: &str) -> Vec<Settled<'d>> {
    let nodes = root.node.children().filter(|node| node.has_tag_name(tag));
    let elements: Vec<Element<'d>> = nodes.map(|node| reader.element(node, tag.into())).collect();
    elements.into_iter().map(|element| Settled::new(reader, &Defaults::default(), element, tag, None)).collect()
}

/// The unit vector of a direction, none of a zero one.
pub(super) fn unit(v: Vec3<f64>) -> Option<Vec3<f64>> {
    let largest = v.to_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    if largest < 1e-14 {
        return None;
    }
    let v = v.scale(1.0 / largest);
    Some(v.scale(1.0 / v.norm()))
}

/// Notes that a direction is zero; the identity stands for it.
fn zero(reader: &mut Reader, element: &Settled, name: &str) -> Mat3<f64> {
    reader.notes.error(&format!("{}.{name}", element.element.place), Finding::ZeroAxis);
    Mat3::identity(0.0)
}

/// The smallest turn that takes z to a unit vector.
pub(super) fn shortest_to(z: Vec3<f64>) -> Mat3<f64> {
    let quaternion = Quaternion { x: 0.0 - z.y, y: z.x, z: 0.0, w: 1.0 + z.z };
    if quaternion.norm() < 1e-10 {
        return PlanarRotation::exact(PI).matrix_x();
    }
    quaternion.normalized().rotation()
}
