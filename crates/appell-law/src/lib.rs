//! A control law from a shared library: a user's own, in C, C++, Rust or whatever else makes one, without building
//! appell.
//!
//! The border is `include/appell_law.h` ([`template::HEADER`]): five functions and three structs. A law that crashes,
//! ends the process, returns a status, or writes an effort that is not finite or not its own is stopped, and named.
//!
//! | file | what it holds |
//! |---|---|
//! | `border` | the structs of the header |
//! | [`guarded`] | arrays that a library writes, between guards |
//! | `arithmetic` | how the processor rounds, which a library may change |
//! | `error` | [`LawError`]: what can be wrong with a library, and with what it answers |
//! | [`crash`] | what happens when a law crashes; the hook that is called then |
//! | `instance` | [`Instance`]: a library that is open, and one law of it |
//! | `library` | [`Library`]: the same as a [`Law`](appell_simulation::simulation::Law) that follows a reference |
//! | [`template`] | working laws to begin with |
//!
//! `unsafe` is in `arithmetic`, `crash` and `instance` alone.
//!
//! ```no_run
//! use appell_law::Library;
//! use appell_simulation::scenario::Scenario;
//!
//! let mut scenario = Scenario::read(&std::fs::read_to_string("trial.toml")?)?;
//! if let Some(asked) = scenario.law_library().cloned() {
//!     scenario.put_law(move |order| Ok(Box::new(Library::open(asked.library.as_ref(), &asked.parameters, order)?)));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arithmetic;
mod border;
pub mod crash;
pub mod guarded;
mod error;
mod instance;
mod library;
pub mod template;

pub use border::ABI;
pub use error::LawError;
pub use instance::{Instance, Now, Setup};
pub use library::Library;
