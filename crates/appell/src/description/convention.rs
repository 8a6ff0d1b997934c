//! The conventions in which people write a table of joints, and a robot's rows in each of them.

use super::quantity::{self, Dimension, Quantity};
use super::{BASE, Description, Finding, JointDescription, JointKind, JointType, KhalilKleinfinger};
use crate::spatial::{PlanarRotation, Pose, Vec3};

/// How a table of joints is written: which columns it has, and in which order they place the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Convention {
    /// `Rx(α) Tx(a) Rz(θ) Tz(d)`: the frame of a body is on its joint, as in Craig's book.
    ModifiedDh,
    /// `Rz(θ) Tz(d) Tx(a) Rx(α)`: the frame of a body is on the next joint, as Denavit and Hartenberg had it.
    StandardDh,
    /// `Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r)`: any tree.
    #[default]
    KhalilKleinfinger,
}

/// A column of numbers and the parameter it gives.
pub struct Column {
    /// Its name in files: `alpha`.
    pub name: &'static str,
    /// Its symbol in print: α.
    pub symbol: &'static str,
    pub(super) dimension: Dimension,
    pub(super) parameter: fn(&mut KhalilKleinfinger) -> &mut f64,
}

const fn angle(name: &'static str, symbol: &'static str, parameter: fn(&mut KhalilKleinfinger) -> &mut f64) -> Column {
    Column { name, symbol, dimension: Dimension::Angle, parameter }
}

const fn length(name: &'static str, parameter: fn(&mut KhalilKleinfinger) -> &mut f64) -> Column {
    Column { name, symbol: name, dimension: Dimension::Length, parameter }
}

static MODIFIED_DH: [Column; 4] = [
    angle("alpha", "α", |p| &mut p.alpha),
    length("a", |p| &mut p.d),
    angle("theta", "θ", |p| &mut p.theta),
    length("d", |p| &mut p.r),
];

static STANDARD_DH: [Column; 4] = [
    angle("theta", "θ", |p| &mut p.theta),
    length("d", |p| &mut p.r),
    length("a", |p| &mut p.d),
    angle("alpha", "α", |p| &mut p.alpha),
];

static KHALIL_KLEINFINGER: [Column; 6] = [
    angle("gamma", "γ", |p| &mut p.gamma),
    length("b", |p| &mut p.b),
    angle("alpha", "α", |p| &mut p.alpha),
    length("d", |p| &mut p.d),
    angle("theta", "θ", |p| &mut p.theta),
    length("r", |p| &mut p.r),
];

named!(pub Convention { ModifiedDh: "modified-dh", StandardDh: "standard-dh", KhalilKleinfinger: "khalil-kleinfinger" });

impl Convention {
    /// The names of all, as shown in messages.
    pub(super) const EXPECTED: &str = "\"modified-dh\", \"standard-dh\" or \"khalil-kleinfinger\"";

    /// Its name and the transform of a row, for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ModifiedDh => "modified Denavit-Hartenberg: Rx(α) Tx(a) Rz(θ) Tz(d)",
            Self::StandardDh => "standard Denavit-Hartenberg: Rz(θ) Tz(d) Tx(a) Rx(α)",
            Self::KhalilKleinfinger => "Khalil-Kleinfinger: Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r)",
        }
    }

    /// The columns of numbers.
    #[must_use]
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::ModifiedDh => &MODIFIED_DH,
            Self::StandardDh => &STANDARD_DH,
            Self::KhalilKleinfinger => &KHALIL_KLEINFINGER,
        }
    }

    /// The columns before the numbers. Without a parent a joint hangs on the row above.
    #[must_use]
    pub const fn leading(self) -> &'static [&'static str] {
        match self {
            Self::ModifiedDh | Self::StandardDh => &["name", "type"],
            Self::KhalilKleinfinger => &["name", "type", "parent"],
        }
    }

    /// All columns, as shown in messages.
    pub(super) const fn header(self) -> &'static str {
        match self {
            Self::ModifiedDh => "name, type, alpha, a, theta, d",
            Self::StandardDh => "name, type, theta, d, a, alpha",
            Self::KhalilKleinfinger => "name, type, parent, gamma, b, alpha, d, theta, r",
        }
    }

    /// The words of a joint's row before the numbers.
    pub(super) fn leading_cells(self, joint: &JointDescription) -> impl Iterator<Item = &str> {
        let parent = joint.parent.as_deref().unwrap_or(BASE);
        [joint.name.as_str(), joint.kind.name(), parent].into_iter().take(self.leading().len())
    }

    /// The numbers of a row as they are written, column by column.
    pub(super) fn written_cells(self, kind: JointType, row: KhalilKleinfinger) -> impl Iterator<Item = String> {
        self.cells(kind, row).zip(self.columns()).map(|(cell, column)| quantity::write(cell, column.dimension))
    }

    /// The numbers of a row, column by column.
    pub fn cells(self, kind: JointType, row: KhalilKleinfinger) -> impl Iterator<Item = Quantity> {
        let moving = self.moving_column(kind);
        self.columns().iter().map(move |column| {
            let mut row = row;
            Quantity { constant: *(column.parameter)(&mut row), moves: Some(column.name) == moving }
        })
    }

    /// The column in which a joint moves; one of several degrees of freedom has none.
    fn moving_column(self, kind: JointType) -> Option<&'static str> {
        Some(match (kind.of_one_value()?, self) {
            (JointKind::Revolute, _) => "theta",
            (JointKind::Prismatic, Self::KhalilKleinfinger) => "r",
            (JointKind::Prismatic, _) => "d",
        })
    }

    /// What a cell gives: it holds q where the joint moves and nowhere else. `text` is the cell in a message.
    pub(super) fn accept(
        self,
        kind: JointType,
        column: &Column,
        cell: Quantity,
        text: impl FnOnce() -> String,
    ) -> Result<f64, Finding> {
        match (self.moving_column(kind), cell.moves) {
            (Some(moving), false) if moving == column.name => {
                Err(Finding::VariableMissing { kind: kind.name(), found: text() })
            }
            (Some(moving), true) if moving != column.name => {
                Err(Finding::VariableMisplaced { text: text(), kind: kind.name(), column: moving })
            }
            (None, true) => Err(Finding::VariableOfSeveral { text: text(), kind: kind.name() }),
            _ => Ok(cell.constant),
        }
    }
}

impl Description {
    /// The robot's table of joints, a row per joint: in its own convention, or in Khalil and Kleinfinger's if it has
    /// been changed so that it no longer fits that.
    ///
    /// A row of a standard table holds the α and a that stand behind the joint.
    #[must_use]
    pub fn table(&self) -> (Convention, Vec<KhalilKleinfinger>) {
        match self.rows(self.convention) {
            Some(rows) => (self.convention, rows),
            None => (Convention::KhalilKleinfinger, self.joints.iter().map(|joint| joint.placement).collect()),
        }
    }

    /// The rows in a convention, if the robot is of that form.
    fn rows(&self, convention: Convention) -> Option<Vec<KhalilKleinfinger>> {
        let rows: Vec<_> = self.joints.iter().map(|joint| joint.placement).collect();
        let is_table =
            self.first_branch().is_none() && rows.iter().all(|row| row.gamma == 0.0 && row.b == 0.0 && row.e == 0.0);
        match convention {
            Convention::KhalilKleinfinger => Some(rows),
            Convention::ModifiedDh => is_table.then_some(rows),
            Convention::StandardDh => is_table.then(|| self.standard_rows(rows)).flatten(),
        }
    }

    /// The first joint that does not hang on the row above, or on the base if it is the first.
    pub(super) fn first_branch(&self) -> Option<&JointDescription> {
        let mut above = None;
        self.joints.iter().find(|joint| {
            let parent = joint.parent.as_deref().filter(|&parent| parent != BASE);
            parent != above.replace(joint.name.as_str())
        })
    }

    /// The rows of a standard table, the way back of [`move_joints_before_links`]: α and a of the next joint, which the
    /// body's frame must agree with.
    fn standard_rows(&self, mut rows: Vec<KhalilKleinfinger>) -> Option<Vec<KhalilKleinfinger>> {
        let (mut alpha, mut d) = self.joints.last().map_or(Some((0.0, 0.0)), |last| behind_joint(&last.link_frame))?;
        for (row, joint) in rows.iter_mut().zip(&self.joints).rev() {
            if !is_close(&link_frame(alpha, d), &joint.link_frame) {
                return None;
            }
            core::mem::swap(&mut row.alpha, &mut alpha);
            core::mem::swap(&mut row.d, &mut d);
        }
        (alpha == 0.0 && d == 0.0).then_some(rows)
    }
}

/// Standard DH: `link_from_next_link = Rz(θ) Tz(d) Tx(a) Rx(α)`. The joint's frame is the one after `Tz(d)`; what
/// follows places the user's frame on the body, and the next joint with it.
pub(super) fn move_joints_before_links(joints: &mut [JointDescription]) {
    let (mut d, mut alpha) = (0.0, 0.0);
    for joint in joints {
        core::mem::swap(&mut d, &mut joint.placement.d);
        core::mem::swap(&mut alpha, &mut joint.placement.alpha);
        joint.link_frame = link_frame(alpha, d);
    }
}

/// Where α and a of a standard table put the frame of a body, seen from its joint's: `Tx(a) Rx(α)`.
pub(super) fn link_frame(alpha: f64, a: f64) -> Pose<f64> {
    Pose { rotation: PlanarRotation::exact(alpha).matrix_x(), position: Vec3::new(a, 0.0, 0.0) }
}

/// The α and a of a standard table that put a body's frame where it is, if any do.
pub(super) fn behind_joint(frame: &Pose<f64>) -> Option<(f64, f64)> {
    let [_, y, z] = frame.rotation.rows;
    let (alpha, a) = (z.y.atan2(y.y), frame.position.x);
    is_close(&link_frame(alpha, a), frame).then_some((alpha, a))
}

/// Whether two poses differ by rounding only.
fn is_close(one: &Pose<f64>, other: &Pose<f64>) -> bool {
    let pairs = one.to_array().into_iter().zip(other.to_array());
    pairs.into_iter().all(|(a, b)| (a - b).abs() <= 4.0 * f64::EPSILON * a.abs().max(1.0))
}
