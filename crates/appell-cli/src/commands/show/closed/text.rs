//! A robot with closed loops in words and tables.

use super::Shown;
use crate::commands::show::text::{self, NONE};
use crate::place::{self, near_zero};
use appell::closed::spherical::{self, Meeting};
use appell::closed::{ClosedMechanism, Coupling, Redundancy};
use appell::description::{BodyDescription, Branch, Limits, PlatformDescription};
use appell::mechanism::Frame;
use appell_drawing::listing::{Listing, clip, counted, short, short_vector};
use appell_drawing::notation;
use std::io::{self, Write};

pub(in crate::commands::show) fn write(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Shown { description, robot, .. } = shown;
    writeln!(out, "{}", description.name)?;
    kind(shown, out)?;
    mobility(robot, out)?;
    match spherical::recognise(robot) {
        Ok(Meeting { centre, spread }) => {
            let centre = short_vector(rounded(centre.to_array()));
            writeln!(
                out,
                "  spherical: all axes meet at {centre} m, within {spread:.1e} m; dynamics has closed forms"
            )?;
        }
        Err(problem) if problem.is_near() => writeln!(out, "  not spherical: {problem}")?,
        Err(_) => {}
    }
    let (mass, com, place) = (short(robot.mass()), short_vector(rounded(shown.com.to_array())), shown.place.name());
    writeln!(out, "  mass {mass} kg, its centre at {com} m at {place}")?;
    writeln!(out, "  gravity {} m/s²", short_vector(description.gravity.to_array()))?;
    writeln!(out, "  characteristic length {} m: a turn by 1 rad weighs as much as this way", short(robot.length()))?;
    if !robot.legs().is_empty() {
        writeln!(out, "\nLegs, driven joints underlined; the last letter closes the leg")?;
        legs(shown).write(out)?;
    }
    writeln!(out, "\nClosing joints; origins in m, seen from the joint's frame of what carries them")?;
    closures(shown).write(out)?;
    if !robot.couplings().is_empty() {
        writeln!(out, "\nJoints that follow others, a constraint each; rad, m")?;
        couplings(robot).write(out)?;
    }
    if let (Some(platform), Some(described)) = (robot.platform(), &description.platform) {
        writeln!(out, "\nPlatform: kg, m, kg m²; inertia about the centre of mass, in the platform's frame")?;
        self::platform(described, &platform.body()).write(out)?;
    }
    configuration(shown, out)?;
    text::table(description, out)?;
    text::effects(description, out)?;
    writeln!(out, "\nBodies: kg, m, kg m²; inertia about the centre of mass, in the body's frame")?;
    text::bodies(description.joints.iter().map(text::named_body)).write(out)?;
    // The frame at the end of a leg is that of its closing joint.
    let is_end = |frame: &&Frame| robot.closures().iter().any(|closure| closure.name == frame.name);
    let further: Vec<&Frame> = robot.tree().frames()[robot.tree().dof()..].iter().filter(|f| !is_end(f)).collect();
    if !further.is_empty() {
        writeln!(out, "\nFurther frames, seen from the joint's frame of the body they are on; m")?;
        text::frames(robot.tree(), further).write(out)?;
    }
    writeln!(out, "\nQuestions and methods, the default first")?;
    text::questions(shown.whole).write(out)
}

/// What it is, and of how many parts.
fn kind(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Shown { description, robot, .. } = shown;
    let held =
        robot.platform().map(|platform| if platform.turns { "a platform" } else { "a platform that never turns" });
    match (notation::legs(robot).count(), held) {
        (0, None) => writeln!(out, "  closed mechanism of {}", counted(shown.loops(), "loop"))?,
        (0, Some(held)) => writeln!(out, "  closed mechanism of {} with {held}", counted(shown.loops(), "loop"))?,
        (legs, held) => {
            let letters = notation::of_robot(robot, description, true);
            let (legs, held) = (counted(legs, "leg"), held.unwrap_or("nothing"));
            writeln!(out, "  parallel robot, {letters}: {legs} and {held}")?;
        }
    }
    let joints = counted(description.joints.len(), "joint");
    let closing = counted(description.closures.len(), "closing joint");
    writeln!(out, "  {joints}, {} driven; {closing}", robot.driven().len())
}

/// How many degrees of freedom, which, and what holds them.
fn mobility(robot: &ClosedMechanism, out: &mut dyn Write) -> io::Result<()> {
    let mobility = robot.mobility();
    let (freedoms, rank) = (counted(mobility.freedoms, "degree of freedom"), mobility.rank);
    let names = robot.freedom_names();
    let whose = if names.iter().all(|name| name.starts_with("v.")) { "" } else { " of the platform" };
    writeln!(
        out,
        "  mobility: {freedoms} = {} velocities − {rank} independent constraints of {}",
        robot.velocities(),
        mobility.constraints
    )?;
    writeln!(out, "  independent velocities: {}{whose}", names.join(" "))?;
    if !mobility.redundant.is_empty() {
        writeln!(out, "  over-constrained, and computed all the same:")?;
    }
    for Redundancy { name, redundant, constraints } in &mobility.redundant {
        writeln!(out, "    {} repeats {redundant} of its {constraints} constraints", clip(name))?;
    }
    writeln!(out, "  drives: {}", drives(robot))
}

/// Whether the drives hold all degrees of freedom.
fn drives(robot: &ClosedMechanism) -> String {
    let (mobility, drives) = (robot.mobility(), robot.driven().len());
    let (held, freedoms) = (mobility.driven, mobility.freedoms);
    let verb = if drives == 1 { "holds" } else { "hold" };
    let all = if freedoms == 1 { "the degree of freedom".into() } else { format!("all {freedoms} degrees of freedom") };
    match drives {
        0 => "none".into(),
        _ if drives < freedoms => {
            format!("{drives} {verb} {held} of {freedoms} degrees of freedom at home: underactuated")
        }
        _ if held < freedoms => {
            format!("{drives} {verb} {held} of {freedoms} degrees of freedom at home, a singularity of Type 2")
        }
        _ if drives > freedoms => {
            format!("{drives} {verb} {all}, {} more than needed: torques and forces of least norm", drives - freedoms)
        }
        _ => format!("{drives} {verb} {all}"),
    }
}

fn legs(shown: &Shown<'_>) -> Listing {
    let Shown { description, robot, .. } = shown;
    let mut listing = Listing::new(["name", "letters", "joints", "closing joint"]);
    for leg in notation::legs(robot) {
        let letters = notation::of_leg(robot, description, leg);
        let short_name = |&j: &usize| {
            let joint = &robot.tree().joint_names()[j];
            let name = joint.strip_prefix(&format!("{}.", leg.name)).unwrap_or(joint);
            if robot.driven().contains(&j) { underlined(name) } else { name.to_owned() }
        };
        let joints: Vec<String> = leg.joints.iter().map(short_name).collect();
        let closing = robot.closures()[leg.closure].name.clone();
        listing.push([leg.name.clone(), notation::written(&letters, true), joints.join(" "), closing]);
    }
    listing
}

fn underlined(name: &str) -> String {
    name.chars().flat_map(|letter| [letter, '\u{332}']).collect()
}

fn closures(shown: &Shown<'_>) -> Listing {
    let mut listing = Listing::new(["name", "joint", ">constraints", "between", "origin", "and", "origin"]);
    for closure in shown.robot.closures() {
        let sides = [closure.first, closure.second]
            .map(|side| (shown.carrier(side.on).to_owned(), short_vector(rounded(side.pose.position.to_array()))));
        let [(first, one), (second, other)] = sides;
        let joint = closure.constraint.name().into();
        listing.push([closure.name.clone(), joint, closure.rows().to_string(), first, one, second, other]);
    }
    listing
}

fn couplings(robot: &ClosedMechanism) -> Listing {
    let mut listing = Listing::new(["name", "position"]);
    for coupling in robot.couplings() {
        listing.push([coupling.name.clone(), position(robot, coupling)]);
    }
    listing
}

/// Where a joint is that follows others: `-1.5 q.left + 4`.
fn position(robot: &ClosedMechanism, coupling: &Coupling) -> String {
    let (leaders, offset) = coupling.position_by_leaders();
    let terms = leaders.map(|(j, multiplier)| (multiplier, format!(" q.{}", robot.tree().joint_names()[j])));
    let all = terms.chain((offset != 0.0).then(|| (offset, String::new())));
    all.enumerate().fold(String::new(), |text, (k, (number, of))| {
        let sign = match (k, number < 0.0) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        format!("{text}{sign}{}{of}", short(number.abs()))
    })
}

/// The platform, its payload, and both together.
fn platform(described: &PlatformDescription, together: &BodyDescription) -> Listing {
    let (body, payload) = (("platform", &described.body), ("payload", &described.payload));
    if *payload.1 == BodyDescription::default() {
        return text::bodies([body]);
    }
    text::bodies([body, payload, ("together", together)])
}

/// Where everything is.
fn configuration(shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Shown { robot, at, place, .. } = shown;
    writeln!(out, "\nAt {}, as assembled, with working modes and limits; rad, m, s, N m, N", place.name())?;
    place::write_platform(robot, at, out)?;
    let has_limits = robot.tree().limits().iter().any(|limits| *limits != Limits::default());
    let columns = ["name", ">q", "mode", ">lower", ">upper", ">velocity", ">effort"];
    let columns = &columns[..if has_limits { columns.len() } else { 3 }];
    let mut listing = Listing::new(columns.iter().copied());
    for ((name, &q), (limits, branch)) in
        robot.tree().joint_names().iter().zip(&at.q).zip(robot.tree().limits().iter().zip(robot.branches()))
    {
        let mode = if *branch == Branch::Any { NONE } else { branch.name() };
        let limits = [limits.lower, limits.upper, limits.velocity, limits.effort].map(text::limit);
        let cells = [name.clone(), short(near_zero(q)), mode.into()].into_iter().chain(limits);
        listing.push(cells.take(columns.len()));
    }
    listing.write(out)
}

fn rounded(v: [f64; 3]) -> [f64; 3] {
    v.map(near_zero)
}
