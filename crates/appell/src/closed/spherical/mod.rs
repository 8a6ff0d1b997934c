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
//! | forward dynamics | [`forward_dynamics`] | Abedloo, eq. 20 |
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

use super::drives::{Share, Sharing};
use super::{ClosedMechanism, Configuration, SingularError, refuse_condition, refuse_massless};
use crate::linear::Cholesky;
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
    u: Vec<T>,    // q̇ and V
    u_dot: Vec<T>,
    z: Vec<T>,     // Z, velocities u × n row by row
    j_act: Vec<T>, // drives × n, row by row
    w: Vec<T>,     // projected onto the independent velocities
    inertia: Vec<T>,
    coriolis: Vec<T>,
    gravity: Vec<T>,
    share: Share<T>,
    cholesky: Cholesky<T>,
    answer: Vec<T>,
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
        let (zero, n, drives) = (like.zero(), robot.freedoms().len(), robot.driven().len());
        Self {
            legs: vec![LegState::with_scalar(like); form.legs.len()],
            attitude: Attitude::with_scalar(like),
            arm: Vec3::zero(like),
            u: vec![zero; robot.velocities()],
            u_dot: vec![zero; robot.velocities()],
            z: vec![zero; robot.velocities() * n],
            j_act: vec![zero; drives * n],
            w: vec![zero; n],
            inertia: vec![zero; n * n],
            coriolis: vec![zero; n * n],
            gravity: vec![zero; n],
            share: Share::with_scalar(robot, like),
            cholesky: Cholesky::new(n, like),
            answer: vec![zero; n],
            form,
        }
    }

    /// The axes of all legs, what the drives' rates are, and how the platform may turn.
    #[inline(always)]
    fn place(&mut self, robot: &ClosedMechanism, at: &Configuration<T>) {
        for (state, form) in self.legs.iter_mut().zip(&self.form.legs) {
            state.place(robot.tree(), form, &at.q, &at.pose.rotation);
        }
        self.arm = at.pose.rotation.times_fixed(self.form.arm);
        self.attitude.place(&self.form, &self.legs, self.arm);
        let n = self.form.freedoms;
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
            for (drive, &row) in form.drives.iter().zip(&state.rows) {
                if let Some(drive) = *drive {
                    self.attitude.project(&self.form, row, &mut self.j_act[drive * n..(drive + 1) * n]);
                }
            }
        }
    }

    /// ω and the legs' rates, and all accelerations that ṙ = 0 leaves.
    #[inline(always)]
    fn set_in_motion(&mut self, r: &[T]) {
        self.attitude.set_in_motion(&self.form, r);
        for (state, form) in self.legs.iter_mut().zip(&self.form.legs) {
            state.set_in_motion(form, self.attitude.omega);
        }
        self.attitude.set_rates(&self.form, &self.legs, self.arm);
    }

    /// ω̇ and the legs' accelerations.
    #[inline(always)]
    fn accelerate(&mut self, r_dot: &[T]) {
        self.attitude.accelerate(&self.form, r_dot);
        for state in &mut self.legs {
            state.accelerate(self.attitude.omega_rate);
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

impl<T: Measured> Workspace<T> {
    /// Refuses configurations in which the axes of a leg lie in a plane, or the independent velocities do not determine the
    /// motion.
    #[inline(always)]
    fn refuse_singular(&self, robot: &ClosedMechanism) -> Result<(), SingularError> {
        for (state, form) in self.legs.iter().zip(&self.form.legs) {
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
}

/// Torques and forces of the drives that move the robot so, N m: one per driven joint, by the virtual work of every
/// link [Enferadi2010, eqs 63 to 75].
///
/// `r` and `r_dot` are the independent velocities and their rates, `load` what acts from outside on u (empty: nothing).
/// Redundant drives share the work as `sharing` says.
///
/// # Errors
/// Near a singularity, with the leg and the volume of its axes, or the condition number; and if there are fewer drives
/// than degrees of freedom.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn inverse_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
    sharing: &Sharing,
) -> Result<&'w [T], SingularError> {
    generalised_forces(robot, ws, at, r, r_dot, load)?;
    ws.share.efforts(robot, &ws.j_act, &ws.w, sharing)
}

/// The generalised forces of a motion, projected onto the independent velocities, less the load's part: the drives must
/// hold it, J_actᵀ τ = w.
///
/// # Errors
/// Near a singularity of a leg.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn generalised_forces<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            robot.expect(at, &[r, r_dot]);
            robot.expect_load(load);
            ws.place(robot, at);
            ws.set_in_motion(r);
            ws.accelerate(r_dot);
            let moment = ws.moment_of_all(robot, at) - ws.load_on_platform(load);
            ws.attitude.project(&ws.form, moment, &mut ws.w);
            ws.refuse_singular(robot)?;
            Ok(ws.w.as_slice())
        },
    )
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
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            robot.expect(at, &[r_dot]);
            ws.write_equations(robot, at, r, Coriolis::Skew)?;
            ws.demand(robot, at, r, load);
            let n = ws.form.freedoms;
            for (w, row) in ws.w.iter_mut().zip(ws.inertia.chunks_exact(n)) {
                for (&m, &r_dot) in row.iter().zip(r_dot) {
                    *w = m.mul_add(r_dot, *w);
                }
            }
            ws.share.efforts(robot, &ws.j_act, &ws.w, sharing)
        },
    )
}

/// Rates of the independent velocities that the drives' torques and forces give  [Abedloo, eq. 20].
///
/// # Errors
/// Near a singularity of a leg, or if a degree of freedom moves no mass. Singularities of the drives, of Type 2, are no
/// obstacle.
///
/// # Panics
/// If a slice does not have one value per degree of freedom or per drive, or `at` belongs to another robot.
pub fn forward_dynamics<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    tau: &[T],
    load: &[T],
) -> Result<&'w [T], SingularError> {
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            assert_eq!(tau.len(), robot.driven().len(), "one effort per drive");
            ws.write_equations(robot, at, r, Coriolis::Skew)?;
            ws.demand(robot, at, r, load);
            let n = ws.form.freedoms;
            for (c, answer) in ws.answer.iter_mut().enumerate() {
                *answer = -ws.w[c];
                for (&tau, row) in tau.iter().zip(ws.j_act.chunks_exact(n)) {
                    *answer = tau.mul_add(row[c], *answer);
                }
            }
            ws.cholesky.decompose(&ws.inertia);
            ws.cholesky.solve(&mut ws.answer);
            refuse_massless(robot, &ws.inertia, ws.cholesky.pivots())?;
            Ok(ws.answer.as_slice())
        },
    )
}

/// M of the independent velocities, n × n row by row  [Abedloo, eq. 21].
///
/// # Errors
/// Near a singularity of a leg.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inertia_matrix<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            robot.expect(at, &[]);
            ws.place(robot, at);
            ws.refuse_singular(robot)?;
            ws.write_inertia(robot, at);
            Ok(ws.inertia.as_slice())
        },
    )
}

/// J_act, drives × n row by row: the driven joints' rates, q̇_a = J_act r  [Abedloo, eq. 50].
///
/// # Errors
/// Near a singularity of a leg.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn inverse_jacobian<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            robot.expect(at, &[]);
            ws.place(robot, at);
            ws.refuse_singular(robot)?;
            Ok(ws.j_act.as_slice())
        },
    )
}

/// Z, velocities u by row, independent velocities by column: u = Z r.
///
/// # Errors
/// Near a singularity of a leg.
///
/// # Panics
/// If `at` belongs to another robot.
pub fn complement<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
) -> Result<&'w [T], SingularError> {
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            robot.expect(at, &[]);
            ws.place(robot, at);
            ws.refuse_singular(robot)?;
            let (n, dof) = (ws.form.freedoms, robot.tree().dof());
            for (state, form) in ws.legs.iter().zip(&ws.form.legs) {
                for (&j, &row) in form.joints.iter().zip(&state.rows) {
                    ws.attitude.project(&ws.form, row, &mut ws.z[j * n..(j + 1) * n]);
                }
            }
            for (k, axis) in Mat3::identity(ws.arm.x).rows.into_iter().enumerate() {
                // v = ω × arm: its component along an axis is ω · (arm × axis).
                for (component, along) in [(k, ws.arm.cross(axis)), (3 + k, axis)] {
                    let row = dof + component;
                    ws.attitude.project(&ws.form, along, &mut ws.z[row * n..(row + 1) * n]);
                }
            }
            Ok(ws.z.as_slice())
        },
    )
}

/// All velocities u = (q̇, V) and their rates, of a motion of the independent ones.
///
/// # Errors
/// Near a singularity of a leg.
///
/// # Panics
/// If a slice does not have one value per degree of freedom, or `at` belongs to another robot.
pub fn motion<'w, T: Measured>(
    robot: &ClosedMechanism,
    ws: &'w mut Workspace<T>,
    at: &Configuration<T>,
    r: &[T],
    r_dot: &[T],
) -> Result<(&'w [T], &'w [T]), SingularError> {
    at.pose.position.x.within(
        #[inline(always)]
        move || {
            robot.expect(at, &[r, r_dot]);
            ws.place(robot, at);
            ws.set_in_motion(r);
            ws.accelerate(r_dot);
            ws.refuse_singular(robot)?;
            for (state, form) in ws.legs.iter().zip(&ws.form.legs) {
                for (k, &j) in form.joints.iter().enumerate() {
                    (ws.u[j], ws.u_dot[j]) = (state.rates[k], state.accelerations[k]);
                }
            }
            let (dof, omega, omega_rate, arm) = (robot.tree().dof(), ws.attitude.omega, ws.attitude.omega_rate, ws.arm);
            let velocity = omega.cross(arm);
            let twist = Twist { linear: velocity, angular: omega };
            let linear = omega_rate.cross(arm) + omega.cross(velocity);
            ws.u[dof..].copy_from_slice(&twist.to_array());
            ws.u_dot[dof..].copy_from_slice(&Acceleration { linear, angular: omega_rate }.to_array());
            Ok((ws.u.as_slice(), ws.u_dot.as_slice()))
        },
    )
}
