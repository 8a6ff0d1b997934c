//! Nothing is allocated in a period: not by the controller, its law, the log or the frames.

use super::support::{RUN, puma, with};
use appell_realtime::controller::{self, Nobody, Plan};
use appell_realtime::frame::Frame;
use appell_realtime::hardware::Hardware;
use appell_realtime::log::{Entry, ring};
use appell_realtime::system::SECOND;
use appell_simulation::control::sampled::{Outputs, Sensors};
use std::io;

/// A robot that follows, encoded and decoded like one behind a link.
struct Follows {
    sample: u64,
    frame: Frame,
}

impl Hardware for Follows {
    fn read(&mut self, sensors: &mut Sensors, _: u64) -> io::Result<bool> {
        (sensors.sample, sensors.t, sensors.taken) = (self.sample, self.sample as f64 * 1e-3, self.sample);
        sensors.q.fill(1e-3 * self.sample as f64);
        self.frame.put_sensors(RUN, 0, sensors);
        self.frame.sensors(RUN, sensors).map_err(io::Error::other)?;
        self.sample += 1;
        Ok(true)
    }

    fn write(&mut self, outputs: &Outputs) -> io::Result<()> {
        self.frame.put_outputs(RUN, 0, 0.0, outputs);
        Ok(())
    }

    fn now(&mut self) -> u64 {
        self.sample * (SECOND / 1000)
    }

    fn sleep_until(&mut self, _: u64) {}
}

/// Allocations in so many periods.
fn allocated(periods: u64) -> u64 {
    let text =
        puma("[safety]\njump = 100.0\nfrozen = { samples = 20, travel = 10.0 }\n").replace("0.5\nstart", "1e9\nstart");
    with(&text, |prepared| {
        let mut computer = prepared.sampled_loop().unwrap().into_computer();
        let mut law = prepared.law().unwrap();
        computer.begin(&*law).unwrap();
        let room = Entry::room(&computer, &Sensors::new(6), &Outputs::new(6, 0));
        let (mut log, reader) = ring(&room, false);
        let reading = std::thread::spawn(move || reader.read(|_| {}));
        let mut hardware = Follows { sample: 0, frame: Frame::default() };
        let plan = Plan { duration: (periods as f64 - 0.5) * 1e-3, lockstep: true, patience: 1.0, stays: false };
        let counted = allocation_counter::measure(|| {
            let ended = controller::run(&mut hardware, &mut computer, &mut *law, &plan, &mut log, &mut Nobody);
            assert_eq!((ended.samples, ended.trip), (periods, None));
        });
        drop(log);
        reading.join().unwrap();
        counted.count_total
    })
}

#[test]
fn periods_allocate_nothing() {
    assert_eq!(allocated(100), allocated(20_000), "what is allocated is so before the first period");
}

/// Ten million periods: `cargo test --release -p appell-realtime --test suite ten_million -- --ignored`.
#[test]
#[ignore = "a minute in release: make soak-controller"]
fn ten_million_periods_allocate_nothing() {
    assert_eq!(allocated(100), allocated(10_000_000));
}
