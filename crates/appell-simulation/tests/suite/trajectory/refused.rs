//! Bad input has a typed error that says what is wrong.

use super::pose;
use appell::spatial::Vec3;
use appell_simulation::trajectory::{
    Arc, Attitude, Blends, Coordinates, Ends, Fourier, Line, PathError, Ramp, Rates, Shape, Spline, TimeLaw, ViaSpline,
};
use std::f64::consts::PI;

fn law() -> TimeLaw {
    TimeLaw::new(Shape::Quintic, 1.0).unwrap()
}

#[test]
fn laws() {
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = TimeLaw::new(Shape::Cubic, duration).unwrap_err();
        assert!(matches!(error, PathError::NotPositive { what: "duration", .. }), "{error}");
    }
    for ramp in [0.0, 0.6, f64::NAN] {
        assert!(matches!(TimeLaw::new(Shape::Trapezoidal { ramp }, 1.0), Err(PathError::Part { what: "ramp", .. })));
    }
    assert!(TimeLaw::new(Shape::SCurve { ramp: 0.3, rounding: 0.51 }, 1.0).is_err());
    let unlimited = Rates::UNLIMITED;
    for shape in [Shape::Constant, Shape::TRAPEZOIDAL, Shape::S_CURVE, Shape::Cubic, Shape::Quintic] {
        let error = TimeLaw::within(shape, unlimited).unwrap_err();
        assert!(matches!(error, PathError::Unlimited { .. }), "{error}");
        let error = TimeLaw::within(shape, Rates { speed: 0.0, ..unlimited }).unwrap_err();
        assert!(error.to_string().contains("speed is 0"), "{error}");
        assert!(TimeLaw::within(shape, Rates { acceleration: f64::NAN, ..unlimited }).is_err());
    }
}

#[test]
fn joint_paths() {
    let same = Ramp::new(&[0.1, 0.2], &[0.1, 0.2], law()).unwrap_err();
    assert_eq!(same, PathError::SamePlace { one: "the start", other: "the end" });
    assert!(matches!(Ramp::new(&[0.1], &[0.1, 0.2], law()), Err(PathError::Length { found: 2, expected: 1, .. })));
    assert!(matches!(Ramp::new(&[f64::NAN], &[0.1], law()), Err(PathError::NotFinite { .. })));
    let rows = |rows: &[&[f64]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let two = rows(&[&[0.0], &[1.0]]);
    assert!(matches!(Spline::cubic(&[0.0], &two[..1], Ends::Rest), Err(PathError::TooFew { least: 2, .. })));
    assert!(matches!(Spline::cubic(&[], &[], Ends::Rest), Err(PathError::TooFew { found: 0, .. })));
    assert!(matches!(Spline::quintic(&[0.0, 1.0], &two, Ends::Natural), Err(PathError::TooFew { least: 3, .. })));
    let error = Spline::cubic(&[1.0, 1.0], &two, Ends::Natural).unwrap_err();
    assert_eq!(error, PathError::Times { point: 2, time: 1.0, before: 1.0 });
    assert!(Spline::cubic(&[0.0, f64::NAN], &two, Ends::Natural).is_err());
    assert!(Spline::cubic(&[0.0, 1.0, 2.0], &two, Ends::Natural).is_err());
    assert!(Spline::cubic(&[0.0, 1.0], &rows(&[&[0.0], &[1.0, 2.0]]), Ends::Natural).is_err());
    assert!(Spline::cubic(&[0.0, 1.0], &two, Ends::Velocities(&[], &[0.0])).is_err());
    assert!(Spline::cubic_with(&[0.0, 1.0], &two, &two[..1]).is_err());
    assert!(Spline::quintic_with(&[0.0, 1.0], &two, &two, &rows(&[&[0.0], &[f64::INFINITY]])).is_err());
    let one = vec![vec![[1.0, 0.0]]];
    let error = Fourier::new(&[0.0], &one, 1.0, 1.0).unwrap().from_rest().unwrap_err();
    assert_eq!(error, PathError::OneHarmonic { joint: 1, harmonics: 1 });
    assert!(Fourier::new(&[0.0], &one, 0.0, 1.0).is_err());
    assert!(Fourier::new(&[0.0], &one, 1.0, -1.0).is_err());
    assert!(Fourier::new(&[0.0, 0.0], &one, 1.0, 1.0).is_err());
    assert!(Fourier::new(&[0.0], &[vec![[f64::NAN, 0.0]]], 1.0, 1.0).is_err());
    let five = Ramp::new(&[0.0; 5], &[1.0; 5], law()).unwrap();
    let error = Coordinates::new(Box::new(five), appell::spatial::EulerAngles::Zyx).err().unwrap();
    assert!(matches!(error, PathError::Length { found: 5, expected: 6, .. }));
}

#[test]
fn frame_paths() {
    let (from, to) = (pose([0.0; 3], [0.0; 3]), pose([1.0, 0.0, 0.0], [0.0; 3]));
    assert!(matches!(Line::new(&from, &from, law()), Err(PathError::SamePlace { .. })));
    assert!(matches!(Line::new(&from, &pose([f64::NAN, 0.0, 0.0], [0.0; 3]), law()), Err(PathError::NotFinite { .. })));
    let error = Line::new(&from, &pose([1.0, 0.0, 0.0], [PI, 0.0, 0.0]), law()).unwrap_err();
    assert!(matches!(error, PathError::HalfTurn { point: 2, .. }), "{error}");
    let arc = |through: [f64; 3], to: [f64; 3]| {
        Arc::through(&from, through.into(), to.into(), Attitude::Constant, law()).unwrap_err()
    };
    assert!(matches!(arc([0.5, 0.0, 0.0], [1.0, 0.0, 0.0]), PathError::Collinear { .. }));
    assert!(matches!(arc([0.5, 1e-12, 0.0], [1.0, 0.0, 0.0]), PathError::Collinear { .. }));
    assert!(matches!(arc([0.0; 3], [1.0, 0.0, 0.0]), PathError::SamePlace { one: "the start", .. }));
    assert!(matches!(arc([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), PathError::SamePlace { other: "the end", .. }));
    assert!(matches!(arc([1.0, f64::NAN, 0.0], [1.0, 0.0, 0.0]), PathError::NotFinite { .. }));
    let up = Vec3::new(0.0, 0.0, 1.0);
    let about = |centre: [f64; 3], axis: Vec3, angle| {
        Arc::about(&from, centre.into(), axis, angle, Attitude::Constant, law()).unwrap_err()
    };
    assert_eq!(about([0.0, 0.0, 1.0], up, 1.0), PathError::OnAxis);
    assert_eq!(about([0.0; 3], up, 1.0), PathError::OnAxis);
    assert!(matches!(about([1.0, 0.0, 0.0], Vec3::zero(0.0), 1.0), PathError::NotPositive { .. }));
    assert!(matches!(about([1.0, 0.0, 0.0], up, 0.0), PathError::SamePlace { .. }));
    let times = [0.0, 1.0];
    let error = Blends::new(&times, &[from, to], 0.3).unwrap_err();
    assert!(matches!(error, PathError::Blends { point: 1, next: 2, .. }), "{error}");
    assert!(Blends::new(&times, &[from, to], 0.0).is_err());
    assert!(Blends::new(&times, &[from], 0.1).is_err());
    assert!(ViaSpline::new(&[0.0], &[from]).is_err());
    assert!(ViaSpline::new(&times, &[from, pose([0.0; 3], [0.0, 0.0, PI])]).is_err());
    assert!(ViaSpline::new(&[1.0, 0.0], &[from, to]).is_err());
}
