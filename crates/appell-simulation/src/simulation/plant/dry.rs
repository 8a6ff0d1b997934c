//! Coulomb friction that jumps, of a tree's joints: a simulation lets these joints stick and slip, and the plant's own equations are
//! those without it.

use appell::description::JointEffects;
use appell::mechanism::Mechanism;

/// Whether a joint's friction jumps. Negative friction, which a controller may imitate, holds nothing.
fn is_dry(effects: &JointEffects) -> bool {
    effects.friction.coulomb > 0.0 && effects.friction.smoothing == 0.0
}

/// What every row has of it, N m or N; empty if none has any.
pub(super) fn of_rows(tree: &Mechanism) -> Vec<f64> {
    if !tree.effects().iter().any(is_dry) {
        return Vec::new();
    }
    tree.effects().iter().map(|effects| if is_dry(effects) { effects.friction.coulomb } else { 0.0 }).collect()
}

/// What every velocity has of it: rows that follow one velocity add to its friction, by what they move for it. Rows that several
/// velocities move cannot be said to stick by one of them, and keep theirs in the equations: these, too.
pub(super) fn of_velocities(tree: &Mechanism) -> (Vec<f64>, Vec<usize>) {
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
    let (mut found, mut shared) = (vec![0.0; m], Vec::new());
    for (row, &coulomb) in rows.iter().enumerate().filter(|(_, coulomb)| **coulomb > 0.0) {
        match ratios[row].as_slice() {
            &[(k, ratio)] => found[k] += coulomb * ratio.abs(),
            _ => shared.push(row),
        }
    }
    if found.iter().all(|&level| level == 0.0) {
        found.clear();
    }
    (found, shared)
}

/// The same robot without it, but for some rows.
pub(super) fn without(tree: &Mechanism, but: &[usize]) -> Mechanism {
    let stays = |joint: &str| but.iter().any(|&row| tree.joint_names()[row] == joint);
    tree.with_effects(|joint, mut effects| {
        if is_dry(&effects) && !stays(joint) {
            effects.friction.coulomb = 0.0;
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
