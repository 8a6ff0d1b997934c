//! What can be wrong with a description, and where.

use super::BASE;
use core::fmt;

/// Whether a problem forbids to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The robot can be computed; the numbers deserve a look.
    Warning,
    /// The robot cannot be computed.
    Error,
}

/// One problem and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The key it is about, as a path: `body.elbow.mass`.
    pub place: String,
    /// The line of the file, counted from 1, where there is one.
    pub line: Option<usize>,
    /// Whether it forbids to compute.
    pub severity: Severity,
    /// What is wrong.
    pub finding: Finding,
}

/// What is wrong at a place of a description. The message names the value and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum Finding {
    #[error("is not TOML: {0}")]
    Syntax(String),
    #[error("is empty; write the robot into it, or give another file")]
    Empty,
    #[error("is not XML: {0}")]
    NotXml(String),
    #[error("the outermost element is <{found}>; {} is one <{expected}>", if *format == "URDF" { "a URDF" } else { format })]
    NotRobot { found: String, format: &'static str, expected: &'static str },
    #[error("`{text}` is xacro; expand the file first: xacro FILE > robot.urdf")]
    Xacro { text: String },
    #[error("the key `{key}` stands twice; keep one of them")]
    DuplicateKey { key: String },
    #[error("is missing; expected {expected}")]
    Missing { expected: &'static str },
    #[error("is not known here; known keys are {}", known.join(", "))]
    UnknownKey { known: &'static [&'static str] },
    #[error("is {found}; expected {expected}")]
    WrongType { found: String, expected: &'static str },
    #[error("`{text}` is not {expected}")]
    Unreadable { text: String, expected: &'static str },
    #[error("has {found} entries; expected {expected}: {columns}")]
    WrongLength { found: usize, expected: usize, columns: &'static str },
    #[error("is {}; expected a finite number", plain(*value))]
    NotFinite { value: f64 },
    #[error("is NaN; expected a number, or inf where there is no limit")]
    NotANumber,
    #[error("is {}; expected zero or a positive number", plain(*value))]
    Negative { value: f64 },
    #[error("is {}; expected a positive number", plain(*value))]
    NotPositive { value: f64 },
    #[error(
        "with `coulomb` it is {} at rest, where friction would drive the joint; their sum should be zero or positive", plain(*value)
    )]
    NegativeAtRest { value: f64 },
    #[error(
        "drives the joint at {velocity:.3} rad/s or m/s, and it may reach {}; change the sign of what is negative, or limit the velocity",
        plain(*largest)
    )]
    FrictionDrives { velocity: f64, largest: f64 },
    #[error("has no meaning beside `{by}`; keep one of them")]
    Excluded { by: &'static str },
    #[error("is {}; expected a part, from 0 to below 1", plain(*value))]
    NotAPart { value: f64 },
    #[error("is {}; expected a whole number, zero or above", plain(*value))]
    NotACount { value: f64 },
    #[error("`{word}` is not known here; words are {}", known.join(", "))]
    UnknownWord { word: String, known: Vec<String> },
    #[error("lower, {}, is above upper, {}; exchange them", plain(*lower), plain(*upper))]
    LimitsReversed { lower: f64, upper: f64 },
    #[error("is {} kg; a mass is zero or positive, so correct its sign", plain(*value))]
    NegativeMass { value: f64 },
    #[error("the name is empty; give each joint and frame a name")]
    EmptyName,
    #[error("the name {name:?} holds {character:?}; a name has no comma, quote, line break or space at its ends")]
    BadName { name: String, character: char },
    #[error("the name `{name}` is taken already by {first}; give one of them another name")]
    DuplicateName { name: String, first: String },
    #[error(
        "the name `{name}` is reserved for {}; choose another",
        if *name == BASE { "the frame that does not move" } else { "the body that the legs hold" }
    )]
    ReservedName { name: &'static str },
    #[error(
        "there is no joint `{name}` to hang on; the base is called `base`, and a platform that the file describes `platform`"
    )]
    UnknownParent { name: String },
    #[error("hangs on `{parent}`, which stands later in the table; move `{parent}` above it")]
    ParentAfterChild { parent: String },
    #[error("hangs on itself; name the joint that carries it, or base")]
    ParentIsItself,
    #[error("the name has {length} characters; {most} are enough")]
    LongName { length: usize, most: usize },
    #[error("is {}; no robot has a number beyond 1e30 in SI units, check the unit", plain(*value))]
    TooLarge { value: f64 },
    #[error(
        "is not an arc: radius {} m, line density {} kg/m, angle {} rad, thickness {} m; \
         radius and density are positive, the angle is of some size and at most 2 pi, the section thinner than the radius",
        plain(*radius), plain(*line_density), plain(*angle), plain(*thickness)
    )]
    ImpossibleArc { radius: f64, line_density: f64, angle: f64, thickness: f64 },
    #[error("is {} kg; write 0 for a body without mass", plain(*value))]
    TooLight { value: f64 },
    #[error(
        "there is no joint `{name}` that could carry this; {}",
        known_or(known, "joints", "a leg's are described in its chain")
    )]
    UnknownBody { name: String, known: Vec<String> },
    #[error("a standard DH table places the frames of the bodies itself; leave this out, or use another convention")]
    FrameInTable,
    #[error("no joint moves; such a robot can be computed with a floating base alone")]
    NothingMoves,
    #[error("the robot has no joint; it needs at least one that moves, or a floating base")]
    NoJoints,
    #[error("there is no link `{name}`; declare it or correct the name")]
    UnknownLink { name: String },
    #[error(
        "the link `{link}` is the child of joint `{first}` already; a link has one parent, so cut the closed chain"
    )]
    SecondParent { link: String, first: String },
    #[error(
        "is not the child of a joint, and neither is `{root}`; join this link to the tree by a joint, or delete it"
    )]
    SecondRoot { root: String },
    #[error("the links {} form a loop and hang on nothing; let a joint join one of them to the root", links.join(", "))]
    Loop { links: Vec<String> },
    #[error("the axis is zero; give its direction, such as \"0 0 1\"")]
    ZeroAxis,
    #[error("the axis has the length {}; only its direction is taken, so write a unit vector", plain(*length))]
    AxisNotUnit { length: f64 },
    #[error("the name `{name}` is taken or unfit; this is called `{instead}`, so give it another name in the file")]
    Renamed { name: String, instead: String },
    #[error("follows itself; let it follow another joint, or none")]
    MimicsItself,
    #[error("mimics `{name}`, which is not a joint that moves; correct the name, or remove it")]
    UnknownMimic { name: String },
    #[error("mimics `{name}`, a {kind} joint, whose position is not one number; follow a joint that turns or slides")]
    FollowsQuaternion { name: String, kind: &'static str },
    #[error("there is no joint `{name}` to drive; {}", known_or(known, "joints", "describe it in `joints`"))]
    UnknownJoint { name: String, known: Vec<String> },
    #[error("`{joint}` is a {kind} joint, which moves by several numbers; drive joints that turn or slide")]
    SeveralDegrees { joint: String, kind: &'static str },
    #[error("`{joint}` follows other joints already; remove its mimic, or take it out of the transmission")]
    FollowerInTransmission { joint: String },
    #[error(
        "`{joint}` has driven = false, but the motors of this transmission drive it; remove that, or take it out here"
    )]
    UndrivenInTransmission { joint: String },
    #[error("`{joint}` is driven by the transmission `{first}` already; write all its motors into one transmission")]
    DrivenTwice { joint: String, first: String },
    #[error("is empty; a transmission has at least one joint and one motor")]
    EmptyTransmission,
    #[error(
        "{}; the matrix must have full rank, so correct the ratios, or leave the {kind} out",
        if *kind == "motor" { format!("the row of motor `{name}` is a combination of the others") }
        else { format!("the column of joint `{name}` is a combination of the others, so that no motor moves it by itself") }
    )]
    DependentRatios { kind: &'static str, name: String },
    #[error("tensions are shared among one tendon more than joints, and here are {tendons} for {joints}; leave it out")]
    CountOfTendons { tendons: usize, joints: usize },
    #[error(
        "no tensions of all tendons hold each other, so that some would have to push; correct the signs of the matrix"
    )]
    NoPretension,
    #[error("is the axis of a rotor on a body; name the body by `on`, or leave it out")]
    AxisWithoutCarrier,
    #[error(
        "is {} kg m² about the axis of motor `{motor}`, less than the rotor's {}; it counts the rotors that it carries, so add them",
        plain(*own), plain(*inertia)
    )]
    RotorBeyondCarrier { motor: String, inertia: f64, own: f64 },
    #[error("is in a robot with closed loops, which cannot have transmissions yet; give its joints a rotor each")]
    TransmissionInLoops,
    #[error("cannot be said in this format and is left out")]
    Dropped,
    #[error("cannot be said in this format and is left out, of {kind}{} {}", if owners.len() == 1 { "" } else { "s" }, few(owners))]
    NotKept { kind: &'static str, owners: Vec<String> },
    #[error("a {kind} joint moves here; write \"q\" or \"q + offset\" instead of {found}")]
    VariableMissing { kind: &'static str, found: String },
    #[error("{text} contains q, but a {kind} joint moves in column `{column}`")]
    VariableMisplaced { text: String, kind: &'static str, column: &'static str },
    #[error(
        "{text} contains q, but a {kind} joint has several degrees of freedom; write where it is with all of them at zero"
    )]
    VariableOfSeveral { text: String, kind: &'static str },
    #[error("a {kind} joint has no {what}, which would act along one axis; leave it out, or take revolute joints")]
    NotOfQuaternion { kind: &'static str, what: &'static str },
    #[error("is zero; a screw slides by its pitch, m per turn: give it, or take a revolute joint")]
    NoPitch,
    #[error("is the pitch of a screw, but the joint is {kind}; leave it out")]
    NotAScrew { kind: &'static str },
    #[error("is the place of a part of the {kind} joint `{joint}`; give one of them another name")]
    TakenByPart { joint: String, kind: &'static str },
    #[error(
        "the principal moments {0:.6e}, {1:.6e}, {2:.6e} kg m² violate the triangle inequality: \
         no distribution of mass has the largest above the sum of the others; check signs, unit and reference point",
        moments[0], moments[1], moments[2]
    )]
    TriangleInequality { moments: [f64; 3] },
    #[error(
        "the principal moment {least:.6e} kg m² is negative; \
         check the signs, and that the inertia refers to the centre of mass"
    )]
    NegativeInertia { least: f64 },
    #[error(
        "the body is implausibly thin, and would not be with the signs of xy, xz and yz changed; \
         they are entries of the tensor, xy = −∫ x y dm"
    )]
    SignsOfProducts,
    #[error("the radius of gyration, {radius:.3} m, does not fit a link of {size:.3} m; {remedy}")]
    RadiusOfGyration { radius: f64, size: f64, remedy: String },
    #[error(
        "the pseudo-inertia is not positive definite: ∫ x² dm along a principal axis is {least:.3e} kg m²; \
         give the body some thickness t, which adds m t²/12"
    )]
    NoThickness { least: f64 },
    #[error("a box of this mass and inertia has {density:.3e} kg/m³; check the units, kg and kg m²")]
    Density { density: f64 },
    #[error(
        "a body that carries nothing has no mass, so forward dynamics is singular; \
         give it a mass or its joint a rotor, or make it a frame"
    )]
    MasslessLeaf,
    #[error("is left out: a table of joints has no place for it")]
    NotInTable,
    #[error("the heading `{heading}` is not known here; headings are {known}")]
    UnknownHeading { heading: String, known: String },
    #[error("the body has inertia but no mass; give it a mass, or write zero inertia")]
    InertiaWithoutMass,
    #[error("there is no chain `{name}`; {}", known_or(known, "chains", "describe it in a section [chain.NAME]"))]
    UnknownChain { name: String, known: Vec<String> },
    #[error("no leg is made of it; name it in a section [leg.NAME], or remove it")]
    UnusedChain,
    #[error("is a parallelogram of a joint that slides; let the row turn: rods turn about their ends")]
    SlidingParallelogram,
    #[error("the chain has no joint; a leg needs at least one")]
    EmptyChain,
    #[error("the leg has no joint `{name}`; its joints are {}", known.join(", "))]
    UnknownLegJoint { name: String, known: Vec<String> },
    #[error(
        "there is no joint `{name}` to close a loop on; {}",
        known_or(known, "joints", "the base is called `base`")
    )]
    UnknownCarrier { name: String, known: Vec<String> },
    #[error("there is no joint `{name}` to drive; {}", known_or(known, "joints", "the model has none"))]
    UnknownDriven { name: String, known: Vec<String> },
    #[error("the axes of a universal joint are parallel; give two directions, as a rule at right angles")]
    ParallelAxes,
    #[error("there is no platform to hold; describe that body in a section [platform]")]
    NoPlatform,
    #[error("nothing holds the platform; let legs or closing joints do")]
    NothingHolds,
    #[error("there is no frame `{name}` that could be the output; frames are {}", known.join(", "))]
    UnknownOutput { name: String, known: Vec<String> },
    #[error("`{name}` stands on the base and never moves; name a frame of a body that does")]
    OutputOnBase { name: String },
    #[error("the robot has no closed loops; remove it, and name the frame where one is asked for")]
    OutputOfTree,
    #[error("closes a loop between a body and itself, {on}; name two bodies")]
    ClosesOnItself { on: String },
    #[error("{freedom} stands twice; name every component once")]
    DuplicateFreedom { freedom: &'static str },
    #[error("{freedom} is a component of turning, but the platform does not turn; remove it, or let turns = true")]
    FreedomOfTurning { freedom: &'static str },
    #[error(
        "has closed loops, by {}; this needs a robot without any: read it as a closed mechanism, or remove what closes them",
        closures.join(", ")
    )]
    ClosesLoops { closures: Vec<String> },
    #[error("holds two places of one body, so that it holds nothing, and is left out")]
    HoldsNothing,
    #[error("{what} is left out")]
    LeftOut { what: String },
    #[error(
        "<{tag}>{} is for the simulator to expand: \
         mujoco.mj_saveLastXML(\"whole.xml\", mujoco.MjModel.from_xml_path(FILE))",
        if file.is_empty() { String::new() } else { format!(" of {file}") }
    )]
    ToBeExpanded { tag: String, file: String },
    #[error("there is no class `{class}` of defaults; declare it or correct the name")]
    UnknownClass { class: String },
    #[error("moves, and so do others: {}; keep one of them in the file", models.join(", "))]
    SeveralModels { models: Vec<String> },
    #[error("the model {uri} is in another file; put its text here: gz sdf -p FILE")]
    IncludedModel { uri: String },
    #[error("there is no link, joint, frame or model `{name}` here; declare it or correct the name")]
    UnknownFrame { name: String },
    #[error("{what} is outside of the model, and is not read; write it into <model>, or the pose in the world")]
    OutsideModel { what: String },
    #[error("is placed by frames that are placed by it; let one of them be relative to the model")]
    PosesInCircle,
    #[error("has no <inertial>, which SDF takes as 1 kg and 1 kg m²; give it its own")]
    UsualInertial,
    #[error("lets the simulator find the mass; write <mass> and <inertia>, as gz sdf prints them")]
    AutoInertial,
    #[error(
        "nothing holds the root link `{link}` in the world, where a simulator lets it fall; it is fixed on the base here, \
         and --floating-base sets it free"
    )]
    RootOnBase { link: String },
    #[error("a {kind} cannot close a loop; let another joint of the loop be the last that has its child")]
    CutJoint { kind: &'static str },
    #[error(
        "is free, but its body is in another one, or has other joints; put the body into <worldbody> with no other joint, or let it hang on joints of other types"
    )]
    NestedFree,
    #[error("there is no site `{name}`; declare it or correct the name")]
    UnknownSite { name: String },
    #[error(
        "the mass of a mesh is in its file, which is not read; give the body an <inertial> and let inertiafromgeom be auto, or the geom mass=\"0\""
    )]
    MassOfMesh,
    #[error("`{bracket}` is never closed; write `{closing}` where it ends")]
    Unclosed { bracket: &'static str, closing: &'static str },
    #[error("is {joints} for {links} links; a robot has at least one joint per link, and at most one loop per link")]
    JointsOfLinks { links: usize, joints: usize },
    #[error("is {}; a frame hangs on frame 0 or on a link above it, here 0 to {most}", plain(*found))]
    Antecedent { found: f64, most: usize },
    #[error(
        "link {link} has first moments MX, MY, MZ but no mass, as in a file of base parameters; \
         give it the mass of a real body"
    )]
    MomentWithoutMass { link: usize },
    #[error("is not about rigid bodies and joints, and is left out")]
    NotRigid,
    #[error(
        "{} of `{key}` {} for numbers that the file does not say; appell computes with numbers, so write {} in SI units",
        few(symbols),
        if symbols.len() == 1 { "stands" } else { "stand" },
        if symbols.len() == 1 { "its value" } else { "their values" }
    )]
    Symbols { key: String, symbols: Vec<String> },
    #[error(
        "a {kind} joint moves here; write its variable, `{}{row}` or `{}{row} + offset`, instead of `{found}`",
        if *key == "theta" { "th" } else { "r" }, if *key == "theta" { "th" } else { "r" }
    )]
    NoVariable { kind: &'static str, key: &'static str, found: String, row: usize },
    #[error(
        "a .par file has no platform that only closing joints hold; describe it as the last link of a leg, or keep .toml"
    )]
    PlatformInPar,
    #[error(
        "a .par file has revolute, prismatic and fixed joints, not {kind} ones; write it as several of them, or keep .toml"
    )]
    JointInPar { kind: &'static str },
    #[error(
        "a .par file cuts loops at revolute, prismatic and fixed joints, not at a {kind} one; cut it elsewhere, or keep .toml"
    )]
    ClosingJointInPar { kind: &'static str },
    #[error("a URDF holds no closed loops, but this robot has some, by {}; keep .toml", closures.join(", "))]
    LoopsInUrdf { closures: Vec<String> },
    #[error("a URDF knows no {kind} joint; keep .toml, or describe it by revolute and prismatic ones")]
    NotInUrdf { kind: &'static str },
}

/// A number for a message: plain where that is short, with an exponent where it would take dozens of digits.
///
/// ```
/// use appell::description::plain;
/// assert_eq!([plain(-2.0), plain(1e300), plain(2.5e-9)], ["-2", "1e300", "2.5e-9"]);
/// ```
#[must_use]
pub fn plain(x: f64) -> String {
    let is_short = x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs());
    if is_short { format!("{x}") } else { format!("{x:e}") }
}

/// Names, as many as one can read.
fn few(names: &[String]) -> String {
    const MOST: usize = 6;
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

/// The known names of a kind, or what to do where there are none.
fn known_or(known: &[String], kind: &str, remedy: &str) -> String {
    if known.is_empty() { remedy.into() } else { format!("{kind} are {}", known.join(", ")) }
}

impl Finding {
    /// Whether it says that no body can have this inertia.
    pub(super) fn is_about_inertia(&self) -> bool {
        matches!(self, Self::TriangleInequality { .. } | Self::NegativeInertia { .. } | Self::InertiaWithoutMass)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        let word = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{word}: {}: {}", self.place, self.finding)
    }
}

/// All problems of one description, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default, thiserror::Error)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// Adds an error.
    pub fn error(&mut self, place: impl Into<String>, finding: Finding) {
        self.list.push(Problem { place: place.into(), line: None, severity: Severity::Error, finding });
    }

    /// Adds a warning.
    pub fn warning(&mut self, place: impl Into<String>, finding: Finding) {
        self.list.push(Problem { place: place.into(), line: None, severity: Severity::Warning, finding });
    }

    /// Adds a problem as it is.
    pub fn push(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// All problems, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> + '_ {
        self.list.iter()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many forbid to compute.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.iter().filter(|problem| problem.severity == Severity::Error).count()
    }

    /// How many are warnings.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.list.len() - self.errors()
    }

    /// The same problems with every warning made an error.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.list.iter_mut().for_each(|problem| problem.severity = Severity::Error);
        self
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        self.list.extend(problems);
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<I: IntoIterator<Item = Problem>>(problems: I) -> Self {
        Self { list: problems.into_iter().collect() }
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, problem) in self.list.iter().enumerate() {
            if k > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}
