//! Figure 4: the wrist in a simulation under a stiff PD law, and the errors of figures 6 and 7.

use super::motion::LEGS;
use crate::abedloo::AgileWrist;
use crate::abedloo::controlled::{Controlled, Law, PRINTED, RUN_IN, follow};
use crate::abedloo::trajectory::Trajectory;
use crate::report::checks;
use crate::report::number::{scientific, short};
use crate::report::plot;
use crate::report::section::{Figure, Section, Verdict};
use crate::report::three_legs::{self, Series};
use anyhow::Result;
use serde_json::json;
use std::fmt::Write;

/// Instants at which the robot is looked at, less one.
const LOOKS: usize = 400;

/// A simulation of the paper's motion over its period.
pub(super) fn section() -> Result<Section> {
    let (wrist, motion) = (AgileWrist::paper(AgileWrist::RADIUS), Trajectory::paper());
    let law = Law::for_error(&wrist, &motion, PRINTED[0])?;
    let run = follow(&wrist, &motion, law, Trajectory::PERIOD, LOOKS)?;
    let found = run.checks();
    let [tracking, model] = [run.largest(|sample| sample.tracking), run.largest(|sample| sample.model)];
    let [theta, rate, acceleration, torque] = tracking.map(scientific);
    Ok(Section {
        name: "figure 4",
        title: "The motion of eq. 52 in a simulation under a high-gain PD law",
        verdict: checks::verdict(&found, Verdict::Redrawn),
        headline: checks::headline(
            &found,
            format!("follows to {theta} rad, {rate} rad/s, {acceleration} rad/s², {torque} N m; the paper's orders are 10⁻⁷, 10⁻⁶, 10⁻⁵, 10⁻⁵"),
        ),
        body: table(&run) + &checks::table(&found),
        figures: vec![
            Figure {
                file: "000-tracking.svg",
                caption: "The simulated robot less the motion of eq. 52, mode +++: θ, its rate, its acceleration; the law's \
                          torque less that of the closed form for eq. 52.",
                svg: panels(&run, true)?,
            },
            Figure {
                file: "000-verification.svg",
                caption: "As in the paper's figures 6 and 7: the simulated robot less the closed form along the robot's own \
                          motion.",
                svg: panels(&run, false)?,
            },
        ],
        reasons: vec![
            format!(
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
             every derivative, would fit an error of the controller too. So both are held to the printed orders."
                .into(),
            format!(
                "The robot is simulated by legs + platform in its Euler angles, and looked at through tree + closures; the law's roots \
                 are as fast as {} rad/s, the steps of Runge and Kutta {} s. It starts on the motion without the error that \
                 carries it, which is why nothing is compared in the first {} s, which precede t = 0. The noise of the accelerations is rounding \
                 of θ, multiplied by K_p / m = {} 1/s².",
                scientific(law.frequency),
                scientific(run.step),
                RUN_IN,
                scientific(law.gains.proportional / law.inertia)
            ),
        ],
        data: json!({
            "gains": [law.gains.proportional, law.gains.derivative], "inertia": law.inertia, "tracking": tracking,
            "model": model, "evaluations": run.cost.evaluations, "checks": checks::as_json(&found),
        }),
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
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th>the law</th><th>ours; none of it is printed</th></tr></thead><tbody>",
    );
    for (name, value) in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
    }
    html + "</tbody></table></div>"
}

/// The four errors over time: of tracking, or of the model.
fn panels(run: &Controlled, tracking: bool) -> Result<String> {
    let series = |k: usize| -> Series {
        let of = |sample: &crate::abedloo::controlled::Sample| {
            if tracking { sample.tracking[k] } else { sample.model[k] }
        };
        run.samples.iter().map(|sample| (sample.t, of(sample))).collect()
    };
    let names: [(&str, f64); 4] = if tracking {
        [
            ("θ, 10⁻⁹ rad", 1e-9),
            ("rate, 10⁻⁹ rad/s", 1e-9),
            ("acceleration, 10⁻⁶ rad/s²", 1e-6),
            ("torque, 10⁻⁹ N m", 1e-9),
        ]
    } else {
        [
            ("θ, 10⁻¹⁵ rad", 1e-15),
            ("rate, 10⁻¹⁵ rad/s", 1e-15),
            ("acceleration, 10⁻¹⁵ rad/s²", 1e-15),
            ("torque, 10⁻¹⁵ N m", 1e-15),
        ]
    };
    let panel = |k: usize| three_legs::differences(names[k].0, LEGS, &series(k), names[k].1);
    plot::panels(1, &[0, 1, 2, 3].map(panel))
}
