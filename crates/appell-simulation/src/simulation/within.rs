//! Limits that a motion passes within a step, and keeps again at its end.
//!
//! Joints that are coordinates are polynomials along a step, [`Quartic`]s, of which nothing is missed. Joints of closed robots, and those
//! that follow others, are looked at in four equal parts of the step, by the quartic through their positions, and that through their
//! velocities: exact for a follower that moves in proportion, and as exact for others as the continuous extension is, which has the same
//! degree. Where the state at both ends says that nothing can come near a limit, they are not looked at.

use super::quartic::Quartic;
use super::stepper::Stepper;
use super::{Plant, Watched};
use appell::description::Limits;

/// Parts of a step.
const PARTS: usize = 4;

/// What is known of joints within a step.
#[derive(Debug, Clone)]
pub(super) struct Within {
    nodes: Vec<[[f64; PARTS + 1]; 2]>, // positions and velocities of joints, then of followers
    room: Vec<f64>,
}

impl Within {
    pub(super) fn new(plant: &dyn Plant, length: usize) -> Self {
        let many = plant.joints().0.len() + plant.followers();
        Self { nodes: vec![[[0.0; PARTS + 1]; 2]; many], room: vec![0.0; length] }
    }

    /// A θ of the last step, `h` long, at which a limit is passed, near the first; the plant is brought somewhere within the step.
    pub(super) fn beyond(&mut self, plant: &mut dyn Plant, stepper: &Stepper, h: f64, watched: Watched) -> Option<f64> {
        let Watched { position, velocity, .. } = watched;
        if !(position || velocity) {
            return None;
        }
        let (n, joints) = (plant.freedoms(), plant.joints().0.len());
        let mut first: Option<f64> = None;
        let mut see = |theta: Option<f64>| {
            if let Some(theta) = theta {
                first = Some(first.map_or(theta, |first| first.min(theta)));
            }
        };
        let mut others = plant.followers() > 0;
        for j in 0..joints {
            let limits = plant.joints().1[j];
            let Some(k) = plant.coordinate_of(j) else {
                others = true;
                continue;
            };
            if position && plant.position_of(j).is_some() {
                see(stepper.along(k).beyond([limits.lower, limits.upper]));
            }
            if velocity {
                see(stepper.along(n + k).beyond([-limits.velocity, limits.velocity]));
            }
        }
        if others && self.may_come_near(plant, stepper, h, watched) {
            self.look(plant, stepper);
            for (i, nodes) in self.nodes.iter().enumerate() {
                let known = i < joints && plant.coordinate_of(i).is_some();
                if known {
                    continue;
                }
                let limits = if i < joints { plant.joints().1[i] } else { plant.follower(i - joints).2 };
                if position && (i >= joints || plant.position_of(i).is_some()) {
                    see(Quartic::through(nodes[0]).beyond([limits.lower, limits.upper]));
                }
                if velocity {
                    see(Quartic::through(nodes[1]).beyond([-limits.velocity, limits.velocity]));
                }
            }
        }
        first
    }

    /// Whether a joint that is no coordinate may come to a limit, by its state at both ends of the step: no joint goes farther than at twice
    /// the larger of both speeds, or changes its speed by more than twice what it does from end to end.
    fn may_come_near(&mut self, plant: &mut dyn Plant, stepper: &Stepper, h: f64, watched: Watched) -> bool {
        for node in [0, PARTS] {
            if !self.look_at(plant, stepper, node) {
                return true;
            }
        }
        let joints = plant.joints().0.len();
        let limits = |i: usize| if i < joints { plant.joints().1[i] } else { plant.follower(i - joints).2 };
        self.nodes.iter().enumerate().any(|(i, [q, v])| {
            let Limits { lower, upper, velocity, .. } = limits(i);
            let (speed, change) = (v[0].abs().max(v[PARTS].abs()), (v[PARTS] - v[0]).abs());
            let way = 2.0 * h * (speed + change);
            let is_near = q[0].min(q[PARTS]) - way < lower || q[0].max(q[PARTS]) + way > upper;
            watched.position && is_near || watched.velocity && speed + 2.0 * change > velocity
        })
    }

    fn look(&mut self, plant: &mut dyn Plant, stepper: &Stepper) {
        for node in 1..PARTS {
            self.look_at(plant, stepper, node);
        }
    }

    /// Brings the plant to a node; whether it can be there. Where it cannot, its joints count as they were.
    fn look_at(&mut self, plant: &mut dyn Plant, stepper: &Stepper, node: usize) -> bool {
        let n = plant.freedoms();
        stepper.within(node as f64 / PARTS as f64, &mut self.room);
        let is_there = plant.place(&self.room[..n], &self.room[n..2 * n]).is_ok();
        let joints = plant.joints().0.len();
        let view = plant.view(0.0);
        for (i, [q, v]) in self.nodes.iter_mut().enumerate() {
            (q[node], v[node]) = if i < joints {
                (plant.position_of(i).map_or(0.0, |at| view.q[at]), view.v[i])
            } else {
                let (q, v, _) = plant.follower(i - joints);
                (q, v)
            };
        }
        is_there
    }
}
