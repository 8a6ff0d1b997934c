//! Motions of joints, or of the drives of a robot with closed loops.

use super::options::{LawArgs, OutputArgs, joint_numbers};
use super::whole::{Motion, Whole};
use super::writing::write;
use crate::arguments::{self, choice, finite, positive};
use crate::robot;
use crate::table::{self, JointPoints, harmonics, joint_points};
use anyhow::{Context, bail, ensure};
use appell::question::Question;
use appell::sample::Sampler;
use appell::spatial::EulerAngles;
use appell::{Joint, Model, Robot};
use appell_simulation::trajectory::{
    ClosedMotion, Coordinates, Ends, Fourier, JointReference, Ramp, Spline, TimeLaw, TreeMotion,
};
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

/// Move joints, or drives, to a place, or along splines through the points of a table.
///
/// With --to all joints go straight there, from --from, and arrive together, after --time or as soon as --speed,
/// --acceleration and --jerk of each joint allow.
///
/// With --points a spline goes through the rows of a table: CSV with a header, t (s) and q1 q2 … (rad, m), or by joint,
/// as in q.elbow. It is C⁴ (quintic) or C² (cubic), and begins and ends at rest unless --ends natural. With --given
/// velocities, or accelerations, the table's v1 … too, or v1 … and a1 …, are met at the points.
///
/// With --platform the six numbers of --from and --to are the platform's: X,Y,Z (m) and three Euler angles (rad).
#[derive(clap::Args)]
#[command(after_help = "Example: appell trajectory joints scara --to 0.5,1,0.1,0 --speed 1 --acceleration 5 --law ramp
Example: appell trajectory joints gough-stewart --platform 321 --to 0,0.05,0.8,0.3,0,0 --time 1
Example: appell trajectory joints puma560 --points points.csv --spline cubic --out motion.csv --plot motion.svg")]
pub(super) struct JointsArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// Of a parallel robot: move the platform in X, Y, Z and these Euler angles, not the drives
    #[arg(long, value_name = "ANGLES", value_parser = arguments::angles(), conflicts_with = "points")]
    platform: Option<EulerAngles>,
    /// Where they begin; zeros, or home, if not given
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = finite)]
    from: Option<Vec<f64>>,
    /// Where they end
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = finite)]
    #[arg(required_unless_present = "points", conflicts_with = "points")]
    to: Option<Vec<f64>>,
    /// A table of points with times; - is stdin
    #[arg(long, value_name = "IN.csv", conflicts_with_all = ["from", "time"])]
    points: Option<PathBuf>,
    /// Of --points: the degree of the spline
    #[arg(long, value_enum, default_value = "quintic", requires = "points")]
    spline: Degree,
    /// Of --points: how it begins and ends
    #[arg(long, value_parser = choice([("rest", Ends::Rest), ("natural", Ends::Natural)]))]
    #[arg(default_value = "rest", requires = "points")]
    ends: Ends<'static>,
    /// Of --points: what the table gives at the points beside positions
    #[arg(long, value_enum, default_value = "positions", conflicts_with_all = ["spline", "ends"], requires = "points")]
    given: Given,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Move joints, or drives, by Fourier series: motions that excite a robot, for its identification.
///
/// q(t) = q0 + Σ a_k sin(2π k f t) + b_k cos(2π k f t). The coefficients come from a table, CSV with a header sin1 cos1
/// sin2 cos2 … (rad, m; by joint number), one row per harmonic, what is not there being zero; or, with --harmonics,
/// from seeded random numbers. With --from-rest they become the nearest ones that begin at rest: Σ k a_k = Σ k² b_k =
/// 0.
///
/// With --platform it is the platform that moves, sin1 cos1 … sin6 cos6 being of its X, Y, Z (m) and three Euler angles
/// (rad).
#[derive(clap::Args)]
#[command(after_help = "Example: appell trajectory fourier puma560 --harmonics 5 --amplitude 0.3 --frequency 0.1 \
--from-rest --limits --plot motion.svg")]
pub(super) struct FourierArgs {
    #[command(flatten)]
    robot: robot::Choice,
    /// Of a parallel robot: move the platform in X, Y, Z and these Euler angles, not the drives
    #[arg(long, value_name = "ANGLES", value_parser = arguments::angles())]
    platform: Option<EulerAngles>,
    /// The table of coefficients; - is stdin
    #[arg(long, value_name = "IN.csv", required_unless_present = "harmonics")]
    coefficients: Option<PathBuf>,
    /// Random coefficients of this many harmonics
    #[arg(long, value_name = "K", conflicts_with = "coefficients")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    harmonics: Option<u32>,
    /// Of --harmonics: the most that each joint goes away from the middle, rad or m
    #[arg(long, value_name = "A", default_value_t = 0.3, value_parser = positive)]
    amplitude: f64,
    /// Of --harmonics: where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// f: the base frequency, Hz
    #[arg(long, value_name = "HZ", value_parser = positive)]
    frequency: f64,
    /// How many periods
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = positive)]
    periods: f64,
    /// q0: the middle of the motion, rad or m; zeros, or home, if not given
    #[arg(long, value_name = "Q1,Q2,…", value_delimiter = ',', value_parser = finite)]
    about: Option<Vec<f64>>,
    /// Begin at rest, without acceleration
    #[arg(long)]
    from_rest: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Degree {
    Cubic,
    Quintic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Given {
    Positions,
    Velocities,
    Accelerations,
}

pub(super) fn joints(args: &JointsArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load_without_followers("trajectory")?;
    let moved = Moved::new(&robot, args.platform)?;
    if let Some(path) = &args.points {
        let spline = spline(args, &robot, path)?;
        return moved.follow(&spline, &args.output, "spline", json, stdout);
    }
    let to = joint_numbers("--to", args.to.as_deref(), &moved.names)?.context("give --to or --points")?;
    let from = joint_numbers("--from", args.from.as_deref(), &moved.names)?.unwrap_or_else(|| moved.home.clone());
    let law = args.law.law(|shape, most| {
        let longest = from.iter().zip(&to).map(|(from, to)| (to - from).abs()).fold(0.0, f64::max);
        TimeLaw::within(shape, most.linear.over(longest))
    })?;
    let what = if args.platform.is_some() { "straight motion in coordinates" } else { "straight joint motion" };
    moved.follow(&Ramp::new(&from, &to, law)?, &args.output, what, json, stdout)
}

pub(super) fn fourier(args: &FourierArgs, json: bool, stdout: &mut dyn Write) -> anyhow::Result<bool> {
    let robot = args.robot.load_without_followers("trajectory")?;
    let moved = Moved::new(&robot, args.platform)?;
    let about = joint_numbers("--about", args.about.as_deref(), &moved.names)?.unwrap_or_else(|| moved.home.clone());
    let terms = match (&args.coefficients, args.harmonics) {
        (Some(path), _) => harmonics(path, moved.names.len())?,
        (None, Some(count)) => {
            let mut terms = random(args, moved.names.len(), count as usize);
            moved.keep_to_freedoms(&mut terms)?;
            terms
        }
        (None, None) => bail!("give --coefficients or --harmonics"),
    };
    let mut series = Fourier::new(&about, &terms, args.frequency, args.periods)?;
    if args.from_rest {
        series = series.from_rest()?;
    }
    moved.follow(&series, &args.output, "Fourier series", json, stdout)
}

/// Random coefficients that together go no further than the amplitude, the higher harmonics weaker.
fn random(args: &FourierArgs, joints: usize, count: usize) -> Vec<Vec<[f64; 2]>> {
    let mut sampler = Sampler::new(args.seed);
    let mut of_joint = || {
        let term = |k: usize| {
            let size = 1.0 / (k + 1) as f64;
            [sampler.within(size), sampler.within(size)]
        };
        let terms: Vec<[f64; 2]> = (0..count).map(term).collect();
        let most: f64 = terms.iter().map(|[a, b]| a.hypot(*b)).sum();
        terms.into_iter().map(|term| term.map(|x| x * args.amplitude / most)).collect()
    };
    (0..joints).map(|_| of_joint()).collect()
}

/// The spline through the points of a table.
fn spline(args: &JointsArgs, robot: &Robot, path: &std::path::Path) -> anyhow::Result<Spline> {
    // A question that reads the columns that are asked for.
    let question = match args.given {
        Given::Positions => Question::Frames,
        Given::Velocities => Question::Velocities,
        Given::Accelerations => Question::Accelerations,
    };
    let name = table::shown(path);
    let JointPoints { times, rows } = joint_points(robot, path, question)?;
    let [q, v, a] = &rows;
    let spline = match (args.given, args.spline) {
        (Given::Velocities, _) => Spline::cubic_with(&times, q, v),
        (Given::Accelerations, _) => Spline::quintic_with(&times, q, v, a),
        (Given::Positions, Degree::Cubic) => Spline::cubic(&times, q, args.ends),
        (Given::Positions, Degree::Quintic) => Spline::quintic(&times, q, args.ends),
    };
    let spline = spline.with_context(|| name.clone())?;
    ensure!(spline.duration() > 0.0, "{name}: the points take no time");
    Ok(spline)
}

/// What moves by coordinates of its own: joints, drives, or a platform.
pub(in crate::commands) struct Moved<'r> {
    robot: &'r Robot,
    platform: Option<EulerAngles>,
    names: Vec<String>,
    home: Vec<f64>, // zeros for joints
}

impl<'r> Moved<'r> {
    pub(in crate::commands) fn new(robot: &'r Robot, platform: Option<EulerAngles>) -> anyhow::Result<Self> {
        let (names, home) = match (robot.model(), platform) {
            (_, None) => {
                let home = |drive: &Joint<'_>| robot.closed().map_or(0.0, |closed| closed.home().q[drive.index]);
                let drives = robot.drives();
                (drives.iter().map(|drive| drive.name.to_owned()).collect(), drives.iter().map(home).collect())
            }
            (Model::Closed(closed), Some(angles)) if closed.platform().is_some() => {
                let pose = closed.home().pose;
                // Where the angles are singular, as zyz of a platform that is not turned, zeros do if they fit.
                let turn = match angles.angles(&pose.rotation) {
                    Err(_) if angles.rotation([0.0; 3]) == pose.rotation => [0.0; 3],
                    found => found.context("--platform: at home")?,
                };
                let names = ["x", "y", "z", "angle1", "angle2", "angle3"].map(String::from);
                (names.to_vec(), pose.position.to_array().into_iter().chain(turn).collect())
            }
            _ => bail!("--platform: {} has no platform", robot.name()),
        };
        Ok(Self { robot, platform, names, home })
    }

    /// Takes away what a platform cannot do.
    fn keep_to_freedoms(&self, terms: &mut [Vec<[f64; 2]>]) -> anyhow::Result<()> {
        let (Model::Closed(closed), Some(angles)) = (self.robot.model(), self.platform) else { return Ok(()) };
        let is_free = |component: usize| closed.freedoms().contains(&(closed.tree().dof() + component));
        let turns = (3..6).filter(|&component| is_free(component)).count();
        ensure!(
            angles == EulerAngles::Zyx || turns == 0 || turns == 3,
            "{} turns about some axes alone, for which zyz angles are not unique; use --platform 321",
            closed.name()
        );
        // Yaw, pitch and roll are turns about z, y and x.
        for (terms, component) in terms.iter_mut().zip([0, 1, 2, 5, 4, 3]) {
            if !is_free(component) {
                terms.fill([0.0; 2]);
            }
        }
        Ok(())
    }

    /// Lets the robot follow, and writes that down.
    pub(in crate::commands) fn follow<P: JointReference + Clone + 'r>(
        &self,
        reference: &P,
        output: &OutputArgs,
        what: &str,
        json: bool,
        stdout: &mut dyn Write,
    ) -> anyhow::Result<bool> {
        let make = |efforts: bool| -> anyhow::Result<Whole<'r>> {
            let reference = Box::new(reference.clone());
            let motion = match (self.robot.model(), self.platform) {
                (Model::Tree(tree), _) => Motion::Tree(TreeMotion::new(tree, reference, efforts)),
                (Model::Closed(closed), None) => {
                    Motion::Closed(Box::new(ClosedMotion::of_drives(closed, reference, efforts)))
                }
                (Model::Closed(closed), Some(angles)) => {
                    let path = Box::new(Coordinates::new(reference, angles)?);
                    Motion::Closed(Box::new(ClosedMotion::of_platform(closed, path, efforts)))
                }
            };
            Ok(Whole::new(self.robot, motion, self.platform.is_some()))
        };
        write(self.robot, make, output, what, json, stdout)
    }
}
