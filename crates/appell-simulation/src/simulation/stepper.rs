//! Steps through time: how a state is carried on, how wrong that is, and what it was in between.

use super::Reason;
use super::quartic::Quartic;
use super::system::System;

/// How the equations are integrated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Dormand's and Prince's pair of orders 5 and 4 (Dormand1980), its steps chosen by the error and a PI controller,
    /// with a continuous extension of order 4 (Hairer1993, §II.6).
    DormandPrince(Tolerances),
    /// Runge's and Kutta's classical method of order 4, in steps of this length, s.
    RungeKutta {
        /// s.
        step: f64,
    },
    /// The implicit midpoint rule of order 2, in steps of this length, s: symplectic for trees, whose momenta it
    /// integrates, and symmetric in time for closed mechanisms. Energy does not drift in long free motions.
    Midpoint {
        /// s.
        step: f64,
    },
}

/// What an adaptive step may be wrong by: `absolute + relative · |y|`, in the root of the mean square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// Over the number's size. Local coordinates count as 1 rad, or as the characteristic length.
    pub relative: f64,
    /// In the number's unit.
    pub absolute: f64,
}

impl Default for Tolerances {
    fn default() -> Self {
        Self { relative: 1e-8, absolute: 1e-10 }
    }
}

/// What the integration has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Steps that were kept.
    pub steps: usize,
    /// Steps that were taken back.
    pub rejected: usize,
    /// Evaluations of the differential equations.
    pub evaluations: usize,
}

/// Steps of one method on a state of some length.
#[derive(Debug, Clone)]
pub(super) struct Stepper {
    method: Method,
    pub(super) cost: Cost,
    longest: f64,
    next: Option<f64>, // the step to try
    error_before: f64,
    k: [Vec<f64>; 7],
    trial: Vec<f64>,
    extension: [Vec<f64>; 5], // of the last step, by powers
    begun: bool,              // whether k[0] is known where the next step begins
    cut: Option<(f64, f64)>,  // where the step of fixed length ends that was cut, and the next part of it
}

const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[0.2],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];
const DENSE: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

/// The part of the way to the end of a plant's coordinates that a step may go: one whose error is estimated, and one of fixed length.
const PART_ADAPTIVE: f64 = 0.5;
const PART_FIXED: f64 = 0.1;

/// A step of fixed length of some method: from t on, h long, from y.
type Take = fn(&mut Stepper, &mut System<'_>, f64, f64, &[f64]) -> Result<(), Reason>;

/// Rounds of the fixed-point iteration of an implicit step.
const ROUNDS: usize = 60;

impl Stepper {
    pub(super) fn new(method: Method, length: usize, first: Option<f64>, longest: f64) -> Self {
        Self {
            method,
            cost: Cost::default(),
            longest,
            next: first,
            error_before: 1e-4,
            k: core::array::from_fn(|_| vec![0.0; length]),
            trial: vec![0.0; length],
            extension: core::array::from_fn(|_| vec![0.0; length]),
            begun: false,
            cut: None,
        }
    }

    /// Notes that the coordinates, or the law, have changed.
    pub(super) fn begin_anew(&mut self) {
        self.begun = false;
    }

    /// Carries `y` on from `t`, at most to `end`; how far. The plant is where the step ends then.
    pub(super) fn step(&mut self, system: &mut System<'_>, t: f64, end: f64, y: &mut [f64]) -> Result<f64, Reason> {
        if !self.begun {
            system.rates(t, y, &mut self.k[0])?;
            self.cost.evaluations += 1;
        }
        let h = match self.method {
            Method::DormandPrince(tolerances) => self.dormand_prince(system, t, end, y, tolerances)?,
            Method::RungeKutta { step } => self.fixed(system, t, end, y, step, Self::runge_kutta)?,
            Method::Midpoint { step } => self.fixed(system, t, end, y, step, Self::midpoint)?,
        };
        self.cost.steps += 1;
        y.copy_from_slice(&self.trial);
        // The last rates are the first of the next step.
        self.k.swap(0, 6);
        self.begun = true;
        Ok(h)
    }

    /// The state within the last step, θ from 0 to 1.
    pub(super) fn within(&self, theta: f64, y: &mut [f64]) {
        let rest = 1.0 - theta;
        for (i, y) in y.iter_mut().enumerate() {
            let [a, b, c, d, e] = core::array::from_fn(|k| self.extension[k][i]);
            *y = a + theta * (b + rest * (c + theta * (d + rest * e)));
        }
    }

    /// A number of the state along the last step.
    pub(super) fn along(&self, i: usize) -> Quartic {
        Quartic::of_extension(core::array::from_fn(|k| self.extension[k][i]))
    }

    fn dormand_prince(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        end: f64,
        y: &[f64],
        tolerances: Tolerances,
    ) -> Result<f64, Reason> {
        let mut h = match self.next {
            Some(h) => h,
            None => self.first_step(system, t, y, tolerances),
        };
        let mut was_rejected = false;
        let mut reason = None; // why a step could not be computed
        loop {
            h = h.min(self.longest);
            // What is left after this step shall not be a crumb.
            let h_taken = if t + 1.01 * h >= end { end - t } else { h };
            if h_taken <= 1e-14 * t.abs().max(1e-3) {
                return Err(reason.unwrap_or(Reason::StepTooSmall { step: h_taken }));
            }
            let stages = self.stages(system, t, h_taken, y);
            let mut failed = stages.err();
            let mut error = if failed.is_some() { f64::INFINITY } else { self.error(system, h_taken, y, tolerances) };
            if error <= 1.0
                && let Err(jump) = system.plant.follows(h_taken, PART_ADAPTIVE)
            {
                (failed, error) = (Some(jump), f64::INFINITY);
            }
            if let Some(why) = failed {
                if why.is_of_place() && system.plant.has_other_coordinates() {
                    self.next = Some(h);
                    return Err(why);
                }
                reason = Some(why);
            }
            if error <= 1.0 {
                let factor = error.max(1e-10).powf(0.17) / self.error_before.powf(0.04);
                let growth = 1.0 / (factor / 0.9).clamp(0.1, 5.0);
                self.error_before = error.max(1e-4);
                let grown = h_taken * if was_rejected { growth.min(1.0) } else { growth };
                // A step that was cut at the end says nothing against one as long as it was to be.
                self.next = Some(if h_taken < h { h.max(grown) } else { grown });
                self.extend(h_taken, y);
                return Ok(h_taken);
            }
            self.cost.rejected += 1;
            was_rejected = true;
            h = if error.is_finite() { h_taken / (error.powf(0.17) / 0.9).min(5.0) } else { 0.25 * h_taken };
            // Where it cannot be computed at all, it stops there with the reason.
            if error == f64::INFINITY && h <= 1e-12 * t.abs().max(1.0) {
                return Err(reason.unwrap_or(Reason::StepTooSmall { step: h }));
            }
        }
    }

    /// The seven stages; the last is the rates at the end, which is in `trial`.
    fn stages(&mut self, system: &mut System<'_>, t: f64, h: f64, y: &[f64]) -> Result<(), Reason> {
        for stage in 1..7 {
            for (i, trial) in self.trial.iter_mut().enumerate() {
                *trial = y[i] + h * A[stage].iter().zip(&self.k).map(|(a, k)| a * k[i]).sum::<f64>();
            }
            self.cost.evaluations += 1;
            system.rates(t + C[stage] * h, &self.trial, &mut self.k[stage])?;
        }
        Ok(())
    }

    /// The estimated error over what is allowed.
    fn error(&self, system: &System<'_>, h: f64, y: &[f64], tolerances: Tolerances) -> f64 {
        let squares = (0..y.len()).map(|i| {
            let error: f64 = h * ERROR.iter().zip(&self.k).map(|(e, k)| e * k[i]).sum::<f64>();
            let size = y[i].abs().max(self.trial[i].abs()).max(system.size(i));
            let ratio = error / (tolerances.absolute + tolerances.relative * size);
            ratio * ratio
        });
        (squares.sum::<f64>() / y.len().max(1) as f64).sqrt()
    }

    /// What is known within the step (Hairer1993, eq. II.6.12 and below).
    fn extend(&mut self, h: f64, y: &[f64]) {
        for i in 0..y.len() {
            let difference = self.trial[i] - y[i];
            let bend = h * self.k[0][i] - difference;
            self.extension[0][i] = y[i];
            self.extension[1][i] = difference;
            self.extension[2][i] = bend;
            self.extension[3][i] = difference - h * self.k[6][i] - bend;
            self.extension[4][i] = h * DENSE.iter().zip(&self.k).map(|(d, k)| d * k[i]).sum::<f64>();
        }
    }

    /// A guess from the size of the rates and of their change along them (Hairer1993, §II.4).
    fn first_step(&mut self, system: &mut System<'_>, t: f64, y: &[f64], tolerances: Tolerances) -> f64 {
        let norm = |system: &System<'_>, v: &dyn Fn(usize) -> f64| -> f64 {
            let squares = (0..y.len()).map(|i| {
                let size = y[i].abs().max(system.size(i));
                (v(i) / (tolerances.absolute + tolerances.relative * size)).powi(2)
            });
            (squares.sum::<f64>() / y.len().max(1) as f64).sqrt()
        };
        let (d0, d1) = (norm(system, &|i| y[i]), norm(system, &|i| self.k[0][i]));
        let guess = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
        for (i, trial) in self.trial.iter_mut().enumerate() {
            *trial = y[i] + guess * self.k[0][i];
        }
        self.cost.evaluations += 1;
        let (first, rest) = self.k.split_at_mut(1);
        if system.rates(t + guess, &self.trial, &mut rest[0]).is_err() {
            return guess;
        }
        let d2 = norm(system, &|i| rest[0][i] - first[0][i]) / guess;
        let most = d1.max(d2);
        let other = if most <= 1e-15 { (1e-3 * guess).max(1e-6) } else { (0.01 / most).powf(0.2) };
        (100.0 * guess).min(other)
    }

    /// A step of fixed length, or a part of it: where the robot cannot be, or would be on another branch, it is halved until it follows, and
    /// the rest of it is taken in parts that grow again.
    fn fixed(
        &mut self,
        system: &mut System<'_>,
        t: f64,
        end: f64,
        y: &[f64],
        step: f64,
        take: Take,
    ) -> Result<f64, Reason> {
        let whole = step.min(end - t);
        let (until, part) = self.cut.take().filter(|(until, _)| *until > t).unwrap_or((t + whole, whole));
        let until = until.min(end);
        let mut h = if 1.01 * part >= until - t { until - t } else { part };
        loop {
            let taken = take(self, system, t, h, y).and_then(|()| system.plant.follows(h, PART_FIXED));
            let Err(reason) = taken else { break };
            let is_last = h <= 1e-12 * t.abs().max(1.0);
            if !reason.is_of_place() || system.plant.has_other_coordinates() || is_last {
                return Err(reason);
            }
            self.cost.rejected += 1;
            h *= 0.5;
        }
        self.cut = (t + h < until).then_some((until, 2.0 * h));
        Ok(h)
    }

    fn runge_kutta(&mut self, system: &mut System<'_>, t: f64, h: f64, y: &[f64]) -> Result<(), Reason> {
        for (stage, part) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
            for (i, trial) in self.trial.iter_mut().enumerate() {
                *trial = y[i] + part * h * self.k[stage - 1][i];
            }
            self.cost.evaluations += 1;
            system.rates(t + part * h, &self.trial, &mut self.k[stage])?;
        }
        for (i, trial) in self.trial.iter_mut().enumerate() {
            let [a, b, c, d] = core::array::from_fn(|stage| self.k[stage][i]);
            *trial = y[i] + h / 6.0 * (a + 2.0 * (b + c) + d);
        }
        self.finish_fixed(system, t, h, y)
    }

    /// y₁ = y₀ + h f((y₀ + y₁)/2), in coordinates and momenta, by iteration.
    fn midpoint(&mut self, system: &mut System<'_>, t: f64, h: f64, y: &[f64]) -> Result<(), Reason> {
        let [_, start, middle, rates, before, ..] = &mut self.k;
        system.with_momenta(y, start)?;
        system.momenta_rates(t, start, rates, &mut self.trial)?;
        before.copy_from_slice(start);
        let mut change_before = f64::INFINITY;
        for round in 0.. {
            for (i, middle) in middle.iter_mut().enumerate() {
                *middle = start[i] + 0.5 * h * rates[i];
            }
            let change = middle.iter().zip(&*before).map(|(now, was)| (now - was).abs() / (1.0 + now.abs()));
            let change = change.fold(0.0, f64::max);
            before.copy_from_slice(middle);
            self.cost.evaluations += 1;
            system.momenta_rates(t + 0.5 * h, middle, rates, &mut self.trial)?;
            // It contracts until rounding is all that is left.
            if change <= 1e-15 || (change <= 1e-12 && change >= 0.5 * change_before) {
                break;
            }
            if round == ROUNDS || change.is_nan() {
                return Err(Reason::NotSolved { step: h });
            }
            change_before = change;
        }
        for (i, middle) in middle.iter_mut().enumerate() {
            *middle = start[i] + h * rates[i];
        }
        system.place_with_momenta(middle, &mut self.trial)?;
        self.finish_fixed(system, t, h, y)
    }

    /// The rates at the end of a step of fixed length, and a cubic within it.
    fn finish_fixed(&mut self, system: &mut System<'_>, t: f64, h: f64, y: &[f64]) -> Result<(), Reason> {
        self.cost.evaluations += 1;
        system.rates(t + h, &self.trial, &mut self.k[6])?;
        self.extend(h, y);
        self.extension[4].fill(0.0);
        Ok(())
    }
}
