//! What the cost of a rollout does by what it depends on: forwards through the steps, whose states are kept, and back by the
//! adjoint of one step.
//!
//! ```text
//! semi-implicit   v̄ ← v̄ + h q̄          w = h (v̄, 1)          q̄ ← q̄ + q̈_qᵀ w          v̄ ← v̄ + q̈_vᵀ w
//! Runge-Kutta     k̄_s = h w_s x̄ + h b_s x̄_s+1          x̄_s = ẋ_xᵀ k̄_s, s = 4 … 1          x̄ ← x̄ + Σ x̄_s
//! ```
//!
//! Here q̈ stands for q̈ and l together, and w for the weights of both. Torques and parameters gather what every stage gives them.
//! Costs and gradients belong to the same numbers: steps are differentiated, not the motion that they approximate.

use super::law::Whose;
use super::record::{Layout, Plant, Recorded, record};
use super::step::{STAGE_TIME, Step, given};
use super::text::{Function, HEAD, Lines, SHARED, store};
use super::{Options, Refused, Scheme, check, kernel};
use crate::emit::device::{Code, PortKind};
use crate::emit::identifier;
use crate::expr::{Expr, Recorder};
use appell::Robot;

/// What a cost is differentiated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Where robots start: ports `by_q0`, `by_v0`.
    Start,
    /// The torques of every step, of an open law: `by_torques`, by robot even where they are shared.
    Torques,
    /// What every robot has of its own: `by_p`.
    Varied,
    /// The numbers of law and cost that every robot has of its own: `by_own`.
    Own,
    /// Those that all share, robot by robot: `by_shared`.
    Shared,
}

impl By {
    const ALL: [Self; 5] = [Self::Start, Self::Torques, Self::Varied, Self::Own, Self::Shared];

    /// The argument of the program, and the port; those of the state are apart.
    fn argument(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Start => None,
            Self::Torques => Some(("torque", "by_torques")),
            Self::Varied => Some(("p", "by_p")),
            Self::Own => Some(("own", "by_own")),
            Self::Shared => Some((SHARED, "by_shared")),
        }
    }
}

/// A generated gradient. Its ports are those of a rollout that are read, then `states`, the memory of the steps; `cost`; what
/// was asked for, in the order of [`By`]; `dt` and `steps`.
#[derive(Debug, Clone)]
pub struct Gradient {
    /// For the device.
    pub code: Code,
    /// The names of the numbers in `shared`.
    pub shared: Vec<String>,
    /// The names of the numbers in `own`.
    pub own: Vec<String>,
}

/// Numbers that a gradient gathers over all steps: what they are called in the program, and where they are in its answer.
struct Gathered {
    argument: &'static str,
    port: &'static str,
    many: usize,
    first: usize,
}

/// Generates the gradient of a rollout's cost.
///
/// ```
/// use appell::Robot;
/// use appell_codegen::rollout::{self, By, Cost, Law, Options, Reference, Whose};
///
/// let robot = Robot::builtin("two-link")?;
/// let cost = Cost::quadratic(&robot, Reference::Passage, Whose::Shared);
/// let options = Options { steps: 50, cost: Some(cost), ..Options::new(Law::open(Whose::Own)) };
/// let gradient = rollout::gradient(&robot, &options, &[By::Torques])?;
/// assert!(gradient.code.ports.iter().any(|port| port.name == "by_torques"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where [`generate`](super::generate) refuses; if there is no cost; if limits or channels are asked for; of the torques of a
/// law that is not open.
pub fn gradient(robot: &Robot, options: &Options<'_>, by: &[By]) -> Result<Gradient, Refused> {
    check(robot, options)?;
    if robot.closed().is_some() {
        return Err(Refused::NotOfGradient { what: "closed loops" });
    }
    if !options.limits.is_empty() {
        return Err(Refused::NotOfGradient { what: "limits" });
    }
    if !options.stored.is_empty() {
        return Err(Refused::NotOfGradient { what: "stored channels" });
    }
    if by.contains(&By::Torques) && options.law.open.is_none() {
        return Err(Refused::NotOpen);
    }
    let recorder = Recorder::default();
    let plant = Plant::new(robot, options)?;
    let found = record(&recorder, robot, &plant, options)?;
    let Some([running, terminal]) = found.cost else { return Err(Refused::NoCost) };
    let layout = found.layout;
    let name = identifier(&format!("{} gradient", robot.tree().name()));
    let function = |ending: &str, arguments, answers: &[Expr<'_>]| Function {
        name: format!("{name}_{ending}"),
        arguments,
        program: recorder.program(answers),
    };
    let rates = function("rates", layout.arguments(), &[&found.a[..], &[running]].concat());
    let weights: Vec<Expr<'_>> = (0..=layout.velocities).map(|k| recorder.input(layout.len() + k, 1.0)).collect();
    let weighted: Vec<_> = found.a.iter().copied().chain([running]).zip(weights).collect();
    let gathered = gathered(layout, by);
    let back_arguments = [layout.arguments(), vec![("w", layout.velocities + 1)]].concat();
    let back = function("back", back_arguments, &Expr::adjoints(&weighted, &all_of(&found, &gathered)));
    let one = terminal.recorder().constant(1.0);
    let end = [vec![terminal], Expr::adjoints(&[(terminal, one)], &all_of(&found, &gathered))].concat();
    let end = function("end", layout.arguments(), &end);

    let mut ports = kernel::read_ports(options, layout);
    ports.add("states", PortKind::Written(options.steps * 2 * layout.velocities));
    ports.add("cost", PortKind::Written(1));
    if by.contains(&By::Start) {
        ports.add("by_q0", PortKind::Written(layout.velocities));
        ports.add("by_v0", PortKind::Written(layout.velocities));
    }
    for Gathered { argument, port, many, .. } in &gathered {
        ports.add(port, PortKind::Written(many * if *argument == "torque" { options.steps } else { 1 }));
    }
    ports.add("dt", PortKind::Real);
    ports.add("steps", PortKind::Whole);
    let mut lines = Lines::default();
    lines.put([HEAD, &rates.text(), &back.text(), &end.text()].concat());
    lines.put(ports.declare(&name));
    lines.put("{");
    let step = Step { scheme: options.scheme, layout, rates: &rates, has_cost: true, platform: None };
    Writer { step, back: &back, end: &end, gathered: &gathered, open: options.law.open }.body(&mut lines, options, by);
    lines.put("}");
    let (shared, own) = kernel::numbers(options);
    let operations = [&rates, &back, &end].map(Function::operations).iter().sum();
    Ok(Gradient { code: Code { name, text: lines.text(), ports: ports.0, operations }, shared, own })
}

fn gathered(layout: Layout, by: &[By]) -> Vec<Gathered> {
    let mut first = 2 * layout.velocities;
    let mut gathered = Vec::new();
    for (argument, port) in By::ALL.into_iter().filter(|one| by.contains(one)).filter_map(By::argument) {
        let many = layout.places(argument).len();
        gathered.push(Gathered { argument, port, many, first });
        first += many;
    }
    gathered
}

/// The inputs that adjoints are of: the state, and what is gathered.
fn all_of<'g>(found: &Recorded<'g>, gathered: &[Gathered]) -> Vec<Expr<'g>> {
    let arguments = ["q", "v"].into_iter().chain(gathered.iter().map(|one| one.argument));
    arguments.flat_map(|argument| found.of(argument)).copied().collect()
}

struct Writer<'f> {
    step: Step<'f>,
    back: &'f Function,
    end: &'f Function,
    gathered: &'f [Gathered],
    open: Option<Whose>,
}

impl Writer<'_> {
    fn body(&self, lines: &mut Lines, options: &Options<'_>, by: &[By]) {
        let joints = self.step.layout.velocities;
        let state = |k: usize| format!("states + (step * {} + {k}) * count", 2 * joints);
        self.step.begin(lines);
        lines.put("T total = T(0);");
        lines.put(format!("if (steps > {most}) steps = {most};", most = options.steps));
        lines.put("for (long long step = 0; step < steps; ++step) {");
        lines.each(joints, |k| format!("appell_store<T>({}, i, pos[{k}]);", state(k)));
        lines.each(joints, |k| format!("appell_store<T>({}, i, vel[{k}]);", state(joints + k)));
        self.step.forward(lines, self.open);
        lines.each(joints, |k| format!("pos[{k}] = next_pos[{k}]; vel[{k}] = next_vel[{k}];"));
        lines.put("total = total + more;");
        lines.put("}");
        self.begin_backwards(lines);
        lines.put("for (long long step = steps - 1; step >= 0; --step) {");
        lines.each(joints, |k| format!("pos[{k}] = appell_load<T>({}, i);", state(k)));
        lines.each(joints, |k| format!("vel[{k}] = appell_load<T>({}, i);", state(joints + k)));
        self.step.torques(lines, self.open);
        self.step_backwards(lines);
        lines.put("}");
        lines.put("T off = appell_zero_if_finite(total);");
        lines.put("appell_store<T>(cost, i, total);");
        if by.contains(&By::Start) {
            store(lines, "bar_pos", "by_q0", joints);
            store(lines, "bar_vel", "by_v0", joints);
        }
        for Gathered { argument, port, many, .. } in self.gathered.iter().filter(|one| one.argument != "torque") {
            store(lines, &format!("bar_{argument}"), port, *many);
        }
        lines.put("return off;");
    }

    /// The end of the cost, and what it does by the last state and by the numbers it takes.
    fn begin_backwards(&self, lines: &mut Lines) {
        let joints = self.step.layout.velocities;
        lines.put(format!("T bar_pos[{joints}], bar_vel[{joints}];"));
        for Gathered { argument, many, .. } in self.gathered.iter().filter(|one| one.many > 0) {
            lines.put(format!("T bar_{argument}[{many}];"));
        }
        lines.put("{");
        self.step.at_end(lines, self.end);
        lines.put("total = total + y[0];");
        lines.each(joints, |k| format!("bar_pos[{k}] = y[{}]; bar_vel[{k}] = y[{}];", 1 + k, 1 + joints + k));
        for Gathered { argument, many, first, .. } in self.gathered {
            lines.each(*many, |k| format!("bar_{argument}[{k}] = y[{}];", 1 + first + k));
        }
        lines.put("}");
    }

    /// Adjoints of a step's beginning from those of its end.
    fn step_backwards(&self, lines: &mut Lines) {
        let joints = self.step.layout.velocities;
        let answers = self.back.answers();
        if let Some(Gathered { many, .. }) = self.torques() {
            lines.each(*many, |k| format!("bar_torque[{k}] = T(0);"));
        }
        match self.step.scheme {
            Scheme::SemiImplicit => {
                lines.put("const T now[1] = {T(dt * (double)step)};");
                lines.put(format!("T w[{}], y[{answers}];", joints + 1));
                lines.each(joints, |k| format!("bar_vel[{k}] = bar_vel[{k}] + h * bar_pos[{k}];"));
                lines.each(joints, |k| format!("w[{k}] = h * bar_vel[{k}];"));
                lines.put(format!("w[{joints}] = h;"));
                lines.put(self.back.call(&given("pos", "vel"), "y"));
                lines.each(joints, |k| format!("bar_pos[{k}] = bar_pos[{k}] + y[{k}];"));
                lines.each(joints, |k| format!("bar_vel[{k}] = bar_vel[{k}] + y[{}];", joints + k));
                self.gather(lines);
            }
            Scheme::RungeKutta4 => self.stages_backwards(lines),
        }
        if let Some(Gathered { port, many, .. }) = self.torques() {
            let place = |k: usize| format!("{port} + (step * {many} + {k}) * count");
            lines.each(*many, |k| format!("appell_store<T>({}, i, bar_torque[{k}]);", place(k)));
        }
    }

    fn stages_backwards(&self, lines: &mut Lines) {
        let joints = self.step.layout.velocities;
        lines.put(format!("T all_pos[4][{joints}], all_vel[4][{joints}];"));
        lines.each(joints, |k| format!("all_pos[0][{k}] = pos[{k}]; all_vel[0][{k}] = vel[{k}];"));
        lines.put("APPELL_ROLLED");
        lines.put("for (int stage = 0; stage < 3; ++stage) {");
        lines.put("const T ahead = stage == 2 ? h : half;");
        lines.put(STAGE_TIME);
        lines.put(format!("T y[{}];", self.step.rates.answers()));
        lines.put(self.step.rates.call(&given("all_pos[stage]", "all_vel[stage]"), "y"));
        lines.each(joints, |k| format!("all_pos[stage + 1][{k}] = pos[{k}] + ahead * all_vel[stage][{k}];"));
        lines.each(joints, |k| format!("all_vel[stage + 1][{k}] = vel[{k}] + ahead * y[{k}];"));
        lines.put("}");
        // Of the step's end, and of the stage that came after.
        lines.put(format!("T last_pos[{joints}], last_vel[{joints}], far_pos[{joints}], far_vel[{joints}];"));
        lines.each(joints, |k| {
            format!("last_pos[{k}] = bar_pos[{k}]; last_vel[{k}] = bar_vel[{k}]; far_pos[{k}] = far_vel[{k}] = T(0);")
        });
        lines.put("APPELL_ROLLED");
        lines.put("for (int stage = 3; stage >= 0; --stage) {");
        lines.put("const bool is_edge = stage == 0 || stage == 3;");
        lines.put("const T weight = is_edge ? sixth : third, ahead = stage == 2 ? h : half;");
        lines.put(STAGE_TIME);
        lines.put(format!("T w[{}], y[{}];", joints + 1, self.back.answers()));
        lines.each(joints, |k| format!("w[{k}] = weight * last_vel[{k}] + ahead * far_vel[{k}];"));
        lines.put(format!("w[{joints}] = weight;"));
        lines.put(self.back.call(&given("all_pos[stage]", "all_vel[stage]"), "y"));
        lines.each(joints, |k| {
            format!("far_vel[{k}] = y[{}] + weight * last_pos[{k}] + ahead * far_pos[{k}];", joints + k)
        });
        lines.each(joints, |k| format!("far_pos[{k}] = y[{k}];"));
        lines.each(joints, |k| format!("bar_pos[{k}] = bar_pos[{k}] + far_pos[{k}];"));
        lines.each(joints, |k| format!("bar_vel[{k}] = bar_vel[{k}] + far_vel[{k}];"));
        self.gather(lines);
        lines.put("}");
    }

    fn gather(&self, lines: &mut Lines) {
        for Gathered { argument, many, first, .. } in self.gathered {
            lines.each(*many, |k| format!("bar_{argument}[{k}] = bar_{argument}[{k}] + y[{}];", first + k));
        }
    }

    fn torques(&self) -> Option<&Gathered> {
        self.gathered.iter().find(|one| one.argument == "torque" && one.many > 0)
    }
}
