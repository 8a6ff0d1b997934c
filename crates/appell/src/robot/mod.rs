//! A robot: the one noun that everything else takes, whether its joints form a chain, a tree or closed loops.
//!
//! ```text
//! text ──► Description ──► Robot ──► Dynamics, Evaluator, batches, simulation, generated code
//! ```

mod format;

pub use format::{Format, RobotFile, UnreadFormat};

use crate::closed::{ClosedError, ClosedMechanism, Platform, spherical};
use crate::description::{Description, JointKind, Limits, PLATFORM, Problem, Problems, resolve};
use crate::mechanism::{CircularCoupling, Coordinates, Mechanism, Motors, NotSquare};
use crate::robots;
use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

/// A robot ready for computing: checked once, immutable, cheap to clone.
///
/// ```
/// use appell::Robot;
///
/// let robot = Robot::builtin("delta").unwrap();
/// assert_eq!((robot.kind().name(), robot.drives().len(), robot.freedoms().len()), ("parallel", 3, 3));
/// let arm = Robot::builtin("puma560").unwrap();
/// assert_eq!(arm.joint("elbow").unwrap().limits.upper, f64::INFINITY);
/// ```
#[derive(Clone)]
pub struct Robot {
    model: Model,
    file: Option<Arc<RobotFile>>,
    description: Option<Arc<Description>>, // in effect, where it is not the file's
}

/// What is computed with.
#[derive(Debug, Clone)]
pub enum Model {
    /// A chain or a tree.
    Tree(Arc<Mechanism>),
    /// A parallel robot, or another one with closed loops.
    Closed(Arc<ClosedMechanism>),
}

/// What kind of robot it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A chain.
    Serial,
    /// A tree.
    Tree,
    /// Legs and a platform.
    Parallel,
    /// Legs and a platform, all axes meeting in a point.
    Spherical,
    /// Any other closed mechanism.
    Closed,
}

/// A joint, as users ask for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint<'r> {
    /// Its place among all joints, loops open.
    pub index: usize,
    /// Its name.
    pub name: &'r str,
    /// Whether it turns or slides.
    pub kind: JointKind,
    /// Of position, velocity and effort.
    pub limits: Limits,
    /// Whether a motor drives it.
    pub driven: bool,
}

/// Why a text or a description gives no robot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RobotError {
    /// It is wrong by itself: every problem with its place, value and remedy.
    #[error("not a valid robot description\n{0}")]
    Description(Problems),
    /// Its loops cannot be closed, or let nothing move.
    #[error("the robot {0}")]
    Closed(ClosedError),
    /// It was changed, or made of a mechanism, so that nothing is known of its frames but their names.
    #[error("the robot has no description whose output could be another; read it from a file or a description")]
    NoDescription,
    /// There is no built-in robot of this name.
    #[error("no built-in robot `{name}`; built-in robots are {}", robots::all().map(|robot| robot.name).collect::<Vec<_>>().join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
}

impl From<ClosedError> for RobotError {
    fn from(error: ClosedError) -> Self {
        match error {
            ClosedError::Description(problems) => Self::Description(problems),
            error => Self::Closed(error),
        }
    }
}

named!(pub Kind { Serial: "serial", Tree: "tree", Parallel: "parallel", Spherical: "spherical", Closed: "closed" });

impl Robot {
    /// Checks a description and makes it ready for computing.
    ///
    /// # Errors
    /// Every problem of the description; or why its loops cannot be closed.
    pub fn new(description: Description) -> Result<Self, RobotError> {
        RobotFile { description, ..RobotFile::default() }.try_into()
    }

    /// Reads a robot in one of the formats; `name` is for tables, which have none.
    ///
    /// # Errors
    /// Every problem of the text with its line; or why its loops cannot be closed.
    pub fn read(text: &str, format: Format, name: &str) -> Result<Self, RobotError> {
        format.read(text, name, false).map_err(RobotError::Description)?.try_into()
    }

    /// Reads a robot's TOML file.
    ///
    /// # Errors
    /// As [`Robot::read`].
    pub fn from_toml(text: &str) -> Result<Self, RobotError> {
        Self::read(text, Format::Toml, "")
    }

    /// Reads a URDF, its root link on the base.
    ///
    /// # Errors
    /// As [`Robot::read`].
    pub fn from_urdf(text: &str) -> Result<Self, RobotError> {
        Self::read(text, Format::Urdf, "")
    }

    /// Reads a URDF whose root link moves freely, by six joints.
    ///
    /// # Errors
    /// As [`Robot::read`].
    pub fn from_floating_urdf(text: &str) -> Result<Self, RobotError> {
        Format::Urdf.read(text, "", true).map_err(RobotError::Description)?.try_into()
    }

    /// Reads a Denavit-Hartenberg table in CSV.
    ///
    /// # Errors
    /// As [`Robot::read`].
    pub fn from_csv(text: &str, name: &str) -> Result<Self, RobotError> {
        Self::read(text, Format::CSV, name)
    }

    /// Reads a Denavit-Hartenberg table in Markdown.
    ///
    /// # Errors
    /// As [`Robot::read`].
    pub fn from_markdown(text: &str, name: &str) -> Result<Self, RobotError> {
        Self::read(text, Format::MARKDOWN, name)
    }

    /// A robot that comes with the library, by its name: see [`robots`].
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn builtin(name: &str) -> Result<Self, RobotError> {
        let builtin = robots::find(name).ok_or_else(|| RobotError::Unknown { name: name.into() })?;
        Self::from_toml(builtin.toml)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.tree().name()
    }

    /// What kind of robot it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match &self.model {
            Model::Tree(tree) => {
                let joints = &tree.links()[..tree.rotors().start];
                let is_chain = joints.iter().enumerate().all(|(j, link)| link.parent == j.checked_sub(1));
                if is_chain { Kind::Serial } else { Kind::Tree }
            }
            Model::Closed(robot) if spherical::applies(robot) => Kind::Spherical,
            Model::Closed(robot) if !robot.legs().is_empty() && robot.platform().is_some() => Kind::Parallel,
            Model::Closed(_) => Kind::Closed,
        }
    }

    /// All its joints in order, loops open; legs' joints are called `LEG.JOINT`. Rotors of transmissions come last, by the names of
    /// their motors.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = Joint<'_>> {
        let tree = self.tree();
        tree.joint_names().iter().enumerate().map(move |(index, name)| Joint {
            index,
            name,
            kind: tree.links()[index].joint,
            limits: tree.limits()[index],
            driven: tree.driven()[index],
        })
    }

    /// The joint of a name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<Joint<'_>> {
        self.joints().find(|joint| joint.name == name)
    }

    /// The joints that torques and forces act on, in the order of `tau`: all of an open robot, those with a motor of
    /// one with loops.
    #[must_use]
    pub fn drives(&self) -> Vec<Joint<'_>> {
        match &self.model {
            Model::Tree(tree) => match tree.coordinates() {
                None => self.joints().collect(),
                Some(own) => {
                    let rows: Vec<Joint<'_>> = self.joints().collect();
                    let velocities = own.velocities().iter().zip(own.of_velocities());
                    velocities.map(|(name, &row)| Joint { name, ..rows[row] }).collect()
                }
            },
            Model::Closed(closed) => {
                let joints: Vec<Joint<'_>> = self.joints().collect();
                closed.driven().iter().map(|&j| joints[j]).collect()
            }
        }
    }

    /// Names of the independent velocities: of the joints of an open robot; of a closed one components of its platform's
    /// twist, or joints.
    #[must_use]
    pub fn freedoms(&self) -> Vec<String> {
        match &self.model {
            Model::Tree(tree) => tree.velocities().to_vec(),
            Model::Closed(closed) => closed.freedom_names(),
        }
    }

    /// Names of the numbers of a position: of the joints of an open robot, of which spherical ones have the four of a quaternion
    /// and free ones seven; of the drives of one with loops.
    #[must_use]
    pub fn positions(&self) -> Vec<&str> {
        match &self.model {
            Model::Tree(tree) => tree.positions().iter().map(String::as_str).collect(),
            Model::Closed(_) => self.drives().iter().map(|drive| drive.name).collect(),
        }
    }

    /// The position at which all numbers are zero and quaternions are no turn.
    #[must_use]
    pub fn neutral(&self) -> Vec<f64> {
        let zeros = || vec![0.0; self.positions().len()];
        self.tree().coordinates().map_or_else(zeros, Coordinates::neutral)
    }

    /// The same robot with the joints that follow others coupled to them: they have no coordinates of their own any more. In a
    /// robot with closed loops they always follow, so that nothing changes.
    ///
    /// # Errors
    /// If joints follow each other in a circle.
    pub fn coupled(&self) -> Result<Self, CircularCoupling> {
        match &self.model {
            Model::Tree(tree) if tree.followers().iter().any(Option::is_some) => {
                Ok(Self { model: Model::Tree(Arc::new(tree.coupled()?)), ..self.clone() })
            }
            Model::Tree(_) | Model::Closed(_) => Ok(self.clone()),
        }
    }

    /// Its motors, and what stands between their torques and those of the joints.
    ///
    /// ```
    /// use appell::Robot;
    ///
    /// let robot = Robot::builtin("scara")?;
    /// assert_eq!(robot.motors().names()[0], robot.drives()[0].name, "joints without a transmission are their own motors");
    /// # Ok::<(), appell::RobotError>(())
    /// ```
    #[must_use]
    pub fn motors(&self) -> Motors {
        self.tree().motors()
    }

    /// The same robot with the motors of its transmissions as coordinates, in place of the joints that they drive.
    ///
    /// # Errors
    /// If a transmission has not as many motors as joints.
    pub fn by_motors(&self) -> Result<Self, NotSquare> {
        match &self.model {
            Model::Tree(tree) => Ok(Self { model: Model::Tree(Arc::new(tree.by_motors()?)), ..self.clone() }),
            Model::Closed(_) => Ok(self.clone()),
        }
    }

    /// The same robot as if its joints had motors of their own: without the rotors of its transmissions, which stay in its
    /// [description](Self::description). Positions and geometry are the same, and a position is one number per joint that turns or slides.
    ///
    /// # Panics
    /// Never: a valid tree is one without rotors, too.
    #[must_use]
    pub fn without_motors(&self) -> Self {
        let transmissions = |description: &&Description| !description.transmissions.is_empty();
        let Some(description) = self.description().filter(transmissions) else { return self.clone() };
        let plain = Description { transmissions: Vec::new(), ..description.clone() };
        let tree = Mechanism::new(&plain).expect("a valid tree is one without rotors, too");
        Self { model: Model::Tree(Arc::new(tree)), ..self.clone() }
    }

    /// Names of the frames whose motion can be asked for, the platform's last.
    #[must_use]
    pub fn frames(&self) -> Vec<&str> {
        let (tree, platform) = (self.tree(), self.platform().map(|_| PLATFORM));
        tree.shown_frames().map(|frame| frame.name.as_str()).chain(platform).collect()
    }

    /// Its platform, if it has one.
    #[must_use]
    pub fn platform(&self) -> Option<&Platform> {
        self.closed()?.platform()
    }

    /// All joints and bodies as a tree: of a robot with loops, with these left open.
    #[must_use]
    pub fn tree(&self) -> &Mechanism {
        match &self.model {
            Model::Tree(tree) => tree,
            Model::Closed(closed) => closed.tree(),
        }
    }

    /// The mechanism with its loops, if it has any.
    #[must_use]
    pub fn closed(&self) -> Option<&ClosedMechanism> {
        match &self.model {
            Model::Tree(_) => None,
            Model::Closed(closed) => Some(closed),
        }
    }

    /// The type underneath.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What it was made of, with its output as its platform ([`resolve`]); none of a robot that was changed or made of a
    /// mechanism.
    #[must_use]
    pub fn description(&self) -> Option<&Description> {
        self.description.as_deref().or(self.file().map(|file| &file.description))
    }

    /// The same robot with another output: the frame of this name, a joint's body, or its platform.
    ///
    /// ```
    /// use appell::Robot;
    ///
    /// let linkage = Robot::builtin("four-bar")?;
    /// assert!(linkage.platform().is_none());
    /// let rocker = linkage.with_output("rocker")?;
    /// assert_eq!(rocker.platform().map(|platform| platform.is_output), Some(true));
    /// # Ok::<(), appell::RobotError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such frame, it does not move, or the robot has no closed loops or no description.
    pub fn with_output(&self, frame: &str) -> Result<Self, RobotError> {
        let file = self.file().ok_or(RobotError::NoDescription)?;
        let description = Description { output: Some(frame.into()), ..file.description.clone() };
        RobotFile { description, ..file.clone() }.try_into()
    }

    /// What was read; none of a robot that was changed or made of a mechanism.
    #[must_use]
    pub fn file(&self) -> Option<&RobotFile> {
        self.file.as_deref()
    }

    /// What the reader found unlikely or left out, in order.
    pub fn warnings(&self) -> impl Iterator<Item = &Problem> {
        self.file.iter().flat_map(|file| file.warnings.iter())
    }
}

/// Checks what a file says and makes it ready for computing.
impl TryFrom<RobotFile> for Robot {
    type Error = RobotError;

    fn try_from(file: RobotFile) -> Result<Self, RobotError> {
        let model = if file.description.is_closed() {
            Model::Closed(Arc::new(ClosedMechanism::new(&file.description)?))
        } else {
            Model::Tree(Arc::new(Mechanism::new(&file.description).map_err(RobotError::Description)?))
        };
        let description = match resolve(&file.description) {
            Cow::Owned(description) if file.description.is_closed() => Some(Arc::new(description)),
            _ => None,
        };
        Ok(Self { model, file: Some(Arc::new(file)), description })
    }
}

impl From<Mechanism> for Robot {
    fn from(tree: Mechanism) -> Self {
        Self { model: Model::Tree(Arc::new(tree)), file: None, description: None }
    }
}

impl From<ClosedMechanism> for Robot {
    fn from(closed: ClosedMechanism) -> Self {
        Arc::new(closed).into()
    }
}

impl From<Arc<ClosedMechanism>> for Robot {
    fn from(closed: Arc<ClosedMechanism>) -> Self {
        Self { model: Model::Closed(closed), file: None, description: None }
    }
}

/// A copy of the mechanism; a [`Robot`] is cheaper to hand on.
impl From<&Mechanism> for Robot {
    fn from(tree: &Mechanism) -> Self {
        tree.clone().into()
    }
}

/// A copy of the mechanism; a [`Robot`] is cheaper to hand on.
impl From<&ClosedMechanism> for Robot {
    fn from(closed: &ClosedMechanism) -> Self {
        closed.clone().into()
    }
}

impl From<&Robot> for Robot {
    fn from(robot: &Robot) -> Self {
        robot.clone()
    }
}

impl PartialEq for Robot {
    fn eq(&self, other: &Self) -> bool {
        match (&self.model, &other.model) {
            (Model::Tree(one), Model::Tree(other)) => one == other,
            (Model::Closed(one), Model::Closed(other)) => one == other,
            _ => false,
        }
    }
}

impl fmt::Debug for Robot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let drives: Vec<&str> = self.drives().iter().map(|joint| joint.name).collect();
        f.debug_struct("Robot")
            .field("name", &self.name())
            .field("kind", &self.kind().name())
            .field("drives", &drives)
            .finish()
    }
}
