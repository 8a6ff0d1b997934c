//! Trials, ways between two threads that can be disturbed, and runs of both sides.

use appell::Robot;
use appell_realtime::controller::{self, Asked, Attendant, Load, Plan};
use appell_realtime::frame::Frame;
use appell_realtime::hardware::Remote;
use appell_realtime::link::Link;
use appell_realtime::log::{Ended, Entry, ring};
use appell_realtime::robot::{self, Served};
use appell_realtime::system::{SECOND, now};
use appell_simulation::control::sampled::{Computer, Outputs, Sensors};
use appell_simulation::scenario::{Prepared, Scenario};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

pub(crate) const RUN: u64 = 77;

/// A PUMA that goes somewhere in half a second under computed torque, and brakes.
pub(crate) fn puma(more: &str) -> String {
    format!(
        r#"
robot = "puma560"
duration = 0.5
start = {{ q = [0, -0.8, 0.2, 0, 0.5, 0] }}
plant = {{ scale = 1.1 }}
reference = {{ kind = "joints", to = [0.6, -0.4, -0.2, 0.3, 0.8, 0.5], time = 0.4 }}
controller = {{ law = "computed-torque", natural_frequency = 15.0 }}
[loop]
period = 1e-3
delay = 0.5
encoder = {{ counts = 4000, gear = 60.0 }}
speed = {{ by = "difference", cutoff = 500.0 }}
output = {{ torque_per_volt = 18.0, bits = 12, limit = 180.0 }}
brakes = {{ torque = [400, 400, 200, 40, 30, 30] }}
{more}
"#
    )
}

/// What a scenario makes of its robot.
pub(crate) fn with<T>(text: &str, then: impl FnOnce(&Prepared<'_>) -> T) -> T {
    let scenario = Scenario::read(text).unwrap_or_else(|problems| panic!("{problems}"));
    let robot = Robot::builtin(&scenario.robot).unwrap();
    let prepared = scenario.prepare(&robot).unwrap_or_else(|error| panic!("{error}"));
    then(&prepared)
}

/// One end of a way between two threads; `disturb` says what arrives of what is sent.
pub(crate) struct Pipe<D> {
    sends: Sender<Vec<u8>>,
    receives: Receiver<Vec<u8>>,
    disturb: D,
}

/// Two ends, of the robot and of the controller.
pub(crate) fn pipe<R, C>(robot: R, controller: C) -> (Pipe<R>, Pipe<C>)
where
    R: FnMut(&[u8]) -> Vec<Vec<u8>>,
    C: FnMut(&[u8]) -> Vec<Vec<u8>>,
{
    let ((to_controller, of_robot), (to_robot, of_controller)) = (channel(), channel());
    (
        Pipe { sends: to_controller, receives: of_controller, disturb: robot },
        Pipe { sends: to_robot, receives: of_robot, disturb: controller },
    )
}

/// What is sent arrives.
pub(crate) fn faithful(bytes: &[u8]) -> Vec<Vec<u8>> {
    vec![bytes.to_vec()]
}

impl<D: FnMut(&[u8]) -> Vec<Vec<u8>>> Link for Pipe<D> {
    fn send(&mut self, frame: &Frame) -> io::Result<()> {
        for bytes in (self.disturb)(frame.bytes()) {
            let _ = self.sends.send(bytes); // to one who has ended
        }
        Ok(())
    }

    fn receive(&mut self, frame: &mut Frame, until: u64) -> io::Result<bool> {
        let bytes = match self.receives.try_recv() {
            Ok(bytes) => Some(bytes),
            Err(TryRecvError::Empty) if until > 0 => {
                let time = Duration::from_nanos(until.saturating_sub(now()));
                match self.receives.recv_timeout(time) {
                    Ok(bytes) => Some(bytes),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => {
                        std::thread::sleep(time);
                        None
                    }
                }
            }
            Err(TryRecvError::Disconnected) if until > 0 => {
                std::thread::sleep(Duration::from_nanos(until.saturating_sub(now())));
                None
            }
            Err(_) => None,
        };
        if let Some(bytes) = &bytes {
            frame.room(bytes.len()).copy_from_slice(bytes);
        }
        Ok(bytes.is_some())
    }
}

/// How both sides go on.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) lockstep: bool,
    pub(crate) patience: f64,
}

pub(crate) const LOCKSTEP: How = How { lockstep: true, patience: 5.0 };

/// A period as it was logged: what was measured, what was wanted.
pub(crate) type Logged = (u64, Vec<u64>, Vec<u64>);

/// Runs a robot behind a link.
pub(crate) fn serve(text: &str, link: &mut dyn Link, how: How) -> Served {
    with(text, |prepared| {
        let around = prepared.sampled_loop().unwrap();
        let mut plant = prepared.plant().unwrap();
        let mut device = around.device(&mut *plant, 0.0).unwrap();
        let computer = around.into_computer();
        let plan = robot::Plan {
            run: RUN,
            duration: prepared.duration(),
            period: computer.timing().period,
            lockstep: how.lockstep,
            watchdog: computer.safety().watchdog.unwrap_or(robot::WATCHDOG),
            patience: how.patience,
        };
        robot::serve(link, &mut device, computer.grippers(), &plan, |_, _| true).unwrap()
    })
}

/// Runs a controller behind a link, until a sample at which somebody asks for something.
pub(crate) fn control(text: &str, link: impl Link, how: How, asks: Option<(f64, Asked)>) -> (Ended, Vec<Logged>) {
    with(text, |prepared| {
        let mut computer = prepared.sampled_loop().unwrap().into_computer();
        let mut law = prepared.law().unwrap();
        computer.begin(&*law).unwrap();
        let n = computer.names().len();
        let room = Entry::room(&computer, &Sensors::new(n), &Outputs::new(n, computer.grippers()));
        let (mut log, reader) = ring(&room, true);
        let plan =
            Plan { duration: prepared.duration(), lockstep: how.lockstep, patience: 3.0 * how.patience, stays: false };
        let mut hardware = Remote::new(link, RUN);
        let reading = std::thread::spawn(move || {
            let mut all = Vec::new();
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            reader.read(|entry| {
                all.push((entry.sensors.sample, bits(&entry.sensors.q), bits(&entry.outputs.efforts)));
            });
            all
        });
        let ended = controller::run(&mut hardware, &mut computer, &mut *law, &plan, &mut log, &mut Asks(asks));
        drop(log);
        (ended, reading.join().unwrap())
    })
}

/// Who asks for something at a time.
pub(crate) struct Asks(pub(crate) Option<(f64, Asked)>);

impl Attendant for Asks {
    fn asks(&mut self, sensors: &Sensors) -> Asked {
        self.0.filter(|(at, _)| sensors.t >= *at).map_or(Asked::Nothing, |(_, asked)| asked)
    }

    fn sees(&mut self, _: &Computer<'_>, _: &Sensors, _: &Outputs, _: Load) {}
}

/// Both sides in two threads.
pub(crate) fn both(
    text: &str,
    how: How,
    robot: impl FnMut(&[u8]) -> Vec<Vec<u8>> + Send,
    controller: impl FnMut(&[u8]) -> Vec<Vec<u8>> + Send,
) -> (Served, Ended, Vec<Logged>) {
    let (mut robot, controller) = pipe(robot, controller);
    std::thread::scope(|scope| {
        let served = scope.spawn(move || serve(text, &mut robot, how));
        let (ended, logged) = control(text, controller, how, None);
        (served.join().unwrap(), ended, logged)
    })
}

/// The same in one place, as `simulate` does it.
pub(crate) fn simulated(text: &str) -> Vec<Logged> {
    with(text, |prepared| {
        let mut around = prepared.sampled_loop().unwrap();
        let (mut plant, mut law) = (prepared.plant().unwrap(), prepared.law().unwrap());
        let (mut all, mut sample) = (Vec::new(), 0);
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        around.run(&mut *plant, &mut *law, 0.0, prepared.duration(), |instant| {
            all.push((sample, bits(instant.q), bits(instant.commanded)));
            sample += 1;
            core::ops::ControlFlow::Continue(())
        });
        all
    })
}

/// The kind of a frame, by its bytes.
pub(crate) fn is_outputs(bytes: &[u8]) -> bool {
    bytes[6] == 2
}

/// The sample of a frame, by its bytes.
pub(crate) fn sample(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[16..24].try_into().unwrap())
}

/// Where the clocks of tests begin, ns.
pub(crate) const START: u64 = 1000 * SECOND;
