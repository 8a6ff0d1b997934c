//! A robot on the bench with its present state: where it is, how it moves, and what the hand holds.

use crate::asked::{self, Asked};
use crate::drawn::Sketch;
use crate::moves::Tools;
use crate::numbers::{PoseNumbers, expect, of_pose};
use crate::place::{Held, Place, positions_of_drives};
use crate::reading::{self, Remark};
use appell::closed::FromTwist;
use appell::closed::formulation::{self, Formulation};
use appell::closed::{ClosedMechanism, Configuration, assembly};
use appell::question::{Motion, Question, State, Target};
use appell::{Model, Robot, robots};

/// A robot with its present state: class `Bench` of the contract.
pub struct Bench {
    pub(crate) robot: Robot,
    pub(crate) held: Held,
    pub(crate) place: Place,
    pub(crate) tools: Tools,
    motion: [Vec<f64>; 2], // as they were set: of the platform, of the independent velocities, or of the joints
    asked: Asked,
    output: String,
    own: Robot, // as it was read, whatever output and working modes were chosen since
    text: String,
    file: String,
}

/// A motion as dynamics takes it: velocities and accelerations of a tree, or r and ṙ.
#[derive(Debug, Clone)]
pub(crate) struct Rates {
    pub(crate) v: Vec<f64>,
    pub(crate) a: Vec<f64>,
}

impl Bench {
    /// A built-in robot.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn builtin(name: &str) -> Result<Self, String> {
        let found = robots::find(name).ok_or_else(|| {
            let known: Vec<&str> = robots::all().map(|robot| robot.name).collect();
            format!("no built-in robot `{name}`; built-in robots are {}", known.join(", "))
        })?;
        let robot = Robot::builtin(name).map_err(|error| error.to_string())?;
        Ok(Self::new(robot, found.toml, &format!("{name}.toml")))
    }

    /// The robot of a file; the file's name tells its format.
    ///
    /// # Errors
    /// All remarks about it.
    pub fn read(text: &str, file: &str) -> Result<Self, Vec<Remark>> {
        Ok(Self::new(reading::read(text, file)?, text, file))
    }

    /// A robot at home, with the text that it was read from. Joints that follow others do so.
    #[must_use]
    pub fn new(robot: Robot, text: &str, file: &str) -> Self {
        // Joints that follow each other in a circle cannot; they are free then, as the library has them.
        let robot = robot.coupled().unwrap_or(robot);
        let place = Place::home(&robot);
        let (held, tools) = (Held::of(&robot), Tools::new(&robot));
        let asked = Asked::new(target(held));
        let mut bench = Self {
            own: robot.clone(),
            output: held.name(&robot),
            robot,
            held,
            place,
            tools,
            motion: [Vec::new(), Vec::new()],
            asked,
            text: text.to_owned(),
            file: file.to_owned(),
        };
        bench.rest();
        bench
    }

    /// The robot, with the output and the working modes that were chosen.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// The robot as it was read.
    #[must_use]
    pub fn own(&self) -> &Robot {
        &self.own
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What the hand holds.
    #[must_use]
    pub fn held(&self) -> Held {
        self.held
    }

    /// The name of what the hand holds.
    #[must_use]
    pub fn output(&self) -> &str {
        &self.output
    }

    /// The text that it was read from, and the name of its file.
    pub(crate) fn source(&self) -> (&str, &str) {
        (&self.text, &self.file)
    }

    /// What is drawn.
    #[must_use]
    pub fn sketch(&self) -> Sketch {
        Sketch::new(&self.robot, &self.place)
    }

    /// Back to where it began, at rest.
    pub fn home(&mut self) {
        match Place::home(&self.robot) {
            Place::Closed(at) => self.take(at),
            place => self.place = place,
        }
        self.rest();
    }

    /// All positions.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        self.place.q()
    }

    /// The pose of what the hand holds.
    #[must_use]
    pub fn pose(&self) -> PoseNumbers {
        of_pose(&self.place.pose(&self.robot, self.held))
    }

    /// Positions of the drives, in the order of `tau`; of a quaternion zeros.
    #[must_use]
    pub fn drives(&self) -> Vec<f64> {
        let q = self.q();
        match self.robot.tree().coordinates().filter(|_| self.robot.closed().is_none()) {
            Some(own) => (0..own.velocities().len()).map(|k| own.position_of(k).map_or(0.0, |k| q[k])).collect(),
            None => positions_of_drives(&self.robot).into_iter().map(|k| q[k]).collect(),
        }
    }

    /// How many numbers a velocity has: six of a platform, else one per degree of freedom.
    #[must_use]
    pub fn rates(&self) -> usize {
        match self.robot.platform() {
            Some(_) => 6,
            None => self.robot.freedoms().len(),
        }
    }

    /// Lets it move: twist and acceleration of the platform, of which the components that are independent count; independent
    /// velocities and their rates of a robot with loops and no platform; velocities and accelerations of a tree's joints.
    ///
    /// # Errors
    /// If a vector is not as long as it should be, or not finite; nothing changes then.
    pub fn set_motion(&mut self, v: &[f64], a: &[f64]) -> Result<(), String> {
        expect("v", v, self.rates())?;
        expect("a", a, self.rates())?;
        self.motion = [v.to_vec(), a.to_vec()];
        Ok(())
    }

    /// Lets it rest.
    fn rest(&mut self) {
        self.motion = [vec![0.0; self.rates()], vec![0.0; self.rates()]];
    }

    /// Holds another frame. Of a robot with loops it becomes the output: the robot's motion is that of this frame from then on.
    ///
    /// # Errors
    /// If there is no such frame, or it cannot be one's output; nothing changes then.
    pub fn set_output(&mut self, frame: &str) -> Result<(), String> {
        // The frame that the hand holds at first of a robot with loops and no platform is no output yet.
        let is_output = |robot: &Robot| robot.closed().is_none() || robot.platform().is_some();
        if frame == self.output() && is_output(&self.robot) {
            return Ok(());
        }
        if self.robot.closed().is_none() {
            let unknown = || format!("no frame `{frame}`; frames are {}", self.robot.frames().join(", "));
            self.held = Held::find(&self.robot, frame).ok_or_else(unknown)?;
            self.asked = Asked::new(target(self.held));
            frame.clone_into(&mut self.output);
            return Ok(());
        }
        let robot = match is_output(&self.own) && Held::of(&self.own).name(&self.own) == frame {
            true => self.own.clone(),
            false => self.own.with_output(frame).map_err(|error| error.to_string())?,
        };
        let place = carried(&self.robot, &self.place, &robot)?;
        self.held = Held::of(&robot);
        frame.clone_into(&mut self.output);
        self.put(robot, place);
        self.rest();
        Ok(())
    }

    /// Takes an assembled configuration, and its working modes with it.
    pub(crate) fn take(&mut self, at: Configuration) {
        let Model::Closed(closed) = self.robot.model() else { return };
        if assembly::is_in_working_mode(closed, &at) {
            self.place = Place::Closed(at);
        } else {
            let robot = closed.in_working_modes_of(&at).into();
            self.put(robot, Place::Closed(at));
        }
    }

    /// Takes a changed robot at a place of it.
    pub(crate) fn put(&mut self, robot: Robot, place: Place) {
        self.tools = Tools::new(&robot);
        self.asked = Asked::new(target(self.held));
        (self.robot, self.place) = (robot, place);
    }

    /// What questions of one frame are about.
    pub(crate) fn target(&self) -> Target {
        target(self.held)
    }

    /// The size of the robot at home, m.
    pub(crate) fn size(&self) -> f64 {
        Sketch::new(&self.robot, &Place::home(&self.robot)).size()
    }

    /// The motion in the coordinates of dynamics.
    ///
    /// # Errors
    /// If the robot is singular, so that the output does not say how it moves.
    pub(crate) fn in_motion(&mut self) -> Result<Rates, String> {
        let [v, a] = &self.motion;
        match (self.robot.closed(), &self.place) {
            (Some(closed), Place::Closed(at)) if closed.platform().is_some() => of_platform(closed, at, v, a),
            _ => Ok(Rates { v: v.clone(), a: a.clone() }),
        }
    }

    /// A question at the present state; torques and forces are zero where it reads them.
    ///
    /// # Errors
    /// If the robot does not answer it, or not here.
    pub fn ask(&mut self, question: &str) -> Result<Vec<f64>, String> {
        let question = asked::find(question)?;
        let rates = self.in_motion()?;
        Ok(self.answer(question, &rates)?.to_vec())
    }

    /// The names of the numbers of an answer.
    ///
    /// # Errors
    /// If there is no such question, or the answer has too many.
    pub fn columns(&self, question: &str) -> Result<Vec<String>, String> {
        let question = asked::find(question)?;
        asked::refuse(&self.robot, question)?;
        Ok(question.columns(&self.robot))
    }

    /// Answers a question about a motion at the present place.
    pub(crate) fn answer(&mut self, question: Question, rates: &Rates) -> Result<&[f64], String> {
        let Rates { v, a } = rates;
        let tau = vec![0.0; self.robot.drives().len()];
        let state = match &self.place {
            Place::Tree(q) => State { q, v, a, w: v, tau: &tau, ..State::default() },
            Place::Closed(at) => {
                State { motion: Motion::Assembled { at, r: v, r_dot: a }, tau: &tau, ..State::default() }
            }
        };
        self.asked.ask(&self.robot, question, &state)
    }
}

/// What questions of one frame are about.
fn target(held: Held) -> Target {
    match held {
        Held::Frame(frame) => Target { frame: Some(frame), ..Target::default() },
        Held::Platform => Target::default(),
    }
}

/// r and ṙ of a twist of the platform and its rate.
fn of_platform(robot: &ClosedMechanism, at: &Configuration, twist: &[f64], rate: &[f64]) -> Result<Rates, String> {
    let (dof, n) = (robot.tree().dof(), robot.freedoms().len());
    if !FromTwist::is_needed(robot) {
        let independent = |of: &[f64]| robot.freedoms().iter().map(|&k| of[k - dof]).collect();
        return Ok(Rates { v: independent(twist), a: independent(rate) });
    }
    if twist.iter().chain(rate).all(|&x| x == 0.0) {
        return Ok(Rates { v: vec![0.0; n], a: vec![0.0; n] });
    }
    let mut workspace = formulation::Workspace::new(robot, Formulation::of(robot)[0]);
    let mut from_twist = FromTwist::new(robot);
    let mut solve = |workspace: &mut formulation::Workspace, given: [f64; 6]| -> Result<Vec<f64>, String> {
        let z = formulation::complement(robot, workspace, at).map_err(|error| error.to_string())?;
        let found = from_twist.solve(robot, z, given.map(Some));
        found.map(<[f64]>::to_vec).ok_or_else(|| "the output does not say how the robot moves".to_owned())
    };
    let v = solve(&mut workspace, core::array::from_fn(|k| twist[k]))?;
    let (_, u_dot) =
        formulation::motion(robot, &mut workspace, at, &v, &vec![0.0; n]).map_err(|error| error.to_string())?;
    let rest = core::array::from_fn(|k| rate[k] - u_dot[dof + k]);
    let a = solve(&mut workspace, rest)?;
    Ok(Rates { v, a })
}

/// The place of a robot as one of the same with another output: joints of the same names where they are, then loops closed with the
/// drives where they are.
fn carried(from: &Robot, place: &Place, to: &Robot) -> Result<Place, String> {
    let (Model::Closed(closed), Place::Closed(before)) = (to.model(), place) else { return Ok(Place::home(to)) };
    let names = from.tree().joint_names();
    let of_name = |name: &str| names.iter().position(|own| own == name).map(|j| before.q[j]);
    let mut at = closed.home().clone();
    for (q, name) in at.q.iter_mut().zip(closed.tree().joint_names()) {
        *q = of_name(name).unwrap_or(*q);
    }
    let drives: Vec<f64> = closed.driven().iter().map(|&j| at.q[j]).collect();
    let held = Held::of(to).name(to);
    if let Some(frame) = Held::find(from, &held) {
        at.pose = place.pose(from, frame);
    }
    let mut workspace = assembly::Workspace::new(closed);
    assembly::at_drives(closed, &mut workspace, &drives, &mut at).map_err(|error| error.to_string())?;
    Ok(Place::Closed(at))
}
