//! Robots that can be integrated: where they are, how they move, and what torques and forces make of it.

mod closed;
mod dry;
mod generalised;
mod tree;

pub use closed::Closed;
pub use closed::view as closed_view;
pub use dry::{DryFriction, joint_that_cannot_stick};
pub use generalised::Generalised;
pub use tree::{ForwardMethod, Tree};

use super::Reason;
use appell::description::Limits;
use appell::dynamics::energy::Energy;
use appell::spatial::{Pose, Twist};

/// A moment of a motion, as a drive sees it.
#[derive(Debug, Clone, Copy)]
pub struct View<'s> {
    /// s.
    pub t: f64,
    /// Positions of all joints of the tree, rad or m; in a tree's own coordinates, where it has such.
    pub q: &'s [f64],
    /// Their velocities, of which there are fewer where positions are quaternions.
    pub v: &'s [f64],
    /// The robot's independent velocities; those of the joints where there are no loops. At Type 1, where a leg is stretched or folded,
    /// they are what they are everywhere, mostly components of the platform's twist, but do not say how the legs move: `v` does.
    pub r: &'s [f64],
    /// Pose and twist of the platform, if there is one.
    pub platform: Option<(Pose, Twist)>,
}

/// A robot with its state, in coordinates x of as many numbers as it has degrees of freedom.
///
/// Coordinates may be local. Then [`anchor`](Self::anchor) lets them begin anew where the robot is, perhaps as others: the velocities r of
/// a state are those of the coordinates in use, while [`View::r`] are always the robot's own.
pub trait Plant {
    /// How many degrees of freedom it has.
    fn freedoms(&self) -> usize;

    /// How many actuators it has.
    fn efforts(&self) -> usize;

    /// The joints that its torques and forces act on, in their order.
    fn drives(&self) -> Vec<usize> {
        (0..self.efforts()).collect()
    }

    /// Coordinates and velocities of the state it is in.
    fn state(&self, x: &mut [f64], r: &mut [f64]);

    /// Brings it to a state.
    ///
    /// # Errors
    /// If it cannot be there.
    fn place(&mut self, x: &[f64], r: &[f64]) -> Result<(), Reason>;

    /// The state it is in, as a drive sees it.
    fn view(&self, t: f64) -> View<'_>;

    /// ẋ and ṙ under torques and forces, in the state it is in.
    ///
    /// # Errors
    /// At a singularity.
    fn rates(&mut self, efforts: &[f64], x_rates: &mut [f64], r_rates: &mut [f64]) -> Result<(), Reason>;

    /// Lets the coordinates begin anew in the state it is in: whether they have changed.
    fn anchor(&mut self) -> bool;

    /// Whether the state it is in, at the end of a step so long, goes on from the anchor on the same branch of the motion: long steps may
    /// jump to another assembly of a closed robot. `part` is what it may have gone of the way to the end of its coordinates.
    ///
    /// # Errors
    /// If it does not; the step is taken back, and shorter ones are tried.
    fn follows(&mut self, _h: f64, _part: f64) -> Result<(), Reason> {
        Ok(())
    }

    /// Takes other coordinates in the state it is in, which is that of the anchor, because a step failed in these; whether there are
    /// others.
    fn change_coordinates(&mut self) -> bool {
        false
    }

    /// Whether [`change_coordinates`](Self::change_coordinates) would find others.
    fn has_other_coordinates(&self) -> bool {
        false
    }

    /// Its energy in the state it is in.
    fn energy(&mut self) -> Energy;

    /// The names and limits of its joints, in the order of [`View::v`].
    fn joints(&self) -> (&[String], &[Limits]);

    /// The coordinate whose velocity r is a joint's own, and which is its position where it has one, if there is such a one.
    fn coordinate_of(&self, _joint: usize) -> Option<usize> {
        None
    }

    /// How many joints follow others and are none of [`joints`](Self::joints).
    fn followers(&self) -> usize {
        0
    }

    /// Position, velocity and limits of one of them.
    ///
    /// # Panics
    /// If there are not so many.
    fn follower(&self, follower: usize) -> (f64, f64, Limits) {
        panic!("no follower {follower}")
    }

    /// What is beyond its limits of the joints that are none of [`joints`](Self::joints), because they follow others.
    fn follower_beyond(&self, _position: bool, _velocity: bool) -> Option<Reason> {
        None
    }

    /// Where the position of a joint is in [`View::q`]; that of a quaternion is not one number.
    fn position_of(&self, joint: usize) -> Option<usize> {
        Some(joint)
    }

    /// What a coordinate counts at least, where errors are relative: zero where its own size says it.
    fn size(&self, _k: usize) -> f64 {
        0.0
    }

    /// How near to singularities it is, 1 the best and 0 singular: Type 1 and Type 2.
    fn nearness(&mut self) -> Option<(f64, f64)> {
        None
    }

    /// Friction that jumps, of each joint of [`View::v`]; empty if none has any. It is no part of [`rates`](Self::rates): the
    /// simulation lets these joints stick and slip.
    fn dry_friction(&self) -> &[DryFriction] {
        &[]
    }

    /// What a unit of force along each of some joints of [`View::v`] changes in the state it is in: a row of ṙ, and one of v̇ of the same
    /// joints.
    ///
    /// # Errors
    /// At a singularity.
    ///
    /// # Panics
    /// If it is a plant without friction and brakes.
    fn responses(&mut self, _joints: &[usize], _of_r: &mut [f64], _of_v: &mut [f64]) -> Result<(), Reason> {
        panic!("a plant without friction and brakes")
    }

    /// v̇ of all joints of [`View::v`], of ṙ in the state it is in.
    ///
    /// # Errors
    /// At a singularity.
    fn accelerations(&mut self, r_rates: &[f64], v_rates: &mut [f64]) -> Result<(), Reason> {
        v_rates.copy_from_slice(r_rates);
        Ok(())
    }

    /// The momenta p of the velocities r, and back. A plant that has none takes r for them.
    ///
    /// # Errors
    /// If the inertia is singular.
    fn momenta(&mut self, r: &[f64], p: &mut [f64]) -> Result<(), Reason> {
        p.copy_from_slice(r);
        Ok(())
    }

    /// See [`momenta`](Self::momenta); the plant is brought to `x` and these velocities.
    ///
    /// # Errors
    /// If the inertia is singular, or the robot cannot be there.
    fn place_with_momenta(&mut self, x: &[f64], p: &[f64], r: &mut [f64]) -> Result<(), Reason> {
        r.copy_from_slice(p);
        self.place(x, r)
    }

    /// ẋ and ṗ under torques and forces, in the state it is in.
    ///
    /// # Errors
    /// As [`rates`](Self::rates).
    fn momenta_rates(&mut self, efforts: &[f64], x_rates: &mut [f64], p_rates: &mut [f64]) -> Result<(), Reason> {
        self.rates(efforts, x_rates, p_rates)
    }
}
