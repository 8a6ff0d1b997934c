//! What a process with a clock asks of the system.

use crate::report::Facts;
use appell_realtime::system;
use std::io;

/// Options of both sides.
#[derive(clap::Args)]
pub(crate) struct Manners {
    /// The core that its loop stays on
    #[arg(long, value_name = "CORE")]
    core: Option<usize>,
    /// The real-time priority that is asked for, 1 to 99; 0 asks for none
    #[arg(long, value_name = "PRIORITY", default_value_t = 80, value_parser = clap::value_parser!(i32).range(0..=99))]
    priority: i32,
}

impl Manners {
    /// Asks the system; what was given, and what was not.
    pub(crate) fn behave(&self) -> Facts {
        let said = |result: io::Result<()>, fine: String| match result {
            Ok(()) => fine,
            Err(error) => format!("{fine}: not permitted ({error})"),
        };
        let mut facts = Vec::new();
        if let Some(core) = self.core {
            facts.push(("Core", said(system::stay_on_core(core), format!("{core}"))));
        }
        if self.priority > 0 {
            facts.push(("Priority", said(system::run_first(self.priority), format!("SCHED_FIFO {}", self.priority))));
        }
        facts.push(("Memory", said(system::lock_memory(), "locked".into())));
        facts
    }
}
