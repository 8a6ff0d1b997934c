//! Tables of numbers, one state a line, read and written as streams: the memory does not grow with the rows.
//!
//! | file | what it does |
//! |---|---|
//! | `lines` | the lines of a file with their numbers, and the cells of a line |
//! | `header` | which column gives which quantity of which joint |
//! | `states` | from a line to a state |
//! | `rows` | from numbers to a line of CSV or JSON |

mod header;
mod lines;
mod rows;
mod states;

pub(crate) use rows::{Format, RowWriter};
pub(crate) use states::StateTable;
