//! Follows the solutions of one member of a family to those of another.
//!
//! ```text
//! f(x, τ) = 0,  τ = γ t / (1 − t + γ t),  t from 1, the start, to 0        ẋ = −(∂f/∂x)⁻¹ ∂f/∂τ τ̇
//! ```
//!
//! A step is predicted by the classical method of Runge and Kutta and corrected by two of Newton's (AllgowerGeorg1990); what the first of
//! these corrects chooses the length of the next. Paths run abreast in the lanes of the processor, each with a step length of its own.
//! For almost all γ no path meets another on the way (SommeseWampler2005, §7).

use super::complex::{Abreast, Complex};
use super::equations::{At, Equations, Linear};
use crate::real::{Lanes, Real};
use fearless_simd::{Level, Simd};

/// The stages of the classical method: the part of the step at which a rate is taken, and its weight. Stages and corrections are loops:
/// each written out would be a solution of linear equations more to compile, of every family and for every processor.
const RUNGE_KUTTA: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

/// What the second correction of a step may be, over the size of the solution.
const CORRECTED: f64 = 1e-6;

/// A prediction that is wrong by so many times the aim is taken back.
const TOLERATED: f64 = 20.0;

/// The first step, and the shortest.
const FIRST_STEP: f64 = 0.05;
const SHORTEST_STEP: f64 = 1e-13;

/// A path that is bounded and has come so near to its end without arriving ends in a singular solution.
const AT_END: f64 = 1e-10;

/// Sizes by which a path to infinity is known, in sizes of the robot: there is no real solution out there.
const FAR: [f64; 3] = [1e3, 1e4, 1e5];

/// Of 1/t, in which the size of a path to infinity grows.
const LARGEST_POWER: f64 = 20.0;

/// Steps after which a path is given up, which takes fifty, or two hundred to infinity: near infinity they become too short.
const MOST_STEPS: usize = 600;

/// Lanes of the widest registers of any processor, and more.
const WIDEST: usize = 16;

/// Newton's corrections at the end, and what the last may be.
const POLISHES: usize = 6;
const POLISHED: f64 = 1e-9;

/// How a path ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// In a solution by itself.
    Regular,
    /// In a solution where the Jacobian is singular: a double one, or one of a continuum.
    Singular,
    /// In a solution by itself, so far away that it cannot be real.
    Far,
    /// At infinity.
    Infinite,
    /// It could not be followed.
    Lost,
}

/// Where a path ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path<const M: usize> {
    pub(super) end: End,
    pub(super) x: [Complex; M],
}

/// The way from the solutions of one member to those of another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Homotopy<E> {
    to: E,
    way: E,
    gamma: Complex,
}

/// A path on its way.
#[derive(Debug, Clone, Copy)]
struct Walk {
    path: Option<usize>,
    t: f64,
    h: f64,
    steps: usize,
    far: [(f64, f64); 3], // t and size where it was first so far away
    marks: usize,
}

impl Walk {
    const IDLE: Self = Self { path: None, t: 1.0, h: 0.0, steps: 0, far: [(0.0, 0.0); 3], marks: 0 };

    fn new(path: usize) -> Self {
        Self { path: Some(path), h: FIRST_STEP, ..Self::IDLE }
    }

    /// Keeps account of a path that goes far away; whether it goes to infinity: then its size grows like a power of t, while that of one
    /// that only passes by grows like a power of the way to where it passes, which is many powers of t.
    fn is_infinite(&mut self, size: f64) -> bool {
        if self.marks == FAR.len() || size <= FAR[self.marks] {
            return false;
        }
        self.far[self.marks] = (self.t, size);
        self.marks += 1;
        let [_, (t, size), (next, larger)] = self.far;
        self.marks == FAR.len() && (larger / size).ln() < LARGEST_POWER * (t / next).ln()
    }
}

impl<E> Homotopy<E> {
    /// From one member to another on the arc of γ.
    pub(super) fn new<const N: usize, const M: usize>(from: &E, to: &E, gamma: Complex) -> Self
    where
        E: Equations<N, M>,
    {
        Self { to: *to, way: to.way(from), gamma }
    }

    /// Follows the solutions `starts`, each of whose predictions is to be so good.
    pub(super) fn follow<const N: usize, const M: usize>(&self, starts: &[[Complex; M]], aim: f64) -> Vec<Path<M>>
    where
        E: Equations<N, M>,
    {
        let mut paths = vec![Path { end: End::Lost, x: [Complex::ZERO; M] }; starts.len()];
        self.follow_abreast(starts, aim, &mut paths);
        for path in &mut paths {
            if path.end == End::Regular {
                path.end = self.polished(&mut path.x);
            }
            if E::size(&path.x).sqrt() > FAR[0] {
                path.end = match path.end {
                    End::Regular => End::Far,
                    End::Singular => End::Infinite,
                    end => end,
                };
            }
        }
        paths
    }

    #[cfg(target_arch = "x86_64")]
    fn follow_abreast<const N: usize, const M: usize>(&self, starts: &[[Complex; M]], aim: f64, paths: &mut [Path<M>])
    where
        E: Equations<N, M>,
    {
        let level = Level::new();
        if let Some(avx512) = level.as_avx512() {
            self.in_lanes(avx512, starts, aim, paths);
        } else if let Some(avx2) = level.as_avx2() {
            self.in_lanes(avx2, starts, aim, paths);
        } else {
            self.walk(0.0, starts, aim, paths);
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn follow_abreast<const N: usize, const M: usize>(&self, starts: &[[Complex; M]], aim: f64, paths: &mut [Path<M>])
    where
        E: Equations<N, M>,
    {
        fearless_simd::dispatch!(Level::new(), simd => self.in_lanes(simd, starts, aim, paths));
    }

    #[inline(always)]
    fn in_lanes<const N: usize, const M: usize, S: Simd>(
        &self,
        simd: S,
        starts: &[[Complex; M]],
        aim: f64,
        paths: &mut [Path<M>],
    ) where
        E: Equations<N, M>,
    {
        simd.vectorize(
            #[inline(always)]
            || self.walk(Lanes::splat(simd, 0.0), starts, aim, paths),
        );
    }

    /// Walks along all paths, as many abreast as `like` has lanes.
    #[inline(always)]
    fn walk<T: Abreast, const N: usize, const M: usize>(
        &self,
        like: T,
        starts: &[[Complex; M]],
        aim: f64,
        paths: &mut [Path<M>],
    ) where
        E: Equations<N, M>,
    {
        let mut walks = [Walk::IDLE; WIDEST];
        let mut x = [Complex::zero(like); M];
        let mut waiting = 0..starts.len();
        for (lane, walk) in walks[..T::PATHS].iter_mut().enumerate() {
            begin(walk, lane, &mut waiting, starts, &mut x);
        }
        while walks[..T::PATHS].iter().any(|walk| walk.path.is_some()) {
            let (t, h) = (like.gather(|lane| walks[lane].t), like.gather(|lane| walks[lane].h));
            let (y, first, second) = self.step(t, h, &x);
            let size = E::size(&y);
            let mut kept = [-1.0; WIDEST];
            for (lane, walk) in walks[..T::PATHS].iter_mut().enumerate() {
                let Some(path) = walk.path else { continue };
                let (first, second) = (first.path(lane).sqrt(), second.path(lane).sqrt());
                walk.steps += 1;
                if first < TOLERATED * aim && second < CORRECTED {
                    kept[lane] = 1.0;
                    walk.t = if walk.h >= walk.t { 0.0 } else { walk.t - walk.h };
                }
                let end = if kept[lane] > 0.0 && walk.t == 0.0 {
                    End::Regular
                } else if kept[lane] > 0.0 && walk.is_infinite(size.path(lane).sqrt()) {
                    End::Infinite
                } else if walk.t < AT_END {
                    End::Singular
                } else if walk.h < SHORTEST_STEP || walk.steps > MOST_STEPS {
                    End::Lost
                } else {
                    // The error of the method grows with the fifth power of the step, but not only it decides.
                    let factor = if first.is_finite() { (aim / first.max(1e-15)).sqrt().sqrt() } else { 0.0 };
                    let most = if kept[lane] > 0.0 { 3.0 } else { 0.5 };
                    walk.h = (walk.h * (0.9 * factor).clamp(0.1, most)).min(walk.t);
                    continue;
                };
                let of_lane = |x: &Complex<T>| Complex { re: x.re.path(lane), im: x.im.path(lane) };
                paths[path] =
                    Path { end, x: core::array::from_fn(|k| of_lane(if kept[lane] > 0.0 { &y[k] } else { &x[k] })) };
                walk.path = None;
            }
            let which = like.gather(|lane| kept[lane]);
            for k in 0..M {
                x[k] = x[k].or(which, y[k]);
            }
            for (lane, walk) in walks[..T::PATHS].iter_mut().enumerate().filter(|(_, walk)| walk.path.is_none()) {
                begin(walk, lane, &mut waiting, starts, &mut x);
            }
        }
    }

    /// A step from t to t − h: where it leads, and the squares of both corrections, over the size of the solution.
    #[inline(always)]
    fn step<T: Real, const N: usize, const M: usize>(&self, t: T, h: T, x: &[Complex<T>; M]) -> ([Complex<T>; M], T, T)
    where
        E: Equations<N, M>,
    {
        let zero = [Complex::zero(t); M];
        let (mut mean, mut rate) = (zero, zero);
        for (part, weight) in RUNGE_KUTTA {
            let way = h.scale(part);
            rate = self.rate(t - way, &ahead(x, &rate, -way));
            for k in 0..M {
                mean[k] = mean[k] + rate[k].scale(weight);
            }
        }
        let mut y = ahead(x, &mean, -h);
        let (tau, _) = self.tau(t - h);
        let mut corrections = [t; 2];
        for correction in &mut corrections {
            *correction = self.correct(tau, &mut y);
        }
        let [first, second] = corrections;
        (y, first, second)
    }

    /// τ and its derivative.
    #[inline(always)]
    fn tau<T: Real>(&self, t: T) -> (Complex<T>, Complex<T>) {
        let gamma = self.gamma.lift(t);
        let rest = Complex { re: t.constant(1.0) - t, im: t.zero() };
        let per = (rest + gamma.times(t)).inverse();
        (gamma.times(t) * per, gamma * per * per)
    }

    /// ẋ.
    #[inline(always)]
    fn rate<T: Real, const N: usize, const M: usize>(&self, t: T, x: &[Complex<T>; M]) -> [Complex<T>; M]
    where
        E: Equations<N, M>,
    {
        let (tau, tau_rate) = self.tau(t);
        let mut linear = Linear::new(t);
        self.to.linearise(&self.way, At { tau, x, values: false }, &mut linear);
        linear.solve();
        for unknown in &mut linear.right {
            *unknown = *unknown * tau_rate;
        }
        E::rates(x, &linear.right)
    }

    /// One of Newton's corrections; its square, over that of the solution's size.
    #[inline(always)]
    fn correct<T: Real, const N: usize, const M: usize>(&self, tau: Complex<T>, x: &mut [Complex<T>; M]) -> T
    where
        E: Equations<N, M>,
    {
        E::normalise(x);
        let mut linear = Linear::new(tau.re);
        self.to.linearise(&self.way, At { tau, x, values: true }, &mut linear);
        linear.solve();
        let by = E::rates(x, &linear.right);
        let (mut correction, mut size) = (tau.re.zero(), tau.re.zero());
        for k in 0..M {
            correction = correction + by[k].square();
            size = size + x[k].square();
            x[k] = x[k] + by[k];
        }
        correction / size
    }

    /// Improves a solution of the last member; whether it is one by itself.
    pub(super) fn polished<const N: usize, const M: usize>(&self, x: &mut [Complex; M]) -> End
    where
        E: Equations<N, M>,
    {
        let mut last = f64::INFINITY;
        for _ in 0..POLISHES {
            let correction = self.correct(Complex::ZERO, x).sqrt();
            if correction < 1e-15 {
                last = correction;
                break;
            }
            last = correction;
        }
        E::normalise(x);
        if last < POLISHED { End::Regular } else { End::Singular }
    }
}

/// x + h ẋ.
#[inline(always)]
fn ahead<T: Real, const M: usize>(x: &[Complex<T>; M], rates: &[Complex<T>; M], h: T) -> [Complex<T>; M] {
    let mut ahead = *x;
    for k in 0..M {
        ahead[k] = x[k] + rates[k].times(h);
    }
    ahead
}

/// Puts the next path that waits into a lane.
#[inline(always)]
fn begin<T: Abreast, const M: usize>(
    walk: &mut Walk,
    lane: usize,
    waiting: &mut core::ops::Range<usize>,
    starts: &[[Complex; M]],
    x: &mut [Complex<T>; M],
) {
    let Some(path) = waiting.next() else {
        *walk = Walk::IDLE;
        return;
    };
    *walk = Walk::new(path);
    for (x, start) in x.iter_mut().zip(&starts[path]) {
        x.re = x.re.gather(|other| if other == lane { start.re } else { x.re.path(other) });
        x.im = x.im.gather(|other| if other == lane { start.im } else { x.im.path(other) });
    }
}
