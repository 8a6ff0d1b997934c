//! Robot dynamics by the Gibbs-Appell equations: serial, tree-like and parallel robots, any scalar, no allocation in hot
//! calls.
//!
//! # Five lines to the first torque
//!
//! ```
//! use appell::{Question, Robot, State};
//!
//! # let urdf = r#"<robot name="arm"><link name="base"/>
//! #   <link name="bar"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
//! #     <inertia ixx="0.01" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
//! #   <joint name="shoulder" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="0 -1 0"/></joint>
//! # </robot>"#;
//! # let (q, v, a) = ([0.0], [0.0], [0.0]);
//! let robot = Robot::from_urdf(urdf)?;                            // the text of a file; or `from_toml`, `builtin`, …
//! let mut dynamics = robot.dynamics();                            // the memory of the default, fastest methods
//! let tau = dynamics.inverse_dynamics(&q, &v, &a)?;               // borrowed from there: nothing is allocated
//! # assert!((tau[0] - 9.81).abs() < 1e-12);
//! let m = dynamics.inertia_matrix(&q)?;                           // row by row
//! # assert!((m[0] - 0.7).abs() < 1e-12);
//! let energy = dynamics.ask(Question::Energy, &State::joints(&q, &v, &[]))?;    // any question by its name
//! # assert_eq!(energy, [0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! SI units and radians; τ = M(q) q̈ + C(q, q̇) + G(q) + friction. A robot with closed loops takes the motion of its drives by the
//! same calls, or that of its platform by [`State::platform`].
//!
//! # I want …
//!
//! | I want … | call |
//! |---|---|
//! | a robot from a file | [`Robot::from_urdf`], [`Robot::from_toml`], [`Robot::from_csv`] |
//! | a robot that is built in, or built in code | [`Robot::builtin`]; [`Robot::new`] of a [`Description`](description::Description) |
//! | its joints, limits, drives and frames | [`Robot::joints`], [`Robot::drives`], [`Robot::frames`] |
//! | torques of a motion | [`Dynamics::inverse_dynamics`] |
//! | accelerations under torques | [`Dynamics::forward_dynamics`] |
//! | the inertia matrix | [`Dynamics::inertia_matrix`] |
//! | torques against gravity; with velocities and friction | [`Dynamics::gravity`]; [`Dynamics::bias`] |
//! | a Coriolis matrix for control | [`Dynamics::coriolis_matrix`] |
//! | poses, velocities and accelerations of frames | [`Question::Frames`], [`Question::Velocities`], [`Question::Accelerations`] |
//! | the Jacobian of a frame | [`Dynamics::about`], then [`Dynamics::jacobian`] |
//! | joint positions for a pose of a frame | [`damped_least_squares`](kinematics::damped_least_squares), [`spherical_wrist`](kinematics::spherical_wrist) |
//! | derivatives of torques or accelerations | [`Dynamics::inverse_dynamics_derivatives`], [`Question::ForwardDynamicsDerivatives`] |
//! | the regressor of the inertial parameters | [`Dynamics::regressor`] |
//! | what bearings transmit | [`Question::Reactions`] |
//! | frequencies of vibrations on springs and stiff drives | [`Vibration::about`](vibration::Vibration::about) |
//! | energy, momentum, centre of mass | [`Question::Energy`], [`Question::Momentum`], [`Question::CentreOfMass`] |
//! | a wrench from outside at the tool | [`State::external`], [`State::on_platform`] |
//! | leg forces of a parallel robot | [`State::platform`] and [`Question::InverseDynamics`] |
//! | its drives from its platform, and back | [`Question::Actuated`]; [`Question::Platform`] |
//! | how near a singularity is; a map of them | [`Question::Singularity`]; [`workspace_map`](closed::workspace_map) |
//! | another method, or a number of my own | [`Evaluator::new`] with its name; [`real`] and a method's module of [`dynamics`] |
//!
//! Every [`Question`] is asked by [`Dynamics::ask`]; its row of the [`table`](question::table) says what it reads and answers.
//! `examples/` of each crate has a program for most of these.
//!
//! # Sister crates
//!
//! | crate | what it adds |
//! |---|---|
//! | [`appell-batch`](https://docs.rs/appell-batch) | many states at once: lanes of the processor times its cores |
//! | [`appell-codegen`](https://docs.rs/appell-codegen) | source code of one robot: C, Rust, CUDA, Python, Julia, LaTeX |
//! | [`appell-simulation`](https://docs.rs/appell-simulation) | trajectories, simulation, control laws, sampled loops, scenarios in a file |
//! | [`appell-identification`](https://docs.rs/appell-identification) | from measured motions and torques to a trusted model |
//! | [`appell-papers`](https://docs.rs/appell-papers) | the papers' tables and figures beside what appell computes |
//! | [`appell-drawing`](https://docs.rs/appell-drawing) | robots and diagrams as SVG, PNG and HTML |
//! | [`appell-cli`](https://docs.rs/appell-cli) | the command line |
//!
//! # Modules
//!
//! The data flows one way, and a module uses only those above it:
//!
//! | module | what it is |
//! |---|---|
//! | [`real`] | what a number must do: `f64`, `f32`, counting, exact derivatives |
//! | [`spatial`] | vectors, tensors, turns, poses |
//! | [`linear`] | small linear systems over any number |
//! | [`polynomial`] | polynomials of one number, with two derivatives |
//! | [`description`] | what a user writes, and what is wrong with it |
//! | [`mechanism`] | what we compute with: checked, ordered, immutable |
//! | [`sample`] | seeded random robots and states |
//! | [`kinematics`] | poses, Jacobians, velocities, accelerations |
//! | [`dynamics`] | one file per method: the table question × method × cost |
//! | [`closed`] | parallel robots and closed mechanisms: assembly, mobility, dynamics |
//! | [`robots`] | the built-in robots |
//! | [`question`] | any question by its name: what programs and bindings call |
//! | [`vibration`] | frequencies and modes of small vibrations, on springs of joints and drives |

#[macro_use]
mod macros;

pub mod real;
pub mod spatial;
pub mod linear;
pub mod polynomial;
pub mod description;
pub mod mechanism;
pub mod sample;
pub mod kinematics;
pub mod dynamics;
pub mod closed;
pub mod robots;
mod robot;
pub mod question;
pub mod vibration;

pub use question::{AnswerError, Dynamics, Evaluator, Question, State};
pub use robot::{Format, Joint, Kind, Model, Robot, RobotError, RobotFile, UnreadFormat};
