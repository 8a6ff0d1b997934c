//! A robot under its law as one program: accelerations, torques and cost of a state, from all numbers that they depend on.

use super::law::Moment;
use super::plant::Tree;
use super::text::SHARED;
use super::{Options, Refused};
use crate::expr::{Expr, Recorder};
use appell::Robot;
use appell::sample::Sampler;
use core::ops::Range;

/// How many numbers of each kind a program takes, in this order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) joints: usize,
    pub(super) torques: usize, // that are given for a step
    pub(super) varied: usize,
    pub(super) own: [usize; 2],    // of law and cost
    pub(super) shared: [usize; 2], // likewise
}

impl Layout {
    pub(super) fn new(joints: usize, options: &Options<'_>) -> Self {
        let (law, cost) = (&options.law, options.cost.as_ref());
        Self {
            joints,
            torques: if law.open.is_some() { joints } else { 0 },
            varied: options.varied.len(),
            own: [law.own.len(), cost.map_or(0, |cost| cost.own.len())],
            shared: [law.shared.len(), cost.map_or(0, |cost| cost.shared.len())],
        }
    }

    /// Names and lengths.
    pub(super) fn arguments(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("q", self.joints),
            ("v", self.joints),
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

/// What was recorded.
pub(super) struct Recorded<'g> {
    pub(super) layout: Layout,
    pub(super) inputs: Vec<Expr<'g>>,
    pub(super) a: Vec<Expr<'g>>,
    pub(super) tau: Vec<Expr<'g>>,
    /// l and φ.
    pub(super) cost: Option<[Expr<'g>; 2]>,
}

impl<'g> Recorded<'g> {
    /// The inputs of an argument.
    pub(super) fn of(&self, argument: &str) -> &[Expr<'g>] {
        &self.inputs[self.layout.places(argument)]
    }
}

/// Records a tree under its law.
pub(super) fn record<'g>(recorder: &'g Recorder, robot: &Robot, options: &Options<'_>) -> Result<Recorded<'g>, Refused> {
    let (tree, plant) = (robot.tree(), Tree::new(robot.tree(), &options.varied));
    let layout = Layout::new(tree.dof(), options);
    let state = Sampler::new(1).state(tree);
    // What the numbers of a law are when it is recorded does not matter.
    let mut values = vec![0.5; layout.len()];
    values[layout.places("q")].copy_from_slice(&state.q);
    values[layout.places("v")].copy_from_slice(&state.v);
    let nominal = options.varied.iter().map(|varied| varied.of(robot).expect("checked before"));
    values[layout.places("p")].iter_mut().zip(nominal).for_each(|(value, nominal)| *value = nominal);
    let inputs: Vec<Expr<'g>> = crate::kernel::record(recorder, &values);
    let of = |argument| &inputs[layout.places(argument)];
    let (own_of_law, own_of_cost) = of("own").split_at(layout.own[0]);
    let (shared_by_law, shared_by_cost) = of(SHARED).split_at(layout.shared[0]);
    let moment = Moment {
        t: of("t")[0],
        q: of("q"),
        v: of("v"),
        tau: of("torque"),
        shared: shared_by_law,
        own: own_of_law,
        model: tree,
    };
    let tau = (options.law.torques)(&moment);
    if tau.len() != layout.joints {
        return Err(Refused::Torques { found: tau.len(), joints: layout.joints });
    }
    let cost = options.cost.as_ref().map(|cost| {
        let moment = Moment { tau: &tau, shared: shared_by_cost, own: own_of_cost, ..moment };
        [(cost.running)(&moment), (cost.terminal)(&Moment { tau: &[], ..moment })]
    });
    let a = plant.accelerations(of("q"), of("v"), &tau, of("p"))?;
    Ok(Recorded { layout, a, tau, cost, inputs })
}
