//! Mass and centre of mass of a closed mechanism: those of its tree and of its platform.

use super::{ClosedMechanism, Configuration};
use crate::dynamics::momentum;
use crate::kinematics::Workspace;
use crate::real::Real;
use crate::spatial::Vec3;

impl ClosedMechanism {
    /// Mass of all bodies, the platform and its payload included, kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.tree.mass() + self.platform.as_ref().map_or(0.0, |platform| platform.mass)
    }

    /// Centre of mass of all bodies, m in the base; `ws` is one of the tree. A robot without mass has it in the base's
    /// origin.
    ///
    /// # Panics
    /// If `at` belongs to another robot.
    #[inline(always)]
    pub fn centre_of_mass<T: Real>(&self, ws: &mut Workspace<T>, at: &Configuration<T>) -> Vec3<T> {
        let of_tree = momentum::centre_of_mass(&self.tree, ws, &at.q);
        let Some(platform) = &self.platform else { return of_tree };
        let mass = self.mass();
        let per_mass = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let moment = at.pose.position.scale(platform.mass) + at.pose.rotation.times_fixed(platform.first_moment);
        (of_tree.scale(self.tree.mass()) + moment).scale(per_mass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots;

    #[test]
    fn weight_times_height_is_the_potential_energy() {
        for robot in robots::CLOSED {
            let robot = robot.closed();
            let at = robot.home();
            let com = robot.centre_of_mass(&mut Workspace::new(robot.tree()), at);
            let bodies = momentum::centre_of_mass(robot.tree(), &mut Workspace::new(robot.tree()), &at.q);
            let platform =
                robot.platform().map_or(0.0, |platform| platform.potential(&at.pose, robot.tree().gravity()));
            let potential = platform - robot.tree().gravity().dot(bodies) * robot.tree().mass();
            let found = -robot.tree().gravity().dot(com) * robot.mass();
            assert!(
                (found - potential).abs() < 1e-12 * (1.0 + potential.abs()),
                "{}: {found} {potential}",
                robot.name()
            );
        }
    }
}
