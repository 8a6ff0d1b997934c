//! The table question × method, with the function that prepares each.

use super::{Question, State, Target};
use crate::dynamics::derivatives::{Derivatives, analytic, direct};
use crate::dynamics::joint_space::{self, Equations, Solver};
use crate::dynamics::{
    InertiaError, articulated_body, christoffel, composite_body, coriolis, energy, gibbs_appell_inertia,
    gibbs_appell_tensor, gibbs_appell_vectorial, gibbs_function, link_origins, momentum, newton_euler,
    orthogonal_complement, reactions, regressor, statics, unit_parameters,
};
use crate::kinematics;
use crate::kinematics::singularity::{self, Metric};
use crate::mechanism::Mechanism;
use crate::spatial::{Vec3, Wrench};

/// A question made ready on one robot: from a state to a row of numbers.
pub(super) type Run<'r> = Box<dyn FnMut(State<'_>, &mut [f64]) -> Result<(), InertiaError> + Send + 'r>;

/// A method that answers a question.
#[derive(Debug)]
pub struct Method {
    /// The question.
    pub question: Question,
    /// Its name on a command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    prepare: for<'r> fn(&'r Mechanism, Target) -> Run<'r>,
}

impl Method {
    pub(super) fn prepare<'r>(&self, robot: &'r Mechanism, target: Target) -> Run<'r> {
        (self.prepare)(robot, target)
    }
}

/// The methods that answer a question, the default first.
pub fn methods(question: Question) -> impl Iterator<Item = &'static Method> {
    METHODS.iter().filter(move |method| method.question == question)
}

/// A method whose workspace answers with a slice, one number a column.
fn slice<'r, W: Send + 'r>(
    robot: &'r Mechanism,
    mut workspace: W,
    answer: impl for<'w> Fn(&Mechanism, &'w mut W, State<'_>) -> &'w [f64] + Send + 'r,
) -> Run<'r> {
    Box::new(move |state, row| {
        row.copy_from_slice(answer(robot, &mut workspace, state));
        Ok(())
    })
}

/// A method whose workspace fills the row itself.
fn fill<'r, W: Send + 'r>(
    robot: &'r Mechanism,
    mut workspace: W,
    answer: impl Fn(&Mechanism, &mut W, State<'_>, &mut [f64]) + Send + 'r,
) -> Run<'r> {
    Box::new(move |state, row| {
        answer(robot, &mut workspace, state, row);
        Ok(())
    })
}

/// Forward dynamics through the joints' equations.
fn forward(robot: &Mechanism, equations: Equations, solver: Solver) -> Run<'_> {
    let mut workspace = joint_space::Workspace::over(robot, equations, solver, 0.0);
    Box::new(move |s, row| {
        row.copy_from_slice(joint_space::forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?);
        Ok(())
    })
}

/// The bodies of a robot by their ten parameters, and the workspace of the methods that take them so.
fn about_origins(robot: &Mechanism) -> (link_origins::Bodies, link_origins::Workspace) {
    (link_origins::Bodies::of(robot, 0.0, |_| None), link_origins::Workspace::over(robot, 0.0))
}

/// Writes groups of numbers, a frame each, one after the other.
#[inline(always)]
pub(super) fn lay_out<T: Copy, const N: usize>(groups: impl Iterator<Item = [T; N]>, row: &mut [T]) {
    for (group, cells) in groups.zip(row.chunks_exact_mut(N)) {
        cells.copy_from_slice(&group);
    }
}

/// Writes three matrices one after the other.
pub(super) fn concatenate(matrices: [&[f64]; 3], row: &mut [f64]) {
    let mut rest = row;
    for matrix in matrices {
        let (cells, others) = rest.split_at_mut(matrix.len());
        cells.copy_from_slice(matrix);
        rest = others;
    }
}

/// Derivatives by q, v and a third vector.
fn by_all(Derivatives { by_q, by_v, by_third }: &Derivatives) -> [&[f64]; 3] {
    [by_q, by_v, by_third]
}

static METHODS: &[Method] = &[
    Method {
        question: Question::InverseDynamics,
        name: "gibbs-appell",
        summary: "Gibbs-Appell, tensor form, O(n): Mata et al. 2002 §4.1",
        prepare: |robot, _| {
            slice(robot, gibbs_appell_tensor::Workspace::new(robot), |robot, ws, s| {
                gibbs_appell_tensor::inverse_dynamics(robot, ws, s.q, s.v, s.a)
            })
        },
    },
    Method {
        question: Question::InverseDynamics,
        name: "gibbs-appell-vectorial",
        summary: "Gibbs-Appell, vectorial form, O(n): Valera et al. §2",
        prepare: |robot, _| {
            slice(robot, gibbs_appell_vectorial::Workspace::new(robot), |robot, ws, s| {
                gibbs_appell_vectorial::inverse_dynamics(robot, ws, s.q, s.v, s.a)
            })
        },
    },
    Method {
        question: Question::InverseDynamics,
        name: "newton-euler",
        summary: "Newton-Euler, O(n): Luh, Walker & Paul 1980",
        prepare: |robot, _| {
            slice(robot, newton_euler::Workspace::new(robot), |robot, ws, s| {
                newton_euler::inverse_dynamics(robot, ws, s.q, s.v, s.a)
            })
        },
    },
    Method {
        question: Question::InverseDynamics,
        name: "link-origins",
        summary: "first moments and inertias about the links' origins, O(n): Khalil & Kleinfinger 1987",
        prepare: |robot, _| {
            slice(robot, about_origins(robot), |robot, (bodies, ws), s| {
                link_origins::inverse_dynamics(robot, bodies, ws, s.q, s.v, s.a)
            })
        },
    },
    Method {
        question: Question::ForwardDynamics,
        name: "gibbs-appell",
        summary: "Gibbs-Appell inertia matrix and bias, Cholesky: Mata et al. 2002 §3",
        prepare: |robot, _| forward(robot, Equations::GibbsAppell, Solver::Cholesky),
    },
    Method {
        question: Question::ForwardDynamics,
        name: "gibbs-appell-gauss-jordan",
        summary: "the same with Gauss-Jordan elimination: Mata et al. 2002 §5.1",
        prepare: |robot, _| forward(robot, Equations::GibbsAppell, Solver::GaussJordan),
    },
    Method {
        question: Question::ForwardDynamics,
        name: "composite-body",
        summary: "composite bodies, Newton-Euler bias, Cholesky: Walker & Orin 1982",
        prepare: |robot, _| forward(robot, Equations::CompositeBody, Solver::Cholesky),
    },
    Method {
        question: Question::ForwardDynamics,
        name: "orthogonal-complement",
        summary: "natural orthogonal complement, Newton-Euler bias, Cholesky: Angeles & Ma 1988",
        prepare: |robot, _| forward(robot, Equations::OrthogonalComplement, Solver::Cholesky),
    },
    Method {
        question: Question::ForwardDynamics,
        name: "articulated-body",
        summary: "articulated bodies, O(n): Featherstone 1983",
        prepare: |robot, _| {
            let mut workspace = articulated_body::Workspace::new(robot);
            Box::new(move |s, row| {
                row.copy_from_slice(articulated_body::forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?);
                Ok(())
            })
        },
    },
    Method {
        question: Question::ForwardDynamics,
        name: "link-origins",
        summary: "inertia matrix and bias about the links' origins, eliminated from the tip",
        prepare: |robot, _| {
            let (bodies, mut ws) = about_origins(robot);
            Box::new(move |s, row| {
                row.copy_from_slice(link_origins::forward_dynamics(robot, &bodies, &mut ws, s.q, s.v, s.tau)?);
                Ok(())
            })
        },
    },
    Method {
        question: Question::InertiaMatrix,
        name: "gibbs-appell",
        summary: "Hessian of Gibbs' function, O(n²): Mata et al. 2002 §4.2",
        prepare: |robot, _| {
            slice(robot, gibbs_appell_inertia::Workspace::new(robot), |robot, ws, s| {
                gibbs_appell_inertia::inertia_matrix(robot, ws, s.q)
            })
        },
    },
    Method {
        question: Question::InertiaMatrix,
        name: "composite-body",
        summary: "composite bodies about their centres of mass, O(n²): Walker & Orin 1982",
        prepare: |robot, _| {
            slice(robot, composite_body::Workspace::new(robot), |robot, ws, s| {
                composite_body::inertia_matrix(robot, ws, s.q)
            })
        },
    },
    Method {
        question: Question::InertiaMatrix,
        name: "orthogonal-complement",
        summary: "natural orthogonal complement, O(n³): Angeles & Ma 1988",
        prepare: |robot, _| {
            slice(robot, orthogonal_complement::Workspace::new(robot), |robot, ws, s| {
                orthogonal_complement::inertia_matrix(robot, ws, s.q)
            })
        },
    },
    Method {
        question: Question::InertiaMatrix,
        name: "link-origins",
        summary: "composite bodies about the links' origins, O(n²)",
        prepare: |robot, _| {
            slice(robot, about_origins(robot), |robot, (bodies, ws), s| {
                link_origins::inertia_matrix(robot, bodies, ws, s.q)
            })
        },
    },
    Method {
        question: Question::Bias,
        name: "gibbs-appell",
        summary: "Gibbs-Appell, tensor form without accelerations, O(n): Mata et al. 2002 §3",
        prepare: |robot, _| {
            slice(robot, gibbs_appell_tensor::Workspace::new(robot), |robot, ws, s| {
                gibbs_appell_tensor::bias(robot, ws, s.q, s.v)
            })
        },
    },
    Method {
        question: Question::Bias,
        name: "newton-euler",
        summary: "Newton-Euler at zero acceleration, O(n): Luh, Walker & Paul 1980",
        prepare: |robot, _| {
            slice(robot, newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::bias(robot, ws, s.q, s.v))
        },
    },
    Method {
        question: Question::Bias,
        name: "link-origins",
        summary: "first moments and inertias about the links' origins, O(n)",
        prepare: |robot, _| {
            slice(robot, about_origins(robot), |robot, (bodies, ws), s| link_origins::bias(robot, bodies, ws, s.q, s.v))
        },
    },
    Method {
        question: Question::Gravity,
        name: "statics",
        summary: "weights and levers, O(n)",
        prepare: |robot, _| {
            slice(robot, statics::Workspace::new(robot), |robot, ws, s| statics::gravity(robot, ws, s.q))
        },
    },
    Method {
        question: Question::Gravity,
        name: "newton-euler",
        summary: "Newton-Euler at rest, O(n)",
        prepare: |robot, _| {
            slice(robot, newton_euler::Workspace::new(robot), |robot, ws, s| newton_euler::gravity(robot, ws, s.q))
        },
    },
    Method {
        question: Question::Gravity,
        name: "link-origins",
        summary: "first moments about the links' origins, O(n)",
        prepare: |robot, _| {
            slice(robot, about_origins(robot), |robot, (bodies, ws), s| link_origins::gravity(robot, bodies, ws, s.q))
        },
    },
    Method {
        question: Question::CoriolisVector,
        name: "gibbs-appell",
        summary: "Gibbs-Appell bias without gravity, O(n)",
        prepare: |robot, _| {
            slice(robot, gibbs_appell_tensor::Workspace::new(robot), |robot, ws, s| {
                gibbs_appell_tensor::coriolis_vector(robot, ws, s.q, s.v)
            })
        },
    },
    Method {
        question: Question::CoriolisVector,
        name: "newton-euler",
        summary: "Newton-Euler bias without gravity, O(n)",
        prepare: |robot, _| {
            slice(robot, newton_euler::Workspace::new(robot), |robot, ws, s| {
                newton_euler::coriolis_vector(robot, ws, s.q, s.v)
            })
        },
    },
    Method {
        question: Question::CoriolisVector,
        name: "link-origins",
        summary: "first moments and inertias about the links' origins, O(n)",
        prepare: |robot, _| {
            slice(robot, about_origins(robot), |robot, (bodies, ws), s| {
                link_origins::coriolis_vector(robot, bodies, ws, s.q, s.v)
            })
        },
    },
    Method {
        question: Question::CoriolisMatrix,
        name: "base-axes",
        summary: "rates of the body Jacobians by columns, O(n²): Echeandia & Wensing 2021",
        prepare: |robot, _| {
            slice(robot, coriolis::Workspace::new(robot), |robot, ws, s| coriolis::coriolis_matrix(robot, ws, s.q, s.v))
        },
    },
    Method {
        question: Question::CoriolisMatrix,
        name: "christoffel",
        summary: "Christoffel's symbols of the inertia matrix on dual numbers, O(n⁴)",
        prepare: |robot, _| {
            slice(robot, christoffel::Workspace::new(robot), |robot, ws, s| {
                christoffel::coriolis_matrix(robot, ws, s.q, s.v)
            })
        },
    },
    Method {
        question: Question::TwoVelocityInverseDynamics,
        name: "base-axes",
        summary: "one sweep with two velocities, O(n): Niemeyer & Slotine 1991",
        prepare: |robot, _| {
            slice(robot, coriolis::Workspace::new(robot), |robot, ws, s| {
                coriolis::two_velocity_inverse_dynamics(robot, ws, s.q, s.v, s.w, s.a)
            })
        },
    },
    Method {
        question: Question::TwoVelocityInverseDynamics,
        name: "matrices",
        summary: "inertia and Christoffel's Coriolis matrix times their vectors, and statics, O(n⁴)",
        prepare: |robot, _| {
            let (inertia, gravity) = (gibbs_appell_inertia::Workspace::new(robot), statics::Workspace::new(robot));
            let workspaces = (inertia, christoffel::Workspace::new(robot), gravity);
            fill(robot, workspaces, |robot, (inertia, coriolis, gravity), s, row| {
                let n = robot.dof();
                let m = gibbs_appell_inertia::inertia_matrix(robot, inertia, s.q);
                let c = christoffel::coriolis_matrix(robot, coriolis, s.q, s.v);
                let g = statics::gravity(robot, gravity, s.q);
                for (i, cell) in row.iter_mut().enumerate() {
                    *cell = (0..n).fold(g[i], |sum, k| sum + m[i * n + k] * s.a[k] + c[i * n + k] * s.w[k]);
                }
            })
        },
    },
    Method {
        question: Question::Reactions,
        name: "base-axes",
        summary: "wrenches of the bodies summed in base axes, O(n)",
        prepare: |robot, _| {
            fill(robot, reactions::Workspace::new(robot), |robot, ws, s, row| {
                let wrenches = reactions::reactions(robot, ws, s.q, s.v, s.a).iter();
                lay_out(wrenches.map(|wrench| wrench.to_array()), row);
            })
        },
    },
    Method {
        question: Question::Reactions,
        name: "newton-euler",
        summary: "Newton-Euler in link frames, O(n): Luh, Walker & Paul 1980",
        prepare: |robot, _| {
            fill(robot, newton_euler::Workspace::new(robot), |robot, ws, s, row| {
                let wrenches = newton_euler::reactions(robot, ws, s.q, s.v, s.a);
                lay_out(wrenches.map(Wrench::to_array), row);
            })
        },
    },
    Method {
        question: Question::Regressor,
        name: "base-axes",
        summary: "wrenches of the bodies, parameter by parameter, in base axes, O(n²)",
        prepare: |robot, _| {
            slice(robot, regressor::Workspace::new(robot), |robot, ws, s| {
                regressor::regressor(robot, ws, s.q, s.v, s.a)
            })
        },
    },
    Method {
        question: Question::Regressor,
        name: "unit-parameters",
        summary: "forces of a unit of each parameter, by Newton-Euler, O(n²)",
        prepare: |robot, _| {
            slice(robot, unit_parameters::Workspace::new(robot), |_, ws, s| {
                unit_parameters::regressor(ws, s.q, s.v, s.a)
            })
        },
    },
    Method {
        question: Question::InverseDynamicsDerivatives,
        name: "analytic",
        summary: "the equations differentiated, composite bodies in base axes, O(n²): Singh, Russell & Wensing 2022",
        prepare: |robot, _| {
            fill(robot, analytic::Workspace::new(robot), |robot, ws, s, row| {
                concatenate(by_all(analytic::of_inverse_dynamics(robot, ws, s.q, s.v, s.a)), row);
            })
        },
    },
    Method {
        question: Question::InverseDynamicsDerivatives,
        name: "newton-euler",
        summary: "Newton-Euler on dual numbers, O(n²)",
        prepare: |robot, _| {
            fill(robot, direct::Workspace::new(robot), |robot, ws, s, row| {
                concatenate(by_all(direct::of_inverse_dynamics(robot, ws, s.q, s.v, s.a)), row);
            })
        },
    },
    Method {
        question: Question::ForwardDynamicsDerivatives,
        name: "analytic",
        summary: "through those of inverse dynamics and the inertia matrix, O(n³)",
        prepare: |robot, _| {
            let mut workspace = analytic::ForwardWorkspace::new(robot);
            Box::new(move |s, row| {
                concatenate(by_all(analytic::of_forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?), row);
                Ok(())
            })
        },
    },
    Method {
        question: Question::ForwardDynamicsDerivatives,
        name: "articulated-body",
        summary: "articulated bodies on dual numbers, O(n²)",
        prepare: |robot, _| {
            let mut workspace = direct::Workspace::new(robot);
            Box::new(move |s, row| {
                concatenate(by_all(direct::of_forward_dynamics(robot, &mut workspace, s.q, s.v, s.tau)?), row);
                Ok(())
            })
        },
    },
    Method {
        question: Question::Energy,
        name: "base-axes",
        summary: "sum over the bodies in base axes, O(n)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                let energy = energy::energy(robot, ws, s.q, s.v);
                row.copy_from_slice(&[energy.kinetic, energy.potential]);
            })
        },
    },
    Method {
        question: Question::Momentum,
        name: "base-axes",
        summary: "sum over the bodies in base axes, O(n)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                let momentum = momentum::momentum(robot, ws, s.q, s.v);
                lay_out([momentum.linear, momentum.angular].into_iter().map(Vec3::to_array), row);
            })
        },
    },
    Method {
        question: Question::CentreOfMass,
        name: "base-axes",
        summary: "sum over the bodies in base axes, O(n)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                row.copy_from_slice(&momentum::centre_of_mass(robot, ws, s.q).to_array());
            })
        },
    },
    Method {
        question: Question::CentreOfMassJacobian,
        name: "base-axes",
        summary: "joint axes and levers in base axes, O(n²)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                momentum::centre_of_mass_jacobian(robot, ws, s.q, row);
            })
        },
    },
    Method {
        question: Question::GibbsFunction,
        name: "base-axes",
        summary: "sum over the bodies in base axes, O(n): Mata et al. 2002 eq. 3",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                row[0] = gibbs_function::gibbs_function(robot, ws, s.q, s.v, s.a);
            })
        },
    },
    Method {
        question: Question::Frames,
        name: "base-axes",
        summary: "product of the joint transforms, O(n)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                let poses = kinematics::positions(robot, ws, s.q).iter();
                lay_out(poses.map(|pose| pose.to_array()), row);
            })
        },
    },
    Method {
        question: Question::Velocities,
        name: "base-axes",
        summary: "outward sweep in base axes, O(n)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                lay_out(kinematics::velocities(robot, ws, s.q, s.v).iter().map(|twist| twist.to_array()), row);
            })
        },
    },
    Method {
        question: Question::Accelerations,
        name: "base-axes",
        summary: "outward sweep in base axes, O(n)",
        prepare: |robot, _| {
            fill(robot, kinematics::Workspace::new(robot), |robot, ws, s, row| {
                let accelerations = kinematics::accelerations(robot, ws, s.q, s.v, s.a).iter();
                lay_out(accelerations.map(|acceleration| acceleration.to_array()), row);
            })
        },
    },
    Method {
        question: Question::Jacobian,
        name: "base-axes",
        summary: "joint axes and levers in base axes, O(n)",
        prepare: |robot, target| {
            let frame = target.frame_of(robot);
            slice(robot, kinematics::Workspace::new(robot), move |robot, ws, s| {
                kinematics::jacobian(robot, ws, s.q, frame, target.axes)
            })
        },
    },
    Method {
        question: Question::JacobianRate,
        name: "base-axes",
        summary: "acceleration of the frame at zero joint acceleration, O(n)",
        prepare: |robot, target| {
            let frame = target.frame_of(robot);
            fill(robot, kinematics::Workspace::new(robot), move |robot, ws, s, row| {
                let rate = kinematics::jacobian_rate_times_v(robot, ws, s.q, s.v, frame, target.axes);
                row.copy_from_slice(&rate.to_array());
            })
        },
    },
    Method {
        question: Question::Singularity,
        name: "singular-values",
        summary: "one-sided Jacobi rotations of the Jacobian; the frame's reach is the characteristic length",
        prepare: |robot, target| {
            let frame = target.frame_of(robot);
            let metric = Metric::of(robot, frame);
            fill(robot, singularity::Workspace::new(robot), move |robot, ws, s, row| {
                let found = singularity::measures(robot, ws, s.q, frame, &metric);
                row.copy_from_slice(&[found.manipulability, found.inverse_condition, found.rank as f64]);
            })
        },
    },
];
