//! A PUMA in lockstep through shared memory, its robot in another process, against the same trial simulated in one place:
//! `cargo run --release -p appell-realtime --example soak_controller -- 1e8`. Ends at the first difference.

use appell::Robot;
use appell_realtime::controller::{self, Nobody};
use appell_realtime::hardware::Remote;
use appell_realtime::link::SharedMemory;
use appell_realtime::log::{Entry, ring};
use appell_realtime::robot;
use appell_simulation::control::sampled::{Outputs, Sensors};
use appell_simulation::scenario::Scenario;
use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::mpsc;
use std::time::Instant;

/// Both sides agree on it by being started here.
const RUN: u64 = 1;

/// Periods from one comparison to the next.
const COMPARED: u64 = 1000;

/// How long a side may be silent on a busy machine, s.
const PATIENCE: f64 = 60.0;

const DRIVES: usize = 6;

/// A PUMA that swings for so many periods, through all that lies between a law and its motors.
fn trial(periods: f64) -> Scenario {
    let text = format!(
        r#"
robot = "puma560"
duration = {duration:?}
plant = {{ scale = 1.1, friction = {{ viscous = 0.5, coulomb = 0.5, smoothing = 0.02 }} }}
[reference]
kind = "fourier"
frequency = 0.25
periods = 1e9
offset = [0.1, -0.8, 0.2, 0.0, 0.5, 0.0]
sin = [[0.5, -0.25], [0.3, -0.15], [-0.4, 0.2], [0.6, -0.3], [0.4, -0.2], [0.8, -0.4]]
[controller]
law = "computed-torque"
natural_frequency = 15.0
integral_root = 4.0
[loop]
period = 1e-3
delay = 0.5
encoder = {{ counts = 4000, gear = 60.0 }}
speed = {{ by = "difference", cutoff = 500.0 }}
output = {{ torque_per_volt = 18.0, bits = 12, limit = 180.0 }}
brakes = {{ stiffness = 5e4, damping = 1200.0 }}
[run]
tolerance = 1e-6
"#,
        duration = periods * 1e-3
    );
    let mut scenario = Scenario::read(&text).expect("the scenario is right");
    scenario.allow_all_steps();
    scenario
}

/// A running digest of all periods.
#[derive(Default)]
struct Digest {
    hasher: DefaultHasher,
    periods: u64,
}

impl Digest {
    /// Takes a period; the digest so far, now and then.
    fn take(&mut self, numbers: [&[f64]; 3]) -> Option<(u64, u64)> {
        numbers.into_iter().flatten().for_each(|number| self.hasher.write_u64(number.to_bits()));
        self.periods += 1;
        self.periods.is_multiple_of(COMPARED).then(|| (self.periods, self.hasher.finish()))
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let first = words.next().unwrap_or_else(|| "3000".to_owned());
    if first == "robot" {
        let (name, periods) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        return serve(&name, periods.parse().expect("a number of periods"));
    }
    let periods: f64 = first.parse().expect("a number of periods, such as 1e8");
    let scenario = trial(periods);
    let machine = Robot::builtin(&scenario.robot).expect("a built-in robot");
    let prepared = scenario.prepare(&machine).expect("it fits the robot");

    let name = format!("soak-{}", std::process::id());
    let program = std::env::current_exe().expect("this program is there");
    let mut child = Command::new(program).args(["robot", &name, &first]).spawn().expect("the robot can be started");
    let begin = Instant::now();
    let link = loop {
        match SharedMemory::open(&name) {
            Ok(link) => break link,
            Err(_) if begin.elapsed().as_secs() < 60 => std::thread::sleep(std::time::Duration::from_millis(5)),
            Err(error) => panic!("{error}"),
        }
    };

    let begin = Instant::now();
    let (ended, compared) = std::thread::scope(|scope| {
        let ((live, of_live), (told, of_simulation)) =
            (mpsc::sync_channel::<(u64, u64)>(1024), mpsc::sync_channel(1024));
        scope.spawn(|| {
            let told = told;
            let mut digest = Digest::default();
            let (mut plant, mut law) = (prepared.plant().expect("a plant"), prepared.law().expect("a law"));
            let mut around = prepared.sampled_loop().expect("a loop");
            around.run(&mut *plant, &mut *law, 0.0, prepared.duration(), |now| {
                match digest.take([now.q, now.v, now.commanded]).map(|found| told.send(found)) {
                    Some(Err(_)) => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
        });
        let comparing = scope.spawn(move || {
            let mut compared = 0_u64;
            for (live, simulated) in of_live.iter().zip(of_simulation.iter()) {
                if live != simulated {
                    eprintln!("error: the two differ within the {COMPARED} periods before the {}th", live.0);
                    std::process::exit(1);
                }
                compared = live.0;
                if compared.is_multiple_of(1_000_000) {
                    let rate = compared as f64 / begin.elapsed().as_secs_f64();
                    println!("{compared} periods without a difference, {rate:.0} a second");
                }
            }
            compared
        });
        let mut computer = prepared.sampled_loop().expect("a loop").into_computer();
        let mut law = prepared.law().expect("a law");
        computer.begin(&*law).expect("it can begin");
        let room = Entry::room(&computer, &Sensors::new(DRIVES), &Outputs::new(DRIVES, 0));
        let (mut log, reader) = ring(&room, true);
        scope.spawn(move || {
            let mut digest = Digest::default();
            reader.read(|entry| {
                if let Some(found) = digest.take([&entry.sensors.q, &entry.sensors.v, &entry.outputs.efforts]) {
                    let _ = live.send(found); // where they differ nobody hears
                }
            });
        });
        let plan = controller::Plan { duration: prepared.duration(), lockstep: true, patience: PATIENCE, stays: false };
        let mut hardware = Remote::new(link, RUN);
        let ended = controller::run(&mut hardware, &mut computer, &mut *law, &plan, &mut log, &mut Nobody);
        drop(log);
        (ended, comparing.join().expect("the comparison ends"))
    });
    let wall = begin.elapsed().as_secs_f64();
    let status = child.wait().expect("the robot ends");
    assert!(status.success() && ended.trip.is_none(), "{:?}", ended.trip);
    assert_eq!(ended.samples, periods as u64);
    assert_eq!(compared, ended.samples / COMPARED * COMPARED, "all were compared");
    println!("{} periods without a difference, {:.0} a second", ended.samples, ended.samples as f64 / wall);
}

/// The robot, in a process of its own.
fn serve(name: &str, periods: f64) {
    let mut link = SharedMemory::make(name, 4096).expect("memory can be had");
    let scenario = trial(periods);
    let machine = Robot::builtin(&scenario.robot).expect("a built-in robot");
    let prepared = scenario.prepare(&machine).expect("it fits the robot");
    let around = prepared.sampled_loop().expect("a loop");
    let mut plant = prepared.plant().expect("a plant");
    let mut device = around.device(&mut *plant, 0.0).expect("it can begin");
    let period = around.into_computer().timing().period;
    let plan = robot::Plan {
        run: RUN,
        duration: prepared.duration(),
        period,
        lockstep: true,
        watchdog: robot::WATCHDOG,
        patience: PATIENCE,
    };
    let served = robot::serve(&mut link, &mut device, 0, &plan, |_, _| true).expect("the memory holds");
    assert!(served.stop.is_none() && served.braked.is_none(), "{served:?}");
}
