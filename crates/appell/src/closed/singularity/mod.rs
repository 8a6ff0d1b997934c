//! How near a closed mechanism is to its singularities (Gosselin1990, Zlatanov2002), and which motions its drives do not control
//! there.
//!
//! All comes from A without units: lengths count in a characteristic length. Its null space, the motions that the
//! closures allow, and the singular values of each leg's Jacobian exist everywhere, so that nothing here refuses a
//! singular configuration.
//!
//! | singularity | what happens | measured by |
//! |---|---|---|
//! | Type 1 | a leg is stretched or folded: the robot moves while the platform rests | J_i of each leg; the platform's part of the motions |
//! | Type 2 | the drives do not hold the platform: the robot moves while the drives rest | unit wrenches of the drives; J_inv; the drives' part of the motions |
//! | constraint | closures repeat each other here and nowhere else: a freedom more | the singular values of A that are not zero at home |
//!
//! All are inverse condition numbers, from 1, the best, to 0, singular. Near Type 1 rows of J_inv grow without bounds,
//! and its condition number with them; rows of the norm 1, the wrenches with which the drives hold the platform, tell
//! the types apart.
//!
//! ```
//! use appell::{closed::singularity::{self, Metric, Workspace}, robots, spatial::{Mat3, Vec3}};
//!
//! let robot = robots::find("gough-stewart").unwrap().closed();
//! let (metric, mut workspace) = (Metric::of(&robot), Workspace::new(&robot));
//! let mut at = robot.home().clone();
//! at.pose.rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.0, 0.0, core::f64::consts::FRAC_PI_2));
//! appell::closed::assembly::at_pose(&robot, &mut appell::closed::assembly::Workspace::new(&robot), &mut at)?;
//! assert!(singularity::measures(&robot, &mut workspace, &at, &metric).type2() < 1e-12);
//! let motion = singularity::least_controlled(&robot, &mut workspace, &at, &metric);
//! assert!(motion.words(&robot).starts_with("turn about z through (0, 0, 0.75) m and slide along −z"));
//! # Ok::<(), appell::closed::assembly::AssemblyError>(())
//! ```

mod measures;
mod uncontrolled;

pub use measures::{InverseJacobian, Measures, Metric, Nearness, Workspace, distances, measures};
pub use uncontrolled::{Motion, least_controlled, uncontrolled};
