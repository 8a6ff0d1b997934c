//! A load that was weighed: with recordings with and without it, drive gains are known.

use crate::parameters::{Body, Inertial};
use appell::Robot;
use appell::description::notes::Notes;
use appell::description::toml::reader::Reader;
use appell::description::toml::sections;
use appell::description::{BodyDescription, Finding, PLATFORM, Problems, check_body};
use appell::dynamics::regressor::{PARAMETERS_PER_BODY, from_urdf};
use appell::spatial::Sym3;
use toml::de::DeTable;

/// A body that a robot carries beside its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    /// The frame that it is given in, of a joint's body or a further one; that of the platform, or the last one, if not given.
    pub on: Option<String>,
    /// Its mass, centre of mass in that frame, and inertia about the centre of mass.
    pub body: BodyDescription,
}

/// Why a robot cannot carry a payload.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum PayloadError {
    /// A frame that is none.
    #[error("the payload is on `{on}`, and the robot has no such frame; there are {}", known.join(", "))]
    Unknown { on: String, known: Vec<String> },
    /// A frame on the base, which nothing moves.
    #[error("the payload is on `{on}`, which the base carries, so that nothing shows it; name a frame that moves")]
    OnBase { on: String },
}

/// The ten parameters of a payload, as part of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// What carries it.
    pub body: Body,
    /// The parameters, in the order of [`Inertial::ALL`].
    pub parameters: [f64; PARAMETERS_PER_BODY],
    seen: BodyDescription, // from the body's own frame
}

impl Payload {
    /// Reads a payload's file: `on`, `mass`, `com` and `inertia`, as a scenario's `payload` has them.
    ///
    /// ```
    /// use appell_identification::data::Payload;
    ///
    /// let payload = Payload::read("on = 'tool'\nmass = 2.5\ncom = [0, 0, 0.08]\ninertia = { xx = 2e-3, yy = 2e-3, zz = 1e-3 }")?;
    /// assert_eq!((payload.on.as_deref(), payload.body.mass), (Some("tool"), 2.5));
    /// assert!(Payload::read("mass = -1\ncom = [0, 0, 0]").is_err());
    /// # Ok::<(), appell::description::Problems>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong, with its line.
    pub fn read(text: &str) -> Result<Self, Problems> {
        let mut reader = Reader::new(text);
        let (document, errors) = DeTable::parse_recoverable(text);
        if !errors.iter().all(|error| reader.syntax_error(text, error)) {
            return Err(reader.notes.finish([]));
        }
        let file = reader.file(document.get_ref(), &["on", "mass", "com", "inertia"]);
        let on = reader.get(&file, "on").and_then(|node| reader.text(&node, "the name of a frame").map(Into::into));
        let body = sections::body(&mut reader, &file, false);
        let mut problems = Problems::default();
        check_body(&mut problems, "payload", &body);
        // What is no number was noted when it was read.
        note(&mut reader.notes, problems);
        if reader.notes.has_errors() { Err(reader.notes.finish([])) } else { Ok(Self { on, body }) }
    }

    /// What it is of the body that carries it.
    ///
    /// # Errors
    /// If the robot has no such frame, or it does not move.
    pub fn on(&self, robot: &Robot) -> Result<Load, PayloadError> {
        let tree = robot.tree();
        let frame = match (&self.on, robot.platform()) {
            (None, Some(_)) => return Ok(Load::new(Body::Platform, self.body)),
            (Some(on), Some(_)) if on == PLATFORM => return Ok(Load::new(Body::Platform, self.body)),
            (None, None) => tree.last_frame(),
            (Some(on), _) => tree.frame(on).ok_or_else(|| {
                let mut known: Vec<String> = tree.shown_frames().map(|frame| frame.name.clone()).collect();
                known.extend(robot.platform().is_some().then(|| PLATFORM.to_owned()));
                PayloadError::Unknown { on: on.clone(), known }
            })?,
        };
        let frame = &tree.frames()[frame];
        let body = frame.body.ok_or_else(|| PayloadError::OnBase { on: frame.name.clone() })?;
        let body_from_frame = tree.frames()[body].body_from_frame.inverse() * frame.body_from_frame;
        Ok(Load::new(Body::Joint(body), self.body.seen_from(&body_from_frame)))
    }
}

fn note(notes: &mut Notes, problems: Problems) {
    let news = problems.into_iter().filter(|problem| !matches!(problem.finding, Finding::NotFinite { .. }));
    notes.add(news.collect());
}

impl Load {
    fn new(body: Body, seen: BodyDescription) -> Self {
        let BodyDescription { mass, com, inertia: Sym3 { xx, xy, xz, yy, yz, zz } } = seen;
        Self { body, parameters: from_urdf([mass, com.x, com.y, com.z, xx, xy, xz, yy, yz, zz]), seen }
    }

    /// One of its parameters.
    #[must_use]
    pub fn parameter(&self, parameter: Inertial) -> f64 {
        self.parameters[parameter as usize]
    }

    /// A robot that carries it.
    #[must_use]
    pub fn carried_by(&self, robot: &Robot) -> Robot {
        match (self.body, robot.closed()) {
            (Body::Platform, Some(closed)) => closed.with_payload(&self.seen).into(),
            (Body::Platform, None) => robot.clone(),
            (Body::Joint(joint), closed) => {
                let name = &robot.tree().joint_names()[joint];
                let with = |own: &str, body: BodyDescription| if own == name { body.with(&self.seen) } else { body };
                match closed {
                    Some(closed) => closed.with_tree(|tree| tree.with_bodies(with)).into(),
                    None => robot.tree().with_bodies(with).into(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Model;
    use appell::description::FrameDescription;
    use appell::spatial::{Pose, Vec3};

    /// A payload on a frame of the hand is as much as the difference between the robots with and without it.
    #[test]
    fn loads_are_the_differences_of_parameters() {
        let mut description = Robot::builtin("puma560").unwrap().description().unwrap().clone();
        let mut pose = Pose::identity(0.0);
        pose.position = Vec3::new(0.01, 0.02, 0.1);
        let parent = Some(description.joints[5].name.clone());
        description.frames.push(FrameDescription { name: "tool".into(), parent, pose });
        let arm = Robot::new(description).unwrap();
        let hexapod = Robot::builtin("gough-stewart").unwrap();
        let inertia = Sym3 { xx: 2e-3, xy: 1e-4, xz: 0.0, yy: 3e-3, yz: 0.0, zz: 1e-3 };
        let body = BodyDescription { mass: 2.0, com: Vec3::new(0.0, 0.03, 0.05), inertia };
        for (robot, on) in [(&arm, None), (&arm, Some("tool")), (&arm, Some("elbow")), (&hexapod, None)] {
            let load = Payload { on: on.map(Into::into), body }.on(robot).unwrap();
            let model = Model::bodies(robot);
            let [before, after] = [robot.clone(), load.carried_by(robot)].map(|robot| model.values(&robot));
            let mut many = 0;
            for (k, column) in model.columns().iter().enumerate() {
                let crate::parameters::Column::Inertial { body, parameter } = *column else { unreachable!() };
                let expected = if body == load.body { load.parameter(parameter) } else { 0.0 };
                assert!((after[k] - before[k] - expected).abs() < 1e-9, "{on:?} {}", model.name(k));
                many += usize::from(expected != 0.0);
            }
            assert!(many > 5);
        }
        let unknown = Payload { on: Some("spoon".into()), body }.on(&arm).unwrap_err().to_string();
        assert!(
            unknown.starts_with("the payload is on `spoon`, and the robot has no such frame; there are "),
            "{unknown}"
        );
    }
}
