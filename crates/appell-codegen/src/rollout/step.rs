//! One step of a scheme as lines of a kernel: from `pos` and `vel` to `next_pos` and `next_vel`.
//!
//! ```text
//! semi-implicit   q̇' = q̇ + h q̈          q' = q + h q̇'          J' = J + h l
//! Runge-Kutta     x_1 = x,  x_s+1 = x + b_s h ẋ_s          x' = x + h Σ w_s ẋ_s,  J likewise
//!                 b = ½ ½ 1          w = 1/6 1/3 1/3 1/6
//! ```

use super::law::Whose;
use super::record::Layout;
use super::text::{Function, Lines, load};
use super::{Options, Scheme};

/// What a step is made of.
pub(super) struct Step<'f> {
    pub(super) scheme: Scheme,
    pub(super) layout: Layout,
    /// Accelerations, the running cost if there is one, torques if they are asked for.
    pub(super) rates: &'f Function,
    pub(super) has_cost: bool,
    /// Rates of a platform's pose, and the pose brought back to its quaternion's length; of trees rates are velocities.
    pub(super) platform: Option<[&'f Function; 2]>,
}

impl Step<'_> {
    /// What comes before the steps: the robot's numbers.
    pub(super) fn begin(&self, lines: &mut Lines) {
        let Layout { positions, velocities, varied, own, .. } = self.layout;
        load(lines, "pos", "q0", positions);
        load(lines, "vel", "v0", velocities);
        load(lines, "varied", "p", varied);
        load(lines, "mine", "own", own.iter().sum());
        match self.scheme {
            Scheme::SemiImplicit => lines.put("const T h = T(dt);"),
            Scheme::RungeKutta4 => {
                lines.put("const T h = T(dt), half = T(0.5 * dt), third = T(dt / 3.0), sixth = T(dt / 6.0);");
            }
        }
    }

    /// No more steps than there is memory for.
    pub(super) fn bound(&self, lines: &mut Lines, options: &Options<'_>, is_stored: bool) {
        if is_stored || options.law.open.is_some() {
            lines.put(format!("if (steps > {most}) steps = {most};", most = options.steps));
        }
    }

    /// The torques that are given for a step.
    pub(super) fn torques(&self, lines: &mut Lines, open: Option<Whose>) {
        let Some(whose) = open else { return };
        let many = self.layout.torques;
        lines.put(format!("T torque[{many}];"));
        lines.each(many, |k| match whose {
            Whose::Shared => format!("torque[{k}] = T(torques[step * {many} + {k}]);"),
            Whose::Own => format!("torque[{k}] = appell_load<T>(torques + (step * {many} + {k}) * count, i);"),
        });
    }

    pub(super) fn forward(&self, lines: &mut Lines, open: Option<Whose>) {
        let Layout { positions, velocities, drives, .. } = self.layout;
        let answers = self.rates.answers();
        let first_torque = velocities + usize::from(self.has_cost);
        let has_torques = answers > first_torque;
        self.torques(lines, open);
        lines.put(format!("T next_pos[{positions}], next_vel[{velocities}];"));
        if self.has_cost {
            lines.put("T more = T(0);");
        }
        if has_torques {
            lines.put(format!("T tau[{drives}];"));
        }
        match self.scheme {
            Scheme::SemiImplicit => {
                lines.put("const T now[1] = {T(dt * (double)step)};");
                lines.put(format!("T y[{answers}];"));
                lines.put(self.call("pos", "vel"));
                lines.each(velocities, |k| format!("next_vel[{k}] = vel[{k}] + h * y[{k}];"));
                let rate = self.way(lines, "pos", "next_vel");
                lines.each(positions, |k| format!("next_pos[{k}] = pos[{k}] + h * {rate}[{k}];"));
                if self.has_cost {
                    lines.put(format!("more = h * y[{velocities}];"));
                }
                if has_torques {
                    lines.each(drives, |k| format!("tau[{k}] = y[{}];", first_torque + k));
                }
            }
            Scheme::RungeKutta4 => {
                if has_torques {
                    lines.each(drives, |k| format!("tau[{k}] = T(0);"));
                }
                lines.put(format!("T stage_pos[{positions}], stage_vel[{velocities}];"));
                lines.each(positions, |k| format!("next_pos[{k}] = stage_pos[{k}] = pos[{k}];"));
                lines.each(velocities, |k| format!("next_vel[{k}] = stage_vel[{k}] = vel[{k}];"));
                lines.put("APPELL_ROLLED");
                lines.put("for (int stage = 0; stage < 4; ++stage) {");
                lines.put("const bool is_edge = stage == 0 || stage == 3;");
                lines.put("const T weight = is_edge ? sixth : third, ahead = stage == 2 ? h : half;");
                lines.put(STAGE_TIME);
                lines.put(format!("T y[{answers}];"));
                lines.put(self.call("stage_pos", "stage_vel"));
                let rate = self.way(lines, "stage_pos", "stage_vel");
                lines.each(positions, |k| format!("next_pos[{k}] = next_pos[{k}] + weight * {rate}[{k}];"));
                lines.each(velocities, |k| format!("next_vel[{k}] = next_vel[{k}] + weight * y[{k}];"));
                lines.each(positions, |k| format!("stage_pos[{k}] = pos[{k}] + ahead * {rate}[{k}];"));
                lines.each(velocities, |k| format!("stage_vel[{k}] = vel[{k}] + ahead * y[{k}];"));
                if self.has_cost {
                    lines.put(format!("more = more + weight * y[{velocities}];"));
                }
                if has_torques {
                    lines.put("if (stage == 0) {");
                    lines.each(drives, |k| format!("tau[{k}] = y[{}];", first_torque + k));
                    lines.put("}");
                }
                lines.put("}");
            }
        }
        if let Some([_, closed]) = self.platform {
            lines.put(format!("T pose[{positions}];"));
            lines.put(closed.call(&given("next_pos", "next_vel"), "pose"));
            lines.each(positions, |k| format!("next_pos[{k}] = pose[{k}];"));
        }
    }

    /// Rates of the positions at a state; the array that they are in.
    fn way(&self, lines: &mut Lines, pos: &str, vel: &'static str) -> &'static str {
        let Some([way, _]) = self.platform else { return vel };
        lines.put(format!("T rate[{}];", way.answers()));
        lines.put(way.call(&given(pos, vel), "rate"));
        "rate"
    }

    fn call(&self, pos: &str, vel: &str) -> String {
        self.rates.call(&given(pos, vel), "y")
    }

    /// What a program answers at the end, as `y`.
    pub(super) fn at_end(&self, lines: &mut Lines, end: &Function) {
        if end.takes("t") {
            lines.put("const T now[1] = {T(dt * (double)(steps > 0 ? steps : 0))};");
        }
        if end.takes("torque") {
            lines.put(format!("T torque[{}];", self.layout.torques));
            lines.each(self.layout.torques, |k| format!("torque[{k}] = T(0);"));
        }
        lines.put(format!("T y[{}];", end.answers()));
        lines.put(end.call(&given("pos", "vel"), "y"));
    }
}

/// The time of a stage.
pub(super) const STAGE_TIME: &str =
    "const T now[1] = {T(dt * ((double)step + (stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5)))};";

/// What stands for the arguments of a program, its state being in these arrays.
pub(super) fn given<'n>(pos: &'n str, vel: &'n str) -> [(&'static str, &'n str); 6] {
    [("q", pos), ("v", vel), ("t", "now"), ("torque", "torque"), ("p", "varied"), ("own", "mine")]
}
