//! Bodies that turn about a fixed point, and the little algebra of three equations that their robots need.

use appell::description::BodyDescription;
use appell::spatial::{Mat3, Sym3, Vec3};

/// A body by its mass, and its first moment and inertia about the point it turns about, in its own axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PivotedBody {
    /// kg
    pub mass: f64,
    /// m ρ, kg m: mass times the way from the point to the centre of mass.
    pub first_moment: Vec3<f64>,
    /// About the point, kg m².
    pub inertia: Sym3<f64>,
}

impl From<BodyDescription> for PivotedBody {
    /// The body turns about the origin of its frame.
    fn from(BodyDescription { mass, com, inertia }: BodyDescription) -> Self {
        Self { mass, first_moment: com.scale(mass), inertia: inertia + Sym3::of_point_mass(mass, com) }
    }
}

impl PivotedBody {
    /// A body by its mass, its centre of mass and its inertia about the point, as the papers print it.
    #[must_use]
    pub fn new(mass: f64, com: Vec3<f64>, inertia: Sym3<f64>) -> Self {
        Self { mass, first_moment: com.scale(mass), inertia }
    }

    /// The centre of mass; the point itself for a body without mass.
    #[must_use]
    pub fn com(&self) -> Vec3<f64> {
        if self.mass > 0.0 { self.first_moment.scale(1.0 / self.mass) } else { Vec3::zero(0.0) }
    }

    /// The body as descriptions have it: its inertia about the centre of mass.
    #[must_use]
    pub fn body(&self) -> BodyDescription {
        let com = self.com();
        BodyDescription { mass: self.mass, com, inertia: self.inertia - Sym3::of_point_mass(self.mass, com) }
    }

    /// The moment about the point that moves the body so, all in its own axes: I α + ω × I ω − m ρ × g.
    #[must_use]
    pub fn moment(&self, omega: Vec3<f64>, alpha: Vec3<f64>, gravity: Vec3<f64>) -> Vec3<f64> {
        self.inertia * alpha + omega.cross(self.inertia * omega) - self.first_moment.cross(gravity)
    }
}

/// a bᵀ.
pub(super) fn outer(a: Vec3<f64>, b: Vec3<f64>) -> Mat3<f64> {
    Mat3::from_rows(a.to_array().map(|x| b.scale(x)))
}

/// Below this, a determinant of columns of length one counts as zero.
const SINGULAR: f64 = 1e-10;

/// The x with A x = b.
///
/// # Errors
/// The determinant of A's columns, each made of length one, if it is zero but for rounding.
pub(super) fn solve(a: &Mat3<f64>, b: Vec3<f64>) -> Result<Vec3<f64>, f64> {
    let columns @ [x, y, z] = [0, 1, 2].map(|k| a.column(k));
    let normals = [y.cross(z), z.cross(x), x.cross(y)];
    let determinant = x.dot(normals[0]);
    let relative = determinant / columns.into_iter().map(Vec3::norm).product::<f64>();
    // Not a number is singular too.
    if relative.abs() >= SINGULAR {
        Ok(normals.map(|normal| normal.dot(b) / determinant).into())
    } else {
        Err(relative)
    }
}
