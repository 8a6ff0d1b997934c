//! The function of a rollout: a loop over steps, in it the schemes, limits and what is stored.

use super::law::Whose;
use super::record::{Layout, record};
use super::step::Step;
use super::text::{Function, HEAD, Lines, Ports, SHARED, store};
use super::{Channel, Options, Refused, Rollout};
use crate::emit::device::{Code, PortKind};
use crate::emit::identifier;
use crate::expr::Recorder;
use appell::Robot;
use appell::description::Limits;

pub(super) fn generate(robot: &Robot, options: &Options<'_>) -> Result<Rollout, Refused> {
    let recorder = Recorder::default();
    let found = record(&recorder, robot, options)?;
    let (layout, joints) = (found.layout, found.layout.joints);
    let name = identifier(&format!("{} rollout", robot.tree().name()));
    let stores_torques = options.stored.contains(&Channel::Torques);
    let running = found.cost.iter().map(|[running, _]| *running);
    let answers: Vec<_> =
        found.a.iter().copied().chain(running).chain(found.tau.iter().copied().filter(|_| stores_torques)).collect();
    let function = |ending: &str, answers: &[_]| Function {
        name: format!("{name}_{ending}"),
        arguments: layout.arguments(),
        program: recorder.program(answers),
    };
    let rates = function("rates", &answers);
    let end = found.cost.map(|[_, terminal]| function("end", &[terminal]));
    let of_channel = |channel: &Channel| match channel {
        Channel::Positions => "q",
        Channel::Velocities => "v",
        Channel::Torques => "tau",
    };
    let numbered = |name: &str| (1..=joints).map(|j| format!("{name}{j}")).collect::<Vec<_>>();
    let columns: Vec<String> = options.stored.iter().flat_map(|channel| numbered(of_channel(channel))).collect();
    let rows = if columns.is_empty() { 0 } else { options.steps / options.stride };
    let ports = ports(options, layout, rows * columns.len());
    let mut text = Lines::default();
    text.put(format!("{}{}", HEAD, rates.text()) + &end.as_ref().map_or(String::new(), Function::text));
    text.put(ports.declare(&name));
    text.put("{");
    body(&mut text, options, layout, &rates, end.as_ref(), columns.len());
    text.put("}");
    let (shared, own) = numbers(options);
    Ok(Rollout { code: Code { name, text: text.text(), ports: ports.0 }, shared, own, columns, rows })
}

/// The names of the numbers of law and cost: shared, and every robot's own.
pub(super) fn numbers(options: &Options<'_>) -> (Vec<String>, Vec<String>) {
    let (law, cost) = (&options.law, options.cost.as_ref());
    let both = |of_law: &[String], of_cost: &[String]| [of_law, of_cost].concat();
    (
        both(&law.shared, cost.map_or(&[], |cost| &cost.shared)),
        both(&law.own, cost.map_or(&[], |cost| &cost.own)),
    )
}

/// The ports that are read, as all rollouts have them.
pub(super) fn read_ports(options: &Options<'_>, layout: Layout) -> Ports {
    let mut ports = Ports::default();
    ports.add("q0", PortKind::Read(layout.joints));
    ports.add("v0", PortKind::Read(layout.joints));
    let many = options.steps * layout.joints;
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

fn ports(options: &Options<'_>, layout: Layout, stored: usize) -> Ports {
    let mut ports = read_ports(options, layout);
    ports.add("q", PortKind::Written(layout.joints));
    ports.add("v", PortKind::Written(layout.joints));
    ports.add("samples", PortKind::Written(stored));
    ports.add("ended", PortKind::Written(usize::from(!options.limits.is_empty())));
    ports.add("cost", PortKind::Written(usize::from(options.cost.is_some())));
    ports.add("dt", PortKind::Real);
    ports.add("steps", PortKind::Whole);
    ports
}

fn body(
    lines: &mut Lines,
    options: &Options<'_>,
    layout: Layout,
    rates: &Function,
    end: Option<&Function>,
    width: usize,
) {
    let (joints, has_limits) = (layout.joints, !options.limits.is_empty());
    let step = Step { scheme: options.scheme, layout, rates, has_cost: end.is_some() };
    step.begin(lines);
    if has_limits {
        lines.put("T going = T(1), made = T(0);");
    }
    if end.is_some() {
        lines.put("T total = T(0);");
    }
    if width > 0 {
        lines.put("long long since = 0, row = 0;");
    }
    step.bound(lines, options, width > 0);
    lines.put("for (long long step = 0; step < steps; ++step) {");
    step.forward(lines, options.law.open);
    if has_limits {
        limit(lines, &options.limits);
        let keep = |x: &str, next: &str| format!("{x} = appell_where(going, {next}, {x});");
        lines.each(joints, |k| keep(&format!("pos[{k}]"), &format!("next_pos[{k}]")));
        lines.each(joints, |k| keep(&format!("vel[{k}]"), &format!("next_vel[{k}]")));
        if end.is_some() {
            lines.put(keep("total", "total + more"));
        }
    } else {
        lines.each(joints, |k| format!("pos[{k}] = next_pos[{k}]; vel[{k}] = next_vel[{k}];"));
        if end.is_some() {
            lines.put("total = total + more;");
        }
    }
    if width > 0 {
        lines.put(format!("if (++since == {}) {{", options.stride));
        lines.put(format!("appell_scalar<T> *at = samples + row * {width} * count;"));
        for (place, channel) in options.stored.iter().enumerate() {
            let from = match channel {
                Channel::Positions => "pos",
                Channel::Velocities => "vel",
                Channel::Torques => "tau",
            };
            let first = place * joints;
            lines.each(joints, |k| format!("appell_store<T>(at + {} * count, i, {from}[{k}]);", first + k));
        }
        lines.put("since = 0;");
        lines.put("++row;");
        lines.put("}");
    }
    lines.put("}");
    lines.put("T off = T(0);");
    store(lines, "pos", "q", joints);
    store(lines, "vel", "v", joints);
    if has_limits {
        lines.put("appell_store<T>(ended, i, made);");
    }
    if let Some(end) = end {
        step.at_end(lines, end);
        lines.put("total = total + y[0];");
        lines.put("appell_store<T>(cost, i, total);");
        lines.put("off = off + appell_zero_if_finite(total);");
    }
    lines.put("return off;");
}

/// Whether the next state is within the limits; what is not a number is not.
fn limit(lines: &mut Lines, limits: &[Limits]) {
    lines.put("T inside = T(1);");
    let mut demand = |margin: String| lines.put(format!("inside = appell_where({margin}, inside, T(0));"));
    for (k, limits) in limits.iter().enumerate() {
        let both = [("pos", limits.lower, limits.upper), ("vel", -limits.velocity, limits.velocity)];
        for (of, lower, upper) in both {
            if lower.is_finite() {
                demand(format!("next_{of}[{k}] - T({lower:?})"));
            }
            if upper.is_finite() {
                demand(format!("T({upper:?}) - next_{of}[{k}]"));
            }
        }
    }
    lines.put("going = appell_where(inside, going, T(0));");
    lines.put("made = made + going;");
}
