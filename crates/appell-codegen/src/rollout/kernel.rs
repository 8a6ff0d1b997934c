//! The function of a rollout: a loop over steps, in it the schemes, limits and what is stored.

use super::law::Whose;
use super::record::{Layout, Plant, Recorded, record};
use super::step::{Step, given};
use super::text::{Function, HEAD, Lines, Ports, SHARED, store};
use super::{Channel, Options, Refused, Rollout};
use crate::emit::device::{Code, PortKind};
use crate::emit::identifier;
use crate::expr::{Expr, Recorder};
use appell::Robot;
use appell::description::Limits;

/// The device functions of a rollout.
struct Functions {
    rates: Function,
    /// φ.
    end: Option<Function>,
    platform: Option<OfPlatform>,
}

/// Those of a platform: rates of the pose, the pose brought back, how far loops are open, the drives.
struct OfPlatform {
    way: Function,
    closed: Function,
    gap: Function,
    drives: Function,
}

impl Functions {
    fn new(recorder: &Recorder, found: &Recorded<'_>, name: &str, stores_torques: bool) -> Self {
        let function = |ending: &str, answers: &[Expr<'_>]| Function {
            name: format!("{name}_{ending}"),
            arguments: found.layout.arguments(),
            program: recorder.program(answers),
        };
        let running: Vec<Expr<'_>> = found.cost.iter().map(|[running, _]| *running).collect();
        let torques = if stores_torques { &found.tau[..] } else { &[] };
        Self {
            rates: function("rates", &[&found.a[..], &running, torques].concat()),
            end: found.cost.map(|[_, terminal]| function("end", &[terminal])),
            platform: found.platform.as_ref().map(|of_platform| {
                // They depend on the state alone, which comes first.
                let arguments = &found.layout.arguments()[..2];
                let of_state = |ending: &str, answers: &[Expr<'_>]| Function {
                    arguments: arguments.to_vec(),
                    ..function(ending, answers)
                };
                OfPlatform {
                    way: of_state("way", &of_platform.way),
                    closed: of_state("closed", &of_platform.closed),
                    gap: of_state("gap", &[of_platform.gap]),
                    drives: of_state("drives", &of_platform.drives),
                }
            }),
        }
    }

    /// Those that the kernel calls.
    fn called(&self, options: &Options<'_>) -> Vec<&Function> {
        let mut all = vec![&self.rates];
        all.extend(&self.end);
        if let Some(OfPlatform { way, closed, gap, drives }) = &self.platform {
            all.extend([way, closed, gap]);
            all.extend((!options.limits.is_empty()).then_some(drives));
        }
        all
    }
}

pub(super) fn generate(robot: &Robot, options: &Options<'_>) -> Result<Rollout, Refused> {
    let plant = Plant::new(robot, options)?;
    let recorder = Recorder::default();
    let found = record(&recorder, robot, &plant, options)?;
    let layout = found.layout;
    let name = identifier(&format!("{} rollout", robot.tree().name()));
    let functions = Functions::new(&recorder, &found, &name, options.stored.contains(&Channel::Torques));
    let columns: Vec<String> = options.stored.iter().flat_map(|channel| channel.columns(robot, layout)).collect();
    let rows = if columns.is_empty() { 0 } else { options.steps / options.stride };
    let ports = ports(options, layout, rows * columns.len(), functions.platform.is_some());
    let mut text = Lines::default();
    let called = functions.called(options);
    text.put(called.iter().fold(HEAD.to_owned(), |text, function| text + &function.text()));
    text.put(ports.declare(&name));
    text.put("{");
    body(&mut text, options, layout, &functions, columns.len());
    text.put("}");
    let (shared, own) = numbers(options);
    let operations = called.into_iter().map(Function::operations).sum();
    Ok(Rollout { code: Code { name, text: text.text(), ports: ports.0, operations }, shared, own, columns, rows })
}

impl Channel {
    fn columns(self, robot: &Robot, layout: Layout) -> Vec<String> {
        let numbered = |name: &str, many: usize| (1..=many).map(|k| format!("{name}{k}")).collect();
        match (self, robot.closed()) {
            (Self::Positions, Some(_)) => ["px", "py", "pz", "qx", "qy", "qz", "qw"].map(String::from).to_vec(),
            (Self::Velocities, Some(closed)) => closed.freedom_names(),
            (Self::Positions, None) => numbered("q", layout.positions),
            (Self::Velocities, None) => numbered("v", layout.velocities),
            (Self::Torques, _) => numbered("tau", layout.drives),
        }
    }

    /// Where its numbers are in the kernel.
    fn array(self, layout: Layout) -> (&'static str, usize) {
        match self {
            Self::Positions => ("pos", layout.positions),
            Self::Velocities => ("vel", layout.velocities),
            Self::Torques => ("tau", layout.drives),
        }
    }
}

/// The names of the numbers of law and cost: shared, and every robot's own.
pub(super) fn numbers(options: &Options<'_>) -> (Vec<String>, Vec<String>) {
    let (law, cost) = (&options.law, options.cost.as_ref());
    let both = |of_law: &[String], of_cost: &[String]| [of_law, of_cost].concat();
    (both(&law.shared, cost.map_or(&[], |cost| &cost.shared)), both(&law.own, cost.map_or(&[], |cost| &cost.own)))
}

/// The ports that are read, as all rollouts have them.
pub(super) fn read_ports(options: &Options<'_>, layout: Layout) -> Ports {
    let mut ports = Ports::default();
    ports.add("q0", PortKind::Read(layout.positions));
    ports.add("v0", PortKind::Read(layout.velocities));
    let many = options.steps * layout.torques;
    match options.law.open {
        Some(Whose::Shared) => ports.add("torques", PortKind::Shared(many)),
        Some(Whose::Own) => ports.add("torques", PortKind::Read(many)),
        None => {}
    }
    ports.add("p", PortKind::Read(layout.varied));
    ports.add("own", PortKind::Read(layout.own.iter().sum()));
    ports.add(SHARED, PortKind::Shared(layout.shared.iter().sum()));
    ports
}

fn ports(options: &Options<'_>, layout: Layout, stored: usize, has_loops: bool) -> Ports {
    let mut ports = read_ports(options, layout);
    ports.add("q", PortKind::Written(layout.positions));
    ports.add("v", PortKind::Written(layout.velocities));
    ports.add("samples", PortKind::Written(stored));
    ports.add("ended", PortKind::Written(usize::from(!options.limits.is_empty())));
    ports.add("cost", PortKind::Written(usize::from(options.cost.is_some())));
    ports.add("violation", PortKind::Written(usize::from(has_loops)));
    ports.add("dt", PortKind::Real);
    ports.add("steps", PortKind::Whole);
    ports
}

fn body(lines: &mut Lines, options: &Options<'_>, layout: Layout, functions: &Functions, width: usize) {
    let (has_limits, has_cost) = (!options.limits.is_empty(), functions.end.is_some());
    let platform = functions.platform.as_ref();
    let step = Step {
        scheme: options.scheme,
        layout,
        rates: &functions.rates,
        has_cost,
        platform: platform.map(|OfPlatform { way, closed, .. }| [way, closed]),
    };
    step.begin(lines);
    if has_limits {
        lines.put("T going = T(1), made = T(0);");
    }
    if has_cost {
        lines.put("T total = T(0);");
    }
    if width > 0 {
        lines.put("long long since = 0, row = 0;");
    }
    step.bound(lines, options, width > 0);
    lines.put("for (long long step = 0; step < steps; ++step) {");
    step.forward(lines, options.law.open);
    let keep = |x: String, next: String| match has_limits {
        true => format!("{x} = appell_where(going, {next}, {x});"),
        false => format!("{x} = {next};"),
    };
    if has_limits {
        limit(lines, &options.limits, platform.map(|platform| &platform.drives));
    }
    lines.each(layout.positions, |k| keep(format!("pos[{k}]"), format!("next_pos[{k}]")));
    lines.each(layout.velocities, |k| keep(format!("vel[{k}]"), format!("next_vel[{k}]")));
    if has_cost {
        lines.put(keep("total".into(), "total + more".into()));
    }
    if width > 0 {
        lines.put(format!("if (++since == {}) {{", options.stride));
        lines.put(format!("appell_scalar<T> *at = samples + row * {width} * count;"));
        let mut first = 0;
        for (from, many) in options.stored.iter().map(|channel| channel.array(layout)) {
            lines.each(many, |k| format!("appell_store<T>(at + {} * count, i, {from}[{k}]);", first + k));
            first += many;
        }
        lines.put("since = 0;");
        lines.put("++row;");
        lines.put("}");
    }
    lines.put("}");
    lines.put("T off = T(0);");
    store(lines, "pos", "q", layout.positions);
    store(lines, "vel", "v", layout.velocities);
    if has_limits {
        lines.put("appell_store<T>(ended, i, made);");
    }
    let mut answer = |function: &Function, port: &str, before: &str| {
        lines.put("{");
        step.at_end(lines, function);
        lines.put(format!("y[0] = {before}y[0];"));
        store(lines, "y", port, 1);
        lines.put("}");
    };
    if let Some(end) = &functions.end {
        answer(end, "cost", "total + ");
    }
    if let Some(OfPlatform { gap, .. }) = platform {
        answer(gap, "violation", "");
    }
    lines.put("return off;");
}

/// Whether the next state is within the limits; what is not a number is not.
fn limit(lines: &mut Lines, limits: &[Limits], drives: Option<&Function>) {
    lines.put("T inside = T(1);");
    if let Some(drives) = drives {
        lines.put(format!("T drives[{}];", drives.answers()));
        lines.put(drives.call(&given("next_pos", "next_vel"), "drives"));
    }
    let many = limits.len();
    let mut demand = |margin: String| lines.put(format!("inside = appell_where({margin}, inside, T(0));"));
    for (k, limits) in limits.iter().enumerate() {
        let names = match drives {
            None => [format!("next_pos[{k}]"), format!("next_vel[{k}]")],
            Some(_) => [format!("drives[{k}]"), format!("drives[{}]", many + k)],
        };
        let ranges = [(limits.lower, limits.upper), (-limits.velocity, limits.velocity)];
        for (of, (lower, upper)) in names.iter().zip(ranges) {
            if lower.is_finite() {
                demand(format!("{of} - T({lower:?})"));
            }
            if upper.is_finite() {
                demand(format!("T({upper:?}) - {of}"));
            }
        }
    }
    lines.put("going = appell_where(inside, going, T(0));");
    lines.put("made = made + going;");
}
