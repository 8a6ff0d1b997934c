//! Spherical robots, all of whose axes meet in one point O: closed forms of their dynamics.
//!
//! Every body turns about O, so that its motion is an angular velocity and its inertia a tensor about O. The legs turn
//! with the platform by vector products (`leg`); no linear system is solved for them.
//!
//! | what | function | source |
//! |---|---|---|
//! | M, C and G, explicit | [`equations()`]; in Euler angles [`Equations::in_angles`] | Abedloo, eqs 17 to 22 |
//! | inverse dynamics by virtual work of the links | [`inverse_dynamics`] | Enferadi2010, eqs 63 to 75 |
//! | inverse dynamics by M, C and G | [`by_equations`] | Abedloo, eqs 20 and 51 |
//! | forward dynamics | [`forward_dynamics`] | Abedloo, eq. 20, with C r + G by virtual work |
//!
//! Any robot of legs and a platform is recognised by its axes, [`recognise`]: legs of three axes, as those of the Agile
//! Wrist and of the star-triangle robot, and legs of one or two, which leave the platform fewer freedoms. The papers'
//! own formulas for their two robots are in the crate `appell-papers`.
//!
//! ```
//! use appell::closed::spherical;
//! use appell::robots;
//!
//! let wrist = robots::find("agile-wrist").unwrap().closed();
//! assert!(spherical::recognise(&wrist)?.centre.norm() < 1e-15);
//! let mut ws = spherical::Workspace::new(&wrist);
//! let torques = spherical::inverse_dynamics(
//!     &wrist, &mut ws, wrist.home(), &[0.0; 3], &[1.0, 0.0, 0.0], &[], &Default::default(),
//! )?;
//! assert_eq!(torques.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attitude;
mod equations;
mod form;
mod leg;
mod link_work;

pub use equations::{Coriolis, Equations, InAngles, equations};
pub use form::{Meeting, NotSpherical, TOLERANCE};

use super::drives::Sharing;
use super::steps::{Outputs, Steps};
pub use super::steps::{
    accelerations, complement, forward_dynamics, generalised_forces, inertia_matrix, inverse_dynamics,
    inverse_jacobian, motion,
};
use super::{ClosedMechanism, Configuration, SingularError, refuse_condition};
use crate::real::{Measured, Real};
use crate::spatial::{Acceleration, Mat3, Twist, Vec3};
use attitude::Attitude;
use form::Form;
use leg::LegState;

/// What the steps keep.
#[derive(Debug, Clone)]
pub struct Workspace<T = f64> {
    form: Form,
    legs: Vec<LegState<T>>,
    attitude: Attitude<T>,
    arm: Vec3<T>, // O → the platform's origin, base axes
    coriolis: Vec<T>,
    gravity: Vec<T>,
    out: Outputs<T>,
}

impl Workspace<f64> {
    /// A workspace for this robot.
    ///
    /// # Panics
    /// If the robot is not spherical: [`recognise`] says so before.
    #[must_use]
    pub fn new(robot: &ClosedMechanism) -> Self {
        Self::with_scalar(robot, 0.0)
    }
}

/// Where all axes of a robot meet, if they do and it has the closed form.
///
/// # Errors
/// With the axis that passes by, or what else is in the way.
pub fn recognise(robot: &ClosedMechanism) -> Result<Meeting, NotSpherical> {
    Form::new(robot).map(|form| form.meeting)
}

/// Whether these methods apply to a robot.
#[must_use]
pub fn applies(robot: &ClosedMechanism) -> bool {
    recognise(robot).is_ok()
}

impl<T: Real> Workspace<T> {
    /// A workspace for this robot over the numbers of the kind of `like`.
    ///
    /// # Panics
    /// If the robot is not spherical.
    #[must_use]
    pub fn with_scalar(robot: &ClosedMechanism, like: T) -> Self {
        let form = Form::new(robot).unwrap_or_else(|problem| panic!("a spherical robot: {problem}"));
        let (zero, n) = (like.zero(), robot.freedoms().len());
        Self {
            legs: vec![LegState::with_scalar(like); form.legs.len()],
            attitude: Attitude::with_scalar(like),
            arm: Vec3::zero(like),
            coriolis: vec![zero; n * n],
            gravity: vec![zero; n],
            out: Outputs::with_scalar(robot, like),
            form,
        }
    }

    /// What acts from outside on u, as a moment on ω.
    #[inline(always)]
    fn load_on_platform(&self, load: &[T]) -> Vec3<T> {
        let zero = Vec3::zero(self.arm.x);
        let &[.., fx, fy, fz, mx, my, mz] = load else { return zero };
        let mut moment = Vec3::new(mx, my, mz) + self.arm.cross(Vec3::new(fx, fy, fz));
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
            for (&j, &row) in form.joints.iter().zip(&state.rows) {
                moment = moment + row.times(load[j]);
            }
        }
        moment
    }
}

impl<T: Measured> Steps<T> for Workspace<T> {
    #[inline(always)]
    fn out(&mut self) -> &mut Outputs<T> {
        &mut self.out
    }

    /// The axes of all legs, what the drives' rates are, and how the platform may turn. Refused is where the axes of a leg lie
    /// in a plane, or the independent velocities do not determine the motion.
    #[inline(always)]
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) -> Result<(), SingularError> {
        for (state, form) in self.legs.iter_mut().zip(&self.form.legs) {
            state.place(robot.tree(), form, &at.q, &at.pose.rotation);
        }
        self.arm = at.pose.rotation.times_fixed(self.form.arm);
        self.attitude.place(&self.form, &self.legs, self.arm);
        let n = self.form.freedoms;
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
            for (drive, &row) in form.drives.iter().zip(&state.rows) {
                if let Some(drive) = *drive {
                    self.attitude.project(&self.form, row, &mut self.out.j_inv[drive * n..(drive + 1) * n]);
                }
            }
            refuse_condition(state.condition_squared(form), |_| SingularError::Axes {
                leg: robot.legs()[form.leg].name.clone(),
                volume: state.volume.least(),
            })?;
        }
        if !self.form.plain {
            refuse_condition(self.attitude.condition_squared(), |condition| SingularError::Constraints { condition })?;
        }
        Ok(())
    }

    /// ω and the legs' rates, and all accelerations that ṙ = 0 leaves.
    #[inline(always)]
    fn set_in_motion(&mut self, _robot: &ClosedMechanism, r: &[T]) {
        self.attitude.set_in_motion(&self.form, r);
        for (state, form) in self.legs.iter_mut().zip(&self.form.legs) {
            state.set_in_motion(form, self.attitude.omega);
        }
        self.attitude.set_rates(&self.form, &self.legs, self.arm);
    }

    /// ω̇ and the legs' accelerations.
    #[inline(always)]
    fn accelerate(&mut self, _robot: &ClosedMechanism, r_dot: Option<&[T]>) {
        if let Some(r_dot) = r_dot {
            self.attitude.accelerate(&self.form, r_dot);
        }
        for state in &mut self.legs {
            state.accelerate(self.attitude.omega_rate);
        }
    }

    #[inline(always)]
    fn fill_motion(&mut self, robot: &ClosedMechanism) {
        let Outputs { u, u_dot, .. } = &mut self.out;
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
            for (k, &j) in form.joints.iter().enumerate() {
                (u[j], u_dot[j]) = (state.rates[k], state.accelerations[k]);
            }
        }
        let (dof, omega, omega_rate, arm) =
            (robot.tree().dof(), self.attitude.omega, self.attitude.omega_rate, self.arm);
        let velocity = omega.cross(arm);
        let linear = omega_rate.cross(arm) + omega.cross(velocity);
        u[dof..].copy_from_slice(&Twist { linear: velocity, angular: omega }.to_array());
        u_dot[dof..].copy_from_slice(&Acceleration { linear, angular: omega_rate }.to_array());
    }

    /// The virtual work of every link  [Enferadi2010, eqs 63 to 75].
    #[inline(always)]
    fn project(&mut self, robot: &ClosedMechanism, at: &Configuration<T>, load: &[T]) {
        let moment = self.moment_of_all(robot, at) - self.load_on_platform(load);
        self.attitude.project(&self.form, moment, &mut self.out.w);
    }

    /// M  [Abedloo, eq. 21].
    #[inline(always)]
    fn fill_inertia(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        let (m, ..) = self.sums(robot, at, None);
        self.attitude.reduced(&self.form, &m, &mut self.out.inertia);
    }

    #[inline(always)]
    fn fill_complement(&mut self, robot: &ClosedMechanism) {
        let (n, dof, z) = (self.form.freedoms, robot.tree().dof(), &mut self.out.z);
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
            for (&j, &row) in form.joints.iter().zip(&state.rows) {
                self.attitude.project(&self.form, row, &mut z[j * n..(j + 1) * n]);
            }
        }
        for (k, axis) in Mat3::identity(self.arm.x).rows.into_iter().enumerate() {
            // v = ω × arm: its component along an axis is ω · (arm × axis).
            for (component, along) in [(k, self.arm.cross(axis)), (3 + k, axis)] {
                let row = dof + component;
                self.attitude.project(&self.form, along, &mut z[row * n..(row + 1) * n]);
            }
        }
    }
}

/// Torques and forces of the drives that move the robot so, by M, C and G  [Abedloo, eqs 20 to 22 and 51].
///
/// # Errors
/// As [`inverse_dynamics`].
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn by_equations<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
    sharing: &Sharing,
) -> Result<&'w [T], SingularError> {
    robot.expect(at, &[r_dot]);
    robot.expect_load(load);
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            ws.write_equations(robot, at, r, Coriolis::Skew)?;
            ws.demand(robot, at, r, r_dot, load);
            ws.drive(robot, sharing)
        },
    )
}
