//! The laboratory's page: where it is found, and a robot put into it. `laboratory/src/app/server.ts` is the page's side.

use crate::output;
use crate::robot;
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that names the page, before all other places.
const VARIABLE: &str = "APPELL_LABORATORY";

/// Where the page leaves room for what comes with it.
const HEAD: &str = "<!-- appell: head -->";

/// The page without a robot.
///
/// # Errors
/// If it is nowhere, or is not one.
pub(crate) fn page() -> anyhow::Result<String> {
    let path = find()?;
    let text = fs::read_to_string(&path).map_err(output::unread).with_context(|| path.display().to_string())?;
    if !text.contains(HEAD) {
        bail!("{} is not the laboratory's page; `make laboratory` in a clone of appell makes it", path.display());
    }
    Ok(text)
}

/// The page's file: the one that a variable names, or is installed with the program, or is built in its clone.
fn find() -> anyhow::Result<PathBuf> {
    if let Some(given) = env::var_os(VARIABLE) {
        return Ok(given.into());
    }
    let program = env::current_exe().ok().and_then(|path| path.canonicalize().ok()).unwrap_or_default();
    let installed = program.ancestors().skip(1).take(2).zip(["laboratory.html", "share/appell/laboratory.html"]);
    let built = program.ancestors().skip(1).map(|folder| folder.join("laboratory/dist/index.html"));
    let mut places = installed.map(|(folder, file)| folder.join(file)).chain(built);
    places.find(|place| place.is_file()).with_context(|| {
        format!(
            "the laboratory's page is not installed beside the program; `make laboratory` in a clone of appell makes \
             laboratory/dist/index.html, and {VARIABLE} may name it wherever it is"
        )
    })
}

/// A robot as the page reads it: the name of a built-in one, or a file's name with its text; `q` places it.
pub(crate) fn given(path: &Path, q: Option<&[f64]>) -> anyhow::Result<Value> {
    ensure!(!path.exists() || path.is_file(), "{} is not a file", path.display());
    let source = robot::find(path)?;
    let mut given = match path.to_str().filter(|name| appell::robots::find(name).is_some()) {
        Some(name) => json!({ "name": name }),
        None => {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            json!({ "file": file, "text": source.text })
        }
    };
    if let Some(q) = q {
        given["q"] = json!(q);
    }
    Ok(given)
}

/// Endings of files that are meshes; a robot's file that somebody else wrote could name any other.
const MESHES: [&str; 5] = ["stl", "obj", "dae", "glb", "gltf"];

/// Files of the meshes that show a robot, where they are found: beside its file, or in the packages of ROS around it.
pub(crate) fn meshes(path: &Path) -> Vec<PathBuf> {
    let Some(source) = path.is_file().then(|| robot::find(path).ok()).flatten() else { return Vec::new() };
    let Ok(file) = source.format.read(&source.text, "robot", false) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new("")).canonicalize().unwrap_or_default();
    let mut found: Vec<PathBuf> = Vec::new();
    for mesh in file.extras.meshes() {
        let place = match mesh.file.split_once("://") {
            // package://NAME/FILE: the folder NAME is above the robot's file, or beside one that is.
            Some(("package", rest)) => folder.ancestors().map(|above| above.join(rest)).find(|place| place.is_file()),
            Some(("file", rest)) => Some(rest.into()),
            Some(_) => None,
            None => Some(folder.join(&mesh.file)),
        };
        let is_mesh = |place: &Path| {
            let ending = place.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            MESHES.iter().any(|known| ending.eq_ignore_ascii_case(known)) && place.is_file()
        };
        // A link may lead to a file of another kind.
        let real = place.and_then(|place| Some((place.canonicalize().ok()?, place)));
        found.extend(real.filter(|(real, place)| is_mesh(real) && !found.contains(place)).map(|(_, place)| place));
    }
    found
}

/// The page with a robot inside, which needs no other file.
pub(crate) fn with_robot(page: &str, given: &Value) -> String {
    // Inside a script `</script>` would end it; JSON may write any letter by its number.
    let text = given.to_string().replace('<', "\\u003c");
    page.replacen(HEAD, &format!("<script type=\"application/json\" id=\"robot\">{text}</script>"), 1)
}

/// The page as a server on this machine gives it: it may ask that server, and nobody else, for its robot.
pub(crate) fn served(page: &str) -> String {
    let page = page.replacen("connect-src 'none'", "connect-src 'self'", 1);
    page.replacen(HEAD, "<meta name=\"appell-lab\">", 1)
}
