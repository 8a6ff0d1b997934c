//! From the columns a recorder wrote to the motion and the efforts of a robot's joints.
//!
//! | step | where |
//! |---|---|
//! | a TOML text says what the columns are | [`Layout::read`] |
//! | columns become joints: units, gears, signs, zeros; what is wrong with them is named, and left out where it can be | [`Layout::measure`] |
//! | what was recorded out of step, or not in every row, comes onto one grid | `tracks` |
//! | a low-pass that fits the motion, where none is given | [`Smoothing::chosen`] |
//! | positions are low-passed and differentiated | [`Measurement::motion`] |
//! | a load that was weighed | [`Payload`] |
//! | how many independent equations there are | [`Measurement::span`] |
//!
//! A layout in full; all but `position`, `effort` and one key of `time` may be left out:
//!
//! ```toml
//! columns = ["t", "m1", "m2", "m3", "i1", "i2", "i3"]   # of a table without a header
//!
//! [time]
//! column = "t"                    # or rate = 5000 (Hz), where there is no such column; both: rows are put on that rate
//! unit = "s"                      # or "ms", "us", "ns"
//!
//! [position]
//! columns = ["m1", "m2", "m3"]    # one per joint, or a motor
//! unit = "rad"                    # or "deg", "turn", "m", "mm"; or one each, ["rad", "rad", "mm"], as of the other sections
//! # counts = 4096                 # in place of unit, counts per turn, or per metre of what slides: one number, or one each
//! side = "motor"                  # or "joint"
//!
//! [velocity]                      # looked at, to see whether units and directions fit
//! columns = ["w1", "w2", "w3"]
//! unit = "rpm"                    # or "rad/s", "deg/s", "m/s", "mm/s"
//! side = "motor"
//!
//! [effort]
//! columns = ["i1", "i2", "i3"]
//! unit = "A"                      # or "N m", "mN m", "kgf m", "kgf cm", "lbf ft", "lbf in", "ozf in"; "N", "kN", "kgf", "lbf"
//! constant = [0.2, 0.2, 0.1]      # of "A": N m or N per ampere
//! side = "motor"
//! limit = 30                      # where the amplifier cuts off, in that unit
//! time = "t_i"                    # their own column of time, of another recorder; of any section
//! delay = 0.002                   # s, by which they were recorded later than positions
//!
//! [gear]                          # motor = R q, and by duality joint effort = Rᵀ motor effort
//! ratio = [32, 32, 45]            # the diagonal of R, turns of the motor a turn of the joint
//! matrix = [[32, 0, 0], [0, 32, 0], [0, 32, 45]]   # or all of R, where motors turn with several joints
//!
//! [joint]
//! sign = [1, -1, 1]               # joint = sign × R⁻¹ motor + offset
//! offset = [0, "-90 deg", 0]
//!
//! [filter]
//! order = 4                       # of the low-pass on the positions
//! cut_off = 100                   # Hz; or "none"; chosen from the motion if not given
//! decimation = 50                 # keep every 50th equation; chosen from the cut-off if not given
//! border = 0.1                    # s, cut off at both ends
//!
//! [accept]                        # columns you know better about
//! constant = ["m3"]
//! unit = ["m1"]
//! ```

mod error;
mod expected;
mod faults;
mod layout;
mod measure;
mod measurement;
mod motion;
mod payload;
mod rate;
mod reader;
mod smoothing;
mod span;
mod tracks;
mod unit;

pub use error::{DataError, Doubt};
pub use layout::{Accepted, Channels, Layout, Side, Time};
pub use measurement::{Columns, Measured, Measurement};
pub use motion::JointMotion;
pub use payload::{Load, Payload, PayloadError};
pub use smoothing::{CutOff, Filter, Smoothing};
pub use span::{Span, TooLittle};
pub use unit::Unit;
