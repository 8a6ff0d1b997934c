//! A motion as a scenario: `appell simulate` takes the same steps with the same robot and law, and gives the same numbers.

use super::course::{Course, Points};
use super::forces::Forces;
use super::options::{Law, Options};
use super::truth::{self, Payload};
use crate::bench::Bench;
use crate::place::{Held, Place};
use appell::description::{Friction, FrictionCurve, JointEffects};
use appell::{Robot, robots};
use appell_simulation::control::Gains;
use appell_simulation::scenario::Scenario;
use core::fmt::Write;

/// Time from row to row of the record, s: that of a page.
const RECORD: f64 = 1.0 / 120.0;

/// By how much a start may differ that a scenario finds by itself.
const SAME: f64 = 1e-9;

impl Bench {
    /// A scenario for `appell simulate` of a [`Motion`](super::Motion) with these options.
    ///
    /// # Errors
    /// If the options do not fit the robot, or a scenario cannot start where it is.
    pub fn scenario(&self, options: &Options, duration: f64) -> Result<String, String> {
        if !(1e-3..=1e5).contains(&duration) {
            return Err(format!("a scenario of {duration} s; expected 0.001 to 100000 s"));
        }
        let robot = self.robot();
        let forces = Forces::new(robot, self.held(), self.place(), options)?;
        let plain = self.plain()?;
        let mut failed = String::new();
        for start in starts(robot, self.place()) {
            let text = self.text_of(options, duration, &forces, &start)?;
            match finds(&text, &plain, self.place()) {
                Ok(()) => return Ok(text),
                Err(why) => failed = why,
            }
        }
        Err(failed)
    }

    /// The robot as a scenario finds it: as it was read, with the output that was chosen.
    fn plain(&self) -> Result<Robot, String> {
        match self.chosen_output() {
            Some(frame) => self.own().with_output(frame).map_err(|error| error.to_string()),
            None => Ok(self.own().clone()),
        }
    }

    /// The output of a robot with loops, where it is not the one that its file names.
    fn chosen_output(&self) -> Option<&str> {
        let is_other = self.own().closed().is_some() && self.output() != Held::of(self.own()).name(self.own());
        is_other.then(|| self.output())
    }

    fn text_of(&self, options: &Options, duration: f64, forces: &Forces, start: &str) -> Result<String, String> {
        let robot = self.robot();
        let (text, file) = self.source();
        let built_in = robots::all().find(|known| known.toml == text).map(|known| known.name);
        let mut out = String::new();
        let mut line = |text: &str| {
            out.push_str(text);
            out.push('\n');
        };
        line(
            "# A motion of the laboratory: `appell simulate` gives the same numbers. A push, and options that were changed on the way,",
        );
        line("# are no part of it.");
        line(&format!("name = {}", quoted(&format!("{} in the laboratory", robot.name()))));
        match built_in {
            Some(name) => line(&format!("robot = {}", quoted(name))),
            None => {
                line("# The robot's file, which is looked for beside this one.");
                line(&format!("robot = {}", quoted(file)));
            }
        }
        if let Some(frame) = self.chosen_output() {
            line(&format!("output = {}", quoted(frame)));
        }
        line(&format!("duration = {duration:?}"));
        line("\n[start]");
        line(start);
        let payload = Payload::new(robot, self.held(), options.payload)?;
        let effects = truth::effects(robot, self.place(), options);
        if payload.is_some() || !effects.is_empty() {
            line("\n[plant]");
            payload.iter().for_each(|payload| line(&load(payload)));
            effects.iter().for_each(|(joint, effects)| line(&of_joint(joint, effects)));
        }
        if let (Some(payload), true) = (&payload, options.law_knows_payload) {
            line("\n[model]");
            line(&load(payload));
        }
        if options.law != Law::Free {
            line("\n[reference]");
            line(&self.reference(options)?);
        }
        line("\n[controller]");
        line(&controller(robot, options, forces.gains()));
        line("\n[run]");
        line("method = \"runge-kutta\"");
        line(&format!("step = {:?}", forces.step));
        line(&format!("record = {RECORD:?}"));
        Ok(out)
    }

    fn reference(&self, options: &Options) -> Result<String, String> {
        let robot = self.robot();
        let Some(followed) = options.reference.as_ref().filter(|_| options.law.follows()) else {
            return Ok(format!("kind = \"hold\"\nat = {:?}", self.drives()));
        };
        let course = Course::new(robot, &followed.request)?;
        let times = course.times(robot, followed.duration())?;
        let (kind, rows): (&str, Vec<Vec<f64>>) = match &course.points {
            Points::Drives(points) => ("spline", points.clone()),
            Points::Poses(_) => ("via", followed.request.points.iter().map(|row| unit(row)).collect()),
        };
        let mut text = format!("kind = \"{kind}\"\n");
        if let Some(shape) = course.law.shape() {
            let _ = writeln!(text, "law = \"{}\"", shape.name());
        }
        text.push_str("points = [\n");
        for (time, row) in times.iter().zip(rows) {
            let numbers: Vec<f64> = core::iter::once(*time).chain(row).collect();
            let _ = writeln!(text, "  {numbers:?},");
        }
        text.push(']');
        Ok(text)
    }
}

/// A pose whose quaternion has the norm 1, as a scenario wants it.
fn unit(row: &[f64]) -> Vec<f64> {
    let norm = row[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
    if (norm - 1.0).abs() < 1e-6 {
        return row.to_vec();
    }
    row.iter().enumerate().map(|(k, x)| if k < 3 { *x } else { x / norm }).collect()
}

/// How a start may be written, the best first.
fn starts(robot: &Robot, place: &Place) -> Vec<String> {
    match (place, robot.closed()) {
        (Place::Closed(at), Some(closed)) => {
            let drives: Vec<f64> = closed.driven().iter().map(|&j| at.q[j]).collect();
            let pose = closed.platform().map(|_| format!("pose = {:?}", crate::numbers::of_pose(&at.pose)));
            pose.into_iter().chain([format!("q = {drives:?}")]).collect()
        }
        (place, _) => vec![format!("q = {:?}", place.q())],
    }
}

/// Whether a scenario starts at a place.
fn finds(text: &str, robot: &Robot, place: &Place) -> Result<(), String> {
    let scenario = Scenario::read(text).map_err(|problems| problems.to_string())?;
    let prepared = scenario.prepare(robot).map_err(|error| error.to_string())?;
    let plant = prepared.plant().map_err(|error| error.to_string())?;
    let off = plant.view(0.0).q.iter().zip(place.q()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    if off <= SAME {
        return Ok(());
    }
    Err(format!(
        "a scenario would start in another assembly or working mode of this robot: joints are up to {off:.3} from here; \
         choose the robot's first mode, or start elsewhere"
    ))
}

fn load(payload: &Payload) -> String {
    let com = payload.body.com.to_array();
    format!("payload = {{ on = {}, mass = {:?}, com = {com:?} }}", quoted(&payload.on), payload.body.mass)
}

fn of_joint(joint: &str, effects: &JointEffects) -> String {
    let JointEffects { friction: Friction { viscous, coulomb, smoothing, offset, curve }, spring, .. } = effects;
    let mut text = format!(
        "[plant.joint.{}]\nfriction = {{ viscous = {viscous:?}, coulomb = {coulomb:?}, smoothing = {smoothing:?}, offset = {offset:?}",
        quoted(joint)
    );
    if let Some(FrictionCurve { square_root, cubic, asymmetric, stribeck, stribeck_speed }) = curve {
        let _ = write!(
            text,
            ", square_root = {square_root:?}, cubic = {cubic:?}, asymmetric = {asymmetric:?}, stribeck = {stribeck:?}, \
             stribeck_speed = {stribeck_speed:?}"
        );
    }
    text += " }";
    if spring.stiffness != 0.0 {
        let _ = write!(text, "\nspring = {{ stiffness = {:?}, rest = {:?} }}", spring.stiffness, spring.rest);
    }
    text
}

fn controller(robot: &Robot, options: &Options, gains: &[Gains]) -> String {
    match options.law {
        Law::Free => "law = \"none\"".to_owned(),
        Law::GravityCompensation => "law = \"pd-gravity\"\nkp = 0.0\nkd = 0.0".to_owned(),
        Law::HoldPd => {
            let kp: Vec<f64> = gains.iter().map(|gains| gains.proportional).collect();
            let kd: Vec<f64> = gains.iter().map(|gains| gains.derivative).collect();
            format!("law = \"pd\"\nkp = {kp:?}\nkd = {kd:?}")
        }
        Law::ComputedTorque => {
            let law = if robot.closed().is_some() { "drive-torque" } else { "computed-torque" };
            format!("law = \"{law}\"\nnatural_frequency = {:?}\ndamping = {:?}", options.omega, options.zeta)
        }
    }
}

/// A text in quotes; strings of JSON are strings of TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
