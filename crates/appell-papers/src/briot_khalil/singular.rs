//! The ways of the Gough-Stewart platform into its singularities  [BriotKhalil, §4.2.1 and §5.3].
//!
//! Type 2: with the platform level at its home height, J_inv loses a rank where the yaw is π/2, and the static forces
//! grow like one over the way that is left. Type 1: the first leg is laid along the first axis of its universal joint,
//! S₂ = 0 in eq. 27; J_inv stays regular, for the drive does not see that its leg may spin.

use super::leg::Ups;
use super::{Check, Comparison, StudyError, assembled, robot};
use crate::study::largest;
use appell::closed::drives::Sharing;
use appell::closed::singularity::{self, Metric};
use appell::closed::{ClosedMechanism, Configuration, SingularError, assembly, legs_platform};
use appell::spatial::{Mat3, Pose, Vec3};
use core::f64::consts::FRAC_PI_2;

/// All in m and rad, as the paper's matrices are.
const RAW: Metric = Metric { length: 1.0, tolerance: 1e-9 };

/// A place on the way to Type 2.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Yaw less π/2, rad.
    pub way: f64,
    /// Condition number of J_inv in m and rad.
    pub condition: f64,
    /// Forces of the legs that hold the robot, N.
    pub forces: Vec<f64>,
}

/// The way through Type 2.
#[derive(Debug, Clone, PartialEq)]
pub struct Type2 {
    /// By the yaw.
    pub places: Vec<Near>,
    /// t_s: the twist that the drives do not control, (v, ω) of norm 1 in m and rad.
    pub twist: Vec<f64>,
    /// The same in words.
    pub words: String,
    /// Largest force × way, N rad, near the singularity.
    pub growth: f64,
    /// What must hold.
    pub checks: Vec<Check>,
}

/// A place on the way to Type 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// θ₂ of the first leg less π, rad: the angle between the leg and the first axis of its universal joint.
    pub way: f64,
    /// Least singular value of the leg's Jacobian, ours.
    pub least: f64,
    /// The same by eq. 26, q₃ |S₂|.
    pub printed: f64,
    /// Condition number of J_inv in m and rad.
    pub condition: f64,
}

/// The way through Type 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Type1 {
    /// By the angle.
    pub places: Vec<Aligned>,
    /// What must hold.
    pub checks: Vec<Check>,
}

/// Ways to either side of a singularity: `decades` of them with `each` places a decade, from the largest.
fn ways(largest: f64, decades: usize, each: usize) -> Vec<f64> {
    let sizes = (0..=decades * each).map(|k| largest * 10.0_f64.powf(-(k as f64) / each as f64));
    let sizes: Vec<f64> = sizes.collect();
    sizes.iter().map(|x| -x).chain(sizes.iter().rev().copied()).collect()
}

/// Turns the platform through Type 2.
///
/// # Errors
/// None for this robot.
pub fn type2() -> Result<Type2, StudyError> {
    let robot = robot("gough-stewart");
    let mut search = assembly::Workspace::new(&robot);
    let mut ws = singularity::Workspace::new(&robot);
    let mut dynamics = legs_platform::Workspace::new(&robot);
    let mut yawed = |yaw: f64| {
        let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.0, 0.0, yaw));
        assembled(&robot, &mut search, robot.home(), Pose { rotation, ..robot.home().pose })
    };
    let (rest, sharing) = ([0.0; 6], Sharing::default());
    let mut places = Vec::new();
    let mut products = Vec::new();
    let mut law = Comparison::default();
    for way in ways(0.4, 5, 12) {
        let at = yawed(FRAC_PI_2 + way)?;
        let forces = legs_platform::inverse_dynamics(&robot, &mut dynamics, &at, &rest, &rest, &[], &sharing)?.to_vec();
        let measures = singularity::measures(&robot, &mut ws, &at, &RAW);
        let condition = measures.inverse_jacobian.map_or(f64::INFINITY, |j_inv| 1.0 / j_inv.raw_inverse_condition);
        if way.abs() < 1e-4 {
            products.push(largest(&forces) * way.abs());
        }
        places.push(Near { way, condition, forces });
    }
    let growth = products.iter().sum::<f64>() / products.len() as f64;
    products.iter().for_each(|product| law.see(&[*product], &[growth]));

    let singular = yawed(FRAC_PI_2)?;
    let motion = singularity::least_controlled(&robot, &mut ws, &singular, &RAW);
    let twist = motion.freedoms(&robot);
    let rows = Ups::all(&robot).into_iter().map(|leg| leg.placed(&singular.pose).inverse_row());
    let rates: Vec<f64> = rows.map(|row| row.iter().zip(&twist).map(|(j, t)| j * t).sum()).collect();
    Ok(Type2 {
        checks: vec![
            Check { what: "J_inv t_s = 0 at yaw π/2, rows by eq. 32", difference: largest(&rates), limit: 1e-14 },
            law.check("largest static force × way is constant below 10⁻⁴ rad", 1e-3),
            refused(&robot, &mut dynamics, &singular),
        ],
        words: motion.words(&robot),
        twist,
        growth,
        places,
    })
}

/// That inverse dynamics answers the singular configuration with an error: 0 if it does.
fn refused(robot: &ClosedMechanism, ws: &mut legs_platform::Workspace, at: &Configuration) -> Check {
    let answer = legs_platform::inverse_dynamics(robot, ws, at, &[0.0; 6], &[0.0; 6], &[], &Sharing::default());
    let is_refused = matches!(answer, Err(SingularError::Drives { .. }));
    Check {
        what: "at yaw π/2 inverse dynamics is refused, naming Type 2 (0: yes)",
        difference: f64::from(u8::from(!is_refused)),
        limit: 0.0,
    }
}

/// Lays the first leg along the first axis of its universal joint: u₁ = 0.3 rad, length 0.8 m, u₂ through π/2.
///
/// # Errors
/// None for this robot.
pub fn type1() -> Result<Type1, StudyError> {
    const FIRST: f64 = 0.3;
    const LENGTH: f64 = 0.8;
    let robot = robot("gough-stewart");
    let mut search = assembly::Workspace::new(&robot);
    let mut ws = singularity::Workspace::new(&robot);
    let leg = Ups::all(&robot)[0];
    let rotation = Mat3::from_roll_pitch_yaw(Vec3::new(-1.2, -0.2, 0.0));
    let (sin_1, cos_1) = FIRST.sin_cos();
    let mut least = Comparison::default();
    let mut places = Vec::new();
    for way in ways(0.3, 5, 8) {
        let second = FRAC_PI_2 + way;
        let (sin_2, cos_2) = second.sin_cos();
        let along = Vec3::new(sin_2, -sin_1 * cos_2, cos_1 * cos_2);
        let position = leg.base + along.scale(LENGTH) - rotation * leg.anchor;
        let mut near = robot.home().clone();
        near.q[..3].copy_from_slice(&[FIRST, second, LENGTH]);
        let at = assembled(&robot, &mut search, &near, Pose { position, rotation })?;
        let measures = singularity::measures(&robot, &mut ws, &at, &RAW);
        let condition = measures.inverse_jacobian.map_or(f64::INFINITY, |j_inv| 1.0 / j_inv.raw_inverse_condition);
        let [_, theta_2, q3] = leg.placed(&at.pose).q;
        let place = Aligned { way, least: measures.legs[0].least, printed: q3 * theta_2.sin().abs(), condition };
        least.see(&[place.least], &[place.printed]);
        places.push(place);
    }
    let worst = largest(places.iter().map(|place| &place.condition));
    Ok(Type1 {
        places,
        checks: vec![
            least.check("least singular value of J₁: ours, and q₃ |S₂| of eq. 26", 1e-12),
            Check { what: "condition number of J_inv on the way, which stays finite", difference: worst, limit: 100.0 },
        ],
    })
}
