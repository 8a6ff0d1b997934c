//! What can be wrong with a law in a shared library.

use crate::border::ABI;
use crate::guarded::Side;
use appell_simulation::simulation::Reason;

/// More own numbers of a law than these are not believed.
pub(crate) const MOST_OWN: u32 = 1024;

/// Why a law cannot be had, or does not go on. `library` is its file, `law` how it calls itself.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages are the documentation")]
pub enum LawError {
    #[error("{library}: {why}")]
    File { library: String, why: String },
    #[error("{library} is not a shared library that can be opened here: {why}")]
    NotALibrary { library: String, why: String },
    #[error("{library} does not export `{symbol}`; a law needs all functions of appell_law.h")]
    Symbol { library: String, symbol: &'static str },
    #[error("{library} was built for version {found} of appell_law.h; this appell takes versions 1 to {ABI}")]
    Version { library: String, found: u32 },
    #[error("parameter `{name}` of {library} holds a zero byte, which C text cannot")]
    Name { library: String, name: String },
    #[error("law `{law}` of {library} cannot be made: {why}")]
    Refused { library: String, law: String, why: String },
    #[error("law `{law}` of {library} stopped at t = {t} s: {why}")]
    Stopped { library: String, law: String, t: f64, why: String },
    #[error("law `{law}` of {library} wants {value} for joint `{joint}` at t = {t} s; efforts are finite numbers")]
    NotFinite { library: String, law: String, joint: String, value: f64, t: f64 },
    #[error("law `{law}` of {library} did not write the effort of joint `{joint}` at t = {t} s")]
    Unwritten { library: String, law: String, joint: String, t: f64 },
    #[error("law `{law}` of {library} wrote {side} its {count} {what} at t = {t} s; it destroys memory")]
    Beyond { library: String, law: String, side: Side, what: &'static str, count: usize, t: f64 },
    #[error("law `{law}` of {library} says that it has {found} own numbers; expected at most {MOST_OWN}")]
    TooMany { library: String, law: String, found: u32 },
    #[error("law `{law}` of {library} has {found} own numbers at t = {t} s, and had {expected} at first")]
    Changed { library: String, law: String, found: u32, expected: usize, t: f64 },
}

/// A law that does not go on ends the motion.
impl From<LawError> for Reason {
    fn from(error: LawError) -> Self {
        Self::Law(error.to_string())
    }
}
