//! The triangle R of a tall matrix, W = Q R: all that least squares needs of it.
//!
//! Rows are taken in blocks that caches hold, side by side, and the triangles of blocks are a matrix of the same kind, but shorter. Blocks do
//! not depend on the number of cores, nor do the digits.

use nalgebra::DMatrix;
use rayon::prelude::*;

/// Rows of a block, over columns.
const BLOCK: usize = 8;

/// R of a matrix of so many rows and columns by its entries, with a positive diagonal; as many rows as columns, or fewer where there are no more.
pub(crate) fn triangle(rows: usize, columns: usize, entry: &(dyn Fn(usize, usize) -> f64 + Sync)) -> DMatrix<f64> {
    let block = (BLOCK * columns).max(1);
    if rows <= 2 * block {
        return DMatrix::from_fn(rows, columns, entry).qr().r();
    }
    let starts: Vec<usize> = (0..rows).step_by(block).collect();
    let of_block = |&from: &usize| {
        let many = block.min(rows - from);
        DMatrix::from_fn(many, columns, |i, k| entry(from + i, k)).qr().r()
    };
    let triangles: Vec<DMatrix<f64>> = starts.par_iter().map(of_block).collect();
    let above = columns.min(block);
    let height = (triangles.len() - 1) * above + triangles.last().map_or(0, DMatrix::nrows);
    triangle(height, columns, &|i, k| triangles[i / above][(i % above, k)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use appell::sample::Sampler;

    #[test]
    fn blocks_have_the_triangle_of_the_whole() {
        let mut sampler = Sampler::new(1);
        for (rows, columns) in [(2000, 7), (1000, 1), (700, 40), (5, 8), (333, 20)] {
            let whole = DMatrix::from_fn(rows, columns, |_, _| sampler.within(1.0));
            let (r, expected) = (triangle(rows, columns, &|i, k| whole[(i, k)]), whole.clone().qr().r());
            assert_eq!(r.shape(), expected.shape());
            assert!((&r - &expected).amax() < 1e-12 * expected.amax(), "{rows} × {columns}");
        }
    }
}
