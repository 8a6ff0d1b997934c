//! One member of every family with all its solutions, from which those of others are found.
//!
//! A member is drawn from a seed, complex so that it is like almost all others, and its lengths or angles are made for a first solution.
//! The tables hold the rotations of all of them to a few digits, found by monodromy (`monodromy.rs`, which also prints them and tests that
//! there are no others); Newton's method gives the rest.

use super::complex::Complex;
use super::equations::{Equations, quaternion};
use super::families::{Planar, SixLegs, Spherical};
use super::tracker::{End, Homotopy};
use crate::sample::Sampler;

/// The seed of the members; any would do.
const SEED: u64 = 2;

/// What a family needs to have a start.
pub(super) trait Start<const M: usize>: Sized {
    /// Rotations of all solutions: real and imaginary parts by turns.
    const TABLE: &'static [&'static [f64]];

    /// A random member.
    fn draw(sampler: &mut Sampler) -> Self;

    /// Changes the lengths or angles so that `x` is a solution.
    fn fit(&mut self, x: &[Complex; M]);

    /// The solution with the rotation of a row.
    fn solution(&self, row: &[Complex]) -> [Complex; M];

    /// The row of a solution.
    #[cfg(test)]
    fn row(x: &[Complex; M]) -> Vec<Complex>;
}

/// A random complex number, both parts in ±1.
fn random(sampler: &mut Sampler) -> Complex {
    Complex { re: sampler.within(1.0), im: sampler.within(1.0) }
}

fn vectors<const D: usize, const N: usize>(sampler: &mut Sampler) -> [[Complex; D]; N] {
    [(); N].map(|()| [(); D].map(|()| random(sampler)))
}

/// The member of a family where paths start, and its first solution.
pub(super) fn member<E: Start<M>, const M: usize>() -> (E, [Complex; M]) {
    let mut sampler = Sampler::new(SEED);
    let mut member = E::draw(&mut sampler);
    let x = member.solution(&vectors::<3, 1>(&mut sampler)[0]);
    member.fit(&x);
    (member, x)
}

/// All solutions of it.
pub(super) fn solutions<E, const N: usize, const M: usize>(member: &E) -> Vec<[Complex; M]>
where
    E: Equations<N, M> + Start<M>,
{
    let standing = Homotopy::new(member, member, Complex::real(1.0));
    let solution = |row: &&[f64]| {
        let row: Vec<Complex> = row.chunks_exact(2).map(|pair| Complex { re: pair[0], im: pair[1] }).collect();
        let mut x = member.solution(&row);
        (standing.polished(&mut x) == End::Regular).then_some(x)
    };
    E::TABLE.iter().filter_map(solution).collect()
}

impl<const PAIRED: bool> Start<7> for SixLegs<PAIRED> {
    const TABLE: &'static [&'static [f64]] = if PAIRED { PAIRED_LEGS } else { SPATIAL };

    fn draw(sampler: &mut Sampler) -> Self {
        let c = vectors::<5, 1>(sampler)[0].map(|c| c.scale(2.0));
        let mut a = vectors(sampler);
        if PAIRED {
            a = [[Complex::ZERO; 3], a[1], a[1], a[3], a[3]];
        }
        Self { a, b: vectors(sampler), c, square: random(sampler).scale(2.0) }
    }

    fn fit(&mut self, x: &[Complex; 7]) {
        self.fit_lengths(x);
    }

    fn solution(&self, row: &[Complex]) -> [Complex; 7] {
        self.placed(quaternion([row[0], row[1], row[2]]))
    }

    #[cfg(test)]
    fn row(x: &[Complex; 7]) -> Vec<Complex> {
        x[1..4].iter().map(|&e| e * x[0].inverse()).collect()
    }
}

impl Start<4> for Planar {
    const TABLE: &'static [&'static [f64]] = PLANAR;

    fn draw(sampler: &mut Sampler) -> Self {
        let c = vectors::<2, 1>(sampler)[0].map(|c| c.scale(2.0));
        Self { a: vectors(sampler), b: vectors(sampler), c, square: random(sampler).scale(2.0) }
    }

    fn fit(&mut self, x: &[Complex; 4]) {
        self.fit_lengths(x);
    }

    /// By the tangent of half the angle.
    fn solution(&self, row: &[Complex]) -> [Complex; 4] {
        let [w, z] = [Complex::real(1.0), row[0]];
        let per = (w + z * z).inverse();
        self.placed([(w - z * z) * per, z.scale(2.0) * per])
    }

    #[cfg(test)]
    fn row(x: &[Complex; 4]) -> Vec<Complex> {
        vec![x[1] * (Complex::real(1.0) + x[0]).inverse()]
    }
}

impl Start<4> for Spherical {
    const TABLE: &'static [&'static [f64]] = SPHERICAL;

    fn draw(sampler: &mut Sampler) -> Self {
        Self { v: vectors(sampler), w: vectors(sampler), c: vectors::<3, 1>(sampler)[0] }
    }

    fn fit(&mut self, x: &[Complex; 4]) {
        self.fit_angles(x);
    }

    fn solution(&self, row: &[Complex]) -> [Complex; 4] {
        quaternion([row[0], row[1], row[2]])
    }

    #[cfg(test)]
    fn row(x: &[Complex; 4]) -> Vec<Complex> {
        x[1..4].iter().map(|&e| e * x[0].inverse()).collect()
    }
}

/// Rodrigues vectors of the 40 solutions.
const SPATIAL: &[&[f64]] = &[
    &[0.050671, 0.818178, 0.388519, -0.568035, -0.145151, -0.249690],
    &[0.733896, -0.079886, 0.625133, 0.646579, 0.396481, -1.116268],
    &[0.600884, -1.167169, 0.402322, -0.121320, -0.793585, -0.908664],
    &[-0.929930, -2.005023, 0.853526, -2.959922, 3.269221, 0.258413],
    &[-0.815611, 0.042940, -0.359447, 1.612114, 1.112506, 0.620377],
    &[0.271633, -1.543815, 0.336824, -0.234568, -1.228446, -0.406794],
    &[-0.345188, -0.032467, -0.674208, -0.699683, -0.294852, 1.187646],
    &[2.298465, -0.583919, 0.505366, 2.425916, 0.504272, -0.374261],
    &[-0.833435, -0.730375, -1.486741, -0.795560, -0.839032, 1.875295],
    &[1.239407, 0.388948, 0.216654, -0.452077, -0.232494, 1.526434],
    &[0.022612, 0.088049, -0.307610, -0.197790, 0.122061, -0.989964],
    &[0.310116, -0.207983, -0.584284, 0.068954, 0.115088, 1.187109],
    &[0.223447, 1.221343, -0.573450, -0.033103, -0.797407, 0.480132],
    &[-0.392091, -0.683092, -0.335268, -0.068009, -0.306058, 0.983409],
    &[0.192044, -1.206282, 0.782479, 0.388846, 0.322078, -0.272634],
    &[1.141334, 0.201261, 0.139041, -0.306390, -0.122300, 1.491350],
    &[0.149982, -0.408043, -0.172005, -0.951693, 0.262164, -0.554303],
    &[-2.260987, 0.943606, -0.294410, -2.590810, 1.623861, 1.231899],
    &[0.348472, 0.483239, 0.245598, -0.565819, -0.020071, 0.761690],
    &[-0.167387, 0.249863, 0.570863, -1.039714, 0.856198, 0.884188],
    &[-0.404199, 0.338049, 0.259518, 0.973917, -0.427913, 0.572132],
    &[0.935074, -0.863412, 0.618202, 1.211437, 0.341621, -0.100811],
    &[-0.171688, 0.609122, 0.005057, -0.658389, -0.212552, -0.033506],
    &[-0.779850, -1.304810, 0.455639, -1.481207, 1.471662, -0.117108],
    &[-1.064234, 0.745363, -0.897853, -1.163272, 0.405219, -0.601389],
    &[-0.251424, 0.099118, 0.209297, -0.197409, 0.045087, -0.934867],
    &[0.535068, 0.749012, 0.027332, -0.237482, -0.467544, 0.922572],
    &[0.462930, 0.589203, 0.258055, -0.784305, -0.100938, 0.592090],
    &[0.398056, -0.305825, -0.398295, 0.223591, 0.196864, 1.102816],
    &[-0.032136, -0.963833, -0.012953, 0.186322, 0.164981, -0.026662],
    &[0.781872, -0.311772, 0.345373, 1.235400, -0.648573, 0.527732],
    &[-0.962105, -0.830680, -0.600793, -1.756690, 1.653555, -1.079106],
    &[0.352791, 0.718829, 0.311676, -0.756962, -0.131102, 0.389229],
    &[0.632572, -0.754949, -0.172165, 0.073090, 0.441107, 1.064718],
    &[-0.560351, -0.409515, -0.633280, 0.247591, -0.050327, 1.235524],
    &[-0.897288, 0.698082, 1.259382, 1.195926, 0.788630, -1.121732],
    &[-0.527477, -1.649763, -1.049223, -0.824875, 1.392322, -1.010908],
    &[1.747298, -0.331003, 2.321437, 0.003456, 0.269743, 3.175146],
    &[0.565670, -0.312464, 0.090075, 0.266515, 0.106151, 1.097960],
    &[-28.595848, -39.334657, 39.498845, -26.723473, -8.110206, 8.954960],
];

/// Rodrigues vectors of the 16 solutions.
const PAIRED_LEGS: &[&[f64]] = &[
    &[0.050671, 0.818178, 0.388519, -0.568035, -0.145151, -0.249690],
    &[0.153531, 0.719152, 0.403715, -1.319681, 0.520015, -0.187324],
    &[-0.386902, 0.195544, -0.001615, -1.232068, 0.760528, 0.123482],
    &[-0.069456, 0.867815, -0.069926, -0.773920, -0.564982, -0.055255],
    &[-0.356637, 0.608169, -0.218005, -1.051679, 0.411294, -0.068717],
    &[-0.460243, 0.202847, 0.204454, -1.793712, -1.398231, -0.225932],
    &[-3.127712, 2.225361, -1.581743, -2.841873, -2.482899, -2.241238],
    &[0.025997, 0.998786, -0.277134, -1.047678, -0.988414, 0.313251],
    &[0.372406, 1.653978, 1.269965, -0.191811, 0.357446, -0.580747],
    &[0.160692, 0.714162, -0.053605, 0.938750, 0.340849, -0.208012],
    &[0.196638, -0.902143, 0.499439, 0.647986, 0.199295, -0.378225],
    &[-0.005486, -0.295178, -0.041846, -0.474551, 0.354821, 1.077893],
    &[-0.336903, -0.331597, -0.060837, -0.869049, -0.394690, 0.603588],
    &[-9.149228, -10.612169, -2.889840, -3.783498, -12.259909, 9.606987],
    &[2.320837, -1.802118, 1.375346, 2.507042, 0.656076, 0.599123],
    &[0.523560, -0.795401, 0.230510, 0.815521, 0.351967, 0.441785],
];

/// Tangents of half the angles of the 6 solutions.
const PLANAR: &[&[f64]] = &[
    &[-0.237986, -0.338623],
    &[-0.653075, 0.805094],
    &[0.097605, -1.160296],
    &[-0.475978, -0.534855],
    &[0.037053, 0.623750],
    &[-1.874489, 1.647737],
];

/// Rodrigues vectors of the 8 solutions.
const SPHERICAL: &[&[f64]] = &[
    &[-0.983562, 0.356224, 0.677619, -0.127618, 0.959262, 0.701965],
    &[-0.509560, 0.399348, 0.150944, 0.392954, 0.116066, -0.822471],
    &[0.369424, 0.359757, -0.115323, 0.663133, 0.401082, -0.592858],
    &[-0.043532, 6.436740, -4.164104, -2.329624, -6.079753, -0.034247],
    &[3.591363, -3.382326, -3.953514, 0.150368, -1.693693, -2.981214],
    &[-0.418224, 0.988152, -0.079892, 0.306543, -0.478391, -0.880282],
    &[-0.557447, 0.573673, 1.274018, -0.198932, 0.696974, 0.872462],
    &[0.216603, -0.054377, 0.023367, -0.532253, -0.290063, -0.429932],
];
