//! Two machines with clocks that do not go alike: the controller keeps its place in the robot's period.

use super::support::{START, puma, with};
use appell_realtime::controller::{self, Nobody, Plan};
use appell_realtime::frame::Frame;
use appell_realtime::hardware::Hardware;
use appell_realtime::link::{Link, SharedMemory, Udp};
use appell_realtime::log::{Ended, Entry, ring};
use appell_realtime::system::{SECOND, now, sleep_until};
use appell_simulation::control::sampled::{Outputs, Sensors};
use std::io;

/// By the controller's clock the robot's periods last longer or shorter than they should.
struct Elsewhere {
    clock: u64,
    rate: f64,
    tells: bool, // when its sensors have come
    next: u64,   // sample
    skipped: u64,
    came: u64,
}

const PERIOD: f64 = 1e-3;

impl Elsewhere {
    /// When a sample comes, with a jitter of a twentieth of a period.
    fn comes(&self, sample: u64) -> u64 {
        let jitter = (sample * 7919 % 101) as f64 / 101.0 * 0.05;
        START + ((sample as f64 * (1.0 + self.rate) + jitter) * PERIOD * SECOND as f64) as u64
    }
}

impl Hardware for Elsewhere {
    fn read(&mut self, sensors: &mut Sensors, until: u64) -> io::Result<bool> {
        if self.comes(self.next) > self.clock {
            if self.comes(self.next) > until {
                self.clock = self.clock.max(until);
                return Ok(false);
            }
            self.clock = self.comes(self.next);
        }
        let mut newest = self.next;
        while self.comes(newest + 1) <= self.clock {
            newest += 1;
        }
        self.skipped += newest - self.next;
        (self.next, self.came) = (newest + 1, self.comes(newest));
        (sensors.sample, sensors.t) = (newest, newest as f64 * PERIOD);
        sensors.q = vec![0.0, -0.8, 0.2, 0.0, 0.5, 0.0];
        Ok(true)
    }

    fn write(&mut self, _: &Outputs) -> io::Result<()> {
        Ok(())
    }

    fn now(&mut self) -> u64 {
        self.clock
    }

    fn sleep_until(&mut self, time: u64) {
        self.clock = self.clock.max(time) + 5000;
    }

    fn arrived(&self) -> Option<u64> {
        self.tells.then_some(self.came)
    }
}

/// A run of seven seconds, in which the clocks come apart by more than three periods.
fn run(rate: f64, tells: bool) -> (Ended, Elsewhere) {
    let mut hardware = Elsewhere { clock: START, rate, tells, next: 0, skipped: 0, came: 0 };
    let ended = with(&puma(""), |prepared| {
        let mut computer = prepared.sampled_loop().unwrap().into_computer();
        let mut law = prepared.law().unwrap();
        computer.begin(&*law).unwrap();
        let room = Entry::room(&computer, &Sensors::new(6), &Outputs::new(6, 0));
        let (mut log, _reader) = ring(&room, false);
        let plan = Plan { duration: 7.0, lockstep: false, patience: 1.0, stays: true };
        controller::run(&mut hardware, &mut computer, &mut *law, &plan, &mut log, &mut Nobody)
    });
    (ended, hardware)
}

#[test]
fn a_robot_with_another_clock_is_followed() {
    for rate in [-5e-4, 5e-4] {
        let (ended, hardware) = run(rate, true);
        assert_eq!((ended.samples, hardware.skipped, ended.timings.without_sensors), (7000, 0, 0), "{rate}: {ended:?}");
        let place = (hardware.clock - hardware.came) as f64 / (PERIOD * SECOND as f64);
        assert!((0.02..0.25).contains(&place), "{rate}: it wakes {place} of a period after the sensors");
    }
}

/// The kernel knows when a datagram came, however long nobody asked for it; in shared memory a frame is there when it is sent.
#[test]
fn links_know_when_sensors_came() {
    let name = format!("test-came-{}", std::process::id());
    let (mut memory, of_memory) = (SharedMemory::make(&name, 1000).unwrap(), SharedMemory::open(&name).unwrap());
    let mut udp = Udp::listen("127.0.0.1:0", None).unwrap();
    let mut of_udp = Udp::connect(udp.address().unwrap()).unwrap();
    let mut frame = Frame::default();
    frame.put_sensors(1, 0, &Sensors::new(1));
    of_udp.send(&frame).unwrap();
    assert!(udp.agree(&mut frame, now() + 5 * SECOND, &mut |_| true).unwrap());
    let mut ends: [(&mut dyn Link, Box<dyn Link>); 2] =
        [(&mut memory, Box::new(of_memory)), (&mut udp, Box::new(of_udp))];
    for (robot, controller) in &mut ends {
        // The kernel looks at the clock from some time after the first question on; before, it answers with the time of the question.
        let is_known = (0..100).any(|_| {
            let before = now();
            frame.put_sensors(1, before, &Sensors::new(1));
            robot.send(&frame).unwrap();
            let sent = now();
            sleep_until(sent + 20 * SECOND / 1000);
            let mut found = Frame::default();
            assert!(controller.receive(&mut found, now() + 5 * SECOND).unwrap());
            let came = controller.arrived(&found).unwrap_or(0);
            (before.saturating_sub(SECOND / 1000)..=sent + 15 * SECOND / 1000).contains(&came)
        });
        assert!(is_known, "when a frame came that was asked for 20 ms later");
    }
}

/// What it is good for.
#[test]
fn who_does_not_follow_loses_samples() {
    let (_, slow) = run(-5e-4, false);
    assert!(slow.skipped >= 2, "{}", slow.skipped);
    let (ended, _) = run(5e-4, false);
    assert!(ended.timings.without_sensors >= 2, "{ended:?}");
}
