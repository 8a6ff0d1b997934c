//! `appell show`: a robot as the program understands it.

use crate::listing::{Listing, counted, short, short_vector};
use crate::robot::{self, Robot};
use appell::description::{BASE, Description, JointDescription, Quantity};
use appell::question::{Input, Question, methods};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Show a robot: its joints, bodies and frames, and what can be asked of it.
///
/// Joints are rows of a table in the convention the robot is written in. Angles are in rad, lengths in m, masses in
/// kg, inertias in kg m² about the centre of mass in axes parallel to the body's frame.
#[derive(clap::Args)]
#[command(after_help = "Example: appell show stanford")]
pub(crate) struct Args {
    /// A built-in robot's name, or the path of a robot's file
    robot: PathBuf,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = robot::load(&args.robot)?;
    if json {
        writeln!(out, "{:#}", as_json(&robot))?;
    } else {
        write(&robot, out)?;
    }
    Ok(true)
}

fn write(robot: &Robot, out: &mut dyn Write) -> io::Result<()> {
    let Robot { description, mechanism } = robot;
    let driven = description.joints.iter().filter(|joint| joint.driven).count();
    writeln!(out, "{}", description.name)?;
    writeln!(out, "  {}, {driven} driven", counted(description.joints.len(), "joint"))?;
    writeln!(out, "  mass {} kg", short(mechanism.mass()))?;
    writeln!(out, "  gravity {} m/s²", short_vector(description.gravity.to_array()))?;
    joints(description, out)?;
    writeln!(out, "\nBodies: kg, m, kg m²; inertia about the centre of mass, in the body's frame")?;
    bodies(&description.joints).write(out)?;
    writeln!(out, "\nFrames, seen from the joint's frame of the body they are on; m")?;
    frames(robot).write(out)?;
    writeln!(out, "\nQuestions and methods, the default first")?;
    questions().write(out)
}

/// The joints as rows of the table that the user knows.
fn joints(description: &Description, out: &mut dyn Write) -> io::Result<()> {
    let (convention, rows) = description.table();
    let columns: Vec<String> = convention.columns().iter().map(|column| format!(">{}", column.symbol)).collect();
    let leading = [">", "name", "type", "parent"].into_iter();
    let mut listing = Listing::new(leading.chain(columns.iter().map(String::as_str)).chain(["driven"]));
    for ((joint, row), number) in description.joints.iter().zip(rows).zip(1..) {
        let number = format!("{number}");
        let leading = [&number, &joint.name, joint.kind.name(), parent(joint.parent.as_deref())].map(str::to_owned);
        let driven = if joint.driven { "yes" } else { "no" };
        listing.push(leading.into_iter().chain(convention.cells(joint.kind, row).map(cell)).chain([driven.into()]));
    }
    writeln!(out, "\nJoints, {}; rad, m", convention.title())?;
    listing.write(out)
}

fn bodies(joints: &[JointDescription]) -> Listing {
    let mut listing = Listing::new(["name", ">mass", "centre of mass", ">xx", ">yy", ">zz", ">xy", ">xz", ">yz"]);
    for JointDescription { name, body, .. } in joints {
        let i = body.inertia;
        let moments = [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz].map(short);
        listing.push([name.clone(), short(body.mass), short_vector(body.com.to_array())].into_iter().chain(moments));
    }
    listing
}

fn frames(robot: &Robot) -> Listing {
    let mut listing = Listing::new(["name", "on", "origin", "x axis", "z axis"]);
    for frame in robot.mechanism.frames() {
        let on = frame.body.map(|body| robot.mechanism.joint_names()[body].as_str());
        let pose = frame.body_from_frame;
        let vectors = [pose.position, pose.rotation.column(0), pose.rotation.column(2)];
        let vectors = vectors.map(|vector| short_vector(vector.to_array()));
        listing.push([frame.name.clone(), parent(on).into()].into_iter().chain(vectors));
    }
    listing
}

fn questions() -> Listing {
    let mut listing = Listing::new(["question", "reads", "methods"]);
    for question in Question::ALL {
        let inputs = question.inputs().iter().copied().map(Input::symbol).collect::<Vec<_>>().join(" ");
        let mut methods = methods(question).map(|method| method.name.to_owned());
        listing.push([question.name().into(), inputs, methods.next().unwrap_or_default()]);
        methods.for_each(|method| listing.push([String::new(), String::new(), method]));
    }
    listing
}

/// A number of the table; where the joint moves, q and what is added to it.
fn cell(Quantity { constant, moves }: Quantity) -> String {
    match moves {
        false => short(constant),
        true if constant < 0.0 => format!("q - {}", short(-constant)),
        true if constant > 0.0 => format!("q + {}", short(constant)),
        true => "q".into(),
    }
}

fn parent(joint: Option<&str>) -> &str {
    joint.unwrap_or(BASE)
}

/// The same in full precision; poses are twelve numbers, the rotation row by row, then the position.
fn as_json(Robot { description, mechanism }: &Robot) -> Value {
    let joint = |joint: &JointDescription| {
        let (p, body, i) = (joint.placement, joint.body, joint.body.inertia);
        json!({
            "name": joint.name,
            "type": joint.kind.name(),
            "parent": parent(joint.parent.as_deref()),
            "placement": { "gamma": p.gamma, "b": p.b, "e": p.e, "alpha": p.alpha, "d": p.d, "theta": p.theta, "r": p.r },
            "driven": joint.driven,
            "body": {
                "mass": body.mass,
                "com": body.com.to_array(),
                "inertia": { "xx": i.xx, "yy": i.yy, "zz": i.zz, "xy": i.xy, "xz": i.xz, "yz": i.yz },
            },
        })
    };
    let frame = |frame: &appell::mechanism::Frame| {
        let on = frame.body.map(|body| mechanism.joint_names()[body].as_str());
        json!({ "name": frame.name, "on": parent(on), "pose": frame.body_from_frame.to_array() })
    };
    let question = |question: Question| {
        json!({
            "name": question.name(),
            "summary": question.summary(),
            "reads": question.inputs().iter().copied().map(Input::symbol).collect::<Vec<_>>(),
            "answers": question.columns(mechanism),
            "methods": methods(question).map(|method| method.name).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": description.name,
        "mass": mechanism.mass(),
        "gravity": description.gravity.to_array(),
        "convention": description.convention.name(),
        "joints": description.joints.iter().map(joint).collect::<Value>(),
        "frames": mechanism.frames().iter().map(frame).collect::<Value>(),
        "questions": Question::ALL.into_iter().map(question).collect::<Value>(),
    })
}
