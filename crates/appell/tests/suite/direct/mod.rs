//! All assemblies for positions of the drives: against published postures, other derivations, other random numbers and a search.

mod platforms;
mod referees;
mod straight;

use crate::common::{numbers, parallel_golden};
use appell::closed::assembly::{AssemblyError, Reached};
use appell::closed::direct::{self, Assemblies, Count, Multiplicity, Options};
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell::robots;
use appell::sample::Sampler;
use appell::spatial::{Mat3, Pose, Vec3, wrapped};
use core::f64::consts::{FRAC_PI_2, PI, TAU};
use platforms::{PlanarRobot, Platform};
use referees::Circle;

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

/// Platforms whose legs meet in pairs have the assemblies of their polynomial, on the platform as on the base, and so has the octahedron,
/// where both meet in pairs.
#[test]
fn platforms_on_pairs_of_legs_have_the_angles_of_their_polynomial() {
    let mut sampler = Sampler::new(29);
    for number in 0..24 {
        let mut platform = Platform::paired(&mut sampler, number % 2 == 1);
        if number >= 16 {
            // Of leg k the point k on the platform, mod 3; on the base the next legs' pairs.
            let corners: Vec<Vec3> = platform.base[..3].to_vec();
            platform.base = [0, 1, 2, 1, 2, 0].map(|k: usize| corners[k]).to_vec();
        }
        let lengths = platform.lengths(&platform.home);
        let circle = |k: usize| Circle::new([platform.base[k], platform.base[k + 3]], [lengths[k], lengths[k + 3]]);
        let circles = [0, 1, 2].map(circle);
        let point = |k: usize| platform.points[k % 3];
        let (complex, angles) = referees::paired(&circles, [0, 1, 2].map(|k| (point(k) - point(k + 1)).norm()));
        assert_eq!(complex, 16);
        for upside_down in [false, true] {
            let robot = if upside_down { platform.clone().inverse() } else { platform.clone() }.ups();
            let found = all(&robot, &lengths, number);
            assert!(found.are_all(), "{number}: {}", found.count);
            let pose = |one: &direct::Assembly| if upside_down { one.at.pose.inverse() } else { one.at.pose };
            let own: Vec<f64> =
                found.assemblies.iter().map(|one| circles[0].angle(pose(one).point(point(0)))).collect();
            assert!(are_same_angles(&own, &angles), "{number}: {own:?} {angles:?}; {}", found.count);
        }
    }
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
            let searched = assembly::search_at_drives(&robot, &mut assembly::Workspace::new(&robot), &drives, 300, 5);
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

/// Turned by 90° the platform cannot be held by its legs: two assemblies meet there.
#[test]
fn assemblies_that_meet_at_type_2_are_double() {
    let robot = robots::find("gough-stewart").expect("a built-in robot").closed();
    let mut at = robot.home().clone();
    at.pose.rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.0, 0.0, FRAC_PI_2));
    assembly::at_pose(&robot, &mut assembly::Workspace::new(&robot), &mut at).expect("in reach");
    let drives: Vec<f64> = robot.driven().iter().map(|&j| at.q[j]).collect();
    let found = all(&robot, &drives, 1);
    let Count::Followed { ends, .. } = found.count else { panic!("{}", found.count) };
    assert!(ends.lost == 0 && ends.singular > 0 && ends.singular.is_multiple_of(2), "{}", found.count);
    assert!(!found.are_all() && found.count.to_string().ends_with("is uncertain"), "{}", found.count);
    let here =
        found.assemblies.iter().find(|one| assembly::distance(&robot, &one.at, &at) < 1e-4).expect("it is found");
    assert_eq!(here.multiplicity, Multiplicity::Double);
}

/// Base and platform are similar, their points on circles: the platform moves at whatever pose the legs are locked.
#[test]
fn architecturally_singular_platforms_have_a_continuum() {
    let angles = [0.0_f64, 0.9, 2.0, 3.3, 4.1, 5.2];
    let circle = |radius: f64| angles.map(|angle| Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.0)).to_vec();
    let home =
        Pose { rotation: Mat3::from_roll_pitch_yaw(Vec3::new(0.2, -0.1, 0.3)), position: Vec3::new(0.1, 0.05, 0.9) };
    let platform = Platform { base: circle(1.0), points: circle(0.6), home };
    let found = all(&platform.ups(), &platform.lengths(&home), 1);
    assert!(!found.are_all(), "{}", found.count);
}

/// With both elbows in one point the arms hold the platform on a circle.
#[test]
fn a_five_bar_linkage_with_its_elbows_in_one_point_has_a_continuum() {
    let builtin = robots::find("five-bar").expect("a built-in robot");
    let robot = ClosedMechanism::from_toml(&builtin.toml.replace("0.23,", "0.24,").replace("[0.28,", "[0.3,"))
        .expect("a robot");
    let shoulder = (0.14_f64 / 0.24).acos();
    let drives = [shoulder, PI - shoulder];
    let found = all(&robot, &drives, 1);
    assert!(!found.are_all() && found.count.to_string().contains("a continuum"), "{}", found.count);
    assert!(found.assemblies.iter().any(|one| one.multiplicity == Multiplicity::Continuum), "{}", found.count);
}

/// A Delta's legs do not let its platform turn from where it is, but it might be assembled turned.
#[test]
fn the_count_of_a_delta_is_of_platforms_turned_as_at_home() {
    let robot = robots::find("delta").expect("a built-in robot").closed();
    let found = all(&robot, &home_drives(&robot), 1);
    assert_eq!((found.are_all(), found.assemblies.len()), (false, 2));
    assert!(found.count.to_string().contains("turned as at home"), "{}", found.count);
}

/// Where the drives cannot come straight, the nearest of all assemblies is taken, not the nearest that a search happens to find.
#[test]
fn undecided_drives_take_the_nearest_of_all_assemblies() {
    let mut sampler = Sampler::new(41);
    let mut undecided = 0;
    for number in 0..12 {
        let platform = Platform::random(&mut sampler);
        let robot = platform.ups();
        let there = Pose { rotation: sampler.rotation(), position: sampler.vector(1.0) + Vec3::new(0.0, 0.0, 1.0) };
        let drives = platform.lengths(&there);
        let mut at = robot.home().clone();
        let mut workspace = assembly::Workspace::new(&robot);
        let reached = direct::at_drives(&robot, &mut workspace, &drives, &mut at).expect("there is one");
        if reached == Reached::Undecided {
            undecided += 1;
            let joints = |q: &[f64]| -> f64 {
                let home = &robot.home().q;
                let way = |j: usize| (q[j] - home[j]).abs();
                let turn = |j: usize| wrapped(q[j] - home[j]).abs();
                (0..q.len()).map(|j| if j % 3 == 2 { way(j) / robot.length() } else { turn(j) }).sum()
            };
            let far = |one: &Configuration| assembly::distance(&robot, one, robot.home()) + joints(&one.q);
            let all = all(&robot, &drives, 1);
            let nearest = all.assemblies.iter().map(|one| far(&one.at)).fold(f64::INFINITY, f64::min);
            assert!(far(&at) <= nearest + 1e-6, "platform {number}: {} is farther than {nearest}", far(&at));
        }
    }
    assert!(undecided > 3);
}

#[test]
fn drives_that_no_assembly_has_are_proved_to_have_none() {
    let robot = robots::find("gough-stewart").expect("a built-in robot").closed();
    let found = all(&robot, &[0.8, 0.8, 0.8, 0.8, 0.8, 4.0], 1);
    assert!(found.are_all() && found.assemblies.is_empty(), "{}", found.count);
}

/// Where legs are so long that base and platform are points beside them, paths to infinity cannot be distinguished from others: nothing is proved. A
/// way that no robot goes is not walked.
#[test]
fn legs_that_are_far_too_long_are_not_proved_to_have_no_assembly() {
    let robot = robots::find("gough-stewart").expect("a built-in robot").closed();
    for length in [1e4, 1e5, 1e7] {
        let found = all(&robot, &[length; 6], 1);
        assert!(!found.are_all(), "{length}: {}", found.count);
        let (mut ws, mut at) = (assembly::Workspace::new(&robot), robot.home().clone());
        let reached = direct::at_drives(&robot, &mut ws, &[length; 6], &mut at);
        assert!(matches!(reached, Ok(Reached::Undecided) | Err(_)), "{length}: {reached:?}");
    }
    let crank = robots::find("four-bar").expect("a built-in robot").closed();
    let (mut ws, mut at) = (assembly::Workspace::new(&crank), crank.home().clone());
    assert_eq!(assembly::at_drives(&crank, &mut ws, &[1e9], &mut at), Ok(Reached::Undecided));
    assert_eq!(assembly::follow(&crank, &mut ws, &[1e9 + 1e7], &mut at), Err(AssemblyError::Lost));
}

/// Whether two lists hold the same angles.
fn are_same_angles(one: &[f64], other: &[f64]) -> bool {
    let apart = |a: f64, b: f64| (a - b + PI).rem_euclid(TAU) - PI;
    one.len() == other.len() && one.iter().all(|&a| other.iter().filter(|&&b| apart(a, b).abs() < 1e-5).count() == 1)
}

#[test]
fn planar_platforms_have_the_turns_of_their_polynomial() {
    let mut sampler = Sampler::new(17);
    for kind in ["rrr", "rpr", "prr"] {
        for number in 0..8 {
            let planar = PlanarRobot::random(&mut sampler, kind);
            let robot = planar.closed();
            let drives: Vec<f64> = home_drives(&robot).iter().map(|drive| drive + sampler.within(0.3)).collect();
            let found = all(&robot, &drives, number);
            let legs = core::array::from_fn(|k| {
                let (q, [x, y], [upper, lower]) = (drives[k], planar.base[k], planar.links[k]);
                let (b, length) = match kind {
                    "rrr" => ([x + upper * q.cos(), y + upper * q.sin()], lower),
                    "rpr" => ([x, y], q.abs()),
                    _ => ([x, y - q], lower + upper),
                };
                (planar.points[k], b, length)
            });
            let (complex, turns) = referees::planar(&legs);
            assert!(found.are_all(), "{kind} {number}: {}", found.count);
            assert_eq!(complex, 6);
            let column = |one: &direct::Assembly| one.at.pose.rotation.column(0);
            let own: Vec<f64> = found.assemblies.iter().map(|one| column(one).y.atan2(column(one).x)).collect();
            assert!(are_same_angles(&own, &turns), "{kind} {number}: {own:?} {turns:?}; {}", found.count);
        }
    }
}

#[test]
fn a_planar_platform_with_six_real_assemblies() {
    // A 3-RPR robot, in units of 10; its platform's origin is far from the points, so that no leg has length zero at home.
    let (length, angle) = (2.084, 0.8822529_f64);
    let points =
        [[0.0, 0.0], [1.704, 0.0], [length * angle.cos(), length * angle.sin()]].map(|[x, y]| [x - 0.9, y - 0.5]);
    let base = [[0.0, 0.0], [1.591, 0.0], [0.0, 1.0]].map(|[x, y]| [x - 0.3, y + 0.2]);
    let robot = PlanarRobot { kind: "rpr", base, points, links: [[1.0; 2]; 3] }.closed();
    let drives = [1.498, 1.538, 1.2];
    let found = all(&robot, &drives, 1);
    assert_eq!((found.are_all(), found.assemblies.len()), (true, 6), "{}", found.count);
    let (_, turns) = referees::planar(&core::array::from_fn(|k| (points[k], base[k], drives[k])));
    let own: Vec<f64> =
        found.assemblies.iter().map(|one| one.at.pose.rotation.column(0)).map(|x| x.y.atan2(x.x)).collect();
    assert!(are_same_angles(&own, &turns), "{own:?} {turns:?}");
}

#[test]
fn spherical_robots_have_the_turns_of_their_polynomial() {
    let robot = robots::find("agile-wrist").expect("a built-in robot").closed();
    let turn = |roll: f64, pitch: f64, yaw: f64| Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw));
    let z = Vec3::new(0.0, 0.0, 1.0);
    let slope = 0.9553166181245093_f64;
    let mut sampler = Sampler::new(23);
    for number in 0..12 {
        let drives: Vec<f64> = home_drives(&robot).iter().map(|drive| drive + sampler.within(1.0)).collect();
        let found = all(&robot, &drives, number);
        let legs = core::array::from_fn(|k| {
            let yaw = TAU * k as f64 / 3.0;
            let first = turn(0.0, 0.0, yaw) * turn(slope - PI, 0.0, 0.0) * turn(0.0, 0.0, drives[k]);
            let v = turn(slope - FRAC_PI_2, 0.0, yaw) * z;
            (v, first * (turn(80_f64.to_radians(), 0.0, 0.0) * z), 70_f64.to_radians().cos())
        });
        let (v, w, _): (Vec3, Vec3, f64) = legs[0];
        let across = w.cross(Vec3::new(0.3, 0.5, 0.8));
        let across = across.scale(1.0 / across.norm());
        let (complex, turns) = referees::spherical(&legs, across);
        assert!(found.are_all(), "{number}: {}", found.count);
        assert_eq!(complex, 8);
        let turn_of = |one: &direct::Assembly| {
            let direction = one.at.pose.rotation * v;
            direction.dot(w.cross(across)).atan2(direction.dot(across))
        };
        let own: Vec<f64> = found.assemblies.iter().map(turn_of).collect();
        assert!(are_same_angles(&own, &turns), "{number}: {own:?} {turns:?}; {}", found.count);
    }
}

#[test]
fn delta_robots_have_two_assemblies_by_circles() {
    let robot = robots::find("delta").expect("a built-in robot").closed();
    let mut sampler = Sampler::new(29);
    for _ in 0..10 {
        let drives: Vec<f64> = home_drives(&robot).iter().map(|drive| drive + sampler.within(0.3)).collect();
        let found = all(&robot, &drives, 1);
        assert_eq!((found.are_all(), found.assemblies.len()), (false, 2), "{}", found.count);
        // Arms of 0.35 m at 0.2 m from the middle, forearms of 0.8 m to points at 0.045 m of the platform.
        let centres: [Vec3; 3] = core::array::from_fn(|k| {
            let (sin, cos) = (TAU * k as f64 / 3.0).sin_cos();
            let out = 0.2 - 0.045 + 0.35 * drives[k].cos();
            Vec3::new(cos * out, sin * out, -0.35 * drives[k].sin())
        });
        for one in &found.assemblies {
            for centre in &centres {
                assert!(((one.at.pose.position - *centre).norm() - 0.8).abs() < 1e-12);
            }
        }
        let [above, below] = [0, 1].map(|k| {
            let normal = (centres[1] - centres[0]).cross(centres[2] - centres[0]);
            normal.dot(found.assemblies[k].at.pose.position - centres[0])
        });
        assert!(above * below < 0.0, "mirrored by the plane of the elbows");
    }
}
