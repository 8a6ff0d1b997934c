//! What is found from recordings: the model that was asked for, the one that a robot's file can hold, and what to doubt.

use super::acceptance;
use super::doubts::{matters, told};
use super::fitted::{Data, Fitted, Trial, price};
use super::method::Estimator;
use super::recording::{Recording, joined};
use super::report::round;
use super::simulation::Loops;
use super::unknowns::{Unknowns, may_share_legs};
use super::urdf::Urdf;
use anyhow::{Context, ensure};
use appell_drawing::listing::short;
use appell_identification::base_parameters::{BaseParameters, structural};
use appell_identification::consistency::Consistent;
use appell_identification::data::Span;
use appell_identification::estimate::{Delay, Stretch, delays, doubts, gains};
use appell_identification::observation::Observation;
use appell_identification::parameters::{Column, Effect, Inertial, Model, Robot};
use appell_identification::validation::{Essential, Stranger, essential, strangers};

/// A condition number beyond which noise rules.
const ILL_CONDITIONED: f64 = 1000.0;

/// What consistency may cost, over the residual without it, before it is doubted.
const PRICE: f64 = 0.2;

/// A joint of which the written robot leaves more than this is told.
const MUCH_LEFT: f64 = 0.3;

/// Efforts of which more than this is left, of all joints together, are told.
const SOME_LEFT: f64 = 0.1;

/// And held-out ones of which more than this is left, and so many times as much as of fitted ones.
const WORTH_TELLING: f64 = 0.02;
const MUCH_MORE: f64 = 2.5;

/// Bodies that are so many times heavier or lighter than before are told.
const HEAVIER: f64 = 5.0;

/// What was asked for.
pub(super) struct Question<'q> {
    pub(super) robot: Robot<'q>,
    pub(super) unknowns: &'q Unknowns,
    pub(super) recordings: &'q [Recording],
    pub(super) held_out: &'q [Recording],
    pub(super) of_reference: &'q [Recording],
    pub(super) estimator: Estimator,
    /// In which what was found is simulated, where instruments are made so.
    pub(super) loops: Option<&'q Loops<'q>>,
    pub(super) folds: usize,
    /// By how much the residual may grow when parameters are left out.
    pub(super) loss: Option<f64>,
}

/// What was found.
pub(super) struct Study {
    /// How many base parameters the robot has, whatever moves it.
    pub(super) structural: usize,
    /// The model that was asked for.
    pub(super) full: Fitted,
    /// That of what a robot's file has numbers for; none where it is the same.
    pub(super) file: Option<Fitted>,
    pub(super) urdf: Urdf,
    pub(super) essential: Option<Essential>,
    /// What one robot cannot have: rotors heavier than itself.
    pub(super) too_heavy: Option<String>,
    /// How many times as much as those of the given robot its bodies do, by least squares; none where these do nothing.
    pub(super) factor: Option<f64>,
    pub(super) warnings: Vec<String>,
}

impl Study {
    /// The model whose consistent parameters a robot's file holds.
    pub(super) fn of_file(&self) -> &Fitted {
        self.file.as_ref().unwrap_or(&self.full)
    }

    /// The robot that was found, or why there is none.
    pub(super) fn robot(&self) -> Result<&Consistent, String> {
        let file = self.of_file();
        let found = file.consistent.as_ref().map_err(|error| acceptance::without_robot(file, error))?;
        match acceptance::refusal(self, found) {
            None => Ok(found),
            Some(refusal) => Err(refusal),
        }
    }

    /// How much the robot's file counted.
    pub(super) fn trust(&self) -> Option<f64> {
        self.of_file().consistent.as_ref().ok().map(|found| found.trust)
    }

    /// The parameters that were found and that a robot's file has no numbers for, with their values.
    pub(super) fn beyond(&self) -> Vec<(String, f64)> {
        self.found(|column| !column.is_described())
    }

    /// What robot.toml predicts of the efforts of equations of the model that was asked for; none where there is no robot. What it has no
    /// numbers for is zero.
    pub(super) fn predicted_by_robot(&self, equations: &Observation) -> Option<Vec<f64>> {
        let found = self.robot().ok()?;
        let (of_file, gains) = (self.of_file().equations.model(), self.gains());
        let model = equations.model();
        let value = |k: usize| {
            let own = of_file.columns().iter().position(|column| *column == model.columns()[k]);
            let gain = || gains.iter().find(|(name, _)| *name == model.name(k)).map_or(0.0, |(_, gain)| *gain);
            own.map_or_else(gain, |own| found.values[own])
        };
        let values: Vec<f64> = (0..model.columns().len()).map(value).collect();
        let [_, predicted] = equations.efforts(&values.into());
        Some(predicted)
    }

    /// The drive gains among them.
    pub(super) fn gains(&self) -> Vec<(String, f64)> {
        self.found(Column::is_gain)
    }

    /// Consistent parameters of some columns, with their names.
    fn found(&self, is_asked: impl Fn(&Column) -> bool) -> Vec<(String, f64)> {
        let Ok(found) = &self.full.consistent else { return Vec::new() };
        let model = self.full.equations.model();
        let asked = (0..model.columns().len()).filter(|&k| is_asked(&model.columns()[k]));
        asked.map(|k| (model.name(k), found.values[k])).collect()
    }
}

impl Question<'_> {
    pub(super) fn study(&self) -> anyhow::Result<Study> {
        let mut warnings: Vec<String> = Vec::new();
        for recording in self.recordings.iter().chain(self.held_out).chain(self.of_reference) {
            warnings.extend(recording.measured.doubts.iter().map(|doubt| format!("{}: {doubt}", recording.name)));
        }
        let of_recordings = warnings.len();
        let data = Data {
            fitted: joined(self.recordings).context("--data names no file")?,
            held_out: joined(self.held_out),
            of_reference: joined(self.of_reference),
        };
        let model = &self.unknowns.model;
        let whole = structural(self.robot, model)?;
        check_gains(&data.fitted, &whole)?;
        let (base, hidden) = data.shown(self.robot, &whole)?;
        let spans = self.recordings.iter().map(|recording| recording.measured.span);
        let names = || self.recordings.iter().map(|recording| recording.name.as_str()).collect::<Vec<_>>().join(", ");
        Span::expect_enough(&spans.collect::<Vec<_>>(), base.len()).with_context(names)?;
        if !hidden.is_empty() {
            warnings.push(format!(
                "the motion does not excite {} of {} base parameters, which stay with others: {}",
                hidden.len(),
                whole.len(),
                hidden.join(", ")
            ));
        }
        let full = self.fitted(data.map(|equations| Ok(equations.clone()))?, base)?;
        let reduced = gains::linear(&full.base.reduce(&full.equations), &full.estimate.values);
        warnings.extend(self.doubted(&full, &reduced));
        let essential = self.loss.map(|loss| essential(&reduced, loss)).transpose()?;
        // With nothing for the file to hold, it stays as it was.
        let described = model.columns().iter().filter(|column| column.is_described()).count();
        let is_part = ![0, model.columns().len()].contains(&described);
        let file = is_part.then(|| self.of_file(&data, &full)).transpose()?;
        let (structural, urdf) = (whole.len(), Urdf::None);
        let mut study = Study { structural, full, file, urdf, essential, too_heavy: None, factor: None, warnings };
        study.too_heavy = acceptance::too_heavy(self.robot, study.of_file());
        study.factor = self.factor(study.of_file());
        let (urdf, of_urdf) = self.of_urdf(&study);
        study.urdf = urdf;
        // A terminal shows the first few: what became of the robot, what is odd about the recordings, how good the robot is, and then doubts
        // about parameters.
        let told: Vec<String> = of_robot(&study).into_iter().chain(of_urdf).chain(self.of_bodies(&study)).collect();
        study.warnings.splice(of_recordings..of_recordings, told);
        if let Err(error) = study.robot() {
            study.warnings.insert(0, format!("no robot is written: {error}"));
        }
        Ok(study)
    }

    fn fitted(&self, data: Data, base: BaseParameters) -> anyhow::Result<Fitted> {
        let names: Vec<&str> = self.held_out.iter().map(|recording| recording.name.as_str()).collect();
        let trial = Trial { estimator: &self.estimator, loops: self.loops, folds: self.folds, by: &names.join(", ") };
        Fitted::new(data, base, self.robot, &trial)
    }

    /// The same data for what a robot's file has numbers for. Drive gains are what was found; the rest of the model is zero.
    fn of_file(&self, data: &Data, full: &Fitted) -> anyhow::Result<Fitted> {
        let model = full.equations.model();
        let values = full
            .consistent
            .as_ref()
            .map_or_else(|_| self.unknowns.model.values(self.robot), |found| found.values.as_slice().to_vec());
        let beyond = (0..model.columns().len()).filter(|&k| !model.columns()[k].is_described());
        let known: Vec<(String, f64)> =
            beyond.map(|k| (model.name(k), if model.columns()[k].is_gain() { values[k] } else { 0.0 })).collect();
        let known: Vec<(&str, f64)> = known.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let data = data.map(|equations| Ok(equations.with_known(&known)?))?;
        let whole = structural(self.robot, data.fitted.model())?;
        let (base, _) = data.shown(self.robot, &whole)?;
        self.fitted(data, base)
    }

    /// How many times as much as those of the given robot the bodies that were found do.
    fn factor(&self, file: &Fitted) -> Option<f64> {
        let found = file.consistent.as_ref().ok()?;
        let model = file.equations.model();
        let before = model.values(self.robot);
        let is_body = |k: usize| matches!(model.columns()[k], Column::Inertial { .. });
        let bodies = |values: &dyn Fn(usize) -> f64| {
            let values: Vec<f64> = (0..before.len()).map(|k| if is_body(k) { values(k) } else { 0.0 }).collect();
            file.equations.predicted(&values.into())
        };
        let (now, then) = (bodies(&|k| found.values[k]), bodies(&|k| before[k]));
        (then.norm() > 0.0).then(|| now.dot(&then) / then.norm_squared())
    }

    /// What to doubt about bodies beside those of the robot before.
    fn of_bodies(&self, study: &Study) -> Vec<String> {
        let (file, mut warnings) = (study.of_file(), Vec::new());
        let model = file.equations.model();
        let before = model.values(self.robot);
        warnings.extend(acceptance::odd_rotors(self.robot, file));
        let trust =
            study.robot().ok().map(|found| found.trust).filter(|trust| self.estimator.trust.is_none() && *trust < 1.0);
        warnings.extend(trust.map(|trust| {
            format!(
                "the data are far from the bodies of the given robot, as with a payload that it lacks, or a sign or unit that is wrong: to fit \
                 them its file counts {} times less than usual (--trust {trust})",
                short(round(1.0 / trust))
            )
        }));
        if let Some(factor) = study.factor.filter(|factor| !(1.0 / HEAVIER..=HEAVIER).contains(factor)) {
            warnings.push(format!(
                "the bodies that were found do {} times what those of the given robot do: check the unit of the efforts, and the \
                 robot's file",
                short(round(factor))
            ));
        }
        let massless: Vec<String> = (0..before.len())
            .filter(|&k| matches!(model.columns()[k], Column::Inertial { parameter: Inertial::M, .. }))
            .filter(|&k| before[k..].iter().take(Inertial::ALL.len()).all(|&x| x == 0.0))
            .map(|k| model.name(k))
            .collect();
        if !massless.is_empty() {
            warnings.push(format!(
                "bodies without mass in the given robot stay without ({}); give them a first guess",
                massless.join(", ")
            ));
        }
        warnings
    }

    /// Recordings that do not fit the others, in words.
    fn strangers(&self, full: &Fitted, reduced: &Observation) -> Vec<String> {
        let samples: Vec<usize> = self.recordings.iter().map(|own| own.measured.equations.samples()).collect();
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        let told = |Stranger { recording, predicted, others, together }| {
            let name = &self.recordings[recording].name;
            format!(
                "{name} does not fit the other recordings, which leave {} of their own efforts and {} of its; all together leave {}: look for \
                 another load, robot or layout",
                percent(others),
                percent(predicted),
                percent(together)
            )
        };
        strangers(reduced, &full.estimate, &samples).into_iter().map(told).collect()
    }

    /// What to doubt about the estimate.
    fn doubted(&self, full: &Fitted, reduced: &Observation) -> Vec<String> {
        let mut warnings = Vec::new();
        if full.estimate.condition > ILL_CONDITIONED {
            let legs = if may_share_legs(self.robot, &self.unknowns.model) {
                ", or let equal legs share their bodies (--equal-legs)"
            } else {
                ""
            };
            warnings.push(format!(
                "the condition number is {}: noise decides much; excite better (`appell excite`), ask for less{legs}",
                short(round(full.estimate.condition))
            ));
        }
        warnings.extend(self.strangers(full, reduced));
        let recordings = self.recordings.iter().enumerate();
        let stretches: Vec<Stretch> = recordings.flat_map(|(k, recording)| recording.measured.stretches(k)).collect();
        // Beside greater faults a delay is no more than another way to explain some of them.
        let is_near = full.estimate.fit.relative < MUCH_LEFT;
        let delays = if is_near { delays(reduced, &full.estimate, &stretches) } else { Vec::new() };
        for Delay { recording, joint, seconds, gain } in delays {
            let place = recording.map_or(String::new(), |k| format!("{}: ", self.recordings[k].name));
            warnings.push(format!(
                "{place}the efforts{} look about {:.2} ms {} than the positions, which is {:.0} % of what is left: look for a delay in the \
                 recorder, or a filter on some columns, and shift them",
                joint.map_or(String::new(), |joint| format!(" of {joint}")),
                1e3 * seconds.abs(),
                if seconds > 0.0 { "later" } else { "earlier" },
                100.0 * gain
            ));
        }
        let sizes = full.base.sizes(&full.equations.model().sizes(self.robot));
        let mut doubts = doubts(&full.estimate, reduced, &sizes);
        doubts.retain(|doubt| matters(doubt, reduced, &full.estimate));
        warnings.extend(told(&doubts));
        warnings
    }
}

/// Refuses gains that nothing determines: efforts in unknown units only tell ratios of parameters.
fn check_gains(equations: &Observation, whole: &BaseParameters) -> anyhow::Result<()> {
    let columns = equations.model().columns();
    let gains = || (0..columns.len()).filter(|&k| columns[k].is_gain());
    let last = equations.rows().len();
    let remedy = format!(
        "know something that gives the scale and moves that joint, such as a payload that was weighed, as a body of the robot's file, \
         --known 'M*{last},X?{last},Y?{last},ZZ{last}'; or a gain, --known g1; or ask for fewer other effects of that joint"
    );
    ensure!(
        gains().next().is_none() || equations.right().iter().any(|&y| y != 0.0),
        "with --effects gain all efforts are in unknown units, and nothing is known: {remedy}"
    );
    let is_alone = |&k: &usize| {
        let place = whole.kept().iter().position(|&kept| kept == k);
        place.is_some_and(|row| whole.regrouping().row(row).iter().filter(|x| **x != 0.0).count() == 1)
    };
    if let Some(k) = gains().find(|k| !is_alone(k)) {
        anyhow::bail!("the gain {} cannot be told from other parameters: {remedy}", equations.model().name(k));
    }
    Ok(())
}

/// What to doubt about the robot that was found.
fn of_robot(study: &Study) -> Vec<String> {
    let mut warnings = Vec::new();
    for fitted in [Some(&study.full), study.file.as_ref()].into_iter().flatten() {
        warnings.extend(
            fitted
                .not_validated
                .as_ref()
                .map(|error| format!("no cross-validation, parts of the data are too poor alone: {error}")),
        );
    }
    if let Ok(found) = &study.full.consistent {
        warnings.extend(price(found).filter(|price| *price > PRICE).map(|price| {
            format!(
                "consistent parameters fit {:.0} % worse than free ones: the model misses something, or noise decides on free ones",
                100.0 * price
            )
        }));
    }
    match study.robot() {
        Err(_) => {}
        Ok(found) => {
            let left = found.fit.relative;
            if left > SOME_LEFT {
                let why = if study.file.is_some() {
                    "what a robot's file cannot hold matters"
                } else {
                    "ask for more --effects, know less, or look for what the model misses"
                };
                warnings.push(format!("the robot that is written leaves {:.0} % of the efforts: {why}", 100.0 * left));
            }
            let validation = study.of_file().validation.as_ref();
            let held_out = validation.map(|validation| validation.consistent.as_ref().unwrap_or(&validation.estimate));
            if let Some(fit) = held_out.filter(|fit| fit.relative > WORTH_TELLING.max(MUCH_MORE * left)) {
                warnings.push(format!(
                    "of efforts that were not fitted it leaves {:.0} %, of fitted ones {:.0} %: do not trust it beyond the fitted motions",
                    100.0 * fit.relative,
                    100.0 * left
                ));
            }
            let poor = found.fit.rows.iter().filter(|row| row.relative > MUCH_LEFT);
            let poor: Vec<String> = poor.map(|row| format!("{:.0} % of {}", 100.0 * row.relative, row.name)).collect();
            if !poor.is_empty() {
                let why = if study.file.is_some() {
                    "what a robot's file cannot hold matters there, or the model misses something"
                } else {
                    "the model misses something there, or they move too little"
                };
                warnings
                    .push(format!("the robot that is written leaves much of some efforts, {}: {why}", poor.join(", ")));
            }
            warnings.extend(found.balls.iter().map(|name| {
                format!(
                    "the body of {name} is a point in the robot's file, and motion shows more of it: it was taken as a ball of \
                     aluminium to begin with"
                )
            }));
            if jumps(study.of_file().equations.model(), found) {
                warnings.push(
                    "Coulomb friction jumps at rest, since --smoothing is 0: `appell simulate` will want a speed over which it \
                     changes its sign"
                        .into(),
                );
            }
        }
    }
    warnings
}

/// Whether a robot has Coulomb friction without smoothing.
fn jumps(model: &Model, found: &Consistent) -> bool {
    let jumps = |column: &Column| matches!(column, Column::Effect { effect: Effect::Coulomb { smoothing: 0.0 }, .. });
    model.columns().iter().zip(&found.values).any(|(column, value)| jumps(column) && *value != 0.0)
}
