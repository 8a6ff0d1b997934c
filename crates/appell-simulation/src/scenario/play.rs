//! Runs a scenario, both sides of its loop in one place.

use super::event::Listener;
use super::moment::{LeastWork, Moment, Outcome, Watch};
use super::prepared::Held;
use super::rows::Rows;
use super::{Scenario, ScenarioError};
use crate::control::Wanted;
use crate::control::sampled;
use crate::simulation::{Method, Sample, Simulation};
use appell::Robot;
use core::ops::ControlFlow;

impl Scenario {
    /// How many steps of the integration and rows of the record it takes at least.
    ///
    /// # Errors
    /// Those of [`Scenario::duration`].
    pub fn least_work(&self, robot: &Robot) -> Result<LeastWork, ScenarioError> {
        let duration = self.duration(robot)?;
        let rows = duration / self.run.record;
        let fixed = match self.run.options.method {
            Method::RungeKutta { step } | Method::Midpoint { step } => duration / step,
            Method::DormandPrince(_) => 0.0,
        };
        // A step ends at every sample of the loop, and at every row.
        let samples = self.sampled.as_ref().map_or(0.0, |sampled| duration / sampled.timing.period);
        Ok(LeastWork { steps: fixed.max(samples).max(rows), rows })
    }

    /// Runs it with the robot that it names. `look` sees the rows of the record, and may end it.
    ///
    /// # Errors
    /// If something in it does not fit the robot, with its line. What goes wrong later is in the outcome.
    pub fn play(
        &self,
        robot: &Robot,
        mut watch: Watch<'_>,
        mut look: impl FnMut(&Moment<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, ScenarioError> {
        let prepared = self.prepare(robot)?;
        let mut law = prepared.law()?;
        let mut plant = prepared.plant()?;
        let mut rows = prepared.rows()?;
        let ended = match &self.sampled {
            None => {
                let mut wanted = prepared.wanted()?.map(Wanted::new);
                let drives = plant.drives();
                let options = prepared.options();
                let mut simulation = Simulation::new(&mut *plant, law.states(), 0.0, &options);
                if let Some(pulse) = watch.pulse {
                    simulation = simulation.with_pulse(pulse);
                }
                let motion =
                    simulation.advance(&mut *law, prepared.duration, |&Sample { view, efforts, own, energy }| {
                        // Where there is no reference, the law has reported it already.
                        let wanted =
                            wanted.as_mut().and_then(|wanted| wanted.find(view.t).ok().map(|()| &wanted.q[..]));
                        let wanted_platform = rows.wanted_platform(view.t);
                        let drives = &drives;
                        let (own_names, sampling) = (&[][..], None);
                        let moment =
                            Moment { view, drives, wanted, wanted_platform, own, own_names, efforts, energy, sampling };
                        rows.count(&moment);
                        let flow = look(&moment);
                        tell(&mut rows, &mut watch.events);
                        flow
                    });
                sampled::Outcome { motion, ..Default::default() }
            }
            Some(_) => {
                let mut around = prepared.sampled_loop()?;
                if let Some(clock) = watch.clock {
                    around = around.with_clock(clock);
                }
                if let Some(pulse) = watch.pulse {
                    around = around.with_pulse(pulse);
                }
                let (applied, own_names) = (vec![0.0; plant.efforts()], law.shown().to_vec());
                let own = vec![0.0; law.states() + own_names.len()];
                let mut held = Held { applied, own, own_names, ..Held::default() };
                let outcome = around.run(&mut *plant, &mut *law, 0.0, prepared.duration, |instant| {
                    held.copy_from(instant);
                    let flow = rows.take(instant, &mut look);
                    if let (Some(row), Some(hear)) = (rows.recorded(), &mut watch.recorded) {
                        hear(row);
                    }
                    tell(&mut rows, &mut watch.events);
                    flow
                });
                let (t, energy) = (outcome.motion.t, plant.energy());
                prepared.last_row(plant.view(t), energy, &plant.drives(), &held, &mut look);
                outcome
            }
        };
        prepared.outcome(ended, rows)
    }
}

/// Reports what has happened; where nobody listens it is forgotten.
fn tell(rows: &mut Rows, listener: &mut Option<Listener<'_>>) {
    for event in rows.events() {
        if let Some(hear) = listener {
            hear(&event);
        }
    }
}
