//! States that lie one after the other, turned over into columns and back: all numbers of a joint side by side.

use super::States;

/// Calls a function for a width of rows, and a number of lanes, that the compiler knows, of those that most robots and processors have;
/// otherwise its slower twin, for which both are zero.
macro_rules! of_width {
    ($width:expr, $lanes:expr, $function:ident($($argument:expr),*)) => {
        of_width!(@ $width, $lanes, $function($($argument),*), 1 2 3 4 5 6 7 8 9)
    };
    (@ $width:expr, $lanes:expr, $function:ident $arguments:tt, $($known:literal)*) => {
        match ($width, $lanes) {
            $(
                ($known, 8) => of_width!(@call $function::<$known, 8> $arguments),
                ($known, 4) => of_width!(@call $function::<$known, 4> $arguments),
            )*
            _ => of_width!(@call $function::<0, 0> $arguments),
        }
    };
    (@call $function:ident::<$width:literal, $lanes:literal>($($argument:expr),*)) => {
        $function::<$width, $lanes>($($argument),*)
    };
}

/// Turns rows of so many numbers over into columns as long as there are lanes. The last row stands in lanes that are left over.
pub(super) fn to_columns(rows: &[f64], width: usize, lanes: usize, columns: &mut [f64]) {
    let count = rows.len() / width;
    if count == lanes {
        of_width!(width, lanes, whole_to_columns(rows, width, columns));
    } else {
        for (j, column) in columns.chunks_exact_mut(lanes).enumerate() {
            column.iter_mut().enumerate().for_each(|(i, x)| *x = rows[i.min(count - 1) * width + j]);
        }
    }
}

/// Turns columns as long as there are lanes over into rows of so many numbers, as many as there is room for.
pub(super) fn to_rows(columns: &[f64], width: usize, lanes: usize, rows: &mut [f64]) {
    if rows.len() == columns.len() {
        of_width!(width, lanes, whole_to_rows(columns, width, rows));
    } else {
        whole_to_rows::<0, 0>(columns, width, rows);
    }
}

/// Turns all states over into columns, lets them be answered, and turns the answers back into rows.
pub(super) fn by_columns<E>(
    states: &States<'_>,
    answers: &mut [f64],
    evaluate: impl FnOnce(&States<'_>, &mut [f64]) -> Result<(), E>,
) -> Result<(), E> {
    let count = states.count;
    let turned = |rows: &[f64]| {
        let mut columns = vec![0.0; rows.len()];
        if !rows.is_empty() {
            whole_to_columns::<0, 0>(rows, rows.len() / count, &mut columns);
        }
        columns
    };
    let States { q, v, a, tau, w, pose, twist, acceleration, .. } = *states;
    let [q, v, a, tau, w, pose, twist, acceleration] = [q, v, a, tau, w, pose, twist, acceleration].map(turned);
    let states = States {
        count,
        q: &q,
        v: &v,
        a: &a,
        tau: &tau,
        w: &w,
        pose: &pose,
        twist: &twist,
        acceleration: &acceleration,
    };
    let mut columns = vec![0.0; answers.len()];
    evaluate(&states, &mut columns)?;
    whole_to_rows::<0, 0>(&columns, answers.len() / count, answers);
    Ok(())
}

fn whole_to_columns<const WIDTH: usize, const LANES: usize>(rows: &[f64], width: usize, columns: &mut [f64]) {
    if WIDTH == 0 {
        let lanes = columns.len() / width;
        for (j, column) in columns.chunks_exact_mut(lanes).enumerate() {
            column.iter_mut().zip(rows.chunks_exact(width)).for_each(|(x, row)| *x = row[j]);
        }
        return;
    }
    let (rows, columns) = (rows.as_chunks::<WIDTH>().0, columns.as_chunks_mut::<LANES>().0);
    let (rows, columns) = (&rows[..LANES], &mut columns[..WIDTH]);
    for (j, column) in columns.iter_mut().enumerate() {
        for (x, row) in column.iter_mut().zip(rows) {
            *x = row[j];
        }
    }
}

fn whole_to_rows<const WIDTH: usize, const LANES: usize>(columns: &[f64], width: usize, rows: &mut [f64]) {
    if WIDTH == 0 {
        let lanes = columns.len() / width;
        for (i, row) in rows.chunks_exact_mut(width).enumerate() {
            row.iter_mut().zip(columns.chunks_exact(lanes)).for_each(|(x, column)| *x = column[i]);
        }
        return;
    }
    let (rows, columns) = (rows.as_chunks_mut::<WIDTH>().0, columns.as_chunks::<LANES>().0);
    let (rows, columns) = (&mut rows[..LANES], &columns[..WIDTH]);
    for (i, row) in rows.iter_mut().enumerate() {
        for (x, column) in row.iter_mut().zip(columns) {
            *x = column[i];
        }
    }
}
