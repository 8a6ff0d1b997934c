//! Limits that a motion passes within a step, and keeps again at its end.
//!
//! Joints that are coordinates are polynomials along a step, [`Quartic`]s, of which nothing is missed. Joints of closed robots, and those
//! that follow others, are looked at in four equal parts of the step, by the quartic through their positions, and that through their
//! velocities: exact for a follower that moves in proportion, and as exact for others as the continuous extension is, which has the same
//! degree. Where the state at both ends says that nothing can come near a limit, they are not looked at. Torques and forces of the drives, and
//! how near singularities are, follow from the state: they are computed in the same parts of the step, where they are watched.

use super::quartic::Quartic;
use super::stepper::Stepper;
use super::system::System;
use super::{Plant, Watched};
use appell::description::Limits;

/// Parts of a step.
const PARTS: usize = 4;

/// Places that `beyond_computed` finds at most: of the drives, and two of each type of singularity.
pub(super) const COMPUTED: usize = 5;

/// Numbers at the ends of the parts.
type Nodes<const N: usize> = [[f64; PARTS + 1]; N];

/// What is known within a step.
#[derive(Debug, Clone)]
pub(super) struct Within {
    nodes: Vec<Nodes<2>>,   // positions and velocities of joints, then of followers
    efforts: Vec<Nodes<1>>, // of the drives
    near: Nodes<2>,         // to singularities, of both types
    room: Vec<f64>,
}

impl Within {
    pub(super) fn new(plant: &dyn Plant, length: usize) -> Self {
        let many = plant.joints().0.len() + plant.followers();
        Self {
            nodes: vec![Nodes::default(); many],
            efforts: vec![Nodes::default(); plant.efforts()],
            near: Nodes::default(),
            room: vec![0.0; length],
        }
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

    /// Some θ of the last step, from `t` on and `h` long, at which the torque or force of a drive may pass its limit, or a singularity may be
    /// nearer than `least`, as far as four parts of the step show it; the plant is brought somewhere within the step.
    pub(super) fn beyond_computed(
        &mut self,
        system: &mut System<'_>,
        stepper: &Stepper,
        [t, h]: [f64; 2],
        limits: Option<&[f64]>,
        least: Option<f64>,
        own_rates: &mut [f64],
    ) -> [Option<f64>; COMPUTED] {
        let mut found = [None; COMPUTED];
        if limits.is_none() && least.is_none() {
            return found;
        }
        for node in 0..=PARTS {
            let part = node as f64 / PARTS as f64;
            stepper.within(part, &mut self.room);
            if system.place(t + part * h, &self.room, own_rates).is_err() {
                return found; // where the robot cannot be, or its law cannot go on, the end of the step says so
            }
            for ([nodes], effort) in self.efforts.iter_mut().zip(&*system.efforts) {
                nodes[node] = *effort;
            }
            if least.is_some() {
                let (type1, type2) = system.plant.nearness().unwrap_or((1.0, 1.0));
                for (nodes, value) in self.near.iter_mut().zip([type1, type2]) {
                    nodes[node] = if value.is_nan() { 0.0 } else { value };
                }
            }
        }
        let of_drives = limits.into_iter().flatten().zip(&self.efforts);
        let of_drives = of_drives.filter_map(|(limit, [nodes])| Quartic::through(*nodes).most_beyond([-limit, *limit]));
        found[0] = of_drives.reduce(f64::min);
        for (least, (nodes, found)) in least.into_iter().cycle().zip(self.near.iter().zip(found[1..].chunks_mut(2))) {
            found[0] = Quartic::through(*nodes).most_beyond([least, f64::INFINITY]);
            found[1] = crossing(nodes).and_then(|signed| signed.beyond([0.0, f64::INFINITY]));
        }
        found
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

/// A positive number that may fall to zero between two nodes and rise again, as what a singularity is crossed by does, with its sign: smooth,
/// where the number itself has a corner. None where it changes too little from node to node for that.
fn crossing(nodes: &[f64; PARTS + 1]) -> Option<Quartic> {
    let sum = |k: usize| nodes[k] + nodes[k + 1];
    let last = (0..PARTS).min_by(|&one, &other| sum(one).total_cmp(&sum(other)))?; // before it is crossed
    let others = (0..PARTS).filter(|&k| k != last);
    let fastest = others.map(|k| (nodes[k + 1] - nodes[k]).abs()).fold(0.0, f64::max);
    (sum(last) <= 2.0 * fastest)
        .then(|| Quartic::through(core::array::from_fn(|k| if k > last { -nodes[k] } else { nodes[k] })))
}
