//! Single against double precision on the two-link arm of Ascher, Pai and Cloutier  [Mata2002, §5.1; Ascher1997].
//!
//! The second bar is a hundred times as long as the first, so the inertia matrix is badly conditioned. The arm is
//! held straight at joint 1 and turned through a circle at joint 2 in steps of two degrees, at rest and without joint
//! forces; the question is what `f32` makes of its accelerations. The angles are formed in the precision that is
//! tried, as a program of that precision would.

use appell::dynamics::joint_space::{self, Equations, Solver};
use appell::dynamics::{InertiaError, articulated_body, gibbs_appell_inertia, gibbs_appell_tensor};
use appell::linear::GaussJordan;
use appell::mechanism::Mechanism;
use appell::real::Measured;
use appell_simulation::simulation::plant::ForwardMethod as Method;
use nalgebra::Matrix2;

/// Steps of a full circle.
pub const ANGLES: usize = 180;

/// Degrees between one angle and the next.
pub const STEP: usize = 360 / ANGLES;

/// The methods that are compared, in the order of the paper's table: its acronyms, and the printed maximum and average of
/// joint 1, rad/s²  [Mata2002, table 5]. Those with an inertia matrix solve by Gauss-Jordan elimination.
const METHODS: [(Method, &str, [f64; 2]); 3] = [
    (Method::ArticulatedBody, "ABA", [0.497_600, 0.013_240]),
    (Method::CompositeBody, "CRBA", [1.292_200, 0.275_063]),
    (Method::GibbsAppell, "GA", [0.534_002, 0.008_761_1]),
];

/// Accelerations of both joints at all angles.
fn accelerations<T: Measured>(method: Method, robot: &Mechanism, angles: &[T]) -> Result<Vec<[f64; 2]>, InertiaError> {
    let zero = angles[0].zero();
    let mut articulated = articulated_body::Workspace::with_scalar(robot, zero);
    let equations = match method {
        Method::CompositeBody => Equations::CompositeBody,
        Method::ArticulatedBody | Method::GibbsAppell => Equations::GibbsAppell,
    };
    let mut joint_space = joint_space::Workspace::with_scalar(robot, equations, Solver::GaussJordan, zero);
    let rest = [zero; 2];
    let at = |&angle: &T| {
        let q = [zero, angle];
        let a = match method {
            Method::ArticulatedBody => articulated_body::forward_dynamics(robot, &mut articulated, &q, &rest, &rest)?,
            Method::CompositeBody | Method::GibbsAppell => {
                joint_space::forward_dynamics(robot, &mut joint_space, &q, &rest, &rest)?
            }
        };
        Ok([a[0].least(), a[1].least()])
    };
    angles.iter().map(at).collect()
}

/// What one method makes of the circle.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The method.
    pub method: Method,
    /// The paper's acronym of it.
    pub acronym: &'static str,
    /// The printed maximum and average of joint 1, rad/s².
    pub printed: [f64; 2],
    /// q̈ of both joints in `f64`, rad/s².
    pub double: Vec<[f64; 2]>,
    /// q̈ of both joints in `f32`, rad/s².
    pub single: Vec<[f64; 2]>,
}

/// How far single precision is from double, in rad/s².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// max |Δ|
    pub max: f64,
    /// mean of |Δ|
    pub mean: f64,
    /// mean of Δ with its sign
    pub signed_mean: f64,
}

impl Errors {
    fn of(differences: &[f64]) -> Self {
        let (sizes, count) = (differences.iter().map(|d| d.abs()), differences.len() as f64);
        Self {
            max: sizes.clone().fold(0.0, f64::max),
            mean: sizes.sum::<f64>() / count,
            signed_mean: differences.iter().sum::<f64>() / count,
        }
    }
}

impl Curves {
    /// Double minus single precision of a joint, 0 or 1.
    #[must_use]
    pub fn errors(&self, joint: usize) -> Errors {
        let pairs = self.double.iter().zip(&self.single);
        Errors::of(&pairs.map(|(double, single)| double[joint] - single[joint]).collect::<Vec<_>>())
    }
}

/// The whole experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// One a method, in the order of the paper's table.
    pub curves: [Curves; 3],
    /// Condition number of the inertia matrix at each angle.
    pub condition: Vec<f64>,
    /// Errors of joint 1 if the exact matrix and bias are rounded once to `f32` and the equations solved in `f64`: what
    /// a method that keeps the matrix in `f32` cannot be expected to beat.
    pub floor: Errors,
}

/// A statement about the experiment that holds on every machine, and whether it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// What is said.
    pub statement: &'static str,
    /// Whether it is so.
    pub holds: bool,
}

impl Study {
    /// Runs the experiment on a planar arm of two joints.
    ///
    /// # Errors
    /// If the inertia matrix is singular.
    ///
    /// # Panics
    /// If the robot has not two joints.
    pub fn of(robot: &Mechanism) -> Result<Self, InertiaError> {
        let double: Vec<f64> = (0..ANGLES).map(|k| (STEP * k) as f64 * core::f64::consts::PI / 180.0).collect();
        let single: Vec<f32> = (0..ANGLES).map(|k| (STEP * k) as f32 * core::f32::consts::PI / 180.0).collect();
        let curves = |(method, acronym, printed)| {
            let (double, single) = (accelerations(method, robot, &double)?, accelerations(method, robot, &single)?);
            Ok(Curves { method, acronym, printed, double, single })
        };
        let [aba, crba, ga] = METHODS.map(curves);
        let curves = [aba?, crba?, ga?];

        let mut inertia = gibbs_appell_inertia::Workspace::new(robot);
        let condition_at = |&angle: &f64| {
            let matrix = gibbs_appell_inertia::inertia_matrix(robot, &mut inertia, &[0.0, angle]);
            let eigenvalues = Matrix2::from_row_slice(matrix).symmetric_eigenvalues();
            eigenvalues.max() / eigenvalues.min()
        };
        let condition = double.iter().map(condition_at).collect();
        let floor = floor(robot, &single, &curves[0].double);
        Ok(Self { curves, condition, floor })
    }

    /// What can be said for sure, whatever the order of the operations.
    #[must_use]
    pub fn claims(&self) -> [Claim; 4] {
        let [aba, crba, ga] = self.curves.each_ref().map(|curves| curves.errors(0));
        let [first, others @ ..] = &self.curves;
        let same = |x: &[f64; 2], y: &[f64; 2]| (0..2).all(|i| (x[i] - y[i]).abs() <= 1e-9 * x[i].abs().max(1.0));
        let agree = others.iter().all(|other| first.double.iter().zip(&other.double).all(|(x, y)| same(x, y)));
        [
            Claim { statement: "in double precision the three methods agree to 1e-9", holds: agree },
            Claim { statement: "ABA errs by less than 0.6 rad/s²", holds: aba.max < 0.6 },
            Claim {
                statement: "CRBA errs by 0.5 to 3 rad/s² at most and 0.1 to 0.5 rad/s² on average",
                holds: (0.5..3.0).contains(&crba.max) && (0.1..0.5).contains(&crba.mean),
            },
            Claim { statement: "GA errs less than CRBA on average", holds: ga.mean < crba.mean },
        ]
    }
}

/// The errors of joint 1 if only the angle, the matrix and the bias are rounded.
fn floor(robot: &Mechanism, angles: &[f32], exact: &[[f64; 2]]) -> Errors {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    let round = |&x: &f64| f64::from(x as f32);
    let mut inertia = gibbs_appell_inertia::Workspace::new(robot);
    let mut bias = gibbs_appell_tensor::Workspace::new(robot);
    let mut elimination = GaussJordan::new(2, 0.0);
    let mut difference = |(&angle, exact): (&f32, &[f64; 2])| {
        let q = [0.0, f64::from(angle)];
        let matrix: Vec<f64> =
            gibbs_appell_inertia::inertia_matrix(robot, &mut inertia, &q).iter().map(round).collect();
        let bias = gibbs_appell_tensor::bias(robot, &mut bias, &q, &[0.0; 2]);
        let mut a = [-round(&bias[0]), -round(&bias[1])];
        elimination.solve(&matrix, &mut a);
        exact[0] - a[0]
    };
    let differences: Vec<f64> = angles.iter().zip(exact).map(&mut difference).collect();
    Errors::of(&differences)
}
