//! A second of free motion against the golden data: forward dynamics integrated, state and energy at every tenth.

use crate::common::{assert_close_at, closed, numbers, parallel_golden, vector, wrist};
use appell::closed::energy::energy;
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform};
use appell::kinematics;
use appell::spatial::{EulerAngles, Pose, Quaternion, Vec3};
use serde_json::Value;

/// Steps of the integration in a tenth of a second. The method is of fourth order: its error is then below rounding.
const STEPS: usize = 400;

/// Position, quaternion (w, x, y, z) and twist of the platform.
type State = [f64; 13];

struct Motion<'r> {
    robot: &'r ClosedMechanism,
    search: assembly::Workspace,
    dynamics: legs_platform::Workspace,
    at: Configuration,
    tau: Vec<f64>,
}

impl Motion<'_> {
    fn place(&mut self, state: &State) {
        let [x, y, z, w, i, j, k, ..] = *state;
        let rotation = Quaternion { x: i, y: j, z: k, w }.normalized().rotation();
        self.at.pose = Pose { position: Vec3::new(x, y, z), rotation };
        assembly::at_pose(self.robot, &mut self.search, &mut self.at).unwrap();
    }

    /// The independent velocities of a twist.
    fn freedoms(&self, state: &State) -> Vec<f64> {
        self.robot.freedoms().iter().map(|&k| state[7 + k - self.robot.tree().dof()]).collect()
    }

    fn rate(&mut self, state: &State) -> State {
        self.place(state);
        let r = self.freedoms(state);
        let (robot, at) = (self.robot, &self.at);
        let r_dot =
            legs_platform::forward_dynamics(robot, &mut self.dynamics, at, &r, &self.tau, &[]).unwrap().to_vec();
        let (_, u_dot) = legs_platform::motion(robot, &mut self.dynamics, at, &r, &r_dot).unwrap();
        let [_, _, _, w, i, j, k, vx, vy, vz, wx, wy, wz] = *state;
        let mut rate = [0.0; 13];
        rate[..3].copy_from_slice(&[vx, vy, vz]);
        let turning = Quaternion { x: i, y: j, z: k, w }.rate(Vec3::new(wx, wy, wz));
        rate[3..7].copy_from_slice(&[turning.w, turning.x, turning.y, turning.z]);
        rate[7..].copy_from_slice(&u_dot[robot.tree().dof()..]);
        rate
    }

    /// Runge's and Kutta's step.
    fn step(&mut self, state: &mut State, h: f64) {
        let along = |rate: &State, h: f64, state: &State| core::array::from_fn(|k| state[k] + h * rate[k]);
        let a = self.rate(state);
        let b = self.rate(&along(&a, 0.5 * h, state));
        let c = self.rate(&along(&b, 0.5 * h, state));
        let d = self.rate(&along(&c, h, state));
        for k in 0..13 {
            state[k] += h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
        }
    }

    fn energy(&mut self, state: &State) -> f64 {
        self.place(state);
        let r = self.freedoms(state);
        let (u, _) = legs_platform::motion(self.robot, &mut self.dynamics, &self.at, &r, &vec![0.0; r.len()]).unwrap();
        let found = energy(self.robot, &mut kinematics::Workspace::new(self.robot.tree()), &self.at, u);
        found.kinetic + found.potential
    }
}

/// The state of a sample: of a platform as it is, of the wrist by its angles.
fn state(sample: &Value) -> State {
    let mut state = [0.0; 13];
    if sample.get("q").is_some() {
        let (q, rates) = (numbers(&sample["q"]).try_into().unwrap(), vector(&numbers(&sample["qd"])));
        let Quaternion { x, y, z, w } = Quaternion::of_rotation(&EulerAngles::Zyx.rotation(q));
        state[3..7].copy_from_slice(&[w, x, y, z]);
        state[10..].copy_from_slice(&(EulerAngles::Zyx.omega_of_rates(q) * rates).to_array());
    } else {
        state[..3].copy_from_slice(&numbers(&sample["p"]));
        state[3..7].copy_from_slice(&numbers(&sample["quat_wxyz"]));
        state[7..].copy_from_slice(&numbers(&sample["V"]));
    }
    state
}

#[test]
fn free_motions_are_those_of_other_programs() {
    for case in parallel_golden("shared_energy.json")["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let robot = match case.get("mode") {
            Some(modes) => wrist(&numbers(modes)),
            None => closed("gough-stewart"),
        };
        let robot = robot.with_gravity(vector(&numbers(&case["gravity"])));
        let mut motion = Motion {
            search: assembly::Workspace::new(&robot),
            dynamics: legs_platform::Workspace::new(&robot),
            at: robot.home().clone(),
            tau: numbers(&case["tau"]),
            robot: &robot,
        };
        let samples = case["samples"].as_array().unwrap();
        let mut now = state(&samples[0]);
        let before = motion.energy(&now);
        for (k, sample) in samples.iter().enumerate().skip(1) {
            for _ in 0..STEPS {
                motion.step(&mut now, 0.1 / STEPS as f64);
            }
            let mut expected = state(sample);
            // A quaternion and its opposite are one attitude.
            if now[3] * expected[3] + now[4] * expected[4] + now[5] * expected[5] + now[6] * expected[6] < 0.0 {
                expected[3..7].iter_mut().for_each(|x| *x = -*x);
            }
            assert_close_at(&now, &expected, 1e-10, 1.0, &format!("{name} {k}"));
            let work = sample["work"].as_f64().unwrap();
            let balance = motion.energy(&now) - before - work;
            assert!(balance.abs() < 1e-11 * before.abs().max(1.0), "{name} {k}: {balance:.1e} J");
        }
    }
}
