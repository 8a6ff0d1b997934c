//! Whether a motion crosses Type 2 with finite torques and forces.

use super::{Scale, of_platform};
use crate::arguments::positive;
use crate::progress::Progress;
use crate::robot;
use crate::table::StateTable;
use anyhow::Context;
use appell::closed::ClosedMechanism;
use appell::closed::crossing::Criterion;
use appell::question::Question;
use appell::question::crossings::{Place, Watch};
use appell_drawing::listing::{Listing, counted, short};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Check whether a motion crosses singularities of Type 2 with finite torques and forces.
///
/// There the drives do not hold one motion of the platform, t_s. Torques and forces stay finite if that motion needs no
/// force (Briot and Arakelian): its power with all forces of inertia, velocity and gravity, the defect, is zero.
///
/// The table is CSV with a header, as `appell compute inverse-dynamics` reads it: the platform's pose px py pz (m)
/// qx qy qz qw, twist vx … wz and acceleration ax … ez, and optionally t (s). The motion crosses between two rows where
/// det J_inv changes its sign, or comes near where type2 has a minimum below --threshold. In between, velocity and
/// acceleration are interpolated, so that shorter steps are more accurate.
///
/// It prints the time, the defect (W), what it compares with, and the largest effort in the five rows on each side. The
/// exit code is 1 if a defect is above --tolerance of that.
#[derive(clap::Args)]
#[command(after_help = "Example: appell singularities crossing five-bar --states motion.csv")]
pub(super) struct CrossingArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// The table of poses, twists and accelerations; - is stdin
    #[arg(long, value_name = "IN.csv")]
    states: PathBuf,
    /// A defect below this, over what it compares with, counts as zero
    #[arg(long, value_name = "X", default_value = "1e-3", value_parser = positive)]
    tolerance: f64,
    #[command(flatten)]
    scale: Scale,
}

pub(super) fn run(args: &CrossingArgs, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let whole = args.robot.load()?;
    let robot = of_platform(&whole)?;
    let mut table = StateTable::open(&args.states, &whole, Question::InverseDynamics, None)?;
    let mut watch = Watch::new(&whole, args.scale.metric(robot), args.scale.threshold);
    let mut lines = Vec::new();
    let mut progress = Progress::start(table.reader.work(), false);
    while table.advance()? {
        lines.push(table.reader.line());
        watch.take(table.time, &table.state()?).with_context(|| table.reader.place())?;
        progress.reach(table.reader.done());
    }
    drop(progress);
    let places = watch.finish().with_context(|| table.reader.name().to_owned())?;
    let is_finite = |place: &Place| place.relative_defect() <= args.tolerance;
    let all = places.iter().all(is_finite);
    let lines_of = |place: &Place| place.rows.map(|row| lines[row]);
    if json {
        let of_place = |place: &Place| shown(place, lines_of(place), is_finite(place), robot);
        let places: Vec<Value> = places.iter().map(of_place).collect();
        let value = json!({ "robot": robot.name(), "rows": table.reader.rows(), "tolerance": args.tolerance, "finite": all, "places": places });
        writeln!(out, "{value:#}")?;
        return Ok(all);
    }
    let (rows, count) = (counted(table.reader.rows(), "row"), counted(places.len(), "place"));
    writeln!(out, "{}: {count} at or near Type 2 in {rows}", robot.name())?;
    if places.is_empty() {
        writeln!(out, "The motion crosses no singularity of Type 2.")?;
        return Ok(true);
    }
    let mut listing =
        Listing::new([">t", "lines", "where", ">type2", ">defect, W", ">of, W", "finite", ">largest effort near"]);
    for place in &places {
        let ([from, to], criterion) = (lines_of(place), &place.criterion);
        let lines = if from == to { from.to_string() } else { format!("{from}-{to}") };
        listing.push([
            place.time.map_or_else(|| "-".into(), short),
            lines,
            if place.crosses { "crosses" } else { "near" }.into(),
            format!("{:.1e}", criterion.inverse_condition),
            format!("{:.3e}", criterion.defect),
            short(criterion.scale),
            if is_finite(place) { "yes" } else { "no" }.into(),
            place.largest_effort.map_or_else(|| "none".into(), short),
        ]);
    }
    listing.write(out)?;
    for place in &places {
        let at =
            place.time.map_or_else(|| format!("at line {}", lines_of(place)[0]), |t| format!("at t = {} s", short(t)));
        writeln!(out, "{at} the drives do not control: {}", place.uncontrolled.words(robot))?;
    }
    writeln!(
        out,
        "{}",
        if all {
            "Finite torques and forces suffice: the motion that the drives do not control needs no force."
        } else {
            "Torques and forces grow without bounds: that motion needs a force. `appell singularities passage` makes one that needs none."
        }
    )?;
    Ok(all)
}

/// A place as JSON.
fn shown(place: &Place, lines: [u64; 2], finite: bool, robot: &ClosedMechanism) -> Value {
    let Criterion { twist, inverse_condition, defect, scale, .. } = &place.criterion;
    json!({
        "t": place.time, "lines": lines, "crosses": place.crosses, "type2": inverse_condition,
        "twist": twist, "defect": defect, "scale": scale, "finite": finite,
        "largest_effort_near": place.largest_effort, "uncontrolled": place.uncontrolled.words(robot),
    })
}
