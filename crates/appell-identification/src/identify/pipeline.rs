//! The pipeline: recording → filters → observation → base parameters → estimate → consistency → validation → robot.

use super::error::IdentifyError;
use super::fitted::{Fitted, Validation};
use super::recording::{Made, Measured, Recorder, Recording, expect_own_rows};
use super::simulation::Loops;
use super::{Estimator, Identified, Instruments, Options, Recordings, Urdf, acceptance, robot_files, warnings};
use crate::base_parameters::{BaseParameters, preference, structural, structural_loaded};
use crate::consistency::{self, Prior};
use crate::data::{CutOff, Load, Span};
use crate::estimate::{Estimate, Fit, Method, Stretch, by_spectrum, estimate, gains, instruments, weighted};
use crate::observation::Observation;
use crate::parameters::Column;
use crate::unknowns::{Unknowns, UnknownsError, with_locked};
use crate::validation::{cross_validate, essential};
use appell::Robot;

/// Identifies a robot that comes from a description, from recordings.
///
/// # Errors
/// If something is wrong with the recordings, or they say too little. That no robot is written is none: parameters are found all the same,
/// and [`Identified::refusal`] says why.
pub fn identify(robot: &Robot, recordings: &Recordings, options: &Options) -> Result<Identified, IdentifyError> {
    // Motors of transmissions are columns, and no rows of the tree.
    let robot = &robot.without_motors();
    let description = robot.description().ok_or(IdentifyError::NoDescription)?;
    let observed = with_locked(robot, &options.asked.locked).map_err(UnknownsError::from)?;
    if matches!(recordings.instruments, Instruments::Loops(_)) && !options.asked.locked.is_empty() {
        return Err(IdentifyError::LockedLoop);
    }
    let (robot, layout) = (&observed, &options.layout);

    // Recording: columns become joints, and none may count twice.
    let unknowns = Unknowns::new(robot, Some(layout), &options.asked)?;
    let recorder = Recorder { robot, layout, unknowns: &unknowns };
    let (mut data, validate) = (recorder.measure(&recordings.data)?, recorder.measure(&recordings.validate)?);
    data.extend(recorder.measure_loaded(&recordings.loaded)?);
    expect_own_rows(&data, &validate)?;
    let references = match &recordings.instruments {
        Instruments::Motions(tables) => recorder.references(tables, &data)?,
        Instruments::None | Instruments::Loops(_) => Vec::new(),
    };

    // Filters: one for all recordings, as their motion needs it.
    let filter = layout.filter.chosen(&data.iter().flat_map(|own| &own.pieces).collect::<Vec<_>>())?;
    let is_chosen = layout.filter.cut_off == CutOff::Automatic;

    // Observation: equations, refused where the robot's file says that units, signs or the order of joints are wrong.
    let loops = match &recordings.instruments {
        Instruments::Loops(loops) => Some(Loops::new(loops, description, recorder, &filter, &data)?),
        Instruments::None | Instruments::Motions(_) => None,
    };
    let loads = loads(&data);
    let fitted = recorder.observe(data, &filter)?;
    let (held_out, of_reference) = (recorder.observe(validate, &filter)?, recorder.observe(references, &filter)?);
    let made = Made { fitted: &fitted, held_out: &held_out, of_reference: &of_reference };
    let equations = made.equations(|recording| Ok(recording.equations.clone()))?;

    // Base parameters: those of the robot, and those that the motion shows.
    let whole = structural_loaded(robot, &unknowns.model, &loads)?;
    expect_gains(&equations.fitted, &whole)?;
    let (base, hidden) = equations.shown(robot, &whole)?;
    let spans: Vec<Span> = fitted.iter().map(|recording| recording.span).collect();
    Span::expect_enough(&spans, base.len()).map_err(|cause| {
        let names = fitted.iter().map(|recording| recording.source.name.as_str()).collect::<Vec<_>>().join(", ");
        IdentifyError::TooLittle { names, cause }
    })?;

    // Estimate, consistency and validation, of the model that was asked for and of what a robot's file has numbers for.
    let names: Vec<&str> = held_out.iter().map(|recording| recording.source.name.as_str()).collect();
    let trial = Trial {
        robot,
        estimator: options.estimator,
        loops: loops.as_ref(),
        folds: options.folds,
        by: &names.join(", "),
        stretches: &made.stretches(),
    };
    let full = trial.fit(equations.clone(), base)?;
    let reduced = gains::linear(&full.base.reduce(&full.equations), &full.estimate.values);
    let essential = options.essential.map(|loss| essential(&reduced, loss)).transpose()?;
    let described = (0..unknowns.model.columns().len()).filter(|&k| unknowns.model.is_described(k)).count();
    let is_part = ![0, unknowns.model.columns().len()].contains(&described);
    let file = is_part.then(|| fit_described(&trial, &equations, &full, &unknowns)).transpose()?;

    // Robot: none is written that would mislead; a URDF, which holds less, is fitted for itself.
    let body_ratio = acceptance::body_ratio(robot, file.as_ref().unwrap_or(&full));
    let mut found = Identified {
        structural: whole.len(),
        filter,
        is_chosen,
        ends: ends(&fitted),
        full,
        file,
        urdf: Urdf::None,
        essential,
        body_ratio,
        refusal: None,
        warnings: Vec::new(),
        files: None,
        recordings: Vec::new(),
        held_out: Vec::new(),
        unknowns: unknowns.clone(),
        observed: observed.clone(),
    };
    found.refusal = acceptance::refusal(&found);
    let (urdf, of_urdf) = warnings::of_urdf(&found, || fit_urdf(&trial, &made, &found), robot);
    found.urdf = urdf;
    found.warnings = warnings::all(robot, options, &made, &found, &reduced, &hidden, of_urdf);
    found.files = robot_files::write(robot, description, recordings, options, &made, &found)?;
    (found.recordings, found.held_out) = (fitted, held_out);
    Ok(found)
}

/// What the robot carried in recordings, each once; nothing where it never carried anything.
fn loads(data: &[Measured]) -> Vec<Option<Load>> {
    let mut loads: Vec<Option<Load>> = Vec::new();
    for own in data {
        if !loads.contains(&own.load) {
            loads.push(own.load);
        }
    }
    loads
}

/// What is cut off at an end of recordings, s, at most; and the part of all samples that is lost so.
fn ends(recordings: &[Recording]) -> [f64; 2] {
    let rows: f64 = recordings.iter().map(|recording| recording.rows as f64).sum();
    let lost = recordings.iter().map(|recording| recording.lost * recording.rows as f64).sum::<f64>() / rows;
    [recordings.iter().map(|recording| recording.border).fold(0.0, f64::max), lost]
}

impl Made<'_> {
    /// The samples of what is fitted that follow each other, recording after recording.
    pub(super) fn stretches(&self) -> Vec<Stretch> {
        self.fitted.iter().enumerate().flat_map(|(k, recording)| recording.stretches(k)).collect()
    }

    /// Equations of all recordings, one after the other.
    fn equations(
        &self,
        of: impl Fn(&Recording) -> Result<Observation, IdentifyError>,
    ) -> Result<Equations, IdentifyError> {
        let joined = |recordings: &[Recording]| -> Result<Option<Observation>, IdentifyError> {
            let all = recordings.iter().map(&of).collect::<Result<Vec<_>, _>>()?;
            Ok(all.into_iter().reduce(|all, next| all.followed_by(&next)))
        };
        Ok(Equations {
            fitted: joined(self.fitted)?.ok_or(IdentifyError::NoData)?,
            held_out: joined(self.held_out)?,
            of_reference: joined(self.of_reference)?,
        })
    }
}

/// Equations of one model.
#[derive(Clone)]
struct Equations {
    fitted: Observation,
    /// What is only predicted.
    held_out: Option<Observation>,
    /// Of a motion that knows nothing of the noise.
    of_reference: Option<Observation>,
}

impl Equations {
    /// The same with some parameters known.
    fn with_known(&self, known: &[(String, f64)]) -> Self {
        let with = |equations: &Observation| equations.with_known(known).expect("names of its own columns");
        Self {
            fitted: with(&self.fitted),
            held_out: self.held_out.as_ref().map(with),
            of_reference: self.of_reference.as_ref().map(with),
        }
    }

    /// The base parameters that the data show: the robot's own where the motion is rich enough, and the names of those that it hides.
    fn shown(&self, robot: &Robot, whole: &BaseParameters) -> Result<(BaseParameters, Vec<String>), IdentifyError> {
        let equations = &self.fitted;
        let (rows, samples, parameters) = (equations.matrix().nrows(), equations.samples(), whole.len());
        if rows <= parameters {
            return Err(IdentifyError::TooFew { rows, samples, parameters });
        }
        let shown = BaseParameters::of(equations, &preference(robot, equations.model()), whole.tolerance());
        if shown.is_empty() {
            return Err(IdentifyError::NothingShown);
        }
        if shown.len() >= whole.len() {
            return Ok((whole.clone(), Vec::new()));
        }
        let kept = whole.kept().iter().zip(whole.names());
        let hidden = kept.filter(|(k, _)| !shown.kept().contains(k)).map(|(_, name)| name).collect();
        Ok((shown, hidden))
    }
}

/// How models are fitted and tried.
struct Trial<'t> {
    robot: &'t Robot,
    estimator: Estimator,
    /// In which what was found is simulated, where instruments are made so.
    loops: Option<&'t Loops<'t>>,
    /// Parts of the data that are predicted by the others.
    folds: usize,
    /// What is held out, in words.
    by: &'t str,
    /// Of the equations that are fitted.
    stretches: &'t [Stretch],
}

impl Trial<'_> {
    /// Estimate, consistency and validation of what the data show of one model.
    fn fit_shown(&self, equations: Equations) -> Result<Fitted, IdentifyError> {
        let whole = structural(self.robot, equations.fitted.model())?;
        let (base, _) = equations.shown(self.robot, &whole)?;
        self.fit(equations, base)
    }

    /// Estimate, consistency and validation of one model.
    fn fit(&self, equations: Equations, base: BaseParameters) -> Result<Fitted, IdentifyError> {
        let Equations { fitted: equations, held_out, of_reference } = equations;
        let whole = equations.model().with_whole_bodies();
        let values = whole.values(self.robot);
        let prior = Prior { model: &whole, values: &values, trust: self.estimator.trust.unwrap_or(1.0) };

        // Estimate.
        let reduced = base.reduce(&equations);
        let free = match self.loops {
            None => self.free(&reduced, of_reference.map(|z| base.reduce(&z)).as_ref()),
            Some(loops) => weighted::estimate(&reduced).map_err(Into::into).and_then(|start| {
                instruments::by_simulation(&reduced, start, |found| {
                    let found = consistency::fit(&equations, &base, found, &prior)?;
                    let simulated = loops.equations(&whole, found.whole.as_slice(), equations.model())?;
                    Ok::<_, IdentifyError>(base.reduce(&simulated))
                })
            }),
        };
        let (samples, parameters) = (equations.samples(), base.len());
        let free = free.map_err(|cause| IdentifyError::NoEstimate { samples, parameters, cause: Box::new(cause) })?;
        let free = by_spectrum(&gains::linear(&reduced, &free.values), free, self.stretches);

        // Consistency.
        let fit = if self.estimator.trust.is_some() { consistency::fit } else { consistency::fit_far };
        let consistent = fit(&equations, &base, &free, &prior);
        let found_freely = free.values.clone();
        let estimate = match self.estimator.method {
            Method::Consistent => {
                let found = consistent.clone()?;
                let values = base.values(found.values.as_slice());
                // At most as uncertain as free parameters are.
                Estimate { method: "a physically consistent fit", values, fit: found.fit, ..free }
            }
            _ => free,
        };
        let estimate = estimate.named(base.names());

        // Validation.
        let (mut validation, mut not_validated) = (None, None);
        if let Some(others) = held_out {
            validation = Some(Validation {
                by: self.by.to_owned(),
                estimate: Fit::of(&base.reduce(&others), &estimate.values),
                consistent: consistent.as_ref().ok().map(|found| Fit::of(&others, &found.values)),
            });
        } else if self.folds > 1 && self.estimator.method != Method::Instruments && samples >= self.folds {
            let trust = consistent.as_ref().ok().map(|found| found.trust);
            match self.cross_validate(&equations, &base, &prior, trust) {
                Ok(found) => validation = Some(found),
                Err(error) => not_validated = Some(error.to_string()),
            }
        }
        Ok(Fitted { equations, base, estimate, free: found_freely, consistent, whole, validation, not_validated })
    }

    /// Free base parameters; those that a consistent fit begins with are of weighted least squares.
    fn free(&self, reduced: &Observation, of_reference: Option<&Observation>) -> Result<Estimate, IdentifyError> {
        let Estimator { method, weighs, .. } = self.estimator;
        let Some(of_reference) = of_reference.filter(|_| method == Method::Instruments) else {
            return Ok(estimate(reduced, method, weighs)?);
        };
        let (found, expected) = (of_reference.samples(), reduced.samples());
        if found != expected {
            return Err(IdentifyError::InstrumentSamples { found, expected });
        }
        let estimate = if weighs { instruments::weighted } else { instruments::estimate };
        Ok(estimate(reduced, of_reference)?)
    }

    /// Parts of the data, each predicted by the others; by a physically consistent robot, too, with the trust that was chosen for it.
    fn cross_validate(
        &self,
        equations: &Observation,
        base: &BaseParameters,
        prior: &Prior<'_>,
        trust: Option<f64>,
    ) -> Result<Validation, IdentifyError> {
        let folds = self.folds;
        let fit = |part: &Observation, trust: f64| -> Result<_, IdentifyError> {
            let free = self.free(&base.reduce(part), None)?;
            Ok(consistency::fit(part, base, &free, &Prior { trust, ..*prior })?.values)
        };
        let of_consistent = trust.map(|trust| cross_validate(equations, folds, |part| fit(part, trust))).transpose()?;
        let of_estimate = match (&of_consistent, self.estimator.method) {
            (Some(found), Method::Consistent) => found.clone(),
            _ => {
                cross_validate(&base.reduce(equations), folds, |part| self.free(part, None).map(|found| found.values))?
            }
        };
        Ok(Validation {
            by: format!("{folds} parts of the data, each predicted by the others"),
            estimate: of_estimate,
            consistent: of_consistent,
        })
    }
}

/// The same data for what a robot's file has numbers for. Drive gains are what was found; the rest of the model is zero.
fn fit_described(
    trial: &Trial<'_>,
    equations: &Equations,
    full: &Fitted,
    unknowns: &Unknowns,
) -> Result<Fitted, IdentifyError> {
    let model = full.equations.model();
    let before = || unknowns.model.values(trial.robot);
    let values = full.consistent.as_ref().map_or_else(|_| before(), |found| found.values.as_slice().to_vec());
    let beyond = (0..model.columns().len()).filter(|&k| !model.is_described(k));
    let known: Vec<(String, f64)> =
        beyond.map(|k| (model.name(k), if model.columns()[k].is_gain() { values[k] } else { 0.0 })).collect();
    let equations = equations.with_known(&known);
    trial.fit_shown(equations)
}

/// The same for what a URDF has numbers for: no rotors, offsets, springs, and no smoothing of friction. Known numbers stay, drive gains
/// are what was found, and the rest is zero.
fn fit_urdf(trial: &Trial<'_>, made: &Made<'_>, found: &Identified) -> Result<Fitted, IdentifyError> {
    let model = found.unknowns.all.in_urdf();
    let (names, gains) = (model.names(), found.gains());
    let mut known = found.unknowns.known.clone();
    known.retain(|(name, _)| names.contains(name));
    for name in (0..names.len()).filter(|&k| model.columns()[k].is_gain()).map(|k| &names[k]) {
        let value = gains.iter().find(|(own, _)| own == name).map_or(1.0, |(_, value)| *value);
        if known.iter().all(|(own, _)| own != name) {
            known.push((name.clone(), value));
        }
    }
    let equations = made.equations(|recording| recording.equations_of(trial.robot, &model))?.with_known(&known);
    // Simulations are made of the whole robot: what a URDF leaves out would be missing in the loop.
    let method = if trial.loops.is_some() { Method::Weighted } else { trial.estimator.method };
    let estimator = Estimator { method, ..trial.estimator };
    Trial { estimator, loops: None, folds: 0, ..*trial }.fit_shown(equations)
}

/// Refuses gains that nothing determines: efforts in unknown units only tell ratios of parameters.
fn expect_gains(equations: &Observation, whole: &BaseParameters) -> Result<(), IdentifyError> {
    let (columns, joints) = (equations.model().columns(), equations.rows().len());
    let mut gains = (0..columns.len()).filter(|&k| columns[k].is_gain());
    if columns.iter().any(Column::is_gain) && equations.right().iter().all(|&y| y == 0.0) {
        let what = "with the effect gain all torques and forces are in unknown units, and nothing is known".into();
        return Err(IdentifyError::Gain { what, joints });
    }
    let is_alone = |k: usize| {
        let place = whole.kept().iter().position(|&kept| kept == k);
        place.is_some_and(|row| whole.regrouping().row(row).iter().filter(|x| **x != 0.0).count() == 1)
    };
    match gains.find(|&k| !is_alone(k)) {
        None => Ok(()),
        Some(k) => {
            let what = format!("the gain {} cannot be told from other parameters", equations.model().name(k));
            Err(IdentifyError::Gain { what, joints })
        }
    }
}
