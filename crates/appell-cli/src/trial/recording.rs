//! The record as MCAP, which Foxglove and PlotJuggler show: messages in JSON, with schemas.
//!
//! | topic | schema | what it holds |
//! |---|---|---|
//! | `/joint_states` | `sensor_msgs/JointState` | true positions, speeds, torques and forces of the drives |
//! | `/q` | `appell.Positions` | all numbers of a position, where quaternions are among them |
//! | `/wanted`, `/errors` | `appell.Drives` | positions of the reference, and true ones less these |
//! | `/measured`, `/measured_v`, `/command` | `appell.Drives` | what a computer sees and wants |
//! | `/grippers`, `/own`, `/safety` | `appell.Grippers` … | digital outputs, states of the law, fault and brakes |
//! | `/platform`, `/wanted_platform` | `foxglove.PoseInFrame` | poses, in the base |
//! | `/platform_twist`, `/wanted_platform_twist` | `geometry_msgs/Twist` | twists, in base axes |
//! | `/platform_errors` | `appell.PlatformErrors` | position, rotation vector, linear and angular velocity |
//! | `/energy` | `appell.Energy` | J |
//! | `/events` | `foxglove.Log` | the events |
//!
//! Times are those of the run, ns from its beginning. `python/appell/_viewers.py` writes the same topics.

use crate::output::Output;
use crate::place::quaternion;
use crate::table::is_stream;
use anyhow::Context;
use appell::Robot;
use appell::spatial::{Pose, Twist, Vec3};
use appell_simulation::scenario::{Event, Moment, Severity};
use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{WriteOptions, Writer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Bytes of a part of the file that stands for itself.
const CHUNK: u64 = 1 << 20;

/// What is streamed stands in the file after this time at the latest.
const FLUSH: Duration = Duration::from_millis(100);

/// The file. Nothing is written before the first message.
pub(crate) struct Recording<'o> {
    path: &'o Path,
    stdout: Option<&'o mut dyn Write>,
    drives: Vec<String>,
    names: String,          // of the drives, as JSON
    positions: Vec<String>, // the numbers of a position
    turns: bool,
    begun: Option<Writer<NoSeek<Output<'o>>>>,
    channels: Vec<Channel>,
    flushed: Instant,
    message: Message,
}

/// A topic that has had a message.
struct Channel {
    topic: &'static str,
    id: u16,
    sequence: u32,
    keys: Vec<String>, // of the numbers, as JSON
}

impl<'o> Recording<'o> {
    /// A file at `path`; `-` is the stream beside it, which is never long behind.
    pub(crate) fn new(machine: &Robot, path: &'o Path, stdout: &'o mut dyn Write) -> Self {
        let drives: Vec<String> = machine.drives().iter().map(|joint| joint.name.to_owned()).collect();
        Self {
            path,
            stdout: Some(stdout),
            names: Value::from(drives.as_slice()).to_string(),
            drives,
            positions: machine.positions().into_iter().map(str::to_owned).collect(),
            turns: machine.platform().is_some_and(|platform| platform.turns),
            begun: None,
            channels: Vec::new(),
            flushed: Instant::now(),
            message: Message::default(),
        }
    }

    /// Writes a row of the record.
    pub(crate) fn write(&mut self, moment: &Moment<'_>) -> anyhow::Result<()> {
        let t = moment.view.t;
        let (q, v, drives) = (moment.view.q, moment.view.v, moment.drives);
        self.joint_states(moment)?;
        if q.len() != v.len() {
            self.values(t, "/q", "appell.Positions", Names::Positions, q.iter().copied())?;
        }
        let of_drives = ("appell.Drives", Names::Drives);
        if let Some(wanted) = moment.wanted {
            self.values(t, "/wanted", of_drives.0, of_drives.1, wanted.iter().copied())?;
            let errors = drives.iter().zip(wanted).map(|(&j, wanted)| q[j] - wanted);
            self.values(t, "/errors", of_drives.0, of_drives.1, errors)?;
        }
        if let Some(sampling) = moment.sampling {
            for (topic, numbers) in
                [("/measured", sampling.q), ("/measured_v", sampling.v), ("/command", sampling.commanded)]
            {
                self.values(t, topic, of_drives.0, of_drives.1, numbers.iter().copied())?;
            }
            let grippers = sampling.grippers.iter().map(|&on| f64::from(u8::from(on)));
            self.values(t, "/grippers", "appell.Grippers", Names::Numbered("gripper"), grippers)?;
            let code = sampling.trip.map_or(0, |trip| trip.fault.kind.code());
            let safety = [f64::from(code), f64::from(u8::from(sampling.braked))];
            self.values(t, "/safety", "appell.Safety", Names::These(&["fault", "braked"]), safety.into_iter())?;
        }
        self.values(t, "/own", "appell.Own", Names::Own(moment), moment.own.iter().copied())?;
        if let Some(platform) = &moment.view.platform {
            self.platform(t, ["/platform", "/platform_twist"], platform)?;
        }
        if let (Some(wanted), Some(error)) = (&moment.wanted_platform, moment.platform_error()) {
            self.platform(t, ["/wanted_platform", "/wanted_platform_twist"], wanted)?;
            let turned = self.turns.then_some(error.rotation);
            let parts =
                [("position", Some(error.position)), ("rotation", turned), ("linear", Some(error.twist.linear))];
            let angular = ("angular", self.turns.then_some(error.twist.angular));
            let parts = || parts.into_iter().chain([angular]).filter_map(|(name, part)| Some((name, part?)));
            if parts().all(|(_, part)| is_finite(part)) {
                self.message.begin();
                parts().for_each(|(name, part)| self.message.vector(name, part));
                self.message.end();
                self.put(t, "/platform_errors", "appell.PlatformErrors", platform_errors)?;
            }
        }
        let energy = [moment.energy.kinetic, moment.energy.potential];
        self.values(t, "/energy", "appell.Energy", Names::These(&["kinetic", "potential"]), energy.into_iter())?;
        self.keep_up()
    }

    /// Writes an event.
    pub(crate) fn event(&mut self, event: &Event) -> anyhow::Result<()> {
        let level = match event.kind.severity() {
            Severity::Info => 2,
            Severity::Warning => 3,
            Severity::Error => 4,
        };
        self.message.begin();
        self.message.stamp("timestamp", nanoseconds(event.t));
        let rest = json!({ "level": level, "message": event.text, "name": event.kind.name(), "file": "", "line": 0 });
        let rest = rest.to_string();
        self.message.raw(",");
        self.message.raw(rest.trim_start_matches('{'));
        self.put(event.t, "/events", "foxglove.Log", log)?;
        self.keep_up()
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let Some(mut writer) = self.begun else { return Ok(()) };
        writer.finish().context(WRITING)?;
        writer.into_inner().into_inner().finish()
    }

    fn joint_states(&mut self, moment: &Moment<'_>) -> anyhow::Result<()> {
        let (q, v) = (moment.view.q, moment.view.v);
        let Self { message, names, .. } = self;
        message.begin();
        message.raw("\"header\":{");
        message.stamp("stamp", nanoseconds(moment.view.t));
        message.raw(",\"frame_id\":\"\"},\"name\":");
        message.raw(names);
        let joints = || moment.drives.iter().copied();
        if q.len() == v.len() {
            message.numbers("position", joints().map(|j| q[j]));
        } else {
            message.numbers("position", std::iter::empty()); // quaternions have more numbers than drives
        }
        message.numbers("velocity", joints().map(|j| v[j]));
        message.numbers("effort", moment.efforts.iter().copied());
        message.end();
        self.put(moment.view.t, "/joint_states", "sensor_msgs/JointState", joint_state)
    }

    /// Writes numbers by their names; those that are not finite are left out.
    fn values(
        &mut self,
        t: f64,
        topic: &'static str,
        schema: &str,
        names: Names<'_>,
        numbers: impl ExactSizeIterator<Item = f64>,
    ) -> anyhow::Result<()> {
        if numbers.len() == 0 {
            return Ok(());
        }
        let place = match self.channels.iter().position(|channel| channel.topic == topic) {
            Some(place) => place,
            None => {
                let all = match names {
                    Names::Drives => self.drives.clone(),
                    Names::Positions => self.positions.clone(),
                    Names::These(names) => names.iter().map(|&name| name.to_owned()).collect(),
                    Names::Own(moment) => (0..numbers.len()).map(|k| moment.own_name(k)).collect(),
                    Names::Numbered(symbol) => (1..=numbers.len()).map(|k| format!("{symbol}{k}")).collect(),
                };
                self.open(topic, schema, &plain(&all), &all)?
            }
        };
        let message = &mut self.message;
        message.begin();
        for (key, number) in self.channels[place].keys.iter().zip(numbers).filter(|(_, number)| number.is_finite()) {
            message.key(key);
            message.number(number);
        }
        if message.is_empty() {
            return Ok(()); // at the end nothing is measured
        }
        message.end();
        self.send(t, place)
    }

    fn platform(&mut self, t: f64, [pose, twist]: [&'static str; 2], of: &(Pose, Twist)) -> anyhow::Result<()> {
        let (Pose { position, .. }, Twist { linear, angular }) = *of;
        if ![position, linear, angular].into_iter().all(is_finite) {
            return Ok(());
        }
        let message = &mut self.message;
        message.begin();
        message.stamp("timestamp", nanoseconds(t));
        message.raw(",\"frame_id\":\"base\",\"pose\":{");
        message.separate = false;
        message.vector("position", position);
        message.key("\"orientation\":");
        message.named(["x", "y", "z", "w"].into_iter().zip(quaternion(&of.0)));
        message.raw("}");
        message.end();
        self.put(t, pose, "foxglove.PoseInFrame", pose_in_frame)?;
        let message = &mut self.message;
        message.begin();
        message.vector("linear", linear);
        message.vector("angular", angular);
        message.end();
        self.put(t, twist, "geometry_msgs/Twist", twist_schema)
    }

    /// Sends the message on a topic, with its schema where it is the first.
    fn put(&mut self, t: f64, topic: &'static str, name: &str, schema: fn() -> Value) -> anyhow::Result<()> {
        let place = match self.channels.iter().position(|channel| channel.topic == topic) {
            Some(place) => place,
            None => self.open(topic, name, &schema(), &[])?,
        };
        self.send(t, place)
    }

    fn open(&mut self, topic: &'static str, name: &str, schema: &Value, names: &[String]) -> anyhow::Result<usize> {
        let writer = match &mut self.begun {
            Some(writer) => writer,
            begun => {
                let stdout = self.stdout.take().context("a recording begins once")?;
                let out = Output::create(Some(self.path).filter(|path| !is_stream(path)), stdout)?;
                let library = concat!("appell ", env!("CARGO_PKG_VERSION"));
                let options = WriteOptions::new().library(library).compression(None).chunk_size(Some(CHUNK));
                begun.insert(options.disable_seeking(true).create(NoSeek::new(out)).context(WRITING)?)
            }
        };
        let schema = writer.add_schema(name, "jsonschema", schema.to_string().as_bytes()).context(WRITING)?;
        let id = writer.add_channel(schema, topic, "json", &BTreeMap::new()).context(WRITING)?;
        let keys = names.iter().map(|name| format!("{}:", Value::from(name.as_str()))).collect();
        self.channels.push(Channel { topic, id, sequence: 0, keys });
        Ok(self.channels.len() - 1)
    }

    fn send(&mut self, t: f64, place: usize) -> anyhow::Result<()> {
        let (Some(writer), channel) = (&mut self.begun, &mut self.channels[place]) else { return Ok(()) };
        let time = nanoseconds(t);
        let header =
            MessageHeader { channel_id: channel.id, sequence: channel.sequence, log_time: time, publish_time: time };
        channel.sequence = channel.sequence.wrapping_add(1);
        writer.write_to_known_channel(&header, &self.message.bytes).context(WRITING)
    }

    /// Lets a stream have what there is from time to time; a file appears at the end.
    fn keep_up(&mut self) -> anyhow::Result<()> {
        if let Some(writer) = self.begun.as_mut().filter(|_| is_stream(self.path))
            && self.flushed.elapsed() >= FLUSH
        {
            self.flushed = Instant::now();
            writer.flush().context(WRITING)?;
        }
        Ok(())
    }
}

/// What an error is about.
const WRITING: &str = "cannot write the recording";

/// Which names the numbers of a topic have.
#[derive(Clone, Copy)]
enum Names<'m> {
    Drives,
    Positions,
    Own(&'m Moment<'m>),
    These(&'static [&'static str]),
    Numbered(&'static str),
}

/// A message under writing.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
    separate: bool, // a comma comes before the next key
}

impl Message {
    fn begin(&mut self) {
        self.bytes.clear();
        self.bytes.push(b'{');
        self.separate = false;
    }

    fn end(&mut self) {
        self.bytes.push(b'}');
    }

    fn is_empty(&self) -> bool {
        self.bytes.len() == 1
    }

    fn raw(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A key with its quotes and colon.
    fn key(&mut self, key: &str) {
        if std::mem::replace(&mut self.separate, true) {
            self.bytes.push(b',');
        }
        self.raw(key);
    }

    fn number(&mut self, number: f64) {
        if number.is_finite() {
            self.raw(ryu::Buffer::new().format_finite(number + 0.0)); // no negative zero
        } else {
            self.raw("null");
        }
    }

    fn numbers(&mut self, name: &str, numbers: impl Iterator<Item = f64>) {
        self.raw(",\"");
        self.raw(name);
        self.raw("\":[");
        for (k, number) in numbers.enumerate() {
            if k > 0 {
                self.bytes.push(b',');
            }
            self.number(number);
        }
        self.bytes.push(b']');
    }

    fn named<'n>(&mut self, numbers: impl Iterator<Item = (&'n str, f64)>) {
        for (k, (name, number)) in numbers.enumerate() {
            self.raw(if k == 0 { "{\"" } else { ",\"" });
            self.raw(name);
            self.raw("\":");
            self.number(number);
        }
        self.bytes.push(b'}');
    }

    fn vector(&mut self, name: &str, vector: Vec3) {
        self.key("\"");
        self.raw(name);
        self.raw("\":");
        self.named(["x", "y", "z"].into_iter().zip(vector.to_array()));
    }

    fn stamp(&mut self, name: &str, time: u64) {
        let (sec, nsec) = (time / SECOND, time % SECOND);
        self.raw(&format!("\"{name}\":{{\"sec\":{sec},\"nsec\":{nsec}}}"));
    }
}

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

fn nanoseconds(t: f64) -> u64 {
    (t * 1e9).round().max(0.0) as u64
}

fn is_finite(vector: Vec3) -> bool {
    vector.to_array().iter().all(|number| number.is_finite())
}

/// An object of numbers.
fn plain(names: &[String]) -> Value {
    let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({ "type": "number" }))).collect();
    json!({ "type": "object", "properties": properties })
}

fn numbers(names: &[&str]) -> Value {
    plain(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
}

fn time() -> Value {
    let whole = json!({ "type": "integer", "minimum": 0 });
    json!({ "type": "object", "title": "time", "properties": { "sec": whole, "nsec": whole } })
}

fn joint_state() -> Value {
    let list = |of: &str| json!({ "type": "array", "items": { "type": of } });
    json!({
        "type": "object",
        "title": "sensor_msgs/JointState",
        "properties": {
            "header": { "type": "object", "properties": { "stamp": time(), "frame_id": { "type": "string" } } },
            "name": list("string"),
            "position": list("number"),
            "velocity": list("number"),
            "effort": list("number"),
        },
    })
}

fn pose_in_frame() -> Value {
    let pose = json!({ "position": numbers(&["x", "y", "z"]), "orientation": numbers(&["x", "y", "z", "w"]) });
    json!({
        "type": "object",
        "title": "foxglove.PoseInFrame",
        "properties": {
            "timestamp": time(),
            "frame_id": { "type": "string" },
            "pose": { "type": "object", "title": "foxglove.Pose", "properties": pose },
        },
    })
}

fn twist_schema() -> Value {
    let vector = numbers(&["x", "y", "z"]);
    let properties = json!({ "linear": vector, "angular": vector });
    json!({ "type": "object", "title": "geometry_msgs/Twist", "properties": properties })
}

fn platform_errors() -> Value {
    let vector = numbers(&["x", "y", "z"]);
    let properties = json!({ "position": vector, "rotation": vector, "linear": vector, "angular": vector });
    json!({ "type": "object", "title": "appell.PlatformErrors", "properties": properties })
}

fn log() -> Value {
    json!({
        "type": "object",
        "title": "foxglove.Log",
        "properties": {
            "timestamp": time(),
            "level": { "type": "integer" },
            "message": { "type": "string" },
            "name": { "type": "string" },
            "file": { "type": "string" },
            "line": { "type": "integer" },
        },
    })
}
