//! The PUMA in a sampled loop: figures 3 to 5 of paper 002, and the time of a control step.

use super::number::short;
use super::section::{Figure, Section, Verdict};
use super::{plot, puma_line};
use crate::PumaLine;
use crate::sampled_puma::{
    COUNTS, CUTOFF, Case, DELAY, GEARS, HEAVIER, PERIOD, PRINTED_TIMES, Reference, Response, gains, respond,
};
use anyhow::Result;
use appell::mechanism::Mechanism;
use serde_json::json;
use std::fmt::Write;
use std::time::Instant;

/// Steps in which the line is drawn.
const STEPS: usize = 172;

/// Figure 3: the arm in three places of its line.
pub(super) fn figure3(robot: &Mechanism) -> Result<Section> {
    let line = PumaLine::VALERA;
    let exact = line.length() / PumaLine::PRINTED_SPEED;
    Ok(Section {
        name: "figure 3",
        title: "The PUMA at the start, in the middle and at the end of its line",
        verdict: Verdict::Redrawn,
        headline: format!("{:.4} m at {} m/s take {exact:.3} s, printed as {} s", line.length(), PumaLine::PRINTED_SPEED, line.duration),
        body: String::new(),
        figures: vec![Figure {
            file: "002-line.svg",
            caption: "The PUMA along the paper's line, whose point is the wrist's centre.",
            svg: puma_line::drawing(robot, &line, &[("start", 0.0), ("middle", 0.5), ("end", 1.0)])?,
        }],
        reasons: vec![
            "The picture is not in our copy. The arm stands as table 5 has it, on the first of the eight branches that reach the \
             line; the line itself does not depend on that."
                .into(),
        ],
        data: json!({ "length": line.length() }),
    })
}

/// Figure 4: the torques along the line.
pub(super) fn figure4(robot: &Mechanism) -> Result<Section> {
    let states = puma_line::states(robot, &PumaLine::VALERA, STEPS)?;
    // The last joint has nothing to do but for rounding, which would fill its panel.
    let largest = states.iter().flat_map(|(_, states)| &states.tau).fold(0.0, |most: f64, tau| most.max(tau.abs()));
    let shown = |tau: f64| if tau.abs() < 1e-12 * largest { 0.0 } else { tau };
    let torques: Vec<(f64, Vec<f64>)> =
        states.into_iter().map(|(t, states)| (t, states.tau.into_iter().map(shown).collect())).collect();
    let peaks = [0, 1, 2, 3, 4, 5].map(|j| torques.iter().fold(0.0, |most: f64, (_, tau)| most.max(tau[j].abs())));
    Ok(Section {
        name: "figure 4",
        title: "Torques of the six joints along the line",
        verdict: Verdict::Redrawn,
        headline: format!("at most {} N m", peaks.map(short).join(", ")),
        body: String::new(),
        figures: vec![Figure {
            file: "002-torques.svg",
            caption: "Torques that the line needs, joint by joint.",
            svg: plot::panels(2, &puma_line::by_joint("N m", &torques, None))?,
        }],
        reasons: vec![
            "By the inverse dynamics of this library; a program that shares nothing with it has the same numbers to 10⁻¹⁰ \
             (tests/golden/serial/b_trajectory_002.json). The speed is constant from the first instant to the last, as the paper says, so \
             that the motion neither starts nor ends at rest."
                .into(),
            "Joint 6 needs no torque: its body does not turn in space, and its centre of mass is on its axis.".into(),
            "Amplitudes cannot be compared: the figure and the tensors of inertia are not in our copy.".into(),
        ],
        data: json!({ "peaks": peaks }),
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
            Figure {
                file: "002-splines.svg",
                caption: "The same on the splines.",
                svg: followed(&splines[0])?,
            },
            Figure {
                file: "002-errors.svg",
                caption: "Errors of all joints, true less wanted: left on the ramp, right on the splines; from above with an \
                          exact model, with a robot heavier than the model, and with integral action.",
                svg: differences(all)?,
            },
        ],
        reasons: vec![
            format!(
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
             action takes this away, is what the paper says of its laws."
                .into(),
            "The derivative terms act on the error of the speed: as printed in table 4, on the speed alone, the robot would lag by \
             K_d / K_p times the wanted speed."
                .into(),
        ],
        data: json!({ "largest": by_case, "saturated": saturated }),
    })
}

fn errors(all: &Responses) -> String {
    let mut html =
        String::from("<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>largest and rms error, mrad</th>");
    html += &(1..=6).map(|j| format!("<th>joint {j}</th>")).collect::<String>();
    html += "</tr></thead><tbody>";
    for (name, responses) in NAMES.iter().zip(&all.0) {
        for (case, response) in Case::ALL.into_iter().zip(responses) {
            let _ = write!(html, "<tr><th scope=\"row\">{name}: {}</th>", words(case));
            for joint in &response.statistics.tracking {
                let _ = write!(html, "<td>{:.2}, {:.2}</td>", 1e3 * joint.largest, 1e3 * joint.rms);
            }
            html += "</tr>";
        }
    }
    html + "</tbody></table></div>"
}

fn followed(response: &Response) -> Result<String> {
    let degrees = |of: fn(&crate::sampled_puma::Sample) -> &Vec<f64>| {
        let row = |x: &Vec<f64>| x.iter().map(|x| x.to_degrees()).collect();
        response.samples.iter().map(|sample| (sample.t, row(of(sample)))).collect::<Vec<_>>()
    };
    let (truth, wanted) = (degrees(|sample| &sample.truth), degrees(|sample| &sample.wanted));
    plot::panels(2, &puma_line::by_joint("degrees", &truth, Some(&wanted)))
}

fn differences(all: &Responses) -> Result<String> {
    let [ramp, splines] = &all.0;
    let panel = |response: &Response| {
        let row = |sample: &crate::sampled_puma::Sample| {
            (sample.t, sample.truth.iter().zip(&sample.wanted).map(|(q, wanted)| 1e3 * (q - wanted)).collect())
        };
        puma_line::together("error, mrad", &response.samples.iter().map(row).collect::<Vec<_>>())
    };
    let panels: Vec<_> = ramp.iter().zip(splines).flat_map(|(ramp, splines)| [panel(ramp), panel(splines)]).collect();
    plot::panels(2, &panels)
}

fn times(all: &Responses) -> Section {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>time of a control step, µs</th><th>median</th>\
         <th>99.9 %</th><th>longest</th><th>longer than a period</th><th>steps</th></tr></thead><tbody>",
    );
    for (machine, time) in PRINTED_TIMES {
        let _ = write!(
            html,
            "<tr><th scope=\"row\">printed: {machine}</th><td>{}</td><td>–</td><td>–</td><td>–</td><td>–</td></tr>",
            short(1e6 * time)
        );
    }
    let mut medians = Vec::new();
    for (name, responses) in NAMES.iter().zip(&all.0) {
        for (case, response) in Case::ALL.into_iter().zip(responses) {
            let Some(times) = response.statistics.step_times else { continue };
            medians.push(times.median);
            let [median, most, longest] = [times.median, times.most, times.longest].map(|time| short(1e6 * time));
            let _ = write!(
                html,
                "<tr><th scope=\"row\">ours, {name}: {}</th><td>{median}</td><td>{most}</td><td>{longest}</td><td>{}</td><td>{}</td></tr>",
                words(case),
                times.late,
                response.statistics.samples
            );
        }
    }
    html += "</tbody></table></div>";
    let median = medians.iter().fold(0.0, |most: f64, time| most.max(*time));
    let printed = PRINTED_TIMES[1].1;
    Section {
        name: "§4, times",
        title: "Execution time of one control step",
        verdict: Verdict::Differs,
        headline: format!(
            "{} µs in the median here and now, {} µs on the paper's faster computer",
            short(1e6 * median),
            short(1e6 * printed)
        ),
        body: html,
        figures: Vec::new(),
        reasons: vec![
            "From the measured numbers to the wanted torques: reference, law, and one inverse dynamics by Gibbs and Appell, on the machine \
             that wrote this page, by its clock; the longest times contain whatever else it did then. Nothing is held to \
             these numbers. What the paper's time contains besides the law is not printed."
                .into(),
        ],
        data: json!({ "median": median, "printed": PRINTED_TIMES.map(|(_, time)| time) }),
    }
}
