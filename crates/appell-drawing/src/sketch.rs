//! A robot in one configuration as lines and signs in space, for those who draw it themselves.
//!
//! ```
//! use appell::{Robot, robots};
//! use appell_drawing::sketch::Sketch;
//!
//! let robot = robots::find("delta").unwrap().closed();
//! let sketch = Sketch::of_closed(&robot, robot.home());
//! assert_eq!(sketch.platform.len(), 3);
//! # let arm = robots::find("puma560").unwrap().mechanism();
//! # assert_eq!(Sketch::of_tree(&arm, &[0.0; 6]).nodes.len(), 6);
//! ```

use crate::linkage::Linkage;
use crate::skeleton::Skeleton;
use appell::closed::{ClosedMechanism, Configuration};
use appell::description::{ClosingJoint, JointKind};
use appell::mechanism::Mechanism;
use appell::spatial::Vec3;

/// What is drawn of a robot, in base axes, m.
#[derive(Debug, Clone, Default)]
pub struct Sketch {
    /// Lines of the links.
    pub bars: Vec<Bar>,
    /// Joints.
    pub nodes: Vec<Node>,
    /// Corners around the base; empty of a tree.
    pub base: Vec<Vec3>,
    /// Corners around the platform; empty where there is none.
    pub platform: Vec<Vec3>,
    /// Centre and radius of the sphere on which arcs stand for links, where all axes meet in one point.
    pub sphere: Option<(Vec3, f64)>,
}

/// A line of a link.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Its points.
    pub line: Vec<Vec3>,
    /// What it is: bone, sleeve, rod, rail or twig.
    pub class: &'static str,
}

/// One joint, or several that are drawn as one.
#[derive(Debug, Clone)]
pub struct Node {
    /// How it is drawn.
    pub sign: ClosingJoint,
    /// Its name, or those of all of them.
    pub name: String,
    /// Where it is.
    pub at: Vec3,
    /// Its axes: about or along the first.
    pub axes: [Vec3; 2],
    /// Whether a motor drives it.
    pub driven: bool,
    /// Whether it closes a loop.
    pub closing: bool,
    /// The row of the tree that it stands for, of several the first; none of closing joints.
    pub row: Option<usize>,
}

impl Sketch {
    /// A tree at positions of its rows.
    ///
    /// # Panics
    /// If `rows` does not have one value per row.
    #[must_use]
    pub fn of_tree(robot: &Mechanism, rows: &[f64]) -> Self {
        let skeleton = Skeleton::new(robot, rows);
        let bars = |lines: &[[Vec3; 2]], class| -> Vec<Bar> {
            let seen = lines.iter().filter(|[from, to]| (*to - *from).norm() > 0.0);
            seen.map(|line| Bar { line: line.to_vec(), class }).collect()
        };
        let mut all = bars(&skeleton.bones, "bone");
        all.extend(bars(&skeleton.twigs, "twig"));
        let nodes = skeleton.joints.iter().enumerate().map(|(row, joint)| Node {
            sign: match joint.kind {
                JointKind::Revolute => ClosingJoint::Revolute,
                JointKind::Prismatic => ClosingJoint::Prismatic,
            },
            name: joint.name.clone(),
            at: joint.pose.position,
            axes: [2, 0].map(|k| joint.pose.rotation.column(k)),
            driven: robot.driven()[row],
            closing: false,
            row: Some(row),
        });
        Self { bars: all, nodes: nodes.collect(), ..Self::default() }
    }

    /// A robot with closed loops in an assembled configuration.
    ///
    /// # Panics
    /// If `at` belongs to another robot.
    #[must_use]
    pub fn of_closed(robot: &ClosedMechanism, at: &Configuration) -> Self {
        let linkage = Linkage::new(robot, at);
        let nodes = linkage.nodes.into_iter().map(|node| Node {
            sign: node.sign,
            name: node.name,
            at: node.at,
            axes: node.axes,
            driven: node.driven,
            closing: node.closing,
            row: node.joint,
        });
        Self {
            bars: linkage.bars.into_iter().map(|bar| Bar { line: bar.line, class: bar.class }).collect(),
            nodes: nodes.collect(),
            base: linkage.base,
            platform: linkage.platform,
            sphere: linkage.sphere.map(|sphere| (sphere.centre, sphere.radius)),
        }
    }
}
