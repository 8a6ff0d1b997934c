//! From a motion as users give it, of the platform or of the drives, to a configuration and the independent velocities.

use crate::closed::assembly::{self, AssemblyError, Reached};
use crate::closed::direct;
use crate::closed::formulation::{self, Formulation};
use crate::closed::{ClosedMechanism, Configuration, FromTwist, SingularError, drives};
use crate::description::Freedom;
use crate::linear::Householder;
use crate::question::State;
use crate::real::Real;
use crate::spatial::Pose;

/// A motion of a closed mechanism.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::large_enum_variant, reason = "one is made a state and soon gone; a box would allocate")]
pub enum Motion<'s> {
    /// Of the platform: its pose, its twist, and the twist's rate.
    Platform {
        /// base_from_platform.
        pose: Pose<f64>,
        /// Velocity of the origin, then angular velocity, in base axes. Components that depend on others may be left
        /// out; those that are given must fit.
        twist: [Option<f64>; 6],
        /// Their rates, likewise.
        acceleration: [Option<f64>; 6],
    },
    /// Of the joints, or of the drives: `q`, `v` and `a` of the state.
    #[default]
    Joints,
    /// Of a configuration that is assembled already, by the independent velocities and their rates.
    Assembled {
        /// Where everything is.
        at: &'s Configuration,
        /// The independent velocities.
        r: &'s [f64],
        /// Their rates.
        r_dot: &'s [f64],
    },
}

impl Motion<'_> {
    /// The platform at rest.
    #[must_use]
    pub fn at_rest(pose: Pose<f64>) -> Self {
        Self::Platform { pose, twist: [Some(0.0); 6], acceleration: [Some(0.0); 6] }
    }
}

/// Why a motion is none of the robot's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// No configuration was found.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// Dynamics has no answer there.
    #[error(transparent)]
    Singular(#[from] SingularError),
    /// An independent component is missing.
    #[error("`{component}` is needed: it is one of the robot's independent velocities")]
    Missing {
        /// The component.
        component: String,
    },
    /// The components of the output's motion that are given leave some of the robot's open.
    #[error(
        "the components of the output's {what} that are given do not say how the robot moves, which has {freedoms} degree{} of freedom; give more of \
         vx, vy, vz, wx, wy, wz (of accelerations ax … ez), or the motion of the drives",
        if *freedoms == 1 { "" } else { "s" }
    )]
    Undetermined {
        /// Velocity or acceleration.
        what: &'static str,
        /// Degrees of freedom.
        freedoms: usize,
    },
    /// A dependent component cannot be as given.
    #[error(
        "`{component}` = {given:.6e} is not possible: with the others as given it is {possible:.6e}; correct it or leave it out"
    )]
    Impossible {
        /// The component.
        component: String,
        /// As given.
        given: f64,
        /// What it must be.
        possible: f64,
    },
    /// The robot has no platform.
    #[error("the robot has no platform; give positions of its driven joints")]
    NoPlatform,
    /// The drives do not say how the robot moves.
    #[error(
        "{drives} driven joints do not determine the motion of {freedoms} degrees of freedom; give the platform's motion if that does, drive more joints, or simulate the robot"
    )]
    Underactuated {
        /// Driven joints.
        drives: usize,
        /// Degrees of freedom.
        freedoms: usize,
    },
}

/// A dependent number may be off by this, over the largest of its kind.
pub const FITS: f64 = 1e-6;

/// Rates below it, without units, are rounding wherever they come from.
const LEAST: f64 = 1e-6;

/// What a motion is found with, and the motion found.
#[derive(Debug, Clone)]
pub struct Found {
    assembly: assembly::Workspace,
    kinematics: formulation::Workspace,
    drives: Householder<f64>,
    from_twist: Option<FromTwist>, // where independent velocities are not the platform's
    scratch: Vec<f64>,
    /// Whether a motion goes on from the one before: joints turn on and keep their working modes.
    pub continuous: bool,
    /// Whether the dependent components of a pose follow the others however far, of a platform of its own as well.
    pub follows: bool,
    /// Whether u and u̇ are asked for, and not only what they follow from.
    pub expands: bool,
    is_first: bool,
    /// How the drives brought the robot there, where they say where it is.
    pub reached: Reached,
    /// The motion that was found last.
    pub moved: Moved,
}

/// A motion as dynamics takes it.
#[derive(Debug, Clone)]
pub struct Moved<T = f64> {
    /// Where everything is.
    pub at: Configuration<T>,
    /// The independent velocities, r.
    pub r: Vec<T>,
    /// Their rates, ṙ.
    pub r_dot: Vec<T>,
    /// All velocities, u: of the joints, then the platform's twist.
    pub u: Vec<T>,
    /// Their rates, u̇.
    pub u_dot: Vec<T>,
}

impl<T: Real> Moved<T> {
    /// At rest, at home.
    pub fn new(robot: &ClosedMechanism, like: T) -> Self {
        let zeros = |many: usize| vec![like.zero(); many];
        let (n, width) = (robot.freedoms().len(), robot.velocities());
        Self { at: robot.home().lift(like), r: zeros(n), r_dot: zeros(n), u: zeros(width), u_dot: zeros(width) }
    }
}

impl Found {
    /// Ready for a robot, by the formulation whose kinematics is to be used.
    pub fn new(robot: &ClosedMechanism, formulation: Formulation) -> Self {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        Self {
            assembly: assembly::Workspace::new(robot),
            kinematics: formulation::Workspace::new(robot, formulation),
            drives: Householder::new(drives.max(n), n, 0.0),
            from_twist: FromTwist::is_needed(robot).then(|| FromTwist::new(robot)),
            scratch: vec![0.0; drives.max(n)],
            continuous: false,
            follows: false,
            expands: true,
            is_first: true,
            reached: Reached::Straight,
            moved: Moved::new(robot, 0.0),
        }
    }

    /// Finds configuration, r and ṙ of a motion, as far as `velocities` and `accelerations` are asked for.
    pub fn find(
        &mut self,
        robot: &ClosedMechanism,
        state: &State<'_>,
        velocities: bool,
        accelerations: bool,
    ) -> Result<(), MotionError> {
        let State { q, v, a, motion, .. } = state;
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        if matches!(motion, Motion::Joints) && drives < n {
            return Err(MotionError::Underactuated { drives, freedoms: n });
        }
        let fresh = self.is_first || !self.continuous;
        if fresh {
            self.moved.at.q.copy_from_slice(&robot.home().q);
            self.moved.at.pose = robot.home().pose;
        }
        self.is_first = true;
        self.reached = Reached::Straight;
        match motion {
            Motion::Platform { pose, .. } => {
                if robot.platform().is_none() {
                    return Err(MotionError::NoPlatform);
                }
                self.moved.at.pose = *pose;
                let find = if self.follows { assembly::along_pose } else { assembly::near_pose };
                find(robot, &mut self.assembly, &mut self.moved.at)?;
            }
            Motion::Joints if !fresh => assembly::follow(robot, &mut self.assembly, q, &mut self.moved.at)?,
            Motion::Joints => self.reached = direct::at_drives(robot, &mut self.assembly, q, &mut self.moved.at)?,
            Motion::Assembled { at, .. } => self.moved.at.clone_from(at),
        }
        if fresh && matches!(motion, Motion::Platform { .. }) {
            assembly::wrap(robot, &mut self.moved.at);
        }
        self.is_first = false;
        self.moved.r.fill(0.0);
        self.moved.r_dot.fill(0.0);
        if !velocities {
            self.moved.u.fill(0.0);
            self.moved.u_dot.fill(0.0);
            return Ok(());
        }
        match *motion {
            Motion::Assembled { r, r_dot, .. } => {
                self.moved.r.copy_from_slice(r);
                if accelerations {
                    self.moved.r_dot.copy_from_slice(r_dot);
                }
                if self.expands { self.expand(robot) } else { Ok(()) }
            }
            Motion::Platform { twist, acceleration, .. } if self.from_twist.is_some() => {
                self.of_output(robot, &twist, "v")?;
                self.moved.r.iter_mut().zip(&self.scratch).for_each(|(r, &found)| *r = found);
                self.expand(robot)?;
                if accelerations {
                    self.of_output(robot, &acceleration, "a")?;
                    self.moved.r_dot.iter_mut().zip(&self.scratch).for_each(|(r_dot, &found)| *r_dot = found);
                    self.expand(robot)?;
                }
                self.check_fit(robot, &twist, accelerations.then_some(&acceleration))
            }
            Motion::Platform { twist, acceleration, .. } => {
                of_freedoms(robot, &twist, "v", &mut self.moved.r)?;
                if accelerations {
                    of_freedoms(robot, &acceleration, "a", &mut self.moved.r_dot)?;
                }
                if !self.expands && robot.freedoms().len() == twist.len() {
                    return Ok(()); // no component depends on others
                }
                self.expand(robot)?;
                self.check_fit(robot, &twist, accelerations.then_some(&acceleration))
            }
            Motion::Joints => {
                self.decompose(robot)?;
                self.solve_drives(robot, |i, _| v[i], "v")?;
                self.moved.r.iter_mut().zip(&self.scratch).for_each(|(r, &found)| *r = found);
                self.expand(robot)?;
                if accelerations {
                    self.solve_drives(robot, |i, u_dot| a[i] - u_dot[robot.driven()[i]], "a")?;
                    self.moved.r_dot.iter_mut().zip(&self.scratch).for_each(|(r_dot, &found)| *r_dot = found);
                    self.expand(robot)?;
                }
                Ok(())
            }
        }
    }

    /// Whether the components of a twist, and of its rate, are those of the motion found.
    fn check_fit(
        &self,
        robot: &ClosedMechanism,
        twist: &[Option<f64>; 6],
        acceleration: Option<&[Option<f64>; 6]>,
    ) -> Result<(), MotionError> {
        let dof = robot.tree().dof();
        fits(twist, &self.moved.u[dof..], "v", 0.0)?;
        let Some(acceleration) = acceleration else { return Ok(()) };
        // At constant speed accelerations are what rounding leaves of the squares of the rates.
        let squares = self.moved.u.iter().fold(0.0, |most: f64, u| most.max(u * u));
        fits(acceleration, &self.moved.u_dot[dof..], "a", squares)
    }

    /// The independent velocities, or their rates, that come nearest to given components of a twist, or of its rate, into
    /// `scratch`; u̇ must be that of ṙ = 0 then.
    fn of_output(
        &mut self,
        robot: &ClosedMechanism,
        given: &[Option<f64>; 6],
        symbol: &str,
    ) -> Result<(), MotionError> {
        let Self { from_twist, kinematics, moved, scratch, .. } = self;
        let Some(from_twist) = from_twist else { unreachable!("independent velocities of joints") };
        let z = formulation::complement(robot, kinematics, &moved.at)?;
        let known = |k: usize| if symbol == "a" { moved.u_dot[robot.tree().dof() + k] } else { 0.0 };
        let given = core::array::from_fn(|k| given[k].map(|given| given - known(k)));
        let Some(found) = from_twist.solve(robot, z, given) else {
            let what = if symbol == "a" { "acceleration" } else { "velocity" };
            return Err(MotionError::Undetermined { what, freedoms: robot.freedoms().len() });
        };
        scratch[..found.len()].copy_from_slice(found);
        Ok(())
    }

    /// u and u̇ from r and ṙ.
    fn expand(&mut self, robot: &ClosedMechanism) -> Result<(), MotionError> {
        let Moved { at, r, r_dot, .. } = &self.moved;
        let (u, u_dot) = formulation::motion(robot, &mut self.kinematics, at, r, r_dot)?;
        self.moved.u.copy_from_slice(u);
        self.moved.u_dot.copy_from_slice(u_dot);
        Ok(())
    }

    /// J_inv, ready for solving.
    fn decompose(&mut self, robot: &ClosedMechanism) -> Result<(), MotionError> {
        let j_inv = formulation::inverse_jacobian(robot, &mut self.kinematics, &self.moved.at)?;
        self.drives.decompose(|i, k| drives::dimensionless(robot, j_inv, i, k));
        drives::refuse_uncontrolled(robot, j_inv, self.drives.norms_squared(&mut self.scratch))?;
        Ok(())
    }

    /// The rates of the independent velocities that give the drives these, into `scratch`.
    fn solve_drives(
        &mut self,
        robot: &ClosedMechanism,
        rate: impl Fn(usize, &[f64]) -> f64,
        symbol: &str,
    ) -> Result<(), MotionError> {
        let (n, drives) = (robot.freedoms().len(), robot.driven().len());
        for i in 0..drives {
            self.scratch[i] = rate(i, &self.moved.u_dot) * drives::drive_unit(robot, i);
        }
        let largest = self.scratch[..drives].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        self.drives.turn_into(&mut self.scratch[..drives]);
        // Redundant drives cannot move each as it likes.
        let rest = self.scratch[n..drives].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if rest > FITS * largest.max(LEAST) {
            let component = format!("{symbol} of the {drives} drives together");
            return Err(MotionError::Impossible { component, given: largest, possible: largest - rest });
        }
        self.drives.solve_upper(&mut self.scratch);
        for k in 0..n {
            self.scratch[k] *= drives::freedom_unit(robot, k);
        }
        Ok(())
    }
}

/// Names of the components of a twist's rate.
const RATES: [&str; 6] = ["ax", "ay", "az", "ex", "ey", "ez"];

fn name(symbol: &str, component: usize) -> String {
    if symbol == "v" { Freedom::ALL[component].name().into() } else { RATES[component].into() }
}

/// The independent components.
fn of_freedoms(
    robot: &ClosedMechanism,
    given: &[Option<f64>; 6],
    symbol: &str,
    independent: &mut [f64],
) -> Result<(), MotionError> {
    for (value, &freedom) in independent.iter_mut().zip(robot.freedoms()) {
        let component = freedom.checked_sub(robot.tree().dof());
        let missing = || MotionError::Missing {
            component: component.map_or_else(
                || format!("{symbol}.{}", robot.tree().joint_names()[freedom]),
                |component| name(symbol, component),
            ),
        };
        *value = component.and_then(|component| given[component]).ok_or_else(missing)?;
    }
    Ok(())
}

/// Whether dependent components are what they must be, by the largest of them or of what else they are made of.
fn fits(given: &[Option<f64>; 6], possible: &[f64], symbol: &str, least: f64) -> Result<(), MotionError> {
    let largest = given.iter().flatten().chain(possible).fold(least, |most: f64, x| most.max(x.abs()));
    for (component, (given, &possible)) in given.iter().zip(possible).enumerate() {
        let off = |given: &f64| (given - possible).abs() > FITS * largest;
        if let Some(given) = given.filter(off) {
            return Err(MotionError::Impossible { component: name(symbol, component), given, possible });
        }
    }
    Ok(())
}
