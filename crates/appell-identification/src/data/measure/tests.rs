use super::*;
use crate::data::Doubt;
use crate::data::Filter;
use appell::Robot;
use appell::robots;
use core::f64::consts::{PI, TAU};

const LAYOUT: &str = "
    time.column = 't'
    position.columns = ['q1', 'q2']
    velocity.columns = ['v1', 'v2']
    effort.columns = ['u1', 'u2']
";

/// An arm whose joints turn by ±2 rad at most.
fn arm() -> Robot {
    let text = robots::find("two-link").unwrap().toml;
    let names = Robot::builtin("two-link").unwrap().tree().joint_names().to_vec();
    let limits: String = names.iter().map(|name| format!("\n[joint.{name}.limits]\nlower = -2\nupper = 2\n")).collect();
    Robot::from_toml(&format!("{text}\n{limits}")).unwrap()
}

type Columns = Vec<(String, Vec<f64>)>;
type Change<'c> = &'c dyn Fn(&mut Columns);

/// Half a minute of waves at 100 Hz, with 1 % of noise on the efforts.
fn columns() -> Columns {
    let mut sampler = appell::sample::Sampler::new(8);
    let mut noise = |size: f64| sampler.within(size);
    let time: Vec<f64> = (0..3000).map(|k| f64::from(k) / 100.0).collect();
    let of = |f: &mut dyn FnMut(f64) -> f64| time.iter().map(|&t| f(t)).collect::<Vec<f64>>();
    vec![
        ("t".into(), time.clone()),
        ("q1".into(), of(&mut |t| t.sin())),
        ("q2".into(), of(&mut |t| (1.7 * t).cos())),
        ("v1".into(), of(&mut |t| t.cos())),
        ("v2".into(), of(&mut |t| -1.7 * (1.7 * t).sin())),
        ("u1".into(), of(&mut |t| 5.0 * (2.0 * t).sin() + noise(0.05))),
        ("u2".into(), of(&mut |t| 3.0 * (2.3 * t).sin() + noise(0.03))),
    ]
}

fn measured(layout: &str, columns: &Columns) -> Result<(Measurement, Vec<Doubt>), DataError> {
    let measured = Layout::read(layout).unwrap_or_else(|problems| panic!("{problems}")).measure(&arm(), columns)?;
    Ok((measured.longest().clone(), measured.doubts))
}

fn changed(change: impl FnOnce(&mut Columns)) -> Columns {
    let mut columns = columns();
    change(&mut columns);
    columns
}

#[test]
fn good_data_raise_no_doubt() {
    let (measurement, doubts) = measured(LAYOUT, &columns()).unwrap();
    assert_eq!(doubts, []);
    assert!((measurement.clock.rate() - 100.0).abs() < 1e-9);
    assert_eq!(measurement.q[1], columns()[2].1);
    assert_eq!(measurement.motion(&Filter::default()).unwrap().count, 3000);
}

/// Every fault that recordings have, with the column and the row it is named by.
#[test]
fn every_fault_has_its_name() {
    let failed = |change: Change<'_>| measured(LAYOUT, &changed(|columns| change(columns))).unwrap_err();
    let cases: [(Change<'_>, &str); 16] = [
        (&|c| c[2].0 = "x".into(), "there is no column `q2`; there are `t`, `q1`, `x`"),
        (&|c| c.push(("q2".into(), Vec::new())), "the column `q2` stands twice"),
        (&|c| c[5].1.truncate(2999), "the column `u1` has 2999 samples and the first one 3000"),
        (&|c| c.iter_mut().for_each(|column| column.1.truncate(7)), "7 samples are too few, at least 20"),
        (&|c| c[6].1[41] = f64::INFINITY, "row 42 of column `u2` is inf"),
        (&|c| c[0].1[41] = f64::NAN, "row 42 of column `t` is empty"),
        (&|c| c[6].1[15..].fill(f64::NAN), "the column `u2` has numbers in 15 of 3000 rows"),
        (&|c| c[6].1[41] = 1e300, "row 42 of column `u2` is 1e300"),
        (&|c| c[1].1[70..].iter_mut().for_each(|q| *q -= 2.0 * PI), "a whole turn; unwrap the angles"),
        (&|c| c[2].1[500..503].fill(-0.95), "samples were lost or are wrong; cut them out"),
        (&|c| c[0].1[99] = 0.5, "column `t`: time goes backwards: 0.5 s at sample 100"),
        (&|c| c[5].1.fill(2.5), "the column `u1` keeps the value 2.5 in all 3000 rows"),
        (&|c| c[2].1.fill(0.0), "the column `q2` keeps the value 0"),
        (&|c| c[1].1.iter_mut().for_each(|q| *q *= 180.0 / PI), "column `q1`: reaches"),
        (&|c| c[3].1.iter_mut().for_each(|v| *v *= 180.0 / PI), "column `v1`: is 57.29"),
        (&|c| c[4].1.iter_mut().for_each(|v| *v = -*v), "their directions differ"),
    ];
    for (change, expected) in cases {
        let message = failed(change).to_string();
        assert!(message.contains(expected), "{expected}\nis not in\n{message}");
    }
}

#[test]
fn what_the_user_knows_better_is_accepted() {
    let degrees = changed(|c| c[1].1.iter_mut().for_each(|q| *q *= 180.0 / PI));
    let constant = changed(|c| c[5].1.fill(2.5));
    let without_velocity = LAYOUT.replace("velocity.columns = ['v1', 'v2']", "");
    assert!(measured(&format!("{without_velocity}\naccept.unit = ['q1']"), &degrees).is_ok());
    assert!(measured(&format!("{LAYOUT}\naccept.constant = ['u1']"), &constant).is_ok());
    let said = without_velocity
        .replace("position.columns = ['q1', 'q2']", "position = { columns = ['q1', 'q2'], unit = 'deg' }");
    let all = changed(|c| c[1..3].iter_mut().for_each(|c| c.1.iter_mut().for_each(|q| *q *= 180.0 / PI)));
    let (measurement, _) = measured(&said, &all).unwrap();
    assert!((measurement.q[0][157] - 1.57_f64.sin()).abs() < 1e-12);
}

/// A SCARA turns and slides: one unit per column.
#[test]
fn every_column_may_have_a_unit_of_its_own() {
    let scara = Robot::builtin("scara").unwrap();
    let wave = |k: usize, size: f64| (0..200).map(|i| size * (0.03 * (i * (k + 1)) as f64).sin()).collect::<Vec<_>>();
    let mut columns: Columns = (0..4).map(|k| (format!("q{}", k + 1), wave(k, 1.0))).collect();
    columns.extend((0..4).map(|k| (format!("u{}", k + 1), wave(k + 4, 2.0))));
    columns[2].1.iter_mut().for_each(|q| *q *= 50.0);
    let layout = |position: &str, effort: &str| {
        format!(
            "time.rate = 100\nposition = {{ columns = ['q1', 'q2', 'q3', 'q4'], unit = {position} }}\n\
             effort = {{ columns = ['u1', 'u2', 'u3', 'u4'], {effort} }}"
        )
    };
    let read = |position: &str, effort: &str| Layout::read(&layout(position, effort)).unwrap();
    let each = read("['deg', 'rad', 'mm', 'rad']", "unit = ['A', 'mN m', 'N', 'A'], constant = 0.5");
    let measured = each.measure(&scara, &columns).unwrap().pieces.remove(0);
    for (k, (position, effort)) in [(PI / 180.0, 0.5), (1.0, 1e-3), (1e-3, 1.0), (1.0, 0.5)].into_iter().enumerate() {
        assert_eq!(measured.q[k][20], position * columns[k].1[20]);
        assert_eq!(measured.effort[k][20], effort * columns[k + 4].1[20]);
    }
    // An encoder counts parts of a turn, or of a metre where the joint slides.
    let counts = layout("'rad'", "unit = 'N m'").replacen("unit = 'rad'", "counts = [10, 20, 500, 40]", 1);
    let measured = Layout::read(&counts).unwrap().measure(&scara, &columns).unwrap().pieces.remove(0);
    for (k, unit) in [TAU / 10.0, TAU / 20.0, 1.0 / 500.0, TAU / 40.0].into_iter().enumerate() {
        assert!((measured.q[k][20] / (unit * columns[k].1[20]) - 1.0).abs() < 1e-12, "joint {k}");
    }
    let refused = read("'mm'", "unit = 'N m'").measure(&scara, &columns).unwrap_err().to_string();
    assert!(
        refused.contains("`position.unit` of `q1` is mm") && refused.contains("of this one rad, deg, turn"),
        "{refused}"
    );
    let problems = Layout::read(&layout("['rad', 'mm']", "unit = 'A', constant = 0")).unwrap_err().to_string();
    assert!(problems.contains("one per column") && problems.contains("a number other than 0"), "{problems}");
}

/// Columns in `accept` must be there, and efforts beyond the joints' limits are reported.
#[test]
fn what_is_accepted_is_a_column_and_limits_are_looked_at() {
    let error = measured(&format!("{LAYOUT}\naccept.unit = ['x1']"), &columns()).unwrap_err().to_string();
    assert!(error.contains("`accept.unit` names `x1`"), "{error}");
    let name = arm().tree().joint_names()[1].clone();
    let text = format!("{}\n[joint.{name}.limits]\neffort = 1\n", robots::find("two-link").unwrap().toml);
    let doubts = Layout::read(LAYOUT).unwrap().measure(&Robot::from_toml(&text).unwrap(), &columns()).unwrap().doubts;
    assert!(matches!(&doubts[..], [Doubt::BeyondLimit { column, limit: 1.0, .. }] if column == "u2"), "{doubts:?}");
}

#[test]
fn numbers_of_joints_must_fit() {
    let failed = |layout: &str| measured(layout, &columns()).unwrap_err().to_string();
    let one = LAYOUT.replace("['u1', 'u2']", "['u1']");
    assert!(failed(&one).contains("`effort.columns` is given for 1 columns, but the robot has 2 driven joints"));
    assert!(failed(&format!("{LAYOUT}\njoint.sign = [1, 1, 1]")).contains("`joint.sign` is given for 3"));
    let motor = LAYOUT.replace("effort.columns = ['u1', 'u2']", "effort = { columns = ['u1', 'u2'], side = 'motor' }");
    assert!(failed(&motor).contains("`effort` is measured at motors, but there is no section [gear]"));
    assert!(failed(&format!("{motor}\ngear.matrix = [[1, 1], [1, 1]]")).contains("cannot be inverted"));
}

/// A motor that turns with both joints: positions by the inverse, efforts by the transpose, so that power is kept.
#[test]
fn coupled_gears_keep_the_power() {
    let r = DMatrix::from_row_slice(2, 2, &[50.0, 0.0, 20.0, -40.0]);
    let good = columns();
    let (q, v, tau) = (&good[1..3], &good[3..5], &good[5..7]);
    let through = |matrix: &DMatrix<f64>, signals: &[(String, Vec<f64>)], k: usize| -> Vec<f64> {
        (0..3000).map(|i| matrix[(k, 0)] * signals[0].1[i] + matrix[(k, 1)] * signals[1].1[i]).collect()
    };
    let back = r.transpose().try_inverse().unwrap();
    let signs = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, -1.0]));
    let turn = |x: f64| x / (2.0 * PI) * 4096.0;
    let mut motors = vec![good[0].clone()];
    for k in 0..2 {
        let counts = through(&(&r * &signs), q, k).into_iter().map(turn).collect();
        motors.push((format!("m{k}"), counts));
        let rpm = through(&(&r * &signs), v, k).into_iter().map(|w| w * 30.0 / PI).collect();
        motors.push((format!("w{k}"), rpm));
        motors.push((format!("i{k}"), through(&(&back * &signs), tau, k).into_iter().map(|t| t / 0.2).collect()));
    }
    let layout = "
        time.column = 't'
        position = { columns = ['m0', 'm1'], counts = 4096, side = 'motor' }
        velocity = { columns = ['w0', 'w1'], unit = 'rpm', side = 'motor' }
        effort = { columns = ['i0', 'i1'], unit = 'A', constant = 0.2, side = 'motor' }
        gear.matrix = [[50, 0], [20, -40]]
        joint = { sign = [1, -1], offset = [0.1, '-5 deg'] }
    ";
    let (measurement, _) = measured(layout, &motors).unwrap();
    let offsets = [0.1, -5.0 * PI / 180.0];
    for (k, offset) in offsets.into_iter().enumerate() {
        for i in 0..3000 {
            assert!((measurement.q[k][i] - offset - q[k].1[i]).abs() < 1e-12);
            assert!((measurement.v.as_ref().unwrap()[k][i] - v[k].1[i]).abs() < 1e-12);
            assert!((measurement.effort[k][i] - tau[k].1[i]).abs() < 1e-12);
        }
    }
}

#[test]
fn odd_data_are_doubted() {
    let doubts = |layout: &str, change: Change<'_>| measured(layout, &changed(|c| change(c))).unwrap().1;
    let limited =
        LAYOUT.replace("effort.columns = ['u1', 'u2']", "effort = { columns = ['u1', 'u2'], limit = [4.8, 9] }");
    let cut: Change<'_> = &|c| c[5].1.iter_mut().for_each(|u| *u = u.clamp(-4.8, 4.8));
    for layout in [&limited, LAYOUT] {
        let found = doubts(layout, cut);
        assert!(
            matches!(&found[..], [Doubt::Saturated { column, value: 4.8, samples, .. }] if column == "u1" && *samples > 400),
            "{found:?}"
        );
    }
    // What is cut off, dead or a spike is left out; where that is too much, so is the recording.
    let found = doubts(LAYOUT, &|c| c[5].1[300..320].fill(0.0));
    assert!(
        matches!(&found[..], [Doubt::Dead { column, row: 301, samples: 20, value: 0.0 }] if column == "u1"),
        "{found:?}"
    );
    let (measurement, found) = measured(LAYOUT, &changed(|c| c[6].1[500] = 90.0)).unwrap();
    assert!(matches!(&found[..], [Doubt::Spikes { column, row: 501, samples: 1, .. }] if column == "u2"), "{found:?}");
    assert!((measurement.effort[1][500] - 3.0 * (2.3_f64 * 5.0).sin()).abs() < 0.1, "between its neighbours");
    let (measurement, _) = measured(LAYOUT, &changed(|c| c[5].1[300..320].fill(0.0))).unwrap();
    let motion = measurement.motion(&Filter { decimation: 5, ..Filter::default() }).unwrap();
    let (kept, all): (_, Vec<usize>) =
        (motion.right_samples(&motion.decimation), motion.decimation.kept(3000).collect());
    assert!(kept.len() < all.len() && kept.len() > all.len() - 30, "{} of {}", kept.len(), all.len());
    assert!(kept.iter().all(|k| !(295..325).contains(k)));
    let half = changed(|c| c[5].1.iter_mut().for_each(|u| *u = u.clamp(-3.0, 3.0)));
    let error = measured(LAYOUT, &half).unwrap_err();
    assert!(matches!(error, DataError::LeftOut { samples: 3000, .. }), "{error}");
    let found =
        doubts(LAYOUT, &|c| c[6].1.iter_mut().enumerate().for_each(|(k, u)| *u += 2.0 * f64::from(k as u32 % 2)));
    assert!(matches!(&found[..], [Doubt::Aliased { column, part }] if column == "u2" && *part > 0.1), "{found:?}");
}

#[test]
fn columns_are_named_once_and_those_of_more_joints_are_told() {
    let twice = LAYOUT.replace("['u1', 'u2']", "['u1', 'q2']");
    assert_eq!(measured(&twice, &columns()).unwrap_err(), DataError::NamedTwice { column: "q2".into() });
    let more = changed(|c| ["q3", "u3", "q", "x7"].iter().for_each(|name| c.push(((*name).into(), Vec::new()))));
    let (_, doubts) = measured(LAYOUT, &more).unwrap();
    assert_eq!(doubts, [Doubt::Unread { columns: vec!["q3".into(), "u3".into()], joints: 2 }]);
    assert!(
        doubts[0].to_string().starts_with("`q3`, `u3` are not read: the robot has 2 driven joints"),
        "{}",
        doubts[0]
    );
}

/// What was wanted has no efforts, but the same instants.
#[test]
fn a_reference_needs_no_efforts_but_the_same_instants() {
    let layout = Layout::read(LAYOUT).unwrap();
    let data = layout.measure(&arm(), &columns()).unwrap().pieces.remove(0);
    let wanted = changed(|c| c.truncate(3));
    let reference = layout.measure_motion(&arm(), &wanted).unwrap().remove(0);
    assert_eq!(reference.expect_instants_of(&data), Ok(()));
    assert_eq!((reference.q == data.q, reference.effort.len()), (true, 2));
    let at = |change: Change<'_>| {
        let mut wanted = wanted.clone();
        change(&mut wanted);
        layout.measure_motion(&arm(), &wanted).unwrap()[0].expect_instants_of(&data)
    };
    assert_eq!(at(&|c| c[0].1.iter_mut().for_each(|t| *t += 0.004)), Ok(()));
    let late = at(&|c| c[0].1.iter_mut().for_each(|t| *t += 0.006));
    assert!(matches!(late, Err(DataError::Instant { row: 1, .. })), "{late:?}");
    let short = at(&|c| c.iter_mut().for_each(|column| column.1.truncate(2000)));
    assert_eq!(short, Err(DataError::Rows { found: 2000, expected: 3000 }));
}

#[test]
fn a_rate_agrees_with_a_column_of_time_and_gears_are_used() {
    let layout =
        |rate: f64| LAYOUT.replace("time.column = 't'", &format!("time.rate = {rate}")).replace("velocity", "# ");
    assert!(measured(&layout(100.0), &columns()).is_ok());
    let error = measured(&layout(250.0), &columns()).unwrap_err();
    assert_eq!(error, DataError::Rate { rate: 250.0, column: "t".into(), of_column: 100.0 });
    let in_ms = changed(|columns| columns[0].1.iter_mut().for_each(|t| *t *= 1e3));
    assert!(measured(&layout(100.0), &in_ms).is_ok(), "a rate that the time in ms has");
    for name in ["time_s", "t [s]", "Time (s)", "t/s"] {
        let named = changed(|columns| columns[0].0 = name.into());
        let error = measured(&layout(250.0), &named).unwrap_err();
        assert_eq!(error, DataError::Rate { rate: 250.0, column: name.into(), of_column: 100.0 });
    }
    let still = changed(|columns| columns[0].1.fill(0.0));
    assert!(measured(&layout(250.0), &still).is_ok(), "a column of zeros contradicts nothing");
    let gears = format!("{LAYOUT}\ngear.ratio = [50, 50]");
    assert_eq!(measured(&gears, &columns()), Err(DataError::UnusedGears));
}

/// Stamps of a recorder as it is: uneven, doubled, some missing, many missing. The motion is that of even stamps.
#[test]
fn uneven_time_is_mended_and_told() {
    let uneven = changed(|c| {
        let mut sampler = appell::sample::Sampler::new(3);
        let late: Vec<f64> = (0..3000).map(|_| sampler.within(0.003)).collect();
        for (k, late) in late.into_iter().enumerate() {
            let t = c[0].1[k] + late;
            c[0].1[k] = t;
            (c[1].1[k], c[2].1[k]) = (t.sin(), (1.7 * t).cos());
            (c[3].1[k], c[4].1[k]) = (t.cos(), -1.7 * (1.7 * t).sin());
        }
        for column in c.iter_mut() {
            let twice = column.1[50];
            column.1.drain(2000..2200);
            column.1.drain(1000..1003);
            column.1.insert(50, twice);
        }
    });
    let measured = Layout::read(LAYOUT).unwrap().measure(&arm(), &uneven).unwrap();
    assert_eq!(measured.doubts, []);
    let lengths: Vec<usize> = measured.pieces.iter().map(|piece| piece.time.len()).collect();
    assert!(lengths.len() == 2 && lengths[0].abs_diff(2000) < 2 && lengths[1].abs_diff(800) < 2, "{lengths:?}");
    for piece in &measured.pieces {
        assert!((piece.clock.rate() - 100.0).abs() < 1e-2);
        for (t, (one, other)) in piece.time.iter().zip(piece.q[0].iter().zip(&piece.q[1])) {
            assert!((one - t.sin()).abs() < 1e-5 && (other - (1.7 * t).cos()).abs() < 1e-5, "{t}: {one} {other}");
        }
    }
    for word in [
        "1 row left out that stand",
        "3 samples missing in 1 gap bridged",
        "into 2 pieces",
        "taken as they are",
        "costs positions",
    ] {
        assert!(measured.time.contains(word), "{word} is not in {}", measured.time);
    }
}

/// A rate beside stamps that are uneven, and a delay that is known.
#[test]
fn a_rate_beside_uneven_stamps_is_doubted_and_known_delays_are_taken_away() {
    let layout = LAYOUT.replace("time.column = 't'", "time.rate = 100");
    let uneven = changed(|c| c[0].1.iter_mut().step_by(7).for_each(|t| *t += 4e-3));
    let (_, doubts) = measured(&layout, &uneven).unwrap();
    assert!(
        matches!(&doubts[..], [Doubt::UnevenStamps { jitter, away, .. }] if (jitter - 0.4).abs() < 1e-6 && (away - 4e-3).abs() < 1e-6),
        "{doubts:?}"
    );
    assert!(doubts[0].to_string().contains("steps differ from that by up to 40 %"), "{}", doubts[0]);
    // Efforts that come 25 ms after what they belong to.
    let late = changed(|c| {
        let of = |f: &dyn Fn(f64) -> f64| (0..3000).map(|k| f(f64::from(k) / 100.0 - 0.025)).collect::<Vec<f64>>();
        c[5].1 = of(&|t| 5.0 * (2.0 * t).sin());
        c[6].1 = of(&|t| 3.0 * (2.3 * t).sin());
    });
    let known = LAYOUT.replace("effort.columns = ['u1', 'u2']", "effort = { columns = ['u1', 'u2'], delay = 0.025 }");
    let (measurement, _) = measured(&known, &late).unwrap();
    assert_eq!((measurement.left_out.len(), measurement.left_out[0].clone()), (1, 2997..3000));
    for k in 0..2997 {
        let t = measurement.time[k];
        assert!((measurement.effort[0][k] - 5.0 * (2.0 * t).sin()).abs() < 1e-4, "{k}");
    }
}

/// Exact efforts of the waves at an instant.
fn efforts(t: f64) -> [f64; 2] {
    [5.0 * (2.0 * t).sin(), 3.0 * (2.3 * t).sin()]
}

/// Whether samples of a measurement are those of the waves, positions and efforts within so much.
fn expect_waves(measured: &Measured, most: [f64; 2]) {
    for piece in &measured.pieces {
        let inner = 20..piece.time.len() - 20;
        for k in inner {
            let t = piece.time[k];
            let off = [piece.q[0][k] - t.sin(), piece.q[1][k] - (1.7 * t).cos()];
            assert!(off.iter().all(|off| off.abs() < most[0]), "{t}: {off:?}");
            let off: Vec<f64> = efforts(t).iter().zip(&piece.effort).map(|(own, found)| found[k] - own).collect();
            assert!(off.iter().all(|off| off.abs() < most[1]), "{t}: {off:?}");
        }
    }
}

/// Positions and efforts by clocks of their own: another rate, another beginning, and stamps that are uneven. One line says so.
#[test]
fn sections_with_columns_of_time_of_their_own_come_onto_one_grid() {
    let mut sampler = appell::sample::Sampler::new(4);
    let mut other: Vec<f64> = (0..3000).map(|k| 0.0137 + f64::from(k) / 101.3 + sampler.within(0.003)).collect();
    let own = changed(|c| {
        c[5].1 = other.iter().map(|&t| efforts(t)[0]).collect();
        c[6].1 = other.iter().map(|&t| efforts(t)[1]).collect();
        c.push(("tu".into(), other.clone()));
    });
    let layout = LAYOUT.replace("effort.columns = ['u1', 'u2']", "effort = { columns = ['u1', 'u2'], time = 'tu' }");
    let layout = Layout::read(&layout).unwrap();
    assert!(layout.columns().eq(["t", "tu", "q1", "q2", "v1", "v2", "u1", "u2"]));
    let measured = layout.measure(&arm(), &own).unwrap();
    assert_eq!((measured.pieces.len(), &measured.doubts[..]), (1, &[][..]));
    expect_waves(&measured, [1e-6, 1e-3]);
    let clock = measured.longest().clock;
    assert!((clock.rate() - 101.3).abs() < 0.01 && (clock.slowest - 0.01).abs() < 1e-6, "{clock:?}");
    for words in [
        "positions, velocities at 100 Hz by `t`; ",
        "torques and forces at 101.3 Hz by `tu`, stamps uneven by up to",
        "put on even instants at 101.3 Hz by a cubic spline, which costs positions at most",
    ] {
        let told = measured.time.replace("101.299", "101.3").replace("101.301", "101.3");
        assert!(told.contains(words), "{words} is not in {told}");
    }
    // Two columns that are alike are one clock.
    let same = changed(|c| c.push(("tu".into(), c[0].1.clone())));
    assert_eq!(layout.measure(&arm(), &same).unwrap().time, "");
    // Clocks that have nothing in common.
    other.iter_mut().for_each(|t| *t += 1e4);
    let apart = changed(|c| c.push(("tu".into(), other.clone())));
    let error = layout.measure(&arm(), &apart).unwrap_err().to_string();
    assert!(error.contains("`t`, `tu`") && error.contains("have nothing in common"), "{error}");
}

/// One column of time, and a cell is empty where a channel has no sample: efforts in rows between those of positions and four times slower, or in every
/// fifth row of them.
#[test]
fn channels_with_empty_cells_are_put_between() {
    let layout = Layout::read(&LAYOUT.replace("velocity.columns = ['v1', 'v2']", "")).unwrap();
    let instants: Vec<(f64, bool)> = {
        let positions = (0..3000).map(|k| (f64::from(k) / 100.0, true));
        let mut all: Vec<_> = positions.chain((0..740).map(|k| (0.0123 + f64::from(k) / 25.0, false))).collect();
        all.sort_by(|one, two| one.0.total_cmp(&two.0));
        all
    };
    let column = |of: &dyn Fn(f64, bool) -> f64| instants.iter().map(|&(t, own)| of(t, own)).collect::<Vec<f64>>();
    let only = |own: bool, x: f64| if own { x } else { f64::NAN };
    let merged: Columns = vec![
        ("t".into(), column(&|t, _| t)),
        ("q1".into(), column(&|t, own| only(own, t.sin()))),
        ("q2".into(), column(&|t, own| only(own, (1.7 * t).cos()))),
        ("u1".into(), column(&|t, own| only(!own, efforts(t)[0]))),
        ("u2".into(), column(&|t, own| only(!own, efforts(t)[1]))),
    ];
    let measured = layout.measure(&arm(), &merged).unwrap();
    expect_waves(&measured, [1e-9, 1e-2]);
    assert!(
        measured.time.starts_with("positions at 100 Hz by `t`; torques and forces at 25 Hz by `t`; put"),
        "{}",
        measured.time
    );
    // Equations are no more than the efforts that were recorded.
    let filter = layout.filter.chosen(&[measured.longest()]).unwrap();
    assert!(filter.decimation >= 4, "{filter:?}");

    let fifth = changed(|c| {
        let times = c[0].1.clone();
        for (k, t) in times.into_iter().enumerate() {
            (c[5].1[k], c[6].1[k]) = (efforts(t)[0], efforts(t)[1]);
            if k % 5 != 2 {
                (c[5].1[k], c[6].1[k]) = (f64::NAN, f64::NAN);
            }
        }
    });
    let measured = layout.measure(&arm(), &fifth).unwrap();
    expect_waves(&measured, [1e-9, 1e-2]);
    let counted =
        Layout::read(&LAYOUT.replace("time.column = 't'", "time.rate = 100").replace("velocity", "#")).unwrap();
    let (by_count, by_stamp) = (counted.measure(&arm(), &fifth).unwrap(), measured);
    let pairs = by_count.longest().effort[0].iter().zip(&by_stamp.longest().effort[0]);
    let off = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    assert!(off < 1e-9, "{off}");
}

/// A cell here and there, and a last row that is not whole.
#[test]
fn single_missing_cells_are_bridged_and_told() {
    let missing = changed(|c| {
        c[1].1[500] = f64::NAN;
        c[6].1[41..43].fill(f64::NAN);
    });
    let measured = Layout::read(LAYOUT).unwrap().measure(&arm(), &missing).unwrap();
    let piece = measured.longest();
    assert_eq!((measured.pieces.len(), piece.time.len()), (1, 3000));
    assert!((piece.q[0][500] - 5_f64.sin()).abs() < 1e-6 && (piece.q[0][499] - 4.99_f64.sin()).abs() < 1e-12);
    for words in [
        "`q1` at 100 Hz by `t`, 1 sample missing in 1 gap bridged",
        "`u2` at 100 Hz by `t`, 2 samples missing in 1 gap",
    ] {
        assert!(measured.time.contains(words), "{words} is not in {}", measured.time);
    }
    let last = changed(|c| c[6].1[2999] = f64::NAN);
    let measured = Layout::read(LAYOUT).unwrap().measure(&arm(), &last).unwrap();
    assert_eq!((measured.longest().time.len(), measured.time.as_str()), (2999, ""));
}
