//! Which questions of which robots have code: one table, asked by the generator and printed by the command line.

use super::closed;
use super::emit::Language;
use appell::Kind;
use appell::question::{Question, kernel};

/// Whether there is code in a language of a kind of robot at all: equations are for functions of few operations, and what
/// legs do takes more.
#[must_use]
pub const fn writes(kind: Kind, language: Language) -> bool {
    match kind {
        Kind::Serial | Kind::Tree => true,
        Kind::Parallel | Kind::Spherical | Kind::Closed => language.most_operations().is_none(),
    }
}

/// Whether code can be generated that answers a question of a kind of robot, in every language that [`writes`] names.
#[must_use]
pub fn answers(kind: Kind, question: Question) -> bool {
    match kind {
        Kind::Serial | Kind::Tree => kernel::has(question),
        Kind::Parallel | Kind::Spherical | Kind::Closed => closed::answers(question),
    }
}
