//! Motors that drive joints through gears, belts and tendons: θ = N q, τ = Nᵀ τ_motor.
//!
//! A joint that no transmission drives is its own motor. These come first, in the order of the velocities, then the motors of
//! transmissions in theirs: as the coordinates of a robot that is described [by its motors](Mechanism::by_motors).

use super::{Coordinates, Follower, Mechanism, always};
use crate::description::{Description, Ratios, TransmissionDescription};
use crate::real::Real;
use core::ops::Range;

/// Motors that drive joints together, in a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Transmission {
    /// Its name.
    pub name: String,
    /// The rows of the joints.
    pub joints: Vec<usize>,
    /// The rows of the rotors.
    pub motors: Vec<usize>,
    /// N.
    pub ratios: Ratios,
    /// The least tension of tendons, N.
    pub least: Option<f64>,
}

impl Transmission {
    /// Those of a valid description whose rotors are rows: `row_of` knows the rows by their names.
    pub(super) fn all(description: &Description, row_of: impl Fn(&str) -> Option<usize>) -> Vec<Self> {
        let known = |transmission: &TransmissionDescription| {
            let motors = transmission.motors.iter().map(|motor| row_of(&motor.name));
            Some(Self {
                name: transmission.name.clone(),
                joints: transmission.joints.iter().map(|joint| row_of(joint)).collect::<Option<_>>()?,
                motors: motors.collect::<Option<_>>()?,
                ratios: transmission.ratios()?,
                least: transmission.least,
            })
        };
        description.transmissions.iter().filter_map(known).collect()
    }
}

/// A transmission through which motors are no coordinates of their joints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the transmission `{transmission}` has {motors} motors for {joints} joints; motors are coordinates where there are as many"
)]
pub struct NotSquare {
    /// Its name.
    pub transmission: String,
    /// How many motors it has.
    pub motors: usize,
    /// How many joints it drives.
    pub joints: usize,
}

impl Mechanism {
    /// The gears, belts and tendons by which motors drive several joints; rotors are the last rows.
    #[must_use]
    pub fn transmissions(&self) -> &[Transmission] {
        &self.transmissions
    }

    /// The motors, and what stands between their torques and those along the velocities.
    #[must_use]
    pub fn motors(&self) -> Motors {
        Motors::of(self)
    }

    /// The same robot with the motors of transmissions as coordinates in place of the joints that they drive: q = N⁻¹ θ.
    ///
    /// # Errors
    /// If a transmission has not as many motors as joints.
    pub fn by_motors(&self) -> Result<Self, NotSquare> {
        let mut followers = match self.is_coupled {
            true => self.followers.clone(),
            false => always(&self.compounds, &self.transmissions, &self.followers),
        };
        for Transmission { name, joints, motors, ratios, .. } in &self.transmissions {
            let torques = ratios.torques().filter(|_| ratios.is_square());
            let torques = torques.ok_or_else(|| NotSquare {
                transmission: name.clone(),
                motors: motors.len(),
                joints: joints.len(),
            })?;
            motors.iter().for_each(|&row| followers[row] = None);
            for (j, &row) in joints.iter().enumerate() {
                // N⁻ᵀ holds the entries of N⁻¹.
                let leaders = motors.iter().enumerate().map(|(k, &motor)| (motor, torques.entry(k, j))).collect();
                followers[row] = Some(Follower { leaders, offset: 0.0 });
            }
        }
        let coordinates = Coordinates::new(&self.joint_names, &self.compounds, &followers);
        Ok(Self { coordinates: coordinates.expect("joints follow motors, which follow none"), ..self.clone() })
    }

    /// The rows of the rotors of all transmissions: the last.
    #[must_use]
    pub fn rotors(&self) -> Range<usize> {
        let rotors: usize = self.transmissions.iter().map(|own| own.motors.len()).sum();
        self.dof() - rotors..self.dof()
    }
}

/// What stands between torques of motors and those along a robot's velocities.
#[derive(Debug, Clone, PartialEq)]
pub struct Motors {
    names: Vec<String>,
    drives: Vec<Drive>,
}

/// Motors and velocities that are coupled to no others.
#[derive(Debug, Clone, PartialEq)]
struct Drive {
    transmission: Option<String>,
    first: usize, // of its motors
    velocities: Vec<usize>,
    ratios: Ratios,          // N
    torques: Option<Ratios>, // of the motors for those of the joints; none if there are fewer motors
    tension: Option<Tension>,
}

/// Tendons that cannot push.
#[derive(Debug, Clone, PartialEq)]
struct Tension {
    least: f64,
    pull: Vec<f64>, // tensions that move nothing, all positive
}

impl Motors {
    /// Of a robot whose velocities are those of its joints, or of its motors already.
    #[must_use]
    pub fn of(robot: &Mechanism) -> Self {
        let mut motors = Self { names: Vec::new(), drives: Vec::new() };
        let Some(own) = robot.coordinates() else {
            robot.joint_names().iter().enumerate().for_each(|(j, name)| motors.add_direct(name, j));
            return motors;
        };
        let rows = own.of_velocities();
        let is_driven = |row: usize| robot.transmissions().iter().any(|of| of.joints.contains(&row));
        for (velocity, name) in own.velocities().iter().enumerate().filter(|(k, _)| !is_driven(rows[*k])) {
            motors.add_direct(name, velocity);
        }
        for transmission in robot.transmissions() {
            let place = |joint: &usize| rows.iter().position(|row| row == joint);
            let velocities: Vec<usize> = transmission.joints.iter().filter_map(place).collect();
            if !velocities.is_empty() {
                motors.add(robot, transmission, velocities);
            }
        }
        motors
    }

    fn add_direct(&mut self, name: &str, velocity: usize) {
        let (ratios, first) = (Ratios::direct(), self.names.len());
        let torques = Some(ratios.clone());
        self.drives.push(Drive {
            transmission: None,
            first,
            velocities: vec![velocity],
            ratios,
            torques,
            tension: None,
        });
        self.names.push(name.into());
    }

    fn add(&mut self, robot: &Mechanism, transmission: &Transmission, velocities: Vec<usize>) {
        let Transmission { name, motors, ratios, least, .. } = transmission;
        let tension = least.and_then(|least| Some(Tension { least, pull: ratios.pretension()? }));
        self.drives.push(Drive {
            transmission: Some(name.clone()),
            first: self.names.len(),
            velocities,
            torques: ratios.torques(),
            ratios: ratios.clone(),
            tension,
        });
        self.names.extend(motors.iter().map(|&row| robot.joint_names()[row].clone()));
    }

    /// Their names, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A transmission with fewer motors than joints, if there is one: torques of the joints do not follow from it.
    #[must_use]
    pub fn underactuated(&self) -> Option<&str> {
        self.drives.iter().find(|drive| drive.torques.is_none())?.transmission.as_deref()
    }

    /// θ̇ = N q̇: velocities of the motors, of those of the robot.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn velocities<T: Real>(&self, v: &[T], motors: &mut [T]) {
        assert_eq!(motors.len(), self.names.len(), "one value per motor");
        for Drive { first, velocities, ratios, .. } in &self.drives {
            for k in 0..ratios.motors() {
                let mut sum = v[0].zero();
                for (j, &velocity) in velocities.iter().enumerate() {
                    sum = v[velocity].scale_add(ratios.entry(k, j), sum);
                }
                motors[first + k] = sum;
            }
        }
    }

    /// τ = Nᵀ τ_motor: torques and forces along the robot's velocities, of those of the motors.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn joint_torques<T: Real>(&self, motors: &[T], tau: &mut [T]) {
        assert_eq!(motors.len(), self.names.len(), "one value per motor");
        for Drive { first, velocities, ratios, .. } in &self.drives {
            for (j, &velocity) in velocities.iter().enumerate() {
                let mut sum = motors[0].zero();
                for k in 0..ratios.motors() {
                    sum = motors[first + k].scale_add(ratios.entry(k, j), sum);
                }
                tau[velocity] = sum;
            }
        }
    }

    /// The torques of the motors that give these along the robot's velocities: N⁻ᵀ τ. Of more motors than joints those of least
    /// squares; tendons get a common pretension beside, such that the slackest has its least tension. NaN where motors are
    /// fewer than joints.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    #[inline(always)]
    pub fn torques<T: Real>(&self, tau: &[T], motors: &mut [T]) {
        assert_eq!(motors.len(), self.names.len(), "one value per motor");
        for Drive { first, velocities, ratios, torques, tension, .. } in &self.drives {
            let own = &mut motors[*first..first + ratios.motors()];
            let Some(torques) = torques else {
                own.fill(tau[0].constant(f64::NAN));
                continue;
            };
            for (k, own) in own.iter_mut().enumerate() {
                let mut sum = tau[0].zero();
                for (j, &velocity) in velocities.iter().enumerate() {
                    sum = tau[velocity].scale_add(torques.entry(k, j), sum);
                }
                *own = sum;
            }
            if let Some(tension) = tension {
                tension.add_to(own);
            }
        }
    }
}

impl Tension {
    /// f + λ pull with the least λ at which no tendon is slack: λ = max (least − f) / pull.
    #[inline(always)]
    fn add_to<T: Real>(&self, tensions: &mut [T]) {
        let lack = |f: T, pull: f64| (f.constant(self.least) - f).scale(1.0 / pull);
        let mut most = lack(tensions[0], self.pull[0]);
        for (&f, &pull) in tensions.iter().zip(&self.pull).skip(1) {
            let other = lack(f, pull);
            most = (other - most).where_positive(other, most);
        }
        for (f, &pull) in tensions.iter_mut().zip(&self.pull) {
            *f = most.scale_add(pull, *f);
        }
    }
}
