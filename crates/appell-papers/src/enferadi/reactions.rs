//! What the joints of the star-triangle robot transmit, which the paper says its method does not give.
//!
//! Three legs forbid the star to leave the point, where one would do: in a rigid robot the reactions are not unique.
//! These are the ones of the least norm. The forces and moments that they give the star together are unique.

use super::StarTriangle;
use super::trajectory::Trajectory;
use crate::general::General;
use crate::study::{Check, Comparison, StudyError};
use appell::closed::On;
use appell::closed::formulation::Formulation;
use appell::closed::reactions::{self, reactions};
use appell::spatial::{Vec3, Wrench};

/// What one joint transmits, about the point.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The joint.
    pub joint: String,
    /// N, in {1k} of a motor, in {2k} of a passive joint, and with z along t of an arc.
    pub force: [f64; 3],
    /// N m, in the same axes.
    pub moment: [f64; 3],
}

/// All joints at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// s.
    pub t: f64,
    /// Motors, passive joints and arcs, leg by leg.
    pub rows: Vec<Row>,
    /// How many constraints repeat others.
    pub redundant: usize,
    /// What must hold.
    pub checks: Vec<Check>,
}

/// The reactions on a motion at a time.
///
/// # Errors
/// None for the paper's robot.
pub fn study(star: &StarTriangle, motion: Trajectory, t: f64) -> Result<Study, StudyError> {
    let instant = motion.at(t);
    let mut general = General::new(&star.description(motion.at(0.0).rotation))?;
    let at = general.at(instant.rotation)?;
    let tau = star.inverse_dynamics(&instant, Vec3::zero(0.0))?;
    let robot = &general.robot;
    let (r, r_dot) = (instant.omega.to_array(), instant.omega_dot.to_array());
    let mut rows = Vec::new();
    let [mut star_force, mut star_moment, mut motors, mut free] = [Comparison::default(); 4];
    let own = instant.rotation.transpose();
    let [omega, omega_dot, gravity] = [instant.omega, instant.omega_dot, star.gravity].map(|x| own * x);
    // m (c̈ − g) and the moment about the point, in the star's axes.
    let first = star.star.first_moment;
    let push = omega_dot.cross(first) + omega.cross(omega.cross(first)) - gravity.scale(star.star.mass);
    let turn = star.star.moment(omega, omega_dot, gravity);
    let mut formulations: Vec<Formulation> =
        Formulation::of(robot).iter().map(|formulation| formulation.with_reactions()).collect();
    formulations.dedup();
    for formulation in formulations {
        let mut ws = reactions::Workspace::new(robot, formulation);
        let found = reactions(robot, &mut ws, &at, &r, &r_dot, &tau, (&[], &[]))?;
        let mut sum = Wrench::zero(0.0);
        for (closure, wrench) in robot.closures().iter().zip(found.closures) {
            assert_eq!(closure.second.on, On::Platform, "the star is the second body");
            let axes = closure.second.pose.rotation;
            sum = sum + Wrench { force: axes * wrench.force, moment: axes * wrench.moment };
            free.see(&[wrench.moment.z], &[0.0]);
        }
        star_force.see(&sum.force.to_array(), &push.to_array());
        star_moment.see(&sum.moment.to_array(), &turn.to_array());
        for (k, &motor) in robot.driven().iter().enumerate() {
            motors.see(&[found.joints[motor].moment.z], &[tau[k]]);
            free.see(&[found.joints[motor + 1].moment.x], &[0.0]); // x of {2k} is the joint's axis
        }
        rows = robot
            .legs()
            .iter()
            .flat_map(|leg| {
                let names = robot.tree().joint_names();
                let joints = leg.joints.iter().map(|&j| (names[j].clone(), found.joints[j]));
                joints
                    .chain([(robot.closures()[leg.closure].name.clone(), found.closures[leg.closure])])
                    .collect::<Vec<_>>()
            })
            .map(|(joint, wrench)| Row { joint, force: wrench.force.to_array(), moment: wrench.moment.to_array() })
            .collect();
    }
    free.scale = star_moment.scale;
    let checks = vec![
        star_force.check("forces of the arcs on the star together, and m (c̈ − g)", 1e-11),
        star_moment.check("their moments about the point, and I ω̇ + ω × I ω − m ρ × g", 1e-11),
        motors.check("moments about the motors' axes, and the torques by virtual work", 1e-11),
        free.check("moments about the axes of passive joints and arcs, over the star's", 1e-11),
    ];
    Ok(Study { t, rows, redundant: robot.rows() - robot.mobility().rank, checks })
}
