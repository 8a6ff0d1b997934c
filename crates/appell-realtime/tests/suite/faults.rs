//! Whatever breaks, the robot comes to rest with its brakes on, and the one who is left says why.

use super::support::{How, LOCKSTEP, RUN, START, both, control, faithful, is_outputs, pipe, puma, sample, serve, with};
use appell_realtime::controller::{self, Asked, Nobody, Plan};
use appell_realtime::frame::Frame;
use appell_realtime::hardware::Hardware;
use appell_realtime::link::{Link, SharedMemory, Udp};
use appell_realtime::log::{Ended, Entry, ring};
use appell_realtime::system::{SECOND, now};
use appell_simulation::control::sampled::{FaultKind, Mode, Outputs, Sensors};
use appell_simulation::simulation::{Law, Reason, View};
use std::io;
use std::net::UdpSocket;

/// A scenario states within which time a robot rests.
const REST_WITHIN: f64 = 0.3;

const HASTY: How = How { lockstep: true, patience: 0.2 };

fn kind(ended: &Ended) -> Option<FaultKind> {
    ended.trip.as_ref().map(|trip| trip.fault.kind)
}

#[test]
fn a_controller_that_vanishes_leaves_a_robot_at_rest() {
    for how in [HASTY, How { lockstep: false, patience: 0.2 }] {
        let text = puma("");
        let (mut robot, mut controller) = pipe(faithful, faithful);
        let served = std::thread::scope(|scope| {
            let served = scope.spawn(|| serve(&text, &mut robot, how));
            // It answers a hundred samples, and is gone; on a busy machine the robot gives up before.
            let (mut frame, mut sensors, mut outputs) = (Frame::default(), Sensors::new(6), Outputs::new(6, 0));
            let mut answered = 0;
            while answered < 100 && controller.receive(&mut frame, now() + 2 * SECOND).unwrap() {
                frame.sensors(RUN, &mut sensors).unwrap();
                outputs.sample = sensors.sample;
                outputs.efforts = vec![0.0, -30.0, 1.0, 0.0, 0.0, 0.0];
                frame.put_outputs(RUN, 0, sensors.t, &outputs);
                controller.send(&frame).unwrap();
                answered += 1;
            }
            drop(controller);
            served.join().unwrap()
        });
        let (at, fault) = served.braked.unwrap();
        assert_eq!(fault.unwrap().kind, FaultKind::OutputsLost);
        assert!(served.at_rest.unwrap() - at < REST_WITHIN, "{served:?}");
        assert!(served.t < 0.45, "it does not wait for the end");
    }
}

#[test]
fn a_robot_that_vanishes_ends_its_controller() {
    for how in [HASTY, How { lockstep: false, patience: 0.2 }] {
        let text = puma("[safety]\nwatchdog = 300\n"); // a busy machine stands still for some periods
        let mut sent = 0;
        let dies = move |bytes: &[u8]| {
            sent += 1;
            if sent > 50 { Vec::new() } else { vec![bytes.to_vec()] }
        };
        let (_, ended, _) = both(&text, how, dies, faithful);
        assert_eq!(kind(&ended), Some(FaultKind::SensorsLost), "{ended:?}");
    }
}

#[test]
fn damaged_frames_are_a_fault_of_their_own() {
    let damage = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        if sample(&bytes) >= 100 {
            bytes[90] ^= 1;
        }
        vec![bytes]
    };
    let (served, ended, _) = both(&puma(""), HASTY, faithful, damage);
    let (at, fault) = served.braked.unwrap();
    assert_eq!(fault.unwrap().kind, FaultKind::Corrupt);
    assert!((at - 0.1).abs() < 1e-9 && served.at_rest.unwrap() - at < REST_WITHIN);
    assert_eq!(kind(&ended), Some(FaultKind::Corrupt), "it hears why the robot has braked");
    let (_, ended, _) = both(&puma(""), HASTY, damage, faithful);
    assert_eq!(kind(&ended), Some(FaultKind::Corrupt));
}

/// Outputs of another run, and of no run at all, move nothing.
#[test]
fn nothing_moves_by_a_strangers_word() {
    let expected = super::support::simulated(&puma(""));
    let forge = |bytes: &[u8]| {
        if !is_outputs(bytes) {
            return vec![bytes.to_vec()];
        }
        let (mut frame, mut outputs) = (Frame::default(), Outputs::new(6, 0));
        outputs.sample = sample(bytes);
        outputs.efforts = vec![1e3; 6];
        frame.put_outputs(RUN + 1, 0, 0.0, &outputs);
        let other_run = frame.bytes().to_vec();
        outputs.mode = Mode::Brake;
        frame.put_outputs(RUN, 0, 0.0, &outputs);
        let mut other_version = frame.bytes().to_vec();
        other_version[4] = 9;
        vec![other_run, other_version, b"torque, please".to_vec(), bytes.to_vec()]
    };
    let (served, _, logged) = both(&puma(""), LOCKSTEP, faithful, forge);
    assert_eq!(logged, expected);
    assert!(served.health.strangers >= 500 && served.health.corrupt >= 500, "{:?}", served.health);
}

#[test]
fn udp_hears_its_peer_alone() {
    let mut robot = Udp::listen("127.0.0.1:0", None).unwrap();
    let mut controller = Udp::connect(robot.address().unwrap()).unwrap();
    let stranger = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (mut frame, mut found) = (Frame::default(), Frame::default());
    let mut outputs = Outputs::new(2, 0);
    frame.put_outputs(RUN, 0, 0.0, &outputs);
    controller.send(&frame).unwrap();
    let soon = appell_realtime::system::now() + 5 * SECOND;
    assert!(robot.agree(&mut found, soon, &mut |frame| frame.run() == RUN).unwrap());
    outputs.sample = 1;
    frame.put_outputs(RUN, 0, 0.0, &outputs);
    for _ in 0..20 {
        stranger.send_to(frame.bytes(), robot.address().unwrap()).unwrap();
    }
    outputs.sample = 2;
    frame.put_outputs(RUN, 0, 0.0, &outputs);
    controller.send(&frame).unwrap();
    let soon = appell_realtime::system::now() + 5 * SECOND;
    assert!(robot.receive(&mut found, soon).unwrap());
    assert_eq!((found.sample(), robot.strangers()), (2, 20));
    let open = Udp::listen("0.0.0.0:0", None).unwrap_err();
    assert_eq!(open.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn an_emergency_stop_brakes_by_torques_and_then_by_brakes() {
    let safety = "[safety]\nbraking = { time = 0.05, damping = [60, 60, 30, 2, 2, 2] }\n";
    for more in ["", safety] {
        let text = puma(more);
        let (mut robot, controller) = pipe(faithful, faithful);
        let (served, ended) = std::thread::scope(|scope| {
            let served = scope.spawn(|| serve(&text, &mut robot, LOCKSTEP));
            let (ended, _) = control(&text, controller, LOCKSTEP, Some((0.2, Asked::End)));
            (served.join().unwrap(), ended)
        });
        assert_eq!(kind(&ended), Some(FaultKind::EmergencyStop));
        let (at, fault) = served.braked.unwrap();
        assert!(fault.is_none() && ended.interrupted, "the controller asked for it");
        let by_torque = if more.is_empty() { 0.0 } else { 0.05 };
        assert!(at >= 0.2 + by_torque - 1e-9, "{at}");
        let rest = served.at_rest.unwrap_or_else(|| panic!("{served:?}"));
        assert!(rest - 0.2 < REST_WITHIN, "{served:?}");
    }
}

/// Shared memory of the same name, with both sides of a run in two threads.
#[test]
fn shared_memory_carries_a_run() {
    let text = puma("");
    let name = format!("test-run-{}", std::process::id());
    let mut robot = SharedMemory::make(&name, 2000).unwrap();
    let controller = SharedMemory::open(&name).unwrap();
    let logged = std::thread::scope(|scope| {
        scope.spawn(|| serve(&text, &mut robot, LOCKSTEP));
        control(&text, controller, LOCKSTEP, None).1
    });
    assert_eq!(logged, super::support::simulated(&text));
}

/// A robot that stands still, with a clock of its own.
struct Still {
    clock: u64,
    sample: u64,
    jump: Option<(u64, i64)>,      // at which sample the clock jumps, ns
    suspended: Option<(u64, u64)>, // from which sample on the machine has slept so long, ns
    slow: Option<(u64, u64)>,      // from which sample on a look at the clock takes so long, ns
    last: Option<Mode>,
}

impl Still {
    fn new(jump: Option<(u64, i64)>) -> Self {
        Self { clock: START, sample: 0, jump, suspended: None, slow: None, last: None }
    }
}

impl Hardware for Still {
    fn read(&mut self, sensors: &mut Sensors, _: u64) -> io::Result<bool> {
        (sensors.sample, sensors.t) = (self.sample, self.sample as f64 * 1e-3);
        sensors.q = vec![0.0, -0.8, 0.2, 0.0, 0.5, 0.0];
        self.sample += 1;
        Ok(true)
    }

    fn write(&mut self, outputs: &Outputs) -> io::Result<()> {
        self.last = Some(outputs.mode);
        Ok(())
    }

    fn now(&mut self) -> u64 {
        self.clock += self.slow.filter(|(from, _)| self.sample > *from).map_or(0, |(_, takes)| takes);
        self.clock
    }

    fn suspended(&mut self) -> u64 {
        self.suspended.filter(|(from, _)| self.sample > *from).map_or(0, |(_, time)| time)
    }

    fn sleep_until(&mut self, time: u64) {
        self.clock = self.clock.max(time) + 1000;
        if let Some((_, by)) = self.jump.take_if(|(sample, _)| self.sample == *sample) {
            self.clock = self.clock.checked_add_signed(by).unwrap();
        }
    }
}

/// Runs the law of a trial, or another, on that robot.
fn stand(more: &str, hardware: &mut Still, mut wrong: Option<Wrong>) -> Ended {
    with(&puma(more), |prepared| {
        let mut computer = prepared.sampled_loop().unwrap().into_computer();
        let mut own = prepared.law().unwrap();
        let law: &mut dyn Law = wrong.as_mut().map_or(&mut *own, |wrong| wrong);
        computer.begin(law).unwrap();
        let room = Entry::room(&computer, &Sensors::new(6), &Outputs::new(6, 0));
        let (mut log, _reader) = ring(&room, false);
        let plan = Plan { duration: 0.05, lockstep: false, patience: 1.0, stays: false };
        controller::run(hardware, &mut computer, law, &plan, &mut log, &mut Nobody)
    })
}

#[test]
fn clocks_that_jump_end_a_run() {
    for by in [3 * SECOND as i64, -(SECOND as i64)] {
        let mut hardware = Still::new(Some((20, by)));
        let ended = stand("", &mut hardware, None);
        assert_eq!(kind(&ended), Some(FaultKind::ClockJump), "{by}");
        assert_eq!(hardware.last, Some(Mode::End));
        assert!(ended.samples < 25);
    }
    let ended = stand("", &mut Still::new(None), None);
    assert_eq!((kind(&ended), ended.samples), (None, 50));
}

/// A machine that sleeps has a clock that stands still: what it was away for is seen all the same.
#[test]
fn a_machine_that_was_suspended_ends_a_run() {
    let suspended = |time: u64| {
        let mut hardware = Still::new(None);
        hardware.suspended = Some((20, time));
        (stand("", &mut hardware, None), hardware.last)
    };
    let (ended, last) = suspended(7 * SECOND);
    let trip = ended.trip.clone().unwrap();
    assert_eq!((trip.fault.kind, trip.fault.value, last), (FaultKind::Suspended, 7.0, Some(Mode::End)), "{ended:?}");
    assert!(
        ended.samples < 25 && trip.to_string().contains("suspended for 7 s, more than 0.01 s (fault 51)"),
        "{trip}"
    );
    assert_eq!(kind(&suspended(SECOND / 1000).0), None, "less than the watchdog waits");
}

/// Steps that are late once, or that nobody watches, are counted at most.
#[test]
fn a_law_that_is_late_is_stopped() {
    let slow = |more: &str| {
        let mut hardware = Still::new(None);
        hardware.slow = Some((20, 3 * SECOND / 2000));
        stand(more, &mut hardware, None)
    };
    let ended = slow("[safety]\nlate = 3\n");
    let trip = ended.trip.unwrap();
    assert_eq!(trip.fault.kind, FaultKind::LawLate);
    assert!((trip.t - 0.023).abs() < 1e-9 && trip.fault.value > 1e-3, "the fourth in a row: {trip}");
    let ended = slow("");
    assert!(kind(&ended) == Some(FaultKind::LawLate) && (ended.trip.unwrap().t - 0.03).abs() < 1e-9, "the eleventh");
    let ended = slow("[safety]\nlate = 1000\n");
    assert_eq!((kind(&ended), ended.samples), (None, 50));
    let lost = ended.timings.lost.summary();
    assert!(ended.timings.missed > 0 && lost.count > 0 && lost.longest >= SECOND / 1000, "{lost:?}");
    assert!(lost.count <= ended.timings.missed);
}

/// A law that is wrong from a time on.
struct Wrong(Option<f64>);

impl Law for Wrong {
    fn efforts(&mut self, now: &View<'_>, _: &[f64], _: &mut [f64], efforts: &mut [f64]) -> Result<(), Reason> {
        efforts.fill(1.0);
        match self.0 {
            Some(value) if now.t >= 0.02 => efforts[2] = value,
            None if now.t >= 0.02 => return Err(Reason::Law("no more ideas".into())),
            _ => {}
        }
        Ok(())
    }
}

#[test]
fn laws_that_fail_are_named() {
    for value in [f64::NAN, f64::INFINITY] {
        let ended = stand("", &mut Still::new(None), Some(Wrong(Some(value))));
        let trip = ended.trip.unwrap();
        assert_eq!((trip.fault.kind, trip.joint.as_str()), (FaultKind::LawNotFinite, "elbow"));
        assert!((trip.t - 0.02).abs() < 1e-9);
    }
    let ended = stand("", &mut Still::new(None), Some(Wrong(None)));
    assert_eq!(kind(&ended), Some(FaultKind::LawFailed));
    assert_eq!(ended.reason.as_deref(), Some("no more ideas"));
}
