//! All assemblies for positions of the drives: against published postures, other derivations, other random numbers and a search.

mod platforms;

use crate::common::{numbers, parallel_golden};
use appell::closed::direct::{self, Assemblies, Count, Options};
use appell::closed::{ClosedMechanism, assembly};
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Vec3};
use platforms::Platform;

fn all(robot: &ClosedMechanism, drives: &[f64], seed: u64) -> Assemblies {
    let options = Options { seed, ..Options::default() };
    direct::all_at_drives(robot, &mut assembly::Workspace::new(robot), drives, &options).expect("finite drives")
}

/// How far two poses are apart.
fn apart(one: &Pose, other: &Pose) -> f64 {
    let turn = (one.rotation - other.rotation).rows.iter().map(|row| row.norm()).fold(0.0, f64::max);
    turn.max((one.position - other.position).norm())
}

/// Whether two lists hold the same poses.
fn are_same(one: &Assemblies, other: &Assemblies, tolerance: f64) -> bool {
    one.assemblies.len() == other.assemblies.len()
        && one
            .assemblies
            .iter()
            .all(|a| other.assemblies.iter().filter(|b| apart(&a.at.pose, &b.at.pose) < tolerance).count() == 1)
}

fn home_drives(robot: &ClosedMechanism) -> Vec<f64> {
    robot.driven().iter().map(|&j| robot.home().q[j]).collect()
}

fn rows(value: &serde_json::Value) -> Vec<Vec3> {
    numbers(value).chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect()
}

#[test]
fn all_forty_postures_of_dietmaier() {
    let golden = parallel_golden("dietmaier.json");
    let golden = &golden["robot"];
    let postures: Vec<Pose> = golden["postures"]
        .as_array()
        .expect("postures")
        .iter()
        .map(|posture| {
            let r = rows(&posture["R"]);
            Pose { rotation: Mat3::from_rows([r[0], r[1], r[2]]), position: rows(&posture["p"])[0] }
        })
        .collect();
    let lengths = numbers(&golden["lengths"]);
    let platform = Platform { base: rows(&golden["base"]), points: rows(&golden["platform"]), home: postures[0] };
    let robot = platform.ups();
    let found = all(&robot, &lengths, 1);
    assert!(found.are_all(), "{}", found.count);
    assert_eq!(found.assemblies.len(), 40);
    for posture in &postures {
        let matching = found.assemblies.iter().filter(|one| apart(&one.at.pose, posture) < 1e-7);
        assert_eq!(matching.count(), 1);
    }
    for one in &found.assemblies {
        for (length, given) in platform.lengths(&one.at.pose).iter().zip(&lengths) {
            assert!((length - given).abs() <= 1e-12, "{length} {given}");
        }
    }
}

/// Finds the assemblies of random platforms, twice with other random numbers; how many differ.
fn random_platforms(count: usize, seed: u64) -> usize {
    let mut sampler = Sampler::new(seed);
    let mut differ = 0;
    let mut histogram = [0; 21];
    let (mut time, mut runs, mut unproved) = (0.0, 0, 0);
    for number in 0..count {
        let platform = Platform::random(&mut sampler);
        let robot = platform.ups();
        let lengths = platform.lengths(&platform.home);
        let clock = std::time::Instant::now();
        let one = all(&robot, &lengths, 2 * number as u64 + 1);
        time += clock.elapsed().as_secs_f64();
        let other = all(&robot, &lengths, 2 * number as u64 + 2);
        if let Count::Followed { ends, .. } = one.count {
            runs += ends.runs;
            unproved += usize::from(ends.lost > 0);
        }
        for one in &one.assemblies {
            for (length, given) in platform.lengths(&one.at.pose).iter().zip(&lengths) {
                assert!((length - given).abs() <= 1e-12, "{length} {given}");
            }
        }
        assert!(one.assemblies.iter().any(|one| apart(&one.at.pose, &platform.home) < 1e-6), "home is one of them");
        assert_eq!(one.assemblies.len() % 2, 0, "platform {number}: {}", one.count);
        histogram[one.assemblies.len() / 2] += 1;
        differ += usize::from(!are_same(&one, &other, 1e-6));
    }
    println!(
        "{count} platforms: {:.3} ms each, {runs} runs, {unproved} unproved, {differ} differ; numbers of pairs {histogram:?}",
        1e3 * time / count as f64
    );
    differ
}

#[test]
fn random_platforms_have_even_numbers_of_assemblies() {
    assert_eq!(random_platforms(25, 3), 0);
}

#[test]
#[ignore = "some ten seconds: 1000 platforms"]
fn a_thousand_random_platforms() {
    assert!(random_platforms(1000, 11) <= 1);
}

/// The drives at home, a little moved: nothing is symmetric there.
fn moved_drives(robot: &ClosedMechanism, by: f64) -> Vec<f64> {
    let ways = [1.0, -2.0, 3.0, 1.5, -2.2, 0.7];
    home_drives(robot).iter().zip(ways).map(|(drive, way)| drive + by * way).collect()
}

#[test]
fn built_in_robots_have_the_assemblies_that_a_search_finds() {
    let known = [
        ("gough-stewart", 8),
        ("hexapod-6rus", 8),
        ("planar-3rrr", 2),
        ("agile-wrist", 2),
        ("sst", 8),
        ("five-bar", 2),
    ];
    for (name, count) in known {
        let robot = robots::find(name).expect("a built-in robot").closed();
        for by in [0.0, 0.01] {
            let drives = moved_drives(&robot, by);
            let found = all(&robot, &drives, 1);
            let searched = assembly::all_at_drives(&robot, &mut assembly::Workspace::new(&robot), &drives, 300, 5);
            assert!(found.are_all(), "{name}: {}", found.count);
            assert_eq!((found.assemblies.len(), searched.len()), (count, count), "{name}: {}", found.count);
            for one in &searched {
                let near = found.assemblies.iter().filter(|other| assembly::distance(&robot, one, &other.at) < 1e-5);
                assert_eq!(near.count(), 1, "{name}");
            }
        }
    }
}

#[test]
fn other_robots_are_searched_and_say_so() {
    for name in ["3-rps", "four-bar"] {
        let robot = robots::find(name).expect("a built-in robot").closed();
        let found = all(&robot, &home_drives(&robot), 1);
        assert!(!found.are_all() && !found.assemblies.is_empty());
        assert_eq!(found.count.to_string(), "a search from 500 random starts: others may exist");
    }
}

#[test]
fn drives_that_no_assembly_has_are_proved_to_have_none() {
    let robot = robots::find("gough-stewart").expect("a built-in robot").closed();
    let found = all(&robot, &[0.8, 0.8, 0.8, 0.8, 0.8, 4.0], 1);
    assert!(found.are_all() && found.assemblies.is_empty(), "{}", found.count);
}
