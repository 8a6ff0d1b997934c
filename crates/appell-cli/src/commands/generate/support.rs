//! `appell generate --support`: the table robot × question × language, asked of the library itself.

use crate::listing::Listing;
use appell::codegen::emit::Language;
use appell::codegen::{Kind, answers};
use appell::question::Question;
use serde_json::{Value, json};
use std::io::Write;

pub(super) fn run(json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let questions =
        || Question::ALL.into_iter().filter(|&question| Kind::ALL.iter().any(|&kind| answers(kind, question)));
    let languages: Vec<&str> = Language::ALL.map(Language::name).to_vec();
    if json {
        let table: Value = questions()
            .map(|question| {
                let kinds: Vec<&str> =
                    Kind::ALL.into_iter().filter(|&kind| answers(kind, question)).map(Kind::name).collect();
                json!({ "question": question.name(), "robots": kinds, "languages": languages })
            })
            .collect();
        writeln!(out, "{table:#}")?;
        return Ok(true);
    }
    let mut listing = Listing::new(["question"].into_iter().chain(Kind::ALL.map(Kind::name)));
    for question in questions() {
        let cell = |kind: Kind| if answers(kind, question) { languages.join(" ") } else { "-".into() };
        listing.push([question.name().to_owned()].into_iter().chain(Kind::ALL.map(cell)));
    }
    listing.write(out)?;
    writeln!(out, "latex is for functions of few operations; legs of parallel and spherical robots need closed forms")?;
    Ok(true)
}
