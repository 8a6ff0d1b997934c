//! Devices beside the library: every test runs on the processor, and on the first GPU where there is one.

mod agreement;
mod refusals;

use appell::question::{Evaluator, Motion, Question, State, Target};
use appell::sample::Sampler;
use appell::{Model, Robot};
use appell_batch::States;
use appell_device::{Device, DeviceError};

/// The devices of this machine; that a GPU is missing is said, and is no other error than that.
fn devices() -> Vec<Device> {
    let gpu = Device::cuda(0);
    match gpu.describe() {
        Ok(_) => vec![Device::cpu(), gpu],
        Err(DeviceError::NoDriver | DeviceError::NoDevice { .. }) => {
            eprintln!("no GPU here: the processor alone");
            vec![Device::cpu()]
        }
        Err(error) => panic!("{error}"),
    }
}

/// Random states: of the joints of an open robot, or of the platform.
struct Sampled {
    count: usize,
    is_open: bool,
    motion: [Vec<f64>; 3],
    tau: Vec<f64>,
}

impl Sampled {
    fn new(robot: &Robot, count: usize) -> Self {
        let mut sampler = Sampler::new(7);
        match robot.model() {
            Model::Tree(tree) => {
                let mut vector = |size: f64| (0..tree.dof() * count).map(|_| sampler.within(size)).collect();
                Self { count, is_open: true, motion: [vector(3.0), vector(2.0), vector(4.0)], tau: vector(30.0) }
            }
            Model::Closed(closed) => {
                let states: Vec<_> = (0..count).map(|_| sampler.closed_state(closed)).collect();
                let mut platform = Evaluator::new(robot, Question::Platform, None, Target::default()).unwrap();
                let mut describe = |state: &appell::closed::sample::ClosedState| {
                    let motion = Motion::Assembled { at: &state.at, r: &state.r, r_dot: &state.r_dot };
                    let mut row = vec![0.0; platform.columns().len()];
                    platform.evaluate(&State { motion, ..State::default() }, &mut row).unwrap();
                    row
                };
                let rows: Vec<Vec<f64>> = states.iter().map(&mut describe).collect();
                let part = |first: usize, width: usize| {
                    (0..width * count).map(|n| rows[n % count][first + n / count]).collect::<Vec<f64>>()
                };
                let drives = closed.driven().len();
                let tau = (0..drives * count).map(|n| states[n % count].tau[n / count]).collect();
                Self { count, is_open: false, motion: [part(0, 7), part(7, 6), part(13, 6)], tau }
            }
        }
    }

    fn states(&self) -> States<'_> {
        let ([one, two, three], count, tau) = (&self.motion, self.count, &self.tau[..]);
        if self.is_open {
            States { count, q: one, v: two, a: three, tau, w: three, ..States::default() }
        } else {
            States { count, pose: one, twist: two, acceleration: three, tau, ..States::default() }
        }
    }

    /// The vector of this name.
    fn vector(&self, name: &str) -> &[f64] {
        match name {
            "q" | "pose" => &self.motion[0],
            "v" | "twist" => &self.motion[1],
            "tau" => &self.tau,
            _ => &self.motion[2],
        }
    }
}
