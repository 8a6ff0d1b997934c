//! Friction that jumps, of a tree's joints, Coulomb's and Stribeck's: a simulation lets these joints stick and slip, and the plant's own
//! equations are those without it.

use appell::description::{Friction, FrictionCurve, JointEffects};
use appell::mechanism::Mechanism;

/// Friction that jumps: what holds a joint at rest, and what resists it when it slips. The default is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DryFriction {
    terms: Vec<(f64, Friction)>, // how fast each slips per unit of the joint's speed, and what it is
}

impl DryFriction {
    /// What holds the joint at rest, N m or N; zero if nothing does.
    #[must_use]
    pub fn at_rest(&self) -> f64 {
        self.terms.iter().map(|(ratio, friction)| ratio * friction.at_rest()).sum()
    }

    /// What resists when the joint slips at a velocity, N m or N: less than at rest where Stribeck's excess is part of it.
    #[must_use]
    pub fn at(&self, v: f64) -> f64 {
        if v == 0.0 {
            return self.at_rest();
        }
        self.terms.iter().map(|(ratio, friction)| ratio * friction.resistance(ratio * v.abs())).sum()
    }
}

/// The part of a joint's friction that jumps. Negative friction, which a controller may imitate, holds nothing.
fn dry_part(effects: &JointEffects) -> Option<Friction> {
    let Friction { coulomb, smoothing, curve, .. } = effects.friction;
    let excess =
        curve.filter(|curve| curve.stribeck != 0.0).map(|FrictionCurve { stribeck, stribeck_speed, .. }| {
            FrictionCurve { stribeck, stribeck_speed, ..FrictionCurve::default() }
        });
    let jumps = Friction { coulomb, curve: excess, ..Friction::default() };
    (smoothing == 0.0 && jumps.at_rest() > 0.0).then_some(jumps)
}

/// What every row has of it; empty if none has any.
pub(super) fn of_rows(tree: &Mechanism) -> Vec<DryFriction> {
    let parts: Vec<Option<Friction>> = tree.effects().iter().map(dry_part).collect();
    if parts.iter().all(Option::is_none) {
        return Vec::new();
    }
    parts.into_iter().map(|part| DryFriction { terms: part.into_iter().map(|own| (1.0, own)).collect() }).collect()
}

/// What every velocity has of it: rows that follow one velocity add to its friction, by what they move for it. Rows that several
/// velocities move cannot be said to stick by one of them, and keep theirs in the equations: these, too.
pub(super) fn of_velocities(tree: &Mechanism) -> (Vec<DryFriction>, Vec<usize>) {
    let rows = of_rows(tree);
    let Some(own) = tree.coordinates().filter(|_| !rows.is_empty()) else { return (rows, Vec::new()) };
    let m = own.velocities().len();
    let (mut unit, mut moved) = (vec![0.0; m], vec![0.0; tree.dof()]);
    let mut ratios: Vec<Vec<(usize, f64)>> = vec![Vec::new(); tree.dof()]; // velocities that move a row, and how much
    for k in 0..m {
        unit[k] = 1.0;
        own.spread(&unit, &mut moved);
        unit[k] = 0.0;
        for (ratios, &ratio) in ratios.iter_mut().zip(&moved).filter(|(_, ratio)| **ratio != 0.0) {
            ratios.push((k, ratio));
        }
    }
    let (mut found, mut shared) = (vec![DryFriction::default(); m], Vec::new());
    for (row, dry) in rows.into_iter().enumerate().filter(|(_, dry)| !dry.terms.is_empty()) {
        match ratios[row].as_slice() {
            &[(k, ratio)] => found[k].terms.extend(dry.terms.into_iter().map(|(_, own)| (ratio.abs(), own))),
            _ => shared.push(row),
        }
    }
    if found.iter().all(|dry| dry.terms.is_empty()) {
        found.clear();
    }
    (found, shared)
}

/// The same robot without it, but for some rows.
pub(super) fn without(tree: &Mechanism, but: &[usize]) -> Mechanism {
    let stays = |joint: &str| but.iter().any(|&row| tree.joint_names()[row] == joint);
    tree.with_effects(|joint, mut effects| {
        if dry_part(&effects).is_some() && !stays(joint) {
            effects.friction.coulomb = 0.0;
            if let Some(curve) = &mut effects.friction.curve {
                curve.stribeck = 0.0;
            }
        }
        effects
    })
}

/// The joint whose friction jumps and which cannot stick in a simulation, because several velocities move it: a motor behind a
/// transmission. It needs some smoothing.
#[must_use]
pub fn joint_that_cannot_stick(tree: &Mechanism) -> Option<&str> {
    of_velocities(tree).1.first().map(|&row| tree.joint_names()[row].as_str())
}
