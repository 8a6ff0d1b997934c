//! The command line of appell: robot dynamics from files and tables.
//!
//! It reads and writes files and holds no mathematics: every number comes from the library. A command is a file of
//! [`commands`]; what it answers goes to stdout, all else to stderr, errors by [`refusal`].
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | fine |
//! | 1 | the answer is "no": of `check`, `convert`, `ik`, `assemble`, `singularities`, `trajectory`, `simulate`, `run`, `plant`, `operate`, `excite`, `identify`, `agreement` and `reproduce`; their help says more |
//! | 2 | wrong use or input |
//! | 130 | interrupted |

mod arguments;
mod commands;
mod hints;
mod interrupt;
mod laboratory;
mod output;
mod place;
mod progress;
mod refusal;
mod report;
mod robot;
mod table;
mod trial;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::{
    agreement, assemble, check, compute, convert, excite, generate, identify, ik, lab, law, reproduce, robots, show,
    simulate, singularities, trajectory,
};
#[cfg(target_os = "linux")]
use commands::{operate, plant, run};
use std::any::TypeId;
use std::env;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Robot dynamics by the Gibbs-Appell equations.
///
/// Take a robot from its URDF, its Denavit-Hartenberg table or a description of its legs and platform, or a built-in
/// one, and ask for its dynamics and kinematics, state by state. All numbers are SI: m, rad, kg, s, N, N m.
///
/// Exit codes: 0 fine; 1 the answer is "no"; 2 wrong use or input; 130 interrupted.
#[derive(Parser)]
#[command(
    name = "appell",
    version,
    max_term_width = 100,
    after_help = "Example: appell compute gravity puma560 --states states.csv"
)]
struct Cli {
    /// Print the answer as JSON, and an error as a line of JSON on stderr
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Robots(robots::Args),
    Show(show::Args),
    Lab(lab::Args),
    Check(check::Args),
    Convert(convert::Args),
    Compute(compute::Args),
    Ik(ik::Args),
    Assemble(assemble::Args),
    Singularities(singularities::Args),
    Trajectory(trajectory::Args),
    Simulate(simulate::Args),
    #[cfg(target_os = "linux")]
    Run(run::Args),
    #[cfg(target_os = "linux")]
    Plant(plant::Args),
    #[cfg(target_os = "linux")]
    Operate(operate::Args),
    Excite(excite::Args),
    Identify(identify::Args),
    Generate(generate::Args),
    Law(law::Args),
    Agreement(agreement::Args),
    Reproduce(reproduce::Args),
}

fn main() -> ExitCode {
    interrupt::prepare();
    if env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json") {
        refusal::speak_json();
    }
    let cli = match command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            refusal::usage(&error);
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let answer = cli.command.run(cli.json, &mut out).and_then(|yes| {
        out.flush()?;
        Ok(yes)
    });
    match answer {
        Ok(_) if interrupt::is_asked() => ExitCode::from(interrupt::EXIT_CODE),
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            refusal::report(&error);
            ExitCode::from(2)
        }
    }
}

/// The command line. A negative number behind an option is its value and not an option, so that the message says what
/// is wrong with it.
fn command() -> clap::Command {
    fn with_numbers(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|arg| {
            let is_option = arg.get_long().is_some() && arg.get_action().takes_values();
            // clap does not see a number in -1e-3.
            let is_real = arg.get_value_parser().type_id() == TypeId::of::<f64>();
            match is_option {
                true if is_real => arg.allow_hyphen_values(true),
                true => arg.allow_negative_numbers(true),
                false => arg,
            }
        });
        command.mut_subcommands(with_numbers)
    }
    with_numbers(Cli::command())
}

impl Command {
    /// Runs the command; whether the answer is "yes".
    fn run(&self, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
        match self {
            Self::Robots(args) => robots::run(args, json, out),
            Self::Show(args) => show::run(args, json, out),
            Self::Lab(args) => lab::run(args, json, out),
            Self::Check(args) => check::run(args, json, out),
            Self::Convert(args) => convert::run(args, json, out),
            Self::Compute(args) => compute::run(args, json, out),
            Self::Ik(args) => ik::run(args, json, out),
            Self::Assemble(args) => assemble::run(args, json, out),
            Self::Singularities(args) => singularities::run(args, json, out),
            Self::Trajectory(args) => trajectory::run(args, json, out),
            Self::Simulate(args) => simulate::run(args, json, out),
            #[cfg(target_os = "linux")]
            Self::Run(args) => run::run(args, json, out),
            #[cfg(target_os = "linux")]
            Self::Plant(args) => plant::run(args, json, out),
            #[cfg(target_os = "linux")]
            Self::Operate(args) => operate::run(args, json, out),
            Self::Excite(args) => excite::run(args, json, out),
            Self::Identify(args) => identify::run(args, json, out),
            Self::Generate(args) => generate::run(args, json, out),
            Self::Law(args) => law::run(args, json, out),
            Self::Agreement(args) => agreement::run(args, json, out),
            Self::Reproduce(args) => reproduce::run(args, json, out),
        }
    }
}

/// Whether the reader of our output has seen enough, as in `appell … | head`: no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
