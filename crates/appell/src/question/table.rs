//! The one table of questions: a row per question.

use super::Input;
use super::columns::Part::{Derivatives, Matrix, OfFrames, OfJoints, OfPlatform, OfReactions, Vector, Words};
use super::columns::Size::{self, Drives, Freedoms, Motors, Parameters};
use super::columns::{Columns, TWIST};
use super::generalised;
use super::method::{
    COLUMNS, EQUATIONS, How, KKT, LEGS_PLATFORM, MATRIX_TIMES_VELOCITY, Method, PARTS, POTENTIAL, RECURSIVE,
    SINGULAR_VALUES, SPHERICAL, TREE_CLOSURES, UNIT_PARAMETERS, WHOLE, Way,
};
use super::methods::{self, about_origins, forward, slice, slice_or_error};
use crate::closed::formulation::Formulation;
use crate::dynamics::joint_space::{Equations, Solver};
use crate::dynamics::{
    articulated_body, christoffel, composite_body, gibbs_appell_vectorial, link_origins, newton_euler,
    orthogonal_complement, unit_parameters,
};
use crate::{Model, Robot};
use Input::{Accelerations, Forces, Positions, SecondVelocities, Velocities};

/// What is known of a question.
#[derive(Debug)]
pub struct Row {
    /// Its name on a command line.
    pub name: &'static str,
    /// What it answers, in one line.
    pub summary: &'static str,
    /// The vectors it reads.
    pub inputs: &'static [Input],
    /// The numbers it answers.
    pub columns: Columns,
    /// What is special about it.
    pub traits: &'static [Trait],
    /// The methods of open robots, the default first; none if they do not answer it.
    pub open: &'static [Method],
    /// The methods of robots with closed loops, the default first; none if they do not answer it.
    pub closed: &'static [Method],
}

/// What is special about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trait {
    /// External wrenches change its answer; all others ignore them.
    Wrenches,
    /// It is about one frame of an open robot, so that [`Target`](super::Target) matters.
    OneFrame,
    /// Of a robot with closed loops it is about the platform, which not every one has.
    Platform,
}

/// What a row says that leaves it out: nothing special, and no methods.
const PLAIN: Row =
    Row { name: "", summary: "", inputs: &[], columns: Columns::Of(&[]), traits: &[], open: &[], closed: &[] };

const ACCELERATION: [&str; 6] = ["ax", "ay", "az", "ex", "ey", "ez"];

/// Open robots with more joints than this have their forward dynamics by articulated bodies, O(n), where the default of
/// shorter ones is O(n³).
const LONG: usize = 9;

/// The same of batches, whose lanes share the work of O(n³).
const LONG_IN_LANES: usize = 36;

/// The method that answers forward dynamics of open robots with many joints.
pub const OF_LONG_ROBOTS: &str = "articulated-body";

/// The method that has the motors' positions as coordinates.
pub(super) const BY_MOTORS: &str = "motor-coordinates";

impl Question {
    /// Its row of the table.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Its name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it answers, in one line.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// The question of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.name() == name)
    }

    /// The vectors it reads.
    #[must_use]
    pub fn inputs(self) -> &'static [Input] {
        self.row().inputs
    }

    /// Whether it reads one of them.
    #[must_use]
    pub fn reads(self, input: Input) -> bool {
        self.inputs().contains(&input)
    }

    /// Whether only robots with closed loops answer it.
    #[must_use]
    pub fn is_of_closed_robots(self) -> bool {
        self.row().open.is_empty()
    }

    /// Whether external wrenches change its answer; all others ignore them.
    #[must_use]
    pub fn takes_wrenches(self) -> bool {
        self.row().traits.contains(&Trait::Wrenches)
    }

    /// Whether it is about one frame of an open robot, so that [`Target`](super::Target) matters.
    #[must_use]
    pub fn is_about_one_frame(self) -> bool {
        self.row().traits.contains(&Trait::OneFrame)
    }

    /// The method by which a batch answers it, if that is not the default of single states.
    #[must_use]
    pub fn method_of_batches(self, robot: &Robot) -> Option<&'static Method> {
        let tree = robot.closed().is_none().then(|| robot.tree()).filter(|_| self == Self::ForwardDynamics)?;
        if tree.coordinates().is_some() {
            return None;
        }
        let is_long = tree.dof() > LONG_IN_LANES;
        self.row().open.iter().find(|method| (method.name == OF_LONG_ROBOTS) == is_long)
    }

    /// The methods by which a robot answers it, the default first; none if it does not.
    #[must_use]
    pub fn methods(self, robot: &Robot) -> Vec<&'static Method> {
        match robot.model() {
            Model::Tree(tree) => {
                let mut methods: Vec<&Method> = self.row().open.iter().collect();
                if self == Self::MotorTorques {
                    let is_answered = tree.motors().underactuated().is_none();
                    let is_square = tree.by_motors().is_ok();
                    methods.retain(|method| is_answered && (is_square || method.name != BY_MOTORS));
                }
                if tree.coordinates().is_some() {
                    methods.retain(|method| generalised::has_method(self, method));
                } else if self == Self::ForwardDynamics && tree.dof() > LONG {
                    methods.sort_by_key(|method| method.name != OF_LONG_ROBOTS);
                }
                methods
            }
            Model::Closed(robot) => {
                let applies = Formulation::of(robot);
                let is_possible = robot.platform().is_some() || !self.row().traits.contains(&Trait::Platform);
                let is_of_robot = |method: &&Method| match method.how {
                    How::Closed(Way::Equations) => applies.contains(&Formulation::Spherical),
                    How::Closed(Way::By(formulation)) => applies.contains(&formulation),
                    _ => true,
                };
                self.row().closed.iter().filter(|_| is_possible).filter(is_of_robot).collect()
            }
        }
    }
}

macro_rules! questions {
    ($($question:ident { name: $name:literal, summary: $summary:literal, $($row:tt)* })*) => {
        /// What can be asked of a robot.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Question {
            $(#[doc = concat!("`", $name, "`: ", $summary, ".")] $question,)*
        }

        impl Question {
            /// All questions.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$question),*];
        }

        #[allow(clippy::needless_update, reason = "some rows leave nothing out")]
        static ROWS: [Row; Question::ALL.len()] = [$(Row { name: $name, summary: $summary, $($row)* ..PLAIN }),*];
    };
}

questions! {
    InverseDynamics {
        name: "inverse-dynamics",
        summary: "joint forces that give the accelerations",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[Vector("tau", Drives)]),
        traits: &[Trait::Wrenches],
        open: &[
            Method::kernel("gibbs-appell", "Gibbs-Appell, tensor form, O(n): Mata et al. 2002 §4.1"),
            Method::open("gibbs-appell-vectorial", "Gibbs-Appell, vectorial form, O(n): Valera et al. §2",
                |robot, _| slice(gibbs_appell_vectorial::Workspace::new(robot), |robot, ws, s| gibbs_appell_vectorial::inverse_dynamics(robot, ws, s.q, s.v, s.a))),
            Method::open("newton-euler", "Newton-Euler, O(n): Luh, Walker & Paul 1980",
                |robot, _| slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::inverse_dynamics(robot, ws, s.q, s.v, s.a))),
            Method::open("link-origins", "first moments and inertias about the links' origins, O(n): Khalil & Kleinfinger 1987",
                |robot, _| slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::inverse_dynamics(robot, bodies, ws, s.q, s.v, s.a))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, KKT, EQUATIONS],
    }
    ForwardDynamics {
        name: "forward-dynamics",
        summary: "joint accelerations that the forces give",
        inputs: &[Positions, Velocities, Forces],
        columns: Columns::Of(&[OfPlatform(&ACCELERATION), Vector("a", Drives)]),
        traits: &[Trait::Wrenches],
        open: &[
            Method::kernel("gibbs-appell-ltdl", "Gibbs-Appell inertia matrix and bias, eliminated from the tip, LᵀDL: Mata et al. 2002 §3"),
            Method::open("gibbs-appell", "Gibbs-Appell inertia matrix and bias, Cholesky: Mata et al. 2002 §3",
                |robot, _| forward(robot, Equations::GibbsAppell, Solver::Cholesky)),
            Method::open("gibbs-appell-gauss-jordan", "the same with Gauss-Jordan elimination: Mata et al. 2002 §5.1",
                |robot, _| forward(robot, Equations::GibbsAppell, Solver::GaussJordan)),
            Method::open("composite-body", "composite bodies, Newton-Euler bias, Cholesky: Walker & Orin 1982",
                |robot, _| forward(robot, Equations::CompositeBody, Solver::Cholesky)),
            Method::open("orthogonal-complement", "natural orthogonal complement, Newton-Euler bias, Cholesky: Angeles & Ma 1988",
                |robot, _| forward(robot, Equations::OrthogonalComplement, Solver::Cholesky)),
            Method::open("articulated-body", "articulated bodies, O(n): Featherstone 1983",
                |robot, _| slice_or_error(articulated_body::Workspace::new(robot), |robot, ws, s| articulated_body::forward_dynamics(robot, ws, s.q, s.v, s.tau))),
            Method::open("link-origins", "inertia matrix and bias about the links' origins, eliminated from the tip",
                |robot, _| slice_or_error(about_origins(robot), |robot, (bodies, ws), s| link_origins::forward_dynamics(robot, bodies, ws, s.q, s.v, s.tau))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, KKT],
    }
    InertiaMatrix {
        name: "inertia-matrix",
        summary: "joint inertia matrix, row by row",
        inputs: &[Positions],
        columns: Columns::Of(&[Matrix("M", Freedoms, Freedoms)]),
        open: &[
            Method::kernel("gibbs-appell", "Hessian of Gibbs' function, O(n²): Mata et al. 2002 §4.2"),
            Method::open("composite-body", "composite bodies about their centres of mass, O(n²): Walker & Orin 1982",
                |robot, _| slice(composite_body::Workspace::new(robot), |robot, ws, s| composite_body::inertia_matrix(robot, ws, s.q))),
            Method::open("orthogonal-complement", "natural orthogonal complement, O(n³): Angeles & Ma 1988",
                |robot, _| slice(orthogonal_complement::Workspace::new(robot), |robot, ws, s| orthogonal_complement::inertia_matrix(robot, ws, s.q))),
            Method::open("link-origins", "composite bodies about the links' origins, O(n²)",
                |robot, _| slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::inertia_matrix(robot, bodies, ws, s.q))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, COLUMNS],
    }
    Bias {
        name: "bias",
        summary: "joint forces at zero acceleration: velocities, gravity, friction and springs",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Vector("b", Freedoms)]),
        traits: &[Trait::Wrenches],
        open: &[
            Method::kernel("gibbs-appell", "Gibbs-Appell, tensor form without accelerations, O(n): Mata et al. 2002 §3"),
            Method::open("newton-euler", "Newton-Euler at zero acceleration, O(n): Luh, Walker & Paul 1980",
                |robot, _| slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::bias(robot, ws, s.q, s.v))),
            Method::open("link-origins", "first moments and inertias about the links' origins, O(n)",
                |robot, _| slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::bias(robot, bodies, ws, s.q, s.v))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, PARTS],
    }
    Gravity {
        name: "gravity",
        summary: "joint forces that hold the robot against gravity",
        inputs: &[Positions],
        columns: Columns::Of(&[Vector("g", Freedoms)]),
        open: &[
            Method::kernel("statics", "weights and levers, O(n)"),
            Method::open("newton-euler", "Newton-Euler at rest, O(n)",
                |robot, _| slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::gravity(robot, ws, s.q))),
            Method::open("link-origins", "first moments about the links' origins, O(n)",
                |robot, _| slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::gravity(robot, bodies, ws, s.q))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, POTENTIAL, EQUATIONS],
    }
    CoriolisVector {
        name: "coriolis-vector",
        summary: "joint forces of the bodies' velocities alone, C(q, v) v",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Vector("c", Freedoms)]),
        open: &[
            Method::kernel("gibbs-appell", "Gibbs-Appell bias without gravity, O(n)"),
            Method::open("newton-euler", "Newton-Euler bias without gravity, O(n)",
                |robot, _| slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::coriolis_vector(robot, ws, s.q, s.v))),
            Method::open("link-origins", "first moments and inertias about the links' origins, O(n)",
                |robot, _| slice(about_origins(robot), |robot, (bodies, ws), s| link_origins::coriolis_vector(robot, bodies, ws, s.q, s.v))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, MATRIX_TIMES_VELOCITY, EQUATIONS],
    }
    CoriolisMatrix {
        name: "coriolis-matrix",
        summary: "Coriolis matrix C with dM/dt - 2C skew-symmetric, row by row",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Matrix("C", Freedoms, Freedoms)]),
        open: &[
            Method::kernel("base-axes", "rates of the body Jacobians by columns, O(n²): Echeandia & Wensing 2021"),
            Method::open("christoffel", "Christoffel's symbols of the inertia matrix on dual numbers, O(n⁴)",
                |robot, _| slice(christoffel::Workspace::new(robot), |robot, ws, s| christoffel::coriolis_matrix(robot, ws, s.q, s.v))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, RECURSIVE],
    }
    TwoVelocityInverseDynamics {
        name: "two-velocity-inverse-dynamics",
        summary: "joint forces M a + C(q, v) w + G of the bodies and rotors",
        inputs: &[Positions, Velocities, Accelerations, SecondVelocities],
        columns: Columns::Of(&[Vector("tau", Drives)]),
        open: &[
            Method::kernel("base-axes", "one sweep with two velocities, O(n): Niemeyer & Slotine 1991"),
            Method::open("matrices", "inertia and Christoffel's Coriolis matrix times their vectors, and statics, O(n⁴)", methods::two_velocity_inverse_dynamics_by_matrices),
        ],
    }
    MotorTorques {
        name: "motor-torques",
        summary: "torques of the motors behind gears, belts and tendons that give the accelerations of the joints",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[Vector("tau", Motors)]),
        traits: &[Trait::Wrenches],
        open: &[
            Method::kernel("gibbs-appell", "joint forces by Gibbs-Appell, through the inverse of the ratios"),
            Method::open(BY_MOTORS, "Newton-Euler with the motors' positions as coordinates, of as many motors as joints",
                |robot, _| slice(newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::inverse_dynamics(robot, ws, s.q, s.v, s.a))),
        ],
    }
    Reactions {
        name: "reactions",
        summary: "force and moment each joint transmits, at the joint, in its frame's axes",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[OfReactions(&["fx", "fy", "fz", "mx", "my", "mz"])]),
        traits: &[Trait::Wrenches],
        open: &[
            Method::kernel("base-axes", "wrenches of the bodies summed in base axes, O(n)"),
            Method::open("newton-euler", "Newton-Euler in link frames, O(n): Luh, Walker & Paul 1980", methods::reactions_by_newton_euler),
        ],
        closed: &[LEGS_PLATFORM, TREE_CLOSURES, SINGULAR_VALUES],
    }
    Regressor {
        name: "regressor",
        summary: "matrix Y of tau = Y phi, row by row: 10 columns per body, then 4 per joint with effects",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[Matrix("Y", Drives, Parameters)]),
        open: &[
            Method::kernel("base-axes", "wrenches of the bodies, parameter by parameter, in base axes, O(n²)"),
            Method::open("unit-parameters", "forces of a unit of each parameter, by Newton-Euler, O(n²)",
                |robot, _| slice(unit_parameters::Workspace::new(robot), |_, ws, s| unit_parameters::regressor(ws, s.q, s.v, s.a))),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, UNIT_PARAMETERS],
    }
    InverseDynamicsDerivatives {
        name: "inverse-dynamics-derivatives",
        summary: "joint forces differentiated by q, v and a",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::OpenAndClosed(
            &[Derivatives("tau", Drives, &[("q", Freedoms), ("v", Freedoms), ("a", Freedoms)])],
            &[Derivatives("tau", Drives, &[("x", Freedoms), ("r", Freedoms), ("rdot", Freedoms)])],
        ),
        open: &[
            Method::kernel("analytic", "the equations differentiated, composite bodies in base axes, O(n²): Singh, Russell & Wensing 2022"),
            Method::open("newton-euler", "Newton-Euler on dual numbers, O(n²)", methods::inverse_dynamics_derivatives_by_newton_euler),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, KKT],
    }
    ForwardDynamicsDerivatives {
        name: "forward-dynamics-derivatives",
        summary: "joint accelerations differentiated by q, v and tau",
        inputs: &[Positions, Velocities, Forces],
        columns: Columns::OpenAndClosed(
            &[Derivatives("a", Drives, &[("q", Freedoms), ("v", Freedoms), ("tau", Drives)])],
            &[Derivatives("rdot", Freedoms, &[("x", Freedoms), ("r", Freedoms), ("tau", Drives)])],
        ),
        open: &[
            Method::kernel("analytic", "through those of inverse dynamics and the inertia matrix, O(n³)"),
            Method::open("articulated-body", "articulated bodies on dual numbers, O(n²)", methods::forward_dynamics_derivatives_by_articulated_body),
            Method::open("composite-body", "composite bodies and Newton-Euler on dual numbers, O(n⁴)", methods::forward_dynamics_derivatives_by_composite_body),
        ],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, KKT],
    }
    Energy {
        name: "energy",
        summary: "kinetic and potential energy, J",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Words(&["kinetic", "potential"])]),
        open: &[Method::kernel("base-axes", "sum over the bodies in base axes, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES, WHOLE],
    }
    Momentum {
        name: "momentum",
        summary: "linear momentum, and angular about the centre of mass, in base axes",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Words(&["linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z"])]),
        open: &[Method::kernel("base-axes", "sum over the bodies in base axes, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    CentreOfMass {
        name: "centre-of-mass",
        summary: "centre of mass of all bodies in the base",
        inputs: &[Positions],
        columns: Columns::Of(&[Words(&["com.x", "com.y", "com.z"])]),
        open: &[Method::kernel("base-axes", "sum over the bodies in base axes, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    CentreOfMassJacobian {
        name: "centre-of-mass-jacobian",
        summary: "3 x n Jacobian of the centre of mass, row by row",
        inputs: &[Positions],
        columns: Columns::Of(&[Matrix("J", Size::Of(3), Freedoms)]),
        open: &[Method::kernel("base-axes", "joint axes and levers in base axes, O(n²)")],
    }
    GibbsFunction {
        name: "gibbs-function",
        summary: "Gibbs' function, whose gradient by the accelerations is the joint forces",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[Words(&["gibbs"])]),
        open: &[Method::kernel("base-axes", "sum over the bodies in base axes, O(n): Mata et al. 2002 eq. 3")],
    }
    Frames {
        name: "frames",
        summary: "poses of all frames in the base: rotation by rows, then position",
        inputs: &[Positions],
        columns: Columns::Of(&[OfFrames(&["r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33", "x", "y", "z"])]),
        open: &[Method::kernel("base-axes", "product of the joint transforms, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Velocities {
        name: "velocities",
        summary: "velocities of all frames in base axes: linear, then angular",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[OfFrames(&TWIST)]),
        open: &[Method::kernel("base-axes", "outward sweep in base axes, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Accelerations {
        name: "accelerations",
        summary: "accelerations of all frames in base axes, without gravity: linear, then angular",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[OfFrames(&ACCELERATION)]),
        open: &[Method::kernel("base-axes", "outward sweep in base axes, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Jacobian {
        name: "jacobian",
        summary: "Jacobian of one frame, or of a platform by its drives, row by row: linear, then angular",
        inputs: &[Positions],
        columns: Columns::Of(&[Matrix("J", Size::Of(6), Drives)]),
        traits: &[Trait::OneFrame, Trait::Platform],
        open: &[Method::kernel("base-axes", "joint axes and levers in base axes, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    JacobianRate {
        name: "jacobian-rate",
        summary: "rate of the Jacobian times v, of one frame, or of a platform by its drives: linear, then angular",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Words(&ACCELERATION)]),
        traits: &[Trait::OneFrame, Trait::Platform],
        open: &[Method::kernel("base-axes", "acceleration of the frame at zero joint acceleration, O(n)")],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Singularity {
        name: "singularity",
        summary: "manipulability of one frame in m and rad, inverse of its condition number, and rank; of a closed robot inverse conditions: of its nearest leg, its drives, its constraints and its inverse Jacobian",
        inputs: &[Positions],
        columns: Columns::OpenAndClosed(
            &[Words(&["manipulability", "inverse_condition", "rank"])],
            &[Words(&["type1", "type2", "constraints", "inverse_jacobian"])],
        ),
        traits: &[Trait::OneFrame],
        open: &[Method::open("singular-values", "one-sided Jacobi rotations of the Jacobian; the frame's reach is the characteristic length", methods::singularity_by_singular_values)],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Actuated {
        name: "actuated",
        summary: "positions, velocities and accelerations of the driven joints of a closed robot",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[Vector("q", Drives), Vector("v", Drives), Vector("a", Drives)]),
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Joints {
        name: "joints",
        summary: "positions, velocities and accelerations of all joints of a closed robot",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[OfJoints(&["q", "v", "a"])]),
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Platform {
        name: "platform",
        summary: "pose, twist and acceleration of the platform, from the driven joints' motion",
        inputs: &[Positions, Velocities, Accelerations],
        columns: Columns::Of(&[Words(&["px", "py", "pz", "qx", "qy", "qz", "qw"]), Words(&TWIST), Words(&ACCELERATION)]),
        traits: &[Trait::Platform],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    InverseJacobian {
        name: "inverse-jacobian",
        summary: "rates of the driven joints by the independent velocities of a closed robot, row by row",
        inputs: &[Positions],
        columns: Columns::Of(&[Matrix("J", Drives, Freedoms)]),
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
    Psi {
        name: "psi",
        summary: "twist of the platform by the independent velocities, a 6 x n matrix row by row, then its rate",
        inputs: &[Positions, Velocities],
        columns: Columns::Of(&[Matrix("psi", Size::Of(6), Freedoms), Matrix("psi_rate", Size::Of(6), Freedoms)]),
        traits: &[Trait::Platform],
        closed: &[SPHERICAL, LEGS_PLATFORM, TREE_CLOSURES],
    }
}
