//! The computer and its wires: the section `[loop]`.

use super::each::{exclude, expect_entries, numbers, position, some, some_count, some_positive, some_word};
use super::{Cause, Each, ScenarioError, at};
use crate::control::sampled::{Axis, Chain, Position, SafeStop, Speed, Timing};
use crate::control::signal::{AnalogOutput, Encoder, Gripper, Potentiometer, SignalError, ThermalSwitch, Winding};
use crate::control::signal::{Broken, SensorFault};
use appell::description::notes::Notes;
use appell::description::toml::reader::{Reader, Table};
use appell::description::toml::sections::part;
use appell::description::{Finding, JointKind};

/// A sampled loop with its chain of signals.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sampled {
    pub(super) timing: Timing,
    seed: u32,
    all: Elements,
    joints: Vec<(String, Elements)>,
    grippers: Vec<Vec<f64>>,
    brakes: Option<[Option<Each>; 3]>, // torque, stiffness, damping
    emergency_stop: Option<f64>,
}

/// What is at one drive; what is left out is as at all others.
#[derive(Debug, Clone, PartialEq, Default)]
struct Elements {
    encoder: Option<EncoderPart>,
    potentiometer: Option<Made<Potentiometer>>,
    speed: Option<Speed>,
    output: Option<Made<AnalogOutput>>,
    over_temperature: Option<Made<ThermalSwitch>>,
    sensor_fault: Option<Made<SensorFault>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct EncoderPart {
    counts: u32,
    gear: Option<f64>,
    lead: Option<f64>,
    index: Option<u32>,
}

/// An element, or why there is none: said when the line of its section is known.
type Made<T> = Result<T, SignalError>;

const KEYS: &[&str] = &[
    "period",
    "delay",
    "seed",
    "grippers",
    "brakes",
    "joint",
    "emergency_stop",
    "encoder",
    "potentiometer",
    "speed",
    "output",
    "over_temperature",
    "sensor_fault",
];
const ELEMENTS: &[&str] = KEYS.split_at(7).1;

impl Sampled {
    pub(super) fn read(reader: &mut Reader, file: &Table<'_>) -> Option<Self> {
        let node = reader.get(file, "loop")?;
        let table = reader.table(&node, KEYS)?;
        reader.require(&table, "period", "the time from sample to sample, s");
        let joints = reader.sections(&table, "joint");
        let joints = joints.iter().filter_map(|(name, node)| {
            let section = reader.table(node, ELEMENTS)?;
            Some(((*name).to_owned(), Elements::read(reader, &section)))
        });
        let joints = joints.collect();
        let grippers =
            reader.get(&table, "grippers").and_then(|node| reader.items(&node, "rows of switching times, s"));
        let grippers = grippers.unwrap_or_default();
        let grippers = grippers.iter().map(|node| numbers(reader, node)).collect();
        if let Some(node) = reader.get(&table, "brakes") {
            expect_entries(
                reader,
                &node,
                "`torque`, or `stiffness` and `damping`; without `brakes` the power goes off",
            );
        }
        let brakes = part(reader, &table, "brakes", &["torque", "stiffness", "damping"]).map(|brakes| {
            exclude(reader, &brakes, "torque", &["stiffness", "damping"]);
            ["torque", "stiffness", "damping"].map(|key| Each::read(reader, &brakes, key))
        });
        Some(Self {
            timing: Timing {
                period: some_positive(reader, &table, "period").unwrap_or(f64::NAN),
                delay: some(reader, &table, "delay", Reader::number).unwrap_or(0.0),
            },
            seed: some_count(reader, &table, "seed").unwrap_or(0),
            all: Elements::read(reader, &table),
            joints,
            grippers,
            brakes,
            emergency_stop: part(reader, &table, "emergency_stop", &["at"]).and_then(|part| {
                reader.require(&part, "at", "when somebody presses it, s")?;
                some(reader, &part, "at", Reader::number)
            }),
        })
    }

    /// The digital outputs at a time.
    pub(super) fn grippers(&self, t: f64) -> Vec<bool> {
        let is_on = |changes: &Vec<f64>| Gripper::new(changes.clone()).is_ok_and(|gripper| gripper.is_on(t));
        self.grippers.iter().map(is_on).collect()
    }

    /// Whether torques and forces pass outputs, which have limits.
    pub(super) fn has_outputs(&self) -> bool {
        self.all.output.is_some() || self.joints.iter().any(|(_, own)| own.output.is_some())
    }

    /// The chain at drives of these names and kinds.
    pub(super) fn chain(&self, drives: &[(String, JointKind)], notes: &Notes) -> Result<Chain, ScenarioError> {
        let names: Vec<String> = drives.iter().map(|(name, _)| name.clone()).collect();
        if let Some((name, _)) = self.joints.iter().find(|(name, _)| !names.contains(name)) {
            let unknown = Cause::UnknownJoint { name: name.clone(), known: names };
            return at(notes, &format!("loop.joint.{name}"), Err(unknown));
        }
        let lonely = self.joints.iter().map(|(_, own)| own.or(&self.all)).chain([self.all.clone()]);
        if lonely.into_iter().any(|elements| elements.potentiometer.is_some() && elements.encoder.is_none()) {
            let expected = "the encoder whose start the potentiometer gives";
            return at(notes, "loop.encoder", Err(Cause::Missing { expected }));
        }
        let mut axes = Vec::new();
        for (name, kind) in drives {
            let own = self.joints.iter().find(|(known, _)| known == name).map(|(_, elements)| elements);
            let place = own.map_or("loop".to_owned(), |_| format!("loop.joint.{name}"));
            let elements = own.map_or_else(|| self.all.clone(), |own| own.or(&self.all));
            axes.push(at(notes, &place, elements.axis(*kind))?);
        }
        let grippers: Result<Vec<Gripper>, SignalError> = self.grippers.iter().cloned().map(Gripper::new).collect();
        let safe_stop = match &self.brakes {
            None => SafeStop::PowerOff,
            Some([torque, stiffness, damping]) => {
                let numbers = |key: &str, each: &Option<Each>| {
                    let zeros = vec![0.0; names.len()];
                    let numbers = each.as_ref().map_or(Ok(zeros), |each| each.of(&names, Some(0.0)));
                    at(notes, &format!("loop.brakes.{key}"), numbers)
                };
                match torque {
                    Some(_) => SafeStop::Friction(numbers("torque", torque)?),
                    None => SafeStop::Brakes {
                        stiffness: numbers("stiffness", stiffness)?,
                        damping: numbers("damping", damping)?,
                    },
                }
            }
        };
        if safe_stop.is_idle() {
            let expected = "a positive number at some drive; without `brakes` the power goes off";
            return at(notes, "loop.brakes", Err(Cause::OutOfRange { value: 0.0, expected }));
        }
        let grippers = at(notes, "loop.grippers", grippers)?;
        let (emergency_stop, seed) = (self.emergency_stop, u64::from(self.seed));
        Ok(Chain { axes, grippers, emergency_stop, safe_stop, seed })
    }
}

impl Elements {
    fn read(reader: &mut Reader, section: &Table<'_>) -> Self {
        Self {
            encoder: encoder(reader, section),
            potentiometer: potentiometer(reader, section),
            speed: speed(reader, section),
            output: output(reader, section),
            over_temperature: switch(reader, section),
            sensor_fault: sensor_fault(reader, section),
        }
    }

    /// These, and others where there are none.
    fn or(&self, all: &Self) -> Self {
        let own = self.clone();
        Self {
            encoder: own.encoder.or(all.encoder),
            potentiometer: own.potentiometer.or(all.potentiometer.clone()),
            speed: own.speed.or(all.speed),
            output: own.output.or(all.output.clone()),
            over_temperature: own.over_temperature.or(all.over_temperature.clone()),
            sensor_fault: own.sensor_fault.or(all.sensor_fault.clone()),
        }
    }

    fn axis(self, kind: JointKind) -> Made<Axis> {
        let encoder = self.encoder.map(|part| {
            let encoder = match (part.lead, kind) {
                (Some(lead), _) => Encoder::linear(part.counts, lead)?,
                // A slide without a lead: a scale of so many counts a metre.
                (None, JointKind::Prismatic) => Encoder::linear(part.counts, 1.0 / part.gear.unwrap_or(1.0))?,
                (None, JointKind::Revolute) => Encoder::rotary(part.counts, part.gear.unwrap_or(1.0))?,
            };
            part.index.map_or(Ok(encoder), |index| encoder.with_index(index))
        });
        let start = self.potentiometer.transpose()?;
        Ok(Axis {
            position: encoder.transpose()?.map_or(Position::Exact, |encoder| Position::Encoder { encoder, start }),
            speed: self.speed.unwrap_or_default(),
            output: self.output.transpose()?,
            over_temperature: self.over_temperature.transpose()?,
            sensor_fault: self.sensor_fault.transpose()?,
        })
    }
}

fn encoder(reader: &mut Reader, section: &Table<'_>) -> Option<EncoderPart> {
    let table = part(reader, section, "encoder", &["counts", "gear", "lead", "index"])?;
    reader.require(&table, "counts", "counts a turn of the motor, a whole number")?;
    Some(EncoderPart {
        counts: some_count(reader, &table, "counts")?,
        gear: some(reader, &table, "gear", Reader::number),
        lead: some(reader, &table, "lead", Reader::number),
        index: some_count(reader, &table, "index"),
    })
}

fn potentiometer(reader: &mut Reader, section: &Table<'_>) -> Option<Made<Potentiometer>> {
    let table = part(reader, section, "potentiometer", &["lower", "upper", "noise", "bits"])?;
    reader.require(&table, "lower", "the least position, rad or m");
    reader.require(&table, "upper", "the largest position, rad or m");
    let [lower, upper] =
        ["lower", "upper"].map(|key| some(reader, &table, key, |reader, node| position(reader, node).value));
    let noise = some(reader, &table, "noise", Reader::number).unwrap_or(0.0);
    let bits = some_count(reader, &table, "bits");
    let made = Potentiometer::new(lower?, upper?, noise);
    Some(made.and_then(|made| bits.map_or(Ok(made), |bits| made.with_bits(bits))))
}

fn speed(reader: &mut Reader, section: &Table<'_>) -> Option<Speed> {
    let table = part(reader, section, "speed", &["by", "cutoff"])?;
    reader.require(&table, "by", "\"difference\", or \"exact\"");
    let difference = some_word(reader, &table, "by", &[("exact", false), ("difference", true)])?;
    let cutoff = some_positive(reader, &table, "cutoff");
    if let Some(node) = reader.get(&table, "cutoff").filter(|_| !difference) {
        reader.error(&node.place, Finding::Excluded { by: "by = \"exact\"" });
    }
    Some(if difference { Speed::Difference { cutoff } } else { Speed::Exact })
}

fn output(reader: &mut Reader, section: &Table<'_>) -> Option<Made<AnalogOutput>> {
    let table = part(reader, section, "output", &["torque_per_volt", "bits", "limit"])?;
    reader.require(&table, "torque_per_volt", "the effort at the joint a volt, N m/V or N/V")?;
    let made = AnalogOutput::new(some(reader, &table, "torque_per_volt", Reader::number)?);
    let (bits, limit) = (some_count(reader, &table, "bits"), some_positive(reader, &table, "limit"));
    let made = made.and_then(|made| bits.map_or(Ok(made), |bits| made.with_bits(bits)));
    Some(made.and_then(|made| limit.map_or(Ok(made), |limit| made.with_limit(limit))))
}

fn switch(reader: &mut Reader, section: &Table<'_>) -> Option<Made<ThermalSwitch>> {
    let table = part(reader, section, "over_temperature", &["at", "winding"])?;
    exclude(reader, &table, "at", &["winding"]);
    if let Some(time) = some(reader, &table, "at", Reader::number) {
        return Some(Ok(ThermalSwitch::At(time)));
    }
    reader.require(&table, "winding", "[heating K/(N m)², time constant s, largest rise K], or `at`, a time in s")?;
    let numbers = some(reader, &table, "winding", numbers)?;
    let &[heating, time_constant, largest] = &numbers[..] else {
        let columns = "heating, time constant, largest rise";
        let finding = Finding::WrongLength { found: numbers.len(), expected: 3, columns };
        reader.error(&table.place_of("winding"), finding);
        return None;
    };
    Some(Winding::new(heating, time_constant, largest).map(ThermalSwitch::Winding))
}

/// Which way a sensor breaks; of one that is off it is said by how much.
const BROKEN: &[(&str, Broken)] =
    &[("frozen", Broken::Frozen), ("offset", Broken::Offset(0.0)), ("nan", Broken::NotANumber)];

fn sensor_fault(reader: &mut Reader, section: &Table<'_>) -> Option<Made<SensorFault>> {
    let table = part(reader, section, "sensor_fault", &["at", "kind", "by"])?;
    reader.require(&table, "at", "when it breaks, s");
    reader.require(&table, "kind", "\"frozen\", \"offset\" or \"nan\"");
    let (at, kind) = (some(reader, &table, "at", Reader::number), some_word(reader, &table, "kind", BROKEN));
    let by = some(reader, &table, "by", |reader, node| position(reader, node).value);
    let how = match kind? {
        Broken::Offset(_) => {
            reader.require(&table, "by", "how far it is off, rad or m");
            Broken::Offset(by?)
        }
        other => {
            if let Some(node) = reader.get(&table, "by") {
                reader.error(&node.place, Finding::Excluded { by: "its kind" });
            }
            other
        }
    };
    Some(SensorFault::new(at?, how))
}
