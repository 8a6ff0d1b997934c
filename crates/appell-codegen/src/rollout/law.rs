//! What drives robots in a rollout, as expressions that are generated with them.
//!
//! ```text
//! computed torque     τ = ID(q, q̇, q̈_d + K_d (q̇_d − q̇) + K_p (q_d − q))
//! gravity and PD      τ = g(q) + K_d (q̇_d − q̇) + K_p (q_d − q)
//! open                τ of the step, as given
//! ```
//!
//! ID and g are those of the robot as its file describes it: what every robot has of its own they do not know.

use super::plant;
use super::platform::{Legs, Platform};
use super::reference::Reference;
use crate::expr::Expr;
use appell::Robot;
use appell::mechanism::Mechanism;
use core::fmt;

/// Whose numbers are: one set for all robots, or every robot's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The same for all.
    Shared,
    /// Of every robot.
    Own,
}

/// What a law, or a cost, knows of a robot at an instant.
pub struct Moment<'m, 'g> {
    /// Time, s.
    pub t: Expr<'g>,
    /// Positions of the drives, of a tree of all joints, rad or m.
    pub q: &'m [Expr<'g>],
    /// Velocities of the drives, rad/s or m/s.
    pub v: &'m [Expr<'g>],
    /// The pose of a parallel robot's platform: x, y, z, and its quaternion x, y, z, w of length 1. Empty of a tree.
    pub pose: &'m [Expr<'g>],
    /// Independent velocities of a parallel robot, m/s or rad/s. Empty of a tree.
    pub r: &'m [Expr<'g>],
    /// To a law the torques that are [given](Law::with_torques) for the step; to a cost those that the law answered. N m or N.
    pub tau: &'m [Expr<'g>],
    /// The numbers of the law, or of the cost, that all robots share.
    pub shared: &'m [Expr<'g>],
    /// Those that every robot has of its own.
    pub own: &'m [Expr<'g>],
    pub(super) model: Model<'m, 'g>,
}

/// The robot as its file describes it.
#[derive(Clone, Copy)]
pub(super) enum Model<'m, 'g> {
    Tree(&'m Mechanism),
    Platform(&'m Platform<'m>, &'m Legs<'g>),
}

impl<'g> Moment<'_, 'g> {
    /// τ that gives the drives the accelerations `a` at this state, by the robot as its file describes it.
    ///
    /// # Panics
    /// If there is not one acceleration a drive.
    #[must_use]
    pub fn efforts(&self, a: &[Expr<'g>]) -> Vec<Expr<'g>> {
        assert_eq!(a.len(), self.q.len(), "one acceleration a drive");
        match self.model {
            Model::Tree(tree) => plant::efforts(tree, self.q, self.v, a),
            Model::Platform(platform, legs) => platform.efforts(legs, a).expect(REGULAR),
        }
    }

    /// τ that holds the robot where it is, by the robot as its file describes it.
    #[must_use]
    pub fn gravity(&self) -> Vec<Expr<'g>> {
        match self.model {
            Model::Tree(tree) => plant::gravity(tree, self.q),
            Model::Platform(platform, legs) => platform.gravity(legs).expect(REGULAR),
        }
    }
}

/// Why a model has no singularity where a law is recorded.
const REGULAR: &str = "forward dynamics was recorded there before";

/// How many torques and forces drive a robot.
pub(super) fn drives(robot: &Robot) -> usize {
    robot.closed().map_or(robot.tree().dof(), |closed| closed.driven().len())
}

/// Torques at a moment.
type Torques<'l> = Box<dyn for<'m, 'g> Fn(&Moment<'m, 'g>) -> Vec<Expr<'g>> + 'l>;

/// A number at a moment.
type Number<'l> = Box<dyn for<'m, 'g> Fn(&Moment<'m, 'g>) -> Expr<'g> + 'l>;

/// What drives the robots.
pub struct Law<'l> {
    pub(super) shared: Vec<String>,
    pub(super) own: Vec<String>,
    pub(super) open: Option<Whose>,
    pub(super) torques: Torques<'l>,
}

impl fmt::Debug for Law<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Law").field("shared", &self.shared).field("own", &self.own).finish_non_exhaustive()
    }
}

impl<'l> Law<'l> {
    /// Computed torque along a reference. Shared are K_p and K_d of every joint, then the reference's numbers if they are.
    #[must_use]
    pub fn computed_torque(robot: &Robot, reference: Reference, whose: Whose) -> Self {
        Self::feedback(robot, reference, whose, |moment, [error, error_rate, a]| {
            let (kp, kd) = moment.shared.split_at(error.len());
            let demand = |j: usize| a[j] + kd[j] * error_rate[j] + kp[j] * error[j];
            moment.efforts(&(0..error.len()).map(demand).collect::<Vec<_>>())
        })
    }

    /// Gravity and a PD law along a reference. Shared are K_p and K_d of every joint, then the reference's numbers if they are.
    #[must_use]
    pub fn gravity_and_pd(robot: &Robot, reference: Reference, whose: Whose) -> Self {
        Self::feedback(robot, reference, whose, |moment, [error, error_rate, _]| {
            let (kp, kd) = moment.shared.split_at(error.len());
            let held = moment.gravity();
            (0..held.len()).map(|j| held[j] + kd[j] * error_rate[j] + kp[j] * error[j]).collect()
        })
    }

    /// A law of errors along a reference: q_d − q, q̇_d − q̇, and q̈_d.
    fn feedback(
        robot: &Robot,
        reference: Reference,
        whose: Whose,
        torques: impl for<'m, 'g> Fn(&Moment<'m, 'g>, [Vec<Expr<'g>>; 3]) -> Vec<Expr<'g>> + 'l,
    ) -> Self {
        let joints = drives(robot);
        let gains = ["kp", "kd"].into_iter().flat_map(|gain| (1..=joints).map(move |j| format!("{gain}{j}")));
        let (mut shared, mut own): (Vec<String>, _) = (gains.collect(), Vec::new());
        match whose {
            Whose::Shared => shared.extend(reference.numbers(joints)),
            Whose::Own => own.extend(reference.numbers(joints)),
        }
        Self::of(shared, own, move |moment| torques(moment, errors(moment, reference, whose, 2 * joints)))
    }

    /// Torques that are given for every step, and held over it.
    #[must_use]
    pub fn open(whose: Whose) -> Self {
        Self::of(Vec::new(), Vec::new(), |moment| moment.tau.to_vec()).with_torques(whose)
    }

    /// Any law that can be written as an expression, with the names of the numbers that it takes: those that all robots
    /// share, and those that every robot has of its own.
    ///
    /// ```
    /// use appell::Robot;
    /// use appell_codegen::rollout::{self, Law, Options};
    ///
    /// let robot = Robot::builtin("two-link")?;
    /// // Damping, by a number that all share.
    /// let law = Law::of(vec!["damping".into()], vec![], |moment| {
    ///     moment.v.iter().map(|&v| -(moment.shared[0] * v)).collect()
    /// });
    /// let rollout = rollout::generate(&robot, &Options::new(law))?;
    /// assert_eq!(rollout.shared, ["damping"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(
        shared: Vec<String>,
        own: Vec<String>,
        torques: impl for<'m, 'g> Fn(&Moment<'m, 'g>) -> Vec<Expr<'g>> + 'l,
    ) -> Self {
        Self { shared, own, open: None, torques: Box::new(torques) }
    }

    /// The same law, to which torques of every step are given, too, as [`Moment::tau`]: to add to, or to limit.
    #[must_use]
    pub fn with_torques(self, whose: Whose) -> Self {
        Self { open: Some(whose), ..self }
    }
}

/// q_d − q, q̇_d − q̇ and q̈_d of a reference; of the shared numbers some come before its own.
fn errors<'g>(moment: &Moment<'_, 'g>, reference: Reference, whose: Whose, before: usize) -> [Vec<Expr<'g>>; 3] {
    let numbers = if whose == Whose::Shared { &moment.shared[before..] } else { moment.own };
    let [q, v, a] = reference.at(moment.t, numbers, moment.q.len());
    let less = |x: Vec<Expr<'g>>, y: &[Expr<'g>]| x.into_iter().zip(y).map(|(x, &y)| x - y).collect();
    [less(q, moment.q), less(v, moment.v), a]
}

/// Σ weight x².
fn squares<'g>(weights: &[Expr<'g>], x: &[Expr<'g>]) -> Expr<'g> {
    let squares = weights.iter().zip(x).map(|(&weight, &x)| weight * (x * x));
    squares.reduce(|sum, square| sum + square).expect("a robot has joints")
}

/// What a rollout costs: J = φ(q, q̇ at the end) + ∫ l(q, q̇, τ, t) dt, the integral by the same scheme as the motion.
pub struct Cost<'l> {
    pub(super) shared: Vec<String>,
    pub(super) own: Vec<String>,
    pub(super) running: Number<'l>,
    pub(super) terminal: Number<'l>,
}

impl fmt::Debug for Cost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cost").field("shared", &self.shared).field("own", &self.own).finish_non_exhaustive()
    }
}

impl<'l> Cost<'l> {
    /// Any cost that can be written as expressions: l, and φ, to which no torques are given.
    #[must_use]
    pub fn of(
        shared: Vec<String>,
        own: Vec<String>,
        running: impl for<'m, 'g> Fn(&Moment<'m, 'g>) -> Expr<'g> + 'l,
        terminal: impl for<'m, 'g> Fn(&Moment<'m, 'g>) -> Expr<'g> + 'l,
    ) -> Self {
        Self { shared, own, running: Box::new(running), terminal: Box::new(terminal) }
    }

    /// Squares of errors along a reference, and of torques: l = Σ w_q (q − q_d)² + w_v (q̇ − q̇_d)² + w_τ τ², φ likewise
    /// without torques. Shared are w_q, w_v, w_τ of every joint, then w_q, w_v of the end, then the reference's numbers if
    /// they are.
    #[must_use]
    pub fn quadratic(robot: &Robot, reference: Reference, whose: Whose) -> Self {
        let joints = drives(robot);
        let weights = ["wq", "wv", "wtau", "wq_end", "wv_end"];
        let weights = weights.into_iter().flat_map(|weight| (1..=joints).map(move |j| format!("{weight}{j}")));
        let (mut shared, mut own): (Vec<String>, _) = (weights.collect(), Vec::new());
        match whose {
            Whose::Shared => shared.extend(reference.numbers(joints)),
            Whose::Own => own.extend(reference.numbers(joints)),
        }
        fn of_errors<'g>(
            moment: &Moment<'_, 'g>,
            [error, error_rate, _]: &[Vec<Expr<'g>>; 3],
            first: usize,
        ) -> Expr<'g> {
            let (of_positions, of_velocities) = moment.shared[first..].split_at(error.len());
            squares(of_positions, error) + squares(of_velocities, error_rate)
        }
        Self::of(
            shared,
            own,
            move |moment| {
                let errors = errors(moment, reference, whose, 5 * joints);
                of_errors(moment, &errors, 0) + squares(&moment.shared[2 * joints..], moment.tau)
            },
            move |moment| of_errors(moment, &errors(moment, reference, whose, 5 * joints), 3 * joints),
        )
    }
}
