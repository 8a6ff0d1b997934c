//! A method of `Robot` per question of the table; the table is `appell::question::table`, and a test compares the two.

use crate::ask::ask;
use crate::robot::Robot;
use crate::shown::Options;
use appell::Question;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A method per row: its documentation, its name, the vectors that it takes, those that may be left out, and the question.
macro_rules! questions {
    ($($(#[doc = $doc:literal])* $name:ident($($need:ident),*; $($may:ident),*; $($extra:ident: $kind:ty),*) = $question:ident;)*) => {
        #[pymethods]
        #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
        impl Robot {
            $(
                $(#[doc = $doc])*
                #[pyo3(signature = ($($need,)* $($may = None,)* *, $($extra = None,)* method = None, of = None, out = None, threads = None, device = None))]
                fn $name<'py>(
                    slf: &Bound<'py, Self>,
                    $($need: &Bound<'py, PyAny>,)*
                    $($may: Option<&Bound<'py, PyAny>>,)*
                    $($extra: Option<$kind>,)*
                    method: Option<&str>,
                    of: Option<&str>,
                    out: Option<&Bound<'py, PyAny>>,
                    threads: Option<usize>,
                    device: Option<&str>,
                ) -> PyResult<Bound<'py, PyAny>> {
                    let mut arguments = Arguments::default();
                    $(arguments.$need = Some($need);)*
                    $(arguments.$may = $may;)*
                    let Arguments { q, v, a, tau, w } = arguments;
                    let options = Options { $($extra,)* method, of, out, threads, device, ..Options::default() };
                    ask(slf, Question::$question, &[q, v, a, tau, w], &options)
                }
            )*
        }
    };
}

/// Vectors by their names.
#[derive(Default)]
struct Arguments<'a, 'py> {
    q: Option<&'a Bound<'py, PyAny>>,
    v: Option<&'a Bound<'py, PyAny>>,
    a: Option<&'a Bound<'py, PyAny>>,
    tau: Option<&'a Bound<'py, PyAny>>,
    w: Option<&'a Bound<'py, PyAny>>,
}

questions! {
    /// Torques and forces that give the accelerations: τ = M a + C + G + friction, N m or N.
    ///
    /// Shapes: (n,) → (n,), one state; (N, n) → (N, n), N of them on all cores. Vectors that are left out are zero. Of a parallel
    /// robot `q, v, a` are those of its drives, or pose, twist and acceleration of its platform.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> tau = robot.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6))
    /// >>> tau.shape, robot.inverse_dynamics(np.zeros((9, 6))).shape
    /// ((6,), (9, 6))
    inverse_dynamics(q; v, a; external: &Bound<'py, PyDict>) = InverseDynamics;
    /// Accelerations that torques and forces give, rad/s² or m/s².
    ///
    /// Shapes: (n,) → (n,), (N, n) → (N, n). Of a robot with a platform a pair: acceleration of the platform (6,), and of the drives.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> q, v, tau = np.full((3, 6), 0.1)
    /// >>> a = robot.forward_dynamics(q, v, tau)
    /// >>> bool(np.allclose(robot.inverse_dynamics(q, v, a), tau))
    /// True
    forward_dynamics(q, v, tau; ; external: &Bound<'py, PyDict>) = ForwardDynamics;
    /// The inertia matrix M(q): (n,) → (n, n), (N, n) → (N, n, n). Of a robot with loops by its independent velocities, `freedoms`.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> robot.inertia_matrix(np.zeros((100, 6))).shape
    /// (100, 6, 6)
    inertia_matrix(q; ; ) = InertiaMatrix;
    /// Forces at zero acceleration: velocities, gravity, friction and springs, (n,) or (N, n). Of a robot with loops these are generalised
    /// forces of its independent velocities, `freedoms`; `inverse_dynamics` at zero acceleration has those of its drives.
    ///
    /// >>> robot = appell.load("scara")
    /// >>> robot.bias(np.zeros(4), np.ones(4)).shape
    /// (4,)
    bias(q; v; external: &Bound<'py, PyDict>) = Bias;
    /// Forces that hold the bodies against gravity, (n,) or (N, n), N m or N. Of a robot with loops these are generalised forces of its
    /// independent velocities, `freedoms`; `inverse_dynamics` at rest has those of its drives.
    ///
    /// >>> robot = appell.load("scara")
    /// >>> bool(robot.gravity(np.zeros(4))[2] != 0)
    /// True
    gravity(q; ; ) = Gravity;
    /// Forces of the bodies' velocities alone, C(q, v) v: (n,) or (N, n). Of a robot with loops by its independent velocities, `freedoms`.
    ///
    /// >>> robot = appell.load("two-link")
    /// >>> c = robot.coriolis_vector([0.1, 0.7], [1.0, 2.0])
    /// >>> C = robot.coriolis_matrix([0.1, 0.7], [1.0, 2.0])
    /// >>> bool(np.allclose(C @ [1.0, 2.0], c))
    /// True
    coriolis_vector(q; v; ) = CoriolisVector;
    /// C with dM/dt − 2C skew-symmetric: (n, n) or (N, n, n). Of a robot with loops by its independent velocities, `freedoms`.
    ///
    /// >>> appell.load("two-link").coriolis_matrix([0.1, 0.7], [1.0, 2.0]).shape
    /// (2, 2)
    coriolis_matrix(q; v; ) = CoriolisMatrix;
    /// M a + C(q, v) w + G with two velocities, as passivity-based laws need: (n,) or (N, n).
    ///
    /// >>> robot = appell.load("two-link")
    /// >>> robot.two_velocity_inverse_dynamics([0.1, 0.7], [1, 2], [0, 0], [1, 1]).shape
    /// (2,)
    two_velocity_inverse_dynamics(q, v, a, w; ; ) = TwoVelocityInverseDynamics;
    /// Torques of the motors behind gears, belts and tendons (see `motors`), (m,) or (N, m).
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> robot.motor_torques(np.zeros(6), np.zeros(6), np.zeros(6)).shape
    /// (6,)
    motor_torques(q; v, a; external: &Bound<'py, PyDict>) = MotorTorques;
    /// Force and moment that each joint transmits, in its frame's axes: (joints, 6) or (N, joints, 6); `columns("reactions")` has the names.
    ///
    /// >>> appell.load("puma560").reactions(np.zeros(6)).shape
    /// (6, 6)
    reactions(q; v, a; external: &Bound<'py, PyDict>) = Reactions;
    /// Y of τ = Y φ: (n, p) or (N, n, p), for the p parameters named by `parameters`.
    ///
    /// >>> robot = appell.load("two-link")
    /// >>> robot.regressor([0.1, 0.7], [1, 2], [0, 0]).shape == (2, len(robot.parameters))
    /// True
    regressor(q; v, a; ) = Regressor;
    /// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a, exactly: a tuple of three, each (n, n) or (N, n, n). Of quaternions along the tangent space.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> dq, dv, da = robot.inverse_dynamics_derivatives(np.zeros(6), np.zeros(6), np.zeros(6))
    /// >>> bool(np.allclose(da, robot.inertia_matrix(np.zeros(6))))
    /// True
    inverse_dynamics_derivatives(q; v, a; ) = InverseDynamicsDerivatives;
    /// ∂a/∂q, ∂a/∂v and ∂a/∂τ, exactly: a tuple of three, each (n, n) or (N, n, n).
    ///
    /// >>> robot = appell.load("two-link")
    /// >>> dq, dv, dtau = robot.forward_dynamics_derivatives([0.1, 0.7], [1, 2], [3, 4])
    /// >>> bool(np.allclose(dtau @ robot.inertia_matrix([0.1, 0.7]), np.eye(2)))
    /// True
    forward_dynamics_derivatives(q, v, tau; ; ) = ForwardDynamicsDerivatives;
    /// Kinetic and potential energy, J: (2,) or (N, 2).
    ///
    /// >>> kinetic, potential = appell.load("two-link").energy([0.1, 0.7], [0.0, 0.0])
    /// >>> float(kinetic)
    /// 0.0
    energy(q; v; ) = Energy;
    /// Linear momentum, and angular about the centre of mass, in base axes: (6,) or (N, 6).
    ///
    /// >>> appell.load("two-link").momentum([0.1, 0.7], [1.0, 0.0]).shape
    /// (6,)
    momentum(q; v; ) = Momentum;
    /// Centre of mass of all bodies in the base, m: (3,) or (N, 3).
    ///
    /// >>> appell.load("puma560").centre_of_mass(np.zeros(6)).shape
    /// (3,)
    centre_of_mass(q; ; ) = CentreOfMass;
    /// Jacobian of the centre of mass: (3, n) or (N, 3, n).
    ///
    /// >>> appell.load("puma560").centre_of_mass_jacobian(np.zeros(6)).shape
    /// (3, 6)
    centre_of_mass_jacobian(q; ; ) = CentreOfMassJacobian;
    /// Gibbs' function, whose gradient by the accelerations is the joint forces: (1,) or (N, 1).
    ///
    /// >>> appell.load("two-link").gibbs_function([0.1, 0.7], [1, 2], [0, 0]).shape
    /// (1,)
    gibbs_function(q; v, a; ) = GibbsFunction;
    /// Poses of all frames in the base, as 4 × 4 matrices: (frames, 4, 4) or (N, frames, 4, 4), in the order of `frame_names`.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> robot.frames(np.zeros(6)).shape == (len(robot.frame_names), 4, 4)
    /// True
    frames(q; ; ) = Frames;
    /// Velocities of all frames in base axes, linear first: (frames, 6) or (N, frames, 6).
    ///
    /// >>> appell.load("two-link").velocities([0.1, 0.7], [1.0, 2.0]).shape[1]
    /// 6
    velocities(q; v; ) = Velocities;
    /// Accelerations of all frames in base axes, linear first, without gravity: (frames, 6) or (N, frames, 6).
    ///
    /// >>> appell.load("two-link").accelerations([0.1, 0.7], [1, 2], [0, 0]).shape[1]
    /// 6
    accelerations(q; v, a; ) = Accelerations;
    /// Jacobian of a frame, the last one if none is named, or of a platform by its drives: (6, n) or (N, 6, n), linear first.
    ///
    /// `axes` names the frame whose axes components refer to; base if not given.
    ///
    /// >>> robot = appell.load("puma560")
    /// >>> J = robot.jacobian(np.zeros(6), frame="elbow", axes="elbow")
    /// >>> J.shape
    /// (6, 6)
    jacobian(q; ; frame: &str, axes: &str) = Jacobian;
    /// Rate of a frame's Jacobian times v: (6,) or (N, 6), linear first.
    ///
    /// >>> appell.load("puma560").jacobian_rate(np.zeros(6), np.ones(6)).shape
    /// (6,)
    jacobian_rate(q; v; frame: &str, axes: &str) = JacobianRate;
    /// How near a singularity is. Of an open robot manipulability, inverse of the condition number and rank of a frame's Jacobian, (3,); of one
    /// with loops inverse conditions of Type 1, Type 2, constraints and the inverse Jacobian, (4,): 1 is best, 0 is singular.
    ///
    /// >>> stewart = appell.load("gough-stewart")
    /// >>> type1, type2, constraints, inverse = stewart.singularity(stewart.home)
    /// >>> bool(type2 > 0.01)
    /// True
    singularity(q; ; frame: &str, axes: &str) = Singularity;
    /// Positions, velocities and accelerations of the drives of a robot with loops, from its platform's motion: three of (m,) or (N, m).
    ///
    /// >>> stewart = appell.load("gough-stewart")
    /// >>> lengths, rates, _ = stewart.actuated(stewart.home)
    /// >>> lengths.shape
    /// (6,)
    actuated(q; v, a; ) = Actuated;
    /// Positions, velocities and accelerations of all joints of a robot with loops: three of (joints,) or (N, joints).
    ///
    /// >>> stewart = appell.load("gough-stewart")
    /// >>> q, v, a = stewart.joint_motion(stewart.home)
    /// >>> q.shape == (len(stewart.joints),)
    /// True
    joint_motion(q; v, a; ) = Joints;
    /// Pose (4 × 4), twist and acceleration of the platform, from the drives' motion or its own independent velocities.
    ///
    /// >>> stewart = appell.load("gough-stewart")
    /// >>> pose, twist, acceleration = stewart.platform(stewart.actuated(stewart.home)[0])
    /// >>> bool(np.allclose(pose, stewart.home))
    /// True
    platform(q; v, a; ) = Platform;
    /// Rates of the drives by the independent velocities of a robot with loops: (m, n) or (N, m, n).
    ///
    /// >>> stewart = appell.load("gough-stewart")
    /// >>> J = stewart.inverse_jacobian(stewart.home)
    /// >>> bool(np.allclose(np.linalg.inv(J), stewart.jacobian(stewart.home)))
    /// True
    inverse_jacobian(q; ; ) = InverseJacobian;
    /// Ψ of V = Ψ r, the platform's twist by the independent velocities, and its rate: two of (6, n) or (N, 6, n).
    ///
    /// >>> delta = appell.load("delta")
    /// >>> psi, rate = delta.psi(delta.home)
    /// >>> psi.shape
    /// (6, 3)
    psi(q; v; ) = Psi;
}
