//! Maps over two coordinates of the platform, or two joints of a tree, row by row.
//!
//! Of a tree the distance to a singularity is the inverse condition of its output's Jacobian, given as that of Type 1: there the
//! output loses a direction, as the platform of a stretched leg does. It has no Type 2.

use crate::bench::Bench;
use crate::drawn::Point;
use crate::place::{Held, Place, positions_of_rows};
use appell::Model;
use appell::closed::workspace_map::{Axis, Cell, Coordinate, Slice, map_from};
use appell::closed::{ClosedMechanism, Configuration, FromTwist};
use appell::description::JointKind;
use appell::kinematics::singularity::{Metric, Workspace, measures};
use appell::mechanism::Mechanism;
use appell::spatial::{Mat3, Pose, Vec3};
use core::f64::consts::PI;
use core::ops::ControlFlow;
use serde::{Deserialize, Serialize};

/// `MapRequest` of the contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What changes along a row.
    pub columns: Span,
    /// What changes from row to row.
    pub rows: Span,
    /// A further coordinate at another value than the present one.
    #[serde(default)]
    pub layer: Option<Layer>,
}

/// The values of a coordinate, both ends included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// x, y, z, roll, pitch or yaw, or a joint of a tree.
    pub coordinate: String,
    from: f64,
    to: f64,
    /// How many values.
    pub cells: usize,
}

/// A coordinate at a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    coordinate: String,
    value: f64,
}

/// `MapRow` of the contract.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Distance to Type 1 of each cell.
    pub type1: Vec<Option<f64>>,
    /// Distance to Type 2.
    pub type2: Vec<Option<f64>>,
    /// 0 out of reach, 1 beyond limits, 2 reachable.
    pub reach: Vec<u8>,
    points: Vec<Point>,
}

/// Cells of a row at most, and of a first map.
const MOST_CELLS: usize = 2000;
const FIRST_CELLS: usize = 60;

/// Cells with which the reach of a first map is looked for.
const PROBES: usize = 41;

impl Span {
    fn value(&self, k: usize) -> f64 {
        self.axis(Coordinate::X).value(k)
    }

    fn axis(&self, coordinate: Coordinate) -> Axis {
        Axis { coordinate, from: self.from, to: self.to, cells: self.cells }
    }

    fn check(&self) -> Result<(), String> {
        crate::numbers::expect(&self.coordinate, &[self.from, self.to], 2)?;
        match self.cells {
            1..=MOST_CELLS => Ok(()),
            cells => Err(format!("{cells} cells along {}; 1 to {MOST_CELLS} can be mapped", self.coordinate)),
        }
    }
}

impl Row {
    fn push(&mut self, cell: Cell, point: Point) {
        let (type1, type2, reach) = match cell {
            Cell::OutOfReach => (None, None, 0),
            Cell::OutOfLimits => (None, None, 1),
            Cell::Reachable { type1, type2 } => (Some(type1), Some(type2), 2),
        };
        self.type1.push(type1);
        self.type2.push(type2);
        self.reach.push(reach);
        self.points.push(point);
    }

    fn with_capacity(cells: usize) -> Self {
        Self {
            type1: Vec::with_capacity(cells),
            type2: Vec::with_capacity(cells),
            reach: Vec::with_capacity(cells),
            points: Vec::with_capacity(cells),
        }
    }
}

impl Bench {
    /// One row of a map around the present pose.
    ///
    /// # Errors
    /// If the robot has no such coordinates, or there is no such row.
    pub fn map_row(&self, request: &Request, row: usize) -> Result<Row, String> {
        let Request { columns, rows, layer } = request;
        columns.check()?;
        rows.check()?;
        if row >= rows.cells {
            return Err(format!("no row {row}; there are {}", rows.cells));
        }
        if columns.coordinate == rows.coordinate {
            return Err(format!("rows and columns are both {}; choose two coordinates", rows.coordinate));
        }
        if let Some(layer) = layer {
            crate::numbers::expect(&layer.coordinate, &[layer.value], 1)?;
        }
        match (self.robot.model(), &self.place) {
            (Model::Closed(closed), Place::Closed(at)) => of_platform(closed, at, request, row),
            (Model::Tree(tree), Place::Tree(q)) => self.of_tree(tree, q, request, row),
            _ => Err("the robot and its place do not fit".into()),
        }
    }

    /// A good first map; none where there is nothing to map.
    #[must_use]
    pub fn map_ranges(&self) -> Option<Request> {
        match (self.robot.model(), &self.place) {
            (Model::Closed(closed), Place::Closed(at)) => self.ranges_of_platform(closed, at),
            (Model::Tree(tree), Place::Tree(_)) => self.ranges_of_tree(tree),
            _ => None,
        }
    }

    fn of_tree(&self, tree: &Mechanism, q: &[f64], request: &Request, row: usize) -> Result<Row, String> {
        let Held::Frame(frame) = self.held else { return Err("a tree has no platform".into()) };
        let names = tree.positions();
        let position = |name: &str| {
            let unknown = || format!("no joint `{name}`; joints are {}", names.join(", "));
            names.iter().position(|own| own == name).ok_or_else(unknown)
        };
        if tree.velocities().len() > crate::asked::MOST_OF_JACOBIAN {
            return Err(format!("a robot of {} joints is not mapped", tree.velocities().len()));
        }
        let (column, across) = (position(&request.columns.coordinate)?, position(&request.rows.coordinate)?);
        let mut q = q.to_vec();
        q[across] = request.rows.value(row);
        if let Some(layer) = &request.layer {
            q[position(&layer.coordinate)?] = layer.value;
        }
        let (metric, mut workspace) = (Metric::of(tree, frame), Workspace::new(tree));
        let mut cells = Row::with_capacity(request.columns.cells);
        for k in 0..request.columns.cells {
            q[column] = request.columns.value(k);
            let place = Place::Tree(q.clone());
            let is_beyond = |(row, at): (usize, Option<usize>)| {
                let limits = tree.limits()[row];
                at.is_some_and(|at| q[at] < limits.lower || q[at] > limits.upper)
            };
            let cell = if positions_of_rows(tree).into_iter().enumerate().any(is_beyond) {
                Cell::OutOfLimits
            } else {
                let found = measures(tree, &mut workspace, &place.rows(&self.robot), frame, &metric);
                Cell::Reachable { type1: found.inverse_condition, type2: f64::NAN }
            };
            cells.push(cell, place.pose(&self.robot, self.held).position.to_array());
        }
        cells.type2.fill(None);
        Ok(cells)
    }

    /// The first two joints that carry the output, over all that they may do.
    fn ranges_of_tree(&self, tree: &Mechanism) -> Option<Request> {
        let Held::Frame(frame) = self.held else { return None };
        if tree.velocities().len() > crate::asked::MOST_OF_JACOBIAN {
            return None;
        }
        let mut path: Vec<usize> = tree.path_to_base(tree.frames()[frame].body?).collect();
        path.reverse();
        let places = positions_of_rows(tree);
        // The first joint turns the whole robot, which changes nothing; where there are three, the next two are better.
        let mut joints: Vec<usize> = path.into_iter().filter(|&row| places[row].is_some()).collect();
        if joints.len() > 2 {
            joints.remove(0);
        }
        let span = |row: usize| {
            let limits = tree.limits()[row];
            let far = match tree.links()[row].joint {
                JointKind::Revolute => PI,
                JointKind::Prismatic => tree.reach(frame).max(0.1),
            };
            let (from, to) = (limits.lower.max(-far), limits.upper.min(far));
            let (from, to) = if from < to { (from, to) } else { (limits.lower, limits.upper) };
            Some(Span { coordinate: tree.positions()[places[row]?].clone(), from, to, cells: FIRST_CELLS })
        };
        let &[first, second, ..] = joints.as_slice() else { return None };
        Some(Request { columns: span(first)?, rows: span(second)?, layer: None })
    }

    /// Two coordinates in which the platform moves, as far as it reaches along each from where it is.
    fn ranges_of_platform(&self, robot: &ClosedMechanism, at: &Configuration) -> Option<Request> {
        if robot.platform().is_none() || FromTwist::is_needed(robot) {
            return None;
        }
        let free: Vec<usize> = robot.freedoms().iter().map(|&k| k - robot.tree().dof()).collect();
        let &[first, second, ..] = free.as_slice() else { return None };
        let size = self.size();
        let position = at.pose.position.to_array();
        let span = |k: usize, other: usize| {
            let (middle, far) = if k < 3 { (position[k], size) } else { (0.0, 0.9 * PI) };
            let coordinate = Coordinate::ALL[k];
            let columns = Axis { coordinate, from: middle - far, to: middle + far, cells: PROBES };
            let here = if other < 3 { position[other] } else { 0.0 };
            let rows = Axis { coordinate: Coordinate::ALL[other], from: here, to: here, cells: 1 };
            let slice = Slice { columns, rows, pose: at.pose };
            let map = map_from(robot, at, &slice, |_, _| ControlFlow::Continue(())).ok()?;
            let reached = |k: &usize| map.cells[*k] != Cell::OutOfReach;
            let (least, most) = ((0..PROBES).find(reached)?, (0..PROBES).rev().find(reached)?);
            let (from, to) = (columns.value(least), columns.value(most));
            let margin = 0.1 * (to - from) + far / PROBES as f64;
            // Beyond half a turn there is nothing new.
            let (least, most) = if k < 3 { (f64::NEG_INFINITY, f64::INFINITY) } else { (-PI, PI) };
            let (from, to) = ((from - margin).max(least), (to + margin).min(most));
            Some(Span { coordinate: coordinate.name().into(), from, to, cells: FIRST_CELLS })
        };
        Some(Request { columns: span(first, second)?, rows: span(second, first)?, layer: None })
    }
}

fn of_platform(robot: &ClosedMechanism, at: &Configuration, request: &Request, row: usize) -> Result<Row, String> {
    let find = |name: &str| {
        Coordinate::find(name)
            .ok_or_else(|| format!("no coordinate `{name}`; coordinates are x, y, z, roll, pitch, yaw"))
    };
    let value = request.rows.value(row);
    let mut pose = at.pose;
    if let Some(layer) = &request.layer {
        pose = layered(&pose, find(&layer.coordinate)?, layer.value);
    }
    let slice = Slice {
        columns: request.columns.axis(find(&request.columns.coordinate)?),
        rows: Axis { coordinate: find(&request.rows.coordinate)?, from: value, to: value, cells: 1 },
        pose,
    };
    let map = map_from(robot, at, &slice, |_, _| ControlFlow::Continue(())).map_err(|error| error.to_string())?;
    let mut cells = Row::with_capacity(map.cells.len());
    for (k, &cell) in map.cells.iter().enumerate() {
        cells.push(cell, slice.pose(0, k).position.to_array());
    }
    Ok(cells)
}

/// A pose with one coordinate at a value: a place in the base, or a turn from where it is.
fn layered(pose: &Pose, coordinate: Coordinate, value: f64) -> Pose {
    let [mut x, mut y, mut z] = pose.position.to_array();
    let mut turn = [0.0; 3];
    match coordinate {
        Coordinate::X => x = value,
        Coordinate::Y => y = value,
        Coordinate::Z => z = value,
        turned => turn[turned as usize - 3] = value,
    }
    Pose { position: Vec3::new(x, y, z), rotation: Mat3::from_roll_pitch_yaw(turn.into()) * pose.rotation }
}
