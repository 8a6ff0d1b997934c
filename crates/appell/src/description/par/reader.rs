//! From the statements of a `.par` file to a description, every problem with its line.

use super::expression::{self, Entry};
use super::statements::{Remarks, Statement, statements, without_comments};
use super::{KEYS, Key, Length, OTHERS};
use crate::description::name::{key, tamed};
use crate::description::notes::Notes;
use crate::description::urdf::floating_base;
use crate::description::{
    Attachment, BASE, BodyDescription, Carrier, ClosingJoint, ClosureDescription, Convention, Description, Finding,
    FrameDescription, JointDescription, JointKind, KhalilKleinfinger, Problems, STANDARD_GRAVITY,
};
use crate::spatial::{Pose, Sym3, Vec3};
use std::collections::HashMap;

pub(super) fn read_and(
    inspect: fn(&Description) -> Problems,
    text: &str,
    name: &str,
) -> Result<(Description, Problems), Problems> {
    let text = text.replace('\u{feff}', " ");
    let mut notes = Notes::new(&text);
    let (plain, remarks) = without_comments(&text, &mut notes);
    let found = statements(&plain, &mut notes);
    let mut reader = Reader { notes, entries: HashMap::new() };
    reader.take(found);
    let Some(description) = reader.robot(&remarks, name) else { return Err(reader.notes.finish([])) };
    if reader.notes.has_errors() {
        return Err(reader.notes.finish([]));
    }
    reader.notes.judge(description, inspect)
}

/// A file under reading.
struct Reader<'t> {
    notes: Notes,
    entries: HashMap<&'static str, Statement<'t>>,
}

/// How many links, joints and frames there are, and whether the base has a body.
#[derive(Clone, Copy)]
struct Counts {
    links: usize,
    joints: usize,
    frames: usize,
    floats: bool,
}

/// What frame a body hangs on after fixed ones are merged: a joint's body or the base, and where in its frame.
#[derive(Clone)]
struct Seat {
    joint: Option<String>,
    pose: Pose<f64>,
}

/// More links than any robot has: a count is read before its entries are.
const MOST_FRAMES: f64 = 1e5;

impl<'t> Reader<'t> {
    /// Keeps the statements whose keys are known.
    fn take(&mut self, statements: Vec<Statement<'t>>) {
        const KNOWN: &[&str] =
            &["NL", "NJ", "NF", "Type", "ant", "sigma", "b", "d", "r", "gamma", "alpha", "mu", "theta", "XX", "M", "…"];
        for statement in statements {
            let known = |key: &&Key| key.name.eq_ignore_ascii_case(statement.key);
            let Some(known) = KEYS.iter().chain(&OTHERS).find(known) else {
                let place = tamed(statement.key);
                self.notes.mark(place.clone(), statement.byte);
                self.notes.warning(&place, Finding::UnknownKey { known: KNOWN });
                continue;
            };
            self.notes.mark(known.name.into(), statement.byte);
            if self.entries.contains_key(known.name) {
                self.notes.error(known.name, Finding::DuplicateKey { key: known.name.into() });
                continue;
            }
            for (k, (_, byte)) in statement.entries.iter().enumerate() {
                self.notes.mark(format!("{}[{}]", known.name, k + 1), *byte);
            }
            self.entries.insert(known.name, statement);
        }
    }

    fn robot(&mut self, remarks: &Remarks, name: &str) -> Option<Description> {
        for key in KEYS.iter().filter(|key| key.needed) {
            if !self.entries.contains_key(key.name) {
                self.notes.error(key.name, Finding::Missing { expected: "a statement KEY = {values} of this key" });
            }
        }
        let counts = self.counts()?;
        self.lengths(counts);
        if self.notes.has_errors() {
            return None;
        }
        let names = Names::new(self, remarks, counts);
        let mut robot = Description {
            name: remarks.name.clone().unwrap_or_else(|| name.into()),
            gravity: self.gravity(),
            convention: Convention::KhalilKleinfinger,
            ..Description::default()
        };
        let mut base = Seat { joint: None, pose: Pose::identity(0.0) };
        if counts.floats {
            robot.joints = floating_base();
            let last = robot.joints.last_mut().expect("six joints");
            last.body = self.body(0, counts);
            base.joint = Some(last.name.clone());
        }
        let mut seats = vec![base];
        for row in 1..=counts.links {
            seats.push(self.link(&mut robot, row, counts, &names, &seats)?);
        }
        for (cut, second) in (counts.links + 1..=counts.joints).zip(counts.joints + 1..) {
            self.closure(&mut robot, [cut, second], &names, &seats);
        }
        self.left_out();
        Some(robot)
    }

    fn counts(&mut self) -> Option<Counts> {
        let links = self.count("NL")?;
        let joints = if self.has("NJ") { self.count("NJ")? } else { links };
        if joints < links || joints > 2 * links {
            self.notes.error("NJ", Finding::JointsOfLinks { links, joints });
            return None;
        }
        let frames = 2 * joints - links;
        if self.has("NF") && self.count("NF")? != frames {
            self.notes.error("NF", Finding::Unreadable { text: self.text("NF", 0).into(), expected: "2 NJ − NL" });
            return None;
        }
        let floats = self.flag("is_floating") || self.flag("is_mobile");
        Some(Counts { links, joints, frames, floats })
    }

    fn flag(&self, key: &str) -> bool {
        matches!(self.text(key, 0).to_ascii_lowercase().as_str(), "1" | "true")
    }

    fn count(&mut self, key: &str) -> Option<usize> {
        let number = self.number(key, 0);
        if !(0.0..=MOST_FRAMES).contains(&number) || number.fract() != 0.0 {
            if !number.is_nan() {
                self.notes.error(key, Finding::NotACount { value: number });
            }
            return None;
        }
        Some(number as usize)
    }

    /// Every list has as many entries as the counts ask for.
    fn lengths(&mut self, counts: Counts) {
        for Key { name, length, .. } in KEYS.iter().chain(&OTHERS) {
            let Some(statement) = self.entries.get(name) else { continue };
            let (expected, columns) = match length {
                Length::Single => (1, "one number"),
                Length::Frames => (counts.frames, "one per frame, NF"),
                Length::Links if counts.floats => (counts.links + 1, "one per link, with that of the base first"),
                Length::Links => (counts.links, "one per link, NL"),
                Length::Joints => (counts.joints, "one per joint, NJ"),
                Length::Vector => (3, "x, y, z"),
                Length::Matrix => (16, "four rows of four"),
            };
            let found = statement.entries.len();
            if found != expected && *length != Length::Joints {
                self.notes.error(name, Finding::WrongLength { found, expected, columns });
            }
        }
    }

    /// Adds a link by its joint, or as a frame of the body it is fixed on, and says where it sits.
    fn link(
        &mut self,
        robot: &mut Description,
        row: usize,
        counts: Counts,
        names: &Names,
        seats: &[Seat],
    ) -> Option<Seat> {
        let parent = self.antecedent(row, row, seats)?;
        let placement = self.placement(row);
        let body = self.body(if counts.floats { row } else { row - 1 }, counts);
        let name = names.of(row);
        self.mark_row(&name, row);
        let Some(kind) = self.kind(row) else {
            let pose = parent.pose * placement.pose();
            let carrier = robot.joints.iter_mut().find(|joint| Some(&joint.name) == parent.joint.as_ref());
            if let Some(carrier) = carrier {
                carrier.body = carrier.body.with(&body.seen_from(&pose));
            }
            robot.frames.push(FrameDescription { name, parent: parent.joint.clone(), pose });
            return Some(Seat { pose, ..parent });
        };
        let placement = if parent.pose == Pose::identity(0.0) {
            placement
        } else {
            KhalilKleinfinger::from_pose(&(parent.pose * placement.pose()))
        };
        let mut joint = JointDescription {
            parent: parent.joint.clone(),
            placement,
            driven: !self.has("mu") || self.number("mu", row - 1) != 0.0,
            home: names.home(row),
            body,
            ..JointDescription::new(name.clone(), kind)
        };
        let link = if counts.floats { row } else { row - 1 };
        joint.effects.rotor.inertia = self.number_or_zero("IA", link);
        joint.effects.friction.viscous = self.number_or_zero("FV", link);
        joint.effects.friction.coulomb = self.number_or_zero("FS", link);
        robot.joints.push(joint);
        Some(Seat { joint: Some(name), pose: Pose::identity(0.0) })
    }

    /// Adds a joint that is cut: on one side row `cut`, on the other the frame of row `second`. One with a motor stays a
    /// joint of the tree, with a massless body that is held rigidly.
    fn closure(&mut self, robot: &mut Description, [cut, second]: [usize; 2], names: &Names, seats: &[Seat]) {
        let Some(first_seat) = self.antecedent(cut, usize::MAX, seats) else { return };
        let Some(second_seat) = self.antecedent(second, usize::MAX, seats) else { return };
        let (kind, placement) = (self.kind(cut), self.placement(cut));
        let second_pose = self.placement(second).pose();
        let on = |seat: &Seat| seat.joint.clone().map_or(Carrier::Base, Carrier::Joint);
        let mut first = Attachment { on: on(&first_seat), pose: first_seat.pose * placement.pose() };
        let second = Attachment { on: on(&second_seat), pose: second_seat.pose * second_pose };
        let mut name = names.of(cut);
        self.mark_row(&name, cut);
        let closing = match kind {
            None => ClosingJoint::Rigid,
            Some(kind) if self.has("mu") && self.number("mu", cut - 1) != 0.0 => {
                robot.joints.push(JointDescription {
                    parent: first_seat.joint.clone(),
                    placement: KhalilKleinfinger::from_pose(&first.pose),
                    ..JointDescription::new(name.clone(), kind)
                });
                first = Attachment { on: Carrier::Joint(name.clone()), pose: Pose::identity(0.0) };
                name += ".end";
                ClosingJoint::Rigid
            }
            Some(kind) => kind.pick(ClosingJoint::Revolute, ClosingJoint::Prismatic),
        };
        robot.closures.push(ClosureDescription { name, kind: closing, first, second });
    }

    /// From now on the lines of a row's parts are known.
    fn mark_row(&mut self, name: &str, row: usize) {
        let name = key(name);
        for place in
            [format!("joints.{name}"), format!("joint.{name}"), format!("frame.{name}"), format!("closure.{name}")]
        {
            self.notes.derive(place, format!("ant[{row}]"));
        }
        self.notes.derive(format!("body.{name}"), if self.has("M") { "M".into() } else { "XX".into() });
    }

    /// Where the frame sits that a row hangs on: frame 0, or a link above the row.
    fn antecedent(&mut self, row: usize, below: usize, seats: &[Seat]) -> Option<Seat> {
        let ant = self.number("ant", row - 1);
        let place = format!("ant[{row}]");
        if ant.fract() != 0.0 || ant < 0.0 || ant >= seats.len().min(below) as f64 {
            let most = seats.len().min(below).saturating_sub(1);
            self.notes.error(&place, Finding::Antecedent { found: ant, most });
            return None;
        }
        seats.get(ant as usize).cloned()
    }

    /// How a row moves; none if it is fixed.
    fn kind(&mut self, row: usize) -> Option<JointKind> {
        let sigma = self.number("sigma", row - 1);
        match sigma {
            0.0 => Some(JointKind::Revolute),
            1.0 => Some(JointKind::Prismatic),
            2.0 => None,
            _ => {
                let text = self.text("sigma", row - 1).into();
                let expected = "0 (revolute), 1 (prismatic) or 2 (fixed)";
                self.notes.error(&format!("sigma[{row}]"), Finding::Unreadable { text, expected });
                None
            }
        }
    }

    fn placement(&mut self, row: usize) -> KhalilKleinfinger {
        let k = row - 1;
        let sigma = expression::read(self.text("sigma", k)).and_then(|sigma| sigma.plain());
        let moving = if sigma == Some(0.0) {
            "theta"
        } else if sigma == Some(1.0) {
            "r"
        } else {
            ""
        };
        let mut get = |key: &'static str| if key == moving { self.offset(key, k) } else { self.number_or_zero(key, k) };
        KhalilKleinfinger {
            gamma: get("gamma"),
            b: get("b"),
            e: 0.0,
            alpha: get("alpha"),
            d: get("d"),
            theta: get("theta"),
            r: get("r"),
        }
    }

    /// Mass, centre of mass and inertia about it, of what is written about the frame's origin.
    fn body(&mut self, k: usize, counts: Counts) -> BodyDescription {
        let row = if counts.floats { k } else { k + 1 };
        let mut get = |key: &'static str| self.number_or_zero(key, k);
        let mass = get("M");
        let moment = Vec3::new(get("MX"), get("MY"), get("MZ"));
        let about_origin =
            Sym3 { xx: get("XX"), xy: get("XY"), xz: get("XZ"), yy: get("YY"), yz: get("YZ"), zz: get("ZZ") };
        if mass == 0.0 && moment.norm() > 0.0 {
            self.notes.error(&format!("M[{}]", k + 1), Finding::MomentWithoutMass { link: row });
        }
        let com = if mass == 0.0 { Vec3::zero(0.0) } else { Vec3::from(moment.to_array().map(|x| x / mass)) };
        BodyDescription { mass, com, inertia: about_origin - Sym3::of_point_mass(mass, com) }
    }

    fn gravity(&mut self) -> Vec3<f64> {
        if !self.has("G") {
            return STANDARD_GRAVITY;
        }
        Vec3::from([0, 1, 2].map(|k| self.number("G", k)))
    }

    /// Motions of the base, flexible joints and numbers of a state, which no description holds.
    fn left_out(&mut self) {
        for name in ["FX", "FY", "FZ", "CX", "CY", "CZ", "W0", "WP0", "V0", "VP0", "eta"] {
            let entries = self.entries.get(name).map_or(&[][..], |statement| &statement.entries);
            // A symbol is an input that has its name.
            let is_number =
                |text: &str| expression::read(text).and_then(|entry| entry.plain()).is_some_and(|x| x != 0.0);
            if entries.iter().any(|(text, _)| is_number(text)) {
                self.notes.warning(name, Finding::NotRigid);
            }
        }
        let identity = |(k, (text, _)): (usize, &(&str, usize))| {
            let expected = if k % 5 == 0 { 1.0 } else { 0.0 };
            expression::read(text).and_then(|entry| entry.plain()).is_none_or(|x| x == expected)
        };
        let is_moved = self.entries.get("Z").is_some_and(|z| !z.entries.iter().enumerate().all(identity));
        if is_moved {
            self.notes.warning("Z", Finding::NotRigid);
        }
    }

    fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    fn text(&self, key: &str, k: usize) -> &'t str {
        self.entries.get(key).and_then(|statement| statement.entries.get(k)).map_or("", |(text, _)| text)
    }

    fn number_or_zero(&mut self, key: &'static str, k: usize) -> f64 {
        if self.has(key) { self.number(key, k) } else { 0.0 }
    }

    /// A number; NaN where there is none, which is noted.
    fn number(&mut self, key: &str, k: usize) -> f64 {
        let Some(entry) = self.entry(key, k) else { return f64::NAN };
        if let Some(number) = entry.plain() {
            return self.notes.expect_finite(&format!("{key}[{}]", k + 1), number);
        }
        // One word per key: a file that nobody gave numbers has hundreds of symbols.
        if !self.notes.is_noted(key) {
            let entries = self.entries.get(key).map_or(&[][..], |statement| &statement.entries);
            let entries = entries.iter().filter_map(|(text, _)| expression::read(text));
            let mut symbols: Vec<String> = Vec::new();
            for (symbol, _) in entries.flat_map(|entry| entry.symbols) {
                if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
            }
            if matches!(key, "theta" | "r") {
                symbols = entry.symbols.into_iter().map(|(symbol, _)| symbol).collect();
            }
            self.notes.error(key, Finding::Symbols { key: key.into(), symbols });
        }
        f64::NAN
    }

    /// What is added to the variable of a joint.
    fn offset(&mut self, key: &'static str, k: usize) -> f64 {
        let Some(entry) = self.entry(key, k) else { return f64::NAN };
        let place = format!("{key}[{}]", k + 1);
        if let Some(offset) = entry.offset() {
            return self.notes.expect_finite(&place, offset);
        }
        let kind = if key == "theta" { "revolute" } else { "prismatic" };
        self.notes.error(&place, Finding::NoVariable { kind, key, found: self.text(key, k).into(), row: k + 1 });
        f64::NAN
    }

    fn entry(&mut self, key: &str, k: usize) -> Option<Entry> {
        let text = self.text(key, k);
        self.notes.find(&format!("{key}[{}]", k + 1), text, "a number or an expression such as pi/2", expression::read)
    }
}

/// What the rows are called, as a comment says, or `joint3`; and where they are at home.
struct Names {
    names: Vec<String>,
    homes: Vec<f64>,
}

impl Names {
    fn new(reader: &mut Reader, remarks: &Remarks, counts: Counts) -> Self {
        let given = remarks.joints.len();
        if given != 0 && given != counts.joints {
            let columns = "one name per joint, NJ";
            reader.notes.warning("Jointnames", Finding::WrongLength { found: given, expected: counts.joints, columns });
        }
        let name = |k: usize| match remarks.joints.get(k) {
            Some(name) if given == counts.joints && !name.is_empty() && name != BASE => tamed(name),
            _ => format!("joint{}", k + 1),
        };
        Self { names: (0..counts.joints).map(name).collect(), homes: remarks.home.clone() }
    }

    fn of(&self, row: usize) -> String {
        self.names[row - 1].clone()
    }

    fn home(&self, row: usize) -> f64 {
        self.homes.get(row - 1).copied().filter(|home| home.is_finite()).unwrap_or(0.0)
    }
}
