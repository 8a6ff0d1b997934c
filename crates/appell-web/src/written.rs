//! What is taken home: generated code, and the robot's file in other formats.

use crate::asked;
use crate::bench::Bench;
use appell::Format;
use appell::description::Limits;
use appell_codegen::emit::Language;
use appell_codegen::{Options, generate};
use serde::Deserialize;

/// Limits of a joint, `JointLimits` of the contract: none where there is no number.
#[derive(Debug, Clone, Deserialize)]
pub struct JointLimits {
    joint: String,
    lower: Option<f64>,
    upper: Option<f64>,
    velocity: Option<f64>,
    effort: Option<f64>,
}

impl Bench {
    /// Source code of a question of this robot; a language of several files has them one after the other, each under its name.
    ///
    /// # Errors
    /// If there is no code for it.
    pub fn generate(&self, question: &str, language: &str) -> Result<String, String> {
        let question = asked::find(question)?;
        let language = Language::find(&language.to_ascii_lowercase()).ok_or_else(|| {
            let known: Vec<&str> = Language::ALL.into_iter().map(Language::name).collect();
            format!("no language `{language}`; languages are {}", known.join(", "))
        })?;
        let options = Options { target: self.target(), ..Options::default() };
        let kernel = generate(self.robot(), question, &options).map_err(|error| error.to_string())?;
        let files = language.write(&kernel).map_err(|error| error.to_string())?;
        if let [file] = files.as_slice() {
            return Ok(file.text.clone());
        }
        Ok(files.iter().map(|file| format!("/* {} */\n{}\n", file.name, file.text)).collect())
    }

    /// The robot's file in TOML with other limits of some joints.
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn limited(&self, limits: &[JointLimits]) -> Result<String, String> {
        let mut file = self.own().file().ok_or("the robot was not read from a file")?.clone();
        for given in limits {
            let joint = file.description.joints.iter_mut().find(|joint| joint.name == given.joint);
            let joint = joint.ok_or_else(|| format!("no joint `{}` has limits of its own", given.joint))?;
            joint.limits = Limits {
                lower: given.lower.unwrap_or(f64::NEG_INFINITY),
                upper: given.upper.unwrap_or(f64::INFINITY),
                velocity: given.velocity.unwrap_or(f64::INFINITY),
                effort: given.effort.unwrap_or(f64::INFINITY),
            };
        }
        let (text, lost) = Format::Toml.write(&file, None)?;
        match lost.is_empty() {
            true => Ok(text),
            false => Err(format!("the format has no place for all of it\n{lost}")),
        }
    }

    /// The robot's file in a format, as it was read; nothing of it may be lost.
    ///
    /// # Errors
    /// If the format has no place for all of it.
    pub fn write(&self, format: &str) -> Result<String, String> {
        let known = || format!("no format `{format}`; formats are {}", Format::WRITTEN.map(Format::name).join(", "));
        let format = Format::find(format).ok_or_else(known)?;
        let file = self.own().file().ok_or("the robot was not read from a file")?;
        let (text, lost) = format.write(file, None)?;
        match lost.is_empty() {
            true => Ok(text),
            false => Err(format!("the format has no place for all of it\n{lost}")),
        }
    }
}
