//! Torques of motors by the same robot in their coordinates: the second way, beside torques of joints through the ratios.

use super::Question;
use super::generalised::Generalised;
use super::kernel::Inputs;
use crate::dynamics::InertiaError;
use crate::dynamics::joint_space::Equations;
use crate::mechanism::Mechanism;

/// A robot whose motors are its coordinates, and the state in these.
pub(super) struct ByMotors {
    robot: Mechanism,
    layer: Generalised<f64>,
    rows: Vec<f64>, // positions, velocities or accelerations of all rows
    q: Vec<f64>,    // of the motors, as the next two
    v: Vec<f64>,
    a: Vec<f64>,
}

impl ByMotors {
    /// Of a robot whose transmissions all have as many motors as joints; none of others.
    pub(super) fn new(robot: &Mechanism) -> Option<Self> {
        let robot = robot.by_motors().ok().filter(|robot| robot.coordinates().is_some())?;
        let (positions, velocities) = (robot.positions().len(), robot.velocities().len());
        Some(Self {
            layer: Generalised::with_scalar(&robot, Question::InverseDynamics, Equations::default(), 0.0),
            rows: vec![0.0; robot.dof()],
            q: vec![0.0; positions],
            v: vec![0.0; velocities],
            a: vec![0.0; velocities],
            robot,
        })
    }

    /// The torques for a state of the joints. `run` gives those of the rows.
    pub(super) fn evaluate(
        &mut self,
        joints: &Mechanism,
        state: &Inputs<'_, f64>,
        row: &mut [f64],
        run: impl FnMut(Question, &Inputs<'_, f64>, &mut [f64]) -> Result<(), InertiaError>,
    ) -> Result<(), InertiaError> {
        let Self { robot, layer, rows, q, v, a } = self;
        let (Some(of_joints), Some(of_motors)) = (joints.coordinates(), robot.coordinates()) else { return Ok(()) };
        of_joints.anchor(state.q, rows);
        of_motors.release(rows, q);
        for (given, own) in [(state.v, &mut *v), (state.a, &mut *a)] {
            of_joints.spread(given, rows);
            own.iter_mut().zip(of_motors.of_velocities()).for_each(|(own, &j)| *own = rows[j]);
        }
        layer.evaluate(robot, &Inputs { q, v, a, tau: &[], w: &[] }, row, run)
    }
}
