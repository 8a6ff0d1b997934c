//! Where the tables of `starts.rs` come from: the one solution that a member is made for, led around loops of members (Sommese2001).
//!
//! `cargo test -p appell --lib starts_tables -- --ignored --nocapture` prints them.

use super::complex::Complex;
use super::equations::Equations;
use super::families::{Planar, SixLegs, Spherical};
use super::solve::{SAME, apart};
use super::starts::{self, Start};
use super::tracker::{End, Homotopy};
use crate::sample::Sampler;

/// How good predictions are: a path that jumps would only find a solution twice.
const AIM: f64 = 1e-6;

/// Solutions of a member from one of them, by so many loops.
fn solutions<E, const N: usize, const M: usize>(member: &E, known: [Complex; M], loops: usize) -> Vec<[Complex; M]>
where
    E: Equations<N, M> + Start<M>,
{
    let mut sampler = Sampler::new(5);
    let mut found = vec![known];
    for _ in 0..loops {
        let corners = [*member, E::draw(&mut sampler), E::draw(&mut sampler), *member];
        let mut ends = found.clone();
        for pair in corners.windows(2) {
            let (sin, cos) = sampler.within(2.0).sin_cos();
            let paths = Homotopy::new(&pair[0], &pair[1], Complex { re: cos, im: sin }).follow(&ends, AIM);
            ends = paths.into_iter().filter(|path| path.end == End::Regular).map(|path| path.x).collect();
        }
        for end in ends {
            if found.iter().all(|one| apart::<E, N, M>(one, &end) > SAME) {
                found.push(end);
            }
        }
    }
    found
}

/// Prints the rows of a table.
fn print<E, const N: usize, const M: usize>(name: &str)
where
    E: Equations<N, M> + Start<M>,
{
    let (member, known) = starts::member::<E, M>();
    println!("{name}:");
    for x in solutions::<E, N, M>(&member, known, 16) {
        let row: Vec<String> = E::row(&x).iter().map(|x| format!("{:.6}, {:.6}", x.re, x.im)).collect();
        println!("    [{}],", row.join(", "));
    }
}

#[test]
#[ignore = "prints the tables of starts.rs"]
fn starts_tables() {
    print::<SixLegs<false>, 6, 7>("SPATIAL");
    print::<SixLegs<true>, 6, 7>("PAIRED_LEGS");
    print::<Planar, 3, 4>("PLANAR");
    print::<Spherical, 3, 4>("SPHERICAL");
}

/// Loops find the solutions of the table, all of them, and no others.
fn has_all<E, const N: usize, const M: usize>(loops: usize)
where
    E: Equations<N, M> + Start<M>,
{
    let (member, known) = starts::member::<E, M>();
    let table = starts::solutions::<E, N, M>(&member);
    let found = solutions::<E, N, M>(&member, known, loops);
    assert_eq!((table.len(), found.len()), (E::SOLUTIONS, E::SOLUTIONS));
    for one in &table {
        assert_eq!(found.iter().filter(|x| apart::<E, N, M>(one, x) < SAME).count(), 1);
    }
}

#[test]
fn tables_are_all_solutions_of_their_members() {
    has_all::<SixLegs<false>, 6, 7>(20);
    has_all::<SixLegs<true>, 6, 7>(20);
    has_all::<Planar, 3, 4>(20);
    has_all::<Spherical, 3, 4>(20);
}
