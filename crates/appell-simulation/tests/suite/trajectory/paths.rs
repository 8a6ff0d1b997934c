//! Paths of joints and of frames: derivatives, joins, and that they go through what they were given.

use super::{assert_frame_is_smooth, assert_frame_rates, assert_joint_is_smooth, assert_joint_rates, pose, turn};
use crate::common::norm;
use crate::{difference, joints};
use appell::sample::Sampler;
use appell::spatial::{EulerAngles, Pose, Vec3};
use appell_simulation::trajectory::{
    Arc, Attitude, Blends, Coordinates, Ends, Fourier, FrameRates, FrameReference, JointReference, Line, Ramp, Rates,
    Shape, Spline, Stops, TimeLaw, ViaSpline,
};

fn law() -> TimeLaw {
    TimeLaw::new(Shape::Quintic, 1.3).unwrap()
}

/// Times at unequal distances, and points of four joints.
fn points(count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut sampler = Sampler::new(21);
    let mut time = 5.0;
    let times = (0..count).map(|_| {
        time += 0.6 + sampler.within(0.4);
        time
    });
    let times = times.collect();
    (times, (0..count).map(|_| (0..4).map(|_| sampler.within(2.0)).collect()).collect())
}

#[test]
fn ramps() {
    let (from, to) = ([0.2, -0.3, 1.0], [1.0, -0.3, -2.0]);
    assert_joint_rates(&mut Ramp::new(&from, &to, law()).unwrap(), 1e-7, "ramp");
    let each = |speed| Rates { speed, acceleration: 2.0, jerk: f64::INFINITY };
    let mut quick = Ramp::within(&from, &to, Shape::TRAPEZOIDAL, &[each(0.1), each(1.0), each(1.5)]).unwrap();
    let middle = quick.duration() / 2.0;
    let [_, v, _] = joints(&mut quick, middle);
    assert!((v[0] - 0.1).abs() < 1e-12 && v[1] == 0.0 && v[2].abs() < 1.5, "the first joint sets the pace: {v:?}");
    assert_eq!(joints(&mut quick, 1e9)[0], to);
}

#[test]
fn splines_go_smoothly_through_their_points() {
    let (times, points) = points(7);
    let some = [0.5, -1.0, 0.0, 2.0];
    let all = [Ends::Rest, Ends::Natural, Ends::Velocities(&some, &some)];
    for ends in all {
        for (degree, spline) in [(3, Spline::cubic(&times, &points, ends)), (5, Spline::quintic(&times, &points, ends))]
        {
            let (mut spline, label) = (spline.unwrap(), format!("degree {degree}, {ends:?}"));
            assert_joint_rates(&mut spline, 1e-6, &label);
            for (t, point) in times.iter().zip(&points) {
                let [q, v, _] = joints(&mut spline, t - times[0]);
                assert!(difference(&q, point) < 1e-12, "{label}");
                if *t == times[0] {
                    match ends {
                        Ends::Rest => assert!(norm(&v) < 1e-12, "{label}"),
                        Ends::Velocities(..) => assert!(difference(&v, &some) < 1e-12, "{label}"),
                        Ends::Natural => {}
                    }
                }
            }
            for &t in &times[1..6] {
                assert_joint_is_smooth(&mut spline, t - times[0], 3, &label);
            }
        }
    }
}

/// Third and fourth derivatives by differences of the accelerations, on both sides of a point.
#[test]
fn quintics_are_smooth_to_the_fourth_derivative() {
    let (times, points) = points(6);
    for ends in [Ends::Rest, Ends::Natural] {
        let mut spline = Spline::quintic(&times, &points, ends).unwrap();
        let h = 1e-4;
        let mut higher = |t: f64| {
            let [a, b, c] = [t - h, t, t + h].map(|t| joints(&mut spline, t)[2].clone());
            let third: Vec<f64> = (0..4).map(|j| (c[j] - a[j]) / (2.0 * h)).collect();
            let fourth: Vec<f64> = (0..4).map(|j| (c[j] - 2.0 * b[j] + a[j]) / (h * h)).collect();
            (third, fourth)
        };
        for time in times[1..5].iter().map(|t| t - times[0]) {
            let (before, after) = (higher(time - 1.01 * h), higher(time + 1.01 * h));
            let expected: Vec<f64> =
                before.0.iter().zip(&before.1).map(|(third, fourth)| third + 2.02 * h * fourth).collect();
            assert!(difference(&expected, &after.0) < 1e-3 * norm(&before.0).max(10.0), "{ends:?}: third");
            assert!(difference(&before.1, &after.1) < 0.03 * norm(&before.1).max(100.0), "{ends:?}: fourth");
        }
        if ends == Ends::Natural {
            let (third, fourth) = higher(1.01 * h);
            assert!(norm(&third) < 1.0 && norm(&fourth) < 10.0, "natural: {third:?} {fourth:?}");
        }
    }
}

/// A spline through points of a polynomial of its degree, with its ends, is the polynomial.
#[test]
fn splines_keep_polynomials() {
    let times: Vec<f64> = [0.0, 0.4, 0.5, 1.3, 2.0].to_vec();
    let line = |t: f64| 1.0 + 2.0 * t;
    let parabola = |t: f64| 1.0 + 2.0 * t - 0.7 * t * t;
    let rows = |f: &dyn Fn(f64) -> f64| times.iter().map(|&t| vec![f(t)]).collect::<Vec<_>>();
    let mut natural = Spline::cubic(&times, &rows(&line), Ends::Natural).unwrap();
    let mut quintic = Spline::quintic(&times, &rows(&parabola), Ends::Natural).unwrap();
    let cubic = |t: f64| 1.0 + 2.0 * t - t * t + 0.5 * t * t * t;
    let (first, last) = ([2.0], [2.0 - 2.0 * 2.0 + 1.5 * 4.0]);
    let mut clamped = Spline::cubic(&times, &rows(&cubic), Ends::Velocities(&first, &last)).unwrap();
    for k in 0..=40 {
        let t = f64::from(k) / 20.0;
        assert!((joints(&mut natural, t)[0][0] - line(t)).abs() < 1e-13);
        assert!((joints(&mut quintic, t)[0][0] - parabola(t)).abs() < 1e-12);
        assert!((joints(&mut clamped, t)[0][0] - cubic(t)).abs() < 1e-13);
    }
}

#[test]
fn splines_with_rates_given_at_the_points() {
    let (times, points) = points(5);
    let (_, velocities) = self::points(5);
    let mut cubic = Spline::cubic_with(&times, &points, &velocities).unwrap();
    let mut quintic = Spline::quintic_with(&times, &points, &velocities, &points).unwrap();
    assert_joint_rates(&mut cubic, 1e-6, "cubic with velocities");
    assert_joint_rates(&mut quintic, 1e-6, "quintic with accelerations");
    for k in 0..5 {
        let t = times[k] - times[0];
        assert!(difference(&joints(&mut cubic, t)[1], &velocities[k]) < 1e-11);
        let [q, v, a] = joints(&mut quintic, t);
        assert!(difference(&q, &points[k]) < 1e-11 && difference(&v, &velocities[k]) < 1e-11);
        assert!(difference(&a, &points[k]) < 1e-9);
    }
    assert_joint_is_smooth(&mut quintic, times[2] - times[0], 3, "quintic with accelerations");
}

#[test]
fn long_splines_stay_exact() {
    let (times, points) = points(2000);
    let mut spline = Spline::quintic(&times, &points, Ends::Rest).unwrap();
    assert_joint_rates(&mut spline, 1e-2, "long"); // steps of the difference are long here
    for k in [1, 999, 1998] {
        assert_joint_is_smooth(&mut spline, times[k] - times[0], 2, "long");
        assert!(difference(&joints(&mut spline, times[k] - times[0])[0], &points[k]) < 1e-9);
    }
}

#[test]
fn fourier_series() {
    let mut sampler = Sampler::new(4);
    let terms: Vec<Vec<[f64; 2]>> =
        (0..3).map(|_| (0..5).map(|_| [sampler.within(1.0), sampler.within(1.0)]).collect()).collect();
    let series = Fourier::new(&[0.1, 0.2, -0.4], &terms, 0.2, 3.0).unwrap();
    assert_joint_rates(&mut series.clone(), 1e-5, "series");
    let mut resting = series.from_rest().unwrap();
    assert_joint_rates(&mut resting, 1e-5, "from rest");
    assert_eq!(resting.duration(), 15.0);
    let start = joints(&mut resting, 0.0);
    for t in [0.0, 5.0, 15.0] {
        let [q, v, a] = joints(&mut resting, t);
        assert!(norm(&v) < 1e-12 && norm(&a) < 1e-12, "{t}: {v:?} {a:?}");
        assert!(difference(&q, &start[0]) < 1e-12, "periodic");
    }
    assert!(norm(&joints(&mut resting, 1.0)[1]) > 0.1, "it does move");
}

#[test]
fn lines_and_arcs() {
    let (from, to) = (pose([0.3, -0.1, 0.5], [0.1, 0.2, 0.3]), pose([0.5, 0.4, 0.1], [-1.0, 0.4, 2.0]));
    for shape in [Shape::Constant, Shape::S_CURVE, Shape::Quintic] {
        let law = TimeLaw::new(shape, 2.1).unwrap();
        assert_frame_rates(&mut Line::new(&from, &to, law).unwrap(), 1e-6, "line");
        for attitude in [Attitude::Constant, Attitude::Slerp(to.rotation), Attitude::Following] {
            let through = Vec3::new(0.7, 0.0, 0.4);
            let mut arc = Arc::through(&from, through, to.position, attitude, law).unwrap();
            assert_frame_rates(&mut arc, 1e-6, "arc");
            let end = arc.at(2.1).unwrap().pose;
            assert!((end.position - to.position).norm() < 1e-14);
            let nearest = (0..=10_000).map(|k| (arc.motion(2.1e-4 * f64::from(k)).pose.position - through).norm());
            assert!(nearest.fold(1.0, f64::min) < 1e-3, "{shape:?}: it goes through");
            let from_centre = |p: Vec3| (p - arc.centre()).norm();
            assert!((from_centre(through) - arc.radius()).abs() < 1e-14);
            if let Attitude::Slerp(rotation) = attitude {
                assert!(turn(&end.rotation, &rotation).norm() < 1e-14);
            }
        }
    }
    let most = FrameRates {
        linear: Rates { speed: 0.25, ..Rates::UNLIMITED },
        angular: Rates { speed: 0.5, ..Rates::UNLIMITED },
    };
    let (way, angle) = ((to.position - from.position).norm(), turn(&from.rotation, &to.rotation).norm());
    let law = TimeLaw::within(Shape::Constant, most.over(way, angle)).unwrap();
    let twist = Line::new(&from, &to, law).unwrap().motion(0.1).twist;
    assert!(twist.linear.norm() <= 0.25 + 1e-12 && (twist.angular.norm() - 0.5).abs() < 1e-12, "the turn is slower");
}

/// On the long way, when the point in the middle is on it.
#[test]
fn an_arc_of_more_than_half_a_circle() {
    let from = pose([1.0, 0.0, 0.0], [0.0; 3]);
    let (through, to) = (Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.0, -1.0, 0.0));
    let arc = Arc::through(&from, through, to, Attitude::Constant, law()).unwrap();
    assert!((arc.angle() - 1.5 * std::f64::consts::PI).abs() < 1e-14 && arc.centre().norm() < 1e-15);
    assert!((arc.length() - 1.5 * std::f64::consts::PI).abs() < 1e-14);
    let back = Arc::about(&from, Vec3::zero(0.0), Vec3::new(0.0, 0.0, -2.0), 7.0, Attitude::Following, law()).unwrap();
    assert!((back.motion(1.3).pose.position - Vec3::new(7.0_f64.cos(), -7.0_f64.sin(), 0.0)).norm() < 1e-14);
}

fn vias() -> (Vec<f64>, Vec<Pose>) {
    let poses = vec![
        pose([0.3, -0.1, 0.5], [0.1, 0.2, 0.3]),
        pose([0.5, 0.4, 0.1], [-1.0, 0.4, 2.0]),
        pose([0.5, 0.4, 0.1], [-1.0, -0.8, 2.5]),
        pose([-0.2, 0.4, 0.6], [0.5, -0.8, 1.0]),
    ];
    (vec![1.0, 2.0, 3.2, 4.0], poses)
}

#[test]
fn via_points_with_blends() {
    let (times, poses) = vias();
    let mut path = Blends::new(&times, &poses, 0.15).unwrap();
    assert_eq!(path.duration(), 3.0);
    assert_frame_rates(&mut path, 1e-5, "blends");
    for t in [0.3, 0.85, 1.15, 2.05, 2.35, 2.7, 0.15, 1.0] {
        assert_frame_is_smooth(&mut path, t, "blends");
    }
    for (t, pose) in [(0.0, poses[0]), (3.0, poses[3])] {
        let at = path.motion(t);
        assert!((at.pose.position - pose.position).norm() < 1e-14, "{t}");
        assert!(turn(&at.pose.rotation, &pose.rotation).norm() < 1e-14, "{t}");
        assert!(norm(&at.twist.to_array()) < 1e-14 && norm(&at.acceleration.to_array()) < 1e-12, "{t}");
    }
    // Between blends: a straight line and a slerp at constant speed.
    let (one, other) = (path.motion(0.4), path.motion(0.8));
    assert!((one.twist.linear - other.twist.linear).norm() < 1e-14);
    assert!((one.twist.angular - other.twist.angular).norm() < 1e-14);
    let corner = path.motion(1.0);
    let before = path.motion(0.8).twist.linear;
    let after = path.motion(1.5).twist.linear;
    let cut = 3.0 / 16.0 * 0.15 * (after - before).norm();
    assert!(
        ((corner.pose.position - poses[1].position).norm() - cut).abs() < 1e-12,
        "it cuts the corner by 3/16 b |Δv|"
    );
}

#[test]
fn via_points_by_a_spline() {
    let (times, poses) = vias();
    let mut path = ViaSpline::new(&times, &poses).unwrap();
    assert_frame_rates(&mut path, 1e-5, "spline");
    for (t, pose) in times.iter().zip(&poses) {
        let at = path.at(t - 1.0).unwrap();
        assert!((at.pose.position - pose.position).norm() < 1e-13, "{t}");
        assert!(turn(&at.pose.rotation, &pose.rotation).norm() < 1e-13, "{t}");
        assert_frame_is_smooth(&mut path, (t - 1.0).clamp(0.01, 2.99), "spline");
    }
    assert!(norm(&path.motion(3.0).twist.to_array()) < 1e-12);
    // Between two orientations it takes the shortest way, as slerp does.
    let two = ViaSpline::new(&[0.0, 1.0], &poses[..2]).unwrap();
    let whole = turn(&poses[0].rotation, &poses[1].rotation);
    let half = turn(&poses[0].rotation, &two.motion(0.5).pose.rotation);
    assert!((half - whole.scale(0.5)).norm() < 1e-14);
}

#[test]
fn six_coordinates_move_a_platform() {
    let terms: Vec<Vec<[f64; 2]>> = (0..6).map(|k| vec![[0.1, 0.05 * f64::from(k)], [0.2, -0.1]]).collect();
    for angles in EulerAngles::ALL {
        let series = Fourier::new(&[0.1, 0.0, 0.7, 0.2, 0.9, 0.1], &terms, 0.5, 1.0).unwrap();
        let mut path = Coordinates::new(Box::new(series), angles).unwrap();
        assert_eq!(path.duration(), 2.0);
        assert_frame_rates(&mut path, 1e-5, "coordinates");
    }
}

#[test]
fn stops_rest_at_every_point() {
    let (times, rows) = points(4);
    for shape in [Shape::Cubic, Shape::Quintic, Shape::TRAPEZOIDAL] {
        let mut stops = Stops::of_joints(&times, &rows, shape).unwrap();
        for (time, row) in times.iter().zip(&rows) {
            let [q, v, _] = joints(&mut stops, time - times[0]);
            assert!(difference(&q, row) < 1e-12 && v.iter().all(|v| v.abs() < 1e-9), "{shape:?}: {q:?} {v:?}");
        }
    }
    assert_joint_rates(&mut Stops::of_joints(&times, &rows, Shape::Quintic).unwrap(), 1e-6, "stops");
    // Two points are a ramp, to the last bit.
    let mut two = Stops::of_joints(&[0.0, 1.3], &rows[..2], Shape::Quintic).unwrap();
    assert_eq!(joints(&mut two, 0.4), joints(&mut Ramp::new(&rows[0], &rows[1], law()).unwrap(), 0.4));
    let poses: Vec<Pose> = rows.iter().map(|row| pose([row[0], row[1], row[2]], [row[3], 0.1, -0.2])).collect();
    let mut frames = Stops::of_poses(&times, &poses, Shape::Quintic).unwrap();
    assert_frame_rates(&mut frames, 1e-5, "stops of a frame");
    let there = frames.at(times[2] - times[0]).unwrap();
    assert!((there.pose.position - poses[2].position).norm() < 1e-12 && there.twist.linear.norm() < 1e-9);
    assert!(Stops::of_joints(&times, &rows[..2], Shape::Cubic).is_err(), "as many times as points");
}
