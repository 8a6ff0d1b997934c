//! What is taken home: generated code, and the robot's file in other formats.

use crate::asked;
use crate::bench::Bench;
use appell::Format;
use appell_codegen::emit::Language;
use appell_codegen::{Options, generate};

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
