//! The robot as lines and signs in space, and its frames: what the page draws.

use crate::numbers::{PoseNumbers, of_pose};
use crate::place::{Place, positions_of_rows};
use appell::Robot;
use appell::description::PLATFORM;
use appell::spatial::Vec3;
use appell_drawing::sketch;
use serde::Serialize;

/// A point in base axes, m.
pub type Point = [f64; 3];

/// Robots of more joints than this are drawn without names of frames: they could not be read, and would take the time of many robots.
const MOST_FRAMES: usize = 500;

/// What is drawn of a robot: `Sketch` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Sketch {
    bars: Vec<Bar>,
    /// Joints.
    pub nodes: Vec<Node>,
    base: Vec<Point>,
    platform: Vec<Point>,
    /// Frames by their names.
    pub frames: Vec<Frame>,
    sphere: Option<Sphere>,
}

#[derive(Debug, Clone, Serialize)]
struct Bar {
    line: Vec<Point>,
    class: &'static str,
}

/// A joint.
#[derive(Debug, Clone, Serialize)]
pub struct Node {
    /// Its name, or those of all that are drawn as one.
    pub name: String,
    sign: &'static str,
    /// Where it is.
    pub at: Point,
    axes: [Point; 2],
    driven: bool,
    closing: bool,
    /// The number of `q` that a hand turns here.
    pub joint: Option<usize>,
}

/// A frame with a name.
#[derive(Debug, Clone, Serialize)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// Its pose in the base.
    pub pose: PoseNumbers,
}

#[derive(Debug, Clone, Serialize)]
struct Sphere {
    centre: Point,
    radius: f64,
}

impl Sketch {
    /// A robot at a place.
    #[must_use]
    pub fn new(robot: &Robot, place: &Place) -> Self {
        let tree = robot.tree();
        let (drawn, places): (_, Vec<Option<usize>>) = match (place, robot.closed()) {
            (Place::Closed(at), Some(closed)) => {
                (sketch::Sketch::of_closed(closed, at), (0..tree.dof()).map(Some).collect())
            }
            _ => (sketch::Sketch::of_tree(tree, &place.rows(robot)), positions_of_rows(tree)),
        };
        let poses = if tree.frames().len() <= MOST_FRAMES { place.frames(robot) } else { Vec::new() };
        let frame =
            |(frame, pose): (&appell::mechanism::Frame, _)| Frame { name: frame.name.clone(), pose: of_pose(pose) };
        let shown = tree.shown().chain(tree.dof()..tree.frames().len()).filter(|&k| k < poses.len());
        let mut frames: Vec<Frame> = shown.map(|k| frame((&tree.frames()[k], &poses[k]))).collect();
        if let (Some(at), Some(_)) = (place.configuration(), robot.platform()) {
            frames.push(Frame { name: PLATFORM.into(), pose: of_pose(&at.pose) });
        }
        let node = |node: sketch::Node| Node {
            name: node.name,
            sign: node.sign.name(),
            at: node.at.to_array(),
            axes: node.axes.map(Vec3::to_array),
            driven: node.driven,
            closing: node.closing,
            joint: node.row.and_then(|row| places[row]),
        };
        let points = |points: Vec<Vec3>| points.into_iter().map(Vec3::to_array).collect::<Vec<Point>>();
        Self {
            bars: drawn.bars.into_iter().map(|bar| Bar { line: points(bar.line), class: bar.class }).collect(),
            nodes: drawn.nodes.into_iter().map(node).collect(),
            base: points(drawn.base),
            platform: points(drawn.platform),
            frames,
            sphere: drawn.sphere.map(|(centre, radius)| Sphere { centre: centre.to_array(), radius }),
        }
    }

    /// Whether all axes meet in a point, so that joints are drawn on a sphere around it.
    #[must_use]
    pub fn is_on_sphere(&self) -> bool {
        self.sphere.is_some()
    }

    /// The diagonal of the box around it; 1 of a robot without any length.
    #[must_use]
    pub fn size(&self) -> f64 {
        let [low, high] = self.bounds();
        let diagonal = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt();
        if diagonal > 0.0 { diagonal } else { 1.0 }
    }

    /// The corners of the box around all of it.
    #[must_use]
    pub fn bounds(&self) -> [Point; 2] {
        let lines = self.bars.iter().flat_map(|bar| &bar.line);
        let all = lines.chain(self.nodes.iter().map(|node| &node.at)).chain(&self.base).chain(&self.platform);
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        // The base is there, too, where a robot begins elsewhere.
        for point in all.chain([&[0.0; 3]]) {
            for (k, &x) in point.iter().enumerate().filter(|(_, x)| x.is_finite()) {
                bounds[0][k] = bounds[0][k].min(x);
                bounds[1][k] = bounds[1][k].max(x);
            }
        }
        bounds
    }
}
