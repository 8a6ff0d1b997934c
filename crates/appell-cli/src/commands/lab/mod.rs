//! `appell lab`: the laboratory with a robot, in the browser.

mod server;

use crate::interrupt;
use crate::laboratory;
use crate::output;
use server::Server;
use std::io::Write;
use std::path::PathBuf;

/// Open the laboratory: take a robot by the hand in the browser, and see its dynamics live.
///
/// The page computes everything itself and is served on this machine alone (127.0.0.1); nothing leaves it. When the robot's
/// file changes, the page takes it up at once, in the same pose where it can. Visual meshes of a URDF are shown where their
/// files are found. Ctrl-C ends it.
///
/// Without a robot the page begins with its gallery. The page is made by `make laboratory` in a clone of appell; the
/// variable APPELL_LABORATORY may name its file. `appell show ROBOT --page OUT.html` writes it with a robot inside,
/// as one file to keep or to mail.
#[derive(clap::Args)]
#[command(after_help = "Example: appell lab gough-stewart
Example: appell lab arm.urdf --port 8080 --no-browser")]
pub(crate) struct Args {
    /// A built-in robot's name, or the path of a robot's file
    robot: Option<PathBuf>,
    /// The port to listen on; a free one if not given
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Do not open a browser; only print the address
    #[arg(long)]
    no_browser: bool,
}

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let page = laboratory::served(&laboratory::page()?);
    // A file that cannot be read is reported here; what is wrong inside it is shown in the page, where it can be mended.
    if let Some(robot) = &args.robot {
        laboratory::given(robot, None)?;
    }
    interrupt::ask_first();
    interrupt::listen();
    let server = Server::new(args.port)?;
    let address = server.address();
    if json {
        writeln!(out, "{}", serde_json::json!({ "address": address }))?;
    } else {
        writeln!(out, "{address}")?;
    }
    out.flush()?;
    if !args.no_browser
        && let Err(error) = open::that_detached(&address)
    {
        output::note(format_args!("no browser could be opened ({error}); open {address} in one"));
    }
    let robot = args.robot.as_deref();
    let meshes = || robot.map(laboratory::meshes).unwrap_or_default();
    let given = || {
        let Some(mut given) = robot.map(|robot| laboratory::given(robot, None)).transpose()? else { return Ok(None) };
        let names: Vec<_> = meshes().iter().filter_map(|mesh| Some(mesh.file_name()?.to_str()?.to_owned())).collect();
        given["meshes"] = names.into();
        Ok(Some(given))
    };
    server.serve(&page, &given, &meshes, interrupt::is_asked)?;
    Ok(true)
}
