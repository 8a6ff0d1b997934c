//! The arm of the demonstration, identified, beside what it is in truth.

use super::recordings::{NAMES, PAYLOAD, record};
use anyhow::{Context, Result, anyhow};
use appell::Robot;
use appell_identification::data::CutOff;
use appell_identification::estimate::Fit;
use appell_identification::identify::{Identified, Options, Recording, Recordings, Table, identify};
use appell_identification::parameters::{Body, Column, Inertial};
use appell_identification::unknowns::{Asked, Unknowns};
use appell_simulation::scenario::Scenario;

/// What the controller's file says, and where identification begins.
pub(super) fn first_idea() -> Result<Robot> {
    Robot::builtin("puma560").context("the PUMA 560 is built in")
}

/// What was found, and what is true.
pub(super) struct Study {
    pub(super) found: Identified,
    pub(super) parameters: Vec<Parameter>,
    /// Recordings, each with what is left of its torques.
    pub(super) left: Vec<(&'static str, Left)>,
    /// How far the estimate's torques are from the true ones, over these, along the second recording.
    pub(super) apart: f64,
    /// What the payload weighs by the loaded recording, and σ, kg.
    pub(super) weighed: [f64; 2],
    /// Measured torques of the loaded recording, and those that the identified robot needs with the payload; and its instants.
    pub(super) loaded: (Vec<f64>, Vec<[Vec<f64>; 2]>),
}

/// A base parameter.
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) unit: &'static str,
    pub(super) truth: f64,
    pub(super) estimate: f64,
    pub(super) sigma: f64,
    pub(super) consistent: f64,
    pub(super) before: f64,
}

/// What is left of a recording's torques.
pub(super) struct Left {
    /// By the true parameters: what noise and filters leave.
    pub(super) truth: Fit,
    /// By the free parameters, where they are of the same load.
    pub(super) free: Option<Fit>,
    /// By the identified robot, with the payload where there is one.
    pub(super) robot: Fit,
}

impl Study {
    pub(super) fn new() -> Result<Self> {
        let robot = first_idea()?;
        let [(first, truth), (second, _), (loaded, loaded_truth)] =
            [record(&robot, NAMES[0])?, record(&robot, NAMES[1])?, record(&robot, NAMES[2])?];
        let options = Options { folds: 0, ..Options::usual(&robot, &[]) };
        let recordings = Recordings { data: vec![first], validate: vec![second], ..Recordings::default() };
        let found = identify(&robot, &recordings, &options)?;
        let files = found.files.as_ref().with_context(|| format!("no robot is written: {:?}", found.refusal))?;
        let identified = Robot::from_toml(&files.toml).map_err(|error| anyhow!("the identified robot: {error}"))?;

        let mut left = Vec::new();
        for (name, recording) in NAMES.into_iter().zip(found.recordings.iter().chain(&found.held_out)) {
            let errors = found.errors(recording);
            let fit = Left {
                truth: left_by(&found, recording, &truth),
                free: Some(errors.free),
                robot: left_by(&found, recording, &identified),
            };
            left.push((name, fit));
        }
        let carrying = with_payload(&identified)?;
        let recording = same_filter(&found, &loaded, &robot)?;
        let fit = Left {
            truth: left_by(&found, &recording, &loaded_truth),
            free: None,
            robot: left_by(&found, &recording, &carrying),
        };
        left.push((NAMES[2], fit));
        let values = found.unknowns.model.values(&carrying);
        let stacked = recording.equations.efforts(&values.into());
        let n = recording.equations.rows().len();
        let of_joint =
            |joint: usize| stacked.each_ref().map(|all| all.iter().skip(joint).step_by(n).copied().collect());
        let joints = (0..n).map(of_joint).collect();
        Ok(Self {
            parameters: parameters(&found, &truth, &robot)?,
            apart: apart(&found, &truth),
            weighed: weighed(&identified, &loaded)?,
            left,
            loaded: (recording.times, joints),
            found,
        })
    }
}

/// What a robot leaves of a recording.
fn left_by(found: &Identified, recording: &Recording, robot: &Robot) -> Fit {
    Fit::of(&recording.equations, &found.unknowns.model.values(robot).into())
}

/// How far the torques of the estimate are from those of the truth, over these, along what was held out.
fn apart(found: &Identified, truth: &Robot) -> f64 {
    let (base, model) = (&found.full.base, &found.unknowns.model);
    let reduced = base.reduce(&found.held_out[0].equations);
    let true_torques = reduced.predicted(&base.values(&model.values(truth)));
    (reduced.predicted(&found.full.estimate.values) - &true_torques).norm() / true_torques.norm()
}

/// A robot with the payload of the last recording, which is known.
fn with_payload(robot: &Robot) -> Result<Robot> {
    let text = format!("robot = \"the identified one\"\nduration = 1\ncontroller.law = \"none\"\n{PAYLOAD}");
    let scenario = Scenario::read(&text).map_err(|problems| anyhow!("the payload: {problems}"))?;
    let prepared = scenario.prepare(robot).map_err(|error| anyhow!("the payload: {error}"))?;
    Ok(prepared.truth().clone())
}

/// A recording through the filter of the others.
fn same_filter(found: &Identified, table: &Table, robot: &Robot) -> Result<Recording> {
    let mut layout = Options::usual(robot, &[]).layout;
    layout.filter.cut_off = found.filter.cut_off.map_or(CutOff::Off, CutOff::At);
    layout.filter.decimation = Some(found.filter.decimation);
    Ok(Recording::of_table(table, robot, &layout, &found.unknowns)?)
}

fn parameters(found: &Identified, truth: &Robot, robot: &Robot) -> Result<Vec<Parameter>> {
    let (base, estimate, model) = (&found.full.base, &found.full.estimate, &found.unknowns.model);
    let consistent = found.full.consistent.as_ref().map_err(|error| anyhow!("no consistent robot: {error}"))?;
    let of = |robot: &Robot| base.values(&model.values(robot));
    let (truth, before, consistent) = (of(truth), of(robot), base.values(consistent.values.as_slice()));
    let sigma = estimate.sigma();
    let one = |(k, name): (usize, &String)| Parameter {
        name: name.clone(),
        unit: model.unit(robot, base.kept()[k]),
        truth: truth[k],
        estimate: estimate.values[k],
        sigma: sigma[k],
        consistent: consistent[k],
        before: before[k],
    };
    Ok(estimate.names.iter().enumerate().map(one).collect())
}

/// The mass of the payload and its σ, kg, by the loaded recording: of the identified robot all is known but the last body.
fn weighed(identified: &Robot, loaded: &Table) -> Result<[f64; 2]> {
    let all = Unknowns::new(identified, None, &Asked::default())?.model;
    let last = Body::Joint(identified.tree().dof() - 1);
    let is_last = |column: &Column| matches!(column, Column::Inertial { body, .. } if *body == last);
    let known = (0..all.columns().len()).filter(|&k| !is_last(&all.columns()[k])).map(|k| all.name(k)).collect();
    let mut options = Options { folds: 0, ..Options::usual(identified, &[]) };
    options.asked = Asked { known, ..Asked::default() };
    let data = vec![loaded.clone()];
    let weighed = identify(identified, &Recordings { data, ..Recordings::default() }, &options)?;
    let model = &weighed.unknowns.model;
    let is_mass = |column: &Column| matches!(column, Column::Inertial { parameter: Inertial::M, .. });
    let mass = model.columns().iter().position(is_mass).context("the last body has a mass")?;
    let at = weighed
        .full
        .base
        .kept()
        .iter()
        .position(|&k| k == mass)
        .context("the motion shows the mass of the last body")?;
    let estimate = &weighed.full.estimate;
    Ok([estimate.values[at] - model.values(identified)[mass], estimate.sigma()[at]])
}
