//! A start on its way down: the criterion as a function of free numbers.

use super::criterion::Spectral;
use super::descent::Objective;
use super::form::Basis;
use super::problem::{Evaluated, Problem};
use super::search::Progress;
use super::within::Within;
use core::ops::ControlFlow;
use nalgebra::{DMatrix, DVector};

/// p of the smooth condition number, and what efforts beyond their limits cost, stage by stage: steps are longer on smoother
/// ground.
pub(super) const STAGES: [(i32, f64); 4] = [(2, 30.0), (6, 300.0), (18, 3000.0), (60, 10_000.0)];

/// A start.
pub(super) struct Start<'t, 'r> {
    pub(super) problem: &'t Problem<'r>,
    pub(super) basis: &'t Basis,
    pub(super) within: &'t Within<'t>,
    pub(super) watch: &'t (dyn Fn(&Progress) -> ControlFlow<()> + Sync),
    pub(super) restart: usize,
    /// Steps so far.
    pub(super) steps: usize,
    /// Which of [`STAGES`].
    pub(super) stage: usize,
    /// The free numbers last valued, and what they are.
    pub(super) last: Option<(DMatrix<f64>, Evaluated, Spectral)>,
    pub(super) stopped: bool,
}

impl Objective for Start<'_, '_> {
    fn value(&mut self, x: &DVector<f64>) -> f64 {
        self.last = None;
        let free = self.basis.shaped(x);
        let Ok((_, evaluated)) = self.problem.of_coefficients(self.basis, &self.within.coefficients(&free)) else {
            return f64::INFINITY;
        };
        let (sharpness, price) = STAGES[self.stage];
        let (value, spectral) = self.problem.value(&evaluated, sharpness, price);
        self.last = spectral.map(|spectral| (free, evaluated, spectral));
        value
    }

    fn gradient(&mut self) -> Option<DVector<f64>> {
        let (free, evaluated, spectral) = self.last.as_ref()?;
        let (sharpness, price) = STAGES[self.stage];
        let slopes = self.problem.slopes(evaluated, spectral, sharpness, price).ok()?;
        let gradient = self.within.pull_back(free, &self.basis.pull_back(&slopes));
        Some(DVector::from_column_slice(gradient.as_slice()))
    }

    fn stepped(&mut self) -> ControlFlow<()> {
        self.steps += 1;
        let Some((_, _, spectral)) = &self.last else { return ControlFlow::Continue(()) };
        let answer =
            (self.watch)(&Progress { restart: self.restart, iteration: self.steps, condition: spectral.condition() });
        self.stopped |= answer.is_break();
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::excitation::columns::Source;
    use crate::excitation::{Criterion, DriveLimits, Form};
    use crate::parameters::{Effect, Model};
    use appell::Robot;
    use appell::description::FrictionCurve;
    use appell::robots;
    use appell::sample::Sampler;

    /// The whole chain, limits of effort and of passive joints included, against differences.
    fn compare(robot: &Robot, model: &Model, limits: &[DriveLimits], form: Form, criterion: Criterion, size: f64) {
        let sources = Source::of(robot, model).unwrap();
        // Some columns that are told apart by any motion.
        let count = sources.len();
        let chosen: Vec<Source> = [9, count - 1, count - 3].iter().map(|&k| sources[k].clone()).collect();
        let n = limits.len();
        let weights = (1..=n).map(|k| k as f64).collect();
        let problem = Problem::new(robot, limits.to_vec(), chosen, criterion, weights);
        let basis = form.basis(12).unwrap();
        let within = Within::new(&basis, limits);
        let watch = |_: &Progress| ControlFlow::Continue(());
        for (stage, (sharpness, _)) in STAGES.into_iter().enumerate() {
            let (problem, basis, within, watch) = (&problem, &basis, &within, &watch);
            let mut start =
                Start { problem, basis, within, watch, restart: 0, steps: 0, stage, last: None, stopped: false };
            let mut sampler = Sampler::new(6);
            let x = DVector::from_fn(n * form.coefficients(), |_, _| sampler.within(size));
            let value = start.value(&x);
            let gradient = start.gradient().unwrap();
            let plain = start.last.as_ref().unwrap().2.value(criterion, sharpness);
            assert!(value > plain, "limits are passed, and cost");
            for k in (0..x.len()).step_by(3) {
                let mut at = |step: f64| {
                    let mut moved = x.clone();
                    moved[k] += step;
                    start.value(&moved)
                };
                let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
                let off = (gradient[k] - difference).abs();
                assert!(off < 2e-6 * gradient.amax(), "stage {stage}, {k}: {} {difference}", gradient[k]);
            }
        }
    }

    #[test]
    fn gradients_of_trees_match_differences() {
        let puma = robots::find("puma560").unwrap().mechanism();
        let robot = puma.with_effects(|_, mut effects| {
            effects.spring.stiffness = 3.0;
            effects.friction.viscous = 2.0;
            effects.friction.smoothing = 0.3;
            let curve =
                FrictionCurve { square_root: 1.0, stribeck: 0.5, stribeck_speed: 0.4, ..FrictionCurve::default() };
            effects.friction.curve = Some(curve);
            effects
        });
        let robot = Robot::from(robot);
        let mut limits = DriveLimits::of(&robot);
        for limits in &mut limits {
            (limits.velocity, limits.effort) = (2.0, 8.0);
        }
        let model =
            Model::bodies(&robot).with_effects(&[Effect::Viscous, Effect::Coulomb { smoothing: 0.2 }, Effect::Rotor]);
        let series = Form::Fourier { harmonics: 3, frequency: 0.3 };
        compare(&robot, &model, &limits, series, Criterion::Condition, 1.0);
        let spline = Form::Spline { points: 6, duration: 4.0 };
        compare(&robot, &model, &limits, spline, Criterion::Determinant, 1.0);
        compare(&robot, &model, &limits, spline, Criterion::ScaledCondition, 1.0);
    }

    #[test]
    fn gradients_of_closed_robots_match_differences() {
        let text = robots::find("gough-stewart").unwrap().toml.replace(
            "[chain.ups.joint.slide]",
            "[chain.ups.joint.u1]\nlimits = { lower = -0.2, upper = 0.2 }\n\n[chain.ups.joint.slide]",
        );
        let robot = Robot::from_toml(&text).unwrap();
        let mut limits = DriveLimits::of(&robot);
        for limits in &mut limits {
            (limits.lower, limits.upper, limits.effort) = (0.75, 0.85, 40.0);
        }
        let model = Model::bodies(&robot).with_effects(&[Effect::Viscous]);
        let series = Form::Fourier { harmonics: 2, frequency: 0.5 };
        compare(&robot, &model, &limits, series, Criterion::Condition, 0.5);
    }
}
