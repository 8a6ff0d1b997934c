//! Robots that move on the bench.

use appell_simulation::scenario::{Scenario, Watch};
use appell_web::Bench;
use appell_web::motion::course::Request;
use appell_web::motion::run::Status;
use appell_web::motion::trial::play;
use appell_web::motion::{Motion, Options};
use appell_web::place::positions_of_drives;

const FRAME: f64 = 1.0 / 120.0;

fn options(more: &str) -> Options {
    let defaults = r#"{"law": "free", "omega": 10, "zeta": 1, "viscous": 0, "coulomb": 0, "payload": 0,
        "law_knows_payload": true, "spring": 0, "reference": null}"#;
    let mut all: serde_json::Value = serde_json::from_str(defaults).unwrap();
    let more: serde_json::Value = serde_json::from_str(more).unwrap();
    for (key, value) in more.as_object().unwrap() {
        all[key] = value.clone();
    }
    Options::read(&all.to_string()).unwrap()
}

/// A robot and where it starts: a tree bent, so that everything moves.
fn bench(name: &str) -> Bench {
    let mut bench = Bench::builtin(name).unwrap();
    if bench.robot().closed().is_none() {
        let bent = [0.3_f64, -0.6, 0.2, 0.4, 0.7, -0.2, 0.5];
        let limits = bench.robot().tree().limits();
        let q: Vec<f64> = bent.iter().zip(limits).map(|(q, limits)| q.clamp(limits.lower, limits.upper)).collect();
        bench.set_q(&q).unwrap();
    }
    bench
}

fn motion(name: &str, more: &str) -> Motion {
    Motion::new(&bench(name), &options(more)).unwrap()
}

#[test]
fn free_robots_keep_their_energy() {
    // Over the largest kinetic energy; the five-bar whirls through stretched arms.
    let most =
        [("gough-stewart", 1e-11), ("puma560", 1e-12), ("five-bar", 1e-5), ("delta", 1e-6), ("agile-wrist", 1e-8)];
    for (name, most) in most {
        let mut motion = motion(name, "{}");
        let total = |status: &Status| status.energy.kinetic + status.energy.potential;
        let first = total(&motion.step(0.0).unwrap());
        let (mut off, mut largest) = (0.0_f64, 0.0_f64);
        for _ in 0..240 {
            let status = motion.step(FRAME).unwrap();
            if status.ended.is_some() {
                assert_eq!(name, "delta", "{:?}", status.ended);
                break;
            }
            assert!(status.drift < 1e-9, "{name}: loops are open by {}", status.drift);
            off = off.max((total(&status) - first).abs());
            largest = largest.max(status.energy.kinetic);
        }
        assert!(off <= most * largest, "{name}: {off} J of {largest} J");
    }
}

/// Rows of a scenario beside a motion that is stepped as a page steps it: positions, torques and energies.
fn compare(bench: &Bench, more: &str, duration: f64) {
    let options = options(more);
    let text = bench.scenario(&options, duration).unwrap_or_else(|why| panic!("{more}: {why}"));
    let run = play(&text, "", "").unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(run.stop, None, "{text}");
    let mut motion = Motion::new(bench, &options).unwrap();
    let column = |name: &str| run.columns.iter().position(|column| column == name);
    let drives = positions_of_drives(bench.robot());
    let rows = (duration / FRAME) as usize;
    assert!(run.rows.len() >= rows, "{} rows", run.rows.len());
    let mut moved = 0.0_f64;
    for (k, row) in run.rows[..=rows].iter().enumerate() {
        let status = motion.step(if k == 0 { 0.0 } else { FRAME }).unwrap();
        assert!((status.t - row[0]).abs() < 1e-9 && status.ended.is_none(), "{:?} at {}", status.ended, row[0]);
        for (i, &j) in drives.iter().enumerate() {
            let q = row[column(&format!("q{}", i + 1)).unwrap()];
            let off = (motion.q()[j] - q).abs();
            assert!(off < 1e-9, "{} {more}: q{} off by {off} at {} s\n{text}", bench.robot().name(), i + 1, status.t);
            moved = moved.max((q - run.rows[0][column(&format!("q{}", i + 1)).unwrap()]).abs());
            let tau = row[column(&format!("tau{}", i + 1)).unwrap()];
            assert!(
                (status.tau[i] - tau).abs() <= 1e-6 * tau.abs().max(1.0),
                "{more}: tau{} {} {tau}",
                i + 1,
                status.tau[i]
            );
            if let Some(error) = &status.error {
                let recorded = row[column(&format!("error{}", i + 1)).unwrap()];
                assert!((error[i] - recorded).abs() < 1e-9);
            }
        }
        let kinetic = row[column("kinetic").unwrap()];
        assert!((status.energy.kinetic - kinetic).abs() <= 1e-7 * kinetic.max(1.0));
    }
    assert!(moved > 1e-6 || more.contains("coulomb"), "{more}: nothing moved");
}

fn followed(bench: &Bench, request: &str) -> String {
    let request: Request = serde_json::from_str(request).unwrap();
    serde_json::to_string(&bench.trajectory(&request).unwrap()).unwrap()
}

#[test]
fn scenarios_of_a_puma_give_the_same_numbers() {
    let bench = bench("puma560");
    let points = "[[0.3, -0.6, 0.2, 0.4, 0.7, -0.2], [0.5, -0.4, 0.4, 0.2, 0.5, 0.1], [0.2, -0.5, 0.1, 0.3, 0.8, 0.0]]";
    for law in ["cubic", "quintic", "trapezoid", "spline"] {
        let request =
            format!(r#"{{"points": {points}, "of": "joints", "law": "{law}", "duration": 1.03, "samples": 50}}"#);
        let reference = followed(&bench, &request);
        let payload = r#""payload": 2.0, "law_knows_payload": false"#;
        for choice in ["computed-torque", "hold-pd"] {
            compare(
                &bench,
                &format!(r#"{{"law": "{choice}", "omega": 20, {payload}, "reference": {reference}}}"#),
                1.2,
            );
        }
    }
    for more in [
        r#"{"law": "free", "viscous": 0.5, "spring": 20.0, "payload": 1.0}"#,
        r#"{"law": "free", "coulomb": 1.0}"#,
        r#"{"law": "gravity-compensation", "payload": 1.0, "law_knows_payload": false}"#,
        r#"{"law": "hold-pd", "omega": 15, "zeta": 0.7, "coulomb": 0.5, "payload": 3.0}"#,
        r#"{"law": "computed-torque", "payload": 3.0, "law_knows_payload": false}"#,
    ] {
        compare(&bench, more, 1.0);
    }
}

#[test]
fn scenarios_of_parallel_robots_give_the_same_numbers() {
    for (name, duration) in [("gough-stewart", 0.3), ("five-bar", 0.3)] {
        let mut bench = bench(name);
        let mut pose = bench.pose();
        pose[0] += 0.02;
        bench.set_pose(&pose).unwrap();
        compare(&bench, r#"{"law": "free", "payload": 0.5, "viscous": 0.1}"#, duration);
        let load = r#""payload": 0.5, "law_knows_payload": false"#;
        compare(&bench, &format!(r#"{{"law": "gravity-compensation", {load}}}"#), duration);
        compare(&bench, &format!(r#"{{"law": "hold-pd", "omega": 20, {load}}}"#), 0.5);
        let mut to = bench.pose();
        to[1] += 0.03;
        for law in ["quintic", "spline"] {
            let points = format!("[{:?}, {:?}]", bench.pose(), to);
            let request =
                format!(r#"{{"points": {points}, "of": "pose", "law": "{law}", "duration": 0.4, "samples": 20}}"#);
            let reference = followed(&bench, &request);
            compare(
                &bench,
                &format!(r#"{{"law": "computed-torque", "omega": 25, {load}, "reference": {reference}}}"#),
                0.5,
            );
        }
    }
}

#[test]
fn rewinding_goes_on_with_the_same_numbers() {
    for name in ["puma560", "five-bar", "gough-stewart"] {
        let mut motion = motion(name, r#"{"law": "hold-pd", "omega": 6, "coulomb": 0.2}"#);
        let begin = motion.q().to_vec();
        let mut seen = Vec::new();
        for k in 0..60 {
            let status = motion.step(if k % 3 == 0 { FRAME } else { 0.1 * FRAME }).unwrap();
            seen.push((status, motion.q().to_vec()));
        }
        let status = motion.rewind(seen[20].0.t).unwrap();
        assert_eq!((status.t, motion.q()), (seen[20].0.t, &seen[20].1[..]));
        for (k, (before, q)) in seen.iter().enumerate().skip(21) {
            let status = motion.step(if k % 3 == 0 { FRAME } else { 0.1 * FRAME }).unwrap();
            assert_eq!((status.t, &status.tau), (before.t, &before.tau), "{name}");
            assert_eq!(motion.q(), q, "{name}");
        }
        motion.rewind(0.0).unwrap();
        assert_eq!(motion.q(), begin);
    }
}

#[test]
fn motions_do_not_depend_on_how_often_a_page_looks() {
    let (mut one, mut other) = (motion("stanford", "{}"), motion("stanford", "{}"));
    (0..60).for_each(|_| drop(one.step(FRAME).unwrap()));
    (0..600).for_each(|_| drop(other.step(0.1 * FRAME).unwrap()));
    let off = one.q().iter().zip(other.q()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-12, "{off}");
}

#[test]
fn a_push_moves_and_its_end_lets_go() {
    for name in ["puma560", "gough-stewart", "delta"] {
        let bench = bench(name);
        let law = options(r#"{"law": "gravity-compensation"}"#);
        let (mut still, mut pushed) = (Motion::new(&bench, &law).unwrap(), Motion::new(&bench, &law).unwrap());
        pushed.push(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        (0..12).for_each(|_| drop((still.step(FRAME).unwrap(), pushed.step(FRAME).unwrap())));
        let apart = |a: &Motion, b: &Motion| a.q().iter().zip(b.q()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(still.q().iter().zip(bench.q()).all(|(a, b)| (a - b).abs() < 1e-9), "{name} stays");
        let work = pushed.step(0.0).unwrap();
        assert!(apart(&still, &pushed) > 1e-4 && work.energy.kinetic > 0.0, "{name}");
        // What the push has put in, F s, is in the motion.
        let twin = |motion: &Motion| {
            let mut twin = Bench::builtin(name).unwrap();
            twin.set_q(motion.q()).unwrap();
            twin.pose()[0]
        };
        let way = twin(&pushed) - bench.pose()[0];
        assert!((5.0 * way - work.energy.kinetic).abs() < 2e-3 * work.energy.kinetic, "{name}: {way} {work:?}");
        pushed.push(&[0.0; 6]).unwrap();
        let after = pushed.step(0.1).unwrap();
        assert!((after.energy.kinetic - work.energy.kinetic).abs() < 1e-6 * work.energy.kinetic + 1e-3, "{name}");
    }
}

#[test]
fn dry_friction_holds_and_lets_go() {
    let mut held = motion("scara", r#"{"law": "free", "coulomb": 100.0}"#);
    let begin = held.q().to_vec();
    held.step(1.0).unwrap();
    assert_eq!(held.q(), begin, "friction holds the quill");
    held.set(&options("{}")).unwrap();
    held.step(0.1).unwrap();
    assert!((held.q()[2] - begin[2]).abs() > 1e-3 || held.step(0.0).unwrap().ended.is_some(), "and lets it fall");
}

#[test]
fn every_robot_moves_or_says_why_not() {
    for name in appell::robots::all().map(|robot| robot.name) {
        let bench = Bench::builtin(name).unwrap();
        for law in ["free", "gravity-compensation", "hold-pd", "computed-torque"] {
            let made = Motion::new(&bench, &options(&format!(r#"{{"law": "{law}", "payload": 0.1}}"#)));
            let mut motion = match made {
                Ok(motion) => motion,
                Err(why) => {
                    assert!(why.len() > 20, "{name} {law}: {why}");
                    continue;
                }
            };
            for _ in 0..24 {
                let status = motion.step(FRAME).unwrap();
                assert!(status.energy.kinetic.is_finite() && motion.q().iter().all(|q| q.is_finite()));
                let off = motion.q().iter().zip(bench.q()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                // The model of computed torque is exact.
                assert!(law != "computed-torque" || off < 1e-6 || status.ended.is_some(), "{name}: {off}");
            }
            let live = serde_json::to_string(&motion.live()).unwrap();
            assert!(live.contains("singular_values"));
            let _ = motion.sketch();
        }
    }
}

#[test]
fn options_and_steps_that_are_none_are_refused() {
    assert!(Options::read("{}").unwrap_err().contains("law"));
    let mut motion = motion("puma560", "{}");
    for dt in [-1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(motion.step(dt).is_err());
    }
    assert!(motion.push(&[1.0]).is_err() && motion.push(&[f64::NAN; 6]).is_err());
    let stiff = motion.set(&options(r#"{"viscous": 1e8}"#)).unwrap_err();
    assert!(stiff.contains("stiff"), "{stiff}");
    assert!(motion.step(FRAME).is_ok(), "the old options stay");
}

#[test]
fn trajectories_pass_their_points() {
    let bench = bench("seven-axis");
    let points = [vec![0.1, -0.3, 0.2, -1.0, 0.3, 1.0, 0.1], vec![0.4, 0.1, 0.0, -1.4, 0.1, 1.2, 0.3]];
    let request = |law: &str, duration: &str| {
        let text = format!(
            r#"{{"points": {points:?}, "of": "joints", "law": "{law}", "duration": {duration}, "samples": 101}}"#
        );
        serde_json::from_str::<Request>(&text).unwrap()
    };
    for law in ["cubic", "quintic", "trapezoid", "spline"] {
        let found = bench.trajectory(&request(law, "2.0")).unwrap();
        assert_eq!((found.t.len(), found.t[100], &found.q[0]), (101, 2.0, &points[0]));
        assert!(found.q[100].iter().zip(&points[1]).all(|(a, b)| (a - b).abs() < 1e-12));
        // Velocities are the derivatives of positions.
        let slope = (found.q[51][0] - found.q[49][0]) / 0.04;
        assert!((slope - found.v[50][0]).abs() < 1e-3, "{law}: {slope} {}", found.v[50][0]);
        let mut twin = Bench::builtin("seven-axis").unwrap();
        twin.set_q(&found.q[50]).unwrap();
        twin.set_motion(&found.v[50], &found.a[50]).unwrap();
        let tau = twin.ask("inverse-dynamics").unwrap();
        assert!(tau.iter().zip(&found.tau[50]).all(|(a, b)| (a - b).abs() < 1e-9), "{law}");
        assert!(twin.pose().iter().zip(&found.pose[50]).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

/// An arm of two joints in a vertical plane, with limits.
const ARM: &str = r#"
name = "arm"
frames = "modified-dh"
gravity = [0.0, -9.81, 0.0]
joints = [["shoulder", "revolute", 0.0, 0.0, "q", 0.0], ["elbow", "revolute", 0.4, 0.0, "q", 0.0]]
body.shoulder = { mass = 2.0, com = [0.2, 0.0, 0.0], inertia = { xx = 0.01, yy = 0.03, zz = 0.03 } }
body.elbow = { mass = 1.0, com = [0.15, 0.0, 0.0], inertia = { xx = 0.01, yy = 0.02, zz = 0.02 } }
joint.shoulder.limits = { lower = -2.0, upper = 1.5, velocity = 3.0, effort = 60.0 }
joint.elbow.limits = { lower = -2.0, upper = 2.0, velocity = 4.0, effort = 20.0 }
"#;

#[test]
fn trajectories_are_as_fast_as_limits_permit() {
    let bench = Bench::read(ARM, "arm.toml").unwrap();
    let request = |to: f64, duration: &str| {
        let text = format!(
            r#"{{"points": [[0.0, 0.0], [{to}, 0.8], [0.2, 0.1]], "of": "joints", "law": "quintic", "duration": {duration}, "samples": 301}}"#
        );
        serde_json::from_str::<Request>(&text).unwrap()
    };
    let hasty = bench.trajectory(&request(1.0, "0.2")).unwrap().limit.unwrap();
    assert!(hasty.contains("beyond its limit"), "{hasty}");
    let far = bench.trajectory(&request(1.7, "10.0")).unwrap().limit.unwrap();
    assert!(far.contains("position of joint `shoulder`"), "{far}");
    let quick = bench.trajectory(&request(1.0, "null")).unwrap();
    let duration = quick.t[300];
    assert_eq!(quick.limit, None, "{duration}");
    let hastier = bench.trajectory(&request(1.0, &format!("{}", 0.98 * duration))).unwrap();
    assert!(hastier.limit.is_some(), "it was as fast as the limits permit: {duration} s");
    // A motion ends at a limit, and says at which.
    let mut motion = Motion::new(&bench, &options("{}")).unwrap();
    let status = motion.step(2.0).unwrap();
    assert!(status.ended.as_ref().is_some_and(|why| why.contains("beyond its limit")), "{status:?}");
    assert!(motion.q().iter().any(|q| (q + 2.0).abs() < 1e-6) && motion.step(1.0).unwrap().t == status.t);
    let text = bench.scenario(&options("{}"), 0.2).unwrap();
    assert!(text.contains("robot = \"arm.toml\"") && play(&text, ARM, "arm.toml").unwrap().rows.len() >= 24);
    let puma = Bench::builtin("puma560").unwrap();
    let six = [[0.0; 6], [0.5; 6]];
    let text = format!(r#"{{"points": {six:?}, "of": "joints", "law": "cubic", "duration": null, "samples": 9}}"#);
    assert!(puma.trajectory(&serde_json::from_str(&text).unwrap()).unwrap_err().contains("give a duration"));
}

#[test]
fn trajectories_of_platforms_are_poses() {
    let bench = bench("gough-stewart");
    let (from, mut to) = (bench.pose(), bench.pose());
    (to[0], to[2]) = (0.05, to[2] + 0.04);
    let text =
        format!(r#"{{"points": [{from:?}, {to:?}], "of": "pose", "law": "quintic", "duration": 1.0, "samples": 21}}"#);
    let found = bench.trajectory(&serde_json::from_str(&text).unwrap()).unwrap();
    let middle = found.pose[10];
    assert!((middle[0] - 0.025).abs() < 1e-9 && (middle[2] - 0.5 * (from[2] + to[2])).abs() < 1e-9, "{middle:?}");
    assert_eq!((found.q[0].len(), found.tau[0].len()), (bench.q().len(), 6));
}

#[test]
fn scenarios_are_played_as_the_command_line_plays_them() {
    for example in appell_simulation::scenario::EXAMPLES {
        let run = play(example.toml, "", "").unwrap();
        let scenario = Scenario::read(example.toml).unwrap();
        let robot = appell::Robot::builtin(&scenario.robot).unwrap();
        let mut rows = Vec::new();
        let outcome = scenario.play(&robot, Watch::default(), |moment| {
            rows.push((moment.view.t, moment.view.q.to_vec(), moment.efforts.to_vec()));
            core::ops::ControlFlow::Continue(())
        });
        assert_eq!((run.rows.len(), run.stop), (rows.len(), None));
        let drives = positions_of_drives(&robot);
        for (row, (t, q, tau)) in run.rows.iter().zip(&rows) {
            assert_eq!(row.len(), run.columns.len());
            assert!(row[0] == *t && row[1] == q[drives[0]], "{}: {} {t}", example.name, row[0]);
            let at = run.columns.iter().position(|column| column == "tau1").unwrap();
            assert_eq!(row[at], tau[0] + 0.0);
        }
        assert_eq!(run.summary.lines().count(), 1 + outcome.unwrap().tracking.len());
        assert!(run.events[0].contains("begin") && run.events.last().unwrap().contains("end"), "{:?}", run.events);
    }
}

#[test]
fn scenarios_that_a_page_cannot_play_say_why() {
    let refused = |text: &str| play(text, "", "").unwrap_err();
    assert!(refused("robot = 3").contains("not a scenario"));
    assert!(refused("robot = \"arm.urdf\"\nduration = 1.0").contains("bench"));
    let spline = "robot = \"scara\"\nreference = { kind = \"spline\", file = \"points.csv\" }";
    assert!(refused(spline).contains("points.csv"));
    let own = "robot = \"scara\"\nduration = 1.0\ncontroller = { law = { library = \"law.so\" } }";
    assert!(refused(own).contains("law.so"));
    assert!(refused("robot = \"scara\"\nduration = 1e9").contains("too many for a page"));
    let fine = "robot = \"scara\"\nduration = 100.0\nrun = { method = \"runge-kutta\", step = 1e-6 }";
    assert!(refused(fine).contains("steps"));
    let arm = play("robot = \"arm.toml\"\nduration = 0.1", appell::robots::find("two-link").unwrap().toml, "arm.toml");
    assert_eq!(arm.unwrap().rows.len(), 11);
}

#[test]
fn robots_that_are_too_large_to_move_say_so() {
    let rows: Vec<String> = (0..600).map(|k| format!(r#"["j{k}", "revolute", 0.01, 0.0, "q", 0.0]"#)).collect();
    let bodies: Vec<String> = (0..600)
        .map(|k| {
            format!(
                "[body.j{k}]\nmass = 0.1\ncom = [0.01, 0.0, 0.0]\ninertia = {{ xx = 0.01, yy = 0.01, zz = 0.01 }}\n"
            )
        })
        .collect();
    let text =
        format!("name = \"snake\"\nframes = \"modified-dh\"\njoints = [{}]\n{}", rows.join(","), bodies.concat());
    let bench = Bench::read(&text, "snake.toml").unwrap();
    assert!(Motion::new(&bench, &options("{}")).err().unwrap().contains("600 velocities"));
    assert!(bench.scenario(&options("{}"), 1.0).unwrap_err().contains("600"));
    assert!(play("robot = \"snake.toml\"\nduration = 1.0", &text, "snake.toml").unwrap_err().contains("600"));
}

/// A law that holds drives is refused where there are none, and says so.
#[test]
fn no_drives_are_held_by_no_law() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/closed/underactuated.toml");
    let Ok(bench) = Bench::read(&std::fs::read_to_string(file).unwrap(), file) else { panic!("it is a robot") };
    assert!(bench.robot().drives().is_empty());
    let refused = Motion::new(&bench, &options(r#"{"law": "hold-pd"}"#)).err().unwrap_or_default();
    assert!(refused.contains("no drives"), "{refused}");
}
