//! The table of joints: one row per joint, in the columns of a convention, as printed in papers.

use super::reader::{Node, Reader};
use crate::description::convention::move_joints_before_links;
use crate::description::name::key;
use crate::description::{Column, Convention, Finding, JointDescription, JointType};

/// Reads the rows. A row that cannot be read still gives a joint, so that what refers to it is understood; its
/// name is empty if that is unreadable too. Bodies are left unread.
pub(super) fn joints(reader: &mut Reader, node: &Node, convention: Option<Convention>) -> Vec<JointDescription> {
    let rows = reader.items(node, "an array of rows, one per joint").unwrap_or_default();
    let mut joints: Vec<JointDescription> = Vec::with_capacity(rows.len());
    for row in &rows {
        let above = joints.last().map(|joint| joint.name.clone());
        joints.push(joint(reader, row, &node.place, convention, above));
    }
    if convention == Some(Convention::StandardDh) {
        move_joints_before_links(&mut joints);
    }
    joints
}

fn joint(
    reader: &mut Reader,
    row: &Node,
    table: &str,
    convention: Option<Convention>,
    above: Option<String>,
) -> JointDescription {
    let mut joint = JointDescription { parent: above, ..JointDescription::new("", JointType::Revolute) };
    let Some(cells) = reader.items(row, "a row: an array of a name, a type and numbers") else { return joint };
    if let Some(cell) = cells.first() {
        let cell = reader.called(cell, format!("{}.name", row.place));
        joint.name = reader.text(&cell, "a name").unwrap_or_default().into();
    }
    let place = if joint.name.is_empty() { row.place.clone() } else { format!("{table}.{}", key(&joint.name)) };
    let row = reader.called(row, place);
    let kind = cells.get(1).map(|cell| reader.called(cell, format!("{}.type", row.place)));
    let kind = kind.and_then(|cell| reader.word(&cell, JointType::EXPECTED, JointType::find));
    joint.kind = kind.unwrap_or(joint.kind);
    let Some(convention) = convention else { return joint };
    let (leading, columns) = (convention.leading(), convention.columns());
    let expected = leading.len() + columns.len();
    if cells.len() != expected {
        let finding = Finding::WrongLength { found: cells.len(), expected, columns: convention.header() };
        reader.error(&row.place, finding);
        return joint;
    }
    let (leading, numbers) = cells.split_at(leading.len());
    if let Some(parent) = leading.get(2) {
        let parent = reader.called(parent, format!("{}.parent", row.place));
        joint.parent = reader.parent(&parent);
    }
    for (column, cell) in columns.iter().zip(numbers) {
        let cell = reader.called(cell, format!("{}.{}", row.place, column.name));
        *(column.parameter)(&mut joint.placement) = number(reader, &cell, convention, column, kind);
    }
    joint
}

/// Reads a cell; NaN where it holds no number.
fn number(reader: &mut Reader, cell: &Node, convention: Convention, column: &Column, kind: Option<JointType>) -> f64 {
    let Some(quantity) = reader.quantity(cell, column.dimension) else { return f64::NAN };
    let Some(kind) = kind else { return quantity.constant };
    let number = convention.accept(kind, column, quantity, || cell.shown());
    number.unwrap_or_else(|finding| {
        reader.error(&cell.place, finding);
        quantity.constant
    })
}

#[cfg(test)]
mod tests {
    use crate::description::toml::read;
    use crate::description::{Convention, Description, JointDescription};
    use crate::mechanism::Mechanism;
    use crate::spatial::{PlanarRotation, Pose, Vec3};
    use core::f64::consts::FRAC_PI_2;

    /// A robot of massless bodies from the rows of a table.
    fn robot(convention: &str, rows: &str) -> Description {
        let names = ["a", "b", "c"].map(|name| format!("[body.{name}]\nmass = 0\n"));
        let text = format!("name = \"robot\"\nframes = \"{convention}\"\njoints = [\n{rows}]\n{}", names.concat());
        read(&text).unwrap_or_else(|problems| panic!("{problems}")).0
    }

    const STANDARD: &str = r#"
        ["a", "revolute",  "q + 90 deg", 0.4, 0.1, "-90 deg"],
        ["b", "prismatic", "30 deg",     "q", 0.2, "0.7 rad"],
        ["c", "revolute",  "q",          0.3, 0.5, "pi/2"   ],
    "#;

    fn turn_z(angle: f64) -> Pose<f64> {
        Pose { rotation: PlanarRotation::exact(angle).matrix_z(), ..Pose::identity(0.0) }
    }

    fn turn_x(angle: f64) -> Pose<f64> {
        Pose { rotation: PlanarRotation::exact(angle).matrix_x(), ..Pose::identity(0.0) }
    }

    fn shift(x: f64, z: f64) -> Pose<f64> {
        Pose { position: Vec3::new(x, 0.0, z), ..Pose::identity(0.0) }
    }

    /// Where a joint's frame is on its parent's.
    fn moved(joint: &JointDescription, q: f64) -> Pose<f64> {
        let p = &joint.placement;
        let (theta, r) = joint.kind.last().pick((p.theta + q, p.r), (p.theta, p.r + q));
        turn_z(p.gamma) * shift(0.0, p.b) * turn_x(p.alpha) * shift(p.d, 0.0) * turn_z(theta) * shift(0.0, r)
    }

    #[test]
    fn standard_tables_keep_the_users_frames() {
        let joints = robot("standard-dh", STANDARD).joints;
        let printed = [(0.4, 0.1, -FRAC_PI_2), (0.0, 0.2, 0.7), (0.3, 0.5, FRAC_PI_2)];
        let q = [0.3, -0.8, 1.1];
        let (mut ours, mut expected) = (Pose::identity(0.0), Pose::identity(0.0));
        for ((joint, (d, a, alpha)), q) in joints.iter().zip(printed).zip(q) {
            let (theta, d) = match joint.name.as_str() {
                "a" => (q + FRAC_PI_2, d),
                "b" => (30f64.to_radians(), q),
                _ => (q, d),
            };
            ours = ours * moved(joint, q);
            expected = expected * turn_z(theta) * shift(0.0, d) * shift(a, 0.0) * turn_x(alpha);
            let link = ours * joint.link_frame;
            for (ours, expected) in link.rotation.rows.iter().zip(expected.rotation.rows) {
                assert!((*ours - expected).norm() < 1e-15, "{}", joint.name);
            }
            assert!((link.position - expected.position).norm() < 1e-15, "{}", joint.name);
        }
    }

    #[test]
    fn the_three_conventions_agree() {
        let standard = robot("standard-dh", STANDARD);
        let modified = robot(
            "modified-dh",
            r#"
            ["a", "revolute",  "0",       0.0, "q + 90 deg", 0.4],
            ["b", "prismatic", "-90 deg", 0.1, "30 deg",     "q"],
            ["c", "revolute",  0.7,       0.2, "q",          0.3],
            "#,
        );
        let khalil = robot(
            "khalil-kleinfinger",
            r#"
            ["a", "revolute",  "base", 0, 0, "0",       0.0, "q + 90 deg", 0.4],
            ["b", "prismatic", "a",    0, 0, "-90 deg", 0.1, "30 deg",     "q"],
            ["c", "revolute",  "b",    0, 0, 0.7,       0.2, "q",          0.3],
            "#,
        );
        assert_eq!(modified, Description { convention: Convention::ModifiedDh, ..khalil });
        let [standard, modified] = [&standard, &modified].map(|robot| Mechanism::new(robot).unwrap());
        for (ours, theirs) in standard.links().iter().zip(modified.links()) {
            assert_eq!(ours.placement, theirs.placement);
        }
    }

    #[test]
    fn bodies_of_standard_tables_are_given_in_the_users_frame() {
        let text = "name = 'x'\nframes = 'standard-dh'\njoints = [['a', 'revolute', 'q', 0, 0.3, '90 deg']]\n\
                    [body.a]\nmass = 1\ncom = [0.1, 0.2, 0.5]\ninertia = { xx = 1, yy = 2, zz = 2.5, xy = 0.1 }";
        let robot = Mechanism::from_toml(text).unwrap();
        let link = &robot.links()[0];
        assert_eq!(link.com, Vec3::new(0.4, -0.5, 0.2));
        let inertia = link.inertia;
        assert_eq!([inertia.xx, inertia.yy, inertia.zz], [1.0, 2.5, 2.0]);
        assert_eq!([inertia.xy, inertia.xz, inertia.yz], [0.0, 0.1, 0.0]);
    }

    #[test]
    fn trees_name_their_parents() {
        let joints = robot(
            "khalil-kleinfinger",
            r#"
            ["a", "revolute",  "base", 0,        0,   0,        0,   "q", 0  ],
            ["b", "revolute",  "a",    "90 deg", 0.1, "pi",     0.2, "q", 0.3],
            ["c", "prismatic", "a",    0,        0,   "30 deg", 0,   0,   "q - 10 mm"],
            "#,
        )
        .joints;
        assert_eq!(
            [&joints[0].parent, &joints[1].parent, &joints[2].parent],
            [&None, &Some("a".into()), &Some("a".into())]
        );
        assert_eq!((joints[1].placement.gamma, joints[1].placement.b), (FRAC_PI_2, 0.1));
        assert_eq!(joints[2].placement.r, -0.01);
    }
}
