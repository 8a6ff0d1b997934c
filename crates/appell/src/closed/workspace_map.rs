//! A map of a slice of the workspace: what the robot reaches, and how near to its singularities it is there.
//!
//! ```
//! use appell::closed::workspace_map::{Axis, Cell, Coordinate, Slice, map};
//! use appell::robots;
//! use core::ops::ControlFlow;
//!
//! let robot = robots::find("delta").unwrap().closed();
//! let across = |coordinate| Axis { coordinate, from: -0.2, to: 0.2, cells: 5 };
//! let slice = Slice::at_home(&robot, across(Coordinate::X), across(Coordinate::Y));
//! let map = map(&robot, &slice, |_done, _of| ControlFlow::Continue(()))?;
//! assert!(matches!(map.cell(2, 2), Cell::Reachable { type1, type2 } if type1 > 0.0 && type2 > 0.0));
//! # Ok::<(), appell::closed::workspace_map::MapError>(())
//! ```

pub use super::reach::Coordinate;
use super::reach::{coordinates, is_within_limits, keeps};
use super::singularity::{self, Metric};
use super::{ClosedMechanism, Configuration, FromTwist, assembly};
use crate::spatial::{Mat3, Pose, Vec3};
use core::ops::ControlFlow;

/// Cells of the largest map.
const MOST_CELLS: usize = 10_000_000;

/// The values of one coordinate, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Which.
    pub coordinate: Coordinate,
    /// First value, m or rad.
    pub from: f64,
    /// Last value, m or rad.
    pub to: f64,
    /// How many values.
    pub cells: usize,
}

/// What is mapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    /// The coordinate that changes along a row.
    pub columns: Axis,
    /// The coordinate that changes from row to row.
    pub rows: Axis,
    /// The pose that gives all other coordinates.
    pub pose: Pose,
}

/// What the robot can do at a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// It can be there, at these distances from singularities: inverse conditions, 0 where singular.
    Reachable {
        /// [Of Type 1](singularity::Measures::type1).
        type1: f64,
        /// [Of Type 2](singularity::Measures::type2).
        type2: f64,
    },
    /// The joints do not reach it in their working modes.
    OutOfReach,
    /// The legs reach it with joints beyond their limits.
    OutOfLimits,
}

/// A mapped slice.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// What is mapped.
    pub slice: Slice,
    /// Row by row.
    pub cells: Vec<Cell>,
}

/// Why there is no map.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MapError {
    /// The robot has no platform.
    #[error("`{robot}` has no platform or output whose poses could be mapped; name a frame of it as output")]
    NoPlatform {
        /// The robot's name.
        robot: String,
    },
    /// The output does not determine how the robot moves.
    #[error(
        "the output of `{robot}` does not say how the robot moves, whose independent velocities are {}: hardly any pose of a slice \
         can be reached; map the platform, or a frame that moves with all degrees of freedom",
        freedoms.join(", ")
    )]
    LowerRank {
        /// The robot's name.
        robot: String,
        /// Its independent velocities.
        freedoms: Vec<String>,
    },
    /// An axis has no values.
    #[error("{} from {} to {} in {} cells is not an axis; give finite ends and at least one cell", .0.coordinate.name(), .0.from, .0.to, .0.cells)]
    Axis(Axis),
    /// More cells than memory should hold.
    #[error("a map of {columns} × {rows} cells is too large; 10 million are the most")]
    TooLarge {
        /// Cells a row.
        columns: usize,
        /// Rows.
        rows: usize,
    },
    /// Both axes are one.
    #[error("rows and columns are both {}; choose two coordinates", coordinate.name())]
    Twice {
        /// Of both axes.
        coordinate: Coordinate,
    },
    /// A coordinate along which the robot does not move by itself.
    #[error("{} is not a degree of freedom of `{robot}`; choose two of {}", coordinate.name(), names(free))]
    NotFree {
        /// The coordinate.
        coordinate: Coordinate,
        /// The robot's name.
        robot: String,
        /// Those along which it does.
        free: Vec<Coordinate>,
    },
    /// A map is over two coordinates, and others are given.
    #[error("a map is over two different coordinates, and not over {}; choose two of {}", names(given), names(free))]
    NotTwo {
        /// Those that are given.
        given: Vec<Coordinate>,
        /// Those that can be chosen.
        free: Vec<Coordinate>,
    },
    /// A robot that is mapped along a line alone.
    #[error("`{robot}` has one degree of freedom; a map needs two")]
    OneFreedom {
        /// The robot's name.
        robot: String,
    },
    /// The caller did not want more.
    #[error("stopped after {done} of {of} cells")]
    Stopped {
        /// Cells that were computed.
        done: usize,
        /// All cells.
        of: usize,
    },
}

/// Coordinates by their names.
fn names(coordinates: &[Coordinate]) -> String {
    coordinates.iter().map(|coordinate| coordinate.name()).collect::<Vec<_>>().join(", ")
}

impl Axis {
    /// The `k`-th value.
    #[must_use]
    pub fn value(&self, k: usize) -> f64 {
        match self.cells {
            0 | 1 => 0.5 * (self.from + self.to),
            cells => self.from + (self.to - self.from) * (k as f64 / (cells - 1) as f64),
        }
    }

    fn check(&self) -> Result<(), MapError> {
        if self.cells == 0 || !(self.to - self.from).is_finite() {
            return Err(MapError::Axis(*self));
        }
        Ok(())
    }
}

impl Slice {
    /// Through the robot's home.
    #[must_use]
    pub fn at_home(robot: &ClosedMechanism, columns: Axis, rows: Axis) -> Self {
        Self { columns, rows, pose: robot.home().pose }
    }

    /// The pose of a cell.
    #[must_use]
    pub fn pose(&self, row: usize, column: usize) -> Pose {
        let mut numbers = coordinates(&self.pose, &self.pose);
        numbers[self.columns.coordinate as usize] = self.columns.value(column);
        numbers[self.rows.coordinate as usize] = self.rows.value(row);
        let [x, y, z, roll, pitch, yaw] = numbers;
        Pose {
            position: Vec3::new(x, y, z),
            rotation: Mat3::from_roll_pitch_yaw(Vec3::new(roll, pitch, yaw)) * self.pose.rotation,
        }
    }
}

impl Map {
    /// A cell.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        assert!(column < self.slice.columns.cells, "a column of the map");
        self.cells[row * self.slice.columns.cells + column]
    }
}

/// Maps a slice, and says after each cell how many of how many are done: the answer stops it or lets it go on.
///
/// Cells are visited to and fro. Each begins with the legs where they are in a neighbouring cell, then where they are
/// at home; a cell that fails is tried again from every neighbour that did not, so that the order does not matter.
/// Where the platform makes side motions, as a 3-RPS does, coordinates outside its degrees of freedom give
/// way.
///
/// # Errors
/// If the robot has no platform, the slice has no cells, or the caller stops it.
pub fn map(
    robot: &ClosedMechanism,
    slice: &Slice,
    progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Map, MapError> {
    map_from(robot, robot.home(), slice, progress)
}

/// As [`map`], from another configuration than home.
///
/// # Errors
/// As [`map`].
///
/// # Panics
/// If `start` belongs to another robot.
pub fn map_from(
    robot: &ClosedMechanism,
    start: &Configuration,
    slice: &Slice,
    mut progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Map, MapError> {
    if robot.platform().is_none() {
        return Err(MapError::NoPlatform { robot: robot.name().to_owned() });
    }
    if FromTwist::is_needed(robot) {
        return Err(MapError::LowerRank { robot: robot.name().to_owned(), freedoms: robot.freedom_names() });
    }
    slice.columns.check()?;
    slice.rows.check()?;
    if slice.columns.coordinate == slice.rows.coordinate {
        return Err(MapError::Twice { coordinate: slice.rows.coordinate });
    }
    let (columns, rows) = (slice.columns.cells, slice.rows.cells);
    if columns.checked_mul(rows).is_none_or(|cells| cells > MOST_CELLS) {
        return Err(MapError::TooLarge { columns, rows });
    }
    robot.expect(start, &[]);
    let mut survey = Survey::new(robot, start, slice);
    let (width, of) = (slice.columns.cells, survey.cells.len());
    for done in 0..of {
        let (row, step) = (done / width, done % width);
        let column = if row % 2 == 0 { step } else { width - 1 - step };
        let cell = row * width + column;
        let visited =
            survey.neighbours(cell).into_iter().flatten().any(|neighbour| survey.visit(cell, Some(neighbour)));
        if !visited {
            survey.visit(cell, None);
        }
        if progress(done + 1, of).is_break() && done + 1 < of {
            return Err(MapError::Stopped { done: done + 1, of });
        }
    }
    survey.spread();
    Ok(Map { slice: *slice, cells: survey.cells })
}

/// What is known while a map is made.
struct Survey<'a> {
    robot: &'a ClosedMechanism,
    start: &'a Configuration,
    slice: &'a Slice,
    cells: Vec<Cell>,
    found: Vec<Option<Configuration>>, // of each cell that is not out of reach
    assembly: assembly::Workspace,
    singularity: singularity::Workspace,
}

impl<'a> Survey<'a> {
    fn new(robot: &'a ClosedMechanism, start: &'a Configuration, slice: &'a Slice) -> Self {
        let count = slice.columns.cells * slice.rows.cells;
        Self {
            robot,
            start,
            slice,
            cells: vec![Cell::OutOfReach; count],
            found: vec![None; count],
            assembly: assembly::Workspace::new(robot),
            singularity: singularity::Workspace::new(robot),
        }
    }

    /// The cells beside one.
    fn neighbours(&self, cell: usize) -> [Option<usize>; 4] {
        let width = self.slice.columns.cells;
        let column = cell % width;
        [
            (column > 0).then(|| cell - 1),
            (column + 1 < width).then_some(cell + 1),
            cell.checked_sub(width),
            Some(cell + width).filter(|&below| below < self.cells.len()),
        ]
    }

    /// Tries a cell with the legs as in another, or as at the start; whether they reach it.
    fn visit(&mut self, cell: usize, like: Option<usize>) -> bool {
        let start = match like {
            None => self.start,
            Some(other) => match &self.found[other] {
                Some(found) => found,
                None => return false,
            },
        };
        let width = self.slice.columns.cells;
        let pose = self.slice.pose(cell / width, cell % width);
        let mut at = Configuration { q: start.q.clone(), pose };
        if !assembly::reaches(self.robot, &mut self.assembly, &mut at) {
            if self.robot.freedoms().len() == 6 {
                return false;
            }
            at.q.copy_from_slice(&start.q);
            at.pose = pose;
            let kept = [self.slice.columns.coordinate, self.slice.rows.coordinate];
            let is_aside = assembly::reaches_aside(self.robot, &mut self.assembly, &mut at);
            if !is_aside || !keeps(self.robot, &at.pose, &pose, &kept, &self.slice.pose) {
                return false;
            }
        }
        self.cells[cell] = if is_within_limits(self.robot, &at) {
            let metric = Metric::of(self.robot);
            let (type1, type2) = singularity::distances(self.robot, &mut self.singularity, &at, &metric);
            Cell::Reachable { type1, type2 }
        } else {
            Cell::OutOfLimits
        };
        self.found[cell] = Some(at);
        true
    }

    /// Tries cells out of reach from all their neighbours, and the neighbours of those that are reached so.
    fn spread(&mut self) {
        let mut open: Vec<usize> = (0..self.cells.len()).filter(|&cell| self.found[cell].is_none()).collect();
        while let Some(cell) = open.pop() {
            if self.found[cell].is_some() {
                continue;
            }
            let beside = self.neighbours(cell);
            if beside.into_iter().flatten().any(|neighbour| self.visit(cell, Some(neighbour))) {
                open.extend(beside.into_iter().flatten().filter(|&neighbour| self.found[neighbour].is_none()));
            }
        }
    }
}
