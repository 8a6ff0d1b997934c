//! Rows of a tree that follow others, written as sums over those that follow none.

/// How a row follows others: `q = Σ factor q_leader + offset`.
#[derive(Debug, Clone, PartialEq)]
pub struct Follower {
    /// The rows that it follows, each with its factor.
    pub leaders: Vec<(usize, f64)>,
    /// rad or m.
    pub offset: f64,
}

/// A row as a sum over velocities that are coordinates of their own, and its offset.
pub(super) type Sum = (Vec<(usize, f64)>, f64);

/// Writes every follower as a sum over coordinates of their own; a row of a circle, if there is one.
pub(super) fn resolve(followers: &[Option<Follower>], sums: &mut [Option<Sum>]) -> Result<(), usize> {
    loop {
        let mut has_progressed = false;
        for (row, follower) in followers.iter().enumerate() {
            let Some(follower) = follower.as_ref().filter(|_| sums[row].is_none()) else { continue };
            if follower.leaders.iter().all(|(leader, _)| sums[*leader].is_some()) {
                sums[row] = Some(combined(follower, sums));
                has_progressed = true;
            }
        }
        let Some(mut row) = (0..sums.len()).find(|&row| followers[row].is_some() && sums[row].is_none()) else {
            return Ok(());
        };
        if !has_progressed {
            // Who follows rows without a sum for long enough has come into the circle.
            for _ in 0..sums.len() {
                let leaders = followers[row].iter().flat_map(|follower| &follower.leaders);
                row = leaders.map(|(leader, _)| *leader).find(|&leader| sums[leader].is_none()).unwrap_or(row);
            }
            return Err(row);
        }
    }
}

/// A follower of rows whose sums are known.
fn combined(follower: &Follower, sums: &[Option<Sum>]) -> Sum {
    let (mut sum, mut offset): Sum = (Vec::new(), follower.offset);
    for &(leader, multiplier) in &follower.leaders {
        let Some((terms, shift)) = &sums[leader] else { continue };
        offset += multiplier * shift;
        for &(velocity, factor) in terms {
            match sum.iter_mut().find(|(own, _)| *own == velocity) {
                Some((_, own)) => *own += multiplier * factor,
                None => sum.push((velocity, multiplier * factor)),
            }
        }
    }
    (sum, offset)
}
