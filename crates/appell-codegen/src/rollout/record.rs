//! A robot under its law as one program: accelerations, torques and cost of a state, from all numbers that they depend on.

use super::law::{Model, Moment, drives};
use super::plant::Tree;
use super::platform::Platform;
use super::text::SHARED;
use super::{Options, Refused};
use crate::expr::{Expr, Recorder};
use appell::sample::Sampler;
use appell::{Model as Kind, Robot};
use core::ops::Range;

/// The numbers of a pose: a position and a quaternion.
const POSE: usize = 7;

/// How many numbers of each kind a program takes, in this order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) positions: usize,
    pub(super) velocities: usize,
    pub(super) drives: usize,
    pub(super) torques: usize, // that are given for a step
    pub(super) varied: usize,
    pub(super) own: [usize; 2],    // of law and cost
    pub(super) shared: [usize; 2], // likewise
}

impl Layout {
    fn new(robot: &Robot, options: &Options<'_>) -> Self {
        let (law, cost, drives) = (&options.law, options.cost.as_ref(), drives(robot));
        let (positions, velocities) = match robot.model() {
            Kind::Tree(tree) => (tree.dof(), tree.dof()),
            Kind::Closed(closed) => (POSE, closed.freedoms().len()),
        };
        Self {
            positions,
            velocities,
            drives,
            torques: if law.open.is_some() { drives } else { 0 },
            varied: options.varied.len(),
            own: [law.own.len(), cost.map_or(0, |cost| cost.own.len())],
            shared: [law.shared.len(), cost.map_or(0, |cost| cost.shared.len())],
        }
    }

    /// Names and lengths.
    pub(super) fn arguments(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("q", self.positions),
            ("v", self.velocities),
            ("t", 1),
            ("torque", self.torques),
            ("p", self.varied),
            ("own", self.own.iter().sum()),
            (SHARED, self.shared.iter().sum()),
        ]
    }

    /// How many numbers there are in all.
    pub(super) fn len(&self) -> usize {
        self.arguments().iter().map(|(_, length)| length).sum()
    }

    /// Where an argument's numbers are among all.
    pub(super) fn places(&self, argument: &str) -> Range<usize> {
        let mut start = 0;
        for (name, length) in self.arguments() {
            if name == argument {
                return start..start + length;
            }
            start += length;
        }
        unreachable!("an argument of the layout")
    }
}

/// What moves.
pub(super) enum Plant<'r> {
    Tree(Box<Tree<'r>>),
    Platform(Box<Platform<'r>>),
}

impl<'r> Plant<'r> {
    pub(super) fn new(robot: &'r Robot, options: &'r Options<'_>) -> Result<Self, Refused> {
        Ok(match robot.model() {
            Kind::Tree(tree) => Self::Tree(Box::new(Tree::new(tree, &options.varied))),
            Kind::Closed(closed) => Self::Platform(Box::new(Platform::new(closed, &options.varied)?)),
        })
    }

    /// A state to record at: positions and velocities.
    fn sample(&self) -> (Vec<f64>, Vec<f64>) {
        match self {
            Self::Tree(tree) => {
                let state = Sampler::new(1).state(tree.robot);
                (state.q, state.v)
            }
            Self::Platform(platform) => platform.sample(),
        }
    }
}

/// What was recorded.
pub(super) struct Recorded<'g> {
    pub(super) layout: Layout,
    pub(super) inputs: Vec<Expr<'g>>,
    pub(super) a: Vec<Expr<'g>>,
    pub(super) tau: Vec<Expr<'g>>,
    /// l and φ.
    pub(super) cost: Option<[Expr<'g>; 2]>,
    /// What else is needed of a platform.
    pub(super) platform: Option<OfPlatform<'g>>,
}

/// What a platform's steps need beyond accelerations.
pub(super) struct OfPlatform<'g> {
    /// Rates of the pose.
    pub(super) way: Vec<Expr<'g>>,
    /// The pose brought back to the robot's.
    pub(super) closed: Vec<Expr<'g>>,
    /// How far loops are open.
    pub(super) gap: Expr<'g>,
    /// Positions and velocities of the drives.
    pub(super) drives: Vec<Expr<'g>>,
}

impl<'g> Recorded<'g> {
    /// The inputs of an argument.
    pub(super) fn of(&self, argument: &str) -> &[Expr<'g>] {
        &self.inputs[self.layout.places(argument)]
    }
}

/// Records a robot under its law.
pub(super) fn record<'g>(
    recorder: &'g Recorder,
    robot: &Robot,
    plant: &Plant<'_>,
    options: &Options<'_>,
) -> Result<Recorded<'g>, Refused> {
    let layout = Layout::new(robot, options);
    // What the numbers of a law are when it is recorded does not matter.
    let mut values = vec![0.5; layout.len()];
    let (q, v) = plant.sample();
    values[layout.places("q")].copy_from_slice(&q);
    values[layout.places("v")].copy_from_slice(&v);
    let nominal = options.varied.iter().map(|varied| varied.of(robot).expect("checked before"));
    values[layout.places("p")].iter_mut().zip(nominal).for_each(|(value, nominal)| *value = nominal);
    let inputs: Vec<Expr<'g>> = crate::kernel::record(recorder, &values);
    let of = |argument| &inputs[layout.places(argument)];
    let (shared, own) = (of(SHARED).split_at(layout.shared[0]), of("own").split_at(layout.own[0]));
    let legs = match plant {
        Plant::Tree(_) => None,
        Plant::Platform(platform) => {
            let legs = platform.legs(of("q"), of("v"))?;
            // What is singular is refused here.
            platform.accelerations(&legs, &legs.q, of("p"))?;
            Some((platform, legs))
        }
    };
    let (q, v, pose, r, model): (_, _, &[_], &[_], _) = match &legs {
        None => (of("q"), of("v"), &[], &[], Model::Tree(robot.tree())),
        Some((platform, legs)) => (&legs.q[..], &legs.v[..], of("q"), of("v"), Model::Platform(platform, legs)),
    };
    let moment = Moment { t: of("t")[0], q, v, pose, r, tau: of("torque"), shared: shared.0, own: own.0, model };
    let tau = (options.law.torques)(&moment);
    if tau.len() != layout.drives {
        return Err(Refused::Torques { found: tau.len(), joints: layout.drives });
    }
    let cost = options.cost.as_ref().map(|cost| {
        let moment = Moment { tau: &tau, shared: shared.1, own: own.1, ..moment };
        [(cost.running)(&moment), (cost.terminal)(&Moment { tau: &[], ..moment })]
    });
    let a = match (plant, &legs) {
        (Plant::Tree(tree), _) => tree.accelerations(of("q"), of("v"), &tau, of("p"))?,
        (_, Some((platform, legs))) => platform.accelerations(legs, &tau, of("p"))?,
        (_, None) => unreachable!("a platform has legs"),
    };
    let platform = match &legs {
        None => None,
        Some((platform, legs)) => Some(OfPlatform {
            way: platform.way(of("q"), of("v"))?,
            closed: platform.closed(of("q"), of("v"))?,
            gap: platform.gap(legs),
            drives: [&legs.q[..], &legs.v].concat(),
        }),
    };
    Ok(Recorded { layout, a, tau, cost, platform, inputs })
}
