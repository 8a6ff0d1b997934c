//! Table 1 of BriotKhalil: the frames of a leg by Khalil and Kleinfinger's parameters, and what r = 0 demands.
//!
//! The first axis z₁ of a universal joint is reached from the base by Rz(γ) Tz(b) Rx(α) Tx(d), which ends at the foot
//! of the common normal of z₀ and z₁; r leads from there along z₁ to B. The table prints r = 0, which is so if and only
//! if z₁ is perpendicular to the radius of B, the way from z₀ to it.

use super::StudyError;
use super::leg::Ups;
use appell::closed::{ClosedError, ClosedMechanism};
use appell::description::{KhalilKleinfinger, toml};
use appell::robots;
use appell::spatial::Vec3;
use core::f64::consts::FRAC_PI_2;

/// The first row of table 1 for one leg, from its universal joint's place and first axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LegTable {
    /// γ, b, α, d and r; θ is the coordinate.
    pub row: KhalilKleinfinger,
    /// z₁ · radius of B, over the radius: what the table takes to be 0.
    pub axis_along_radius: f64,
    /// How far the row with its r leads from B, m.
    pub miss: f64,
    /// How far the row as printed, with r = 0, leads from B, m.
    pub miss_as_printed: f64,
}

impl LegTable {
    /// Of a leg whose first axis is not along z₀.
    #[must_use]
    pub fn of(leg: &Ups) -> Self {
        let (z0, z1) = (Vec3::new(0.0, 0.0, 1.0), leg.first_axis);
        let normal = z0.cross(z1);
        // Of both senses of the common normal the one that leads outward, so that d is positive.
        let x = normal.scale((1.0_f64).copysign(normal.dot(leg.base)) / normal.norm());
        let y = z0.cross(x);
        // z₁ = −y sin α + z₀ cos α, and B = b z₀ + d x + r z₁.
        let (sin, cos) = (-z1.dot(y), z1.dot(z0));
        let r = -y.dot(leg.base) / sin;
        let (b, d) = (leg.base.z - r * cos, x.dot(leg.base));
        let foot = z0.scale(b) + x.scale(d);
        let radius = Vec3::new(leg.base.x, leg.base.y, 0.0);
        Self {
            row: KhalilKleinfinger { gamma: x.y.atan2(x.x), b, e: 0.0, alpha: sin.atan2(cos), d, theta: 0.0, r },
            axis_along_radius: z1.dot(radius) / radius.norm(),
            miss: (foot + z1.scale(r) - leg.base).norm(),
            miss_as_printed: (foot - leg.base).norm(),
        }
    }
}

/// The Gough-Stewart platform with its universal joints turned so that table 1 fits: the first axes perpendicular to
/// the radii, all else as it was.
///
/// # Errors
/// If the robot cannot be assembled so.
pub fn tangential() -> Result<ClosedMechanism, StudyError> {
    let file = robots::find("gough-stewart").map_or("", |robot| robot.toml);
    let (mut description, _) = toml::read(file).map_err(ClosedError::Description)?;
    let robot = ClosedMechanism::new(&description)?;
    for (leg, ups) in robot.legs().iter().zip(Ups::all(&robot)) {
        let &[first, second, _] = &leg.joints[..] else { unreachable!("three joints") };
        let gamma = ups.base.y.atan2(ups.base.x);
        let row = KhalilKleinfinger {
            gamma,
            b: ups.base.z,
            e: 0.0,
            alpha: -FRAC_PI_2,
            d: ups.base.x.hypot(ups.base.y),
            theta: 0.0,
            r: 0.0,
        };
        let (sin, cos) = gamma.sin_cos();
        let turned = Ups { first_axis: Vec3::new(-sin, cos, 0.0), reference: Vec3::new(cos, sin, 0.0), ..ups };
        let [theta_1, theta_2, _] = turned.placed(&robot.home().pose).q;
        let joints = &mut description.joints;
        joints[first].placement = row;
        joints[first].home = theta_1;
        joints[second].home = theta_2 - joints[second].placement.theta;
    }
    Ok(ClosedMechanism::new(&description)?)
}
