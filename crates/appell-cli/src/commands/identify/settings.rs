//! What was chosen, in words: for the report, and for the head of the robot's file.

use super::Args;
use super::unknowns::Unknowns;
use appell_drawing::listing::short;
use appell_identification::data::Filter;
use appell_identification::parameters::{Column, Effect};
use clap::ValueEnum;

/// What signals went through; `is_chosen` if the cut-off follows the motion.
pub(super) fn of_filter(filter: &Filter, is_chosen: bool) -> String {
    let Filter { order, cut_off, decimation, border } = *filter;
    let low_pass = cut_off.map_or("positions as they are".into(), |cut_off| {
        let chosen = if is_chosen { ", ten times the frequency of the motion" } else { "" };
        format!("positions low-passed at {} Hz{chosen}, order {order}", short(cut_off))
    });
    let thinned = if decimation > 1 { format!(", one equation of {decimation}") } else { String::new() };
    let cut = border.map_or(", the filters' settling cut off at both ends".into(), |border| {
        format!(", {} s cut off at both ends", short(border))
    });
    format!("{low_pass}{thinned}{cut}")
}

/// All settings that decide on the numbers, a line each; `trust` is that of the robot that was found, if there is one.
pub(super) fn lines(args: &Args, filter: &str, unknowns: &Unknowns, trust: Option<f64>) -> Vec<String> {
    let effects = args.unknowns.effects().unwrap_or_default().iter().filter_map(ValueEnum::to_possible_value);
    let effects: Vec<String> = effects.map(|effect| effect.get_name().to_owned()).collect();
    let mut speeds: Vec<f64> = unknowns.model.columns().iter().filter_map(smoothing).collect();
    speeds.sort_by(f64::total_cmp);
    speeds.dedup();
    let speeds: Vec<String> = speeds.into_iter().map(short).collect();
    let mut lines = vec![format!("Signals: {filter}")];
    lines.push(format!("Effects: {}", if effects.is_empty() { "none".into() } else { effects.join(", ") }));
    if !speeds.is_empty() {
        lines.push(format!("Coulomb friction changes its sign over {} rad/s or m/s", speeds.join(", ")));
    }
    if !args.unknowns.known.is_empty() {
        lines.push(format!("Known: {}", args.unknowns.known.join(", ")));
    }
    if args.unknowns.equal_legs {
        lines.push("The bodies of all legs are alike".into());
    }
    if !args.scenario.is_empty() {
        let names: Vec<String> = args.scenario.iter().map(|path| path.display().to_string()).collect();
        lines.push(format!("Simulated in: {}", names.join(", ")));
    }
    lines.extend(trust.map(|trust| format!("Trust in the robot's file before: {trust}")));
    lines
}

fn smoothing(column: &Column) -> Option<f64> {
    match column {
        Column::Effect { effect: Effect::Coulomb { smoothing }, .. } => Some(*smoothing),
        _ => None,
    }
}
