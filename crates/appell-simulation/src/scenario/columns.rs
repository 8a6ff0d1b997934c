//! The columns of a record: what every row of a run says, wherever it is written.

use super::moment::Moment;
use appell::spatial::{Pose, Quaternion};

const POSITION: [&str; 3] = ["px", "py", "pz"];
const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];
const TWIST: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// Components of the rotation vector from the wanted attitude to the platform's.
const ROTATION: [&str; 3] = ["rx", "ry", "rz"];

impl Moment<'_> {
    /// Names every column of a row but the time: its symbol, its name and its number. `turns`: whether the platform has an attitude.
    pub fn columns(&self, turns: bool, mut add: impl FnMut(&'static str, &dyn Fn() -> String, f64)) {
        let mut each = |symbol: &'static str, numbers: &mut dyn Iterator<Item = f64>| {
            for (k, number) in numbers.enumerate() {
                add(symbol, &|| format!("{symbol}{}", k + 1), number);
            }
        };
        let (q, v) = (self.view.q, self.view.v);
        if q.len() == v.len() {
            each("q", &mut self.drives.iter().map(|&j| q[j]));
        } else {
            each("q", &mut q.iter().copied()); // quaternions have more numbers than drives
        }
        each("v", &mut self.drives.iter().map(|&j| v[j]));
        each("tau", &mut self.efforts.iter().copied());
        if let Some(wanted) = self.wanted {
            each("wanted", &mut wanted.iter().copied());
            let pairs = self.drives.iter().zip(wanted);
            each("error", &mut pairs.map(|(&j, wanted)| self.view.q[j] - wanted));
        }
        if let Some(sampling) = self.sampling {
            each("measured", &mut sampling.q.iter().copied());
            each("command", &mut sampling.commanded.iter().copied());
            each("gripper", &mut sampling.grippers.iter().map(|&on| f64::from(u8::from(on))));
        }
        if let Some((pose, _)) = self.view.platform {
            let names = POSITION.into_iter().chain(QUATERNION);
            for (name, number) in names.zip(numbers_of(&pose)).take(if turns { 7 } else { 3 }) {
                add("platform", &|| name.to_owned(), number);
            }
        }
        add("energy", &|| "kinetic".to_owned(), self.energy.kinetic);
        add("energy", &|| "potential".to_owned(), self.energy.potential);
        let mut each = |symbol: &'static str, numbers: &[f64]| {
            for (k, &number) in numbers.iter().enumerate() {
                add(symbol, &|| format!("{symbol}{}", k + 1), number);
            }
        };
        if let Some(sampling) = self.sampling {
            each("measured_v", sampling.v);
        }
        for (k, &number) in self.own.iter().enumerate() {
            add("own", &|| self.own_name(k), number);
        }
        let (pose_names, rates) = (POSITION.into_iter().chain(QUATERNION), TWIST.into_iter());
        let mut all = |symbol: &'static str, names: &mut dyn Iterator<Item = &str>, numbers: &[f64]| {
            for (name, &number) in names.zip(numbers) {
                let before = if symbol == "twist" { "" } else { symbol };
                add(symbol, &|| format!("{before}{name}"), number);
            }
        };
        let (of_pose, of_twist) = if turns { (7, 6) } else { (3, 3) };
        if let Some((_, twist)) = self.view.platform {
            all("twist", &mut rates.clone().take(of_twist), &twist.to_array());
        }
        if let (Some((pose, twist)), Some(error)) = (self.wanted_platform, self.platform_error()) {
            all("wanted_", &mut pose_names.take(of_pose), &numbers_of(&pose));
            all("wanted_", &mut rates.clone().take(of_twist), &twist.to_array());
            all("error_", &mut POSITION.into_iter(), &error.position.to_array());
            all("error_", &mut ROTATION.into_iter().take(of_twist - 3), &error.rotation.to_array());
            all("error_", &mut rates.take(of_twist), &error.twist.to_array());
        }
        if let Some(sampling) = self.sampling {
            let code = sampling.trip.map_or(0, |trip| trip.fault.kind.code());
            add("safety", &|| "fault".to_owned(), f64::from(code));
            add("safety", &|| "braked".to_owned(), f64::from(u8::from(sampling.braked)));
        }
    }
}

fn numbers_of(pose: &Pose) -> [f64; 7] {
    let ([px, py, pz], Quaternion { x, y, z, w }) = (pose.position.to_array(), Quaternion::of_rotation(&pose.rotation));
    [px, py, pz, x, y, z, w]
}
