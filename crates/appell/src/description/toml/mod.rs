//! Robots as TOML files: a table of joints as printed in papers, a section per body.
//!
//! ```toml
//! name = "PUMA 560"
//! frames = "modified-dh"      # or "standard-dh", "khalil-kleinfinger"
//! joints = [                  # one row per joint
//!   # name        type       alpha      a       theta  d
//!   ["waist",    "revolute", "0",       0.0,    "q",   0.0   ],
//!   ["shoulder", "revolute", "-90 deg", 0.0,    "q",   0.0   ],
//! ]
//! [body.waist]
//! mass = 10.521
//! com = [0.0, -0.054, 0.0]
//! inertia = { xx = 1.612, yy = 1.612, zz = 0.5091 }   # about the centre of mass
//! [body.shoulder]
//! mass = 0                    # a massless body needs no more
//! [joint.shoulder]             # all of it optional
//! driven = false              # no motor
//! limits = { lower = "-90 deg", upper = "45 deg", velocity = 2.0, effort = 90.0 }
//! friction = { viscous = 0.8, coulomb = 1.5, smoothing = 0.01, offset = 0.0 }
//! rotor = { inertia = 2e-4, gear = 100.0 }
//! spring = { stiffness = 40.0, rest = "10 deg" }
//! home = "30 deg"             # where it is when a closed robot is assembled first, about
//! pitch = 0.005               # of a screw, m per turn
//! branch = "+"                # its sign in the working mode of a closed robot; or "-", "any"
//! [frame.tool]
//! parent = "shoulder"
//! xyz = [0.0, 0.0, "56 mm"]
//! rpy = ["90 deg", 0.0, 0.0]
//! ```
//!
//! # Transmissions
//! Gears, belts and tendons by which several motors drive several joints ([`TransmissionDescription`](super::TransmissionDescription)):
//!
//! ```toml
//! [transmission.wrist]
//! joints = ["roll", "pitch"]
//! motors = ["left", "right"]  # or a table for each:
//! # motors = [{ name = "left", inertia = 2e-5, on = "forearm", axis = [0, 0, 1], friction = { viscous = 1e-4 } }, …]
//! matrix = [[50, 50], [50, -50]]   # a row per motor: its turns per turn of each joint
//! least = 5.0                 # optional, of tendons, one more than joints: their least tension, N
//! ```
//!
//! `inertia` is that of the rotor about its own axis, kg m². With `on`, the joint whose body carries the motor (or `base`), and
//! `axis` there the rotor has gyroscopic torques; the carrier's own inertia counts the rotor.
//!
//! # Joints
//! | `frames` | columns of a row | transform |
//! |---|---|---|
//! | `modified-dh` | name, type, alpha, a, theta, d | Rx(α) Tx(a) Rz(θ) Tz(d) |
//! | `standard-dh` | name, type, theta, d, a, alpha | Rz(θ) Tz(d) Tx(a) Rx(α) |
//! | `khalil-kleinfinger` | name, type, parent, gamma, b, alpha, d, theta, r | Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r) |
//!
//! The type of a joint is `revolute`, `prismatic`, `universal`, `cylindrical`, `planar`, `screw`, `spherical` or `free`; what they
//! move, and by how many numbers, is said at [`JointType`](super::JointType). A row of one with several degrees of freedom holds no `q`: it says
//! where the joint is with all of them at zero. A screw turns in its column θ, and slides by `pitch` of its section per turn, m.
//!
//! A joint on an axis nearly parallel to the one before it may have `e` in its section, m: a step along y after b, in
//! place of a common normal that is far away ([`KhalilKleinfinger`](crate::description::KhalilKleinfinger)).
//!
//! The column in which a joint moves holds `q`, with an offset if there is one: `"q + 90 deg"`. Numbers are SI and
//! rad; angles and lengths may be text with a unit instead. A body's `com` and `inertia` are seen from its joint's
//! frame, or from `frame = { xyz = […], rpy = […] }` on it where the section says so; in a standard table they are
//! seen from the frame the row ends in. Joints have no limits, friction, rotor or spring where left out; those of a
//! universal, cylindrical or planar joint are its last turn's. What the
//! entries mean is said at [`Limits`](super::Limits) and [`JointEffects`](super::JointEffects); `friction` may have a curve beside,
//! `square_root`, `cubic`, `asymmetric`, `stribeck` and `stribeck_speed` ([`FrictionCurve`](super::FrictionCurve)). Products of inertia are entries of the tensor,
//! xy = −∫ x y dm, and zero where left out. `gravity` is (0, 0, −9.81) m/s² where left out.
//!
//! # Closed robots
//! A parallel robot has a platform and legs that hold it. Its file describes every kind of leg once, as a chain, and says
//! where the legs are; `joints` may be left out then.
//!
//! ```toml
//! [platform]
//! mass = 25.0
//! com = [0.0, 0.0, 0.02]
//! inertia = { xx = 0.91, yy = 0.91, zz = 1.8 }
//! payload = { mass = 5.0, com = [0.0, 0.0, 0.1], inertia = { xx = 0.02, yy = 0.02, zz = 0.02 } }   # optional
//! turns = true                # optional; a platform that does not turn keeps its attitude and needs no inertia
//! home = { xyz = [0.0, 0.0, 0.75], rpy = [0.0, 0.0, 0.0] }   # where the robot is assembled first, in the base
//! freedoms = ["vz", "wx", "wy"]   # optional: the independent components of its twist, of vx vy vz wx wy wz
//! [chain.ups]                 # a kind of leg
//! joints = [                  # a table as above, in the same convention; it starts from the leg's base frame
//!   ["u1",    "revolute",  "0",      0.0, "q + 180 deg", 0.0],
//!   ["u2",    "revolute",  "90 deg", 0.0, "q + 90 deg",  0.0],
//!   ["slide", "prismatic", "90 deg", 0.0, "0",           "q"],
//! ]
//! driven = ["slide"]          # no motor drives the others
//! closing = "spherical"       # between the last body and the platform
//! end = { xyz = [0.0, 0.0, 0.1] }   # where the closing joint is on the last body; at its frame where left out
//! [chain.ups.body.u1]         # bodies as above
//! mass = 0
//! [chain.ups.joint.slide]     # joints as above, but for `driven`
//! home = 0.8
//! [leg.A1]                    # one section per leg
//! chain = "ups"               # may be left out where there is one chain
//! base = { xyz = [0.6, 0.1, 0.0], rpy = [0.0, "90 deg", 0.0] }   # the leg's base frame, in the robot's
//! platform = { xyz = [0.3, 0.1, 0.0] }   # where the closing joint is on the platform
//! home = { slide = 0.9 }      # optional: instead of what the chain says
//! branch = { slide = "+" }    # optional, likewise
//! [closure.pin]               # any other joint that closes a loop of the tree
//! joint = "revolute"
//! first = { on = "A1.u2", xyz = [0.2, 0.0, 0.0] }   # on a joint's body, "base" or "platform"
//! second = { on = "base", xyz = [0.1, 0.0, 0.0], rpy = [0.0, 0.0, 0.0] }
//! ```
//!
//! # Outputs, hybrids, parallelograms
//! ```toml
//! output = "tool"             # a frame, or the body of a joint, that moves as a platform does; --frame names another
//! [frame.tool]                # a joint of the table, or a frame, may stand on the platform
//! parent = "platform"
//! xyz = [0.0, 0.0, 0.1]
//! [part.lower]                # a further body that only legs and closing joints hold
//! mass = 4.0
//! com = [0.0, 0.0, 0.0]
//! inertia = { xx = 0.1, yy = 0.1, zz = 0.2 }
//! home = { xyz = [0.0, 0.0, 0.4] }
//! [leg.B1]
//! base = { on = "lower", xyz = [0.2, 0.0, 0.0] }       # a leg may stand on a body and hold one of a row above it
//! platform = { on = "plate", xyz = [0.1, 0.0, 0.0] }
//! [chain.ups.parallelogram.u2]   # a row that turns is two rods side by side, about z, along x at q = 0
//! length = 0.8
//! width = 0.1
//! end = { mass = 0.1, com = [0.0, 0.0, 0.0], inertia = { xx = 1e-4, yy = 1e-4, zz = 1e-4 } }   # optional: what both carry
//! ```
//!
//! Of a parallelogram `ROW`, `ROW` and `ROW.second` are the rods, both with the row's body, `ROW.end` is what they carry, and
//! `ROW.pin` closes the loop; the rows after it stand on `ROW.end`, which does not turn against what carries the rods. A part
//! stands on the base by passive joints `PART.x` … `PART.pitch` and `PART` that leave it free. How an output becomes a
//! platform is said at [`resolve`](super::resolve).
//!
//! Each leg becomes a branch of the tree: joints `LEG.JOINT`, such as `A1.slide`, then a closing joint `LEG.end` to the
//! platform, and a frame of that name on the last body. Two frames close a loop, one on either body. What may move
//! between them:
//!
//! | closing joint | free |
//! |---|---|
//! | `spherical` or `point` | any turn |
//! | `revolute` | a turn about z |
//! | `universal` | turns about x of the first frame (the leg's), then about y of the second |
//! | `cylindrical` | a turn about z and a slide along it |
//! | `prismatic` | a slide along z |
//! | `rigid` | nothing |
//!
//! [`write()`] writes the branches and what closes them, not the chains they were made from.

mod closed;
mod legs;
mod parallelogram;
pub mod reader;
pub mod sections;
mod table;
mod transmission;
mod writer;

use self::reader::Reader;
use super::name::key;
use super::{Convention, Description, Problems, STANDARD_GRAVITY, check, lint};
use ::toml::de::DeTable;

/// Syntax errors that are reported: after some, a text is not TOML at all.
const MOST_ERRORS: usize = 20;

/// Reads a robot, with the warnings about it.
///
/// # Errors
/// Every problem of the text at once, warnings included, if any of them is an error: each with its line where one
/// is known, in the order of the lines.
pub fn read(text: &str) -> Result<(Description, Problems), Problems> {
    read_and(check, text)
}

/// Everything wrong or doubtful in a robot's file, with its line where one is known: what [`read`] finds, and what
/// [`lint()`] does.
#[must_use]
pub fn inspect(text: &str) -> Problems {
    read_and(lint, text).map_or_else(|problems| problems, |(_, warnings)| warnings)
}

/// Where a file speaks of a part, for messages about the whole robot: the path of its section, and the line if one is
/// known. A closing joint of a leg is reported at the leg, a joint of a leg at its chain.
#[must_use]
pub fn locate(text: &str, section: &str, name: &str) -> (String, Option<usize>) {
    let mut reader = Reader::new(text);
    description(&mut reader, DeTable::parse_recoverable(text).0.get_ref());
    reader.notes.reported(format!("{section}.{}", key(name)))
}

/// The same of a key of the file itself.
#[must_use]
pub fn locate_key(text: &str, key: &str) -> (String, Option<usize>) {
    let mut reader = Reader::new(text);
    description(&mut reader, DeTable::parse_recoverable(text).0.get_ref());
    reader.notes.reported(key.into())
}

fn read_and(inspect: fn(&Description) -> Problems, text: &str) -> Result<(Description, Problems), Problems> {
    let mut reader = Reader::new(text);
    let (file, errors) = DeTable::parse_recoverable(text);
    let mut understood = true;
    for error in errors.iter().take(MOST_ERRORS) {
        understood &= reader.syntax_error(text, error);
    }
    if !understood {
        return Err(reader.notes.finish(Problems::default()));
    }
    let description = description(&mut reader, file.get_ref());
    reader.notes.judge(description, inspect)
}

/// Writes a robot in the layout of the files in `robots/`, so that [`read`] gives it back.
///
/// The table is in the robot's own convention, or in Khalil and Kleinfinger's if it does not fit that. Numbers come
/// back to the last bit, orientations of frames to rounding.
#[must_use]
pub fn write(description: &Description) -> String {
    writer::write(description)
}

/// What could be read of a file; the reader knows what could not.
fn description(reader: &mut Reader, file: &DeTable) -> Description {
    let known = &[
        "name",
        "frames",
        "gravity",
        "joints",
        "body",
        "joint",
        "frame",
        "platform",
        "part",
        "chain",
        "leg",
        "closure",
        "output",
        "transmission",
    ];
    let file = reader.file(file, known);
    let name = reader.require(&file, "name", "the robot's name").and_then(|node| reader.text(&node, "a name"));
    let convention = reader.require(&file, "frames", Convention::EXPECTED);
    let convention = convention.and_then(|node| reader.word(&node, Convention::EXPECTED, Convention::find));
    let gravity = reader.get(&file, "gravity").map(|node| sections::gravity(reader, &node));
    let has_legs = reader.get(&file, "leg").is_some();
    let rows = match has_legs {
        true => reader.get(&file, "joints"),
        false => reader.require(&file, "joints", "an array of rows, one per joint"),
    };
    let mut joints = rows.map_or(Vec::new(), |node| table::joints(reader, &node, convention));
    sections::bodies(reader, &file, &mut joints, convention);
    sections::actuation(reader, &file, &mut joints, sections::OF_A_JOINT);
    closed::parts(reader, &file, &mut joints);
    let frames = sections::frames(reader, &file);
    let platform = reader.get(&file, "platform").and_then(|node| closed::platform(reader, &node));
    let closures = closed::closures(reader, &file);
    let output = reader.get(&file, "output").and_then(|node| reader.text(&node, "the name of a frame or a joint"));
    // The rows of all legs and parts together are a tree.
    let is_tree = has_legs || reader.get(&file, "part").is_some();
    let kept = if is_tree { Some(Convention::KhalilKleinfinger) } else { convention };
    let mut description = Description {
        name: name.unwrap_or_default().into(),
        gravity: gravity.unwrap_or(STANDARD_GRAVITY),
        joints,
        frames,
        platform,
        closures,
        output: output.map(Into::into),
        transmissions: transmission::transmissions(reader, &file),
        convention: kept.unwrap_or_default(),
    };
    legs::legs(reader, &file, convention, &mut description);
    description
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Finding, Friction, JointEffects, Limits, Rotor, Severity, Spring};
    use crate::spatial::{Mat3, Vec3};
    use proptest::prelude::*;

    /// The sketch of the design, two joints and one body.
    const SKETCH: &str = r#"name = "PUMA 560"
frames = "modified-dh"                  # or "standard-dh", "khalil-kleinfinger"
joints = [                              # one row per joint, as printed
  # name        type       alpha      a       theta  d
  ["waist",    "revolute", "0",       0.0,    "q",   0.0   ],
  ["shoulder", "revolute", "-90 deg", 0.0,    "q",   0.0   ],
]
[body.waist]
mass = 10.521
com = [0.0, -0.054, 0.0]
inertia = { xx = 1.612, yy = 1.612, zz = 0.5091 }   # about the centre of mass
"#;

    /// A sound robot; line 12 of the file is the first of what `add` adds.
    fn robot(add: &str) -> String {
        format!("{SKETCH}{add}\n[body.shoulder]\nmass = 0\n")
    }

    /// Line, place and message of every problem.
    fn problems(text: &str) -> Vec<(usize, String, String)> {
        let problems = read(text).map_or_else(|problems| problems, |(_, warnings)| warnings);
        let told = problems.iter().map(|p| (p.line.unwrap_or(0), p.place.clone(), p.finding.to_string()));
        told.collect()
    }

    /// Asserts that there is one problem, with this line, place and beginning of the message.
    fn assert_one(text: &str, line: usize, place: &str, message: &str) {
        match &problems(text)[..] {
            [(l, p, m)] if *l == line && p == place && m.starts_with(message) => {}
            found => panic!("expected line {line}: {place}: {message}\nfound {found:#?}\nin {text}"),
        }
    }

    #[test]
    fn the_sketch_is_read() {
        let (robot, warnings) = read(&robot("")).unwrap();
        assert!(warnings.is_empty());
        assert_eq!((robot.name.as_str(), robot.gravity), ("PUMA 560", STANDARD_GRAVITY));
        assert_eq!(robot.joints[0].body.com, Vec3::new(0.0, -0.054, 0.0));
        assert_eq!(robot.joints[1].placement.alpha, -core::f64::consts::FRAC_PI_2);
        assert_one(SKETCH, 6, "body.shoulder", "is missing");
    }

    #[test]
    fn sections_say_more() {
        let text = robot(
            "[joint.waist]\ndriven = false\n[frame.z]\nparent = 'base'\n\
             [frame.tool]\nparent = 'waist'\nxyz = [0, 0, '56 mm']\nrpy = ['90 deg', 0, 'pi/2']",
        );
        let (robot, _) = read(&text).unwrap();
        assert_eq!((robot.joints[0].driven, robot.joints[1].driven), (false, true));
        let [z, tool] = &robot.frames[..] else { panic!("{:?}", robot.frames) };
        assert_eq!((z.name.as_str(), &z.parent), ("z", &None));
        assert_eq!((tool.parent.as_deref(), tool.pose.position), (Some("waist"), Vec3::new(0.0, 0.0, 0.056)));
        let expected = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(tool.pose.rotation, Mat3::from_rows(expected.map(Vec3::from)));
    }

    #[test]
    fn joints_have_limits_and_effects() {
        let text = robot(
            "[joint.waist]\nlimits = { lower = '-90 deg', upper = inf, velocity = 2 }\n\
             friction = { viscous = 0.5, offset = -1 }\nrotor = { inertia = 1e-4, gear = 100 }\n\
             spring = { stiffness = 3, rest = 'pi/4' }\n[joint.shoulder]\nlimits = { effort = 30.0 }",
        );
        let joints = read(&text).unwrap().0.joints;
        let none = Limits::default();
        assert_eq!(joints[0].limits, Limits { lower: -core::f64::consts::FRAC_PI_2, velocity: 2.0, ..none });
        assert_eq!(joints[1].limits, Limits { effort: 30.0, ..none });
        let expected = JointEffects {
            friction: Friction { viscous: 0.5, offset: -1.0, ..Friction::default() },
            rotor: Rotor { inertia: 1e-4, gear: 100.0 },
            spring: Spring { stiffness: 3.0, rest: core::f64::consts::FRAC_PI_4 },
        };
        assert_eq!((joints[0].effects, joints[1].effects), (expected, JointEffects::default()));
    }

    #[test]
    fn bodies_may_have_frames_of_their_own() {
        let text = robot("").replace("mass = 0\n", "mass = 0\nframe = { xyz = [0.1, 0, 0], rpy = ['90 deg', 0, 0] }\n");
        let frame = read(&text).unwrap().0.joints[1].link_frame;
        assert_eq!(frame.point(Vec3::new(0.0, 0.0, 2.0)), Vec3::new(0.1, -2.0, 0.0));
        let standard = text.replace("modified-dh", "standard-dh");
        let standard = standard.replace(r#""0",       0.0,    "q",   0.0"#, r#""q", 0, 0, 0"#);
        let standard = standard.replace(r#""-90 deg", 0.0,    "q",   0.0"#, r#""q", 0, 0, 0"#);
        assert_one(&standard, 15, "body.shoulder.frame", "a standard DH table places the frames");
    }

    #[test]
    fn each_problem_of_the_table_is_found() {
        for (from, to, line, place, message) in [
            ("name = \"PUMA 560\"", "", 0, "name", "is missing"),
            ("\"modified-dh\"", "\"dh\"", 2, "frames", "`dh` is not \"modified-dh\""),
            ("\"waist\",", "7,", 5, "joints[1].name", "is 7; expected a name"),
            ("\"revolute\", \"0\"", "\"turning\", \"0\"", 5, "joints.waist.type", "`turning` is not"),
            ("\"-90 deg\"", "\"-90 mm\"", 6, "joints.shoulder.alpha", "`-90 mm` is not an angle"),
            ("\"-90 deg\"", "\"q\"", 6, "joints.shoulder.alpha", "\"q\" contains q, but a revolute joint moves in"),
            ("\"-90 deg\"", "nan", 6, "joints.shoulder.alpha", "is NaN"),
            ("\"-90 deg\"", "\"1/0\"", 6, "joints.shoulder.alpha", "is inf"),
            ("\"-90 deg\", 0.0", "\"-90 deg\", true", 6, "joints.shoulder.a", "is true; expected a length"),
            ("\"q\"", "0.5", 5, "joints.waist.theta", "a revolute joint moves here"),
            (", 0.0,    \"q\"", ", \"q\"", 6, "joints.shoulder", "has 5 entries; expected 6: name, type, alpha"),
            ("mass = 10.521", "mass = -1", 9, "body.waist.mass", "is -1 kg"),
            ("mass = 10.521", "mass = inf", 9, "body.waist.mass", "is inf"),
            ("mass = 10.521\n", "", 8, "body.waist.mass", "is missing"),
            ("mass = 10.521", "mass = '1 kg'", 9, "body.waist.mass", "is \"1 kg\"; expected a number"),
            ("com = [0.0, -0.054, 0.0]", "com = [0.0, 1]", 10, "body.waist.com", "has 2 entries; expected 3"),
            ("-0.054", "'5 deg'", 10, "body.waist.com[2]", "`5 deg` is not a length"),
            ("-0.054", "'q'", 10, "body.waist.com[2]", "`q` is not a length"),
            ("com = [0.0, -0.054, 0.0]", "", 8, "body.waist.com", "is missing"),
            ("yy = 1.612, ", "", 11, "body.waist.inertia.yy", "is missing"),
            ("yy = 1.612", "yy = 1.612, yx = 0", 11, "body.waist.inertia.yx", "is not known here; known keys are xx"),
            ("yy = 1.612", "yy = -1", 11, "body.waist.inertia", "the principal moment -1"),
            ("yy = 1.612", "yy = 9", 11, "body.waist.inertia", "the principal moments"),
            ("mass = 10.521", "mass = 0", 11, "body.waist.inertia", "the body has inertia but no mass"),
        ] {
            assert_one(&robot("").replacen(from, to, 1), line, place, message);
        }
    }

    #[test]
    fn each_problem_of_a_section_is_found() {
        for (add, line, place, message) in [
            ("[bodies.x]", 12, "bodies", "is not known here; known keys are name, frames"),
            ("[body.knee]\nmass = 0", 12, "body.knee", "there is no joint `knee`"),
            ("[joint.knee]", 12, "joint.knee", "there is no joint `knee`"),
            ("[joint.waist]\ndriven = 1", 13, "joint.waist.driven", "is 1; expected true or false"),
            ("[joint]\nwaist = 1", 13, "joint.waist", "is 1; expected a table"),
            ("[frame.tool]", 12, "frame.tool.parent", "is missing"),
            ("[frame.tool]\nparent = 'knee'", 13, "frame.tool.parent", "there is no joint `knee`"),
            ("[frame.tool]\nparent = 7", 13, "frame.tool.parent", "is 7; expected the name"),
            ("[frame.tool]\nparent = 'base'\nrpy = ['1 m', 0, 0]", 14, "frame.tool.rpy[1]", "`1 m` is not an angle"),
            ("[frame.tool]\nparent = 'base'\nxyz = 1979-05-27", 14, "frame.tool.xyz", "is a date; expected an array"),
            ("[frame.waist]\nparent = 'base'", 12, "frame.waist", "the name `waist` is taken already by joint 1"),
            ("[frame.'a,b']\nparent = 'base'", 12, "frame.\"a,b\"", "the name \"a,b\" holds ','"),
            ("[frame.''\nparent = 'base'", 12, "file", "is not TOML"),
        ] {
            assert_one(&robot(add), line, place, message);
        }
        assert_one(&format!("gravity = [0, 0]\n{}", robot("")), 1, "gravity", "has 2 entries");
    }

    #[test]
    fn bodies_may_be_arcs() {
        let with = |body: &str| format!("{SKETCH}[body.shoulder]\n{body}\n");
        let arc = |numbers: &str| with(&format!("arc = {{ {numbers} }}"));
        let (robot, warnings) = read(&arc("radius = '100 mm', line_density = 1.5, angle = '90 deg'")).unwrap();
        assert!(warnings.is_empty(), "{warnings}");
        let body = robot.joints[1].body;
        assert!((body.mass - 0.075 * core::f64::consts::PI).abs() < 1e-15 && body.com.z > 0.0, "{body:?}");
        for (text, place, told) in [
            (arc("radius = -0.1, line_density = 1, angle = 1"), "arc", "is not an arc: radius -0.1 m"),
            (arc("radius = 0.1, line_density = 1, angle = 7"), "arc", "is not an arc: radius 0.1 m, line density 1"),
            (arc("radius = 0.1, angle = 1"), "arc.line_density", "is missing; expected a number, kg/m"),
            (arc("radius = 0.1, line_density = nan, angle = 1"), "arc.line_density", "is NaN; expected a finite"),
            (arc("radius = 1, line_density = 1, angle = 1, m = 2"), "arc.m", "is not known here; known keys are r"),
            (with("arc = 3"), "arc", "is 3; expected a table"),
            (
                with("mass = 1\narc = { radius = 1, line_density = 1, angle = 1 }"),
                "mass",
                "is not known here; known keys are a",
            ),
        ] {
            assert_one(&text, 13, &format!("body.shoulder.{place}"), told);
        }
    }

    #[test]
    fn each_problem_of_a_joint_is_found() {
        for (line, key, message) in [
            ("limits = { lower = 2, upper = 1 }", "limits", "lower, 2, is above upper, 1"),
            ("limits = { lower = '1 mm' }", "limits.lower", "`1 mm` is not an angle"),
            ("limits = { lower = nan }", "limits.lower", "is NaN; expected a number, or inf"),
            ("limits = { effort = -1 }", "limits.effort", "is -1; expected zero or"),
            ("friction = { dry = 1 }", "friction.dry", "is not known here; known keys are viscous"),
            ("friction = { stribeck = 1 }", "friction.stribeck_speed", "is 0; expected a positive number"),
            (
                "friction = { coulomb = 1, stribeck = -2, stribeck_speed = 1 }",
                "friction.stribeck",
                "with `coulomb` it is -1 at",
            ),
            ("friction = { coulomb = -1 }", "friction.coulomb", "is -1; expected zero or"),
            ("rotor = { inertia = inf }", "rotor.inertia", "is inf; expected a finite"),
            ("spring = { rest = 'q' }", "spring.rest", "`q` is not an angle"),
            ("spring = 3", "spring", "is 3; expected a table"),
        ] {
            assert_one(&robot(&format!("[joint.waist]\n{line}")), 13, &format!("joint.waist.{key}"), message);
        }
    }

    #[test]
    fn problems_of_names_know_their_rows() {
        let text = robot("").replace("\"shoulder\",", "\"waist\",").replace("body.shoulder", "body.'up, down'");
        let found = problems(&text);
        assert_eq!(found[0].0, 6);
        assert_eq!(found[0].1, "joints[2].name");
        assert!(found[0].2.contains("taken already by joint 1"));
        assert_eq!((found[1].0, found[1].1.as_str()), (13, "body.\"up, down\""));
        assert_one(&robot("").replace("waist", "base"), 5, "joints[1].name", "the name `base` is reserved");
        assert_one("name = ''\nframes = 'modified-dh'\njoints = []", 3, "joints", "the robot has no joint");
    }

    #[test]
    fn parents_are_looked_up_in_the_table() {
        let text = |parent: &str| {
            format!(
                "name = 'x'\nframes = 'khalil-kleinfinger'\njoints = [\n['a', 'revolute', '{parent}', 0, 0, 0, 0, 'q', 0],\n\
                 ['b', 'revolute', 'a', 0, 0, 0, 0, 'q', 0],\n]\nbody.a.mass = 0\nbody.b.mass = 0"
            )
        };
        assert_eq!(problems(&text("base")), []);
        assert_one(&text("knee"), 4, "joints.a.parent", "there is no joint `knee`");
        assert_one(&text("b"), 4, "joints.a.parent", "hangs on `b`, which stands later");
        assert_one(&text("a"), 4, "joints.a.parent", "hangs on itself");
    }

    #[test]
    fn all_problems_are_told_at_once_in_the_order_of_lines() {
        let text = r#"frames = "modified-dh"
colour = "red"
joints = [
  ["a", "revolute", "0 mm", 0.0, 0.0, "q"],
  ["b", "sliding", "0", 0.0, 0.0],
  "c",
]
[body.b]
mass = -1
com = [0, 0, 0]
inertia = { xx = 1, yy = 1, zz = 5 }
[frame.tool]
parent = "d"
"#;
        let found = problems(text);
        let places: Vec<(usize, &str)> = found.iter().map(|(line, place, _)| (*line, place.as_str())).collect();
        let expected = [
            (0, "name"),
            (2, "colour"),
            (4, "joints.a.alpha"),
            (4, "joints.a.theta"),
            (4, "joints.a.d"),
            (4, "body.a"),
            (5, "joints.b.type"),
            (5, "joints.b"),
            (6, "joints[3]"),
            (9, "body.b.mass"),
            (11, "body.b.inertia"),
            (13, "frame.tool.parent"),
        ];
        assert_eq!(places, expected, "{found:#?}");
    }

    #[test]
    fn doubtful_bodies_are_read_with_a_warning() {
        let (_, warnings) = read(&robot("").replace("zz = 0.5091", "zz = 5")).unwrap();
        let warnings: Vec<_> = warnings.iter().collect();
        assert_eq!((warnings.len(), warnings[0].line, warnings[0].severity), (1, Some(11), Severity::Warning));
        assert!(matches!(warnings[0].finding, Finding::TriangleInequality { .. }));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC*", bytes in any::<Vec<u8>>()) {
            let _ = read(&text);
            let _ = read(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn a_damaged_file_is_read_without_panic(
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..9usize, "[-\\[\\]{}=.,\"'#\n 0-9a-zπ]{0,4}"), 1..5),
        ) {
            let add = "[frame.tool]\nparent = 'waist'\nrpy = ['pi/2', 0, 0]\n[platform]\nmass = 0\nfreedoms = ['vx']\n\
                       [chain.c]\njoints = [['a', 'revolute', 0, 0, 'q', 0]]\ndriven = ['a']\nclosing = 'point'\n\
                       body.a.mass = 0\n[leg.l]\nbase = { xyz = [1, 0, 0] }\nhome = { a = 1 }\n[closure.c]\n\
                       joint = 'rigid'\nfirst = { on = 'waist' }\nsecond = { on = 'platform' }";
            let mut text: Vec<char> = robot(add).chars().collect();
            for (at, cut, paste) in edits {
                let at = at.index(text.len());
                let end = text.len().min(at + cut);
                text.splice(at..end, paste.chars());
            }
            if let Ok((robot, _)) = read(&text.into_iter().collect::<String>()) {
                prop_assert_eq!(check(&robot).errors(), 0);
            }
        }
    }
}
