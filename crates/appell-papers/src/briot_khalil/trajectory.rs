//! The Gough-Stewart platform along a motion: forces and lengths of its legs, and every law that must hold there.

use super::leg::Ups;
use super::{Comparison, StudyError, assembled, path, virtual_power};
use appell::closed::drives::Sharing;
use appell::closed::tree_closures::Solver;
use appell::closed::{ClosedMechanism, Configuration, assembly, energy, legs_platform, tree_closures, variation};
use appell::kinematics;
use appell::real::Dual;
use appell_simulation::trajectory::FrameMotion;

/// One instant of the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// s.
    pub t: f64,
    /// Lengths of the legs, m.
    pub lengths: Vec<f64>,
    /// Forces of the legs, N, by legs-platform.
    pub forces: Vec<f64>,
    /// Power of the drives, W.
    pub power: f64,
    /// dE/dt, W.
    pub energy_rate: f64,
}

/// The whole motion.
pub type Study = crate::study::Study<Sample>;

/// The memory of every method.
struct Methods {
    assembly: assembly::Workspace,
    legs: legs_platform::Workspace,
    tree: tree_closures::Workspace,
    energy: kinematics::Workspace<Dual<1>>,
}

/// Follows the path in `steps` steps of `dt`.
///
/// # Errors
/// If the path leads out of reach or through a singularity.
pub fn study(robot: &ClosedMechanism, dt: f64, steps: usize) -> Result<Study, StudyError> {
    let mut methods = Methods {
        assembly: assembly::Workspace::new(robot),
        legs: legs_platform::Workspace::new(robot),
        tree: tree_closures::Workspace::new(robot),
        energy: kinematics::Workspace::with_scalar(robot.tree(), Dual::fixed(0.0)),
    };
    let [mut tree, mut power, mut lengths, mut balance] = [Comparison::default(); 4];
    let mut returned = [Comparison::default(); 3];
    let mut samples = Vec::with_capacity(steps + 1);
    let mut at = robot.home().clone();
    for k in 0..=steps {
        let t = dt * k as f64;
        let FrameMotion { pose, twist, acceleration } = path(t);
        at = assembled(robot, &mut methods.assembly, &at, pose)?;
        let (r, r_dot) = (twist.to_array(), acceleration.to_array());
        let sample = methods.sample(robot, &at, t, &r, &r_dot)?;
        let tau = &sample.forces;
        let sharing = Sharing::default();
        tree.see(tau, tree_closures::inverse_dynamics(robot, &mut methods.tree, &at, &r, &r_dot, &[], &sharing)?);
        let by_power = virtual_power::inverse_dynamics(robot, &pose, &twist, &acceleration);
        power.see(tau, &by_power.unwrap_or([f64::NAN; 6]));
        let geometry: Vec<f64> = Ups::all(robot).iter().map(|leg| leg.placed(&pose).q[2]).collect();
        lengths.see(&sample.lengths, &geometry);
        returned[0].see(legs_platform::forward_dynamics(robot, &mut methods.legs, &at, &r, tau, &[])?, &r_dot);
        for (seen, solver) in returned[1..].iter_mut().zip([Solver::NullSpace, Solver::Kkt]).rev() {
            methods.tree.solver = solver;
            seen.see(tree_closures::forward_dynamics(robot, &mut methods.tree, &at, &r, tau, &[])?, &r_dot);
        }
        balance.see(&[sample.power], &[sample.energy_rate]);
        samples.push(sample);
    }
    let [legs, null_space, kkt] = returned;
    let checks = vec![
        lengths.check("lengths: leg by leg in closed form, and |BP|", 1e-13),
        tree.check("forces: legs-platform and tree-closures, by projection", 1e-12),
        power.check("forces: legs-platform and virtual powers, written out from the paper", 1e-12),
        legs.check("accelerations given back by forward dynamics, legs-platform (eq. 20)", 1e-11),
        null_space.check("accelerations given back by forward dynamics, tree-closures, null space", 1e-11),
        kkt.check("accelerations given back by forward dynamics, tree-closures, KKT", 1e-11),
        balance.check("power of the drives and dE/dt", 1e-12),
    ];
    Ok(Study { samples, checks })
}

impl Methods {
    /// Forces, lengths and powers at one instant.
    fn sample(
        &mut self,
        robot: &ClosedMechanism,
        at: &Configuration,
        t: f64,
        r: &[f64],
        r_dot: &[f64],
    ) -> Result<Sample, StudyError> {
        let sharing = Sharing::default();
        let forces = legs_platform::inverse_dynamics(robot, &mut self.legs, at, r, r_dot, &[], &sharing)?.to_vec();
        let (u, u_dot) = legs_platform::motion(robot, &mut self.legs, at, r, r_dot)?;
        let power = robot.driven().iter().zip(&forces).map(|(&j, tau)| tau * u[j]).sum();
        // The energy of a configuration and velocities that move on: its derivative is exact.
        let mut moving = variation::still::<1>(robot);
        variation::vary(robot, at, |k, _| u[k], &mut moving);
        let u: Vec<Dual<1>> = u.iter().zip(u_dot).map(|(&value, &rate)| Dual { value, derivative: [rate] }).collect();
        let energy = energy::energy(robot, &mut self.energy, &moving, &u);
        let [kinetic, potential] = [energy.kinetic, energy.potential].map(|energy| energy.derivative[0]);
        let lengths = robot.driven().iter().map(|&j| at.q[j]).collect();
        Ok(Sample { t, lengths, forces, power, energy_rate: kinetic + potential })
    }
}
