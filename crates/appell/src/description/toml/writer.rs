//! A description as a file: the way back of the reader, in the layout of `robots/`.

mod closed;
mod transmission;

use crate::description::name::{key, quoted};
use crate::description::quantity::{self, Dimension, write_number as number};
use crate::description::{
    BASE, BodyDescription, Branch, Convention, Description, Friction, JointDescription, JointEffects, Limits,
    STANDARD_GRAVITY,
};
use crate::spatial::{Pose, Vec3};

/// Where a line is too long for an inline table.
const WIDTH: usize = 110;

pub(super) fn write(description: &Description) -> String {
    let (convention, rows) = description.table();
    let mut text = format!("name = {}\nframes = {}\n", quoted(&description.name), quoted(convention.name()));
    if description.gravity != STANDARD_GRAVITY {
        text += &format!("gravity = {}\n", vector(description.gravity, number));
    }
    if let Some(output) = &description.output {
        text += &format!("output = {}\n", quoted(output));
    }
    let rows = description.joints.iter().zip(rows).map(|(joint, row)| {
        let cells = convention.written_cells(joint.kind, row).map(value);
        convention.leading_cells(joint).map(quoted).chain(cells).collect()
    });
    text += &table(convention, &rows.collect::<Vec<_>>());
    for joint in &description.joints {
        let section = format!("body.{}", key(&joint.name));
        text += &format!("\n[{section}]\n{}", body(&section, &joint.body, frame_of(joint, convention)));
    }
    for joint in &description.joints {
        let section = actuation(joint);
        if !section.is_empty() {
            text += &format!("\n[joint.{}]\n{section}", key(&joint.name));
        }
    }
    for frame in &description.frames {
        let parent = quoted(frame.parent.as_deref().unwrap_or(BASE));
        let pose = pose(&frame.pose).map(|(key, value)| format!("{key} = {value}\n")).collect::<String>();
        text += &format!("\n[frame.{}]\nparent = {parent}\n{pose}", key(&frame.name));
    }
    text + &transmission::write(description) + &closed::write(description)
}

/// The rows under their headings, in columns as wide as their widest cell.
fn table(convention: Convention, rows: &[Vec<String>]) -> String {
    let headings = convention.leading().iter().copied().chain(convention.columns().iter().map(|column| column.name));
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len))
        .zip(headings.clone())
        .map(|(k, heading)| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0).max(heading.len()))
        .collect();
    let mut text = String::from("joints = [\n");
    let header: String = headings.zip(&widths).map(|(heading, width)| format!("{heading:<0$}", width + 2)).collect();
    text += &format!("  # {}\n", header.trim_end());
    for row in rows {
        let mut cells = row.iter().zip(&widths).peekable();
        text += "  [";
        while let Some((cell, width)) = cells.next() {
            text += &match cells.peek() {
                Some(_) => format!("{:<1$}", format!("{cell},"), width + 2),
                None => format!("{cell:<width$}],\n"),
            };
        }
    }
    text + "]\n"
}

/// Where a body's own frame is, if a section is to say so.
fn frame_of(joint: &JointDescription, convention: Convention) -> Option<&Pose<f64>> {
    let is_told = joint.link_frame != Pose::identity(0.0) && convention != Convention::StandardDh;
    is_told.then_some(&joint.link_frame)
}

/// A body with its own frame, in a section of this name.
fn body(section: &str, body: &BodyDescription, frame: Option<&Pose<f64>>) -> String {
    let mut text = format!("mass = {}\n", number(body.mass));
    text += &frame.map_or(String::new(), |frame| line("frame", pose(frame)));
    let (com, i) = (body.com, body.inertia);
    let moments = [("xx", i.xx), ("yy", i.yy), ("zz", i.zz)];
    let products = [("xy", i.xy), ("xz", i.xz), ("yz", i.yz)].into_iter().filter(|(_, product)| *product != 0.0);
    let entries = moments.into_iter().chain(products).map(|(entry, x)| (entry, number(x)));
    let inertia = line("inertia", entries.clone());
    let massless = body.mass == 0.0;
    if !massless || com != Vec3::default() {
        text += &format!("com = {}\n", vector(com, number));
    }
    if !massless || body.inertia != Default::default() {
        text += &if inertia.len() <= WIDTH {
            inertia
        } else {
            let entries: String = entries.map(|(entry, x)| format!("{entry} = {x}\n")).collect();
            format!("\n[{section}.inertia]\n{entries}")
        };
    }
    text
}

/// What a joint's section says, which is nothing for a driven joint without limits and effects. Who follows has no motor, unless
/// it says so.
fn actuation(joint: &JointDescription) -> String {
    let dimension = joint.kind.last().pick(Dimension::Angle, Dimension::Length);
    let position = |key, x: f64, left_out: f64| quantity_unless(key, x, left_out, dimension);
    let JointEffects { friction: own, rotor, spring } = joint.effects;
    let rotor = [plain("inertia", rotor.inertia, 0.0), plain("gear", rotor.gear, 1.0)];
    let spring = [plain("stiffness", spring.stiffness, 0.0), position("rest", spring.rest, 0.0)];
    let is_usual = joint.driven == joint.mimic.is_none();
    let mut text = if is_usual { String::new() } else { format!("driven = {}\n", joint.driven) };
    text += &line("limits", limits(&joint.limits, dimension));
    text += &line("friction", friction(&own));
    text += &line("rotor", rotor.into_iter().flatten());
    text += &line("spring", spring.into_iter().flatten());
    if let Some(mimic) = &joint.mimic {
        let leaders = match mimic.single() {
            Some((joint, multiplier)) => vec![("joint", quoted(joint))]
                .into_iter()
                .chain(plain("multiplier", multiplier, 1.0))
                .collect::<Vec<_>>(),
            None => {
                let ratios = mimic.joints.iter().map(|(name, ratio)| format!("{} = {}", key(name), number(*ratio)));
                vec![("joints", format!("{{ {} }}", ratios.collect::<Vec<_>>().join(", ")))]
            }
        };
        text += &line("mimic", leaders.into_iter().chain(position("offset", mimic.offset, 0.0)));
    }
    if joint.home != 0.0 {
        text += &format!("home = {}\n", value(quantity::write_constant(joint.home, dimension)));
    }
    if joint.branch != Branch::Any {
        text += &format!("branch = {}\n", quoted(joint.branch.name()));
    }
    if joint.placement.e != 0.0 {
        text += &format!("e = {}\n", number(joint.placement.e));
    }
    if joint.pitch != 0.0 {
        text += &format!("pitch = {}\n", number(joint.pitch));
    }
    text
}

/// Entries of limits, but for those that there are not.
fn limits(limits: &Limits, dimension: Dimension) -> impl Iterator<Item = (&'static str, String)> {
    let limits = [
        quantity_unless("lower", limits.lower, f64::NEG_INFINITY, dimension),
        quantity_unless("upper", limits.upper, f64::INFINITY, dimension),
        plain("velocity", limits.velocity, f64::INFINITY),
        plain("effort", limits.effort, f64::INFINITY),
    ];
    limits.into_iter().flatten()
}

/// Entries of friction, but for zeros.
fn friction(friction: &Friction) -> impl Iterator<Item = (&'static str, String)> {
    let curve = friction.curve.unwrap_or_default();
    let friction = [
        plain("viscous", friction.viscous, 0.0),
        plain("coulomb", friction.coulomb, 0.0),
        plain("smoothing", friction.smoothing, 0.0),
        plain("offset", friction.offset, 0.0),
        plain("square_root", curve.square_root, 0.0),
        plain("cubic", curve.cubic, 0.0),
        plain("asymmetric", curve.asymmetric, 0.0),
        plain("stribeck", curve.stribeck, 0.0),
        plain("stribeck_speed", curve.stribeck_speed, 0.0),
    ];
    friction.into_iter().flatten()
}

/// An entry, unless it is what it would be if it were left out.
fn plain(key: &'static str, x: f64, left_out: f64) -> Option<(&'static str, String)> {
    (x != left_out).then(|| (key, number(x)))
}

/// The same of an angle or a length.
fn quantity_unless(key: &'static str, x: f64, left_out: f64, dimension: Dimension) -> Option<(&'static str, String)> {
    (x != left_out).then(|| (key, value(quantity::write_constant(x, dimension))))
}

/// `key = { entry = value, … }`, or nothing where there is no entry.
fn line<'e>(key: &str, entries: impl Iterator<Item = (&'e str, String)>) -> String {
    let entries: Vec<String> = entries.map(|(entry, value)| format!("{entry} = {value}")).collect();
    if entries.is_empty() { String::new() } else { format!("{key} = {{ {} }}\n", entries.join(", ")) }
}

/// Where a frame is; nothing of what is zero.
fn pose(pose: &Pose<f64>) -> impl Iterator<Item = (&'static str, String)> {
    let angle = |x| value(quantity::write_constant(in_degrees_if_close(x), Dimension::Angle));
    let (xyz, rpy) = (pose.position, pose.rotation.to_roll_pitch_yaw());
    let xyz = (xyz != Vec3::default()).then(|| ("xyz", vector(xyz, number)));
    let rpy = (rpy != Vec3::default()).then(|| ("rpy", vector(rpy, angle)));
    xyz.into_iter().chain(rpy)
}

/// An angle found from a matrix has lost its last bits: whole degrees are what the user meant.
fn in_degrees_if_close(angle: f64) -> f64 {
    let degrees = angle.to_degrees().round();
    let simple = degrees / 180.0 * core::f64::consts::PI;
    if (simple - angle).abs() <= 4.0 * f64::EPSILON { simple } else { angle }
}

fn vector(v: Vec3<f64>, write: impl Fn(f64) -> String) -> String {
    format!("[{}]", v.to_array().map(write).join(", "))
}

/// A quantity as a value of TOML: a plain number, or text.
fn value(quantity: String) -> String {
    if quantity.parse::<f64>().is_ok() { quantity } else { quoted(&quantity) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::toml::read;
    use crate::description::{FrameDescription, FrictionCurve, Mimic, Rotor, Spring};
    use crate::robots;
    use crate::sample::{Sampler, Shape};
    use crate::spatial::Mat3;

    /// The robot that comes back from its file.
    #[track_caller]
    fn written_and_read(description: &Description) -> Description {
        let text = write(description);
        read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}")).0
    }

    #[test]
    fn the_table_is_laid_out_for_reading() {
        let text = write(&read(robots::find("stanford").unwrap().toml).unwrap().0);
        let expected = r#"name = "Stanford arm"
frames = "standard-dh"
joints = [
  # name           type         theta  d      a    alpha
  ["waist",       "revolute",  "q",   0.412, 0.0, "-90 deg"],
  ["shoulder",    "revolute",  "q",   0.154, 0.0, "90 deg" ],
  ["boom",        "prismatic", 0.0,   "q",   0.0, 0.0      ],
"#;
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn random_robots_come_back() {
        for seed in 0..50 {
            let mut sampler = Sampler::new(seed);
            for shape in [Shape::Chain, Shape::Tree] {
                let description = sampler.description(7, shape);
                assert_eq!(written_and_read(&description), description, "seed {seed}");
            }
        }
    }

    /// A tree that says everything there is to say.
    fn talkative() -> Description {
        let mut robot = Sampler::new(1).description(4, Shape::Tree);
        robot.name = "a \"robot\" of \\ two words".into();
        robot.gravity = Vec3::new(0.0, -1.62, 0.0);
        robot.joints[0].name = "größe 1".into();
        robot.joints.iter_mut().skip(1).for_each(|joint| joint.parent = Some("größe 1".into()));
        robot.joints[1].driven = false;
        robot.joints[1].limits = Limits { lower: -1.0, upper: 0.5, velocity: 2.0, effort: 30.0 };
        robot.joints[2].limits.upper = 0.1;
        robot.joints[2].effects = JointEffects {
            friction: Friction {
                viscous: 0.1,
                coulomb: 0.2,
                smoothing: 1e-3,
                offset: -0.3,
                curve: Some(FrictionCurve {
                    square_root: 0.4,
                    cubic: -0.5,
                    asymmetric: 0.06,
                    stribeck: 0.7,
                    stribeck_speed: 0.08,
                }),
            },
            rotor: Rotor { inertia: 1e-5, gear: -80.0 },
            spring: Spring { stiffness: 3.0, rest: 1.5 },
        };
        robot.joints[2].mimic = Some(Mimic::new("größe 1", -2.0, 0.5));
        let joints = [1, 0].map(|leader| (robot.joints[leader].name.clone(), 0.5)).to_vec();
        robot.joints[3].mimic = Some(Mimic { joints, offset: 0.0 });
        robot.joints[3].body = Default::default();
        robot.frames = vec![FrameDescription {
            name: "a tool".into(),
            parent: Some("größe 1".into()),
            pose: Pose { position: Vec3::new(0.0, 0.1, 1e-9), ..Pose::identity(0.0) },
        }];
        robot
    }

    #[test]
    fn everything_comes_back() {
        let robot = talkative();
        assert_eq!(written_and_read(&robot), robot);
    }

    #[test]
    fn orientations_come_back_to_rounding() {
        let mut robot = talkative();
        robot.joints[1].link_frame.rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.3, -0.8, 2.9));
        robot.joints[2].link_frame.rotation = Mat3::from_roll_pitch_yaw(Vec3::new(0.0, 30_f64.to_radians(), 0.0));
        assert!(write(&robot).contains("frame = { rpy = [0.0, \"30 deg\", 0.0] }"), "{}", write(&robot));
        let mut back = written_and_read(&robot);
        for (joint, back) in robot.joints.iter().zip(&mut back.joints) {
            let difference = joint.link_frame.rotation - back.link_frame.rotation;
            assert!(difference.rows.iter().all(|row| row.norm() < 1e-15), "{difference:?}");
            back.link_frame = joint.link_frame;
        }
        assert_eq!(back, robot);
    }

    #[test]
    fn a_table_that_was_changed_falls_back_to_khalil_and_kleinfinger() {
        for convention in [Convention::ModifiedDh, Convention::StandardDh] {
            let mut robot = Description { convention, ..Sampler::new(2).description(3, Shape::Chain) };
            robot.joints[1].placement.gamma = 0.2;
            let back = written_and_read(&robot);
            assert_eq!(back.convention, Convention::KhalilKleinfinger);
            assert_eq!(back.joints, robot.joints);
        }
    }
}
