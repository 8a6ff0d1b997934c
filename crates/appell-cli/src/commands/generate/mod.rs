//! `appell generate`: a question of one robot as source code.

mod trial;

use crate::arguments::{choice, question};
use crate::output;
use crate::robot;
use anyhow::Context;
use appell::Kind;
use appell::question::Question;
use appell::real::Count;
use appell_codegen::emit::{Language, function_name};
use appell_codegen::{Kernel, Options, Parameter, Report, answers, generate, writes};
use appell_device::Device;
use appell_drawing::listing::Listing;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a question of one robot as source code: a function without a loop, of a few hundred operations for an arm and
/// of thousands for the derivatives of a parallel robot.
///
/// The robot's numbers are put in, zeros and ones are left out, common factors are taken out, and bodies are regrouped
/// into the fewest parameters that give the same forces. Every file says its arguments, their order and units, and what
/// it costs, and tests itself on a recorded state. C is C99 with a header; Rust needs neither std nor an allocator and
/// runs on any number, lanes included; CUDA has a device function and a kernel over many states; Python takes numbers
/// or NumPy arrays; LaTeX is for functions of few operations, of small arms.
///
/// Of a parallel robot the functions read the platform's pose px py pz qx qy qz qw, its twist vx vy vz wx wy wz and its
/// rate ax ay az ex ey ez, and keep the working modes of the legs at home.
///
/// Parameters named with --keep-symbolic stay inputs of the function, in a further argument p: m2 is the mass of the
/// second body, cx3 the x of the third's centre of mass, Ixy1 an entry of the first's inertia about its centre of mass,
/// all in the body's own frame. Bodies are numbered as their joints are, those of legs too, in the order of `appell
/// show`; mP, cxP … are those of the platform with what it carries, in its frame. Questions that bodies matter to keep
/// them.
#[derive(clap::Args)]
#[command(
    after_help = "Example: appell generate puma560 --question inverse-dynamics --lang c --out generated\n         appell generate puma560 --question inverse-dynamics --run cpu"
)]
pub(crate) struct Args {
    /// A built-in robot's name, or the path of a robot's file
    #[arg(required_unless_present = "support")]
    robot: Option<PathBuf>,
    /// Let the root link of a URDF or SDF file move freely, by a free joint root_joint with a quaternion
    #[arg(long)]
    floating_base: bool,
    /// What to generate, by its name in the list of `appell compute --help`
    #[arg(long, value_name = "Q", value_parser = question(), hide_possible_values = true)]
    #[arg(required_unless_present = "support")]
    question: Option<Question>,
    /// The languages; several with commas
    #[arg(long, value_name = "L", value_delimiter = ',')]
    #[arg(value_parser = choice(Language::ALL.map(|language| (language.name(), language))))]
    #[arg(required_unless_present_any = ["support", "run"])]
    lang: Vec<Language>,
    /// Compile the function for a device, cpu, cuda or cuda:1, and run it there a million times on the recorded state: how far
    /// it is off, and how many states a second it answers
    #[arg(long, value_name = "DEVICE")]
    run: Option<Device>,
    /// The folder to write to, made where it is missing; - writes to stdout
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Parameters that stay inputs; several with commas
    #[arg(long, value_name = "P1,P2,…", value_delimiter = ',')]
    keep_symbolic: Vec<Parameter>,
    /// Leave the bodies as they are, where regrouping would cost less
    #[arg(long)]
    no_regrouping: bool,
    /// The output of a robot with closed loops; of others the frame that jacobian and jacobian-rate are about, the last if
    /// not given
    #[arg(long)]
    frame: Option<String>,
    /// The frame whose axes the components of a Jacobian refer to; base if not given
    #[arg(long, value_name = "FRAME")]
    axes: Option<String>,
    /// List which questions of which robots have code in which languages
    #[arg(long, conflicts_with_all = ["robot", "question", "lang", "run"])]
    support: bool,
}

/// Files of more bytes are warned of before they are written.
const HUGE: usize = 2_000_000;

pub(crate) fn run(args: &Args, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let (Some(path), Some(question)) = (&args.robot, args.question) else {
        return support(json, out);
    };
    let robot = robot::with_output(path, robot::load(path, args.floating_base)?, args.frame.as_deref())?;
    let frame = args.frame.as_deref().filter(|_| robot.closed().is_none());
    let target = robot::target(&robot, question, frame, args.axes.as_deref())?;
    let options = Options { regroup: !args.no_regrouping, keep: args.keep_symbolic.clone(), target };
    let kernel = generate(&robot, question, &options)?;
    let mut files = Vec::new();
    for (place, language) in args.lang.iter().enumerate() {
        if args.lang[..place].contains(language) {
            continue; // it was asked for before
        }
        files.extend(language.write(&kernel).with_context(|| language.name())?);
    }
    for file in files.iter().filter(|file| file.text.len() > HUGE) {
        output::note(format_args!(
            "warning: {} has {:.1} MB, which compilers take minutes for; {} operations without a loop may run slower than \
             the library",
            file.name,
            1e-6 * file.text.len() as f64,
            kernel.report.generated.multiplications + kernel.report.generated.additions
        ));
    }
    if args.out == Path::new("-") && !files.is_empty() {
        for file in &files {
            out.write_all(file.text.as_bytes())?;
        }
        return Ok(true);
    }
    if files.is_empty() {
        return finish(args, &kernel, &[], json, out);
    }
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make {}", args.out.display()))?;
    // All or none: a header without its source would be no use.
    if let Some(path) = files.iter().map(|file| args.out.join(&file.name)).find(|path| path.is_dir()) {
        anyhow::bail!("{} is a folder; remove it, or write to another folder", path.display());
    }
    let mut written = Vec::new();
    for file in &files {
        let path = args.out.join(&file.name);
        output::write_file(&path, &file.text, out)?;
        written.push(path.display().to_string());
    }
    finish(args, &kernel, &written, json, out)
}

/// Says what was written, and what the function does on a device.
fn finish(args: &Args, kernel: &Kernel, written: &[String], json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let found = args.run.map(|device| trial::run(device, kernel)).transpose()?;
    if json {
        let mut all = as_json(kernel, written);
        if let (Some(found), Some(device)) = (&found, args.run) {
            all["run"] = json!({ "device": device.to_string(), "found": found.each_ref().map(trial::Found::as_json) });
        }
        writeln!(out, "{all:#}")?;
        return Ok(found.is_none_or(|found| found.iter().all(trial::Found::is_right)));
    }
    print(kernel, written, out)?;
    match (found, args.run) {
        (Some(found), Some(device)) => trial::print(device, &found, out),
        _ => Ok(true),
    }
}

/// The way from the general algorithm to the code.
fn steps(report: &Report) -> impl Iterator<Item = (&'static str, Count)> {
    let general = report.general.map(|count| ("general algorithm", count));
    let regrouped = report.regrouped.map(|count| ("bodies regrouped", count));
    let specialised = [("this robot's numbers", report.specialised)];
    general.into_iter().chain(specialised).chain(regrouped).chain([("generated", report.generated)])
}

fn print(kernel: &Kernel, written: &[String], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{} of {}: {}", kernel.question.name(), kernel.robot, function_name(kernel))?;
    let mut listing = Listing::new(["operations", ">×", ">+"]);
    for (step, Count { multiplications, additions }) in steps(&kernel.report) {
        listing.push([step.into(), multiplications.to_string(), additions.to_string()]);
    }
    listing.write(out)?;
    writeln!(out, "  sine and cosine of {} angles", kernel.report.angles)?;
    for path in written {
        writeln!(out, "{path}")?;
    }
    Ok(())
}

fn as_json(kernel: &Kernel, written: &[String]) -> Value {
    let counts: serde_json::Map<String, Value> = steps(&kernel.report)
        .map(|(step, count)| {
            let key = step.replace("this robot's numbers", "specialised").replace(' ', "_");
            (key, json!({ "multiplications": count.multiplications, "additions": count.additions }))
        })
        .collect();
    json!({
        "robot": kernel.robot,
        "kind": kernel.kind.name(),
        "question": kernel.question.name(),
        "function": function_name(kernel),
        "operations": counts,
        "angles": kernel.report.angles,
        "files": written,
    })
}

/// The table robot × question × language, asked of the library itself.
fn support(json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let questions =
        || Question::ALL.into_iter().filter(|&question| Kind::ALL.iter().any(|&kind| answers(kind, question)));
    let languages = |kind: Kind| -> Vec<&str> {
        Language::ALL.into_iter().filter(|&language| writes(kind, language)).map(Language::name).collect()
    };
    if json {
        let table: Value = questions()
            .map(|question| {
                let kinds = Kind::ALL.into_iter().filter(|&kind| answers(kind, question));
                let robots: serde_json::Map<String, Value> =
                    kinds.map(|kind| (kind.name().to_owned(), json!(languages(kind)))).collect();
                json!({ "question": question.name(), "robots": robots })
            })
            .collect();
        writeln!(out, "{table:#}")?;
        return Ok(true);
    }
    let mut listing = Listing::new(["question"].into_iter().chain(Kind::ALL.map(Kind::name)));
    for question in questions() {
        let cell = |kind: Kind| if answers(kind, question) { languages(kind).join(" ") } else { "-".into() };
        listing.push([question.name().to_owned()].into_iter().chain(Kind::ALL.map(cell)));
    }
    listing.write(out)?;
    for language in Language::ALL {
        if let Some(most) = language.most_operations() {
            writeln!(out, "{} is for functions of at most {most} operations, of small robots", language.name())?;
        }
    }
    writeln!(out, "legs of parallel and spherical robots need closed forms")?;
    Ok(true)
}
