//! All solutions of a member of a family, counted.
//!
//! As many paths start as almost all members have solutions, and every one must be accounted for: distinct regular ends, singular ones,
//! and those at infinity. Two paths that end in one regular solution have met, which exact paths never do: one jumped to the other.
//! The equations have real coefficients, so that with every solution the conjugate one is there; one that is missing is another sign of a
//! path that was lost. Then all paths are followed again on another arc.

use super::complex::Complex;
use super::equations::Equations;
use super::tracker::{End, Homotopy, Path};
use crate::sample::Sampler;

/// How good predictions are, over the size of the solution; and where paths have met.
const AIM: f64 = 3e-5;
const CLOSE_AIM: f64 = 1e-7;

/// Solutions nearer than this are one.
pub(super) const SAME: f64 = 1e-7;

/// The largest imaginary part of a solution that may be real, and of a singular one, whose end is known to fewer digits.
const REAL: f64 = 1e-6;
const NEARLY_REAL: f64 = 1e-3;

/// How far a solution that may be real moves at most until it is.
const MOST_POLISHED: f64 = 1e-4;

/// How often all paths are followed at most.
const RUNS: usize = 6;

/// What the paths ended in.
#[derive(Debug, Clone)]
pub(super) struct Solutions<const M: usize> {
    /// The real ones.
    pub(super) real: Vec<[f64; M]>,
    /// Singular ones that may be real, to a few digits.
    pub(super) nearly_real: Vec<[f64; M]>,
    /// Where the paths ended.
    pub(super) ends: Ends,
}

/// How many paths ended where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ends {
    /// In solutions by themselves, complex and real.
    pub regular: usize,
    /// Likewise, but farther away than a thousand times the robot's size, where no solution is real.
    pub far: usize,
    /// In solutions where the equations are singular, or that cannot be distinguished from another: double ones, or points of a continuum.
    pub singular: usize,
    /// At infinity.
    pub infinite: usize,
    /// Those that could not be followed or met another, or on whose ends no two runs agree: the count is not proved then.
    pub lost: usize,
    /// How often all paths were followed.
    pub runs: usize,
}

/// Solves a member from the solutions of another, on arcs that the seed chooses.
pub(super) fn solutions<E, const N: usize, const M: usize>(
    from: &E,
    starts: &[[Complex; M]],
    to: &E,
    seed: u64,
) -> Solutions<M>
where
    E: Equations<N, M>,
{
    let mut sampler = Sampler::new(seed);
    let mut runs: Vec<(Vec<Path<M>>, Ends)> = Vec::new();
    let judged = |ends: &Ends| [ends.regular, ends.singular];
    let (paths, ends) = loop {
        let (paths, mut ends) = follow(from, starts, to, &mut sampler);
        ends.runs = runs.len() + 1;
        // That a path goes to infinity, or to a double solution, is judged: two runs must agree on it.
        let agrees = || runs.iter().any(|(_, before)| before.lost == 0 && judged(before) == judged(&ends));
        if ends.lost == 0 && (ends.regular + ends.far == E::SOLUTIONS || agrees()) {
            break (paths, ends);
        }
        runs.push((paths, ends));
        if runs.len() == RUNS {
            let best = runs.into_iter().min_by_key(|(_, ends)| ends.lost).expect("there are runs");
            break (best.0, Ends { lost: best.1.lost.max(1), runs: RUNS, ..best.1 });
        }
    };
    let mut found = Solutions { real: Vec::new(), nearly_real: Vec::new(), ends };
    let homotopy = Homotopy::new(from, to, Complex::real(1.0));
    for path in &paths {
        let imaginary = path.x.iter().map(|x| x.im.abs()).fold(0.0, f64::max);
        let start = path.x.map(|x| Complex::real(x.re));
        match path.end {
            End::Regular if imaginary < REAL => {
                let mut x = start;
                let is_regular =
                    homotopy.polished(&mut x) == End::Regular && apart::<E, N, M>(&start, &x) < MOST_POLISHED;
                let x = x.map(|x| x.re);
                if is_regular && found.real.iter().all(|other| apart_if_real::<E, N, M>(other, &x) >= SAME) {
                    found.real.push(x);
                } else {
                    // A pair of conjugate solutions so near to each other is as good as double.
                    found.nearly_real.push(start.map(|x| x.re));
                    found.ends.regular -= 1;
                    found.ends.singular += 1;
                }
            }
            End::Singular if imaginary < NEARLY_REAL => found.nearly_real.push(start.map(|x| x.re)),
            _ => {}
        }
    }
    found
}

fn apart_if_real<E, const N: usize, const M: usize>(one: &[f64; M], other: &[f64; M]) -> f64
where
    E: Equations<N, M>,
{
    apart::<E, N, M>(&one.map(Complex::real), &other.map(Complex::real))
}

/// Follows all paths on one arc, those that meet again in short steps.
fn follow<E, const N: usize, const M: usize>(
    from: &E,
    starts: &[[Complex; M]],
    to: &E,
    sampler: &mut Sampler,
) -> (Vec<Path<M>>, Ends)
where
    E: Equations<N, M>,
{
    // Near half a turn the arc would pass infinity.
    let (sin, cos) = sampler.within(2.0).sin_cos();
    let homotopy = Homotopy::new(from, to, Complex { re: cos, im: sin });
    let mut paths = homotopy.follow(starts, AIM);
    for k in met::<E, N, M>(&paths) {
        paths[k] = homotopy.follow(&starts[k..=k], CLOSE_AIM)[0];
    }
    let count = |end: End| paths.iter().filter(|path| path.end == end).count();
    let ends = Ends {
        regular: count(End::Regular),
        far: count(End::Far),
        singular: count(End::Singular),
        infinite: count(End::Infinite),
        lost: count(End::Lost) + met::<E, N, M>(&paths).len() + unpaired::<E, N, M>(&paths),
        runs: 1,
    };
    (paths, ends)
}

/// Whether a path ended in a solution by itself, however far away.
fn is_finite<const M: usize>(path: &Path<M>) -> bool {
    matches!(path.end, End::Regular | End::Far)
}

/// Regular ends that are those of other paths, too.
fn met<E, const N: usize, const M: usize>(paths: &[Path<M>]) -> Vec<usize>
where
    E: Equations<N, M>,
{
    let is_met = |k: &usize| {
        let others = paths.iter().enumerate().filter(|(other, path)| other != k && is_finite(path));
        is_finite(&paths[*k]) && others.map(|(_, path)| path).any(|path| apart::<E, N, M>(&paths[*k].x, &path.x) < SAME)
    };
    (0..paths.len()).filter(is_met).collect()
}

/// How many regular ends have no conjugate.
fn unpaired<E, const N: usize, const M: usize>(paths: &[Path<M>]) -> usize
where
    E: Equations<N, M>,
{
    let regular = || paths.iter().filter(|path| is_finite(path));
    let is_alone = |path: &&Path<M>| {
        let conjugate = path.x.map(|x| Complex { im: -x.im, ..x });
        regular().all(|other| apart::<E, N, M>(&conjugate, &other.x) >= SAME)
    };
    regular().filter(is_alone).count()
}

/// How far two solutions are apart, over their size; coordinates that stand for the same rotation with either sign count as equal.
pub(super) fn apart<E, const N: usize, const M: usize>(one: &[Complex; M], other: &[Complex; M]) -> f64
where
    E: Equations<N, M>,
{
    let size = one.iter().map(|x| x.size()).fold(1.0, f64::max);
    let far = |sign: f64| {
        let signed = |k: usize| other[k].scale(if k < E::OF_EITHER_SIGN { sign } else { 1.0 });
        (0..M).map(|k| (one[k] - signed(k)).size()).fold(0.0, f64::max) / size
    };
    far(1.0).min(far(-1.0))
}
