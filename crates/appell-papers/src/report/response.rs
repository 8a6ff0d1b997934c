//! The PUMA in a sampled loop: figures 3 to 5 of paper 002, and the time of a control step.

use super::number::short;
use super::over_time::Series;
use super::section::{Figure, Section, Verdict, paragraphs};
use super::{plot, puma_line, table};
use crate::PumaLine;
use crate::sampled_puma::{
    COUNTS, CUTOFF, Case, DELAY, GEARS, HEAVIER, PERIOD, PRINTED_TIMES, Reference, Response, Sample, gains, respond,
};
use anyhow::Result;
use appell::mechanism::Mechanism;
use appell_simulation::control::sampled::StepTimes;
use serde_json::json;
use std::time::Instant;

/// Steps in which the line is drawn.
const STEPS: usize = 172;

/// Figure 3: the arm in three places of its line.
pub(super) fn figure3(robot: &Mechanism) -> Result<Section> {
    let line = PumaLine::VALERA;
    let exact = line.length() / PumaLine::PRINTED_SPEED;
    let (length, speed, duration) = (line.length(), PumaLine::PRINTED_SPEED, line.duration);
    let headline = format!("{length:.4} m at {speed} m/s take {exact:.3} s, printed as {duration} s");
    let title = "The PUMA at the start, in the middle and at the end of its line";
    Ok(Section {
        figures: vec![Figure {
            file: "002-line.svg",
            caption: "The PUMA along the paper's line, whose point is the wrist's centre.",
            svg: puma_line::drawing(robot, &line, &[("start", 0.0), ("middle", 0.5), ("end", 1.0)])?,
        }],
        reasons: paragraphs([
            "The picture is not in our copy. The arm stands as table 5 has it, on the first of the eight branches that reach the \
             line; the line itself does not depend on that.",
        ]),
        data: json!({ "length": length }),
        ..Section::new("figure 3", title, Verdict::Redrawn, headline)
    })
}

/// Figure 4: the torques along the line.
pub(super) fn figure4(robot: &Mechanism) -> Result<Section> {
    let states = puma_line::states(robot, &PumaLine::VALERA, STEPS)?;
    // The last joint has nothing to do but for rounding, which would fill its panel.
    let largest = states.iter().flat_map(|(_, states)| &states.tau).fold(0.0, |most: f64, tau| most.max(tau.abs()));
    let shown = |tau: f64| if tau.abs() < 1e-12 * largest { 0.0 } else { tau };
    let torques: Series<6> =
        states.iter().map(|(t, states)| (*t, core::array::from_fn(|j| shown(states.tau[j])))).collect();
    let peaks = [0, 1, 2, 3, 4, 5].map(|j| torques.iter().fold(0.0, |most: f64, (_, tau)| most.max(tau[j].abs())));
    let headline = format!("at most {} N m", peaks.map(short).join(", "));
    Ok(Section {
        figures: vec![Figure {
            file: "002-torques.svg",
            caption: "Torques that the line needs, joint by joint.",
            svg: plot::panels(2, &puma_line::by_joint("N m", &torques, None))?,
        }],
        reasons: paragraphs([
            "By the inverse dynamics of this library; a program that shares nothing with it has the same numbers to 10⁻¹⁰ \
             (tests/golden/serial/b_trajectory_002.json). The speed is constant from the first instant to the last, as the paper says, so \
             that the motion neither starts nor ends at rest.",
            "Joint 6 needs no torque: its body does not turn in space, and its centre of mass is on its axis.",
            "Amplitudes cannot be compared: the figure and the tensors of inertia are not in our copy.",
        ]),
        data: json!({ "peaks": peaks }),
        ..Section::new("figure 4", "Torques of the six joints along the line", Verdict::Redrawn, headline)
    })
}

/// Both references, each followed in all cases.
struct Responses([[Response; 3]; 2]);

fn responses(robot: &Mechanism) -> Result<Responses> {
    let clock = Instant::now();
    let of = |reference: Reference| -> Result<[Response; 3]> {
        let [exact, heavier, integral] =
            Case::ALL.map(|case| respond(robot, reference, case, || clock.elapsed().as_secs_f64()));
        Ok([exact?, heavier?, integral?])
    };
    Ok(Responses([of(Reference::Ramp)?, of(Reference::Splines)?]))
}

const NAMES: [&str; 2] = ["ramp", "splines"];

fn words(case: Case) -> String {
    let percent = (100.0 * (HEAVIER - 1.0)).round();
    match case {
        Case::Exact => "tracking, exact model".into(),
        Case::Heavier => format!("tracking, robot {percent} % heavier"),
        Case::HeavierIntegral => format!("with integral action, robot {percent} % heavier"),
    }
}

/// Figure 5, and the time of a step.
pub(super) fn figure5(robot: &Mechanism) -> Result<[Section; 2]> {
    let all = responses(robot)?;
    Ok([positions(&all)?, times(&all)])
}

fn positions(all: &Responses) -> Result<Section> {
    let [ramp, splines] = &all.0;
    let largest = ramp.iter().chain(splines).fold(0.0, |most: f64, response| most.max(response.largest()));
    let saturated: usize =
        ramp.iter().chain(splines).map(|response| response.statistics.saturated.iter().sum::<usize>()).sum();
    let case = gains(Case::Exact);
    let integral = gains(Case::HeavierIntegral);
    let by_case = all.0.each_ref().map(|responses| responses.each_ref().map(Response::largest));
    Ok(Section {
        name: "figure 5",
        title: "Ramp and splines followed by inverse-dynamics control in a sampled loop",
        verdict: Verdict::Redrawn,
        headline: format!(
            "all joints follow to {} mrad, {} with an exact model; outputs saturate at {saturated} samples",
            short(1e3 * largest),
            short(1e3 * ramp[0].largest().max(splines[0].largest()))
        ),
        body: errors(all),
        figures: vec![
            Figure {
                file: "002-ramp.svg",
                caption: "Joints on the ramp, exact model: the robot, and dashed the reference, which it hides.",
                svg: followed(&ramp[0])?,
            },
            Figure { file: "002-splines.svg", caption: "The same on the splines.", svg: followed(&splines[0])? },
            Figure {
                file: "002-errors.svg",
                caption: "Errors of all joints, true less wanted: left on the ramp, right on the splines; from above with an \
                          exact model, with a robot heavier than the model, and with integral action.",
                svg: differences(all)?,
            },
        ],
        reasons: paragraphs([
            &format!(
                "The loop is the paper's: incremental encoders with {} and {} counts a turn of the motor, potentiometers that say where \
                 they begin, converters of 12 bits as boards of that kind have, outputs of ±10 V. Not printed, and assumed: gears \
                 of {} (those published of the PUMA 560), a period of {} ms, outputs that change {} ms after the sample, speeds \
                 from differences through a low-pass of {CUTOFF} rad/s, gains K_p = {} 1/s² and K_d = {} 1/s, and with integral \
                 action {} 1/s², {} 1/s and K_i = {} 1/s³.",
                COUNTS[0],
                COUNTS[5],
                GEARS.map(|gear| gear.to_string()).join(", "),
                short(1e3 * PERIOD),
                short(1e3 * DELAY * PERIOD),
                case.proportional,
                case.derivative,
                integral.proportional,
                integral.derivative,
                integral.integral
            ),
            "The ramp goes from the start to the end of the line, the splines through its start, middle and end and back. The paper's \
             robot is real, ours is simulated, exactly as its model or heavier; friction is left out. What remains with an exact \
             model are counts and the lag of the speeds. That a wrong model shifts the robot, and that integral \
             action takes this away, is what the paper says of its laws.",
            "The derivative terms act on the error of the speed: as printed in table 4, on the speed alone, the robot would lag by \
             K_d / K_p times the wanted speed.",
        ]),
        data: json!({ "largest": by_case, "saturated": saturated }),
    })
}

/// All responses with their names.
fn named(all: &Responses) -> impl Iterator<Item = (String, &Response)> + Clone {
    let of = |(name, responses)| {
        Case::ALL.into_iter().zip(responses).map(move |(case, response)| (format!("{name}: {}", words(case)), response))
    };
    NAMES.iter().zip(&all.0).flat_map(of)
}

fn errors(all: &Responses) -> String {
    let heads = core::iter::once("largest and rms error, mrad".into()).chain((1..=6).map(|j| format!("joint {j}")));
    let row = |(name, response): (String, &Response)| {
        let joints = response.statistics.tracking.iter();
        (name, joints.map(|joint| format!("{:.2}, {:.2}", 1e3 * joint.largest, 1e3 * joint.rms)).collect::<Vec<_>>())
    };
    table::numbers(heads, named(all).map(row))
}

fn followed(response: &Response) -> Result<String> {
    let degrees = |of: fn(&Sample) -> &Vec<f64>| -> Series<6> {
        let row = |x: &[f64]| core::array::from_fn(|j| x[j].to_degrees());
        response.samples.iter().map(|sample| (sample.t, row(of(sample)))).collect()
    };
    let (truth, wanted) = (degrees(|sample| &sample.truth), degrees(|sample| &sample.wanted));
    plot::panels(2, &puma_line::by_joint("degrees", &truth, Some(&wanted)))
}

fn differences(all: &Responses) -> Result<String> {
    let [ramp, splines] = &all.0;
    let panel = |response: &Response| {
        let row =
            |Sample { t, truth, wanted, .. }: &Sample| (*t, core::array::from_fn(|j| 1e3 * (truth[j] - wanted[j])));
        puma_line::together("error, mrad", &response.samples.iter().map(row).collect())
    };
    let panels: Vec<_> = ramp.iter().zip(splines).flat_map(|(ramp, splines)| [panel(ramp), panel(splines)]).collect();
    plot::panels(2, &panels)
}

fn times(all: &Responses) -> Section {
    let heads = ["time of a control step, µs", "median", "99.9 %", "longest", "longer than a period", "steps"];
    let none = || String::from("–");
    let printed_row = |(machine, time): (&str, f64)| {
        (format!("printed: {machine}"), [short(1e6 * time), none(), none(), none(), none()])
    };
    let ours = named(all).filter_map(|(name, response)| Some((name, response, response.statistics.step_times?)));
    let row = |(name, response, times): (String, &Response, StepTimes)| {
        let [median, most, longest] = [times.median, times.most, times.longest].map(|time| short(1e6 * time));
        (
            format!("ours, {name}"),
            [median, most, longest, times.late.to_string(), response.statistics.samples.to_string()],
        )
    };
    let medians: Vec<f64> = ours.clone().map(|(_, _, times)| times.median).collect();
    let body = table::numbers(heads, PRINTED_TIMES.into_iter().map(printed_row).chain(ours.map(row)));
    let median = medians.into_iter().fold(0.0, f64::max);
    let printed = PRINTED_TIMES[1].1;
    let headline = format!(
        "{} µs in the median here and now, {} µs on the paper's faster computer",
        short(1e6 * median),
        short(1e6 * printed)
    );
    Section {
        body,
        reasons: paragraphs([
            "From the measured numbers to the wanted torques: reference, law, and one inverse dynamics by Gibbs and Appell, on the machine \
             that wrote this page, by its clock; the longest times contain whatever else it did then. Nothing is held to \
             these numbers. What the paper's time contains besides the law is not printed.",
        ]),
        data: json!({ "median": median, "printed": PRINTED_TIMES.map(|(_, time)| time) }),
        ..Section::new("§4, times", "Execution time of one control step", Verdict::Differs, headline)
    }
}
