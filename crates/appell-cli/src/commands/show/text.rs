//! A robot in words and tables.

use super::{Shown, driven, followers, parent, tree};
use appell::Robot;
use appell::description::{BodyDescription, Description, JointDescription, JointEffects, Limits, Mimic, Quantity};
use appell::mechanism::{Frame, Mechanism};
use appell::question::{Input, Question};
use appell_drawing::listing::{Listing, coordinates, counted, list, short, short_vector};
use std::io::{self, Write};

/// In a table: there is none of this.
pub(super) const NONE: &str = "–";

pub(super) fn write(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let Shown { description, mechanism, .. } = shown;
    let joints = &description.joints;
    writeln!(out, "{}", description.name)?;
    mobility(shown, out)?;
    writeln!(
        out,
        "  mass {} kg, its centre at {} m for {}",
        short(mechanism.mass()),
        short_vector(shown.com.to_array()),
        coordinates(&shown.q)
    )?;
    writeln!(out, "  gravity {} m/s²", short_vector(description.gravity.to_array()))?;
    if let Some(tree) = tree::of(mechanism) {
        writeln!(out, "\nTree; kg")?;
        tree.write(out)?;
    }
    table(description, out)?;
    if joints.iter().any(|joint| joint.limits != Limits::default()) {
        writeln!(out, "\nLimits; rad, m, s, N m, N")?;
        limits(joints).write(out)?;
    }
    effects(description, out)?;
    if !description.transmissions.is_empty() {
        writeln!(out, "\nTransmissions: turns of motors, rotors; kg m²")?;
        transmissions(description).write(out)?;
    }
    writeln!(out, "\nBodies: kg, m, kg m²; inertia about the centre of mass, in the body's frame")?;
    bodies(joints.iter().map(named_body)).write(out)?;
    writeln!(out, "\nFrames, seen from the joint's frame of the body they are on; m")?;
    frames(mechanism, mechanism.shown_frames()).write(out)?;
    writeln!(out, "\nQuestions and methods, the default first")?;
    questions(shown.robot).write(out)
}

/// What every motor turns, and its rotor.
fn transmissions(description: &Description) -> Listing {
    let mut listing = Listing::new(["transmission", "motor", "turns", ">inertia", "on", "axis"]);
    for transmission in &description.transmissions {
        for (motor, ratios) in transmission.motors.iter().zip(&transmission.matrix) {
            let terms = transmission.joints.iter().zip(ratios).filter(|(_, ratio)| **ratio != 0.0);
            let turns: Vec<String> = terms.map(|(joint, ratio)| format!("{} {joint}", short(*ratio))).collect();
            let mounting = motor.mounting.as_ref();
            listing.push([
                transmission.name.clone(),
                motor.name.clone(),
                turns.join(" + "),
                short(motor.inertia),
                mounting.map_or(NONE.into(), |mounting| mounting.on.clone()),
                mounting.map_or(NONE.into(), |mounting| short_vector(mounting.axis.to_array())),
            ]);
        }
    }
    listing
}

/// How many joints move, how many of them as they like, and what drives or leads them.
fn mobility(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let joints = &shown.description.joints;
    let followers: Vec<_> = followers(joints).collect();
    let independent = joints.len() - followers.len();
    let moves = if independent == 1 { "moves" } else { "move" };
    writeln!(out, "  {}, {} driven", counted(joints.len(), "joint"), driven(joints))?;
    write!(out, "  mobility: {} {moves} independently", counted(independent, "joint"))?;
    if joints.iter().any(|joint| joint.kind.elementary().is_none()) {
        let freedoms = shown.robot.coupled().map_or(0, |coupled| coupled.drives().len());
        write!(out, ", with {}", counted(freedoms, "degree of freedom"))?;
    }
    let led = |(joint, mimic): &(&JointDescription, &Mimic)| {
        format!("{} follows {}", joint.name, mimic.names().collect::<Vec<_>>().join(" and "))
    };
    let led: Vec<String> = followers.iter().map(led).collect();
    writeln!(out, "{}{}", if led.is_empty() { "" } else { "; " }, list(&led))
}

/// The joints as rows of the table that the user knows.
pub(super) fn table(description: &Description, out: &mut dyn Write) -> io::Result<()> {
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

/// How far, fast and strong the joints may be that have a limit.
fn limits(joints: &[JointDescription]) -> Listing {
    let mut listing = Listing::new(["name", ">lower", ">upper", ">velocity", ">effort"]);
    for JointDescription { name, limits, .. } in joints.iter().filter(|joint| joint.limits != Limits::default()) {
        let Limits { lower, upper, velocity, effort } = *limits;
        let numbers = [lower, upper, velocity, effort].map(limit);
        listing.push([name.clone()].into_iter().chain(numbers));
    }
    listing
}

/// A limit, if there is one.
pub(super) fn limit(x: f64) -> String {
    if x.is_finite() { short(x) } else { NONE.into() }
}

/// What acts in joints and motors, where something does.
pub(super) fn effects(description: &Description, out: &mut dyn Write) -> io::Result<()> {
    let joints = description.joints.iter().map(|joint| (joint.name.as_str(), joint.effects));
    let motors = description.transmissions.iter().flat_map(|transmission| &transmission.motors);
    let motors = motors.map(|own| (own.name.as_str(), JointEffects { friction: own.friction, ..Default::default() }));
    let acting: Vec<(&str, JointEffects)> =
        joints.chain(motors).filter(|(_, effects)| *effects != JointEffects::default()).collect();
    if acting.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nFriction, rotor and spring; rad, m, s, N m, N, kg m²")?;
    plain_effects(&acting).write(out)?;
    if acting.iter().any(|(_, effects)| effects.friction.curve.is_some()) {
        writeln!(
            out,
            "\nCurves of friction, with s the sign of v: square_root √|v| s + cubic v³ + asymmetric |v| + stribeck exp(−(v/stribeck_speed)²) s"
        )?;
        curves(&acting).write(out)?;
    }
    Ok(())
}

fn plain_effects(acting: &[(&str, JointEffects)]) -> Listing {
    let headings = ["name", ">viscous", ">Coulomb", ">smoothing", ">offset", ">rotor", ">gear", ">stiffness", ">rest"];
    let mut listing = Listing::new(headings);
    for (name, effects) in acting {
        let JointEffects { friction: f, rotor, spring } = *effects;
        let plain = [f.viscous, f.coulomb, f.smoothing, f.offset, rotor.inertia];
        let plain = plain.map(|x| if x == 0.0 { NONE.into() } else { short(x) });
        // A gear without rotor and a rest position without spring say nothing.
        let gear = if rotor.inertia == 0.0 { NONE.into() } else { short(rotor.gear) };
        let spring = if spring.stiffness == 0.0 {
            [NONE, NONE].map(str::to_owned)
        } else {
            [spring.stiffness, spring.rest].map(short)
        };
        listing.push([(*name).to_owned()].into_iter().chain(plain).chain([gear]).chain(spring));
    }
    listing
}

fn curves(acting: &[(&str, JointEffects)]) -> Listing {
    let mut listing = Listing::new(["name", ">square_root", ">cubic", ">asymmetric", ">stribeck", ">stribeck_speed"]);
    for (name, curve) in acting.iter().filter_map(|(name, effects)| Some((name, effects.friction.curve?))) {
        let numbers = [curve.square_root, curve.cubic, curve.asymmetric, curve.stribeck, curve.stribeck_speed];
        let shown = numbers.map(|x| if x == 0.0 { NONE.into() } else { short(x) });
        listing.push([(*name).to_owned()].into_iter().chain(shown));
    }
    listing
}

/// Bodies under their names.
pub(super) fn bodies<'b>(bodies: impl IntoIterator<Item = (&'b str, &'b BodyDescription)>) -> Listing {
    let mut listing = Listing::new(["name", ">mass", "centre of mass", ">xx", ">yy", ">zz", ">xy", ">xz", ">yz"]);
    for (name, body) in bodies {
        let i = body.inertia;
        let moments = [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz].map(short);
        listing.push([name.to_owned(), short(body.mass), short_vector(body.com.to_array())].into_iter().chain(moments));
    }
    listing
}

pub(super) fn named_body(joint: &JointDescription) -> (&str, &BodyDescription) {
    (&joint.name, &joint.body)
}

pub(super) fn frames<'f>(mechanism: &Mechanism, frames: impl IntoIterator<Item = &'f Frame>) -> Listing {
    let mut listing = Listing::new(["name", "on", "origin", "x axis", "z axis"]);
    for frame in frames {
        let on = frame.body.map(|body| mechanism.joint_names()[body].as_str());
        let pose = frame.body_from_frame;
        let vectors = [pose.position, pose.rotation.column(0), pose.rotation.column(2)];
        let vectors = vectors.map(|vector| short_vector(vector.to_array()));
        listing.push([frame.name.clone(), parent(on).into()].into_iter().chain(vectors));
    }
    listing
}

/// The questions that the robot can answer, with the methods that do.
pub(super) fn questions(robot: &Robot) -> Listing {
    let mut listing = Listing::new(["question", "reads", "methods"]);
    for question in Question::ALL {
        let inputs = question.inputs().iter().copied().map(Input::symbol).collect::<Vec<_>>().join(" ");
        for (k, method) in question.methods(robot).into_iter().enumerate() {
            let [name, inputs] = if k == 0 { [question.name(), &inputs] } else { ["", ""] };
            listing.push([name, inputs, method.name].map(str::to_owned));
        }
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
