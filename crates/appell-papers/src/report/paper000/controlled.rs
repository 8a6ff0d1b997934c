//! Figure 4: the wrist in a simulation under a stiff PD law, and the errors of figures 6 and 7.

use super::motion::LEGS;
use crate::abedloo::AgileWrist;
use crate::abedloo::controlled::{Controlled, Differences, Law, PRINTED, RUN_IN, Sample, follow};
use crate::abedloo::trajectory::PERIOD;
use crate::report::checks;
use crate::report::number::{scientific, short};
use crate::report::plot;
use crate::report::section::{Figure, Section, Verdict, paragraphs};
use crate::report::{over_time, table};
use anyhow::Result;
use serde_json::json;

/// Instants at which the robot is looked at, less one.
const LOOKS: usize = 400;

/// A simulation of the paper's motion over its period.
pub(super) fn section() -> Result<Section> {
    let wrist = AgileWrist::paper(AgileWrist::RADIUS);
    let law = Law::for_error(&wrist, PRINTED[0])?;
    let run = follow(&wrist, law, PERIOD, LOOKS)?;
    let found = run.checks();
    let [tracking, model] = [run.largest(|sample| sample.tracking), run.largest(|sample| sample.model)];
    let [theta, rate, acceleration, torque] = tracking.map(scientific);
    let finding = format!(
        "follows to {theta} rad, {rate} rad/s, {acceleration} rad/s², {torque} N m; the paper's orders are 10⁻⁷, 10⁻⁶, 10⁻⁵, 10⁻⁵"
    );
    let title = "The motion of eq. 52 in a simulation under a high-gain PD law";
    Ok(Section {
        body: table(&run) + &checks::table(&found),
        figures: vec![
            Figure {
                file: "000-tracking.svg",
                caption: "The simulated robot less the motion of eq. 52, mode +++: θ, its rate, its acceleration; the law's \
                          torque less that of the closed form for eq. 52.",
                svg: panels(&run, |sample| &sample.tracking, TRACKING)?,
            },
            Figure {
                file: "000-verification.svg",
                caption: "As in the paper's figures 6 and 7: the simulated robot less the closed form along the robot's own \
                          motion.",
                svg: panels(&run, |sample| &sample.model, MODEL)?,
            },
        ],
        reasons: paragraphs([
            &format!(
                "The law is τ = −K_p (θ − θ_d) − K_d (dθ/dt − dθ_d/dt) at each drive and knows nothing in advance, so that it holds the \
                 wrist by an error of τ / K_p: with {} N m along the motion, an error below 10⁻⁷ rad needs K_p above {} N m/rad. \
                 We take twice that, K_p = {} N m/rad, and K_d = 2 √(K_p m) = {} N m s/rad with m = {} kg m², the least inertia \
                 that the drives turn on the way. The paper calls its gains high and prints none; if 10⁻⁷ rad were the error of its \
                 controller, they could not have been much lower.",
                short(law.torque),
                scientific(law.torque / PRINTED[0]),
                scientific(law.gains.proportional),
                short(law.gains.derivative),
                scientific(law.inertia),
            ),
            "Which error the paper means is not beyond doubt. By its text the motion of the simulated robot is put into the model, \
             and the difference is one of two programs: ours are rounding. But its orders of magnitude, ten times as much with \
             every derivative, would fit an error of the controller too. So both are held to the printed orders.",
            &format!(
                "The robot is simulated by legs + platform in its Euler angles, and looked at through tree + closures; the law's roots \
                 are as fast as {} rad/s, the steps of Runge and Kutta {} s. It starts on the motion without the error that \
                 carries it, which is why nothing is compared in the first {} s, which precede t = 0. The noise of the accelerations is rounding \
                 of θ, multiplied by K_p / m = {} 1/s².",
                scientific(law.frequency),
                scientific(run.step),
                RUN_IN,
                scientific(law.gains.proportional / law.inertia)
            ),
        ]),
        data: json!({
            "gains": [law.gains.proportional, law.gains.derivative], "inertia": law.inertia, "tracking": tracking,
            "model": model, "evaluations": run.cost.evaluations, "checks": checks::as_json(&found),
        }),
        ..checks::section("figure 4", title, &found, Verdict::Redrawn, finding)
    })
}

fn table(run: &Controlled) -> String {
    let law = &run.law;
    let rows = [
        ("largest torque along eq. 52", format!("{} N m", short(law.torque))),
        ("K_p", format!("{} N m/rad", scientific(law.gains.proportional))),
        ("K_d", format!("{} N m s/rad", short(law.gains.derivative))),
        ("least inertia of the drives, m", format!("{} kg m²", scientific(law.inertia))),
        ("fastest root, √(K_p / m)", format!("{} rad/s", scientific(law.frequency))),
        ("step of the integration", format!("{} s", scientific(run.step))),
        ("steps and evaluations", format!("{} and {}", run.cost.steps, run.cost.evaluations)),
    ];
    table::numbers(["the law", "ours; none of it is printed"], rows.map(|(name, value)| (name, [value])))
}

/// Four differences over time, each with its label and unit.
fn panels(run: &Controlled, of: fn(&Sample) -> &Differences, labels: [(&str, f64); 4]) -> Result<String> {
    let series = |k: usize| run.samples.iter().map(|sample| (sample.t, of(sample)[k])).collect();
    let panel = |k: usize| over_time::differences(labels[k].0, LEGS, &series(k), labels[k].1);
    plot::panels(1, &[0, 1, 2, 3].map(panel))
}

const TRACKING: [(&str, f64); 4] = [
    ("θ, 10⁻⁹ rad", 1e-9),
    ("rate, 10⁻⁹ rad/s", 1e-9),
    ("acceleration, 10⁻⁶ rad/s²", 1e-6),
    ("torque, 10⁻⁹ N m", 1e-9),
];
const MODEL: [(&str, f64); 4] = [
    ("θ, 10⁻¹⁵ rad", 1e-15),
    ("rate, 10⁻¹⁵ rad/s", 1e-15),
    ("acceleration, 10⁻¹⁵ rad/s²", 1e-15),
    ("torque, 10⁻¹⁵ N m", 1e-15),
];
