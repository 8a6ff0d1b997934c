//! What devices refuse, and how they say it.

use super::{Sampled, devices};
use appell::Robot;
use appell::question::{AnswerError, Question};
use appell_batch::{Batch, States};
use appell_codegen::emit::device::{Code, Port, PortKind};
use appell_device::{Argument, Columns, Device, DeviceError, OnDevice, OnGpu};

#[test]
fn devices_are_called_by_their_names() {
    for (text, device) in [("cpu", Device::cpu()), ("cuda", Device::cuda(0)), ("cuda:3", Device::cuda(3))] {
        assert_eq!(text.parse(), Ok(device));
        assert_eq!(device.to_string().parse(), Ok(device));
    }
    for text in ["", "gpu", "cuda:", "cuda:-1", "CPU", "cuda:1.0"] {
        assert_eq!(text.parse::<Device>(), Err(DeviceError::Name { given: text.into() }));
    }
}

#[test]
fn a_gpu_that_is_not_there_is_an_error() {
    let robot = Robot::builtin("puma560").unwrap();
    let batch = Batch::new(&robot, Question::Gravity).unwrap();
    let error = batch.on(Device::cuda(99)).err().expect("nobody has a hundred");
    assert!(matches!(error, DeviceError::NoDriver | DeviceError::NoDevice { asked: 99, .. }), "{error}");
    let said = error.to_string();
    assert!(said.contains("cpu") || said.contains("cuda:99"), "{said}");
}

#[test]
fn the_first_state_without_an_answer_is_named() {
    let robot = Robot::builtin("five-bar").unwrap();
    let mut sampled = Sampled::new(&robot, 40);
    let batch = Batch::new(&robot, Question::InverseDynamics).unwrap();
    // Out of reach, and later a NaN.
    (sampled.motion[0][17], sampled.motion[0][29]) = (100.0, f64::NAN);
    for device in devices() {
        let mut answers = vec![0.0; batch.columns() * 40];
        let error = batch.on(device).unwrap().evaluate(&sampled.states(), &mut answers).unwrap_err();
        let (state, why) = error.of_state().expect("a state is meant");
        assert_eq!(state, 17, "{error}");
        assert!(matches!(why, Some(AnswerError::Motion(_))), "{error}");
    }
}

#[test]
fn vectors_of_other_lengths_are_refused() {
    let robot = Robot::builtin("puma560").unwrap();
    let batch = Batch::new(&robot, Question::Gravity).unwrap();
    let mut answers = vec![0.0; 60];
    for device in devices() {
        let mut there = batch.on(device).unwrap();
        let states = States { count: 10, q: &[0.0; 59], ..States::default() };
        let error = there.evaluate(&states, &mut answers).unwrap_err();
        let expected = DeviceError::Size { port: "q".into(), found: 59, expected: 60, entries: 6, count: 10 };
        assert_eq!(error, expected);
        let columns = Columns { count: 10, arguments: &[] };
        let error = there.evaluate_columns(&columns, &mut answers).unwrap_err();
        assert!(matches!(error, DeviceError::Arguments { given: 1, expected: 2, .. }), "{error}");
    }
}

#[test]
fn drives_do_not_say_where_a_platform_is() {
    let robot = Robot::builtin("delta").unwrap();
    let batch = Batch::new(&robot, Question::InverseDynamics).unwrap();
    let (zeros, mut answers) = ([0.0; 3], [0.0; 3]);
    let states = States { count: 1, q: &zeros, v: &zeros, a: &zeros, ..States::default() };
    let error = batch.on(Device::cpu()).unwrap().evaluate(&states, &mut answers).unwrap_err();
    assert!(error.to_string().contains("give `pose`, `twist` and `acceleration`"), "{error}");
}

#[test]
fn arguments_are_checked_against_ports() {
    let text = "template <typename T>\nAPPELL_DEVICE T twice(long long i, long long count, const appell_scalar<T> *__restrict__ x, \
                double by, appell_scalar<T> *__restrict__ y)\n{\n    const T found = appell_load<T>(x, i) * T(by);\n    \
                appell_store<T>(y, i, found);\n    return appell_zero_if_finite(found);\n}\n";
    let port = |name: &str, kind| Port { name: name.into(), kind };
    let ports = vec![port("x", PortKind::Read(1)), port("by", PortKind::Real), port("y", PortKind::Written(1))];
    let code = Code { name: "twice".into(), text: text.into(), ports, operations: 1 };
    for device in devices() {
        let mut twice = device.compile::<f64>(&code).unwrap();
        let x: Vec<f64> = (0..100).map(f64::from).collect();
        let mut y = vec![0.0; 100];
        let mut arguments = [Argument::Read(&x), Argument::Real(2.0), Argument::Written(&mut y)];
        assert_eq!(twice.run(100, &mut arguments), Ok(None));
        assert!(x.iter().zip(&y).all(|(x, y)| *y == 2.0 * x));
        let mut wrong = [Argument::Real(2.0), Argument::Read(&x), Argument::Written(&mut y)];
        assert!(matches!(twice.run(100, &mut wrong), Err(DeviceError::Argument { place: 0, .. })));
        let bad: Vec<f64> = x.iter().map(|&x| if x == 70.0 { f64::INFINITY } else { x }).collect();
        let mut arguments = [Argument::Read(&bad), Argument::Real(2.0), Argument::Written(&mut y)];
        assert_eq!(twice.run(100, &mut arguments), Ok(Some(70)));
        // And again: what was found is forgotten.
        let mut arguments = [Argument::Read(&x), Argument::Real(2.0), Argument::Written(&mut y)];
        assert_eq!(twice.run(100, &mut arguments), Ok(None));
    }
}

#[test]
fn arrays_of_a_processor_are_no_arrays_of_a_gpu() {
    let error = OnGpu::copy(Device::cpu(), &[1.0]).unwrap_err();
    assert!(matches!(error, DeviceError::Elsewhere { .. }), "{error}");
}
