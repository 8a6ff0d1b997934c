//! A five-bar linkage crosses a singularity of Type 2 twice, on paths that differ in the acceleration at the crossing
//! alone: once as Briot2008's criterion demands, and once 6 m/s² short of it. The first needs finite torques; those of
//! the second grow like one over the time that is left.

use super::{Check, Comparison, StudyError, assembled, robot};
use appell::closed::crossing::{self, Criterion, Passage, Shape};
use appell::closed::drives::Sharing;
use appell::closed::{ClosedMechanism, Configuration, assembly, legs_platform};
use appell::spatial::{Mat3, Pose, Vec3};
use nalgebra::{SMatrix, SVector};

/// The time from either end to the crossing, s.
pub const HALF: f64 = 0.25;

/// Velocity at the crossing, m/s.
const VELOCITY: [f64; 2] = [0.2, -1.0];

/// From the crossing to the start and to the end, m.
const ENDS: [[f64; 2]; 2] = [[-0.03, 0.1], [0.03, -0.11]];

/// How far the second path falls short of the acceleration that the criterion demands, m/s².
const ASTRAY: f64 = 6.0;

/// One crossing.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// At the crossing, m/s².
    pub acceleration: [f64; 2],
    /// t_s · w there, W: what the criterion wants to be 0.
    pub defect: f64,
    /// Time since the crossing, s, and torques of both motors, N m.
    pub torques: Vec<(f64, [f64; 2])>,
}

/// Both crossings.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Where, m.
    pub place: [f64; 2],
    /// t_s.
    pub twist: Vec<f64>,
    /// As the criterion demands.
    pub with: Run,
    /// Otherwise.
    pub without: Run,
    /// The torques of the first at the crossing, N m, from both sides.
    pub limit: [f64; 2],
    /// Torques × time left of the second, N m s.
    pub growth: [f64; 2],
    /// What must hold.
    pub checks: Vec<Check>,
}

/// Finds the singularity and crosses it.
///
/// # Errors
/// None for this robot.
pub fn study() -> Result<Study, StudyError> {
    let robot = robot("five-bar");
    let mut ws = crossing::Workspace::new(&robot);
    let mut search = assembly::Workspace::new(&robot);
    let mut at = |x: f64, y: f64| assembled(&robot, &mut search, robot.home(), place(x, y));
    let (from, to) = (at(0.02, 0.28)?, at(0.02, 0.1)?);
    let through = crossing::nearest(&robot, &mut ws, &from, &to, 16)?.at;
    let centre = [through.pose.position.x, through.pose.position.y];

    let Criterion { twist, defect, .. } = crossing::criterion(&robot, &mut ws, &through, &VELOCITY, &[0.0; 2])?;
    let right = shortest(&robot, &through, &twist, defect)?;
    let astray = right.map(|a| a * (1.0 - ASTRAY / right[0].hypot(right[1])));
    let [with, without] = [right, astray].map(|acceleration| {
        let defect = crossing::criterion(&robot, &mut ws, &through, &VELOCITY, &acceleration)?.defect;
        let path = Octics::new(centre, acceleration);
        let torques = times().into_iter().map(|s| Ok((s, torques(&robot, &path, s)?)));
        Ok::<Run, StudyError>(Run { acceleration, defect, torques: torques.collect::<Result<_, StudyError>>()? })
    });
    let (with, without) = (with?, without?);

    let ours = passage(&robot, &mut ws, &through, right)?;
    let (right, wrong) = (Octics::new(centre, right), Octics::new(centre, astray));
    let [before, after] = [-1e-5, 1e-5].map(|s| torques(&robot, &right, s));
    let (before, after) = (before?, after?);
    let limit = [0, 1].map(|k| 0.5 * (before[k] + after[k]));
    let growth = torques(&robot, &wrong, 1e-5)?.map(|tau| 1e-5 * tau);
    let mut law = Comparison::default();
    for s in [1e-3, 1e-4, -1e-4, -1e-3] {
        law.see(&torques(&robot, &wrong, s)?.map(|tau| s * tau), &growth);
    }
    let mut jump = Comparison::default();
    jump.see(&before, &after);
    let mut path = Comparison::default();
    for s in times() {
        let [p, v, a] = right.at(s);
        let [p, centre] = [p, centre].map(|[x, y]| Vec3::new(x, y, 0.0));
        path.see(&(ours.pose(s + HALF).position - centre).to_array(), &(p - centre).to_array());
        path.see(&ours.velocity(s + HALF), &v);
        path.see(&ours.acceleration(s + HALF), &a);
    }
    Ok(Study {
        checks: vec![
            path.check("the path of `closed::crossing::passage`, and the same polynomial solved here", 1e-10),
            Check {
                what: "t_s · w at the crossing, with the criterion, over that without it",
                difference: (with.defect / without.defect).abs(),
                limit: 1e-9,
            },
            jump.check("with: torques 10⁻⁵ s before and after the crossing", 1e-3),
            law.check("without: torques × time left, from 10⁻³ s to 10⁻⁵ s, are constant", 2e-2),
        ],
        place: centre,
        twist,
        with,
        without,
        limit,
        growth,
    })
}

/// Times since the crossing, dense near it, which is left out.
fn times() -> Vec<f64> {
    let near = (0..48).map(|k| 1e-5 * 10.0_f64.powf(f64::from(k) / 12.0)); // up to 0.083 s
    let far = (0..=40).map(|k| 0.09 + (HALF - 0.09) * f64::from(k) / 40.0);
    let after: Vec<f64> = near.chain(far).collect();
    after.iter().rev().map(|s| -s).chain(after.iter().copied()).collect()
}

fn place(x: f64, y: f64) -> Pose {
    Pose { position: Vec3::new(x, y, 0.0), rotation: Mat3::identity(0.0) }
}

fn pair(x: &[f64]) -> [f64; 2] {
    [x[0], x[1]]
}

/// The shortest acceleration a with t_s · (M_rob a + c_rob) = 0, where t_s · c_rob is known.
fn shortest(robot: &ClosedMechanism, at: &Configuration, twist: &[f64], of_bias: f64) -> Result<[f64; 2], StudyError> {
    let mut ws = legs_platform::Workspace::new(robot);
    let m = legs_platform::inertia_matrix(robot, &mut ws, at)?;
    let weight = [0, 1].map(|k| twist[0] * m[k] + twist[1] * m[2 + k]);
    let size = weight[0] * weight[0] + weight[1] * weight[1];
    Ok(weight.map(|weight| -of_bias * weight / size))
}

/// Torques of both motors on a path, s seconds after the crossing.
fn torques(robot: &ClosedMechanism, path: &Octics, s: f64) -> Result<[f64; 2], StudyError> {
    let [p, v, a] = path.at(s);
    let mut search = assembly::Workspace::new(robot);
    let at = assembled(robot, &mut search, robot.home(), place(p[0], p[1]))?;
    let mut ws = legs_platform::Workspace::new(robot);
    Ok(pair(legs_platform::inverse_dynamics(robot, &mut ws, &at, &v, &a, &[], &Sharing::default())?))
}

/// The path of the library.
fn passage(
    robot: &ClosedMechanism,
    ws: &mut crossing::Workspace,
    through: &Configuration,
    acceleration: [f64; 2],
) -> Result<crossing::Path, StudyError> {
    let end = |[x, y]: [f64; 2]| place(through.pose.position.x + x, through.pose.position.y + y);
    let wish = Passage {
        from: end(ENDS[0]),
        to: end(ENDS[1]),
        through: through.clone(),
        velocity: VELOCITY.to_vec(),
        acceleration: acceleration.to_vec(),
        crossing: HALF,
        duration: 2.0 * HALF,
        shape: Shape::Octic,
    };
    Ok(crossing::passage(robot, ws, &wish)?)
}

/// Two polynomials of degree 8 in σ = s / [`HALF`]: from rest through the crossing to rest.
struct Octics([SVector<f64, 9>; 2]);

impl Octics {
    fn new(centre: [f64; 2], acceleration: [f64; 2]) -> Self {
        // Rows: position, velocity and acceleration at σ = −1, 0 and 1.
        let conditions = SMatrix::<f64, 9, 9>::from_fn(|i, k| derivative(i % 3, k, [-1.0, 0.0, 1.0][i / 3]));
        let solve = |axis: usize| {
            let middle = [centre[axis], VELOCITY[axis] * HALF, acceleration[axis] * HALF * HALF];
            let [start, end] = ENDS.map(|end| [centre[axis] + end[axis], 0.0, 0.0]);
            let wanted = SVector::<f64, 9>::from_iterator([start, middle, end].into_iter().flatten());
            conditions.lu().solve(&wanted).expect("the conditions are independent")
        };
        Self([solve(0), solve(1)])
    }

    /// Position, velocity and acceleration.
    fn at(&self, s: f64) -> [[f64; 2]; 3] {
        let value = |order: usize| {
            let rate = HALF.powi(order as i32).recip();
            self.0.map(|c| rate * (0..9).map(|k| c[k] * derivative(order, k, s / HALF)).sum::<f64>())
        };
        [value(0), value(1), value(2)]
    }
}

/// The derivative of σᵏ.
fn derivative(order: usize, k: usize, sigma: f64) -> f64 {
    let factor: usize = (0..order).map(|i| k.saturating_sub(i)).product();
    if factor == 0 { 0.0 } else { factor as f64 * sigma.powi((k - order) as i32) }
}
