//! The PUMA simulated under torques that were computed before: figure 3 and tables 6 and 7 of paper 001.

use super::number::{scientific, short};
use super::plot::{self, Axis, Curve, Panel};
use super::section::{Figure, Section, Verdict, paragraphs};
use super::{checks, puma_line, table};
use crate::PumaLine;
use crate::open_loop::{INTERVAL, METHODS, OpenLoop, PRINTED_AVERAGES, PRINTED_COSTS, Study, TOLERANCE, Torques};
use crate::study::largest;
use anyhow::Result;
use appell::mechanism::Mechanism;
use plotters::chart::SeriesLabelPosition;
use serde_json::json;
use std::time::Instant;

/// How often a simulation is timed; the shortest time counts.
const TIMED: usize = 20;

/// Figure 3: the arm at the start and at the end of the line.
pub(super) fn figure3(robot: &Mechanism) -> Result<Section> {
    let line = PumaLine::MATA;
    let speed = line.length() / line.duration;
    let (length, duration, printed) = (line.length(), line.duration, PumaLine::PRINTED_SPEED);
    let headline = format!("{length:.4} m in {duration} s is {speed:.4} m/s, not the printed {printed} m/s");
    Ok(Section {
        figures: vec![Figure {
            file: "001-line.svg",
            caption: "The PUMA of paper 002 on the line of paper 001: start, end and the way of the wrist's centre.",
            svg: puma_line::drawing(robot, &line, &[("start", 0.0), ("end", 1.0)])?,
        }],
        reasons: paragraphs([
            "Both points and the duration are taken as printed, the speed follows. Neither the robot's masses nor the branch of \
             the arm are in this paper: the arm is that of paper 002, whose tensors of inertia are missing from our copy, with \
             the first of eight branches. The point that moves is the wrist's centre.",
        ]),
        data: json!({ "length": length, "speed": speed }),
        ..Section::new("figure 3", "The PUMA at the start and at the end of its line", Verdict::Redrawn, headline)
    })
}

fn words(torques: Torques) -> &'static str {
    match torques {
        Torques::Exact => "exact at all times",
        Torques::Straight => "straight between instants",
        Torques::Held => "held between instants",
    }
}

/// Table 6: how far the simulated arm is from the wanted motion.
pub(super) fn table6(study: &Study) -> Result<Section> {
    let found = study.checks();
    let mean = |torques| largest(&study.of_torques(torques)[2].averages()[0]);
    let printed = largest(PRINTED_AVERAGES.iter().map(|row| &row[0]));
    let [first, ..] = study.one_interval.largest();
    let finding = format!(
        "{} rad on average at most with exact torques, {} with straight ones; printed {}",
        scientific(mean(Torques::Exact)),
        scientific(mean(Torques::Straight)),
        scientific(printed)
    );
    let title = "Errors of the simulated motion, by joint";
    Ok(Section {
        body: averages(study) + &checks::table(&found),
        figures: vec![Figure {
            file: "001-errors.svg",
            caption: "The largest |Δq| of all joints over time, GA, for the three readings of the torques.",
            svg: plot::panels(1, &[errors(study)])?,
        }],
        reasons: paragraphs([
            &format!(
                "Means of absolute differences over {} instants, {INTERVAL} s apart; steps of order 5(4) at a tolerance of {TOLERANCE:e}. \
                 The paper does not say what the torques are between the instants. With torques of each moment the errors are \
                 those of the tolerance; over one interval of {INTERVAL} s alone they are {} rad, after {} evaluations. With torques \
                 that go straight from instant to instant they come nearest to the table: the largest mean of the angles is {} times \
                 the printed one, and a finer tolerance does not change it. So that may be what was done. Held torques are \
                 worse still.",
                study.of_torques(Torques::Exact)[2].samples.len(),
                scientific(first),
                study.one_interval.cost.evaluations,
                short(mean(Torques::Straight) / printed)
            ),
            "Nothing leads the arm back, and gravity drives it away from the line: errors grow about tenfold in a second, so that \
             the digits depend on the inertias, which are not those of the authors for sure, and on how the torques are joined.",
            "The printed digits are in doubt besides: joints 2 and 4 have the same error of angle and of acceleration, joints 2 and \
             3 the same of velocity, joints 1 and 6 the same of angle, to six digits and more. A joint that errs like another \
             in one column and not in the next is hard to have. We hold no number to this table.",
        ]),
        data: json!({
            "printed": PRINTED_AVERAGES,
            "exact": study.of_torques(Torques::Exact)[2].averages(), "straight": study.of_torques(Torques::Straight)[2].averages(),
            "held": study.of_torques(Torques::Held)[2].averages(), "checks": checks::as_json(&found),
        }),
        ..checks::section("table 6", title, &found, Verdict::Differs, finding)
    })
}

/// The averages of GA, printed and ours.
fn averages(study: &Study) -> String {
    let ours = Torques::ALL.map(|torques| study.of_torques(torques)[2].averages());
    let of = |(order, what): (usize, &str)| {
        let heads = Torques::ALL.map(|torques| format!("ours, torques {}", words(torques)));
        let heads = [format!("mean {what}"), "printed".into()].into_iter().chain(heads);
        let row = |(j, printed): (usize, &[f64; 3])| {
            let [a, b, c] = &ours;
            let cells = [printed[order], a[order][j], b[order][j], c[order][j]].map(scientific);
            (format!("joint {}", j + 1), cells)
        };
        table::numbers(heads, PRINTED_AVERAGES.iter().enumerate().map(row))
    };
    ["|Δq|, rad", "|Δq̇|, rad/s", "|Δq̈|, rad/s²"].into_iter().enumerate().map(of).collect()
}

fn errors(study: &Study) -> Panel {
    let colours = [plot::GREEN, plot::BLUE, plot::VERMILION];
    let curve = |(torques, colour): (Torques, _)| {
        let points = study.of_torques(torques)[2].samples.iter().skip(1);
        let points = points.map(|sample| (sample.t, largest(&sample.errors[0])));
        Curve::new(format!("torques {}", words(torques)), colour, points)
    };
    Panel {
        x: Axis::linear("time, s", 0.0..PumaLine::MATA.duration),
        y: Axis::logarithmic("largest |Δq|, rad", 1e-12..1e2),
        curves: Torques::ALL.into_iter().zip(colours).map(curve).collect(),
        legend: SeriesLabelPosition::LowerRight,
    }
}

/// Table 7: what the simulation costs.
pub(super) fn table7(robot: &Mechanism, study: &Study) -> Result<Section> {
    let experiment = OpenLoop::new(robot)?;
    let straight = study.of_torques(Torques::Straight);
    let mut times = [0.0; 3];
    for (time, (method, _)) in times.iter_mut().zip(METHODS) {
        let intervals = experiment.instants().len() - 1;
        let once = |_| {
            let start = Instant::now();
            experiment.run(method, Torques::Straight, TOLERANCE, intervals)?;
            Ok(start.elapsed().as_secs_f64())
        };
        *time = (0..TIMED).map(once).collect::<Result<Vec<f64>>>()?.into_iter().fold(f64::INFINITY, f64::min);
    }
    let fastest = (0..3).min_by(|&a, &b| times[a].total_cmp(&times[b])).unwrap_or(2);
    let headline = format!(
        "{} evaluations with every method, {} to {} printed; {} is the fastest here with {:.2} ms, GA in the paper with {} s",
        straight[2].cost.evaluations,
        PRINTED_COSTS.iter().map(|cost| cost.1).min().unwrap_or(0),
        PRINTED_COSTS.iter().map(|cost| cost.1).max().unwrap_or(0),
        METHODS[fastest].1,
        1e3 * times[fastest],
        PRINTED_COSTS[2].0
    );
    Ok(Section {
        body: costs(study, &times),
        reasons: paragraphs([
            &format!(
                "Evaluations are those over all {} intervals. Our steps, Dormand's and Prince's, need one for most intervals at \
                 this tolerance, and a new beginning in each; which pair of formulas, norm of the error and longest step the \
                 paper's program had is not printed. Its about 22 evaluations an interval are three or four steps of six.",
                study.of_torques(Torques::Exact)[2].samples.len() - 1
            ),
            "Two methods with the same accelerations but for rounding take the same steps, so that ours cost the same number of \
             evaluations. The printed ones differ by three in a hundred: where errors grow as here, rounding alone may do \
             that to a program that takes more steps.",
            &format!(
                "Times are those of this machine now, the shortest of {TIMED} runs with torques from the table, bookkeeping and samples \
                 included; nothing is held to them."
            ),
        ]),
        data: json!({
            "seconds": times, "evaluations": straight.each_ref().map(|run| run.cost.evaluations),
            "printed": PRINTED_COSTS,
        }),
        ..Section::new("table 7", "Time and evaluations of the simulation, by method", Verdict::Differs, headline)
    })
}

fn costs(study: &Study, times: &[f64; 3]) -> String {
    let mut rows = vec![
        ("time, printed, s".into(), PRINTED_COSTS.map(|cost| cost.0.to_string())),
        ("time, ours, torques straight between instants, ms".into(), times.map(|time| short(1e3 * time))),
        ("the same over that of GA, printed".into(), PRINTED_COSTS.map(|cost| short(cost.0 / PRINTED_COSTS[2].0))),
        ("the same over that of GA, ours".into(), times.map(|time| short(time / times[2]))),
        ("evaluations, printed".into(), PRINTED_COSTS.map(|cost| cost.1.to_string())),
    ];
    rows.extend(Torques::ALL.map(|torques| {
        let cells = study.of_torques(torques).each_ref().map(|run| run.cost.evaluations.to_string());
        (format!("evaluations, ours, torques {}", words(torques)), cells)
    }));
    table::numbers(core::iter::once("").chain(METHODS.map(|(_, name)| name)), rows)
}
