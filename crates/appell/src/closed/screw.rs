//! A twist as a screw, which can be said in words: the line it turns about, and how far it slides along it.

use crate::spatial::{Twist, Vec3};
use core::fmt;

/// A part of a twist below this, over the whole without units, is rounding.
const NOTHING: f64 = 1e-9;

/// What a motion of a body is at an instant (Ball1900).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Screw {
    /// A translation.
    Slide {
        /// Unit vector in base axes.
        direction: Vec3<f64>,
    },
    /// A turn about a line, and perhaps a slide along it.
    PlanarRotation {
        /// Unit vector along the line, in base axes.
        direction: Vec3<f64>,
        /// The point of the line nearest to the body's origin, in the base, m.
        point: Vec3<f64>,
        /// Slide along the direction a turn, m/rad.
        pitch: f64,
    },
}

impl Screw {
    /// The screw of a twist whose linear part is the velocity of the point at `origin`; none of a twist that is zero
    /// or not finite. A turn by 1 rad weighs as much as the way `length`.
    ///
    /// ```text
    /// pitch = ω·v / ω²,   point = origin + ω × v / ω²
    /// ```
    #[must_use]
    pub fn of(twist: &Twist, origin: Vec3<f64>, length: f64) -> Option<Self> {
        let Twist { linear: v, angular: omega } = *twist;
        let (way, turn) = (v.norm(), omega.norm() * length);
        let size = way.hypot(turn);
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        if turn <= NOTHING * size {
            return Some(Self::Slide { direction: v.scale(1.0 / way) });
        }
        let square = omega.dot(omega);
        let pitch = omega.dot(v) / square;
        Some(Self::PlanarRotation {
            direction: omega.scale(1.0 / omega.norm()),
            point: origin + omega.cross(v).scale(1.0 / square),
            pitch: if pitch.abs() <= NOTHING * length { 0.0 } else { pitch },
        })
    }
}

impl fmt::Display for Screw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Slide { direction } => write!(f, "slide along {}", named(direction)),
            Self::PlanarRotation { direction, point, pitch } => {
                write!(f, "turn about {} through {} m", named(direction), listed(point))?;
                if pitch == 0.0 {
                    return Ok(());
                }
                let along = if pitch > 0.0 { direction } else { -direction };
                write!(f, " and slide along {}, pitch {} m/rad", named(along), rounded(pitch))
            }
        }
    }
}

/// An axis of the base by its name, any other direction by its components.
fn named(direction: Vec3<f64>) -> String {
    let axes = direction.to_array().into_iter().zip(["x", "y", "z"]);
    match axes.into_iter().find(|(component, _)| component.abs() > 1.0 - NOTHING) {
        Some((component, axis)) if component > 0.0 => axis.to_owned(),
        Some((_, axis)) => format!("−{axis}"),
        None => listed(direction),
    }
}

fn listed(vector: Vec3<f64>) -> String {
    let [x, y, z] = vector.to_array().map(rounded);
    format!("({x}, {y}, {z})")
}

/// Four decimals, less zeros at the end.
fn rounded(x: f64) -> String {
    let text = format!("{:.4}", x.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if x < 0.0 && text != "0" { format!("−{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(v: [f64; 3], omega: [f64; 3]) -> String {
        let twist = Twist { linear: v.into(), angular: omega.into() };
        Screw::of(&twist, Vec3::new(0.0, 0.0, 0.75), 0.35).expect("it moves").to_string()
    }

    #[test]
    fn motions_in_words() {
        assert_eq!(words([0.0, 0.0, -0.2], [0.0; 3]), "slide along −z");
        assert_eq!(words([0.6, 0.8, 0.0], [1e-12, 0.0, 0.0]), "slide along (0.6, 0.8, 0)");
        assert_eq!(words([0.0; 3], [0.0, 2.0, 0.0]), "turn about y through (0, 0, 0.75) m");
        assert_eq!(words([0.0, -0.5, 0.0], [0.0, 0.0, 1.0]), "turn about z through (0.5, 0, 0.75) m");
        assert_eq!(
            words([0.0, 0.0, -0.25], [0.0, 0.0, 1.0]),
            "turn about z through (0, 0, 0.75) m and slide along −z, pitch −0.25 m/rad"
        );
        let still = Twist { linear: Vec3::zero(0.0), angular: Vec3::zero(0.0) };
        assert_eq!(Screw::of(&still, Vec3::zero(0.0), 1.0), None);
    }
}
