//! The report: tables and figures of the papers, computed again and set beside the printed ones.
//!
//! | file | what it holds |
//! |---|---|
//! | `section` | one table or figure: its verdict and what is shown of it |
//! | `counts` | tables of operation counts |
//! | `precision` | the study of single precision: a table and a figure |
//! | `open_loop`, `response` | the PUMA simulated under given torques, and in a sampled loop |
//! | `checks` | tables of comparisons, with what we claim of each |
//! | `errata` | misprints with numbers: how wrong as printed, how right when corrected |
//! | `paper000` to `paper004` | what each paper contains, and what we have to say about it |
//! | `plot`, `over_time`, `puma_line`, `robot_drawing`, `table`, `number`, `html` | drawing and writing |
//!
//! Every number of ours is computed when the report is made; printed numbers are data of [`crate`].

mod checks;
mod counts;
mod errata;
mod html;
mod number;
mod open_loop;
mod over_time;
mod paper000;
mod paper001;
mod paper002;
mod paper003;
mod paper004;
mod plot;
mod precision;
mod puma_line;
mod response;
mod robot_drawing;
mod section;
mod table;

pub use html::page;
pub use robot_drawing::within;
pub use section::{Figure, Origin, Paper, Section, Verdict};

/// The numbers of the papers in our library, in order.
pub const NUMBERS: [&str; 5] = ["000", "001", "002", "003", "004"];

/// A paper's tables and figures, computed now; `None` if there is no paper of this number.
///
/// # Errors
/// If one of its studies has no answer, or a drawing cannot be made.
pub fn paper(number: &str) -> anyhow::Result<Option<Paper>> {
    Ok(Some(match number {
        "000" => paper000::paper()?,
        "001" => paper001::paper()?,
        "002" => paper002::paper()?,
        "003" => paper003::paper()?,
        "004" => paper004::paper()?,
        _ => return Ok(None),
    }))
}
