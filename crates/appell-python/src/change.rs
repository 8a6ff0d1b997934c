//! Changed copies of a robot: what a file says, with some of it said otherwise.

use crate::errors::{self, Kind};
use appell::description::{
    BodyDescription, Convention, Description, FrameDescription, FrictionCurve, JointDescription, JointType,
    KhalilKleinfinger, PLATFORM, Problem, Severity, check,
};
use appell::spatial::{EulerAngles, Pose, Sym3, Vec3};
use appell::{Robot, RobotFile};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A robot after a list of changes, each a pair of its name and its keywords. Those of its description go before those of its
/// coordinates, which start from it.
pub(crate) fn changed(mut robot: Robot, changes: &Bound<'_, PyAny>) -> PyResult<Robot> {
    let mut of_coordinates = Vec::new();
    for change in changes.try_iter()? {
        let (name, keywords): (String, Bound<'_, PyDict>) = change?.extract()?;
        if ["coupled", "by_motors"].contains(&name.as_str()) {
            of_coordinates.push(name);
        } else {
            robot = one(&robot, &name, &Keywords(keywords))?;
        }
    }
    of_coordinates.iter().try_fold(robot, |robot, name| match name.as_str() {
        "coupled" => robot.coupled().map_err(|error| Kind::Robot.error(error.to_string())),
        _ => robot.by_motors().map_err(|error| Kind::Robot.error(error.to_string())),
    })
}

/// Arguments of a change.
struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> Keywords<'py> {
    fn get<T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(&self, name: &str) -> PyResult<Option<T>> {
        match self.0.get_item(name)? {
            Some(value) if !value.is_none() => value.extract().map(Some).map_err(Into::into),
            _ => Ok(None),
        }
    }

    fn vector(&self, name: &str) -> PyResult<Option<Vec3<f64>>> {
        Ok(self.get::<[f64; 3]>(name)?.map(Into::into))
    }

    /// xx yy zz xy xz yz, or nothing.
    fn tensor(&self, name: &str) -> PyResult<Option<Sym3<f64>>> {
        let numbers = self.get::<[f64; 6]>(name)?;
        Ok(numbers.map(|[xx, yy, zz, xy, xz, yz]| Sym3 { xx, yy, zz, xy, xz, yz }))
    }
}

fn one(robot: &Robot, name: &str, keywords: &Keywords<'_>) -> PyResult<Robot> {
    let text = |name: &str| keywords.get::<String>(name);
    if name == "output" {
        let frame = text("frame")?.unwrap_or_else(|| PLATFORM.into());
        return robot.with_output(&frame).map_err(|error| errors::of_robot(&error));
    }
    let file = robot.file().ok_or_else(|| Kind::Robot.error("the robot has no description that could be changed"))?;
    let mut description = file.description.clone();
    match name {
        "gravity" => description.gravity = keywords.vector("gravity")?.unwrap_or(description.gravity),
        "payload" => {
            let mass = keywords.get::<f64>("mass")?.unwrap_or(0.0);
            let com = keywords.vector("com")?.unwrap_or(Vec3::new(0.0, 0.0, 0.0));
            let inertia = keywords.tensor("inertia")?.unwrap_or(Sym3::zero(0.0));
            if !(mass >= 0.0 && mass.is_finite()) {
                return Err(Kind::Robot.error(format!("a load of {mass} kg; expected zero or more")));
            }
            let at = text("frame")?;
            attach(&mut description, &BodyDescription { mass, com, inertia }, at.as_deref())?;
        }
        "body" => {
            let of = text("of")?.unwrap_or_default();
            let body = body(&mut description, &of)?;
            body.mass = keywords.get("mass")?.unwrap_or(body.mass);
            body.com = keywords.vector("com")?.unwrap_or(body.com);
            body.inertia = keywords.tensor("inertia")?.unwrap_or(body.inertia);
        }
        "scale_masses" => {
            let factor = keywords.get::<f64>("factor")?.unwrap_or(1.0);
            description.joints.iter_mut().for_each(|joint| joint.body = joint.body.scaled(factor));
            if let Some(platform) = &mut description.platform {
                platform.body = platform.body.scaled(factor);
            }
        }
        "add_joint" => {
            let added = added_joint(keywords)?;
            description.joints.push(added);
            description.convention = Convention::KhalilKleinfinger; // no other holds every row
        }
        "add_frame" => {
            let [roll, pitch, yaw] = keywords.get::<[f64; 3]>("rpy")?.unwrap_or_default();
            description.frames.push(FrameDescription {
                name: text("name")?.unwrap_or_default(),
                parent: text("parent")?,
                pose: Pose {
                    rotation: EulerAngles::Zyx.rotation([yaw, pitch, roll]),
                    position: keywords.vector("xyz")?.unwrap_or(Vec3::new(0.0, 0.0, 0.0)),
                },
            });
        }
        "joint" => joint(&mut description, &text("of")?.unwrap_or_default(), keywords)?,
        other => return Err(Kind::Robot.error(format!("no change `{other}`"))),
    }
    // What a change makes doubtful is a warning beside those of the file, each once.
    let mut warnings = file.warnings.clone();
    let known: Vec<String> = warnings.iter().map(|problem| problem.finding.to_string()).collect();
    let is_new =
        |problem: &&Problem| problem.severity == Severity::Warning && !known.contains(&problem.finding.to_string());
    warnings.extend(check(&description).iter().filter(is_new).cloned());
    let file = RobotFile { description, extras: file.extras.clone(), warnings };
    let changed: Robot = file.try_into().map_err(|error| errors::of_robot(&error))?;
    Ok(changed)
}

/// A further joint with its body.
fn added_joint(keywords: &Keywords<'_>) -> PyResult<JointDescription> {
    let text = |name: &str| keywords.get::<String>(name);
    let number = |name: &str| Ok::<f64, PyErr>(keywords.get(name)?.unwrap_or(0.0));
    let kind = text("kind")?.unwrap_or_else(|| "revolute".into());
    let kind = JointType::find(&kind).ok_or_else(|| {
        let known: Vec<&str> = JointType::ALL.into_iter().map(JointType::name).collect();
        Kind::Robot.error(format!("no joint `{kind}`; joints are {}", known.join(", ")))
    })?;
    let joint = JointDescription::new(text("name")?.unwrap_or_default(), kind);
    Ok(JointDescription {
        parent: text("parent")?,
        placement: KhalilKleinfinger {
            gamma: number("gamma")?,
            b: number("b")?,
            e: 0.0,
            alpha: number("alpha")?,
            d: number("d")?,
            theta: number("theta")?,
            r: number("r")?,
        },
        pitch: number("pitch")?,
        body: BodyDescription {
            mass: number("mass")?,
            com: keywords.vector("com")?.unwrap_or(Vec3::new(0.0, 0.0, 0.0)),
            inertia: keywords.tensor("inertia")?.unwrap_or(Sym3::zero(0.0)),
        },
        ..joint
    })
}

/// Friction, rotor, spring and limits of a joint, those that are named.
fn joint(description: &mut Description, name: &str, keywords: &Keywords<'_>) -> PyResult<()> {
    let known: Vec<String> = description.joints.iter().map(|joint| joint.name.clone()).collect();
    let joint = description.joints.iter_mut().find(|joint| joint.name == name);
    let joint =
        joint.ok_or_else(|| Kind::Robot.error(format!("no joint `{name}`; joints are {}", known.join(", "))))?;
    let (effects, limits) = (&mut joint.effects, &mut joint.limits);
    let mut curve = effects.friction.curve.unwrap_or_default();
    for (key, number) in [
        ("viscous", &mut effects.friction.viscous),
        ("coulomb", &mut effects.friction.coulomb),
        ("smoothing", &mut effects.friction.smoothing),
        ("offset", &mut effects.friction.offset),
        ("square_root", &mut curve.square_root),
        ("cubic", &mut curve.cubic),
        ("asymmetric", &mut curve.asymmetric),
        ("stribeck", &mut curve.stribeck),
        ("stribeck_speed", &mut curve.stribeck_speed),
        ("rotor_inertia", &mut effects.rotor.inertia),
        ("gear", &mut effects.rotor.gear),
        ("stiffness", &mut effects.spring.stiffness),
        ("rest", &mut effects.spring.rest),
        ("lower", &mut limits.lower),
        ("upper", &mut limits.upper),
        ("velocity", &mut limits.velocity),
        ("effort", &mut limits.effort),
    ] {
        *number = keywords.get(key)?.unwrap_or(*number);
    }
    effects.friction.curve = (curve != FrictionCurve::default()).then_some(curve);
    if joint.limits.lower > joint.limits.upper {
        let appell::description::Limits { lower, upper, .. } = joint.limits;
        return Err(Kind::Robot.error(format!("`{name}`: the lower limit {lower} is beyond the upper, {upper}")));
    }
    joint.driven = keywords.get("driven")?.unwrap_or(joint.driven);
    Ok(())
}

/// The body of a joint, or the platform.
fn body<'d>(description: &'d mut Description, name: &str) -> PyResult<&'d mut BodyDescription> {
    let mut known: Vec<String> = description.joints.iter().map(|joint| joint.name.clone()).collect();
    known.extend(description.platform.iter().map(|_| PLATFORM.to_owned()));
    if name == PLATFORM
        && let Some(platform) = &mut description.platform
    {
        return Ok(&mut platform.body);
    }
    let joint = description.joints.iter_mut().find(|joint| joint.name == name);
    joint
        .map(|joint| &mut joint.body)
        .ok_or_else(|| Kind::Robot.error(format!("no body `{name}`; bodies are those of {}", known.join(", "))))
}

/// Puts a load on the body that carries a frame: by its name, else the platform, else the last joint's.
fn attach(description: &mut Description, load: &BodyDescription, at: Option<&str>) -> PyResult<()> {
    let frame = at.and_then(|name| description.frames.iter().find(|frame| frame.name == name)).cloned();
    let (carrier, pose) = match (frame, at) {
        (Some(frame), _) => {
            let carrier = frame
                .parent
                .ok_or_else(|| Kind::Robot.error(format!("`{}` is on the base, which carries no load", frame.name)))?;
            (carrier, frame.pose)
        }
        (None, Some(name)) => (name.to_owned(), Pose::identity(0.0)),
        (None, None) => {
            let last = description.joints.last().map(|joint| joint.name.clone()).unwrap_or_default();
            let carrier = if description.platform.is_some() { PLATFORM.to_owned() } else { last };
            (carrier, Pose::identity(0.0))
        }
    };
    let body = body(description, &carrier)?;
    *body = body.with(&load.seen_from(&pose));
    Ok(())
}
